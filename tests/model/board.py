"""What lies on the table: the abilities in force, the attributes, and which cards fit a filter.

Cards are numbered by their place in the state; a set of cards is a bit mask of those numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property, reduce
from itertools import chain
from operator import and_, or_
from typing import NamedTuple

from pyengine.model import Card, State
from tests.model.terms import Term, Unsupported, args, name, parse, show

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


@cache
def marks(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The names under which the use of equal abilities is noted: ``once``, ``once#2``, ..."""
    counts = [texts[: n + 1].count(text) for n, text in enumerate(texts)]
    return tuple(
        text if count == 1 else f"{text}#{count}" for text, count in zip(texts, counts, strict=True)
    )


@cache
def read(text: str, zone: str = "play") -> tuple[tuple[Term, str, tuple[Term, ...]], ...]:
    """What an ability is on a card in that zone: what gain(A) gives is A beside it."""
    out = [parse(text)]
    if name(out[0]) == "in_zone" and args(out[0])[0] == zone:
        out.append(args(out[0])[1])
    elif zone == "graveyard":
        return ()
    while name(out[-1]) == "gain":
        out.append(args(out[-1])[0])
    return tuple((term, name(term), args(term)) for term in out)


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


def latest(abilities: list[Ability], attribute: str) -> Ability | None:
    """The latest ``is(attribute, value)``; of a tie the last."""
    found = [a for a in abilities if a.name == "is" and a.args[0] == attribute]
    return max(reversed(found), key=lambda a: a.moment) if found else None


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

    def element(self, place: int) -> tuple[str, ...]:
        """The elements of a card, after the latest effect that sets them."""
        fixed = latest(self.abilities[place], "element")
        if fixed is None:
            return self.board.cards[place].element
        return () if fixed.args[1] == "neutral" else (fixed.args[1],)

    def classes(self, place: int) -> tuple[str, ...]:
        """The classes of a card, after the latest effect that sets them."""
        fixed = latest(self.abilities[place], "class")
        return self.board.cards[place].classes if fixed is None else (fixed.args[1],)

    # -- numbers and conditions -------------------------------------------------------------------

    def value(self, card: int, attribute: str) -> int:
        """strike, life or cost: printed, then added to, then set by the latest effect."""
        own, more = self.abilities[card], 0
        fixed = latest(own, attribute)
        if fixed is not None:
            return self.amount(fixed.args[1], card)
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


def _laid(board: Board, card: int, wanted: Term) -> int:
    """How many effects on a card have this ability, or one of this name."""
    laid = (parse(e.ability) for e in board.state.effects if e.card == board.ids[card])
    return sum(wanted in (term, name(term)) for term in laid)


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
    "counters": lambda view, n, wanted: _laid(view.board, n, wanted),
    "held": lambda view, n: _laid(view.board, n, "holds"),
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
    "holding": lambda view: lambda n, card: _laid(view.board, n, "holds") > 0,
    "bears": lambda view, term: lambda n, card: any(a.term == term for a in view.abilities[n]),
    "without_abilities": lambda view: (
        lambda n, card: {a.name for a in view.abilities[n]} <= SLIGHT
    ),
    # said of a card that is just coming, of a card that an effect speaks of
    "by_play": lambda view: lambda n, card: False,
    "same_name": lambda view, word: lambda n, card: False,
}  # fmt: skip


