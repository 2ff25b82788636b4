"""Which norm can overcome which, and by what principle: read off the rules, before any question.

The rules derive `defeats(A, R, By, R', By', L)`: in the verdict on A rule R overcame rule R' by
principle L. `possible` works out which R, R', L can come together. Like `slicing` it goes by
*shapes*, the outermost functor of a term, but it keeps those of one atom together, and looks only
at what is said of declarations; of abilities and filters anything is assumed. A `not` counts only
where facts alone decide. So what it finds is a superset of what a position can show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import clingo
from clingo import ast
from clingo.ast import ASTType, ComparisonOperator, Sign

from pyengine.documents import data_folder
from pyengine.solving import chapters, statements

# the chapters that speak of declarations, besides the edition's own
_CHAPTERS = frozenset(
    {
        "rules.lp",
        *(
            f"rules/{name}.lp"
            for name in (
                "declare",
                "legality",
                "main_phase",
                "cells",
                "game_actions",
                "simple_strike",
            )
        ),
    }
)
_WANTED = ("defeats", 6)
# any shape at all
_ANY = ""

Shapes = tuple[str, ...]
Known = dict[str, str]
Predicate = tuple[str, int]


class Edge(NamedTuple):
    """Rule ``rule`` overcomes rule ``over`` by ``principle``: 511.1, 524.1 or 524.2."""

    rule: str
    over: str
    principle: str


@dataclass(frozen=True, slots=True)
class _Clause:
    """A rule, with what of its body is looked at."""

    head: ast.AST
    body: tuple[ast.AST, ...]
    equal: tuple[tuple[ast.AST, ast.AST], ...]
    unequal: tuple[tuple[ast.AST, ast.AST], ...]
    unless: tuple[ast.AST, ...]


@lru_cache
def possible(edition: str, folder: Path | None = None) -> frozenset[Edge]:
    """The edges that the rules of an edition can show; ``folder``: that has the rules."""
    root = folder or data_folder("rules").parent
    every: list[ast.AST] = []
    spoken: set[Predicate] = set()
    for path in chapters(f"rules/editions/{edition}.lp", folder):
        file = path.relative_to(root).as_posix()
        for node in statements(path):
            if node.ast_type == ASTType.Rule and node.head.ast_type == ASTType.Literal:
                every += node.unpool()
                if file in _CHAPTERS or file.startswith("rules/editions/"):
                    spoken |= {_predicate(node.head.atom)} - {None}  # type: ignore[arg-type]
    rules = [node for node in every if _predicate(node.head.atom) in spoken]
    plain = {_predicate(node.head.atom) for node in rules}
    plain -= {_predicate(node.head.atom) for node in rules if node.body}
    clauses = _needed([_clause(node, spoken, plain) for node in rules])
    found = _spread(clauses)[_WANTED]
    return frozenset(
        Edge(*(shape.strip('"') for shape in (shapes[1], shapes[3], shapes[5]))) for shapes in found
    )


def _clause(rule: ast.AST, spoken: set[Predicate], plain: set[Predicate | None]) -> _Clause:
    """A rule taken apart."""
    body: list[ast.AST] = []
    equal, unequal, unless = [], [], []
    for literal in rule.body:
        if literal.ast_type != ASTType.Literal:
            continue
        atom = literal.atom
        if atom.ast_type == ASTType.SymbolicAtom and _predicate(atom) in spoken:
            if literal.sign == Sign.NoSign:
                body.append(atom.symbol)
            elif _predicate(atom) in plain:
                unless.append(atom.symbol)
        elif atom.ast_type == ASTType.Comparison and len(atom.guards) == 1:
            (guard,) = atom.guards
            if guard.comparison == ComparisonOperator.Equal:
                equal.append((atom.term, guard.term))
            elif guard.comparison == ComparisonOperator.NotEqual:
                unequal.append((atom.term, guard.term))
    return _Clause(rule.head.atom.symbol, tuple(body), tuple(equal), tuple(unequal), tuple(unless))


def _needed(clauses: Sequence[_Clause]) -> list[_Clause]:
    """The rules that lead to what is wanted."""
    wanted, grown = {_WANTED}, True
    while grown:
        more = {
            _name(atom) for c in clauses if _name(c.head) in wanted for atom in (*c.body, *c.unless)
        }
        grown = not more <= wanted
        wanted |= more
    return [clause for clause in clauses if _name(clause.head) in wanted]


def _spread(clauses: Sequence[_Clause]) -> dict[Predicate, set[Shapes]]:
    """The shapes that come together in the atoms of each predicate."""
    found: dict[Predicate, set[Shapes]] = {_name(clause.head): set() for clause in clauses}
    grown = True
    while grown:
        grown = False
        for clause in clauses:
            there = found[_name(clause.head)]
            for shapes in set(_instances(clause, found)):
                if not any(_covers(wide, shapes) for wide in there):
                    there -= {narrow for narrow in there if _covers(shapes, narrow)}
                    there.add(shapes)
                    grown = True
    return found


def _instances(clause: _Clause, found: dict[Predicate, set[Shapes]]) -> Iterator[Shapes]:
    """What a rule derives from what has been found."""
    every: list[Known] = [{}]
    for _ in range(2):  # an equation may learn from another
        for left, right in clause.equal:
            every = [new for known in every if (new := _equate(left, right, known)) is not None]
    for atom in clause.body:
        every = [
            new
            for known in every
            for shapes in found.get(_name(atom), ())
            if (new := _match(atom.arguments, shapes, known)) is not None
        ]
        every = [dict(items) for items in dict.fromkeys(tuple(sorted(k.items())) for k in every)]
    for known in every:
        if any(_same(left, right, known) for left, right in clause.unequal):
            continue
        if any(_holds(atom, found, known) for atom in clause.unless):
            continue
        yield tuple(_shape(term, known) for term in clause.head.arguments)


def _shape(term: ast.AST, known: Known) -> str:
    """The outermost functor of a term, as far as it is known."""
    if term.ast_type == ASTType.Variable:
        return known.get(term.name, _ANY)
    if term.ast_type == ASTType.Function:
        return f"{term.name}/{len(term.arguments)}"
    if term.ast_type == ASTType.SymbolicTerm:
        symbol = term.symbol
        if symbol.type == clingo.SymbolType.Function:
            return f"{symbol.name}/{len(symbol.arguments)}"
        if symbol.type == clingo.SymbolType.String:
            return f'"{symbol.string}"'
    return _ANY


def _meet(term: ast.AST, shape: str, known: Known) -> Known | None:
    """What is known if a term has this shape; None if it cannot have it."""
    own = _shape(term, known)
    if _ANY not in (own, shape) and own != shape:
        return None
    if term.ast_type == ASTType.Variable and term.name != "_" and own == _ANY != shape:
        return {**known, term.name: shape}
    return known


def _match(terms: Iterable[ast.AST], shapes: Shapes, known: Known) -> Known | None:
    for term, shape in zip(terms, shapes, strict=True):
        new = _meet(term, shape, known)
        if new is None:
            return None
        known = new
    return known


def _equate(left: ast.AST, right: ast.AST, known: Known) -> Known | None:
    new = _meet(left, _shape(right, known), known)
    return None if new is None else _meet(right, _shape(left, new), new)


def _same(left: ast.AST, right: ast.AST, known: Known) -> bool:
    """Whether both are one constant, or both of a form: `D != defend(C)` is asked of D's own C."""
    shapes = {_shape(left, known), _shape(right, known)}
    return len(shapes) == 1 and _ANY not in shapes


def _holds(atom: ast.AST, found: dict[Predicate, set[Shapes]], known: Known) -> bool:
    """Whether a fact says it, of whatever is not told apart here."""
    own = [_shape(term, known) for term in atom.arguments]
    named = [n for n, term in enumerate(atom.arguments) if str(term) != "_"]
    return all(own[n] != _ANY for n in named) and any(
        all(own[n] == shapes[n] for n in named) for shapes in found.get(_name(atom), ())
    )


def _covers(wide: Shapes, narrow: Shapes) -> bool:
    return all(a in (_ANY, b) for a, b in zip(wide, narrow, strict=True))


def _name(symbol: ast.AST) -> Predicate:
    return symbol.name, len(symbol.arguments)


def _predicate(atom: ast.AST) -> Predicate | None:
    if atom.ast_type != ASTType.SymbolicAtom or atom.symbol.ast_type != ASTType.Function:
        return None
    return _name(atom.symbol)
