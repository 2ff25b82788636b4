"""What the model speaks of: the terms of CONTRACT 3 and 4 that it reads; all else is unsupported.

The engine may know more terms than CONTRACT; a state with one of them is not the model's.
"""

from __future__ import annotations

from functools import cache

from pyengine.model import State
from tests.model.terms import Term, args, name, parse


class Unsupported(Exception):
    """Something that this model does not speak of."""


# sort -> the forms of its terms, each with the sorts of its arguments
FORMS: dict[str, str] = {
    "F": """any self other hero creature character type(word) class(word) element(word) neutral
        name(word) yours enemy open closed wounded cost_at_most(N) cost_at_least(N) has(word)
        and(F,*) or(F,*) not(F)""",
    "W": """any strike counter_strike attack shot spell ability targeted strength_at_most(N)
        from(F) and(W,*) or(W,*) not(W)""",
    "A": """armor(N) scales(N) prevent(AMOUNT,RENEWED,F,W) protection(W) no_wounds(W)
        wounds_only(W) redirect(F,W,F) instead_of_regeneration(F) strike_mod(Z) strike_mod(Z,F)
        strike_becomes(N,F) spell_mod(Z) mod(ATTRIBUTE,Z) is(SET,word) is(VALUE,N) cannot(V)
        cannot(V,F) cannot_be(V) cannot_be(V,F) may(MAY) must(V) must(V,F) lure(V,F) grant(F,A)
        gain(A) lose(word) directed_strike experience_attack experience_defence charge first_strike
        vulnerability superiority(F) regeneration(N) poison(N) vampirism(N) unique use(COST,E)
        spell(E)""",
    "E": """wound(N,S) heal(AMOUNT,S) destroy(S) open(S) close(S) shot(N,S)
        lay(A,S,UNTIL) both(E,E) then(E,E)""",
    "S": "self target(F) target(N) each(F) your_hero enemy_hero",
    "COST": "close once coins(N) wounds(N) chips(N) and(COST,*)",
    "V": "attack strike shoot defend play use act open close heal",
    "MAY": "attack act",
    "AMOUNT": "all N",
    "RENEWED": "each turn next",
    "ATTRIBUTE": "strike life cost",
    "SET": "element class",
    "VALUE": "strike life",
    "UNTIL": "leaves end_of_turn N",
}


@cache
def _forms(sort: str) -> list[tuple[str, tuple[str, ...]]]:
    """The forms of a sort as names with the sorts of their arguments."""
    out = []
    for form in FORMS[sort].split():
        head, _, inside = form.rstrip(")").partition("(")
        out.append((head, tuple(inside.split(",")) if inside else ()))
    return out


@cache
def knows(sort: str, term: Term) -> bool:
    """Whether a term is one that the model reads.

    >>> knows("A", parse("armor(2)")), knows("A", parse("armor(double(2))"))
    (True, False)
    """
    if sort in ("N", "Z"):
        return isinstance(term, int) and (sort == "Z" or term >= 0)
    if sort == "word":
        return isinstance(term, str)
    for head, sorts in _forms(sort):
        if head == "N" and knows("N", term):
            return True
        if head != name(term) or isinstance(term, int):
            continue
        inner = args(term)
        wanted = sorts[:-1] * len(inner) if sorts[-1:] == ("*",) else sorts
        if len(inner) == len(wanted) and all(map(knows, wanted, inner)):
            return True
    return False


def require(state: State) -> None:
    """Unsupported if an ability of the state is none that the model reads."""
    texts = {text for card in state.cards for text in card.abilities}
    for text in texts | {effect.ability for effect in state.effects}:
        # an aura that gives auras has a round more than the model goes
        if not knows("A", parse(text)) or text.count("grant(") > 1:
            raise Unsupported(f"term {text}")


__all__ = ["Unsupported", "knows", "require"]
