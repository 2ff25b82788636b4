"""Answers as text: reasons, trees, steps and changes, in English and in Russian.

The sentences about a rule come from `facts/rulebook/`; here they are filled with the cards of
the position. Nothing here draws: `show` does, and `cli` prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from pyengine import queue
from pyengine.documents import data_folder
from pyengine.i18n import BRANCHES, FACTS, LANGUAGES, OPTIONS, Lang, say, word
from pyengine.model import (
    Action,
    Card,
    Defeat,
    Effect,
    Explanation,
    Node,
    Outcome,
    Reason,
    State,
    Step,
    Verdict,
)
from pyengine.rulebook import Part, Rule, rulebook, text
from pyengine.solving import program

# --- states --------------------------------------------------------------------------------------


def whole(state: State) -> dict[str, Any]:
    """The state as a document in which no key is left out.

    >>> whole(State("p1", (), ()))["phase"]
    'main'
    """
    return {
        "edition": state.edition,
        "turn": state.turn,
        "active": state.active,
        "phase": state.phase,
        "players": {id: plain_record(player) for id, player in state.players},
        "cards": {card.id: _card(card) for card in state.cards},
        "effects": [plain_record(effect) for effect in state.effects],
        "pending": None if state.pending is None else plain_record(state.pending),
        "result": state.result,
    }


def _card(card: Card) -> dict[str, Any]:
    entry = plain_record(card)
    del entry["id"]
    entry["spent"] = dict(card.spent)
    return entry


def plain_record(thing: Any) -> dict[str, Any]:
    """A record of the model with the names and lists of documents."""
    out = {}
    for item in fields(thing):
        value = getattr(thing, item.name)
        out[KEYS.get(item.name, item.name)] = list(value) if isinstance(value, tuple) else value
    return out


# the names of fields that documents write differently
KEYS = {"classes": "class"}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two states.

    ``kind``: table, player, card, effect; ``about``: the player or card it is about (the bearer
    of an effect); ``key``: the key that changed (for an effect its ability).
    """

    kind: str
    about: str
    key: str
    before: Any
    after: Any


ABSENT = "absent"


def changes(before: State, after: State) -> list[Change]:
    """What differs, in the order of the document: the table, players, cards, effects."""
    old, new = whole(before), whole(after)
    out = [
        Change("table", "", key, old[key], new[key])
        for key in ("turn", "active", "phase", "pending", "result")
        if old[key] != new[key]
    ]
    for id in new["players"]:
        out += _entry("player", id, old["players"].get(id, {}), new["players"][id])
        decks = [
            [c.id for c in s.cards if c.zone == "deck" and c.owner == id] for s in (before, after)
        ]
        stay = set(decks[0]) & set(decks[1])
        if [c for c in decks[0] if c in stay] != [c for c in decks[1] if c in stay]:
            out.append(Change("player", id, "deck", decks[0], decks[1]))
    for id in [*old["cards"], *(id for id in new["cards"] if id not in old["cards"])]:
        if id not in new["cards"]:
            out.append(Change("card", id, ABSENT, False, True))
        elif id not in old["cards"]:
            out.append(Change("card", id, ABSENT, True, new["cards"][id]["zone"]))
        else:
            out += _entry("card", id, old["cards"][id], new["cards"][id])
    return out + _effects(before.effects, after.effects)


