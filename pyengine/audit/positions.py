"""Searches over all positions of a scope: the same chapters that judge one, over generated facts.

``rules/audit/positions.lp`` generates the facts of a position, a program beside it says which
faults it shows (``shows(X)``), and clingo looks for the smallest that shows one. What it finds is
turned back into a state and asked of the ordinary engine; what that does not confirm is dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

import clingo
from clingo import ast
from clingo.ast import ProgramBuilder

from pyengine import facts
from pyengine.audit.registry import Context, OutOfTime
from pyengine.audit.witness import minimised
from pyengine.audit.words import told
from pyengine.kinds import Kind, catalogue, data_folder
from pyengine.model import Action, PyengineError, State, StateError
from pyengine.questions import asked_of, merged, state_facts
from pyengine.rulebook import Words
from pyengine.solving import Answer, Program, RulesError, chapters, solve, statements, turn
from pyengine.vector import mark_of, marked

# how often clingo may be wrong about one question; then the search is undecided
_CONFLICTS = 200_000


@dataclass(frozen=True, slots=True)
class Menu:
    """Of what positions are made.

    Args:
        abilities: canonical terms that a card may bear, in this order.
        effects: abilities that may be laid on a card.
        kinds: kinds that a card may be of.
        words: by what they say (phase, type, zone, class, element) the words that may stand there.
        most: how many of the abilities a card may bear.
        levels: the numbers that values and marks may have.
    """

    abilities: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    words: tuple[tuple[str, str], ...] = ()
    most: int = 2
    levels: tuple[int, ...] = (0, 1)

    def facts(self, cards: int, effects: int) -> str:
        """The facts that positions.lp asks for, with those of the abilities."""
        out = [f"slot(c{n},{n})." for n in range(1, cards + 1)]
        out += [f"effect({n})." for n in range(1, effects + 1)]
        out += [f"level({n})." for n in self.levels]
        out += [f"word({what},{facts.name(word)})." for what, word in self.words]
        out.append(f"most({self.most}).")
        language: set[str] = set()
        for predicate, texts in (("menu", self.abilities), ("laying", self.effects)):
            for place, text in enumerate(texts, start=1):
                ability = facts.encode(text)
                language |= ability.facts
                out.append(f"{predicate}({place},{ability.term}).")
        for kind in self.kinds:
            out += _kind_facts(kind, language)
        # `creates` and `copies` are no facts of a position: see questions.state_facts
        out += sorted(fact for fact in language if not fact.startswith(("creates(", "copies")))
        return "\n".join(out)


def _kind_facts(kind: Kind, language: set[str]) -> Iterator[str]:
    x = facts.name(kind.id)
    yield f"kind({x})."
    if kind.id in catalogue():
        yield f"known({x})."
    printed = [f"type({kind.type})", f"cost({kind.cost})", f"life({kind.life})", f"name({x})"]
    if isinstance(kind.strike, int):
        printed.append(f"strike({kind.strike})")
    else:
        grades = zip(("weak", "medium", "strong"), kind.strike, strict=True)
        printed += [f"{grade}({number})" for grade, number in grades]
    printed += [f"class({facts.name(word)})" for word in kind.classes]
    printed += [f"element({facts.name(word)})" for word in kind.element]
    yield from (f"prints({x},{value})." for value in printed)
    for place, text in enumerate(kind.abilities, start=1):
        ability = facts.encode(text)
        language |= ability.facts
        yield f"bears_kind({x},{place},{ability.term})."


@dataclass(frozen=True, slots=True)
class Shown:
    """A position that shows a fault.

    Args:
        state: the position.
        fault: what ``looked_at`` says of it.
        action: the declaration that shows it.
        told: what else the program tells of it.
    """

    state: State
    fault: clingo.Symbol
    action: Action | None = None
    told: tuple[clingo.Symbol, ...] = ()


@lru_cache(maxsize=32)
def audited(
    edition: str, folder: Path | None, properties: tuple[str, ...], generated: bool
) -> Program:
    """The chapters of an edition with the programs of a code, and what generates positions."""
    names = list(properties)
    if generated:
        layout = "board" if edition == "classic" else "hand"
        names += ["positions", layout, "settled_table", "goal"]
    with turn():
        paths = chapters(f"rules/editions/{edition}.lp", folder)
        nodes = [node for path in paths for node in statements(path)]
        nodes += [node for name in names for node in part(name)]
        if not generated:
            nodes = [node for node in nodes if "looked_at" not in str(node)]
        return Program(nodes)


@lru_cache(maxsize=8)
def part(name: str) -> tuple[ast.AST, ...]:
    """The statements of a program of rules/audit."""
    with turn():
        return tuple(statements(data_folder("rules") / "audit" / f"{name}.lp"))


@lru_cache(maxsize=1)
def fact_words() -> frozenset[str]:
    """The predicates (`name/arity`) of the facts of a position of any edition."""
    return frozenset(Program((*part("positions"), *part("board"))).shows)


@dataclass
class Quest:
    """A search for positions that show faults of one code.

    Args:
        context: whose rules, how far, until when.
        code: of the faults.
        properties: the programs that say what is a fault, without ``.lp``.
        menu: of what positions are made.
        confirm: asks the ordinary engine whether a position shows the fault.
        told: predicates (`name/arity`) that belong to a fault as ``looked_at`` does.
        most: how many faults are told.
    """

    context: Context
    code: str
    properties: tuple[str, ...]
    menu: Menu
    confirm: Callable[[Shown], bool]
    told: tuple[str, ...] = ()
    most: int = 12
    _seen: list[str] = field(default_factory=list)

    def faults(self) -> Iterator[Shown]:
        """Each fault with its smallest position, those of fewer cards first.

        Raises:
            OutOfTime: the scope has not been looked through.
        """
        scope = self.context.scope
        for cards in range(scope.cards + 1):
            self.context.look(self.code, cards, scope.cards + 1)
            yield from self._of_size(cards)

    def _of_size(self, cards: int) -> Iterator[Shown]:
        effects = self.context.scope.effects if self.menu.effects else 0
        control = self._control(self.menu.facts(cards, effects))
        for number, signature in enumerate(self._seen):
            _forbid(control, number, signature)
        while len(self._seen) < self.most:
            symbols = smallest(control, self.context)
            if symbols is None:
                return
            shown = self._read(symbols)
            signature = ", ".join([f"looked_at({shown.fault})", *map(str, shown.told)])
            _forbid(control, len(self._seen), signature)
            self._seen.append(signature)
            if self.context.confirmed(self.code, partial(self.confirm, shown)):
                yield replace(shown, state=minimised(shown.state, partial(self._holds, shown)))

    def _holds(self, shown: Shown, less: State) -> bool:
        """Whether a position shows the same: not every position can be generated."""
        self.context.go_on()
        try:
            return self.confirm(replace(shown, state=less))
        except PyengineError:
            return False

    def _control(self, text: str) -> clingo.Control:
        context = self.context
        rules = audited(context.edition, context.folder, self.properties, True)
        wanted = (fact_words() | {"looked_at/1", "declared/1", *self.told}) & set(rules.shows)
        messages: list[str] = []
        with turn():
            control = clingo.Control(
                ["--warn=no-atom-undefined", "--seed=1"],
                logger=lambda code, text: messages.append(text),
            )
            with ProgramBuilder(control) as builder:
                for node in (*rules.slice(text, wanted), *part("smallest")):
                    builder.add(node)
            control.add("base", [], text)
            control.ground([("base", [])])
        if messages:
            raise RulesError("; ".join(messages))
        return control

    def _read(self, symbols: Sequence[clingo.Symbol]) -> Shown:
        told = {signature.partition("/")[0] for signature in self.told}
        (fault,) = (s.arguments[0] for s in symbols if s.name == "looked_at")
        declared = [s.arguments[0] for s in symbols if s.name == "declared"]
        return Shown(
            read_state(symbols, self.context.edition),
            fault,
            facts.action_of(declared[0]) if declared else None,
            tuple(sorted(s for s in symbols if s.name in told)),
        )


def _forbid(control: clingo.Control, number: int, signature: str) -> None:
    """No position is looked for any more that shows all of this."""
    with turn():
        control.add(f"told{number}", [], f":- {signature}.")
        control.ground([(f"told{number}", [])])


class GivenUp(OutOfTime):
    """A question was too hard: so many conflicts, and no answer. The same on every machine."""

    def __init__(self, left: Words | None = None) -> None:
        super().__init__(left or told("left_hard"))


def smallest(
    control: clingo.Control,
    context: Context,
    assumptions: Sequence[tuple[clingo.Symbol, bool]] = (),
    conflicts: int = _CONFLICTS,
) -> list[clingo.Symbol] | None:
    """The symbols of a model, a smallest one if the program measures them; None if there is none.

    Raises:
        OutOfTime: the time limit came first.
        GivenUp: the limit of conflicts came first.
    """
    found: list[list[clingo.Symbol]] = []
    until = context.until
    with turn():
        control.configuration.solve.solve_limit = f"{conflicts},umax"  # type: ignore[union-attr]
        with control.solve(
            assumptions=assumptions,
            on_model=lambda model: found.append(list(model.symbols(shown=True))),
            async_=True,
        ) as handle:
            if not handle.wait(None if until is None else max(0.0, until - time.time())):
                handle.cancel()
                raise OutOfTime
            result = handle.get()
    if result.satisfiable is None or (control_measures(control) and not result.exhausted):
        raise GivenUp
    return found[-1] if found else None


def control_measures(control: clingo.Control) -> bool:
    """Whether its program says which models are smaller."""
    return bool(control.statistics["summary"].get("costs"))


def read_state(symbols: Iterable[clingo.Symbol], edition: str) -> State:
    """The state of a generated position.

    Raises:
        RulesError: the generator is at fault: this is no position.
    """
    words = {signature.partition("/")[0] for signature in fact_words()}
    text = "\n".join(sorted(f"{symbol}." for symbol in symbols if symbol.name in words))
    try:
        return State.from_dict(facts.state_of(text, edition).to_dict())
    except StateError as error:
        raise RulesError(f"rules/audit/positions.lp: this is no position: {error}") from error


def faults_of(context: Context, properties: tuple[str, ...], state: State) -> Answer:
    """What the programs of a code say of one position, without any search."""
    rules = audited(context.edition, context.folder, properties, False)
    text = f"{state_facts(state)}\njudged({facts.name(state.active)})."
    (answer,) = solve(rules, text, shown=("shows/1",))
    return answer


def any_shows(context: Context, properties: tuple[str, ...], states: Sequence[State]) -> bool:
    """Whether one of several positions shows a fault.

    Args:
        context: whose rules.
        properties: programs of which a fault hangs on a card or a declaration, not on all of them.
        states: the positions.
    """
    rules = audited(context.edition, context.folder, properties, False)
    text = []
    for number, state in enumerate(states):
        mark = mark_of(number)
        there = marked(state, mark)
        text.append(asked_of(there, f"judged({facts.name(there.active)}).", mark=mark))
    (answer,) = solve(rules, merged(text), shown=("shows/1",))
    return bool(answer["shows"])
