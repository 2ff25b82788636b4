"""Everything the commands say themselves, in English and in Russian.

The sentences about rules belong to `facts/rulebook/`; here are the frames around them: headings,
counts, names of zones and types, words for marks. `say` gives a message, `many` one that depends
on a number, `word` the name of a thing of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, get_args

import yaml

from pyengine.documents import data_folder

Lang = Literal["en", "ru"]
LANGUAGES: tuple[Lang, ...] = get_args(Lang)


def language(environ: Mapping[str, str]) -> Lang:
    """The language that the locale asks for: Russian if it is Russian, else English.

    >>> language({"LANG": "ru_RU.UTF-8"}), language({"LC_ALL": "C", "LANG": "ru_RU.UTF-8"})
    ('ru', 'en')
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        value = environ.get(name)
        if value:
            return "ru" if value.lower().replace("-", "_").split(".")[0][:3] in _RUSSIAN else "en"
    return "en"


_RUSSIAN = ("ru", "ru_", "ru@")


def say(key: str, lang: Lang, **parts: object) -> str:
    """The message of that key; KeyError if there is none.

    >>> say("decides", "en", player="p1")
    'p1 decides'
    """
    return MESSAGES[key][LANGUAGES.index(lang)].format(**parts)


def many(key: str, number: int, lang: Lang, **parts: object) -> str:
    """The message that counts something: English has two forms of it, Russian three.

    >>> many("faults", 1, "en"), many("faults", 2, "ru"), many("faults", 11, "ru")
    ('1 fault', '2 ошибки', '11 ошибок')
    """
    english, russian = COUNTS[key]
    if lang == "en":
        form = english[number != 1]
    elif number % 10 == 1 and number % 100 != 11:
        form = russian[0]
    elif number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14):
        form = russian[1]
    else:
        form = russian[2]
    return form.format(n=number, **parts)


def word(value: str, lang: Lang) -> str:
    """The name of a zone, type, class, phase, element, keyword or key; itself if it has none.

    >>> word("graveyard", "ru"), word("boarder", "ru")
    ('кладбище', 'boarder')
    """
    pair = WORDS.get(value) or _classes().get(value)
    return pair[LANGUAGES.index(lang)] if pair else value


@cache
def _classes() -> Mapping[str, tuple[str, str]]:
    """How classes are called within a line: `facts/names.yaml`."""
    raw = yaml.safe_load((data_folder("facts") / "names.yaml").read_text("utf-8"))
    return {id: (each["en"].lower(), each["ru"].lower()) for id, each in raw["classes"].items()}


def step_name(value: str, lang: Lang) -> str:
    """The name of a step of an outcome; itself if it has none.

    >>> step_name("play", "ru"), step_name("wave", "ru")
    ('розыгрыш', 'wave')
    """
    pair = STEPS.get(value)
    return pair[LANGUAGES.index(lang)] if pair else value


