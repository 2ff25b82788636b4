"""Which declarations are legal, and every reason against those that are not (CONTRACT 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from pyengine.model import Card, State
from tests.model.board import Ability, Board, bits
from tests.model.terms import (
    Cost,
    Slot,
    Term,
    Unsupported,
    args,
    cost,
    name,
    parts,
    wanted_types,
    ways,
)

Reason = tuple[str, str | None]  # rule, card
Reasons = frozenset[Reason]
NONE: Reasons = frozenset()
ENEMY, ATTACKER = Slot(("and", "enemy", "character")), Slot("any")
# the verbs of what an effect does to its target
DONE = {"shot": "shoot", "open": "open", "close": "close", "heal": "heal", "destroy": "destroy"}


@cache
def suited(verbs: frozenset[str], slot: Slot) -> frozenset[str]:
    """The verbs that are done to a target: those of the deed, and what its own part does to it."""
    aimed = {"target"} if slot not in (ENEMY, ATTACKER) else set()
    return verbs - {"shoot"} | {DONE[effect] for effect in slot.does & DONE.keys()} | aimed


@cache
def shoots(effect: Term) -> bool:
    """Whether an effect has a shot in it."""
    return any(name(part) == "shot" and args(part) for part in parts(effect))


class Aim(NamedTuple):
    """A target of a deed: whom it looks at, and what stands against whom."""

    slot: Slot
    verbs: frozenset[str]  # what is done to it
    range: int  # the cards that are looked at
    rules: Sequence[
        tuple[Reason, int]
    ]  # reasons of the rulebook, each with the cards that it is about
    norms: dict[int, list[Reason]]  # what the texts of cards have against whom
    wrong: int  # the cards against which anything stands


class Declared(NamedTuple):
    """One declaration with what was found against it, obligations aside."""

    text: str
    agent: int | None
    verbs: frozenset[str]
    targets: tuple[int, ...]
    reasons: Reasons


class Deed(NamedTuple):
    """What a card would do; of an activated ability which, and what stands before the colon."""

    verb: str
    agent: int
    card: Card
    ability: Ability | None = None
    price: Cost = Cost()


class Claim:
    """A deed before its targets are named: what stands against it, and against each of them.

    Args:
        law: of the position.
        text: how the declaration begins.
        deed: what is done.
        verbs: what it falls under.
        ways: the targets that it asks for, in each way to choose among its effects.
        spell: they are those of a spell.
        more: reasons against it that come from other cards.
    """

    def __init__(
        self, law: Law, text: str, deed: Deed, verbs: Iterable[str],
        ways: Iterable[tuple[Slot, ...]] = ((),), spell: bool = False, more: Iterable[Reason] = (),
    ) -> None:  # fmt: skip
        self.law, self.board, self.text, self.agent = law, law.board, text, deed.agent
        self.verbs, self.spell, self.name = frozenset(verbs), spell, deed.card.id
        own = [
            a for a in self.board.view.abilities[deed.agent] if a.args and a.args[0] in self.verbs
        ]
        # 514.2: it may not do this at all
        barred = [("514.2", a.by) for a in own if a.name == "cannot" and len(a.args) == 1]
        broken = [(rule, self.name) for rule, breaks in RULES[deed.verb] if breaks(law, deed)]
        self.fixed = frozenset([*broken, *barred, *more])
        self.allowed = any(a.name == "may" and not self.board.spent(a) for a in own)
        self.musts = [a for a in own if a.name == "must"]
        self.ways = [[self.aim(slot) for slot in way] for way in ways]
        lures = self.board.all("lure")
        self.lures = [[lure for a in lures for lure in self.lure(a, way)] for way in self.ways]

    def aim(self, slot: Slot) -> Aim:
        """What a target is judged by."""
        board, agent, verbs = self.board, self.agent, suited(self.verbs, slot)
        norms: dict[int, list[Reason]] = {}
        for a in board.of(agent, "cannot"):
            if len(a.args) == 2 and a.args[0] in verbs:
                for card in bits(board.view.mask(a.args[1], agent)):
                    norms.setdefault(card, []).append(("514.2", a.by))
        for a in board.all("cannot_be"):
            if a.args[0] in verbs and self.law.concerns(a, agent):
                norms.setdefault(a.bearer, []).append(("514.2", a.by))
        for a in board.all("protection") if self.spell else ():
            if a.args[0] == "spell":
                norms.setdefault(a.bearer, []).append(("514.1", a.by))
        reach = self.law.range(slot, agent)
        unfit = board.everything & ~board.view.mask(slot.filter, agent)
        place, there = "514.1" if "destroy" in slot.does else "base.zone", board.in_play
        if "revive" in slot.does:
            place, there = "514.1", reach
        rules = {"base.target": unfit, place: board.everything & ~there}
        if slot.price:
            rules["base.closed"] = board.plain["closed"]
        found = [((rule, self.name), cards) for rule, cards in rules.items() if cards]
        wrong = reduce(or_, [*rules.values(), *(1 << card for card in norms)])
        return Aim(slot, verbs, reach, found, norms, wrong)

    def lure(self, a: Ability, way: list[Aim]) -> Iterator[tuple[str, list[int], int]]:
        """514.1: by whom, in which places, which cards must be chosen; nothing if it lapses."""
        places = [n for n, aim in enumerate(way) if a.args[0] in aim.verbs and aim.slot != ATTACKER]
        if places and self.law.concerns(a, self.agent):
            baits = 1 << a.bearer
            if len(a.args) == 3:
                baits = self.board.view.mask(a.args[2], a.bearer) & self.board.in_play
            for aim in (way[n] for n in places):
                # the rules themselves forbid attacking all but enemy characters
                able = baits & aim.range if aim.slot == ENEMY else baits
                if any(card not in aim.norms for card in bits(able)):
                    yield a.by, places, baits
                    return

    def declared(self, number: int, targets: tuple[int, ...], told: bool = True) -> Declared:
        """The declaration with these targets, in one way to choose; ``told``: its text names them."""
        way, found = self.ways[number], list[Reason]()
        if len(targets) != len(way) or (len(way) > 1 and len({*targets}) < len(way)):
            missing = [aim for aim in way[len(targets) :] if not aim.slot.spare]
            if missing or len(targets) > min(len(way), len({*targets})):
                found.append(("514.1", self.name))
        for aim, target in zip(way, targets, strict=False):
            if aim.wrong >> target & 1:
                found += [reason for reason, cards in aim.rules if cards >> target & 1]
                found += aim.norms.get(target, ())
        for by, places, baits in self.lures[number]:
            for n in places:
                if n < len(targets) and baits >> targets[n] & 1:
                    break
            else:
                found.append(("514.1", by))
        if self.allowed or (self.musts and any(self.law.meets(a, targets) for a in self.musts)):
            # the card was allowed or obliged to do just this
            found += [("524.2", by) for rule, by in (*self.fixed, *found) if rule == "514.2"]
        names = "".join([f",{self.board.ids[target]}" for target in targets]) if told else ""
        reasons = self.fixed.union(found) if found else self.fixed
        return Declared(f"{self.text}{names})", self.agent, self.verbs, targets, reasons)

    def candidates(self) -> Iterator[Declared]:
        """All that it can become: each choice of targets, or none if there is nothing to choose."""
        for number, way in enumerate(self.ways):
            ranges, least = [bits(aim.range) for aim in way], len(way)
            while least and way[least - 1].slot.spare:
                least -= 1
            for length in range(least, len(way) + 1):
                if all(ranges[:length]):
                    for targets in product(*ranges[:length]):
                        yield self.declared(number, targets)
            if not all(ranges[:least]):
                yield self.declared(number, ())


class Law:
    """The legality of every declaration in one state."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.board = board = Board(state)
        self.passive = next(player for player, _ in state.players if player != state.active)
        self.decides = self.passive if state.pending else state.active
        self.running = state.phase == "main" and state.result is None
        self.mine = board.side[state.active]
        # 509: what a defender has for its target
        self.attacker = (board.attacker,) if state.pending else ()
        self.attacked = board.place[state.pending.target] if state.pending else -1

    # -- small questions --------------------------------------------------------------------------

    def concerns(self, ability: Ability, agent: int) -> bool:
        """Whether an ability ``name(V)`` or ``name(V,F)`` is about this agent."""
        filter_ = ability.args[1:]
        return not filter_ or self.board.view.fits(filter_[0], ability.bearer, agent)

    def meets(self, must: Ability, targets: tuple[int, ...]) -> bool:
        """Whether a declaration of the right verb with these targets meets the obligation."""
        return len(must.args) == 1 or any(self.concerns(must, target) for target in targets)

    def tired(self, agent: int) -> bool:
        """base.first_turn: came under its controller this turn, and nothing lifts it."""
        card, board = self.board.cards[agent], self.board
        return (
            card.type == "creature"
            and card.entered == self.state.turn
            and not board.of(agent, "charge")
            and not any(a.args[0] == "act" for a in board.of(agent, "may"))
        )

    def spare_attack(self, agent: int) -> Ability | None:
        """The ability that would let a creature attack once more, if one is unused."""
        may = [a for a in self.board.of(agent, "may") if a.args[0] == "attack"]
        unused = [a for a in may if not self.board.spent(a)]
        return min(unused, key=lambda a: a.moment, default=None)

    def not_now(self, agent: int) -> bool:
        """base.turn: it is not for this card's player to declare something of the main phase."""
        return not (self.running and self.state.pending is None and self.mine >> agent & 1)

    def graveyard(self, agent: int) -> int:
        """The creatures in the graveyard of the player of a card."""
        buried = self.board.where(lambda n, card: card.zone == "graveyard")
        return (
            buried
            & self.board.side[self.board.cards[agent].controller]
            & self.board.plain["creature"]
        )

    def range(self, slot: Slot, agent: int) -> int:
        """What a target ranges over: the characters in play, or the types it requires."""
        board, wanted = self.board, wanted_types(slot.filter)
        if "revive" in slot.does:
            return self.graveyard(agent)
        found = board.characters
        if wanted:
            found = reduce(or_, (board.view.mask(("type", each), agent) for each in wanted))
        own = board.side[board.cards[agent].controller] if slot is ENEMY else 0
        return found & board.in_play & ~own

    # -- the declarations -------------------------------------------------------------------------

    def attack(self, agent: int) -> Claim:
        """attack(A,T): base.attack, 514."""
        deed = Deed("attack", agent, self.board.cards[agent])
        verbs = ("attack", "strike", "act")
        return Claim(self, f"attack({deed.card.id}", deed, verbs, ((ENEMY,),))

    def defend(self, agent: int) -> Claim:
        """defend(D): 509; its target is the attacker, which it does not choose."""
        board, deed = self.board, Deed("defend", agent, self.board.cards[agent])
        directed = [
            ("509.2", a.by)
            for n in self.attacker
            for a in board.of(n, "directed_strike")
            if all(board.view.fits(f, n, self.attacked) for f in a.args)
        ]
        asked: list[tuple[Slot, ...]] = [(ATTACKER,) if self.attacker else ()]
        return Claim(self, f"defend({deed.card.id}", deed, ("defend", "act"), asked, more=directed)

    def play(self, agent: int) -> Claim:
        """play(C,T,...): base.cost, 514."""
        deed, spells = Deed("play", agent, self.board.cards[agent]), self.board.of(agent, "spell")
        asked = [ways(a.term) for a in spells if any(ways(a.term))] or [((),)]
        if len(asked) > 1:
            raise Unsupported("two spells on a card")
        verbs = ("play", "shoot") if any(shoots(a.args[0]) for a in spells) else ("play",)
        return Claim(self, f"play({deed.card.id}", deed, verbs, asked[0], bool(spells))

    def use(self, agent: int, number: int) -> Claim:
        """use(C,N,T,...): what stands before the colon must be paid in full."""
        card, board, known = self.board.cards[agent], self.board, self.board.activated(agent)
        text = f"use({card.id},{number}"
        if number > len(known):
            return Claim(self, text, Deed("use", agent, card), ("use",))
        ability = known[number - 1]
        price = cost(ability.term)
        stays = [a for a in board.of(agent, "cannot") if price.closes and a.args == ("close",)]
        verbs = {"use": True, "act": price.closes, "shoot": shoots(ability.args[1])}
        return Claim(
            self, text, Deed("use", agent, card, ability, price), [v for v in verbs if verbs[v]],
            ways(ability.term), more=[("514.2", a.by) for a in stays],
        )  # fmt: skip

    def unpaid(self, deed: Deed) -> bool:
        """base.cost: whether what it costs cannot be paid in full."""
        board, price = self.board, deed.price
        coins = board.price(deed.agent) if deed.verb == "play" else price.coins
        return (
            dict(self.state.players)[deed.card.controller].coins < coins
            or deed.card.chips < price.chips
            or (price.wounds and not board.characters >> deed.agent & 1)
            or any(board.counters(deed.agent, kind) < number for kind, number in price.counters)
        )

    # -- all candidates ---------------------------------------------------------------------------

    def candidates(self) -> Iterator[Declared]:
        """Every candidate (CONTRACT 2) with what stands against it, obligations aside."""
        board, state = self.board, self.state
        if state.result is not None:
            return
        creatures = board.in_play & board.plain["creature"]
        if state.pending is not None:
            for n in bits(board.side[self.passive] & creatures):
                yield self.defend(n).declared(0, self.attacker, told=False)
        else:
            for claim in self._claims(self.mine & creatures):
                yield from claim.candidates()
        turn = NONE if self.running else frozenset({("base.turn", None)})
        yield Declared("pass" if state.pending else "end_turn", None, frozenset(), (), turn)

    def _claims(self, creatures: int) -> Iterator[Claim]:
        """What the active player could do with a card in the main phase."""
        board, active = self.board, self.state.active
        if board.characters & board.in_play & ~self.mine:
            yield from map(self.attack, bits(creatures))
        for n, card in enumerate(board.cards):
            if card.zone == "hand" and card.owner == active:
                yield self.play(n)
        for n in bits(self.mine & board.in_play & board.view.having.get("use", 0)):
            for number, ability in enumerate(board.activated(n), 1):
                if ability in board.view.abilities[n]:
                    yield self.use(n, number)

    # -- obligations ------------------------------------------------------------------------------

    def binding(self, declared: list[Declared]) -> list[Ability]:
        """The obligations of the player who decides that something legal would meet."""
        return [
            must
            for n in bits(self.board.side[self.decides] & self.board.view.having.get("must", 0))
            for must in self.board.of(n, "must")
            if any(not each.reasons and self.answers(each, must) for each in declared)
        ]

    def answers(self, each: Declared, must: Ability) -> bool:
        """Whether a declaration would meet an obligation."""
        mine = each.agent == must.bearer and must.args[0] in each.verbs
        return mine and self.meets(must, each.targets)

    def judged(self, told: Iterable[Declared], declared: list[Declared]) -> dict[str, Reasons]:
        """What stands against these declarations; ``declared``: all that there are.

        base.obligation stands against what meets none of those that bind. Where a text may mean
        several ways to choose, it is legal if one of them is.
        """
        binding, out = self.binding(declared), dict[str, Reasons]()
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
        found = [each for each in declared if each.text == text] or self._others(text)
        return self.judged(found, declared)[text]

    def _others(self, text: str) -> list[Declared]:
        """A declaration that is no candidate, in each way to choose among its effects."""
        verb, *words = text.rstrip(")").replace("(", ",").split(",")
        if verb in ("pass", "end_turn"):
            return [Declared(text, None, frozenset(), (), frozenset({("base.turn", None)}))]
        agent = self.board.place[words[0]]
        if verb == "use":
            claim, words = self.use(agent, int(words[1])), words[1:]
        else:
            claim = {"attack": self.attack, "defend": self.defend, "play": self.play}[verb](agent)
        if verb == "defend":
            return [claim.declared(0, self.attacker, told=False)]
        targets = tuple(self.board.place[word] for word in words[1:])
        return [claim.declared(number, targets) for number in range(len(claim.ways))]


