"""``play``, ``replay``: whole games."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pyengine import explain, i18n
from pyengine.cli.options import JsonOption, LangOption, LimitOption, TimeOption
from pyengine.cli.program import app
from pyengine.cli.reading import answering, default_engine, nearest
from pyengine.cli.writing import plain, print_json, print_picture, progress_bar, write
from pyengine.i18n import Lang, say
from pyengine.model import StateError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from pyengine.game import Game


_LONGEST = 1000  # characters of a line that a person types


def _hero(name: str, told: str) -> Any:
    return typer.Option(
        name, metavar="HERO", help=told, autocompletion=lambda: _heroes(), show_default=False
    )


def _deck(name: str, told: str) -> Any:
    return typer.Option(name, metavar="FILE", help=told, show_default=False)


HeroOption = Annotated[str | None, _hero("--hero1", "The hero of p1; left out: chance.")]
Hero2Option = Annotated[str | None, _hero("--hero2", "The hero of p2; left out: chance.")]
DeckOption = Annotated[
    str | None, _deck("--deck1", "The deck of p1, YAML: kinds with their number of copies.")
]
Deck2Option = Annotated[str | None, _deck("--deck2", "The deck of p2.")]


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
    with answering(lang, as_json, edition, limit, time_limit) as language:
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
            engine = default_engine()
            ask = table.chosen(engine)
            game = games.Game.deal(seed, (hero1, hero2), decks, table.redeal, edition, engine, ask)
            file = None if log is None else gamelog.LogFile(Path(log), game)
            if not as_json:
                print_picture(_introduction(game, log, language))
            bar = len(bots) > 1 and not aloud
            with progress_bar(None, say("playing", language), bar) as progress:
                table.play(game, file, progress)
        except playing.Stop:
            ended = False
        if as_json and game is not None:
            print_json(gamelog.summary(game, log))
        else:
            print_picture(_conclusion(game, ended, language))


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
    with answering(lang, as_json, None, limit, time_limit) as language:
        from pyengine import gamelog

        written = gamelog.read(log)
        with progress_bar(len(written.entries), say("replaying", language)) as progress:
            done = gamelog.replay(written, default_engine(), progress)
        if as_json:
            print_json(gamelog.document(done, log))
        else:
            from pyengine import show

            print_picture(show.replay(done, language), wrap=False)
        if done.difference is not None:
            raise typer.Exit(1)


def _heroes() -> list[str]:
    from pyengine.game import heroes_of_set

    return list(heroes_of_set())


def _check_seats(kinds: dict[str, str], revealing: dict[str, bool], lang: Lang) -> None:
    """Who plays is a person or a bot; what shows both hands is for bots alone."""
    known = ("person", "bot")
    faults = [
        say("no_such_option", lang, option=f"--{player}", value=kind, known=", ".join(known))
        + nearest(kind, known, lang)
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
        print_picture(picture)

    def ask(self, prompt: str) -> str | None:
        """A line that a person types; None: there will be no more."""
        write(prompt)
        line = sys.stdin.readline(_LONGEST)
        if not line or not sys.stdin.isatty():
            write(f"{line.rstrip()}\n")  # nobody has seen it being typed
        return line or None

    def clear(self) -> None:
        """Takes away what was printed, also what has been scrolled out of sight."""
        if not plain():
            write("\x1b[2J\x1b[3J\x1b[H")


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
