"""What can be wrong with an input: the words of every fault, in English and in Russian."""

from __future__ import annotations

# key: (English, Russian)
FAULTS: dict[str, tuple[str, str]] = {
    "at": ("{place}: {text}", "{place}: {text}"),
    "at_mark": (
        "{place}: line {line}, column {column}: {text}",
        "{place}: строка {line}, столбец {column}: {text}",
    ),
    "below": ("{value} is below {least}", "{value} меньше {least}"),
    "above": ("{value} is above the limit of {most:,}", "{value} больше предела в {most:,}"),
    "more_than": ("{value} is above {most:,}", "{value} больше {most:,}"),
    "near": ("; did you mean {near}?", "; может быть, {near}?"),
    "required": ("is required", "должно быть указано"),
    "required_or": ("is required (or {other})", "должно быть указано (или {other})"),
    "required_of": ("is required of a {type}", "должно быть указано: тип карты — {type}"),
    "unknown_key": ("unknown key{near}", "неизвестный ключ{near}"),
    "key_no_text": ("the key {value} must be text", "ключ {value} должен быть текстом"),
    "not_one_of": ("{value} is not one of {known}{near}", "{value} нет среди {known}{near}"),
    "no_number": ("{value} is not a whole number", "{value} — не целое число"),
    "no_flag": ("{value} is not true or false", "{value} — не true и не false"),
    "no_text": ("{value} is not text", "{value} — не текст"),
    "no_list": ("{value} is not a list", "{value} — не список"),
    "no_list_of_texts": (
        "{value} is not a list of texts{near}",
        "{value} — не список текстов{near}",
    ),
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
    "at_line": ("{place}: line {line}: {text}", "{place}: строка {line}: {text}"),
    "at_document": (
        "{place}: document {n} (line {line}): {text}",
        "{place}: документ {n} (строка {line}): {text}",
    ),
    "line_of": ("{path}: line {line}", "{path}: строка {line}"),
    "under": ("{place}.{text}", "{place}.{text}"),
    "both": ("{en}", "{ru}"),
    "and": ("{first} and {second}", "{first} и {second}"),
    "form": ("({said})", "({said})"),
    "comma": ("{first}, {second}", "{first}, {second}"),
    "or": ("{first} or {second}", "{first} или {second}"),
    "to": ("{least} to {most}", "от {least} до {most}"),
    "known": ("; known: {known}", "; известны: {known}"),
    "none": ("none", "ни одного"),
    "is_no_mapping": ("is not a mapping", "не набор ключей"),
    "is_no_texts": ("is not a list of texts", "не список текстов"),
    "required_list": ("is required, a list", "должен быть указан список"),
    "key_missing": ("the key '{name}' is missing", "нет ключа '{name}'"),
    "no_text_quote": (
        "{value} is not text; quote it",
        "{value} — не текст; поставьте кавычки",
    ),
    "no_match": ("{value} does not match [a-z][a-z0-9_]*", "{value} — не вида [a-z][a-z0-9_]*"),
    "number_from_0": (
        "{value} is not a whole number from 0 to {most:,}",
        "{value} — не целое число от 0 до {most:,}",
    ),
    "whole_least": (
        "{value} is not a whole number of {least:,} or more",
        "{value} — не целое число от {least:,} и больше",
    ),
    "whole_from_to": (
        "{value} is not a whole number from {least:,} to {most:,}",
        "{value} — не целое число от {least:,} до {most:,}",
    ),
    "seconds_least": (
        "{value} is no number of seconds, 0 or more",
        "{value} — не число секунд от 0 и больше",
    ),
    "no_choice": (
        "{value} is no outcome, no number of one and no function",
        "{value} — не исход, не номер исхода и не функция",
    ),
    "no_limits": ("{value} is no Limits", "{value} — не Limits"),
    "few_for_games": ("{n} of them for {games} games", "их {n}, а партий {games}"),
    "digits": ("a number of about {n} digits", "число примерно из {n} цифр"),
    # YAML
    "second_document": (
        "a second document; only one may be here",
        "второй документ, а он может быть только один",
    ),
    "not_utf8": ("is not UTF-8 text (byte {n})", "не текст в UTF-8 (байт {n})"),
    "not_json": ("is not JSON: {why}", "не JSON: {why}"),
    "not_yaml": ("is not YAML: {why}", "не YAML: {why}"),
    "tag": ("the tag {tag} may not be used", "тег {tag} недопустим"),
    "no_tag": ("{value} is not a {tag}", "{value} — не {tag}"),
    "key_collection": (
        "a key must be text, not a list or a mapping",
        "ключ должен быть текстом, а не списком и не набором ключей",
    ),
    "key_quote": (
        "the key {value} must be text: quote it",
        "ключ {value} должен быть текстом: поставьте кавычки",
    ),
    "alias": (
        "the alias *{name} names nothing yet",
        "ссылка *{name} ещё ни на что не указывает",
    ),
    "digits_over": ("a number of too many digits", "в числе слишком много цифр"),
    # states
    "state_is": (
        "is {what}, not a mapping with active, players and cards",
        "здесь {what}, а нужны ключи active, players и cards",
    ),
    "a_list": ("a list", "список"),
    "nothing": ("empty", "пусто"),
    "the_players": ("the players", "игроков"),
    "bad_id": (
        "the id {value} does not match [a-z][a-z0-9_]*",
        "id {value} — не вида [a-z][a-z0-9_]*",
    ),
    "long_id": (
        "has {n} characters, where an id has at most {most}",
        "{n} симв., а в id их не больше {most}",
    ),
    "more_faults": (
        "there are more faults: {most} are told",
        "ошибок больше: названы {most}",
    ),
    "bad_player": (
        "the id {value} is no identifier",
        "id {value} — не слово из латинских букв, цифр и _",
    ),
    "draw_player": (
        "no player may be called draw: it is a result",
        "игрока нельзя назвать draw: это итог партии",
    ),
    "not_of_active": (
        "{value} is not a card of {player}, whose turn it is",
        "{value} — не карта игрока {player}, чей сейчас ход",
    ),
    "not_of_opponent": (
        "{value} is not a card of the opponent of {player}",
        "{value} — не карта соперника игрока {player}",
    ),
    "kind_edition": (
        "{value} is a kind of {edition}, not {other}",
        "{value} — карта редакции {edition}, а не {other}",
    ),
    "type_required": ("is required (or a kind)", "должно быть указано (или kind)"),
    "strike_three": (
        "{value} is not three numbers: [weak, medium, strong]",
        "{value} — не три числа: [слабый, средний, сильный]",
    ),
    "strike_one": (
        "is three numbers; in this edition it is one",
        "здесь три числа, а в этой редакции удар — одно",
    ),
    "neutral": (
        "'neutral' and an element exclude each other",
        "'neutral' и стихия исключают друг друга",
    ),
    "after_mark": (
        "after # stands {value}, not 2 or more (the first has no #)",
        "после # стоит {value}, а не число от 2 (у первой # нет)",
    ),
    "same_ability": ("names the same ability as {other}", "та же способность, что {other}"),
    "contradicts": (
        "{ability} contradicts {other} of effects[{index}]: both are laid on {card} at the moment"
        " {since}",
        "{ability} противоречит {other} из effects[{index}]: оба наложены на {card} в момент"
        " {since}",
    ),
    "strike_shape": (
        "{value} is not a whole number (classic: [weak, medium, strong])",
        "{value} — не целое число (в classic: [слабый, средний, сильный])",
    ),
    "until_shape": (
        "{value} is not leaves, end_of_turn or the number of a turn{near}",
        "{value} — не leaves, не end_of_turn и не номер хода{near}",
    ),
    "cell_shape": (
        "{value} is not [column, row]: a column from 1 to {columns}, a row from 1 to {rows}",
        "{value} — не [столбец, ряд]: столбец от 1 до {columns}, ряд от 1 до {rows}",
    ),
    "name_shape": (
        "{value} is not 1 to {most} characters that can be printed",
        "{value} — не от 1 до {most} печатных знаков",
    ),
    "other_shape": ("{value}: {why}", "{value} не подходит: {why}"),
    "no_such_card": (
        "there is no card '{id}' in this state",
        "карты '{id}' в этой позиции нет",
    ),
    "no_such_player": (
        "there is no player '{id}' in this state",
        "игрока '{id}' в этой позиции нет",
    ),
    # what is judged as it stands, but hardly is meant
    "later": (
        "is turn {value}, but it is turn {turn} now",
        "это ход {value}, а сейчас только ход {turn}",
    ),
    "spell_in_play": (
        "a spell does not stay in play: is zone: hand meant, or zone: graveyard?",
        "заклинание в игре не остаётся: может быть, zone: hand или zone: graveyard?",
    ),
    "hero_away": (
        "is {zone}, where no hero can be",
        "здесь {zone}, а героя там быть не может",
    ),
    "over_already": (
        "ended with turn {value}, and it is turn {turn} now; it is judged as if it held",
        "срок вышел с ходом {value}, а сейчас ход {turn}; рассмотрено так, будто эффект действует",
    ),
    "spent_of_none": (
        "the card has no such ability of which anything could be used up{near}",
        "у карты нет такой способности, расходовать нечего{near}",
    ),
    "spent_within": (
        "is counted beside the text that gives it, {own}",
        "считается под тем текстом, который это даёт: {own}",
    ),
    "spent_above": (
        "is {value}, but there is no more than {most} of it",
        "здесь {value}, а всего не больше {most}",
    ),
    "attack_in_phase": (
        "an attack is announced, but the phase is {phase}, not main",
        "атака объявлена, а фаза — {phase}, не main",
    ),
    "not_in_play": (
        "{value} is not in play, but in the zone {zone}",
        "карта {value} не в игре, а в зоне {zone}",
    ),
    "no_fighter": (
        "{value} is no creature, but of the type {type}",
        "{value} — не существо, а карта типа {type}",
    ),
    "own_defender": (
        "{value} is the target itself",
        "{value} — это сама цель атаки",
    ),
    "strange_class": (
        "no other card knows the class {value}{near}",
        "класса {value} больше ни у кого нет{near}",
    ),
    "strange_element": (
        "no other card knows the element {value}{near}",
        "стихии {value} больше ни у кого нет{near}",
    ),
    # kinds of card
    "no_kind": ("{value} is no kind of card{near}", "карты {value} нет в списке{near}"),
    "cards_shape": (
        "is not a mapping with the key cards",
        "не набор ключей, среди которых есть cards",
    ),
    "used_already": ("{value} is used already ({file})", "{value} уже занято ({file})"),
    "names_shape": (
        "is not a mapping of languages to names",
        "не набор имён по языкам",
    ),
    "is_no_strike": (
        "is not three numbers: [weak, medium, strong]",
        "не три числа: [слабый, средний, сильный]",
    ),
    # ability terms
    "column": ("column {n} of {term}: {text}", "столбец {n} в {term}: {text}"),
    "term_long": (
        "is longer than the limit of {most:,} characters",
        "длиннее предела в {most:,} знаков",
    ),
    "term_deep": ("nested more than {most} deep", "вложенность больше {most}"),
    "no_term": ("is no term: {why}", "не терм: {why}"),
    "number_alone": ("a number alone is no term", "одно число — не терм"),
    "second_term": ("a second term", "второй терм"),
    "open_no_name": ("'(' must follow a name", "'(' может стоять только после имени"),
    "open_nothing": ("has nothing between its parentheses", "между скобками ничего нет"),
    "open_left": ("a ')' is missing for this '('{more}", "этой '(' не хватает ')'{more}"),
    "open_number": (" ({n} are open)", " (не закрыто скобок: {n})"),
    "close_nothing": ("a ')' that closes nothing", "')' ничего не закрывает"),
    "argument_missing": (
        "an argument is missing before '{token}'",
        "перед '{token}' не хватает аргумента",
    ),
    "comma_missing": (
        "'{token}' must be parted by ',' from what is before it",
        "перед '{token}' не хватает ','",
    ),
    "begins_with_0": ("{value} begins with 0", "{value} начинается с 0"),
    "beyond": ("{value} is beyond the limit of {most:,}", "{value} за пределом в {most:,}"),
    "bad_sign": ("{sign} may not stand in a term", "{sign} не может стоять в терме"),
    "lone_minus": (
        "'-' may stand only before the digits of a number",
        "'-' может стоять только перед цифрами числа",
    ),
    "no_name": (
        "{sign} begins no name: names begin with a letter",
        "имя не может начинаться с {sign}: имена начинаются с буквы",
    ),
    "takes": (
        "{name} takes {forms}; {given} given",
        "{name} принимает {forms}; аргументов здесь {given}",
    ),
    "takes_none": (
        "{name} takes no arguments, {given} given",
        "{name} не принимает аргументов, а их {given}",
    ),
    "no_arguments": ("{name} takes no arguments", "{name} не принимает аргументов"),
    "means_nothing": (
        "{value} means nothing in {name}, which takes {known}",
        "{value} в {name} ничего не значит, годятся {known}",
    ),
    "unread": (
        "{value} means nothing within {name}, where it cannot be told yet or at all{told}",
        "{value} внутри {name} ничего не значит: там этого не узнать{told}",
    ),
    "told_in": ("; it is told in {places}", "; это известно в {places}"),
    "told_in_effects": (
        "; it is told in an effect, as it is carried out",
        "; это известно в эффекте, когда он выполняется",
    ),
    "only_in": (
        "{value} selects nothing by itself; it stands in {places}",
        "{value} само ничего не выбирает, оно стоит в {places}",
    ),
    "name_alone": (
        "{name} is a name here and takes no arguments",
        "{name} здесь — имя и аргументов не принимает",
    ),
    "number_for": (
        "{value} is a number, where {sort} must stand",
        "{value} — число, а здесь нужно: {sort}",
    ),
    "other_sort": (
        "{value} is {found}, where {sort} must stand",
        "{value} — {found}, а здесь нужно: {sort}",
    ),
    "not_sort": ("{value} is not {sort}{near}", "{value} не подходит, здесь нужно: {sort}{near}"),
    "target_again": (
        "target({index}): the effect has {have} to name again{anew}",
        "target({index}): указать не на что, у эффекта {have}{anew}",
    ),
    "counted_anew": (
        "; within {name} its own targets are counted",
        "; внутри {name} считаются свои цели",
    ),
    "target_none": ("no target", "нет целей"),
    "target_one": ("only 1 target", "только одна цель"),
    "target_few": ("only {n} targets", "целей только {n}"),
    "no_sort": ("is no sort", "нет такого вида термов"),
    "sort_unknown": ("{value} is no sort", "{value} — не вид термов"),
    # declarations
    "action_no_text": ("{value} is no text and no Action", "{value} — не текст и не Action"),
    "action_no_term": (
        "'{action}' is not a term such as attack(ork,gabriel) or end_turn",
        "'{action}' — не терм вроде attack(ork,gabriel) или end_turn",
    ),
    "action_unknown": ("'{verb}' is not an action{near}", "действия '{verb}' нет{near}"),
    "action_commas": (
        "commas separate the arguments of '{action}'{near}",
        "аргументы в '{action}' разделяются запятыми{near}",
    ),
    "action_takes": (
        "{verb} takes {wanted} arguments, '{action}' has {given}",
        "аргументов у {verb} должно быть {wanted}, а в '{action}' {given}",
    ),
    "action_takes_one": (
        "{verb} takes 1 argument, '{action}' has {given}",
        "{verb} принимает один аргумент, а в '{action}' {given}",
    ),
    "action_takes_none": (
        "{verb} takes no arguments, '{action}' has {given}",
        "{verb} не принимает аргументов, а в '{action}' их {given}",
    ),
    "action_number": (
        "argument {n} of '{action}' must be a whole number from 0 to {most:,}",
        "аргумент {n} в '{action}' должен быть целым числом от 0 до {most:,}",
    ),
    "action_id": (
        "argument {n} of '{action}' must be the id of a card{near}",
        "аргумент {n} в '{action}' должен быть id карты{near}",
    ),
    # rulings
    "ruling_taken": ("'{id}' is taken by {other}", "id '{id}' уже занят: {other}"),
    "no_rulings": ("holds no ruling", "нет ни одного решения"),
    "no_yaml_file": ("holds no *.yaml file", "нет ни одного файла *.yaml"),
    "ruling_shape": (
        "{value} is not a mapping with the key 'ruling'",
        "{value} — не набор ключей, среди которых есть 'ruling'",
    ),
    "state_no_ruling": (
        "is a state, not a ruling: the key 'ruling' is missing",
        "это позиция, а не решение: нет ключа 'ruling'",
    ),
    "ruling_id": ("{value} is not the id of a ruling", "{value} — не id решения"),
    "asks_nothing": (
        "asks nothing: give it legal, illegal, resolve or deck",
        "ни о чём не спрашивает: нужно legal, illegal, resolve или deck",
    ),
    "no_rule": ("{value} is no rule{near}", "правила {value} нет{near}"),
    "no_editions": ("{value} is not a list of editions", "{value} — не список редакций"),
    "no_edition": ("{value} is not an edition{near}", "редакции {value} нет{near}"),
    "action_no_card": (
        "{action}: no card has the id '{id}'{near}",
        "{action}: карты с id '{id}' нет{near}",
    ),
    "illegal_shape": (
        "{value} is not a mapping of actions to rules",
        "{value} — не набор правил по действиям",
    ),
    "resolve_shape": (
        "{value} is not a mapping of action and outcomes",
        "{value} — не набор ключей action и outcomes",
    ),
    "no_path": ("{value} is not a path", "{value} — не путь к файлу"),
    "no_file": ("{value} is no file", "файла {value} нет"),
    "outside": (
        "{value} is outside the folder of the ruling file",
        "{value} лежит вне папки файла с решением",
    ),
    "no_partial": ("{value} is not a partial state", "{value} — не часть позиции"),
    # decks and games
    "no_hero": ("{value} is no hero{near}", "{value} — не герой{near}"),
    "heroes_of_set": (
        "; those of the teaching set: {known}",
        "; герои учебного набора: {known}",
    ),
    "hero_waits": (
        "{hero} cannot be played yet: it waits for {what}",
        "{hero} пока не играет, не хватает: {what}",
    ),
    "card_waits": (
        "cannot be played yet: it waits for {what}",
        "пока не играет, не хватает: {what}",
    ),
    "no_copies": ("{value} is no number of copies", "{value} — не число копий"),
    "is_no_kind": ("is no kind of card{near}", "такой карты нет{near}"),
    "not_for_deck": ("is no card for a deck", "такую карту в колоду не кладут"),
    "foreign_element": (
        "its element is {element}, not that of {hero}",
        "стихия карты — {element}, а у героя {hero} другая",
    ),
    "copies_over": (
        "{n} of one name, at most {most} are allowed",
        "карт с одним именем {n}, а можно не больше {most}",
    ),
    "few_cards": (
        "has {n} cards, at least {least} are needed",
        "карт {n}, а нужно не меньше {least}",
    ),
    "no_deck_in": (
        "no deck is played in the edition {edition}",
        "в редакции {edition} колодами не играют",
    ),
    "deck_shape": (
        "is not a mapping of kinds to copies",
        "не набор карт с числом копий каждой",
    ),
    "two_needed": (
        "there must be two, one a player, not {n}",
        "нужно два, по одному на игрока, а не {n}",
    ),
    "the_deal": ("the deal", "сдача"),
    "redeal": (
        "redeal of {player}: {cards}: not in the hand",
        "пересдача игрока {player}: в руке нет: {cards}",
    ),
    "choice_left": (
        "{action} leaves {player} a choice ({rule}): {options}",
        "{action} оставляет игроку {player} выбор ({rule}): {options}",
    ),
    "no_outcome": (
        "{given} is none of the {n} outcomes of {action}",
        "{given} — не исход {action}, исходов {n}",
    ),
    "this": ("this", "это"),
    "none_of": ("{value} is none of: {options}", "{value} нет среди: {options}"),
    "no_undo": ("there is no action to take back", "брать назад нечего"),
    "limit_shape": ("{value} is no whole number above 0", "{value} — не целое число больше 0"),
    "seconds_shape": ("{value} is no number above 0", "{value} — не число больше 0"),
    "unwritable": ("cannot be written: {why}", "не записать: {why}"),
    "stdout": ("standard output", "стандартный вывод"),
    # what a system says of a file, by the name of its number in `errno`
    "ENOENT": ("No such file or directory", "нет такого файла или папки"),
    "EISDIR": ("Is a directory", "это папка"),
    "ENOTDIR": ("Not a directory", "это не папка"),
    "EEXIST": ("File exists", "такой файл уже есть"),
    "EACCES": ("Permission denied", "нет доступа"),
    "EPERM": ("Operation not permitted", "это не разрешено"),
    "EROFS": ("Read-only file system", "эта файловая система только для чтения"),
    "ENOSPC": ("No space left on device", "на устройстве нет места"),
    "EDQUOT": ("Disk quota exceeded", "отведённое место на диске кончилось"),
    "EFBIG": ("File too large", "файл слишком велик"),
    "ENAMETOOLONG": ("File name too long", "имя файла слишком длинное"),
    "ELOOP": ("Too many levels of symbolic links", "ссылки ведут друг на друга"),
    "EMFILE": ("Too many open files", "открыто слишком много файлов"),
    "EIO": ("Input/output error", "ошибка ввода-вывода"),
    "EBUSY": ("Device or resource busy", "файл занят"),
    "EADDRINUSE": ("Address already in use", "адрес уже занят"),
    "EADDRNOTAVAIL": ("Cannot assign requested address", "у этой машины нет такого адреса"),
    "no_utf8": ("is not UTF-8 text", "не текст в UTF-8"),
    # several games at once
    "games": ("games[{n}].{text}", "games[{n}].{text}"),
    "several_editions": (
        "are of several editions: {editions}",
        "партии разных редакций: {editions}",
    ),
    "games_over": ("{n:,} are above the limit of {most:,}", "партий {n:,}, а предел — {most:,}"),
    "edition_of_others": (
        "is {edition}, not that of the other games",
        "{edition}, а у остальных партий другая",
    ),
    "name_or_kind": ("needs a name or a kind", "нужно имя или kind"),
    "mark_in_id": (
        "'vg1_' and the like may not be in an id",
        "в id не может быть 'vg1_' и подобного",
    ),
    "game_over": ("{action}: the game is over", "{action}: партия окончена"),
    "game_choice": (
        "game {n} leaves {player} a choice ({rule}): {options}",
        "партия {n} оставляет игроку {player} выбор ({rule}): {options}",
    ),
    # logs of games
    "no_json_mapping": ("is no JSON mapping", "не объект JSON"),
    "no_log": ("is no log of a game", "не запись партии"),
    "no_log_head": (
        "is not the first line of a log of a game",
        "не первая строка записи партии",
    ),
    "dealt_shape": (
        "does not tell heroes, decks, redeal, edition",
        "не указаны heroes, decks, redeal и edition",
    ),
    "not_next": (
        "{value} is not {n}, the number that comes next",
        "{value} — не {n}, а следующий номер такой",
    ),
    "required_text": ("is required, a text", "должен быть указан текст"),
    "picks_or_outcome": (
        "needs either picks or outcome, the number of one",
        "нужно либо picks, либо outcome — номер исхода",
    ),
    "nothing_picked": ("nothing was picked from: {options}", "ничего не выбрано из: {options}"),
    "nothing_to_pick": (
        "nothing was left to pick: {options}",
        "выбирать больше нечего: {options}",
    ),
    # many positions in a file
    "no_json_object": ("is {value}, not a JSON object", "здесь {value}, а нужен объект JSON"),
    "unknown_of": (
        "unknown key; known are {known}{near}",
        "неизвестный ключ, есть {known}{near}",
    ),
    "required_position": ("is required, a position", "должна быть указана позиция"),
    "required_action": (
        "is required, a text such as 'attack(ork,gabriel)'",
        "должно быть указано, например 'attack(ork,gabriel)'",
    ),
    "no_lines": (
        "is YAML, but lines of JSON are read, a position each; `pyengine legal` reads one position",
        "это YAML, а нужны строки JSON, позиция в каждой; одну позицию читает `pyengine legal`",
    ),
    "no_file_out": (
        "is no file; - is standard output",
        "не файл; стандартный вывод — это -",
    ),
    "part_left": (
        "an interrupted run left it: add --resume, or remove it",
        "остался от прерванного запуска: добавьте --resume или удалите его",
    ),
    "part_long": (
        "has answers to more lines than there are: remove it",
        "ответов больше, чем строк: удалите его",
    ),
    "part_no_json": (
        "is no JSON object: remove the file",
        "не объект JSON: удалите файл",
    ),
    "part_other": (
        "is not the answer to line {line}: remove the file",
        "не ответ на строку {line}: удалите файл",
    ),
    "resume_stdout": (
        "standard output cannot be gone on with; -o FILE can",
        "стандартный вывод не продолжить; можно продолжить -o FILE",
    ),
    "workers_twice": (
        "the workers of a scheduler are its own; leave one of them out",
        "у планировщика свои процессы; уберите что-то одно",
    ),
    "output_is_input": (
        "is the file of the positions itself",
        "это сам файл с позициями",
    ),
    "no_pyarrow": (
        "Parquet needs pyarrow, which is not installed: {command}",
        "для Parquet нужен pyarrow, а он не установлен: {command}",
    ),
    "no_parquet": ("is no Parquet file: {why}", "не файл Parquet: {why}"),
    "no_column": (
        "has no column {name}; its columns: {known}{near}",
        "нет столбца {name}; есть {known}{near}",
    ),
    "column_type": ("column {name} is {type}, not text", "в столбце {name} не текст, а {type}"),
    # a check
    "scope_form": (
        "{value} is not of the form cards=4; known: {known}",
        "{value} — не вида cards=4; известны: {known}",
    ),
    "given_twice": ("{name} is given twice", "{name} указано дважды"),
    "not_from_to": (
        "{name}={number} is not from {least} to {most}",
        "{name}={number} — не от {least} до {most}",
    ),
    "no_set": (
        "there are no cards of set {number}; known: {known}",
        "карт набора {number} нет; известны: {known}",
    ),
    "no_folder": ("{value} is no folder", "{value} — не папка"),
    "no_chapter": (
        "{value} holds no chapter, a file that ends with .lp",
        "в {value} нет ни одной главы, файла с концом .lp",
    ),
    "is_not_there": ("there is no {value}", "{value} нет"),
    "no_state": (
        "is {value}, not a State: State.from_dict and State.load make one of a document",
        "здесь {value}, а нужен State: из документа его делают State.from_dict и State.load",
    ),
    "no_question": (
        "is {value}, not a pair of a state and an action",
        "здесь {value}, а нужна пара: позиция и действие",
    ),
    # requests to the server
    "no_object": ("is {value}, not an object of JSON", "здесь {value}, а нужен объект JSON"),
    "object_or_text": (
        "{value} is neither an object nor a text",
        "{value} — не объект и не текст",
    ),
    "no_action_text": (
        "{value} is not text such as attack(ork,gabriel)",
        "{value} — не текст вроде attack(ork,gabriel)",
    ),
    "no_scope_text": (
        "{value} is not text such as cards=3,effects=2",
        "{value} — не текст вроде cards=3,effects=2",
    ),
    "no_such": ("there is no '{id}'{near}", "'{id}' здесь нет{near}"),
    "no_numbers": ("{value} is not a list of numbers", "{value} — не список чисел"),
    "no_codes": ("{value} is not a list of codes", "{value} — не список кодов"),
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

# what libyaml and Python's reader of JSON say is wrong, in Russian; what is not here stays as it is
LIBRARIES: dict[str, str] = {
    "block sequence entries are not allowed in this context": "пункт списка здесь стоять не может",
    "control characters are not allowed": "управляющие знаки недопустимы",
    "could not find expected ':'": "не хватает ':'",
    "could not find expected directive name": "нет имени директивы после '%'",
    "did not find URI escaped octet": "в теге неверная запись знака через '%'",
    "did not find expected '!'": "в теге не хватает '!'",
    "did not find expected ',' or ']'": "не хватает ',' или ']'",
    "did not find expected ',' or '}'": "не хватает ',' или '}'",
    "did not find expected '-' indicator": "здесь должен быть пункт списка «- »: проверьте отступ",
    "did not find expected <document start>": "здесь должен начинаться документ: не хватает '---'",
    "did not find expected alphabetic or numeric character": "нет имени после '*' или '&'",
    "did not find expected comment or line break": "лишнее до конца строки",
    "did not find expected digit or '.' character": "в номере версии YAML не цифра и не '.'",
    "did not find expected hexdecimal number": "не хватает шестнадцатеричных цифр",
    "did not find expected key": "здесь должен быть ключ: проверьте отступ",
    "did not find expected node content": "здесь должно быть значение",
    "did not find expected tag URI": "нет имени тега",
    "did not find expected version number": "нет номера версии YAML",
    "did not find expected whitespace": "не хватает пробела",
    "did not find expected whitespace or line break": "не хватает пробела или конца строки",
    "did not find the expected '>'": "в теге не хватает '>'",
    "found a tab character that violates indentation": "в отступе табуляция, а нужны пробелы",
    "found a tab character where an indentation space is expected": (
        "в отступе табуляция, а нужны пробелы"
    ),
    "found an indentation indicator equal to 0": "отступ не может быть равен 0",
    "found character that cannot start any token": "с этого знака ничего не может начинаться",
    "found duplicate %TAG directive": "директива %TAG указана дважды",
    "found duplicate %YAML directive": "директива %YAML указана дважды",
    "found extremely long version number": "номер версии YAML слишком длинный",
    "found incompatible YAML document": "документ для другой версии YAML",
    "found undefined tag handle": "неизвестная приставка тега",
    "found unexpected ':'": "лишнее ':'",
    "found unexpected document indicator": "кавычки не закрыты, а документ кончился",
    "found unexpected end of stream": "кавычки не закрыты, а текст кончился",
    "found unexpected non-alphabetical character": "в имени директивы не буква",
    "found unknown directive name": "такой директивы нет",
    "found unknown escape character": "такой записи знака через '\\' нет",
    "found invalid Unicode character escape code": "такого знака Юникода нет",
    "incomplete UTF-8 octet sequence": "знак UTF-8 обрывается",
    "invalid Unicode character": "такого знака Юникода нет",
    "invalid leading UTF-8 octet": "это не UTF-8",
    "invalid trailing UTF-8 octet": "это не UTF-8",
    "mapping keys are not allowed in this context": "ключ здесь стоять не может",
    "mapping values are not allowed in this context": (
        "':' здесь стоять не может: проверьте отступ или поставьте кавычки"
    ),
    # JSON
    "Expecting value": "здесь должно быть значение",
    "Expecting property name enclosed in double quotes": "не хватает ключа в двойных кавычках",
    "Expecting ':' delimiter": "не хватает ':'",
    "Expecting ',' delimiter": "не хватает ','",
    "Extra data": "за концом документа есть что-то ещё",
    "Unterminated string starting at": "кавычки не закрыты",
    "Invalid control character at": "управляющие знаки недопустимы",
    "Invalid \\escape": "такой записи знака через '\\' нет",
    "Invalid \\uXXXX escape": "после '\\u' не четыре шестнадцатеричные цифры",
    "Illegal trailing comma before end of object": "лишняя ',' в конце",
    "Illegal trailing comma before end of array": "лишняя ',' в конце",
}
