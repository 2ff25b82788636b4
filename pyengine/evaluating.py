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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from pyengine.apart import arguments
from pyengine.clauses import Clause, Fun, Term, Var
from pyengine.compiling import Function, Rule, choices_of, ground, rule_of
from pyengine.keeping import keep
from pyengine.limits import Budget
from pyengine.relations import Relation, Row, Undefined
from pyengine.written import (
    Atom,
    Compared,
    Unreadable,
    Written,
    put,
    put_into,
    variables,
    variables_of,
    written,
)

_KEPT = 100_000
# the name of a predicate and a row of it
Told = tuple[str, Row]


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
        self._rules: dict[int, list[_Step]] = {}
        self._parsed: dict[str, tuple[int, Row]] = {}

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
            found = self._edges[statement] = []
            for clause in self._clauses[statement]:
                values = self._fixed([each.atom for each in clause.body if each.binds])
                if clause.head is None:
                    continue
                body = [
                    (self.relation(_put(each.atom, values)), each.binds) for each in clause.body
                ]
                found.append((self.relation(_put(clause.head, values)), body))
        return found

    def steps(self, statement: int) -> list[_Step]:
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
                found.append(_Step(self, text, head, rests, chosen))
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
        stages = list(staged(steps, rests))
        out = []
        for signature in sorted(shown):
            name, _, arity = signature.partition("/")
            number = self.relation(Fun(name, (Var("_"),) * int(arity)))
            rests.setdefault(number, set())
            out.append((name, number))
        return Plan(self, stages, tuple(rests), tuple(out))

    @property
    def size(self) -> int:
        """How many relations there are."""
        return len(self._numbers)


@dataclass(slots=True, eq=False)
class _Step:
    """A rule that is carried out.

    ``rests``: the relations of its body; True: it needs an atom of it to hold. ``needs``: those
    without which it finds nothing.
    """

    evaluator: Evaluator
    text: str
    head: int
    rests: tuple[tuple[int, bool], ...]
    chosen: bool
    function: Function | None = None
    later: dict[int, list[tuple[int, Function]]] = field(default_factory=dict)
    needs: tuple[int, ...] = ()
    probes: dict[frozenset[int], Function | None] = field(default_factory=dict)
    every: Function | None = None

    def __post_init__(self) -> None:
        if not self.chosen:
            self.needs = tuple(dict.fromkeys(relation for relation, binds in self.rests if binds))

    def made(self) -> Function:
        """Its function."""
        if self.function is None:
            self.function = self._rule(None).compiled()
        return self.function

    def _rule(self, first: int | None) -> Rule:
        return rule_of(self.evaluator.written(self.text), self.evaluator.relation, first)

    def from_rows(self, inside: frozenset[int]) -> Iterator[tuple[int, Function]]:
        """Of each literal whose relation is one of these: what finds the instances of its rows."""
        rule = self.evaluator.written(self.text)
        for place, literal in enumerate(rule.body):
            if isinstance(literal, Atom) and literal.holds:
                relation = self.evaluator.relation(literal.atom)
                if relation in inside:
                    known = self.later.get(place)
                    if known is None:
                        known = self.later[place] = [(relation, self._rule(place).compiled())]
                    yield from known

    def before(self, inside: frozenset[int]) -> Function | None:
        """What finds an instance of the part of its body that is outside; None: anything does."""
        own = inside.intersection([relation for relation, _ in self.rests])
        if own not in self.probes:
            try:
                self.probes[own] = self._probe(own)
            except Unreadable:
                self.probes[own] = None
        return self.probes[own]

    def _probe(self, inside: frozenset[int]) -> Function | None:
        rule = self.evaluator.written(self.text)
        atoms = [each for each in rule.body if isinstance(each, Atom)]
        outside = [each for each in atoms if self.evaluator.relation(each.atom) not in inside]
        bound = {name for each in outside if each.holds for name in variables(each.atom)}
        body = tuple(
            each
            for each in rule.body
            if (each in outside or isinstance(each, Compared))
            and (bound.issuperset(variables_of(each)) or (isinstance(each, Atom) and each.holds))
        )
        if not any(isinstance(each, Atom) for each in body):
            return None
        return rule_of(Written(Fun("", ()), body), self._relation).compiled()

    def choices(self) -> Function:
        """What finds its choices."""
        if self.every is None:
            rule = choices_of(self.evaluator.written(self.text))
            self.every = rule_of(rule, self._relation).compiled()
        return self.every

    def _relation(self, atom: Fun) -> int:
        return self.evaluator.relation(atom) if atom.name else -1  # what is not kept


