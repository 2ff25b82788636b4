"""What is kept from one question for the next: blocks of facts, kinds of slices, who leaves play."""

from __future__ import annotations

from typing import Any

import pytest

from pyengine import queue, solving
from pyengine.engine import Engine
from pyengine.model import IllegalAction, State
from pyengine.questions import asked_of
from pyengine.slicing import Rounding
from pyengine.solving import LEGAL, Program, program

HEROES: dict[str, Any] = {
    "hero1": {"type": "hero", "life": 25, "owner": "p1"},
    "hero2": {"type": "hero", "life": 25, "owner": "p2"},
}
ORK: dict[str, Any] = {"type": "creature", "strike": 2, "life": 4, "owner": "p1"}


def state(cards: dict[str, Any], **rest: Any) -> State:
    players = {"p1": {"coins": 9}, "p2": {}}
    return State.from_dict({"active": "p1", "players": players, "cards": HEROES | cards, **rest})


def rules() -> Program:
    return program("rules/editions/heroes.lp")


def test_of_a_card_in_the_deck_nothing_is_asked() -> None:
    """Whatever was met before: another position may speak of a card that has this one's id."""
    # slices are rounded up to what was met: only of rules that met nothing else are they the same
    rules = solving._program.__wrapped__("rules/editions/heroes.lp", None, False)
    named = ORK | {"name": "deep", "abilities": ["cannot(attack,card(deep))"]}
    asked_of(state({"other": named, "deep": ORK}))
    far = {
        "zone": "deck",
        "name": "Deep",
        "abilities": ["cannot(attack)", "spell(shot(2,target(creature)))"],
    }
    near = asked_of(state({"ork": ORK}), "judged(p1).")
    more = asked_of(state({"ork": ORK, "deep": ORK | far}), "judged(p1).")
    assert any(fact.startswith("printed(deep,") for block in more.blocks for fact in block.atoms)
    slices = [rules.slice(each, LEGAL) for each in (near, more)]
    looked_at = rules.atoms(more, slices[1])
    assert not any(fact.startswith("printed(deep,") for part in looked_at for fact in part)
    assert len(slices[0]) == len(slices[1])


@pytest.mark.parametrize("zone", ["deck", "graveyard", "reserve", "hand"])
def test_a_card_of_which_something_else_speaks_is_no_card_apart(zone: str) -> None:
    far = f"far_{zone}"
    cards = {"ork": ORK, far: ORK | {"zone": zone, "name": "Far"}}
    apart = {block.cards for block in asked_of(state(cards)).blocks}
    assert frozenset({far}) in apart
    spoken = asked_of(state(cards), f"asked(attack(ork,{far})).")
    assert not any(far in block.cards for block in spoken.blocks)
    named = state({**cards, "elf": ORK | {"abilities": [f"cannot(attack,card({far}))"]}})
    assert not any(far in block.cards for block in asked_of(named).blocks)


def test_a_card_that_has_not_changed_is_not_written_again() -> None:
    first = state({"ork": ORK})
    blocks = [set(asked_of(each).blocks) for each in (first, first)]
    assert len(blocks[0] & blocks[1]) == len(blocks[0])


def test_a_kind_is_rounded_to_a_greater_one_that_is_near() -> None:
    rounding = Rounding(2)
    assert rounding(0b111) == 0b111
    assert rounding(0b011) == 0b111
    assert rounding(0b1) == 0b111
    assert rounding(0b111111) == 0b111111  # nothing greater is known
    assert rounding(0b1001) == 0b1001  # all that is greater is far


def test_who_leaves_play_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[frozenset[str]] = []
    solve = solving.solve

    def counted(*args: Any, **options: Any) -> Any:
        asked.append(frozenset(options["shown"]))
        return solve(*args, **options)

    monkeypatch.setattr(queue, "solve", counted)
    rules().settled.clear()
    calm = state({"ork": ORK})
    Engine().resolve(calm, "end_turn")
    looks = asked.count(frozenset({"settles/1"}))
    assert 0 < looks < len(asked) / 2
    asked.clear()
    Engine().resolve(calm, "end_turn")
    assert frozenset({"settles/1"}) not in asked


def test_a_wound_is_looked_at_again() -> None:
    engine = Engine()
    for wounds, zone in ((3, "play"), (4, "graveyard"), (3, "play")):
        (outcome,) = engine.resolve(state({"ork": ORK | {"wounds": wounds}}), "end_turn")
        assert outcome.state.card("ork").zone == zone


def test_what_was_found_legal_is_carried_out_as_ever() -> None:
    bound = state({"ork": ORK | {"abilities": ["must(attack)"]}, "elf": ORK | {"owner": "p2"}})
    asked, fresh = Engine(), Engine()
    for action in asked.legal_actions(bound):
        assert asked.resolve(bound, action) == fresh.resolve(bound, action)
    with pytest.raises(IllegalAction):
        asked.resolve(bound, "end_turn")
