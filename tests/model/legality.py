"""Which declarations are legal, and every reason against those that are not (CONTRACT 5)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from pyengine.model import Card, State
from tests.model.board import Ability, Board, bits
from tests.model.terms import Slot, contains, cost, slots, wanted_type

Reason = tuple[str, str | None]
Reasons = frozenset[Reason]
NONE: Reasons = frozenset()
ENEMY = Slot(("and", "enemy", "character"))
# verbs of what an ability does to one of its targets, by the effect that does it
SLOT_VERBS = {"shoot": "shot", "open": "open", "close": "close", "heal": "heal"}


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
    """

    def __init__(
        self,
        law: Law,
        agent: int,
        verbs: frozenset[str],
        fixed: list[Reason],
        slots: tuple[Slot, ...] = (),
        spell: bool = False,
    ) -> None:
        board = law.board
        self.law, self.agent, self.verbs, self.slots = law, agent, verbs, slots
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
        self.fixed = frozenset(fixed) | self._prohibited(self.forbidden, ())

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
        if not places or not self.law.concerns(a, self.agent) or a.bearer in self.shielded:
            return []
        if self.slots[0] is ENEMY and not self.masks[0] >> a.bearer & 1:
            return []  # the rules themselves forbid attacking it
        if all(a.bearer in self.barred[n] for n in places):
            return []
        return [(a.bearer, a.by, places)]

    def _prohibited(self, by: list[str], targets: tuple[int, ...]) -> Reasons:
        """514.2, and 524.2 beside it where the card was allowed or obliged to do just this."""
        if not by:
            return NONE
        rules = ["514.2"]
        if self.allowed or any(self.law.meets(must, targets) for must in self.musts):
            rules.append("524.2")
        return frozenset((rule, card) for rule in rules for card in by)

    def against(self, targets: tuple[int, ...]) -> Reasons:
        """Everything that stands against it with these targets."""
        if not targets and not self.slots:
            return self.fixed
        found: list[Reason] = []
        if len(targets) < len(self.slots) or len(set(targets)) < len(targets):
            found.append(("514.1", self.name))
        if len(targets) > len(self.slots):
            found.append(("base.target", self.name))
        by: list[str] = []
        for slot, mask, barred, target in zip(
            self.slots, self.masks, self.barred, targets, strict=False
        ):
            if not mask >> target & 1:
                found.append(("base.target", self.name))
            if barred:
                by += barred.get(target, ())
            if not self.law.board.in_play >> target & 1 or "revive" in slot.does:
                found += self._zone(slot, target)
        for card, lure, places in self.lures:
            if all(targets[n : n + 1] != (card,) for n in places):
                found.append(("514.1", lure))
        if targets:
            if self.shielded:
                found += [("514.1", by) for t in targets for by in self.shielded.get(t, ())]
            if by or self.forbidden:
                return self.fixed.union(found, self._prohibited(self.forbidden + by, targets))
        return self.fixed.union(found) if found else self.fixed

    def _zone(self, slot: Slot, target: int) -> list[Reason]:
        """A target where it cannot be reached."""
        card = self.law.board.cards[target]
        if "revive" in slot.does:
            if card.zone != "graveyard":
                return [("514.1", self.name)]
            whose = self.law.board.cards[self.agent].controller
            return [("base.target", self.name)] if card.owner != whose else []
        return [("514.1" if "destroy" in slot.does else "base.zone", self.name)]


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

    # -- small questions ------------------------------------------------------------------

    def concerns(self, ability: Ability, agent: int) -> bool:
        """Whether an ability ``name(V)`` or ``name(V,F)`` is about this agent."""
        return len(ability.args) == 1 or self.board.view.fits(
            ability.args[1], ability.bearer, agent
        )

    def meets(self, must: Ability, targets: tuple[int, ...]) -> bool:
        """Whether a declaration of the right verb with these targets meets the obligation."""
        if len(must.args) == 1:
            return True
        mask = self.board.view.mask(must.args[1], must.bearer)
        return any(mask >> target & 1 for target in targets)

    def tired(self, agent: int) -> bool:
        """base.first_turn: came under its controller this turn, and nothing lifts it."""
        card = self.board.cards[agent]
        return (
            card.type == "creature"
            and card.entered == self.state.turn
            and not self.board.of(agent, "charge")
            and not any(a.args[0] == "act" for a in self.board.of(agent, "may"))
        )

    def spare_attack(self, agent: int) -> Ability | None:
        """The ability that would let a creature attack once more, if one is unused."""
        found = [
            a
            for a in self.board.of(agent, "may")
            if a.args[0] == "attack" and not self.board.spent(a)
        ]
        return min(found, key=lambda a: a.moment) if found else None

    def main_phase(self, agent: int) -> bool:
        """Whether this card's player may now declare something of the main phase."""
        active = bool(self.mine >> agent & 1)
        return self.running and self.state.pending is None and active

    # -- the declarations -----------------------------------------------------------------

    def attack(self, agent: int) -> Claim:
        """attack(A,T): base.attack, 514."""
        card, fixed = self.board.cards[agent], list[Reason]()
        if not self.main_phase(agent):
            fixed.append(("base.turn", card.id))
        fixed += _unable(card)
        if card.acted and self.spare_attack(agent) is None:
            fixed.append(("base.acted", card.id))
        if self.tired(agent):
            fixed.append(("base.first_turn", card.id))
        verbs = frozenset({"attack", "strike", "act"})
        return Claim(self, agent, verbs, fixed, (ENEMY,))

    def defend(self, agent: int) -> Claim:
        """defend(D): 509; its target is the attacker."""
        board, pending, card = self.board, self.state.pending, self.board.cards[agent]
        fixed = list[Reason]()
        if not self.running or pending is None or card.controller != self.passive:
            fixed.append(("base.turn", card.id))
        fixed += _unable(card)
        if card.defended:
            fixed.append(("509.3", card.id))
        if pending is not None:
            if card.id == pending.target:
                fixed.append(("base.target", card.id))
            if pending.defender is not None:
                fixed.append(("509.4", card.id))
            attacker = board.place[pending.attacker]
            fixed += [("509.2", a.by) for a in board.of(attacker, "directed_strike")]
        claim = Claim(self, agent, frozenset({"defend", "act"}), fixed, (Slot("any"),))
        claim.lures = []  # a defender chooses nothing
        return claim

    def play(self, agent: int) -> Claim:
        """play(C,T,...): base.cost, 514."""
        card, fixed = self.board.cards[agent], list[Reason]()
        if not self.main_phase(agent):
            fixed.append(("base.turn", card.id))
        if card.zone != "hand":
            fixed.append(("base.zone", card.id))
        if self.coins < self.board.price(agent):
            fixed.append(("base.cost", card.id))
        asked = tuple(slot for a in self.board.of(agent, "spell") for slot in slots(a.args[0]))
        return Claim(self, agent, frozenset({"play"}), fixed, asked, card.type == "spell")

    def use(self, agent: int, ability: Ability) -> Claim:
        """use(C,N,T,...): what stands before the colon must be paid in full."""
        card, fixed, price = self.board.cards[agent], list[Reason](), cost(ability.term)
        verbs = {"use"}
        if contains(ability.args[1], "shot"):
            verbs.add("shoot")
        if ability not in self.board.view.abilities[agent]:
            fixed.append(("514.1", card.id))  # lost: there is nothing to declare
        if not self.main_phase(agent):
            fixed.append(("base.turn", card.id))
        if card.zone != "play":
            fixed.append(("base.zone", card.id))
        if price.closes:
            verbs.add("act")
            cannot = (a for a in self.board.of(agent, "cannot") if len(a.args) == 1)
            fixed += [("514.2", a.by) for a in cannot if a.args[0] == "close"]
            if card.closed:
                fixed.append(("base.closed", card.id))
            if self.tired(agent):
                fixed.append(("base.first_turn", card.id))
        if self.coins < price.coins or card.chips < price.chips:
            fixed.append(("base.cost", card.id))
        if price.once and self.board.spent(ability):
            fixed.append(("base.once", card.id))
        return Claim(self, agent, frozenset(verbs), fixed, slots(ability.args[1]))

    # -- all candidates -------------------------------------------------------------------

    def candidates(self) -> Iterator[Declared]:
        """Every candidate (CONTRACT 2) with what stands against it, obligations aside."""
        if self.state.result is not None:
            return
        board, cards = self.board, self.board.cards
        turn = NONE if self.running else frozenset({("base.turn", None)})
        if self.state.pending is not None:
            attacker = (board.place[self.state.pending.attacker],)
            for n in bits(board.side[self.passive] & board.in_play & board.plain["creature"]):
                claim = self.defend(n)
                yield Declared(
                    f"defend({claim.name})", n, claim.verbs, attacker, claim.against(attacker)
                )
            yield Declared("pass", None, frozenset(), (), turn)
            return
        reach = board.characters & board.in_play & ~self.mine
        for n in bits(self.mine & board.in_play & board.plain["creature"]) if reach else []:
            yield from self._each(f"attack({cards[n].id}", self.attack(n), [reach])
        for n, card in enumerate(cards):
            if card.owner != self.state.active or card.zone != "hand":
                continue
            claim = self.play(n)
            yield from self._each(f"play({card.id}", claim, self._ranges(claim))
        for n in bits(self.mine & board.in_play):
            for number, ability in enumerate(board.activated(n), 1):
                if ability in board.view.abilities[n]:
                    claim = self.use(n, ability)
                    head = f"use({cards[n].id},{number}"
                    yield from self._each(head, claim, self._ranges(claim))
        yield Declared("end_turn", None, frozenset(), (), turn)

    def _ranges(self, claim: Claim) -> list[int]:
        """What each target ranges over: the characters in play, or the type it requires."""
        return [self._range(slot) for slot in claim.slots]

    def _range(self, slot: Slot) -> int:
        if "revive" in slot.does:
            return self.board.where(self._buried)
        other = wanted_type(slot.filter)
        if other is None:
            return self.board.characters & self.board.in_play
        return self.board.where(lambda place, card: card.type == other) & self.board.in_play

    def _buried(self, place: int, card: Card) -> bool:
        """A creature in the active player's graveyard."""
        return (card.type, card.zone, card.owner) == ("creature", "graveyard", self.state.active)

    def _each(self, head: str, claim: Claim, ranges: list[int]) -> Iterator[Declared]:
        agent, verbs = claim.agent, claim.verbs
        if not ranges or not all(ranges):  # no targets, or no card to range over
            yield Declared(f"{head})", agent, verbs, (), claim.against(()))
            return
        names = [card.id for card in self.board.cards]
        if len(ranges) == 1:
            for target in bits(ranges[0]):
                chosen = (target,)
                yield Declared(
                    f"{head},{names[target]})", agent, verbs, chosen, claim.against(chosen)
                )
            return
        for targets in product(*map(bits, ranges)):
            inside = ",".join(names[target] for target in targets)
            yield Declared(f"{head},{inside})", agent, verbs, targets, claim.against(targets))

    # -- obligations ----------------------------------------------------------------------

    def binding(self, declared: list[Declared]) -> list[Ability]:
        """The obligations of the player who decides that something legal would meet."""
        board = self.board
        mine = board.side[self.decides]
        musts = [a for a in board.all("must") if mine >> a.bearer & 1]
        return [
            must
            for must in musts
            if any(not each.reasons and self.answers(each, must) for each in declared)
        ]

    def answers(self, each: Declared, must: Ability) -> bool:
        """Whether a declaration would meet an obligation."""
        return (
            each.agent == must.bearer
            and must.args[0] in each.verbs
            and self.meets(must, each.targets)
        )

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
        found = next((each for each in declared if each.text == text), None)
        if found is None:
            found = self._any(text)
        return self.with_obligations(found, self.binding(declared))

    def _any(self, text: str) -> Declared:
        """A declaration that is no candidate."""
        verb, _, inside = text.rstrip(")").partition("(")
        if verb in ("pass", "end_turn"):
            return Declared(text, None, frozenset(), (), frozenset({("base.turn", None)}))
        names = inside.split(",")
        agent = self.board.place[names.pop(0)]
        if verb == "use":
            ability = self.board.activated(agent)[int(names.pop(0)) - 1]
            claim = self.use(agent, ability)
        else:
            claim = {"attack": self.attack, "defend": self.defend, "play": self.play}[verb](agent)
        targets = tuple(self.board.place[name] for name in names)
        if verb == "defend" and self.state.pending is not None:
            targets = (self.board.place[self.state.pending.attacker],)
        reasons = claim.against(targets) if verb != "defend" or targets else claim.fixed
        return Declared(text, agent, claim.verbs, targets, reasons)


__all__ = ["Law", "Reasons"]


def _unable(card: Card) -> Iterator[Reason]:
    """Why a card can neither attack nor defend, whatever else there is."""
    if card.zone != "play":
        yield "base.zone", card.id
    if card.type == "hero":
        yield "base.hero", card.id
    if card.closed:
        yield "base.closed", card.id