def _fighter(law: Law, deed: Deed) -> bool:
    return bool(law.board.characters >> deed.agent & 1)


Breaks = Callable[[Law, Deed], bool]
# the rules of the rulebook: what each stands against, and when it does
_RULES: tuple[tuple[str, str, Breaks], ...] = (
    ("base.turn", "attack play use", lambda law, deed: law.not_now(deed.agent)),
    ("base.turn", "defend", lambda law, deed: not (law.running and law.attacker)
     or deed.card.controller != law.passive),
    ("base.zone", "attack defend use", lambda law, deed: deed.card.zone != "play"),
    ("base.zone", "play", lambda law, deed: deed.card.zone != "hand"),
    ("base.hero", "attack defend", lambda law, deed: deed.card.type == "hero"),
    ("base.attack", "attack", lambda law, deed: not _fighter(law, deed)),
    ("509.1", "defend", lambda law, deed: not _fighter(law, deed)),
    ("base.closed", "attack defend", lambda law, deed: deed.card.closed),
    ("base.closed", "use", lambda law, deed: deed.price.closes and deed.card.closed),
    ("base.acted", "attack", lambda law, deed: deed.card.acted
     and law.spare_attack(deed.agent) is None),
    ("base.first_turn", "attack", lambda law, deed: law.tired(deed.agent)),
    ("base.first_turn", "use", lambda law, deed: deed.price.closes and law.tired(deed.agent)),
    ("base.cost", "play use", lambda law, deed: law.unpaid(deed)),
    ("base.once", "use", lambda law, deed: deed.price.once and deed.ability is not None
     and law.board.spent(deed.ability) > 0),
    # no such ability, or one that is lost
    ("514.1", "use", lambda law, deed: deed.ability not in law.board.view.abilities[deed.agent]),
    ("509.3", "defend", lambda law, deed: deed.card.defended),
    ("509.4", "defend", lambda law, deed: law.state.pending is not None
     and law.state.pending.defender is not None),
    ("base.target", "defend", lambda law, deed: law.attacked == deed.agent),
)  # fmt: skip
RULES: dict[str, list[tuple[str, Breaks]]] = {
    verb: [(rule, breaks) for rule, verbs, breaks in _RULES if verb in verbs.split()]
    for verb in ("attack", "defend", "play", "use")
}

__all__ = ["Law", "Reasons"]
