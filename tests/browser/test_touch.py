"""Laying a position out by finger: dragging, scrolling and tapping, as a phone sends them."""

from __future__ import annotations

from typing import Any

from tests.browser.conftest import Opener

RESTING = 450  # milliseconds: the page takes a finger that rests so long for one that drags


class Finger:
    """A finger on the glass: the touch events of a real browser, not calls of handlers."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)

    def send(self, kind: str, *points: tuple[float, float]) -> None:
        self.session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    def middle(self, thing: Any) -> tuple[float, float]:
        box = thing.bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, start: Any, end: Any, rest: int = RESTING) -> None:
        """Rests on a thing and moves to another, which may come into sight only then."""
        x, y = self.middle(start)
        self.send("touchStart", (x, y))
        self.page.wait_for_timeout(rest)
        self.glide((x, y), self.middle(end))
        self.send("touchEnd")

    def glide(self, start: tuple[float, float], end: tuple[float, float], steps: int = 8) -> None:
        (x, y), (to_x, to_y) = start, end
        for step in range(1, steps + 1):
            self.send("touchMove", (x + (to_x - x) * step / steps, y + (to_y - y) * step / steps))
            self.page.wait_for_timeout(16)


def phone(open_page: Opener, fragment: str = "") -> Any:
    return open_page(fragment, width=390, height=844, touch=True)


def test_a_finger_drags_a_card_to_a_zone(open_page: Opener) -> None:
    page = phone(open_page)
    hand = page.get_by_role("region", name="Side of forest").get_by_role("group", name="Hand")
    hand.scroll_into_view_if_needed()
    Finger(page).drag(page.locator("[data-card=shia] > .card"), hand.locator(".pile-name"))
    hand.locator("[data-card=shia]").wait_for()
    assert page.locator(".ghost").count() == 0
    page.get_by_role("button", name="Undo").tap()
    hand.locator("[data-card=shia]").wait_for(state="detached")


def test_a_finger_drags_a_card_onto_an_enemy(open_page: Opener) -> None:
    page = open_page(width=1180, height=820, touch=True)
    Finger(page).drag(
        page.locator("[data-card=groll] > .card"), page.locator("[data-card=shia] > .card")
    )
    page.locator(".verdict.alone.no", has_text="base.turn").wait_for()


def test_a_finger_drags_from_the_catalogue(open_page: Opener) -> None:
    page = phone(open_page)
    page.get_by_role("navigation").get_by_role("button", name="Cards").tap()
    page.get_by_label("Name, in Russian or English").fill("antornaks")
    kind = page.locator(".kinds .kind").first
    finger = Finger(page)
    x, y = finger.middle(kind)
    finger.send("touchStart", (x, y))
    page.locator(".ghost").wait_for()  # it rests, is lifted, and the table comes into sight
    row = page.get_by_role("region", name="Side of steppe").get_by_role("group", name="Creatures")
    finger.glide((x, y), finger.middle(row))
    page.locator(".row.over").wait_for()
    finger.send("touchEnd")
    row.locator("[data-card=antornaks]").wait_for()


def test_a_swipe_scrolls_and_moves_no_card(open_page: Opener) -> None:
    page = open_page(width=390, height=600, touch=True)
    table = page.locator("#table")
    before = table.evaluate("each => each.scrollTop")
    x, y = Finger(page).middle(page.locator("[data-card=vyurr] > .card"))
    finger = Finger(page)
    finger.send("touchStart", (x, y))
    finger.glide((x, y), (x, y - 160))
    assert page.locator(".ghost").count() == 0
    finger.send("touchEnd")
    page.wait_for_function(f"document.getElementById('table').scrollTop > {before + 60}")
    assert page.get_by_role("button", name="Undo").is_disabled()


def test_the_table_scrolls_under_a_finger_at_its_edge(open_page: Opener) -> None:
    page = open_page(width=390, height=600, touch=True)
    finger = Finger(page)
    card = page.locator("[data-card=vitoslava] > .card")
    card.scroll_into_view_if_needed()
    x, y = finger.middle(card)
    finger.send("touchStart", (x, y))
    page.wait_for_timeout(RESTING)
    box = page.locator("#table").bounding_box()
    assert box is not None
    finger.glide((x, y), (x, box["y"] + 10 if y > 300 else box["y"] + box["height"] - 10))
    page.wait_for_timeout(1500)
    moved = page.evaluate("document.getElementById('table').scrollTop")
    page.keyboard.press("Escape")  # and what is in the hand is let go
    assert page.locator(".ghost").count() == 0
    finger.send("touchEnd")
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert moved == 0 or moved > 100


def test_a_position_is_laid_out_by_taps_alone(open_page: Opener) -> None:
    page = phone(open_page)
    page.get_by_role("navigation").get_by_role("button", name="Cards").tap()
    page.get_by_label("Name, in Russian or English").fill("antornaks")
    page.locator(".kinds .kind").first.tap()
    page.get_by_role("navigation").get_by_role("button", name="Table").tap()
    # the card that was just put is chosen, and every other zone offers itself for it
    sheet = page.get_by_role("region", name="Lay out: Antornax")
    forest = page.get_by_role("region", name="Side of forest")
    forest.get_by_role("group", name="Creatures").get_by_role("button", name="Drop here").tap()
    forest.get_by_role("group", name="Creatures").locator("[data-card=antornaks]").wait_for()
    sheet.get_by_role("button", name="Its values").tap()
    page.get_by_role("button", name="more: Wounds").tap()
    page.get_by_role("navigation").get_by_role("button", name="Table").tap()
    page.locator("[data-card=antornaks] .wounds").wait_for()
    # from the verdicts on a card to laying it elsewhere
    sheet.get_by_role("button", name="Close").tap()
    page.locator("[data-card=shia] > .card").tap()
    page.locator(".sheet").get_by_role("button", name="Move or change it").tap()
    forest.get_by_role("group", name="Hand").get_by_role("button", name="Drop here").tap()
    forest.get_by_role("group", name="Hand").locator("[data-card=shia]").wait_for()
