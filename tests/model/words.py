"""What the words of filters, amounts and conditions mean, each in a line."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add, and_, eq, floordiv, ge, le, lt, mul, or_, sub
from typing import TYPE_CHECKING

from tests.model.terms import Term, args, name

if TYPE_CHECKING:
    from tests.model.board import Board

# what is not looked at when a card is said to have no abilities
SLIGHT = {"mod", "is", "enhancement", "counter", "lose"}


def bits(mask: int) -> list[int]:
    """The places in a mask: ``bits(0b1101) == [0, 2, 3]``."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def greatest(board: Board, bearer: int, attribute: str, among: Term) -> int:
    """The cards in play of which nothing among these has more of a value."""
    cards = bits(board.mask(among, bearer) & board.in_play)
    ranks = {n: worth for n in cards if (worth := board.shown(n, attribute)) is not None}
    return sum(1 << n for n, worth in ranks.items() if worth == max(ranks.values()))


SUMS: dict[str, Callable[..., int]] = {
    "plus": add, "minus": sub, "times": mul, "quotient": floordiv,
    "half": lambda a: a // 2, "half_up": lambda a: (a + 1) // 2,
}  # fmt: skip
COMPARED: dict[str, Callable[[int, int], bool]] = {
    "less": lt, "at_most": le, "at_least": ge, "equal": eq,
}  # fmt: skip
# of one of the cards that a selector names
NUMBERS: dict[str, Callable[..., int | None]] = {
    "strike": lambda board, n: board.shown(n, "strike"),
    "life": lambda board, n: board.shown(n, "life"),
    "lives": lambda board, n: (
        (board.characters & board.in_play) >> n & 1 and board.life(n) - board.cards[n].wounds
    ),
    "wounds": lambda board, n: board.cards[n].wounds,
    "cost": lambda board, n: board.cards[n].cost,
    "extra_lives": lambda board, n: board.cards[n].extra_life,
    "counters": lambda board, n, wanted: board.laid(n, wanted),
    "held": lambda board, n: board.laid(n, "holds"),
}
# words for what depends on the moment at which they are read
AMOUNTS = {*SUMS, *NUMBERS, "count", "hand", "coins", "drawn", "card", "same_name"}
# the cards that fit, read from a bearer
FILTERS: dict[str, Callable[..., int]] = {
    "self": lambda board, me: 1 << me,
    "other": lambda board, me: board.everything & ~(1 << me),
    "yours": lambda board, me: board.side[board.cards[me].controller],
    "enemy": lambda board, me: board.everything & ~board.side[board.cards[me].controller],
    "not": lambda board, me, f: board.everything & ~board.mask(f, me),
    "and": lambda board, me, *fs: reduce(and_, [board.mask(f, me) for f in fs]),
    "or": lambda board, me, *fs: reduce(or_, [board.mask(f, me) for f in fs]),
    "has": lambda board, me, word: board.having.get(word, 0),
    "greatest": greatest,
    # said of a card that is just coming, of a card that an effect speaks of
    "by_play": lambda board, me: 0,
    "same_name": lambda board, me, word: 0,
}
# whether a card fits, looked at by itself
TESTS: dict[str, Callable[..., object]] = {
    "neutral": lambda board, n, card: not board.elements(n),
    "type": lambda board, n, card, wanted: card.type == wanted,
    "class": lambda board, n, card, wanted: wanted in board.classes(n),
    "element": lambda board, n, card, wanted: wanted in board.elements(n),
    "elements_at_least": lambda board, n, card, least: len(board.elements(n)) >= least,
    "name": lambda board, n, card, wanted: (card.name or card.id) == wanted,
    "card": lambda board, n, card, id: card.id == id,
    "cost_at_most": lambda board, n, card, most: card.cost <= most,
    "cost_at_least": lambda board, n, card, least: card.cost >= least,
    "strike_at_most": lambda board, n, card, most: (
        (worth := board.shown(n, "strike")) is not None and worth <= most
    ),
    "strike_at_least": lambda board, n, card, least: (
        (worth := board.shown(n, "strike")) is not None and worth >= least
    ),
    "attacked": lambda board, n, card: card.attacked,
    "attacking": lambda board, n, card: n == board.attacker,
    "holding": lambda board, n, card: board.laid(n, "holds"),
    "bears": lambda board, n, card, term: any(
        (a.name, a.args) == (name(term), args(term)) for a in board.abilities[n]
    ),
    "without_abilities": lambda board, n, card: {a.name for a in board.abilities[n]} <= SLIGHT,
}
