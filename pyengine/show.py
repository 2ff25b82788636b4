"""Pictures for the terminal: the table with its cards, and answers laid out to be read.

Everything here returns something that rich can print, in 80 columns too. Colour only repeats
what words and signs say already.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from pyengine import explain
from pyengine.i18n import WORDS, Lang, many, say, step_name, word
from pyengine.model import (
    EDITIONS,
    Action,
    Card,
    Choice,
    Explanation,
    Node,
    Outcome,
    State,
    Values,
    Verdict,
)
from pyengine.terms import meanings

if TYPE_CHECKING:
    from pyengine.coverage import Coverage
    from pyengine.gamelog import Replay
    from pyengine.rulebook import Rule
    from pyengine.verify import Report

CARD = 26  # columns of a card: three of them stand side by side in 80
_TERMS = 70  # columns of a term that stands alone
CELL = 13  # columns of a cell of the board
TITLE = 20  # columns of an id that fit on the rim of a card
ROWS, COLUMNS = 6, 5
MARKS = tuple(item.name for item in fields(Card) if item.type == "bool" and item.name != "closed")


def plain(text: object) -> str:
    """The text without anything that could move the cursor or hide what stands there.

    >>> plain("a\\x1b[2Jb")
    'a�[2Jb'
    """
    return "".join(
        sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in str(text)
    )


def _line(*parts: str, style: str = "") -> Text:
    return Text(" · ".join(plain(part) for part in parts if part), style=style)


# --- the table -----------------------------------------------------------------------------------


def table(state: State, lang: Lang, below: str | None = None) -> RenderableType:
    """The position; classic: the board.

    In the other editions the active player's side is below; or that of the player ``below``, with
    the cards of that player's hand.
    """
    parts: list[RenderableType] = [heading(state, lang)]
    if state.edition == "classic":
        parts += [_board(state, lang), *_beside(state, lang)]
        parts += [_player(state, id, lang) for id, _ in state.players]
    else:
        near = below or state.active
        (other,) = [id for id, _ in state.players if id != near] or [""]
        parts += _side(state, other, lang, below, above=True)
        parts.append(Line(style="dim", characters="─"))
        parts += _side(state, near, lang, below, above=False)
        hand = [] if below is None else _zone(state, below, "hand")
        parts += [side_by_side(state, hand, lang)] if hand else []
    parts += _pending(state, lang)
    parts += _effects(state, lang)
    return Group(*parts)


def as_now(state: State, values: Mapping[str, Values]) -> State:
    """The position to be drawn with each card's strike, life and cost as they are now."""
    cards = tuple(
        replace(card, strike=now.strike, life=now.life, cost=now.cost)
        if (now := values.get(card.id))
        else card
        for card in state.cards
    )
    return replace(state, cards=cards)


def heading(state: State, lang: Lang) -> Text:
    """One line: the edition, the turn, its phase, whose turn it is, or how it ended."""
    return Text(plain(explain.heading(state, lang)), style="bold")


def _player(state: State, id: str, lang: Lang, below: str | None = None) -> RenderableType:
    """What a player has besides the cards in play; the hand of ``below`` is shown elsewhere."""
    player = state.player(id)
    role = "" if id == (below or state.active) else f" ({say('opponent', lang)})"
    numbers = [f"{plain(id)}{role}"]
    if state.edition != "classic":
        numbers.append(say("coins", lang, n=player.coins, all=player.coins_total))
    if player.missed:
        numbers.append(say("missed", lang, n=player.missed))
    deck = _zone(state, id, "deck")
    shuffled = player.deck_order == "unknown" and len(deck) > 0
    order = f" ({say('deck_shuffled', lang)})" if shuffled else ""
    numbers.append(f"{say('deck', lang)} {len(deck)}{order}")
    lines: list[RenderableType] = [_line(*numbers, style="bold cyan")]
    for zone in ("hand", "graveyard", "reserve"):
        cards = _zone(state, id, zone)
        if cards or (zone == "hand" and state.edition != "classic") or zone == "graveyard":
            known = [card for card in cards if not card.hidden and (zone, id) != ("hand", below)]
            shown = "; ".join(_brief(card, lang, cost=zone == "hand") for card in known)
            text = f"{say(zone, lang)} {len(cards)}" + (f": {shown}" if shown else "")
            lines.append(Padding(Text(text), (0, 0, 0, 2)))
    return Group(*lines)


