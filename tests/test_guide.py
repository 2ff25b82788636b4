"""The guide is true: each block of each page is run, or written to the file that it names.

``PYENGINE_UPDATE=1 python -m pytest tests/test_guide.py`` writes the answers of today into it:
read the change before you commit it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests import pages
from tests.conftest import ROOT

GUIDE = ROOT / "docs" / "guide"
PAGES = sorted(GUIDE.glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_answers_as_shown(
    page: Path, tmp_path: Path, shell: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = pages.project(tmp_path / "project")
    environment = {**shell, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    monkeypatch.chdir(folder)
    came = pages.play(page, folder, environment)
    if pages.UPDATE:
        page.write_text(came, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == came


@pytest.mark.parametrize(
    "page", [p for p in PAGES if not p.stem.endswith(".ru")], ids=lambda p: p.stem
)
def test_each_page_is_there_in_russian(page: Path) -> None:
    """With the same blocks and the same headings, one for one."""
    russian = page.with_suffix(".ru.md")
    assert russian.exists()
    for pattern in (r"^#+ ", r"^```\S+", r"^\$ pyengine \w+"):
        count = [
            len(re.findall(pattern, path.read_text("utf-8"), re.MULTILINE))
            for path in (page, russian)
        ]
        assert count[0] == count[1], pattern


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```yaml\nactive: p1\n```\n", "neither run nor a file"),
        ("```pycon\n>>> 1 + 1\n3\n```\n", "Expected"),
    ],
)
def test_a_block_that_is_not_run_is_a_fault(tmp_path: Path, text: str, fault: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    with pytest.raises(pages.PageError, match=fault):
        pages.play(page, tmp_path, {})


def test_an_answer_that_is_another_is_shown(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```yaml\n# a/b.yaml\n1\n```\n```console\n$ cat a/b.yaml\n2\n```\n", "utf-8")
    came = pages.play(page, tmp_path, dict(os.environ))
    assert came.endswith("$ cat a/b.yaml\n# a/b.yaml\n1\n```\n")
