"""Standard streams that are closed, or that cannot be written to."""

from __future__ import annotations

import io
import os
import sys
from typing import TextIO

from pyengine.faults import Message, reason, told


def prepare() -> None:
    """Opens what is closed, as if nothing came and nobody read; the rest speaks UTF-8."""
    # a closed stream is None in Python, and its number would go to the next file that is opened
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def silence(stream: TextIO) -> None:
    """Sends what is left in a stream nowhere: the interpreter would fail to write it at its end."""
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
        os.dup2(nowhere.fileno(), stream.fileno())


def failed(error: OSError, lang: str) -> str:
    """What could not be written or read, and why."""
    name = Message("stdout") if error.filename is None else os.fsdecode(error.filename)
    return told(Message("at", place=name, text=reason(error)), lang)
