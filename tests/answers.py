"""What the engine says of a ruling's position, in full, as lines to be compared and read.

A ruling states what is legal, by which rules, and what comes of an action. It cannot state the rest:
who bears a reason and what it overcame, which facts it rests on, which choices are put to whom, the
steps on the way, the values in force. For some rulings that rest is recorded in ``tests/recorded/``, a file for each file of
rulings; ``test_answers`` compares it, and `tests.mutations` takes a mutant that changes a recorded
answer as noticed. A ruling is recorded if a file has its heading; what stands below the heading,
``PYENGINE_UPDATE=1 python -m pytest tests/test_answers.py`` writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from pyengine import Engine, explain, queue
from pyengine.model import (
    Action,
    Card,
    ChoiceError,
    DeckVerdict,
    Defeat,
    Explanation,
    IllegalAction,
    LimitError,
    Outcome,
    Reason,
    Sight,
    State,
    Step,
    Values,
    Verdict,
)
from pyengine.questions import asked_of
from pyengine.verify import Ruling, begun

FOLDER = Path(__file__).with_name("recorded")
HEADING = "== "


@dataclass(frozen=True)
class Answers:
    """What the engine says of every candidate, of the actions a ruling names, of their outcomes."""

    state: State
    called_on: tuple[str, str] | None
    judged: tuple[Verdict, ...]
    explained: tuple[Explanation, ...]
    resolved: tuple[tuple[Action, tuple[Outcome, ...] | IllegalAction | LimitError], ...]
    values: tuple[tuple[Card, Values], ...]
    deck: DeckVerdict | None = None
    opened: Outcome | ChoiceError | None = None
    sight: tuple[tuple[str, Sight], ...] = ()

    @staticmethod
    def ask(engine: Engine, ruling: Ruling) -> Answers:
        """Asks the engine for all of it."""
        named = dict.fromkeys([*ruling.legal, *(action for action, _ in ruling.illegal)])
        resolved: list[tuple[Action, tuple[Outcome, ...] | IllegalAction | LimitError]] = []
        for action in (each.action for each in ruling.resolve):
            try:
                resolved.append((action, tuple(engine.resolve(ruling.state, action))))
            except (IllegalAction, LimitError) as error:
                resolved.append((action, error))
        rules, deck = engine.program(ruling.edition), ruling.deck
        opened: Outcome | ChoiceError | None = None
        if ruling.opening is not None:
            try:
                opened = begun(engine, ruling.state, ruling.opening)
            except ChoiceError as error:
                opened = error
        return Answers(
            ruling.state,
            queue.called_on(rules, asked_of(ruling.state)),
            tuple(engine.judge(ruling.state)),
            tuple(engine.why(ruling.state, action) for action in named),
            tuple(resolved),
            tuple((card, engine.values(ruling.state, card.id)) for card in ruling.state.cards),
            engine.deck(deck.hero, dict(deck.cards), ruling.edition) if deck else None,
            opened,
            tuple((player, engine.sight(ruling.state, player)) for player, _ in ruling.sight),
        )

    @property
    def lines(self) -> list[str]:
        """All of it as text."""
        others = [each.verdict for each in self.explained if each.verdict not in self.judged]
        out = [f"called on: {' '.join(self.called_on or ('nobody',))}"]
        out += [line for verdict in (*self.judged, *others) for line in _verdict(verdict)]
        for each in self.explained:
            out += [f"why {each.verdict.action}", *_grounds(each)]
        for action, outcomes in self.resolved:
            out.append(f"resolve {action}")
            if isinstance(outcomes, IllegalAction):
                out += _verdict(outcomes.verdict)
            elif isinstance(outcomes, LimitError):
                out.append(f"    {outcomes}")
            else:
                out += [line for outcome in outcomes for line in _outcome(self.state, outcome)]
        out += [line for card, values in self.values for line in _in_force(card, values)]
        if self.deck is not None:
            out += [f"deck: {what}" for what in self.deck.unfit]
            out += [f"deck: room for {n} of {kind}" for kind, n in self.deck.room]
            out.append(f"deck: {self.deck.missing} missing, {self.deck.hand} in the first hand")
        if isinstance(self.opened, Outcome):
            out += ["opening", *_outcome(self.state, self.opened)]
        elif self.opened is not None:
            out += ["opening", f"    {self.opened}"]
        for player, sight in self.sight:
            out.append(f"{player} does not see {', '.join(sorted(sight.unseen)) or 'nothing'}")
            out += [f"    {card} in its place" for card in sorted(sight.in_place)]
        return out


def recorded() -> dict[str, list[str]]:
    """The recorded answers by ruling, in the order of the files."""
    out: dict[str, list[str]] = {}
    for path in sorted(FOLDER.glob("*.txt")):
        lines: list[str] = []
        for line in path.read_text("utf-8").splitlines():
            if line.startswith(HEADING):
                lines = out.setdefault(line.removeprefix(HEADING), [])
            elif line:
                lines.append(line)
    return out


def write(found: dict[Ruling, list[str]]) -> None:
    """Writes the answers of rulings, each in the file of its own."""
    files: dict[str, list[str]] = {}
    for ruling, lines in found.items():
        name = Path(ruling.place.rpartition(":")[0]).stem
        files.setdefault(name, []).append("\n".join([HEADING + ruling.id, *lines, ""]))
    for name, parts in files.items():
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.txt").write_text("\n".join(parts), encoding="utf-8", newline="\n")


def _verdict(verdict: Verdict) -> Iterator[str]:
    yield f"{verdict.action}: {'legal' if verdict.legal else 'illegal'}"
    for reason in verdict.because:
        yield f"    {_norm(reason)}{''.join(f', {what}' for what in reason.amiss)}"
        for defeat in reason.defeats:
            yield f"        {_defeat(defeat)}"


def _norm(reason: Reason) -> str:
    return " ".join(filter(None, (reason.rule, reason.by, reason.ability)))


def _defeat(defeat: Defeat) -> str:
    return f"over {defeat.rule}{f' {defeat.by}' if defeat.by else ''} by {defeat.principle}"


def _grounds(explanation: Explanation) -> Iterator[str]:
    for node in explanation.tree:
        facts = [child.fact for child in node.children if not child.rule]
        if facts:
            norm = " ".join(filter(None, (node.rule, node.by, node.fact)))
            yield f"    {norm} rests on {', '.join(facts)}"


def _in_force(card: Card, values: Values) -> Iterator[str]:
    for field in fields(values):
        printed, now = getattr(card, field.name), getattr(values, field.name)
        if printed != now:
            yield f"in force {card.id}: {field.name} {now} for {printed}"


def _outcome(before: State, outcome: Outcome) -> Iterator[str]:
    yield f"  outcome, ways: {outcome.ways}"
    for choice in outcome.choices:
        options = ", ".join(choice.options)
        yield f"    {choice.rule} {choice.player or 'chance'} takes {choice.chosen} of {options}"
    yield from (f"    {_step(step)}" for step in outcome.trace)
    for item in explain.changes(before, outcome.state):
        yield f"    > {item.about or 'table'}: {explain.change(item, 'en')}"


def _step(step: Step) -> str:
    number = "" if step.value is None else f" = {step.value}"
    return f"{step.rule} {step.step} {step.what}{number}{f', by {step.by}' if step.by else ''}"
