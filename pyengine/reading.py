"""States from documents and back (CONTRACT 1). Every fault of a document is found at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, cast

from pyengine import documents, terms
from pyengine.documents import (
    MAX_FAULTS,
    Fault,
    Path_,
    hint,
    in_order,
    parse_document,
    patience,
    read_text,
    shown,
)
from pyengine.faults import Message, at
from pyengine.kinds import Kind, catalogue, unknown_kind
from pyengine.limits import in_force
from pyengine.model import (
    EDITIONS,
    PHASES,
    TYPES,
    Card,
    Effect,
    Pending,
    Player,
    State,
    StateError,
)
from pyengine.structure import ID, MAX_NAME, PLAYER_ID, state_schema, structural_faults

__all__ = [
    "load_state", "parse_documents", "state_from_dict", "state_from_text",
    "state_schema", "state_to_dict", "state_to_json", "state_to_yaml",
]  # fmt: skip


NEED_LIFE = ("hero", "creature", "flyer")
_PHASES = {
    "heroes": PHASES[:4],
    "heroes_2": PHASES[:4],
    "classic": PHASES[4:],
}
_FLAGS = ("closed", "acted", "defended", "attacked", "hidden")
_COUNTS = (
    "wounds", "extra_life", "entered", "since", "arrived", "movement", "moved", "chips",
)  # fmt: skip
_PRINTED = ("name", "type", "class", "element", "cost", "strike", "life", "abilities")

# ---------------------------------------------------------------- texts


def load_state(path: Path | str, kinds: Mapping[str, Kind] | None = None) -> State:
    """The state of a YAML or JSON file. StateError with all its faults."""
    name = str(path)
    text = read_text(Path(path), name, limits=in_force())
    return state_from_text(text, name, kinds)


def state_from_text(
    text: str | bytes, name: str = "state", kinds: Mapping[str, Kind] | None = None
) -> State:
    """The state of a YAML or JSON text. `name` is what faults of the whole text call it."""
    document = parse_document(text, name, limits=in_force())
    return _state(document.value, document.faults, name, kinds)


def state_from_dict(document: dict[str, Any], kinds: Mapping[str, Kind] | None = None) -> State:
    """The state of a document. ``kinds`` in place of the catalogue of the package.

    StateError with all faults, in the order of the document.
    """
    return _state(document, [], "state", kinds)


def parse_documents(text: str | bytes, name: str = "text", limit: int = 5_000_000) -> list[Any]:
    """The documents of a YAML text (a file of rulings), as plain data; empty ones are left out.

    StateError if it is no YAML, is larger than `limit` bytes, or has duplicate keys.
    """
    found = documents.parse_documents(text, name, limit)
    faults = [
        Message("at_document", place=name, n=index, line=document.line, text=line)
        for index, document in enumerate(found, 1)
        for line in in_order(document.value, document.faults)
    ]
    if faults:
        raise StateError(faults)
    return [document.value for document in found]


# ---------------------------------------------------------------- document to state


def _state(
    document: Any, faults: list[Fault], name: str, kinds: Mapping[str, Kind] | None
) -> State:
    if not isinstance(document, dict):
        words = {list: "a_list", type(None): "nothing"}
        word = words.get(type(document))
        what = Message(word) if word else shown(document)
        raise StateError([at(name, "state_is", what=what)])
    for key, most in (("cards", in_force().cards), ("effects", in_force().effects)):
        count = len(document[key]) if isinstance(document.get(key), dict | list) else 0
        if count > most:
            fault = Message(f"many_{key}", n=count, most=most)
            raise StateError([Message("at", place=key, text=fault)])
    reader = _Reader(document, kinds)
    with patience():
        lines = in_order(document, [*faults, *structural_faults(document), *reader.faults()])
    if lines:
        raise StateError(lines)
    return reader.build()


class _Reader:
    """Checks what the structure of a document cannot show, then builds its state.

    While checking, no value may be taken to be of its type: faults of both sorts are reported
    together. What has the wrong type is passed over here; the structure reports it.
    """

    def __init__(self, document: dict[str, Any], kinds: Mapping[str, Kind] | None) -> None:
        self.document = document
        self._kinds = kinds
        self.found: list[Fault] = []
        edition = document.get("edition", "heroes")
        self.edition: str | None = edition if edition in EDITIONS else None
        players, cards = document.get("players"), document.get("cards")
        self.players: dict[str, Any] | None = players if isinstance(players, dict) else None
        self.cards: dict[str, Any] | None = cards if isinstance(cards, dict) else None
        self.words = terms.words_in(id for id in self.cards or () if isinstance(id, str))

    @property
    def kinds(self) -> Mapping[str, Kind]:
        """The kinds, read only for a document that names one: reading them takes time."""
        if self._kinds is None:
            self._kinds = catalogue()
        return self._kinds

    def fault(self, path: Path_, text: str) -> None:
        self.found.append((path, text))

    # -- checks

    def faults(self) -> list[Fault]:
        document = self.document
        self.check_players()
        self.names_player(("active",), document.get("active"))
        if self.edition is not None and isinstance(document.get("phase"), str):
            self.one_of(("phase",), document["phase"], _PHASES[self.edition])
        elif isinstance(document.get("phase"), str):
            self.one_of(("phase",), document["phase"], PHASES)
        for card_id, raw in (self.cards or {}).items():
            path: Path_ = ("cards", card_id)
            if isinstance(card_id, str):
                self.check_id(path, card_id, ID, "bad_id")
            if isinstance(raw, dict):
                self.check_card(path, raw)
        self.check_heroes()
        effects = document.get("effects")
        if isinstance(effects, list):
            self.check_effects(effects)
        pending = document.get("pending")
        if isinstance(pending, dict):
            for key in ("attacker", "target", "defender"):
                self.names_card(("pending", key), pending.get(key))
            self.check_pending(pending)
        result = document.get("result")
        if result != "draw":
            self.names_player(("result",), result, "draw")
        return self.found

    def check_pending(self, pending: dict[str, Any]) -> None:
        """The active player attacks (508.3), the other player is attacked and defends."""
        active = self.document.get("active")
        if self.edition == "classic" or not isinstance(active, str):
            return
        for key, mine in (("attacker", True), ("target", False), ("defender", False)):
            raw = (self.cards or {}).get(str(pending.get(key)))
            if not isinstance(raw, dict):
                continue
            holder = raw.get("controller") or raw.get("owner")
            if holder is not None and (holder == active) is not mine:
                whose = "not_of_active" if mine else "not_of_opponent"
                text = Message(whose, value=shown(pending[key]), player=active)
                self.fault(("pending", key), text)

    def check_heroes(self) -> None:
        """A player has one hero in play: "your hero" and "the enemy hero" mean one card."""
        found: dict[str, str] = {}
        for card_id, raw in (self.cards or {}).items():
            if not isinstance(raw, dict) or raw.get("zone", "play") != "play":
                continue
            named = raw.get("kind")
            kind = self.kinds.get(named) if isinstance(named, str) else None
            owner = raw.get("owner", raw.get("controller"))
            if raw.get("type", kind and kind.type) != "hero" or not isinstance(owner, str):
                continue
            if owner in found:
                text = Message("second_hero", owner=owner, other=shown(found[owner]))
                self.fault(("cards", card_id), text)
            found.setdefault(owner, card_id)

    def check_id(self, path: Path_, id: str, form: str, key: str) -> None:
        """An id has its form, and comes so often in facts and answers that it is not long."""
        if not re.fullmatch(form, id):
            self.fault(path, Message(key, value=shown(id)))
        elif len(id) > MAX_NAME:
            self.fault(path, Message("long_id", n=len(id), most=MAX_NAME))

    def check_players(self) -> None:
        if self.players is None:
            return
        if len(self.players) != 2:
            self.fault(("players",), Message("two_players", n=len(self.players)))
        for player, raw in self.players.items():
            path: Path_ = ("players", player)
            if isinstance(player, str):
                self.check_id(path, player, PLAYER_ID, "bad_player")
            if player == "draw":
                self.fault(path, Message("draw_player"))
            if isinstance(raw, dict):
                coins, total = raw.get("coins", 0), raw.get("coins_total")
                if type(coins) is int and type(total) is int and coins > total:
                    self.fault((*path, "coins"), Message("coins_over", coins=coins, total=total))

    def check_card(self, path: Path_, raw: dict[str, Any]) -> None:
        kind: Kind | None = None
        named = raw.get("kind")
        if isinstance(named, str):
            kind = self.kinds.get(named)
            why = unknown_kind(named, self.kinds)
            if why:
                self.fault((*path, "kind"), why)
        classic = self.edition == "classic"
        if kind and self.edition and (kind.edition == "classic") != classic:
            parts = {"value": shown(named), "edition": kind.edition, "other": self.edition}
            self.fault((*path, "kind"), Message("kind_edition", **parts))
            kind = None
        known = kind is not None or named is None
        type_ = raw.get("type", kind.type if kind else None)
        if type_ is None and known and "type" not in raw:
            self.fault((*path, "type"), Message("type_required"))
        elif isinstance(type_, str) and "type" in raw:
            self.one_of(
                (*path, "type"), type_, TYPES[self.edition] if self.edition else _all_types()
            )
        if (
            type_ in NEED_LIFE
            and "life" not in raw
            and known
            and (kind is None or type_ != kind.type)
        ):
            self.fault((*path, "life"), Message("required_of", type=type_))
        strike = raw.get("strike")
        if classic and type(strike) is int and strike != 0:
            self.fault((*path, "strike"), Message("strike_three", value=strike))
        if self.edition and not classic and isinstance(strike, list) and len(strike) == 3:
            self.fault((*path, "strike"), Message("strike_one"))
        if "owner" not in raw and "controller" not in raw:
            self.fault((*path, "owner"), Message("required_or", other="controller"))
        for key in ("owner", "controller"):
            self.names_player((*path, key), raw.get(key))
        element = raw.get("element")
        if isinstance(element, list) and "neutral" in element and len(element) > 1:
            self.fault((*path, "element"), Message("neutral"))
        abilities = raw.get("abilities")
        if isinstance(abilities, list):
            if len(abilities) > in_force().abilities:
                self.fault(
                    (*path, "abilities"),
                    Message("many_abilities", n=len(abilities), most=in_force().abilities),
                )
                abilities = []
            for index, text in enumerate(abilities):
                self.check_ability((*path, "abilities", index), text)
        spent = raw.get("spent")
        if isinstance(spent, dict):
            self.check_spent((*path, "spent"), spent)

    def check_ability(self, path: Path_, text: Any) -> bool:
        """Report what is wrong with an ability; whether it is a fine one."""
        if not isinstance(text, str) or len(self.found) > MAX_FAULTS:  # more are not told
            return False
        wrong = terms.check(text, ids=self.words)
        for line in wrong:
            self.fault(path, line)
        for kind, position in terms.kinds_named(text):
            why = unknown_kind(kind, self.kinds)
            if why:
                self.fault(path, terms.located(text, position, why))
        return not wrong

    def check_spent(self, path: Path_, spent: dict[str, Any]) -> None:
        seen: dict[str, str] = {}
        for key in spent:
            if not isinstance(key, str):
                continue
            text, mark, number = key.partition("#")
            if mark and not re.fullmatch("[2-9]|[1-9][0-9]{1,2}", number):
                self.fault((*path, key), Message("after_mark", value=shown(number)))
            elif self.check_ability((*path, key), text):
                same = terms.canonical(text) + mark + number
                if same in seen:
                    self.fault((*path, key), Message("same_ability", other=shown(seen[same])))
                seen[same] = key

    def check_effects(self, effects: list[Any]) -> None:
        moments: dict[tuple[str, int], list[tuple[int, str]]] = {}
        for index, raw in enumerate(effects):
            if not isinstance(raw, dict):
                continue
            path: Path_ = ("effects", index)
            self.names_card((*path, "card"), raw.get("card"))
            self.names_card((*path, "source"), raw.get("source"))
            self.names_player((*path, "controller"), raw.get("controller"))
            named = raw.get("card")
            bearer = (self.cards or {}).get(named) if isinstance(named, str) else None
            if isinstance(bearer, dict) and bearer.get("zone") == "deck":
                self.fault((*path, "card"), Message("in_deck", card=shown(named)))
            text: Any = raw.get("ability")
            since: Any = raw.get("since", index + 1)
            fine = self.check_ability((*path, "ability"), text)
            card: Any = raw.get("card")
            if fine and isinstance(card, str) and type(since) is int:
                moments.setdefault((card, since), []).append((index, text))
        for (bearer, moment), laid in moments.items():
            if len(laid) > 1:
                self.check_moment(bearer, moment, laid)

    def check_moment(self, card: str, since: int, laid: list[tuple[int, str]]) -> None:
        """Of what is laid on one card at one moment nothing may contradict (524.1 cannot say)."""
        values: dict[str, tuple[int, terms.Term]] = {}
        given: dict[str, tuple[int, terms.Term]] = {}
        taken: dict[str, tuple[int, terms.Term]] = {}
        for index, text in laid:
            whole = term = terms.parse(text)
            against: tuple[int, terms.Term] | None = None
            names = [term.name]
            while term.name == "gain" and isinstance(term.args[0], terms.Term):
                term = term.args[0]
                names.append(term.name)
            if term.name == "is":
                attribute = str(term.args[0])
                first = values.setdefault(attribute, (index, term))
                against = first if first[1] != term else None
            for name in names:
                if name in taken and against is None:
                    against = taken[name]
                given.setdefault(name, (index, whole))
            if term.name == "lose":
                lost = str(term.args[0])
                if lost in given and lost != "lose" and against is None:
                    against = given[lost]
                taken.setdefault(lost, (index, whole))
            if against is not None:
                first_index, other = against
                parts = {"ability": whole, "other": other, "index": first_index}
                text = Message("contradicts", **parts, card=shown(card), since=since)
                self.fault(("effects", index), text)

    def one_of(self, path: Path_, value: str, known: Iterable[str]) -> None:
        known = tuple(known)
        if value not in known:
            parts = {"known": ", ".join(known), "near": hint(value, known)}
            self.fault(path, Message("not_one_of", value=shown(value), **parts))

    def names_player(self, path: Path_, value: Any, *more: str) -> None:
        if isinstance(value, str) and self.players is not None and value not in self.players:
            names = [*map(str, self.players), *more]
            known = ", ".join(names[:10]) or Message("the_players")
            parts = {"known": known, "near": hint(value, names)}
            self.fault(path, Message("not_one_of", value=shown(value), **parts))

    def names_card(self, path: Path_, value: Any) -> None:
        if isinstance(value, str) and self.cards is not None and value not in self.cards:
            near = hint(value, [card for card in self.cards if isinstance(card, str)])
            self.fault(path, Message("no_card", value=shown(value), near=near))

    # -- building: the document is known to be without fault

    def build(self) -> State:
        document = self.document
        edition = str(self.edition)
        players = tuple((name, _player(raw)) for name, raw in document["players"].items())
        cards = tuple(self.build_card(name, raw) for name, raw in document["cards"].items())
        controllers = {card.id: card.controller for card in cards}
        effects = tuple(
            _effect(raw, index, controllers)
            for index, raw in enumerate(document.get("effects", ()), 1)
        )
        pending = document.get("pending")
        return State(
            active=document["active"],
            players=players,
            cards=cards,
            edition=edition,
            turn=document.get("turn", 1),
            phase=document.get("phase", "choice" if edition == "classic" else "main"),
            effects=effects,
            pending=Pending(**pending) if pending is not None else None,
            result=document.get("result"),
        )

    def build_card(self, card_id: str, raw: dict[str, Any]) -> Card:
        named = raw.get("kind")
        printed = _printed(card_id, self.kinds[named] if named is not None else None, self.edition)
        printed.update({key: raw[key] for key in _PRINTED if key in raw})
        strike = printed["strike"]
        if self.edition == "classic":
            strike = tuple(strike) if isinstance(strike, list | tuple) else (0, 0, 0)
        element = tuple(printed["element"])
        spent: dict[str, int] = {}
        for key, count in raw.get("spent", {}).items():
            text, mark, number = key.partition("#")
            if count:  # nothing used up is the default, so a state has one form only
                spent[terms.canonical(text) + mark + number] = count
        cell = raw.get("cell")
        return Card(
            id=card_id,
            type=printed["type"],
            owner=raw["owner"] if "owner" in raw else raw["controller"],
            controller=raw["controller"] if "controller" in raw else raw["owner"],
            name=printed["name"],
            kind=named,
            classes=tuple(printed["class"]),
            element=() if element == ("neutral",) else element,
            cost=printed["cost"],
            strike=strike,
            life=printed["life"],
            abilities=tuple(map(terms.canonical, printed["abilities"])),
            zone=raw.get("zone", "play"),
            spent=tuple(sorted(spent.items())),
            cell=(cell[0], cell[1]) if cell is not None else None,
            **{key: raw.get(key, False) for key in _FLAGS},
            **{key: raw.get(key, 0) for key in _COUNTS},
        )


def _all_types() -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for names in TYPES.values() for name in names))


def _player(raw: dict[str, Any]) -> Player:
    coins = raw.get("coins", 0)
    order = cast(Literal["known", "unknown"], raw.get("deck_order", "known"))
    return Player(
        coins, raw.get("coins_total", coins), raw.get("missed", 0), order,
        raw.get("drawn", 0), raw.get("attacks", 0), raw.get("known_top", 0),
    )  # fmt: skip


def _effect(raw: dict[str, Any], place: int, controllers: Mapping[str, str]) -> Effect:
    source = raw.get("source")
    return Effect(
        card=raw["card"],
        ability=terms.canonical(raw["ability"]),
        controller=raw.get("controller", controllers[source or raw["card"]]),
        since=raw.get("since", place),
        source=source,
        spent=raw.get("spent", 0),
        until=raw.get("until", "leaves"),
    )


def _printed(card_id: str, kind: Kind | None, edition: str | None) -> dict[str, Any]:
    """The printed values that a card has where its document gives none."""
    no_strike: Any = (0, 0, 0) if edition == "classic" else 0
    if kind is None:
        return {
            "name": card_id, "type": None, "class": (), "element": (), "cost": 0,
            "strike": no_strike, "life": 0, "abilities": (),
        }  # fmt: skip
    return {
        "name": kind.id, "type": kind.type, "class": kind.classes, "element": kind.element,
        "cost": kind.cost, "strike": kind.strike, "life": kind.life, "abilities": kind.abilities,
    }  # fmt: skip


# ---------------------------------------------------------------- state to document


def state_to_dict(state: State, kinds: Mapping[str, Kind] | None = None) -> dict[str, Any]:
    """The document of a state, in the order of CONTRACT 1, without keys that have their default.

    ``since`` of effects is always there: its default is a place in the list.
    """
    out: dict[str, Any] = {}
    if state.edition != "heroes":
        out["edition"] = state.edition
    if state.turn != 1:
        out["turn"] = state.turn
    out["active"] = state.active
    if state.phase != ("choice" if state.edition == "classic" else "main"):
        out["phase"] = state.phase
    out["players"] = {name: _player_document(player) for name, player in state.players}
    out["cards"] = {card.id: _card_document(card, state.edition, kinds) for card in state.cards}
    if state.effects:
        controllers = {card.id: card.controller for card in state.cards}
        out["effects"] = [_effect_document(effect, controllers) for effect in state.effects]
    if state.pending is not None:
        pending = {"attacker": state.pending.attacker, "target": state.pending.target}
        if state.pending.defender is not None:
            pending["defender"] = state.pending.defender
        out["pending"] = pending
    if state.result is not None:
        out["result"] = state.result
    return out


def _player_document(player: Player) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if player.coins:
        out["coins"] = player.coins
    if player.coins_total != player.coins:
        out["coins_total"] = player.coins_total
    if player.missed:
        out["missed"] = player.missed
    if player.deck_order != "known":
        out["deck_order"] = player.deck_order
    if player.drawn:
        out["drawn"] = player.drawn
    if player.attacks:
        out["attacks"] = player.attacks
    if player.known_top:
        out["known_top"] = player.known_top
    return out


# The keys of a card's document and the fields they come from, in order.
_CARD_FIELDS = {
    "class" if field.name == "classes" else field.name: field.name for field in fields(Card)
}
_CARD_KEYS = (
    "kind", "name", "type", "class", "element", "cost", "strike", "life", "abilities", "owner",
    "controller", "zone", "wounds", "extra_life", "closed", "acted", "defended", "attacked",
    "entered", "since", "spent", "hidden", "cell", "arrived", "movement", "moved", "chips",
)  # fmt: skip


def _card_document(card: Card, edition: str, kinds: Mapping[str, Kind] | None) -> dict[str, Any]:
    kind: Kind | None = None
    if card.kind is not None:
        kind = (catalogue() if kinds is None else kinds).get(card.kind)
    # Of a kind that is not known here all is written: its own values must not slip in when read.
    default = {} if card.kind is not None and kind is None else _printed(card.id, kind, edition)
    default["zone"] = "play"
    if card.type in NEED_LIFE and (kind is None or kind.type != card.type):
        default.pop("life", None)  # required, so it has no default
    out: dict[str, Any] = {}
    for key in _CARD_KEYS:
        value = getattr(card, _CARD_FIELDS[key])
        if key == "owner":
            out[key] = value
        elif key == "controller":
            if value != card.owner:
                out[key] = value
        elif key == "spent":
            if value:
                out[key] = dict(value)
        elif key in _PRINTED or key == "zone":
            if key not in default or value != default[key]:
                out[key] = list(value) if isinstance(value, tuple) else value
        elif value:
            out[key] = list(value) if isinstance(value, tuple) else value
    return out


def _effect_document(effect: Effect, controllers: Mapping[str, str]) -> dict[str, Any]:
    out: dict[str, Any] = {"card": effect.card, "ability": effect.ability}
    if effect.source is not None:
        out["source"] = effect.source
    if effect.controller != controllers.get(effect.source or effect.card):
        out["controller"] = effect.controller
    out["since"] = effect.since
    if effect.spent:
        out["spent"] = effect.spent
    if effect.until != "leaves":
        out["until"] = effect.until
    return out


def state_to_json(
    state: State, indent: int | None = None, kinds: Mapping[str, Kind] | None = None
) -> str:
    """The state as one JSON document."""
    return json.dumps(state_to_dict(state, kinds), ensure_ascii=False, indent=indent)


def state_to_yaml(state: State, kinds: Mapping[str, Kind] | None = None) -> str:
    """The state as one YAML document: a line for each player, card and effect."""
    lines: list[str] = []
    for key, value in state_to_dict(state, kinds).items():
        if key in ("players", "cards") and value:
            lines.append(f"{key}:")
            lines += [f"  {_flow(name)}: {_flow(raw)}" for name, raw in value.items()]
        elif key == "effects":
            lines.append(f"{key}:")
            lines += [f"  - {_flow(raw)}" for raw in value]
        else:
            lines.append(f"{key}: {_flow(value)}")
    return "\n".join(lines) + "\n"


_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?: [A-Za-z0-9_]+)*")
# Plain in YAML 1.2, other things in 1.1: quoted, so that every reader reads the same.
_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _WORDS:
        return value
    return json.dumps(value, ensure_ascii=False)
