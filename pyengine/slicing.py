"""Which rules a question needs: the others are left out of its program before it is grounded.

clingo pays for every rule that it is given, also for one that can have no instance: about thirty
microseconds. A position has a few abilities and a step does one thing, so most rules are of no
use. `Slicer` finds out which, once for a program and then once for each *kind* of question:

- **forward**: a rule goes if something in its positive body cannot be derived from the facts
  (it has no instance, so nothing changes);
- **backward**: of the rest a rule goes if nothing that is shown depends on it, through whatever
  sign (no shown atom changes. What is left out must not be able to spoil an answer: rules with
  anything but a plain atom in their head are only left out together with all that lead to them).

Both work on *shapes*, not on atoms. The shape of a term is its outermost functor; of a number or
a string that it is one, if the rules do not name it. For each argument of each predicate the set
of shapes that may stand there is kept, and for what lies deeper, for each argument of each functor.
A set is an int with a bit a shape. The sets are always supersets of what clingo would derive.

Statements come in the form in which clingo prints them; `_Reader` reads that form.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

_BITS = 2048
ALL = (1 << _BITS) - 1
# shapes that no rule names: constants and functors, numbers, strings
_OTHER, _NUMBER, _STRING = 1, 2, 4


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
    """Something worked out: a number."""


Term: TypeAlias = Var | Fun | Sum
NUMBER = Sum()


@dataclass(frozen=True, slots=True)
class Lit:
    """An atom in a body. ``binds``: it must be true for the rule to have an instance."""

    atom: Fun
    binds: bool


@dataclass(slots=True)
class Clause:
    """One way to derive one atom; ``heads`` is empty where a rule has only to be kept."""

    head: Fun | None
    body: list[Lit] = field(default_factory=list)
    equal: list[tuple[Term, Term]] = field(default_factory=list)


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
_AGGREGATES = {"#sum", "#sum+", "#count", "#min", "#max"}
_NAME = re.compile(r"[_']*[a-z]")
_VARIABLE = re.compile(r"[_']*[A-Z]")


class _Reader:
    """Reads one rule in the form in which clingo prints it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = _TOKEN.findall(text)
        self.at = 0

    def next(self) -> str:
        token: str = self.tokens[self.at]
        self.at += 1
        return token

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def expect(self, *tokens: str) -> str:
        if self.peek() not in tokens:
            raise ValueError(f"slicing cannot read {self.text!r} at {self.tokens[self.at :][:5]}")
        return self.next()

    # terms

    def term(self) -> Term:
        token = self.next()
        if token == "_":
            return Var("_")
        if token.isdigit():
            return Fun(f"#{token}")
        if token == "-":
            inner = self.term()
            return Fun(f"#-{inner.name[1:]}") if isinstance(inner, Fun) else NUMBER
        if token == "(":
            return self.bracket()
        if token == "|" or token == "~":
            self.term()
            self.take("|")
            return NUMBER
        if token.startswith('"') or token in ("#inf", "#sup"):
            return Fun(token)
        if _VARIABLE.match(token):
            return Var(token)
        if _NAME.match(token):
            return Fun(token, tuple(self.list(")")) if self.take("(") else ())
        self.at -= 1
        self.expect("a term")
        raise AssertionError

    def bracket(self) -> Term:
        """A tuple, or a sum in brackets."""
        if self.take(")"):
            return Fun("")
        first = self.term()
        if self.take(")"):
            return first
        if self.take(","):
            if self.take(")"):
                return Fun("", (first,))
            return Fun("", (first, *self.list(")")))
        depth = 1
        while depth:
            token = self.next()
            depth += (token == "(") - (token == ")")
        return NUMBER

    def list(self, end: str) -> Iterator[Term]:
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
    return _Reader(text).statement()


# --- compiled rules ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Source:
    """Shapes that something may have: a fixed set, met with those of a variable."""

    mask: int
    var: int = -1


