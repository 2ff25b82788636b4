"""The rulebook: complete, in both languages, in our own words, and true to its documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pyengine.documents import data_folder, parse_document
from pyengine.model import EDITIONS, StateError
from pyengine.rulebook import (
    KINDS,
    Rule,
    Words,
    faults,
    fill,
    fragments,
    load_rulebook,
    rule,
    rulebook,
    text,
)

SHARED = Path(__file__).resolve().parents[2] / "shared"
CHAPTERS = data_folder("facts") / "rulebook"
needs_shared = pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="no ../shared here")

# the rules by which declarations are judged (CONTRACT 5), illegal and legal
DECIDING = [
    "509.1", "509.2", "509.3", "509.4", "511.1", "514.1", "514.2", "514.3", "517.2", "523.1",
    "524.1", "524.2", "525.1", "525.2", "525.3", "base.acted", "base.attack", "base.closed",
    "base.cost", "base.first_turn", "base.hero", "base.move", "base.obligation", "base.once",
    "base.strike", "base.target", "base.turn", "base.zone",
]  # fmt: skip
CONSTANT_ABILITIES = [
    "armor", "scales", "prevent", "protection", "no_wounds", "wounds_only", "redirect",
    "instead_of_regeneration", "strike_mod", "strike_becomes", "spell_mod", "mod", "is", "cannot",
    "cannot_be", "may", "must", "lure", "grant", "gain", "lose", "directed_strike",
    "experience_attack", "experience_defence", "charge", "first_strike", "vulnerability",
    "superiority", "regeneration", "poison", "vampirism", "unique",
]  # fmt: skip


def readings() -> Iterator[Rule]:
    """Every rule, and every other reading of it."""
    for entry in rulebook().values():
        yield entry
        yield from entry.revisions


def clauses(entry: Rule) -> Iterator[tuple[str, Words]]:
    for part, words in (("reason", entry.reason), ("step", entry.step)):
        if words is not None:
            yield part, words
    yield from ((f"reasons.{name}", words) for name, words in entry.reasons)
    yield from ((f"steps.{name}", words) for name, words in entry.steps)


def all_words() -> Iterator[tuple[str, Words]]:
    for entry in readings():
        for part in ("title", "says", "example"):
            words = getattr(entry, part)
            if words is not None:
                yield f"{entry.chapter}.{entry.id}.{part}", words
        for name, words in clauses(entry):
            yield f"{entry.chapter}.{entry.id}.{name}", words


# ---------------------------------------------------------------- what is there


@pytest.mark.parametrize("rule_id", DECIDING)
def test_what_decides_a_declaration_says_so(rule_id: str) -> None:
    assert rulebook()[rule_id].reason is not None


@pytest.mark.parametrize("rule_id", ["514.1", "525.1"])
def test_illegality_tells_its_situations_apart(rule_id: str) -> None:
    situations = ("lure", "protection", "repeated", "missing", "zone")
    told = {text(rule_id, "reason", "en", name) for name in (*situations, "any other")}
    assert len(told) == len(situations) + 1


@pytest.mark.parametrize("name", CONSTANT_ABILITIES)
def test_each_constant_ability_has_an_entry(name: str) -> None:
    assert rulebook()[f"keyword.{name}"].kind == "keyword"


@needs_shared
@pytest.mark.parametrize("name", ["RULEBOOK.md", "CONTRACT.md"])
def test_every_rule_cited_in_the_handed_texts_is_there(name: str) -> None:
    page = (SHARED / name).read_text("utf-8")
    cited = set(re.findall(r"\b5(?:0[89]|1[0-9]|2[345])[PV]?(?:\.[0-9]+)+|\bbase\.[a-z_]+", page))
    # the numbers that the page itself calls faults of the documents
    assert cited - {"515.1", "515.6"} <= set(rulebook())


@needs_shared
def test_every_rule_cited_by_a_handed_ruling_is_there_in_its_edition() -> None:
    for file in sorted((SHARED / "rulings").glob("*.yaml")):
        for ruling in yaml.safe_load_all(file.read_text("utf-8")):
            edition = ruling["state"].get("edition", "heroes")
            for cited in ruling["cites"]:
                assert edition in rulebook()[cited].editions, (ruling["ruling"], cited)


def test_editions_and_kinds() -> None:
    for entry in readings():
        assert entry.editions and set(entry.editions) <= set(EDITIONS), entry.id
        assert entry.kind in KINDS
        assert (entry.kind == "keyword") == entry.id.startswith("keyword."), entry.id
        assert entry.sources, entry.id
    for entry in rulebook().values():
        for revision in entry.revisions:
            assert set(revision.editions) < set(entry.editions), entry.id


def test_the_order_is_that_of_the_numbers() -> None:
    ids = list(rulebook())
    for earlier, later in zip(
        ["508.4.3", "509.5", "515P.2", "516.1", "516.1.2", "517.6.1", "525.3", "base.zone"],
        ["508.5", "510.1", "515V.1", "516.1.1", "516.2", "518.1", "base.acted", "base.board"],
        strict=True,
    ):
        assert ids.index(earlier) < ids.index(later), (earlier, later)


def test_the_later_revision_reads_four_rules_differently() -> None:
    changed = {e.id for e in rulebook().values() if e.within("heroes_2") is not e}
    assert changed == {"516.4", "517.3.1", "517.6.1"}
    assert rule("base.overwrite").editions == ("heroes_2",)
    assert text("516.4", "example", edition="heroes").endswith("p1 decides.")
    assert text("516.4", "example", edition="heroes_2").endswith("p2 decides.")
    assert rule("516.4", "heroes_2").title == rule("516.4").title


# ---------------------------------------------------------------- how it is written


def test_each_language_is_written_in_its_own_letters() -> None:
    for place, words in all_words():
        bare = re.sub(r"\{[a-z]+\}", "", words.ru)
        assert not re.search("[а-яё]", words.en.lower()), place
        assert re.search("[а-яё]", bare.lower()), place
        # numbers of rules, N and the players of the examples are all there is of Latin letters
        assert set(re.findall(r"\w*[A-Za-z]\w*", bare)) <= {"N", "p1", "p2"}, place


def test_readings_are_short() -> None:
    for place, words in all_words():
        if place.endswith(".title"):
            assert max(map(len, words)) <= 60, place
        elif place.endswith((".says", ".example")):
            for told in words:
                assert told.endswith("."), place
                assert 1 <= len(re.findall(r"[.!?](?=\s|$)", told)) <= 4, place


def test_clauses_can_be_joined() -> None:
    for entry in readings():
        for name, words in clauses(entry):
            for told in words:
                place = f"{entry.id}.{name}: {told}"
                name_of_the_game = told.startswith(("Чешуя", "Броня", "Активный"))
                assert told[0] == "{" or told[0].islower() or name_of_the_game, place
                assert not told.endswith((".", "!", "?")), place


def test_both_languages_of_a_clause_name_the_same_things() -> None:
    counted = {"wounds", "coins", "cards"}
    for entry in readings():
        for name, words in clauses(entry):
            en, ru = (
                {"value" if part in counted else part for part in re.findall(r"\{(\w+)\}", told)}
                for told in words
            )
            assert en == ru, f"{entry.id}.{name}"


def test_in_russian_a_noun_stands_before_every_name() -> None:
    """So that a name needs no case, and a clause without the name is still a sentence."""
    for entry in readings():
        for name, words in clauses(entry):
            for before in re.findall(r"(\S*)\s*\{(?:by|agent|target)\}", words.ru):
                noun = r"(карт|существ|геро|цел|игрок)[а-яё]*|и"
                assert re.fullmatch(noun, before), f"{entry.id}.{name}: {words.ru}"


@needs_shared
def test_the_wording_is_ours() -> None:
    """No run of eight words is that of a fragment or of a page about the rules."""
    run = 8
    pages = [*(SHARED / "seeds").glob("*.txt"), SHARED / "RULEBOOK.md", SHARED / "CONTEXT.md"]
    theirs = set()
    for page in pages:
        words = _words(page.read_text("utf-8"))
        theirs |= {tuple(words[at : at + run]) for at in range(len(words) - run + 1)}
    assert len(theirs) > 5000
    for place, pair in all_words():
        for told in pair:
            words = _words(told)
            for at in range(len(words) - run + 1):
                assert tuple(words[at : at + run]) not in theirs, (place, words[at : at + run])


def _words(page: str) -> list[str]:
    return re.findall(r"[^\W_]+", page.lower())


# ---------------------------------------------------------------- where it comes from


@needs_shared
def test_every_paragraph_of_the_fragments_is_accounted_for_once() -> None:
    for fragment in fragments():
        lines = [
            line.strip()
            for line in (SHARED / "seeds" / fragment.document).read_text("utf-8").splitlines()
            if line.strip()
        ]
        assert len(lines) == fragment.paragraphs
        here = [
            (entry.id, source)
            for entry in rulebook().values()
            for source in entry.sources
            if source.document == fragment.document
        ]
        used = Counter(place for _, source in here for place in source.paragraphs())
        used.update(section.position for section in fragment.sections)
        assert used == Counter(range(1, len(lines) + 1)), fragment.document

        starts = [(i, s.position, s.printed) for i, s in here if s.position is not None]
        starts += [(p.title.en, p.position, p.printed) for p in fragment.sections]
        for name, position, printed in starts:
            number = re.match(r"(5[0-9]{2}(?:\.[0-9]+)*)\.?", lines[position - 1])
            assert (number[1] if number else None) == printed, (fragment.document, name)
        for name, source in here:
            for position, printed in source.examples:
                example = re.match(r"ПРИМЕР(?: ([0-9]+))?[.:]|Например", lines[position - 1])
                assert example and example[1] == printed, (fragment.document, name)
            if source.refers:
                assert source.position is not None
                for reference in source.refers:
                    wanted = reference.replace("part", "части")
                    assert wanted in lines[source.position - 1], (fragment.document, name)
            if source.empty:
                following = {section.position for section in fragment.sections}
                assert source.position is not None and source.position + 1 in following


def test_the_faults_of_the_documents_follow_from_their_places() -> None:
    found = [(fault.code, fault.rules) for fault in faults()]
    for expected in [
        ("number_twice", ("515P.1", "515V.1")),
        ("number_shared", ("515P.1", "515V.1", "515V.3", "515V.6")),
        ("number_in_one_copy", ("515V.3", "515V.6")),
        ("number_in_one_copy", ("517.3.1", "517.3.2", "517.5")),
        ("dangling_reference", ("517.2",)),
        ("dangling_reference", ("517.6",)),
        ("broken_promise", ()),
        ("empty_rule", ("508.5",)),
        ("lone_example", ("524.1",)),
        ("editions_disagree", ("514.3", "525.1")),
    ]:
        assert expected in found
    for fault in faults():
        for told in (fault.text("en"), fault.text("ru")):
            assert told and "{" not in told
    by_code = {fault.code: fault.text() for fault in faults()}
    assert by_code["number_skipped"].endswith(": 508.1, 508.2, 508.3, 513")
    assert "516 follows 515.6" in by_code["number_shared"]


def test_without_its_mistakes_a_document_has_no_faults() -> None:
    sound = {
        entry.id: entry
        for entry in rulebook().values()
        if entry.id in ("509.1", "509.2", "510.1", "510.2")
    }
    assert faults(sound, [f for f in fragments() if f.document.startswith("000")]) == ()
    assert faults(sound, [f for f in fragments() if f.document.startswith("003")]) == ()


# ---------------------------------------------------------------- sentences


def test_a_clause_is_chosen_by_situation_then_by_ability() -> None:
    lure = text("514.1", "reason", by="guard", ability="lure(attack,any)")
    assert lure == text("514.1", "reason", "en", "lure", by="guard")
    assert lure.startswith("guard obliges")
    assert text("514.1", "reason", ability="spell(heal(1,self))") == text("514.1", "reason")
    permitted = text("base.turn", "reason", "en", "nonesuch", "permit")
    assert permitted != text("base.turn", "reason")
    strike = text("508.4.1", "step", what="strike(ork,gabriel)", by="ork", value=3)
    assert strike == "ork: the strike comes to 3"


def test_a_rule_without_a_clause_answers_with_its_title() -> None:
    assert text("516.2", "reason") == rule("516.2").title.en
    assert text("base.hero", "example") == ""
    assert text("516.2", lang="ru") == rule("516.2").title.ru


def test_an_unknown_rule_is_a_key_error() -> None:
    with pytest.raises(KeyError, match=r"509\.9"):
        text("509.9")


@pytest.mark.parametrize(
    ("value", "en", "ru"),
    [
        (1, "1 wound", "1 рану"),
        (3, "3 wounds", "3 раны"),
        (5, "5 wounds", "5 ран"),
        (11, "11 wounds", "11 ран"),
        (0, "0 wounds", "0 ран"),
        (22, "22 wounds", "22 раны"),
        (None, "wounds", "раны"),
    ],
)
def test_numbers_agree_with_their_nouns(value: int | None, en: str, ru: str) -> None:
    assert fill("{wounds}", "en", {"value": value}) == en
    assert fill("{wounds}", "ru", {"value": value}) == ru


def test_every_clause_is_a_sentence_even_when_nothing_is_named() -> None:
    for entry in readings():
        for _, words in clauses(entry):
            for lang in ("en", "ru"):
                told = fill(words.of(lang), lang, {})
                assert "{" not in told and "  " not in told and not re.search(r" [,.:;]", told)


# ---------------------------------------------------------------- loading


def test_the_chapters_have_no_duplicate_keys() -> None:
    for path in sorted(CHAPTERS.glob("*.yaml")):
        assert parse_document(path.read_text("utf-8"), path.name, 1_000_000).faults == []


WELL = """
- id: "509.1"
  kind: rule
  editions: [heroes]
  title: {en: A title, ru: Заглавие}
  says: {en: It is so., ru: Это так.}
  reason: {en: "{agent} may", ru: "карта {agent} может"}
  source: [{document: full game, printed: null, position: null}]
