"""The clingo controls: rule files parsed once, a control a question, models as plain text.

Parsing costs as much as grounding, so each chapter is parsed once for a process and its
statements are added to a fresh control for every question. Nothing of a question outlives it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

import clingo
from clingo import ast
from clingo.ast import ASTType, ProgramBuilder, Transformer

from pyengine.kinds import data_folder
from pyengine.model import PyengineError

# `#program filters(round)` is laid out once for each round of abilities.lp
_ROUNDS = 3
_INCLUDE = re.compile(r'^#include\s+"([^"]+)"\.', re.MULTILINE)


class RulesError(PyengineError):
    """clingo had something to say about the rules: no message of any kind is tolerated."""


class _Round(Transformer):  # type: ignore[misc]
    """Puts a number in place of the parameter of a program part."""

    def __init__(self, parameter: str, number: int) -> None:
        self.parameter = parameter
        self.number = number

    def visit_SymbolicTerm(self, node: ast.AST) -> ast.AST:  # noqa: N802
        symbol = node.symbol
        if symbol.type == clingo.SymbolType.Function and symbol.name == self.parameter:
            return ast.SymbolicTerm(node.location, clingo.Number(self.number))
        return node


def chapters(entry: str, folder: Path | None = None) -> list[Path]:
    """The files that an entry file includes, itself last, each once, in order."""
    root = folder or data_folder("rules").parent
    seen: list[Path] = []

    def walk(path: Path) -> None:
        if path in seen:
            return
        text = path.read_text(encoding="utf-8")
        for included in _INCLUDE.findall(text):
            walk(root / included)
        seen.append(path)

    walk(root / entry)
    return seen


def statements(path: Path) -> list[ast.AST]:
    """The statements of a rule file, program parts laid out."""
    text = _INCLUDE.sub("", path.read_text(encoding="utf-8"))
    out: list[ast.AST] = []
    parameter: str | None = None
    messages: list[str] = []

    def add(node: ast.AST) -> None:
        nonlocal parameter
        if node.ast_type == ASTType.Program:
            parameter = node.parameters[0].name if node.parameters else None
        elif parameter is None:
            out.append(node)
        else:
            out.extend(_Round(parameter, number).visit(node) for number in range(_ROUNDS))

    try:
        ast.parse_string(text, add, logger=lambda code, msg: messages.append(msg))
    except RuntimeError as error:
        raise RulesError(f"{path.name}: {'; '.join(messages) or error}") from error
    if messages:
        raise RulesError(f"{path.name}: {'; '.join(messages)}")
    return out


@lru_cache(maxsize=16)
def program(entry: str, folder: Path | None = None) -> tuple[ast.AST, ...]:
    """All statements of an entry file with its includes."""
    out: list[ast.AST] = []
    for path in chapters(entry, folder):
        out.extend(statements(path))
    return tuple(out)


Row = tuple[clingo.Symbol, ...]


class Answer:
    """One answer set: the shown atoms by predicate, each a row of symbols, in a fixed order."""

    __slots__ = ("_rows", "key")

    def __init__(self, symbols: Sequence[clingo.Symbol]) -> None:
        named = sorted((str(symbol), symbol) for symbol in symbols)
        self.key = tuple(text for text, _ in named)
        self._rows: dict[str, list[Row]] = {}
        for _, symbol in named:
            self._rows.setdefault(symbol.name, []).append(tuple(symbol.arguments))

    def __getitem__(self, predicate: str) -> list[Row]:
        return self._rows.get(predicate, [])


def solve(
    rules: Sequence[ast.AST],
    facts: str,
    limit: int = 0,
    check: Callable[[], None] | None = None,
) -> list[Answer]:
    """Every answer set of the rules with the facts, in a fixed order.

    Args:
        rules: the statements, from ``program``.
        facts: ASP text.
        limit: stop after so many answers; 0 is none.
        check: called after each answer; raises to stop.
    """
    messages: list[str] = []
    control = clingo.Control(["--models=0"], logger=lambda code, text: messages.append(text))
    with ProgramBuilder(control) as builder:
        for node in rules:
            builder.add(node)
        ast.parse_string(facts, builder.add)
    control.ground([("base", [])])
    if messages:
        raise RulesError("; ".join(messages))
    found: list[Answer] = []
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.append(Answer(model.symbols(shown=True)))
            if check is not None:
                check()
            if limit and len(found) >= limit:
                break
    found.sort(key=lambda answer: answer.key)
    return found
