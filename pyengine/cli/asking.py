"""``legal``, ``why``, ``resolve``: a position and a declaration."""

from __future__ import annotations

from types import ModuleType
from typing import Annotated

import typer

from pyengine import explain
from pyengine.cli.options import (
    ActionArgument,
    EditionOption,
    JsonOption,
    LangOption,
    LimitOption,
    PictureOption,
    StateArgument,
    TimeOption,
)
from pyengine.cli.program import app
from pyengine.cli.reading import answering, default_engine, read_question, read_state
from pyengine.cli.writing import no_extra, print_json, print_picture, write
from pyengine.i18n import Lang, say
from pyengine.limits import question
from pyengine.model import IllegalAction, StateError


@app.command("legal")
def legal_command(
    state: StateArgument,
    as_json: JsonOption = False,
    lang: LangOption = None,
    time_limit: TimeOption = None,
    limit: LimitOption = None,
    edition: EditionOption = None,
    legal_only: Annotated[
        bool, typer.Option("--legal-only", help="Leave out what is illegal.")
    ] = False,
) -> None:
    """Every action that the player to decide could declare, with the verdict on it.

    Example: [bold]pyengine legal table.yaml --lang ru[/bold]
    """
    with answering(lang, as_json, edition, limit, time_limit) as language:
        with question():
            position = read_state(state, edition, language)
            verdicts = default_engine().judge(position)
        if legal_only:
            verdicts = [verdict for verdict in verdicts if verdict.legal]
        if as_json:
            print_json(explain.judged(position, verdicts, language))
        else:
            from pyengine import show

            print_picture(show.verdicts(position, verdicts, language, legal_only))


@app.command("why")
def why_command(
    state: StateArgument,
    action: ActionArgument,
    as_json: JsonOption = False,
    lang: LangOption = None,
    time_limit: TimeOption = None,
    limit: LimitOption = None,
    edition: EditionOption = None,
    picture: PictureOption = None,
) -> None:
    """Why an action is legal or illegal: the norms that decide, down to the facts.

    Exit code 1 if it is illegal.

    Example: [bold]pyengine why table.yaml 'attack(ork,gabriel)'[/bold]
    """
    with answering(lang, as_json, edition, limit, time_limit) as language:
        with question():
            position, declared = read_question(state, action, edition, language)
            explanation = default_engine().why(position, declared)
        if picture is not None:
            draw = _drawing(language)
            draw.save(draw.norms(position, explanation, language), picture, language)
        if as_json:
            print_json(explain.explained(position, explanation, language))
        else:
            from pyengine import show

            print_picture(show.explanation(position, explanation, language))
            _drawn(picture, language)
        if not explanation.verdict.legal:
            raise typer.Exit(1)


@app.command("resolve")
def resolve_command(
    state: StateArgument,
    action: ActionArgument,
    as_json: JsonOption = False,
    lang: LangOption = None,
    time_limit: TimeOption = None,
    limit: LimitOption = None,
    edition: EditionOption = None,
    picture: PictureOption = None,
) -> None:
    """All outcomes of an action, each with its choices, its steps and the state it ends in.

    Exit code 1 if the action is illegal.

    Example: [bold]pyengine resolve table.yaml 'attack(ork,gabriel)' --json[/bold]
    """
    with answering(lang, as_json, edition, limit, time_limit) as language:
        try:
            with question():
                position, declared = read_question(state, action, edition, language)
                outcomes = default_engine().resolve(position, declared)
        except IllegalAction as error:
            if as_json:
                print_json(explain.refused(position, error.verdict, language))
            else:
                from pyengine import show

                print_picture(show.refusal(position, error.verdict, language))
            raise typer.Exit(1) from None
        if picture is not None:
            draw = _drawing(language)
            draw.save(draw.outcomes(position, declared, outcomes, language), picture, language)
        if as_json:
            print_json(explain.resolved(position, declared, outcomes, language))
        else:
            from pyengine import show

            print_picture(show.outcomes(position, declared, outcomes, language))
            _drawn(picture, language)


def _drawing(lang: Lang) -> ModuleType:
    """The module that draws; StateError if what it needs is not installed."""
    try:
        from pyengine import picture
    except ModuleNotFoundError as error:
        if error.name != "graphviz":
            raise
        raise StateError([no_extra(error.name, "picture", lang)]) from None
    return picture


def _drawn(path: str | None, lang: Lang) -> None:
    if path is not None:
        write("\n" + say("drawn", lang, path=path) + "\n")
