"""How long `check` looks, and how that grows: ``python -m bench.consistency``.

For each code that is looked for among all positions of a scope, and each number of cards: the
processor's seconds to "none within the scope", and to the first witness of a fault that is there in
positions of so many cards and in none of fewer. `conflict` and `stuck` are looked for in the
shipped rules and in ones with a fault, `unmeetable` and `tie` among two kinds of cards. `dead`,
`shadowed` and `redundant` are one search, which tells what it has found when it has ended. A search
that the limit ends is told of as undecided. Prints two tables, and writes docs/consistency.svg.
"""

from __future__ import annotations

import argparse
import importlib
import math
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pyengine.audit import Finding, Options, Scope
from pyengine.audit.norms import conflict, stuck, tie, unmeetable
from pyengine.audit.registry import Context, OutOfTime
from pyengine.audit.useless import useless
from pyengine.engine import Engine

# seconds; None: the time limit came first; nan: there is nothing to look for
Times = list[float | None]
_MANY = "#count { I : zone(I, play) }"


@dataclass(frozen=True)
class Row:
    """A search.

    Args:
        name: the codes.
        search: what is gone through.
        file: of the rules or of the cards, in which a fault is seeded.
        fault: the text of the file for a fault whose smallest position has so many cards; None:
            there is no such fault.
        near: cards without the fault, among which nothing is found.
        usual: how much is found among the shipped rules.
    """

    name: str
    search: Callable[[Context], Iterable[Finding]]
    file: str
    fault: Callable[[int], str | None]
    near: Callable[[int], str] | None = None
    usual: int = 0


def _cards(*abilities: str, type: str = "creature") -> str:
    life = ", life: 1" if type == "creature" else ""
    kinds = (
        f"- {{id: kind_{number}, type: {type}{life}, abilities: ['{text}']}}"
        for number, text in enumerate(abilities)
    )
    return "\n".join(["cards:", *kinds, ""])


def _crowd(cards: int, ability: str) -> str:
    return f"while(at_least(count(any),{cards}),{ability})"


def _conflict(cards: int) -> str | None:
    ours = Path("rules.lp").read_text(encoding="utf-8")
    whole = "against(R, A, B, X)  :- forbids(R, A, B, X)."
    assert whole in ours, "our chapter is another now: the fault does not fit"
    few = "against(R, A, B, X) :- forbids(R, A, B, X), {}."
    some = few.format('R != "509.3"') + few.format(f"{_MANY} < {cards}")
    return ours.replace(whole, some) if cards > 2 else None


def _ties(cards: int, second: str) -> str | None:
    """On one of two cards, or on a third; of one moment are only auras that hang on no other."""
    texts = ("grant(creature,is(strike,1))", f"grant(creature,is({second}))")
    types = {2: "creature", 3: "equipment"}
    return _cards(*texts, type=types[cards]) if cards in types else None


_ROWS = (
    Row("stuck", stuck, "defender.lp", lambda n:
        f'spoils("509.1", A, null, rulebook) :- makes(A, pass), {_MANY} >= {n}.'),
    Row("conflict", conflict, "rules.lp", _conflict),
    Row("unmeetable", unmeetable, "cards.yaml",
        lambda n: _cards("must(attack)", _crowd(n, "grant(enemy,cannot(attack))")),
        lambda n: _cards("must(attack)", _crowd(n, "grant(enemy,cannot(defend))"))),
    Row("tie", tie, "cards.yaml", lambda n: _ties(n, "strike,2"),
        lambda n: _ties(min(n, 3), "element,steppe") or ""),
    Row("dead, shadowed, redundant", useless, "twice.lp", lambda n:
        'bars("base.closed", D, C, rulebook) :- D = attack(_), doer(D, C), closed(C), '
        f"{_MANY} >= {n}.", usual=1),
)  # fmt: skip


def seconds(row: Row, options: Options, most: int | None) -> float | None:
    """The seconds of a search to its end, or to so many findings; None: the limit came first."""
    context = Context(options)
    start = time.process_time()
    found = 0
    try:
        for _ in row.search(context):
            found += 1
            if found == most:
                return time.process_time() - start
    except OutOfTime:
        return None
    assert most is None, f"{row.name}: its fault is not found"
    assert not context.left, context.left
    assert found == row.usual, f"{row.name}: {found} found"
    return time.process_time() - start


def _options(file: str, text: str, folder: Path) -> Options:
    """The options with which a text is looked at."""
    (folder / file).write_text(text, encoding="utf-8")
    if file.endswith(".yaml"):
        return Options(cards=str(folder / file), sets=())
    return Options(rules=str(folder))


