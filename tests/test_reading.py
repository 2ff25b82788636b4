"""Reading and writing states: what loads, how it comes back, and how each fault is told."""

from __future__ import annotations

import copy
import json
import pickle
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pyengine import Limits, documents, kinds, reading
from pyengine.kinds import Kind, catalogue, load_kinds
from pyengine.limits import using
from pyengine.model import EDITIONS, Effect, Pending, Player, State, StateError
from pyengine.reading import (
    load_state,
    parse_documents,
    state_from_dict,
    state_from_text,
    state_schema,
    state_to_dict,
    state_to_json,
    state_to_yaml,
)

SAMPLE = """
edition: heroes
turn: 4
active: p1
phase: main
players:
  p1: {coins: 3, coins_total: 5, missed: 0, deck_order: known}
  p2: {}
cards:
  ork:
    name: Swordsman
    type: creature
    class: [orc]
    element: [steppe]
    cost: 2
    strike: 3
    life: 4
    abilities: ["armor( 1 )", "directed_strike"]
    owner: p1
    controller: p1
    zone: play
    wounds: 0
    extra_life: 0
    closed: false
    acted: false
    defended: false
    entered: 0
    since: 0
    spent: {}
    hidden: false
    cell: [1, 1]
    arrived: 0
    movement: 1
    moved: 0
    chips: 0
  gabriel: {type: hero, life: 25, owner: p2}
  curse: {type: spell, owner: p2, zone: graveyard}
effects:
  - card: ork
    ability: "cannot(attack)"
    source: curse
    controller: p2
    since: 5
    spent: 0
    until: leaves
pending:
  attacker: ork
  target: gabriel
  defender: null
result: null
"""
KINDS = {
    "swordsman": Kind(
        "swordsman",
        "creature",
        (("en", "Swordsman"),),
        ("orc",),
        ("steppe",),
        2,
        3,
        4,
        ("armor(1)",),
    ),
    "egg": Kind("egg", "creature", life=1, created=True),
    "pikeman": Kind("pikeman", "creature", strike=(1, 2, 3), life=6, edition="classic"),
}


def simple(**card: Any) -> dict[str, Any]:
    """A small fine document; `card` goes into its only creature."""
    return {
        "active": "p1",
        "players": {"p1": {}, "p2": {}},
        "cards": {
            "hero1": {"type": "hero", "life": 25, "owner": "p1"},
            "ork": {"type": "creature", "life": 4, "owner": "p1", **card},
        },
    }


SIDES = {
    "ork": {"type": "creature", "life": 4, "owner": "p1"},
    "foe": {"type": "creature", "life": 4, "owner": "p2"},
}


def faults(document: Any) -> list[str]:
    """The faults of a document (text is read as a file would be); [] if it is fine."""
    try:
        if isinstance(document, str | bytes):
            state_from_text(document, "state.yaml", KINDS)
        else:
            state_from_dict(document, KINDS)
    except StateError as error:
        assert str(error) == "\n".join(error.faults)
        return list(error.faults)
    return []


# ---------------------------------------------------------------- what loads


def test_the_sample_of_the_contract_loads() -> None:
    state = state_from_text(SAMPLE)
    assert state.turn == 4 and state.player("p1") == Player(3, 5)
    ork = state.card("ork")
    assert ork.abilities == ("armor(1)", "directed_strike")
    assert (ork.name, ork.classes, ork.element) == ("Swordsman", ("orc",), ("steppe",))
    assert (ork.cost, ork.strike, ork.life, ork.cell) == (2, 3, 4, (1, 1))
    assert state.effects == (Effect("ork", "cannot(attack)", "p2", 5, "curse"),)
    assert state.pending == Pending("ork", "gabriel")
    assert state.result is None
    assert state_from_dict(yaml.safe_load(SAMPLE)) == state
    assert pickle.loads(pickle.dumps(state)) == state and hash(state) == hash(copy.deepcopy(state))


def test_defaults_of_heroes() -> None:
    state = state_from_dict(simple())
    assert (state.edition, state.turn, state.phase, state.effects) == ("heroes", 1, "main", ())
    ork = state.card("ork")
    assert (ork.controller, ork.name, ork.strike, ork.cost, ork.zone) == ("p1", "ork", 0, 0, "play")
    assert ork.cell is None and not (ork.closed or ork.acted or ork.defended or ork.hidden)
    document = simple()
    document["cards"]["ork"] = {"type": "creature", "life": 1, "controller": "p2"}
    assert state_from_dict(document).card("ork").owner == "p2"


def test_defaults_of_classic() -> None:
    state = state_from_dict({**simple(), "edition": "classic", "cards": {}})
    assert state.phase == "choice"
    card = {"type": "flyer", "life": 3, "owner": "p1", "strike": [1, 2, 3], "cell": [5, 6]}
    document = {**simple(), "edition": "classic", "cards": {"a": card, "b": {**card, "strike": 0}}}
    state = state_from_dict(document)
    assert state.card("a").strike == (1, 2, 3) and state.card("a").cell == (5, 6)
    assert state.card("b").strike == (0, 0, 0)


def test_coins_total_is_coins_unless_it_is_said() -> None:
    document = {**simple(), "players": {"p1": {"coins": 5}, "p2": {"coins": 1, "coins_total": 7}}}
    state = state_from_dict(document)
    assert [player.coins_total for _, player in state.players] == [5, 7]
    assert state_to_dict(state)["players"] == document["players"]


def test_defaults_of_effects() -> None:
    document = simple()
    document["cards"]["curse"] = {"type": "spell", "owner": "p2", "zone": "graveyard"}
    document["effects"] = [
        {"card": "ork", "ability": "charge", "source": "curse"},
        {"card": "ork", "ability": "unique"},
        {"card": "ork", "ability": "unique", "since": 9, "until": 3, "controller": "p2"},
    ]
    assert state_from_dict(document).effects == (
        Effect("ork", "charge", "p2", 1, "curse"),
        Effect("ork", "unique", "p1", 2),
        Effect("ork", "unique", "p2", 9, until=3),
    )


