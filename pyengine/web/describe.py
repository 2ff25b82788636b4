"""The description of the addresses: what OpenAPI (`/openapi.json`, `/docs`) says of them.

The documents are made by `questions` and `library`; here is what a reader needs to use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pyengine.audit import CODES
from pyengine.model import EDITIONS
from pyengine.structure import state_schema

SUMMARY = "A rules judge for the card game «Берсерк. Герои» (Berserk: Heroes)."
DESCRIPTION = """\
Send a position and a declaration; get what is legal, why, and what comes of it.
A position is a state document (`pyengine schema`), as an object or as its YAML or JSON text.
Texts are in English or Russian: `?lang=`, else `Accept-Language`.
Whatever is in the way of an answer is told as `application/problem+json`, all faults at once.
"""

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
MAYBE: Schema = {"type": ["string", "null"]}


def version() -> str:
    """The version of the package."""
    from importlib import metadata

    try:
        return metadata.version("pyengine")
    except metadata.PackageNotFoundError:
        return "0+source"


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _state() -> Schema:
    """The schema of a state with its parts inside, so that it can stand within another."""
    schema = state_schema()
    parts = schema.pop("$defs")
    schema.pop("$schema")

    def inside(value: Any) -> Any:
        if isinstance(value, dict):
            if "$ref" in value:
                return inside(parts[value["$ref"].rpartition("/")[2]])
            return {key: inside(item) for key, item in value.items()}
        return [inside(item) for item in value] if isinstance(value, list) else value

    resolved: Schema = inside(schema)
    return resolved


DOCUMENT: Schema = {"type": "object", "description": "a state document"}
REASON = _object(
    rule={**TEXT, "description": "a rule; /rules/{rule} tells it"},
    by={**MAYBE, "description": "the card that bears the deciding ability"},
    text=TEXT,
    defeats=_list(_object(rule=TEXT, by=MAYBE, principle=TEXT)),
)
REASONS = _list(REASON)
VERDICT = _object(action=TEXT, because=REASONS)
NODE: Schema = {
    **_object(rule=MAYBE, by=MAYBE, text=TEXT, children=_list({"type": "object"})),
    "description": "a norm (rule) or a fact (null) with what it rests on: nodes again",
}
OUTCOME = _object(
    ways=NUMBER,
    choices=_list(
        _object(
            player={**MAYBE, "description": "null: chance"},
            rule=TEXT,
            options=_list(TEXT),
            chosen=TEXT,
            text={**TEXT, "description": "what was chosen, in words"},
            options_text=_list(TEXT),
        )
    ),
    trace=_list(
        _object(
            step=TEXT,
            rule=TEXT,
            by=MAYBE,
            what=TEXT,
            value={"type": ["integer", "null"]},
            text={**TEXT, "description": "the step in words"},
        )
    ),
    changes=_list(_object(about=MAYBE, text=TEXT)),
    state=DOCUMENT,
)
PROBLEM = _object(
    type=TEXT,
    title=TEXT,
    status=NUMBER,
    detail=TEXT,
    code={**TEXT, "description": "what kind of problem; see docs/http.md"},
    faults={**_list(TEXT), "description": "every fault found, a line each"},
)


@dataclass(frozen=True, slots=True)
class Told:
    """An address: what it answers, and for a question the keys of its request."""

    summary: str
    answer: Schema
    description: str = ""
    needed: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()


QUESTIONS: Mapping[str, Told] = {
    "legal": Told(
        "Every declaration of the player to decide, with the verdict on it",
        _object(edition=TEXT, player=MAYBE, legal=_list(VERDICT), illegal=_list(VERDICT)),
        "`legal_only` leaves out what is illegal.",
        ("state",),
        ("legal_only",),
    ),
    "why": Told(
        "Why one declaration is legal or illegal, down to the facts",
        _object(
            action=TEXT,
            legal={"type": "boolean"},
            because=REASONS,
            tree=_list(NODE),
        ),
        "",
        ("state", "action"),
    ),
    "resolve": Told(
        "All outcomes of a declaration",
        _object(action=TEXT, outcomes=_list(OUTCOME), legal={"type": "boolean"}, because=REASONS),
        "Each outcome has its choices, its steps and the state it ends in. Of an illegal "
        "declaration `legal` is false, and `because` says why; there are no `outcomes` then.",
        ("state", "action"),
    ),
    "check": Told(
        "What contradicts what in the rules and the cards",
        _object(
            edition=TEXT,
            scope={"type": "object"},
            time_limit={"type": ["number", "null"]},
            searched=_list(
                _object(
                    code=TEXT,
                    answer={"enum": ["found", "none", "undecided"]},
                    left=_list(TEXT),
                )
            ),
            findings=_list(
                _object(
                    code=TEXT,
                    severity={"enum": ["error", "warning", "note"]},
                    rules=_list(TEXT),
                    cards=_list(TEXT),
                    witness={"type": ["object", "null"]},
                    text=TEXT,
                    remedy=TEXT,
                    places=_list(_object(file=TEXT, line=NUMBER)),
                )
            ),
        ),
        "A search of some seconds; what they did not suffice for is `undecided`.",
        (),
        ("edition", "scope", "sets", "only", "all"),
    ),
    "values": Told(
        "What the values of every card are now",
        _object(values={"type": "object"}),
        "By card `strike`, `life`, `cost`, `element`, `class`, with all that changes or sets them.",
        ("state",),
    ),
    "state": Told(
        "A position as it is understood, or its faults",
        _object(player=MAYBE, state=DOCUMENT, whole=DOCUMENT, yaml=TEXT),
        "`state` leaves out what has its default, `whole` does not, `yaml` is the text of a file.",
        ("state",),
    ),
}

LIBRARY: Mapping[str, Told] = {
    "cards": Told("Every kind of card", _object(cards=_list({"type": "object"}))),
    "vocabulary": Told(
        "What abilities are written in: sorts, terms with their arguments, names",
        _object(sorts={"type": "object"}, terms={"type": "object"}, names={"type": "object"}),
    ),
    "rules": Told("The rulebook", _object(rules=_list({"type": "object"}))),
    "rules/{id}": Told(
        "One rule: its reading, its encoding and its rulings", _object(id=TEXT, kind=TEXT)
    ),
    "rulings/{id}": Told(
        "One ruling: a question that judges were asked, with its position and the right answer",
        _object(ruling=TEXT, edition=TEXT, cites=_list(TEXT), note=TEXT, state=DOCUMENT),
    ),
    "states": Told("The sample positions", _object(states=_list({"type": "object"}))),
    "states/{id}": Told(
        "One sample position", _object(about={"type": "object"}, yaml=TEXT, state=DOCUMENT)
    ),
}

_FIELDS: Mapping[str, Schema] = {
    "action": {**TEXT, "description": "a declaration", "examples": ["attack(ork,gabriel)"]},
    "legal_only": {"type": "boolean", "default": False},
    "edition": {"enum": list(EDITIONS), "default": "heroes"},
    "scope": {**TEXT, "description": "how far to look", "examples": ["cards=3,effects=2"]},
    "sets": {**_list(NUMBER), "description": "the printed sets to look at"},
    "only": {**_list({"enum": list(CODES)}), "description": "what to look for; left out: all"},
    "all": {"type": "boolean", "description": "also what a principle decides", "default": False},
}
_EXAMPLE = {
    "active": "p1",
    "players": {"p1": {}, "p2": {}},
    "cards": {
        "ork": {"type": "creature", "owner": "p1", "strike": 3, "life": 4},
        "gabriel": {"type": "hero", "owner": "p2", "life": 25},
    },
}


def body(told: Told) -> Schema:
    """What OpenAPI says of the body of a question."""
    fields: dict[str, Schema] = {}
    for key in (*told.needed, *told.allowed):
        fields[key] = (
            {"anyOf": [_state(), {**TEXT, "description": "the document as YAML or JSON"}]}
            if key == "state"
            else _FIELDS[key]
        )
    schema = {**_object(**fields), "required": list(told.needed), "additionalProperties": False}
    example: dict[str, Any] = {}
    if "state" in told.needed:
        example["state"] = _EXAMPLE
    if "only" in told.allowed:
        example["only"] = ["document"]
    if "action" in told.needed:
        example["action"] = "attack(ork,gabriel)"
    return {
        "required": True,
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def responses(answer: Schema, missing: bool = False) -> dict[int | str, dict[str, Any]]:
    """What OpenAPI says of the answers: the good one, and the problems."""
    problems = {"application/problem+json": {"schema": PROBLEM}}
    out: dict[int | str, dict[str, Any]] = {
        200: {"description": "the answer", "content": {"application/json": {"schema": answer}}},
        "default": {"description": "a problem", "content": problems},
    }
    if missing:
        out[404] = {"description": "there is none of that id", "content": problems}
    return out
