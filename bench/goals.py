"""What the engine is to be measured by: ratios to the plain model, games, the first answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from bench.measure import median, milliseconds
from bench.positions import shaken, table
from pyengine.documents import data_folder
from pyengine.engine import Engine
from pyengine.game import Bot, Game
from pyengine.model import State
from pyengine.vector import VectorGame
from tests.model import game as model

# however slow the machine is, the model counts no more for the full table
_MODEL = 0.9
_START = """
import sys
from pyengine import Engine, State
Engine().judge(State.load(sys.argv[1]))
"""


def full_table() -> dict[str, Any]:
    """The document of the full table among the sample positions."""
    return State.load(data_folder("facts") / "states" / "05-full-table.yaml").to_dict()


def tables() -> dict[str, Callable[[int], dict[str, Any]]]:
    """What is measured: by a number a document that no other number has."""

    def other_marks(document: dict[str, Any]) -> Callable[[int], dict[str, Any]]:
        return lambda number: shaken(document, number)

    return {
        "full table, other marks": other_marks(full_table()),
        "20 creatures, other marks": other_marks(table(20)),
        "14 creatures, other cards": lambda number: table(14, number),
        "20 creatures, other cards": lambda number: table(20, number),
    }


def ratios(judge: Engine) -> Iterator[Sequence[object]]:
    """Of each table the model's ms, then of each question its ms and how many times the model's.

    Of ``judge_many`` it is what a position of 64 takes. No position comes twice.
    """
    for name, document in tables().items():
        plain = min(_each(model.judge, document), _MODEL)
        row: list[object] = [name, plain]
        for question in (judge.judge, judge.legal_actions):
            took = _each(question, document)
            row += [took, took / plain]
        many = min(_together(judge, document, 100 + 64 * k) for k in range(3))
        yield [*row, many, many / plain]


def _each(
    work: Callable[[State], object], document: Callable[[int], dict[str, Any]], times: int = 25
) -> float:
    """The time in the middle, after a few that are not counted."""
    states = [State.from_dict(document(number)) for number in range(times + 5)]
    took = [milliseconds(lambda: work(state)) for state in states]  # noqa: B023
    return median(took[5:])


def _together(
    judge: Engine, document: Callable[[int], dict[str, Any]], first: int, number: int = 64
) -> float:
    states = [State.from_dict(document(first + n)) for n in range(number)]
    return milliseconds(lambda: list(judge.judge_many(states, batch=number))) / number


def games(judge: Engine, seeds: Iterable[int] = range(3, 8), most: int = 60) -> tuple[float, float]:
    """Actions and decisions a second in random games of the set, legal actions asked before each.

    A decision is an action or an option taken on the way. The first game is not counted.
    """
    actions = decisions = 0
    took = 0.0
    for place, seed in enumerate(seeds):
        game, bot = Game.deal(seed=seed, engine=judge), Bot(seed)
        start = bot.decisions
        spent = milliseconds(lambda: _played(game, bot, most))  # noqa: B023
        if place:
            actions += len(game.history)
            decisions += bot.decisions - start
            took += spent
    return 1000 * actions / took, 1000 * decisions / took


def _played(game: Game, bot: Bot, most: int) -> None:
    while game.result is None and len(game.history) < most:
        game.apply(bot.declare(game.legal_actions()), bot.choose)


def games_together(judge: Engine, width: int = 32, most: int = 40) -> float:
    """Actions a second of random games that are advanced together; a first round is not counted."""
    took = actions = 0.0
    for seed in range(2):
        both = VectorGame.deal(width, seed=seed, engine=judge)
        bots = [Bot(f"{seed}/{k}") for k in range(width)]
        spent, made = _advanced(both, bots, most)
        took, actions = spent, made
    return 1000 * actions / took


def _advanced(games: VectorGame, bots: list[Bot], most: int) -> tuple[float, int]:
    made = 0

    def play() -> None:
        nonlocal made
        for _ in range(most):
            choices = [
                bot.declare(actions) if actions else None
                for bot, actions in zip(bots, games.legal_actions(), strict=True)
            ]
            if not any(choices):
                return
            made += sum(each is not None for each in choices)
            games.step(choices, choose=lambda number, fork: bots[number].choose(fork))

    return milliseconds(play), made


def start_to_answer() -> float:
    """Ms of CPU of a process that starts, judges one position and ends; the least of five."""
    path = data_folder("facts") / "states" / "02-defenders.yaml"
    command = [sys.executable, "-c", _START, str(path)]
    return min(_child(command) for _ in range(5))


def _child(command: Sequence[str]) -> float:
    from resource import RUSAGE_CHILDREN, getrusage

    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = getrusage(RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
