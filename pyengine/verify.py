"""Rulings: questions a judge was asked, with the right answers, run as tests (CONTRACT 7).

`load_rulings` reads files and folders and checks them whole before anything is computed; `run`
asks the engine and says where its answers differ. Where the contract leaves room: an expected
card that is `null` must not exist; each mapping in an expected list must be contained in a
different one of the list that came; an ability not named by `spent` has 0 there.

Beyond the contract, ``editions: [heroes, heroes_2]`` in a ruling asks its question in each of
these editions, not only in that of its state; the others have it in their id (``id@heroes_2``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pyengine import terms
from pyengine.coverage import Coverage, Seen, covered
from pyengine.documents import Document, hint, parse_documents, read_text, shown
from pyengine.documents import place as path_as_written
from pyengine.explain import KEYS as KEYS_AS_WRITTEN
from pyengine.explain import Change, change, changes, whole
from pyengine.faults import Message, at, bare, told
from pyengine.i18n import Lang, say
from pyengine.model import (
    EDITIONS,
    Action,
    ActionError,
    Card,
    Effect,
    Explanation,
    IllegalAction,
    LimitError,
    Outcome,
    Pending,
    Player,
    State,
    StateError,
    Verdict,
)
from pyengine.precedence import Edge, possible
from pyengine.rulebook import rulebook


class Judge(Protocol):
    """What a ruling needs of the engine."""

    def judge(self, state: State) -> list[Verdict]:
        """The verdict on every candidate."""

    def why(self, state: State, action: Action) -> Explanation:
        """The verdict on one action."""

    def resolve(self, state: State, action: Action) -> list[Outcome]:
        """Every outcome of a legal action."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """An action to carry out, and a partial state for each outcome that it must have."""

    action: Action
    outcomes: tuple[Mapping[str, Any], ...] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question and its right answer. ``illegal`` holds the rules that must forbid, at least."""

    id: str
    place: str
    state: State
    cites: tuple[str, ...] = ()
    note: str = ""
    legal: tuple[Action, ...] = ()
    illegal: tuple[tuple[Action, tuple[str, ...]], ...] = ()
    resolve: tuple[Resolution, ...] = ()

    @property
    def edition(self) -> str:
        """The edition it is a ruling of: that of its state."""
        return self.state.edition


# --- loading -------------------------------------------------------------------------------------


def load_rulings(paths: Iterable[str | Path], edition: str | None = None) -> list[Ruling]:
    """The rulings of these files and folders, in order; StateError with every fault of them all.

    A folder is searched for ``*.yaml`` at any depth, in the order of the paths. A file found so
    is no ruling file if a ruling names it as its state. ``edition`` keeps the rulings of one.
    """
    paths = list(paths)
    faults: list[str] = []
    rulings: list[Ruling] = []
    places: dict[str, str] = {}
    for path, documents in _ruling_files(paths, faults):
        for document in documents:
            for ruling in _Loader(path, document, faults).rulings():
                if ruling.id in places:
                    taken = at("ruling", "ruling_taken", id=ruling.id, other=places[ruling.id])
                    faults.append(Message("at", place=ruling.place, text=taken))
                places.setdefault(ruling.id, ruling.place)
                rulings.append(ruling)
    if not rulings and not faults:
        faults.append(at(", ".join(map(str, paths)), "no_rulings"))
    if faults:
        raise StateError(faults)
    return [ruling for ruling in rulings if edition is None or ruling.edition == edition]


class Citation(NamedTuple):
    """A ruling with what it cites, and the editions of which it is a ruling."""

    ruling: str
    cites: tuple[str, ...]
    editions: tuple[str, ...]


def citations(paths: Iterable[str | Path]) -> list[Citation]:
    """What the rulings cite; their states are not read: one in a file counts as heroes."""
    found = []
    for _, documents in _ruling_files(paths, []):
        for value in (document.value for document in documents):
            if isinstance(value, dict) and isinstance(value.get("ruling"), str):
                cites, editions, state = (value.get(key) for key in ("cites", "editions", "state"))
                own = state.get("edition", "heroes") if isinstance(state, dict) else "heroes"
                found.append(
                    Citation(
                        value["ruling"],
                        tuple(cites) if isinstance(cites, list) else (),
                        tuple(editions) if isinstance(editions, list) else (own,),
                    )
                )
    return found


