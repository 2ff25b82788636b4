"""The engine: what is legal, why, and what comes of it. Keep one; it keeps the parsed rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyengine import facts, queue
from pyengine.model import (
    Action,
    ActionError,
    Defeat,
    Explanation,
    IllegalAction,
    Node,
    Outcome,
    Reason,
    State,
    StateError,
    Verdict,
)
from pyengine.solving import LEGAL, Answer, program, solve


class Engine:
    """Judges positions of every edition.

    Safe to share between threads (each question has a control of its own) and to use after fork.
    """

    def legal_actions(self, state: State) -> list[Action]:
        """The legal declarations of the player who must decide, sorted by text."""
        if state.result is not None:
            return []
        text = f"{facts.state_facts(state)}\n{_judged(state)}"
        answer = solve(_rules(state), text, shown=("legal/1",))[0]
        return sorted((facts.action_of(row[0]) for row in answer["legal"]), key=str)

    def judge(self, state: State) -> list[Verdict]:
        """The verdict on every candidate (CONTRACT 2), sorted by action text."""
        if state.result is not None:
            return []
        answers = solve(_rules(state), f"{facts.state_facts(state)}\n{_judged(state)}")
        verdicts = _verdicts(answers[0])
        return [verdicts[text] for text in sorted(verdicts)]

    def verdict(self, state: State, action: Action | str) -> Verdict:
        """The verdict on one declaration, candidate or not.

        Raises:
            ActionError: the action is no action, or names no card of the state.
        """
        act = _action(state, action)
        answers = solve(
            _rules(state), f"{facts.state_facts(state)}\n{_judged(state)}\n{_asked(state, act)}"
        )
        return _verdicts(answers[0])[str(act)]

    def why(self, state: State, action: Action | str) -> Explanation:
        """The verdict with the tree of norms and facts that it rests on."""
        act = _action(state, action)
        asked = f"{_judged(state)}\n{_asked(state, act)}\nexplained."
        answer = solve(_rules(state), f"{facts.state_facts(state)}\n{asked}")[0]
        verdict = _verdicts(answer)[str(act)]
        grounds: dict[tuple[str, str | None], set[str]] = {}
        for action_, rule, by, fact in answer["grounds"]:
            if facts.action_of(action_) == act:
                grounds.setdefault((rule.string, _by(by)), set()).add(facts.fact_text(fact))
        tree = tuple(
            Node(
                reason.rule,
                reason.by,
                reason.ability or "",
                (
                    *(Node(d.rule, d.by, d.principle) for d in reason.defeats),
                    *(Node("", None, text) for text in sorted(grounds.get(_norm(reason), ()))),
                ),
            )
            for reason in verdict.because
        )
        return Explanation(verdict, tree)

    def resolve(self, state: State, action: Action | str) -> list[Outcome]:
        """Every outcome of a declaration, in a fixed order.

        Raises:
            IllegalAction: it may not be declared; carries the verdict.
            ActionError: it is no action, or names no card of the state.
            LimitError: there are too many outcomes.
        """
        act = _action(state, action)
        term = facts.action_term(act, state)
        rules = _rules(state)
        start = queue.Course(state, (f"declare({term})",))
        answers, first = queue.branches(rules, start, f"{_judged(state)}\nasked({term}).", LEGAL)
        if not any(facts.action_of(row[0]) == act for row in answers[0]["legal"]):
            raise IllegalAction(self.verdict(state, act))
        return queue.outcomes(rules, first)


def _rules(state: State) -> Any:
    return program(f"rules/editions/{state.edition}.lp")


def _judged(state: State) -> str:
    return f"judged({facts.name(state.active)})."


def _asked(state: State, action: Action) -> str:
    return f"asked({facts.action_term(action, state)})."


def _action(state: State, action: Action | str) -> Action:
    act = Action.parse(action) if isinstance(action, str) else action
    known = {card.id for card in state.cards}
    unknown = [arg for arg in act.args if isinstance(arg, str) and arg not in known]
    if unknown:
        from difflib import get_close_matches

        faults = []
        for arg in unknown:
            near = get_close_matches(arg, sorted(known), 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            faults.append(f"action: '{arg}' is no card of this state{hint}")
        raise ActionError(faults)
    return act


def _verdicts(answer: Answer) -> dict[str, Verdict]:
    """Verdicts by action text."""
    legal = {str(row[0]) for row in answer["legal"]}
    lost: dict[tuple[str, str, str], list[Defeat]] = {}
    for action, rule, by, rule2, by2, principle in answer["defeats"]:
        key = (str(action), rule.string, str(by))
        lost.setdefault(key, []).append(Defeat(rule2.string, _by(by2), principle.string))
    because: dict[str, list[Reason]] = {}
    for action, rule, by, ability in answer["because"]:
        key = (str(action), rule.string, str(by))
        text = facts.decode(str(ability))
        because.setdefault(str(action), []).append(
            Reason(
                rule.string,
                _by(by),
                None if text == "rulebook" else text,
                tuple(sorted(lost.get(key, ()), key=_order)),
            )
        )
    # A declaration that lets choose among effects may stand for several: it is legal if one is.
    found: dict[Action, dict[bool, set[Reason]]] = {}
    for (symbol,) in answer["action"]:
        text = str(symbol)
        sides = found.setdefault(facts.action_of(symbol), {})
        sides.setdefault(text in legal, set()).update(because.get(text, ()))
    return {
        str(act): Verdict(act, True in sides, tuple(sorted(sides[True in sides], key=_order)))
        for act, sides in found.items()
    }


def _order(norm: Reason | Defeat) -> tuple[str, ...]:
    if isinstance(norm, Reason):
        return (norm.rule, norm.by or "", norm.ability or "")
    return (norm.rule, norm.by or "", norm.principle)


def _norm(reason: Reason) -> tuple[str, str | None]:
    return reason.rule, reason.by


def _by(symbol: Any) -> str | None:
    text = str(symbol)
    return None if text == "null" else facts.unname(text)


__all__: Sequence[str] = ["Engine", "StateError"]
