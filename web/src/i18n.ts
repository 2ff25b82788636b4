/** What the page says itself, in English and in Russian; words of the game come from the server. */

import type { Lang } from "./model";
import { lang, vocabulary } from "./store/desk";

type Pair = readonly [string, string];

const MESSAGES = {
  title: ["The judge’s desk", "Стол судьи"],
  skip: ["To the table", "К столу"],
  // header
  undo: ["Undo", "Отменить"],
  redo: ["Redo", "Вернуть"],
  position: ["Position", "Позиция"],
  language: ["Language", "Язык"],
  theme: ["Colours", "Цвета"],
  theme_auto: ["as the system", "как в системе"],
  theme_light: ["light", "светлые"],
  theme_dark: ["dark", "тёмные"],
  // panes and tabs
  pane_table: ["Table", "Стол"],
  pane_cards: ["Cards", "Карты"],
  cards_toggle: ["Cards", "Карты"],
  pane_judge: ["Judge", "Судья"],
  tab_verdicts: ["Verdicts", "Вердикты"],
  tab_card: ["Card", "Карта"],
  tab_outcomes: ["Outcomes", "Исходы"],
  tab_report: ["Report", "Отчёт"],
  tab_rules: ["Rulebook", "Правила"],
  tab_position: ["Position", "Позиция"],
  judge_views: ["What the judge shows", "Что показывает судья"],
  // the table
  turn_n: ["turn {n}", "ход {n}"],
  phase_n: ["{phase} phase", "фаза: {phase}"],
  decides: ["{player} decides", "решает {player}"],
  their_turn: ["{player}’s turn", "ходит {player}"],
  over_won: ["{player} has won", "победа: {player}"],
  over_draw: ["a draw", "ничья"],
  side_of: ["Side of {player}", "Сторона: {player}"],
  coins_n: ["coins: {n} of {all}", "монеты: {n} из {all}"],
  coins_spend: ["Spend a coin", "Закрыть монету"],
  coins_gain: ["Open a coin", "Открыть монету"],
  missed_n: ["draws missed: {n}", "пропущено взятий: {n}"],
  hand: ["Hand", "Рука"],
  deck: ["Deck", "Колода"],
  deck_shuffled: ["order unknown", "порядок неизвестен"],
  graveyard: ["Graveyard", "Кладбище"],
  reserve: ["Reserve", "Запас"],
  creatures: ["Creatures", "Существа"],
  back_row: ["Hero and supports", "Герой и поддержка"],
  in_play: ["In play", "В игре"],
  beside_board: ["Beside the board", "Вне поля"],
  board: ["The board", "Поле"],
  cell: ["column {x}, row {y}", "столбец {x}, ряд {y}"],
  empty_cell: ["empty", "пусто"],
  nothing_here: ["empty", "пусто"],
  drop_here: ["Drop here", "Положить сюда"],
  attack_pending: ["{attacker} attacks {target}", "{attacker} атакует {target}"],
  attack_defended: ["{attacker} attacks, {defender} defends", "{attacker} атакует, защищает {defender}"],
  effects_on: ["Effects, in the order they were laid", "Эффекты в порядке наложения"],
  effect_from: ["from {source}", "от {source}"],
  effect_until: ["until {until}", "до {until}"],
  // a card read aloud
  strike_n: ["strike {n}", "удар {n}"],
  life_n: ["life {left} of {all}", "жизнь {left} из {all}"],
  cost_n: ["cost {n}", "цена {n}"],
  wounds_n: ["wounds: {n}", "раны: {n}"],
  chips_n: ["chips: {n}", "фишки: {n}"],
  steps_n: ["steps: {n}", "шаги: {n}"],
  can_do: ["legal: {n}", "легально: {n}"],
  cannot_do: ["illegal: {n}", "нелегально: {n}"],
  owned_by: ["owner {player}", "владелец {player}"],
  // verdicts
  verdicts_of: ["What {card} may do", "Что может {card}"],
  verdicts_all: ["Everything that may be declared", "Всё, что можно объявить"],
  verdicts_hint: [
    "Choose a card to see what it may do. What lights up is legal; what is greyed says why not.",
    "Выберите карту, чтобы увидеть, что она может. Светится легальное, у серого сказано, почему нельзя.",
  ],
  search_action: ["Search an action, or write one", "Найти действие или записать своё"],
  search_example: ["attack(groll,shia)", "attack(groll,shia)"],
  judge_written: ["Judge {action}", "Рассудить {action}"],
  no_action_found: ["No candidate fits “{text}”.", "Под «{text}» ничего не подходит."],
  legal: ["legal", "легально"],
  illegal: ["illegal", "нелегально"],
  legal_list: ["Legal: {n}", "Легально: {n}"],
  illegal_list: ["Illegal: {n}", "Нелегально: {n}"],
  asking: ["the judge is thinking…", "судья думает…"],
  nobody: ["The game is over: there is nothing to declare.", "Партия окончена: объявлять нечего."],
  no_actions: ["This card has nothing to declare now.", "Этой карте сейчас нечего объявлять."],
  declare: ["Declare it", "Объявить"],
  why: ["Why", "Почему"],
  beats: ["overcomes {rule} ({card}) by {principle}", "сильнее {rule} ({card}) по {principle}"],
  fact: ["fact", "факт"],
  no_card: ["Without a card", "Без карты"],
  all_cards: ["All cards", "Все карты"],
  by_card: ["by {card}", "карта {card}"],
  // outcomes
  outcomes_none: ["Declare an action, and its outcomes are shown here.", "Объявите действие, и здесь будут его исходы."],
  outcomes_of: ["Outcomes of {action}", "Исходы: {action}"],
  outcome_n: ["Outcome {n}", "Исход {n}"],
  outcome_only: ["One outcome", "Один исход"],
  outcomes_n: ["Outcomes: {n}", "Исходов: {n}"],
  ways_n: ["ways: {n}", "способов: {n}"],
  chance: ["chance", "случай"],
  chooses: ["{player} chooses", "выбирает {player}"],
  steps: ["Steps", "Шаги"],
  changes: ["What changed", "Что изменилось"],
  no_changes: ["Nothing changed.", "Ничего не изменилось."],
  step_into: ["Step into this outcome", "Перейти к этому исходу"],
  tree_of_choices: ["The choices on the way", "Выбор по пути"],
  // history
  begun: ["the beginning", "начало"],
  from_link: ["a position from a link", "позиция из ссылки"],
  from_file: ["a position from a file", "позиция из файла"],
  from_sample: ["a sample position", "пример позиции"],
  from_witness: ["a witness of the report", "пример из отчёта"],
  from_ruling: ["the position of a ruling", "позиция решения"],
  from_new: ["a new table", "новый стол"],
  did_add: ["a card was added", "карта добавлена"],
  did_move: ["a card was moved", "карта перемещена"],
  did_remove: ["a card was removed", "карта убрана"],
  did_mark: ["a card was marked", "карта помечена"],
  did_rename: ["a card was renamed", "карта переименована"],
  did_effect: ["an effect was laid", "эффект наложен"],
  did_effect_off: ["an effect was taken off", "эффект снят"],
  did_player: ["a player’s values", "значения игрока"],
  did_table: ["the values of the table", "значения стола"],
  // position
  new_heroes: ["New table: Heroes", "Новый стол: Герои"],
  new_classic: ["New table: classic", "Новый стол: классический"],
  open_file: ["Open a file…", "Открыть файл…"],
  save_yaml: ["Save as YAML", "Сохранить YAML"],
  save_json: ["Save as JSON", "Сохранить JSON"],
  share: ["Copy a link to it", "Копировать ссылку"],
  shared: ["The link is copied: it contains the position.", "Ссылка скопирована, позиция в ней самой."],
  shared_by_hand: ["The link stands in the address bar.", "Ссылка стоит в адресной строке."],
  saved: ["Saved: {name}", "Сохранено: {name}"],
  opened: ["Opened: {name}", "Открыто: {name}"],
  save_ruling: ["Save as a ruling…", "Сохранить как решение…"],
  samples: ["Sample positions", "Примеры позиций"],
  history: ["What was done", "Что было сделано"],
  table_values: ["The table", "Стол"],
  edition: ["Edition", "Редакция"],
  turn: ["Turn", "Ход"],
  active: ["Whose turn", "Чей ход"],
  phase: ["Phase", "Фаза"],
  result: ["Result", "Итог"],
  none: ["none", "нет"],
  draw: ["a draw", "ничья"],
  coins: ["Open coins", "Открытых монет"],
  coins_total: ["Coins in all", "Всего монет"],
  missed: ["Draws missed", "Пропущено взятий"],
  deck_order: ["Order of the deck", "Порядок колоды"],
  known: ["known", "известен"],
  unknown: ["unknown", "неизвестен"],
  attack: ["Announced attack", "Объявленная атака"],
  attacker: ["Attacker", "Атакует"],
  target: ["Target", "Цель"],
  defender: ["Defender", "Защитник"],
  attack_announce: ["Announce", "Объявить"],
  attack_off: ["Take the attack back", "Убрать атаку"],
  // catalogue
  catalogue: ["Catalogue", "Каталог"],
  find_card: ["Name, in Russian or English", "Название, русское или английское"],
  element: ["Element", "Стихия"],
  type: ["Type", "Тип"],
  cost: ["Cost", "Цена"],
  ability: ["Ability", "Способность"],
  any: ["any", "любая"],
  neutral: ["neutral", "нейтральная"],
  found_n: ["found: {n}", "найдено: {n}"],
  more_n: ["Show {n} more", "Показать ещё {n}"],
  put_to: ["Put it to", "Положить"],
  put_card: ["Add {card}", "Добавить: {card}"],
  put_blank: ["A card of your own", "Своя карта"],
  incomplete: ["judged without its abilities", "судится без способностей"],
  nothing_found: ["Nothing fits.", "Ничего не подходит."],
  // card editor
  choose_card: ["Choose a card on the table to see and to change it.", "Выберите карту на столе, чтобы посмотреть и изменить её."],
  id: ["Id", "Обозначение"],
  id_taken: ["This id is taken or is none: small letters, digits and _.", "Обозначение занято или не годится: строчные латинские буквы, цифры и _."],
  name: ["Name", "Название"],
  zone: ["Zone", "Зона"],
  player: ["Player", "Игрок"],
  owner: ["Owner", "Владелец"],
  controller: ["Controller", "Управляет"],
  wounds: ["Wounds", "Раны"],
  extra_life: ["Extra life", "Доп. жизнь"],
  closed: ["closed", "закрыта"],
  acted: ["has acted", "действовала"],
  attacked: ["has attacked", "атаковала"],
  defended: ["has defended", "защищала"],
  hidden: ["hidden", "скрыта"],
  entered: ["Came on turn", "Вошла в ход"],
  since: ["Moment", "Момент"],
  chips: ["Chips", "Фишки"],
  movement: ["Movement", "Движение"],
  moved: ["Steps made", "Сделано шагов"],
  column: ["Column", "Столбец"],
  row: ["Row", "Ряд"],
  strike: ["Strike", "Удар"],
  life: ["Life", "Жизнь"],
  weak: ["weak", "слабый"],
  medium: ["medium", "средний"],
  strong: ["strong", "сильный"],
  class: ["Class", "Класс"],
  printed: ["Printed values", "Напечатанное"],
  marks: ["Marks", "Отметки"],
  place: ["Place", "Место"],
  abilities: ["Abilities", "Способности"],
  effects: ["Effects", "Эффекты"],
  remove: ["Take off the table", "Убрать со стола"],
  close: ["Close", "Закрыть"],
  open: ["Open", "Открыть"],
  less: ["less: {what}", "меньше: {what}"],
  more: ["more: {what}", "больше: {what}"],
  // effects and terms
  add_effect: ["Lay an effect", "Наложить эффект"],
  add_ability: ["Add an ability", "Добавить способность"],
  take_off: ["Take off {what}", "Снять: {what}"],
  source: ["Source", "Источник"],
  no_source: ["no card", "без карты"],
  until: ["Until", "До"],
  until_turn: ["the end of turn…", "конца хода №…"],
  lay: ["Lay it", "Наложить"],
  add: ["Add", "Добавить"],
  cancel: ["Cancel", "Отмена"],
  form_of: ["Form", "Форма"],
  as_text: ["As text", "Текстом"],
  number: ["a number", "число"],
  another_part: ["One more part", "Ещё часть"],
  less_part: ["One part less", "Частью меньше"],
  used_up: ["used up", "израсходовано"],
  // rulebook
  search_rules: ["Search the rulebook", "Искать в правилах"],
  all_rules: ["All rules", "Все правила"],
  here: ["In this position", "В этой позиции"],
  example: ["Example", "Пример"],
  see: ["See also", "См. также"],
  encoded: ["Encoded in", "Записано в"],
  rulings_n: ["Rulings: {n}", "Решений: {n}"],
  also_read: ["Read differently in", "Иначе читается в"],
  only_edition: ["Rules of this edition", "Правила этой редакции"],
  // report
  report_hint: [
    "Looks for contradictions among the cards on the table and the rules that meet there.",
    "Ищет противоречия между картами на столе и правилами, которые на нём сходятся.",
  ],
  check: ["Check the position", "Проверить позицию"],
  check_soon: ["This server has no report yet.", "У этого сервера отчёта пока нет."],
  no_findings: ["No contradictions were found.", "Противоречий не найдено."],
  findings_n: ["Findings: {n}", "Найдено: {n}"],
  severity: ["{severity}", "{severity}"],
  severity_error: ["Errors", "Ошибки"],
  severity_warning: ["Warnings", "Предупреждения"],
  severity_note: ["Notes", "Замечания"],
  searched: ["What was searched for", "Что искалось"],
  answer_found: ["found", "найдено"],
  answer_none: ["none", "нет"],
  answer_undecided: ["undecided", "не решено"],
  show_witness: ["Show it on the table", "Показать на столе"],
  // rulings
  ruling: ["Save as a ruling", "Сохранить как решение"],
  ruling_hint: [
    "What the judge says now, as a question with its answer. “pyengine verify FILE” asks it again.",
    "То, что судья говорит сейчас, как вопрос с ответом. Команда «pyengine verify ФАЙЛ» задаст его снова.",
  ],
  ruling_id: ["Id of the ruling", "Обозначение решения"],
  ruling_note: ["Note", "Примечание"],
  ruling_what: ["What it holds fast", "Что закрепить"],
  ruling_verdicts: ["all verdicts ({n})", "все вердикты ({n})"],
  ruling_one: ["the verdict on {action}", "вердикт на {action}"],
  ruling_outcomes: ["the outcomes of {action}", "исходы {action}"],
  download: ["Save the file", "Сохранить файл"],
  copy: ["Copy", "Копировать"],
  copied: ["Copied.", "Скопировано."],
  dismiss: ["Close", "Закрыть"],
  // problems
  faults: ["The judge cannot read this position", "Судья не может прочесть эту позицию"],
  unreachable: ["The server does not answer. Is “pyengine serve” still running?", "Сервер не отвечает. Работает ли ещё «pyengine serve»?"],
  problem: ["It did not work", "Не получилось"],
  retry: ["Try again", "Ещё раз"],
  bad_link: ["The position in this link is damaged.", "Позиция в ссылке повреждена."],
} as const satisfies Record<string, Pair>;

