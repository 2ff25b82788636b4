"""Ability terms: the grammar, the vocabulary, and faults that point into the text."""

from __future__ import annotations

import pickle
import re
import string
import time
from typing import Any

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyengine import terms
from pyengine.documents import data_folder, parse_document
from pyengine.model import State, StateError
from pyengine.terms import Term, TermError, canonical, check, parse, vocabulary
from tests.model.abilities import abilities

# Each row of CONTRACT 4 at least once, and each form of it.
CONTRACT = """
armor(2)
scales(1)
prevent(1,each,and(yours,creature),any)
prevent(all,turn,self,shot)
prevent(4,next,self,any)
protection(and(attack,from(element(steppe))))
protection(spell)
no_wounds(counter_strike)
wounds_only(strike)
redirect(and(yours,other),or(strike,shot),hero)
instead_of_regeneration(and(creature,other))
strike_mod(2)
strike_mod(-2)
strike_mod(2,and(hero,enemy))
strike_becomes(1,hero)
spell_mod(1)
mod(strike,-1)
mod(life,2)
mod(cost,-3)
is(element,neutral)
is(class,orc)
is(strike,0)
is(life,4)
cannot(attack)
cannot(attack,not(element(darkness)))
cannot_be(shoot)
cannot_be(strike,cost_at_most(3))
may(act)
may(attack)
may(chips)
must(attack)
must(attack,enemy)
lure(attack,enemy)
grant(and(enemy,creature),may(chips))
gain(armor(1))
lose(armor)
lose(all)
directed_strike
experience_attack
experience_defence
charge
first_strike
vulnerability
superiority(class(orc))
regeneration(4)
poison(1)
vampirism(2)
unique
on(hire,draw(1))
once_on(death,discard(2))
may_on(announced(creature),mill(3))
on(attack,destroy(target(creature)))
on(strike,close(it))
on(shot,to_hand(target_by_opponent(creature)))
on(dealt(hero,strike),both(open(self),attack_again(self)))
on(turn_start,heal(1,your_hero))
on(turn_end,wound(1,enemy_hero))
on(any_turn_start,coins(1))
on(any_turn_end,summon(and(creature,cost_at_least(2))))
on(played(type(spell)),revive(creature))
use(close,shot(3,target(and(enemy,character))))
use(coins(2),take_control(target(creature)))
use(and(close,coins(1),once),give_control(self))
use(wounds(1),heal(all,target(wounded)))
use(chips(2),strip(armor,target(has(armor))))
spell(wound(3,each(and(enemy,creature))))
spell(lay(strike_mod(-2),target(creature),end_of_turn))
spell(lay(cannot(act),target(or(open,closed)),leaves))
spell(lay(charge,self,7))
spell(both(wound(1,target(any)),then(wound(1,target(neutral)),heal(1,target(2)))))
spell(delayed(turn_end,wound(1,target(name(ork)))))
delayed(death,create(egg))
protection(not(and(targeted,or(ability,strength_at_most(2)))))
""".strip().splitlines()


@pytest.mark.parametrize("text", CONTRACT)
def test_every_term_of_the_contract_is_accepted_and_canonical(text: str) -> None:
    assert check(text) == []
    assert canonical(text) == text


@pytest.mark.parametrize(
    "verb",
    ["attack", "strike", "shoot", "defend", "play", "use", "act", "open", "close", "heal", "chips",
     "move", "reveal", "hide"],
)  # fmt: skip
def test_every_verb_of_the_contract_is_known(verb: str) -> None:
    for text in (f"cannot({verb})", f"cannot_be({verb},any)", f"may({verb})", f"lure({verb},any)"):
        assert check(text) == []


def test_every_word_of_the_vocabulary_is_explained_in_both_languages() -> None:
    for entries in vocabulary().terms.values():
        for entry in entries.values():
            assert re.search("[a-z]", entry.en), entry
            assert re.search("[а-я]", entry.ru), entry
    for sort in vocabulary().sorts.values():
        assert sort.en and re.search("[а-я]", sort.ru), sort


# ---------------------------------------------------------------- grammar


