"""`dead` and `redundant` of rules that bear on steps: on what comes of a declaration.

Asked are declarations of the rulings, and of generated positions with an ability that brings a rule
into play. Where a step of these needs a rule, it matters; what is left is asked about the verdicts
of the rulings, too. Only a norm can be shadowed: what others always derive, too, is redundant.
Of all rules that we ship this takes minutes, so it is done only where everything is asked for; an
author's rules are few.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from pyengine.audit.coverage import norm
from pyengine.audit.findings import Finding, Place, Witness
from pyengine.audit.outcomes import vocabulary_scenes
from pyengine.audit.registry import Context, of_rules, search
from pyengine.audit.replay import Evidence
from pyengine.audit.scenes import alone, telling
from pyengine.audit.sources import Source, listed, standing_alone
from pyengine.audit.stepping import Steps, Tally
from pyengine.audit.witness import minimised
from pyengine.audit.words import told
from pyengine.model import Action, PyengineError, State

# a rule is looked for in so many declarations of the rulings, in more while it derives nothing,
# and in so many generated positions
_DECLARED, _ASLEEP, _GENERATED = 60, 300, 20
_NOTHING = Action("end_turn")


@search("dead", "redundant", wanted=of_rules, long=True)
def idle_steps(context: Context) -> Iterator[Finding]:
    """Rules that never matter to what comes of a declaration."""
    evidence = Evidence(context)
    wanted = {
        source.number
        for source in standing_alone(context.edition, context.folder)
        if not norm(source)
        and evidence.bears_on_steps(source)
        and not source.excused
        and (context.folder is None or source.theirs)
    }
    if not wanted:
        return
    if context.folder is None and not context.options.everything:
        context.leave("left_steps")
        return
    if beginning := wanted & evidence.of_the_beginning():
        places = listed(evidence.every[number] for number in sorted(beginning))
        context.leave("left_beginning", places=places)
        wanted -= beginning
    tally = Tally(set(wanted), set(wanted))
    steps = Steps(context, evidence)
    declared = evidence.declarations(tally.left)
    steps.judge(tally, steps.spread(wanted, declared, _DECLARED))
    steps.judge(tally, steps.spread(tally.asleep, declared, _ASLEEP))
    # a rule that changes a verdict matters, too
    evidence.judge(tally.left, tally.asleep, set(), tally.mute)
    steps.judge(tally, _scenes(context, steps, tally))
    steps.settle(tally, declared)
    if tally.left and steps.cut:
        context.leave("left_cut", places=listed(evidence.every[n] for n in sorted(tally.left)))
        return
    for number in sorted(tally.left):
        yield from _findings(context, steps, tally, evidence.every[number])


def _scenes(context: Context, steps: Steps, tally: Tally) -> Iterator[tuple[State, Action]]:
    """Declarations of generated positions in which a rule in question may derive something."""
    holders = dict(_positions(context))
    chosen = steps.spread(tally.sought, [(state, _NOTHING) for state in holders], _GENERATED)
    for state, _ in chosen:
        holder = holders[state]
        legal = context.engine.legal_actions(state)
        ended = [action for action in legal if action.verb == "end_turn"]
        for action in (*telling(state, legal, (holder,)), *ended):
            yield state, action


def _positions(context: Context) -> Iterator[tuple[State, str]]:
    yield from vocabulary_scenes(context)
    for kind in context.kinds.values():
        for state in alone(kind, context.edition):
            yield state, "x"


def _findings(context: Context, steps: Steps, tally: Tally, source: Source) -> Iterator[Finding]:
    place = (Place(source.file, source.line),)
    if source.number in tally.asleep:
        yield Finding(
            "dead", "warning", told("dead_rule", place=source.where, scope=context.scope),
            told("widen_or_remove"), rules=source.cites, places=place,
        )  # fmt: skip
        return
    witness: Witness | None
    if source.number in tally.met:
        witness = _smallest(steps, tally, source.number)
        same = partial(steps.same_without, witness, source.number)
    else:  # it derives something for a verdict alone, and changes none that was asked for
        witness = steps.evidence.witness(source.number)
        if witness is None:
            context.leave("left_verdicts", places=source.where)
            return
        same = partial(steps.evidence.same_without, witness, source)
        if not same():  # with less on the table it does: it matters
            return
    if context.confirmed("redundant", same):
        yield Finding(
            "redundant", "note", told("redundant_step", place=source.where), told("remove_it"),
            rules=source.cites, places=place, witness=witness,
        )  # fmt: skip


def _smallest(steps: Steps, tally: Tally, number: int) -> Witness:
    """The declaration in which a rule was met first, with all taken away that it does not need."""
    state, action = tally.met[number]

    def holds(less: State) -> bool:
        try:
            legal = steps.context.engine.legal_actions(less)
            return action in legal and steps.fires(less, action, number)
        except PyengineError:
            return False

    return Witness(minimised(state, holds), action)
