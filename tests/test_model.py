"""The independent model: it holds what the rulings say, and the engine agrees with it."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, find, given, settings

from pyengine.model import State
from pyengine.terms import check, meanings, vocabulary
from tests.model import compare, game, rulings
from tests.model.documents import state_of
from tests.model.positions import LARGE, MIDDLE, SMALL, Dice, Document, documents, position
from tests.model.terms import Unsupported, parse, show

COUNT = int(os.environ.get("PYENGINE_MODEL_COUNT", "200"))
SEED = int(os.environ.get("PYENGINE_MODEL_SEED", "0"))
FOLDER = Path(__file__).parent.parent / "facts" / "rulings"
HEROES: dict[str, Any] = {
    "h1": {"type": "hero", "life": 25, "owner": "p1"},
    "h2": {"type": "hero", "life": 25, "owner": "p2"},
}


def state(cards: dict[str, Any], effects: tuple[dict[str, Any], ...] = (), **rest: Any) -> State:
    """A state with two heroes; `mine` cards belong to p1, all others to p2."""
    told = {
        id: {
            "type": "creature",
            "life": 9,
            "owner": "p1" if id.startswith("mine") else "p2",
            **card,
        }
        for id, card in cards.items()
    }
    return state_of(
        {
            "active": "p1", "players": {"p1": {"coins": 9}, "p2": {}},
            "cards": {**HEROES, **told}, "effects": list(effects), **rest,
        }
    )  # fmt: skip


def against(position: State, action: str) -> set[tuple[str, str | None]]:
    """The reasons against a declaration."""
    return set(game.judge(position)[action][1])


# -- the model alone ------------------------------------------------------------------------------


# the model speaks the language of CONTRACT 4 alone
SPOKEN = sorted(path for path in FOLDER.glob("*.yaml") if path.stem != "extensions")


@pytest.mark.parametrize("path", SPOKEN, ids=lambda path: path.stem)
def test_holds_what_the_rulings_say(path: Path) -> None:
    faults = []
    for ruling in yaml.safe_load_all(path.read_text(encoding="utf-8")):
        try:
            faults += [f"{ruling['ruling']}: {fault}" for fault in rulings.run(ruling)]
        except Unsupported:
            continue
    assert not faults


@pytest.mark.parametrize(
    "text",
    ["charge", "armor(2)", "prevent(all,each,and(yours,not(self)),from(any))", "mod(cost,-1)"],
)
def test_a_term_reads_back(text: str) -> None:
    assert show(parse(text.replace(",", " , "))) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("on(attack,draw(1))", "on(attack)"), ("grant(any,on(dealt(any,any),draw(1)))", "on(dealt)"),
        ("while(at_least(attacks,2),charge)", "attacks"), ("gain(instead(any,any,draw(1)))", "instead"),
    ],
)  # fmt: skip
def test_says_what_it_does_not_carry_out(text: str, why: str) -> None:
    here = state({"mine": {"abilities": [text]}})
    assert not game.carries_out(here, "attack(mine,h2)")
    with pytest.raises(Unsupported, match=re.escape(why)):
        game.outcomes(here, "attack(mine,h2)")
    assert not against(here, "attack(mine,h2)")


def test_what_comes_with_a_turn_keeps_it_from_nothing() -> None:
    here = state({"mine": {"strike": 2, "abilities": ["on(turn_end,draw(1))"]}})
    assert wounds(game.outcomes(here, "attack(mine,h2)"), "h2") == {(2,)}


def test_what_it_passes_over_is_counted() -> None:
    cards = {
        "mine": {"type": "creature", "life": 9, "owner": "p1", "abilities": ["on(attack,draw(1))"]}
    }
    document = {"active": "p1", "players": {"p1": {}, "p2": {}}, "cards": {**HEROES, **cards}}
    passed = Counter[str]()
    assert not list(compare.compare(document, Forgetful(), passed=passed))
    assert passed == {"outcomes: ability on(attack)": 1}


def test_every_reason_is_listed() -> None:
    worn = {"acted": True, "closed": True, "entered": 1, "abilities": ["cannot(attack)"]}
    here = state({"mine": worn, "bait": {"abilities": ["lure(attack,enemy)"]}})
    assert against(here, "attack(mine,h2)") == {
        ("base.acted", "mine"), ("base.closed", "mine"), ("base.first_turn", "mine"),
        ("514.2", "mine"), ("514.1", "bait"),
    }  # fmt: skip


def test_prohibition_beside_permission_and_obligation() -> None:
    here = state({"mine": {"abilities": ["must(attack,hero)", "cannot(attack)"]}, "foe": {}})
    assert against(here, "attack(mine,h2)") == {("514.2", "mine"), ("524.2", "mine")}
    assert against(here, "attack(mine,foe)") == {("514.2", "mine")}
    assert not against(here, "end_turn"), "what cannot be met lapses"


def test_a_laid_effect_names_its_source() -> None:
    effect = {"card": "mine", "ability": "cannot(attack)", "source": "foe"}
    assert against(state({"mine": {}, "foe": {}}, (effect,)), "attack(mine,h2)") == {
        ("514.2", "foe")
    }


def test_an_obligation_binds_everything_else() -> None:
    here = state({"mine": {"abilities": ["must(attack)"]}, "mine2": {}})
    assert not against(here, "attack(mine,h2)")
    assert against(here, "attack(mine2,h2)") == {("base.obligation", "mine")}
    assert against(here, "end_turn") == {("base.obligation", "mine")}


def test_a_lure_lapses_where_a_norm_forbids_its_card() -> None:
    bait = {"abilities": ["lure(attack,enemy)", "cannot_be(attack,class(orc))"]}
    here = state({"mine1": {"class": ["orc"]}, "mine2": {}, "bait": bait})
    assert not against(here, "attack(mine1,h2)")
    assert against(here, "attack(mine2,h2)") == {("514.1", "bait")}


def test_the_latest_effect_wins() -> None:
    gain = {"card": "mine", "ability": "charge", "controller": "p1", "since": 2}
    lose = {"card": "mine", "ability": "lose(charge)", "controller": "p2"}
    for since, reasons in ((1, set()), (3, {("base.first_turn", "mine")})):
        here = state({"mine": {"entered": 1}}, (gain, {**lose, "since": since}))
        assert against(here, "attack(mine,h2)") == reasons


def wounds(ends: list[State], *ids: str) -> set[tuple[int, ...]]:
    """The wounds of these cards in each outcome."""
    return {tuple(end.card(id).wounds for id in ids) for end in ends}


def test_superiority_and_vulnerability_add_wounds_not_strength() -> None:
    strong = {"strike": 2, "abilities": ["superiority(creature)"]}
    here = state({"mine": strong, "foe": {"closed": True, "abilities": ["vulnerability"]}})
    assert wounds(game.outcomes(here, "attack(mine,foe)"), "foe") == {(5,)}
    scaly = {"closed": True, "abilities": ["scales(2)"]}
    assert wounds(
        game.outcomes(state({"mine": strong, "foe": scaly}), "attack(mine,foe)"), "foe"
    ) == {(0,)}
    nothing = state({"mine": {**strong, "strike": 0}, "foe": {"closed": True}})
    assert wounds(game.outcomes(nothing, "attack(mine,foe)"), "foe") == {(0,)}


def test_one_pool_for_two_wounds_of_one_moment() -> None:
    storm = {"type": "spell", "zone": "hand", "abilities": ["spell(wound(2,each(enemy)))"]}
    shield = {"card": "h2", "ability": "prevent(3,next,yours,any)"}
    ends = game.outcomes(state({"mine": storm, "foe": {}}, (shield,)), "play(mine)")
    assert wounds(ends, "foe", "h2") == {(0, 1), (1, 0)}
    assert {end.effects[0].spent for end in ends} == {3}


def test_the_inactive_player_prevents_first() -> None:
    pools = tuple(
        {"card": card, "ability": "prevent(2,next,type(creature),any)", "controller": player}
        for card, player in (("h1", "p1"), ("h2", "p2"))
    )
    here = state({"mine": {"strike": 3}, "foe": {"closed": True}}, pools)
    assert {tuple(effect.spent for effect in end.effects) for end in game.outcomes(
        here, "attack(mine,foe)")} == {(1, 2)}  # fmt: skip


def test_a_chain_of_replacements_and_a_choice() -> None:
    one = {"abilities": ["redirect(self,any,name(two))", "no_wounds(any)"], "closed": True}
    two = {"abilities": ["redirect(self,any,name(one))"]}
    ends = game.outcomes(
        state({"mine": {"strike": 3, "abilities": ["directed_strike"]}, "one": one, "two": two}),
        "attack(mine,one)",
    )
    # annulled at once; or moved to two and back to one, where only the annulment is left
    assert wounds(ends, "one", "two") == {(0, 0)}


def test_first_strike_kills_before_the_answer() -> None:
    quick = {"strike": 9, "abilities": ["first_strike"]}
    foe = {"strike": 5}
    (end,) = game.outcomes(state({"mine": quick, "foe": foe}), "attack(mine,foe)")
    assert (end.card("mine").wounds, end.card("foe").zone) == (0, "graveyard")
    both = state({"mine": quick, "foe": {**foe, "abilities": ["first_strike"]}})
    (end,) = game.outcomes(both, "attack(mine,foe)")
    assert (end.card("mine").wounds, end.card("foe").zone) == (5, "graveyard")


def test_then_needs_the_first_in_full_and_in_fact() -> None:
    spell = {"type": "spell", "zone": "hand"}
    deed = "spell({}(wound(2,target(creature)),wound(1,enemy_hero)))"
    for head, guard, more in (
        ("then", [], 1), ("then", ["prevent(1,each,self,any)"], 0), ("then", ["no_wounds(any)"], 0),
        ("both", ["no_wounds(any)"], 1),
    ):  # fmt: skip
        cards = {"mine": {**spell, "abilities": [deed.format(head)]}, "foe": {"abilities": guard}}
        (end,) = game.outcomes(state(cards), "play(mine,foe)")
        assert end.card("h2").wounds == more


def test_a_dead_hero_loses() -> None:
    here = state({"mine": {"strike": 25}})
    (end,) = game.outcomes(here, "attack(mine,h2)")
    assert end.result == "p1" and not game.judge(end)


# -- the comparison itself ------------------------------------------------------------------------


class Forgetful:
    """The model again, but it forgets that a creature defends once a turn."""

    def read(self, document: Document) -> State:
        return state_of(document)

    def judge(self, state: State) -> compare.Judged:
        return {
            text: (not (left := reasons - {r for r in reasons if r[0] == "509.3"}), left)
            for text, (_, reasons) in game.judge(state).items()
        }

    def outcomes(self, state: State, action: str) -> list[State]:
        return game.outcomes(state, action)


def test_a_forgotten_rule_is_found_and_made_small(tmp_path: Path) -> None:
    referee = Forgetful()
    for seed in range(500):
        document = position(Dice(seed), MIDDLE)
        found = next(compare.compare(document, referee), None)
        if found is not None and found.kind == "verdict":
            break
    else:
        pytest.fail("not found in 500 positions")
    small, still = compare.shrunk(document, found, referee)
    assert still.topic == ("verdict", "defend")
    assert len(small["cards"]) <= 3 and not small["effects"]
    ruling = yaml.safe_load(compare.save(tmp_path, "x", small, still).read_text(encoding="utf-8"))
    assert not rulings.run(ruling) and "509.3" in str(ruling["illegal"])


def test_every_word_of_the_vocabulary_comes_up() -> None:
    """In 2,000 positions each word stands in two or more; and all of them can be read."""
    seen = Counter[tuple[str, str]]()
    for seed in range(2000):
        document = position(Dice(seed))
        here = [
            ability for card in document["cards"].values() for ability in card.get("abilities", ())
        ]
        here += [effect["ability"] for effect in document["effects"]]
        seen.update({(word.section, word.name) for text in here for word in meanings(text)})
        assert not [fault for text in here for fault in check(text)]
    words = {(section, word) for section, known in vocabulary().terms.items() for word in known}
    assert not {word: seen[word] for word in words if seen[word] < 2}


def test_positions_of_the_whole_vocabulary_are_judged() -> None:
    """The model has something to say of all of them but one in a hundred."""
    silent = 0
    for seed in range(500):
        try:
            game.judge(state_of(position(Dice(seed))))
        except Unsupported:
            silent += 1
    assert silent <= 5


def test_hypothesis_makes_a_position_small() -> None:
    """However rare the word: what is left is hardly more than a card that has it."""
    small = find(
        documents(),
        lambda document: "lure(" in str(document["cards"]),
        settings=settings(max_examples=2000, database=None, derandomize=True),
    )
    assert len(small["cards"]) <= 3 and len(str(small)) < 700


@settings(max_examples=50, suppress_health_check=list(HealthCheck), deadline=None)
@given(documents())
def test_positions_are_valid_and_both_readers_agree(document: Document) -> None:
    assert compare.canonical(State.from_dict(document)) == compare.canonical(state_of(document))


@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE], ids=["small", "middle", "large"])
def test_the_model_agrees_with_itself(size: Any) -> None:
    """Outcomes are states again: their creatures live and what they offer can be judged."""
    for seed in range(20):
        here = state_of(position(Dice(seed), size))
        judged = game.judge(here)
        for action in compare.sampled(list(judged)):
            legal, reasons = judged[action]
            assert legal != bool(reasons)
            assert game.why(here, action) == (legal, reasons)
            if legal and game.carries_out(here, action):
                for end in game.outcomes(here, action):
                    assert bool(game.judge(end)) != bool(end.result)


# -- the engine ----------------------------------------------------------------------------------


def test_the_engine_agrees_with_the_model() -> None:
    """PYENGINE_MODEL_COUNT positions from PYENGINE_MODEL_SEED on; of large ones the verdicts."""
    try:
        referee = compare.EngineReferee()
    except ImportError:
        pytest.skip("there is no engine yet")
    sizes = (SMALL, SMALL, MIDDLE, MIDDLE, LARGE)
    for seed in range(SEED, SEED + COUNT):
        size = sizes[seed % len(sizes)]
        document = position(Dice(seed), size)
        for found in compare.compare(document, referee, size is not LARGE):
            if found.kind != "ended":
                small, still = compare.shrunk(document, found, referee)
                pytest.fail(f"seed {seed}: {still}\n{yaml.safe_dump(small, sort_keys=False)}")