def _zone(state: State, player: str, zone: str) -> list[Card]:
    return [card for card in state.cards if card.zone == zone and card.owner == player]


def _brief(card: Card, lang: Lang, cost: bool) -> str:
    name = explain.label(card, lang)
    return f"{plain(name)}, {say('cost', lang, n=card.cost)}" if cost else plain(name)


def _side(
    state: State, player: str, lang: Lang, below: str | None, above: bool
) -> list[RenderableType]:
    """One half of the table; creatures stand towards the middle."""
    cards = [c for c in state.cards if c.zone == "play" and c.controller == player]
    back = [c for c in cards if c.type == "hero"] + [
        c for c in cards if c.type not in ("hero", "creature")
    ]
    front = [c for c in cards if c.type == "creature"]
    rows: list[RenderableType] = [
        Columns([_card(state, c, lang) for c in row], padding=0, width=CARD)
        for row in ((back, front) if above else (front, back))
        if row
    ]
    if not rows:
        rows = [Padding(Text(say("no_cards", lang), style="dim"), (0, 0, 0, 2))]
    told = _player(state, player, lang, below)
    return [told, *rows] if above else [*rows, told]


def side_by_side(state: State, chosen: Sequence[Card], lang: Lang) -> RenderableType:
    """These cards side by side."""
    return Columns([_card(state, card, lang) for card in chosen], padding=0, width=CARD)


def card_whole(
    state: State, card: Card, lang: Lang, values: Values | None = None
) -> RenderableType:
    """A card with its effects, its ``values`` as they are now, and what its words mean."""
    laid = [effect.ability for effect in state.effects if effect.card == card.id]
    parts: list[RenderableType] = [_card(state, card, lang)]
    changed = [
        _indent(Text(plain(explain.in_force(key, getattr(card, key), now, lang))), 2)
        for key in ("strike", "life", "cost", "element", "classes")
        if values is not None and (now := getattr(values, key)) != getattr(card, key)
    ]
    if changed:
        parts += [Text(say("in_force", lang), style="cyan"), *changed]
    told: set[object] = set()
    grid = Table.grid(padding=(0, 2, 0, 0))
    for ability in dict.fromkeys([*card.abilities, *laid]):
        grid.add_row(Text(folded(ability_name(ability, lang), _TERMS), style="bold"))
        for entry in meanings(ability):
            if entry not in told:
                told.add(entry)
                line = f"{entry.name}: {entry.ru if lang == 'ru' else entry.en}"
                grid.add_row(_indent(Text(plain(line)), 4))
    if told:
        parts += [Text(say("meanings", lang), style="cyan"), _indent(grid, 2)]
    return Group(*parts)


def _card(state: State, card: Card, lang: Lang) -> Panel:
    """A card as a small panel; a closed one has a dim rim, a turned sign and the word."""
    lines = [*_face(state, card, lang), *_abilities(state, card, lang, CARD - 4)]
    title = Text(plain(card.id), style="bold")
    if title.cell_len > TITLE:
        lines.insert(0, Text(plain(card.id), style="bold", overflow="fold"))
        title.truncate(TITLE, overflow="ellipsis")
    return Panel(
        Group(*lines),
        title=title,
        title_align="left",
        width=CARD,
        box=box.ROUNDED,
        border_style="dim" if card.closed else "",
    )


def _face(state: State, card: Card, lang: Lang) -> list[Text]:
    """Name, kind, numbers and marks of a card."""
    lines = []
    name = explain.label(card, lang).removesuffix(f" ({card.id})")
    if name != card.id:
        lines.append(Text(plain(name), style="italic"))
    kinds = [word(card.type, lang), *(word(item, lang) for item in card.classes + card.element)]
    lines.append(_line(", ".join(kinds), style="dim"))
    lines.append(Text("  ".join(_numbers(card, lang))))
    marks = _marks(state, card, lang)
    if marks:
        lines.append(Text(", ".join(marks), style="yellow"))
    return [line for line in lines if line.plain]


