"""``python -m tests.model --count N --seed S``: compares the model with the engine.

A position is named by its size and its seed: ``--count 1 --seed 17`` asks about that one again.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pyengine import Engine, Limits
from tests.model.compare import Disagreement, EngineReferee, compare, save, shrunk
from tests.model.many import Heard, heard
from tests.model.positions import LARGE, MIDDLE, SMALL, Dice, Document, position

SIZES = {"small": SMALL, "middle": MIDDLE, "large": LARGE}
_PATIENCE = 3600  # seconds for one answer: what is asked of, not how busy the machine is
_STEPS = 300  # of one declaration: what has more ways is counted as too much
_CHUNK = 500  # positions that a process takes at a time
_CHUNKS = (
    4  # then a new one goes on: clingo forgets no term, and these positions are made of new ones
)
_ALONE = 50  # one position in so many is asked alone, as a caller of the engine asks


class Found(NamedTuple):
    """A disagreement about the position with that seed."""

    seed: int
    document: Document
    disagreement: Disagreement


class Told(NamedTuple):
    """What came of one position; ``actions``: whose outcomes were compared; ``large``: were not."""

    found: tuple[Found, ...] = ()
    actions: int = 0
    large: int = 0
    passed: Mapping[str, int] = MappingProxyType({})  # what the model does not speak of


class Work(NamedTuple):
    """Positions for one process."""

    seeds: range
    size: str
    strict: bool
    resolve: bool
    width: int
    functions: bool


def told(work: Work) -> Iterator[Told]:
    """What comes of each of the positions, in any order."""
    alone = EngineReferee(
        Engine(limits=Limits(seconds=_PATIENCE, steps=_STEPS), functions=work.functions)
    )
    alone.engine.program("heroes").slicer  # noqa: B018 - made now, to be frozen
    gc.freeze()  # the rules are many objects, which need not be looked through again and again
    single = [seed for seed in work.seeds if work.width < 2 or not seed % _ALONE]
    beside = [seed for seed in work.seeds if work.width > 1 and seed % _ALONE]

    def drawn(seed: int) -> Document:
        return position(Dice(seed), SIZES[work.size])

    answered = chain(
        (Heard(drawn(seed), alone) for seed in single),
        heard(map(drawn, beside), alone, work.resolve, work.width),
    )
    for seed, answers in zip((*single, *beside), answered, strict=True):
        alone.large.clear()
        passed = Counter[str]()
        topics = dict[tuple[str, str], Disagreement]()
        for found in compare(answers.document, answers, work.resolve, passed):
            if work.strict or found.kind != "ended":
                topics.setdefault(found.topic, found)
        large = len(alone.large)
        yield Told(
            tuple(
                Found(seed, *shrunk(answers.document, found, alone)) for found in topics.values()
            ),
            answers.compared,
            large,
            dict(passed),
        )


def _all_told(work: Work) -> list[Told]:
    return list(told(work))


def main(argv: list[str] | None = None) -> int:
    """The command; 0: they agree, 1: they do not."""
    parser = argparse.ArgumentParser(prog="python -m tests.model", description=__doc__)
    parser.add_argument("--count", type=int, default=200, help="how many positions")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--size", choices=SIZES, default="middle", help="how large they are")
    parser.add_argument("--save", type=Path, help="folder for a ruling file a disagreement")
    parser.add_argument("--stop", type=int, default=20, help="stop after so many disagreements")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after so many seconds")
    parser.add_argument("--strict", action="store_true", help="also what follows a game's end")
    parser.add_argument("--judge", action="store_true", help="verdicts and reasons only")
    parser.add_argument("--width", type=int, default=64, help="positions that share a grounding")
    parser.add_argument("--functions", action="store_true", help="ask the rules as functions")
    parser.add_argument("--progress", type=int, help="say how far it is after so many")
    options = parser.parse_args(argv)
    began, kinds, seen, actions, large = time.perf_counter(), Counter[str](), 0, 0, 0
    passed = Counter[str]()
    seeds = range(options.seed, options.seed + options.count)
    portion = max(1, min(_CHUNK, -(-len(seeds) // options.jobs)))
    work = [
        Work(
            seeds[n : n + portion], options.size, options.strict, not options.judge,
            options.width if len(seeds) > 1 else 1, options.functions,
        )
        for n in range(0, len(seeds), portion)
    ]  # fmt: skip
    many = (
        get_context("spawn").Pool(options.jobs, maxtasksperchild=_CHUNKS)
        if len(work) > 1
        else _Here()
    )
    with many as pool:
        for one in chain.from_iterable(pool.imap(_all_told, work) if pool else map(told, work)):
            seen, actions, large = seen + 1, actions + one.actions, large + one.large
            passed.update(one.passed)
            for seed, document, found in one.found:
                kinds[found.kind] += 1
                print(f"-- {options.size} {seed}: {found}", flush=True)
                if options.save:
                    name = f"{options.size}-{seed}-{'-'.join(filter(None, found.topic))}"
                    print(f"  saved:  {save(options.save, name, document, found)}", flush=True)
            if options.progress and not seen % options.progress:
                took = time.perf_counter() - began
                print(f"{seen} positions, {actions} actions, {took:.0f} s", flush=True)
            late = time.perf_counter() - began > options.seconds
            if late or sum(kinds.values()) >= options.stop:
                break
    took = time.perf_counter() - began
    silent = sum(count for why, count in passed.items() if why.startswith("verdicts"))
    over = ", ".join(f"{why.partition(': ')[2]} {n}" for why, n in passed.most_common())
    print(
        f"{seen} positions in {took:.1f} s: verdicts of {seen - silent}, outcomes of {actions} actions compared; "
        f"passed over: verdicts of {silent} positions, outcomes of {passed.total() - silent} actions "
        f"(and {large} too many for the engine): {over or 'nothing'}; disagreements: {dict(kinds) or 'none'}"
    )
    return 1 if kinds else 0


class _Here:
    """No pool: this process only."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None