@dataclass(slots=True)
class _Atom:
    """An atom of a clause: its predicate, and what its arguments may be."""

    predicate: str
    args: list[_Source]


@dataclass(slots=True)
class _Rule:
    """A clause in numbers."""

    statement: int
    checks: list[tuple[int, int]]  # (place, mask): shapes of which one must be there
    variables: list[tuple[list[int], int]]  # the places where each variable is bound, its mask
    adds: list[tuple[int, int, int]]  # (place, mask, variable): shapes that come to be there
    head: _Atom | None
    body: list[_Atom]

    def masks(self, places: list[int]) -> list[int] | None:
        """The shapes of each variable; None: the rule has no instance."""
        for place, mask in self.checks:
            if not places[place] & mask:
                return None
        out = []
        for where, mask in self.variables:
            for place in where:
                mask &= places[place]
            if not mask:
                return None
            out.append(mask)
        return out


Seed: TypeAlias = tuple[tuple[int, int], ...]  # (place, mask)
Kind: TypeAlias = frozenset[tuple[int, int]]


class Slicer:
    """Slices of one program.

    Args:
        statements: the rules as clingo prints them, pools laid out: the forms of each.
    """

    def __init__(self, statements: Iterable[Sequence[str]]) -> None:
        self._keys: dict[str, int] = {}
        self._bits = 3
        self._numbers, self._strings = _NUMBER, _STRING
        self._place: dict[tuple[str, int], int] = {}
        self._rules: list[_Rule] = []
        self._kept: set[int] = set()  # not plain: kept while they have an instance
        read = [[read_statement(text) for text in forms] for forms in statements]
        for forms in read:
            for form in forms:
                for clause in form.clauses:
                    self._name(clause)
        for number, forms in enumerate(read):
            for form in forms:
                if not form.plain:
                    self._kept.add(number)
                for clause in form.clauses:
                    self._rules.append(_Compiler(self, clause).rule(number))
        self.count = len(read)
        self._heads: dict[str, list[int]] = {}
        waiting: list[list[int]] = [[] for _ in self._place]
        for index, rule in enumerate(self._rules):
            if rule.head is not None:
                self._heads.setdefault(rule.head.predicate, []).append(index)
            places = {place for place, _ in rule.checks}
            places.update(place for where, _ in rule.variables for place in where)
            for place in places:
                waiting[place].append(index)
        self._waiting = waiting
        # what holds without any facts
        self._start = [0] * len(self._place)
        self._alive = [False] * len(self._rules)
        self._spread(self._start, self._alive, range(len(self._rules)))
        self._memo: dict[str, Seed] = {}
        self._shapes: dict[str, tuple[int, Seed]] = {}

    # names

    def _name(self, clause: Clause) -> None:
        for atom in ([clause.head] if clause.head else []) + [each.atom for each in clause.body]:
            self._name_place(atom.key, 0)
            for arg in atom.args:
                self._name_term(arg)
        for left, right in clause.equal:
            self._name_term(left)
            self._name_term(right)

    def _name_term(self, term: Term) -> None:
        if isinstance(term, Fun):
            key = term.key
            if key not in self._keys:
                bit = 1 << self._bits
                self._bits += 1
                if self._bits >= _BITS:
                    raise ValueError(f"more than {_BITS} shapes")
                self._keys[key] = bit
                if key.startswith("#") and key not in ("#inf/0", "#sup/0"):
                    self._numbers |= bit
                elif key.startswith('"'):
                    self._strings |= bit
            for arg in term.args:
                self._name_term(arg)

    def _name_place(self, owner: str, index: int) -> int:
        return self._place.setdefault((owner, index), len(self._place))

    def bit(self, key: str) -> int:
        """The set of this one shape."""
        return self._keys[key]

    @property
    def numbers(self) -> int:
        """The set of all numbers."""
        return self._numbers

    def there(self, predicate: str) -> int:
        """The place that says whether there is any atom of a predicate."""
        return self._name_place(predicate, 0)

    def argument(self, owner: str, index: int) -> int:
        """The place of an argument (from 1) of a predicate."""
        return self._name_place(owner, index)

    def inside(self, functor: str, index: int) -> int:
        """The place of an argument (from 1) of a functor."""
        return self._name_place(f"({functor}", index)

    # facts

    def seed(self, atom: str) -> Seed:
        """What a fact (without its stop) puts where."""
        known = self._memo.get(atom)
        if known is None:
            if len(self._memo) > 100_000:
                self._memo.clear()
            known = self._memo[atom] = self._seed(atom)
        return known

    def _seed(self, atom: str) -> Seed:
        name, _, rest = atom.partition("(")
        args = _arguments(rest[:-1]) if rest else []
        key = f"{name}/{len(args)}"
        place = self._place.get((key, 0))
        if place is None:  # no rule speaks of it
            return ()
        out = [(place, 1)]
        for index, arg in enumerate(args, start=1):
            mask, inner = self._shape(arg)
            place = self._place.get((key, index))
            if place is not None:
                out.append((place, mask))
            out.extend(inner)
        return tuple(out)

    def _shape(self, text: str) -> tuple[int, Seed]:
        """The shape of a ground term, and those of what is in it."""
        known = self._shapes.get(text)
        if known is None:
            if len(self._shapes) > 100_000:
                self._shapes.clear()
            known = self._shapes[text] = self._read_shape(text)
        return known

    def _read_shape(self, text: str) -> tuple[int, Seed]:
        if text[0] == '"':
            return self._strings, ()
        if text[0].isdigit() or text[0] == "-":
            return self._numbers, ()
        name, _, rest = text.partition("(")
        args = _arguments(rest[:-1]) if rest else []
        key = f"{name}/{len(args)}"
        inner: list[tuple[int, int]] = []
        for index, arg in enumerate(args, start=1):
            mask, deeper = self._shape(arg)
            place = self._place.get((f"({key}", index))
            if place is not None:
                inner.append((place, mask))
            inner.extend(deeper)
        return self._keys.get(key, _OTHER), tuple(inner)

    def kind(self, atoms: Iterable[str]) -> Kind:
        """The kind of a set of facts: equal kinds have equal slices."""
        seeds: set[Seed] = set(map(self.seed, atoms))
        sets: dict[int, int] = {}
        for seed in seeds:
            for place, mask in seed:
                sets[place] = sets.get(place, 0) | mask
        return frozenset(sets.items())

    # slices

    def slice(self, kind: Kind, shown: Iterable[str]) -> list[int]:
        """The numbers of the statements that matter, in order.

        Args:
            kind: from ``kind``.
            shown: the predicates that are looked at, as `name/arity`.
        """
        return self._needed(*self._forward(kind), shown)

    def alive(self, kind: Kind) -> set[int]:
        """The numbers of the statements that may have an instance, whatever is looked at."""
        _, alive = self._forward(kind)
        return {rule.statement for rule, may in zip(self._rules, alive, strict=True) if may}

    def _forward(self, kind: Kind) -> tuple[list[int], list[bool]]:
        places, alive = self._start.copy(), self._alive.copy()
        stirred: set[int] = set()
        for place, mask in kind:
            if mask & ~places[place]:
                places[place] |= mask
                stirred.update(self._waiting[place])
        self._spread(places, alive, sorted(stirred))
        return places, alive

    def _spread(self, places: list[int], alive: list[bool], start: Iterable[int]) -> None:
        """Adds to the places all that the rules derive, and says which rules have instances."""
        rules, waiting = self._rules, self._waiting
        queue = deque(start)
        queued = bytearray(len(rules))
        for index in queue:
            queued[index] = 1
        while queue:
            index = queue.popleft()
            queued[index] = 0
            rule = rules[index]
            masks = rule.masks(places)
            if masks is None:
                continue
            alive[index] = True
            for place, mask, var in rule.adds:
                if var >= 0:
                    mask &= masks[var]
                if mask & ~places[place]:
                    places[place] |= mask
                    for other in waiting[place]:
                        if not queued[other]:
                            queued[other] = 1
                            queue.append(other)

    def _needed(self, places: list[int], alive: list[bool], shown: Iterable[str]) -> list[int]:
        """Of the rules with instances those on which what is shown depends."""
        rules = self._rules
        wanted: dict[str, list[int]] = {
            predicate: [index for index in indices if alive[index]]
            for predicate, indices in self._heads.items()
        }
        heads: dict[int, list[int]] = {}
        needed: set[int] = set()
        asked: set[tuple[str, tuple[int, ...]]] = set()
        masks_of: dict[int, list[int]] = {}

        def masks(index: int) -> list[int]:
            if index not in masks_of:
                masks_of[index] = rules[index].masks(places) or []
            return masks_of[index]

        def shapes(atom: _Atom, known: list[int]) -> list[int]:
            return [
                source.mask & known[source.var] if source.var >= 0 else source.mask
                for source in atom.args
            ]

        demands: list[tuple[str, tuple[int, ...]]] = []

        def demand(atom: _Atom, known: list[int]) -> None:
            key = (atom.predicate, tuple(shapes(atom, known)))
            if key not in asked:
                asked.add(key)
                demands.append(key)

        def need(index: int) -> None:
            needed.add(index)
            known = masks(index)
            for atom in rules[index].body:
                demand(atom, known)

        kept = {rules[i].statement for i in range(len(rules)) if alive[i]} & self._kept
        # a rule that could spoil an answer stays as long as something in it may happen
        for index, rule in enumerate(rules):
            if alive[index] and rule.statement in kept:
                need(index)
        demands.extend((predicate, ()) for predicate in shown)
        while demands:
            predicate, asks = demands.pop()
            left = []
            for index in wanted.get(predicate, ()):
                if index in needed:
                    continue
                if asks:
                    have = heads.get(index)
                    if have is None:
                        head = rules[index].head
                        assert head is not None
                        have = heads[index] = shapes(head, masks(index))
                    if not all(map(int.__and__, have, asks)):
                        left.append(index)
                        continue
                need(index)
            wanted[predicate] = left
        return sorted({rules[index].statement for index in needed})


