"""What a check says for people: the names of codes, what they mean, the sentences of findings.

As in ``i18n``, a pair is English and Russian.
"""

from __future__ import annotations

from pyengine.faults import told as fault_told
from pyengine.rulebook import Lang, Words

# code: its title, what it means
CODES: dict[str, tuple[Words, Words]] = {
    "conflict": (
        Words("norms in conflict", "столкновение норм"),
        Words(
            "Norms of one level permit or oblige a declaration and forbid it too, and no principle"
            " of precedence decides between them.",
            "Нормы одного уровня и разрешают (или предписывают) объявление, и запрещают его, а"
            " принципа, который выбрал бы между ними, нет.",
        ),
    ),
    "tie": (
        Words("effects without an order", "эффекты без порядка"),
        Words(
            "Two effects contradict each other, or two triggers of one moment wait, and nothing"
            " says which comes first.",
            "Два эффекта противоречат друг другу или два срабатывания ждут одновременно, и ничто"
            " не говорит, что раньше.",
        ),
    ),
    "unmeetable": (
        Words("an obligation that cannot be met", "невыполнимая обязанность"),
        Words(
            "Every declaration that would meet the obligation is forbidden.",
            "Всё, чем можно было бы исполнить обязанность, запрещено.",
        ),
    ),
    "stuck": (
        Words("a player without a legal declaration", "игроку нечего объявить"),
        Words(
            "The player to decide has no legal declaration at all.",
            "У игрока, который должен решать, нет ни одного легального объявления.",
        ),
    ),
    "dead": (
        Words("something that never acts", "то, что никогда не действует"),
        Words(
            "A rule decides nothing in any position within the scope, or an ability of a card"
            " can never act.",
            "Правило ничего не решает ни в одной позиции этого размера, или способность карты"
            " никогда не может сработать.",
        ),
    ),
    "shadowed": (
        Words("a rule that others always pre-empt", "правило, заслонённое другими"),
        Words(
            "Wherever the rule speaks, one of a set of other rules has decided already.",
            "Везде, где правило подало бы голос, всё уже решено одним из других правил набора.",
        ),
    ),
    "redundant": (
        Words("a rule without which nothing changes", "лишнее правило"),
        Words(
            "Without the rule every verdict and every outcome within the scope stays the same.",
            "Без этого правила не меняется ни один вердикт и ни один исход в пределах поиска.",
        ),
    ),
    "order": (
        Words("an order that decides", "исход зависит от порядка"),
        Words(
            "Two effects or abilities were swapped, and the outcome is another, though the rules"
            " do not say that the latest holds.",
            "Если поменять местами два эффекта или две способности, исход будет другим, хотя"
            " правило «действует последний» здесь ни при чём.",
        ),
    ),
    "loop": (
        Words("a course without an end", "бесконечный круг"),
        Words(
            "Replacements, triggers or obligations set each other off and would never end if the"
            " engine did not cut the circle.",
            "Замещения, срабатывания или обязанности вызывают друг друга и не кончились бы, если"
            " бы движок не разрывал круг.",
        ),
    ),
    "nondeterminism": (
        Words("several outcomes without a choice", "несколько исходов без выбора"),
        Words(
            "A declaration ends in several ways, and neither a player nor chance chooses between"
            " them.",
            "Объявление может кончиться по-разному, а выбора не делает ни игрок, ни случай.",
        ),
    ),
    "self-contradiction": (
        Words("a card that contradicts itself", "карта противоречит себе"),
        Words(
            "Abilities of one card take back or forbid what others of it give or demand.",
            "Одни способности карты отнимают или запрещают то, что дают или велят другие.",
        ),
    ),
    "pair": (
        Words("two cards that do not go together", "две карты не уживаются"),
        Words(
            "Two kinds of cards, each sound alone, together give one of the other faults.",
            "Две карты, каждая из которых сама по себе исправна, вместе дают одну из прочих"
            " ошибок.",
        ),
    ),
    "vocabulary": (
        Words("a word that nobody understands", "слово, которого никто не понимает"),
        Words(
            "An ability is not in the vocabulary, or no rule of the edition interprets it; or no"
            " other card knows a class or an element, and it is nearly one that is known.",
            "Способности нет в словаре, или её не толкует ни одно правило этой редакции; или класса"
            " либо стихии нет больше ни у кого, но есть очень похожие.",
        ),
    ),
    "document": (
        Words("a slip of the rulebook itself", "огрех самого текста правил"),
        Words(
            "The rulebook as a text: numbers, references, and rules without an encoding or a"
            " ruling.",
            "Правила как текст: номера, ссылки, правила без записи в программе или без примера"
            " судейства.",
        ),
    ),
    "compare": (
        Words("a difference between two sets of rules", "различие двух сводов правил"),
        Words(
            "The same declaration in the same position is judged otherwise, or comes out"
            " otherwise.",
            "То же объявление в той же позиции судится или кончается по-разному.",
        ),
    ),
}

