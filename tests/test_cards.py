"""The cards: which are complete, and what the others wait for (docs/cards.md)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pyengine import Engine, State
from pyengine.kinds import Kind, catalogue
from pyengine.terms import check

PAGE = Path(__file__).parent.parent / "docs" / "cards.md"
REAL = sorted((kind for kind in catalogue().values() if not kind.created), key=lambda kind: kind.id)
COMPLETE = [kind for kind in REAL if not kind.waits_for]


def page() -> str:
    """What docs/cards.md has to say."""
    lines = [
        "# The cards",
        "",
        f"Of {len(REAL)} real cards {len(COMPLETE)} are complete: every ability that they print is",
        "expressed, and the engine carries it out. The others are listed with what they wait for;",
        "in a position they have none of their abilities.",
        "",
        "This page is written by `PYENGINE_UPDATE=1 python -m pytest tests/test_cards.py`.",
        "",
        "| card | name | waits for |",
        "|---|---|---|",
    ]
    for kind in REAL:
        if kind.waits_for:
            lines.append(f"| `{kind.id}` | {kind.name('en')} | {'; '.join(kind.waits_for)} |")
    return "\n".join(lines) + "\n"


def test_the_page_is_up_to_date() -> None:
    if os.environ.get("PYENGINE_UPDATE"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_most_cards_are_complete() -> None:
    assert len(REAL) >= 200 and len(COMPLETE) >= 180


@pytest.mark.parametrize("kind", COMPLETE, ids=lambda kind: kind.id)
def test_every_ability_is_a_term(kind: Kind) -> None:
    assert [fault for ability in kind.abilities for fault in check(ability)] == []


@pytest.mark.parametrize("half", [0, 1])
def test_a_position_with_every_card_can_be_judged(half: int) -> None:
    """Half of them at a time in hands and in play: nothing makes clingo say anything."""
    cards = {
        "one": {"type": "hero", "life": 25, "owner": "p1"},
        "two": {"type": "hero", "life": 25, "owner": "p2"},
    }
    for place, kind in enumerate(COMPLETE):
        if kind.type != "hero" and place % 2 == half:
            zone = "hand" if kind.type == "spell" else "play"
            cards[f"c{place}"] = {"kind": kind.id, "owner": f"p{1 + place % 3 % 2}", "zone": zone}
    players = {"p1": {"coins": 10, "coins_total": 10}, "p2": {}}
    state = State.from_dict({"turn": 9, "active": "p1", "players": players, "cards": cards})
    assert Engine().judge(state)
