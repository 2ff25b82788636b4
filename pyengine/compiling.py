"""Rules as Python: a function that finds every instance of a rule in relations of rows.

The function of a rule is nested loops: the literal that is likely to leave the fewest rows comes
first, what is bound is looked up in an index, and whatever can be tested is tested at once. What
`written` does not read, or what cannot be put in such an order, is `Unreadable`: clingo answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from pyengine.clauses import Fun, Sum, Term, Var
from pyengine.relations import add, div, index_by, less, most, mul, number, sub, summed
from pyengine.written import (
    Aggregate,
    Atom,
    Compared,
    Conditional,
    Literal,
    Unreadable,
    Written,
    inner_variables,
    variables,
    variables_of,
)

_GREATEST = 2147483647

_SPACE: dict[str, Any] = {
    "add": add, "sub": sub, "mul": mul, "div": div, "less": less, "most": most,
    "summed": summed, "absolute": lambda value: abs(number(value)), "number": number, "E": (),
}  # fmt: skip
_CALLS = {"+": "add", "-": "sub", "*": "mul", "/": "div"}

# relations by number, what takes a row, and for some the rows to begin with
Function: TypeAlias = Callable[..., None]


class Rule(NamedTuple):
    """A rule that can be called. ``needs``: relations that must not be empty."""

    head: int
    needs: tuple[int, ...]
    text: str

    def compiled(self) -> Function:
        """Its function."""
        space = dict(_SPACE)
        exec(compile(self.text, "<rule>", "exec"), space)
        function: Function = space["f"]
        return function


def constant(term: Term) -> str:
    """A ground term as Python."""
    if not isinstance(term, Fun):
        raise Unreadable(str(term))
    name = term.name
    if term.args or not name:
        inside = "".join(f",{constant(arg)}" for arg in term.args)
        return f"({term.key!r}{inside or ','})"
    if name[0] == "#":
        if name in ("#inf", "#sup"):
            raise Unreadable(name)
        return name[1:]
    return repr(name)


def ground(term: Term) -> bool:
    """Whether it has no variables and nothing to work out."""
    return isinstance(term, Fun) and all(map(ground, term.args))


@dataclass(slots=True)
class _Writer:
    """Writes the function of a rule.

    Args:
        relation: the number of the relation of an atom.
    """

    relation: Callable[[Fun], int]
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    count: int = 0
    start: int | None = None  # where what is made at the start goes
    names: dict[str, str] = field(default_factory=dict)
    globals: frozenset[str] = frozenset()
    shapes: Mapping[str, str] = field(default_factory=dict)  # what variables begin with

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    @contextmanager
    def within(self, text: str) -> Iterator[None]:
        self.line(text)
        self.depth += 1
        yield
        self.depth -= 1

    def fresh(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def at_start(self, text: str) -> None:
        """A line before all loops but the first."""
        assert self.start is not None
        self.lines.insert(self.start, text)

    # terms

    def value(self, term: Term, bound: Mapping[str, str]) -> str:
        """A term whose variables are bound."""
        if isinstance(term, Var):
            return bound[term.name]
        if isinstance(term, Sum):
            if term.sign == "|":
                return f"absolute({self.value(term.args[0], bound)})"
            if term.sign not in _CALLS:
                raise Unreadable(str(term))
            left, right = (self.value(arg, bound) for arg in term.args)
            return f"{_CALLS[term.sign]}({left},{right})"
        if ground(term):
            return constant(term)
        inside = ",".join(self.value(arg, bound) for arg in term.args)
        return f"({term.key!r},{inside})"

    def known(self, term: Term, bound: Mapping[str, str]) -> bool:
        return all(name in bound for name in variables(term))

    def match(self, term: Term, value: str, bound: dict[str, str], sure: bool = False) -> list[str]:
        """Binds the variables of a term to the parts of a value; gives what has to hold.

        ``sure``: it is known what the value begins with. What has to hold comes before what is
        bound after it, so it is written at once.
        """
        if isinstance(term, Var):
            if term.name == "_":
                return []
            if term.name in bound:
                return [f"{value} == {bound[term.name]}"]
            bound[term.name] = value
            return []
        if self.known(term, bound):
            return [f"{value} == {self.value(term, bound)}"]
        if isinstance(term, Sum):
            return self.solved(term, value, bound)
        if not value.isidentifier():
            name = self.fresh("t")
            self.line(f"{name} = {value}")
            value = name
        tests = []
        if not sure:
            tests.append(f"{value}.__class__ is tuple and {value}[0] == {term.key!r}")
        later = []
        for place, arg in enumerate(term.args, start=1):
            if isinstance(arg, Var) or self.known(arg, bound):
                tests += self.match(arg, f"{value}[{place}]", bound)
            else:
                later.append((arg, f"{value}[{place}]"))
        if later:
            if tests:
                self.line(f"if {' and '.join(tests)}:")
                self.depth += 1
            tests = []
            for arg, part in later:
                if tests:
                    self.line(f"if {' and '.join(tests)}:")
                    self.depth += 1
                tests = self.match(arg, part, bound)
        return tests

    def solved(self, term: Sum, value: str, bound: dict[str, str]) -> list[str]:
        """A sum with one variable that is not bound."""
        if term.sign in ("+", "-"):
            left, right = term.args
            if isinstance(left, Var) and left.name != "_" and self.known(right, bound):
                name = self.fresh("n")
                back = "sub" if term.sign == "+" else "add"
                self.line(f"if {value}.__class__ is int:")
                self.depth += 1
                self.line(f"{name} = {back}({value},{self.value(right, bound)})")
                bound[left.name] = name
                return []
        raise Unreadable(str(term))

    # literals

    def test(self, literal: Compared, bound: Mapping[str, str]) -> str:
        """A comparison of what is bound."""
        out = []
        for left, sign, right in zip(literal.terms, literal.signs, literal.terms[1:], strict=False):
            out.append(self.compared(left, sign, right, bound))
        return " and ".join(out)

    def compared(self, left: Term, sign: str, right: Term, bound: Mapping[str, str]) -> str:
        first, second = self.value(left, bound), self.value(right, bound)
        return _compared(first, sign, second, right == Fun(f"#{_GREATEST}"))

    def body(
        self,
        literals: Sequence[Literal],
        bound: dict[str, str],
        then: Callable[[dict[str, str]], None],
    ) -> None:
        """All literals, one after another, and within them what comes then."""
        depth = self.depth
        left = list(literals)
        while True:
            for place, literal in enumerate(left):
                if self.filtered(literal, bound, left):
                    del left[place]
                    break
            else:
                break
        if left:
            choice = max(
                (n for n, each in enumerate(left) if isinstance(each, Atom) and each.holds),
                key=lambda n: (self.score(left[n], bound), -n),
                default=None,
            )
            if choice is None:
                raise Unreadable(str(left))
            literal = left.pop(choice)
            assert isinstance(literal, Atom)
            self.loop(literal, left, bound, then)
        else:
            then(bound)
        self.depth = depth

    def filtered(self, literal: Literal, bound: dict[str, str], all: Sequence[Literal]) -> bool:
        """Writes a literal that can only bind what follows from what is bound."""
        match literal:
            case Atom(atom, True):
                if not self.known(atom, bound):
                    return False
                self.when(f"{self.row(atom, bound)} in {self.rows(atom)}")
                return True
            case Atom(atom, False):
                if any(name != "_" and name not in bound for name in variables(atom)):
                    return False
                self.absent(atom, bound)
                return True
            case Compared(terms, signs):
                if all_known := [self.known(term, bound) for term in terms]:
                    if False not in all_known:
                        self.when(self.test(literal, bound))
                        return True
                    if len(terms) == 2 and signs[0] == "=":
                        for side, other in ((0, 1), (1, 0)):
                            if all_known[other] and not all_known[side]:
                                return self.taken_apart(terms[side], terms[other], bound)
                return False
            case Conditional(_, _):
                names = set(inner_variables(literal)) & self.globals
                if not names <= bound.keys():
                    return False
                self.conditional(literal, bound)
                return True
            case Aggregate(_, elements, guards):
                inside = {
                    name
                    for terms, condition in elements
                    for name in [
                        *(name for term in terms for name in variables(term)),
                        *(name for each in condition for name in inner_variables(each)),
                    ]
                }
                if not (inside & self.globals) - {"_"} <= bound.keys():
                    return False
                if any(
                    not self.known(term, bound) and not (isinstance(term, Var) and sign == "=")
                    for term, sign in guards
                ):
                    return False
                self.aggregate(literal, bound)
                return True
        return False

    def taken_apart(self, term: Term, other: Term, bound: dict[str, str]) -> bool:
        """An equation of which one side is bound."""
        if isinstance(term, Sum):
            return False
        value = self.value(other, bound)
        if isinstance(term, Var):
            if term.name == "_":
                return True
            name = self.fresh("e")
            self.line(f"{name} = {value}")
            bound[term.name] = name
            return True
        name = self.fresh("e")
        self.line(f"{name} = {value}")
        self.when(*self.match(term, name, bound))
        return True

    def when(self, *tests: str) -> None:
        if tests:
            self.begun()
            self.line(f"if {' and '.join(tests)}:")
            self.depth += 1

    def row(self, atom: Fun, bound: Mapping[str, str]) -> str:
        inside = "".join(f"{self.value(arg, bound)}," for arg in atom.args)
        return f"({inside})"

    def rows(self, atom: Fun) -> str:
        return f"R[{self.relation(atom)}].rows"

    def score(self, literal: Literal, bound: Mapping[str, str]) -> int:
        """How few rows of it there are likely to be."""
        assert isinstance(literal, Atom)
        out = 0
        for arg in literal.atom.args:
            if self.known(arg, bound):
                out += 12
            elif isinstance(arg, Fun) or (isinstance(arg, Var) and arg.name in self.shapes):
                out += 8
            elif not isinstance(arg, Var) or arg.name != "_":
                out -= 1
        return out

    def keyed(
        self, atom: Fun, bound: Mapping[str, str]
    ) -> tuple[str, list[tuple[int, Term, bool]]]:
        """The rows that what is bound allows, and what of them is still to be matched."""
        spec: list[tuple[int, bool]] = []
        parts: list[str] = []
        rest: list[tuple[int, Term, bool]] = []
        for place, arg in enumerate(atom.args):
            if isinstance(arg, Fun) and not arg.args and arg.name:
                spec.append((place, True))
                parts.append(constant(arg))
            elif self.known(arg, bound):
                spec.append((place, False))
                parts.append(self.value(arg, bound))
            elif isinstance(arg, Fun):
                spec.append((place, True))
                parts.append(repr(arg.key))
                rest.append((place, arg, True))
            else:
                if isinstance(arg, Var) and arg.name in self.shapes:
                    spec.append((place, True))
                    parts.append(repr(self.shapes[arg.name]))
                rest.append((place, arg, False))
        relation = self.relation(atom)
        if not spec:
            return f"R[{relation}].rows", rest
        key = parts[0] if len(parts) == 1 else f"({','.join(parts)})"
        index = f"R[{relation}].index({index_by(tuple(spec))})"
        if self.start is None:
            return f"{index}.get({key},E)", rest
        name = self.fresh("i")
        self.at_start(f"    {name} = None")
        self.line(f"if {name} is None: {name} = {index}")
        return f"{name}.get({key},E)", rest

    def loop(
        self,
        literal: Atom,
        left: Sequence[Literal],
        bound: dict[str, str],
        then: Callable[[dict[str, str]], None],
    ) -> None:
        """A positive literal with variables that are not bound."""
        rows, rest = self.keyed(literal.atom, bound)
        used = [place for place, arg, _ in rest if not isinstance(arg, Var) or arg.name != "_"]
        if not used:  # any row will do
            self.begun()
            self.when(rows)
            self.body(left, bound, then)
            return
        if self.start is None:
            name = self.fresh("a")
            self.line(f"{name} = {rows}")
            self.line(f"if not {name}: return")
            rows = name
        self.begun()
        row = self.fresh("r")
        with self.within(f"for {row} in {rows}:"):
            depth = self.depth
            self.arguments(row, rest, bound)
            self.body(left, bound, then)
            self.depth = depth

    def begun(self) -> None:
        if self.start is None:
            self.start = len(self.lines)

    def arguments(
        self, row: str, rest: Sequence[tuple[int, Term, bool]], bound: dict[str, str]
    ) -> None:
        """Matches arguments of a row."""
        simple = [each for each in rest if isinstance(each[1], Var)]
        for place, arg, sure in (*simple, *(each for each in rest if each not in simple)):
            if isinstance(arg, Var) and arg.name != "_" and arg.name not in bound:
                name = self.fresh("v")
                self.line(f"{name} = {row}[{place}]")
                bound[arg.name] = name
            else:
                self.when(*self.match(arg, f"{row}[{place}]", bound, sure))

    def absent(self, atom: Fun, bound: Mapping[str, str]) -> None:
        """That no such atom holds."""
        if self.known(atom, bound):
            self.when(f"{self.row(atom, bound)} not in {self.rows(atom)}")
            return
        self.begun()
        rows, rest = self.keyed(atom, bound)
        if not [place for place, arg, _ in rest if not isinstance(arg, Var)]:
            self.when(f"not {rows}")
            return
        name, row = self.fresh("x"), self.fresh("r")
        self.line(f"{name} = True")
        with self.within(f"for {row} in {rows}:"):
            depth = self.depth
            self.arguments(row, rest, dict(bound))
            self.line(f"{name} = False")
            self.line("break")
            self.depth = depth
        self.when(name)

    def conditional(self, literal: Conditional, bound: Mapping[str, str]) -> None:
        self.begun()
        name = self.fresh("c")
        self.line(f"{name} = True")

        def fails(inner: dict[str, str]) -> None:
            what = literal.literal
            if not isinstance(what, Compared) and not (
                isinstance(what, Atom) and self.known(what.atom, inner)
            ):
                raise Unreadable(str(what))
            if isinstance(what, Compared):
                test = self.test(what, inner)
            else:
                sign = "in" if what.holds else "not in"
                test = f"{self.row(what.atom, inner)} {sign} {self.rows(what.atom)}"
            self.line(f"if not ({test}): {name} = False")

        self.body(literal.condition, dict(bound), fails)
        self.when(name)

    def aggregate(self, literal: Aggregate, bound: dict[str, str]) -> None:
        self.begun()
        rows = self.fresh("s")
        self.line(f"{rows} = set()")
        for terms, condition in literal.elements:

            def gather(inner: dict[str, str], terms: tuple[Term, ...] = terms) -> None:
                inside = "".join(f"{self.value(term, inner)}," for term in terms)
                self.line(f"{rows}.add(({inside}))")

            self.body(condition, dict(bound), gather)
        name = self.fresh("n")
        call = "len" if literal.function == "#count" else "summed"
        self.line(f"{name} = {call}({rows})")
        for term, sign in literal.guards:
            if not self.known(term, bound):
                assert isinstance(term, Var)
                if term.name != "_":
                    bound[term.name] = name
            else:
                self.when(_compared(self.value(term, bound), sign, name, False))

    def emitted(self, head: Fun, bound: Mapping[str, str], prefix: str = "") -> None:
        """The head, once for each number where it has a range in it."""
        values: dict[str, str] = dict(bound)

        def plain(term: Term) -> Term:
            if isinstance(term, Sum) and term.sign == "..":
                low, high = (self.value(arg, values) for arg in term.args)
                name = self.fresh("g")
                self.line(f"for {name} in range(number({low}), number({high}) + 1):")
                self.depth += 1
                values[f" {name}"] = name
                return Var(f" {name}")
            if isinstance(term, Fun):
                return Fun(term.name, tuple(map(plain, term.args)))
            return term

        found = plain(head)
        assert isinstance(found, Fun)
        self.line(f"emit({prefix}{self.row(found, values)}{')' if prefix else ''})")


def _compared(first: str, sign: str, second: str, number: bool) -> str:
    if sign == "=":
        return f"{first} == {second}"
    if sign == "!=":
        return f"{first} != {second}"
    if number and sign in ("<=", ">"):  # whether it is a number at all
        return f"{first}.__class__ is {'' if sign == '<=' else 'not '}int"
    calls = {"<": "less({0},{1})", ">": "less({1},{0})", "<=": "most({0},{1})",
             ">=": "most({1},{0})"}  # fmt: skip
    return calls[sign].format(first, second)


def _shared(rule: Written) -> list[str]:
    """The variables of the body of a choice that tell one choice of it from another."""
    inner = {
        *variables(rule.head),
        *(n for each in rule.chosen or () for n in inner_variables(each)),
    }
    return sorted(inner & {name for literal in rule.body for name in variables_of(literal)} - {"_"})


def choices_of(rule: Written) -> Written:
    """What finds every choice of a rule, with or without anything to choose."""
    return Written(Fun("", tuple(map(Var, _shared(rule)))), rule.body)


def rule_of(rule: Written, relation: Callable[[Fun], int], first: int | None = None) -> Rule:
    """The function of a rule: ``f(R, emit)``, or from rows on ``f(R, emit, rows)``.

    Args:
        rule: the rule.
        relation: the number of the relation of an atom.
        first: the place in the body of the literal whose rows are given.

    Raises:
        Unreadable: only clingo can carry it out.
    """
    positive = [each.atom for each in rule.body if isinstance(each, Atom) and each.holds]
    names = {name for literal in rule.body for name in variables_of(literal)}
    shapes = {}
    for literal in rule.body:
        if isinstance(literal, Compared) and literal.signs == ("=",):
            for one, other in (literal.terms, literal.terms[::-1]):
                if isinstance(one, Var) and isinstance(other, Fun) and not ground(other):
                    shapes[one.name] = other.key
    writer = _Writer(relation, globals=frozenset(names - {"_"}), shapes=shapes)
    bound: dict[str, str] = {}
    body = list(rule.body)
    chosen = rule.chosen

    def then(inner: dict[str, str]) -> None:
        if chosen is None:
            writer.emitted(rule.head, inner)
            return
        key = "".join(f"{inner[name]}," for name in _shared(rule))
        writer.body(chosen, dict(inner), lambda all: writer.emitted(rule.head, all, f"(({key}),"))

    if first is None:
        writer.line("pass")
        writer.body(body, bound, then)
        text = "def f(R, emit):\n"
    else:
        given = body.pop(first)
        assert isinstance(given, Atom)
        writer.begun()
        with writer.within("for row in rows:"):
            depth = writer.depth
            writer.arguments("row", [(n, a, False) for n, a in enumerate(given.atom.args)], bound)
            writer.body(body, bound, then)
            writer.depth = depth
        text = "def f(R, emit, rows):\n"
    needs = tuple(dict.fromkeys(map(relation, positive)))
    return Rule(relation(rule.head), needs, text + "\n".join(writer.lines) + "\n")
