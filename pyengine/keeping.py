"""What was worked out is kept, within a bound; what a process holds that has none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")
# bytes; clingo never forgets a name, so a process that is asked about ever new ones grows for ever
RENEW = 512 << 20


def keep(known: dict[K, V], key: K, made: V, most: int) -> V:
    """Keeps what was made for a key; where so many are kept already, all are forgotten first."""
    if len(known) >= most:
        known.clear()
    known[key] = made
    return made


def held() -> int:
    """How many bytes of memory this process holds; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:  # not on Linux
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
