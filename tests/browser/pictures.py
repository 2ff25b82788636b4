"""Takes the pictures of docs/desk.md anew: `python -m tests.browser.pictures ADDRESS [NAME…]`.

ADDRESS is that of a running `pyengine serve`. Nothing compares the pictures: they are looked at.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.browser.conftest import WAIT, Desk
from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = ROOT / "docs" / "pictures"
CLASSIC = """
{"edition": "classic", "active": "p1", "turn": 5, "players": {"p1": {}, "p2": {}}, "cards": {
"golem": {"name": "Golem", "type": "creature", "element": ["mountain"], "strike": [1, 2, 3], "life": 8,
 "movement": 1, "owner": "p2", "cell": [3, 4], "arrived": 1, "wounds": 2},
"orc": {"name": "Orc", "type": "creature", "element": ["steppe"], "strike": [2, 3, 4], "life": 5,
 "movement": 1, "owner": "p1", "cell": [3, 3], "arrived": 4},
"dryad": {"name": "Dryad", "type": "creature", "element": ["forest"], "strike": [1, 2, 2], "life": 6,
 "movement": 2, "owner": "p1", "cell": [1, 2], "closed": true},
"mage": {"name": "Mage", "type": "creature", "element": ["swamp"], "life": 5, "owner": "p1", "cell": [4, 2],
 "abilities": ["may(chips)", "use(chips(1),heal(1,self))"], "chips": 2},
"ghoul": {"name": "Ghoul", "type": "creature", "element": ["darkness"], "strike": [1, 2, 3], "life": 4,
 "movement": 1, "owner": "p2", "cell": [4, 5], "arrived": 2}}}
"""


def sample(desk: Desk, name: str) -> None:
    desk.sample(name)
    desk.page.locator(".tally", has_text="·").wait_for(state="attached")


def why_not(page: Page) -> None:
    Desk(page).card("vyurr").click()
    page.locator(".judge .verdict .line").first.click()
    page.locator(".judge .why").wait_for()


def targets(page: Page) -> None:
    sample(Desk(page), "03-spell-and-protection")
    page.locator("[data-card] > .card", has_text="Piercing").click()
    page.locator("[data-card] > .card", has_text="Archer of Zahra").click()
    page.locator(".judge .why").wait_for()


def outcome(page: Page) -> None:
    page.get_by_role("button", name="Shia defends").click()
    page.get_by_role("button", name="Declare it").click()
    page.locator(".step-line").first.wait_for()


def choices(page: Page) -> None:
    sample(Desk(page), "05-full-table")
    page.get_by_label("Search an action, or write one").fill("end_turn")
    page.locator(".verdict .line", has_text="end the turn").click()
    page.get_by_role("button", name="Declare it").click()
    page.locator(".fork").first.wait_for()


def layout(page: Page) -> None:
    page.get_by_role("button", name="Cards").click()
    page.get_by_label("Name, in Russian or English").fill("ор")
    desk = Desk(page)
    desk.card("shia").click()
    desk.tab("Card")
    page.get_by_role("button", name="Lay an effect").click()
    text = page.get_by_label("As text")
    text.fill("grant(and(creature,yours),armor(1))")
    text.press("Tab")
    page.get_by_role("form", name="Lay an effect").scroll_into_view_if_needed()


def report(page: Page) -> None:
    desk = Desk(page)
    desk.tab("Report")
    page.get_by_role("button", name="Search for contradictions").click()
    finding = page.locator(".finding", has_text="524.2").first
    finding.get_by_role("button", name="Show it on the table").click(timeout=60_000)
    desk.settled()
    desk.tab("Report")
    page.locator(".finding", has_text="524.2").first.scroll_into_view_if_needed()


def dark(page: Page) -> None:
    page.get_by_role("tab").last.click()
    page.locator(".samples-box summary").click()
    page.locator(".samples button", has_text="07-effects").click()
    page.locator(".tally", has_text="15").wait_for()
    page.locator("[data-card=archer] > .card").click()


def classic(page: Page) -> None:
    desk = Desk(page)
    desk.tab("Position")
    page.get_by_label("Open a file…").set_input_files(
        {"name": "board.json", "mimeType": "application/json", "buffer": CLASSIC.encode()}
    )
    desk.card("orc").click()
    page.locator(".card.light-yes").wait_for()


def phone(page: Page) -> None:
    page.locator("[data-card=vyurr] > .card").tap()
    page.locator(".sheet .line").first.tap()
    page.locator(".sheet .reasons").wait_for()


WIDE = {"width": 1360, "height": 850}
PICTURES: dict[str, tuple[Callable[[Any], None], dict[str, Any]]] = {
    "why-not": (why_not, {"viewport": WIDE}),
    "targets": (targets, {"viewport": WIDE}),
    "outcome": (outcome, {"viewport": WIDE}),
    "choices": (choices, {"viewport": WIDE}),
    "layout": (layout, {"viewport": {"width": 1560, "height": 900}}),
    "report": (report, {"viewport": WIDE}),
    "dark": (dark, {"viewport": WIDE, "locale": "ru-RU", "color_scheme": "dark"}),
    "classic": (classic, {"viewport": WIDE}),
    "phone": (phone, {"viewport": {"width": 390, "height": 780}, "has_touch": True}),
}


def main(address: str, *names: str) -> None:
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for name in names or PICTURES:
            draw, settings = PICTURES[name]
            context = browser.new_context(reduced_motion="reduce", **settings)
            page = context.new_page()
            page.set_default_timeout(2 * WAIT)
            page.goto(address)
            page.locator(".tally", has_text="·").wait_for(state="attached")
            draw(page)
            page.wait_for_timeout(600)
            shot = context.new_cdp_session(page).send(
                "Page.captureScreenshot", {"format": "webp", "quality": 82}
            )
            (FOLDER / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))
            context.close()
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
