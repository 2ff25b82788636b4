"""`tie` of what declarations come to: replacements and triggers that nothing puts in order.

What a tie is, ``rules/audit/tie_steps.lp`` says. Looked at are positions in which one ability of
the vocabulary stands on two cards of one player, as far as the rules of replacement or of the Queue
can come into play there at all; of what comes of a declaration, every step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path

from pyengine import facts, queue
from pyengine.abreast import ends_of
from pyengine.audit.candidates import abilities
from pyengine.audit.drafts import Ability, Draft, built, forms, terse
from pyengine.audit.findings import Finding, Witness
from pyengine.audit.positions import part
from pyengine.audit.reach import Ahead, Fixed
from pyengine.audit.registry import Context, of_rules, search
from pyengine.audit.sources import signature
from pyengine.audit.witness import minimised
from pyengine.audit.words import told
from pyengine.batch import chunks
from pyengine.limits import Limits
from pyengine.model import Action, PyengineError, State, Step
from pyengine.solving import Program, program

# of one declaration at most so many steps: what goes round for ever is another fault
_SHORT = Limits(steps=30, outcomes=400, seconds=60.0)
# so many positions are asked about at once
_AT_ONCE = 64
# what the trace says of a tie (rules/audit/tie_steps.lp)
_SAID = frozenset({"replacements", "triggers"})
# what has to be derived for a step to have something to put in order
_IN_QUESTION = frozenset({"bends/2", "notes/4"})


@search("tie", wanted=of_rules, long=True)
def unordered(context: Context) -> Iterator[Finding]:
    """Replacements of one event and triggers of one moment without an order."""
    rules = tied(context.edition, context.folder)
    ahead = Ahead(rules.rules)
    asked = {n for n, rule in enumerate(rules.rules) if signature(rule.head) in _IN_QUESTION}
    positions = [state for state in _positions(context.edition) if ahead.of(state) & asked]
    seen: set[str] = set()  # one of each kind: what settles it settles all of them
    for some in chunks(positions, _AT_ONCE):
        context.look("tie", positions.index(some[0]), len(positions))
        declared = list(_tried(context, some))
        for (state, action), faults in zip(declared, all_ties(context, declared), strict=True):
            for fault in sorted(faults, key=str):
                if fault.step not in seen:
                    seen.add(fault.step)
                    yield from _finding(context, rules, state, action, fault)


def _finding(
    context: Context, rules: Program, state: State, action: Action, fault: Step
) -> Iterator[Finding]:
    def holds(less: State) -> bool:
        try:
            legal = action in context.engine.legal_actions(less)
            return legal and fault in ties(rules, less, action)
        except PyengineError:
            return False

    small = minimised(state, holds)
    if not context.confirmed("tie", partial(holds, State.from_json(small.to_json()))):
        return
    yield Finding(
        "tie", "error",
        told(f"tie_{fault.step}", first=fault.by, second=fault.what, action=action),
        told("let_somebody_choose"), rules=(fault.rule,), witness=Witness(small, action),
    )  # fmt: skip


def all_ties(context: Context, declared: Sequence[tuple[State, Action]]) -> list[set[Step]]:
    """The ties in what comes of each of several legal declarations.

    Args:
        context: whose rules.
        declared: the positions, each with a declaration.
    """
    found: list[set[Step]] = [set() for _ in declared]

    def note(number: int, step: Step) -> None:
        if step.step in _SAID:
            found[number].add(step)

    engine = Fixed(tied(context.edition, context.folder))
    ends_of(engine, declared, _SHORT, context.go_on, noting=note)
    return found


def ties(rules: Program, state: State, action: Action) -> frozenset[Step]:
    """The ties in what comes of a legal declaration.

    Args:
        rules: with those that say what a tie is.
        state: the position.
        action: the declaration.
    """
    term = facts.action_term(action, state)
    found: set[Step] = set()
    waiting = [queue.Course(state, (f"declare({term})",))]
    extra = f"asked({term})."
    seen: set[queue.Course] = set()
    while waiting and len(seen) < _SHORT.steps:
        course = waiting.pop()
        if course in seen:
            continue
        seen.add(course)
        _, ways = queue.branches(rules, course, extra)
        extra = ""
        found |= {step for way in ways for step in way.steps if step.step in _SAID}
        waiting += [way.course for way in reversed(ways) if not way.course.done]
    return frozenset(found)


@lru_cache(maxsize=4)
def tied(edition: str, folder: Path | None) -> Program:
    """The rules of an edition with those that say what a tie is."""
    return Program([*program(f"rules/editions/{edition}.lp", folder).nodes, *part("tie_steps")])


def _positions(edition: str) -> Iterator[State]:
    """The same ability on two cards of one player: of who attacks, and of who is attacked."""
    met: set[str] = set()
    for form in terse(forms(abilities())):
        head = form.text.partition("(")[0]
        # what the Queue does with a trigger does not depend on how it is listened for
        if head in ("use", "spell") or (head in _LISTENING and head in met):
            continue
        met.add(head)
        for pair in (("a", "c"), ("b", "e")):
            bearers = tuple(Ability(card, form.text, form.laid) for card in pair)
            state = built(Draft(tuple("abce"), bearers), edition)
            if state is not None:
                yield _undefended(state)
        # ... and beside one that wounds are turned away by
        if edition != "classic" and form.text.startswith(("protection", "no_wounds", "instead")):
            bearers = (Ability("b", form.text, form.laid), Ability("e", _TURNING, False))
            state = built(Draft(tuple("abe"), bearers), edition)
            if state is not None:
                yield _undefended(state)


def _undefended(state: State) -> State:
    """Whoever could step in has done so already: an attack is carried through."""
    cards = tuple(
        replace(card, defended=True) if card.controller == "p2" and state.edition != "classic"
        else card
        for card in state.cards
    )  # fmt: skip
    return replace(state, cards=cards)


_LISTENING = ("once_on", "may_on", "delayed")
_TURNING = "redirect(any,any,any)"


def _tried(context: Context, states: Sequence[State]) -> Iterator[tuple[State, Action]]:
    """A declaration of each verb that the first card may make, and the end of the turn."""
    for state, verdicts in zip(states, context.engine.judge_many(states), strict=True):
        met: set[str] = set()
        for verdict in () if isinstance(verdicts, PyengineError) else verdicts:
            action = verdict.action
            if not verdict.legal or action.verb in met:
                continue
            if not action.args or action.args[0] == "a":
                met.add(action.verb)
                yield state, action
