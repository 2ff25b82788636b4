"""Answers without a grounder: the rules of a slice, carried out one after another.

clingo has a price for every rule that it is given, whether it finds anything or not (see
docs/performance.md), and most rules of a question find nothing. So where the rules of a slice are
stratified (no atom waits for its own failure), they are carried out as Python functions
(`compiling`), each after those that it rests on, and what they find is the answer set: a stratified
program has just one. Rules that rest on each other are carried out row by row. Those that wait for
each other are looked at when all before them is known: nearly always the rules that can find
anything then do not. The one choice of a step is made in every way.

What is not stratified, what `compiling` does not read and what may be very large is left to
clingo: `Plan.answers` gives None. Both ways give the same answers; tests hold them to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

from pyengine.apart import arguments
from pyengine.clauses import Clause, Fun, Term, Var
from pyengine.compiling import ground
from pyengine.keeping import keep
from pyengine.plans import Plan, Stages, Step, Store, staged
from pyengine.relations import Row
from pyengine.written import Atom, Unreadable, Written, put, put_into, written

_KEPT = 100_000


class Evaluator:
    """The rules of a program as functions.

    Args:
        texts: of each statement its forms, as clingo prints them.
        clauses: of each statement its clauses.
        shown: the predicates that are shown, as `name/arity`.
    """

    def __init__(
        self,
        texts: Sequence[Sequence[str]],
        clauses: Sequence[Sequence[Clause]],
        shown: Iterable[str],
    ) -> None:
        self._texts = texts
        self._clauses = clauses
        self._numbers: dict[tuple[str, ...], int] = {}
        self._derived = {c.head.key for each in clauses for c in each if c.head is not None}
        self._given = self._only_given()
        self._apart = self._told_apart(frozenset(shown))
        self._edges: dict[int, list[tuple[int, list[tuple[int, bool]]]] | None] = {}
        self._rules: dict[int, list[Step]] = {}
        self._parsed: dict[str, tuple[int, Row]] = {}
        self._stages: Stages = WeakValueDictionary()
        self.store = Store()

    # relations

    def _only_given(self) -> dict[str, list[Fun]]:
        """The atoms of the predicates that the rules give as facts."""
        found: dict[str, list[Fun]] = {}
        other = set()
        for statement in self._clauses:
            for clause in statement:
                head = clause.head
                if head is None:
                    continue
                if clause.body or clause.equal or not ground(head):
                    other.add(head.key)
                else:
                    found.setdefault(head.key, []).append(head)
        return {key: atoms for key, atoms in found.items() if key not in other}

    def _told_apart(self, shown: frozenset[str]) -> dict[str, tuple[int, ...]]:
        """Of each predicate the arguments that are constants wherever it occurs."""
        places: dict[str, set[int]] = {}
        for statement in self._clauses:
            for clause in statement:
                values = self._fixed([each.atom for each in clause.body if each.binds])
                atoms = [each.atom for each in clause.body]
                for atom in atoms if clause.head is None else (clause.head, *atoms):
                    at = {n for n, arg in enumerate(atom.args) if _plain(put(arg, values))}
                    places[atom.key] = places.get(atom.key, at) & at
        return {key: tuple(sorted(at)) for key, at in places.items() if at and key not in shown}

    def _fixed(self, atoms: Iterable[Fun]) -> dict[str, Term]:
        """The variables of which given facts leave just one value."""
        values: dict[str, Term] = {}
        for atom in atoms:
            given = self._given.get(atom.key)
            if given and any(isinstance(arg, Fun) for arg in atom.args):
                fitting = [each for each in given if _fits(atom, each)]
                if len(fitting) == 1:
                    for arg, value in zip(atom.args, fitting[0].args, strict=True):
                        if isinstance(arg, Var) and arg.name != "_":
                            values[arg.name] = value
        return values

    def relation(self, atom: Fun) -> int:
        """The number of the relation that an atom is in."""
        at = self._apart.get(atom.key, ())
        key = (atom.key, *(atom.args[place].name for place in at))  # type: ignore[union-attr]
        return self._numbers.setdefault(key, len(self._numbers))

    def row(self, text: str) -> tuple[int, Row]:
        """A fact as a row, with the number of its relation."""
        try:
            return self._parsed[text]
        except KeyError:
            pass
        if len(self._parsed) >= _KEPT:
            self._parsed.clear()
        name, _, rest = text.partition("(")
        args = arguments(rest[:-1]) if rest else []
        key = f"{name}/{len(args)}"
        if key in self._given:
            raise Unreadable(text)
        row = tuple(map(value_of, args))
        number = self._numbers.setdefault(
            (key, *(_name(args[place]) for place in self._apart.get(key, ()))), len(self._numbers)
        )
        self._parsed[text] = number, row
        return number, row

    # rules

    def edges(self, statement: int) -> list[tuple[int, list[tuple[int, bool]]]]:
        """Of each clause of a statement its relation, and those that it rests on.

        True: it only needs one of their atoms to hold.
        """
        found = self._edges.get(statement)
        if found is None:
            found = []
            for clause in self._clauses[statement]:
                values = self._fixed([each.atom for each in clause.body if each.binds])
                if clause.head is None:
                    continue
                body = [
                    (self.relation(_put(each.atom, values)), each.binds) for each in clause.body
                ]
                found.append((self.relation(_put(clause.head, values)), body))
            self._edges[statement] = found  # whole, or not at all
        return found

    def steps(self, statement: int) -> list[Step]:
        """The forms of a statement as what can be carried out."""
        found = self._rules.get(statement)
        if found is None:
            found = []
            for text, clause in zip(self._texts[statement], self._of_forms(statement), strict=True):
                values = self._fixed([each.atom for each in clause.body if each.binds])
                assert clause.head is not None
                head = self.relation(_put(clause.head, values))
                rests = tuple(
                    (self.relation(_put(each.atom, values)), each.binds) for each in clause.body
                )
                chosen = text.startswith("1 = {")
                if chosen and clause.head.key != "picks/2":
                    raise Unreadable(text)  # nothing else is chosen in a step
                found.append(Step(self, text, head, rests, chosen))
            self._rules[statement] = found
        return found

    def _of_forms(self, statement: int) -> list[Clause]:
        """A clause for each form of a statement."""
        clauses = self._clauses[statement]
        texts = self._texts[statement]
        if len(clauses) == len(texts) and all(each.head is not None for each in clauses):
            return list(clauses)
        if len(texts) == 1 and len(clauses) == 2 and texts[0].startswith("1 = {"):
            return [clauses[0]]  # of a choice: its atom, and its body
        raise Unreadable(texts[0])

    def written(self, text: str) -> Written:
        """A rule with the values of what given facts fix."""
        rule = written(text)
        values = self._fixed(
            each.atom for each in rule.body if isinstance(each, Atom) and each.holds
        )
        if not values:
            return rule
        body = tuple(put_into(each, values) for each in rule.body)
        chosen = rule.chosen and tuple(put_into(each, values) for each in rule.chosen)
        return Written(_put(rule.head, values), body, chosen)

    def plan(self, statements: Iterable[int], shown: Iterable[str]) -> Plan | None:
        """How the statements are carried out; None: by clingo."""
        try:
            return self._plan(list(statements), list(shown))
        except Unreadable:
            return None

    def _plan(self, statements: list[int], shown: list[str]) -> Plan:
        steps = [step for statement in statements for step in self.steps(statement)]
        rests: dict[int, set[int]] = {}
        for statement in statements:
            for head, body in self.edges(statement):
                rests.setdefault(head, set()).update(relation for relation, _ in body)
                for relation, _ in body:
                    rests.setdefault(relation, set())
        stages = list(staged(steps, rests, self._stages))
        out = []
        for signature in sorted(shown):
            name, _, arity = signature.partition("/")
            number = self.relation(Fun(name, (Var("_"),) * int(arity)))
            rests.setdefault(number, set())
            out.append((name, number))
        return Plan(stages, rests, tuple(out), len(self._numbers))


# --- terms ----------------------------------------------------------------------------------------


def _plain(term: Term) -> bool:
    """Whether it is a constant or a number."""
    return isinstance(term, Fun) and not term.args and bool(term.name)


def _fits(atom: Fun, given: Fun) -> bool:
    """Whether a fact may be what an atom speaks of."""
    return all(
        isinstance(arg, Var) or not ground(arg) or arg == value
        for arg, value in zip(atom.args, given.args, strict=True)
    )


def _put(atom: Fun, values: Mapping[str, Term]) -> Fun:
    found = put(atom, values)
    assert isinstance(found, Fun)
    return found


def _name(text: str) -> str:
    """A constant as `Fun` has it."""
    return f"#{text}" if text.lstrip("-").isdigit() else text


_VALUES: dict[str, Any] = {}


def value_of(text: str) -> Any:
    """A ground term as it stands in a row."""
    found = _VALUES.get(text)
    if found is None:
        found = keep(_VALUES, text, _read(text), _KEPT)
    return found


def _read(text: str) -> Any:
    if text[0] == '"':
        if "\\" in text:
            raise Unreadable(text)
        return text
    if text[0].isdigit() or (text[0] == "-" and text[1:].isdigit()):
        return int(text)
    name, _, rest = text.partition("(")
    if not rest:
        if not (name.isidentifier() or name.replace("'", "_").isidentifier()):
            raise Unreadable(text)
        return name
    args = arguments(rest[:-1])
    if not args and name:  # clingo drops the brackets
        return value_of(name)
    return (f"{name}/{len(args)}", *map(value_of, args))


def text_of_value(value: Any) -> str:
    """A term as clingo prints it."""
    if value.__class__ is str:
        return str(value)
    if value.__class__ is int:
        return str(value)
    name, _, arity = value[0].rpartition("/")
    inside = ",".join(map(text_of_value, value[1:]))
    if not name and arity == "1":
        inside += ","
    return f"{name}({inside})"
