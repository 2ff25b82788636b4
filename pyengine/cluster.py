"""Independent jobs on several processes, of this machine or of a Dask cluster, answered in order.

`run` is all there is to know. A job is a function without arguments that can be pickled, most
simply ``functools.partial(function, item)``. Each is answered exactly once: a job whose process is
killed is done again by another, and an answer that was lost on the way is worked out anew. So a job
may be begun more than once, and must do nothing but compute.

Here every process has a pipe of its own. What breaks with a process is then that pipe alone, and
it is known which job was lost; a queue that the processes share (as in ``ProcessPoolExecutor``)
breaks for all, and waits without end if one of them dies while it writes.

A process that holds too much after an answer is replaced before it is given another job.
"""

from __future__ import annotations

import pickle
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import islice
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import Empty, SimpleQueue
from typing import Any, Protocol, TypeVar

from pyengine.keeping import RENEW, held
from pyengine.limits import whole
from pyengine.model import PyengineError
from pyengine.watch import unheard

R = TypeVar("R")
Job = Callable[[], R]

MOST = 1024  # processes: more are a slip, and would take the machine with them
TRIES = 3  # how many processes a job may cost before it is given up
TIMEOUT = 30.0  # seconds for a scheduler to answer, and to have a worker
_AHEAD = 3  # jobs that are held for each process: one at work, the others ready
_FEWEST = 8  # a cluster is sent work for so many workers at least: some may still come
_UNGUARDED = (
    'see what it wrote; a script must ask for processes under `if __name__ == "__main__":`, since'
    " each of them reads the script again"
)


class ClusterError(PyengineError):
    """No answer could be had of the processes or the cluster; the message says why."""


class _Future(Protocol):
    def result(self, timeout: float | None = None) -> Any:
        """Waits for it; TimeoutError if it has not come within so many seconds."""

    def done(self) -> bool:
        """Whether it has come."""


def run(
    jobs: Iterable[Job[R]],
    scheduler: str | None = None,
    workers: int = 0,
    renew: int = RENEW,
    until: float | None = None,
    late: R | None = None,
) -> Iterator[R]:
    """The answers of the jobs, in their order, each once.

    Args:
        jobs: taken as they are needed, a few ahead of the answers.
        scheduler: the address of a Dask scheduler (``tcp://host:8786``), whose workers do the jobs;
            needs ``pip install pyengine[dask]`` here and there. None: processes of this machine.
        workers: how many processes of this machine; less than 2: this one itself.
        renew: a process of this machine that holds more bytes than these after an answer is
            replaced; 0: none is.
        until: when to wait no longer, as ``time.monotonic()`` tells it: no further job is taken
            then, and what is under way in other processes is given up.
        late: what comes in place of an answer that was given up.

    Raises:
        ClusterError: there is no such scheduler, it has no workers or went away, Dask is not
            installed, or one job ended ``TRIES`` processes.
        StateError: there cannot be so many processes or bytes.
        Exception: what a job raises, where its answer would be.
    """
    whole(workers=(workers, 0, MOST), renew=(renew, 0, None))
    if scheduler is not None:
        return _cluster(iter(jobs), scheduler, until, late)
    if workers < 2:
        return (job() for job in jobs)
    return _processes(iter(jobs), workers, renew, until, late)


def _window(
    jobs: Iterator[Job[R]],
    submit: Callable[[Job[R]], _Future],
    width: int,
    until: float | None,
    late: R | None,
) -> Iterator[R]:
    """The answers in order, with so many jobs under way."""
    waiting = deque(map(submit, islice(jobs, width)))
    while waiting:
        future = waiting.popleft()
        if until is None:
            answer = future.result()
        else:
            try:
                answer = future.result(max(until - time.monotonic(), 0))
            except TimeoutError:
                if future.done():
                    raise  # the job's own
                answer = late
        if until is None or time.monotonic() < until:
            waiting.extend(map(submit, islice(jobs, 1)))
        yield answer


# --- processes of this machine -----------------------------------------------------------------


class _Process:
    """A process that does one job after another; another takes its place if it is killed.

    ``renew``: or if it holds more bytes than these after an answer; 0: never.
    """

    def __init__(self, renew: int) -> None:
        self._most = renew
        self._turn = threading.Lock()
        self._over = False
        self._start()

    def _start(self) -> None:
        # a server that has read the rules, and is itself free of threads, forks quickly and safely
        server = "forkserver" in get_all_start_methods()
        context: Any = get_context("forkserver" if server else "spawn")
        if server:
            context.set_forkserver_preload(["pyengine.warm"])
        self._pipe: Connection
        self._pipe, other = context.Pipe()
        self._process: BaseProcess = context.Process(target=_serve, args=(other,), daemon=True)
        with unheard():
            self._process.start()
        other.close()

    def ask(self, job: Job[R]) -> bytes:
        """The pickled answer, worked out again if the process is killed meanwhile."""
        task = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        for _ in range(TRIES):
            with suppress(EOFError, OSError):
                self._pipe.send_bytes(task)
                answer = self._pipe.recv_bytes()
                holds = int.from_bytes(self._pipe.recv_bytes(), "big")
                if 0 < self._most < holds:
                    self._renew()
                return answer
            code = self._renew()
        raise ClusterError(
            f"a job ended the process that did it, {TRIES} times (exit code {code}): "
            + (_UNGUARDED if code == 1 else "is there enough memory?")
        )

    def _renew(self) -> int | None:
        """Starts another; gives the exit code of the one before."""
        with self._turn:
            if self._over:
                raise ClusterError("nobody waits for the answer any more")
            self._kill()
            self._pipe.close()
            code = self._process.exitcode
            self._start()
            return code

    def _kill(self) -> None:
        self._process.kill()
        self._process.join()

    def stop(self) -> None:
        """Ends it for good, whatever it is at."""
        with self._turn:
            self._over = True
            self._kill()


