"""The rules of one file: where each stands, and which of its mutants a comment explains."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clingo import ast
from clingo.ast import ASTType

from pyengine.solving import RulesError, statements

_INCLUDE = re.compile(r"^#include\s.*$", re.MULTILINE)
_EXCUSE = re.compile(
    r"%\s*mutant:\s*((?:deleted|weakened)(?:\s*,\s*(?:deleted|weakened))*):\s*(.+)"
)


@dataclass(frozen=True, slots=True)
class Placed:
    """A rule as it stands in its file.

    Args:
        line: from 1.
        node: as it is written.
        copies: the rule for clingo; of a part that is laid out for several rounds, one for each.
        excuses: why nothing needs it (``deleted``) or all of it (``weakened``), where a comment
            says so: ``% mutant: deleted, weakened: why``.
    """

    line: int
    node: ast.AST
    copies: tuple[ast.AST, ...]
    excuses: Mapping[str, str]


def placed(path: Path) -> list[Placed]:
    """The rules of a file, in order.

    Raises:
        RulesError: clingo cannot read it, or a comment on mutants is none.
    """
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    parts: list[tuple[bool, list[ast.AST]]] = [(False, [])]

    def take(node: ast.AST) -> None:
        if node.ast_type == ASTType.Program:
            parts.append((bool(node.parameters), []))
        elif node.ast_type != ASTType.Comment:
            parts[-1][1].append(node)

    laid_out = statements(path)  # says what is wrong with the file
    ast.parse_string(_INCLUDE.sub("", text), take)
    plain = sum(len(nodes) for several, nodes in parts if not several)
    repeated = sum(len(nodes) for several, nodes in parts if several)
    rounds = (len(laid_out) - plain) // repeated if repeated else 1
    out: list[Placed] = []
    start = 0
    for several, nodes in parts:
        times = rounds if several else 1
        for at, node in enumerate(nodes):
            if node.ast_type == ASTType.Rule:
                copies = tuple(laid_out[start + at + k * len(nodes)] for k in range(times))
                line = node.location.begin.line
                out.append(Placed(line, node, copies, _excuses(lines, line, path.name)))
        start += times * len(nodes)
    if start != len(laid_out):
        raise RulesError(f"{path.name}: {start} statements read, {len(laid_out)} laid out")
    return out


def _excuses(lines: Sequence[str], line: int, file: str) -> dict[str, str]:
    """What the comments directly before a line (from 1) say of mutants, by kind."""
    out: dict[str, str] = {}
    at = line - 2
    while at >= 0 and lines[at].startswith("%"):
        if "mutant:" in lines[at]:
            match = _EXCUSE.match(lines[at])
            if match is None:
                raise RulesError(f"{file}:{at + 1}: not `% mutant: deleted, weakened: why`")
            out.update({kind.strip(): match[2] for kind in match[1].split(",")})
        at -= 1
    return out
