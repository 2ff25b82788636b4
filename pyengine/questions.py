"""What is asked: the facts of a position, kept in blocks that outlive the question.

From one question to the next most cards stay as they are. So the facts of a card are a `Block`,
made when the card is first met, and what the programs have found out about a block (its symbols,
its kind, which of its facts a slice looks at) is kept with it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import clingo

from pyengine.facts import (
    ALONE,
    Encoded,
    Mark,
    encode,
    name,
    next_moment,
    quoted,
    renew,
    spare_id,
    unname,
)
from pyengine.keeping import keep
from pyengine.kinds import catalogue
from pyengine.limits import check
from pyengine.model import Card, Effect, Player, State

_FLAGS = ("closed", "acted", "defended", "attacked", "hidden")
_FACT = re.compile(r'\s*((?:[^".]|"(?:\\.|[^"\\])*")+)\.')
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_GREAT = re.compile(r"\b\d{4}")
_NUMBERED = re.compile(r"\b(laid|source|used|until)\(\d+")  # an effect, by its mark a great number
# how much is kept of what has been met: cards, blocks, symbols
_CARDS, _BLOCKS, _SYMBOLS, _STATES = 8192, 16384, 100_000, 64
_NOBODY: frozenset[str] = frozenset()

T = TypeVar("T")


class Memo(Generic[T]):
    """What was made of an object, as long as it is met often enough; known by its identity."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._known: dict[int, tuple[object, T]] = {}

    def get(self, thing: object) -> T | None:
        """What was kept of the thing."""
        found = self._known.get(id(thing))
        return None if found is None else found[1]

    def put(self, thing: object, made: T) -> T:
        """Keeps it; the thing is held so that no other can have its identity."""
        if len(self._known) >= self._size:
            self._known.clear()
        self._known[id(thing)] = (thing, made)
        return made

    def clear(self) -> None:
        """Forgets all of it."""
        self._known.clear()


_SYMBOL: dict[str, clingo.Symbol] = {}


def symbol(text: str) -> clingo.Symbol:
    """The symbol of a ground term."""
    found = _SYMBOL.get(text)
    if found is None:
        found = keep(_SYMBOL, text, clingo.parse_term(text), _SYMBOLS)
    return found


class Size(NamedTuple):
    """What tells how much facts may come to."""

    cards: int  # in play
    characters: int
    ways: int  # to carry out effects
    great: bool  # three targets, or a great number


def total(sizes: Iterable[Size]) -> Size:
    """The size of what has these."""
    all = list(sizes)
    cards, characters, ways, great = (map(itemgetter(place), all) for place in range(4))
    return Size(sum(cards), sum(characters), sum(ways), any(great))


Places: TypeAlias = tuple[int, ...]


@dataclass(eq=False, slots=True)
class Block:
    """Facts that come and go together.

    ``atoms`` are without stops. ``cards``: of the names in them those of cards of a ``sort`` of
    their own, away (in a deck, a graveyard, the reserve) or held, of which blocks of other sorts do
    not speak. ``known``: what programs keep here, by their number.
    """

    atoms: tuple[str, ...]
    sort: str = ""
    cards: frozenset[str] = _NOBODY
    known: dict[int, Any] = field(default_factory=dict)
    _parts: dict[Places, tuple[str, ...]] = field(default_factory=dict)
    _symbols: tuple[clingo.Symbol, ...] | None = None
    _size: Size | None = None

    def __str__(self) -> str:
        return "".join(f"{atom}." for atom in self.atoms)

    def part(self, places: Places) -> tuple[str, ...]:
        """The facts that stand there."""
        found = self._parts.get(places)
        if found is None:
            found = self._parts[places] = tuple([self.atoms[place] for place in places])
        return found

    @property
    def size(self) -> Size:
        """How large it is."""
        if self._size is None:
            text = str(self)
            great = "target(3," in text or (
                _GREAT.search(text) is not None
                and _GREAT.search(_NUMBERED.sub("", text)) is not None
            )
            ways = sum(atom.startswith("way(") for atom in self.atoms)
            self._size = Size(text.count(",play)"), len(text), ways, great)
        return self._size

    @property
    def symbols(self) -> tuple[clingo.Symbol, ...]:
        """The facts as clingo has them."""
        if self._symbols is None:
            self._symbols = tuple(map(symbol, self.atoms))
        return self._symbols


