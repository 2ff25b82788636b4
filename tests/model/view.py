"""What can be read off the cards with their abilities: filters, values, amounts, conditions.

Cards are numbered by their place in the state; a set of cards is a bit mask of those numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import and_, or_
from typing import TYPE_CHECKING, NamedTuple

from pyengine.model import Card
from tests.model.terms import Term, Unsupported, args, name, parse

if TYPE_CHECKING:
    from tests.model.board import Board

PRINTED, LAID, GRANTED = range(3)
CHARACTERS = ("hero", "creature")
TRIGGERED = ("on", "once_on", "may_on", "delayed")
# what is not looked at when a card is said to have no abilities
SLIGHT = {"mod", "is", "enhancement", "counter", "lose"}
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

    def giving(self, term: Term) -> Ability:
        """Another ability that this one stands for."""
        return self._replace(term=term, name=name(term), args=args(term))


def in_force(abilities: list[Ability]) -> list[Ability]:
    """Without those that a later effect takes away (the latest effect wins)."""
    losses = [(a.args[0], a.moment) for a in abilities if a.name == "lose"]

    def lost(a: Ability) -> bool:
        named = {a.name, name(a.args[0])} if a.name in TRIGGERED else {a.name}
        return any(
            moment > a.moment and (taken in named or (taken == "all" and a.origin == PRINTED))
            for taken, moment in losses
        )

    return [a for a in abilities if not lost(a)] if losses else abilities


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
        if head not in _TESTS:
            raise Unsupported(f"filter {head}")
        if inner and (head.endswith(("_most", "_least"))):
            inner = (self.amount(inner[0], bearer),)
        if head == "greatest":
            inner = (inner[0], self.mask(inner[1], bearer) & board.in_play)
        return board.where(_TESTS[head](self, *inner))

    def fixed(self, place: int, attribute: str) -> Ability | None:
        """The latest ``is(attribute, value)`` on a card; of a tie the last."""
        if not self.having.get("is", 0) >> place & 1:
            return None
        found = [a for a in self.abilities[place] if a.name == "is" and a.args[0] == attribute]
        return max(reversed(found), key=lambda a: a.moment) if found else None

    def element(self, place: int) -> tuple[str, ...]:
        """The elements of a card, after the latest effect that sets them."""
        fixed = self.fixed(place, "element")
        if fixed is None:
            return self.board.cards[place].element
        return () if fixed.args[1] == "neutral" else (fixed.args[1],)

    def classes(self, place: int) -> tuple[str, ...]:
        """The classes of a card, after the latest effect that sets them."""
        fixed = self.fixed(place, "class")
        return self.board.cards[place].classes if fixed is None else (fixed.args[1],)

    # -- numbers and conditions -------------------------------------------------------------------

    def value(self, card: int, attribute: str) -> int:
        """strike, life or cost: printed, then added to, then set by the latest effect."""
        own, more = self.abilities[card], 0
        fixed = self.fixed(card, attribute)
        if fixed is not None:
            return max(0, self.amount(fixed.args[1], card))
        for a in own:
            if a.name == "mod" and a.args[0] == attribute:
                more += self.amount(a.args[1], card)
        if self.board.cards[card].type == "creature" and attribute != "cost":
            more += sum(a.name == "enhancement" for a in own)
        printed: int = getattr(self.board.cards[card], attribute)
        return printed + more

    def shown(self, card: int, attribute: str) -> int | None:
        """A value that filters and amounts compare: never below 0; of a creature's strike only."""
        if attribute == "cost":
            return self.board.cards[card].cost
        fighters = self.board.plain["creature"] if attribute == "strike" else self.board.characters
        if not fighters & self.board.in_play & 1 << card:
            return None
        value = self.value(card, attribute)
        return max(0, value) if attribute == "strike" else value

    def amount(self, term: Term, bearer: int) -> int:
        """How much that is, read from a card and its controller."""
        if isinstance(term, int):
            return term
        head, inner = name(term), args(term)
        if head in _SUMS:
            return _SUMS[head](*(self.amount(part, bearer) for part in inner))
        if head == "count":
            return (self.mask(inner[0], bearer) & self.board.in_play).bit_count()
        if head == "attacks":
            return sum(player.attacks for _, player in self.board.state.players)
        if head in ("hand", "coins", "drawn"):
            player = self.board.player(inner[0], bearer)
            if head == "hand":
                return len([c for c in self.board.cards if (c.zone, c.owner) == ("hand", player)])
            found: int = getattr(dict(self.board.state.players)[player], head)
            return found
        cards = self.selected(inner[-1], bearer) if inner else []
        if head not in _NUMBERS:
            raise Unsupported(f"amount {head}")
        return sum(_NUMBERS[head](self, card, *inner[:-1]) or 0 for card in cards)

    def selected(self, selector: Term, bearer: int) -> list[int]:
        """The cards of a selector outside of any effect: nobody has chosen there."""
        head, inner = name(selector), args(selector)
        if head == "self":
            return [bearer]
        if head == "each":
            return bits(self.mask(inner[0], bearer) & self.board.in_play)
        if head in ("your_hero", "enemy_hero"):
            whose = "yours" if head == "your_hero" else "enemy"
            return bits(self.mask(("and", "hero", whose), bearer) & self.board.in_play)
        return []

    def holds(self, term: Term, bearer: int) -> bool:
        """Whether a condition holds, read from a card and its controller."""
        head, inner = name(term), args(term)
        if head == "fails":
            return not self.holds(inner[0], bearer)
        if head in ("both_hold", "either_holds"):
            both = (self.holds(part, bearer) for part in inner)
            return all(both) if head == "both_hold" else any(both)
        if head in _COMPARED:
            return _COMPARED[head](*(self.amount(part, bearer) for part in inner))
        if head == "exists":
            return bool(self.mask(inner[0], bearer) & self.board.in_play)
        if head == "self_is":
            return self.fits(inner[0], bearer, bearer)
        if head == "fits":
            cards = self.selected(inner[0], bearer)
            return bool(cards) and all(self.fits(inner[1], bearer, card) for card in cards)
        if head == "your_turn":
            return self.board.cards[bearer].controller == self.board.state.active
        raise Unsupported(f"condition {head}")


