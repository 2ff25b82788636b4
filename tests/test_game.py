"""Whole games: decks, the deal, playing, taking back, hidden hands, logs, and the commands."""

from __future__ import annotations

import json
import os
import pickle
import pty
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console, RenderableType

from pyengine import ActionError, Engine, IllegalAction, State, StateError, cli, gamelog
from pyengine.game import (
    Bot,
    DeckError,
    Game,
    deal,
    deck_faults,
    heroes_of_set,
    load_deck,
    starter_deck,
)
from pyengine.kinds import catalogue
from pyengine.model import ChoiceError, Fork
from pyengine.observe import seen_by
from pyengine.playing import Stop, Table
from pyengine.questions import asked_of
from pyengine.solving import DECK, SIGHT, program, solve
from pyengine.vector import VectorGame
from tests import games
from tests.conftest import ROOT

DUEL = """
turn: 5
active: p1
players: {p1: {coins: 9}, p2: {coins: 2}}
cards:
  furgot: {kind: furgot, owner: p1}
  snirk: {kind: snirk, owner: p2}
  archer: {kind: gnom_luchnik, owner: p1, zone: hand}
  piercing: {kind: probitie, owner: p1, zone: hand}
  burk: {kind: burk, owner: p1, zone: deck}
  gruns: {kind: gruns, owner: p1, zone: deck}
  rrykh: {kind: rrykh, owner: p2}
  jaal: {kind: dzhaal, owner: p2}
  chief: {kind: vozhd_akvanitov, owner: p2, zone: hand}
  madness: {kind: bezumie, owner: p2, zone: hand}
  ogre: {kind: sonnyy_ogr, owner: p2, zone: deck}
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


@pytest.fixture
def duel() -> State:
    return state_of(DUEL)


def state_of(text: str) -> State:
    from pyengine.reading import state_from_text

    return state_from_text(text)


def first(fork: Fork) -> int:
    return 0


def count(game: Game) -> int:
    return len(game.history)


# --- who must decide -----------------------------------------------------------------------------

ATTACKED = """
active: p1
players: {p1: {}, p2: {}}
cards:
  hero1: {type: hero, life: 25, owner: p1}
  hero2: {type: hero, life: 25, owner: p2}
  ork: {type: creature, strike: 3, life: 5, owner: p1}
  elf: {type: creature, strike: 1, life: 4, owner: p2}
