"""`order`, `loop` and `nondeterminism`: faults of what comes of a declaration.

The engine is asked; what is said here is only which of its answers are a fault:

- **nondeterminism**: two outcomes that the same choices lead to, none of them by chance.
- **loop**: a declaration without an end; one that would have none if replacements could apply again
  to what they have produced (516.5 cuts that); an obligation whose fulfilment changes nothing.
- **order**: two effects whose dates, or two abilities whose printed places, are exchanged, and the
  outcome is another. Where one of them takes away or overrides the other that is what 524.1 means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import combinations
from pathlib import Path
from typing import Any

from clingo import ast

from pyengine import facts, limits
from pyengine.abreast import Ends, ends_of
from pyengine.audit.candidates import abilities
from pyengine.audit.drafts import Draft, built, forms, name_of, terse
from pyengine.audit.findings import Finding, Severity, Witness
from pyengine.audit.registry import Context, search
from pyengine.audit.scenes import alone, telling
from pyengine.audit.vocabulary import card_places
from pyengine.audit.witness import minimised, sound
from pyengine.audit.words import told
from pyengine.batch import chunks
from pyengine.engine import Engine
from pyengine.kinds import Kind
from pyengine.model import Action, Effect, LimitError, Outcome, PyengineError, State
from pyengine.questions import state_facts
from pyengine.rulebook import Words
from pyengine.solving import Program, program, solve

# a small position comes to its end within so many steps, if it has one
_SHORT = limits.Limits(steps=100, outcomes=400, seconds=60.0)
# and one course of it within so many
_COURSE = limits.Limits(steps=40, seconds=60.0)
_CUT = re.compile(r"[;,] not acts_before\((?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True)
class Fault:
    """A fault of an answer: its code, what tells it from others of that code, its rules."""

    code: str
    what: str
    rules: tuple[str, ...] = ()


class Asking:
    """The engine of a context, and the programs that faults are told by.

    What is asked of many positions can be asked of all at once beforehand (``judge``, ``follow``);
    it is known then until the next ``judge``.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        self.engine = context.engine
        self._legal: dict[State, list[Action]] = {}
        self._ends: dict[tuple[State, Action], Ends] = {}

    def judge(self, states: Sequence[State]) -> None:
        """Works out what is legal in all of these."""
        self._ends.clear()
        found = self.engine.judge_many(states)
        self._legal = {
            state: [verdict.action for verdict in verdicts if verdict.legal]
            for state, verdicts in zip(states, found, strict=True)
            if not isinstance(verdicts, PyengineError)
        }

    def follow(self, asked: Iterable[tuple[State, Action]]) -> None:
        """Works out what legal declarations come to; of others and of the endless it is silent."""
        known = [
            (state, action)
            for state, action in dict.fromkeys(asked)
            if action in self._legal.get(state, ())
        ]
        found = ends_of(self.engine, known, _SHORT, self.context.go_on)
        for question, ends in zip(known, found, strict=True):
            if ends is not None:
                self._ends[question] = ends

    def legal(self, state: State) -> list[Action]:
        """The legal declarations."""
        found = self._legal.get(state)
        return self.engine.legal_actions(state) if found is None else found

    def illegal(self, state: State, action: Action) -> bool:
        """Whether a declaration is known to be illegal."""
        return action not in self._legal.get(state, (action,))

    def outcomes(self, state: State, action: Action) -> list[Outcome] | None:
        """What a declaration comes to; None: it comes to no end; nothing: to too many."""
        found = self._ends.get((state, action))
        if not isinstance(found, list):
            found = _ended(self.engine, state, action, found)
            if found is not None:
                self._ends[state, action] = found
        return found

    @cached_property
    def uncut(self) -> Engine:
        """The same rules without 516.5: what has acted in a chain may act again."""
        return _Edited(self.context.edition, self.context.folder, _without_cut)

    # --- faults of one declaration

    def faults(self, state: State, action: Action) -> Iterator[Fault]:
        """What is wrong with what comes of a legal declaration."""
        found = self.outcomes(state, action)
        if found is None:
            yield Fault("loop", "endless")
            return
        if not found:
            return
        replaced = any(
            step.step in ("redirect", "replace") for each in found for step in each.trace
        )
        if replaced and _endless(self.uncut, state, action):
            yield Fault("loop", "cut", ("516.5",))
        if self.idle_duty(state, action, found):
            yield Fault("loop", "duty", ("base.obligation",))
        if undecided(found):
            yield Fault("nondeterminism", "outcomes", rules_of(found))

    def idle_duty(self, state: State, action: Action, found: Sequence[Outcome]) -> bool:
        """Whether an obligation demands a declaration that leaves everything as it was."""
        if any(each.state != state for each in found):
            return False
        end = self.engine.verdict(state, Action("end_turn"))
        return any(reason.rule == "base.obligation" for reason in end.because)

    # --- what the latest holds of

    def latest(self, state: State) -> bool:
        """Whether 524.1 decides something in a position: an ability or a value gives way."""
        rules = _watched(self.context.edition, self.context.folder)
        (answer, *_) = solve(
            rules, f"{state_facts(state)}\njudged({facts.name(state.active)}).",
            shown=("lost/4", "older/4"),
        )  # fmt: skip
        return bool(answer["lost"] or answer["older"])