class Board:
    """One state, with everything that its abilities make of it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.cards: tuple[Card, ...] = state.cards
        self.ids = [card.id for card in self.cards]
        self.place: dict[str, int] = {id: n for n, id in enumerate(self.ids)}
        self.attacker = self.place[state.pending.attacker] if state.pending else -1
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
        # auras that set attributes or take abilities, read from what is printed and laid
        if "grant" in view.having:
            own, view = self._more(own, view, self._granted(view, [], early=True))
        # then conditions, and all other auras, read with what these have made of the cards
        held = self._held(view, chain.from_iterable(view.abilities))
        own, view = self._more(own, view, [*held, *self._granted(view, held, early=False)])
        self.given = own  # every ability a card was ever given, lost ones too: their numbers stay
        self.view = view

    def where(self, test: Test) -> int:
        """The cards for which test(place, card) holds."""
        return sum(1 << n for n, card in enumerate(self.cards) if test(n, card))

    def player(self, word: str, bearer: int) -> str:
        """The player that ``you`` or ``opponent`` means, seen from a card."""
        mine = self.cards[bearer].controller
        return next(id for id in self.side if (id == mine) == (word == "you"))

    # -- abilities --------------------------------------------------------------------------------

    def _more(
        self, own: list[list[Ability]], view: View, given: list[Ability]
    ) -> tuple[list[list[Ability]], View]:
        """The abilities with some more, and what that makes of the cards."""
        if not given:
            return own, view
        own = [[*each] for each in own]
        for ability in given:
            own[ability.bearer].append(ability)
        return own, View(self, own)

    def _printed_and_laid(self) -> list[list[Ability]]:
        own: list[list[Ability]] = [[] for _ in self.cards]
        for n, card in enumerate(self.cards):
            if card.abilities and card.zone in ("play", "hand", "graveyard"):
                for text, mark in zip(card.abilities, marks(card.abilities), strict=True):
                    for term in read(text, card.zone):
                        own[n].append(
                            Ability(n, *term, card.id, card.controller, -1, PRINTED, (n, mark))
                        )
        for number, effect in enumerate(self.state.effects):
            n = self.place[effect.card]
            if self.in_play >> n & 1:
                by, used = effect.source or effect.card, (-1, str(number))
                for term in read(effect.ability):
                    own[n].append(
                        Ability(n, *term, by, effect.controller, effect.since, LAID, used)
                    )
        return own

    def _held(self, view: View, own: Iterable[Ability]) -> list[Ability]:
        """What conditional abilities give where their condition holds."""
        out = []
        for a in own:
            if a.name == "while":
                holds = view.holds(a.args[0], a.bearer)
            else:
                raids = a.name == "raid" and a.bearer == self.attacker
                holds = raids and view.amount("attacks", a.bearer) >= a.args[0]
            if holds:
                out.append(a.giving(a.args[1]))
        return out

    def _granted(self, view: View, held: list[Ability], early: bool) -> list[Ability]:
        """What the auras give: first those of is(..) and lose(..), then the others."""
        out: list[Ability] = []
        auras = [
            (self.cards[a.bearer].since if a.moment < 0 else a.moment, a)
            for a in chain(*view.abilities, held)
            if a.name == "grant" and self.in_play >> a.bearer & 1
            and (name(a.args[1]) in ("is", "lose")) == early
        ]  # fmt: skip
        for since, aura in sorted(auras, key=lambda pair: pair[0]):
            giving = [aura]
            while giving:  # an aura may give auras
                given = list(self._reached(view, giving.pop(), since, out))
                out += given
                giving += [granted for granted in given if granted.name == "grant"]
        return out + self._held(view, out)

    def _reached(
        self, view: View, aura: Ability, since: int, before: list[Ability]
    ) -> Iterator[Ability]:
        """What one aura gives."""
        filter_, term = aura.args
        reach = self.in_play
        if name(term) == "mod" and term[1] == "cost":
            reach |= self.where(lambda place, card: card.zone == "hand")
        owner = self.cards[aura.bearer].controller
        for n in bits(view.mask(filter_, aura.bearer) & reach):
            card = self.cards[n]
            had = (*card.abilities, *(show(a.term) for a in before if a.bearer == n))
            mark = (n, marks((*had, show(term)))[-1])
            for given in read(show(term)):
                yield Ability(n, *given, card.id, owner, since, GRANTED, mark)

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

    def amount(self, ability: Ability, place: int = 0) -> int:
        """The number that stands among the arguments of an ability."""
        return self.view.amount(ability.args[place], ability.bearer)

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

    def life(self, card: int, view: View | None = None) -> int:
        """How many wounds a character can have before it is dead."""
        return (view or self.view).value(card, "life") + self.cards[card].extra_life

    def counters(self, card: int, counter: str) -> int:
        """How many counters of that name lie on a card."""
        return _laid(self, card, ("counter", counter))

    def price(self, card: int) -> int:
        """The coins that playing a card from the hand costs, never below 0 (512.1)."""
        return max(0, self.view.value(card, "cost"))


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
