"""The clingo controls: rule files parsed once, a control a question, models as plain text.

Parsing costs as much as grounding, so each chapter is parsed once for a process; and since every
rule has its price in every grounding, a question gets only the rules that it needs (see
``slicing``). Nothing of a question outlives it.

Threads: syntax trees and the making of symbols are not safe to share, so one lock of the process
guards whatever has to do with clingo. Questions of several threads are answered one after another;
for more at a time use processes. A fork waits until no thread is in clingo.
"""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from functools import lru_cache
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import clingo
from clingo import ast
from clingo.ast import ASTType, ProgramBuilder

from pyengine.apart import apart
from pyengine.evaluating import Evaluator, text_of_value
from pyengine.holding import held
from pyengine.keeping import keep
from pyengine.kinds import data_folder
from pyengine.limits import Budget, Watch, check
from pyengine.limits import question as budgeted
from pyengine.model import LimitError, PyengineError
from pyengine.plans import Given, Plan, Told
from pyengine.questions import Block, Places, Position, Question, stated
from pyengine.questions import symbol as symbol_of
from pyengine.relations import Relation
from pyengine.slicing import Chosen, Kind, Rounding, Slicer
from pyengine.written import Unreadable

# a part `#program filters(round)` is laid out once for each round of abilities.lp
_ROUNDS = ("0", "1", "aura", "granted", "values", "gauge", "2")
_INCLUDE = re.compile(r'^#include\s+"([^"]+)"\.', re.MULTILINE)
_PART = re.compile(r"^#program\s+[a-z_]+(?:\(([a-z_]+)\))?\.", re.MULTILINE)
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|%[^\n]*|[A-Za-z0-9_\']+')
# a usual question: cards in play, characters of facts, ways to go on
_TABLE, _USUAL, _WAYS = 45, 100_000, 32
_BLINK = 0.1  # seconds between two looks at the clock, and for an interruption to be noticed
# how many slices are kept of a program
_SLICES = 512
# how many sorts of blocks are known to a program, and to each of its slices
_PATTERNS = 8192
# and how many blocks to a slice
_COVERED = 8192
# by how much the kinds of positions may be greater than need be
_SPARE = 40
# programs are known to blocks by number
_NUMBERS = count(1)
_ASKED = 0
# how many symbols are kept as text
_SYMBOLS = 100_000


