"""Comparing two sets of rules: what differs is found, smallest, and laid to the right rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pyengine import Engine, PyengineError, State
from pyengine.audit import Options, Scope
from pyengine.audit.compare import compare, differences
from pyengine.audit.reach import Gap, Side
from pyengine.audit.registry import Context
from pyengine.audit.witness import smaller, sound
from pyengine.verify import load_rulings

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = "rules/legality.lp"
CLOSED = 'bars("base.closed", D, C, rulebook) :- prices(D, close), doer(D, C), closed(C).'


def changed(folder: Path, old: str, new: str) -> Context:
    """Heroes against itself with one statement of a chapter changed."""
    text = (ROOT / CHAPTER).read_text(encoding="utf-8")
    assert old in text, "our chapter is another now: the test does not fit"
    (folder / Path(CHAPTER).name).write_text(text.replace(old, new), encoding="utf-8")
    scope = Scope(cards=1, effects=1)
    return Context(Options("heroes", rules=str(folder), against="heroes", scope=scope))


def test_a_rule_that_is_gone_makes_the_other_side_looser(tmp_path: Path) -> None:
    finding = next(iter(compare(changed(tmp_path, CLOSED, ""))))
    assert finding.rules == ("base.closed",) and finding.severity == "note"
    assert finding.way == ("use", "legality", "looser")
    by_verb = {each.declaration: each for each in differences([finding], ("heroes", "heroes"))}
    assert (by_verb["use"].legality, by_verb["use"].outcomes) == ("looser", "equal")
    assert (by_verb["play"].legality, by_verb["play"].outcomes) == ("equal", "equal")
    assert finding.witness is not None and finding.witness.action is not None
    state, action = finding.witness.state, finding.witness.action
    ours, theirs = Engine(), Engine(tmp_path)

    def shows(less: State) -> bool:
        try:
            return theirs.verdict(less, action).legal and not ours.verdict(less, action).legal
        except PyengineError:
            return False

    assert shows(state)
    assert not any(sound(less) and shows(less) for less in smaller(state))


def test_a_change_of_words_alone_is_no_difference(tmp_path: Path) -> None:
    new = 'bars("base.closed", D, C, rulebook) :- prices(D, close), closed(C), doer(D, C).'
    context = changed(tmp_path, CLOSED, new)
    context.options = replace(context.options, scope=Scope(cards=2, effects=0))
    assert list(compare(context)) == []


def test_heroes_and_classic_differ_about_opening_the_open() -> None:
    context = Context(Options("heroes", against="classic", scope=Scope(cards=1, effects=1)))
    finding = next(each for each in compare(context) if each.rules == ("514.3", "525.1"))
    assert finding.witness is not None and str(finding.witness.action) == "use(a,1)"
    (card,) = finding.witness.state.cards
    assert card.abilities == ("use(once,open(self))",) and not card.closed
    assert finding.way == ("use", "legality", "stricter")


def test_what_comes_out_otherwise_is_reached() -> None:
    """No position in which the two editions differ is passed over."""
    gap, engine = Gap(Side("heroes"), Side("heroes_2")), Engine()
    differing = 0
    for ruling in load_rulings([ROOT / "facts/rulings/heroes_2.yaml"], None):
        for question in ruling.resolve:
            states = [replace(ruling.state, edition=name) for name in ("heroes", "heroes_2")]
            try:
                one, two = (
                    {
                        (replace(each.state, edition="heroes"), each.choices)
                        for each in engine.resolve(state, question.action)
                    }
                    for state in states
                )
            except PyengineError:
                continue
            if one != two:
                differing += 1
                assert gap.reached(states[0]), ruling.id
    assert differing >= 4


def test_each_change_of_the_later_revision_is_found() -> None:
    context = Context(Options("heroes", against="heroes_2", scope=Scope(cards=2, effects=2)))
    sizes: dict[tuple[str, ...], tuple[int, int]] = {}
    for finding in compare(context):
        assert finding.witness is not None and finding.way is not None
        assert finding.way.aspect == "outcomes"
        state = finding.witness.state
        sizes.setdefault(finding.rules, (len(state.cards), len(state.effects)))
        if len(sizes) == 4:
            break
    assert sizes == {
        ("516.4",): (2, 0),
        ("517.3.1",): (1, 0),
        ("517.6.1",): (2, 0),
        ("base.overwrite",): (1, 1),
    }
    assert not context.errors
