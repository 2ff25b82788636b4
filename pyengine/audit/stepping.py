"""What rules do in the steps of declarations: for `dead` and `redundant`.

Declarations are followed side by side (``many``). Steps that share a grounding and the rules in
question are grounded once more, each of these rules so that it can be switched off, and with what
tells which of them derive something: so one grounding says of all whether an answer is another
without it. A rule that makes a difference is not looked at again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest

import clingo
from clingo import ast
from clingo.ast import ASTType, ProgramBuilder

from pyengine import facts, limits, queue
from pyengine.abreast import ends_of
from pyengine.audit.coverage import parsed
from pyengine.audit.findings import Witness
from pyengine.audit.reach import Ahead, Fixed
from pyengine.audit.registry import Context
from pyengine.audit.replay import Evidence
from pyengine.batch import chunks
from pyengine.model import Action, State
from pyengine.questions import Question, asked_of, merged
from pyengine.solving import Answer, Program, turn

# of one declaration at most so many steps
_STEPS = 100
_SHORT = limits.Limits(steps=_STEPS, outcomes=400, seconds=60.0)
# a rule that has made no difference in so many groundings is left for later
_PATIENT = 12
# then it is tried once more in so many declarations
_MORE = 60
# so many declarations are followed one after another before it is asked what is still sought
_TOGETHER = 2048
# so many rules can be switched off in one grounding
_SWITCHES = 40
# the places of those who share a grounding (``vector.mark_of``)
_PLACE = re.compile(r"\bvg(\d+)_").search
Declared = tuple[State, Action]


@dataclass
class Tally:
    """What is known of rules, by number; as they are shown to matter they leave these groups.

    Args:
        asleep: those that have derived nothing.
        mute: those without which nothing was otherwise.
        met: the smallest position with a declaration in which a rule has derived something.
        tried: in how many groundings a rule has made no difference.
        patient: after how many it is left for later; None: never.
    """

    asleep: set[int]
    mute: set[int]
    met: dict[int, Declared] = field(default_factory=dict)
    tried: Counter[int] = field(default_factory=Counter)
    patient: int | None = _PATIENT

    @property
    def left(self) -> set[int]:
        """Those of which not everything is known."""
        return self.asleep | self.mute

    @property
    def sought(self) -> set[int]:
        """Of these the ones that the next declaration may well tell more of."""
        if self.patient is None:
            return self.left
        return {number for number in self.left if self.tried[number] < self.patient}

    def meet(self, number: int, declared: Declared) -> None:
        """A rule has derived something in what comes of this."""
        self.asleep.discard(number)
        known = self.met.get(number)
        if known is None or _size(declared[0]) < _size(known[0]):
            self.met[number] = declared


def _size(state: State) -> int:
    abilities = sum(len(card.abilities) for card in state.cards)
    return len(state.cards) + len(state.effects) + abilities


def _by_turns(questions: Iterable[Declared]) -> Iterator[Declared]:
    """One of each verb, then another of each, and so on."""
    verbs: dict[str, list[Declared]] = {}
    for each in questions:
        verbs.setdefault(each[1].verb, []).append(each)
    for some in zip_longest(*verbs.values()):
        yield from (each for each in some if each is not None)


class _Enough(Exception):
    """Nothing is sought any more."""


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
        self._reached: dict[State, frozenset[int]] = {}
        # declarations that were left before all was seen that can come of them
        self.cut = 0
        # declarations that were followed
        self.followed = 0

    def judge(self, tally: Tally, questions: Iterable[Declared]) -> None:
        """Takes out of the groups what these declarations show.

        Args:
            tally: what is known.
            questions: legal declarations.
        """
        for some in chunks(questions, _TOGETHER):
            if not tally.sought:
                return
            here = list(dict.fromkeys(some))
            watch = _Watch(self, tally, here)
            try:
                ends = ends_of(self.context.engine, here, _SHORT, watch.go_on, watch)
            except _Enough:
                return
            self.followed += len(here)
            self.cut += sum(
                not isinstance(end, list) or n in watch.alone for n, end in enumerate(ends)
            )

    def settle(self, tally: Tally, questions: Sequence[Declared]) -> None:
        """Tries what is still without effect in many declarations, however often it is in vain.

        Args:
            tally: what is known.
            questions: legal declarations.
        """
        patient, tally.patient = tally.patient, None
        self.judge(tally, self.spread(tally.mute - tally.asleep, questions, _MORE))
        tally.patient = patient

    def spread(
        self, numbers: Iterable[int], questions: Sequence[Declared], most: int
    ) -> list[Declared]:
        """For each rule so many of the declarations from which it could come to derive something.

        Args:
            numbers: of the rules.
            questions: declarations; those that are likely to need the rules first.
            most: for each rule.
        """
        chosen: dict[Declared, None] = {}
        for number in sorted(numbers):
            met = [each for each in questions if number in self.ahead_of(each[0])]
            chosen |= dict.fromkeys((*met[: most // 3], *islice(_by_turns(met), most)))
        return list(chosen)

    def ahead_of(self, state: State) -> frozenset[int]:
        """The rules that could derive something in what follows from a position."""
        found = self._reached.get(state)
        if found is None:
            found = frozenset(self.owners[n] for n in self._ahead.of(state))
            self._reached[state] = found
        return found

    def fires(self, state: State, action: Action, number: int) -> bool:
        """Whether a rule derives something in what comes of a legal declaration."""
        term = facts.action_term(action, state)
        waiting = [(queue.Course(state, (f"declare({term})",)), f"asked({term}).")]
        seen: set[queue.Course] = set()
        while waiting and len(seen) < _STEPS:
            course, extra = waiting.pop()
            if course in seen:
                continue
            seen.add(course)
            _, text = queue.question(course)
            question = asked_of(course.state, text + extra, gone=course.gone)
            numbers = self.program.slice(question, self.program.steps).numbers
            if number in {self.owners[n] for n in numbers}:
                laid_out = LaidOut(self, question, {number}, set())
                if any(laid_out.fired for _ in laid_out.answers()):
                    return True
            _, ways = queue.branches(self.program, course, extra)
            waiting += [(way.course, "") for way in reversed(ways) if not way.course.done]
        return False

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


class _Watch:
    """Looks at the steps of declarations that are followed side by side."""

    def __init__(self, steps: Steps, tally: Tally, declared: Sequence[Declared]) -> None:
        self.whole = steps
        self.tally = tally
        self.declared = declared
        # those that were followed alone, unseen
        self.alone: set[int] = set()

    def go_on(self) -> None:
        """Called before each step."""
        if not self.tally.sought:
            raise _Enough
        self.whole.context.look("redundant", self.whole.followed)

    def unseen(self, number: int) -> None:
        """A declaration is followed alone."""
        self.alone.add(number)

    def steps(self, asked: Mapping[int, Question], numbers: Mapping[int, int]) -> None:
        """Steps that share a grounding, and of which declaration each is."""
        whole, tally = self.whole, self.tally
        question = merged(asked.values())
        slice = whole.program.slice(question, whole.program.steps)
        wanted = {whole.owners[n] for n in slice.numbers} & tally.sought
        if not wanted:
            return
        switched = wanted & tally.mute
        if len(switched) > _SWITCHES:
            # most of many derive nothing here
            wanted = self._look(question, numbers, wanted, set())
            switched = wanted & tally.mute
        for some in chunks(sorted(switched), _SWITCHES) if switched else [[]]:
            self._look(question, numbers, {*some, *(wanted - switched)}, set(some))

    def _look(
        self, question: Question, numbers: Mapping[int, int], wanted: set[int], switched: set[int]
    ) -> set[int]:
        """Which of these derive something; of the switched it is told if they matter."""
        tally = self.tally
        laid_out = LaidOut(self.whole, question, wanted, switched)
        whole = list(laid_out.answers())
        for number, atoms in laid_out.fired.items():
            for declared in self._of(atoms, numbers):
                tally.meet(number, declared)
        for number in sorted(switched & laid_out.fired.keys()):
            if laid_out.otherwise(number, whole):
                tally.mute.discard(number)
            else:
                tally.tried[number] += 1
        return set(laid_out.fired)

    def _of(self, atoms: Iterable[str], numbers: Mapping[int, int]) -> Iterator[Declared]:
        """The declarations that derived atoms are of, as far as these say it; else all."""
        found = [place for place in map(_PLACE, atoms) if place is not None]
        for number in {numbers[int(place[1])] for place in found} or set(numbers.values()):
            yield self.declared[number]


class LaidOut:
    """A step, or several in one grounding, with rules that can be switched off.

    Args:
        steps: whose rules.
        question: what is asked.
        wanted: of these rules it is told what they derive.
        switched: these can be switched off.
    """

    def __init__(
        self, steps: Steps, question: Question, wanted: set[int], switched: set[int]
    ) -> None:
        program, owners = steps.program, steps.owners
        slice = program.slice(question, program.steps)
        # what each of the rules derives
        self.fired: dict[int, set[str]] = {}
        with turn():
            nodes = parsed("#show. #show fires/2.")
            nodes += [program.shows[name] for name in sorted(program.steps)]
            for number in sorted(switched):
                nodes += parsed(f"#external off({number}).")
            for n in slice.numbers:
                rule, owner = program.rules[n], owners[n]
                if owner in wanted:
                    (probe,) = parsed(f"fires({owner}, {_atom(rule)}).")
                    nodes.append(probe.update(body=rule.body))
                if owner in switched:
                    (guard,) = parsed(f":- not off({owner}).")
                    rule = rule.update(body=[*rule.body, *guard.body])
                nodes.append(rule)
            self._control = clingo.Control(["--warn=none"], logger=lambda code, said: None)
            with ProgramBuilder(self._control) as builder:
                for node in nodes:
                    builder.add(node)
            with self._control.backend() as backend:
                for fact in program.facts(question, slice):
                    backend.add_rule([backend.add_atom(fact)])
            self._control.ground([("base", [])])

    def answers(self) -> Iterator[frozenset[clingo.Symbol]]:
        """Answers in which every option of every step is picked once, with what is derived."""
        left: dict[int, set[clingo.Symbol]] | None = None
        picked: list[clingo.Symbol] = []
        while left is None or left:
            (symbols, *_) = self._solved(picked)
            for symbol in symbols:
                if symbol.name == "fires":
                    owner, atom = symbol.arguments
                    self.fired.setdefault(owner.number, set()).add(str(atom))
            yield _answer(symbols)
            rows = Answer(symbols)
            steps = {row[0].number for row in rows["picks"]}
            if left is None:
                left = {number: set() for number in steps}
                for name, place in (("option", 3), ("chance", 2)):
                    for row in rows[name]:
                        if row[0].number in left:
                            left[row[0].number].add(row[place])
            for row in rows["picks"]:
                left.get(row[0].number, set()).discard(row[1])
            left = {number: options for number, options in left.items() if options}
            picked = [
                clingo.Function("picks", [clingo.Number(number), min(options)])
                for number, options in left.items()
            ]

    def otherwise(self, number: int, whole: Iterable[frozenset[clingo.Symbol]]) -> bool:
        """Whether an answer is another when a rule is switched off."""
        off = clingo.Function("off", [clingo.Number(number)])
        self._control.assign_external(off, True)
        try:
            return any(
                list(map(_answer, self._solved([s for s in answer if s.name == "picks"])))
                != [answer]
                for answer in whole
            )
        finally:
            self._control.assign_external(off, False)

    def _solved(self, picked: Iterable[clingo.Symbol]) -> list[list[clingo.Symbol]]:
        """At most two answers in which these are picked."""
        with turn():
            self._control.configuration.solve.models = "2"  # type: ignore[union-attr]
            with self._control.solve(
                yield_=True, assumptions=[(pick, True) for pick in picked]
            ) as handle:
                return [list(model.symbols(shown=True)) for model in handle]


def _answer(symbols: Iterable[clingo.Symbol]) -> frozenset[clingo.Symbol]:
    return frozenset(symbol for symbol in symbols if symbol.name != "fires")


def _atom(rule: ast.AST) -> str:
    """The atom that a rule derives, as a term; 0 if it is not one plain atom."""
    if rule.head.ast_type != ASTType.Literal or rule.head.atom.ast_type != ASTType.SymbolicAtom:
        return "0"
    return str(rule.head.atom.symbol)
