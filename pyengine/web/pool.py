"""Processes that answer questions, so that a long one holds up no other and cannot hang the server.

Each process has a pipe of its own and one question at a time. That is why none of the pools of
the shelf serves here: in `concurrent.futures` one killed process breaks the whole pool, and in
`pebble` and `multiprocessing` a process that is killed while it waits keeps a lock that all share.
Here a process that is killed, by us or by others, closes its own pipe: whoever waits for it
learns of it at once, and another process takes its place. Time limits and clients that leave are
the same thing: the process is killed.

clingo never forgets a name, so a process that is asked about ever new ones grows for ever. One that
holds too much after an answer is replaced: it goes on answering until another is ready.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TypeVar

from pyengine.keeping import RENEW, held
from pyengine.watch import unheard
from pyengine.web.questions import Question, Reply, begin, problem
from pyengine.web.words import say

log = logging.getLogger(__name__)
_CONTEXT = get_context("spawn")  # the server has threads: a fork would copy their locks
_TRIES = 3  # processes that a question may lose; one that kills them kills no fourth
# A question ends by itself once its time is over, mostly; a process that has not ended then, within
# so many times that and one second, is killed.
_PATIENCE = 1.5
_PAUSE = 1.0  # seconds before another try to begin a process, once one would not
_READY = b"ready"
T = TypeVar("T")
Begin = Callable[[], Callable[[Question], Reply]]


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """How much is borne.

    Args:
        workers: how many processes.
        seconds: how long one question may be computed, and how long it may wait before that.
        waiting: how many questions may wait.
        memory: how many bytes a process may take, where the system lets this be told; 0: all.
        renew: a process that holds more bytes than these after an answer is replaced; 0: none is.
    """

    workers: int = 2
    seconds: float = 20.0
    waiting: int = 64
    memory: int = 4_000_000_000
    renew: int = RENEW


class LostError(Exception):
    """The process ended before it had answered."""


class Worker:
    """A process that answers questions one after the other, as its owner sees it."""

    def __init__(self, begin: Begin, memory: int) -> None:
        """Begins the process; takes a tenth of a second and must be followed by ``greet``."""
        self.pipe, theirs = _CONTEXT.Pipe()
        self.process: SpawnProcess = _CONTEXT.Process(
            target=_live, args=(theirs, begin, memory), name="pyengine-worker", daemon=True
        )
        self.held = 0  # bytes, after the last answer
        with unheard():
            self.process.start()
        theirs.close()  # else the pipe would not end with the process

    def greet(self) -> None:
        """Waits until it has read the rules."""
        with _losing():
            self.pipe.recv_bytes()

    def ask(self, question: Question) -> Reply:
        """Waits for the answer. LostError if the process ends before."""
        with _losing():
            self.pipe.send(question)
            reply: Reply
            reply, self.held = self.pipe.recv()
            return reply

    def kill(self) -> None:
        """Ends it at once; whoever waits for it gets a LostError."""
        self.process.kill()

    def bury(self) -> None:
        """Kills it and takes leave of what it held."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


@contextlib.contextmanager
def _losing() -> Iterator[None]:
    try:
        yield
    except (EOFError, OSError) as error:
        raise LostError from error


