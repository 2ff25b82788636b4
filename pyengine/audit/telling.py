"""A report as JSON (CONTRACT 6), as SARIF 2.1.0, and for a person."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from pyengine.audit.findings import Difference, Finding, Report, Severity
from pyengine.audit.words import CODES
from pyengine.i18n import Lang, many, say

SARIF_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)


def document(report: Report, lang: Lang) -> dict[str, Any]:
    """The report as CONTRACT 6 has it."""
    out: dict[str, Any] = {
        "edition": report.edition,
        "scope": report.scope.document(),
        "time_limit": report.time_limit,
        "searched": [
            {"code": each.code, "answer": each.answer}
            | ({"left": [reason.of(lang) for reason in each.left]} if each.left else {})
            for each in report.searched
        ],
    }
    if report.against is not None:
        out["against"] = report.against
        out["differences"] = [
            {
                "declaration": each.declaration,
                "legality": each.legality,
                "outcomes": each.outcomes,
            }
            for each in report.differences
        ]
    out["findings"] = [_finding(each, lang) for each in report.findings]
    if report.errors:
        out["errors"] = list(report.errors)
    return out


def _finding(finding: Finding, lang: Lang) -> dict[str, Any]:
    witness = finding.witness
    out: dict[str, Any] = {
        "code": finding.code,
        "severity": finding.severity,
        "rules": list(finding.rules),
        "cards": list(finding.cards),
        "witness": None
        if witness is None
        else {
            "state": witness.state.to_dict(),
            "action": None if witness.action is None else str(witness.action),
        },
        "text": finding.text.of(lang),
        "remedy": finding.remedy.of(lang),
        "places": [{"file": place.file, "line": place.line} for place in finding.places],
    }
    if finding.way is not None:
        out["difference"] = finding.way._asdict()
    if finding.pair_of is not None:
        out["pair_of"] = finding.pair_of
    return out


# ---------------------------------------------------------------- SARIF


def sarif(report: Report, lang: Lang, version: str) -> dict[str, Any]:
    """The report as a SARIF 2.1.0 log, for code hosts that show findings beside the files."""
    codes = list(CODES)
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "pyengine",
                        "version": version,
                        "rules": [
                            {
                                "id": code,
                                "name": "".join(part.title() for part in code.split("-")),
                                "shortDescription": {"text": title.of(lang)},
                                "fullDescription": {"text": meaning.of(lang)},
                            }
                            for code, (title, meaning) in CODES.items()
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not report.errors,
                        "toolExecutionNotifications": [
                            {"level": "error", "message": {"text": error}}
                            for error in report.errors
                        ],
                    }
                ],
                "results": [_result(each, codes, lang) for each in report.findings],
            }
        ],
    }


def _result(finding: Finding, codes: list[str], lang: Lang) -> dict[str, Any]:
    out: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.severity,
        "message": {"text": f"{finding.text.of(lang)}. {_capital(finding.remedy.of(lang))}."},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": place.file},
                    "region": {"startLine": place.line},
                }
            }
            for place in finding.places
        ],
    }
    if finding.witness is not None:
        out["properties"] = {"witness": _finding(finding, lang)["witness"]}
    return out


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# ---------------------------------------------------------------- for a person

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "note": "cyan"}


def picture(report: Report, lang: Lang) -> RenderableType:
    """The report for a person who reads in a terminal."""
    return Group(*_parts(report, lang))


def _parts(report: Report, lang: Lang) -> Iterator[RenderableType]:
    sides = report.edition if report.against is None else f"{report.edition} — {report.against}"
    limit = say("no_time_limit", lang)
    if report.time_limit is not None:
        limit = say("time_limit", lang, seconds=f"{report.time_limit:g}")
    yield Text(f"{sides} · {say('scope', lang)} {report.scope} · {limit}", style="bold")
    for each in report.searched:
        title = CODES[each.code][0].of(lang)
        answer = "found_so_far" if each.left and each.answer == "found" else each.answer
        yield Text(f"  {each.code}: {title} — {say(f'answer_{answer}', lang)}")
        for reason in each.left:
            yield Text(f"    – {reason.of(lang)}", style="dim")
    if report.differences:
        yield Text("")
        whole = not any(each.left for each in report.searched)
        for difference in report.differences:
            yield _difference(difference, lang, whole)
    for finding in report.findings:
        yield Text("")
        yield from _paragraph(finding, lang)
    yield Text("")
    yield Text(many("findings", len(report.findings), lang), style="bold")


def _difference(difference: Difference, lang: Lang, whole: bool) -> Text:
    """A kind of declaration; ``whole``: everything has been looked at."""

    def side(how: str) -> str:
        return say("side_equal_so_far" if how == "equal" and not whole else f"side_{how}", lang)

    legality, outcomes = side(difference.legality), side(difference.outcomes)
    line = say("sides", lang, legality=legality, outcomes=outcomes)
    return Text(f"  {difference.declaration}: {line}")


def _paragraph(finding: Finding, lang: Lang) -> Iterator[Text]:
    mark = say(f"severity_{finding.severity}", lang)
    yield Text.assemble(
        (f"{mark} {finding.code}", _STYLES[finding.severity]), f": {finding.text.of(lang)}"
    )
    for place in finding.places:
        yield Text(f"  {place.file}:{place.line}", style="dim")
    yield Text(f"  → {finding.remedy.of(lang)}")
    if finding.witness is not None:
        shown = finding.witness.state.to_yaml().splitlines()
        if finding.witness.action is not None:
            shown.insert(0, f"# {finding.witness.action}")
        yield Text(f"  {say('witness', lang)}")
        for line in shown:
            yield from (Text(f"    {part}", style="dim") for part in _folded(line))


def _folded(line: str) -> list[str]:
    """A line of YAML in lines that a terminal does not break: what goes on stands further right."""
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(
        line, 74, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
