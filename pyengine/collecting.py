"""Python's collector comes less often while a question is answered.

A question makes some ten thousand tuples, which are all gone with it. By default the collector
looks at what is new for every 700 of them, in vain: a tenth to a quarter of the time.
"""

from __future__ import annotations

import gc
import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_SELDOM = 50_000  # so many new containers between two looks: a few MiB


class _Seldom:
    """Which threads wait for it, how deep in questions, and what there was before."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asking: Counter[int] = Counter()
        self._usual = (0, 0, 0)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._alone)

    def _alone(self) -> None:
        """After a fork: the questions of the other threads are not asked here."""
        self._lock = threading.Lock()
        for thread in self._asking.keys() - {threading.get_ident()}:
            del self._asking[thread]
            if not self._asking:
                self._restore()

    def begin(self) -> None:
        with self._lock:
            first = not self._asking
            self._asking[threading.get_ident()] += 1
            if first:
                self._usual = gc.get_threshold()
                if 0 < self._usual[0] < _SELDOM:
                    gc.set_threshold(_SELDOM, *self._usual[1:])

    def end(self) -> None:
        own = threading.get_ident()
        with self._lock:
            self._asking[own] -= 1
            if self._asking[own] <= 0:
                del self._asking[own]
            if not self._asking:
                self._restore()

    def _restore(self) -> None:
        if gc.get_threshold()[0] == _SELDOM:
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
