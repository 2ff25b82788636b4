"""Laying a position out by hand: cards, marks, effects, the board; files and links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pyengine import State
from tests.browser.conftest import Desk, Opener
from tests.conftest import ROOT

README = ROOT / "facts" / "states" / "02-defenders.yaml"


def put(desk: Desk, kind: str, card: dict[str, Any], id: str) -> None:
    """Takes a card of the catalogue and gives it its place, its id and its marks."""
    page = desk.page
    page.get_by_label("Name, in Russian or English").fill(kind)
    shelf = page.get_by_role("group", name="Put it to")
    desk.pick("Player", card["owner"], shelf)
    desk.pick("Zone", card.get("zone", "play"), shelf)
    page.locator(".kinds .kind").first.click()
    panel = page.get_by_role("tabpanel")
    panel.get_by_label("Id", exact=True).fill(id)
    panel.get_by_label("Id", exact=True).press("Enter")
    zone = panel.get_by_role("combobox", name="Zone", exact=True)
    if zone.input_value() != card.get("zone", "play"):  # a spell comes into the hand
        zone.select_option(card.get("zone", "play"))
    for key, name in (("wounds", "Wounds"), ("entered", "Came on turn")):
        if key in card:
            field = panel.get_by_role("spinbutton", name=name, exact=True)
            field.fill(str(card[key]))
            field.press("Enter")
    for key, name in (("closed", "closed"), ("acted", "has acted"), ("defended", "has defended")):
        if card.get(key):
            panel.get_by_role("checkbox", name=name, exact=True).check()


def test_the_position_of_the_readme_is_laid_out_by_hand(desk: Desk, tmp_path: Path) -> None:
    wanted = yaml.safe_load(README.read_text("utf-8"))
    page = desk.page
    page.get_by_role("button", name="Cards").click()
    desk.tab("Position")
    page.get_by_label("Open a file…").set_input_files(
        {
            "name": "bare.yaml",
            "mimeType": "text/yaml",
            "buffer": yaml.safe_dump(
                {**wanted, "cards": {}, "pending": None, "turn": 1}, sort_keys=False
            ).encode(),
        }
    )
    page.get_by_text("Opened: bare.yaml").wait_for()
    for id, card in wanted["cards"].items():
        put(desk, card["kind"], card, id)
    desk.tab("Position")
    turn = page.get_by_role("spinbutton", name="Turn", exact=True)
    turn.fill("11")
    turn.press("Enter")
    page.get_by_role("button", name="Announce an attack").click()
    desk.pick("Attacker", "groll")
    desk.pick("Target", "vitoslava")
    assert desk.verdicts(legal=True) == ["Adept of Life defends", "Shia defends", "nobody defends"]
    assert desk.verdicts(legal=False) == ["Neybl defends", "Vyurr defends"]
    assert State.load(desk.save("YAML", tmp_path)) == State.load(README)


@pytest.mark.parametrize("text", ["Гролль", "groll", "ГРОЛ"])
def test_cards_are_found_by_either_name(desk: Desk, text: str) -> None:
    page = desk.page
    page.get_by_role("button", name="Cards").click()
    page.get_by_label("Name, in Russian or English").fill(text)
    assert page.locator(".kind-name").first.inner_text().startswith("Groll")


def test_cards_are_found_by_element_type_cost_and_ability(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Cards").click()
    finder = page.locator(".finder")
    desk.pick("Element", "steppe", finder)
    desk.pick("Type", "creature", finder)
    finder.get_by_role("spinbutton", name="Cost").fill("3")
    steppe = page.locator(".kinds .kind").count()
    desk.pick("Ability", "ability.charge", finder)
    charging = page.locator(".kinds .kind").count()
    assert 0 < charging < steppe
    finder.get_by_label("Name, in Russian or English").fill("no such card")
    page.get_by_text("Nothing fits.").wait_for()


def test_what_is_dragged_lies_where_it_was_dropped_and_can_be_undone(desk: Desk) -> None:
    page = desk.page
    hand = page.get_by_role("region", name="Side of steppe").get_by_role("group", name="Hand")
    desk.card("groll").drag_to(hand)
    hand.locator("[data-card=groll]").wait_for()
    # the attack is gone with the attacker
    page.get_by_text("steppe decides").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Groll attacks Vitoslava").wait_for()
    assert hand.locator("[data-card=groll]").count() == 0
    page.get_by_role("button", name="Redo").click()
    hand.locator("[data-card=groll]").wait_for()


def test_a_card_of_the_catalogue_is_dragged_to_the_table(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Cards").click()
    page.get_by_label("Name, in Russian or English").fill("antornaks")
    row = page.get_by_role("region", name="Side of forest").get_by_role("group", name="Creatures")
    page.locator(".kinds .kind").first.drag_to(row)
    row.locator("[data-card=antornaks]").wait_for()


def test_dropping_a_card_on_an_enemy_asks_for_the_attack(desk: Desk) -> None:
    desk.card("groll").drag_to(desk.card("shia"))
    # it is not that player's decision now, and the judge says so
    desk.page.locator(".verdict.alone.no", has_text="base.turn").wait_for()


def test_an_effect_is_laid_by_the_form_and_by_text(desk: Desk, tmp_path: Path) -> None:
    page = desk.page
    desk.card("shia").click()
    desk.tab("Card")
    page.get_by_role("button", name="Lay an effect").click()
    form = page.get_by_role("form", name="Lay an effect")
    desk.pick("an ability", "armor", form)
    form.get_by_label("a number of 1 or more").fill("2")
    desk.pick("Source", "vitoslava", form)
    desk.pick("Until", "end_of_turn", form)
    form.get_by_role("button", name="Lay it").click()
    page.locator("[data-card=shia] .chips li", has_text="armor 2").wait_for()

    page.get_by_role("button", name="Lay an effect").click()
    text = form.get_by_label("As text")
    text.fill("grant(and(creature,yours),mod(strike,-1))")
    text.press("Tab")
    assert form.get_by_role("combobox", name="a card filter").first.input_value() == "and"
    form.get_by_role("button", name="Lay it").click()
    page.locator("[data-card=shia] .chips li").nth(1).wait_for()

    state = State.load(desk.save("JSON", tmp_path))
    assert [(each.card, each.ability, each.source, each.until) for each in state.effects] == [
        ("shia", "armor(2)", "vitoslava", "end_of_turn"),
        ("shia", "grant(and(creature,yours),mod(strike,-1))", None, "leaves"),
    ]
    assert state.effects[0].since < state.effects[1].since

    desk.tab("Card")
    page.get_by_role("button", name="Change armor(2)").click()
    text.fill("armor(3)")
    text.press("Tab")
    form.get_by_role("button", name="more: used up").click()
    form.get_by_role("button", name="Save").click()
    page.locator("[data-card=shia] .chips li", has_text="armor 3").wait_for()
    page.get_by_role("button", name="Take off grant").click()
    changed = State.load(desk.save("JSON", tmp_path)).effects
    assert [(each.ability, each.spent, each.since) for each in changed] == [
        ("armor(3)", 1, state.effects[0].since)
    ]


@pytest.mark.parametrize("kind", ["YAML", "JSON"])
def test_what_is_saved_is_opened_again(desk: Desk, tmp_path: Path, kind: str) -> None:
    page = desk.page
    desk.card("shia").click()
    desk.tab("Card")
    page.get_by_role("button", name="more: Wounds").click()
    path = desk.save(kind, tmp_path)
    page.reload()
    desk.settled()
    page.locator("[data-card=shia] .wounds").wait_for()  # what lay there lies there still
    desk.tab("Position")
    page.get_by_role("button", name="New table: Heroes").click()
    desk.card("shia").wait_for(state="detached")
    desk.tab("Position")
    page.get_by_label("Open a file…").set_input_files(path)
    page.get_by_text(f"Opened: {path.name}").wait_for()
    saved = State.load(path)
    assert saved.card("shia").wounds == 1
    assert State.load(desk.save(kind, tmp_path)) == saved


def test_a_file_with_faults_changes_nothing_and_tells_all_of_them(desk: Desk) -> None:
    page = desk.page
    desk.tab("Position")
    bad = b"active: p1\nplayers: {p1: {}, p2: {}}\ncards: {a: {type: dragon, owner: p3}}\n"
    page.get_by_label("Open a file…").set_input_files(
        {"name": "bad.yaml", "mimeType": "text/yaml", "buffer": bad}
    )
    faults = page.get_by_role("alert").locator("li")
    faults.first.wait_for()
    assert "cards.a.type" in "\n".join(faults.all_inner_texts())
    assert "cards.a.owner" in "\n".join(faults.all_inner_texts())
    assert desk.card("groll").count() == 1


def test_faults_of_the_layout_are_told_wherever_the_reader_is(desk: Desk) -> None:
    page = desk.page
    desk.card("shia").click()
    desk.tab("Card")
    page.get_by_role("button", name="Lay an effect").click()
    text = page.get_by_label("As text")
    text.fill("armour(2)")
    text.press("Tab")
    page.get_by_role("button", name="Lay it").click()
    page.get_by_role("button", name="The judge cannot read this position (faults: 1)").click()
    assert "did you mean armor" in page.get_by_role("alert").inner_text()
    page.get_by_role("button", name="Undo").click()
    page.locator(".tally", has_text="Legal: 3").wait_for()


def test_the_order_of_a_deck_is_changed_without_a_mouse(desk: Desk, tmp_path: Path) -> None:
    page = desk.page
    for id in ("shia", "adept"):
        desk.card(id).click()
        desk.tab("Card")
        page.get_by_role("combobox", name="Zone", exact=True).select_option("deck")
    page.get_by_role("button", name="Earlier").click()

    def deck() -> list[str]:
        state = State.load(desk.save("JSON", tmp_path))
        return [card.id for card in state.cards if (card.owner, card.zone) == ("forest", "deck")]

    first = deck()
    assert first.index("adept") == first.index("shia") - 1
    desk.tab("Card")
    page.get_by_role("button", name="Later").click()
    assert deck().index("adept") == deck().index("shia") + 1


def test_a_link_contains_the_position(open_page: Opener, tmp_path: Path) -> None:
    first = Desk(open_page())
    first.card("shia").click()
    first.tab("Card")
    first.page.get_by_role("button", name="Close", exact=True).click()
    first.tab("Position")
    first.page.get_by_role("button", name="Copy a link to it").click()
    first.page.wait_for_url(re.compile("#s1="))
    fragment = first.page.evaluate("location.hash")
    assert re.fullmatch(r"#s1=[A-Za-z0-9_-]{50,2000}", fragment)

    second = Desk(open_page(fragment))
    second.page.locator("[data-card=shia] .card.closed").wait_for()
    assert State.load(second.save("JSON", tmp_path)).card("shia").closed


def test_a_file_is_dropped_on_the_page(desk: Desk) -> None:
    page = desk.page
    drop = """async (text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "dropped.yaml"));
      const target = document.querySelector(".row");
      for (const type of ["dragover", "drop"])
        target.dispatchEvent(new DragEvent(type, {dataTransfer: data, bubbles: true, cancelable: true}));
    }"""
    page.evaluate(drop, (ROOT / "facts" / "states" / "07-effects.yaml").read_text("utf-8"))
    page.get_by_text("Opened: dropped.yaml").wait_for()
    assert page.locator("[data-card=groll] .chips li").count() == 3


def test_a_player_is_given_another_name(desk: Desk, tmp_path: Path) -> None:
    page = desk.page
    desk.tab("Position")
    page.get_by_role("group", name="steppe").get_by_label("Name").fill("anna")
    page.keyboard.press("Enter")
    page.get_by_role("region", name="Side of anna").wait_for()
    state = State.load(desk.save("YAML", tmp_path))
    assert (state.active, state.card("groll").owner) == ("anna", "anna")


def test_classic_lies_on_a_board_of_five_by_six(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Cards").click()
    desk.tab("Position")
    page.get_by_role("button", name="New table: classic").click()
    board = page.get_by_role("group", name="The board")
    assert board.locator(".cell").count() == 30
    page.get_by_role("button", name="A card of your own").click()
    board.get_by_role("group", name="column 1, row 3").locator("[data-card=card]").wait_for()
    desk.tab("Verdicts")
    desk.settled()
    step = board.get_by_role("button", name="column 1, row 4: legal")
    step.click()
    page.get_by_role("button", name="Declare it").click()
    page.get_by_role("button", name="Step into this outcome").click()
    board.get_by_role("group", name="column 1, row 4").locator("[data-card=card]").wait_for()
