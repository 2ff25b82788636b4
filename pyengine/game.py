"""A whole game: dealing it, playing it action by action, taking actions back.

`Game` keeps a position and asks the `Engine` for all that the rules say, also how a game begins
(base.deck): what is done here is to shuffle, to throw, and to put what the rules ask to the
players. A dealt game stands where the first player must decide, in the main phase of turn 1.

Whatever chance decides comes from the seed of the game. A throw depends on the seed, the number of
the action and the place in it, on nothing else: an action that was taken back falls out the same
when it is declared again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from pyengine.documents import hint, in_order, parse_document, read_text, shown
from pyengine.engine import Engine
from pyengine.faults import Message, at, listed, within
from pyengine.kinds import MAX_NUMBER, catalogue
from pyengine.model import (
    Action,
    Card,
    ChoiceError,
    DeckVerdict,
    Fork,
    Outcome,
    Player,
    PyengineError,
    State,
    StateError,
)
from pyengine.queue import option_of

SET = 22  # the set that is played by default
FORTIETH = "besstrashnyy"  # completes a deck of the set that has 39 cards
PLAYERS = ("p1", "p2")
MAX_BYTES = 100_000  # of the file of a deck
_BEFORE = -1  # in place of the number of an action: what comes before the first
_NUMBERS = range(1, 20)  # of the copies of a kind: more than two decks can hold

Deck = Mapping[str, int]
Choose = Callable[[Fork], int | str]
Redeal = Callable[[State, str], Sequence[str]]


class DeckError(StateError):
    """A deck that may not be played: carries every fault."""


class HistoryError(PyengineError, IndexError):
    """There is nothing to take back."""


# --- decks: base.deck ----------------------------------------------------------------------------


def deck_faults(
    hero: str,
    deck: Deck,
    edition: str = "heroes",
    whose: str = "deck",
    engine: Engine | None = None,
) -> list[str]:
    """Everything that keeps a deck (kind to number of copies) from being played with that hero.

    What the rules have against it, and what this engine does not know: kinds that are none, and
    those whose abilities wait for words.

    Args:
        hero: a kind.
        deck: kinds with their numbers of copies.
        edition: whose rules.
        whose: the place that faults name.
        engine: the judge; None: by our rules.
    """
    kinds = catalogue()
    counted = {
        id: copies
        for id, copies in deck.items()
        if type(copies) is int and 0 < copies <= MAX_NUMBER
    }
    said: dict[str, list[list[str]]] = {}
    for term in _judged(edition, hero, tuple(counted.items()), _rules(engine)).unfit:
        name, _, rest = term.removesuffix(")").partition("(")
        said.setdefault(name, []).append(rest.split(","))
    faults: list[str] = []
    if "no_hero" in said or hero not in kinds:
        heroes = [id for id, kind in kinds.items() if kind.type == "hero"]
        near = hint(hero, heroes) or Message("heroes_of_set", known=", ".join(heroes_of_set()))
        faults.append(at(whose, "no_hero", value=shown(hero), near=near))
    elif kinds[hero].waits_for:
        faults.append(at(whose, "hero_waits", hero=hero, what=", ".join(kinds[hero].waits_for)))
    strangers = {id for (id,) in said.get("stranger", ())}
    for id, copies in deck.items():
        place = f"{whose}.{id}"
        if type(copies) is not int or not 0 < copies <= MAX_NUMBER:
            faults.append(at(place, "no_copies", value=shown(copies)))
            continue
        if id not in kinds:
            faults.append(at(place, "is_no_kind", near=hint(id, kinds)))
            continue
        if id in strangers:
            faults.append(at(place, "not_for_deck"))
        elif kinds[id].waits_for:
            faults.append(at(place, "card_waits", what=", ".join(kinds[id].waits_for)))
        foreign = [element for kind, element in said.get("foreign", ()) if kind == id]
        if foreign:
            faults.append(at(place, "foreign_element", element=", ".join(foreign), hero=hero))
    many = {id: (n, most) for id, n, most in said.get("many", ())}
    alike: dict[str, list[str]] = {}
    for id in (id for id in deck if id in many):
        alike.setdefault(kinds[id].name("ru"), []).append(id)
    for ids in alike.values():
        n, most = many[ids[0]]
        text = at(listed("and", ids), "copies_over", n=n, most=most)
        faults.append(Message("under", place=whose, text=text))
    faults += [at(whose, "few_cards", n=n, least=least) for n, least in said.get("few", ())]
    if "no_decks" in said:
        faults.append(at(whose, "no_deck_in", edition=edition))
    return faults


@lru_cache(maxsize=256)
def _judged(
    edition: str, hero: str, cards: tuple[tuple[str, int], ...], rules: Path | None
) -> DeckVerdict:
    """What the rules say of a deck: a server of games deals the same decks again and again."""
    return Engine(rules).deck(hero, dict(cards), edition)


def _rules(engine: Engine | None) -> Path | None:
    return None if engine is None else engine.rules


def load_deck(path: Path | str) -> dict[str, int]:
    """The deck of a YAML or JSON file, a mapping of kinds to copies; StateError with its faults.

    Whether it may be played is another question: `deck_faults`.
    """
    name = str(path)
    document = parse_document(read_text(Path(path), name, MAX_BYTES), name, MAX_BYTES)
    faults = within(name, in_order(document.value, document.faults))
    if not isinstance(document.value, dict):
        faults.append(at(name, "deck_shape"))
    if faults:
        raise StateError(faults)
    return {str(kind): copies for kind, copies in document.value.items()}


@lru_cache(maxsize=256)
def _starter(hero: str, edition: str, rules: Path | None) -> tuple[tuple[str, int], ...]:
    kinds = catalogue()
    known = [kind for kind in kinds.values() if not kind.waits_for]
    verdict = _judged(edition, hero, tuple((kind.id, 0) for kind in known), rules)
    fitting = [kinds[id] for id, room in verdict.room if room]
    fitting.sort(
        key=lambda k: (
            k.set != SET,
            k.id != FORTIETH,
            -(k.set or 0),
            not k.element,
            k.cost,
            k.number or 0,
            k.id,
        )
    )
    deck: dict[str, int] = {}
    for kind in fitting:
        more = _judged(edition, hero, (*deck.items(), (kind.id, 0)), rules)
        copies = min(dict(more.room)[kind.id], more.missing)
        if copies:
            deck[kind.id] = copies
        if copies == more.missing:
            break
    return tuple(deck.items())


def starter_deck(
    hero: str, edition: str = "heroes", engine: Engine | None = None
) -> dict[str, int]:
    """A deck of no more cards than are needed, kind to number of copies, always the same.

    As many as allowed of each kind of set 22 that fits, the hero's element first, then neutral,
    cheap ones first; what is left out are copies of the last. The heroes of mountain and swamp
    have 39 such cards, so a plain neutral one of an earlier set is the fortieth. For heroes of
    other elements other sets add what is missing, the newest first.

    Args:
        hero: a kind; DeckError if it may lead no deck.
        edition: whose rules.
        engine: the judge; None: by our rules.
    """
    if not _may_lead(hero, edition, engine):
        raise DeckError(deck_faults(hero, {}, edition, engine=engine)[:1])
    return dict(_starter(hero, edition, _rules(engine)))


def _may_lead(hero: str, edition: str, engine: Engine | None) -> bool:
    """Whether nothing but the number of cards speaks against an empty deck."""
    unfit = _judged(edition, hero, (), _rules(engine)).unfit
    return all(said.startswith("few(") for said in unfit)


# --- the deal: base.deck -------------------------------------------------------------------------


def dice(*parts: object) -> random.Random:
    """Random numbers that depend on these parts only."""
    return random.Random("/".join(map(str, parts)))


def heroes_of_set() -> tuple[str, ...]:
    """The heroes that are played by default."""
    return tuple(
        kind.id for kind in catalogue().values() if kind.type == "hero" and kind.set == SET
    )


def deal(
    seed: object,
    heroes: Sequence[str | None] = (None, None),
    decks: Sequence[Deck | None] = (None, None),
    redeal: Redeal | None = None,
    edition: str = "heroes",
    choose: Choose | None = None,
    engine: Engine | None = None,
) -> tuple[State, dict[str, Any]]:
    """The position after dealing, and what it was dealt from (as the log keeps it).

    Args:
        seed: decides what is left to chance: heroes not named, order of the decks, who begins.
        heroes: a kind each; None: one of the set.
        decks: a mapping of kinds to copies each; None: the starter deck of the hero.
        redeal: asked once for each player, the beginning one first, with what that player sees;
            gives the ids of cards in the hand that go under the deck. None: nobody swaps.
        edition: the rules to play by.
        choose: asked at each fork of a player in the opening turn, as in ``Game.apply``: some
            heroes have abilities for the start of a turn. None: there may be no such fork.
        engine: the judge.

    Raises:
        DeckError: a deck may not be played; with all faults of both.
        ChoiceError: a card to be swapped is not in the hand; a choice is missing, or is no option.
    """
    for name, given in (("heroes", heroes), ("decks", decks)):
        if len(given) != len(PLAYERS):
            raise DeckError([at(name, "two_needed", n=len(given))])
    chosen = [
        hero if hero is not None else dice(seed, "hero", player).choice(heroes_of_set())
        for player, hero in zip(PLAYERS, heroes, strict=True)
    ]
    faults: list[str] = []
    played: list[Deck] = []
    for player, hero, deck in zip(PLAYERS, chosen, decks, strict=True):
        if deck is None and _may_lead(hero, edition, engine):
            played.append(starter_deck(hero, edition, engine))
        else:
            played.append(deck or {})
        found = deck_faults(hero, played[-1], edition, f"decks.{player}", engine)
        faults += found if deck is not None else found[:1]
    if faults:
        raise DeckError(faults)
    judge = engine or Engine()
    start = _laid_out(seed, chosen, played, edition)
    swaps = _Swaps(redeal, judge)
    picks: list[str] = []
    throws = count()

    def decide(fork: Fork) -> int:
        if fork.player is None:
            if all(option.startswith("begins(") for option in fork.options):
                return _fallen(fork, dice(seed, "first"))
            return thrown(fork, seed, _BEFORE, next(throws))
        if _is_swap(fork):
            return option_of(fork, swaps.option(fork))
        if choose is None:
            raise _left(Message("the_deal"), fork)
        option = option_of(fork, choose(fork))
        picks.append(fork.options[option])
        return option

    state = judge.begin(start, decide).state
    told = {
        "heroes": chosen,
        "decks": [dict(deck) for deck in played],
        "redeal": [swaps.made.get(player, []) for player in PLAYERS],
        "edition": edition,
        **({"picks": picks} if picks else {}),
    }
    return _listed(state, start), told


def _is_swap(fork: Fork) -> bool:
    """Whether the player puts cards of the hand under the deck there, as many as are wanted."""
    hand = {
        card.id for card in fork.state.cards if (card.zone, card.owner) == ("hand", fork.player)
    }
    options = {*fork.options}
    return "enough" in options and options <= {"enough", *(f"under({id})" for id in hand)}


class _Swaps:
    """What the players put under their decks: each is asked once, when it is that player's turn."""

    def __init__(self, redeal: Redeal | None, engine: Engine) -> None:
        self.made: dict[str, list[str]] = {}
        self._redeal = redeal
        self._engine = engine
        self._left: dict[str, list[str]] = {}

    def option(self, fork: Fork) -> str:
        """The option to take now; ChoiceError: what that player said is not in the hand."""
        player = str(fork.player)
        if player not in self.made:
            away = []
            if self._redeal is not None:
                seen = fork.state.observed_by(player, self._engine)
                away = list(self._redeal(seen, player))
            strange = [id for id in away if f"under({id})" not in fork.options]
            if strange or len(set(away)) != len(away):
                cards = ", ".join(strange or away)
                raise ChoiceError(Message("redeal", player=player, cards=cards))
            self.made[player], self._left[player] = away, [*away]
        left = self._left[player]
        return f"under({left.pop(0)})" if left else "enough"


