"""The commands: they read the input, ask, and print the answer. No rule of the game is here.

Exit codes: 0 answered, 1 the answer is no, 2 bad input (every fault one line on stderr),
130 interrupted, 141 nobody reads the answer any more.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from pyengine import explain, helping, i18n, streams
from pyengine.faults import at, told
from pyengine.files import write_whole
from pyengine.i18n import LANGUAGES, Lang, say
from pyengine.limits import DEFAULT, Limits, in_force, using
from pyengine.model import (
    EDITIONS,
    Action,
    Card,
    IllegalAction,
    LimitError,
    PyengineError,
    State,
    StateError,
)
from pyengine.watch import INTERRUPTED, looked_on, speak

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pyengine.audit import Options
    from pyengine.bulk import Summary
    from pyengine.engine import Engine
    from pyengine.game import Game
    from pyengine.rulebook import Rule
    from pyengine.verify import Ruling

# typer does not name the base of its usage errors; it is the grandparent of BadParameter
_UsageError: Any = typer.BadParameter.__mro__[2]
_WIDTH = 80  # columns of text that goes to no terminal
_NARROWEST = 40  # columns, however narrow the terminal: a card and some words need them
_LONGEST = 1000  # characters of a line that a person types
_NEAR = 12  # rules that are named in place of one that there is not
_SLOW = 1.0  # seconds after which a run of rulings shows how far it is

LIMITS = tuple(field.name for field in fields(Limits) if field.name != "seconds")

app = typer.Typer(
    name="pyengine",
    help="A rules judge for the card game Berserk: what is legal, why, and what comes of it.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

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
EditionOption = Annotated[
    str | None,
    typer.Option(
        "--edition",
        metavar="|".join(EDITIONS),
        help="Read it by the rules of this edition.",
        autocompletion=lambda: list(EDITIONS),
        show_default=False,
    ),
]
OnlyOption = Annotated[
    str | None,
    typer.Option(
        "--edition",
        metavar="|".join(EDITIONS),
        help="Leave out what is of other editions.",
        autocompletion=lambda: list(EDITIONS),
        show_default=False,
    ),
]


TimeOption = Annotated[
    float | None,
    typer.Option(
        "--time-limit",
        metavar="SECONDS",
        help="The longest that the answer to a question may take; 30 unless told.",
        show_default=False,
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
HeroOption = Annotated[
    str | None,
    typer.Option(
        "--hero1",
        metavar="HERO",
        help="The hero of p1; left out: chance.",
        autocompletion=lambda: _heroes(),
        show_default=False,
    ),
]
Hero2Option = Annotated[
    str | None,
    typer.Option(
        "--hero2",
        metavar="HERO",
        help="The hero of p2; left out: chance.",
        autocompletion=lambda: _heroes(),
        show_default=False,
    ),
]
DeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck1",
        metavar="FILE",
        help="The deck of p1, YAML: kinds with their number of copies.",
        show_default=False,
    ),
]
Deck2Option = Annotated[
    str | None,
    typer.Option("--deck2", metavar="FILE", help="The deck of p2.", show_default=False),
]


# --- the commands --------------------------------------------------------------------------------


def _print_version(asked: bool) -> None:
    if asked:
        _write(f"pyengine {_version()}\n")
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
    with _answering(lang, as_json, edition, limit, time_limit) as language:
        position = _state(state, edition, language)
        verdicts = _engine().judge(position)
        if legal_only:
            verdicts = [verdict for verdict in verdicts if verdict.legal]
        if as_json:
            _json(explain.judged(position, verdicts, language))
        else:
            from pyengine import show

            _print(show.verdicts(position, verdicts, language, legal_only))


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
    with _answering(lang, as_json, edition, limit, time_limit) as language:
        position, declared = _question(state, action, edition, language)
        explanation = _engine().why(position, declared)
        if picture is not None:
            draw = _drawing(language)
            draw.save(draw.norms(position, explanation, language), picture, language)
        if as_json:
            _json(explain.explained(position, explanation, language))
        else:
            from pyengine import show

            _print(show.explanation(position, explanation, language))
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
    with _answering(lang, as_json, edition, limit, time_limit) as language:
        position, declared = _question(state, action, edition, language)
        try:
            outcomes = _engine().resolve(position, declared)
        except IllegalAction as error:
            if as_json:
                _json(explain.refused(position, error.verdict, language))
            else:
                from pyengine import show

                _print(show.refusal(position, error.verdict, language))
            raise typer.Exit(1) from None
        if picture is not None:
            draw = _drawing(language)
            draw.save(draw.outcomes(position, declared, outcomes, language), picture, language)
        if as_json:
            _json(explain.resolved(position, declared, outcomes, language))
        else:
            from pyengine import show

            _print(show.outcomes(position, declared, outcomes, language))
            _drawn(picture, language)


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
    with _answering(lang, as_json, edition, limit, time_limit) as language:
        from pyengine import verify

        rulings = verify.load_rulings(paths, edition)
        with _progress(len(rulings), say("running", language)) as progress:
            report = verify.run_all(_engine(), rulings, language, progress)
        covered = report.coverage(_rules_of(rulings, edition)) if coverage else None
        if as_json:
            _json(verify.document(report, covered))
        else:
            from pyengine import show

            _print(show.report(report, covered, language), wrap=sys.stdout.isatty())
        if report.failed:
            raise typer.Exit(1)


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
        str,
        typer.Option("--scope", metavar="cards=N,effects=N,numbers=N", help="How far to look."),
    ] = "",
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
            "--time-limit", metavar="SECONDS", help="Stop then.", min=0, show_default=False
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
    with _answering(lang, as_json) as language:
        from pyengine import audit
        from pyengine.audit import telling

        options = _options(
            edition, cards, sets, rules, compare, scope, fail_on, only, everything, time_limit
        )
        with _searching(language) as progress:
            report = audit.check(options, progress, jobs or os.cpu_count() or 1, scheduler)
        for error in report.errors:
            _tell(error)
        if sarif is not None:
            text = json.dumps(telling.sarif(report, language, _version()), ensure_ascii=False)
            write_whole(Path(sarif), text + "\n")
        if as_json:
            _json(telling.document(report, language))
        else:
            _print(telling.picture(report, language))
        if any(report.reaches(level) for level in audit.SEVERITIES if level == fail_on):
            raise typer.Exit(1)


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
        int, typer.Option("--workers", metavar="N", min=0, help="How many processes answer.")
    ] = 0,
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
    with _answering(lang, as_json, edition) as language:
        from pyengine import bulk

        told = language if lang is not None else "en"  # of answers, which are JSON
        options = bulk.Options(
            bulk.Asked(question, told, edition), states, output, scheduler, workers, resume
        )
        title = say("answering", language)
        progress = partial(_progress, title=title)
        try:
            summary = bulk.batch(options, sys.stdin.buffer, _binary(), progress)
        except BrokenPipeError:
            raise _UnreadError from None
        except bulk.Stopped as stop:
            _tell(i18n.many("stopped", stop.lines, language, part=stop.part))
            raise stop.cause from None
        for kind in sorted(summary.incomplete):
            _tell(say("incomplete", language, kind=kind))
        if as_json and output != "-":
            _json(bulk.document(summary, output))
        elif output != "-":
            _print(_summary(summary, language))
        elif summary.bad:
            _tell(_summary(summary, language))
        if summary.bad:
            raise typer.Exit(1)


@app.command("rules")
def rules_command(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="A rule, such as 509.3; left out: the list of all.",
            autocompletion=lambda: _rule_ids(),
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
    edition: OnlyOption = None,
) -> None:
    """The rulebook: all rules, or one with its reading, its encoding and its rulings.

    Example: [bold]pyengine rules 509.3[/bold]
    """
    with _answering(lang, as_json, edition) as language:
        from pyengine.rulebook import rulebook

        book = rulebook()
        if rule is not None and rule not in book:
            raise StateError(
                [say("no_such_rule", language, rule=rule) + _near(rule, book, language)]
            )
        chosen = [
            entry
            for entry in (book.values() if rule is None else [book[rule]])
            if edition is None or entry.judges(edition)
        ]
        if rule is not None and not chosen:
            known = ", ".join(book[rule].editions)
            raise StateError([say("not_in_edition", language, rule=rule, known=known)])
        if as_json:
            traces = explain.Traces.load()
            entries = [explain.entry(item, traces) for item in chosen]
            _json({"rules": entries} if rule is None else entries[0])
            return
        from pyengine import show

        if rule is None:
            _print(show.entries(chosen, language))
        else:
            _print(show.entry(chosen[0], explain.Traces.load(), language))


@app.command("show")
def show_command(
    state: StateArgument,
    card: Annotated[
        str | None,
        typer.Option(
            "--card",
            metavar="NAME",
            help="One card, by its id or name, and what its abilities mean.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
    limit: LimitOption = None,
) -> None:
    """The table as a picture; with --json the whole state, no default left out.

    Example: [bold]pyengine show table.yaml[/bold]
    """
    with _answering(lang, as_json, None, limit) as language:
        position = _state(state, None, language)
        chosen = None if card is None else _card(position, card, language)
        values = None if chosen is None else _engine().values(position, chosen.id)
        if as_json:
            whole = explain.whole(position)
            if chosen is not None and values is not None:
                card_ = whole["cards"][chosen.id] | {"in_force": explain.plain_record(values)}
                whole = {chosen.id: card_}
            _json(whole)
        else:
            from pyengine import show

            _print(
                show.table(position, language)
                if chosen is None
                else show.card_whole(position, chosen, language, values)
            )


@app.command("play")
def play_command(
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="What chance depends on; left out: any.", show_default=False),
    ] = None,
    hero1: HeroOption = None,
    hero2: Hero2Option = None,
    deck1: DeckOption = None,
    deck2: Deck2Option = None,
    p1: Annotated[str, typer.Option("--p1", metavar="person|bot", help="Who plays p1.")] = "person",
    p2: Annotated[str, typer.Option("--p2", metavar="person|bot", help="Who plays p2.")] = "bot",
    edition: Annotated[
        str,
        typer.Option("--edition", metavar="heroes|heroes_2", help="The rules to play by."),
    ] = "heroes",
    log: Annotated[
        str | None,
        typer.Option("--log", metavar="FILE", help="Write the game to it.", show_default=False),
    ] = None,
    aloud: Annotated[
        bool, typer.Option("--show", help="Tell each action and table of a game of two bots.")
    ] = False,
    as_json: JsonOption = False,
    lang: LangOption = None,
    time_limit: TimeOption = None,
    limit: LimitOption = None,
) -> None:
    """Deal a whole game of the teaching set and play it: people and bots at one terminal.

    A bot does anything that is legal. The same seed gives the same game.

    Example: [bold]pyengine play --hero1 snirk --p2 bot --seed 7 --log game.jsonl[/bold]
    """
    with _answering(lang, as_json, edition, limit, time_limit) as language:
        from pyengine import game as games
        from pyengine import gamelog, playing

        kinds = dict(zip(games.PLAYERS, (p1, p2), strict=True))
        _check_seats(kinds, {"--show": aloud, "--json": as_json}, language)
        if seed is None:
            seed = random.SystemRandom().randrange(1_000_000)
        bots = {player: games.Bot(f"{seed}/{player}") for player in kinds if kinds[player] == "bot"}
        decks = _decks((deck1, deck2))
        table = playing.Table(_Here(), language, bots, aloud and not as_json)
        ended = True
        game = None
        try:
            game = games.Game.deal(seed, (hero1, hero2), decks, table.redeal, edition, _engine())
            file = None if log is None else gamelog.LogFile(Path(log), game)
            if not as_json:
                _print(_introduction(game, log, language))
            bar = len(bots) > 1 and not aloud
            with _progress(None, say("playing", language), bar) as progress:
                table.play(game, file, progress)
        except playing.Stop:
            ended = False
        if as_json and game is not None:
            _json(gamelog.summary(game, log))
        else:
            _print(_conclusion(game, ended, language))


@app.command("replay")
def replay_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The file that a game was written to.")],
    as_json: JsonOption = False,
    lang: LangOption = None,
    time_limit: TimeOption = None,
    limit: LimitOption = None,
) -> None:
    """Play a game again from its log, and compare each position with it.

    Exit code 1 at the first difference.

    Example: [bold]pyengine replay game.jsonl[/bold]
    """
    with _answering(lang, as_json, None, limit, time_limit) as language:
        from pyengine import gamelog

        written = gamelog.read(log)
        with _progress(len(written.entries), say("replaying", language)) as progress:
            done = gamelog.replay(written, _engine(), progress)
        if as_json:
            _json(gamelog.document(done, log))
        else:
            from pyengine import show

            _print(show.replay(done, language), wrap=False)
        if done.difference is not None:
            raise typer.Exit(1)


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
    limit: LimitOption = None,
    lang: LangOption = None,
) -> None:
    """A local web page and an HTTP API over the judge, until Ctrl+C.

    Needs the extra pyengine[web].

    Example: [bold]pyengine serve --port 8000[/bold]
    """
    with _answering(lang, False, limit=limit) as language:
        try:
            from pyengine.web import server
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "pyengine":
                raise
            raise StateError([_no_extra(error.name, "web", language)]) from None
        server.serve(host, port, workers or os.cpu_count() or 1, seconds, language, in_force())


@app.command("schema")
def schema_command(as_json: JsonOption = False, lang: LangOption = None) -> None:
    """The JSON Schema of a state document, for editors and other programs.

    Example: [bold]pyengine schema > state.schema.json[/bold]
    """
    with _answering(lang, as_json):
        from pyengine.reading import state_schema

        _json(state_schema())


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


# --- input ---------------------------------------------------------------------------------------


def _engine() -> Engine:
    from pyengine.engine import Engine

    return Engine()


@contextmanager
def _answering(
    lang: str | None,
    as_json: bool,
    edition: str | None = None,
    limit: Sequence[str] | None = None,
    time_limit: float | None = None,
) -> Iterator[Lang]:
    """Gives the language of the answer, and turns errors into fault lines and exit code 2."""
    # JSON is English unless a language is asked for
    language: Lang = "en" if as_json else i18n.language(os.environ)
    faults = []
    if lang is not None:
        found = [known for known in LANGUAGES if known == lang]
        language = found[0] if found else language
        if not found:
            known = ", ".join(LANGUAGES)
            faults.append(say("no_such_option", language, option="--lang", value=lang, known=known))
    if edition is not None and edition not in EDITIONS:
        known = ", ".join(EDITIONS)
        fault = say("no_such_option", language, option="--edition", value=edition, known=known)
        faults.append(fault + _nearest(edition, EDITIONS, language))
    speak(language)
    limits = _limits(limit or (), time_limit, faults, language)
    if faults:
        _fail(faults)
    try:
        with using(limits):
            yield language
    except StateError as error:
        _fail([told(fault, language) for fault in error.faults])
    except LimitError as error:
        _fail([say("too_large", language, message=told(error.message, language))])
    except PyengineError as error:
        _fail(told(error.args[0] if error.args else error, language).splitlines())
    except (typer.Exit, _UnreadError):
        raise
    except OSError as error:
        if error.filename is None:
            streams.silence(sys.stdout)
        _fail([streams.failed(error, language)])
    except Exception as error:
        if os.environ.get("PYENGINE_TRACEBACK"):
            raise
        message = f"{type(error).__name__}: {error}".splitlines()[0]
        _fail([say("internal", language, message=message)])


def _drawing(lang: Lang) -> ModuleType:
    """The module that draws; StateError if what it needs is not installed."""
    try:
        from pyengine import picture
    except ModuleNotFoundError as error:
        if error.name != "graphviz":
            raise
        raise StateError([_no_extra(error.name, "picture", lang)]) from None
    return picture


def _drawn(path: str | None, lang: Lang) -> None:
    if path is not None:
        _write("\n" + say("drawn", lang, path=path) + "\n")


def _no_extra(package: object, extra: str, lang: Lang) -> str:
    command = f"pip install 'pyengine[{extra}]'"
    return say("no_extra", lang, name=package, command=command)


def _limits(named: Sequence[str], seconds: float | None, faults: list[str], lang: Lang) -> Limits:
    """The limits that are asked for; what is wrong with them is added to the faults."""
    limits = DEFAULT
    if seconds is not None:
        if seconds > 0:  # not where it is no number
            limits = replace(limits, seconds=seconds)
        else:
            faults.append(say("no_seconds", lang, value=seconds))
    for text in named:
        name, _, number = text.partition("=")
        if name not in LIMITS:
            known = ", ".join(LIMITS)
            fault = say("no_such_option", lang, option="--limit", value=name, known=known)
            faults.append(fault + _nearest(name, LIMITS, lang))
        elif re.fullmatch("[0-9]{1,12}", number) and int(number):
            changed: dict[str, Any] = {name: int(number)}
            limits = replace(limits, **changed)
        else:
            faults.append(say("no_limit", lang, name=name, value=number))
    return limits


def _nearest(word: str, known: Iterable[str], lang: Lang) -> str:
    from pyengine.documents import hint

    return told(hint(word, known), lang)


def _state(path: str, edition: str | None, lang: Lang) -> State:
    """The state of a file (`-`: of standard input), read by another edition if one is named."""
    if path == "-":
        from pyengine.reading import state_from_text

        state = state_from_text(sys.stdin.buffer.read(in_force().bytes + 1))
    else:
        state = State.load(path)
    if edition is not None and edition != state.edition:
        state = State.from_dict({**state.to_dict(), "edition": edition})
    _warn(state, lang)
    return state


def _warn(state: State, lang: Lang) -> None:
    """Name the cards whose abilities the engine cannot state yet: they are judged without them."""
    kinds = sorted({card.kind for card in state.cards if card.kind is not None})
    if not kinds:
        return
    from pyengine.kinds import catalogue

    for kind in kinds:
        if kind in catalogue() and catalogue()[kind].waits_for:
            _tell(say("incomplete", lang, kind=kind))


def _question(path: str, action: str, edition: str | None, lang: Lang) -> tuple[State, Action]:
    """The state and the action; the faults of both at once."""
    faults: list[str] = []
    state = declared = None
    try:
        state = _state(path, edition, lang)
    except StateError as error:
        faults += error.faults
    try:
        declared = Action.parse(action)
    except StateError as error:
        faults += error.faults
    if state is None or declared is None:
        raise StateError(faults)
    return state, declared


def _card(state: State, name: str, lang: Lang) -> Card:
    """The first card of that id or name; StateError with a near id if there is none."""
    found = [card for card in state.cards if explain.called(card, name)]
    if not found:
        near = _nearest(name, [card.id for card in state.cards], lang)
        raise StateError([say("no_such_card_here", lang, name=name) + near])
    return found[0]


def _options(
    edition: str,
    cards: str | None,
    sets: Sequence[int] | None,
    rules: str | None,
    compare: tuple[str, str] | None,
    scope: str,
    fail_on: str,
    only: Sequence[str] | None,
    everything: bool,
    time_limit: float | None,
) -> Options:
    """What a check was asked for; the faults of all options at once."""
    from pyengine import audit

    faults: list[str] = []
    limits = audit.Scope()
    if scope:
        try:
            limits = audit.Scope.parse(scope)
        except StateError as error:
            faults += error.faults
    if fail_on not in audit.SEVERITIES:
        known = ", ".join(audit.SEVERITIES)
        faults.append(at("fail-on", "not_one_of", value=repr(fail_on), known=known))
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
    )
    faults += audit.faults(options)
    if faults:
        raise StateError(faults)
    return options


def _heroes() -> list[str]:
    from pyengine.game import heroes_of_set

    return list(heroes_of_set())


def _check_seats(kinds: dict[str, str], revealing: dict[str, bool], lang: Lang) -> None:
    """Who plays is a person or a bot; what shows both hands is for bots alone."""
    known = ("person", "bot")
    faults = [
        say("no_such_option", lang, option=f"--{player}", value=kind, known=", ".join(known))
        + _nearest(kind, known, lang)
        for player, kind in kinds.items()
        if kind not in known
    ]
    if "person" in kinds.values():
        faults += [
            say("two_bots", lang, option=option) for option, asked in revealing.items() if asked
        ]
    if faults:
        raise StateError(faults)


def _decks(paths: Sequence[str | None]) -> list[dict[str, int] | None]:
    """The decks of files; the faults of all of them at once."""
    from pyengine.game import load_deck

    faults: list[str] = []
    decks: list[dict[str, int] | None] = []
    for path in paths:
        try:
            decks.append(None if path is None else load_deck(path))
        except StateError as error:
            faults += error.faults
    if faults:
        raise StateError(faults)
    return decks


class _Here:
    """This terminal, as a place for people to play at."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")

    def tell(self, picture: RenderableType) -> None:
        """Prints something."""
        _print(picture)

    def ask(self, prompt: str) -> str | None:
        """A line that a person types; None: there will be no more."""
        _write(prompt)
        line = sys.stdin.readline(_LONGEST)
        if not line or not sys.stdin.isatty():
            _write(f"{line.rstrip()}\n")  # nobody has seen it being typed
        return line or None

    def clear(self) -> None:
        """Takes away what was printed, also what has been scrolled out of sight."""
        if not _plain():
            _write("\x1b[2J\x1b[3J\x1b[H")