def _numbers(card: Card, lang: Lang) -> list[str]:
    numbers = [say("cost", lang, n=card.cost)] if card.zone == "hand" else []
    strike = card.strike
    if isinstance(strike, tuple):
        if any(strike):
            numbers.append(say("strike", lang, n="-".join(map(str, strike))))
    elif card.type == "creature":
        numbers.append(say("strike", lang, n=strike))
    if card.life or card.extra_life:
        all_ = card.life + card.extra_life
        numbers.append(say("life", lang, left=all_ - card.wounds, all=all_))
    return numbers


def _marks(state: State, card: Card, lang: Lang) -> list[str]:
    marks = []
    if card.closed:
        marks.append("⟳ " + word("closed", lang))
    marks += [word(key, lang) for key in MARKS if getattr(card, key)]
    if card.type == "creature" and card.entered == state.turn:
        marks.append(word("entered_now", lang))
    if card.wounds:
        marks.append(say("wounds", lang, n=card.wounds))
    if card.extra_life:
        marks.append(say("extra", lang, n=card.extra_life))
    if card.chips:
        marks.append(say("chips", lang, n=card.chips))
    if card.movement:
        left = max(card.movement - card.moved, 0)
        marks.append(say("steps_left", lang, n=left, all=card.movement))
    if card.owner != card.controller:
        marks.append(say("owned_by", lang, player=plain(card.owner)))
    return marks


def _abilities(state: State, card: Card, lang: Lang, width: int) -> list[Text]:
    """What the card prints, then what is laid on it (with a plus)."""
    spent = dict(card.spent)
    lines = []
    count: dict[str, int] = {}
    for ability in card.abilities:
        count[ability] = count.get(ability, 0) + 1
        key = ability if count[ability] == 1 else f"{ability}#{count[ability]}"
        used = f" ({say('spent', lang, what=spent[key])})" if spent.get(key) else ""
        told = folded(f"{ability_name(ability, lang)}{used}", width)
        lines.append(Text(told, overflow="fold"))
    for effect in state.effects:
        if effect.card == card.id:
            laid = folded(f"+ {ability_name(effect.ability, lang)}", width)
            lines.append(Text(laid, style="magenta", overflow="fold"))
    return lines


def folded(term: str, width: int) -> str:
    """A term on several lines where it is too long: what stands within it further to the right.

    >>> print(folded("use(and(coins(1),close),lay(armor(2),self,leaves))", 23))
    use(
     and(coins(1),close),
     lay(armor(2),self,
      leaves))
    """
    return "\n".join(_laid_out(term, width, 0))


