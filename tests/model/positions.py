"""Random valid positions: those of the words that the model carries out, and of all words there are.

``position(Dice(seed))`` draws with `random`, ``documents()`` is a hypothesis strategy that shrinks
to small ones. Ids and filters are few, so that what is drawn meets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from tests.model.abilities import NAMES, Dice, Drawn, Driver, Terms
from tests.model.board import Board
from tests.model.documents import state_of
from tests.model.terms import Unsupported, args, name, parse

Document = dict[str, Any]


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

# sort -> the words that are drawn mostly, as often as they stand here
FAVOURED: Mapping[str, Sequence[str]] = {
    sort: tuple(words.split())
    for sort, words in {
        "card_filter": """any self other hero creature yours enemy open closed wounded neutral character
            class class element cost_at_most cost_at_least has type name and and or not""",
        "wound_filter": """any any strike attack counter_strike shot spell ability targeted
            strength_at_most from from and or not""",
        "ability_name": """armor charge directed_strike experience_attack experience_defence first_strike
            vulnerability superiority scales vampirism""",
        "verb": "attack attack act act use shoot play strike defend",
        "effect": "wound wound wound shot shot both then",
        "selector": "target target target target target each each self your_hero enemy_hero",
        "cost": "close close coins once and",
        "until": "leaves",
        "type": "creature spell hero equipment",
        "amount": "",
        "change": "",
    }.items()
}
# what a position is about: the words of its printed abilities
NORMS = "cannot cannot cannot_be cannot_be must must lure lure may"
SHIELDS = "armor scales prevent prevent prevent protection no_wounds wounds_only redirect redirect"
CHANGES = "strike_mod strike_mod strike_becomes mod spell_mod superiority vulnerability is"
KEYWORDS = """charge directed_strike experience_attack experience_defence first_strike vulnerability
    vampirism"""
THEMES = tuple(
    tuple(words.split())
    for words in (
        f"{KEYWORDS} {NORMS} {SHIELDS} {CHANGES} use use grant grant",
        f"{NORMS} {NORMS} {KEYWORDS} use use use grant",
        f"{SHIELDS} {SHIELDS} {CHANGES} {KEYWORDS} use use",
        SHIELDS,
        f"grant grant grant grant {CHANGES} {KEYWORDS} {NORMS} {SHIELDS}",
    )
)
WIDE = ("on", "may_on", "while", "while", "grant", "use")
MORE = {
    "effect": (
        *FAVOURED["effect"],
        *["heal", "open", "close", "lay", "lay", "lay", "if", "if", "optional", "choose"],
    ),
    "until": ("leaves", "end_of_turn", "for_good"),
}
ANY_WORD = 40  # cases in a hundred where a word of a wide position may be any
GIVEN = tuple(f"{KEYWORDS} {NORMS} {SHIELDS} {CHANGES} lose".split())


class Writer:
    """Draws a position.

    Args:
        dice: where the choices come from.
        size: how large it may be.
        wide: its abilities may be of any words; else of those that the model carries out.
    """

    def __init__(self, dice: Driver, size: Size, wide: bool) -> None:
        self.dice, self.size, self.wide = dice, size, wide
        self.theme = (*dice.pick(THEMES), *(WIDE if wide else ()))
        self.turn = dice.number(1, 3)
        self.cards: dict[str, dict[str, Any]] = {}

    def term(self, words: Sequence[str], depth: int = 3) -> str:
        """An ability with one of these words, or with any."""
        favoured = {**FAVOURED, **(MORE if self.wide else {}), "ability": words}
        return Terms(self.dice, favoured, ANY_WORD if self.wide else 0).term("ability", depth)

    def document(self) -> Document:
        """The document of the position."""
        dice, size = self.dice, self.size
        for side, player in (("a", "p1"), ("b", "p2")):
            hero = {"type": "hero", "life": 25, "owner": player}
            self.cards[f"{side}0"] = self.marked(hero, 1 if dice.chance(40) else 0)
            if dice.chance(5):
                hero["wounds"] = 23
            for n in range(1, dice.number(0, size.creatures) + 1):
                self.cards[f"{side}{n}"] = self.creature(player)
            for n in range(dice.number(0, size.supports)):
                kind = ("weapon", "armor", "amulet")[n]  # at most one of each (base.support)
                support = {"type": "equipment", "class": [kind], "owner": player}
                self.cards[f"{side}{7 + n}x"] = self.marked(support, size.abilities)
        for n in range(1, dice.number(0, size.hand) + 1):
            self.cards[f"h{n}"] = self.hand()
        for zone in ("graveyard", "deck") if self.wide else ("graveyard",):
            for n in range(1, dice.number(0, size.graveyard) + 1):
                owner = dice.pick(("p1", "p2"))
                lying = {"type": "creature", "life": 3, "owner": owner, "zone": zone}
                self.cards[f"{zone[0]}{n}"] = lying
        players: dict[str, dict[str, Any]] = {
            "p1": {"coins": dice.number(0, 4), "coins_total": 4}, "p2": {}
        }  # fmt: skip
        if self.wide and dice.chance(30):
            players["p1"] |= {"attacks": dice.number(0, 2), "drawn": dice.number(0, 2)}
        document: Document = {
            "turn": self.turn, "active": "p1", "players": players, "cards": self.cards,
            "effects": [self.effect() for _ in range(dice.number(0, size.effects))],
        }  # fmt: skip
        self.date(document["effects"])
        if dice.chance(35):
            self.pend(document)
        return _alive(document)

    def marked(self, card: dict[str, Any], most: int) -> dict[str, Any]:
        """A card with its abilities, and what of them is used up."""
        dice = self.dice
        abilities = [self.term(self.theme) for _ in range(dice.number(0, most))]
        spent = {
            ability: dice.number(1, pool(ability))
            for ability in dict.fromkeys(abilities)
            if pool(ability) and dice.chance(30)
        }
        return {**card, "abilities": abilities, "spent": spent} if abilities else card

    def creature(self, player: str) -> dict[str, Any]:
        """A creature in play."""
        dice = self.dice
        card: dict[str, Any] = {
            "type": "creature",
            "class": [dice.pick(NAMES["class"])] if dice.chance(60) else [],
            "element": [dice.pick(NAMES["element"][:2])] if dice.chance(60) else [],
            "cost": dice.number(0, 4),
            "strike": dice.number(0, 4),
            "life": dice.number(2, 7),
            "owner": player,
            "closed": dice.chance(25),
            "acted": dice.chance(15),
            "attacked": self.wide and dice.chance(15),
            "defended": dice.chance(15),
            "entered": self.turn if dice.chance(20) else 0,
            "chips": dice.number(1, 3) if self.wide and dice.chance(20) else 0,
            "wounds": dice.number(0, 2) if dice.chance(30) else 0,
        }
        return self.marked(
            {key: value for key, value in card.items() if value}, self.size.abilities
        )

    def hand(self) -> dict[str, Any]:
        """A card in the hand."""
        dice = self.dice
        card: dict[str, Any] = {"owner": "p1", "zone": "hand", "cost": dice.number(0, 4)}
        if dice.chance(20):
            return {**card, "type": "creature", "strike": 1, "life": dice.number(1, 4)}
        more = [self.term((word,)) for word in ("cannot", "mod", "in_zone") if dice.chance(12)]
        return {**card, "type": "spell", "abilities": [self.term(("spell",), 4), *more]}

    def effect(self) -> dict[str, Any]:
        """An effect laid on a card in play."""
        dice = self.dice
        here = [id for id, card in self.cards.items() if card.get("zone", "play") == "play"]
        words = GIVEN if dice.chance(85) else ("grant", "use")
        ability = self.term((*words, "enhancement", "counter", "while") if self.wide else words)
        gained = dice.chance(30) and not ability.startswith("lose(")
        effect: dict[str, Any] = {
            "card": dice.pick(here),
            "ability": f"gain({ability})" if gained else ability,
        }
        if dice.chance(40):
            effect["source"] = dice.pick(here)
        else:
            effect["controller"] = dice.pick(("p1", "p2"))
        if pool(ability) and dice.chance(30):
            effect["spent"] = dice.number(1, pool(ability))
        return effect

    def date(self, effects: list[dict[str, Any]]) -> None:
        """Every card in play and every effect gets a moment of its own."""
        here = [card for card in self.cards.values() if card.get("zone", "play") == "play"]
        free = list(range(1, len(here + effects) + 1))
        for thing in here + effects:
            thing["since"] = free.pop(self.dice.number(0, len(free) - 1))

    def pend(self, document: Document) -> None:
        """An attack that was announced, if one of its cards could."""
        creatures = [id for id, card in self.cards.items() if card["type"] == "creature"]
        able = [id for id in creatures if id[0] == "a" and not self.cards[id].get("closed")]
        targets = [id for id in ("b0", *creatures) if id[0] == "b"]
        if able:
            attacker = self.dice.pick(able)
            self.cards[attacker].pop("acted", None)
            document["pending"] = {"attacker": attacker, "target": self.dice.pick(targets)}


def pool(ability: str) -> int:
    """The size of the pool of an ability, 0 if it has none."""
    term = parse(ability)
    head, inner = name(term), args(term)
    sized = head == "armor" or (head == "prevent" and inner[1] in ("turn", "next"))
    if sized:
        return inner[0] if isinstance(inner[0], int) else 0
    return int(ability == "may(attack)" or (head == "use" and "once" in str(inner[0])))


def _alive(document: Document) -> Document:
    """The same position with nobody in it already dead."""
    try:
        board = Board(state_of(document))
        lives = [board.life(n) for n in range(len(board.cards))]
    except Unsupported:
        return document
    for n, card in enumerate(board.cards):
        if card.zone == "play" and card.type in ("hero", "creature"):
            told, life = document["cards"][card.id], lives[n]
            if life < 1:
                told["extra_life"] = 2 - life
            elif card.wounds >= life:
                told["wounds"] = life - 1
    return document


def position(dice: Driver, size: Size = MIDDLE) -> Document:
    """The document of a valid position in which the main phase or a pending attack is due."""
    return Writer(dice, size, dice.chance(50)).document()


@st.composite
def documents(draw: st.DrawFn, size: Size = SMALL) -> Document:
    """State documents that shrink to small ones."""
    return position(Drawn(draw), size)


__all__ = ["LARGE", "MIDDLE", "SMALL", "Dice", "Drawn", "Size", "documents", "position"]
