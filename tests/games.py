"""``python -m tests.games --count N --seed S --jobs J``: random games, each position examined.

Two bots play whole games of the teaching set. After each action the position must be in order
(`faults`); of some positions every legal action is resolved, and what the game did must be among
the outcomes. A game that fails is saved: its log up to there, and the position before the action.
"""

from __future__ import annotations

import argparse
import re
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from pyengine import Engine, State
from pyengine.game import PLAYERS, Bot, Game
from pyengine.gamelog import lines, parse, replay
from pyengine.kinds import catalogue
from pyengine.model import Action, Card, Fork, Outcome
from pyengine.vector import VectorGame

MOST = 5000  # actions of a game


# --- what must hold of a position ----------------------------------------------------------------


def faults(before: State, state: State) -> Iterator[str]:
    """What is wrong with a position that came of another."""
    if State.from_dict(state.to_dict()) != state:
        yield "it does not come back the same from its document"
    ids = [card.id for card in state.cards]
    old = {card.id: card for card in before.cards}
    if len(set(ids)) != len(ids):
        yield "an id is there twice"
    yield from (f"{id} is lost" for id in old.keys() - set(ids))
    for card in state.cards:
        if card.id in old:
            yield from _changed(old[card.id], card)
        elif card.kind is None or not catalogue()[card.kind].created:
            yield f"{card.id} comes from nowhere"
        yield from _marked(card)
    for player, has in state.players:
        if not 0 <= has.coins <= has.coins_total:
            yield f"{player} has {has.coins} of {has.coins_total} coins open"
        heroes = [c for c in state.cards if c.type == "hero" and c.owner == player]
        if state.result is None and [c.zone for c in heroes] != ["play"]:
            yield f"{player} has no hero in play, and the game goes on"
    yield from _dangling(state)
    if state.result is None and state.phase != "main":
        yield f"a player decides in the phase {state.phase}"
    if state.turn < before.turn:
        yield "the turn goes back"


def _changed(old: Card, new: Card) -> Iterator[str]:
    for key in ("kind", "name", "type", "classes", "element", "cost", "strike", "life", "owner"):
        if getattr(old, key) != getattr(new, key):
            yield f"{new.id}.{key} changes from {getattr(old, key)} to {getattr(new, key)}"
    if old.abilities != new.abilities:
        yield f"{new.id} prints other abilities"


def _marked(card: Card) -> Iterator[str]:
    if card.zone == "play":
        return
    if card.controller != card.owner:
        yield f"{card.id} is in the {card.zone} of {card.owner} under {card.controller}"
    for mark in (
        "wounds",
        "extra_life",
        "closed",
        "acted",
        "attacked",
        "defended",
        "entered",
        "since",
        "spent",
    ):
        if getattr(card, mark):
            yield f"{card.id} in the {card.zone} has {mark} {getattr(card, mark)}"


def _dangling(state: State) -> Iterator[str]:
    cards = {card.id: card for card in state.cards}
    for effect in state.effects:
        if cards[effect.card].zone != "play":
            yield f"{effect.ability} lies on {effect.card} in the {cards[effect.card].zone}"
    moments = [c.since for c in state.cards if c.zone == "play" and c.since]
    if len(set(moments)) != len(moments):
        yield "two cards came at the same moment"
    if state.pending is not None and state.result is None:
        for id in (state.pending.attacker, state.pending.target):
            if cards[id].zone != "play":
                yield f"{id} of the announced attack is in the {cards[id].zone}"
        if state.pending.defender is not None:
            yield "an attack with a defender is not carried out"


def untold(outcome: Outcome) -> Iterator[str]:
    """Steps that are about nothing that is there."""
    state = outcome.state
    there = {card.id for card in state.cards} | {id for id, _ in state.players}
    for step in outcome.trace:
        if step.by is not None and step.by not in there:
            yield f"a step {step.step} by {step.by}"
        if step.what not in there and not re.match(r"[a-z_]+\(", step.what):
            yield f"a step {step.step} about {step.what}"


def secrets(state: State, player: str) -> Iterator[str]:
    """What a player sees that is not to be seen, and what is wrong with the rest."""
    seen = state.observed_by(player)
    if State.from_dict(seen.to_dict()) != seen:
        yield f"what {player} sees does not come back the same from its document"
    if seen.observed_by(player) != seen:
        yield f"what {player} sees is seen otherwise"
    text = seen.to_json()
    hidden = [
        card
        for card in state.cards
        if card.zone == "deck" or (card.zone == "hand" and card.owner != player)
    ]
    yield from (f"{player} sees {card.id}" for card in hidden if f'"{card.id}"' in text)
    for zone in ("hand", "deck", "play", "graveyard", "reserve"):
        for owner, _ in state.players:
            here, there = (
                sum((card.zone, card.owner) == (zone, owner) for card in one.cards)
                for one in (state, seen)
            )
            if here != there:
                yield f"{player} sees {there} cards in the {zone} of {owner}, not {here}"
    # another order of what is hidden looks the same
    turned = [*reversed([c for c in state.cards if c in hidden])]
    swapped = State(
        **{
            **{name: getattr(state, name) for name in State.__slots__},
            "cards": (*turned, *(c for c in reversed(state.cards) if c not in hidden)),
        }
    )
    if swapped.observed_by(player) != seen:
        yield f"{player} sees an order"


