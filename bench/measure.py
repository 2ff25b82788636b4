"""What is measured. All times are milliseconds of this process's CPU: other load does not count."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

import clingo
from clingo.ast import ProgramBuilder

from pyengine import engine, facts, queue, solving
from pyengine.batch import alone, card_of, verdicts
from pyengine.engine import Engine
from pyengine.model import State
from pyengine.questions import asked_of
from pyengine.solving import JUDGED, Answer, program

T = TypeVar("T")
STAGES = ("read", "facts", "slice", "build", "ground", "solve", "decode")


def milliseconds(work: Callable[[], object]) -> float:
    """How long the work takes, once."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def median(times: Sequence[float]) -> float:
    """The time in the middle."""
    return statistics.median(times) if times else 0.0


def high(times: Sequence[float]) -> float:
    """The time that one in a hundred exceeds."""
    return sorted(times)[min(len(times) - 1, len(times) * 99 // 100)] if times else 0.0


def stages(document: dict[str, Any]) -> dict[str, float]:
    """Where the time of one `judge` goes: the stages of `solving.solve`, one after another."""
    marks = [time.process_time()]

    def mark() -> None:
        marks.append(time.process_time())

    state = State.from_dict(document)
    mark()
    rules = program(f"rules/editions/{state.edition}.lp")
    asked = asked_of(state, f"judged({facts.name(state.active)}).")
    mark()
    slice = rules.slice(asked, JUDGED)
    mark()
    control = clingo.Control(["--models=0", "--warn=no-atom-undefined"])
    with ProgramBuilder(control) as builder:
        for node in slice.nodes:
            builder.add(node)
    with control.backend() as backend:
        for fact in rules.facts(asked, slice):
            backend.add_rule([backend.add_atom(fact)])
    mark()
    control.ground([("base", [])])
    mark()
    with control.solve(yield_=True) as handle:
        (answer,) = (Answer(model.symbols(shown=True)) for model in handle)
    mark()
    list(verdicts(answer, alone, card_of))
    mark()
    return {
        stage: (after - before) * 1000
        for stage, before, after in zip(STAGES, marks, marks[1:], strict=False)
    }


def judging(
    states: Iterable[State],
    judge: Callable[[State], object],
    known: tuple[type[Exception], ...] = (),
) -> list[float]:
    """A question a state; ``known``: what a judge raises that does not speak of a position."""
    out = []
    for state in states:
        try:
            out.append(milliseconds(lambda: judge(state)))  # noqa: B023
        except known:
            continue
    return out


def resolving(states: Iterable[State], each: int = 1) -> list[float]:
    """The outcomes of the first legal actions of each state."""
    judge = Engine()
    out = []
    for state in states:
        for action in judge.legal_actions(state)[:each]:
            out.append(milliseconds(lambda: judge.resolve(state, action)))  # noqa: B023
    return out


def resolving_many(states: Sequence[State], each: int = 1) -> float:
    """The time of one of the same questions where all share groundings."""
    judge = Engine()
    asked = [(state, act) for state in states for act in judge.legal_actions(state)[:each]]
    return milliseconds(lambda: list(judge.resolve_many(asked))) / len(asked)


def many(states: Sequence[State], batch: int) -> float:
    """The time of one state where so many share a grounding."""
    judge = Engine()
    return milliseconds(lambda: list(judge.judge_many(states, batch=batch))) / len(states)


def across(
    states: Sequence[State], workers: Iterable[int]
) -> list[tuple[int, float, float, float]]:
    """Processes, states a second by the clock, what each core gives of what one alone does.

    Last what it gives of that at best: so many processes that were started before and have nothing
    to do with each other, each with its share. The best of three. Each is asked for by a new
    process, which knows no slice yet, as its workers know none; they are started within the time.
    """
    together, apart = dict[int, float](), dict[int, float]()
    for number in workers:
        together[number] = min(fresh(_clock, states, number) for _ in range(3))
        apart[number] = min(max(_apart(states, number)) for _ in range(3))

    def a_core(took: dict[int, float], number: int) -> float:
        return took[1] / took[number] / number

    return [
        (number, len(states) / took, a_core(together, number), a_core(apart, number))
        for number, took in together.items()
    ]


def _apart(states: Sequence[State], number: int) -> list[float]:
    """The seconds that each of so many processes takes for its share, all at the same time."""
    with get_context("spawn").Manager() as manager:
        gate = manager.Barrier(number)
        with ProcessPoolExecutor(number, get_context("spawn")) as pool:
            shares = [
                pool.submit(_clock, states[place::number], 1, gate) for place in range(number)
            ]
            return [share.result() for share in shares]


def _clock(states: Sequence[State], workers: int, gate: Any = None) -> float:
    if gate is not None:
        gate.wait()
    start = time.perf_counter()
    for _ in Engine().judge_many(states, workers=workers):
        pass
    return time.perf_counter() - start


def fresh(work: Callable[..., T], *args: object) -> T:
    """What the work gives in a process of its own."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work, *args).result()


class Naive:
    """The engine with every rule in every question: what slicing is compared with."""

    def __enter__(self) -> Engine:
        self._solve = solving.solve

        def whole(*args: Any, **options: Any) -> list[Answer]:
            return self._solve(*args, **options | {"sliced": False})

        vars(engine)["solve"] = vars(queue)["solve"] = whole
        return Engine()

    def __exit__(self, *_: object) -> None:
        vars(engine)["solve"] = vars(queue)["solve"] = self._solve
