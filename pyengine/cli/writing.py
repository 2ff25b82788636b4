"""What the commands print."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from pyengine import streams
from pyengine.i18n import Lang, say

if TYPE_CHECKING:
    from rich.console import RenderableType


_WIDTH = 80  # columns of text that goes to no terminal
_NARROWEST = 40  # columns, however narrow the terminal: a card and some words need them
_BITS = 20_000  # of JSON that are printed at once
_SLOW = 1.0  # seconds after which a run of rulings shows how far it is


def no_extra(package: object, extra: str, lang: Lang) -> str:
    """That a package is missing, and how to install it."""
    command = f"pip install 'pyengine[{extra}]'"
    return say("no_extra", lang, name=package, command=command)


class UnreadError(Exception):
    """Nobody reads standard output any more. (typer would end a BrokenPipeError with 1.)"""


def write(text: str) -> None:
    """Prints a text as it is."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise UnreadError from None


def print_json(answer: Any) -> None:
    """Prints an answer as JSON, bit by bit: outcomes that share all they hold make much text."""
    part: list[str] = []
    for bit in json.JSONEncoder(ensure_ascii=False, indent=2).iterencode(answer):
        part.append(bit)
        if len(part) >= _BITS:
            write("".join(part))
            part.clear()
    write("".join(part) + "\n")


def print_picture(picture: RenderableType, wrap: bool = True) -> None:
    """Prints for a person: with colours on a terminal that wants them, else plain text."""
    from rich.console import Console

    text = io.StringIO()
    if plain():
        # rich would ask the terminal behind another stream for its width: the same bytes always
        width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else _WIDTH
        console = Console(
            file=text, width=width, color_system=None, force_terminal=False, highlight=False
        )
    else:
        console = Console(file=sys.stdout, highlight=False)
    console.width = max(console.width, _NARROWEST)
    console.print(picture, soft_wrap=not wrap)
    write("".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()))


def plain() -> bool:
    """Whether colour codes are unwelcome: no terminal, a dumb one, or NO_COLOR is set."""
    dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    return not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR")) or dumb


def fail(faults: Sequence[str]) -> NoReturn:
    """Prints every fault on a line of its own and ends: bad input, nothing was computed."""
    for fault in faults:
        tell(fault)
    raise typer.Exit(2)


def tell(fault: str) -> None:
    """One line on stderr, whatever a name in it holds."""
    line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in fault)
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        streams.silence(sys.stderr)  # nobody can be told


@contextmanager
def progress_bar(
    total: int | None, title: str, wanted: bool = True
) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, for a run that takes longer than a moment; no total: nobody knows."""
    if not sys.stderr.isatty() or not wanted:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    )
    task = bar.add_task(title, total=total)
    start = time.monotonic()
    started = False

    def progress(done: int) -> None:
        nonlocal started
        if not started and time.monotonic() - start > _SLOW:
            bar.start()
            started = True
        bar.update(task, completed=done)

    try:
        yield progress
    finally:
        bar.stop()
