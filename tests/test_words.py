"""What the rules can say to people has words: every step, every option, in both languages.

The rules are read as text, so that a step which no ruling meets has its sentence too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from pyengine import explain, i18n
from pyengine.documents import data_folder
from pyengine.engine import Engine
from pyengine.explain import term
from pyengine.model import Action, Step
from pyengine.reading import state_from_text as state_of
from pyengine.rulebook import Words, rulebook


class Written(NamedTuple):
    """The head of a rule `step(Q, K, kind, Rule, By, What, N) :- …`, and where it stands."""

    place: str
    kind: str
    rule: str
    by: str
    what: str
    value: str
    body: str


FOLDER = data_folder("rules")
# what a check adds to the rules for itself nobody is shown
FILES = [
    FOLDER.parent / "rules.lp",
    *(path for path in sorted(FOLDER.rglob("*.lp")) if path.parent.name != "audit"),
]
ARGUMENT = re.compile(r"(?:[^,()\"]|\"[^\"]*\"|\((?:[^()]|\([^()]*\))*\))+")


def heads(name: str) -> Iterator[tuple[str, list[str], str]]:
    """The rules with that head: place, arguments, body."""
    for file in FILES:
        lines = file.read_text("utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if line.startswith(f"{name}("):
                inside, closing, body = line.partition(":-")
                assert closing, f"{file.name}:{number}"
                head = inside.strip().removeprefix(f"{name}(").removesuffix(")")
                args = [arg.strip() for arg in ARGUMENT.findall(head)]
                yield f"{file.name}:{number}", args, body


def written() -> Iterator[Written]:
    for place, args, body in heads("step"):
        _, _, kind, rule, by, what, value = args
        for cited in rules_of(rule, body):
            yield Written(place, kind, cited, by, what, value, body)


def rules_of(rule: str, body: str) -> list[str]:
    """The ids that the fourth argument can be: itself, or what the body makes of R."""
    if rule.startswith('"'):
        return [rule.strip('"')]
    if cites := re.search(r'cites\("([^"]+)", R\)', body):
        return sorted({cites[1]} | {args[1].strip('"') for _, args in cited(cites[1])})
    source = re.search(r"\b(link|in_part)\(", body)
    assert source, body
    return sorted({args[-1].strip('"') for _, args, _ in heads(source[1])})


def cited(rule: str) -> Iterator[tuple[str, list[str]]]:
    for file in FILES:
        for line in file.read_text("utf-8").splitlines():
            found = re.match(r'cites\(("[^"]+"), ("[^"]+")\)\.', line)
            if found and found[1].strip('"') == rule:
                yield file.name, [found[1], found[2]]


STEPS = list(written())
KINDS: dict[str, set[str]] = defaultdict(set)
for _each in STEPS:
    KINDS[_each.rule].add(_each.kind)


def clause(each: Written) -> Words | None:
    """The clause that this step is told with."""
    return rulebook()[each.rule].clause("step", each.kind, each.what.partition("(")[0])


def test_the_steps_are_found() -> None:
    assert len(STEPS) > 90
    assert {"508.3", "515V.4", "516.5", "525.1", "base.overwrite"} <= set(KINDS)


def test_steps_of_all_rulings_are_among_them() -> None:
    """The reading of the rule files misses nothing that the rules themselves say."""
    table = state_of(
        """
        active: p1
        players: {p1: {}, p2: {}}
        cards:
          hero1: {type: hero, life: 20, owner: p1}
          ork: {type: creature, strike: 3, life: 4, owner: p1}
          hero2: {type: hero, life: 20, owner: p2}
          elf: {type: creature, strike: 1, life: 2, owner: p2, abilities: ["armor(2)"]}
        pending: {attacker: ork, target: elf, defender: null}
        """
    )
    (outcome,) = Engine().resolve(table, "pass")
    pairs = {(step.step, step.rule) for step in outcome.trace}
    assert {("fight", "510.1"), ("prevent", "515V.1"), ("close", "509.5")} <= pairs
    assert pairs <= {(each.kind, each.rule) for each in STEPS}


@pytest.mark.parametrize("each", STEPS, ids=lambda each: f"{each.rule}-{each.kind}")
def test_each_step_has_a_sentence_that_fits(each: Written) -> None:
    entry = rulebook()[each.rule]
    words = clause(each)
    assert words is not None, f"{each.place}: {each.rule} has no clause for '{each.kind}'"
    general = {kind for kind in KINDS[each.rule] if kind not in dict(entry.steps)}
    assert len(general) <= 1, f"{each.rule}: one sentence for {sorted(general)}"
    for told in words:
        names = set(re.findall(r"\{(\w+)\}", told))
        if each.by == "null":
            assert "by" not in names, f"{each.place}: no card does this: {told}"
        if each.value == "null":
            counted = names & {"value", "wounds", "coins", "cards"}
            assert not counted, f"{each.place}: nothing is counted: {told}"
        if each.what.startswith("P"):  # a player
            assert "карт" not in told.partition("{what}")[0][-8:], f"{each.place}: {told}"


def test_no_sentence_waits_for_a_step_that_never_comes() -> None:
    whats: dict[str, set[str]] = defaultdict(set)
    for each in STEPS:
        whats[each.rule].add(each.what.partition("(")[0])
    for entry in rulebook().values():
        for name, _ in entry.steps:
            assert name in KINDS[entry.id] | whats[entry.id], f"{entry.id}.steps.{name}"


def test_a_step_that_counts_nothing_has_no_number() -> None:
    for each in STEPS:
        assert each.value != "0", each.place


@pytest.mark.parametrize("kind", sorted({each.kind for each in STEPS}))
def test_each_kind_of_step_has_a_name(kind: str) -> None:
    assert kind in i18n.STEPS


def test_no_name_is_left_over() -> None:
    assert set(i18n.STEPS) == {each.kind for each in STEPS}


def test_a_step_is_told_with_its_cards() -> None:
    odd = Step("redirect", "516.5", "shield", "hero", 2)
    table = state_of(
        """
        active: p1
        players: {p1: {}, p2: {}}
        cards:
          hero: {type: hero, life: 20, owner: p1}
          shield: {type: equipment, class: [armor], owner: p1}
        """
    )
    assert explain.step(table, odd, "en") == "shield passes 2 wounds to hero"
    assert explain.step(table, odd, "ru") == "карта shield переводит 2 раны на карту hero"


LURES = """
active: p1
players: {p1: {}, p2: {}}
cards:
  hero1: {type: hero, life: 20, owner: p1}
  ork: {type: creature, strike: 3, life: 4, owner: p1}
  hero2: {type: hero, life: 20, owner: p2}
  bait: {type: creature, life: 2, owner: p2, abilities: ["lure(attack,enemy%s)"%s]}