# --- a game --------------------------------------------------------------------------------------


@dataclass(slots=True)
class Report:
    """What came of a game."""

    seed: int
    game: Game | None = None
    faults: list[str] = field(default_factory=list)
    action: Action | None = None
    actions: int = 0
    result: str | None = None
    state: State | None = None
    resolved: int = 0
    forks: Counter[str] = field(default_factory=Counter)
    took: float = 0.0


@cache
def engine() -> Engine:
    """One a process."""
    return Engine()


def play(seed: int, sample: int = 40, most: int = MOST, edition: str = "heroes") -> Report:
    """A game of two bots, up to its end, its first fault or so many actions.

    Every ``sample``-th position is looked at more closely; 0: none is.
    """
    report = Report(seed)
    began = time.perf_counter()
    try:
        _play(report, sample, most, edition)
    except Exception:
        report.faults.append(traceback.format_exc())
    report.took = time.perf_counter() - began
    if report.game is not None:
        report.state = report.game.state
        report.actions, report.result = len(report.game.history), report.state.result
    return report


def _play(report: Report, sample: int, most: int, edition: str) -> None:
    bots = {player: Bot(f"{report.seed}/{player}") for player in PLAYERS}

    def redeal(state: State, player: str) -> list[str]:
        hand = [c.id for c in state.cards if c.zone == "hand" and c.owner == player]
        return bots[player].redeal(hand)

    def choose(fork: Fork) -> int:
        report.forks[f"{fork.rule} {fork.options[0].partition('(')[0]}"] += 1
        return bots[str(fork.player)].choose(fork)

    report.game = game = Game.deal(report.seed, redeal=redeal, edition=edition, engine=engine())
    report.faults += faults(game.state, game.state)
    while (player := game.to_move) is not None and len(game.history) < most:
        before, closely = game.state, sample and len(game.history) % sample == report.seed % sample
        legal = game.legal_actions()
        if not legal:
            report.faults.append(f"{player} is to decide and can declare nothing")
        if closely:
            report.faults += _closely(report, before, player, legal)
        if report.faults:
            return
        report.action = bots[player].declare(legal)
        outcome = game.apply(report.action, choose)
        report.faults += [*faults(before, outcome.state), *untold(outcome)]
        if closely and outcome.state not in {
            o.state for o in engine().resolve(before, report.action)
        }:
            report.faults.append("what came of it is none of its outcomes")
        if report.faults:
            return
        report.action = None
    done = replay(parse("".join(lines(game))), engine()) if sample else None
    if done is not None and done.difference is not None:
        report.faults.append(f"the log cannot be replayed: {done.difference}")


def _closely(report: Report, state: State, player: str, legal: list[Action]) -> Iterator[str]:
    for id in PLAYERS:
        yield from secrets(state, id)
    if engine().legal_actions(state.observed_by(player)) != legal:
        yield f"what {player} sees lets {player} declare something else"
    for action in legal:
        report.action = action
        outcomes = engine().resolve(state, action)
        report.resolved += 1
        if not outcomes:
            yield f"{action} has no outcome"
        for outcome in outcomes:
            yield from (f"{action}: {fault}" for fault in faults(state, outcome.state))
    report.action = None


# --- games advanced together ---------------------------------------------------------------------


def play_together(
    seeds: Sequence[int], width: int, edition: str = "heroes", most: int = MOST
) -> Iterator[Report]:
    """The games that ``play`` plays, so many at a time, in the order in which they end.

    No position is looked at more closely, and nothing is replayed: whoever wants that of a game
    that failed plays it alone.
    """
    waiting = iter(seeds)
    seats = [_seated(seed, edition) for seed in islice(waiting, width)]
    games = VectorGame([seat.start for seat in seats], [s.report.seed for s in seats], engine())
    while any(not seat.over for seat in seats):
        before, legal = games.states, games.legal_actions()
        actions: list[Action | None] = []
        for seat, player, listed in zip(seats, games.to_move, legal, strict=True):
            if not seat.over and not listed:
                seat.report.faults.append(f"{player} is to decide and can declare nothing")
            seat.over = seat.over or not listed
            actions.append(None if seat.over else seat.bots[str(player)].declare(listed))
            seat.report.action = actions[-1]
        games.step(actions, lambda number, fork: seats[number].choose(fork))
        for number, (old, new) in enumerate(zip(before, games.states, strict=True)):
            seat = seats[number]
            if actions[number] is not None:
                seat.report.actions += 1
                seat.report.faults += faults(old, new)
            if seat.report.faults or new.result or seat.report.actions >= most:
                seat.over = True
            if seat.over and not seat.told:
                seat.report.state, seat.report.result, seat.told = new, new.result, True
                yield seat.report
                if (seed := next(waiting, None)) is not None:
                    seats[number] = _seated(seed, edition)
                    games.begin(number, seats[number].start, seed)


