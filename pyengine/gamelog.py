"""Games as files, and replaying them: a JSON document a line.

The first line tells how the game began::

    {"pyengine_log": 1, "seed": 7, "dealt": {…}, "state": "<hash>", "start": {<state document>}}

``dealt`` (heroes, decks, redeal, edition; each a list of p1's and p2's; ``picks``, if a player had
to choose in the opening turn) is there if the game was dealt: the deal is checked too then. Each
other line is an action with what it led to::

    {"n": 1, "player": "p1", "action": "end_turn", "picks": [], "state": "<hash>", "changed": {…}}

``picks`` are the options taken at the forks, of players and of chance, in order; in its place
``outcome`` stands where a whole outcome was chosen by its number. ``state`` is the `fingerprint` of
the position then, ``changed`` the entries of its document that are new or other (a card, a player;
null: it is gone). It may be left out; with it a difference can be shown and not only found.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyengine.documents import shown
from pyengine.engine import Engine
from pyengine.faults import Message, at
from pyengine.files import append_lines, write_whole
from pyengine.game import DeckError, Game, Played, deal
from pyengine.model import Action, ChoiceError, Fork, IllegalAction, LimitError, State, StateError

FORMAT = 1
MAX_BYTES = 50_000_000
_PARTS = ("players", "cards")  # whose entries are told one by one


def fingerprint(state: State) -> str:
    """A short text that is the same for equal states only (for all that is practical)."""
    text = json.dumps(state.to_dict(), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# --- writing -------------------------------------------------------------------------------------


def lines(game: Game, since: int = 0) -> Iterator[str]:
    """The log of a game, without what comes before the action of that number; 0: all of it."""
    if since == 0:
        head: dict[str, Any] = {"pyengine_log": FORMAT, "seed": game.seed}
        if game.dealt is not None:
            head["dealt"] = game.dealt
        head |= {"state": fingerprint(game.start), "start": game.start.to_dict()}
        yield _line(head)
    before = game.start if since <= 1 else game.history[since - 2].outcome.state
    for number, played in enumerate(game.history[max(since - 1, 0) :], max(since, 1)):
        yield _line(_entry(number, before, played))
        before = played.outcome.state


def _entry(number: int, before: State, played: Played) -> dict[str, Any]:
    after = played.outcome.state
    entry: dict[str, Any] = {
        "n": number,
        "player": played.player,
        "action": str(played.action),
    }
    entry |= {"outcome": played.index} if played.picks is None else {"picks": list(played.picks)}
    return entry | {
        "state": fingerprint(after),
        "changed": _changed(before.to_dict(), after.to_dict()),
    }


def _line(entry: dict[str, Any]) -> str:
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What turns one document into the other, but for the order of the cards."""
    out: dict[str, Any] = {}
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key), after.get(key)
        if old == new:
            continue
        if key in _PARTS:
            names = dict.fromkeys([*(old or {}), *(new or {})])
            out[key] = {
                name: (new or {}).get(name)
                for name in names
                if (old or {}).get(name) != (new or {}).get(name)
            }
        else:
            out[key] = new
    return out


def _patched(document: dict[str, Any], changed: dict[str, Any]) -> dict[str, Any]:
    out = dict(document)
    for key, new in changed.items():
        if key in _PARTS and isinstance(new, dict):
            entries = {**out.get(key, {}), **new}
            out[key] = {name: entry for name, entry in entries.items() if entry is not None}
        elif new is None:
            out.pop(key, None)
        else:
            out[key] = new
    return out


class LogFile:
    """A file that follows a game: what was played is in it at once, what was taken back is not."""

    def __init__(self, path: Path, game: Game) -> None:
        self.path = path
        self.game = game
        self._written: tuple[Played, ...] = ()
        self._write(0)

    def follow(self) -> None:
        """Brings the file up to the game."""
        now = self.game.history
        if self._written == now[: len(self._written)]:
            self._write(len(self._written) + 1)
        else:
            self._write(0)

    def _write(self, since: int) -> None:
        text = "".join(lines(self.game, since))
        if since:
            append_lines(self.path, text)
        else:
            write_whole(self.path, text)
        self._written = self.game.history


