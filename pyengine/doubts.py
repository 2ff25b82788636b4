"""What can be judged in a position, but hardly is what was meant.

A fault keeps a position from being read (`reading`). A doubt does not: a judge may mean it, and it
is judged as it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from math import inf

from pyengine.documents import first, hint, patience, place, shown
from pyengine.faults import Message, at
from pyengine.kinds import Kind, catalogue
from pyengine.model import Card, State
from pyengine.terms import Term, parse, words_named

# of what is open to new words: they are taken for a slip only if they are very like a known one
_LIKE = 0.8

Named = tuple[str, str, str, bool]  # place, sort, word, whether a card bears it


def doubts(state: State) -> list[str]:
    """What is doubtful in a position, each with its place.

    >>> doubts(State.from_dict({"turn": 4, "active": "p1", "players": {"p1": {}, "p2": {}},
    ...     "cards": {"ork": {"type": "creature", "life": 4, "owner": "p1", "entered": 9}}}))
    ['cards.ork.entered: is turn 9, but it is turn 4 now']
    """
    parts = (_of_cards, _of_pools, _of_effects, _of_the_attack, _of_words)
    with patience():
        return first(doubt for part in parts for doubt in part(state))


def _of_cards(state: State) -> Iterator[str]:
    for card in state.cards:
        if card.entered > state.turn:
            yield at(f"cards.{card.id}.entered", "later", value=card.entered, turn=state.turn)
        # 517.2: what is played goes to the graveyard at once
        if card.type == "spell" and card.zone == "play":
            yield at(f"cards.{card.id}.zone", "spell_in_play")
        if card.type == "hero" and card.zone in ("hand", "deck"):
            yield at(f"cards.{card.id}.zone", "hero_away", zone=card.zone)


def _of_pools(state: State) -> Iterator[str]:
    """What is used up of what the card does not have, and more of it than there is.

    An ability may have been given or raised, and have lost that since. So nothing is said where
    another one in the position speaks of it; the count is that of its text.
    """
    if not any(card.spent for card in state.cards) and not any(e.spent for e in state.effects):
        return
    texts = [text for card in state.cards for text in card.abilities]
    kinds = {card.kind for card in state.cards} & catalogue().keys()
    texts += [text for kind in sorted(filter(None, kinds)) for text in catalogue()[kind].abilities]
    texts += [effect.ability for effect in state.effects]
    parts = [part for text in texts for part in parse(text).walk()]
    there = Counter(map(str, parts))
    spoken_of = Counter(part.name for part in parts) - Counter(parse(text).name for text in texts)
    for card in state.cards:
        for key, amount in card.spent:
            text, _, rank = key.partition("#")
            where = place(("cards", card.id, "spent", key))
            within = [own for own in card.abilities if text in _given_by(own)]
            if within and there[text] == len(within):  # and nothing else gives such a one
                yield at(where, "spent_within", own=within[0])
            if within or parse(text).name in spoken_of:
                continue
            if there[text] < int(rank or 1):
                yield at(where, "spent_of_none", near=hint(text, card.abilities))
            elif amount > _most(text):
                yield at(where, "spent_above", value=amount, most=_most(text))
    for number, effect in enumerate(state.effects):
        most = _most(effect.ability)
        if effect.spent > most and parse(effect.ability).name not in spoken_of:
            yield at(f"effects[{number}].spent", "spent_above", value=effect.spent, most=most)


def _given_by(text: str) -> list[str]:
    """What an ability makes of itself: its use counts beside its own text (CONTRACT 1)."""
    term, given = parse(text), list[str]()
    while term.name in ("gain", "while", "in_zone", "raid"):
        inner = term.args[-1]
        assert isinstance(inner, Term)
        term = inner
        given.append(str(term))
    return given


def _most(text: str) -> float:
    """How much of an ability there can be, as far as its text begins with that, as `armor(2)`."""
    if _given_by(text):  # the number of a raid is another
        return inf
    first = next(iter(parse(text).args), None)
    return max(first, 1) if isinstance(first, int) else inf


def _of_effects(state: State) -> Iterator[str]:
    for number, effect in enumerate(state.effects):
        if isinstance(effect.until, int) and effect.until < state.turn:
            where = f"effects[{number}].until"
            yield at(where, "over_already", value=effect.until, turn=state.turn)


def _of_the_attack(state: State) -> Iterator[str]:
    pending = state.pending
    if pending is None:
        return
    if state.phase != "main":
        yield at("pending", "attack_in_phase", phase=state.phase)
    fighters = {"attacker": pending.attacker, "defender": pending.defender}
    for key, id in fighters.items():
        if id is None:
            continue
        card = state.card(id)
        if card.zone != "play":
            yield at(f"pending.{key}", "not_in_play", value=shown(id), zone=card.zone)
        elif card.type not in ("creature", "hero"):
            yield at(f"pending.{key}", "no_fighter", value=shown(id), type=card.type)
    if pending.defender == pending.target:
        yield at("pending.defender", "own_defender", value=shown(pending.defender))


def _of_words(state: State) -> Iterator[str]:
    """Classes and elements that nothing knows, but that are nearly a word that is known."""
    named = [
        (f"cards.{card.id}.{key}", sort, word, borne)
        for card in state.cards
        for key, sort, word, borne in named_by(card)
    ]
    named += [
        (f"effects[{number}].ability", sort, word, False)
        for number, effect in enumerate(state.effects)
        for sort, word in words_named(effect.ability)
    ]
    for where, text in strange(named):
        yield Message("at", place=where, text=text)


def named_by(card: Card | Kind) -> Iterator[Named]:
    """The classes and elements of a card, and those that its abilities name, by their keys."""
    for sort, words in (("class", card.classes), ("element", card.element)):
        yield from ((sort, sort, word, True) for word in words)
    for number, text in enumerate(card.abilities):
        key = f"abilities[{number}]"
        yield from ((key, sort, word, False) for sort, word in words_named(text))


def strange(named: Iterable[Named]) -> Iterator[tuple[str, str]]:
    """The words that nothing knows, but that are nearly one that is known: place, what is said.

    What a card bears and an ability asks for is known by that alone.
    """
    borne: dict[str, set[str]] = {"class": set(), "element": set()}
    asked: dict[str, set[str]] = {"class": set(), "element": set()}
    places = dict.fromkeys(named)
    for _, sort, word, of_card in places:
        (borne if of_card else asked)[sort].add(word)
    # of two that differ it is the ability that asks for what nobody is
    near_to = {
        (sort, of_card): tuple(sorted(_known(sort) if of_card else _known(sort) | borne[sort]))
        for sort in borne
        for of_card in (True, False)
    }
    for where, sort, word, of_card in places:
        if word in _known(sort) or word in (asked if of_card else borne)[sort]:
            continue
        near = hint(word, near_to[sort, of_card], least=_LIKE)
        if near:
            yield where, Message(f"strange_{sort}", value=shown(word), near=near)


@cache
def _known(sort: str) -> frozenset[str]:
    """The words of that sort that the cards of the package bear or ask for."""
    kinds = catalogue().values()
    bears: Iterable[tuple[str, ...]] = (
        (kind.classes for kind in kinds) if sort == "class" else (kind.element for kind in kinds)
    )
    asks = (
        word
        for kind in kinds
        for text in kind.abilities
        for found, word in words_named(text)
        if found == sort
    )
    return frozenset(word for words in bears for word in words) | frozenset(asks) | {"neutral"}
