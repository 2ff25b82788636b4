"""``serve``, ``schema``: for other programs."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from pyengine.cli.options import JsonOption, LangOption, LimitOption, RenewOption
from pyengine.cli.program import app
from pyengine.cli.reading import answering
from pyengine.cli.writing import no_extra, print_json
from pyengine.keeping import RENEW
from pyengine.limits import in_force
from pyengine.model import StateError


@app.command("serve")
def serve_command(
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="ADDRESS",
            help="Where it listens. 127.0.0.1: this machine alone asks. 0.0.0.0: so does everyone "
            "who reaches this machine, without a password and without encryption.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="0: one that is free.")
    ] = 8000,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            min=1,
            max=64,
            help="How many questions are answered at a time, each in a "
            "process of its own; left out: as many as there are processors.",
            show_default=False,
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0.1, max=3600, help="How long one question may take."),
    ] = 20.0,
    renew: RenewOption = RENEW >> 20,
    limit: LimitOption = None,
    lang: LangOption = None,
) -> None:
    """A local web page and an HTTP API over the judge, until Ctrl+C.

    Needs the extra pyengine[web].

    Example: [bold]pyengine serve --port 8000[/bold]
    """
    with answering(lang, False, limit=limit) as language:
        try:
            from pyengine.web import server
            from pyengine.web.pool import PoolLimits
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "pyengine":
                raise
            raise StateError([no_extra(error.name, "web", language)]) from None
        processes = PoolLimits(workers or os.cpu_count() or 1, seconds, renew=renew << 20)
        server.serve(host, port, processes, language, in_force())


@app.command("schema")
def schema_command(as_json: JsonOption = False, lang: LangOption = None) -> None:
    """The JSON Schema of a state document, for editors and other programs.

    Example: [bold]pyengine schema > state.schema.json[/bold]
    """
    with answering(lang, as_json):
        from pyengine.reading import state_schema

        print_json(state_schema())
