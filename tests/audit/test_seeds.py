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
        (folder / "added.lp").write_text(seed["add"], encoding="utf-8")
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


@pytest.mark.parametrize("name", SEEDS)
def test_what_is_seeded_is_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    seed = SEEDS[name]
    report = check(seed, tmp_path)
    assert not report.errors
    known = usual(kin(seed["code"]))
    found = [each for each in report.findings if (each.code, each.rules) not in known]
    codes = {finding.code for finding in found}
    assert codes == ({seed["code"]} if seed["fault"] else set())
    if seed["code"] in NORMS:
        assert all(each.answer != "undecided" for each in report.searched)
    if "rules" in seed:
        assert any(set(seed["rules"]) <= set(finding.rules) for finding in found)
    if "by" in seed:
        assert {len(finding.places) for finding in found} == {1 + seed["by"]}
    if "witness" in seed:
        states = [finding.witness.state for finding in found if finding.witness is not None]
        assert min(len(state.cards) for state in states) == seed["witness"]["cards"]
        assert min(len(state.effects) for state in states) == seed["witness"]["effects"]


def test_there_are_three_of_each() -> None:
    for code in {seed["code"] for seed in SEEDS.values()}:
        faults = [seed["fault"] for seed in SEEDS.values() if seed["code"] == code]
        assert faults.count(True) >= 3 and faults.count(False) >= 3
