"""What declarations bring about: blows, wounds, their replacement and prevention, deaths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from pyengine.model import Card, Effect, Pending, State
from tests.model.board import CHARACTERS, Ability, Board, bits
from tests.model.legality import Law
from tests.model.terms import Term, args, cost, name, show
from tests.model.vocabulary import Unsupported

SUPPORTS = ("weapon", "armor", "amulet")


class Blow(NamedTuple):
    """Wounds about to be dealt by one source to one card."""

    source: int
    target: int
    kind: str  # attack, answer, shot, spell or ability
    number: int  # of a shot or of wounds; a strike has its strength computed
    targeted: bool


class Wounds(NamedTuple):
    """A calculated blow: its strength (or number), and how many wounds it is now."""

    blow: Blow
    strength: int
    target: int
    amount: int
    replaced: bool


class Dealt(NamedTuple):
    """One way in which the wounds of one moment land."""

    state: State
    full: bool  # every blow dealt what it was calculated to deal, nothing replaced
    amounts: tuple[int, ...]  # in fact dealt, blow by blow


# -- small changes of a state -----------------------------------------------------------------


def change(state: State, id: str, **fields: object) -> State:
    """The state with some fields of one card changed."""
    cards = tuple(
        replace(card, **fields) if card.id == id else card  # type: ignore[arg-type]
        for card in state.cards
    )
    return replace(state, cards=cards)


def spend(state: State, mark: tuple[int, str], amount: int) -> State:
    """Notes that so much of an ability has been used up."""
    place, key = mark
    if place < 0:
        effects = list(state.effects)
        at = int(key)
        effects[at] = replace(effects[at], spent=effects[at].spent + amount)
        return replace(state, effects=tuple(effects))
    card = state.cards[place]
    spent = dict(card.spent)
    spent[key] = spent.get(key, 0) + amount
    return change(state, card.id, spent=tuple(sorted(spent.items())))


def pay(state: State, coins: int) -> State:
    """The active player's coins less what was paid."""
    players = tuple(
        (id, replace(player, coins=player.coins - coins) if id == state.active else player)
        for id, player in state.players
    )
    return replace(state, players=players)


def moment(state: State) -> int:
    """A new moment: the greatest so far + 1."""
    times = [time for card in state.cards for time in (card.since, card.arrived)]
    return max(times + [effect.since for effect in state.effects]) + 1


def to_graveyard(state: State, ids: set[str]) -> State:
    """Cards leave play together: they shed marks and effects, and what they gave ends."""
    cards = tuple(
        Card(
            id=card.id, type=card.type, owner=card.owner, controller=card.owner, name=card.name,
            kind=card.kind, classes=card.classes, element=card.element, cost=card.cost,
            strike=card.strike, life=card.life, abilities=card.abilities, zone="graveyard",
            movement=card.movement,
        )
        if card.id in ids
        else card
        for card in state.cards
    )  # fmt: skip
    types = {card.id: card.type for card in state.cards}
    effects = tuple(
        effect
        for effect in state.effects
        if effect.card not in ids
        and not (
            effect.source in ids and effect.until == "leaves" and types[effect.source] != "spell"
        )
    )
    return replace(state, cards=cards, effects=effects)


def bury(state: State) -> State:
    """base.death: those whose wounds reach their life die, again and again until none does."""
    while state.result is None:
        board = Board(state)
        dead = {
            card.id
            for n, card in enumerate(state.cards)
            if card.zone == "play" and card.type in CHARACTERS and card.wounds >= board.life(n)
        }
        if not dead:
            break
        state = dying(state, dead)
    return state


def dying(state: State, dead: set[str]) -> State:
    """These cards die together; a dead hero loses, both at once is a draw."""
    losers = {card.owner for card in state.cards if card.id in dead and card.type == "hero"}
    state = to_graveyard(state, dead)
    if len(losers) == 2:
        return replace(state, result="draw")
    if losers:
        winner = next(player for player, _ in state.players if player not in losers)
        return replace(state, result=winner)
    return state


# -- 508.4.1 calculation ----------------------------------------------------------------------


