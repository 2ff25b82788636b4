"""The help of the commands in Russian: what `cli` says in English, and the frames around it.

The help is built before any option is read, so the language is looked for in the words of the
command line themselves. `cli` writes its texts in English, in place; here each has its Russian
form, found by the English one as in gettext. A text without one stays English, and a test says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer
import typer.main

from pyengine.i18n import LANGUAGES, Lang, language, say

Command = Any  # typer gives its commands no public type

HELP: Mapping[str, str] = {
    "A rules judge for the card game Berserk: what is legal, why, and what comes of it.": (
        "Судья по правилам карточной игры «Берсерк»: что легально, почему и что из этого выйдет."
    ),
    "Print the version.": "Напечатать версию.",
    "Install completion for the current shell.": "Установить дополнение команд для этой оболочки.",
    "Show completion for the current shell, to copy it or customize the installation.": (
        "Показать дополнение команд для этой оболочки: скопировать его или настроить по-своему."
    ),
    "Show this message and exit.": "Показать эту справку.",
    # what many commands take
    "A state file, YAML or JSON; - is standard input.": (
        "Файл позиции, YAML или JSON; «-» — стандартный ввод."
    ),
    "A state file, YAML or JSON; - is standard input. A card of the sets needs none.": (
        "Файл позиции, YAML или JSON; «-» — стандартный ввод. Карте из наборов позиция не нужна."
    ),
    "The action, such as 'attack(ork,gabriel)'.": "Действие, например 'attack(ork,gabriel)'.",
    "Print JSON instead of text.": "Напечатать JSON вместо текста.",
    "The language of the answer; else that of the locale (JSON: en).": (
        "Язык ответа; если не указан, язык системы (для JSON — en)."
    ),
    "Read it by the rules of this edition.": "Судить по правилам этой редакции.",
    "Leave out what is of other editions.": "Пропустить всё, что относится к другим редакциям.",
    "The longest that the answer to a question may take; 30 unless told.": (
        "Сколько самое большее отвечать на один вопрос; если не указано, 30."
    ),
    "Another limit: bytes, depth, values, cards, effects, abilities, rules, steps, outcomes."
    " Can be given several times.": (
        "Другой предел: bytes, depth, values, cards, effects, abilities, rules, steps, outcomes."
        " Можно указать несколько раз."
    ),
    "Draw it too: .svg, .png, .pdf, or .dot. Needs pyengine[picture] and Graphviz.": (
        "Ещё и нарисовать: .svg, .png, .pdf или .dot. Нужны pyengine[picture] и Graphviz."
    ),
    # legal, why, resolve, show
    "Every action that the player to decide could declare, with the verdict on it.": (
        "Все действия, которые мог бы заявить решающий игрок, и вердикт о каждом."
    ),
    "Leave out what is illegal.": "Пропустить нелегальные.",
    "Why an action is legal or illegal: the norms that decide, down to the facts.": (
        "Почему действие легально или нелегально: нормы, которые это решают, вплоть до фактов."
    ),
    "Exit code 1 if it is illegal.": "Код выхода 1, если оно нелегально.",
    "All outcomes of an action, each with its choices, its steps and the state it ends in.": (
        "Все исходы действия, у каждого — сделанный выбор, шаги и итоговая позиция."
    ),
    "Exit code 1 if the action is illegal.": "Код выхода 1, если действие нелегально.",
    "On the picture strike, life and cost are what they are now, with all that changes them.": (
        "На картинке удар, жизнь и цена — такие, как сейчас, со всем, что их меняет."
    ),
    "The table as a picture; with --json the whole state, no default left out.": (
        "Стол рисунком; с --json — вся позиция, со всеми значениями по умолчанию."
    ),
    "One card, by its id or name, and what its abilities mean.": (
        "Одна карта (обозначение или имя) и что значат её способности."
    ),
    # verify
    "Run rulings and compare the answers with theirs. Exit code 1 if one fails.": (
        "Задать вопросы решений и сверить ответы. Код выхода 1, если хоть один не сошёлся."
    ),
    "Ruling files, and folders of them.": "Файлы с решениями и папки с ними.",
    "List the rules and the precedences that rulings exercised, and the others.": (
        "Перечислить, какие правила и старшинства решениями проверены, а какие нет."
    ),
    # check
    "What contradicts what in rules and cards, each with the smallest position that shows it.": (
        "Что в правилах и картах противоречит друг другу; каждый раз с наименьшей позицией, где это"
        " видно."
    ),
    "Exit code 1 if something at or above --fail-on is found.": (
        "Код выхода 1, если найдено что-то не легче --fail-on."
    ),
    "Whose rules.": "Чьи правила.",
    "A file or folder of cards, checked against those of the sets.": (
        "Файл или папка с картами, которые проверить вместе с картами наборов."
    ),
    "A printed set to look at; else 22.": "Какой печатный набор смотреть; если не указан, 22.",
    "Changed and added chapters.": "Изменённые и добавленные главы.",
    "How two editions differ; with --rules: ours and the changed ones.": (
        "Чем отличаются две редакции; с --rules — наша от изменённой."
    ),
    "How far to look: cards 1 to 8, effects 0 to 8, numbers 1 to 9.": (
        "Как далеко искать: карт (cards) от 1 до 8, эффектов (effects) от 0 до 8,"
        " чисел (numbers) от 1 до 9."
    ),
    "Exit code 1 from here on.": "С какой тяжести код выхода 1.",
    "Look for this alone; may be repeated.": "Искать только это; можно указать несколько раз.",
    "Also tell what a principle decides.": "Показать и то, что решает принцип.",
    "Stop then; a comparison that is told nothing stops after 60.": (
        "Когда остановиться; сравнение, если не сказано, — через 60."
    ),
    "Processes that search; else one for each processor.": (
        "Сколько процессов ищут; иначе по одному на процессор."
    ),
    "A Dask scheduler instead.": "Вместо них — планировщик Dask.",
    "Write SARIF 2.1.0 to it.": "Записать туда SARIF 2.1.0.",
    # batch
    "The answers to a file of positions, a line for each, in order.": (
        "Ответы для целого файла позиций, по строке на каждую, в том же порядке."
    ),
    "A bad position has its faults in its place; exit code 1 if there was one. With --json the"
    " summary is JSON.": (
        "Вместо ответа о негодной позиции — её ошибки; тогда код выхода 1. С --json сводка — JSON."
    ),
    "A JSON document a line, or a .parquet file with a column state; - is standard input.": (
        "По документу JSON в строке или файл .parquet со столбцом state; «-» — стандартный ввод."
    ),
    "Where the answers go, .parquet or lines of JSON.": (
        "Куда записать ответы: .parquet или строки JSON."
    ),
    "Verdicts; legal actions alone; or, of lines with state and action, outcomes.": (
        "Вердикты; одни легальные действия; или исходы, если в строках state и action."
    ),
    "How many processes answer.": "Сколько процессов отвечают.",
    "The Dask scheduler whose workers answer.": "Планировщик Dask, чьи процессы отвечают.",
    "Go on from where an interrupted run has stopped.": "Продолжить с места, где прервались.",
    # rules
    "The rulebook: all rules, or one with its reading, its encoding and its rulings.": (
        "Правила: весь список или одно — как читается, где записано, какие решения на нём стоят."
    ),
    "A rule, such as 509.3; left out: the list of all.": (
        "Правило, например 509.3; если не указано, список всех."
    ),
    # play, replay
    "Deal a whole game of the teaching set and play it: people and bots at one terminal.": (
        "Раздать и сыграть целую партию обучающего набора: люди и боты за одним терминалом."
    ),
    "A bot does anything that is legal. The same seed gives the same game.": (
        "Бот делает что угодно, лишь бы легально. При том же зерне выходит та же партия."
    ),
    "What chance depends on; left out: any.": (
        "Зерно, от которого зависит случай; если не указано, любое."
    ),
    "The hero of p1; left out: chance.": "Герой игрока p1; если не указан, решит случай.",
    "The hero of p2; left out: chance.": "Герой игрока p2; если не указан, решит случай.",
    "The deck of p1, YAML: kinds with their number of copies.": (
        "Колода игрока p1, YAML: виды карт и сколько каких."
    ),
    "The deck of p2.": "Колода игрока p2.",
    "Who plays p1.": "Кто играет за p1.",
    "Who plays p2.": "Кто играет за p2.",
    "The rules to play by.": "По каким правилам играть.",
    "Write the game to it.": "Записать туда партию.",
    "Tell each action and table of a game of two bots.": (
        "Показать каждое действие и стол в партии двух ботов."
    ),
    "Play a game again from its log, and compare each position with it.": (
        "Сыграть партию снова по её записи и сверить с ней каждую позицию."
    ),
    "Exit code 1 at the first difference.": "Код выхода 1 при первом же расхождении.",
    "The file that a game was written to.": "Файл, в который записана партия.",
    # serve, schema
    "A local web page and an HTTP API over the judge, until Ctrl+C.": (
        "Веб-страница и HTTP API судьи на этой машине, пока не нажать Ctrl+C."
    ),
    "Needs the extra pyengine[web].": "Нужен дополнительный набор pyengine[web].",
    "Where it listens. 127.0.0.1: this machine alone asks. 0.0.0.0: so does everyone who reaches"
    " this machine, without a password and without encryption.": (
        "Где слушать. 127.0.0.1: спрашивает только эта машина. 0.0.0.0: и все, кому она доступна,"
        " без пароля и без шифрования."
    ),
    "0: one that is free.": "0 — любой свободный.",
    "How many questions are answered at a time, each in a process of its own; left out: as many as"
    " there are processors.": (
        "На сколько вопросов отвечать сразу, каждый в своём процессе; если не указано, по числу"
        " процессоров."
    ),
    "How long one question may take.": "Сколько секунд отвечать на один вопрос.",
    "A process that holds more MiB after an answer is replaced by a new one; 0: never.": (
        "Процесс, который после ответа держит больше стольких МиБ, сменяется новым; 0: никогда."
    ),
    "The JSON Schema of a state document, for editors and other programs.": (
        "JSON Schema документа позиции: для редакторов и других программ."
    ),
}

# what stands for a value; what is listed with bars is typed as it is
VALUES: Mapping[str, str] = {
    "STATE": "ПОЗИЦИЯ",
    "STATES": "ПОЗИЦИИ",
    "ACTION": "ДЕЙСТВИЕ",
    "PATH": "ПУТЬ",
    "PATH...": "ПУТЬ...",
    "FILE": "ФАЙЛ",
    "FOLDER": "ПАПКА",
    "NAME": "ИМЯ",
    "NAME=N": "ИМЯ=N",
    "SECONDS": "СЕКУНДЫ",
    "MIB": "МИБ",
    "ADDRESS": "АДРЕС",
    "CODE": "КОД",
    "HERO": "ГЕРОЙ",
    "LOG": "ЗАПИСЬ",
    "[ID]": "[ПРАВИЛО]",
    "[STATE]": "[ПОЗИЦИЯ]",
    "E1 E2": "Р1 Р2",
    "N": "N",
}

# names in typer.rich_utils: the frames of the help
FRAMES: Mapping[str, tuple[str, str]] = {
    "ARGUMENTS_PANEL_TITLE": ("Arguments", "Аргументы"),
    "OPTIONS_PANEL_TITLE": ("Options", "Параметры"),
    "COMMANDS_PANEL_TITLE": ("Commands", "Команды"),
    "DEFAULT_STRING": ("[default: {}]", "[по умолчанию: {}]"),
    "REQUIRED_LONG_STRING": ("[required]", "[обязательно]"),
}
# what is wrong with a command line, as typer says it
COMPLAINTS: Sequence[tuple[str, str]] = (
    (r"No such command (.+)\. Did you mean (.+)\?", r"нет команды \1; может быть, \2?"),
    (r"No such command (.+)\.", r"нет команды \1"),
    (r"No such option: (\S+) \(Possible options: (.+)\)", r"нет параметра \1; есть \2"),
    (r"No such option: (\S+)", r"нет параметра \1"),
    (r"Missing command\.", r"не указана команда"),
    (r"Missing argument (.+)\.", r"не указан аргумент \1"),
    (r"Missing option (.+)\.", r"не указан параметр \1"),
    (r"Got unexpected extra argument\(s\) \((.+)\)", r"лишние аргументы: \1"),
    (r"Option (.+) requires an argument\.", r"параметру \1 нужно значение"),
    (r"Option (.+) requires (\d+) arguments\.", r"параметру \1 нужно значений: \2"),
    (r"Option (.+) does not take a value\.", r"у параметра \1 не бывает значения"),
)
_USAGE = "Вызов: "
_EXAMPLE = {"Example: ": "Пример: "}


def spoken(args: Sequence[str], environ: Mapping[str, str]) -> Lang:
    """The language of the help and of what is wrong with a command line.

    >>> spoken(["legal", "--lang", "ru", "--help"], {"LANG": "C"}), spoken(["--lang=en"], {})
    ('ru', 'en')
    """
    given: str | None = None
    before = ""
    for word in args:
        if word == "--":
            break
        if before == "--lang":
            given = word
        elif word.startswith("--lang="):
            given = word.partition("=")[2]
        before = word
    found = next((each for each in LANGUAGES if each == given), None)
    return found or language(environ)


def command(app: typer.Typer, lang: Lang) -> Command:
    """The program of `app`, with its help in that language."""
    program = typer.main.get_command(app)
    for each, params in commands(program):
        each.help = _marked(each.help, lang)
        each.context_class = _Russian if lang == "ru" else _English
        if lang == "ru":
            each.options_metavar = "[ПАРАМЕТРЫ]"
            if hasattr(each, "subcommand_metavar"):
                each.subcommand_metavar = "КОМАНДА [АРГУМЕНТЫ]..."
        for param in params:
            param.help = _marked(param.help, lang)
            if lang == "ru":
                param.metavar = VALUES.get(param.metavar, param.metavar)
    return program


def commands(program: Command) -> Iterator[tuple[Command, list[Any]]]:
    """A program and the commands within it, each with its parameters and `--help`."""
    above = typer.Context(program, **program.context_settings)
    yield program, [*program.params, program.get_help_option(above)]
    for each in program.commands.values():
        own = each.get_help_option(typer.Context(each, parent=above, **each.context_settings))
        yield each, [*each.params, own]


def names(program: Command) -> list[str]:
    """The names of the commands within a program."""
    return list(program.commands)


def refused(error: Any, lang: Lang) -> str:
    """What is wrong with a command line, from typer's exception."""
    return _no_number(error, lang) or complaint(error.format_message(), lang)


