"""Every ruling in facts/rulings is a test: the engine must answer as the judge did."""

from __future__ import annotations

import pytest

from pyengine import verify
from pyengine.engine import Engine
from tests.rulings import every_ruling

# editions that the engine does not know yet
NOT_YET: frozenset[str] = frozenset()

RULINGS = every_ruling()


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.mark.parametrize("ruling", RULINGS, ids=lambda ruling: ruling.id)
def test_ruling(engine: Engine, ruling: verify.Ruling) -> None:
    if ruling.edition in NOT_YET:
        pytest.skip(f"{ruling.edition} is not supported yet")
    assert verify.run(engine, ruling) == []


@pytest.mark.parametrize(("edition", "player"), [("", "p1"), ("@heroes_2", "p2")])
def test_who_chooses_between_replacements_of_both(
    engine: Engine, edition: str, player: str
) -> None:
    """516.4: what no partial state can show."""
    (ruling,) = [
        each for each in RULINGS if each.id == f"heroes-516.4-replacements-of-both-players{edition}"
    ]
    for outcome in engine.resolve(ruling.state, "attack(ork,hero2)"):
        (choice,) = outcome.choices
        assert (choice.player, choice.rule) == (player, "516.4")
