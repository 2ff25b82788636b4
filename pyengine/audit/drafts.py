"""Small positions, one after another by size, to ask two sets of rules about.

The size of a position is the number of its cards and of what is on them: abilities, effects laid,
marks, an announced attack. Of a size the positions come in a fixed order. Every edition has the
same ones, as far as it has such cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

from pyengine.audit.candidates import abilities
from pyengine.audit.scope import Scope
from pyengine.audit.witness import sound
from pyengine.kinds import Kind, catalogue
from pyengine.model import Card, Effect, Pending, Player, State

TURN = 3
COINS = 3


class Ability(NamedTuple):
    """An ability of a position: the card, and whether it is printed there or laid on it."""

    card: str
    text: str
    laid: bool


@dataclass(frozen=True)
class Draft:
    """A position before it is built: its cards, abilities and marks."""

    cast: tuple[str, ...]
    abilities: tuple[Ability, ...] = ()
    marks: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How much there is of it."""
        return len(self.cast) + len(self.abilities) + len(self.marks)


def _created() -> Kind:
    return min(
        (kind for kind in catalogue().values() if kind.created and kind.type == "creature"),
        key=lambda kind: (kind.life, kind.id),
    )


def _cards() -> dict[str, Card]:
    """The cards that positions are made of, by id."""
    made = _created()
    cards = [
        Card("a", "creature", "p1", "p1", strike=2, life=2),
        Card("b", "creature", "p2", "p2", strike=1, life=2),
        Card("s", "spell", "p1", "p1", zone="hand"),
        Card("d", "creature", "p1", "p1", zone="deck", strike=1, life=2),
        Card("y", "creature", "p1", "p1", zone="graveyard", strike=1, life=2),
        Card("g", "hero", "p2", "p2", life=9),
        Card("h", "hero", "p1", "p1", life=9),
        Card(
            "k", "creature", "p2", "p2", name=made.id, kind=made.id, classes=made.classes,
            element=made.element, cost=made.cost, strike=made.strike, life=made.life,
            abilities=made.abilities,
        ),
        Card("c", "creature", "p1", "p1", strike=1, life=2),
        Card("e", "creature", "p2", "p2", strike=1, life=2),
    ]  # fmt: skip
    return {card.id: replace(card, name=card.name or card.id) for card in cards}


CARDS = tuple("absdyghkce")
CLASSIC = tuple("abce")
_CELLS = {"a": (3, 3), "b": (3, 4), "c": (2, 3), "e": (2, 4)}
MARKS = (
    "closed(a)", "closed(b)", "acted(a)", "entered(a)", "wounds(a)", "wounds(b)", "defended(b)",
    "attack(a,b)", "hidden(a)", "hidden(b)",
)  # fmt: skip


def casts(number: int, edition: str) -> Iterator[tuple[str, ...]]:
    """So many cards, in every way that leaves something to declare."""
    for cast in combinations(CLASSIC if edition == "classic" else CARDS, number):
        # without the first of its kind the second is the same thing under another name
        if ("c" in cast and "a" not in cast) or ("e" in cast and "b" not in cast):
            continue
        if cast[0] not in "ash" and number == 1:
            continue
        yield cast


class Form(NamedTuple):
    """An ability as it may stand in a position: its text, and whether it is laid or printed."""

    text: str
    laid: bool


def forms(texts: Sequence[str]) -> list[Form]:
    """Every form of these abilities; spells are only printed."""
    return [
        Form(text, laid)
        for text in texts
        for laid in ((False,) if text.startswith("spell(") else (False, True))
    ]


def terse(chosen: Sequence[Form]) -> list[Form]:
    """One form for each name: printed where that is among them."""
    found: dict[str, Form] = {}
    for form in sorted(chosen, key=lambda form: form.laid):
        found.setdefault(name_of(form.text), form)
    return [form for form in chosen if found[name_of(form.text)] == form]


def name_of(text: str) -> str:
    """What an ability does, in short: its word and the first one in it that is no filter.

    >>> name_of("use(once,open(self))"), name_of("cannot(attack)"), name_of("redirect(any,any,any)")
    ('use(open', 'cannot(attack', 'redirect')
    """
    head, _, rest = text.partition("(")
    for word in re.findall(r"[a-z_]+", rest):
        if word not in _SAID_LITTLE:
            return f"{head}({word}" if head not in ("redirect", "superiority", "grant") else head
    return head


