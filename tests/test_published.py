"""Published answers: each is a ruling or stands on the page of those that are not, with the reason."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from pyengine.documents import data_folder
from pyengine.verify import load_rulings
from tests.conftest import ROOT

RULINGS = load_rulings([data_folder("facts") / "rulings" / "published.yaml"])
STATED, _, MISSING = (ROOT / "docs" / "published.md").read_text("utf-8").partition("## Not stated")
ANSWERS = Path(__file__).resolve().parents[2] / "shared" / "published_rulings.yaml"


def card(ruling: str) -> str:
    """The card that a ruling is about: published-<card>-<what>."""
    return ruling.split("-")[1]


def missing() -> list[str]:
    return re.findall(r"^\| `(\w+)` \|", MISSING, re.MULTILINE)


def test_the_page_lists_every_ruling() -> None:
    told = dict(re.findall(r"^\| `(\S+)` \| (.+) \|$", STATED, re.MULTILINE))
    assert told == {ruling.id: ruling.note for ruling in RULINGS}


def test_a_ruling_has_the_card_itself() -> None:
    for ruling in RULINGS:
        kinds = {each.kind for each in ruling.state.cards}
        assert card(ruling.id) in kinds | {"any"}, ruling.id


def test_what_is_not_stated_has_a_reason() -> None:
    kinds = yaml.safe_load((data_folder("facts") / "cards" / "set15.yaml").read_text("utf-8"))
    waiting = {each["id"] for each in kinds["cards"] if "abilities_wanted" in each}
    assert set(missing()) <= waiting, "the card is complete now: state its rulings"


@pytest.mark.skipif(not ANSWERS.is_file(), reason="no ../shared here")
def test_every_answer_is_a_ruling_or_on_the_page() -> None:
    asked = Counter(each["card"] for each in yaml.safe_load(ANSWERS.read_text("utf-8")))
    given = Counter(card(ruling.id) for ruling in RULINGS) + Counter(missing())
    assert not asked - given
