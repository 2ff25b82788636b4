"""pyengine: a rules judge for the card game «Берсерк»."""

from pyengine.engine import Engine
from pyengine.model import (
    Action,
    ActionError,
    Explanation,
    IllegalAction,
    LimitError,
    Outcome,
    PyengineError,
    Reason,
    State,
    StateError,
    Verdict,
)

__all__ = [
    "Action",
    "ActionError",
    "Engine",
    "Explanation",
    "IllegalAction",
    "LimitError",
    "Outcome",
    "PyengineError",
    "Reason",
    "State",
    "StateError",
    "Verdict",
]
