"""The collector comes less often while a question is answered, and as before afterwards."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest

from pyengine.collecting import seldom_collected
from pyengine.limits import question


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    usual = gc.get_threshold()
    yield
    gc.set_threshold(*usual)


@pytest.mark.parametrize("usual", [(700, 10, 10), (2000, 5, 3)])
def test_within_and_after_a_question(usual: tuple[int, int, int]) -> None:
    gc.set_threshold(*usual)
    with question():
        assert gc.get_threshold() == (50_000, *usual[1:])
        with question(), seldom_collected():
            pass
        assert gc.get_threshold()[0] == 50_000
    assert gc.get_threshold() == usual


@pytest.mark.parametrize("usual", [(0, 10, 10), (50_000, 1, 1), (90_000, 10, 10)])
def test_who_wants_it_less_often_still_is_left_alone(usual: tuple[int, int, int]) -> None:
    gc.set_threshold(*usual)
    with question():
        assert gc.get_threshold() == usual
    assert gc.get_threshold() == usual


def test_what_is_set_meanwhile_stays() -> None:
    with question():
        gc.set_threshold(123, 4, 5)
    assert gc.get_threshold() == (123, 4, 5)


def test_an_error() -> None:
    gc.set_threshold(700, 10, 10)
    with pytest.raises(ValueError, match="of the question"), question():
        raise ValueError("of the question")
    assert gc.get_threshold() == (700, 10, 10)


def test_threads_that_end_in_another_order_than_they_began() -> None:
    gc.set_threshold(700, 10, 10)
    begun, ended = threading.Barrier(2), threading.Event()

    def first() -> None:
        with question():
            begun.wait()
            ended.wait()

    thread = threading.Thread(target=first)
    thread.start()
    with question():
        begun.wait()
    assert gc.get_threshold()[0] == 50_000  # the other is still at it
    ended.set()
    thread.join()
    assert gc.get_threshold() == (700, 10, 10)