def test_the_tree_has_places_and_compares_without_them() -> None:
    term = parse("on( dealt(hero, not(strike)),  wound(-2, self) )")
    assert str(term) == "on(dealt(hero,not(strike)),wound(-2,self))"
    assert term == parse(str(term)) and hash(term) == hash(parse(str(term)))
    text = "on( dealt(hero, not(strike)),  wound(-2, self) )"
    for part in term.walk():
        assert text[part.start : part.end].replace(" ", "") == str(part)
        for value, (start, end) in zip(part.args, part.spots, strict=True):
            assert text[start:end].replace(" ", "") == str(value)
    assert pickle.loads(pickle.dumps(term)) == term


def test_terms_of_the_same_name_differ_by_arguments() -> None:
    assert parse("armor(1)") != parse("armor(2)")
    assert parse("a(b,c)") != parse("a(c,b)")
    assert parse("a(1)") != Term("a", (Term("b"),))


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("armor(1", 6, "')' is missing"),
        ("spell(wound(1,self)", 6, "')' is missing"),
        ("armor(1))", 9, "closes nothing"),
        ("armor()", 7, "nothing between"),
        ("armor(1,)", 9, "argument is missing"),
        ("armor(,1)", 7, "argument is missing"),
        ("armor(1),armor(2)", 9, "second term"),
        ("armor(1) armor(2)", 10, "parted"),
        ("a(1)(2)", 5, "must follow a name"),
        ("(a)", 1, "must follow a name"),
        ("a((b))", 3, "must follow a name"),
        ("armor(1+2)", 8, "'+' may not stand"),
        ("armor(2-1)", 8, "parted"),
        ("armor(2 - 1)", 9, "'-' may stand only"),
        ("armor(--1)", 7, "'-' may stand only"),
        ("-armor(1)", 1, "'-' may stand only"),
        ("armor(1..3)", 8, "'.' may not stand"),
        ("armor(1;2)", 8, "';' may not stand"),
        ("armor(2*3)", 8, "'*' may not stand"),
        ("armor(X)", 7, "'X' may not stand"),
        ("armor(_)", 7, "begins no name"),
        ("name('x')", 6, "may not stand"),
        ('name("x")', 6, "may not stand"),
        ("a:-b", 2, "':' may not stand"),
        ("a%b", 2, "'%' may not stand"),
        ("a.", 2, "'.' may not stand"),
        ("#sup", 1, "'#' may not stand"),
        ("not'(a)", 4, "may not stand"),
        ("броня(1)", 1, "may not stand"),
        ("a\x00b", 2, "may not stand"),
        ("armor(01)", 7, "begins with 0"),
        ("armor(1a)", 8, "parted"),
        ("5", 1, "a number alone"),
        ("armor(1000001)", 7, "limit of 1,000,000"),
        ("armor(-" + "9" * 5000 + ")", 7, "limit of 1,000,000"),
    ],
)
def test_what_is_no_term_is_refused_with_its_column(text: str, column: int, says: str) -> None:
    with pytest.raises(TermError) as error:
        parse(text)
    (fault,) = error.value.faults
    assert fault.startswith(f"column {column} of ") and says in fault
    assert len(fault) < 200
    assert check(text) == [fault]


@pytest.mark.parametrize("text", ["", "  ", "\n"])
def test_nothing_is_no_term(text: str) -> None:
    assert check(text) == ["is empty"]


def test_not_is_a_name_although_clingo_reserves_it() -> None:
    assert check("cannot(attack,not(not(hero)))") == []
    assert parse("not(hero)").name == "not"
    assert parse("not").name == "not"


def test_names_of_clingo_directives_and_functions_are_plain_names() -> None:
    for word in ("true", "false", "inf", "sup", "show", "sum", "minimize", "include"):
        assert str(parse(f"class({word})")) == f"class({word})"


def test_a_thousand_levels_give_one_clear_fault_quickly() -> None:
    before = time.perf_counter()
    for text in ("not(" * 1000 + "hero" + ")" * 1000, "not(" * 1000, "(" * 10_000):
        (fault,) = check(text)
        assert "nested more than 64 deep" in fault or "must follow a name" in fault
    assert time.perf_counter() - before < 0.5


def test_the_limit_of_depth_is_exact() -> None:
    deep = "a(" * terms.MAX_DEPTH + "b" + ")" * terms.MAX_DEPTH
    assert str(parse(deep)) == deep
    with pytest.raises(TermError, match="64 deep"):
        parse(f"a({deep})")


