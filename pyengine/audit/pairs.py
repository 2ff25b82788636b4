"""`self-contradiction` and `pair`: cards that fight their own text, and two that fight each other.

A card contradicts itself where a norm of its own forbids what another ability of it gives or
demands, or where one ability of it takes another away or overrides it: printed together, one of the
two never holds. A pair is at fault if the two together give a fault that neither gives alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

from pyengine import facts
from pyengine.audit.findings import Finding, Severity, Witness
from pyengine.audit.outcomes import Asking, course_faults, kinds_of, order_faults, showing
from pyengine.audit.positions import any_shows, faults_of
from pyengine.audit.registry import Context, search
from pyengine.audit.scenes import alone, telling, together
from pyengine.audit.vocabulary import card_places
from pyengine.audit.witness import minimised
from pyengine.audit.words import told
from pyengine.batch import chunks
from pyengine.kinds import Kind
from pyengine.model import Action, PyengineError, State, Verdict
from pyengine.questions import state_facts
from pyengine.solving import Program, solve
from pyengine.terms import parse

# pairs that one job looks at, and positions that are asked about at once
_PAIRS, _SOME, _AT_ONCE = 26, 512, 64
# what the programs of rules/audit say of a position
_NORMS = ("conflict", "stuck", "tie", "unmeetable")
# those that can be asked of several positions in one program: all but who has nothing to declare
_OF_SEVERAL = ("conflict", "tie", "unmeetable")
_SEVERITIES: dict[str, Severity] = {"conflict": "error", "stuck": "error", "loop": "error"}


# --- a card by itself ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Quarrel:
    """Two abilities of one card that cannot both be had, and the rule that says so."""

    winner: str
    loser: str
    rule: str
    action: Action | None = None

    def same(self, other: Quarrel) -> bool:
        """Whether it is of the same two abilities, whatever shows it."""
        return (self.winner, self.loser, self.rule) == (other.winner, other.loser, other.rule)


@search("self-contradiction")
def self_contradiction(context: Context) -> Iterator[Finding]:
    """Each kind alone, in the places where it could act."""
    asking = Asking(context)
    kinds = kinds_of(context)
    for place, kind in enumerate(kinds):
        context.look("self-contradiction", place, len(kinds))
        if len(kind.abilities) < 2:
            continue
        seen: set[tuple[str, str, str]] = set()
        for state in alone(kind, context.edition):
            for quarrel in quarrels(asking, state):
                # with all bystanders there: what one target forbids another may allow
                if quarrel.action is not None and _possible(asking, state, quarrel.action):
                    continue
                key = (quarrel.winner, quarrel.loser, quarrel.rule)
                if key in seen:
                    continue
                seen.add(key)
                finding = _contradiction(asking, state, quarrel, kind)
                if finding is not None:
                    yield finding


def _possible(asking: Asking, state: State, action: Action) -> bool:
    """Whether the card can do this in another way: to another target."""
    used = action.args[:2] if action.verb == "use" else action.args[:1]
    return any(
        other.verb == action.verb and other.args[: len(used)] == used
        for other in asking.engine.legal_actions(state)
    )


def _contradiction(asking: Asking, state: State, quarrel: Quarrel, kind: Kind) -> Finding | None:
    def holds(less: State) -> bool:
        if all(card.id != "x" for card in less.cards):
            return False
        try:
            return any(each.same(quarrel) for each in quarrels(asking, less))
        except PyengineError:
            return False

    small = minimised(state, holds)
    shown = partial(holds, State.from_json(small.to_json()))
    if not asking.context.confirmed("self-contradiction", shown):
        return None
    (found, *_) = (each for each in quarrels(asking, small) if each.same(quarrel))
    return Finding(
        "self-contradiction",
        "error",
        told("self_contradiction", card=kind.id, first=quarrel.winner, second=quarrel.loser),
        told("print_one_of_them"),
        (quarrel.rule,),
        (kind.id,),
        Witness(small, found.action),
        card_places(asking.context, kind.id),
    )


def quarrels(asking: Asking, state: State) -> Iterator[Quarrel]:
    """The abilities of card `x` that deny each other in a position."""
    own = state.card("x").abilities
    if len(own) < 2:
        return
    yield from _overridden(asking, state, own)
    for verdict in asking.engine.judge(state):
        yield from _denied(verdict, own)


def _overridden(asking: Asking, state: State, own: Sequence[str]) -> Iterator[Quarrel]:
    """One ability takes another away, or sets what another sets, since both came together."""
    rules = _denials(asking.context.edition, asking.context.folder)
    text = f"{state_facts(state)}\njudged({facts.name(state.active)})."
    answers = solve(rules, text, shown=("denies/3",))
    for row in answers[0]["denies"] if answers else ():
        if facts.unname(str(row[0])) != "x":
            continue
        first, second = (facts.decode(str(each)) for each in row[1:])
        if first in own and second in own:
            yield Quarrel(first, second, "524.1")


@lru_cache(maxsize=4)
def _denials(edition: str, folder: Path | None) -> Program:
    from pyengine.audit.positions import audited

    return audited(edition, folder, ("self_contradiction",), False)


def _denied(verdict: Verdict, own: Sequence[str]) -> Iterator[Quarrel]:
    """A norm of the card forbids what another ability of it gives, allows or demands."""
    action = verdict.action
    if verdict.legal or not action.args or action.args[0] != "x":
        return
    mine = [
        reason for reason in verdict.because
        if reason.rule in ("514.2", "525.2") and reason.by == "x" and reason.ability in own
    ]  # fmt: skip
    # what the card's own text urged (524.2 beside 514.2), by the norm that lost
    lost = {
        defeat.rule
        for reason in verdict.because
        if reason.rule == "524.2"
        for defeat in reason.defeats
        if defeat.by == "x"
    }
    urging = {"511.1": "may(", "base.obligation": "must("}
    heads = tuple(urging[rule] for rule in sorted(lost & urging.keys()))
    for reason in mine:
        assert reason.ability is not None
        for other in own:
            if heads and other.startswith(heads) and _speaks_of(other, reason.ability):
                yield Quarrel(reason.ability, other, "524.2", action)
        if action.verb == "use":
            used = [text for text in own if text.startswith("use(")]
            number = int(action.args[1])
            if number <= len(used):
                yield Quarrel(reason.ability, used[number - 1], reason.rule, action)


def _speaks_of(urging: str, denying: str) -> bool:
    """Whether the two have their verb in common, or one of them speaks of all that closes."""
    verbs = [str(parse(text).args[0]) for text in (urging, denying)]
    return verbs[0] == verbs[1] or "act" in verbs


# --- two cards -----------------------------------------------------------------------------------


def pairs_of(context: Context) -> list[tuple[str, str]]:
    """Every two kinds to look at: an author's against all, else all against all."""
    kinds = list(context.kinds)
    author = [id for id in kinds if id in context.author.kinds]
    if not author:
        return [*combinations(kinds, 2), *((id, id) for id in kinds)]
    ours = [id for id in kinds if id not in context.author.kinds]
    return [(id, other) for place, id in enumerate(author) for other in (*author[place:], *ours)]