def test_a_kind_gives_what_is_not_written_inline() -> None:
    document = simple()
    document["cards"]["ork"] = {"kind": "swordsman", "owner": "p1"}
    document["cards"]["big"] = {"kind": "swordsman", "owner": "p1", "life": 9, "abilities": []}
    state = state_from_dict(document, KINDS)
    ork, big = state.card("ork"), state.card("big")
    assert (ork.type, ork.strike, ork.life, ork.abilities) == ("creature", 3, 4, ("armor(1)",))
    assert (ork.name, ork.classes, ork.element, ork.cost) == ("swordsman", ("orc",), ("steppe",), 2)
    assert (big.life, big.abilities, big.strike) == (9, (), 3)
    assert state_to_dict(state, KINDS)["cards"] == document["cards"]


@pytest.mark.parametrize("card_id", ["not", "class", "on", "yes", "no", "off", "y", "x_1", "draw"])
def test_ids_that_are_words_elsewhere_work(card_id: str) -> None:
    text = f"""
active: on
players: {{on: {{}}, yes: {{}}}}
cards:
  {card_id}: {{type: creature, life: 3, owner: yes, class: [not], element: [off]}}
effects: [{{card: {card_id}, ability: "armor(1)"}}]
"""
    state = state_from_text(text)
    assert state.card(card_id).owner == "yes" and state.card(card_id).classes == ("not",)
    assert state_from_text(state_to_yaml(state)) == state
    # and a reader of YAML 1.1 gets the same out of what is written
    assert state_from_dict(yaml.safe_load(state_to_yaml(state))) == state


def test_ids_null_and_true_must_be_quoted_in_yaml_and_are_when_written() -> None:
    card = {"type": "creature", "life": 1, "owner": "p1"}
    state = state_from_dict({**simple(), "cards": {"null": card, "true": card}})
    assert state_from_text(state_to_yaml(state)) == state
    assert "must be text" in faults("active: p1\ncards: {null: {}}")[0]


def test_neutral_is_no_element() -> None:
    assert state_from_dict(simple(element=["neutral"])).card("ork").element == ()
    assert "exclude" in faults(simple(element=["neutral", "steppe"]))[0]


def test_spent_is_canonical_and_sorted() -> None:
    spent = {"prevent(1, turn, self, any)": 1, "armor( 1 )#2": 2, "armor(3)": 0}
    card = state_from_dict(simple(spent=spent)).card("ork")
    assert card.spent == (("armor(1)#2", 2), ("prevent(1,turn,self,any)", 1))


def test_the_order_of_cards_is_kept() -> None:
    document = simple()
    for name in ("c", "a", "b"):
        document["cards"][name] = {"type": "spell", "owner": "p1", "zone": "deck"}
    state = state_from_dict(document)
    assert [card.id for card in state.cards] == ["hero1", "ork", "c", "a", "b"]
    assert [card.id for card in state_from_text(state_to_yaml(state)).cards][2:] == ["c", "a", "b"]


# ---------------------------------------------------------------- whole texts


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "state.yaml: is empty"),
        ("# only a comment\n", "state.yaml: is empty"),
        ("~", "state.yaml: is empty, not a mapping"),
        ("[1, 2]", "state.yaml: is a list, not a mapping"),
        ("- active: p1", "state.yaml: is a list, not a mapping"),
        ("just words", "state.yaml: is 'just words', not a mapping"),
        ("{", "state.yaml: line 2, column 1: is not YAML"),
        ("a: b: c", "state.yaml: line 1, column 5: is not YAML"),
        ("a: [1\nb: 2", "is not YAML"),
        ("\tactive: p1", "line 1, column 1: is not YAML"),
        ("a\x00: 1", "is not YAML"),
        ("a: '\ud800'", "is not YAML"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        ("a: 1\n---\nb: 2", "line 2: a second document"),
        ("? [a, b]\n: 1", "a key must be text"),
        ("1: 2", "the key 1 must be text"),
        ("a: *b", "line 1, column 4: the alias *b names nothing yet"),
        ("a: &a [*a]", "the alias *a names nothing yet"),
        ("a: !!int x", "'x' is not a int"),
        ("turn: " + "9" * 5000, "a number of too many digits"),
        ('{"turn": ' + "9" * 5000 + "}", "a number of too many digits"),
    ],
)
def test_what_is_no_document_gives_one_clear_fault(text: str | bytes, says: str) -> None:
    (fault,) = faults(text)
    assert says in fault and len(fault) < 200


@pytest.mark.parametrize(
    "text",
    [
        "a: !!python/object/apply:os.system [id]",
        "a: !!python/name:os.system",
        "!!python/object:builtins.dict {a: 1}",
        "a: !anything 1",
        "a: !!binary aGk=",
        "a: !!set {b}",
        "a: !!timestamp 2020-01-01",
    ],
)
def test_tags_make_no_objects(text: str) -> None:
    (fault,) = faults(text)
    assert "may not be used" in fault and "line 1" in fault


def test_an_alias_bomb_is_stopped() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    before = time.process_time()
    (fault,) = faults("\n".join(lines))
    assert "aliases count as what they stand for" in fault
    assert time.process_time() - before < 1


def test_a_few_aliases_are_fine() -> None:
    text = """
active: p1
players: {p1: &none {}, p2: *none}
cards: {a: &card {type: creature, life: 1, owner: p1}, b: *card}
"""
    state = state_from_text(text)
    assert state.card("b").life == 1


def test_deep_nesting_is_stopped() -> None:
    for text in ("[" * 100_000, "a: " + "[" * 500 + "]" * 500, '{"a":' * 100_000, "- " * 100_000):
        (fault,) = faults(text)
        assert "nest" in fault


