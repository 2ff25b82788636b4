"""What the words of filters, amounts, conditions and wound filters mean, each in a line."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, reduce
from operator import add, and_, eq, floordiv, ge, le, lt, mul, or_, sub
from typing import TYPE_CHECKING

from pyengine.model import Card
from tests.model.terms import Term, args, name, parse

if TYPE_CHECKING:
    from tests.model.board import Ability, Board
    from tests.model.wounds import Wounds


def bits(mask: int) -> list[int]:
    """The places in a mask: ``bits(0b1101) == [0, 2, 3]``."""
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


# -- filters: the cards that fit, read from a bearer ----------------------------------------------

# said of a card alone, whoever reads it
PLAIN: dict[str, Callable[[Card], object]] = {
    "any": lambda card: True,
    "hero": lambda card: card.type == "hero",
    "creature": lambda card: card.type == "creature",
    "character": lambda card: card.type in ("hero", "creature"),
    "open": lambda card: not card.closed,
    "closed": lambda card: card.closed,
    "wounded": lambda card: card.wounds,
    "attacked": lambda card: card.attacked,
    # zones: not words of the language, but masks that are asked for as often
    "play": lambda card: card.zone == "play",
    "hand": lambda card: card.zone == "hand",
    "graveyard": lambda card: card.zone == "graveyard",
}
# what is not looked at when a card is said to have no abilities
SLIGHT = {"mod", "is", "enhancement", "counter", "lose"}


def shown(board: Board, n: int, attribute: str) -> int | None:
    """A value that is compared: of a creature's strike only, of a character's life; no less than 0."""
    if attribute == "cost":
        return board.cards[n].cost
    able = board.plain["creature"] if attribute == "strike" else board.plain["character"]
    value = board.value(n, attribute) if able & board.in_play & 1 << n else None
    return max(0, value) if attribute == "strike" and value is not None else value


def elements(board: Board, n: int) -> tuple[str, ...]:
    """The elements of a card, after the latest effect that sets them."""
    fixed = board.fixed(n, "element")
    return board.cards[n].element if fixed is None else (fixed,) * (fixed != "neutral")


def classes(board: Board, n: int) -> tuple[str, ...]:
    """The classes of a card, after the latest effect that sets them."""
    fixed = board.fixed(n, "class")
    return board.cards[n].classes if fixed is None else (fixed,)


def greatest(board: Board, me: int, attribute: str, among: Term) -> int:
    """The cards in play of which nothing among these has more of a value."""
    cards = bits(board.mask(among, me) & board.in_play)
    ranks = {n: worth for n in cards if (worth := shown(board, n, attribute)) is not None}
    return sum(1 << n for n, worth in ranks.items() if worth == max(ranks.values()))


def those(test: Callable[..., object]) -> Callable[..., int]:
    """A filter that looks at each card by itself: ``test(board, n, card, ...)``."""
    return lambda board, me, *inner: sum(
        1 << n for n, card in enumerate(board.cards) if test(board, n, card, *inner)
    )


def bound(attribute: str, holds: Callable[[int, int], bool]) -> Callable[..., int]:
    """A filter that compares a value with an amount."""
    fits = those(
        lambda board, n, card, limit: (
            (worth := shown(board, n, attribute)) is not None and holds(worth, limit)
        )
    )
    return lambda board, me, limit: fits(board, me, board.reckon(limit, me))


FILTERS: dict[str, Callable[..., int]] = {
    "self": lambda board, me: 1 << me,
    "other": lambda board, me: board.everything & ~(1 << me),
    "yours": lambda board, me: board.side[board.cards[me].controller],
    "enemy": lambda board, me: board.everything & ~board.side[board.cards[me].controller],
    "not": lambda board, me, f: board.everything & ~board.mask(f, me),
    "and": lambda board, me, *fs: reduce(and_, [board.mask(f, me) for f in fs]),
    "or": lambda board, me, *fs: reduce(or_, [board.mask(f, me) for f in fs]),
    "greatest": greatest,
    "cost_at_most": bound("cost", le),
    "cost_at_least": bound("cost", ge),
    "strike_at_most": bound("strike", le),
    "strike_at_least": bound("strike", ge),
    "attacking": those(lambda board, n, card: n == board.attacker),
    "type": those(lambda board, n, card, wanted: card.type == wanted),
    "name": those(lambda board, n, card, wanted: (card.name or card.id) == wanted),
    "card": those(lambda board, n, card, id: card.id == id),
    "class": those(lambda board, n, card, wanted: wanted in classes(board, n)),
    "element": those(lambda board, n, card, wanted: wanted in elements(board, n)),
    "neutral": those(lambda board, n, card: not elements(board, n)),
    "elements_at_least": those(lambda board, n, card, least: len(elements(board, n)) >= least),
    "holding": those(lambda board, n, card: board.laid(n, "holds")),
    "has": those(lambda board, n, card, word: board.of(n, word)),
    "bears": those(
        lambda board, n, card, term: args(term) in [a.args for a in board.of(n, name(term))]
    ),
    "without_abilities": those(
        lambda board, n, card: {a.name for a in board.abilities[n]} <= SLIGHT
    ),
    # said of a card that is just coming, of a card that an effect speaks of
    "by_play": lambda board, me: 0,
    "same_name": lambda board, me, word: 0,
}


# -- amounts and conditions: how much, or whether -------------------------------------------------


def selected(board: Board, me: int, selector: Term) -> list[int]:
    """The cards of a selector where nobody has chosen."""
    head = name(selector)
    if head == "self":
        return [me]
    heroes = {"your_hero": ("and", "hero", "yours"), "enemy_hero": ("and", "hero", "enemy")}
    whom = args(selector)[0] if head == "each" else heroes.get(head)
    return [] if whom is None else bits(board.mask(whom, me) & board.in_play)


def of_amounts(reckon: Callable[..., int]) -> Callable[..., int]:
    """What is reckoned from other amounts."""
    return lambda board, me, *inner: reckon(*(board.reckon(term, me) for term in inner))


def of_cards(measure: Callable[..., int | None]) -> Callable[..., int]:
    """What is measured of each card of a selector: ``measure(board, n, ...)``, added up."""
    return lambda board, me, *inner: sum(
        measure(board, n, *inner[:-1]) or 0 for n in selected(board, me, inner[-1])
    )


def of_player(measure: Callable[..., int]) -> Callable[..., int]:
    """What is measured of a player: ``measure(board, id)``."""
    return lambda board, me, who: measure(
        board,
        next(id for id in board.players if (id == board.cards[me].controller) == (who == "you")),
    )


AMOUNTS: dict[str, Callable[..., int]] = {
    "plus": of_amounts(add),
    "minus": of_amounts(sub),
    "times": of_amounts(mul),
    "quotient": of_amounts(floordiv),
    "half": of_amounts(lambda a: a // 2),
    "half_up": of_amounts(lambda a: (a + 1) // 2),
    "count": lambda board, me, f: (board.mask(f, me) & board.in_play).bit_count(),
    "coins": of_player(lambda board, id: board.players[id].coins),
    "drawn": of_player(lambda board, id: board.players[id].drawn),
    "hand": of_player(lambda board, id: sum(
        (card.zone, card.owner) == ("hand", id) for card in board.cards)),
    "strike": of_cards(lambda board, n: shown(board, n, "strike")),
    "life": of_cards(lambda board, n: shown(board, n, "life")),
    "lives": of_cards(lambda board, n: (
        board.plain["character"] & board.in_play) >> n & 1 and board.life(n) - board.cards[n].wounds),
    "wounds": of_cards(lambda board, n: board.cards[n].wounds),
    "cost": of_cards(lambda board, n: board.cards[n].cost),
    "extra_lives": of_cards(lambda board, n: board.cards[n].extra_life),
    "counters": of_cards(lambda board, n, wanted: board.laid(n, wanted)),
    "held": of_cards(lambda board, n: board.laid(n, "holds")),
}  # fmt: skip
CONDITIONS: dict[str, Callable[..., int]] = {
    "fails": lambda board, me, c: not board.reckon(c, me),
    "both_hold": lambda board, me, *cs: all(board.reckon(c, me) for c in cs),
    "either_holds": lambda board, me, *cs: any(board.reckon(c, me) for c in cs),
    "less": of_amounts(lt),
    "at_most": of_amounts(le),
    "at_least": of_amounts(ge),
    "equal": of_amounts(eq),
    "exists": lambda board, me, f: board.mask(f, me) & board.in_play,
    "self_is": lambda board, me, f: board.fits(f, me, me),
    "fits": lambda board, me, selector, f: bool(cards := selected(board, me, selector)) and all(
        board.fits(f, me, n) for n in cards),
    "your_turn": lambda board, me: board.cards[me].controller == board.state.active,
}  # fmt: skip
RECKONED: dict[str, Callable[..., int]] = {
    **AMOUNTS,
    **CONDITIONS,
    "attacks": lambda board, me: sum(player.attacks for player in board.players.values()),
}
# words for what depends on the moment at which they are read
LATER = {*AMOUNTS, "card", "same_name"}


# -- wound filters --------------------------------------------------------------------------------

# the kinds of wounds that a word names
KINDS = {
    "any": ("attack", "answer", "shot", "spell", "ability"), "strike": ("attack", "answer"),
    "counter_strike": ("answer",), "attack": ("attack", "shot"), "shot": ("shot",),
    "spell": ("spell",), "ability": ("spell", "ability"),
}  # fmt: skip
WOUNDS: dict[str, Callable[..., object]] = {
    "from": lambda board, me, wounds, f: board.fits(f, me, wounds.blow.source),
    "strength_at_most": lambda board, me, wounds, most: wounds.strength <= most,
    "targeted": lambda board, me, wounds: wounds.blow.targeted,
    "not": lambda board, me, wounds, f: not matches(board, f, me, wounds),
    "and": lambda board, me, wounds, *fs: all(matches(board, f, me, wounds) for f in fs),
    "or": lambda board, me, wounds, *fs: any(matches(board, f, me, wounds) for f in fs),
}


def from_spells(protection: Ability) -> bool:
    """Whether that is a protection from spells."""
    (whence,) = protection.args
    while name(whence) == "not" and name(args(whence)[0]) == "not":
        whence = args(args(whence)[0])[0]
    return bool(whence == "spell")


def matches(board: Board, filter_: Term, me: int, wounds: Wounds) -> bool:
    """Whether the wounds about to be dealt match a wound filter, read from a bearer."""
    head = name(filter_)
    if head in KINDS:
        return wounds.blow.kind in KINDS[head]
    return bool(WOUNDS[head](board, me, wounds, *args(filter_)))


# -- what the model's outcomes leave to others ----------------------------------------------------

# abilities that are carried out, and those that attacks and wounds by spells leave alone
SETTLED = """armor scales prevent protection no_wounds wounds_only redirect strike_mod strike_becomes
    spell_mod mod is cannot cannot_be may must lure grant gain lose directed_strike first_strike
    experience_attack experience_defence charge vulnerability superiority vampirism enhancement
    while use spell counter unique regeneration poison might limit in_zone enters_with stunned
    instead_of_regeneration trigger_twice excess_life withstands"""
TRIGGERED = ("on", "once_on", "may_on", "delayed")
# triggers that neither attacks nor wounds set off
QUIET = "hire turn_start turn_end any_turn_start any_turn_end enters summoned draws"
# what changes while an attack goes on
PASSING = re.compile(r"\b(attacks|attacked|attacking|raid)\b")
_WITHIN = {"grant": 1, "gain": 0, "while": 1, "in_zone": 1}


@cache
def unsettled(text: str) -> str | None:
    """The word of an ability that keeps the model from saying what happens around it."""
    term = parse(text)
    while (head := name(term)) in _WITHIN:
        term = args(term)[_WITHIN[head]]
    inner = args(term)
    if head in TRIGGERED and name(inner[0]) not in QUIET.split():
        return f"{head}({name(inner[0])})"
    if head not in (*SETTLED.split(), *TRIGGERED) or (
        head == "prevent" and isinstance(inner[0], tuple)
    ):
        return head
    idle = term == parse(text) and head in ("use", "spell", *TRIGGERED)
    return "attacks" if PASSING.search(text) and not idle else None