@dataclass(eq=False, slots=True)
class Position:
    """The blocks of a position, of which several things are asked.

    ``known``: what programs keep here, by their number.
    """

    blocks: tuple[Block, ...]
    cards: tuple[_Met, ...] = ()
    known: dict[int, Any] = field(default_factory=dict)
    _size: Size | None = None
    _parts: dict[Block, None] | None = None

    @property
    def parts(self) -> dict[Block, None]:
        """Its blocks, to look them up."""
        if self._parts is None:
            self._parts = dict.fromkeys(self.blocks)
        return self._parts

    @property
    def size(self) -> Size:
        """How large it is."""
        if self._size is None:
            self._size = total([block._size or block.size for block in self.blocks])
        return self._size

    @property
    def likely(self) -> Iterable[Block]:
        """What is likely to come: the facts of its cards wherever they may come to be."""
        return dict.fromkeys(each for met in self.cards for each in met.likely)


@dataclass(frozen=True, slots=True)
class Question:
    """The facts of a position, and those that ask something of it."""

    position: Position
    asked: Block
    parts: dict[Block, None] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # the blocks, to look them up
        object.__setattr__(self, "parts", {**self.position.parts, self.asked: None})

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All of them."""
        return (*self.position.blocks, self.asked)

    @property
    def size(self) -> Size:
        """How large it is."""
        return total((self.position.size, self.asked.size))

    def __str__(self) -> str:
        return "\n".join(sorted({str(block) for block in self.blocks}))


@lru_cache(maxsize=_BLOCKS)
def block(text: str, sort: str = "", cards: frozenset[str] = _NOBODY) -> Block:
    """The block of the facts of a text; facts that are alike in several are kept once."""
    return Block(tuple(map(sys.intern, _FACT.findall(text))), sort, cards)


def merged(questions: Iterable[Question]) -> Question:
    """Questions about several positions as one; a block that they share is in it once."""
    parts = list(questions)
    position = dict.fromkeys(block for part in parts for block in part.position.blocks)
    asked = Block(tuple(atom for part in parts for atom in part.asked.atoms))
    return Question(Position(tuple(position)), asked)


def stated(text: str) -> Question:
    """A question in words: nothing is known of it beforehand."""
    return Question(Position(()), block(text))


def asked_of(
    state: State,
    asked: str = "",
    first: int = 1,
    mark: Mark = ALONE,
    gone: tuple[str, ...] = (),
) -> Question:
    """The facts of a position, and what is asked of it.

    Args:
        state: the position.
        asked: facts, each with its stop.
        first: the number of the first effect, where positions share a program.
        mark: or what tells it from those.
        gone: abilities that are spoken of though nothing bears them any more.
    """
    return Question(_parts(state, first, mark, gone).position(asked), block(asked))


@dataclass(eq=False, slots=True)
class _Parts:
    """What the facts of a position are put together from.

    ``spoken``: the names in what is not asked; ``away``: the cards that are not in play, of which
    it matters whether anything else speaks of them. ``rest``: all that is not of one card.
    """

    state: State
    rest: tuple[Block, ...]
    cards: tuple[_Met, ...]
    spoken: frozenset[str]
    away: frozenset[str]
    _positions: dict[frozenset[str], Position] = field(default_factory=dict)

    def position(self, asked: str) -> Position:
        """The facts of the position where this is asked of it."""
        named = frozenset(_NAME.findall(asked)) & self.away - self.spoken
        found = self._positions.get(named)
        if found is None:
            spoken, state = self.spoken | named, self.state
            # nothing but its own facts speaks of it
            cards = [
                met.block if card.id in spoken else met.apart
                for card, met in zip(state.cards, self.cards, strict=True)
            ]
            blocks = (*_table(state), *_decks(state, spoken), *cards, *self.rest)
            found = self._positions[named] = Position(blocks, self.cards)
        return found


_PARTS: Memo[dict[tuple[int, Mark, tuple[str, ...]], _Parts]] = Memo(_STATES)


def _parts(state: State, first: int, mark: Mark, gone: tuple[str, ...]) -> _Parts:
    """The parts of a position, which several things are asked of."""
    if renew():
        _CARD.clear()
        _PARTS.clear()
        for function in (_met, _like, _all_of, _laid):
            function.cache_clear()
    known = _PARTS.get(state)
    if known is None:
        known = _PARTS.put(state, {})
    key = first, mark, gone
    found = known.get(key)
    if found is None:
        found = known[key] = _taken_apart(state, first, mark, gone)
    return found


def _taken_apart(state: State, first: int, mark: Mark, gone: tuple[str, ...]) -> _Parts:
    cards = tuple([_CARD.get(card) or _CARD.put(card, _met(card)) for card in state.cards])
    printed = _all_of(tuple(dict.fromkeys([met.kind for met in cards])))
    laid = [_laid(effect, mark.effect(n)) for n, effect in enumerate(state.effects, start=first)]
    # an ability once, whoever has it
    other = (*gone, *(effect.ability for effect in state.effects))
    added = [each for each in map(encode, dict.fromkeys(other)) if each not in printed.abilities]
    blocks = [*laid, *printed.language, *map(_language, added)]
    makes = printed.makes.union(*(each.makes for each in added))
    if makes:
        blocks.append(block("".join(_creatable(state, makes, mark))))
    away = frozenset([card.id for card in state.cards if card.zone != "play"])
    spoken = printed.words.union(_spoken(state, " ".join(gone)))
    return _Parts(state, tuple(blocks), cards, spoken, away)


class _All(NamedTuple):
    """What cards say together, each thing once."""

    words: frozenset[str]
    abilities: frozenset[Encoded]
    language: tuple[Block, ...]
    makes: frozenset[str]


@lru_cache(maxsize=1024)
def _all_of(kinds: tuple[_Like, ...]) -> _All:
    abilities = dict.fromkeys(ability for kind in kinds for ability in kind.abilities)
    return _All(
        frozenset().union(*(kind.words for kind in kinds)),
        frozenset(abilities),
        tuple(map(_language, abilities)),
        frozenset().union(*(ability.makes for ability in abilities)),
    )


@lru_cache(maxsize=_CARDS)
def _laid(effect: Effect, number: int) -> Block:
    """The facts of an effect."""
    text = (
        f"laid({number},{name(effect.card)},{encode(effect.ability).term},{effect.since},"
        f"{name(effect.controller)})."
    )
    if effect.source is not None:
        text += f"source({number},{name(effect.source)})."
    if effect.spent:
        text += f"used({number},{effect.spent})."
    until = effect.until
    return block(f"{text}until({number},{until if isinstance(until, int) else name(until)}).")


def _spoken(state: State, asked: str) -> set[str]:
    """The names in what is asked and in the effects, and those of the players."""
    texts = [asked, *(id for id, _ in state.players)]
    for effect in state.effects:
        texts += (effect.card, effect.source or "", effect.ability)
    if state.pending is not None:
        texts += (state.pending.attacker, state.pending.target, state.pending.defender or "")
    return set(_NAME.findall(" ".join(texts)))


@dataclass(frozen=True, eq=False, slots=True)
class _Like:
    """What cards have in common: their abilities, and all names in what they are and say."""

    abilities: tuple[Encoded, ...]
    words: frozenset[str]


class _Met:
    """A card that was met: what it is like, its facts, also as those of a card of its sort."""

    __slots__ = ("_card", "apart", "block", "kind")

    def __init__(self, card: Card) -> None:
        check()
        printed = tuple(map(encode, card.abilities))
        text = card_facts(card, printed)
        self.block = self.apart = block(text)
        self._card = card
        if card.zone != "play":
            sort = "held" if card.zone == "hand" else "away"
            self.apart = block(text, sort, frozenset((card.id,)))
        self.kind = _like(
            (card.type, card.kind or card.name or card.id, *card.classes, *card.element),
            (*card.abilities, *(text.partition("#")[0] for text, _ in card.spent)),
        )

    @property
    def likely(self) -> tuple[Block, ...]:
        """Its facts wherever it may come to be."""
        card = self._card
        return _likely(card.type, card.classes, card.element, card.abilities, card.strike)


@lru_cache(maxsize=1024)
def _likely(
    type: str,
    classes: tuple[str, ...],
    element: tuple[str, ...],
    abilities: tuple[str, ...],
    strike: int | tuple[int, int, int],
) -> tuple[Block, ...]:
    """The facts of such a card wherever it may come to be."""
    card = Card(
        "it", type, "it", "it", name="it", classes=classes, element=element, strike=strike,
        abilities=abilities, extra_life=1, closed=True, acted=True, defended=True, attacked=True,
    )  # fmt: skip
    encoded = tuple(map(encode, abilities))
    it = frozenset(("it",))
    hand, grave, deck = (
        card_facts(replace(card, zone=zone), encoded) for zone in ("hand", "graveyard", "deck")
    )
    return (
        block(card_facts(card, encoded)), block(hand, "held", it), block(grave, "away", it),
        block(deck, "away", it),
    )  # fmt: skip


@lru_cache(maxsize=_CARDS)
def _like(names: tuple[str, ...], abilities: tuple[str, ...]) -> _Like:
    words = frozenset(names).union(*map(_NAME.findall, abilities))
    return _Like(tuple(map(encode, abilities)), words)


# a card is known again as itself at once, as one equal to it for a tenth of what its facts cost
_CARD: Memo[_Met] = Memo(_CARDS)


@lru_cache(maxsize=_CARDS)
def _met(card: Card) -> _Met:
    return _Met(card)


def _table(state: State) -> Iterator[Block]:
    """The facts of the game and of its players."""
    active = name(state.active)
    other = name(next(id for id, _ in state.players if id != state.active))
    yield block(f"players({active},{other}).")
    over, moment = state.result is not None, next_moment(state)
    for id, player in state.players:
        yield block(_player(id, player, state.turn, state.phase, over))
        yield block(f"moment({name(id)},{moment}).")
    if state.pending is not None:
        attacker = name(state.pending.attacker)
        text = f"pending({attacker},{name(state.pending.target)})."
        if state.pending.defender is not None:
            text += f"defender({attacker},{name(state.pending.defender)})."
        yield block(text)


def _player(id: str, player: Player, turn: int, phase: str, over: bool) -> str:
    p = name(id)
    text = (
        f"turn({p},{turn}).phase({p},{name(phase)}).coins({p},{player.coins})."
        f"coins_total({p},{player.coins_total}).missed({p},{player.missed})."
        f"drew({p},{player.drawn}).attacks({p},{player.attacks})."
    )
    if player.deck_order == "unknown":
        text += f"unknown({p})."
        if player.known_top:
            text += f"known_top({p},{player.known_top})."
    return f"{text}over({p})." if over else text


def _decks(state: State, spoken: frozenset[str]) -> Iterator[Block]:
    """The order of each deck."""
    decks: dict[str, list[str]] = {}
    for card in state.cards:
        if card.zone == "deck":
            decks.setdefault(card.owner, []).append(card.id)
    for ids in decks.values():
        yield _deck(tuple(ids), frozenset(ids) - spoken)


@lru_cache(maxsize=1024)
def _deck(ids: tuple[str, ...], away: frozenset[str]) -> Block:
    """The order of one deck."""
    text = "".join(f"deck({name(id)},{depth})." for depth, id in enumerate(ids, start=1))
    return block(text, "away", away)


def card_facts(card: Card, abilities: Iterable[Encoded]) -> str:
    """What the rules may ask of a card."""
    c = name(card.id)
    out = [
        f"zone({c},{card.zone}).type({c},{name(card.type)})."
        f"owner({c},{name(card.owner)}).controller({c},{name(card.controller)})."
        f"cost({c},{card.cost})."
    ]
    out.extend(f"class({c},{name(x)})." for x in card.classes)
    if card.kind is not None and card.kind in catalogue() and catalogue()[card.kind].created:
        out.append(f"created({c}).")
    out.extend(f"element({c},{name(x)})." for x in card.element)
    if card.zone != "deck":
        if isinstance(card.strike, int):
            out.append(f"strike({c},{card.strike}).")
            if card.chips:
                out.append(f"chips({c},{card.chips}).")
        else:
            weak, medium, strong = card.strike
            out.append(
                f"strike({c},weak,{weak}).strike({c},medium,{medium}).strike({c},strong,{strong})."
                f"arrived({c},{card.arrived}).movement({c},{card.movement})."
                f"moved({c},{card.moved}).chips({c},{card.chips})."
            )
        if card.cell is not None:
            column, row = card.cell
            out.append(f"cell({c},{column},{row}).")
        out.append(f"life({c},{card.life}).wounds({c},{card.wounds}).")
        out.append(f"entered({c},{card.entered}).since({c},{card.since}).")
        if card.extra_life:
            out.append(f"extra_life({c},{card.extra_life}).")
        out.extend(f"{mark}({c})." for mark in _FLAGS if getattr(card, mark))
    out.append(f"name({c},{name(card.kind or card.name or card.id)}).")
    for place, ability in enumerate(abilities, start=1):
        out.append(f"printed({c},{place},{ability.term}).")
    for text, amount in card.spent:
        base, _, rank = text.partition("#")
        out.append(f"spent({c},{encode(base).term},{rank or 1},{amount}).")
    return "".join(out)


@lru_cache(maxsize=_BLOCKS)
def _language(ability: Encoded) -> Block:
    """What the rules need to take an ability apart; what it creates depends on the position."""
    return Block(
        tuple(
            sorted(
                fact[:-1] for fact in ability.facts if not fact.startswith(("creates(", "copies."))
            )
        )
    )


def _creatable(state: State, makes: Iterable[str], mark: Mark) -> Iterator[str]:
    """Which cards the abilities would create, by what they say of it."""
    active = name(state.active)
    for fact in sorted(makes):
        if fact == "copies.":
            for card in state.cards:
                if card.zone == "play":
                    copy = name(spare_id(state, card.kind or card.id, mark))
                    yield f"creatable({active},copy({name(card.id)}),{copy})."
        else:
            kind = unname(fact[len("creates(") : -2])
            yield f"creatable({active},{name(kind)},{name(spare_id(state, kind, mark))})."


def deck_facts(hero: str, cards: Mapping[str, int]) -> str:
    """What the rules may ask of a deck: the kinds of its cards, how many copies of each.

    Nothing more is said of what is no kind.
    """
    out = [f"deck_of(0,{name(hero)})."]
    out.extend(f"contains(0,{name(id)},{n})." for id, n in cards.items())
    for id in dict.fromkeys((hero, *cards)):
        if id not in catalogue():
            continue
        kind, c = catalogue()[id], name(id)
        called = quoted(kind.name("ru"))
        out.append(f"type({c},{name(kind.type)}).name({c},{called}).")
        out.append(f"printed_for({c},{kind.edition}).")
        out.extend(f"element({c},{name(x)})." for x in kind.element)
        if kind.created:
            out.append(f"created({c}).")
        if kind.deck_copies is not None:
            out.append(f"horde({c},{kind.deck_copies}).")
    return "".join(out)


# --- the whole position --------------------------------------------------------------------------

_ASIDE = {
    "strike", "life", "wounds", "extra_life", "entered", "since", "closed", "acted", "defended",
    "attacked", "hidden", "cell", "arrived", "movement", "moved", "chips",
}  # fmt: skip


def state_facts(state: State) -> str:
    """The facts of a position with what no rule asks, sorted: `facts.state_of` reads them."""
    lines = {str(block) for block in asked_of(state).blocks}
    for seat, (id, _) in enumerate(state.players, start=1):
        lines.add(f"written_as({name(id)},{seat}).")
        if state.result is not None:
            lines.add(f"result_is({name(id)},{name(state.result)}).")
    for number, card in enumerate(state.cards, start=1):
        c = name(card.id)
        lines.add(f"listed_as({c},{number}).")
        if card.kind is not None:
            lines.add(f"kind_is({c},{name(card.kind)}).")
        if card.name != (card.kind or card.name or card.id):
            lines.add(f"titled({c},{name(card.name)}).")
        if card.zone == "deck":
            lines.update(_aside(card, c, _ASIDE - _printed_alike(card)))
        elif isinstance(card.strike, int):
            lines.update(_aside(card, c, {"arrived", "movement", "moved"}))
    return "\n".join(sorted(lines))


def _aside(card: Card, c: str, names: set[str]) -> Iterator[str]:
    """What no rule asks of this card, said so that the facts hold the whole card."""
    for each in fields(Card):
        if each.name in names and getattr(card, each.name) != each.default:
            yield f"aside({c},{each.name},{_shown(getattr(card, each.name))})."


def _printed_alike(card: Card) -> set[str]:
    """The values that the card has from its kind."""
    kind = catalogue().get(card.kind or "")
    if kind is None:
        return set()
    return {field for field in ("strike", "life") if getattr(card, field) == getattr(kind, field)}


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({','.join(map(str, value))})"
    return str(value).lower()