# key: (English, Russian)
MESSAGES: dict[str, tuple[str, str]] = {
    # frames
    "decides": ("{player} decides", "решает {player}"),
    "turn": ("turn {n}", "ход {n}"),
    "active": ("{player}'s turn", "ходит {player}"),
    "phase": ("{phase} phase", "фаза: {phase}"),
    "won": ("{player} has won", "победа: {player}"),
    "draw": ("a draw", "ничья"),
    "nobody": ("the game is over: nothing to declare", "партия окончена: объявлять нечего"),
    "legal_list": ("Legal: {n}", "Легально: {n}"),
    "illegal_list": ("Illegal: {n}", "Нелегально: {n}"),
    "no_card": ("no card", "без карты"),
    "is_legal": ("{action} is legal", "{action}: легально"),
    "is_illegal": ("{action} is illegal", "{action}: нелегально"),
    "beats": (
        "overcomes {rule} of {card} by {principle}",
        "сильнее {rule} карты {card} по {principle}",
    ),
    "beats_bare": ("overcomes {rule} by {principle}", "сильнее {rule} по {principle}"),
    "fact": ("fact", "факт"),
    "in_force": ("What is in force now", "Что действует сейчас"),
    "in_force_value": ("{name} {now} (printed: {printed})", "{name} {now} (напечатано: {printed})"),
    "no_entry": (
        "the rulebook has no entry for this rule",
        "в своде правил этого правила нет",
    ),
    "beaten": ("“{rule}” gives way by {principle}", "«{rule}» уступает по {principle}"),
    "beaten_of": (
        "“{rule}” gives way by {principle} ({card})",
        "«{rule}» уступает по {principle} ({card})",
    ),
    # findings of a check; what they say themselves is in audit/words.py
    "scope": ("scope", "в пределах"),
    "answer_found": ("found", "найдено"),
    "answer_none": ("none within the scope", "в этих пределах нет"),
    "answer_found_so_far": ("found; not looked at:", "найдено; не просмотрено:"),
    "answer_undecided": ("undecided; not looked at:", "не решено; не просмотрено:"),
    "time_limit": ("time limit {seconds} s", "не дольше {seconds} с"),
    "no_time_limit": ("no time limit", "без предела времени"),
    "severity_error": ("error", "ошибка"),
    "severity_warning": ("warning", "предупреждение"),
    "severity_note": ("note", "замечание"),
    "witness": ("the smallest position:", "наименьшая позиция:"),
    "sides": (
        "legality {legality}, outcomes {outcomes}",
        "легальность: {legality}, исходы: {outcomes}",
    ),
    "side_equal": ("equal", "одинаково"),
    "side_equal_so_far": ("no difference so far", "пока без различий"),
    "side_stricter": ("stricter", "строже"),
    "side_looser": ("looser", "свободнее"),
    "side_incomparable": ("incomparable", "несравнимо"),
    "searching": ("searching", "поиск"),
    # outcomes
    "outcome": ("Outcome {n} of {all}", "Исход {n} из {all}"),
    "only_outcome": ("The outcome", "Исход"),
    "choices": ("Choices", "Выбор"),
    "chance": ("by chance: {chosen}", "случайно: {chosen}"),
    "chose": ("{player} chooses: {chosen}", "{player} выбирает: {chosen}"),
    "out_of": ("out of: {options}", "из: {options}"),
    "steps": ("Steps", "Шаги"),
    "changes": ("What changed", "Что изменилось"),
    "no_changes": ("nothing changed", "ничего не изменилось"),
    "waits_defender": (
        "the other player may choose a defender",
        "соперник может назначить защитника",
    ),
    "opens": ("opens", "открывается"),
    "closes": ("closes", "закрывается"),
    "appears": ("a new card: {zone}", "новая карта: {zone}"),
    "vanishes": ("is no longer in the game", "больше не в партии"),
    "effect_laid": ("a new effect: {ability}", "новый эффект: {ability}"),
    "effect_gone": ("an effect ends: {ability}", "эффект кончился: {ability}"),
    "effect_spent": (
        "{ability}: used up {before} → {after}",
        "{ability}: израсходовано {before} → {after}",
    ),
    "deck_changed": ("the deck is now {cards}", "колода теперь: {cards}"),
    "mark_on": ("is marked: {mark}", "отметка: {mark}"),
    "mark_off": ("no longer marked: {mark}", "отметка снята: {mark}"),
    "table": ("table", "стол"),
    "empty": ("none", "нет"),
    # the table
    "coins": ("coins {n} of {all}", "монеты {n} из {all}"),
    "missed": ("draws missed: {n}", "пропущено взятий: {n}"),
    "hand": ("hand", "рука"),
    "deck": ("deck", "колода"),
    "deck_shuffled": ("order unknown", "порядок неизвестен"),
    "graveyard": ("graveyard", "кладбище"),
    "reserve": ("reserve", "запас"),
    "beside": ("Beside the board", "Вне поля"),
    "life": ("life {left}/{all}", "жизнь {left}/{all}"),
    "extra": ("extra life {n}", "доп. жизнь {n}"),
    "wounds": ("wounds {n}", "раны {n}"),
    "strike": ("strike {n}", "удар {n}"),
    "cost": ("cost {n}", "цена {n}"),
    "chips": ("chips {n}", "фишки {n}"),
    "steps_left": ("steps {n}/{all}", "шаги {n}/{all}"),
    "owned_by": ("owner {player}", "владелец {player}"),
    "spent": ("used up: {what}", "израсходовано: {what}"),
    "effects": ("Effects, in the order they were laid", "Эффекты в порядке наложения"),
    "effect_line": ("{ability} on {card}", "{ability} на {card}"),
    "effect_source": ("from {source}", "от {source}"),
    "effect_until": ("until {until}", "до: {until}"),
    "attack_of": ("{attacker} attacks {target}", "{attacker}, цель {target}"),
    "attack_announced": ("{attacker} attacks {target}", "{attacker} атакует, цель: {target}"),
    "defended_by": ("defender: {defender}", "защитник: {defender}"),
    "may_defend": ("{player} may choose a defender", "{player} может назначить защитника"),
    "opponent": ("opponent", "соперник"),
    "meanings": ("What the words of its abilities mean", "Что значат слова её способностей"),
    "no_cards": ("no cards in play", "карт в игре нет"),
    # rulings
    "failed_ruling": ("{ruling} ({place}): {fault}", "{ruling} ({place}): {fault}"),
    "tally": ("{passed}, {failed}", "{passed}, {failed}"),
    "expected_legal": (
        "{action}: expected legal, came illegal by {came}",
        "{action}: ожидалось легально, вышло нелегально по {came}",
    ),
    "expected_illegal": (
        "{action}: expected illegal by {rules}, came legal",
        "{action}: ожидалось нелегально по {rules}, вышло легально",
    ),
    "expected_rules": (
        "{action}: expected illegal by {rules}, came illegal by {came}",
        "{action}: ожидалось нелегально по {rules}, вышло нелегально по {came}",
    ),
    "any_rule": ("any rule", "любому правилу"),
    "resolve_illegal": (
        "resolve {action}: expected outcomes, came illegal by {came}",
        "resolve {action}: ожидались исходы, вышло нелегально по {came}",
    ),
    "outcome_count": (
        "expected outcomes: {expected}, came: {came}",
        "ожидалось исходов: {expected}, вышло: {came}",
    ),
    "outcome_missing": ("expected outcome {n} did not come", "ожидаемого исхода {n} нет"),
    "outcome_extra": ("outcome {n} was not expected", "исход {n} не ожидался"),
    "expected_came": (
        "{place}: expected {expected}, came {came}",
        "{place}: ожидалось {expected}, вышло {came}",
    ),
    "exercised": ("Exercised by the rulings", "Проверено решениями"),
    "cited_only": ("Cited, but named by no answer", "Упомянуто, но в ответах не встретилось"),
    "unexercised": ("Exercised by none", "Не проверено ни одним решением"),
    "edges": ("Norms overcome in the answers", "Какая норма какую превзошла в ответах"),
    "unexercised_edges": (
        "Overcome in none, though the rules could show it",
        "Возможно по правилам, но в ответах не встретилось",
    ),
    "edge": ("{rule} over {over} by {principle}", "{rule} над {over} по {principle}"),
    "unknown_cites": ("Cited, but not in the rulebook", "Упомянуто, но в правилах такого нет"),
    "running": ("Running the rulings", "Проверка решений"),
    # the rulebook
    "rule": ("rule", "правило"),
    "editions": ("editions", "редакции"),
    "lent": ("read over in", "по ней читается и"),
    "title": ("title", "название"),
    "all_editions": ("all", "все"),
    "example": ("Example. {text}", "Пример. {text}"),
    "see": ("See also", "См. также"),
    "conflicts": ("Says the opposite", "Говорит противоположное"),
    "encoded": ("Encoded in", "Где записано"),
    "covered": ("Rulings", "Решения"),
    "nowhere": ("nowhere yet", "пока нигде"),
    "no_rulings": ("none cites it", "ни одно не ссылается"),
    # a game
    "meets": (
        "{p1}: {hero1}, {p2}: {hero2}; seed {seed}.",
        "{p1}: {hero1}, {p2}: {hero2}; зерно {seed}.",
    ),
    "logged": ("The game is written to {path}.", "Партия записывается в {path}."),
    "ended": ("{end} ({turn}, {actions}).", "{end} ({turn}, {actions})."),
    "unbegun": ("The game has not begun.", "Партия не началась."),
    "unended": ("The game stops here ({turn}, {actions}).", "Партия прервана ({turn}, {actions})."),
    "playing": ("Playing", "Идёт партия"),
    "replaying": ("Replaying", "Проверка записи"),
    # files of positions
    "answering": ("Answering", "Ответы"),
    "resumed": (", {n} of them before", ", из них прежде {n}"),
    "hand_over": (
        "{player} decides. Press Enter when nobody else looks.",
        "Решает {player}. Нажмите Enter, когда другой не смотрит.",
    ),
    "redeal_head": (
        "{player}, this is your first hand, beside your hero. Once, before the game, you may put"
        " cards that you do not want under the deck and draw as many others.",
        "{player}, это ваша первая рука, рядом ваш герой. Один раз, до начала партии, ненужные"
        " карты можно убрать под колоду и взять столько же других.",
    ),
    "redeal_ask": (
        "{player}: which cards go under the deck? Their numbers (such as 1 3), or Enter for none.",
        "{player}: какие карты убрать под колоду? Их номера (скажем, 1 3) или Enter, если никаких.",
    ),
    "may_declare": ("{player} decides: {actions}", "Решает {player}: {actions}"),
    "fork_ask": ("{player} chooses ({rule}: {title})", "Выбирает {player} ({rule}: {title})"),
    "ask_help": (
        "A number, 'why NUMBER', 'card NAME', 'table', 'undo', 'quit'; 'help' says more.",
        "Номер, «почему НОМЕР», «карта ИМЯ», «стол», «назад», «выход»; «помощь» скажет больше.",
    ),
    "play_help": (
        "NUMBER or ACTION    do it: 3, {action}\n"
        "why NUMBER/ACTION   why it is legal or not\n"
        "card NAME           a card, and what its abilities mean (or by its id)\n"
        "table               the table again\n"
        "undo                take your last action back, or the declaration that asks you\n"
        "quit                stop playing",
        "НОМЕР или ДЕЙСТВИЕ     сделать это: 3, {action}\n"
        "почему НОМЕР/ДЕЙСТВИЕ  почему это можно или нельзя\n"
        "карта ИМЯ              карта и что значат её способности (или по обозначению)\n"
        "стол                   показать стол ещё раз\n"
        "назад                  отменить своё последнее действие или заявку, о которой вопрос\n"
        "выход                  прекратить партию",
    ),
    "not_understood": (
        "'{text}' is no command; 'help' lists them",
        "«{text}» — не команда; «помощь» перечислит их",
    ),
    "no_such_number": ("there is no number {n} here", "такого номера нет: {n}"),
    "no_such_card": ("no card '{name}' is to be seen", "карты «{name}» не видно"),
    "nothing_to_undo": ("nothing to take back", "возвращать нечего"),
    "hidden_card": ("a hidden card", "закрытая от вас карта"),
    "act_attack": ("attack {targets}", "атаковать: {targets}"),
    "act_defend": ("defend {targets}", "защитить: {targets}"),
    "act_pass": ("no defender", "без защитника"),
    "act_play": ("play", "разыграть"),
    "act_play_at": ("play, aimed at {targets}", "разыграть, цель: {targets}"),
    "act_use": ("ability {n}", "способность {n}"),
    "act_use_at": ("ability {n}, aimed at {targets}", "способность {n}, цель: {targets}"),
    "act_end_turn": ("end the turn", "завершить ход"),
    "two_bots": (
        "{option}: shows both hands, so it is for games of two bots",
        "{option}: показывает обе руки, поэтому только для партии двух ботов",
    ),
    "replayed": (
        "{actions} replayed, all as the log says.",
        "Повторено: {actions}, всё сходится с записью.",
    ),
    "differs_deal": ("the deal does not come out as the log says", "раздача выходит не такой"),
    "differs": ("action {n}, {action}: {what}", "действие {n}, {action}: {what}"),
    "differs_player": (
        "{expected} declares it, but {came} decides",
        "заявляет {expected}, а решает {came}",
    ),
    "differs_illegal": ("is illegal by {came}", "нелегально по {came}"),
    "differs_choice": ("the choice does not fit: {came}", "выбор не подходит: {came}"),
    "differs_state": ("leads to another position", "приводит к другой позиции"),
    "logged_came": ("from what the log says to what came:", "от записанного к полученному:"),
    "only_log": (
        "no key differs: the log does not fit itself",
        "все ключи те же: запись противоречит сама себе",
    ),
    "only_order": ("only the order of the cards differs", "отличается лишь порядок карт"),
    # faults
    "no_such_card_here": (
        "--card: '{name}' is no card of this state",
        "--card: карты '{name}' в этой позиции нет",
    ),
    "no_such_rule": ("rules: there is no rule '{rule}'", "rules: правила '{rule}' нет"),
    "bad_value": ("{option}: {value} is not {wanted}", "{option}: {value} — не {wanted}"),
    "a_whole_number": ("a whole number", "целое число"),
    "a_number": ("a number", "число"),
    "least": (" of {low} or more", " от {low} и больше"),
    "least_and_most": (" from {low} to {high}", " от {low} до {high}"),
    "no_such_option": (
        "{option}: '{value}' is not one of {known}",
        "{option}: '{value}' нет среди {known}",
    ),
    "near_rules": ("; there are: {rules}", "; есть такие: {rules}"),
    "no_seconds": (
        "--time-limit: {value} is no number of seconds above 0",
        "--time-limit: {value} — не число секунд больше 0",
    ),
    "no_limit": (
        "--limit: {name}='{value}' is no whole number above 0",
        "--limit: {name}='{value}' — не целое число больше 0",
    ),
    "not_in_edition": (
        "rules: '{rule}' is a rule of {known} only",
        "rules: правило '{rule}' есть только в {known}",
    ),
    "usage": (
        "{command}: {message} (see {command} --help)",
        "{command}: {message} (справка: {command} --help)",
    ),
    "incomplete": (
        "warning: {kind} is judged without its abilities, which cannot be expressed yet",
        "внимание: карта {kind} рассмотрена без её способностей, их пока не выразить",
    ),
    "warning": ("warning: {text}", "внимание: {text}"),
    # pictures
    "declared": ("declared", "объявлено"),
    "permits": ("permits", "разрешает"),
    "forbids": ("forbids", "запрещает"),
    "would_permit": ("would permit, gives way", "разрешило бы, но уступает"),
    "would_forbid": ("would forbid, gives way", "запретило бы, но уступает"),
    "decides_by": ("decides", "решает"),
    "chooses": ("{player} chooses", "выбирает {player}"),
    "chance_decides": ("chance", "случай"),
    "same_outcome": ("an outcome that is drawn already", "исход, который уже нарисован"),
    "drawn": ("The picture is in {path}.", "Рисунок записан в {path}."),
    "picture_ending": (
        "--picture: {path} must end with one of {known}",
        "--picture: {path} должно оканчиваться на одно из {known}",
    ),
    "picture_too_large": (
        "--picture: {told} cannot be read in a picture; the limit is {most}",
        "--picture: {told} на рисунке не разобрать, предел — {most}",
    ),
    "no_dot": (
        "--picture: the program dot is not installed: apt install graphviz, brew install graphviz",
        "--picture: не установлена программа dot: apt install graphviz, brew install graphviz",
    ),
    "dot_failed": ("--picture: dot failed: {why}", "--picture: dot не справился: {why}"),
    "no_extra": (
        "the package {name} is not installed: {command}",
        "не установлен пакет {name}: {command}",
    ),
    "too_large": ("too large: {message}", "слишком велико: {message}"),
    "internal": (
        "internal error, please report it: {message} (PYENGINE_TRACEBACK=1 shows where)",
        "внутренняя ошибка, сообщите о ней: {message} (PYENGINE_TRACEBACK=1 покажет место)",
    ),
}

