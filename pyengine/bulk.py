"""Files of positions, a question a line: one line of answer for each, in order.

The lines go to the processes as they are and come back as they are written, so that all but moving
bytes is done there. An answer file is written as ``FILE.part`` beside itself, and gets its name
when it is whole; an interrupted run leaves the part, and a later one can go on from it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any

from pyengine import explain
from pyengine.batch import judge_batch
from pyengine.cluster import ClusterError, run
from pyengine.documents import hint, in_order, parse_document, shown
from pyengine.engine import Engine
from pyengine.faults import Message, at, reason, told
from pyengine.i18n import Lang
from pyengine.keeping import RENEW
from pyengine.kinds import catalogue
from pyengine.limits import DEFAULT
from pyengine.model import Action, IllegalAction, PyengineError, State, StateError

QUESTIONS = ("legal", "actions", "resolve")
TOGETHER = {"legal": 64, "actions": 64, "resolve": 8}  # lines of a job: what shares a grounding
_MOST = 4_000_000  # bytes of a job, however few lines that are
_KEYS = ("state", "action")  # of a line that asks to resolve


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of every line.

    Attributes:
        question: one of ``QUESTIONS``.
        lang: the language of the reasons.
        edition: read each position by the rules of this edition; None: by those of its own.
    """

    question: str = "legal"
    lang: Lang = "en"
    edition: str | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers to some lines: JSON, each with its end of line; ``bad``: numbers of bad lines."""

    lines: tuple[bytes, ...]
    bad: tuple[int, ...] = ()
    incomplete: frozenset[str] = frozenset()


@dataclass(slots=True)
class Summary:
    """How a run went.

    Attributes:
        lines: how many were answered, the bad ones and those of an earlier run among them.
        bad: how many were bad.
        first_bad: the number of the first of these.
        resumed: how many an earlier run had answered.
        incomplete: kinds that were judged without some of their abilities.
    """

    lines: int = 0
    bad: int = 0
    first_bad: int | None = None
    resumed: int = 0
    incomplete: set[str] = field(default_factory=set)

    def add(self, answers: Answers) -> None:
        """Counts some more."""
        self.lines += len(answers.lines)
        self.bad += len(answers.bad)
        if answers.bad and self.first_bad is None:
            self.first_bad = answers.bad[0]
        self.incomplete |= answers.incomplete


# --- some lines ----------------------------------------------------------------------------------


def answers(asked: Asked, first: int, lines: list[bytes]) -> Answers:
    """The answers to these lines, the first of which has that number."""
    read: list[tuple[State, Action | None] | list[str]] = []
    for line in lines:
        try:
            read.append(_read(asked, line))
        except PyengineError as error:
            read.append(_faults(error, asked.lang))
    good = [each for each in read if isinstance(each, tuple)]
    told = iter(_told(asked, good))
    out = [next(told) if isinstance(each, tuple) else each for each in read]
    return Answers(
        tuple(_line(each, first + place) for place, each in enumerate(out)),
        tuple(first + place for place, each in enumerate(out) if isinstance(each, list)),
        frozenset(
            kind
            for kind in {card.kind or "" for state, _ in good for card in state.cards}
            if kind in catalogue() and catalogue()[kind].waits_for
        ),
    )


def _line(answer: dict[str, Any] | list[str], number: int) -> bytes:
    """An answer as it is written; of faults with the number of the line that has them."""
    if isinstance(answer, list):
        answer = {"line": number, "faults": answer}
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _faults(error: PyengineError, lang: Lang) -> list[str]:
    """What an error says. (The error itself would keep alive all that it has passed through.)"""
    if isinstance(error, StateError):
        return [told(fault, lang) for fault in error.faults]
    return told(error.args[0] if error.args else error, lang).splitlines()


def _read(asked: Asked, line: bytes) -> tuple[State, Action | None]:
    """The position of a line, and the action to be resolved; StateError with the faults of both."""
    document = parse_document(line, "line", DEFAULT.bytes)
    faults = in_order(document.value, document.faults)
    value = document.value
    if not isinstance(value, dict):
        raise StateError([*faults, at("line", "no_json_object", value=shown(value))])
    if asked.question != "resolve":
        return _state(value, faults, None, asked.edition), None
    for key in value:
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            faults.append(at(key, "unknown_of", known=known, near=hint(key, _KEYS)))
    state = action = None
    if not isinstance(value.get("state"), dict):
        faults.append(at("state", "required_position"))
    else:
        try:
            state = _state(value["state"], [], "state", asked.edition)
        except StateError as error:
            faults += error.faults
    try:
        if not isinstance(value.get("action"), str):
            raise StateError([at("action", "required_action")])
        action = Action.parse(value["action"])
    except StateError as error:
        faults += error.faults
    if faults or state is None:
        raise StateError(faults)
    return state, action


def _state(
    value: dict[str, Any], faults: list[str], place: str | None, edition: str | None
) -> State:
    """The state of a document, by another edition if one is named."""
    try:
        state = State.from_dict(value)
        if edition is not None and edition != state.edition:
            state = State.from_dict({**state.to_dict(), "edition": edition})
    except StateError as error:
        faults += [
            fault if place is None else Message("under", place=place, text=fault)
            for fault in error.faults
        ]
        raise StateError(faults) from None
    if faults:
        raise StateError(faults)
    return state


def _told(
    asked: Asked, read: list[tuple[State, Action | None]]
) -> Iterator[dict[str, Any] | list[str]]:
    if asked.question == "resolve":
        engine = Engine()
        for state, action in read:
            assert action is not None
            try:
                yield explain.resolved(state, action, engine.resolve(state, action), asked.lang)
            except IllegalAction as error:
                yield explain.refused(state, error.verdict, asked.lang)
            except PyengineError as error:
                yield _faults(error, asked.lang)
        return
    states = [state for state, _ in read]
    for state, found in zip(states, judge_batch(states), strict=True):
        if isinstance(found, PyengineError):
            yield _faults(found, asked.lang)
        elif asked.question == "legal":
            yield explain.judged(state, found, asked.lang)
        else:
            legal = [str(verdict.action) for verdict in found if verdict.legal]
            yield {"edition": state.edition, "player": explain.decides(state), "actions": legal}


# --- a stream of lines ---------------------------------------------------------------------------


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; of one that is larger than a position may be, only its beginning."""
    most = DEFAULT.bytes + 1
    while line := file.readline(most):
        piece = line
        while len(piece) == most and not piece.endswith(b"\n"):
            piece = file.readline(most)
        yield line.rstrip(b"\r\n")


