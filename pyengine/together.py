"""Steps of several positions in one grounding, each with all its answers.

Positions that share a program do not touch: the names and effects of each bear its mark. So an
answer set of all of them is one of each, put together, and there would be as many as the product
of all choices. The only choice in a step is which option is picked (rules/queue.lp), so they are
settled for all at once instead: first the first option of each, then the second, and so on.
Those that need no clingo (see `evaluating`) are answered one by one: they have no price to share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext

import clingo

from pyengine import solving
from pyengine.holding import held
from pyengine.limits import question
from pyengine.questions import Question, merged
from pyengine.solving import Answer, Program, RulesError


def together(
    rules: Program,
    asked: Mapping[int, Question],
    shown: Iterable[str],
    owner: Callable[[clingo.Symbol], int],
    watched: bool = True,
    checked: bool = False,
) -> dict[int, list[Answer]]:
    """Every answer to each of several questions, in the order in which each alone would have them.

    Args:
        rules: from ``solving.program``.
        asked: the facts of each question by its number; nothing in those of one names what is in
            those of another, and the number is that of its step, if it is one.
        shown: the predicates (`name/arity`) that are looked at.
        owner: the number of the question that a shown atom belongs to.
        watched: keep the limits while clingo grounds, if one of them may be large.
        checked: make sure that nothing but the picks can be chosen.

    Raises:
        RulesError: clingo said something; or, if that is checked, there are other choices.
        LimitError: they take longer, or are larger, than the limits in force allow.
    """
    out: dict[int, list[Answer]] = {}
    with question() as budget:
        for number, each in asked.items():
            found = solving.unaided(rules, each, shown)
            if found is not None:
                out[number] = found
            budget.check()
    left = {number: each for number, each in asked.items() if number not in out}
    if left:
        large = watched and any(map(solving.may_be_large, left.values()))
        with nullcontext() if large else held():
            out |= _grounded(rules, left, shown, owner, large, checked)
    return {number: out[number] for number in asked}


def _grounded(
    rules: Program,
    asked: Mapping[int, Question],
    shown: Iterable[str],
    owner: Callable[[clingo.Symbol], int],
    large: bool,
    checked: bool,
) -> dict[int, list[Answer]]:
    """The same of those that need clingo, all in one grounding."""
    everything = merged(asked.values())
    with question() as budget, solving._TURN:
        budget.check()
        control = solving.grounded(rules, everything, rules.slice(everything, shown), budget, large)
        out: dict[int, list[Answer]] = {number: [] for number in asked}
        left: dict[int, set[clingo.Symbol]] = {}  # options that no answer has picked yet
        for number, answer in _parted(control, [], asked, owner).items():
            out[number].append(answer)
            left[number] = _options(answer) - {row[1] for row in answer["picks"]}
        if checked:
            _sure(control, out)
        while left := {number: options for number, options in left.items() if options}:
            picked = [
                clingo.Function("picks", [clingo.Number(number), options.pop()])
                for number, options in left.items()
            ]
            for number, answer in _parted(control, picked, left, owner).items():
                out[number].append(answer)
                budget.count("outcomes", len(out[number]))
            if checked:
                _sure(control, out)
            budget.check()
    for answers in out.values():
        answers.sort(key=lambda answer: answer.key)
    return out


def _sure(control: clingo.Control, out: Mapping[int, list[Answer]]) -> None:
    """RulesError if the last answers are not the only ones with their picks."""
    picked = [
        (clingo.Function("picks", [clingo.Number(number), option]), True)
        for number, answers in out.items()
        for (_, option) in answers[-1]["picks"]
    ]
    control.configuration.solve.models = "2"  # type: ignore[union-attr]
    with control.solve(yield_=True, assumptions=picked) as handle:
        if sum(1 for _ in handle) > 1:
            raise RulesError("something else is chosen in a step than what is picked")
    control.configuration.solve.models = "1"  # type: ignore[union-attr]


def _options(answer: Answer) -> set[clingo.Symbol]:
    """What there is to pick from; nothing where one option is taken without a choice."""
    options = {row[3] for row in answer["option"]} | {row[2] for row in answer["chance"]}
    return options if answer["picks"] else set()


def _parted(
    control: clingo.Control,
    picked: Iterable[clingo.Symbol],
    numbers: Iterable[int],
    owner: Callable[[clingo.Symbol], int],
) -> dict[int, Answer]:
    """The answer to each question with that number where these are picked."""
    with control.solve(yield_=True, assumptions=[(pick, True) for pick in picked]) as handle:
        model = next(iter(handle), None)
        if model is None:
            raise RulesError("an option of a step depends on what else is picked")
        return _split(model.symbols(shown=True), numbers, owner)


def _split(
    symbols: Iterable[clingo.Symbol], numbers: Iterable[int], owner: Callable[[clingo.Symbol], int]
) -> dict[int, Answer]:
    """The answer to each question, out of that to all."""
    rows: dict[int, list[clingo.Symbol]] = {number: [] for number in numbers}
    for symbol in symbols:
        number = owner(symbol)
        if number in rows:
            rows[number].append(symbol)
    return {number: Answer(symbols) for number, symbols in rows.items()}
