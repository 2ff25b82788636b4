"""What was worked out is kept, within a bound."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def keep(known: dict[K, V], key: K, made: V, most: int) -> V:
    """Keeps what was made for a key; where so many are kept already, all are forgotten first."""
    if len(known) >= most:
        known.clear()
    known[key] = made
    return made
