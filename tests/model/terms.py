"""Ability terms as nested tuples: ``armor(2)`` is ``("armor", 2)``, ``charge`` is ``"charge"``."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple, TypeAlias

Term: TypeAlias = Any  # str | int | tuple[Term, ...]

_TOKEN = re.compile(r"\s*(-?[0-9]+|[a-z][a-z0-9_]*|[(),])")


@cache
def parse(text: str) -> Term:
    """The term that a text writes; ValueError if it writes none."""
    tokens, place = [], 0
    text = text.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"not a term: {text!r}")
        tokens.append(match.group(1))
        place = match.end()
    term, rest = _term(tokens, 0)
    if rest != len(tokens):
        raise ValueError(f"something after the term: {text!r}")
    return term


def _term(tokens: list[str], at: int) -> tuple[Term, int]:
    head = tokens[at]
    if head.lstrip("-").isdigit():
        return int(head), at + 1
    if at + 1 == len(tokens) or tokens[at + 1] != "(":
        return head, at + 1
    parts: list[Term] = [head]
    at += 1
    while tokens[at] in "(,":
        part, at = _term(tokens, at + 1)
        parts.append(part)
    return tuple(parts), at + 1


@cache
def show(term: Term) -> str:
    """The term as text, without spaces."""
    if isinstance(term, tuple):
        return f"{term[0]}({','.join(map(show, term[1:]))})"
    return str(term)


def name(term: Term) -> str:
    """The name of an ability: ``armor`` for ``("armor", 2)``."""
    return str(term[0]) if isinstance(term, tuple) else str(term)


def args(term: Term) -> tuple[Term, ...]:
    """What stands in its brackets."""
    return term[1:] if isinstance(term, tuple) else ()


def parts(term: Term) -> list[Term]:
    """The term and every term inside it."""
    return [term] + [inner for arg in args(term) for inner in parts(arg)]


class Slot(NamedTuple):
    """A target that an ability asks for."""

    filter: Term
    does: frozenset[str] = frozenset()  # what is done to it: wound, open, destroy, revive, ...


@cache
def slots(effect: Term) -> tuple[Slot, ...]:
    """The targets that an effect asks for, in order."""
    found: list[tuple[Term, set[str]]] = []
    _slots(effect, "", found)
    return tuple(Slot(filter_, frozenset(does)) for filter_, does in found)


def _slots(effect: Term, doing: str, found: list[tuple[Term, set[str]]]) -> None:
    head = name(effect)
    if head == "target" and isinstance(effect[1], int):
        found[effect[1] - 1][1].add(doing)
    elif head == "target":
        found.append((effect[1], {doing}))
    elif head == "revive":
        found.append((effect[1], {head}))
    elif head == "lay":
        _slots(effect[2], head, found)
    else:
        for arg in args(effect):
            _slots(arg, head, found)


@cache
def contains(term: Term, wanted: str) -> bool:
    """Whether a term of that name stands anywhere in it."""
    return any(name(part) == wanted for part in parts(term))


class Cost(NamedTuple):
    """What stands before the colon of an activated ability."""

    coins: int = 0
    wounds: int = 0
    chips: int = 0
    closes: bool = False
    once: bool = False


@cache
def cost(term: Term) -> Cost:
    """The cost of a ``use(Cost,E)``."""
    found = parts(args(term)[0])
    total = {
        kind: sum(args(part)[0] for part in found if name(part) == kind)
        for kind in ("coins", "wounds", "chips")
    }
    return Cost(**total, closes="close" in found, once="once" in found)


@cache
def wanted_type(filter_: Term) -> str | None:
    """The card type other than a character that a selector requires, if it does."""
    if name(filter_) == "type" and args(filter_)[0] not in ("hero", "creature"):
        return str(args(filter_)[0])
    if name(filter_) == "and":
        return next(filter(None, map(wanted_type, args(filter_))), None)
    return None