class _Turn:
    """One at a time. A fork waits for its turn, too: clingo has locks of its own.

    A process that is forked while another thread is in clingo would wait for these locks for ever.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._owner, self._depth = 0, 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._lock_before, after_in_parent=self._released, after_in_child=self._renew
            )

    def _lock_before(self) -> None:
        self._lock.acquire()

    def _released(self) -> None:
        self._lock.release()

    def _renew(self) -> None:
        """What the thread that forked held it holds; the others are gone, and may wait nowhere."""
        held = self._depth if self._owner == threading.get_ident() else 0
        self._lock = threading.RLock()
        self._depth = 0
        for _ in range(held):
            self.__enter__()

    def __enter__(self) -> None:
        self._lock.acquire()
        self._owner = threading.get_ident()
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        self._lock.release()


_TURN = _Turn()


def turn() -> _Turn:
    """Within it no other thread has to do with clingo; for those who use clingo themselves."""
    return _TURN


# what says which declarations are legal, and what says why; all else that is shown is of a step
LEGAL = frozenset({"legal/1"})
JUDGED = LEGAL | {"action/1", "because/4", "defeats/6", "wrong/3"}
EXPLAINED = JUDGED | {"grounds/4"}
IN_FORCE = frozenset({"in_force/3"})
CALLED_ON = frozenset({"called_on/2"})
DECK = frozenset({"unfit/2", "room/3", "missing/2", "first_hand/2"})
SIGHT = frozenset({"veiled/2", "in_place/2"})


class RulesError(PyengineError):
    """clingo had something to say about the rules: no message of any kind is tolerated."""


def chapters(entry: str, folder: Path | None = None) -> list[Path]:
    """The files that an entry file includes, itself last, each once, in order.

    Args:
        entry: its name below the folder that holds ``rules.lp``.
        folder: chapters of somebody else. One that is called like one of ours (``attack.lp`` or
            ``rules/attack.lp``) stands in its place; the others come after ours.
    """
    root = data_folder("rules").parent
    theirs = {} if folder is None else _theirs(folder, root)
    seen: list[Path] = []

    def walk(path: Path) -> None:
        if path in seen:
            return
        text = path.read_text(encoding="utf-8")
        for included in _INCLUDE.findall(text):
            walk(theirs.get(included) or root / included)
        seen.append(path)

    walk(theirs.get(entry) or root / entry)
    for name, path in theirs.items():
        if not (root / name).exists():
            walk(path)
    return seen


def _theirs(folder: Path, root: Path) -> dict[str, Path]:
    """The rule files of a folder by the name that ours have or would have."""
    out: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.lp")):
        name = path.relative_to(folder).as_posix()
        inside = f"rules/{name}"
        out[inside if (root / inside).exists() else name] = path
    return out


def statements(path: Path, only: str | None = None) -> list[ast.AST]:
    """The statements of a rule file, program parts laid out, comments left out.

    Args:
        path: the file.
        only: so much of its text; None: all.
    """
    text = _INCLUDE.sub("", path.read_text(encoding="utf-8") if only is None else only)
    out: list[ast.AST] = []
    parts = [*_PART.finditer(text), None]
    start, parameter = 0, None
    for part in parts:
        body = text[start : part.start() if part else len(text)]
        for name in _ROUNDS if parameter else ("",):
            out.extend(_parsed(path, _laid_out(body, parameter, name)))
        if part is not None:
            start, parameter = part.end(), part.group(1)
    return out


def _laid_out(text: str, parameter: str | None, name: str) -> str:
    """The name of a round in place of the parameter of a program part."""
    if parameter is None:
        return text
    return _WORD.sub(lambda word: name if word.group() == parameter else word.group(), text)


def _parsed(path: Path, text: str) -> list[ast.AST]:
    out: list[ast.AST] = []
    messages: list[str] = []

    def keep(node: ast.AST) -> None:
        # what is left out is gone while signals are held: in a finalizer an interruption is lost
        if node.ast_type not in (ASTType.Program, ASTType.Comment):
            out.append(node)

    try:
        with held():
            ast.parse_string(text, keep, logger=lambda _, told: messages.append(told.strip()))
    except RuntimeError as error:
        raise RulesError(f"{path.name}: {'; '.join(messages) or error}") from error
    if messages:
        raise RulesError(f"{path.name}: {'; '.join(messages)}")
    return out


class Slice:
    """The statements that matter for a kind of question, and which of its facts do."""

    def __init__(
        self,
        kind: Kind,
        nodes: Sequence[ast.AST],
        chosen: Chosen,
        slicer: Slicer,
        plan: Plan | None,
    ) -> None:
        self.kind = kind
        self.nodes = tuple(nodes)
        self.plan = plan  # how it is carried out without clingo
        self._chosen, self._slicer = chosen, slicer
        self._forms: list[bool] = []
        self._patterns: dict[int, Places] = {}
        self.covered: set[Block] = set()  # blocks that were met, for whose facts it has the rules
        self._answers: list[tuple[list[Told], Answer]] = []

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[ast.AST]:
        return iter(self.nodes)

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of its rules, in order."""
        return self._chosen.statements

    def places(self, analysis: Analysis) -> Places:
        """Where in a block the facts stand that the statements may look at."""
        places = self._patterns.get(analysis.pattern)
        if places is None:
            wanted = self._forms
            wanted.extend(map(self._chosen.wants, self._slicer.forms(len(wanted))))
            places = tuple(place for place, form in enumerate(analysis.forms) if wanted[form])
            if len(self._patterns) >= _PATTERNS:
                self._patterns.clear()
            self._patterns[analysis.pattern] = places
        return places

    def without(self, given: Mapping[int, Relation], budget: Budget) -> Iterator[Answer] | None:
        """The answers as the plan finds them; None: it does not. Those of last time serve again."""
        found = None if self.plan is None else self.plan.answers(given, budget)
        return None if found is None else self._answered(found)

    def _answered(self, found: Iterable[list[Told]]) -> Iterator[Answer]:
        last, self._answers = self._answers, []
        for told in found:
            answer = next((answer for old, answer in last if old is told), None) or Answer((), told)
            self._answers.append((told, answer))
            yield answer


