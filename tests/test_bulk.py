"""`pyengine batch`: one line of answer for each line of question, in order, whatever happens."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pyengine import bulk, cli, cluster, explain
from pyengine.cluster import ClusterError
from pyengine.engine import Engine
from pyengine.limits import DEFAULT
from pyengine.model import State
from tests.conftest import ROOT

DOCUMENTS = [State.load(path).to_dict() for path in sorted((ROOT / "facts/states").glob("*.yaml"))]
HEROES = [document for document in DOCUMENTS if document.get("edition") != "classic"]
OVER = {**HEROES[0], "result": "draw"}  # nothing to judge: quick
BAD = {"active": "p1", "cards": {"x": {"zone": "garden"}}}


def jsonl(path: Path, documents: list[Any]) -> Path:
    lines = (each if isinstance(each, str) else json.dumps(each) for each in documents)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def command(*args: str | Path) -> list[str]:
    return [sys.executable, "-m", "pyengine", "batch", *map(str, args)]


Capture = pytest.CaptureFixture[str]


def batch(*args: str | Path) -> int:
    return cli.main(["batch", *map(str, args)])


# --- questions -----------------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [0, 2])
def test_each_line_is_what_legal_says(tmp_path: Path, workers: int, capsys: Capture) -> None:
    file, out = jsonl(tmp_path / "in.jsonl", DOCUMENTS), tmp_path / "out.jsonl"
    assert batch(file, "-o", out, "--workers", str(workers)) == 0
    assert capsys.readouterr().out == f"{len(DOCUMENTS)} positions answered\n"
    for document, answer in zip(DOCUMENTS, read(out), strict=True):
        cli.main(["legal", str(jsonl(tmp_path / "one.json", [document])), "--json"])
        assert json.loads(capsys.readouterr().out) == answer
    assert [file.name for file in tmp_path.iterdir() if "out" in file.name] == ["out.jsonl"]


def test_a_process_that_has_grown_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same answers; how it is done is tested with the processes (test_cluster)."""
    file, out, known = jsonl(tmp_path / "in.jsonl", [OVER] * 40), tmp_path / "out", cluster.run
    asked: list[int] = []

    def noted(jobs: Any, scheduler: Any, workers: int, renew: int) -> Iterator[Any]:
        asked.append(renew)
        return known(jobs, scheduler, workers, renew and 1)

    monkeypatch.setattr(bulk, "run", noted)
    for more in ((), ("--renew", "7"), ("--renew", "0")):
        assert batch(file, "-o", out, "--workers", "2", *more) == 0
        assert len(read(out)) == 40
        out.unlink()
    assert asked == [512 << 20, 7 << 20, 0]


def test_legal_actions_alone(tmp_path: Path) -> None:
    file, out = jsonl(tmp_path / "in.jsonl", DOCUMENTS), tmp_path / "out.jsonl"
    assert batch(file, "-o", out, "--question", "actions") == 0
    engine = Engine()
    for document, answer in zip(DOCUMENTS, read(out), strict=True):
        state = State.from_dict(document)
        assert answer == {
            "edition": state.edition,
            "player": explain.decides(state),
            "actions": [str(action) for action in engine.legal_actions(state)],
        }


def test_outcomes(tmp_path: Path) -> None:
    defenders = State.load(ROOT / "facts/states/02-defenders.yaml")
    asked: list[Any] = [
        {"state": defenders.to_dict(), "action": "defend(shia)"},
        {"state": defenders.to_dict(), "action": "defend(vyurr)"},
        {"state": {**defenders.to_dict(), "turn": -1}, "action": "attack("},
        {"state": defenders.to_dict(), "action": "defend(nobody)"},
        {"action": 7, "position": {}},
    ]
    file, out = jsonl(tmp_path / "in.jsonl", asked), tmp_path / "out.jsonl"
    assert batch(file, "-o", out, "--question", "resolve") == 1
    legal, illegal, bad, stranger, other = read(out)
    engine = Engine()
    shia = engine.verdict(defenders, "defend(shia)").action
    action = explain.resolved(defenders, shia, engine.resolve(defenders, shia), "en")
    assert legal == json.loads(json.dumps(action))
    assert illegal["legal"] is False and illegal["because"][0]["rule"] == "509.3"
    assert bad["line"] == 3 and [fault.split(":")[0] for fault in bad["faults"]] == [
        "state.turn", "action",
    ]  # fmt: skip
    assert stranger == {"line": 4, "faults": ["action: 'nobody' is no card of this state"]}
    assert other["faults"][0].startswith("position: unknown key; known are state, action")
    assert [fault.split(":")[0] for fault in other["faults"]] == ["position", "state", "action"]


