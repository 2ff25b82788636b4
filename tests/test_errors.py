"""Every error that the package raises on purpose is a PyengineError, and says what is wrong."""

from __future__ import annotations

import copy
import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from pyengine import (
    Action,
    ActionError,
    ChoiceError,
    Engine,
    Game,
    HistoryError,
    IllegalAction,
    LimitError,
    PyengineError,
    State,
    StateError,
    UnknownIdError,
    VectorGame,
)
from pyengine.audit import Scope
from pyengine.cluster import ClusterError, run
from pyengine.faults import Message, at, told
from pyengine.game import DeckError
from pyengine.model import EDITIONS, Fork, Reason, Verdict
from pyengine.solving import RulesError
from pyengine.terms import TermError

DOCUMENT: dict[str, Any] = {
    "active": "one", "players": {"one": {}, "two": {}},
    "cards": {
        "h1": {"type": "hero", "life": 9, "owner": "one"},
        "h2": {"type": "hero", "life": 9, "owner": "two", "name": "Враги"},
        "ork": {"type": "creature", "life": 3, "owner": "one", "name": "Великий Орк"},
    },
}  # fmt: skip
STATE = State.from_dict(DOCUMENT)
ENGINE = Engine()


FAULT = at("turn", "below", value=-1, least=0)
RAISED: tuple[PyengineError, ...] = (
    PyengineError(FAULT),
    StateError([FAULT, "another"]),
    ActionError([FAULT]),
    TermError([FAULT]),
    DeckError([FAULT]),
    LimitError(FAULT, "steps", 3),
    UnknownIdError("nobody", "card"),
    ChoiceError(FAULT, Fork("p1", "509.3", ("a", "b"), (1, 1), STATE)),
    IllegalAction(Verdict(Action("pass"), False, (Reason("509.3", "ork", "defend"),))),
    HistoryError(Message("no_undo")),
    ClusterError("no scheduler"),
    RulesError("attack.lp: no"),
)


def kinds_of(error: type[PyengineError]) -> set[type[PyengineError]]:
    return {error}.union(*map(kinds_of, error.__subclasses__()))


def test_every_kind_of_error_is_among_them() -> None:
    ours = {kind for kind in kinds_of(PyengineError) if kind.__module__.startswith("pyengine.")}
    assert {type(error) for error in RAISED} == ours


@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
def test_an_error_comes_back_from_another_process_as_it_was(error: PyengineError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert vars(again) == vars(error) and again.args == error.args and str(again) == str(error)

    def russian(one: PyengineError) -> list[str]:
        return [told(text, "ru") for text in (*one.args, *getattr(one, "faults", ()))]

    assert russian(again) == russian(error)


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("action", ["atack(ork,h2)", "attack(ork", "attack(ork,nobody)"])
def test_what_is_no_action_is_called_so_by_any_process(action: str, workers: int) -> None:
    (error,) = ENGINE.resolve_many([(STATE, action)], workers=workers)
    assert isinstance(error, ActionError)


@pytest.mark.parametrize("ask", [STATE.card, STATE.player, STATE.observed_by])
def test_an_id_that_there_is_not(ask: Any) -> None:
    with pytest.raises(UnknownIdError, match=r"there is no (card|player) 'nobody' in this state"):
        ask("nobody")
    # what callers of earlier versions catch
    with pytest.raises(KeyError) as raised:
        ask("nobody")
    assert isinstance(raised.value, PyengineError)
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_nothing_to_take_back() -> None:
    with pytest.raises(HistoryError):
        Game(STATE).undo()
    assert issubclass(HistoryError, PyengineError) and issubclass(HistoryError, IndexError)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"heroes": ("snirk",)}, "heroes: there must be two, one a player, not 1"),
        ({"decks": (None, None, None)}, "decks: there must be two, one a player, not 3"),
        ({"heroes": ("qqq", None)}, "decks.p1: 'qqq' is no hero; those of the teaching set: "),
        ({"heroes": ("snirc", None)}, "decks.p1: 'snirc' is no hero; did you mean snirk?"),
    ],
)
def test_deals_that_cannot_be(given: dict[str, Any], fault: str) -> None:
    with pytest.raises(StateError) as raised:
        Game.deal(**given)
    assert raised.value.faults[0].startswith(fault)


@pytest.mark.parametrize(
    ("action", "fault"),
    [
        ("defend", "action: defend takes 1 argument, 'defend' has none"),
        ("attack(a)", "action: attack takes 2 arguments, 'attack(a)' has 1"),
        ("pass(a)", "action: pass takes no arguments, 'pass(a)' has 1"),
        ("use(a,99999999)", "action: argument 2 of 'use(a,99999999)' must be a whole number from 0 to 999,999"),
        (None, "action: None is no text and no Action"),
        ("attack(ork h2)", "action: commas separate the arguments of 'attack(ork h2)'; did you mean attack(ork,h2)?"),
        ("attack(Orc H2)", "action: commas separate the arguments of 'attack(Orc H2)'"),
        ("attack(Великий орк,h2)",
         "action: argument 1 of 'attack(Великий орк,h2)' must be the id of a card; did you mean ork?"),
        ("attack(Orc,h2)", "action: argument 1 of 'attack(Orc,h2)' must be the id of a card; did you mean ork?"),
        ("attack(ork,Враг)", "action: argument 2 of 'attack(ork,Враг)' must be the id of a card; did you mean h2?"),
        ("attack(Ж,h2)", "action: argument 1 of 'attack(Ж,h2)' must be the id of a card"),
        ("attack(orc,h2)", "action: 'orc' is no card of this state; did you mean ork?"),
    ],
)  # fmt: skip
def test_actions_that_are_none(action: Any, fault: str) -> None:
    with pytest.raises(StateError) as raised:
        Engine().resolve(STATE, action)
    assert raised.value.faults == (fault,)


def changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    place: Any = document
    *outer, last = path.split(".")
    for key in outer:
        place = place[key]
    place[last] = value
    return document


REFUSED = [
    (changed("cards.ork", {"type": "hero", "life": 9, "owner": "one"}),
     "cards.ork: is a second hero of one, who has 'h1'"),
    (changed("cards.ork", {"type": "creature", "life": 9, "owner": "one", "zone": "deck"})
     | {"effects": [{"card": "ork", "ability": "charge"}]},
     "effects[0].card: 'ork' lies in a deck: nothing is laid there"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "fault"), REFUSED)
def test_states_that_cannot_be(document: dict[str, Any], fault: str) -> None:
    with pytest.raises(StateError) as raised:
        State.from_dict(document)
    assert raised.value.faults == (fault,)


NUMBERS: list[tuple[Callable[[], object], list[str]]] = [
    (lambda: ENGINE.judge_many([STATE], batch=0, workers=-1),
     ["batch: 0 is not a whole number of 1 or more",
      "workers: -1 is not a whole number from 0 to 1,024"]),
    (lambda: ENGINE.judge_many([STATE], workers=1.5),  # type: ignore[arg-type]
     ["workers: 1.5 is not a whole number from 0 to 1,024"]),
    (lambda: ENGINE.resolve_many([], workers=1025),
     ["workers: 1025 is not a whole number from 0 to 1,024"]),
    (lambda: ENGINE.deck("snirk", {"groll": -1, "rrykh": 0}),
     ["cards.groll: -1 is not a whole number from 0 to 1,000,000"]),
    (lambda: ENGINE.deck("snirk", {}, "hero"),
     [f"edition: 'hero' is not one of {', '.join(EDITIONS)}; did you mean heroes?"]),
    (lambda: Game.deal(1, edition="hero"),
     [f"edition: 'hero' is not one of {', '.join(EDITIONS)}; did you mean heroes?"]),
    (lambda: ENGINE.check(jobs=0), ["jobs: 0 is not a whole number of 1 or more"]),
    (lambda: ENGINE.check(time_limit=-1), ["time_limit: -1 is no number of seconds, 0 or more"]),
    (lambda: ENGINE.check(time_limit=math.nan),
     ["time_limit: nan is no number of seconds, 0 or more"]),
    (lambda: Scope(cards=0, effects=9),
     ["scope: cards=0 is not from 1 to 8", "scope: effects=9 is not from 0 to 8"]),
    (lambda: VectorGame.deal(-1), ["n: -1 is not a whole number from 0 to 9,000"]),
    (lambda: VectorGame.deal(True), ["n: True is not a whole number from 0 to 9,000"]),
    (lambda: VectorGame([STATE], [1, 2]), ["seeds: 2 of them for 1 games"]),
    (lambda: run([], renew=-1), ["renew: -1 is not a whole number of 0 or more"]),
    (lambda: Engine(limits=5), ["limits: 5 is no Limits"]),  # type: ignore[arg-type]
    (lambda: State.from_dict(DOCUMENT, 5), ["limits: 5 is no Limits"]),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("asked", "faults"), NUMBERS)
def test_numbers_that_make_no_sense(asked: Callable[[], object], faults: list[str]) -> None:
    """Refused when they are given, not when the first answer is taken."""
    with pytest.raises(StateError) as raised:
        asked()
    assert list(raised.value.faults) == faults


def test_numbers_at_their_edge() -> None:
    assert len(list(ENGINE.judge_many([STATE], batch=1, workers=0))) == 1
    assert VectorGame.deal(0).step([]) == ([], [])
    assert Scope(cards=8, effects=0, numbers=9).cards == 8


@pytest.mark.parametrize("choice", [1.5, "pass", ()])
def test_choices_that_are_none(choice: Any) -> None:
    game = Game(STATE)
    with pytest.raises(ChoiceError, match=r"^choice: .* is no outcome, no number of one"):
        game.apply("end_turn", choice)
    assert game.history == ()


@pytest.mark.parametrize("option", [-1, 2, None])
def test_options_that_are_none(option: Any) -> None:
    with pytest.raises(ChoiceError, match=r"is none of: begins\(one\), begins\(two\)$"):
        ENGINE.begin(STATE, lambda fork: option)


def test_states_that_may_be() -> None:
    # a second hero elsewhere, and a hero under the control of the opponent
    State.from_dict(
        changed("cards.ork", {"type": "hero", "life": 9, "owner": "one", "zone": "graveyard"})
    )
    State.from_dict(changed("cards.h1.controller", "two"))
    # whether wounds kill is for the rules to say: an aura may add to the life
    State.from_dict(changed("cards.ork.wounds", 5))
    # an effect may lie on a card of the hand
    document = changed("cards.ork.zone", "hand") | {
        "effects": [{"card": "ork", "ability": "mod(cost,-1)"}]
    }
    State.from_dict(document)
