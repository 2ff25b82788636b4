"""What the commands read: positions, declarations, limits; and how their faults are told."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from pyengine import i18n, streams
from pyengine.cli.options import LIMITS
from pyengine.cli.writing import UnreadError, fail, tell
from pyengine.faults import told
from pyengine.i18n import LANGUAGES, Lang, say
from pyengine.limits import DEFAULT, Limits, in_force, using
from pyengine.model import EDITIONS, Action, LimitError, PyengineError, State, StateError
from pyengine.watch import interrupted, speak

if TYPE_CHECKING:
    from pyengine.engine import Engine


def default_engine() -> Engine:
    """An engine of the default edition."""
    from pyengine.engine import Engine

    return Engine()


@contextmanager
def answering(
    lang: str | None,
    as_json: bool,
    edition: str | None = None,
    limit: Sequence[str] | None = None,
    time_limit: float | None = None,
) -> Iterator[Lang]:
    """Gives the language of the answer, and turns errors into fault lines and exit code 2."""
    # JSON is English unless a language is asked for
    language: Lang = "en" if as_json else i18n.language(os.environ)
    faults = []
    if lang is not None:
        found = [known for known in LANGUAGES if known == lang]
        language = found[0] if found else language
        if not found:
            known = ", ".join(LANGUAGES)
            fault = say("no_such_option", language, option="--lang", value=lang, known=known)
            faults.append(fault + nearest(lang, LANGUAGES, language))
    if edition is not None and edition not in EDITIONS:
        known = ", ".join(EDITIONS)
        fault = say("no_such_option", language, option="--edition", value=edition, known=known)
        faults.append(fault + nearest(edition, EDITIONS, language))
    speak(language)
    limits = _limits(limit or (), time_limit, faults, language)
    if faults:
        fail(faults)
    try:
        with using(limits):
            yield language
    except StateError as error:
        fail([told(fault, language) for fault in error.faults])
    except LimitError as error:
        fail([say("too_large", language, message=told(error.message, language))])
    except PyengineError as error:
        fail(told(error.args[0] if error.args else error, language).splitlines())
    except (typer.Exit, UnreadError):
        raise
    except OSError as error:
        if error.filename is None:
            streams.silence(sys.stdout)
        fail([streams.failed(error, language)])
    except Exception as error:
        if interrupted():
            raise KeyboardInterrupt from None
        if os.environ.get("PYENGINE_TRACEBACK"):
            raise
        message = f"{type(error).__name__}: {error}".splitlines()[0]
        fail([say("internal", language, message=message)])


def _limits(named: Sequence[str], seconds: float | None, faults: list[str], lang: Lang) -> Limits:
    """The limits that are asked for; what is wrong with them is added to the faults."""
    limits = DEFAULT
    if seconds is not None:
        if seconds > 0:  # not where it is no number
            limits = replace(limits, seconds=seconds)
        else:
            faults.append(say("no_seconds", lang, value=seconds))
    for text in named:
        name, _, number = text.partition("=")
        if name not in LIMITS:
            known = ", ".join(LIMITS)
            fault = say("no_such_option", lang, option="--limit", value=name, known=known)
            faults.append(fault + nearest(name, LIMITS, lang))
        elif re.fullmatch("[0-9]{1,12}", number) and int(number):
            changed: dict[str, Any] = {name: int(number)}
            limits = replace(limits, **changed)
        else:
            faults.append(say("no_limit", lang, name=name, value=number))
    return limits


def nearest(word: str, known: Iterable[str], lang: Lang) -> str:
    """What is known and most like a word, as a hint; else nothing."""
    from pyengine.documents import hint

    return told(hint(word, known), lang)


def read_state(path: str, edition: str | None, lang: Lang) -> State:
    """The state of a file (`-`: of standard input), read by another edition if one is named."""
    if path == "-":
        from pyengine.reading import state_from_text

        state = state_from_text(sys.stdin.buffer.read(in_force().bytes + 1))
    else:
        state = State.load(path)
    if edition is not None and edition != state.edition:
        state = State.from_dict({**state.to_dict(), "edition": edition})
    _warn(state, lang)
    return state


def _warn(state: State, lang: Lang) -> None:
    """Tell what is doubtful, and the cards that are judged without abilities of theirs."""
    from pyengine.doubts import doubts
    from pyengine.kinds import catalogue

    for doubt in doubts(state):
        tell(say("warning", lang, text=told(doubt, lang)))
    for kind in sorted({card.kind for card in state.cards if card.kind is not None}):
        if kind in catalogue() and catalogue()[kind].waits_for:
            tell(say("incomplete", lang, kind=kind))


def read_question(path: str, action: str, edition: str | None, lang: Lang) -> tuple[State, Action]:
    """The state and the action; the faults of both at once."""
    faults: list[str] = []
    state = declared = None
    try:
        state = read_state(path, edition, lang)
    except StateError as error:
        faults += error.faults
    try:
        declared = Action.parse(action, () if state is None else state.cards)
    except StateError as error:
        faults += error.faults
    if state is None or declared is None:
        raise StateError(faults)
    return state, declared