"""


@pytest.mark.parametrize(
    ("more", "player"),
    [
        ("", "p1"),
        ("pending: {attacker: ork, target: hero2}", "p2"),
        ("phase: end", None),
        ("result: p2", None),
        ("pending: {attacker: ork, target: hero2}\nresult: draw", None),
    ],
)
def test_the_rules_say_who_must_decide(engine: Engine, more: str, player: str | None) -> None:
    """base.turn; in a phase that goes by itself, and when the game is over, nobody does."""
    state = state_of(ATTACKED + more)
    assert engine.to_move(state) == player
    assert bool(engine.legal_actions(state)) == (player is not None)


# --- decks ---------------------------------------------------------------------------------------


def test_the_four_heroes_of_the_set_have_decks() -> None:
    assert set(heroes_of_set()) == {"kos_zag_ataman", "furgot", "vitoslava", "snirk"}
    for hero in heroes_of_set():
        deck = starter_deck(hero)
        assert sum(deck.values()) == 40 and deck_faults(hero, deck) == []
        foreign = {kind: n for kind, n in deck.items() if catalogue()[kind].set != 22}
        # 11 kinds of an element and 2 neutral ones, three of each, are 39: see starter_deck
        assert foreign == ({"besstrashnyy": 1} if hero in ("furgot", "snirk") else {})


def test_a_deck_with_faults_is_told_all_of_them() -> None:
    deck: dict[str, Any] = {
        "groll": 4,
        "legat_akkenii": 5,
        "burk": 1,
        "snirk": 1,
        "fire_elemental": 1,
        "strateg": 1,
        "aldis": 0,
        "groll_": 2,
    }
    told = deck_faults("kos_zag_ataman", deck)
    for start in (
        "deck.groll: 4 of one name, at most 3",
        "deck.burk: its element is mountain",
        "deck.snirk: is no card for a deck",
        "deck.fire_elemental: is no card for a deck",
        "deck.aldis: 0 is no number of copies",
        "deck.groll_: is no kind of card; did you mean groll?",
        "deck: has 15 cards, at least 40",
    ):
        assert any(fault.startswith(start) for fault in told), (start, told)
    assert not any("legat_akkenii" in fault for fault in told)


def test_cards_of_one_name_count_together_and_those_of_classic_not_at_all() -> None:
    """What no kinds of the package show: they have names of their own, and all are of heroes."""
    facts = 'type(h,hero).element(h,steppe).name(h,"Hero").printed_for(h,heroes).'
    for kind, name, of in (("a", "Ork", "heroes"), ("b", "Ork", "heroes"), ("c", "Elf", "classic")):
        facts += f'type({kind},creature).name({kind},"{name}").printed_for({kind},{of}).'
    facts += "deck_of(0,h).contains(0,a,2).contains(0,b,2).contains(0,c,1)."
    rules = program("rules/editions/heroes.lp")
    (answer,) = solve(rules, facts, shown=DECK)
    assert [what for _, what in answer.texts("unfit")] == [
        "few(5,40)", "many(a,4,3)", "many(b,4,3)", "stranger(c)",
    ]  # fmt: skip
    assert answer["room"] == []
    (answer,) = solve(rules, f"{facts}horde(b,5).", shown=DECK)
    assert [row[1:] for row in answer.texts("room")] == [("a", "1"), ("b", "1")]


def test_a_card_that_waits_for_words_cannot_be_played() -> None:
    waiting = next(k for k in catalogue().values() if k.waits_for and k.type == "creature")
    assert any("waits for" in fault for fault in deck_faults("snirk", {waiting.id: 1}))
    with pytest.raises(DeckError) as caught:
        Game.deal(1, ("snork", None), ({"groll": 1}, None))
    assert caught.value.faults[0] == "decks.p1: 'snork' is no hero; did you mean snirk?"
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is DeckError and again.faults == caught.value.faults
    with pytest.raises(DeckError):
        starter_deck("groll")


def test_a_deck_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "deck.yaml"
    path.write_text("groll: 3\naldis: 2\n", encoding="utf-8")
    assert load_deck(path) == {"groll": 3, "aldis": 2}
    path.write_text("[groll]", encoding="utf-8")
    with pytest.raises(StateError, match="is not a mapping"):
        load_deck(path)


# --- the deal ------------------------------------------------------------------------------------


def test_a_deal_is_the_first_turn(engine: Engine) -> None:
    game = Game.deal(3, ("furgot", "furgot"), engine=engine)
    state = game.state
    assert (state.turn, state.phase, state.result) == (1, "main", None)
    assert game.to_move == state.active
    for player, has in state.players:
        assert (has.coins, has.coins_total) == ((1, 1) if player == state.active else (0, 0))
        mine = [card for card in state.cards if card.owner == player]
        assert [card.id for card in mine if card.zone == "play"] == [f"furgot_{player}"]
        assert sum(card.zone == "hand" for card in mine) == 4
        assert sum(card.zone == "deck" for card in mine) == 36
    assert State.from_dict(state.to_dict()) == state


def test_the_seed_decides() -> None:
    assert deal(5) == deal(5)
    assert deal(5)[0] != deal(6)[0]
    assert {deal(n)[0].active for n in range(12)} == {"p1", "p2"}
    # a hero that is named changes nothing for the other player
    told = deal(5)[1]["heroes"]
    assert deal(5, (None, "snirk"))[1]["heroes"][0] == told[0]


def test_a_redeal_puts_cards_under_the_deck() -> None:
    before, _ = deal(4)
    asked: list[str] = []

    def swap(state: State, player: str) -> list[str]:
        asked.append(player)
        assert state == state.observed_by(player)
        hand = [c.id for c in state.cards if c.zone == "hand" and c.owner == player]
        assert len([id for id in hand if not id.startswith("hidden_")]) == 4
        return hand[:2] if player == "p1" else []

    after, told = deal(4, redeal=swap)
    assert asked == [before.active, *({"p1", "p2"} - {before.active})]

    def pile(state: State, player: str, zone: str) -> list[str]:
        return [c.id for c in state.cards if (c.owner, c.zone) == (player, zone)]

    away = told["redeal"][0]
    deck = pile(before, "p1", "deck")
    assert pile(after, "p1", "deck") == [*deck[2:], *away]
    assert set(pile(after, "p1", "hand")) == {*pile(before, "p1", "hand"), *deck[:2]} - {*away}
    assert pile(after, "p2", "hand") == pile(before, "p2", "hand")
    with pytest.raises(ChoiceError):
        deal(4, redeal=lambda state, player: ["nothing"])


def test_the_rules_open_the_game(engine: Engine) -> None:
    """What Python is asked: who begins, of each player a swap; the rules do all else."""
    start = State.from_dict({
        "phase": "recovery", "active": "p1", "players": {"p1": {}, "p2": {}},
        "cards": {
            "hero1": {"type": "hero", "life": 25, "owner": "p1"},
            "hero2": {"type": "hero", "life": 25, "owner": "p2"},
            **{f"a{n}": {"type": "creature", "life": 1, "owner": "p1", "zone": "deck"} for n in range(8)},
            **{f"b{n}": {"type": "creature", "life": 1, "owner": "p2", "zone": "deck"} for n in range(8)},
        },
    })  # fmt: skip
    forks: list[Fork] = []
    answers = ["begins(p2)", "under(b2)", "under(b0)", "enough", "under(a3)", "enough"]

    def decide(fork: Fork) -> int:
        forks.append(fork)
        return fork.options.index(answers[len(forks) - 1])

    state = engine.begin(start, decide).state
    assert [(fork.player, fork.options) for fork in forks[:3]] == [
        (None, ("begins(p1)", "begins(p2)")),
        ("p2", ("enough", "under(b0)", "under(b1)", "under(b2)", "under(b3)")),
        ("p2", ("enough", "under(b0)", "under(b1)", "under(b3)")),
    ]
    assert forks[0].ways == (1, 1) and len(forks) == len(answers)
    assert (state.active, state.turn, state.phase) == ("p2", 1, "main")

    def pile(player: str, zone: str) -> list[str]:
        return [c.id for c in state.cards if (c.owner, c.zone) == (player, zone)]

    assert sorted(pile("p2", "hand")) == ["b1", "b3", "b4", "b5"]
    assert pile("p2", "deck") == ["b6", "b7", "b2", "b0"]  # under it in the order of the choice
    assert sorted(pile("p1", "hand")) == ["a0", "a1", "a2", "a4"]
    assert pile("p1", "deck") == ["a5", "a6", "a7", "a3"]


def test_a_choice_in_the_opening_turn(engine: Engine) -> None:
    """Adina may prevent wounds at the start of each turn of the opponent, so in the first as well."""
    heroes = ("adina", "furgot")
    seed = next(n for n in range(20) if deal(n, ("furgot", "snirk"))[0].active == "p2")
    with pytest.raises(ChoiceError, match=r"^the deal leaves p1 a choice .* carry_out\(adina\)"):
        Game.deal(seed, heroes, engine=engine)

    def choose(fork: Fork) -> str:
        return "number(2)" if "number(2)" in fork.options else "carry_out(adina)"

    game = Game.deal(seed, heroes, engine=engine, choose=choose)
    assert [effect.ability for effect in game.state.effects] == ["prevent(2,next,self,any)"]
    assert game.dealt is not None and game.dealt["picks"] == ["carry_out(adina)", "number(2)"]
    log = gamelog.parse("".join(gamelog.lines(game)))
    assert gamelog.replay(log, engine).difference is None
    for other in (["decline(adina)"], ["carry_out(adina)"], []):
        changed = replace(log, dealt={**game.dealt, "picks": other})
        assert gamelog.replay(changed, engine).difference is not None
    broken = json.loads("".join(gamelog.lines(game)))
    broken["dealt"]["picks"] = [1]
    with pytest.raises(StateError, match="dealt"):
        gamelog.parse(json.dumps(broken))
    games_ = VectorGame.deal(1, "x", heroes, engine=engine, choose=lambda game, fork: 0)
    assert games_.states[0].phase == "main"


def test_a_game_by_an_authors_rules(tmp_path: Path) -> None:
    """All that a game asks of the rules it asks of its own: decks, the deal, what a player sees."""

    def rewritten(chapter: str, *changes: tuple[str, str]) -> None:
        text = (ROOT / "rules" / chapter).read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "rules" / chapter).write_text(text, encoding="utf-8")

    (tmp_path / "rules").mkdir()
    # hands lie open, but what costs 1 or less is closed; decks are of 30; the deal is another rule
    rewritten("sight.lp", ("zone(C, hand).", "zone(C, hand), cost(C, N), N <= 1."))
    rewritten("deck_building.lp", ("40", "30"))
    rewritten("opening.lp", ('"base.deck"', '"house.deal"'))
    judge = Engine(tmp_path / "rules")
    asked = []

    def redeal(state: State, player: str) -> list[str]:
        hand = [card.id for card in state.cards if (card.zone, card.owner) == ("hand", player)]
        asked.append((player, hand[0]))
        return hand[:1]

    game = Game.deal(3, ("furgot", "snirk"), redeal=redeal, engine=judge)
    ours = Game.deal(3, ("furgot", "snirk"), redeal=redeal)
    assert game.state.active == ours.state.active and asked[0][0] == asked[2][0]
    assert game.dealt is not None and game.dealt["redeal"] == [
        [id for who, id in asked[:2] if who == player] for player in ("p1", "p2")
    ]
    for player, deck in (("furgot", game.dealt["decks"][0]), ("snirk", game.dealt["decks"][1])):
        assert sum(deck.values()) == 30 == sum(starter_deck(player, engine=judge).values())
        assert deck_faults(player, deck, engine=judge) == [] != deck_faults(player, deck)
    log = gamelog.parse("".join(gamelog.lines(game)))
    assert gamelog.replay(log, judge).difference is None
    assert gamelog.replay(log).difference is not None
    state = game.state
    for player, other in (("p1", "p2"), ("p2", "p1")):
        seen = state.observed_by(player, judge)
        hand = [card for card in state.cards if (card.zone, card.owner) == ("hand", other)]
        known = {card.id for card in seen.cards}
        assert [card.id for card in hand if card.id in known] == [c.id for c in hand if c.cost > 1]
        assert any(card.id in known for card in hand)
        assert not any(card.id in {c.id for c in state.observed_by(player).cards} for card in hand)
        if game.to_move == player:
            script = Script(f"card {next(card.id for card in hand if card.id in known)}")
            sit(game, script)
            assert "is to be seen" not in script.text


def test_an_id_tells_nothing_of_the_deck() -> None:
    numbers = {
        int(card.id.rpartition("_")[2])
        for seed in range(20)
        for card in deal(seed)[0].cards
        if card.type != "hero"
    }
    assert numbers == set(range(1, 20))


# --- playing -------------------------------------------------------------------------------------


def test_actions_and_results(engine: Engine, duel: State) -> None:
    game = Game(duel, engine=engine)
    assert game.to_move == "p1"
    assert game.legal_actions() == engine.legal_actions(duel)
    with pytest.raises(IllegalAction):
        game.apply("attack(furgot,snirk)")
    with pytest.raises(ActionError):
        game.apply("attack(furgot,nobody)")
    assert count(game) == 0 and game.state is duel
    game.apply("play(piercing,rrykh)")
    assert game.state.card("rrykh").wounds == 2
    assert game.undo().action.text == "play(piercing,rrykh)"
    assert game.state is duel
    with pytest.raises(IndexError):
        game.undo()


def test_the_defender_decides_while_an_attack_waits(engine: Engine) -> None:
    state = State.load(ROOT / "facts" / "states" / "02-defenders.yaml")
    game = Game(state, engine=engine)
    assert (state.active, game.to_move) == ("steppe", "forest")
    game.apply("defend(shia)")
    assert game.to_move == "steppe"


def test_a_choice_is_asked_for(engine: Engine, duel: State) -> None:
    game = Game(duel, engine=engine)
    with pytest.raises(ChoiceError) as caught:
        game.apply("play(archer)")
    fork = caught.value.fork
    assert fork is not None and fork.player == "p1" and fork.rule == "base.target"
    assert set(fork.options) == {"at(jaal)", "at(rrykh)", "at(snirk)"}
    assert fork.state.card("archer").zone == "play"  # it is there already
    assert count(game) == 0
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.fork == fork
    game.apply("play(archer)", lambda fork: "at(jaal)")
    assert game.state.card("jaal").zone == "graveyard"
    assert game.history[0].picks == ("at(jaal)",)
    game.undo()
    for wrong in ("at(burk)", 3, -1):
        with pytest.raises(ChoiceError):
            game.apply("play(archer)", lambda fork, wrong=wrong: wrong)  # type: ignore[misc]
    assert count(game) == 0


def test_a_whole_outcome_may_be_chosen(engine: Engine, duel: State) -> None:
    game = Game(duel, engine=engine)
    outcomes = game.outcomes("play(archer)")
    assert len(outcomes) == 3
    for index, outcome in enumerate(outcomes):
        assert game.apply("play(archer)", index) == outcome
        game.undo()
        assert game.apply("play(archer)", outcome).state == game.state
        assert game.history[0].index == index
        game.undo()
    for wrong in (3, -1, game.outcomes("end_turn")[0]):
        with pytest.raises(ChoiceError):
            game.apply("play(archer)", wrong)


def test_what_is_chosen_step_by_step_is_an_outcome(engine: Engine, duel: State) -> None:
    outcomes = {outcome.state for outcome in engine.resolve(duel, "play(archer)")}
    came = set()
    for option in range(3):
        game = Game(duel, engine=engine)
        came.add(game.apply("play(archer)", lambda fork, option=option: option).state)  # type: ignore[misc]
    assert came == outcomes


def test_chance_is_the_seeds(engine: Engine, duel: State) -> None:
    shuffled = duel.to_dict()
    shuffled["players"]["p1"]["deck_order"] = "unknown"
    state = State.from_dict(shuffled)

    def drawn(seed: int) -> str:
        game = Game(state, seed, engine)
        game.apply("play(piercing,rrykh)")
        taken = (game.history[0].picks or ("",))[0]
        game.undo()
        game.apply("play(piercing,rrykh)")  # it falls out the same again
        assert game.history[0].picks == (taken,)
        return taken

    assert {drawn(seed) for seed in range(8)} == {"draw(burk)", "draw(gruns)"}
    assert drawn(5) == drawn(5)


def test_nothing_is_declared_after_the_end(engine: Engine, duel: State) -> None:
    over = State.from_dict({**duel.to_dict(), "result": "p2"})
    game = Game(over, engine=engine)
    assert (game.to_move, game.result, game.legal_actions()) == (None, "p2", [])
    for choice in (None, 0):
        with pytest.raises(IllegalAction):
            game.apply("end_turn", choice)


def test_bots_are_repeatable() -> None:
    fork = Fork("p1", "base.target", tuple("abcdefgh"), (1,) * 8, State("p1", (), ()))
    one, other = Bot("x"), Bot("x")
    assert [one.choose(fork) for _ in range(20)] == [other.choose(fork) for _ in range(20)]
    assert len({Bot(n).choose(fork) for n in range(60)}) == 8
    assert {len(Bot(n).redeal("abcd")) for n in range(60)} == {0, 1, 2, 3, 4}


# --- random games --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [2, 8])
def test_random_games_are_in_order(seed: int) -> None:
    report = games.play(seed, sample=0, most=50)
    assert report.faults == [], report.action
    assert report.game is not None and len(report.game.history) >= 30


def test_games_advanced_together_are_those_played_alone() -> None:
    reports = {report.seed: report for report in games.play_together([2, 8, 9], 2, most=7)}
    assert sorted(reports) == [2, 8, 9]
    for seed, report in reports.items():
        alone = games.play(seed, sample=0, most=7)
        assert report.faults == alone.faults == []
        assert (report.state, report.actions, report.forks) == (alone.state, 7, alone.forks)


def test_a_game_looked_at_closely() -> None:
    report = games.play(31, sample=9, most=28)
    assert report.faults == [], report.action
    assert report.resolved > 0


def test_the_later_edition_is_played_too() -> None:
    report = games.play(5, sample=0, most=25, edition="heroes_2")
    assert report.faults == [] and report.game is not None
    assert report.game.state.edition == "heroes_2"


def test_a_game_that_fails_is_reported_and_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def spoilt(before: State, state: State) -> Iterator[str]:
        if state.turn > 2:
            yield "turn 3 has come"

    monkeypatch.setattr(games, "faults", spoilt)
    report = games.play(2, sample=0)
    assert report.faults == ["turn 3 has come"]
    path = games.save(report, tmp_path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# turn 3 has come\n# action: end_turn\n")
    assert State.load(path).turn == 2  # the position before that action
    assert gamelog.read(path.with_suffix(".jsonl")).entries


# --- what a player sees --------------------------------------------------------------------------


def test_hands_and_decks_are_hidden(duel: State) -> None:
    seen = duel.observed_by("p1")
    assert [card.id for card in seen.cards if card.zone == "play"] == ["furgot", "jaal", "rrykh", "snirk"]  # fmt: skip
    assert [c.id for c in seen.cards if c.zone == "hand"] == [
        "archer", "piercing", "hidden_1", "hidden_2",
    ]  # fmt: skip
    assert [(c.id, c.owner) for c in seen.cards if c.zone == "deck"] == [
        ("hidden_3", "p1"), ("hidden_4", "p1"), ("hidden_5", "p2"),
    ]  # fmt: skip
    blank = seen.card("hidden_1")
    assert (blank.kind, blank.name, blank.type, blank.hidden) == (None, "hidden", "spell", True)
    assert (blank.cost, blank.abilities, blank.element) == (0, (), ())
    assert {player.deck_order for _, player in seen.players} == {"unknown"}
    assert seen.player("p1").coins == 9
    with pytest.raises(KeyError):
        duel.observed_by("p3")


def test_what_is_seen_depends_on_little(engine: Engine, duel: State) -> None:
    """`observed_by` asks about a card of each sort once: nothing but its sort may bear on the answer."""
    rules = program("rules/editions/heroes.lp")
    asked = asked_of(duel, "onlooker(p1).")
    blocks = rules.atoms(asked, rules.slice(asked, SIGHT))
    looked_at = {atom.partition("(")[0] for block in blocks for atom in block}
    assert looked_at == {"players", "onlooker", "zone", "owner"}  # no card there is `hidden`
    for _, state in (("", duel), *((n, deal(n)[0]) for n in range(2))):
        for player in ("p1", "p2"):
            assert seen_by(state, player) == engine.sight(state, player)


def test_nothing_leaks(duel: State) -> None:
    assert list(games.secrets(duel, "p1")) == list(games.secrets(duel, "p2")) == []
    # what p2 holds may be anything
    swapped = duel.to_dict()
    swapped["cards"]["chief"]["kind"] = "teuri"
    swapped["cards"]["ogre"]["kind"] = "rrykh"
    assert State.from_dict(swapped).observed_by("p1") == duel.observed_by("p1")
    assert State.from_dict(swapped).observed_by("p2") != duel.observed_by("p2")


def test_effects_of_hidden_cards_name_no_card(duel: State) -> None:
    document = duel.to_dict()
    document["effects"] = [
        {"card": "furgot", "ability": "mod(life,1)", "source": "chief", "until": "end_of_turn"},
        {"card": "chief", "ability": "mod(cost,1)", "source": "snirk"},
        {"card": "snirk", "ability": "armor(1)", "source": "furgot"},
        {"card": "snirk", "ability": "grant(card(chief),armor(1))", "source": "furgot"},
        {"card": "snirk", "ability": "grant(card(rrykh),armor(1))", "source": "furgot"},
    ]
    state = State.from_dict(document)
    seen = state.observed_by("p1")
    assert [(e.card, e.source, e.since) for e in seen.effects] == [
        ("furgot", None, 1), *(("snirk", "furgot", moment) for moment in (3, 4, 5)),
    ]  # fmt: skip
    assert [effect.ability for effect in seen.effects[2:]] == [
        "grant(card(hidden_1),armor(1))", "grant(card(rrykh),armor(1))",
    ]  # fmt: skip
    assert seen.effects[0].controller == "p2"
    assert State.from_dict(seen.to_dict()) == seen
    mine = state.observed_by("p2")
    assert [(e.card, e.source) for e in mine.effects][:2] == [
        ("furgot", "chief"),
        ("chief", "snirk"),
    ]


def test_a_card_face_down_in_play_keeps_its_place(engine: Engine) -> None:
    state = state_of("""
