"""The wounds of one moment: their calculation, replacement and prevention (508.4, 515, 516)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from tests.model.board import Ability, Board, Mark
from tests.model.terms import Term, Unsupported, args, name
from tests.model.words import bits

# the kinds of wounds that a wound filter names
KINDS = {
    "any": ("attack", "answer", "shot", "spell", "ability"), "strike": ("attack", "answer"),
    "counter_strike": ("answer",), "attack": ("attack", "shot"), "shot": ("shot",),
    "spell": ("spell",), "ability": ("spell", "ability"),
}  # fmt: skip


class Blow(NamedTuple):
    """Wounds about to be dealt by one source to one card."""

    source: int
    target: int
    kind: str  # attack, answer, shot, spell or ability
    number: int = 0  # of a shot or of wounds; a strike has its strength computed
    targeted: bool = False


class Wounds(NamedTuple):
    """A calculated blow: its strength (or number), whom it is about to hit, how much it is now."""

    blow: Blow
    strength: int
    target: int
    amount: int
    replaced: bool = False


LIMIT = 20_000  # of orders of replacement or prevention looked at
Spent = tuple[tuple[Mark, int], ...]  # what was used of which pool
Way = tuple[tuple[int, ...], Spent]  # the wounds left and the pools used


class Landed(NamedTuple):
    """One way in which the wounds of a moment go: on whom, how many, what was used up."""

    targets: tuple[int, ...]
    amounts: tuple[int, ...]
    spent: Spent
    full: bool  # every blow deals what it was calculated to deal, nothing replaced


def landing(board: Board, blows: list[Blow]) -> Iterator[Landed]:
    """Every way that blows of one moment can go."""
    planned = [calculate(board, blow) for blow in blows]
    for batch in product(*(replacements(board, wounds) for wounds in planned)):
        for amounts, spent in preventions(board, batch):
            alike = zip(planned, batch, amounts, strict=True)
            full = all(a.amount == left > 0 and not b.replaced for a, b, left in alike)
            yield Landed(tuple(wounds.target for wounds in batch), amounts, spent, full)


# -- 508.4.1 calculation ----------------------------------------------------------------------


def calculate(board: Board, blow: Blow) -> Wounds:
    """How many wounds a blow is about to deal to its target."""
    source, target, strikes = blow.source, blow.target, blow.kind in KINDS["strike"]
    power = strength(board, source, target) if strikes else blow.number
    if blow.kind == "spell":
        mine = board.side[board.cards[source].controller]
        mods = [a for a in board.all("spell_mod") if mine >> a.bearer & 1]
        power += sum(board.amount(a.args[0], a.bearer) for a in mods)
    amount = power = max(0, power)
    if power:  # nothing adds to a blow of strength 0
        amount += bool(board.of(target, "vulnerability"))
        amount += 2 * superior(board, source, target) if strikes else 0
        amount -= 2 * superior(board, target, source)
    return Wounds(blow, power, target, max(0, amount))


def strength(board: Board, source: int, target: int) -> int:
    """The strength of a strike: the attribute, what depends on the target, what sets it."""

    def meant(wanted: str) -> Iterator[tuple[int, int]]:
        for a in board.of(source, wanted):
            if all(board.fits(filter_, source, target) for filter_ in a.args[1:]):
                yield a.moment, board.amount(a.args[0], source)

    fixed = sorted(meant("strike_becomes"), key=lambda pair: pair[0])
    more = sum(number for _, number in meant("strike_mod"))
    return fixed[-1][1] if fixed else board.value(source, "strike") + more


def greatest(board: Board, card: int, keyword: str) -> tuple[int, Ability] | None:
    """Of a keyword with a number that which acts: the greatest, of equals the oldest.

    mod(Keyword,N) adds to it; with 0 it is none.
    """
    found = sorted(board.of(card, keyword), key=lambda a: (-a.args[0], a.moment))[:1]
    mods = [a.args[1] for a in board.of(card, "mod") if a.args[0] == keyword]
    number = sum(a.args[0] for a in found) + sum(board.amount(term, card) for term in mods)
    return (number, found[0]) if found and number > 0 else None


def superior(board: Board, card: int, other: int) -> int:
    """How many abilities make one card superior to another."""
    return sum(board.fits(a.args[0], card, other) for a in board.of(card, "superiority"))


def matches(board: Board, filter_: Term, bearer: int, wounds: Wounds) -> bool:
    """Whether the wounds about to be dealt match a wound filter read from the bearer."""
    head, inner = name(filter_), args(filter_)
    if head in KINDS:
        return wounds.blow.kind in KINDS[head]
    if head == "from":
        return board.fits(inner[0], bearer, wounds.blow.source)
    if head == "strength_at_most":
        return bool(wounds.strength <= inner[0])
    if head == "targeted":
        return wounds.blow.targeted
    found = [matches(board, part, bearer, wounds) for part in inner]
    return not found[0] if head == "not" else all(found) if head == "and" else any(found)


# -- 508.4.2 change: replacement (516), then prevention (515V) ------------------------------------


def replacements(board: Board, wounds: Wounds) -> set[Wounds]:
    """Every end of the chain of replacement effects, whoever chooses among several."""
    ways = {(wounds, frozenset[Ability]())}
    seen, ends = set(ways), set[Wounds]()
    while ways:
        last, used = ways.pop()
        after = set(_replaced(board, last, used)) if last.amount else set()
        ends |= set() if after else {last}
        ways |= after - seen
        seen |= after
        if len(seen) > LIMIT:
            raise Unsupported("too many orders of replacement")
    return ends


def _replaced(
    board: Board, wounds: Wounds, used: frozenset[Ability]
) -> Iterator[tuple[Wounds, frozenset[Ability]]]:
    """What one replacement effect makes of wounds, and the redirections used so far."""
    target = wounds.target
    for a in board.abilities[target]:
        # 515P.2: spells that are not targeted work on who is protected from spells
        if a.name in ("protection", "no_wounds", "wounds_only") and (
            (a.name, a.args[0]) != ("protection", "spell")
            and matches(board, a.args[0], target, wounds) != (a.name == "wounds_only")
        ):
            yield wounds._replace(amount=0, replaced=True), used
    for a in board.all("redirect"):
        whose, which, whither = a.args
        meant = a not in used and board.fits(whose, a.bearer, target)
        if meant and matches(board, which, a.bearer, wounds):
            reach = board.mask(whither, a.bearer) & board.characters & board.in_play
            for other in bits(reach & ~(1 << target)):
                yield wounds._replace(target=other, replaced=True), used | {a}


class Pair(NamedTuple):
    """A prevention with a number and the wounds that it meets."""

    ability: Ability
    at: int
    number: int
    pooled: bool


def preventions(board: Board, batch: tuple[Wounds, ...]) -> set[Way]:
    """Every way the preventions of this moment can go: the amounts left and the pools used."""
    amounts, pairs = [wounds.amount for wounds in batch], list[Pair]()
    for at, wounds in enumerate(batch):
        if wounds.amount and wounds.blow.kind in ("attack", "answer", "shot"):
            scales = greatest(board, wounds.target, "scales")
            if scales and wounds.strength <= scales[0]:
                amounts[at] = 0
            armor = greatest(board, wounds.target, "armor")
            pairs += [Pair(armor[1], at, armor[0], True)] if armor else []
        for a in board.all("prevent") if wounds.amount else ():
            amount, renewed, whom, which = a.args
            meant = board.fits(whom, a.bearer, wounds.target)
            if meant and matches(board, which, a.bearer, wounds):
                if amount == "all":
                    amounts[at] = 0
                else:
                    pairs.append(Pair(a, at, board.amount(amount, a.bearer), renewed != "each"))
    ways: set[Way] = {(tuple(amounts), ())}
    for turn in (False, True):  # first all of the inactive player
        own = [pair for pair in pairs if (pair.ability.owner == board.state.active) == turn]
        ways = {end for way in ways for end in _orders(board, way, own)}
    return ways


def _orders(board: Board, start: Way, pairs: list[Pair]) -> set[Way]:
    """One player applies prevention effects to wounds, in every order that makes a difference."""
    ways = {(start, frozenset(pairs))}
    seen, ends = set(ways), set[Way]()
    while ways:
        way, rest = ways.pop()
        rest = frozenset(pair for pair in rest if _prevented(board, way, pair))
        pooled = {pair.at for pair in rest if pair.pooled}
        alone = frozenset(pair for pair in rest if pair.at not in pooled)
        for pair in alone:  # where there is no pool the order is all the same
            way = _applied(board, way, pair)
        if not pooled:
            ends.add(way)
            continue
        # wounds that share no pool are independent: take one such group after the other, and of
        # what has no pool and prevents as much of the same wounds any one
        group = _group(rest - alone)
        one_of = {pair if pair.pooled else (pair.at, pair.number): pair for pair in group}
        after = {(_applied(board, way, pair), rest - alone - {pair}) for pair in one_of.values()}
        ways |= after - seen
        seen |= after
        if len(seen) > LIMIT:
            raise Unsupported("too many orders of prevention")
    return ends


def _prevented(board: Board, way: Way, pair: Pair) -> int:
    """How many wounds the effect would prevent now."""
    left = pair.number
    if pair.pooled:
        left -= board.spent(pair.ability) + dict(way[1]).get(pair.ability.mark, 0)
    return max(0, min(left, way[0][pair.at]))


def _applied(board: Board, way: Way, pair: Pair) -> Way:
    """Fewer wounds, and less left in the pool."""
    (amounts, spent), taken = way, _prevented(board, way, pair)
    if pair.pooled:
        mark, used = pair.ability.mark, dict(spent)
        spent = tuple(sorted({**used, mark: used.get(mark, 0) + taken}.items()))
    return (*amounts[: pair.at], amounts[pair.at] - taken, *amounts[pair.at + 1 :]), spent


def _group(pairs: frozenset[Pair]) -> list[Pair]:
    """Those that are about the first wounds, or linked to them by pools."""
    events, linked = set[int](), {min(pair.at for pair in pairs)}
    while linked != events:
        events = linked
        marks = {pair.ability.mark for pair in pairs if pair.pooled and pair.at in events}
        linked = events | {p.at for p in pairs if p.pooled and p.ability.mark in marks}
    return [pair for pair in pairs if pair.at in events]
