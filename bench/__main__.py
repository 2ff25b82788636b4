"""``python -m bench``: measures, and writes docs/benchmarks.md and docs/benchmarks.svg.

The plot needs matplotlib (`pip install pyengine[bench]`); without it only the tables are written.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import clingo

from bench.goals import games, games_together, ratios, start_to_answer
from bench.long import measured
from bench.measure import (
    STAGES,
    Naive,
    across,
    high,
    judging,
    many,
    median,
    milliseconds,
    resolving,
    resolving_many,
    stages,
)
from bench.positions import SIZES, rulings, samples, table
from pyengine.engine import Engine
from pyengine.model import State

BATCHES = (1, 4, 16, 64, 256)
Row = Sequence[object]


def rows(head: Row, body: Iterable[Row]) -> str:
    """A table in Markdown; numbers to two places."""
    lines = ["| " + " | ".join(map(str, head)) + " |"]
    lines.append("|" + "|".join(" --- " if n == 0 else " ---: " for n in range(len(head))) + "|")
    for row in body:
        cells = (f"{cell:.2f}" if isinstance(cell, float) else str(cell) for cell in row)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def model(states: Iterable[State]) -> list[float]:
    """The times of the plain Python model of the tests, where it can be imported."""
    try:
        from tests.model import game
    except ImportError:
        return []
    # of an amount that it does not work out it has no number to compare: TypeError
    known = (game.Unsupported, ValueError, LookupError, TypeError)
    return judging(states, game.judge, known)


def main(argv: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rulings", type=int, default=200, help="how many positions of rulings")
    parser.add_argument("--tables", type=int, default=12, help="how many tables of each size")
    parser.add_argument("--naive", type=int, default=12, help="how many questions the naive way")
    parser.add_argument("--long", type=int, default=10_000, help="how many in one process")
    parser.add_argument("--to", type=Path, default=Path("docs"), help="where to write")
    parser.add_argument("--goals", action="store_true", help="only what is to be reached; no file")
    options = parser.parse_args(argv)
    reached = goals()
    if options.goals:
        print(reached)
        return 0

    judge = Engine()
    every = rulings()
    chosen = every[:: max(1, len(every) // options.rulings)][: options.rulings]
    documents = {n: [table(n, seed) for seed in range(options.tables)] for n in SIZES}
    sets = {"samples": samples(), "rulings": chosen} | {
        f"{n} creatures": [State.from_dict(each) for each in documents[n]] for n in SIZES
    }

    first = milliseconds(lambda: judge.judge(chosen[0]))
    # where the time goes: each table once to warm up, once measured
    parts = []
    for n in SIZES:
        cold = [stages(each) for each in documents[n]]
        warm = [stages(each) for each in documents[n]]
        times = [median([each[stage] for each in warm]) for stage in STAGES]
        new = median([each["slice"] for each in cold])
        parts.append((f"{n} creatures", *times, sum(times), new))

    ones, plot = [], dict[str, list[float]]()
    for name, states in sets.items():
        judging(states, judge.judge)
        sliced = judging(states, judge.judge)
        judging(states, judge.legal_actions)
        listed = judging(states, judge.legal_actions)
        with Naive() as naive:
            whole = judging(states[: options.naive], naive.judge)
        other = model(states)
        ones.append(
            (name, len(states), median(whole), median(sliced), high(sliced), median(listed),
             high(listed), median(other), median(whole) / median(sliced))
        )  # fmt: skip
        if name not in ("samples", "rulings"):
            plot.setdefault("every rule, one question", []).append(median(whole))
            plot.setdefault("sliced, one question", []).append(median(sliced))
            plot.setdefault("sliced, 64 at a time", []).append(many(states * 6, 64))
            if other:
                plot.setdefault("plain Python (tests/model)", []).append(median(other))

    carried = []
    for name in ("rulings", "10 creatures"):
        states = sets[name][:60]
        resolving(states)
        times = resolving(states)
        resolving_many(states)
        carried.append((name, len(times), median(times), high(times), resolving_many(states)))

    together = []
    for name, states in sets.items():
        repeated = (states * (256 // len(states) + 1))[:256]
        together.append((name, *(many(repeated, batch) for batch in BATCHES)))

    spread = [state for name in sets for state in (sets[name] * 20)[:480]]
    processes = across(spread, range(1, (os.cpu_count() or 1) + 1))

    grown = measured(options.long)

    text = "\n\n".join(
        (
            "# Benchmarks",
            f"Made by `python -m bench` with clingo {clingo.__version__}, Python "
            f"{platform.python_version()}. Milliseconds of CPU; compare within a table only.",
            reached,
            f"The first question takes {first:.0f} ms more than others: the rules are parsed and"
            " taken apart.",
            "Every question was asked once before it is timed, so its slice was known; `new slice`"
            " below says what the first of its kind pays for it instead. p99 of fewer than 100"
            " positions is their greatest. Batches are drawn from 256 positions, the same ones"
            " repeated.",
            "## One question: `judge`, `legal_actions`",
            "`every rule`: the whole program in every grounding. `model`: the plain Python of"
            " `tests/model`, on the positions that it knows.",
            rows(("positions", "number", "every rule", "judge", "p99", "legal_actions", "p99",
                  "model", "gain"), ones),
            "## Where the time of `judge` goes",
            "`new slice`: when a position of this kind has not been met before.",
            rows(("positions", *STAGES, "sum", "new slice"), parts),
            "## One question: `resolve`, and `resolve_many`, a question",
            rows(("positions", "number", "median", "p99", "together"), carried),
            "## Many positions: `judge_many`, a position, by the size of the batch",
            rows(("positions", *BATCHES), together),
            f"## Processes: `judge_many(workers=N)`, {len(spread):,} positions, by the clock",
            "`a core`: what each core gives of what one alone does; to be 0.85. Each is a run of a"
            " new process, the start of its workers included. `apart`: what each core gives of"
            " that when processes that were started before have nothing to do with each other, so"
            " what the machine has to give. Other load on the machine counts.",
            rows(("processes", "positions a second", "a core", "apart"), processes),
            f"## {options.long:,} questions in one process",
            "`judge` of positions that never come twice, every fourth time `resolve` of an action,"
            f" with {', '.join(map(str, SIZES[:3]))} creatures. Both level off: what is kept of"
            " questions (slices, terms) has a bound.",
            rows(("questions", "ms each", "MiB held"), grown),
        )
    )  # fmt: skip
    options.to.mkdir(parents=True, exist_ok=True)
    drawn = draw(options.to / "benchmarks.svg", plot)
    if drawn:
        text += "\n\n![Time of a question by the number of creatures](benchmarks.svg)"
    (options.to / "benchmarks.md").write_text(text + "\n", encoding="utf-8")
    print(text)
    return 0


def goals() -> str:
    """The section on what is to be reached."""
    ways = {"by clingo": Engine(), "as functions": Engine(functions=True)}
    body = [[way, *row] for way, judge in ways.items() for row in ratios(judge)]
    played = [(way, *games(judge), games_together(judge)) for way, judge in ways.items()]
    return "\n\n".join(
        (
            "## What is to be reached",
            "Times the plain Python model, which counts at no more than 0.9 ms: `judge` within 5,"
            " `legal_actions` within 4, `judge_many` within 2.5 a position."
            " No position comes twice: `other marks` are the same cards with other wounds, closed,"
            " acted and entered cards and other coins; `other cards` are other tables. The time in"
            " the middle of 25, after five; of `judge_many` the least of three batches of 64."
            " `as functions`: `Engine(functions=True)`, see performance.md.",
            rows(
                (
                    "way",
                    "table",
                    "model",
                    "judge",
                    "times",
                    "legal_actions",
                    "times",
                    "judge_many",
                    "times",
                ),
                body,
            ),
            "Random games of set 22, one core, the legal actions asked before each action;"
            " a second. To be 250 decisions, and 750 with 32 games together.",
            rows(("way", "actions", "decisions", "actions, 32 games together"), played),
            f"A process that starts, judges one position and ends: {start_to_answer():.0f} ms.",
        )
    )


def draw(path: Path, lines: dict[str, list[float]]) -> bool:
    """The plot; False without matplotlib."""
    try:
        importlib.import_module("matplotlib").use("svg")
        pyplot: Any = importlib.import_module("matplotlib.pyplot")
    except ImportError:
        return False
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    for (name, times), mark in zip(lines.items(), "osD^", strict=False):
        axes.plot(SIZES, times, marker=mark, label=name)
    axes.set(xlabel="creatures on the table", ylabel="ms of CPU a question", yscale="log")
    axes.set_xticks(SIZES)
    axes.grid(which="both", alpha=0.3)
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    return True


if __name__ == "__main__":
    raise SystemExit(main())
