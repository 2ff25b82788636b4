"""Arguments and options that several commands take."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Any

import typer

from pyengine.i18n import LANGUAGES
from pyengine.limits import Limits
from pyengine.model import EDITIONS

LIMITS = tuple(field.name for field in fields(Limits) if field.name != "seconds")
StateArgument = Annotated[
    str,
    typer.Argument(metavar="STATE", help="A state file, YAML or JSON; - is standard input."),
]
ActionArgument = Annotated[
    str,
    typer.Argument(metavar="ACTION", help="The action, such as 'attack(ork,gabriel)'."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
LangOption = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="en|ru",
        help="The language of the answer; else that of the locale (JSON: en).",
        autocompletion=lambda: list(LANGUAGES),
        show_default=False,
    ),
]


def _edition(told: str) -> Any:
    """`--edition`, which is told in other words where it does something else."""
    return typer.Option(
        "--edition",
        metavar="|".join(EDITIONS),
        help=told,
        autocompletion=lambda: list(EDITIONS),
        show_default=False,
    )


EditionOption = Annotated[str | None, _edition("Read it by the rules of this edition.")]
OnlyOption = Annotated[str | None, _edition("Leave out what is of other editions.")]
TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        help="The longest that the answer to a question may take; 30 unless told.",
        show_default=False,
    ),
]
RenewOption = Annotated[
    int,
    typer.Option(
        "--renew",
        metavar="MIB",
        min=0,
        max=1_000_000,
        help="A process that holds more MiB after an answer is replaced by a new one; 0: never.",
    ),
]
LimitOption = Annotated[
    list[str] | None,
    typer.Option(
        "--limit",
        metavar="NAME=N",
        help="Another limit: " + ", ".join(LIMITS) + ". Can be given several times.",
        autocompletion=lambda: [f"{name}=" for name in LIMITS],
        show_default=False,
    ),
]
PictureOption = Annotated[
    str | None,
    typer.Option(
        "--picture",
        metavar="FILE",
        help="Draw it too: .svg, .png, .pdf, or .dot. Needs pyengine[picture] and Graphviz.",
        show_default=False,
    ),
]