# --- reading -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """An action of a log."""

    number: int
    player: str
    action: Action
    picks: tuple[str, ...] | None
    index: int | None
    state: str
    changed: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Log:
    """A log as it was read: the start, and the actions."""

    seed: object
    dealt: dict[str, Any] | None
    fingerprint: str
    start: State
    entries: tuple[Entry, ...]


def read(path: Path | str) -> Log:
    """The log of a file; StateError with every faulty line."""
    from pyengine.documents import read_text

    data = read_text(Path(path), str(path), MAX_BYTES)
    try:
        return parse(data.decode("utf-8"), str(path))
    except UnicodeDecodeError:
        raise StateError([at(str(path), "no_utf8")]) from None


def parse(text: str, name: str = "log") -> Log:
    """The log of a text; StateError with every faulty line."""
    faults: list[str] = []
    found: list[tuple[int, dict[str, Any]]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            found.append((number, value))
        else:
            faults.append(_at_line(name, number, Message("no_json_mapping")))
    if not found:
        raise StateError([*faults, at(name, "no_log")][:20])
    (first, head), *rest = found
    if head.get("pyengine_log") != FORMAT:
        raise StateError([_at_line(name, first, Message("no_log_head"))])
    entries: list[Entry] = []
    for number, value in rest:
        try:
            entries.append(_read_entry(value, len(entries) + 1))
        except StateError as error:
            faults += [_at_line(name, number, fault) for fault in error.faults]
    start = None
    try:
        document = head.get("start")
        start = State.from_dict(document if isinstance(document, dict) else {})
    except StateError as error:
        inside = [Message("under", place="start", text=fault) for fault in error.faults]
        faults += [_at_line(name, first, fault) for fault in inside]
    dealt = head.get("dealt")
    if dealt is not None and not _is_deal(dealt):
        faults.append(_at_line(name, first, at("dealt", "dealt_shape")))
    if faults or start is None:
        raise StateError(faults)
    return Log(head.get("seed"), dealt, str(head.get("state")), start, tuple(entries))


def _at_line(name: str, line: int, text: str) -> Message:
    return Message("at_line", place=name, line=line, text=text)


def _read_entry(value: dict[str, Any], number: int) -> Entry:
    if value.get("n") != number:
        raise StateError([at("n", "not_next", value=shown(value.get("n")), n=number)])
    for key in ("player", "action", "state"):
        if not isinstance(value.get(key), str):
            raise StateError([at(key, "required_text")])
    picks, index, changed = value.get("picks"), value.get("outcome"), value.get("changed")
    if picks is not None and not (
        isinstance(picks, list) and all(isinstance(pick, str) for pick in picks)
    ):
        raise StateError([at("picks", "is_no_texts")])
    if (picks is None) == (index is None) or (index is not None and type(index) is not int):
        raise StateError([Message("picks_or_outcome")])
    if changed is not None and not isinstance(changed, dict):
        raise StateError([at("changed", "is_no_mapping")])
    return Entry(
        number,
        value["player"],
        Action.parse(value["action"]),
        None if picks is None else tuple(picks),
        index,
        value["state"],
        changed,
    )


def _is_deal(dealt: Any) -> bool:
    if not isinstance(dealt, dict) or not isinstance(dealt.get("edition"), str):
        return False
    heroes, decks, redeal = (dealt.get(key) for key in ("heroes", "decks", "redeal"))
    picks = dealt.get("picks", [])
    return (
        isinstance(picks, list)
        and all(isinstance(pick, str) for pick in picks)
        and all(isinstance(pair, list) and len(pair) == 2 for pair in (heroes, decks, redeal))
        and all(isinstance(hero, str) for hero in heroes or ())
        and all(isinstance(deck, dict) for deck in decks or ())
        and all(
            isinstance(ids, list) and all(isinstance(id, str) for id in ids) for ids in redeal or ()
        )
    )


# --- replaying -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing that did not come out as the log has it.

    ``kind``: deal, player, illegal, choice, state; ``number``: of the action, 0 for the deal.
    ``expected`` and ``came`` are states where the states differ, else texts.
    """

    number: int
    kind: str
    action: str
    expected: State | str | None
    came: State | str | None


@dataclass(frozen=True, slots=True)
class Replay:
    """How far a log was replayed, and where it differs, if it does."""

    game: Game
    actions: int
    difference: Difference | None


def replay(
    log: Log, engine: Engine | None = None, progress: Callable[[int], None] | None = None
) -> Replay:
    """Plays a log again, up to its end or its first difference."""
    game = Game(log.start, log.seed, engine)
    game.dealt = log.dealt
    found = _redealt(log, engine)
    if found is None:
        document = log.start.to_dict()
        for entry in log.entries:
            found = _again(game, entry, _patched(document, entry.changed or {}))
            if found is not None:
                break
            document = game.state.to_dict()
            if progress is not None:
                progress(entry.number)
    return Replay(game, len(game.history), found)


def _redealt(log: Log, engine: Engine | None) -> Difference | None:
    if fingerprint(log.start) != log.fingerprint:
        return Difference(0, "deal", "", log.fingerprint, fingerprint(log.start))
    if log.dealt is None:
        return None
    swaps = dict(zip(("p1", "p2"), log.dealt["redeal"], strict=True))
    picks = iter(log.dealt.get("picks", ()))
    try:
        state, _ = deal(
            log.seed,
            log.dealt["heroes"],
            log.dealt["decks"],
            lambda state, player: swaps[player],
            log.dealt["edition"],
            lambda fork: next(picks, ""),
            engine,
        )
    except (DeckError, ChoiceError) as error:
        return Difference(0, "deal", "", None, str(error))
    return None if state == log.start else Difference(0, "deal", "", log.start, state)


def _again(game: Game, entry: Entry, document: dict[str, Any]) -> Difference | None:
    """Plays one action as the log has it; the difference, if there is one."""

    def differs(kind: str, expected: State | str | None, came: State | str | None) -> Difference:
        return Difference(entry.number, kind, str(entry.action), expected, came)

    if game.to_move != entry.player:
        return differs("player", entry.player, game.to_move)
    try:
        if entry.index is not None:
            game.apply(entry.action, entry.index)
        else:
            _apply(game, entry)
    except IllegalAction as error:
        rules = sorted({reason.rule for reason in error.reasons})
        return differs("illegal", None, ", ".join(rules))
    except (ChoiceError, LimitError, StateError) as error:
        return differs("choice", None, str(error))
    if fingerprint(game.state) == entry.state and (
        entry.changed is None or document == game.state.to_dict()
    ):
        return None
    came = game.undo().outcome.state
    try:
        expected: State | str = State.from_dict(document)
    except StateError:
        expected = entry.state
    return differs("state", expected, came)


def _apply(game: Game, entry: Entry) -> None:
    picks = list(entry.picks or ())
    # chance is not thrown again: it is to bring what it brought
    given = iter(picks)

    def pick(fork: Fork) -> str:
        chosen = next(given, None)
        if chosen is None:
            raise ChoiceError(Message("nothing_picked", options=", ".join(fork.options)), fork)
        return chosen

    game.follow(entry.action, pick)
    left = list(given)
    if left:
        game.undo()
        raise ChoiceError(Message("nothing_to_pick", options=", ".join(left)))


# --- answers as JSON -----------------------------------------------------------------------------


def summary(game: Game, path: str | None) -> dict[str, Any]:
    """The answer of `play`: how a game went, and the position it came to."""
    heroes = [card for card in game.start.cards if (card.type, card.zone) == ("hero", "play")]
    return {
        "seed": game.seed,
        "heroes": {card.owner: card.kind or card.id for card in heroes},
        "result": game.result,
        "turn": game.state.turn,
        "actions": [
            {"player": played.player, "action": str(played.action)} for played in game.history
        ],
        "log": path,
        "state": game.state.to_dict(),
    }


def document(done: Replay, path: str) -> dict[str, Any]:
    """The answer of `replay`."""

    def plain(value: State | str | None) -> Any:
        return value.to_dict() if isinstance(value, State) else value

    found = done.difference
    return {
        "log": path,
        "actions": done.actions,
        "result": done.game.result,
        "difference": None
        if found is None
        else {
            "action": found.number,
            "kind": found.kind,
            "declared": found.action,
            "expected": plain(found.expected),
            "came": plain(found.came),
        },
    }
