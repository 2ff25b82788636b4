"""What attacks bring about, and spells and abilities that wound."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from pyengine.model import Card, Pending, State
from tests.model.board import TRIGGERED, Board, Mark
from tests.model.legality import Law
from tests.model.terms import Term, Unsupported, args, cost, name, parse, parts
from tests.model.words import AMOUNTS, bits
from tests.model.wounds import Blow, greatest, landing

# abilities that are carried out here, and those that attacks and such effects leave alone
SETTLED = """armor scales prevent protection no_wounds wounds_only redirect strike_mod strike_becomes
    spell_mod mod is cannot cannot_be may must lure grant gain lose directed_strike first_strike
    experience_attack experience_defence charge vulnerability superiority vampirism enhancement
    while use spell counter unique regeneration poison might limit in_zone enters_with stunned
    instead_of_regeneration trigger_twice excess_life withstands"""
# triggers that neither attacks nor wounds set off
QUIET = "hire turn_start turn_end any_turn_start any_turn_end enters summoned draws"
# what changes while an attack goes on
PASSING = re.compile(r"\b(attacks|attacked|attacking|raid)\b")
INSIDE = {"grant": 1, "gain": 0, "while": 1, "in_zone": 1}
# what a card keeps wherever it goes
PRINTED = ("id", "type", "owner", "name", "kind", "classes", "element", "cost", "strike", "life",
           "abilities", "movement")  # fmt: skip


@cache
def unsettled(text: str) -> str | None:
    """The word of an ability that keeps the model from saying what happens around it."""
    term = parse(text)
    while (head := name(term)) in INSIDE:
        term = args(term)[INSIDE[head]]
    inner = args(term)
    if head in TRIGGERED and name(inner[0]) not in QUIET.split():
        return f"{head}({name(inner[0])})"
    if head not in (*SETTLED.split(), *TRIGGERED) or (
        head == "prevent" and isinstance(inner[0], tuple)
    ):
        return head
    idle = term == parse(text) and head in ("use", "spell", *TRIGGERED)
    return "attacks" if PASSING.search(text) and not idle else None


def outcomes(state: State, text: str) -> set[State]:
    """Every state that a legal declaration can lead to; Unsupported: the model does not say.

    Whoever is dead already leaves first; then it is carried out if it still may be made.
    """
    said = {a for card in state.cards for a in card.abilities} | {e.ability for e in state.effects}
    for ability in sorted(said):
        if word := unsettled(ability):
            raise Unsupported(f"ability {word}")
    if all(any(word in each for each in said) for word in ("trigger_twice", "vampirism")):
        raise Unsupported("ability trigger_twice")  # it drinks twice
    verb, *words = text.rstrip(")").replace("(", ",").split(",")
    living = bury(state)
    if living != state and (living.result is not None or Law(living).verdict(text)):
        return {living}
    if verb == "attack":  # it stops where a defender can be chosen
        pending = replace(living, pending=Pending(*words))
        table = Law(pending).table()
        defended = any(text != "pass" and not reasons for text, reasons in table.items())
        return {pending} if defended else carry_through(pending)
    if verb in ("pass", "defend"):
        return carry_through(living, *words)
    if verb == "end_turn":
        raise Unsupported(verb)
    return invoke(living, verb, words[0], words[1:])


# -- small changes of a state ---------------------------------------------------------------------


def change(state: State, id: str, **fields: Any) -> State:
    """The state with some fields of one card changed."""
    cards = (replace(card, **fields) if card.id == id else card for card in state.cards)
    return replace(state, cards=tuple(cards))


def spend(state: State, mark: Mark, amount: int) -> State:
    """Notes that so much of an ability has been used up."""
    place, key = mark
    if place >= 0:
        spent = dict(state.cards[place].spent)
        spent[key] = spent.get(key, 0) + amount
        return change(state, state.cards[place].id, spent=tuple(sorted(spent.items())))
    effects = list(state.effects)
    effects[int(key)] = replace(effects[int(key)], spent=effects[int(key)].spent + amount)
    return replace(state, effects=tuple(effects))


def pay(state: State, coins: int) -> State:
    """The active player's coins less what was paid."""
    players = dict(state.players)
    mine = players[state.active]
    players[state.active] = replace(mine, coins=mine.coins - coins)
    return replace(state, players=tuple(players.items()))


