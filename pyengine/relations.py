"""Terms as Python values, arithmetic and order as clingo has them, and relations of rows.

Numbers are int, constants and strings str (a string keeps its quotes), functions and tuples are
tuples that begin with their name and arity: ``f(a,1)`` is ``("f/2", "a", 1)``. An atom is a row of
the relation of its predicate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Any, TypeAlias

Row: TypeAlias = tuple[Any, ...]
_EMPTY = ("/0",)
# so small that nothing that is worked out of them in one rule is too great for clingo
_MOST = 30000


class Undefined(Exception):
    """Arithmetic that has no result: clingo has something to say about it."""


# --- arithmetic and order ------------------------------------------------------------------------


def add(left: Any, right: Any) -> int:
    """The sum of two numbers."""
    return number(left) + number(right)


def sub(left: Any, right: Any) -> int:
    """Their difference."""
    return number(left) - number(right)


def mul(left: Any, right: Any) -> int:
    """Their product."""
    return number(left) * number(right)


def div(left: Any, right: Any) -> int:
    """Their quotient, towards zero."""
    if number(right) == 0:
        raise Undefined
    found: int = abs(number(left)) // abs(right)
    return found if (left < 0) == (right < 0) else -found


def number(value: Any) -> int:
    """The value, if it is a number."""
    if value.__class__ is not int or not -_MOST < value < _MOST:
        raise Undefined
    return int(value)


def compare(left: Any, right: Any) -> int:
    """Below 0, 0 or above 0, as clingo has terms in order."""
    if left == right:
        return 0
    # the empty tuple is a constant without a name
    left, right = (value if value != _EMPTY else "" for value in (left, right))
    first, second = _rank(left), _rank(right)
    if first != second:
        return -1 if first < second else 1
    if first < 3:
        return -1 if left < right else 1
    size, other = len(left), len(right)
    if size != other:
        return -1 if size < other else 1
    if left[0] != right[0]:
        name, name_ = left[0].rpartition("/")[0].encode(), right[0].rpartition("/")[0].encode()
        return -1 if name < name_ else 1
    for part, part_ in zip(left[1:], right[1:], strict=True):
        found = compare(part, part_)
        if found:
            return found
    return 0


def _rank(value: Any) -> int:
    if value.__class__ is int:
        return 0
    if value.__class__ is tuple:
        return 3
    return 2 if value[:1] == '"' else 1


def less(left: Any, right: Any) -> bool:
    """Whether one term comes before another."""
    if left.__class__ is int and right.__class__ is int:
        return bool(left < right)
    return compare(left, right) < 0


def most(left: Any, right: Any) -> bool:
    """Whether it does not come after it."""
    if left.__class__ is int and right.__class__ is int:
        return bool(left <= right)
    return compare(left, right) <= 0


def summed(rows: Set[Row]) -> int:
    """The sum of the first of each row."""
    return sum(number(row[0]) for row in rows)


# --- relations -----------------------------------------------------------------------------------


class Relation:
    """The rows of a predicate, and indexes of them that are made when they are first asked for."""

    __slots__ = ("indexes", "rows")

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self.rows: set[Row] = set(rows)
        self.indexes: dict[int, dict[Any, list[Row]]] = {}

    def index(self, number: int) -> dict[Any, list[Row]]:
        """The rows by what an index goes by."""
        found = self.indexes.get(number)
        if found is None:
            found = defaultdict(list)
            FILLERS[number](found, self.rows)
            self.indexes[number] = found  # whole, or not at all
        return found

    def insert(self, rows: Sequence[Row]) -> None:
        """New rows, also into the indexes."""
        self.rows.update(rows)
        for number, index in self.indexes.items():
            FILLERS[number](index, rows)


# what puts rows into an index that goes by arguments, or by what these begin with
FILLERS: list[Callable[[dict[Any, list[Row]], Iterable[Row]], None]] = []
_FILLER = """
def fill(index, rows):
    for r in rows:
        index[{key}].append(r)
"""
_SPECS: dict[tuple[tuple[int, bool], ...], int] = {}


def index_by(spec: tuple[tuple[int, bool], ...]) -> int:
    """The number of an index by these arguments; True: by what the argument begins with."""
    if spec not in _SPECS:
        parts = [
            f"(a[0] if (a := r[{place}]).__class__ is tuple else a)" if head else f"r[{place}]"
            for place, head in spec
        ]
        inside = parts[0] if len(parts) == 1 else f"({','.join(parts)})"
        space: dict[str, Any] = {}
        exec(_FILLER.format(key=inside), space)
        FILLERS.append(space["fill"])
        _SPECS[spec] = len(FILLERS) - 1
    return _SPECS[spec]