_Sort: TypeAlias = tuple[frozenset[str], bool, frozenset[str]]
_NONE: frozenset[str] = frozenset()
# of a step its name and what it does, but not with which card
_SORT = re.compile(r"now\(\w+,(\w+(?:\(\w+(?=\())?)|judged|asked")


def _sort_of(asked: Block) -> frozenset[str]:
    """What tells questions of one sort from others: what is asked, without details."""
    found = asked.known.get(_ASKED)
    if found is None:
        found = frozenset(
            match.group(1) or match.group()
            for match in map(_SORT.match, asked.atoms)
            if match is not None
        )
        asked.known[_ASKED] = found
    return found


class Analysis(NamedTuple):
    """A block as the rules of a program see it: its kind, the forms of its facts, numbered too."""

    kind: Kind
    forms: tuple[int, ...]
    pattern: int


class Seen(NamedTuple):
    """A position as the rules of a program see it: its blocks and their kind, also rounded."""

    kind: Kind
    exact: Kind
    blocks: list[Analysis]


class Program:
    """All statements of an entry file with its includes, and the slices of them asked for so far.

    Args:
        nodes: the statements, from ``statements``.
        functions: carry rules out as functions where that can be done (see ``evaluating``); else
            clingo runs all of them.
    """

    def __init__(self, nodes: Iterable[ast.AST], functions: bool = False) -> None:
        self.nodes = tuple(nodes)
        self.functions = functions
        self.rules: list[ast.AST] = []
        self.shows: dict[str, ast.AST] = {}
        self.number = next(_NUMBERS)
        self._frame: list[ast.AST] = []  # `#show.`, which hides all that is not shown
        for node in self.nodes:
            if node.ast_type == ASTType.Rule:
                self.rules.append(node)
            elif node.ast_type == ASTType.ShowSignature:
                if node.name:
                    self.shows[f"{node.name}/{node.arity}"] = node
                else:
                    self._frame.append(node)
            elif node.ast_type != ASTType.Defined:
                raise RulesError(f"the rules may hold no such statement: {node}")
        self.steps = frozenset(self.shows) - EXPLAINED - CALLED_ON - DECK - SIGHT
        self._slicer: Slicer | None = None
        self._evaluator: Evaluator | None = None
        self._texts: list[list[str]] = []
        self._analyses: dict[tuple[Kind, tuple[int, ...]], Analysis] = {}  # blocks share them
        self._numbers = count()
        self._slices: OrderedDict[tuple[Kind, frozenset[str], bool], Slice] = OrderedDict()
        self._rounded = Rounding(_SPARE)
        # of each sort of question a slice for all that was met
        self._wide: dict[_Sort, Slice] = {}
        self._asked: dict[_Sort, Kind] = {}
        self._met: Kind = 0
        self._narrow: set[_Sort] = set()
        # by the facts that matter: see queue.settles, queue.player_called
        self.settled: dict[tuple[tuple[str, ...], ...], bool] = {}
        self.called: dict[tuple[tuple[str, ...], ...], tuple[str, str] | None] = {}

    @property
    def slicer(self) -> Slicer:
        """The analysis of the rules; made when it is first asked for."""
        with _TURN:
            if self._slicer is None:
                with held():
                    self._texts = [[str(form) for form in rule.unpool()] for rule in self.rules]
                self._slicer = Slicer(self._texts)
            return self._slicer

    @property
    def evaluator(self) -> Evaluator:
        """The rules as functions."""
        slicer = self.slicer
        if self._evaluator is None:
            self._evaluator = Evaluator(self._texts, slicer.clauses, self.shows)
        return self._evaluator

    def analysed(self, block: Block) -> Analysis:
        """A block as the rules see it."""
        found: Analysis | None = block.known.get(self.number)
        if found is None:
            check()
            slicer, sort, cards = self.slicer, block.sort, block.cards
            facts = [slicer.fact(atom, sort, cards) for atom in block.atoms]
            kind = 0
            for fact in facts:
                kind |= fact.kind
            forms = tuple(fact.form for fact in facts)
            if len(self._analyses) >= _PATTERNS:
                self._analyses.clear()  # their numbers do not come again
            found = self._analyses.get((kind, forms))
            if found is None:
                found = self._analyses[kind, forms] = Analysis(kind, forms, next(self._numbers))
            block.known[self.number] = found
        return found

    def relevant(self, question: Question | str, shown: Iterable[str]) -> list[int]:
        """The numbers of the rules that matter for these facts, in order; see ``slice``."""
        if isinstance(question, str):
            question = stated(question)
        with _TURN:
            kind = 0
            for block in question.blocks:
                kind |= self.analysed(block).kind
            return list(self.slicer.slice(kind, shown).statements)

    def _seen(self, position: Position) -> Seen:
        """A position as the rules see it."""
        found: Seen | None = position.known.get(self.number)
        if found is None:
            blocks = [self.analysed(block) for block in position.blocks]
            kind = 0
            for analysis in blocks:
                kind |= analysis.kind
            found = position.known[self.number] = Seen(self._rounded(kind), kind, blocks)
        return found

    def slice(
        self,
        question: Question | str,
        shown: Iterable[str] | None = None,
        sure: bool = False,
        wide: bool = False,
    ) -> Slice:
        """The statements that matter for these facts.

        Args:
            question: the facts, or their text.
            shown: the predicates (`name/arity`) that are looked at; None: all that are shown.
            sure: there is an answer whatever else is chosen.
            wide: it may have rules for what was met before, which cost nothing as functions.
        """
        if isinstance(question, str):
            question = stated(question)
        signatures = frozenset(self.shows if shown is None else shown)
        with _TURN:
            if wide and self.functions:
                found = self._wider(question, signatures, sure)
                if found is not None:
                    return found
            base = self._seen(question.position).kind
            key = (base | self.analysed(question.asked).kind, signatures, sure)
            found = self._slices.get(key)
            if found is not None:
                self._slices.move_to_end(key)
                return found
            found = self._sliced(key[0], signatures, base, sure)
            if len(self._slices) >= _SLICES:
                self._slices.popitem(last=False)
            self._slices[key] = found
            return found

    def _wider(self, question: Question, signatures: frozenset[str], sure: bool) -> Slice | None:
        """A slice for all that was met in questions of that sort; None: it would need clingo."""
        sort = (signatures, sure, _NONE if sure else _sort_of(question.asked))
        found = self._wide.get(sort)
        if found is not None and self._covered(question, found):
            return found
        if sort in self._narrow:
            return None
        asked = self.analysed(question.asked).kind
        self._met |= self._seen(question.position).exact
        for block in question.position.likely:
            self._met |= self.analysed(block).kind
        self._asked[sort] = asked | self._asked.get(sort, 0)
        found = self._sliced(self._met | self._asked[sort], signatures, self._met, sure)
        if found.plan is None:
            self._narrow.add(sort)
            return None
        self._wide[sort] = found
        return found

    def _covered(self, question: Question, slice: Slice) -> bool:
        """Whether the slice has the rules for the question; what it was given, it has them for."""
        new = question.parts.keys() - slice.covered
        if any(self.analysed(block).kind & ~slice.kind for block in new):
            return False
        if len(slice.covered) >= _COVERED:
            slice.covered.clear()
        slice.covered.update(new)
        return True

    def _sliced(self, kind: Kind, signatures: frozenset[str], base: Kind, sure: bool) -> Slice:
        """The slice of a kind."""
        chosen = self.slicer.slice(kind, signatures, base, sure)
        nodes = (
            *self._frame,
            *(self.shows[name] for name in sorted(signatures)),
            *(self.rules[number] for number in chosen.statements),
        )
        plan = self.evaluator.plan(chosen.statements, signatures) if self.functions else None
        return Slice(kind, nodes, chosen, self.slicer, plan)

    def facts(self, question: Question, slice: Slice) -> Iterator[clingo.Symbol]:
        """The facts of a question that the statements of its slice may look at."""
        for block, places in self._sifted(question, slice):
            symbols = block.symbols
            for place in places:
                yield symbols[place]

    def relations(self, question: Question) -> Mapping[int, Relation]:
        """The facts of a question as relations by number, until the next question.

        Raises:
            Unreadable: only clingo can be given one of them.
        """
        store = self.evaluator.store
        store.take(question.parts, self._rows)
        return store.given

    def _rows(self, block: Block) -> Given:
        """The facts of a block as rows of relations."""
        found: Given | None = block.known.get(-self.number)
        if found is None:
            found = block.known[-self.number] = frozenset(map(self.evaluator.row, block.atoms))
        return found

    def atoms(self, question: Question, slice: Slice) -> tuple[tuple[str, ...], ...]:
        """The same as text, block by block."""
        return tuple([block.part(places) for block, places in self._sifted(question, slice)])

    def _sifted(self, question: Question, slice: Slice) -> Iterator[tuple[Block, Places]]:
        """The blocks in which there is something to look at, with the places where it stands."""
        blocks = zip(question.position.blocks, self._seen(question.position).blocks, strict=True)
        for block, analysis in (*blocks, (question.asked, self.analysed(question.asked))):
            places = slice.places(analysis)
            if places:
                yield block, places


