"""A hook of MkDocs: what pages link to outside of docs/ goes along as it is, under source/."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

_ROOT = Path(__file__).resolve().parent.parent.parent
_LINK = re.compile(r"\]\(((?:\.\./)+[^)#\s]+)(#[^)\s]*)?\)")


def _outside(page: str, link: str) -> str | None:
    """The path from the project's folder, if the link leads out of docs/."""
    target = (_ROOT / "docs" / page).parent.joinpath(link).resolve()
    if not target.is_relative_to(_ROOT) or target.is_relative_to(_ROOT / "docs"):
        return None
    return target.relative_to(_ROOT).as_posix()


@event_priority(-100)  # after the languages
def on_files(files: Files, config: Any) -> Files:
    """Adds the files that are linked to; a folder by a list of what it holds."""
    wanted: set[str] = set()
    for file in list(files.documentation_pages()):
        for link, _ in _LINK.findall(file.content_string):
            if (path := _outside(file.src_uri, link)) is not None:
                wanted.add(path)
    for path in sorted(wanted):
        source = _ROOT / path
        if source.is_dir():
            names = sorted(each.name for each in source.iterdir() if not each.name.startswith("_"))
            listing = "\n".join(names) + "\n"
            files.append(File.generated(config, f"source/{path}/index.txt", content=listing))
        else:
            name = path if source.suffix not in ("", ".md") else f"{path}.txt"
            files.append(File.generated(config, f"source/{name}", content=source.read_bytes()))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Turns links out of docs/ to the copies."""
    here = page.file.src_uri
    up = "../" * here.count("/")

    def turned(match: re.Match[str]) -> str:
        path = _outside(here, match[1])
        if path is None:
            return match[0]
        source = _ROOT / path
        if source.is_dir():
            return f"]({up}source/{path}/index.txt)"
        name = path if source.suffix not in ("", ".md") else f"{path}.txt"
        return f"]({up}source/{name})"

    return _LINK.sub(turned, markdown)
