"""``verify``: rulings and their answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from pyengine.cli.options import JsonOption, LangOption, LimitOption, OnlyOption, TimeOption
from pyengine.cli.program import app
from pyengine.cli.reading import answering, default_engine
from pyengine.cli.writing import print_json, print_picture, progress_bar
from pyengine.i18n import say
from pyengine.model import EDITIONS

if TYPE_CHECKING:
    from pyengine.verify import Ruling


@app.command("verify")
def verify_command(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Ruling files, and folders of them."),
    ],
    as_json: JsonOption = False,
    lang: LangOption = None,
    time_limit: TimeOption = None,
    limit: LimitOption = None,
    edition: OnlyOption = None,
    coverage: Annotated[
        bool,
        typer.Option(
            "--coverage",
            help="List the rules and the precedences that rulings exercised, and the others.",
        ),
    ] = False,
) -> None:
    """Run rulings and compare the answers with theirs. Exit code 1 if one fails.

    Example: [bold]pyengine verify facts/rulings --coverage[/bold]
    """
    with answering(lang, as_json, edition, limit, time_limit) as language:
        from pyengine import verify

        rulings = verify.load_rulings(paths, edition)
        with progress_bar(len(rulings), say("running", language)) as progress:
            report = verify.run_all(default_engine(), rulings, language, progress)
        covered = report.coverage(_rules_of(rulings, edition)) if coverage else None
        if as_json:
            print_json(verify.document(report, covered))
        else:
            from pyengine import show

            print_picture(show.report(report, covered, language), wrap=sys.stdout.isatty())
        if report.failed:
            raise typer.Exit(1)


def _rules_of(rulings: Sequence[Ruling], only: str | None) -> dict[str, list[str]]:
    """The rules of each edition that was run, save those that the engine does not judge by."""
    from pyengine.rulebook import rulebook

    run = {ruling.edition for ruling in rulings} | ({only} if only else set())
    return {
        edition: [
            id
            for id, rule in rulebook().items()
            if edition in rule.editions and rule.outside is None
        ]
        for edition in EDITIONS
        if edition in run
    }