def test_merge_keys_are_ordinary_keys() -> None:
    assert "<<" in faults("<<: {a: 1}\nactive: p1\nplayers: {p1: {}, p2: {}}\ncards: {}")[0]


def test_ten_megabytes_are_refused_with_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "big.yaml"
    file.write_text("# " + "x" * 10_000_000)
    before = time.process_time()
    with pytest.raises(StateError, match="larger than the limit of 2,000,000 bytes"):
        load_state(file)
    with pytest.raises(StateError, match="2,000,000"):
        state_from_text("{" + " " * 10_000_000 + "}")
    assert time.process_time() - before < 0.5


def test_two_megabytes_count_bytes_not_characters() -> None:
    (fault,) = faults("# " + "ю" * 1_500_000)
    assert "larger than the limit" in fault


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(StateError, match="cannot be read"):
            load_state(path)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_an_endless_file_is_refused() -> None:
    with pytest.raises(StateError, match="larger"):
        load_state("/dev/zero")


def test_files_load_by_path_with_or_without_a_mark(tmp_path: Path) -> None:
    file = tmp_path / "state.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + SAMPLE.encode())
    assert load_state(file) == load_state(str(file)) == state_from_text(SAMPLE)
    assert State.load(file) == state_from_text(SAMPLE)


def test_json_with_tabs_and_surrogate_pairs_is_read() -> None:
    document = {**simple(name="😀 орк"), "turn": 3}
    text = json.dumps(document, indent="\t", ensure_ascii=True)
    assert state_from_text(text) == state_from_dict(document)
    assert State.from_json(text).card("ork").name == "😀 орк"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"), ("on", "on"), ("Yes", "Yes"), ("12:30", "12:30"), ("0b1", "0b1"), ("1_000", "1_000"),
        ("=", "="), ("2020-01-01", "2020-01-01"), ("1e3", 1000.0), ("010", 10), ("0o17", 15),
        ("0x1F", 31), ("-7", -7), ("true", True), ("False", False), ("tRUE", "tRUE"), ("~", None),
        ("", None), ("Null", None), (".5", 0.5), ("'7'", "7"), ("!!str 7", "7"), (".inf", float("inf")),
        ("!!float 7", 7.0), ("- ", None),
    ],
)  # fmt: skip
def test_scalars_mean_what_yaml_1_2_says(text: str, value: Any) -> None:
    found = documents.parse_document(f"a: {text}" if text != "- " else "a:", "x").value["a"]
    assert found == value and type(found) is type(value)


# ---------------------------------------------------------------- faults with a place


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ({"zone": "garden"}, "cards.ork.zone: 'garden' is not one of play, hand, deck, graveyard, reserve"),
        ({"zone": ["play", "hand"]}, "cards.ork.zone: ['play', 'hand'] is not one of play, hand,"),
        ({"wounds": -1}, "cards.ork.wounds: -1 is below 0"),
        ({"wounds": "3"}, "cards.ork.wounds: '3' is not a whole number"),
        ({"wounds": True}, "cards.ork.wounds: true is not a whole number"),
        ({"wounds": 1.0}, "cards.ork.wounds: 1.0 is not a whole number"),
        ({"wounds": 1.5}, "cards.ork.wounds: 1.5 is not a whole number"),
        ({"wounds": None}, "cards.ork.wounds: null is not a whole number"),
        ({"life": 1_000_001}, "cards.ork.life: 1000001 is above the limit of 1,000,000"),
        ({"life": 10**4000}, "cards.ork.life: a number of about"),
        ({"strike": -1}, "cards.ork.strike: -1 is below 0"),
        ({"strike": 10**9}, "cards.ork.strike: 1000000000 is above the limit of 1,000,000"),
        ({"strike": [1, 2, 3]}, "cards.ork.strike: is three numbers; in this edition it is one"),
        ({"strike": [1, 2]}, "cards.ork.strike: [1, 2] is not a whole number"),
        ({"closed": 1}, "cards.ork.closed: 1 is not true or false"),
        ({"closed": "yes"}, "cards.ork.closed: 'yes' is not true or false"),
        ({"wound": 1}, "cards.ork.wound: unknown key; did you mean wounds?"),
        ({"Zone": "play"}, "cards.ork.Zone: unknown key; did you mean zone?"),
        ({"classes": ["orc"]}, "cards.ork.classes: unknown key; did you mean class?"),
        ({"type": "creture"}, "cards.ork.type: 'creture' is not one of hero, creature, spell,"),
        ({"type": "flyer"}, "cards.ork.type: 'flyer' is not one of hero, creature, spell,"),
        ({"class": "orc"}, "cards.ork.class: 'orc' is not a list of texts; did you mean [orc]?"),
        ({"element": 5}, "cards.ork.element: 5 is not a list of texts"),
        ({"abilities": "armor(1)"}, "cards.ork.abilities: 'armor(1)' is not a list of texts;"
         """ did you mean ["armor(1)"]?"""),
        ({"class": ["Орк"]}, "cards.ork.class[0]: 'Орк' does not match [a-z][a-z0-9_]*"),
        ({"name": ""}, "cards.ork.name: '' is not 1 to 200 characters"),
        ({"name": "a\x1b[0m"}, "cards.ork.name: 'a\\x1b[0m' is not 1 to 200 characters"),
        ({"cell": [6, 1]}, "cards.ork.cell: [6, 1] is not [column, row]"),
        ({"cell": [1, 7]}, "cards.ork.cell: [1, 7] is not [column, row]"),
        ({"cell": [0, 1]}, "cards.ork.cell: [0, 1] is not [column, row]"),
        ({"owner": "p3"}, "cards.ork.owner: 'p3' is not one of p1, p2"),
        ({"controller": "p3"}, "cards.ork.controller: 'p3' is not one of p1, p2"),
        ({"kind": "swordman"}, "cards.ork.kind: 'swordman' is no kind of card; did you mean swordsman?"),
        ({"kind": "pikeman"}, "cards.ork.kind: 'pikeman' is a kind of classic, not heroes"),
        ({"abilities": ["armor(1"]}, "cards.ork.abilities[0]: column 6 of 'armor(1': a ')' is missing"),
        ({"abilities": ["charge", "armr(1)"]}, "cards.ork.abilities[1]: column 1 of 'armr(1)': 'armr' is"),
        ({"abilities": ["armor(0)"]}, "cards.ork.abilities[0]: column 7 of 'armor(0)': 0 is below 1"),
        ({"abilities": ["armor(1,2)"]}, "cards.ork.abilities[0]: column 1 of 'armor(1,2)': armor takes"),
        ({"abilities": ["armor(9999999)"]}, "cards.ork.abilities[0]: column 7 of 'armor(9999999)'"),
        ({"abilities": ["not(" * 1000]}, "cards.ork.abilities[0]: column 260 of "),
        ({"abilities": [5]}, "cards.ork.abilities[0]: 5 is not text"),
        ({"abilities": "charge"}, "cards.ork.abilities: 'charge' is not a list"),
        ({"abilities": ["charge"] * 101}, "cards.ork.abilities: 101 abilities are above the limit of 100"),
        ({"abilities": ["on(death,create(eg))"]}, "cards.ork.abilities[0]: column 17 of"),
        ({"spent": {"armr(1)": 1}}, "cards.ork.spent.armr(1): column 1 of 'armr(1)': 'armr' is not"),
        ({"spent": {"armor(1)": -1}}, "cards.ork.spent.armor(1): -1 is below 0"),
        ({"spent": {"armor(1)#1": 1}}, "cards.ork.spent.armor(1)#1: after # stands '1'"),
        ({"spent": {"armor(1)#x": 1}}, "cards.ork.spent.armor(1)#x: after # stands 'x'"),
        ({"spent": {"armor(1)": 1, "armor( 1)": 1}}, "cards.ork.spent.'armor( 1)': names the same ability"),
        ({"spent": []}, "cards.ork.spent: [] is not a mapping"),
    ],
)  # fmt: skip
def test_a_faulty_card(card: dict[str, Any], line: str) -> None:
    (fault,) = faults(simple(**card))
    assert fault.startswith(line)
    assert len(fault) < 300