def strength(board: Board, source: int, target: int) -> int:
    """The strength of a strike: the attribute, what depends on the target, what sets it."""
    fit = board.view.fits
    printed = board.cards[source].strike
    assert isinstance(printed, int)
    value = board.value(source, "strike", printed)
    for a in board.of(source, "strike_mod"):
        if len(a.args) == 1 or fit(a.args[1], source, target):
            value += a.args[0]
    becomes = [a for a in board.of(source, "strike_becomes") if fit(a.args[1], source, target)]
    if becomes:
        value = sorted(becomes, key=lambda a: a.moment)[-1].args[0]
    return max(0, value)


def calculate(board: Board, blow: Blow) -> Wounds:
    """How many wounds a blow is about to deal to its target."""
    source, target = blow.source, blow.target
    strikes = blow.kind in ("attack", "answer")
    power = strength(board, source, target) if strikes else blow.number
    if blow.kind == "spell":
        mine = board.side[board.cards[source].controller]
        power += sum(a.args[0] for a in board.all("spell_mod") if mine >> a.bearer & 1)
    power = max(0, power)
    amount = power
    if amount:  # nothing adds to a blow of strength 0
        amount += 1 if board.of(target, "vulnerability") else 0
        if strikes:
            amount += 2 * superior(board, source, target)
        amount -= 2 * superior(board, target, source)
    return Wounds(blow, power, target, max(0, amount), False)


def superior(board: Board, card: int, other: int) -> int:
    """How many abilities make one card superior to another."""
    found = board.of(card, "superiority")
    return sum(board.view.fits(a.args[0], card, other) for a in found)


def matches(board: Board, filter_: Term, bearer: int, wounds: Wounds) -> bool:
    """Whether the wounds about to be dealt match a wound filter read from the bearer."""
    kind, head = wounds.blow.kind, name(filter_)
    if head in ("and", "or"):
        found = [matches(board, inner, bearer, wounds) for inner in args(filter_)]
        return all(found) if head == "and" else any(found)
    if head == "not":
        return not matches(board, args(filter_)[0], bearer, wounds)
    if head == "from":
        return board.view.fits(args(filter_)[0], bearer, wounds.blow.source)
    if head == "strength_at_most":
        return bool(wounds.strength <= args(filter_)[0])
    if head == "targeted":
        return wounds.blow.targeted
    kinds = {
        "any": ("attack", "answer", "shot", "spell", "ability"),
        "strike": ("attack", "answer"),
        "counter_strike": ("answer",),
        "attack": ("attack", "shot"),
        "shot": ("shot",),
        "spell": ("spell",),
        "ability": ("spell", "ability"),
    }
    return kind in kinds[head]


# -- 508.4.2 change: replacement (516) --------------------------------------------------------


def replacements(board: Board, wounds: Wounds, used: frozenset[Ability]) -> set[Wounds]:
    """Every end of the chain of replacement effects, whoever chooses among several."""
    if not wounds.amount:
        return {wounds}
    out, target = set[Wounds](), wounds.target
    for ability in board.view.abilities[target]:
        if ability in used or ability.name not in ("protection", "no_wounds", "wounds_only"):
            continue
        if ability.name == "protection" and ability.args[0] == "spell":
            continue  # 515P.2
        fits = matches(board, ability.args[0], target, wounds)
        if fits != (ability.name == "wounds_only"):
            out.add(wounds._replace(amount=0, replaced=True))
    for ability in board.all("redirect"):
        if ability in used:
            continue
        whose, which, whither = ability.args
        bearer = ability.bearer
        if board.view.fits(whose, bearer, target) and matches(board, which, bearer, wounds):
            reach = board.view.mask(whither, bearer) & board.characters & board.in_play
            for other in bits(reach & ~(1 << target)):
                then = wounds._replace(target=other, replaced=True)
                out |= replacements(board, then, used | {ability})
    return out or {wounds}


# -- 508.4.2 change: prevention (515V) --------------------------------------------------------


Spent = tuple[tuple[tuple[int, str], int], ...]  # what was used of which pool
Way = tuple[tuple[int, ...], Spent]  # the wounds left and the pools used
LIMIT = 20_000  # of orders of prevention looked at


class Pair(NamedTuple):
    """A prevention with a number and the wounds that it meets."""

    ability: Ability
    at: int
    pooled: bool