def _ruling_files(
    paths: Iterable[str | Path], faults: list[str]
) -> list[tuple[Path, list[Document]]]:
    """The documents of each ruling file, in order; a file given twice is read once."""
    files: dict[Path, tuple[Path, bool]] = {}
    for path in map(Path, paths):
        inside = None
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*.yaml") if file.is_file())
        if inside == []:
            faults.append(at(str(path), "no_yaml_file"))
        for file in [path] if inside is None else inside:
            real = file.resolve()
            shown, asked = files.get(real, (file, False))
            files[real] = (shown, asked or inside is None)
    read = {real: (path, _documents(path, faults), asked) for real, (path, asked) in files.items()}
    states = {
        _beside(path, file)
        for path, documents, _ in read.values()
        for file in filter(None, map(_file_named, documents))
    }
    return [
        (path, documents)
        for real, (path, documents, asked) in read.items()
        if asked or real not in states
    ]


def _file_named(document: Document) -> str | None:
    """The file that a ruling names as its state."""
    state = document.value.get("state") if isinstance(document.value, dict) else None
    file = state.get("file") if isinstance(state, dict) else None
    return file if isinstance(file, str) else None


def _beside(ruling: Path, file: str) -> Path | None:
    """The path that is named in a ruling file, its links followed; None: there can be none."""
    try:
        path = (ruling.parent / file).resolve()
        path.exists()
        return path
    except (OSError, RuntimeError, ValueError):  # too long, links in a circle, a null character
        return None


def _documents(path: Path, faults: list[str]) -> list[Document]:
    """The documents of one file; their faults, if it cannot be read."""
    try:
        return parse_documents(read_text(path, str(path)), str(path))
    except StateError as error:
        faults += error.faults
        return []


KEYS = ("ruling", "editions", "cites", "note", "state", "legal", "illegal", "resolve")


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
        self.keys("", document, KEYS, ("ruling", "state"))
        if "ruling" in document and not named:
            self.fault("ruling", "ruling_id", value=shown(id))
        note = document.get("note", "")
        if not isinstance(note, str):
            self.fault("note", "no_text", value=shown(note))
        state = self.state(document["state"]) if "state" in document else None
        ids = {card.id for card in state.cards} if state else None
        cites = self.numbers("cites", document.get("cites", []))
        legal = self.actions("legal", document.get("legal", []), ids)
        illegal = self.illegal(document.get("illegal", {}), ids)
        resolve = self.resolutions(document.get("resolve", []), ids)
        if not {"legal", "illegal", "resolve"} & set(document):
            self.fault("", "asks_nothing")
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
        )

    def rulings(self) -> list[Ruling]:
        """The ruling, once for each of its editions."""
        ruling = self.ruling()
        if ruling is None:
            return []
        editions = self.document.value.get("editions", [ruling.edition])
        if not isinstance(editions, list) or not editions:
            self.fault("editions", "no_editions", value=shown(editions))
            return []
        out = []
        for edition in editions:
            if edition not in EDITIONS:
                near = hint(str(edition), EDITIONS) or Message("known", known=", ".join(EDITIONS))
                self.fault("editions", "no_edition", value=shown(edition), near=near)
            elif edition == ruling.edition:
                out.append(ruling)
            else:
                state = self.state({**ruling.state.to_dict(), "edition": edition})
                if state is not None:
                    out.append(replace(ruling, id=f"{ruling.id}@{edition}", state=state))
        return out

    def keys(
        self, place: str, found: Mapping[Any, Any], known: Iterable[str], needed: Sequence[str]
    ) -> None:
        """Notes unknown keys, with the nearest known one, and missing keys."""
        known = tuple(known)
        for key in found:
            if key not in known:
                near = hint(key, known) or Message("known", known=", ".join(known))
                self.fault(_join(place, key), "unknown_key", near=near)
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
        try:
            action = Action.parse(text if isinstance(text, str) else str(text))
        except ActionError as error:
            for fault in error.faults:
                self.put(Message("at", place=place, text=bare(fault)))
            return None
        for arg in action.args:
            if ids is not None and isinstance(arg, str) and arg not in ids:
                near = hint(arg, sorted(ids))
                self.fault(place, "action_no_card", action=action, id=arg, near=near)
                return None
        return action

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

    def state(self, value: Any) -> State | None:
        """The state of a ruling, given there or in a file of the ruling's folder."""
        try:
            if isinstance(value, dict) and "file" in value:
                self.keys("state", value, ("file",), ())
                file = value["file"]
                if not isinstance(file, str):
                    self.fault("state.file", "no_path", value=shown(file))
                    return None
                path = _beside(self.path, file)
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
        for key, known in (("players", _PLAYER_KEYS), ("cards", _CARD_KEYS)):
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


