"""The engine asked about many positions at once: one grounding for a step of each of them.

A grounding has its price however little is asked in it, so many positions share one. They do not
touch there: all names of a position bear its mark (``pyengine.vector``). Each position is asked
for its verdicts first, then for the outcomes of one legal declaration after the other, one step a
grounding; when some are through, others take their places. Whatever goes wrong is left to the
engine asked about that position alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from pyengine import facts, queue
from pyengine.batch import verdicts
from pyengine.limits import Limits, using
from pyengine.model import Action, PyengineError, State
from pyengine.questions import Question, asked_of
from pyengine.slicing import Rounding
from pyengine.solving import JUDGED, Answer, Program, chapters, statements
from pyengine.together import together
from pyengine.vector import mark_of, marked, owner_of, unmarked, with_mark
from tests.model.compare import EngineReferee, Judged, reasons_of, sampled
from tests.model.game import carries_out
from tests.model.positions import Document

_TOLD = frozenset({"step/7"})  # what the trace says, which is not compared
_STEPS = 5000  # of one declaration
_FEW = 4
_WIDE = 2000


class Heard:
    """A referee on one position: what the engine said of it beside others.

    What it was not asked there, and a position that could not be asked so, it is asked now.
    """

    def __init__(self, document: Document, alone: EngineReferee) -> None:
        self.document = document
        self._alone = alone
        self.state: State | None = None
        self.fault: PyengineError | None = None
        self.judged: Judged | None = None
        self.ends: dict[str, list[State]] = {}
        self.compared = 0  # declarations whose outcomes were asked for
        try:
            self.state = self._alone.read(document)
        except PyengineError as fault:
            self.fault = fault

    def read(self, document: Document) -> State:
        """The state of a document."""
        if document is not self.document:
            return self._alone.read(document)
        if self.fault is not None:
            raise self.fault
        assert self.state is not None
        return self.state

    def judge(self, state: State) -> Judged:
        """Every candidate with its verdict and (rule, by) reasons."""
        if state is self.state and self.judged is not None:
            return self.judged
        return self._alone.judge(state)

    def outcomes(self, state: State, action: str) -> list[State]:
        """Every state that a legal action can lead to."""
        self.compared += 1
        if state is self.state and action in self.ends:
            return self.ends[action]
        return self._alone.outcomes(state, action)

    def forget(self) -> None:
        """What was heard beside others does not count."""
        self.judged = None
        self.ends.clear()


class _Lane:
    """A place in the groundings, and the position that has it."""

    def __init__(self, number: int) -> None:
        self.number, self.mark = number, mark_of(number)
        self.declared = ""  # what is asked beside the first step

    def enter(self, heard: Heard) -> None:
        """Another position takes the place."""
        assert heard.state is not None
        self.heard, state = heard, heard.state
        self.names = {card.id: card.name for card in state.cards}
        named = [replace(card, name=card.name or card.id) for card in state.cards]
        self.state = marked(replace(state, cards=tuple(named)), self.mark)
        self.actions: list[str] = []
        self.courses: list[queue.Course] = []

    def question(self) -> Question:
        """What is asked next: the verdicts, or a step."""
        if self.heard.judged is None:
            asked = f"judged({facts.name(self.state.active)})."
            return asked_of(self.state, asked, mark=self.mark)
        self.course = course = self.courses.pop()
        self.seen.add(course)
        self.rest, asked = queue.question(course, self.number)
        asked, self.declared = asked + self.declared, ""
        return asked_of(course.state, asked, mark=self.mark, gone=course.gone)

    def hear(self, answers: list[Answer], resolve: bool) -> bool:
        """Takes in what is said to it; False: there is nothing more to ask."""
        if self.heard.judged is None:
            (answer,) = answers
            found = [verdict for _, verdict in verdicts(answer, self._action, self._card)]
            self.heard.judged = {str(each.action): reasons_of(each) for each in found}
            if resolve:
                legal = sorted(str(each.action) for each in found if each.legal)
                here = self.heard.state
                assert here is not None
                self.actions = [action for action in sampled(legal) if carries_out(here, action)]
        else:
            nothing = queue.idle(self.course)
            for answer in answers:
                course = queue.branch(self.rest, answer, nothing).course
                if course.done:
                    self.found[queue.ending(course)] = None
                else:
                    self.courses.append(course)
            self.courses = [course for course in self.courses if course not in self.seen]
            if len(self.seen) > _STEPS:
                raise RecursionError("too many steps")
            if not self.courses and not self.found:
                raise RecursionError("what comes back to itself has no end")
            if not self.courses:
                self.heard.ends[self.action] = [self._plain(state) for state in self.found]
        return bool(self.courses) or self._declares()

    def _declares(self) -> bool:
        """Goes on with another declaration, if there is one."""
        if not self.actions:
            return False
        self.action = self.actions.pop()
        act = with_mark(Action.parse(self.action), self.mark)
        term = facts.action_term(act, self.state)
        self.declared = f"asked({term})."
        self.courses = [queue.Course(self.state, (f"declare({term})",), mark=self.mark)]
        self.seen: set[queue.Course] = set()
        self.found: dict[State, None] = {}
        return True

    def _plain(self, state: State) -> State:
        """A position as it is called outside."""
        state = unmarked(state, self.mark)
        named = [
            replace(card, name=self.names[card.id]) if card.id in self.names else card
            for card in state.cards
        ]
        return replace(state, cards=tuple(named))

    def _action(self, text: str) -> tuple[int, Action]:
        act = facts.action_named(text)
        args = (self.mark.plain(arg) if isinstance(arg, str) else arg for arg in act.args)
        return self.number, Action(act.verb, tuple(args))

    def _card(self, text: str) -> str | None:
        return None if text == "null" else self.mark.plain(facts.unname(text))


def _program() -> Program:
    """The rules of `heroes`, little cut to what is asked: that would be something else each time."""
    paths = chapters("rules/editions/heroes.lp")
    program = Program(node for path in paths for node in statements(path))
    program._rounded = Rounding(_WIDE)
    return program


def heard(
    documents: Iterable[Document], alone: EngineReferee, resolve: bool = True, lanes: int = 64
) -> Iterator[Heard]:
    """What the engine says of each position, as soon as all of it has been said; in any order.

    Args:
        documents: the positions, taken as they are needed.
        alone: the engine, asked about one position at a time.
        resolve: also ask for the outcomes of what is legal.
        lanes: how many positions share a grounding.
    """
    rules = _program()
    steps = rules.steps - _TOLD
    waiting = iter(documents)
    free = [_Lane(number) for number in range(lanes)]
    busy: list[_Lane] = []
    while True:
        # a few at a time: what enters is judged, which wants rules that steps do not
        if not busy or 4 * len(free) >= lanes:
            for document in islice(waiting, len(free)):
                next_one = Heard(document, alone)
                if next_one.state is None:
                    yield next_one
                else:
                    free[-1].enter(next_one)
                    busy.append(free.pop())
        if len(busy) < _FEW:  # and nobody waits: alone they are faster
            yield from (lane.heard for lane in busy)
            return
        try:
            with using(Limits(seconds=600, rules=10**9)):
                judged = any(lane.heard.judged is None for lane in busy)
                shown = steps | JUDGED if judged else steps
                asked = {lane.number: lane.question() for lane in busy}
                answers: Any = together(rules, asked, shown, owner_of, watched=False)
                more = {lane.number: lane.hear(answers[lane.number], resolve) for lane in busy}
        except Exception:  # one of them is too much, or a finding: it will come up again
            for lane in busy:
                lane.heard.forget()
            more = {}
        for lane in busy:
            if not more.get(lane.number):
                free.append(lane)
                yield lane.heard
        busy = [lane for lane in busy if more.get(lane.number)]
