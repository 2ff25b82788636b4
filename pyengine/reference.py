"""The reference pages: every rule with its reading, where it is encoded, which rulings prove it.

``python -m pyengine.reference`` writes ``docs/rulebook.md``, ``docs/rulebook.ru.md`` and
``docs/coverage.md`` from ``facts/rulebook``, the rule files and ``facts/rulings``; a test compares
them. Places are whole files: lines would change with every edit.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pyengine.documents import data_folder
from pyengine.explain import cited
from pyengine.files import write_whole
from pyengine.i18n import Lang, say
from pyengine.model import EDITIONS
from pyengine.rulebook import FULL_GAME, Rule, Source, rulebook
from pyengine.verify import citations

Key = tuple[str, str]  # an edition and a rule
_INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)
_QUOTED = re.compile(r'"((?:5\d\d[PV]?(?:\.\d+)+)|(?:base|keyword)\.[a-z_]+)"')


@dataclass(frozen=True, slots=True)
class Reference:
    """The rulebook with the files that encode each rule, and the rulings that cite it, by edition.

    ``named``: the rules that rule files name, in comments or in what they derive, with the files.
    """

    book: Mapping[str, Rule]
    encoded: Mapping[Key, tuple[str, ...]]
    proved: Mapping[Key, tuple[str, ...]]
    named: Mapping[str, tuple[str, ...]]

    @staticmethod
    def load(root: Path | None = None) -> Reference:
        """That of the package, or of the folder that holds rules.lp, rules and facts."""
        rules = data_folder("rules") if root is None else root / "rules"
        top = rules.parent
        facts = data_folder("facts") if root is None else root / "facts"
        texts = {
            path.relative_to(top).as_posix(): path.read_text("utf-8")
            for path in [top / "rules.lp", *sorted(rules.rglob("*.lp"))]
        }
        encoded: dict[Key, list[str]] = {}
        for edition in EDITIONS:
            for file in included(f"rules/editions/{edition}.lp", texts):
                for rule in dict.fromkeys(rule for _, rule in cited(texts[file])):
                    encoded.setdefault((edition, rule), []).append(file)
        named: dict[str, list[str]] = {}
        for file, text in texts.items():
            rules_named = [rule for _, rule in cited(text)] + _QUOTED.findall(text)
            for rule in dict.fromkeys(rules_named):
                named.setdefault(rule, []).append(file)
        proved: dict[Key, list[str]] = {}
        for ruling in citations([facts / "rulings"]):
            for edition in ruling.editions:
                for rule in ruling.cites:
                    proved.setdefault((edition, rule), []).append(ruling.ruling)
        return Reference(
            rulebook(),
            {key: tuple(sorted(files)) for key, files in encoded.items()},
            {key: tuple(sorted(rulings)) for key, rulings in proved.items()},
            {rule: tuple(files) for rule, files in named.items()},
        )

    def pairs(self) -> Iterator[Key]:
        """Each rule in each of its editions, save those that the engine does not judge by."""
        for rule in self.book.values():
            if rule.outside is None:
                yield from ((edition, rule.id) for edition in rule.editions)

    def unencoded(self) -> list[Key]:
        """Rules of an edition that no file of that edition cites."""
        return [key for key in self.pairs() if key not in self.encoded]

    def unproved(self) -> list[Key]:
        """Rules of an edition that no ruling of it cites."""
        return [key for key in self.pairs() if key not in self.proved]

    def unknown(self) -> list[str]:
        """Rules that a rule file or a ruling names, and that the edition does not have."""
        out = [
            f"{', '.join(files)}: {rule}"
            for rule, files in self.named.items()
            if rule not in self.book
        ]
        for (edition, rule), rulings in self.proved.items():
            if rule not in self.book or edition not in self.book[rule].editions:
                out.append(f"{', '.join(rulings)}: {rule} ({edition})")
        return out


def included(entry: str, texts: Mapping[str, str]) -> list[str]:
    """A rule file and all that it includes, directly or not."""
    found: dict[str, None] = {}
    waiting = [entry]
    while waiting:
        file = waiting.pop(0)
        if file not in found:
            found[file] = None
            waiting += _INCLUDE.findall(texts[file])
    return list(found)


# ---------------------------------------------------------------- pages

GENERATED = "<!-- written by `python -m pyengine.reference`; change facts/rulebook instead -->"
_WORDS: dict[str, tuple[str, str]] = {
    "title": ("Rulebook", "Правила"),
    "other": ("[По-русски](rulebook.ru.md)", "[In English](rulebook.md)"),
    "intro": (
        "Every rule as the engine reads it, in our own words. Numbers that no fragment prints are"
        " inferred; what is cited `base.…` comes from no fragment and is what the full game does"
        " by default. [coverage.md](coverage.md) has the same as a table.",
        "Каждое правило так, как его читает движок, своими словами. Номера, которых нет во"
        " фрагментах, восстановлены; `base.…` нет ни в одном фрагменте, это поведение полной игры"
        " по умолчанию. То же таблицей: [coverage.md](coverage.md).",
    ),
    "numbered": ("The numbered rules", "Нумерованные правила"),
    "base": ("What the full game does by default", "Поведение полной игры по умолчанию"),
    "keyword": ("Abilities", "Способности"),
    "from": ("Source", "Источник"),
    "full game": ("the full game", "полная игра"),
    "inferred": ("without a number", "без номера"),
    "outside": ("Not judged", "Не судится"),
}


def _say(key: str, lang: Lang) -> str:
    return _WORDS[key][lang == "ru"]


def page(reference: Reference, lang: Lang) -> str:
    """All rules, as Markdown."""
    parts = [GENERATED, f"# {_say('title', lang)}", _say("other", lang), _say("intro", lang)]
    group = ""
    for rule in reference.book.values():
        head = rule.id.partition(".")[0]
        now = head if head in ("base", "keyword") else "numbered"
        if now != group:
            parts.append(f"## {_say(now, lang)}")
            group = now
        parts += _entry(reference, rule, lang)
    return "\n\n".join(parts) + "\n"


def _entry(reference: Reference, rule: Rule, lang: Lang) -> Iterator[str]:
    yield f'<a id="{anchor(rule.id)}"></a>\n\n### {rule.id} {rule.title.of(lang)}'
    yield rule.says.of(lang)
    if rule.example is not None:
        yield f"*{say('example', lang, text=rule.example.of(lang))}*"
    for other in rule.revisions:
        told = f"**{', '.join(other.editions)}:** {other.says.of(lang)}"
        if other.example is not None and other.example != rule.example:
            told += f" *{say('example', lang, text=other.example.of(lang))}*"
        yield told
    if rule.outside is not None:
        yield f"**{_say('outside', lang)}.** {rule.outside.of(lang)}"
    yield "\n".join(f"- {line}" for line in _facts(reference, rule, lang))


def _facts(reference: Reference, rule: Rule, lang: Lang) -> Iterator[str]:
    lent = f"; {say('lent', lang)} {', '.join(rule.lent)}" if rule.lent else ""
    yield f"{_capital(say('editions', lang))}: {', '.join(rule.editions)}{lent}"
    yield f"{_say('from', lang)}: {'; '.join(_source(source, lang) for source in rule.sources)}"
    for key, ids in (("see", rule.see), ("conflicts", rule.conflicts)):
        if ids:
            yield f"{say(key, lang)}: {', '.join(f'[{id}](#{anchor(id)})' for id in ids)}"
    files = _all(reference.encoded, rule)
    rulings = _all(reference.proved, rule)
    if files:
        yield f"{say('encoded', lang)}: {', '.join(map(_file, files))}"
    if rulings:
        yield f"{say('covered', lang)} ({len(rulings)}): {', '.join(f'`{id}`' for id in rulings)}"


def _all(found: Mapping[Key, tuple[str, ...]], rule: Rule) -> list[str]:
    """What there is in any edition of the rule."""
    return sorted({each for edition in rule.editions for each in found.get((edition, rule.id), ())})


def _source(source: Source, lang: Lang) -> str:
    if source.document == FULL_GAME:
        return _say(FULL_GAME, lang)
    number = source.printed or _say("inferred", lang)
    return f"{source.document} ({number})"


def _file(path: str) -> str:
    return f"[{path}](../{path})"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def anchor(rule: str) -> str:
    """The name of a rule within a page."""
    return "rule-" + rule.lower().replace(".", "-")


SHOWN = 3  # rulings named in a row of the table


def table(reference: Reference) -> str:
    """Each rule × edition: where it is encoded, which rulings prove it."""
    parts = [
        GENERATED,
        "# Rules, encoding, rulings",
        "Each rule in each of its editions: the files that encode it, the rulings that prove it."
        " [rulebook.md](rulebook.md) says what each rule means and names every ruling.\n"
        "`pyengine verify facts/rulings --coverage` tells besides which rules the answers name"
        " (exercised) and which the rulings only cite, because their outcome depends on them.",
    ]
    rows = ["| rule | edition | encoded in | rulings |", "|---|---|---|---|"]
    for rule in reference.book.values():
        for edition in rule.editions:
            name = f"[{rule.id}](rulebook.md#{anchor(rule.id)}) {rule.title.en}"
            if rule.outside is not None:
                rows.append(f"| {name} | {edition} | – | – |")
                continue
            files = ", ".join(map(_file, reference.encoded.get((edition, rule.id), ())))
            rulings = reference.proved.get((edition, rule.id), ())
            told = ", ".join(f"`{id}`" for id in rulings[:SHOWN])
            if len(rulings) > SHOWN:
                told += f" and {len(rulings) - SHOWN} more"
            rows.append(f"| {name} | {edition} | {files} | {told} |")
    parts.append("\n".join(rows))
    unjudged = [rule for rule in reference.book.values() if rule.outside is not None]
    if unjudged:
        parts.append("## Rules that the engine does not judge by")
        parts += [f"- {rule.id}: {rule.outside.en}" for rule in unjudged if rule.outside]
    return "\n\n".join(parts) + "\n"


def pages(reference: Reference) -> dict[str, str]:
    """The text of each page, by the name of its file in docs."""
    return {
        "rulebook.md": page(reference, "en"),
        "rulebook.ru.md": page(reference, "ru"),
        "coverage.md": table(reference),
    }


def main() -> None:
    """Writes the pages into docs, or into the folder that is named."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else data_folder("rules").parent / "docs"
    for name, text in pages(Reference.load()).items():
        write_whole(folder / name, text)


if __name__ == "__main__":
    main()
