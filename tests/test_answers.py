"""Answers in full are what they were, for the rulings that are recorded in ``tests/recorded``.

``PYENGINE_UPDATE=1 python -m pytest tests/test_answers.py`` writes them anew: read the change.
"""

from __future__ import annotations

import os

import pytest

from pyengine import Engine
from tests.answers import Answers, recorded, write
from tests.rulings import by_id

RULINGS = by_id()
RECORDED = recorded()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_what_is_recorded_is_a_ruling() -> None:
    assert RECORDED
    assert set(RECORDED) - set(RULINGS) == set()


@pytest.mark.parametrize("id", RECORDED)
def test_the_answers_are_what_they_were(engine: Engine, id: str) -> None:
    if not os.environ.get("PYENGINE_UPDATE"):
        assert Answers.ask(engine, RULINGS[id]).lines == RECORDED[id]


@pytest.mark.skipif(not os.environ.get("PYENGINE_UPDATE"), reason="nothing is to be written")
def test_write_them(engine: Engine) -> None:
    write({RULINGS[id]: Answers.ask(engine, RULINGS[id]).lines for id in RULINGS if id in RECORDED})
