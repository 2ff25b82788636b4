"""Load on `pyengine serve` over loopback: requests a second, and how long they take.

    python -m bench.load [--seconds 15] [--clients 16] [--workers 1 2 4] [--write]

For each number of processes a server is begun and asked by so many clients at once, each of which
waits for its answer before it asks again. Every answer is compared with that of an engine here.
Three numbers of processes take a minute and a half. `--write` puts the table into docs/http.md.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from pyengine import Action, Engine, State, explain

STATES = Path(__file__).resolve().parent.parent / "facts" / "states"
PAGE = STATES.parent.parent / "docs" / "http.md"
HEAD = "| processes | requests | a second | half within | 99 of 100 within | wrong |"
ASKED = {  # what is asked of each position besides `legal`
    "02-defenders": "defend(shia)",
    "04-armor-and-prevention": "attack(rrykh,bugur)",
    "06-lethal": "play(weave,furgot)",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the answer that must come."""

    path: str
    body: bytes
    answer: Any


@dataclass(frozen=True, slots=True)
class Run:
    """What one server bore: seconds of each answer, sorted, and how many were not right."""

    workers: int
    seconds: float
    times: list[float]
    wrong: int

    def part(self, share: float) -> float:
        """So large a share of the answers came within so many milliseconds."""
        return 1000 * self.times[min(int(share * len(self.times)), len(self.times) - 1)]


def questions() -> list[Asked]:
    engine = Engine()
    out = []
    for name, text in ASKED.items():
        state = State.load(STATES / f"{name}.yaml")
        document = state.to_dict()
        action = Action.parse(text)
        asked: list[tuple[str, dict[str, Any], Any]] = [
            ("legal", {}, explain.judged(state, engine.judge(state), "en")),
            ("why", {"action": text}, explain.explained(state, engine.why(state, action), "en")),
            (
                "resolve",
                {"action": text},
                explain.resolved(state, action, engine.resolve(state, action), "en"),
            ),
        ]
        out += [
            Asked(f"/{path}", json.dumps({"state": document, **more}).encode(), answer)
            for path, more, answer in asked
        ]
    return out


async def load(
    url: str, clients: int, seconds: float, asked: list[Asked]
) -> tuple[list[float], int]:
    times: list[float] = []
    wrong = 0
    headers = {"content-type": "application/json"}
    until = time.perf_counter() + seconds

    async def one(client: httpx2.AsyncClient, number: int) -> None:
        nonlocal wrong
        while time.perf_counter() < until:
            question = asked[number % len(asked)]
            number += 1
            start = time.perf_counter()
            answer = await client.post(question.path, content=question.body, headers=headers)
            times.append(time.perf_counter() - start)
            wrong += answer.status_code != 200 or answer.json() != question.answer

    limits = httpx2.Limits(max_connections=clients)
    async with httpx2.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
        await asyncio.gather(*(one(client, number) for number in range(clients)))
    return sorted(times), wrong


def measure(workers: int, clients: int, seconds: float, asked: list[Asked]) -> Run:
    program = [sys.executable, "-m", "pyengine", "serve", "--port", "0", "--workers", str(workers)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, encoding="utf-8") as server:
        try:
            assert server.stdout is not None
            match = re.search(r"http://\S+?/(?=\s)", server.stdout.readline())
            assert match is not None
            url = match[0]
            # every process has read its rules and answered something before the clock runs
            asyncio.run(load(url, 2 * workers, 3.0, asked))
            start = time.perf_counter()
            times, wrong = asyncio.run(load(url, clients, seconds, asked))
            return Run(workers, time.perf_counter() - start, times, wrong)
        finally:
            server.terminate()


def write(table: list[str], page: Path = PAGE) -> None:
    """Puts the table in the place of the one that stands there."""
    lines = page.read_text("utf-8").split("\n")
    start = lines.index(HEAD)
    end = start
    while lines[end].startswith("|"):
        end += 1
    page.write_text("\n".join([*lines[:start], *table, *lines[end:]]), "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--write", action="store_true", help="put the table into docs/http.md")
    options = parser.parse_args()
    asked = questions()
    print(f"{os.cpu_count()} processors, {options.clients} clients, {options.seconds:g} s each\n")
    table = [HEAD, "|---|---|---|---|---|---|"]
    print(*table, sep="\n", flush=True)
    wrong = 0
    for workers in options.workers:
        run = measure(workers, options.clients, options.seconds, asked)
        wrong += run.wrong
        table.append(
            f"| {run.workers} | {len(run.times)} | {len(run.times) / run.seconds:.1f} "
            f"| {run.part(0.5):.0f} ms | {run.part(0.99):.0f} ms | {run.wrong} |"
        )
        print(table[-1], flush=True)
    if options.write and not wrong:
        write(table)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
