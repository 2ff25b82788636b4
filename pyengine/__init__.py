"""pyengine: a rules judge for the card game «Берсерк»."""

# A command must answer Ctrl-C at once, so nothing is loaded here before it is asked for, not even
# `typing`. Type checkers know this name.
TYPE_CHECKING = False

if TYPE_CHECKING:
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

# where they are, if not in `model`
_FROM = {
    "engine": ("Engine",),
    "game": ("Bot", "DeckError", "Game", "HistoryError"),
    "limits": ("Limits",),
    "vector": ("VectorGame",),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'pyengine' has no attribute {name!r}")
    from importlib import import_module

    module = next((module for module, names in _FROM.items() if name in names), "model")
    found = globals()[name] = getattr(import_module(f"pyengine.{module}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
