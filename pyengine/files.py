"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from pyengine.faults import at, reason
from pyengine.model import StateError


def write_whole(path: Path, text: str | bytes) -> None:
    """Writes a text, UTF-8, in place of what the file held; StateError if it cannot be done.

    Whoever looks meanwhile, and whoever interrupts it, finds the old file or the new one. A pipe
    or a device is written to as it is.
    """
    data = text.encode("utf-8") if isinstance(text, str) else text
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        # through a link, so that it stays one
        _replace(path.resolve(), data)
    except OSError as error:
        raise StateError([at(str(path), "unwritable", why=reason(error))]) from None


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o7777)
        beside.replace(path)
    except BaseException:  # an interruption, too
        with suppress(OSError):
            beside.unlink()
        raise


def append_lines(path: Path, text: str) -> None:
    """Adds whole lines at the end of a file, at once; StateError if it cannot be done."""
    data = text.encode("utf-8")
    try:
        with path.open("ab", buffering=0) as file:
            written = file.write(data)
            if written != len(data):
                with suppress(OSError):
                    file.truncate(file.tell() - written)
                raise OSError("only a part of it could be written")
    except OSError as error:
        raise StateError([at(str(path), "unwritable", why=reason(error))]) from None