@dataclass(slots=True, eq=False)
class _Knot:
    """Rules that wait for each other, or rest on a choice that rests on them.

    They are looked at when all before them is known. Those that rest on what is not there are
    left out, and nearly always the others can be put in order.
    """

    steps: list[_Step]
    inside: frozenset[int]
    known: dict[frozenset[int], list[_Stage] | None] = field(default_factory=dict)

    def untied(self, relations: list[Any]) -> list[_Stage]:
        """Those that may find something, in order. Unreadable: there is none."""
        live = frozenset(self._live(relations))
        if live not in self.known:
            stages = list(staged([self.steps[number] for number in sorted(live)]))
            tied = any(isinstance(stage, _Knot) for stage in stages)
            self.known[live] = None if tied else [s for s in stages if isinstance(s, _Stage)]
        found = self.known[live]
        if found is None:
            raise Unreadable(self.steps[0].text)
        return found

    def _live(self, relations: list[Any]) -> set[int]:
        there = {each for each in self.inside if relations[each].rows}
        waiting = [n for n, step in enumerate(self.steps) if self._outside(step, relations)]
        live: set[int] = set()
        while True:
            new = [
                number
                for number in waiting
                if number not in live
                and all(
                    each in there
                    for each, binds in self.steps[number].rests
                    if binds and each in self.inside and not self.steps[number].chosen
                )
            ]
            if not new:
                return live
            live.update(new)
            there.update(self.steps[number].head for number in new)

    def _outside(self, step: _Step, relations: list[Any]) -> bool:
        """Whether there is all that it needs of what is known."""
        if step.chosen:
            return True
        for relation in step.needs:
            if relation not in self.inside and not relations[relation].rows:
                return False
        probe = step.before(self.inside)
        if probe is None:
            return True
        try:
            probe(relations, _found)
        except _Found:
            return True
        return False


class _Found(Exception):
    """There is an instance."""


def _found(_: Row) -> None:
    raise _Found


def staged(
    steps: Iterable[_Step], rests: Mapping[int, set[int]] | None = None
) -> Iterator[_Stage | _Knot]:
    """Rules in the order of what they rest on.

    Args:
        steps: the rules.
        rests: of each relation those that it rests on; None: as the rules say.
    """
    of: dict[int, list[_Step]] = {}
    for step in steps:
        of.setdefault(step.head, []).append(step)
    if rests is None:
        rests = {head: {each for s in some for each, _ in s.rests} for head, some in of.items()}
        for each in set().union(*rests.values()) - rests.keys():
            rests[each] = set()
    for component in components(rests):
        inside = frozenset(component)
        here = [step for head in component for step in of.get(head, ())]
        if not here:
            continue
        loop = any(rests[each] & inside for each in inside)
        waits = any(each in inside for s in here for each, binds in s.rests if not binds)
        chosen = {step.chosen for step in here}
        if waits or len(chosen) > 1 or (loop and True in chosen):
            yield _Knot(here, inside)
        else:
            yield _Stage(here, inside if loop else frozenset(), here[0].chosen)


@dataclass(slots=True, eq=False)
class _Stage:
    """Rules that are carried out together. ``inside``: their relations, if they rest on them."""

    steps: list[_Step]
    inside: frozenset[int]
    chosen: bool
    onward: dict[int, list[tuple[int, Function, tuple[int, ...]]]] | None = None

    def run(self, relations: list[Any]) -> None:
        """Carries them out."""
        if self.inside:
            self._run_loop(relations)
            return
        for step in self.steps:
            for need in step.needs:
                if not relations[need].rows:
                    break
            else:
                function = step.function or step.made()
                function(relations, relations[step.head].rows.add)

    def _run_loop(self, relations: list[Any]) -> None:
        """Until nothing new comes of any row."""
        waiting: dict[int, set[Row]] = {}
        for step in self.steps:
            for need in step.needs:
                if not relations[need].rows:
                    break
            else:
                found = waiting.setdefault(step.head, set())
                (step.function or step.made())(relations, found.add)
        onward = self.onward
        while waiting:
            number, rows = waiting.popitem()
            relation = relations[number]
            new = list(rows - relation.rows)
            if not new:
                continue
            relation.insert(new)
            if onward is None:
                onward = self.onward = self._onward()
            for head, function, needs in onward.get(number, ()):
                for need in needs:
                    if not relations[need].rows:
                        break
                else:
                    function(relations, waiting.setdefault(head, set()).add, new)

    def _onward(self) -> dict[int, list[tuple[int, Function, tuple[int, ...]]]]:
        """Of each relation what goes on from its new rows."""
        found: dict[int, list[tuple[int, Function, tuple[int, ...]]]] = {}
        for step in self.steps:
            for relation, function in step.from_rows(self.inside):
                needs = tuple(need for need in step.needs if need != relation)
                found.setdefault(relation, []).append((step.head, function, needs))
        return found


