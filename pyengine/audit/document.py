"""`document`: the rulebook as a text, and whether text, encoding and rulings go together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from pyengine.audit.findings import Finding, Place
from pyengine.audit.registry import Context, of_rules, search
from pyengine.audit.words import told
from pyengine.documents import data_folder
from pyengine.explain import cited
from pyengine.rulebook import Rule, Words, faults, fragments, load_rulebook, rulebook
from pyengine.solving import chapters
from pyengine.verify import citations

_REMEDIES = {
    "number_twice": "number_the_rules",
    "number_shared": "number_the_rules",
    "number_in_one_copy": "number_the_rules",
    "number_missing": "number_the_rules",
    "editions_disagree": "settle_editions",
}


@search("document", wanted=of_rules)
def document(context: Context) -> Iterator[Finding]:
    """The faults of the fragments, and what text, encoding and rulings lack of each other."""
    theirs = None if context.folder is None else context.folder / "rulebook"
    theirs = theirs if theirs is not None and theirs.is_dir() else None
    if theirs is None:
        book, own = rulebook(), rulebook()
        documents = fragments()
    else:
        own = load_rulebook(theirs)
        book = {**rulebook(), **own}
        documents = fragments(theirs)
    for fault in faults(own, documents, book):
        context.look("document", 0)
        yield _warning(
            Words(fault.text("en"), fault.text("ru")),
            _REMEDIES.get(fault.code, "write_the_rule"),
            fault.rules,
        )
    yield from _encodings(context, book)


def _warning(
    text: Words, remedy: str, rules: Iterable[str], places: Iterable[Place] = ()
) -> Finding:
    rules = tuple(rules)
    known = tuple(place for rule in rules for place in rule_places(rule))
    return Finding("document", "warning", text, told(remedy), rules, places=(*places, *known))


def _encodings(context: Context, book: Mapping[str, Rule]) -> Iterator[Finding]:
    """Rules that nothing encodes or proves, and encodings of rules that are not there."""
    edition = context.edition
    encoded: dict[str, Place] = {}
    for path in chapters(f"rules/editions/{edition}.lp", context.folder):
        for line, rule in cited(path.read_text("utf-8")):
            place = Place(told_from(path, context.folder), line)
            first = rule not in encoded
            encoded.setdefault(rule, place)
            if rule not in book and first:
                text = told("unknown_rule", file=place.file, rule=rule, edition=edition)
                yield _warning(text, "cite_a_rule", (rule,), (place,))
    proved = {
        rule
        for ruling in citations(_rulings(context.folder))
        if edition in ruling.editions
        for rule in ruling.cites
    }
    for id, entry in book.items():
        if edition not in entry.editions or entry.outside is not None:
            continue
        if id not in encoded:
            yield _warning(told("unencoded", rule=id, edition=edition), "encode_it", (id,))
        if id not in proved:
            yield _warning(told("unproved", rule=id, edition=edition), "add_a_ruling", (id,))


def _rulings(folder: Path | None) -> list[Path]:
    theirs = [] if folder is None else [folder / "rulings"]
    return [data_folder("facts") / "rulings", *(path for path in theirs if path.is_dir())]


def told_from(path: Path, folder: Path | None = None) -> str:
    """The name of a file: one of ours from the folder of the project, another as it was given."""
    root = data_folder("rules").parent
    if (folder is None or not path.is_relative_to(folder)) and path.is_relative_to(root):
        return path.relative_to(root).as_posix()
    return path.as_posix()


@lru_cache(maxsize=1)
def _lines() -> dict[str, Place]:
    """Where each rule stands in the rulebook."""
    out: dict[str, Place] = {}
    for path in sorted((data_folder("facts") / "rulebook").glob("*.yaml")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            entry = re.match(r'- id: "?([^"\s]+)"?', line)
            if entry is not None:
                out.setdefault(entry[1], Place(f"facts/rulebook/{path.name}", number))
    return out


def rule_places(rule: str) -> tuple[Place, ...]:
    """Where the entry of a rule stands, if it has one."""
    place = _lines().get(rule)
    return () if place is None else (place,)
