"""What can be judged in a position, but hardly is what was meant.

A fault keeps a position from being read (`reading`). A doubt does not: a judge may mean it, and it
is judged as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from pyengine.documents import hint, shown
from pyengine.faults import Message, at
from pyengine.kinds import Kind, catalogue
from pyengine.model import Card, State
from pyengine.terms import words_named

# of what is open to new words: they are taken for a slip only if they are very like a known one
_LIKE = 0.8

Named = tuple[str, str, str, bool]  # place, sort, word, whether a card bears it


def doubts(state: State) -> list[str]:
    """What is doubtful in a position, each with its place.

    >>> doubts(State.from_dict({"turn": 4, "active": "p1", "players": {"p1": {}, "p2": {}},
    ...     "cards": {"ork": {"type": "creature", "life": 4, "owner": "p1", "entered": 9}}}))
    ['cards.ork.entered: is turn 9, but it is turn 4 now']
    """
    return [*_of_cards(state), *_of_effects(state), *_of_the_attack(state), *_of_words(state)]


def _of_cards(state: State) -> Iterator[str]:
    for card in state.cards:
        if card.entered > state.turn:
            yield at(f"cards.{card.id}.entered", "later", value=card.entered, turn=state.turn)
        # 517.2: what is played goes to the graveyard at once
        if card.type == "spell" and card.zone == "play":
            yield at(f"cards.{card.id}.zone", "spell_in_play")
        if card.type == "hero" and card.zone in ("hand", "deck"):
            yield at(f"cards.{card.id}.zone", "hero_away", zone=card.zone)


def _of_effects(state: State) -> Iterator[str]:
    for number, effect in enumerate(state.effects):
        if isinstance(effect.until, int) and effect.until < state.turn:
            place = f"effects[{number}].until"
            yield at(place, "over_already", value=effect.until, turn=state.turn)


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
    for place, text in strange(named):
        yield Message("at", place=place, text=text)


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
    for place, sort, word, of_card in places:
        others = asked[sort] if of_card else borne[sort]
        if word in _known(sort) or word in others:
            continue
        # of two that differ it is the ability that asks for what nobody is
        known = _known(sort) if of_card else _known(sort) | others
        near = hint(word, sorted(known), least=_LIKE)
        if near:
            yield place, Message(f"strange_{sort}", value=shown(word), near=near)


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