def _jobs(asked: Asked, lines: Iterable[bytes], first: int) -> Iterator[Callable[[], Answers]]:
    """The lines in portions, none of which is long or large."""
    some: list[bytes] = []
    size = 0
    for line in lines:
        some.append(line)
        size += len(line)
        if len(some) >= TOGETHER[asked.question] or size >= _MOST:
            yield partial(answers, asked, first, some)
            first += len(some)
            some, size = [], 0
    if some:
        yield partial(answers, asked, first, some)


def stream(
    asked: Asked,
    lines: Iterable[bytes],
    scheduler: str | None = None,
    workers: int = 0,
    first: int = 1,
    renew: int = RENEW,
) -> Iterator[Answers]:
    """The answers to the lines, some at a time, in order.

    Args:
        asked: the question.
        lines: a JSON document each; taken as they are needed, so memory is bounded.
        scheduler: the address of a Dask scheduler whose workers answer.
        workers: how many processes of this machine answer; less than 2: this one.
        first: the number of the first line.
        renew: a process of this machine that holds more bytes than these is replaced; 0: none is.

    Raises:
        ClusterError: the processes or the cluster give no answer.
    """
    return run(_jobs(asked, lines, first), scheduler, workers, renew)


# --- whole files ---------------------------------------------------------------------------------


def part_of(target: Path) -> Path:
    """Where a file of answers stands until it is whole."""
    return target.with_name(f"{target.name}.part")


@contextmanager
def writing(target: Path, resume: bool) -> Iterator[IO[bytes]]:
    """The part of an answer file, at its end; it becomes the file if all goes well.

    Nothing of it is kept that is not a whole line. StateError if it cannot be written, or if
    there is a part of another run and it is not to be gone on with.
    """
    part = part_of(target)
    if target.exists() and not target.is_file():
        raise StateError([at(str(target), "no_file_out")])
    if part.exists() and not resume:
        raise StateError([at(str(part), "part_left")])
    try:
        with part.open("a+b") as file:
            try:
                _cut(file)
                yield file
                file.flush()
                os.fsync(file.fileno())
            finally:
                if not file.tell():
                    part.unlink()
    except OSError as error:
        raise StateError([at(str(part), "unwritable", why=reason(error))]) from None
    if target.suffix == ".parquet":
        from pyengine import parquet

        parquet.convert(part, target)
        part.unlink(missing_ok=True)
    elif part.exists():
        part.replace(target)
    else:
        target.write_bytes(b"")


def _cut(file: IO[bytes]) -> None:
    """Cuts a last line that was not written to its end."""
    whole = 0
    file.seek(0)
    for line in file:
        if line.endswith(b"\n"):
            whole += len(line)
    file.truncate(whole)
    file.seek(whole)


def resumed(file: IO[bytes], lines: Iterator[bytes], asked: Asked, summary: Summary) -> None:
    """Goes past the lines that a part answers already; StateError if it is not their answer.

    Each answer must be one of its form; the first and the last are worked out again, which tells
    another question, other positions and other rules.
    """
    name = Path(file.name)
    file.seek(0)
    kept: list[tuple[int, bytes, bytes]] = []
    for number, answer in enumerate(file, 1):
        line = next(lines, None)
        if line is None:
            raise StateError([at(str(name), "part_long")])
        try:
            value = json.loads(answer)
        except ValueError:
            value = None
        if not isinstance(value, dict):
            raise StateError([_of_part(name, number, Message("part_no_json"))])
        bad = (number,) if "faults" in value else ()
        summary.add(Answers((answer,), bad))
        kept = [*kept[:1], (number, line, answer)]
    summary.resumed = summary.lines
    for number, line, answer in kept:
        if answers(asked, number, [line]).lines != (answer,):
            raise StateError([_of_part(name, number, Message("part_other", line=number))])


