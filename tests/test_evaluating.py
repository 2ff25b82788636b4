"""Rules carried out without clingo: the answers are clingo's."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import count, product
from pathlib import Path
from types import FrameType
from typing import Any

import clingo
import pytest

from bench.positions import shaken
from pyengine import engine, queue, solving
from pyengine.engine import Engine
from pyengine.evaluating import text_of_value, value_of
from pyengine.game import Bot, Game
from pyengine.limits import question as budgeted
from pyengine.model import State
from pyengine.plans import NOTHING, Store
from pyengine.questions import stated
from pyengine.relations import Undefined, add, compare, div, mul, sub
from pyengine.solving import Program, RulesError, program, solve
from pyengine.verify import Ruling
from pyengine.written import Unreadable
from tests.conftest import ROOT
from tests.rulings import STRIDE, ask_all, every_ruling


@pytest.fixture
def both_ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every question of the engine is asked of clingo too, and must have the same answers."""
    asked: list[str] = []

    def compared(rules: Any, question: Any, *args: Any, **options: Any) -> list[solving.Answer]:
        found = solve(rules, question, *args, **options)
        ground = solve(rules, question, *args, **options | {"planned": False})
        assert [answer.key for answer in found] == [answer.key for answer in ground], str(question)
        for ours, theirs in zip(found, ground, strict=True):
            for name in {atom.split("(")[0] for atom in ours.key}:
                assert ours[name] == theirs[name]
        asked.append(str(question))
        return found

    monkeypatch.setattr(engine, "solve", compared)
    monkeypatch.setattr(queue, "solve", compared)
    return asked


@pytest.mark.parametrize("ruling", every_ruling()[7::STRIDE], ids=lambda ruling: ruling.id)
def test_a_ruling(ruling: Ruling, both_ways: list[str]) -> None:
    ask_all(Engine(functions=True), ruling)
    assert both_ways


def test_a_game(both_ways: list[str]) -> None:
    game, bot = Game.deal(seed=5, engine=Engine(functions=True)), Bot(5)
    for _ in range(12):
        game.apply(bot.declare(game.legal_actions()), bot.choose)
    assert both_ways


@pytest.mark.parametrize("functions", [True, False])
def test_functions_are_for_who_asks_for_them(
    monkeypatch: pytest.MonkeyPatch, functions: bool
) -> None:
    made: list[int] = []
    control = clingo.Control

    def counted(*args: Any, **options: Any) -> clingo.Control:
        made.append(1)
        return control(*args, **options)

    game, bot = Game.deal(seed=6, engine=Engine(functions=functions)), Bot(6)
    monkeypatch.setattr(clingo, "Control", counted)  # decks are always judged by clingo
    for _ in range(12):
        game.apply(bot.declare(game.legal_actions()), bot.choose)
    assert len(made) < 12 if functions else len(made) > 24


# rules, facts; the predicate shown is a/1. Some are left to clingo, and all answer alike
PROGRAMS = [
    ("a(X) :- b(X).", "b(1). b(f(x)). b(\"s\")."),
    ("a(X) :- b(f(X)).", "b(f(1)). b(g(2)). b(f(f(3)))."),
    ("a(X) :- b(X), not c(X).", "b(1). b(2). c(2)."),
    ("a(X) :- b(X), not c(X, _).", "b(1). b(2). c(2,3)."),
    ("a(X) :- b(X), not c(f(X, _)).", "b(1). b(2). c(f(2,3))."),
    ("a(X + 1) :- b(X).", "b(1). b(2)."),
    ("a(X) :- c(X, N), b(N - 1).", "b(1). b(2). c(x,3). c(y,4)."),
    ("a(N) :- c(N + 1, x).", "c(3,x). c(4,y)."),
    ("a(X / 2) :- b(X).", "b(7). b(-7). b(2)."),
    ("a(|X - 3|) :- b(X).", "b(1). b(5)."),
    ("a(1..N) :- b(N).", "b(3). b(0)."),
    ("a(N) :- N = #sum { X, Y : c(X, Y) }.", "c(1,x). c(1,y). c(2,x)."),
    ("a(N) :- b(_), N = #count { X : c(X, _) }.", "b(1). c(1,x). c(1,y). c(2,x)."),
    ("a(X) :- b(X), 2 <= #count { Y : c(X, Y) }.", "b(1). b(2). c(1,x). c(1,y). c(2,x)."),
    ("a(X) :- b(X), X > #sum { Y : c(Y, _) }.", "b(1). b(9). c(1,x). c(3,y)."),
    ("a(X) :- b(X), X <= Y : b(Y).", "b(3). b(f(1)). b(\"s\"). b(k)."),
    ("a(X) :- b(X), not c(X, Y) : b(Y).", "b(1). b(2). c(1,2)."),
    ("a(X) :- b(X). a(Y) :- a(X), c(X, Y).", "b(1). c(1,2). c(2,3). c(3,1). c(4,5)."),
    ("a(X) :- c(X, Y), d(Y). d(Y) :- c(Y, X), a(X). d(1).", "c(2,1). c(3,2). c(5,4)."),
    ("{ picks(1, X) : b(X) } = 1 :- c(_, _). a(X) :- picks(1, X).", "b(1). b(2). c(1,1)."),
    ("{ picks(1, X) : b(X) } = 1 :- c(_, _). a(X) :- picks(1, X).", "b(1). b(2)."),
    ("a(X) :- b(X), X = (1; 2).", "b(1). b(3)."),
    ("a((X, Y)) :- c(X, Y), (X, Y) < (2, 2).", "c(1,5). c(2,1). c(2,2). c(f,1)."),
    ("a(N) :- b(N), N <= 2147483647.", "b(1). b(f(1)). b(k)."),
    # left to clingo
    ("{ p(X) : b(X) } = 1 :- c(_, _). a(X) :- p(X).", "b(1). b(2). c(1,1)."),
    ("a(X) :- b(X), not c(X). c(X) :- b(X), not a(X).", "b(1). b(2)."),
    ("a(X) :- b(X). :- b(X), c(X).", "b(1). c(1)."),
    ("a(X) : b(X).", "b(1)."),
    ("a(N) :- N = #min { X : b(X) }.", "b(1). b(2)."),
    ("a(X * X) :- b(X).", "b(40000)."),
]  # fmt: skip


