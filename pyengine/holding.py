"""Signals wait while clingo calls Python: what a handler raises there would not come out.

An exception in one of clingo's callbacks comes out as another error, or ends the process. So what
interrupts (Ctrl-C, an alarm, the end) is held back for the few milliseconds of a usual question,
and raised right after. Of a large question the search runs in a thread of its own, where no handler
is called, so that one is interrupted at once.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_HELD = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)


@contextmanager
def held() -> Iterator[None]:
    """Within it nothing interrupts; in other threads than the first nothing does anyway."""
    first = threading.current_thread() is threading.main_thread()
    if not first or not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
