"""``batch``: a whole file of positions."""

from __future__ import annotations

import sys
from functools import partial
from typing import IO, TYPE_CHECKING, Annotated

import typer

from pyengine import i18n
from pyengine.cli.options import EditionOption, JsonOption, LangOption, RenewOption
from pyengine.cli.program import app
from pyengine.cli.reading import answering
from pyengine.cli.writing import UnreadError, print_json, print_picture, progress_bar, tell
from pyengine.cluster import MOST
from pyengine.i18n import Lang, say
from pyengine.keeping import RENEW

if TYPE_CHECKING:
    from pyengine.bulk import Summary


@app.command("batch")
def batch_command(
    states: Annotated[
        str,
        typer.Argument(
            metavar="STATES",
            help="A JSON document a line, or a .parquet file with a column state; - is standard"
            " input.",
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where the answers go, .parquet or lines of JSON.",
        ),
    ] = "-",
    question: Annotated[
        str,
        typer.Option(
            "--question",
            metavar="legal|actions|resolve",
            help="Verdicts; legal actions alone; or, of lines with state and action, outcomes.",
            autocompletion=lambda: ["legal", "actions", "resolve"],
        ),
    ] = "legal",
    workers: Annotated[
        int,
        typer.Option("--workers", metavar="N", min=0, max=MOST, help="How many processes answer."),
    ] = 0,
    renew: RenewOption = RENEW >> 20,
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="The Dask scheduler whose workers answer.",
            show_default=False,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from where an interrupted run has stopped.")
    ] = False,
    edition: EditionOption = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
) -> None:
    """The answers to a file of positions, a line for each, in order.

    A bad position has its faults in its place; exit code 1 if there was one. With --json the
    summary is JSON.

    Example: [bold]pyengine batch states.jsonl -o verdicts.jsonl --workers 2[/bold]
    """
    with answering(lang, as_json, edition) as language:
        from pyengine import bulk

        told = language if lang is not None else "en"  # of answers, which are JSON
        options = bulk.Options(
            bulk.Asked(question, told, edition),
            states,
            output,
            scheduler,
            workers,
            resume,
            renew << 20,
        )
        title = say("answering", language)
        progress = partial(progress_bar, title=title)
        try:
            summary = bulk.batch(options, sys.stdin.buffer, _binary(), progress)
        except BrokenPipeError:
            raise UnreadError from None
        except bulk.Stopped as stop:
            tell(i18n.many("stopped", stop.lines, language, part=stop.part))
            raise stop.cause from None
        for kind in sorted(summary.incomplete):
            tell(say("incomplete", language, kind=kind))
        if as_json and output != "-":
            print_json(bulk.document(summary, output))
        elif output != "-":
            print_picture(_summary(summary, language))
        elif summary.bad or not summary.lines:  # else nothing is said of nothing
            tell(_summary(summary, language))
        if summary.bad:
            raise typer.Exit(1)


def _binary() -> IO[bytes]:
    """Standard output for bytes."""
    sys.stdout.flush()
    return sys.stdout.buffer


def _summary(summary: Summary, lang: Lang) -> str:
    """How many positions were answered."""
    told = i18n.many("answered", summary.lines, lang)
    if summary.resumed:
        told += say("resumed", lang, n=summary.resumed)
    if summary.bad:
        told += f"; {i18n.many('bad', summary.bad, lang, line=summary.first_bad)}"
    return told
