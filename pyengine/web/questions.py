"""One question, answered: the text of a request goes in, the text of the answer comes out.

Runs in a process of the pool, so the server itself never reads a large document and never waits
for a solver. Nothing here knows HTTP but the codes of `Reply`.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from pyengine import audit, explain, reading
from pyengine.audit import Scope, telling
from pyengine.documents import Fault, hint, in_order, parse_document, shown
from pyengine.engine import Engine
from pyengine.faults import Message, at, of_library, told
from pyengine.i18n import Lang
from pyengine.limits import DEFAULT, Limits, in_force, using
from pyengine.model import Action, IllegalAction, LimitError, PyengineError, State, StateError
from pyengine.web import words

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Args:
        name: a key of ``ANSWERS``.
        body: the JSON text of the request.
        lang: of the texts in the answer.
        seconds: after which it is given up, or, if it is a search, ends with what it has found.
    """

    name: str
    body: bytes
    lang: Lang = "en"
    seconds: float = 20.0


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer as JSON text; ``status`` is that of HTTP, 200 unless it is a problem."""

    status: int
    body: bytes


def answer(question: Question) -> Reply:
    """The answer, or the problem that is in its way: nothing is raised."""
    lang = question.lang
    try:
        with using(replace(in_force(), seconds=question.seconds)):
            return Reply(200, _text(ANSWERS[question.name](_Request(question))))
    except StateError as error:
        return problem("bad_input", [told(fault, lang) for fault in error.faults], lang)
    except LimitError as error:
        late = error.limit == "seconds"
        return problem("late" if late else "too_much", [told(error.message, lang)], lang)
    except PyengineError as error:
        return problem("bad_input", told(error.args[0], lang).splitlines(), lang)
    except MemoryError:
        return problem("too_much", [words.say("memory", lang)], lang)
    except Exception as error:
        log.exception("the question %s", question.name)
        return problem("internal", [f"{type(error).__name__}: {error}"], lang)


def _text(document: Any) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


# --- problems ------------------------------------------------------------------------------------

# what can be in the way of an answer: the status of HTTP, and the key of its title
PROBLEMS: dict[str, int] = {
    "bad_request": 400,
    "not_found": 404,
    "wrong_method": 405,
    "body_too_large": 413,
    "not_json": 415,
    "bad_input": 422,
    "too_much": 422,
    "internal": 500,
    "busy": 503,
    "lost": 503,
    "late": 504,
}


def problem(code: str, faults: tuple[str, ...] | list[str], lang: Lang = "en") -> Reply:
    """A problem document of RFC 9457; ``code`` and ``faults`` are members of our own."""
    status = PROBLEMS[code]
    return Reply(
        status,
        _text(
            {
                "type": "about:blank",
                "title": words.say(f"problem_{code}", lang),
                "status": status,
                "detail": "\n".join(faults),
                "code": code,
                "faults": list(faults),
            }
        ),
    )


# --- what a request holds ------------------------------------------------------------------------


def _must_be_json(body: bytes) -> None:
    """StateError with the place if a request is no JSON: YAML is for the text of a state."""
    try:
        json.loads(body or b"null")  # an empty one is told of below
    except json.JSONDecodeError as error:
        text = Message("not_json", why=of_library(error.msg))
        raise StateError(
            [Message("at_mark", place="request", line=error.lineno, column=error.colno, text=text)]
        ) from None
    except (ValueError, RecursionError):
        pass  # the reader says where


class _Request:
    """The mapping of a request; every fault of it and of what it holds is gathered."""

    def __init__(self, question: Question) -> None:
        _must_be_json(question.body)
        document = parse_document(question.body, "request", len(question.body) + 1)
        if not isinstance(document.value, dict):
            raise StateError([at("request", "no_object", value=shown(document.value))])
        self.raw: dict[str, Any] = document.value
        self.twice: list[Fault] = document.faults
        self.lang = question.lang
        self.seconds = question.seconds

    def read(self, needed: tuple[str, ...], allowed: tuple[str, ...] = ()) -> dict[str, Any]:
        """The values by key, the state and the action read. StateError with all faults."""
        values, faults = self.partly(needed, allowed)
        if faults:
            raise StateError(faults)
        return values

    def partly(
        self, needed: tuple[str, ...], allowed: tuple[str, ...] = ()
    ) -> tuple[dict[str, Any], list[str]]:
        """The values that can be read, and the faults of the others."""
        known = (*needed, *allowed)
        faults: list[str] = [
            at(f"request.{shown(key)[1:-1]}", "unknown_key", near=hint(key, known))
            for key in self.raw
            if key not in known
        ]
        faults += [at(f"request.{key}", "required") for key in needed if key not in self.raw]
        values: dict[str, Any] = {}
        for key, value in self.raw.items():
            if key in known:
                try:
                    values[key] = self._value(key, value)
                except StateError as error:
                    faults += error.faults
        return values, faults

    def _value(self, key: str, value: Any) -> Any:
        read = _READERS.get(key)
        if key != "state" or not isinstance(value, dict):
            return read(value) if read else value
        inside = [(path[1:], text) for path, text in self.twice if path[:1] == ("state",)]
        try:
            state = reading.state_from_dict(value)
        except StateError as error:
            raise StateError([*in_order(value, inside), *error.faults]) from None
        if inside:
            raise StateError(in_order(value, inside))
        return state


def _state(value: Any) -> State:
    if isinstance(value, str):
        return reading.state_from_text(value)
    raise StateError([at("request.state", "object_or_text", value=shown(value))])


def _action(value: Any) -> Action:
    if isinstance(value, str):
        return Action.parse(value)
    raise StateError([at("request.action", "no_action_text", value=shown(value))])


def _flag(key: str) -> Callable[[Any], bool]:
    def read(value: Any) -> bool:
        if isinstance(value, bool):
            return value
        raise StateError([at(f"request.{key}", "no_flag", value=shown(value))])

    return read


def _scope(value: Any) -> Scope:
    if isinstance(value, str):
        return Scope.parse(value)
    raise StateError([at("request.scope", "no_scope_text", value=shown(value))])


def _list(key: str, item: type, what: str) -> Callable[[Any], tuple[Any, ...]]:
    def read(value: Any) -> tuple[Any, ...]:
        if isinstance(value, list) and all(type(each) is item for each in value):
            return tuple(value)
        raise StateError([at(f"request.{key}", f"no_{what}", value=shown(value))])

    return read


def _edition(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise StateError([at("request.edition", "no_text", value=shown(value))])


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "state": _state,
    "action": _action,
    "legal_only": _flag("legal_only"),
    "edition": _edition,
    "scope": _scope,
    "sets": _list("sets", int, "numbers"),
    "only": _list("only", str, "codes"),
    "all": _flag("all"),
}


# --- the questions -------------------------------------------------------------------------------


def _legal(request: _Request) -> dict[str, Any]:
    values = request.read(("state",), ("legal_only",))
    state: State = values["state"]
    verdicts = Engine().judge(state)
    if values.get("legal_only"):
        verdicts = [verdict for verdict in verdicts if verdict.legal]
    return explain.judged(state, verdicts, request.lang)


def _why(request: _Request) -> dict[str, Any]:
    values = request.read(("state", "action"))
    state: State = values["state"]
    return explain.explained(state, Engine().why(state, values["action"]), request.lang)


def _resolve(request: _Request) -> dict[str, Any]:
    values = request.read(("state", "action"))
    state: State = values["state"]
    action: Action = values["action"]
    try:
        outcomes = Engine().resolve(state, action)
    except IllegalAction as error:
        return explain.refused(state, error.verdict, request.lang)
    return explain.resolved(state, action, outcomes, request.lang)


def _read(request: _Request) -> dict[str, Any]:
    """The state as it was understood: short, whole, and as text; who decides."""
    state: State = request.read(("state",))["state"]
    return {
        "player": explain.decides(state),
        "state": state.to_dict(),
        "whole": explain.whole(state),
        "yaml": state.to_yaml(),
    }


def _values(request: _Request) -> dict[str, Any]:
    """What each card's values are now, with all that changes and sets them."""
    state: State = request.read(("state",))["state"]
    values = Engine().all_values(state)
    return {"values": {id: explain.plain_record(each) for id, each in values.items()}}


