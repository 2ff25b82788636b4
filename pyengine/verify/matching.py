"""What a partial state expects, and what came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def matches(expected: Any, actual: Any) -> bool:
    """Whether a value that came is what a partial state expects.

    >>> matches({"wounds": 3}, {"wounds": 3, "closed": True}), matches([1], [1, 2])
    (True, False)
    """
    return not differences(expected, actual)


def differences(expected: Any, actual: Any, place: str = "") -> list[tuple[str, Any, Any]]:
    """The places where they differ, with what was expected and what came."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        default = 0 if place.endswith(".spent") else None
        return [
            difference
            for key, part in expected.items()
            for difference in differences(part, actual.get(key, default), join(place, key))
        ]
    if isinstance(actual, list) and _of_mappings(expected):
        found = assign([[matches(item, member) for member in actual] for item in expected])
        return [
            (f"{place}[{number}]", item, actual)
            for number, item in enumerate(expected)
            if number not in found
        ]
    same = type(expected) is type(actual) and expected == actual
    return [] if same else [(place, expected, actual)]


def _of_mappings(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def assign(fits: Sequence[Sequence[bool]]) -> dict[int, int]:
    """The greatest assignment of rows to different columns that fit them.

    >>> assign([[True, True], [True, False]])
    {1: 0, 0: 1}
    """
    row_of: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, fit in enumerate(fits[row]):
            if fit and column not in tried:
                tried.add(column)
                if column not in row_of or place(row_of[column], tried):
                    row_of[column] = row
                    return True
        return False

    for row in range(len(fits)):
        place(row, set())
    return {row: column for column, row in row_of.items()}


def join(place: str, key: object) -> str:
    """The place of a key below another."""
    return f"{place}.{key}" if place else str(key)
