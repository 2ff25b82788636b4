"""What the server says itself, in English and in Russian."""

from __future__ import annotations

from pyengine.i18n import LANGUAGES, Lang


def say(key: str, lang: Lang, **parts: object) -> str:
    """The message of that key; KeyError if there is none."""
    return MESSAGES[key][LANGUAGES.index(lang)].format(**parts)


# key: (English, Russian); the title of each problem is under problem_CODE
MESSAGES: dict[str, tuple[str, str]] = {
    "serving": (
        "The page: {url}   The API: {url}docs   Ctrl+C ends it.",
        "Страница: {url}   API: {url}docs   Завершить: Ctrl+C",
    ),
    "serving_everyone": (
        "warning: whoever reaches {host} can ask: there is no password and no encryption",
        "внимание: спрашивать сможет каждый, кому доступен {host}: ни пароля, ни шифрования нет",
    ),
    "no_address": (
        "--host, --port: cannot listen at {host}:{port}: {why}",
        "--host, --port: не удаётся слушать {host}:{port}: {why}",
    ),
    "problem_bad_request": ("The request cannot be understood", "Запрос не понят"),
    "problem_not_found": ("There is no such thing", "Такого нет"),
    "problem_wrong_method": ("The address is not asked so", "Этот адрес так не спрашивают"),
    "problem_body_too_large": ("The request is too large", "Запрос слишком велик"),
    "problem_not_json": ("The request is not JSON", "Запрос не в формате JSON"),
    "problem_bad_input": ("The input has faults", "В данных ошибки"),
    "problem_too_much": ("The question is too large", "Вопрос слишком велик"),
    "problem_internal": ("An internal error", "Внутренняя ошибка"),
    "problem_busy": ("Too many questions at once", "Слишком много вопросов сразу"),
    "problem_lost": ("The answer was lost", "Ответ потерян"),
    "problem_late": ("The question takes too long", "Вопрос требует слишком много времени"),
    "memory": (
        "the memory of a process does not suffice: ask about a smaller position",
        "процессу не хватает памяти: возьмите позицию поменьше",
    ),
    "busy": (
        "all processes are busy and {n} questions may wait: ask again later",
        "все процессы заняты, ждать могут вопросов: {n}; спросите позже",
    ),
    "lost": (
        "the process that computed the answer ended; ask again",
        "процесс, считавший ответ, завершился; спросите ещё раз",
    ),
    "late": (
        "no answer within {n} s: ask about a smaller position, or serve with more --seconds",
        "за {n} с ответа нет: возьмите позицию поменьше или запустите с большим --seconds",
    ),
    "not_json": (
        "content-type: {kind} is not application/json",
        "content-type: {kind} вместо application/json",
    ),
    "body_too_large": (
        "the request is larger than the limit of {n} bytes",
        "запрос больше предела в {n} байт",
    ),
    "not_found_at": ("there is nothing at {path}", "по адресу {path} ничего нет"),
    "wrong_method_at": ("{path} does not know {method}", "{path} не знает {method}"),
    "no_such_host": (
        "host: this server does not go by the name '{host}'; ask it by one of {known}",
        "host: этот сервер не отзывается на имя '{host}'; спрашивайте по одному из {known}",
    ),
    "bad_request_at": ("{method} {path} is refused", "{method} {path}: отказано"),
}
