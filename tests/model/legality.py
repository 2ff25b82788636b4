"""Which declarations are legal, and every reason against those that are not (CONTRACT 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from pyengine.model import State
from tests.model import terms
from tests.model.board import Ability, Board
from tests.model.terms import ATTACKER, ENEMY, Slot, Unsupported, cost
from tests.model.words import bits, from_spells

Reason = tuple[str, str | None]  # rule, card
Reasons = frozenset[Reason]


class Aim(NamedTuple):
    """A target of a deed: whom it looks at, and what stands against whom."""

    slot: Slot
    verbs: frozenset[str]  # what is done to it
    range: int  # the cards that are looked at
    against: list[tuple[Reason, int]]  # each reason with the cards that it stands against
    lured: int  # the cards to which a lure can bind it


class Way(NamedTuple):
    """One way to choose among the effects of a deed."""

    aims: list[Aim]
    least: int  # so many targets are named at least
    lures: list[tuple[str, list[int], int]]  # 514.1: by whom, in which places, which cards


class Declared(NamedTuple):
    """One declaration with what was found against it, obligations aside."""

    text: str
    agent: int = -1
    verbs: frozenset[str] = frozenset()
    targets: tuple[int, ...] = ()
    reasons: Reasons = frozenset()


class Claim:
    """A deed before its targets are named: what stands against it, and against each of them."""

    def __init__(self, law: Law, verb: str, agent: int, number: int = 0) -> None:
        self.law, self.verb, self.agent, self.card = law, verb, agent, law.cards[agent]
        self.text = f"{verb}({self.card.id}" + (f",{number}" if verb == "use" else "")
        abilities = law.activated(agent) if verb == "use" else []
        self.ability = abilities[number - 1] if 0 < number <= len(abilities) else None
        self.price = cost(self.ability.args[0]) if self.ability else cost("and")
        self.spells = law.of(agent, "spell") if verb == "play" else []
        asked, self.verbs = self.asked()
        own = [a for a in law.abilities[agent] if a.args and a.args[0] in self.verbs]
        self.allowed = any(a.name == "may" and not law.spent(a) for a in own)
        self.musts = [a for a in own if a.name == "must"]
        self.found = frozenset(self.against())
        self.ways = [self.way([self.aim(slot) for slot in slots]) for slots in asked]

    def asked(self) -> tuple[Iterable[tuple[Slot, ...]], frozenset[str]]:
        """The targets asked for in each way to choose, and the verbs of the deed."""
        if self.verb == "attack":
            return ((ENEMY,),), frozenset({"attack", "strike", "act"})
        if self.verb == "defend":  # its target is the attacker, which it does not choose
            return ((ATTACKER,) * len(self.law.striking),), frozenset({"defend", "act"})
        effects = [*self.spells, *([self.ability] if self.ability else [])]
        verbs = {self.verb} | ({"act"} if "close" in self.price else set())
        verbs |= {"shoot"} if any(terms.shoots(a.args[-1]) for a in effects) else set()
        asked = [terms.ways((a.name, *a.args)) for a in effects]
        asked = [each for each in asked if any(each)] or [((),)]
        if len(asked) > 1:
            raise Unsupported("two spells on a card")
        return asked[0], frozenset(verbs)

    def against(self) -> Iterator[Reason]:
        """What stands against it whatever its targets are."""
        law, shut = self.law, {(verb,) for verb in self.verbs}
        shut |= {("close",)} if "close" in self.price else set()
        for a in law.of(self.agent, "cannot"):
            if a.args in shut:
                yield "514.2", a.by
        for a in law.of(law.attacker, "directed_strike") if self.verb == "defend" else ():
            if law.striking and law.concerns(a.args, law.attacker, law.attacked):
                yield "509.2", a.by
        for rule, breaks in RULES[self.verb]:
            if breaks(self):
                yield rule, self.card.id

    def aim(self, slot: Slot) -> Aim:
        """What a target is judged by."""
        law, agent, verbs = self.law, self.agent, terms.done_to(slot, self.verbs)
        barred = list(self.barred(slot, verbs))
        reach = law.range(slot, agent)
        zone = "514.1" if slot.does & {"destroy", "revive"} else "base.zone"
        right = {"base.target": law.mask(slot.filter, agent), zone: law.in_play}
        if "revive" in slot.does:
            right[zone] = reach
        if slot.price:  # one closing pays once
            right["base.closed"] = law.plain["open"]
            right["base.cost"] = ~(1 << agent if "close" in self.price else 0)
        rules = [((rule, self.card.id), law.everything & ~cards) for rule, cards in right.items()]
        # 514.1: a lure binds also if its card does not fit; but the rules themselves forbid
        # attacking all but enemy characters
        free = reach if slot is ENEMY else law.everything
        lured = reduce(lambda left, pair: left & ~pair[1], barred, free)
        return Aim(slot, verbs, reach, [pair for pair in barred + rules if pair[1]], lured)

    def barred(self, slot: Slot, verbs: frozenset[str]) -> Iterator[tuple[Reason, int]]:
        """What the texts of cards have against which targets."""
        law, agent = self.law, self.agent
        for a in law.of(agent, "cannot"):
            if len(a.args) == 2 and a.args[0] in verbs:
                yield ("514.2", a.by), law.mask(a.args[1], agent)
        for a in law.all["cannot"] if slot.price else ():
            if a.args == ("close",):
                yield ("514.2", a.by), 1 << a.bearer
        for a in law.all["cannot_be"]:
            if a.args[0] in verbs and law.concerns(a.args[1:], a.bearer, agent):
                yield ("514.2", a.by), 1 << a.bearer
        for a in law.all["protection"] if self.spells else ():
            if from_spells(a):
                yield ("514.1", a.by), 1 << a.bearer

    def way(self, aims: list[Aim]) -> Way:
        """One way to choose, with the lures that bind it: one that nothing can follow lapses."""
        law, lures = self.law, []
        for a in law.all["lure"]:
            places = [n for n, aim in enumerate(aims)
                      if a.args[0] in aim.verbs and aim.slot is not ATTACKER]  # fmt: skip
            if places and law.concerns(a.args[1:2], a.bearer, self.agent):
                baits = [law.mask(whom, a.bearer) & law.in_play for whom in a.args[2:]]
                baits = baits or [1 << a.bearer]
                if any(baits[0] & aims[n].lured for n in places):
                    lures.append((a.by, places, baits[0]))
        least = [n for n, aim in enumerate(aims, 1) if not aim.slot.spare]
        return Way(aims, max(least, default=0), lures)

    def declared(self, way: Way, targets: tuple[int, ...], told: bool = True) -> Declared:
        """The declaration with these targets, in one way to choose; ``told``: its text names them."""
        found = list[Reason]()
        count = len(targets)
        if not way.least <= count <= len(way.aims) or (count > 1 and len({*targets}) < count):
            found += [("514.1", self.card.id)]
        for aim, target in zip(way.aims, targets, strict=False):  # too many: said above
            for reason, cards in aim.against:
                if cards >> target & 1:
                    found.append(reason)
        for by, places, baits in way.lures:
            if not any(n < len(targets) and baits >> targets[n] & 1 for n in places):
                found += [("514.1", by)]
        if self.allowed or (self.musts and any(self.law.meets(a, targets) for a in self.musts)):
            # the card was allowed or obliged to do just this
            found += [("524.2", by) for rule, by in (*self.found, *found) if rule == "514.2"]
        names = "".join([f",{self.law.ids[target]}" for target in targets]) if told else ""
        reasons = self.found.union(found) if found else self.found
        return Declared(f"{self.text}{names})", self.agent, self.verbs, targets, reasons)

    def candidates(self) -> Iterator[Declared]:
        """All that it can become: each choice of targets, or none if there is nothing to choose."""
        if self.verb == "defend":
            yield self.declared(self.ways[0], self.law.striking, told=False)
            return
        for way in self.ways:
            ranges = [bits(aim.range) for aim in way.aims]
            for length in range(way.least, len(ranges) + 1):
                for targets in product(*ranges[:length]):
                    yield self.declared(way, targets)
            if not all(ranges[: way.least]):
                yield self.declared(way, ())


class Law(Board):
    """The legality of every declaration in one state."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.passive = next(id for id in self.players if id != state.active)
        self.decides = self.passive if state.pending else state.active
        self.running = state.phase == "main" and state.result is None
        self.striking = (self.attacker,) if state.pending else ()
        self.attacked = self.place[state.pending.target] if state.pending else -1

    def concerns(self, filters: Iterable[object], bearer: int, card: int) -> bool:
        """Whether an ability that is about all, or all that fit a filter, is about this card."""
        return all(self.fits(filter_, bearer, card) for filter_ in filters)

    def meets(self, must: Ability, targets: tuple[int, ...]) -> bool:
        """Whether a declaration of the right verb with these targets meets the obligation."""
        filters = must.args[1:]
        return not filters or any(self.concerns(filters, must.bearer, n) for n in targets)

    def spare_attack(self, agent: int) -> Ability | None:
        """The ability that would let a creature attack once more, if one is unused."""
        may = [a for a in self.of(agent, "may") if a.args[0] == "attack" and not self.spent(a)]
        return min(may, key=lambda a: a.moment, default=None)

    def range(self, slot: Slot, agent: int) -> int:
        """What a target ranges over: the characters in play, or the types it requires."""
        own = self.side[self.cards[agent].controller]
        if "revive" in slot.does:
            return self.plain["graveyard"] & self.plain["creature"] & own
        types = [self.mask(("type", each), agent) for each in terms.wanted_types(slot.filter)]
        found = reduce(or_, types) if types else self.characters
        return found & self.in_play & ~(own if slot is ENEMY else 0)

    def claims(self) -> Iterator[Claim]:
        """What the player who decides could do with each card."""
        own = self.side[self.decides] & self.in_play
        if not self.state.pending:
            for n in bits(self.plain["hand"]):
                if self.cards[n].owner == self.decides:
                    yield Claim(self, "play", n)
            for n in bits(own):
                for number, ability in enumerate(self.activated(n), 1):
                    if ability in self.abilities[n]:
                        yield Claim(self, "use", n, number)
        if self.state.pending or self.characters & self.in_play & ~own:
            for n in bits(own & self.plain["creature"]):
                yield Claim(self, "defend" if self.state.pending else "attack", n)

    def candidates(self) -> Iterator[Declared]:
        """Every candidate (CONTRACT 2) with what stands against it, obligations aside."""
        if self.state.result is None:
            for claim in self.claims():
                yield from claim.candidates()
            turn: list[Reason] = [] if self.running else [("base.turn", None)]
            yield Declared("pass" if self.state.pending else "end_turn", reasons=frozenset(turn))

    def answers(self, each: Declared, must: Ability) -> bool:
        """Whether a declaration would meet an obligation."""
        mine = each.agent == must.bearer and must.args[0] in each.verbs
        return mine and self.meets(must, each.targets)

    def judged(self, told: Iterable[Declared], declared: list[Declared]) -> dict[str, Reasons]:
        """What stands against these declarations; ``declared``: all that there are.

        An obligation binds if something legal would meet it; base.obligation stands against what
        meets none of those that bind. Of several ways to choose it is enough that one is legal.
        """
        out = dict[str, Reasons]()
        own = bits(self.side[self.decides])  # in the hand, too: a card may have to be played
        musts = [must for n in own for must in self.of(n, "must")]
        legal = [each for each in declared if not each.reasons] if musts else []
        binding = [must for must in musts if any(self.answers(each, must) for each in legal)]
        for each in told:
            found = each.reasons
            if binding and not any(self.answers(each, must) for must in binding):
                found |= {("base.obligation", must.by) for must in binding}
            before = out.get(each.text)
            out[each.text] = found if before is None else found and before and found | before
        return out

    def table(self) -> dict[str, Reasons]:
        """Every candidate with the reasons against it; none: it is legal."""
        declared = list(self.candidates())
        return self.judged(declared, declared)

    def verdict(self, text: str) -> Reasons:
        """The reasons against any declaration, candidate or not."""
        declared = list(self.candidates())
        found = [each for each in declared if each.text == text]
        return self.judged(found or self.others(text), declared)[text]

    def others(self, text: str) -> list[Declared]:
        """A declaration that is no candidate, in each way to choose among its effects."""
        verb, *words = text.rstrip(")").replace("(", ",").split(",")
        if verb in ("pass", "end_turn"):
            return [Declared(text, reasons=frozenset({("base.turn", None)}))]
        claim = Claim(self, verb, self.place[words[0]], int(words.pop(1)) if verb == "use" else 0)
        if verb == "defend":
            return list(claim.candidates())
        return [
            claim.declared(way, tuple(self.place[id] for id in words[1:])) for way in claim.ways
        ]