# --- output --------------------------------------------------------------------------------------


class _UnreadError(Exception):
    """Nobody reads standard output any more. (typer would end a BrokenPipeError with 1.)"""


def _write(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise _UnreadError from None


def _json(answer: Any) -> None:
    _write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")


def _print(picture: RenderableType, wrap: bool = True) -> None:
    """Prints for a person: with colours on a terminal that wants them, else plain text."""
    from rich.console import Console

    text = io.StringIO()
    if _plain():
        # rich would ask the terminal behind another stream for its width: the same bytes always
        width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else _WIDTH
        console = Console(
            file=text, width=width, color_system=None, force_terminal=False, highlight=False
        )
    else:
        console = Console(file=sys.stdout, highlight=False)
    console.width = max(console.width, _NARROWEST)
    console.print(picture, soft_wrap=not wrap)
    _write("".join(f"{line.rstrip()}\n" for line in text.getvalue().splitlines()))


def _plain() -> bool:
    """Whether colour codes are unwelcome: no terminal, a dumb one, or NO_COLOR is set."""
    dumb = os.environ.get("TERM", "").lower() in ("dumb", "unknown")
    return not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR")) or dumb


def _fail(faults: Sequence[str]) -> NoReturn:
    """Prints every fault on a line of its own and ends: bad input, nothing was computed."""
    for fault in faults:
        _tell(fault)
    raise typer.Exit(2)


def _tell(fault: str) -> None:
    """One line on stderr, whatever a name in it holds."""
    line = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in fault)
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        streams.silence(sys.stderr)  # nobody can be told


