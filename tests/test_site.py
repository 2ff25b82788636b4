"""The documentation builds as a site: no page is missing, no link is dead, nothing is loaded from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytest.importorskip("mkdocs", reason="pip install '.[docs]'")
pytest.importorskip("mkdocs_static_i18n", reason="pip install '.[docs]'")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    run = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return folder


def test_each_page_is_in_the_site(site: Path) -> None:
    for page in sorted((ROOT / "docs").rglob("*.md")):
        name = page.relative_to(ROOT / "docs").as_posix().removesuffix(".md")
        russian = name.endswith(".ru")
        assert (site / f"{'ru/' if russian else ''}{name.removesuffix('.ru')}.html").exists(), name


def test_the_guide_is_there_in_russian(site: Path) -> None:
    text = (site / "ru" / "guide" / "first-steps.html").read_text(encoding="utf-8")
    assert "Первые шаги" in text and 'lang="ru"' in text


def test_what_a_page_links_to_goes_along(site: Path) -> None:
    assert (site / "source" / "facts" / "vocabulary.yaml").read_bytes() == (
        ROOT / "facts" / "vocabulary.yaml"
    ).read_bytes()
    for page in site.rglob("*.html"):
        for link in re.findall(r'href="([^"#:]+source/[^"#]+)"', page.read_text(encoding="utf-8")):
            assert (page.parent / link).exists(), f"{page.relative_to(site)}: {link}"


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?://[^"]+)"', text)
        assert loaded == [], page.name