"""


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"509.1"', '"9.1"', "is no id"),
        ("kind: rule", "kind: law", "not one of rule"),
        ("[heroes]", "[chess]", "are not editions"),
        ("[heroes]", "[]", "are not editions"),
        ("[heroes]", "[heroes]\n  lent: [heroes]", "are not other editions"),
        (", ru: Заглавие", "", "not a text in en and ru"),
        ("{agent} may", "{value} may", "{value} cannot be filled in here"),
        ("reason:", "reasons:", "without a general reason"),
        ("  says: {en: It is so., ru: Это так.}\n", "", "has no says"),
        ("kind: rule", 'kind: rule\n  see: ["509.9"]', "'509.9' is no rule"),
        ("kind: rule", "kind: rule\n  colour: red", "no key of a rule"),
        ("document: full game", "file: full game", "source"),
        ('- id: "509.1"', '- revises: "509.9"', "which is no rule"),
    ],
)
def test_a_faulty_entry_is_refused(tmp_path: Path, old: str, new: str, fault: str) -> None:
    (tmp_path / "well.yaml").write_text(WELL, "utf-8")
    assert list(load_rulebook(tmp_path)) == ["509.1"]
    assert old in WELL
    (tmp_path / "well.yaml").write_text(WELL.replace(old, new), "utf-8")
    with pytest.raises(StateError, match=re.escape(fault)):
        load_rulebook(tmp_path)


def test_an_id_is_used_once(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(WELL, "utf-8")
    with pytest.raises(StateError, match="is in one already"):
        load_rulebook(tmp_path)
