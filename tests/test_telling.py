"""What answers tell besides what they decide: steps, options, reasons, values."""

from __future__ import annotations

from typing import Any

import pytest

from pyengine import Engine, Outcome, State, explain
from pyengine.model import Action as Declaration
from pyengine.model import Reason, Step, Verdict

ENGINE = Engine()
HEROES: dict[str, Any] = {
    "hero1": {"type": "hero", "life": 25, "owner": "p1"},
    "hero2": {"type": "hero", "life": 25, "owner": "p2"},
}


def creature(owner: str, *abilities: str, **marks: Any) -> dict[str, Any]:
    return {
        "type": "creature", "strike": 1, "life": 9, "owner": owner, "abilities": list(abilities),
    } | marks  # fmt: skip


def spell(effect: str) -> dict[str, Any]:
    return {"type": "spell", "owner": "p1", "zone": "hand", "abilities": [f"spell({effect})"]}


def table(cards: dict[str, Any], **rest: Any) -> State:
    players = rest.pop("players", {"p1": {}, "p2": {}})
    return State.from_dict({"active": "p1", "players": players, "cards": HEROES | cards, **rest})


def only(state: State, action: str) -> Outcome:
    (outcome,) = ENGINE.resolve(state, action)
    return outcome


def steps(outcome: Outcome, *kinds: str) -> list[tuple[str, str | None, str, int | None]]:
    return [(s.step, s.by, s.what, s.value) for s in outcome.trace if s.step in kinds]


def said(state: State, action: str) -> list[str]:
    verdict = ENGINE.why(state, action).verdict
    return [explain.sentence(state, verdict, reason, "en") for reason in verdict.because]


def facts(state: State, action: str) -> list[str]:
    tree = ENGINE.why(state, action).tree
    return [explain.fact(state, child.fact, "en") for node in tree for child in node.children]


# ---------------------------------------------------------------- steps


def test_equal_preventions_of_one_card_are_two_steps() -> None:
    twice = ["prevent(1,each,yours,any)"] * 2
    state = table(
        {
            "ork": creature("p1", strike=5),
            "gab": creature("p2", *twice),
            "elf": creature("p2", closed=True),
        }
    )
    outcome = only(table_pending(state), "pass")
    assert steps(outcome, "prevent") == [("prevent", "gab", "elf", 1)] * 2
    told = [explain.step(state, s, "en") for s in outcome.trace if s.step == "prevent"]
    assert told == ["gab prevents 1 wound to elf"] * 2


def table_pending(state: State) -> State:
    return State.from_dict(
        state.to_dict() | {"pending": {"attacker": "ork", "target": "elf", "defender": None}}
    )


def test_equal_triggers_and_equal_effects_are_two_steps() -> None:
    state = table(
        {"ork": creature("p1", *["on(attack,coins(1))"] * 2)},
        effects=[{"card": "ork", "ability": "mod(strike,1)", "until": "end_of_turn"}] * 2,
    )
    triggers = steps(ENGINE.resolve(state, "attack(ork,hero2)")[0], "trigger")
    assert triggers == [("trigger", "ork", "hero2", None)] * 2
    assert steps(only(state, "end_turn"), "expire") == [("expire", "ork", "ork", None)] * 2


def test_each_change_of_a_number_of_wounds_is_a_step() -> None:
    state = table(
        {
            "ork": creature("p1", strike=3),
            "flag": {"type": "location", "owner": "p1", "abilities": ["wound_mod(1,any,any)"] * 2},
            "wall": {"type": "location", "owner": "p2", "abilities": ["wound_mod(-1,any,any)"]},
        }
    )
    outcome = only(state, "attack(ork,hero2)")
    assert steps(outcome, "modify") == [
        ("modify", "wall", "hero2", -1),
        ("modify", "flag", "hero2", 1),
        ("modify", "flag", "hero2", 1),
    ] or steps(outcome, "modify") == [
        ("modify", "flag", "hero2", 1),
        ("modify", "flag", "hero2", 1),
        ("modify", "wall", "hero2", -1),
    ]
    assert steps(outcome, "apply") == [("apply", "ork", "hero2", 4)]
    assert explain.step(state, Step("modify", "508.4.1", "flag", "hero2", 1), "en") == (
        "flag changes the number for hero2 by +1"
    )


