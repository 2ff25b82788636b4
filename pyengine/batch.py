"""Many positions, those that need clingo in one grounding: the rules are paid for once.

Every predicate of the rules hangs on a card, a player or an effect, so positions whose names
differ do not touch: the facts of a batch are the facts of its positions under other names, and
each verdict says by its names where it belongs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar

from pyengine import facts
from pyengine.collecting import seldom_collected
from pyengine.limits import Limits, sound, using
from pyengine.model import Action, Defeat, PyengineError, Reason, State, StateError, Verdict
from pyengine.questions import Block, Position, Question, asked_of, block
from pyengine.solving import JUDGED, Answer, may_be_large, program, solve, unaided

Verdicts = list[Verdict]
T = TypeVar("T")
_FIRST: Callable[[str], re.Match[str]] = re.compile(r"\w+\((\w+)").match  # type: ignore[assignment]

_CALLED = re.compile(r"\b(card|holds)\(([^,()]+)")

# how many cards in play share a grounding: more only hold more memory (docs/performance.md)
_SHARING = 1100


class _Names:
    """New names for the cards and players of the positions of a batch, and the way back."""

    def __init__(self) -> None:
        self.owners: dict[str, tuple[int, str]] = {}  # new name: position, old name
        self.texts: dict[str, str] = {}  # an ability with new names in it: with the old ones
        self.effects = 1

    def renamed(self, number: int, state: State) -> tuple[State, int]:
        """The position under new names, and the number of its first effect."""
        ids = [*(id for id, _ in state.players), *(card.id for card in state.cards)]
        new = {id: f"q{number}_{place}" for place, id in enumerate(ids)}
        for id, text in new.items():
            self.owners[text] = (number, id)
        first = self.effects
        self.effects += len(state.effects)
        pending = state.pending
        if pending is not None:
            defender = None if pending.defender is None else new[pending.defender]
            pending = replace(
                pending, attacker=new[pending.attacker], target=new[pending.target],
                defender=defender,
            )  # fmt: skip
        return replace(
            state,
            active=new[state.active],
            players=tuple((new[id], player) for id, player in state.players),
            cards=tuple(
                replace(
                    card, id=new[card.id], owner=new[card.owner],
                    controller=new[card.controller], name=card.name or card.id,
                    abilities=tuple(self.text(ability, new) for ability in card.abilities),
                    spent=tuple((self.text(key, new), n) for key, n in card.spent),
                )
                for card in state.cards
            ),
            effects=tuple(
                replace(
                    effect, card=new[effect.card], controller=new[effect.controller],
                    ability=self.text(effect.ability, new),
                    source=None if effect.source is None else new[effect.source],
                )
                for effect in state.effects
            ),
            pending=pending,
        ), first  # fmt: skip

    def text(self, ability: str, new: dict[str, str]) -> str:
        """An ability with the new names of the cards that it names."""
        out = facts.renamed(ability, new)
        if out != ability:
            self.texts[out] = ability
        return out

    def action(self, text: str) -> tuple[int, Action]:
        """The position of a declaration of a batch, and what it is called there."""
        act = facts.action_named(text)
        owners = self.owners
        number, _ = owners[_FIRST(text).group(1)]  # who passes or ends the turn is told, too
        args = tuple([owners[arg][1] if isinstance(arg, str) else arg for arg in act.args])
        return number, Action(act.verb, args)

    def card(self, text: str) -> str | None:
        """The old name of a card; None where the rules have none."""
        return None if text == "null" else self.owners[text][1]


def judge_together(
    states: Sequence[State],
    rules: Path | None = None,
    asked: Sequence[Sequence[Action]] = (),
    functions: bool = False,
) -> list[Verdicts]:
    """The verdicts on every candidate of each position, which are all of one edition.

    Args:
        states: the positions.
        rules: somebody's chapters, see ``Engine``.
        asked: declarations of each position that are judged beside its candidates.
        functions: see ``Engine``.
    """
    names = _Names()
    blocks: list[Block] = []
    judged = ""
    large = False
    out: list[Verdicts] = [[] for _ in states]
    chapters = program(f"rules/editions/{states[0].edition}.lp", rules, functions)
    for number, state in enumerate(states):
        if state.result is None:
            _all_there(state)
            own = f"judged({facts.name(state.active)})."
            for act in asked[number] if asked else ():
                own += f"asked({facts.action_term(act, state)})."
            answers = unaided(chapters, asked_of(state, own), JUDGED)
            if answers:
                found = verdicts(answers[0], alone, card_of)
                out[number] = [verdict for _, verdict in found]
                continue
            other, first = names.renamed(number, state)
            unasked = asked_of(other, "", first)
            blocks.extend(unasked.position.blocks)
            large |= may_be_large(unasked)  # positions do not touch: many small ones are none large
            judged += f"judged({facts.name(other.active)})."
            new = {old.id: card.id for old, card in zip(state.cards, other.cards, strict=True)}
            for act in asked[number] if asked else ():
                args = tuple(new[arg] if isinstance(arg, str) else arg for arg in act.args)
                judged += f"asked({facts.action_term(Action(act.verb, args), other)})."
    if blocks:
        question = Question(Position(tuple(blocks)), block(judged))
        (answer,) = solve(chapters, question, shown=JUDGED, large=large)
        for number, verdict in verdicts(answer, names.action, names.card, names.texts):
            out[number].append(verdict)
    for said in out:
        said.sort(key=_spelt)
    return out


def _spelt(verdict: Verdict) -> str:
    return verdict.action.text


def _all_there(state: State) -> None:
    """KeyError: the position names somebody who is not in it."""
    said = [state.active]
    for card in state.cards:
        said += (card.owner, card.controller)
    for effect in state.effects:
        said += (effect.card, effect.controller, effect.source or effect.card)
    pending = state.pending
    if pending is not None:
        said += (pending.attacker, pending.target, pending.defender or pending.target)
    ids = {id for id, _ in state.players} | {card.id for card in state.cards}
    for id in said:
        if id not in ids:
            raise KeyError(id)


def card_of(text: str) -> str | None:
    """The id of a card; None where the rules have none."""
    return None if text == "null" else facts.unname(text)


def alone(text: str) -> tuple[int, Action]:
    """A declaration of the only position that was asked about."""
    return 0, facts.action_named(text)


def verdicts(
    answer: Answer,
    action: Callable[[str], tuple[int, Action]],
    card: Callable[[str], str | None],
    texts: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[tuple[int, Verdict]]:
    """The verdicts of an answer, each with the position that it belongs to.

    A declaration that lets choose among effects may stand for several: it is legal if one is.
    """
    legal = {name for (name,) in answer.texts("legal")}
    lost: dict[tuple[str, ...], list[Defeat]] = {}
    for said in answer.texts("defeats"):
        lost.setdefault(said[:3], []).append(_defeat(said[3:], card))
    amiss: dict[tuple[str, str], list[str]] = {}
    for name, rule, what in answer.texts("wrong"):
        amiss.setdefault((name, rule), []).append(_amiss(what, card))
    because: dict[str, list[Reason]] = {}
    met: dict[tuple[str, ...], Reason] = {}
    for said in answer.texts("because"):
        name, rule, by, ability = said
        defeats = lost.get(said[:3], ()) if lost else ()
        wrong = tuple(amiss.get((name, rule), ())) if ability == "rulebook" else ()
        reason = None if defeats or wrong else met.get(said[1:])
        if reason is None:
            text = facts.decode(ability)
            reason = Reason(
                rule[1:-1],
                card(by),
                None if ability == "rulebook" else texts.get(text, text),
                tuple(sorted(defeats, key=_order)) if len(defeats) > 1 else tuple(defeats),
                wrong,
            )
            if not defeats and not wrong:
                met[said[1:]] = reason
        because.setdefault(name, []).append(reason)
    found: dict[tuple[int, str], tuple[Action, dict[bool, list[Reason]]]] = {}
    for (name,) in answer.texts("action"):
        number, told = action(name)
        _, sides = found.setdefault((number, told.text), (told, {}))
        sides.setdefault(name in legal, []).extend(because.get(name, ()))
    for (number, _), (told, sides) in found.items():
        reasons = sides[True in sides]
        if len(reasons) > 1:
            reasons = sorted(dict.fromkeys(reasons), key=_order)
        yield number, Verdict(told, True in sides, tuple(reasons))


def _amiss(what: str, card: Callable[[str], str | None]) -> str:
    """What is wrong with a declaration as a reader meets it, cards in it by their ids."""

    def called(match: re.Match[str]) -> str:
        try:
            return f"{match[1]}({card(match[2])}"
        except KeyError:
            return match[0]  # a word of the language

    return _CALLED.sub(called, facts.readable(facts.plain(what))) if "(" in what else what


def _defeat(norm: Sequence[str], card: Callable[[str], str | None]) -> Defeat:
    rule, by, principle = norm
    return Defeat(rule[1:-1], card(by), principle[1:-1])


def _order(norm: Reason | Defeat) -> tuple[str, ...]:
    if isinstance(norm, Reason):
        return (norm.rule, norm.by or "", norm.ability or "")
    return (norm.rule, norm.by or "", norm.principle)


_LEAST = 4  # positions: a grounding has its price


def judge_batch(
    states: Sequence[State],
    rules: Path | None = None,
    limits: Limits | None = None,
    functions: bool = False,
) -> list[Verdicts | PyengineError]:
    """The verdicts on every candidate of each position; in place of a bad one its error.

    The limits are those of a batch, and of each position alone where the batch is too large.
    """
    with using(limits), seldom_collected():
        return _judged(states, rules, functions)


def _judged(
    states: Sequence[State], rules: Path | None, functions: bool
) -> list[Verdicts | PyengineError]:
    out: list[Verdicts | PyengineError] = [[] for _ in states]
    good: list[int] = []
    for place, state in enumerate(states):
        try:
            sound(state)
        except StateError as error:
            out[place] = error
        else:
            good.append(place)
    for group in _groups([states[place] for place in good]):
        places = [good[place] for place in group]
        try:
            found: Sequence[Verdicts | PyengineError]
            some = [states[place] for place in places]
            found = judge_together(some, rules, functions=functions)
        except Exception:
            if len(places) == 1:
                found = [_failing(states[places[0]], rules, functions)]
            else:  # one of them is bad: each alone
                found = [each for p in places for each in _judged([states[p]], rules, functions)]
        for place, each in zip(places, found, strict=True):
            out[place] = each
    return out


def _groups(states: Sequence[State]) -> Iterator[list[int]]:
    """The places of those that share a grounding: of one edition, and not too many large tables."""
    open: dict[str, tuple[list[int], int]] = {}
    for place, state in enumerate(states):
        cards = sum(card.zone == "play" for card in state.cards)
        group, held = open.get(state.edition, ([], 0))
        if group and held + cards > _SHARING:
            yield group
            group, held = [], 0
        group.append(place)
        open[state.edition] = group, held + cards
    for group, _ in open.values():
        yield group


def _failing(state: State, rules: Path | None, functions: bool) -> Verdicts | PyengineError:
    try:
        return judge_together([state], rules, functions=functions)[0]
    except PyengineError as error:
        return error
    except Exception as error:
        return failure(error)


def failure(error: Exception) -> PyengineError:
    """What stands in the place of an answer that could not be given."""
    fault = PyengineError(f"{type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault


def judge_to_send(
    states: Sequence[State],
    rules: Path | None = None,
    limits: Limits | None = None,
    functions: bool = False,
) -> list[Verdicts | PyengineError]:
    """As ``judge_batch``, for another process: reasons that are equal are one, and sent once."""
    met: dict[tuple[Reason, tuple[str, ...]], Reason] = {}
    out: list[Verdicts | PyengineError] = []
    for found in judge_batch(states, rules, limits, functions):
        if not isinstance(found, PyengineError):
            found = [
                replace(each, because=tuple(met.setdefault((r, r.amiss), r) for r in each.because))
                for each in found
            ]
        out.append(found)
    return out


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items, so many at a time; no more of them are held."""
    source = iter(items)
    while chunk := list(islice(source, size)):
        yield chunk


def shares(items: Iterable[T], size: int, workers: int) -> Iterator[list[T]]:
    """The items, so many at a time, for several workers: fewer and fewer of the last ones.

    So none is left alone with many while the others have nothing to do. As many as they have at a
    time are held.
    """
    source, held = iter(items), list[T]()
    while True:
        held += islice(source, workers * size + 1 - len(held))
        if len(held) <= workers * size:
            break
        yield held[:size]
        del held[:size]
    while held:
        some = min(size, max(_LEAST, -(-len(held) // (2 * workers))))
        yield held[:some]
        del held[:some]
