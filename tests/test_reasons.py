"""Reasons that a ruling cannot name: what must not be among them, and whose ability decides."""

from __future__ import annotations

from typing import Any

import pytest

from pyengine import Engine, LimitError, State, StateError

ENGINE = Engine()
HEROES: dict[str, Any] = {
    "hero1": {"type": "hero", "life": 25, "owner": "p1"},
    "hero2": {"type": "hero", "life": 25, "owner": "p2"},
}


def table(cards: dict[str, Any], **rest: Any) -> State:
    """A state of heroes with both heroes."""
    players = {"p1": {"coins": 9}, "p2": {}}
    return State.from_dict({"active": "p1", "players": players, "cards": HEROES | cards, **rest})


def reasons(state: State, action: str) -> set[tuple[str, str | None]]:
    """Rule and card of each reason."""
    return {(reason.rule, reason.by) for reason in ENGINE.verdict(state, action).because}


@pytest.mark.parametrize(("spent", "beside"), [({}, True), ({"may(attack)": 1}, False)])
def test_524_2_stands_beside_only_a_permission_that_is_left(
    spent: dict[str, int], beside: bool
) -> None:
    state = table(
        {
            "ork": {
                "type": "creature", "strike": 1, "life": 3, "owner": "p1",
                "abilities": ["may(attack)"], "spent": spent,
            },
            "guard": {
                "type": "creature", "strike": 1, "life": 3, "owner": "p2",
                "abilities": ["cannot_be(attack)"],
            },
        }
    )  # fmt: skip
    assert (("524.2", "guard") in reasons(state, "attack(ork,guard)")) is beside


def test_a_granted_ability_is_borne_by_the_card_that_has_it() -> None:
    state = table(
        {
            "banner": {
                "type": "location", "owner": "p2",
                "abilities": ["grant(and(enemy,creature),cannot(attack))"],
            },
            "ork": {"type": "creature", "strike": 1, "life": 3, "owner": "p1"},
        }
    )  # fmt: skip
    assert reasons(state, "attack(ork,hero2)") == {("514.2", "ork")}


def test_a_laid_ability_is_borne_by_its_source() -> None:
    state = table(
        {
            "ork": {"type": "creature", "strike": 1, "life": 3, "owner": "p1"},
            "curse": {"type": "spell", "owner": "p2", "zone": "graveyard"},
        },
        effects=[{"card": "ork", "ability": "cannot(attack)", "source": "curse"}],
    )
    assert reasons(state, "attack(ork,hero2)") == {("514.2", "curse")}


def test_what_goes_round_for_ever_is_said() -> None:
    state = table(
        {
            "bolt": {
                "type": "spell", "cost": 1, "owner": "p1", "zone": "hand",
                "abilities": ["spell(wound(1,target(creature)))"],
            },
            "fool": {
                "type": "creature", "strike": 1, "life": 3, "owner": "p2",
                "abilities": ["on(wounded(any),both(heal(1,self),wound(1,self)))"],
            },
        }
    )  # fmt: skip
    with pytest.raises(LimitError, match="without an end"):
        ENGINE.resolve(state, "play(bolt,fool)")


def test_a_pending_attack_comes_from_the_player_whose_turn_it_is() -> None:
    ork = {"type": "creature", "strike": 1, "life": 3, "owner": "p2"}
    with pytest.raises(StateError) as wrong:
        table({"ork": ork}, pending={"attacker": "ork", "target": "hero1"})
    assert [fault.split(":")[0] for fault in wrong.value.faults] == [
        "pending.attacker",
        "pending.target",
    ]
