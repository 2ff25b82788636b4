"""The rulebook: what each rule says, where it stands, and the sentences said in its name.

The entries lie in facts/rulebook, a file for each chapter, and are read once, when first asked
for. An entry is::

    - id: "509.3"               # as it is cited: a number, base.…, keyword.…
      kind: rule                # rule | principle | keyword | default
      editions: [heroes]        # or: all
      lent: [classic]           # optional: editions that go by it where their own text is silent
      title: {en: …, ru: …}
      says: {en: …, ru: …}      # the reading
      example: {en: …, ru: …}   # optional, and so are all below but the source
      reason: {en: …, ru: …}    # a clause for a verdict that this rule decides
      reasons: {lure: {…}}      # the same, for one situation
      step: {en: …, ru: …}      # a clause for a step of a trace
      steps: {close: {…}}
      outside: {en: …, ru: …}   # why the engine does not judge by it, where it does not
      see: ["509.5"]            # rules to read with it
      conflicts: ["525.1"]      # rules of another edition that say the opposite
      source:
        - document: 001_f0dad629efa84bec.txt    # a fragment, or: full game
          printed: "509.3"      # the number as the document prints it, or null
          position: 14          # which paragraph; null: not in the fragment
          last: 15              # if it has several paragraphs
          empty: true           # if it is a heading with nothing below
          refers: ["309.2"]     # what the text refers to
          examples: [{position: 16, printed: "1"}]

`revises: "516.4"` in place of `id` says how that rule reads in other editions: the keys it gives
replace those of the rule. `documents.yaml` describes the fragments; `faults` compares the two.

Clauses begin with a small letter and have no full stop, so that they can be joined.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import yaml

from pyengine.documents import data_folder
from pyengine.model import EDITIONS, StateError

Lang = Literal["en", "ru"]
Part = Literal["title", "says", "example", "reason", "step"]
KINDS = ("rule", "principle", "keyword", "default")
FULL_GAME = "full game"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Words(NamedTuple):
    """One text in both languages."""

    en: str
    ru: str

    def of(self, lang: Lang) -> str:
        """The text in that language."""
        return self.ru if lang == "ru" else self.en


@dataclass(frozen=True, slots=True)
class Source:
    """Where a rule stands. ``position`` counts paragraphs from 1; None: it is not there itself.

    ``examples`` are (position, printed number) pairs.
    """

    document: str
    printed: str | None = None
    position: int | None = None
    last: int | None = None
    empty: bool = False
    refers: tuple[str, ...] = ()
    examples: tuple[tuple[int, str | None], ...] = ()

    def paragraphs(self) -> Iterator[int]:
        """Every paragraph that belongs to the rule there, its examples included."""
        if self.position is not None:
            yield from range(self.position, (self.last or self.position) + 1)
        yield from (position for position, _ in self.examples)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a fragment. ``promises``: what it announces, with the rule that keeps it."""

    position: int
    number: int
    printed: str | None
    title: Words
    promises: tuple[tuple[str, str | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Fragment:
    """How one of the documents is built."""

    document: str
    edition: str
    paragraphs: int
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry. ``chapter`` is the file it stands in, without its ending.

    ``reasons`` and ``steps`` are (situation, clause) pairs; ``revisions`` are the same rule as
    other editions read it; ``lent`` are editions that do not have it, but go by it where their own
    fragments are silent.
    """

    id: str
    kind: str
    editions: tuple[str, ...]
    title: Words
    says: Words
    sources: tuple[Source, ...]
    chapter: str
    example: Words | None = None
    reason: Words | None = None
    reasons: tuple[tuple[str, Words], ...] = ()
    outside: Words | None = None
    step: Words | None = None
    steps: tuple[tuple[str, Words], ...] = ()
    see: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    revisions: tuple[Rule, ...] = ()
    lent: tuple[str, ...] = ()

    def judges(self, edition: str) -> bool:
        """Whether verdicts and traces of that edition may cite it."""
        return edition in self.editions or edition in self.lent

    def within(self, edition: str | None) -> Rule:
        """The rule as that edition reads it."""
        return next((rule for rule in self.revisions if edition in rule.editions), self)

    def clause(self, part: Literal["reason", "step"], *situations: str) -> Words | None:
        """The clause for the first of those situations that has one, else the general one."""
        special = dict(self.reasons if part == "reason" else self.steps)
        general = self.reason if part == "reason" else self.step
        return next((special[name] for name in situations if name in special), general)


# ---------------------------------------------------------------- reading


@cache
def rulebook() -> Mapping[str, Rule]:
    """Every rule by id: the numbered ones in order, then `base`, then the keywords."""
    return MappingProxyType(load_rulebook(data_folder("facts") / "rulebook"))


@cache
def fragments(folder: Path | None = None) -> tuple[Fragment, ...]:
    """The documents that the rules come from; none if the folder does not describe any."""
    path = (folder or data_folder("facts") / "rulebook") / "documents.yaml"
    if not path.exists():
        return ()
    return tuple(
        Fragment(
            raw["document"],
            raw["edition"],
            raw["paragraphs"],
            tuple(
                Section(
                    part["position"],
                    part["number"],
                    part["printed"],
                    Words(**part["title"]),
                    tuple(part.get("promises", {}).items()),
                )
                for part in raw["sections"]
            ),
        )
        for raw in yaml.load(path.read_text("utf-8"), _LOADER)
    )


def rule(rule_id: str, edition: str | None = None) -> Rule:
    """The rule of that id, as that edition reads it; KeyError if there is none."""
    return rulebook()[rule_id].within(edition)


def load_rulebook(folder: Path) -> dict[str, Rule]:
    """The rules of a folder, in order; StateError with all its faults."""
    reader = _Reader()
    for path in sorted(folder.glob("*.yaml")):
        if path.stem != "documents":
            reader.chapter(path.stem, yaml.load(path.read_text("utf-8"), _LOADER))
    return reader.rules()


_REQUIRED = ("kind", "editions", "title", "says", "source")
_OPTIONAL = ("lent", "example", "outside", "reason", "reasons", "step", "steps", "see", "conflicts")
_ID = re.compile(r"5[0-9]{2}[PV]?(\.[0-9]+)+|(base|keyword)\.[a-z_]+")
_PLACEHOLDER = re.compile(r"\{([a-z]*)\}")
# what may be filled in; wounds, coins and cards are `value` with its noun
_MAY_NAME = {
    "reason": {"by", "agent", "target", "action", "ability", "needed", "there", "asked"},
    "step": {"by", "what", "value", "wounds", "coins", "cards"},
}


class _Reader:
    """Gathers the entries of all chapters, and their faults."""

    def __init__(self) -> None:
        self.entries: dict[str, tuple[str, dict[str, Any]]] = {}
        self.revised: list[tuple[str, dict[str, Any]]] = []
        self.faults: list[str] = []

    def chapter(self, name: str, entries: Any) -> None:
        if not isinstance(entries, list):
            self.faults.append(f"{name}: is not a list of rules")
            return
        for place, raw in enumerate(entries):
            entry_id = raw.get("id") if isinstance(raw, dict) else None
            if isinstance(raw, dict) and "revises" in raw:
                self.revised.append((name, raw))
            elif not isinstance(entry_id, str) or not _ID.fullmatch(entry_id):
                self.faults.append(f"{name}[{place}].id: {entry_id!r} is no id of a rule")
            elif entry_id in self.entries:
                self.faults.append(f"{name}: {entry_id} is in {self.entries[entry_id][0]} already")
            else:
                self.entries[entry_id] = (name, raw)

    def rules(self) -> dict[str, Rule]:
        revisions: dict[str, list[Rule]] = defaultdict(list)
        for chapter, raw in self.revised:
            about = raw["revises"]
            if about not in self.entries:
                self.faults.append(f"{chapter}: revises {about!r}, which is no rule")
                continue
            change = {key: value for key, value in raw.items() if key != "revises"}
            whole = {**self.entries[about][1], **change}
            if (revision := self.rule(about, chapter, whole)) is not None:
                revisions[about].append(revision)
        found = {
            entry_id: entry
            for entry_id, (chapter, raw) in self.entries.items()
            if (entry := self.rule(entry_id, chapter, raw, revisions[entry_id])) is not None
        }
        for entry in found.values():
            for other in (*entry.see, *entry.conflicts):
                if other not in found:
                    self.faults.append(f"{entry.chapter}.{entry.id}: {other!r} is no rule")
        if self.faults:
            raise StateError([f"rulebook: {fault}" for fault in self.faults])
        return dict(sorted(found.items(), key=lambda pair: _order(pair[1])))

    def rule(
        self, rule_id: str, chapter: str, raw: dict[str, Any], revisions: Sequence[Rule] = ()
    ) -> Rule | None:
        place = f"{chapter}.{rule_id}"
        before = len(self.faults)
        for key in _REQUIRED:
            if key not in raw:
                self.faults.append(f"{place}: has no {key}")
        for key in raw:
            if key not in ("id", *_REQUIRED, *_OPTIONAL):
                self.faults.append(f"{place}.{key}: is no key of a rule")
        editions = EDITIONS if raw.get("editions") == "all" else tuple(raw.get("editions") or ())
        if not editions or not {*editions} <= {*EDITIONS}:
            self.faults.append(f"{place}.editions: {editions!r} are not editions")
        lent = tuple(raw.get("lent", ()))
        if not {*lent} <= {*EDITIONS} - {*editions}:
            self.faults.append(f"{place}.lent: {lent!r} are not other editions")
        kind = raw.get("kind")
        if kind not in KINDS:
            self.faults.append(f"{place}.kind: {kind!r} is not one of {', '.join(KINDS)}")
        if len(self.faults) > before:
            return None
        title, says = self.words(raw, "title", place), self.words(raw, "says", place)
        try:
            sources = tuple(_source(source) for source in raw["source"])
        except (TypeError, KeyError, AttributeError) as error:
            self.faults.append(f"{place}.source: {error}")
            sources = ()
        out = Rule(
            id=rule_id,
            kind=str(kind),
            editions=editions,
            title=title or Words("", ""),
            says=says or Words("", ""),
            sources=sources,
            chapter=chapter,
            example=self.words(raw, "example", place),
            outside=self.words(raw, "outside", place),
            reason=self.words(raw, "reason", place, "reason"),
            reasons=self.situations(raw, "reason", place),
            step=self.words(raw, "step", place, "step"),
            steps=self.situations(raw, "step", place),
            see=tuple(raw.get("see", ())),
            conflicts=tuple(raw.get("conflicts", ())),
            revisions=tuple(revisions),
            lent=lent,
        )
        return out if len(self.faults) == before else None

    def situations(
        self, raw: dict[str, Any], part: str, place: str
    ) -> tuple[tuple[str, Words], ...]:
        special = raw.get(part + "s", {})
        if special and part not in raw:
            self.faults.append(f"{place}.{part}s: without a general {part}")
        found = ((name, self.words(special, name, f"{place}.{part}s", part)) for name in special)
        return tuple((name, words) for name, words in found if words is not None)

    def words(
        self, raw: dict[str, Any], key: str, place: str, clause: str | None = None
    ) -> Words | None:
        """The text under a key; both languages must be there, with the same placeholders."""
        if key not in raw:
            return None
        pair = raw[key]
        if not isinstance(pair, dict) or {*pair} != {*get_args(Lang)}:
            self.faults.append(f"{place}.{key}: is not a text in en and ru")
            return None
        if not all(isinstance(text, str) and text for text in pair.values()):
            self.faults.append(f"{place}.{key}: is not a text in en and ru")
            return None
        for text in pair.values():
            for name in _PLACEHOLDER.findall(text):
                if name not in _MAY_NAME.get(clause or "", ()):
                    self.faults.append(f"{place}.{key}: {{{name}}} cannot be filled in here")
        return Words(**pair)


def _source(raw: dict[str, Any]) -> Source:
    rest = {key: value for key, value in raw.items() if key not in ("refers", "examples")}
    return Source(
        **rest,
        refers=tuple(raw.get("refers", ())),
        examples=tuple((part["position"], part["printed"]) for part in raw.get("examples", ())),
    )


def _order(entry: Rule) -> tuple[Any, ...]:
    """Numbers first (508.4.1 before 508.5, protection before prevention), classic's base last."""
    head, _, rest = entry.id.partition(".")
    if head in ("base", "keyword"):
        return (1 if head == "base" else 2, entry.editions == ("classic",), rest)
    return (0, int(head[:3]), head[3:], *map(int, rest.split(".")))


# ---------------------------------------------------------------- sentences


def text(
    rule_id: str,
    part: Part = "title",
    lang: Lang = "en",
    *situations: str,
    edition: str | None = None,
    **parts: object,
) -> str:
    """A text of a rule, its placeholders filled in from ``parts``; KeyError for no rule.

    Of a reason or a step the clause for the first of ``situations`` is taken that the rule has,
    then the one for the name of the term ``ability`` (of a reason) or ``what`` (of a step), then
    the general one; a rule without any answers with its title. What is None or not given is
    called by a general noun.

    >>> text("509.3", "reason", agent="boarder")
    'boarder has already defended this turn'
    >>> text("514.1", "reason", "ru", ability="lure(attack,any)", by="guard")
    'карта guard обязывает выбрать целью её'
    >>> text("515V.1", "step", "ru", by="knight", what="elf", value=2)
    'карта knight предотвращает 2 раны для карты elf'
    """
    entry = rule(rule_id, edition)
    if part == "reason" or part == "step":
        term = parts.get("ability" if part == "reason" else "what")
        name = str(term).partition("(")[0]
        words = entry.clause(part, *situations, name) or entry.title
    else:
        words = getattr(entry, part) or Words("", "")
    return fill(words.of(lang), lang, parts)


def fill(template: str, lang: Lang, parts: Mapping[str, object]) -> str:
    """A clause with its placeholders filled in.

    >>> fill("{what} takes {wounds}", "en", {"what": "ork", "value": 1})
    'ork takes 1 wound'
    >>> fill("карта {agent} закрыта", "ru", {})
    'карта закрыта'
    """

    def put(match: re.Match[str]) -> str:
        name = match[1]
        if name in _COUNTED:
            return _count(name, parts.get("value"), lang)
        value = parts.get(name)
        return _NOUNS[lang][name] if value is None else str(value)

    filled = _PLACEHOLDER.sub(put, template)
    return re.sub(r" +(?=[ ,.:;]|$)", "", filled)


# what stands for a thing that is not named; in Russian a noun stands before every name already
_NOUNS: dict[Lang, dict[str, str]] = {
    "en": {
        "by": "a card",
        "agent": "the card",
        "target": "the target",
        "action": "the declaration",
        "ability": "its text",
        "what": "a card",
        "value": "a number",
        "needed": "a number",
        "there": "fewer",
        "asked": "something else",
    },
    "ru": {
        "by": "",
        "agent": "",
        "target": "",
        "action": "",
        "ability": "её текст",
        "what": "",
        "value": "",
        "needed": "число",
        "there": "меньше",
        "asked": "другое",
    },
}
# one; several; for Russian one, two to four, more, in the accusative
_COUNTED: dict[str, dict[Lang, tuple[str, ...]]] = {
    "wounds": {"en": ("wound", "wounds"), "ru": ("рану", "раны", "ран")},
    "coins": {"en": ("coin", "coins"), "ru": ("монету", "монеты", "монет")},
    "cards": {"en": ("card", "cards"), "ru": ("карту", "карты", "карт")},
}


def _count(noun: str, number: object, lang: Lang) -> str:
    forms = _COUNTED[noun][lang]
    if not isinstance(number, int):
        return forms[1]
    if lang == "en":
        return f"{number} {forms[number != 1]}"
    if number % 10 == 1 and number % 100 != 11:
        return f"{number} {forms[0]}"
    few = number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)
    return f"{number} {forms[1 if few else 2]}"


# ---------------------------------------------------------------- the documents' own mistakes


@dataclass(frozen=True, slots=True)
class DocumentFault:
    """A mistake of the documents: a code of FAULTS, (document, paragraph) pairs, rules."""

    code: str
    places: tuple[tuple[str, int], ...]
    rules: tuple[str, ...]
    parts: tuple[tuple[str, Words], ...] = ()

    def text(self, lang: Lang = "en") -> str:
        """What is wrong, in that language."""
        parts = {name: words.of(lang) for name, words in self.parts}
        return FAULTS[self.code].of(lang).format(rules=", ".join(self.rules), **parts)


FAULTS = {
    "number_twice": Words(
        "the number {number} is printed for {rules}, so it names no single rule",
        "номер {number} напечатан у нескольких правил ({rules}) и не указывает ни на одно",
    ),
    "number_shared": Words(
        "the sections {first} and {second} share the number {number}, and {next} follows {last}",
        "разделы {first} и {second} делят номер {number}, а после {last} идёт {next}",
    ),
    "number_in_one_copy": Words(
        "{rules}: numbered in {full}, without numbers in {bare}",
        "{rules}: в {full} с номерами, в {bare} без номеров",
    ),
    "number_missing": Words(
        "printed without a number, which is inferred here: {rules}",
        "напечатаны без номера, он здесь восстановлен: {rules}",
    ),
    "number_skipped": Words(
        "{edition}: no fragment has these numbers: {numbers}",
        "{edition}: ни в одном фрагменте нет номеров {numbers}",
    ),
    "dangling_reference": Words(
        "{rules} refers to {reference}, which no fragment has",
        "{rules} ссылается на то, чего нет ни в одном фрагменте: {reference}",
    ),
    "broken_promise": Words(
        "the title of {number} promises a rule {name}, and there is none",
        "заглавие {number} обещает правило {name}, а его нет",
    ),
    "empty_rule": Words("{rules} is a heading with no text", "{rules}: заглавие без текста"),
    "lone_example": Words(
        "{rules} has an example {number} and no other",
        "у {rules} есть пример {number}, а других нет",
    ),
    "editions_disagree": Words(
        "{rules}: rules of different editions that say the opposite",
        "{rules}: правила разных редакций, противоположные по смыслу",
    ),
}
_Stands = list[tuple[Rule, Source]]


def faults(
    book: Mapping[str, Rule] | None = None,
    documents: Sequence[Fragment] | None = None,
    beside: Container[str] = (),
) -> tuple[DocumentFault, ...]:
    """What is wrong in the documents themselves, found from where the rules stand in them.

    Args:
        book: their rules; None: ours.
        documents: how they are built; None: ours.
        beside: ids of rules of other documents, which these may refer to.
    """
    book = rulebook() if book is None else book
    documents = fragments() if documents is None else documents
    names = {fragment.document for fragment in documents}
    stands = [
        (r, source) for r in book.values() for source in r.sources if source.document in names
    ]
    return (
        *_number_twice(stands),
        *_number_shared(documents, stands),
        *_number_in_one_copy(stands),
        *_number_missing(stands),
        *_number_skipped(documents, stands),
        *_dangling_reference(book, beside, stands),
        *_broken_promise(documents),
        *(_fault("empty_rule", [(r, source)]) for r, source in stands if source.empty),
        *_lone_example(stands),
        *(
            _fault("editions_disagree", [pair for pair in stands if pair[0].id in (r.id, other)])
            for r in book.values()
            for other in r.conflicts
            if r.id < other
        ),
    )


def _fault(code: str, stands: _Stands, **parts: str | Words) -> DocumentFault:
    return DocumentFault(
        code,
        tuple((s.document, s.position) for _, s in stands if s.position is not None),
        tuple(dict.fromkeys(r.id for r, _ in stands)),
        tuple((n, Words(w, w) if isinstance(w, str) else w) for n, w in parts.items()),
    )


def _grouped(pairs: Iterable[tuple[Any, tuple[Rule, Source]]]) -> Iterable[tuple[Any, _Stands]]:
    groups: dict[Any, _Stands] = defaultdict(list)
    for key, stand in pairs:
        groups[key].append(stand)
    return groups.items()


def _number_twice(stands: _Stands) -> Iterator[DocumentFault]:
    numbered = (((s.document, s.printed), (r, s)) for r, s in stands if s.printed is not None)
    for (_, number), group in _grouped(numbered):
        if len(group) > 1:
            yield _fault("number_twice", group, number=number)


def _number_shared(documents: Sequence[Fragment], stands: _Stands) -> Iterator[DocumentFault]:
    for fragment in documents:
        for first, second, then in zip(*(fragment.sections[n:] for n in range(3)), strict=False):
            if first.number == second.number:
                among = [
                    (r, s)
                    for r, s in stands
                    if s.document == fragment.document
                    and s.printed is not None
                    and first.position < (s.position or 0) < then.position
                ]
                yield _fault(
                    "number_shared",
                    among,
                    first=first.title,
                    second=second.title,
                    number=str(first.number),
                    next=str(then.number),
                    last=str(max(among, key=lambda stand: stand[1].position or 0)[1].printed),
                )


def _number_in_one_copy(stands: _Stands) -> Iterator[DocumentFault]:
    copies = [
        ((full.document, bare.document), (r, source))
        for r, full in stands
        for other, bare in stands
        if r is other and full.printed is not None and bare.position and bare.printed is None
        for source in (full, bare)
    ]
    for (full_name, bare_name), group in _grouped(copies):
        yield _fault("number_in_one_copy", group, full=full_name, bare=bare_name)


def _number_missing(stands: _Stands) -> Iterator[DocumentFault]:
    numbered = {r.id for r, s in stands if s.printed is not None}
    bare = [(r, s) for r, s in stands if r.id not in numbered and s.position is not None]
    if bare:
        yield _fault("number_missing", bare)


def _number_skipped(documents: Sequence[Fragment], stands: _Stands) -> Iterator[DocumentFault]:
    for edition in dict.fromkeys(fragment.edition for fragment in documents):
        names = {fragment.document for fragment in documents if fragment.edition == edition}
        known: dict[tuple[int, ...], set[int]] = defaultdict(set)
        for r, source in stands:
            if source.document in names:
                number = tuple(int(part) for part in re.findall(r"[0-9]+", r.id))
                for depth in range(len(number)):
                    known[number[:depth]].add(number[depth])
        # sections are counted from the first one there is, what is in them from 1
        skipped = sorted(
            (*above, missing)
            for above, here in known.items()
            for missing in {*range(1 if above else min(here), max(here))} - here
        )
        if skipped:
            listed = ", ".join(".".join(map(str, number)) for number in skipped)
            yield _fault("number_skipped", [], edition=edition, numbers=listed)


def _dangling_reference(
    book: Mapping[str, Rule], beside: Container[str], stands: _Stands
) -> Iterator[DocumentFault]:
    references = (
        (to, (r, s)) for r, s in stands for to in s.refers if to not in book and to not in beside
    )
    for reference, group in _grouped(references):
        named = Words(reference, reference.replace("part", "часть"))
        yield _fault("dangling_reference", group, reference=named)


def _broken_promise(documents: Sequence[Fragment]) -> Iterator[DocumentFault]:
    for fragment in documents:
        for section in fragment.sections:
            for name, kept in section.promises:
                if kept is None:
                    place = ((fragment.document, section.position),)
                    parts = (("number", str(section.number)), ("name", name))
                    told = tuple((key, Words(word, word)) for key, word in parts)
                    yield DocumentFault("broken_promise", place, (), told)


def _lone_example(stands: _Stands) -> Iterator[DocumentFault]:
    for r, source in stands:
        numbers = [printed for _, printed in source.examples if printed]
        if len(numbers) == 1:
            yield _fault("lone_example", [(r, source)], number=numbers[0])