def test_an_unknown_kind_to_create_names_the_nearest() -> None:
    (fault,) = faults(simple(abilities=["on(death,create(eggg))"]))
    assert fault.endswith("'eggg' is no kind of card; did you mean egg?")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"edition": "heros"}, f"edition: 'heros' is not one of {', '.join(EDITIONS)}"),
        ({"turn": -1}, "turn: -1 is below 0"),
        ({"turn": "1"}, "turn: '1' is not a whole number"),
        ({"active": "p3"}, "active: 'p3' is not one of p1, p2"),
        ({"active": ["p1"]}, "active: ['p1'] is not text"),
        ({"phase": "choice"}, "phase: 'choice' is not one of recovery, accumulation, main, end"),
        ({"edition": "classic", "phase": "main", "cards": {}}, "phase: 'main' is not one of choice"),
        ({"players": {"p1": {}}}, "players: there must be exactly two, not 1"),
        ({"players": {"p1": {}, "p2": {}, "p3": {}}}, "players: there must be exactly two, not 3"),
        ({"players": {"p1": {"coin": 1}, "p2": {}}}, "players.p1.coin: unknown key; did you mean coins?"),
        ({"players": {"p1": {"coins": -1}, "p2": {}}}, "players.p1.coins: -1 is below 0"),
        ({"players": {"p1": {"coins": 2, "coins_total": 1}, "p2": {}}}, "players.p1.coins: 2 is above"),
        ({"players": {"p1": None, "p2": {}}}, "players.p1: null is not a mapping"),
        ({"players": {"p1": {}, "p 2": {}}}, "players.'p 2': the id 'p 2' is no identifier"),
        ({"players": {"p1": {}, "draw": {}}}, "players.draw: no player may be called draw"),
        ({"cardz": {}}, "cardz: unknown key; did you mean cards?"),
        ({"effects": {}}, "effects: {} is not a list"),
        ({"effects": [{"card": "orc", "ability": "charge"}]}, "effects[0].card: 'orc' is no card of"),
        ({"effects": [{"card": "ork", "ability": "charge", "source": "x"}]}, "effects[0].source: 'x' is no"),
        ({"effects": [{"card": "ork", "ability": "chrge"}]}, "effects[0].ability: column 1 of 'chrge'"),
        ({"effects": [{"card": "ork"}]}, "effects[0].ability: is required"),
        ({"effects": [{"card": "ork", "ability": "charge", "until": "ever"}]}, "effects[0].until: 'ever' is"),
        ({"effects": [{"card": "ork", "ability": "charge", "until": -1}]}, "effects[0].until: -1 is below 0"),
        ({"effects": [{"card": "ork", "ability": "charge", "since": -1}]}, "effects[0].since: -1 is below"),
        ({"effects": [{"card": "ork", "ability": "charge", "spent": -1}]}, "effects[0].spent: -1 is below"),
        (
            {"effects": [{"card": "ork", "ability": "charge", "controller": "x"}]},
            "effects[0].controller: 'x' is not one of p1, p2",
        ),
        ({"cards": SIDES, "pending": {"attacker": "orc", "target": "foe"}}, "pending.attacker: 'orc' is no"),
        ({"pending": {"attacker": "ork"}}, "pending.target: is required"),
        (
            {"cards": SIDES, "pending": {"attacker": "ork", "target": "foe", "defender": "x"}},
            "pending.defender: 'x' is no",
        ),
        ({"result": "p3"}, "result: 'p3' is not one of p1, p2, draw"),
        ({"result": True}, "result: true is not text"),
    ],
)  # fmt: skip
def test_a_faulty_state(change: dict[str, Any], line: str) -> None:
    (fault,) = faults({**simple(), **change})
    assert fault.startswith(line)


