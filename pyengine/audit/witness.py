"""Smallest witnesses: a position from which nothing can be taken away and still show the fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from pyengine.model import Card, Player, State, StateError

Holds = Callable[[State], bool]

_LEFT_ALONE = {
    "id", "type", "owner", "controller", "name", "kind", "zone", "life", "abilities", "cell",
    "movement",
}  # fmt: skip
_CARD_DEFAULTS: dict[str, Any] = {
    item.name: item.default for item in fields(Card) if item.name not in _LEFT_ALONE
}
_OF_KIND = {"classes", "element", "cost", "strike"}


def smaller(state: State) -> Iterator[State]:
    """The positions with one card, effect, ability or mark less, in a fixed order.

    What a kind of card prints is left alone; a card without a kind loses printed values too.
    """
    for card in reversed(state.cards):
        yield _without(state, card)
    for place in reversed(range(len(state.effects))):
        kept = (*state.effects[:place], *state.effects[place + 1 :])
        yield replace(state, effects=kept)
    if state.pending is not None and state.pending.defender is not None:
        yield replace(state, pending=replace(state.pending, defender=None))
    if state.pending is not None:
        yield replace(state, pending=None)
    for place, card in enumerate(state.cards):
        for plainer in _plainer(card, state.edition):
            yield replace(state, cards=(*state.cards[:place], plainer, *state.cards[place + 1 :]))
    plain = Player()
    for place, (id, player) in enumerate(state.players):
        for item in fields(Player):
            default = getattr(plain, item.name)
            if item.name == "coins_total":
                default = player.coins
            if getattr(player, item.name) != default:
                changed = replace(player, **{item.name: default})
                yield replace(
                    state,
                    players=(*state.players[:place], (id, changed), *state.players[place + 1 :]),
                )
    for place, effect in enumerate(state.effects):
        changes: tuple[dict[str, Any], ...] = ({"source": None}, {"spent": 0}, {"until": "leaves"})
        for change in changes:
            ((key, value),) = change.items()
            if getattr(effect, key) != value:
                changed_effect = replace(effect, **change)
                kept = (*state.effects[:place], changed_effect, *state.effects[place + 1 :])
                yield replace(state, effects=kept)


def _without(state: State, card: Card) -> State:
    effects = tuple(
        replace(effect, source=None) if effect.source == card.id else effect
        for effect in state.effects
        if effect.card != card.id
    )
    pending = state.pending
    if pending is not None and card.id in (pending.attacker, pending.target):
        pending = None
    elif pending is not None and card.id == pending.defender:
        pending = replace(pending, defender=None)
    return replace(
        state,
        cards=tuple(other for other in state.cards if other is not card),
        effects=effects,
        pending=pending,
    )


def _plainer(card: Card, edition: str) -> Iterator[Card]:
    if card.kind is None:
        for place in reversed(range(len(card.abilities))):
            kept = (*card.abilities[:place], *card.abilities[place + 1 :])
            yield replace(card, abilities=kept)
    for name, default in _CARD_DEFAULTS.items():
        if name == "strike" and edition == "classic":
            default = (0, 0, 0)
        if getattr(card, name) == default or (card.kind is not None and name in _OF_KIND):
            continue
        yield replace(card, **{name: default})


def sound(state: State) -> bool:
    """Whether it is a position that could be loaded."""
    try:
        State.from_dict(state.to_dict())
    except StateError:
        return False
    return True


def minimised(state: State, holds: Holds) -> State:
    """A position that still holds, of which none that is one thing smaller does.

    The same position always comes of the same one: what can go goes in the order of ``smaller``.
    """
    going = True
    while going:
        going, place = False, 0
        while (less := next(islice(smaller(state), place, None), None)) is not None:
            if sound(less) and holds(less):
                state, going = less, True  # what stood before this place was needed already
            else:
                place += 1
    return state
