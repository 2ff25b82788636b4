"""The README is true: each command in it answers as it is shown, each link leads somewhere.

``PYENGINE_UPDATE=1 python -m pytest tests/test_readme.py`` writes the answers of today into it:
read the change before you commit it.
"""

from __future__ import annotations

import doctest
import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from pyengine import cli
from tests import pages
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]
# each block by itself; the pages of the guide are run from top to bottom (test_guide.py)
PLAIN = [page for page in PAGES if page.parent.name != "guide"]
UPDATE = bool(os.environ.get("PYENGINE_UPDATE"))
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")


def blocks(page: Path, language: str) -> Iterator[str]:
    for match in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        if match.group(1) == language:
            yield match.group(2)


SESSIONS = [(page, block) for page in PLAIN for block in blocks(page, "console")]


@pytest.mark.parametrize(("page", "block"), SESSIONS, ids=[b.split("\n")[0] for _, b in SESSIONS])
def test_commands_answer_as_shown(page: Path, block: str, shell: dict[str, str]) -> None:
    came = pages.asked(block, ROOT, shell)
    if UPDATE:
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace(f"```console\n{block}", f"```console\n{came}"), "utf-8")
    else:
        assert came == block


@pytest.mark.parametrize("page", PLAIN, ids=lambda page: page.name)
def test_python_answers_as_shown(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for block in blocks(page, "pycon"):
        test = doctest.DocTestParser().get_doctest(block, {}, page.name, str(page), 0)
        report: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=report.append)
        assert report == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in link:
            target, _, _ = link.partition("#")
            assert (page.parent / target).exists(), link


def test_every_command_is_in_the_table() -> None:
    listed = set(re.findall(r"^\| `pyengine (\w+)", PAGES[0].read_text("utf-8"), re.MULTILINE))
    group = typer.main.get_command(cli.app)
    assert listed == set(getattr(group, "commands", {}))


def test_the_setup_commands_name_what_is_there() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shown = "".join(blocks(PAGES[0], "sh"))
    named = {name for extras in re.findall(r"\.\[([\w,]+)\]", shown) for name in extras.split(",")}
    assert named
    assert named <= set(settings["optional-dependencies"])
    assert all((ROOT / path).is_file() for path in re.findall(r"facts/\S+", shown))
