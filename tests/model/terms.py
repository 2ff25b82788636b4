"""Ability terms as nested tuples: ``armor(2)`` is ``("armor", 2)``, ``charge`` is ``"charge"``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

Term: TypeAlias = Any  # str | int | tuple[Term, ...]


class Unsupported(Exception):
    """Something that this model does not speak of."""


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


# so many arguments are abilities with targets of their own
_ABILITIES = {"lay": 1, "bears": 1, "counters": 1, "delayed": 2}


def parts(term: Term) -> Iterator[Term]:
    """The term and all terms in it, but for abilities that it lays."""
    yield term
    for arg in args(term)[_ABILITIES.get(name(term), 0) :]:
        yield from parts(arg)


class Slot(NamedTuple):
    """A target that an ability asks for."""

    filter: Term
    does: frozenset[str] = frozenset()  # what is done to it: shot, open, revive, ...
    spare: bool = False  # it may be left out
    price: bool = False  # it is closed as a payment


@cache
def ways(term: Term) -> tuple[tuple[Slot, ...], ...]:
    """The targets that a ``use(Cost,E)`` or ``spell(E)`` asks for, in order.

    One list for each way to choose among its effects.
    """
    found: list[dict[str, Any]] = []
    *price, effect = args(term)
    listed = [_ways(part, "", found) for part in price]
    for slot in found:
        slot["price"] = True
    listed.append(_ways(effect, "", found))
    made = [Slot(**{**slot, "does": frozenset(slot["does"])}) for slot in found]
    return tuple(tuple(made[n] for n in sum(each, ())) for each in product(*listed))


def _ways(term: Term, doing: str, found: list[dict[str, Any]]) -> list[tuple[int, ...]]:
    """The ways of one term as places in ``found``; ``doing``: the effect that it is part of."""
    head, inner = name(term), args(term)
    if head == "target" and isinstance(inner[0], int):
        found[inner[0] - 1]["does"].add(doing)
        return [()]
    if head in ("by_opponent", "repeat"):  # chosen while it is carried out
        inner = inner[:-1]
    each = [_ways(arg, head, found) for arg in inner[_ABILITIES.get(head, 0) :]]
    if head in ("choose", "choose_any"):
        both = [one + two for one in each[0] for two in each[1]] if head == "choose_any" else []
        return each[0] + each[1] + both
    listed = [sum(way, ()) for way in product(*each)]
    if head in ("target", "up_to", "revive"):
        does = {"revive"} if head == "revive" else {doing}
        found.append({"filter": inner[0], "does": does, "spare": head == "up_to"})
        return [(*way, len(found) - 1) for way in listed]
    return listed


class Cost(NamedTuple):
    """What stands before the colon of an activated ability."""

    coins: int = 0
    chips: int = 0
    wounds: bool = False
    closes: bool = False
    once: bool = False
    counters: tuple[tuple[str, int], ...] = ()


@cache
def cost(term: Term) -> Cost:
    """The cost of a ``use(Cost,E)``."""

    def leaves(part: Term) -> Iterator[Term]:
        if name(part) == "and":
            for inner in args(part):
                yield from leaves(inner)
        else:
            yield part

    found = list(leaves(args(term)[0]))
    sums: dict[tuple[Term, ...], int] = {}
    for part in found:
        if isinstance(part, tuple) and isinstance(part[-1], int):
            sums[part[:-1]] = sums.get(part[:-1], 0) + part[-1]
    return Cost(
        sums.get(("coins",), 0),
        sums.get(("chips",), 0),
        ("wounds",) in sums,
        "close" in found,
        "once" in found,
        tuple((kind[1], number) for kind, number in sums.items() if kind[0] == "counters"),
    )


@cache
def wanted_types(filter_: Term, denied: bool = False) -> frozenset[str]:
    """The card types other than a character that a selector requires."""
    head, inner = name(filter_), args(filter_)
    if head == "not":
        return wanted_types(inner[0], not denied)
    if head == ("or" if denied else "and"):
        return frozenset().union(*(wanted_types(part, denied) for part in inner))
    return frozenset(() if head != "type" or denied else inner) - {"hero", "creature"}