def program(entry: str, folder: Path | None = None, functions: bool = False) -> Program:
    """The program of an entry file, with somebody's chapters if a folder is named.

    ``functions``: see ``Program``.
    """
    return _program(entry, folder, functions)


@lru_cache(maxsize=16)
def _program(entry: str, folder: Path | None, functions: bool) -> Program:
    with _TURN:
        nodes = (node for path in chapters(entry, folder) for node in statements(path))
        return Program(nodes, functions)


Row = tuple[clingo.Symbol, ...]
Texts = tuple[str, ...]
# the text of an atom, its predicate, the texts of its arguments, and itself if clingo knows it
_Apart: TypeAlias = tuple[str, str, Texts, clingo.Symbol | None]
_ATOMS: dict[clingo.Symbol, tuple[str, str, Texts, clingo.Symbol]] = {}
_TEXTS: dict[clingo.Symbol, str] = {}


def _taken_apart(symbol: clingo.Symbol) -> tuple[str, str, Texts, clingo.Symbol]:
    """The text of an atom, its predicate, the texts of its arguments, and itself."""
    found = _ATOMS.get(symbol)
    if found is None:
        text = str(symbol)
        name, texts = apart(text)
        found = keep(_ATOMS, symbol, (text, name, texts, symbol), _SYMBOLS)
    return found


