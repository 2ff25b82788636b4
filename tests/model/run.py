"""``python -m tests.model --count N --seed S``: compares the model with the engine."""

from __future__ import annotations

import argparse
import time
from collections import Counter
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from tests.model.compare import Disagreement, EngineReferee, compare, save, shrunk
from tests.model.positions import LARGE, MIDDLE, SMALL, Dice, Document, position

SIZES = {"small": SMALL, "middle": MIDDLE, "large": LARGE}
Found = tuple[int, Document, Disagreement]


@cache
def _referee() -> EngineReferee:
    return EngineReferee()  # one a process: it holds the grounded rules


def one(seed: int, size: str, strict: bool, resolve: bool) -> list[Found]:
    """The first disagreement of each topic about one position, made small."""
    referee, document = _referee(), position(Dice(seed), SIZES[size])
    topics = dict[tuple[str, str], Disagreement]()
    for found in compare(document, referee, resolve):
        if strict or found.kind != "ended":
            topics.setdefault(found.topic, found)
    return [(seed, *shrunk(document, found, referee)) for found in topics.values()]


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
    options = parser.parse_args(argv)
    began, kinds, seen = time.perf_counter(), Counter[str](), 0
    seeds = range(options.seed, options.seed + options.count)
    work = [(n, options.size, options.strict, not options.judge) for n in seeds]
    with get_context("spawn").Pool(options.jobs) if options.jobs > 1 else _Here() as pool:
        for results in pool.imap(_star, work, chunksize=1):
            seen += 1
            for seed, document, found in results:
                kinds[found.kind] += 1
                print(f"-- seed {seed}: {found}", flush=True)
                if options.save:
                    name = f"{options.size}-{seed}-{'-'.join(filter(None, found.topic))}"
                    print(f"  saved:  {save(options.save, name, document, found)}", flush=True)
            late = time.perf_counter() - began > options.seconds
            if late or sum(kinds.values()) >= options.stop:
                break
    took = time.perf_counter() - began
    print(f"{seen} positions in {took:.1f} s, disagreements: {dict(kinds) or 'none'}")
    return 1 if kinds else 0


def _star(work: tuple[int, str, bool, bool]) -> list[Found]:
    return one(*work)


class _Here:
    """A pool of this process only."""

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    imap = staticmethod(lambda function, work, chunksize: map(function, work))
