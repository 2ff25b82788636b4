"""Model against engine: where they disagree, the smallest position found, and its ruling file."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import yaml

from pyengine.engine import Engine
from pyengine.model import LimitError, PyengineError, State, Verdict
from tests.model.documents import state_of
from tests.model.game import judge, outcomes
from tests.model.positions import Document
from tests.model.terms import Unsupported

_MANY = 20  # actions of a position whose outcomes are compared
Judged = dict[str, tuple[bool, frozenset[tuple[str, str | None]]]]


class Disagreement(NamedTuple):
    """One point on which the two differ."""

    kind: str  # reading, candidates, verdict, reasons, outcomes, ended
    action: str
    model: Any
    engine: Any

    @property
    def topic(self) -> tuple[str, str]:
        """What a smaller position must still disagree about."""
        return self.kind, self.action.partition("(")[0]

    def __str__(self) -> str:
        return f"{self.kind} of {self.action or 'the state'}\n  model:  {self.model}\n" + (
            f"  engine: {self.engine}"
        )


class Referee(Protocol):
    """What is compared with the model; the engine is one."""

    def read(self, document: Document) -> State:
        """The state of a document."""

    def judge(self, state: State) -> Judged:
        """Every candidate with its verdict and (rule, by) reasons."""

    def outcomes(self, state: State, action: str) -> list[State]:
        """Every state that a legal action can lead to."""


class EngineReferee:
    """The engine, asked through its public interface."""

    def __init__(self, engine: Engine | None = None) -> None:
        self.engine = engine or Engine()
        self.large: list[str] = []  # what has more outcomes than the limits allow

    def read(self, document: Document) -> State:
        """The state of a document."""
        return State.from_dict(document)

    def judge(self, state: State) -> Judged:
        """Every candidate with its verdict and (rule, by) reasons; none for legal ones."""
        return {str(each.action): reasons_of(each) for each in self.engine.judge(state)}

    def outcomes(self, state: State, action: str) -> list[State]:
        """Every state that a legal action can lead to."""
        try:
            return [outcome.state for outcome in self.engine.resolve(state, action)]
        except LimitError:
            self.large.append(action)
            raise


def reasons_of(verdict: Verdict) -> tuple[bool, frozenset[tuple[str, str | None]]]:
    """A verdict with its (rule, by) reasons; none for what is legal."""
    because = () if verdict.legal else verdict.because
    return verdict.legal, frozenset((each.rule, each.by) for each in because)


def sampled(actions: list[str]) -> list[str]:
    """Of the legal actions of a position those whose outcomes are compared, at most _MANY."""
    each = -(-len(actions) // _MANY)
    return sorted(actions)[:: max(1, each)]


def compare(
    document: Document, referee: Referee, resolve: bool = True, passed: Counter[str] | None = None
) -> Iterator[Disagreement]:
    """Every point on which model and engine differ about one position.

    ``passed``: there it is counted what the model does not speak of, and why.
    """
    passed = Counter() if passed is None else passed
    mine = state_of(document)
    try:
        state = referee.read(document)
    except PyengineError as fault:
        yield Disagreement("reading", "", "a valid state", str(fault))
        return
    if canonical(state) != canonical(mine):
        yield Disagreement("reading", "", *_difference(canonical(mine), canonical(state)))
    try:
        here = judge(state)
    except Unsupported as why:
        passed[f"verdicts: {why}"] += 1
        return
    there = referee.judge(state)
    for action in sorted(here.keys() ^ there.keys()):
        yield Disagreement("candidates", action, action in here, action in there)
    looked = set(sampled([action for action, (legal, _) in there.items() if legal]))
    for action in sorted(here.keys() & there.keys()):
        (legal, reasons), (also, others) = here[action], there[action]
        if legal != also:
            yield Disagreement("verdict", action, _said(legal, reasons), _said(also, others))
        elif reasons != others:
            only = sorted(reasons - others, key=str), sorted(others - reasons, key=str)
            yield Disagreement("reasons", action, f"only {only[0]}", f"only {only[1]}")
        elif legal and resolve and action in looked:
            yield from compare_outcomes(state, action, referee, passed)
        elif legal and resolve:
            passed["outcomes: one of many actions"] += 1


def compare_outcomes(
    state: State, action: str, referee: Referee, passed: Counter[str]
) -> Iterator[Disagreement]:
    """Where the states that an action leads to differ."""
    try:
        ends = outcomes(state, action)
    except Unsupported as why:
        passed[f"outcomes: {why}"] += action != "end_turn"
        return
    try:
        others = referee.outcomes(state, action)
    except LimitError:  # refused with a clear error; the referee counts it
        return
    except Exception as fault:  # whatever the engine raises here is a finding
        yield Disagreement("outcomes", action, f"{len(ends)} states", repr(fault))
        return
    # what happens to the table after the end of the game is a point of its own
    here, there = set(map(_until_the_end, ends)), set(map(_until_the_end, others))
    kind = "outcomes"
    if here == there:
        kind, here, there = "ended", set(map(canonical, ends)), set(map(canonical, others))
    if here != there:
        left, right = sorted(here - there, key=repr), sorted(there - here, key=repr)
        if len(left) == len(right) == 1:
            yield Disagreement(kind, action, *_difference(left[0], right[0]))
        else:
            model, engine = [_changes(state, x) for x in left], [_changes(state, x) for x in right]
            yield Disagreement(kind, action, model, engine)


# The keys of cards, players and effects in CONTRACT 1; whatever a State notes beside them is the
# engine's own affair and has its default here.
CONTRACT = """coins coins_total missed deck_order id kind name type classes element cost strike life
    abilities owner controller zone wounds extra_life closed acted defended entered since spent
    hidden cell arrived movement moved chips card ability source until"""


def plain(thing: Any) -> Any:
    """A card, player or effect without what goes beyond the contract."""
    named = CONTRACT.split()
    extra = {each.name: each.default for each in fields(thing) if each.name not in named}
    return replace(thing, **extra) if extra else thing


def canonical(state: State) -> tuple[Any, ...]:
    """The state as a value that does not depend on the order of cards and effects.

    When a card came into play is forgotten once it has left.
    """
    cards = (
        card if card.zone == "play" else replace(card, entered=0, since=0) for card in state.cards
    )
    return (
        state.edition, state.active, state.turn, state.phase, state.result, state.pending,
        tuple((id, plain(player)) for id, player in sorted(state.players, key=repr)),
        tuple(sorted(map(plain, cards), key=lambda card: card.id)),
        tuple(sorted(map(plain, state.effects), key=repr)),
    )  # fmt: skip


def _until_the_end(state: State) -> tuple[Any, ...]:
    return canonical(state) if state.result is None else (state.result,)


def _said(legal: bool, reasons: frozenset[tuple[str, str | None]]) -> str:
    return "legal" if legal else f"illegal by {sorted(reasons, key=str)}"


def _difference(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[list[str], list[str]]:
    """The parts of two canonical states that are not in both, as text."""
    one, two = set(_parts(left)), set(_parts(right))
    return sorted(one - two), sorted(two - one)


def _changes(state: State, end: tuple[Any, ...]) -> list[str]:
    """What is in the end and was not in the state."""
    return sorted(set(_parts(end)) - set(_parts(canonical(state))))


def _parts(canonic: tuple[Any, ...]) -> Iterator[str]:
    for part in canonic:
        if not isinstance(part, tuple):
            yield repr(part)
            continue
        for n, thing in enumerate(part):
            if hasattr(thing, "id"):
                for key in thing.__slots__:
                    yield f"{thing.id}.{key}={getattr(thing, key)!r}"
            else:
                yield f"{thing!r} ({sum(other == thing for other in part[:n])})"


# -- smaller positions ------------------------------------------------------------------------


def shrink(document: Document, still: Callable[[Document], bool]) -> Document:
    """A smaller position of which it still holds, by leaving out one thing at a time."""
    smaller = True
    while smaller:
        smaller = False
        for shorter in _shorter(document):
            try:
                if still(shorter):
                    document, smaller = shorter, True
                    break
            except Exception:  # not a state any more
                continue
    return document


def _shorter(document: Document) -> Iterator[Document]:
    """The document with one thing left out."""
    pending = document.get("pending") or {}
    for id in document["cards"]:
        if id not in pending.values():
            out = copy.deepcopy(document)
            del out["cards"][id]
            out["effects"] = [effect for effect in out.get("effects", ()) if id != effect["card"]]
            for effect in out["effects"]:
                if effect.get("source") == id:
                    card = document["cards"][id]
                    effect["controller"] = card.get("controller") or card["owner"]
                    del effect["source"]
            yield out
    if pending:
        out = copy.deepcopy(document)
        del out["pending"]
        yield out
    for n, effect in enumerate(document.get("effects", ())):
        out = copy.deepcopy(document)
        del out["effects"][n]
        yield out
        for key in ("spent", "source"):
            if key in effect and (key != "source" or "controller" in effect):
                out = copy.deepcopy(document)
                del out["effects"][n][key]
                yield out
    for id, card in document["cards"].items():
        for n, ability in enumerate(card.get("abilities", ())):
            out = copy.deepcopy(document)
            del out["cards"][id]["abilities"][n]
            spent = out["cards"][id].get("spent", {})
            if ability not in out["cards"][id]["abilities"]:
                spent.pop(ability, None)
            yield out
        for key in card:
            if key not in ("type", "life", "owner", "zone", "abilities", "since"):
                out = copy.deepcopy(document)
                del out["cards"][id][key]
                yield out


def shrunk(
    document: Document, found: Disagreement, referee: Referee
) -> tuple[Document, Disagreement]:
    """The position made smaller while the two still differ on the same topic."""
    resolve = found.kind in ("outcomes", "ended")

    def still(shorter: Document) -> bool:
        return any(each.topic == found.topic for each in compare(shorter, referee, resolve))

    document = shrink(document, still)
    last = next(
        (each for each in compare(document, referee, resolve) if each.topic == found.topic), found
    )
    return document, last


def save(folder: Path, name: str, document: Document, found: Disagreement) -> Path:
    """Writes the position as a ruling that says what the model says."""
    folder.mkdir(parents=True, exist_ok=True)
    ruling: dict[str, Any] = {
        "ruling": f"model-{name}",
        "note": f"{found.kind}; model: {found.model}; engine: {found.engine}",
        "state": document,
    }
    state = state_of(document)
    legal, reasons = judge(state).get(found.action, (False, frozenset()))
    if legal:
        ruling["legal"] = [found.action]
    elif reasons:
        ruling["illegal"] = {found.action: sorted({rule for rule, _ in reasons})}
    path = folder / f"{name}.yaml"
    text = yaml.safe_dump(ruling, sort_keys=False, allow_unicode=True, width=100)
    path.write_text(text, encoding="utf-8")
    return path