def _of_part(name: Path, line: int, text: str) -> Message:
    return Message("at_line", place=name, line=line, text=text)


def into(
    out: IO[bytes],
    found: Iterable[Answers],
    summary: Summary,
    progress: Callable[[int], None] = lambda done: None,
) -> None:
    """Writes answers as they come, and counts them."""
    progress(summary.lines)
    for some in found:
        out.writelines(some.lines)
        out.flush()
        summary.add(some)
        progress(summary.lines)


def count(path: Path) -> int | None:
    """How many lines a file has; None if it is none that can be read twice."""
    if not path.is_file():
        return None
    if path.suffix == ".parquet":
        from pyengine import parquet

        return parquet.count(path)
    total, last = 0, b"\n"
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            total += block.count(b"\n")
            last = block[-1:]
    return total + (last != b"\n")


@contextmanager
def reading(path: Path, asked: Asked) -> Iterator[Iterator[bytes]]:
    """The lines of a file of positions; StateError if it cannot be read."""
    if path.suffix == ".parquet":
        from pyengine import parquet

        yield parquet.lines(path, asked.question == "resolve")
        return
    try:
        file = path.open("rb")
        if path.is_dir():
            raise IsADirectoryError
    except OSError as error:
        raise StateError([at(str(path), "unreadable", why=reason(error))]) from None
    with file:
        yield lines_of(file)


# --- the command ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Options:
    """What `pyengine batch` is told; ``-`` is standard input and output."""

    asked: Asked
    states: str
    output: str = "-"
    scheduler: str | None = None
    workers: int = 0
    resume: bool = False
    renew: int = RENEW


class Stopped(Exception):
    """A run that did not come to its end and left a part to go on from; ``cause``: why."""

    def __init__(self, lines: int, part: Path, cause: BaseException) -> None:
        super().__init__(f"{lines} lines are in {part}")
        self.lines, self.part, self.cause = lines, part, cause


Progress = Callable[[int | None], AbstractContextManager[Callable[[int], None]]]


def batch(options: Options, stdin: IO[bytes], stdout: IO[bytes], progress: Progress) -> Summary:
    """Answers a file of positions.

    Args:
        options: what is asked, of what, and where the answers go.
        stdin: standard input.
        stdout: standard output.
        progress: given the number of lines, if it is known, a bar that is told how far it is.

    Raises:
        StateError: what is asked for cannot be done; with all faults.
        ClusterError: the processes or the cluster give no answer.
        Stopped: in place of these, and of an interruption, if there is a part to go on from.
    """
    _check(options)
    asked = options.asked
    source, summary = Path(options.states), Summary()
    piped = options.states == "-"
    answered = partial(
        stream, asked, scheduler=options.scheduler, workers=options.workers, renew=options.renew
    )
    with (
        nullcontext(lines_of(stdin)) if piped else reading(source, asked) as lines,
        progress(None if piped else count(source)) as bar,
    ):
        if options.output == "-":
            into(stdout, answered(lines), summary, bar)
            return summary
        target = Path(options.output)
        with writing(target, options.resume) as file:
            if options.resume:
                resumed(file, lines, asked, summary)
            try:
                into(file, answered(lines, first=summary.lines + 1), summary, bar)
            except (KeyboardInterrupt, ClusterError) as error:
                if summary.lines:
                    raise Stopped(summary.lines, part_of(target), error) from error
                raise
    return summary


def _check(options: Options) -> None:
    """StateError with everything that keeps the run from beginning."""
    faults: list[str] = []
    if options.asked.question not in QUESTIONS:
        value, known = options.asked.question, ", ".join(QUESTIONS)
        near = hint(value, QUESTIONS)
        parts = {"value": shown(value), "known": known, "near": near}
        faults.append(at("--question", "not_one_of", **parts))
    if options.resume and options.output == "-":
        faults.append(at("--resume", "resume_stdout"))
    if options.scheduler is not None and options.workers:
        faults.append(at("--workers", "workers_twice"))
    if options.states.endswith((".yaml", ".yml")):
        faults.append(at(options.states, "no_lines"))
    files = [Path(name) for name in (options.states, options.output) if name != "-"]
    if len(files) == 2 and files[0].resolve() == files[1].resolve():
        faults.append(at("--output", "output_is_input"))
    if any(file.suffix == ".parquet" for file in files):
        from pyengine import parquet

        try:
            parquet.check()
        except StateError as error:
            faults += error.faults
    if faults:
        raise StateError(faults)


def document(summary: Summary, output: str) -> dict[str, Any]:
    """The summary as JSON."""
    return {
        "answered": summary.lines,
        "bad": summary.bad,
        "first_bad": summary.first_bad,
        "resumed": summary.resumed,
        "output": output,
    }
