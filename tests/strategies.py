"""What the vocabulary can say, drawn by hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from pyengine.terms import Entry, Slot, Term, check, vocabulary


def _numbers(bounds: tuple[int, int]) -> st.SearchStrategy[int]:
    """Mostly such as cards have, and the greatest."""
    low, high = bounds
    # 0 is drawn seldom: of two signatures with a number, one may ask for 1 or more
    return st.integers(max(low, 1), min(high, 5)) | st.integers(low, high)


def _argument(slot: Slot, depth: int) -> st.SearchStrategy[Term | int]:
    if slot.word:
        return st.just(Term(slot.word))
    sort = vocabulary().sorts[slot.sort]
    choices: list[st.SearchStrategy[Term | int]] = []
    if sort.numbers:
        choices.append(_numbers(sort.numbers))
    if sort.names:
        choices.append(st.sampled_from(sorted(sort.names)).map(Term))
    if sort.any_name:
        choices.append(st.sampled_from(["orc", "not", "on", "x_1"]).map(Term))
    entries = [entry for entry in sort.terms.values() if depth > 0 or _leaf(entry)]
    if entries:
        choices.append(st.sampled_from(entries).flatmap(lambda entry: _term(entry, depth - 1)))
    return st.one_of(choices)


def _leaf(entry: Entry) -> bool:
    recursive = ("ability", "effect", "card_filter", "wound_filter", "cost", "selector", "trigger")
    return any(all(slot.sort not in recursive for slot in form.slots) for form in entry.signatures)


@st.composite
def _term(draw: st.DrawFn, entry: Entry, depth: int) -> Term:
    forms = [
        form
        for form in entry.signatures
        # target(K) needs a K-th target; a random one has none.
        if all(slot.sort != "target_index" for slot in form.slots)
    ]
    form = draw(st.sampled_from(forms))
    slots = list(form.slots)
    if form.rest:
        slots += [form.slots[-1]] * draw(st.integers(0, 2))
    args = [_argument(slot, max(depth, 0)) for slot in slots]
    if entry.without:
        args[0] = args[0].filter(lambda arg: str(arg) not in entry.without)
    return Term(entry.name, tuple(draw(arg) for arg in args))


def abilities(depth: int = 3) -> st.SearchStrategy[Term]:
    """Any ability that the vocabulary can say, so deep."""
    entries = list(vocabulary().terms["ability"].values())
    found = st.sampled_from(entries).flatmap(lambda entry: _term(entry, depth))
    return found.filter(lambda term: not _out_of_place(term))


def _out_of_place(term: Term) -> bool:
    """Whether a word in it means nothing there, however deep: `unread`, `only_in`."""
    return any("means nothing within" in said or "by itself" in said for said in check(str(term)))