def _join(place: str, key: object) -> str:
    return f"{place}.{key}" if place else str(key)


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
_CARD_KEYS = tuple(key for key in _keys(Card) if key != "id")


# --- running -------------------------------------------------------------------------------------


def run(engine: Judge, ruling: Ruling, seen: Seen | None = None, lang: Lang = "en") -> list[str]:
    """Where the engine's answers differ from the ruling's; empty when they agree.

    ``seen`` collects what the answers asked for name.
    """
    seen = Seen() if seen is None else seen
    verdicts = _verdicts(engine, ruling)
    faults: list[str] = []
    for action in ruling.legal:
        verdict = verdicts(action)
        seen.reasons(verdict.because)
        if not verdict.legal:
            came = _named(verdict)
            faults.append(say("expected_legal", lang, action=action, came=came))
    for action, rules in ruling.illegal:
        verdict = verdicts(action)
        seen.reasons(verdict.because)
        wanted = ", ".join(rules) or say("any_rule", lang)
        if verdict.legal:
            faults.append(say("expected_illegal", lang, action=action, rules=wanted))
        elif not set(rules) <= {reason.rule for reason in verdict.because}:
            came = _named(verdict)
            faults.append(say("expected_rules", lang, action=action, rules=wanted, came=came))
    for resolution in ruling.resolve:
        faults += _resolve(engine, ruling.state, resolution, seen, lang)
    return faults


def _verdicts(engine: Judge, ruling: Ruling) -> Callable[[Action], Verdict]:
    """The verdicts on candidates come from one question, those on other actions one by one."""
    asks = bool(ruling.legal or ruling.illegal)
    judged = {item.action: item for item in engine.judge(ruling.state)} if asks else {}

    def verdict(action: Action) -> Verdict:
        return judged.get(action) or engine.why(ruling.state, action).verdict

    return verdict


def _named(verdict: Verdict) -> str:
    """The reasons of a verdict, shortly: rule and card."""
    named = [f"{item.rule} ({item.by})" if item.by else item.rule for item in verdict.because]
    return ", ".join(dict.fromkeys(named))


def _resolve(
    engine: Judge, state: State, resolution: Resolution, seen: Seen, lang: Lang
) -> list[str]:
    """Whether expected and actual outcomes match by some one-to-one assignment."""
    action, expected = resolution.action, resolution.outcomes
    where = f"resolve {action}"
    try:
        outcomes = engine.resolve(state, action)
    except IllegalAction as error:
        seen.reasons(error.reasons)
        return [say("resolve_illegal", lang, action=action, came=_named(error.verdict))]
    except LimitError as error:
        large = say("too_large", lang, message=told(error.message, lang))
        return [f"{where}: {large}"]
    for outcome in outcomes:
        seen.outcome(outcome)
    came = [whole(outcome.state) for outcome in outcomes]
    gaps = [[differences(partial, document) for document in came] for partial in expected]
    matched = assign([[not gap for gap in row] for row in gaps])
    faults = []
    if len(expected) != len(came):
        faults.append(
            f"{where}: " + say("outcome_count", lang, expected=len(expected), came=len(came))
        )
    free = [place for place in range(len(came)) if place not in matched.values()]
    for number, row in enumerate(gaps):
        if number in matched:
            continue
        near = min(free or range(len(came)), key=lambda place: len(row[place]), default=None)
        gap = "; ".join(_difference(item, lang) for item in row[near]) if near is not None else ""
        faults.append(
            f"{where}: {say('outcome_missing', lang, n=number + 1)}" + (f": {gap}" if gap else "")
        )
    if len(free) > len(expected) - len(matched):
        for place in free:
            changed = "; ".join(
                _short(item, lang) for item in changes(state, outcomes[place].state)
            )
            faults.append(
                f"{where}: {say('outcome_extra', lang, n=place + 1)}"
                + (f": {changed}" if changed else "")
            )
    return faults


