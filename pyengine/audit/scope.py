"""How far a search looks: so many cards, effects and numbers, and no more."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from pyengine.documents import hint, shown
from pyengine.faults import at
from pyengine.model import StateError

# least and most; beyond it a search would not end within a lifetime
_LIMITS = {"cards": (1, 8), "effects": (0, 8), "numbers": (1, 9)}


@dataclass(frozen=True, slots=True)
class Scope:
    """The greatest positions that are looked at. StateError if one is beyond its bounds.

    Args:
        cards: cards of a position, heroes included.
        effects: continuous effects laid on them.
        numbers: the greatest number in a generated ability, strike or mark.
    """

    cards: int = 4
    effects: int = 2
    numbers: int = 3

    def __post_init__(self) -> None:
        if faults := [fault for name in _LIMITS for fault in _beyond(name, getattr(self, name))]:
            raise StateError(faults)

    @staticmethod
    def parse(text: str) -> Scope:
        """The scope of a text such as ``cards=4,effects=3``; what it does not name has its default.

        Raises:
            StateError: all faults of the text.

        >>> Scope.parse("effects=0, cards=3")
        Scope(cards=3, effects=0, numbers=3)
        """
        faults: list[str] = []
        found: dict[str, int] = {}
        known = ", ".join(f"{name}={least}…{most}" for name, (least, most) in _LIMITS.items())
        for part in text.split(","):
            match = re.fullmatch(r"\s*([a-z_]+)\s*=\s*(-?[0-9]{1,18})\s*", part)
            if match is None:
                faults.append(at("scope", "scope_form", value=shown(part.strip()), known=known))
            elif match[1] not in _LIMITS:
                name, near = shown(match[1]), hint(match[1], _LIMITS)
                faults.append(at("scope", "not_one_of", value=name, known=known, near=near))
            elif match[1] in found:
                faults.append(at("scope", "given_twice", name=match[1]))
            else:
                found[match[1]] = int(match[2])
                faults += _beyond(match[1], found[match[1]])
        if faults:
            raise StateError(faults)
        return Scope(**found)

    def __str__(self) -> str:
        return ",".join(f"{part.name}={getattr(self, part.name)}" for part in fields(self))

    def document(self) -> dict[str, int]:
        """As it stands in JSON."""
        return {part.name: getattr(self, part.name) for part in fields(self)}


def _beyond(name: str, number: object) -> list[str]:
    """The fault of a number that is not within its bounds."""
    least, most = _LIMITS[name]
    if type(number) is int and least <= number <= most:
        return []
    return [at("scope", "not_from_to", name=name, number=number, least=least, most=most)]


DEFAULT_SCOPE = Scope()
