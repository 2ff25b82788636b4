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

from dataclasses import fields, replace
from typing import Any

from pyengine.model import State
from tests.model import outcomes as _outcomes
from tests.model.legality import Law, Reasons
from tests.model.outcomes import require
from tests.model.terms import Unsupported

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


def carries_out(state: State, action: str) -> bool:
    """Whether the model says what comes of a declaration, too many orders of prevention apart."""
    try:
        require(state, action)
    except Unsupported:
        return False
    return True


# The keys of cards, players and effects in CONTRACT 1; whatever a State notes beside them is the
# engine's own affair and has its default here.
CONTRACT = """coins coins_total missed deck_order id kind name type classes element cost strike life
    abilities owner controller zone wounds extra_life closed acted defended entered since spent
    hidden cell arrived movement moved chips card ability source until"""


def plain(thing: Any) -> Any:
    """A card, player or effect without what goes beyond the contract."""
    named = CONTRACT.split()
    extra = {each.name: each.default for each in fields(thing) if each.name not in named}
    return replace(thing, **extra) if extra else thing


def canonical(state: State) -> tuple[Any, ...]:
    """The state as a value that does not depend on the order of cards and effects.

    When a card came into play is forgotten once it has left.
    """
    cards = (
        card if card.zone == "play" else replace(card, entered=0, since=0) for card in state.cards
    )
    return (
        state.edition, state.active, state.turn, state.phase, state.result, state.pending,
        tuple((id, plain(player)) for id, player in sorted(state.players, key=repr)),
        tuple(sorted(map(plain, cards), key=lambda card: card.id)),
        tuple(sorted(map(plain, state.effects), key=repr)),
    )  # fmt: skip


__all__ = [
    "Judged",
    "Unsupported",
    "candidates",
    "canonical",
    "carries_out",
    "judge",
    "outcomes",
    "require",
    "why",
]
