"""`compare`: how two editions differ, or ours and one with somebody's chapters.

Small positions are asked about in both, smallest first. A declaration that is legal on one side
only is a difference of legality; one that is legal on both and ends otherwise, or is chosen by
another player, one of outcomes. To which rules a difference is due is tried out: each group of
statements that differ is exchanged alone, and counts if the answer changes with it. Where too much
differs for that, the rules are named by which the two sides refuse, and which only one of them has
in its steps.

There are three rounds. In the first two an ability stands for all of its name, and what has not
made outcomes differ a few times is left for later; the first of them asks only where a group that
differs has no witness yet. The last asks all that is left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from pyengine.audit.candidates import abilities
from pyengine.audit.document import rule_places
from pyengine.audit.drafts import (
    Draft,
    Form,
    built,
    drafts,
    forms,
    holders,
    in_classic,
    in_heroes,
    name_of,
    terse,
)  # fmt: skip
from pyengine.audit.findings import Difference, Finding, Way, Witness
from pyengine.audit.reach import Gap, Group, Side
from pyengine.audit.registry import Context, search
from pyengine.audit.witness import minimised
from pyengine.audit.words import told
from pyengine.batch import chunks, judge_together
from pyengine.engine import Engine
from pyengine.model import Action, LimitError, Outcome, PyengineError, State, Verdict
from pyengine.rulebook import rulebook

_BATCH = 16
_LAST = 2  # the round that asks all that is left
# so many groups of statements are tried out one by one
_GROUPS = 16
# so often outcomes may come out the same before the first round leaves the rest for later
_PATIENCE = 3
# so many declarations that are refused by the same rules are followed on the other side
_WAYS = 12
# CONTRACT 2: what the players of an edition declare
DECLARATIONS = {
    "heroes": ("attack", "defend", "pass", "play", "use", "end_turn"),
    "classic": (
        "move", "strike", "accumulate", "open", "close", "reveal", "hide", "use", "end_turn",
    ),
}  # fmt: skip
_BARE = ("open", "close", "reveal", "hide", "accumulate")


def declarations(*editions: str) -> tuple[str, ...]:
    """The kinds of declaration of these editions."""
    family = ("classic" if edition == "classic" else "heroes" for edition in editions)
    return tuple(dict.fromkeys(verb for name in family for verb in DECLARATIONS[name]))


def sides(context: Context) -> tuple[Side, Side]:
    """What is compared: with somebody's chapters the second side has them."""
    assert context.options.against is not None
    return Side(context.edition), Side(context.options.against, context.folder)


class Asked(NamedTuple):
    """A declaration in a position, as both sides judge it; the position is that of the first."""

    draft: Draft
    states: tuple[State, State]
    action: Action
    verdicts: tuple[Verdict, Verdict]

    @property
    def legal(self) -> tuple[bool, bool]:
        """On which sides it is legal."""
        return self.verdicts[0].legal, self.verdicts[1].legal


@search("compare", wanted=lambda context: context.options.against is not None)
def compare(context: Context) -> Iterator[Finding]:
    """The smallest position for each way in which the sides differ, and each reason for it."""
    if context.options.against is None:
        return
    one, two = sides(context)
    comparison = Comparison(Gap(one, two))
    done = 0
    for batch in chunks(comparison.positions(context), _BATCH):
        context.look("compare", done)
        for asked in comparison.judged(batch):
            context.look("compare", done)
            finding = comparison.difference(asked)
            if finding is not None and context.confirmed(
                "compare", partial(comparison.shown, finding)
            ):
                yield finding
        done += len(batch)