_SAID_LITTLE = {"once", "close", "any", "creature", "other", "yours", "enemy", "self", "each"}


def holders(cast: Sequence[str], form: Form, edition: str) -> Iterator[Ability]:
    """Where in a cast an ability can stand: spells in the hand, others on cards in play."""
    if form.text.startswith("spell("):
        if "s" in cast and edition != "classic":
            yield Ability("s", form.text, False)
        return
    for card in cast:
        if card in "abgh":
            yield Ability(card, form.text, form.laid)


def drafts(
    size: int, scope: Scope, edition: str, chosen: Sequence[Form] | None = None
) -> Iterator[Draft]:
    """The positions of a size within the scope.

    Args:
        size: of each.
        scope: at most so many cards; ``effects`` bounds abilities and effects, marks are one.
        edition: ``classic`` has no heroes, spells and decks.
        chosen: the abilities; None: all of the vocabulary.
    """
    known = forms(abilities()) if chosen is None else chosen
    for told, marked in ((told, marked) for told in range(scope.effects + 1) for marked in (0, 1)):
        number = size - told - marked
        if not 1 <= number <= scope.cards:
            continue
        for cast in casts(number, edition):
            for marks in _marks(cast, marked):
                for found in _abilities(cast, told, known, edition):
                    yield Draft(cast, found, marks)


def _marks(cast: Sequence[str], number: int) -> Iterator[tuple[str, ...]]:
    if not number:
        yield ()
        return
    for mark in MARKS:
        if all(card in cast for card in mark.partition("(")[2].rstrip(")").split(",")):
            yield (mark,)


def _abilities(
    cast: Sequence[str], number: int, chosen: Sequence[Form], edition: str
) -> Iterator[tuple[Ability, ...]]:
    single = [one for form in chosen for one in holders(cast, form, edition)] if number else []
    yield from combinations(single, number)


def built(draft: Draft, edition: str) -> State | None:
    """The position of a draft in that edition; None where it is no position there."""
    known = _cards()
    effects = []
    cards = {id: known[id] for id in draft.cast}
    for place, (id, text, laid) in enumerate(draft.abilities, 1):
        if laid:
            effects.append(Effect(id, text, cards[id].controller, place, None, 0, "end_of_turn"))
        elif cards[id].kind is None:
            cards[id] = replace(cards[id], abilities=(*cards[id].abilities, text))
    pending = None
    for mark in draft.marks:
        name, _, rest = mark.rstrip(")").partition("(")
        if name == "attack":
            attacker, target = rest.split(",")
            pending = Pending(attacker, target)
        else:
            values: dict[str, Any] = {"entered": TURN, "wounds": 1}
            cards[rest] = replace(cards[rest], **{name: values.get(name, True)})
    player = Player(coins=COINS, coins_total=COINS)
    state = State(
        "p1", (("p1", player), ("p2", player)), tuple(cards.values()), edition, TURN,
        effects=tuple(effects), pending=pending,
    )  # fmt: skip
    if edition == "classic":
        state = in_classic(state)
    return state if sound(state) else None


def in_heroes(state: State) -> State:
    """The same cards where there is no board."""
    cards = []
    for card in state.cards:
        strike = card.strike[0] if isinstance(card.strike, tuple) else card.strike
        cards.append(replace(card, strike=strike, cell=None, movement=0))
    player = Player(coins=COINS, coins_total=COINS)
    plain = tuple((id, player) for id, _ in state.players)
    return replace(state, edition="heroes", phase="main", cards=tuple(cards), players=plain)


def in_classic(state: State) -> State:
    """The same cards on the board of classic, opposite each other in the middle."""
    cards = []
    for card in state.cards:
        strike = card.strike if isinstance(card.strike, tuple) else (card.strike,) * 3
        cards.append(replace(card, strike=strike, cell=_CELLS.get(card.id), movement=1))
    plain = tuple((id, Player()) for id, _ in state.players)
    return replace(state, edition="classic", phase="choice", cards=tuple(cards), players=plain)
