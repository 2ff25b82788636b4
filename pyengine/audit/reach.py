"""What two programs differ in, and from which positions that can matter at all.

Two sets of rules are compared statement by statement. Whether one of the statements that differ can
ever have an instance, in any step that follows from a position, is found out without solving: by
the shapes of ``slicing``, with rules that feed what a step derives into the next one. That says yes
too often and never too seldom, and is the same for all positions of a kind, so most positions need
not be asked at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from clingo import ast

from pyengine import facts
from pyengine.engine import Engine
from pyengine.explain import cited
from pyengine.kinds import catalogue
from pyengine.model import State
from pyengine.questions import state_facts
from pyengine.slicing import Kind, Slicer
from pyengine.solving import Program, chapters, program, statements

_FACT = re.compile(r'((?:[^".]+|"(?:\\.|[^"\\])*")+)\.')
_CREATED = re.compile(r"\bcreate\(([a-z_0-9]+)")

# What a step derives is there in the next; marks may come, numbers are numbers, turns pass.
_FEEDBACK = """
now(N,declare(A)) :- action(A); turn(_,N).
now(N,declare(use(C,K,L))) :- action(use(C,K,L,_)); turn(_,N).
now(N,declare(play(C,L))) :- action(play(C,L,_)); turn(_,N).
now(N,idle) :- turn(_,N).
at(N) :- turn(_,N).
now(Q,X) :- next(Q,_,X).
now(Q,X) :- later(Q,_,X).
now(Q,X) :- notes(Q,_,_,X).
noted(Q,N,N,P,X) :- notes(Q,_,P,X); turn(_,N).
kept(Q,X) :- keeps(Q,X).
about(N,P) :- players(P,_); turn(_,N).
players(P,P') :- players(P',P).
judged(P) :- players(P,_).
phase(P,main) :- players(P,_).
phase(P,choice) :- players(P,_).
phase(P,end) :- players(P,_).
phase(P,recovery) :- players(P,_).
phase(P,accumulation) :- players(P,_).
unknown(P) :- players(P,_).
known_top(P,N) :- players(P,_); turn(_,N).
over(P) :- players(P,_).
zone(C,Z) :- becomes(_,C,zone,Z).
class(C,X) :- becomes(_,C,class,X).
element(C,X) :- becomes(_,C,element,X).
closed(C) :- zone(C,_).
acted(C) :- zone(C,_).
defended(C) :- zone(C,_).
attacked(C) :- zone(C,_).
hidden(C) :- zone(C,_).
extra_life(C,N) :- zone(C,_); turn(_,N).
deck(C,N) :- zone(C,_); turn(_,N).
pending(C,C') :- zone(C,_); zone(C',_).
defender(C,C') :- zone(C,_); zone(C',_).
laid(N,C,A,N,P) :- lays(_,_,C,A,_,P,_); turn(_,N).
source(N,S) :- lays(_,_,_,_,S,_,_); turn(_,N).
until(N,U) :- lays(_,_,_,_,_,_,U); turn(_,N).
used(N,N) :- laid(N,_,_,_,_).
spent(C,A,N,N) :- has(C,A,_); turn(_,N).
spent(C,A,N,N) :- printed(C,_,A); turn(_,N).
"""


Group = tuple[str, ...]


class Ahead:
    """Which rules could have an instance in some step that follows from a position.

    Args:
        rules: statements; they are told by their number.
    """

    def __init__(self, rules: Iterable[ast.AST]) -> None:
        fed = [[line] for line in _FEEDBACK.splitlines() if line]
        forms = [[str(form) for form in rule.unpool()] for rule in rules]
        self._last = len(forms)
        self._slicer = Slicer([*forms, *fed])
        self._known: dict[Kind, frozenset[int]] = {}

    def of(self, state: State, more: str = "") -> frozenset[int]:
        """Their numbers; too many perhaps, never too few. ``more``: facts beside the position's."""
        return self.of_any((state,), more)

    def of_any(self, states: Iterable[State], more: str = "") -> frozenset[int]:
        """Those of the steps that follow from any of these positions."""
        text = "".join(f"{state_facts(state)}\n" for state in states) + more
        made = {kind for kind in _CREATED.findall(text) if kind in catalogue()}
        seeds = dict.fromkeys([*map(str.strip, _FACT.findall(text)), *_created(made)])
        kind = self._slicer.kind(seeds)
        if kind not in self._known:
            alive = self._slicer.alive(kind)
            self._known[kind] = frozenset(number for number in alive if number < self._last)
        return self._known[kind]


