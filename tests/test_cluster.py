"""Jobs on several processes: every answer once and in order, whatever happens to a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from pyengine.audit import Options, check
from pyengine.cluster import TRIES, ClusterError, run

KILLED = -signal.SIGKILL


def double(number: int) -> int:
    return 2 * number


def fail(number: int) -> int:
    raise ValueError(f"no {number}")


def failing(error: Exception) -> int:
    raise error


class Strange(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_strangely() -> int:
    raise Strange(1, 2)


def die_once(number: int, mark: Path) -> int:
    """Ends its process the first time that it is done."""
    try:
        mark.open("x").close()
    except FileExistsError:
        return 2 * number
    os.kill(os.getpid(), signal.SIGKILL)
    return -1


def die(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def large(number: int) -> bytes:
    return bytes([number]) * 3_000_000


def noted(number: int, folder: Path) -> int:
    """Leaves a mark of each time that it is done, and of the process that did it."""
    # in the name, which is there as a whole or not at all: the process may be killed any time
    (folder / f"{number}-{time.monotonic_ns()}-{os.getpid()}").touch()
    time.sleep(0.02)
    return number


def pid(mark: Path) -> int:
    """The process that left a mark."""
    return int(mark.name.rpartition("-")[2])


@pytest.mark.parametrize("workers", [0, 1, 2, 3])
def test_the_order_is_kept(workers: int) -> None:
    jobs = [partial(double, number) for number in range(20)]
    assert list(run(jobs, workers=workers)) == [2 * number for number in range(20)]


def test_no_jobs() -> None:
    assert list(run([], workers=2)) == []


@pytest.mark.parametrize("workers", [0, 2])
def test_what_a_job_raises_comes_in_its_place(workers: int) -> None:
    answers = run([partial(double, 1), partial(fail, 2), partial(double, 3)], workers=workers)
    assert next(answers) == 2
    with pytest.raises(ValueError, match="no 2"):
        next(answers)


def test_an_error_that_cannot_be_sent_is_told() -> None:
    with pytest.raises(ClusterError, match="Strange: 1 and 2"):
        list(run([fail_strangely], workers=2))


def test_jobs_are_taken_as_they_are_needed() -> None:
    taken = []

    def endless() -> Iterator[Any]:
        while True:
            taken.append(1)
            yield partial(double, len(taken))

    answers = run(endless(), workers=2)
    assert [next(answers) for _ in range(10)] == [2 * number for number in range(1, 11)]
    assert len(taken) < 20
    answers.close()  # type: ignore[attr-defined]


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    jobs: list[Any] = [partial(double, number) for number in range(12)]
    jobs[3] = partial(die_once, 3, tmp_path / "one")
    jobs[4] = partial(die_once, 4, tmp_path / "two")
    assert list(run(jobs, workers=2)) == [2 * number for number in range(12)]


@pytest.mark.parametrize(("renew", "processes"), [(1, 12), (1 << 40, 2), (0, 2)])
def test_a_process_that_holds_much_is_replaced(tmp_path: Path, renew: int, processes: int) -> None:
    """No answer is lost, none is out of order, and no job is done twice."""
    jobs = [partial(noted, number, tmp_path) for number in range(12)]
    assert list(run(jobs, workers=2, renew=renew)) == list(range(12))
    marks = list(tmp_path.iterdir())
    assert len(marks) == 12 and len({pid(mark) for mark in marks}) == processes


def test_a_process_that_is_killed_from_outside(tmp_path: Path) -> None:
    answers = run([partial(noted, number, tmp_path) for number in range(60)], workers=2)
    first = next(answers)
    victim = pid(next(tmp_path.glob("0-*")))
    os.kill(victim, signal.SIGKILL)
    assert [first, *answers] == list(range(60))


def test_a_job_that_ends_every_process_is_given_up() -> None:
    answers = run([partial(double, 1), partial(die, 2), partial(double, 3)], workers=2)
    assert next(answers) == 2
    with pytest.raises(ClusterError, match=rf"{TRIES} times \(exit code {KILLED}\)"):
        next(answers)


def test_a_script_that_asks_for_processes_whenever_it_is_read(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from functools import partial\n"
        "from pyengine.cluster import run\n"
        "print(list(run([partial(int, 1)], workers=2)))\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, check=False, text=True, timeout=120
    )
    assert done.returncode == 1
    assert 'under `if __name__ == "__main__":`' in done.stderr.splitlines()[-1]


def test_answers_larger_than_a_pipe() -> None:
    found = list(run([partial(large, number) for number in range(8)], workers=2))
    assert [(each[0], len(each)) for each in found] == [(n, 3_000_000) for n in range(8)]


def test_whoever_stops_listening_leaves_no_process(tmp_path: Path) -> None:
    answers = run((partial(noted, number, tmp_path) for number in range(1000)), workers=2)
    next(answers)
    answers.close()  # type: ignore[attr-defined]
    for mark in tmp_path.iterdir():
        with pytest.raises(ProcessLookupError):
            os.kill(pid(mark), 0)


# --- a Dask cluster ------------------------------------------------------------------------------

WITHOUT = "needs Dask: pip install 'pyengine[dask]'"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason=WITHOUT)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None,
        host="127.0.0.1",
    ) as local:  # fmt: skip
        yield local


def test_a_cluster_keeps_the_order(cluster: Any) -> None:
    jobs = [partial(double, number) for number in range(50)]
    assert list(run(jobs, cluster.scheduler_address)) == [2 * number for number in range(50)]


def test_equal_jobs_are_answered_each(cluster: Any) -> None:
    assert list(run([partial(double, 4)] * 5, cluster.scheduler_address)) == [8] * 5


def test_a_job_raises_on_a_cluster(cluster: Any) -> None:
    answers = run([partial(double, 1), partial(fail, 2)], cluster.scheduler_address)
    assert next(answers) == 2
    with pytest.raises(ValueError, match="no 2"):
        next(answers)


def test_a_worker_of_a_cluster_is_killed_midway(cluster: Any, tmp_path: Path) -> None:
    jobs = [partial(noted, number, tmp_path) for number in range(100)]
    answers = run(jobs, cluster.scheduler_address)
    found = [next(answers) for _ in range(10)]
    workers = {pid(mark) for mark in tmp_path.iterdir()}
    assert len(workers) == 2
    os.kill(min(workers), signal.SIGKILL)
    found += answers
    assert found == list(range(100))
    assert {int(mark.name.split("-")[0]) for mark in tmp_path.iterdir()} == set(found)


def test_a_job_that_ends_every_worker_is_given_up(cluster: Any) -> None:
    with pytest.raises(ClusterError, match="ended the Dask workers"):
        list(run([partial(die, 1)], cluster.scheduler_address))


def test_no_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason=WITHOUT)
    monkeypatch.setattr("pyengine.cluster.TIMEOUT", 0.5)
    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(run([partial(double, 1)], "tcp://127.0.0.1:9"))
    with pytest.raises(ClusterError, match="no Dask scheduler answers at nowhere"):
        list(run([partial(double, 1)], "nowhere:1:2"))


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere:1:2"])
def test_the_collector_may_run_where_dask_holds_its_lock(address: str) -> None:
    pytest.importorskip("distributed", reason=WITHOUT)
    refused_and_forgotten = dedent(f"""
        import gc
        from functools import partial
        from distributed.utils import LoopRunner
        from pyengine import cluster
        cluster.TIMEOUT = 0.5
        gc.disable()
        try:
            list(cluster.run([partial(int, 1)], {address!r}))
        except cluster.ClusterError:
            pass
        with LoopRunner._lock:
            gc.collect()
        print("collected")
        """)
    done = subprocess.run(
        [sys.executable, "-c", refused_and_forgotten],
        capture_output=True, check=False, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "collected\n", done.stderr


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed", reason=WITHOUT)
    monkeypatch.setattr("pyengine.cluster.TIMEOUT", 5.0)  # a busy machine takes some to connect
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1") as empty,
        pytest.raises(ClusterError, match="has no workers: start some with"),
    ):
        list(run([partial(double, 1)], empty.scheduler_address))


def test_a_scheduler_that_stops_answering(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask itself would wait for the answer to one question for ever."""
    distributed = pytest.importorskip("distributed", reason=WITHOUT)
    monkeypatch.setattr("pyengine.cluster.TIMEOUT", 2.0)
    monkeypatch.setattr(distributed.Client, "wait_for_workers", lambda *_, **__: time.sleep(60))
    start = time.monotonic()
    with pytest.raises(ClusterError, match="has no workers: start some with"):
        list(run([partial(double, 1)], cluster.scheduler_address))
    assert time.monotonic() - start < 30


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"pip install 'pyengine\[dask\]'"):
        list(run([partial(double, 1)], "tcp://127.0.0.1:8786"))