def preventions(board: Board, batch: tuple[Wounds, ...]) -> set[Way]:
    """Every way the preventions of this moment can go: the amounts left and the pools used."""
    amounts = [wounds.amount for wounds in batch]
    numbered: dict[str, list[Pair]] = {}
    for at, wounds in enumerate(batch):
        if not wounds.amount:
            continue
        blown = wounds.blow.kind in ("attack", "answer", "shot")
        scales = [a.args[0] for a in board.of(wounds.target, "scales")]
        if blown and scales and wounds.strength <= max(scales):
            amounts[at] = 0
        armors = board.of(wounds.target, "armor")
        if blown and armors:
            best = max(armors, key=lambda a: (a.args[0], -a.moment))
            numbered.setdefault(best.owner, []).append(Pair(best, at, True))
        for a in board.all("prevent"):
            amount, renewed, whom, which = a.args
            if not board.view.fits(whom, a.bearer, wounds.target):
                continue
            if not matches(board, which, a.bearer, wounds):
                continue
            if amount == "all":
                amounts[at] = 0
            else:
                numbered.setdefault(a.owner, []).append(Pair(a, at, renewed != "each"))
    ways: set[Way] = {(tuple(amounts), ())}
    passive = next(player for player, _ in board.state.players if player != board.state.active)
    for player in (passive, board.state.active):
        pairs = numbered.get(player, [])
        ways = {end for way in ways for end in _orders(board, way, pairs)}
    return ways


def _orders(board: Board, start: Way, pairs: list[Pair]) -> set[Way]:
    """One player applies prevention effects to wounds, in every order that makes a difference."""
    ways = {(start, frozenset(range(len(pairs))))}
    ends = set[Way]()
    seen = set(ways)
    while ways:
        way, rest = ways.pop()
        rest = frozenset(n for n in rest if _prevented(board, way, pairs[n]))
        pooled = {pairs[n].at for n in rest if pairs[n].pooled}
        alone = [n for n in rest if pairs[n].at not in pooled]
        if alone or not pooled:  # without pools the order of these is all the same
            for n in alone:
                way = _applied(board, way, pairs[n])
            following = {(way, rest - set(alone))} if pooled else set()
            if not pooled:
                ends.add(way)
        else:
            # wounds that share no pool are independent: take one such group after the other
            group = _group(pairs, rest)
            # equal preventions of the same wounds without a pool are all the same
            pools = [n for n in group if pairs[n].pooled]
            others = {(pairs[n].at, pairs[n].ability.args[0]): n for n in group if n not in pools}
            following = {
                (_applied(board, way, pairs[n]), rest - {n}) for n in (*pools, *others.values())
            }
        ways |= following - seen
        seen |= following
        if len(seen) > LIMIT:
            raise Unsupported("too many orders of prevention")
    return ends


def _prevented(board: Board, way: Way, pair: Pair) -> int:
    """How many wounds the effect would prevent now."""
    amounts, spent = way
    left = int(pair.ability.args[0])
    if pair.pooled:
        left -= board.spent(pair.ability) + dict(spent).get(pair.ability.mark, 0)
    return max(0, min(left, amounts[pair.at]))


def _applied(board: Board, way: Way, pair: Pair) -> Way:
    """Fewer wounds, and less left in the pool."""
    taken = _prevented(board, way, pair)
    amounts, spent = way
    if taken and pair.pooled:
        used = dict(spent)
        used[pair.ability.mark] = used.get(pair.ability.mark, 0) + taken
        spent = tuple(sorted(used.items()))
    return (*amounts[: pair.at], amounts[pair.at] - taken, *amounts[pair.at + 1 :]), spent


def _group(pairs: list[Pair], rest: frozenset[int]) -> list[int]:
    """Those of the rest that are about the first wounds, or linked to them by pools."""
    events, marks, size = {min(pairs[n].at for n in rest)}, set[tuple[int, str]](), 0
    while size != len(events) + len(marks):
        size = len(events) + len(marks)
        for n in rest:
            if pairs[n].pooled and (pairs[n].at in events or pairs[n].ability.mark in marks):
                events.add(pairs[n].at)
                marks.add(pairs[n].ability.mark)
    return [n for n in sorted(rest) if pairs[n].at in events]


# -- 508.4.3 application ----------------------------------------------------------------------