export type Key = keyof typeof MESSAGES;

/** The message of that key in the language of the page. */
export function t(key: Key, parts: Record<string, string | number> = {}): string {
  return fill(MESSAGES[key][lang.value === "en" ? 0 : 1], parts);
}

export const known = (key: string): key is Key => key in MESSAGES;

const fill = (text: string, parts: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(parts[name] ?? whole));

/** A word of the game: a zone, type, element, class, mark; itself if there is no other word for it. */
export function word(value: string): string {
  const words = vocabulary.value;
  const told: Lang = lang.value;
  const pair = words?.words[value] ?? words?.names.classes?.[value] ?? words?.names.elements?.[value];
  return pair?.[told] ?? value;
}

/** What a term does, in a word or two, for the face of a card. */
const GISTS: Record<string, Pair> = {
  use: ["ability", "способность"],
  spell: ["effect", "действие"],
  on: ["trigger", "срабатывание"],
  once_on: ["trigger", "срабатывание"],
  may_on: ["trigger, may", "может сработать"],
  in_zone: ["elsewhere", "вне игры"],
  prevent: ["prevents", "предотвращает"],
  protection: ["protection", "защита"],
  no_wounds: ["no wounds from", "нет ран от"],
  wounds_only: ["wounds only from", "раны лишь от"],
  redirect: ["redirects", "переводит раны"],
  strike_mod: ["strike", "удар"],
  strike_becomes: ["strike becomes", "удар равен"],
  spell_mod: ["spells", "заклинания"],
  mod: ["changes", "меняет"],
  is: ["is", "равно"],
  cannot: ["may not", "не может"],
  cannot_be: ["may not be", "нельзя"],
  may: ["may", "может"],
  must: ["must", "обязан"],
  lure: ["lure", "приманка"],
  grant: ["grants", "даёт"],
  gain: ["gains", "получает"],
  lose: ["loses", "теряет"],
  while: ["while…", "пока…"],
  instead: ["instead", "вместо"],
  may_instead: ["may instead", "может вместо"],
};

