"""What lies on the table: the abilities in force, the attributes, and which cards fit a filter.

Cards are numbered by their place in the state; a set of cards is a bit mask of those numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from typing import NamedTuple

from pyengine.model import Card, State
from tests.model.terms import Term, args, name, parse, show

PRINTED, LAID, GRANTED = range(3)
CHARACTERS = ("hero", "creature")
# Reasons that rest on a granted ability name the card that grants it (READINGS.md, "by").
GRANTED_BY_SOURCE = False


class Ability(NamedTuple):
    """One ability of one card."""

    bearer: int
    name: str
    args: tuple[Term, ...]
    term: Term
    by: str  # the card that reasons name: the source of a laid effect, else the bearer
    owner: str  # whose effect it is
    moment: int  # greater is later; -1 for printed ones, older than any effect
    origin: int  # PRINTED, LAID or GRANTED
    # where its use is noted: (place of the card, term), or (-1, place of the laid effect)
    mark: tuple[int, str]


@cache
def _printed(texts: tuple[str, ...]) -> tuple[tuple[str, tuple[Term, ...], Term, str], ...]:
    """Printed abilities with the names under which ``spent`` notes them."""
    out, seen = [], list[str]()
    for text in texts:
        term = parse(text)
        shown = show(term)
        seen.append(shown)
        count = seen.count(shown)
        mark = shown if count == 1 else f"{shown}#{count}"
        if name(term) == "gain":
            term = args(term)[0]
        out.append((name(term), args(term), term, mark))
    return tuple(out)


def in_force(abilities: list[Ability]) -> list[Ability]:
    """Without those that a later effect takes away (the latest effect wins)."""
    losses = [(a.args[0], a.moment) for a in abilities if a.name == "lose"]
    if not losses:
        return abilities
    return [
        a
        for a in abilities
        if not any(
            (keyword == a.name and moment > a.moment)
            or (keyword == "all" and a.origin == PRINTED and moment > a.moment)
            for keyword, moment in losses
        )
    ]


def latest(abilities: list[Ability], attribute: str) -> Term:
    """The value that the latest ``is(attribute, value)`` sets, else None; of a tie the last."""
    found = [a for a in abilities if a.name == "is" and a.args[0] == attribute]
    return max(reversed(found), key=lambda a: a.moment).args[1] if found else None


class View:
    """The cards with the abilities of one stage; answers which of them fit a filter."""

    def __init__(self, board: Board, abilities: list[list[Ability]]) -> None:
        self.board = board
        self.abilities = abilities
        self._known: dict[tuple[Term, int], int] = {}
        self._has: dict[str, int] = {}
        for place, own in enumerate(abilities):
            for ability in own:
                self._has[ability.name] = self._has.get(ability.name, 0) | 1 << place

    def fits(self, filter_: Term, bearer: int, card: int) -> bool:
        """Whether the card fits the filter, read from the bearer."""
        return bool(self.mask(filter_, bearer) >> card & 1)

    def mask(self, filter_: Term, bearer: int) -> int:
        """The cards of all zones that fit the filter, read from the bearer."""
        key = (filter_, bearer)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._compute(filter_, bearer)
        return found

    def _compute(self, filter_: Term, bearer: int) -> int:
        board, head = self.board, name(filter_)
        if head in board.plain:
            return board.plain[head]
        if head == "self":
            return 1 << bearer
        if head == "other":
            return board.everything & ~(1 << bearer)
        if head == "yours":
            return board.side[board.cards[bearer].controller]
        if head == "enemy":
            return board.everything & ~board.side[board.cards[bearer].controller]
        if head == "neutral":
            return board.where(lambda place, card: not self.element(place))
        value = args(filter_)[0]
        if head == "not":
            return board.everything & ~self.mask(value, bearer)
        if head in ("and", "or"):
            out = self.mask(value, bearer)
            for other in args(filter_)[1:]:
                mask = self.mask(other, bearer)
                out = out & mask if head == "and" else out | mask
            return out
        if head == "type":
            return board.where(lambda place, card: card.type == value)
        if head == "class":
            return board.where(lambda place, card: value in self.classes(place))
        if head == "element":
            return board.where(lambda place, card: value in self.element(place))
        if head == "name":
            return board.where(lambda place, card: (card.name or card.id) == value)
        if head in ("cost_at_most", "cost_at_least") and not isinstance(value, int):
            raise ValueError(f"an amount that is read from a card: {show(filter_)}")
        if head == "cost_at_most":
            return board.where(lambda place, card: card.cost <= value)
        if head == "cost_at_least":
            return board.where(lambda place, card: card.cost >= value)
        if head == "has":
            return self._has.get(value, 0)
        raise ValueError(f"no card filter: {show(filter_)}")

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


class Board:
    """One state, with everything that its abilities make of it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.cards: tuple[Card, ...] = state.cards
        self.place: dict[str, int] = {card.id: n for n, card in enumerate(self.cards)}
        self.everything = (1 << len(self.cards)) - 1
        self.side = dict.fromkeys((player for player, _ in state.players), 0)
        self.in_play = heroes = creatures = closed = wounded = 0
        for n, card in enumerate(self.cards):
            bit = 1 << n
            self.side[card.controller] |= bit
            if card.zone == "play":
                self.in_play |= bit
            if card.type == "hero":
                heroes |= bit
            elif card.type == "creature":
                creatures |= bit
            if card.closed:
                closed |= bit
            if card.wounds:
                wounded |= bit
        self.characters = heroes | creatures
        self.plain = {
            "any": self.everything,
            "hero": heroes,
            "creature": creatures,
            "character": self.characters,
            "open": self.everything & ~closed,
            "closed": closed,
            "wounded": wounded,
        }
        self._read_abilities()

    def where(self, test: Callable[[int, Card], bool]) -> int:
        """The cards for which test(place, card) holds."""
        return sum(1 << n for n, card in enumerate(self.cards) if test(n, card))

    # -- abilities ------------------------------------------------------------------------

    def _read_abilities(self) -> None:
        own = self._printed_and_laid()
        first = View(self, [in_force(abilities) for abilities in own])
        # auras that set attributes or take abilities, read from what is printed and laid
        early = self._granted(first, early=True)
        both = [a + b for a, b in zip(own, early, strict=True)] if any(early) else own
        second = View(self, [in_force(abilities) for abilities in both]) if any(early) else first
        # all other auras, read with the attributes so obtained
        late = self._granted(second, early=False)
        # every ability a card was ever given, lost ones too: their numbers stay
        self.given = [a + b for a, b in zip(both, late, strict=True)] if any(late) else both
        if any(late):
            self.view = View(self, [in_force(abilities) for abilities in self.given])
        else:
            self.view = second

    def _printed_and_laid(self) -> list[list[Ability]]:
        own: list[list[Ability]] = []
        for n, card in enumerate(self.cards):
            mine: list[Ability] = []
            if card.abilities and card.zone in ("play", "hand"):
                for head, inner, term, mark in _printed(card.abilities):
                    mine.append(
                        Ability(
                            n, head, inner, term, card.id, card.controller, -1, PRINTED, (n, mark)
                        )
                    )
            own.append(mine)
        for n, effect in enumerate(self.state.effects):
            place = self.place[effect.card]
            if self.cards[place].zone == "play":
                term = parse(effect.ability)
                if name(term) == "gain":
                    term = args(term)[0]
                own[place].append(
                    Ability(
                        place, name(term), args(term), term, effect.source or effect.card,
                        effect.controller, effect.since, LAID, (-1, str(n)),
                    )
                )  # fmt: skip
        return own

    def _granted(self, view: View, early: bool) -> list[list[Ability]]:
        """What the auras give: first those of is(..) and lose(..), then the others."""
        out: list[list[Ability]] = [[] for _ in self.cards]
        if "grant" not in view._has:
            return out
        auras = [
            aura
            for n, abilities in enumerate(view.abilities)
            if self.in_play >> n & 1
            for aura in abilities
            if aura.name == "grant" and (name(aura.args[1]) in ("is", "lose")) == early
        ]
        dated = [
            (self.cards[a.bearer].since if a.origin == PRINTED else a.moment, a) for a in auras
        ]
        for since, aura in sorted(dated, key=lambda pair: pair[0]):
            filter_, term = aura.args
            if name(term) == "gain":
                term = args(term)[0]
            reach = self.in_play
            if name(term) == "mod" and term[1] == "cost":
                reach |= self.where(lambda place, card: card.zone == "hand")
            for n in bits(view.mask(filter_, aura.bearer) & reach):
                card, shown = self.cards[n], show(term)
                by = self.cards[aura.bearer].id if GRANTED_BY_SOURCE else card.id
                before = [mark for _, _, _, mark in _printed(card.abilities)]
                before += [a.mark[1] for a in out[n]]
                count = sum(mark.split("#")[0] == shown for mark in before) + 1
                mark = shown if count == 1 else f"{shown}#{count}"
                out[n].append(
                    Ability(
                        n, name(term), args(term), term, by, self.cards[aura.bearer].controller,
                        since, GRANTED, (n, mark),
                    )
                )  # fmt: skip
        return out

    @cached_property
    def named(self) -> dict[str, list[Ability]]:
        """The abilities in force of the cards in play, by name."""
        out: dict[str, list[Ability]] = {}
        for n, abilities in enumerate(self.view.abilities):
            if self.in_play >> n & 1:
                for ability in abilities:
                    out.setdefault(ability.name, []).append(ability)
        return out

    def all(self, wanted: str) -> list[Ability]:
        """The abilities of that name in force on the cards in play."""
        return self.named.get(wanted, [])

    def of(self, card: int, wanted: str) -> list[Ability]:
        """The abilities of that name in force on one card."""
        return [a for a in self.view.abilities[card] if a.name == wanted]

    def spent(self, ability: Ability) -> int:
        """How much of an ability is used up."""
        card, mark = ability.mark
        if card < 0:
            return self.state.effects[int(mark)].spent
        return dict(self.cards[card].spent).get(mark, 0)

    # -- numbers --------------------------------------------------------------------------

    def value(self, card: int, attribute: str, printed: int) -> int:
        """strike, life or cost: printed, then added to, then set by the latest effect."""
        own = self.view.abilities[card]
        added = sum(a.args[1] for a in own if a.name == "mod" and a.args[0] == attribute)
        fixed = latest(own, attribute)
        return printed + added if fixed is None else int(fixed)

    def life(self, card: int) -> int:
        """How many wounds a character can have before it is dead."""
        printed = self.cards[card]
        return self.value(card, "life", printed.life) + printed.extra_life

    def price(self, card: int) -> int:
        """The coins that playing a card from the hand costs, never below 0 (512.1)."""
        return max(0, self.value(card, "cost", self.cards[card].cost))

    def activated(self, card: int) -> list[Ability]:
        """Its activated abilities by number: printed order, then acquired by moment; lost too."""
        found = [a for a in self.given[card] if a.name == "use"]
        return sorted(found, key=lambda a: (a.origin != PRINTED, a.moment))


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
