"""Limits: each at its edge, in time and in memory, and what an interruption leaves behind."""

from __future__ import annotations

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pyengine import Engine, LimitError, Limits, PyengineError, State, StateError, slicing
from pyengine.facts import MAX_WAYS, encode
from pyengine.faults import told
from pyengine.limits import Budget, in_force, question, using
from pyengine.questions import asked_of
from pyengine.solving import Program
from pyengine.terms import check_ability

resource = pytest.importorskip("resource")
GIB = 1 << 30
SECONDS = 3.0  # the time limit that hostile questions get here


def table(creatures: int, abilities: list[str] | None = None, **more: Any) -> dict[str, Any]:
    """Two heroes and creatures that share some abilities."""
    cards: dict[str, Any] = {
        f"hero{n}": {"type": "hero", "life": 25, "owner": f"p{n}"} for n in (1, 2)
    }
    for number in range(creatures):
        cards[f"c{number}"] = {
            "type": "creature", "owner": f"p{number % 2 + 1}", "strike": 2, "life": 5,
            "abilities": abilities or [],
        }  # fmt: skip
    players: dict[str, Any] = {"p1": {"coins": 9}, "p2": {}}
    return {"active": "p1", "turn": 5, "players": players, "cards": cards} | more


def holding(document: dict[str, Any], *abilities: str) -> dict[str, Any]:
    """The table with a spell in the hand of the player to move."""
    spell = {"type": "spell", "owner": "p1", "zone": "hand", "abilities": list(abilities)}
    document["cards"]["tome"] = spell
    return document


def nested(head: str, times: int, leaf: str) -> str:
    """head(leaf,head(leaf,…))."""
    text = leaf
    for _ in range(times):
        text = f"{head}({leaf},{text})"
    return text


# ---------------------------------------------------------------- the numbers


@pytest.mark.parametrize(
    "values",
    [{"cards": 0}, {"cards": -1}, {"steps": 1.5}, {"seconds": 0}, {"seconds": math.nan},
     {"outcomes": True}, {"bytes": "many"}],
)  # fmt: skip
def test_limits_are_numbers_above_0(values: dict[str, Any]) -> None:
    with pytest.raises(StateError, match=f"limits.{next(iter(values))}: "):
        Limits(**values)


def test_limits_hold_for_what_is_called_inside() -> None:
    before = in_force()
    with using(Limits(cards=7)):
        with using(None):
            assert in_force().cards == 7
        found: list[int] = []
        other = threading.Thread(target=lambda: found.append(in_force().cards))
        other.start()
        other.join()
        assert found == [before.cards]
    assert in_force() is before


def test_a_question_within_a_question_shares_its_budget() -> None:
    with question(Limits(steps=3)) as outer, question(Limits(steps=9)) as inner:
        assert inner is outer
        with outer.paused(), question(Limits(steps=9)) as asked_meanwhile:
            assert asked_meanwhile is not outer


def test_time_in_which_a_person_decides_is_not_counted() -> None:
    budget = Budget(Limits(seconds=1))
    left = budget.left
    with budget.paused():
        time.sleep(0.05)
        budget.check()
    assert left - budget.left < 0.04


def test_errors_of_limits_can_be_sent() -> None:
    with pytest.raises(LimitError) as raised:
        Budget(Limits(steps=3)).count("steps", 4)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.limit, again.most, str(again)) == ("steps", 3, str(raised.value))
    assert "--limit steps=N" in str(again) and "больше 3 шагов" in told(again.message, "ru")


# ---------------------------------------------------------------- each at its edge

DRAWING = holding(table(0), "spell(choose(wound(1,each(hero)),heal(1,each(hero))))")


def resolved(limits: Limits) -> int:
    return len(Engine(limits=limits).resolve(State.from_dict(DRAWING), "play(tome)"))


@pytest.mark.parametrize("name", ["steps", "outcomes"])
def test_steps_and_outcomes(name: str) -> None:
    for most in range(1, 100):
        limits: dict[str, Any] = {name: most}
        try:
            found = resolved(Limits(**limits))
        except LimitError as error:
            assert (error.limit, error.most) == (name, most)
            continue
        assert most > 1  # with less it was refused
        assert found == len(Engine().resolve(State.from_dict(DRAWING), "play(tome)"))
        return
    pytest.fail("no limit is high enough")