def dying(state: State, dead: set[str]) -> State:
    """These cards die together; a dead hero loses, both at once is a draw.

    They shed marks and effects, and what they gave ends, but for the effects of spells.
    """
    losers = {card.owner for card in state.cards if card.id in dead and card.type == "hero"}
    winners = [player for player, _ in state.players if player not in losers]

    def left(card: Card) -> Card:
        kept: dict[str, Any] = {key: getattr(card, key) for key in PRINTED}
        return Card(**kept, controller=card.owner, zone="graveyard")

    return replace(
        state,
        result=(winners[0] if winners else "draw") if losers else state.result,
        cards=tuple(left(card) if card.id in dead else card for card in state.cards),
        effects=tuple(
            e for e in state.effects
            if e.card not in dead and not (e.source in dead and e.until == "leaves")
        ),
    )  # fmt: skip


def bury(state: State) -> State:
    """base.death: those whose wounds reach their life die, again and again until none does."""
    while state.result is None:
        board = Board(state)
        living = bits(board.characters & board.in_play)
        dead = {board.ids[n] for n in living if board.cards[n].wounds >= board.life(n)}
        if not dead:
            break
        state = dying(state, dead)
    return state


# -- an attack (508-510) --------------------------------------------------------------------------

Fed = tuple[tuple[str, int], ...]  # who heals how much by vampirism


def carry_through(state: State, defender: str | None = None) -> set[State]:
    """The attack goes on with this defender, or with nobody."""
    assert state.pending is not None
    attacker, target, already = state.pending.attacker, state.pending.target, state.pending.defender
    defender = defender or already
    state = replace(state, pending=None)
    if defender is not None:
        state = change(state, defender, defended=True)
    out, ways = set(), {(state, Fed())}
    for blows in moments(state, attacker, defender or target):
        ways = {end for way in ways for end in at_once(*way, blows)}
    for after, fed in ways:
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
        card = board.place[id]
        if id == attacker:
            spare = Law(state).spare_attack(card)
            if state.card(id).acted and spare is not None:
                after = spend(after, spare.mark, 1)
            after = change(after, id, acted=True)
        stays = any(a.args == ("close",) for a in board.of(card, "cannot"))  # 514.2
        if not board.of(card, experience) and not stays:
            after = change(after, id, closed=True)
    return after


def moments(state: State, attacker: str, target: str) -> list[list[Blow]]:
    """Who strikes whom, in one moment or two."""
    board = Board(state)
    one, two = board.place[attacker], board.place[target]
    strike, answer = Blow(one, two, "attack"), Blow(two, one, "answer")
    # 514.2: an answer chooses no target
    stays = [a for a in board.of(two, "cannot") if a.args[0] == "strike"]
    barred = any(len(a.args) == 1 or board.fits(a.args[1], two, one) for a in stays)
    if board.cards[two].type != "creature" or board.cards[two].closed or barred:
        return [[strike]]
    first, second = (bool(board.of(n, "first_strike")) for n in (one, two))
    if first == second:
        return [[strike, answer]]
    return [[strike], [answer]] if first else [[answer], [strike]]


def at_once(state: State, fed: Fed, blows: list[Blow]) -> set[tuple[State, Fed]]:
    """The blows of one moment, which need their source and their target in play; who is fed."""
    board, out = Board(state), set[tuple[State, Fed]]()
    fought = [b for b in blows if board.in_play >> b.source & board.in_play >> b.target & 1]
    if state.result is not None or not fought:
        return {(state, fed)}
    for after, amounts, _ in deal(state, fought):
        drunk = [
            (board.ids[blow.source], drinks[0])
            for blow, amount in zip(fought, amounts, strict=True)
            if amount and (drinks := greatest(board, blow.source, "vampirism"))
        ]
        out.add((after, (*fed, *drunk)))
    return out


