"""What lies on the table: which abilities are in force, and what can be read off the cards.

Cards are numbered by their place in the state; a set of cards is a bit mask of those numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from pyengine.model import State
from tests.model.terms import Term, Unsupported, args, name, parse, show
from tests.model.words import FILTERS, PLAIN, RECKONED, TRIGGERED, bits

Mark = tuple[int, str]  # where a use is noted: place of the card and term, or -1 and of the effect


class Ability(NamedTuple):
    """One ability of one card."""

    name: str
    args: tuple[Term, ...]
    bearer: int
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
def read(term: Term, zone: str) -> list[Term]:
    """What an ability is on a card in that zone: what gain(A) gives is A beside it."""
    out = [term]
    if name(term) == "in_zone" and args(term)[0] == zone:
        out.append(args(term)[1])
    elif zone == "graveyard":
        return []
    while name(out[-1]) == "gain":
        out.append(args(out[-1])[0])
    return out


def abilities(term: Term, zone: str, *rest: Any) -> Iterator[Ability]:
    """What an ability is in that zone; the rest is what else there is to an `Ability`."""
    return (Ability(name(each), args(each), *rest) for each in read(term, zone))


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
        """Settles in three stages, each of which reads what those before it have left.

        What is printed and laid; what auras of is(..) and lose(..) give; what conditions and all
        other auras give.
        """
        self.state, self.cards, self.players = state, state.cards, dict(state.players)
        self.ids = [card.id for card in self.cards]
        self.place = {id: n for n, id in enumerate(self.ids)}
        self.attacker = self.place[state.pending.attacker] if state.pending else -1
        self.everything = (1 << len(self.cards)) - 1
        numbered = list(enumerate(self.cards))
        self.plain = {
            word: sum(1 << n for n, card in numbered if fits(card)) for word, fits in PLAIN.items()
        }
        self.side = {
            id: sum(1 << n for n, card in numbered if card.controller == id) for id in self.players
        }
        self.in_play, self.characters = self.plain["play"], self.plain["character"]
        self.given: list[list[Ability]] = [[] for _ in self.cards]
        self.settle(self.printed_and_laid())
        if early := self.granted([], early=True):
            self.settle(early)
        held = list(self.held(chain(*self.abilities)))
        if late := [*held, *self.granted(held, early=False)]:
            self.settle(late)

    # -- abilities --------------------------------------------------------------------------------

    def settle(self, more: Iterable[Ability]) -> None:
        """The cards have these abilities, too; ``given`` keeps the lost ones, and their numbers."""
        for a in more:
            self.given[a.bearer].append(a)
        self.abilities = [in_force(own) for own in self.given]
        self.masks: dict[tuple[Term, int], int] = {}
        self.all = defaultdict[str, list[Ability]](list)  # by name, of the cards in play
        for n in bits(self.in_play):
            for a in self.abilities[n]:
                self.all[a.name].append(a)

    def printed_and_laid(self) -> Iterator[Ability]:
        """What stands on the cards, and the effects that lie on them."""
        for n, card in enumerate(self.cards):
            for text, mark in zip(card.abilities, marks(card.abilities), strict=True):
                if card.zone in ("play", "hand", "graveyard"):
                    rest = (n, card.id, card.controller, -1, (n, mark))
                    yield from abilities(parse(text), card.zone, *rest)
        for number, e in enumerate(self.state.effects):
            n, by = self.place[e.card], e.source or e.card
            if self.cards[n].zone == "play":
                rest = (n, by, e.controller, e.since, (-1, str(number)))
                yield from abilities(parse(e.ability), "play", *rest)

    def held(self, own: Iterable[Ability]) -> Iterator[Ability]:
        """What conditional abilities give where their condition holds."""
        for a in own:
            if (a.name == "while" and self.reckon(a.args[0], a.bearer)) or (
                (a.name, a.bearer) == ("raid", self.attacker)
                and self.reckon("attacks", a.bearer) >= a.args[0]
            ):
                given = list(abilities(a.args[1], "play", *a[2:]))
                yield from (*given, *self.held(given))

    def granted(self, held: list[Ability], early: bool) -> list[Ability]:
        """What the auras give: first those of is(..) and lose(..), then the others."""
        out = list[Ability]()
        # what an aura gives has the moment of its effect, of a printed one that of its card
        auras = [
            a if a.moment >= 0 else a._replace(moment=self.cards[a.bearer].since)
            for a in (*self.all["grant"], *held)
            if a.name == "grant" and self.in_play >> a.bearer & 1
            and (name(a.args[1]) in ("is", "lose")) == early
        ]  # fmt: skip
        waiting = sorted(auras, key=lambda a: a.moment)[::-1]
        while waiting:  # an aura may give auras
            given = list(self.reached(waiting.pop(), out))
            given += list(self.held(given))
            out += given
            waiting += [a for a in given if a.name == "grant"]
        return out

    def reached(self, aura: Ability, before: list[Ability]) -> Iterator[Ability]:
        """What one aura gives; beside what others gave before."""
        (filter_, term), owner = aura.args, self.cards[aura.bearer].controller
        hand = self.plain["hand"] if name(term) == "mod" and args(term)[0] == "cost" else 0
        for n in bits(self.mask(filter_, aura.bearer) & (self.in_play | hand)):
            had = [show((a.name, *a.args) if a.args else a.name) for a in before if a.bearer == n]
            mark = marks((*self.cards[n].abilities, *had, show(term)))[-1]
            yield from abilities(term, "play", n, self.ids[n], owner, aura.moment, (n, mark))

    def of(self, card: int, wanted: str) -> list[Ability]:
        """The abilities of that name in force on one card."""
        return [a for a in self.abilities[card] if a.name == wanted]

    def activated(self, card: int) -> list[Ability]:
        """Its activated abilities by number: printed order, then acquired by moment; lost too."""
        return sorted((a for a in self.given[card] if a.name == "use"), key=lambda a: a.moment)

    def spent(self, ability: Ability) -> int:
        """How much of an ability is used up."""
        card, mark = ability.mark
        used = dict(self.cards[card].spent) if card >= 0 else {}
        return used.get(mark, 0) if card >= 0 else self.state.effects[int(mark)].spent

    def laid(self, card: int, wanted: Term) -> int:
        """How many effects on a card have this ability, or one of this name."""
        effects = (parse(e.ability) for e in self.state.effects if e.card == self.ids[card])
        return sum(wanted in (term, name(term)) for term in effects)

    # -- what the cards are -----------------------------------------------------------------------

    def mask(self, filter_: Term, bearer: int) -> int:
        """The cards of all zones that fit the filter, read from the bearer."""
        found = self.plain.get(filter_)
        found = self.masks.get((filter_, bearer)) if found is None else found
        if found is None:
            if name(filter_) not in FILTERS:
                raise Unsupported(f"filter {name(filter_)}")
            found = FILTERS[name(filter_)](self, bearer, *args(filter_))
            self.masks[filter_, bearer] = found
        return found

    def fits(self, filter_: Term, bearer: int, card: int) -> bool:
        """Whether the card fits the filter, read from the bearer."""
        return bool(self.mask(filter_, bearer) >> card & 1)

    def reckon(self, term: Term, bearer: int) -> int:
        """How much an amount is, or whether a condition holds, read from a card."""
        if isinstance(term, int):
            return term
        if name(term) not in RECKONED:
            raise Unsupported(f"amount or condition {name(term)}")
        return int(RECKONED[name(term)](self, bearer, *args(term)))

    def fixed(self, card: int, attribute: str) -> Term | None:
        """What the latest ``is(attribute, value)`` on a card says; of a tie the last."""
        found = [a for a in self.of(card, "is") if a.args[0] == attribute]
        return max(reversed(found), key=lambda a: a.moment).args[1] if found else None

    def value(self, card: int, attribute: str) -> int:
        """strike, life or cost: printed, then added to, then set by the latest effect."""
        fixed = self.fixed(card, attribute)
        if fixed is not None:
            return max(0, self.reckon(fixed, card))
        mods = [a.args[1] for a in self.of(card, "mod") if a.args[0] == attribute]
        grown = attribute != "cost" and self.cards[card].type == "creature"
        more = len(self.of(card, "enhancement")) if grown else 0
        printed: int = getattr(self.cards[card], attribute)
        return printed + more + sum(self.reckon(term, card) for term in mods)

    def life(self, card: int) -> int:
        """How many wounds a character can have before it is dead."""
        return self.value(card, "life") + self.cards[card].extra_life
