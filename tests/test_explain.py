"""Answers as text, in both languages: catalogues, clauses, changes, citations, pictures."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from string import Formatter
from typing import Any

import pytest
from rich.console import Console, RenderableType

from pyengine import explain, i18n, show
from pyengine.documents import data_folder
from pyengine.engine import Engine
from pyengine.i18n import LANGUAGES, Lang
from pyengine.model import (
    Action,
    Choice,
    Defeat,
    Effect,
    Explanation,
    Node,
    Outcome,
    Pending,
    Reason,
    State,
    Step,
    Verdict,
)

SOURCES = Path(explain.__file__).parent
DOCUMENT: dict[str, Any] = {
    "turn": 4,
    "active": "p1",
    "players": {"p1": {"coins": 3, "coins_total": 5}, "p2": {}},
    "cards": {
        "hero1": {"type": "hero", "life": 25, "owner": "p1"},
        "hero2": {"type": "hero", "life": 25, "owner": "p2"},
        "ork": {
            "type": "creature",
            "name": "Орк",
            "strike": 3,
            "life": 5,
            "owner": "p1",
            "abilities": ["armor(2)", "directed_strike", "strike_mod(2,and(hero,enemy))"],
            "spent": {"armor(2)": 1},
        },
        "guard": {"type": "creature", "life": 4, "owner": "p2", "closed": True, "wounds": 1},
        "bolt": {"type": "spell", "cost": 3, "owner": "p1", "zone": "hand"},
    },
    "effects": [{"card": "ork", "ability": "cannot(defend)", "source": "guard", "since": 3}],
}
STATE = State.from_dict(DOCUMENT)


def verdict(text: str, *reasons: Reason, legal: bool = False) -> Verdict:
    return Verdict(Action.parse(text), legal, reasons)


def clause(text: str, reason: Reason, lang: Lang = "en", state: State = STATE, **more: Any) -> str:
    return explain.sentence(state, verdict(text, reason, **more), reason, lang)


def drawn(picture: RenderableType, width: int = 80) -> str:
    console = Console(width=width, color_system=None, highlight=False)
    with console.capture() as capture:
        console.print(picture)
    return capture.get()


# --- catalogues ----------------------------------------------------------------------------------


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("catalogue", [i18n.MESSAGES, i18n.FACTS], ids=["messages", "facts"])
def test_both_languages_fill_in_the_same(catalogue: dict[Any, tuple[str, str]]) -> None:
    for key, (english, russian) in catalogue.items():
        assert fields(english) == fields(russian), key
    for (name, count), (english, _) in i18n.FACTS.items():
        assert fields(english) <= set(map(str, range(count))), name


def test_every_message_exists_and_is_used() -> None:
    # the server has its own (test_web.py)
    files = [file for file in SOURCES.rglob("*.py") if "web" not in file.parts]
    source = "".join(file.read_text("utf-8") for file in files if file.stem != "i18n")
    called = set(re.findall(r"\b(?:say|many)\(\s*[\"'](\w+)[\"']", source))
    known = {**i18n.MESSAGES, **i18n.COUNTS}
    assert called <= set(known)
    families = tuple(re.findall(r"\bf[\"'](\w+_)\{", source))  # say(f"answer_{found}")
    unsaid = [key for key in known if not re.search(rf"[\"']{key}[\"']", source)]
    assert [key for key in unsaid if not key.startswith(families)] == []


def test_russian_is_russian() -> None:
    for key, (_, russian) in [*i18n.MESSAGES.items(), *i18n.WORDS.items(), *i18n.STEPS.items()]:
        words = re.sub(
            r"\{\w+\}|--[\w-]+|PYENGINE\w+|rules|resolve|\*\.yaml|Enter|\bdot\b|(apt|brew) install graphviz",
            "",
            russian,
        )
        assert not re.search("[A-Za-z]", words), key


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, "en"),
        ({"LANG": "ru_RU.UTF-8"}, "ru"),
        ({"LANG": "ru"}, "ru"),
        ({"LANG": "run_XX"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LC_ALL": "C", "LANG": "ru_RU.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "ru_RU", "LANG": "en_US"}, "ru"),
        ({"LC_ALL": "ru_RU.UTF-8", "LC_MESSAGES": "en_US"}, "ru"),
    ],
)
def test_language_of_the_locale(environ: dict[str, str], expected: str) -> None:
    assert i18n.language(environ) == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [(0, "0 исходов"), (1, "1 исход"), (3, "3 исхода"), (12, "12 исходов"), (21, "21 исход")],
)
def test_russian_counts(number: int, expected: str) -> None:
    assert i18n.many("outcomes", number, "ru") == expected


# --- reasons -------------------------------------------------------------------------------------


def test_a_reason_names_cards_with_their_ids() -> None:
    assert clause("attack(ork,guard)", Reason("base.closed", "ork")) == "Орк (ork) is closed"
    told = clause("attack(ork,guard)", Reason("base.closed", "ork"), "ru")
    assert told == "карта Орк (ork) закрыта"


def test_an_ability_picks_the_clause() -> None:
    lure = Reason("514.1", "guard", "lure(attack,any)")
    assert "obliges" in clause("attack(ork,hero2)", lure)
    assert "protected" in clause("attack(ork,hero2)", Reason("514.1", "x", "protection(spell)"))
    cannot = Reason("514.2", "guard", "cannot(attack)")
    assert "cannot(attack)" in clause("attack(ork,hero2)", cannot)


@pytest.mark.parametrize(
    ("action", "rule", "changes", "expected"),
    [
        ("attack(ork,ork)", "base.target", {}, "own side"),
        ("play(bolt,ork)", "base.target", {}, "does not fit"),
        ("defend(guard)", "base.target", {"pending": Pending("ork", "guard")}, "already"),
        ("close(guard)", "525.1", {}, "closed already"),
        ("open(guard)", "525.1", {}, "nothing lets guard do this"),
        ("open(ork)", "525.1", {}, "open already"),
        ("reveal(ork)", "525.1", {}, "revealed already"),
        ("hide(ork)", "525.1", {}, "nothing lets"),
        ("accumulate(ork)", "525.1", {}, "nothing lets"),
        ("attack(ork,bolt)", "base.zone", {}, "bolt is not in play"),
        ("attack(bolt,guard)", "base.zone", {}, "bolt is not in the zone"),
        ("attack(ork,guard)", "base.turn", {"result": "p2"}, "game is over"),
        ("attack(ork,guard)", "base.turn", {"pending": Pending("ork", "guard")}, "waiting"),
        ("attack(guard,ork)", "base.turn", {}, "other player's"),
        ("attack(ork,guard)", "base.turn", {"phase": "end"}, "phase"),
    ],
)
def test_the_position_picks_the_clause(
    action: str, rule: str, changes: dict[str, Any], expected: str
) -> None:
    by = action.partition("(")[2].partition(",")[0].rstrip(")")
    assert expected in clause(action, Reason(rule, by), state=replace(STATE, **changes))


def test_what_is_amiss_picks_the_clause() -> None:
    """Of several things that are, one is told."""
    wrong = Reason("514.1", "bolt", amiss=("missing", "number"))
    assert "a target is needed" in clause("play(bolt)", wrong)
    wrong = Reason("514.1", "bolt", amiss=("number", "repeated"))
    assert "twice" in clause("play(bolt,ork,ork)", wrong)
    assert "leave no way" in clause("play(bolt)", Reason("514.1", "bolt"))


def test_reasons_of_legal_actions() -> None:
    assert (
        clause("end_turn", Reason("base.turn"), legal=True) == "the active player may end the turn"
    )
    assert "may attack hero2" in clause(
        "attack(ork,hero2)", Reason("base.attack", "ork"), legal=True
    )
    exception = Reason("511.1", "ork", "charge")
    assert "before the rulebook" in clause("attack(ork,hero2)", exception, legal=True)


def test_because_as_json() -> None:
    lost = Defeat("base.attack", "ork", "524.2")
    reasons = (Reason("514.2", "guard", "cannot_be(attack)", (lost,)), Reason("base.closed", "ork"))
    first, second = explain.because(STATE, verdict("attack(ork,guard)", *reasons), "en")
    assert list(first) == ["rule", "by", "text", "defeats"]
    assert first["defeats"] == [{"rule": "base.attack", "by": "ork", "principle": "524.2"}]
    assert second == {"rule": "base.closed", "by": "ork", "text": "Орк (ork) is closed"}


def test_judged_is_sorted_and_split() -> None:
    verdicts = [
        verdict("pass", legal=True),
        verdict("end_turn"),
        verdict("attack(ork,hero2)", legal=True),
        verdict("attack(ork,guard)"),
    ]
    answer = explain.judged(STATE, verdicts, "en")
    assert list(answer) == ["edition", "player", "legal", "illegal"]
    assert (answer["edition"], answer["player"]) == ("heroes", "p1")
    assert [item["action"] for item in answer["legal"]] == ["attack(ork,hero2)", "pass"]
    assert [item["action"] for item in answer["illegal"]] == ["attack(ork,guard)", "end_turn"]


def test_who_decides() -> None:
    assert explain.decides(STATE) == "p1"
    assert explain.decides(replace(STATE, pending=Pending("ork", "hero2"))) == "p2"
    assert explain.decides(replace(STATE, pending=Pending("ork", "hero2", "guard"))) == "p2"
    assert explain.decides(replace(STATE, phase="end")) == "p1"
    assert explain.decides(replace(STATE, result="draw")) is None


def test_a_tree_goes_down_to_facts() -> None:
    tree = (
        Node(
            "514.2",
            "guard",
            "cannot(attack)",
            (Node("base.attack", "ork", "524.2"), Node("", None, "laid(ork,cannot(attack),guard)")),
        ),
    )
    item = Explanation(
        verdict("attack(ork,hero2)", Reason("514.2", "guard", "cannot(attack)")), tree
    )
    answer = explain.explained(STATE, item, "en")
    (node,) = answer["tree"]
    assert list(node) == ["rule", "by", "text", "children"]
    beaten, fact = node["children"]
    assert "gives way by 524.2" in beaten["text"]
    assert fact == {
        "rule": None,
        "by": None,
        "text": "on Орк (ork) lies cannot(attack), from guard",
        "children": [],
    }
    told = drawn(show.explanation(STATE, item, "ru"))
    assert "уступает по 524.2" in told and "факт: на карте Орк (ork) лежит cannot(attack)" in told


def test_facts_in_words() -> None:
    assert explain.fact(STATE, "type(hero2,hero)", "ru") == "тип карты hero2: герой"
    assert explain.fact(STATE, "coins(p1,3)", "en") == "open coins of p1: 3"
    assert explain.fact(STATE, "odd(f(a,b),c)", "en") == "odd(f(a,b),c)"
    # an id is no word, whatever it looks like
    cards = tuple(replace(card, id="life", name="life") for card in STATE.cards[:1])
    state = replace(STATE, cards=cards)
    assert explain.fact(state, "closed(life)", "ru") == "карта life закрыта"
    assert explain.fact(STATE, "zone(bolt,hand)", "ru") == "зона карты bolt: рука"


# --- changes -------------------------------------------------------------------------------------


def told(after: State, before: State = STATE, lang: Lang = "en") -> list[str]:
    return [
        f"{item.about}: {explain.change(item, lang)}" for item in explain.changes(before, after)
    ]


def marked(id: str, **marks: Any) -> State:
    cards = tuple(replace(card, **marks) if card.id == id else card for card in STATE.cards)
    return replace(STATE, cards=cards)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (STATE, []),
        (marked("hero2", wounds=5), ["hero2: wounds 0 → 5"]),
        (marked("guard", closed=False), ["guard: opens"]),
        (marked("ork", closed=True, acted=True), ["ork: closes", "ork: is marked: has acted"]),
        (marked("ork", spent=()), ["ork: armor(2): used up 1 → 0"]),
        (marked("guard", controller="p1"), ["guard: controller p2 → p1"]),
        # what a card sheds on leaving play is not told one by one
        (
            marked("guard", zone="graveyard", wounds=0, closed=False),
            ["guard: zone in play → graveyard"],
        ),
        (
            replace(STATE, turn=5, active="p2"),
            [": turn 4 → 5", ": active player p1 → p2"],
        ),
        (
            replace(STATE, pending=Pending("ork", "hero2")),
            [": announced attack none → ork attacks hero2"],
        ),
        (replace(STATE, effects=()), ["ork: an effect ends: cannot(defend)"]),
        (
            replace(STATE, effects=(*STATE.effects, Effect("ork", "armor(1)", "p1", 9, "bolt"))),
            ["ork: a new effect: armor(1), from bolt"],
        ),
        (
            replace(STATE, effects=(replace(STATE.effects[0], spent=2),)),
            ["ork: cannot(defend): used up 0 → 2"],
        ),
        (
            replace(STATE, cards=(*STATE.cards, replace(STATE.card("guard"), id="egg_1"))),
            ["egg_1: a new card: in play"],
        ),
        (replace(STATE, cards=STATE.cards[:-1]), ["bolt: is no longer in the game"]),
    ],
)
def test_changes(after: State, expected: list[str]) -> None:
    assert told(after) == expected


def test_changes_in_russian() -> None:
    assert told(marked("hero2", wounds=5), lang="ru") == ["hero2: раны 0 → 5"]
    assert told(marked("guard", closed=False), lang="ru") == ["guard: открывается"]


def test_two_equal_effects_are_two() -> None:
    effect = Effect("ork", "mod(strike,1)", "p1", 7)
    before = replace(STATE, effects=(effect, effect))
    assert told(replace(STATE, effects=(effect,)), before) == ["ork: an effect ends: mod(strike,1)"]


def test_whole_names_every_key() -> None:
    document = explain.whole(STATE)
    assert document["cards"]["ork"]["class"] == []
    assert document["cards"]["ork"]["spent"] == {"armor(2)": 1}
    assert document["cards"]["guard"]["closed"] is True
    assert State.from_dict(document) == STATE


# --- pictures ------------------------------------------------------------------------------------


def test_outcomes_are_told_in_full() -> None:
    outcome = Outcome(
        marked("hero2", wounds=5),
        (Choice("p2", "516.3", ("a", "b"), "a"), Choice(None, "base.turn", ("x",), "x")),
        (Step("calculate", "508.4.1", "ork", "strike(ork,hero2)", 5),),
        ways=3,
    )
    text = drawn(show.outcomes(STATE, Action.parse("attack(ork,hero2)"), [outcome, outcome], "en"))
    for line in (
        "Outcome 1 of 2 (3 ways)",
        "516.3: p2 chooses: a",
        "out of: a | b",
        "by chance: x",
        "1. 508.4.1 calculate: strike(ork,hero2) = 5",
        "Орк (ork): the strike comes to 5",
        "hero2: wounds 0 → 5",
    ):
        assert line in text


def test_equal_reasons_are_told_once() -> None:
    closed = Reason("base.closed", "ork")
    verdicts = [verdict("attack(ork,guard)", closed), verdict("attack(ork,hero2)", closed)]
    text = drawn(show.verdicts(STATE, verdicts, "en"))
    assert "✗ attack(ork,guard)  attack(ork,hero2)" in text
    assert text.count("is closed") == 1


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_table_fits(lang: Lang, width: int) -> None:
    text = drawn(show.table(STATE, lang), width)
    assert all(len(line) <= width for line in text.splitlines())
    assert "…" not in text
    for id in ("hero1", "hero2", "ork", "guard", "bolt"):
        assert id in text


def test_the_table_says_what_lies_on_cards() -> None:
    text = drawn(show.table(STATE, "en"))
    assert "strike 3  life 5/5" in text and "life 3/4" in text
    assert "⟳ closed, wounds 1" in text
    assert "armor 2 (used up: 1)" in text and "+ cannot(defend)" in text
    assert "coins 3 of 5" in text and "hand 1: bolt, cost 3" in text
    assert "3. cannot(defend) on ork, from guard" in text
    russian = drawn(show.table(STATE, "ru"))
    assert "удар 3  жизнь 5/5" in russian and "⟳ закрыта, раны 1" in russian
    assert "броня 2" in russian and "монеты 3 из 5" in russian


@pytest.mark.parametrize("mark", show.MARKS)
def test_every_mark_of_a_card_has_its_words(mark: str) -> None:
    assert mark in i18n.WORDS
    for lang in LANGUAGES:
        assert i18n.word(mark, lang) in drawn(show.table(marked("hero2", **{mark: True}), lang))


def test_the_opponent_is_above() -> None:
    text = drawn(show.table(STATE, "en"))
    assert text.index("hero2") < text.index("guard") < text.index("ork") < text.index("hero1")
    turned = drawn(show.table(replace(STATE, active="p2"), "en"))
    assert turned.index("hero1") < turned.index("hero2")


def test_the_board_of_classic() -> None:
    state = State.from_dict(
        {
            "edition": "classic",
            "active": "p1",
            "players": {"p1": {}, "p2": {}},
            "cards": {
                "far": {"type": "creature", "life": 5, "owner": "p2", "cell": [5, 6]},
                "near": {
                    "type": "creature",
                    "life": 5,
                    "strike": [1, 2, 3],
                    "owner": "p1",
                    "cell": [1, 1],
                    "movement": 2,
                    "moved": 1,
                },
                "bird": {"type": "flyer", "life": 2, "owner": "p1"},
            },
        }
    )
    text = drawn(show.table(state, "en"))
    rows = [line for line in text.splitlines() if re.match(r"│\d│", line)]
    assert [row[1] for row in rows] == list("654321")
    assert rows[0].split("│")[6].strip() == "far (p2)"
    assert rows[5].split("│")[2].strip() == "near (p1)"
    assert "strike 1-2-3" in text and "steps 1/2" in text
    assert text.index("Beside the board") < text.index("bird")


def test_nothing_in_a_name_reaches_the_terminal_raw() -> None:
    document = {**DOCUMENT, "cards": {**DOCUMENT["cards"]}}
    state = State.from_dict(document)
    cards = tuple(replace(card, name="[bold]x\x1b[2J") for card in state.cards)
    text = drawn(show.table(replace(state, cards=cards), "en"))
    assert "\x1b" not in text and "[bold]x" in text


# --- the rulebook --------------------------------------------------------------------------------


def test_citations_in_rule_files() -> None:
    program = (
        "% --- base.cost, base.once  payment; 512.1 no price is below 0 ---\n"
        "a(1..3) :- b.   % 509.3\n"
        '"509.4"  % 508-510 say nothing, nor 1509.3\n'
        "% 515V.1. 508.4.10"
    )
    assert list(explain.cited(program)) == [
        (1, "base.cost"),
        (1, "base.once"),
        (1, "512.1"),
        (2, "509.3"),
        (4, "515V.1"),
        (4, "508.4.10"),
    ]


def test_traces_of_the_package() -> None:
    traces = explain.Traces.load()
    folder = data_folder("rules").parent
    for rule in ("509.3", "base.closed"):
        assert traces.encoded[rule]
        for place in traces.encoded[rule]:
            file, _, line = place.partition(":")
            cited = (folder / file).read_text("utf-8").splitlines()[int(line) - 1]
            assert rule in cited.partition("%")[2]
    assert traces.rulings["509.3"]


# --- numbers that change say why -----------------------------------------------------------------


def traced(active: str, action: str, ork: list[str], elf: list[str]) -> list[str]:
    """The steps of the only outcome, as rule, card and number."""
    cards = {
        "hero1": {"type": "hero", "life": 25, "owner": "p1"},
        "hero2": {"type": "hero", "life": 25, "owner": "p2"},
        "ork": {"type": "creature", "strike": 3, "life": 9, "owner": "p1", "abilities": ork},
        "elf": {"type": "creature", "strike": 2, "life": 9, "owner": "p2", "abilities": elf,
                "closed": True},
    }  # fmt: skip
    document = {"active": active, "players": {"p1": {}, "p2": {}}, "cards": cards}
    (outcome,) = Engine().resolve(State.from_dict(document), action)
    return [f"{step.rule} {step.by} {step.what} {step.value}" for step in outcome.trace]


def test_superiority_and_vulnerability_are_told() -> None:
    steps = traced("p1", "attack(ork,elf)", ["superiority(any)"], ["vulnerability"])
    calculated = steps.index("508.4.1 ork strike(ork,elf) 3")
    assert steps[calculated + 1 : calculated + 4] == [
        "keyword.superiority ork elf 5",
        "keyword.vulnerability elf elf 6",
        "508.4.3 ork elf 6",
    ]
    steps = traced("p1", "attack(ork,elf)", [], ["superiority(any)"])
    assert "keyword.superiority elf elf 1" in steps
    both = traced("p1", "attack(ork,elf)", ["superiority(any)"], ["superiority(any)"])
    assert not [step for step in both if step.startswith("keyword.superiority")]


def test_poison_and_might_are_called_by_their_names() -> None:
    steps = traced("p2", "end_turn", ["poison(1)", "might(1)"], [])
    assert "keyword.poison ork ork None" in steps
    assert "keyword.might ork ork None" in steps
    assert not [step for step in steps if step.startswith("base.queue")]


def test_superiority_over_all_wounds_is_told() -> None:
    cards = ["superiority(any)", "poison(2)"]
    assert "keyword.superiority ork ork None" in traced("p2", "end_turn", cards, [])