# sentences of findings, and what would settle them
SAYS: dict[str, Words] = {
    # document
    "number_the_rules": Words(
        "give each rule a number of its own in the text, and cite it by that",
        "дать каждому правилу в тексте свой номер и ссылаться по нему",
    ),
    "write_the_rule": Words(
        "write the missing text, or take the heading or reference away",
        "дописать недостающее или убрать заголовок либо ссылку",
    ),
    "settle_editions": Words(
        "say in both texts that the editions differ here on purpose",
        "сказать в обоих текстах, что редакции здесь расходятся намеренно",
    ),
    "unencoded": Words(
        "{rule}: no chapter of {edition} encodes it",
        "{rule}: этого правила нет ни в одной главе программы {edition}",
    ),
    "encode_it": Words(
        "encode the rule, with its number in a comment, or say why it is outside",
        "записать правило в программу, с номером в комментарии, или сказать, почему оно вне её",
    ),
    "unknown_rule": Words(
        "{file} cites {rule}, which the rulebook of {edition} does not have",
        "{file} ссылается на {rule}, а такого правила в редакции {edition} нет",
    ),
    "cite_a_rule": Words(
        "correct the number, or add the rule to the rulebook",
        "исправить номер или внести правило в свод",
    ),
    "unproved": Words(
        "{rule}: no ruling of {edition} cites it",
        "{rule}: его не подтверждает ни один пример {edition}",
    ),
    "add_a_ruling": Words(
        "add a ruling whose answer rests on the rule",
        "добавить пример судейства, ответ которого держится на этом правиле",
    ),
    # outcomes
    "loop_endless": Words(
        "{action} sets off something that never comes to an end",
        "{action} вызывает то, что никогда не кончается",
    ),
    "loop_cut": Words(
        "what {action} sets off would go round for ever, if a replacement could apply again to what"
        " it has produced",
        "вызванное {action} ходило бы по кругу вечно, если бы замещение могло применяться к своему"
        " же результату ещё раз",
    ),
    "loop_duty": Words(
        "an obligation demands {action}, which changes nothing, so it is owed for ever",
        "обязанность требует {action}, а это ничего не меняет, и обязанность остаётся навсегда",
    ),
    "settle_loop": Words(
        "let it happen once a turn, or say when it stops",
        "ограничить одним разом за ход или сказать, когда это прекращается",
    ),
    "nondeterminism_outcomes": Words(
        "{action} ends in several ways, and nobody chooses between them",
        "{action} кончается по-разному, а выбора не делает никто",
    ),
    "settle_nondeterminism": Words(
        "say which player chooses, or what is thrown for it",
        "сказать, какой игрок выбирает или что решает бросок",
    ),
    "order": Words(
        "{action} comes out otherwise when {first} and {second} change places",
        "{action} кончается иначе, если {first} и {second} поменять местами",
    ),
    "order_settled": Words(
        "{action} comes out otherwise when {first} and {second} change places, and 524.1 means it"
        " to: the latest holds",
        "{action} кончается иначе, если {first} и {second} поменять местами; так и задумано"
        " в 524.1: действует последний",
    ),
    "settle_order": Words(
        "say on the cards, or in the order of calculation, which of them counts first",
        "сказать на картах или в порядке расчёта, что из них учитывается раньше",
    ),
    # cards
    "self_contradiction": Words(
        "{card}: {first} denies {second}, and both are printed on it",
        "{card}: {first} отменяет {second}, а напечатано на карте и то и другое",
    ),
    "print_one_of_them": Words(
        "print only one of the two, or say when which of them holds",
        "оставить на карте одно из двух или сказать, когда действует каждое",
    ),
    "pair_norm": Words(
        "the two together show {code}, and neither does without the other",
        "вместе они дают {code}, а поодиночке нет",
    ),
    "pair_settle": Words(
        "say on one of the cards what holds when it meets the other",
        "сказать на одной из карт, что действует при встрече с другой",
    ),
    # compare
    "legal_in_one": Words(
        "{action} is legal by {one} and illegal by {two}: {rules}",
        "{action}: по {one} легально, по {two} нелегально: {rules}",
    ),
    "ends_otherwise": Words(
        "{action} is legal by both {one} and {two}, and does not come out the same: {rules}",
        "{action}: легально и по {one}, и по {two}, но кончается по-разному: {rules}",
    ),
    "differ_on_purpose": Words(
        "if the two are meant to differ here, say so in the rulebook; else mend one of them",
        "если различие намеренное, сказать о нём в правилах; если нет, исправить одну из сторон",
    ),
    # vocabulary
    "not_a_term": Words(
        "{card}, ability {number}: {fault}", "{card}, способность {number}: {fault}"
    ),
    "say_otherwise": Words(
        "say it with a term of docs/language.md, or ask for a new one",
        "выразить это словом из docs/language.md или предложить новое",
    ),
    "spell_as_known": Words(
        "write the word as other cards do; a new one that is meant may stay",
        "написать слово, как на других картах; новое, если оно нарочно, может остаться",
    ),
    "uninterpreted": Words(
        "{card}: no rule of {edition} knows what {word} in {ability} means",
        "{card}: ни одно правило {edition} не знает, что значит {word} в {ability}",
    ),
    "interpret_it": Words(
        "add a rule that interprets the word, or print the card for another edition",
        "добавить правило, которое толкует это слово, или печатать карту для другой редакции",
    ),
    # norms
    "stuck": Words(
        "nothing may be declared {decision}; what forbids it: {rules}",
        "{decision} нечего объявить; запрещают: {rules}",
    ),
    "decision_main": Words("in the main phase", "в главной фазе"),
    "decision_choice": Words("in the choice phase", "в фазе выбора"),
    "decision_defence": Words("about a defender", "о защитнике"),
    "leave_a_way": Words(
        "permit a declaration that is always possible, such as the end of the turn or letting an"
        " attack through",
        "разрешить объявление, возможное всегда: конец хода или пропуск атаки",
    ),
    "conflict": Words(
        "{action}: {allowing} allows it and {forbidding} forbids it, both {level}, and nothing"
        " decides between them",
        "{action}: {allowing} разрешает, {forbidding} запрещает, обе нормы {level}, и ничто не"
        " выбирает между ними",
    ),
    "settled": Words(
        "{action}: {allowing} allows it and {forbidding} forbids it, both {level}; {principle}"
        " decides",
        "{action}: {allowing} разрешает, {forbidding} запрещает, обе нормы {level}; решает"
        " {principle}",
    ),
    "level_rulebook": Words("of the rulebook", "из правил"),
    "level_card": Words("of cards", "с карт"),
    "name_a_principle": Words(
        "let the prohibition prevail (524.2), or say which of the two yields and why",
        "дать запрету верх (524.2) или сказать, какая из двух норм уступает и почему",
    ),
    "settled_already": Words("nothing: it is decided", "ничего: спор решён"),
    "unmeetable": Words(
        "{duty} demands {action} or its like, and cards forbid every one: {blocks}",
        "{duty} требует {action} или подобного, а карты запрещают всё: {blocks}",
    ),
    "say_which_yields": Words(
        "say on one of the cards which of the two yields; as it stands the prohibition prevails",
        "сказать на одной из карт, что уступает; пока что верх берёт запрет",
    ),
    "tie": Words(
        "{first} and {second} come to one card at one moment, and neither is the latest",
        "{first} и {second} приходят к одной карте в один момент, и ни одна не позднейшая",
    ),
    "tie_replacements": Words(
        "{action}: effects of {first} and {second}, of one player, replace one event, and nothing"
        " says which of them acts",
        "{action}: эффекты {first} и {second} одного игрока заменяют одно событие, и ничто не"
        " говорит, какой из них действует",
    ),
    "tie_triggers": Words(
        "{action}: triggered abilities of {first} and {second}, of one player, are due at one"
        " moment, and nothing says which comes first",
        "{action}: срабатывающие способности {first} и {second} одного игрока приходятся на один"
        " момент, и ничто не говорит, какая первая",
    ),
    "let_somebody_choose": Words(
        "name the player who chooses, or the one that goes first",
        "назвать игрока, который выбирает, или то, что идёт первым",
    ),
    "dead_rule": Words(
        "{place} derives nothing in any position of the scope ({scope}) and of the rulings",
        "{place}: правило ничего не выводит ни в одной позиции этого размера ({scope}) и ни в"
        " одном примере судейства",
    ),
    "dead_ability": Words(
        "{card}: {ability} can never act in any position of the scope ({scope}): {why}",
        "{card}: {ability} не может действовать ни в одной позиции этого размера ({scope}): {why}",
    ),
    "never_held": Words(
        "the card never has it: something always takes it away",
        "у карты её никогда нет: её всегда что-то отнимает",
    ),
    "never_bound": Words(
        "the condition that it is bound to never holds", "её условие никогда не выполняется"
    ),
    "never_declared": Words(
        "it can never be declared: it is forbidden, cannot be paid or has no target",
        "её нельзя объявить: она запрещена, её нечем оплатить или у неё нет цели",
    ),
    "never_played": Words(
        "it can never be played: it is forbidden, cannot be paid or has no target",
        "её нельзя сыграть: она запрещена, её нечем оплатить или у неё нет цели",
    ),
    "never_matched": Words("no card matches {filter}", "ни одна карта не подходит под {filter}"),
    "never_triggered": Words(
        "what it waits for never comes to this card, whatever is declared",
        "того, чего она ждёт, с этой картой не происходит, что бы ни объявляли",
    ),
    "mend_ability": Words(
        "say what the ability was meant to do, or take it off the card",
        "сказать, что способность должна делать, или убрать её с карты",
    ),
    "widen_or_remove": Words(
        "take the rule away, or add a ruling in which it decides",
        "убрать правило или добавить пример судейства, где оно решает",
    ),
    "shadowed_rule": Words(
        "{place} never decides alone: wherever it forbids, one of these forbids too: {others}",
        "{place}: никогда не решает само: где оно запрещает, запрещает и одно из: {others}",
    ),
    "remove_or_narrow": Words(
        "take the rule away, or narrow the others, or say that it stands for the reason it gives",
        "убрать правило, сузить остальные или сказать, что оно стоит ради названного основания",
    ),
    "redundant_rule": Words(
        "without {place} every verdict with its reasons is the same in the scope ({scope}) and in"
        " the rulings",
        "без {place} все вердикты и их основания те же в пределах поиска ({scope}) и в примерах"
        " судейства",
    ),
    "redundant_step": Words(
        "without {place} every verdict and every outcome is the same in the positions that were"
        " asked about",
        "без {place} все вердикты и все исходы те же в тех позициях, о которых спрошено",
    ),
    "remove_it": Words(
        "take the rule away, or add a ruling that shows the difference",
        "убрать правило или добавить пример судейства, где видна разница",
    ),
    # what has not been looked at
    "left_time": Words(
        "what the time limit came before",
        "то, до чего не дошло из-за предела времени",
    ),
    "left_hard": Words(
        "questions that proved too hard (a smaller --scope may decide them)",
        "вопросы, которые оказались слишком трудны (их может решить меньший --scope)",
    ),
    "left_rules": Words(
        "{places}: too hard a question within this scope",
        "{places}: в этих пределах вопрос слишком труден",
    ),
    "left_steps": Words(
        "the rules of steps, which take minutes: --all looks at them",
        "правила шагов: на них нужны минуты, их просматривает --all",
    ),
    "left_beginning": Words(
        "{places}: no declaration leads to how a game begins",
        "{places}: никакое объявление не ведёт к началу партии",
    ),
    "left_cut": Words(
        "{places}: some declarations that could show it lead on too far",
        "{places}: некоторые объявления, которые могли бы это показать, ведут слишком далеко",
    ),
    "left_verdicts": Words(
        "{places}: derives something for verdicts, and changes none that was asked about",
        "{places}: выводит что-то для вердиктов, но ни один из спрошенных не меняет",
    ),
    "left_unseen": Words(
        "{card}, “{ability}”: hangs on counters, extra life, the order of a deck or other marks"
        " that no generated position has",
        "{card}, «{ability}»: зависит от жетонов, дополнительной жизни, порядка колоды или других"
        " отметок, каких нет в составляемых позициях",
    ),
    "left_ability": Words(
        "{card}, “{ability}”: too hard a question within this scope",
        "{card}, «{ability}»: в этих пределах вопрос слишком труден",
    ),
    "left_ways": Words(
        "{action} beside {texts}: too many ways lead on from it",
        "{action}, если есть {texts}: слишком много продолжений",
    ),
    "say_which_is_later": Words(
        "say which of the two holds, or that the player chooses",
        "сказать, какая из двух действует, или что выбирает игрок",
    ),
}


def told(key: str, **parts: object) -> Words:
    """The sentence of that key in both languages, its parts filled in; KeyError if there is none.

    >>> told("unproved", rule="509.3", edition="heroes").en
    '509.3: no ruling of heroes cites it'
    """
    words = SAYS[key]

    def translated(part: object, lang: Lang) -> object:
        return fault_told(part, lang) if isinstance(part, str) else part

    def put(lang: Lang) -> str:
        return words.of(lang).format(
            **{
                name: part.of(lang) if isinstance(part, Words) else translated(part, lang)
                for name, part in parts.items()
            }
        )

    return Words(put("en"), put("ru"))