def deal(state: State, blows: list[Blow]) -> set[Dealt]:
    """All blows of one moment, from calculation to the deaths they cause."""
    board = Board(state)
    calculated = [calculate(board, blow) for blow in blows]
    out = set()
    for batch in product(*(replacements(board, wounds, frozenset()) for wounds in calculated)):
        for amounts, spent in preventions(board, batch):
            after = state
            for mark, amount in spent:
                after = spend(after, mark, amount)
            for wounds, amount in zip(batch, amounts, strict=True):
                if amount:
                    card = after.cards[wounds.target]
                    after = change(after, card.id, wounds=card.wounds + amount)
            full = all(
                first.amount and not last.replaced and first.amount == amount
                for first, last, amount in zip(calculated, batch, amounts, strict=True)
            )
            out.add(Dealt(bury(after), full, amounts))
    return out


# -- an attack (508-510) ----------------------------------------------------------------------


def attack(state: State, attacker: str, target: str) -> set[State]:
    """The attack is announced; it stops where a defender can be chosen."""
    pending = replace(state, pending=Pending(attacker, target))
    table = Law(pending).table()
    if any(text != "pass" and not reasons for text, reasons in table.items()):
        return {pending}
    return carry_through(pending, None)


def carry_through(state: State, defender: str | None) -> set[State]:
    """The attack goes on with this defender, or with nobody."""
    assert state.pending is not None
    attacker, target = state.pending.attacker, state.pending.target
    defender = defender or state.pending.defender
    state = replace(state, pending=None)
    if defender is not None:
        state = change(state, defender, defended=True)
        target = defender
    out = set()
    for after, fed in blows_of(state, attacker, target):
        if after.result is not None:
            out.add(after)
            continue
        # 509.5: both close at the same time, unless experience keeps them open
        board, closing = Board(after), dict[str, dict[str, object]]()
        if after.card(attacker).zone == "play":
            spare = Law(after).spare_attack(board.place[attacker])
            if after.card(attacker).acted and spare is not None:
                after = spend(after, spare.mark, 1)
            closing[attacker] = {"acted": True}
            if not stays_open(board, attacker, "experience_attack"):
                closing[attacker]["closed"] = True
        defends = defender is not None and after.card(defender).zone == "play"
        if defender and defends and not stays_open(board, defender, "experience_defence"):
            closing[defender] = {"closed": True}
        for id, fields in closing.items():
            after = change(after, id, **fields)
        out.add(feed(bury(after), fed))
    return out


def stays_open(board: Board, id: str, experience: str) -> bool:
    """Whether a card does not close after a fight."""
    card = board.place[id]
    return bool(board.of(card, experience)) or refuses(board, card, "close")


def blows_of(state: State, attacker: str, target: str) -> set[tuple[State, Fed]]:
    """Who strikes whom, in one moment or two, and who is fed by it (vampirism)."""
    board = Board(state)
    one, two = board.place[attacker], board.place[target]
    if state.cards[one].zone != "play" or state.cards[two].zone != "play":
        return {(state, ())}
    strike = Blow(one, two, "attack", 0, False)
    answer = Blow(two, one, "answer", 0, False)
    struck = state.cards[two]
    fight = struck.type == "creature" and not struck.closed and may_answer(board, two, one)
    if not fight:
        return moments(state, [[strike]])
    first, second = (bool(board.of(n, "first_strike")) for n in (one, two))
    if first == second:
        return moments(state, [[strike, answer]])
    return moments(state, [[strike], [answer]] if first else [[answer], [strike]])


def may_answer(board: Board, card: int, attacker: int) -> bool:
    """Whether nothing forbids its strike in answer (514.2); an answer chooses no target."""
    own = [a for a in board.of(card, "cannot") if a.args[0] == "strike"]
    return not any(len(a.args) == 1 or board.view.fits(a.args[1], card, attacker) for a in own)


Fed = tuple[tuple[str, int], ...]  # who heals how much by vampirism


def moments(state: State, sequence: list[list[Blow]]) -> set[tuple[State, Fed]]:
    """Blows moment after moment; a blow needs its source and its target in play."""
    ways: set[tuple[State, Fed]] = {(state, ())}
    for blows in sequence:
        following = set()
        for now, fed in ways:
            cards = now.cards
            left = [
                blow
                for blow in blows
                if cards[blow.source].zone == "play" and cards[blow.target].zone == "play"
            ]
            if now.result is not None or not left:
                following.add((now, fed))
                continue
            board = Board(now)
            for dealt in deal(now, left):
                more = list(fed)
                for blow, amount in zip(left, dealt.amounts, strict=True):
                    drinks = [a.args[0] for a in board.of(blow.source, "vampirism")]
                    if amount and drinks:
                        more.append((cards[blow.source].id, max(drinks)))
                following.add((dealt.state, tuple(more)))
        ways = following
    return ways


