"""`vocabulary`: abilities outside it, those that no rule interprets, and slips in other words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import clingo
from clingo import ast

from pyengine import facts
from pyengine.audit.findings import Finding, Place
from pyengine.audit.registry import Context, search
from pyengine.audit.words import told
from pyengine.doubts import named_by, strange
from pyengine.faults import Message
from pyengine.faults import told as fault_told
from pyengine.kinds import Kind, catalogue
from pyengine.rulebook import Words
from pyengine.solving import program
from pyengine.terms import parse, vocabulary

# words that facts.py turns into other facts before a rule sees them
_TURNED = frozenset({"up_to", "not"})


@search("vocabulary")
def vocabulary_search(context: Context) -> Iterator[Finding]:
    """Abilities of cards that the edition does not understand, and slips in other words."""
    for card, place, _, fault in context.author.faults:
        yield Finding(
            "vocabulary",
            "error",
            told("not_a_term", card=card, number=place + 1, fault=fault),
            told("say_otherwise"),
            cards=(card,),
            places=card_places(context, card),
        )
    known = _words_of_rules(context.edition, context.folder)
    for kind in context.kinds.values():
        context.look("vocabulary", 0)
        for ability in kind.abilities:
            for word in _unknown(ability, known):
                text = told(
                    "uninterpreted",
                    card=kind.id, ability=ability, word=word, edition=context.edition,
                )  # fmt: skip
                yield Finding(
                    "vocabulary", "error", text, told("interpret_it"), cards=(kind.id,),
                    places=card_places(context, kind.id),
                )  # fmt: skip
    yield from _slips(context)


def _slips(context: Context) -> Iterator[Finding]:
    """Classes and elements of an author's cards that only a slip of the pen tells from known ones.

    Those of our own cards are what is known.
    """
    named = [
        (f"{kind.id}.{key}", sort, word, borne)
        for kind in context.author.kinds.values()
        for key, sort, word, borne in named_by(kind)
    ]
    for place, text in strange(named):
        card = place.partition(".")[0]
        if card in context.kinds:
            fault = Message("at", place=place, text=text)
            yield Finding(
                "vocabulary", "warning", Words(fault, fault_told(fault, "ru")),
                told("spell_as_known"), cards=(card,), places=card_places(context, card),
            )  # fmt: skip


def _unknown(ability: str, known: frozenset[tuple[str, int]]) -> Iterator[str]:
    """The words of an ability, in order, that mean nothing to the rules."""
    said = {name for section in vocabulary().terms.values() for name in section}
    heads = {name for name, _ in known}
    named = {
        str(term.args[0]) for term in parse(ability).walk() if term.name in ("has", "lose", "strip")
    }
    found: dict[str, None] = {}
    for name, arity in _functions(clingo.parse_term(facts.encode(ability).term)):
        if name not in said or name in _TURNED or (name, arity) in known:
            continue
        if name in named and not arity and name in heads:
            continue  # the bare name of an ability
        found[name] = None
    yield from found


def _functions(symbol: clingo.Symbol) -> Iterator[tuple[str, int]]:
    if symbol.type is clingo.SymbolType.Function:
        yield symbol.name, len(symbol.arguments)
        for argument in symbol.arguments:
            yield from _functions(argument)


class _Words(ast.Transformer):
    """Gathers the functions and constants of rules; of atoms only their arguments."""

    def __init__(self) -> None:
        self.found: set[tuple[str, int]] = set()

    def visit_Function(self, node: ast.AST) -> ast.AST:  # noqa: N802
        self.found.add((node.name, len(node.arguments)))
        self.visit_children(node)
        return node

    def visit_SymbolicTerm(self, node: ast.AST) -> ast.AST:  # noqa: N802
        self.found.update(_functions(node.symbol))
        return node

    def visit_SymbolicAtom(self, node: ast.AST) -> ast.AST:  # noqa: N802
        if node.symbol.ast_type == ast.ASTType.Function:
            for argument in node.symbol.arguments:
                self.visit(argument)
        return node


@lru_cache(maxsize=4)
def _words_of_rules(edition: str, folder: Path | None) -> frozenset[tuple[str, int]]:
    words = _Words()
    for rule in program(f"rules/editions/{edition}.lp", folder).rules:
        words.visit(rule)
    return frozenset(words.found)


def card_places(context: Context, *cards: str) -> tuple[Place, ...]:
    """Where kinds of cards stand, of those for which it is known."""
    out = []
    for card in cards:
        if card in context.author.lines:
            out.append(Place(*context.author.lines[card]))
        elif card in catalogue():
            out.append(Place(f"facts/{catalogue()[card].file}", _line(catalogue()[card])))
    return tuple(out)


@lru_cache(maxsize=256)
def _line(kind: Kind) -> int:
    from pyengine.audit.authors import lines_of
    from pyengine.documents import data_folder

    line: int = lines_of(data_folder("facts") / kind.file).get(kind.id, ("", 1))[1]
    return line
