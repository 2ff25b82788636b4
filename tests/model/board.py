"""What lies on the table: which abilities are in force, and what can be read off the cards.

Cards are numbered by their place in the state; a set of cards is a bit mask of those numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from pyengine.model import State
from tests.model.terms import Term, Unsupported, args, name, parse, show
from tests.model.words import COMPARED, FILTERS, NUMBERS, SUMS, TESTS, bits

TRIGGERED = ("on", "once_on", "may_on", "delayed")
Mark = tuple[int, str]  # where a use is noted: place of the card and term, or -1 and of the effect


class Ability(NamedTuple):
    """One ability of one card."""

    bearer: int
    name: str
    args: tuple[Term, ...]
    by: str  # the card that reasons name: the source of a laid effect, else the bearer
    owner: str  # whose effect it is
    moment: int  # greater is later; -1 for printed ones, older than any effect
    mark: Mark


@cache
def marks(texts: tuple[str, ...]) -> list[str]:
    """The names under which the use of equal abilities is noted: ``once``, ``once#2``, ..."""
    counts = [texts[: n + 1].count(text) for n, text in enumerate(texts)]
    return [f"{text}#{n}" if n > 1 else text for text, n in zip(texts, counts, strict=True)]


@cache
def read(term: Term, zone: str = "play") -> list[Term]:
    """What an ability is on a card in that zone: what gain(A) gives is A beside it."""
    out = [term]
    if name(term) == "in_zone" and args(term)[0] == zone:
        out.append(args(term)[1])
    elif zone == "graveyard":
        return []
    while name(out[-1]) == "gain":
        out.append(args(out[-1])[0])
    return out


def in_force(abilities: list[Ability]) -> list[Ability]:
    """Without those that a later effect takes away (the latest effect wins)."""
    losses = [(a.args[0], a.moment) for a in abilities if a.name == "lose"]

    def lost(a: Ability) -> bool:
        named = {a.name, name(a.args[0])} if a.name in TRIGGERED else {a.name}
        named |= {"all"} if a.moment < 0 else set()
        return any(moment > a.moment and taken in named for taken, moment in losses)

    return [a for a in abilities if not lost(a)] if losses else abilities


