"""All of a rule, as it is written: what `compiling` makes functions of.

`clauses` reads of a rule what slicing asks of it; here nothing is left out. What is not read:
heads of more than one atom, but for choices of exactly one; aggregates other than `#sum` and
`#count`; `not not`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pyengine.clauses import Fun, Reader, Term, Var

_SWAPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "!=": "!="}
_RELATIONS = frozenset(_SWAPPED)


class Unreadable(Exception):
    """A rule, or a fact, that only clingo reads."""


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom, or that it does not hold."""

    atom: Fun
    holds: bool = True


@dataclass(frozen=True, slots=True)
class Compared:
    """Terms, each compared with the next."""

    terms: tuple[Term, ...]
    signs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    """What must hold of all that the condition holds of."""

    literal: Literal
    condition: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A sum or a count: ``guards`` compare a term with it."""

    function: str
    elements: tuple[tuple[tuple[Term, ...], tuple[Literal, ...]], ...]
    guards: tuple[tuple[Term, str], ...]


Literal: TypeAlias = Atom | Compared | Conditional | Aggregate


@dataclass(frozen=True, slots=True)
class Written:
    """A rule. ``chosen``: the condition of a choice of exactly one."""

    head: Fun
    body: tuple[Literal, ...]
    chosen: tuple[Literal, ...] | None = None


class _Whole(Reader):
    """Reads all of a rule."""

    def whole(self) -> Written:
        try:
            return self._whole()
        except (ValueError, IndexError, AssertionError) as error:
            raise Unreadable(self.text) from error

    def _whole(self) -> Written:
        chosen: tuple[Literal, ...] | None = None
        if self.peek() == "1":
            for token in ("1", "=", "{"):
                self.expect(token)
            head = self.term()
            self.expect(":")
            chosen = self._conditions("}")
            self.expect("}")
        else:
            head = self.term()
        if not isinstance(head, Fun):
            raise Unreadable(self.text)
        body: list[Literal] = []
        if self.expect(":-", ".") == ":-":
            while True:
                literal = self._literal()
                if self.take(":"):
                    literal = Conditional(literal, self._conditions(";", "."))
                body.append(literal)
                if self.expect(";", ".") == ".":
                    break
        return Written(head, tuple(body), chosen)

    def _conditions(self, *ends: str) -> tuple[Literal, ...]:
        out: list[Literal] = []
        if self.peek() not in ends:
            out.append(self._literal())
            while self.take(","):
                out.append(self._literal())
        return tuple(out)

    def _literal(self) -> Literal:
        if self.peek() in ("#sum", "#count"):
            return self._aggregate(())
        if self.take("not"):
            if self.peek() == "not":
                raise Unreadable(self.text)
            atom = self.term()
            if not isinstance(atom, Fun) or self.peek() in _RELATIONS:
                raise Unreadable(self.text)
            return Atom(atom, False)
        left = self.term()
        if self.peek() not in _RELATIONS:
            if not isinstance(left, Fun) or not left.name[:1].isalpha():
                raise Unreadable(self.text)
            return Atom(left)
        terms, signs = [left], []
        while self.peek() in _RELATIONS:
            signs.append(self.next())
            if self.peek() in ("#sum", "#count") and len(terms) == 1:
                return self._aggregate(((left, signs[0]),))
            terms.append(self.term())
        return Compared(tuple(terms), tuple(signs))

    def _aggregate(self, guards: tuple[tuple[Term, str], ...]) -> Aggregate:
        function = self.next()
        self.expect("{")
        elements = []
        while not self.take("}"):
            terms = [self.term()]
            while self.take(","):
                terms.append(self.term())
            condition = self._conditions(";", "}") if self.take(":") else ()
            elements.append((tuple(terms), condition))
            self.take(";")
        if self.peek() in _RELATIONS:
            sign = self.next()
            guards = (*guards, (self.term(), _SWAPPED[sign]))
        if not guards:
            raise Unreadable(self.text)
        return Aggregate(function, tuple(elements), guards)


def written(text: str) -> Written:
    """A rule, as clingo prints it, pools laid out.

    Raises:
        Unreadable: it is not of the part of the language that is read here.
    """
    return _Whole(text).whole()


def put(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with these in place of variables."""
    if isinstance(term, Var):
        return values.get(term.name, term)
    return term._replace(args=tuple(put(arg, values) for arg in term.args))


def put_into(literal: Literal, values: Mapping[str, Term]) -> Literal:
    """The literal with these in place of variables."""
    match literal:
        case Atom(atom, holds):
            found = put(atom, values)
            assert isinstance(found, Fun)
            return Atom(found, holds)
        case Compared(terms, signs):
            return Compared(tuple(put(term, values) for term in terms), signs)
        case Conditional(inner, condition):
            return Conditional(
                put_into(inner, values), tuple(put_into(each, values) for each in condition)
            )
        case Aggregate(function, elements, guards):
            return Aggregate(
                function,
                tuple(
                    (
                        tuple(put(term, values) for term in terms),
                        tuple(put_into(each, values) for each in condition),
                    )
                    for terms, condition in elements
                ),
                tuple((put(term, values), sign) for term, sign in guards),
            )


def variables(term: Term) -> Iterator[str]:
    """The variables of a term, `_` too."""
    if isinstance(term, Var):
        yield term.name
    else:
        for arg in term.args:
            yield from variables(arg)


def variables_of(literal: Literal) -> Iterator[str]:
    """The variables of a literal that are those of its rule."""
    match literal:
        case Atom(atom, _):
            yield from variables(atom)
        case Compared(terms, _):
            for term in terms:
                yield from variables(term)
        case Conditional(_, _):
            return
        case Aggregate(_, _, guards):
            for term, _ in guards:
                yield from variables(term)


def inner_variables(literal: Literal) -> Iterator[str]:
    """All variables within a literal."""
    match literal:
        case Conditional(inner, condition):
            for each in (inner, *condition):
                yield from inner_variables(each)
        case Aggregate(_, elements, guards):
            for terms, condition in elements:
                for term in terms:
                    yield from variables(term)
                for each in condition:
                    yield from inner_variables(each)
            for term, _ in guards:
                yield from variables(term)
        case _:
            yield from variables_of(literal)
