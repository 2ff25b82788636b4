"""The list of explained survivors, for docs/mutations.md."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from pyengine.documents import data_folder
from tests.mutations.changes import Rule, read_rules

HEADING = "## Explained survivors"


def every_rule() -> list[Rule]:
    """The rules of all rule files."""
    root = data_folder("rules").parent
    paths = [root / "rules.lp", *sorted((root / "rules").rglob("*.lp"))]
    return [rule for path in paths for rule in read_rules(path, path.relative_to(root).as_posix())]


def explained(rules: Sequence[Rule]) -> str:
    """By file and reason: which mutants, of what."""
    lines: list[str] = []
    for file, group in groupby(rules, key=lambda rule: rule.file):
        rows = [(rule, kind, why) for rule in group for kind, why in rule.excuses.items()]
        if rows:
            lines += ["", f"### {file}", ""]
        for rule, kind, why in rows:
            lines.append(f"- {kind}: {why}: `{rule.node.head}`")
    return "\n".join(lines).lstrip("\n") + "\n"
