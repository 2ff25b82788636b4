"""``check``: what contradicts what."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pyengine.cli.options import JsonOption, LangOption
from pyengine.cli.program import app, version
from pyengine.cli.reading import answering
from pyengine.cli.writing import print_json, print_picture, tell
from pyengine.documents import hint
from pyengine.faults import at
from pyengine.files import write_whole
from pyengine.i18n import Lang, say
from pyengine.model import EDITIONS, StateError

if TYPE_CHECKING:
    from pyengine.audit import Options

# a comparison that is told nothing: as much as a minute allows
_COMPARED, _COMPARING = 2, 60.0  # cards, seconds


@app.command("check")
def check_command(
    as_json: JsonOption = False,
    lang: LangOption = None,
    edition: Annotated[
        str, typer.Option("--edition", metavar="|".join(EDITIONS), help="Whose rules.")
    ] = "heroes",
    cards: Annotated[
        str | None,
        typer.Option(
            "--cards",
            metavar="PATH",
            help="A file or folder of cards, checked against those of the sets.",
            show_default=False,
        ),
    ] = None,
    sets: Annotated[
        list[int] | None,
        typer.Option("--set", metavar="N", help="A printed set to look at; else 22.", min=0),
    ] = None,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules", metavar="FOLDER", help="Changed and added chapters.", show_default=False
        ),
    ] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--compare",
            metavar="E1 E2",
            help="How two editions differ; with --rules: ours and the changed ones.",
            show_default=False,
        ),
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(
            "--scope",
            metavar="cards=N,effects=N,numbers=N",
            help="How far to look: cards 1 to 8, effects 0 to 8, numbers 1 to 9.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option("--fail-on", metavar="error|warning|note", help="Exit code 1 from here on."),
    ] = "error",
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="CODE", help="Look for this alone; may be repeated."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also tell what a principle decides.")
    ] = False,
    time_limit: Annotated[
        float | None,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            help="Stop then; a comparison that is told nothing stops after 60.",
            min=0,
            show_default=False,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            metavar="N",
            help="Processes that search; else one for each processor.",
            min=1,
            show_default=False,
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="A Dask scheduler instead.", show_default=False
        ),
    ] = None,
    sarif: Annotated[
        str | None,
        typer.Option(
            "--sarif", metavar="FILE", help="Write SARIF 2.1.0 to it.", show_default=False
        ),
    ] = None,
) -> None:
    """What contradicts what in rules and cards, each with the smallest position that shows it.

    Exit code 1 if something at or above --fail-on is found.

    Example: [bold]pyengine check --cards my_card.yaml[/bold]
    """
    with answering(lang, as_json) as language:
        from pyengine import audit
        from pyengine.audit import telling

        options = _options(
            edition, cards, sets, rules, compare, scope, fail_on, only, everything, time_limit
        )
        with _searching(language) as progress:
            report = audit.check(options, progress, jobs or os.cpu_count() or 1, scheduler)
        for error in report.errors:
            tell(error)
        if sarif is not None:
            text = json.dumps(telling.sarif(report, language, version()), ensure_ascii=False)
            write_whole(Path(sarif), text + "\n")
        if as_json:
            print_json(telling.document(report, language))
        else:
            print_picture(telling.picture(report, language))
        if any(report.reaches(level) for level in audit.SEVERITIES if level == fail_on):
            raise typer.Exit(1)


def _options(
    edition: str,
    cards: str | None,
    sets: Sequence[int] | None,
    rules: str | None,
    compare: tuple[str, str] | None,
    scope: str | None,
    fail_on: str,
    only: Sequence[str] | None,
    everything: bool,
    time_limit: float | None,
) -> Options:
    """What a check was asked for; the faults of all options at once."""
    from pyengine import audit

    faults: list[str] = []
    limits = audit.Scope() if compare is None else replace(audit.Scope(), cards=_COMPARED)
    if scope is not None:
        try:
            limits = audit.Scope.parse(scope)
        except StateError as error:
            faults += error.faults
    if fail_on not in audit.SEVERITIES:
        known = ", ".join(audit.SEVERITIES)
        near = hint(fail_on, audit.SEVERITIES)
        faults.append(at("fail-on", "not_one_of", value=repr(fail_on), known=known, near=near))
    if compare is not None and time_limit is None:
        time_limit = _COMPARING
    options = audit.Options(
        edition=edition if compare is None else compare[0],
        cards=cards,
        rules=rules,
        sets=tuple(sets or (22,)),
        scope=limits,
        only=tuple(only or ()),
        everything=everything,
        until=None if time_limit is None else time.time() + time_limit,
        against=None if compare is None else compare[1],
        time_limit=time_limit,
    )
    faults += audit.faults(options)
    if faults:
        raise StateError(faults)
    return options


@contextmanager
def _searching(lang: Lang) -> Iterator[Callable[[str, int, int | None], None]]:
    """A bar on a terminal that says what is being searched."""
    if not sys.stderr.isatty():
        yield lambda code, done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}"),
        TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task(say("searching", lang), total=None)

        def progress(code: str, done: int, total: int | None) -> None:
            bar.update(
                task, description=f"{say('searching', lang)}: {code}", completed=done, total=total
            )

        yield progress
