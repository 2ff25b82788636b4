"""The searches of a check, what each is given, and how they are run.

A search is a function that is given a ``Context`` and yields findings::

    @search("stuck")
    def stuck(context: Context) -> Iterator[Finding]:
        for state in …:
            context.look("stuck", done)         # progress, and the end of the time
            …

Its module stands in ``MODULES``. A search that ends has looked at everything within the scope; one
that is stopped by ``OutOfTime`` or says what it leaves (``Context.leave``) has not, and what it did
not find is undecided. Where it falls into independent parts, ``parts`` names them, and each may be
looked at by another process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

from pyengine.audit.findings import CODES, Finding
from pyengine.audit.scope import DEFAULT_SCOPE, Scope
from pyengine.audit.words import told
from pyengine.documents import hint
from pyengine.engine import Engine
from pyengine.faults import Message, at
from pyengine.kinds import FaultyAbility, Kind, catalogue
from pyengine.model import EDITIONS, StateError
from pyengine.rulebook import Words
from pyengine.solving import RulesError, chapters, statements

MODULES: tuple[str, ...] = (
    "pyengine.audit.document",
    "pyengine.audit.vocabulary",
    "pyengine.audit.norms",
    "pyengine.audit.outcomes",
    "pyengine.audit.pairs",
    "pyengine.audit.compare",
    "pyengine.audit.useless",
    "pyengine.audit.idle_steps",
    "pyengine.audit.idle_abilities",
    "pyengine.audit.ties",
)


class OutOfTime(Exception):
    """A search must stop, because the time limit has been reached: not an error.

    ``left``: what is told of it.
    """

    def __init__(self, left: Words | None = None) -> None:
        super().__init__()
        self.left = left or told("left_time")


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for; can be sent to another process.

    Args:
        edition: whose rules.
        cards: an author's file or folder of cards.
        rules: a folder of changed and added chapters.
        sets: the printed sets whose cards are looked at.
        scope: how far.
        only: these codes alone; none: all that run by themselves.
        everything: also what a principle of precedence decides.
        until: when to stop, as ``time.time()`` tells it.
        against: compare with this edition instead; with ``rules``, with that edition of them.
        time_limit: the seconds that were given until then, to be told.
    """

    edition: str = "heroes"
    cards: str | None = None
    rules: str | None = None
    sets: tuple[int, ...] = (22,)
    scope: Scope = DEFAULT_SCOPE
    only: tuple[str, ...] = ()
    everything: bool = False
    until: float | None = None
    against: str | None = None
    time_limit: float | None = None


Progress = Callable[[str, int, int | None], None]


def _silent(code: str, done: int, total: int | None) -> None:
    pass


@dataclass
class Context:
    """All that a search works with.

    Args:
        options: what was asked for.
        progress: told what is being searched, how much is done, and of how much if that is known.
    """

    options: Options
    progress: Progress = _silent
    errors: list[str] = field(default_factory=list)
    left: list[Words] = field(default_factory=list)
    until: float | None = None  # when to stop, as `time.time()` tells it

    def __post_init__(self) -> None:
        self.until = self.options.until

    @property
    def edition(self) -> str:
        """Whose rules."""
        return self.options.edition

    @property
    def scope(self) -> Scope:
        """How far to look."""
        return self.options.scope

    @property
    def folder(self) -> Path | None:
        """The folder of changed and added chapters, for ``solving.program``."""
        return None if self.options.rules is None else Path(self.options.rules)

    @cached_property
    def engine(self) -> Engine:
        """The ordinary engine, with the changed chapters if there are any."""
        return Engine(self.folder)

    @cached_property
    def author(self) -> AuthorCards:
        """The author's cards and what is wrong with their abilities; none without a file."""
        from pyengine.audit.authors import read_cards

        return read_cards(self.options.cards)

    @cached_property
    def kinds(self) -> Mapping[str, Kind]:
        """Every complete kind of the chosen sets, then the author's, by id."""
        base = "heroes" if self.edition == "heroes_2" else self.edition
        ours = {
            id: kind
            for id, kind in catalogue().items()
            if kind.edition == base and kind.set in self.options.sets and not kind.waits_for
        }
        theirs = {id: k for id, k in self.author.kinds.items() if k.edition in (base, self.edition)}
        return {**ours, **theirs}

    def look(self, code: str, done: int, total: int | None = None) -> None:
        """Says how far a search is; OutOfTime when it must stop."""
        self.progress(code, done, total)
        self.go_on()

    def go_on(self) -> None:
        """OutOfTime when a search must stop."""
        if self.until is not None and time.time() > self.until:
            raise OutOfTime

    def leave(self, key: str, **parts: object) -> None:
        """Says what has not been looked at: what is not found is undecided then.

        Args:
            key: of a sentence of ``words``.
            parts: of the sentence.
        """
        self.left.append(told(key, **parts))

    def confirmed(self, code: str, shown: Callable[[], bool]) -> bool:
        """Whether a witness, asked of the ordinary engine once more, shows what is claimed."""
        if shown():
            return True
        self.errors.append(f"internal: a witness of {code} did not show it, and was dropped")
        return False


