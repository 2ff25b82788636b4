"""Ability terms: text to a tree, its canonical text, and what is wrong with it.

The grammar of terms is clingo's, narrowed: names, whole numbers and arguments, no arithmetic, no
intervals, no pools, no tuples, no text. What each name takes is data: `facts/vocabulary.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

import clingo

from pyengine.documents import (
    data_folder,
    hint,
    in_order,
    parse_document,
    patience,
    read_text,
    shown,
)
from pyengine.faults import Message, at, listed, within
from pyengine.model import StateError

R = TypeVar("R")
MAX_LENGTH = 10_000
MAX_DEPTH = 64
_SHORT = 500  # characters of a usual term
MAX_NUMBER = 1_000_000
_MOST_FAULTS = 100  # of a term are told
_PATIENCE = 50_000  # what is compared for the hints of a term, see documents.patience


class TermError(StateError):
    """A text that is no term; each fault names the column."""


@dataclass(frozen=True, slots=True)
class Term:
    """A name with its arguments. Equal and hashed by name and arguments alone.

    ``start`` and ``end`` bound the term in the text it was read from; ``spots`` does so for each
    argument (a number has no tree of its own).
    """

    name: str
    args: tuple[Term | int, ...] = ()
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    spots: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.args))})" if self.args else self.name

    def walk(self) -> Iterator[Term]:
        """This term and every term inside it, from left to right."""
        yield self
        for arg in self.args:
            if isinstance(arg, Term):
                yield from arg.walk()


# ---------------------------------------------------------------- vocabulary


@dataclass(frozen=True, slots=True)
class Slot:
    """One argument of a signature: a sort, or one very word."""

    sort: str = ""
    word: str = ""

    def __str__(self) -> str:
        return self.word or self.sort


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of a term; `rest`: the last one may be repeated."""

    slots: tuple[Slot, ...]
    rest: bool = False

    def fits(self, count: int) -> bool:
        """Whether that many arguments may stand."""
        return count == len(self.slots) or (self.rest and count > len(self.slots))

    def slot(self, index: int) -> Slot:
        """The slot of the argument at that place."""
        return self.slots[min(index, len(self.slots) - 1)]

    def __str__(self) -> str:
        return ", ".join(map(str, self.slots)) + (", …" if self.rest else "")


@dataclass(frozen=True, slots=True)
class Entry:
    """A term of the vocabulary. `section` is the sort under which it is listed.

    `without`: words of the first argument's sort that mean nothing here. `unread`: words that
    mean nothing anywhere in its arguments; with `(amount)` only where no number stands. `only_in`:
    the terms of which it may be an argument; empty: all. `needs`: what must be at hand, one of
    these, for that first argument (its word or its sort; "": any). `gives`: what is at hand in the
    effect (under ""), or in the `first` or `second` argument.
    """

    name: str
    section: str
    signatures: tuple[Signature, ...]
    en: str
    ru: str
    target: bool = False
    own_scope: bool = False
    edition: str | None = None
    without: frozenset[str] = frozenset()
    unread: frozenset[str] = frozenset()
    only_in: frozenset[str] = frozenset()
    needs: Mapping[str, frozenset[str]] = field(default_factory=dict, compare=False)
    gives: Mapping[str, frozenset[str]] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        forms = (f"{self.name}({form})" if form.slots else self.name for form in self.signatures)
        return " or ".join(forms)


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of argument with all that it accepts (`also` resolved)."""

    name: str
    en: str
    ru: str
    numbers: tuple[int, int] | None
    names: frozenset[str]
    any_name: bool
    terms: Mapping[str, Entry]

    def known(self) -> list[str]:
        """Every name that the sort knows, for hints."""
        return [*self.terms, *sorted(self.names)]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The language of abilities: sorts by name, and entries by section and name."""

    sorts: Mapping[str, Sort]
    terms: Mapping[str, Mapping[str, Entry]]


