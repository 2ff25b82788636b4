"""The wounds of one moment: their calculation, replacement and prevention (508.4, 515, 516)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from tests.model.board import Ability, Board, Mark
from tests.model.terms import Unsupported
from tests.model.words import KINDS, bits, from_spells, matches

T = TypeVar("T", bound=Hashable)
LIMIT = 2_000  # of what is looked at while everything may come in any order


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


Chain = tuple[Wounds, frozenset[Ability]]  # and the redirections used so far
Spent = tuple[tuple[Mark, int], ...]  # what was used of which pool
Way = tuple[tuple[int, ...], Spent]  # the wounds left and the pools used


def ends(start: T, after: Callable[[T], Iterable[T]]) -> set[T]:
    """Everything at which that can end which may go on in several ways."""
    ways, seen, out = [start], {start}, set[T]()
    while ways:
        way = ways.pop()
        more = set(after(way))
        out |= set() if more else {way}
        ways += more - seen
        seen |= more
        if len(seen) > LIMIT:
            raise Unsupported("too many orders")
    return out


# -- 508.4.1 calculation --------------------------------------------------------------------------


def calculate(board: Board, blow: Blow) -> Wounds:
    """How many wounds a blow is about to deal to its target."""
    source, target, strikes = blow.source, blow.target, blow.kind in KINDS["strike"]
    power = strength(board, source, target) if strikes else blow.number
    if blow.kind == "spell":
        mine = board.side[board.cards[source].controller]
        mods = [a for a in board.all["spell_mod"] if mine >> a.bearer & 1]
        power += sum(board.reckon(a.args[0], a.bearer) for a in mods)
    amount = power = max(0, power)
    if power:  # nothing adds to a blow of strength 0
        amount += bool(board.of(target, "vulnerability"))
        amount += 2 * superior(board, source, target) if strikes else 0
        amount -= 2 * superior(board, target, source)
    return Wounds(blow, power, target, max(0, amount))


def strength(board: Board, source: int, target: int) -> int:
    """The strength of a strike: the attribute, what depends on the target, what sets it."""

    def meant(wanted: str) -> list[Ability]:
        found = board.of(source, wanted)
        return [a for a in found if all(board.fits(f, source, target) for f in a.args[1:])]

    if fixed := meant("strike_becomes"):
        return board.reckon(sorted(fixed, key=lambda a: a.moment)[-1].args[0], source)
    more = [board.reckon(a.args[0], source) for a in meant("strike_mod")]
    return board.value(source, "strike") + sum(more)


def superior(board: Board, card: int, other: int) -> int:
    """How many abilities make one card superior to another."""
    return sum(board.fits(a.args[0], card, other) for a in board.of(card, "superiority"))


# -- 508.4.2 change: replacement (516) ------------------------------------------------------------


def replacements(board: Board, wounds: Wounds) -> set[Wounds]:
    """Every end of the chain of replacement effects, whoever chooses among several."""

    def after(chain: Chain) -> Iterator[Chain]:
        (wounds, used), target = chain, chain[0].target
        if not wounds.amount:
            return
        for a in board.abilities[target]:
            # 515P.2: spells that are not targeted work on who is protected from spells
            guards = a.name == "protection" and not from_spells(a)
            if (guards or a.name in ("no_wounds", "wounds_only")) and (
                matches(board, a.args[0], target, wounds) != (a.name == "wounds_only")
            ):
                yield wounds._replace(amount=0, replaced=True), used
        for a in board.all["redirect"]:
            whose, which, whither = a.args
            meant = a not in used and board.fits(whose, a.bearer, target)
            if meant and matches(board, which, a.bearer, wounds):
                reach = board.mask(whither, a.bearer) & board.characters & board.in_play
                for other in bits(reach & ~(1 << target)):
                    yield wounds._replace(target=other, replaced=True), used | {a}

    return {wounds for wounds, _ in ends((wounds, frozenset[Ability]()), after)}


# -- then prevention (515V) -----------------------------------------------------------------------


def greatest(board: Board, card: int, keyword: str) -> list[tuple[int, Ability]]:
    """Of a keyword with a number that which acts: the greatest, of equals the oldest.

    mod(Keyword,N) adds to it; with 0 it is none.
    """
    found = sorted(board.of(card, keyword), key=lambda a: (-a.args[0], a.moment))[:1]
    mods = [a.args[1] for a in board.of(card, "mod") if a.args[0] == keyword]
    more = sum(board.reckon(term, card) for term in mods) if found else 0
    return [(a.args[0] + more, a) for a in found if a.args[0] + more > 0]


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
        if wounds.amount and wounds.blow.kind in KINDS["strike"] + KINDS["shot"]:
            if any(wounds.strength <= most for most, _ in greatest(board, wounds.target, "scales")):
                amounts[at] = 0
            pairs += [Pair(a, at, n, True) for n, a in greatest(board, wounds.target, "armor")]
        for a in board.all["prevent"] if wounds.amount else ():
            amount, renewed, whom, which = a.args
            meant = board.fits(whom, a.bearer, wounds.target)
            if meant and matches(board, which, a.bearer, wounds):
                if amount == "all":
                    amounts[at] = 0
                else:
                    pairs.append(Pair(a, at, board.reckon(amount, a.bearer), renewed != "each"))
    ways: set[Way] = {(tuple(amounts), ())}
    for turn in (False, True):  # first all of the inactive player
        own = frozenset(p for p in pairs if (p.ability.owner == board.state.active) == turn)
        ways = {end for way in ways for end in in_any_order(board, way, own)}
    return ways


def in_any_order(board: Board, start: Way, pairs: frozenset[Pair]) -> set[Way]:
    """One player applies prevention effects to wounds, in every order that makes a difference."""

    def after(state: tuple[Way, frozenset[Pair]]) -> Iterator[tuple[Way, frozenset[Pair]]]:
        way, able = state[0], frozenset(p for p in state[1] if prevented(board, state[0], p))
        # without a pool the order is all the same; wounds that share no pool are independent; of
        # what has no pool and prevents as much of the same wounds any one
        pooled = {pair.at for pair in able if pair.pooled}
        alone = [pair for pair in able if pair.at not in pooled]
        one_of = {p if p.pooled else (p.at, p.number): p for p in alone[:1] or linked(able)}
        for pair in one_of.values():
            yield applied(board, way, pair), able - {pair}

    return {way for way, _ in ends((start, pairs), after)}


def linked(pairs: frozenset[Pair]) -> set[Pair]:
    """Those that are about the first wounds, or about wounds linked to them by pools."""
    group, more = set[Pair](), {pair for pair in pairs if pair.at == min(p.at for p in pairs)}
    while group != more:
        group, marks = more, {pair.ability.mark for pair in more if pair.pooled}
        events = {p.at for p in pairs if p in group or (p.pooled and p.ability.mark in marks)}
        more = {pair for pair in pairs if pair.at in events}
    return group


def prevented(board: Board, way: Way, pair: Pair) -> int:
    """How many wounds the effect would prevent now."""
    used = board.spent(pair.ability) + dict(way[1]).get(pair.ability.mark, 0)
    return max(0, min(pair.number - (used if pair.pooled else 0), way[0][pair.at]))


def applied(board: Board, way: Way, pair: Pair) -> Way:
    """Fewer wounds, and less left in the pool."""
    taken, (amounts, spent) = prevented(board, way, pair), (list(way[0]), Counter(dict(way[1])))
    amounts[pair.at] -= taken
    spent.update({pair.ability.mark: taken} if pair.pooled else {})
    return tuple(amounts), tuple(sorted(spent.items()))
