"""What several tests need: the project's folder, and an environment that is the same everywhere."""

from __future__ import annotations

import os
import signal
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
