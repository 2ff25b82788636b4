"""Many games advanced together: one grounding a step for all of them.

A program has its price in every grounding, so what several games are about to do is asked in one.
They do not touch there: the cards and players of each game bear its mark (`facts.Mark`) for as
long as the game lasts, and its step has a number of its own. The only choice in a step is which
option is picked (rules/queue.lp); that is settled for all games at once, option by option.

As functions (`Engine(functions=True)`) nothing has a price that could be shared. So each game is
advanced by itself, without a mark: what was found out about a card of one serves for its like in
the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

import clingo

from pyengine import facts, queue
from pyengine.engine import Engine
from pyengine.faults import Message, at
from pyengine.game import Deck, deal, thrown
from pyengine.limits import Budget, Limits, in_force, question, sound, whole
from pyengine.model import (
    Action,
    ActionError,
    ChoiceError,
    Effect,
    Fork,
    IllegalAction,
    LimitError,
    Pending,
    State,
    StateError,
)
from pyengine.questions import Question, asked_of
from pyengine.queue import option_of
from pyengine.solving import LEGAL, Answer, Program, solve
from pyengine.together import together

Choose = Callable[[int, Fork], int | str]
_TOLD = frozenset({"step/7"})  # what the trace says, which nobody is told here
_MARK = re.compile(r"vg\d+_").search
_MOST = 9000  # games: the numbers of their marks are equally long


# --- one position under a mark -------------------------------------------------------------------


def mark_of(number: int) -> facts.Mark:
    """The mark of the game with that number."""
    return facts.Mark(f"vg{number}_", str(1000 + number))


def _other(state: State, id: Callable[[str], str], ability: Callable[[str], str]) -> State:
    """The position with other ids, and abilities that name them."""
    pending = state.pending
    if pending is not None:
        defender = None if pending.defender is None else id(pending.defender)
        pending = Pending(id(pending.attacker), id(pending.target), defender)
    return replace(
        state,
        active=id(state.active),
        result=state.result if state.result in (None, "draw") else id(str(state.result)),
        players=tuple((id(player), marks) for player, marks in state.players),
        cards=tuple(
            replace(
                card, id=id(card.id), owner=id(card.owner), controller=id(card.controller),
                abilities=tuple(map(ability, card.abilities)),
                spent=tuple((ability(text), n) for text, n in card.spent),
            )
            for card in state.cards
        ),
        effects=tuple(
            Effect(
                id(effect.card), ability(effect.ability), id(effect.controller), effect.since,
                None if effect.source is None else id(effect.source), effect.spent, effect.until,
            )
            for effect in state.effects
        ),
        pending=pending,
    )  # fmt: skip


def marked(state: State, mark: facts.Mark) -> State:
    """The position with the mark before every id."""
    if not mark.name:
        return state
    ids = [*(id for id, _ in state.players), *(card.id for card in state.cards)]
    new = {id: f"{mark.name}{id}" for id in ids}
    return _other(state, lambda id: new[id], lambda text: facts.renamed(text, new))


def unmarked(state: State, mark: facts.Mark) -> State:
    """The position as it is called outside."""
    if not mark.name:
        return state
    return _other(state, mark.plain, mark.plain)


# --- the games -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Seat:
    """One of the games. ``state`` is marked; ``actions``: how many were carried out."""

    mark: facts.Mark
    seed: object
    state: State
    actions: int = 0
    legal: dict[str, Action] | None = None


@dataclass(slots=True)
class _Way:
    """A declaration that is being carried out, as ``queue.unfold`` has it.

    ``been``: the positions met, by what there was still to do in them.
    """

    course: queue.Course
    extra: str
    been: dict[tuple[object, ...], list[State]] = field(default_factory=dict)
    throws: count[int] = field(default_factory=count)
    steps: int = 0  # positions met

    def meets(self, course: queue.Course) -> bool:
        """Whether this course has been there already."""
        return course.state in self.been.get(queue.rest_of(course), ())

    def note(self) -> None:
        """Remembers where the course is now."""
        self.been.setdefault(queue.rest_of(self.course), []).append(self.course.state)
        self.steps += 1


class VectorGame:
    """Several games advanced together, each exactly as a `Game` with its seed would be.

    Finished games stay where they are until they are dealt anew. Traces are not kept; a game that
    is to be told or written down is played again by `Game` with the same seed and actions.

    >>> games = VectorGame.deal(2, seed=7)
    >>> len(games), games.results
    (2, [None, None])
    >>> results, done = games.step([actions[0] for actions in games.legal_actions()])
    >>> done
    [False, False]
    """

    def __init__(
        self, states: Iterable[State], seeds: Iterable[object], engine: Engine | None = None
    ) -> None:
        """Games from positions on, all of one edition.

        Args:
            states: where they begin.
            seeds: what chance depends on, one for each.
            engine: the judge.

        Raises:
            StateError: they are of several editions, too many, or cannot be told apart; or there
                are not as many seeds.
        """
        self.engine = engine or Engine()
        self._seats: list[_Seat] = []
        faults: list[str] = []
        starts, chances = list(states), list(seeds)
        if len(starts) != len(chances):
            parts = {"n": len(chances), "games": len(starts)}
            raise StateError([at("seeds", "few_for_games", **parts)])
        for number, (state, seed) in enumerate(zip(starts, chances, strict=True)):
            mark = self._mark(number)
            faults += [Message("games", n=number, text=fault) for fault in _faults(state)]
            self._seats.append(_Seat(mark, seed, marked(state, mark)))
        editions = sorted({seat.state.edition for seat in self._seats})
        if len(editions) > 1:
            faults.append(at("games", "several_editions", editions=", ".join(editions)))
        if len(self._seats) > _MOST:
            faults.append(at("games", "games_over", n=len(self._seats), most=_MOST))
        if faults:
            raise StateError(faults)

    @classmethod
    def deal(
        cls,
        n: int,
        seed: object = 0,
        heroes: Sequence[str | None] = (None, None),
        decks: Sequence[Deck | None] = (None, None),
        edition: str = "heroes",
        engine: Engine | None = None,
        choose: Choose | None = None,
    ) -> VectorGame:
        """New games: the K-th (from 0) is that of ``Game.deal(f"{seed}/{K}", heroes, decks)``.

        Args:
            n: how many.
            seed: decides whatever is left to chance in all of them.
            heroes: a kind each; None: one of the set.
            decks: a mapping of kinds to copies each; None: the starter deck of the hero.
            edition: the rules to play by.
            engine: the judge.
            choose: asked at each fork of a player in the opening turns, as in ``step``.

        Raises:
            StateError: there cannot be so many.
            DeckError: a deck may not be played; with all faults of both.
            ChoiceError: a choice is missing, or is no option.
        """
        whole(n=(n, 0, _MOST))
        seeds = [f"{seed}/{number}" for number in range(n)]
        engine = engine or Engine()
        states = [
            deal(each, heroes, decks, None, edition, choose and partial(choose, number), engine)[0]
            for number, each in enumerate(seeds)
        ]
        return cls(states, seeds, engine)

    def _mark(self, number: int) -> facts.Mark:
        return facts.ALONE if self.engine.functions else mark_of(number)

    def __len__(self) -> int:
        return len(self._seats)

    @property
    def seeds(self) -> list[object]:
        """What chance depends on in each."""
        return [seat.seed for seat in self._seats]

    @property
    def states(self) -> list[State]:
        """The positions now, with all that is hidden (``observed_by`` hides it)."""
        return [unmarked(seat.state, seat.mark) for seat in self._seats]

    @property
    def results(self) -> list[str | None]:
        """Who has won each, or `draw`; None: it goes on."""
        return [
            None if seat.state.result is None else seat.mark.plain(seat.state.result)
            for seat in self._seats
        ]

    @property
    def to_move(self) -> list[str | None]:
        """The player who must decide in each; None where it is over."""
        movers = [(seat, self.engine.to_move(seat.state)) for seat in self._seats]
        return [None if mover is None else seat.mark.plain(mover) for seat, mover in movers]

    def begin(self, number: int, state: State, seed: object) -> None:
        """Puts another game in the place of one, as when it is over.

        Raises:
            StateError: it is of another edition, or cannot be told from the others, or there is no
                such game.
        """
        if not 0 <= number < len(self._seats):
            most = len(self._seats) - 1
            text = Message("not_from_to", name="number", number=number, least=0, most=most)
            raise StateError([text])
        faults = _faults(sound(state))
        if state.edition != self._seats[number].state.edition:
            faults.append(at("edition", "edition_of_others", edition=state.edition))
        if faults:
            raise StateError(faults)
        mark = self._seats[number].mark
        self._seats[number] = _Seat(mark, seed, marked(state, mark))

    def legal_actions(self) -> list[list[Action]]:
        """What the player to move may declare in each, sorted by text; nothing where it is over."""
        self._judge()
        return [list((seat.legal or {}).values()) for seat in self._seats]

    def _judge(self) -> None:
        """Works out what is legal where that is not known."""
        asked = {}
        for number, seat in enumerate(self._seats):
            if seat.state.result is not None:
                seat.legal = {}
            elif seat.legal is None:
                asked[number] = asked_of(seat.state, _judged(seat), mark=seat.mark)
        if not asked:
            return
        with question(self._limits(len(asked))):
            found = self._answers(asked, LEGAL)
        for number, (answer,) in found.items():
            seat = self._seats[number]
            declared = sorted(
                (_plain(facts.action_of(row[0]), seat.mark) for row in answer["legal"]), key=str
            )
            seat.legal = {str(act): act for act in declared}

    @property
    def _rules(self) -> Program:
        return self.engine.program(self._seats[0].state.edition)

    def step(
        self, actions: Sequence[Action | str | None], choose: Choose | None = None
    ) -> tuple[list[str | None], list[bool]]:
        """Carries an action out in each game, up to the next decision.

        Args:
            actions: what the player to move declares in each; None where nobody does.
            choose: asked at each fork of a player, with the number of the game; gives an option or
                its number. None: there may be no such fork. Chance is left to the seeds.

        Returns:
            The results, and whether each game is over.

        Raises:
            IllegalAction: one may not be declared; carries the verdict.
            ActionError: one is no action, or of a game that is over; with all faults.
            ChoiceError: a choice is missing, or is no option.
            LimitError: one comes to no end, or all take longer than each alone may.
            In all these cases no game has changed.
        """
        self._judge()
        ways = self._declared(actions)
        ended: dict[int, State] = {}
        by_itself = [{number: way} for number, way in ways.items()]
        with question(self._limits(len(ways))) as budget:
            for some in by_itself if self.engine.functions else [ways]:
                while some:
                    for number, branches in self._branches(some).items():
                        way = some[number]
                        if not self._goes_on(number, way, branches, choose, budget):
                            ended[number] = queue.ending(way.course)
                            del some[number]
        for number, state in ended.items():
            seat = self._seats[number]
            seat.state, seat.legal, seat.actions = state, None, seat.actions + 1
        results = self.results
        return results, [result is not None for result in results]

    def _branches(self, ways: dict[int, _Way]) -> dict[int, list[queue.Branch]]:
        """Every way in which the next step of each can go."""
        rests, asked = {}, {}
        for number, way in ways.items():
            rests[number], text = queue.question(way.course, number if way.course.mark.name else 0)
            course = way.course
            asked[number] = asked_of(
                course.state, text + way.extra, mark=course.mark, gone=course.gone
            )
        rules = self._rules
        found = self._answers(asked, rules.steps - _TOLD)
        return {
            number: [
                queue.branch(rests[number], answer, queue.idle(ways[number].course))
                for answer in answers
            ]
            for number, answers in found.items()
        }

    def _answers(
        self, asked: dict[int, Question], shown: frozenset[str]
    ) -> dict[int, list[Answer]]:
        """What the rules say to each."""
        if self.engine.functions:
            return {n: solve(self._rules, each, shown=shown) for n, each in asked.items()}
        return together(self._rules, asked, shown, owner_of)

    def _limits(self, n: int) -> Limits:
        """Those of so many questions at once; what is counted of each is bounded for each."""
        limits = self.engine.limits or in_force()
        n = max(n, 1)
        return replace(limits, seconds=limits.seconds * n, rules=limits.rules * n)

    def _declared(self, actions: Sequence[Action | str | None]) -> dict[int, _Way]:
        """How each game begins to go on."""
        faults, ways = [], {}
        if len(actions) != len(self._seats):
            faults.append(at("actions", "few_for_games", n=len(actions), games=len(self._seats)))
        for number, (seat, given) in enumerate(zip(self._seats, actions, strict=False)):
            if given is None:
                continue
            act = Action.parse(given) if isinstance(given, str) else given
            if seat.state.result is not None:
                faults.append(at(f"actions[{number}]", "game_over", action=act))
            elif seat.legal is None or str(act) not in seat.legal:
                verdict = self.engine.verdict(unmarked(seat.state, seat.mark), act)
                raise IllegalAction(verdict)
            else:
                term = facts.action_term(with_mark(act, seat.mark), seat.state)
                course = queue.Course(seat.state, (f"declare({term})",), mark=seat.mark)
                ways[number] = _Way(course, f"asked({term}).")
                ways[number].note()
        if faults:
            raise ActionError(faults)
        return ways

    def _goes_on(
        self,
        number: int,
        way: _Way,
        branches: list[queue.Branch],
        choose: Choose | None,
        budget: Budget,
    ) -> bool:
        """Takes one of the branches; False: the next decision is due."""
        seat = self._seats[number]
        onward = [branch for branch in branches if not way.meets(branch.course)]
        if not onward:
            raise LimitError(Message("endless"))

        def decide(fork: Fork) -> int:
            if fork.player is None:
                return thrown(fork, seat.seed, seat.actions, next(way.throws))
            told = Fork(
                seat.mark.plain(fork.player), fork.rule,
                tuple(map(seat.mark.plain, fork.options)), fork.ways,
                unmarked(fork.state, seat.mark),
            )  # fmt: skip
            if choose is None:
                options = ", ".join(told.options)
                parts = {"player": told.player, "rule": told.rule, "options": options}
                raise ChoiceError(Message("game_choice", n=number, **parts), told)
            with budget.paused():
                return option_of(told, choose(number, told))

        way.course, way.extra = queue.taken(onward, way.course.state, decide).course, ""
        if way.course.done:
            return False
        way.note()
        budget.count("steps", way.steps)
        return True


def _faults(state: State) -> list[str]:
    """What keeps a position from sharing a program with others."""
    out: list[str] = [
        at(f"cards.{card.id}", "name_or_kind")
        for card in state.cards
        if not (card.name or card.kind)
    ]
    ids = [*(id for id, _ in state.players), *(card.id for card in state.cards)]
    return out + [at(id, "mark_in_id") for id in ids if _MARK(id)]


def _judged(seat: _Seat) -> str:
    return f"judged({facts.name(seat.state.active)})."


def with_mark(act: Action, mark: facts.Mark) -> Action:
    """The declaration as it is called in the game with that mark."""
    args = (f"{mark.name}{arg}" if isinstance(arg, str) else arg for arg in act.args)
    return Action(act.verb, tuple(args))


def _plain(act: Action, mark: facts.Mark) -> Action:
    args = (mark.plain(arg) if isinstance(arg, str) else arg for arg in act.args)
    return Action(act.verb, tuple(args))


def owner_of(symbol: clingo.Symbol) -> int:
    """The number of the game that a shown atom is of: of its step, or of who is to act."""
    first = symbol.arguments[0]
    if first.type is clingo.SymbolType.Number:
        return first.number
    return int(first.arguments[0].name.partition("_")[0].removeprefix("vg"))
