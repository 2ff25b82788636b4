"""What many declarations come to, followed side by side: one grounding a step for all of them.

In each position the rules cost more than what is in it, and a check or a batch asks of a great
many. They are put together as the games of ``vector`` are: the cards and players of each bear
the mark of its place, and its step has a number of its own. Whoever has come to an end leaves the
place to the next.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import clingo

from pyengine import facts, limits, questions, queue
from pyengine.batch import judge_together
from pyengine.engine import Engine
from pyengine.limits import Limits
from pyengine.model import (
    Action,
    IllegalAction,
    LimitError,
    Outcome,
    PyengineError,
    State,
    Step,
    Verdict,
)
from pyengine.solving import Answer, Program, RulesError
from pyengine.together import together
from pyengine.vector import mark_of, marked, owner_of, unmarked, with_mark

Question = tuple[State, Action]
# a limit: it is reached alone, too; None: the ordinary engine has to tell what comes of it
Ends = list[Outcome] | LimitError | None
# the limits that a declaration reaches by itself, whatever it shares a grounding with; of what has
# no end it is none of them
_OWN = (None, "steps", "outcomes")

# so many are under way, and so many share a grounding
_PLACES, _AT_ONCE = 512, 128
_MARKED = re.compile(r"\bvg(\d+)_").findall
# what tells the items of steps apart that need different rules: the first two words
_HEAD = re.compile(r"[a-z_]*(?:\([a-z_]*)?").findall


class Watching(Protocol):
    """Somebody who looks at the steps on the way."""

    def steps(self, asked: Mapping[int, questions.Question], numbers: Mapping[int, int]) -> None:
        """Steps that share a grounding, and of which declaration each is."""

    def unseen(self, number: int) -> None:
        """A declaration that is followed alone from here on."""


@dataclass
class _Walk:
    """A declaration that is being followed.

    ``extra``: what is asked beside its first step. ``solitary``: it shares no grounding.
    """

    number: int
    course: queue.Course
    extra: str
    solitary: bool = False
    first: list[queue.Branch] | None = None
    going: Generator[queue.Course, list[queue.Branch], queue.Followed] | None = None


def ends_of(
    engine: Engine,
    asked: Sequence[Question],
    most: Limits,
    go_on: Callable[[], None] = lambda: None,
    watching: Watching | None = None,
    noting: Callable[[int, Step], None] = lambda number, step: None,
) -> list[Ends]:
    """What ``resolve`` says of each declaration, in order.

    Args:
        engine: whose rules.
        asked: positions of one edition, each with a declaration that is legal there.
        most: the limits of each.
        go_on: called before each step; what it raises ends the search.
        watching: is shown each step before it is carried out; what it raises ends the search.
        noting: is told the number of a declaration with each line of its trace, whatever comes
            after; of one that is followed alone and has no end it is told nothing.
    """
    out: list[Ends] = [None for _ in asked]
    if not asked:
        return out
    rules = engine.program(asked[0][0].edition)
    # our own rules keep to the position that they speak of: games are played side by side by them
    checked = type(engine) is not Engine or engine.rules is not None
    waiting = iter(enumerate(asked))
    free = list(reversed(range(_PLACES)))
    walks: dict[int, _Walk] = {}
    while True:
        while free and (new := next(waiting, None)) is not None:
            place = free.pop()
            walks[place] = _begun(new[0], *new[1], place)
        if not walks:
            return out
        go_on()
        some = _alike(walks)
        try:
            rests, items = _asked(some)
            if watching is not None:
                watching.steps(items, {place: walk.number for place, walk in some.items()})
            found = _branches(rules, some, rests, items, most, checked)
        except (LimitError, RulesError):
            # one of them is too much for all, or in it something chooses by itself: each alone
            if len(some) > 1:
                for walk in some.values():
                    walk.solitary = True
                continue
            for place, walk in some.items():
                if watching is not None:
                    watching.unseen(walk.number)
                out[walk.number] = alone = _alone(engine, *asked[walk.number], most)
                for step in (each for end in ended(alone) for each in end.trace):
                    noting(walk.number, step)
                del walks[place]
                free.append(place)
            continue
        for place, ways in found.items():
            walk = walks[place]
            for step in (each for way in ways for each in way.steps):
                noting(walk.number, _plain_step(step, walk.course.mark))
            try:
                _step(walk, ways, most)
                continue
            except StopIteration as end:
                out[walk.number] = _gathered(end.value, walk.first or [], walk.course.mark)
            except LimitError as error:
                out[walk.number] = _reached(error)
            del walks[place]
            free.append(place)


def resolved(
    engine: Engine, questions: Sequence[tuple[State, Action | str]]
) -> list[list[Outcome] | PyengineError | None]:
    """What ``resolve`` says of each question; None: it has to be asked about that one alone."""
    out: list[list[Outcome] | PyengineError | None] = [None] * len(questions)
    editions: dict[str, list[tuple[int, State, Action]]] = {}
    for number, question in enumerate(questions):
        ready = _ready(question)
        if ready is not None:
            editions.setdefault(ready[0].edition, []).append((number, *ready))
    for some in editions.values():
        legal = []
        for (number, state, action), verdict in zip(some, _verdicts(engine, some), strict=True):
            if verdict is not None and verdict.legal:
                legal.append((number, state, action))
            elif verdict is not None:
                out[number] = IllegalAction(verdict)
        if not legal:
            continue
        most = engine.limits or limits.in_force()
        found = ends_of(engine, [(_named(state), action) for _, state, action in legal], most)
        for (number, state, _), ends in zip(legal, found, strict=True):
            if isinstance(ends, list):
                out[number] = [_as_named(each, state) for each in ends]
            else:
                out[number] = ends
    return out


def _ready(question: object) -> tuple[State, Action] | None:
    """A position whose names may bear a mark, and a declaration there; None: it is asked alone."""
    if not isinstance(question, tuple) or len(question) != 2:
        return None
    state, action = question
    try:
        act = action if isinstance(action, Action) else Action.parse(action)
        ids = {*(id for id, _ in state.players), *(card.id for card in state.cards)}
        told = all(arg in ids for arg in act.args if isinstance(arg, str))
        plain = all(facts.name(id) == id and not _MARKED(id) for id in ids)
    except (PyengineError, AttributeError, TypeError, ValueError):
        return None
    return (state, act) if told and plain and state.result is None else None


def _verdicts(engine: Engine, asked: Sequence[tuple[int, State, Action]]) -> list[Verdict | None]:
    """The verdict on each declaration; None: it is asked alone."""
    if not asked:
        return []
    try:
        with limits.question(engine.limits):
            said = judge_together(
                [state for _, state, _ in asked], engine.rules, [[act] for *_, act in asked]
            )
    except Exception:  # one of them is bad, or too large: it will be told when it is asked alone
        half = len(asked) // 2
        return (
            [*_verdicts(engine, asked[:half]), *_verdicts(engine, asked[half:])] if half else [None]
        )
    return [
        next((verdict for verdict in each if verdict.action == act), None)
        for each, (*_, act) in zip(said, asked, strict=True)
    ]


def _named(state: State) -> State:
    """The position with the id of a card that has no name for its name, as the rules have it."""
    cards = (
        card if card.name or card.kind else replace(card, name=card.id) for card in state.cards
    )
    return replace(state, cards=tuple(cards))


def _as_named(outcome: Outcome, state: State) -> Outcome:
    """The outcome with the cards called as they were."""
    nameless = {card.id for card in state.cards if not (card.name or card.kind)}
    if not nameless:
        return outcome
    cards = (
        replace(card, name="") if card.id in nameless else card for card in outcome.state.cards
    )
    return replace(outcome, state=replace(outcome.state, cards=tuple(cards)))


def _alike(walks: dict[int, _Walk]) -> dict[int, _Walk]:
    """Those that have the same to do next, as many as there are: they need the same rules."""
    groups: dict[str, dict[int, _Walk]] = {}
    for place, walk in walks.items():
        course = walk.course
        if walk.solitary:
            return {place: walk}
        item = course.agenda[0] if course.agenda else "idle"
        groups.setdefault(_HEAD(item)[0], {})[place] = walk
    most = max(groups.values(), key=len)
    return dict(list(most.items())[:_AT_ONCE])


def _begun(number: int, state: State, action: Action, place: int) -> _Walk:
    mark = mark_of(place)
    there = marked(state, mark)
    term = facts.action_term(with_mark(action, mark), there)
    return _Walk(number, queue.Course(there, (f"declare({term})",), mark=mark), f"asked({term}).")


def _step(walk: _Walk, ways: list[queue.Branch], most: Limits) -> None:
    """Follows one to where it goes on next; StopIteration with all that it came to."""
    if walk.going is None:
        walk.first, walk.extra = ways, ""
        walk.going = queue.following(ways, limits.Budget(most))
        walk.course = next(walk.going)
    else:
        walk.course = walk.going.send(ways)


def _asked(
    walks: dict[int, _Walk],
) -> tuple[dict[int, queue.Course], dict[int, questions.Question]]:
    """Each course without the step that comes next, and what that step asks."""
    rests, asked = {}, {}
    for place, walk in walks.items():
        course = walk.course
        rests[place], text = queue.question(course, place)
        asked[place] = questions.asked_of(
            course.state, text + walk.extra, mark=course.mark, gone=course.gone
        )
    return rests, asked


def _branches(
    rules: Program,
    walks: dict[int, _Walk],
    rests: dict[int, queue.Course],
    asked: dict[int, questions.Question],
    most: Limits,
    checked: bool,
) -> dict[int, list[queue.Branch]]:
    """Every way in which the next step of each can go; ``checked``: nothing in it strays."""
    each = replace(most, seconds=most.seconds * len(walks), rules=most.rules * len(walks))
    with limits.using(each):
        found = together(rules, asked, rules.steps, owner_of, checked=checked)
    for place, answers in found.items() if checked else ():
        if any(_strays(answer, place, walks[place].course) for answer in answers):
            raise RulesError("a step has to do with another position than its own")
    out = {}
    for place, answers in found.items():
        course = walks[place].course
        # in the order that they have where nothing bears a mark
        plain = sorted((each.read(course.mark.plain) for each in answers), key=lambda a: a.key)
        out[place] = [queue.branch(rests[place], each, queue.idle(course)) for each in plain]
    return out


def _strays(answer: Answer, place: int, course: queue.Course) -> bool:
    """Whether a step speaks of what is in another position: an author's rule may not keep to it."""
    if any(found != str(place) for found in _MARKED(" ".join(answer.key))):
        return True
    effects = [row[1].number for row in answer["ends"]]
    effects += [
        row[1].arguments[0].number
        for row in answer["becomes"]
        if row[1].type is clingo.SymbolType.Function and row[1].name == "effect"
    ]
    own = {course.mark.effect(n) for n in range(1, len(course.state.effects) + 1)}
    return not own.issuperset(effects)


