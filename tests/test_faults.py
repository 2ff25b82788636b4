"""The catalogue of faults: every message in both languages, with the same parts, and used."""

from __future__ import annotations

import pickle
import re
import string
from pathlib import Path

import pytest

from pyengine import State, StateError, faults
from pyengine.faults import FAULTS, Message, told

SOURCES = {
    path: path.read_text(encoding="utf-8")
    for path in sorted(Path(faults.__file__).parent.rglob("*.py"))
}
USED = {key for text in SOURCES.values() for key in re.findall(r'Message\(\s*"(\w+)"', text)}


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("key", FAULTS)
def test_both_languages_say_the_same(key: str) -> None:
    english, russian = FAULTS[key]
    assert parts(english) == parts(russian)
    assert key == "at" or re.search("[а-яё]", russian)
    assert not re.search("[а-яё]", english)


@pytest.mark.parametrize("key", FAULTS)
def test_no_message_is_left_over(key: str) -> None:
    quoted = f'"{key}"'  # in a table of keys
    made = key.startswith(("limit_", "many_"))  # from the name of a limit
    assert key in USED or made or sum(text.count(quoted) for text in SOURCES.values()) > 1


def test_every_message_that_is_used_is_there() -> None:
    assert set(FAULTS) >= USED


def test_faults_of_a_state_in_russian() -> None:
    document = {
        "active": "p3", "turn": -1, "players": {"p1": {"coins": "x"}, "p2": {}},
        "cards": {"ork": {"type": "creature", "owner": "p1", "zonne": "play", "closed": 1}},
        "effects": [{"card": "okr", "ability": "charge"}],
    }  # fmt: skip
    with pytest.raises(StateError) as raised:
        State.from_dict(document)
    assert sorted(told(fault, "ru") for fault in raised.value.faults) == [
        "active: 'p3' нет среди p1, p2",
        "cards.ork.closed: 1 — не true и не false",
        "cards.ork.life: должно быть указано: тип карты — creature",
        "cards.ork.zonne: неизвестный ключ; может быть, zone?",
        "effects[0].card: карты 'okr' в этой позиции нет; может быть, ork?",
        "players.p1.coins: 'x' — не целое число",
        "turn: -1 меньше 0",
    ]


def test_a_message_is_its_english_text_and_can_be_sent() -> None:
    fault = Message("at", place="turn", text=Message("below", value=-1, least=0))
    again = pickle.loads(pickle.dumps(fault))
    assert again == fault == "turn: -1 is below 0" and told(again, "ru") == "turn: -1 меньше 0"
    assert told("plain", "ru") == "plain"