def test_a_number_of_wounds_below_nothing_is_told() -> None:
    state = table(
        {
            "ork": creature("p1", strike=1),
            "wall": {"type": "location", "owner": "p2", "abilities": ["wound_mod(-2,any,any)"]},
        }
    )
    assert ("zero", "512.1") in {(s.step, s.rule) for s in only(state, "attack(ork,hero2)").trace}


@pytest.mark.parametrize(
    ("effect", "step", "rule"),
    [
        ("draw(1)", "empty", "518.3"),
        ("mill(1)", "empty", "518.3"),
        ("discard(1)", "empty", "518.4"),
        ("both(destroy(target(creature)),heal(1,target(1)))", "gone", "518.1"),
    ],
)
def test_what_cannot_be_done_is_a_step(effect: str, step: str, rule: str) -> None:
    state = table({"tome": spell(effect), "elf": creature("p2")})
    action = "play(tome,elf)" if "target" in effect else "play(tome)"
    assert (step, rule) in {(s.step, s.rule) for s in only(state, action).trace}


@pytest.mark.parametrize(
    ("effect", "done"),
    [("draw(1)", "draw"), ("mill(1)", "mill"), ("reveal_top(any,heal(1,your_hero))", "show")],
)
def test_what_chance_brings_is_not_what_is_done_with_it(effect: str, done: str) -> None:
    """The same throw says which card lies on top; whether it is drawn, a step tells."""
    deck = {"owner": "p1", "type": "spell", "zone": "deck"}
    players: dict[str, Any] = {"p1": {"deck_order": "unknown"}, "p2": {}}
    state = table({"tome": spell(effect), "one": deck, "two": dict(deck)}, players=players)
    outcomes = ENGINE.resolve(state, "play(tome)")
    assert len(outcomes) == 2
    for outcome in outcomes:
        (choice,) = outcome.choices
        card = choice.chosen[5:-1]
        assert choice.player is None
        assert explain.term(state, choice.chosen, "en") == f"the top card of the deck is {card}"
        assert explain.term(state, choice.chosen, "ru") == f"верхняя карта колоды — {card}"
        assert done in {step.step for step in outcome.trace}


def test_a_limit_of_draws_is_a_step() -> None:
    deck = {"owner": "p1", "type": "spell", "zone": "deck"}
    lock = {"type": "location", "owner": "p2", "abilities": ["limit(draw,1)"]}
    state = table({"tome": spell("draw(2)"), "lock": lock, "one": deck, "two": dict(deck)})
    outcome = only(state, "play(tome)")
    assert steps(outcome, "draw", "limit") == [
        ("draw", "tome", "p1", 1),
        ("limit", "lock", "p1", None),
    ]


def test_the_order_of_preventions_names_the_card_that_the_wounds_lie_on() -> None:
    pools = ["prevent(2,next,self,any)", "prevent(2,next,self,strike)"]
    state = table(
        {
            "ork": creature("p1", strike=3),
            "elf": creature("p2", closed=True),
            "guard": creature("p2", *pools, closed=True),
            "shield": {
                "type": "location", "owner": "p2",
                "abilities": ["redirect(name(elf),any,name(guard))"],
            },
        }
    )  # fmt: skip
    (choice,) = {
        choice
        for outcome in ENGINE.resolve(table_pending(state), "pass")
        for choice in outcome.choices
        if choice.rule == "515V.3"
        and choice.chosen.startswith("use(guard,prevent(2,next,self,any)")
    }
    assert choice.chosen == "use(guard,prevent(2,next,self,any),guard,elf)"
    assert explain.term(state, choice.chosen, "en") == (
        "guard prevents wounds of guard, passed on from elf: prevent(2,next,self,any)"
    )