def _laid_out(seed: object, heroes: Sequence[str], decks: Sequence[Deck], edition: str) -> State:
    """The table before anything is dealt: the heroes, and the shuffled decks."""
    cards: list[Card] = []
    for player, hero in zip(PLAYERS, heroes, strict=True):
        id = hero if heroes.count(hero) == 1 else f"{hero}_{player}"
        cards.append(catalogue()[hero].card(id, player))
    ids = _ids(seed, decks)
    for player in PLAYERS:
        pile = [catalogue()[kind].card(id, player, "deck") for id, kind in ids[player]]
        dice(seed, "shuffle", player).shuffle(pile)
        cards += pile
    return State(
        active=PLAYERS[0],  # until chance has its say
        players=tuple((player, Player()) for player in PLAYERS),
        cards=tuple(cards),
        edition=edition,
        phase="recovery",
    )


def _listed(state: State, start: State) -> State:
    """The position with each hand before its deck, the cards as they were taken."""
    places = {card.id: place for place, card in enumerate(start.cards)}

    def place(card: Card) -> tuple[int, ...]:
        if card.zone == "hand":
            return (1 + PLAYERS.index(card.owner), 0, places.get(card.id, 0))
        return (1 + PLAYERS.index(card.owner), 1) if card.zone == "deck" else (0,)

    return replace(state, cards=tuple(sorted(state.cards, key=place)))