def _ended(
    engine: Engine, state: State, action: Action, reached: LimitError | None
) -> list[Outcome] | None:
    """The outcomes; none if there are too many. ``reached``: the limit that is known to be."""
    if reached is None:
        with limits.using(_SHORT):
            try:
                return engine.resolve(state, action)
            except LimitError as error:
                reached = error
    if reached.limit is None:
        return None
    if reached.limit == "seconds":
        raise reached
    # many ways, or one without an end?
    return None if _endless(engine, state, action) else []


def _endless(engine: Engine, state: State, action: Action) -> bool:
    """Whether a course goes on and on in which every offer is declined that can be."""
    with limits.using(_COURSE):
        try:
            engine.unfold(state, action, lambda fork: len(fork.options) - 1)
        except LimitError as error:
            return error.limit in (None, "steps")
    return False


def undecided(found: Sequence[Outcome]) -> bool:
    """Whether two outcomes come of the same choices, and chance had no part in them."""
    seen: set[Any] = set()
    for outcome in found:
        if outcome.ways != 1 or any(choice.player is None for choice in outcome.choices):
            continue
        made = tuple((each.player, each.options, each.chosen) for each in outcome.choices)
        if made in seen:
            return True
        seen.add(made)
    return False


def rules_of(found: Sequence[Outcome]) -> tuple[str, ...]:
    """The rules of the steps in which outcomes are not alike."""
    sets = [{step.rule for step in each.trace} for each in found]
    rules = {rule for one in sets for rule in one if any(rule not in other for other in sets)}
    return tuple(sorted(rules))


class _Edited(Engine):
    """An engine whose statements have been edited."""

    def __init__(self, edition: str, folder: Path | None, edit: Callable[[str], str]) -> None:
        super().__init__(folder)
        ours = program(f"rules/editions/{edition}.lp", folder)
        nodes = []
        for node in ours.nodes:
            text = str(node)
            nodes.extend([node] if edit(text) == text else _parsed(edit(text)))
        self._edited = Program(nodes)

    def _program(self, state: State) -> Program:
        return self._edited


def _without_cut(text: str) -> str:
    return _CUT.sub("", text)


def _parsed(text: str) -> list[ast.AST]:
    out: list[ast.AST] = []
    ast.parse_string(text, out.append)
    return [node for node in out if node.ast_type != ast.ASTType.Program]


@lru_cache(maxsize=4)
def _watched(edition: str, folder: Path | None) -> Program:
    """The rules with what they say of effects that give way."""
    ours = program(f"rules/editions/{edition}.lp", folder)
    return Program([*ours.nodes, *_parsed("#show lost/4. #show older/4.")])


# --- the search over cards and over abilities of the vocabulary ----------------------------------


# so many positions are asked about at once
_AT_ONCE = 512


def kinds_of(context: Context) -> list[Kind]:
    """The kinds that are looked at alone: an author's where there are any, else all."""
    author = context.author.kinds
    return [kind for id, kind in context.kinds.items() if not author or id in author]