def _serve(pipe: Connection) -> None:
    """The life of a process; it ends when the other end of the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interruption is for the one who asked
    with suppress(EOFError, OSError):
        while True:
            pipe.send_bytes(_done(pipe.recv_bytes()))
            pipe.send_bytes(held().to_bytes(8, "big"))


def _done(task: bytes) -> bytes:
    """The pickled answer to a pickled job: whether it was done, and what came of it."""
    try:
        return pickle.dumps((True, pickle.loads(task)()), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        try:
            text = pickle.dumps((False, error), pickle.HIGHEST_PROTOCOL)
            pickle.loads(text)
            return text
        except Exception:
            told = ClusterError(f"{type(error).__name__}: {error}")
            return pickle.dumps((False, told), pickle.HIGHEST_PROTOCOL)


class _Answer:
    """An answer on its way; read by who wants it, while its process is at the next job."""

    def __init__(self, future: Any) -> None:
        self._future = future

    def done(self) -> bool:
        """Whether it has come."""
        return bool(self._future.done())

    def result(self, timeout: float | None = None) -> Any:
        """Waits for it."""
        well, value = pickle.loads(self._future.result(timeout))
        if well:
            return value
        raise value


def _processes(
    jobs: Iterator[Job[R]], workers: int, renew: int, until: float | None, late: R | None
) -> Iterator[R]:
    processes = [_Process(renew) for _ in range(workers)]
    idle: SimpleQueue[_Process] = SimpleQueue()
    for process in processes:
        idle.put(process)

    def ask(job: Job[R]) -> bytes:
        process = idle.get()
        try:
            return process.ask(job)
        finally:
            idle.put(process)

    pool = ThreadPoolExecutor(workers, "pyengine-process")
    try:
        width = _AHEAD * workers
        yield from _window(jobs, lambda job: _Answer(pool.submit(ask, job)), width, until, late)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.stop()
        pool.shutdown()  # whoever still waits has heard the end of the pipe


# --- a Dask cluster ----------------------------------------------------------------------------


def _cluster(
    jobs: Iterator[Job[R]], scheduler: str, until: float | None, late: R | None
) -> Iterator[R]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ClusterError(
            "a scheduler needs Dask, which is not installed: pip install 'pyengine[dask]'"
        ) from None
    client = _client(distributed, scheduler)
    try:
        width = _AHEAD * max(_FEWEST, sum(client.nthreads().values()))
        # every call is one of its own: equal jobs are not taken for the same
        submit = partial(client.submit, _call, pure=False)
        answers = _window(jobs, lambda job: submit(job), width, until, late)
        yield from _heard(answers, distributed, scheduler)
    finally:
        client.close()  # what is still under way is dropped with it


def _client(distributed: Any, scheduler: str) -> Any:
    """The connection to a scheduler that has a worker."""
    # Dask closes a client that is forgotten wherever the collector runs, even where Dask holds the
    # lock that closing needs, and would wait for ever: ours is closed by us alone
    own = type("Client", (distributed.Client,), {"__del__": lambda _: None})
    try:
        client = own(scheduler, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ClusterError(f"no Dask scheduler answers at {scheduler}: {why}") from None
    try:
        _await_worker(client)
    except TimeoutError:
        client.close()
        raise ClusterError(
            f"the Dask scheduler at {scheduler} has no workers: start some with"
            f" `dask worker {scheduler} --nworkers auto --nthreads 1`"
        ) from None
    return client


def _await_worker(client: Any) -> None:
    """Waits until the cluster has a worker; TimeoutError if it has none in time.

    Dask looks at its clock between questions to the scheduler only, so a question that is never
    answered would be waited for without end: it is asked beside us.
    """
    ended: SimpleQueue[BaseException | None] = SimpleQueue()

    def wait() -> None:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT)
        except BaseException as error:
            ended.put(error)
        else:
            ended.put(None)

    threading.Thread(target=wait, name="pyengine-waits", daemon=True).start()
    try:
        error = ended.get(timeout=2 * TIMEOUT)
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error


def _heard(answers: Iterator[R], distributed: Any, scheduler: str) -> Iterator[R]:
    """The answers; what goes wrong with the cluster in our words."""
    try:
        yield from answers
    except distributed.KilledWorker as error:
        raise ClusterError(f"a job ended the Dask workers that did it: {error}") from None
    except distributed.client.FutureCancelledError as error:
        raise ClusterError(f"the Dask scheduler at {scheduler} went away: {error}") from None


def _call(job: Job[R]) -> R:
    return job()
