"""The rules of an edition one by one: where each stands, what it cites, how it is laid out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from clingo import ast
from clingo.ast import ASTType

from pyengine.audit.placed import placed
from pyengine.kinds import data_folder
from pyengine.rulebook import rulebook
from pyengine.solving import chapters, turn

_CITED = re.compile(r"5[0-9]{2}[PV]?(?:\.[0-9]+)*|(?:base|keyword)\.[a-z_]+")


@dataclass(frozen=True, slots=True)
class Source:
    """A rule as it stands in its file.

    Args:
        number: of the edition, from 0.
        file: told from the folder of the project, or of the author.
        line: from 1.
        cites: the rules of the rulebook that it encodes, as far as it says so.
        text: the rule.
        theirs: whether it stands in a chapter of the author.
        excused: whether a comment before it says why it stands although nothing needs it:
            ``% mutant: deleted: why``.
        copies: the rule for clingo; of a part that is laid out for several rounds, one for each.
    """

    number: int
    file: str
    line: int
    cites: tuple[str, ...]
    text: str
    theirs: bool
    excused: bool
    copies: tuple[ast.AST, ...] = field(compare=False, repr=False)

    @property
    def where(self) -> str:
        """What it says it encodes, and where it stands."""
        place = f"{self.file}:{self.line}"
        return f"{', '.join(self.cites)} ({place})" if self.cites else place

    @property
    def head(self) -> str:
        """The predicate that it derives, with its arity; "" of a choice."""
        return signature(self.copies[0].head)


def listed(some: Iterable[Source]) -> str:
    """What rules say they encode, and where they stand, one after another."""
    return ", ".join(each.where for each in some)


def signature(head: ast.AST) -> str:
    """The predicate of a head that is one atom."""
    if head.ast_type != ASTType.Literal or head.atom.ast_type != ASTType.SymbolicAtom:
        return ""
    return predicate(head.atom.symbol)


def predicate(symbol: ast.AST) -> str:
    """The predicate of an atom; of a pool of several the first."""
    if symbol.ast_type == ASTType.Pool:
        return predicate(symbol.arguments[0])
    if symbol.ast_type == ASTType.UnaryOperation:
        return "-" + predicate(symbol.argument)
    return f"{symbol.name}/{len(symbol.arguments)}"


class _Atoms(ast.Transformer):
    """Gathers the atoms of statements."""

    def __init__(self) -> None:
        self.found: list[ast.AST] = []

    def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802
        """An atom."""
        self.found.append(node.symbol)
        return node


def atoms(*statements: ast.AST) -> list[ast.AST]:
    """All atoms in statements, or in parts of them."""
    gathered = _Atoms()
    for statement in statements:
        gathered.visit(statement)
    return gathered.found


def predicates(statement: ast.AST) -> frozenset[str]:
    """The predicates of all atoms in a statement, its head among them."""
    return frozenset(map(predicate, atoms(statement)))


# of each argument of an atom its outermost functor, as far as the rule says it; None: anything
Shapes = tuple[str | None, ...]


def gives(rule: ast.AST) -> Shapes | None:
    """What the head of a rule looks like; None if that is not one plain atom."""
    if rule.head.ast_type != ASTType.Literal:
        return None
    head = rule.head.atom.symbol
    return _shapes(head, _equals(rule)) if head.ast_type == ASTType.Function else None


def asks(rule: ast.AST) -> list[tuple[str, Shapes | None]]:
    """The atoms in the body of a rule: their predicates, and what they look like."""
    known = _equals(rule)
    return [
        (predicate(atom), _shapes(atom, known) if atom.ast_type == ASTType.Function else None)
        for atom in atoms(*rule.body)
    ]


def may_meet(given: Shapes | None, wanted: Shapes | None) -> bool:
    """Whether the head of one rule can be what an atom in the body of another asks for."""
    if given is None or wanted is None:
        return True
    return all(
        one is None or other is None or one == other
        for one, other in zip(given, wanted, strict=True)
    )


def _shapes(atom: ast.AST, known: dict[str, ast.AST]) -> Shapes:
    return tuple(_shape(known.get(str(each), each)) for each in atom.arguments)


def _shape(term: ast.AST) -> str | None:
    if term.ast_type == ASTType.Function:
        return f"{term.name}({len(term.arguments)}"
    return str(term) if term.ast_type == ASTType.SymbolicTerm else None


def _equals(rule: ast.AST) -> dict[str, ast.AST]:
    """What variables equal, by name, as far as a comparison of the body says it."""
    found: dict[str, ast.AST] = {}
    for literal in rule.body:
        if literal.ast_type != ASTType.Literal or literal.atom.ast_type != ASTType.Comparison:
            continue
        left, (guard, *more) = literal.atom.term, literal.atom.guards
        if guard.comparison == ast.ComparisonOperator.Equal and not more and not literal.sign:
            found[str(left)] = guard.term
    return found


@lru_cache(maxsize=8)
def sources(edition: str, folder: Path | None = None) -> tuple[Source, ...]:
    """Every rule of an edition with its place, in the order of the program."""
    out: list[Source] = []
    with turn():
        for path in chapters(f"rules/editions/{edition}.lp", folder):
            theirs = folder is not None and path.is_relative_to(folder)
            out += _read(path, named(path, folder), theirs, len(out))
    return tuple(out)


def standing_alone(edition: str, folder: Path | None) -> Iterator[Source]:
    """The rules of an edition that may be told to be dead.

    Chapters that heroes has too are answered for there: its rulings are the most.
    """
    common = {s.file for s in sources("heroes")} if edition != "heroes" else set()
    for source in sources(edition, folder):
        if source.theirs or source.file not in common:
            yield source


def named(path: Path, folder: Path | None) -> str:
    """A chapter as a person would name it."""
    roots = (
        [data_folder("rules").parent] if folder is None else [folder, data_folder("rules").parent]
    )
    for root in roots:
        if path.is_relative_to(root):
            return path.relative_to(root).as_posix()
    return path.name


def _read(path: Path, file: str, theirs: bool, first: int) -> Iterator[Source]:
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, rule in enumerate(placed(path), first):
        cites = _cites(rule.node, lines, rule.line)
        excused = "deleted" in rule.excuses
        text = str(rule.node)
        yield Source(number, file, rule.line, cites, text, theirs, excused, rule.copies)


def _cites(node: ast.AST, lines: list[str], line: int) -> tuple[str, ...]:
    """What the rule names itself, else what the comment before it begins with."""
    known = rulebook()
    said = [word for word in re.findall(r'"([^"]*)"', str(node.head)) if word in known]
    if said:
        return tuple(dict.fromkeys(said))
    for at in range(line - 2, -1, -1):
        text = lines[at].strip()
        if not text.startswith("%"):
            continue
        found = [word for word in _CITED.findall(text) if word in known]
        if found:
            return tuple(dict.fromkeys(found))
        if text.startswith("% ---"):
            break
    return ()