def small(folder: Path, rules: str) -> Program:
    """A program that shows a/1."""
    defined = "#defined b/1. #defined c/1. #defined c/2. #defined d/1. "
    (folder / "small.lp").write_text(f"#show. #show a/1. {defined}{rules}", encoding="utf-8")
    return program("small.lp", folder, functions=True)


def alike(rules: Program, text: str) -> bool:
    """Whether the answers are clingo's, or what it has to say about the rules."""
    ours, theirs = (answered(rules, text, planned) for planned in (True, False))
    return ours == theirs


def answered(rules: Program, text: str, planned: bool) -> object:
    try:
        return [answer.key for answer in solve(rules, text, planned=planned)]
    except RulesError as error:
        return str(error)


@pytest.mark.parametrize(("rules", "text"), PROGRAMS)
def test_a_program(tmp_path: Path, rules: str, text: str) -> None:
    assert alike(small(tmp_path, rules), text)


# what waits for each other, and facts with which it does not, or does
KNOTS = [
    ("a(X) :- b(X), not e(X). e(X) :- c(X), not a(X).", "b(1). c(1)."),
    ("a(X) :- b(X), not e(X). e(X) :- b(X), c(X), not a(X).", "b(1). b(2). c(1)."),
    ("a(X) :- b(X), not e(X). e(X) :- c(X), X > 1, not a(X).", "b(1). b(2). c(1). c(2)."),
    ("a(X) :- b(X), not e(X). e(X) :- b(X), not c(X), not a(X).", "b(1). c(1). c(2). b(3)."),
    ("a(N) :- N = #count { X : e(X) }. e(X) :- b(X). e(X) :- c(X), a(X).", "b(1). c(2)."),
    ("1 = { picks(1, X) : e(X) } :- d(1). e(X) :- b(X). e(X) :- c(X), picks(1, X)."
     " a(X) :- picks(1, X).", "d(1). b(1). b(2). c(2)."),
    ("a(X) :- b(X), not e(X). e(X) :- h(X), not a(X). h(X) :- d(X), e(X). h(X) :- c(X), not a(X).",
     "b(1). d(1). c(1)."),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "text"), KNOTS)
def test_what_waits_for_each_other(tmp_path: Path, rules: str, text: str) -> None:
    """All of the facts tie a knot; of each number of the others some do not."""
    knot = small(tmp_path, rules)
    solve(knot, text)  # so the slice is for all of them
    given = text.split(" ")
    for some in product((True, False), repeat=len(given)):
        facts = " ".join(fact for fact, there in zip(given, some, strict=True) if there)
        assert alike(knot, facts), facts


# what is chosen, what fails, and what rests on either: asked again and again with other facts
CHANGING = [
    *PROGRAMS,
    *KNOTS,
    ("1 = { picks(1, X) : b(X) } :- c(_, _). a(Y) :- picks(1, X), c(X, Y). a(X) :- a(Y), c(Y, X).",
     "b(1). b(2). b(3). c(1,2). c(2,3). c(3,k)."),
    ("1 = { picks(1, X) : e(X) } :- d(1). e(X) :- b(X), not h(X). h(X) :- c(X). a(X) :- picks(1, X)."
     " e(X) :- c(X), picks(1, X), d(X).", "d(1). d(2). b(1). b(2). b(3). c(2). c(3)."),
    ("e(X + 1) :- b(X). a(X) :- e(X), not c(X).", "b(1). b(2). b(3). b(k). c(2). c(4)."),
    ("e(X, Y) :- c(X, Y). e(X, Z) :- e(X, Y), c(Y, Z). a(X) :- e(X, X). a(X) :- b(X), not e(X, X).",
     "b(1). b(2). b(4). c(1,2). c(2,1). c(2,3). c(3,4). c(4,2)."),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "text"), CHANGING)
