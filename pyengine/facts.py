"""State to facts, atoms to answers: the only file that knows both.

A position becomes the text of ASP facts in the words of ``rules/vocabulary.lp``. Ability terms
are rewritten on the way in (see ``encode``): ``not`` is driven down to single filters, ``and``
and ``or`` are folded to pairs, targets are numbered. On the way out a memo gives the text back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from itertools import count
from typing import Any

import clingo

from pyengine.apart import apart
from pyengine.faults import Message
from pyengine.keeping import keep
from pyengine.kinds import catalogue
from pyengine.model import Action, Card, Effect, LimitError, Pending, Player, State
from pyengine.terms import LAID_WORDS, Term, parse

_PLAIN = re.compile(r"[a-z][a-z0-9_]*")
# effects whose selector suffers something that other rules ask about
_SUFFERS = {
    "shot": "shoot", "heal": "heal", "open": "open", "close": "close", "destroy": "destroy",
}  # fmt: skip
_SCOPES = {
    "spell": 0, "use": 1, "on": 1, "once_on": 1, "may_on": 1, "delayed": 1,
    "instead": 2, "may_instead": 2,
}  # fmt: skip
_TRIGGERED = ("on", "once_on", "may_on", "delayed")
# terms with an ability inside, and the place where it stands
_NESTING = {
    "grant": 1, "gain": 0, "lay": 0, "while": 1, "in_zone": 1, "raid": 1, "enters_with": 1,
    "bears": 0, "delayed": None,
}  # fmt: skip
# the amounts among the arguments of a laid ability, which are worked out as it is laid
_LAID_AMOUNTS = {
    "mod": 1, "is": 1, "prevent": 0, "wound_mod": 0, "strike_mod": 0, "strike_becomes": 0,
    "spell_mod": 0,
}  # fmt: skip
MAX_WAYS = 64  # to carry out an effect that lets choose: six choices of two
_MEMO_SIZE = 32_000_000  # characters of abilities that are kept to be told again
# words for no card and for no thing, where the rules have cards and other things side by side
_TAKEN = frozenset(("not", "null", "game"))
_FLAGS = ("closed", "acted", "defended", "attacked", "hidden")


@lru_cache(maxsize=100_000)
def name(text: str) -> str:
    """An identifier as an ASP constant; a string where clingo or the rules use the word."""
    if text not in _TAKEN and _PLAIN.fullmatch(text):
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """A text as an ASP string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def unname(symbol: str) -> str:
    """The identifier that ``name`` was given."""
    return symbol[1:-1] if symbol.startswith('"') else symbol


@dataclass(frozen=True, slots=True)
class Encoded:
    """An ability as ASP sees it: its term, and the facts that the rules need to take it apart."""

    term: str
    facts: frozenset[str] = field(default=frozenset())

    @property
    def makes(self) -> frozenset[str]:
        """The facts that say what it creates; what that would be depends on the position."""
        return _makes(self)


@lru_cache(maxsize=4096)
def _makes(ability: Encoded) -> frozenset[str]:
    return frozenset(each for each in ability.facts if each.startswith(("creates(", "copies.")))


@dataclass(frozen=True, slots=True)
class Mark:
    """What tells a position from others that share its program, for as long as it is followed.

    Attributes:
        name: stands before the id of each of its cards and players.
        number: stands before the number of each of its effects; of all positions equally long, so
            that the numbers keep the order they would have without it.
    """

    name: str = ""
    number: str = ""

    def effect(self, place: int) -> int:
        """The number of its effect in that place; the first is 1."""
        return int(f"{self.number}{place}")

    def place(self, number: int) -> int:
        """The place of the effect with that number."""
        return int(str(number).removeprefix(self.number))

    def plain(self, text: str) -> str:
        """A text without the marks of ids in it."""
        return text.replace(self.name, "") if self.name else text


ALONE = Mark()