# key: (English one, many), (Russian one, few, many)
COUNTS: dict[str, tuple[tuple[str, str], tuple[str, str, str]]] = {
    "findings": (
        ("{n} finding", "{n} findings"),
        ("{n} находка", "{n} находки", "{n} находок"),
    ),
    "faults": (
        ("{n} fault", "{n} faults"),
        ("{n} ошибка", "{n} ошибки", "{n} ошибок"),
    ),
    "answered": (
        ("{n} position answered", "{n} positions answered"),
        ("дан ответ на {n} позицию", "даны ответы на {n} позиции", "даны ответы на {n} позиций"),
    ),
    "stopped": (
        (
            "{n} line of answers is in {part}: --resume goes on from there",
            "{n} lines of answers are in {part}: --resume goes on from there",
        ),
        (
            "{n} строка ответов уже в {part}: --resume продолжит с этого места",
            "{n} строки ответов уже в {part}: --resume продолжит с этого места",
            "{n} строк ответов уже в {part}: --resume продолжит с этого места",
        ),
    ),
    "bad": (
        ("{n} bad, on line {line}", "{n} bad, the first on line {line}"),
        (
            "{n} негодная, строка {line}",
            "{n} негодные, первая в строке {line}",
            "{n} негодных, первая в строке {line}",
        ),
    ),
    "cards": (
        ("{n} card", "{n} cards"),
        ("{n} карта", "{n} карты", "{n} карт"),
    ),
    "ways": (
        ("{n} way", "{n} ways"),
        ("{n} способ", "{n} способа", "{n} способов"),
    ),
    "outcomes": (
        ("{n} outcome", "{n} outcomes"),
        ("{n} исход", "{n} исхода", "{n} исходов"),
    ),
    "passed": (
        ("{n} ruling passed", "{n} rulings passed"),
        ("{n} решение сошлось", "{n} решения сошлись", "{n} решений сошлось"),
    ),
    "failed": (
        ("{n} failed", "{n} failed"),
        ("{n} не сошлось", "{n} не сошлись", "{n} не сошлось"),
    ),
    "actions": (
        ("{n} action", "{n} actions"),
        ("{n} действие", "{n} действия", "{n} действий"),
    ),
    "legal_actions": (
        ("{n} legal action", "{n} legal actions"),
        ("{n} легальное действие", "{n} легальных действия", "{n} легальных действий"),
    ),
    "more_steps": (
        ("{n} more step", "{n} more steps"),
        ("ещё {n} шаг", "ещё {n} шага", "ещё {n} шагов"),
    ),
    "rules": (
        ("{n} rule", "{n} rules"),
        ("{n} правило", "{n} правила", "{n} правил"),
    ),
}

