"""`conflict`, `stuck`, `unmeetable` and `tie`: faults of norms, sought among all positions.

What a fault is, ``rules/audit/*.lp`` say; here is of what the positions are made and how what was
found is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import clingo

from pyengine import facts
from pyengine.audit.findings import Finding, Witness
from pyengine.audit.positions import Menu, Quest, Shown, faults_of
from pyengine.audit.registry import Context, search
from pyengine.audit.vocabulary import card_places
from pyengine.audit.words import told
from pyengine.kinds import Kind
from pyengine.terms import Term, parse

# what positions are made of where the rules are looked at, not the cards: each norm of the
# vocabulary that a declaration of heroes can meet
_VERBS = ("attack", "defend", "play", "use", "act")
_NORMS = (
    *(f"cannot({verb})" for verb in _VERBS),
    "cannot_be(attack)",
    "cannot_be(target)",
    "must(attack)",
    "must(defend)",
    "must(attack,hero)",
    "may(attack)",
    "may(act)",
    "lure(attack,any)",
    "charge",
    "directed_strike",
    "protection(spell)",
    "grant(enemy,cannot(attack))",
    "lose(all)",
    "use(close,wound(1,target(creature)))",
    "use(and(coins(1),once),heal(1,target(character)))",
    "spell(wound(1,target(character)))",
)
# the same for classic, with bare game actions that cards supply
_CLASSIC_NORMS = (
    *(f"cannot({verb})" for verb in ("move", "strike", "open", "close", "use", "chips")),
    "cannot(strike,creature)",
    "cannot_be(strike)",
    "must(strike)",
    "must(move)",
    "may(open)",
    "may(close)",
    "may(hide)",
    "lure(strike,any)",
    "grant(enemy,cannot(strike))",
    "experience_attack",
    "use(close,wound(1,target(creature)))",
    "use(close,both(wound(1,target(creature)),wound(1,target(creature))))",
)
_WORDS = {
    "heroes": (
        *(("phase", word) for word in ("main", "end")),
        *(("type", word) for word in ("creature", "hero", "spell", "equipment")),
        *(("zone", word) for word in ("play", "hand")),
    ),
    "classic": (
        ("phase", "choice"),
        *(("type", word) for word in ("creature", "terrain")),
        *(("zone", word) for word in ("play", "graveyard")),
    ),
}
# abilities by which a card can oblige, forbid, lure; those that set a value or take one away
_OBLIGING = frozenset({"must", "lure", "cannot", "cannot_be"})
_SETTING = frozenset({"is", "lose"})


def words_of(context: Context) -> tuple[tuple[str, str], ...]:
    """The words that the positions of an edition are made of."""
    return _WORDS["classic" if context.edition == "classic" else "heroes"]


def levels(context: Context) -> tuple[int, ...]:
    """The numbers that values and marks may have."""
    return tuple(range(context.scope.numbers + 1))


def rules_menu(context: Context) -> Menu:
    """Cards without names that bear any norm of the vocabulary."""
    norms = _CLASSIC_NORMS if context.edition == "classic" else _NORMS
    return Menu(abilities=norms, words=words_of(context))


def cards_menu(context: Context, about: frozenset[str]) -> Menu:
    """The kinds with an ability of one of these names in it, what they lay, and plain cards."""
    chosen = [
        kind
        for kind in context.kinds.values()
        if any(names(text) & about for text in kind.abilities)
    ]
    effects = {
        str(inner) for kind in chosen for text in kind.abilities for inner in laid_by(parse(text))
    }
    return Menu(
        effects=tuple(sorted(text for text in effects if names(text) & about)),
        kinds=tuple(chosen),
        words=words_of(context),
    )


def names(text: str) -> set[str]:
    """The names of all terms in an ability."""
    return {term.name for term in parse(text).walk()}


def laid_by(term: Term) -> Iterator[Term]:
    """The abilities that an ability lays on cards, as far as they have no blanks."""
    for inner in term.walk():
        if (
            inner.name == "lay"
            and isinstance(inner.args[0], Term)
            and not facts.blanks(inner.args[0])
        ):
            yield inner.args[0]


def cards_of(context: Context, shown: Shown) -> tuple[str, ...]:
    """The kinds in a position; those of an author stand there under their name."""
    kinds: dict[str, Kind] = dict(context.kinds)
    return tuple(sorted({card.kind or card.name for card in shown.state.cards} & kinds.keys()))


def shows(context: Context, properties: Sequence[str], shown: Shown) -> bool:
    """Whether the position shows the fault when its facts are given and nothing is generated."""
    answer = faults_of(context, tuple(properties), shown.state)
    return any(row[0] == shown.fault for row in answer["shows"])


# --- stuck ---------------------------------------------------------------------------------------


@search("stuck")
def stuck(context: Context) -> Iterator[Finding]:
    """Positions in which nothing may be declared."""
    quest = Quest(context, "stuck", ("stuck",), rules_menu(context), partial(_idle, context))
    for shown in quest.faults():
        verdicts = context.engine.judge(shown.state)
        rules = sorted({reason.rule for verdict in verdicts for reason in verdict.because})
        yield Finding(
            "stuck",
            "error",
            told("stuck", decision=told(f"decision_{shown.fault}"), rules=", ".join(rules)),
            told("leave_a_way"),
            rules=tuple(rules),
            cards=cards_of(context, shown),
            places=card_places(context, *cards_of(context, shown)),
            witness=Witness(shown.state),
        )


def _idle(context: Context, shown: Shown) -> bool:
    return not context.engine.legal_actions(shown.state) and shows(context, ("stuck",), shown)


# --- conflict ------------------------------------------------------------------------------------


@search("conflict")
def conflict(context: Context) -> Iterator[Finding]:
    """Declarations that norms of one level both allow and forbid."""
    properties: tuple[str, ...] = ("conflict",)
    if context.options.everything:
        properties = ("conflict", "settled")
    quest = Quest(
        context, "conflict", properties, rules_menu(context),
        partial(_clashes, context, properties), most=60,
    )  # fmt: skip
    for shown in quest.faults():
        allowing, forbidding, level, *principle = map(_text, shown.fault.arguments)
        parts = {
            "allowing": allowing,
            "forbidding": forbidding,
            "level": told(f"level_{level}"),
            "action": shown.action,
        }
        settled = bool(principle)
        yield Finding(
            "conflict",
            "note" if settled else "error",
            told("settled", principle=principle[0], **parts)
            if settled
            else told("conflict", **parts),
            told("settled_already") if settled else told("name_a_principle"),
            rules=tuple(sorted({allowing, forbidding, *principle})),
            cards=cards_of(context, shown),
            places=card_places(context, *cards_of(context, shown)),
            witness=Witness(shown.state, shown.action),
        )


def _clashes(context: Context, properties: tuple[str, ...], shown: Shown) -> bool:
    """The rules say it of this position, and the engine judges as the fault has it."""
    assert shown.action is not None
    legal = context.engine.verdict(shown.state, shown.action).legal
    if shown.fault.name == "settled" and shown.fault.arguments[3].string == "524.2":
        return not legal and shows(context, properties, shown)
    return shows(context, properties, shown)


def _text(symbol: clingo.Symbol) -> str:
    return symbol.string if symbol.type is clingo.SymbolType.String else str(symbol)


# --- unmeetable ----------------------------------------------------------------------------------


@search("unmeetable")
def unmeetable(context: Context) -> Iterator[Finding]:
    """Obligations of cards that cards forbid to meet."""
    menu = cards_menu(context, _OBLIGING)
    if not any(names(text) & {"must", "lure"} for kind in menu.kinds for text in kind.abilities):
        return
    quest = Quest(
        context, "unmeetable", ("unmeetable",), menu, partial(_forbidden, context),
        told=("blames/2",),
    )  # fmt: skip
    for shown in quest.faults():
        duty = facts.decode(str(shown.fault.arguments[0]))
        blocks = [(_text(s.arguments[0]), facts.decode(str(s.arguments[1]))) for s in shown.told]
        rules = sorted({rule for rule, _ in blocks})
        yield Finding(
            "unmeetable",
            "warning",
            told(
                "unmeetable",
                duty=duty,
                action=shown.action,
                blocks=", ".join(f"{ability} ({rule})" for rule, ability in blocks),
            ),
            told("say_which_yields"),
            rules=("base.obligation", *rules) if shown.fault.name == "duty" else tuple(rules),
            cards=cards_of(context, shown),
            places=card_places(context, *cards_of(context, shown)),
            witness=Witness(shown.state, shown.action),
        )


def _forbidden(context: Context, shown: Shown) -> bool:
    """Card texts alone forbid the declaration that would meet the obligation."""
    assert shown.action is not None
    verdict = context.engine.verdict(shown.state, shown.action)
    said = {(reason.rule, reason.ability) for reason in verdict.because if reason.ability}
    blamed = {(_text(s.arguments[0]), facts.decode(str(s.arguments[1]))) for s in shown.told}
    return not verdict.legal and bool(said & blamed) and shows(context, ("unmeetable",), shown)


# --- tie -----------------------------------------------------------------------------------------


@search("tie")
def tie(context: Context) -> Iterator[Finding]:
    """Effects of cards that contradict each other at one moment."""
    menu = cards_menu(context, _SETTING | _taken(context))
    if not menu.kinds:
        return
    quest = Quest(context, "tie", ("tie",), menu, partial(shows, context, ("tie",)))
    for shown in quest.faults():
        first, second = (facts.decode(str(each)) for each in shown.fault.arguments)
        yield Finding(
            "tie",
            "warning",
            told("tie", first=first, second=second),
            told("say_which_is_later"),
            rules=("524.1",),
            cards=cards_of(context, shown),
            places=card_places(context, *cards_of(context, shown)),
            witness=Witness(shown.state),
        )


def _taken(context: Context) -> frozenset[str]:
    """The names of abilities that some kind takes away."""
    return frozenset(
        str(term.args[0])
        for kind in context.kinds.values()
        for text in kind.abilities
        for term in parse(text).walk()
        if term.name == "lose"
    )