def test_a_long_text_is_refused_before_it_is_kept() -> None:
    text = "and(" + ",".join(["hero"] * 3000) + ")"
    assert check(text) == ["is longer than the limit of 10,000 characters"]
    with pytest.raises(TermError, match="10,000"):
        canonical(text)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    for text in ("a(", "1+", "a..b", '"', "-", "a(b", "#inf", "@f(1)"):
        assert check(text)
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------- vocabulary


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("armr(1)", "column 1 of 'armr(1)': 'armr' is not an ability; did you mean armor?"),
        ("zzzz", "is not an ability; did you mean"),
        (
            "cannot(atack)",
            "column 8 of 'cannot(atack)': 'atack' is not a verb; did you mean attack?",
        ),
        ("grant(creatur,charge)", "did you mean creature?"),
        ("lose(armour)", "'armour' is not the name of an ability; did you mean armor?"),
        ("armor", "armor takes (a number of 1 or more); none given"),
        ("armor(1,2)", "armor takes (a number of 1 or more); 2 given"),
        ("charge(1)", "charge takes no arguments, 1 given"),
        (
            "strike_mod(1,hero,self)",
            "takes (an amount to add (it may be negative)) or (an amount to add (it may be negative),"
            " a card filter); 3 given",
        ),
        (
            "spell(wound(1,target(creatur)))",
            "column 22 of 'spell(wound(1,target(creatur)))': 'creatur' is not a card filter; did you"
            " mean creature?",
        ),
        ("use(close,wound(1,target(hreo)))", "'hreo' is not a card filter; did you mean hero?"),
        ("mod(strik,1)", "'strik' is not one of strike, life, cost; did you mean strike?"),
        ("grant(and(hero),charge)", "and takes (a card filter, a card filter, …); 1 given"),
        ("armor(0)", "column 7 of 'armor(0)': 0 is below 1"),
        ("poison(-1)", "-1 is below 1"),
        ("spell(wound(-1,self))", "-1 is below 0"),
        ("armor(hero)", "'hero' is a card filter, where a number of 1 or more must stand"),
        ("grant(5,charge)", "5 is a number, where a card filter must stand"),
        ("grant(shot,charge)", "where a card filter must stand"),
        ("no_wounds(hero)", "'hero' is a card filter, where a wound filter must stand"),
        ("wound(1,self)", "'wound' is an effect, where an ability must stand"),
        ("spell(armor(1))", "'armor' is an ability, where an effect must stand"),
        ("is(colour,red)", "'colour' is not one of element, class, strike, life"),
        ("is(strike,red)", "'red' is not an amount (0 or more)"),
        ("mod(lief,1)", "did you mean life?"),
        ("spell(heal(al,self))", "did you mean all?"),
        ("prevent(all,ever,self,any)", "'ever' is not a renewal"),
        ("grant(type(creture),charge)", "'creture' is not a type of card; did you mean creature?"),
        ("lose(all(x))", "all takes no arguments"),
        ("grant(class(orc(1)),charge)", "orc is a name here and takes no arguments"),
        ("spell(lay(charge,self,soon))", "'soon' is not a time limit"),
        ("spell(lay(wound(1,self),self,leaves))", "'wound' is an effect, where an ability"),
    ],
)
def test_what_the_vocabulary_does_not_have(text: str, says: str) -> None:
    (fault,) = check(text)
    assert says in fault


def test_every_fault_of_a_term_is_reported_in_order() -> None:
    found = check("on(deth,both(wond(1,self),wound(-1,targt(hero))))")
    assert [int(re.match(r"column (\d+)", fault)[1]) for fault in found] == [4, 14, 33, 36]  # type: ignore[index]


def test_a_long_term_is_shown_around_the_fault() -> None:
    text = "spell(wound(3,target(and(creature,enemy,open,wounded,cost_at_most(3),neutrl,other))))"
    (fault,) = check(text)
    assert "neutrl" in fault and "did you mean neutral?" in fault
    assert f"column {text.index('neutrl') + 1} of '…" in fault


