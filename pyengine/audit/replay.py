"""What the rulings show of rules: in their positions, which rules derive something and matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

import clingo
from clingo import ast
from clingo.ast import ProgramBuilder

from pyengine import facts
from pyengine.audit.coverage import parsed
from pyengine.audit.findings import Witness
from pyengine.audit.reach import Ahead
from pyengine.audit.registry import Context
from pyengine.audit.sources import Shapes, Source, asks, atoms, gives, may_meet, predicate, sources
from pyengine.audit.witness import minimised
from pyengine.kinds import data_folder
from pyengine.model import Action, PyengineError, State
from pyengine.questions import Question, asked_of
from pyengine.queue import SET_UP
from pyengine.solving import IN_FORCE, JUDGED, Program, program, turn
from pyengine.verify import Ruling, load_rulings

# what a verdict says beside legal/1 is told, and where a path to the steps ends: what is legal
# without the rule has been looked at by itself
_VERDICTS = frozenset({"legal/1", "illegal/1", "against/4", "forbids/4", "forbidden/1"})

# in so many rulings a rule may derive something without any effect before it is given up
_TRIES = 30


class Evidence:
    """The positions of the rulings of an edition, and what rules do there.

    Args:
        context: whose rules.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.every = sources(context.edition, context.folder)
        # of rules that derive something for a verdict a small ruling in which they do
        self._met: dict[int, Ruling] = {}

    @cached_property
    def program(self) -> Program:
        """The rules, without any generator."""
        return program(f"rules/editions/{self.context.edition}.lp", self.context.folder)

    @cached_property
    def owners(self) -> list[int]:
        """Of each rule of the program the number of its source.

        A part that is laid out for several rounds stands there round by round.
        """
        numbers: dict[str, list[int]] = {}
        for source in self.every:
            for copy in source.copies:
                numbers.setdefault(str(copy), []).append(source.number)
        return [numbers[str(rule)].pop(0) for rule in self.program.rules]

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """All of the edition."""
        return tuple(load_rulings([data_folder("facts") / "rulings"], self.context.edition))

    def judge(self, left: set[int], asleep: set[int], powerless: set[int], mute: set[int]) -> None:
        """Takes out of these groups what a position of a ruling shows: see ``_Standing``."""
        left = left & self._judging
        cited = {rule for number in left for rule in self.every[number].cites}
        ordered = sorted(self.rulings, key=lambda ruling: not cited & set(ruling.cites))
        tried: Counter[int] = Counter()
        for done, ruling in enumerate(ordered):
            self.context.look("dead", done, len(ordered))
            wanted = {n for n in left & (asleep | powerless | mute) if tried[n] < _TRIES}
            if not wanted:
                return
            question = _question(ruling)
            fired = self._fired(question, wanted)
            tried.update(fired)
            asleep -= fired
            for number in fired:
                known = self._met.get(number)
                if known is None or len(ruling.state.cards) < len(known.state.cards):
                    self._met[number] = ruling
            whole = self._answer(question, None) if fired & (powerless | mute) else frozenset()
            for number in sorted(fired & (powerless | mute)):
                other = self._answer(question, number)
                if other != whole:
                    mute.discard(number)
                if _legal(other) != _legal(whole):
                    powerless.discard(number)

    def same_without(self, witness: Witness, source: Source) -> bool:
        """Whether every verdict is the same when the rule is not there."""
        question = _shown(witness)
        return self._answer(question, None) == self._answer(question, source.number)

    def fires(self, witness: Witness, source: Source) -> bool:
        """Whether a rule derives something for a verdict."""
        return bool(self._fired(_shown(witness), {source.number}))

    def witness(self, number: int) -> Witness | None:
        """A smallest position in which a rule that was met derives something for a verdict."""
        ruling = self._met.get(number)
        for action in () if ruling is None else (None, *_asked(ruling)):
            assert ruling is not None

            def holds(state: State, action: Action | None = action) -> bool:
                try:
                    return self.fires(Witness(state, action), self.every[number])
                except PyengineError:
                    return False

            if holds(ruling.state):
                return Witness(minimised(ruling.state, holds), action)
        return None

    def bears_on_steps(self, source: Source) -> bool:
        """Whether what a rule derives can come to a step otherwise than by a verdict."""
        return source.number in self._bearing

    def of_the_beginning(self) -> frozenset[int]:
        """The rules that matter to nothing but how a game begins: no declaration leads there.

        They have an instance only in what follows from its setting up, or only such rules ask for
        what they derive.
        """
        ahead = Ahead(self.program.rules)
        states = [ruling.state for ruling in self.rulings]
        begun = ahead.of_any(states, f"now(1,{SET_UP}).") - ahead.of_any(states)
        if not begun:
            return frozenset()
        with_it = self._behind(self.program.steps - IN_FORCE, _VERDICTS)
        without = self._behind(self.program.steps - IN_FORCE, _VERDICTS, begun)
        return with_it - without

    def declarations(self, rules: set[int]) -> list[tuple[State, Action]]:
        """What the rulings declare, those first that cite what these rules cite."""
        cited = {rule for number in rules for rule in self.every[number].cites}
        ordered = sorted(self.rulings, key=lambda ruling: not cited & set(ruling.cites))
        return [(ruling.state, each.action) for ruling in ordered for each in ruling.resolve]

    @cached_property
    def _heads(self) -> dict[str, list[int]]:
        """The rules by what they derive."""
        heads: dict[str, list[int]] = {}
        for number, rule in enumerate(self.program.rules):
            for atom in atoms(rule.head):
                heads.setdefault(predicate(atom), []).append(number)
        return heads

    @cached_property
    def _given(self) -> list[Shapes | None]:
        return [gives(rule) for rule in self.program.rules]

    @cached_property
    def _bearing(self) -> frozenset[int]:
        """The rules on which a step depends, not by way of a verdict."""
        return self._behind(self.program.steps - IN_FORCE, _VERDICTS)

    @cached_property
    def _judging(self) -> frozenset[int]:
        """The rules on which a verdict depends."""
        return self._behind(JUDGED, frozenset())

    def _behind(
        self, shown: frozenset[str], nothing: frozenset[str], but: frozenset[int] = frozenset()
    ) -> frozenset[int]:
        """The rules on which what is shown depends, not by way of those predicates.

        ``but``: nor by way of those rules of the program.
        """
        heads = self._heads
        found: set[int] = set()
        waiting = [number for name in shown for number in heads.get(name, ())]
        while waiting:
            number = waiting.pop()
            if number in found or number in but:
                continue
            found.add(number)
            for name, wanted in asks(self.program.rules[number]):
                if name not in nothing:
                    waiting += [n for n in heads.get(name, ()) if may_meet(self._given[n], wanted)]
        return frozenset(self.owners[number] for number in found)

    def _fired(self, question: Question, wanted: set[int]) -> set[int]:
        slice = self.program.slice(question, JUDGED)
        probed = [n for n in slice.numbers if self.owners[n] in wanted]
        if not probed:
            return set()
        with turn():
            probes = parsed("#show. #show fires/1.")
            for n in probed:
                (probe,) = parsed(f"fires({self.owners[n]}).")
                probes.append(probe.update(body=self.program.rules[n].body))
        return {symbol.arguments[0].number for symbol in self._solved(question, None, probes)}

    def _answer(self, question: Question, without: int | None) -> frozenset[clingo.Symbol]:
        with turn():
            shows = parsed("#show. " + " ".join(f"#show {name}." for name in sorted(JUDGED)))
        return frozenset(self._solved(question, without, shows))

    def _solved(
        self, question: Question, without: int | None, beside: Iterable[ast.AST]
    ) -> list[clingo.Symbol]:
        """What the one answer to a question shows, without one of the rules."""
        slice = self.program.slice(question, JUDGED)
        found: list[clingo.Symbol] = []
        with turn():
            control = clingo.Control(["--warn=none"], logger=lambda code, said: None)
            with ProgramBuilder(control) as builder:
                for node in beside:
                    builder.add(node)
                for n in slice.numbers:
                    if self.owners[n] != without:
                        builder.add(self.program.rules[n])
            with control.backend() as backend:
                for fact in self.program.facts(question, slice):
                    backend.add_rule([backend.add_atom(fact)])
            control.ground([("base", [])])
            control.solve(on_model=lambda model: found.extend(model.symbols(shown=True)))
        return found


def _shown(witness: Witness) -> Question:
    """The position of a witness; its declaration may be no candidate."""
    return _judged(witness.state, [] if witness.action is None else [witness.action])


def _question(ruling: Ruling) -> Question:
    """The position of a ruling with all that it asks about declarations."""
    return _judged(ruling.state, _asked(ruling))


def _asked(ruling: Ruling) -> list[Action]:
    asked = {
        *ruling.legal, *(action for action, _ in ruling.illegal),
        *(each.action for each in ruling.resolve),
    }  # fmt: skip
    return sorted(asked, key=str)


def _judged(state: State, actions: Iterable[Action]) -> Question:
    asked = sorted(f"asked({facts.action_term(action, state)})." for action in actions)
    return asked_of(state, f"judged({facts.name(state.active)}).{''.join(asked)}")


def _legal(answer: Iterable[clingo.Symbol]) -> set[clingo.Symbol]:
    return {symbol for symbol in answer if symbol.name == "legal"}