def _ids(seed: object, decks: Sequence[Deck]) -> dict[str, list[tuple[str, str]]]:
    """The ids of all copies with their kinds: `<kind>_<n>`, n by chance.

    So an id that a player meets does not tell how many others there are, or in which order.
    """
    out: dict[str, list[tuple[str, str]]] = {player: [] for player in PLAYERS}
    for kind in sorted({kind for deck in decks for kind in deck}):
        counts = [deck.get(kind, 0) for deck in decks]
        numbers = dice(seed, "ids", kind).sample(_NUMBERS, sum(counts))
        for player, copies in zip(PLAYERS, counts, strict=True):
            out[player] += [(f"{kind}_{n}", kind) for n in numbers[:copies]]
            numbers = numbers[copies:]
    return out


# --- the game ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Played:
    """An action that was carried out.

    ``picks`` are the options taken at its forks, of players and of chance, in order; None where a
    whole outcome was given, the one with the number ``index`` of all.
    """

    player: str
    action: Action
    outcome: Outcome
    picks: tuple[str, ...] | None
    index: int | None = None


class Game:
    """A game from a position on.

    >>> game = Game.deal(seed=7)
    >>> game.to_move in ("p1", "p2"), game.result is None, len(game.legal_actions()) > 0
    (True, True, True)
    """

    def __init__(self, state: State, seed: object = 0, engine: Engine | None = None) -> None:
        self.start = state
        self.seed = seed
        self.engine = engine or Engine()
        self.dealt: dict[str, Any] | None = None
        self._played: list[Played] = []

    @classmethod
    def deal(
        cls,
        seed: object = 0,
        heroes: Sequence[str | None] = (None, None),
        decks: Sequence[Deck | None] = (None, None),
        redeal: Redeal | None = None,
        edition: str = "heroes",
        engine: Engine | None = None,
        choose: Choose | None = None,
    ) -> Game:
        """A new game; see the function `deal`. DeckError with all faults of the decks."""
        engine = engine or Engine()
        state, dealt = deal(seed, heroes, decks, redeal, edition, choose, engine)
        game = cls(state, seed, engine)
        game.dealt = dealt
        return game

    @property
    def state(self) -> State:
        """The position now, with all that is hidden (``observed_by`` hides it)."""
        return self._played[-1].outcome.state if self._played else self.start

    @property
    def history(self) -> tuple[Played, ...]:
        """What was played so far, in order."""
        return tuple(self._played)

    @property
    def result(self) -> str | None:
        """Who has won, or `draw`; None: the game goes on."""
        return self.state.result

    @property
    def to_move(self) -> str | None:
        """The player who must decide: the other one while an attack waits for a defender."""
        return self.engine.to_move(self.state)

    def legal_actions(self) -> list[Action]:
        """What the player to move may declare, sorted by text; nothing once there is a result."""
        return self.engine.legal_actions(self.state)

    def outcomes(self, action: Action | str) -> list[Outcome]:
        """Every outcome of an action, in a fixed order; IllegalAction if it is illegal."""
        return self.engine.resolve(self.state, action)

    def apply(self, action: Action | str, choice: Outcome | int | Choose | None = None) -> Outcome:
        """Carries an action out and goes on from where it ends.

        Args:
            action: what the player to move declares.
            choice: where there are several outcomes: one of ``outcomes(action)``; its number there;
                or a function that is asked at each fork of a player in turn, while the action is
                carried out, and gives an option or its number. Chance is left to the seed then.
                None: there may be no such fork.

        Raises:
            IllegalAction: it may not be declared; carries the verdict.
            ActionError: it is no action, or names no card.
            ChoiceError: a choice is missing, or is no option. Nothing has changed then.
        """
        act = action if isinstance(action, Action) else Action.parse(action, self.state.cards)
        if isinstance(choice, int | Outcome):
            return self._choose_whole(act, choice)
        if choice is not None and not callable(choice):
            raise ChoiceError(at("choice", "no_choice", value=shown(choice)))
        throws = count()

        def pick(fork: Fork) -> int | str:
            if fork.player is None:
                return thrown(fork, self.seed, len(self._played), next(throws))
            if choice is None:
                raise _left(act, fork)
            return choice(fork)

        return self.follow(act, pick)

    def _choose_whole(self, action: Action, choice: Outcome | int) -> Outcome:
        found = self.outcomes(action)
        if isinstance(choice, Outcome):
            index = found.index(choice) if choice in found else -1
        else:
            index = choice
        if not 0 <= index < len(found):
            given = choice if isinstance(choice, int) else Message("this")
            raise ChoiceError(Message("no_outcome", given=given, n=len(found), action=action))
        self._played.append(Played(str(self.to_move), action, found[index], None, index))
        return found[index]

    def follow(self, action: Action, choose: Choose) -> Outcome:
        """As `apply`, but chance too brings what ``choose`` says: as when a game is replayed."""
        player = str(self.to_move)
        picks: list[str] = []

        def decide(fork: Fork) -> int:
            option = option_of(fork, choose(fork))
            picks.append(fork.options[option])
            return option

        outcome = self.engine.unfold(self.state, action, decide)
        self._played.append(Played(player, action, outcome, tuple(picks)))
        return outcome

    def undo(self) -> Played:
        """Takes the last action back, and gives it; HistoryError if there is none."""
        if not self._played:
            raise HistoryError(Message("no_undo"))
        return self._played.pop()


