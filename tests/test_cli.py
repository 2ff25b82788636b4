"""The commands: what they print, in which language, and how they end."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from pyengine import cli, helping
from pyengine.cli.reading import answering
from pyengine.documents import data_folder
from pyengine.model import (
    Action,
    Choice,
    Explanation,
    IllegalAction,
    LimitError,
    Node,
    Outcome,
    Reason,
    State,
    StateError,
    Step,
    Values,
    Verdict,
)
from pyengine.watch import looked_on

COMMANDS = helping.names(typer.main.get_command(cli.app))
TABLE = """
active: p1
players: {p1: {coins: 3}, p2: {}}
cards:
  hero1: {type: hero, life: 25, owner: p1}
  hero2: {type: hero, life: 25, owner: p2}
  ork: {type: creature, name: Орк, strike: 3, life: 5, owner: p1}
  guard: {type: creature, strike: 1, life: 4, owner: p2, closed: true}
"""
RULING = f"""
ruling: one
cites: ["base.attack"]
state: {TABLE.replace(chr(10), chr(10) + "  ")}
legal: ["attack(ork,hero2)"]
illegal: {{"attack(guard,hero1)": ["base.turn"]}}
"""


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


class Fake:
    """An engine with three answers."""

    asked: State

    def judge(self, state: State) -> list[Verdict]:
        self.__class__.asked = state
        legal = Reason("base.attack", "ork")
        closed = Reason("base.closed", "ork")
        return [
            Verdict(Action.parse("attack(ork,guard)"), False, (closed,)),
            Verdict(Action.parse("attack(ork,hero2)"), True, (legal,)),
            Verdict(Action.parse("end_turn"), True, (Reason("base.turn"),)),
        ]

    def why(self, state: State, action: Action) -> Explanation:
        found = {verdict.action: verdict for verdict in self.judge(state)}
        closed = Reason("base.closed", str(action.args[0]) if action.args else None)
        verdict = found.get(action, Verdict(action, False, (closed,)))
        tree = tuple(Node(reason.rule, reason.by, "") for reason in verdict.because)
        return Explanation(verdict, tree)

    def values(self, state: State, id: str) -> Values:
        card = state.card(id)
        return Values(0, card.life, card.cost, card.element, card.classes)

    def all_values(self, state: State) -> dict[str, Values]:
        return {card.id: self.values(state, card.id) for card in state.cards}

    def resolve(self, state: State, action: Action) -> list[Outcome]:
        verdict = self.why(state, action).verdict
        if not verdict.legal:
            raise IllegalAction(verdict)
        if action.verb == "end_turn":
            raise LimitError("more than 9 outcomes; raise LIMITS.outcomes")
        choice = Choice("p2", "516.3", ("а", "b"), "а")
        step = Step("apply", "508.4.3", "ork", "hero2", 3)
        return [Outcome(state, (choice,), (step,), 2)]


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pyengine.engine.Engine", Fake)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def runs(*args: str) -> Result:
        code = cli.main(list(args))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return runs


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.yaml"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


@pytest.fixture
def ruling(tmp_path: Path) -> str:
    path = tmp_path / "rulings" / "one.yaml"
    path.parent.mkdir()
    path.write_text(RULING, encoding="utf-8")
    return str(path)


# --- answers -------------------------------------------------------------------------------------


def test_legal_as_json(run: Run, table: str) -> None:
    result = run("legal", table, "--json")
    assert result.code == 0 and result.err == ""
    assert json.loads(result.out) == {
        "edition": "heroes",
        "player": "p1",
        "legal": [
            {
                "action": "attack(ork,hero2)",
                "because": [
                    {
                        "rule": "base.attack",
                        "by": "ork",
                        "text": "Орк (ork) is open, has not attacked yet and may attack hero2",
                    }
                ],
            },
            {
                "action": "end_turn",
                "because": [
                    {
                        "rule": "base.turn",
                        "by": None,
                        "text": "the active player may end the turn",
                    }
                ],
            },
        ],
        "illegal": [
            {
                "action": "attack(ork,guard)",
                "because": [{"rule": "base.closed", "by": "ork", "text": "Орк (ork) is closed"}],
            }
        ],
    }
    assert "Орк" in result.out  # not escaped


def test_legal_for_people(run: Run, table: str) -> None:
    result = run("legal", table)
    assert result.code == 0
    lines = [line.strip() for line in result.out.splitlines()]
    assert lines.index("Legal: 2") < lines.index("✓ attack(ork,hero2)") < lines.index("✓ end_turn")
    assert lines.index("Illegal: 1") < lines.index("✗ attack(ork,guard)")
    assert "base.closed: Орк (ork) is closed" in lines
    assert all(line == line.rstrip() for line in result.out.splitlines())


def test_legal_only(run: Run, table: str) -> None:
    assert "✗" not in run("legal", table, "--legal-only").out
    assert json.loads(run("legal", table, "--legal-only", "--json").out)["illegal"] == []


def test_why(run: Run, table: str) -> None:
    result = run("why", table, "attack( ork, guard )", "--json")
    assert result.code == 1
    assert json.loads(result.out) == {
        "action": "attack(ork,guard)",
        "legal": False,
        "because": [{"rule": "base.closed", "by": "ork", "text": "Орк (ork) is closed"}],
        "tree": [
            {"rule": "base.closed", "by": "ork", "text": "Орк (ork) is closed", "children": []}
        ],
    }
    assert run("why", table, "end_turn").code == 0


def test_resolve(run: Run, table: str) -> None:
    result = run("resolve", table, "attack(ork,hero2)", "--json")
    assert result.code == 0
    answer = json.loads(result.out)
    (outcome,) = answer["outcomes"]
    assert answer["action"] == "attack(ork,hero2)"
    assert list(outcome) == ["ways", "choices", "trace", "changes", "state"]
    assert outcome["ways"] == 2
    said = outcome["choices"][0].pop("text"), outcome["choices"][0].pop("options_text")
    assert said == ("а", ["а", "b"])
    assert outcome["choices"] == [
        {"player": "p2", "rule": "516.3", "options": ["а", "b"], "chosen": "а"}
    ]
    assert "takes 3 wounds" in outcome["trace"][0].pop("text")
    assert outcome["trace"] == [
        {"step": "apply", "rule": "508.4.3", "by": "ork", "what": "hero2", "value": 3}
    ]
    assert State.from_dict(outcome["state"]) == State.load(table)


def test_resolve_what_is_illegal(run: Run, table: str) -> None:
    result = run("resolve", table, "attack(ork,guard)", "--json")
    assert result.code == 1
    assert json.loads(result.out) == {
        "action": "attack(ork,guard)",
        "legal": False,
        "because": [{"rule": "base.closed", "by": "ork", "text": "Орк (ork) is closed"}],
    }
    told = run("resolve", table, "attack(ork,guard)")
    assert told.code == 1 and "base.closed: Орк (ork) is closed" in told.out


def test_verify(run: Run, ruling: str) -> None:
    result = run("verify", ruling)
    assert result.code == 1
    first, count = result.out.splitlines()
    assert first.startswith("✗ one (") and "expected illegal by base.turn, came" in first
    assert count == "0 rulings passed, 1 failed"
    answer = json.loads(run("verify", str(Path(ruling).parent), "--json").out)
    assert answer["passed"] == 0
    assert [failed["ruling"] for failed in answer["failed"]] == ["one"]


def test_verify_passes(run: Run, ruling: str) -> None:
    text = RULING.replace('["base.turn"]', '["base.closed"]')
    Path(ruling).write_text(text, encoding="utf-8")
    assert run("verify", ruling) == Result(0, "1 ruling passed, 0 failed\n", "")
    assert run("verify", ruling, "--edition", "heroes_2").out == "0 rulings passed, 0 failed\n"


def test_verify_coverage(run: Run, ruling: str) -> None:
    answer = json.loads(run("verify", ruling, "--coverage", "--json").out)["coverage"]
    assert list(answer) == ["heroes"]
    assert "base.attack" in answer["heroes"]["exercised"]
    assert "509.3" in answer["heroes"]["unexercised"]
    assert not answer["heroes"]["edges"]
    edge = {"rule": "514.2", "over": "base.attack", "principle": "524.2"}
    assert edge in answer["heroes"]["unexercised_edges"]
    assert "523.1" not in str(answer)
    told = run("verify", ruling, "--coverage").out
    assert "Exercised by the rulings (2): base.attack, base.closed" in told
    assert "514.2 over base.attack by 524.2" in told


def test_rules(run: Run) -> None:
    assert "509.3" in run("rules").out and "523.1" in run("rules").out
    assert "523.1" not in run("rules", "--edition", "heroes").out
    told = run("rules", "509.3").out
    assert "rules/" in told and "Encoded in" in told and "Rulings" in told
    assert "Дважды" in told and "twice" in told  # the reading is there in both languages
    entry = json.loads(run("rules", "509.3", "--json").out)
    assert entry["id"] == "509.3" and set(entry["says"]) == {"en", "ru"}
    assert entry["encoded"] and entry["rulings"]
    assert len(json.loads(run("rules", "--json").out)["rules"]) > 80


def test_show(run: Run, table: str) -> None:
    told = run("show", table).out
    assert "╭─ ork" in told and all(len(line) <= 80 for line in told.splitlines())
    assert "strike 0" in told  # as it is now, not as printed
    document = json.loads(run("show", table, "--json").out)
    assert document["cards"]["ork"]["zone"] == "play"


def test_schema(run: Run) -> None:
    assert json.loads(run("schema").out)["$schema"].startswith("https://json-schema.org/")


def test_version(run: Run) -> None:
    result = run("--version")
    assert result.code == 0 and result.out.startswith("pyengine ")


@pytest.mark.parametrize(
    "command",
    ["legal", "why", "resolve", "verify", "rules", "show", "play", "replay", "schema"],
)
def test_help_has_an_example(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert f"Example: pyengine {command}" in result.out


def test_every_help_text_has_a_russian_form() -> None:
    program = typer.main.get_command(cli.app)
    said = set(helping.texts(program)) - {"Show this message and exit."}
    assert said <= helping.HELP.keys()
    assert helping.HELP.keys() - said == {"Show this message and exit."}  # and none is left over
    values = {
        param.metavar
        for _, params in helping.commands(program)
        for param in params
        if param.metavar is not None
    }
    assert {value for value in values if value.upper() == value} <= helping.VALUES.keys()


@pytest.mark.parametrize("command", [[], *([each] for each in COMMANDS)])
def test_the_help_is_in_the_language_that_is_asked_for(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    english = run(*command, "--help").out
    russian = run(*command, "--help", "--lang", "ru").out
    assert russian == run("--lang", "ru", *command, "-h").out
    assert english == run(*command, "--help").out  # nothing of the other language stays
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert russian == run(*command, "--help").out
    assert english == run(*command, "--help", "--lang=en").out
    # what is typed, and names, are the same in both; no sentence is
    lines = [line.strip(" │╭╮╰╯─") for line in russian.splitlines()]
    left = [line for line in lines if re.search("[a-z]{3} [a-z]{3}", line)]
    assert [line for line in left if not re.search("[а-я]|Пример:|pyengine", line)] == []


def test_a_language_before_the_command_is_that_of_the_answer(run: Run, table: str) -> None:
    assert run("--lang", "ru", "legal", table) == run("legal", table, "--lang", "ru")
    assert run("--lang", "ru", "legal", table, "--lang", "en") == run("legal", table)
    assert run("--lang", "fr", "legal", table).code == 2


@pytest.mark.parametrize(
    ("words", "english", "russian"),
    [
        (["check", "--jobs", "0"], "'0' is not a whole number of 1 or more", "'0' — не целое число от 1 и больше"),
        (["check", "--set", "x"], "'x' is not a whole number of 0 or more", "'x' — не целое число от 0 и больше"),
        (["play", "--seed", "abc"], "'abc' is not a whole number", "'abc' — не целое число"),
        (["serve", "--port", "99999"], "'99999' is not a whole number from 0 to 65535", "'99999' — не целое число от 0 до 65535"),
        (["serve", "--seconds", "0"], "'0' is not a number from 0.1 to 3600", "'0' — не число от 0.1 до 3600"),
    ],
)  # fmt: skip
def test_a_number_that_may_not_be_is_told_with_what_may(
    run: Run, words: list[str], english: str, russian: str
) -> None:
    assert f"{words[1]}: {english} (see " in run(*words).err
    assert f"{words[1]}: {russian} (" in run(*words, "--lang", "ru").err


def test_no_help_loses_the_name_of_an_extra(run: Run) -> None:
    assert "pyengine[web]" in run("serve", "--help").out
    assert "pyengine[picture]" in run("why", "--help").out.replace("\n", " ")


@pytest.mark.parametrize(
    "words",
    [
        ["legl"], ["--foo"], ["legal", "--foo"], ["legal", "--jsn", "x"], ["legal"],
        ["legal", "a", "b"], ["legal", "a", "--lang"], ["check", "--compare", "heroes"],
        ["legal", "x", "--json=3"], ["serve", "--port", "x"], ["serve", "--port", "99999"],
        ["serve", "--seconds", "0"], ["check", "--time-limit", "q"],
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_told_in_russian(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    result = run(*words)
    assert result.code == 2
    told = result.err.partition(": ")[2].partition(" (справка: ")[0]
    assert re.search("[а-я]", told) and not re.search("[a-z]{3} [a-z]{3}", told)


def test_the_same_input_gives_the_same_bytes(run: Run, table: str) -> None:
    for args in (("legal", table), ("resolve", table, "attack(ork,hero2)"), ("rules", "--json")):
        assert run(*args) == run(*args)


# --- input ---------------------------------------------------------------------------------------


class Stdin:
    def __init__(self, data: bytes) -> None:
        self.buffer = io.BytesIO(data)


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin(TABLE.encode()))
    assert json.loads(run("legal", "-", "--json").out)["player"] == "p1"
    monkeypatch.setattr(sys, "stdin", Stdin(State.from_dict(_document()).to_json().encode()))
    assert json.loads(run("legal", "-", "--json").out)["player"] == "p1"
    monkeypatch.setattr(sys, "stdin", Stdin(b"\xff\xfe"))
    result = run("legal", "-")
    assert result.code == 2 and "UTF-8" in result.err


def _document() -> dict[str, Any]:
    heroes = {id: {"type": "hero", "life": 25, "owner": id} for id in ("p1", "p2")}
    return {"active": "p1", "players": {"p1": {}, "p2": {}}, "cards": heroes}


def test_edition_reads_the_state_by_other_rules(run: Run, table: str) -> None:
    assert json.loads(run("legal", table, "--json", "--edition", "heroes_2").out)["edition"] == (
        "heroes_2"
    )
    assert Fake.asked.edition == "heroes_2"
    result = run("legal", table, "--edition", "classic")
    assert result.code == 2 and "type" in result.err and result.out == ""


def faults(result: Result) -> list[str]:
    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err
    return result.err.splitlines()


def test_every_fault_is_one_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    text = TABLE.replace("closed: true", "closed: true, zone: garden").replace(
        "life: 5", "life: -5"
    )
    path.write_text(text, encoding="utf-8")
    found = faults(run("legal", str(path)))
    assert len(found) == 2
    assert found[0].startswith("cards.ork.life: ")
    assert found[1].startswith("cards.guard.zone: 'garden' is not one of play, hand, deck")


def test_faults_of_state_and_action_together(run: Run, tmp_path: Path) -> None:
    found = faults(run("why", str(tmp_path / "none.yaml"), "atack(ork)"))
    assert len(found) == 2
    assert "none.yaml" in found[0] and "did you mean attack?" in found[1]


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["legal", "{table}", "--lang", "fr"], "--lang: 'fr' is not one of en, ru"),
        (["legal", "{table}", "--edition", "heros"], "did you mean heroes?"),
        (["rules", "509.33"], "did you mean 509.3?"),
        (["rules", "523.1", "--edition", "heroes"], "is a rule of classic only"),
        (["legal"], "Missing argument"),
        (["legal", "{table}", "--jsn"], "No such option"),
        (["judge"], "No such command"),
        (["verify", "{table}"], "is a state, not a ruling"),
        (["resolve", "{table}", "end_turn"], "too large: more than 9 outcomes"),
    ],
)
def test_bad_input_is_one_line(run: Run, table: str, args: list[str], expected: str) -> None:
    (line,) = faults(run(*(arg.format(table=table) for arg in args)))
    assert expected in line


def test_a_fault_cannot_break_its_line(run: Run) -> None:
    (line,) = faults(run("rules", "509.3\n\x1b[2J"))
    assert "\\n" in line and "\x1b" not in line


def test_an_error_of_the_program_is_no_traceback(
    run: Run, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("pyengine.engine.Engine", broken)
    (line,) = faults(run("legal", table))
    assert "RuntimeError: out of order" in line
    monkeypatch.setenv("PYENGINE_TRACEBACK", "1")
    with pytest.raises(RuntimeError):
        run("legal", table)


def test_errors_of_the_engine_are_faults(
    run: Run, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def why(self: Fake, state: State, action: Action) -> Explanation:
        raise StateError(["action: 'x' is no card of this state", "and another"])

    monkeypatch.setattr(Fake, "why", why)
    assert len(faults(run("why", table, "defend(x)"))) == 2


# --- languages and colours -----------------------------------------------------------------------


def test_language(run: Run, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert "Легально: 2" in run("legal", table).out
    assert "карта Орк (ork) закрыта" in run("legal", table).out
    assert "Legal: 2" in run("legal", table, "--lang", "en").out
    assert "is closed" in run("legal", table, "--json").out  # JSON does not follow the locale
    assert "закрыта" in run("legal", table, "--json", "--lang", "ru").out
    (line,) = faults(run("rules", "509.33"))
    assert "правила '509.33' нет" in line
    (line,) = faults(run("legal"))
    assert "справка" in line


def test_no_colour_codes_in_a_pipe(run: Run, table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    for args in (["legal", table], ["show", table], ["rules"], ["why", table, "end_turn"]):
        assert "\x1b" not in run(*args).out


def test_colours_on_a_terminal_only_repeat(
    run: Run, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = run("legal", table).out
    monkeypatch.setattr(sys.stdout.__class__, "isatty", lambda self: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    coloured = run("legal", table).out
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("legal", table).out == plain
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert run("legal", table).out == plain


@pytest.mark.parametrize("columns", ["1", "30", "200", "x"])
def test_any_width(run: Run, table: str, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    for args in (["legal", table], ["show", table], ["rules", "509.3"]):
        assert run(*args).code == 0


def test_a_card_of_the_sets_needs_no_state(run: Run) -> None:
    shown = run("show", "--card", "Shia")
    assert shown.code == 0 and "prevent(1,each,self," in shown.out and shown.err == ""
    assert run("show", "--card", "Шиа", "--lang", "ru").out.startswith("╭─ shia")
    whole = json.loads(run("show", "--card", "shia", "--json").out)
    assert whole["shia"]["life"] == 4 and list(whole) == ["shia"]
    assert run("show", "--card", "mednyy_drakon").err.startswith("warning: mednyy_drakon is judged")
    for args, fault in (
        (["--card", "shiaa"], "--card: 'shiaa' is no kind of card; did you mean shia?\n"),
        ([], "STATE: is required (or --card NAME)\n"),
    ):
        none = run("show", *args)
        assert (none.code, none.out, none.err) == (2, "", fault)


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "0 positions answered"), ("ru", "даны ответы на 0 позиций")]
)
def test_a_file_without_positions_says_so(run: Run, tmp_path: Path, lang: str, said: str) -> None:
    (tmp_path / "none.jsonl").touch()
    done = run("batch", str(tmp_path / "none.jsonl"), "--lang", lang)
    assert (done.code, done.out, done.err) == (0, "", f"{said}\n")


# --- the process ---------------------------------------------------------------------------------


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    environ = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])}

    def start(*args: str, code: str = "", **more: Any) -> subprocess.Popen[bytes]:
        program = ["-c", code] if code else ["-m", "pyengine"]
        child = subprocess.Popen(
            [sys.executable, *program, *args],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environ, **more.pop("env", {})},
            cwd=tmp_path,
            **more,
        )
        started.append(child)
        return child

    yield start
    for child in started:
        child.kill()
        child.communicate()


def test_an_interruption_ends_with_130(process: Callable[..., Any]) -> None:
    code = "import sys; from pyengine import cli; print('ready', flush=True); sys.exit(cli.main())"
    child = process("legal", "-", code=code, stdin=subprocess.PIPE)
    assert child.stdout.readline() == b"ready\n"
    time.sleep(0.3)  # it waits for the state
    child.send_signal(signal.SIGINT)
    assert child.wait(20) == 130
    assert child.stderr.read() == b""


LOADING = (
    "import signal, sys; print('ready', flush=True);"
    " from pyengine.__main__ import main; sys.exit(main())"
)


@pytest.mark.parametrize("delay", [0.02, 0.05, 0.1, 0.2, 0.4])
def test_an_interruption_while_it_loads(process: Callable[..., Any], delay: float) -> None:
    child = process("legal", "-", code=LOADING, stdin=subprocess.PIPE)
    assert child.stdout.readline() == b"ready\n"
    time.sleep(delay)
    child.send_signal(signal.SIGINT)
    assert child.wait(20) == 130
    assert child.stderr.read() == b""


@pytest.mark.parametrize("delay", [0.3, 0.6, 0.9, 1.2])
def test_an_interruption_of_all_processes_of_a_terminal(
    process: Callable[..., Any], delay: float
) -> None:
    options = {"stdin": subprocess.PIPE, "start_new_session": True}
    child = process("batch", "-", "--workers", "2", code=LOADING, **options)
    assert child.stdout.readline() == b"ready\n"
    time.sleep(delay)
    os.killpg(child.pid, signal.SIGINT)
    assert child.wait(20) == 130
    assert child.stderr.read() == b""


def test_an_interruption_that_clingo_makes_another_error_of() -> None:
    def ask() -> None:
        with answering("en", False):
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                raise RuntimeError from None  # as where clingo calls back

    with looked_on(), pytest.raises(KeyboardInterrupt):
        ask()


def test_a_broken_pipe_is_quiet(process: Callable[..., Any]) -> None:
    child = process("rules", "--json")
    child.stdout.close()
    assert child.wait(20) == 141
    assert child.stderr.read() == b""


def test_output_is_utf8_whatever_the_locale(process: Callable[..., Any], table: str) -> None:
    env = {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    out, err = process("show", table, env=env).communicate(timeout=20)
    assert err == b"" and "Орк" in out.decode("utf-8")


def test_light_commands_do_not_load_what_they_do_not_need() -> None:
    code = "import sys, pyengine.cli; print('rich' in sys.modules, 'rich.table' in sys.modules)"
    environ = {**os.environ, "PYTHONPATH": str(Path(cli.__file__).parents[2])}
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environ, check=True)
    assert out.stdout.split()[1] == b"False"


def test_completion(process: Callable[..., Any]) -> None:
    env = {
        "_PYENGINE_COMPLETE": "complete_bash",
        "COMP_WORDS": "pyengine rules 509.",
        "COMP_CWORD": "2",
    }
    out, _ = process(env=env).communicate(timeout=20)
    assert "509.3" in out.decode().split()


def test_show_one_card(run: Run) -> None:
    state = str(data_folder("facts") / "states" / "07-effects.yaml")
    by_id, by_name = run("show", state, "--card", "groll"), run("show", state, "--card", "гролль")
    assert by_id == by_name
    assert "+ is(strike,0)" in by_id.out  # what lies on it too
    told = run("show", state, "--card", "archer", "--lang", "ru").out
    assert "protection: " in told and "character: " in told
    assert "+ усиление" in told
    alone = json.loads(run("show", state, "--card", "groll", "--json").out)
    assert list(alone) == ["groll"] and alone["groll"]["owner"] == "steppe"
    assert "strike 0 (printed: " in by_id.out and alone["groll"]["in_force"]["strike"] == 0
    wrong = run("show", state, "--card", "grol")
    assert wrong.code == 2 and "did you mean groll?" in wrong.err


@pytest.mark.parametrize("said", ["Гроль", "GROL", "Grol"])
def test_the_card_that_is_meant_is_named(
    said: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = str(root / "facts" / "states" / "02-defenders.yaml")
    assert cli.main(["show", state, "--card", said]) == 2
    text = f"--card: '{said}' is no card of this state; did you mean groll?"
    assert capsys.readouterr().err.splitlines() == [text]
    assert cli.main(["show", state, "--card", said, "--lang", "ru"]) == 2
    assert capsys.readouterr().err.rstrip().endswith("; может быть, groll?")
    assert cli.main(["why", state, f"attack({said},shia)"]) == 2
    assert "did you mean groll?" in capsys.readouterr().err
