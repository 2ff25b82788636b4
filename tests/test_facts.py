"""State to facts and back is exact."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from pyengine.documents import data_folder
from pyengine.facts import state_of
from pyengine.model import State, StateError
from pyengine.questions import state_facts
from pyengine.reading import state_from_dict
from tests.rulings import every_ruling
from tests.test_reading import KINDS, documents_of_states


def test_every_position_of_the_rulings_comes_back_of_its_facts() -> None:
    for ruling in every_ruling():
        state = ruling.state
        assert state_of(state_facts(state), state.edition) == state, ruling.id


@pytest.mark.parametrize("path", sorted((data_folder("facts") / "states").glob("*.yaml")), ids=str)
def test_every_sample_position_comes_back(path: Any) -> None:
    state = State.load(path)
    assert state_of(state_facts(state), state.edition) == state


@settings(max_examples=200, deadline=None)
@given(documents_of_states())
def test_any_position_comes_back(document: dict[str, Any]) -> None:
    try:
        state = state_from_dict(document, KINDS)
    except StateError:
        return
    assert state_of(state_facts(state), state.edition) == state