class Plan:
    """How the rules of a slice are carried out."""

    def __init__(
        self,
        evaluator: Evaluator,
        stages: Sequence[_Stage | _Knot],
        relations: tuple[int, ...],
        shown: tuple[tuple[str, int], ...],
    ) -> None:
        self.evaluator = evaluator
        self._stages = stages
        self._relations = relations
        self._shown = shown

    def answers(
        self, facts: Iterable[tuple[int, Row]], budget: Budget
    ) -> Iterator[Iterator[Told]] | None:
        """The shown atoms of every answer set; None: clingo has to find them."""
        try:
            return iter(list(self._answers(facts, budget)))
        except (Unreadable, Undefined, RecursionError):
            return None

    def _answers(
        self, facts: Iterable[tuple[int, Row]], budget: Budget
    ) -> Iterator[Iterator[Told]]:
        given = list(facts)  # they may be of relations that were not met before
        relations: list[Any] = [None] * self.evaluator.size
        for number in self._relations:
            relations[number] = Relation()
        for number, row in given:
            relation = relations[number]
            if relation is not None:
                relation.rows.add(row)
        yield from self._onward(relations, self._stages, budget)

    def _onward(
        self,
        relations: list[Any],
        stages: Sequence[_Stage | _Knot],
        budget: Budget,
        picked: bool = False,
    ) -> Iterator[Iterator[Told]]:
        """What comes of the stages that are left. ``picked``: the choice was made."""
        for place, stage in enumerate(stages, start=1):
            left = stages[place:]
            if isinstance(stage, _Knot):
                left = [*stage.untied(relations), *left]
                yield from self._onward(relations, left, budget, picked)
                return
            if not stage.chosen:
                stage.run(relations)
                continue
            if picked:
                raise Unreadable("a second choice")
            heads = {step.head for each in left for step in each.steps}
            ways = self._ways(relations, stage)
            for number, way in enumerate(ways, start=1):
                budget.check()
                now = relations
                if number < len(ways):
                    now = relations.copy()
                    for head in heads:
                        now[head] = Relation(relations[head].rows)
                now[stage.steps[0].head] = Relation(way)
                yield from self._onward(now, left, budget, picked=True)
            return
        yield self._told(relations)

    def _ways(self, relations: list[Any], stage: _Stage) -> list[list[Row]]:
        """What can be chosen."""
        groups: dict[tuple[int, Row], dict[Row, None]] = {}
        met: set[Row] = set(relations[stage.steps[0].head].rows)
        if met:
            raise Unreadable
        for number, step in enumerate(stage.steps):
            choices: list[Row] = []
            step.choices()(relations, choices.append)
            groups.update({(number, key): {} for key in choices})  # without an option there is none
            found: list[tuple[Row, Row]] = []
            step.made()(relations, found.append)
            for key, row in found:
                groups[number, key][row] = None
        options = [list(rows) for rows in groups.values()]
        everything = [row for rows in options for row in rows]
        if len(set(everything)) < len(everything):
            raise Unreadable
        return [list(way) for way in product(*options)]

    def _told(self, relations: list[Any]) -> Iterator[Told]:
        return iter([(name, row) for name, number in self._shown for row in relations[number].rows])


# --- terms and graphs ----------------------------------------------------------------------------


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


def components(rests: Mapping[int, Iterable[int]]) -> Iterator[list[int]]:
    """The strongly connected components of a graph, each after those that it points to."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    done: set[int] = set()
    stack: list[int] = []
    for start in rests:
        if start in order:
            continue
        work = [(start, iter(rests[start]))]
        order[start] = low[start] = len(order)
        stack.append(start)
        while work:
            node, onward = work[-1]
            for after in onward:
                if after not in order:
                    order[after] = low[after] = len(order)
                    stack.append(after)
                    work.append((after, iter(rests[after])))
                    break
                if after not in done:
                    low[node] = min(low[node], order[after])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == order[node]:
                    component = []
                    while True:
                        last = stack.pop()
                        done.add(last)
                        component.append(last)
                        if last == node:
                            break
                    yield component
