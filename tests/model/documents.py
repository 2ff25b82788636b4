"""A state document to a State, without the project's own reader: inline cards only."""

from __future__ import annotations

from typing import Any, cast

from pyengine.model import Card, Effect, Pending, Player, State
from tests.model.terms import Unsupported, parse, show


def canonical(ability: str) -> str:
    """An ability term without spaces."""
    return show(parse(ability))


def _card(id: str, told: dict[str, Any]) -> Card:
    if "type" not in told:
        raise Unsupported(f"{id}: a card without its printed values")
    known = dict(told)
    owner = known.pop("owner", None) or known["controller"]
    controller = known.pop("controller", None) or owner
    return Card(
        id=id,
        type=known.pop("type"),
        owner=owner,
        controller=controller,
        name=known.pop("name", None) or known.pop("kind", None) or id,
        classes=tuple(known.pop("class", ())),
        element=tuple(known.pop("element", ())),
        abilities=tuple(canonical(ability) for ability in known.pop("abilities", ())),
        spent=tuple(sorted((str(k), int(v)) for k, v in known.pop("spent", {}).items())),
        **known,
    )


def _player(told: dict[str, Any]) -> Player:
    return Player(**{"coins_total": told.get("coins", 0), **told})


def state_of(document: dict[str, Any]) -> State:
    """The state that a document writes; the document is taken to be valid."""
    if document.get("edition", "heroes") != "heroes":
        raise Unsupported(f"edition {document['edition']}")
    cards = {id: _card(id, told) for id, told in document["cards"].items()}
    effects = []
    for place, told in enumerate(document.get("effects", ()), 1):
        source = told.get("source")
        effects.append(
            Effect(
                card=told["card"],
                ability=canonical(told["ability"]),
                controller=told.get("controller") or cards[source or told["card"]].controller,
                since=told.get("since", place),
                source=source,
                spent=told.get("spent", 0),
                until=told.get("until", "leaves"),
            )
        )
    pending = document.get("pending")
    return State(
        active=document["active"],
        players=tuple((id, _player(told or {})) for id, told in document["players"].items()),
        cards=tuple(cards.values()),
        turn=document.get("turn", 1),
        phase=document.get("phase", "main"),
        effects=tuple(effects),
        pending=Pending(**pending) if pending else None,
        result=cast("str | None", document.get("result")),
    )
