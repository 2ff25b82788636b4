"""What lies on the table: the abilities in force, the attributes, and which cards fit a filter.

Cards are numbered by their place in the state; a set of cards is a bit mask of those numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property, reduce
from operator import and_, or_
from typing import NamedTuple

from pyengine.model import Card, State
from tests.model.terms import Term, args, name, parse, show

PRINTED, LAID, GRANTED = range(3)
CHARACTERS = ("hero", "creature")
Mark = tuple[int, str]  # where a use is noted: place of the card and term, or -1 and of the effect


class Ability(NamedTuple):
    """One ability of one card."""

    bearer: int
    term: Term
    name: str
    args: tuple[Term, ...]
    by: str  # the card that reasons name: the source of a laid effect, else the bearer
    owner: str  # whose effect it is
    moment: int  # greater is later; -1 for printed ones, older than any effect
    origin: int  # PRINTED, LAID or GRANTED
    mark: Mark


@cache
def read(term: Term) -> tuple[Term, str, tuple[Term, ...]]:
    """An ability with its name and arguments: what gain(A) gives is A."""
    term = args(term)[0] if name(term) == "gain" else term
    return term, name(term), args(term)


@cache
def marks(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The names under which the use of equal abilities is noted: ``once``, ``once#2``, ..."""
    counts = [texts[: n + 1].count(text) for n, text in enumerate(texts)]
    return tuple(
        text if count == 1 else f"{text}#{count}" for text, count in zip(texts, counts, strict=True)
    )


@cache
def printed(texts: tuple[str, ...]) -> list[tuple[tuple[Term, str, tuple[Term, ...]], str]]:
    """What a card prints, each with its mark."""
    return [(read(parse(text)), mark) for text, mark in zip(texts, marks(texts), strict=True)]


def in_force(abilities: list[Ability]) -> list[Ability]:
    """Without those that a later effect takes away (the latest effect wins)."""
    losses = [(a.args[0], a.moment) for a in abilities if a.name == "lose"]
    return [
        a
        for a in abilities
        if not any(
            moment > a.moment and (lost == a.name or (lost == "all" and a.origin == PRINTED))
            for lost, moment in losses
        )
    ] if losses else abilities  # fmt: skip


def latest(abilities: list[Ability], attribute: str) -> Term:
    """The value that the latest ``is(attribute, value)`` sets, else None; of a tie the last."""
    found = [a for a in abilities if a.name == "is" and a.args[0] == attribute]
    return max(reversed(found), key=lambda a: a.moment).args[1] if found else None


class View:
    """The cards with the abilities of one stage; answers which of them fit a filter."""

    def __init__(self, board: Board, given: list[list[Ability]]) -> None:
        self.board = board
        self.abilities = [in_force(own) for own in given]
        self.having: dict[str, int] = {}
        for place, own in enumerate(self.abilities):
            for ability in own:
                self.having[ability.name] = self.having.get(ability.name, 0) | 1 << place
        self._masks: dict[tuple[Term, int], int] = {}

    def fits(self, filter_: Term, bearer: int, card: int) -> bool:
        """Whether the card fits the filter, read from the bearer."""
        return bool(self.mask(filter_, bearer) >> card & 1)

    def mask(self, filter_: Term, bearer: int) -> int:
        """The cards of all zones that fit the filter, read from the bearer."""
        found = self._masks.get((filter_, bearer))
        if found is None:
            found = self._masks[filter_, bearer] = self._mask(filter_, bearer)
        return found

    def _mask(self, filter_: Term, bearer: int) -> int:
        board, head, inner = self.board, name(filter_), args(filter_)
        if head in board.plain:
            return board.plain[head]
        if head in ("self", "yours"):
            return 1 << bearer if head == "self" else board.side[board.cards[bearer].controller]
        if head in ("other", "enemy"):
            return board.everything & ~self._mask("self" if head == "other" else "yours", bearer)
        if head == "not":
            return board.everything & ~self.mask(inner[0], bearer)
        if head in ("and", "or"):
            masks = (self.mask(part, bearer) for part in inner)
            return reduce(and_ if head == "and" else or_, masks)
        if head == "has":
            return self.having.get(inner[0], 0)
        return board.where(_TESTS[head](self, *inner))

    def element(self, place: int) -> tuple[str, ...]:
        """The elements of a card, after the latest effect that sets them."""
        value = latest(self.abilities[place], "element")
        if value is None:
            return self.board.cards[place].element
        return () if value == "neutral" else (value,)

    def classes(self, place: int) -> tuple[str, ...]:
        """The classes of a card, after the latest effect that sets them."""
        value = latest(self.abilities[place], "class")
        return self.board.cards[place].classes if value is None else (value,)


Test = Callable[[int, Card], bool]  # of a card and its place
# the filters that compare something of a card with a word or a number
_TESTS: dict[str, Callable[..., Test]] = {
    "neutral": lambda view: lambda n, card: not view.element(n),
    "type": lambda view, wanted: lambda n, card: card.type == wanted,
    "class": lambda view, wanted: lambda n, card: wanted in view.classes(n),
    "element": lambda view, wanted: lambda n, card: wanted in view.element(n),
    "name": lambda view, wanted: lambda n, card: (card.name or card.id) == wanted,
    "cost_at_most": lambda view, most: lambda n, card: card.cost <= most,
    "cost_at_least": lambda view, least: lambda n, card: card.cost >= least,
}


