"""Seeded faults of cards and of what declarations come to: each is found, and nothing beside it.

``seeded/CODE.yaml`` lists them. Each witness is as small as can be: with any card, effect or mark
less the fault is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pyengine import Engine, State
from pyengine.abreast import ends_of
from pyengine.audit import Finding, Report, Witness
from pyengine.audit.outcomes import Asking, order_faults, undecided
from pyengine.audit.pairs import exchanged_dates, norm_faults, quarrels
from pyengine.audit.registry import Context, Options
from pyengine.audit.scenes import alone, telling
from pyengine.audit.witness import smaller, sound
from pyengine.documents import data_folder
from pyengine.kinds import Kind, catalogue
from pyengine.limits import Limits
from pyengine.model import Action, LimitError, Outcome, PyengineError

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


def check(seeds: Sequence[dict[str, Any]], folder: Path) -> tuple[Report, Engine]:
    """The report on the cards of seeds that have their rules in common."""
    cards = folder / "cards.yaml"
    every = [card for seed in seeds for card in seed["cards"]]
    cards.write_text(yaml.safe_dump({"cards": every}), encoding="utf-8")
    rules = folder / "rules"
    rules.mkdir()
    engine = Engine(rules_of(seeds[0], rules))
    edition = seeds[0].get("edition", "heroes")
    return engine.check(edition, cards=cards, sets=(), only=CODES), engine


# those that need no rules of their own are looked at together: each card is by itself all the same
ALONE = [seed for seed in SEEDS if seed["code"] != "pair"]
PLAIN = [
    {**seed, "cards": [{**card, "id": f"x{number}"} for card in seed["cards"]]}
    for number, seed in enumerate(ALONE)
    if not {"add", "drop", "edition"} & seed.keys()
]
OTHERS = [seed for seed in ALONE if {"add", "drop", "edition"} & seed.keys()]
PAIRS = [seed for seed in SEEDS if seed["code"] == "pair"]


def test_what_is_seeded_is_found_and_nothing_else(tmp_path: Path) -> None:
    report, engine = check(PLAIN, tmp_path)
    for seed in PLAIN:
        id = seed["cards"][0]["id"]
        assert_told(seed, report, engine, [each for each in report.findings if id in each.cards])


@pytest.mark.parametrize("seed", OTHERS, ids=lambda seed: f"{seed['code']}: {seed['seed']}")
def test_what_is_seeded_beside_other_rules_is_found_and_nothing_else(
    seed: dict[str, Any], tmp_path: Path
) -> None:
    report, engine = check([seed], tmp_path)
    assert_told(seed, report, engine, report.findings)


def assert_told(
    seed: dict[str, Any], report: Report, engine: Engine, findings: Sequence[Finding]
) -> None:
    """What is found of a card is what is seeded, with smallest witnesses."""
    assert not report.errors and not any(each.left for each in report.searched)
    assert {each.code for each in findings} == ({seed["code"]} if seed["fault"] else set())
    for finding in findings:
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


@pytest.mark.parametrize("seed", PAIRS, ids=lambda seed: seed["seed"])
def test_two_cards_that_are_seeded_are_found_and_nothing_else(
    seed: dict[str, Any], tmp_path: Path
) -> None:
    cards = tmp_path / "cards.yaml"
    cards.write_text(yaml.safe_dump({"cards": seed["cards"]}), encoding="utf-8")
    report = Engine().check(cards=cards, sets=(), only=("pair",))
    assert not report.errors and not any(each.left for each in report.searched)
    found = [(each.code, each.pair_of, each.cards) for each in report.findings]
    assert found == ([("pair", seed["of"], tuple(seed["together"]))] if seed["fault"] else [])
    for finding in report.findings:
        assert finding.witness is not None and pair_shows(finding, finding.witness.state)
        for less in smaller(finding.witness.state):
            assert not (sound(less) and pair_shows(finding, less)), less.to_yaml()


@cache
def ours() -> Asking:
    """The shipped rules; kept, for 516.5 has to be taken out of them."""
    return Asking(Context(Options()))


def pair_shows(finding: Finding, state: State) -> bool:
    assert finding.witness is not None
    action = finding.witness.action
    asking = ours()
    context = asking.context
    if not {"x", "y"} <= {card.id for card in state.cards}:
        return False
    try:
        if action is None:
            return finding.pair_of in norm_faults(context, state)
        if action not in asking.engine.legal_actions(state):
            return False
        if finding.pair_of == "order":
            return any(order_faults(asking, state, action, (), set(), exchanged_dates))
        return finding.pair_of in {fault.code for fault in asking.faults(state, action)}
    except PyengineError:
        return False


def test_what_is_followed_side_by_side_comes_to_what_each_alone_does() -> None:
    engine = Engine()
    kinds = [kind for kind in catalogue().values() if kind.set == 22 and kind.abilities][:24]
    asked = [
        (state, action)
        for kind in kinds
        for state in alone(kind, "heroes")
        for action in telling(state, engine.legal_actions(state), ("x",))
    ]
    most = Limits(steps=20)
    found = ends_of(engine, asked, most)
    assert len(asked) > 40
    limits = 0
    for (state, action), ends in zip(asked, found, strict=True):
        if isinstance(ends, LimitError):
            limits += 1
            with pytest.raises(LimitError) as raised:
                Engine(limits=most).resolve(state, action)
            assert (raised.value.limit, raised.value.most) == (ends.limit, ends.most)
        elif ends is not None:
            assert ends == engine.resolve(state, action), (action, state.to_yaml())
    assert limits and found.count(None) < 4


TWICE = "on(attack,both(wound(1,target(character)),wound(1,target(character))))"


@pytest.mark.parametrize(
    ("texts", "told"),
    [((TWICE,), None), (tuple(f"on(attack,heal({n},self))" for n in range(1, 8)), "attack(x,b)")],
)
def test_where_too_many_ways_lead_on_less_is_asked_of_or_it_is_told(
    texts: tuple[str, ...], told: str | None, tmp_path: Path
) -> None:
    """Targets are fewer where fewer cards are; in how many orders seven triggers come is no less."""
    asking = Asking(Context(Options()))
    state = next(alone(Kind("x", "creature", life=3, abilities=texts), "heroes"))
    assert asking.outcomes(state, Action("attack", ("x", "b"))) == []
    card = {"id": "x", "type": "creature", "life": 3, "abilities": [*texts]}
    file = tmp_path / "cards.yaml"
    file.write_text(yaml.safe_dump({"cards": [card]}), encoding="utf-8")
    report = Engine().check(cards=file, sets=(), only=("nondeterminism",))
    (searched,) = report.searched
    assert searched.answer == ("none" if told is None else "undecided")
    assert bool(searched.left) == (told is not None)
    assert told is None or any(told in left.en and texts[0] in left.ru for left in searched.left)


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
