"""The model: which declarations of a `heroes` state are legal, why not, and what they bring about.

>>> from tests.model.documents import state_of
>>> state = state_of({
...     "active": "p1", "players": {"p1": {}, "p2": {}},
...     "cards": {
...         "ork": {"type": "creature", "strike": 3, "life": 4, "owner": "p1"},
...         "hero": {"type": "hero", "life": 9, "owner": "p2"},
...         "guard": {"type": "creature", "life": 4, "owner": "p2", "closed": True,
...                   "abilities": ["lure(attack,enemy)"]},
...     },
... })
>>> candidates(state)
['attack(ork,guard)', 'attack(ork,hero)', 'end_turn']
>>> judge(state)["attack(ork,hero)"]
(False, frozenset({('514.1', 'guard')}))
>>> [end.card("guard").wounds for end in outcomes(state, "attack(ork,guard)")]
[3]
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pyengine.model import State
from tests.model import outcomes as _outcomes
from tests.model.documents import Unsupported
from tests.model.legality import Law, Reasons

Judged = tuple[bool, Reasons]


def candidates(state: State) -> list[str]:
    """Every declaration that is judged, sorted by its text."""
    return sorted(each.text for each in Law(state).candidates())


def judge(state: State) -> dict[str, Judged]:
    """The verdict on every candidate: whether it is legal, else every (rule, by) against it."""
    return {text: (not against, against) for text, against in Law(state).table().items()}


def why(state: State, action: str) -> Judged:
    """The verdict on any well-formed declaration, candidate or not."""
    against = Law(state).verdict(action)
    return not against, against


def outcomes(state: State, action: str) -> list[State]:
    """Every different state that a legal declaration can lead to; Unsupported: not modelled."""
    found = {canonical(end): end for end in _outcomes.outcomes(state, action)}
    return [found[key] for key in sorted(found, key=repr)]


def canonical(state: State) -> tuple[Any, ...]:
    """The state as a value that does not depend on the order of cards and effects.

    It holds what CONTRACT 1 names; when a card came into play is forgotten once it has left.
    """
    cards = (
        card if card.zone == "play" else replace(card, entered=0, since=0) for card in state.cards
    )
    return (
        state.edition, state.active, state.turn, state.phase, state.result, state.pending,
        tuple(
            (id, player.coins, player.coins_total, player.missed, player.deck_order)
            for id, player in sorted(state.players)
        ),
        tuple(sorted(cards, key=lambda card: card.id)),
        tuple(sorted(state.effects, key=repr)),
    )  # fmt: skip


__all__ = ["Judged", "Unsupported", "candidates", "canonical", "judge", "outcomes", "why"]
