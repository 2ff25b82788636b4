"""The command and the report of a check: options, JSON, exit codes, the rulebook as a text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pyengine import Engine, State, StateError
from pyengine.audit import CODES, Finding, Options, Place, Report, Scope, Witness, faults
from pyengine.audit.registry import searches
from pyengine.audit.telling import document, picture, sarif
from pyengine.audit.words import CODES as WORDS
from pyengine.cli import main
from pyengine.documents import data_folder
from pyengine.rulebook import Words


def test_every_code_has_words_in_both_languages() -> None:
    assert tuple(WORDS) == CODES
    for title, meaning in WORDS.values():
        assert title.en != title.ru and meaning.en.endswith(".") and meaning.ru.endswith(".")
    assert {code for search in searches().values() for code in search.codes} <= {*CODES}


def test_the_faults_of_a_check_do_not_come_in_stages(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "sight.lp").write_text("a :- b(X.\n")
    (tmp_path / "rules" / "turn.lp").write_text("a :- b(.\n")
    cards = tmp_path / "cards.yaml"
    cards.write_text("cards: [{id: one, type: creature, lief: 3, abilities: [chrge]}]")
    options = Options(cards=str(cards), rules=str(tmp_path / "rules"), only=("dea",))
    assert [fault.partition(":")[0] for fault in faults(options)] == [
        "only", "turn.lp", "sight.lp", *["cards.yaml"] * 3,
    ]  # fmt: skip


def test_a_scope_is_read_and_its_faults_are_told_at_once() -> None:
    assert Scope.parse("cards=2, effects=0") == Scope(2, 0)
    assert Scope.parse(str(Scope(3, 1, 2))) == Scope(3, 1, 2)
    with pytest.raises(StateError) as error:
        Scope.parse("cards=99,frogs=1,effects,cards=1")
    assert error.value.faults == (
        "scope: cards=99 is not from 1 to 8",
        "scope: 'frogs' is not one of cards=1…8, effects=0…8, numbers=1…9",
        "scope: 'effects' is not of the form cards=4; known: cards=1…8, effects=0…8, numbers=1…9",
        "scope: cards is given twice",
    )
    for text, told in (("cards=-1", "cards=-1 is not from 1 to 8"), ("", "'' is not of the form")):
        with pytest.raises(StateError, match=told):
            Scope.parse(text)


def test_an_empty_scope_is_no_scope_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--scope", "", "--only", "document"]) == 2
    assert "'' is not of the form cards=4" in capsys.readouterr().err


def test_the_documents_own_mistakes_are_found() -> None:
    report = Engine().check(only=("document",))
    assert [(each.code, each.answer) for each in report.searched] == [("document", "found")]
    told = "\n".join(finding.text.en for finding in report.findings)
    for part in (
        "515.1 is printed for 515P.1, 515V.1",
        "share the number 515, and 516 follows 515.6",
        "numbered in 002_b378d98352b56033.txt, without numbers in 000",
        "517.2 refers to 309.2",
        "517.6 refers to part 8",
        "the title of 512 promises a rule X",
        "508.5 is a heading with no text",
        "524.1 has an example 1 and no other",
        "514.3, 525.1: rules of different editions",
    ):
        assert part in told
    assert {finding.severity for finding in report.findings} == {"warning"}


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["check", "--only", "document", "--json"]) == 0
    first = capsys.readouterr().out
    answer = json.loads(first)
    assert answer["scope"]["cards"] == Scope().cards
    assert answer["searched"] == [{"code": "document", "answer": "found"}]
    finding = answer["findings"][0]
    assert {"code", "severity", "rules", "cards", "witness", "text", "remedy"} <= finding.keys()
    assert main(["check", "--only", "document", "--json", "--fail-on", "warning"]) == 1
    assert capsys.readouterr().out == first
    assert main(["check", "--only", "document", "--lang", "ru", "--time-limit", "0"]) == 0
    assert "не решено" in capsys.readouterr().out


def test_faults_of_options_come_all_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--only", "stick", "--edition", "hero", "--scope", "cards=x", "--fail-on", "never"]
    assert main(["check", *options, "--rules", "nowhere", "--set", "99"]) == 2
    told = capsys.readouterr().err
    for part in ("did you mean stuck", "did you mean heroes", "cards=x", "never", "nowhere", "99"):
        assert part in told
    assert len(told.splitlines()) == 6


def test_sarif_has_what_its_schema_requires(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cards = tmp_path / "cards.yaml"
    cards.write_text(
        "cards:\n- {id: sound, type: creature, life: 1}\n"
        "- {id: slip, type: creature, life: 1, abilities: ['armour(1)']}\n",
        encoding="utf-8",
    )
    file = tmp_path / "found.sarif"
    options = ["--only", "vocabulary", "--only", "document", "--sarif", str(file)]
    assert main(["check", "--cards", str(cards), *options]) == 1
    capsys.readouterr()
    log = json.loads(file.read_text(encoding="utf-8"))
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "pyengine" and [rule["id"] for rule in driver["rules"]] == list(CODES)
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        for location in result["locations"]:
            physical = location["physicalLocation"]
            assert not physical["artifactLocation"]["uri"].startswith("/") or physical[
                "artifactLocation"
            ]["uri"] == str(cards)
            assert physical["region"]["startLine"] >= 1
    (slip,) = [result for result in run["results"] if result["ruleId"] == "vocabulary"]
    assert slip["locations"][0]["physicalLocation"]["region"]["startLine"] == 3


def test_a_slip_in_a_class_is_told_with_the_near_word(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cards = tmp_path / "cards.yaml"
    cards.write_text("cards:\n- {id: warden, type: creature, life: 3, class: [baest]}\n")
    for lang, text in (
        ("en", "warden.class: no other card knows the class 'baest'; did you mean beast?"),
        ("ru", "warden.class: класса 'baest' больше ни у кого нет; может быть, beast?"),
    ):
        asked = ["check", "--cards", str(cards), "--only", "vocabulary", "--lang", lang, "--json"]
        assert main(asked) == 0
        (finding,) = json.loads(capsys.readouterr().out)["findings"]
        assert (finding["severity"], finding["text"]) == ("warning", text)
    assert main([*asked, "--fail-on", "warning"]) == 1


def test_no_word_of_our_own_cards_is_taken_for_a_slip() -> None:
    cards = data_folder("facts") / "cards"
    assert Engine().check(cards=cards, only=("vocabulary",)).findings == ()


def test_a_witness_can_be_loaded_again_from_every_form() -> None:
    state = State.from_dict(
        {
            "active": "p1",
            "players": {"p1": {}, "p2": {}},
            "cards": {"a": {"type": "creature", "life": 1, "owner": "p1"}},
        }
    )
    words = Words("one", "раз")
    finding = Finding(
        "loop", "error", words, words, ("516.5",), ("a",), Witness(state), (Place("cards.yaml", 2),)
    )
    report = Report("heroes", Scope(), findings=(finding,), errors=("internal: x",))
    told = document(report, "ru")
    assert State.from_dict(told["findings"][0]["witness"]["state"]) == state
    assert told["findings"][0]["text"] == "раз" and told["errors"] == ["internal: x"]
    assert sarif(report, "en", "1")["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert picture(report, "en") is not None
    assert report.reaches("error") and not replace(report, findings=()).reaches("note")
