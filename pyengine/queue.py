"""Carries a declaration through to the next decision: one solve a step.

What a step does is in the rules. This file only shuttles: it hands the rules one item with the
position, applies the changes they derive, remembers what they ask to be remembered, and follows
every answer set, since each is one way the step can go. See ``rules/vocabulary.lp``, "Out: a step".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import clingo

from pyengine import facts
from pyengine.model import Card, Choice, Effect, LimitError, Outcome, Pending, State, Step
from pyengine.solving import Answer, Row, solve

Trigger = tuple[str, str, str]  # key, player, item


@dataclass(frozen=True, slots=True)
class Course:
    """A position in the middle of things: what is still to be done, and what waits in the Queue."""

    state: State
    agenda: tuple[str, ...] = ()
    fresh: tuple[Trigger, ...] = ()
    moments: tuple[tuple[Trigger, ...], ...] = ()
    later: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    halted: bool = False

    @property
    def done(self) -> bool:
        """Nothing is left to do: a player must decide, or the game is over."""
        return self.halted or self.state.result is not None


@dataclass(frozen=True, slots=True)
class Branch:
    """One way a step can go. ``chance``: in how many ways, where chance and no player decides."""

    course: Course
    choices: tuple[Choice, ...]
    steps: tuple[Step, ...]
    chance: int = 0


def question(course: Course) -> tuple[Course, str]:
    """The item that comes next as facts, and the course without it."""
    noted: tuple[Trigger, ...] = ()
    if course.agenda:
        item, course = course.agenda[0], replace(course, agenda=course.agenda[1:])
    elif course.fresh or course.moments:
        item, noted = "idle", course.moments[0] if course.moments else course.fresh
    elif course.later:
        item, course = course.later[0], replace(course, later=course.later[1:])
    else:
        item = "idle"
    lines = [f"now(0,{item}).about(0,{facts.name(course.state.active)})."]
    lines.extend(f"noted(0,{k},{player},{text})." for k, (_, player, text) in enumerate(noted))
    lines.extend(f"kept(0,{text})." for text in course.kept)
    return course, "\n".join(lines)


def branches(rules: Any, course: Course, extra: str = "") -> tuple[list[Answer], list[Branch]]:
    """Every way the next step of a course can go."""
    idle = not course.agenda and not course.fresh and not course.moments and not course.later
    rest, asked = question(course)
    answers = solve(rules, f"{facts.state_facts(course.state)}\n{asked}\n{extra}")
    out = []
    for answer in answers:
        branch = follow(rest, answer)
        if idle and not answer["settles"]:
            branch = replace(branch, course=replace(branch.course, halted=True))
        out.append(branch)
    return answers, out


def follow(course: Course, answer: Answer) -> Branch:
    """The course after a step, as one answer set has it."""
    state = changed(course.state, answer)
    notes = tuple(sorted((str(k), str(p), str(item)) for _, k, p, item in answer["notes"]))
    fresh, moments = course.fresh, course.moments
    if answer["settles"]:
        fresh = tuple(sorted((*fresh, *notes)))
    else:
        if fresh:
            moments = (*moments, fresh)
        for _, place in answer["serving"]:
            left = list(moments[0])
            del left[place.number]
            moments = (tuple(left), *moments[1:]) if left else moments[1:]
        fresh = notes
    agenda = [str(item) for _, item in sorted((k.number, str(x)) for _, k, x in answer["next"])]
    later = [str(item) for _, item in sorted((k.number, str(x)) for _, k, x in answer["later"])]
    after = Course(
        state,
        (*agenda, *course.agenda),
        fresh,
        moments,
        (*later, *course.later),
        tuple(sorted(str(x) for _, x in answer["keeps"])),
        bool(answer["halts"]),
    )
    chance = 0
    choices = []
    for _, picked in answer["picks"]:
        options = [row for row in answer["option"] if row[1] == _player_of(answer, picked)]
        texts = tuple(shown(course, row[3]) for row in options)
        player = options[0][1]
        choices.append(
            Choice(facts.unname(str(player)), options[0][2].string, texts, shown(course, picked))
        )
    return Branch(after, tuple(choices), tuple(steps(answer)), chance)


def _player_of(answer: Answer, picked: clingo.Symbol) -> clingo.Symbol:
    return next(row[1] for row in answer["option"] if row[3] == picked)


def steps(answer: Answer) -> Iterator[Step]:
    """The trace of one step, in the order that the rules give."""
    rows = sorted((row[1].number, str(row[2]), *map(str, row[3:])) for row in answer["step"])
    for _, kind, rule, by, what, value in rows:
        yield Step(
            kind,
            rule.strip('"'),
            None if by == "null" else facts.unname(by),
            facts.plain(what),
            int(value),
        )


def shown(course: Course, option: clingo.Symbol) -> str:
    """An option as a reader meets it: abilities by their text, triggers by their card."""
    head, args = option.name, option.arguments
    if head in ("apply", "use"):
        card, origin = args[0], args[1]
        texts = [facts.unname(str(card)), ability_at(course.state, card, origin)]
        texts += [facts.unname(str(arg)) for arg in args[2:]]
        return f"{head}({','.join(texts)})"
    if head == "trigger":
        noted = course.moments[0] if course.moments else course.fresh
        return facts.trigger_text(noted[args[0].number][2])
    return facts.plain(str(option))


def ability_at(state: State, card: clingo.Symbol, origin: clingo.Symbol) -> str:
    """The text of the ability with that origin on that card."""
    if origin.name == "printed":
        return state.card(facts.unname(str(card))).abilities[origin.arguments[0].number - 1]
    if origin.name == "laid":
        return state.effects[origin.arguments[0].number - 1].ability
    if origin.name == "granted":
        return ability_at(state, *origin.arguments)
    return ability_at(state, card, origin.arguments[0])


# --- applying what a step derived ------------------------------------------------------------

_MARKS = {"closed", "acted", "defended", "hidden"}
_NUMBERS = {"wounds", "extra_life", "entered", "since", "moved", "chips", "arrived"}


def changed(state: State, answer: Answer) -> State:
    """The position with every change of one answer set."""
    cards: dict[str, dict[str, Any]] = {}
    players: dict[str, dict[str, Any]] = {}
    game: dict[str, Any] = {}
    counts: dict[int, int] = {}
    spent: dict[str, dict[str, int]] = {}
    for _, what, mark, value in answer["becomes"]:
        head, attribute = what.name, mark.name
        if head == "game" and not what.arguments:
            game[attribute] = value
        elif head == "effect" and what.arguments:
            counts[what.arguments[0].number] = value.number
        elif head == "spent" and what.arguments:
            card, ability, rank = what.arguments
            key = facts.decode(str(ability)) + (f"#{rank.number}" if rank.number > 1 else "")
            spent.setdefault(facts.unname(str(card)), {})[key] = value.number
        else:
            id = facts.unname(str(what))
            if attribute in ("coins", "coins_total", "missed"):
                players.setdefault(id, {})[attribute] = value.number
            elif attribute == "deck_order":
                players.setdefault(id, {})[attribute] = value.name
            else:
                cards.setdefault(id, {})[attribute] = _value(attribute, value)
    ended = {row[1].number for row in answer["ends"]}
    cleared = {facts.unname(str(row[1])) for row in answer["clears"]}
    deck = state.cards
    if cards or spent or cleared:
        deck = tuple(
            _card(card, cards.get(card.id), spent.get(card.id), card.id in cleared)
            for card in state.cards
        )
    for _, id, kind, player in answer["creates"]:
        deck = (*deck, facts.created(state, facts.unname(str(kind)), *map(_text, (id, player))))
    for id, marks in players.items():
        if marks.get("deck_order") == "unknown":
            deck = facts.shuffled(deck, id)
    return replace(
        state,
        cards=deck,
        players=tuple((id, replace(p, **players.get(id, {}))) for id, p in state.players),
        effects=_effects(state, ended, counts, answer["lays"]),
        **_game(state, game),
    )


def _text(symbol: clingo.Symbol) -> str:
    return facts.unname(str(symbol))


def _value(attribute: str, value: clingo.Symbol) -> Any:
    if attribute in _MARKS:
        return value.name == "true"
    if attribute in _NUMBERS:
        return value.number
    return facts.unname(str(value))


def _card(
    card: Card, marks: dict[str, Any] | None, spent: dict[str, int] | None, clear: bool
) -> Card:
    if clear:
        zone = (marks or {}).get("zone", card.zone)
        return facts.bare(card, zone)
    if marks:
        card = replace(card, **marks)
    if spent:
        left = dict(card.spent) | spent
        card = replace(card, spent=tuple(sorted((k, n) for k, n in left.items() if n)))
    return card


def _effects(
    state: State, ended: set[int], counts: dict[int, int], laid: list[Row]
) -> tuple[Effect, ...]:
    if not (ended or counts or laid):
        return state.effects
    out = []
    for number, effect in enumerate(state.effects, start=1):
        if number not in ended:
            if number in counts:
                effect = replace(effect, spent=counts[number])
            out.append(effect)
    moment = facts.next_moment(state)
    for place, row in enumerate(sorted(laid, key=lambda row: str(row[1]))):
        _, _, card, ability, source, player, until = row
        out.append(
            Effect(
                facts.unname(str(card)),
                facts.decode(str(ability)),
                facts.unname(str(player)),
                moment + place,
                None if str(source) == "null" else facts.unname(str(source)),
                0,
                until.number if until.type is clingo.SymbolType.Number else until.name,
            )
        )
    return tuple(out)


def _game(state: State, marks: dict[str, clingo.Symbol]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for mark, value in marks.items():
        if mark == "turn":
            out["turn"] = value.number
        elif mark == "pending":
            if value.name == "pair":
                attacker, target = (facts.unname(str(x)) for x in value.arguments)
                out["pending"] = Pending(attacker, target)
            else:
                out["pending"] = None
        elif mark == "defender":
            assert state.pending is not None
            out["pending"] = replace(state.pending, defender=facts.unname(str(value)))
        else:
            out[mark] = facts.unname(str(value))
    return out


# --- all outcomes ------------------------------------------------------------------------------

MAX_OUTCOMES = 10_000
MAX_STEPS = 50_000


def outcomes(rules: Any, first: list[Branch], limit: int = MAX_OUTCOMES) -> list[Outcome]:
    """Every outcome, each resulting position once, with the choices that come first.

    Positions that are reached in two ways are followed once. A course that comes back to itself
    is cut before its first repetition.
    """
    found: dict[State, Outcome] = {}
    seen: set[Course] = set()
    stack: list[tuple[Course, tuple[Choice, ...], tuple[Step, ...]]] = [
        (b.course, b.choices, b.steps) for b in reversed(first)
    ]
    count = 0
    while stack:
        course, choices, trace = stack.pop()
        if course.done:
            final = course.state
            if final.result is not None:
                final = replace(final, pending=None)
            if final not in found:
                found[final] = Outcome(final, choices, trace)
                if len(found) > limit:
                    raise LimitError(f"more than {limit} outcomes: raise the limit or ask less")
            continue
        if course in seen:
            continue
        seen.add(course)
        count += 1
        if count > MAX_STEPS:
            raise LimitError(f"more than {MAX_STEPS} steps lead on from this declaration")
        _, ways = branches(rules, course)
        for branch in reversed(ways):
            stack.append((branch.course, choices + branch.choices, trace + branch.steps))
    return list(found.values())
