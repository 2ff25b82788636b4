"""For whom the page is: two languages, a keyboard, a reader of screens, a phone, dark and light."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser.conftest import Desk, Opener
from tests.browser.pictures import CLASSIC

GRAVE = ("serious", "critical")


def violations(page: Any, axe: str, within: str = "html") -> list[str]:
    """What axe-core finds that keeps people out, with the first place of each."""
    page.evaluate(axe)  # by the debugger: the policy of the page lets no program be added
    run = "(place) => axe.run(place, {resultTypes: ['violations']})"
    found = page.evaluate(run, within)["violations"]
    return [
        f"{each['id']}: {each['help']}: {json.dumps(each['nodes'][0]['target'])}"
        f" {each['nodes'][0]['failureSummary']}"
        for each in found
        if each["impact"] in GRAVE
    ]


@pytest.mark.parametrize(("lang", "scheme"), [("en-US", "light"), ("ru-RU", "dark")])
def test_axe_finds_nothing_grave(open_page: Opener, axe: str, scheme: str, lang: str) -> None:
    page = open_page(width=1700, lang=lang, scheme=scheme, calm=True)
    assert violations(page, axe) == []
    page.locator("[data-card=vyurr] > .card").click()
    page.locator(".verdict button.line").first.click()
    page.locator(".why").wait_for()
    for tab in page.get_by_role("tab").all():
        tab.click()
        assert violations(page, axe, ".judge") == [], tab.inner_text()


def test_axe_finds_nothing_grave_in_forms_and_outcomes(page: Any, axe: str) -> None:
    desk = Desk(page)
    page.get_by_role("button", name="Shia defends").click()
    page.get_by_role("button", name="Declare it").click()
    page.locator(".step-line").first.wait_for()
    assert violations(page, axe) == []
    desk.card("groll").click()
    desk.tab("Card")
    page.get_by_role("button", name="Lay an effect").click()
    assert violations(page, axe) == []
    desk.tab("Position")
    page.get_by_role("button", name="Save as a ruling…").click()
    page.get_by_role("region", name="Save as a ruling").wait_for()
    assert violations(page, axe) == []
    page.get_by_role("button", name="New table: classic").click()
    assert violations(page, axe) == []


def test_axe_finds_nothing_grave_on_a_phone(open_page: Opener, axe: str) -> None:
    page = open_page(width=390, height=844, touch=True, calm=True)
    page.locator("[data-card=vyurr] > .card").tap()
    page.locator(".sheet .line").first.tap()
    page.locator(".sheet .reasons").wait_for()
    assert violations(page, axe) == []
    for name in ("Cards", "Judge"):
        page.get_by_role("navigation").get_by_role("button", name=name).tap()
        assert violations(page, axe) == [], name


def test_both_languages(open_page: Opener) -> None:
    page = open_page(lang="ru-RU")
    assert page.locator("html").get_attribute("lang") == "ru"
    page.get_by_role("button", name="защищает Вьюрр").click()
    page.locator(".reasons", has_text="уже защищало в этом ходу").wait_for()
    page.get_by_role("button", name="English").click()
    page.locator(".reasons", has_text="has already defended this turn").wait_for()
    assert page.locator("html").get_attribute("lang") == "en"
    page.reload()
    page.get_by_role("button", name="Vyurr defends").wait_for()  # it is remembered


def test_no_word_is_left_in_the_other_language(open_page: Opener) -> None:
    page = open_page(width=1700, lang="ru-RU")
    for tab in page.get_by_role("tab").all():
        tab.click()
        latin = page.evaluate(
            """() => [...document.querySelectorAll(
                 '.judge button, .judge h2, .judge h3, .judge label > span, .judge legend, .topbar button, .catalogue label > span')]
               .filter((each) => !each.closest('.verdict, .samples, .rule-list, .past') && !each.querySelector('code'))
               .map((each) => each.innerText.trim())
               .filter((text) => /[A-Za-z]{3,}/.test(text))"""
        )
        # the names of the players, of files and of the other language are no words of ours
        left = [
            text
            for text in latin
            if text.split()[-1] not in ("steppe", "forest", "YAML", "JSON", "English")
        ]
        assert left == [], tab.inner_text()


def test_the_keyboard_is_enough(desk: Desk) -> None:
    page = desk.page
    desk.card("shia").focus()
    page.keyboard.press("Enter")
    assert desk.card("shia").get_attribute("aria-pressed") == "true"
    page.get_by_role("tab", name="Verdicts").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("tab", name="Card").get_attribute("aria-selected") == "true"
    assert page.evaluate("document.activeElement.id") == "tab-card"
    # a card is moved without a mouse: every zone offers itself
    row = page.get_by_role("region", name="Side of forest").get_by_role("group", name="Hand")
    row.get_by_role("button", name="Drop here").focus()
    page.keyboard.press("Enter")
    row.locator("[data-card=shia]").wait_for()
    page.keyboard.press("Control+z")
    row.locator("[data-card=shia]").wait_for(state="detached")
    page.keyboard.press("Control+Shift+z")
    row.locator("[data-card=shia]").wait_for()
    page.keyboard.press("Escape")
    assert page.locator(".card.light-chosen").count() == 0


def test_the_focus_is_never_lost(desk: Desk) -> None:
    page = desk.page

    def press(what: Any) -> str:
        """Presses that by a key; where the focus is then."""
        what.focus()
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)
        where = """(() => { const at = document.activeElement;
            return at === document.body ? "lost" : at.id || at.tagName.toLowerCase() })()"""
        return str(page.evaluate(where))

    button = page.get_by_role
    desk.card("shia").click()
    desk.settled()
    page.locator(".judge .verdict .line").first.click()
    assert press(button("button", name="Declare it")) == "judge-panel"
    page.locator(".step-line").first.wait_for()
    assert press(button("button", name="Step into this outcome")) == "judge-panel"
    desk.card("vyurr").click()
    desk.tab("Card")
    assert press(button("button", name="Lay an effect")) == "select"  # the form is ready
    assert press(button("button", name="Lay it")) == "section"  # that of the effects
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.ariaLabel").startswith("Change ")
    assert press(button("button", name="Take off the table")) == "judge-panel"
    desk.tab("Rulebook")
    assert press(page.locator(".rule-list button").first) == "judge-panel"
    assert press(page.locator(".back")) == "judge-panel"


def test_the_first_key_leads_to_the_table(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the table"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "table"


@pytest.mark.parametrize("width", [320, 390, 768, 1180])
def test_nothing_sticks_out_at_any_width(open_page: Opener, width: int) -> None:
    page = open_page(width=width, height=844, touch=width < 700)
    for pane in ("cards", "table", "judge"):
        button = page.locator(
            f".panes button:nth-child({('cards', 'table', 'judge').index(pane) + 1})"
        )
        if button.is_visible():
            button.click()
        too_wide = page.evaluate(
            """() => [...document.querySelectorAll('.topbar, .table, .panel, .finder, .kinds, .panes')]
               .filter((each) => each.offsetParent !== null && each.scrollWidth > each.clientWidth + 1)
               .map((each) => `${each.className}: ${each.scrollWidth} > ${each.clientWidth}`)"""
        )
        assert too_wide == [], pane
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_phone_tells_why_not_on_a_tap(open_page: Opener) -> None:
    page = open_page(width=390, height=844, touch=True)
    page.locator("[data-card=vyurr] > .card").tap()
    sheet = page.locator(".sheet")
    sheet.get_by_role("button", name="Vyurr defends").tap()
    sheet.locator(".reasons", has_text="has already defended this turn").wait_for()
    assert "No creature defends twice" in sheet.locator(".reading").inner_text()
    page.locator("[data-card=vyurr] > .card").tap()
    page.locator("[data-card=shia] > .card").tap()
    sheet.get_by_role("button", name="Shia defends").tap()
    sheet.get_by_role("button", name="Declare it").tap()
    page.locator(".step-line").first.wait_for()
    page.get_by_role("button", name="Step into this outcome").tap()
    page.get_by_text("steppe decides").wait_for()


def test_a_phone_shows_the_board_and_what_a_card_may_do_on_it(open_page: Opener) -> None:
    page = open_page(width=390, height=844, touch=True)
    navigation = page.get_by_role("navigation")
    navigation.get_by_role("button", name="Judge").tap()
    page.get_by_role("tab", name="Position").tap()
    page.locator("input[type=file]").set_input_files(
        {"name": "board.json", "mimeType": "application/json", "buffer": CLASSIC.encode()}
    )
    page.get_by_text("Opened: board.json").wait_for()
    # the line that says so covers nothing: the first tab can be pressed
    page.get_by_role("tab", name="Verdicts").tap(timeout=3000)
    navigation.get_by_role("button", name="Table").tap()
    over = """() => [...document.querySelectorAll('.cell .card')].filter((card) => {
        const [inner, outer] = [card, card.closest('.cell')].map((each) => each.getBoundingClientRect());
        return inner.left < outer.left - 2 || inner.right > outer.right + 2;
    }).map((card) => card.innerText)"""
    assert page.evaluate(over) == []
    page.locator("[data-card=orc] > .card").tap()
    # what is legal comes first
    lines = page.locator(".sheet .verdict")
    lines.first.wait_for()
    assert "yes" in (lines.first.get_attribute("class") or "")


def test_dark_and_light_by_the_system_and_by_the_switch(open_page: Opener) -> None:
    def paper(page: Any) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    light, dark = open_page(scheme="light"), open_page(scheme="dark")
    bright, dim = paper(light), paper(dark)
    assert bright != dim
    switch = light.get_by_role("button", name="Colours: as the system")
    switch.click()
    light.get_by_role("button", name="Colours: light").click()
    light.get_by_role("button", name="Colours: dark").wait_for()
    assert paper(light) == dim
    light.reload()
    light.get_by_role("button", name="Colours: dark").wait_for()
    assert paper(light) == dim


def test_nothing_moves_for_those_who_do_not_want_it(open_page: Opener) -> None:
    def lasts(page: Any) -> float:
        script = "getComputedStyle(document.querySelector('.card')).transitionDuration"
        return max(
            float(part.strip().removesuffix("s")) for part in page.evaluate(script).split(",")
        )

    assert lasts(open_page()) > 0
    assert lasts(open_page(calm=True)) == 0


def test_an_address_that_is_damaged_is_told(open_page: Opener) -> None:
    page = open_page("#s1=AAAA")
    page.get_by_role("alert").wait_for()
    assert "damaged" in page.get_by_role("alert").inner_text()
