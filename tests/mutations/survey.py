"""A run over rules and rulings, and its report."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyengine
from pyengine.documents import data_folder
from pyengine.solving import chapters
from pyengine.verify import Ruling
from tests.answers import recorded
from tests.mutations.bench import Bench, Case, Key, Record, Run, View, digest
from tests.mutations.changes import Mutant, mutants, read_rules
from tests.mutations.memory import FORM, Memory, mark
from tests.mutations.programs import Edition
from tests.mutations.trial import Result, attempt, better, spread
from tests.rulings import every_ruling

PROVED = ("killed", "told")
SURVIVORS = ("unproved", "unrecorded", "equivalent", "unreached")
# what concerns 508-516
CONCERNED = (
    "rules.lp",
    *(
        f"rules/{name}.lp"
        for name in (
            "attack",
            "main_phase",
            "blow",
            "legality",
            "declare",
            "abilities",
            "filters",
            "pools",
            "wounds",
            "replacement",
            "replacing",
            "prevention",
            "effects",
            "turn",
            "queue",
            "playing",
        )
    ),
)


@dataclass(frozen=True)
class Report:
    """The results of a run; ``failing``: rulings that fail without any change, not used."""

    results: tuple[tuple[Mutant, Result], ...]
    failing: tuple[str, ...]

    @property
    def unexplained(self) -> list[tuple[Mutant, Result]]:
        return [(m, r) for m, r in self.results if r.status in SURVIVORS and m.excuse is None]

    @property
    def stale(self) -> list[str]:
        """Comments for mutants of which none survives."""
        alive = {(m.rule, m.kind) for m, r in self.results if r.status in SURVIVORS}
        rules = {m.rule for m, _ in self.results}
        return [
            f"{rule.place}: {kind}"
            for rule in sorted(rules, key=lambda rule: (rule.file, rule.line))
            for kind in rule.excuses
            if (rule, kind) not in alive
        ]


def survey(
    editions: Sequence[str] = (),
    files: Sequence[str] = (),
    sample: int = 0,
    seed: int = 0,
    jobs: int = 1,
    depth: int = 0,
    fresh: bool = False,
    asked: Collection[str] | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Report:
    """Makes the mutants and tries them.

    Args:
        editions: whose rules and rulings; none: of all editions.
        files: the rule files; none: all.
        sample: so many rules, drawn by the seed; 0: all.
        seed: draws the sample.
        jobs: processes; 0: here.
        depth: try a mutant on so many rulings at most; 0: on all.
        fresh: trust no earlier run, and leave nothing for a later one.
        asked: the ids of the rulings that are asked; None: all.
        say: told how far it is.
    """
    root = data_folder("rules").parent
    folder = data_folder("rules") / "editions"
    names = list(editions) or sorted(path.stem for path in folder.glob("*.lp"))
    entries = [f"rules/editions/{name}.lp" for name in names]
    paths = dict.fromkeys(path for entry in entries for path in chapters(entry))
    rules = [rule for path in paths for rule in read_rules(path, path.relative_to(root).as_posix())]
    wanted = [rule for rule in rules if not files or rule.file in files]
    if sample:
        # drawn by what they say, so that a rule that comes or goes leaves the others in the sample
        drawn = sorted(wanted, key=lambda rule: digest((str(seed), rule.file, str(rule.node))))
        wanted = sorted(drawn[:sample], key=lambda rule: (rule.file, rule.line))
    every = mutants(wanted)
    rulings = [
        ruling
        for ruling in every_ruling()
        if ruling.edition in names and (asked is None or ruling.id in asked)
    ]
    record = frozenset(recorded())
    marks = {ruling.id: mark(ruling) for ruling in rulings}
    package = Path(pyengine.__file__).parent
    code = sorted([*package.glob("*.py"), *(package / "verify").glob("*.py")])
    statement = (f"{rule.file} {rule.node}" for rule in rules)
    memory = Memory(digest([FORM, *names, *statement, *(path.read_text("utf-8") for path in code)]))
    known = {
        mutant.number: (None, frozenset[str]()) if fresh else memory.result(mutant, marks, record)
        for mutant in every
    }
    whole = frozenset(marks.values())
    results: dict[int, Result] = {}
    for number, (result, tried) in known.items():
        if result is not None and (result.status == "killed" or whole <= tried):
            results[number] = result
    left = [mutant for mutant in every if mutant.number not in results]
    say(f"{len(wanted)} rules, {len(every)} mutants, {len(left)} to try on {len(rulings)} rulings")
    failing: list[str] = []
    if left:
        bench = Bench([Edition(entry, rules, left) for entry in entries])
        keys = frozenset(mutant.key for mutant in left)
        cases = _cases(bench, rulings, jobs, say, {} if fresh else memory.cases(keys))
        failing = [case.ruling.id for case in cases if case.faults]
        if not fresh:
            memory.keep_cases(keys, cases, bench.records)
        cases = [case for case in cases if not case.faults]
        by_number = {mutant.number: mutant for mutant in left}

        bench.timed = jobs > 0

        def work(number: int) -> Result:
            mutant = by_number[number]
            before, tried = known[number]
            new = [case for case in cases if marks[case.ruling.id] not in tried]
            hint = memory.hints.get(mutant.key, "")
            return better(before, attempt(bench, new, mutant, hint, depth, record))

        late = Result("killed", "", "it does not come to an end")
        began = saved = time.monotonic()
        for number, result in spread([m.number for m in left], work, jobs, late):
            results[number] = result
            if result.status == "killed" or not depth:
                memory.keep(by_number[number], result, marks)
            done = sum(m.number in results for m in left)
            if time.monotonic() - saved > 20:
                saved = time.monotonic()
                say(f"{done} of {len(left)}, {saved - began:.0f} s")
                if not fresh:
                    memory.save()
        if not fresh:
            memory.save()
    return Report(tuple((mutant, results[mutant.number]) for mutant in every), tuple(failing))


def _cases(
    bench: Bench,
    rulings: Sequence[Ruling],
    jobs: int,
    say: Callable[[str], None],
    known: Mapping[str, Run],
) -> list[Case]:
    """Runs all rulings with the probes, where that is not known."""

    def work(number: int) -> Run:
        ruling = rulings[number]
        bench.records = {}
        with bench.judging(None):
            before = time.process_time()
            faults = bench.faults(ruling)
            keys = tuple(dict.fromkeys(bench.asked))
            seconds = time.process_time() - before
            bench.asked = []
            view = View({}, (), ()) if faults else bench.view(ruling)
            more = tuple(dict.fromkeys(bench.asked))
        return Case(ruling, faults, keys, more, view, seconds), bench.records

    out: dict[int, Case] = {}
    records: dict[Key, Record] = {}
    for number, ruling in enumerate(rulings):
        if mark(ruling) in known:
            out[number], found = known[mark(ruling)]
            records.update(found)
    for number, answer in spread([n for n in range(len(rulings)) if n not in out], work, jobs):
        out[number], found = answer
        records.update(found)
        if len(out) % 100 == 0:
            say(f"{len(out)} of {len(rulings)} rulings")
    bench.records = records
    return [out[number] for number in sorted(out)]


# --- the command -----------------------------------------------------------------------------------


def told(report: Report) -> str:
    """The report for people: survivors, then the numbers."""
    lines: list[str] = []
    for status in SURVIVORS:
        for mutant, result in report.results:
            if result.status == status:
                lines.append(f"{status}: {mutant.rule.place}: {mutant.text}")
                lines.append(f"    {mutant.rule.node}")
                if result.by:
                    lines.append(f"    {result.by}: {result.how}")
                if mutant.excuse:
                    lines.append(f"    explained: {mutant.excuse}")
    lines += [f"fails unchanged, not used: {ruling}" for ruling in report.failing]
    lines += [f"explains nothing: {place}" for place in report.stale]
    counts = Counter(result.status for _, result in report.results)
    numbers = ", ".join(f"{counts[status]} {status}" for status in (*PROVED, *SURVIVORS))
    explained = sum(m.excuse is not None and r.status in SURVIVORS for m, r in report.results)
    rules = len({mutant.rule for mutant, _ in report.results})
    lines.append(
        f"{rules} rules, {len(report.results)} mutants: {numbers}; {explained} of the survivors explained"
    )
    return "\n".join(lines)


def document(report: Report) -> dict[str, Any]:
    """The report as JSON."""
    return {
        "failing": list(report.failing),
        "stale": report.stale,
        "counts": dict(Counter(result.status for _, result in report.results)),
        "mutants": [
            {
                "place": mutant.rule.place,
                "rule": str(mutant.rule.node),
                "mutant": mutant.text,
                "kind": mutant.kind,
                "status": result.status,
                "by": result.by,
                "how": result.how,
                "explained": mutant.excuse,
            }
            for mutant, result in report.results
        ],
    }
