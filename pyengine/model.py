"""The things everybody here talks about: plain, immutable, hashable, picklable data.

Nothing in this file knows how a document is read, how a rule is run or how an
answer is shown; it imports nothing of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pyengine.faults import Message, at

if TYPE_CHECKING:
    from pyengine.engine import Engine
    from pyengine.limits import Limits

T = TypeVar("T")

Edition = Literal["heroes", "heroes_2", "classic"]
EDITIONS: tuple[str, ...] = ("heroes", "heroes_2", "classic")
PHASES: tuple[str, ...] = ("recovery", "accumulation", "main", "end", "choice")
ZONES: tuple[str, ...] = ("play", "hand", "deck", "graveyard", "reserve")
TYPES: dict[str, tuple[str, ...]] = {
    "heroes": ("hero", "creature", "spell", "equipment", "event", "location"),
    "heroes_2": ("hero", "creature", "spell", "equipment", "event", "location"),
    "classic": ("creature", "flyer", "symbiote", "parasite", "artifact", "terrain", "equipment"),
}


class PyengineError(Exception):
    """The root of every error that this package raises on purpose."""


class StateError(PyengineError):
    """Bad input: carries every fault found, nothing was computed.

    >>> StateError(["turn: -1 is below 0"]).faults
    ('turn: -1 is below 0',)
    """

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults: tuple[str, ...] = tuple(faults)
        super().__init__("\n".join(self.faults))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.faults,))


class ActionError(StateError):
    """An action that is no action: not a term, an unknown verb, a wrong number of arguments."""


def _no_action(key: str, /, **parts: Any) -> ActionError:
    return ActionError([at("action", key, **parts)])


class LimitError(PyengineError):
    """A question that is too large: says which limit was reached and how to raise it.

    ``limit`` names the field of ``Limits`` and ``most`` is its value; None for what has no end.
    """

    def __init__(self, message: str, limit: str | None = None, most: float | None = None) -> None:
        self.message, self.limit, self.most = message, limit, most
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.message, self.limit, self.most))


class UnknownIdError(PyengineError, KeyError):
    """An id that no card, or no player, of a state has."""

    def __init__(self, id: str, what: str) -> None:
        self.id, self.what = id, what
        super().__init__(Message(f"no_such_{what}", id=id))

    def __str__(self) -> str:  # that of KeyError is the repr
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.id, self.what))


def _sent(cls: type[T]) -> type[T]:
    """Pickled as what it is made of: three times as fast as a frozen dataclass is by itself.

    Processes that answer together (`judge_many`) spend most of what they cost on that.
    """
    parts = attrgetter(*(each.name for each in fields(cls) if each.init))  # type: ignore[arg-type]

    def reduce(self: T) -> tuple[type[T], tuple[Any, ...]]:
        return cls, parts(self)

    cls.__reduce__ = reduce  # type: ignore[method-assign,assignment]
    return cls


@_sent
@dataclass(frozen=True, slots=True)
class Player:
    """One of the two players."""

    coins: int = 0
    coins_total: int = 0
    missed: int = 0
    deck_order: Literal["known", "unknown"] = "known"
    drawn: int = 0
    attacks: int = 0
    known_top: int = 0


@_sent
@dataclass(frozen=True, slots=True)
class Card:
    """A card and everything that lies on it but effects.

    ``classes`` is ``class`` in documents. ``strike`` is one number in `heroes`, three (weak,
    medium, strong) in `classic`. ``abilities`` holds canonical ability terms as text.
    ``spent`` maps an ability term (the second equal one is ``term#2``) to how much of it is
    used up, as sorted pairs.
    """

    id: str
    type: str
    owner: str
    controller: str
    name: str = ""
    kind: str | None = None
    classes: tuple[str, ...] = ()
    element: tuple[str, ...] = ()
    cost: int = 0
    strike: int | tuple[int, int, int] = 0
    life: int = 0
    abilities: tuple[str, ...] = ()
    zone: str = "play"
    wounds: int = 0
    extra_life: int = 0
    closed: bool = False
    acted: bool = False
    defended: bool = False
    attacked: bool = False
    entered: int = 0
    since: int = 0
    spent: tuple[tuple[str, int], ...] = ()
    hidden: bool = False
    cell: tuple[int, int] | None = None
    arrived: int = 0
    movement: int = 0
    moved: int = 0
    chips: int = 0


@_sent
@dataclass(frozen=True, slots=True)
class Effect:
    """A continuous effect laid on a card, its bearer. ``until``: leaves, end_of_turn or a turn."""

    card: str
    ability: str
    controller: str
    since: int
    source: str | None = None
    spent: int = 0
    until: str | int = "leaves"


@dataclass(frozen=True, slots=True)
class Pending:
    """An attack announced and not yet carried out."""

    attacker: str
    target: str
    defender: str | None = None


@_sent
@dataclass(frozen=True, slots=True)
class State:
    """A whole position. Players and cards are kept in the order of the document.

    The order matters for cards of zone `deck` only (top first). Build one with
    ``State.load``, ``State.from_dict`` or ``State.from_json``.
    """

    active: str
    players: tuple[tuple[str, Player], ...]
    cards: tuple[Card, ...]
    edition: str = "heroes"
    turn: int = 1
    phase: str = "main"
    effects: tuple[Effect, ...] = ()
    pending: Pending | None = None
    result: str | None = None

    def card(self, id: str) -> Card:
        """The card of that id; UnknownIdError (a KeyError, too) if there is none."""
        for card in self.cards:
            if card.id == id:
                return card
        raise UnknownIdError(id, "card")

    def player(self, id: str) -> Player:
        """The player of that id; UnknownIdError (a KeyError, too) if there is none."""
        for name, player in self.players:
            if name == id:
                return player
        raise UnknownIdError(id, "player")

    def observed_by(self, player: str, engine: Engine | None = None) -> State:
        """What that player sees of it: see `observe`. UnknownIdError if there is no such one.

        Args:
            player: who looks.
            engine: whose rules say what is seen; None: ours.
        """
        from pyengine import observe

        return observe.observed_by(self, player, engine)

    # Reading and writing live in `reading`; bound here so that users need one class only.
    # ``limits``: how large a document may be (`limits.Limits`); None: those in force.
    @staticmethod
    def load(path: Any, limits: Limits | None = None) -> State:
        """The state of a YAML or JSON file; StateError with all its faults."""
        from pyengine import reading
        from pyengine.limits import using

        with using(limits):
            return reading.load_state(path)

    @staticmethod
    def from_dict(document: dict[str, Any], limits: Limits | None = None) -> State:
        """The state of a document (CONTRACT 1); StateError with all its faults."""
        from pyengine import reading
        from pyengine.limits import using

        with using(limits):
            return reading.state_from_dict(document)

    @staticmethod
    def from_json(text: str, limits: Limits | None = None) -> State:
        """The state of a JSON text; StateError with all its faults."""
        from pyengine import reading
        from pyengine.limits import using

        with using(limits):
            return reading.state_from_text(text)

    def to_dict(self) -> dict[str, Any]:
        """The state as a document; keys that have their default are left out."""
        from pyengine import reading

        return reading.state_to_dict(self)

    def to_json(self, indent: int | None = None) -> str:
        """The state as JSON text."""
        from pyengine import reading

        return reading.state_to_json(self, indent)

    def to_yaml(self) -> str:
        """The state as YAML text."""
        from pyengine import reading

        return reading.state_to_yaml(self)


_ACTION = re.compile(r"\s*([a-z_]+)\s*(?:\(([^()]*)\))?\s*")
_ID = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = re.compile(r"[0-9]{1,6}")
# verb: (least, most) number of arguments, which of them are numbers
VERBS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "attack": (2, 2, ()),
    "defend": (1, 1, ()),
    "pass": (0, 0, ()),
    "play": (1, 9, ()),
    "use": (2, 10, (1,)),
    "end_turn": (0, 0, ()),
    "move": (3, 3, (1, 2)),
    "strike": (2, 2, ()),
    "accumulate": (1, 1, ()),
    "open": (1, 1, ()),
    "close": (1, 1, ()),
    "reveal": (1, 1, ()),
    "hide": (1, 1, ()),
}


@_sent
@dataclass(frozen=True, slots=True, order=True)
class Action:
    """A declaration, as a term: ``attack(ork,gabriel)``. Compares by its text."""

    text: str = field(init=False)
    verb: str = field(compare=False)
    args: tuple[str | int, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        inside = ",".join(map(str, self.args))
        object.__setattr__(self, "text", f"{self.verb}({inside})" if inside else self.verb)

    def __str__(self) -> str:
        return self.text

    @staticmethod
    def parse(text: str, cards: Sequence[Card] = ()) -> Action:
        """The action that a text names; ActionError says what is wrong with it.

        Args:
            text: the action.
            cards: of what is no id it is told which of them may be meant.

        >>> str(Action.parse("attack( ork, gabriel )"))
        'attack(ork,gabriel)'
        """
        if not isinstance(text, str):
            raise _no_action("action_no_text", value=str(text)[:40])
        shown = text if len(text) <= 80 else text[:77] + "..."
        match = _ACTION.fullmatch(text)
        if match is None:
            raise _no_action("action_no_term", action=shown)
        verb, inside = match.group(1), match.group(2)
        if verb not in VERBS:
            from difflib import get_close_matches

            near = get_close_matches(verb, VERBS, 1)
            known = Message("known", known=", ".join(VERBS))
            hint = Message("near", near=near[0]) if near else known
            raise _no_action("action_unknown", verb=verb, near=hint)
        parts = [] if inside is None or not inside.strip() else inside.split(",")
        args = [part.strip() for part in parts]
        least, most, numbers = VERBS[verb]
        if any(len(arg.split()) > 1 for arg in args):
            meant = _with_commas(verb, args)
            if meant or not least <= len(args) <= most:
                raise _no_action("action_commas", action=shown, near=meant)
        if not least <= len(args) <= most:
            given = len(args) or Message("none")
            if most == 0:
                raise _no_action("action_takes_none", verb=verb, action=shown, given=given)
            if least == most == 1:
                raise _no_action("action_takes_one", verb=verb, action=shown, given=given)
            wanted = least if least == most else Message("to", least=least, most=most)
            raise _no_action("action_takes", verb=verb, wanted=wanted, action=shown, given=given)
        out: list[str | int] = []
        for place, arg in enumerate(args):
            if place in numbers:
                if not _NUMBER.fullmatch(arg):
                    most = 10**6 - 1
                    raise _no_action("action_number", n=place + 1, action=shown, most=most)
                out.append(int(arg))
            else:
                if not _ID.fullmatch(arg):
                    meant = _id_meant(arg, cards)
                    raise _no_action("action_id", n=place + 1, action=shown, near=meant)
                out.append(arg)
        return Action(verb, tuple(out))


def _with_commas(verb: str, args: Iterable[str]) -> str:
    """A hint with the action that may be meant, if it is one."""
    action = f"{verb}({','.join(word for arg in args for word in arg.split())})"
    try:
        return Message("near", near=Action.parse(action))
    except ActionError:
        return ""


def _id_meant(arg: str, cards: Sequence[Card]) -> str:
    from pyengine.kinds import near_card

    near = near_card(arg, cards)
    small = arg.lower()
    return near or (Message("near", near=small) if not cards and _ID.fullmatch(small) else "")


@_sent
@dataclass(frozen=True, slots=True, order=True)
class Defeat:
    """A norm that lost, and the principle (511.1, 524.1, 524.2) that made it lose."""

    rule: str
    by: str | None
    principle: str


@_sent
@dataclass(frozen=True, slots=True, order=True)
class Reason:
    """A norm that decides: the rule, the card that bears it (None: no card), what it beat.

    ``ability`` is the deciding ability term, where an ability decides. ``amiss``: what is wrong
    with the declaration by a rule that bars several things, as `wrong` of the rules has it; it
    chooses words only.
    """

    rule: str
    by: str | None = None
    ability: str | None = None
    defeats: tuple[Defeat, ...] = ()
    amiss: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Values:
    """What a card's strike, life, cost, element and classes are now (base.modifiers, 524.1)."""

    strike: int | tuple[int, int, int]
    life: int
    cost: int
    element: tuple[str, ...]
    classes: tuple[str, ...]


@_sent
@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether one declaration is legal, and every norm that makes it so or forbids it."""

    action: Action
    legal: bool
    because: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class DeckVerdict:
    """What the rules say of a deck (base.deck).

    Args:
        unfit: what keeps it from being played, sorted: terms such as ``many(groll,4,3)``, see
            `unfit` in rules/vocabulary.lp.
        room: of each kind that was asked about, how many more copies may lie in it; none left out.
        missing: how many cards it has too few.
        hand: how many are dealt from it at first; 0: the edition has no decks.
    """

    unfit: tuple[str, ...]
    room: tuple[tuple[str, int], ...] = ()
    missing: int = 0
    hand: int = 0


@dataclass(frozen=True, slots=True)
class Sight:
    """What a player does not see of a position (base.sight), by the ids of cards.

    Args:
        unseen: which card it is.
        in_place: of these, those that are seen to lie in their places, with their marks.
    """

    unseen: frozenset[str]
    in_place: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Node:
    """A node of an explanation: a norm or a fact, and what it rests on.

    ``rule`` is a rule id, or "" for a bare fact of the state; ``fact`` is the term that holds
    (text), such as ``closed(ork)``.
    """

    rule: str
    by: str | None
    fact: str
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """The verdict on one action with its tree of norms, down to the facts of the state."""

    verdict: Verdict
    tree: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice made on the way to an outcome. ``player`` is None where chance decides."""

    player: str | None
    rule: str
    options: tuple[str, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an outcome. ``step``: announce pay calculate replace prevent apply die ...

    ``what`` is the term it happens to, ``value`` its number (wounds, coins) or None.
    """

    step: str
    rule: str
    by: str | None
    what: str
    value: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a declaration can end. ``ways``: throws or draws leading here, else 1."""

    state: State
    choices: tuple[Choice, ...] = ()
    trace: tuple[Step, ...] = ()
    ways: int = 1


@dataclass(frozen=True, slots=True)
class Fork:
    """A point where what is being carried out can go on in several ways.

    ``player`` chooses one of the options; None: chance does, and then ``ways`` says how many throws
    or draws lead to each (else 1 each). ``state`` is the position at this point.
    """

    player: str | None
    rule: str
    options: tuple[str, ...]
    ways: tuple[int, ...]
    state: State


class ChoiceError(PyengineError):
    """A choice that is missing or that is none of the options.

    ``fork`` is what there is to choose at, None where a whole outcome was asked for.
    """

    def __init__(self, message: str, fork: Fork | None = None) -> None:
        self.fork = fork
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.args[0], self.fork))


class IllegalAction(PyengineError):
    """An action that may not be declared; carries the verdict with its reasons."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.reasons = verdict.because
        rules = ", ".join(sorted({reason.rule for reason in verdict.because}))
        super().__init__(f"{verdict.action} is illegal: {rules}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.verdict,))


__all__ = [
    "EDITIONS", "PHASES", "TYPES", "VERBS", "ZONES",
    "Action", "ActionError", "Card", "Choice", "Defeat", "Effect", "Explanation", "Fork",
    "IllegalAction", "LimitError", "Node", "Outcome", "Pending", "Player", "PyengineError",
    "Reason", "State", "StateError", "Step", "UnknownIdError", "Verdict", "replace",
]  # fmt: skip
