"""Rules taken apart: the terms, atoms and literals of a statement, as clingo prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, TypeAlias


class Var(NamedTuple):
    """A variable; `_` is one that occurs once."""

    name: str


class Fun(NamedTuple):
    """A function, a constant, a tuple (no name), a number (`#7`) or a string (with its quotes)."""

    name: str
    args: tuple[Term, ...] = ()

    @property
    def key(self) -> str:
        """What tells its shape from others."""
        return f"{self.name}/{len(self.args)}"


class Sum(NamedTuple):
    """Something worked out: a number. ``sign``: `+`, `-`, `*`, `/`, `|` or `..`; empty: unknown."""

    sign: str = ""
    args: tuple[Term, ...] = ()


Term: TypeAlias = Var | Fun | Sum
NUMBER = Sum()


# rules say the same again and again: one of each is enough, and little for the collector
@lru_cache(maxsize=16_384)
def variable(name: str) -> Var:
    """The variable of that name."""
    return Var(name)


@lru_cache(maxsize=65_536)
def function(name: str, args: tuple[Term, ...] = ()) -> Fun:
    """The function of that name and arguments."""
    return Fun(name, args)


@dataclass(frozen=True, slots=True)
class Lit:
    """An atom in a body. ``binds``: it must be true for the rule to have an instance."""

    atom: Fun
    binds: bool


@dataclass(slots=True)
class Clause:
    """One way to derive one atom; no ``head`` where a rule has only to be kept.

    ``narrow``: of a variable the shapes that it may have, as a mask.
    """

    head: Fun | None
    body: list[Lit] = field(default_factory=list)
    equal: list[tuple[Term, Term]] = field(default_factory=list)
    narrow: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Statement:
    """A statement taken apart. ``plain``: its head is one atom: leaving it out spoils nothing."""

    clauses: list[Clause]
    plain: bool = True


# --- reading what clingo prints ------------------------------------------------------------------

_TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|[_\']*[A-Za-z][A-Za-z0-9_\']*|_|#[a-z]+|\d+|:-|\.\.|!=|<=|>=|\*\*|\S'
)
_RELATIONS = {"=", "!=", "<", "<=", ">", ">="}
_SIGNS = {"+", "-", "*", "/", ".."}
_AGGREGATES = {"#sum", "#sum+", "#count", "#min", "#max"}
_NAME = re.compile(r"[_']*[a-z]")
_VARIABLE = re.compile(r"[_']*[A-Z]")


class Reader:
    """Reads one rule in the form in which clingo prints it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    def next(self) -> str:
        """The next token, taken."""
        token: str = self.tokens[self.at]
        self.at += 1
        return token

    def peek(self) -> str:
        """The next token; nothing at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        """Takes the next token if it is this one."""
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def expect(self, *tokens: str) -> str:
        """Takes one of these tokens. ValueError: another comes."""
        if self.peek() not in tokens:
            raise ValueError(f"slicing cannot read {self.text!r} at {self.tokens[self.at :][:5]}")
        return self.next()

    # terms

    def term(self) -> Term:
        """A term."""
        token = self.next()
        if token == "_":
            return variable("_")
        if token.isdigit():
            return function(f"#{token}")
        if token == "-":
            inner = self.term()
            if isinstance(inner, Fun) and inner.name[:1] == "#" and inner.name[1:].isdigit():
                return function(f"#-{inner.name[1:]}")
            return NUMBER
        if token == "(":
            return self.bracket()
        if token == "|":
            inner = self.term()
            return Sum("|", (inner,)) if self.expect("|") else NUMBER
        if token == "~":
            self.term()
            return NUMBER
        if token.startswith('"') or token in ("#inf", "#sup"):
            return function(token)
        if _VARIABLE.match(token):
            return variable(token)
        if _NAME.match(token):
            return function(token, tuple(self.list(")")) if self.take("(") else ())
        self.at -= 1
        self.expect("a term")
        raise AssertionError

    def bracket(self) -> Term:
        """A tuple, or a sum in brackets."""
        if self.take(")"):
            return function("")
        first = self.term()
        if self.take(")"):
            return first
        if self.take(","):
            if self.take(")"):
                return function("", (first,))
            return function("", (first, *self.list(")")))
        if self.peek() in _SIGNS:
            sign, second = self.next(), self.term()
            if self.take(")"):
                return Sum(sign, (first, second))
        depth = 1
        while depth:
            token = self.next()
            depth += (token == "(") - (token == ")")
        return NUMBER

    def list(self, end: str) -> Iterator[Term]:
        """Terms up to the end of their list."""
        if self.take(end):
            return
        yield self.term()
        while self.expect(",", end) == ",":
            yield self.term()

    # literals

    def literal(self, clause: Clause, binds: bool) -> None:
        """One literal of a body into the clause."""
        sign = 0
        while self.take("not"):
            sign += 1
        binds = binds and not sign
        if self.peek() in ("#true", "#false"):
            self.next()
            return
        if self.peek() in _AGGREGATES or self.peek() == "{":
            self.aggregate(clause)
            return
        left = self.term()
        if self.peek() not in _RELATIONS:
            if not isinstance(left, Fun):
                self.expect("an atom")
            assert isinstance(left, Fun)
            clause.body.append(Lit(left, binds))
            return
        relation = self.next()
        if self.peek() in _AGGREGATES or self.peek() == "{":
            number = self.peek() in ("#sum", "#sum+", "#count")
            self.aggregate(clause)
            if binds and relation == "=" and number:
                clause.equal.append((left, NUMBER))
            return
        right = self.term()
        single = self.peek() not in _RELATIONS
        while self.peek() in _RELATIONS:
            self.next()
            self.term()
        if binds and relation == "=" and single:
            clause.equal.append((left, right))

    def aggregate(self, clause: Clause) -> None:
        """An aggregate of a body: nothing in it must be true."""
        tuples = self.peek() in _AGGREGATES
        if tuples:
            self.next()
        self.expect("{")
        inner = Clause(None)
        while not self.take("}"):
            # terms or a literal before the colon, a condition after it
            if not tuples:
                self.literal(inner, False)
            elif self.peek() != ":":
                self.term()
                while self.take(","):
                    self.term()
            if self.take(":"):
                self.condition(inner, False)
            self.take(";")
        clause.body.extend(inner.body)
        if self.peek() in _RELATIONS:
            self.next()
            self.term()

    def condition(self, clause: Clause, binds: bool) -> None:
        """What follows a colon."""
        if self.peek() in (";", "}", ".", ":-"):
            return
        self.literal(clause, binds)
        while self.take(","):
            self.literal(clause, binds)

    def body(self, clause: Clause) -> None:
        """What follows the arrow, to the stop."""
        while True:
            mark, equals = len(clause.body), len(clause.equal)
            self.literal(clause, True)
            if self.take(":"):
                clause.body[mark:] = [Lit(each.atom, False) for each in clause.body[mark:]]
                del clause.equal[equals:]
                self.condition(clause, False)
            if self.expect(";", ".") == ".":
                return

    def statement(self) -> Statement:
        """The whole rule."""
        heads: list[Clause] = []
        plain = True
        if self.peek() == "#false":
            self.next()
            plain = False
        elif "{" in self.tokens[: self.tokens.index(":-") if ":-" in self.tokens else None]:
            plain = False
            if self.peek() != "{":
                self.term()
                self.expect(*_RELATIONS)
            self.expect("{")
            while not self.take("}"):
                heads.append(self.head())
                self.take(";")
            if self.peek() in _RELATIONS:
                self.next()
                self.term()
        else:
            heads.append(self.head())
            while self.take(";"):
                plain = False
                heads.append(self.head())
        body = Clause(None)
        if self.expect(":-", ".") == ":-":
            self.body(body)
        clauses = [
            Clause(head.head, body.body + head.body, body.equal + head.equal) for head in heads
        ]
        if not plain:
            clauses.append(body)
        return Statement(clauses, plain)

    def head(self) -> Clause:
        """An atom of a head with its condition."""
        atom = self.term()
        assert isinstance(atom, Fun)
        clause = Clause(atom)
        if self.take(":"):
            self.condition(clause, True)
        return clause


def read_statement(text: str) -> Statement:
    """One rule, as clingo prints it.

    >>> [clause.head.key for clause in read_statement("a(X) :- b(X,f(_)); not c.").clauses]
    ['a/1']
    """
    return Reader(text).statement()
