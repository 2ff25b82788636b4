"""What the answers to rulings named: rules, and which overcame which (`verify --coverage`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyengine.model import Outcome, Reason
from pyengine.precedence import Edge


@dataclass(slots=True)
class Seen:
    """The rules and the edges that answers name."""

    rules: set[str] = field(default_factory=set)
    edges: set[Edge] = field(default_factory=set)

    def reasons(self, reasons: Iterable[Reason]) -> None:
        """Notes the rules of reasons, the keyword that decides, what they overcame."""
        for reason in reasons:
            self.rules.add(reason.rule)
            if reason.ability is not None:
                self.rules.add(f"keyword.{reason.ability.partition('(')[0]}")
            for defeat in reason.defeats:
                self.rules |= {defeat.rule, defeat.principle}
                self.edges.add(Edge(reason.rule, defeat.rule, defeat.principle))

    def outcome(self, outcome: Outcome) -> None:
        """Notes the rules of its steps and choices."""
        self.rules |= {step.rule for step in outcome.trace}
        self.rules |= {choice.rule for choice in outcome.choices}

    def update(self, other: Seen) -> None:
        """Notes what another one has noted."""
        self.rules |= other.rules
        self.edges |= other.edges


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which rules of an edition the rulings exercised, each rule in one of the lists.

    ``exercised``: an answer that a ruling asked for names it; ``cited``: only rulings that passed
    do; ``unexercised``: none does. ``unknown``: cited, and not in the rulebook of the edition.
    A keyword is exercised where an ability of that name decides. ``edges``: one norm overcame the
    other in an answer that a ruling asked for; ``unexercised_edges``: the rules could show it
    (see `precedence.possible`), and no answer did.
    """

    edition: str
    exercised: tuple[str, ...]
    cited: tuple[str, ...]
    unexercised: tuple[str, ...]
    unknown: tuple[str, ...]
    edges: tuple[Edge, ...] = ()
    unexercised_edges: tuple[Edge, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What `verify --coverage --json` says of an edition."""
        return {
            "exercised": list(self.exercised),
            "cited": list(self.cited),
            "unexercised": list(self.unexercised),
            "unknown": list(self.unknown),
            "edges": [edge._asdict() for edge in self.edges],
            "unexercised_edges": [edge._asdict() for edge in self.unexercised_edges],
        }


def covered(
    edition: str,
    rules: Sequence[str],
    possible: Iterable[Edge],
    seen: Mapping[str, Seen],
    cites: Mapping[str, frozenset[str]],
) -> Coverage:
    """What was exercised of an edition, its rules in the order that they are given in."""
    named = seen.get(edition, Seen())
    cited = cites.get(edition, frozenset()) - named.rules
    return Coverage(
        edition,
        tuple(rule for rule in rules if rule in named.rules),
        tuple(rule for rule in rules if rule in cited),
        tuple(rule for rule in rules if rule not in named.rules | cited),
        tuple(sorted(rule for rule in cited if rule not in rules)),
        tuple(sorted(named.edges)),
        tuple(sorted(set(possible) - named.edges)),
    )