@pytest.mark.parametrize(
    "text",
    [
        "spell(both(wound(1,target(creature)),heal(1,target(1))))",
        "spell(both(heal(1,target(1)),wound(1,target(creature))))",
        "spell(both(wound(1,target(any)),both(wound(1,target(any)),close(target(2)))))",
        "use(close,then(close(target(creature)),wound(1,target(1))))",
        "grant(hero,on(hire,both(open(target(any)),close(target(1)))))",
    ],
)
def test_a_target_may_be_named_again(text: str) -> None:
    assert check(text) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("spell(heal(1,target(1)))", "has no target to name again"),
        ("spell(both(wound(1,target(any)),heal(1,target(2))))", "only 1 target"),
        ("spell(wound(1,target(0)))", "0 is below 1"),
        ("spell(both(wound(1,each(any)),heal(1,target(1))))", "no target"),
        # An ability laid or delayed chooses its own targets: the outer ones are over by then.
        ("spell(both(open(target(any)),delayed(turn_end,close(target(1)))))", "no target"),
        ("spell(both(open(target(any)),lay(on(hire,close(target(1))),self,leaves)))", "no target"),
        ("spell(both(delayed(turn_end,close(target(any))),open(target(1))))", "no target"),
    ],
)
def test_a_target_that_does_not_exist_cannot_be_named_again(text: str, says: str) -> None:
    (fault,) = check(text)
    assert says in fault


def test_kinds_that_an_ability_creates_are_told() -> None:
    text = "on(death,both(create(egg), create(dragon)))"
    assert terms.kinds_named(text) == (("egg", 21), ("dragon", 34))


def test_other_sorts_can_be_checked() -> None:
    assert check("and(hero,open)", "card_filter") == []
    assert check("wound(1,target(creature))", "effect") == []
    assert check("armor(1)", "effect") != []


def test_checking_what_was_seen_is_fast() -> None:
    texts = CONTRACT[:60]
    for text in texts:
        check(text)
    best = min(_timed(texts) for _ in range(5))
    assert best < 0.002


def _timed(texts: list[str]) -> float:
    before = time.perf_counter()
    for text in texts:
        check(text)
        canonical(text)
    return time.perf_counter() - before


# ---------------------------------------------------------------- the vocabulary file


def _vocabulary(**sections: object) -> dict[str, object]:
    sorts = {name: {"en": "x", "ru": "x"} for name in ("ability", "card_filter")}
    return {"sorts": sorts, "terms": sections}


@pytest.mark.parametrize(
    ("term", "says"),
    [
        ({"takes": ["card_filtr"], "en": "x", "ru": "x"}, "'card_filtr' is no sort"),
        ({"take": [], "en": "x", "ru": "x"}, "take: unknown key; did you mean takes?"),
        ({"en": "x"}, "ru: is required"),
    ],
)
def test_a_faulty_vocabulary_is_refused(term: dict[str, object], says: str) -> None:
    with pytest.raises(StateError, match=re.escape(says)):
        terms.build_vocabulary(_vocabulary(ability={"strange": term}))


def test_an_entry_is_all_that_a_new_amount_term_needs() -> None:
    file = data_folder("facts") / "vocabulary.yaml"
    document = parse_document(file.read_bytes(), file.name).value
    amounts = document["terms"].setdefault("amount", {})
    amounts["tally"] = {"takes": ["card_filter"], "en": "how many match", "ru": "сколько подходит"}
    known = terms.build_vocabulary(document)
    assert "tally" in known.sorts["amount"].terms and "tally" in known.sorts["change"].terms


# ---------------------------------------------------------------- properties


@settings(max_examples=300, deadline=None)
@given(abilities())
def test_whatever_the_vocabulary_can_say_is_accepted(text: str) -> None:
    assert check(text) == []
    assert str(parse(text)) == text
    assert canonical(text.replace(",", " , ")) == text


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=string.ascii_lowercase[:3] + "1(),- _.", max_size=30))
def test_what_is_accepted_reads_in_clingo_the_same(text: str) -> None:
    try:
        term = parse(text)
    except TermError as error:
        assert all(fault.startswith("column ") or fault == "is empty" for fault in error.faults)
        return
    assert str(clingo.parse_term(text)) == str(term)


@settings(max_examples=200, deadline=None)
@given(abilities(), st.integers(0, 200), st.sampled_from("()x1,- "))
def test_a_damaged_term_is_reported_not_raised(text: str, place: int, damage: str) -> None:
    place %= len(text) + 1
    for damaged in (text[:place] + damage + text[place:], text[:place] + text[place + 1 :]):
        for fault in check(damaged):
            assert fault.startswith("column ") or fault == "is empty"


