"""Kinds of card: what a real card prints, read from facts/cards and facts/created.

A file of cards is a YAML mapping::

    set: 22                     # optional: a number, for all cards of the file
    edition: heroes             # optional
    cards:
      - id: swordsman           # [a-z][a-z0-9_]*, used once in all files
        number: 7               # optional, as printed
        name: {ru: Мечник, en: Swordsman}
        type: creature
        class: [warrior]        # and so on as on a card of a state (CONTRACT 1)
        element: [steppe]
        cost: 2
        strike: 3
        life: 4
        abilities: ["armor(1)"]
      - id: strategist
        …
        abilities_wanted: ["…"] # in place of abilities: terms of which the vocabulary lacks some,
        waits_for: ["…"]        # and these are what it lacks. They are not checked.
        deck_copies: 5          # optional, and so are: copies, printed, notes, source
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pyengine import terms
from pyengine.documents import (
    Fault,
    data_folder,
    hint,
    in_order,
    listed_alone,
    parse_document,
    read_text,
    shown,
)
from pyengine.faults import Message
from pyengine.model import EDITIONS, TYPES, Card, StateError

__all__ = ["FaultyAbility", "Kind", "catalogue", "data_folder", "load_kinds"]

_LONGEST_NAME = 60  # letters of a name that is compared with those of cards
ID = re.compile(r"[a-z][a-z0-9_]*")
MAX_NUMBER = terms.MAX_NUMBER
_MOST_BYTES = 5_000_000


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of card. ``names`` are (language, name) pairs; ``classes`` is `class` in files.

    ``abilities`` are canonical terms. A kind with ``waits_for`` is incomplete: its abilities are
    ``abilities_wanted``, texts that the vocabulary cannot say yet.
    ``created`` cards are not collected but made by other cards.
    """

    id: str
    type: str
    names: tuple[tuple[str, str], ...] = ()
    classes: tuple[str, ...] = ()
    element: tuple[str, ...] = ()
    cost: int = 0
    strike: int | tuple[int, int, int] = 0
    life: int = 0
    abilities: tuple[str, ...] = ()
    waits_for: tuple[str, ...] = ()
    abilities_wanted: tuple[str, ...] = ()
    edition: str = "heroes"
    set: int | None = None
    number: int | None = None
    copies: int | None = None
    deck_copies: int | None = None
    created: bool = False
    file: str = ""

    def name(self, language: str = "en") -> str:
        """The name in that language, else in any, else the id."""
        names = dict(self.names)
        return names.get(language) or next(iter(names.values()), self.id)

    def card(self, id: str, player: str, zone: str = "play") -> Card:
        """A card of this kind as it is printed, a player's own."""
        return Card(
            id=id,
            kind=self.id,
            name=self.id,
            type=self.type,
            owner=player,
            controller=player,
            classes=self.classes,
            element=self.element,
            cost=self.cost,
            strike=self.strike,
            life=self.life,
            abilities=self.abilities,
            zone=zone,
        )


class FaultyAbility(NamedTuple):
    """An ability that cannot be read: the kind, its place from 0, its text, what is wrong."""

    card: str
    place: int
    text: str
    fault: str


@cache
def catalogue() -> Mapping[str, Kind]:
    """Every kind of the package by id; read once, when first asked for. StateError if faulty."""
    facts = data_folder("facts")
    found = _load([(facts, facts / folder) for folder in ("cards", "created")], {})
    return MappingProxyType(found)


def load_kinds(
    path: Path | str,
    known: Mapping[str, Kind] | None = None,
    faulty: list[FaultyAbility] | None = None,
) -> dict[str, Kind]:
    """The kinds of a file, or of every YAML file in a folder and below it, by id.

    ``known`` are kinds that are there already: their ids may not be used again, and `create` may
    name them. StateError with all faults of all files, each with its file and place. With a list
    ``faulty`` abilities that cannot be read go there, and their kinds are read without them.
    """
    root = Path(path)
    return _load([(root if root.is_dir() else root.parent, root)], known or {}, faulty)


