"""Consistency: what contradicts what, each with the smallest position that shows it.

``check`` runs the searches of ``registry``; what they find is data (``findings``), and words for
people are in ``words``. Searches never decide a rule of the game: they ask the rules.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from pyengine import cluster
from pyengine.audit.findings import (
    CODES,
    SEVERITIES,
    Difference,
    Finding,
    Found,
    Place,
    Report,
    Searched,
    Witness,
)
from pyengine.audit.registry import (
    Context,
    Done,
    Job,
    Options,
    Progress,
    Search,
    chosen,
    faults,
    run,
)
from pyengine.audit.scope import Scope
from pyengine.limits import whole
from pyengine.model import StateError

__all__ = [
    "CODES", "SEVERITIES", "Difference", "Finding", "Options", "Place", "Report", "Scope",
    "Searched", "Witness", "check", "faults",
]  # fmt: skip


def check(
    options: Options, progress: Progress | None = None, jobs: int = 1, scheduler: str | None = None
) -> Report:
    """Runs the searches that were asked for.

    Args:
        options: what was asked for.
        progress: told what is being searched, how much is done, and of how much if it is known.
        jobs: how many processes search.
        scheduler: the address of a Dask scheduler whose workers search instead.

    Raises:
        StateError: all faults of the options and of the author's cards.
    """
    whole(jobs=(jobs, 1, None))
    if wrong := faults(options):
        raise StateError(wrong)
    context = Context(options)
    wanted = chosen(context)
    work = [
        Job(options, name, part)
        for name, search in wanted.items()
        for part in search.parts(context)
    ]
    done = _run_all(work, progress, jobs, scheduler)
    findings = {finding for each in done for finding in each.findings}
    return Report(
        options.edition,
        options.scope,
        tuple(_searched(options, wanted.values(), done, findings)),
        tuple(sorted(findings, key=Finding.order)),
        differences=_differences(options, findings),
        against=options.against,
        errors=tuple(sorted({error for each in done for error in each.errors})),
        time_limit=options.time_limit,
    )


def _differences(options: Options, findings: Iterable[Finding]) -> tuple[Difference, ...]:
    if options.against is None:
        return ()
    from pyengine.audit.compare import differences

    return differences(sorted(findings, key=Finding.order), (options.edition, options.against))


def _run_all(
    work: Sequence[Job], progress: Progress | None, jobs: int, scheduler: str | None
) -> list[Done]:
    """What came of every job; where other processes are at work, only their ends are heard of."""
    jobs = min(jobs, len(work))
    if jobs < 2 and scheduler is None:
        return list(_one_by_one(work, progress))
    done: list[Done] = []
    for place, each in enumerate(cluster.run((partial(run, job) for job in work), scheduler, jobs)):
        if progress is not None:
            progress(work[place].search.rpartition(".")[2], place + 1, len(work))
        done.append(each)
    return done


def _one_by_one(work: Sequence[Job], progress: Progress | None) -> Iterator[Done]:
    """Each search has its share of the time; what one does not need is left to those behind it."""
    waiting = list(dict.fromkeys(job.search for job in work))
    share = None
    for place, job in enumerate(work):
        if place == 0 or job.search != work[place - 1].search:
            share = job.options.until
            if share is not None:
                now = time.time()
                share = now + (share - now) / len(waiting)
            waiting.remove(job.search)
        yield run(replace(job, options=replace(job.options, until=share)), progress)


def _searched(
    options: Options, wanted: Iterable[Search], done: Sequence[Done], findings: Iterable[Finding]
) -> Iterable[Searched]:
    """For each code that was looked for how that ended."""
    found = {finding.code for finding in findings}
    codes: dict[str, list[Done]] = {}
    for search in wanted:
        for code in search.codes:
            if not options.only or code in options.only:
                codes.setdefault(code, []).extend(d for d in done if d.search == search.name)
    for code in sorted(codes, key=CODES.index):
        seconds = sum(each.seconds for each in codes[code])
        left = tuple(sorted({reason for each in codes[code] for reason in each.left}))
        answer: Found = "found" if code in found else "undecided" if left else "none"
        yield Searched(code, answer, left, seconds)
