"""What must hold in every position, tried on random ones."""

from __future__ import annotations

import copy
import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from pyengine import Engine, IllegalAction, LimitError, Limits, State
from pyengine.explain import judged, resolved
from pyengine.model import Outcome, Verdict
from pyengine.reading import state_from_text
from pyengine.terms import check
from tests.conftest import ROOT
from tests.model.abilities import Dice, Terms
from tests.model.positions import Document, documents

EXAMPLES = int(os.environ.get("PYENGINE_PROPERTY_EXAMPLES", "20"))
ENGINE = Engine()
BRIEF = Engine(limits=Limits(steps=100))  # some abilities go on and on
tried = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def verdicts(state: State) -> dict[str, bool]:
    """Whether each candidate is legal, by its text."""
    return {str(verdict.action): verdict.legal for verdict in ENGINE.judge(state)}


def told(verdict: Verdict, names: dict[str, str]) -> tuple[Any, ...]:
    """A verdict under other names, without the order of its reasons."""
    return (
        renamed(str(verdict.action), names),
        verdict.legal,
        frozenset(
            (reason.rule, names.get(reason.by or "", reason.by)) for reason in verdict.because
        ),
    )


def renamed(text: str, names: dict[str, str]) -> str:
    """A term with other ids in it."""
    return re.sub(r"[a-z][a-z0-9_]*", lambda word: names.get(word.group(), word.group()), text)


def worded(text: str, names: dict[str, str]) -> str:
    """An ability with other ids in it: any other word of it is none, though it be the same."""
    return re.sub(
        r"\b(card|holds)\(([a-z]\w*)(?=[,)])",
        lambda found: f"{found[1]}({names.get(found[2], found[2])}",
        text,
    )


def rename(document: Document, names: dict[str, str]) -> Document:
    """The position under other names of cards and players."""
    if isinstance(document, dict):
        found: Document = {}
        for key, value in document.items():
            if key in ("type", "class", "element", "name"):
                found[key] = value
            elif key == "ability":
                found[key] = worded(value, names)
            elif key == "abilities":
                found[key] = [worded(text, names) for text in value]
            elif key == "spent" and isinstance(value, dict):
                found[key] = {worded(text, names): used for text, used in value.items()}
            else:
                found[names.get(key, key)] = rename(value, names)
        return found
    if isinstance(document, list):
        return [rename(value, names) for value in document]
    return names.get(document, document) if isinstance(document, str) else document


@tried
@given(documents(), st.integers(0, 2**16))
def test_what_is_legal_resolves_and_what_is_not_is_refused(document: Document, seed: int) -> None:
    state = State.from_dict(document)
    judged = ENGINE.judge(state)
    dice = random.Random(seed)
    for verdict in dice.sample(judged, min(4, len(judged))):
        if verdict.legal:
            assert ENGINE.resolve(state, verdict.action)
        else:
            with pytest.raises(IllegalAction) as refused:
                ENGINE.resolve(state, verdict.action)
            assert refused.value.reasons == verdict.because
            assert verdict.because


@tried
@given(documents(), st.data())
def test_a_prohibition_makes_nothing_legal_but_by_lapsing(
    document: Document, data: st.DataObject
) -> None:
    state = State.from_dict(document)
    before = verdicts(state)
    more = copy.deepcopy(document)
    card = data.draw(st.sampled_from(sorted(document["cards"])))
    verb = data.draw(st.sampled_from(["attack", "defend", "act", "play", "use", "shoot"]))
    words = data.draw(st.sampled_from([f"cannot({verb})", f"cannot_be({verb})"]))
    since = 1 + max((effect.since for effect in state.effects), default=0)
    more.setdefault("effects", []).append(
        {"card": card, "ability": words, "controller": state.players[0][0], "since": since}
    )
    for verdict in ENGINE.judge(State.from_dict(more)):
        action = str(verdict.action)
        if verdict.legal and not before.get(action, True):
            [old] = [v for v in ENGINE.judge(state) if str(v.action) == action]
            # what stood in the way was an obligation or a lure, and it has lapsed
            assert all(
                reason.rule == "base.obligation"
                or (reason.rule == "514.1" and (reason.ability or "").startswith("lure"))
                for reason in old.because
            ), (action, old.because)


