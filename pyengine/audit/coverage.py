"""Which rules of a program ever matter: for `dead`, `shadowed` and `redundant`.

The legality of an edition is laid out twice in one program, once whole and once without one rule
that clingo chooses (``rules/audit/survey.lp``). So one grounding answers for all rules whether
there is a position in which a rule derives something, one in which its absence changes a verdict,
and one in which it changes what a verdict rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path

import clingo
from clingo import ast
from clingo.ast import ASTType, ProgramBuilder, Transformer

from pyengine.audit.positions import GivenUp, Menu, fact_words, part, smallest
from pyengine.audit.registry import Context
from pyengine.audit.sources import Source, atoms, predicate, predicates, signature, sources
from pyengine.solving import JUDGED, Program, RulesError, turn

# what a verdict is: legal or not, and why
VERDICT = JUDGED
# by the predicate of a prohibition how its declaration is found: its argument, and what joins them
_VOICES = {
    "bars/4": "makes(A_, {1})",
    "parts/6": "makes(A_, {1}), aims(A_, {2}, {3})",
    "spoils/4": "A_ = {1}",
    "forbids/4": "A_ = {1}",
    "against/4": "A_ = {1}",
}
# of several positions first the one in which nothing need be asked, or something without targets
_PLAINEST = """#minimize {
    1@1, A : asked(A); 1@1, A, T : asked(A), A = (play(_, (T, _)); use(_, _, (T, _)));
    1@1, A, T, L : asked(A), A = use(_, _, (_, (T, L)))
}."""
_SOUGHT = ("fires", "alone", "unlike", "retold", "voice")
# how often clingo may be wrong about one question of a survey
_CONFLICTS = 4_000


def norm(source: Source) -> bool:
    """Whether a rule speaks for or against declarations."""
    return source.head in _VOICES or source.head in ("permits/3", "excepts/4")


def prohibits(source: Source) -> bool:
    """Whether a rule is a prohibition of its own, not one that hands another on."""
    if source.head not in _VOICES:
        return False
    rule: ast.AST = source.copies[0].head.atom.symbol.arguments[0]
    return bool(rule.ast_type != ASTType.Variable)


@lru_cache(maxsize=4)
def generated(edition: str, folder: Path | None) -> tuple[Program, tuple[Source, ...]]:
    """The edition with the generator, and the source of each of its first rules."""
    every = sources(edition, folder)
    owners = tuple(source for source in every for _ in source.copies)
    nodes = [copy for source in every for copy in source.copies]
    layout = ("board", "asked_board") if edition == "classic" else ("hand", "asked")
    with turn():
        frame = parsed("#show. " + " ".join(f"#show {name}." for name in sorted(JUDGED)))
    for name in ("positions", *layout):
        frame += part(name)
    rules = [node for node in frame if node.ast_type == ASTType.Rule]
    others = [node for node in frame if node.ast_type != ASTType.Rule]
    return Program([*others, *nodes, *rules]), owners


def parsed(text: str) -> list[ast.AST]:
    """The statements of a text."""
    out: list[ast.AST] = []
    ast.parse_string(text, out.append)
    return [node for node in out if node.ast_type != ASTType.Program]


class _Without(Transformer):
    """Puts `without_` before the names of what rules derive."""

    def __init__(self, derived: frozenset[str]) -> None:
        self.derived = derived

    def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802
        """An atom."""
        if predicate(node.symbol) not in self.derived:
            return node
        return node.update(symbol=_renamed(node.symbol))


def _renamed(symbol: ast.AST) -> ast.AST:
    if symbol.ast_type == ASTType.Pool:
        return symbol.update(arguments=[_renamed(each) for each in symbol.arguments])
    return symbol.update(name=f"without_{symbol.name}")


class Survey:
    """All positions of so many cards, made of one menu, with and without each rule.

    Args:
        context: whose rules, until when.
        menu: of what the positions are made.
        cards: how many there are.
        measured: the position of an answer is a smallest one. Then it is told of a rule only
            where it derives something and what it speaks against: what would be otherwise without
            it is left out, and all that this alone would need.
        patient: how often clingo may be wrong about one question; None: as for many rules.
        only: the rules that are looked at; None: all that the menu reaches.
    """

    def __init__(
        self,
        context: Context,
        menu: Menu,
        cards: int,
        measured: bool = False,
        patient: int | None = None,
        only: Collection[int] | None = None,
    ) -> None:
        self.context = context
        self.conflicts = _CONFLICTS if patient is None else patient
        effects = context.scope.effects if menu.effects else 0
        text = menu.facts(cards, effects)
        program, owners = generated(context.edition, context.folder)
        wanted = (fact_words() | {"asked/1"}) & set(program.shows)
        if measured:
            told = {each.number: each for each in owners if each.number in (only or ())}
            asked = _speaking(told.values())
            heads = {source.head for source in told.values()}
            own = {
                n
                for n in program.relevant(text, heads)
                if n < len(owners) and owners[n].number in told
            }
            chosen = sorted({*program.relevant(text, wanted | asked), *own})
        else:
            asked = VERDICT
            chosen = program.relevant(text, wanted | asked)
        ours = [number for number in chosen if number < len(owners)]
        reached = {owners[number].number: owners[number] for number in ours}
        self.sources = {n: reached[n] for n in reached if only is None or n in only}
        changed = frozenset[str]()
        if not measured:
            changed = self._downstream([program.rules[number] for number in ours])
        messages: list[str] = []
        with turn():
            nodes = [program.rules[number] for number in chosen]
            for number in ours:
                nodes += self._twice(program.rules[number], owners[number], changed)
            for name in sorted(asked & VERDICT - changed):
                nodes += parsed(_alike(name))
            nodes += parsed("".join(f"rule({number}). " for number in self.sources))
            if measured:
                nodes += [*part("smallest"), *(program.shows[name] for name in sorted(wanted))]
                nodes += parsed(_PLAINEST)
            self.control = clingo.Control(
                ["--warn=no-atom-undefined", "--seed=1"],
                logger=lambda code, said: messages.append(said),
            )
            with ProgramBuilder(self.control) as builder:
                for node in (*parsed("#show."), *part("survey"), *nodes):
                    builder.add(node)
            given = "\n".join(f"{fact}" for fact in _given_twice(text, changed))
            self.control.add("base", [], f"{text}\n{given}")
            self.control.ground([("base", [])])
        if messages:
            raise RulesError("; ".join(messages))

    def _downstream(self, rules: Sequence[ast.AST]) -> frozenset[str]:
        """The predicates that can be otherwise without a rule that is looked at."""
        found = {source.head for source in self.sources.values()}
        bodies = [(signature(rule.head), predicates(rule)) for rule in rules]
        size = 0
        while size != len(found):
            size = len(found)
            found |= {head for head, body in bodies if body & found}
        return frozenset(found)

    def _twice(self, rule: ast.AST, source: Source, changed: frozenset[str]) -> list[ast.AST]:
        """The rule as it is without the one left out, and what tells that it derives something."""
        out: list[ast.AST] = []
        number = source.number
        looked_at = number in self.sources
        if source.head in changed:
            other = _Without(changed).visit(rule)
            if looked_at:
                (guard,) = parsed(f":- not off({number}).")
                other = other.update(body=[*other.body, *guard.body])
            out.append(other)
        if looked_at:
            (fires,) = parsed(f"fires({number}).")
            out.append(fires.update(body=rule.body))
            (alone,) = parsed(f"alone({number}) :- off({number}).")
            if source.head in changed:
                (missing,) = parsed(f":- not {_renamed(rule.head.atom.symbol)}.")
                alone = alone.update(body=[*alone.body, *missing.body])
            out.append(alone.update(body=[*rule.body, *alone.body]))
        if prohibits(source):
            terms = [str(each) for each in rule.head.atom.symbol.arguments]
            (voice,) = parsed(f"voice({number}, A_) :- {_VOICES[source.head].format(*terms)}.")
            out.append(voice.update(body=[*rule.body, *voice.body]))
        return out

    def found(self, what: str, among: Iterable[int]) -> tuple[set[int], set[int]]:
        """The rules among these of which some position shows that, and those left undecided.

        Args:
            what: `fires`, `alone`, `unlike` or `retold`.
            among: numbers of rules.
        """
        self._seek(what)
        left = set(among) & set(self.sources)
        known = set(self.sources) - left
        shown: set[int] = set()
        # any of them first; when that becomes hard, each by itself
        try:
            while left - shown:
                symbols = self._solve([(_off(n), False) for n in sorted(known | shown)])
                if symbols is None:
                    return shown & left, set()
                heads = ("off", "fires") if what == "fires" else ("off",)
                shown |= {s.arguments[0].number for s in symbols if s.name in heads}
        except GivenUp:
            pass
        undecided: set[int] = set()
        for number in sorted(left - shown):
            try:
                if self._solve([(_off(number), True)]) is not None:
                    shown.add(number)
            except GivenUp:
                undecided.add(number)
        return shown & left, undecided

    def others(self, number: int) -> tuple[int, ...] | None:
        """The smallest set of other prohibitions of which one always speaks where this one does.

        None if it speaks nowhere. Of several sets the first by number.

        Raises:
            OutOfTime: it was not found in time.
        """
        self._seek("voice")
        alone = (_off(number), True)
        covers: list[frozenset[int]] = []
        guess: tuple[int, ...] = ()
        while True:
            silent = [(clingo.Function("heard", [clingo.Number(n)]), False) for n in guess]
            symbols = self._solve([alone, *silent])
            if symbols is None:
                return guess if covers else None
            heard = {s.arguments[0].number for s in symbols if s.name == "heard"} - {number}
            covers.append(frozenset(heard))
            found = hitting(covers)
            if found is None:  # here it speaks alone
                return None
            guess = found

    def position(self, what: str, number: int) -> list[clingo.Symbol] | None:
        """An answer in which a rule does that, one with all its facts if the survey is measured."""
        self._seek(what)
        return self._solve([(_off(number), True)])

    def _seek(self, what: str) -> None:
        for each in _SOUGHT:
            self.control.assign_external(
                clingo.Function("sought", [clingo.Function(each)]), each == what
            )

    def _solve(
        self, assumptions: Sequence[tuple[clingo.Symbol, bool]]
    ) -> list[clingo.Symbol] | None:
        self.context.look("dead", 0)
        return smallest(self.control, self.context, assumptions, self.conflicts)


def _speaking(told: Iterable[Source]) -> frozenset[str]:
    """The predicates on which it hangs whether rules derive something, and against what."""
    bodies = [literal for source in told for copy in source.copies for literal in copy.body]
    return frozenset(("makes/2", "aims/3", *map(predicate, atoms(*bodies))))


def _alike(name: str) -> str:
    """A verdict that no rule in question can change is the same without it."""
    predicate, _, arity = name.partition("/")
    inside = ",".join(f"X{n}" for n in range(int(arity)))
    return f"without_{predicate}({inside}) :- {predicate}({inside})."


def _off(number: int) -> clingo.Symbol:
    return clingo.Function("off", [clingo.Number(number)])


def _given_twice(text: str, derived: frozenset[str]) -> list[str]:
    """Facts that rules can derive, too: they are there also without a rule."""
    names = {name.partition("/")[0] for name in derived}
    return [f"without_{line}" for line in text.splitlines() if line.partition("(")[0] in names]


def hitting(sets: Sequence[frozenset[int]]) -> tuple[int, ...] | None:
    """The smallest set that meets each of these, the first by number; None if one is empty."""
    if not all(sets):
        return None
    every = sorted(set().union(*sets))
    for size in range(1, len(every) + 1):
        for chosen in combinations(every, size):
            if all(set(chosen) & each for each in sets):
                return chosen
    return None
