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
>>> sorted(judge(state))
['attack(ork,guard)', 'attack(ork,hero)', 'end_turn']
>>> judge(state)["attack(ork,hero)"]
(False, frozenset({('514.1', 'guard')}))
>>> [end.card("guard").wounds for end in outcomes(state, "attack(ork,guard)")]
[3]
"""

from __future__ import annotations

from pyengine.model import State
from tests.model import outcomes as _outcomes
from tests.model.legality import Law, Reasons
from tests.model.terms import Unsupported

Judged = tuple[bool, Reasons]


def judge(state: State) -> dict[str, Judged]:
    """The verdict on every candidate: whether it is legal, else every (rule, by) against it."""
    return {text: (not against, against) for text, against in Law(state).table().items()}


def why(state: State, action: str) -> Judged:
    """The verdict on any well-formed declaration, candidate or not."""
    against = Law(state).verdict(action)
    return not against, against


def outcomes(state: State, action: str) -> list[State]:
    """Every different state that a legal declaration can lead to; Unsupported: not modelled."""
    return sorted(_outcomes.outcomes(state, action), key=repr)


def carries_out(state: State, action: str) -> bool:
    """Whether the model says what comes of a declaration."""
    try:
        _outcomes.outcomes(state, action)
    except Unsupported:
        return False
    return True
