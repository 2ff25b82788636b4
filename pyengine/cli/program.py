"""The program: its commands are added by the modules beside this one."""

from __future__ import annotations

from typing import Annotated

import typer

from pyengine import helping
from pyengine.cli.options import LangOption
from pyengine.cli.writing import write

app = typer.Typer(
    name="pyengine",
    help="A rules judge for the card game Berserk: what is legal, why, and what comes of it.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(asked: bool) -> None:
    if asked:
        write(f"pyengine {version()}\n")
        raise typer.Exit(0)


@app.callback()
def _program(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", is_eager=True, callback=_print_version
        ),
    ] = False,
    lang: LangOption = None,
) -> None:
    if lang is not None:  # where the command is not told another
        context.default_map = {name: {"lang": lang} for name in helping.names(context.command)}


def version() -> str:
    """The version that is installed; a checkout that is not has none."""
    from importlib import metadata

    try:
        return metadata.version("pyengine")
    except metadata.PackageNotFoundError:
        return "0+source"
