"""Steps of several positions in one grounding: each comes to what it comes to alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from pyengine import facts, queue, solving
from pyengine.engine import Engine
from pyengine.limits import question as limited
from pyengine.model import Action, State
from pyengine.questions import asked_of, merged
from pyengine.together import together
from pyengine.vector import mark_of, marked, owner_of, with_mark
from tests.rulings import every_ruling

Asked = tuple[queue.Course, str]  # a course, and what is asked beside its step
DEEP, WIDE = 5, 2  # steps of a course, and branches that are followed


# what speaks of a position bears a name of it, the number of its step, or of an effect in it
FIRST = 7000
BEARS_A_MARK = re.compile(r"\bvg7\d{3}_|\b7\d{3}\b|\b8\d{4,}\b")


def declared(number: int, state: State, action: Action) -> Asked:
    """The course of a declaration in the game with that number."""
    mark = mark_of(number)
    start = marked(state, mark)
    term = facts.action_term(with_mark(action, mark), start)
    course = queue.Course(start, (f"declare({term})",), mark=mark)
    return course, f"judged({facts.name(start.active)}).asked({term})."


def compared(edition: str, asked: dict[int, Asked]) -> dict[int, list[queue.Branch]]:
    """The branches of each step, after seeing that they are the same together and alone."""
    rules = Engine().program(edition)
    rests, texts = {}, {}
    for number, (course, extra) in asked.items():
        rests[number], text = queue.question(course, number)
        texts[number] = asked_of(course.state, text + extra, mark=course.mark, gone=course.gone)
    found = together(rules, texts, rules.steps, owner_of)
    assert found.keys() == asked.keys()
    out = {}
    for number, answers in found.items():
        alone = solving.solve(rules, texts[number], shown=rules.steps)
        assert [answer.key for answer in answers] == [answer.key for answer in alone]
        idle = queue.idle(asked[number][0])
        out[number] = [queue.branch(rests[number], answer, idle) for answer in answers]
    return out


def followed(edition: str, asked: Iterable[Asked]) -> None:
    """Follows the courses side by side."""
    left = {number: [each] for number, each in enumerate(asked)}
    for _ in range(DEEP):
        now = {number: waiting.pop(0) for number, waiting in left.items() if waiting}
        if not now:
            return
        for number, branches in compared(edition, now).items():
            onward = [(branch.course, "") for branch in branches if not branch.course.done]
            left[number] += onward[:WIDE]


def questions(edition: str, every: int) -> Iterator[tuple[State, Action]]:
    asked = [
        (ruling.state, Action.parse(str(resolve.action)))
        for ruling in every_ruling()
        if ruling.edition == edition
        for resolve in ruling.resolve
        if all(card.name or card.kind for card in ruling.state.cards)
    ]
    return iter(asked[::every])


@pytest.mark.parametrize(("edition", "every"), [("heroes", 24), ("heroes_2", 30), ("classic", 8)])
def test_the_questions_of_rulings(edition: str, every: int) -> None:
    asked = [declared(n, *question) for n, question in enumerate(questions(edition, every))]
    assert len(asked) > 5
    followed(edition, asked)


# what speaks of terms, kinds and words only
OF_NO_POSITION = {
    "board/2", "changes/1", "compares/4", "costs/3", "keyword/2", "left_by/2", "limited/1", "moment_of/2", "needs/2",
    "numbered/1", "optional/2", "parts_of/3", "roomy/1", "shoots/1", "slot/3", "special/2", "subtype/1", "suffers/3",
    "turn_of/4", "way/2", "zoned/2",
}  # fmt: skip


@pytest.mark.parametrize("edition", ["heroes", "heroes_2", "classic"])
def test_whatever_is_found_speaks_of_one_position(edition: str) -> None:
    rules = Engine().program(edition)
    texts = []
    for number, question in enumerate(questions(edition, 4), FIRST):
        course, extra = declared(number, *question)
        _, text = queue.question(course, number)
        texts.append(asked_of(course.state, text + extra, mark=course.mark))
    everything = merged(texts)
    with limited() as budget:
        wanted = rules.slice(everything, rules.steps)
        control = solving.grounded(rules, everything, wanted, budget, False)
    with control.solve(yield_=True) as handle:
        found = next(iter(handle)).symbols(atoms=True)
    shared = {
        f"{atom.name}/{len(atom.arguments)}" for atom in found if not BEARS_A_MARK.search(str(atom))
    }
    assert shared <= OF_NO_POSITION, "a rule tells one position of another: give its head a card"


TABLE: dict[str, Any] = {
    "active": "p1", "turn": 5, "players": {"p1": {"coins": 3, "coins_total": 3}, "p2": {}},
    "cards": {
        "one": {"type": "hero", "life": 25, "owner": "p1"},
        "two": {"type": "hero", "life": 25, "owner": "p2"},
        "bow": {
            "type": "creature", "life": 5, "owner": "p1", "strike": 2,
            "abilities": ["use(close,shot(2,target(character)))"],
        },
        "foe": {
            "type": "creature", "life": 5, "owner": "p2", "strike": 1,
            "abilities": ["while(at_most(attacks,1),no_wounds(attack))"],
        },
    },
}  # fmt: skip


def test_a_shot_elsewhere_is_no_attack_here() -> None:
    """The shot counts as an attack while it is carried out (508.3), in its own game alone."""
    state = State.from_dict(TABLE)
    shot = declared(0, state, Action.parse("use(bow,1,two)"))
    blow = declared(1, state, Action.parse("attack(bow,foe)"))
    shot, blow = up_to("do(shot(", 0, shot), up_to("fight(", 1, blow)
    compared("heroes", {0: shot, 1: blow})


def up_to(item: str, number: int, asked: Asked) -> Asked:
    """The course where it is about to carry out such an item."""
    while not queue.question(asked[0], number)[1].startswith(f"now({number},{item}"):
        (branch,) = compared("heroes", {number: asked})[number]
        assert not branch.course.done
        asked = branch.course, ""
    return asked


def test_every_option_of_each_is_met() -> None:
    """What is chosen in several games at once comes to all options, not to their product."""
    table = {**TABLE, "cards": {**TABLE["cards"]}}
    table["cards"]["spell"] = {
        "type": "spell", "owner": "p1", "zone": "hand",
        "abilities": ["spell(discard(1))"],
    }  # fmt: skip
    for n in range(5):
        table["cards"][f"card{n}"] = {"type": "creature", "life": 1, "owner": "p1", "zone": "hand"}
    state = State.from_dict(table)
    asked = {n: declared(n, state, Action.parse("play(spell)")) for n in range(6)}
    most = 0
    while asked:
        found = compared("heroes", asked)
        most = max(most, *map(len, found.values()))
        asked = {
            number: (branches[0].course, "")
            for number, branches in found.items()
            if not branches[0].course.done
        }
    assert most == 5