def _no_number(error: Any, lang: Lang) -> str:
    """Of an option that takes a number: its name, what came, and what may; else nothing."""
    param, cause = getattr(error, "param", None), error.__cause__
    if param is None or not hasattr(cause, "errors"):
        return ""
    whole = "float" not in cause.title
    low, high = getattr(param, "min", None), getattr(param, "max", None)
    wanted = say("a_whole_number" if whole else "a_number", lang)
    if low is not None:
        wanted += say("least" if high is None else "least_and_most", lang, low=low, high=high)
    value = repr(cause.errors()[0]["input"])
    return say("bad_value", lang, option=param.opts[0], value=value, wanted=wanted)


def complaint(message: str, lang: Lang) -> str:
    """What typer says is wrong with a command line; in English where it has said something new.

    >>> complaint("No such option: --foo", "ru")
    'нет параметра --foo'
    """
    line = " ".join(message.split())
    if lang == "ru":
        for english, russian in COMPLAINTS:
            if found := re.fullmatch(english, line):
                return found.expand(russian)
    return line


def texts(program: Command) -> Iterator[str]:
    """What is said of the commands and their parameters, by paragraphs, without the examples."""
    for each, params in commands(program):
        for text in (each.help, *(param.help for param in params)):
            yield from (part for part in _paragraphs(text or "") if not _is_example(part))