edition: classic
active: p1
players: {p1: {}, p2: {}}
cards:
  ork: {type: creature, life: 3, strike: [1, 2, 3], owner: p1, cell: [1, 3], hidden: true}
  elf: {type: creature, life: 3, strike: [1, 2, 3], owner: p2, cell: [2, 4], hidden: true, closed: true}
  imp: {type: symbiote, owner: p2, cell: [1, 4], hidden: true, arrived: 2}
  hidden_1: {type: creature, life: 3, owner: p1, cell: [5, 1]}
effects:
  - {card: elf, ability: "cannot(move)", source: imp}
""")
    seen = state.observed_by("p1")
    cells = {card.id: (card.cell, card.closed, card.life) for card in seen.cards}
    assert cells["ork"] == ((1, 3), False, 3)
    assert cells["hidden_2"] == ((1, 4), False, 1)  # hidden_1 is a card that all know
    assert cells["hidden_3"] == ((2, 4), True, 1)
    assert (seen.effects[0].card, seen.effects[0].source) == ("hidden_3", "hidden_2")
    assert State.from_dict(seen.to_dict()) == seen
    assert engine.sight(state, "p1").in_place == {"elf", "imp"}
    assert all(seen_by(state, player) == engine.sight(state, player) for player in ("p1", "p2"))
    assert "elf" not in seen.to_json() and "imp" not in seen.to_json()


# --- logs ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(engine: Engine) -> Game:
    """A short game with choices in it."""
    game = Game.deal("log", ("furgot", "snirk"), engine=engine)
    bots = {player: Bot(player) for player in ("p1", "p2")}
    while len(game.history) < 24:
        player = str(game.to_move)
        game.apply(
            bots[player].declare(game.legal_actions()),
            lambda fork: bots[str(fork.player)].choose(fork),
        )
    return game


def log_of(game: Game) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gamelog.lines(game)]


def text_of(entries: Sequence[dict[str, Any]]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def test_a_log_is_replayed(engine: Engine, played: Game) -> None:
    done = gamelog.replay(gamelog.parse("".join(gamelog.lines(played))), engine)
    assert done.difference is None and done.actions == 24
    assert done.game.state == played.state
    assert [p.action for p in done.game.history] == [p.action for p in played.history]


def test_a_log_follows_the_game(engine: Engine, duel: State, tmp_path: Path) -> None:
    game = Game(duel, engine=engine)
    path = tmp_path / "log.jsonl"
    file = gamelog.LogFile(path, game)
    game.apply("play(archer)", first)
    file.follow()
    game.apply("end_turn")
    file.follow()
    assert path.read_text("utf-8") == "".join(gamelog.lines(game))
    game.undo()
    game.undo()
    game.apply("play(archer)", 2)
    file.follow()
    assert path.read_text("utf-8") == "".join(gamelog.lines(game))
    log = gamelog.read(path)
    assert (log.entries[0].picks, log.entries[0].index) == (None, 2)
    assert gamelog.replay(log, engine).difference is None


@pytest.mark.parametrize(
    ("line", "changes", "kind"),
    [
        (0, {"seed": "other"}, "deal"),
        (0, {"state": "0"}, "deal"),
        (3, {"player": "p3"}, "player"),
        (3, {"action": "attack(furgot,snirk)"}, "illegal"),
        (3, {"action": "attack(furgot,nobody)"}, "choice"),
        (3, {"picks": ["at(snirk)"]}, "choice"),
        (3, {"picks": None, "outcome": 9}, "choice"),
        (3, {"state": "0"}, "state"),
        (3, {"changed": {}}, "state"),
        (3, {"changed": {"cards": {"furgot": {"kind": "grol"}}}}, "state"),
    ],
)
def test_the_first_difference_is_found(
    engine: Engine, played: Game, line: int, changes: dict[str, Any], kind: str
) -> None:
    entries = log_of(played)
    entries[line] |= changes
    done = gamelog.replay(gamelog.parse(text_of(entries)), engine)
    assert done.difference is not None
    assert (done.difference.number, done.difference.kind) == (line, kind)
    assert done.actions == max(line - 1, 0)
    assert json.dumps(gamelog.document(done, "log"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is no log of a game"),
        ("nonsense\n", "line 1: is no JSON mapping"),
        ("[" * 100_000, "line 1: is no JSON mapping"),
        ("{}\n", "line 1: is not the first line of a log"),
        ('{"pyengine_log": 1, "start": {"active": "p1"}}', "line 1: start.players: is required"),
    ],
)
def test_what_is_no_log_is_refused(text: str, fault: str) -> None:
    with pytest.raises(StateError, match="log") as caught:
        gamelog.parse(text)
    assert any(fault in line for line in str(caught.value).splitlines())


def test_every_faulty_line_is_told(played: Game) -> None:
    entries = log_of(played)
    entries[0]["dealt"] = {"heroes": ["furgot"]}
    entries[1]["n"] = 7
    entries[2]["picks"] = 3
    entries[3]["action"] = "jump(x)"
    entries[4] |= {"outcome": 1}
    with pytest.raises(StateError, match="line 1: dealt") as caught:
        gamelog.parse(text_of(entries))
    told = str(caught.value)
    for place in ("line 1: dealt", "line 2: n", "line 3", "line 4", "line 5"):
        assert place in told


# --- people --------------------------------------------------------------------------------------


class Script:
    """A terminal at which the lines of a script are typed."""

    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)
        self.printed: list[str] = []
        self.cleared = 0

    def tell(self, picture: RenderableType) -> None:
        console = Console(width=80, color_system=None, highlight=False)
        with console.capture() as capture:
            console.print(picture)
        self.printed.append(capture.get())

    def ask(self, prompt: str) -> str | None:
        self.printed.append(prompt)
        if not self.typed:
            return None
        return self.typed.pop(0)

    def clear(self) -> None:
        self.cleared += 1
        self.printed.clear()

    @property
    def text(self) -> str:
        return "".join(self.printed)


def seated(script: Script, bots: str = "", lang: Any = "en") -> Table:
    return Table(script, lang, {player: Bot(player) for player in bots.split()})


def sit(game: Game, script: Script, bots: str = "", lang: Any = "en") -> None:
    with pytest.raises(Stop):
        seated(script, bots, lang).play(game)


def test_a_person_plays(engine: Engine, duel: State) -> None:
    game = Game(duel, engine=engine)
    script = Script("play(archer)", "9", "what", "table", "help", "2", "end_turn")
    sit(game, script, "p2")
    assert [str(p.action) for p in game.history][:1] == ["play(archer)"]
    text = script.text
    assert "p1 chooses (base.target" in text and "2  the target is Rrykh (rrykh)" in text
    assert "there is no number 9 here" in text and "'what' is no command" in text
    assert "Rrykh (rrykh) takes 2 wounds" in text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "chief" not in text and "madness" not in text and "gruns" not in text


def test_a_person_asks(engine: Engine, duel: State) -> None:
    game = Game(duel, engine=engine)
    script = Script(
        "why 1", "why attack(furgot,snirk)", "why", "card rrykh", "card РРЫХ", "card chief",
        "card hidden_1", "attack(furgot,snirk)", "play(chief)", "undo", "0", "play(", "", "quit",
    )  # fmt: skip
    sit(game, script, "p2")
    text = script.text
    assert count(game) == 0
    assert "base.hero" in text and "shuffle_in(self)" in text
    assert text.count("no card 'chief' is to be seen") == 1
    assert "no card 'hidden_1'" in text and "'chief' is no card of this state" in text
    assert "nothing to take back" in text and "there is no number 0 here" in text


def test_a_card_is_told_with_its_values_in_force(engine: Engine) -> None:
    changed = "effects: [{card: rrykh, ability: 'mod(strike,2)', since: 1}]\n"
    game = Game(state_of(DUEL + changed), engine=engine)
    script = Script("card rrykh", "play(archer)", "card rrykh", "quit")  # then at a choice, too
    sit(game, script, "p2")
    assert script.text.count("What is in force now\n  strike 5 (printed: 3)") == 2


def test_a_person_takes_back(engine: Engine, duel: State) -> None:
    game = Game(duel, engine=engine)
    script = Script("play(archer)", "undo", "play(piercing,rrykh)", "undo", "quit")
    sit(game, script, "p2")
    assert count(game) == 0
    script = Script("end_turn", "undo", "quit")
    sit(game, script, "p2")  # what the bot did in between is taken back too
    assert count(game) == 0 or game.history[0].player == "p1"


def test_two_people_do_not_see_each_others_hand(engine: Engine, duel: State) -> None:
    game = Game(duel, engine=engine)
    script = Script("", "end_turn", "", "table", "play(madness,rrykh)", "quit")
    sit(game, script)
    assert script.cleared == 2
    assert "piercing" not in script.text and "chief" in script.text
    assert "p1: end_turn" in script.text
    assert game.state.active == "p2"


def test_the_other_person_is_asked_in_between(engine: Engine) -> None:
    state = state_of(DUEL.replace("active: p1", "active: p2").replace("coins: 2", "coins: 5"))
    game = Game(state, engine=engine)
    pay = [f.options for f in forks_of(game, "play(chief)") if f.player == "p1"]
    assert pay[0] == ("carry_out(chief)", "decline(chief)")
    # p2 names the creature that is to go, then p1 may pay for it to stay
    script = Script("", "play(chief)", "1", "", "1", "", "quit")
    sit(game, script)
    assert game.state.player("p1").coins == 7 and script.cleared == 3


def forks_of(game: Game, action: str) -> list[Fork]:
    found: list[Fork] = []

    def note(fork: Fork) -> int:
        found.append(fork)
        return 0

    game.apply(action, note)
    game.undo()
    return found


def test_people_swap_cards_of_their_first_hand() -> None:
    script = Script("7", "1 1,3")
    table = seated(script, "p2")
    _, told = deal(9, ("snirk", "furgot"), redeal=table.redeal)
    mine = next(swap for swap in told["redeal"])
    assert len(mine) == 2 and "there is no number 7 here" in script.text


# --- the commands --------------------------------------------------------------------------------


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Result]:
    import io

    def runs(*args: str, typed: str = "") -> Result:
        monkeypatch.setenv("LANG", "C")
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = cli.main(list(args))
        captured = capsys.readouterr()
        return Result(code, captured.out, captured.err)

    return runs


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heroes with one life, so that games of bots are short."""
    real = deal

    def dealt(*args: Any) -> tuple[State, dict[str, Any]]:
        state, told = real(*args)
        document = state.to_dict()
        for card in document["cards"].values():
            if card.get("zone", "play") == "play":
                card["life"] = 1
        return State.from_dict(document), told

    monkeypatch.setattr("pyengine.game.deal", dealt)
    monkeypatch.setattr(gamelog, "deal", dealt)