@pytest.mark.parametrize("key", ["active", "players", "cards"])
def test_required_keys(key: str) -> None:
    document = simple()
    del document[key]
    assert f"{key}: is required" in faults(document)


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        ({"owner": "p1"}, ["cards.a.type: is required (or a kind)"]),
        ({"type": "creature", "owner": "p1"}, ["cards.a.life: is required of a creature"]),
        ({"type": "hero", "owner": "p1"}, ["cards.a.life: is required of a hero"]),
        ({"type": "spell"}, ["cards.a.owner: is required (or controller)"]),
        ({"type": "spell", "owner": "p1"}, []),
        ({"kind": "swordsman", "owner": "p1"}, []),
        ({"kind": "swordsmn", "owner": "p1"}, ["cards.a.kind: 'swordsmn' is no kind of card; did you mean swordsman?"]),
        ({}, ["cards.a.type: is required (or a kind)", "cards.a.owner: is required (or controller)"]),
        ([], ["cards.a: [] is not a mapping"]),
    ],
)  # fmt: skip
def test_what_a_card_must_have(card: Any, lines: list[str]) -> None:
    assert faults({**simple(), "cards": {"a": card}}) == lines


@pytest.mark.parametrize("card_id", ["Ork", "1a", "a-b", "", "орк", "a b", "_a", "x" * 500 + "!"])
def test_ids_of_cards_have_one_form(card_id: str) -> None:
    document = {**simple(), "cards": {card_id: {"type": "spell", "owner": "p1"}}}
    (fault,) = faults(document)
    assert "does not match [a-z][a-z0-9_]*" in fault and len(fault) < 250


def test_keys_that_are_no_text_are_faults() -> None:
    changes: list[dict[Any, Any]] = [{1: 2}, {"cards": {1: {}}}, {"players": {None: {}, "p2": {}}}]
    for change in changes:
        assert any("must be text" in line for line in faults({**simple(), **change}))


def test_classic_strikes_are_three_numbers() -> None:
    card = {"type": "creature", "life": 1, "owner": "p1"}
    document = {**simple(), "edition": "classic", "cards": {"a": {**card, "strike": 2}}}
    assert faults(document) == ["cards.a.strike: 2 is not three numbers: [weak, medium, strong]"]
    document["cards"]["a"]["strike"] = [1, -2, 3]
    assert faults(document)[0].startswith("cards.a.strike: [1, -2, 3] is not")
    document["cards"]["a"] = {**card, "type": "hero"}
    assert faults(document) == [
        "cards.a.type: 'hero' is not one of creature, flyer, symbiote, parasite, artifact, terrain, equipment"
    ]  # fmt: skip


def test_duplicate_keys_are_told_with_place_and_lines() -> None:
    text = """active: p1
players: {p1: {}, p2: {}}
cards:
  ork: {type: creature, life: 4, owner: p1, wounds: 1, wounds: 2}
  ork: {type: creature, life: 4, owner: p1}
active: p2
"""
    assert faults(text) == [
        "active: duplicate key (lines 1 and 6)",
        "cards.ork: duplicate key (lines 4 and 5)",
        "cards.ork.wounds: duplicate key (lines 4 and 4)",
    ]
    assert faults(
        '{"active": "p1",\n "active": "p1", "players": {"p1": {}, "p2": {}}, "cards": {}}'
    ) == ["active: duplicate key (lines 1 and 2)"]


def test_all_faults_are_listed_in_the_order_of_the_document() -> None:
    text = """
turn: -4
active: p3
players: {p1: {coins: x}, p2: {}}
cards:
  ork: {kind: swordsmn, zone: garden, wounds: -1, abilities: ["armr(1)"]}
  gob: {type: creature, owner: p9}
effects:
  - {card: gb, ability: "armor(1"}
pending: {attacker: ork, target: hero}
"""
    places = [line.split(":")[0] for line in faults(text)]
    assert places == [
        "turn", "active", "players.p1.coins", "cards.ork.kind", "cards.ork.zone", "cards.ork.wounds",
        "cards.ork.abilities[0]", "cards.ork.owner", "cards.gob.owner", "cards.gob.life",
        "effects[0].card", "effects[0].ability", "pending.target",
    ]  # fmt: skip


# ---------------------------------------------------------------- contradictions


def of_one_moment(first: str, second: str) -> list[dict[str, Any]]:
    """Two effects that are laid on the ork together."""
    return [{"card": "ork", "ability": each, "since": 3} for each in (first, second)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("is(element,steppe)", "is(element,neutral)"),
        ("is(class,orc)", "is(class,elf)"),
        ("is(life,2)", "is(life,3)"),
        ("armor(1)", "lose(armor)"),
        ("lose(armor)", "armor(2)"),
        ("gain(armor(1))", "lose(armor)"),
        ("lose(charge)", "gain(charge)"),
        ("gain(is(strike,1))", "is(strike,2)"),
        ("cannot(attack)", "lose(cannot)"),
    ],
)
def test_contradictory_effects_of_one_moment_are_a_fault(first: str, second: str) -> None:
    effects = of_one_moment(first, second)
    (fault,) = faults({**simple(), "effects": effects})
    assert fault.startswith("effects[1]: ") and "effects[0]" in fault
    assert first in fault or first.removeprefix("gain(")[:-1] in fault
    assert second in fault or second.removeprefix("gain(")[:-1] in fault
    for harmless in ({"since": 4}, {"card": "hero1"}):
        assert faults({**simple(), "effects": [effects[0], {**effects[1], **harmless}]}) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("is(element,steppe)", "is(element,steppe)"),
        ("is(element,steppe)", "is(class,orc)"),
        ("armor(1)", "armor(2)"),
        ("armor(1)", "lose(all)"),
        ("armor(1)", "lose(scales)"),
        ("may(attack)", "cannot(attack)"),
        ("must(attack)", "cannot(attack)"),
        ("mod(strike,1)", "mod(strike,-1)"),
        ("grant(any,armor(1))", "lose(armor)"),
        ("lose(armor)", "lose(lose)"),
    ],
)
def test_what_is_no_contradiction(first: str, second: str) -> None:
    effects = of_one_moment(first, second)
    assert faults({**simple(), "effects": effects}) == []


