"""CONTRIBUTING.md is true where it says what to do by name. (The guide's own pages: test_guide.)"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests import pages
from tests.conftest import ROOT

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
OLD, NEW = "heroes_2", "heroes_3"
# `A`, `B` and `C` of `file`
_NAMED = re.compile(r"((?:`\w+`(?:, | and )?)+) of `([\w/]+\.py)`")


def step(title: str) -> str:
    """What is to be done for one thing, on one line."""
    found = re.search(rf"^- \*\*{title}\*\*: (.*?)(?=^- |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None, title
    return " ".join(found[1].split())


def named(text: str) -> Iterator[tuple[str, str]]:
    """The names that a step tells to change, each with its file."""
    for names, file in _NAMED.findall(text):
        yield from ((name, file) for name in re.findall(r"`(\w+)`", names))


def lines_of(source: str, name: str) -> range:
    """The lines of what is called so in a file, from 0."""
    for node in ast.parse(source).body:
        targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
        names = [getattr(target, "id", None) for target in targets] + [getattr(node, "name", None)]
        if name in names:
            return range(node.lineno - 1, node.end_lineno or node.lineno)
    raise AssertionError(f"there is no {name}")


def test_an_edition_is_added_as_it_says(tmp_path: Path, shell: dict[str, str]) -> None:
    """Each thing that the step names is given the new edition, and nothing else is."""
    folder = pages.project(tmp_path / "project")
    places = list(named(step("Add an edition")))
    assert len(places) >= 6
    for name, file in places:
        if not file.startswith("pyengine/") or file.startswith("pyengine/audit/"):
            continue  # no judge needs it
        lines = (folder / file).read_text(encoding="utf-8").splitlines()
        found = [n for n in lines_of("\n".join(lines), name) if f'"{OLD}"' in lines[n]]
        assert found, f"{name} of {file} names no edition"
        for n in found:
            entry = re.match(rf'\s+"{OLD}": .*,$', lines[n])
            both = lines[n].replace(OLD, NEW) + "\n" + lines[n]
            lines[n] = both if entry else lines[n].replace(f'"{OLD}"', f'"{OLD}", "{NEW}"')
        (folder / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    chapter = folder / "rules" / "editions" / f"{OLD}.lp"
    chapter.with_stem(NEW).write_text(chapter.read_text(encoding="utf-8"), encoding="utf-8")
    for entries in (folder / "facts" / "rulebook").glob("*.yaml"):
        text = entries.read_text(encoding="utf-8")
        shared = text.replace(f"[heroes, {OLD}]", f"[heroes, {OLD}, {NEW}]")
        entries.write_text(shared.replace(f"[{OLD}]", f"[{OLD}, {NEW}]"), encoding="utf-8")

    def asked(edition: str, *args: str) -> str:
        run = subprocess.run(
            [sys.executable, "-m", "pyengine", *args, "--edition", edition],
            cwd=folder, env={**shell, "PYTHONPATH": str(folder)}, capture_output=True,
            encoding="utf-8", check=False,
        )  # fmt: skip
        assert (run.stderr, run.returncode in (0, 1)) == ("", True)
        return run.stdout

    state = "facts/states/02-defenders.yaml"
    for args in (("legal", state), ("why", state, "defend(vyurr)"), ("resolve", state, "pass")):
        told = asked(NEW, *args, "--json")
        assert told.replace(NEW, OLD) == asked(OLD, *args, "--json") and "509" in told
    assert asked(NEW, "rules", "--json").count('"id"') == asked(OLD, "rules", "--json").count(
        '"id"'
    )
