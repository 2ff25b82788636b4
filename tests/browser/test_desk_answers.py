"""Asking the judge: verdicts and their reasons, outcomes, the rulebook, the report, rulings."""

from __future__ import annotations

import json
import re
from pathlib import Path

from pyengine import Engine, State
from pyengine.verify import load_rulings, run_all
from tests.browser.conftest import WAIT, Desk, Opener


def test_the_verdicts_of_the_readme(desk: Desk) -> None:
    page = desk.page
    assert desk.verdicts(legal=True) == ["Adept of Life defends", "Shia defends", "nobody defends"]
    assert desk.verdicts(legal=False) == ["Neybl defends", "Vyurr defends"]
    page.get_by_text("Legal: 3 · Illegal: 2").wait_for()
    # what may do something lights up
    assert "light-able" in (desk.card("shia").get_attribute("class") or "")
    assert "light-unable" in (desk.card("vyurr").get_attribute("class") or "")


def test_why_not_with_the_reading_of_the_rule(desk: Desk) -> None:
    page = desk.page
    desk.card("vyurr").click()
    page.get_by_role("button", name="Vyurr defends").click()
    reasons = page.locator(".reasons")
    reasons.locator(".tree .fact").wait_for()
    assert "Vyurr (vyurr) has already defended this turn" in reasons.inner_text()
    assert "Vyurr (vyurr) has defended" in reasons.locator(".fact").inner_text()
    reasons.get_by_role("button", name="509.3").first.hover()
    assert "No creature defends twice" in page.get_by_role("tooltip").inner_text()


def test_a_card_says_on_hover_and_on_focus_why_not(desk: Desk) -> None:
    page = desk.page
    desk.card("vyurr").hover()
    tip = page.get_by_role("tooltip")
    assert "has already defended this turn" in tip.inner_text()
    page.mouse.move(2, 2)
    tip.wait_for(state="detached")
    desk.card("adept").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert "may step in as the defender" in tip.inner_text()
    page.keyboard.press("Escape")
    tip.wait_for(state="detached")


def test_what_a_chosen_card_may_do_lights_up_and_the_rest_is_greyed(desk: Desk) -> None:
    page = desk.page
    desk.sample("03-spell-and-protection")
    found = page.get_by_label("Search an action, or write one")
    found.fill("archer")
    illegal = page.locator(".verdict.no .said", has_text="→").first
    acts = page.locator(".agent", has=illegal)  # the illegal action is listed below its card
    acts.get_by_role("heading").get_by_role("button").first.click()
    assert page.locator("[data-card] .card.light-no").count() >= 1
    lit = page.locator("[data-card] .card.light-yes")
    assert lit.count() >= 1
    lit.first.click()
    page.get_by_role("button", name="Declare it").wait_for()


TWO_TARGETS = """
active: p1
players: {p1: {}, p2: {}}
cards:
  mage: {type: hero, life: 20, owner: p1, abilities: ["use(once,both(wound(1,target(enemy)),heal(1,target(yours))))"]}
  ork: {type: creature, life: 3, owner: p1, wounds: 1}
  elf: {type: creature, life: 3, owner: p2}
  foe: {type: hero, life: 20, owner: p2}
"""


def test_several_targets_are_chosen_one_after_the_other(desk: Desk) -> None:
    page = desk.page
    desk.tab("Position")
    page.get_by_label("Open a file…").set_input_files(
        {"name": "two.yaml", "mimeType": "text/yaml", "buffer": TWO_TARGETS.encode()}
    )
    page.get_by_text("Opened: two.yaml").wait_for()
    desk.card("mage").click()
    page.locator("[data-card=elf] .light-yes").wait_for()
    page.locator("[data-card=ork] .light-no").wait_for()  # no enemy of its own
    desk.card("elf").click()
    page.locator("[data-card=ork] .light-yes").wait_for()
    page.locator("[data-card=foe] .light-no").wait_for()
    desk.card("ork").click()
    assert page.locator(".reasons .term").inner_text() == "use(mage,1,elf,ork)"
    page.get_by_role("button", name="Declare it").wait_for()
    # another may still take the place of the last one
    page.locator("[data-card=foe] .light-no").wait_for()
    desk.card("foe").click()
    page.locator(".verdict.no .reasons .term", has_text="use(mage,1,elf,foe)").wait_for()