def test_what_was_asked_before_changes_nothing(tmp_path: Path, rules: str, text: str) -> None:
    changing, given, dice = small(tmp_path, rules), text.split(" "), random.Random(text)
    for _ in range(25):
        facts = " ".join(fact for fact in given if dice.random() < 0.7)
        assert alike(changing, facts), facts


def interrupted(work: Callable[[], object], after: int) -> bool:
    """Whether the work was interrupted: at so many lines of what carries rules out."""
    lines = count(1)

    def line(frame: FrameType, event: str, arg: object) -> Any:
        if event == "line" and next(lines) == after:
            sys.settrace(None)
            raise KeyboardInterrupt
        return line

    def call(frame: FrameType, event: str, arg: object) -> Any:
        name = frame.f_code.co_filename
        return line if name.endswith(("plans.py", "relations.py", "<rule>", "<string>")) else None

    sys.settrace(call)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


@pytest.mark.parametrize("interruptions", [False, True])
def test_what_is_in_several_parts_goes_with_the_last(interruptions: bool) -> None:
    store, one, two = Store(), frozenset({(0, (1,)), (0, (2,))}), frozenset({(0, (1,)), (1, (1,))})
    facts = {"a": one, "b": two, "c": one}
    dice, happened = random.Random(3), 0
    for _ in range(300):
        parts = dict.fromkeys(part for part in facts if dice.random() < 0.5)
        now_interrupted = False
        if interruptions and dice.random() < 0.5:
            some = dict.fromkeys(part for part in facts if dice.random() < 0.5)
            now_interrupted = interrupted(
                lambda: store.take(some, facts.__getitem__),  # noqa: B023
                dice.randint(1, 40),
            )
            happened += now_interrupted
        before = dict(store.given)
        store.take(parts, facts.__getitem__)
        now = {each for part in parts for each in facts[part]}
        for number in (0, 1):
            rows = {row for n, row in now if n == number}
            found = store.given.get(number, NOTHING)
            assert found.rows == rows
            if number in before and before[number].rows == rows:
                assert found is before[number] or now_interrupted
    assert happened > 50 or not interruptions


def test_an_interruption_leaves_nothing_half_done() -> None:
    engine, dice = Engine(functions=True), random.Random(7)
    table = State.load(ROOT / "facts/states/05-full-table.yaml").to_dict()
    states = [State.from_dict(shaken(table, number)) for number in range(3)]
    right = [Engine().judge(state) for state in states]
    for state in states:
        engine.judge(state)
    happened = 0
    for _ in range(120):
        one, other = dice.sample(range(3), 2)
        happened += interrupted(lambda: engine.judge(states[one]), dice.randint(1, 1200))  # noqa: B023
        assert engine.judge(states[one]) == right[one]
        assert engine.judge(states[other]) == right[other]
    assert happened > 50


def left_to_clingo(rules: Program, text: str) -> bool:
    question = stated(text)
    slice = rules.slice(question, wide=True)
    with budgeted() as budget:
        return slice.without(rules.relations(question), budget) is None


def test_what_is_left_to_clingo(tmp_path: Path) -> None:
    rules = small(tmp_path, "a(X) :- b(X), not c(X). c(X) :- b(X), d(X), not a(X).")
    assert left_to_clingo(rules, "b(1). d(1).")
    assert not left_to_clingo(rules, "b(1). d(2).")


def terms(dice: random.Random, depth: int = 2) -> str:
    kind = dice.random()
    if kind < 0.3:
        return str(dice.randint(-3, 12))
    if kind < 0.5 or not depth:
        return dice.choice(("a", "b", "ab", "null", "b1", "()", '"x"', '"511.1"'))
    inside = [terms(dice, depth - 1) for _ in range(dice.randint(1, 3))]
    if kind < 0.7:
        return f"({','.join(inside)}{',' if len(inside) == 1 else ''})"
    return f"{dice.choice(('f', 'g', 'laid', 'a'))}({','.join(inside)})"


def test_terms_are_in_the_order_of_clingo() -> None:
    dice = random.Random(1)
    for _ in range(3000):
        left, right = terms(dice), terms(dice)
        one, other = clingo.parse_term(left), clingo.parse_term(right)
        assert compare(value_of(left), value_of(right)) == (one > other) - (one < other)
        assert text_of_value(value_of(left)) == str(one)


def test_a_function_of_nothing_is_a_constant() -> None:
    assert value_of("f(g())") == ("f/1", "g")


def test_arithmetic() -> None:
    assert (add(2, 3), sub(2, 3), mul(2, 3), div(7, 2), div(-7, 2)) == (5, -1, 6, 3, -3)
    for work, left, right in ((add, "a", 1), (div, 1, 0), (mul, 40000, 2)):
        with pytest.raises(Undefined):
            work(left, right)


def test_a_string_with_signs_is_left_to_clingo() -> None:
    with pytest.raises(Unreadable):
        value_of('"a\\"b"')