@tried
@given(documents(), st.randoms(use_true_random=False))
def test_the_order_of_cards_and_of_dated_effects_does_not_matter(
    document: Document, dice: random.Random
) -> None:
    state = State.from_dict(document)
    written = state.to_dict()
    effects = written.get("effects", [])
    assume(len({effect["since"] for effect in effects}) == len(effects))
    cards = list(written["cards"].items())
    decks = {id for id, card in cards if card.get("zone") == "deck"}
    shuffled = [pair for pair in cards if pair[0] not in decks]
    dice.shuffle(shuffled)
    dice.shuffle(effects)
    other = dict(written)
    other["cards"] = dict([*shuffled, *(pair for pair in cards if pair[0] in decks)])
    assert {told(v, {}) for v in ENGINE.judge(state)} == {
        told(v, {}) for v in ENGINE.judge(State.from_dict(other))
    }


@tried
@given(documents())
def test_the_players_are_alike(document: Document) -> None:
    state = State.from_dict(document)
    one, two = (id for id, _ in state.players)
    names = {one: two, two: one}
    written = state.to_dict()
    for effect in written.get("effects", []):
        effect.setdefault("controller", state.card(effect["card"]).controller)
    other = State.from_dict(rename(written, names))
    assert {told(v, {}) for v in ENGINE.judge(state)} == {told(v, {}) for v in ENGINE.judge(other)}


def ends(state: State, seed: int) -> list[Outcome]:
    """The outcomes of one legal declaration."""
    legal = ENGINE.legal_actions(state)
    return ENGINE.resolve(state, random.Random(seed).choice(legal)) if legal else []


def come(state: State, action: str, names: dict[str, str]) -> Counter[str]:
    """The states that come of a declaration under other names, each with its ways, in no order."""
    found: Counter[str] = Counter()
    for outcome in ENGINE.resolve(state, action):
        document = outcome.state.to_dict()
        for id, card in document["cards"].items():
            card.setdefault("name", id)  # left out where it is the id
        document = rename(document, names)
        for card in document["cards"].values():
            for key in ("abilities", "class", "element"):
                card.setdefault(key, []).sort()
        for effect in document.setdefault("effects", []):
            if effect.get("controller") == document["cards"][effect["card"]].get("controller"):
                effect.pop("controller", None)
        document["effects"].sort(key=lambda effect: json.dumps(effect, sort_keys=True))
        found[json.dumps(document, sort_keys=True)] += outcome.ways
    return found


@tried
@given(documents(), st.randoms(use_true_random=False))
def test_other_names_change_nothing_but_names(document: Document, dice: random.Random) -> None:
    ids = sorted(document["cards"])
    # few of those drawn have an id in an ability
    hero = document["cards"][dice.choice(["a0", "b0"])]
    ability = f"prevent(2,turn,self,from(card({dice.choice(ids)})))"
    barred = f"grant(card({dice.choice([id for id in ids if id[0] == 'a'])}),cannot(attack))"
    hero["abilities"] = [*hero.get("abilities", []), ability, barred]
    hero["spent"] = {**hero.get("spent", {}), ability: 1}
    state = State.from_dict(document)
    numbers = dice.sample(range(len(state.cards)), len(state.cards))
    names = {card.id: f"x{number}" for card, number in zip(state.cards, numbers, strict=True)}
    # card names default to ids: written out, they stay
    written = state.to_dict()
    for card in state.cards:
        written["cards"][card.id]["name"] = card.name
    other = State.from_dict(rename(written, names))
    assert {told(v, names) for v in ENGINE.judge(state)} == {
        told(v, {}) for v in ENGINE.judge(other)
    }
    if legal := ENGINE.legal_actions(state):
        action = str(dice.choice(legal))
        assert come(State.from_dict(written), action, names) == come(
            other, renamed(action, names), {}
        ), action


