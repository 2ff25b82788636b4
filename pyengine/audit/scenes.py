"""Cards on a small table: one or two kinds, in every place where they could act, with bystanders.

The kinds are `x` and `y`; beside them stand a plain creature and a hero on each side, a card in
each deck and one in the graveyard. What a fault does not need, ``witness.minimised`` takes away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pyengine.audit.drafts import in_classic
from pyengine.audit.witness import sound
from pyengine.kinds import Kind, catalogue
from pyengine.model import Action, Card, Player, State

_TURN, _COINS = 5, 10
_AWAY = ("spell",)  # kinds that act from the hand
_CELLS = {"x": (3, 3), "y": (3, 4), "a": (2, 3), "b": (2, 4)}
# what of an ability says that it waits for a turn to end or to begin
_WAITING = ("turn_start", "turn_end", "regeneration", "poison")


def card_of(kind: Kind, id: str, player: str, zone: str) -> Card:
    """A card of a kind; one that is not of our catalogue has its values written out."""
    ours = catalogue().get(kind.id) == kind
    return Card(
        id, kind.type, player, player, name=kind.id, kind=kind.id if ours else None,
        classes=kind.classes, element=kind.element, cost=kind.cost, strike=kind.strike,
        life=kind.life, abilities=kind.abilities, zone=zone,
    )  # fmt: skip


def bystanders() -> tuple[Card, ...]:
    """Plain cards to act with and on."""
    return (
        Card("a", "creature", "p1", "p1", name="a", strike=1, life=3),
        Card("b", "creature", "p2", "p2", name="b", strike=1, life=3),
        Card("h", "hero", "p1", "p1", name="h", life=9),
        Card("g", "hero", "p2", "p2", name="g", life=9),
        Card("d", "creature", "p1", "p1", name="d", zone="deck", strike=1, life=3),
        Card("e", "creature", "p2", "p2", name="e", zone="deck", strike=1, life=3),
        Card("q", "creature", "p1", "p1", name="q", zone="graveyard", strike=1, life=3),
    )


def zones(kind: Kind) -> tuple[str, ...]:
    """Where a card of the kind can do something."""
    if kind.type in _AWAY:
        return ("hand",)
    played = any(
        text.startswith(("on(hire", "may_on(hire", "enters_with")) for text in kind.abilities
    )
    return ("play", "hand") if played else ("play",)


def alone(kind: Kind, edition: str) -> Iterator[State]:
    """The kind with bystanders only, on either side of the table."""
    for zone in zones(kind):
        yield from placed([card_of(kind, "x", "p1", zone)], edition)
    if kind.type not in _AWAY:
        yield from placed([card_of(kind, "x", "p2", "play")], edition)


def together(one: Kind, two: Kind, edition: str) -> Iterator[State]:
    """Both kinds: of one player, and of two."""
    sides = [("p1", "p1"), ("p1", "p2"), ("p2", "p1")]
    if one.type == two.type == "hero":
        sides = sides[1:]
    for first, second in sides:
        if (one.type in _AWAY and first == "p2") or (two.type in _AWAY and second == "p2"):
            continue
        zone = [zones(one)[-1 if first == "p1" else 0], zones(two)[-1 if second == "p1" else 0]]
        cards = [card_of(one, "x", first, zone[0]), card_of(two, "y", second, zone[1])]
        # both wait in the hand only if they can do nothing else
        if zone == ["hand", "hand"] and one.type not in _AWAY:
            cards[0] = replace(cards[0], zone="play")
        yield from placed(cards, edition)


def placed(cards: Sequence[Card], edition: str) -> Iterator[State]:
    """The table with these cards beside the bystanders, the later one having come later."""
    dated = [replace(card, since=number) for number, card in enumerate(cards, 1)]
    heroes = {card.controller for card in cards if card.type == "hero"}
    others = tuple(
        card for card in bystanders() if card.type != "hero" or card.controller not in heroes
    )
    # whoever could step in has done so already: an attack is carried through
    whole = tuple(
        replace(card, defended=True) if card.controller == "p2" and card.zone == "play" else card
        for card in (*dated, *others)
    )
    player = Player(coins=_COINS, coins_total=_COINS)
    state = State("p1", (("p1", player), ("p2", player)), whole, edition, _TURN)
    if edition == "classic":
        known = tuple(
            replace(card, cell=_CELLS.get(card.id)) for card in state.cards if card.id in _CELLS
        )
        state = in_classic(replace(state, cards=known))
    if sound(state):
        yield state


def telling(state: State, actions: Sequence[Action], ids: Sequence[str]) -> list[Action]:
    """Of the legal declarations those that let the cards act on each other, or at all."""
    best: dict[tuple[str, ...], list[Action]] = {}
    waits = any(
        word in text for id in ids for text in state.card(id).abilities for word in _WAITING
    )
    for action in actions:
        names = [str(arg) for arg in action.args if isinstance(arg, str)]
        if action.verb == "end_turn":
            if waits:
                best[("end_turn",)] = [action]
            continue
        if not names or not set(names) & set(ids):
            continue
        if len(ids) == 1:
            aimed = state.card(names[-1]).type  # a hero may be another thing to act on
        else:
            aimed = "both" if len(set(names) & set(ids)) > 1 else "one"
        key = (action.verb, names[0], str(action.args[1]) if action.verb == "use" else "", aimed)
        best.setdefault(key, []).append(action)
    return [action for key in sorted(best) for action in best[key][:1]]