def test_a_default_moment_counts_as_a_moment() -> None:
    effects = [
        {"card": "ork", "ability": "is(life,1)", "since": 2},
        {"card": "ork", "ability": "is(life,3)"},
    ]
    assert len(faults({**simple(), "effects": effects})) == 1


# ---------------------------------------------------------------- limits


def test_limits_can_be_set() -> None:
    effect = {"card": "ork", "ability": "charge"}
    document = {**simple(), "effects": [effect, {**effect, "since": 3}]}
    with using(Limits(cards=1, effects=2)):
        assert faults(document)[0].startswith("cards: 2 cards are above the limit of 1;")
    with using(Limits(cards=2, effects=1)):
        assert faults(document)[0].startswith("effects: 2 effects are above the limit of 1;")
    with using(Limits(cards=2, effects=2)):
        assert faults(document) == []
    with using(Limits(bytes=10)):
        assert "10 bytes" in faults(SAMPLE)[0]


def test_many_faults_come_quickly() -> None:
    document = simple()
    document["cards"]["ork"].update({f"zonne{n}": 1 for n in range(20_000)})
    before = time.process_time()
    assert len(faults(document)) == 1001  # and that there are more
    assert time.process_time() - before < 3


def test_a_large_state_loads_quickly() -> None:
    document = simple()
    for n in range(498):
        document["cards"][f"c{n}"] = {
            "type": "creature",
            "life": 3,
            "owner": "p1",
            "abilities": ["armor(1)"],
        }
    document["effects"] = [{"card": f"c{n % 498}", "ability": "strike_mod(1)"} for n in range(1000)]
    state_from_dict(document)
    before = time.process_time()
    state_from_dict(document)
    assert time.process_time() - before < 0.5


# ---------------------------------------------------------------- writing


def test_what_is_written_leaves_out_defaults_and_keeps_the_order() -> None:
    state = state_from_text(SAMPLE)
    assert state_to_dict(state) == {
        "turn": 4,
        "active": "p1",
        "players": {"p1": {"coins": 3, "coins_total": 5}, "p2": {}},
        "cards": {
            "ork": {
                "name": "Swordsman", "type": "creature", "class": ["orc"], "element": ["steppe"],
                "cost": 2, "strike": 3, "life": 4, "abilities": ["armor(1)", "directed_strike"],
                "owner": "p1", "cell": [1, 1], "movement": 1,
            },
            "gabriel": {"type": "hero", "life": 25, "owner": "p2"},
            "curse": {"type": "spell", "owner": "p2", "zone": "graveyard"},
        },
        "effects": [{"card": "ork", "ability": "cannot(attack)", "source": "curse", "since": 5}],
        "pending": {"attacker": "ork", "target": "gabriel"},
    }  # fmt: skip
    assert list(state_to_dict(state)["cards"]["ork"]) == [
        "name", "type", "class", "element", "cost", "strike", "life", "abilities", "owner", "cell",
        "movement",
    ]  # fmt: skip


def test_a_life_of_nothing_is_written_where_life_is_required() -> None:
    state = state_from_dict(simple(life=0))
    assert state_to_dict(state)["cards"]["ork"]["life"] == 0
    document = {**simple(), "cards": {"a": {"kind": "egg", "owner": "p1", "life": 0}}}
    assert state_to_dict(state_from_dict(document, KINDS), KINDS)["cards"] == document["cards"]


def test_yaml_has_a_line_for_each_card() -> None:
    lines = state_to_yaml(state_from_text(SAMPLE)).splitlines()
    assert "  gabriel: {type: hero, life: 25, owner: p2}" in lines
    assert len(lines) == 12


def test_methods_of_state_read_and_write() -> None:
    state = State.from_dict(simple(name="орк: 'злой', #1"))
    assert State.from_dict(state.to_dict()) == state
    assert State.from_json(state.to_json()) == State.from_json(state.to_json(2)) == state
    assert state_from_text(state.to_yaml()) == state
    assert yaml.safe_load(state.to_yaml()) == state.to_dict()


NAMES = st.text(min_size=1, max_size=12).filter(str.isprintable)
IDS = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)
COUNTS = st.integers(0, 1_000_000)
ABILITIES = st.sampled_from(
    [
        "armor(1)", "armor( 2 )", "charge", "is(element,steppe)", "is(element,neutral)", "lose(armor)",
        "gain(armor(1))", "cannot(attack,not(hero))", "spell(wound(3,each( and(enemy,creature) )))",
        "on(death,create(egg))", "prevent(4,next,self,any)", "lose(all)",
    ]
)  # fmt: skip


