"""Rulings: how they are loaded, what is wrong with them, and when an answer is the right one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from pyengine import Engine, explain, verify
from pyengine.model import (
    Action,
    Card,
    Choice,
    DeckVerdict,
    Defeat,
    Effect,
    Explanation,
    Fork,
    IllegalAction,
    LimitError,
    Outcome,
    Reason,
    Sight,
    State,
    StateError,
    Step,
    Verdict,
)
from pyengine.precedence import Edge
from pyengine.verify.reading import CARD_KEYS

STATE = """
state:
  active: p1
  players: {p1: {}, p2: {}}
  cards:
    ork: {type: creature, strike: 3, life: 5, owner: p1, abilities: ["armor(2)"]}
    hero2: {type: hero, life: 25, owner: p2}
"""
RULING = f"ruling: one\ncites: ['509.3']\nlegal: ['attack(ork,hero2)']{STATE}"


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def faults(*paths: Path) -> list[str]:
    with pytest.raises(StateError) as caught:
        verify.load_rulings(paths)
    return list(caught.value.faults)


def state(**marks: Any) -> State:
    """The state of STATE with marks of hero2 set."""
    start = State.from_dict(
        {
            "active": "p1",
            "players": {"p1": {}, "p2": {}},
            "cards": {
                "ork": {
                    "type": "creature",
                    "strike": 3,
                    "life": 5,
                    "owner": "p1",
                    "abilities": ["armor(2)"],
                },
                "hero2": {"type": "hero", "life": 25, "owner": "p2"},
            },
        }
    )
    cards = tuple(replace(card, **marks) if card.id == "hero2" else card for card in start.cards)
    return replace(start, cards=cards)


@dataclass
class Judge:
    """An engine that says what it is told: verdicts and outcomes by the text of the action."""

    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    outcomes: Mapping[str, list[Outcome]] = field(default_factory=dict)
    candidates: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    def judge(self, state: State) -> list[Verdict]:
        return [self.verdicts[text] for text in self.candidates]

    def why(self, state: State, action: Action) -> Explanation:
        self.asked.append(str(action))
        return Explanation(self.verdicts[str(action)], ())

    def resolve(self, state: State, action: Action) -> list[Outcome]:
        if str(action) not in self.outcomes:
            raise IllegalAction(self.verdicts[str(action)])
        return self.outcomes[str(action)]

    def begin(self, state: State, decide: Callable[[Fork], int]) -> Outcome:
        return Outcome(state)

    def sight(self, state: State, player: str) -> Sight:
        return Sight(frozenset())

    def deck(self, hero: str, cards: Mapping[str, int], edition: str) -> DeckVerdict:
        raise NotImplementedError


def verdict(text: str, legal: bool, *reasons: Reason) -> Verdict:
    return Verdict(Action.parse(text), legal, reasons)


def ruling(**parts: Any) -> verify.Ruling:
    return verify.Ruling("r", "r.yaml:1", parts.pop("state", state()), **parts)


def resolving(*outcomes: Any) -> verify.Ruling:
    return ruling(resolve=(verify.Resolution(Action.parse("end_turn"), outcomes),))


# --- loading -------------------------------------------------------------------------------------


def test_files_and_folders_load_in_order(tmp_path: Path) -> None:
    write(tmp_path, "b/two.yaml", RULING.replace("one", "b-two"))
    both = RULING.replace("one", "a-one") + "---\n" + RULING.replace("one", "a-two")
    write(tmp_path, "a.yaml", both)
    write(tmp_path, "notes.txt", "not: [a ruling")
    found = verify.load_rulings([tmp_path])
    assert [item.id for item in found] == ["a-one", "a-two", "b-two"]
    assert found[0].cites == ("509.3",)
    assert found[0].legal == (Action.parse("attack(ork,hero2)"),)


def test_edition_picks(tmp_path: Path) -> None:
    later = RULING.replace("one", "two").replace("  active", "  edition: heroes_2\n  active")
    path = write(tmp_path, "a.yaml", RULING + "---\n" + later)
    assert [item.id for item in verify.load_rulings([path], "heroes_2")] == ["two"]
    assert [item.edition for item in verify.load_rulings([path])] == ["heroes", "heroes_2"]


def test_a_file_given_twice_is_read_once(tmp_path: Path) -> None:
    path = write(tmp_path, "a.yaml", RULING)
    assert len(verify.load_rulings([path, tmp_path, tmp_path / "." / "a.yaml"])) == 1


def test_duplicate_ids_are_named_with_both_places(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", RULING)
    write(tmp_path, "b.yaml", RULING)
    (fault,) = faults(tmp_path)
    assert "b.yaml" in fault and "a.yaml" in fault and "'one'" in fault


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("cites:", "cite:"), "cite: unknown key; did you mean cites?"),
        (("ruling: one", "ruling: ''"), "ruling: '' is not the id of a ruling"),
        (("'509.3'", "509.3"), "cites[0]: 509.3 is not text; quote it"),
        (("'509.3'", "'509.33'"), "cites[0]: '509.33' is no rule; did you mean 509.3?"),
        (
            ("legal: ['attack(ork,hero2)']", "illegal: {'attack(ork,hero2)': [base.heros]}"),
            "illegal.attack(ork,hero2)[0]: 'base.heros' is no rule; did you mean base.hero?",
        ),
        (("'attack(ork,hero2)'", "'atack(ork,hero2)'"), "did you mean attack?"),
        (("'attack(ork,hero2)'", "'attack(orc,hero2)'"), "no card has the id 'orc'; did you mean"),
        (("legal: [", "legal: 3 #"), "legal: 3 is not a list"),
        (("legal: [", "illegal: ["), "illegal: [\\'attack(ork,hero2)\\'] is not a mapping"),
        (("legal: ['attack(ork,hero2)']", ""), "asks nothing"),
        (("type: hero,", "type: heroo,"), "state.cards.hero2.type: 'heroo' is not one of"),
        (("life: 25", "life: 25, life: 26"), "state.cards.hero2.life: duplicate key"),
        (("legal: [", "resolve: [{action: end_turn}] #"), "the key 'outcomes' is missing"),
        (
            ("legal: [", "resolve: [{action: end_turn, outcomes: [{turns: 3}]}] #"),
            "resolve[0].outcomes[0].turns: unknown key; did you mean turn?",
        ),
        (
            ("legal: [", "resolve: [{action: end_turn, outcomes: [{cards: {ork: {wound: 3}}}]}] #"),
            "resolve[0].outcomes[0].cards.ork.wound: unknown key; did you mean wounds?",
        ),
        (
            ("legal: [", "resolve: [{action: end_turn, outcomes: [{effects: {card: ork}}]}] #"),
            "outcomes[0].effects: {card: …} is not a list",
        ),
    ],
)
def test_faults_of_a_ruling(tmp_path: Path, change: tuple[str, str], expected: str) -> None:
    assert change[0] in RULING
    path = write(tmp_path, "a.yaml", RULING.replace(*change))
    found = faults(path)
    assert any(expected.replace("\\", "") in fault for fault in found), found
    assert all(str(path) in fault for fault in found)


def test_every_fault_of_every_file_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", RULING.replace("ruling: one\n", "") + "cite: []\n")
    write(tmp_path, "b.yaml", "ruling: [")
    found = faults(tmp_path, tmp_path / "none.yaml")
    assert len([fault for fault in found if "a.yaml" in fault]) == 2
    assert any("b.yaml" in fault for fault in found)
    assert any("none.yaml" in fault for fault in found)


def test_a_state_is_no_ruling(tmp_path: Path) -> None:
    text = "active: p1\nplayers: {p1: {}, p2: {}}\ncards: {}\n"
    (fault,) = faults(write(tmp_path, "a.yaml", text))
    assert "is a state, not a ruling" in fault


def test_the_faults_of_a_ruling_do_not_come_in_stages(tmp_path: Path) -> None:
    """Those of its state, of its actions, of its editions and of its id at once."""
    file = tmp_path / "r.yaml"
    file.write_text("""