@dataclass(frozen=True)
class AuthorCards:
    """An author's cards that can be used, and the faults of abilities that cannot.

    Args:
        kinds: by id, without the faulty abilities.
        faults: of abilities.
        lines: the file and line of each kind.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    faults: tuple[FaultyAbility, ...] = ()
    lines: Mapping[str, tuple[str, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Search:
    """A search as it is registered.

    Args:
        name: of its function, with its module.
        codes: what it can find.
        run: the search; given the context and a part.
        parts: its independent parts, which can be sent to another process; at least one.
        wanted: whether it runs where nobody asked for its codes by name.
        long: it takes more than a few seconds, and stands behind those that do not.
    """

    name: str
    codes: tuple[str, ...]
    run: Callable[[Context, Any], Iterable[Finding]]
    parts: Callable[[Context], Sequence[Any]]
    wanted: Callable[[Context], bool]
    long: bool = False


_SEARCHES: dict[str, Search] = {}


def search(
    *codes: str,
    parts: Callable[[Context], Sequence[Any]] | None = None,
    wanted: Callable[[Context], bool] = lambda context: True,
    long: bool = False,
) -> Callable[[Callable[..., Iterable[Finding]]], Callable[..., Iterable[Finding]]]:
    """Registers a search for these codes; with ``parts`` it is given one of them too."""
    unknown = set(codes) - set(CODES)
    if unknown or not codes:
        raise ValueError(f"no such codes: {sorted(unknown)}")

    def register(run: Callable[..., Iterable[Finding]]) -> Callable[..., Iterable[Finding]]:
        alone = (lambda context, part: run(context)) if parts is None else run
        name = f"{run.__module__}.{run.__qualname__}"
        _SEARCHES[name] = Search(
            name, codes, alone, parts or (lambda context: (None,)), wanted, long
        )
        return run

    return register


def searches() -> dict[str, Search]:
    """Every search by name, in a fixed order."""
    for module in MODULES:
        import_module(module)
    order = {name: (each.long, CODES.index(each.codes[0])) for name, each in _SEARCHES.items()}
    return {name: _SEARCHES[name] for name in sorted(_SEARCHES, key=order.__getitem__)}


def of_rules(context: Context) -> bool:
    """Whether the rules themselves are asked about; who brings cards alone asks about cards."""
    return context.options.cards is None or context.folder is not None


def chosen(context: Context) -> dict[str, Search]:
    """The searches that are to run."""
    only = set(context.options.only)
    if context.options.against is not None:
        only = {"compare"}
    return {
        name: found
        for name, found in searches().items()
        if (only & set(found.codes) if only else found.wanted(context))
    }


@dataclass(frozen=True)
class Job:
    """One part of one search, ready to be sent to another process."""

    options: Options
    search: str
    part: Any
    seconds: float | None = None  # how long it may take, once it is begun; None: until the end


@dataclass(frozen=True)
class Done:
    """What came of a job. ``left``: what it has not looked at, and why."""

    search: str
    findings: tuple[Finding, ...]
    left: tuple[Words, ...]
    errors: tuple[str, ...]
    seconds: float
    cut: bool = False  # the time of the job was over before it was


def given_up(job: Job) -> Done:
    """What comes of a job that does not end in time."""
    return Done(job.search, (), (told("left_time"),), (), 0.0, cut=True)


@lru_cache(maxsize=4)
def _context(options: Options) -> Context:
    return Context(options)


def run(job: Job, progress: Progress | None = None) -> Done:
    """Looks at one part of one search."""
    start = time.monotonic()
    context = _context(job.options)
    context.until = job.options.until
    if job.seconds is not None:
        own = time.time() + job.seconds
        context.until = own if context.until is None else min(context.until, own)
    cut = False
    context.progress = progress or _silent
    context.errors.clear()
    context.left.clear()
    findings: list[Finding] = []
    try:
        findings.extend(_running(context, job))
    except OutOfTime as error:
        context.left.append(error.left)
        cut = context.until is not None and time.time() > context.until
    return Done(
        job.search,
        tuple(findings),
        tuple(dict.fromkeys(context.left)),
        tuple(context.errors),
        time.monotonic() - start,
        cut,
    )


def _running(context: Context, job: Job) -> Iterator[Finding]:
    context.look(searches()[job.search].codes[0], 0)
    only = context.options.only
    for finding in searches()[job.search].run(context, job.part):
        if not only or finding.code in only:
            yield finding


def faults(options: Options) -> list[str]:
    """Every fault of what was asked for."""
    faults: list[str] = [
        _none_of("edition", edition, EDITIONS)
        for edition in (options.edition, options.against)
        if edition is not None and edition not in EDITIONS
    ]
    faults += [_none_of("only", code, CODES) for code in options.only if code not in CODES]
    known = {kind.set for kind in catalogue().values() if kind.set is not None}
    listed = ", ".join(map(str, sorted(known)))
    faults += [
        at("sets", "no_set", number=number, known=listed)
        for number in options.sets
        if number not in known
    ]
    if options.rules is not None:
        folder = Path(options.rules)
        if not folder.is_dir():
            faults.append(at("rules", "no_folder", value=repr(options.rules)))
        elif not any(folder.rglob("*.lp")):
            faults.append(at("rules", "no_chapter", value=repr(options.rules)))
        elif options.edition in EDITIONS:
            faults += _unreadable(f"rules/editions/{options.edition}.lp", folder)
    if options.cards is not None and not Path(options.cards).exists():
        faults.append(at("cards", "is_not_there", value=repr(options.cards)))
    elif options.cards is not None:
        from pyengine.audit.authors import read_cards

        try:
            read_cards(options.cards)
        except StateError as error:
            faults += error.faults
    return faults


def _unreadable(entry: str, folder: Path) -> Iterator[str]:
    """What is wrong with the chapters of a folder that belong to an edition, as clingo says it."""
    for path in chapters(entry, folder):
        if path.is_relative_to(folder):
            try:
                statements(path)
            except RulesError as error:
                yield str(error)


def _none_of(place: str, value: str, known: Sequence[str]) -> Message:
    parts = {"value": repr(value), "known": ", ".join(known), "near": hint(value, known)}
    return at(place, "not_one_of", **parts)