class Board:
    """One state, with everything that its abilities make of it."""

    def __init__(self, state: State) -> None:
        self.state, self.cards = state, state.cards
        self.players = dict(state.players)
        self.ids = [card.id for card in self.cards]
        self.place = {id: n for n, id in enumerate(self.ids)}
        self.attacker = self.place[state.pending.attacker] if state.pending else -1
        self.everything = (1 << len(self.cards)) - 1
        self.side = dict.fromkeys(self.players, 0)
        types, zones = {"hero": 0, "creature": 0}, {"play": 0}
        closed = wounded = 0
        for n, card in enumerate(self.cards):
            bit = 1 << n
            self.side[card.controller] |= bit
            types[card.type] = types.get(card.type, 0) | bit
            zones[card.zone] = zones.get(card.zone, 0) | bit
            closed |= bit * card.closed
            wounded |= bit * bool(card.wounds)
        self.zones, self.in_play = zones, zones["play"]
        self.characters = types["hero"] | types["creature"]
        self.plain = {
            "any": self.everything, "hero": types["hero"], "creature": types["creature"],
            "character": self.characters, "open": self.everything & ~closed, "closed": closed,
            "wounded": wounded,
        }  # fmt: skip
        self.given: list[list[Ability]] = [[] for _ in self.cards]
        self.settle(self.printed_and_laid())
        # auras that set attributes or take abilities, read from what is printed and laid
        if "grant" in self.having:
            self.settle(self.granted((), early=True))
        # then conditions, and all other auras, read with what these have made of the cards
        if self.having.keys() & {"while", "raid", "grant"}:
            held = list(self.held(chain.from_iterable(self.abilities)))
            self.settle([*held, *self.granted(held, early=False)])

    # -- abilities --------------------------------------------------------------------------------

    def settle(self, more: Iterable[Ability]) -> None:
        """The cards have these abilities, too; ``given`` keeps the lost ones, and their numbers."""
        for a in more:
            self.given[a.bearer].append(a)
        self.abilities = [in_force(own) for own in self.given]
        self.masks: dict[tuple[Term, int], int] = {}
        self.having: dict[str, int] = {}
        self.named: dict[str, list[Ability]] = {}
        for n, own in enumerate(self.abilities):
            for a in own:
                self.having[a.name] = self.having.get(a.name, 0) | 1 << n

    def printed_and_laid(self) -> Iterator[Ability]:
        """What stands on the cards, and the effects that lie on them."""
        for n, card in enumerate(self.cards):
            if card.abilities and card.zone in ("play", "hand", "graveyard"):
                for text, mark in zip(card.abilities, marks(card.abilities), strict=True):
                    for term in read(parse(text), card.zone):
                        yield Ability(
                            n, name(term), args(term), card.id, card.controller, -1, (n, mark)
                        )
        for number, effect in enumerate(self.state.effects):
            n = self.place[effect.card]
            for term in read(parse(effect.ability)) if self.in_play >> n & 1 else ():
                by, used = effect.source or effect.card, (-1, str(number))
                yield Ability(n, name(term), args(term), by, effect.controller, effect.since, used)

    def held(self, own: Iterable[Ability]) -> Iterator[Ability]:
        """What conditional abilities give where their condition holds."""
        for a in own:
            if (a.name == "while" and self.holds(a.args[0], a.bearer)) or (
                (a.name, a.bearer) == ("raid", self.attacker)
                and self.amount("attacks", a.bearer) >= a.args[0]
            ):
                for term in read(a.args[1]):
                    yield a._replace(name=name(term), args=args(term))

    def granted(self, held: Iterable[Ability], early: bool) -> list[Ability]:
        """What the auras give: first those of is(..) and lose(..), then the others."""
        out: list[Ability] = []
        auras = [
            (self.cards[a.bearer].since if a.moment < 0 else a.moment, a)
            for a in chain(*self.abilities, held)
            if a.name == "grant" and self.in_play >> a.bearer & 1
            and (name(a.args[1]) in ("is", "lose")) == early
        ]  # fmt: skip
        for since, aura in sorted(auras, key=lambda pair: pair[0]):
            giving = [aura]
            while giving:  # an aura may give auras
                given = list(self.reached(giving.pop(), since, out))
                out += given
                giving += [a for a in given if a.name == "grant"]
        return [*out, *self.held(out)]

    def reached(self, aura: Ability, since: int, before: list[Ability]) -> Iterator[Ability]:
        """What one aura gives; beside what others gave before."""
        filter_, term = aura.args
        reach = self.in_play
        if args(term)[:1] == ("cost",) and name(term) == "mod":
            reach |= self.zones.get("hand", 0)
        for n in bits(self.mask(filter_, aura.bearer) & reach):
            card, owner = self.cards[n], self.cards[aura.bearer].controller
            had = [show((a.name, *a.args) if a.args else a.name) for a in before if a.bearer == n]
            mark = marks((*card.abilities, *had, show(term)))[-1]
            for each in read(term):
                yield Ability(n, name(each), args(each), card.id, owner, since, (n, mark))

    def all(self, wanted: str) -> list[Ability]:
        """The abilities of that name in force on the cards in play."""
        found = self.named.get(wanted)
        if found is None:
            bearers = bits(self.having.get(wanted, 0) & self.in_play)
            found = self.named[wanted] = [a for n in bearers for a in self.of(n, wanted)]
        return found

    def of(self, card: int, wanted: str) -> list[Ability]:
        """The abilities of that name in force on one card."""
        return [a for a in self.abilities[card] if a.name == wanted]

    def activated(self, card: int) -> list[Ability]:
        """Its activated abilities by number: printed order, then acquired by moment; lost too."""
        return sorted((a for a in self.given[card] if a.name == "use"), key=lambda a: a.moment)

    def spent(self, ability: Ability) -> int:
        """How much of an ability is used up."""
        card, mark = ability.mark
        if card < 0:
            return self.state.effects[int(mark)].spent
        return dict(self.cards[card].spent).get(mark, 0)

    def laid(self, card: int, wanted: Term) -> int:
        """How many effects on a card have this ability, or one of this name."""
        effects = (parse(e.ability) for e in self.state.effects if e.card == self.ids[card])
        return sum(wanted in (term, name(term)) for term in effects)

    # -- filters ----------------------------------------------------------------------------------

    def fits(self, filter_: Term, bearer: int, card: int) -> bool:
        """Whether the card fits the filter, read from the bearer."""
        return bool(self.mask(filter_, bearer) >> card & 1)

    def mask(self, filter_: Term, bearer: int) -> int:
        """The cards of all zones that fit the filter, read from the bearer."""
        found = self.masks.get((filter_, bearer))
        if found is None:
            head = name(filter_)
            if head in self.plain:
                found = self.plain[head]
            elif head in FILTERS:
                found = FILTERS[head](self, bearer, *args(filter_))
            elif head in TESTS:
                test, inner = TESTS[head], args(filter_)
                if head.endswith(("_most", "_least")):
                    inner = (self.amount(inner[0], bearer),)
                fit = (n for n, card in enumerate(self.cards) if test(self, n, card, *inner))
                found = sum(1 << n for n in fit)
            else:
                raise Unsupported(f"filter {head}")
            self.masks[filter_, bearer] = found
        return found

    # -- values, amounts, conditions --------------------------------------------------------------

    def fixed(self, card: int, attribute: str) -> Term | None:
        """What the latest ``is(attribute, value)`` on a card says; of a tie the last."""
        found = [a for a in self.of(card, "is") if a.args[0] == attribute]
        return max(reversed(found), key=lambda a: a.moment).args[1] if found else None

    def elements(self, card: int) -> tuple[str, ...]:
        """The elements of a card, after the latest effect that sets them."""
        fixed = self.fixed(card, "element")
        return self.cards[card].element if fixed is None else (fixed,) * (fixed != "neutral")

    def classes(self, card: int) -> tuple[str, ...]:
        """The classes of a card, after the latest effect that sets them."""
        fixed = self.fixed(card, "class")
        return self.cards[card].classes if fixed is None else (fixed,)

    def value(self, card: int, attribute: str) -> int:
        """strike, life or cost: printed, then added to, then set by the latest effect."""
        fixed = self.fixed(card, attribute)
        if fixed is not None:
            return max(0, self.amount(fixed, card))
        value: int = getattr(self.cards[card], attribute)
        value += sum(self.amount(a.args[1], card) for a in self.of(card, "mod")
                     if a.args[0] == attribute)  # fmt: skip
        if self.cards[card].type == "creature" and attribute != "cost":
            value += len(self.of(card, "enhancement"))
        return value

    def life(self, card: int) -> int:
        """How many wounds a character can have before it is dead."""
        return self.value(card, "life") + self.cards[card].extra_life

    def shown(self, card: int, attribute: str) -> int | None:
        """A strike or life that is compared: of a creature's strike only, and never below 0."""
        fighters = self.plain["creature"] if attribute == "strike" else self.characters
        if attribute == "cost":
            return self.cards[card].cost
        if not fighters & self.in_play & 1 << card:
            return None
        value = self.value(card, attribute)
        return max(0, value) if attribute == "strike" else value

    def amount(self, term: Term, bearer: int) -> int:
        """How much that is, read from a card and its controller."""
        if isinstance(term, int):
            return term
        head, inner = name(term), args(term)
        if head in SUMS:
            return int(SUMS[head](*(self.amount(part, bearer) for part in inner)))
        if head == "count":
            return (self.mask(inner[0], bearer) & self.in_play).bit_count()
        if head == "attacks":
            return sum(player.attacks for player in self.players.values())
        if head in ("hand", "coins", "drawn"):
            mine = self.cards[bearer].controller
            who = next(id for id in self.players if (id == mine) == (inner[0] == "you"))
            if head == "hand":
                return sum((card.zone, card.owner) == ("hand", who) for card in self.cards)
            return int(getattr(self.players[who], head))
        if head not in NUMBERS:
            raise Unsupported(f"amount {head}")
        return sum(NUMBERS[head](self, n, *inner[:-1]) or 0 for n in self.selected(inner, bearer))

    def selected(self, inner: tuple[Term, ...], bearer: int) -> list[int]:
        """The cards of a selector, the last of the arguments, where nobody has chosen."""
        head = name(inner[-1]) if inner else ""
        whom = {"self": "self", "your_hero": ("and", "hero", "yours"),
                "enemy_hero": ("and", "hero", "enemy")}.get(head)  # fmt: skip
        whom = args(inner[-1])[0] if head == "each" else whom
        if whom is None:
            return []
        return bits(self.mask(whom, bearer) & (self.in_play if head != "self" else -1))

    def holds(self, term: Term, bearer: int) -> bool:
        """Whether a condition holds, read from a card and its controller."""
        head, inner = name(term), args(term)
        if head == "fails":
            return not self.holds(inner[0], bearer)
        if head in ("both_hold", "either_holds"):
            return (all if head == "both_hold" else any)(self.holds(c, bearer) for c in inner)
        if head in COMPARED:
            return bool(COMPARED[head](*(self.amount(part, bearer) for part in inner)))
        if head == "exists":
            return bool(self.mask(inner[0], bearer) & self.in_play)
        if head == "self_is":
            return self.fits(inner[0], bearer, bearer)
        if head == "fits":
            cards = self.selected(inner[:1], bearer)
            return bool(cards) and all(self.fits(inner[1], bearer, card) for card in cards)
        if head == "your_turn":
            return self.cards[bearer].controller == self.state.active
        raise Unsupported(f"condition {head}")