ruling: one
editions: [heros]
state: {active: p1, players: {p1: {}, p2: {}}, cards: {ork: {type: creture, life: 3, owner: p1}}}
legal: ["attack(orc,elf)"]
sight: {p3: {unseen: []}}
---
ruling: one
state: {active: p1, players: {p1: {}, p2: {}}, cards: {}}
legal: ["defend(elf)"]
""")
    with pytest.raises(StateError) as raised:
        verify.load_rulings([file])
    faults = [fault.removeprefix(f"{file}: one: ") for fault in raised.value.faults]
    assert [fault.partition(":")[0] for fault in faults[:-1]] == [
        "state.cards.ork.type", "legal[0]", "legal[0]", "sight.p3", "editions", "legal[0]",
    ]  # fmt: skip
    assert faults[-1] == f"{file}:7: ruling: 'one' is taken by {file}:2"


def test_a_folder_without_rulings_is_a_fault(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path)
    assert "holds no *.yaml file" in fault


BEGINNING = """
ruling: one
state: {phase: recovery, players: {p1: {}, p2: {}}, active: p1, cards: {top: {type: creature, life: 1, owner: p2, zone: deck}}}
"""


def test_an_opening_and_what_is_seen(tmp_path: Path) -> None:
    asked = BEGINNING + "opening: {first: p2, comes: {active: p1, cards: {top: {zone: hand}}}}\n"
    path = write(tmp_path, "a.yaml", asked + "sight: {p1: {unseen: []}, p2: {unseen: [top]}}\n")
    (ruling,) = verify.load_rulings([path])
    assert verify.run(Engine(), ruling) == [
        'opening: active: expected "p1", came "p2"',
        'sight.p1.unseen: expected [], came ["top"]',
    ]
    assert ruling.opening is not None
    assert verify.begun(Engine(), ruling.state, ruling.opening).state.phase == "main"
    for wrong, said in (
        ("opening: {first: p3, comes: {}}", "opening: 'begins(p3)' is none of: begins(p1), begins(p2)"),
        ("opening: {first: p1, under: {p2: [top]}, comes: {cards: {top: {zone: deck}}}}",
         'opening: cards.top.zone: expected "deck", came "hand"'),
    ):  # fmt: skip
        (ruling,) = verify.load_rulings([write(tmp_path, "a.yaml", BEGINNING + wrong + "\n")])
        assert verify.run(Engine(), ruling) == [said]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("opening: [p1]", "opening: ['p1'] is not a mapping"),
        ("opening: {first: p1}", "opening: the key 'comes' is missing"),
        ("opening: {first: p1, comes: {}, under: {p1: [tip]}}", "opening.under.p1: 'tip' is no card of this state"),
        ("opening: {first: p1, comes: {}, under: {p1: top}}", "opening.under.p1: 'top' is not a list"),
        ("opening: {first: p1, comes: {phases: main}}", "opening.comes.phases: unknown key; did you mean phase?"),
        ("sight: p1", "sight: 'p1' is not a mapping"),
        ("sight: {p3: {unseen: []}}", "sight.p3: unknown key"),
        ("sight: {p1: [top]}", "sight.p1: ['top'] is not a mapping"),
        ("sight: {p1: {in_place: []}}", "sight.p1: the key 'unseen' is missing"),
        ("sight: {p1: {unseen: [tip]}}", "sight.p1.unseen: 'tip' is no card of this state; did you mean top?"),
    ],
)  # fmt: skip
def test_faults_of_openings_and_of_what_is_seen(tmp_path: Path, wrong: str, said: str) -> None:
    path = write(tmp_path, "a.yaml", f"{BEGINNING}{wrong}\n")
    with pytest.raises(StateError) as caught:
        verify.load_rulings([path])
    assert any(said in fault for fault in caught.value.faults), caught.value.faults


DECK = "ruling: one\ndeck: {hero: snirk, cards: {%s}, unfit: [%s]}\n"


def test_a_deck_needs_no_state(tmp_path: Path) -> None:
    path = write(tmp_path, "a.yaml", DECK % ("burk: 1, oops: 0", "'few( 1,40)'"))
    (fault,) = faults(path)
    assert fault.endswith("a.yaml: one: deck.cards.oops: 'oops' is no kind of card")
    path = write(tmp_path, "a.yaml", DECK % ("burk: 2, groll: -1", ""))
    assert "deck.cards.groll: -1 is not a whole number from 0 to" in faults(path)[0]
    path = write(tmp_path, "a.yaml", DECK % ("burk: 1", "'few( 1,40)'"))
    (ruling,) = verify.load_rulings([path])
    assert verify.run(Engine(), ruling) == [
        'deck.unfit: expected ["few(1,40)"], came ["few(1,40)", "foreign(burk,mountain)"]'
    ]


class TestStateInAFile:
    BODY = "ruling: one\nlegal: [end_turn]\nstate: {file: %s}\n"
    TEXT = "active: p1\nplayers: {p1: {}, p2: {}}\ncards: {}\nturn: 7\n"

    def test_is_read_from_beside_the_ruling(self, tmp_path: Path) -> None:
        write(tmp_path, "rulings/states/seven.yaml", self.TEXT)
        write(tmp_path, "rulings/a.yaml", self.BODY % "states/seven.yaml")
        (found,) = verify.load_rulings([tmp_path])
        assert found.state.turn == 7

    def test_may_not_leave_the_folder(self, tmp_path: Path) -> None:
        outside = write(tmp_path, "seven.yaml", self.TEXT)
        for file in ("../seven.yaml", str(outside)):
            (fault,) = faults(write(tmp_path, "rulings/a.yaml", self.BODY % file))
            assert "is outside the folder of the ruling file" in fault

    def test_may_not_leave_it_by_a_link(self, tmp_path: Path) -> None:
        write(tmp_path, "seven.yaml", self.TEXT)
        path = write(tmp_path, "rulings/a.yaml", self.BODY % "link.yaml")
        (tmp_path / "rulings/link.yaml").symlink_to(tmp_path / "seven.yaml")
        (fault,) = faults(path)
        assert "is outside" in fault

    def test_faults_name_the_ruling(self, tmp_path: Path) -> None:
        write(tmp_path, "bad.yaml", self.TEXT.replace("turn: 7", "turn: -7"))
        (fault,) = faults(write(tmp_path, "a.yaml", self.BODY % "bad.yaml"))
        assert "a.yaml: one: state.turn: " in fault

    def test_one_that_is_missing(self, tmp_path: Path) -> None:
        (fault,) = faults(write(tmp_path, "a.yaml", self.BODY % "gone.yaml"))
        assert "gone.yaml" in fault


def test_citations_need_no_valid_state(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", RULING.replace("type: hero", "type: heroo"))
    assert verify.citations([tmp_path]) == [("one", ("509.3",), ("heroes",))]


# --- matching ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 3}, {"a": 1, "b": 2}, False),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, True),
        ([1, 2], [1, 2], True),
        ([1], [1, 2], False),
        ([2, 1], [1, 2], False),
        ([{"a": 1}], [{"a": 2}, {"a": 1, "b": 2}], True),
        ([{"a": 1}, {"a": 1}], [{"a": 1, "b": 1}], False),  # two need two
        ([{"a": 1}, {"b": 1}], [{"a": 1, "b": 1}, {"a": 1}], True),  # not greedily
        (1, True, False),
        (None, 0, False),
        ({"a": None}, {}, True),
    ],
)
def test_containment(expected: Any, actual: Any, same: bool) -> None:
    assert verify.matches(expected, actual) is same


def test_absent_keys_have_their_defaults() -> None:
    judge = Judge(outcomes={"end_turn": [Outcome(state())]})
    fine = {
        "turn": 1,
        "phase": "main",
        "pending": None,
        "result": None,
        "players": {"p1": {"coins": 0}},
        "cards": {
            "hero2": {
                "wounds": 0,
                "closed": False,
                "zone": "play",
                "cell": None,
                "controller": "p2",
                "class": [],
                "name": "hero2",
            },
            "ork": {"spent": {"armor(2)": 0}},
        },
    }
    assert verify.run(judge, resolving(fine)) == []
    assert verify.run(judge, resolving({"cards": {"ork": {"spent": {"armor(2)": 1}}}})) != []


def test_a_card_that_must_not_be_there() -> None:
    judge = Judge(outcomes={"end_turn": [Outcome(state())]})
    assert verify.run(judge, resolving({"cards": {"ghost": None}})) == []
    assert verify.run(judge, resolving({"cards": {"ork": None}})) != []
    assert verify.run(judge, resolving({"cards": {"ghost": {"wounds": 0}}})) != []


def test_terms_of_partial_states_may_be_written_with_spaces(tmp_path: Path) -> None:
    text = RULING.replace(
        "legal: ['attack(ork,hero2)']",
        "resolve: [{action: end_turn, outcomes: [{cards: {ork: {abilities: ['armor( 2 )'],"
        " spent: {'armor( 2 )': 1}, element: [neutral]}},"
        " effects: [{card: ork, ability: 'prevent(1, each, self, any)'}]}]}]",
    )
    (found,) = verify.load_rulings([write(tmp_path, "a.yaml", text)])
    after = replace(
        state(),
        cards=(replace(state().card("ork"), spent=(("armor(2)", 1),)), state().card("hero2")),
        effects=(Effect("ork", "prevent(1,each,self,any)", "p1", 1),),
    )
    assert verify.run(Judge(outcomes={"end_turn": [Outcome(after)]}), found) == []


def test_outcomes_match_one_to_one_in_any_order() -> None:
    one, two = Outcome(state(wounds=1)), Outcome(state(wounds=2, closed=True))
    judge = Judge(outcomes={"end_turn": [one, two]})
    any_: dict[str, Any] = {"cards": {}}
    first = {"cards": {"hero2": {"wounds": 1}}}
    assert verify.run(judge, resolving(any_, first)) == []
    assert verify.run(judge, resolving(first, any_)) == []
    assert verify.run(judge, resolving(first, first)) != []
    assert verify.run(judge, resolving(any_)) != []
    assert verify.run(judge, resolving(any_, any_, any_)) != []


def test_what_was_expected_and_what_came() -> None:
    judge = Judge(outcomes={"end_turn": [Outcome(state(wounds=3))]})
    (fault,) = verify.run(judge, resolving({"cards": {"hero2": {"wounds": 5}}}))[:1]
    assert fault.startswith("resolve end_turn: ")
    assert "cards.hero2.wounds: expected 5, came 3" in fault


def test_the_nearest_outcome_is_shown() -> None:
    near, far = Outcome(state(wounds=4, closed=True)), Outcome(state(wounds=9))
    judge = Judge(outcomes={"end_turn": [far, near]})
    wanted = {"cards": {"hero2": {"wounds": 5, "closed": True}}}
    found = verify.run(judge, resolving(wanted, {"cards": {"hero2": {"wounds": 9}}}))
    assert any("expected 5, came 4" in fault for fault in found)


def test_an_outcome_too_many_is_shown_by_what_changed() -> None:
    judge = Judge(outcomes={"end_turn": [Outcome(state()), Outcome(state(wounds=9))]})
    found = verify.run(judge, resolving({"cards": {"hero2": {"wounds": 0}}}))
    assert any("expected outcomes: 1, came: 2" in fault for fault in found)
    assert any("outcome 2 was not expected: hero2: wounds 0 → 9" in fault for fault in found)


# --- verdicts ------------------------------------------------------------------------------------

FREE = verdict("end_turn", True, Reason("base.turn"))
BARRED = verdict(
    "attack(ork,hero2)",
    False,
    Reason("514.2", "ork", "cannot(attack)", (Defeat("base.attack", "ork", "524.2"),)),
    Reason("base.closed", "ork"),
)
JUDGE = Judge({"end_turn": FREE, "attack(ork,hero2)": BARRED}, {}, ("end_turn",))
ATTACK, END = Action.parse("attack(ork,hero2)"), Action.parse("end_turn")


def test_right_verdicts_pass() -> None:
    item = ruling(legal=(END,), illegal=((ATTACK, ("514.2",)), (ATTACK, ())))
    assert verify.run(JUDGE, item) == []


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"legal": (ATTACK,)}, "expected legal, came illegal by 514.2 (ork), base.closed (ork)"),
        ({"illegal": ((END, ("base.turn",)),)}, "expected illegal by base.turn, came legal"),
        ({"illegal": ((END, ()),)}, "expected illegal by any rule, came legal"),
        (
            {"illegal": ((ATTACK, ("514.2", "base.acted")),)},
            "expected illegal by 514.2, base.acted, came illegal by 514.2 (ork), base.closed (ork)",
        ),
        # a principle is no rule that forbids
        ({"illegal": ((ATTACK, ("524.2",)),)}, "expected illegal by 524.2"),
        ({"resolve": (verify.Resolution(ATTACK, ({},)),)}, "expected outcomes, came illegal by"),
    ],
)
def test_wrong_verdicts_fail(parts: dict[str, Any], expected: str) -> None:
    (fault,) = verify.run(JUDGE, ruling(**parts))
    assert expected in fault


def test_candidates_are_judged_in_one_question() -> None:
    judge = replace(JUDGE, asked=[])
    verify.run(judge, ruling(legal=(END,), illegal=((ATTACK, ()),)))
    assert judge.asked == ["attack(ork,hero2)"]


def test_faults_in_russian() -> None:
    (fault,) = verify.run(JUDGE, ruling(legal=(ATTACK,)), lang="ru")
    assert "ожидалось легально, вышло нелегально по 514.2" in fault


# --- many rulings --------------------------------------------------------------------------------


class Failing(Judge):
    def resolve(self, state: State, action: Action) -> list[Outcome]:
        if action == ATTACK:
            raise LimitError("more than 9 outcomes")
        raise RuntimeError("a bug")


def test_an_error_fails_the_ruling_and_not_the_run() -> None:
    broken = ruling(resolve=(verify.Resolution(END, ({},)),))
    large = ruling(resolve=(verify.Resolution(ATTACK, ({},)),))
    report = verify.run_all(Failing({"end_turn": FREE}), [broken, large, ruling()])
    assert report.passed == 1
    assert [found for _, found in report.failed] == [
        ("RuntimeError: a bug",),
        ("resolve attack(ork,hero2): too large: more than 9 outcomes",),
    ]


def test_progress_is_told() -> None:
    told: list[int] = []
    verify.run_all(Judge(), [ruling(), ruling()], progress=told.append)
    assert told == [0, 1, 2]


def test_a_ruling_of_several_editions_is_asked_in_each(tmp_path: Path) -> None:
    several = RULING.replace("ruling: one", "ruling: one\neditions: [heroes, heroes_2]", 1)
    assert several != RULING
    path = write(tmp_path, "a.yaml", several)
    first, second = verify.load_rulings([path])
    assert (first.id, second.id) == ("one", "one@heroes_2")
    assert (first.edition, second.edition) == ("heroes", "heroes_2")
    assert first.place == second.place
    assert [each.id for each in verify.load_rulings([path], "heroes_2")] == ["one@heroes_2"]
    assert verify.citations([path])[0].editions == ("heroes", "heroes_2")


@pytest.mark.parametrize(
    ("editions", "fault"),
    [
        ("[heroes, heros_2]", "'heros_2' is not an edition; did you mean heroes_2?"),
        ("heroes", "'heroes' is not a list of editions"),
        ("[]", "[] is not a list of editions"),
    ],
)
def test_editions_must_be_known(tmp_path: Path, editions: str, fault: str) -> None:
    path = write(
        tmp_path, "a.yaml", RULING.replace("ruling: one", f"ruling: one\neditions: {editions}")
    )
    with pytest.raises(StateError, match=re.escape(f"editions: {fault}")):
        verify.load_rulings([path])


def test_coverage() -> None:
    step = Step("apply", "508.4.3", None, "hero2", 3)
    choice = Choice("p2", "516.3", ("a", "b"), "a")
    outcome = Outcome(state(), (choice,), (step,))
    judge = Judge({"attack(ork,hero2)": BARRED}, {"end_turn": [outcome]}, ("attack(ork,hero2)",))
    passes = ruling(
        cites=("515V.1", "999.9"),
        illegal=((ATTACK, ()),),
        resolve=(verify.Resolution(END, ({},)),),
    )
    fails = ruling(cites=("509.3",), legal=(ATTACK,))
    report = verify.run_all(judge, [passes, fails])
    rules = ["508.4.3", "509.3", "514.2", "515V.1", "516.3", "524.2", "base.attack", "base.closed"]
    rules += ["keyword.cannot", "keyword.must"]
    shown = Edge("514.2", "base.attack", "524.2")
    other = Edge("514.1", "base.attack", "524.2")
    (found,) = report.coverage({"heroes": rules}, lambda edition: [shown, other])
    assert found.exercised == (
        "508.4.3", "514.2", "516.3", "524.2", "base.attack", "base.closed", "keyword.cannot",
    )  # fmt: skip
    assert found.cited == ("515V.1",)
    assert found.unexercised == ("509.3", "keyword.must")
    assert found.unknown == ("999.9",)
    assert (found.edges, found.unexercised_edges) == ((shown,), (other,))
    told = verify.document(report, [found])["coverage"]["heroes"]
    assert told["cited"] == ["515V.1"]
    assert told["unexercised_edges"] == [
        {"rule": "514.1", "over": "base.attack", "principle": "524.2"}
    ]


def test_document() -> None:
    report = verify.run_all(JUDGE, [ruling(legal=(ATTACK,)), ruling(legal=(END,))])
    assert verify.document(report) == {
        "passed": 1,
        "failed": [
            {
                "ruling": "r",
                "faults": [
                    "attack(ork,hero2): expected legal, "
                    "came illegal by 514.2 (ork), base.closed (ork)"
                ],
            }
        ],
    }


def test_every_key_of_a_card_can_be_expected() -> None:
    card = Card("a", "creature", "p1", "p1")
    assert set(explain.whole(replace(state(), cards=(card,)))["cards"]["a"]) == set(CARD_KEYS)
