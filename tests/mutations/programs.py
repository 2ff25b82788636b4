"""The program of an edition, with the probes of its mutants, and as a mutant has it."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import clingo
from clingo import ast
from clingo.ast import ASTType, ProgramBuilder, Sign

from pyengine.documents import data_folder
from pyengine.slicing import Kind, Slicer
from pyengine.solving import Answer, Program, chapters, statements
from tests.mutations.changes import Mutant, Rule

TOUCH = "touch"
# what a mutant may take for one question, of the processor and of memory
SECONDS = 30.0


class Runaway(Exception):
    """A mutant does not come to an end."""


class Edition:
    """The program of an edition, as `pyengine.engine` meets it, and what is made of it."""

    functions = False  # clingo runs the rules

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
            self._slices[key] = slicer.slice(kind, shown).statements
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
        return [*nodes, _SHOWTOUCH, *probes]


_FACT = re.compile(r'((?:[^".]+|"(?:\\.|[^"\\])*")+)\.')


def _parsed(text: str) -> list[ast.AST]:
    out: list[ast.AST] = []
    ast.parse_string(text, out.append)
    return [node for node in out if node.ast_type != ASTType.Program]


(_SHOWTOUCH,) = _parsed(f"#show {TOUCH}/1.")


def _probes(mutant: Mutant, node: ast.AST) -> Iterator[ast.AST]:
    """Rules that say where a mutant derives something else than the rule."""
    (touch,) = _parsed(f"{TOUCH}({mutant.number}).")
    if mutant.at < 0 or mutant.change == "negated":
        yield touch.update(body=node.body)
    if mutant.at >= 0:
        changed = mutant.apply(node)
        assert changed is not None
        body = list(changed.body)
        if node.head.ast_type == ASTType.Literal:
            body.append(node.head.update(sign=Sign.Negation))
        yield touch.update(body=body)


def solve(nodes: Iterable[ast.AST], facts: str, limit: int = 0) -> tuple[list[Answer], set[int]]:
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
                if symbol.name == TOUCH and len(symbol.arguments) == 1:
                    touched.add(symbol.arguments[0].number)
                else:
                    symbols.append(symbol)
            answers.append(Answer(symbols))
            if limit and len(answers) > limit:
                raise Runaway(f"more than {limit} answers")
    answers.sort(key=lambda answer: answer.key)
    return answers, touched


@contextmanager
def timed(on: bool) -> Iterator[None]:
    """Within it the process may take so much of the processor; then it is ended."""
    if on:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        if on:
            signal.setitimer(signal.ITIMER_PROF, 0)
