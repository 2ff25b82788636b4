"""The engine, asked by the whole program or by a mutant, and what it says of a ruling."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from unittest import mock

import clingo

import pyengine.engine
import pyengine.queue
from pyengine import Engine
from pyengine.model import Outcome
from pyengine.questions import Question
from pyengine.solving import Answer
from pyengine.verify import Ruling, run
from tests.answers import Answers
from tests.mutations.changes import Mutant
from tests.mutations.programs import Edition, Runaway, solve, timed

_MODELS = 2_000

Key = tuple[str, str, frozenset[str]]  # the edition's entry, the facts, what is shown
Said = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class View:
    """All that the engine says in the position of a ruling.

    ``verdicts``: by action, whether it is legal, and the rules; ``outcomes``: the positions that come
    of each action and of an opening, what speaks against a deck, what is not seen; ``told``: the answers in full.
    """

    verdicts: Mapping[str, tuple[bool, tuple[str, ...]]]
    outcomes: tuple[str, ...]
    told: tuple[str, ...]

    def sayable(self, other: View) -> list[str]:
        """What a ruling could say that differs.

        It cannot say which actions are candidates, what permits a legal one, nor that no other rules
        than its own forbid an illegal one.
        """
        out = []
        for action in sorted(self.verdicts.keys() & other.verdicts.keys()):
            (legal, rules), (now, found) = self.verdicts[action], other.verdicts[action]
            if legal != now or (not legal and not set(rules) <= set(found)):
                out.append(action)
        return out + ["outcomes"] * (self.outcomes != other.outcomes)

    def rest(self, other: View) -> str:
        """Where the full answers differ first, as the two lines; else empty."""
        lines = zip_longest(self.told, other.told, fillvalue="nothing")
        return next((f"{old.strip()} ≠ {new.strip()}" for old, new in lines if old != new), "")


@dataclass(frozen=True)
class Record:
    """A question that the whole program has answered."""

    said: Said
    touched: frozenset[str]


@dataclass
class Case:
    """A ruling, how it went, what was asked for it and for the whole of its answers."""

    ruling: Ruling
    faults: list[str]
    keys: tuple[Key, ...]
    more: tuple[Key, ...]
    view: View
    seconds: float


Run = tuple[Case, dict[Key, Record]]


class Bench:
    """Answers the engine's questions, by the whole program or by a mutant of it."""

    def __init__(self, editions: Sequence[Edition]) -> None:
        self.editions = {edition.entry: edition for edition in editions}
        self.numbered = {m.number: m for edition in editions for m in edition.mutants}
        self.records: dict[Key, Record] = {}
        self.mutant: Mutant | None = None
        self.timed = False
        self.asked: list[Key] = []
        self.budget = 0
        self._memo: dict[Key, list[Answer]] = {}  # of the mutant
        self._answers: dict[Key, list[Answer]] = {}  # of the whole program; symbols are not sent
        self.engine = Engine()

    def program(self, entry: str, folder: Path | None = None, functions: bool = False) -> Edition:
        return self.editions[entry]

    def solve(
        self,
        rules: Edition,
        question: Question | str,
        limit: int = 0,
        shown: Iterable[str] | None = None,
        sliced: bool = True,
        sure: bool = False,
    ) -> list[Answer]:
        """In place of `pyengine.solving.solve`."""
        names = frozenset(rules.program.shows if shown is None else shown)
        facts = str(question)
        key = (rules.entry, facts, names)
        self.asked.append(key)
        if self.mutant is None:
            if key not in self.records:
                answers, touched = solve(rules.probed(facts, names), facts)
                said = tuple(answer.key for answer in answers)
                changed = frozenset(self.numbered[number].key for number in touched)
                self.records[key] = Record(said, changed)
            return self._recorded(key)
        record = self.records.get(key)
        if record is not None and self.mutant.key not in record.touched:
            return self._recorded(key)
        if key not in self._memo:
            self.budget -= 1
            if self.budget < 0:
                raise Runaway("it does not come to an end")
            nodes = rules.mutated(facts, names, self.mutant)
            with timed(self.timed):
                self._memo[key], _ = solve(nodes, facts, _MODELS)
        return self._memo[key]

    def _recorded(self, key: Key) -> list[Answer]:
        if key not in self._answers:
            said = self.records[key].said
            self._answers[key] = [Answer([clingo.parse_term(x) for x in each]) for each in said]
        return self._answers[key]

    @contextmanager
    def judging(self, mutant: Mutant | None) -> Iterator[None]:
        """Within it the engine asks here."""
        self.mutant = mutant
        self._memo = {}
        with (
            mock.patch.object(pyengine.engine, "program", self.program),
            mock.patch.object(pyengine.engine, "solve", self.solve),
            mock.patch.object(pyengine.queue, "solve", self.solve),
            # nothing is kept from one question for another
            mock.patch.object(pyengine.queue, "settles", return_value=True),
        ):
            yield

    def differs(self, key: Key) -> bool:
        """Whether the mutant answers a question of the records otherwise."""
        assert self.mutant is not None
        self.budget = 10
        answers = self.solve(self.editions[key[0]], key[1], shown=key[2])
        return tuple(answer.key for answer in answers) != self.records[key].said

    def faults(self, ruling: Ruling) -> list[str]:
        """How a ruling fails."""
        self.asked = []
        return run(self.engine, ruling)

    def view(self, ruling: Ruling) -> View:
        """All that is said of the position of a ruling."""
        said = Answers.ask(self.engine, ruling)
        verdicts = (*said.judged, *(each.verdict for each in said.explained))
        return View(
            {
                str(verdict.action): (
                    verdict.legal,
                    tuple(sorted({reason.rule for reason in verdict.because})),
                )
                for verdict in verdicts
            },
            (
                *(_positions(outcomes) for _, outcomes in said.resolved),
                *(said.deck.unfit if said.deck else ()),
                *([] if said.opened is None else [_opened(said.opened)]),
                *(
                    f"{player} {sorted(each.unseen)} {sorted(each.in_place)}"
                    for player, each in said.sight
                ),
            ),
            tuple(said.lines),
        )


def _opened(opened: Outcome | Exception) -> str:
    """The position in which a game begins."""
    return _positions((opened,) if isinstance(opened, Outcome) else opened)


def _positions(outcomes: tuple[Outcome, ...] | Exception) -> str:
    """The positions that come of an action, in whatever order, as a short text."""
    if isinstance(outcomes, Exception):
        return repr(outcomes)
    return digest(sorted(repr(outcome.state) for outcome in outcomes))


def digest(parts: Iterable[str]) -> str:
    """A short name of texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