def test_ground_rules() -> None:
    # a table that is large enough to be watched
    state = State.from_dict(table(60))
    judged = Engine().judge(state)
    assert Engine(limits=Limits(rules=100_000)).judge(state) == judged
    with pytest.raises(LimitError) as raised:
        Engine(limits=Limits(rules=5_000)).judge(state)
    assert raised.value.limit == "rules"


def test_seconds() -> None:
    state = State.from_dict(
        holding(table(100), f"spell({nested('both', 3, 'wound(1,target(any))')})")
    )
    start = time.perf_counter()
    with pytest.raises(LimitError) as raised:
        Engine(limits=Limits(seconds=0.5, rules=10**9)).judge(state)
    assert raised.value.limit == "seconds" and time.perf_counter() - start < 5
    assert Engine(limits=Limits(seconds=math.inf)).judge(State.from_dict(table(2)))


def test_steps_of_a_game_that_goes_one_course() -> None:
    def first(fork: object) -> int:
        return 0

    state = State.from_dict(DRAWING)
    assert len(Engine().unfold(state, "play(tome)", first).choices) == 1
    with pytest.raises(LimitError):
        Engine(limits=Limits(steps=1)).unfold(state, "play(tome)", first)


@pytest.mark.parametrize("head", ["choose", "choose_any"])
def test_ways_to_carry_out(head: str) -> None:
    leaf = "heal(1,self)"
    ways, times = 1, 0
    while (more := ways + 1 if head == "choose" else 2 * ways + 1) <= MAX_WAYS:
        ways, times = more, times + 1
    # too many ways to ask about here: what is tested is that they are written, or not
    times = min(times, 40)  # deeper no term is
    assert encode(f"spell({nested(head, times, leaf)})").term
    if head == "choose_any":
        with pytest.raises(LimitError, match="64 ways"):
            encode(f"spell({nested(head, times + 1, leaf)})")


@pytest.mark.parametrize("name", ["bytes", "depth", "values", "cards", "effects", "abilities"])
def test_documents(name: str) -> None:
    document = table(2, ["charge", "armor(1)", "unique"])
    document["effects"] = [{"card": "c0", "ability": "charge", "since": n} for n in (1, 2, 3, 4, 5)]
    text = json.dumps(document)
    exact = {
        "bytes": len(text), "depth": 4, "cards": 4, "effects": 5, "abilities": 3,
        "values": sum(1 for _ in values_of(document)),
    }[name]  # fmt: skip
    fits: dict[str, Any] = {name: exact}
    less: dict[str, Any] = {name: exact - 1}
    # as JSON and as YAML, which begins otherwise
    for written in (text, f"# a comment\n{text}"):
        if name == "bytes":
            fits[name], less[name] = len(written), len(written) - 1
        assert State.from_json(written, Limits(**fits)) == State.from_dict(document)
        with pytest.raises(StateError, match=f"--limit {name}=N") as raised:
            State.from_json(written, Limits(**less))
        assert f"Limits.{name}" in told(raised.value.faults[0], "ru")


def values_of(value: Any) -> Iterator[Any]:
    """The value, and all keys and values in it."""
    yield value
    if isinstance(value, dict):
        yield from value
    for part in value.values() if isinstance(value, dict) else value:
        if isinstance(part, dict | list):
            yield from values_of(part)
        else:
            yield part


def test_a_file_of_the_limit_in_bytes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(table(2)), encoding="utf-8")
    size = path.stat().st_size
    assert State.load(path, Limits(bytes=size)) == State.from_dict(table(2))
    with pytest.raises(StateError, match=f"larger than the limit of {size - 1:,} bytes"):
        State.load(path, Limits(bytes=size - 1))


