"""YAML 1.2 and JSON text to plain data, safely; and where the data of the package lie.

PyYAML speaks YAML 1.1 (`no` is false, `0777` is octal, `12:30` is a number of seconds) and its
loaders build what tags ask for. So only its event parser (libyaml) is used here. The values are
built from the events with the core schema of YAML 1.2.2, section 10.3, in one loop without
recursion: aliases, depth and size are counted as they come, and no tag can make an object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from pyengine.faults import Message, at, of_library, reason
from pyengine.limits import DEFAULT, Limits
from pyengine.model import StateError

Path_ = tuple[str | int, ...]
Fault = tuple[Path_, str]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PACKAGE = Path(__file__).resolve().parent
MAX_FAULTS = 1_000  # of a document are told
_LEFT: ContextVar[list[int] | None] = ContextVar("left", default=None)


@dataclass(slots=True)
class Document:
    """One document: its value, the faults found while building it, the line it begins on."""

    value: Any
    faults: list[Fault] = field(default_factory=list)
    line: int = 1


def data_folder(name: str) -> Path:
    """The folder `facts` or `rules`, of the source checkout or else of the installed package.

    FileNotFoundError where neither is there.
    """
    for folder in (_PACKAGE / "data" / name, _PACKAGE.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"the package has no folder {name} (looked in {_PACKAGE})")


# ---------------------------------------------------------------- showing


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text)


def shown(value: Any, most: int = 60) -> str:
    """A value of a document, short and on one line: text in single quotes, the rest as JSON.

    >>> shown("garden"), shown(True), shown([1, "a"])
    ("'garden'", 'true', "[1, 'a']")
    """
    if isinstance(value, str):
        text = f"'{_printable(value[:most])}'"
        return text if len(value) <= most else text[:-1] + "…'"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int):
        if abs(value) < 10**20:
            return str(value)
        return Message("digits", n=value.bit_length() * 3 // 10)
    if isinstance(value, list | tuple):
        inside = ", ".join(shown(item, 20) for item in value[:4])
        return f"[{inside}{', …' if len(value) > 4 else ''}]"
    if isinstance(value, dict):
        keys = ", ".join(f"{_printable(str(key))}: …" for key in list(value)[:4])
        return "{" + keys[:most] + "}"
    return _printable(str(value))[:most]


def place(path: Sequence[str | int]) -> str:
    """A path as it is written in a fault.

    >>> place(("cards", "ork", "abilities", 0))
    'cards.ork.abilities[0]'
    """
    out = ""
    for part in path:
        if isinstance(part, int):
            out += f"[{part}]"
        else:
            name = part if re.fullmatch(r"[\w#(),-]{1,80}", part) else shown(part)
            out += f".{name}" if out else name
    return out


@contextmanager
def patience(most: int = 1_000_000, shared: bool = True) -> Iterator[None]:
    """Within it so much is compared for hints: characters of a name for each that is known.

    To compare them takes some seconds at most. What is left of one around it serves, if it is
    shared.
    """
    if shared and _LEFT.get() is not None:
        yield
        return
    token = _LEFT.set([most])
    try:
        yield
    finally:
        _LEFT.reset(token)


def hint(name: object, known: Iterable[str], least: float = 0.6) -> str:
    """`; did you mean …?` with the nearest known name that is at least that like, or nothing.

    Capitals make no difference. Nothing as well where ``patience`` is at its end.

    >>> hint("Grol", ["groll", "shia"])
    '; did you mean groll?'
    """
    if not isinstance(name, str) or len(name) > 60:
        return ""
    known, left = tuple(known), _LEFT.get()
    if left is not None:
        left[0] -= len(name) * len(known)
        if left[0] < 0:
            return ""
    near = _nearest(name, known, least)
    return Message("near", near=near) if near else ""


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...], least: float) -> str | None:
    folded = {each.casefold(): each for each in reversed(known)}  # of equal ones the first
    found = get_close_matches(name.casefold(), folded, 1, least)
    return folded[found[0]] if found else None


def listed_alone(text: object) -> str:
    """`; did you mean …?` with a text as the only one of a list, as YAML has it, or nothing.

    >>> listed_alone("orc"), listed_alone("armor(1)")
    ('; did you mean [orc]?', '; did you mean ["armor(1)"]?')
    """
    if not isinstance(text, str) or not re.fullmatch(r"[\w(),-]{1,60}", text):
        return ""
    return Message("near", near=f"[{text}]" if text.isidentifier() else f'["{text}"]')


def in_order(document: Any, faults: Iterable[Fault]) -> list[str]:
    """The faults as lines, in the order in which the document names their places.

    What is missing comes after what is there. Of very many only some, and that there are more.
    """

    def key(fault: Fault) -> list[int]:
        out: list[int] = []
        here = document
        for part in fault[0]:
            if isinstance(here, dict) and part in here:
                mark = ranks.get(id(here))
                if mark is None:
                    mark = ranks[id(here)] = {name: n for n, name in enumerate(here)}
                out.append(mark[part])
                here = here[part]
            elif isinstance(here, list) and isinstance(part, int) and part < len(here):
                out.append(part)
                here = here[part]
            else:
                out.append(1 << 40)
                break
        return out

    ranks: dict[int, dict[Any, int]] = {}
    lines = (
        Message("at", place=place(path), text=text) if path else text
        for path, text in sorted(faults, key=key)  # stable: equal places keep their order
    )
    return first(dict.fromkeys(lines))


def first(lines: Iterable[str], most: int = MAX_FAULTS) -> list[str]:
    """So many of the lines; behind them one that says so if there are more."""
    lines = list(lines)
    return lines if len(lines) <= most else [*lines[:most], Message("more_faults", most=most)]


# ---------------------------------------------------------------- reading


def parse_document(
    text: str | bytes, name: str, size: int | None = None, limits: Limits = DEFAULT
) -> Document:
    """The only document of a text; StateError if there is none, more than one, or no YAML.

    A text that begins with `{` is first tried as JSON: libyaml knows no surrogate pairs and
    no tabs for indenting.

    Args:
        text: YAML or JSON.
        name: what faults call it.
        size: how many bytes it may have, if not as many as the limits say.
        limits: how deep and how large it may be.
    """
    text = _decoded(text, name, size, limits)
    if text.lstrip().startswith("{"):
        try:
            value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
            if _fits(value, limits):
                return Document(value)
        except (ValueError, RecursionError):
            pass  # the reader below says what is wrong, and where
    found = list(_documents(text, name, limits))
    if not found:
        raise StateError([at(name, "empty")])
    if len(found) > 1:
        text = Message("second_document")
        raise StateError([Message("at_line", place=name, line=found[1].line, text=text)])
    return found[0]


def parse_documents(text: str | bytes, name: str, size: int | None = None) -> list[Document]:
    """Every document of a text, in order; StateError if it is no YAML. Empty ones are left out."""
    text = _decoded(text, name, size, DEFAULT)
    found = _documents(text, name, DEFAULT)
    return [document for document in found if document.value is not None]


def read_text(path: Path, name: str, size: int | None = None, limits: Limits = DEFAULT) -> bytes:
    """What a file holds; StateError if it cannot be read or holds too much."""
    most = size or limits.bytes
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise StateError([at(name, "unreadable", why=reason(error))]) from None
    if len(data) > most:
        raise StateError([_too_large(name, most, size is None)])
    return data


def _too_large(name: str, most: int, of_state: bool) -> Message:
    key = "many_bytes_of_state" if of_state else "many_bytes"
    return at(name, key, most=most)


def _decoded(text: str | bytes, name: str, size: int | None, limits: Limits) -> str:
    most = size or limits.bytes
    # A character is a byte at least, so an endless text is not encoded only to be measured.
    if len(text) > most or (isinstance(text, str) and len(text.encode("utf-8", "replace")) > most):
        raise StateError([_too_large(name, most, size is None)])
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise StateError([at(name, "not_utf8", n=error.start + 1)]) from None
    return text.removeprefix("\ufeff")


def _fits(value: Any, limits: Limits) -> bool:
    """Whether a value is neither too deep nor too large; keys count as values."""
    level, nodes = [value], 0
    for _ in range(limits.depth + 1):
        nodes += sum(1 + (len(part) if isinstance(part, dict) else 0) for part in level)
        if nodes > limits.values:
            return False
        level = [
            part
            for whole in level
            if isinstance(whole, dict | list)
            for part in (whole.values() if isinstance(whole, dict) else whole)
        ]
        if not level:
            return True
    return False


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("duplicate key")
    return out


def _no_constant(name: str) -> Any:
    raise ValueError(name)


_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INF = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_WORDS = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMERIC = frozenset("-+.0123456789")
_TAG = "tag:yaml.org,2002:"


def scalar(text: str) -> Any:
    """What a plain scalar means in the core schema of YAML 1.2.

    >>> scalar("no"), scalar("010"), scalar("12:30"), scalar("null")
    ('no', 10, '12:30', None)

    ValueError for a number of more than 4,300 digits.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMERIC:
        return text
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _INF.fullmatch(text):
        return float(text.replace(".", ""))
    if text in (".nan", ".NaN", ".NAN"):
        return float("nan")
    return text