def _kind_parts(context: Context) -> list[tuple[str, ...]]:
    """Some kinds for each part; of the vocabulary, which is ours, an author is told nothing."""
    parts = [tuple(kind.id for kind in some) for some in chunks(kinds_of(context), _KINDS)]
    return parts if context.author.kinds else [(), *parts]


@search("loop", "nondeterminism", parts=_kind_parts, long=True)
def courses(context: Context, part: Sequence[str]) -> Iterator[Finding]:
    """Each kind of card alone, or each ability of the vocabulary, in what it can do."""
    asking = Asking(context)
    seen: set[Any] = set()
    done = 0
    scenes: Iterator[tuple[State, str, tuple[Kind, ...]]]
    if part:
        kinds = [context.kinds[id] for id in part]
        scenes = ((s, "x", (kind,)) for kind in kinds for s in alone(kind, context.edition))
    else:
        scenes = ((state, holder, ()) for state, holder in vocabulary_scenes(context))
    for some in chunks(scenes, _AT_ONCE):
        context.look("loop", done)
        asking.judge([state for state, _, _ in some])
        told_by = [telling(state, asking.legal(state), (id,)) for state, id, _ in some]
        for few in chunks(
            [
                (state, act)
                for (state, _, _), acts in zip(some, told_by, strict=True)
                for act in acts
            ],
            _AT_ONCE,
        ):
            context.look("loop", done)
            asking.follow(few)
        for (state, id, of), actions in zip(some, told_by, strict=True):
            done += 1
            context.look("loop", done)
            yield from course_faults(asking, state, (id,), of, seen, actions)


def vocabulary_scenes(context: Context) -> Iterator[tuple[State, str]]:
    """A position for each name of an ability, with all that it could act on."""
    classic = context.edition == "classic"
    cast = tuple("ab") if classic else tuple("absdygh")
    for form in terse(forms(abilities())):
        spell = form.text.startswith("spell(")
        if spell and classic:
            continue
        holder = "s" if spell else "a"
        some = tuple(id for id in cast if id != "s" or spell)
        state = built(_draft(some, holder, form.text, form.laid), context.edition)
        if state is not None:
            yield state, holder


def _draft(cast: tuple[str, ...], holder: str, text: str, laid: bool) -> Draft:
    from pyengine.audit.drafts import Ability

    return Draft(cast, (Ability(holder, text, laid),))


def course_faults(
    asking: Asking,
    state: State,
    ids: Sequence[str],
    kinds: Sequence[Kind],
    seen: set[Any],
    actions: Sequence[Action] | None = None,
    of_these: Callable[[Callable[[State], bool]], bool] = lambda holds: True,
) -> Iterator[Finding]:
    """The faults of what the cards of a position can do, each once.

    Args:
        asking: whom to ask.
        state: the position.
        ids: the cards that it is about.
        kinds: their kinds, to be named.
        seen: what has been found already.
        actions: what they can do, if it is known.
        of_these: given what tells whether a position shows a fault, whether it is a fault of them.
    """
    if actions is None:
        actions = telling(state, asking.legal(state), ids)
    for action in actions:
        asking.context.look("loop", len(seen))
        try:
            faults, shown = _faults(asking, state, action)
        except LimitError:
            continue
        for fault in faults:
            key = (fault, tuple(kind.id for kind in kinds), action.verb)
            if key in seen:
                continue
            seen.add(key)
            if not of_these(partial(shows_fault, asking, action, fault)):
                continue
            finding = _course(asking, shown, action, fault, kinds)
            if finding is not None:
                yield finding


def _faults(asking: Asking, state: State, action: Action) -> tuple[list[Fault], State]:
    """The faults of a declaration, and the position that shows them: one of less, if need be."""
    faults = list(asking.faults(state, action))
    if faults or asking.outcomes(state, action) != []:
        return faults, state
    for less in lesser(state, action):
        if action in asking.engine.legal_actions(less) and asking.outcomes(less, action) != []:
            return list(asking.faults(less, action)), less
    leave(asking, state, action)
    return [], state


