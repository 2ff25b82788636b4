"""Seeded faults: each rule set or card that has a fault is found, and what almost has it is not.

``seeds/CODE.yaml`` lists them. Of a rule set only what it has beside our rules counts.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pyengine import Engine
from pyengine.audit import Report, Scope
from pyengine.audit.idle_abilities import idle_abilities
from pyengine.audit.idle_steps import idle_steps
from pyengine.audit.positions import GivenUp
from pyengine.audit.registry import Context, Options
from pyengine.audit.ties import tied, ties, unordered
from pyengine.audit.witness import smaller, sound
from pyengine.documents import data_folder

SEEDS = {
    seed["seed"]: {"code": file.stem, **seed}
    for file in sorted((Path(__file__).parent / "seeds").glob("*.yaml"))
    for seed in yaml.safe_load(file.read_text(encoding="utf-8"))
}
NORMS = ("conflict", "tie", "unmeetable", "stuck")
TIES = [name for name in SEEDS if SEEDS[name]["code"] == "tie" and "change" in SEEDS[name]]
USELESS = ("dead", "shadowed", "redundant")
# by the codes that are looked for together how far; what a survey finds, it finds among few cards
SCOPES = {NORMS: Scope(cards=3, effects=1, numbers=2), USELESS: Scope(cards=3, effects=0)}


def rules_of(seed: dict[str, Any], folder: Path) -> Path | None:
    """The folder of the chapters that a seed changes or adds."""
    if "add" not in seed and "change" not in seed:
        return None
    root = data_folder("rules").parent
    if "add" in seed:
        (folder / f"{seed['seed']}.lp").write_text(seed["add"], encoding="utf-8")
    for change in seed.get("change", ()):
        path = folder / change["file"]
        text = (path if path.exists() else root / change["file"]).read_text(encoding="utf-8")
        assert change["from"] in text, "our chapter is another now: the seed does not fit"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(change["from"], change["to"]), encoding="utf-8")
    return folder


def check(seed: dict[str, Any], folder: Path) -> Report:
    cards = None
    if "cards" in seed:
        cards = folder / "cards.yaml"
        cards.write_text(yaml.safe_dump({"cards": seed["cards"]}), encoding="utf-8")
    (folder / "rules").mkdir()
    engine = Engine(rules_of(seed, folder / "rules"))
    codes = kin(seed["code"])
    return engine.check(cards=cards, sets=(), scope=SCOPES[codes], only=codes)


def kin(code: str) -> tuple[str, ...]:
    return NORMS if code in NORMS else USELESS


@cache
def usual(codes: tuple[str, ...]) -> frozenset[tuple[str, tuple[str, ...]]]:
    """What the shipped rules are told of by themselves."""
    report = Engine().check(sets=(), scope=SCOPES[codes], only=codes)
    return frozenset((finding.code, finding.rules) for finding in report.findings)


@pytest.mark.parametrize(
    "name", [name for name in SEEDS if SEEDS[name]["code"] in NORMS and name not in TIES]
)
def test_what_is_seeded_is_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    seed = SEEDS[name]
    report = check(seed, tmp_path)
    assert not report.errors
    known = usual(kin(seed["code"]))
    found = [each for each in report.findings if (each.code, each.rules) not in known]
    codes = {finding.code for finding in found}
    assert codes == ({seed["code"]} if seed["fault"] else set())
    assert all(each.answer != "undecided" for each in report.searched)
    if "rules" in seed:
        assert any(set(seed["rules"]) <= set(finding.rules) for finding in found)
    if "witness" in seed:
        states = [finding.witness.state for finding in found if finding.witness is not None]
        assert min(len(state.cards) for state in states) == seed["witness"]["cards"]
        assert min(len(state.effects) for state in states) == seed["witness"]["effects"]


@pytest.mark.parametrize("code", USELESS)
@pytest.mark.parametrize("faulty", [True, False])
def test_rules_that_do_not_matter(code: str, faulty: bool, tmp_path: Path) -> None:
    """Those of one code stand side by side, each in a chapter of its own: a survey takes a while."""
    seeds = [
        seed
        for seed in SEEDS.values()
        if (seed["code"], seed["fault"]) == (code, faulty) and not {"cards", "steps"} & seed.keys()
    ]
    for seed in seeds:
        rules_of(seed, tmp_path)
    report = Engine(tmp_path).check(sets=(), scope=SCOPES[USELESS], only=USELESS)
    assert not report.errors
    theirs = {path.name for path in tmp_path.glob("*.lp")}
    found = {
        finding.places[0].file.removesuffix(".lp"): finding
        for finding in report.findings
        if finding.places[0].file in theirs
    }
    assert sorted(found) == sorted(seed["seed"] for seed in seeds if faulty)
    # ours are told of as they are without them
    others = [each for each in report.findings if each.places[0].file not in theirs]
    assert [(each.code, each.places[0].file) for each in others] == [("shadowed", "rules.lp")]
    for seed in seeds:
        if faulty:
            finding = found[seed["seed"]]
            assert finding.code == code
            assert set(seed["rules"]) <= set(finding.rules)
            assert len(finding.places) == 1 + seed.get("by", 0)
            assert (finding.witness is None) == (code == "dead")


@pytest.mark.parametrize("faulty", [True, False])
def test_rules_that_do_not_matter_to_a_step(faulty: bool, tmp_path: Path) -> None:
    """All stand side by side: the declarations of the rulings are gone through once."""
    seeds = {
        name: seed for name, seed in SEEDS.items() if seed.get("steps") and seed["fault"] == faulty
    }
    for seed in seeds.values():
        rules_of(seed, tmp_path)
    context = Context(Options(rules=str(tmp_path), sets=()))
    found = {each.places[0].file.removesuffix(".lp"): each for each in idle_steps(context)}
    assert not context.errors
    assert sorted(found) == sorted(seeds if faulty else ())
    for name, finding in found.items():
        assert finding.code == seeds[name]["code"]
        assert finding.rules == tuple(map(str, seeds[name]["rules"]))
        assert (finding.witness is None) == (finding.code == "dead")


@pytest.mark.parametrize("name", TIES)
def test_what_has_no_order(name: str, tmp_path: Path) -> None:
    """One finding tells of it, with a position from which nothing can be taken away."""
    seed = SEEDS[name]
    rules = rules_of(seed, tmp_path)
    context = Context(Options(rules=str(rules), sets=()))
    found = list(unordered(context))
    assert not context.errors
    assert [finding.rules for finding in found] == [tuple(seed.get("rules", ()))] * seed["fault"]
    program = tied("heroes", rules)
    for finding in found:
        witness = finding.witness
        assert witness is not None and witness.action is not None
        assert ties(program, witness.state, witness.action)
        for less in smaller(witness.state):
            legal = sound(less) and witness.action in context.engine.legal_actions(less)
            assert not (legal and ties(program, less, witness.action)), less.to_yaml()


DEAD = [name for name in SEEDS if SEEDS[name]["code"] == "dead" and "cards" in SEEDS[name]]


@pytest.mark.parametrize("name", DEAD)
def test_abilities_that_never_act(name: str, tmp_path: Path) -> None:
    """One ability is told of, the last of the card, and nothing if it can act."""
    seed = SEEDS[name]
    cards = tmp_path / "cards.yaml"
    cards.write_text(yaml.safe_dump({"cards": seed["cards"]}), encoding="utf-8")
    context = Context(Options(cards=str(cards), sets=()))
    found = list(idle_abilities(context))
    assert not context.errors
    assert [finding.code for finding in found] == ["dead"] * seed["fault"]
    for finding in found:
        assert finding.cards == ("x",) and finding.places[0].file == str(cards)
        assert seed["cards"][0]["abilities"][-1] in finding.text.en
        assert finding.text.en != finding.text.ru


def test_an_ability_that_hangs_on_what_is_not_generated_is_undecided(tmp_path: Path) -> None:
    cards = tmp_path / "cards.yaml"
    text = "cards: [{id: x, type: creature, life: 3, abilities: ['grant(attacked,charge)']}]"
    cards.write_text(text, encoding="utf-8")
    with pytest.raises(GivenUp):
        list(idle_abilities(Context(Options(cards=str(cards), sets=()))))


def test_every_ability_of_set_22_can_act() -> None:
    assert not list(idle_abilities(Context(Options())))


def test_there_are_three_of_each() -> None:
    for code in {seed["code"] for seed in SEEDS.values()}:
        faults = [seed["fault"] for seed in SEEDS.values() if seed["code"] == code]
        assert faults.count(True) >= 3 and faults.count(False) >= 3
