"""The catalogue of faults: every message in both languages, with the same parts, and used."""

from __future__ import annotations

import ast
import errno
import os
import pickle
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pyengine import State, StateError, documents, faults, gamelog, terms
from pyengine.audit import Scope
from pyengine.faults import Message, told
from pyengine.game import starter_deck
from pyengine.model import Action, ChoiceError, Fork
from pyengine.queue import option_of
from pyengine.verify import load_rulings
from pyengine.wordings import FAULTS, LIBRARIES

FOLDER = Path(faults.__file__).parent
SOURCES = {
    str(path.relative_to(FOLDER)): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.rglob("*.py"))
}
# What is said of the package's own files, not of an input; and by Dask, to who runs a cluster.
NOT_OF_AN_INPUT = ("cluster.py", "clauses.py", "rulebook.py")
# what carries the faults of an input
ERRORS = ("StateError", "ActionError", "TermError", "DeckError", "ChoiceError", "HistoryError",
          "LimitError")  # fmt: skip
# what makes a message that has both languages, by whatever mechanism
MAKERS = ("Message", "at", "say", "many", "located", "listed", "within", "_no_extra")


def words() -> set[str]:
    """Every text that stands in the sources as it is, but for the catalogue."""
    return {
        node.value
        for name, tree in SOURCES.items()
        if name != "wordings.py"
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


WORDS = words()


def called(node: ast.AST) -> str:
    """What a call calls: the name, or the last of `a.b.name`."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else ""


# which argument of what is the key of a message, and where
KEYS = {
    "*": {"Message": 0, "at": 1, "_no_action": 0, "_shape": 1},
    "terms.py": {"fault": 1, "_fault": 2},
    "verify.py": {"fault": 1},
}


def keys() -> Iterator[str]:
    """Every key that is written out where a message is made."""
    for name, tree in SOURCES.items():
        places = {**KEYS["*"], **KEYS.get(name, {})}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and len(node.args) > (
                place := places.get(called(node), 9)
            ):
                key = node.args[place]
                if isinstance(key, ast.Constant):
                    yield str(key.value)


def parts(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


NO_WORDS = ("at", "under", "games", "both", "comma", "form")  # only put together what others say


@pytest.mark.parametrize("key", FAULTS)
def test_both_languages_say_the_same(key: str) -> None:
    english, russian = FAULTS[key]
    assert key == "both" or parts(english) == parts(russian)
    assert key in NO_WORDS or re.search("[а-яё]", russian)
    assert not re.search("[а-яё]", english)


@pytest.mark.parametrize("key", FAULTS)
def test_no_message_is_left_over(key: str) -> None:
    # some are made of the name of a limit, of a thing or of a sort
    made = key.startswith(("limit_", "many_", "no_such_", "no_numbers", "no_codes", "strange_"))
    assert key in WORDS or made


def test_every_message_that_is_used_is_there() -> None:
    found = set(keys())
    assert len(found) > 150 and found <= set(FAULTS)


def plain(node: ast.AST) -> list[ast.AST]:
    """The texts written out in an expression that no maker of messages takes."""
    if called(node) in MAKERS:
        return []
    if isinstance(node, ast.Subscript | ast.Compare):
        return []
    if isinstance(node, ast.JoinedStr):
        written = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        return [node] if re.search("[a-z]{2} |: [a-z]", written) else []
    if isinstance(node, ast.Constant):
        return (
            [node] if isinstance(node.value, str) and re.search("[a-z] [a-z]", node.value) else []
        )
    return [found for child in ast.iter_child_nodes(node) for found in plain(child)]


def written(node: ast.AST) -> str:
    return f"{getattr(node, 'lineno', 0)}: {ast.unparse(node)}"


def told_in_english(tree: ast.AST) -> list[str]:
    """Where a text is raised, or gathered as a fault, that is no message."""
    said: list[ast.AST] = []
    for node in ast.walk(tree):
        name = called(node)
        if isinstance(node, ast.Call) and (name in ERRORS or name in ("fault", "put", "_Stop")):
            said += [*node.args, *(each.value for each in node.keywords)]
        elif (
            isinstance(node, ast.Call)
            and name in ("append", "extend")
            and "faults" in ast.unparse(node.func)
        ):
            said += node.args
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(ast.unparse(target) in ("faults", "self.faults", "fault") for target in targets):
                said += [node.value] if node.value is not None else []
    return sorted(written(node) for each in said for node in plain(each))


@pytest.mark.parametrize("name", [name for name in SOURCES if name not in NOT_OF_AN_INPUT])
def test_whatever_is_wrong_is_told_in_both_languages(name: str) -> None:
    assert told_in_english(SOURCES[name]) == []


def test_a_text_in_one_language_would_be_found() -> None:
    source = """
raise StateError([f"{place}: is no deck"])
faults.append(f"{place}: " + "is too long")
self.fault(path, "is not a list")
faults += [f"{name}: {key} is missing" for key in keys]
raise StateError([at(place, "empty")])
"""
    assert [each.partition(":")[0] for each in told_in_english(ast.parse(source))] == [
        "2", "3", "4", "5",
    ]  # fmt: skip


def test_faults_of_a_state_in_russian() -> None:
    document = {
        "active": "p3", "turn": -1, "players": {"p1": {"coins": "x"}, "p2": {}},
        "cards": {"ork": {"type": "creature", "owner": "p1", "zonne": "play", "closed": 1}},
        "effects": [{"card": "okr", "ability": "charge"}],
    }  # fmt: skip
    with pytest.raises(StateError) as raised:
        State.from_dict(document)
    assert sorted(told(fault, "ru") for fault in raised.value.faults) == [
        "active: 'p3' нет среди p1, p2",
        "cards.ork.closed: 1 — не true и не false",
        "cards.ork.life: должно быть указано: тип карты — creature",
        "cards.ork.zonne: неизвестный ключ; может быть, zone?",
        "effects[0].card: карты 'okr' в этой позиции нет; может быть, ork?",
        "players.p1.coins: 'x' — не целое число",
        "turn: -1 меньше 0",
    ]


def test_a_message_is_its_english_text_and_can_be_sent() -> None:
    fault = Message("at", place="turn", text=Message("below", value=-1, least=0))
    again = pickle.loads(pickle.dumps(fault))
    assert again == fault == "turn: -1 is below 0" and told(again, "ru") == "turn: -1 меньше 0"
    assert told("plain", "ru") == "plain"


def ruling(path: Path, text: str) -> object:
    (path / "r.yaml").write_text(text, encoding="utf-8")
    return load_rulings([path / "r.yaml"])


# how an input is read, and what is wrong with it
IN_RUSSIAN: dict[str, tuple[Callable[[Path], object], str]] = {
    "a term": (
        lambda _: terms.parse("armor(1"),
        "столбец 6 в 'armor(1': этой '(' не хватает ')'",
    ),
    "an action": (
        lambda _: Action.parse("attak(a,b)"),
        "action: действия 'attak' нет; может быть, attack?",
    ),
    "its arguments": (
        lambda _: Action.parse("attack"),
        "action: аргументов у attack должно быть 2, а в 'attack' ни одного",
    ),
    "a scope": (
        lambda _: Scope.parse("cards"),
        "scope: 'cards' — не вида cards=4; известны: cards=1…8, effects=0…8, numbers=1…9",
    ),
    "a log": (
        lambda _: gamelog.parse("{}"),
        "log: строка 1: не первая строка записи партии",
    ),
    "YAML": (
        lambda _: documents.parse_document("a: *b", "t"),
        "t: строка 1, столбец 4: ссылка *b ещё ни на что не указывает",
    ),
    "a ruling": (
        lambda path: ruling(path, "ruling: r\nstate: {active: 1}\nlegal: 3"),
        "{path}/r.yaml: r: state.active: 1 — не текст",
    ),
    "a hero": (
        lambda _: starter_deck("nobody_at_all"),
        "deck: 'nobody_at_all' — не герой; герои учебного набора:"
        " kos_zag_ataman, furgot, vitoslava, snirk",
    ),
}


@pytest.mark.parametrize("what", IN_RUSSIAN)
def test_faults_of_what_is_no_state_in_russian(what: str, tmp_path: Path) -> None:
    read, wanted = IN_RUSSIAN[what]
    with pytest.raises(StateError) as raised:
        read(tmp_path)
    assert told(raised.value.faults[0], "ru") == wanted.replace("{path}", str(tmp_path))


@pytest.mark.parametrize("text", ["chrge", "armor(0)", "armor(charge)", "cannot(1)", "charge(1)"])
def test_a_sort_is_called_in_the_language_of_the_fault(text: str) -> None:
    (fault,) = terms.check(text)
    russian = told(fault, "ru").partition(": ")[2]  # after the place, which quotes the term
    assert not set(re.findall("[a-z]+", russian)) - set(re.findall("[a-z]+", text)) - {"charge"}


def test_what_is_raised_alone_is_told_too() -> None:
    with pytest.raises(ChoiceError) as raised:
        option_of(Fork("p1", "509.3", ("a", "b"), (1, 1), State("p1", (), ())), 5)
    again = pickle.loads(pickle.dumps(raised.value))
    assert told(again.args[0], "ru") == "5 нет среди: a, b"


BROKEN = (
    "[1, 2", "{a: 1", "{a: 1]", "a: b: c", "a:\n\t- b", "- a\nb", "a: 'x", "\x01", "a: @x", "*", "a: &",
    "%YAML", "%YAML 2.0\n---\na", "%FOO\n", "!<x a", "!a!b c", '"\\q"', '"\\xZZ"', '"\\ud800"',
    "a: |0\n x", "a: | x\n y", "- - a\n -b", "key: - a", "}", "a: !%zz b", "--- 'b\n---",
    "a:\n  - b\n c: d", "a: b\n- c",
)  # fmt: skip


@pytest.mark.parametrize("text", BROKEN)
def test_what_the_yaml_library_says_is_told_in_russian(text: str) -> None:
    with pytest.raises(StateError) as raised:
        documents.parse_document(text, "t")
    (fault,) = raised.value.faults
    english, russian = (told(fault, lang).partition("YAML: ")[2] for lang in ("en", "ru"))
    assert english in LIBRARIES and russian == LIBRARIES[english]


def test_the_words_for_libraries_are_russian() -> None:
    for russian in LIBRARIES.values():
        assert re.search("[а-я]", russian) and not re.search("[a-z]{2}", russian)
    # what is not known stays as it is
    assert told(faults.of_library("found a dragon"), "ru") == "found a dragon"


@pytest.mark.parametrize("key", faults._SYSTEM)
def test_reasons_of_the_system_have_words_in_russian(key: str) -> None:
    number = getattr(errno, key)
    reason = faults.reason(OSError(number, os.strerror(number)))
    assert reason == os.strerror(number)
    assert re.search("[а-я]", told(reason, "ru"))


def test_another_reason_stays_as_the_system_tells_it() -> None:
    assert told(faults.reason(OSError(errno.EXDEV, "Invalid cross-device link")), "ru") == (
        "Invalid cross-device link"
    )
    assert faults.reason(OSError("no number")) == "no number"


def test_thousands_are_parted_as_each_language_does() -> None:
    fault = Message("term_long", most=1000000)
    assert str(fault) == "is longer than the limit of 1,000,000 characters"
    assert (
        told(fault, "ru") == "длиннее предела в 1\N{NO-BREAK SPACE}000\N{NO-BREAK SPACE}000 знаков"
    )
