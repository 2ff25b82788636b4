"""The project's rulings, read once for all tests of a process."""

from __future__ import annotations

import os
from functools import cache

from pyengine.documents import data_folder
from pyengine.engine import Engine
from pyengine.verify import Ruling, load_rulings, run

# every how-manieth ruling is asked in two ways; 1: all, which takes minutes
STRIDE = int(os.environ.get("PYENGINE_SLICE_STRIDE", "40"))


@cache
def every_ruling(edition: str | None = None) -> tuple[Ruling, ...]:
    """All of them, or those of an edition."""
    return tuple(load_rulings([data_folder("facts") / "rulings"], edition))


def by_id() -> dict[str, Ruling]:
    return {ruling.id: ruling for ruling in every_ruling()}


def ask_all(engine: Engine, ruling: Ruling) -> None:
    """Every kind of question about a ruling's position, those of the ruling among them."""
    engine.judge(ruling.state)
    engine.legal_actions(ruling.state)
    run(engine, ruling)