def test_limits_of_a_state_do_not_touch_the_data_of_the_package() -> None:
    code = (
        "from pyengine import Limits, State\nfrom pyengine.limits import using\n"
        "with using(Limits(bytes=500, depth=3, values=30)):\n"
        "    State.from_dict({'active': 'a', 'players': {'a': {}, 'b': {}},"
        " 'cards': {'x': {'kind': 'snirk', 'owner': 'a'}}})\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# ---------------------------------------------------------------- in memory and time

HOSTILE: dict[str, Callable[[], dict[str, Any]]] = {
    "a full table": lambda: table(498),
    "auras on auras": lambda: table(100, [f"grant(any,grant(any,mod(strike,{n})))" for n in range(1, 50)]),
    "abilities granted on and on": lambda: table(
        100, ["grant(any,grant(any,grant(any,use(coins(1),both(wound(1,target(any)),wound(2,target(any)))))))"]
    ),
    "three targets of a hundred": lambda: holding(
        table(100), f"spell({nested('both', 2, 'wound(1,target(any))')})"
    ),
    "eight targets": lambda: holding(table(9), f"spell({nested('both', 7, 'wound(1,target(any))')})"),
    "very many ways": lambda: holding(table(4), f"spell({nested('choose_any', 60, 'heal(1,self)')})"),
    "many ways": lambda: holding(table(4), f"spell({nested('choose', 60, 'wound(1,each(any))')})"),
    "wide filters": lambda: table(
        50, ["grant(and(" + ",".join(["or(class(a),class(b),hero,creature)"] * 200) + "),mod(strike,1))"]
    ),
    "any five of sixty": lambda: holding(
        table(2, players={"p1": {"coins": 9, "deck_order": "unknown"}, "p2": {}},
              cards=table(2)["cards"] | {
                  f"d{n}": {"type": "creature", "life": 1, "owner": "p1", "zone": "deck"} for n in range(60)
              }),
        "spell(draw(5))",
    ),
    "a million": lambda: holding(table(4), "spell(draw(1000000))", "spell(wound(1000000,target(any)))"),
}  # fmt: skip
ASK = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (%d, %d))
from pyengine import Engine, Limits, PyengineError, State
engine = Engine(limits=Limits(seconds=%f))
state = State.from_dict(json.load(sys.stdin))
try:
    asked = {v.action.verb: v.action for v in engine.judge(state) if v.legal}
except PyengineError as error:
    asked = {}
    print(type(error).__name__, error)
for action in asked.values():
    try:
        engine.resolve(state, action)
    except PyengineError as error:
        print(type(error).__name__, error)
"""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_questions_stay_under_a_gibibyte_and_in_time(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK % (GIB, GIB, SECONDS)],
        input=json.dumps(HOSTILE[name]()), capture_output=True, encoding="utf-8", timeout=100,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    for line in done.stdout.splitlines():
        assert line.startswith("LimitError ")


def word(number: int) -> str:
    """A word that is nearly like others, so that they are compared."""
    return f"hgfedcba{number}"[::-1] * 5


# what reading has to look at again and again: names that nothing knows, for which a near one is sought
UNKNOWN: dict[str, Callable[[], dict[str, Any]]] = {
    "cards": lambda: table(0, cards={word(n): {"type": "creature", "life": 1, "owner": "p1"} for n in range(498)},
                           effects=[{"card": word(n), "ability": "charge"} for n in range(1000, 2000)]),
    "abilities": lambda: table(498, cards={
        f"c{n}": {"type": "creature", "life": 1, "owner": "p1",
                  "abilities": [f"armr{n}x{m}(1)" for m in range(100)]} for n in range(498)}),
    "filters": lambda: table(0, cards={
        f"c{n}": {"type": "creature", "life": 1, "owner": "p1",
                  "abilities": [f"grant(or({','.join(f'sef{n}x{m}' for m in range(900))}),charge)"]} for n in range(190)}),
    "classes": lambda: table(0, cards={
        f"c{n}": {"type": "creature", "life": 1, "owner": "p1", "class": [f"kz{n}a{m}" for m in range(150)],
                  "abilities": [f"grant(or({','.join(f'class(zk{n}a{m})' for m in range(120))}),charge)"]} for n in range(300)}),
    "spent": lambda: table(0, cards={
        f"c{n}": {"type": "creature", "life": 1, "owner": "p1", "abilities": [f"armor({n}{m})" for m in range(1, 90)],
                  "spent": {f"armor({m}{n})": 1 for m in range(100, 200)}} for n in range(100)}),
}  # fmt: skip
READ = """
import json, resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (%d, %d))
from pyengine import State, StateError
from pyengine.doubts import doubts
document = json.load(sys.stdin)
start = time.process_time()
try:
    print(len(doubts(State.from_dict(document))))