def test_a_declaration_that_the_dead_leave_without_its_card_says_so() -> None:
    state = table({"ork": creature("p1"), "frog": creature("p2", wounds=9)})
    outcome = only(state, "attack(ork,frog)")
    assert steps(outcome, "die", "announce", "lapse") == [
        ("die", "frog", "frog", 9),
        ("lapse", "ork", "ork", None),
    ]
    goes_on = steps(ENGINE.resolve(state, "attack(ork,hero2)")[0], "die", "announce", "lapse")
    assert [step for step, *_ in goes_on] == ["die", "announce"]


def test_outcomes_that_differ_in_the_order_of_the_document_are_one() -> None:
    names = {"a": "ork", "b": "elf", "c": "ork"}
    deck = {id: creature("p1", zone="deck", name=name) for id, name in names.items()}
    state = table(
        {**deck, "tome": spell("both(search(1,creature,deck_top),draw(1))")},
        players={"p1": {"deck_order": "unknown"}, "p2": {}},
    )
    outcomes = ENGINE.resolve(state, "play(tome)")
    hands = [[c.name for c in o.state.cards if c.zone == "hand"] for o in outcomes]
    assert sorted(hands) == [["elf"], ["ork"]]


# ---------------------------------------------------------------- reasons


def test_a_phase_without_declarations_says_so() -> None:
    state = table({"ork": creature("p1")}, phase="end")
    nothing = "nothing is declared in this phase: declarations belong to the main phase"
    assert {
        text for action in ("end_turn", "attack(ork,hero2)") for text in said(state, action)
    } == {nothing}
    assert nothing not in said(table({"ork": creature("p1")}), "attack(ork,hero2)")


USER: dict[str, Any] = {
    "mage": creature("p1", "use(coins(0),wound(1,target(creature)))"),
    "elf": creature("p2"),
    "dead": creature("p2", zone="graveyard"),
    "doom": spell("destroy(target(creature))"),
    "dawn": spell("revive(creature)"),
}


@pytest.mark.parametrize(
    ("action", "text", "fact"),
    [
        ("use(mage,2)", "mage has no such ability", "abilities of mage that can be used: 1"),
        ("use(mage,2,elf)", "mage has no such ability", "abilities of mage that can be used: 1"),
        ("use(elf,1)", "elf has no such ability", "abilities of elf that can be used: 0"),
        ("use(mage,1)", "a target is needed and there is none", "targets that mage takes: 1"),
        (
            "use(mage,1,elf,mage)",
            "the ability of mage takes another number of targets",
            "targets named: 2",
        ),
        ("use(mage,1,elf,elf)", "one card cannot be chosen twice", "elf is named twice"),
        (
            "use(mage,1,hero2)",
            "hero2 does not fit what mage may choose: creature",
            "mage asks for creature",
        ),
        (
            "play(doom,dead)",
            "dead is in a zone where this cannot be done to it",
            "zone of dead: graveyard",
        ),
        (
            "play(dawn,elf)",
            "elf is in a zone where this cannot be done to it",
            "zone of elf: in play",
        ),
    ],
)
def test_a_reason_says_which_and_rests_on_a_fact(action: str, text: str, fact: str) -> None:
    state = table(USER)
    assert text in said(state, action)
    assert fact in facts(state, action)


def test_a_verdict_says_how_much_is_missing_and_what_is_asked_for() -> None:
    """Also where no explanation was asked for, and where positions are judged together."""
    bolt = spell("wound(2,target(not(card(elf))))") | {"cost": 3}
    cards = {"bolt": bolt, "elf": creature("p2"), "tree": spell("draw(1)") | {"cost": 2}}
    state = table(cards, players={"p1": {"coins": 2, "coins_total": 2}, "p2": {}})
    for verdicts in (ENGINE.judge(state), *ENGINE.judge_many([state, state], batch=2)):
        assert not isinstance(verdicts, Exception)
        told = {
            lang: [explain.sentence(state, verdict, reason, lang) for reason in verdict.because]
            for verdict in verdicts
            if str(verdict.action) == "play(bolt,elf)"
            for lang in ("en", "ru")
        }
        assert told == {
            "en": [
                "the price of bolt is 3, and there are fewer open coins: 2",
                "elf does not fit what bolt may choose: not(card(elf))",
            ],
            "ru": [
                "цена карты bolt — 3, а открытых монет меньше: 2",
                "карта elf не подходит в качестве цели для карты bolt, нужно: not(card(elf))",
            ],
        }
        fine = [verdict for verdict in verdicts if str(verdict.action) == "play(tree)"]
        assert fine[0].legal


