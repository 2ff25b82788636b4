"""Chance: the dice of classic and the draw from a shuffled deck, and in how many ways they fall."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from pyengine.engine import Engine
from pyengine.model import Outcome, State


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def board(attacker: dict[str, Any], foe: dict[str, Any]) -> State:
    """Two cards on neighbouring cells; the first is about to strike."""
    card = {"type": "creature", "life": 19, "strike": [1, 2, 4]}
    return State.from_dict(
        {
            "edition": "classic",
            "active": "p1",
            "players": {"p1": {}, "p2": {}},
            "cards": {
                "a": {**card, "owner": "p1", "cell": [3, 3], **attacker},
                "foe": {**card, "owner": "p2", "cell": [3, 4], **foe},
            },
        }
    )


def wounds(outcome: Outcome) -> tuple[int, int]:
    """The wounds of the attacker and of its foe."""
    return outcome.state.card("a").wounds, outcome.state.card("foe").wounds


def ways(outcomes: list[Outcome]) -> Counter[tuple[int, int]]:
    """The ways of each pair of wounds."""
    return Counter({wounds(each): each.ways for each in outcomes})


def test_one_die(engine: Engine) -> None:
    found = ways(engine.resolve(board({}, {"closed": True}), "strike(a,foe)"))
    assert found == {(0, 1): 3, (0, 2): 2, (0, 4): 1}


def test_two_dice(engine: Engine) -> None:
    """Each row of the table, with the throws that a step down brings to it."""
    found = ways(engine.resolve(board({}, {"strike": [5, 6, 8]}), "strike(a,foe)"))
    assert found == {
        (0, 4): 1,  # 5 and more
        (5, 4): 2,  # 4
        (0, 2): 3 + 2,  # 3, and 4 stepped down
        (5, 2): 4,  # 2
        (0, 1): 5 + 4 + 5 + 4,  # 1, equal up to 4, -1, and 2 stepped down
        (0, 0): 4,  # -2
        (5, 0): 3 + 2 + 2,  # -3, equal from 5, and -4 stepped down
        (6, 1): 2,  # -4
        (6, 0): 1,  # -5 and less
    }


def test_a_choice_adds_no_ways(engine: Engine) -> None:
    """Where a step down changes nothing the throw counts once."""
    state = board({"strike": [1, 1, 1]}, {"strike": [0, 0, 0]})
    assert ways(engine.resolve(state, "strike(a,foe)")) == {(0, 1): 26, (0, 0): 12}


def test_who_throws_and_who_chooses(engine: Engine) -> None:
    outcomes = engine.resolve(board({}, {"strike": [5, 6, 8]}), "strike(a,foe)")
    by_wounds = {wounds(each): each for each in outcomes}
    throw, step = by_wounds[5, 4].choices
    assert (throw.player, throw.rule, throw.chosen) == (None, "base.strike", "dice(4)")
    assert len(throw.options) == 12
    assert (step.player, step.options) == ("p1", ("blows(medium,miss)", "blows(strong,weak)"))
    assert by_wounds[6, 1].choices[1].player == "p2"
    assert [each.player for each in by_wounds[0, 0].choices] == [None]


def test_the_draws_of_a_shuffled_deck(engine: Engine) -> None:
    """Two of the cards a, a, b: in six ways, two of which are a and a."""
    state = State.from_dict(
        {
            "active": "p1",
            "players": {"p1": {"deck_order": "unknown"}, "p2": {}},
            "cards": {
                "h1": {"type": "hero", "life": 9, "owner": "p1"},
                "h2": {"type": "hero", "life": 9, "owner": "p2"},
                "spell": {
                    "type": "spell",
                    "owner": "p1",
                    "zone": "hand",
                    "abilities": ["spell(draw(2))"],
                },
                **{
                    id: {
                        "type": "creature",
                        "name": id[0],
                        "life": 1,
                        "owner": "p1",
                        "zone": "deck",
                    }
                    for id in ("a1", "a2", "b1")
                },
            },
        }
    )
    outcomes = engine.resolve(state, "play(spell)")
    found = {
        tuple(sorted(card.name for card in each.state.cards if card.zone == "hand")): each.ways
        for each in outcomes
    }
    assert found == {("a", "a"): 2, ("a", "b"): 4}
    assert all(choice.player is None for each in outcomes for choice in each.choices)


def test_without_chance_there_is_one_way(engine: Engine) -> None:
    assert [each.ways for each in engine.resolve(board({}, {}), "end_turn")] == [1]