@st.composite
def documents_of_states(draw: st.DrawFn) -> dict[str, Any]:
    """Fine documents, all keys of them optional, except for contradictory effects."""
    edition = draw(st.sampled_from(["heroes", "heroes_2", "classic"]))
    classic = edition == "classic"
    players = draw(
        st.lists(
            st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,4}", fullmatch=True).filter(lambda n: n != "draw"),
            min_size=2, max_size=2, unique=True,
        )
    )  # fmt: skip
    player = st.sampled_from(players)
    ids = draw(st.lists(IDS, min_size=1, max_size=5, unique=True))
    card_id = st.sampled_from(ids)
    strike = st.lists(COUNTS, min_size=3, max_size=3) if classic else COUNTS
    optional = {
        "name": NAMES,
        "class": st.lists(IDS, max_size=2),
        "element": st.sampled_from([[], ["steppe"], ["neutral"], ["forest", "darkness"]]),
        "cost": COUNTS,
        "strike": strike,
        "abilities": st.lists(ABILITIES, max_size=3),
        "zone": st.sampled_from(["play", "hand", "deck", "graveyard", "reserve"]),
        "spent": st.dictionaries(st.sampled_from(["armor(1)", "armor(1)#2", "charge"]), COUNTS),
        "cell": st.none() | st.tuples(st.integers(1, 5), st.integers(1, 6)).map(list),
        **dict.fromkeys(("closed", "acted", "defended", "hidden"), st.booleans()),
        **dict.fromkeys(
            ("wounds", "extra_life", "entered", "since", "arrived", "movement", "moved", "chips"),
            COUNTS,
        ),
    }
    inline = st.fixed_dictionaries(
        {"type": st.sampled_from(["creature", "equipment"]), "life": COUNTS, "controller": player},
        optional={**optional, "owner": player},
    )
    of_kind = st.fixed_dictionaries(
        {
            "kind": st.just("pikeman") if classic else st.sampled_from(["swordsman", "egg"]),
            "owner": player,
        },
        optional={**optional, "life": COUNTS, "controller": player},
    )
    effect = st.fixed_dictionaries(
        {"card": card_id, "ability": ABILITIES},
        optional={
            "source": st.none() | card_id,
            "controller": player,
            "since": st.integers(0, 9),
            "spent": COUNTS,
            "until": st.sampled_from(["leaves", "end_of_turn"]) | COUNTS,
        },
    )
    coins = st.fixed_dictionaries(
        {},
        optional={
            "coins": st.integers(0, 10),
            "coins_total": st.integers(10, 20),
            "missed": st.integers(0, 3),
            "deck_order": st.sampled_from(["known", "unknown"]),
        },
    )
    pending = st.fixed_dictionaries(
        {"attacker": card_id, "target": card_id}, optional={"defender": st.none() | card_id}
    )
    phases = ["choice"] if classic else ["recovery", "accumulation", "main", "end"]
    rest = st.fixed_dictionaries(
        {},
        optional={
            "turn": COUNTS,
            "phase": st.sampled_from(phases),
            "effects": st.lists(effect, max_size=4),
            "pending": st.none() | pending,
            "result": st.none() | st.sampled_from([*players, "draw"]),
        },
    )
    return {
        "edition": edition,
        "active": draw(player),
        "players": {name: draw(coins) for name in players},
        "cards": {name: draw(inline | of_kind) for name in ids},
        **draw(rest),
    }


@settings(max_examples=300, deadline=None)
@given(documents_of_states())
def test_every_state_comes_back_the_same(document: dict[str, Any]) -> None:
    before = copy.deepcopy(document)
    try:
        state = state_from_dict(document, KINDS)
    except StateError as error:
        sides = ("pending.attacker", "pending.target", "pending.defender")
        known = ("contradicts", "lies in a deck")
        assert all(
            any(word in fault for word in known) or fault.startswith(sides)
            for fault in error.faults
        )
        return
    assert document == before
    written = state_to_dict(state, KINDS)
    assert state_from_dict(written, KINDS) == state
    assert state_to_dict(state_from_dict(written, KINDS), KINDS) == written
    # Without the kinds all is written inline, and the text says the same in YAML 1.2 and 1.1.
    text = state_to_yaml(state)
    assert documents.parse_document(text, "x").value == yaml.safe_load(text) == state_to_dict(state)
    assert json.loads(state_to_json(state)) == state_to_dict(state)
    assert (
        state_from_text(text, "x", KINDS)
        == state_from_text(state_to_json(state), "x", KINDS)
        == state
    )
    assert pickle.loads(pickle.dumps(state)) == state and isinstance(hash(state), int)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.integers(), inner)
    ),
    max_leaves=6,
)


@settings(max_examples=300, deadline=None)
@given(documents_of_states(), st.data())
def test_whatever_is_put_into_a_document_no_other_error_comes(
    document: dict[str, Any], data: st.DataObject
) -> None:
    here: Any = document
    while True:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        if not keys:
            return
        key = data.draw(st.sampled_from(keys))
        if not isinstance(here[key], dict | list) or not here[key] or data.draw(st.booleans()):
            here[key] = data.draw(JUNK)
            break
        here = here[key]
    for line in faults(document):
        assert ": " in line and "\n" not in line


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab:{}[],&*!-?|>'\"#%\n \t01~", max_size=60) | st.text(max_size=40))
def test_whatever_is_in_a_file_no_other_error_comes(text: str) -> None:
    for line in faults(text):
        assert "\n" not in line


# ---------------------------------------------------------------- schema


def test_the_schema_names_every_key_and_says_what_is_required() -> None:
    schema = state_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert sorted(schema["required"]) == ["active", "cards", "players"]
    assert schema["additionalProperties"] is False
    card = schema["$defs"]["CardDocument"]
    assert set(card["properties"]) >= {"class", "zone", "strike", "spent", "cell", "abilities"}
    assert card["properties"]["zone"]["enum"] == ["play", "hand", "deck", "graveyard", "reserve"]
    json.dumps(schema)


# ---------------------------------------------------------------- rulings and kinds


def test_files_of_several_documents() -> None:
    assert parse_documents("---\na: no\n---\nb: 1\n---\n") == [{"a": "no"}, {"b": 1}]
    assert parse_documents("") == []
    with pytest.raises(StateError) as error:
        parse_documents("a: 1\n---\nb:\n  c: 1\n  c: 2\n", "r.yaml")
    assert error.value.faults == (
        "r.yaml: document 2 (line 2): b.c: duplicate key (lines 4 and 5)",
    )
    with pytest.raises(StateError, match=r"r\.yaml: line 3"):
        parse_documents("a: 1\n---\n}", "r.yaml")


