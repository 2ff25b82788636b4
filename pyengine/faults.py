"""What is wrong with an input, in words: English in the text itself, Russian when it is told.

A ``Message`` is its English text, so nothing that handles texts need know of it; it remembers of
what it was made, and ``told`` makes the same of the Russian words.
"""

from __future__ import annotations

from typing import Any


class Message(str):
    """A text made by a template of ``FAULTS``. Parts may be messages too.

    >>> fault = Message("at", place="turn", text=Message("below", value=-1, least=0))
    >>> fault, told(fault, "ru")
    ('turn: -1 is below 0', 'turn: -1 меньше 0')
    """

    __slots__ = ("key", "parts")
    key: str
    parts: dict[str, Any]

    def __new__(cls, key: str, **parts: Any) -> Message:
        """KeyError if there is no such template, or a part of it is missing."""
        self = super().__new__(cls, FAULTS[key][0].format(**parts))
        self.key, self.parts = key, parts
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (self.key, self.parts))


def _again(key: str, parts: dict[str, Any]) -> Message:
    return Message(key, **parts)


def told(text: object, lang: str) -> str:
    """A text in a language; what is no ``Message`` stays as it is."""
    if lang == "en" or not isinstance(text, Message):
        return str(text)
    return FAULTS[text.key][1].format(**{k: _part(v, lang) for k, v in text.parts.items()})


def _part(value: Any, lang: str) -> Any:
    return told(value, lang) if isinstance(value, str) else value


# key: (English, Russian)
FAULTS: dict[str, tuple[str, str]] = {
    "at": ("{place}: {text}", "{place}: {text}"),
    "at_mark": (
        "{place}: line {line}, column {column}: {text}",
        "{place}: строка {line}, столбец {column}: {text}",
    ),
    "below": ("{value} is below {least}", "{value} меньше {least}"),
    "above": ("{value} is above the limit of {most:,}", "{value} больше предела в {most:,}"),
    "near": ("; did you mean {near}?", "; может быть, {near}?"),
    "required": ("is required", "должно быть указано"),
    "required_or": ("is required (or {other})", "должно быть указано (или {other})"),
    "required_of": ("is required of a {type}", "должно быть указано: тип карты — {type}"),
    "unknown_key": ("unknown key{near}", "неизвестный ключ{near}"),
    "key_no_text": ("the key {value} must be text", "ключ {value} должен быть текстом"),
    "not_one_of": ("{value} is not one of {known}", "{value} нет среди {known}"),
    "no_number": ("{value} is not a whole number", "{value} — не целое число"),
    "no_flag": ("{value} is not true or false", "{value} — не true и не false"),
    "no_text": ("{value} is not text", "{value} — не текст"),
    "no_list": ("{value} is not a list", "{value} — не список"),
    "no_mapping": ("{value} is not a mapping", "{value} — не набор ключей"),
    "no_card": ("{value} is no card of this state{near}", "карты {value} в этой позиции нет{near}"),
    "two_players": (
        "there must be exactly two, not {n}",
        "их должно быть ровно двое, а не {n}",
    ),
    "coins_over": (
        "{coins} is above coins_total, {total}",
        "{coins} больше coins_total, то есть {total}",
    ),
    "second_hero": (
        "is a second hero of {owner}, who has {other}",
        "второй герой игрока {owner}, а у него есть {other}",
    ),
    "in_deck": (
        "{card} lies in a deck: nothing is laid there",
        "карта {card} лежит в колоде, на неё ничего не накладывают",
    ),
    "duplicate": (
        "duplicate key (lines {first} and {second})",
        "ключ указан дважды (строки {first} и {second})",
    ),
    "unreadable": ("cannot be read: {why}", "не читается: {why}"),
    "empty": ("is empty", "ничего не содержит"),
    # a document that is too large
    "many_cards": (
        "{n:,} cards are above the limit of {most:,}; --limit cards=N (Limits.cards) allows more",
        "карт {n:,}, а предел — {most:,}; больше разрешит --limit cards=N (Limits.cards)",
    ),
    "many_effects": (
        "{n:,} effects are above the limit of {most:,}; --limit effects=N (Limits.effects) allows"
        " more",
        "эффектов {n:,}, а предел — {most:,}; больше разрешит --limit effects=N (Limits.effects)",
    ),
    "many_abilities": (
        "{n:,} abilities are above the limit of {most:,}; --limit abilities=N (Limits.abilities)"
        " allows more",
        "способностей {n:,}, а предел — {most:,}; больше разрешит --limit abilities=N"
        " (Limits.abilities)",
    ),
    "many_bytes": (
        "is larger than the limit of {most:,} bytes",
        "больше предела в {most:,} байт",
    ),
    "many_bytes_of_state": (
        "is larger than the limit of {most:,} bytes; --limit bytes=N (Limits.bytes) allows more",
        "больше предела в {most:,} байт; больше разрешит --limit bytes=N (Limits.bytes)",
    ),
    "deep": (
        "is nested more than {most:,} deep; --limit depth=N (Limits.depth) allows more",
        "вложенность больше {most:,}; больше разрешит --limit depth=N (Limits.depth)",
    ),
    "many_values": (
        "has more than {most:,} values (aliases count as what they stand for); --limit values=N"
        " (Limits.values) allows more",
        "значений больше {most:,} (ссылки считаются за то, на что указывают); больше разрешит"
        " --limit values=N (Limits.values)",
    ),
    # a question that is too large: which limit, and what raises it
    "limit_seconds": (
        "the answer takes more than {most:,} seconds: ask with fewer cards, or allow more with"
        " --time-limit (Limits.seconds)",
        "на ответ уходит больше {most:,} с: спросите с меньшим числом карт или дайте больше времени"
        " через --time-limit (Limits.seconds)",
    ),
    "limit_rules": (
        "the question comes to more than {most:,} ground rules, as it does with very many cards or"
        " with several targets among them: ask with fewer, or allow more with --limit rules=N"
        " (Limits.rules)",
        "вопрос разворачивается больше чем в {most:,} правил, как бывает, когда карт очень много"
        " или целей среди них несколько: спросите с меньшим числом карт или разрешите больше через"
        " --limit rules=N (Limits.rules)",
    ),
    "limit_steps": (
        "more than {most:,} steps lead on from this declaration: ask with fewer cards, allow more"
        " with --limit steps=N (Limits.steps), or play it with Game, which follows one course",
        "от этого объявления ведут больше {most:,} шагов: спросите с меньшим числом карт, разрешите"
        " больше через --limit steps=N (Limits.steps) или сыграйте его в Game, который идёт одним"
        " путём",
    ),
    "limit_outcomes": (
        "there are more than {most:,} outcomes: ask with fewer cards, or allow more with"
        " --limit outcomes=N (Limits.outcomes)",
        "исходов больше {most:,}: спросите с меньшим числом карт или разрешите больше через"
        " --limit outcomes=N (Limits.outcomes)",
    ),
    "limit_ways": (
        "an ability lets choose in more than {most:,} ways: its parts must be told apart by fewer"
        " choose and choose_any",
        "способность даёт выбирать больше чем {most:,} способами: choose и choose_any в ней должно"
        " быть меньше",
    ),
    "endless": (
        "what this sets off comes back to itself without an end",
        "то, что отсюда следует, возвращается к себе без конца",
    ),
}
