"""Input of people who mean no good: whatever it is, it has an answer or faults, and soon.

PYENGINE_HOSTILE_EXAMPLES is how many are tried of each; 20 unless told.
"""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pyengine import Action, Engine, LimitError, Limits, PyengineError, State, StateError, verify
from pyengine.faults import told
from tests.model.positions import MIDDLE, Document, documents

EXAMPLES = int(os.environ.get("PYENGINE_HOSTILE_EXAMPLES", "20"))
LIMITS = Limits(seconds=5, rules=200_000, steps=200, outcomes=500)
ENGINE = Engine(limits=LIMITS)
tried = settings(
    max_examples=EXAMPLES,
    deadline=20_000,  # ms: four times what the limits allow, on a machine that is busy
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
# what clingo, Python, YAML or we ourselves have another use for
KEYWORDS = (
    "not", "def", "class", "none", "null", "true", "false", "import", "lambda", "is", "in", "end",
    "sup", "inf", "aux", "base", "card", "hero", "self", "target", "pass", "attack", "draw", "it",
    "game", "zzplayer", "p2", "effect", "spent", "copy", "pair", "rulebook", "now", "q0_0", "hidden_1", "yes", "on",
)  # fmt: skip
SIGNS = "ab_ALZ019 ()[]{},.:;-+*/\\\"'#%@&|<>=!?$~`^\n\t\0é€😀\u202e"


def asked(document: Any) -> None:
    """The whole of a conversation about a position; anything but an error of ours escapes."""
    try:
        state = State.from_dict(document)
        judged = ENGINE.judge(state)
        for verdict in judged[:: max(1, len(judged) // 3)]:
            ENGINE.why(state, verdict.action)
            if verdict.legal:
                for outcome in ENGINE.resolve(state, verdict.action)[:2]:
                    assert State.from_json(outcome.state.to_json()) == outcome.state
    except LimitError as error:
        assert error.limit is None or told(error.message, "ru") != str(error)
    except StateError as error:
        assert error.faults
        assert all(isinstance(told(fault, "ru"), str) for fault in error.faults)


# ---------------------------------------------------------------- state files

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(SIGNS, max_size=12),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(SIGNS, max_size=8), parts, max_size=3),
    max_leaves=8,
)  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn) -> Document:
    """A position in which some place holds something that does not belong there."""
    document = copy.deepcopy(draw(documents()))
    for _ in range(draw(st.integers(1, 3))):
        place: Any = document
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            if not keys:
                break
            key = draw(st.sampled_from(keys))
            inner = place[key]
            if isinstance(inner, dict | list) and draw(st.booleans()):
                place = inner
                continue
            place[key] = draw(anything | st.sampled_from([-1, 10**6, 10**30, "p1", "not", []]))
            break
    return document


@tried
@given(spoilt())
def test_positions_that_are_spoilt(document: Document) -> None:
    asked(document)


@tried
@given(spoilt(), st.integers(0, 2000), st.text(SIGNS, max_size=6), st.booleans())
def test_files_that_are_damaged(document: Document, place: int, damage: str, as_json: bool) -> None:
    text = json.dumps(document) if as_json else yaml.safe_dump(document, allow_unicode=True)
    place %= len(text) + 1
    for damaged in (text[:place] + damage + text[place:], text[:place] + damage + text[place + len(damage) :]):  # fmt: skip
        try:
            state = State.from_json(damaged)
        except StateError as error:
            assert error.faults and str(error).strip()
        else:
            asked(state.to_dict())