def _laid_out(term: str, width: int, deep: int) -> list[str]:
    """Lines that break behind a comma or a bracket, as far out as they can."""
    head, parts, tail = _within(term)
    room = width - len(head if parts else term) - 1
    blank = " " * max(min(deep, width // 3, room), 0)
    if len(blank + term) <= width or not parts:
        return [blank + term]
    while len(parts) == 1:  # one within another, on one line as far as they fit
        inner, more, behind = _within(parts[0])
        if not more or len(f"{blank}{head}({inner}(") > width:
            break
        head, parts, tail = f"{head}({inner}", more, f"{behind}){tail}"
    lines = [f"{blank}{head}("]
    joins = True  # whether what comes next may stand on the last line
    for place, part in enumerate(parts, 1):
        part += "," if place < len(parts) else f"){tail}"
        if joins and len(lines[-1] + part) <= width:
            lines[-1] += part
        else:
            below = _laid_out(part, width, deep + 1)
            lines += below
            joins = len(below) == 1
    return lines


def _within(term: str) -> tuple[str, list[str], str]:
    """What stands before the first bracket of a term, between the commas, and behind it."""
    found = re.search(r"(?<=\w)\(", term)
    if found is None:
        return term, [], ""
    parts, depth = [""], 0
    for place, sign in enumerate(term[found.end() :], found.end()):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return term[: found.start()], parts, term[place + 1 :]
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return term, [], ""  # brackets that do not match


_KEYWORD = re.compile(r"([a-z_]+)(?:\((\d+)\))?")


def ability_name(ability: str, lang: Lang) -> str:
    """A keyword by its name, any other ability as the term it is.

    >>> ability_name("armor(2)", "ru"), ability_name("cannot(attack)", "ru")
    ('броня 2', 'cannot(attack)')
    """
    match = _KEYWORD.fullmatch(ability)
    if match is None:
        return plain(ability)
    keyword, number = match.groups()
    if keyword not in WORDS:
        return ability
    return f"{word(keyword, lang)} {number}" if number else word(keyword, lang)


def _board(state: State, lang: Lang) -> Table:
    """The board of classic, the rows of the first player below."""
    grid = Table(box=box.SQUARE, show_lines=True, padding=(0, 0), expand=True)
    grid.add_column("", width=1, style="dim")
    for column in range(1, COLUMNS + 1):
        grid.add_column(str(column), ratio=1, justify="left", overflow="fold")
    for row in range(ROWS, 0, -1):
        cells = [_cell(state, (column, row), lang) for column in range(1, COLUMNS + 1)]
        grid.add_row(str(row), *cells)
    return grid


def _cell(state: State, cell: tuple[int, int], lang: Lang) -> RenderableType:
    cards = [c for c in state.cards if c.zone == "play" and c.cell == cell]
    cards.sort(key=lambda card: card.arrived)
    return Group(*(line for card in cards for line in _on_board(state, card, lang)))


def _on_board(state: State, card: Card, lang: Lang) -> list[Text]:
    title = Text(f"{plain(card.id)} ({plain(card.controller)})", style="bold")
    numbers = [Text(number) for number in _numbers(card, lang)]
    marks = [Text(mark, style="yellow") for mark in _marks(state, card, lang)]
    return [title, *numbers, *marks, *_abilities(state, card, lang, CELL)]


def _beside(state: State, lang: Lang) -> list[RenderableType]:
    cards = [c for c in state.cards if c.zone == "play" and c.cell is None]
    if not cards:
        return []
    panels = [_card(state, card, lang) for card in cards]
    return [Text(say("beside", lang), style="bold"), Columns(panels, padding=0, width=CARD)]


def _pending(state: State, lang: Lang) -> list[RenderableType]:
    pending = state.pending
    if pending is None:
        return []
    cards = (pending.attacker, pending.target, pending.defender)
    attacker, target, defender = (explain.named(state, id, lang) for id in cards)
    attack = say("attack_announced", lang, attacker=attacker, target=target)
    if pending.defender is not None:
        then = say("defended_by", lang, defender=defender)
    else:
        other = next((id for id, _ in state.players if id != state.active), "")
        then = say("may_defend", lang, player=other)
    return [Text(plain(f"» {attack}; {then}"), style="bold yellow")]


def _effects(state: State, lang: Lang) -> list[RenderableType]:
    if not state.effects:
        return []
    lines: list[RenderableType] = [Text(say("effects", lang), style="bold")]
    for effect in sorted(state.effects, key=lambda effect: effect.since):
        term = folded(effect.ability, _TERMS)
        told = say("effect_line", lang, ability=term, card=effect.card)
        rest = explain.effect(effect, lang).removeprefix(effect.ability)
        line = Table.grid(padding=(0, 1, 0, 0))
        body = f"{told}{rest} ({effect.controller})".split("\n")
        texts = (Text(plain(each), overflow="fold") for each in body)
        line.add_row(Text(f"{effect.since}."), Group(*texts))
        lines.append(_indent(line, 2))
    return lines


# --- verdicts ------------------------------------------------------------------------------------


def verdicts(
    state: State, judged: Sequence[Verdict], lang: Lang, legal_only: bool = False
) -> RenderableType:
    """Every candidate: the legal ones first, each group by the card that would act."""
    decides = explain.decides(state)
    parts: list[RenderableType] = [heading(state, lang)]
    if decides is None:
        return Group(*parts, Text(say("nobody", lang)))
    parts += _pending(state, lang)
    parts.append(Text(say("decides", lang, player=plain(decides)), style="bold"))
    for legal in (True,) if legal_only else (True, False):
        chosen = [verdict for verdict in judged if verdict.legal is legal]
        key, style = ("legal_list", "bold green") if legal else ("illegal_list", "bold red")
        parts += [Text(""), Text(say(key, lang, n=len(chosen)), style=style)]
        for card, group in _by_card(chosen):
            named = explain.named(state, card, lang) if card else say("no_card", lang)
            parts.append(_indent(Text(plain(named), style="bold cyan"), 2))
            parts += [_indent(item, 4) for item in _alike(state, group, lang)]
    return Group(*parts)


def _by_card(judged: Iterable[Verdict]) -> list[tuple[str, list[Verdict]]]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in judged:
        card = verdict.action.args[0] if verdict.action.args else ""
        groups.setdefault(str(card), []).append(verdict)
    return sorted(groups.items(), key=lambda group: (group[0] == "", group[0]))


def _alike(state: State, group: Sequence[Verdict], lang: Lang) -> list[RenderableType]:
    """Actions with the same reasons stand together above them."""
    told: dict[tuple[str, ...], list[Verdict]] = {}
    for verdict in group:
        key = tuple(_reasons(state, verdict, lang, aimed=False))
        told.setdefault(key, []).append(verdict)
    parts: list[RenderableType] = []
    for unaimed, alike in told.items():
        actions = "  ".join(plain(verdict.action) for verdict in alike)
        parts.append(_sign(alike[0].legal, actions))
        reasons = unaimed if len(alike) > 1 else _reasons(state, alike[0], lang)
        parts += [_indent(Text(reason, style="dim"), 4) for reason in reasons]
    return parts


def _sign(legal: bool, text: str) -> Table:
    """A line that begins with the sign of the verdict; what does not fit stands below its text."""
    sign, style = ("✓", "green") if legal else ("✗", "red")
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(Text(sign, style=style), Text(text, style=style))
    return grid


def _reasons(state: State, verdict: Verdict, lang: Lang, aimed: bool = True) -> list[str]:
    """The reasons as lines: rule, clause, and what was overcome; ``aimed``: targets by name."""
    lines = []
    for reason in verdict.because:
        line = f"{reason.rule}: {explain.sentence(state, verdict, reason, lang, aimed)}"
        for defeat in reason.defeats:
            line += "; " + explain.defeat(state, defeat, lang)
        lines.append(plain(line))
    return list(dict.fromkeys(lines))


def _indent(item: RenderableType, by: int) -> Padding:
    return Padding(item, (0, 0, 0, by))


def refusal(state: State, verdict: Verdict, lang: Lang) -> RenderableType:
    """That an action is illegal (or legal), and every reason."""
    key = "is_legal" if verdict.legal else "is_illegal"
    head = _sign(verdict.legal, plain(say(key, lang, action=verdict.action)))
    return Group(head, *(_indent(Text(line), 2) for line in _reasons(state, verdict, lang)))


def explanation(state: State, item: Explanation, lang: Lang) -> RenderableType:
    """The verdict on one action with its reasons, and below them the tree of norms and facts."""
    tree = Tree(Text(plain(item.verdict.action), style="bold"), guide_style="dim")
    for node in item.tree:
        _grow(tree, state, item.verdict, node, lang)
    return Group(refusal(state, item.verdict, lang), Text(""), tree)


def _grow(tree: Tree, state: State, verdict: Verdict, node: Node, lang: Lang) -> None:
    text = explain.told(state, verdict, node, lang)
    line = f"{node.rule}: {text}" if node.rule else f"{say('fact', lang)}: {text}"
    branch = tree.add(Text(plain(line), style="" if node.rule else "dim"))
    for child in node.children:
        _grow(branch, state, verdict, child, lang)


# --- outcomes ------------------------------------------------------------------------------------


def outcomes(state: State, action: Action, found: Sequence[Outcome], lang: Lang) -> RenderableType:
    """Each outcome: the choices that lead there, the steps, and what changed."""
    parts: list[RenderableType] = [_sign(True, plain(say("is_legal", lang, action=action)))]
    for number, outcome in enumerate(found, 1):
        only = len(found) == 1
        title = (
            say("only_outcome", lang) if only else say("outcome", lang, n=number, all=len(found))
        )
        if outcome.ways != 1:
            title += f" ({many('ways', outcome.ways, lang)})"
        parts += [Text(""), Text(title, style="bold")]
        table = explain.meanwhile(state, outcome)
        if outcome.choices:
            parts.append(_indent(Text(say("choices", lang), style="cyan"), 2))
            for choice in outcome.choices:
                chosen, others = (plain(line) for line in _choice(table, choice, lang))
                parts += [_indent(Text(chosen), 4), _indent(Text(others, style="dim"), 6)]
        if outcome.trace:
            parts.append(_indent(Text(say("steps", lang), style="cyan"), 2))
        width = len(str(len(outcome.trace)))
        for place, step in enumerate(outcome.trace, 1):
            value = "" if step.value is None else f" = {step.value}"
            line = f"{place:>{width}}. {step.rule} {step_name(step.step, lang)}: {step.what}{value}"
            parts.append(_indent(Text(plain(line)), 4))
            clause = plain(explain.step(table, step, lang))
            parts.append(_indent(Text(clause, style="dim"), 6 + width))
        parts.append(_indent(Text(say("changes", lang), style="cyan"), 2))
        parts += [_indent(line, 4) for line in _changes(state, outcome, lang)]
    return Group(*parts)


def _choice(state: State, choice: Choice, lang: Lang) -> tuple[str, str]:
    """What was chosen, and out of what."""
    chosen = explain.term(state, choice.chosen, lang)
    told = (
        say("chance", lang, chosen=chosen)
        if choice.player is None
        else say("chose", lang, player=choice.player, chosen=chosen)
    )
    options = " | ".join(explain.term(state, option, lang) for option in choice.options)
    return f"{choice.rule}: {told}", say("out_of", lang, options=options)


def _changes(state: State, outcome: Outcome, lang: Lang) -> list[Text]:
    """What differs from the start, a line for each card, player, and for the table."""
    told = explain.grouped(state, outcome.state, lang)
    texts = [Text(plain(f"{about}: {'; '.join(said)}")) for about, said in told]
    if outcome.state.pending is not None and outcome.state.pending.defender is None:
        texts.append(Text(f"» {say('waits_defender', lang)}", style="yellow"))
    return texts or [Text(say("no_changes", lang), style="dim")]


# --- rulings and rules ---------------------------------------------------------------------------


def report(done: Report, covered: Sequence[Coverage] | None, lang: Lang) -> RenderableType:
    """A line for each ruling that failed, the coverage if it was asked for, the count.

    Its lines are not to be wrapped.
    """
    parts: list[RenderableType] = []
    for ruling, faults in done.failed:
        first, *others = faults
        failed = say("failed_ruling", lang, ruling=ruling.id, place=ruling.place, fault=first)
        parts.append(Text(plain(f"✗ {failed}"), style="red"))
        parts += [Text(plain(f"    {fault}"), style="red") for fault in others]
    for item in covered or ():
        all_ = len(item.exercised) + len(item.cited) + len(item.unexercised)
        parts.append(
            Text(f"{word(item.edition, lang)} ({many('rules', all_, lang)})", style="bold")
        )
        edges, missing = (
            tuple(say("edge", lang, **edge._asdict()) for edge in found)
            for found in (item.edges, item.unexercised_edges)
        )
        for key, rules in (
            ("exercised", item.exercised),
            ("cited_only", item.cited),
            ("unexercised", item.unexercised),
            ("unknown_cites", item.unknown),
            ("edges", edges),
            ("unexercised_edges", missing),
        ):
            if rules or key != "unknown_cites":
                listed = ", ".join(rules) or say("empty", lang)
                line = f"{say(key, lang)} ({len(rules)}): {listed}"
                parts.append(Text(plain(f"  {line}")))
    passed = many("passed", done.passed, lang)
    failed = many("failed", len(done.failed), lang)
    style = "bold red" if done.failed else "bold green"
    parts.append(Text(say("tally", lang, passed=passed, failed=failed), style=style))
    return Group(*parts)


def replay(done: Replay, lang: Lang) -> RenderableType:
    """That a log could be replayed, or where it differs first."""
    found = done.difference
    if found is None:
        actions = many("actions", done.actions, lang)
        return Text(say("replayed", lang, actions=actions), style="bold green")
    lines = []
    if isinstance(found.expected, State) and isinstance(found.came, State):
        what = say("differs_state", lang)
        changes = [
            f"{item.about or say('table', lang)}: {explain.change(item, lang)}"
            for item in explain.changes(found.expected, found.came)
        ]
        lines = [f"  {line}" for line in (say("logged_came", lang), *changes)]
        if not changes:
            key = "only_log" if found.expected == found.came else "only_order"
            lines = [f"  {say(key, lang)}"]
    else:
        keys = {"player": "differs_player", "illegal": "differs_illegal"}
        key = keys.get(found.kind, "differs_choice")
        what = say(key, lang, expected=found.expected, came=found.came)
    if found.number == 0:
        head = say("differs_deal", lang) + ("" if lines else f": {found.came}")
    else:
        head = say("differs", lang, n=found.number, action=found.action, what=what)
    texts = [Text(plain(line)) for line in lines]
    return Group(Text(plain(f"✗ {head}"), style="bold red"), *texts)


def entries(rules: Sequence[Rule], lang: Lang) -> RenderableType:
    """The rulebook as a table: id, editions, title."""
    grid = Table(box=box.SIMPLE, show_edge=False, pad_edge=False)
    grid.add_column(say("rule", lang), style="bold", no_wrap=True)
    grid.add_column(say("editions", lang))
    grid.add_column(say("title", lang))
    for rule in rules:
        grid.add_row(Text(rule.id), Text(_editions(rule, lang)), Text(rule.title.of(lang)))
    return Group(grid, Text(many("rules", len(rules), lang)))


def _editions(rule: Rule, lang: Lang) -> str:
    everywhere = len(rule.editions) == len(EDITIONS)
    if everywhere:
        return say("all_editions", lang)
    own = ", ".join(rule.editions)
    return f"{own}; {say('lent', lang)} {', '.join(rule.lent)}" if rule.lent else own


def entry(rule: Rule, traces: explain.Traces, lang: Lang) -> RenderableType:
    """One rule whole: its reading, in which editions, where it is encoded, what covers it."""
    other: Lang = "ru" if lang == "en" else "en"
    parts: list[RenderableType] = [
        Text(f"{rule.id}  {rule.title.of(lang)}", style="bold"),
        Text(f"{rule.title.of(other)} · {_editions(rule, lang)}", style="dim"),
        Text(""),
    ]
    for speaks in (lang, other):
        parts += [_indent(Text(rule.says.of(speaks)), 2)]
        if rule.example is not None:
            told = say("example", speaks, text=rule.example.of(speaks))
            parts += [_indent(Text(told, style="italic"), 2)]
        parts.append(Text(""))
    for revision in rule.revisions:
        parts.append(
            Text(f"{', '.join(revision.editions)}: {revision.title.of(lang)}", style="bold")
        )
        parts += [_indent(Text(revision.says.of(speaks)), 2) for speaks in (lang, other)]
        parts.append(Text(""))
    for key, items, none in (
        ("see", rule.see, "empty"),
        ("conflicts", rule.conflicts, "empty"),
        ("encoded", traces.encoded.get(rule.id, ()), "nowhere"),
        ("covered", traces.rulings.get(rule.id, ()), "no_rulings"),
    ):
        if items or none != "empty":
            parts.append(Text(say(key, lang), style="bold"))
            parts.append(_indent(Text(", ".join(items) or say(none, lang)), 2))
    return Group(*parts)
