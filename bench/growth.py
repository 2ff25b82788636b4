"""How the time of a verdict grows with what is judged: ``python -m bench.growth``.

Tables of 2 to 40 creatures are judged, each once to warm up, then several times. The time may grow
no faster than the number of candidate declarations: in the plot, whose axes are logarithmic, the
slope may be no more than 1. Writes docs/growth.svg, and prints the numbers.
"""

from __future__ import annotations

import argparse
import importlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.measure import judging, median
from bench.positions import table
from pyengine.engine import Engine
from pyengine.model import State

SIZES = tuple(range(2, 41, 2))
Point = tuple[int, float, float]  # creatures, candidates, milliseconds


def measured(tables: int, times: int) -> list[Point]:
    """The medians of each size."""
    engine = Engine()
    out = []
    for size in SIZES:
        states = [State.from_dict(table(size, seed)) for seed in range(tables)]
        candidates = [len(engine.judge(state)) for state in states]
        # the least of several is what other work on the machine has disturbed least
        runs = [judging(states, engine.judge) for _ in range(times)]
        out.append(
            (size, median(candidates), median([min(each) for each in zip(*runs, strict=True)]))
        )
    return out


def slope(points: Sequence[Point]) -> float:
    """How the time grows: with which power of the number of candidates (least squares)."""
    xs = [math.log(candidates) for _, candidates, _ in points]
    ys = [math.log(time) for _, _, time in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )


def upper(points: Sequence[Point]) -> float:
    """The slope of the larger tables, where what every question costs counts for less."""
    return slope(points[len(points) // 2 :])


def draw(points: Sequence[Point], path: Path) -> None:
    """The plot; needs matplotlib."""
    importlib.import_module("matplotlib").use("svg")
    pyplot: Any = importlib.import_module("matplotlib.pyplot")
    pyplot.rcParams["svg.hashsalt"] = "pyengine"
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    xs = [candidates for _, candidates, _ in points]
    ys = [time for _, _, time in points]
    axes.loglog(
        xs, ys, "o", label=f"judge, one question (slope of the upper half {upper(points):.2f})"
    )
    last = points[-1]
    axes.loglog(
        xs, [last[2] * each / last[1] for each in xs], "--", color="grey",
        label="as fast as the candidates (slope 1)",
    )  # fmt: skip
    for size, candidates, time in points:
        if size in (2, 10, 20, 40):
            axes.annotate(
                f"{size} creatures", (candidates, time), textcoords="offset points",
                xytext=(-5, 7), ha="right",
            )  # fmt: skip
    axes.set_xlim(xs[0] / 3, xs[-1] * 1.8)
    axes.set_ylim(min(ys) / 3, max(ys) * 2)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:g}")
    axes.set(
        xlabel="candidate declarations", ylabel="ms of CPU", title="How the time to judge grows"
    )
    axes.grid(which="both", alpha=0.3)
    axes.legend(loc="lower right")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main(argv: list[str] | None = None) -> int:
    """The command; 1 if the time grows faster than the candidates."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--tables", type=int, default=9, help="how many tables of each size")
    parser.add_argument("--times", type=int, default=5, help="how often each is judged")
    parser.add_argument("--to", type=Path, default=Path("docs/growth.svg"), help="where to draw")
    options = parser.parse_args(argv)
    points = measured(options.tables, options.times)
    print("creatures candidates ms/judge us/candidate")
    for size, candidates, time in points:
        print(f"{size:9} {candidates:10.0f} {time:8.2f} {time / candidates * 1000:12.1f}")
    print(f"the time grows with the power {slope(points):.2f} of the candidates,")
    print(f"that of the larger half with {upper(points):.2f}")
    draw(points, options.to)
    return int(upper(points) > 1)


if __name__ == "__main__":
    raise SystemExit(main())
