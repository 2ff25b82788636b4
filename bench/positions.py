"""The positions that are measured: the rulings, and tables that fill up."""

from __future__ import annotations

import random
from typing import Any

from pyengine import verify
from pyengine.documents import data_folder
from pyengine.model import State

SIZES = (2, 5, 10, 20, 40)
# what the plain model of tests/model knows too
ABILITIES = (
    "armor(1)", "charge", "cannot(defend)", "cannot_be(attack,and(enemy,class(orc)))",
    "directed_strike", "first_strike", "lure(attack,and(enemy,creature))", "must(attack)",
    "no_wounds(spell)", "on(strike,heal(1,self))", "prevent(1,turn,yours,any)",
    "protection(shot)", "scales(1)", "superiority(class(elf))", "vulnerability",
)  # fmt: skip
AURAS = ("grant(and(yours,creature),mod(strike,1))", "grant(enemy,cannot(use))")


def table(creatures: int, seed: int = 0) -> dict[str, Any]:
    """The document of a table with so many creatures, half of them on each side."""
    dice = random.Random(f"{creatures} {seed}")
    cards: dict[str, dict[str, Any]] = {
        f"hero{n}": {"type": "hero", "life": 25, "owner": f"p{n}"} for n in (1, 2)
    }
    for number in range(creatures):
        owner = f"p{number % 2 + 1}"
        abilities = dice.sample(ABILITIES, dice.choice((0, 1, 1, 2)))
        if number % 10 == 9:
            abilities.append(dice.choice(AURAS))
        cards[f"c{number}"] = {
            "type": "creature", "owner": owner, "strike": dice.randint(0, 5),
            "life": dice.randint(4, 9), "wounds": dice.randint(0, 3),
            "class": [dice.choice(("orc", "elf"))], "closed": dice.random() < 0.3,
            "abilities": abilities,
        }  # fmt: skip
    return {
        "active": "p1", "turn": 5, "players": {"p1": {"coins": 5, "coins_total": 5}, "p2": {}},
        "cards": cards,
    }  # fmt: skip


def shaken(document: dict[str, Any], seed: int) -> dict[str, Any]:
    """The same cards with other marks: wounds, closed, entered, and the coins of the players.

    So that no answer of one question can serve for the next.
    """
    dice = random.Random(f"shaken {seed}")
    cards = {
        id: _marked(card, dice, document["turn"])
        if card.get("zone", "play") == "play" and "life" in card
        else card
        for id, card in document["cards"].items()
    }
    players = {
        id: {**player, "coins": dice.randint(0, player.get("coins_total", 0))}
        for id, player in document["players"].items()
    }
    return {**document, "players": players, "cards": cards}


def _marked(card: dict[str, Any], dice: random.Random, turn: int) -> dict[str, Any]:
    found = card | {"wounds": dice.randint(0, card["life"] - 1)}
    if card["type"] != "hero":
        found |= {
            "closed": dice.random() < 0.3,
            "acted": dice.random() < 0.2,
            "entered": turn if dice.random() < 0.2 else turn - 2,
        }
    return found


def samples() -> list[State]:
    """The sample positions of facts/states, those of `heroes`."""
    found = map(State.load, sorted((data_folder("facts") / "states").glob("*.yaml")))
    return [state for state in found if state.edition == "heroes"]


def rulings(edition: str = "heroes") -> list[State]:
    """The positions of the rulings of an edition."""
    found = verify.load_rulings([data_folder("facts") / "rulings"], edition)
    return [ruling.state for ruling in found]
