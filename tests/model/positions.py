"""Random valid positions over the vocabulary that the model handles.

One description of a position, two drivers: ``position(Dice(seed))`` draws with `random`,
``documents()`` is a hypothesis strategy that shrinks to small ones. Lists of options begin with
the simplest, ids and filters are few, so that what is drawn meets.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from hypothesis import strategies as st

from tests.model.board import Board
from tests.model.documents import state_of
from tests.model.terms import args, name, parse

Document = dict[str, Any]
T = TypeVar("T")


class Driver(Protocol):
    """Where the choices come from."""

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""

    def number(self, least: int, most: int) -> int:
        """A number between the two."""

    def chance(self, percent: int) -> bool:
        """Whether something that is so rare happens."""


class Dice:
    """Choices of a seeded random generator."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.random.choice(options)

    def number(self, least: int, most: int) -> int:
        """A number between the two."""
        return self.random.randint(least, most)

    def chance(self, percent: int) -> bool:
        """Whether something that is so rare happens."""
        return self.random.randrange(100) < percent


class Drawn:
    """Choices of hypothesis."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return self.draw(st.sampled_from(options))

    def number(self, least: int, most: int) -> int:
        """A number between the two."""
        return self.draw(st.integers(least, most))

    def chance(self, percent: int) -> bool:
        """Whether something that is so rare happens."""
        return self.draw(st.integers(0, 99)) >= 100 - percent


class Size(NamedTuple):
    """How large a position may be: the most of each."""

    creatures: int = 3  # on each side
    supports: int = 1
    hand: int = 2
    graveyard: int = 1
    abilities: int = 2  # on each card
    effects: int = 3


SMALL, MIDDLE = Size(2, 1, 1, 0, 2, 2), Size()
LARGE = Size(7, 2, 12, 2, 3, 15)

CLASSES, ELEMENTS = ("orc", "elf"), ("steppe", "forest")
# keywords that can be taken away and asked for
KEYWORDS = (
    "armor", "charge", "directed_strike", "experience_attack", "experience_defence",
    "first_strike", "vulnerability", "superiority", "scales", "vampirism",
)  # fmt: skip
PLAIN = ("any", "self", "other", "hero", "creature", "yours", "enemy", "open", "closed",
         "wounded", "neutral", "character")  # fmt: skip


def card_filter(dice: Driver, deep: bool = True) -> str:
    """A card filter."""
    kind = dice.number(0, 13 if deep else 9)
    if kind <= 4:
        return dice.pick(PLAIN)
    if kind == 5:
        return f"class({dice.pick(CLASSES)})"
    if kind == 6:
        return f"element({dice.pick(ELEMENTS)})"
    if kind == 7:
        return f"{dice.pick(('cost_at_most', 'cost_at_least'))}({dice.number(1, 4)})"
    if kind == 8:
        return f"has({dice.pick(KEYWORDS)})"
    if kind == 9:
        return dice.pick(("type(creature)", "name(a1)", "type(spell)", "name(b1)"))
    one, two = card_filter(dice, False), card_filter(dice, False)
    return (f"and(enemy,{one})", f"not({one})", f"and({one},{two})", f"or({one},{two})")[kind - 10]


def wound_filter(dice: Driver, deep: bool = True) -> str:
    """A wound filter."""
    kind = dice.number(0, 9 if deep else 6)
    if kind <= 4:
        plain = (
            "any",
            "strike",
            "attack",
            "counter_strike",
            "shot",
            "spell",
            "ability",
            "targeted",
        )
        return dice.pick(plain)
    if kind == 5:
        return f"strength_at_most({dice.number(1, 4)})"
    if kind == 6:
        return f"from({card_filter(dice, False)})"
    one, two = wound_filter(dice, False), wound_filter(dice, False)
    return (f"not({one})", f"and({one},{two})", f"or({one},{two})")[kind - 7]


def one_of(dice: Driver, makers: Sequence[Callable[[], str]]) -> str:
    """What one of the makers makes."""
    return dice.pick(makers)()


VERBS = ("attack", "attack", "act", "act", "use", "shoot", "play", "strike", "defend")


def norm(dice: Driver) -> str:
    """A prohibition, an obligation, a permission or a lure."""
    head = dice.pick(("cannot", "cannot_be", "must", "lure", "may"))
    if head == "may":
        return dice.pick(("may(attack)", "may(act)"))
    if head == "lure":
        verb = dice.pick(("attack", "attack", "play", "use", "shoot", "act", "strike"))
        return f"lure({verb},{dice.pick(('enemy', 'any', card_filter(dice)))})"
    verb = dice.pick(VERBS)
    if head == "must" and verb == "play":
        verb = "attack"
    if dice.chance(50):
        return f"{head}({verb})"
    return f"{head}({verb},{card_filter(dice)})"


def modifier(dice: Driver) -> str:
    """Something that changes numbers."""
    some = dice.pick((1, 2, 3, -1, -2))
    return one_of(
        dice,
        (
            lambda: f"strike_mod({some})",
            lambda: f"strike_mod({some},{card_filter(dice)})",
            lambda: f"strike_becomes({dice.number(0, 4)},{card_filter(dice)})",
            lambda: f"mod(strike,{some})",
            lambda: f"mod(life,{abs(some)})",
            lambda: f"spell_mod({some})",
            lambda: f"superiority({card_filter(dice)})",
            lambda: "vulnerability",
        ),
    )


def shield(dice: Driver) -> str:
    """Prevention or replacement."""
    whom = dice.pick(("self", "and(yours,creature)", "yours", "any", card_filter(dice)))
    return one_of(
        dice,
        (
            lambda: f"armor({dice.number(1, 3)})",
            lambda: f"scales({dice.number(1, 3)})",
            lambda: f"prevent({dice.number(1, 3)},next,{whom},{wound_filter(dice)})",
            lambda: f"prevent({dice.number(1, 3)},turn,{whom},{wound_filter(dice)})",
            lambda: f"prevent({dice.number(1, 2)},each,{whom},{wound_filter(dice)})",
            lambda: f"prevent(all,each,{whom},{wound_filter(dice)})",
            lambda: "protection(spell)",
            lambda: f"protection({wound_filter(dice)})",
            lambda: f"no_wounds({wound_filter(dice)})",
            lambda: f"wounds_only({wound_filter(dice)})",
            lambda: f"redirect({whom},{wound_filter(dice)},{card_filter(dice)})",
        ),
    )


def keyword(dice: Driver) -> str:
    """A keyword of the rulebook."""
    flat = ("charge", "directed_strike", "experience_attack", "experience_defence", "first_strike",
            "vulnerability")  # fmt: skip
    if dice.chance(10):
        return f"vampirism({dice.number(1, 3)})"
    return dice.pick(flat)


def given(dice: Driver) -> str:
    """An ability that an aura or an effect may give."""
    return one_of(
        dice,
        (
            lambda: keyword(dice),
            lambda: norm(dice),
            lambda: modifier(dice),
            lambda: shield(dice),
            lambda: f"lose({dice.pick(KEYWORDS)})",
            lambda: "lose(all)",
            lambda: f"is(element,{dice.pick((*ELEMENTS, 'neutral'))})",
            lambda: f"is(class,{dice.pick(CLASSES)})",
            lambda: f"is(strike,{dice.number(0, 4)})",
            lambda: f"is(life,{dice.number(4, 6)})",
        ),
    )


def aura(dice: Driver) -> str:
    """An ability that gives others one."""
    if dice.chance(10):
        return f"grant({card_filter(dice)},mod(cost,{dice.pick((1, 2, -1, -2))}))"
    return f"grant({card_filter(dice)},{given(dice)})"


def effect_of(dice: Driver, targeted: bool, shots: bool) -> str:
    """What a spell or an activated ability does."""
    selector = f"target({card_filter(dice)})" if targeted else "each(creature)"
    if not targeted:
        each = f"each({card_filter(dice)})"
        selector = dice.pick((each, each, "enemy_hero", "your_hero"))
    if shots and targeted and dice.chance(40):
        return f"shot({dice.number(0, 4)},{selector})"
    return one_of(
        dice,
        (
            lambda: f"wound({dice.number(0, 4)},{selector})",
            lambda: f"wound({dice.number(1, 4)},{selector})",
            lambda: f"heal({dice.pick((1, 2, 3, 'all'))},{selector})",
            lambda: f"open({selector})",
            lambda: f"close({selector})",
            lambda: f"lay({dice.pick((keyword(dice), modifier(dice)))},{selector},leaves)",
        ),
    )


def deed(dice: Driver, shots: bool) -> str:
    """An effect of one or two parts."""
    first = effect_of(dice, dice.chance(70), shots)
    if not dice.chance(35):
        return first
    second = effect_of(dice, dice.chance(40), shots)
    if "target(" in first and dice.chance(40):
        second = f"{dice.pick(('wound', 'heal'))}({dice.number(1, 3)},target(1))"
    return f"{dice.pick(('both', 'then'))}({first},{second})"


def activated(dice: Driver) -> str:
    """An activated ability."""
    costs = ("close", "coins(1)", "once", "and(close,coins(1))", "and(once,coins(2))")
    return f"use({dice.pick(costs)},{deed(dice, shots=True)})"


Maker = Callable[[Driver], str]
# what a position is about: the makers that its printed abilities are picked from
THEMES: tuple[tuple[Maker, ...], ...] = (
    (keyword, norm, shield, modifier, activated, aura),
    (norm, norm, norm, keyword, activated, aura),
    (shield, shield, shield, modifier, keyword, activated),
    (shield,),
    (aura, aura, modifier, keyword, norm, shield),
)


def pool(ability: str) -> int:
    """The size of the pool of an ability, 0 if it has none."""
    term = parse(ability)
    head, inner = name(term), args(term)
    if head == "armor" or (head == "prevent" and inner[1] in ("turn", "next")):
        return int(inner[0])
    return int(ability == "may(attack)" or (head == "use" and "once" in str(inner[0])))


def position(dice: Driver, size: Size = MIDDLE) -> Document:
    """The document of a valid position in which the main phase or a pending attack is due."""
    turn, theme = dice.number(1, 3), dice.pick(THEMES)
    cards: dict[str, dict[str, Any]] = {}
    for side, player in (("a", "p1"), ("b", "p2")):
        hero = {"type": "hero", "life": 25, "owner": player}
        cards[f"{side}0"] = _marked(dice, hero, theme, 1 if dice.chance(40) else 0)
        if dice.chance(5):
            hero["wounds"] = 23
        for n in range(1, dice.number(0, size.creatures) + 1):
            cards[f"{side}{n}"] = _creature(dice, player, turn, theme, size)
        for n in range(dice.number(0, size.supports)):
            kind = ("weapon", "armor", "amulet")[n]  # at most one of each (base.support)
            support = {"type": "equipment", "class": [kind], "owner": player}
            cards[f"{side}{7 + n}x"] = _marked(dice, support, theme, size.abilities)
    for n in range(1, dice.number(0, size.hand) + 1):
        cards[f"h{n}"] = _hand(dice)
    for n in range(1, dice.number(0, size.graveyard) + 1):
        owner = dice.pick(("p1", "p2"))
        cards[f"g{n}"] = {"type": "creature", "life": 3, "owner": owner, "zone": "graveyard"}
    document: Document = {
        "turn": turn,
        "active": "p1",
        "players": {"p1": {"coins": dice.number(0, 4), "coins_total": 4}, "p2": {}},
        "cards": cards,
        "effects": _effects(dice, cards, size),
    }
    _date(dice, document)
    if dice.chance(35):
        _pend(dice, document)
    return _alive(document)


def _marked(
    dice: Driver, card: dict[str, Any], theme: tuple[Maker, ...], most: int
) -> dict[str, Any]:
    """A card with its abilities, and what of them is used up."""
    abilities = [dice.pick(theme)(dice) for _ in range(dice.number(0, most))]
    spent = {}
    for ability in dict.fromkeys(abilities):
        if pool(ability) and dice.chance(30):
            spent[ability] = dice.number(1, pool(ability))
    return {**card, "abilities": abilities, "spent": spent} if abilities else card


def _creature(
    dice: Driver, player: str, turn: int, theme: tuple[Maker, ...], size: Size
) -> dict[str, Any]:
    card: dict[str, Any] = {
        "type": "creature",
        "class": [dice.pick(CLASSES)] if dice.chance(60) else [],
        "element": [dice.pick(ELEMENTS)] if dice.chance(60) else [],
        "cost": dice.number(0, 4),
        "strike": dice.number(0, 4),
        "life": dice.number(2, 7),
        "owner": player,
        "closed": dice.chance(25),
        "acted": dice.chance(15),
        "defended": dice.chance(15),
        "entered": turn if dice.chance(20) else 0,
    }
    card["wounds"] = dice.number(0, 2) if dice.chance(30) else 0
    told = {key: value for key, value in card.items() if value}
    return _marked(dice, told, theme, size.abilities)


def _hand(dice: Driver) -> dict[str, Any]:
    card: dict[str, Any] = {"owner": "p1", "zone": "hand", "cost": dice.number(0, 4)}
    if dice.chance(20):
        return {**card, "type": "creature", "strike": 1, "life": dice.number(1, 4)}
    abilities = [f"spell({deed(dice, shots=False)})"]
    if dice.chance(15):
        abilities.append(f"cannot(play,{card_filter(dice)})")
    if dice.chance(15):
        abilities.append(f"mod(cost,{dice.pick((1, -1, -2))})")
    return {**card, "type": "spell", "abilities": abilities}


def _effects(dice: Driver, cards: dict[str, Any], size: Size) -> list[dict[str, Any]]:
    here = [id for id, card in cards.items() if card.get("zone", "play") == "play"]
    effects = []
    for _ in range(dice.number(0, size.effects)):
        ability = given(dice) if dice.chance(85) else dice.pick((aura(dice), activated(dice)))
        effect: dict[str, Any] = {"card": dice.pick(here), "ability": ability}
        if dice.chance(30):
            effect["ability"] = f"gain({ability})" if not ability.startswith("lose") else ability
        if dice.chance(40):
            effect["source"] = dice.pick(here)
        else:
            effect["controller"] = dice.pick(("p1", "p2"))
        if pool(ability) and dice.chance(30):
            effect["spent"] = dice.number(1, pool(ability))
        effects.append(effect)
    return effects


def _date(dice: Driver, document: Document) -> None:
    """Every card in play and every effect gets a moment of its own."""
    here = [card for card in document["cards"].values() if card.get("zone", "play") == "play"]
    dated = here + document["effects"]
    free = list(range(1, len(dated) + 1))
    for thing in dated:
        thing["since"] = free.pop(dice.number(0, len(free) - 1))


def _pend(dice: Driver, document: Document) -> None:
    """An attack that was announced, if one of its cards could."""
    cards = document["cards"]
    able = [
        id
        for id, card in cards.items()
        if id[0] == "a" and card["type"] == "creature" and not card.get("closed")
    ]
    targets = [id for id, card in cards.items() if id[0] == "b" and card["type"] != "equipment"]
    if able and targets:
        attacker = dice.pick(able)
        cards[attacker].pop("acted", None)
        document["pending"] = {"attacker": attacker, "target": dice.pick(targets)}


def _alive(document: Document) -> Document:
    """The same position with nobody in it already dead."""
    board = Board(state_of(document))
    for n, card in enumerate(board.cards):
        if card.zone == "play" and card.type in ("hero", "creature"):
            told, life = document["cards"][card.id], board.life(n)
            if life < 1:
                told["extra_life"] = 2 - life
            elif card.wounds >= life:
                told["wounds"] = life - 1
    return document


@st.composite
def documents(draw: st.DrawFn, size: Size = SMALL) -> Document:
    """State documents that shrink to small ones."""
    return position(Drawn(draw), size)


__all__ = ["LARGE", "MIDDLE", "SMALL", "Dice", "Drawn", "Size", "documents", "position"]