class _Stop(Exception):
    """What makes a text unreadable, and the mark where."""

    def __init__(self, text: str, mark: Any) -> None:
        self.text, self.mark = text, mark
        super().__init__(text)


class _Open:
    """A collection being built. `key` is the key whose value comes next (None: a key comes)."""

    __slots__ = ("anchor", "key", "keyed", "lines", "nodes", "value")

    def __init__(self, value: Any, anchor: str | None, nodes: int) -> None:
        self.value = value
        self.anchor = anchor
        self.nodes = nodes
        self.key: Any = None
        self.keyed = False
        self.lines: dict[Any, int] = {}


def _documents(text: str, name: str, limits: Limits) -> Iterator[Document]:
    loader: Any = None
    try:
        loader = _LOADER(text)
        while True:
            event = loader.get_event()
            if isinstance(event, yaml.DocumentStartEvent):
                mark: Any = event.start_mark
                yield _build(loader, mark.line + 1, limits)
            elif isinstance(event, yaml.StreamEndEvent):
                return
    except _Stop as error:
        raise StateError([_stopped(name, error)]) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        stop = _Stop(Message("not_yaml", why=of_library(str(error.problem))), mark)
        raise StateError([_stopped(name, stop)]) from None
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        why = str(getattr(error, "reason", error)).splitlines()[0]
        raise StateError([at(name, "not_yaml", why=of_library(why))]) from None
    finally:
        if loader is not None:
            loader.dispose()


