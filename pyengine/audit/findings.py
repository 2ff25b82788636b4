"""What a check finds: plain, immutable data, in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from pyengine.audit.scope import Scope
from pyengine.model import Action, State
from pyengine.rulebook import Words

Severity = Literal["error", "warning", "note"]
Found = Literal["found", "none", "undecided"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
# in the order in which they are told
CODES: tuple[str, ...] = (
    "conflict",
    "tie",
    "unmeetable",
    "stuck",
    "dead",
    "shadowed",
    "redundant",
    "order",
    "loop",
    "nondeterminism",
    "self-contradiction",
    "pair",
    "vocabulary",
    "document",
    "compare",
)


@dataclass(frozen=True, slots=True)
class Witness:
    """A position, and the declaration in it, that show a finding."""

    state: State
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a file, told from the folder of the project, and a line from 1."""

    file: str
    line: int = 1


class Way(NamedTuple):
    """In what a kind of declaration differs.

    Args:
        declaration: ``attack``, ``open``, …
        aspect: legality or outcomes.
        how: the second side is stricter, looser or incomparable.
    """

    declaration: str
    aspect: str
    how: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that breaks.

    Args:
        code: one of ``CODES``.
        severity: of this finding.
        rules: the rules in conflict.
        cards: the kinds, or cards of the witness, in conflict.
        witness: the smallest position that shows it; None where none is needed.
        text: what is wrong.
        remedy: what would settle it.
        places: files where it stands.
        pair_of: for ``pair``: the code of the fault that the two give.
        way: for ``compare``: what differs, and how.
    """

    code: str
    severity: Severity
    text: Words
    remedy: Words
    rules: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    witness: Witness | None = None
    places: tuple[Place, ...] = ()
    pair_of: str | None = None
    way: Way | None = None

    def order(self) -> tuple[Any, ...]:
        """Its place in a report: the gravest first, then by code, rules and cards."""
        shown = "" if self.witness is None else self.witness.state.to_json()
        return (
            SEVERITIES.index(self.severity),
            CODES.index(self.code),
            self.rules,
            self.cards,
            self.text,
            shown,
        )


@dataclass(frozen=True, slots=True)
class Searched:
    """What was looked for, and how that ended.

    Args:
        code: one of ``CODES``.
        answer: how it ended; *found* also where something was left.
        left: what has not been looked at, and why.
        seconds: how long it took; tells no two answers apart.
    """

    code: str
    answer: Found
    left: tuple[Words, ...] = ()
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Difference:
    """How two editions differ in one kind of declaration.

    Args:
        declaration: ``attack``, ``open``, …
        legality: equal, or how the second is against the first: stricter, looser, incomparable.
        outcomes: the same for what comes of what is legal in both: equal or incomparable, or
            stricter and looser where every outcome of one is an outcome of the other.
        findings: one for each way in which they differ, with its smallest witness.
    """

    declaration: str
    legality: str
    outcomes: str
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The answer of a check.

    Args:
        edition: whose rules were looked at; of a comparison the first.
        scope: how far.
        searched: for each code what the search for it came to.
        findings: in a fixed order.
        differences: of a comparison, for each kind of declaration.
        against: the other side of a comparison.
        errors: witnesses that did not show what they should, and were dropped.
        time_limit: the seconds after which the search was to stop; None: there was no such limit.
    """

    edition: str
    scope: Scope
    searched: tuple[Searched, ...] = ()
    findings: tuple[Finding, ...] = ()
    differences: tuple[Difference, ...] = ()
    against: str | None = None
    errors: tuple[str, ...] = ()
    time_limit: float | None = None

    def reaches(self, level: Severity) -> bool:
        """Whether a finding is of that severity or a graver one."""
        most = SEVERITIES.index(level)
        return any(SEVERITIES.index(finding.severity) <= most for finding in self.findings)
