"""Which declarations are legal, and every reason against those that are not (CONTRACT 5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import product
from operator import or_
from typing import NamedTuple

from pyengine.model import State
from tests.model.board import Ability, Board, bits
from tests.model.terms import Slot, Term, Unsupported, args, cost, name, parts, wanted_types, ways

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


class Declared(NamedTuple):
    """One declaration with what was found against it, obligations aside."""

    text: str
    agent: int | None
    verbs: frozenset[str]
    targets: tuple[int, ...]
    reasons: Reasons


class Claim:
    """One card's intention to do something, before targets are named.

    Args:
        law: of the position.
        text: how the declaration begins.
        agent: the card.
        verbs: what it falls under.
        broken: rules of the rulebook, each with whether the deed breaks it whatever its targets.
        ways: the targets that it asks for, in each way to choose among its effects.
        spell: they are those of a spell.
        more: other reasons against it.
    """

    def __init__(
        self, law: Law, text: str, agent: int, verbs: Iterable[str], broken: dict[str, bool],
        ways: Iterable[tuple[Slot, ...]] = ((),), spell: bool = False, more: Iterable[Reason] = (),
    ) -> None:  # fmt: skip
        self.law, self.board, self.text, self.agent = law, law.board, text, agent
        self.verbs, self.spell, self.name = frozenset(verbs), spell, law.board.ids[agent]
        own = [a for a in self.board.view.abilities[agent] if a.args and a.args[0] in self.verbs]
        # 514.2: it may not do this at all
        barred = [("514.2", a.by) for a in own if a.name == "cannot" and len(a.args) == 1]
        fixed = [(rule, self.name) for rule, is_so in broken.items() if is_so]
        self.fixed = frozenset([*fixed, *barred, *more])
        self.allowed = any(a.name == "may" and not self.board.spent(a) for a in own)
        self.musts = [a for a in own if a.name == "must"]
        self.ways = [[self.aim(slot) for slot in way] for way in ways]
        self.lures = [
            [lure for a in self.board.all("lure") for lure in self.lure(a, way)]
            for way in self.ways
        ]

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
        return Aim(slot, verbs, reach, found, norms)

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
            found += [reason for reason, cards in aim.rules if cards >> target & 1]
            if target in aim.norms:
                found += aim.norms[target]
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

    def unable(self, agent: int, rule: str) -> dict[str, bool]:
        """Why a card can neither attack nor defend, whatever else there is."""
        card = self.board.cards[agent]
        return {
            "base.zone": card.zone != "play",
            "base.hero": card.type == "hero",
            rule: not self.board.characters >> agent & 1,
            "base.closed": card.closed,
        }

    def attack(self, agent: int) -> Claim:
        """attack(A,T): base.attack, 514."""
        card = self.board.cards[agent]
        broken = {
            "base.turn": self.not_now(agent),
            **self.unable(agent, "base.attack"),
            "base.acted": card.acted and self.spare_attack(agent) is None,
            "base.first_turn": self.tired(agent),
        }
        return Claim(
            self, f"attack({card.id}", agent, ("attack", "strike", "act"), broken, ((ENEMY,),)
        )

    def defend(self, agent: int) -> Claim:
        """defend(D): 509; its target is the attacker, which it does not choose."""
        pending, card, board = self.state.pending, self.board.cards[agent], self.board
        broken = {
            "base.turn": not (self.running and pending and card.controller == self.passive),
            **self.unable(agent, "509.1"),
            "509.3": card.defended,
            "509.4": pending is not None and pending.defender is not None,
            "base.target": pending is not None and card.id == pending.target,
        }
        directed = [
            ("509.2", a.by)
            for n in self.attacker
            for a in board.of(n, "directed_strike")
            if pending and all(board.view.fits(f, n, board.place[pending.target]) for f in a.args)
        ]
        asked = ((ATTACKER,),) if pending else ((),)
        return Claim(
            self, f"defend({card.id}", agent, ("defend", "act"), broken, asked, more=directed
        )

    def play(self, agent: int) -> Claim:
        """play(C,T,...): base.cost, 514."""
        card, board = self.board.cards[agent], self.board
        broken = {
            "base.turn": self.not_now(agent),
            "base.zone": card.zone != "hand",
            "base.cost": dict(self.state.players)[card.controller].coins < board.price(agent),
        }
        spells = board.of(agent, "spell")
        if sum(any(ways(a.term)) for a in spells) > 1:
            raise Unsupported("two spells on a card")
        asked = next((ways(a.term) for a in spells if any(ways(a.term))), ((),))
        verbs = ("play", "shoot") if any(shoots(a.args[0]) for a in spells) else ("play",)
        return Claim(self, f"play({card.id}", agent, verbs, broken, asked, spell=bool(spells))

    def use(self, agent: int, number: int) -> Claim:
        """use(C,N,T,...): what stands before the colon must be paid in full."""
        card, board, known = self.board.cards[agent], self.board, self.board.activated(agent)
        text = f"use({card.id},{number}"
        broken = {"base.turn": self.not_now(agent), "base.zone": card.zone != "play"}
        if number > len(known):
            return Claim(self, text, agent, ("use",), {**broken, "514.1": True})
        ability = known[number - 1]
        price, laid = cost(ability.term), board.counters
        broken |= {
            "514.1": ability not in board.view.abilities[agent],  # lost: nothing to declare
            "base.closed": price.closes and card.closed,
            "base.first_turn": price.closes and self.tired(agent),
            "base.cost": dict(self.state.players)[card.controller].coins < price.coins
            or card.chips < price.chips
            or (price.wounds and not board.characters >> agent & 1)
            or any(laid(agent, counter) < number for counter, number in price.counters),
            "base.once": price.once and board.spent(ability) > 0,
        }
        stays = [a for a in board.of(agent, "cannot") if price.closes and a.args == ("close",)]
        verbs = {"use": True, "act": price.closes, "shoot": shoots(ability.args[1])}
        return Claim(
            self, text, agent, [verb for verb in verbs if verbs[verb]],
            broken, ways(ability.term), more=[("514.2", a.by) for a in stays],
        )  # fmt: skip

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


__all__ = ["Law", "Reasons"]