class Board:
    """One state, with everything that its abilities make of it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.cards: tuple[Card, ...] = state.cards
        self.ids = [card.id for card in self.cards]
        self.place: dict[str, int] = {id: n for n, id in enumerate(self.ids)}
        self.everything = (1 << len(self.cards)) - 1
        self.side = dict.fromkeys((player for player, _ in state.players), 0)
        self.in_play = closed = wounded = 0
        types = dict.fromkeys(CHARACTERS, 0)
        for n, card in enumerate(self.cards):
            bit = 1 << n
            self.side[card.controller] |= bit
            types[card.type] = types.get(card.type, 0) | bit
            self.in_play |= bit * (card.zone == "play")
            closed |= bit * card.closed
            wounded |= bit * bool(card.wounds)
        self.characters = types["hero"] | types["creature"]
        self.plain = {
            "any": self.everything, "hero": types["hero"], "creature": types["creature"],
            "character": self.characters, "open": self.everything & ~closed, "closed": closed,
            "wounded": wounded,
        }  # fmt: skip
        own = self._printed_and_laid()
        view = View(self, own)
        # auras that set attributes or take abilities, read from what is printed and laid;
        # then all others, read with the attributes so obtained
        for early in (True, False):
            more = self._granted(view, early) if "grant" in view.having else []
            if any(more):
                own = [a + b for a, b in zip(own, more, strict=True)]
                view = View(self, own)
        self.given = own  # every ability a card was ever given, lost ones too: their numbers stay
        self.view = view

    def where(self, test: Test) -> int:
        """The cards for which test(place, card) holds."""
        return sum(1 << n for n, card in enumerate(self.cards) if test(n, card))

    # -- abilities ------------------------------------------------------------------------

    def _printed_and_laid(self) -> list[list[Ability]]:
        own: list[list[Ability]] = [[] for _ in self.cards]
        for n, card in enumerate(self.cards):
            if card.abilities and card.zone in ("play", "hand"):
                own[n] = [
                    Ability(n, *term, card.id, card.controller, -1, PRINTED, (n, mark))
                    for term, mark in printed(card.abilities)
                ]
        for number, effect in enumerate(self.state.effects):
            n = self.place[effect.card]
            if self.in_play >> n & 1:
                by, mark = effect.source or effect.card, (-1, str(number))
                term = read(parse(effect.ability))
                own[n].append(Ability(n, *term, by, effect.controller, effect.since, LAID, mark))
        return own

    def _granted(self, view: View, early: bool) -> list[list[Ability]]:
        """What the auras give: first those of is(..) and lose(..), then the others."""
        out: list[list[Ability]] = [[] for _ in self.cards]
        auras = [
            (self.cards[a.bearer].since if a.origin == PRINTED else a.moment, a)
            for n in bits(view.having["grant"] & self.in_play)
            for a in view.abilities[n]
            if a.name == "grant" and (name(a.args[1]) in ("is", "lose")) == early
        ]
        for since, aura in sorted(auras, key=lambda pair: pair[0]):
            filter_, term = aura.args
            reach = self.in_play
            if name(term) == "mod" and term[1] == "cost":
                reach |= self.where(lambda place, card: card.zone == "hand")
            owner = self.cards[aura.bearer].controller
            for n in bits(view.mask(filter_, aura.bearer) & reach):
                card = self.cards[n]
                before = (*card.abilities, *(show(a.term) for a in out[n]))
                mark = marks((*before, show(read(term)[0])))[-1]
                out[n].append(Ability(n, *read(term), card.id, owner, since, GRANTED, (n, mark)))
        return out

    @cached_property
    def named(self) -> dict[str, list[Ability]]:
        """The abilities in force of the cards in play, by name."""
        out: dict[str, list[Ability]] = {}
        for n in bits(self.in_play):
            for ability in self.view.abilities[n]:
                out.setdefault(ability.name, []).append(ability)
        return out

    def all(self, wanted: str) -> list[Ability]:
        """The abilities of that name in force on the cards in play."""
        return self.named.get(wanted, [])

    def of(self, card: int, wanted: str) -> list[Ability]:
        """The abilities of that name in force on one card."""
        return [a for a in self.view.abilities[card] if a.name == wanted]

    def activated(self, card: int) -> list[Ability]:
        """Its activated abilities by number: printed order, then acquired by moment; lost too."""
        found = [a for a in self.given[card] if a.name == "use"]
        return sorted(found, key=lambda a: (a.origin != PRINTED, a.moment))

    def spent(self, ability: Ability) -> int:
        """How much of an ability is used up."""
        card, mark = ability.mark
        if card < 0:
            return self.state.effects[int(mark)].spent
        return dict(self.cards[card].spent).get(mark, 0)

    # -- numbers --------------------------------------------------------------------------

    def value(self, card: int, attribute: str) -> int:
        """strike, life or cost: printed, then added to, then set by the latest effect."""
        own = self.view.abilities[card]
        added = sum(a.args[1] for a in own if a.name == "mod" and a.args[0] == attribute)
        printed: int = getattr(self.cards[card], attribute)
        fixed = latest(own, attribute)
        return printed + added if fixed is None else int(fixed)

    def life(self, card: int) -> int:
        """How many wounds a character can have before it is dead."""
        return self.value(card, "life") + self.cards[card].extra_life

    def price(self, card: int) -> int:
        """The coins that playing a card from the hand costs, never below 0 (512.1)."""
        return max(0, self.value(card, "cost"))


def bits(mask: int) -> list[int]:
    """The places in a mask.

    >>> bits(0b1101)
    [0, 2, 3]
    """
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out
