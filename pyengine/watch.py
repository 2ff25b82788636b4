"""What ends a command that does not end by itself: Ctrl-C, and the time limit.

Both are noticed between two steps of Python. clingo is told to come back to Python often where a
question may be large (`limits.Watch`), but nobody can promise it of every grounding. So a thread
looks on, and what should have ended the process and has not, shortly after, it brings about.
Nothing is lost by that: files are written whole, and standard output answer by answer.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from pyengine import limits
from pyengine.faults import told
from pyengine.i18n import Lang, say

INTERRUPTED = 130  # as shells have it: 128 and the number of SIGINT
TOO_LARGE = 2
_GRACE = 0.5  # seconds that the ordinary way of ending is given
_GLANCE = 0.25  # seconds between two looks at the clock
_language: list[Lang] = ["en"]
_asked_to_end = threading.Event()


@contextmanager
def unheard() -> Iterator[None]:
    """What is started inside hears of no interruption: it is for the one who asked.

    Ctrl-C goes to every process of a terminal, also to one that is still being loaded.
    """
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # else it is begun inside, and unblocks the signal there
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def interrupted() -> bool:
    """Whether the command that runs has been interrupted.

    clingo makes another error of a KeyboardInterrupt that is raised where it calls Python.
    """
    return _asked_to_end.is_set()


def _interrupt(*_: object) -> NoReturn:
    _asked_to_end.set()
    raise KeyboardInterrupt


def _unraised(error: sys.UnraisableHookArgs) -> None:
    """What is raised where nobody catches it, as in a callback of the collector."""
    if isinstance(error.exc_value, KeyboardInterrupt):
        os._exit(INTERRUPTED)
    sys.__unraisablehook__(error)


def speak(lang: Lang) -> None:
    """The language of what is said at the end."""
    _language[:] = [lang]


@contextmanager
def looked_on() -> Iterator[None]:
    """While a command runs. Does nothing outside the main thread, which alone gets signals."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    mine, theirs = socket.socketpair()
    theirs.setblocking(False)
    mine.settimeout(_GLANCE)
    # the C part of Python's signal handler writes there at once, whatever the main thread is at
    before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    ended = threading.Event()
    unraisable = sys.unraisablehook
    sys.unraisablehook = _unraised
    _asked_to_end.clear()
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, _interrupt)
    threading.Thread(target=_look_on, args=(mine, ended), daemon=True).start()
    try:
        yield
    finally:
        ended.set()
        signal.signal(signal.SIGINT, handler)
        sys.unraisablehook = unraisable
        signal.set_wakeup_fd(before)
        theirs.close()


def _look_on(signals: socket.socket, ended: threading.Event) -> None:
    with signals:
        while not ended.is_set():
            try:
                received = signals.recv(64)
            except TimeoutError:
                received = b""
            if signal.SIGINT in received and not ended.wait(_GRACE):
                os._exit(INTERRUPTED)
            budget = limits.latest()
            if budget is not None and budget.left < -_GRACE and not ended.is_set():
                lang = _language[0]
                message = told(limits.late(budget).message, lang)
                os.write(2, f"{say('too_large', lang, message=message)}\n".encode())
                os._exit(TOO_LARGE)