def _load(
    places: list[tuple[Path, Path]],
    known: Mapping[str, Kind],
    faulty: list[FaultyAbility] | None = None,
) -> dict[str, Kind]:
    """The kinds of files and folders, each with the folder that its name is told from."""
    files = [
        (str(file.relative_to(base)), file)
        for base, root in places
        for file in (
            sorted([*root.rglob("*.yaml"), *root.rglob("*.yml")]) if root.is_dir() else [root]
        )
    ]
    kinds: dict[str, Kind] = {}
    used: dict[str, str] = {id: kind.file for id, kind in known.items()}  # ids and their files
    lines: list[str] = []
    waiting: list[tuple[str, Any, list[Fault], list[tuple[Fault, str]]]] = []
    unreadable: dict[str, list[Fault]] = {}  # abilities, by the name of their file
    for name, file in files:
        try:
            document = parse_document(read_text(file, name, _MOST_BYTES), name, _MOST_BYTES)
        except StateError as error:
            waiting.append((name, None, [((), fault) for fault in error.faults], []))
            continue
        faults = document.faults
        created_here = file.parent.name == "created"
        reader = _Reader(document.value, faults, created_here, name, faulty)
        for id, kind, place in reader.kinds():
            if id in used:
                text = Message("used_already", value=shown(id), file=used[id])
                faults.append(((*place, "id"), text))
            elif kind is not None:
                kinds[id] = kind
            used.setdefault(id, name)
        waiting.append((name, document.value, faults, reader.created_kinds))
        unreadable[name] = reader.unreadable
    # A card may create one of a later file, so those names are looked up last.
    for _, _, faults, created in waiting:
        faults += [fault for fault, kind in created if kind not in used]
    if any(faults for _, _, faults, _ in waiting):
        # where the cards are bad input all that is wrong with them is told
        for name, _, faults, _ in waiting:
            faults += unreadable.get(name, ())
    for name, value, faults, _ in waiting:
        found = in_order(value, faults)
        lines += [
            line if line.startswith(f"{name}: ") else Message("at", place=name, text=line)
            for line in found
        ]
    if lines:
        raise StateError(lines)
    return kinds


_FILE_KEYS = ("set", "edition", "title", "cards", "notes")
_KEYS = (
    "id", "name", "type", "class", "element", "cost", "strike", "life", "abilities",
    "abilities_wanted", "waits_for", "number", "set", "edition", "copies", "deck_copies", "printed",
    "notes", "source",
)  # fmt: skip


