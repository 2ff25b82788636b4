"""The shape of a state document: which keys, of which types, within which bounds (CONTRACT 1).

What one value cannot show alone (a card that does not exist, a type that the edition lacks) is
checked in `reading`.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema
from pydantic.functional_validators import PlainValidator
from pydantic_core import ErrorDetails, PydanticCustomError

from pyengine.documents import Fault, Path_, hint, listed_alone, shown
from pyengine.faults import Message
from pyengine.model import PHASES, TYPES

MAX_NUMBER = 1_000_000
ID = r"^[a-z][a-z0-9_]*$"
PLAYER_ID = r"^[A-Za-z_][A-Za-z0-9_]*$"
COLUMNS, ROWS = 5, 6
MAX_NAME = 200
_NUMBER_SCHEMA: dict[str, Any] = {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}


_UNTIL = ("leaves", "end_of_turn")


def _is_number(value: Any, least: int = 0, most: int = MAX_NUMBER) -> bool:
    return type(value) is int and least <= value <= most


def _shape(value: Any, key: str, /, **parts: int | str) -> PydanticCustomError:
    """The error for a value that has a wrong shape: a message that shows it."""
    text = Message(key, value=shown(value), **parts)
    return PydanticCustomError("shape", "{text}", {"text": text})


def _number(value: int) -> int:
    if value < 0:
        raise _shape(value, "below", least=0)
    if value > MAX_NUMBER:
        raise _shape(value, "above", most=MAX_NUMBER)
    return value


def _strike(value: Any) -> Any:
    if type(value) is int:
        return _number(value)
    if isinstance(value, list) and len(value) == 3 and all(map(_is_number, value)):
        return value
    raise _shape(value, "strike_shape")


def _until(value: Any) -> Any:
    if type(value) is int:
        return _number(value)
    if value in _UNTIL:
        return value
    raise _shape(value, "until_shape", near=hint(value, _UNTIL))


def _cell(value: Any) -> Any:
    if (
        isinstance(value, list)
        and len(value) == 2
        and _is_number(value[0], 1, COLUMNS)
        and _is_number(value[1], 1, ROWS)
    ):
        return value
    raise _shape(value, "cell_shape", columns=COLUMNS, rows=ROWS)


def _name(value: Any) -> Any:
    if not isinstance(value, str):
        raise _shape(value, "no_text")
    if not 1 <= len(value) <= MAX_NAME or not value.isprintable():
        raise _shape(value, "name_shape", most=MAX_NAME)
    return value


def _word(value: Any) -> Any:
    if isinstance(value, str) and re.fullmatch(ID, value):
        return value
    raise _shape(value, "no_match")


Number = Annotated[int, Field(strict=True, ge=0, le=MAX_NUMBER)]
Strike = Annotated[
    Any,
    PlainValidator(_strike),
    WithJsonSchema(
        {
            "anyOf": [
                _NUMBER_SCHEMA,
                {"type": "array", "items": _NUMBER_SCHEMA, "minItems": 3, "maxItems": 3},
            ]
        }
    ),
]
Until = Annotated[
    Any,
    PlainValidator(_until),
    WithJsonSchema({"anyOf": [{"enum": ["leaves", "end_of_turn"]}, _NUMBER_SCHEMA]}),
]
Cell = Annotated[
    Any,
    PlainValidator(_cell),
    WithJsonSchema(
        {
            "type": "array",
            "prefixItems": [
                {"type": "integer", "minimum": 1, "maximum": COLUMNS},
                {"type": "integer", "minimum": 1, "maximum": ROWS},
            ],
            "minItems": 2,
            "maxItems": 2,
        }
    ),
]
Name = Annotated[
    Any,
    PlainValidator(_name),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_NAME}),
]
Word = Annotated[Any, PlainValidator(_word), WithJsonSchema({"type": "string", "pattern": ID})]
# Which of them fit depends on the edition, so `reading` checks; the schema lists all.
Type = Annotated[
    str,
    Field(json_schema_extra={"enum": sorted({name for names in TYPES.values() for name in names})}),
]
Phase = Annotated[str, Field(json_schema_extra={"enum": list(PHASES)})]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class PlayerDocument(_Strict):
    """One of the two players."""

    coins: Number = Field(0, description="open coins")
    coins_total: Number = Field(0, description="all coins; default: as many as are open")
    missed: Number = Field(0, description="how often no card could be taken")
    drawn: Number = Field(0, description="cards drawn this turn")
    attacks: Number = Field(0, description="attacks announced this turn")
    known_top: Number = Field(0, description="so many top cards of an unknown deck are known")
    deck_order: Literal["known", "unknown"] = "known"


class CardDocument(_Strict):
    """A card. Printed values are those of its kind unless they are given here."""

    model_config = ConfigDict(
        json_schema_extra={
            "allOf": [
                {"anyOf": [{"required": ["type"]}, {"required": ["kind"]}]},
                {"anyOf": [{"required": ["owner"]}, {"required": ["controller"]}]},
            ]
        }
    )
    kind: str | None = Field(None, description="a kind from facts/cards")
    name: Name = Field("", description="default: the kind, else the id")
    type: Type = ""
    class_: list[Word] = Field([], alias="class")
    element: list[Word] = Field([], description="[] is neutral")
    cost: Number = 0
    strike: Strike = Field(0, description="classic: [weak, medium, strong]")
    life: Number = Field(0, description="required of heroes and creatures")
    abilities: list[str] = Field([], description="ability terms")
    owner: str = Field("", description="a player; default: the controller")
    controller: str = Field("", description="a player; default: the owner")
    zone: Literal["play", "hand", "deck", "graveyard", "reserve"] = "play"
    wounds: Number = 0
    extra_life: Number = 0
    closed: bool = False
    acted: bool = Field(False, description="has attacked, or paid by closing, this turn")
    defended: bool = Field(False, description="has been a defender this turn")
    attacked: bool = Field(False, description="has made an attack this turn")
    entered: Number = Field(0, description="the turn on which it came under its controller")
    since: Number = Field(0, description="the moment it came into play")
    spent: dict[str, Number] = Field(
        {}, description="ability term (second equal one: term#2): used up"
    )
    hidden: bool = False
    cell: Cell | None = Field(None, description="classic: [column, row]")
    arrived: Number = Field(0, description="classic: the moment it came to its cell")
    movement: Number = Field(0, description="classic: steps it may make")
    moved: Number = Field(0, description="classic: steps it has made")
    chips: Number = Field(0, description="classic")


class EffectDocument(_Strict):
    """A continuous effect laid on a card."""

    card: str = Field(description="the card it lies on")
    ability: str = Field(description="an ability term")
    source: str | None = Field(None, description="the card it comes from")
    controller: str = Field("", description="default: that of the source, else of the card")
    since: Number = Field(0, description="its moment; default: its place in the list, from 1")
    spent: Number = Field(0, description="how much of a pool is used up")
    until: Until = "leaves"


class PendingDocument(_Strict):
    """An attack announced and not yet carried out."""

    attacker: str
    target: str
    defender: str | None = None


class StateDocument(_Strict):
    """A position of «Берсерк» (see CONTRACT 1)."""

    edition: Literal["heroes", "heroes_2", "classic"] = "heroes"
    turn: Number = 1
    active: str = Field(description="the player whose turn it is")
    phase: Phase = Field("main", description="default: main (classic: choice)")
    players: dict[str, PlayerDocument] = Field(
        json_schema_extra={
            "minProperties": 2,
            "maxProperties": 2,
            "propertyNames": {"pattern": PLAYER_ID, "maxLength": MAX_NAME},
        }
    )
    cards: dict[str, CardDocument] = Field(
        json_schema_extra={"propertyNames": {"pattern": ID, "maxLength": MAX_NAME}}
    )
    effects: list[EffectDocument] = []
    pending: PendingDocument | None = None
    result: str | None = Field(None, description="a player, or draw")


def state_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a state document.

    It says less than loading checks: what depends on other places of the document is not in it.
    """
    schema = StateDocument.model_json_schema(by_alias=True)
    for part in (schema, *schema["$defs"].values()):
        for name, field in part["properties"].items():
            # Defaults that depend on other keys are told in words: no wrong one is to be filled in
            if str(field.get("description", "")).startswith(("default", "required")) or (
                name == "type" or field.get("default") == ""
            ):
                field.pop("default", None)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "State"}


