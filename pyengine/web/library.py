"""What never changes while the server runs: cards, vocabulary, rulebook, rulings, samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from pyengine import explain, i18n
from pyengine.audit.registry import Context, Options, chosen
from pyengine.audit.words import CODES
from pyengine.documents import data_folder
from pyengine.kinds import Kind, catalogue
from pyengine.model import EDITIONS, PHASES, TYPES, VERBS, ZONES, Sight, State
from pyengine.rulebook import rulebook
from pyengine.terms import Entry, Sort, vocabulary
from pyengine.verify import DeckQuestion, OpeningQuestion, Ruling, load_rulings


@dataclass(frozen=True, slots=True)
class Library:
    """The documents of the GET addresses, made once."""

    cards: dict[str, Any]
    vocabulary: dict[str, Any]
    rules: Mapping[str, dict[str, Any]]
    states: Mapping[str, dict[str, Any]]

    @staticmethod
    def load() -> Library:
        """Reads the facts of the package."""
        traces = explain.Traces.load()
        return Library(
            {"cards": [_kind(kind) for kind in catalogue().values()]},
            _vocabulary(),
            {id: explain.entry(rule, traces) for id, rule in rulebook().items()},
            {file.stem: _sample(file.read_text("utf-8")) for file in _samples()},
        )


@cache
def rulings() -> Mapping[str, dict[str, Any]]:
    """The rulings of the package by id. Reading all their positions takes a second or two."""
    return {each.id: _ruling(each) for each in load_rulings([data_folder("facts") / "rulings"])}


def _ruling(ruling: Ruling) -> dict[str, Any]:
    """A question with its answer, in the words of CONTRACT 7; the position is written out."""
    return {
        "ruling": ruling.id,
        "edition": ruling.edition,
        "cites": list(ruling.cites),
        "note": ruling.note,
        "state": ruling.state.to_dict(),
        "legal": [str(action) for action in ruling.legal],
        "illegal": {str(action): list(rules) for action, rules in ruling.illegal},
        "resolve": [
            {"action": str(each.action), "outcomes": list(each.outcomes)} for each in ruling.resolve
        ],
        **({} if ruling.deck is None else {"deck": _deck(ruling.deck)}),
        **({} if ruling.opening is None else {"opening": _opening(ruling.opening)}),
        **({"sight": dict(map(_sight, ruling.sight))} if ruling.sight else {}),
    }


def _deck(asked: DeckQuestion) -> dict[str, Any]:
    return {"hero": asked.hero, "cards": dict(asked.cards), "unfit": list(asked.unfit)}


def _opening(asked: OpeningQuestion) -> dict[str, Any]:
    under = {player: list(cards) for player, cards in asked.under}
    return {"first": asked.first, "under": under, "comes": dict(asked.comes)}


def _sight(told: tuple[str, Sight]) -> tuple[str, dict[str, list[str]]]:
    player, sight = told
    return player, {"unseen": sorted(sight.unseen), "in_place": sorted(sight.in_place)}


def _kind(kind: Kind) -> dict[str, Any]:
    """A kind of card as facts/cards has it; ``complete``: its abilities are all there."""
    return {
        "id": kind.id,
        "name": {lang: kind.name(lang) for lang in i18n.LANGUAGES},
        "edition": kind.edition,
        "type": kind.type,
        "class": list(kind.classes),
        "element": list(kind.element),
        "cost": kind.cost,
        "strike": list(kind.strike) if isinstance(kind.strike, tuple) else kind.strike,
        "life": kind.life,
        "abilities": list(kind.abilities),
        "complete": not kind.waits_for,
        "waits_for": list(kind.waits_for),
        "set": kind.set,
        "number": kind.number,
        "deck_copies": kind.deck_copies,
        "created": kind.created,
    }


def _vocabulary() -> dict[str, Any]:
    words = vocabulary()
    names = yaml.safe_load((data_folder("facts") / "names.yaml").read_text("utf-8"))
    return {
        "sorts": {name: _sort(sort) for name, sort in words.sorts.items()},
        "terms": {
            section: {name: _term(entry) for name, entry in entries.items()}
            for section, entries in words.terms.items()
        },
        "names": names,
        "words": _pairs(i18n.WORDS),
        "steps": _pairs(i18n.STEPS),
        "editions": list(EDITIONS),
        "phases": list(PHASES),
        "zones": list(ZONES),
        "types": {edition: list(types) for edition, types in TYPES.items()},
        "verbs": {
            verb: {"least": least, "most": most, "numbers": list(numbers)}
            for verb, (least, most, numbers) in VERBS.items()
        },
        "codes": {code: {"en": title.en, "ru": title.ru} for code, (title, _) in CODES.items()},
        "searches": _apart(each.codes for each in chosen(Context(Options())).values()),
    }


def _apart(searches: Iterable[Sequence[str]]) -> list[list[str]]:
    """Codes that are asked for together: a code that several searches look for is in one list."""
    out: list[list[str]] = []
    for codes in searches:
        found = [each for each in out if set(each) & set(codes)]
        joined = list(dict.fromkeys([*(code for each in found for code in each), *codes]))
        if found:
            out[out.index(found[0])] = joined
            out = [each for each in out if each is joined or each not in found[1:]]
        else:
            out.append(joined)
    return out


def _pairs(words: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, str]]:
    return {key: dict(zip(i18n.LANGUAGES, pair, strict=True)) for key, pair in words.items()}


def _sort(sort: Sort) -> dict[str, Any]:
    """A sort of argument: a term of a section, a number within bounds, a name, or any of these."""
    return {
        "en": sort.en,
        "ru": sort.ru,
        "numbers": None if sort.numbers is None else list(sort.numbers),
        "names": sorted(sort.names),
        "any_name": sort.any_name,
        "terms": [[entry.section, name] for name, entry in sort.terms.items()],
    }


def _term(entry: Entry) -> dict[str, Any]:
    """A term with its forms: of each argument the sort, or the one word that may stand there."""
    return {
        "en": entry.en,
        "ru": entry.ru,
        "forms": [
            {
                "arguments": [
                    {"word": slot.word} if slot.word else {"sort": slot.sort} for slot in form.slots
                ],
                "rest": form.rest,
            }
            for form in entry.signatures
        ],
        "without": sorted(entry.without),  # words that mean nothing as its first argument
        "target": entry.target,
        "edition": entry.edition,
    }


def _samples() -> list[Any]:
    return sorted((data_folder("facts") / "states").glob("*.yaml"))


def _sample(text: str) -> dict[str, Any]:
    """A sample position: its text, what its head says of it in both languages, and the state."""
    paragraphs: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        said = line.removeprefix("#").strip()
        if said:
            paragraphs[-1].append(said)
        else:
            paragraphs.append([])
    told = [" ".join(lines) for lines in paragraphs if lines]
    state = State.from_json(text)
    return {
        "about": dict(zip(i18n.LANGUAGES, told, strict=False)),
        "edition": state.edition,
        "yaml": text,
        "state": state.to_dict(),
    }
