"""The mutation test itself, on a sample: each mutant in it fails a ruling, or a comment says why not.

The whole run takes an hour (docs/mutations.md). The sample is drawn by its seed among the rules of
508-516, and of all rulings only those are asked that a whole run found to fail with its mutants. A
rule that is changed may fall out of it or come in: `python -m tests.mutations --file 508-516 --sample 12
--seed 129 --json` tells which rulings to ask instead.
"""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from pyengine.solving import RulesError
from tests.conftest import ROOT
from tests.mutations.changes import mutants, read_rules
from tests.mutations.page import HEADING, every_rule, explained
from tests.mutations.survey import CONCERNED, Report, survey, told

SAMPLE, SEED = 12, 129
ASKED = frozenset(
    {
        "classic-525.1-a-trigger-does-not-choose-what-it-cannot-do",
        "heroes-508.4.1-strike-becomes-may-be-greater",
        "heroes-508.4.1-what-sets-the-strike-last-in-order-of-appearance",
        "heroes-509.5-experience-in-defence",
        "heroes-516-instead-with-nothing-to-pick",
        "heroes-516.1-instead-of-regeneration-without-it@heroes_2",
        "heroes-518.1-choose-one",
        "heroes-518.1-picked-where-it-lies",
        "heroes-518.1-strip-what-is-not-there@heroes_2",
        "heroes-518.1-to-play@heroes_2",
        "heroes-524.1-a-stripped-aura-changes-nobody",
        "heroes-base.first_turn-a-creature-that-came-this-turn",
        "heroes-base.queue-played",
        "heroes-filter-numbers-in-filters",
        "heroes-keyword.last_strike-in-a-fight@heroes_2",
        "heroes-keyword.regeneration-at-the-end-of-the-own-turn@heroes_2",
    }
)


@cache
def run(asked: frozenset[str]) -> Report:
    return survey(files=CONCERNED, sample=SAMPLE, seed=SEED, jobs=0, fresh=True, asked=asked)


def test_each_mutant_of_the_sample_is_noticed_or_explained() -> None:
    report = run(ASKED)
    assert len(report.results) >= 15
    assert not report.failing
    assert not report.unexplained, told(report)


def test_a_rule_without_a_ruling_is_reported() -> None:
    """What only one ruling proves survives without it."""
    alone = "heroes-509.5-experience-in-defence"
    assert alone in {result.by for _, result in run(ASKED).results}
    report = run(frozenset({"heroes-base.first_turn-a-creature-that-came-this-turn"}))
    assert any(mutant.excuse is None for mutant, _ in report.unexplained)
    assert "unreached: rules/" in told(report)


def test_mutants_of_a_rule(tmp_path: Path) -> None:
    path = tmp_path / "rules.lp"
    path.write_text(
        "% mutant: weakened: only saves work\n"
        "a(X) :- b(X), not c(X), X < 3.\n"
        "b(1..5).\n"
        "c(X) :- b(X), X = 2.\n",
        "utf-8",
    )
    rules = read_rules(path, "rules.lp")
    assert [(m.rule.line, m.text) for m in mutants(rules)] == [
        (2, "deleted"),
        (2, "dropped `not c(X)`"),
        (2, "dropped `X < 3`"),
        (2, "negated `X < 3`"),
        (3, "deleted"),
        (4, "deleted"),
        (4, "dropped `X = 2`"),
        (4, "negated `X = 2`"),
    ]
    assert [m.excuse for m in mutants(rules)][:2] == [None, "only saves work"]


def test_an_excuse_must_name_its_kind(tmp_path: Path) -> None:
    path = tmp_path / "rules.lp"
    path.write_text("% mutant: deleted, weakened: saves work\n% more\na :- b.\nb.\n", "utf-8")
    (rule, fact) = read_rules(path, "rules.lp")
    assert rule.excuses == {"deleted": "saves work", "weakened": "saves work"}
    assert fact.excuses == {}
    path.write_text("b.\n% mutant: just so\na :- b.\n", "utf-8")
    with pytest.raises(RulesError, match=r"rules\.lp:2: not `% mutant: "):
        read_rules(path, "rules.lp")


def test_the_page_lists_what_is_explained() -> None:
    path = ROOT / "docs" / "mutations.md"
    head, _, rest = path.read_text("utf-8").partition(HEADING)
    text = head + HEADING + rest.partition("###")[0] + explained(every_rule())
    if os.environ.get("PYENGINE_UPDATE"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text("utf-8") == text, "PYENGINE_UPDATE=1 writes it anew"