class _Writer:
    """Writes one ability as ASP text and collects its facts, nested abilities included."""

    def __init__(self, memo: dict[str, str]) -> None:
        self.memo = memo
        self.facts: set[str] = set()

    def ability(self, term: Term) -> str:
        text = self._ability(term)
        self.facts.add(f"keyword({text},{name(term.name)}).")
        self.memo.setdefault(text, str(term))
        return text

    def _ability(self, term: Term) -> str:
        if term.name not in _SCOPES:
            return self.plain(term, _Scope())
        place = _SCOPES[term.name]
        if term.name == "use":
            return self.use(term)
        scope = _Scope()
        args = [
            self.plain(arg, scope if k == place else _Scope()) for k, arg in enumerate(term.args)
        ]
        self.facts.update(scope.stated(args[place]))
        self.memo.setdefault(args[place], str(term.args[place]))
        text = f"{name(term.name)}({','.join(args)})"
        if term.name in _TRIGGERED:
            self.facts.add(f"keyword({text},{name(_head(term.args[0]))}).")
        return text

    def use(self, term: Term) -> str:
        """An activated ability; what its price chooses counts as a target of its effect."""
        cost, done = term.args
        assert isinstance(cost, Term)
        scope = _Scope()
        prices = [self.plain(leaf, scope) for leaf in _costs(cost)]
        chosen = scope.targets
        effect = self.plain(done, scope)
        self.memo.setdefault(effect, str(done))
        if chosen:
            # no other ability may share the name of an effect with such a price
            effect = f"paid({_folded('and', prices)},{effect})"
        self.facts.update(scope.stated(effect))
        text = f"use({_folded('and', prices)},{effect})"
        # numbered: of parts that are alike each counts
        self.facts.update(f"costs({text},{k},{leaf})." for k, leaf in enumerate(prices, start=1))
        return text

    def plain(self, term: Term | int, scope: _Scope) -> str:
        if isinstance(term, int):
            return str(term)
        head, args = term.name, term.args
        if head in ("and", "or"):
            return _folded(head, [self.plain(arg, scope) for arg in args])
        if head == "not" and args:
            inner = args[0]
            assert isinstance(inner, Term)
            return self.negated(inner, scope)
        if head == "target" and args:
            if isinstance(args[0], int):
                return f"target({args[0]})"
            return scope.target(self.plain(args[0], scope))
        if head in ("choose", "choose_any"):
            return self.choosing(term, scope)
        if head == "up_to":
            text = scope.target(self.plain(args[0], scope))
            scope.facts.append(f"optional(%E,{scope.targets}).")
            # told apart from target(F), whose optional fact it must not share
            return (
                text.replace(f"target({scope.targets},", f"target({scope.targets},up_to(", 1) + ")"
            )
        if head == "fails" and isinstance(args[0], Term):
            return self.failing(args[0], scope)
        if head in ("by_opponent", "repeat"):
            own = _Scope()
            effect = self.plain(args[-1], own)
            self.facts.update(own.stated(effect))
            if "shoots(%E)." in own.facts:
                scope.facts.append("shoots(%E).")
            return f"{head}({','.join([*(self.plain(arg, scope) for arg in args[:-1]), effect])})"
        if head == "target_by_opponent":
            return scope.opposing(self.plain(args[0], scope))
        if head == "revive":
            slot = scope.target(self.plain(args[0], scope))
            scope.suffers(slot, "revive")
            return f"revive({slot})"
        if not args:  # the name of an ability, too: has(grant)
            return name(head)
        if head in _NESTING:
            return self.nesting(term, scope)
        parts = [self.plain(arg, scope) for arg in args]
        if head in _SUFFERS:
            scope.suffers(parts[-1], _SUFFERS[head])
        if head == "create":
            self.facts.add(f"creates({parts[0]}).")
        if head == "create_copy":
            self.facts.add("copies.")
        if head == "shot":
            scope.facts.append("shoots(%E).")
        if head == "pick":
            scope.facts.append(f"picking(%E,{','.join(parts)}).")
        return f"{name(head)}({','.join(parts)})"

    def nesting(self, term: Term, scope: _Scope) -> str:
        """A term with an ability inside, which has targets of its own."""
        if term.name == "delayed":
            return self.ability(term)
        parts = []
        for k, arg in enumerate(term.args):
            inside = k == _NESTING[term.name]
            parts.append(
                self.ability(arg) if inside and isinstance(arg, Term) else self.plain(arg, scope)
            )
        if term.name == "lay" and isinstance(term.args[0], Term):
            for place, blank in enumerate(blanks(term.args[0]), start=1):
                self.facts.add(f"blank({parts[0]},{place},{self.plain(blank, _Scope())}).")
        return f"{term.name}({','.join(parts)})"

    def negated(self, term: Term, scope: _Scope) -> str:
        """not(F), with the negation driven down to single filters."""
        if term.name == "not":
            return self.plain(term.args[0], scope)
        if term.name in ("and", "or"):
            parts = [self.negated(arg, scope) for arg in term.args if isinstance(arg, Term)]
            return _folded("or" if term.name == "and" else "and", parts)
        return f"neg({self.plain(term, scope)})"

    def choosing(self, term: Term, scope: _Scope) -> str:
        """choose(E,E') and choose_any(E,E'), numbered, with the targets of each branch."""
        number = scope.choices = scope.choices + 1
        outer = scope.ways
        branches = []
        parts = []
        for arg in term.args:
            scope.ways = [((), ())]
            parts.append(self.plain(arg, scope))
            self.memo.setdefault(parts[-1], str(arg))
            branches.append(scope.ways)
        first, second = branches
        both = len(first) * len(second) if term.name == "choose_any" else 0
        if len(outer) * (len(first) + len(second) + both) > MAX_WAYS:
            raise LimitError(Message("limit_ways", most=MAX_WAYS), "ways", MAX_WAYS)
        ways = [((number, "first"), way) for way in first]
        ways += [((number, "second"), way) for way in second]
        if term.name == "choose_any":
            ways += [((number, "both"), (a + b, j + k)) for a, j in first for b, k in second]
        scope.ways = [
            (was + (branch,) + way[0], places + way[1])
            for was, places in outer
            for branch, way in ways
        ]
        return f"{term.name}({number},{','.join(parts)})"

    def failing(self, term: Term, scope: _Scope) -> str:
        """fails(X), with the negation driven down to single conditions."""
        if term.name == "fails":
            return self.plain(term.args[0], scope)
        if term.name in ("both_hold", "either_holds"):
            head = "either_holds" if term.name == "both_hold" else "both_hold"
            parts = [self.failing(arg, scope) for arg in term.args if isinstance(arg, Term)]
            return f"{head}({','.join(parts)})"
        return f"fails({self.plain(term, scope)})"


