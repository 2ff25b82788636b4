"""The text of a ground term taken apart, without asking clingo for each argument.

An answer has thousands of atoms, and a call of clingo costs more than all that is done here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_STRING = r'"(?:[^"\\]|\\.)*+"'


def _pattern(depth: int) -> str:
    """One argument with so many brackets within one another."""
    within = rf'\((?:[^()"]++|{_STRING})*+\)'
    for _ in range(1, depth):
        within = rf'\((?:[^()"]++|{_STRING}|{within})*+\)'
    return rf"(?:[^(),\"]++|{_STRING}|{within})++"


_ARGUMENTS = re.compile(_pattern(3)).findall
tokens = re.compile(rf'{_STRING}|[(),]|[^(),"]++').findall


def apart(text: str) -> tuple[str, tuple[str, ...]]:
    """The name of a function and the texts of its arguments; a tuple has the name ``""``."""
    name, bracket, inside = text.partition("(")
    return name, arguments(inside[:-1]) if bracket else ()


def arguments(inside: str) -> tuple[str, ...]:
    """The texts of the arguments that stand between two brackets."""
    found = tuple(_ARGUMENTS(inside))
    return found if ",".join(found) == inside else tuple(_one_by_one(inside))


def _one_by_one(inside: str) -> Iterator[str]:
    """The same at any depth."""
    depth, argument = 0, ""
    for token in tokens(inside):
        depth += (token == "(") - (token == ")")
        if token == "," and not depth:
            yield argument
            argument = ""
        else:
            argument += token
    if argument:  # a tuple of one has a comma behind it
        yield argument
