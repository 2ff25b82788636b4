"""An engine is shared by threads and goes on after a fork, whatever the other threads are at."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import ROOT

# in a process of its own: a child that waits for ever is ended with it
PROGRAM = """
import gc, os, random, sys, threading, time
from pyengine import Engine, State
from pyengine.limits import latest

names = ("02-defenders", "03-spell-and-protection", "06-lethal", "07-effects")
states = [State.load(f"facts/states/{name}.yaml") for name in names]
right = [Engine().judge(state) for state in states]
usual = gc.get_threshold()
engine, over, wrong = Engine(functions=sys.argv[1] == "functions"), threading.Event(), []


def ask(seed):
    dice = random.Random(seed)
    while not over.is_set():
        number = dice.randrange(4)
        if engine.judge(states[number]) != right[number]:
            wrong.append(number)


def asked_here():
    if latest() is not None or gc.get_threshold() != usual:
        return 3
    number = dice.randrange(4)
    found = [each.judge(states[number]) for each in (engine, Engine())]
    return 0 if found == [right[number]] * 2 else 4


threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)]
for thread in threads:
    thread.start()
dice, codes = random.Random(1), set()
for _ in range(int(sys.argv[2])):
    time.sleep(dice.uniform(0.0005, 0.02))
    child = os.fork()
    if not child:
        os._exit(asked_here())
    until = time.monotonic() + 60
    done = (0, 0)
    while not done[0] and time.monotonic() < until:
        time.sleep(0.002)
        done = os.waitpid(child, os.WNOHANG)
    if not done[0]:
        os.kill(child, 9)
        os.waitpid(child, 0)
    codes.add(os.waitstatus_to_exitcode(done[1]) if done[0] else "waits for ever")
    if codes != {0}:
        break
over.set()
for thread in threads:
    thread.join()
print(codes, wrong)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing forks here")
@pytest.mark.parametrize(("way", "times"), [("clingo", 100), ("functions", 50)])
def test_a_fork_while_other_threads_ask(way: str, times: int) -> None:
    command = [sys.executable, "-c", PROGRAM, way, str(times)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=500, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{0} []\n", "")


def test_a_fork_within_a_question() -> None:
    """What the thread that forks was at it goes on with, in both processes."""
    program = """
import os, threading
from pyengine import Engine, State
from pyengine.solving import turn
state = State.load("facts/states/02-defenders.yaml")
engine, children = Engine(), []
with turn(), turn():
    children.append(os.fork())
    assert engine.judge(state)
if children[0]:
    assert os.waitpid(children[0], 0)[1] == 0
found = []
other = threading.Thread(target=lambda: found.append(engine.judge(state)))
other.start()
other.join(60)
assert len(found) == 1
os._exit(0)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=200,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