def test_meanings_are_those_of_the_place_where_a_word_stands() -> None:
    found = terms.meanings("on(dealt(any,strike),lay(cannot(strike,any),self,leaves))")
    assert [(entry.section, entry.name) for entry in found] == [
        ("ability", "on"),
        ("trigger", "dealt"),
        ("card_filter", "any"),
        ("wound_filter", "strike"),
        ("effect", "lay"),
        ("ability", "cannot"),
        ("verb", "strike"),
        ("selector", "self"),
        ("until", "leaves"),
    ]
    assert terms.meanings("no term (") == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            "grant(not(greatest(cost,any)),charge)",
            "'greatest(cost,any)' means nothing within grant,",
        ),
        ("grant(any,while(exists(by_play),charge))", "'by_play' means nothing within while,"),
        (
            "grant(cost_at_most(count(any)),charge)",
            "'cost_at_most(count(any))' means nothing within",
        ),
        ("while(fails(died(self)),charge)", "column 13 of"),
        ("on(attack,if(by(not(targeted)),draw(1)))", "'targeted' means nothing within by,"),
        (
            "while(at_least(plus(1,strike(self)),2),charge)",
            "'strike(self)' means nothing within while,",
        ),
        ("mod(life,count(strike_at_least(1)))", "'strike_at_least(1)' means nothing within mod,"),
        ("use(coins(1),wound(1,it))", "'it' means nothing within use,"),
        ("use(once,wound(1,it))", "; it is told in may_instead, instead, on(hire), on(death),"),
        (
            "use(once,wound(1,that))",
            "; it is told in spell, both, then, otherwise, choose_any, repeat",
        ),
        ("while(exists(by_play),charge)", "; it is told in an effect, as it is carried out"),
        (
            "use(once,both(wound(1,target(any)),repeat(2,wound(1,target(1)))))",
            "no target to name again; within repeat its own targets are counted",
        ),
        ("spell(if(is_it(any),draw(1)))", "'is_it(any)' means nothing within spell,"),
        ("spell(wound(1,agent))", "'agent' means nothing within spell,"),
        ("spell(both(reveal_top(any,to_hand(it)),wound(1,it)))", "column 48 of"),
        ("on(turn_start,wound(1,agent))", "'agent' means nothing within on(turn_start),"),
        ("on(attack,wound(number,it))", "'number' means nothing within on(attack),"),
        ("spell(delayed(draws(you),wound(excess,self)))", "means nothing within delayed(draws),"),
        ("strike_mod(wounds(it))", "'it' means nothing within strike_mod,"),
        ("use(once,wound(1,that))", "'that' means nothing within use,"),
        ("on(attack,both(wound(1,that),draw(1)))", "'that' means nothing within on(attack),"),
        ("grant(card(self),charge)", "'card(self)' means nothing within grant,"),
        ("on(played(card(self)),draw(1))", "'card(self)' means nothing within on,"),
        ("grant(same_name(self),charge)", "'same_name(self)' means nothing within grant,"),
        ("while(exists(class(chosen)),charge)", "'class(chosen)' means nothing within while,"),
        (
            "on(attack,lay(grant(class(chosen),charge),self,leaves))",
            "'class(chosen)' means nothing within grant,",
        ),
        (
            "on(attack,lay(grant(card(self),charge),self,leaves))",
            "'card(self)' means nothing within grant,",
        ),
        (
            "on(attack,lay(while(fits(it,creature),charge),self,leaves))",
            "'it' means nothing within while,",
        ),
        (
            "on(dealt(any,any),lay(use(once,wound(number,self)),self,leaves))",
            "'number' means nothing within use,",
        ),
        (
            "on(attack,wound(1,giver))",
            "'giver' selects nothing by itself; it stands in card(giver),",
        ),
        ("on(attack,if(fits(giver,any),draw(1)))", "'giver' selects nothing by itself"),
        # targets are chosen before anything is done, each by what can be seen without the others
        (
            "spell(wound(1,target(same_name(target(1)))))",
            "'target(1)' means nothing within target,",
        ),
        (
            "spell(both(wound(1,target(any)),wound(1,up_to(cost_at_most(wounds(that))))))",
            "'that' means nothing within up_to,",
        ),
        (
            "spell(revive(cost_at_most(wounds(target(any)))))",
            "'target(any)' means nothing within revive,",
        ),
        # nobody chooses for what is constant
        (
            "prevent(wounds(target(any)),turn,any,any)",
            "'target(any)' means nothing within prevent,",
        ),
        ("mod(strike,wounds(pick(hand,any)))", "'pick(hand,any)' means nothing within mod,"),
        ("while(at_least(wounds(up_to(any)),1),charge)", "means nothing within while,"),
        (
            "spell(lay(mod(strike,wounds(target_by_opponent(any))),self,leaves))",
            "'target_by_opponent(any)' means nothing within mod,",
        ),
        ("spell(lay(mod(life,wounds(target(any))),self,leaves))", "means nothing within mod,"),
        # these speak of a card that is known, and choose none
        (
            "spell(wound(1,each(same_name(target(any)))))",
            "'target(any)' means nothing within same_name,",
        ),
        ("spell(wound(1,each(card(enemy_hero))))", "'enemy_hero' means nothing within card,"),
        ("use(and(once,close(self)),draw(1))", "'self' means nothing in close, which takes"),
        ("use(close(each(yours)),draw(1))", "'each' means nothing in close, which takes target"),
        ("use(close(up_to(yours)),draw(1))", "'up_to' means nothing in close, which takes target"),
        ("may(destroy)", "column 5 of 'may(destroy)': 'destroy' means nothing in may"),
        ("cannot(target)", "column 8 of 'cannot(target)': 'target' means nothing in cannot"),
        ("grant(any,must(summon,any))", "'summon' means nothing in must, which takes attack"),
        ("withstands(attack,any)", "means nothing in withstands, which takes open, close, heal"),
    ],
)
def test_a_verb_without_meaning_is_a_fault(text: str, fault: str) -> None:
    (found,) = check(text)
    assert fault in found