class _Scope:
    """The targets of one effect, numbered in the order in which they are written."""

    def __init__(self) -> None:
        self.facts: list[str] = []
        self.targets = 0
        self.opposed = 0
        self.choices = 0
        # the ways to declare it: the branches chosen, and the targets that are then given
        self.ways: list[tuple[tuple[tuple[int, str], ...], tuple[int, ...]]] = [((), ())]

    def stated(self, effect: str) -> Iterator[str]:
        """The facts, of that effect."""
        for fact in self.facts:
            yield fact.replace("%E", effect)
        for branches, targets in self.ways:
            way = _list(f"({number},{branch})" for number, branch in branches)
            yield f"way({effect},{way})."
            for place, target in enumerate(targets, start=1):
                yield f"turn_of({effect},{way},{place},{target})."

    def target(self, filter: str) -> str:
        self.targets += 1
        self.facts.append(f"slot(%E,{self.targets},{filter}).")
        self.ways = [(branches, (*targets, self.targets)) for branches, targets in self.ways]
        return f"target({self.targets},{filter})"

    def opposing(self, filter: str) -> str:
        self.opposed += 1
        self.facts.append(f"opposing(%E,{self.opposed},{filter}).")
        return f"opposing({self.opposed},{filter})"

    def suffers(self, selector: str, verb: str) -> None:
        match = re.match(r"target\((\d+)", selector)
        if match:
            self.facts.append(f"suffers(%E,{match.group(1)},{verb}).")


