"""How large a document and a question may be, and how long an answer may take.

``Limits`` are the numbers, ``using`` puts them into force for what is called inside, ``Budget`` is
what one question has left of them. docs/limits.md tells what is bounded by what.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from functools import wraps
from inspect import signature
from operator import index
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from pyengine.collecting import seldom_collected
from pyengine.faults import Message, at
from pyengine.model import LimitError, State, StateError

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that is read and computed. StateError if one is no number above 0.

    Args:
        bytes: of a file or text that holds a state.
        depth: levels of lists and mappings in a document.
        values: in a document, aliases counted as what they stand for.
        cards: of a state.
        effects: laid on the cards of a state.
        abilities: printed on a card.
        rules: ground rules that a question may come to; some 300 bytes each.
        steps: different positions on the way to the outcomes of a declaration.
        outcomes: of a declaration; as many ways may one step go.
        seconds: until a question is answered; ``math.inf`` is no limit.
    """

    bytes: int = 2_000_000
    depth: int = 100
    values: int = 200_000
    cards: int = 500
    effects: int = 1_000
    abilities: int = 100
    rules: int = 1_000_000
    steps: int = 5_000
    outcomes: int = 10_000
    seconds: float = 30.0

    def __post_init__(self) -> None:
        faults = []
        for field in fields(self):
            value = getattr(self, field.name)
            numbers = (int, float) if field.name == "seconds" else (int,)
            if type(value) not in numbers or math.isnan(value) or value <= 0:
                shape = "seconds_shape" if field.name == "seconds" else "limit_shape"
                faults.append(at(f"limits.{field.name}", shape, value=str(value)[:40]))
        if faults:
            raise StateError(faults)


DEFAULT = Limits()
_IN_FORCE: ContextVar[Limits] = ContextVar("limits", default=DEFAULT)
_BUDGET: ContextVar[Budget | None] = ContextVar("budget", default=None)
# the questions that are being answered, of all threads: the command line looks whether one is late
_OPEN: list[Budget] = []


def _alone() -> None:
    """After a fork: the questions of the other threads are not asked here."""
    _OPEN[:] = [budget for budget in _OPEN if budget.thread == threading.get_ident()]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_alone)


def in_force() -> Limits:
    """The limits that hold here."""
    return _IN_FORCE.get()


@contextmanager
def using(limits: Limits | None) -> Iterator[None]:
    """Puts limits into force for what is called inside, in this thread; None: as they are."""
    if limits is None:
        yield
        return
    token = _IN_FORCE.set(limits_of(limits))
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


def limits_of(limits: object) -> Limits:
    """Limits. StateError if they are something else."""
    if not isinstance(limits, Limits):
        raise StateError([at("limits", "no_limits", value=repr(limits)[:40])])
    return limits


class Budget:
    """What a question has left. Seconds are those of the clock on the wall."""

    __slots__ = ("limits", "thread", "until")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.thread = threading.get_ident()
        self.until = time.monotonic() + limits.seconds

    @property
    def left(self) -> float:
        """Seconds; below 0: it is late."""
        return self.until - time.monotonic()

    def check(self) -> None:
        """LimitError if the time is over."""
        if self.left < 0:
            raise late(self)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The time that passes meanwhile is not counted: a person decides something."""
        start, until = time.monotonic(), self.until
        self.until, token = math.inf, _BUDGET.set(None)
        try:
            yield
        finally:
            _BUDGET.reset(token)
            self.until = until + time.monotonic() - start

    def count(self, name: str, number: int) -> None:
        """LimitError if there are more of something than its limit."""
        most = getattr(self.limits, name)
        if number > most:
            raise _over(name, most)


def late(budget: Budget) -> LimitError:
    """The error of a question that has taken too long."""
    return _over("seconds", budget.limits.seconds)


def _over(name: str, most: float) -> LimitError:
    return LimitError(Message(f"limit_{name}", most=most), name, most)


@contextmanager
def question(limits: Limits | None = None) -> Iterator[Budget]:
    """The budget of a question. One that is asked on the way to an answer shares that of the other.

    Args:
        limits: None: those in force.
    """
    outer = _BUDGET.get()
    if outer is not None:
        yield outer
        return
    with using(limits):
        budget = Budget(in_force())
        token = _BUDGET.set(budget)
        _OPEN.append(budget)
        try:
            with seldom_collected():
                yield budget
        finally:
            _OPEN.remove(budget)
            _BUDGET.reset(token)


def check() -> None:
    """LimitError if a question is being answered here, and its time is over."""
    budget = _BUDGET.get()
    if budget is not None:
        budget.check()


def latest() -> Budget | None:
    """The question in any thread that has the least time left, if one is being answered."""
    return min(_OPEN, key=lambda budget: budget.until, default=None)


class _Limited(Protocol):
    limits: Limits | None


S = TypeVar("S", bound=_Limited)


def bounded(method: Callable[Concatenate[S, P], R]) -> Callable[Concatenate[S, P], R]:
    """A method that answers one question, within the limits of its object.

    Where it is asked of a state, StateError if that is none.
    """
    of_state = "state" in signature(method).parameters

    @wraps(method)
    def asked(self: S, /, *args: P.args, **options: P.kwargs) -> R:
        if of_state:
            sound(args[0] if args else options.get("state"))
        with question(self.limits):
            return method(self, *args, **options)

    return asked


def whole(**given: tuple[object, int, int | None]) -> None:
    """StateError if an argument is no whole number within its bounds; with all faults.

    Each is given with the least and the most that it may be; None: there is no most.

    >>> whole(workers=(2, 0, 64), batch=(1, 1, None))
    """
    faults = []
    for name, (value, least, most) in given.items():
        number = index(value) if hasattr(value, "__index__") else None
        if (
            number is None
            or isinstance(value, bool)
            or number < least
            or (most is not None and number > most)
        ):
            key = "whole_least" if most is None else "whole_from_to"
            parts = {"least": least} if most is None else {"least": least, "most": most}
            faults.append(at(name, key, value=repr(value)[:40], **parts))
    if faults:
        raise StateError(faults)


def duration(name: str, value: object) -> None:
    """StateError if an argument is no number of seconds; ``math.inf`` is one."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not value >= 0:  # type: ignore[operator]  # nor where it is nan
        raise StateError([at(name, "seconds_least", value=repr(value)[:40])])


def sound(state: object) -> State:
    """A state. StateError if it is something else."""
    if not isinstance(state, State):
        raise StateError([at("state", "no_state", value=type(state).__name__)])
    return state


class Watch:
    """Sees each ground rule as it is made, and stops the grounding: clingo has no other way to.

    Being called from Python for every rule costs a fifth of the grounding, so only questions that
    may be large are watched.
    """

    __slots__ = ("budget", "rules", "stopped")

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.rules = 0
        # clingo raises a copy of what it meets here, without all that it carries
        self.stopped: LimitError | None = None

    def rule(self, *_: Any) -> None:
        """What clingo calls; an error raised here ends the grounding."""
        self.rules += 1
        if not self.rules & 255:
            try:
                self.budget.check()
                self.budget.count("rules", self.rules)
            except LimitError as error:
                self.stopped = error
                raise