except StateError as error:
    print(len(error.faults))
print(time.process_time() - start)
"""


@pytest.mark.parametrize("name", UNKNOWN)
def test_near_names_are_not_sought_for_ever(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", READ % (GIB, GIB)],
        input=json.dumps(UNKNOWN[name]()), capture_output=True, encoding="utf-8", timeout=200,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    count, seconds = done.stdout.split()
    assert int(count) <= 1001 and float(seconds) < 15


def test_of_very_many_faults_some_are_told() -> None:
    document = table(0, cards={str(n): {} for n in range(400)}, wrong=1)
    with pytest.raises(StateError) as raised:
        State.from_dict(document)
    *told_, last = raised.value.faults
    assert len(told_) == 1000 and last == "there are more faults: 1000 are told"
    assert told(last, "ru") == "ошибок больше: названы 1000"
    [*few, more] = check_ability(f"grant(and({','.join(['x'] * 150)}),charge)", "here")
    assert len(few) == 100 and "there are more faults" in more


@pytest.mark.parametrize("of", ["cards", "players"])
def test_an_id_is_no_longer_than_a_name(of: str) -> None:
    def document(id: str) -> dict[str, Any]:
        return json.loads(json.dumps(table(2)).replace("c0" if of == "cards" else "p1", id))  # type: ignore[no-any-return]

    assert "x" * 200 in State.from_dict(document("x" * 200)).to_json()
    with pytest.raises(StateError) as raised:
        State.from_dict(document("x" * 201))
    assert "has 201 characters, where an id has at most 200" in str(raised.value)
    assert "201 симв" in told(raised.value.faults[0], "ru")


def test_facts_are_put_together_within_the_time() -> None:
    state = State.from_dict(table(2, ["armor(7)", "grant(self,scales(3))"]))
    with question(Limits(seconds=1e-9)), pytest.raises(LimitError):
        asked_of(state)
    asked = asked_of(state)
    rules = Engine().program("heroes")
    with question(Limits(seconds=1e-9)), pytest.raises(LimitError):
        Program(rules.nodes).slice(asked)


def test_a_deep_term_is_read_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not taken apart anew on each of its levels: so many characters, however deep."""
    slicer = Engine().program("heroes").slicer
    read: list[int] = []
    for name in ("tokens", "arguments"):
        whole = getattr(slicing, name)

        def counted(text: str, whole: Callable[[str], Any] = whole) -> Any:
            read.append(len(text))
            return whole(text)

        monkeypatch.setattr(slicing, name, counted)
    words = [f"class(a_new_word_{n})" for n in range(380)]
    term = encode(f"grant(or({','.join(words)}),charge)").term
    atom = f"ability({term})"
    slicer.fact(atom)
    assert len(atom) <= sum(read) < 3 * len(atom)


