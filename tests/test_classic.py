"""Classic against a small model of its own: who moves, who strikes, who dies on an occupied cell."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from pyengine.engine import Engine
from pyengine.model import Card, State

SEEDS = range(30)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def position(seed: int) -> State:
    """A crowded corner of the board, without abilities."""
    dice = random.Random(seed)
    cells = [[x, y] for x in (1, 2, 3) for y in (1, 2, 3)]
    cards: dict[str, Any] = {}
    for number in range(dice.randint(2, 9)):
        kind = dice.choice(["creature"] * 6 + ["artifact", "equipment", "symbiote"])
        cards[f"c{number}"] = {
            "type": kind,
            "owner": dice.choice(["p1", "p2"]),
            "life": 9,
            "strike": [1, 2, 3],
            "movement": dice.randint(0, 2),
            "moved": dice.randint(0, 1),
            "cell": dice.choice(cells),
            "arrived": dice.randint(0, 3),
            "closed": dice.random() < 0.3,
            "acted": dice.random() < 0.1,
        }
    return State.from_dict(
        {
            "edition": "classic",
            "active": "p1",
            "players": {"p1": {}, "p2": {}},
            "cards": cards,
        }
    )


def takes_room(card: Card) -> bool:
    return card.zone == "play" and card.type in ("creature", "artifact")


def place(card: Card) -> tuple[int, int]:
    assert card.cell is not None
    return card.cell


def moves(state: State) -> Iterator[str]:
    full = {place(card) for card in state.cards if takes_room(card)}
    for card in state.cards:
        if card.owner == "p1" and card.type == "creature" and not card.closed:
            x, y = place(card)
            if card.moved < card.movement:
                for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if cell not in full and 1 <= cell[0] <= 5 and 1 <= cell[1] <= 6:
                        yield f"move({card.id},{cell[0]},{cell[1]})"


def strikes(state: State) -> Iterator[str]:
    for card in state.cards:
        if card.owner == "p1" and card.type == "creature" and not card.closed and not card.acted:
            for foe in state.cards:
                (x, y), (u, v) = place(card), place(foe)
                if (
                    foe.owner == "p2"
                    and foe.type != "equipment"
                    and max(abs(x - u), abs(y - v)) == 1
                ):
                    yield f"strike({card.id},{foe.id})"


def late(cards: Iterable[Card]) -> set[str]:
    """The cards of p1 that share a cell and came later than another card on it."""
    room = [card for card in cards if takes_room(card)]
    return {
        card.id
        for card in room
        for other in room
        if card.owner == "p1" and place(card) == place(other) and other.arrived < card.arrived
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_legal(engine: Engine, seed: int) -> None:
    state = position(seed)
    expected = {"end_turn", *moves(state), *strikes(state)}
    assert {str(action) for action in engine.legal_actions(state)} == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_every_candidate_has_a_reason(engine: Engine, seed: int) -> None:
    verdicts = engine.judge(position(seed))
    assert all(verdict.because for verdict in verdicts)


@pytest.mark.parametrize("seed", SEEDS)
def test_who_dies_on_an_occupied_cell(engine: Engine, seed: int) -> None:
    """Whatever is declared, the later cards die, unless one of them is moved off."""
    state = position(seed)
    owed = late(state.cards)
    dice = random.Random(seed)
    legal = sorted(moves(state))
    for text in ["end_turn", *dice.sample(legal, min(3, len(legal)))]:
        (outcome,) = engine.resolve(state, text)
        mover = text.partition("(")[2].partition(",")[0]
        after = [outcome.state.card(c.id) if c.id == mover else c for c in state.cards]
        expected = set() if mover in owed else owed & late(after)
        dead = {
            card.id
            for card in outcome.state.cards
            if card.zone == "graveyard" and card.type in ("creature", "artifact")
        }
        assert dead == expected, text
        assert outcome.ways == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_every_throw_counts(engine: Engine, seed: int) -> None:
    """6 throws where the target does not fight, 36 where it does; a step down adds to no others."""
    state = position(seed)
    for text in sorted(strikes(state))[:1]:
        foe = state.card(text.partition(",")[2].rstrip(")"))
        ways = sum(outcome.ways for outcome in engine.resolve(state, text))
        if foe.closed or foe.type != "creature":
            assert ways == 6
        else:
            assert ways >= 36