def _costs(cost: Term) -> Iterator[Term]:
    if cost.name == "and":
        for arg in cost.args:
            assert isinstance(arg, Term)
            yield from _costs(arg)
    else:
        yield cost


def _folded(head: str, parts: list[str]) -> str:
    """and(A,B,C) as pairs: and(A,and(B,C))."""
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = f"{head}({part},{text})"
    return text


def _head(arg: Term | int) -> str:
    return arg.name if isinstance(arg, Term) else ""


def _rewritten(term: Term, write: Callable[[Term], Term | int], amounts: bool = True) -> Term:
    """The ability with what is written in as it is laid, from left to right.

    That is: the amounts among its own arguments, card(S) of a word of the effect that lays it, and
    class(chosen). The effect inside a triggered or activated ability stays as it is.
    """
    args: list[Term | int] = []
    for k, arg in enumerate(term.args):
        if isinstance(arg, int) or k == _SCOPES.get(term.name):
            args.append(arg)
        elif _is_blank(arg) or (amounts and k == _LAID_AMOUNTS.get(term.name) and _open(term)):
            args.append(write(arg))
        else:
            args.append(_rewritten(arg, write, False))
    return Term(term.name, tuple(args))


def _is_blank(arg: Term) -> bool:
    if arg.name == "card":
        return _head(arg.args[0]) in LAID_WORDS
    return arg == Term("class", (Term("chosen"),))


def _open(term: Term) -> bool:
    """Whether the argument that may be an amount is one."""
    return _head(term.args[0]) not in ("element", "class", "all")


def blanks(term: Term) -> list[Term]:
    """What is written into the ability as it is laid, in order."""
    out: list[Term] = []

    def write(blank: Term) -> Term:
        out.append(blank)
        return blank

    _rewritten(term, write)
    return out


def filled(ability: str, values: dict[int, list[str]]) -> str:
    """The text of a laid ability with the values of its blanks: numbers, cards, a class."""
    numbers = count(1)

    def write(blank: Term) -> Term | int:
        found = values.get(next(numbers), [])
        if blank.name == "card":
            cards: list[Term | int] = [Term("card", (Term(id),)) for id in found]
            if not cards:
                return Term("not", (Term("any"),))
            return Term("or", tuple(cards)) if len(cards) > 1 else cards[0]
        if not found:
            return blank
        return Term("class", (Term(found[0]),)) if blank.name == "class" else int(found[0])

    return str(_rewritten(parse(ability), write))


class _Memo(dict[str, str]):
    """The ability terms by their ASP text: all of the last states, not all that ever were."""

    def __init__(self) -> None:
        self.old: dict[str, str] = {}
        self.size = 0

    def setdefault(self, symbol: str, term: str = "") -> str:
        if symbol not in self:
            self.size += len(symbol) + len(term)
            self[symbol] = term
        return self[symbol]

    def renew(self) -> bool:
        """Forgets what has not been written lately, once there is much of it; whether it has.

        Asked before a state is written: what is in it is then there until it has been answered.
        """
        if self.size <= _MEMO_SIZE:
            return False
        self.old, self.size = dict(self), 0
        self.clear()
        _encoded.cache_clear()
        return True


_MEMO = _Memo()


def renew() -> bool:
    """Forgets abilities that were not written lately; True: those kept elsewhere are to be, too."""
    return _MEMO.renew()


def encode(ability: str) -> Encoded:
    """An ability term (canonical text) as ASP text with the facts that go with it.

    LimitError: its effect can be carried out in too many ways.
    """
    return _encoded(ability)


@lru_cache(maxsize=16_384)
def _encoded(ability: str) -> Encoded:
    writer = _Writer(_MEMO)
    term = writer.ability(parse(ability))
    return Encoded(term, frozenset(writer.facts))


def acts(ability: str) -> bool:
    """Whether there is more to know of it than its name and that its effect has no targets."""
    return any(
        not fact.startswith("keyword(") and not (fact.startswith("way(") and fact.endswith(",())."))
        for fact in encode(ability).facts
    )


def decode(symbol: str) -> str:
    """The ability term that ``encode`` was given, from its ASP text."""
    return _MEMO.get(symbol) or _MEMO.old.get(symbol, symbol)