# facts of a state, by name and number of arguments: (English, Russian)
FACTS: dict[tuple[str, int], tuple[str, str]] = {
    ("active", 1): ("it is the turn of {0}", "ходит {0}"),
    ("turn", 1): ("it is turn {0}", "идёт ход {0}"),
    ("phase", 1): ("it is the {0} phase", "идёт фаза: {0}"),
    ("result", 1): ("the game is over: {0}", "партия окончена: {0}"),
    ("pending", 2): ("{0} has announced an attack on {1}", "карта {0} атакует, цель: {1}"),
    ("defender", 1): ("{0} has been named the defender", "защитником назначена карта {0}"),
    ("coins", 2): ("open coins of {0}: {1}", "открытых монет у {0}: {1}"),
    ("zone", 2): ("zone of {0}: {1}", "зона карты {0}: {1}"),
    ("type", 2): ("type of {0}: {1}", "тип карты {0}: {1}"),
    ("class", 2): ("class of {0}: {1}", "класс карты {0}: {1}"),
    ("element", 2): ("element of {0}: {1}", "стихия карты {0}: {1}"),
    ("name", 2): ("name of {0}: {1}", "название карты {0}: {1}"),
    ("owner", 2): ("{1} owns {0}", "владелец карты {0}: {1}"),
    ("controller", 2): ("{1} controls {0}", "картой {0} управляет {1}"),
    ("cost", 2): ("cost of {0}: {1}", "цена карты {0}: {1}"),
    ("strike", 2): ("strike of {0}: {1}", "удар карты {0}: {1}"),
    ("life", 2): ("life of {0}: {1}", "жизнь карты {0}: {1}"),
    ("wounds", 2): ("wounds on {0}: {1}", "раны на карте {0}: {1}"),
    ("chips", 2): ("chips on {0}: {1}", "фишки на карте {0}: {1}"),
    ("entered", 2): ("{0} came on turn {1}", "карта {0} вошла в ход {1}"),
    ("cell", 3): ("{0} stands on the cell {1}, {2}", "карта {0} на клетке {1}, {2}"),
    ("movement", 2): ("steps a turn of {0}: {1}", "шагов за ход у карты {0}: {1}"),
    ("moved", 2): ("steps {0} has made: {1}", "шагов сделала карта {0}: {1}"),
    ("arrived", 2): (
        "{0} came to its cell at moment {1}",
        "карта {0} пришла на клетку в момент {1}",
    ),
    ("lacks", 2): ("{0} does not have {1}", "у карты {0} нет {1}"),
    ("closed", 1): ("{0} is closed", "карта {0} закрыта"),
    ("open", 1): ("{0} is open", "карта {0} открыта"),
    ("acted", 1): ("{0} has acted", "карта {0} уже действовала"),
    ("attacked", 1): ("{0} has attacked", "карта {0} уже атаковала"),
    ("defended", 1): ("{0} has defended", "карта {0} уже защищала"),
    ("hidden", 1): ("{0} is hidden", "карта {0} скрыта"),
    ("revealed", 1): ("{0} is revealed", "карта {0} вскрыта"),
    ("printed", 2): ("{0} prints {1}", "на карте {0} напечатано {1}"),
    ("laid", 2): ("on {0} lies {1}", "на карте {0} лежит {1}"),
    ("laid", 3): ("on {0} lies {1}, from {2}", "на карте {0} лежит {1}, от {2}"),
    ("masked", 2): (
        "on {0} a later effect masks {1}",
        "на карте {0} более поздний эффект перекрывает {1}",
    ),
    ("granted", 3): ("{0} has {1}, granted by {2}", "у карты {0} есть {1}, даёт {2}"),
    ("has", 2): ("{0} has {1}", "у карты {0} есть {1}"),
    ("usable", 2): (
        "abilities of {0} that can be used: {1}",
        "способностей, которые можно применить, у карты {0}: {1}",
    ),
    ("targets", 2): ("targets that {0} takes: {1}", "целей нужно карте {0}: {1}"),
    ("named", 1): ("targets named: {0}", "целей названо: {0}"),
    ("twice", 1): ("{0} is named twice", "карта {0} названа дважды"),
    ("asks", 2): ("{0} asks for {1}", "карте {0} нужно: {1}"),
    ("spent", 3): ("of {1} on {0} is used up: {2}", "из {1} карты {0} израсходовано: {2}"),
}