def measured(row: Row, sizes: Sequence[int], limit: float) -> tuple[Times, Times]:
    """The seconds to "none within the scope" and to the first witness, by the number of cards."""
    ends: Times = []
    firsts: Times = []
    for cards in sizes:
        scope = Scope(cards=cards)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            options = Options()
            if row.near is not None:
                options = _options("near.yaml", row.near(cards), folder)
            options = replace(options, scope=scope)
            _read(row, options)
            options = replace(options, until=time.time() + limit)
            ends.append(seconds(row, options, None))
            fault = row.fault(cards)
            if fault is None:
                firsts.append(math.nan)
                continue
            options = _options(row.file, fault, folder)
            options = replace(options, scope=scope)
            _read(row, options)
            options = replace(options, until=time.time() + limit)
            # what is told of our own rules by themselves is not the fault
            firsts.append(seconds(row, options, 1 + row.usual))
    return ends, firsts


def _read(row: Row, options: Options) -> None:
    """Reads the rules and makes programs of them, an author's anew each time: that is no search."""
    if row.search is useless:  # it makes its programs anew for each size
        Engine(options.rules).program("heroes").slicer  # noqa: B018
    else:
        next(iter(row.search(Context(options))), None)


def table(rows: Sequence[tuple[Row, Times]], sizes: Sequence[int], limit: float) -> str:
    """Markdown: the seconds, and by what a card more multiplies them."""
    lines = [
        f"| code | {' | '.join(f'{n} cards' for n in sizes)} | a card more |",
        f"|---|{'---|' * (len(sizes) + 1)}",
    ]
    for row, times in rows:
        cells = [_cell(spent, limit) for spent in times]
        known = [spent for spent in times if spent is not None and not math.isnan(spent)]
        ratio = (known[-1] / known[0]) ** (1 / max(1, len(known) - 1))
        lines.append(f"| `{row.name}` | {' | '.join(cells)} | × {ratio:.1f} |")
    return "\n".join(lines)


def _cell(spent: float | None, limit: float) -> str:
    if spent is None:
        return f"undecided after {limit:g}"
    if math.isnan(spent):
        return ""
    return f"{spent:.2f}" if spent < 10 else f"{spent:.0f}"


def draw(
    rows: Sequence[tuple[Row, Times, Times]], sizes: Sequence[int], path: Path, limit: float
) -> None:
    """The plot; needs matplotlib."""
    importlib.import_module("matplotlib").use("svg")
    pyplot: Any = importlib.import_module("matplotlib.pyplot")
    pyplot.rcParams["svg.hashsalt"] = "pyengine"
    figure, both = pyplot.subplots(1, 2, figsize=(9, 4.5), sharey=True)
    titles = ("to “none within the scope”", "to the first witness of so many cards")
    for place, (axes, title) in enumerate(zip(both, titles, strict=True)):
        for (row, *times), mark in zip(rows, "osD^v", strict=False):
            points = [
                (n, t)
                for n, t in zip(sizes, times[place], strict=True)
                if t is not None and not math.isnan(t)
            ]
            axes.semilogy(*zip(*points, strict=True), f"{mark}-", label=row.name)
        axes.axhline(limit, linestyle=":", color="grey")
        axes.set(xlabel="cards of the scope", title=title)
        axes.set_xticks(sizes)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.grid(which="both", alpha=0.3)
    both[0].set_ylabel("seconds of the processor")
    both[0].annotate(
        "the time limit", (sizes[0], limit), textcoords="offset points", xytext=(0, -12)
    )
    figure.legend(
        *both[0].get_legend_handles_labels(), loc="lower center", ncols=len(rows), frameon=False
    )
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main(argv: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.consistency", description=__doc__)
    parser.add_argument("--most", type=int, default=6, help="cards")
    parser.add_argument("--limit", type=float, default=120, help="seconds of one search")
    parser.add_argument(
        "--to", type=Path, default=Path("docs/consistency.svg"), help="where to draw"
    )
    given = parser.parse_args(argv)
    sizes = range(2, given.most + 1)
    rows = [(row, *measured(row, sizes, given.limit)) for row in _ROWS]
    print("seconds to “none within the scope”\n")
    print(table([(row, ends) for row, ends, _ in rows], sizes, given.limit))
    print("\nseconds to the first witness of a fault that needs so many cards\n")
    print(table([(row, firsts) for row, _, firsts in rows], sizes, given.limit))
    draw(rows, sizes, given.to, given.limit)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