def _stopped(name: str, error: _Stop) -> Message:
    if not error.mark:
        return Message("at", place=name, text=error.text)
    where = {"line": error.mark.line + 1, "column": error.mark.column + 1}
    return Message("at_mark", place=name, **where, text=error.text)


def _build(loader: Any, line: int, limits: Limits) -> Document:
    """The document whose start was just read: one loop over its events."""
    document = Document(None, [], line)
    anchors: dict[str, tuple[Any, int]] = {}
    stack: list[_Open] = []
    nodes = 0
    while True:
        event = loader.get_event()
        kind = type(event)
        if kind is yaml.DocumentEndEvent:
            return document
        done: _Open | None = None
        value: Any
        if kind is yaml.ScalarEvent:
            value = _value(event)
            nodes += 1
            if event.anchor:
                anchors[event.anchor] = (value, 1)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            mapping = kind is yaml.MappingStartEvent
            wanted = _TAG + ("map" if mapping else "seq")
            if event.tag not in (None, "!", wanted):
                raise _Stop(Message("tag", tag=event.tag), event.start_mark)
            if len(stack) >= limits.depth:
                raise _Stop(Message("deep", most=limits.depth), event.start_mark)
            if stack and isinstance(stack[-1].value, dict) and not stack[-1].keyed:
                raise _Stop(Message("key_collection"), event.start_mark)
            nodes += 1
            stack.append(_Open({} if mapping else [], event.anchor, nodes))
            continue
        elif kind is yaml.AliasEvent:
            if event.anchor not in anchors:
                raise _Stop(Message("alias", name=event.anchor), event.start_mark)
            value, size = anchors[event.anchor]
            nodes += size
        else:  # the end of a collection
            done = stack.pop()
            value = done.value
            if done.anchor:
                anchors[done.anchor] = (value, nodes - done.nodes + 1)
        if nodes > limits.values:
            raise _Stop(Message("many_values", most=limits.values), event.start_mark)
        if not stack:
            document.value = value
            continue
        top = stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif not top.keyed:
            if not isinstance(value, str):
                raise _Stop(Message("key_quote", value=shown(value)), event.start_mark)
            top.key, top.keyed = value, True
            here = event.start_mark.line + 1
            if value in top.lines:
                path = (*(_step(outer) for outer in stack[:-1]), value)
                document.faults.append(
                    (path, Message("duplicate", first=top.lines[value], second=here))
                )
            top.lines.setdefault(value, here)
        else:
            top.value.setdefault(top.key, value)
            top.keyed = False


def _step(outer: _Open) -> str | int:
    return len(outer.value) if isinstance(outer.value, list) else str(outer.key)


def _value(event: Any) -> Any:
    text: str = event.value
    tag = event.tag
    if tag is None:
        if not event.implicit[0]:
            return text  # quoted, or a block of text
        try:
            return scalar(text)
        except ValueError:
            raise _Stop(Message("digits_over"), event.start_mark) from None
    if tag in ("!", _TAG + "str"):
        return text
    if tag in (_TAG + "int", _TAG + "float", _TAG + "bool", _TAG + "null"):
        try:
            value = scalar(text)
        except ValueError:
            raise _Stop(Message("digits_over"), event.start_mark) from None
        if tag == _TAG + "float" and type(value) is int:
            return float(value) if abs(value) < 10**300 else value
        kinds = {"int": int, "float": float, "bool": bool, "null": type(None)}
        if type(value) is kinds[tag.removeprefix(_TAG)]:
            return value
        raise _Stop(
            Message("no_tag", value=shown(text), tag=tag.removeprefix(_TAG)), event.start_mark
        )
    raise _Stop(Message("tag", tag=tag), event.start_mark)