def laid(board: Board, card: int, wanted: Term) -> int:
    """How many effects on a card have this ability, or one of this name."""
    effects = (parse(e.ability) for e in board.state.effects if e.card == board.ids[card])
    return sum(wanted in (term, name(term)) for term in effects)


def _greatest(view: View, value: str, among: int) -> Test:
    ranks = {n: worth for n in bits(among) if (worth := view.shown(n, value)) is not None}
    return lambda n, card: n in ranks and ranks[n] == max(ranks.values())


Test = Callable[[int, Card], bool]  # of a card and its place
_SUMS: dict[str, Callable[..., int]] = {
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: a - b,
    "times": lambda a, b: a * b,
    "half": lambda a: a // 2,
    "half_up": lambda a: (a + 1) // 2,
    "quotient": lambda a, b: a // b,
}
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "less": lambda a, b: a < b,
    "at_most": lambda a, b: a <= b,
    "at_least": lambda a, b: a >= b,
    "equal": lambda a, b: a == b,
}
# of one of the cards that a selector names
_NUMBERS: dict[str, Callable[..., int | None]] = {
    "strike": lambda view, n: view.shown(n, "strike"),
    "life": lambda view, n: view.shown(n, "life"),
    "lives": lambda view, n: (
        None
        if view.shown(n, "life") is None
        else view.board.life(n, view) - view.board.cards[n].wounds
    ),
    "wounds": lambda view, n: view.board.cards[n].wounds,
    "cost": lambda view, n: view.board.cards[n].cost,
    "extra_lives": lambda view, n: view.board.cards[n].extra_life,
    "counters": lambda view, n, wanted: laid(view.board, n, wanted),
    "held": lambda view, n: laid(view.board, n, "holds"),
}
# words for what depends on the moment at which they are read
AMOUNTS = {*_SUMS, *_NUMBERS, "count", "hand", "coins", "drawn", "card", "same_name"}
# the filters that look at each card by itself
_TESTS: dict[str, Callable[..., Test]] = {
    "neutral": lambda view: lambda n, card: not view.element(n),
    "type": lambda view, wanted: lambda n, card: card.type == wanted,
    "class": lambda view, wanted: lambda n, card: wanted in view.classes(n),
    "element": lambda view, wanted: lambda n, card: wanted in view.element(n),
    "elements_at_least": lambda view, least: lambda n, card: len(view.element(n)) >= least,
    "name": lambda view, wanted: lambda n, card: (card.name or card.id) == wanted,
    "card": lambda view, wanted: lambda n, card: card.id == wanted,  # a word: nobody yet
    "cost_at_most": lambda view, most: lambda n, card: card.cost <= most,
    "cost_at_least": lambda view, least: lambda n, card: card.cost >= least,
    "strike_at_most": lambda view, most: (
        lambda n, card: (worth := view.shown(n, "strike")) is not None and worth <= most
    ),
    "strike_at_least": lambda view, least: (
        lambda n, card: (worth := view.shown(n, "strike")) is not None and worth >= least
    ),
    "greatest": _greatest,
    "attacked": lambda view: lambda n, card: card.attacked,
    "attacking": lambda view: lambda n, card: n == view.board.attacker,
    "holding": lambda view: lambda n, card: laid(view.board, n, "holds") > 0,
    "bears": lambda view, term: lambda n, card: any(a.term == term for a in view.abilities[n]),
    "without_abilities": lambda view: (
        lambda n, card: {a.name for a in view.abilities[n]} <= SLIGHT
    ),
    # said of a card that is just coming, of a card that an effect speaks of
    "by_play": lambda view: lambda n, card: False,
    "same_name": lambda view, word: lambda n, card: False,
}  # fmt: skip


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
