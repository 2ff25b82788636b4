"""Any ability term, drawn from the vocabulary's own table (facts/vocabulary.yaml).

One description of a term, two drivers: ``Dice(seed)`` draws with `random`, ``Drawn`` with
hypothesis, which shrinks to short terms. What a word needs around it (a target to name again, the
card of a trigger) is kept in mind; what else means nothing where it stands is drawn anew.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from hypothesis import strategies as st

from pyengine.terms import Entry, Signature, Slot, Term, check, vocabulary

T = TypeVar("T")


class Driver(Protocol):
    """Where the choices come from."""

    def pick(self, options: Sequence[T]) -> T:
        """One of the options; the first are the simplest."""

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


# What names may be where any will do: few, so that what is drawn meets.
NAMES: Mapping[str, tuple[str, ...]] = {
    "class": ("orc", "elf"),
    "element": ("steppe", "forest", "neutral"),
    "name": ("a1", "b1"),
    "kind": ("fire_elemental", "air_elemental"),
    "card_id": ("a1", "b1", "b0"),
    "counter_name": ("will", "doom"),
}
# sorts whose terms go deeper, and how far below 0 their words may still do so
DEEP = {"ability": 0, "any_ability": 0, "effect": 0, "cost": 0, "trigger": 0, "condition": 0,
        "card_filter": -2, "wound_filter": -2, "selector": -2, "amount": -2, "change": -2}  # fmt: skip
_NOTHING: frozenset[str] = frozenset()
_TRIES = 30
# what a table of words alone cannot tell: where a word means nothing, which signature a number fits
_ODD = re.compile("means nothing|by itself|is below")


class Terms:
    """Draws terms.

    Args:
        dice: where the choices come from.
        favoured: of each sort the words that are drawn mostly (one that stands twice twice as
            often), of a sort that is not named any.
        any_word: in so many cases of a hundred a word is any that the sort knows.
    """

    def __init__(
        self, dice: Driver, favoured: Mapping[str, Sequence[str]] | None = None, any_word: int = 100
    ) -> None:
        self.dice, self.favoured, self.any_word = dice, favoured or {}, any_word

    def term(self, sort: str, depth: int = 3) -> str:
        """A term of that sort, so deep, that means something."""
        for _ in range(_TRIES):
            self.targets = 0
            text = str(self._argument(Slot(sort), depth, "", _NOTHING))
            if not any(_ODD.search(said) for said in check(text, sort)):
                return text
        return "charge" if sort == "ability" else text

    def _argument(self, slot: Slot, depth: int, inside: str, hand: frozenset[str]) -> Term | int:
        """What stands in a place; ``hand``: what is at hand there."""
        if slot.word:
            return Term(slot.word)
        sort, dice = vocabulary().sorts[slot.sort], self.dice
        known = self.favoured.get(slot.sort)
        wide = known is None or dice.chance(self.any_word)
        names = tuple(sorted(sort.names)) + (NAMES[slot.sort] if sort.any_name else ())
        if not wide and known and not {*names}.isdisjoint(known):
            return Term(dice.pick(known))
        entries = [
            entry for entry in sort.terms.values() if self._forms(entry, depth, inside, hand)
        ]
        if known and not wide:  # as often as each of them is named
            entries = [entry for name in known for entry in entries if entry.name == name] or (
                entries if not sort.numbers else []
            )
        waiting = [each for each in entries if (each.needs or each.only_in) and wide and hand]
        if waiting and dice.chance(60):
            entries = waiting
        often = 20 if slot.sort == "until" else 60
        if sort.numbers and (not entries or not wide or dice.chance(often)):
            return self._number(slot, sort.numbers)
        if names and (not entries or dice.chance(50)):
            return Term(
                dice.pick((*names, "chosen") if slot.sort == "class" and "class" in hand else names)
            )
        entry = dice.pick(entries)
        return self._term(
            entry, dice.pick(self._forms(entry, depth, inside, hand)), depth - 1, hand
        )

    def _number(self, slot: Slot, bounds: tuple[int, int]) -> int:
        if slot.sort == "target_index":
            return self.dice.number(1, max(1, self.targets))
        low, high = max(bounds[0], -3), min(bounds[1], 4)
        # 0 is drawn seldom: of two signatures with a number one may ask for 1 or more
        return self.dice.number(low, high) if self.dice.chance(30) else self.dice.number(1, high)

    def _forms(
        self, entry: Entry, depth: int, inside: str, hand: frozenset[str]
    ) -> list[Signature]:
        """The signatures with which a word may stand there: not too deep, what it needs at hand."""
        if entry.only_in and inside not in entry.only_in:
            return []
        sorts = [[slot.sort for slot in form.slots] for form in entry.signatures]
        return [
            form
            for form, parts in zip(entry.signatures, sorts, strict=True)
            if all(depth > DEEP.get(sort, -99) for sort in parts)
            and (self.targets or "target_index" not in parts)
            and all(needs & hand for key, needs in entry.needs.items() if key in ("", *parts))
        ]

    def _term(self, entry: Entry, form: Signature, depth: int, hand: frozenset[str]) -> Term:
        slots = list(form.slots)
        if form.rest:
            slots += [form.slots[-1]] * self.dice.number(0, 1)
        args: list[Term | int] = []
        # of its effect, and of what is paid for it
        own, outer = 0, self.targets
        for place, slot in enumerate(slots):
            here = hand | entry.gives.get("", _NOTHING)
            if place < 2:
                here |= entry.gives.get(("first", "second")[place], _NOTHING)
            scoped = entry.section == "ability" or entry.own_scope
            inner = scoped and slot.sort in ("cost", "effect")
            self.targets = own if inner else outer
            if slot.sort == "effect":
                waits = args[0] if slots[0].sort == "trigger" else None
                trigger = (
                    vocabulary().terms["trigger"][waits.name] if isinstance(waits, Term) else entry
                )
                here = (
                    (_NOTHING if entry.section == "ability" else here)
                    | trigger.gives.get("", _NOTHING)
                    | {"effect", "choice"}
                )
                here |= entry.gives.get("", _NOTHING)
            elif slot.sort == "ability":
                here = _NOTHING if entry.section == "ability" else here - {"choice"}
            elif slot.sort == "cost":
                here |= {"choice"}
            known = self._argument(slot, depth, entry.name, here)
            for _ in range(_TRIES):
                if place or not entry.without or str(known).partition("(")[0] not in entry.without:
                    break
                self.targets = own if inner else outer
                known = self._argument(slot, depth, entry.name, here)
            args.append(known)
            own, outer = (self.targets, outer) if inner else (own, self.targets)
        self.targets = outer
        self.targets += entry.target and not (args and isinstance(args[0], int))
        return Term(entry.name, tuple(args))


@st.composite
def abilities(draw: st.DrawFn, depth: int = 3) -> str:
    """Any ability that the vocabulary can say, so deep."""
    return Terms(Drawn(draw)).term("ability", depth)