/** Verbs as they stand after "may" and "may not". */
const VERBS: Record<string, Pair> = {
  attack: ["attack", "атаковать"],
  strike: ["strike", "бить"],
  shoot: ["shoot", "стрелять"],
  defend: ["defend", "защищать"],
  play: ["be played", "разыгрываться"],
  use: ["use abilities", "применять"],
  act: ["act", "действовать"],
  open: ["open", "открываться"],
  close: ["close", "закрываться"],
  heal: ["heal", "лечиться"],
  chips: ["take chips", "копить фишки"],
  move: ["move", "двигаться"],
  reveal: ["reveal", "вскрываться"],
  hide: ["hide", "скрываться"],
  summon: ["summon", "вызывать"],
  destroy: ["be destroyed", "уничтожаться"],
  target: ["be a target", "быть целью"],
  spell: ["from spells", "от заклинаний"],
};

export const verbWord = (name: string): string => VERBS[name]?.[lang.value === "en" ? 0 : 1] ?? word(name);

export function gist(name: string): string {
  const told = word(name);
  return told === name ? (GISTS[name]?.[lang.value === "en" ? 0 : 1] ?? name.replaceAll("_", " ")) : told;
}

export const stepWord = (value: string): string => vocabulary.value?.steps[value]?.[lang.value] ?? value;