CARDS = """
set: 22
cards:
  - id: ork
    number: 1
    name: {ru: Орк, en: Ork}
    type: creature
    class: [orc]
    element: [steppe]
    cost: 2
    strike: 3
    life: 4
    abilities: ["armor( 1 )", "on(death,create(egg))"]
  - {id: egg, type: creature, life: 1, abilities_wanted: ["while(x,y)"], waits_for: [while], deck_copies: 5}
"""


def test_kinds_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(CARDS)
    found = load_kinds(tmp_path)
    assert found == load_kinds(tmp_path / "cards.yaml")
    ork, egg = found["ork"], found["egg"]
    assert (ork.name(), ork.name("ru"), ork.name("de"), egg.name()) == ("Ork", "Орк", "Орк", "egg")
    assert ork.abilities == ("armor(1)", "on(death,create(egg))") and ork.set == egg.set == 22
    assert egg.waits_for == ("while",) and egg.deck_copies == 5 and not egg.created
    assert hash(ork) and pickle.loads(pickle.dumps(ork)) == ork


def test_a_state_with_ones_own_kinds(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(CARDS)
    document = {**simple(), "cards": {"a": {"kind": "ork", "owner": "p1"}}}
    state = state_from_dict(document, load_kinds(tmp_path))
    assert state.card("a").strike == 3
    assert (
        state_from_dict(state_to_dict(state, load_kinds(tmp_path)), load_kinds(tmp_path)) == state
    )


def test_all_faults_of_all_files_of_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        """
cards:
  - {id: Ork, type: creature, life: 1, abilities: [chrge]}
  - {id: ork, type: creture, life: -1, abilities: ["armr(1)", "on(death,create(nothing))"]}
  - {id: elf, type: creature}
  - {id: gob, type: spell, colour: red}
  - {id: gob2, type: spell, cost: 1, cost: 2}
  - {id: gob3, type: spell, class: goblin}
"""
    )
    (tmp_path / "b.yaml").write_text(
        "cards: [{id: x, type: spell}, {id: x, type: spell}, {id: elf, type: spell}]"
    )
    (tmp_path / "c.yaml").write_text("cards: {}")
    (tmp_path / "d.yaml").write_text("[")
    with pytest.raises(StateError) as error:
        load_kinds(tmp_path)
    text = str(error.value)
    for part in (
        "a.yaml: cards[0].id: 'Ork' does not match",
        "a.yaml: cards[0].abilities[0]: column 1 of 'chrge'",
        "a.yaml: cards[1].type: 'creture' is not one of",
        "a.yaml: cards[1].life: -1 is not a whole number from 0",
        "a.yaml: cards[1].abilities[0]: column 1 of 'armr(1)'",
        "a.yaml: cards[1].abilities[1]: column 17 of",
        "a.yaml: cards[2].life: is required of a creature",
        "a.yaml: cards[3].colour: unknown key",
        "a.yaml: cards[4].cost: duplicate key",
        "a.yaml: cards[5].class: 'goblin' is not a list of texts; did you mean [goblin]?",
        "b.yaml: cards[1].id: 'x' is used already",
        "b.yaml: cards[2].id: 'elf' is used already (a.yaml)",
        "c.yaml: cards: is required, a list",
        "d.yaml: line 2, column 1: is not YAML",
    ):
        assert part in text
    assert len(error.value.faults) == 14
    # an ability that is a finding where nothing else is wrong is told beside what is
    with pytest.raises(StateError) as again:
        load_kinds(tmp_path, {}, [])
    assert again.value.faults == error.value.faults
    # what a card with faults is called may be created
    (tmp_path / "e.yaml").write_text(
        "cards: [{id: nest, type: spell, abilities: ['spell(create(gob))']}]"
    )
    with pytest.raises(StateError) as third:
        load_kinds(tmp_path)
    assert third.value.faults == error.value.faults


def test_the_catalogue_of_the_package_is_without_fault() -> None:
    found = catalogue()
    assert all(kind.id == name for name, kind in found.items())
    assert found is catalogue()
    for kind in found.values():
        assert kind.type != "creature" or kind.life > 0, kind
        assert bool(kind.waits_for) >= bool(kind.abilities_wanted), kind


def test_kinds_are_read_only_for_a_state_that_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden() -> dict[str, Kind]:
        raise AssertionError("the kinds were read")

    monkeypatch.setattr(reading, "catalogue", forbidden)
    state = state_from_dict(simple())
    state_to_dict(state)
    with pytest.raises(AssertionError):
        state_from_dict({**simple(), "cards": {"a": {"kind": "ork", "owner": "p1"}}})


def test_the_catalogue_is_read_quickly() -> None:
    kinds.catalogue.cache_clear()
    before = time.process_time()
    found = catalogue()
    assert time.process_time() - before < 0.02 + 0.001 * len(found)


def test_data_folders() -> None:
    assert (kinds.data_folder("facts") / "vocabulary.yaml").is_file()
    assert kinds.data_folder("rules").is_dir()
    with pytest.raises(FileNotFoundError):
        kinds.data_folder("nothing")


@pytest.mark.parametrize(
    "name", ["Лучник Захры", "archer of zahra", "Лучник Захра", "Archer of Zahara"]
)
def test_who_writes_the_name_of_a_card_is_told_its_kind(name: str) -> None:
    with pytest.raises(StateError) as caught:
        State.from_dict(
            {
                "active": "p1",
                "players": {"p1": {}, "p2": {}},
                "cards": {"a": {"kind": name, "owner": "p1"}},
            }
        )
    assert caught.value.faults == (
        f"cards.a.kind: '{name}' is no kind of card; did you mean luchnik_zakhry?",
    )
