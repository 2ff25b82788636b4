"""pyengine: a rules judge for the card game «Берсерк»."""

from pyengine.engine import Engine
from pyengine.game import Bot, DeckError, Game, HistoryError
from pyengine.limits import Limits
from pyengine.model import (
    Action,
    ActionError,
    ChoiceError,
    Explanation,
    Fork,
    IllegalAction,
    LimitError,
    Outcome,
    PyengineError,
    Reason,
    State,
    StateError,
    UnknownIdError,
    Verdict,
)
from pyengine.vector import VectorGame

__all__ = [
    "Action",
    "ActionError",
    "Bot",
    "ChoiceError",
    "DeckError",
    "Engine",
    "Explanation",
    "Fork",
    "Game",
    "HistoryError",
    "IllegalAction",
    "LimitError",
    "Limits",
    "Outcome",
    "PyengineError",
    "Reason",
    "State",
    "StateError",
    "UnknownIdError",
    "VectorGame",
    "Verdict",
]