def test_the_command_reads_within_its_time(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    path.write_text(json.dumps(UNKNOWN["classes"]()), encoding="utf-8")
    start = time.perf_counter()
    process = command("legal", str(path), "--time-limit", "0.2")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2 and err.startswith("too large: the answer takes more than 0.2 s")
    assert time.perf_counter() - start < 10


def test_an_answer_of_much_text_is_printed_bit_by_bit(tmp_path: Path) -> None:
    """Outcomes share what is the same in all of them; their text does not."""
    document = table(0)
    document["players"]["p1"]["deck_order"] = "unknown"
    for number in range(20):
        document["cards"][f"d{number}"] = {
            "type": "creature", "life": 1, "owner": "p1", "zone": "deck",
        }  # fmt: skip
        document["cards"][f"g{number}"] = {
            "type": "creature", "life": 1, "owner": "p2", "zone": "graveyard",
            "abilities": [f"grant(or({','.join(['class(word)'] * 75)}),armor({n}))" for n in range(1, 61)],
        }  # fmt: skip
    path = tmp_path / "state.json"
    path.write_text(json.dumps(holding(document, "spell(draw(2))")), encoding="utf-8")
    most = GIB // 3
    code = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}));"
    code += "from pyengine.cli import main; import sys; sys.exit(main())"
    answer = tmp_path / "answer.json"
    with answer.open("wb") as file:
        done = subprocess.run(
            [sys.executable, "-c", code, "resolve", str(path), "play(tome)", "--json"],
            stdout=file, stderr=subprocess.PIPE, timeout=200, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert len(json.loads(answer.read_bytes())["outcomes"]) == 190


def command(*args: str, **options: Any) -> subprocess.Popen[str]:
    """A command as a process of its own, its answers as text."""
    return subprocess.Popen(
        [sys.executable, "-m", "pyengine", *args],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
        env=os.environ | {"LC_ALL": "C"}, **options,
    )  # fmt: skip


@pytest.fixture
def endless(tmp_path: Path) -> str:
    """A question that nobody waits for."""
    document = holding(table(100), f"spell({nested('both', 5, 'wound(1,target(any))')})")
    path = tmp_path / "endless.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_command_says_what_took_too_long(endless: str, lang: str) -> None:
    start = time.perf_counter()
    process = command("legal", endless, "--time-limit", "0.5", "--lang", lang)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert time.perf_counter() - start < 20
    [line] = err.splitlines()
    assert "0.5" in line and "--time-limit" in line
    assert line.startswith("too large: " if lang == "en" else "слишком велико: ")


def test_the_command_can_allow_more_or_less(endless: str) -> None:
    process = command("legal", endless, "--limit", "rules=1000")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2 and "more than 1,000 ground rules" in err
    process = command("legal", endless, "--limit", "cards=5")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert err.startswith("cards: 103 cards are above the limit of 5;")


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--time-limit", "0"), "--time-limit: 0.0 is no number of seconds above 0"),
        (("--time-limit", "nan"), "--time-limit: nan is no number of seconds above 0"),
        (("--limit", "cards"), "--limit: cards='' is no whole number above 0"),
        (("--limit", "cards=0"), "--limit: cards='0' is no whole number above 0"),
        (("--limit", "kards=1"), "--limit: 'kards' is not one of bytes, "),
    ],
)
def test_limits_that_are_none(endless: str, args: tuple[str, ...], says: str) -> None:
    process = command("legal", endless, *args)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2 and err.startswith(says)


# what is done in place of the rules: a grounding in which no rule is made for hours, so that
# nothing calls back to Python
SILENT = """
import sys
from pyengine import cli, solving
from clingo import ast
nodes = []
ast.parse_string("p(1..3000). q(Z) :- p(X), p(Y), p(Z), X + Y * 3 + Z < 0.", nodes.append)
found = solving.Program.slice
def slice(*asked, **options):
    out = found(*asked, **options)
    out.nodes, out.plan = tuple(nodes[1:]), None
    return out
solving.Program.slice = slice
sys.exit(cli.main(sys.argv[1:]))
"""


def silent(*args: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SILENT, *args],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip


def test_a_grounding_that_is_silent_is_ended_from_outside(endless: str) -> None:
    start = time.perf_counter()
    process = silent("legal", endless, "--time-limit", "1", "--lang", "ru")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "") and time.perf_counter() - start < 20
    assert err.startswith("слишком велико: ") and err.count("\n") == 1


# ---------------------------------------------------------------- interrupted


@pytest.mark.parametrize("start", [command, silent])
def test_an_interruption_ends_a_question_at_once(
    endless: str, start: Callable[..., subprocess.Popen[str]]
) -> None:
    process = start("legal", endless, "--time-limit", "60", "--limit", "rules=1000000000")
    time.sleep(4)
    assert process.poll() is None
    before = time.perf_counter()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, "", "")
    assert time.perf_counter() - before < 3


def test_an_interrupted_question_of_a_program_raises() -> None:
    state = State.from_dict(
        holding(table(100), f"spell({nested('both', 5, 'wound(1,target(any))')})")
    )
    engine = Engine(limits=Limits(rules=10**9))
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        engine.judge(state)
    assert engine.judge(State.from_dict(table(2)))  # and goes on


def test_every_error_of_a_limit_is_one_of_the_package() -> None:
    assert issubclass(LimitError, PyengineError) and issubclass(StateError, PyengineError)
