"""Every ruling in facts/rulings is a test: the engine must answer as the judge did."""

from __future__ import annotations

import pytest

from pyengine import verify
from pyengine.documents import data_folder
from pyengine.engine import Engine

# editions that the engine does not know yet
NOT_YET: frozenset[str] = frozenset()

RULINGS = verify.load_rulings([data_folder("facts") / "rulings"])


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_ruling(engine: Engine, ruling: verify.Ruling) -> None:
    if ruling.edition in NOT_YET:
        pytest.skip(f"{ruling.edition} is not supported yet")
    assert verify.run(engine, ruling) == []
