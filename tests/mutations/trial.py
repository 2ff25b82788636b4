"""One mutant tried, and many at a time."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from tests.mutations.bench import Bench, Case, Key
from tests.mutations.changes import Mutant

# questions more than a whole program needs, before a mutant is given up
_PATIENCE = 100
# what a mutant may take of memory
_BYTES = 3 << 30


@dataclass(frozen=True)
class Result:
    """What came of a mutant. ``by``: the ruling that shows it; ``how``: what differs."""

    status: str
    by: str = ""
    how: str = ""


# from what says most of a mutant to what says least
STATUSES = ("killed", "unproved", "told", "unrecorded", "equivalent", "unreached")


def better(before: Result | None, now: Result) -> Result:
    """Of the results on some rulings and on others that of them all."""
    if before is None or STATUSES.index(now.status) <= STATUSES.index(before.status):
        return now
    return before


def attempt(
    bench: Bench,
    cases: Sequence[Case],
    mutant: Mutant,
    first: str = "",
    depth: int = 0,
    recorded: Collection[str] = (),
) -> Result:
    """Tries one mutant on the cases that it touches, ``first`` first.

    Args:
        bench: asks the engine.
        cases: the rulings, as they went.
        mutant: what is tried.
        first: the ruling that is tried before the others.
        depth: of more than so many cases, not all are tried; 0: always all.
        recorded: the rulings whose answers are recorded in full.
    """
    touched = {key for key, record in bench.records.items() if mutant.key in record.touched}
    order = [case for case in cases if not touched.isdisjoint((*case.keys, *case.more))]
    if not order:
        return Result("unreached")
    order.sort(key=lambda case: case.seconds)
    if 0 < depth < len(order):
        some = order[:: -(-len(order) // depth)]
        order = [case for case in order if case.ruling.id == first] + some
    order.sort(key=lambda case: (case.ruling.id != first, case.ruling.id not in recorded))
    with bench.judging(mutant):
        different: dict[Key, bool] = {}

        def bears(case: Case, keys: Sequence[Key]) -> bool:
            for key in keys:
                if key in touched and key not in different:
                    different[key] = bench.differs(key)
                if different.get(key):
                    bench.budget = _PATIENCE + 3 * len(keys)
                    return True
            return False

        case = order[0]
        try:
            for case in order if not mutant.rule.tells else ():
                if bears(case, case.keys):
                    faults = bench.faults(case.ruling)
                    if faults:
                        return Result("killed", case.ruling.id, faults[0][:200])
            for case in order:
                if not bears(case, (*case.keys, *case.more)):
                    continue
                view = bench.view(case.ruling)
                parts = case.view.sayable(view)
                if parts:
                    return Result("unproved", case.ruling.id, ", ".join(parts))
                rest = case.view.rest(view)
                if rest:
                    told = "told" if case.ruling.id in recorded else "unrecorded"
                    return Result(told, case.ruling.id, rest[:200])
        except Exception as error:  # a breakdown is noticed, whatever it is
            return Result("killed", case.ruling.id, f"{type(error).__name__}: {error}"[:200])
    return Result("equivalent")


# --- many at a time ------------------------------------------------------------------------------


def _serve(connection: Connection, work: Callable[[Any], Any]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_BYTES, _BYTES))
    parent = os.getppid()
    while True:
        while not connection.poll(5):
            if os.getppid() != parent:
                return
        task = connection.recv()
        if task is None:
            return
        connection.send(work(task))


def spread(
    tasks: Sequence[Any], work: Callable[[Any], Any], jobs: int, late: Any = None
) -> Iterator[tuple[Any, Any]]:
    """Does tasks in forked processes, or here if there are no jobs.

    A task whose process was ended by the clock gives ``late``.
    """
    if not jobs:
        yield from ((task, work(task)) for task in tasks)
        return
    context = multiprocessing.get_context("fork")
    waiting = list(reversed(tasks))
    busy: dict[Any, tuple[Any, Any]] = {}

    def start() -> None:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, work), daemon=True)
        process.start()
        theirs.close()
        give(ours, process)

    def give(connection: Connection, process: Any) -> None:
        task = waiting.pop() if waiting else None
        connection.send(task)
        if task is None:
            process.join()
        else:
            busy[connection] = (process, task)

    for _ in range(min(jobs, len(tasks))):
        start()
    connection: Any
    while busy:
        for connection in wait(list(busy)):
            process, task = busy.pop(connection)
            try:
                answer = connection.recv()
            except EOFError:
                process.join()
                if process.exitcode != -signal.SIGPROF:
                    raise RuntimeError(f"a process ended at {task}: {process.exitcode}") from None
                yield task, late
                if waiting:
                    start()
            else:
                yield task, answer
                give(connection, process)
