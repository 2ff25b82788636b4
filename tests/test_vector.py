"""Games advanced together go exactly as each alone would."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pyengine import Bot, ChoiceError, Engine, Game, IllegalAction, State, StateError, VectorGame
from pyengine.game import DeckError
from pyengine.model import ActionError, Fork
from tests.conftest import ROOT

LETHAL = State.load(ROOT / "facts/states/06-lethal.yaml")
TABLE = State.load(ROOT / "facts/states/05-full-table.yaml")


def bots(seeds: list[object]) -> list[dict[str, Bot]]:
    return [{player: Bot(f"{seed}/{player}") for player in ("p1", "p2")} for seed in seeds]


def same(games: VectorGame, alone: list[Game]) -> None:
    assert games.states == [game.state for game in alone]
    assert games.to_move == [game.to_move for game in alone]
    assert games.results == [game.result for game in alone]


@pytest.mark.parametrize("functions", [False, True])
def test_a_game_of_each_seed(functions: bool) -> None:
    n, steps = 5, 14
    games = VectorGame.deal(n, seed="teach", engine=Engine(functions=functions))
    alone = [Game.deal(seed) for seed in games.seeds]
    assert games.seeds == [f"teach/{k}" for k in range(n)]
    same(games, alone)
    together, apart = bots(games.seeds), bots(games.seeds)
    forks: list[tuple[int, Fork]] = []

    def choose(number: int, fork: Fork) -> int:
        forks.append((number, fork))
        return together[number][str(fork.player)].choose(fork)

    met: list[tuple[int, Fork]] = []
    for _ in range(steps):
        legal = games.legal_actions()
        assert legal == [game.legal_actions() for game in alone]
        movers = games.to_move
        chosen = [together[k][str(movers[k])].declare(legal[k]) for k in range(n)]
        results, done = games.step([str(action) for action in chosen], choose)
        assert results == games.results and done == [result is not None for result in results]
        for k, game in enumerate(alone):
            assert apart[k][str(game.to_move)].declare(game.legal_actions()) == chosen[k]

            def alike(fork: Fork, k: int = k) -> int:
                met.append((k, fork))
                return apart[k][str(fork.player)].choose(fork)

            game.apply(chosen[k], alike)
        same(games, alone)
    assert met
    assert sorted(map(repr, met)) == sorted(map(repr, forks))


def document(**cards: dict[str, Any]) -> State:
    return State.from_dict(
        {
            "active": "p1", "turn": 5,
            "players": {"p1": {"coins": 9, "coins_total": 9}, "p2": {"deck_order": "unknown"}},
            "cards": {
                "one": {"type": "hero", "life": 25, "owner": "p1"},
                "two": {"type": "hero", "life": 25, "owner": "p2"},
                **cards,
            },
        }
    )  # fmt: skip


def spell(text: str) -> dict[str, Any]:
    return {"type": "spell", "owner": "p1", "zone": "hand", "abilities": [f"spell({text})"]}


def creature(owner: str, *abilities: str, **marks: Any) -> dict[str, Any]:
    return {
        "type": "creature", "life": 4, "strike": 1, "owner": owner, "abilities": [*abilities],
        **marks,
    }  # fmt: skip


CASES = {
    "chance brings what the seed says": (
        document(
            lot=spell("draw(2)"),
            **{f"d{n}": creature("p1", zone="deck") for n in range(6)},
        ).to_dict()
        | {"players": {"p1": {"coins": 9, "coins_total": 9, "deck_order": "unknown"}, "p2": {}}},
        "play(lot)",
    ),
    "more than nine effects keep their order": (
        document(
            ork=creature("p1", *["on(turn_end,heal(1,self))"] * 2, wounds=3),
            end=spell("wound(1,each(creature))"),
            foe=creature("p2"),
        ).to_dict()
        | {
            "effects": [
                {"card": card, "ability": f"on(turn_end,wound({n},enemy_hero))"}
                for n in range(1, 8)
                for card in ("ork", "foe")
            ]
        },
        "end_turn",
    ),
    "what names a card": (
        document(ork=creature("p1"), elf=creature("p1"), foe=creature("p2")).to_dict()
        | {
            "effects": [
                {"card": "foe", "ability": "cannot_be(attack,card(elf))", "controller": "p1"}
            ]
        },
        "attack(ork,foe)",
    ),
    "a card that is created": (
        document(ork=creature("p1"), call=spell("create(fire_elemental)")).to_dict(),
        "play(call)",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_as_alone(case: str) -> None:
    text, action = CASES[case]
    state = State.from_dict(text)
    games = VectorGame([TABLE, state, state, state], ["a", "b", "c", 1])
    alone = [
        Game(each, seed) for each, seed in zip((TABLE, *[state] * 3), games.seeds, strict=True)
    ]
    same(games, alone)
    together = [random.Random(k) for k in range(4)]
    apart = [random.Random(k) for k in range(4)]
    told: list[Any] = []

    def choose_of(number: int, fork: Fork) -> int:
        told.append((number, fork))
        return together[number].randrange(len(fork.options))

    games.step(["end_turn", action, action, action], choose_of)
    found: list[Any] = []
    for k, game in enumerate(alone):

        def choose(fork: Fork, k: int = k) -> int:
            found.append((k, fork))
            return apart[k].randrange(len(fork.options))

        game.apply("end_turn" if k == 0 else action, choose)
    same(games, alone)
    assert sorted(map(repr, told)) == sorted(map(repr, found))


def test_games_end_and_begin_anew() -> None:
    games = VectorGame([LETHAL, TABLE], [1, 2])
    killing = next(
        str(action)
        for action in games.legal_actions()[0]
        if any(outcome.state.result for outcome in Game(LETHAL).outcomes(action))
    )
    winner = games.to_move[0]
    results, done = games.step([killing, None], lambda k, fork: 0)
    assert (results, done) == ([winner, None], [True, False])
    assert games.legal_actions()[0] == [] and games.to_move[0] is None
    with pytest.raises(ActionError, match=r"actions\[0\]: end_turn: the game is over"):
        games.step(["end_turn", "end_turn"])
    games.begin(0, TABLE, 3)
    assert games.states == [TABLE, TABLE] and games.seeds == [3, 2]
    assert games.results == [None, None]


def test_what_goes_wrong_changes_no_game() -> None:
    table = document(
        drop=spell("discard(1)"), a=creature("p1", zone="hand"), b=creature("p1", zone="hand"),
        lot=spell("draw(1)"), c=creature("p1", zone="deck"),
    )  # fmt: skip
    games = VectorGame([table, table], [1, 2])
    with pytest.raises(IllegalAction, match=r"attack\(one,two\) is illegal"):
        games.step(["end_turn", "attack(one,two)"])
    with pytest.raises(ActionError, match="1 of them for 2 games"):
        games.step(["end_turn"])
    with pytest.raises(ActionError, match="'nobody' is no card"):
        games.step(["end_turn", "attack(nobody,two)"])
    with pytest.raises(
        ChoiceError, match=r"game 1 leaves p1 a choice .*discard\(a\), discard\(b\)"
    ):
        games.step(["end_turn", "play(drop)"])
    with pytest.raises(ChoiceError, match=r"'discard\(z\)' is none of"):
        games.step(["end_turn", "play(drop)"], lambda number, fork: "discard(z)")
    assert games.states == [table, table]
    games.step([None, "play(drop)"], lambda number, fork: "discard(b)")
    assert games.states[0] == table and games.states[1].card("b").zone == "graveyard"


def test_positions_that_cannot_share_a_program() -> None:
    classic = State.from_dict({**document().to_dict(), "edition": "heroes_2"})
    with pytest.raises(StateError, match="several editions: heroes, heroes_2"):
        VectorGame([TABLE, classic], [1, 2])
    with pytest.raises(StateError, match="may not be in an id"):
        VectorGame([document(vg1_x=creature("p1"))], [1])
    games = VectorGame([TABLE], [1])
    with pytest.raises(StateError, match="edition: is heroes_2"):
        games.begin(0, classic, 1)
    for number in (-1, 99):
        with pytest.raises(StateError, match=rf"number={number} is not from 0 to"):
            games.begin(number, TABLE, 1)
    with pytest.raises(DeckError):
        VectorGame.deal(2, heroes=("nobody", None))


def test_no_games() -> None:
    games = VectorGame([], [])
    assert games.legal_actions() == [] and games.step([]) == ([], [])