def text_of(symbol: clingo.Symbol) -> str:
    """The text of a symbol."""
    found = _TEXTS.get(symbol)
    if found is None:
        found = keep(_TEXTS, symbol, str(symbol), _SYMBOLS)
    return found


_TOLD: dict[Told, tuple[str, str, Texts, None]] = {}


def _told(told: Told) -> tuple[str, str, Texts, None]:
    """The same of an atom that was found without clingo, which knows nothing of it."""
    found = _TOLD.get(told)
    if found is None:
        name, values = told
        texts = tuple(map(text_of_value, values))
        text = f"{name}({','.join(texts)})" if texts else name
        found = keep(_TOLD, told, (text, name, texts, None), _SYMBOLS)
    return found


class Answer:
    """One answer set: the shown atoms by predicate, each a row of symbols, in a fixed order.

    The texts are at hand, the symbols are made when somebody asks for them.
    """

    __slots__ = ("_all", "_atoms", "_rows", "_texts", "key")

    def __init__(self, symbols: Iterable[clingo.Symbol], told: Iterable[Told] = ()) -> None:
        atoms = sorted((*map(_taken_apart, symbols), *map(_told, told)), key=itemgetter(0))
        self._put([text for text, _, _, _ in atoms], atoms)

    def read(self, told: Callable[[str], str]) -> Answer:
        """The same atoms in the order of what is told of them, which is their key then."""
        atoms = sorted(((told(atom[0]), atom) for atom in self._all), key=itemgetter(0))
        found = Answer.__new__(Answer)
        found._put([text for text, _ in atoms], [atom for _, atom in atoms])
        return found

    def _put(self, texts: Sequence[str], atoms: Sequence[_Apart]) -> None:
        self.key, self._all = tuple(texts), atoms
        self._atoms: dict[str, list[clingo.Symbol | None]] = {}
        self._texts: dict[str, list[Texts]] = {}
        self._rows: dict[str, list[Row]] = {}
        for _, name, parts, symbol in atoms:
            if name not in self._texts:
                self._atoms[name], self._texts[name] = [], []
            self._atoms[name].append(symbol)
            self._texts[name].append(parts)

    def __getitem__(self, predicate: str) -> list[Row]:
        rows = self._rows.get(predicate)
        if rows is None:
            with _TURN:
                pairs = zip(self._atoms.get(predicate, ()), self.texts(predicate), strict=True)
                rows = [_row(symbol, texts) for symbol, texts in pairs]
            self._rows[predicate] = rows
        return rows

    def texts(self, predicate: str) -> list[Texts]:
        """The same rows as text."""
        return self._texts.get(predicate, [])