class Comparison:
    """The search in progress: what differs, and what has been found of it."""

    def __init__(self, gap: Gap) -> None:
        self.gap = gap
        self.one, self.two = gap.one, gap.two
        self.alike = "classic" not in (self.one.edition, self.two.edition)
        self.found: set[tuple[Way, tuple[str, ...]]] = set()
        self.looked: set[Any] = set()
        self.round = 0
        self.later: set[Draft] = set()  # what a round has left to the next
        self.tried: Counter[Any] = Counter()  # how often outcomes came out the same
        self.hybrid = lru_cache(maxsize=_GROUPS)(gap.hybrid)

    # positions

    def positions(self, context: Context) -> Iterator[Draft]:
        """Those in which the sides can differ, smallest first."""
        base = "classic" if "classic" in (self.one.edition, self.two.edition) else "heroes"
        chosen = self.active(base, context)
        done: set[Draft] = set()
        rounds = (terse(chosen), terse(chosen), chosen)
        first = 0 if self.alike else 1
        for number, round_ in enumerate(rounds[first:], first):
            self.round = number
            for size in range(1, context.scope.cards + context.scope.effects + 2):
                for draft in drafts(size, context.scope, base, round_):
                    if len(draft.abilities) > 1 and not self.alike:
                        continue  # too many, and each alone has been looked at
                    if draft in done and draft not in self.later:
                        continue
                    context.look("compare", len(done))
                    done.add(draft)
                    if self.round < _LAST and len(draft.abilities) > 1 and len(draft.cast) > 2:
                        self.later.add(draft)
                        continue
                    state = built(draft, self.one.edition)
                    if state is not None and self.reached(state) and self.patient(draft, state):
                        yield draft

    def patient(self, draft: Draft, state: State) -> bool:
        """Whether a position is asked now; before the last round a few with the same in them."""
        if self.round == _LAST or not self.alike:
            return True
        reached = self.reached(state)
        key = (self.round, reached, tuple(name_of(each.text) for each in draft.abilities))
        self.tried[key] += 1
        told_of = {rule for _, rules in self.found for rule in rules}
        settled = all(set(group) <= told_of for group in reached)
        settled = settled and (self.round == 0 or len(draft.abilities) > 1)
        if self.tried[key] <= 2 * _PATIENCE and not settled:
            return True
        self.later.add(draft)
        return False

    def reached(self, state: State) -> frozenset[Group]:
        """The groups that differ and can matter; all of them where there are too many to tell."""
        if len(self.gap.groups) > _GROUPS:
            return frozenset(self.gap.groups)
        return self.gap.reached(state)

    def active(self, base: str, context: Context) -> list[Form]:
        """The abilities that can matter to a rule that differs, in whatever company."""
        cast = tuple("abce") if base == "classic" else tuple("absdyghce")

        def matters(some: Sequence[Form]) -> bool:
            context.look("compare", 0)
            found = [next(holders(cast, form, base), None) for form in some]
            told_of = tuple(ability for ability in found if ability is not None)
            state = built(Draft(cast, told_of), self.one.edition)
            return state is None or bool(self.reached(state))

        def halved(some: Sequence[Form]) -> Iterator[Form]:
            if not some or not matters(some):
                return
            if len(some) == 1:
                yield some[0]
                return
            middle = len(some) // 2
            yield from halved(some[:middle])
            yield from halved(some[middle:])

        known = forms(abilities())
        if matters(()):
            return known
        return [form for some in chunks(known, 32) for form in halved(some)]

    # verdicts

    def judged(self, batch: Sequence[Draft]) -> Iterator[Asked]:
        """Every declaration of these positions that either side speaks of."""
        kept: list[tuple[Draft, State, State]] = []
        for draft in batch:
            states = (built(draft, self.one.edition), built(draft, self.two.edition))
            if states[0] is not None and states[1] is not None:
                kept.append((draft, states[0], states[1]))
        bare = [[] if self.alike else _bare(first) for _, first, _ in kept]
        ours = _verdicts([first for _, first, _ in kept], self.one.rules, bare)
        theirs = _verdicts([second for _, _, second in kept], self.two.rules, bare)
        if not self.alike:  # what one side alone has among its candidates
            more = [
                [Action.parse(text) for text in sorted(set(a) ^ set(b))]
                for a, b in zip(ours, theirs, strict=True)
            ]
            ours = _verdicts([first for _, first, _ in kept], self.one.rules, _sum(bare, more))
            theirs = _verdicts([second for _, _, second in kept], self.two.rules, _sum(bare, more))
        for (draft, first, second), a, b in zip(kept, ours, theirs, strict=True):
            for text in sorted(set(a) & set(b)):
                yield Asked(draft, (first, second), a[text].action, (a[text], b[text]))

    # differences

    def difference(self, asked: Asked) -> Finding | None:
        """The finding that a declaration is, if none like it has been found."""
        verb = asked.action.verb
        if asked.legal[0] != asked.legal[1]:
            way = Way(verb, "legality", "stricter" if asked.legal[0] else "looser")
            refused = asked.verdicts[asked.legal[0]]
            key = (way, tuple(sorted({reason.rule for reason in refused.because})), _heads(asked))
            self.tried[key[:2]] += 1
            if key in self.looked or self.tried[key[:2]] > _WAYS:
                return None
            self.looked.add(key)
        elif all(asked.legal):
            if (verb, "outcomes") in self.looked or not self.open_groups(asked):
                return None
            if verb == "end_turn" and asked.draft.marks:
                return None  # the next turn takes all marks away, and costs most to ask
            open_ = (verb, self.open_groups(asked), _heads(asked))
            if self.round < _LAST and self.tried[open_] >= _PATIENCE:
                self.later.add(asked.draft)
                return None
            how = self.outcomes(asked.states, asked.action)
            if how is None:
                self.tried[open_] += 1
                return None
            way = Way(verb, "outcomes", how)
        else:
            return None
        due = self.due(asked.states, asked.action, way)
        if (way, due) in self.found or self.known(way, due):
            return None
        self.found.add((way, due))
        if way.aspect == "outcomes" and len(self.gap.groups) > _GROUPS:
            # there is no telling the reasons apart: one witness has to do
            self.looked.add((verb, "outcomes"))
        return self.finding(asked, way, due)

    def known(self, way: Way, due: tuple[str, ...]) -> bool:
        """Whether every rule that this is due to has a witness of this way already."""
        told_of = {rule for other, rules in self.found if other == way for rule in rules}
        return bool(told_of) and set(due) <= told_of

    def open_groups(self, asked: Asked) -> frozenset[Group]:
        """What could make the outcomes differ and has no witness for this declaration yet."""
        reached = self.reached(asked.states[0])
        if len(self.gap.groups) > _GROUPS:
            return reached
        told_of = {
            rule
            for way, rules in self.found
            if (way.declaration, way.aspect) == (asked.action.verb, "outcomes")
            for rule in rules
        }
        return frozenset(group for group in reached if not group or not set(group) <= told_of)

    def outcomes(self, states: tuple[State, State], action: Action) -> str | None:
        """How the outcomes of the second side are against those of the first; None: equal."""
        ours = self.ends(self.one.engine, states[0], action)
        theirs = self.ends(self.two.engine, states[1], action)
        if ours == theirs:
            return None
        return "stricter" if theirs < ours else "looser" if ours < theirs else "incomparable"

    def ends(self, engine: Engine, state: State, action: Action) -> frozenset[Any]:
        """What a declaration ends in, and who chose it, in words common to both sides."""
        try:
            return frozenset(
                (_common(each, self.alike), *_choices(each, self.alike))
                for each in engine.resolve(state, action)
            )
        except LimitError:
            return frozenset({("limit",)})

    # whom it is due to

    def due(self, states: tuple[State, State], action: Action, way: Way) -> tuple[str, ...]:
        """The rules that make the difference."""
        if len(self.gap.groups) <= _GROUPS and self.alike:
            reached = self.reached(states[0])
            groups = [group for group in self.gap.groups if group in reached]
            if len(groups) == 1 and groups[0]:  # there is nothing else that it could be
                return tuple(sorted(groups[0]))
            tried = [group for group in groups if self.changed(group, states, action, way)]
            if tried:
                return tuple(sorted({rule for group in tried for rule in group}))
        return self.cited(states, action, way)

    def changed(
        self, group: tuple[str, ...], states: tuple[State, State], action: Action, way: Way
    ) -> bool:
        """Whether the first side answers otherwise with this group as the second has it."""
        other = self.hybrid(group)
        if way.aspect == "legality":
            return _legal(other, states[0], action) != _legal(self.one.engine, states[0], action)
        if not _legal(other, states[0], action):
            return True
        ours = self.ends(self.one.engine, states[0], action)
        return self.ends(other, states[0], action) != ours

    def cited(self, states: tuple[State, State], action: Action, way: Way) -> tuple[str, ...]:
        """The rules that only one side goes by: in refusing, or in what it carries out."""
        rules: set[str] = set()
        steps: list[set[str]] = []
        for side, state in zip((self.one, self.two), states, strict=True):
            verdict = side.engine.verdict(state, action)
            if not verdict.legal:
                rules |= {reason.rule for reason in verdict.because}
                steps.append(set())
                continue
            try:
                found = side.engine.resolve(state, action)
            except LimitError:
                found = []
            steps.append({step.rule for each in found for step in each.trace})
        lone = steps[0] ^ steps[1]
        if way.aspect == "legality":
            other = self.two if steps[0] else self.one
            lone = {rule for rule in lone if other.edition not in _editions(rule)}
        return tuple(sorted(rules | lone))

    # the finding

    def finding(self, asked: Asked, way: Way, due: tuple[str, ...]) -> Finding:
        """A difference with its smallest witness."""
        state = minimised(asked.states[0], lambda less: self.same(less, asked.action, way, due))
        action, one, two = asked.action, self.one.name, self.two.name
        rules = ", ".join(due) or "?"
        if way.aspect == "legality":
            sides = (one, two) if asked.legal[0] else (two, one)
            text = told("legal_in_one", action=action, one=sides[0], two=sides[1], rules=rules)
        else:
            text = told("ends_otherwise", action=action, one=one, two=two, rules=rules)
        places = tuple(place for rule in due for place in rule_places(rule))
        return Finding(
            "compare", "note", text, told("differ_on_purpose"), due,
            witness=Witness(state, action), places=places, way=way,
        )  # fmt: skip

    def same(self, state: State, action: Action, way: Way, due: tuple[str, ...]) -> bool:
        """Whether a smaller position shows the same."""
        try:
            second = self.second(state)
            if second is None or self.how(state, second, action) != way:
                return False
            return self.due((state, second), action, way) == due
        except PyengineError:
            return False

    def second(self, state: State) -> State | None:
        """The same position on the second side."""
        if self.alike:
            return replace(state, edition=self.two.edition)
        moved = in_classic(state) if self.two.edition == "classic" else in_heroes(state)
        return replace(moved, edition=self.two.edition)

    def how(self, first: State, second: State, action: Action) -> Way | None:
        """In which way the sides differ about a declaration."""
        legal = (
            _legal(self.one.engine, first, action),
            _legal(self.two.engine, second, action),
        )
        if legal[0] != legal[1]:
            return Way(action.verb, "legality", "stricter" if legal[0] else "looser")
        how = self.outcomes((first, second), action) if all(legal) else None
        return None if how is None else Way(action.verb, "outcomes", how)

    def shown(self, finding: Finding) -> bool:
        """Whether a witness, read anew and asked of fresh engines, shows what is claimed."""
        assert finding.witness is not None and finding.witness.action is not None
        state = State.from_json(finding.witness.state.to_json())
        second = self.second(state)
        return second is not None and self.how(state, second, finding.witness.action) == finding.way


