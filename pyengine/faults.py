"""What is wrong with an input, in words: English in the text itself, Russian when it is told.

A ``Message`` is its English text, so nothing that handles texts need know of it; it remembers of
what it was made, and ``told`` makes the same of the Russian words.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Any

from pyengine.wordings import FAULTS, LIBRARIES

# errors of the system that have words of ours
_SYSTEM = (
    "ENOENT", "EISDIR", "ENOTDIR", "EEXIST", "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT",
    "EFBIG", "ENAMETOOLONG", "ELOOP", "EMFILE", "EIO", "EBUSY", "EADDRINUSE", "EADDRNOTAVAIL",
)  # fmt: skip


class Message(str):
    """A text made by a template of ``FAULTS``. Parts may be messages too.

    >>> fault = Message("at", place="turn", text=Message("below", value=-1, least=0))
    >>> fault, told(fault, "ru")
    ('turn: -1 is below 0', 'turn: -1 меньше 0')
    """

    __slots__ = ("key", "parts")
    key: str
    parts: dict[str, Any]

    def __new__(cls, key: str, /, **parts: Any) -> Message:
        """KeyError if there is no such template, or a part of it is missing."""
        self = super().__new__(cls, FAULTS[key][0].format(**parts))
        self.key, self.parts = key, parts
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self.key, self.parts))


def _again(key: str, parts: dict[str, Any]) -> Message:
    return Message(key, **parts)


def at(place: str, key: str, /, **parts: Any) -> Message:
    """A message with the place where it is so.

    >>> at("turn", "below", value=-1, least=0)
    'turn: -1 is below 0'
    """
    return Message("at", place=place, text=Message(key, **parts))


def within(place: str, faults: Iterable[str]) -> list[str]:
    """Faults of a part, each with the place of the part before it."""
    return [Message("at", place=place, text=fault) for fault in faults]


def bare(fault: str) -> str:
    """A fault without the place before it.

    >>> bare(at("turn", "below", value=-1, least=0))
    '-1 is below 0'
    """
    if isinstance(fault, Message) and fault.key == "at":
        text: str = fault.parts["text"]
        return text
    return fault


def reason(error: OSError) -> str:
    """Why the system could not, in its words; what is common can be told in Russian, too.

    >>> told(reason(FileNotFoundError(2, "No such file or directory")), "ru")
    'нет такого файла или папки'
    """
    key = errno.errorcode.get(error.errno or 0, "")
    return Message(key) if key in _SYSTEM else str(error.strerror or error)


def of_library(text: str) -> str:
    """What a library says is wrong, in its words; what is common can be told in Russian, too.

    >>> told(of_library("did not find expected ',' or ']'"), "ru")
    "не хватает ',' или ']'"
    """
    known = LIBRARIES.get(text.removesuffix(": "))
    return text if known is None else Message("both", en=text, ru=known)


def listed(word: str, texts: Sequence[str]) -> str:
    """Texts with a word between them, the key `and`, `or` or `comma`.

    >>> listed("or", ["a", "b", "c"])
    'a or b or c'
    """
    return reduce(lambda first, second: Message(word, first=first, second=second), texts)


def told(text: object, lang: str) -> str:
    """A text in a language; what is no ``Message`` stays as it is."""
    if lang == "en" or not isinstance(text, Message):
        return str(text)
    return FAULTS[text.key][1].format(**{k: _part(v, lang) for k, v in text.parts.items()})


class _Spaced(int):
    """A number whose thousands are parted as Russian parts them, by a space that does not break."""

    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(",", "\N{NO-BREAK SPACE}")


def _part(value: Any, lang: str) -> Any:
    if isinstance(value, int) and not isinstance(value, bool):
        return _Spaced(value)
    return told(value, lang) if isinstance(value, str) else value