def test_any_action_is_judged(desk: Desk) -> None:
    from playwright.sync_api import expect

    page = desk.page
    search = page.get_by_label("Search an action, or write one")
    search.fill("vyurr")
    expect(page.locator(".verdict .said")).to_have_text(["Vyurr defends"])
    search.fill("attack(centaur,shia)")
    page.get_by_role("button", name="Judge attack(centaur,shia)").click()
    page.locator(".verdict.alone.no", has_text="base.turn").wait_for()
    search.fill("attack(centaur,nobody)")
    search.press("Enter")
    page.get_by_role("alert").wait_for()
    assert "nobody" in page.get_by_role("alert").inner_text()


def test_outcomes_step_by_step_and_on_from_there(desk: Desk, tmp_path: Path) -> None:
    page = desk.page
    page.get_by_role("button", name="Shia defends").click()
    page.get_by_role("button", name="Declare it").click()
    steps = page.locator(".step-line")
    steps.first.wait_for()
    told = [" ".join(text.split()) for text in steps.all_inner_texts()]
    assert told == [
        "defend Shia (shia) is the defender and the new target 509.1",
        "fight Groll (groll) and Shia (shia) fight 510.1",
        "calculate Groll (groll): the strike comes to 6 508.4.1 6",
        "calculate Shia (shia): the strike comes to 4 508.4.1 4",
        "prevent Shia (shia) prevents 1 wound to Shia (shia) 515V.1 1",
        "apply Shia (shia) takes 5 wounds 508.4.3 5",
        "apply Groll (groll) takes 4 wounds 508.4.3 4",
        "die Groll (groll) dies base.death",
        "die Shia (shia) dies base.death",
    ]
    # what the outcome changes stands on the cards, and an arrow says who is aimed at whom
    assert "graveyard" in page.locator("[data-card=shia] .after").inner_text()
    assert page.locator(".arrows > path.pending").count() == 1
    page.get_by_role("button", name="Step into this outcome").click()
    page.get_by_text("steppe decides").wait_for()
    assert page.locator(".arrows > path").count() == 0
    state = State.load(desk.save("JSON", tmp_path))
    assert (state.card("groll").zone, state.card("shia").zone) == ("graveyard", "graveyard")
    # and on: the steppe plays, then both steps are undone
    assert "end the turn" in desk.verdicts(legal=True)
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("Groll attacks Vitoslava").wait_for()
    assert State.load(desk.save("JSON", tmp_path)).card("shia").zone == "play"


def test_what_needs_no_card_stands_in_the_middle_of_the_table(desk: Desk) -> None:
    page = desk.page
    page.locator(".middle").get_by_role("button", name="nobody defends").click()
    page.get_by_role("button", name="Declare it").click()
    page.get_by_role("button", name="Step into this outcome").click()
    page.locator(".middle").get_by_role("button", name="end the turn").wait_for()


def test_outcomes_are_a_tree_of_choices(desk: Desk) -> None:
    page = desk.page
    desk.sample("05-full-table")
    page.get_by_label("Search an action, or write one").fill("end_turn")
    page.locator(".verdict .line", has_text="end the turn").click()
    page.get_by_role("button", name="Declare it").click()
    # the deck of the other player is shuffled: what is drawn is chance
    page.locator(".fork", has_text="chance").first.wait_for()
    leaves = page.locator(".leaf")
    assert leaves.count() >= 2
    leaves.nth(1).click()
    assert leaves.nth(1).get_attribute("aria-pressed") == "true"
    page.get_by_role("region", name="Outcome 2").wait_for()


