"""`dead` of an ability of a card: one that can never act.

Each thing that an ability needs is looked for by itself in all positions of the scope that are made
of the card and of plain ones: that the card has it at all, that its condition holds, that it can be
declared and paid, that a card matches each of its filters (see ``rules/audit/acts.lp``). A trigger
is asked of the rules: one of them must be able to bring it about. Then it has to come to the card
in what some declaration comes to (``awaited``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import clingo
from clingo.ast import ProgramBuilder

from pyengine import facts, terms
from pyengine.audit.awaited import TRIGGERED, come
from pyengine.audit.candidates import abilities
from pyengine.audit.coverage import parsed
from pyengine.audit.drafts import Draft, built
from pyengine.audit.findings import Finding
from pyengine.audit.norms import words_of
from pyengine.audit.positions import GivenUp, Menu, part, smallest
from pyengine.audit.reach import Ahead
from pyengine.audit.registry import Context, search
from pyengine.audit.vocabulary import card_places
from pyengine.audit.words import told
from pyengine.kinds import Kind, catalogue
from pyengine.model import State
from pyengine.solving import Program, program, turn
from pyengine.terms import Term

# the sort of a slot that some card has to match, and what stands for the card itself
_FILTER = "card_filter"
_DECLARED = {"use": "declared", "spell": "played"}
# the most cards that a condition with numbers may ask for
_MOST = 8
# facts that no generated position has: what needs one of them is left undecided
_UNSEEN = (
    "counter(one,1)", "extra_life(c1,1)", "deck(c1,1)", "created(c1)", "attacked(c1)",
    "known_top(p1,1)",
)  # fmt: skip


class Need(NamedTuple):
    """Something that an ability cannot act without.

    Args:
        place: of the ability on its card, from 1.
        what: held, bound, declared, played, matched or triggered.
        filter: the filter that has to be matched.
    """

    place: int
    what: str
    filter: str = ""


@dataclass
class _Asked:
    """What of a card's needs has not been met yet."""

    kind: Kind
    left: list[Need]


@search("dead", long=True)
def idle_abilities(context: Context) -> Iterator[Finding]:
    """Abilities of the cards that are looked at which can never act."""
    theirs = context.author.kinds
    kinds = [kind for id, kind in context.kinds.items() if not theirs or id in theirs]
    every = [_Asked(kind, list(needs(kind))) for kind in kinds]
    _triggers(context, every)
    for done, asked in enumerate(every):
        context.look("dead", done, len(kinds))
        kind = asked.kind
        if not asked.left:
            continue
        _look(context, asked)
        told_of: set[int] = set()
        for need in asked.left:
            if need.place not in told_of:
                told_of.add(need.place)
                yield _finding(context, kind, need)


def _finding(context: Context, kind: Kind, need: Need) -> Finding:
    ability = kind.abilities[need.place - 1]
    why = told(f"never_{need.what}", filter=need.filter)
    text = told("dead_ability", card=kind.id, ability=ability, why=why, scope=context.scope)
    places = card_places(context, kind.id)
    return Finding("dead", "warning", text, told("mend_ability"), cards=(kind.id,), places=places)


def needs(kind: Kind) -> Iterator[Need]:
    """What the abilities of a kind cannot act without."""
    for place, text in enumerate(kind.abilities, 1):
        ability = terms.parse(text)
        yield Need(place, "held")
        yield from _needs(place, ability)


def _needs(place: int, ability: Term) -> Iterator[Need]:
    if ability.name in _DECLARED:
        yield Need(place, _DECLARED[ability.name])
        return  # its targets are part of that
    if ability.name == "while":
        yield Need(place, "bound")
    for term, sort in _slots(ability, "ability"):
        if sort == _FILTER:
            yield Need(place, "matched", terms.canonical(str(term)))
    for trigger in (arg for arg in ability.args if isinstance(arg, Term)):
        if ability.name in TRIGGERED and trigger is ability.args[0]:
            yield Need(place, "triggered")
            for term, sort in _slots(trigger, "trigger"):
                if sort == _FILTER:
                    yield Need(place, "matched", terms.canonical(str(term)))


def _slots(term: Term, sort: str) -> Iterator[tuple[Term, str]]:
    """The arguments of a term with their sorts."""
    for signature in terms.vocabulary().sorts[sort].terms[term.name].signatures:
        if len(signature.slots) == len(term.args):
            for slot, arg in zip(signature.slots, term.args, strict=True):
                if isinstance(arg, Term) and not slot.word:
                    yield arg, slot.sort
            return


def _look(context: Context, asked: _Asked) -> None:
    """Takes out of the needs what some position of the scope meets."""
    sizes = [*range(1, context.scope.cards + 1)]
    numbers = [int(n) for text in asked.kind.abilities for n in re.findall(r"\d+", text)]
    # a hand of four cards takes five
    more = max([0, *(number + 2 for number in numbers if number + 2 <= _MOST)])
    if more > sizes[-1]:
        sizes.append(more)
    for size in sizes:
        left = [need for need in asked.left if need.what != "triggered"]
        if not left or (size > context.scope.cards and all(n.what != "bound" for n in left)):
            break
        control = _control(context, asked.kind, left, size)
        for number, need in enumerate(left):
            works = clingo.Function("works", [clingo.Number(number)])
            try:
                if smallest(control, context, [(works, True)], 20_000) is not None:
                    asked.left.remove(need)
            except GivenUp:
                _leave(context, "left_ability", asked, need)
    for need in list(asked.left):
        if need.what != "triggered" and _hidden(context, asked.kind, need):
            _leave(context, "left_unseen", asked, need)


