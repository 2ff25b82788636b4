"""``python -m tests.lock``: writes requirements.lock, the exact versions that CI installs.

pip finds them: the newest that fit the ranges of pyproject.toml, of all extras together, for the
Python that runs this. Nothing is installed. CI goes by the file as long as an index has what it names.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "requirements.lock"
HEAD = "# Written by `python -m tests.lock`: what CI installs (PIP_CONSTRAINT). Ranges: pyproject.toml.\n"


def extras() -> list[str]:
    """The extras of the project."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted(project["optional-dependencies"])


def resolved() -> dict[str, str]:
    """The name of each package that the project needs with all extras, and its version."""
    wanted = f"{ROOT}[{','.join(extras())}]"
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed",
         "--report", "-", wanted],
        stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    report: dict[str, Any] = json.loads(done.stdout)
    found = {each["metadata"]["name"]: each["metadata"]["version"] for each in report["install"]}
    found.pop("pyengine")
    return found


def main(argv: list[str] | None = None) -> int:
    """The command."""
    argparse.ArgumentParser(prog="python -m tests.lock", description=__doc__).parse_args(argv)
    lines = sorted((f"{name}=={version}\n" for name, version in resolved().items()), key=str.lower)
    LOCK.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{LOCK.name}: {len(lines)} packages")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
