"""One document read as a ruling, with every fault of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from pyengine import terms
from pyengine.documents import MAX_FAULTS, Document, hint, shown
from pyengine.documents import place as path_as_written
from pyengine.explain import KEYS as KEYS_AS_WRITTEN
from pyengine.faults import Message, at, bare
from pyengine.kinds import MAX_NUMBER, catalogue, unknown_kind
from pyengine.model import (
    EDITIONS,
    Action,
    ActionError,
    Card,
    Effect,
    Pending,
    Player,
    Sight,
    State,
    StateError,
)
from pyengine.rulebook import rulebook
from pyengine.verify.matching import join
from pyengine.verify.rulings import DeckQuestion, OpeningQuestion, Resolution, Ruling

_ASKED = ("legal", "illegal", "resolve", "deck", "opening", "sight")
_KEYS = ("ruling", "editions", "cites", "note", "state", *_ASKED)
_TABLE = {"active": "p1", "players": {"p1": {}, "p2": {}}, "cards": {}}


def rulings_in(path: Path, document: Document, faults: list[str]) -> list[Ruling]:
    """The ruling of a document, once for each of its editions; what is wrong goes to ``faults``."""
    return _Loader(path, document, faults).rulings()


class _Loader:
    """Reads one document as a ruling and notes what is wrong with it."""

    def __init__(self, path: Path, document: Document, faults: list[str]) -> None:
        self.path, self.document, self.faults = path, document, faults
        self.at: str = Message("line_of", path=path, line=document.line)

    def fault(self, place: str, key: str, /, **parts: Any) -> None:
        self.put(at(place, key, **parts) if place else Message(key, **parts))

    def put(self, text: str) -> None:
        self.faults.append(Message("at", place=self.at, text=text))

    def ruling(self) -> Ruling | None:
        """The ruling, or None when something about it is wrong."""
        before = len(self.faults)
        document = self.document.value
        for path, text in self.document.faults:
            self.put(Message("at", place=path_as_written(path), text=text))
        if not isinstance(document, dict):
            self.fault("", "ruling_shape", value=shown(document))
            return None
        if "ruling" not in document and "cards" in document:
            self.fault("", "state_no_ruling")
            return None
        id = document.get("ruling")
        named = isinstance(id, str) and bool(id.strip())
        if named:
            self.at = f"{self.path}: {id}"
        needed = ("ruling",) if "deck" in document else ("ruling", "state")
        self.keys("", document, _KEYS, needed)
        if "ruling" in document and not named:
            self.fault("ruling", "ruling_id", value=shown(id))
        note = document.get("note", "")
        if not isinstance(note, str):
            self.fault("note", "no_text", value=shown(note))
        state = self.state(document.get("state", _TABLE)) if needed[-1] in document else None
        raw = document.get("state")
        ids, players = _named(state, raw if isinstance(raw, dict) else {})
        cites = self.numbers("cites", document.get("cites", []))
        legal = self.actions("legal", document.get("legal", []), ids)
        illegal = self.illegal(document.get("illegal", {}), ids)
        resolve = self.resolutions(document.get("resolve", []), ids)
        deck = self.deck(document["deck"]) if "deck" in document else None
        opening = self.opening(document["opening"], ids) if "opening" in document else None
        sight = self.sight(document.get("sight", {}), players, ids)
        if not set(_ASKED) & set(document):
            self.fault("", "asks_nothing")
        if "editions" in document:
            self.editions(document["editions"])
        if len(self.faults) > before or state is None:
            return None
        return Ruling(
            id=str(id),
            place=f"{self.path}:{self.document.line}",
            state=state,
            cites=tuple(cites),
            note=note,
            legal=tuple(legal),
            illegal=tuple(illegal),
            resolve=tuple(resolve),
            deck=deck,
            opening=opening,
            sight=sight,
        )

    def rulings(self) -> list[Ruling]:
        """The ruling, once for each of its editions."""
        ruling = self.ruling()
        if ruling is None:
            return []
        out = []
        for edition in self.document.value.get("editions", [ruling.edition]):
            if edition == ruling.edition:
                out.append(ruling)
            else:
                state = self.state({**ruling.state.to_dict(), "edition": edition})
                if state is not None:
                    out.append(replace(ruling, id=f"{ruling.id}@{edition}", state=state))
        return out

    def editions(self, editions: Any) -> None:
        """Notes what is wrong with the list of editions."""
        if not isinstance(editions, list) or not editions:
            self.fault("editions", "no_editions", value=shown(editions))
            return
        for edition in editions:
            if edition not in EDITIONS:
                near = hint(str(edition), EDITIONS) or Message("known", known=", ".join(EDITIONS))
                self.fault("editions", "no_edition", value=shown(edition), near=near)

    def keys(
        self, place: str, found: Mapping[Any, Any], known: Iterable[str], needed: Sequence[str]
    ) -> None:
        """Notes unknown keys, with the nearest known one, and missing keys."""
        known = tuple(known)
        for key in found:
            if key not in known:
                near = hint(key, known) or Message("known", known=", ".join(known))
                self.fault(join(place, key), "unknown_key", near=near)
        for key in needed:
            if key not in found:
                self.fault(place, "key_missing", name=key)

    def texts(self, place: str, value: Any) -> list[str]:
        """A list of texts, such as rule ids."""
        if not isinstance(value, list):
            self.fault(place, "no_list", value=shown(value))
            return []
        out = []
        for number, item in enumerate(value):
            if isinstance(item, str):
                out.append(item)
            else:
                wrong = "no_text_quote" if isinstance(item, int | float) else "no_text"
                self.fault(f"{place}[{number}]", wrong, value=shown(item))
        return out

    def numbers(self, place: str, value: Any) -> list[str]:
        """A list of rules of the rulebook."""
        out = self.texts(place, value)
        for item in out:
            if item not in rulebook():
                where = f"{place}[{value.index(item)}]"
                self.fault(where, "no_rule", value=shown(item), near=hint(item, list(rulebook())))
        return out

    def action(self, place: str, text: Any, ids: set[str] | None) -> Action | None:
        """An action whose cards are in the state."""
        if len(self.faults) > MAX_FAULTS:  # more are not told
            return None
        try:
            action = Action.parse(text if isinstance(text, str) else str(text))
        except ActionError as error:
            for fault in error.faults:
                self.put(Message("at", place=place, text=bare(fault)))
            return None
        if ids is None:
            return action
        strange = [arg for arg in action.args if isinstance(arg, str) and arg not in ids]
        for arg in dict.fromkeys(strange):
            near = hint(arg, sorted(ids))
            self.fault(place, "action_no_card", action=action, id=arg, near=near)
        return None if strange else action

    def actions(self, place: str, value: Any, ids: set[str] | None) -> list[Action]:
        found = [
            self.action(f"{place}[{number}]", text, ids)
            for number, text in enumerate(self.texts(place, value))
        ]
        return [action for action in found if action is not None]

    def illegal(self, value: Any, ids: set[str] | None) -> list[tuple[Action, tuple[str, ...]]]:
        if not isinstance(value, dict):
            self.fault("illegal", "illegal_shape", value=shown(value))
            return []
        out = []
        for text, rules in value.items():
            action = self.action("illegal", text, ids)
            rules = self.numbers(f"illegal.{text}", rules)
            if action is not None:
                out.append((action, tuple(rules)))
        return out

    def resolutions(self, value: Any, ids: set[str] | None) -> list[Resolution]:
        if not isinstance(value, list):
            self.fault("resolve", "no_list", value=shown(value))
            return []
        out = []
        for number, item in enumerate(value):
            place = f"resolve[{number}]"
            if not isinstance(item, dict):
                self.fault(place, "resolve_shape", value=shown(item))
                continue
            self.keys(place, item, ("action", "outcomes"), ("action", "outcomes"))
            action = (
                self.action(f"{place}.action", item["action"], ids) if "action" in item else None
            )
            outcomes = item.get("outcomes", [])
            if not isinstance(outcomes, list):
                self.fault(f"{place}.outcomes", "no_list", value=shown(outcomes))
                continue
            partial = [
                self.partial(f"{place}.outcomes[{i}]", outcome)
                for i, outcome in enumerate(outcomes)
            ]
            if action is not None:
                out.append(Resolution(action, tuple(partial)))
        return out

    def deck(self, value: Any) -> DeckQuestion | None:
        """The deck that is asked about, with all that speaks against it."""
        if not isinstance(value, dict):
            self.fault("deck", "no_mapping", value=shown(value))
            return None
        keys = ("hero", "cards", "unfit")
        self.keys("deck", value, keys, keys)
        hero, cards = value.get("hero"), value.get("cards", {})
        if "hero" in value and (fault := unknown_kind(hero, catalogue())):
            self.put(Message("at", place="deck.hero", text=fault))
        if not isinstance(cards, dict):
            self.fault("deck.cards", "no_mapping", value=shown(cards))
            return None
        for id, copies in cards.items():
            if fault := unknown_kind(id, catalogue()):
                self.put(Message("at", place=f"deck.cards.{id}", text=fault))
            if type(copies) is not int or not 0 <= copies <= MAX_NUMBER:
                text = {"value": shown(copies), "most": MAX_NUMBER}
                self.fault(f"deck.cards.{id}", "number_from_0", **text)
        unfit = [text.replace(" ", "") for text in self.texts("deck.unfit", value.get("unfit", []))]
        return DeckQuestion(str(hero), tuple(cards.items()), tuple(sorted(unfit)))

    def opening(self, value: Any, ids: set[str] | None) -> OpeningQuestion | None:
        """How a game begins, what the players swap, and what is there then."""
        if not isinstance(value, dict):
            self.fault("opening", "no_mapping", value=shown(value))
            return None
        self.keys("opening", value, ("first", "under", "comes"), ("first", "comes"))
        under = self.cards_of("opening.under", value.get("under", {}), ids)
        comes = self.partial("opening.comes", value.get("comes", {}))
        return OpeningQuestion(str(value.get("first")), under, comes)

    def sight(
        self, value: Any, players: list[str] | None, ids: set[str] | None
    ) -> tuple[tuple[str, Sight], ...]:
        """What each player named does not see."""
        if not isinstance(value, dict):
            self.fault("sight", "no_mapping", value=shown(value))
            return ()
        out = []
        for player, entry in value.items():
            place = f"sight.{player}"
            if players is not None and player not in players:
                near = hint(str(player), players) or Message("known", known=", ".join(players))
                self.fault(place, "unknown_key", near=near)
            keys = ("unseen", "in_place")
            if isinstance(entry, dict):
                self.keys(place, entry, keys, keys[:1])
                entry = {"unseen": [], **{key: entry[key] for key in keys if key in entry}}
            found = dict(self.cards_of(place, entry, ids))
            sets = (frozenset(found.get(key, ())) for key in keys)
            out.append((str(player), Sight(*sets)))
        return tuple(out)

    def cards_of(
        self, place: str, value: Any, ids: set[str] | None
    ) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Lists of cards of the state, each under a key."""
        if not isinstance(value, dict):
            self.fault(place, "no_mapping", value=shown(value))
            return ()
        out = []
        for key, listed in value.items():
            cards = self.texts(f"{place}.{key}", listed)
            for id in cards:
                if ids is not None and id not in ids:
                    near = hint(id, sorted(ids)) or ""
                    self.fault(f"{place}.{key}", "no_card", value=shown(id), near=near)
            out.append((str(key), tuple(cards)))
        return tuple(out)

    def state(self, value: Any) -> State | None:
        """The state of a ruling, given there or in a file of the ruling's folder."""
        try:
            if isinstance(value, dict) and "file" in value:
                self.keys("state", value, ("file",), ())
                file = value["file"]
                if not isinstance(file, str):
                    self.fault("state.file", "no_path", value=shown(file))
                    return None
                path = beside(self.path, file)
                if path is not None and not path.is_relative_to(self.path.parent.resolve()):
                    self.fault("state.file", "outside", value=shown(file))
                    return None
                if path is None or not path.is_file():
                    self.fault("state.file", "no_file", value=shown(file))
                    return None
                return State.load(path)
            return State.from_dict(value)
        except StateError as error:
            for fault in error.faults:
                self.put(Message("under", place="state", text=fault))
        return None

    def partial(self, place: str, value: Any) -> dict[str, Any]:
        """A partial state: its keys must be keys of a state, its terms become canonical."""
        if not isinstance(value, dict):
            self.fault(place, "no_partial", value=shown(value))
            return {}
        self.keys(place, value, _STATE_KEYS, ())
        out = dict(value)
        for key, known in (("players", _PLAYER_KEYS), ("cards", CARD_KEYS)):
            if key in out:
                out[key] = self.named(f"{place}.{key}", out[key], known)
        if isinstance(out.get("pending"), dict):
            self.keys(f"{place}.pending", out["pending"], _PENDING_KEYS, ())
        if "effects" in out:
            if not isinstance(out["effects"], list):
                self.fault(f"{place}.effects", "no_list", value=shown(out["effects"]))
                return {}
            out["effects"] = [
                self.entry(f"{place}.effects[{number}]", effect, _EFFECT_KEYS)
                for number, effect in enumerate(out["effects"])
            ]
        return out

    def named(self, place: str, value: Any, known: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.fault(place, "no_mapping", value=shown(value))
            return {}
        return {
            str(id): None if entry is None else self.entry(f"{place}.{id}", entry, known)
            for id, entry in value.items()
        }

    def entry(self, place: str, value: Any, known: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.fault(place, "no_mapping", value=shown(value))
            return {}
        self.keys(place, value, known, ())
        out = dict(value)
        if isinstance(out.get("ability"), str):
            out["ability"] = _canonical(out["ability"])
        if isinstance(out.get("abilities"), list):
            out["abilities"] = [_canonical(str(ability)) for ability in out["abilities"]]
        if out.get("element") == ["neutral"]:
            out["element"] = []
        if isinstance(out.get("spent"), dict):
            out["spent"] = {_canonical(str(key)): n for key, n in out["spent"].items()}
        return out


def _named(state: State | None, raw: dict[str, Any]) -> tuple[set[str] | None, list[str] | None]:
    """The cards and the players of a state; of one with faults those that it names, if any."""
    if state is not None:
        return {card.id for card in state.cards}, [id for id, _ in state.players]
    cards, players = raw.get("cards"), raw.get("players")
    return (
        {str(id) for id in cards} if isinstance(cards, dict) and cards else None,
        [str(id) for id in players] if isinstance(players, dict) and players else None,
    )


def beside(ruling: Path, file: str) -> Path | None:
    """The path that is named in a ruling file, its links followed; None: there can be none."""
    try:
        path = (ruling.parent / file).resolve()
        path.exists()
        return path
    except (OSError, RuntimeError, ValueError):  # too long, links in a circle, a null character
        return None


def _canonical(term: str) -> str:
    """An ability term, or `term#2`, as states write it; as it stands if it is no term."""
    ability, mark, number = term.partition("#")
    try:
        return terms.canonical(ability.strip()) + mark + number.strip()
    except StateError:
        return term


def _keys(record: type) -> tuple[str, ...]:
    return tuple(KEYS_AS_WRITTEN.get(item.name, item.name) for item in fields(record))


_STATE_KEYS, _PLAYER_KEYS, _EFFECT_KEYS, _PENDING_KEYS = map(
    _keys, (State, Player, Effect, Pending)
)
# what can be expected of a card
CARD_KEYS = tuple(key for key in _keys(Card) if key != "id")