def _introduction(game: Game, log: str | None, lang: Lang) -> str:
    """Who plays, and where it is written."""
    heroes = {
        card.owner: explain.label(card, lang)
        for card in game.start.cards
        if card.type == "hero" and card.zone == "play"
    }
    one, two = heroes.items()
    told = say("meets", lang, p1=one[0], hero1=one[1], p2=two[0], hero2=two[1], seed=game.seed)
    return told if log is None else f"{told} {say('logged', lang, path=log)}"


def _conclusion(game: Game | None, ended: bool, lang: Lang) -> str:
    """How it ended, or that it did not."""
    if game is None:
        return say("unbegun", lang)
    turn = say("turn", lang, n=game.state.turn)
    actions = i18n.many("actions", len(game.history), lang)
    if not ended or game.result is None:
        return say("unended", lang, turn=turn, actions=actions)
    draw = game.result == "draw"
    end = say("draw", lang) if draw else say("won", lang, player=game.result)
    return say("ended", lang, end=end, turn=turn, actions=actions)


@contextmanager
def _progress(
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


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("pyengine")
    except metadata.PackageNotFoundError:
        return "0+source"


# --- the rulebook --------------------------------------------------------------------------------


def _rule_ids() -> list[str]:
    from pyengine.rulebook import rulebook

    return list(rulebook())


def _near(word: str, book: Mapping[str, Rule], lang: Lang) -> str:
    """The rules that begin with a word or that speak of it, else the one that is like it."""
    low = word.lower()
    found = [id for id in book if id.lower().startswith(low)]
    found += [
        id
        for id, rule in book.items()
        if low and id not in found
        if low in id.lower() or any(low in title.lower() for title in rule.title)
    ]
    if not found:
        return _nearest(word, book, lang)
    more = ", …" if len(found) > _NEAR else ""
    return say("near_rules", lang, rules=", ".join(found[:_NEAR]) + more)


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


# --- the program ---------------------------------------------------------------------------------


def main(args: Sequence[str] | None = None) -> int:
    """Runs a command line and gives its exit code."""
    streams.prepare()
    words = list(sys.argv[1:] if args is None else args)
    lang = helping.spoken(words, os.environ)
    try:
        with looked_on():
            code = helping.command(app, lang).main(
                args=words, prog_name="pyengine", standalone_mode=False
            )
        return code if isinstance(code, int) else 0
    except typer.Exit as exit:
        return exit.exit_code
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except _UsageError as error:
        command = error.ctx.command_path if error.ctx else "pyengine"
        message = helping.complaint(error.format_message(), lang)
        if message:  # none where the help has been printed instead
            _tell(say("usage", lang, command=command, message=message))
        return 2
    except _UnreadError:
        streams.silence(sys.stdout)
        return 141
    except OSError as error:  # met by what prints the help
        streams.silence(sys.stdout)
        _tell(streams.failed(error, i18n.language(os.environ)))
        return 2
