"""What one player sees of a position: the same table, with unknown cards in place of the others'.

Which cards are unknown to a player the rules say (rules/sight.lp): all in both decks, those in the
opponent's hand, and what the opponent controls face down. Each is replaced by an anonymous card:

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
from functools import lru_cache
from itertools import count

from pyengine.engine import Engine
from pyengine.model import ZONES, Card, Effect, Pending, Player, Sight, State

NAME = "hidden"


def observed_by(state: State, player: str, engine: Engine | None = None) -> State:
    """The position as that player sees it; UnknownIdError if there is no such player.

    ``engine``: whose rules say what is seen; None: ours.
    """
    state.player(player)
    sides = [id for id, _ in state.players]
    sight = seen_by(state, player, engine)
    known = [card for card in state.cards if card.id not in sight.unseen]
    known.sort(key=lambda c: (ZONES.index(c.zone), sides.index(c.controller), c.since, c.id))
    rest = [card for card in state.cards if card.id in sight.unseen]
    # by what is open for all to see: nothing of a card without a place is
    rest.sort(key=lambda c: (ZONES.index(c.zone), sides.index(c.owner), *_place(c, sight)))
    ids = _free_ids({card.id for card in known})
    names = {card.id: next(ids) for card in rest}
    seen = _Seen(state, sight, names)
    return replace(
        state,
        players=tuple(
            (id, replace(p, deck_order="unknown", known_top=0)) for id, p in state.players
        ),
        cards=(*known, *map(seen.anonymous, rest)),
        effects=tuple(seen.effects()),
        pending=seen.pending(),
    )


def seen_by(state: State, player: str, engine: Engine | None = None) -> Sight:
    """What ``Engine.sight`` says of the position.

    By our rules it depends on where a card lies, whose it is, who controls it and whether it is
    face down, so they are asked once for each such case. In an author's rules it may depend on
    anything: they are asked of the whole position.
    """
    if engine is not None and engine.rules is not None:
        return engine.sight(state, player)
    unseen, placed, edition = [], [], state.edition
    for card in state.cards:
        own, held = card.owner == player, card.controller == player
        hides, lies = _case(edition, card.zone, own, held, card.hidden)
        if hides:
            unseen.append(card.id)
        if lies:
            placed.append(card.id)
    return Sight(frozenset(unseen), frozenset(placed))


@lru_cache(maxsize=256)
def _case(edition: str, zone: str, own: bool, held: bool, hidden: bool) -> tuple[bool, bool]:
    """Whether a card is unseen, and whether it is in its place all the same."""
    strike = (0, 0, 0) if edition == "classic" else 0
    owner, holder = ("you" if yes else "other" for yes in (own, held))
    card = Card("it", "creature", owner, holder, strike=strike, zone=zone, hidden=hidden)
    state = State("you", (("you", Player()), ("other", Player())), (card,), edition)
    sight = Engine().sight(state, "you")
    return "it" in sight.unseen, "it" in sight.in_place


def _place(card: Card, sight: Sight) -> tuple[int, ...]:
    if card.id not in sight.in_place:
        return ()
    return (*(card.cell or (0, 0)), card.arrived, card.since)


def _free_ids(taken: set[str]) -> Iterator[str]:
    return (id for n in count(1) if (id := f"hidden_{n}") not in taken)


# the terms of an ability that name a card of the position
_NAMED = re.compile(r"\b((?:card|holds)\()([a-z][a-z0-9_]*)")


class _Seen:
    """A position without what is not seen of it.

    Args:
        state: the position.
        sight: what is not seen.
        names: what the cards that are not known are called instead.
    """

    def __init__(self, state: State, sight: Sight, names: dict[str, str]) -> None:
        self.state, self.names = state, names
        self._placed = sight.in_place

    def anonymous(self, card: Card) -> Card:
        """What stands in place of a card that is not known."""
        classic = self.state.edition == "classic"
        blank = Card(
            self.names[card.id], "artifact" if classic else "spell", card.owner, card.owner, NAME,
            strike=(0, 0, 0) if classic else 0, zone=card.zone, hidden=True,
        )  # fmt: skip
        if card.id not in self._placed:
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

    def effects(self) -> Iterator[Effect]:
        """The effects, without those on cards without a place, and without such sources."""
        for effect in self.state.effects:
            if self._away(effect.card):
                continue
            source = effect.source
            if source is not None and self._away(source):
                source = None
            yield replace(
                effect,
                card=self.names.get(effect.card, effect.card),
                ability=_NAMED.sub(lambda found: found[1] + self._called(found[2]), effect.ability),
                source=self.names.get(source, source) if source else None,
            )

    def pending(self) -> Pending | None:
        """The announced attack."""
        pending = self.state.pending
        if pending is None:
            return None
        defender = pending.defender
        return Pending(
            self._called(pending.attacker),
            self._called(pending.target),
            None if defender is None else self._called(defender),
        )

    def _away(self, id: str) -> bool:
        """Whether nothing is known of a card, not even its place among others."""
        return id in self.names and id not in self._placed

    def _called(self, id: str) -> str:
        """What a card is called; what is no card stays."""
        if not self._away(id):
            return self.names.get(id, id)
        card = self.state.card(id)
        # any of them will do: they are all alike
        same = (c.id for c in self.state.cards if (c.zone, c.owner) == (card.zone, card.owner))
        return min((self.names[id] for id in same), key=lambda name: (len(name), name))