def _live(pipe: Connection, begin: Begin, memory: int) -> None:
    """The life of a process: it ends when its pipe does, with the server or before it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server ends it
    _bound(memory)
    work = begin()
    with contextlib.suppress(EOFError, OSError):
        pipe.send_bytes(_READY)
        while True:
            reply = work(pipe.recv())
            pipe.send((reply, held()))


def _bound(memory: int) -> None:
    """A question that grounds without end meets its own limit, not that of the machine."""
    if memory:
        try:
            import resource
        except ImportError:  # not on Windows
            return
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        if hard == resource.RLIM_INFINITY or memory < hard:
            resource.setrlimit(resource.RLIMIT_AS, (memory, hard))


class Pool:
    """The processes of a server. All methods are for the thread of its event loop."""

    def __init__(self, limits: PoolLimits, begin: Begin = begin) -> None:
        """``begin`` is called once in each process and gives what answers its questions."""
        self.limits = limits
        self._begin_work = begin
        self.workers: set[Worker] = set()
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._busy: set[Worker] = set()
        self._grown: set[Worker] = set()  # for these others are being begun
        self._waiting = 0
        self._hiring: set[asyncio.Future[None]] = set()
        # for each process a thread that waits for it, one that begins it and one that ends it
        self._threads = ThreadPoolExecutor(3 * limits.workers, "pyengine-pool")
        self._open = False

    async def start(self) -> None:
        """Begins all processes and waits until the first of them is ready."""
        self._open = True
        for _ in range(self.limits.workers):
            self._hire()
        self._idle.put_nowait(await self._idle.get())

    async def stop(self) -> None:
        """Ends all processes; questions that are still asked are lost."""
        self._open = False
        for worker in (*self.workers, *self._busy):
            worker.kill()
        if self._hiring:
            await asyncio.wait(self._hiring)
        for worker in {*self.workers, *self._busy}:
            worker.bury()
        self.workers.clear()
        self._threads.shutdown()

    async def ask(self, question: Question, gone: Awaitable[object] | None = None) -> Reply:
        """The answer, or the problem that there was none.

        Args:
            question: what is asked.
            gone: what ends when nobody waits for the answer any more: it is then given up.
        """
        leaving: asyncio.Future[object] | None
        leaving = None if gone is None else asyncio.ensure_future(gone)
        try:
            return await self._ask(question, leaving)
        finally:
            if leaving is not None:
                leaving.cancel()

    async def _ask(self, question: Question, leaving: asyncio.Future[object] | None) -> Reply:
        lang = question.lang
        for _ in range(_TRIES):
            worker = await self._free(leaving)
            if worker is None:
                return problem("busy", [say("busy", lang, n=self.limits.waiting)], lang)
            self._busy.add(worker)
            asked = self._run(worker.ask, question)
            asked.add_done_callback(partial(self._freed, worker))
            limit = self.limits.seconds * _PATIENCE + 1
            try:
                await self._first(asked, leaving, limit)
            finally:
                ours = not asked.done()  # too late, or nobody waits for it
                if ours:
                    worker.kill()
            with contextlib.suppress(LostError):
                return await asked
            if leaving is not None and leaving.done():
                break
            if ours:
                return problem("late", [say("late", lang, n=f"{self.limits.seconds:g}")], lang)
            log.warning("a process was lost over the question %s", question.name)
        return problem("lost", [say("lost", lang)], lang)

    async def _free(self, leaving: asyncio.Future[object] | None) -> Worker | None:
        """A process that has nothing to do; None if none has for too long, or too many wait."""
        if self._idle.empty() and self._waiting >= self.limits.waiting:
            return None
        self._waiting += 1
        getting = asyncio.ensure_future(self._idle.get())
        worker = None
        try:
            while worker is None:
                await self._first(getting, leaving, self.limits.seconds)
                if not getting.done():
                    return None
                worker = getting.result()
                # ended by somebody while it waited, or another has taken its place
                if worker not in self.workers or not worker.process.is_alive():
                    self._replace(worker)
                    worker = None
                    getting = asyncio.ensure_future(self._idle.get())
            return worker
        finally:
            self._waiting -= 1
            if not getting.cancel() and worker is None and not getting.cancelled():
                self._idle.put_nowait(getting.result())

    async def _first(
        self, work: asyncio.Future[T], leaving: asyncio.Future[object] | None, seconds: float
    ) -> None:
        """Waits until the work is done, the client has left or the time is up."""
        race: list[asyncio.Future[T] | asyncio.Future[object]] = [work]
        if leaving is not None:
            race.append(leaving)
        await asyncio.wait(race, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)

    def _freed(self, worker: Worker, asked: asyncio.Future[Reply]) -> None:
        """A process is done with a question: on to the next, or away with it."""
        self._busy.discard(worker)
        if asked.cancelled() or asked.exception() is not None:
            self._replace(worker)
            return
        if worker not in self.workers:  # another has taken its place meanwhile
            self._bury(worker)
            return
        if 0 < self.limits.renew < worker.held and worker not in self._grown and self._open:
            log.info("a process holds %d MiB and is replaced", worker.held >> 20)
            self._grown.add(worker)
            self._hire(worker)
        self._idle.put_nowait(worker)

    def _replace(self, worker: Worker) -> None:
        if worker in self.workers and self._open:
            self.workers.discard(worker)
            self._run(worker.bury)
            if worker in self._grown:  # another is being begun
                self._grown.discard(worker)
            else:
                self._hire()

    def _retire(self, worker: Worker) -> None:
        """Another process has taken its place; a question that it is at is answered yet."""
        if worker in self._grown:
            self._grown.discard(worker)
            self.workers.discard(worker)
            if worker not in self._busy:
                self._bury(worker)

    def _bury(self, worker: Worker) -> None:
        if self._open:
            self._run(worker.bury)
        else:
            worker.kill()

    def _hire(self, instead: Worker | None = None) -> None:
        task = asyncio.ensure_future(self._begin(instead))
        self._hiring.add(task)
        task.add_done_callback(self._hiring.discard)

    async def _begin(self, instead: Worker | None) -> None:
        """Begins one process, in place of another one; again and again if it does not come up."""
        while self._open:
            worker = await self._run(Worker, self._begin_work, self.limits.memory)
            self.workers.add(worker)
            if not self._open:
                worker.kill()
            try:
                await self._run(worker.greet)
            except LostError:
                self.workers.discard(worker)
                await self._run(worker.bury)
                log.error("a process ended while it began; another try in %g s", _PAUSE)
                await asyncio.sleep(_PAUSE if self._open else 0)
            else:
                self._idle.put_nowait(worker)
                if instead is not None:
                    self._retire(instead)
                return

    def _run(self, work: Callable[..., T], *args: object) -> asyncio.Future[T]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work, *args)
