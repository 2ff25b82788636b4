"""Carries a declaration through to the next decision: one solve a step.

What a step does is in the rules. This file only shuttles: it hands the rules one item with the
position, applies the changes they derive, remembers what they ask to be remembered, and follows
every answer set, since each is one way the step can go. See ``rules/vocabulary.lp``, "Out: a step".
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import clingo

from pyengine import documents, facts, limits
from pyengine.faults import Message
from pyengine.keeping import keep
from pyengine.model import (
    Card,
    Choice,
    ChoiceError,
    Effect,
    Fork,
    LimitError,
    Outcome,
    Pending,
    State,
    Step,
)
from pyengine.questions import Question, asked_of, block
from pyengine.solving import CALLED_ON, Answer, Program, Row, solve

Trigger = tuple[str, str, str]  # key, player, item
_KEPT = 4096  # positions of which it is kept whether somebody has to leave play


@dataclass(frozen=True, slots=True)
class Course:
    """A position in the middle of things: what is still to be done, and what waits in the Queue.

    ``gone``: abilities of effects that have ended since; what they began may not be over. All that
    is left to do speaks of is there or in the position, so it tells no course from another.
    ``mark``: how it is told from others that are followed together.
    """

    state: State
    agenda: tuple[str, ...] = ()
    fresh: tuple[Trigger, ...] = ()
    moments: tuple[tuple[Trigger, ...], ...] = ()
    later: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    halted: bool = False
    gone: tuple[str, ...] = field(default=(), compare=False)
    mark: facts.Mark = facts.ALONE

    @property
    def done(self) -> bool:
        """Nothing is left to do: a player must decide, or the game is over."""
        return self.halted or self.state.result is not None


@dataclass(frozen=True, slots=True)
class Branch:
    """One way a step can go.

    ``lot`` is what chance decided, if it decided something, and ``chance`` in how many ways.
    """

    course: Course
    choices: tuple[Choice, ...]
    steps: tuple[Step, ...]
    lot: str = ""
    chance: int = 1


def question(course: Course, number: int = 0, look: bool = True) -> tuple[Course, str]:
    """The item that comes next as facts of the step with that number, and the course without it.

    ``look``: ask first who has to leave play.
    """
    moments: tuple[tuple[Trigger, ...], ...] = ()
    if course.agenda:
        item, course = course.agenda[0], replace(course, agenda=course.agenda[1:])
    elif course.fresh or course.moments:
        item, moments = "idle", waiting(course)
    elif course.later:
        item, course = course.later[0], replace(course, later=course.later[1:])
    else:
        item = "idle"
    lines = [f"now({number},{item}).about({number},{facts.name(course.state.active)})."]
    lines.extend(
        f"noted({number},{m},{k},{player},{text})."
        for m, moment in enumerate(moments)
        for k, (_, player, text) in enumerate(moment)
    )
    lines.extend(f"kept({number},{text})." for text in course.kept)
    if look:
        lines.append(f"at({number}).")
    return course, "\n".join(lines)


def waiting(course: Course) -> tuple[tuple[Trigger, ...], ...]:
    """The moments of the Queue, the oldest first: what was noted last counts as one, too."""
    return (*course.moments, course.fresh) if course.fresh else course.moments


def branches(
    rules: Program, course: Course, extra: str = "", shown: frozenset[str] = frozenset()
) -> tuple[list[Answer], list[Branch]]:
    """Every way the next step of a course can go; ``shown``: what is asked beside the step."""
    nothing = idle(course)
    rest, asked = question(course, look=False)
    calm = asked_of(course.state, asked + extra, gone=course.gone)
    looking = Question(calm.position, block(f"{asked}{extra}at(0)."))
    # as functions what did not change costs nothing, so this is not asked by itself
    whole = looking if rules.functions or settles(rules, looking) else calm
    answers = solve(rules, whole, shown=rules.steps | shown)
    return answers, [branch(rest, answer, nothing) for answer in answers]


_SETTLES = frozenset({"settles/1"})
AUTOMATIC = "automatic"  # the moment of a phase that goes by itself


def settles(rules: Program, looking: Question) -> bool:
    """Whether somebody has to leave play before anything else.

    Most steps change nothing that this depends on, so an answer is kept with the facts that its
    rules look at.
    """
    slice = rules.slice(looking, _SETTLES, sure=True, wide=True)
    facts = rules.atoms(looking, slice)
    known = rules.settled.get(facts)
    if known is None:
        answers = solve(rules, looking, shown=_SETTLES, sure=True)
        somebody = any(answer["settles"] for answer in answers)
        known = keep(rules.settled, facts, somebody, _KEPT)
    return known


def player_called(rules: Program, state: State) -> tuple[str, str] | None:
    """Whose candidates are judged in a position, and in which moment (base.turn, CONTRACT 2).

    The moment is `main`, `defence`, or `automatic` in a phase in which nobody must decide. None:
    the game is over. An answer is kept with the few facts that its rules look at: working it out
    takes as long as writing down the position.
    """
    asked = asked_of(state)
    if rules.functions:
        return called_on(rules, asked)
    known = rules.atoms(asked, rules.slice(asked, CALLED_ON, sure=True, wide=True))
    if known not in rules.called:
        return keep(rules.called, known, called_on(rules, asked), _KEPT)
    return rules.called[known]


def called_on(rules: Program, asked: Question) -> tuple[str, str] | None:
    """What ``player_called`` says of a position of which nothing else is asked; nothing is kept."""
    (answer,) = solve(rules, asked, shown=CALLED_ON, sure=True)
    found = sorted((facts.unname(player), moment) for player, moment in answer.texts("called_on"))
    return found[0] if found else None


def mover(rules: Program, state: State) -> str | None:
    """The player who must decide in a position (base.turn); None: nobody."""
    found = player_called(rules, state)
    return None if found is None or found[1] == AUTOMATIC else found[0]


def idle(course: Course) -> bool:
    """Whether nothing is left to do but to see what the rules do by themselves."""
    return not (course.agenda or course.fresh or course.moments or course.later)


def branch(rest: Course, answer: Answer, nothing: bool) -> Branch:
    """The way that one answer set has a step go; ``nothing``: there was nothing left to do."""
    way = follow(rest, answer)
    if nothing and not answer["settles"] and not answer["notes"]:
        way = replace(way, course=replace(way.course, halted=True))
    return way


def follow(course: Course, answer: Answer) -> Branch:
    """The course after a step, as one answer set has it."""
    state = changed(course.state, answer, course.mark)
    notes = tuple(sorted((str(k), str(p), str(item)) for _, k, p, item in answer["notes"]))
    fresh, moments = course.fresh, course.moments
    if answer["settles"]:
        fresh = tuple(sorted((*fresh, *notes)))
    else:
        moments = waiting(course)
        for _, moment, place in answer["serving"]:
            m, k = moment.number, place.number
            left = moments[m][:k] + moments[m][k + 1 :]
            moments = (*moments[:m], *((left,) if left else ()), *moments[m + 1 :])
        fresh = notes
    agenda = [str(item) for _, item in sorted((k.number, str(x)) for _, k, x in answer["next"])]
    later = [str(item) for _, item in sorted((k.number, str(x)) for _, k, x in answer["later"])]
    after = Course(
        state,
        (*agenda, *course.agenda),
        fresh,
        moments,
        (*later, *course.later),
        tuple(sorted(str(x) for _, x in answer["keeps"])),
        bool(answer["halts"]),
        _gone(course, answer),
        course.mark,
    )
    if after.gone and idle(after):
        after = replace(after, gone=())
    lot, chance = "", 1
    choices = []
    for _, picked in answer["picks"]:
        drawn = [row for row in answer["chance"] if row[2] == picked]
        if drawn:
            lot, chance = str(picked), drawn[0][3].number
            options = answer["chance"]
        else:
            options = [row for row in answer["option"] if row[1] == _player_of(answer, picked)]
        if len(options) > 1:
            player = None if drawn else facts.unname(str(options[0][1]))
            rule = drawn[0][1].string if drawn else options[0][2].string
            texts = tuple(shown(course, row[2 if drawn else 3]) for row in options)
            choices.append(Choice(player, rule, texts, shown(course, picked)))
    return Branch(after, tuple(choices), tuple(steps(answer)), lot, chance)


def _gone(course: Course, answer: Answer) -> tuple[str, ...]:
    """The abilities of ended effects, those of this step too, that say what is to be done."""
    ended = {
        course.state.effects[course.mark.place(row[1].number) - 1].ability for row in answer["ends"]
    }
    return tuple(sorted({*course.gone, *filter(facts.acts, ended)}))


def _player_of(answer: Answer, picked: clingo.Symbol) -> clingo.Symbol:
    return next(row[1] for row in answer["option"] if row[3] == picked)


def steps(answer: Answer) -> Iterator[Step]:
    """The trace of one step, in the order that the rules give."""
    rows = sorted(
        (place, [str(part) for part in row[2:]], identity)
        for row in answer["step"]
        for place, identity in [_placed(row[1])]
    )
    for _, (kind, rule, by, what, value), _ in rows:
        yield Step(
            kind,
            rule.strip('"'),
            None if by == "null" else facts.unname(by),
            facts.plain(what),
            None if value == "null" else int(value),
        )


def _placed(place: clingo.Symbol) -> tuple[int, str]:
    """The place of a step in its order, and what tells it from others that say the same."""
    if place.type is clingo.SymbolType.Number:
        return place.number, ""
    return place.arguments[0].number, str(place.arguments[1])


def shown(course: Course, option: clingo.Symbol) -> str:
    """An option as a reader meets it: abilities by their text, triggers by their card."""
    head, args = option.name, option.arguments
    if head in ("apply", "let", "use"):
        card, origin = args[0], args[1]
        texts = [facts.unname(str(card)), ability_at(course, card, origin)]
        # `use` names the card the wounds lie on, and the first one if they came from another
        texts += dict.fromkeys(facts.unname(str(arg)) for arg in reversed(args[2:]))
        return f"{head}({','.join(texts)})"
    if head == "way":
        return _way_text(args[0], args[1])
    if head == "trigger":
        return facts.trigger_text(waiting(course)[args[0].number][args[1].number][2])
    return facts.plain(str(option))


@lru_cache(maxsize=256)
def _way_text(way: clingo.Symbol, effect: clingo.Symbol) -> str:
    return f"way({','.join(way_chosen(way, effect))})"  # asked for every way of every answer


def way_chosen(way: clingo.Symbol, effect: clingo.Symbol) -> Iterator[str]:
    """The branches of that way to carry out an effect, each followed by what it does."""
    while way.arguments:
        choice, way = way.arguments
        number, branch = choice.arguments
        yield branch.name
        yield from facts.branches(effect, number.number, branch.name)


def ability_at(course: Course, card: clingo.Symbol, origin: clingo.Symbol) -> str:
    """The text of the ability with that origin on that card."""
    state = course.state
    if origin.name == "printed":
        return state.card(facts.unname(str(card))).abilities[origin.arguments[0].number - 1]
    if origin.name == "laid":
        return state.effects[course.mark.place(origin.arguments[0].number) - 1].ability
    if origin.name == "granted":
        return ability_at(course, *origin.arguments)
    return ability_at(course, card, origin.arguments[0])


# --- applying what a step derived ------------------------------------------------------------

_MARKS = {"closed", "acted", "defended", "attacked", "hidden"}
_NUMBERS = {"wounds", "extra_life", "entered", "since", "moved", "chips", "arrived"}


def changed(state: State, answer: Answer, own: facts.Mark = facts.ALONE) -> State:
    """The position with every change of one answer set."""
    cards: dict[str, dict[str, Any]] = {}
    places: list[tuple[str, str]] = []
    players: dict[str, dict[str, Any]] = {}
    game: dict[str, Any] = {}
    counts: dict[int, int] = {}
    spent: dict[str, dict[str, int]] = {}
    for _, what, mark, value in answer["becomes"]:
        attribute = "classes" if mark.name == "class" else mark.name
        # the id of a card may be a string
        head = what.name if what.type is clingo.SymbolType.Function else ""
        if head == "game" and not what.arguments:
            game[attribute] = value
        elif head == "effect" and what.arguments:
            counts[own.place(what.arguments[0].number)] = value.number
        elif head == "spent" and what.arguments:
            card, ability, rank = what.arguments
            key = facts.decode(str(ability)) + (f"#{rank.number}" if rank.number > 1 else "")
            spent.setdefault(facts.unname(str(card)), {})[key] = value.number
        else:
            id = facts.unname(str(what))
            if attribute in ("coins", "coins_total", "missed", "drawn", "attacks", "known_top"):
                players.setdefault(id, {})[attribute] = value.number
            elif attribute == "deck_order":
                players.setdefault(id, {})[attribute] = value.name
            elif attribute == "deck_place":
                places.append((id, value.name))
            else:
                cards.setdefault(id, {})[attribute] = _value(attribute, value)
    # of a shuffled deck nothing is known, unless this very step says so
    for marks in players.values():
        if marks.get("deck_order") == "unknown":
            marks.setdefault("known_top", 0)
    ended = {own.place(row[1].number) for row in answer["ends"]}
    cleared = {facts.unname(str(row[1])) for row in answer["clears"]}
    deck = state.cards
    if cards or spent or cleared:
        deck = tuple(
            _card(card, cards.get(card.id), spent.get(card.id), card.id in cleared)
            for card in state.cards
        )
    for _, new, kind, player in answer["creates"]:
        deck = (*deck, facts.created(state, _text(kind), _text(new), _text(player)))
    for id, marks in players.items():
        if marks.get("deck_order") == "unknown":
            deck = facts.shuffled(deck, id)
    for id, place in places:
        deck = facts.placed(deck, id, place)
    return replace(
        state,
        cards=deck,
        players=tuple((id, replace(p, **players.get(id, {}))) for id, p in state.players),
        effects=_effects(state, ended, counts, answer["lays"], answer["fills"]),
        **_game(state, game),
    )


def _text(symbol: clingo.Symbol) -> str:
    return facts.unname(str(symbol))


def _value(attribute: str, value: clingo.Symbol) -> Any:
    if attribute in _MARKS:
        return value.name == "true"
    if attribute in _NUMBERS:
        return value.number
    if attribute == "cell":
        return tuple(place.number for place in value.arguments)
    if attribute in ("element", "classes"):
        return () if value.name == "neutral" else (_text(value),)
    return facts.unname(str(value))


def _card(
    card: Card, marks: dict[str, Any] | None, spent: dict[str, int] | None, clear: bool
) -> Card:
    if clear:
        zone = (marks or {}).get("zone", card.zone)
        return facts.bare(card, zone)
    if marks:
        card = replace(card, **marks)
    if spent:
        left = dict(card.spent) | spent
        card = replace(card, spent=tuple(sorted((k, n) for k, n in left.items() if n)))
    return card


def _effects(
    state: State, ended: set[int], counts: dict[int, int], laid: list[Row], fills: list[Row]
) -> tuple[Effect, ...]:
    if not (ended or counts or laid):
        return state.effects
    out = []
    for number, effect in enumerate(state.effects, start=1):
        if number not in ended:
            if number in counts:
                effect = replace(effect, spent=counts[number])
            out.append(effect)
    blanks: dict[str, dict[int, list[str]]] = {}
    for _, ability, blank, value in fills:
        blanks.setdefault(str(ability), {}).setdefault(blank.number, []).append(_text(value))
    moment = facts.next_moment(state)
    for place, row in enumerate(sorted(laid, key=lambda row: str(row[1]))):
        _, _, card, ability, source, player, until = row
        out.append(
            Effect(
                facts.unname(str(card)),
                facts.filled(facts.decode(str(ability)), blanks.get(str(ability), {})),
                facts.unname(str(player)),
                moment + place,
                None if str(source) == "null" else facts.unname(str(source)),
                0,
                until.number if until.type is clingo.SymbolType.Number else until.name,
            )
        )
    return tuple(out)


def _game(state: State, marks: dict[str, clingo.Symbol]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for mark, value in marks.items():
        if mark == "turn":
            out["turn"] = value.number
        elif mark == "pending":
            if value.name == "pair":
                attacker, target = (facts.unname(str(x)) for x in value.arguments)
                out["pending"] = Pending(attacker, target)
            else:
                out["pending"] = None
        elif mark == "defender":
            assert state.pending is not None
            out["pending"] = replace(state.pending, defender=facts.unname(str(value)))
        else:
            out[mark] = facts.unname(str(value))
    return out


# --- all outcomes ------------------------------------------------------------------------------


def outcomes(rules: Program, first: list[Branch]) -> list[Outcome]:
    """Every outcome, each resulting position once, with the choices that come first.

    Positions that are reached in two ways are followed once. A course that comes back to itself
    is cut before its first repetition. LimitError: there are too many, or there is none.
    """
    with limits.question() as budget:
        return gathered(_followed(rules, first, budget), first)


def gathered(followed: Followed, first: list[Branch]) -> list[Outcome]:
    """The outcomes of what was followed to its ends. LimitError: there are none."""
    found, seen = followed
    if not found:
        raise LimitError(Message("endless"))
    if any(branch.lot for step in (first, *seen.values()) for branch in step):
        ways = throws(first, seen)
        return [replace(outcome, ways=ways[same]) for same, outcome in found.items()]
    return list(found.values())


def _followed(rules: Program, first: list[Branch], budget: limits.Budget) -> Followed:
    """What comes of these ways, one step after another."""
    walk = following(first, budget)
    try:
        course = next(walk)
        while True:
            course = walk.send(branches(rules, course)[1])
    except StopIteration as end:
        followed: Followed = end.value
        return followed


def following(
    first: list[Branch], budget: limits.Budget
) -> Generator[Course, list[Branch], Followed]:
    """Asks for the ways that each course on the way goes on; several may be followed side by side.

    Returns:
        The outcomes by their position, and the ways that every step on the way to them can go.
    """
    found: dict[Sameness, Outcome] = {}
    seen: dict[Course, list[Branch]] = {}
    stack: list[tuple[Course, tuple[Choice, ...], tuple[Step, ...]]] = [
        (b.course, b.choices, b.steps) for b in reversed(first)
    ]
    while stack:
        course, choices, trace = stack.pop()
        if course.done:
            final = ending(course)
            same = sameness(final)
            if same not in found:
                found[same] = Outcome(final, choices, trace)
                budget.count("outcomes", len(found))
            continue
        if course in seen:
            continue
        budget.count("steps", len(seen) + 1)
        seen[course] = yield course
        for branch in reversed(seen[course]):
            stack.append((branch.course, choices + branch.choices, trace + branch.steps))
    return found, seen


def ending(course: Course) -> State:
    """The position that a course ends in."""
    final = course.state
    return final if final.result is None else replace(final, pending=None)


Sameness = tuple[State, tuple[tuple[str, ...], ...]]
Followed = tuple[dict[Sameness, Outcome], dict[Course, list[Branch]]]


def sameness(state: State) -> Sameness:
    """What two equal positions have in common, in whatever order their cards are listed.

    Only the order of a deck says something, as far as it is known.
    """
    decks = []
    for id, player in state.players:
        deck = tuple(card.id for card in state.cards if card.zone == "deck" and card.owner == id)
        decks.append(deck if player.deck_order == "known" else deck[: player.known_top])
    cards = tuple(sorted(state.cards, key=lambda card: card.id))
    return replace(state, cards=cards), tuple(decks)


def throws(first: list[Branch], steps: dict[Course, list[Branch]]) -> dict[Sameness, int]:
    """How many throws or draws lead to each final position.

    They multiply along a course and add up over what chance can bring. Where a player chooses,
    a throw counts once, whatever the player could do with it.
    """
    totals: dict[Course, dict[Sameness, int]] = {}

    def total(ways: list[Branch]) -> dict[Sameness, int]:
        lots: dict[str, tuple[int, dict[Sameness, int]]] = {}
        for branch in ways:
            course = branch.course
            done = course.done
            found = {sameness(ending(course)): 1} if done else totals.get(course, {})
            if len(ways) == 1 and branch.chance == 1:
                return found
            _, best = lots.setdefault(branch.lot, (branch.chance, {}))
            for state, n in found.items():
                best[state] = max(n, best.get(state, 0))
        out: dict[Sameness, int] = {}
        for chance, best in lots.values():
            for state, n in best.items():
                out[state] = out.get(state, 0) + chance * n
        return out

    # what comes later is worked out first; a course that comes back to itself adds nothing
    met: set[Course] = set()
    stack = [(branch.course, False) for branch in first]
    while stack:
        course, ready = stack.pop()
        if ready:
            totals[course] = total(steps[course])
        elif course not in met and not course.done:
            met.add(course)
            stack.append((course, True))
            stack.extend((branch.course, False) for branch in steps[course])
    return total(first)


# --- one outcome -------------------------------------------------------------------------------


def unfold(
    rules: Program, course: Course, first: list[Branch], decide: Callable[[Fork], int]
) -> Outcome:
    """One outcome: at every fork on the way the branch that ``decide`` takes, by its number.

    What leads back to where this course has been already is not offered.
    """
    with limits.question() as budget:

        def unhurried(fork: Fork) -> int:
            with budget.paused():
                return decide(fork)

        return _course(rules, course, first, unhurried, budget)


def _course(
    rules: Program,
    course: Course,
    first: list[Branch],
    decide: Callable[[Fork], int],
    budget: limits.Budget,
) -> Outcome:
    # by what there was still to do: that seldom comes again, and positions are long to compare
    been = {rest_of(course): [course.state]}
    met = 1
    ways, number = first, 1
    choices: tuple[Choice, ...] = ()
    trace: tuple[Step, ...] = ()
    while True:
        onward = [way for way in ways if way.course.state not in been.get(rest_of(way.course), ())]
        if not onward:
            raise LimitError(Message("endless"))
        branch = taken(onward, course.state, decide)
        course = branch.course
        choices, trace = choices + branch.choices, trace + branch.steps
        number *= branch.chance
        if course.done:
            return Outcome(ending(course), choices, trace, number)
        been.setdefault(rest_of(course), []).append(course.state)
        met += 1
        budget.count("steps", met)
        _, ways = branches(rules, course)


def rest_of(course: Course) -> tuple[object, ...]:
    """What there is still to do."""
    return (
        course.agenda, course.fresh, course.moments, course.later, course.kept, course.halted,
    )  # fmt: skip


# what is first to be done where a game begins (base.deck)
SET_UP = "set_up"


def option_of(fork: Fork, chosen: int | str) -> int:
    """The number of an option given as its number or its text; ChoiceError if it is none."""
    if isinstance(chosen, str) and chosen in fork.options:
        return fork.options.index(chosen)
    if isinstance(chosen, int) and 0 <= chosen < len(fork.options):
        return chosen
    options = ", ".join(fork.options)
    raise ChoiceError(Message("none_of", value=documents.shown(chosen), options=options), fork)


def taken(ways: list[Branch], state: State, decide: Callable[[Fork], int]) -> Branch:
    """The branch that is decided for, one choice of the step after another."""
    depth = 0
    while len(ways) > 1:
        asked = [way.choices[depth] for way in ways if depth < len(way.choices)]
        groups: dict[str, list[Branch]] = {}
        for place, way in enumerate(ways):
            # ways that look alike are told apart by their place
            told = way.choices[depth].chosen if depth < len(way.choices) else f"#{place + 1}"
            groups.setdefault(told, []).append(way)
        if asked:
            order = {option: place for place, option in enumerate(asked[0].options)}
            groups = dict(sorted(groups.items(), key=lambda group: order.get(group[0], len(order))))
        if len(groups) > 1:
            fork = Fork(
                asked[0].player if asked else state.active,
                asked[0].rule if asked else "base.queue",
                tuple(groups),
                tuple(group[0].chance for group in groups.values()),
                state,
            )
            ways = list(groups.values())[option_of(fork, decide(fork))]
        depth += 1
    return ways[0]