def _marked(text: str | None, lang: Lang) -> str | None:
    """A help text in a language; what is no markup of ours, such as pyengine[web], stays."""
    if text is None:
        return None
    parts = [_translated(part) if lang == "ru" else part for part in _paragraphs(text)]
    return "\n\n".join(_EXTRA.sub(r"\\[\1]", part) for part in parts)


_EXTRA = re.compile(r"(?<=pyengine)\[([a-z]+)\]")


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _is_example(part: str) -> bool:
    return part.startswith(tuple(_EXAMPLE))


def _translated(part: str) -> str:
    for english, russian in _EXAMPLE.items():
        if part.startswith(english):
            return russian + part.removeprefix(english)
    return HELP.get(part, part)


_Plain: Any = typer.Context.formatter_class


class _Formatter(_Plain):  # type: ignore[misc]  # its type is not public
    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, _USAGE if prefix is None else prefix)


class _English(typer.Context):
    lang: Lang = "en"

    def make_formatter(self) -> Any:
        """Called where the help begins to be written: only then is its library loaded."""
        from typer import rich_utils

        for name, pair in FRAMES.items():
            setattr(rich_utils, name, pair[LANGUAGES.index(self.lang)])
        return super().make_formatter()


class _Russian(_English):
    lang: Lang = "ru"
    formatter_class = _Formatter