def _created(kinds: Iterable[str]) -> Iterable[str]:
    """Facts of the cards that may be created, which would not be there before."""
    for name in sorted(kinds):
        kind = catalogue()[name]
        yield f"created({name})"
        for place, text in enumerate(kind.abilities, 1):
            ability = facts.encode(text)
            yield f"printed({name},{place},{ability.term})"
            yield from (fact.rstrip(".") for fact in ability.facts)


class Side:
    """One of the two: an edition, ours or with somebody's chapters.

    Args:
        edition: whose rules.
        rules: a folder of changed and added chapters.
    """

    def __init__(self, edition: str, rules: Path | None = None) -> None:
        self.edition = edition
        self.rules = rules
        self.engine = Engine(rules)
        self.program = program(f"rules/editions/{edition}.lp", rules)
        self.name = edition if rules is None else f"{edition} ({rules.as_posix()})"

    def texts(self) -> dict[str, ast.AST]:
        """The rules by their text."""
        return {str(rule): rule for rule in self.program.rules}

    def citations(self) -> dict[str, tuple[str, ...]]:
        """The rules of the rulebook that the comment before each statement cites, by its text."""
        out: dict[str, tuple[str, ...]] = {}
        for path in chapters(f"rules/editions/{self.edition}.lp", self.rules):
            for block, rules in _blocks(path.read_text("utf-8")):
                for node in statements(path, block):
                    out.setdefault(str(node), rules)
        return out


def _blocks(text: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The parts of a rule file that stand under one comment, each with what that cites."""
    part = ""
    rules: tuple[str, ...] = ()
    lines: list[str] = []
    for line in text.splitlines():
        comment = line.startswith("%") and not line.startswith("% mutant:")
        if comment or line.startswith("#"):
            if lines:
                yield "\n".join([part, *lines]), rules
            lines = []
            if line.startswith("#program"):
                part = line
            if comment:
                rules = tuple(rule for _, rule in cited(line)) or rules
        else:
            lines.append(line)
    if lines:
        yield "\n".join([part, *lines]), rules


class Gap:
    """What two sides differ in.

    Attributes:
        groups: statements of only one side by the rule that they are cited under: those of the
            first side, those of the second.
    """

    def __init__(self, one: Side, two: Side) -> None:
        self.one, self.two = one, two
        ours, theirs = one.texts(), two.texts()
        rules = {**two.citations(), **one.citations()}
        self.groups: dict[tuple[str, ...], tuple[list[str], list[str]]] = {}
        for place, (here, there) in enumerate(((ours, theirs), (theirs, ours))):
            for text in here:
                if text not in there:
                    self.groups.setdefault(rules.get(text, ()), ([], []))[place].append(text)
        everything = [*ours.values(), *(rule for text, rule in theirs.items() if text not in ours)]
        group_of = {
            text: group for group, pair in self.groups.items() for side in pair for text in side
        }
        self._group_at = {
            number: group_of[str(rule)]
            for number, rule in enumerate(everything)
            if str(rule) in group_of
        }
        self._ahead = Ahead(everything)

    def reached(self, state: State) -> frozenset[Group]:
        """The groups of which a statement could have an instance in what follows."""
        alive = self._ahead.of(state)
        return frozenset(group for number, group in self._group_at.items() if number in alive)

    def hybrid(self, group: tuple[str, ...]) -> Engine:
        """The first side with one group of statements as the second has them."""
        ours, theirs = self.groups[group]
        second = self.two.texts()
        rules = [rule for text, rule in self.one.texts().items() if text not in set(ours)]
        rules += [second[text] for text in theirs]
        nodes = self.one.program.nodes
        shows = [node for node in nodes if node.ast_type != ast.ASTType.Rule]
        return Fixed(Program([*shows, *rules]))


class Fixed(Engine):
    """An engine of one program, whatever the edition of a state."""

    def __init__(self, rules: Program) -> None:
        super().__init__()
        self._fixed = rules

    def program(self, edition: str) -> Program:
        """The same whatever the edition."""
        return self._fixed
