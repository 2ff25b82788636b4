"""What one player sees of a position: the same table, with unknown cards in place of the others'.

Unknown to a player are all cards in both decks, the cards in the opponent's hand, and cards that
the opponent controls face down (``hidden``). Each is replaced by an anonymous card:

- its id is ``hidden_<n>``, its name `hidden`, it is marked ``hidden``, and it prints nothing (its
  type is that of a card that needs no values: `spell`, in classic `artifact`);
- of its own it keeps the zone and the owner, so hands and decks are still counted. A card face
  down in play also keeps what lies open there: controller, cell, marks and moments; it is a
  creature of life 1, whatever it is in truth;
- the anonymous cards stand last, those of one hand or deck are equal but for their ids, and the
  known cards are sorted by zone, player, moment and id: the order of the position tells nothing;
- both decks have ``deck_order: unknown``, and nothing on top of them is known;
- an effect on a card in a hand or deck is left out; one whose source is there names no source, and
  one whose ability speaks of such a card speaks of any one there.

Everything else is public and stays as it is: the player's own hand, what is in play, in the
graveyards and reserves, coins, effects, the announced attack, the turn, the result. The ids of
known cards stay too, so that what the player declares can be declared in the whole position. What
was seen earlier (a card that was shown and went back to the hand) is not remembered here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from pyengine.model import ZONES, Card, Effect, Pending, State

NAME = "hidden"


def observed_by(state: State, player: str) -> State:
    """The position as that player sees it; UnknownIdError if there is no such player."""
    state.player(player)
    sides = [id for id, _ in state.players]
    known = [card for card in state.cards if not unknown(card, player)]
    known.sort(key=lambda c: (ZONES.index(c.zone), sides.index(c.controller), c.since, c.id))
    rest = [card for card in state.cards if unknown(card, player)]
    # by what is open for all to see: nothing of a card in a hand or deck is
    rest.sort(key=lambda c: (ZONES.index(c.zone), sides.index(c.owner), *_place(c)))
    ids = _free_ids({card.id for card in known})
    names = {card.id: next(ids) for card in rest}
    return replace(
        state,
        players=tuple(
            (id, replace(p, deck_order="unknown", known_top=0)) for id, p in state.players
        ),
        cards=(*known, *(_anonymous(card, names[card.id], state.edition) for card in rest)),
        effects=tuple(_effects(state, player, names)),
        pending=_pending(state, player, names),
    )


def unknown(card: Card, player: str) -> bool:
    """Whether that player does not know which card it is."""
    if card.zone == "deck":
        return True
    if card.zone == "hand":
        return card.owner != player
    return card.hidden and card.controller != player


def _place(card: Card) -> tuple[int, ...]:
    if card.zone in ("hand", "deck"):
        return ()
    return (*(card.cell or (0, 0)), card.arrived, card.since)


def _free_ids(taken: set[str]) -> Iterator[str]:
    return (id for n in count(1) if (id := f"hidden_{n}") not in taken)


def _anonymous(card: Card, id: str, edition: str) -> Card:
    type_ = "artifact" if edition == "classic" else "spell"
    strike = (0, 0, 0) if edition == "classic" else 0
    blank = Card(
        id, type_, card.owner, card.owner, NAME, strike=strike, zone=card.zone, hidden=True
    )
    if card.zone != "play":
        return blank
    return replace(
        blank,
        type="creature",
        life=1,
        controller=card.controller,
        cell=card.cell,
        closed=card.closed,
        acted=card.acted,
        attacked=card.attacked,
        defended=card.defended,
        entered=card.entered,
        since=card.since,
        arrived=card.arrived,
        moved=card.moved,
        chips=card.chips,
    )


# the terms of an ability that name a card of the position
_NAMED = re.compile(r"\b((?:card|holds)\()([a-z][a-z0-9_]*)")


def _effects(state: State, player: str, names: dict[str, str]) -> Iterator[Effect]:
    cards = {card.id: card for card in state.cards}
    for effect in state.effects:
        bearer, source = cards[effect.card], cards.get(effect.source or "")
        if _away(bearer, player):
            continue
        if source is not None and _away(source, player):
            effect = replace(effect, source=None)

        def named(found: re.Match[str]) -> str:
            return found[1] + (_seen(state, player, names, found[2]) or found[2])

        yield replace(
            effect,
            card=names.get(effect.card, effect.card),
            ability=_NAMED.sub(named, effect.ability),
            source=names.get(effect.source, effect.source) if effect.source else None,
        )


def _pending(state: State, player: str, names: dict[str, str]) -> Pending | None:
    if state.pending is None:
        return None
    attacker, target, defender = (
        _seen(state, player, names, id)
        for id in (state.pending.attacker, state.pending.target, state.pending.defender)
    )
    return Pending(str(attacker), str(target), defender)


def _away(card: Card, player: str) -> bool:
    """Whether nothing is known of a card, not even its place among others."""
    return card.zone in ("hand", "deck") and unknown(card, player)


def _seen(state: State, player: str, names: dict[str, str], id: str | None) -> str | None:
    """What a card is called by that player; None where there is no such card."""
    card = next((card for card in state.cards if card.id == id), None)
    if card is None:
        return None
    if _away(card, player):
        # any of them will do: they are all alike
        same = (c.id for c in state.cards if (c.zone, c.owner) == (card.zone, card.owner))
        return min((names[id] for id in same), key=lambda name: (len(name), name))
    return names.get(card.id, card.id)
