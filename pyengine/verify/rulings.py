"""What a ruling is: a question and its right answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pyengine.model import Action, Sight, State


@dataclass(frozen=True, slots=True)
class Resolution:
    """An action to carry out, and a partial state for each outcome that it must have."""

    action: Action
    outcomes: tuple[Mapping[str, Any], ...] = field(hash=False)


@dataclass(frozen=True, slots=True)
class DeckQuestion:
    """A deck of a hero, kinds with their numbers of copies, and all that speaks against it.

    ``unfit``: as `DeckVerdict` has it, sorted; empty: it may be played.
    """

    hero: str
    cards: tuple[tuple[str, int], ...]
    unfit: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpeningQuestion:
    """How a game begins from a table on which nothing is dealt yet (base.deck), and what comes.

    ``first``: the player whom chance lets begin; ``under``: the cards that each player puts under
    the deck, in order; ``comes``: a partial state of the first decision.
    """

    first: str
    under: tuple[tuple[str, tuple[str, ...]], ...]
    comes: Mapping[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A question and its right answer. ``illegal`` holds the rules that must forbid, at least.

    One about a deck alone has the state of an empty table. ``sight``: what each player does not
    see.
    """

    id: str
    place: str
    state: State
    cites: tuple[str, ...] = ()
    note: str = ""
    legal: tuple[Action, ...] = ()
    illegal: tuple[tuple[Action, tuple[str, ...]], ...] = ()
    resolve: tuple[Resolution, ...] = ()
    deck: DeckQuestion | None = None
    opening: OpeningQuestion | None = None
    sight: tuple[tuple[str, Sight], ...] = ()

    @property
    def edition(self) -> str:
        """The edition it is a ruling of: that of its state."""
        return self.state.edition
