"""Seeded faults: each rule set or card that has a fault is found, and what almost has it is not.

``seeds/CODE.yaml`` lists them. Of a rule set only what it has beside our rules counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from pyengine import Engine
from pyengine.audit import Finding, Scope, Witness
from pyengine.audit.awaited import come, opened
from pyengine.audit.candidates import abilities
from pyengine.audit.idle_abilities import idle_abilities
from pyengine.audit.idle_steps import idle_steps
from pyengine.audit.positions import any_shows, faults_of
from pyengine.audit.registry import Context, Job, Options, chosen, run
from pyengine.audit.replay import Evidence
from pyengine.audit.sources import sources
from pyengine.audit.stepping import Steps
from pyengine.audit.ties import all_ties, tied, ties, unordered
from pyengine.audit.useless import useless
from pyengine.audit.witness import smaller, sound
from pyengine.documents import data_folder
from pyengine.kinds import Kind
from pyengine.model import PyengineError, State
from pyengine.terms import Term, parse

SEEDS = {
    seed["seed"]: {"code": file.stem, **seed}
    for file in sorted((Path(__file__).parent / "seeds").glob("*.yaml"))
    for seed in yaml.safe_load(file.read_text(encoding="utf-8"))
}
NORMS = ("conflict", "tie", "unmeetable", "stuck")
TIES = [name for name in SEEDS if SEEDS[name]["code"] == "tie" and "change" in SEEDS[name]]
USELESS = ("dead", "shadowed", "redundant")
# by the codes that are looked for together how far; what a survey finds, it finds among few cards
SCOPES = {NORMS: Scope(cards=3, effects=1, numbers=2), USELESS: Scope(cards=3, effects=0)}


def rules_of(seed: dict[str, Any], folder: Path) -> Path | None:
    """The folder of the chapters that a seed changes or adds."""
    if "add" not in seed and "change" not in seed:
        return None
    root = data_folder("rules").parent
    if "add" in seed:
        (folder / f"{seed['seed']}.lp").write_text(seed["add"], encoding="utf-8")
    for change in seed.get("change", ()):
        path = folder / change["file"]
        text = (path if path.exists() else root / change["file"]).read_text(encoding="utf-8")
        assert change["from"] in text, "our chapter is another now: the seed does not fit"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text.replace(change["from"], change["to"]), encoding="utf-8")
    return folder


def context_of(seed: dict[str, Any], folder: Path) -> Context:
    cards = None
    if "cards" in seed:
        cards = folder / "cards.yaml"
        cards.write_text(yaml.safe_dump({"cards": seed["cards"]}), encoding="utf-8")
    (folder / "rules").mkdir()
    rules = rules_of(seed, folder / "rules")
    return Context(
        Options(
            cards=None if cards is None else str(cards),
            rules=None if rules is None else str(rules),
            sets=(), scope=SCOPES[NORMS], only=NORMS,
        )
    )  # fmt: skip


@cache
def usual() -> frozenset[tuple[str, tuple[str, ...]]]:
    """What the shipped rules are told of by themselves, whatever is declared."""
    report = Engine().check(sets=(), scope=SCOPES[NORMS], only=NORMS)
    assert all(each.answer != "undecided" for each in report.searched)
    return frozenset((finding.code, finding.rules) for finding in report.findings)


@cache
def evidence(options: Options) -> Evidence:
    """Kept: what rests on what in a program takes a second to find."""
    return Evidence(Context(options))


@cache
def steps(options: Options) -> Steps:
    return Steps(Context(options), evidence(options))


def on_steps(context: Context) -> list[str]:
    """The rules that a seed adds, changes or takes away, as far as a step depends on them."""
    if context.folder is None:
        return []
    both = evidence(context.options), evidence(Options())
    texts = [{source.text for source in each.every} for each in both]
    return [
        source.text
        for each, others in zip(both, reversed(texts), strict=True)
        for source in each.every
        if source.text not in others and each.bears_on_steps(source)
    ]


@pytest.mark.parametrize(
    "name", [name for name in SEEDS if SEEDS[name]["code"] in NORMS and name not in TIES]
)
def test_what_is_seeded_is_found_and_nothing_else(name: str, tmp_path: Path) -> None:
    """Asked is all that is looked for, but for the order of steps.

    That search asks the rules alone, and takes most of the time. It is gone through for the shipped
    rules (``usual``), and what no step depends on cannot change what it finds.
    """
    seed = SEEDS[name]
    context = context_of(seed, tmp_path)
    known = usual()
    assert not on_steps(context)
    done = [
        run(Job(context.options, each.name, None))
        for each in chosen(context).values()
        if not each.name.endswith(".ties.unordered")
    ]
    assert not any(each.errors or each.left for each in done)
    findings = [finding for each in done for finding in each.findings]
    found = [each for each in findings if (each.code, each.rules) not in known]
    codes = {finding.code for finding in found}
    assert codes == ({seed["code"]} if seed["fault"] else set())
    for finding in found:
        assert_no_smaller(context, finding)
    if "rules" in seed:
        assert any(set(seed["rules"]) <= set(finding.rules) for finding in found)
    if "witness" in seed:
        states = [finding.witness.state for finding in found if finding.witness is not None]
        assert min(len(state.cards) for state in states) == seed["witness"]["cards"]
        assert min(len(state.effects) for state in states) == seed["witness"]["effects"]


def assert_smallest(finding: Finding, shows: Callable[[State], bool]) -> None:
    """The witness shows the fault; without any one card, effect, ability or mark it is gone."""
    assert finding.witness is not None and shows(finding.witness.state)
    for less in smaller(finding.witness.state):
        assert not (sound(less) and shows(less)), less.to_yaml()


def assert_no_smaller(context: Context, finding: Finding) -> None:
    """The same of a fault of norms; of most that is told of all smaller positions in one program."""
    assert finding.witness is not None
    shows = partial(shows_norm, context, finding)
    less = [state for state in smaller(finding.witness.state) if sound(state)]
    # who has nothing to declare hangs on all that is there
    together = finding.code != "stuck" and not any_shows(context, (finding.code,), less)
    if together:
        assert shows(finding.witness.state)
    else:
        assert_smallest(finding, shows)


def shows_norm(context: Context, finding: Finding, state: State) -> bool:
    """Whether a position shows a fault of that code, of norms of the same rules."""
    faults = [row[0] for row in faults_of(context, (finding.code,), state)["shows"]]
    if finding.code == "conflict":
        pairs = [{str(arg).strip('"') for arg in fault.arguments[:2]} for fault in faults]
        return {*finding.rules} in pairs
    if finding.code == "unmeetable" and faults:
        # the same duty that other cards stand against is another fault
        assert finding.witness is not None
        return blamed(context, finding, finding.witness.state) <= blamed(context, finding, state)
    return bool(faults)


def blamed(context: Context, finding: Finding, state: State) -> set[tuple[str, str]]:
    """What the texts of cards say against the declaration of a witness."""
    assert finding.witness is not None and finding.witness.action is not None
    try:
        because = context.engine.verdict(state, finding.witness.action).because
    except PyengineError:
        return set()
    return {(reason.rule, reason.ability) for reason in because if reason.ability is not None}


@pytest.fixture(scope="module", params=[True, False])
def surveyed(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Context, list[Finding]]:
    """What is found of all rules that matter to no verdict, and of those that almost matter to none.

    They stand side by side, each in a chapter of its own, and a survey is made once.
    """
    folder = tmp_path_factory.mktemp("rules")
    for name in SURVEYED:
        if SEEDS[name]["fault"] == request.param:
            rules_of(SEEDS[name], folder)
    context = Context(Options(rules=str(folder), sets=(), scope=SCOPES[USELESS], only=USELESS))
    found = list(useless(context))
    assert not context.errors
    return context, found


SURVEYED = [
    name
    for name, seed in SEEDS.items()
    if seed["code"] in USELESS and not {"cards", "steps"} & seed.keys()
]


def test_rules_that_do_not_matter(surveyed: tuple[Context, list[Finding]]) -> None:
    context, findings = surveyed
    here = [path.stem for path in Path(context.options.rules or "").glob("*.lp")]
    assert len(here) >= 9
    for name in here:
        seed = SEEDS[name]
        found = [each for each in findings if each.places[0].file == f"{name}.lp"]
        assert [each.code for each in found] == [seed["code"]] * seed["fault"], name
        for finding in found:
            assert set(seed["rules"]) <= set(finding.rules)
            assert len(finding.places) == 1 + seed.get("by", 0)
            assert (finding.witness is None) == (finding.code == "dead")
            if finding.witness is not None:
                assert_smallest(finding, partial(shows_survey, context, finding))


def test_ours_are_told_of_as_they_are_without_them(
    surveyed: tuple[Context, list[Finding]],
) -> None:
    others = [each for each in surveyed[1] if each.places[0].file.removesuffix(".lp") not in SEEDS]
    assert [(each.code, each.places[0].file) for each in others] == [("shadowed", "rules.lp")]


@pytest.mark.parametrize("edition", ["heroes", "heroes_2", "classic"])
def test_every_rule_of_a_program_is_known_by_its_place(edition: str) -> None:
    known = evidence(Options(edition))
    for number, rule in zip(known.owners, known.program.rules, strict=True):
        assert str(rule) in map(str, known.every[number].copies)


def shows_survey(context: Context, finding: Finding, state: State) -> bool:
    """Whether the rule derives something; of a shadowed one, and others forbid the same, too."""
    (source,) = (
        each
        for each in sources("heroes", context.folder)
        if (each.file, each.line) == (finding.places[0].file, finding.places[0].line)
    )
    assert finding.witness is not None
    action = finding.witness.action
    named = () if action is None else [arg for arg in action.args if isinstance(arg, str)]
    if not {*named} <= {card.id for card in state.cards}:
        return False
    if not evidence(context.options).fires(Witness(state, action), source):
        return False
    if finding.code == "redundant":
        return True
    assert action is not None
    try:
        verdict = context.engine.verdict(state, action)
    except PyengineError:
        return False
    return not verdict.legal and len(verdict.because) > 1


def test_rules_of_how_a_game_begins(tmp_path: Path) -> None:
    """They are known by what leads to them, wherever they stand."""
    (tmp_path / "house.lp").write_text("""
