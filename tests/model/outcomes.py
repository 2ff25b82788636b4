"""What attacks bring about, and spells and abilities that wound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from pyengine.model import Card, Pending, State
from tests.model.board import Board, Mark
from tests.model.legality import Law
from tests.model.terms import Term, Unsupported, args, cost, name, parts
from tests.model.words import KINDS, LATER, bits, selected, unsettled
from tests.model.wounds import Blow, calculate, greatest, preventions, replacements

WAYS = 500  # in which an effect may have gone, of those that are looked at
# what a card keeps wherever it goes
PRINTED = ("id", "type", "owner", "name", "kind", "classes", "element", "cost", "strike", "life",
           "abilities", "movement")  # fmt: skip


def outcomes(state: State, text: str) -> set[State]:
    """Every state that a legal declaration can lead to; Unsupported: the model does not say.

    Whoever is dead already leaves first; then it is carried out if it still may be made. Whether it
    was legal before is not asked again.
    """
    said = {a for card in state.cards for a in card.abilities} | {e.ability for e in state.effects}
    for ability in sorted(said):
        if word := unsettled(ability):
            raise Unsupported(f"ability {word}")
    if all(any(word in each for each in said) for word in ("trigger_twice", "vampirism")):
        raise Unsupported("ability trigger_twice")  # it drinks twice
    living = bury(state)
    if living != state and (living.result is not None or Law(living).verdict(text)):
        return {living}
    verb, *words = text.rstrip(")").replace("(", ",").split(",")
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
        spent = Counter(dict(state.cards[place].spent)) + Counter({key: amount})
        return change(state, state.cards[place].id, spent=tuple(sorted(spent.items())))
    effects = list(state.effects)
    effects[int(key)] = replace(effects[int(key)], spent=effects[int(key)].spent + amount)
    return replace(state, effects=tuple(effects))


def bury(state: State) -> State:
    """base.death: those whose wounds reach their life die, again and again until none does."""
    board = Board(state)
    living = bits(board.characters & board.in_play)
    dead = {board.ids[n] for n in living if board.cards[n].wounds >= board.life(n)}
    return bury(dying(state, dead)) if dead and state.result is None else state


def dying(state: State, dead: set[str]) -> State:
    """These cards die together; a dead hero loses, both at once is a draw.

    They shed marks and effects, and what they gave ends, but for the effects of spells.
    """

    def left(card: Card) -> Card:
        kept: dict[str, Any] = {key: getattr(card, key) for key in PRINTED}
        return Card(**kept, controller=card.owner, zone="graveyard")

    losers = {card.owner for card in state.cards if card.id in dead and card.type == "hero"}
    winners = [player for player, _ in state.players if player not in losers]
    result = (winners[0] if winners else "draw") if losers else state.result
    cards = tuple(left(card) if card.id in dead else card for card in state.cards)
    ended = [e for e in state.effects if e.source in dead and e.until == "leaves"]
    effects = tuple(e for e in state.effects if e.card not in dead and e not in ended)
    return replace(state, result=result, cards=cards, effects=effects)


# -- an attack (508-510) --------------------------------------------------------------------------

Fed = tuple[tuple[str, int], ...]  # who heals how much by vampirism


def carry_through(state: State, defender: str | None = None) -> set[State]:
    """The attack goes on with this defender, or with nobody."""
    assert state.pending is not None
    attacker, target = state.pending.attacker, state.pending.target
    defender = defender or state.pending.defender
    state = replace(state, pending=None)
    if defender is not None:
        state = change(state, defender, defended=True)
    ways = {(state, Fed())}
    for blows in moments(state, attacker, defender or target):
        ways = {(end, drunk) for way, fed in ways for end, drunk, _ in deal(way, blows, fed)}
    return {
        end if end.result is not None else feed(bury(closing(end, attacker, defender)), fed)
        for end, fed in ways
    }


def moments(state: State, attacker: str, target: str) -> list[list[Blow]]:
    """Who strikes whom, in one moment or two."""
    board = Board(state)
    one, two = board.place[attacker], board.place[target]
    strike, answer = Blow(one, two, "attack"), Blow(two, one, "answer")
    # 514.2: cannot(strike) and cannot(strike,F); an answer chooses nobody, so no cannot_be
    stays = [a.args[1:] for a in board.of(two, "cannot") if a.args[0] == "strike"]
    barred = any(all(board.fits(f, two, one) for f in filters) for filters in stays)
    if board.cards[two].type != "creature" or board.cards[two].closed or barred:
        return [[strike]]
    first, second = (bool(board.of(n, "first_strike")) for n in (one, two))
    if first == second:
        return [[strike, answer]]
    return [[strike], [answer]] if first else [[answer], [strike]]


def deal(state: State, blows: list[Blow], fed: Fed = ()) -> set[tuple[State, Fed, bool]]:
    """All blows of one moment up to the deaths they cause; who is fed; was all done in full?

    A strike needs its source and its target in play.
    """
    board, out = Board(state), set()
    here, strikes = board.in_play, [b for b in blows if b.kind in KINDS["strike"]]
    gone = [b for b in strikes if not here >> b.source & here >> b.target & 1]
    blows = [b for b in blows if b not in gone and state.result is None]
    planned = [calculate(board, blow) for blow in blows]
    chains = [replacements(board, wounds) for wounds in planned]
    if prod(map(len, chains)) > WAYS:
        raise Unsupported("too many ways")
    for batch in product(*chains):
        for amounts, spent in preventions(board, batch):
            after, drunk = state, list(fed)
            for mark, amount in spent:
                after = spend(after, mark, amount)
            for wounds, amount in zip(batch, amounts, strict=True):
                card, source = after.cards[wounds.target], wounds.blow.source
                after = change(after, card.id, wounds=card.wounds + amount)
                feeds = wounds.blow in strikes and amount
                for number, _ in greatest(board, source, "vampirism") if feeds else ():
                    drunk.append((board.ids[source], number))
            # nothing replaced, nothing prevented, more than 0
            full = [
                a == b and a.amount == n > 0
                for a, b, n in zip(planned, batch, amounts, strict=True)
            ]
            out.add((bury(after), tuple(drunk), all(full) and bool(blows)))
    return out


def closing(state: State, attacker: str, defender: str | None) -> State:
    """508.5, 509.5: both close at the same time, unless experience keeps them open."""
    law, after = Law(state), state
    for id, experience in ((attacker, "experience_attack"), (defender, "experience_defence")):
        if id is None or state.card(id).zone != "play":
            continue
        card = law.place[id]
        if id == attacker:
            spare = law.spare_attack(card) if state.card(id).acted else None
            after = change(spend(after, spare.mark, 1) if spare else after, id, acted=True)
        stays = ("close",) in [a.args for a in law.of(card, "cannot")]  # 514.2
        if not law.of(card, experience) and not stays:
            after = change(after, id, closed=True)
    return after


def feed(state: State, fed: Fed) -> State:
    """Vampirism: heals; the excess becomes extra life."""
    for id, amount in fed:
        card = state.card(id)
        if card.zone == "play" and state.result is None:
            left, extra = card.wounds - min(amount, card.wounds), max(0, amount - card.wounds)
            state = change(state, id, wounds=left, extra_life=card.extra_life + extra)
    return state


# -- spells and abilities -------------------------------------------------------------------------


def invoke(state: State, verb: str, id: str, words: list[str]) -> set[State]:
    """Play or use: what it costs is paid, then the effect is carried out."""
    board, targets = Board(state), iter(words)
    place = board.place[id]
    if verb == "play":
        if board.cards[place].type != "spell":
            raise Unsupported("a card that comes into play")
        effects = [a.args[0] for a in board.of(place, "spell")]
        price = Counter[Term](coins=max(0, board.value(place, "cost")))
        state = change(state, id, zone="graveyard")
    else:
        ability = board.activated(place)[int(next(targets)) - 1]
        price, effects = cost(ability.args[0]), [ability.args[1]]
        state = spend(state, ability.mark, 1) if "once" in price else state
        state = change(state, id, closed=True, acted=True) if "close" in price else state
    if price.keys() - {"coins", "once", "close"}:
        raise Unsupported("a cost in wounds, chips, counters or other cards")
    players = dict(state.players)
    left = players[state.active].coins - price["coins"]
    players[state.active] = replace(players[state.active], coins=left)
    ways = {replace(state, players=tuple(players.items()))}
    kind = "spell" if verb == "play" else "ability"
    for effect in [bind(effect, targets, []) for effect in effects]:
        ways = {end for way in ways for end, _ in carry_out(way, effect, place, kind)}
    return ways


def bind(effect: Term, targets: Iterator[str], chosen: list[str]) -> Term:
    """The effect with its targets put in; Unsupported if it is none of the model's."""
    head, inner = name(effect), args(effect)
    if head in ("both", "then"):
        return (head, *(bind(part, targets, chosen) for part in inner))
    if head not in ("wound", "shot") or not isinstance(inner[0], int):
        raise Unsupported(f"effect {head}")
    word, whom = name(inner[1]), args(inner[1])
    if word == "target" and isinstance(whom[0], int):
        return (head, inner[0], ("chosen", chosen[whom[0] - 1]))
    if LATER & {name(part) for part in parts(inner[1])}:
        raise Unsupported("an amount, a card spoken of")
    if word == "target":
        chosen.append(next(targets))
        return (head, inner[0], ("chosen", chosen[-1]))
    if word not in ("self", "each", "your_hero", "enemy_hero"):
        raise Unsupported(f"selector {word}")
    return effect


def carry_out(state: State, effect: Term, source: int, kind: str) -> set[tuple[State, bool]]:
    """Every way an effect goes, and whether it was done in full and in fact."""
    head, (first, second) = name(effect), args(effect)
    if head in ("both", "then"):
        out = set()
        for middle, done in carry_out(state, first, source, kind):
            goes_on = done or head == "both"
            ends = carry_out(middle, second, source, kind) if goes_on else {(middle, False)}
            out |= {(end, done and also) for end, also in ends}
            if len(out) > WAYS:
                raise Unsupported("too many ways")
        return out
    board, aimed = Board(state), name(second) == "chosen"
    whom = [board.place[args(second)[0]]] if aimed else selected(board, source, second)
    # wounds reach characters only
    cards = [n for n in whom if board.characters & board.in_play & 1 << n]
    kind = "shot" if head == "shot" else kind
    blows = [Blow(source, card, kind, first, aimed) for card in cards]
    return {(after, full) for after, _, full in deal(state, blows)}