def _entry(kind: str, id: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """The keys that differ. A card that left play has shed its marks: only its zone is told."""
    keys = [key for key in new if old.get(key) != new[key]]
    if kind == "card" and old["zone"] == "play" != new["zone"]:
        keys = [key for key in keys if key in ("zone", "owner")]
    return [Change(kind, id, key, old.get(key), new[key]) for key in keys]


def _effects(before: Iterable[Effect], after: Iterable[Effect]) -> list[Change]:
    """Effects that ended, changed and are new; two equal ones are two."""
    gone: list[Effect] = list(before)
    out, changed = [], []
    for effect in after:
        if effect in gone:
            gone.remove(effect)
        else:
            changed.append(effect)
    for effect in changed:
        same = [old for old in gone if _identity(old) == _identity(effect)]
        if same:
            gone.remove(same[0])
            old, new = plain_record(same[0]), plain_record(effect)
            out += [
                Change("effect", effect.card, f"{effect.ability} {key}", old[key], new[key])
                for key in ("spent", "until")
                if old[key] != new[key]
            ]
        else:
            out.append(Change("effect", effect.card, effect.ability, None, effect))
    return [Change("effect", old.card, old.ability, old, None) for old in gone] + out


def _identity(effect: Effect) -> tuple[object, ...]:
    return (effect.card, effect.ability, effect.source, effect.controller, effect.since)


def grouped(before: State, after: State, lang: Lang) -> list[tuple[str, list[str]]]:
    """The changes as phrases, by what they are about: the table, a player or a card."""
    told: dict[str, list[str]] = {}
    for item in changes(before, after):
        told.setdefault(item.about, []).append(change(item, lang, after))
    return [
        (named(after, about, lang) if about else say("table", lang), said)
        for about, said in told.items()
    ]


def change(item: Change, lang: Lang, state: State | None = None) -> str:
    """One change as a phrase, without the card or player it is about.

    Of an announced attack the cards are told by their names in ``state``, or by their ids.
    """
    if item.key == "pending" and state is not None:
        old, new = (
            value(
                {role: id and named(state, id, lang) for role, id in (attack or {}).items()}, lang
            )
            for attack in (item.before, item.after)
        )
        return f"{word(item.key, lang)} {old} → {new}"
    if item.kind == "effect":
        if item.before is None:
            return say("effect_laid", lang, ability=effect(item.after, lang))
        if item.after is None:
            return say("effect_gone", lang, ability=item.key)
        ability, _, key = item.key.rpartition(" ")
        return f"{ability}: {_arrow(key, item.before, item.after, lang)}"
    if item.key == ABSENT:
        return (
            say("appears", lang, zone=word(item.after, lang))
            if item.before
            else say("vanishes", lang)
        )
    if item.key == "closed":
        return say("closes" if item.after else "opens", lang)
    if isinstance(item.after, bool):
        return say("mark_on" if item.after else "mark_off", lang, mark=word(item.key, lang))
    if item.key == "deck":
        return say("deck_changed", lang, cards=", ".join(item.after) or say("empty", lang))
    if item.key == "spent":
        keys = sorted({*item.before, *item.after})
        pairs = [(key, item.before.get(key, 0), item.after.get(key, 0)) for key in keys]
        return "; ".join(
            say("effect_spent", lang, ability=key, before=old, after=new)
            for key, old, new in pairs
            if old != new
        )
    return _arrow(item.key, item.before, item.after, lang)


def _arrow(key: str, before: Any, after: Any, lang: Lang) -> str:
    named = key in PLAYERS
    old, new = (
        told if named and told not in (None, "draw") else value(told, lang)
        for told in (before, after)
    )
    return f"{word(key, lang)} {old} → {new}"


def in_force(key: str, printed: Any, now: Any, lang: Lang) -> str:
    """A value of a card as it is now, beside the printed one."""

    def told(item: Any) -> str:
        if isinstance(item, tuple) and item and isinstance(item[0], int):
            return "-".join(map(str, item))
        return value(list(item) if isinstance(item, tuple) else item, lang)

    name = word(KEYS.get(key, key), lang)
    return say("in_force_value", lang, name=name, now=told(now), printed=told(printed))


# the keys whose values are names of players, whatever else they look like
PLAYERS = ("active", "owner", "controller", "result")


def value(item: Any, lang: Lang) -> str:
    """A value of a document for people."""
    if isinstance(item, dict) and "attacker" in item:  # the pending attack
        attack = say("attack_of", lang, **item)
        defender = item["defender"]
        return attack if defender is None else f"{attack}, {say('defended_by', lang, **item)}"
    if item is None or item == [] or item == {}:
        return say("empty", lang)
    if isinstance(item, list):
        return ", ".join(value(member, lang) for member in item)
    if isinstance(item, dict):
        return ", ".join(f"{key} {value(member, lang)}" for key, member in item.items())
    return word(str(item), lang)


def effect(item: Effect, lang: Lang) -> str:
    """An effect with its source, whose it is, and how long it lasts."""
    parts = [item.ability]
    if item.source is not None:
        parts.append(say("effect_source", lang, source=item.source))
    if item.spent:
        parts.append(f"{word('spent', lang)} {item.spent}")
    if item.until != "leaves":
        until = (
            say("turn", lang, n=item.until)
            if isinstance(item.until, int)
            else word(item.until, lang)
        )
        parts.append(say("effect_until", lang, until=until))
    return ", ".join(parts)


def heading(state: State, lang: Lang) -> str:
    """One line: the edition, the turn, its phase, whose turn it is, or how it ended."""
    if state.result is not None:
        end = say("draw", lang) if state.result == "draw" else say("won", lang, player=state.result)
    else:
        end = say("active", lang, player=state.active)
    return " · ".join(
        (
            word(state.edition, lang),
            say("turn", lang, n=state.turn),
            say("phase", lang, phase=word(state.phase, lang)),
            end,
        )
    )


# --- cards ---------------------------------------------------------------------------------------


def label(card: Card, lang: Lang) -> str:
    """What people call a card: its name, with the id where the two differ."""
    name = card.name
    if card.kind is not None and name in ("", card.kind):
        from pyengine.kinds import catalogue

        kind = catalogue().get(card.kind)
        name = kind.name(lang) if kind is not None else name
    if name in ("", card.id):
        return card.id
    return f"{name} ({card.id})"


def called(card: Card, name: str) -> bool:
    """Whether that is what a person may call a card: its id, or its name in any language."""
    names = {card.id, card.name.lower()}
    if card.kind is not None:
        from pyengine.kinds import catalogue

        kind = catalogue().get(card.kind)
        names |= {text.lower() for _, text in kind.names} if kind is not None else set()
    return name in names or name.lower() in names


def named(state: State, id: object, lang: Lang) -> str:
    """The label of the card of that id; the text itself if no card has it."""
    cards = {card.id: card for card in state.cards}
    return label(cards[id], lang) if isinstance(id, str) and id in cards else str(id)


def decides(state: State) -> str | None:
    """The player whose candidates are judged, as the rules say (base.turn).

    In a phase that goes by itself that is the active player, though nobody must decide then. None:
    the game is over.
    """
    found = _called_on(state)
    return None if found is None else found[0]


def _called_on(state: State) -> tuple[str, str] | None:
    return queue.player_called(program(f"rules/editions/{state.edition}.lp"), state)


# --- reasons -------------------------------------------------------------------------------------


def sentence(state: State, verdict: Verdict, reason: Reason, lang: Lang, aimed: bool = True) -> str:
    """What a reason says of this declaration, as a clause without a full stop.

    Its targets are called by their names if ``aimed``, else just targets.
    """
    action = verdict.action
    aims = targets(state, action) if aimed else ()
    return _said(
        reason.rule,
        "reason",
        lang,
        *_situations(state, verdict, reason),
        edition=state.edition,
        by=None if reason.by is None else named(state, reason.by, lang),
        agent=_agent(state, action, lang),
        target=", ".join(named(state, id, lang) for id in aims) or None,
        action=action,
        ability=reason.ability,
        **_numbers(reason),
    )


def _numbers(reason: Reason) -> dict[str, str]:
    """What the rules say beside the reason: how much is needed and there, what is asked for."""
    found: dict[str, str] = {}
    for what in reason.amiss:
        name, _, rest = what.removesuffix(")").partition("(")
        if name == "short":
            found["needed"], found["there"] = rest.split(",")
        elif name == "asks":
            found["asked"] = "; ".join(filter(None, (found.get("asked"), rest)))
    return found


def _said(
    rule: str,
    part: Part,
    lang: Lang,
    *situations: str,
    edition: str | None = None,
    **parts: object,
) -> str:
    """What a rule says; that the rulebook has no entry of it, where an author's rule has none."""
    if rule not in rulebook():
        return say("no_entry", lang)
    return text(rule, part, lang, *situations, edition=edition, **parts)


def title(rule: str, lang: Lang) -> str:
    """The title of a rule; its number where the rulebook has no entry of it."""
    return text(rule, "title", lang) if rule in rulebook() else rule


def defeat(state: State, item: Defeat, lang: Lang) -> str:
    """Which norm was overcome, and by which principle."""
    if item.by is None:
        return say("beats_bare", lang, rule=item.rule, principle=item.principle)
    card = named(state, item.by, lang)
    return say("beats", lang, rule=item.rule, card=card, principle=item.principle)


def _agent(state: State, action: Action, lang: Lang) -> str | None:
    return named(state, action.args[0], lang) if action.args else None


def targets(state: State, action: Action) -> tuple[str, ...]:
    """The cards that a declaration is aimed at: for a defender, the target so far."""
    if action.verb == "defend":
        return () if state.pending is None else (state.pending.target,)
    return tuple(arg for arg in action.args[1:] if isinstance(arg, str))


def _situations(state: State, verdict: Verdict, reason: Reason) -> Iterator[str]:
    """Names of clauses that may fit better than the general one, the best first.

    They choose words only: that the rule decides is known already.
    """
    action = verdict.action
    if verdict.legal:
        if action.verb in ("pass", "end_turn", "play", "use"):
            yield action.verb
        if reason.rule == "base.attack" and any(
            card.acted for card in state.cards if card.id == action.args[0]
        ):
            yield "again"  # as a card allows (511.1)
        yield "permit"
        return
    if reason.ability is not None:
        name, _, rest = reason.ability.partition("(")
        if name == "lure" and len(_arguments(rest.removesuffix(")"))) == 3:
            yield "lure_to"
        yield name
        return
    cards = {card.id: card for card in state.cards}
    agent = cards.get(str(action.args[0])) if action.args else None
    aims = targets(state, action)
    if reason.rule == "base.turn":
        player, moment = _called_on(state) or (None, "result")
        waits = moment == "defence"
        if moment in ("result", queue.AUTOMATIC):
            yield moment
        elif waits != (action.verb in ("defend", "pass")):
            yield "pending" if waits else "idle"
            yield "phase"
        elif agent is not None and agent.controller != player:
            yield "player"
        else:
            yield "phase"
    elif reason.rule == "base.target" and agent is not None:
        if action.verb == "defend":
            yield "itself"
        elif action.verb in ("attack", "strike") and any(
            cards[id].controller == agent.controller for id in aims if id in cards
        ):
            yield "own"
        elif any(what.startswith("asks(") for what in reason.amiss):
            yield "asks"
    elif reason.rule == "base.cost":
        if any(what.startswith("short(") for what in reason.amiss):
            yield "short"
    elif reason.rule == "base.zone" and agent is not None:
        if agent.zone == ("hand" if action.verb == "play" else "play"):
            yield "target"
    elif reason.rule in ("514.1", "525.1"):
        if agent is not None and action.verb in BARE:
            mark = BARE[action.verb]
            done = mark is not None and getattr(agent, mark[0]) is mark[1]
            yield action.verb if done else "unsupplied"
        yield from (what for what in _AMISS if what in reason.amiss)
    else:
        yield "forbid"


# what may be amiss with a declaration, that which is told before the others first
_AMISS = ("absent", "repeated", "zone", "missing", "number")
# the bare game actions of classic: the mark that a card has when there is nothing left to do
BARE: dict[str, tuple[str, bool] | None] = {
    "open": ("closed", False),
    "close": ("closed", True),
    "reveal": ("hidden", False),
    "hide": ("hidden", True),
    "accumulate": None,
}


# --- steps ---------------------------------------------------------------------------------------


def step(state: State, item: Step, lang: Lang) -> str:
    """What happens in a step, as a clause without a full stop."""
    return _said(
        item.rule,
        "step",
        lang,
        item.step,
        item.what.partition("(")[0],
        edition=state.edition,
        by=None if item.by is None else named(state, item.by, lang),
        what=term(state, item.what, lang),
        value=f"{item.value:+}" if item.step == "modify" else item.value,
    )


def term(state: State, text: str, lang: Lang) -> str:
    """What was chosen, or what a step is about, in words where there are words for it.

    >>> nobody = State("p1", (), ())
    >>> term(nobody, "decline(ork)", "en"), term(nobody, "way(second,draw(1))", "en")
    ('the ability of ork is declined', 'the second: draw(1)')
    """
    name, _, rest = text.partition("(")
    args = _arguments(rest.removesuffix(")"))
    if name == "way":
        return _way(args, lang)
    words = OPTIONS.get(text) or OPTIONS.get((name, len(args)))
    known = {card.id for card in state.cards}
    if words is None or text in known:
        return named(state, text, lang)
    shown = (named(state, arg, lang) if arg in known else word(arg, lang) for arg in args)
    return words[LANGUAGES.index(lang)].format(*shown)


def _way(args: Sequence[str], lang: Lang) -> str:
    """The branches of an effect that were chosen: each stands before what it does."""
    told, rest = [], list(args)
    while rest:
        branch = rest.pop(0)
        effects = [rest.pop(0) for _ in range(2 if branch == "both" else 1)]
        told.append(BRANCHES[branch][LANGUAGES.index(lang)].format(*effects))
    return "; ".join(told)


def meanwhile(state: State, outcome: Outcome) -> State:
    """The position with the cards that came into being on the way to an outcome."""
    known = {card.id for card in state.cards}
    new = (card for card in outcome.state.cards if card.id not in known)
    return replace(state, cards=(*state.cards, *new))


PRINCIPLES = ("511.1", "524.1", "524.2")


# --- trees ---------------------------------------------------------------------------------------


def told(state: State, verdict: Verdict, node: Node, lang: Lang) -> str:
    """What a node of a tree says: a norm as its rule says it, a fact as the term that holds."""
    if not node.rule:
        return fact(state, node.fact, lang)
    if node.fact in PRINCIPLES:  # a norm that was overcome, and by what
        card = "" if node.by is None else named(state, node.by, lang)
        key = "beaten_of" if card else "beaten"
        rule = title(node.rule, lang)
        return say(key, lang, principle=node.fact, rule=rule, card=card)
    plain = Reason(node.rule, node.by, node.fact or None)
    norm = (each for each in verdict.because if replace(each, defeats=()) == plain)
    return sentence(state, verdict, next(norm, plain), lang)


def fact(state: State, term: str, lang: Lang) -> str:
    """A fact of the state in words where there are words for it, else as the term it is.

    >>> fact(State("p1", (), ()), "closed(ork)", "en"), fact(State("p1", (), ()), "odd(x)", "en")
    ('ork is closed', 'odd(x)')
    """
    name, _, rest = term.partition("(")
    args = _arguments(rest.removesuffix(")"))
    words = FACTS.get((name, len(args)))
    if words is None:
        return term
    known = {card.id for card in state.cards} | {id for id, _ in state.players}
    shown = (named(state, arg, lang) if arg in known else word(arg, lang) for arg in args)
    return words[LANGUAGES.index(lang)].format(*shown)


def _arguments(inside: str) -> list[str]:
    """The arguments of a term: split at the commas that stand in no brackets."""
    args, depth = [""], 0
    for sign in inside:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            args.append("")
        else:
            args[-1] += sign
    return [arg.strip() for arg in args if arg.strip()]


# --- documents: the answers as JSON --------------------------------------------------------------


def because(state: State, verdict: Verdict, lang: Lang) -> list[dict[str, Any]]:
    """The reasons of a verdict (CONTRACT 6)."""
    out: list[dict[str, Any]] = []
    for reason in verdict.because:
        entry: dict[str, Any] = {
            "rule": reason.rule,
            "by": reason.by,
            "text": sentence(state, verdict, reason, lang),
        }
        if reason.defeats:
            entry["defeats"] = [
                {"rule": item.rule, "by": item.by, "principle": item.principle}
                for item in reason.defeats
            ]
        out.append(entry)
    return out


def judged(state: State, verdicts: Sequence[Verdict], lang: Lang) -> dict[str, Any]:
    """The answer of `legal`."""
    answer: dict[str, Any] = {"edition": state.edition, "player": decides(state)}
    for key, legal in (("legal", True), ("illegal", False)):
        answer[key] = [
            {"action": str(item.action), "because": because(state, item, lang)}
            for item in sorted(verdicts, key=lambda item: item.action)
            if item.legal is legal
        ]
    return answer


def refused(state: State, verdict: Verdict, lang: Lang) -> dict[str, Any]:
    """A verdict on one action, as `why` and an illegal `resolve` give it."""
    return {
        "action": str(verdict.action),
        "legal": verdict.legal,
        "because": because(state, verdict, lang),
    }


def explained(state: State, item: Explanation, lang: Lang) -> dict[str, Any]:
    """The answer of `why`."""

    def node(at: Node) -> dict[str, Any]:
        return {
            "rule": at.rule or None,
            "by": at.by,
            "text": told(state, item.verdict, at, lang),
            "children": [node(child) for child in at.children],
        }

    return {**refused(state, item.verdict, lang), "tree": [node(at) for at in item.tree]}


def resolved(
    state: State, action: Action, outcomes: Sequence[Outcome], lang: Lang
) -> dict[str, Any]:
    """The answer of `resolve`: terms, and beside them (`text`) what they say in words."""
    return {
        "action": str(action),
        "outcomes": [_outcome(state, outcome, lang) for outcome in outcomes],
    }


def _outcome(state: State, outcome: Outcome, lang: Lang) -> dict[str, Any]:
    table = meanwhile(state, outcome)
    return {
        "ways": outcome.ways,
        "choices": [
            {
                "player": choice.player,
                "rule": choice.rule,
                "options": list(choice.options),
                "chosen": choice.chosen,
                "text": term(table, choice.chosen, lang),
                "options_text": [term(table, option, lang) for option in choice.options],
            }
            for choice in outcome.choices
        ],
        "trace": [
            {
                "step": item.step,
                "rule": item.rule,
                "by": item.by,
                "what": item.what,
                "value": item.value,
                "text": step(table, item, lang),
            }
            for item in outcome.trace
        ],
        "changes": [
            {"about": item.about or None, "text": change(item, lang, outcome.state)}
            for item in changes(state, outcome.state)
        ],
        "state": outcome.state.to_dict(),
    }


# --- the rulebook --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Traces:
    """Where each rule of the rulebook is encoded (file:line), and which rulings cite it."""

    encoded: Mapping[str, tuple[str, ...]]
    rulings: Mapping[str, tuple[str, ...]]

    @staticmethod
    def load() -> Traces:
        """Looks through the rule files and the rulings of the package."""
        from pyengine.verify import citations

        rules = data_folder("rules")
        files = [rules.parent / "rules.lp", *sorted(rules.rglob("*.lp"))]
        encoded: dict[str, list[str]] = {}
        for file in files:
            if file.is_file():
                shown = file.relative_to(rules.parent).as_posix()
                for number, rule in cited(file.read_text("utf-8")):
                    encoded.setdefault(rule, []).append(f"{shown}:{number}")
        rulings: dict[str, list[str]] = {}
        for ruling in citations([data_folder("facts") / "rulings"]):
            for rule in ruling.cites:
                rulings.setdefault(rule, []).append(ruling.ruling)
        return Traces(
            {rule: tuple(places) for rule, places in encoded.items()},
            {rule: tuple(sorted(ids)) for rule, ids in rulings.items()},
        )


_COMMENT = re.compile(r"%(.*)")
_CITED = re.compile(r"(?<![\w.])(?:5\d\d[PV]?(?:\.\d+)+|(?:base|keyword)\.[a-z_]+)(?![\w]|\.\w)")


def cited(program: str) -> Iterator[tuple[int, str]]:
    """The rules that comments of a rule file cite, with their lines.

    >>> list(cited("a.\\n% 509.3  once a turn, 515V.1\\nb :- c. % base.hero"))
    [(2, '509.3'), (2, '515V.1'), (3, 'base.hero')]
    """
    for number, line in enumerate(program.splitlines(), 1):
        comment = _COMMENT.search(line)
        if comment:
            for rule in dict.fromkeys(_CITED.findall(comment[1])):
                yield number, rule


def entry(rule: Rule, traces: Traces) -> dict[str, Any]:
    """A rule of the rulebook with where it is encoded and what covers it."""
    return {
        "id": rule.id,
        "kind": rule.kind,
        "editions": list(rule.editions),
        "lent": list(rule.lent),
        "title": rule.title._asdict(),
        "says": rule.says._asdict(),
        "example": rule.example._asdict() if rule.example else None,
        "revisions": [
            {
                "editions": list(other.editions),
                "title": other.title._asdict(),
                "says": other.says._asdict(),
            }
            for other in rule.revisions
        ],
        "see": list(rule.see),
        "encoded": list(traces.encoded.get(rule.id, ())),
        "rulings": list(traces.rulings.get(rule.id, ())),
    }
