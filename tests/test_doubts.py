"""What is doubtful in a position is told, and judged as it stands."""

from __future__ import annotations

from typing import Any

import pytest

from pyengine import State, cli
from pyengine.documents import data_folder
from pyengine.doubts import doubts
from pyengine.faults import told
from pyengine.verify import load_rulings


def position(**more: Any) -> dict[str, Any]:
    document: dict[str, Any] = {
        "turn": 5, "active": "p1", "players": {"p1": {}, "p2": {}},
        "cards": {
            "h1": {"type": "hero", "life": 20, "owner": "p1"},
            "h2": {"type": "hero", "life": 20, "owner": "p2"},
            "ork": {"type": "creature", "life": 4, "owner": "p1"},
            "elf": {"type": "creature", "life": 4, "owner": "p2"},
        },
    }  # fmt: skip
    for place, value in more.items():
        card, _, key = place.partition("__")
        if key:
            document["cards"][card][key.removesuffix("_")] = value
        else:
            document[card] = value
    return document


ATTACK = {"attacker": "ork", "target": "h2"}
# each with one that is next to it, of which nothing is to be said
DOUBTFUL: list[tuple[dict[str, Any], list[str], dict[str, Any]]] = [
    ({"ork__entered": 6}, ["cards.ork.entered: is turn 6, but it is turn 5 now"],
     {"ork__entered": 5}),
    ({"ork__type": "spell"},
     ["cards.ork.zone: a spell does not stay in play: is zone: hand meant, or zone: graveyard?"],
     {"ork__type": "spell", "ork__zone": "hand"}),
    ({"h1__zone": "deck"}, ["cards.h1.zone: is deck, where no hero can be"],
     {"h1__zone": "graveyard"}),
    ({"effects": [{"card": "ork", "ability": "charge", "until": 4}]},
     ["effects[0].until: ended with turn 4, and it is turn 5 now; it is judged as if it held"],
     {"effects": [{"card": "ork", "ability": "charge", "until": 5}]}),
    ({"phase": "end", "pending": ATTACK},
     ["pending: an attack is announced, but the phase is end, not main"], {"pending": ATTACK}),
    ({"pending": ATTACK, "ork__zone": "graveyard"},
     ["pending.attacker: 'ork' is not in play, but in the zone graveyard"],
     # 508.5: a target may be gone
     {"pending": {**ATTACK, "target": "elf"}, "elf__zone": "graveyard"}),
    ({"pending": {**ATTACK, "defender": "elf"}, "elf__type": "equipment"},
     ["pending.defender: 'elf' is no creature, but of the type equipment"],
     {"pending": {**ATTACK, "defender": "elf"}}),
    ({"pending": {**ATTACK, "defender": "h2"}}, ["pending.defender: 'h2' is the target itself"],
     {"pending": ATTACK}),
    ({"ork__class": ["trol"]},
     ["cards.ork.class: no other card knows the class 'trol'; did you mean troll?"],
     {"ork__class": ["warband"]}),
    ({"ork__element": ["swmp"]},
     ["cards.ork.element: no other card knows the element 'swmp'; did you mean swamp?"],
     {"ork__element": ["fire"]}),
    ({"ork__abilities": ["armor(1)"], "ork__spent": {"armor(2)": 1}},
     ["cards.ork.spent.armor(2): the card has no such ability of which anything could be used up;"
      " did you mean armor(1)?"],
     # it was given: what gives it may be gone again
     {"ork__spent": {"armor(2)": 1}, "elf__abilities": ["grant(creature,armor(2))"],
      "elf__zone": "graveyard"}),
    ({"ork__abilities": ["while(your_turn,gain(armor(2)))"], "ork__spent": {"armor(2)": 1}},
     ["cards.ork.spent.armor(2): is counted beside the text that gives it, while(your_turn,gain(armor(2)))"],
     {"ork__abilities": ["while(your_turn,gain(armor(2)))"],
      "ork__spent": {"while(your_turn,gain(armor(2)))": 1}}),
    ({"ork__abilities": ["raid(2,armor(2))"], "ork__spent": {"armor(2)": 1}},
     ["cards.ork.spent.armor(2): is counted beside the text that gives it, raid(2,armor(2))"],
     # an aura may have given it
     {"ork__abilities": ["raid(2,armor(2))"], "ork__spent": {"armor(2)": 1},
      "elf__abilities": ["grant(creature,armor(2))"]}),
    ({"ork__abilities": ["armor(2)"], "ork__spent": {"armor(2)": 4}},
     ["cards.ork.spent.armor(2): is 4, but there is no more than 2 of it"],
     {"ork__abilities": ["raid(2,armor(5))"], "ork__spent": {"raid(2,armor(5))": 4}}),
    ({"ork__abilities": ["may(attack)"], "ork__spent": {"may(attack)#2": 1}},
     ["cards.ork.spent.may(attack)#2: the card has no such ability of which anything could be used"
      " up; did you mean may(attack)?"],
     {"ork__abilities": ["may(attack)"] * 2, "ork__spent": {"may(attack)#2": 1}}),
    ({"ork__abilities": ["armor(1)"], "ork__spent": {"armor(1)": 7}},
     ["cards.ork.spent.armor(1): is 7, but there is no more than 1 of it"],
     # it may have been greater
     {"ork__abilities": ["armor(1)"], "ork__spent": {"armor(1)": 7},
      "elf__abilities": ["grant(creature,mod(armor,6))"]}),
    ({"ork__abilities": ["armor(2)"], "ork__spent": {"armor(2)": 3}},
     ["cards.ork.spent.armor(2): is 3, but there is no more than 2 of it"],
     {"ork__abilities": ["armor(2)"], "ork__spent": {"armor(2)": 2}}),
    ({"effects": [{"card": "ork", "ability": "prevent(2,turn,self,any)", "spent": 3}]},
     ["effects[0].spent: is 3, but there is no more than 2 of it"],
     {"effects": [{"card": "ork", "ability": "prevent(2,turn,self,any)", "spent": 2}]}),
    # how many wounds it becomes is not how often it can
    ({"ork__abilities": ["wounds_become(0,turn,self,any)"],
      "ork__spent": {"wounds_become(0,turn,self,any)": 2}},
     ["cards.ork.spent.wounds_become(0,turn,self,any): is 2, but there is no more than 1 of it"],
     {"ork__abilities": ["wounds_become(0,turn,self,any)"],
      "ork__spent": {"wounds_become(0,turn,self,any)": 1}}),
    # a word of the judge's own is known where cards bear it and abilities ask for it
    ({"ork__class": ["goblin"], "elf__abilities": ["grant(class(gobln),charge)"]},
     ["cards.elf.abilities[0]: no other card knows the class 'gobln'; did you mean goblin?"],
     {"ork__class": ["gobln"], "elf__abilities": ["grant(class(gobln),charge)"]}),
    ({"effects": [{"card": "ork", "ability": "is(class,trol)"}]},
     ["effects[0].ability: no other card knows the class 'trol'; did you mean troll?"],
     {"effects": [{"card": "ork", "ability": "is(class,troll)"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("doubtful", "said", "fine"), DOUBTFUL)
def test_doubts(doubtful: dict[str, Any], said: list[str], fine: dict[str, Any]) -> None:
    found = doubts(State.from_dict(position(**doubtful)))
    assert found == said
    assert all(told(doubt, "ru") != doubt for doubt in found)
    assert doubts(State.from_dict(position(**fine))) == []


def test_a_doubt_keeps_nothing_from_being_judged(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.json"
    path.write_text(State.from_dict(position(ork__entered=6)).to_json())
    for lang, word in (("en", "warning"), ("ru", "внимание")):
        assert cli.main(["why", str(path), "attack(ork,h2)", "--lang", lang]) == 0
        assert capsys.readouterr().err.startswith(f"{word}: cards.ork.entered: ")


def test_positions_of_the_package_are_not_doubtful() -> None:
    facts = data_folder("facts")
    states = [State.load(path) for path in sorted((facts / "states").glob("*.yaml"))]
    states += [ruling.state for ruling in load_rulings([str(facts / "rulings")])]
    assert len(states) > 1000 and [doubt for state in states for doubt in doubts(state)] == []
