"""The engine: what is legal, why, and what comes of it. Keep one; it keeps the parsed rules."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pyengine import facts, queue
from pyengine.batch import (
    alone,
    card_of,
    chunks,
    failure,
    judge_batch,
    judge_to_send,
    shares,
    verdicts,
)
from pyengine.cluster import MOST, run
from pyengine.documents import hint, shown
from pyengine.faults import at
from pyengine.kinds import MAX_NUMBER, near_card
from pyengine.limits import Limits, bounded, duration, limits_of, whole
from pyengine.model import (
    EDITIONS,
    Action,
    ActionError,
    Card,
    DeckVerdict,
    Explanation,
    Fork,
    IllegalAction,
    Node,
    Outcome,
    PyengineError,
    Reason,
    Sight,
    State,
    StateError,
    Values,
    Verdict,
)
from pyengine.questions import asked_of, deck_facts
from pyengine.solving import (
    DECK,
    IN_FORCE,
    JUDGED,
    LEGAL,
    SIGHT,
    Answer,
    Program,
    program,
    solve,
)

if TYPE_CHECKING:
    from pyengine.audit import Report, Scope

R = TypeVar("R")


class Engine:
    """Judges positions of every edition.

    Safe to share between threads (each question has a control of its own) and to use after fork.
    A question that exceeds the limits raises LimitError.

    Args:
        rules: a folder of chapters that stand in place of ours (the same name below it) or are
            added to them; None: ours alone.
        limits: how large a question may be and how long its answer may take; None: those in force.
        functions: carry the same rules out as Python functions where that can be done, with the
            same answers, some four times faster, and more where little of a position has changed
            since the last question; for bots. Else clingo runs all of them.

    Raises:
        StateError: there is no such folder, or no chapter in it; the limits are no ``Limits``.
    """

    def __init__(
        self,
        rules: Path | str | None = None,
        limits: Limits | None = None,
        functions: bool = False,
    ) -> None:
        self.rules = None if rules is None else _chapters(Path(rules))
        self.limits = None if limits is None else limits_of(limits)
        self.functions = functions
        # what was found legal last, and where
        self._found: tuple[State, frozenset[Action]] | None = None
        # who was found to decide last, and where
        self._moves: tuple[State, str | None] | None = None

    def program(self, edition: str) -> Program:
        """The rules of an edition; StateError if there is no such edition."""
        if edition not in EDITIONS:
            parts = {"known": ", ".join(EDITIONS), "near": hint(edition, EDITIONS)}
            raise StateError([at("edition", "not_one_of", value=shown(edition), **parts)])
        return program(f"rules/editions/{edition}.lp", self.rules, self.functions)

    def _program(self, state: State) -> Program:
        return self.program(state.edition)

    @bounded
    def to_move(self, state: State) -> str | None:
        """The player who must decide (base.turn); None: nobody, as when the game is over."""
        found = self._moves
        if found is None or found[0] is not state:
            found = self._moves = state, queue.mover(self._program(state), state)
        return found[1]

    @bounded
    def legal_actions(self, state: State) -> list[Action]:
        """The legal declarations of the player who must decide, sorted by text."""
        if state.result is not None:
            return []
        asked = asked_of(state, _judged(state))
        answer = solve(self._program(state), asked, shown=LEGAL)[0]
        legal = {facts.action_named(text) for (text,) in answer.texts("legal")}
        self._found = state, frozenset(legal)
        return sorted(legal, key=str)

    @bounded
    def judge(self, state: State) -> list[Verdict]:
        """The verdict on every candidate (CONTRACT 2), sorted by action text."""
        if state.result is not None:
            return []
        asked = asked_of(state, _judged(state))
        found = _verdicts(solve(self._program(state), asked, shown=JUDGED)[0])
        return [found[text] for text in sorted(found)]

    def judge_many(
        self, states: Iterable[State], batch: int = 64, workers: int = 0
    ) -> Iterator[list[Verdict] | PyengineError]:
        """What ``judge`` says of each state, in order; in place of a bad state its error.

        Args:
            states: taken as they are needed: no more than a few batches are held, of each worker.
            batch: how many states share a grounding at most, where they need one; it is paid once
                for them.
            workers: how many processes answer; less than 2: this one.

        Raises:
            StateError: there cannot be so many in a batch, or so many workers.
        """
        whole(batch=(batch, 1, None), workers=(workers, 0, MOST))
        judge = judge_batch if workers < 2 else judge_to_send
        how = (self.rules, self.limits, self.functions)
        parts = chunks(states, batch) if workers < 2 else shares(states, batch, workers)
        jobs = (partial(judge, some, *how) for some in parts)
        return _each(run(jobs, workers=workers))

    def resolve_many(
        self, questions: Iterable[tuple[State, Action | str]], workers: int = 0
    ) -> Iterator[list[Outcome] | PyengineError]:
        """What ``resolve`` says of each question, in order; in place of a bad one its error.

        Args:
            questions: taken as they are needed: no more than a few are held.
            workers: how many processes answer; less than 2: this one.

        Raises:
            StateError: there cannot be so many workers.
        """
        whole(workers=(workers, 0, MOST))
        how = (self.rules, self.limits, self.functions)
        parts = chunks(questions, 64) if workers < 2 else shares(questions, 64, workers)
        jobs = (partial(_resolved, some, *how) for some in parts)
        return _each(run(jobs, workers=workers))

    @bounded
    def verdict(self, state: State, action: Action | str) -> Verdict:
        """The verdict on one declaration, candidate or not.

        Raises:
            ActionError: the action is no action, or names no card of the state.
        """
        act = _action(state, action)
        asked = asked_of(state, _judged(state) + _asked(state, act))
        return _verdicts(solve(self._program(state), asked, shown=JUDGED)[0])[str(act)]

    @bounded
    def why(self, state: State, action: Action | str) -> Explanation:
        """The verdict with the tree of norms and facts that it rests on."""
        act = _action(state, action)
        asked = asked_of(state, f"{_judged(state)}{_asked(state, act)}explained.")
        answer = solve(self._program(state), asked)[0]
        verdict = _verdicts(answer)[str(act)]
        grounds: dict[tuple[str, str | None], set[str]] = {}
        for action_, rule, by, fact in answer["grounds"]:
            if facts.action_of(action_) == act:
                grounds.setdefault((rule.string, card_of(str(by))), set()).add(
                    facts.fact_text(fact)
                )
        tree = tuple(
            Node(
                reason.rule,
                reason.by,
                reason.ability or "",
                (
                    *(Node(d.rule, d.by, d.principle) for d in reason.defeats),
                    *(Node("", None, text) for text in sorted(grounds.get(_norm(reason), ()))),
                ),
            )
            for reason in verdict.because
        )
        return Explanation(verdict, tree)

    @bounded
    def values(self, state: State, id: str) -> Values:
        """The values of a card of the state as they are now, with all that changes and sets them.

        Of a card that is not in play: what it prints; its cost in a hand with what makes it dearer.
        """
        card = state.card(id)
        return self._values(state, (card,))[id]

    @bounded
    def all_values(self, state: State) -> dict[str, Values]:
        """The values of every card of the state by its id, as ``values`` has them."""
        return self._values(state, state.cards)

    def _values(self, state: State, cards: Sequence[Card]) -> dict[str, Values]:
        asked = asked_of(state, " ".join(f"inspected({facts.name(card.id)})." for card in cards))
        found: dict[str, dict[str, list[Any]]] = {card.id: {} for card in cards}
        for named, what, value in solve(self._program(state), asked, shown=IN_FORCE)[0]["in_force"]:
            of = found[facts.unname(str(named))]
            of.setdefault(what.name, []).append(facts.plain_value(value))
        return {card.id: _now(card, found[card.id]) for card in cards}

    @bounded
    def deck(self, hero: str, cards: Mapping[str, int], edition: str = "heroes") -> DeckVerdict:
        """What the rules say of a deck (base.deck).

        Args:
            hero: a kind.
            cards: kinds with their numbers of copies, from 0 to 1,000,000; 0: only asked about.
            edition: whose rules.

        Raises:
            StateError: a number of copies is none, or there is no such edition.
        """
        whole(**{f"cards.{kind}": (copies, 0, MAX_NUMBER) for kind, copies in cards.items()})
        asked = deck_facts(hero, cards)
        (answer,) = solve(self.program(edition), asked, shown=DECK)
        room = {facts.unname(kind): int(n) for _, kind, n in answer.texts("room")}
        return DeckVerdict(
            tuple(sorted(facts.plain(what) for _, what in answer.texts("unfit"))),
            tuple((kind, room.get(kind, 0)) for kind in sorted(cards)),
            sum(int(n) for _, n in answer.texts("missing")),
            sum(int(n) for _, n in answer.texts("first_hand")),
        )

    @bounded
    def resolve(self, state: State, action: Action | str) -> list[Outcome]:
        """Every outcome of a declaration, in a fixed order.

        Raises:
            IllegalAction: it may not be declared; carries the verdict.
            ActionError: it is no action, or names no card of the state.
            LimitError: there are too many outcomes.
        """
        _, first = self._declared(state, action)
        return queue.outcomes(self._program(state), first)

    @bounded
    def unfold(self, state: State, action: Action | str, decide: Callable[[Fork], int]) -> Outcome:
        """One outcome of a declaration, decided while it is carried out.

        Its state is that of an outcome of ``resolve``; its ``ways`` are those of this course alone.

        Args:
            state: the position.
            action: what is declared.
            decide: asked at every fork, of players and of chance; gives the number of an option.

        Raises:
            IllegalAction: it may not be declared; carries the verdict.
            ActionError: it is no action, or names no card of the state.
            ChoiceError: what is decided is no number of an option.
            LimitError: it comes to no end.
        """
        start, first = self._declared(state, action)
        return queue.unfold(self._program(state), start, first, decide)

    @bounded
    def begin(self, state: State, decide: Callable[[Fork], int]) -> Outcome:
        """How a game begins, up to its first decision (base.deck, base.turn).

        Args:
            state: the heroes in play, all other cards in the decks, in their order; turn 1.
            decide: asked at every fork, as in ``unfold``: who begins (chance, `begins(P)`), which
                cards of a first hand are swapped (`under(C)`, one after another, then `enough`),
                and whatever the opening turn brings.

        Raises:
            ChoiceError: what is decided is no number of an option.
            LimitError: it comes to no end.
        """
        start = queue.Course(state, (queue.SET_UP,))
        rules = self._program(state)
        return queue.unfold(rules, start, queue.branches(rules, start)[1], decide)

    @bounded
    def sight(self, state: State, player: str) -> Sight:
        """Which cards of a position a player does not know (base.sight)."""
        asked = asked_of(state, f"onlooker({facts.name(player)}).")
        (answer,) = solve(self._program(state), asked, shown=SIGHT)
        unseen, placed = (
            frozenset(facts.unname(card) for _, card in answer.texts(what))
            for what in ("veiled", "in_place")
        )
        return Sight(unseen, placed)

    def check(
        self,
        edition: str = "heroes",
        *,
        cards: Path | str | None = None,
        sets: Sequence[int] = (22,),
        scope: Scope | None = None,
        only: Sequence[str] = (),
        everything: bool = False,
        time_limit: float | None = None,
        jobs: int = 1,
    ) -> Report:
        """What contradicts what in the rules of an edition and in cards, with smallest witnesses.

        Args:
            edition: whose rules.
            cards: a file of cards, or a folder of such files, to check against those of the sets.
            sets: the printed sets whose cards are looked at.
            scope: how far to look; None: as far as a minute allows.
            only: the codes to look for; none: all.
            everything: also tell what a principle of precedence decides.
            time_limit: seconds, after which what has not been looked at is undecided.
            jobs: how many processes search.

        Raises:
            StateError: there is no such edition, code or set, there cannot be so many seconds or
                processes, or the cards have faults.
        """
        from pyengine import audit

        if time_limit is not None:
            duration("time_limit", time_limit)
        options = audit.Options(
            edition,
            None if cards is None else str(cards),
            None if self.rules is None else str(self.rules),
            tuple(sets),
            scope or audit.Scope(),
            tuple(only),
            everything,
            None if time_limit is None else time.time() + time_limit,
            time_limit=time_limit,
        )
        return audit.check(options, jobs=jobs)

    def _declared(
        self, state: State, action: Action | str
    ) -> tuple[queue.Course, list[queue.Branch]]:
        """The course of a legal declaration, and the ways its first step can go."""
        act = _action(state, action)
        term = facts.action_term(act, state)
        start = queue.Course(state, (f"declare({term})",))
        # of what is known to be legal the other candidates need not be judged: they can only forbid
        found = self._found
        known = found is not None and found[0] is state and act in found[1]
        judged = "" if known else _judged(state)
        answers, first = queue.branches(
            self._program(state), start, f"{judged}asked({term}).", LEGAL
        )
        if not any(facts.action_of(row[0]) == act for row in answers[0]["legal"]):
            raise IllegalAction(self.verdict(state, act))
        return start, first


def _each(found: Iterator[list[R]]) -> Iterator[R]:
    """One after the other what was found together."""
    for some in found:
        yield from some


def _now(card: Card, found: Mapping[str, list[Any]]) -> Values:
    """The values of a card from what was found of it; what was not is as printed."""
    one = {key: some[0] for key, some in found.items()}
    strike = one.get("strike", card.strike)
    if isinstance(card.strike, tuple) and "weak" in one:
        strike = (one["weak"], one["medium"], one["strong"])
    return Values(
        strike=strike,
        life=one.get("life", card.life),
        cost=one.get("cost", card.cost),
        element=_as_printed(card.element, found.get("element", [])),
        classes=_as_printed(card.classes, found.get("class", [])),
    )


def _chapters(folder: Path) -> Path:
    """A folder of chapters. What is missing there would be judged by our rules without a word."""
    if not folder.is_dir():
        raise StateError([at("rules", "no_folder", value=folder)])
    if next(folder.rglob("*.lp"), None) is None:
        raise StateError([at("rules", "no_chapter", value=folder)])
    return folder


def _as_printed(printed: tuple[str, ...], now: list[Any]) -> tuple[str, ...]:
    """These names, in the order in which the card prints them if they are the same."""
    return printed if sorted(printed) == sorted(now) else tuple(sorted(now))


def _pair(question: object) -> tuple[State, Action | str]:
    if not isinstance(question, tuple) or len(question) != 2:
        raise StateError([at("question", "no_question", value=repr(question))])
    return question


def _resolved(
    questions: list[tuple[State, Action | str]],
    rules: Path | None,
    limits: Limits | None,
    functions: bool,
) -> list[list[Outcome] | PyengineError]:
    """What ``resolve`` says of each; those that need clingo share its groundings."""
    engine = Engine(rules, limits, functions)
    out: list[list[Outcome] | PyengineError | None] = [None] * len(questions)
    if not functions:
        from pyengine.abreast import resolved

        out = list(resolved(engine, questions))
    return [
        _alone(engine, question) if found is None else found
        for question, found in zip(questions, out, strict=True)
    ]


def _alone(engine: Engine, question: tuple[State, Action | str]) -> list[Outcome] | PyengineError:
    try:
        return engine.resolve(*_pair(question))
    except PyengineError as error:
        return error
    except Exception as error:  # of a state that is none, as in ``judge_many``
        return failure(error)


def _judged(state: State) -> str:
    return f"judged({facts.name(state.active)})."


def _asked(state: State, action: Action) -> str:
    return f"asked({facts.action_term(action, state)})."


def _action(state: State, action: Action | str) -> Action:
    act = action if isinstance(action, Action) else Action.parse(action, state.cards)
    known = {card.id for card in state.cards}
    unknown = [arg for arg in act.args if isinstance(arg, str) and arg not in known]
    if unknown:
        raise ActionError(
            [
                at("action", "no_card", value=f"'{arg}'", near=near_card(arg, state.cards))
                for arg in unknown
            ]
        )
    return act


def _verdicts(answer: Answer) -> dict[str, Verdict]:
    """Verdicts by action text."""
    return {verdict.action.text: verdict for _, verdict in verdicts(answer, alone, card_of)}


def _norm(reason: Reason) -> tuple[str, str | None]:
    return reason.rule, reason.by


__all__: Sequence[str] = ["Engine", "StateError"]
