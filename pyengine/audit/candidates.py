"""Ability terms to build positions of: the smallest of each entry of the vocabulary.

Of every signature there is one term with the plainest argument in each place, and one more for
every other plain argument that each place can have while the others keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pyengine import terms

# the plainest argument of a sort, where the first of the vocabulary is not: one that always fits
_PLAINEST = {
    "ability": "directed_strike",
    "card_filter": "any",
    "wound_filter": "any",
    "effect": "open(self)",
    "selector": "self",
    "cost": "once",
    "verb": "attack",
    "trigger": "attack",
    "class": "one",
    "element": "one",
    "name": "one",
    "counter_name": "one",
    "until": "end_of_turn",
    "renewal": "each",
    "condition": "open(self)",
}
# arguments beside the plainest that are tried in a place of a sort
_OTHERS = {
    "card_filter": ("creature", "other", "yours", "enemy"),
    "selector": ("target(any)", "each(creature)", "enemy_hero"),
    "wound_filter": ("strike", "spell"),
    "until": ("leaves",),
    "cost": ("close",),
    "amount": ("2",),
    "change": ("-1",),
    "integer": ("-1",),
}
_SAYING = ("use", "spell")  # the abilities in which every effect is tried
_WHOLE = ("verb", "effect", "trigger", "renewal")  # every plain term of these is tried


@lru_cache(maxsize=1)
def abilities() -> tuple[str, ...]:
    """Ability terms, each valid, in the order of the vocabulary."""
    found: dict[str, None] = {}
    for text in _terms("ability", 2):
        if not terms.check(text):
            found[terms.canonical(text)] = None
    return tuple(found)


@lru_cache(maxsize=1)
def effects() -> tuple[str, ...]:
    """Effects, in the order of the vocabulary."""
    valid = (text for text in _terms("effect", 1) if not terms.check(text, "effect"))
    return tuple(dict.fromkeys(map(terms.canonical, valid)))


def _terms(sort: str, depth: int) -> Iterator[str]:
    """Terms of a sort: one of each signature, and its variations."""
    known = terms.vocabulary().sorts[sort]
    for entry in known.terms.values():
        for signature in entry.signatures:
            plain = [_plain(slot, depth) for slot in signature.slots]
            if None in plain:
                continue
            args = [arg for arg in plain if arg is not None]
            if signature.rest and len(args) == 1:
                args = args * 2
            yield _text(entry.name, args)
            for place, slot in enumerate(signature.slots):
                if slot.sort == "effect" and sort == "ability" and entry.name not in _SAYING:
                    continue
                for other in _others(slot, depth):
                    yield _text(entry.name, [*args[:place], other, *args[place + 1 :]])


def _text(name: str, args: list[str]) -> str:
    return f"{name}({','.join(args)})" if args else name


def plain(slot: terms.Slot) -> str:
    """The plainest argument for a slot."""
    found = _plain(slot, 2)
    assert found is not None, slot
    return found


def _plain(slot: terms.Slot, depth: int) -> str | None:
    """The plainest argument for a slot; None if there is none."""
    if slot.word:
        return slot.word
    sort = terms.vocabulary().sorts[slot.sort]
    plainest = _PLAINEST.get(slot.sort)
    if plainest is not None and not terms.check(plainest, slot.sort):
        return plainest
    if slot.sort == "kind":
        return _created_kind()
    if sort.numbers is not None:
        return str(max(sort.numbers[0], 1))
    bare = [
        name for name, entry in sort.terms.items() if any(not s.slots for s in entry.signatures)
    ]
    if bare or sort.names:
        return [*bare, *sorted(sort.names)][0]
    if sort.any_name:
        return "one"
    for entry in sort.terms.values() if depth > 0 else ():
        for signature in entry.signatures:
            args = [_plain(each, depth - 1) for each in signature.slots]
            if None not in args:
                return _text(entry.name, [arg for arg in args if arg is not None])
    return None


def _others(slot: terms.Slot, depth: int) -> Iterator[str]:
    if slot.word:
        return
    sort = terms.vocabulary().sorts[slot.sort]
    yield from _OTHERS.get(slot.sort, ())
    if slot.sort in _WHOLE:
        yield from sorted(sort.names)
        if depth > 1 or slot.sort in ("verb", "renewal"):
            yield from _terms(slot.sort, depth - 1)


def _created_kind() -> str:
    from pyengine.kinds import catalogue

    return min(
        (kind for kind in catalogue().values() if kind.created and kind.type == "creature"),
        key=lambda kind: (kind.life, kind.id),
    ).id
