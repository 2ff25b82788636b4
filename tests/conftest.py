"""What several tests need: the project's folder, and an environment that is the same everywhere."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# a shell ignores Ctrl-C for what it runs in the background, and the programs started here would too
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture(scope="session")
def plain_environment() -> dict[str, str]:
    """The environment of a program that is to answer in English, 80 columns wide, uncoloured."""
    told = ("LANG", "LC_", "COLUMNS", "FORCE_COLOR", "PYTHON", "PYENGINE_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(told)}
    return {**kept, "LANG": "C.UTF-8", "PYTHONUTF8": "1"}


@pytest.fixture
def shell(tmp_path: Path, plain_environment: dict[str, str]) -> dict[str, str]:
    """An environment whose ``pyengine`` is this one, and whose ``python`` knows it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, more in (("pyengine", " -m pyengine"), ("python", "")):
        program = folder / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{more} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    path = f"{folder}{os.pathsep}{plain_environment['PATH']}"
    return {**plain_environment, "PATH": path, "PYTHONPATH": str(ROOT)}
