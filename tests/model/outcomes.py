"""What declarations bring about: attacks, cards played, abilities used, and who dies of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pyengine.model import Card, Effect, Pending, State
from tests.model.board import CHARACTERS, Board, Mark, bits
from tests.model.legality import Law
from tests.model.terms import Term, args, cost, name, show
from tests.model.vocabulary import Unsupported
from tests.model.wounds import Blow, landing

SUPPORTS = ("weapon", "armor", "amulet")
# what a card keeps wherever it goes
PRINTED = ("id", "type", "owner", "name", "kind", "classes", "element", "cost", "strike", "life",
           "abilities", "movement")  # fmt: skip


def outcomes(state: State, text: str) -> set[State]:
    """Every state that a legal declaration can lead to.

    Whoever is dead already leaves first; then it is carried out if it still may be made.
    """
    living = bury(state)
    if living != state and (living.result is not None or Law(living).verdict(text)):
        return {living}
    verb, *words = text.rstrip(")").replace("(", ",").split(",")
    if verb == "attack":
        return attack(living, *words)
    if verb in ("pass", "defend"):
        return carry_through(living, *words)
    if verb == "play":
        return play(living, words[0], words[1:])
    if verb == "use":
        return use(living, words[0], int(words[1]), words[2:])
    raise Unsupported(verb)


# -- small changes of a state -----------------------------------------------------------------


def change(state: State, id: str, **fields: Any) -> State:
    """The state with some fields of one card changed."""
    cards = (replace(card, **fields) if card.id == id else card for card in state.cards)
    return replace(state, cards=tuple(cards))


def spend(state: State, mark: Mark, amount: int) -> State:
    """Notes that so much of an ability has been used up."""
    place, key = mark
    if place < 0:
        effects = list(state.effects)
        used = effects[int(key)]
        effects[int(key)] = replace(used, spent=used.spent + amount)
        return replace(state, effects=tuple(effects))
    card = state.cards[place]
    spent = dict(card.spent)
    spent[key] = spent.get(key, 0) + amount
    return change(state, card.id, spent=tuple(sorted(spent.items())))


def pay(state: State, coins: int) -> State:
    """The active player's coins less what was paid."""
    players = dict(state.players)
    mine = players[state.active]
    players[state.active] = replace(mine, coins=mine.coins - coins)
    return replace(state, players=tuple(players.items()))


def next_moment(state: State) -> int:
    """A new moment: the greatest so far + 1."""
    times = [time for card in state.cards for time in (card.since, card.arrived)]
    return max(times + [effect.since for effect in state.effects]) + 1


def to_graveyard(state: State, ids: set[str]) -> State:
    """Cards leave play together: they shed marks and effects, and what they gave ends."""

    def left(card: Card) -> Card:
        kept: dict[str, Any] = {key: getattr(card, key) for key in PRINTED}
        return Card(**kept, controller=card.owner, zone="graveyard")

    # an effect of a spell does not hang on its card
    ended = {id for id in ids if state.card(id).type != "spell"}
    return replace(
        state,
        cards=tuple(left(card) if card.id in ids else card for card in state.cards),
        effects=tuple(
            effect
            for effect in state.effects
            if effect.card not in ids and not (effect.source in ended and effect.until == "leaves")
        ),
    )


def dying(state: State, dead: set[str]) -> State:
    """These cards die together; a dead hero loses, both at once is a draw."""
    losers = {card.owner for card in state.cards if card.id in dead and card.type == "hero"}
    winners = [player for player, _ in state.players if player not in losers]
    state = to_graveyard(state, dead)
    return replace(state, result=winners[0] if winners else "draw") if losers else state


def bury(state: State) -> State:
    """base.death: those whose wounds reach their life die, again and again until none does."""
    while state.result is None:
        board = Board(state)
        living = bits(board.characters & board.in_play)
        dead = {state.cards[n].id for n in living if state.cards[n].wounds >= board.life(n)}
        if not dead:
            break
        state = dying(state, dead)
    return state


def enter(state: State, id: str) -> State:
    """A card comes into play; base.support, unique: of two the earlier goes to the graveyard."""
    state = change(state, id, zone="play", entered=state.turn, since=next_moment(state))
    board, card = Board(state), state.card(id)
    place = board.place[id]
    leaving = set()
    for n in bits(board.in_play & board.side[card.controller] & ~(1 << place)):
        other = state.cards[n]
        pieces = {*other.classes} & {*card.classes} & {*SUPPORTS}
        same = {other.type, card.type} in ({"location"}, {"event"}) or (
            other.type == card.type == "equipment" and pieces
        )
        twins = other.name == card.name and any(board.of(k, "unique") for k in (n, place))
        if same or twins:
            leaving.add(other.id)
    return bury(to_graveyard(state, leaving))


