"""Which declarations are legal, and every reason against those that are not (CONTRACT 5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

from pyengine.model import Card, State
from tests.model.board import Ability, Board, bits
from tests.model.terms import Slot, contains, cost, slots, wanted_type

Reason = tuple[str, str | None]  # rule, card
Reasons = frozenset[Reason]
NONE: Reasons = frozenset()
ENEMY = Slot(("and", "enemy", "character"))
# verbs of what an ability does to one of its targets, by the effect that does it
SLOT_VERBS = {"shoot": "shot", "open": "open", "close": "close", "heal": "heal"}


@cache
def slot_verbs(slot: Slot) -> frozenset[str]:
    """The verbs done to the target of one slot only."""
    return frozenset(verb for verb, effect in SLOT_VERBS.items() if effect in slot.does)


class Declared(NamedTuple):
    """One declaration with what was found against it, obligations aside."""

    text: str
    agent: int | None
    verbs: frozenset[str]
    targets: tuple[int, ...]
    reasons: Reasons


class Claim:
    """One card's intention to do something, before targets are named.

    It knows what stands against it whatever the targets (``fixed``), and what each target adds.

    Args:
        law: of the position.
        text: how the declaration begins.
        agent: the card.
        verbs: what it falls under.
        fixed: the rules of the rulebook that are broken whatever the targets.
        slots: the targets that it asks for.
        ranges: of each, the cards that are looked at.
        spell: it is one.
        more: other reasons against it.
    """

    def __init__(
        self,
        law: Law,
        text: str,
        agent: int,
        verbs: frozenset[str],
        fixed: dict[str, bool],
        slots: tuple[Slot, ...] = (),
        ranges: list[int] | None = None,
        spell: bool = False,
        more: list[Reason] | None = None,
    ) -> None:
        board = law.board
        self.law, self.text, self.agent, self.verbs, self.slots = law, text, agent, verbs, slots
        self.ranges = [law.range(slot) for slot in slots] if ranges is None else ranges
        self.name = board.cards[agent].id
        self.masks = [board.view.mask(slot.filter, agent) for slot in slots]
        own = [a for a in board.view.abilities[agent] if a.args and a.args[0] in verbs]
        # 514.2: prohibitions whatever the target, and of one target in one slot
        self.forbidden = [a.by for a in own if a.name == "cannot" and len(a.args) == 1]
        self.barred = [self._barred(verbs - SLOT_VERBS.keys() | slot_verbs(s)) for s in slots]
        self.allowed = any(a.name == "may" and not board.spent(a) for a in own)
        self.musts = [a for a in own if a.name == "must"]
        self.shielded: dict[int, list[str]] = {}
        for a in board.all("protection") if spell and slots else ():
            if a.args[0] == "spell":
                self.shielded.setdefault(a.bearer, []).append(a.by)
        self.lures = [lure for a in board.all("lure") for lure in self._lure(a)] if slots else []
        broken = [(rule, self.name) for rule, is_so in fixed.items() if is_so]
        self.fixed = frozenset(broken + (more or [])) | self._prohibited(self.forbidden, ())

    def _barred(self, verbs: frozenset[str]) -> dict[int, list[str]]:
        """The targets that 514.2 forbids when these verbs are done to them, and by whom."""
        out: dict[int, list[str]] = {}
        board = self.law.board
        for a in board.of(self.agent, "cannot"):
            if len(a.args) == 2 and a.args[0] in verbs:
                for target in bits(board.view.mask(a.args[1], self.agent)):
                    out.setdefault(target, []).append(a.by)
        for a in board.all("cannot_be"):
            if a.args[0] in verbs and self.law.concerns(a, self.agent):
                out.setdefault(a.bearer, []).append(a.by)
        return out

    def _lure(self, a: Ability) -> list[tuple[int, str, list[int]]]:
        """514.1: the card to be chosen, by whom, in which slots; nothing if the lure lapses."""
        verb = a.args[0]
        places = [
            n
            for n, slot in enumerate(self.slots)
            if verb in slot_verbs(slot) or (verb in self.verbs and verb not in SLOT_VERBS)
        ]
        lapses = (
            not self.law.concerns(a, self.agent)
            or a.bearer in self.shielded
            # the rules themselves forbid attacking it
            or (self.slots[0] is ENEMY and not self.masks[0] >> a.bearer & 1)
            or all(a.bearer in self.barred[n] for n in places)
        )
        return [] if lapses else [(a.bearer, a.by, places)]

    def _prohibited(self, by: list[str], targets: tuple[int, ...]) -> Reasons:
        """514.2, and 524.2 beside it where the card was allowed or obliged to do just this."""
        if not by:
            return NONE
        urged = self.allowed or any(self.law.meets(must, targets) for must in self.musts)
        rules = ("514.2", "524.2") if urged else ("514.2",)
        return frozenset(product(rules, by))

    def against(self, targets: tuple[int, ...]) -> Reasons:
        """Everything that stands against it with these targets."""
        if not targets and not self.slots:
            return self.fixed
        found: list[Reason] = []
        given, asked = len(targets), len(self.slots)
        if given < asked or (given > 1 and len(set(targets)) < given):
            found.append(("514.1", self.name))
        if given > asked:
            found.append(("base.target", self.name))
        by: list[str] = []
        in_play = self.law.board.in_play
        for slot, mask, barred, target in zip(
            self.slots, self.masks, self.barred, targets, strict=False
        ):
            if not mask >> target & 1:
                found.append(("base.target", self.name))
            if barred:
                by += barred.get(target, ())
            if not in_play >> target & 1:
                found.append(("514.1" if "destroy" in slot.does else "base.zone", self.name))
        for card, lure, places in self.lures:
            if all(targets[n : n + 1] != (card,) for n in places):
                found.append(("514.1", lure))
        if self.shielded:
            found += [("514.1", by) for t in targets for by in self.shielded.get(t, ())]
        if targets and (by or self.forbidden):
            return self.fixed.union(found, self._prohibited(self.forbidden + by, targets))
        return self.fixed.union(found) if found else self.fixed

    def declared(self, targets: tuple[int, ...], told: bool = True) -> Declared:
        """The declaration with these targets; ``told``: its text names them."""
        ids = self.law.board.ids
        names = "".join([f",{ids[target]}" for target in targets]) if told else ""
        return Declared(
            f"{self.text}{names})", self.agent, self.verbs, targets, self.against(targets)
        )

    def candidates(self) -> Iterator[Declared]:
        """All that it can become: each choice of targets, or none if there is nothing to choose."""
        choices = product(*map(bits, self.ranges)) if all(self.ranges) else [()]
        return map(self.declared, choices)


class Law:
    """The legality of every declaration in one state."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.board = board = Board(state)
        self.passive = next(player for player, _ in state.players if player != state.active)
        self.decides = self.passive if state.pending else state.active
        self.running = state.phase == "main" and state.result is None
        self.coins = dict(state.players)[state.active].coins
        self.mine = board.side[state.active]
        # 509: what a defender has for its target
        self.attacker = (board.place[state.pending.attacker],) if state.pending else ()

    # -- small questions ------------------------------------------------------------------

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

    def range(self, slot: Slot) -> int:
        """What a target ranges over: the characters in play, or the type it requires."""
        other = wanted_type(slot.filter)
        found = self.board.characters if other is None else self.board.view.mask(("type", other), 0)
        return found & self.board.in_play

    # -- the declarations -----------------------------------------------------------------

    def attack(self, agent: int) -> Claim:
        """attack(A,T): base.attack, 514."""
        card, board = self.board.cards[agent], self.board
        fixed = {
            "base.turn": self.not_now(agent),
            **_unable(card),
            "base.acted": card.acted and self.spare_attack(agent) is None,
            "base.first_turn": self.tired(agent),
        }
        verbs, reach = frozenset({"attack", "strike", "act"}), board.characters & board.in_play
        return Claim(self, f"attack({card.id}", agent, verbs, fixed, (ENEMY,), [reach & ~self.mine])

    def defend(self, agent: int) -> Claim:
        """defend(D): 509; its target is the attacker, which it does not choose."""
        pending, card, board = self.state.pending, self.board.cards[agent], self.board
        fixed = {
            "base.turn": not (self.running and pending and card.controller == self.passive),
            **_unable(card),
            "509.3": card.defended,
            "509.4": pending is not None and pending.defender is not None,
            "base.target": pending is not None and card.id == pending.target,
        }
        directed = [a for n in self.attacker for a in board.of(n, "directed_strike")]
        verbs, more = frozenset({"defend", "act"}), [("509.2", a.by) for a in directed]
        claim = Claim(
            self, f"defend({card.id}", agent, verbs, fixed, (Slot("any"),), [], more=[*more]
        )
        claim.lures = []
        return claim

    def play(self, agent: int) -> Claim:
        """play(C,T,...): base.cost, 514."""
        card, board = self.board.cards[agent], self.board
        fixed = {
            "base.turn": self.not_now(agent),
            "base.zone": card.zone != "hand",
            "base.cost": self.coins < board.price(agent),
        }
        asked = tuple(slot for a in board.of(agent, "spell") for slot in slots(a.args[0]))
        spell = card.type == "spell"
        return Claim(self, f"play({card.id}", agent, frozenset({"play"}), fixed, asked, spell=spell)

    def use(self, agent: int, number: int) -> Claim:
        """use(C,N,T,...): what stands before the colon must be paid in full."""
        card, board = self.board.cards[agent], self.board
        ability = board.activated(agent)[number - 1]
        price = cost(ability.term)
        fixed = {
            "514.1": ability not in board.view.abilities[agent],  # lost: nothing to declare
            "base.turn": self.not_now(agent),
            "base.zone": card.zone != "play",
            "base.closed": price.closes and card.closed,
            "base.first_turn": price.closes and self.tired(agent),
            "base.cost": self.coins < price.coins or card.chips < price.chips,
            "base.once": price.once and board.spent(ability) > 0,
        }
        stays = [a for a in board.of(agent, "cannot") if price.closes and a.args == ("close",)]
        more: list[Reason] = [("514.2", a.by) for a in stays]
        shoots = contains(ability.args[1], "shot")
        verbs = {"use": True, "act": price.closes, "shoot": shoots}
        return Claim(
            self, f"use({card.id},{number}", agent, frozenset(v for v in verbs if verbs[v]),
            fixed, slots(ability.args[1]), more=more,
        )  # fmt: skip

    # -- all candidates -------------------------------------------------------------------

    def candidates(self) -> Iterator[Declared]:
        """Every candidate (CONTRACT 2) with what stands against it, obligations aside."""
        board, state = self.board, self.state
        if state.result is not None:
            return
        creatures = board.in_play & board.plain["creature"]
        if state.pending is not None:
            for n in bits(board.side[self.passive] & creatures):
                yield self.defend(n).declared(self.attacker, told=False)
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

    # -- obligations ----------------------------------------------------------------------

    def binding(self, declared: list[Declared]) -> list[Ability]:
        """The obligations of the player who decides that something legal would meet."""
        mine = self.board.side[self.decides]
        return [
            must
            for must in self.board.all("must")
            if mine >> must.bearer & 1
            and any(not each.reasons and self.answers(each, must) for each in declared)
        ]

    def answers(self, each: Declared, must: Ability) -> bool:
        """Whether a declaration would meet an obligation."""
        mine = each.agent == must.bearer and must.args[0] in each.verbs
        return mine and self.meets(must, each.targets)

    def with_obligations(self, each: Declared, binding: list[Ability]) -> Reasons:
        """Its reasons, with base.obligation where it meets none of those that bind."""
        if not binding or any(self.answers(each, must) for must in binding):
            return each.reasons
        return each.reasons | {("base.obligation", must.by) for must in binding}

    def table(self) -> dict[str, Reasons]:
        """Every candidate with the reasons against it; none: it is legal."""
        declared = list(self.candidates())
        binding = self.binding(declared)
        return {each.text: self.with_obligations(each, binding) for each in declared}

    def verdict(self, text: str) -> Reasons:
        """The reasons against any declaration, candidate or not."""
        declared = list(self.candidates())
        found = [each for each in declared if each.text == text] or [self._other(text)]
        return self.with_obligations(found[0], self.binding(declared))

    def _other(self, text: str) -> Declared:
        """A declaration that is no candidate."""
        verb, *words = text.rstrip(")").replace("(", ",").split(",")
        if verb in ("pass", "end_turn"):
            return Declared(text, None, frozenset(), (), frozenset({("base.turn", None)}))
        agent = self.board.place[words[0]]
        if verb == "use":
            claim, words = self.use(agent, int(words[1])), words[1:]
        else:
            claim = {"attack": self.attack, "defend": self.defend, "play": self.play}[verb](agent)
        targets = tuple(self.board.place[word] for word in words[1:])
        if verb != "defend":
            return claim.declared(targets)
        if not self.attacker:  # nobody is there to be met
            return Declared(text, agent, claim.verbs, (), claim.fixed)
        return claim.declared(self.attacker, told=False)


def _unable(card: Card) -> dict[str, bool]:
    """Why a card can neither attack nor defend, whatever else there is."""
    return {
        "base.zone": card.zone != "play",
        "base.hero": card.type == "hero",
        "base.closed": card.closed,
    }


__all__ = ["Law", "Reasons"]