def _arguments(text: str) -> list[str]:
    """The arguments in a list, apart."""
    if "(" not in text and '"' not in text:
        return [arg for arg in text.split(",") if arg]
    out = []
    depth = start = 0
    quoted = skip = False
    for at, sign in enumerate(text):
        if skip:
            skip = False
        elif quoted:
            quoted, skip = sign != '"', sign == "\\"
        elif sign == '"':
            quoted = True
        elif sign == "(":
            depth += 1
        elif sign == ")":
            depth -= 1
        elif sign == "," and not depth:
            out.append(text[start:at])
            start = at + 1
    if text[start:]:
        out.append(text[start:])
    return out


class _Compiler:
    """Puts a clause into numbers."""

    def __init__(self, slicer: Slicer, clause: Clause) -> None:
        self.slicer = slicer
        self.clause = clause
        self.checks: list[tuple[int, int]] = []
        self.names: dict[str, int] = {}
        self.variables: list[tuple[list[int], int]] = []
        self.adds: list[tuple[int, int, int]] = []

    def rule(self, statement: int) -> _Rule:
        clause, slicer = self.clause, self.slicer
        for each in clause.body:
            if each.binds:
                key = each.atom.key
                self.checks.append((slicer.there(key), 1))
                for index, arg in enumerate(each.atom.args, start=1):
                    self.bound(slicer.argument(key, index), arg)
        waiting = list(clause.equal)
        progress = True
        while progress:
            progress = False
            for pair in list(waiting):
                if self.equate(*pair) or self.equate(*reversed(pair)):
                    waiting.remove(pair)
                    progress = True
        for pair in waiting:  # nothing is known of it: anything may be in it
            self.made(*pair)
        head = None
        if clause.head is not None:
            key = clause.head.key
            self.adds.append((slicer.there(key), 1, -1))
            for index, arg in enumerate(clause.head.args, start=1):
                self.comes(slicer.argument(key, index), arg)
            head = self.atom(clause.head)
        body = [self.atom(each.atom) for each in clause.body]
        return _Rule(statement, self.checks, self.variables, self.adds, head, body)

    def variable(self, name: str) -> int:
        """The number of a variable."""
        if name not in self.names:
            self.names[name] = len(self.variables)
            self.variables.append(([], ALL))
        return self.names[name]

    def narrow(self, name: str, mask: int) -> None:
        number = self.variable(name)
        where, known = self.variables[number]
        self.variables[number] = (where, known & mask)

    def bound(self, place: int, term: Term) -> None:
        """A term at a place of a positive literal."""
        slicer = self.slicer
        if isinstance(term, Sum):
            self.checks.append((place, slicer.numbers))
        elif isinstance(term, Var):
            if term.name != "_":
                self.variables[self.variable(term.name)][0].append(place)
        else:
            self.checks.append((place, self.mask(term)))
            for index, arg in enumerate(term.args, start=1):
                self.bound(slicer.inside(term.key, index), arg)

    def mask(self, term: Fun) -> int:
        """The set of the shape of a term."""
        return self.slicer.bit(term.key)

    def equate(self, left: Term, right: Term) -> bool:
        """One equation; whether all that it says is noted now."""
        if not isinstance(left, Var):
            if isinstance(right, Var):
                return False
            self.made(left, right)
            return True
        known = left.name in self.names
        if isinstance(right, Sum):
            self.narrow(left.name, self.slicer.numbers)
            return True
        if isinstance(right, Var):
            if right.name not in self.names:
                return False
            if not known:
                where, mask = self.variables[self.names[right.name]]
                self.variables[self.variable(left.name)] = (list(where), mask)
            return True
        if known:
            # taken apart: its arguments are arguments of that functor somewhere
            self.narrow(left.name, self.mask(right))
            for index, arg in enumerate(right.args, start=1):
                self.bound(self.slicer.inside(right.key, index), arg)
            return True
        if all(name in self.names for name in _names(right)):
            self.narrow(left.name, self.mask(right))
            for index, arg in enumerate(right.args, start=1):
                self.comes(self.slicer.inside(right.key, index), arg)
            return True
        return False

    def made(self, *terms: Term) -> None:
        """Terms of an equation of which we do not know what they are."""
        for term in terms:
            if isinstance(term, Fun):
                for index, arg in enumerate(term.args, start=1):
                    place = self.slicer.inside(term.key, index)
                    if isinstance(arg, Var):
                        self.adds.append((place, ALL, -1))
                    else:
                        self.comes(place, arg)

    def comes(self, place: int, term: Term) -> None:
        """A term that a rule makes comes to a place."""
        slicer = self.slicer
        if isinstance(term, Sum):
            self.adds.append((place, slicer.numbers, -1))
        elif isinstance(term, Var):
            self.adds.append((place, ALL, self.variable(term.name)))
        else:
            self.adds.append((place, self.mask(term), -1))
            for index, arg in enumerate(term.args, start=1):
                self.comes(slicer.inside(term.key, index), arg)

    def atom(self, atom: Fun) -> _Atom:
        return _Atom(atom.key, [self.source(arg) for arg in atom.args])

    def source(self, term: Term) -> _Source:
        if isinstance(term, Sum):
            return _Source(self.slicer.numbers)
        if isinstance(term, Fun):
            return _Source(self.mask(term))
        if term.name in self.names:
            return _Source(ALL, self.names[term.name])
        return _Source(ALL)


def _names(term: Term) -> Iterator[str]:
    if isinstance(term, Var):
        yield term.name
    elif isinstance(term, Fun):
        for arg in term.args:
            yield from _names(arg)
