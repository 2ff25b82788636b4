"""Ability terms as nested tuples: ``armor(2)`` is ``("armor", 2)``, ``charge`` is ``"charge"``."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple, TypeAlias

Term: TypeAlias = Any  # str | int | tuple[Term, ...]


@cache
def parse(text: str) -> Term:
    """The term that a text writes; ValueError if it writes none."""
    tokens = re.findall(r"-?[0-9]+|[a-z][a-z0-9_]*|\S", text)[::-1]
    term = _term(tokens)
    if tokens:
        raise ValueError(f"something after the term: {text!r}")
    return term


def _term(tokens: list[str]) -> Term:
    """The term that the tokens begin with; they stand the other way round and are taken away."""
    head = tokens.pop() if tokens else ""
    if head.lstrip("-").isdigit():
        return int(head)
    if not head.isidentifier():
        raise ValueError(f"not a term: {head!r}")
    parts: list[Term] = [head]
    if tokens[-1:] == ["("]:
        while (sign := tokens.pop() if tokens else "") in ("(", ","):
            parts.append(_term(tokens))
        if sign != ")":
            raise ValueError(f"not a term: {sign!r}")
    return tuple(parts) if len(parts) > 1 else head


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


@cache
def contains(term: Term, wanted: str) -> bool:
    """Whether a term of that name stands anywhere in it."""
    return any(name(part) == wanted for part in parts(term))


class Slot(NamedTuple):
    """A target that an ability asks for."""

    filter: Term
    does: frozenset[str] = frozenset()  # what is done to it: wound, open, destroy, ...


@cache
def slots(effect: Term) -> tuple[Slot, ...]:
    """The targets that an effect asks for, in order."""
    found: list[tuple[Term, set[str]]] = []
    _slots(effect, "", found)
    return tuple(Slot(filter_, frozenset(does)) for filter_, does in found)


def _slots(effect: Term, doing: str, found: list[tuple[Term, set[str]]]) -> None:
    head, inner = name(effect), args(effect)
    if head == "target" and isinstance(inner[0], int):
        found[inner[0] - 1][1].add(doing)
    elif head == "target":
        found.append((inner[0], {doing}))
    else:
        for arg in inner[1:2] if head == "lay" else inner:
            _slots(arg, head, found)


class Cost(NamedTuple):
    """What stands before the colon of an activated ability."""

    coins: int
    wounds: int
    chips: int
    closes: bool
    once: bool


@cache
def cost(term: Term) -> Cost:
    """The cost of a ``use(Cost,E)``."""
    found = parts(args(term)[0])
    coins, wounds, chips = (
        sum(args(part)[0] for part in found if name(part) == kind)
        for kind in ("coins", "wounds", "chips")
    )
    return Cost(coins, wounds, chips, "close" in found, "once" in found)


@cache
def wanted_type(filter_: Term) -> str | None:
    """The card type other than a character that a selector requires, if it does."""
    if name(filter_) == "type" and args(filter_)[0] not in ("hero", "creature"):
        return str(args(filter_)[0])
    if name(filter_) == "and":
        return next(filter(None, map(wanted_type, args(filter_))), None)
    return None
