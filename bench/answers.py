"""``python -m bench.answers FILE``: what the engine answers, all of it, to be compared with `cmp`.

A change that is meant to make the engine faster may change no byte of it: write the file before and
after. Asked are the positions of `facts/states` and of all rulings, in batches too, and whole
games.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pyengine import verify
from pyengine.documents import data_folder
from pyengine.engine import Engine
from pyengine.game import Bot, Game
from pyengine.model import Outcome, PyengineError, State, Verdict


def positions(editions: Sequence[str]) -> list[State]:
    """Every position of the states and the rulings, each once."""
    found = [State.load(path) for path in sorted((data_folder("facts") / "states").glob("*.yaml"))]
    for edition in editions:
        rulings = verify.load_rulings([data_folder("facts") / "rulings"], edition)
        found.extend(ruling.state for ruling in rulings)
    return list(dict.fromkeys(found))


def told(verdict: Verdict) -> list[Any]:
    """A verdict with all its reasons."""
    return [str(verdict.action), verdict.legal, [repr(reason) for reason in verdict.because]]


def ended(outcome: Outcome) -> list[Any]:
    """An outcome with its choices, its steps and the state it ends in."""
    path = [repr(each) for each in (*outcome.choices, *outcome.trace)]
    return [outcome.ways, path, outcome.state.to_dict()]


def tried(work: Callable[[], Any]) -> Any:
    """An answer, or the error in its place."""
    try:
        return work()
    except PyengineError as error:
        return f"{type(error).__name__}: {error}"


def answer(engine: Engine, number: int, state: State, whys: int = 3, resolved: int = 2) -> Any:
    """What the engine says of a position; the number says which of its actions are looked at."""
    verdicts = engine.judge(state)
    legal = [str(action) for action in engine.legal_actions(state)]
    asked = [verdict.action for verdict in verdicts]
    step = max(1, len(asked) // whys)
    whole = [
        repr(tried(lambda: engine.why(state, action)))  # noqa: B023
        for action in asked[number % step :: step][:whys]
    ]
    step = max(1, len(legal) // resolved)
    outcomes = [
        tried(lambda: [ended(each) for each in engine.resolve(state, action)])  # noqa: B023
        for action in legal[number % step :: step][:resolved]
    ]
    return [number, [told(verdict) for verdict in verdicts], legal, whole, outcomes]


def answers(engine: Engine, states: Sequence[State], whys: int, resolved: int) -> Iterator[Any]:
    """What the engine says of each position."""
    for number, state in enumerate(states):
        yield answer(engine, number, state, whys, resolved)
    for verdicts in engine.judge_many(states, batch=16):
        yield repr(verdicts) if isinstance(verdicts, PyengineError) else list(map(told, verdicts))


def games(engine: Engine, seeds: Sequence[int]) -> Iterator[Any]:
    """Whole games, action by action."""
    for seed in seeds:
        game, bot = Game.deal(seed=seed, engine=engine), Bot(seed)
        while game.result is None:
            actions = game.legal_actions()
            outcome = game.apply(bot.declare(actions), bot.choose)
            yield [seed, [str(action) for action in actions], ended(outcome)]


def main(argv: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.answers", description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--editions", nargs="*", default=["heroes", "heroes_2", "classic"])
    parser.add_argument("--every", type=int, default=1, help="only every so many-th position")
    parser.add_argument("--whys", type=int, default=3, help="how many explanations of each")
    parser.add_argument("--resolved", type=int, default=2, help="how many actions of each")
    parser.add_argument("--games", type=int, default=2, help="how many games")
    parser.add_argument("--functions", action="store_true", help="rules as functions")
    options = parser.parse_args(argv)
    engine = Engine(functions=options.functions)
    states = positions(options.editions)[:: options.every]
    with options.file.open("w", encoding="utf-8") as out:
        for each in answers(engine, states, options.whys, options.resolved):
            out.write(json.dumps(each, ensure_ascii=False) + "\n")
        for each in games(engine, range(options.games)):
            out.write(json.dumps(each, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