_NAMED = re.compile(r"\b(card|holds)\(([a-z][a-z0-9_]*)(?=[,)])")


def renamed(ability: str, new: Mapping[str, str]) -> str:
    """An ability with other names of the cards that it names."""

    def name_of(match: re.Match[str]) -> str:
        id = match.group(2)
        return f"{match.group(1)}({id if id in LAID_WORDS else new.get(id, id)}"

    return _NAMED.sub(name_of, ability)


def next_moment(state: State) -> int:
    """The greatest `since` or `arrived` so far + 1 (CONTRACT 1)."""
    return 1 + max(
        (0, *[c.since for c in state.cards], *[c.arrived for c in state.cards],
         *[e.since for e in state.effects])
    )  # fmt: skip


def action_term(action: Action, state: State) -> str:
    """A declaration as the rules write it: targets as a list, the player where no card acts."""
    args = [name(str(arg)) if isinstance(arg, str) else str(arg) for arg in action.args]
    if action.verb == "end_turn":
        return f"end_turn({name(state.active)})"
    if action.verb == "pass":
        other = next(id for id, _ in state.players if id != state.active)
        return f"pass({name(other)})"
    if action.verb == "play":
        return f"play({args[0]},{_list(args[1:])})"
    if action.verb == "use":
        return f"use({args[0]},{args[1]},{_list(args[2:])})"
    return f"{action.verb}({','.join(args)})"


def _list(items: Iterable[str]) -> str:
    text = "()"
    for item in reversed(list(items)):
        text = f"({item},{text})"
    return text


# --- and back: the whole position of its facts ---------------------------------------------------

_FACT = re.compile(r'(?:[^".]|"(?:\\.|[^"\\])*")+(?=\.)')


def state_of(text: str, edition: str = "heroes") -> State:
    """The position whose facts these are: ``state_of(state_facts(s), s.edition) == s``."""
    rows: dict[str, list[tuple[clingo.Symbol, ...]]] = {}
    for fact in _FACT.findall(text):
        symbol = clingo.parse_term(fact.strip())
        rows.setdefault(symbol.name, []).append(tuple(symbol.arguments))

    def one(predicate: str, key: clingo.Symbol) -> tuple[clingo.Symbol, ...] | None:
        return next((row[1:] for row in rows.get(predicate, ()) if row[0] == key), None)

    active, other = rows["players"][0]
    players = {}
    for player in (active, other):
        top = one("known_top", player)
        counts = {
            field: _only(one(predicate, player)).number
            for field, predicate in (
                ("coins", "coins"), ("coins_total", "coins_total"), ("missed", "missed"),
                ("drawn", "drew"), ("attacks", "attacks"),
            )
        }  # fmt: skip
        players[_id(player)] = Player(
            **counts,
            deck_order="unknown" if one("unknown", player) is not None else "known",
            known_top=0 if top is None else top[0].number,
        )
    seats = {row[1].number: _id(row[0]) for row in rows["written_as"]}
    cards = [
        _card_of(c, rows)
        for _, c in sorted((row[1].number, row[0]) for row in rows.get("listed_as", ()))
    ]
    effects = []
    for number, card, ability, since, player in sorted(
        rows.get("laid", ()), key=lambda row: row[0].number
    ):
        source, used = one("source", number), one("used", number)
        until = _only(one("until", number))
        effects.append(
            Effect(
                _id(card), decode(str(ability)), _id(player), since.number,
                None if source is None else _id(source[0]),
                0 if used is None else used[0].number,
                until.number if until.type is clingo.SymbolType.Number else _id(until),
            )
        )  # fmt: skip
    pending = None
    for attacker, target in rows.get("pending", ()):
        defender = one("defender", attacker)
        pending = Pending(
            _id(attacker), _id(target), None if defender is None else _id(defender[0])
        )
    result = one("result_is", active)
    return State(
        active=_id(active),
        players=tuple((seats[n], players[seats[n]]) for n in sorted(seats)),
        cards=tuple(cards),
        edition=edition,
        turn=_only(one("turn", active)).number,
        phase=_id(_only(one("phase", active))),
        effects=tuple(effects),
        pending=pending,
        result=None if result is None else _id(result[0]),
    )