def _check(request: _Request) -> dict[str, Any]:
    """The search stops by itself and says what it leaves undecided.

    Folders and files are no part of a request: they would be those of the server.
    """
    values, faults = request.partly((), ("edition", "scope", "sets", "only", "all"))
    asked = audit.Options(until=time.time() + request.seconds, time_limit=request.seconds)
    names = {"all": "everything"}
    options = replace(asked, **{names.get(key, key): value for key, value in values.items()})
    if faults:
        raise StateError([*faults, *audit.faults(options)])
    return telling.document(audit.check(options), request.lang)


ANSWERS: Mapping[str, Callable[[_Request], dict[str, Any]]] = {
    "legal": _legal,
    "why": _why,
    "resolve": _resolve,
    "check": _check,
    "values": _values,
    "state": _read,
}


def answer_within(limits: Limits, question: Question) -> Reply:
    """The answer within these limits; their seconds do not count, the question has its own."""
    with using(limits):
        return answer(question)


def begin(limits: Limits = DEFAULT) -> Callable[[Question], Reply]:
    """What answers, after the rules of every edition and the cards were read for it."""
    from pyengine.kinds import catalogue
    from pyengine.model import EDITIONS
    from pyengine.rulebook import rulebook
    from pyengine.solving import program
    from pyengine.terms import vocabulary

    for edition in EDITIONS:
        program(f"rules/editions/{edition}.lp")
    catalogue()
    rulebook()
    vocabulary()
    return partial(answer_within, limits)
