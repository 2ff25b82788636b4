"""Streams that are closed or full, and files that are written whole."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pyengine import StateError, files
from tests.conftest import ROOT

FULL = Path("/dev/full")
STATE = ROOT / "facts/states/02-defenders.yaml"
full = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """What a shell makes of a line in which `pyengine` and STATE stand for ours."""
    program = f"{shlex.quote(sys.executable)} -m pyengine"
    line = line.replace("pyengine", program, 1).replace("STATE", shlex.quote(str(STATE)))
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"],
        capture_output=True, encoding="utf-8", check=False, env=os.environ | {"LC_ALL": "C"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        # nobody wants to read: only the exit code tells
        ("pyengine legal STATE >&-", 0, ""),
        ("pyengine why STATE 'defend(vyurr)' >&-", 1, ""),
        ("pyengine --version >&-", 0, ""),
        ("pyengine --help >&-", 0, ""),
        ("pyengine legal nothing 2>&-", 2, ""),
        ("pyengine bogus >&- 2>&-", 2, ""),
        ("pyengine legal - <&-", 2, "state: is empty\n"),
        pytest.param("pyengine legal STATE > /dev/full", 2, "standard output: No space left on device\n", marks=full),
        pytest.param("pyengine legal STATE --json > /dev/full", 2, "standard output: No space left on device\n", marks=full),
        pytest.param("pyengine --help > /dev/full", 2, "standard output: No space left on device\n", marks=full),
        pytest.param("pyengine --version > /dev/full", 2, "standard output: No space left on device\n", marks=full),
        pytest.param("pyengine legal nothing 2> /dev/full", 2, "", marks=full),
        pytest.param("pyengine bogus 2> /dev/full", 2, "", marks=full),
        # a reader that goes away
        ("pyengine play --p1 bot --p2 bot --seed 1 --show | head -n 1 > /dev/null", 141, ""),
    ],
)  # fmt: skip
def test_streams(line: str, code: int, err: str) -> None:
    done = shell(line)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", err)


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    files.write_whole(path, "one\n")
    files.append_lines(path, "два\n")
    assert path.read_text(encoding="utf-8") == "one\nдва\n"
    path.chmod(0o640)
    files.write_whole(path, "three\n")
    assert path.read_text(encoding="utf-8") == "three\n" and path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["log"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_goes_wrong_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "log"
    path.write_text("old", encoding="utf-8")

    def fail(descriptor: int) -> None:
        raise error

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((KeyboardInterrupt, StateError)):
        files.write_whole(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["log"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "there" / "file")
    files.write_whole(link, "text")
    assert link.is_symlink() and (tmp_path / "there" / "file").read_text(encoding="utf-8") == "text"


@full
def test_a_device_is_written_to() -> None:
    with pytest.raises(StateError, match="/dev/full: cannot be written: No space left"):
        files.write_whole(FULL, "text")
    with pytest.raises(StateError, match="/dev/full: cannot be written: No space left"):
        files.append_lines(FULL, "text\n")
    assert FULL.is_char_device()


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="cannot be written: No such file or directory"):
        files.write_whole(tmp_path / "nowhere" / "log", "text")