def feed(state: State, fed: Fed) -> State:
    """Vampirism: heals; the excess becomes extra life."""
    for id, amount in fed:
        card = state.card(id)
        if card.zone == "play" and state.result is None:
            left, extra = card.wounds - min(amount, card.wounds), max(0, amount - card.wounds)
            state = change(state, id, wounds=left, extra_life=card.extra_life + extra)
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


# -- spells and abilities -------------------------------------------------------------------------


def invoke(state: State, verb: str, id: str, words: list[str]) -> set[State]:
    """Play or use: what it costs is paid, then the effect is carried out."""
    board, targets = Board(state), iter(words)
    place = board.place[id]
    if verb == "play":
        if board.cards[place].type != "spell":
            raise Unsupported("a card that comes into play")
        effects = [a.args[0] for a in board.of(place, "spell")]
        state = change(pay(state, max(0, board.value(place, "cost"))), id, zone="graveyard")
    else:
        ability = board.activated(place)[int(next(targets)) - 1]
        price, effects = cost(ability.args[0]), [ability.args[1]]
        if price.keys() - {"coins", "once", "close"}:
            raise Unsupported("a cost in wounds, chips, counters or other cards")
        state = pay(state, price["coins"])
        if "once" in price:
            state = spend(state, ability.mark, 1)
        if "close" in price:
            state = change(state, id, closed=True, acted=True)
    ways = {state}
    for effect in [bind(effect, targets, []) for effect in effects]:
        done = (
            carry_out(way, effect, place, "spell" if verb == "play" else "ability") for way in ways
        )
        ways = {end for ends in done for end, _ in ends}
    return ways


def bind(effect: Term, targets: Iterator[str], chosen: list[str]) -> Term:
    """The effect with its targets put in; Unsupported if it is none of the model's."""
    head, inner = name(effect), args(effect)
    if head in ("both", "then"):
        return (head, *(bind(part, targets, chosen) for part in inner))
    if head not in ("wound", "shot"):
        raise Unsupported(f"effect {head}")
    number, selector = inner
    if not isinstance(number, int) or {name(part) for part in parts(selector)} & AMOUNTS:
        raise Unsupported("an amount, a card spoken of")
    if name(selector) == "target":
        again = args(selector)[0]
        if not isinstance(again, int):
            chosen.append(next(targets))
        return (head, number, ("chosen", chosen[again - 1 if isinstance(again, int) else -1]))
    if name(selector) not in ("self", "each", "your_hero", "enemy_hero"):
        raise Unsupported(f"selector {name(selector)}")
    return effect


def carry_out(state: State, effect: Term, source: int, kind: str) -> set[tuple[State, bool]]:
    """Every way an effect goes, and whether it was done in full and in fact."""
    head, (first, second) = name(effect), args(effect)
    if state.result is not None:
        return {(state, False)}
    if head in ("both", "then"):
        out = set()
        for middle, done in carry_out(state, first, source, kind):
            goes_on = done or head == "both"
            ends = carry_out(middle, second, source, kind) if goes_on else {(middle, False)}
            out |= {(end, done and also) for end, also in ends}
        return out
    board, (word, *inner) = Board(state), second if isinstance(second, tuple) else (second,)
    if word in ("your_hero", "enemy_hero"):
        mine = board.side[state.active]
        whom = board.plain["hero"] & (mine if word == "your_hero" else ~mine)
    elif word == "chosen":
        whom = 1 << board.place[inner[0]]
    else:  # self, each(F)
        whom = board.mask(inner[0] if inner else word, source)
    # wounds reach characters only
    cards = bits(whom & board.characters & board.in_play)
    kind = "shot" if head == "shot" else kind
    blows = [Blow(source, card, kind, first, word == "chosen") for card in cards]
    return {(after, full) for after, _, full in deal(state, blows)} if cards else {(state, False)}
