"""Python's collector comes less often while a question is answered.

A question makes some ten thousand tuples, which are all gone with it. By default the collector
looks at what is new for every 700 of them, in vain: a tenth to a quarter of the time.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = 50_000  # so many new containers between two looks: a few MiB


class _Seldom:
    """How many wait for it at once, in all threads, and what there was before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0
        self._usual = (0, 0, 0)

    def begin(self) -> None:
        with self._lock:
            self._depth += 1
            if self._depth == 1:
                self._usual = gc.get_threshold()
                if 0 < self._usual[0] < _SELDOM:
                    gc.set_threshold(_SELDOM, *self._usual[1:])

    def end(self) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0 and gc.get_threshold()[0] == _SELDOM:
                gc.set_threshold(*self._usual)


_STATE = _Seldom()


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Within it the collector comes less often; what somebody else set is left and set again."""
    _STATE.begin()
    try:
        yield
    finally:
        _STATE.end()