def _difference(gap: tuple[str, Any, Any], lang: Lang) -> str:
    place, expected, came = gap
    return say("expected_came", lang, place=place, expected=_json(expected), came=_json(came))


def _short(item: Change, lang: Lang) -> str:
    return f"{item.about}: {change(item, lang)}" if item.about else change(item, lang)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# --- matching ------------------------------------------------------------------------------------


def matches(expected: Any, actual: Any) -> bool:
    """Whether a value that came is what a partial state expects.

    >>> matches({"wounds": 3}, {"wounds": 3, "closed": True}), matches([1], [1, 2])
    (True, False)
    """
    return not differences(expected, actual)


def differences(expected: Any, actual: Any, place: str = "") -> list[tuple[str, Any, Any]]:
    """The places where they differ, with what was expected and what came."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        default = 0 if place.endswith(".spent") else None
        return [
            difference
            for key, part in expected.items()
            for difference in differences(part, actual.get(key, default), _join(place, key))
        ]
    if isinstance(actual, list) and _of_mappings(expected):
        found = assign([[matches(item, member) for member in actual] for item in expected])
        return [
            (f"{place}[{number}]", item, actual)
            for number, item in enumerate(expected)
            if number not in found
        ]
    same = type(expected) is type(actual) and expected == actual
    return [] if same else [(place, expected, actual)]


def _of_mappings(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(item, dict) for item in value)


def assign(fits: Sequence[Sequence[bool]]) -> dict[int, int]:
    """The greatest assignment of rows to different columns that fit them.

    >>> assign([[True, True], [True, False]])
    {1: 0, 0: 1}
    """
    row_of: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, fit in enumerate(fits[row]):
            if fit and column not in tried:
                tried.add(column)
                if column not in row_of or place(row_of[column], tried):
                    row_of[column] = row
                    return True
        return False

    for row in range(len(fits)):
        place(row, set())
    return {row: column for column, row in row_of.items()}


# --- many rulings --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """How a run went. ``seen``, ``cited``: by edition; ``cited``: by rulings that passed."""

    passed: int
    failed: tuple[tuple[Ruling, tuple[str, ...]], ...]
    seen: Mapping[str, Seen] = field(hash=False)
    cited: Mapping[str, frozenset[str]] = field(hash=False)

    def coverage(
        self,
        editions: Mapping[str, Sequence[str]],
        edges: Callable[[str], Iterable[Edge]] = possible,
    ) -> list[Coverage]:
        """What was exercised of each edition, of its rules and of the edges that they can show."""
        return [
            covered(edition, rules, edges(edition), self.seen, self.cited)
            for edition, rules in editions.items()
        ]


def run_all(
    engine: Judge,
    rulings: Sequence[Ruling],
    lang: Lang = "en",
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Runs them one by one; an error of the engine is a fault of the ruling that met it."""
    failed: list[tuple[Ruling, tuple[str, ...]]] = []
    seen: dict[str, Seen] = {}
    cited: dict[str, set[str]] = {}
    for done, ruling in enumerate(rulings):
        progress(done)
        named = seen.setdefault(ruling.edition, Seen())
        try:
            faults = run(engine, ruling, named, lang)
        except Exception as error:  # the others are to be run all the same
            faults = [f"{type(error).__name__}: {error}"]
        if faults:
            failed.append((ruling, tuple(faults)))
        else:
            cited.setdefault(ruling.edition, set()).update(ruling.cites)
    progress(len(rulings))
    return Report(
        len(rulings) - len(failed),
        tuple(failed),
        seen,
        {edition: frozenset(rules) for edition, rules in cited.items()},
    )


def document(report: Report, coverage: Sequence[Coverage] | None = None) -> dict[str, Any]:
    """The answer of `verify` as JSON."""
    answer: dict[str, Any] = {
        "passed": report.passed,
        "failed": [
            {"ruling": ruling.id, "faults": list(faults)} for ruling, faults in report.failed
        ],
    }
    if coverage is not None:
        answer["coverage"] = {item.edition: item.to_dict() for item in coverage}
    return answer