# -- an attack (508-510) ----------------------------------------------------------------------

Fed = tuple[tuple[str, int], ...]  # who heals how much by vampirism


def attack(state: State, attacker: str, target: str) -> set[State]:
    """The attack is announced; it stops where a defender can be chosen."""
    pending = replace(state, pending=Pending(attacker, target))
    table = Law(pending).table()
    if any(text != "pass" and not reasons for text, reasons in table.items()):
        return {pending}
    return carry_through(pending)


def carry_through(state: State, defender: str | None = None) -> set[State]:
    """The attack goes on with this defender, or with nobody."""
    assert state.pending is not None
    attacker = state.pending.attacker
    defender = defender or state.pending.defender
    target = defender or state.pending.target
    state = replace(state, pending=None)
    if defender is not None:
        state = change(state, defender, defended=True)
    out = set()
    for after, fed in blows_of(state, attacker, target):
        if after.result is None:
            after = feed(bury(closing(after, attacker, defender)), fed)
        out.add(after)
    return out


def closing(state: State, attacker: str, defender: str | None) -> State:
    """508.5, 509.5: both close at the same time, unless experience keeps them open."""
    board, after = Board(state), state
    ends = ((attacker, "experience_attack"), (defender, "experience_defence"))
    for id, experience in ends:
        if id is None or state.card(id).zone != "play":
            continue
        if id == attacker:
            spare = Law(state).spare_attack(board.place[id])
            if state.card(id).acted and spare is not None:
                after = spend(after, spare.mark, 1)
            after = change(after, id, acted=True)
        card = board.place[id]
        if not board.of(card, experience) and not refuses(board, card, "close"):
            after = change(after, id, closed=True)
    return after


def blows_of(state: State, attacker: str, target: str) -> set[tuple[State, Fed]]:
    """Who strikes whom, in one moment or two, and who is fed by it (vampirism)."""
    board = Board(state)
    one, two = board.place[attacker], board.place[target]
    strike, answer = Blow(one, two, "attack"), Blow(two, one, "answer")
    struck = state.cards[two]
    if struck.type != "creature" or struck.closed or not may_answer(board, two, one):
        return in_turn(state, [[strike]])
    first, second = (bool(board.of(n, "first_strike")) for n in (one, two))
    if first == second:
        return in_turn(state, [[strike, answer]])
    return in_turn(state, [[strike], [answer]] if first else [[answer], [strike]])


def may_answer(board: Board, card: int, attacker: int) -> bool:
    """Whether nothing forbids its strike in answer (514.2); an answer chooses no target."""
    own = [a for a in board.of(card, "cannot") if a.args[0] == "strike"]
    return not any(len(a.args) == 1 or board.view.fits(a.args[1], card, attacker) for a in own)


def in_turn(state: State, sequence: list[list[Blow]]) -> set[tuple[State, Fed]]:
    """Blows moment after moment; a blow needs its source and its target in play."""
    ways: set[tuple[State, Fed]] = {(state, ())}
    for blows in sequence:
        ways = {end for way in ways for end in at_once(*way, blows)}
    return ways


def at_once(state: State, fed: Fed, blows: list[Blow]) -> set[tuple[State, Fed]]:
    """The blows of one moment."""
    board = Board(state)
    fought = [blow for blow in blows if not {blow.source, blow.target} - {*bits(board.in_play)}]
    if state.result is not None or not fought:
        return {(state, fed)}
    out = set()
    for after, amounts, _ in deal(state, fought):
        drunk = [
            (state.cards[blow.source].id, max(a.args[0] for a in drinks))
            for blow, amount in zip(fought, amounts, strict=True)
            if amount and (drinks := board.of(blow.source, "vampirism"))
        ]
        out.add((after, (*fed, *drunk)))
    return out


def feed(state: State, fed: Fed) -> State:
    """Vampirism: heals; the excess becomes extra life."""
    for id, amount in fed:
        card = state.card(id)
        if card.zone == "play" and state.result is None:
            healed = min(amount, card.wounds)
            extra = card.extra_life + amount - healed
            state = change(state, id, wounds=card.wounds - healed, extra_life=extra)
    return state


