"""How long `check` looks: to the first witness of a seeded fault, and to "none within the scope".

    python -m bench.consistency [--most 6] [--effects 0] [--surveys 4]

For each code that is looked for among all positions of a scope, and each number of cards, the
processor's seconds of its search; the making of the program, which all searches share, apart.
`conflict` and `stuck` are looked for in the shipped rules, `unmeetable` and `tie` among cards that
almost have the fault. `dead`, `shadowed` and `redundant` are one search, which is gone through up
to ``--surveys`` cards.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from pyengine.audit import Finding, Options, Scope
from pyengine.audit.norms import conflict, stuck, tie, unmeetable
from pyengine.audit.registry import Context
from pyengine.audit.useless import useless
from pyengine.engine import Engine


@dataclass(frozen=True)
class Fault:
    """What is changed or added for a fault to be there, and of how many cards its position is.

    Args:
        file: of the rules or of the cards.
        text: of the file; if it is two, of ours with the second in the place of the first.
        cards: of the smallest position that shows it.
    """

    file: str
    text: str | tuple[str, str]
    cards: int


@dataclass(frozen=True)
class Row:
    """A search.

    Args:
        name: the codes.
        search: what is gone through.
        fault: one that it finds.
        near: cards without it, among which it finds nothing.
        usual: how much it finds among the shipped rules.
    """

    name: str
    search: Callable[[Context], Iterable[Finding]]
    fault: Fault
    near: str = ""
    usual: int = 0


def _cards(*abilities: str) -> str:
    kinds = (
        f"- {{id: kind_{number}, type: creature, life: 1, abilities: ['{text}']}}"
        for number, text in enumerate(abilities)
    )
    return "\n".join(["cards:", *kinds, ""])


_ROWS = (
    Row("stuck", stuck, Fault(
        "defender.lp", 'spoils("509.1", A, null, rulebook) :- makes(A, pass).', 2)),
    Row("conflict", conflict, Fault("rules.lp", (
        "against(R, A, B, X)  :- forbids(R, A, B, X).",
        'against(R, A, B, X)  :- forbids(R, A, B, X), R != "509.3".'), 3)),
    Row("unmeetable", unmeetable,
        Fault("cards.yaml", _cards("must(attack)", "grant(enemy,cannot(attack))"), 2),
        _cards("must(attack)", "grant(enemy,cannot(defend))")),
    Row("tie", tie,
        Fault("cards.yaml", _cards(
            "grant(creature,is(strike,1))", "grant(creature,is(strike,2))"), 2),
        _cards("grant(creature,is(strike,1))", "grant(creature,is(element,steppe))")),
    Row("dead, shadowed, redundant", useless, Fault(
        "twice.lp", 'bars("base.closed", D, C, rulebook) :- D = attack(_), doer(D, C), closed(C).',
        1), usual=1),
)  # fmt: skip


def seconds(row: Row, options: Options, first: bool) -> tuple[float, int]:
    """The seconds of a search, to what is found first or to its end, and how much it found."""
    context = Context(options)
    if row.search is not useless:  # which makes its program anew for each size
        scope = replace(options.scope, cards=row.fault.cards)
        next(iter(row.search(Context(replace(options, scope=scope)))), None)
    start = time.process_time()
    found = 0
    for _ in row.search(context):
        found += 1
        if first:
            break
    return time.process_time() - start, found


def near(row: Row, folder: Path) -> Options:
    """The options with which a search finds nothing new."""
    if not row.near:
        return Options()
    (folder / "near.yaml").write_text(row.near, encoding="utf-8")
    return Options(cards=str(folder / "near.yaml"), sets=())


def seeded(fault: Fault, folder: Path) -> Options:
    """The options with which a fault is met."""
    text = fault.text
    if isinstance(text, tuple):
        ours = Path(fault.file).read_text(encoding="utf-8")
        assert text[0] in ours, "our chapter is another now: the fault does not fit"
        text = ours.replace(*text)
    (folder / fault.file).write_text(text, encoding="utf-8")
    if fault.file.endswith(".yaml"):
        return Options(cards=str(folder / fault.file), sets=())
    return Options(rules=str(folder))


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=6)
    parser.add_argument("--effects", type=int, default=0)
    parser.add_argument("--surveys", type=int, default=4)
    given = parser.parse_args()
    Engine().check(only=("stuck",), scope=Scope(cards=1))  # what is read once is read
    sizes = range(2, given.most + 1)
    print(f"| code | {' | '.join(f'{n} cards' for n in sizes)} | a card more | first witness |")
    print(f"|---|{'---|' * (len(sizes) + 2)}", flush=True)
    for row in _ROWS:
        last = min(given.most, given.surveys) if row.search is useless else given.most
        if last < 2:
            continue
        with tempfile.TemporaryDirectory() as folder:
            options = near(row, Path(folder))
            took = []
            for cards in range(2, last + 1):
                scope = Scope(cards=cards, effects=given.effects)
                spent, found = seconds(row, replace(options, scope=scope), False)
                assert found == row.usual, f"{row.name}: {found} found"
                took.append(spent)
            options = seeded(row.fault, Path(folder))
            scope = Scope(effects=given.effects)
            first, found = seconds(row, replace(options, scope=scope), True)
            assert found, f"{row.name}: its fault is not found"
        ratio = (took[-1] / took[0]) ** (1 / max(1, len(took) - 1))
        cells = [f"{spent:.2g}" if spent < 10 else f"{spent:.0f}" for spent in took] + [
            "" for _ in sizes[len(took) :]
        ]
        told = f"× {ratio:.1f} | {first:.2g} ({row.fault.cards} cards)"
        print(f"| `{row.name}` | {' | '.join(cells)} | {told} |", flush=True)


if __name__ == "__main__":
    main()
