"""`dead`, `shadowed`, `redundant`: rules that decide nothing, or without which nothing changes.

Looked at are the rules of which legality alone is made: in all positions of the scope that are
made of a few menus, and for what is not shown there in the positions of the rulings. Of a rule that
bears on steps verdicts cannot tell whether it matters; see ``idle_steps``. Where an author changes
or adds chapters, those are looked at, and of the others what speaks for or against declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from pyengine import facts
from pyengine.audit.coverage import Survey, norm, prohibits
from pyengine.audit.findings import Finding, Place, Witness
from pyengine.audit.norms import rules_menu, words_of
from pyengine.audit.positions import Menu, read_state
from pyengine.audit.registry import Context, of_rules, search
from pyengine.audit.replay import Evidence
from pyengine.audit.sources import Source, listed, sources, standing_alone
from pyengine.audit.words import told
from pyengine.model import State

# beside the norms: targets and prices; what changes a card, gives or takes abilities
_TARGETS = (
    "use(wounds(1),open(target(creature)))",
    "use(close(target(creature)),draw(1))",
    "spell(both(wound(1,target(creature)),wound(1,target(creature))))",
    "spell(close(up_to(creature)))",
    "spell(revive(creature))",
    "use(close,shot(1,target(character)))",
    "spell(choose(draw(1),heal(1,target(character))))",
    "cannot(attack,wounded)",
    "cannot_be(attack,open)",
    "cannot(shoot)",
    "protection(spell)",
    "lure(play,any)",
    "spell(destroy(target(creature)))",
)
_CHANGES = (
    "grant(creature,lose(charge))",
    "grant(creature,charge)",
    "charge",
    "lose(charge)",
    "while(exists(and(yours,hero)),charge)",
    "cannot(attack)",
    "lose(cannot)",
    "must(attack)",
    "mod(cost,1)",
    "directed_strike(hero)",
    "lure(attack,any,has(charge))",
)


def menus(context: Context) -> tuple[Menu, ...]:
    """Of what the positions are made in which rules are looked for."""
    if context.edition == "classic":
        return (rules_menu(context),)
    words = (*words_of(context), ("zone", "graveyard"))
    return (
        rules_menu(context),
        Menu(abilities=_TARGETS, words=words),
        Menu(abilities=_CHANGES, effects=_CHANGES, words=words_of(context)),
    )


# up to so many cards every rule is looked at, beyond it those that no ruling shows to matter
_FIRST = 2
# how often clingo may then be wrong about one of them
_PATIENT = 100_000


@dataclass
class _Standing:
    """What is known of each rule that a menu reaches, by number.

    Args:
        asleep: no position is known in which it derives anything.
        powerless: none in which a verdict would be another without it.
        mute: none in which even the reasons would be others.
        undecided: of these the ones of which a question was too hard.
    """

    asleep: set[int] = field(default_factory=set)
    powerless: set[int] = field(default_factory=set)
    mute: set[int] = field(default_factory=set)
    undecided: set[int] = field(default_factory=set)
    known: dict[int, Source] = field(default_factory=dict)

    def meet(self, known: dict[int, Source]) -> None:
        """Rules that a menu reaches; of those that are new nothing is known."""
        for number in known.keys() - self.known.keys():
            self.known[number] = known[number]
            for group in (self.asleep, self.powerless, self.mute):
                group.add(number)

    def sleep(self, every: Iterable[Source]) -> None:
        """Of these the ones that no menu reaches derive nothing."""
        for source in every:
            if source.number not in self.known:
                self.known[source.number] = source
                self.asleep.add(source.number)

    @property
    def left(self) -> set[int]:
        """Those of which not everything is known."""
        prohibitions = {n for n in self.powerless if prohibits(self.known[n])}
        return self.asleep | prohibitions | self.mute


@search("dead", "shadowed", "redundant", wanted=of_rules, long=True)
def useless(context: Context) -> Iterator[Finding]:
    """Rules that never matter to a verdict."""
    standing = _Standing()
    evidence = Evidence(context)
    every = sources(context.edition, context.folder)
    # of an author's rules those of the author's chapters, and all norms, which they may shadow
    legal = {
        source.number
        for source in every
        if (norm(source) or not evidence.bears_on_steps(source))
        and (context.folder is None or source.theirs or norm(source))
    }
    for cards in range(1, context.scope.cards + 1):
        for menu in menus(context):
            _survey(context, menu, cards, standing, legal)
        if cards == min(_FIRST, context.scope.cards):
            # most rules are shown to matter by now, the rest more cheaply by a ruling
            alone = list(standing_alone(context.edition, context.folder))
            standing.sleep(source for source in alone if norm(source))
            standing.asleep &= {source.number for source in alone}
            evidence.judge(standing.left, standing.asleep, standing.powerless, standing.mute)
    yield from _findings(context, standing, evidence)
    if standing.undecided:
        hard = [standing.known[n] for n in sorted(standing.undecided)]
        context.leave("left_rules", places=listed(hard))


def _survey(context: Context, menu: Menu, cards: int, standing: _Standing, legal: set[int]) -> None:
    if cards <= _FIRST:
        survey = Survey(context, menu, cards, only=legal)
    elif standing.left:
        survey = Survey(context, menu, cards, patient=_PATIENT, only=standing.left)
    else:
        return
    standing.meet(survey.sources)
    quiet = set[int]()
    for what, group in (
        ("fires", standing.asleep),
        ("unlike", standing.powerless),
        ("retold", standing.mute),
    ):
        wanted = group
        if what == "unlike":
            wanted = {n for n in group if prohibits(standing.known[n])}
        if what != "fires":
            wanted = wanted - standing.asleep - quiet
        shown, undecided = survey.found(what, wanted)
        group -= shown
        standing.undecided |= undecided
        if what == "fires" and cards > _FIRST:
            # where others derive all that a rule derives, it changes nothing: that is soon proved
            asked = (standing.powerless | standing.mute) - standing.asleep
            alone, undecided = survey.found("alone", asked)
            quiet = asked - alone - undecided


def _findings(context: Context, standing: _Standing, evidence: Evidence) -> Iterator[Finding]:
    for number in sorted(standing.left - standing.undecided):
        source = standing.known[number]
        place = (Place(source.file, source.line),)
        if number in standing.asleep:
            yield Finding(
                "dead", "warning", told("dead_rule", place=source.where, scope=context.scope),
                told("widen_or_remove"), rules=source.cites, places=place,
            )  # fmt: skip
            continue
        if number in standing.mute:
            yield from _redundant(context, source, evidence)
        elif number in standing.powerless and prohibits(source):
            yield from _shadowed(context, source)


def _redundant(context: Context, source: Source, evidence: Evidence) -> Iterator[Finding]:
    witness = _smallest(context, "fires", source)
    if witness is None or not context.confirmed(
        "redundant", partial(evidence.same_without, witness, source)
    ):
        return
    yield Finding(
        "redundant",
        "note",
        told(
            "redundant_rule",
            place=source.where,
            scope=context.scope,
        ),
        told("remove_it"),
        rules=source.cites,
        places=(Place(source.file, source.line),),
        witness=witness,
    )


def _shadowed(context: Context, source: Source) -> Iterator[Finding]:
    """The smallest set of others of which one speaks wherever this one does, and where that is."""
    everywhere: tuple[int, ...] = ()
    for menu in menus(context):
        survey = Survey(context, menu, context.scope.cards, patient=_PATIENT, only={source.number})
        others = survey.others(source.number)
        if others:
            everywhere = tuple(sorted({*everywhere, *others}))
    witness = _smallest(context, "voice", source)
    if not everywhere or witness is None or witness.action is None:
        return
    by = [sources(context.edition, context.folder)[number] for number in everywhere]
    verdict = context.engine.verdict(witness.state, witness.action)
    if not context.confirmed("shadowed", lambda: not verdict.legal and len(verdict.because) > 1):
        return
    yield Finding(
        "shadowed",
        "note",
        told("shadowed_rule", place=source.where, others=listed(by)),
        told("remove_or_narrow"),
        rules=tuple(dict.fromkeys([*source.cites, *(r for each in by for r in each.cites)])),
        places=tuple(Place(each.file, each.line) for each in (source, *by)),
        witness=witness,
    )


def _smallest(context: Context, what: str, source: Source) -> Witness | None:
    """The smallest position in which a rule does that."""
    for cards in range(1, context.scope.cards + 1):
        for menu in menus(context):
            survey = Survey(
                context, menu, cards, measured=True, patient=_PATIENT, only={source.number}
            )
            if source.number not in survey.sources:
                continue
            symbols = survey.position(what, source.number)
            if symbols is None:
                continue
            state: State = read_state(symbols, context.edition)
            # of a prohibition the declaration that it speaks against, else one that it needs
            about = "declared" if what == "voice" else "asked"
            declared = [s.arguments[0] for s in symbols if s.name == about]
            return Witness(state, facts.action_of(declared[0]) if declared else None)
    return None