def _left(action: object, fork: Fork) -> ChoiceError:
    """Nobody is there to choose at a fork of that action."""
    options = ", ".join(fork.options)
    parts = {"player": fork.player, "rule": fork.rule, "options": options}
    return ChoiceError(Message("choice_left", action=action, **parts), fork)


def thrown(fork: Fork, seed: object, actions: int, place: int) -> int:
    """The option that chance brings at a fork of its own.

    Args:
        fork: the fork.
        seed: that of the game.
        actions: how many were carried out before.
        place: of the throw in this action, from 0.
    """
    return _fallen(fork, dice(seed, "chance", actions, place))


def _fallen(fork: Fork, dice: random.Random) -> int:
    """The option that a throw of these dice brings."""
    throw = dice.randrange(sum(fork.ways))
    for option, ways in enumerate(fork.ways):
        throw -= ways
        if throw < 0:
            return option
    raise AssertionError("a throw is below the sum of all ways")


class Bot:
    """A player who takes any legal action, and any option, all equally likely.

    It depends on its seed and on how many decisions it has made, and looks at no card.
    """

    def __init__(self, seed: object) -> None:
        self.seed = seed
        self.decisions = 0

    def _any(self, count: int) -> int:
        self.decisions += 1
        return dice(self.seed, self.decisions).randrange(count)

    def redeal(self, hand: Iterable[str]) -> list[str]:
        """Which cards of its hand go under the deck: each or not."""
        return [id for id in hand if self._any(2)]

    def declare(self, actions: Sequence[Action]) -> Action:
        """One of these."""
        return actions[self._any(len(actions))]

    def choose(self, fork: Fork) -> int:
        """One of the options."""
        return self._any(len(fork.options))