_FIELDS: dict[str, type[BaseModel]] = {
    "players": PlayerDocument,
    "cards": CardDocument,
    "effects": EffectDocument,
    "pending": PendingDocument,
}


def structural_faults(document: dict[str, Any]) -> list[Fault]:
    """What is wrong with the shape of a document: each fault with its path."""
    try:
        StateDocument.model_validate(document)
    except ValidationError as error:
        details = error.errors(include_url=False)
        # A nearest name costs; nobody reads the thousandth.
        return [_fault(detail, hints=index < 200) for index, detail in enumerate(details)]
    return []


def _fault(detail: ErrorDetails, hints: bool) -> Fault:
    path: Path_ = tuple(part for part in detail["loc"] if part != "[key]")
    return path, _text(detail, path, hints)


def _text(detail: ErrorDetails, path: Path_, hints: bool) -> str:
    kind, value, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "missing":
        return Message("required")
    if kind == "extra_forbidden":
        known = sorted(_known_keys(path))
        return Message("unknown_key", near=hint(path[-1], known) if hints else "")
    if "[key]" in detail["loc"] or kind == "invalid_key":
        return Message("key_no_text", value=shown(value))
    if kind == "literal_error":
        known = re.findall(r"'([^']*)'", str(context["expected"]))
        near = hint(value, known) if hints else ""
        return Message("not_one_of", value=shown(value), known=", ".join(known), near=near)
    if kind == "greater_than_equal":
        return Message("below", value=shown(value), least=context["ge"])
    if kind == "less_than_equal":
        return Message("above", value=shown(value), most=context["le"])
    if kind == "shape":
        text: Message = context["text"]
        return text
    if kind == "list_type" and path[-1] in ("class", "element", "abilities"):
        return Message("no_list_of_texts", value=shown(value), near=listed_alone(value))
    wanted = {
        "int_type": "no_number",
        "int_from_float": "no_number",
        "bool_type": "no_flag",
        "string_type": "no_text",
        "list_type": "no_list",
        "dict_type": "no_mapping",
        "model_type": "no_mapping",
        "model_attributes_type": "no_mapping",
    }.get(kind)
    if wanted:
        return Message(wanted, value=shown(value))
    return Message("other_shape", value=shown(value), why=detail["msg"])


def _known_keys(path: Path_) -> list[str]:
    model = StateDocument if len(path) == 1 else _FIELDS[str(path[0])]
    return [field.alias or name for name, field in model.model_fields.items()]
