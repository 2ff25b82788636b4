"""Which rules a question needs: the others are left out of its program before it is grounded.

clingo pays for every rule that it is given, also for one that can have no instance: about thirty
microseconds. A position has a few abilities and a step does one thing, so most rules are of no
use. `Slicer` finds out which, once for a program and then once for each *kind* of question:

- **forward**: a rule goes if something in its positive body cannot be derived from the facts
  (it has no instance, so nothing changes);
- **backward**: of the rest a rule goes if nothing that is shown depends on it, through whatever
  sign (no shown atom changes. What is left out must not be able to spoil an answer: rules with
  anything but a plain atom in their head are only left out together with all that lead to them).

Both work on *shapes*, not on atoms. The shape of a term is its outermost functor; of a number or
a string that it is one, if the rules do not name it. For each argument of each predicate the set
of shapes that may stand there is kept, and for what lies deeper, for each argument of each functor.
A set is an int with a bit a shape. The sets are always supersets of what clingo would derive.

Facts are sifted in the same way: one goes if no rule that stays could look at it. Most cards of a
game lie in decks and graveyards, where few rules look, or in hands. So the names of cards that are
`away` and of those that are `held` have shapes of their own, the atoms of `zone` are told apart by
the zone, and those of `printed` by the sort of their card.

Statements come in the form in which clingo prints them; `clauses` reads that form.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, TypeAlias

from pyengine.apart import arguments, tokens
from pyengine.clauses import Clause, Fun, Lit, Sum, Term, Var, read_statement
from pyengine.keeping import keep

_BITS = 2048
_LONG = 1_000  # characters of a term that is read in one pass
# of how many kinds it is remembered what they come to
_BASES = 64
_ROUND = 32
ALL = (1 << _BITS) - 1
# shapes that no rule names: constants and functors, numbers, strings, and two sorts of cards
_OTHER, _NUMBER, _STRING, _AWAY, _HELD = 1, 2, 4, 8, 16
_SORTS = {"away": _AWAY, "held": _HELD}
# predicates of the facts whose atoms are told apart: by an argument, by the sort of a card
_BY_ARGUMENT, _BY_CARD = {"zone/2": 1}, {"printed/3": 0}


# --- compiled rules ------------------------------------------------------------------------------


# Plain tuples, of which there are a hundred thousand: the collector of Python leaves them out.

# shapes that something may have: a fixed set, met with those of a variable (-1: of none)
_Source: TypeAlias = tuple[int, int]
# an atom of a clause: its predicate, and what its arguments may be
_Atom: TypeAlias = tuple[str, tuple[_Source, ...]]


@dataclass(slots=True)
class _Rule:
    """A clause in numbers."""

    statement: int
    checks: tuple[tuple[int, int], ...]  # (place, mask): shapes of which one must be there
    # the places where each variable is bound, its mask
    variables: tuple[tuple[tuple[int, ...], int], ...]
    adds: tuple[tuple[int, int, int], ...]  # (place, mask, variable): shapes that come to be there
    head: _Atom | None
    body: tuple[_Atom, ...]

    def masks(self, places: list[int]) -> list[int] | None:
        """The shapes of each variable; None: the rule has no instance."""
        for place, mask in self.checks:
            if not places[place] & mask:
                return None
        out = []
        for where, mask in self.variables:
            for place in where:
                mask &= places[place]
            if not mask:
                return None
            out.append(mask)
        return out


# what facts put where: a bit for each shape at a place. Of two kinds the greater one has the bits
# of the lesser, and its slices do for the lesser, too
Kind: TypeAlias = int
# an atom as the rules see it: the predicates it counts to, and the shapes of its arguments
Form: TypeAlias = tuple[tuple[str, ...], tuple[int, ...]]
_Seed: TypeAlias = tuple[tuple[int, int], ...]  # (place, mask)


class Fact(NamedTuple):
    """What a fact puts where, and the number of its form."""

    kind: Kind
    form: int


@dataclass(frozen=True, slots=True)
class Chosen:
    """The statements that matter, and of each predicate the shapes that they ask for.

    ``asks``: of each predicate the arguments (masks) of the atoms in the bodies; None: any atom.
    """

    statements: tuple[int, ...]
    asks: Mapping[str, Sequence[tuple[int, ...]] | None]

    def wants(self, form: Form) -> bool:
        """Whether a fact of that form may be looked at."""
        predicates, shapes = form
        for predicate in predicates:
            asks = self.asks.get(predicate, ())
            if asks is None or any(all(map(int.__and__, shapes, each)) for each in asks):
                return True
        return False


class Rounding:
    """Kinds that are a little greater than those that are met, so that the same ones come again.

    A slice of a greater kind is as exact, and only has rules that find nothing to do.

    Args:
        spare: by how many bits a kind may be greater.
    """

    def __init__(self, spare: int) -> None:
        self._spare = spare
        self._met: OrderedDict[Kind, None] = OrderedDict()

    def __call__(self, kind: Kind) -> Kind:
        """A kind that has all of this one."""
        best, least = None, self._spare + 1
        for each in self._met:
            if not kind & ~each:
                more = (each & ~kind).bit_count()
                if more < least:
                    best, least = each, more
        if best is None:
            # what was there a moment ago will come again
            best = kind | next(reversed(self._met), 0)
            if (best & ~kind).bit_count() > self._spare:
                best = kind
            if len(self._met) >= _ROUND:
                self._met.popitem(last=False)
            self._met[best] = None
        else:
            self._met.move_to_end(best)
        return best


class Slicer:
    """Slices of one program.

    Args:
        statements: the rules as clingo prints them, pools laid out: the forms of each.
    """

    def __init__(self, statements: Iterable[Sequence[str]]) -> None:
        self._keys: dict[str, int] = {}
        self._bits = 5
        self._numbers, self._strings = _NUMBER, _STRING
        self._place: dict[tuple[str, int], int] = {}
        self._rules: list[_Rule] = []
        self._kept: set[int] = set()  # not plain: kept while they have an instance
        read = [[read_statement(text) for text in forms] for forms in statements]
        # of each statement its clauses, as they are written
        self.clauses = [[clause for form in forms for clause in form.clauses] for forms in read]
        derived = {
            clause.head.key
            for forms in read
            for form in forms
            for clause in form.clauses
            if clause.head is not None
        }
        self._by_argument = {key: at for key, at in _BY_ARGUMENT.items() if key not in derived}
        self._by_card = {key: at for key, at in _BY_CARD.items() if key not in derived}
        for forms in read:
            for form in forms:
                form.clauses = [each for clause in form.clauses for each in self._apart(clause)]
                for clause in form.clauses:
                    self._name(clause)
        for number, forms in enumerate(read):
            for form in forms:
                if not form.plain:
                    self._kept.add(number)
                for clause in form.clauses:
                    self._rules.append(_Compiler(self, clause).rule(number))
        self.count = len(read)
        self._heads: dict[str, list[int]] = {}
        waiting: list[list[int]] = [[] for _ in self._place]
        for index, rule in enumerate(self._rules):
            if rule.head is not None:
                self._heads.setdefault(rule.head[0], []).append(index)
            places = {place for place, _ in rule.checks}
            places.update(place for where, _ in rule.variables for place in where)
            for place in places:
                waiting[place].append(index)
        self._waiting = waiting
        # what holds without any facts
        self._start = [0] * len(self._place)
        self._alive = [False] * len(self._rules)
        self._spread(self._start, self._alive, range(len(self._rules)))
        self._unplain = [n for n, rule in enumerate(self._rules) if rule.statement in self._kept]
        self._pairs: dict[tuple[int, int], int] = {}
        self._forms: dict[Form, int] = {}
        self._memo: dict[str, Fact] = {}
        self._alike: dict[tuple[Form, tuple[_Seed, ...]], Fact] = {}
        self._shapes: dict[str, tuple[int, _Seed]] = {}
        # of kinds met lately: the shapes at each place, and which rules have instances
        self._settled: OrderedDict[Kind, tuple[list[int], list[bool]]] = OrderedDict()

    def _apart(self, clause: Clause) -> list[Clause]:
        """The clause with the atoms told apart; one for each sort of card where it matters."""
        body: list[Lit] = []
        sorts: list[tuple[int, Fun, int]] = []
        for lit in clause.body:
            atom, at = lit.atom, self._by_argument.get(lit.atom.key)
            told = None if at is None else atom.args[at]
            if isinstance(told, Fun):
                lit = replace(lit, atom=Fun(f"{atom.name}={told.name}", atom.args))
            at = self._by_card.get(lit.atom.key)
            if at is not None:
                if lit.binds and isinstance(atom.args[at], Var):
                    sorts.append((len(body), atom, at))
                else:  # of any sort
                    lit = replace(lit, binds=False)
                    body += (replace(lit, atom=Fun(_of(atom.name, s), atom.args)) for s in _SORTS)
            body.append(lit)
        clauses = [replace(clause, body=body)]
        for place, atom, at in sorts:
            variable = atom.args[at]
            assert isinstance(variable, Var)
            ways = [(atom, ALL & ~_AWAY & ~_HELD)]
            ways += [(Fun(_of(atom.name, sort), atom.args), _SORTS[sort]) for sort in _SORTS]
            clauses = [
                replace(
                    each,
                    body=[*each.body[:place], Lit(told, True), *each.body[place + 1 :]],
                    narrow=[*each.narrow, (variable.name, mask)],
                )
                for each in clauses
                for told, mask in ways
            ]
        return clauses

    # names

    def _name(self, clause: Clause) -> None:
        for atom in ([clause.head] if clause.head else []) + [each.atom for each in clause.body]:
            self._name_place(atom.key, 0)
            for arg in atom.args:
                self._name_term(arg)
        for left, right in clause.equal:
            self._name_term(left)
            self._name_term(right)

    def _name_term(self, term: Term) -> None:
        if isinstance(term, Fun):
            key = term.key
            if key not in self._keys:
                bit = 1 << self._bits
                self._bits += 1
                if self._bits >= _BITS:
                    raise ValueError(f"more than {_BITS} shapes")
                self._keys[key] = bit
                if key.startswith("#") and key not in ("#inf/0", "#sup/0"):
                    self._numbers |= bit
                elif key.startswith('"'):
                    self._strings |= bit
            for arg in term.args:
                self._name_term(arg)

    def _name_place(self, owner: str, index: int) -> int:
        return self._place.setdefault((owner, index), len(self._place))

    def bit(self, key: str) -> int:
        """The set of this one shape."""
        return self._keys[key]

    @property
    def numbers(self) -> int:
        """The set of all numbers."""
        return self._numbers

    def there(self, predicate: str) -> int:
        """The place that says whether there is any atom of a predicate."""
        return self._name_place(predicate, 0)

    def argument(self, owner: str, index: int) -> int:
        """The place of an argument (from 1) of a predicate."""
        return self._name_place(owner, index)

    def inside(self, functor: str, index: int) -> int:
        """The place of an argument (from 1) of a functor."""
        return self._name_place(f"({functor}", index)

    # facts

    def fact(self, atom: str, sort: str = "", cards: Set[str] = frozenset()) -> Fact:
        """A fact (without its stop) as the rules see it; these cards are of that sort."""
        if sort:
            return self._fact(atom, sort, cards)
        known = self._memo.get(atom)
        if known is None:
            if len(self._memo) > 100_000:
                self._memo.clear()
            known = self._memo[atom] = self._fact(atom, sort, cards)
        return known

    def _fact(self, atom: str, sort: str, cards: Set[str]) -> Fact:
        name, _, rest = atom.partition("(")
        args = arguments(rest[:-1]) if rest else []
        key = f"{name}/{len(args)}"
        shapes = [self._shape(arg) for arg in args]
        masks = [
            _SORTS[sort] if mask == _OTHER and arg in cards else mask
            for arg, (mask, _) in zip(args, shapes, strict=True)
        ]
        keys = [key]
        at = self._by_argument.get(key)
        if at is not None:
            keys.append(f"{name}={args[at]}/{len(args)}")
        at = self._by_card.get(key)
        if at is not None and masks[at] in (_AWAY, _HELD):
            keys = [f"{_of(name, sort)}/{len(args)}"]
        form = tuple(keys), tuple(masks)
        alike = form, tuple([inner for _, inner in shapes])
        found = self._alike.get(alike)
        if found is None:
            found = keep(self._alike, alike, self._of_form(form, alike[1]), 100_000)
        return found

    def _of_form(self, form: Form, inside: tuple[_Seed, ...]) -> Fact:
        keys, masks = form
        out: list[tuple[int, int]] = []
        for key in keys:
            place = self._place.get((key, 0))
            if place is None:  # no rule speaks of it
                continue
            out.append((place, 1))
            for index, mask in enumerate(masks, start=1):
                place = self._place.get((key, index))
                if place is not None:
                    out.append((place, mask))
        if out:
            for inner in inside:
                out.extend(inner)
        kind = 0
        for pair in out:
            kind |= 1 << self._pairs.setdefault(pair, len(self._pairs))
        return Fact(kind, self._forms.setdefault(form, len(self._forms)))

    def forms(self, start: int = 0) -> Iterator[Form]:
        """The forms of facts by their numbers, from one on."""
        return islice(self._forms, start, None)

    def _shape(self, text: str) -> tuple[int, _Seed]:
        """The shape of a ground term, and those of what is in it."""
        known = self._shapes.get(text)
        if known is None:
            if len(self._shapes) > 100_000:
                self._shapes.clear()
            known = self._shapes[text] = self._read_shape(text)
        return known

    def _read_shape(self, text: str) -> tuple[int, _Seed]:
        if text[0] == '"':
            return self._strings, ()
        if text[0].isdigit() or text[0] == "-":
            return self._numbers, ()
        if len(text) > _LONG and "(" in text:
            return self._read_long(text)
        name, _, rest = text.partition("(")
        args = arguments(rest[:-1]) if rest else ()
        return self._whole(name, [self._shape(arg) for arg in args])

    def _read_long(self, text: str) -> tuple[int, _Seed]:
        """The same in one pass: where each level is read anew, it takes the square of the depth."""
        levels: list[tuple[str, list[tuple[int, _Seed]]]] = [("", [])]
        word = ""
        for token in tokens(text):
            if token == "(":
                levels.append((word, []))
                word = ""
            elif token not in (",", ")"):
                word = token
                continue
            elif word:
                levels[-1][1].append(self._shape(word))
                word = ""
            if token == ")":
                name, args = levels.pop()
                levels[-1][1].append(self._whole(name, args))
        return levels[0][1][0]

    def _whole(self, name: str, args: Sequence[tuple[int, _Seed]]) -> tuple[int, _Seed]:
        """The shape of a term with arguments of these shapes."""
        key = f"{name}/{len(args)}"
        inner: dict[tuple[int, int], None] = {}
        for index, (mask, deeper) in enumerate(args, start=1):
            place = self._place.get((f"({key}", index))
            if place is not None:
                inner[place, mask] = None
            inner.update(dict.fromkeys(deeper))
        return self._keys.get(key, _OTHER), tuple(inner)

    def kind(self, atoms: Iterable[str]) -> Kind:
        """The kind of a set of facts: equal kinds have equal slices."""
        kind = 0
        for atom in atoms:
            kind |= self.fact(atom).kind
        return kind

    # slices

    def slice(self, kind: Kind, shown: Iterable[str], base: Kind = 0, sure: bool = False) -> Chosen:
        """The statements that matter, by their numbers and in order.

        Args:
            kind: from ``kind``.
            shown: the predicates that are looked at, as `name/arity`.
            base: a part of the kind that others share; what comes of it is remembered.
            sure: no answer can be spoilt, so what chooses or refuses is needed no more than others.
        """
        return self._needed(*self._grown(kind, self._base(base), base), shown, sure)

    def alive(self, kind: Kind) -> set[int]:
        """The numbers of the statements that may have an instance, whatever is looked at."""
        _, alive = self._grown(kind, (self._start, self._alive), 0)
        return {rule.statement for rule, may in zip(self._rules, alive, strict=True) if may}

    def _base(self, kind: Kind) -> tuple[list[int], list[bool]]:
        """What a kind comes to. It is grown from the greatest lesser kind that is remembered."""
        found = self._settled.get(kind)
        if found is None:
            lesser = [each for each in self._settled if not each & ~kind]
            nearest = max(lesser, key=int.bit_count, default=0)
            start = self._settled.get(nearest, (self._start, self._alive))
            found = self._grown(kind, start, nearest)
            if len(self._settled) >= _BASES:
                self._settled.popitem(last=False)
            self._settled[kind] = found
        else:
            self._settled.move_to_end(kind)
        return found

    def _grown(
        self, kind: Kind, start: tuple[list[int], list[bool]], known: Kind
    ) -> tuple[list[int], list[bool]]:
        """What a kind comes to, from what a lesser one does."""
        places, alive = start[0].copy(), start[1].copy()
        stirred: set[int] = set()
        pairs = list(self._pairs)
        more = kind & ~known
        while more:
            low = more & -more
            more ^= low
            place, mask = pairs[low.bit_length() - 1]
            if mask & ~places[place]:
                places[place] |= mask
                stirred.update(self._waiting[place])
        self._spread(places, alive, sorted(stirred))
        return places, alive

    def _spread(self, places: list[int], alive: list[bool], start: Iterable[int]) -> None:
        """Adds to the places all that the rules derive, and says which rules have instances."""
        rules, waiting = self._rules, self._waiting
        queue = deque(start)
        queued = bytearray(len(rules))
        for index in queue:
            queued[index] = 1
        while queue:
            index = queue.popleft()
            queued[index] = 0
            rule = rules[index]
            masks = rule.masks(places)
            if masks is None:
                continue
            alive[index] = True
            for place, mask, var in rule.adds:
                if var >= 0:
                    mask &= masks[var]
                if mask & ~places[place]:
                    places[place] |= mask
                    for other in waiting[place]:
                        if not queued[other]:
                            queued[other] = 1
                            queue.append(other)

    def _needed(
        self, places: list[int], alive: list[bool], shown: Iterable[str], sure: bool
    ) -> Chosen:
        """Of the rules with instances those on which what is shown depends."""
        rules = self._rules
        wanted: dict[str, list[int]] = {}
        heads: dict[int, list[int]] = {}
        needed: set[int] = set()
        asked: set[tuple[str, tuple[int, ...]]] = set()
        masks_of: dict[int, list[int]] = {}

        def masks(index: int) -> list[int]:
            if index not in masks_of:
                masks_of[index] = rules[index].masks(places) or []
            return masks_of[index]

        def shapes(atom: _Atom, known: list[int]) -> list[int]:
            return [mask & known[var] if var >= 0 else mask for mask, var in atom[1]]

        demands: list[tuple[str, tuple[int, ...]]] = []

        def demand(atom: _Atom, known: list[int]) -> None:
            key = (atom[0], tuple(shapes(atom, known)))
            if key not in asked:
                asked.add(key)
                demands.append(key)

        def need(index: int) -> None:
            needed.add(index)
            known = masks(index)
            for atom in rules[index].body:
                demand(atom, known)

        # a rule that could spoil an answer stays as long as something in it may happen
        for index in self._unplain:
            if alive[index] and not sure:
                need(index)
        shown = list(shown)
        demands.extend((predicate, ()) for predicate in shown)
        while demands:
            predicate, asks = demands.pop()
            left: list[int] = []
            for index in wanted.get(predicate, self._heads.get(predicate, ())):
                if not alive[index]:
                    continue
                if index in needed:
                    continue
                if asks:
                    have = heads.get(index)
                    if have is None:
                        head = rules[index].head
                        assert head is not None
                        have = heads[index] = shapes(head, masks(index))
                    if not all(map(int.__and__, have, asks)):
                        left.append(index)
                        continue
                need(index)
            wanted[predicate] = left
        wanted_of: dict[str, list[tuple[int, ...]] | None] = dict.fromkeys(shown)
        for predicate, asks in asked:
            known = wanted_of.setdefault(predicate, [])
            if known is not None:
                known.append(asks)
        return Chosen(tuple(sorted({rules[index].statement for index in needed})), wanted_of)


def _of(name: str, sort: str) -> str:
    """The predicate of the atoms whose card is of that sort."""
    return f"{name}={sort}"


class _Compiler:
    """Puts a clause into numbers."""

    def __init__(self, slicer: Slicer, clause: Clause) -> None:
        self.slicer = slicer
        self.clause = clause
        self.checks: list[tuple[int, int]] = []
        self.names: dict[str, int] = {}
        self.variables: list[tuple[list[int], int]] = []
        self.adds: list[tuple[int, int, int]] = []

    def rule(self, statement: int) -> _Rule:
        clause, slicer = self.clause, self.slicer
        for each in clause.body:
            if each.binds:
                key = each.atom.key
                self.checks.append((slicer.there(key), 1))
                for index, arg in enumerate(each.atom.args, start=1):
                    self.bound(slicer.argument(key, index), arg)
        for name, mask in clause.narrow:
            self.narrow(name, mask)
        waiting = list(clause.equal)
        progress = True
        while progress:
            progress = False
            for pair in list(waiting):
                if self.equate(*pair) or self.equate(*reversed(pair)):
                    waiting.remove(pair)
                    progress = True
        for pair in waiting:  # nothing is known of it: anything may be in it
            self.made(*pair)
        head = None
        if clause.head is not None:
            key = clause.head.key
            self.adds.append((slicer.there(key), 1, -1))
            for index, arg in enumerate(clause.head.args, start=1):
                self.comes(slicer.argument(key, index), arg)
            head = self.atom(clause.head)
        body = tuple([self.atom(each.atom) for each in clause.body])
        variables = tuple([(tuple(where), mask) for where, mask in self.variables])
        return _Rule(statement, tuple(self.checks), variables, tuple(self.adds), head, body)

    def variable(self, name: str) -> int:
        """The number of a variable."""
        if name not in self.names:
            self.names[name] = len(self.variables)
            self.variables.append(([], ALL))
        return self.names[name]

    def narrow(self, name: str, mask: int) -> None:
        number = self.variable(name)
        where, known = self.variables[number]
        self.variables[number] = (where, known & mask)

    def bound(self, place: int, term: Term) -> None:
        """A term at a place of a positive literal."""
        slicer = self.slicer
        if isinstance(term, Sum):
            self.checks.append((place, slicer.numbers))
        elif isinstance(term, Var):
            if term.name != "_":
                self.variables[self.variable(term.name)][0].append(place)
        else:
            self.checks.append((place, self.mask(term)))
            for index, arg in enumerate(term.args, start=1):
                self.bound(slicer.inside(term.key, index), arg)

    def mask(self, term: Fun) -> int:
        """The set of the shape of a term."""
        return self.slicer.bit(term.key)

    def equate(self, left: Term, right: Term) -> bool:
        """One equation; whether all that it says is noted now."""
        if not isinstance(left, Var):
            if isinstance(right, Var):
                return False
            self.made(left, right)
            return True
        known = left.name in self.names
        if isinstance(right, Sum):
            self.narrow(left.name, self.slicer.numbers)
            return True
        if isinstance(right, Var):
            if right.name not in self.names:
                return False
            if not known:
                where, mask = self.variables[self.names[right.name]]
                self.variables[self.variable(left.name)] = (list(where), mask)
            return True
        if known:
            # taken apart: its arguments are arguments of that functor somewhere
            self.narrow(left.name, self.mask(right))
            for index, arg in enumerate(right.args, start=1):
                self.bound(self.slicer.inside(right.key, index), arg)
            return True
        if all(name in self.names for name in _names(right)):
            self.narrow(left.name, self.mask(right))
            for index, arg in enumerate(right.args, start=1):
                self.comes(self.slicer.inside(right.key, index), arg)
            return True
        return False

    def made(self, *terms: Term) -> None:
        """Terms of an equation of which we do not know what they are."""
        for term in terms:
            if isinstance(term, Fun):
                for index, arg in enumerate(term.args, start=1):
                    place = self.slicer.inside(term.key, index)
                    if isinstance(arg, Var):
                        self.adds.append((place, ALL, -1))
                    else:
                        self.comes(place, arg)

    def comes(self, place: int, term: Term) -> None:
        """A term that a rule makes comes to a place."""
        slicer = self.slicer
        if isinstance(term, Sum):
            self.adds.append((place, slicer.numbers, -1))
        elif isinstance(term, Var):
            self.adds.append((place, ALL, self.variable(term.name)))
        else:
            self.adds.append((place, self.mask(term), -1))
            for index, arg in enumerate(term.args, start=1):
                self.comes(slicer.inside(term.key, index), arg)

    def atom(self, atom: Fun) -> _Atom:
        return atom.key, tuple([self.source(arg) for arg in atom.args])

    def source(self, term: Term) -> _Source:
        if isinstance(term, Sum):
            return self.slicer.numbers, -1
        if isinstance(term, Fun):
            return self.mask(term), -1
        if term.name in self.names:
            return ALL, self.names[term.name]
        return ALL, -1


def _names(term: Term) -> Iterator[str]:
    if isinstance(term, Var):
        yield term.name
    elif isinstance(term, Fun):
        for arg in term.args:
            yield from _names(arg)