"""


def told(document: str, action: str, lang: i18n.Lang) -> str:
    state = state_of(document)
    verdict = Engine().why(state, Action.parse(action)).verdict
    return "; ".join(explain.sentence(state, verdict, each, lang) for each in verdict.because)


def test_a_lure_that_lapses_is_no_prohibition() -> None:
    document = LURES % ("", ', "cannot_be(attack)"')
    assert "bait forbids choosing the card that demands it (cannot_be(attack))" in told(
        document, "attack(ork,hero2)", "en"
    )
    assert "требование отпадает" in told(document, "attack(ork,hero2)", "ru")


def test_a_lure_says_whom_it_wants() -> None:
    alone = told(LURES % ("", ""), "attack(ork,hero2)", "en")
    assert alone == "bait obliges the player to choose it as the target"
    several = told(LURES % (",name(bait)", ""), "attack(ork,hero2)", "en")
    assert several == (
        "bait obliges the player to choose one of certain cards: lure(attack,enemy,name(bait))"
    )


# ---------------------------------------------------------------- options

# what stands in an answer where the rules say something else (queue.shown)
SHOWN_AS = {"apply": 2, "let": 2, "use": 4, "trigger": 2}


def options() -> Iterator[tuple[str, str, int]]:
    for name, at in (("option", 3), ("chance", 2)):
        for place, args, _ in heads(name):
            head, _, rest = args[at].partition("(")
            inside = ARGUMENT.findall(rest.removesuffix(")"))
            yield place, head, SHOWN_AS.get(head, len(inside))


@pytest.mark.parametrize(("place", "name", "count"), list(options()))
def test_each_option_has_a_sentence(place: str, name: str, count: int) -> None:
    if name == "way":
        assert set(i18n.BRANCHES) == {"first", "second", "both"}
        return
    en, ru = i18n.OPTIONS[name, count]
    for told in (en, ru):
        assert {int(n) for n in re.findall(r"\{(\d)\}", told)} <= set(range(count)), place
    assert re.search("[а-я]", ru) and not re.search("[а-я]", en)


def test_the_dice_have_words() -> None:
    table = state_of(CHOOSER % "draw(1)")
    assert term(table, "dice(low)", "en") == "the same number, 4 or less"
    assert term(table, "dice(-3)", "ru") == "разница -3"
    assert term(table, "blows(strong,miss)", "en") == "the blow: strong, the answer: a miss"
    assert term(table, "blows(strong,miss)", "ru") == "удар: сильный, ответ: промах"


CHOOSER = """
active: p1
players: {p1: {coins: 9}, p2: {}}
cards:
  hero1: {type: hero, life: 20, owner: p1, wounds: 3}
  hero2: {type: hero, life: 20, owner: p2}
  ork: {type: creature, strike: 3, life: 4, owner: p2}
  bolt:
    type: spell
    cost: 1
    owner: p1
    zone: hand
    abilities: ["spell(%s)"]
"""


def test_a_way_says_which_branch_and_what_it_does() -> None:
    spell = (
        "choose(wound(1,enemy_hero),choose_any(heal(1,your_hero),"
        "wound(2,each(and(enemy,creature)))))"
    )
    table = state_of(CHOOSER % spell)
    outcomes = Engine().resolve(table, "play(bolt)")
    chosen = {choice.chosen for outcome in outcomes for choice in outcome.choices}
    assert chosen == {
        "way(first,wound(1,enemy_hero))",
        "way(second,choose_any(heal(1,your_hero),wound(2,each(and(enemy,creature)))),"
        "first,heal(1,your_hero))",
        "way(second,choose_any(heal(1,your_hero),wound(2,each(and(enemy,creature)))),"
        "second,wound(2,each(and(enemy,creature))))",
        "way(second,choose_any(heal(1,your_hero),wound(2,each(and(enemy,creature)))),"
        "both,heal(1,your_hero),wound(2,each(and(enemy,creature))))",
    }
    assert term(table, "way(both,heal(1,your_hero),draw(1))", "en") == (
        "both: heal(1,your_hero); draw(1)"
    )
    assert term(table, "way(both,heal(1,your_hero),draw(1))", "ru") == (
        "и то, и другое: heal(1,your_hero); draw(1)"
    )