# what may be chosen, by name and number of arguments, or the whole term: (English, Russian)
OPTIONS: dict[tuple[str, int] | str, tuple[str, str]] = {
    ("apply", 2): ("{0} replaces: {1}", "замещает карта {0}: {1}"),
    ("let", 2): ("{0} does not replace: {1}", "карта {0} не замещает: {1}"),
    ("use", 3): ("{0} prevents wounds of {2}: {1}", "карта {0} предотвращает раны карты {2}: {1}"),
    ("use", 4): (
        "{0} prevents wounds of {2}, passed on from {3}: {1}",
        "карта {0} предотвращает раны карты {2}, перешедшие с карты {3}: {1}",
    ),
    ("trigger", 2): ("next the ability of {0}: {1}", "теперь способность карты {0}: {1}"),
    ("begins", 1): ("{0} begins", "начинает {0}"),
    ("to", 1): ("the wounds go to {0}", "раны достаются карте {0}"),
    ("at", 1): ("the target is {0}", "цель: карта {0}"),
    ("at", 2): ("the cell {0}, {1}", "клетка {0}, {1}"),
    ("none", 0): ("no more targets", "больше целей нет"),
    ("carry_out", 1): ("the ability of {0} is carried out", "способность карты {0} выполняется"),
    ("decline", 1): ("the ability of {0} is declined", "отказ от способности карты {0}"),
    ("summon", 1): ("{0} is summoned", "вызвана карта {0}"),
    ("find_nothing", 0): ("the search finds nothing", "поиск ничего не даёт"),
    ("skip", 0): ("there is no search", "поиска не будет"),
    ("find", 1): ("{0} is found", "найдена карта {0}"),
    ("enough", 0): ("that is all", "на этом всё"),
    ("discard", 1): ("{0} is discarded", "сброшена карта {0}"),
    ("regenerate", 1): ("{0} regenerates", "карта {0} излечивает себя"),
    ("heal", 1): ("{0} is healed of a wound", "с карты {0} снята рана"),
    ("take", 1): ("it is {0}", "выбрана карта {0}"),
    ("class", 1): ("the class {0}", "класс: {0}"),
    ("number", 1): ("the number {0}", "число {0}"),
    ("pay", 1): ("coins paid: {0}", "уплачено монет: {0}"),
    # of a shuffled deck: it may be drawn, milled or shown, which a step tells
    ("draw", 1): ("the top card of the deck is {0}", "верхняя карта колоды — {0}"),
    ("look", 1): ("{0} is seen", "видна карта {0}"),
    ("under", 1): ("next under the deck goes {0}", "теперь под колоду ложится карта {0}"),
    ("blows", 2): ("the blow: {0}, the answer: {1}", "удар: {0}, ответ: {1}"),
    ("die", 1): ("a blow: {0}", "удар: {0}"),
    ("dice", 1): ("a difference of {0}", "разница {0}"),
    "dice(low)": ("the same number, 4 or less", "поровну, не больше 4"),
    "dice(high)": ("the same number, 5 or 6", "поровну, 5 или 6"),
    # what steps are about
    ("attack", 2): ("an attack on {1}", "атака на карту {1}"),
    ("strike", 2): ("a strike at {1}", "удар по карте {1}"),
    ("use", 2): ("ability {1} of {0}", "способность {1} карты {0}"),
}
# the branches of an effect that lets choose: (English, Russian)
BRANCHES: dict[str, tuple[str, str]] = {
    "first": ("the first: {0}", "первое: {0}"),
    "second": ("the second: {0}", "второе: {0}"),
    "both": ("both: {0}; {1}", "и то, и другое: {0}; {1}"),
}

