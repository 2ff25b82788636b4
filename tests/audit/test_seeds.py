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
from pyengine.documents import data_folder

SEEDS = {
    seed["seed"]: {"code": file.stem, **seed}
    for file in sorted((Path(__file__).parent / "seeds").glob("*.yaml"))
    for seed in yaml.safe_load(file.read_text(encoding="utf-8"))
}
NORMS = ("conflict", "tie", "unmeetable", "stuck")
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


@pytest.mark.parametrize("name", [name for name in SEEDS if SEEDS[name]["code"] in NORMS])
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
    seeds = [seed for seed in SEEDS.values() if seed["code"] == code and seed["fault"] == faulty]
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


def test_there_are_three_of_each() -> None:
    for code in {seed["code"] for seed in SEEDS.values()}:
        faults = [seed["fault"] for seed in SEEDS.values() if seed["code"] == code]
        assert faults.count(True) >= 3 and faults.count(False) >= 3