def test_the_rulebook_and_the_position_are_linked_both_ways(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Neybl defends").click()
    page.locator(".reasons").get_by_role("button", name="base.closed").first.click()
    panel = page.get_by_role("tabpanel")
    panel.get_by_role("heading", name="base.closed").wait_for()
    panel.get_by_role("button", name="Neybl defends").click()
    page.locator(".verdict .line[aria-expanded=true]", has_text="Neybl defends").wait_for()
    desk.tab("Rulebook")
    page.get_by_role("button", name="All rules").click()
    page.get_by_label("Search the rulebook").fill("509.3")
    panel.get_by_role("button", name="509.3").click()
    panel.get_by_text("Rulings: ").click()
    panel.locator(".rulings").get_by_role("button", name="heroes-509.3-once-per-turn").click()
    # the position of the ruling lies on the table, and its question is asked
    page.locator(".verdict .line[aria-expanded=true]").wait_for()
    assert desk.card("groll").count() == 0
    page.get_by_role("button", name="Undo").click()
    desk.card("groll").wait_for()


def test_the_report_shows_each_witness_on_the_table(desk: Desk) -> None:
    page = desk.page
    desk.tab("Report")
    page.get_by_role("button", name="Search for contradictions").click()
    finding = page.locator(".finding", has_text="509.3 forbids it").first
    finding.wait_for(timeout=2 * WAIT)  # a search, not a question
    page.get_by_role("progressbar").wait_for(state="detached", timeout=2 * WAIT)
    headings = page.locator(".report h3").all_inner_texts()
    assert [text.split(" · ")[0] for text in headings] == ["Warnings", "Notes"]
    finding.get_by_role("button", name="Show it on the table").click()
    page.locator(".verdict.no .line[aria-expanded=true]", has_text="509.3").wait_for()
    assert desk.card("groll").count() == 0


def test_a_search_without_time_shows_what_it_found_and_what_is_undecided(
    open_page: Opener, hasty: str
) -> None:
    page = open_page(at=hasty)
    desk = Desk(page)
    desk.tab("Report")
    desk.pick("How far to look", "whole")
    page.get_by_role("button", name="Search for contradictions").click()
    bar = page.get_by_role("progressbar")
    bar.wait_for()
    assert int(bar.get_attribute("max") or 0) > 5
    undecided = page.locator(".undecided")
    undecided.wait_for(timeout=4 * WAIT)
    open_codes = undecided.locator("p").first.locator("code").all_inner_texts()
    assert {"dead", "order"} <= set(open_codes)
    assert len(set(open_codes)) == len(open_codes)
    command = undecided.locator("p").last.locator("code").inner_text()
    assert command == "pyengine check" + "".join(f" --only {c}" for c in open_codes) + " --all"
    # nothing that was to be searched is left unsaid
    page.get_by_text("What was searched for").click()
    told = page.locator(".searched li").all_inner_texts()
    assert sorted(each.split()[0] for each in told if each.endswith("undecided")) == sorted(
        open_codes
    )
    assert {each.split()[0] for each in told} >= {"conflict", "loop", "nondeterminism", "document"}


def test_a_search_is_stopped(desk: Desk) -> None:
    page = desk.page
    desk.tab("Report")
    desk.pick("How far to look", "whole")
    page.get_by_role("button", name="Search for contradictions").click()
    page.get_by_role("button", name="Stop").click()
    page.locator(".undecided", has_text="Stopped").wait_for()
    assert page.get_by_role("progressbar").count() == 0
    # the process is free again: another takes the place of the one that was searching
    desk.tab("Verdicts")
    page.get_by_label("Search an action, or write one").fill("attack(centaur,shia)")
    page.get_by_role("button", name="Judge attack(centaur,shia)").click()
    page.locator(".verdict.alone.no", has_text="base.turn").wait_for()


def test_what_the_judge_says_is_saved_as_a_ruling_that_holds(desk: Desk, tmp_path: Path) -> None:
    page = desk.page
    page.get_by_role("button", name="Shia defends").click()
    page.get_by_role("button", name="Declare it").click()
    page.locator(".step-line").first.wait_for()
    desk.tab("Position")
    page.get_by_role("button", name="Save as a ruling…").click()
    form = page.get_by_role("region", name="Save as a ruling")
    form.get_by_label("Id of the ruling").fill("desk-1")
    form.get_by_label("Note").fill("she steps in")
    form.get_by_text("all verdicts (5)").click()
    with page.expect_download() as waiting:
        form.get_by_role("button", name="Save the file").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    report = run_all(Engine(), load_rulings([path]))
    assert (report.passed, report.failed) == (1, ())


def test_a_card_shows_its_values_as_they_are_now(desk: Desk) -> None:
    from playwright.sync_api import expect

    desk.sample("07-effects")
    strike = desk.card("archer").locator(".strike")
    expect(strike).to_have_text("10")  # 4 are printed; two effects and an enhancement add to it
    expect(strike).to_have_class(re.compile("better"))
    expect(desk.card("groll").locator(".strike.worse")).to_have_text("0")
    expect(desk.card("vyurr").locator(".strike")).not_to_have_class(re.compile("better|worse"))
    assert "strike 10 (printed: 4)" in desk.card("archer").inner_text()


def test_what_was_done_is_told_by_its_cards(desk: Desk) -> None:
    from playwright.sync_api import expect

    page = desk.page
    desk.card("shia").click()
    desk.tab("Card")
    page.get_by_role("button", name="more: Wounds").click()
    desk.tab("Position")
    expect(page.locator(".past li").last).to_have_text("a card was marked: Shia (wounds 1)")


def test_many_legal_actions_unfold_and_every_one_is_found(desk: Desk) -> None:
    from playwright.sync_api import expect

    page = desk.page
    desk.tab("Position")
    enemies = [f"foe{number}" for number in range(30)]
    table = {
        "active": "p1",
        "players": {"p1": {}, "p2": {}},
        "cards": {
            "orc": {"type": "creature", "owner": "p1", "strike": 3, "life": 4},
            **{foe: {"type": "creature", "owner": "p2", "life": 1} for foe in enemies},
        },
    }
    page.locator("input[type=file]").set_input_files(
        {"name": "many.json", "mimeType": "application/json", "buffer": json.dumps(table).encode()}
    )
    expect(page.locator(".tally")).to_have_text("Legal: 31 · Illegal: 0")
    lines = page.locator(".verdict.yes .said")
    expect(lines).to_have_count(11)  # ten attacks, and the end of the turn
    assert lines.all_inner_texts()[:3] == ["attack → foe0", "attack → foe1", "attack → foe2"]
    page.get_by_text("and 20 more legal ones").click()
    expect(lines).to_have_count(31)
    page.get_by_label("Search an action").fill("foe29")
    expect(lines).to_have_text(["attack → foe29"])


def test_an_ability_is_told_word_by_word(desk: Desk) -> None:
    page = desk.page
    desk.card("kos_zag").click()
    desk.tab("Card")
    words = page.locator(".judge .word-by-word code")
    told = [" ".join(text.split()) for text in words.all_inner_texts()]
    assert told[:6] == ["use", "and", "coins(1)", "close", "reveal_top", "and"]
    lines = page.locator(".judge .word-by-word li").all()
    boxes = [line.bounding_box() for line in lines]
    tops = [box["y"] for box in boxes if box is not None]
    assert len(tops) == len(lines) and tops == sorted(set(tops))  # each stands below the last
    panel = "(() => { const at = document.querySelector('.judge .panel'); return at.scrollWidth - at.clientWidth })()"
    assert page.evaluate(panel) <= 0
    desk.card("vyurr").hover()
    page.locator(".tip .word-by-word", has_text="from").first.wait_for()
