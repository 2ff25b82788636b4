"""The engine asked about many positions at once, as a caller would: judge_many and resolve_many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from pyengine.model import PyengineError, State
from tests.model.compare import EngineReferee, Judged, reasons_of, sampled
from tests.model.game import carries_out
from tests.model.positions import Document


class Heard:
    """A referee on one position: what the engine said of it beside others.

    What it was not asked there, it is asked now.
    """

    def __init__(self, document: Document, alone: EngineReferee) -> None:
        self.document, self._alone = document, alone
        self.state: State | None = None
        self.fault: PyengineError | None = None
        self.judged: Judged | None = None
        self.ends: dict[str, list[State]] = {}
        self.compared = 0  # declarations whose outcomes were asked for
        try:
            self.state = alone.read(document)
        except PyengineError as fault:
            self.fault = fault

    def read(self, document: Document) -> State:
        """The state of a document."""
        if document is not self.document:
            return self._alone.read(document)
        if self.state is None:
            assert self.fault is not None
            raise self.fault
        return self.state

    def judge(self, state: State) -> Judged:
        """Every candidate with its verdict and (rule, by) reasons."""
        known = self.judged if state is self.state else None
        return self._alone.judge(state) if known is None else known

    def outcomes(self, state: State, action: str) -> list[State]:
        """Every state that a legal action can lead to."""
        self.compared += 1
        if state is self.state and action in self.ends:
            return self.ends[action]
        return self._alone.outcomes(state, action)

    def legal(self) -> Iterator[str]:
        """The legal actions whose outcomes the model can be asked for, too."""
        for action in sampled([text for text, (legal, _) in (self.judged or {}).items() if legal]):
            if self.state is not None and carries_out(self.state, action):
                yield action


def heard(
    documents: Iterable[Document], alone: EngineReferee, resolve: bool = True, width: int = 64
) -> Iterator[Heard]:
    """What the engine says of each position, in order.

    Args:
        documents: the positions, taken as they are needed.
        alone: the engine; what it refuses beside others it is asked again alone.
        resolve: also ask for the outcomes of what is legal.
        width: so many positions are asked about together.
    """
    waiting, engine = iter(documents), alone.engine
    while some := [Heard(document, alone) for document in islice(waiting, width)]:
        states = {each: each.state for each in some if each.state is not None}
        judged = engine.judge_many(states.values())
        for each, found in zip(states, judged, strict=True):
            if not isinstance(found, PyengineError):
                each.judged = {str(verdict.action): reasons_of(verdict) for verdict in found}
        if resolve:
            asked = [(each, action) for each in states for action in each.legal()]
            answers = engine.resolve_many((states[each], action) for each, action in asked)
            for (each, action), ends in zip(asked, answers, strict=True):
                if not isinstance(ends, PyengineError):
                    each.ends[action] = [outcome.state for outcome in ends]
        yield from some