@pytest.mark.parametrize(
    "text",
    [
        "cannot_be(target)",
        "cannot(summon)",
        "withstands(destroy,any)",
        "may(defend)",
        "grant(cost_at_most(3),charge)",
        "on(attack,if(by(from(strike_at_least(2))),draw(excess)))",
        "on(attack,lay(mod(strike,strike(self)),self,leaves))",
        "on(attack,lay(wound_mod(2,self,from(card(giver))),it,leaves))",
        "while(exists(any),on(attack,draw(count(by_play))))",
        "use(once,both(wound(1,target(any)),wound(1,that)))",
        "spell(wound(1,that))",
        "spell(delayed(attack,wound(1,agent)))",
        "spell(reveal_top(any,if(is_it(creature),to_hand(it))))",
        "spell(choose_number(3,wound(number,target(any))))",
        "spell(both(choose_class(draw(1)),wound(1,each(class(chosen)))))",
        "spell(choose_class(lay(grant(class(chosen),armor(1)),your_hero,leaves)))",
        "spell(lay(grant(card(target(1)),charge),target(any),leaves))",
        "on(dealt(any,any),lay(mod(strike,number),self,leaves))",
        "on(attack,lay(grant(card(it),charge),self,leaves))",
        "instead(any,any,if(by(attack),wound(number,agent)))",
        "spell(lay(wounds_become(half(number),next,self,any),your_hero,leaves))",
        "grant(card(ork),charge)",
        # what is paid for it is a target, too, and the first
        "use(close(target(yours)),both(wound(1,target(any)),wound(1,target(2))))",
        "spell(lay(use(close(target(yours)),wound(1,target(1))),target(any),leaves))",
    ],
)
def test_a_verb_with_meaning_is_none(text: str) -> None:
    assert check(text) == []


def test_a_card_may_be_called_like_a_word() -> None:
    """As `self` here: what is laid on it, or with it in mind, is written down with its id."""
    laid = "grant(card(self),charge)"
    assert check(laid) != [] and check(laid, ids="self") == []
    assert check("grant(card(it),charge)", ids="self") != []
    for name in ("self", "it"):
        document: dict[str, Any] = {
            "active": "p1",
            "players": {"p1": {}, "p2": {}},
            "cards": {name: {"type": "creature", "life": 1, "owner": "p1"}},
            "effects": [{"card": name, "ability": f"grant(card({name}),charge)"}],
        }
        state = State.from_dict(document)
        assert State.from_dict(state.to_dict()) == state
        document["cards"]["ork"] = document["cards"].pop(name)
        document["effects"][0]["card"] = "ork"
        with pytest.raises(StateError, match="means nothing within grant"):
            State.from_dict(document)


def test_of_a_part_it_is_not_known_what_is_at_hand() -> None:
    assert check("wound(number,it)", "effect") == check("card(self)", "card_filter") == []
    assert check("delayed(turn_start,wound(1,agent))", "effect") != []
