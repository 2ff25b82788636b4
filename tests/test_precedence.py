"""Every precedence edge that the rules can show is shown by a ruling, and no ruling shows another."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyengine import Engine, verify
from pyengine.coverage import Seen
from pyengine.model import EDITIONS
from pyengine.precedence import Edge, possible
from tests.rulings import by_id

RULINGS = by_id()
# a ruling for each edge; in heroes_2 the same one
HEROES = {
    Edge("509.2", "509.1", "524.2"): "heroes-509.2-pending-directed-strike",
    Edge("509.2", "base.obligation", "524.2"): (
        "heroes-base.obligation-directed-strike-frees-the-defender"
    ),
    Edge("511.1", "base.acted", "511.1"): "heroes-511.1-one-attack-more",
    Edge("511.1", "base.first_turn", "511.1"): "heroes-base.first_turn-charge",
    Edge("514.1", "base.attack", "524.2"): "heroes-base.obligation-two-lures-undo-it",
    Edge("514.1", "base.obligation", "524.2"): "heroes-base.obligation-two-lures-undo-it",
    Edge(
        "514.1", "base.turn", "524.2"
    ): "heroes-515P.2-the-controller-of-the-spell-cannot-choose-it",
    Edge("514.2", "509.1", "524.2"): "heroes-514.2-cannot-defend",
    Edge("514.2", "514.1", "524.2"): "heroes-514.1-a-lure-lapses-when-a-norm-forbids-it",
    Edge("514.2", "base.attack", "524.2"): "heroes-514.2-cannot-act",
    Edge("514.2", "base.obligation", "524.2"): "heroes-524.2-prohibition-over-obligation",
    Edge("514.2", "base.turn", "524.2"): "heroes-514.2-cannot-act",
    Edge("524.1", "514.2", "524.1"): "heroes-524.1-an-exception-that-was-taken-away",
    Edge("524.2", "511.1", "524.2"): "heroes-524.2-whoever-controls-them",
    Edge("524.2", "base.obligation", "524.2"): "heroes-524.2-prohibition-over-obligation",
    Edge("base.acted", "511.1", "524.1"): "heroes-524.1-an-exception-that-was-taken-away",
    Edge("base.first_turn", "511.1", "524.1"): "heroes-524.1-an-exception-that-was-taken-away",
}
SHOWN = {
    "heroes": HEROES,
    "heroes_2": {edge: f"{ruling}@heroes_2" for edge, ruling in HEROES.items()},
    "classic": {
        Edge("511.1", "base.acted", "511.1"): "classic-base.acted-once-more",
        Edge("524.1", "525.2", "524.1"): "classic-524.1-what-was-taken-away-counts-no-more",
        Edge("524.2", "511.1", "524.2"): "classic-524.2-prohibition-over-permission",
        Edge("524.2", "base.obligation", "524.2"): "classic-524.2-prohibition-over-obligation",
        Edge("525.1", "base.obligation", "524.2"): (
            "classic-base.obligation-where-a-lure-directs-it"
        ),
        Edge("525.1", "base.strike", "524.2"): "classic-base.strike-a-lure",
        Edge("525.1", "base.turn", "524.2"): "classic-base.obligation-where-a-lure-directs-it",
        Edge("525.2", "523.1", "524.2"): "classic-523.1-it-must-leave-and-cannot-move",
        Edge("525.2", "525.1", "524.2"): "classic-524.2-prohibition-over-permission",
        Edge("525.2", "base.move", "524.2"): "classic-524.2-prohibition-over-permission",
        Edge("525.2", "base.obligation", "524.2"): "classic-524.2-prohibition-over-obligation",
        Edge("525.2", "base.strike", "524.2"): "classic-524.2-prohibition-over-obligation",
        Edge("525.2", "base.turn", "524.2"): "classic-525.1-what-cannot-be-paid",
        Edge("base.acted", "511.1", "524.1"): "classic-524.1-what-was-taken-away-counts-no-more",
    },
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.mark.parametrize("edition", EDITIONS)
def test_each_edge_has_its_ruling(edition: str) -> None:
    assert set(SHOWN[edition]) == possible(edition)


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_ruling_shows_it(engine: Engine, edition: str) -> None:
    for id in sorted(set(SHOWN[edition].values())):
        seen = Seen()
        assert verify.run(engine, RULINGS[id], seen) == []
        wanted = {edge for edge, ruling in SHOWN[edition].items() if ruling == id}
        assert wanted <= seen.edges <= possible(edition), id


def test_an_edge_is_read_off_the_rules(tmp_path: Path) -> None:
    """A norm more is an edge more; what only another deed could meet is none."""
    rules = tmp_path / "rules"
    (rules / "editions").mkdir(parents=True)
    text = """
        permits("p.1", A, C) :- makes(A, D), D = attack(C).
        permits("p.2", A, C) :- makes(A, D), D = defend(C).
        bars("f.1", D, C, cannot) :- makes(_, D), D = attack(C), stuck(C).
        bars("f.2", D, C, rulebook) :- makes(_, D), D = attack(C), shut(C).
        makes(attack(C, T), attack(C)) :- could(C, T).
        makes(defend(C), defend(C)) :- could(C).
        defeats(A, R, B, S, C, "524.2") :- makes(A, D), bars(R, D, B, X), X != rulebook, permits(S, A, C).
    """
    (rules / "editions" / "toy.lp").write_text(text, "utf-8")
    assert possible("toy", tmp_path) == {Edge("f.1", "p.1", "524.2")}
