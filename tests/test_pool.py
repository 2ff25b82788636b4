"""Processes that answer: late, killed and given-up questions harm nobody else."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from pyengine import Engine, State, explain
from pyengine.web.pool import Begin, Pool, PoolLimits, Worker
from pyengine.web.questions import Question, Reply, begin
from tests.conftest import ROOT

STATES = sorted((ROOT / "facts" / "states").glob("*.yaml"))
Test = Callable[[Pool], Awaitable[None]]
_KEPT: list[bytearray] = []


def act(question: Question) -> Reply:
    """The work of a process in these tests: it does what the question is called."""
    if question.name == "sleep":
        time.sleep(60)
    elif question.name == "nap":
        time.sleep(8)
    elif question.name == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    elif question.name == "die_once":
        mark = Path(question.body.decode())
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    elif question.name == "hoard":
        try:
            return Reply(200, str(len(bytes(3_000_000_000))).encode())
        except MemoryError:
            return Reply(200, b"no more")
    elif question.name == "keep":
        _KEPT.append(bytearray(int(question.body)))
    elif question.name == "halt":  # neither answers nor ends: as if the system had stopped it
        os.kill(os.getpid(), signal.SIGSTOP)
    return Reply(200, str(os.getpid()).encode())


def begin_act() -> Callable[[Question], Reply]:
    return act


def run(test: Test, begin: Begin = begin_act, **limits: Any) -> None:
    async def whole() -> None:
        pool = Pool(PoolLimits(**{"workers": 1, "seconds": 20.0, **limits}), begin)
        await pool.start()
        try:
            async with asyncio.timeout(60):
                await test(pool)
        finally:
            await pool.stop()
        assert pool.workers == set()

    asyncio.run(whole())


def ask(name: str, body: bytes = b"") -> Question:
    return Question(name, body)


async def heard(pool: Pool, question: Question) -> Reply:
    """The answer once there is a process again: a slow machine takes its time to start one."""
    while (reply := await pool.ask(question)).status == 503:
        await asyncio.sleep(0.1)
    return reply


def code(reply: Reply) -> str:
    return str(json.loads(reply.body)["code"])


def test_a_late_question_is_given_up_and_the_next_answered() -> None:
    async def test(pool: Pool) -> None:
        before = await pool.ask(ask("pid"))
        start = time.monotonic()
        reply = await pool.ask(ask("sleep"))
        assert (reply.status, code(reply)) == (504, "late")
        assert "2 s" in json.loads(reply.body)["detail"]
        assert time.monotonic() - start < 10
        after = await heard(pool, ask("pid"))
        assert after.status == 200
        assert after.body != before.body

    run(test, seconds=2.0)


def test_a_stopped_process_is_late_too() -> None:
    async def test(pool: Pool) -> None:
        assert code(await pool.ask(ask("halt"))) == "late"
        assert (await heard(pool, ask("pid"))).status == 200

    run(test, seconds=2.0)


def test_a_question_whose_process_is_killed_is_answered_by_another(tmp_path: Path) -> None:
    async def test(pool: Pool) -> None:
        before = await pool.ask(ask("pid"))
        reply = await pool.ask(ask("die_once", str(tmp_path / "mark").encode()))
        assert reply.status == 200
        assert reply.body != before.body

    run(test)


def test_a_question_that_kills_its_processes_is_given_up() -> None:
    async def test(pool: Pool) -> None:
        reply = await pool.ask(ask("die"))
        assert (reply.status, code(reply)) == (503, "lost")
        assert (await pool.ask(ask("pid"))).status == 200

    run(test)


def test_processes_that_are_killed_while_they_wait_are_replaced() -> None:
    async def test(pool: Pool) -> None:
        while len(pool.workers) < 2 or pool._hiring:
            await asyncio.sleep(0.05)
        before = set(pool.workers)
        for worker in before:
            assert worker.process.pid is not None
            os.kill(worker.process.pid, signal.SIGKILL)
        replies = await asyncio.gather(*(pool.ask(ask("pid")) for _ in range(4)))
        assert {reply.status for reply in replies} == {200}
        assert not before & pool.workers

    run(test, workers=2)


def test_a_process_has_so_much_memory_and_no_more() -> None:
    async def test(pool: Pool) -> None:
        assert (await pool.ask(ask("hoard"))).body == b"no more"

    run(test, memory=1_500_000_000)


def test_a_process_that_has_grown_is_replaced() -> None:
    """Meanwhile it goes on answering: no question is lost, and none waits for the new one."""

    async def test(pool: Pool) -> None:
        (old,) = pool.workers
        first = await pool.ask(ask("pid"))
        assert (await pool.ask(ask("pid"))).body == first.body
        assert old.held < pool.limits.renew
        assert (await pool.ask(ask("keep", b"200000000"))).body == first.body
        assert old.held > pool.limits.renew
        seen = [first.body]
        while seen[-1] == first.body:
            assert pool._hiring or old not in pool.workers
            reply = await asyncio.wait_for(pool.ask(ask("pid")), 10)
            assert reply.status == 200
            seen.append(reply.body)
            await asyncio.sleep(0.02)
        assert len(seen) > 2  # the old one answered until the new one was ready
        assert len(pool.workers) == 1 and old not in pool.workers
        while old.process.is_alive():
            await asyncio.sleep(0.02)
        assert (await pool.ask(ask("pid"))).body == seen[-1]

    run(test, renew=200_000_000)


@pytest.mark.parametrize(("more", "replaced"), [(0, False), (1, True)])
def test_it_is_replaced_when_it_holds_more_than_that(more: int, replaced: bool) -> None:
    async def test(pool: Pool) -> None:
        while pool._hiring:
            await asyncio.sleep(0.02)
        (worker,) = pool.workers
        done: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        done.set_result(Reply(200, b""))
        worker.held = pool.limits.renew + more
        pool._freed(await pool._idle.get(), done)
        assert len(pool._hiring) == replaced
        pool._freed(await pool._idle.get(), done)
        assert len(pool._hiring) == replaced  # not twice

    run(test)


def test_one_that_is_asked_while_it_is_replaced_answers_yet() -> None:
    async def test(pool: Pool) -> None:
        (old,) = pool.workers
        pid = str(old.process.pid).encode()
        assert (await pool.ask(ask("keep", b"200000000"))).body == pid
        asked = asyncio.ensure_future(pool.ask(ask("nap")))
        while old in pool.workers:
            await asyncio.sleep(0.02)
        assert not asked.done()
        assert (await pool.ask(ask("pid"))).body != pid
        assert (await asked).body == pid
        while old.process.is_alive():
            await asyncio.sleep(0.02)

    run(test, renew=200_000_000)


def test_a_grown_one_that_is_killed_is_replaced_once() -> None:
    async def test(pool: Pool) -> None:
        (old,) = pool.workers
        await pool.ask(ask("keep", b"200000000"))
        assert (await pool.ask(ask("die"))).status == 503
        while pool._hiring:
            await asyncio.sleep(0.02)
        assert len(pool.workers) == 1 and old not in pool.workers

    run(test, renew=200_000_000)


def test_a_client_that_leaves_frees_its_process() -> None:
    async def test(pool: Pool) -> None:
        start = time.monotonic()
        await pool.ask(ask("sleep"), asyncio.sleep(0.3))
        assert (await pool.ask(ask("pid"))).status == 200
        assert time.monotonic() - start < 15

    run(test)


def test_a_request_that_is_cancelled_frees_its_process() -> None:
    async def test(pool: Pool) -> None:
        asked = asyncio.ensure_future(pool.ask(ask("sleep")))
        await asyncio.sleep(0.3)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert (await pool.ask(ask("pid"))).status == 200

    run(test)


def test_only_so_many_questions_wait() -> None:
    async def test(pool: Pool) -> None:
        leave = asyncio.Event()
        held = [asyncio.ensure_future(pool.ask(ask("sleep"), leave.wait())) for _ in range(3)]
        await asyncio.sleep(0.2)
        assert [each.done() for each in held] == [False] * 3
        reply = await pool.ask(ask("pid"))
        assert (reply.status, code(reply)) == (503, "busy")
        leave.set()
        await asyncio.gather(*held)
        assert (await pool.ask(ask("pid"))).status == 200

    run(test, waiting=2)


def test_it_stops_while_questions_are_asked() -> None:
    async def whole() -> None:
        pool = Pool(PoolLimits(workers=1), begin_act)
        await pool.start()
        (worker,) = pool.workers
        asked = asyncio.ensure_future(pool.ask(ask("sleep")))
        await asyncio.sleep(0.2)
        await asyncio.wait_for(pool.stop(), 10)
        assert worker.process._closed or not worker.process.is_alive()  # type: ignore[attr-defined]
        asked.cancel()

    asyncio.run(whole())


def test_a_question_that_takes_long_ends_by_itself() -> None:
    """Its process lives on: only one that does not hear of the time is killed."""
    cards: dict[str, Any] = {
        f"c{n}": {"type": "creature", "owner": f"p{n % 2}", "strike": 1, "life": 9,
                  "abilities": ["on(dealt(any,any),wound(1,each(character)))"]}
        for n in range(60)
    }  # fmt: skip
    attack = {"attacker": "c0", "target": "c1"}
    state = {"active": "p0", "players": {"p0": {}, "p1": {}}, "cards": cards, "pending": attack}
    body = json.dumps({"state": state, "action": "pass"}).encode()

    async def test(pool: Pool) -> None:
        before = set(pool.workers)
        reply = await pool.ask(Question("resolve", body, seconds=0.5))
        assert reply.status in (422, 504), reply.body[:200]
        assert pool.workers == before

    run(test, begin, seconds=30.0)


def expected(name: str, state: State, action: str) -> Any:
    engine = Engine()
    if name == "legal":
        return explain.judged(state, engine.judge(state), "en")
    return explain.explained(state, engine.why(state, action), "en")


def test_answers_stay_right_while_processes_are_killed() -> None:
    """Every answer is that of the engine, or says that it was lost; none is somebody else's."""
    questions = []
    for file in STATES:
        state = State.load(file)
        document = state.to_dict()
        for name, action in (("legal", None), ("why", "end_turn")):
            asked = {"state": document} | ({} if action is None else {"action": action})
            questions.append(
                (
                    Question(name, json.dumps(asked).encode()),
                    expected(name, state, str(action)),
                )
            )

    async def test(pool: Pool) -> None:
        chance = random.Random(7)

        async def killing() -> None:
            while True:
                await asyncio.sleep(0.4)
                worker: Worker = chance.choice(sorted(pool.workers, key=id))
                worker.kill()

        killer = asyncio.ensure_future(killing())
        try:
            asked = [each for each in questions for _ in range(3)]
            chance.shuffle(asked)
            replies = await asyncio.gather(*(pool.ask(question) for question, _ in asked))
        finally:
            killer.cancel()
        for (_, right), reply in zip(asked, replies, strict=True):
            assert reply.status in (200, 503)
            if reply.status == 200:
                assert json.loads(reply.body) == right
        assert sum(reply.status == 200 for reply in replies) > len(replies) / 2
        again = await pool.ask(questions[0][0])
        assert json.loads(again.body) == questions[0][1]

    run(test, begin, workers=2, seconds=30.0)
