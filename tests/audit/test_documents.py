"""Seeded faults of a rulebook as a text: each is found, and nothing else is.

``documents.yaml`` lists them; an author's rulebook, chapter and rulings are made of each.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from pyengine import Engine

SEEDS = yaml.safe_load((Path(__file__).parent / "documents.yaml").read_text(encoding="utf-8"))
USUAL = frozenset(each.text.en for each in Engine().check(only=("document",)).findings)
NAME = "mine.txt"


def written(seed: dict[str, Any], folder: Path) -> Path:
    """The folder of an author's rules, with a rulebook and rulings."""
    for name in ("rulebook", "rulings"):
        (folder / name).mkdir(parents=True)
    words = {"en": "One thing", "ru": "Нечто"}
    entries: list[dict[str, Any]] = []
    sections: dict[str, int] = {}
    for place, rule in enumerate(seed["rules"], 1):
        number = rule["id"][:3]
        sections.setdefault(number, 3 * place - 2)
        source = {"document": NAME, "printed": rule.get("printed", rule["id"])}
        source |= {"position": 3 * place} | ({"refers": rule["refers"]} if "refers" in rule else {})
        entry = {"id": rule["id"], "kind": "rule", "title": words, "says": words}
        entry |= {"editions": rule.get("editions", ["heroes"]), "source": [source]}
        entries.append(entry | ({"outside": words} if rule.get("outside") else {}))
    dump(folder / "rulebook" / "mine.yaml", entries)
    headings = [
        {"position": at, "number": int(number), "printed": number, "title": words}
        for number, at in sections.items()
    ]
    document = {"document": NAME, "edition": "heroes", "paragraphs": 99, "sections": headings}
    dump(folder / "rulebook" / "documents.yaml", [document])
    ids = [rule["id"] for rule in seed["rules"]]
    lines = [f"% {id}\nmine({n})." for n, id in enumerate(seed.get("encoded", ids))]
    (folder / "mine.lp").write_text("\n".join(lines) + "\n", encoding="utf-8")
    state = {"active": "p1", "players": {"p1": {}, "p2": {}}, "cards": {}}
    ruling = {"ruling": "mine", "cites": seed.get("proved", ids), "note": "n", "state": state}
    dump(folder / "rulings" / "mine.yaml", ruling | {"legal": ["end_turn"]})
    return folder


def dump(path: Path, value: Any) -> None:
    path.write_text(yaml.safe_dump(value, allow_unicode=True), encoding="utf-8")


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed["seed"])
def test_what_is_seeded_is_found_and_nothing_else(seed: dict[str, Any], tmp_path: Path) -> None:
    report = Engine(written(seed, tmp_path / "rules")).check(only=("document",))
    assert not report.errors
    told = [each for each in report.findings if each.text.en not in USUAL]
    if "told" not in seed:
        assert not told
        return
    (finding,) = told
    assert seed["told"] in finding.text.en and finding.severity == "warning"
    assert finding.text.en != finding.text.ru


def test_there_are_three_that_have_a_fault_and_three_that_have_not() -> None:
    assert sum("told" in seed for seed in SEEDS) >= 3 <= sum("told" not in seed for seed in SEEDS)
