"""One process that answers question after question: does it grow, does it slow down?"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.positions import SIZES, table
from pyengine.engine import Engine
from pyengine.model import State

PARTS = 10


def memory() -> float:
    """MiB that this process holds now; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * 4096 / 2**20


def curve(questions: int, sizes: Sequence[int] = SIZES[:3]) -> Iterator[tuple[int, float, float]]:
    """After each tenth: how many questions, ms of CPU for each of that tenth, and MiB held.

    No position comes twice, and every fourth question is about the outcomes of an action.
    """
    judge = Engine()
    asked = 0
    for _ in range(PARTS):
        start = time.process_time()
        for _ in range(questions // PARTS):
            state = State.from_dict(table(sizes[asked % len(sizes)], asked))
            if asked % 4:
                judge.judge(state)
            else:
                judge.resolve(state, judge.legal_actions(state)[0])
            asked += 1
        spent = (time.process_time() - start) * 1000
        gc.collect()
        yield asked, spent / (questions // PARTS), memory()
