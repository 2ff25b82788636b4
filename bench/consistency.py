"""How long `check` looks: to the first witness of a seeded fault, and to "none within the scope".

    python -m bench.consistency [--most 6] [--effects 0]

For each number of cards the processor's seconds of one search, the making of its program apart.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from pyengine.audit import Options, Scope
from pyengine.audit.norms import rules_menu
from pyengine.audit.positions import Quest, Shown, audited
from pyengine.audit.registry import Context

# a rule set in which a conflict needs three cards: nobody is kept from defending twice
FAULT = ("against(R, A, B, X)  :- forbids(R, A, B, X).",
         'against(R, A, B, X)  :- forbids(R, A, B, X), R != "509.3".')  # fmt: skip


def seconds(context: Context, code: str, first: bool) -> tuple[float, int]:
    """The seconds of a search, to its first witness or to its end, and how many it found."""
    menu = rules_menu(context)
    if context.scope.effects:
        menu = replace(menu, effects=menu.abilities)
    audited(context.edition, context.folder, (code,), True).slicer  # noqa: B018 (made beforehand)
    quest = Quest(context, code, (code,), menu, _believed)
    start = time.process_time()
    found = 0
    for _ in quest.faults():
        found += 1
        if first:
            break
    return time.process_time() - start, found


def _believed(shown: Shown) -> bool:
    return True


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=int, default=6)
    parser.add_argument("--effects", type=int, default=0)
    given = parser.parse_args()
    rules = Path("rules.lp").read_text(encoding="utf-8")
    assert FAULT[0] in rules
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rules.lp").write_text(rules.replace(*FAULT), encoding="utf-8")
        print("| cards | stuck: none | conflict: none | conflict: first witness |")
        print("|---|---|---|---|")
        for cards in range(2, given.most + 1):
            scope = Scope(cards=cards, effects=given.effects)
            cells = []
            for code in ("stuck", "conflict"):
                took, found = seconds(Context(Options(scope=scope)), code, False)
                assert not found
                cells.append(f"{took:.1f} s")
            faulty = Context(Options(scope=scope, rules=folder))
            took, found = seconds(faulty, "conflict", True)
            cells.append(f"{took:.1f} s" if found else "none")
            print(f"| {cards} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
