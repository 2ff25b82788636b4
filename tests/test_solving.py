"""The programs: they make clingo say nothing, and a slice answers what the whole would."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from pyengine import engine, facts, questions, queue, slicing, solving
from pyengine.documents import data_folder
from pyengine.engine import Engine
from pyengine.solving import Program, RulesError, program, solve
from pyengine.verify import Ruling
from tests.model.documents import state_of
from tests.model.positions import LARGE, MIDDLE, Dice, position
from tests.rulings import STRIDE, ask_all, every_ruling

EDITIONS = sorted(path.stem for path in (data_folder("rules") / "editions").glob("*.lp"))
LEGAL = frozenset({"legal/1"})


def entry(edition: str) -> Program:
    return program(f"rules/editions/{edition}.lp")


def answers(rules: Program, text: str, **options: Any) -> list[tuple[str, ...]]:
    return [answer.key for answer in solve(rules, text, **options)]


@pytest.fixture
def both_ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every question of the engine is asked with all rules too, and must have the same answers."""
    asked: list[str] = []

    def compared(rules: Program, text: str, *args: Any, **options: Any) -> list[solving.Answer]:
        asked.append(text)
        found = solve(rules, text, *args, **options)
        whole = solve(rules, text, *args, **options | {"sliced": False})
        shown = options.get("shown")
        names = None if shown is None else {each.split("/")[0] for each in shown}
        keys = {
            tuple(atom for atom in answer.key if names is None or atom.split("(")[0] in names)
            for answer in whole
        }
        assert {answer.key for answer in found} == keys, text
        return found

    monkeypatch.setattr(engine, "solve", compared)
    monkeypatch.setattr(queue, "solve", compared)
    return asked


@pytest.mark.parametrize("edition", EDITIONS)
def test_clingo_has_nothing_to_say(edition: str) -> None:
    assert answers(entry(edition), "", sliced=False) == [()]


@pytest.mark.parametrize("ruling", every_ruling()[::STRIDE], ids=lambda ruling: ruling.id)
def test_a_slice_answers_like_the_whole(ruling: Ruling, both_ways: list[str]) -> None:
    ask_all(Engine(), ruling)
    assert both_ways


@pytest.mark.parametrize("seed", range(4))
def test_a_slice_answers_like_the_whole_at_random(seed: int, both_ways: list[str]) -> None:
    state = state_of(position(Dice(seed), LARGE if seed % 2 else MIDDLE))
    judge = Engine()
    judge.judge(state)
    for action in judge.legal_actions(state)[:2]:
        judge.resolve(state, action)
    assert both_ways


def test_no_facts_need_no_rules() -> None:
    rules = entry("heroes")
    few = rules.slice("", ["becomes/4"])
    assert len(few) < 10


