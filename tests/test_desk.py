"""The page of the judge's desk: what is built belongs to its source, and nothing comes from outside."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

WEB = ROOT / "web"
BUILT = ROOT / "pyengine" / "web" / "static"
# as in web/vite.config.ts
SOURCES = (
    "index.html",
    "package.json",
    "package-lock.json",
    "public",
    "src",
    "tsconfig.json",
    "vite.config.ts",
)


def digest(web: Path) -> str:
    """The SHA-256 of all source files, each with its name, in the order of their names."""
    found = [
        file
        for place in SOURCES
        for file in ([web / place] if (web / place).is_file() else (web / place).rglob("*"))
        if file.is_file()
    ]
    total = hashlib.sha256()
    for name, file in sorted((file.relative_to(web).as_posix(), file) for file in found):
        data = file.read_bytes()
        total.update(f"{name}\0{len(data)}\0".encode() + data)
    return total.hexdigest()


def test_the_built_page_belongs_to_its_source() -> None:
    recorded = (BUILT / "source.sha256").read_text("ascii").strip()
    assert recorded == digest(WEB), (
        "web/ was changed: npm --prefix web ci && npm --prefix web run build"
    )


def test_the_digest_reads_names_and_contents(tmp_path: Path) -> None:
    for place in SOURCES:
        (tmp_path / place).write_text(place, "utf-8")
    first = digest(tmp_path)
    (tmp_path / "index.html").write_text("other", "utf-8")
    assert digest(tmp_path) != first


@pytest.mark.parametrize("suffix", ["html", "css", "js"])
def test_nothing_comes_from_outside(suffix: str) -> None:
    """No address of another server is loaded; names of namespaces are no addresses."""
    files = list(BUILT.rglob(f"*.{suffix}"))
    assert files
    for file in files:
        text = file.read_text("utf-8")
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", text))
        assert all(address.startswith("http://www.w3.org/") for address in addresses), file
        assert "url(//" not in text and 'src="//' not in text


def test_no_program_or_style_stands_within_the_page() -> None:
    """The policy of the server allows neither (pyengine/web/app.py)."""
    page = (BUILT / "index.html").read_text("utf-8")
    assert re.findall(r"<script(?![^>]*\bsrc=)", page) == []
    assert "<style" not in page
    assert not re.search(r"\son[a-z]+=|\sstyle=", page)


def test_every_file_that_the_page_names_is_there() -> None:
    page = (BUILT / "index.html").read_text("utf-8")
    named = re.findall(r"(?:src|href)=\"\./([^\"]+)\"", page)
    assert len(named) >= 3
    for name in named:
        assert (BUILT / name).is_file(), name
