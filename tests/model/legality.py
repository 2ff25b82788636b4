"""Which declarations are legal, and every reason against those that are not (CONTRACT 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache, reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from pyengine.model import Card, State
from tests.model.board import Ability, Board
from tests.model.terms import Slot, Term, Unsupported, args, cost, name, parts, ways
from tests.model.words import bits

Reason = tuple[str, str | None]  # rule, card
Reasons = frozenset[Reason]
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


@cache
def wanted_types(filter_: Term, denied: bool = False) -> frozenset[str]:
    """The card types other than a character that a selector requires."""
    head, inner = name(filter_), args(filter_)
    if head == "not":
        return wanted_types(inner[0], not denied)
    if head == ("or" if denied else "and"):
        return frozenset().union(*(wanted_types(part, denied) for part in inner))
    return frozenset(() if head != "type" or denied else inner) - {"hero", "creature"}


class Aim(NamedTuple):
    """A target of a deed: whom it looks at, and what stands against whom."""

    slot: Slot
    verbs: frozenset[str]  # what is done to it
    range: int  # the cards that are looked at
    rules: list[tuple[Reason, int]]  # reasons of the rulebook, and the cards that they are about
    norms: dict[int, list[Reason]]  # what the texts of cards have against whom
    wrong: int  # the cards against which anything stands


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
        self.law: Law = law
        self.board: Board = law.board
        self.verb: str = verb
        self.agent: int = agent
        self.card: Card = self.board.cards[agent]
        self.name = self.card.id
        self.text = f"{verb}({self.name}" + (f",{number}" if verb == "use" else "")
        known = self.board.activated(agent) if verb == "use" else []
        self.ability: Ability | None = known[number - 1] if number <= len(known) and known else None
        self.price: Counter[Term] = cost(self.ability.args[0]) if self.ability else Counter[Term]()
        self.spell = False
        asked, verbs, more = self.asked()
        self.verbs = frozenset(verbs)
        own = [a for a in self.board.abilities[agent] if a.args and a.args[0] in self.verbs]
        # 514.2: it may not do this at all
        more += [("514.2", a.by) for a in own if a.name == "cannot" and len(a.args) == 1]
        more += [(rule, self.name) for rule, breaks in RULES[verb] if breaks(self)]
        self.fixed = frozenset(more)
        self.allowed = any(a.name == "may" and not self.board.spent(a) for a in own)
        self.musts = [a for a in own if a.name == "must"]
        self.ways = [[self.aim(slot) for slot in way] for way in asked]
        lures = self.board.all("lure")
        self.lures = [[lure for a in lures for lure in self.lure(a, way)] for way in self.ways]

    def asked(self) -> tuple[Iterable[tuple[Slot, ...]], list[str], list[Reason]]:
        """The targets asked for in each way to choose, its verbs, what other cards forbid it."""
        board, agent = self.board, self.agent
        if self.verb == "attack":
            return ((ENEMY,),), ["attack", "strike", "act"], []
        if self.verb == "defend":  # 509: its target is the attacker, which it does not choose
            struck, attacked = self.law.attacker, self.law.attacked
            directed = [(n, a) for n in struck for a in board.of(n, "directed_strike")]
            meant = [a for n, a in directed if all(board.fits(f, n, attacked) for f in a.args)]
            return ((ATTACKER,) * len(struck),), ["defend", "act"], [("509.2", a.by) for a in meant]
        if self.verb == "play":
            effects = [("spell", *a.args) for a in board.of(agent, "spell")]
            self.spell = bool(effects)
            found = [ways(effect) for effect in effects if any(ways(effect))] or [((),)]
            if len(found) > 1:
                raise Unsupported("two spells on a card")
            return found[0], ["play", "shoot"] if any(map(shoots, effects)) else ["play"], []
        if self.ability is None:
            return ((),), ["use"], []
        verbs = {"use": True, "act": "close" in self.price, "shoot": shoots(self.ability.args[1])}
        cannot = board.of(agent, "cannot") if "close" in self.price else []
        stays: list[Reason] = [("514.2", a.by) for a in cannot if a.args == ("close",)]
        return ways(("use", *self.ability.args)), [v for v in verbs if verbs[v]], stays

    def unpaid(self) -> bool:
        """base.cost: whether what it costs cannot be paid in full."""
        board, price, card = self.board, self.price, self.card
        coins = max(0, board.value(self.agent, "cost")) if self.verb == "play" else price["coins"]
        return (
            board.players[card.controller].coins < coins
            or card.chips < price["chips"]
            or price["close"] > 1
            or ("wounds" in price and not board.characters >> self.agent & 1)
            or any(board.laid(self.agent, ("counter", kind[1])) < number
                   for kind, number in price.items() if kind[0] == "counters")
        )  # fmt: skip

    def aim(self, slot: Slot) -> Aim:
        """What a target is judged by."""
        board, agent, verbs = self.board, self.agent, suited(self.verbs, slot)
        norms: dict[int, list[Reason]] = {}
        for a in board.of(agent, "cannot"):
            if len(a.args) == 2 and a.args[0] in verbs:
                for card in bits(board.mask(a.args[1], agent)):
                    norms.setdefault(card, []).append(("514.2", a.by))
        for a in board.all("cannot") if slot.price else ():
            if a.args == ("close",):
                norms.setdefault(a.bearer, []).append(("514.2", a.by))
        for a in board.all("cannot_be"):
            if a.args[0] in verbs and self.law.concerns(a, agent):
                norms.setdefault(a.bearer, []).append(("514.2", a.by))
        for a in board.all("protection") if self.spell else ():
            if a.args[0] == "spell":
                norms.setdefault(a.bearer, []).append(("514.1", a.by))
        reach = self.law.range(slot, agent)
        rules = [("base.target", board.mask(slot.filter, agent))]
        revives = "revive" in slot.does
        rules += [("514.1" if slot.does & {"destroy", "revive"} else "base.zone",
                   reach if revives else board.in_play)]  # fmt: skip
        if slot.price:
            rules += [("base.closed", board.plain["open"])]
            # one closing pays once
            rules += [("base.cost", ~(1 << agent))] if "close" in self.price else []
        found = [((rule, self.name), board.everything & ~right) for rule, right in rules]
        wrong = reduce(or_, [*(cards for _, cards in found), *(1 << card for card in norms)])
        return Aim(slot, verbs, reach, [pair for pair in found if pair[1]], norms, wrong)

    def lure(self, a: Ability, way: list[Aim]) -> Iterator[tuple[str, list[int], int]]:
        """514.1: by whom, in which places, which cards must be chosen; nothing if it lapses."""
        places = [n for n, aim in enumerate(way) if a.args[0] in aim.verbs and aim.slot != ATTACKER]
        if places and self.law.concerns(a, self.agent):
            baits = 1 << a.bearer
            if len(a.args) == 3:
                baits = self.board.mask(a.args[2], a.bearer) & self.board.in_play
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
            if not any(n < len(targets) and baits >> targets[n] & 1 for n in places):
                found.append(("514.1", by))
        if self.allowed or (self.musts and any(self.law.meets(a, targets) for a in self.musts)):
            # the card was allowed or obliged to do just this
            found += [("524.2", by) for rule, by in (*self.fixed, *found) if rule == "514.2"]
        names = "".join([f",{self.board.ids[target]}" for target in targets]) if told else ""
        reasons = self.fixed.union(found) if found else self.fixed
        return Declared(f"{self.text}{names})", self.agent, self.verbs, targets, reasons)

    def candidates(self) -> Iterator[Declared]:
        """All that it can become: each choice of targets, or none if there is nothing to choose."""
        if self.verb == "defend":
            yield self.declared(0, self.law.attacker, told=False)
            return
        for number, way in enumerate(self.ways):
            ranges, least = [bits(aim.range) for aim in way], len(way)
            while least and way[least - 1].slot.spare:
                least -= 1
            for length in range(least, len(way) + 1):
                for targets in product(*ranges[:length]):
                    yield self.declared(number, targets)
            if not all(ranges[:least]):
                yield self.declared(number, ())


class Law:
    """The legality of every declaration in one state."""

    def __init__(self, state: State) -> None:
        self.state, self.board = state, Board(state)
        self.passive = next(player for player, _ in state.players if player != state.active)
        self.running = state.phase == "main" and state.result is None
        self.mine = self.board.side[state.active]
        self.attacker = (self.board.attacker,) if state.pending else ()
        self.attacked = self.board.place[state.pending.target] if state.pending else -1

    def concerns(self, ability: Ability, agent: int) -> bool:
        """Whether an ability ``name(V)`` or ``name(V,F)`` is about this agent."""
        filter_ = ability.args[1:]
        return not filter_ or self.board.fits(filter_[0], ability.bearer, agent)

    def meets(self, must: Ability, targets: tuple[int, ...]) -> bool:
        """Whether a declaration of the right verb with these targets meets the obligation."""
        return len(must.args) == 1 or any(self.concerns(must, target) for target in targets)

    def tired(self, agent: int) -> bool:
        """base.first_turn: came under its controller this turn, and nothing lifts it."""
        card, board = self.board.cards[agent], self.board
        lifted = board.of(agent, "charge") or ("act",) in [a.args for a in board.of(agent, "may")]
        return card.type == "creature" and card.entered == self.state.turn and not lifted

    def spare_attack(self, agent: int) -> Ability | None:
        """The ability that would let a creature attack once more, if one is unused."""
        may = [a for a in self.board.of(agent, "may") if a.args[0] == "attack"]
        return min(
            (a for a in may if not self.board.spent(a)), key=lambda a: a.moment, default=None
        )

    def range(self, slot: Slot, agent: int) -> int:
        """What a target ranges over: the characters in play, or the types it requires."""
        board, wanted = self.board, wanted_types(slot.filter)
        own = board.side[board.cards[agent].controller]
        if "revive" in slot.does:
            return board.zones.get("graveyard", 0) & own & board.plain["creature"]
        found = board.characters
        if wanted:
            found = reduce(or_, (board.mask(("type", each), agent) for each in wanted))
        return found & board.in_play & ~(own if slot is ENEMY else 0)

    def claims(self) -> Iterator[Claim]:
        """What the player who decides could do with each card."""
        board, active = self.board, self.state.active
        creatures = board.in_play & board.plain["creature"]
        if self.state.pending is not None:
            for n in bits(board.side[self.passive] & creatures):
                yield Claim(self, "defend", n)
            return
        if board.characters & board.in_play & ~self.mine:
            for n in bits(self.mine & creatures):
                yield Claim(self, "attack", n)
        for n in bits(board.zones.get("hand", 0)):
            if board.cards[n].owner == active:
                yield Claim(self, "play", n)
        for n in bits(self.mine & board.in_play & board.having.get("use", 0)):
            for number, ability in enumerate(board.activated(n), 1):
                if ability in board.abilities[n]:
                    yield Claim(self, "use", n, number)

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
        board, out = self.board, dict[str, Reasons]()
        decides = self.passive if self.state.pending else self.state.active
        bearers = board.side[decides] & board.having.get("must", 0)
        musts = [must for n in bits(bearers) for must in board.of(n, "must")]
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
        number = int(words.pop(1)) if verb == "use" else 0
        claim = Claim(self, verb, self.board.place[words[0]], number)
        if verb == "defend":
            return list(claim.candidates())
        targets = tuple(self.board.place[word] for word in words[1:])
        return [claim.declared(number, targets) for number in range(len(claim.ways))]


def _not_now(claim: Claim) -> bool:
    """base.turn: it is not for this card's player to declare it."""
    law = claim.law
    if claim.verb == "defend":
        return not (law.running and law.attacker) or claim.card.controller != law.passive
    return not (law.running and not law.attacker and law.mine >> claim.agent & 1)


# the rules of the rulebook: what each stands against, and when it does
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
    ("base.first_turn", "attack", lambda it: it.law.tired(it.agent)),
    ("base.first_turn", "use", lambda it: "close" in it.price and it.law.tired(it.agent)),
    ("base.cost", "play use", Claim.unpaid),
    ("base.once", "use", lambda it: it.ability and "once" in it.price
     and it.board.spent(it.ability)),
    # no such ability, or one that is lost
    ("514.1", "use", lambda it: it.ability not in it.board.abilities[it.agent]),
    ("509.3", "defend", lambda it: it.card.defended),
    ("509.4", "defend", lambda it: it.law.state.pending and it.law.state.pending.defender),
    ("base.target", "defend", lambda it: it.law.attacked == it.agent),
)  # fmt: skip
RULES = {
    verb: [(rule, breaks) for rule, verbs, breaks in _RULES if verb in verbs.split()]
    for verb in ("attack", "defend", "play", "use")
}