def _leave(context: Context, key: str, asked: _Asked, need: Need) -> None:
    """Leaves it undecided whether a need is met."""
    asked.left.remove(need)
    context.leave(key, card=asked.kind.id, ability=asked.kind.abilities[need.place - 1])


def _triggers(context: Context, every: Sequence[_Asked]) -> None:
    """A trigger that some rule can bring about, and that comes to the card, is no fault."""
    possible: dict[str, set[int]] = {}
    for asked in every:
        for need in asked.left:
            if need.what == "triggered":
                trigger = terms.parse(asked.kind.abilities[need.place - 1]).args[0]
                ability = facts.encode(f"on({trigger},draw(1))")
                term = ability.term[len("on(") : -len(",draw(1))")]
                if _brought_about(context.edition, context.folder, term):
                    possible.setdefault(asked.kind.id, set()).add(need.place)
    known = come(context, possible) if possible else {}
    for asked in every:
        met = known.get(asked.kind.id, set())
        asked.left = [n for n in asked.left if n.what != "triggered" or n.place not in met]


def _brought_about(edition: str, folder: Path | None, trigger: str) -> bool:
    """Whether a trigger can come in what follows from a position with every ability there is."""
    ahead, crowd, last = _ahead(edition, folder)
    return last in ahead.of(crowd, f"\nawaited({trigger}).")


@lru_cache(maxsize=4)
def _ahead(edition: str, folder: Path | None) -> tuple[Ahead, State, int]:
    """What can follow from a position; one with all abilities; the number of the last rule."""
    rules = program(f"rules/editions/{edition}.lp", folder).rules
    (marker,) = parsed("comes :- awaited(T), occurs(_, _, T, _, _).")
    crowd = built(Draft(tuple("abce") if edition == "classic" else tuple("absdygh")), edition)
    assert crowd is not None
    spells = tuple(text for text in abilities() if text.startswith("spell("))
    others = tuple(text for text in abilities() if not text.startswith("spell("))
    cards = tuple(
        replace(card, abilities=spells if card.type == "spell" else others) for card in crowd.cards
    )
    return Ahead([*rules, marker]), replace(crowd, cards=cards), len(rules)


@lru_cache(maxsize=4)
def _rules(edition: str, folder: Path | None, settled: bool = True) -> Program:
    layout = "board" if edition == "classic" else "hand"
    with turn():
        nodes = list(program(f"rules/editions/{edition}.lp", folder).nodes)
        names = ["acts", "positions", layout, *(["settled_table"] if settled else [])]
        nodes += [node for name in names for node in part(name)]
        return Program(nodes)


def _text(context: Context, kind: Kind, left: list[Need], size: int) -> str:
    menu = _menu(context, kind, left)
    x = facts.name(kind.id)
    out = [menu.facts(size, 0)]
    for number, need in enumerate(left):
        what = need.what
        if need.filter:
            encoded = facts.encode(f"grant({need.filter},charge)").term
            what = f"matched({encoded[len('grant(') : -len(',charge)')]})"
        out.append(f"part({number},{x},{need.place},{what}).")
    return "\n".join(out)


def _control(context: Context, kind: Kind, left: list[Need], size: int) -> clingo.Control:
    rules = _rules(context.edition, context.folder)
    text = _text(context, kind, left, size)
    with turn():
        control = clingo.Control(["--warn=none", "--seed=1"], logger=lambda code, said: None)
        with ProgramBuilder(control) as builder:
            for node in rules.slice(text, {"works/1"}):
                builder.add(node)
        control.add("base", [], text)
        control.ground([("base", [])])
    return control


def _hidden(context: Context, kind: Kind, need: Need) -> bool:
    """Whether what no generated position has could meet a need."""
    # that a card with extra life lives longer is no more than one with more life shows
    rules = _rules(context.edition, context.folder, settled=False)
    text = _text(context, kind, [need], 1)
    unseen = "\n".join(f"{fact}." for fact in _UNSEEN)
    return rules.relevant(text, {"works/1"}) != rules.relevant(f"{text}\n{unseen}", {"works/1"})


def _menu(context: Context, kind: Kind, left: list[Need]) -> Menu:
    """Plain cards of which the words that the card speaks of can be true."""
    said = [terms.parse(text) for text in kind.abilities]
    words = dict.fromkeys(words_of(context))
    words[("zone", "graveyard")] = None
    bearing: dict[str, None] = {}
    kinds = {kind.id: kind}
    numbers = {0, 1, *range(context.scope.numbers + 1)}
    for term in (term for ability in said for term in ability.walk()):
        args = [str(arg) for arg in term.args]
        if term.name in ("class", "element", "type") and args:
            words[(term.name, args[0])] = None
        elif term.name in ("has", "lose") and args:
            bearing |= dict.fromkeys(t for t in abilities() if t.partition("(")[0] == args[0])
        elif term.name == "bears" and args:
            bearing[terms.canonical(args[0])] = None
        elif term.name == "name" and args and args[0] in catalogue():
            kinds[args[0]] = catalogue()[args[0]]
        for arg in term.args:
            if isinstance(arg, int) and 0 <= arg <= 20:
                numbers |= {arg, arg + 1}
    cost = kind.cost if isinstance(kind.cost, int) else 0
    numbers |= {cost, cost + 1}
    return Menu(
        abilities=tuple(bearing), kinds=tuple(kinds.values()), words=tuple(words), most=1,
        levels=tuple(sorted(numbers)),
    )  # fmt: skip
