"""Ruling files and folders: what stands in them, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from pyengine.documents import (
    MAX_FAULTS,
    Document,
    first,
    parse_documents,
    patience,
    read_text,
)
from pyengine.faults import Message, at
from pyengine.model import StateError
from pyengine.verify.reading import beside, rulings_in
from pyengine.verify.rulings import Ruling


def load_rulings(paths: Iterable[str | Path], edition: str | None = None) -> list[Ruling]:
    """The rulings of these files and folders, in order; StateError with every fault of them all.

    A folder is searched for ``*.yaml`` at any depth, in the order of the paths. A file found so
    is no ruling file if a ruling names it as its state. ``edition`` keeps the rulings of one.
    Of very many faults some are told, and that there are more.
    """
    with patience():
        return _loaded(list(paths), edition)


def _loaded(paths: list[str | Path], edition: str | None) -> list[Ruling]:
    faults: list[str] = []
    rulings: list[Ruling] = []
    places: dict[str, str] = {}
    for path, documents in _ruling_files(paths, faults):
        for document in documents:
            if len(faults) > MAX_FAULTS:  # more are not told
                break
            found = rulings_in(path, document, faults)
            rulings += found
            # also of one that has faults
            place = f"{path}:{document.line}"
            for id in [ruling.id for ruling in found] or _id_of(document):
                if id in places:
                    taken = at("ruling", "ruling_taken", id=id, other=places[id])
                    faults.append(Message("at", place=place, text=taken))
                places.setdefault(id, place)
    if not rulings and not faults:
        faults.append(at(", ".join(map(str, paths)), "no_rulings"))
    if faults:
        raise StateError(first(faults))
    return [ruling for ruling in rulings if edition is None or ruling.edition == edition]


class Citation(NamedTuple):
    """A ruling with what it cites, and the editions of which it is a ruling."""

    ruling: str
    cites: tuple[str, ...]
    editions: tuple[str, ...]


def citations(paths: Iterable[str | Path]) -> list[Citation]:
    """What the rulings cite; their states are not read: one in a file counts as heroes."""
    found = []
    for _, documents in _ruling_files(paths, []):
        for value in (document.value for document in documents):
            if isinstance(value, dict) and isinstance(value.get("ruling"), str):
                cites, editions, state = (value.get(key) for key in ("cites", "editions", "state"))
                own = state.get("edition", "heroes") if isinstance(state, dict) else "heroes"
                found.append(
                    Citation(
                        value["ruling"],
                        tuple(cites) if isinstance(cites, list) else (),
                        tuple(editions) if isinstance(editions, list) else (own,),
                    )
                )
    return found


def _ruling_files(
    paths: Iterable[str | Path], faults: list[str]
) -> list[tuple[Path, list[Document]]]:
    """The documents of each ruling file, in order; a file given twice is read once."""
    files: dict[Path, tuple[Path, bool]] = {}
    for path in map(Path, paths):
        inside = None
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*.yaml") if file.is_file())
        if inside == []:
            faults.append(at(str(path), "no_yaml_file"))
        for file in [path] if inside is None else inside:
            real = file.resolve()
            shown, asked = files.get(real, (file, False))
            files[real] = (shown, asked or inside is None)
    read = {real: (path, _documents(path, faults), asked) for real, (path, asked) in files.items()}
    states = {
        beside(path, file)
        for path, documents, _ in read.values()
        for file in filter(None, map(_file_named, documents))
    }
    return [
        (path, documents)
        for real, (path, documents, asked) in read.items()
        if asked or real not in states
    ]


def _id_of(document: Document) -> list[str]:
    """The id of a ruling, if it has one."""
    id = document.value.get("ruling") if isinstance(document.value, dict) else None
    return [id] if isinstance(id, str) else []


def _file_named(document: Document) -> str | None:
    """The file that a ruling names as its state."""
    state = document.value.get("state") if isinstance(document.value, dict) else None
    file = state.get("file") if isinstance(state, dict) else None
    return file if isinstance(file, str) else None


def _documents(path: Path, faults: list[str]) -> list[Document]:
    """The documents of one file; their faults, if it cannot be read."""
    try:
        return parse_documents(read_text(path, str(path)), str(path))
    except StateError as error:
        faults += error.faults
        return []
