"""What rules do in the steps of declarations: for `dead` and `redundant`.

Declarations are carried out step by step, each with its rules and with what tells which of them
derive something there. Of those the step is asked once more without one of them. A rule that makes
a difference is not looked at again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import clingo
from clingo import ast
from clingo.ast import ASTType, ProgramBuilder

from pyengine import facts, limits, queue
from pyengine.audit.coverage import parsed
from pyengine.audit.findings import Witness
from pyengine.audit.reach import Ahead, Fixed
from pyengine.audit.registry import Context
from pyengine.audit.replay import Evidence
from pyengine.model import Action, State
from pyengine.questions import Question, asked_of, block
from pyengine.solving import Answer, Program, turn

# of one declaration at most so many steps
_STEPS = 60
# a rule that has made no difference in so many steps is left for later
_PATIENT = 6
# then it is tried once more in each of so many declarations
_MORE = 60


@dataclass
class Tally:
    """What is known of rules, by number; as they are shown to matter they leave these groups.

    Args:
        asleep: those that have derived nothing.
        mute: those without which nothing was otherwise.
        met: the first declaration in which a rule has derived something.
    """

    asleep: set[int]
    mute: set[int]
    met: dict[int, tuple[State, Action]] = field(default_factory=dict)
    tried: Counter[int] = field(default_factory=Counter)

    @property
    def left(self) -> set[int]:
        """Those of which not everything is known."""
        return self.asleep | self.mute

    @property
    def sought(self) -> set[int]:
        """Of these the ones that the next declaration may well tell more of."""
        return {number for number in self.left if self.tried[number] < _PATIENT}


class Steps:
    """The steps of an edition's declarations.

    Args:
        context: whose rules.
        evidence: the rules and the rulings.
    """

    def __init__(self, context: Context, evidence: Evidence) -> None:
        self.context = context
        self.evidence = evidence
        self.program: Program = evidence.program
        self.owners = evidence.owners
        self._ahead = Ahead(self.program.rules)
        # whether a declaration was left before all was seen that can come of it
        self.cut = False

    def judge(self, tally: Tally, questions: Iterable[tuple[State, Action]]) -> None:
        """Takes out of the groups what these declarations show.

        Args:
            tally: what is known.
            questions: legal declarations.
        """
        for done, (state, action) in enumerate(questions):
            if not tally.sought:
                return
            self.context.look("redundant", done)
            if self.ahead_of(state) & tally.sought:
                self._carry_out(tally, state, action)

    def ahead_of(self, state: State) -> set[int]:
        """The rules that could derive something in what follows from a position."""
        return {self.owners[n] for n in self._ahead.of(state)}

    def fires(self, state: State, action: Action, number: int) -> bool:
        """Whether a rule derives something in what comes of a legal declaration."""
        tally = Tally({number}, set())
        self._carry_out(tally, state, action)
        return not tally.asleep

    def _carry_out(self, tally: Tally, state: State, action: Action) -> None:
        term = facts.action_term(action, state)
        start = queue.Course(state, (f"declare({term})",))
        waiting = [(start, f"asked({term}).")]
        seen: set[queue.Course] = set()
        while waiting and tally.sought:
            course, extra = waiting.pop()
            if course in seen:
                continue
            if len(seen) >= _STEPS:
                self.cut = True
                return
            seen.add(course)
            nothing = queue.idle(course)
            rest, asked = queue.question(course, look=False)
            question = asked_of(course.state, asked + extra, gone=course.gone)
            looking = Question(question.position, block(f"{asked}{extra}at(0)."))
            if queue.settles(self.program, looking):
                question = looking
            answers, fired = self._watched(question, tally.sought)
            for number in sorted(fired):
                tally.asleep.discard(number)
                tally.met.setdefault(number, (state, action))
                if number in tally.mute:
                    self._differ(tally, number, question, answers)
            for answer in reversed(answers):
                after = queue.branch(rest, answer, nothing).course
                if not after.done:
                    waiting.append((after, ""))

    def _watched(self, question: Question, wanted: set[int]) -> tuple[list[Answer], set[int]]:
        """The answers of a step, and which of these rules derive something in it."""
        numbers = self.program.slice(question, self.program.steps).numbers
        probed = [n for n in numbers if self.owners[n] in wanted]
        with turn():
            probes = parsed("#show fires/1.")
            for n in probed:
                (probe,) = parsed(f"fires({self.owners[n]}).")
                probes.append(probe.update(body=self.program.rules[n].body))
        models = self._models(question, numbers, probes)
        fired = {s.arguments[0].number for model in models for s in model if s.name == "fires"}
        answers = [Answer(s for s in model if s.name != "fires") for model in models]
        answers.sort(key=lambda answer: answer.key)
        return answers, fired

    def _differ(self, tally: Tally, number: int, question: Question, answers: list[Answer]) -> None:
        """Asks a step without a rule."""
        tally.tried[number] += 1
        other = self.without(question, {number})
        if [each.key for each in other] != [each.key for each in answers]:
            tally.mute.discard(number)

    def settle(self, tally: Tally, questions: Sequence[tuple[State, Action]]) -> None:
        """Tries what is still without effect in one step of each of many declarations.

        Args:
            tally: what is known.
            questions: legal declarations.
        """
        for number in sorted(tally.mute - tally.asleep):
            met = [each for each in questions if number in self.ahead_of(each[0])]
            one = Tally(set(), {number})
            for state, action in met[:: max(1, len(met) // _MORE)]:
                self.context.look("redundant", number)
                one.tried.clear()
                self._carry_out(one, state, action)
                if not one.left:
                    break
            tally.mute -= {number} - one.mute

    def same_without(self, witness: Witness, number: int) -> bool:
        """Whether the ordinary engine finds the same outcomes of a declaration without a rule."""
        rules = self.program.rules
        kept = [rule for n, rule in enumerate(rules) if self.owners[n] != number]
        frame = [node for node in self.program.nodes if node.ast_type != ASTType.Rule]
        assert witness.action is not None
        found = [
            engine.resolve(witness.state, witness.action)
            for engine in (self.context.engine, Fixed(Program([*frame, *kept])))
        ]
        return found[0] == found[1]

    def without(self, question: Question, numbers: set[int]) -> list[Answer]:
        """The answers of a step without these rules."""
        kept = [
            n
            for n in self.program.slice(question, self.program.steps).numbers
            if self.owners[n] not in numbers
        ]
        answers = [Answer(model) for model in self._models(question, kept, ())]
        return sorted(answers, key=lambda answer: answer.key)

    def _models(
        self, question: Question, numbers: Iterable[int], more: Iterable[ast.AST]
    ) -> list[list[clingo.Symbol]]:
        found: list[list[clingo.Symbol]] = []
        program = self.program
        slice = program.slice(question, program.steps)
        with turn():
            control = clingo.Control(["--models=0", "--warn=none"], logger=lambda code, said: None)
            with ProgramBuilder(control) as builder:
                for node in parsed("#show."):
                    builder.add(node)
                for name in sorted(program.steps):
                    builder.add(program.shows[name])
                for node in (*(program.rules[n] for n in numbers), *more):
                    builder.add(node)
            with control.backend() as backend:
                for fact in program.facts(question, slice):
                    backend.add_rule([backend.add_atom(fact)])
            control.ground([("base", [])])
            with control.solve(yield_=True) as handle:
                for model in handle:
                    found.append(list(model.symbols(shown=True)))
                    if len(found) > limits.in_force().outcomes:
                        break
        return found