class _Reader:
    """Reads one file's document and gathers its faults."""

    def __init__(
        self,
        document: Any,
        faults: list[Fault],
        created: bool,
        file: str,
        faulty: list[FaultyAbility] | None,
    ) -> None:
        self.document = document
        self.faults = faults
        self.created = created
        self.file = file
        self.faulty = faulty
        self.created_kinds: list[tuple[Fault, str]] = []
        self.unreadable: list[Fault] = []  # abilities, where that is no fault of the card

    def fault(self, *path: str | int, text: str) -> None:
        self.faults.append((path, text))

    def one_of(self, path: tuple[str | int, ...], value: Any, known: tuple[str, ...]) -> None:
        parts = {"known": ", ".join(known), "near": hint(value, known)}
        text = Message("not_one_of", value=shown(value), **parts)
        self.fault(*path, text=text)

    def kinds(self) -> Iterator[tuple[str, Kind | None, tuple[str | int, ...]]]:
        """The ids with their places, each with its kind, or None if that has faults."""
        document = self.document
        if not isinstance(document, dict):
            self.fault(text=Message("cards_shape"))
            return
        for key in document:
            if key not in _FILE_KEYS:
                self.fault(key, text=Message("unknown_key", near=hint(key, _FILE_KEYS)))
        cards = document.get("cards")
        if not isinstance(cards, list):
            self.fault("cards", text=Message("required_list"))
            return
        for index, raw in enumerate(cards):
            if not isinstance(raw, dict):
                self.fault("cards", index, text=Message("is_no_mapping"))
                continue
            before = len(self.faults)
            kind = self.kind(raw, ("cards", index))
            fine = len(self.faults) == before
            if ID.fullmatch(kind.id):
                yield kind.id, kind if fine else None, ("cards", index)

    def kind(self, raw: dict[str, Any], path: tuple[str | int, ...]) -> Kind:
        for key in raw:
            if key not in _KEYS:
                self.fault(*path, key, text=Message("unknown_key", near=hint(key, _KEYS)))
        edition = raw.get("edition", self.document.get("edition", "heroes"))
        if edition not in EDITIONS:
            self.one_of((*path, "edition"), edition, EDITIONS)
            edition = "heroes"
        kind_id = raw.get("id")
        if not isinstance(kind_id, str) or not ID.fullmatch(kind_id):
            self.fault(*path, "id", text=Message("no_match", value=shown(kind_id)))
        names = raw.get("name", {})
        if isinstance(names, str):
            names = {"ru": names}
        if not isinstance(names, dict) or not all(
            isinstance(name, str) and name.isprintable() for name in names.values()
        ):
            self.fault(*path, "name", text=Message("names_shape"))
            names = {}
        type_ = raw.get("type")
        if type_ not in TYPES[edition]:
            self.one_of((*path, "type"), type_, TYPES[edition])
        life = self.number(raw, "life", path)
        if life is None and type_ in ("hero", "creature", "flyer"):
            self.fault(*path, "life", text=Message("required_of", type=type_))
        return Kind(
            str(kind_id),
            str(type_),
            tuple(names.items()),
            self.names(raw, "class", path),
            self.names(raw, "element", path),
            self.number(raw, "cost", path) or 0,
            self.strike(raw, path, edition),
            life or 0,
            self.abilities(raw, path),
            self.texts(raw, "waits_for", path),
            self.texts(raw, "abilities_wanted", path),
            edition,
            self.number(raw, "set", path)
            if "set" in raw
            else self.number(self.document, "set", ()),
            self.number(raw, "number", path),
            self.number(raw, "copies", path),
            self.number(raw, "deck_copies", path),
            self.created,
            self.file,
        )

    def number(self, raw: dict[str, Any], key: str, path: tuple[str | int, ...]) -> int | None:
        value = raw.get(key)
        if value is None:
            return None
        if type(value) is not int or not 0 <= value <= MAX_NUMBER:
            text = Message("number_from_0", value=shown(value), most=MAX_NUMBER)
            self.fault(*path, key, text=text)
            return None
        return value

    def strike(
        self, raw: dict[str, Any], path: tuple[str | int, ...], edition: str
    ) -> int | tuple[int, int, int]:
        value = raw.get("strike")
        if edition != "classic":
            return self.number(raw, "strike", path) or 0
        if value is None:
            return (0, 0, 0)
        if not isinstance(value, list) or len(value) != 3:
            self.fault(*path, "strike", text=Message("is_no_strike"))
            return (0, 0, 0)
        three = [self.number({"strike": part}, "strike", path) or 0 for part in value]
        return (three[0], three[1], three[2])

    def texts(self, raw: dict[str, Any], key: str, path: tuple[str | int, ...]) -> tuple[str, ...]:
        value = raw.get(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            near = listed_alone(value)
            text = Message("no_list_of_texts", value=shown(value), near=near)
            self.fault(*path, key, text=text)
            return ()
        return tuple(value)

    def names(self, raw: dict[str, Any], key: str, path: tuple[str | int, ...]) -> tuple[str, ...]:
        found = self.texts(raw, key, path)
        for index, name in enumerate(found):
            if not ID.fullmatch(name):
                self.fault(*path, key, index, text=Message("no_match", value=shown(name)))
        return () if found == ("neutral",) and key == "element" else found

    def abilities(self, raw: dict[str, Any], path: tuple[str | int, ...]) -> tuple[str, ...]:
        found = self.texts(raw, "abilities", path)
        out: list[str] = []
        for index, text in enumerate(found):
            place = (*path, "abilities", index)
            faults = terms.check(text)
            if self.faulty is None:
                self.faults += [(place, fault) for fault in faults]
            else:
                card = str(raw.get("id"))
                self.faulty += [FaultyAbility(card, index, text, fault) for fault in faults]
                self.unreadable += [(place, fault) for fault in faults]
            if not faults:
                out.append(terms.canonical(text))
                for kind, position in terms.kinds_named(text):
                    unknown = Message("no_kind", value=shown(kind), near="")
                    fault = (place, terms.located(text, position, unknown))
                    self.created_kinds.append((fault, kind))
        return tuple(out)


def unknown_kind(kind: object, known: Mapping[str, Any]) -> str | None:
    """What is wrong with naming that kind, or None; for the name of a card its id is told."""
    if isinstance(kind, str) and kind in known:
        return None
    names = {
        name.casefold(): id
        for id, each in known.items()
        if isinstance(each, Kind)
        for _, name in each.names
    }
    return Message("no_kind", value=shown(kind), near=_near(kind, known, names))


def near_card(word: str, cards: Iterable[Card]) -> str:
    """`; did you mean …?` with the id of the card whose id or name is most like it, or nothing."""
    names: dict[str, str] = {}
    ids = []
    for card in cards:
        ids.append(card.id)
        kind = catalogue().get(card.kind or "")
        for name in (card.name, *(name for _, name in (kind.names if kind else ()))):
            names.setdefault(name.casefold(), card.id)
    return _near(word, ids, names)


def _near(said: object, ids: Iterable[str], names: Mapping[str, str]) -> str:
    """The nearest id, also by what it is called: ``names``, without capitals, to ids."""
    word = said.casefold() if isinstance(said, str) else ""
    near = Message("near", near=names[word]) if word in names else hint(said, ids)
    if not near and len(word) <= _LONGEST_NAME:
        found = get_close_matches(word, names, 1, 0.75)
        near = Message("near", near=names[found[0]]) if found else ""
    return near