def feed(state: State, fed: Fed) -> State:
    """Vampirism: heals; the excess becomes extra life."""
    for id, amount in fed:
        card = state.card(id)
        if card.zone == "play" and state.result is None:
            healed = min(amount, card.wounds)
            extra = card.extra_life + amount - healed
            state = change(state, id, wounds=card.wounds - healed, extra_life=extra)
    return state


# -- effects ----------------------------------------------------------------------------------


class Context(NamedTuple):
    """Whose ability is carried out, and what was chosen for it."""

    source: int
    player: str
    kind: str  # spell or ability


def bind(effect: Term, targets: Iterator[str], chosen: list[str]) -> Term:
    """The effect with its targets put in."""
    if name(effect) == "target":
        (what,) = args(effect)
        if isinstance(what, int):
            return ("chosen", chosen[what - 1])
        chosen.append(next(targets))
        return ("chosen", chosen[-1])
    if name(effect) == "revive":
        chosen.append(next(targets))
        return ("revive", ("chosen", chosen[-1]))
    if isinstance(effect, tuple) and effect[0] != "lay":
        return (effect[0], *(bind(arg, targets, chosen) for arg in effect[1:]))
    if isinstance(effect, tuple):  # lay(Ability, S, Until)
        return ("lay", effect[1], bind(effect[2], targets, chosen), effect[3])
    return effect


def reached(state: State, selector: Term, context: Context) -> list[int]:
    """The cards in play that a selector names."""
    board = Board(state)
    mine, head = board.side[context.player], name(selector)
    if head == "chosen":
        mask = 1 << board.place[args(selector)[0]]
    elif head == "self":
        mask = 1 << context.source
    elif head == "your_hero":
        mask = mine & board.plain["hero"]
    elif head == "enemy_hero":
        mask = board.plain["hero"] & ~mine
    elif head == "each":
        mask = board.view.mask(args(selector)[0], context.source)
    else:
        raise Unsupported(f"selector {show(selector)}")
    return bits(mask & board.in_play)


def carry_out(state: State, effect: Term, context: Context) -> set[tuple[State, bool]]:
    """Every way an effect goes, and whether it was done in full and in fact."""
    if state.result is not None:
        return {(state, False)}
    head, inner = name(effect), args(effect)
    if head in ("both", "then"):
        out = set()
        for middle, done in carry_out(state, inner[0], context):
            if done or head == "both":
                for end, also in carry_out(middle, inner[1], context):
                    out.add((end, done and also))
            else:
                out.add((middle, False))
        return out
    if head in ("wound", "shot"):
        kind = "shot" if head == "shot" else context.kind
        targeted = name(inner[1]) == "chosen"
        cards = characters(state, reached(state, inner[1], context))
        if not cards:
            return {(state, False)}
        blows = [Blow(context.source, card, kind, inner[0], targeted) for card in cards]
        return {(dealt.state, dealt.full) for dealt in deal(state, blows)}
    if head == "heal":
        cards = characters(state, reached(state, inner[1], context))
        return {_heal(state, inner[0], cards)}
    if head == "revive":
        return {_revive(state, inner[0], context)}
    if head in ("open", "close", "attack_again"):
        field = "acted" if head == "attack_again" else "closed"
        return {_set(state, field, head == "close", reached(state, inner[0], context))}
    if head == "destroy":
        ids = {state.cards[n].id for n in reached(state, inner[0], context)}
        return {(bury(dying(state, ids)), bool(ids))}
    if head == "lay":
        ability, selector, until = inner
        since = moment(state)  # of the first; one effect after the other
        cards = reached(state, selector, context)
        laid = tuple(
            Effect(
                card=state.cards[n].id, ability=show(ability), controller=context.player,
                since=since + later, source=state.cards[context.source].id, until=until,
            )
            for later, n in enumerate(cards)
        )  # fmt: skip
        return {(bury(replace(state, effects=state.effects + laid)), bool(laid))}
    raise Unsupported(f"effect {show(effect)}")


def characters(state: State, cards: list[int]) -> list[int]:
    """Wounds and heals reach characters only."""
    return [n for n in cards if state.cards[n].type in CHARACTERS]