def _row(symbol: clingo.Symbol | None, texts: Texts) -> Row:
    return tuple(map(symbol_of, texts)) if symbol is None else tuple(symbol.arguments)


def solve(
    rules: Program,
    question: Question | str,
    limit: int = 0,
    shown: Iterable[str] | None = None,
    sliced: bool = True,
    sure: bool = False,
    planned: bool = True,
    large: bool | None = None,
) -> list[Answer]:
    """Every answer set of the rules with the facts, in a fixed order.

    Args:
        rules: from ``program``.
        question: the facts, or their text.
        limit: stop after so many answers; 0 is none.
        shown: the predicates (`name/arity`) that are looked at; None: all that are shown.
        sliced: leave out the rules that do not matter. A program that is not sliced may not make
            clingo say anything; of a slice it may say that nothing derives an atom.
        sure: there is an answer whatever else is chosen, so that choices can be left out.
        planned: do without clingo where that can be done.
        large: keep the limits while clingo works; None: if ``may_be_large``.

    Raises:
        LimitError: it takes longer, or is larger, than the limits in force allow.
    """
    if isinstance(question, str):
        question = stated(question)
    if large is None:
        large = may_be_large(question)
    with budgeted() as budget, _TURN:
        budget.check()
        if sliced and rules.functions and planned and not large:
            told = _without(rules, question, shown, sure, limit, budget)
            if told is not None:
                return told
        slice = rules.slice(question, shown, sure) if sliced else None
        with nullcontext() if large else held():
            return _grounding(rules, question, slice, limit, budget, large)