# things of the game: (English, Russian)
WORDS: dict[str, tuple[str, str]] = {
    # editions
    "heroes": ("Berserk Heroes", "Берсерк. Герои"),
    "heroes_2": ("Berserk Heroes, later revision", "Берсерк. Герои, новая редакция"),
    "classic": ("Berserk, classic", "Берсерк, классический"),
    # phases
    "recovery": ("recovery", "восстановление"),
    "accumulation": ("accumulation", "накопление"),
    "main": ("main", "основная"),
    "empty": ("nothing left", "больше нет"),
    "end": ("end", "окончание"),
    "choice": ("choice", "выбор"),
    # zones
    "play": ("in play", "в игре"),
    "hand": ("hand", "рука"),
    "deck": ("deck", "колода"),
    "graveyard": ("graveyard", "кладбище"),
    "reserve": ("reserve", "запас"),
    # types
    "hero": ("hero", "герой"),
    "creature": ("creature", "существо"),
    "spell": ("spell", "заклинание"),
    "equipment": ("equipment", "экипировка"),
    "event": ("event", "событие"),
    "location": ("location", "местность"),
    "flyer": ("flyer", "летающее"),
    "symbiote": ("symbiote", "симбиот"),
    "parasite": ("parasite", "паразит"),
    "artifact": ("artifact", "артефакт"),
    "terrain": ("terrain", "местность"),
    # classes of support
    "weapon": ("weapon", "оружие"),
    "amulet": ("amulet", "амулет"),
    # elements
    "steppe": ("steppe", "степь"),
    "forest": ("forest", "лес"),
    "mountain": ("mountain", "горы"),
    "swamp": ("swamp", "болото"),
    "darkness": ("darkness", "тьма"),
    "neutral": ("neutral", "нейтральная"),
    # marks
    "closed": ("closed", "закрыта"),
    "acted": ("has acted", "действовала"),
    "attacked": ("has attacked", "атаковала"),
    "defended": ("has defended", "защищала"),
    "hidden": ("hidden", "скрыта"),
    "entered_now": ("came this turn", "вошла в этот ход"),
    # marks and numbers by the name of their key
    "wounds": ("wounds", "раны"),
    "extra_life": ("extra life", "доп. жизнь"),
    "coins": ("coins", "монеты"),
    "coins_total": ("coins in all", "всего монет"),
    "missed": ("draws missed", "пропущено взятий"),
    "drawn": ("cards drawn this turn", "взято карт за ход"),
    "attacks": ("attacks this turn", "атак за ход"),
    "deck_order": ("order of the deck", "порядок колоды"),
    "known": ("known", "известен"),
    "unknown": ("unknown", "неизвестен"),
    "zone": ("zone", "зона"),
    "owner": ("owner", "владелец"),
    "controller": ("controller", "управляет"),
    "cell": ("cell", "клетка"),
    "arrived": ("came to its cell at", "пришла на клетку в момент"),
    "moved": ("steps made", "сделано шагов"),
    "movement": ("movement", "движение"),
    "chips": ("chips", "фишки"),
    "entered": ("came on turn", "вошла в ход"),
    "since": ("moment", "момент"),
    "spent": ("used up", "израсходовано"),
    "abilities": ("abilities", "способности"),
    "turn": ("turn", "ход"),
    "active": ("active player", "активный игрок"),
    "phase": ("phase", "фаза"),
    "pending": ("announced attack", "объявленная атака"),
    "result": ("result", "итог"),
    "draw": ("draw", "ничья"),
    "cost": ("cost", "цена"),
    "strike": ("strike", "удар"),
    "life": ("life", "жизнь"),
    "element": ("element", "стихия"),
    "class": ("class", "класс"),
    "type": ("type", "тип"),
    "name": ("name", "название"),
    "kind": ("kind", "вид"),
    # until
    "leaves": ("it leaves play", "ухода из игры"),
    "end_of_turn": ("the end of the turn", "конца хода"),
    # keywords
    "armor": ("armor", "броня"),
    "scales": ("scales", "чешуя"),
    "directed_strike": ("directed strike", "направленный удар"),
    "experience_attack": ("experience in attack", "опыт в атаке"),
    "experience_defence": ("experience in defence", "опыт в защите"),
    "charge": ("charge", "рывок"),
    "first_strike": ("first strike", "первый удар"),
    "vulnerability": ("vulnerability", "уязвимость"),
    "superiority": ("superiority", "превосходство"),
    "regeneration": ("regeneration", "регенерация"),
    "poison": ("poison", "отравление"),
    "vampirism": ("vampirism", "вампиризм"),
    "unique": ("unique", "уникальность"),
    "enhancement": ("enhancement", "усиление"),
    "suppression": ("suppression", "подавление"),
    "might": ("might", "мощь"),
    "meditation": ("meditation", "медитация"),
    "raid": ("raid", "набег"),
    "last_strike": ("last strike", "удар последним"),
    "stunned": ("stunned", "оглушение"),
    "sleeping": ("sleeping", "спячка"),
    # blows of classic
    "weak": ("weak", "слабый"),
    "medium": ("medium", "средний"),
    "strong": ("strong", "сильный"),
    "miss": ("a miss", "промах"),
}

