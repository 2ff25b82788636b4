"""What lies on the table: which abilities are in force, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import chain

from pyengine.model import Card, State
from tests.model.terms import Term, args, name, parse, show
from tests.model.view import (
    AMOUNTS,
    CHARACTERS,
    GRANTED,
    LAID,
    PRINTED,
    TRIGGERED,
    Ability,
    Mark,
    Test,
    View,
    bits,
    laid,
)


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
        if view.having.keys() & {"while", "raid", "grant"}:
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
            if a.name == "raid" and a.bearer == self.attacker:
                holds = view.amount("attacks", a.bearer) >= a.args[0]
            else:
                holds = a.name == "while" and view.holds(a.args[0], a.bearer)
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
        return laid(self, card, ("counter", counter))

    def price(self, card: int) -> int:
        """The coins that playing a card from the hand costs, never below 0 (512.1)."""
        return max(0, self.view.value(card, "cost"))


__all__ = ["AMOUNTS", "CHARACTERS", "TRIGGERED", "Ability", "Board", "Mark", "bits"]
