"""Seeded faults of cards and of what declarations come to: each is found, and nothing beside it.

``seeded/CODE.yaml`` lists them. Each witness is as small as can be: with any card, effect or mark
less the fault is gone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pyengine import Engine, State
from pyengine.audit import Finding, Report, Witness
from pyengine.audit.outcomes import Asking, order_faults, undecided
from pyengine.audit.pairs import quarrels
from pyengine.audit.registry import Context, Options
from pyengine.audit.witness import smaller, sound
from pyengine.documents import data_folder
from pyengine.model import Outcome, PyengineError

SEEDS = [
    {"code": file.stem, **seed}
    for file in sorted((Path(__file__).parent / "seeded").glob("*.yaml"))
    for seed in yaml.safe_load(file.read_text(encoding="utf-8"))
]
CODES = ("vocabulary", "self-contradiction", "order", "loop", "nondeterminism")


def rules_of(seed: dict[str, Any], folder: Path) -> Path | None:
    """The folder of the chapters that a seed adds, or from which it takes what names a word."""
    if "add" in seed:
        (folder / "added.lp").write_text(seed["add"], encoding="utf-8")
        return folder
    if "drop" not in seed:
        return None
    root = data_folder("rules").parent
    for path in [root / "rules.lp", *root.glob("rules/*.lp")]:
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if seed["drop"] not in line or line.startswith("%")]
        if kept != lines:
            (folder / path.name).write_text("\n".join(kept) + "\n", encoding="utf-8")
    return folder


def check(seed: dict[str, Any], folder: Path) -> tuple[Report, Engine]:
    cards = folder / "cards.yaml"
    cards.write_text(yaml.safe_dump({"cards": seed["cards"]}), encoding="utf-8")
    rules = folder / "rules"
    rules.mkdir()
    engine = Engine(rules_of(seed, rules))
    edition = seed.get("edition", "heroes")
    return engine.check(edition, cards=cards, sets=(), only=CODES), engine


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: f"{seed['code']}: {seed['seed']}")
def test_what_is_seeded_is_found_and_nothing_else(seed: dict[str, Any], tmp_path: Path) -> None:
    report, engine = check(seed, tmp_path)
    assert not report.errors
    assert {each.code for each in report.findings} == ({seed["code"]} if seed["fault"] else set())
    assert all(each.answer != "undecided" for each in report.searched)
    for finding in report.findings:
        assert finding.cards == (seed["cards"][0]["id"],)
        assert finding.text.en != finding.text.ru and finding.places
        if finding.witness is not None:
            assert finding.severity in ("error", "warning")
            assert_smallest(engine, finding, finding.witness)


def assert_smallest(engine: Engine, finding: Finding, witness: Witness) -> None:
    """It shows the fault, and no position with one thing less shows it."""
    asking = Asking(Context(Options(edition=witness.state.edition)))
    asking.engine = engine
    asking.context.__dict__["engine"] = engine
    assert shows(asking, finding, witness.state)
    for less in smaller(witness.state):
        assert not (sound(less) and shows(asking, finding, less)), less.to_yaml()


def shows(asking: Asking, finding: Finding, state: State) -> bool:
    assert finding.witness is not None
    action = finding.witness.action
    if all(card.id != "x" for card in state.cards):
        return False
    try:
        if finding.code == "self-contradiction":
            told = {f"{q.winner} denies {q.loser}" for q in quarrels(asking, state)}
            return any(part in finding.text.en for part in told)
        assert action is not None
        if finding.code == "order":
            found = order_faults(asking, state, action, (), set())
            return any(each.text == finding.text for each in found)
        if action not in asking.engine.legal_actions(state):
            return False
        return finding.code in {fault.code for fault in asking.faults(state, action)}
    except PyengineError:
        return False


def test_there_are_three_of_each() -> None:
    for code in {seed["code"] for seed in SEEDS}:
        faults = [seed["fault"] for seed in SEEDS if seed["code"] == code]
        assert faults.count(True) >= 3 and faults.count(False) >= 3, code


def test_chance_and_choices_are_no_nondeterminism() -> None:
    state = State.from_dict(
        {"active": "p1", "players": {"p1": {}, "p2": {}}, "cards": {}}
    )  # fmt: skip
    other = State.from_dict(
        {"active": "p1", "turn": 2, "players": {"p1": {}, "p2": {}}, "cards": {}}
    )
    assert undecided([Outcome(state), Outcome(other)])
    assert not undecided([Outcome(state)])
    assert not undecided([Outcome(state, ways=3), Outcome(other, ways=1)])