def test_two_bots(run: Callable[..., Result], short: None, tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    result = run("play", "--p1", "bot", "--seed", "5", "--log", str(log), "--lang", "ru")
    assert result.code == 0 and result.err == ""
    assert "зерно 5" in result.out and "победа" in result.out
    answer = json.loads(run("play", "--p1", "bot", "--seed", "5", "--json").out)
    assert answer["seed"] == 5 and answer["result"] in ("p1", "p2", "draw")
    entries = gamelog.read(log).entries
    assert [e["action"] for e in answer["actions"]] == [str(e.action) for e in entries]
    again = run("replay", str(log))
    assert again.code == 0 and f"{len(entries)} actions replayed" in again.out
    assert json.loads(run("replay", str(log), "--json").out)["difference"] is None
    lines = log.read_text("utf-8").splitlines()
    entry = json.loads(lines[-1])
    entry["changed"]["turn"] = 99
    log.write_text("\n".join([*lines[:-1], json.dumps(entry)]), encoding="utf-8")
    wrong = run("replay", str(log))
    assert wrong.code == 1 and "turn 99 →" in wrong.out
    assert json.loads(run("replay", str(log), "--json").out)["difference"]["kind"] == "state"
    told = run("play", "--p1", "bot", "--seed", "5", "--show").out
    assert "Berserk Heroes · turn 1" in told and "ends the turn" in told


def test_a_person_at_the_command(run: Callable[..., Result], tmp_path: Path) -> None:
    log = tmp_path / "game.jsonl"
    args = ("play", "--hero1", "snirk", "--seed", "2", "--log", str(log))
    result = run(*args, typed="\nend_turn\nquit\n")
    assert result.code == 0 and result.err == ""
    assert "p1> end_turn\n" in result.out and "The game stops here" in result.out
    assert gamelog.read(log).entries[-1].player in ("p1", "p2")
    assert run("play", "--seed", "2", typed="").out.endswith("The game has not begun.\n")


@pytest.mark.parametrize(
    ("args", "faults"),
    [
        (("--p1", "robot", "--p2", "bo"), ["--p1: 'robot'", "--p2: 'bo'"]),
        (("--json", "--show"), ["--show: shows both hands", "--json: shows both hands"]),
        (("--hero1", "x", "--hero2", "groll"), ["decks.p1: 'x' is no hero", "decks.p2: 'groll'"]),
        (("--deck1", "/no/where"), ["/no/where: cannot be read"]),
        (("--edition", "classic"), ["decks.p1: no deck", "decks.p2: no deck"]),
        (("--p1", "bot", "--log", "/no/where"), ["/no/where: cannot be written: No such file"]),
    ],
)
def test_bad_input(run: Callable[..., Result], args: tuple[str, ...], faults: list[str]) -> None:
    result = run("play", *args)
    assert result.code == 2 and result.out == ""
    for fault, line in zip(faults, result.err.splitlines(), strict=True):
        assert line.startswith(fault)
    assert run("replay", "/no/where").code == 2


def test_an_interruption_at_a_terminal(plain_environment: dict[str, str]) -> None:
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "pyengine", "play", "--p2", "person", "--seed", "1"]
    with subprocess.Popen(
        command, stdin=child, stdout=child, stderr=child, cwd=ROOT, env=plain_environment
    ) as process:
        os.close(child)
        said = _read_until(parent, b"> ")
        assert b"decides. Press Enter" in said and said.startswith(b"\x1b[2J")
        try:
            process.send_signal(signal.SIGINT)
            _read_until(parent, None)
            assert process.wait(20) == 130
        finally:
            process.kill()
    os.close(parent)


def _read_until(descriptor: int, wanted: bytes | None) -> bytes:
    """What a terminal prints up to some text, or up to its end."""
    said = b""
    end = time.monotonic() + 60
    while time.monotonic() < end and (wanted is None or wanted not in said):
        if select.select([descriptor], [], [], 0.5)[0]:
            try:
                part = os.read(descriptor, 4096)
            except OSError:
                break
            if not part:
                break
            said += part
    return said


def test_seeds_are_of_any_kind() -> None:
    assert deal(random.Random(1).random())[0].turn == 1
