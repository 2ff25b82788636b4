"""The mutation test: would a ruling notice if a rule were not there, or were inverted?

Each rule of the rule files is removed; each `not` in it is dropped; each comparison is dropped and
negated (only where clingo still finds every variable safe). For each mutant the rulings are asked
again, and one of these comes of it:

- **killed**: a ruling fails, or clingo or the engine break down; what clingo only remarks is no
  failure;
- **told**: none fails, but an answer is told differently, in what no ruling can say: the trace, the
  choices, who bears a reason, what it rests on, the order, which actions are candidates;
- **unproved**: what is legal, by which rules, or what comes of it is different in the position of
  some ruling, and no ruling says which is right: one is missing;
- **equivalent**: no answer is different in any way: the rule, or the literal, may be superfluous;
- **unreached**: in no position of the rulings does the change bear on anything.

The last three survive. A survivor may be explained in a comment directly before its rule:

    % mutant: deleted: only saves work
    % mutant: deleted, weakened: ...

How it stays quick: the rulings run once with *probes*: for each mutant a rule that derives
``touch(m)`` where the mutant derives something else than the rule it is made from. A mutant is then
solved anew only for questions that touched it; all other answers are those of the whole program.
Rulings that failed are remembered between runs and tried first; so are results, as long as rules,
engine and the ruling are what they were.

Slices of a mutant: a deleted rule is left out of the slice of the whole program (less can be
derived, so nothing else comes to matter). `slicing` looks at no `not` and at no comparison but `=`
as it works out what can be derived: dropping or negating such a literal leaves a slice as it is. For
mutants without an `=` the slices come from a program in which all those are left out at once: a
superset of what each one needs.

    python -m tests.mutations [--edition heroes] [--file rules/attack.lp] [--sample N --seed S]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import pickle
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any
from unittest import mock

import clingo
from clingo import ast
from clingo.ast import ASTType, ComparisonOperator, ProgramBuilder, Sign

import pyengine.engine
import pyengine.queue
from pyengine import Engine
from pyengine.documents import data_folder
from pyengine.model import IllegalAction, LimitError, Outcome
from pyengine.slicing import Kind, Slicer
from pyengine.solving import Answer, Program, chapters, statements
from pyengine.verify import Ruling, load_rulings, run

TOLD = ("killed", "told")
SURVIVORS = ("unproved", "equivalent", "unreached")
KINDS = ("deleted", "weakened")
# what concerns 508-516
CONCERNED = (
    "rules.lp",
    *(
        f"rules/{name}.lp"
        for name in (
            "attack",
            "main_phase",
            "blow",
            "legality",
            "declare",
            "abilities",
            "filters",
            "pools",
            "wounds",
            "replacement",
            "replacing",
            "prevention",
            "effects",
            "turn",
            "queue",
            "playing",
        )
    ),
)
# of the results that are kept: to be changed with what a status means
_FORM = "1"
_TOUCH = "touch"
# answers to a question, and questions more than a whole program needs, before a mutant is given up
_MODELS = 2_000
_PATIENCE = 100
# what a mutant may take for one question, of the processor and of memory
_SECONDS = 30.0
_BYTES = 3 << 30

_NEGATED = {
    ComparisonOperator.LessThan: ComparisonOperator.GreaterEqual,
    ComparisonOperator.GreaterEqual: ComparisonOperator.LessThan,
    ComparisonOperator.GreaterThan: ComparisonOperator.LessEqual,
    ComparisonOperator.LessEqual: ComparisonOperator.GreaterThan,
    ComparisonOperator.Equal: ComparisonOperator.NotEqual,
    ComparisonOperator.NotEqual: ComparisonOperator.Equal,
}


# --- rules and their mutants ---------------------------------------------------------------------


@dataclass(frozen=True)
class Rule:
    """A rule as it stands in its file; a part of a program that is laid out has it several times."""

    file: str
    line: int
    node: ast.AST = field(compare=False)
    copies: tuple[ast.AST, ...] = field(compare=False, repr=False)
    excuses: dict[str, str] = field(compare=False)

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def tells(self) -> bool:
        """Whether it only tells: no rule and no ruling looks at what it derives."""
        return str(self.node.head).partition("(")[0] in ("step", "grounds", "defeats")


@dataclass(frozen=True)
class Mutant:
    """One change of a rule. ``at``: which literal of the body, -1 for the rule itself."""

    number: int
    rule: Rule
    kind: str
    change: str
    at: int = -1

    @property
    def text(self) -> str:
        if self.at < 0:
            return "deleted"
        return f"{self.change} `{self.rule.node.body[self.at]}`"

    @cached_property
    def key(self) -> str:
        """The same for the same change of the same rule, wherever it stands in its file."""
        told = f"{self.rule.file} {self.rule.node} {self.change} {self.at}"
        return hashlib.sha256(told.encode()).hexdigest()[:24]

    @property
    def excuse(self) -> str | None:
        return self.rule.excuses.get(self.kind)

    @cached_property
    def loose(self) -> bool:
        """Whether more can be derived than slices of the whole program allow for."""
        return self.at >= 0 and _equates(self.rule.node.body[self.at])

    def apply(self, node: ast.AST) -> ast.AST | None:
        """The rule with the change; None if it is gone."""
        if self.at < 0:
            return None
        body = list(node.body)
        new = _changed(body[self.at], self.change)
        body[self.at : self.at + 1] = [new] if new is not None else []
        out: ast.AST = node.update(body=body)
        return out


def _changed(literal: ast.AST, change: str) -> ast.AST | None:
    if change == "dropped":
        return None
    if literal.ast_type == ASTType.ConditionalLiteral:
        return None
    atom = literal.atom
    if atom.ast_type == ASTType.Comparison:
        (guard,) = atom.guards
        guard = guard.update(comparison=int(_NEGATED[ComparisonOperator(guard.comparison)]))
        atom = atom.update(guards=[guard])
    else:
        guard = atom.left_guard
        guard = guard.update(comparison=int(_NEGATED[ComparisonOperator(guard.comparison)]))
        atom = atom.update(left_guard=guard)
    out: ast.AST = literal.update(atom=atom)
    return out


def _equates(literal: ast.AST) -> bool:
    """Whether slicing learns something from a literal: it is an equation."""
    if literal.ast_type != ASTType.Literal or literal.sign != Sign.NoSign:
        return False
    guards: tuple[ast.AST, ...] = ()
    if literal.atom.ast_type == ASTType.Comparison:
        guards = tuple(literal.atom.guards)
    elif literal.atom.ast_type == ASTType.BodyAggregate:
        guards = (literal.atom.left_guard,)
    return any(guard.comparison == ComparisonOperator.Equal for guard in guards)


def _changes(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The changes of a rule that are tried, safe or not."""
    for at, literal in enumerate(node.body):
        if literal.ast_type == ASTType.ConditionalLiteral:
            if literal.literal.atom.ast_type == ASTType.Comparison:
                yield at, "dropped"
            continue
        if literal.sign != Sign.NoSign:
            yield at, "dropped"
        elif _compares(literal.atom):
            yield at, "dropped"
            yield at, "negated"