# what a player types: English, Russian
COMMANDS: dict[str, tuple[str, ...]] = {
    "why": ("why", "почему"),
    "card": ("card", "карта"),
    "table": ("table", "show", "стол"),
    "undo": ("undo", "back", "назад"),
    "quit": ("quit", "exit", "выход"),
    "help": ("help", "?", "помощь"),
}

# steps of an outcome: (English, Russian)
STEPS: dict[str, tuple[str, str]] = {
    "accumulate": ("accumulate", "накопление"),
    "alone": ("no answer", "без ответа"),
    "again": ("again", "повтор"),
    "announce": ("announce", "объявление"),
    "apply": ("apply", "нанесение"),
    "calculate": ("calculate", "расчёт"),
    "cancel": ("cancel", "отмена"),
    "capture": ("capture", "пленение"),
    "chips": ("chips", "фишки"),
    "close": ("close", "закрытие"),
    "control": ("control", "контроль"),
    "create": ("create", "создание"),
    "defend": ("defend", "защита"),
    "destroy": ("destroy", "уничтожение"),
    "dice": ("dice", "бросок"),
    "die": ("die", "гибель"),
    "discard": ("discard", "сброс"),
    "draw": ("draw", "взятие"),
    "empty": ("nothing left", "больше нет"),
    "end": ("end", "окончание"),
    "enhance": ("enhance", "усиление"),
    "enter": ("enter", "вход в игру"),
    "expire": ("expire", "истечение"),
    "extra_life": ("extra life", "доп. жизнь"),
    "fight": ("fight", "сражение"),
    "find": ("find", "поиск"),
    "forfeit": ("forfeit", "потеря монет"),
    "gain": ("gain", "получение"),
    "gone": ("not in play", "не в игре"),
    "heal": ("heal", "лечение"),
    "hide": ("hide", "скрытие"),
    "hold": ("hold", "запрет"),
    "lapse": ("lapse", "заявка отпала"),
    "lay": ("lay", "эффект"),
    "limit": ("limit", "предел"),
    "mill": ("mill", "сброс с колоды"),
    "miss": ("miss", "впустую"),
    "modify": ("modify", "поправка"),
    "move": ("move", "движение"),
    "nothing": ("nothing", "без изменений"),
    "open": ("open", "открытие"),
    "pass": ("pass", "без защиты"),
    "overwrite": ("overwrite", "замена навсегда"),
    "pay": ("pay", "оплата"),
    "place": ("place", "размещение"),
    "play": ("play", "розыгрыш"),
    "prevent": ("prevent", "предотвращение"),
    "ready": ("ready", "готовность"),
    "recount": ("recount", "пересчёт"),
    "recover": ("recover", "восстановление"),
    "redirect": ("redirect", "перевод ран"),
    "replace": ("replace", "замещение"),
    "result": ("result", "итог"),
    "return": ("return", "возвращение"),
    "reveal": ("reveal", "вскрытие"),
    "revive": ("revive", "возрождение"),
    "show": ("show", "показ"),
    "shuffle": ("shuffle", "перемешивание"),
    "skip": ("skip", "пропуск"),
    "summon": ("summon", "вызов"),
    "tie": ("draw", "ничья"),
    "trigger": ("trigger", "срабатывание"),
    "use": ("use", "применение"),
    "void": ("void", "опущено"),
    "wounds": ("wounds", "раны"),
    "zero": ("zero", "ноль"),
}
