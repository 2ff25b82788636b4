"""What earlier runs found."""

from __future__ import annotations

import json
import os
import pickle
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from pyengine.verify import Ruling
from tests.mutations.bench import Case, Key, Record, Run, digest
from tests.mutations.changes import Mutant
from tests.mutations.trial import Result

# of the results that are kept: to be changed with what a status means
FORM = "1"


class Memory:
    """Results of earlier runs, in a file of the folder for temporary files.

    Killed is killed as long as rules, engine and the ruling that failed are what they were. What was not
    killed is remembered with the rulings it was tried on, so that only others are left to try.
    """

    def __init__(self, content: str) -> None:
        folder = Path(tempfile.gettempdir()) / f"pyengine-mutations-{os.getuid()}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.stat().st_uid != os.getuid():
            raise PermissionError(f"{folder} is somebody else's")
        self.path = folder / "results.json"
        self.content = content
        try:
            known = json.loads(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            known = {}
        self.hints: dict[str, str] = known.get("hints", {})
        same = known.get("content") == content
        self.killed: dict[str, list[str]] = known.get("killed", {}) if same else {}
        self.others: dict[str, list[str]] = known.get("others", {}) if same else {}
        self.tried: dict[str, list[str]] = known.get("tried", {}) if same else {}

    def result(
        self, mutant: Mutant, marks: Mapping[str, str], recorded: Collection[str]
    ) -> tuple[Result | None, frozenset[str]]:
        """What is known of a mutant, and the marks of the rulings it was tried on."""
        nothing = (None, frozenset[str]())
        if mutant.key in self.killed:
            by, mark, how = self.killed[mutant.key]
            return (Result("killed", by, how), frozenset()) if marks.get(by) == mark else nothing
        if mutant.key not in self.others:
            return nothing
        status, by, how, set_ = self.others[mutant.key]
        tried = frozenset(self.tried.get(set_, ()))
        if by and marks.get(by) not in tried:
            return nothing
        if status in ("told", "unrecorded"):
            status = "told" if by in recorded else "unrecorded"
        return Result(status, by, how), tried

    def keep(self, mutant: Mutant, result: Result, marks: Mapping[str, str]) -> None:
        """Remembers a result that is of all these rulings."""
        self.others.pop(mutant.key, None)
        self.killed.pop(mutant.key, None)
        if result.status == "killed":
            self.killed[mutant.key] = [result.by, marks.get(result.by, ""), result.how]
            self.hints[mutant.key] = result.by
        else:
            every = sorted(marks.values())
            self.tried[digest(every)] = every
            self.others[mutant.key] = [result.status, result.by, result.how, digest(every)]

    def cases(self, keys: frozenset[str]) -> dict[str, Run]:
        """Rulings that ran with probes of these mutants, by their marks."""
        try:
            content, probed, runs = pickle.loads(self.path.with_suffix(".pickle").read_bytes())
        except (OSError, ValueError, pickle.PickleError, EOFError, AttributeError, TypeError):
            return {}
        return runs if content == self.content and keys <= probed else {}

    def keep_cases(
        self, keys: frozenset[str], cases: Sequence[Case], records: Mapping[Key, Record]
    ) -> None:
        runs = {
            mark(case.ruling): (case, {key: records[key] for key in (*case.keys, *case.more)})
            for case in cases
        }
        new = self.path.with_suffix(f".{os.getpid()}")
        new.write_bytes(pickle.dumps((self.content, keys, runs)))
        new.replace(self.path.with_suffix(".pickle"))

    def save(self) -> None:
        known = {
            "content": self.content,
            "hints": self.hints,
            "killed": self.killed,
            "others": self.others,
            "tried": self.tried,
        }
        new = self.path.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(known), "utf-8")
        new.replace(self.path)


def mark(ruling: Ruling) -> str:
    """What a ruling asks and says, as a digest."""
    return digest(
        map(
            repr,
            (
                ruling.id,
                ruling.state,
                ruling.legal,
                ruling.illegal,
                ruling.resolve,
                ruling.deck,
                ruling.opening,
                ruling.sight,
            ),
        )
    )
