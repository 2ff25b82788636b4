"""How the rules of a slice are carried out: in stages, and again only where something changed.

A stage is the rules of one relation, or of several that rest on each other; it is carried out after
all that it rests on. From one question to the next most of a position stays as it is, and so does
most of what rests on it. So a plan keeps its relations: of the next question it takes the facts
that are gone and those that are new, and carries out the stages that read a relation that is not
what it was. What comes of a stage is kept with what it came of, for the other plans too that have
the same stage: it is of the position, whatever is asked about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias
from weakref import WeakValueDictionary

from pyengine.clauses import Fun
from pyengine.compiling import Function, Rule, choices_of, rule_of
from pyengine.limits import Budget
from pyengine.relations import Relation, Row, Undefined
from pyengine.written import Atom, Compared, Unreadable, Written, variables, variables_of

if TYPE_CHECKING:
    from pyengine.evaluating import Evaluator

# the name of a predicate and a row of it
Told: TypeAlias = tuple[str, Row]
# a row and the number of its relation
Fact: TypeAlias = tuple[int, Row]
# those that come and go together
Given: TypeAlias = frozenset[Fact]


@dataclass(slots=True, eq=False)
class Step:
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


class _Found(Exception):
    """There is an instance."""


def _found(_: Row) -> None:
    raise _Found


@dataclass(slots=True, eq=False)
class Knot:
    """Rules that wait for each other, or rest on a choice that rests on them.

    They are looked at when all before them is known. Those that rest on what is not there are
    left out, and nearly always the others can be put in order.
    """

    steps: list[Step]
    inside: tuple[int, ...]
    stages: Stages
    reads: tuple[int, ...] = ()
    chosen: bool = False
    known: dict[frozenset[int], list[Stage] | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reads = _reads(self.inside, self.steps)
        self.chosen = any(step.chosen for step in self.steps)

    def untied(self, relations: list[Any]) -> list[Stage]:
        """Those that may find something, in order. Unreadable: there is none."""
        live = frozenset(self._live(relations))
        if live not in self.known:
            steps = [self.steps[number] for number in sorted(live)]
            stages = list(staged(steps, None, self.stages))
            tied = any(isinstance(stage, Knot) for stage in stages)
            self.known[live] = None if tied else [s for s in stages if isinstance(s, Stage)]
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

    def _outside(self, step: Step, relations: list[Any]) -> bool:
        """Whether there is all that it needs of what is known."""
        if step.chosen:
            return True
        for relation in step.needs:
            if relation not in self.inside and not relations[relation].rows:
                return False
        probe = step.before(frozenset(self.inside))
        if probe is None:
            return True
        try:
            probe(relations, _found)
        except _Found:
            return True
        return False


def _reads(heads: tuple[int, ...], steps: Iterable[Step]) -> tuple[int, ...]:
    """The relations of the steps, those that they add to first."""
    rests = (relation for step in steps for relation, _ in step.rests)
    return tuple(dict.fromkeys((*heads, *rests)))


@dataclass(slots=True, eq=False, weakref_slot=True)
class Stage:
    """Rules that are carried out together. ``loop``: they rest on each other.

    ``before`` and ``after``: the relations that it read last, and what came of them. A relation
    with the same rows as before is the same relation.
    """

    steps: list[Step]
    heads: tuple[int, ...]
    loop: bool
    chosen: bool
    reads: tuple[int, ...] = ()
    onward: dict[int, list[tuple[int, Function, tuple[int, ...]]]] | None = None
    before: list[Relation] | None = None
    after: list[Relation] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.reads = _reads(self.heads, self.steps)

    def run(self, relations: list[Any]) -> None:
        """Carries them out. Of what they add to only what is given is there, and is not changed."""
        live = []
        for step in self.steps:
            for need in step.needs:
                if not relations[need].rows:
                    break
            else:
                live.append(step)
        if not live:
            return
        before = [relations[number] for number in self.reads]
        if before != self.before:
            self.before = None
            for number in self.heads:
                relations[number] = Relation(relations[number].rows)
            if self.loop:
                self._repeat(relations, live)
            else:
                add = relations[self.heads[0]].rows.add
                for step in live:
                    (step.function or step.made())(relations, add)
            found = [relations[number] for number in self.heads]
            for place, old in enumerate(self.after):
                if found[place].rows == old.rows:
                    found[place] = old
            self.after = found
            self.before = before  # last: whoever is interrupted before carries them out again
        for number, relation in zip(self.heads, self.after, strict=True):
            relations[number] = relation

    def _repeat(self, relations: list[Any], live: list[Step]) -> None:
        """Until nothing new comes of any row."""
        waiting: dict[int, set[Row]] = {}
        for step in live:
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
        inside = frozenset(self.heads)
        for step in self.steps:
            for relation, function in step.from_rows(inside):
                needs = tuple(need for need in step.needs if need != relation)
                found.setdefault(relation, []).append((step.head, function, needs))
        return found

    def ways(self, relations: list[Any]) -> list[Relation]:
        """What can be chosen."""
        groups: dict[tuple[int, Row], dict[Row, None]] = {}
        if relations[self.heads[0]].rows:
            raise Unreadable(self.steps[0].text)
        for number, step in enumerate(self.steps):
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
            raise Unreadable(self.steps[0].text)
        return [Relation(way) for way in product(*options)]


# the stages that a plan has, by their rules
Stages: TypeAlias = WeakValueDictionary[tuple[Step, ...], Stage]


def staged(
    steps: Iterable[Step], rests: Mapping[int, set[int]] | None, known: Stages
) -> Iterator[Stage | Knot]:
    """Rules in the order of what they rest on.

    Args:
        steps: the rules.
        rests: of each relation those that it rests on; None: as the rules say.
        known: the stages that there are; these come to them.
    """
    of: dict[int, list[Step]] = {}
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
            yield Knot(here, tuple(component), known)
            continue
        stage = known.get(tuple(here))
        if stage is None:
            stage = known[tuple(here)] = Stage(here, tuple(component), loop, here[0].chosen)
        yield stage


NOTHING = Relation()


class Store:
    """The facts of the last question as relations; those of the next are told apart from them.

    A relation that is given the same rows again stays the same relation.
    """

    def __init__(self) -> None:
        self.given: dict[int, Relation] = {}
        self._parts: dict[Any, Given] = {}
        self._counts: dict[Fact, int] = {}
        self._stale = False

    def take(self, parts: Mapping[Any, None], rows: Callable[[Any], Given]) -> None:
        """These facts in place of the last.

        Args:
            parts: what the facts are parted in; a part is never given other facts.
            rows: the facts of a part.

        Raises:
            Unreadable: only clingo can be given one of them.
        """
        if self._stale:
            self._parts, self._counts = {}, {}
            self.given.update(dict.fromkeys(self.given, NOTHING))
        self._stale = True  # whoever interrupts: all of the next are new
        self._told_apart(parts, rows)
        self._stale = False

    def _told_apart(self, parts: Mapping[Any, None], rows: Callable[[Any], Given]) -> None:
        last = self._parts
        gone, new = last.keys() - parts.keys(), parts.keys() - last.keys()
        more = [(part, rows(part)) for part in new]
        less = [last.pop(part) for part in gone]
        last.update(more)
        changed: dict[int, set[Row]] = {}
        for number, row in self._counted(less, [facts for _, facts in more]):
            if number in changed:
                changed[number] ^= {row}
            else:
                changed[number] = self.given.get(number, NOTHING).rows ^ {row}
        for number, found in changed.items():
            self.given[number] = Relation(found)

    def _counted(self, gone: list[Given], new: list[Given]) -> list[Fact]:
        """The facts that come or go altogether: what is in several parts goes with the last."""
        less, more = (frozenset().union(*some) for some in (gone, new))
        signs = [(each, -1) for each in less - more] + [(each, 1) for each in more - less]
        if sum(map(len, gone)) + sum(map(len, new)) > len(less) + len(more):
            signs = [
                (each, sign)
                for some, sign in ((gone, -1), (new, 1))
                for facts in some
                for each in facts
            ]
        counts, found = self._counts, dict[Fact, bool]()
        for each, sign in signs:
            old = counts.get(each, 0)
            found.setdefault(each, old > 0)
            if old + sign:
                counts[each] = old + sign
            else:
                del counts[each]
        return [each for each, there in found.items() if there != (each in counts)]


class Plan:
    """How the rules of a slice are carried out, and what came of it last.

    Args:
        stages: in order.
        relations: the numbers of all relations that may be spoken of.
        shown: the names and numbers of those that are looked at.
        size: how many relations there are in all.
    """

    def __init__(
        self,
        stages: Sequence[Stage | Knot],
        relations: Iterable[int],
        shown: tuple[tuple[str, int], ...],
        size: int,
    ) -> None:
        self._stages = stages
        self._shown = shown
        self._numbers = tuple(relations)
        self._inputs: list[int] = []
        self._met = 0
        self._nothing: list[Any] = [None] * size
        for number in self._numbers:
            self._nothing[number] = NOTHING
        # by number: the stages that read a relation, and whether one adds to it
        self._readers: dict[int, list[int]] = {}
        self._added: set[int] = set()
        # what chooses must choose each time
        self._choosing = [place for place, stage in enumerate(stages) if stage.chosen]
        for place, stage in enumerate(stages):
            for number in stage.reads:
                self._readers.setdefault(number, []).append(place)
            self._added.update(stage.inside if isinstance(stage, Knot) else stage.heads)
        self._stale = False
        self._forget()

    def _forget(self) -> None:
        """Nothing was carried out yet."""
        self._given = self._nothing.copy()
        self._relations = self._nothing.copy()
        self._due = bytearray(b"\1" * len(self._stages))
        self._seen: list[Relation] | None = None
        self._told: list[Told] = []

    def answers(self, given: Mapping[int, Relation], budget: Budget) -> list[list[Told]] | None:
        """The shown atoms of every answer set; None: clingo has to find them.

        Args:
            given: the facts as relations.
            budget: what is left of the limits.

        Returns:
            Lists, of which each is the one that was given before if nothing of it has changed.
        """
        if self._stale:
            self._forget()
        self._stale = True  # whoever interrupts: nothing of it is gone on from
        try:
            self._take(given)
            for place in self._choosing:
                self._due[place] = 1
            found = list(self._onward(0, budget, picked=False))
        except (Unreadable, Undefined, RecursionError):
            return None
        self._stale = False
        return found

    def _take(self, given: Mapping[int, Relation]) -> None:
        """These facts in place of the last."""
        if len(given) > self._met:  # of some a fact was never given
            self._met = len(given)
            self._inputs = [number for number in self._numbers if number in given]
        mine = self._given
        for number in self._inputs:
            relation = given[number]
            if relation is not mine[number]:
                mine[number] = relation
                if number not in self._added:
                    self._relations[number] = relation
                self._changed(number)

    def _changed(self, number: int) -> None:
        """A relation is not what it was."""
        due = self._due
        for place in self._readers.get(number, ()):
            due[place] = 1

    def _onward(self, place: int, budget: Budget, picked: bool) -> Iterator[list[Told]]:
        """What comes of the stages from that place on. ``picked``: the choice was made."""
        due, relations, given = self._due, self._relations, self._given
        while (place := due.find(1, place)) >= 0:
            stage = self._stages[place]
            if isinstance(stage, Knot):
                was = [relations[number] for number in stage.inside]
                for number in stage.inside:
                    relations[number] = given[number]
                here = _Within(stage.inside, stage.untied(relations), was, place)
                yield from self._within(here, 0, budget, picked)
                return
            if stage.chosen:
                yield from self._each_way(stage, place, budget, picked)
                return
            before = [relations[number] for number in stage.heads]
            for number in stage.heads:
                relations[number] = given[number]
            stage.run(relations)
            for number, old in zip(stage.heads, before, strict=True):
                if relations[number] is not old:
                    self._changed(number)
            due[place] = 0
            place += 1
        yield self._looked_at()

    def _each_way(
        self, stage: Stage, place: int, budget: Budget, picked: bool
    ) -> Iterator[list[Told]]:
        """What comes of each way to choose."""
        if picked:
            raise Unreadable("a second choice")
        relations, number = self._relations, stage.heads[0]
        old, relations[number] = relations[number], self._given[number]
        ways = stage.ways(relations)
        relations[number] = old
        for way in ways:
            budget.check()
            if way.rows != relations[number].rows:
                relations[number] = way
                self._changed(number)
            self._due[place] = 0
            yield from self._onward(place + 1, budget, picked=True)

    def _within(
        self, here: _Within, first: int, budget: Budget, picked: bool
    ) -> Iterator[list[Told]]:
        """What comes of the stages of a knot from the first on, and of those after it."""
        relations, given = self._relations, self._given
        for place, stage in enumerate(here.stages[first:], start=first):
            if not stage.chosen:
                stage.run(relations)
                continue
            if picked:
                raise Unreadable("a second choice")
            ways = stage.ways(relations)
            for way in ways:
                budget.check()
                for later in here.stages[place:]:
                    for number in later.heads:
                        relations[number] = given[number]
                relations[stage.heads[0]] = way
                yield from self._within(here, place + 1, budget, picked=True)
            if not ways:  # what comes after goes by what was
                for number, old in zip(here.inside, here.was, strict=True):
                    relations[number] = old
            return
        for k, number in enumerate(here.inside):
            if relations[number] is not here.was[k]:
                here.was[k] = relations[number]
                self._changed(number)
        self._due[here.place] = 0
        yield from self._onward(here.place + 1, budget, picked)

    def _looked_at(self) -> list[Told]:
        """The shown atoms."""
        seen = [self._relations[number] for _, number in self._shown]
        if seen != self._seen:
            self._seen = seen
            self._told = [
                (name, row)
                for (name, _), relation in zip(self._shown, seen, strict=True)
                for row in relation.rows
            ]
        return self._told


class _Within(NamedTuple):
    """A knot that is being carried out. ``was``: what those after it have seen of it."""

    inside: tuple[int, ...]
    stages: list[Stage]
    was: list[Relation]
    place: int


# --- graphs --------------------------------------------------------------------------------------


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