# --- a check on a cluster ------------------------------------------------------------------------


def killing(victims: list[int]) -> Any:
    """Progress that kills a worker once a part is done."""

    def told(code: str, done: int, total: int | None) -> None:
        if done == 1 and victims:
            os.kill(victims.pop(), signal.SIGKILL)

    return told


def test_a_check_loses_nothing_when_a_worker_is_killed_midway(cluster: Any, tmp_path: Path) -> None:
    # three parts: one faulty card in each
    faulty = '["strike_becomes(1,any)", "strike_becomes(3,any)"]'
    lines = [
        f"- {{id: k{n}, type: creature, life: 3, abilities: {faulty if n % 16 == 5 else []}}}"
        for n in range(48)
    ]
    cards = tmp_path / "cards.yaml"
    cards.write_text("\n".join(["cards:", *lines]) + "\n", encoding="utf-8")
    options = Options(only=("order",), cards=str(cards), sets=())
    alone = check(options)
    victims = [worker.pid for worker in cluster.workers.values()][:1]
    shared = check(options, killing(victims), scheduler=cluster.scheduler_address)
    assert not victims, "nobody was killed"
    assert [finding.cards for finding in alone.findings] == [("k21",), ("k37",), ("k5",)]
    assert shared.findings == alone.findings
    assert [each.answer for each in shared.searched] == ["found"]