def test_another_edition_and_language(tmp_path: Path) -> None:
    file, out = jsonl(tmp_path / "in.jsonl", HEROES[:2]), tmp_path / "out.jsonl"
    assert batch(file, "-o", out, "--edition", "heroes_2", "--lang", "ru") == 0
    for answer in read(out):
        assert answer["edition"] == "heroes_2"
        assert any("а" <= sign <= "я" for sign in answer["legal"][0]["because"][0]["text"])


# --- bad input -----------------------------------------------------------------------------------


def test_a_bad_state_is_reported_in_its_place(tmp_path: Path, capsys: Capture) -> None:
    twice = '{"active": "p1", "active": "p2", "players": {}, "cards": {}}'
    mixed = [HEROES[0], BAD, "", HEROES[1], "[1]", "{", "\x00", twice, HEROES[2]]
    file, out = jsonl(tmp_path / "in.jsonl", mixed), tmp_path / "out.jsonl"
    assert batch(file, "-o", out) == 1
    assert "9 positions answered; 6 bad, the first on line 2\n" in capsys.readouterr().out
    answers = read(out)
    assert [answer.get("line") for answer in answers] == [None, 2, 3, None, 5, 6, 7, 8, None]
    assert "cards.x.zone: 'garden' is not one of" in answers[1]["faults"][0]
    assert answers[2]["faults"] == ["line: is empty"]
    assert "duplicate key" in answers[7]["faults"][0]
    assert all(answers[place]["legal"] for place in (0, 3, 8))


def test_a_line_too_long_does_not_shift_the_others(tmp_path: Path) -> None:
    long = "x" * (DEFAULT.bytes * 2)
    file, out = jsonl(tmp_path / "in.jsonl", [OVER, long, OVER]), tmp_path / "out.jsonl"
    assert batch(file, "-o", out) == 1
    first, second, third = read(out)
    assert first == third and "larger than the limit" in second["faults"][0]


def test_lines_of_any_length() -> None:
    most = DEFAULT.bytes + 1
    for size in (most - 2, most - 1, most, most + 1, 2 * most):
        found = list(bulk.lines_of(io.BytesIO(b"a" * size + b"\r\nb")))
        assert found[1:] == [b"b"] and found[0] == b"a" * min(size, most)


def test_all_that_keeps_a_run_from_beginning(tmp_path: Path, capsys: Capture) -> None:
    file = jsonl(tmp_path / "in.jsonl", [OVER])
    wrong = ("--question", "legl", "--resume", "--scheduler", "tcp://x:1", "--workers", "2")
    assert batch(file, *wrong) == 2
    out, err = capsys.readouterr()
    assert out == "" and [line.split(":")[0] for line in err.splitlines()] == [
        "--question", "--resume", "--workers",
    ]  # fmt: skip
    assert "did you mean legal?" in err
    assert batch(file, "-o", file) == 2
    assert "is the file of the positions itself" in capsys.readouterr().err
    assert file.read_text() == jsonl(tmp_path / "same", [OVER]).read_text()
    for wrong_file in (tmp_path / "missing.jsonl", tmp_path):
        assert batch(wrong_file, "-o", tmp_path / "out") == 2
        assert "cannot be read" in capsys.readouterr().err
    for target in (tmp_path / "no" / "out", tmp_path):
        assert batch(file, "-o", target) == 2
    assert not list(tmp_path.glob("*.part"))


