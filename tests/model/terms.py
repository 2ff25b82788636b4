"""Ability terms as nested tuples: ``armor(2)`` is ``("armor", 2)``, ``charge`` is ``"charge"``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import clingo

Term: TypeAlias = Any  # str | int | tuple[str, Term, ...]


class Unsupported(Exception):
    """Something that this model does not speak of."""


@cache
def parse(text: str) -> Term:
    """The term that a text writes; RuntimeError if it writes none."""
    return _tuples(clingo.parse_term(text))


def _tuples(symbol: clingo.Symbol) -> Term:
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    return (symbol.name, *map(_tuples, symbol.arguments)) if symbol.arguments else symbol.name


@cache
def show(term: Term) -> str:
    """The term as text, without spaces."""
    return f"{term[0]}({','.join(map(show, term[1:]))})" if isinstance(term, tuple) else str(term)


def name(term: Term) -> str:
    """The name of an ability: ``armor`` for ``("armor", 2)``."""
    return str(term[0]) if isinstance(term, tuple) else str(term)


def args(term: Term) -> tuple[Term, ...]:
    """What stands in its brackets."""
    return term[1:] if isinstance(term, tuple) else ()


# so many arguments are abilities with targets of their own
_OWN = {"lay": 1, "bears": 1, "counters": 1, "delayed": 2}


def parts(term: Term) -> Iterator[Term]:
    """The term and all terms in it, but for abilities that it lays."""
    yield term
    for arg in args(term)[_OWN.get(name(term), 0) :]:
        yield from parts(arg)


@cache
def shoots(effect: Term) -> bool:
    """Whether an effect has a shot in it."""
    return any(name(part) == "shot" and args(part) for part in parts(effect))


@cache
def cost(price: Term) -> Counter[Term]:
    """What stands before a colon, alike parts added up: ``{"coins": 2, "close": 1}``."""
    out = Counter[Term]()
    if name(price) == "and":
        for part in args(price):
            out.update(cost(part))  # which keeps what costs 0
    elif isinstance(price, tuple) and isinstance(price[-1], int):
        out[price[0] if len(price) == 2 else price[:-1]] = price[-1]
    else:
        out[price] = 1
    return out


class Slot(NamedTuple):
    """A target that a declaration names."""

    filter: Term
    does: frozenset[str] = frozenset()  # the effects that it is the target of: shot, revive, ...
    spare: bool = False  # it may be left out
    price: bool = False  # it is closed as a payment


ENEMY, ATTACKER = Slot(("and", "enemy", "character")), Slot("any")
# the verbs of what an effect does to its target
_DONE = {"shot": "shoot", "open": "open", "close": "close", "heal": "heal", "destroy": "destroy"}


@cache
def done_to(slot: Slot, verbs: frozenset[str]) -> frozenset[str]:
    """The verbs that a deed does to a target: its own, and those of the target's effects."""
    aimed = {"target"} if slot.does else set()
    return verbs - {"shoot"} | {_DONE[effect] for effect in slot.does & _DONE.keys()} | aimed


@cache
def ways(ability: Term) -> tuple[tuple[Slot, ...], ...]:
    """The targets that ``use(Cost,E)`` or ``spell(E)`` asks for, in each way to choose effects."""
    asked: list[Slot] = []

    def walk(term: Term, does: str, price: bool) -> list[tuple[int, ...]]:
        """The ways of a part as places in ``asked``; ``does``: the effect that it is part of."""
        head, inner = name(term), args(term)
        if head == "target" and isinstance(inner[0], int):  # the K-th again
            again = asked[inner[0] - 1]
            asked[inner[0] - 1] = again._replace(does=again.does | {does})
            return [()]
        if head in ("by_opponent", "repeat"):  # chosen while it is carried out
            inner = inner[:-1]
        deeper = enumerate(inner[_OWN.get(head, 0) :])
        each = [walk(part, head, price or (head, n) == ("use", 0)) for n, part in deeper]
        if head in ("choose", "choose_any"):
            both = [one + two for one, two in product(*each)] if head == "choose_any" else []
            return each[0] + each[1] + both
        found = [sum(way, ()) for way in product(*each)]
        if head in ("target", "up_to", "revive"):
            done = frozenset({"revive" if head == "revive" else does})
            asked.append(Slot(inner[0], done, head == "up_to", price))
            return [(*way, len(asked) - 1) for way in found]
        return found

    return tuple(tuple(asked[n] for n in way) for way in walk(ability, "", False))


@cache
def wanted_types(filter_: Term, denied: bool = False) -> frozenset[str]:
    """The card types other than a character that a selector requires."""
    head, inner = name(filter_), args(filter_)
    if head == "not":
        return wanted_types(inner[0], not denied)
    if head == ("or" if denied else "and"):
        return frozenset().union(*(wanted_types(part, denied) for part in inner))
    return frozenset(() if head != "type" or denied else inner) - {"hero", "creature"}