def test_a_long_term_has_the_shape_of_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in one pass, or level by level."""
    atoms = [atom for ruling in every_ruling()[::9] for block in
             questions.asked_of(ruling.state).blocks for atom in block.atoms]  # fmt: skip
    found = []
    for long in (0, 10**9):
        monkeypatch.setattr(slicing, "_LONG", long)
        slicer = Program(entry("heroes").nodes).slicer
        found.append([slicer.fact(atom) for atom in atoms])
    assert found[0] == found[1] and len(atoms) > 5000


def test_a_slice_is_remembered() -> None:
    rules = entry("heroes")
    text = questions.state_facts(every_ruling()[0].state)
    assert rules.slice(text) is rules.slice(text)
    assert rules.slice(text, LEGAL) is not rules.slice(text)


def small(tmp_path: Path, text: str) -> Program:
    (tmp_path / "small.lp").write_text(text, encoding="utf-8")
    return program("small.lp", tmp_path)


SLICED = [
    # rules, facts, rules that stay
    ("a(X) :- b(X).", "b(1).", 1),
    ("a(X) :- b(X), c(X).", "b(1).", 0),
    ("a(X) :- b(X), not c(X).", "b(1).", 1),
    # by what an argument is
    ("a(X) :- b(f(X)).", "b(g(1)).", 0),
    ("a(X) :- b(f(X)).", "b(f(1)).", 1),
    ("a(X) :- b(X, k).", "b(1,l).", 0),
    ("a(X) :- b(X, 2).", "b(1,3).", 1),  # numbers of facts are not told apart
    ('a(X) :- b(X, "2").', "b(1,2).", 0),
    ("a(X) :- b(f(g(X))).", "b(f(h(1))).", 0),
    ("a(X) :- b(X), X = f(_).", "b(g(1)).", 0),
    ("a(X) :- b(X), f(_) = X.", "b(f(1)).", 1),
    # through other rules
    ("c(X) :- b(X). a(X) :- c(f(X)).", "b(g(1)).", 0),
    ("c(f(X)) :- b(X). a(X) :- c(f(g(X))).", "b(g(1)).", 2),
    ("c(f(X)) :- b(X). a(X) :- c(f(h(X))).", "b(g(1)).", 0),
    ("c(Y) :- b(X), Y = f(X). a(X) :- c(f(X)).", "b(1).", 2),
    ("c(X + 1) :- b(X). a(X) :- c(X), d(X).", "b(1). d(x).", 0),
    ("a(X) :- b(X), X = (f; g).", "b(g).", 1),
    ("a(N) :- N = #sum { X : b(X) }.", "b(2).", 1),
    ("a(N) :- c, N = #count { X : b(X) }.", "b(2).", 0),
    ("a(X) :- b(X), c(Y) : d(Y).", "b(2).", 1),
    # by what is looked at
    ("a(X) :- b(X). c(X) :- b(X).", "b(1).", 1),
    ("a(X) :- b(X), not c(X). c(X) :- b(X), d.", "b(1).", 1),
    ("a(X) :- b(X), not c(X). c(X) :- b(X), d.", "b(1). d.", 2),
    ("a(f(X)) :- b(X), not c(f(X)). c(f(X)) :- b(X). c(g(X)) :- b(X).", "b(1).", 2),
    ("a(N) :- N = #sum { X : c(X) }. c(X) :- b(X).", "b(2).", 2),
    ("a(X) :- b(X), c(Y) : d(Y). d(X) :- b(X).", "b(2).", 2),
    # what can spoil an answer stays
    ("a(X) :- b(X). :- b(X), c(X). c(X) :- b(X).", "b(1).", 3),
    ("a(X) :- b(X). { c(X) : b(X) } = 1.", "b(1). b(2).", 2),
    ("a(X) :- b(X). { c(X) : b(X) } = 1 :- d.", "b(1). b(2).", 1),
    ("a(X) :- b(X). c(X); d(X) :- b(X).", "b(1).", 2),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "text", "stay"), SLICED)
def test_what_stays(tmp_path: Path, rules: str, text: str, stay: int) -> None:
    hidden = "#show. #show a/1. #defined b/1. #defined b/2. #defined c/1. #defined d/0. "
    whole = small(tmp_path, hidden + "#defined d/1. #defined c/0. " + rules)
    assert sorted(set(answers(whole, text))) == sorted(set(answers(whole, text, sliced=False)))
    assert len(whole.slice(text)) == stay + 2


@pytest.mark.parametrize(
    "term", ["a b", 'say "no". b(', "x).b(1", "a\\", "not", "a,b", "(", '"', "деревня"]
)
def test_names_are_not_taken_apart(tmp_path: Path, term: str) -> None:
    rules = small(tmp_path, "#show. #show a/2. #defined b/2. a(X, Y) :- b(X, Y).")
    text = f"b({facts.name(term)},f({facts.name(term)},1))."
    assert len(answers(rules, text)[0]) == 1


@pytest.mark.parametrize("rules", ["a :- b.", "a(X) :- b(X + c)."])
def test_a_message_is_a_fault(tmp_path: Path, rules: str) -> None:
    whole = small(tmp_path, rules)
    with pytest.raises(RulesError):
        solve(whole, "b(1).", sliced=False)


@pytest.mark.parametrize("rules", ["a :- b", "#external a.", "#minimize { 1 : a }. a."])
def test_other_statements_are_refused(tmp_path: Path, rules: str) -> None:
    with pytest.raises(RulesError):
        small(tmp_path, rules)


def test_parts_are_laid_out_once_a_round(tmp_path: Path) -> None:
    rules = small(
        tmp_path,
        '#show a/2.\n#program p(round).\na(round, "round") :- b(round). % round\n'
        "#program base.\nb(1).\nround(2).\n",
    )
    assert answers(rules, "", sliced=False) == [('a(1,"round")',)]


def test_threads_take_turns() -> None:
    judge, found = Engine(), list[Any]()
    states = [ruling.state for ruling in every_ruling()[:6]]
    alone = [judge.judge(state) for state in states]

    def ask() -> None:
        found.append([judge.judge(state) for state in states])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4