def deal(state: State, blows: list[Blow]) -> set[tuple[State, tuple[int, ...], bool]]:
    """All blows of one moment up to the deaths they cause: what each dealt; were they full?"""
    out = set()
    for landed in landing(Board(state), blows):
        after = state
        for mark, amount in landed.spent:
            after = spend(after, mark, amount)
        for target, amount in zip(landed.targets, landed.amounts, strict=True):
            card = after.cards[target]
            after = change(after, card.id, wounds=card.wounds + amount)
        out.add((bury(after), landed.amounts, landed.full))
    return out


# -- cards and abilities ----------------------------------------------------------------------


class Context(NamedTuple):
    """Whose ability is carried out."""

    source: int
    player: str
    kind: str  # spell or ability


def play(state: State, id: str, targets: list[str]) -> set[State]:
    """A card is played: paid, put where it belongs, its spell abilities carried out."""
    board = Board(state)
    place = board.place[id]
    state = pay(state, board.price(place))
    if state.cards[place].type != "spell":
        return {enter(state, id)}
    ways, supply = {change(state, id, zone="graveyard")}, iter(targets)
    context = Context(place, state.active, "spell")
    for ability in board.of(place, "spell"):
        effect = bind(ability.args[0], supply, [])
        ways = {end for way in ways for end, _ in carry_out(way, effect, context)}
    return ways


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


def bind(effect: Term, targets: Iterator[str], chosen: list[str]) -> Term:
    """The effect with its targets put in."""
    head, inner = name(effect), args(effect)
    if head == "target":
        if not isinstance(inner[0], int):
            chosen.append(next(targets))
        return ("chosen", chosen[inner[0] - 1 if isinstance(inner[0], int) else -1])
    if head == "lay":  # what is laid has targets of its own
        return (head, inner[0], bind(inner[1], targets, chosen), inner[2])
    return (head, *(bind(arg, targets, chosen) for arg in inner)) if inner else effect


def carry_out(state: State, effect: Term, context: Context) -> set[tuple[State, bool]]:
    """Every way an effect goes, and whether it was done in full and in fact."""
    head, inner = name(effect), args(effect)
    if state.result is not None:
        return {(state, False)}
    if head in ("both", "then"):
        out = set()
        for middle, done in carry_out(state, inner[0], context):
            goes_on = done or head == "both"
            ends = carry_out(middle, inner[1], context) if goes_on else {(middle, False)}
            out |= {(end, done and also) for end, also in ends}
        return out
    selector = inner[1] if head in ("wound", "shot", "heal", "lay") else inner[0]
    cards = reached(state, selector, context)
    if head in ("wound", "shot", "heal"):  # these reach characters only
        cards = [n for n in cards if state.cards[n].type in CHARACTERS]
    if not cards:
        return {(state, False)}
    if head in ("wound", "shot"):
        kind = "shot" if head == "shot" else context.kind
        targeted = name(selector) == "chosen"
        blows = [Blow(context.source, card, kind, inner[0], targeted) for card in cards]
        return {(after, full) for after, _, full in deal(state, blows)}
    if head == "destroy":
        return {(bury(dying(state, {state.cards[n].id for n in cards})), True)}
    if head == "lay":
        since = next_moment(state)  # of the first; one effect after the other
        laid = tuple(
            Effect(
                card=state.cards[n].id, ability=show(inner[0]), controller=context.player,
                since=since + later, source=state.cards[context.source].id, until=inner[2],
            )
            for later, n in enumerate(cards)
        )  # fmt: skip
        return {(bury(replace(state, effects=state.effects + laid)), True)}
    board, done = Board(state), True
    for n in cards:
        card = state.cards[n]
        if refuses(board, n, head):
            done = False
        elif head == "heal":
            healed = card.wounds if inner[0] == "all" else min(inner[0], card.wounds)
            done &= healed == (inner[0] if inner[0] != "all" else max(1, healed))
            state = change(state, card.id, wounds=card.wounds - healed)
        else:  # open, close
            done &= card.closed != (head == "close")
            state = change(state, card.id, closed=head == "close")
    return {(bury(state), done)}


def reached(state: State, selector: Term, context: Context) -> list[int]:
    """The cards in play that a selector names."""
    board = Board(state)
    mine, head, inner = board.side[context.player], name(selector), args(selector)
    if head == "chosen":
        mask = 1 << board.place[inner[0]]
    elif head in ("your_hero", "enemy_hero"):
        mask = board.plain["hero"] & (mine if head == "your_hero" else ~mine)
    else:  # self, each(F)
        mask = board.view.mask(inner[0] if inner else head, context.source)
    return bits(mask & board.in_play)


def refuses(board: Board, card: int, verb: str) -> bool:
    """Whether a card cannot open, close or heal (514.2)."""
    return any(a.args == (verb,) for a in board.of(card, "cannot"))
