"""Page, facts, encoding and rulings are in step: each rule is read, encoded and proved.

``PYENGINE_UPDATE=1 python -m pytest tests/test_reference.py`` writes the pages of today: read the
change before you commit it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from pyengine import Engine, IllegalAction
from pyengine.reference import Reference, anchor, included, main, page, pages, table
from pyengine.rulebook import rule
from tests.conftest import ROOT
from tests.rulings import every_ruling

UPDATE = bool(os.environ.get("PYENGINE_UPDATE"))


@pytest.fixture(scope="module")
def reference() -> Reference:
    return Reference.load()


@pytest.mark.parametrize("name", ["rulebook.md", "rulebook.ru.md", "coverage.md"])
def test_the_page_is_of_today(reference: Reference, name: str) -> None:
    text = pages(reference)[name]
    path = ROOT / "docs" / name
    if UPDATE:
        path.write_text(text, encoding="utf-8", newline="\n")
    assert path.read_text("utf-8") == text, "PYENGINE_UPDATE=1 writes it anew"


def test_each_rule_is_encoded_in_each_of_its_editions(reference: Reference) -> None:
    assert reference.unencoded() == []


def test_each_rule_is_proved_in_each_of_its_editions(reference: Reference) -> None:
    assert reference.unproved() == []


def test_whatever_is_cited_is_a_rule_of_its_edition(reference: Reference) -> None:
    assert reference.unknown() == []


def test_what_is_not_judged_is_neither_encoded_nor_asked(reference: Reference) -> None:
    unjudged = {entry.id for entry in reference.book.values() if entry.outside is not None}
    assert unjudged == set()
    elsewhere = replace(rule("509.3"), id="509.9", outside=rule("509.3").says)
    more = replace(reference, book={**reference.book, "509.9": elsewhere})
    assert more.unencoded() == more.unproved() == []
    assert "**Not judged.** " in page(more, "en")
    assert "- 509.9: " in table(more)


def test_gaps_are_found(reference: Reference) -> None:
    """A rule more in the book has neither an encoding nor a ruling; one fewer is cited for nothing."""
    more = replace(rule("509.3"), id="509.9")
    longer = replace(reference, book={**reference.book, "509.9": more})
    assert longer.unencoded() == longer.unproved() == [(each, "509.9") for each in more.editions]
    book = {id: entry for id, entry in reference.book.items() if id != "509.3"}
    found = replace(reference, book=book).unknown()
    assert any(fault.startswith("rules/") and fault.endswith(": 509.3") for fault in found)
    assert any(fault.endswith(": 509.3 (heroes)") for fault in found)


def test_a_rule_of_another_edition_is_no_rule_here(reference: Reference) -> None:
    proved = {**reference.proved, ("classic", "509.3"): ("odd",)}
    assert "odd: 509.3 (classic)" in replace(reference, proved=proved).unknown()


def test_classic_cites_its_own_rules_or_what_is_lent_to_it() -> None:
    """Verdicts and traces of classic name no rule of Heroes that classic does not go by."""
    engine, named = Engine(), set[str]()
    for ruling in every_ruling("classic"):
        for verdict in engine.judge(ruling.state):
            named |= {each.rule for each in verdict.because}
        for asked in ruling.resolve:
            with suppress(IllegalAction):
                for outcome in engine.resolve(ruling.state, asked.action):
                    named |= {step.rule for step in outcome.trace}
                    named |= {choice.rule for choice in outcome.choices}
    assert {name for name in named if not rule(name).judges("classic")} == set()
    assert {"508.4.1", "525.1"} <= named


def test_files_are_those_of_the_edition() -> None:
    texts = {"a": '#include "b".\n', "b": '#include "c".\n#include "a".', "c": "", "d": ""}
    assert included("a", texts) == ["a", "b", "c"]


def test_encoding_differs_between_editions(reference: Reference) -> None:
    assert "rules/editions/heroes_2.lp" in reference.encoded["heroes_2", "516.4"]
    assert "rules/editions/heroes_2.lp" not in reference.encoded["heroes", "516.4"]
    assert ("classic", "509.3") not in reference.encoded


def test_a_page_says_all_of_a_rule(reference: Reference) -> None:
    text = page(reference, "en")
    _, _, entry = text.partition("### 516.4 ")
    entry = entry.partition("<a id=")[0]
    for part in (
        rule("516.4").says.en,
        rule("516.4", "heroes_2").says.en,
        "000_a9c671fe7db8f7b7.txt (without a number)",
        "[rules/editions/heroes.lp](../rules/editions/heroes.lp)",
        f"`{reference.proved['heroes', '516.4'][0]}`",
    ):
        assert part in entry
    assert "### 516.4 Замещения обоих игроков" in page(reference, "ru")
    assert f'<a id="{anchor("keyword.first_strike")}"></a>' in text


def test_the_command_writes_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["reference", str(tmp_path)])
    main()
    assert {path.name for path in tmp_path.iterdir()} == {
        "rulebook.md", "rulebook.ru.md", "coverage.md",
    }  # fmt: skip