# -- the rules of the rulebook: what each stands against, and when it does ------------------------


def _not_now(it: Claim) -> bool:
    """base.turn: it is not for this card's player to declare it."""
    now = bool(it.law.striking) == (it.verb == "defend") and it.law.running
    return not now or it.card.controller != it.law.decides


def _tired(it: Claim) -> bool:
    """base.first_turn: came under its controller this turn, and nothing lifts it."""
    may = [a.args for a in it.law.of(it.agent, "may")]
    lifted = it.law.of(it.agent, "charge") or ("act",) in may
    return it.card.type == "creature" and it.card.entered == it.law.state.turn and not lifted


def _unpaid(it: Claim) -> bool:
    """base.cost: whether what it costs cannot be paid in full."""
    law, price = it.law, it.price
    coins = max(0, law.value(it.agent, "cost")) if it.verb == "play" else price["coins"]
    return (
        law.players[it.card.controller].coins < coins
        or it.card.chips < price["chips"]
        or price["close"] > 1
        or ("wounds" in price and not law.characters >> it.agent & 1)
        or any(law.laid(it.agent, ("counter", kind[1])) < number
               for kind, number in price.items() if kind[0] == "counters")
    )  # fmt: skip


_RULES: tuple[tuple[str, str, Callable[[Claim], object]], ...] = (
    ("base.turn", "attack defend play use", _not_now),
    ("base.zone", "attack defend use", lambda it: it.card.zone != "play"),
    ("base.zone", "play", lambda it: it.card.zone != "hand"),
    ("base.hero", "attack defend", lambda it: it.card.type == "hero"),
    ("base.attack", "attack", lambda it: it.card.type not in ("hero", "creature")),
    ("509.1", "defend", lambda it: it.card.type not in ("hero", "creature")),
    ("base.closed", "attack defend", lambda it: it.card.closed),
    ("base.closed", "use", lambda it: "close" in it.price and it.card.closed),
    ("base.acted", "attack", lambda it: it.card.acted and it.law.spare_attack(it.agent) is None),
    ("base.first_turn", "attack", _tired),
    ("base.first_turn", "use", lambda it: "close" in it.price and _tired(it)),
    ("base.cost", "play use", _unpaid),
    ("base.once", "use", lambda it: it.ability and "once" in it.price
     and it.law.spent(it.ability)),
    # no such ability, or one that is lost
    ("514.1", "use", lambda it: it.ability not in it.law.abilities[it.agent]),
    ("509.3", "defend", lambda it: it.card.defended),
    ("509.4", "defend", lambda it: it.law.state.pending and it.law.state.pending.defender),
    ("base.target", "defend", lambda it: it.law.attacked == it.agent),
)  # fmt: skip
RULES = {
    verb: [(rule, breaks) for rule, verbs, breaks in _RULES if verb in verbs.split()]
    for verb in ("attack", "defend", "play", "use")
}