def _alone(engine: Engine, state: State, action: Action, most: Limits) -> Ends:
    try:
        with limits.using(most):
            return engine.resolve(state, action)
    except LimitError as error:
        return _reached(error)
    except PyengineError:
        return None


def _reached(error: LimitError) -> Ends:
    """What a limit says of a declaration."""
    return error if error.limit in _OWN else None


def ended(ends: Ends) -> list[Outcome]:
    """The outcomes, if they are known."""
    return ends if isinstance(ends, list) else []


def _gathered(followed: queue.Followed, first: list[queue.Branch], mark: facts.Mark) -> Ends:
    """The outcomes as they are called outside."""
    try:
        found = queue.gathered(followed, first)
    except LimitError as error:
        return _reached(error)
    return [_plain(each, mark) for each in found]


def _plain(outcome: Outcome, mark: facts.Mark) -> Outcome:
    choices = tuple(
        replace(
            choice,
            player=None if choice.player is None else mark.plain(choice.player),
            options=tuple(map(mark.plain, choice.options)),
            chosen=mark.plain(choice.chosen),
        )
        for choice in outcome.choices
    )
    trace = tuple(_plain_step(step, mark) for step in outcome.trace)
    return replace(outcome, state=unmarked(outcome.state, mark), choices=choices, trace=trace)


def _plain_step(step: Step, mark: facts.Mark) -> Step:
    by = None if step.by is None else mark.plain(step.by)
    return replace(step, by=by, what=mark.plain(step.what))
