"""Terms are taken apart as clingo takes them apart."""

from __future__ import annotations

import clingo
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyengine.apart import apart

NAMES = st.sampled_from(["a", "attack", "x1", "_b", "f'"])
STRINGS = st.text(alphabet='ab(),"\\ \n', max_size=5).map(clingo.String)
LEAVES = (
    STRINGS | st.integers(-9, 9).map(clingo.Number) | NAMES.map(lambda name: clingo.Function(name))
)
TERMS = st.recursive(
    LEAVES,
    lambda inner: st.tuples(st.just("") | NAMES, st.lists(inner, max_size=3)).map(
        lambda parts: clingo.Function(*parts)
    ),
    max_leaves=12,
)


@given(NAMES, st.lists(TERMS, max_size=4))
def test_any_term(name: str, arguments: list[clingo.Symbol]) -> None:
    term = clingo.Function(name, arguments)
    assert apart(str(term)) == (name, tuple(map(str, arguments)))


@pytest.mark.parametrize("depth", range(8))
def test_any_depth(depth: int) -> None:
    inner = "a"
    for _ in range(depth):
        inner = f'("x)",{inner})'
    assert apart(f"f({inner},b)") == ("f", (inner, "b"))


@pytest.mark.parametrize(
    ("text", "arguments"), [("()", ()), ("(a,)", ("a",)), ("(a,b)", ("a", "b"))]
)
def test_tuples(text: str, arguments: tuple[str, ...]) -> None:
    assert apart(text) == ("", arguments)
