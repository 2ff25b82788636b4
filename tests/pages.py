"""Pages whose blocks are run: what a page writes, asks and shows, in the order of the page."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
from pathlib import Path

from tests.conftest import ROOT

UPDATE = bool(os.environ.get("PYENGINE_UPDATE"))
_BLOCK = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# a block of a file says its name in a comment on its first line
_NAMED = re.compile(r"[#%] (\S+\.[a-z]+)\n")


class PageError(AssertionError):
    """A block that is neither run nor written to a file."""


def play(page: Path, folder: Path, environment: dict[str, str]) -> str:
    """The page as it would read if it were written today.

    Args:
        page: a Markdown file.
        folder: where its commands run; a copy of the project, so that a page may change it.
        environment: of the commands.

    Raises:
        PageError: it has a block that nothing is done with, or Python that answers otherwise.
    """
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {}
    out, end = [], 0
    for match in _BLOCK.finditer(text):
        language, body = match.groups()
        out.append(text[end : match.start(2)])
        if language == "console":
            body = asked(body, folder, environment)
        elif language == "pycon":
            _spoken(body, names, page.name)
        elif (named := _NAMED.match(body)) is not None:
            path = folder / named[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
        else:
            raise PageError(f"{page.name}: a block is neither run nor a file: {body[:60]!r}")
        out.append(body)
        end = match.end(2)
    return "".join(out) + text[end:]


def project(folder: Path) -> Path:
    """A copy of what the commands need."""
    for name in ("pyengine", "rules", "facts"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "rules.lp", folder)
    return folder


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with the output shown below it."""
    parts = re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)
    assert parts[0] == "", "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def asked(block: str, folder: Path, environment: dict[str, str]) -> str:
    """A console block as it would read if it were written today."""
    came = ""
    for command, _ in commands(block):
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert run.stderr == "", f"{command}\n{run.stderr}"
        came += f"$ {command}\n{run.stdout}"
    return came


def _spoken(block: str, names: dict[str, object], name: str) -> None:
    test = doctest.DocTestParser().get_doctest(block, names, name, name, 0)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append, clear_globs=False)
    names.update(test.globs)
    if report:
        raise PageError("\n".join(report))
