"""Runs a ruling (CONTRACT 7) on the model: what it says against what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyengine.model import State
from tests.model.documents import canonical, state_of
from tests.model.game import outcomes, why
from tests.model.terms import Unsupported

DEFAULTS: dict[str, Any] = {
    "coins": 0, "coins_total": 0, "missed": 0, "deck_order": "known", "wounds": 0,
    "extra_life": 0, "closed": False, "acted": False, "defended": False, "entered": 0,
    "since": 0, "spent": {}, "hidden": False, "cell": None, "arrived": 0, "moved": 0,
    "chips": 0, "zone": "play", "result": None, "pending": None, "effects": [], "phase": "main",
    "turn": 1, "source": None, "until": "leaves", "defender": None, "cost": 0, "strike": 0,
    "class": [], "element": [], "abilities": [],
}  # fmt: skip


def document_of(state: State) -> dict[str, Any]:
    """The whole state as plain data, with every key."""

    def plain(thing: Any) -> dict[str, Any]:
        return {key: getattr(thing, key) for key in thing.__slots__}

    cards = {}
    for card in state.cards:
        shown = plain(card)
        shown["class"] = list(shown.pop("classes"))
        shown["spent"] = dict(card.spent)
        shown["element"], shown["abilities"] = list(card.element), list(card.abilities)
        cards[card.id] = shown
    return {
        "edition": state.edition, "turn": state.turn, "active": state.active,
        "phase": state.phase, "result": state.result, "cards": cards,
        "players": {id: plain(player) for id, player in state.players},
        "effects": [plain(effect) for effect in state.effects],
        "pending": plain(state.pending) if state.pending else None,
    }  # fmt: skip


def contains(expected: Any, actual: Any) -> bool:
    """Whether a partial state matches: by containment, absent keys having their defaults."""
    if isinstance(expected, Mapping):
        if not isinstance(actual, Mapping):
            return False
        if not expected and actual:
            return False  # `spent: {}` says that nothing is noted
        return all(contains(v, actual.get(k, DEFAULTS.get(k, 0))) for k, v in expected.items())
    if isinstance(expected, Sequence) and expected and isinstance(expected[0], Mapping):
        return isinstance(actual, Sequence) and all(
            any(contains(each, other) for other in actual) for each in expected
        )
    if isinstance(expected, tuple | list):
        return list(expected) == list(actual)
    return bool(expected == actual)


def assigned(expected: list[Any], actual: list[Any]) -> bool:
    """Whether expected and actual outcomes match by some one-to-one assignment."""
    if len(expected) != len(actual):
        return False
    if not expected:
        return True
    return any(
        contains(expected[0], other) and assigned(expected[1:], actual[:n] + actual[n + 1 :])
        for n, other in enumerate(actual)
    )


# what CONTRACT 1 knows nothing of
_COUNTED = {"attacks", "drawn", "known_top"}


def _told_of_players(end: dict[str, Any]) -> set[str]:
    return {key for player in end.get("players", {}).values() for key in player}


def run(ruling: dict[str, Any]) -> list[str]:
    """What the model says otherwise than the ruling; Unsupported if it does not speak of it."""
    if {"deck", "opening", "sight"} & set(ruling):
        raise Unsupported("how a deck is built, how a game begins, what a player sees")
    if "file" in ruling["state"]:
        raise Unsupported("a state in another file")
    state, faults = state_of(ruling["state"]), []
    for text in ruling.get("legal", ()):
        legal, reasons = why(state, canonical(text))
        if not legal:
            faults.append(f"{text}: expected legal, the model says {sorted(reasons, key=str)}")
    for text, rules in ruling.get("illegal", {}).items():
        _, reasons = why(state, canonical(text))
        missing = set(rules) - {rule for rule, _ in reasons}
        if missing or not reasons:
            faults.append(f"{text}: expected {rules}, the model says {sorted(reasons, key=str)}")
    unknown = []
    for each in ruling.get("resolve", ()):
        try:
            if _COUNTED & {key for end in each["outcomes"] for key in _told_of_players(end)}:
                raise Unsupported("what a player has done this turn")
            ends = [document_of(end) for end in outcomes(state, canonical(each["action"]))]
        except Unsupported as why_not:
            unknown.append(str(why_not))
            continue
        if not assigned(each["outcomes"], ends):
            faults.append(f"{each['action']}: expected {each['outcomes']}, the model says {ends}")
    if len(unknown) == len(ruling.get("resolve", ())) and not {"legal", "illegal"} & set(ruling):
        raise Unsupported("; ".join(unknown))
    return faults