@tried
@given(st.binary(max_size=60) | st.text(SIGNS, max_size=60).map(str.encode))
@example(b"\xff\xfe{")
@example(b"{" * 5000)
@example(b"[" * 5000)
@example(b"&a [*a, *a]")
@example(b"!!python/object/apply:os.system [true]")
@example(b"? ? ? ? {}")
@example(b"\0")
def test_files_of_anything(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "anything.yaml"
    path.write_bytes(data)
    with pytest.raises(StateError):
        State.load(path)
    with pytest.raises(StateError):
        verify.load_rulings([path])


# ---------------------------------------------------------------- ids


@pytest.mark.parametrize("word", KEYWORDS)
def test_ids_that_are_words_elsewhere(word: str) -> None:
    def document(name: str, player: str) -> Document:
        other = "p2"
        # within abilities these words have a meaning of their own
        named = "creature" if word in ("it", "target") else f"card({name})"
        return {
            "active": player, "turn": 3, "players": {player: {"coins": 3}, other: {}},
            "cards": {
                "h1": {"type": "hero", "life": 9, "owner": player, "name": "h1"},
                "h2": {"type": "hero", "life": 9, "owner": other, "name": "h2"},
                name: {"type": "creature", "life": 3, "strike": 2, "owner": player, "name": "n",
                       "abilities": ["use(coins(1),wound(1,target(enemy)))"]},
                "foe": {"type": "creature", "life": 3, "strike": 1, "owner": other, "name": "f"},
            },
            "effects": [{"card": "foe", "ability": f"cannot_be(attack,{named})", "source": name}],
        }  # fmt: skip

    def answers(name: str, player: str) -> list[str]:
        state = State.from_dict(document(name, player))
        found = [repr(v) for v in ENGINE.judge(state)]
        found += [repr(o.state.to_dict()) for o in ENGINE.resolve(state, f"use({name},1,foe)")]
        found += [
            repr(next(iter(ENGINE.judge_many([state])))),
            repr(ENGINE.why(state, f"attack({name},foe)")),
        ]
        return found

    plain = answers("zzname", "zzplayer")
    got = answers(word, "zzplayer")
    # the same but for the name, and for the order that it has in lists
    assert sorted(sorted(each.replace("zzname", word)) for each in plain) == sorted(
        map(sorted, got)
    )
    if word not in ("draw", "p2"):
        got = answers("zzname", word)
        assert sorted(sorted(each.replace("zzplayer", word)) for each in plain) == sorted(
            map(sorted, got)
        )


# ---------------------------------------------------------------- actions and abilities


@tried
@given(st.text(SIGNS + "attackuseply", max_size=40))
@example("attack(a,b).legal(c")
@example("use(a,99999999)")
@example("play(" + ",".join("a" * 200) + ")")
@example("attack(" * 500)
@example("defend")
def test_actions_of_anything(text: str) -> None:
    try:
        action = Action.parse(text)
    except StateError as error:
        assert all(fault.startswith("action: ") and len(fault) < 400 for fault in error.faults)
    else:
        assert Action.parse(str(action)) == action


@pytest.mark.parametrize("action", [None, 1, b"pass", ["pass"], "attack(nobody,nothing)"])
def test_actions_of_no_form(action: Any) -> None:
    state = State.from_dict({"active": "a", "players": {"a": {}, "b": {}}, "cards": {}})
    ask: Callable[[State, Any], object]
    for ask in (ENGINE.resolve, ENGINE.why, ENGINE.verdict):
        with pytest.raises(StateError, match="action: "):
            ask(state, action)


INJECTED = (
    'x). legal(A) :- action(A', 'armor(1)). legal(attack(ork,gabriel)', 'armor(1).', 'armor(1) :- not x',
    '"x). legal(A"', 'armor("1)")', "armor(@f(1))", "armor(#inf)", "armor(1..9)", "armor(1;2)", "armor(X)",
    "armor(_)", "#script(python)", "armor(1)%", "armor(1)\n#include \"/etc/passwd\".", "-armor(1)", "~armor(1)",
    "armor(1,)", "(armor(1),)", "armor(|1|)", "armor(2**31)", "name('x')", "armor(\u0661)", "а(1)", "not",
    "not armor(1)", "armor (1", "armor(1)\0",
)  # fmt: skip


@pytest.mark.parametrize("text", INJECTED)
@pytest.mark.parametrize("place", ["abilities", "spent", "effect"])
def test_abilities_inject_no_rules(text: str, place: str) -> None:
    ork: dict[str, Any] = {"type": "creature", "life": 3, "owner": "a"}
    document: Document = {"active": "a", "players": {"a": {}, "b": {}}, "cards": {"ork": ork}}
    if place == "abilities":
        ork["abilities"] = [text]
    elif place == "spent":
        ork["spent"] = {text: 1}
    else:
        document["effects"] = [{"card": "ork", "ability": text}]
    with pytest.raises(StateError):
        State.from_dict(document)


@tried
@given(documents(MIDDLE))
def test_positions_of_the_whole_vocabulary(document: Document) -> None:
    asked(document)


# ---------------------------------------------------------------- rulings


@pytest.fixture
def ruling(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a ruling whose state is in the file of that name."""
    (tmp_path / "in").mkdir()
    state = {"active": "a", "players": {"a": {}, "b": {}}, "cards": {}}
    for file in (tmp_path / "out.yaml", tmp_path / "in" / "state.yaml"):
        file.write_text(json.dumps(state), encoding="utf-8")

    def write(name: str) -> Path:
        path = tmp_path / "in" / "ruling.yaml"
        document = {"ruling": "r", "state": {"file": name}, "legal": ["end_turn"]}
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def test_a_file_of_the_folder_is_read(ruling: Callable[[str], Path]) -> None:
    for name in ("state.yaml", "./state.yaml", "../in/state.yaml"):
        assert len(verify.load_rulings([ruling(name)])) == 1


@pytest.mark.parametrize(
    "name",
    ["../out.yaml", "/etc/passwd", "..", ".", "", "link.yaml", "links/out.yaml", "loop", "pipe",
     "state.yaml\0", "x" * 5000, "../" * 2000 + "etc/passwd", "~/.bashrc", "/dev/zero",
     "file:///etc/passwd", "gone.yaml"],
)  # fmt: skip
def test_rulings_read_nothing_outside_their_folder(
    ruling: Callable[[str], Path], tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "in"
    (folder / "link.yaml").symlink_to(tmp_path / "out.yaml")
    (folder / "links").symlink_to(tmp_path)
    (folder / "loop").symlink_to(folder / "loop")
    os.mkfifo(folder / "pipe")
    path = ruling(name)
    for given_ in (path, folder):
        with pytest.raises(StateError) as raised:
            verify.load_rulings([given_])
        assert "state.file" in str(raised.value) or given_ == folder


@tried
@given(spoilt(), anything, anything, anything)
def test_rulings_that_are_spoilt(
    document: Document, legal: Any, illegal: Any, resolve: Any
) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ruling.yaml"
        ruled = {
            "ruling": "r",
            "state": document,
            "legal": legal,
            "illegal": illegal,
            "resolve": resolve,
        }
        path.write_text(json.dumps(ruled), encoding="utf-8")
        try:
            [found] = verify.load_rulings([path])
            verify.run(ENGINE, found)
        except PyengineError as error:
            assert str(error)


def test_a_file_without_a_ruling_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "empty.yaml"
    for text in ("", "# nothing\n", "---\n---\n"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(StateError, match="holds no ruling"):
            verify.load_rulings([path])
