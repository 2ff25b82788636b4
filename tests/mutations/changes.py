"""The rules of a file, and the mutants of each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import clingo
from clingo import ast
from clingo.ast import ASTType, ComparisonOperator, ProgramBuilder, Sign

from pyengine.audit.placed import placed

KINDS = ("deleted", "weakened")

_NEGATED = {
    ComparisonOperator.LessThan: ComparisonOperator.GreaterEqual,
    ComparisonOperator.GreaterEqual: ComparisonOperator.LessThan,
    ComparisonOperator.GreaterThan: ComparisonOperator.LessEqual,
    ComparisonOperator.LessEqual: ComparisonOperator.GreaterThan,
    ComparisonOperator.Equal: ComparisonOperator.NotEqual,
    ComparisonOperator.NotEqual: ComparisonOperator.Equal,
}


@dataclass(frozen=True)
class Rule:
    """A rule as it stands in its file; a part of a program that is laid out has it several times."""

    file: str
    line: int
    node: ast.AST = field(compare=False)
    copies: tuple[ast.AST, ...] = field(compare=False, repr=False)
    excuses: Mapping[str, str] = field(compare=False)

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
    return [Rule(file, each.line, each.node, each.copies, each.excuses) for each in placed(path)]


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
