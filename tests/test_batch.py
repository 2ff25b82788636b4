"""Many questions at once: the answers are those of one at a time, in order, as they are wanted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import clingo
import pytest

from pyengine.batch import chunks, judge_together, shares
from pyengine.engine import Engine
from pyengine.model import ActionError, IllegalAction, PyengineError, State, StateError
from tests.model.documents import state_of
from tests.model.positions import LARGE, MIDDLE, Dice, Size, position
from tests.rulings import every_ruling

STATES = [ruling.state for ruling in every_ruling() if ruling.edition.startswith("heroes")]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.mark.parametrize("batch", [16, 500])
def test_rulings_together(engine: Engine, batch: int) -> None:
    together = list(engine.judge_many(STATES, batch=batch))
    for state, verdicts in zip(STATES, together, strict=True):
        assert verdicts == engine.judge(state)


@pytest.mark.parametrize("size", [MIDDLE, LARGE])
def test_positions_together(engine: Engine, size: Size) -> None:
    states = [state_of(position(Dice(seed), size)) for seed in range(40)]
    assert list(engine.judge_many(states)) == [engine.judge(state) for state in states]


def test_one_position_many_times(engine: Engine) -> None:
    state = STATES[0]
    assert list(engine.judge_many([state] * 5)) == [engine.judge(state)] * 5


@pytest.mark.parametrize("most", [1, 5, 1100])
def test_large_tables_share_smaller_groundings(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    shared: list[int] = []

    def judged(states: list[State], *args: Any, **options: Any) -> Any:
        shared.append(sum(card.zone == "play" for state in states for card in state.cards))
        return judge_together(states, *args, **options)

    monkeypatch.setattr("pyengine.batch._SHARING", most)
    monkeypatch.setattr("pyengine.batch.judge_together", judged)
    states = [*STATES[:12], replace(STATES[0], edition="heroes_2"), *STATES[12:16]]
    assert list(engine.judge_many(states)) == [engine.judge(state) for state in states]
    cards = [sum(card.zone == "play" for card in state.cards) for state in states]
    assert sum(shared) == sum(cards)
    assert all(number <= max(most, *cards) for number in shared)
    assert len(shared) == {1: len(states), 1100: 2}.get(most, len(shared))


def test_a_finished_game_has_no_candidates(engine: Engine) -> None:
    over = replace(STATES[0], result="draw")
    assert list(engine.judge_many([over, STATES[0], over]))[::2] == [[], []]


def test_a_bad_state_is_reported_in_its_place(engine: Engine) -> None:
    bad = replace(STATES[1], edition="unheard_of")
    worse = replace(STATES[1], active="nobody")
    found = list(engine.judge_many([STATES[0], bad, STATES[2], worse, STATES[3]]))
    assert found[::2] == [engine.judge(STATES[n]) for n in (0, 2, 3)]
    assert all(isinstance(each, PyengineError) for each in found[1::2])


@pytest.mark.parametrize("workers", [0, 2])
def test_what_is_no_state_is_reported_in_its_place(engine: Engine, workers: int) -> None:
    asked: list[Any] = [STATES[0], {"active": "p1"}, None, STATES[2]]
    found = list(engine.judge_many(asked, workers=workers))
    assert found[::3] == [engine.judge(STATES[0]), engine.judge(STATES[2])]
    told = [str(each) for each in found[1:3] if isinstance(each, StateError)]
    assert [line.split(":")[:2] for line in told] == [
        ["state", " is dict, not a State"], ["state", " is NoneType, not a State"],
    ]  # fmt: skip


def test_a_question_that_is_none_is_reported_in_its_place(engine: Engine) -> None:
    asked: list[Any] = [5, (None, "pass"), (STATES[0], 7), (STATES[0],)]
    assert all(isinstance(each, PyengineError) for each in engine.resolve_many(asked))


def test_of_what_is_no_state_nothing_is_asked(engine: Engine) -> None:
    nothing: Any = {"active": "p1"}
    for ask in (engine.judge, engine.legal_actions, engine.to_move):
        with pytest.raises(StateError, match=r"is dict, not a State: State\.from_dict and"):
            ask(nothing)
    with pytest.raises(StateError, match="is NoneType, not a State"):
        engine.resolve(state=None, action="pass")  # type: ignore[arg-type]


def test_a_folder_of_rules_without_rules(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="holds no chapter"):
        Engine(tmp_path)
    with pytest.raises(StateError, match=r"rules: .*nowhere is no folder"):
        Engine(tmp_path / "nowhere")


def test_states_are_taken_as_they_are_needed(engine: Engine) -> None:
    taken = []

    def endless() -> Iterator[State]:
        while True:
            taken.append(1)
            yield STATES[0]

    answers = engine.judge_many(endless(), batch=3)
    for _ in range(4):
        next(answers)
    assert len(taken) == 6


def test_processes_keep_the_order(engine: Engine) -> None:
    states = STATES[:12]
    found = list(engine.judge_many(iter(states), batch=2, workers=2))
    assert found == [engine.judge(state) for state in states]


def test_outcomes_together(engine: Engine) -> None:
    questions = [(state, action) for state in STATES[:6] for action in engine.legal_actions(state)]
    alone = [engine.resolve(state, action) for state, action in questions]
    assert list(engine.resolve_many(questions)) == alone


def alone(engine: Engine, state: State, action: Any) -> Any:
    try:
        return engine.resolve(state, action)
    except PyengineError as error:
        return error
    except (OSError, KeyError) as error:
        return PyengineError(f"{type(error).__name__}: {error}")


def test_outcomes_together_are_those_alone_to_the_byte(engine: Engine) -> None:
    """Of every edition, with choices, chance and traces, and what cannot bear a mark."""
    questions: list[tuple[State, Any]] = []
    for place, ruling in enumerate(every_ruling()[3::29]):
        verdicts = engine.judge(ruling.state)
        legal = [each.action for each in verdicts if each.legal]
        questions += [(ruling.state, action) for action in legal[place % 2 :: 3][:2]]
        questions += [(ruling.state, each.action) for each in verdicts if not each.legal][:1]
    state = STATES[0]
    act = str(engine.legal_actions(state)[0])
    other = {state.active: "Active", **{card.id: f"vg{n}_c" for n, card in enumerate(state.cards)}}
    for id, new in other.items():
        text = re.sub(rf"\b{id}\b", new, repr(state.to_dict()))
        questions.append((State.from_dict(ast.literal_eval(text)), re.sub(rf"\b{id}\b", new, act)))
    questions += [
        (state, "nonsense(("), (state, f"attack({state.active},nobody)"), (state, act),
        (replace(state, result="draw"), act), (replace(state, edition="unheard_of"), act),
        (replace(state, active="nobody"), act),
    ]  # fmt: skip
    found = list(engine.resolve_many(questions))
    assert [repr(each) for each in found] == [repr(alone(engine, *each)) for each in questions]
    assert {type(each) for each in found} >= {list, IllegalAction, ActionError}
    assert any(outcome.choices for each in found if isinstance(each, list) for outcome in each)


def test_outcomes_share_groundings(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = [(state, "end_turn") for state in STATES if state.pending is None][:30]
    made: list[int] = []
    control = clingo.Control

    def counted(*args: Any, **options: Any) -> clingo.Control:
        made.append(1)
        return control(*args, **options)

    monkeypatch.setattr(clingo, "Control", counted)
    assert len(list(engine.resolve_many(questions))) == 30
    together = len(made)
    made.clear()
    for each in questions:
        alone(engine, *each)
    assert 3 * together < len(made)


def test_an_illegal_action_is_reported_in_its_place(engine: Engine) -> None:
    state, illegal = next(
        (state, verdict.action)
        for state in STATES
        for verdict in engine.judge(state)
        if not verdict.legal
    )
    first, second = engine.resolve_many([(state, illegal), (STATES[0], "end_turn")])
    assert isinstance(first, IllegalAction) and isinstance(second, list)


@pytest.mark.parametrize("number", [0, 1, 5, 63, 128, 129, 200, 300])
def test_the_last_shares_are_small(number: int) -> None:
    taken = 0

    def items() -> Iterator[int]:
        nonlocal taken
        for taken in range(1, number + 1):  # noqa: UP028 - counted
            yield taken

    parts, sizes = [], []
    for part in shares(items(), 64, 2):
        parts += part
        sizes.append(len(part))
        assert taken <= len(parts) + 2 * 64 + 1
    assert parts == list(range(1, number + 1))
    assert sizes == sorted(sizes, reverse=True) and sum(sizes) == number
    assert sizes[:1] <= [64] and sizes[-1:] <= [4]
    # when one is left alone with its share, that is no more than a quarter of what both had
    assert all(
        size <= max(4, (sum(sizes[k:]) + 3) // 4) or size == 64 for k, size in enumerate(sizes)
    )


def test_chunks() -> None:
    assert list(chunks(range(5), 2)) == [[0, 1], [2, 3], [4]]


def test_abilities_that_name_cards_and_declarations_that_stand_for_several() -> None:
    document: dict[str, Any] = {
        "active": "p1",
        "players": {"p1": {"coins": 3, "coins_total": 3}, "p2": {}},
        "cards": {
            "one": {"type": "hero", "life": 25, "owner": "p1"},
            "two": {"type": "hero", "life": 25, "owner": "p2"},
            "ork": {"type": "creature", "life": 5, "owner": "p1"},
            "elf": {"type": "creature", "life": 5, "owner": "p1"},
            "foe": {"type": "creature", "life": 5, "owner": "p2"},
            "tome": {
                "type": "spell", "cost": 1, "owner": "p1", "zone": "hand",
                "abilities": ["spell(choose_any(wound(1,target(creature)),wound(2,target(hero))))"],
            },
        },
        "effects": [{"card": "foe", "ability": "cannot_be(attack,card(ork))", "controller": "p1"}],
    }  # fmt: skip
    state = State.from_dict(document)
    engine = Engine()
    alone = engine.judge(state)
    assert list(engine.judge_many([state, state])) == [alone, alone]
    legal = {str(verdict.action): verdict.legal for verdict in alone}
    assert legal["attack(elf,foe)"] and not legal["attack(ork,foe)"]
    assert legal["play(tome,foe)"] and legal["play(tome,two)"] and legal["play(tome,foe,two)"]