def lesser(state: State, action: Action) -> Iterator[State]:
    """Positions to ask of where too many ways lead on from a declaration.

    Without all that it does not name and that has no text; if there is no such, with the text of
    one card that it names.
    """
    less = _bare(state, action)
    if less is not None:
        yield less
        return
    named = [card for card in state.cards if card.id in action.args]
    texts = [effect.card for effect in state.effects]
    for chosen in named:
        others = [card for card in named if card is not chosen]
        if not any(card.abilities or card.id in texts for card in others):
            continue
        plain = {card.id: replace(card, kind=None, abilities=()) for card in others}
        cards = tuple(plain.get(card.id, card) for card in state.cards)
        effects = tuple(effect for effect in state.effects if effect.card not in plain)
        yield replace(state, cards=cards, effects=effects)


def leave(asking: Asking, state: State, action: Action) -> None:
    """Says that too many ways lead on from a declaration."""
    texts = dict.fromkeys(text for card in state.cards for text in card.abilities)
    texts |= dict.fromkeys(effect.ability for effect in state.effects)
    asking.context.leave("left_ways", action=action, texts=", ".join(texts))


def shows_fault(asking: Asking, action: Action, fault: Fault, state: State) -> bool:
    """Whether a declaration is legal in a position and at fault in the same way."""
    asking.context.go_on()
    try:
        return action in asking.engine.legal_actions(state) and any(
            (each.code, each.what) == (fault.code, fault.what)
            for each in asking.faults(state, action)
        )
    except PyengineError:
        return False


def _course(
    asking: Asking, state: State, action: Action, fault: Fault, kinds: Sequence[Kind]
) -> Finding | None:
    holds = partial(shows_fault, asking, action, fault)
    small = minimised(bared(state, action, holds), holds)
    if not asking.context.confirmed(fault.code, partial(holds, State.from_json(small.to_json()))):
        return None
    cards = tuple(sorted({kind.id for kind in kinds}))
    # what no card says is no error yet
    severity: Severity = "error" if kinds and fault.what != "cut" else "warning"
    return Finding(
        fault.code,
        severity,
        told(f"{fault.code}_{fault.what}", action=action),
        told(f"settle_{fault.code}"),
        fault.rules,
        cards,
        Witness(small, action),
        card_places(asking.context, *cards),
    )


def bared(state: State, action: Action, holds: Callable[[State], bool]) -> State:
    """The position without all that a declaration does not name and that has no text, at once."""
    less = _bare(state, action)
    return less if less is not None and holds(less) else state


def _bare(state: State, action: Action) -> State | None:
    kept = tuple(
        card
        for card in state.cards
        if card.id in action.args or card.abilities or card.kind is not None
    )
    less = replace(state, cards=kept)
    return less if len(kept) < len(state.cards) and sound(less) else None


# --- order ---------------------------------------------------------------------------------------

_ATTACK = Action("attack", ("a", "b"))
# so many kinds, and so many pairs of abilities, are one part of a search
_KINDS, _BLOWS = 16, 110
# words for what depends on no date: abilities that act by themselves on numbers and on wounds
_ON_BLOWS = (
    "armor", "scales", "prevent", "protection", "no_wounds", "wounds_only", "redirect",
    "strike_mod", "strike_becomes", "mod", "is", "wounds_become", "wound_mod", "vulnerability",
    "superiority", "first_strike", "last_strike", "vampirism", "instead", "gain", "lose", "might",
)  # fmt: skip


def _order_parts(context: Context) -> list[tuple[Any, ...]]:
    """Some kinds for each part, by their ids, or some pairs of abilities."""
    parts: list[tuple[Any, ...]] = [part for part in _kind_parts(context) if part]
    if context.author.kinds or context.edition == "classic":
        return parts
    return [*parts, *map(tuple, chunks(_on_blows(), _BLOWS))]


