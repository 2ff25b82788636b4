"""Generated positions: they are positions, their words are their own, and witnesses are smallest."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyengine.audit import Options, Scope
from pyengine.audit.norms import shows, words_of
from pyengine.audit.positions import Menu, Quest, Shown, part
from pyengine.audit.registry import Context, OutOfTime
from pyengine.audit.sources import atoms, predicate, predicates, sources
from pyengine.audit.witness import smaller
from pyengine.model import State
from pyengine.questions import state_facts
from pyengine.solving import Program
from tests.audit.test_seeds import SEEDS, rules_of

AUDIT = Path(__file__).parents[2] / "rules" / "audit"
# what the rules are asked: declarations, whose turn to judge, filters; and what the trace says
ASKED = {"asked/1", "judged/1", "ask/4", "step/7"}
MENU = (
    "cannot(attack)", "must(attack)", "lure(attack,creature)", "charge", "may(attack)",
    "use(close,wound(1,target(creature)))", "spell(draw(1))", "grant(creature,is(element,swamp))",
    "is(element,steppe)",
    "is(element,swamp)", "cannot_be(attack)",
)  # fmt: skip


def context(folder: Path | None = None, edition: str = "heroes") -> Context:
    rules = None if folder is None else str(folder)
    return Context(Options(edition, rules=rules, sets=(), scope=Scope(3, 1, 2)))


def quest(made: Context, code: str) -> list[Shown]:
    menu = Menu(abilities=MENU, words=words_of(made))
    told = ("blames/2",) if code == "unmeetable" else ()
    sought = Quest(made, code, (code,), menu, lambda shown: shows(made, (code,), shown), told)
    return list(sought.faults())


@pytest.mark.parametrize("edition", ["heroes", "heroes_2", "classic"])
def test_no_word_of_a_check_is_a_word_of_the_rules(edition: str) -> None:
    spoken = {name for source in sources(edition) for c in source.copies for name in predicates(c)}
    words = set(Program((*part("positions"), *part("board"))).shows) | ASKED
    for file in sorted(AUDIT.glob("*.lp")):
        rules = [node for node in part(file.stem) if str(node.ast_type) == "ASTType.Rule"]
        heads = {predicate(atom) for node in rules for atom in atoms(node.head)}
        assert heads & spoken <= words, file.name


@pytest.mark.parametrize("code", ["unmeetable", "tie"])
def test_what_cards_show_is_smallest(code: str) -> None:
    made = context()
    found = quest(made, code)
    assert found and not made.errors
    for shown in found:
        assert_smallest(made, code, shown)


@pytest.mark.parametrize(
    "name", ["stuck-no-attack-is-let-through", "conflict-a-prohibition-that-does-not-count"]
)
def test_what_rules_show_is_smallest(name: str, tmp_path: Path) -> None:
    made = context(rules_of(SEEDS[name], tmp_path))
    code = SEEDS[name]["code"]
    found = quest(made, code)
    assert found and not made.errors
    for shown in found:
        assert_smallest(made, code, shown)


def assert_smallest(made: Context, code: str, shown: Shown) -> None:
    """Without any one card, effect, ability or mark the fault is gone."""
    kept = [
        state
        for state in smaller(shown.state)
        if shows(made, (code,), Shown(state, shown.fault, shown.action))
    ]
    assert not kept, f"{shown.state.to_json()} is not smallest: {kept[0].to_json()}"


def test_a_generated_position_is_one_that_can_be_written_down() -> None:
    for shown in quest(context(), "unmeetable"):
        state = State.from_dict(shown.state.to_dict())
        assert state == shown.state
        assert state_facts(state) == state_facts(shown.state)


def test_the_same_question_has_the_same_answer() -> None:
    first, second = (quest(context(), "unmeetable") for _ in range(2))
    assert first == second


def test_what_is_not_looked_through_in_time_is_undecided() -> None:
    made = Context(Options(until=0.0))
    with pytest.raises(OutOfTime):
        quest(made, "stuck")
