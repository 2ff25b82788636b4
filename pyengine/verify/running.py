"""A ruling asked of the engine: where the answers differ from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pyengine.coverage import Seen
from pyengine.explain import Change, change, changes, whole
from pyengine.faults import told
from pyengine.i18n import Lang, say
from pyengine.model import (
    Action,
    ChoiceError,
    DeckVerdict,
    Explanation,
    Fork,
    IllegalAction,
    LimitError,
    Outcome,
    Sight,
    State,
    Verdict,
)
from pyengine.queue import option_of
from pyengine.verify.matching import assign, differences
from pyengine.verify.rulings import OpeningQuestion, Resolution, Ruling


class Judge(Protocol):
    """What a ruling needs of the engine."""

    def judge(self, state: State) -> list[Verdict]:
        """The verdict on every candidate."""

    def why(self, state: State, action: Action) -> Explanation:
        """The verdict on one action."""

    def resolve(self, state: State, action: Action) -> list[Outcome]:
        """Every outcome of a legal action."""

    def begin(self, state: State, decide: Callable[[Fork], int]) -> Outcome:
        """How a game begins."""

    def sight(self, state: State, player: str) -> Sight:
        """What a player does not see."""

    def deck(self, hero: str, cards: Mapping[str, int], edition: str) -> DeckVerdict:
        """What speaks against a deck."""


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
    if ruling.deck is not None:
        asked = ruling.deck
        found = engine.deck(asked.hero, dict(asked.cards), ruling.edition).unfit
        seen.rules.add("base.deck")
        if found != asked.unfit:
            faults.append(_difference(("deck.unfit", asked.unfit, found), lang))
    if ruling.opening is not None:
        faults += _opening(engine, ruling.state, ruling.opening, seen, lang)
    for player, sight in ruling.sight:
        now = engine.sight(ruling.state, player)
        seen.rules.add("base.sight")
        for what in ("unseen", "in_place"):
            there, here = (sorted(getattr(each, what)) for each in (sight, now))
            if there != here:
                faults.append(_difference((f"sight.{player}.{what}", there, here), lang))
    return faults


def begun(engine: Judge, state: State, asked: OpeningQuestion) -> Outcome:
    """How the game of a ruling begins. ChoiceError: a choice that it names is not there."""
    under = {player: [*cards] for player, cards in asked.under}

    def decide(fork: Fork) -> int:
        if fork.player is None:
            return option_of(fork, f"begins({asked.first})")
        cards = under.get(fork.player, [])
        return option_of(fork, f"under({cards.pop(0)})" if cards else "enough")

    return engine.begin(state, decide)


def _opening(
    engine: Judge, state: State, asked: OpeningQuestion, seen: Seen, lang: Lang
) -> list[str]:
    """Where what comes of an opening is not what was expected."""
    try:
        outcome = begun(engine, state, asked)
    except (ChoiceError, LimitError) as error:
        return [f"opening: {told(error.args[0], lang)}"]
    seen.outcome(outcome)
    gaps = differences(asked.comes, whole(outcome.state))
    return [f"opening: {_difference(gap, lang)}" for gap in gaps]


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