@search("order", parts=_order_parts, long=True)
def order(context: Context, part: Sequence[Any]) -> Iterator[Finding]:
    """Two effects on one card, and two abilities printed on it, in either order."""
    asking = Asking(context)
    asked: list[_Exchange] = []
    kinds = [context.kinds[each] for each in part if isinstance(each, str)]
    own: list[tuple[State, list[State], tuple[Kind, ...]]] = [
        (state, [other for other, _ in exchanged(state)], (kind,))
        for kind in kinds
        if sum(not _used(text) for text in kind.abilities) > 1
        for state in alone(kind, context.edition)
    ]
    both = [
        (_bearing(pair[0], pair[1], printed), _bearing(pair[1], pair[0], printed))
        for pair in part
        if not isinstance(pair, str)
        for printed in (False, True)
    ]
    whole = [state for pair in both for state in pair]
    asking.judge([*whole, *(each for one, others, _ in own for each in (one, *others))])
    for state, others, of in own:
        actions = telling(state, asking.legal(state), ("x",))
        asked += [(action, state, others, of) for action in actions]
    asked += [(_ATTACK, state, [other], ()) for state, other in both]
    seen: set[Any] = set()
    large = yield from _orders(asking, asked, seen)
    # with less on the table fewer ways lead on
    asked = [
        (action, less, [other for other, _ in exchanged(less)], of)
        for action, state, _, of in large
        for less in lesser(state, action)
    ]
    asking.judge([each for _, one, others, _ in asked for each in (one, *others)])
    for action, state, _, _ in (yield from _orders(asking, asked, seen)):
        leave(asking, state, action)


# a declaration, its position before and after exchanges, and of which kinds it is
_Exchange = tuple[Action, State, list[State], tuple[Kind, ...]]


