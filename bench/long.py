"""One process that answers question after question: does it grow, does it slow down?

``python -m bench.long`` asks 10,000 questions of one process, no position twice, and fewer of
another in which every id is new: clingo keeps every name for ever. Prints the
memory and time after each tenth, and writes docs/long.svg.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.measure import fresh
from bench.positions import SIZES, table
from pyengine.engine import Engine
from pyengine.keeping import held
from pyengine.model import State

PARTS = 10
LEVEL = 1.05  # how much more may be held at the end than at half the way
Point = tuple[int, float, float]  # questions, ms of CPU for each of the last, MiB held


def curve(
    questions: int, sizes: Sequence[int] = SIZES[:3], renamed: bool = False
) -> Iterator[Point]:
    """After each tenth: how many questions, ms of CPU for each of that tenth, and MiB held.

    No position comes twice, and every fourth question is about the outcomes of an action.

    Args:
        questions: how many.
        sizes: creatures on the tables.
        renamed: the cards of each question have ids of their own.
    """
    judge = Engine()
    asked = 0
    for _ in range(PARTS):
        start = time.process_time()
        for _ in range(questions // PARTS):
            document = table(sizes[asked % len(sizes)], asked)
            if renamed:
                cards = document["cards"].items()
                document["cards"] = {f"{id}_{asked}": card for id, card in cards}
            state = State.from_dict(document)
            if asked % 4:
                judge.judge(state)
            else:
                judge.resolve(state, judge.legal_actions(state)[0])
            asked += 1
        spent = (time.process_time() - start) * 1000
        gc.collect()
        yield asked, spent / (questions // PARTS), held() / 2**20


def measured(questions: int, renamed: bool = False) -> list[Point]:
    """The curve of a new process."""
    return fresh(_points, questions, renamed)


def _points(questions: int, renamed: bool) -> list[Point]:
    return list(curve(questions, renamed=renamed))


def draw(usual: Sequence[Point], renamed: Sequence[Point], path: Path) -> None:
    """The plot; needs matplotlib."""
    importlib.import_module("matplotlib").use("svg")
    pyplot: Any = importlib.import_module("matplotlib.pyplot")
    pyplot.rcParams["svg.hashsalt"] = "pyengine"
    figure, (memory, spent) = pyplot.subplots(1, 2, figsize=(9, 4))
    for points, style, label in (
        (usual, "o-", "the same ids again"),
        (renamed, "s--", "every id is new"),
    ):
        asked = [point[0] for point in points]
        memory.plot(asked, [point[2] for point in points], style, label=label)
        spent.plot(asked, [point[1] for point in points], style, label=label)
    memory.set(title="Memory of one process", xlabel="questions", ylabel="MiB held")
    spent.set(title="Time of a question", xlabel="questions", ylabel="ms of CPU")
    for axes in (memory, spent):
        axes.set_xlim(left=0)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main(argv: list[str] | None = None) -> int:
    """The command; 1 if memory does not level off."""
    parser = argparse.ArgumentParser(prog="python -m bench.long", description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000, help="how many")
    parser.add_argument("--renamed", type=int, default=2_000, help="how many with new ids in each")
    parser.add_argument("--to", type=Path, default=Path("docs/long.svg"), help="where to draw")
    options = parser.parse_args(argv)
    usual, renamed = measured(options.questions), measured(options.renamed, renamed=True)
    for name, points in (("the same ids again", usual), ("every id is new", renamed)):
        print(f"{name}\nquestions ms/question    MiB")
        for asked, spent, mib in points:
            print(f"{asked:9} {spent:11.1f} {mib:6.1f}")
    grown = usual[-1][2] / max(usual[PARTS // 2 - 1][2], 1)
    print(f"at the end {grown:.3f} times as much is held as at half the way")
    draw(usual, renamed, options.to)
    return int(grown > LEVEL)


if __name__ == "__main__":
    raise SystemExit(main())
