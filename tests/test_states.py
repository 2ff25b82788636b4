"""The sample positions: real cards, legal questions, and the stories that their headers tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from pyengine import Engine, State, Verdict
from pyengine.kinds import catalogue
from tests.conftest import ROOT

STATES = sorted((ROOT / "facts" / "states").glob("*.yaml"))
each_state = pytest.mark.parametrize("path", STATES, ids=lambda path: path.stem)


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def load(name: str) -> State:
    (path,) = [path for path in STATES if path.stem.startswith(name)]
    return State.load(path)


def rules(engine: Engine, state: State, action: str) -> set[str]:
    """The rules against an action; none: it is legal."""
    verdict: Verdict = engine.verdict(state, action)
    return set() if verdict.legal else {reason.rule for reason in verdict.because}


def only(engine: Engine, state: State, *actions: str) -> State:
    """The state after some actions, each with a single outcome."""
    for action in actions:
        (outcome,) = engine.resolve(state, action)
        state = outcome.state
    return state


@each_state
def test_begins_with_its_story_in_both_languages(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split("\nedition:")[0].splitlines()
    assert all(line.startswith("#") for line in head)
    english, russian = "\n".join(head).split("\n#\n")
    assert not any("а" <= letter <= "я" for letter in english)
    assert any("а" <= letter <= "я" for letter in russian)


@each_state
def test_is_made_of_complete_real_cards(path: Path) -> None:
    for card in State.load(path).cards:
        assert card.kind is not None, card.id
        assert catalogue()[card.kind].waits_for == (), card.id


@each_state
def test_has_something_legal_and_something_illegal(engine: Engine, path: Path) -> None:
    verdicts = engine.judge(State.load(path))
    assert {verdict.legal for verdict in verdicts} == {True, False}


def test_first_turn(engine: Engine) -> None:
    state = load("01")
    hired = only(engine, state, "play(legate)")
    assert rules(engine, hired, "attack(legate,vitoslava)") == {"base.first_turn"}
    assert not hired.card("legate").closed
    looked = only(engine, state, "use(kos_zag,1)")
    assert looked.card("aldis").zone == "hand"  # it costs 2: Kos-Zag takes it
    assert rules(engine, looked, "play(legate)") == {"base.cost"}
    later = only(engine, hired, "end_turn", "end_turn")
    assert rules(engine, later, "attack(legate,vitoslava)") == set()


def test_defenders(engine: Engine) -> None:
    state = load("02")
    assert rules(engine, state, "defend(vyurr)") == {"509.3"}
    assert rules(engine, state, "defend(neybl)") == {"base.closed"}
    assert rules(engine, state, "defend(adept)") == set()
    fought = only(engine, state, "defend(shia)")
    assert (fought.card("shia").zone, fought.card("groll").zone) == ("graveyard", "graveyard")
    assert only(engine, state, "pass").card("vitoslava").wounds == 11


def test_spell_and_protection(engine: Engine) -> None:
    state = load("03")
    assert rules(engine, state, "play(weave,archer)") == {"514.1"}
    assert rules(engine, state, "attack(burk,archer)") == set()
    pierced = only(engine, state, "play(piercing,centaur)")
    assert pierced.card("centaur").zone == "graveyard"
    assert only(engine, state, "play(weave,kos_zag)").card("kos_zag").wounds == 6 + 4 + 1


def test_armor_and_prevention(engine: Engine) -> None:
    state = load("04")
    assert rules(engine, state, "attack(ogre,golem)") == {"514.2"}
    missed = only(engine, state, "attack(ogre,bugur)", "pass")
    assert missed.card("bugur").wounds == 0
    hit = only(engine, state, "attack(backbreaker,golem)", "pass")
    assert hit.card("golem").zone == "graveyard"  # 2 wounds, and 4 that no armor stops
    dwarf = only(engine, state, "attack(rrykh,nimble_dwarf)", "pass")
    assert dwarf.card("nimble_dwarf").zone == "graveyard"  # 3 less 1, and it has 1 life


def test_full_table(engine: Engine) -> None:
    state = load("05")
    creatures = [card for card in state.cards if (card.type, card.zone) == ("creature", "play")]
    assert len(creatures) == 14
    for player, _ in state.players:
        hand = [card for card in state.cards if (card.owner, card.zone) == (player, "hand")]
        assert len(hand) == 5
    assert len(engine.legal_actions(state)) > 80
    drawn = engine.resolve(state, "end_turn")
    assert [outcome.ways for outcome in drawn] == [1, 1, 1]


def test_lethal(engine: Engine) -> None:
    state = load("06")
    assert only(engine, state, "play(weave,furgot)").result == "steppe"
    charge = ("play(calm,burk)", "play(centaur)", "attack(centaur,furgot)")
    assert only(engine, state, *charge).result == "steppe"
    parried = only(engine, state, "play(centaur)", "attack(centaur,furgot)", "defend(burk)")
    assert parried.result is None


def test_effects(engine: Engine) -> None:
    state = load("07")
    harmless = only(engine, state, "attack(groll,neybl)")
    assert harmless.card("neybl").wounds == 0
    struck = only(engine, state, "attack(archer,vitoslava)", "pass")
    assert struck.card("vitoslava").wounds == 4 + (4 + 3 + 1 + 2)
    fed = only(engine, state, "attack(centaur,vitoslava)", "pass")
    assert fed.card("centaur").wounds == 0
    after = only(engine, state, "end_turn")
    assert {effect.source for effect in after.effects} == {
        None, "gift", "kos_zag", "self_defence"
    }  # fmt: skip