def _orders(
    asking: Asking, asked: Sequence[_Exchange], seen: set[Any]
) -> Generator[Finding, None, list[_Exchange]]:
    """The faults of these; returned are those from which too many ways lead on."""
    large = []
    for done, some in enumerate(chunks(asked, _AT_ONCE // 2)):
        asking.context.look("order", done * _AT_ONCE // 2, len(asked))
        asking.follow((each, act) for act, one, others, _ in some for each in (one, *others))
        for each in some:
            action, state, others, of = each
            ends = _ends(asking, state, action)
            if ends == frozenset():
                large.append(each)
            # of the vocabulary all is exchanged at once, and what that does not change is no fault
            elif of or ends != _ends(asking, others[0], action):
                yield from order_faults(asking, state, action, of, seen)
    return large


def _on_blows() -> Iterator[tuple[str, str]]:
    """Two abilities that act on blows: of each name with each other, and with another number."""
    first: dict[str, str] = {}
    for text in abilities():
        head = text.partition("(")[0]
        if head in _ON_BLOWS:
            known = first.setdefault(name_of(text) if head in ("is", "mod") else head, text)
            if known != text and re.sub(r"-?[0-9]+", "N", known) == re.sub(r"-?[0-9]+", "N", text):
                yield known, text
    yield from combinations(first.values(), 2)


def _bearing(first: str, second: str, printed: bool) -> State:
    """Attacker and target with both abilities."""
    state = built(Draft(("a", "b")), "heroes")
    assert state is not None
    if printed:
        cards = tuple(replace(card, abilities=(first, second)) for card in state.cards)
        return replace(state, cards=cards)
    laid = [(id, text) for id in ("a", "b") for text in (first, second)]
    effects = [
        Effect(id, text, state.card(id).controller, place)
        for place, (id, text) in enumerate(laid, 1)
    ]
    return replace(state, effects=tuple(effects))


# positions in which two things have changed places, with their names
Exchanges = Callable[[State], Iterator[tuple[State, tuple[str, str]]]]


def showing(state: State, *ids: str) -> bool:
    """Whether these cards are still there."""
    return set(ids) <= {card.id for card in state.cards}


def exchanged(state: State) -> Iterator[tuple[State, tuple[str, str]]]:
    """The position with two effects of a card, two of its abilities or two dates swapped."""
    for one, two in combinations(range(len(state.effects)), 2):
        first, second = state.effects[one], state.effects[two]
        if first.card == second.card and first.since != second.since:
            effects = list(state.effects)
            effects[one] = replace(first, since=second.since)
            effects[two] = replace(second, since=first.since)
            yield replace(state, effects=tuple(effects)), (first.ability, second.ability)
    for place, card in enumerate(state.cards):
        for one, two in combinations(range(len(card.abilities)), 2):
            pair = card.abilities[one], card.abilities[two]
            # the number of what is used says which it is: another place is another declaration
            if pair[0] == pair[1] or any(_used(text) for text in pair):
                continue
            texts = list(card.abilities)
            texts[one], texts[two] = texts[two], texts[one]
            other = replace(card, kind=None, abilities=tuple(texts))
            cards = (*state.cards[:place], other, *state.cards[place + 1 :])
            yield replace(state, cards=cards), pair
    dated = [card for card in state.cards if card.since]
    for card, other in combinations(dated, 2):
        swap = {
            card.id: replace(card, since=other.since),
            other.id: replace(other, since=card.since),
        }
        cards = tuple(swap.get(each.id, each) for each in state.cards)
        yield replace(state, cards=cards), (card.name, other.name)


def _used(text: str) -> bool:
    return text.startswith(("use(", "spell("))


def order_faults(
    asking: Asking,
    state: State,
    action: Action,
    kinds: Sequence[Kind],
    seen: set[Any],
    exchanges: Exchanges | None = None,
    of_these: Callable[[Callable[[State], bool]], bool] = lambda holds: True,
) -> Iterator[Finding]:
    """The exchanges in a position that change what a declaration comes to; None: all there are."""
    exchanges = exchanges or exchanged
    ends = _ends(asking, state, action)
    if ends == frozenset():
        leave(asking, state, action)
    if not ends:
        return
    for other, pair in exchanges(state):
        key = ("order", tuple(sorted(pair)), tuple(kind.id for kind in kinds))
        theirs = _ends(asking, other, action)
        if key in seen or not theirs or theirs == ends:
            continue
        settled = asking.latest(state) or asking.latest(other)
        if settled and not asking.context.options.everything:
            continue
        seen.add(key)
        holds = partial(_differs, asking, action, pair, settled, exchanges)
        if not of_these(holds):
            continue
        finding = _ordered(asking, state, action, pair, kinds, settled, holds)
        if finding is not None:
            yield finding


def _differs(
    asking: Asking, action: Action, pair: tuple[str, str], settled: bool, exchanges: Exchanges,
    state: State,
) -> bool:  # fmt: skip
    """Whether a declaration comes out otherwise in a position if this pair changes places."""
    asking.context.go_on()
    try:
        ends = _ends(asking, state, action)
        return ends is not None and any(
            swapped == pair
            and _ends(asking, other, action) not in (None, frozenset(), ends)
            and (asking.latest(state) or asking.latest(other)) == settled
            for other, swapped in exchanges(state)
        )
    except PyengineError:
        return False


def _ordered(
    asking: Asking, state: State, action: Action, pair: tuple[str, str], kinds: Sequence[Kind],
    settled: bool, holds: Callable[[State], bool],
) -> Finding | None:  # fmt: skip
    small = minimised(state, holds)
    if not asking.context.confirmed("order", partial(holds, State.from_json(small.to_json()))):
        return None
    cards = tuple(sorted({kind.id for kind in kinds}))
    parts = {"first": pair[0], "second": pair[1], "action": action}
    text: Words = told("order_settled" if settled else "order", **parts)
    return Finding(
        "order",
        "note" if settled else "warning",
        text,
        told("settled_already" if settled else "settle_order"),
        ("524.1",) if settled else (),
        cards,
        Witness(small, action),
        card_places(asking.context, *cards),
    )


def _ends(asking: Asking, state: State, action: Action) -> frozenset[Any] | None:
    """What a declaration ends in, dates and places aside; nothing: too much to look through.

    None if it is illegal or has no end.
    """
    if asking.illegal(state, action):
        return None
    try:
        found = asking.outcomes(state, action)
    except PyengineError:
        return None
    if found is None:
        return None
    return frozenset(_undated(each.state) for each in found)


def _undated(state: State) -> Any:
    cards = tuple(
        replace(card, since=0, kind=None, abilities=tuple(sorted(card.abilities)))
        for card in state.cards
    )
    effects = tuple(sorted((e.card, e.ability, e.spent, str(e.until)) for e in state.effects))
    return replace(state, cards=cards, effects=()), effects