def refuses(board: Board, card: int, verb: str) -> bool:
    """Whether a card cannot open, close or heal (514.2)."""
    return any(a.args == (verb,) for a in board.of(card, "cannot"))


def _revive(state: State, chosen: Term, context: Context) -> tuple[State, bool]:
    """517.4: from the graveyard, open, under the player's control."""
    id = args(chosen)[0]
    if state.card(id).zone != "graveyard":
        return state, False
    return enter(state, id, context.player), True


def enter(state: State, id: str, player: str) -> State:
    """A card comes into play under that player."""
    fields = {"zone": "play", "entered": state.turn, "since": moment(state), "controller": player}
    state = change(state, id, **fields)
    return bury(crowd_out(state, next(n for n, c in enumerate(state.cards) if c.id == id)))


def _heal(state: State, amount: Term, cards: list[int]) -> tuple[State, bool]:
    done, board = bool(cards), Board(state)
    for n in cards:
        card = state.cards[n]
        if refuses(board, n, "heal"):
            done = False
            continue
        healed = card.wounds if amount == "all" else min(amount, card.wounds)
        done &= healed > 0 if amount == "all" else healed == amount
        state = change(state, card.id, wounds=card.wounds - healed)
    return state, done


def _set(state: State, field: str, value: bool, cards: list[int]) -> tuple[State, bool]:
    done, board = bool(cards), Board(state)
    verb = {"acted": "attack_again", "closed": "close" if value else "open"}[field]
    for n in cards:
        if refuses(board, n, verb):
            done = False
            continue
        done &= getattr(state.cards[n], field) != value
        state = change(state, state.cards[n].id, **{field: value})
    return bury(state), done


# -- cards and abilities ----------------------------------------------------------------------


def play(state: State, id: str, targets: list[str]) -> set[State]:
    """A card is played: paid, put where it belongs, its spell abilities carried out."""
    board = Board(state)
    place = board.place[id]
    card = state.cards[place]
    state = pay(state, board.price(place))
    if card.type != "spell":
        return {enter(state, id, state.active)}
    state = change(state, id, zone="graveyard")
    context = Context(place, state.active, "spell")
    ways, supply = {state}, iter(targets)
    for ability in board.of(place, "spell"):
        effect = bind(ability.args[0], supply, [])
        ways = {end for way in ways for end, _ in carry_out(way, effect, context)}
    return ways


def crowd_out(state: State, place: int) -> State:
    """base.support and `unique`: the earlier card goes to the graveyard."""
    board, card = Board(state), state.cards[place]
    leaving = set()
    for n in bits(board.in_play & board.side[card.controller] & ~(1 << place)):
        other = state.cards[n]
        same = {other.type, card.type} in ({"location"}, {"event"}) or (
            other.type == card.type == "equipment"
            and any(c in other.classes and c in card.classes for c in SUPPORTS)
        )
        twins = other.name == card.name and any(board.of(k, "unique") for k in (n, place))
        if same or twins:
            leaving.add(other.id)
    return to_graveyard(state, leaving)


def use(state: State, id: str, number: int, targets: list[str]) -> set[State]:
    """An activated ability is paid for and carried out."""
    board = Board(state)
    place = board.place[id]
    ability = board.activated(place)[number - 1]
    price = cost(ability.term)
    if price.wounds or price.chips:
        raise Unsupported("a cost in wounds or chips")
    state = pay(state, price.coins)
    if price.once:
        state = spend(state, ability.mark, 1)
    if price.closes:
        state = change(state, id, closed=True, acted=True)
    effect = bind(ability.args[1], iter(targets), [])
    context = Context(place, state.active, "ability")
    return {end for end, _ in carry_out(state, effect, context)}


def outcomes(state: State, text: str) -> set[State]:
    """Every state that a legal declaration can lead to.

    Whoever is dead already leaves first; then it is carried out if it still may be made.
    """
    living = bury(state)
    if living != state and (living.result is not None or Law(living).verdict(text)):
        return {living}
    state = living
    verb, _, inside = text.rstrip(")").partition("(")
    names = inside.split(",")
    if verb == "attack":
        return attack(state, names[0], names[1])
    if verb == "pass":
        return carry_through(state, None)
    if verb == "defend":
        return carry_through(state, names[0])
    if verb == "play":
        return play(state, names[0], names[1:])
    if verb == "use":
        return use(state, names[0], int(names[1]), names[2:])
    raise Unsupported(verb)