@dataclass(slots=True)
class _Seat:
    report: Report
    bots: dict[str, Bot]
    start: State
    over: bool = False
    told: bool = False

    def choose(self, fork: Fork) -> int:
        self.report.forks[f"{fork.rule} {fork.options[0].partition('(')[0]}"] += 1
        return self.bots[str(fork.player)].choose(fork)


def _seated(seed: int, edition: str) -> _Seat:
    bots = {player: Bot(f"{seed}/{player}") for player in PLAYERS}

    def redeal(state: State, player: str) -> list[str]:
        hand = [c.id for c in state.cards if c.zone == "hand" and c.owner == player]
        return bots[player].redeal(hand)

    start = Game.deal(seed, redeal=redeal, edition=edition, engine=engine()).state
    return _Seat(Report(seed, faults=[*faults(start, start)]), bots, start)


# --- many games ----------------------------------------------------------------------------------


def save(report: Report, folder: Path) -> Path:
    """Files of a game that failed: the log, and the position with what is wrong with it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"game-{report.seed}.yaml"
    if report.game is not None:
        path.with_suffix(".jsonl").write_text("".join(lines(report.game)), encoding="utf-8")
        history = report.game.history
        told = "".join(f"# {line}\n" for line in "\n".join(report.faults).splitlines())
        state = report.game.state
        if report.action is not None and history and history[-1].action is report.action:
            state = history[-2].outcome.state if len(history) > 1 else report.game.start
        told += "" if report.action is None else f"# action: {report.action}\n"
        path.write_text(told + state.to_yaml(), encoding="utf-8")
    return path


def main(argv: list[str] | None = None) -> int:
    """The command; 0: all games were in order."""
    parser = argparse.ArgumentParser(prog="python -m tests.games", description=__doc__)
    parser.add_argument("--count", type=int, default=10, help="how many games")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--sample", type=int, default=40, help="look closely at every so many-th")
    parser.add_argument(
        "--together",
        type=int,
        default=0,
        help="so many games at a time, in one process; no --sample",
    )
    parser.add_argument("--edition", default="heroes", help="heroes or heroes_2")
    parser.add_argument("--save", type=Path, default=Path("failed_games"), help="where to save")
    parser.add_argument("--stop", type=int, default=20, help="stop after so many that failed")
    options = parser.parse_args(argv)
    seeds = range(options.seed, options.seed + options.count)
    results, forks = Counter[str](), Counter[str]()
    failed = actions = resolved = 0
    began = time.perf_counter()
    for report in _reports(options, seeds):
        actions += report.actions
        resolved += report.resolved
        forks += report.forks
        if report.faults:
            failed += 1
            print(f"-- game {report.seed}: {report.action}", *report.faults, sep="\n   ")
            if report.game is not None:
                print(f"   saved: {save(report, options.save)}", flush=True)
        else:
            results[str(report.result)] += 1
        done = failed + sum(results.values())
        if done % 25 == 0:
            took = time.perf_counter() - began
            print(f"{done} of {options.count} games after {took:.0f} s", flush=True)
        if failed >= options.stop:
            break
    took = time.perf_counter() - began
    print(
        f"{sum(results.values())} games in order {dict(results)}, {failed} failed: {actions} ",
        end="",
    )
    print(f"actions, {resolved} resolved besides, in {took:.0f} s; forks: {dict(forks)}")
    return 1 if failed else 0


def _reports(options: argparse.Namespace, seeds: Sequence[int]) -> Iterator[Report]:
    if options.together:
        yield from play_together(seeds, options.together, options.edition)
        return
    work = [(seed, options.sample, MOST, options.edition) for seed in seeds]
    with get_context("spawn").Pool(options.jobs) if options.jobs > 1 else _Here() as pool:
        yield from pool.imap_unordered(_star, work)


def _star(work: tuple[int, int, int, str]) -> Report:
    return play(*work)


class _Here:
    """A pool of this process only."""

    def __enter__(self) -> _Here:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    imap_unordered = staticmethod(map)


if __name__ == "__main__":
    raise SystemExit(main())