def differences(findings: Iterable[Finding], editions: Sequence[str]) -> tuple[Difference, ...]:
    """The findings of a comparison by kind of declaration."""
    out = []
    told_of = [finding for finding in findings if finding.way is not None]
    for verb in declarations(*editions):
        here = [finding for finding in told_of if finding.way and finding.way.declaration == verb]
        aspects = (_summed(here, "legality"), _summed(here, "outcomes"))
        out.append(Difference(verb, *aspects, tuple(here)))
    return tuple(out)


def _summed(findings: Sequence[Finding], aspect: str) -> str:
    ways = {f.way.how for f in findings if f.way is not None and f.way.aspect == aspect}
    if not ways:
        return "equal"
    return ways.pop() if len(ways) == 1 else "incomparable"


def _bare(state: State) -> list[Action]:
    return [
        Action(verb, (card.id,))
        for verb in _BARE
        for card in state.cards
        if card.controller == state.active
    ]


def _sum(one: list[list[Action]], two: list[list[Action]]) -> list[list[Action]]:
    return [[*a, *b] for a, b in zip(one, two, strict=True)]


def _verdicts(
    states: list[State], rules: Path | None, asked: list[list[Action]]
) -> list[dict[str, Verdict]]:
    found = judge_together(states, rules, asked)
    return [{str(verdict.action): verdict for verdict in each} for each in found]


def _legal(engine: Engine, state: State, action: Action) -> bool:
    return engine.verdict(state, action).legal


def _heads(asked: Asked) -> tuple[str, ...]:
    """The words of the abilities of a position, save what they name."""
    return tuple(name_of(ability.text) for ability in asked.draft.abilities)


def _common(outcome: Outcome, alike: bool) -> Any:
    """A position that outcomes end in; of editions that are not alike what both speak of."""
    state = outcome.state
    if alike:
        return replace(state, edition="heroes")
    cards = frozenset((c.id, c.zone, c.controller, c.wounds, c.closed) for c in state.cards)
    effects = frozenset((e.card, e.ability, e.until) for e in state.effects)
    return cards, effects, state.active, state.result


def _choices(outcome: Outcome, alike: bool) -> tuple[Any, ...]:
    if not alike:
        return ()
    return tuple((each.player, each.chosen) for each in outcome.choices)


def _editions(rule: str) -> tuple[str, ...]:
    return rulebook()[rule].editions if rule in rulebook() else ()
