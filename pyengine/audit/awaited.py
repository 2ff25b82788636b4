"""What cards wait for and never get: for `dead`.

Whether any rule can bring a trigger about at all is known without a search (``idle_abilities``).
To a card it may never come all the same: a hero does not attack. So positions are asked, one sort
after another, until what a card waits for has come: the card beside plain ones, what it can do
after that, and beside a card that bears each ability of the vocabulary. In all of them the card has
its printed abilities and no more. What a filter in a trigger asks for is looked at by itself
(``idle_abilities``), and is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

from pyengine import terms
from pyengine.abreast import ended, ends_of
from pyengine.audit.candidates import abilities, plain
from pyengine.audit.drafts import name_of
from pyengine.audit.positions import part
from pyengine.audit.reach import Fixed
from pyengine.audit.registry import Context
from pyengine.audit.scenes import card_of, placed
from pyengine.audit.witness import sound
from pyengine.batch import chunks
from pyengine.engine import Engine
from pyengine.kinds import Kind
from pyengine.limits import Limits
from pyengine.model import Card, Effect, PyengineError, State, Step, Verdict
from pyengine.solving import Program, program
from pyengine.terms import Term

TRIGGERED = ("on", "once_on", "may_on")
_SHORT = Limits(steps=60, outcomes=60, seconds=60.0)
# so many positions are asked about at once
_AT_ONCE = 96
# so many abilities stand in one of them
_MUCH = 30
# how often a card acts again after what it has done, and from how many ends of that
_ROUNDS, _ENDS = 2, 12


@dataclass
class _Waiting:
    """A kind, and those of its abilities (from 1) of which nothing has come yet."""

    kind: Kind
    places: set[int]
    ends: list[State] = field(default_factory=list)

    def later(self) -> list[State]:
        """Where it has come to since this was asked."""
        ends, self.ends = self.ends, []
        return list(dict.fromkeys(ends))[:_ENDS]


def come(context: Context, asked: Mapping[str, set[int]]) -> dict[str, set[int]]:
    """Of triggered abilities the ones that some position sets off.

    Args:
        context: whose rules, which kinds.
        asked: by the id of a kind the places of abilities on it, from 1.
    """
    edition = context.edition
    waiting = [_Waiting(_opened(context.kinds[id]), set(asked[id])) for id in sorted(asked)]
    for scenes in _stages(edition):
        _ask(context, waiting, scenes)
    for _ in range(_ROUNDS):
        _ask(context, waiting, _Waiting.later)
    for beside in (_beside_uses, _beside_spells, _beside_others):
        _ask(context, waiting, partial(beside, edition))
    return {each.kind.id: asked[each.kind.id] - each.places for each in waiting}


def _opened(kind: Kind) -> Kind:
    """The kind with triggers whose filters let everything through."""
    texts = []
    for text in kind.abilities:
        ability = terms.parse(text)
        if ability.name in TRIGGERED and isinstance(ability.args[0], Term):
            text = terms.canonical(f"{ability.name}({opened(ability.args[0])},{ability.args[1]})")
        texts.append(text)
    return replace(kind, abilities=tuple(texts))


def opened(trigger: Term) -> str:
    """A trigger with the plainest in each place, but for what tells blows and players apart."""
    for signature in terms.vocabulary().sorts["trigger"].terms[trigger.name].signatures:
        if len(signature.slots) == len(trigger.args):
            pairs = zip(signature.slots, trigger.args, strict=True)
            args = [str(arg) if _tells(slot, arg) else plain(slot) for slot, arg in pairs]
            return f"{trigger.name}({','.join(args)})" if args else trigger.name
    return str(trigger)


def _tells(slot: terms.Slot, arg: Term | int) -> bool:
    bare = isinstance(arg, Term) and not arg.args
    return slot.sort == "player" or (slot.sort == "wound_filter" and bare)


# --- positions ------------------------------------------------------------------------------------

# the positions of a kind, made or chosen
Scenes = Callable[[_Waiting], Iterable[State]]
_SIDES = (("p1", "play"), ("p1", "hand"), ("p2", "play"))


def _stages(edition: str) -> Iterator[Scenes]:
    """Beside plain cards: in play, from the hand, across the table; then with all near to death."""
    for frail in (False, True):
        for player, zone in _SIDES:
            yield partial(_plainly, edition, player, zone, frail)


def _plainly(edition: str, player: str, zone: str, frail: bool, waiting: _Waiting) -> list[State]:
    spell, hand = waiting.kind.type == "spell", zone == "hand"
    if (spell and not hand) or (hand and edition == "classic"):
        return []
    states = _scenes(edition, waiting.kind, player, zone)
    return list(map(_frail, states)) if frail else states


def _beside_uses(edition: str, waiting: _Waiting) -> Iterator[State]:
    """Beside a card that can be used in every way there is, all being near to death."""
    for some in chunks(_doing("use("), _MUCH):
        for state in _beside(edition, waiting):
            yield _frail(_with(state, replace(state.card("a"), abilities=tuple(some))))


def _beside_spells(edition: str, waiting: _Waiting) -> Iterator[State]:
    """With every spell there is in the hand."""
    for some in chunks(_doing("spell(") if edition != "classic" else [], _MUCH):
        hand = [
            Card(f"s{n}", "spell", "p1", "p1", name=f"s{n}", zone="hand", abilities=(text,))
            for n, text in enumerate(some)
        ]
        for state in _beside(edition, waiting):
            yield _with(state, *hand)


def _doing(head: str) -> list[str]:
    """One ability of each effect: the one that has a target, if there is one."""
    found: dict[str, str] = {}
    for text in sorted(abilities(), key=lambda text: "target(any)" not in text):
        if text.startswith(head):
            found.setdefault(name_of(text), text)
    return list(found.values())


def _beside_others(edition: str, waiting: _Waiting) -> Iterator[State]:
    """Beside a card on which one of every other sort of ability lies until the turn ends."""
    first = {text.partition("(")[0]: text for text in reversed(abilities())}
    for head, text in first.items():
        if head not in ("use", "spell"):
            laid = Effect("a", text, "p1", 9, None, 0, "end_of_turn")
            for state in _beside(edition, waiting):
                yield replace(state, effects=(laid,))


def _beside(edition: str, waiting: _Waiting) -> list[State]:
    if waiting.kind.type == "spell":
        return []
    players = ("p1", "p2")
    return [state for p in players for state in _scenes(edition, waiting.kind, p, "play")]


_CREATURE = Card("c", "creature", "p1", "p1", name="c", zone="hand", strike=1, life=2)


def _scenes(edition: str, kind: Kind, player: str, zone: str) -> list[State]:
    return list(placed([card_of(kind, "x", player, zone), _CREATURE], edition))


def _with(state: State, *cards: Card) -> State:
    """The position with these cards, each in the place of the one of its id if there is one."""
    new = {card.id: card for card in cards}
    kept = tuple(each for each in state.cards if each.id not in new)
    return replace(state, cards=(*kept, *cards))


def _frail(state: State) -> State:
    """The position in which one more wound is death to any card."""
    cards = tuple(
        replace(card, wounds=max(0, card.life - 1)) if card.zone == "play" else card
        for card in state.cards
    )
    return replace(state, cards=cards)


# --- asking ---------------------------------------------------------------------------------------


def _ask(context: Context, waiting: Iterable[_Waiting], scenes: Scenes) -> None:
    """Takes out of what is waited for what comes in these positions."""
    asked = ((each, state) for each in waiting if each.places for state in scenes(each))
    for some in chunks(((each, state) for each, state in asked if sound(state)), _AT_ONCE):
        some = [(each, state) for each, state in some if each.places]
        context.look("dead", 0)
        found = context.engine.judge_many([state for _, state in some])
        questions = [
            (each, (state, verdict.action))
            for (each, state), verdicts in zip(some, found, strict=True)
            if not isinstance(verdicts, PyengineError)
            for verdict in _apart(state, [verdict for verdict in verdicts if verdict.legal])
        ]
        ends = ends_of(
            _watched(context.edition, context.folder), [asked for _, asked in questions], _SHORT,
            context.go_on, noting=partial(_note, [each for each, _ in questions]),
        )  # fmt: skip
        for (each, _), outcomes in zip(questions, ends, strict=True):
            each.ends += [outcome.state for outcome in ended(outcomes)]


def _note(waiting: Sequence[_Waiting], number: int, step: Step) -> None:
    """Heard on the way: what comes to an end too late, or to none, may have set something off."""
    if (step.step, step.by) == ("came", "x") and step.value is not None:
        waiting[number].places.discard(step.value)


def _apart(state: State, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """One declaration of each card and number, with `x` if possible; of `x` by sort of target."""
    found: dict[tuple[object, ...], Verdict] = {}
    for verdict in sorted(verdicts, key=lambda each: "x" not in each.action.args[1:]):
        action = verdict.action
        named = [arg for arg in action.args if isinstance(arg, str)]
        types = tuple(state.card(id).type for id in named[1:]) if "x" in named[:1] else ()
        number = action.args[1] if action.verb == "use" else 0
        found.setdefault((action.verb, *named[:1], number, types), verdict)
    return list(found.values())


@lru_cache(maxsize=4)
def _watched(edition: str, folder: Path | None) -> Engine:
    """An engine that says in the trace which abilities are set off."""
    rules = program(f"rules/editions/{edition}.lp", folder)
    return Fixed(Program([*rules.nodes, *part("came")]))
