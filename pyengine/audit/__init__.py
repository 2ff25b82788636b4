"""Consistency: what contradicts what, each with the smallest position that shows it.

``check`` runs the searches of ``registry``; what they find is data (``findings``), and words for
people are in ``words``. Searches never decide a rule of the game: they ask the rules.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
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
    given_up,
    run,
    searches,
)
from pyengine.audit.scope import Scope
from pyengine.limits import whole
from pyengine.model import StateError

__all__ = [
    "CODES", "SEVERITIES", "Difference", "Finding", "Options", "Place", "Report", "Scope",
    "Searched", "Witness", "check", "faults",
]  # fmt: skip


_LEAST = 0.5  # seconds that a part of a long search is given at least
_UNEVEN = 2  # so much more than its equal share may one of several parts take
_GRACE = 1.0  # seconds after the end of the time in which other processes may say what they have


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
    until = work[0].options.until if work else None
    done: dict[int, Done] = {}
    queue = _Queue(work, until, jobs)
    while queue.waiting:
        end = None if until is None else time.monotonic() + until - time.time() + _GRACE
        for each in cluster.run(queue.tasks(), scheduler, jobs, until=end, late=None):
            place = queue.answered(each)
            if each is None:
                done.setdefault(place, given_up(work[place]))
            else:
                done[place] = each
            if progress is not None:
                progress(work[place].search.rpartition(".")[2], len(done), len(work))
        if until is not None and time.time() > until:
            break
    return [done.get(place) or given_up(job) for place, job in enumerate(work)]


class _Queue:
    """The jobs as they are given to other processes, where the time is limited with a share of it.

    What takes little time comes first and is seldom cut; the long searches share the rest evenly,
    and what its share has not done for waits behind the others for what they leave.
    """

    def __init__(self, work: Sequence[Job], until: float | None, processes: int) -> None:
        self.waiting = deque(range(len(work)))
        self._work, self._until, self._processes = work, until, processes
        self._asked: deque[int] = deque()
        self._begun: set[int] = set()
        self._budgets: dict[str, float] = {}  # seconds of all processes, by search

    def tasks(self) -> Iterator[Callable[[], Done]]:
        """Each when it is asked for."""
        while self.waiting:
            place = self.waiting.popleft()
            share = self._share(place)
            if share == 0 and place in self._begun:
                continue
            self._asked.append(place)
            self._begun.add(place)
            yield partial(run, replace(self._work[place], seconds=share))

    def answered(self, done: Done | None) -> int:
        """The number of the job that was answered, which waits again if it was cut."""
        place = self._asked.popleft()
        if done is not None:
            if done.search in self._budgets:
                self._budgets[done.search] -= done.seconds
            if done.cut and self._until is not None and time.time() < self._until:
                self.waiting.append(place)
        return place

    def _share(self, place: int) -> float | None:
        """The seconds of a job."""
        if self._until is None:
            return None
        left, name = max(self._until - time.time(), 0), self._work[place].search
        if place in self._begun:
            those = len(self.waiting) + 1
            return left if those <= self._processes else left * self._processes / those
        if not searches()[name].long:
            return left / 2
        names = {self._work[each].search for each in self.waiting}
        self._budgets.setdefault(name, left * self._processes / len({*names, name}))
        parts = 1 + sum(self._work[each].search == name for each in self.waiting)
        own = self._budgets[name] / parts * (1 if parts == 1 else _UNEVEN)
        return min(left, max(own, _LEAST))


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