% base.deck  who begins takes a card more
next(Q, 3, extra(P)) :- chosen(Q, begins(P)).
becomes(Q, C, zone, hand) :- item(Q, extra(P)), in_deck(P, C), deck(C, 1).
% base.deck  of an item that nothing leads to
becomes(Q, C, zone, hand) :- item(Q, nowhere(P)), in_deck(P, C), deck(C, 1).
% base.turn  with what a declaration leads to
next(Q, 3, extra_turn(P)) :- item(Q, declare(end_turn)), seat(Q, P).
""")
    evidence = Evidence(Context(Options(rules=str(tmp_path), sets=())))
    found = {evidence.every[number] for number in evidence.of_the_beginning()}
    assert sorted(rule.line for rule in found if rule.file == "house.lp") == [3, 4]
    opening = {rule for rule in evidence.every if rule.file == "rules/opening.lp"}
    # what is asked of a deck, too, is no step
    assert {rule.head for rule in opening - found} == {"first_hand/2"}
    assert {rule for rule in found if rule.file != "house.lp"} <= opening


@pytest.mark.parametrize("faulty", [True, False])
def test_rules_that_do_not_matter_to_a_step(faulty: bool, tmp_path: Path) -> None:
    """All stand side by side: the declarations of the rulings are gone through once."""
    seeds = {
        name: seed for name, seed in SEEDS.items() if seed.get("steps") and seed["fault"] == faulty
    }
    for seed in seeds.values():
        rules_of(seed, tmp_path)
    context = Context(Options(rules=str(tmp_path), sets=()))
    found = {each.places[0].file.removesuffix(".lp"): each for each in idle_steps(context)}
    assert not context.errors
    assert sorted(found) == sorted(seeds if faulty else ())
    for name, finding in found.items():
        assert finding.code == seeds[name]["code"]
        assert finding.rules == tuple(map(str, seeds[name]["rules"]))
        assert (finding.witness is None) == (finding.code == "dead")
        if finding.witness is not None:
            assert_smallest(finding, partial(shows_step, context, finding))


def shows_step(context: Context, finding: Finding, state: State) -> bool:
    """Whether the rule derives something in what comes of the declaration."""
    assert finding.witness is not None and finding.witness.action is not None
    whole = steps(context.options)
    (number,) = (n.number for n in whole.evidence.every if n.file == finding.places[0].file)
    action = finding.witness.action
    try:
        legal = action in context.engine.legal_actions(state)
        return legal and whole.fires(state, action, number)
    except PyengineError:
        return False


def beside(fault: bool) -> list[tuple[str, ...]]:
    """Of replacements and of triggers one each: they are of different chapters."""
    of: dict[str, list[str]] = {}
    for name in TIES:
        if SEEDS[name]["fault"] == fault:
            (file,) = {change["file"] for change in SEEDS[name]["change"]}
            of.setdefault(file, []).append(name)
    return list(zip(*of.values(), strict=True))


@pytest.mark.parametrize("names", [*beside(True), *beside(False)], ids=" ".join)
def test_what_has_no_order(names: tuple[str, ...], tmp_path: Path) -> None:
    """One finding tells of each, with a position from which nothing can be taken away."""
    seeds = [SEEDS[name] for name in names]
    for seed in seeds:
        rules_of(seed, tmp_path)
    context = Context(Options(rules=str(tmp_path), sets=()))
    found = list(unordered(context))
    assert not context.errors
    told = sorted(finding.rules for finding in found)
    assert told == sorted(tuple(seed["rules"]) for seed in seeds if seed["fault"])
    program = tied("heroes", tmp_path)
    for finding in found:
        witness = finding.witness
        assert witness is not None and witness.action is not None
        assert ties(program, witness.state, witness.action)
        less = [
            (state, witness.action)
            for state in smaller(witness.state)
            if sound(state) and witness.action in context.engine.legal_actions(state)
        ]
        assert not any(all_ties(context, less)), less


DEAD = [name for name in SEEDS if SEEDS[name]["code"] == "dead" and "cards" in SEEDS[name]]


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Finding]]:
    """What is found of the cards with abilities that never act, or almost never.

    They are looked at one by one, but positions of all of them are asked side by side.
    """
    cards = [
        {**card, "id": f"x{number}"}
        for number, name in enumerate(DEAD)
        for card in SEEDS[name]["cards"]
    ]
    file = tmp_path_factory.mktemp("cards") / "cards.yaml"
    file.write_text(yaml.safe_dump({"cards": cards}), encoding="utf-8")
    context = Context(Options(cards=str(file), sets=()))
    found = list(idle_abilities(context))
    assert not context.errors
    return file, found


@pytest.mark.parametrize("name", DEAD)
def test_abilities_that_never_act(name: str, idle: tuple[Path, list[Finding]]) -> None:
    """One ability is told of, the last of the card, and nothing if it can act."""
    seed, (file, findings) = SEEDS[name], idle
    found = [each for each in findings if each.cards == (f"x{DEAD.index(name)}",)]
    assert [finding.code for finding in found] == ["dead"] * seed["fault"]
    for finding in found:
        assert finding.places[0].file == str(file)
        assert seed["cards"][0]["abilities"][-1] in finding.text.en
        assert finding.text.en != finding.text.ru


def test_every_trigger_comes_to_some_card() -> None:
    """Among the positions that are asked; else a card that waits for it would be told of."""
    heads = [parse(text).args[0] for text in abilities() if text.startswith("on(")]
    # the wounds of a spell are its own, and a spell in the hand waits for nothing
    waits = sorted(
        {opened(head) for head in heads if isinstance(head, Term)} - {"dealt(any,spell)"}
    )
    shoots = "use(once,shot(1,target(any)))"
    kinds = {
        f"x{number}": Kind(
            f"x{number}", "creature", strike=1, life=5,
            abilities=(shoots, f"on({trigger},open(self))"),
        )
        for number, trigger in enumerate(waits)
    }  # fmt: skip
    context = Context(Options(sets=()))
    context.__dict__["kinds"] = kinds
    met = come(context, {id: {2} for id in kinds})
    never = [waits[number] for number in range(len(waits)) if not met[f"x{number}"]]
    assert len(waits) > 20 and not never


def test_an_ability_that_hangs_on_what_is_not_generated_is_undecided(tmp_path: Path) -> None:
    cards = tmp_path / "cards.yaml"
    text = "cards: [{id: x, type: creature, life: 3, abilities: ['grant(attacked,charge)']}]"
    cards.write_text(text, encoding="utf-8")
    context = Context(Options(cards=str(cards), sets=()))
    assert not list(idle_abilities(context))
    (left,) = context.left
    assert "grant(attacked,charge)" in left.en and left.en != left.ru


def test_every_ability_of_set_22_can_act() -> None:
    assert not list(idle_abilities(Context(Options())))


def test_there_are_three_of_each() -> None:
    for code in {seed["code"] for seed in SEEDS.values()}:
        faults = [seed["fault"] for seed in SEEDS.values() if seed["code"] == code]
        assert faults.count(True) >= 3 and faults.count(False) >= 3