# --- streams -------------------------------------------------------------------------------------


def test_one_position_in_yaml_is_no_file_of_lines(capsys: Capture) -> None:
    assert batch(ROOT / "facts/states/02-defenders.yaml") == 2
    told = capsys.readouterr()
    assert not told.out
    (line,) = told.err.splitlines()
    assert line.startswith(f"{ROOT}/facts/states/02-defenders.yaml: is YAML") and "legal" in line


def test_standard_input_and_output(plain_environment: dict[str, str]) -> None:
    asked = "".join(json.dumps(document) + "\n" for document in (OVER, BAD, OVER))
    run = subprocess.run(
        command("-"), input=asked, capture_output=True, encoding="utf-8", cwd=ROOT,
        env=plain_environment, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert run.stderr == "3 positions answered; 1 bad, on line 2\n"
    assert len(run.stdout.splitlines()) == 3


def test_nobody_reads_the_answers(plain_environment: dict[str, str], tmp_path: Path) -> None:
    file = jsonl(tmp_path / "in.jsonl", [{**BAD, "edition": "x" * 20_000}] * 3000)
    run = subprocess.run(
        ["bash", "-c", f"{' '.join(command(file))} | head -n 1 >/dev/null; exit ${{PIPESTATUS[0]}}"],
        capture_output=True, encoding="utf-8", cwd=ROOT, env=plain_environment, check=False,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (141, "")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc of Linux")
def test_memory_is_bounded(plain_environment: dict[str, str]) -> None:
    """400 MB of lines go through a process that stays far below."""
    told = (
        "import re, sys; from pyengine import cli; cli.main();"
        "print(*re.findall(r'VmHWM:\\s+(\\d+) kB', open('/proc/self/status').read()),"
        " file=sys.stderr)"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", told, "batch", "-"], stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=ROOT, env=plain_environment,
    )  # fmt: skip
    assert run.stdin is not None and run.stderr is not None
    line = b'{"active": "' + b"x" * 400_000 + b'"}\n'
    for _ in range(1000):
        run.stdin.write(line)
    run.stdin.close()
    summary, most = run.stderr.read().decode().splitlines()
    assert run.wait() == 0 and summary.startswith("1000 positions answered; 1000 bad")
    assert int(most) < 100_000  # kilobytes


# --- interrupted runs ----------------------------------------------------------------------------


@pytest.fixture
def whole(tmp_path: Path) -> tuple[Path, bytes]:
    """A file of positions, and the answers of a run that nothing disturbs."""
    file = jsonl(tmp_path / "in.jsonl", [OVER, BAD, *HEROES[:3]] * 3)
    batch(file, "-o", tmp_path / "whole.jsonl")
    return file, (tmp_path / "whole.jsonl").read_bytes()


def test_a_run_that_is_killed_goes_on(
    tmp_path: Path, plain_environment: dict[str, str], capsys: Capture
) -> None:
    out, part = tmp_path / "out.jsonl", tmp_path / "out.jsonl.part"
    file = jsonl(tmp_path / "in.jsonl", [*[OVER] * 400, *HEROES, BAD, *[OVER] * 100])
    batch(file, "-o", tmp_path / "whole.jsonl")
    lines = file.read_bytes().splitlines(keepends=True)
    run = subprocess.Popen(
        command("-", "-o", out), stdin=subprocess.PIPE, cwd=ROOT, env=plain_environment
    )
    assert run.stdin is not None
    run.stdin.writelines(lines[:300])
    run.stdin.flush()
    end = time.monotonic() + 60
    while not (part.exists() and part.stat().st_size) and time.monotonic() < end:
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    run.stdin.close()
    assert not out.exists()
    before = len(part.read_bytes().splitlines())
    assert 0 < before < len(lines)
    capsys.readouterr()
    assert batch(file, "-o", out) == 2
    assert "an interrupted run left it: add --resume, or remove it" in capsys.readouterr().err
    assert batch(file, "-o", out, "--resume", "--json") == 1
    assert json.loads(capsys.readouterr().out)["resumed"] == before
    assert out.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert not part.exists()


@pytest.mark.parametrize("signs", [0, 1, 200, 5000])
def test_a_half_written_line_is_cut(
    whole: tuple[Path, bytes], tmp_path: Path, signs: int, capsys: Capture
) -> None:
    file, answers = whole
    (tmp_path / "out.jsonl.part").write_bytes(answers[: len(answers) - signs])
    assert batch(file, "-o", tmp_path / "out.jsonl", "--resume") == 1
    assert (tmp_path / "out.jsonl").read_bytes() == answers
    assert "of them before; 3 bad, the first on line 2" in capsys.readouterr().out


def test_a_part_that_is_of_something_else(
    whole: tuple[Path, bytes], tmp_path: Path, capsys: Capture
) -> None:
    file, answers = whole
    part, out = tmp_path / "out.jsonl.part", tmp_path / "out.jsonl"
    lines = answers.splitlines(keepends=True)
    for content, fault in (
        (b"".join(lines[3:6]), "line 1: is not the answer to line 1"),
        (b"".join([*lines[:3], lines[0]]), "line 4: is not the answer to line 4"),
        (b"".join([lines[0], b"nonsense\n", lines[2]]), "line 2: is no JSON object"),
        (answers + lines[0], "has answers to more lines than there are"),
    ):
        part.write_bytes(content)
        assert batch(file, "-o", out, "--resume") == 2
        assert fault in capsys.readouterr().err
        assert part.read_bytes() == content and not out.exists()


def test_nothing_to_go_on_from_is_a_run_from_the_start(
    whole: tuple[Path, bytes], tmp_path: Path
) -> None:
    assert batch(whole[0], "-o", tmp_path / "out.jsonl", "--resume") == 1
    assert (tmp_path / "out.jsonl").read_bytes() == whole[1]


def test_whoever_interrupts_is_told_how_to_go_on(
    whole: tuple[Path, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    errors: list[BaseException] = [ClusterError("gone"), KeyboardInterrupt()]

    def stream(*args: Any, **options: Any) -> Iterator[bulk.Answers]:
        yield bulk.Answers((b"{}\n",))
        raise errors.pop()

    monkeypatch.setattr(bulk, "stream", stream)
    for code in (130, 2):
        out = tmp_path / f"{code}.jsonl"
        assert batch(whole[0], "-o", out) == code
        assert f"1 line of answers is in {out}.part: --resume" in capsys.readouterr().err
        assert not out.exists()


def test_no_positions(tmp_path: Path, capsys: Capture) -> None:
    assert batch(jsonl(tmp_path / "in.jsonl", []), "-o", tmp_path / "out.jsonl") == 0
    assert (tmp_path / "out.jsonl").read_bytes() == b""
    assert capsys.readouterr().out == "0 positions answered\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of Unix")
def test_a_bar_on_a_terminal_alone(tmp_path: Path, plain_environment: dict[str, str]) -> None:
    import pty

    file = jsonl(tmp_path / "in.jsonl", HEROES * 40)
    here, there = pty.openpty()
    run = subprocess.Popen(
        command(file), stdout=subprocess.DEVNULL, stderr=there, cwd=ROOT,
        env={**plain_environment, "TERM": "xterm"},
    )  # fmt: skip
    os.close(there)
    shown = b""
    try:
        while piece := os.read(here, 4096):
            shown += piece
    except OSError:  # the other end is closed
        pass
    assert run.wait() == 0
    assert b"Answering" in shown and f"/{len(HEROES) * 40}".encode() in shown


# --- Parquet -------------------------------------------------------------------------------------

WITHOUT = "needs pyarrow: pip install 'pyengine[parquet]'"


def table(path: Path, **columns: list[Any]) -> Path:
    arrow = pytest.importorskip("pyarrow", reason=WITHOUT)
    parquet = pytest.importorskip("pyarrow.parquet", reason=WITHOUT)
    parquet.write_table(arrow.table(columns), path)
    return path


def rows(path: Path) -> list[dict[str, Any]]:
    parquet = pytest.importorskip("pyarrow.parquet", reason=WITHOUT)
    found: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return found


def test_parquet_in_and_out(tmp_path: Path, capsys: Capture) -> None:
    texts = [json.dumps(document) for document in [*HEROES, BAD]]
    file, out = table(tmp_path / "in.parquet", state=[*texts, None]), tmp_path / "out.parquet"
    plain = tmp_path / "out.jsonl"
    assert batch(file, "-o", out) == 1
    assert batch(jsonl(tmp_path / "in.jsonl", [*texts, ""]), "-o", plain) == 1
    assert [row["line"] for row in rows(out)] == list(range(1, len(texts) + 2))
    for row, answer in zip(rows(out), read(plain), strict=True):
        if "faults" in answer:
            assert row["answer"] is None and row["faults"] == answer["faults"]
        else:
            assert json.loads(row["answer"]) == answer and row["faults"] is None
    assert {path.name for path in tmp_path.iterdir()} == {
        "in.parquet", "out.parquet", "in.jsonl", "out.jsonl",
    }  # fmt: skip


def test_parquet_of_actions_to_resolve(tmp_path: Path) -> None:
    state = json.dumps(State.load(ROOT / "facts/states/02-defenders.yaml").to_dict())
    file = table(tmp_path / "in.parquet", state=[state, state, None], action=["pass", None, "pass"])
    assert batch(file, "-o", tmp_path / "out.jsonl", "--question", "resolve") == 1
    first, second, third = read(tmp_path / "out.jsonl")
    assert len(first["outcomes"]) == 1
    assert "action: is required" in second["faults"][0]
    assert third["faults"] == ["state: is required, a position"]


def test_parquet_goes_on_too(tmp_path: Path) -> None:
    file = table(tmp_path / "in.parquet", state=[json.dumps(OVER)] * 100)
    out = tmp_path / "out.parquet"
    assert batch(file, "-o", tmp_path / "out.jsonl") == 0
    lines = (tmp_path / "out.jsonl").read_bytes().splitlines(keepends=True)
    bulk.part_of(out).write_bytes(b"".join(lines[:70]))
    assert batch(file, "-o", out, "--resume") == 0
    assert [row["line"] for row in rows(out)] == list(range(1, 101))
    assert not bulk.part_of(out).exists()


def test_parquet_that_does_not_fit(tmp_path: Path, capsys: Capture) -> None:
    file = table(tmp_path / "in.parquet", position=["{}"], action=[1])
    assert batch(file, "--question", "resolve") == 2
    assert capsys.readouterr().err.splitlines() == [
        f"{file}: has no column state; its columns: position, action",
        f"{file}: column action is int64, not text",
    ]
    (tmp_path / "no.parquet").write_text("no")
    assert batch(tmp_path / "no.parquet") == 2
    assert "no.parquet: is no Parquet file" in capsys.readouterr().err
    assert batch(tmp_path / "missing.parquet") == 2
    assert "missing.parquet: cannot be read" in capsys.readouterr().err


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    file = jsonl(tmp_path / "in.jsonl", [OVER])
    assert batch(file, "-o", tmp_path / "out.parquet") == 2
    assert "pip install 'pyengine[parquet]'" in capsys.readouterr().err


# --- a cluster -----------------------------------------------------------------------------------


def test_a_cluster_answers(whole: tuple[Path, bytes], tmp_path: Path) -> None:
    distributed = pytest.importorskip(
        "distributed", reason="needs Dask: pip install 'pyengine[dask]'"
    )
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as local:
        out = tmp_path / "out.jsonl"
        assert batch(whole[0], "-o", out, "--scheduler", local.scheduler_address) == 1
        assert out.read_bytes() == whole[1]