def _id(symbol: clingo.Symbol) -> str:
    return symbol.string if symbol.type is clingo.SymbolType.String else str(symbol)


def _only(row: tuple[clingo.Symbol, ...] | None) -> clingo.Symbol:
    assert row is not None
    return row[0]


def _card_of(c: clingo.Symbol, rows: dict[str, list[tuple[clingo.Symbol, ...]]]) -> Card:
    def all_of(predicate: str) -> list[tuple[clingo.Symbol, ...]]:
        return [row[1:] for row in rows.get(predicate, ()) if row[0] == c]

    def first(predicate: str) -> str:
        return _id(all_of(predicate)[0][0])

    kind, titled = all_of("kind_is"), all_of("titled")
    marks: dict[str, Any] = {}
    for mark in ("wounds", "extra_life", "entered", "since", "arrived", "movement", "moved",
                 "chips", "life"):  # fmt: skip
        for row in all_of(mark):
            marks[mark] = row[0].number
    for mark in _FLAGS:
        if all_of(mark):
            marks[mark] = True
    for row in all_of("cell"):
        marks["cell"] = (row[0].number, row[1].number)
    strikes = all_of("strike")
    if len(strikes) == 1:
        marks["strike"] = strikes[0][0].number
    elif strikes:
        three = {_id(row[0]): row[1].number for row in strikes}
        marks["strike"] = (three["weak"], three["medium"], three["strong"])
    elif kind and first("zone") == "deck" and _id(kind[0][0]) in catalogue():
        made = catalogue()[_id(kind[0][0])]
        marks.update(strike=made.strike, life=made.life)
    for said, value in all_of("aside"):
        if value.type is clingo.SymbolType.Number:
            marks[_id(said)] = value.number
        elif value.arguments:
            marks[_id(said)] = tuple(x.number for x in value.arguments)
        else:
            marks[_id(said)] = True
    spent = sorted(
        (decode(str(ability)) + (f"#{rank.number}" if rank.number > 1 else ""), amount.number)
        for ability, rank, amount in all_of("spent")
    )
    return Card(
        id=_id(c),
        type=first("type"),
        owner=first("owner"),
        controller=first("controller"),
        name=_id(titled[0][0]) if titled else first("name"),
        kind=_id(kind[0][0]) if kind else None,
        classes=tuple(_id(row[0]) for row in all_of("class")),
        element=tuple(_id(row[0]) for row in all_of("element")),
        cost=all_of("cost")[0][0].number,
        abilities=tuple(
            decode(str(row[1])) for row in sorted(all_of("printed"), key=lambda row: row[0].number)
        ),
        zone=first("zone"),
        spent=tuple(spent),
        **marks,
    )


def action_of(symbol: clingo.Symbol) -> Action:
    """The declaration that the rules wrote."""
    return action_named(str(symbol))


_ACTIONS_KEPT = 50_000
_ACTIONS: dict[str, Action] = {}


def action_named(text: str) -> Action:
    """The same of its text; most are met again and again."""
    found = _ACTIONS.get(text)
    if found is None:
        found = keep(_ACTIONS, text, _action(text), _ACTIONS_KEPT)
    return found


def _action(text: str) -> Action:
    verb, args = apart(text)
    if verb in ("pass", "end_turn"):
        return Action(verb)
    if verb == "play":
        return Action(verb, (unname(args[0]), *_unlist(args[1])))
    if verb == "use":
        return Action(verb, (unname(args[0]), int(args[1]), *_unlist(args[2])))
    return Action(verb, tuple(_argument(arg) for arg in args))


def _argument(text: str) -> str | int:
    return int(text) if text.lstrip("-").isdigit() else unname(text)


def _unlist(text: str) -> Iterator[str]:
    while parts := apart(text)[1]:
        head, text = parts
        yield unname(head)


def plain(text: str) -> str:
    """A term of the rules as a reader meets it."""
    return decode(text).replace('"', "")


