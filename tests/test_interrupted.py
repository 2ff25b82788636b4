"""An interruption in the midst of a question: it comes out as itself, and the engine goes on."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from clingo import ast

from pyengine.solving import statements
from tests.conftest import ROOT

# real signals, at any moment: in a process of its own, since clingo could end it
PROGRAM = """
import random, signal, sys
from pyengine import Engine, State

names = ("02-defenders", "03-spell-and-protection", "06-lethal", "07-effects")
states = [State.load(f"facts/states/{name}.yaml") for name in names]
right = [Engine().judge(state) for state in states]
engine, dice = Engine(functions=sys.argv[1] == "functions"), random.Random(1)


class Interrupted(Exception):
    pass


def stop(*_):
    raise Interrupted


def lost(told):
    # in a finalizer Python swallows whatever is raised, also an interruption
    if told.exc_type is not Interrupted:
        sys.__unraisablehook__(told)


sys.unraisablehook = lost
signal.signal(signal.SIGALRM, stop)
happened = 0
for _ in range(int(sys.argv[2])):
    number = dice.randrange(4)
    try:
        signal.setitimer(signal.ITIMER_REAL, dice.uniform(1e-5, float(sys.argv[3])))
        engine.judge(states[number])
        signal.setitimer(signal.ITIMER_REAL, 0)
    except Interrupted:
        happened += 1
        if happened % 8 == 0:
            assert [engine.judge(state) for state in states] == right
print(happened)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms here")
@pytest.mark.parametrize(
    ("way", "times", "most"), [("clingo", 400, 0.012), ("functions", 800, 0.003)]
)
def test_alarms_at_any_moment(way: str, times: int, most: float) -> None:
    command = [sys.executable, "-c", PROGRAM, way, str(times), str(most)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > times // 8


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="nothing is held here")
def test_what_the_parser_leaves_out_is_freed_while_nothing_interrupts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    free, held = ast.AST.__del__, list[bool]()

    def freed(node: ast.AST) -> None:
        held.append(signal.SIGALRM in signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        free(node)  # type: ignore[no-untyped-call]

    monkeypatch.setattr(ast.AST, "__del__", freed)
    kept = statements(ROOT / "rules.lp")
    assert kept and held and all(held)