const ACTIONS: Record<string, Pair> = {
  attack: ["attack: {0} → {1}", "атака: {0} → {1}"],
  strike: ["strike: {0} → {1}", "удар: {0} → {1}"],
  defend: ["{0} defends", "защищает {0}"],
  pass: ["nobody defends", "защитника нет"],
  play: ["play {0}", "разыграть: {0}"],
  use: ["{0}: ability {1}", "{0}: способность {1}"],
  end_turn: ["end the turn", "конец хода"],
  move: ["move {0} to {1}, {2}", "{0} идёт на {1}, {2}"],
  accumulate: ["{0} takes a chip", "{0}: взять фишку"],
  open: ["open {0}", "открыть: {0}"],
  close: ["close {0}", "закрыть: {0}"],
  reveal: ["reveal {0}", "вскрыть: {0}"],
  hide: ["hide {0}", "скрыть: {0}"],
};

/** An action in words; `name` gives the name of a card. */
export function actionWords(verb: string, args: readonly string[], name: (id: string) => string): string {
  const frame = ACTIONS[verb];
  if (frame === undefined) return args.length ? `${verb}(${args.join(",")})` : verb;
  const shown = args.map(name);
  const text = fill(frame[lang.value === "en" ? 0 : 1], Object.fromEntries(shown.map((each, at) => [at, each])));
  const used = verb === "use" ? 2 : verb === "play" ? 1 : shown.length;
  const aims = shown.slice(used);
  return aims.length ? `${text} → ${aims.join(", ")}` : text;
}