def _compares(atom: ast.AST) -> bool:
    if atom.ast_type == ASTType.BodyAggregate:
        return atom.left_guard is not None
    return atom.ast_type == ASTType.Comparison and len(atom.guards) == 1


def safe(node: ast.AST) -> bool:
    """Whether clingo accepts a rule."""
    control = clingo.Control(["--warn=none"], logger=lambda code, text: None)
    try:
        with ProgramBuilder(control) as builder:
            builder.add(node)
        control.ground([("base", [])])
    except RuntimeError:
        return False
    return True


def read_rules(path: Path, file: str) -> list[Rule]:
    """The rules of a file, in order, with the comments that excuse survivors."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    parts: list[tuple[bool, list[ast.AST]]] = [(False, [])]

    def take(node: ast.AST) -> None:
        if node.ast_type == ASTType.Program:
            parts.append((bool(node.parameters), []))
        elif node.ast_type != ASTType.Comment:
            parts[-1][1].append(node)

    ast.parse_string(re.sub(r"^#include.*$", "", text, flags=re.MULTILINE), take)
    laid_out = statements(path)
    plain = sum(len(nodes) for several, nodes in parts if not several)
    repeated = sum(len(nodes) for several, nodes in parts if several)
    rounds = (len(laid_out) - plain) // repeated if repeated else 1
    out: list[Rule] = []
    start = 0
    for several, nodes in parts:
        count = rounds if several else 1
        for at, node in enumerate(nodes):
            if node.ast_type == ASTType.Rule:
                copies = tuple(laid_out[start + at + k * len(nodes)] for k in range(count))
                line = node.location.begin.line
                out.append(Rule(file, line, node, copies, excuses(lines, line)))
        start += count * len(nodes)
    if start != len(laid_out):
        raise ValueError(f"{file}: {start} statements read, {len(laid_out)} laid out")
    return out


_EXCUSE = re.compile(
    r"%\s*mutant:\s*((?:deleted|weakened)(?:\s*,\s*(?:deleted|weakened))*):\s*(.+)"
)


def excuses(lines: Sequence[str], line: int) -> dict[str, str]:
    """What the comments directly before a line (from 1) say of mutants, by kind.

    >>> excuses(["% mutant: deleted, weakened: saves work", "% more", "a :- b."], 3)
    {'deleted': 'saves work', 'weakened': 'saves work'}
    """
    out: dict[str, str] = {}
    at = line - 2
    while at >= 0 and lines[at].startswith("%"):
        if "mutant:" in lines[at]:
            match = _EXCUSE.match(lines[at])
            if match is None:
                raise ValueError(f"line {at + 1}: not `% mutant: deleted, weakened: why`")
            out.update({kind.strip(): match[2] for kind in match[1].split(",")})
        at -= 1
    return out


def mutants(rules: Iterable[Rule]) -> list[Mutant]:
    """All mutants of the rules that clingo accepts."""
    out: list[Mutant] = []
    for rule in rules:
        out.append(Mutant(len(out), rule, "deleted", "deleted"))
        for at, change in _changes(rule.node):
            mutant = Mutant(len(out), rule, "weakened", change, at)
            new = mutant.apply(rule.node)
            if new is not None and safe(new):
                out.append(mutant)
    return out


# --- programs ------------------------------------------------------------------------------------


class Runaway(Exception):
    """A mutant does not come to an end."""


class Edition:
    """The program of an edition, as `pyengine.engine` meets it, and what is made of it."""

    def __init__(self, entry: str, rules: Sequence[Rule], every: Sequence[Mutant]) -> None:
        self.entry = entry
        self.places: dict[int, list[int]] = {}
        owners: list[Rule] = []
        nodes: list[ast.AST] = []
        shows: list[ast.AST] = []
        root = data_folder("rules").parent
        files = [path.relative_to(root).as_posix() for path in chapters(entry)]
        of_file: dict[str, list[Rule]] = {}
        for rule in rules:
            of_file.setdefault(rule.file, []).append(rule)
        for path, file in zip(chapters(entry), files, strict=True):
            shows += [node for node in statements(path) if node.ast_type != ASTType.Rule]
            for rule in of_file.get(file, ()):
                for copy in rule.copies:
                    owners.append(rule)
                    nodes.append(copy)
        self.program = Program([*shows, *nodes])
        self.steps = self.program.steps
        self.frame = [
            node for node in shows if node.ast_type == ASTType.ShowSignature and not node.name
        ]
        self.positions: dict[Rule, list[int]] = {}
        for position, rule in enumerate(owners):
            self.positions.setdefault(rule, []).append(position)
        self.mutants = [mutant for mutant in every if mutant.rule in self.positions]
        self._slices: dict[tuple[bool, Kind, frozenset[str]], tuple[int, ...]] = {}
        self._probes: dict[int, list[tuple[bool, ast.AST]]] | None = None

    @cached_property
    def loose(self) -> Slicer:
        """The analysis of a program without the equations that mutants drop."""
        rules = list(self.program.rules)
        for mutant in self.mutants:
            if mutant.loose:
                for position in self.positions[mutant.rule]:
                    node = rules[position]
                    gone = self.program.rules[position].body[mutant.at]
                    body = [each for each in node.body if each != gone]
                    rules[position] = node.update(body=body)
        return Slicer([str(form) for form in rule.unpool()] for rule in rules)

    def slice(self, facts: str, shown: frozenset[str], loose: bool) -> tuple[int, ...]:
        """The numbers of the rules that matter."""
        slicer = self.loose if loose else self.program.slicer
        kind = slicer.kind(map(str.strip, _FACT.findall(facts)))
        key = (loose, kind, shown)
        if key not in self._slices:
            self._slices[key] = tuple(slicer.slice(kind, shown))
        return self._slices[key]

    def nodes(self, numbers: Iterable[int], shown: frozenset[str]) -> list[ast.AST]:
        return [
            *self.frame,
            *(self.program.shows[name] for name in sorted(shown)),
            *(self.program.rules[number] for number in numbers),
        ]

    def mutated(self, facts: str, shown: frozenset[str], mutant: Mutant) -> list[ast.AST]:
        """The slice of a mutant."""
        numbers = self.slice(facts, shown, mutant.loose)
        places = set(self.positions.get(mutant.rule, ()))
        nodes = self.nodes((n for n in numbers if n not in places), shown)
        changed = (mutant.apply(self.program.rules[n]) for n in numbers if n in places)
        return nodes + [node for node in changed if node is not None]

    def probed(self, facts: str, shown: frozenset[str]) -> list[ast.AST]:
        """The slice with the probes of the mutants in it."""
        if self._probes is None:
            self._probes = {}
            for mutant in self.mutants:
                for position in self.positions[mutant.rule]:
                    for probe in _probes(mutant, self.program.rules[position]):
                        self._probes.setdefault(position, []).append((mutant.loose, probe))
        close = self.slice(facts, shown, False)
        wide = self.slice(facts, shown, True) if any(m.loose for m in self.mutants) else close
        nodes = self.nodes(wide, shown)
        probes = [probe for n in close for loose, probe in self._probes.get(n, ()) if not loose]
        probes += [probe for n in wide for loose, probe in self._probes.get(n, ()) if loose]
        return [*nodes, _SHOW_TOUCH, *probes]


_FACT = re.compile(r'((?:[^".]+|"(?:\\.|[^"\\])*")+)\.')


def _parsed(text: str) -> list[ast.AST]:
    out: list[ast.AST] = []
    ast.parse_string(text, out.append)
    return [node for node in out if node.ast_type != ASTType.Program]


(_SHOW_TOUCH,) = _parsed(f"#show {_TOUCH}/1.")


def _probes(mutant: Mutant, node: ast.AST) -> Iterator[ast.AST]:
    """Rules that say where a mutant derives something else than the rule."""
    (touch,) = _parsed(f"{_TOUCH}({mutant.number}).")
    if mutant.at < 0 or mutant.change == "negated":
        yield touch.update(body=node.body)
    if mutant.at >= 0:
        changed = mutant.apply(node)
        assert changed is not None
        body = list(changed.body)
        if node.head.ast_type == ASTType.Literal:
            body.append(node.head.update(sign=Sign.Negation))
        yield touch.update(body=body)


def _solve(nodes: Iterable[ast.AST], facts: str, limit: int = 0) -> tuple[list[Answer], set[int]]:
    """The answers of a program, and the mutants that its probes found touched."""
    errors: list[str] = []
    control = clingo.Control(
        ["--models=0", "--warn=none"], logger=lambda code, text: errors.append(text)
    )
    with ProgramBuilder(control) as builder:
        for node in nodes:
            builder.add(node)
    control.add("base", [], facts)
    control.ground([("base", [])])
    answers: list[Answer] = []
    touched: set[int] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            symbols = []
            for symbol in model.symbols(shown=True):
                if symbol.name == _TOUCH and len(symbol.arguments) == 1:
                    touched.add(symbol.arguments[0].number)
                else:
                    symbols.append(symbol)
            answers.append(Answer(symbols))
            if limit and len(answers) > limit:
                raise Runaway(f"more than {limit} answers")
    answers.sort(key=lambda answer: answer.key)
    return answers, touched


@contextmanager
def _timed(timed: bool) -> Iterator[None]:
    """Within it the process may take so much of the processor; then it is ended."""
    if timed:
        signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        yield
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_PROF, 0)


# --- what is asked of the programs, and what came -----------------------------------------------------

Key = tuple[str, str, frozenset[str]]  # the edition's entry, the facts, what is shown
Said = tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class View:
    """All that the engine says in the position of a ruling.

    ``verdicts``: by action, whether it is legal, and the rules; ``outcomes``: the positions that come
    of each action; ``told``: in what else an answer may differ, which no ruling can say.
    """

    verdicts: Mapping[str, tuple[bool, tuple[str, ...]]]
    outcomes: tuple[str, ...]
    told: Mapping[str, str]

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

    def rest(self, other: View) -> list[str]:
        """What else differs."""
        out = [part for part, said in self.told.items() if other.told[part] != said]
        return out + ["candidates"] * (self.verdicts.keys() != other.verdicts.keys())


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

    def program(self, entry: str, folder: Path | None = None) -> Edition:
        return self.editions[entry]

    def solve(
        self,
        rules: Edition,
        facts: str,
        limit: int = 0,
        check: Callable[[], None] | None = None,
        shown: Iterable[str] | None = None,
        sliced: bool = True,
    ) -> list[Answer]:
        """In place of `pyengine.solving.solve`."""
        names = frozenset(rules.program.shows if shown is None else shown)
        key = (rules.entry, facts, names)
        self.asked.append(key)
        if self.mutant is None:
            if key not in self.records:
                answers, touched = _solve(rules.probed(facts, names), facts)
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
            with _timed(self.timed):
                self._memo[key], _ = _solve(nodes, facts, _MODELS)
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
        state = ruling.state
        judged = list(self.engine.judge(state))
        mentioned = [*ruling.legal, *(action for action, _ in ruling.illegal)]
        trees = [self.engine.why(state, action) for action in mentioned]
        verdicts = {
            str(verdict.action): (
                verdict.legal,
                tuple(sorted({reason.rule for reason in verdict.because})),
            )
            for verdict in (*judged, *(tree.verdict for tree in trees))
        }
        positions: list[str] = []
        resolved: list[list[Outcome]] = []
        for resolution in ruling.resolve:
            try:
                outcomes = self.engine.resolve(state, resolution.action)
            except (IllegalAction, LimitError) as error:
                positions.append(repr(error))
                continue
            positions.append(_digest(sorted(repr(outcome.state) for outcome in outcomes)))
            resolved.append(outcomes)
        told = {
            "reasons": _digest(map(repr, judged)),
            "trees": _digest(map(repr, trees)),
            "choices": _digest(repr(outcome.choices) for each in resolved for outcome in each),
            "traces": _digest(repr(outcome.trace) for each in resolved for outcome in each),
            "ways": _digest(repr(outcome.ways) for each in resolved for outcome in each),
            "order": _digest(repr(outcome.state) for each in resolved for outcome in each),
        }
        return View(verdicts, tuple(positions), told)


# --- trying a mutant -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Result:
    """What came of a mutant. ``by``: the ruling that shows it; ``how``: what differs."""

    status: str
    by: str = ""
    how: str = ""


def attempt(
    bench: Bench, cases: Sequence[Case], mutant: Mutant, first: str = "", depth: int = 0
) -> Result:
    """Tries one mutant on the cases that it touches, ``first`` first.

    ``depth``: of more than so many, not all are tried; 0: always all.
    """
    touched = {key for key, record in bench.records.items() if mutant.key in record.touched}
    order = [case for case in cases if not touched.isdisjoint((*case.keys, *case.more))]
    if not order:
        return Result("unreached")
    order.sort(key=lambda case: case.seconds)
    if 0 < depth < len(order):
        some = order[:: -(-len(order) // depth)]
        order = [case for case in order if case.ruling.id == first] + some
    order.sort(key=lambda case: case.ruling.id != first)
    with bench.judging(mutant):
        different: dict[Key, bool] = {}

        def different_at(key: Key) -> bool:
            if key not in different:
                different[key] = bench.differs(key)
            return different[key]

        for case in order if not mutant.rule.tells else ():
            keys = [key for key in case.keys if key in touched]
            try:
                if not any(map(different_at, keys)):
                    continue
                bench.budget = _PATIENCE + 3 * len(case.keys)
                faults = bench.faults(case.ruling)
            except Exception as error:  # a breakdown is noticed, whatever it is
                return Result("killed", case.ruling.id, f"{type(error).__name__}: {error}"[:200])
            if faults:
                return Result("killed", case.ruling.id, faults[0][:200])
        found = Result("equivalent")
        for case in order:
            keys = [key for key in (*case.keys, *case.more) if key in touched]
            try:
                if not any(map(different_at, keys)):
                    continue
                bench.budget = _PATIENCE + 3 * (len(case.keys) + len(case.more))
                view = bench.view(case.ruling)
            except Exception as error:
                return Result("killed", case.ruling.id, f"{type(error).__name__}: {error}"[:200])
            parts = case.view.sayable(view)
            if parts:
                return Result("unproved", case.ruling.id, ", ".join(parts))
            rest = case.view.rest(view)
            if rest and found.status == "equivalent":
                found = Result("told", case.ruling.id, ", ".join(rest))
                if mutant.rule.tells:
                    return found
        return found


# --- many at a time ------------------------------------------------------------------------------


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    parent = os.getppid()
    while True:
        while not connection.poll(5):
            if os.getppid() != parent:
                return
        task = connection.recv()
        if task is None:
            return
        connection.send(work(task))


def spread(
    tasks: Sequence[Any], work: Callable[[Any], Any], jobs: int, late: Any = None
) -> Iterator[tuple[Any, Any]]:
    """Does tasks in forked processes, or here if there are no jobs.

    A task whose process was ended by the clock gives ``late``.
    """
    if not jobs:
        yield from ((task, work(task)) for task in tasks)
        return
    context = multiprocessing.get_context("fork")
    waiting = list(reversed(tasks))
    busy: dict[Any, tuple[Any, Any]] = {}

    def start() -> None:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        process.start()
        theirs.close()
        give(ours, process)

    def give(connection: Connection, process: Any) -> None:
        task = waiting.pop() if waiting else None
        connection.send(task)
        if task is None:
            process.join()
        else:
            busy[connection] = (process, task)

    for _ in range(min(jobs, len(tasks))):
        start()
    connection: Any
    while busy:
        for connection in wait(list(busy)):
            process, task = busy.pop(connection)
            try:
                answer = connection.recv()
            except EOFError:
                process.join()
                if process.exitcode != -signal.SIGPROF:
                    raise RuntimeError(f"a process ended at {task}: {process.exitcode}") from None
                yield task, late
                if waiting:
                    start()
            else:
                yield task, answer
                give(connection, process)


# --- between runs --------------------------------------------------------------------------------


class Memory:
    """Results of earlier runs, in a file of the folder for temporary files."""

    def __init__(self, content: str) -> None:
        folder = Path(tempfile.gettempdir()) / f"pyengine-mutations-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} is somebody else's")
        self.path = folder / "results.json"
        self.content = content
        try:
            known = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            known = {}
        self.hints: dict[str, str] = known.get("hints", {})
        same = known.get("content") == content
        self.killed: dict[str, list[str]] = known.get("killed", {}) if same else {}
        self.others: dict[str, list[str]] = known.get("others", {}) if same else {}

    def result(self, mutant: Mutant, marks: dict[str, str]) -> Result | None:
        """The result of an earlier run if it must be the same."""
        every = _digest(sorted(marks.values()))
        if mutant.key in self.killed:
            by, mark, how = self.killed[mutant.key]
            if marks.get(by) == mark:
                return Result("killed", by, how)
        if mutant.key in self.others:
            status, by, how, mark = self.others[mutant.key]
            if mark == every:
                return Result(status, by, how)
        return None

    def keep(self, mutant: Mutant, result: Result, marks: dict[str, str]) -> None:
        if result.status == "killed":
            self.killed[mutant.key] = [result.by, marks.get(result.by, ""), result.how]
            self.hints[mutant.key] = result.by
        else:
            every = _digest(sorted(marks.values()))
            self.others[mutant.key] = [result.status, result.by, result.how, every]

    def cases(self, keys: frozenset[str]) -> dict[str, Run]:
        """Rulings that ran with probes of these mutants, by their marks."""
        try:
            content, probed, runs = pickle.loads(self.path.with_suffix(".pickle").read_bytes())
        except (OSError, ValueError, pickle.PickleError, EOFError, AttributeError, TypeError):
            return {}
        return runs if content == self.content and keys <= probed else {}

    def keep_cases(
        self, keys: frozenset[str], cases: Sequence[Case], records: Mapping[Key, Record]
    ) -> None:
        runs = {
            _mark(case.ruling): (case, {key: records[key] for key in (*case.keys, *case.more)})
            for case in cases
        }
        new = self.path.with_suffix(f".{os.getpid()}")
        new.write_bytes(pickle.dumps((self.content, keys, runs)))
        new.replace(self.path.with_suffix(".pickle"))

    def save(self) -> None:
        known = {
            "content": self.content,
            "hints": self.hints,
            "killed": self.killed,
            "others": self.others,
        }
        new = self.path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(known), "utf-8")
        new.replace(self.path)


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _mark(ruling: Ruling) -> str:
    """What a ruling asks and says, as a digest."""
    return _digest(
        map(repr, (ruling.id, ruling.state, ruling.legal, ruling.illegal, ruling.resolve))
    )


# --- a run -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """The results of a run; ``failing``: rulings that fail without any change, not used."""

    results: tuple[tuple[Mutant, Result], ...]
    failing: tuple[str, ...]

    @property
    def unexplained(self) -> list[tuple[Mutant, Result]]:
        return [(m, r) for m, r in self.results if r.status in SURVIVORS and m.excuse is None]

    @property
    def stale(self) -> list[str]:
        """Comments for mutants of which none survives."""
        alive = {(m.rule, m.kind) for m, r in self.results if r.status in SURVIVORS}
        rules = {m.rule for m, _ in self.results}
        return [
            f"{rule.place}: {kind}"
            for rule in sorted(rules, key=lambda rule: (rule.file, rule.line))
            for kind in rule.excuses
            if (rule, kind) not in alive
        ]


def survey(
    editions: Sequence[str] = (),
    files: Sequence[str] = (),
    sample: int = 0,
    seed: int = 0,
    jobs: int = 1,
    depth: int = 0,
    fresh: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Report:
    """Makes the mutants and tries them."""
    root = data_folder("rules").parent
    folder = data_folder("rules") / "editions"
    names = list(editions) or sorted(path.stem for path in folder.glob("*.lp"))
    entries = [f"rules/editions/{name}.lp" for name in names]
    paths = dict.fromkeys(path for entry in entries for path in chapters(entry))
    rules = [rule for path in paths for rule in read_rules(path, path.relative_to(root).as_posix())]
    wanted = [rule for rule in rules if not files or rule.file in files]
    if sample:
        # drawn by what they say, so that a rule that comes or goes leaves the others in the sample
        drawn = sorted(wanted, key=lambda rule: _digest((str(seed), rule.file, str(rule.node))))
        wanted = sorted(drawn[:sample], key=lambda rule: (rule.file, rule.line))
    every = mutants(wanted)
    rulings = [
        ruling
        for ruling in load_rulings([data_folder("facts") / "rulings"])
        if ruling.edition in names
    ]
    marks = {ruling.id: _mark(ruling) for ruling in rulings}
    code = sorted((Path(pyengine.__file__).parent).glob("*.py"))
    statement = (f"{rule.file} {rule.node}" for rule in rules)
    memory = Memory(
        _digest([_FORM, *names, *statement, *(path.read_text("utf-8") for path in code)])
    )
    results: dict[int, Result] = {}
    if not fresh:
        for mutant in every:
            known = memory.result(mutant, marks)
            if known is not None:
                results[mutant.number] = known
    left = [mutant for mutant in every if mutant.number not in results]
    say(f"{len(wanted)} rules, {len(every)} mutants, {len(left)} to try on {len(rulings)} rulings")
    failing: list[str] = []
    if left:
        bench = Bench([Edition(entry, rules, left) for entry in entries])
        keys = frozenset(mutant.key for mutant in left)
        cases = _cases(bench, rulings, jobs, say, memory.cases(keys))
        memory.keep_cases(keys, cases, bench.records)
        failing = [case.ruling.id for case in cases if case.faults]
        cases = [case for case in cases if not case.faults]
        by_number = {mutant.number: mutant for mutant in left}

        bench.timed = jobs > 0

        def work(number: int) -> Result:
            mutant = by_number[number]
            return attempt(bench, cases, mutant, memory.hints.get(mutant.key, ""), depth)

        late = Result("killed", "", "it does not come to an end")
        began = saved = time.monotonic()
        for number, result in spread([m.number for m in left], work, jobs, late):
            results[number] = result
            memory.keep(by_number[number], result, marks)
            done = sum(m.number in results for m in left)
            if time.monotonic() - saved > 20:
                saved = time.monotonic()
                memory.save()
                say(f"{done} of {len(left)}, {saved - began:.0f} s")
        memory.save()
    return Report(tuple((mutant, results[mutant.number]) for mutant in every), tuple(failing))


def _cases(
    bench: Bench,
    rulings: Sequence[Ruling],
    jobs: int,
    say: Callable[[str], None],
    known: Mapping[str, Run],
) -> list[Case]:
    """Runs all rulings with the probes, where that is not known."""

    def work(number: int) -> Run:
        ruling = rulings[number]
        bench.records = {}
        with bench.judging(None):
            before = time.process_time()
            faults = bench.faults(ruling)
            keys = tuple(dict.fromkeys(bench.asked))
            seconds = time.process_time() - before
            bench.asked = []
            view = View({}, (), {}) if faults else bench.view(ruling)
            more = tuple(dict.fromkeys(bench.asked))
        return Case(ruling, faults, keys, more, view, seconds), bench.records

    out: dict[int, Case] = {}
    records: dict[Key, Record] = {}
    marks = [_mark(ruling) for ruling in rulings]
    for number, mark in enumerate(marks):
        if mark in known:
            out[number], found = known[mark]
            records.update(found)
    for number, answer in spread([n for n in range(len(rulings)) if n not in out], work, jobs):
        out[number], found = answer
        records.update(found)
        if len(out) % 100 == 0:
            say(f"{len(out)} of {len(rulings)} rulings")
    bench.records = records
    return [out[number] for number in sorted(out)]


# --- the command -----------------------------------------------------------------------------------


def told(report: Report) -> str:
    """The report for people: survivors, then the numbers."""
    lines: list[str] = []
    for status in SURVIVORS:
        for mutant, result in report.results:
            if result.status == status:
                lines.append(f"{status}: {mutant.rule.place}: {mutant.text}")
                lines.append(f"    {mutant.rule.node}")
                if result.by:
                    lines.append(f"    {result.by}: {result.how}")
                if mutant.excuse:
                    lines.append(f"    explained: {mutant.excuse}")
    lines += [f"fails unchanged, not used: {ruling}" for ruling in report.failing]
    lines += [f"explains nothing: {place}" for place in report.stale]
    counts = Counter(result.status for _, result in report.results)
    numbers = ", ".join(f"{counts[status]} {status}" for status in (*TOLD, *SURVIVORS))
    explained = sum(m.excuse is not None and r.status in SURVIVORS for m, r in report.results)
    rules = len({mutant.rule for mutant, _ in report.results})
    lines.append(
        f"{rules} rules, {len(report.results)} mutants: {numbers}; {explained} of the survivors explained"
    )
    return "\n".join(lines)


def document(report: Report) -> dict[str, Any]:
    """The report as JSON."""
    return {
        "failing": list(report.failing),
        "stale": report.stale,
        "counts": dict(Counter(result.status for _, result in report.results)),
        "mutants": [
            {
                "place": mutant.rule.place,
                "rule": str(mutant.rule.node),
                "mutant": mutant.text,
                "kind": mutant.kind,
                "status": result.status,
                "by": result.by,
                "how": result.how,
                "explained": mutant.excuse,
            }
            for mutant, result in report.results
        ],
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutations",
        description="Which rules could be removed or inverted without any ruling failing?",
    )
    parser.add_argument("--edition", action="append", default=[], help="one or more; else all")
    parser.add_argument(
        "--file", action="append", default=[], help="one or more; 508-516: what concerns these"
    )
    parser.add_argument("--sample", type=int, default=0, help="so many rules, drawn by the seed")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--depth", type=int, default=0, help="try a mutant on so many rulings at most; 0: on all"
    )
    parser.add_argument("--fresh", action="store_true", help="trust no earlier run")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    files = [file for name in given.file for file in (CONCERNED if name == "508-516" else (name,))]
    report = survey(
        given.edition,
        files,
        given.sample,
        given.seed,
        given.jobs,
        given.depth,
        given.fresh,
        say=lambda text: print(text, file=sys.stderr, flush=True),
    )
    if given.json:
        print(json.dumps(document(report), ensure_ascii=False, indent=1))
    else:
        print(told(report))
    return 1 if report.unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