@settings(tried, max_examples=3 * EXAMPLES)  # few of them have an attack, a play, a use
@given(documents(), st.randoms(use_true_random=False), st.sampled_from(["order", "sides"]))
def test_what_comes_of_it_is_as_much_the_same(
    document: Document, dice: random.Random, what: str
) -> None:
    """In another order, of the other player: the same outcomes."""
    state = State.from_dict(document)
    written = state.to_dict()
    for card in state.cards:
        written["cards"][card.id]["name"] = card.name
    for effect in written.get("effects", []):
        effect.setdefault("controller", state.card(effect["card"]).controller)
    names: dict[str, str] = {}
    if what == "sides":
        one, two = (id for id, _ in state.players)
        names = {one: two, two: one}
    other = rename(written, names)
    if what == "order":
        cards = [*other["cards"].items()]
        decks = [pair for pair in cards if pair[1].get("zone") == "deck"]
        rest = [pair for pair in cards if pair[1].get("zone") != "deck"]
        dice.shuffle(rest)
        dice.shuffle(other.setdefault("effects", []))
        other["cards"] = dict([*rest, *decks])
    for action in dice.sample(legal := ENGINE.legal_actions(state), min(3, len(legal))):
        assert come(State.from_dict(written), str(action), names) == come(
            State.from_dict(other), renamed(str(action), names), {}
        ), action


@tried
@given(documents(), st.integers(0, 2**16))
def test_cards_are_kept_and_what_comes_is_a_state(document: Document, seed: int) -> None:
    state = State.from_dict(document)
    for outcome in ends(state, seed):
        after = outcome.state
        assert Counter(c.id for c in after.cards) == Counter(c.id for c in state.cards)
        assert {c.id: c.owner for c in after.cards} == {c.id: c.owner for c in state.cards}
        assert State.from_dict(after.to_dict()) == after
        assert State.from_json(after.to_json()) == after
        assert state_from_text(after.to_yaml()) == after


@tried
@given(documents(), st.integers(0, 2**16))
def test_prevention_adds_no_wounds_and_pools_only_shrink(document: Document, seed: int) -> None:
    state = State.from_dict(document)
    legal = [a for a in ENGINE.legal_actions(state) if str(a) != "end_turn"]
    assume(legal)
    action = random.Random(seed).choice(legal)
    for outcome in ENGINE.resolve(state, action):
        for card in outcome.state.cards:
            assert card.wounds >= 0
        for step in outcome.trace:
            if step.step in ("prevent", "apply"):
                assert step.value is None or step.value >= 0
        for before in state.effects:
            for after in outcome.state.effects:
                same = (before.card, before.ability, before.since) == (
                    after.card, after.ability, after.since
                )  # fmt: skip
                assert not same or after.spent >= before.spent


def answers(state: State, seed: int) -> str:
    """The JSON of what is legal and of one declaration, as the commands print it."""
    answer = [judged(state, Engine().judge(state), "en")]
    if legal := ENGINE.legal_actions(state):
        action = random.Random(seed).choice(legal)
        answer.append(resolved(state, action, ENGINE.resolve(state, action), "ru"))
    return json.dumps(answer, ensure_ascii=False)


@tried
@given(documents(), st.integers(0, 2**16))
def test_the_same_question_has_the_same_answer(document: Document, seed: int) -> None:
    state = State.from_dict(document)
    assert ENGINE.judge(state) == Engine().judge(state)
    assert answers(state, seed) == answers(State.from_json(state.to_json()), seed)