def fact_text(symbol: clingo.Symbol) -> str:
    """A fact of the state as a reader meets it, abilities by their text."""
    inside = ",".join(readable(plain(str(arg))) for arg in symbol.arguments)
    return f"{symbol.name}({inside})" if inside else symbol.name


def plain_value(symbol: clingo.Symbol) -> int | str:
    """A number or a name of the rules as a reader meets it."""
    return symbol.number if symbol.type is clingo.SymbolType.Number else unname(str(symbol))


def readable(text: str) -> str:
    """A filter as it was written: on the way in its `not` became `neg`."""
    return re.sub(r"\bneg\(", "not(", text)


def branches(effect: clingo.Symbol, number: int, branch: str) -> Iterator[str]:
    """What is done in that branch of the choice of that number in an effect."""
    if effect.type is not clingo.SymbolType.Function:
        return
    args = effect.arguments
    if effect.name in ("choose", "choose_any") and args[0].number == number:
        parts = {"first": args[1:2], "second": args[2:], "both": args[1:]}[branch]
        yield from (plain(str(part)) for part in parts)
    else:
        for arg in args:
            yield from branches(arg, number, branch)


def trigger_text(item: str) -> str:
    """A noted trigger as a reader meets it: its card and what it does."""
    symbol = clingo.parse_term(item)
    effect, context = symbol.arguments[0], symbol.arguments[1]
    return f"trigger({unname(str(context.arguments[0]))},{plain(str(effect))})"


_MARKLESS: dict[str, Any] = {
    field.name: field.default
    for field in fields(Card)
    if field.name
    in ("wounds", "extra_life", "closed", "acted", "defended", "attacked", "entered", "since",
        "spent", "hidden", "cell", "arrived", "moved", "chips")
}  # fmt: skip


def bare(card: Card, zone: str) -> Card:
    """The card in another zone, without marks, under its owner."""
    return replace(card, zone=zone, controller=card.owner, **_MARKLESS)


def created(state: State, kind: str, id: str, player: str) -> Card:
    """A card of that kind as it comes into play, new to the game (517.6).

    Of ``copy(ID)`` a card of the kind of that card, else one with its printed values.
    """
    if kind.startswith("copy("):
        original = state.card(kind[len("copy(") : -1])
        if original.kind is None:
            plain = bare(original, "play")
            return replace(
                plain, id=id, owner=player, controller=player, entered=state.turn,
                since=next_moment(state),
            )  # fmt: skip
        kind = original.kind
    made = catalogue()[kind].card(id, player)
    return replace(made, entered=state.turn, since=next_moment(state))


def spare_id(state: State, kind: str, mark: Mark = ALONE) -> str:
    """The id of the next created card of a kind: `<kind>_<n>`, n the smallest free from 1."""
    known = {card.id for card in state.cards}
    ids = (f"{mark.name}{kind}_{n}" for n in count(1))
    return next(id for id in ids if id not in known)


def shuffled(cards: tuple[Card, ...], player: str) -> tuple[Card, ...]:
    """The cards with those of the player's deck in an order that tells nothing: by id."""
    places = [k for k, c in enumerate(cards) if c.zone == "deck" and c.owner == player]
    out = list(cards)
    for place, card in zip(
        places, sorted((cards[k] for k in places), key=lambda c: c.id), strict=True
    ):
        out[place] = card
    return tuple(out)


def placed(cards: tuple[Card, ...], id: str, place: str) -> tuple[Card, ...]:
    """The cards with one of a deck on top of it, or at its bottom."""
    moved = next(card for card in cards if card.id == id)
    places = [k for k, c in enumerate(cards) if c.zone == "deck" and c.owner == moved.owner]
    order = [cards[k] for k in places if cards[k].id != id]
    order.insert(0 if place == "top" else len(order), moved)
    out = list(cards)
    for k, card in zip(places, order, strict=True):
        out[k] = card
    return tuple(out)


__all__ = ["Effect", "Encoded", "action_term", "decode", "encode", "name", "next_moment", "unname"]
