"""Explanations as pictures: what must be seen in them is in them, in both languages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pyengine import Action, Engine, State, StateError, picture
from pyengine.model import Choice, Outcome
from tests.conftest import ROOT

STATES = ROOT / "facts" / "states"
SPELL = STATES / "03-spell-and-protection.yaml"
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def norms(state: State, action: str, lang: Any) -> str:
    return str(picture.norms(state, Engine().why(state, action), lang).source)


def words(source: str) -> str:
    return re.sub(r"<[^>]*>|&#160;|\s+", " ", source.replace("&lt;", "<"))


def test_the_principle_that_decided_is_drawn() -> None:
    source = norms(State.load(SPELL), "play(lightning,archer)", "en")
    assert "forbids" in source and "514.1" in source
    assert "would permit, gives way" in source
    assert re.search(r"n0 -> n0_0 .*524\.2", source, re.DOTALL)
    assert "protection(spell)" in source
    russian = norms(State.load(SPELL), "play(lightning,archer)", "ru")
    assert "запрещает" in russian and "уступает" in russian and "нелегально" in russian


def test_what_permits_and_what_forbids_differ_in_shape_too() -> None:
    state = State.load(SPELL)
    illegal, legal = norms(state, "use(furgot,1)", "en"), norms(state, "use(furgot,2)", "en")
    assert "octagon" in illegal and "✗" in illegal
    assert "octagon" not in legal and "✓" in legal


def test_each_outcome_is_a_leaf() -> None:
    state = State.load(STATES / "05-full-table.yaml")
    (taken,) = [each for each in Engine().legal_actions(state) if str(each) == "play(centaur)"]
    found = Engine().resolve(state, taken)
    source = picture.outcomes(state, taken, found, "en").source
    assert len(re.findall(r"^\to\d+ \[", source, re.MULTILINE)) == len(found)


def test_choices_branch_and_what_is_not_drawn_twice_is_marked() -> None:
    state = State.load(SPELL)
    options = ("a", "b", "c")

    def outcome(chosen: str, ways: int) -> Outcome:
        return Outcome(state, (Choice("steppe", "base.target", options, chosen),), (), ways)

    found = [outcome("a", 1), outcome("b", 3)]
    source = picture.outcomes(state, Action.parse("end_turn"), found, "en").source
    assert len(re.findall(r"^\tc\d+_\d+_\d+ \[", source, re.MULTILINE)) == 1  # one question
    assert "steppe chooses" in source and "hexagon" in source
    assert "3 ways" in words(source)
    assert source.count("an outcome that") == 1  # c leads where another leads


def test_chance_is_no_player() -> None:
    state = State.load(SPELL)
    found = [Outcome(state, (Choice(None, "base.target", ("a", "b"), each),)) for each in "ab"]
    source = picture.outcomes(state, Action.parse("end_turn"), found, "en").source
    assert "diamond" in source and "hexagon" not in source


def test_too_many_outcomes() -> None:
    state = State.load(SPELL)
    with pytest.raises(StateError, match="151 outcomes cannot be read"):
        picture.outcomes(state, Action.parse("end_turn"), [Outcome(state)] * 151, "en")


def test_names_cannot_write_into_the_picture() -> None:
    document = State.load(SPELL).to_dict()
    document["cards"]["burk"]["name"] = '<IMG SRC="/etc/passwd"/>">&\\N'
    source = norms(State.from_dict(document), "attack(burk,archer)", "en")
    assert "<IMG" not in source
    assert "&lt;IMG" in source


# --- the command ---------------------------------------------------------------------------------


def run(
    environment: dict[str, str], *args: object, code: str = "", cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    program = [
        sys.executable,
        "-c",
        f"{code}\nfrom pyengine.cli import main; raise SystemExit(main())",
    ]
    return subprocess.run(
        [*program, *map(str, args)], cwd=cwd, env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip


@needs_dot
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_commands_draw(tmp_path: Path, plain_environment: dict[str, str], lang: str) -> None:
    why, outcomes = tmp_path / "why.svg", tmp_path / "outcomes.png"
    done = run(plain_environment, "why", SPELL, "use(furgot,1)", "--lang", lang, "--picture", why)
    assert (done.returncode, done.stderr) == (1, "")
    assert str(why) in done.stdout.replace("\n", "")
    assert "use(furgot,1)" in why.read_text("utf-8") and "base.closed" in why.read_text("utf-8")
    done = run(
        plain_environment, "resolve", SPELL, "end_turn", "--json", "--picture", outcomes,
        "--lang", lang,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("{")
    assert outcomes.read_bytes().startswith(b"\x89PNG")


@needs_dot
def test_the_same_question_gives_the_same_picture(tmp_path: Path) -> None:
    state = State.load(SPELL)
    for name in ("a.svg", "b.svg"):
        graph = picture.norms(state, Engine().why(state, "use(furgot,1)"), "ru")
        picture.save(graph, str(tmp_path / name), "ru")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_what_is_in_the_way(tmp_path: Path, plain_environment: dict[str, str]) -> None:
    question = ("why", SPELL, "use(furgot,1)", "--picture")
    done = run(plain_environment, *question, tmp_path / "a.jpg")
    assert done.returncode == 2
    assert "must end with one of .svg, .png, .pdf, .dot" in done.stderr
    done = run(plain_environment, *question, tmp_path / "none" / "a.dot")
    assert done.returncode == 2 and "cannot be written" in done.stderr
    nowhere = {**plain_environment, "PATH": os.fspath(tmp_path)}
    done = run(nowhere, *question, tmp_path / "a.svg")
    assert done.returncode == 2 and "apt install graphviz" in done.stderr
    assert done.stdout == ""
    missing = "import sys; sys.modules['graphviz'] = None"
    done = run(plain_environment, *question, tmp_path / "a.svg", code=missing)
    assert done.returncode == 2 and "pip install 'pyengine[picture]'" in done.stderr
    assert list(tmp_path.iterdir()) == []