def test_an_ability_that_an_aura_gives_is_there() -> None:
    """What a card has is for the rules to say, whatever the cards print."""
    gift = {"type": "location", "owner": "p1", "abilities": ["grant(yours,use(coins(0),draw(1)))"]}
    state = table(USER | {"gift": gift})
    assert said(state, "use(elf,1)") == [
        "elf has no such ability",
        "the decision is the other player's",
    ]
    assert said(state, "use(mage,2,elf)") == ["the ability of mage takes another number of targets"]
    assert said(state, "use(mage,3)") == ["mage has no such ability"]


def test_an_attack_once_more_does_not_say_that_it_is_the_first() -> None:
    again = table({"ork": creature("p1", "may(attack)", acted=True)})
    assert "ork is open and may attack hero2" in said(again, "attack(ork,hero2)")
    first = table({"ork": creature("p1", "may(attack)")})
    assert "ork is open, has not attacked yet and may attack hero2" in said(
        first, "attack(ork,hero2)"
    )


def test_what_is_no_creature_is_told_that_it_does_not_attack() -> None:
    state = table({"flag": {"type": "location", "owner": "p1"}})
    assert said(state, "attack(flag,hero2)") == ["flag is no creature and does not attack"]


def test_a_rule_without_entry_is_shown_by_its_number() -> None:
    state = table({"ork": creature("p1")})
    reason = Reason("mine.1", "ork")
    verdict = Verdict(Declaration.parse("attack(ork,hero2)"), False, (reason,))
    assert explain.sentence(state, verdict, reason, "en") == (
        "the rulebook has no entry for this rule"
    )
    assert explain.step(state, Step("odd", "mine.1", "ork", "ork"), "ru") == (
        "в своде правил этого правила нет"
    )
    assert explain.title("mine.1", "en") == "mine.1"


# ---------------------------------------------------------------- values


def test_values_in_force_have_modifiers_in_them() -> None:
    flag = {"type": "location", "owner": "p1", "abilities": ["grant(yours,mod(strike,2))"]}
    ork = creature("p1", "mod(life,-1)", "mod(cost,-9)", element=["fire"], cost=2)
    state = table(
        {"ork": ork, "flag": flag}, effects=[{"card": "ork", "ability": "is(element,water)"}]
    )
    values = ENGINE.values(state, "ork")
    assert (values.strike, values.life, values.cost) == (3, 8, 0)
    assert (values.element, values.classes) == (("water",), ())
    plain = ENGINE.values(state, "hero2")
    assert (plain.life, plain.cost, plain.element) == (25, 0, ())
    assert ENGINE.all_values(state) == {
        card.id: ENGINE.values(state, card.id) for card in state.cards
    }


def test_values_in_force_of_classic() -> None:
    card = {"type": "creature", "strike": [1, 2, 3], "life": 9, "owner": "p1", "cell": [1, 1]}
    cards = {
        "ork": card | {"abilities": ["mod(strike,-2)"]},
        "elf": card | {"abilities": ["is(strike,4)"], "cell": [2, 1]},
    }
    state = State.from_dict(
        {"edition": "classic", "active": "p1", "players": {"p1": {}, "p2": {}}, "cards": cards}
    )
    assert ENGINE.values(state, "ork").strike == (0, 0, 1)
    assert ENGINE.values(state, "elf").strike == (4, 4, 4)
    assert ENGINE.all_values(state) == {
        card.id: ENGINE.values(state, card.id) for card in state.cards
    }