@search(
    "pair",
    parts=lambda context: [tuple(some) for some in chunks(pairs_of(context), _PAIRS)],
    wanted=lambda context: bool(context.author.kinds),
    long=True,
)
def pair(context: Context, part: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """What two kinds give together and neither gives alone."""
    asking = Asking(context)
    scenes: list[Scene] = [
        (state, one, two)
        for first, second in part
        for one, two in [(context.kinds[first], context.kinds[second])]
        if one.abilities and two.abilities  # a card without abilities is a bystander
        for state in together(one, two, context.edition)
    ]
    context.look("pair", 0, len(scenes))
    dated = {state: _exchanged(state) for state, one, two in scenes if _may_matter(one, two)}
    asking.judge([*(state for state, _, _ in scenes), *filter(None, dated.values())])
    actions = {state: telling(state, asking.legal(state), ("x", "y")) for state, _, _ in scenes}
    faulty = _faulty(asking, [state for state, _, _ in scenes])
    known: set[tuple[str, ...]] = set()
    for some in chunks(scenes, _SOME):
        context.look("pair", scenes.index(some[0]), len(scenes))
        asking.follow(
            (each, action)
            for state, _, _ in some
            for action in actions[state]
            for each in (state, dated.get(state))
            if each is not None
        )
        for state, one, two in some:
            context.look("pair", scenes.index((state, one, two)), len(scenes))
            for found in _together(asking, state, one, two, actions[state], state in faulty):
                cards = tuple(sorted({one.id, two.id}))
                key = (found.code, *found.rules, "of", *cards)
                if key not in known:
                    known.add(key)
                    places = card_places(asking.context, *cards)
                    yield replace(
                        found, code="pair", pair_of=found.code, cards=cards, places=places
                    )


Scene = tuple[State, Kind, Kind]


def _together(
    asking: Asking, state: State, one: Kind, two: Kind, actions: Sequence[Action], faulty: bool
) -> Iterator[Finding]:
    """The faults of a position that are gone when either card is."""
    for code in norm_faults(asking.context, state) if faulty else ():
        finding = _norm(asking, state, code)
        if finding is not None:
            yield finding
    seen: set[Any] = set()
    of_both = partial(_of_both, state)
    for finding in course_faults(asking, state, ("x", "y"), (one, two), seen, actions, of_both):
        if finding.witness is not None and showing(finding.witness.state, "x", "y"):
            yield finding
    if _may_matter(one, two):
        for action in actions:
            for finding in order_faults(
                asking, state, action, (one, two), seen, exchanged_dates, of_both
            ):
                if finding.witness is not None and showing(finding.witness.state, "x", "y"):
                    yield finding


def _of_both(state: State, holds: Callable[[State], bool]) -> bool:
    """Whether a fault needs the text of either card: a plain one in its place does not show it."""
    return not any(holds(_plain(state, id)) for id in ("x", "y"))


def _plain(state: State, id: str) -> State:
    """The position with a card that says nothing in the place of one."""
    plain = replace(state.card(id), kind=None, abilities=())
    return replace(state, cards=tuple(plain if c.id == id else c for c in state.cards))


def _faulty(asking: Asking, states: Sequence[State]) -> set[State]:
    """The positions in which norms may be at fault; the others show no such fault."""
    stuck = {state for state in states if not asking.legal(state)}
    going = [state for state in states if state not in stuck]
    return stuck.union(*(_showing(asking.context, some) for some in chunks(going, _AT_ONCE)))


def _showing(context: Context, states: Sequence[State]) -> set[State]:
    """Those of several positions that show a fault of norms, told by halving."""
    if not any_shows(context, _OF_SEVERAL, states):
        return set()
    if len(states) == 1:
        return set(states)
    middle = len(states) // 2
    return _showing(context, states[:middle]) | _showing(context, states[middle:])


def exchanged_dates(state: State) -> Iterator[tuple[State, tuple[str, str]]]:
    """The position with the dates of the two cards exchanged; other exchanges are of one card."""
    one, two = state.card("x"), state.card("y")
    if one.zone == two.zone == "play":
        swap = {"x": replace(one, since=two.since), "y": replace(two, since=one.since)}
        cards = tuple(swap.get(card.id, card) for card in state.cards)
        yield replace(state, cards=cards), (one.name, two.name)


def _exchanged(state: State) -> State | None:
    return next((other for other, _ in exchanged_dates(state)), None)


def _may_matter(one: Kind, two: Kind) -> bool:
    """Whether it can matter which of two cards came first: both act by lying there."""
    return constant(one) and constant(two)


def constant(kind: Kind) -> bool:
    """Whether a kind acts by lying there, so that it can matter which of two came first."""
    waits = ("on(", "once_on(", "may_on(", "use(", "spell(", "delayed(")
    return any(not text.startswith(waits) for text in kind.abilities)


def norm_faults(context: Context, state: State) -> set[str]:
    """The codes of faults of norms that a position shows and loses with either card."""
    found = _codes(context, state)
    for id in ("x", "y"):
        if found:
            less = replace(state, cards=tuple(card for card in state.cards if card.id != id))
            found -= _codes(context, less)
        if found:
            found -= _codes(context, _plain(state, id))
    return found


def _codes(context: Context, state: State) -> set[str]:
    if not faults_of(context, _NORMS, state)["shows"]:
        return set()
    return {code for code in _NORMS if faults_of(context, (code,), state)["shows"]}


def _norm(asking: Asking, state: State, code: str) -> Finding | None:
    def holds(less: State) -> bool:
        if not showing(less, "x", "y"):
            return False
        asking.context.go_on()
        try:
            return code in norm_faults(asking.context, less)
        except PyengineError:
            return False

    small = minimised(state, holds)
    shown = partial(holds, State.from_json(small.to_json()))
    if not asking.context.confirmed(f"pair ({code})", shown):
        return None
    return Finding(
        code,
        _SEVERITIES.get(code, "warning"),
        told("pair_norm", code=code),
        told("pair_settle"),
        witness=Witness(small),
    )
