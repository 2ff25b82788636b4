"""An author's cards: read like ours, but a fault of an ability is a finding and no bad input."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from pyengine.audit.registry import AuthorCards
from pyengine.documents import data_folder
from pyengine.kinds import FaultyAbility, Kind, catalogue, load_kinds


@lru_cache(maxsize=8)
def read_cards(path: str | None) -> AuthorCards:
    """The cards of a file, or of a folder of files.

    Raises:
        StateError: every fault that is not one of an ability.
    """
    if path is None:
        return AuthorCards()
    root = Path(path)
    facts = data_folder("facts").resolve()
    inside = root.resolve()
    # cards of our own may be checked like an author's: then they are not known already
    others: dict[str, Kind] = {
        id: kind
        for id, kind in catalogue().items()
        if not (facts / kind.file).resolve().is_relative_to(inside)
    }
    faulty: list[FaultyAbility] = []
    kinds = load_kinds(root, others, faulty)
    return AuthorCards(
        {id: kind for id, kind in kinds.items() if not kind.waits_for},
        tuple(faulty),
        lines_of(root),
    )


def lines_of(root: Path) -> dict[str, tuple[str, int]]:
    """The file and line of each card of a file or folder."""
    files = sorted([*root.rglob("*.yaml"), *root.rglob("*.yml")]) if root.is_dir() else [root]
    out: dict[str, tuple[str, int]] = {}
    for file in files:
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            entry = re.search(r"""\bid['"]?:\s*['"]?([a-z][a-z0-9_]*)""", line)
            if entry is not None:
                out.setdefault(entry[1], (file.as_posix(), number))
    return out