def _grounding(
    rules: Program, question: Question, slice: Slice | None, limit: int, budget: Budget, large: bool
) -> list[Answer]:
    """The answers that clingo finds; its control is gone at the end."""
    control = grounded(rules, question, slice, budget, large)
    found = []
    for model in _models(control, budget, large):
        found.append(Answer(model.symbols(shown=True)))
        budget.check()
        budget.count("outcomes", len(found))
        if limit and len(found) >= limit:
            break
    found.sort(key=lambda answer: answer.key)
    return found


def grounded(
    rules: Program, question: Question, slice: Slice | None, budget: Budget, watched: bool
) -> clingo.Control:
    """A control in which the rules are grounded with the facts; the caller has the turn.

    Args:
        rules: from ``program``.
        question: the facts.
        slice: the statements that matter for them; None: all, and clingo may say nothing.
        budget: what is left of the limits.
        watched: keep them while clingo grounds.

    Raises:
        LimitError: it takes longer, or is larger, than they allow.
    """
    messages: list[str] = []
    arguments = ["--models=0"] if slice is None else ["--models=0", "--warn=no-atom-undefined"]
    control = clingo.Control(arguments, logger=lambda code, text: messages.append(text))
    with ProgramBuilder(control) as builder:
        for node in rules.nodes if slice is None else slice.nodes:
            builder.add(node)
    if slice is None:
        control.add("base", [], str(question))
    else:
        with control.backend() as backend:
            for fact in rules.facts(question, slice):
                backend.add_rule([backend.add_atom(fact)])
    watch: Any = Watch(budget)  # needs no base class: what it has is called
    if watched:
        control.register_observer(watch)
    try:
        control.ground([("base", [])])
    except LimitError:
        raise watch.stopped from None
    if messages:
        raise RulesError("; ".join(messages))
    return control


def unaided(rules: Program, question: Question, shown: Iterable[str]) -> list[Answer] | None:
    """What ``solve`` says if it needs no clingo for it; None: it does.

    Raises:
        LimitError: it takes longer than the limits in force allow.
    """
    if not rules.functions or may_be_large(question):
        return None
    with budgeted() as budget, _TURN:
        budget.check()
        return _without(rules, question, shown, False, 0, budget)


def _without(
    rules: Program,
    question: Question,
    shown: Iterable[str] | None,
    sure: bool,
    limit: int,
    budget: Budget,
) -> list[Answer] | None:
    """The answers without clingo; None: it has to be asked."""
    tried: Slice | None = None
    answers: Iterator[Answer] | None = None
    for wide in (True, False):  # of fewer rules fewer wait for each other
        slice = rules.slice(question, shown, sure, wide)
        if slice.plan is not None and slice is not tried:
            with suppress(Unreadable):
                answers = slice.without(rules.relations(question), budget)
        if answers is not None:
            break
        tried = slice
    else:
        return None
    found: list[Answer] = []
    for answer in answers:
        found.append(answer)
        budget.count("outcomes", len(found))
        if limit and len(found) >= limit:
            break
    found.sort(key=lambda answer: answer.key)
    return found


def may_be_large(question: Question) -> bool:
    """Whether a question may come to very many ground rules, so that it must be watched.

    It may not if it has the cards of a usual table, no more than two targets, and no great number.
    """
    size = question.size
    return size.cards > _TABLE or size.characters > _USUAL or size.ways > _WAYS or size.great


def _models(control: clingo.Control, budget: Budget, large: bool) -> Iterator[clingo.Model]:
    """The models, one after another; of a large question also the search for each is timed."""
    if not large:
        with control.solve(yield_=True) as handle:
            yield from handle
        return
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            while not handle.wait(_BLINK):
                budget.check()
            model = handle.model()
            if model is None:
                return
            yield model
