"""Many rulings run, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyengine.coverage import Coverage, Seen, covered
from pyengine.i18n import Lang
from pyengine.precedence import Edge, possible
from pyengine.verify.rulings import Ruling
from pyengine.verify.running import Judge, run


@dataclass(frozen=True, slots=True)
class Report:
    """How a run went. ``seen``, ``cited``: by edition; ``cited``: by rulings that passed."""

    passed: int
    failed: tuple[tuple[Ruling, tuple[str, ...]], ...]
    seen: Mapping[str, Seen] = field(hash=False)
    cited: Mapping[str, frozenset[str]] = field(hash=False)

    def coverage(
        self,
        editions: Mapping[str, Sequence[str]],
        edges: Callable[[str], Iterable[Edge]] = possible,
    ) -> list[Coverage]:
        """What was exercised of each edition, of its rules and of the edges that they can show."""
        return [
            covered(edition, rules, edges(edition), self.seen, self.cited)
            for edition, rules in editions.items()
        ]


def run_all(
    engine: Judge,
    rulings: Sequence[Ruling],
    lang: Lang = "en",
    progress: Callable[[int], None] = lambda done: None,
) -> Report:
    """Runs them one by one; an error of the engine is a fault of the ruling that met it."""
    failed: list[tuple[Ruling, tuple[str, ...]]] = []
    seen: dict[str, Seen] = {}
    cited: dict[str, set[str]] = {}
    for done, ruling in enumerate(rulings):
        progress(done)
        named = seen.setdefault(ruling.edition, Seen())
        try:
            faults = run(engine, ruling, named, lang)
        except Exception as error:  # the others are to be run all the same
            faults = [f"{type(error).__name__}: {error}"]
        if faults:
            failed.append((ruling, tuple(faults)))
        else:
            cited.setdefault(ruling.edition, set()).update(ruling.cites)
    progress(len(rulings))
    return Report(
        len(rulings) - len(failed),
        tuple(failed),
        seen,
        {edition: frozenset(rules) for edition, rules in cited.items()},
    )


def document(report: Report, coverage: Sequence[Coverage] | None = None) -> dict[str, Any]:
    """The answer of `verify` as JSON."""
    answer: dict[str, Any] = {
        "passed": report.passed,
        "failed": [
            {"ruling": ruling.id, "faults": list(faults)} for ruling, faults in report.failed
        ],
    }
    if coverage is not None:
        answer["coverage"] = {item.edition: item.to_dict() for item in coverage}
    return answer