@pytest.mark.parametrize(
    "asked", [("legal", "05-full-table"), ("resolve", "05-full-table", "end_turn")], ids=" ".join
)
def test_an_answer_does_not_hang_on_how_a_process_hashes(asked: tuple[str, ...]) -> None:
    command, state, *action = asked
    said = [
        subprocess.run(
            [sys.executable, "-m", "pyengine", command, f"facts/states/{state}.yaml", *action, "--json"],
            cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert said[0] == said[1] != b""


# --- 515, 516: one source wounds one card --------------------------------------------------------

# how the source wounds the victim: what it can do, and what is declared
WAYS = {
    "strike": ("directed_strike", "attack(source,victim)"),
    "shot": ("use(close,shot({n},target(creature)))", "use(source,1,victim)"),
    "ability": ("use(close,wound({n},target(creature)))", "use(source,1,victim)"),
    "spell": ("charge", "play(bolt,victim)"),
}
SHIELDS = st.one_of(
    st.builds(
        "prevent({},{},self,{})".format,
        st.sampled_from([1, 2, 3, 7, 1_000_000]),
        st.sampled_from(["next", "turn", "each"]),
        st.sampled_from(["any", "strike", "spell", "not(spell)", "from(creature)"]),
    ),
    st.builds("prevent(all,each,self,{})".format, st.sampled_from(["strike", "shot", "spell"])),
    st.builds("{}({})".format, st.sampled_from(["armor", "scales"]), st.integers(1, 9)),
)
# what would show that the victim was wounded: what waits for it, and what is used up by it
TRACES = (
    "on(wounded(any),wound(1,enemy_hero))",
    "on(wounded(and(creature,self),any),heal(1,your_hero))",  # not the one it is redirected to
    "prevent(1,turn,self,any)",
    "prevent(2,next,self,any)",
    "prevent(3,each,self,any)",
)
# what makes it that the victim was not: redirected, annulled, recounted to none, replaced
REPLACED = (
    "redirect(self,any,name(other))",
    "no_wounds(any)",
    "wounds_become(0,each,self,any)",
    "instead(self,any,coins(1))",
)


def wounding(way: str, much: int, abilities: list[str], wounds: int = 0) -> list[Outcome]:
    """How it ends where the source wounds by so much the victim, which has these abilities."""
    ability, action = WAYS[way]
    cards: Document = {
        "hero1": {"type": "hero", "life": 30, "owner": "p1"},
        "hero2": {"type": "hero", "life": 30, "owner": "p2", "wounds": 9},
        "source": {"type": "creature", "strike": much, "life": 9, "owner": "p1"},
        "bolt": {"type": "spell", "owner": "p1", "zone": "hand"},
        "victim": {"type": "creature", "life": 99, "owner": "p2", "closed": True},
        "other": {"type": "creature", "life": 99, "owner": "p2", "closed": True},
    }
    cards["source"]["abilities"] = [ability.format(n=much)]
    cards["bolt"]["abilities"] = [f"spell(wound({much},target(creature)))"]
    cards["victim"].update(wounds=wounds, abilities=abilities)
    position = {"active": "p1", "players": {"p1": {}, "p2": {}}, "cards": cards}
    return ENGINE.resolve(State.from_dict(position), action)


def apart_from_the_victims_text(outcome: Outcome) -> tuple[Any, ...]:
    """All of an outcome but what is printed on the victim."""
    document = outcome.state.to_dict()
    document["cards"]["victim"].pop("abilities", None)
    return document, outcome.choices, outcome.trace, outcome.ways


@tried
@given(
    st.sampled_from(sorted(WAYS)),
    st.integers(1, 9),
    st.sampled_from(REPLACED),
    st.lists(st.sampled_from(TRACES), min_size=1, max_size=3, unique=True),
    st.integers(0, 5),
)
def test_a_replaced_event_leaves_no_trace_of_having_happened(
    way: str, much: int, replaced: str, traces: list[str], wounds: int
) -> None:
    plain = wounding(way, much, [replaced], wounds)
    found = wounding(way, much, [replaced, *traces], wounds)
    # whatever waits for it to be wounded, or is used up by that, changes nothing at all
    assert list(map(apart_from_the_victims_text, found)) == list(
        map(apart_from_the_victims_text, plain)
    )
    for outcome in found:
        victim = outcome.state.card("victim")
        assert victim.wounds == wounds and not victim.spent
        assert not any(step.what == "victim" and step.step == "apply" for step in outcome.trace)
        dealt = much if replaced.startswith("redirect") else 0
        assert outcome.state.card("other").wounds == dealt


@pytest.mark.parametrize("trace", TRACES)
@pytest.mark.parametrize("way", sorted(WAYS))
def test_what_is_not_replaced_leaves_each_of_these_traces(way: str, trace: str) -> None:
    plain, found = wounding(way, 4, []), wounding(way, 4, [trace])
    assert list(map(apart_from_the_victims_text, found)) != list(
        map(apart_from_the_victims_text, plain)
    )


@tried
@given(
    st.sampled_from(sorted(WAYS)),
    st.integers(0, 9),
    st.lists(SHIELDS, max_size=4, unique=True),
    st.integers(0, 5),
)
def test_prevention_takes_from_wounds_what_it_says_and_no_more(
    way: str, much: int, shields: list[str], wounds: int
) -> None:
    for outcome in wounding(way, much, shields, wounds):
        victim = outcome.state.card("victim")
        prevented = [
            step.value or 0
            for step in outcome.trace
            if step.step == "prevent" and step.what == "victim"
        ]
        # no wound is added, none is prevented twice, and none that was there before is healed
        assert wounds <= victim.wounds == wounds + much - sum(prevented)
        assert all(value > 0 for value in prevented)
        spent = dict(victim.spent)
        assert sum(spent.values()) <= sum(prevented)
        assert all(0 < used <= much for used in spent.values())


# what makes of an ability that very ability, on the card that it stands on
GIVING = ["gain({})", "while(exists(hero),{})", "while(exists(hero),gain({}))", "grant(self,{})",
          "grant(self,while(exists(hero),{}))"]  # fmt: skip
# of abilities by what they are called: there the one is not the other
NAMED = re.compile(r"\b(has|bears|without_abilities|strip)\b")


def bearing(ability: str) -> State:
    """A table with a creature that has this ability, and some on both sides."""

    def creature(owner: str, since: int, *named: str) -> dict[str, Any]:
        return {
            "type": "creature",
            "strike": 2,
            "life": 6,
            "owner": owner,
            "class": list(named),
            "since": since,
        }

    cards = {
        "h1": {"type": "hero", "life": 25, "wounds": 3, "owner": "p1"},
        "h2": {"type": "hero", "life": 25, "wounds": 2, "owner": "p2"},
        "a0": creature("p1", 1, "orc") | {"abilities": [ability]},
        "a1": creature("p1", 2, "elf") | {"wounds": 1},
        "b0": creature("p2", 3, "orc") | {"wounds": 2},
        "b1": creature("p2", 4, "elf") | {"closed": True},
        "bolt": {"type": "spell", "owner": "p1", "zone": "hand",
                 "abilities": ["spell(wound(2,target(creature)))"]},
        "last": creature("p2", 0) | {"zone": "deck"},
    }  # fmt: skip
    return State.from_dict(
        {"turn": 3, "active": "p1", "players": {"p1": {"coins": 6}, "p2": {}}, "cards": cards}
    )


def comes_of(state: State, action: str) -> set[str] | None:
    """What can come of an action, without the texts; nothing if it is illegal, or too much."""
    try:
        outcomes = BRIEF.resolve(state, action)
    except (IllegalAction, LimitError):
        return None
    found = [outcome.state.to_dict() for outcome in outcomes]
    for document in found:
        for card in document["cards"].values():
            card.pop("abilities", None)
            card["spent"] = sorted(card.get("spent", {}).values())
    return {repr(document) for document in found}


@pytest.mark.parametrize("giving", GIVING)
def test_what_is_given_works_as_what_is_printed(giving: str) -> None:
    """Of abilities as they come, whatever they are."""
    drawn = (Terms(Dice(seed)).term("ability", 2) for seed in count(1000 * GIVING.index(giving)))
    fit = (text for text in drawn if not NAMED.search(text) and not check(giving.format(text)))
    for ability in islice(fit, EXAMPLES):
        plain, other = bearing(ability), bearing(giving.format(ability))
        assert {told(v, {}) for v in ENGINE.judge(plain)} == {
            told(v, {}) for v in ENGINE.judge(other)
        }, ability
        for action in ("attack(a0,b0)", "play(bolt,a0)", "end_turn"):
            assert comes_of(plain, action) == comes_of(other, action), (ability, action)