_SORT_KEYS = {"en", "ru", "numbers", "names", "any_name", "name_of", "also"}
_TERM_KEYS = {
    "en", "ru", "takes", "target", "scope", "edition", "without", "unread", "only_in", "needs",
    "gives",
}  # fmt: skip
# what is read of a card and of the table, and when that is depends on the term that asks
_READ = frozenset({"selector", "card_filter", "wound_filter", "condition", "amount", "change"})
# what is fixed as an ability is laid, whenever the laid ability reads
_FIXED = frozenset({"amount", "change"})
# the words of card(S) that are written in then
LAID_WORDS = ("it", "that", "agent", "giver", "target")
_NONE: frozenset[str] = frozenset()
_ALL = frozenset({"effect", "choice", "it", "agent", "number", "excess", "before", "class"})
_SOME = 6  # of the places where a word can stand are named
_PLACES = ("first", "second")  # of an argument to which something is given
_SLOT = re.compile(r"(?:([a-z_]+)|'([a-z_]+)')(\.\.\.)?")


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary of the package."""
    file = data_folder("facts") / "vocabulary.yaml"
    document = parse_document(read_text(file, file.name), file.name)
    if document.faults:
        raise StateError(in_order(document.value, document.faults))
    return build_vocabulary(document.value)


def build_vocabulary(document: Any) -> Vocabulary:
    """The vocabulary of a document (see the head of facts/vocabulary.yaml).

    StateError with every fault: an unknown key, an unknown sort in a signature, a missing text.
    """
    faults: list[str] = []
    raw_sorts: dict[str, dict[str, Any]] = document["sorts"]
    raw_terms: dict[str, dict[str, dict[str, Any]]] = document["terms"]
    terms: dict[str, dict[str, Entry]] = {}
    for section, entries in raw_terms.items():
        if section not in raw_sorts:
            faults.append(at(f"terms.{section}", "no_sort"))
        terms[section] = {}
        for name, raw in entries.items():
            where = f"terms.{section}.{name}"
            faults += _keys(where, raw, _TERM_KEYS)
            forms: list[Signature] = []
            for text in raw.get("takes", [""]):
                parts = [part.strip() for part in text.split(",")] if text else []
                found = [_SLOT.fullmatch(part) for part in parts]
                for part, match in zip(parts, found, strict=True):
                    if match is None or (match[1] and match[1] not in raw_sorts):
                        faults.append(at(where, "sort_unknown", value=shown(part)))
                matches = [match for match in found if match]
                slots = tuple(Slot(match[1] or "", match[2] or "") for match in matches)
                forms.append(Signature(slots, bool(matches and matches[-1][3])))
            terms[section][name] = Entry(
                name,
                section,
                tuple(forms),
                raw.get("en", ""),
                raw.get("ru", ""),
                bool(raw.get("target")),
                raw.get("scope") == "own",
                raw.get("edition"),
                frozenset(raw.get("without", ())),
                frozenset(raw.get("unread", ())),
                frozenset(raw.get("only_in", ())),
                _by_argument(raw.get("needs", {})),
                _by_argument(raw.get("gives", {})),
            )
    for name, raw in raw_sorts.items():
        faults += _keys(f"sorts.{name}", raw, _SORT_KEYS)
        for other in [*raw.get("also", ()), *([raw["name_of"]] if "name_of" in raw else ())]:
            if other not in raw_sorts:
                faults.append(at(f"sorts.{name}", "sort_unknown", value=shown(other)))
    if faults:
        raise StateError(faults)
    sorts = {name: _sort(name, raw_sorts, terms) for name in raw_sorts}
    return Vocabulary(
        MappingProxyType(sorts),
        MappingProxyType({section: MappingProxyType(found) for section, found in terms.items()}),
    )


def _by_argument(raw: Any) -> Mapping[str, frozenset[str]]:
    """What stands under a key, or as a list under none."""
    under = raw if isinstance(raw, dict) else {"": raw}
    return MappingProxyType({key: frozenset(words) for key, words in under.items()})


def _keys(where: str, raw: dict[str, Any], known: set[str]) -> list[str]:
    out: list[str] = [
        at(f"{where}.{key}", "unknown_key", near=hint(key, sorted(known)))
        for key in raw.keys() - known
    ]
    return out + [at(f"{where}.{key}", "required") for key in ("en", "ru") if not raw.get(key)]


def _sort(
    name: str, raw_sorts: dict[str, dict[str, Any]], terms: dict[str, dict[str, Entry]]
) -> Sort:
    accepted: dict[str, Entry] = {}
    names: set[str] = set()
    ranges: list[tuple[int, int]] = []
    any_name = False
    waiting, seen = [name], set()
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        raw = raw_sorts[here]
        waiting += raw.get("also", ())
        accepted = {**terms.get(here, {}), **accepted}
        names.update(raw.get("names", ()))
        any_name |= bool(raw.get("any_name"))
        if "name_of" in raw:
            names.update(terms.get(raw["name_of"], ()))
        if "numbers" in raw:
            least, most = raw["numbers"]
            ranges.append(
                (-MAX_NUMBER if least is None else least, MAX_NUMBER if most is None else most)
            )
    numbers = (min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else None
    raw = raw_sorts[name]
    return Sort(
        name, raw["en"], raw["ru"], numbers, frozenset(names), any_name, MappingProxyType(accepted)
    )


# ---------------------------------------------------------------- text to tree


def _remembered(function: Callable[..., R]) -> Callable[..., R]:
    """Keeps what a function has made of the last texts, of few if they are long."""
    short, long = lru_cache(maxsize=8192)(function), lru_cache(maxsize=64)(function)

    def remembered(text: str, *more: str) -> R:
        return (short if len(text) <= _SHORT else long)(text, *more)

    return remembered


_TOKEN = re.compile(r"[ \t\r\n]*(?:([a-z][a-z0-9_]*)|(-?[0-9]+)|([(),]))")
_ALLOWED = re.compile(r"[a-z0-9_ ,()\-\t\r\n]")


def _scan(text: str) -> tuple[str, list[list[int]]]:
    """The text as clingo may read it, and the bounds of every name and number in it, in order.

    Everything that clingo would accept and a term may not hold is refused here: arithmetic,
    intervals, pools, tuples, text, variables. TermError with the column.
    """
    if len(text) > MAX_LENGTH:
        raise TermError([Message("term_long", most=MAX_LENGTH)])
    out: list[str] = []
    nodes: list[list[int]] = []
    stack: list[tuple[int, int]] = []  # of each open parenthesis: its column, its name's node
    before = "start"  # start, name, number, ( , or )
    position, length = 0, len(text.rstrip())
    while position < length:
        match = _TOKEN.match(text, position)
        if match is None:
            while text[position].isspace():
                position += 1
            raise _bad_character(text, position)
        start, end = match.span(match.lastindex or 0)
        token = text[start:end]
        position = end
        if match.lastindex == 3:
            if token == "(":
                if before != "name":
                    raise _fault(text, start, "open_no_name")
                stack.append((start, len(nodes) - 1))
                if len(stack) > MAX_DEPTH:
                    raise _fault(text, start, "term_deep", most=MAX_DEPTH)
                before = "("
            else:
                if before in ("start", "(", ","):
                    if before + token == "()":
                        raise _fault(text, start, "open_nothing")
                    raise _fault(text, start, "argument_missing", token=token)
                if not stack:
                    raise _fault(text, start, "second_term" if token == "," else "close_nothing")
                if token == ")":
                    nodes[stack.pop()[1]][1] = end
                before = token
            out.append(token)
            continue
        if before in ("name", "number", ")"):
            raise _fault(text, start, "comma_missing", token=token)
        nodes.append([start, end])
        if match.lastindex == 2:
            digits = token.lstrip("-")
            if len(digits) > 1 and digits[0] == "0":
                raise _fault(text, start, "begins_with_0", value=shown(token))
            if len(digits) > 7 or int(digits) > MAX_NUMBER:
                raise _fault(text, start, "beyond", value=shown(token, 20), most=MAX_NUMBER)
            before = "number"
            out.append(token)
        else:
            before = "name"
            # `not` is a word of clingo's; a prime makes it a name that no text here can hold.
            out.append("not'" if token == "not" else token)
    if before == "start":
        raise TermError([Message("empty")])
    if stack:
        column = stack[-1][0]
        more = Message("open_number", n=len(stack)) if len(stack) > 1 else ""
        raise _fault(text, column, "open_left", more=more)
    return "".join(out), nodes


def _bad_character(text: str, position: int) -> TermError:
    character = text[position]
    if not _ALLOWED.fullmatch(character):
        return _fault(text, position, "bad_sign", sign=shown(character))
    if character == "-":
        return _fault(text, position, "lone_minus")
    return _fault(text, position, "no_name", sign=shown(character))


def _fault(text: str, position: int, key: str, **parts: Any) -> TermError:
    return TermError([located(text, position, Message(key, **parts))])


def located(text: str, position: int, what: str) -> str:
    """A fault of a term with the column it is at and the term, or the part of it there."""
    return Message("column", n=position + 1, term=_excerpt(text, position), text=what)


def _excerpt(text: str, position: int) -> str:
    """The text, or what is around the position of a long one, in quotes."""
    if len(text) <= 60:
        return shown(text)
    low, high = max(0, position - 20), position + 40
    part = shown(text[low:high])[1:-1]
    return f"'{'…' if low else ''}{part}{'…' if high < len(text) else ''}'"


def parse(text: str) -> Term:
    """The tree of a term. TermError says what is wrong and at which column.

    Only the grammar is looked at; `check` compares with the vocabulary.

    >>> parse("wound( 2, target(not(hero)) )").args[1].name
    'target'
    """
    if len(text) > MAX_LENGTH:  # before the cache would keep it
        _scan(text)
    return _parse(text)


@_remembered
def _parse(text: str) -> Term:
    source, nodes = _scan(text)
    said: list[str] = []
    try:
        symbol = clingo.parse_term(source, logger=lambda _, message: said.append(message))
    except RuntimeError as error:
        why = str(said[0] if said else error).strip()
        raise TermError([Message("no_term", why=why)]) from None
    if symbol.type is not clingo.SymbolType.Function:
        raise _fault(text, nodes[0][0], "number_alone")
    spans = iter(nodes)
    return _tree(symbol, spans, next(spans))


def _tree(symbol: clingo.Symbol, spans: Iterator[list[int]], span: list[int]) -> Term:
    # Names and numbers come in the text in the preorder of the tree. Depth is bounded by _scan.
    args: list[Term | int] = []
    spots: list[tuple[int, int]] = []
    for argument in symbol.arguments:
        inner = next(spans)
        spots.append((inner[0], inner[1]))
        if argument.type is clingo.SymbolType.Number:
            args.append(argument.number)
        else:
            args.append(_tree(argument, spans, inner))
    return Term(symbol.name.rstrip("'"), tuple(args), span[0], span[1], tuple(spots))


def canonical(text: str) -> str:
    """The one text of a term: no spaces. TermError if it is no term.

    >>> canonical("armor( 1 )")
    'armor(1)'
    """
    if len(text) > MAX_LENGTH:
        _scan(text)
    return _canonical(text)


@_remembered
def _canonical(text: str) -> str:
    return str(_parse(text))


# ---------------------------------------------------------------- checking


def check(text: str, sort: str = "ability", ids: str = "") -> list[str]:
    """What is wrong with a term of that sort: one line a fault, in the order of the text.

    Args:
        text: the term.
        sort: of a part of an ability it is not known what is at hand around it.
        ids: of the cards around it those that are words of the language too, see ``words_in``.

    >>> check("armor(0)")
    ["column 7 of 'armor(0)': 0 is below 1"]
    """
    if len(text) > MAX_LENGTH:
        return [Message("term_long", most=MAX_LENGTH)]
    return list(_checked(text, sort, ids)[0])


def words_in(ids: Iterable[str]) -> str:
    """Those of some ids that card(...) would take for a word, were no card called so."""
    return " ".join(sorted({*ids} & vocabulary().sorts["selector"].terms.keys()))


def check_ability(text: str, where: str) -> list[str]:
    """The faults of an ability term, each with its place before it."""
    return within(where, check(text))


def meanings(text: str) -> tuple[Entry, ...]:
    """The entries of the vocabulary that an ability is made of, each once, as they come in it.

    >>> [entry.name for entry in meanings("cannot(attack,and(enemy,hero))")]
    ['cannot', 'attack', 'and', 'enemy', 'hero']
    """
    try:
        term = parse(text)
    except TermError:
        return ()
    checker = _Checker(text)
    checker.argument(term, (term.start, term.end), Slot("ability"), ())
    found = sorted(checker.entries, key=lambda each: each[0])
    return tuple(dict.fromkeys(entry for _, entry in found))


def kinds_named(text: str) -> tuple[tuple[str, int], ...]:
    """The kinds of card that a valid ability creates, each with the position in the text."""
    return _checked(text, "ability", "")[1] if len(text) <= MAX_LENGTH else ()


@_remembered
def words_named(text: str) -> tuple[tuple[str, str], ...]:
    """The classes and elements that a valid ability names, each after the word for its sort.

    >>> words_named("grant(and(class(orc),not(element(steppe))),charge)")
    (('class', 'orc'), ('element', 'steppe'))
    """
    term = _parse(text)
    checker = _Checker(text)
    checker.argument(term, (term.start, term.end), Slot("ability"), ())
    return tuple(dict.fromkeys(checker.words))


@_remembered
def _checked(text: str, sort: str, ids: str) -> tuple[tuple[str, ...], tuple[tuple[str, int], ...]]:
    try:
        term = _parse(text)
    except TermError as error:
        return error.faults, ()
    checker = _Checker(text, ids.split())
    if sort != "ability":
        checker.given = _ALL
    with patience(_PATIENCE, shared=False):  # what is remembered is the same whoever asks first
        checker.argument(term, (term.start, term.end), Slot(sort), ())
    checker.close(checker.scope)
    faults = [
        located(text, position, what) for position, what in sorted(checker.faults)[:_MOST_FAULTS]
    ]
    if len(checker.faults) > _MOST_FAULTS:
        faults.append(located(text, len(text) - 1, Message("more_faults", most=_MOST_FAULTS)))
    return tuple(dict.fromkeys(faults)), tuple(checker.kinds)


class _Scope:
    """The targets of one effect, and the places that name one of them again."""

    def __init__(self, inside: str = "") -> None:
        self.inside = inside  # the effect that has targets of its own within another
        self.targets = 0
        self.again: list[tuple[int, int]] = []


class _Checker:
    """Walks one term against the vocabulary and gathers its faults with their positions."""

    def __init__(self, text: str, ids: Sequence[str] = ()) -> None:
        self.text, self.ids = text, ids
        self.sorts = vocabulary().sorts
        self.faults: list[tuple[int, str]] = []
        self.kinds: list[tuple[str, int]] = []
        self.words: list[tuple[str, str]] = []
        self.entries: list[tuple[int, Entry]] = []
        self.scope = _Scope()
        self.unread: dict[str, str] = {}  # what means nothing here, and in which term
        self.laid = False  # in an ability that is laid by an effect
        self.given = _NONE  # what is at hand
        self.fixed: frozenset[str] | None = None  # what is when the ability here is laid
        self.inside = ""  # the ability here

    def fault(self, position: int, key: str, /, **parts: Any) -> None:
        self.faults.append((position, Message(key, **parts)))

    def argument(
        self, value: Term | int, spot: tuple[int, int], slot: Slot, words: tuple[str, ...]
    ) -> None:
        """Check one argument. `words` are the very words that other signatures have here."""
        if slot.word:
            if not (isinstance(value, Term) and value.name == slot.word):
                self.faults.append((spot[0], self._not_one_of(value, words)))
            elif value.args:
                self.fault(spot[0], "no_arguments", name=value.name)
            return
        sort = self.sorts[slot.sort]
        if isinstance(value, int):
            if sort.numbers is None:
                self.fault(spot[0], "number_for", value=value, sort=_called(sort))
            elif value < sort.numbers[0]:
                self.fault(spot[0], "below", value=value, least=sort.numbers[0])
            elif value > sort.numbers[1]:
                self.fault(spot[0], "more_than", value=value, most=sort.numbers[1])
            return
        entry = sort.terms.get(value.name)
        bare = not value.args and (sort.any_name or value.name in sort.names)
        if entry is not None and not bare:
            if slot.sort in _READ and not (self.laid and slot.sort in _FIXED):
                self.read(value, spot)
            self.term(value, entry)
        elif not (sort.any_name or value.name in sort.names):
            self.faults.append((spot[0], self._unknown(value, sort, words)))
        elif value.args:
            self.fault(spot[0], "name_alone", name=value.name)
        elif slot.sort == "kind":
            self.kinds.append((value.name, spot[0]))
        elif slot.sort in ("class", "element"):
            self.words.append((slot.sort, value.name))

    def read(self, value: Term, spot: tuple[int, int]) -> None:
        """Report a word that has no meaning where it is read."""
        worked_out = bool(value.args) and isinstance(value.args[0], Term)
        for word in (value.name, *((f"{value.name}(amount)",) if worked_out else ())):
            if word in self.unread:
                what, name = shown(str(value), 30), self.unread[word]
                # an ability looks at such words always, an effect but once
                always = name in self.sorts["ability"].terms
                told = Message("told_in_effects") if always else ""
                self.fault(spot[0], "unread", value=what, name=name, told=told)

    def term(self, term: Term, entry: Entry) -> None:
        """Check the arguments of a term against the signature that fits best."""
        self.entries.append((term.start, entry))
        forms = [form for form in entry.signatures if form.fits(len(term.args))]
        if not forms:
            shapes = [self._in_words(form) for form in entry.signatures if form.slots]
            given = len(term.args) or Message("none")
            if shapes:
                wanted = listed("or", shapes)
                self.fault(term.start, "takes", name=term.name, forms=wanted, given=given)
            else:
                self.fault(term.start, "takes_none", name=term.name, given=given)
            return
        # Only the heads decide between signatures: trying each in full would double with depth.
        form = min(forms, key=lambda form: self._misfits(term, form))
        self.needed(term, entry, form)
        if entry.target:
            if term.args and isinstance(term.args[0], int):
                self.scope.again.append((term.args[0], term.start))
            else:
                self.scope.targets += 1
        # of its effect, and of what is paid for it
        own = _Scope(term.name if entry.own_scope else "")
        for index, (value, spot) in enumerate(zip(term.args, term.spots, strict=True)):
            slot = form.slot(index)
            words = tuple(other.slot(index).word for other in forms if other.slot(index).word)
            unread, laid = self.unread, self.laid
            hand = self.given, self.fixed, self.inside
            self.at_hand(term, entry, index, slot)
            if slot.sort in ("ability", "effect"):
                self.unread = {}
                self.laid = laid or entry.section == "effect"
            elif entry.unread:
                self.unread = {**unread, **dict.fromkeys(entry.unread, term.name)}
            scoped = entry.section == "ability" or entry.own_scope
            outer = self.scope
            self.scope = own if scoped and slot.sort in ("cost", "effect") else outer
            self.argument(value, spot, slot, words)
            self.scope = outer
            self.unread, self.laid = unread, laid
            self.given, self.fixed, self.inside = hand
            only = (
                self.sorts[slot.sort].terms.get(value.name)
                if isinstance(value, Term) and slot.sort
                else None
            )
            if only is not None and only.only_in and term.name not in only.only_in:
                places = ", ".join(f"{name}({only.name})" for name in sorted(only.only_in))
                self.fault(spot[0], "only_in", value=shown(only.name), places=places)
            if index == 0 and isinstance(value, Term) and value.name in entry.without:
                known = (word for word in self.sorts[slot.sort].terms if word not in entry.without)
                what, some = shown(value.name), ", ".join(known)
                self.fault(spot[0], "means_nothing", value=what, name=term.name, known=some)
        self.close(own)

    def needed(self, term: Term, entry: Entry, form: Signature) -> None:
        """Report a word for something that is not at hand; the id of a card is none."""
        if term.name == "card" and str(term.args[0]) in self.ids:
            return
        for argument, needs in entry.needs.items():
            first = term.args[0] if term.args else 0
            word = first.name if isinstance(first, Term) else ""
            if argument in ("", word) or argument == form.slots[0].sort:
                filled = self.fixed is not None and _filled(term)
                given = self.fixed if filled and self.fixed is not None else self.given
                if not needs & given:
                    what, told = shown(str(term), 30), _told_in(needs)
                    self.fault(term.start, "unread", value=what, name=self.inside, told=told)

    def at_hand(self, term: Term, entry: Entry, index: int, slot: Slot) -> None:
        """Set what is at hand in an argument."""
        if entry.section == "ability":
            self.inside = term.name
        waits = any(each.sort == "trigger" for form in entry.signatures for each in form.slots)
        if slot.sort == "effect" and (entry.section == "ability" or waits):
            self.given, self.fixed = entry.gives.get("", _NONE) | {"effect", "choice"}, None
            event, effect = term.args[0], term.args[index]
            if waits and isinstance(event, Term):
                self.given |= self.given_by("trigger", event)
                self.inside = f"{term.name}({event.name})"
            for part in effect.walk() if isinstance(effect, Term) else ():
                self.given |= self.given_by("effect", part)
        elif slot.sort == "ability" and entry.section == "effect":
            self.given, self.fixed = _NONE, self.given - {"choice"}
        elif slot.sort == "cost":
            self.given |= {"choice"}
        elif term.name == "card" and str(term.args[0]) in self.ids:
            self.given = _ALL
        elif self.fixed is not None and (
            _filled(term) or (slot.sort in _FIXED and entry.section == "ability")
        ):
            self.given = self.fixed
        if index < len(_PLACES):
            self.given |= entry.gives.get(_PLACES[index], _NONE)

    def given_by(self, sort: str, term: Term) -> frozenset[str]:
        """What a trigger gives to its effect, an effect to what is around it."""
        entry = self.sorts[sort].terms.get(term.name)
        return _NONE if entry is None else entry.gives.get("", _NONE)

    def close(self, scope: _Scope) -> None:
        """Report each target(K) of a finished effect that has no K-th target."""
        for index, position in scope.again:
            if index > scope.targets:
                few = {0: Message("target_none"), 1: Message("target_one")}
                have = few.get(scope.targets) or Message("target_few", n=scope.targets)
                anew = Message("counted_anew", name=scope.inside) if scope.inside else ""
                self.fault(position, "target_again", index=index, have=have, anew=anew)

    def _misfits(self, term: Term, form: Signature) -> int:
        """How far the heads of the arguments are from those of a signature.

        A word that is like one that may stand there is nearer than one that is like none, and that
        nearer than any word where only a number may stand. That a very word is another weighs
        twice: such words tell signatures apart.
        """
        out = 0
        for index, value in enumerate(term.args):
            slot = form.slot(index)
            sort = None if slot.word else self.sorts[slot.sort]
            known = [slot.word] if sort is None else sort.known()
            weight = 2 if sort is None else 1
            if isinstance(value, int):
                out += 0 if sort is not None and sort.numbers is not None else 3 * weight
            elif value.name not in known and not (sort is not None and sort.any_name):
                out += 1 if hint(value.name, known) else weight * (2 if known else 3)
        return out

    def _in_words(self, form: Signature) -> str:
        """What a signature takes, the sorts in words."""
        said = [slot.word or _called(self.sorts[slot.sort]) for slot in form.slots]
        return Message("form", said=listed("comma", [*said, "…"] if form.rest else said))

    def _not_one_of(self, value: Term | int, words: tuple[str, ...]) -> str:
        what = shown(str(value), 30)
        near = hint(value.name, words) if isinstance(value, Term) else ""
        return Message("not_one_of", value=what, known=", ".join(words), near=near)

    def _unknown(self, value: Term, sort: Sort, words: tuple[str, ...]) -> str:
        what = shown(value.name)
        near = hint(value.name, [*words, *sort.known()], least=0.0)
        sections = vocabulary().terms.items()
        elsewhere = [_called(self.sorts[name]) for name, found in sections if value.name in found]
        if elsewhere:
            found = listed("or", elsewhere)
            return Message("other_sort", value=what, found=found, sort=_called(sort))
        return Message("not_sort", value=what, sort=_called(sort), near=near)


def _told_in(needs: frozenset[str]) -> Message:
    """Where a word that needs one of these can stand."""
    if needs & {"effect", "choice"}:
        return Message("told_in_effects")
    entries = [entry for words in vocabulary().terms.values() for entry in words.values()]
    places = [
        f"on({entry.name})" if entry.section == "trigger" else entry.name
        for entry in entries
        if any(needs & given for given in entry.gives.values())
    ]
    more = ["…"] if len(places) > _SOME else []
    return Message("told_in", places=listed("comma", [*places[:_SOME], *more]))


def _filled(term: Term) -> bool:
    """Whether something is written in its place as the ability around it is laid."""
    word = term.args[0].name if term.args and isinstance(term.args[0], Term) else ""
    return (term.name == "card" and word in LAID_WORDS) or str(term) == "class(chosen)"


def _called(sort: Sort) -> Message:
    return Message("both", en=sort.en, ru=sort.ru)
