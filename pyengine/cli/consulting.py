"""``rules``, ``show``: what there is to look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from pyengine import explain
from pyengine.cli.options import JsonOption, LangOption, LimitOption, OnlyOption
from pyengine.cli.program import app
from pyengine.cli.reading import answering, default_engine, nearest, read_state
from pyengine.cli.writing import print_json, print_picture, tell
from pyengine.faults import Message, at, told
from pyengine.i18n import Lang, say
from pyengine.model import Card, Player, State, StateError

if TYPE_CHECKING:
    from pyengine.rulebook import Rule


_NEAR = 12  # rules that are named in place of one that there is not


@app.command("rules")
def rules_command(
    rule: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]",
            help="A rule, such as 509.3; left out: the list of all.",
            autocompletion=lambda: _rule_ids(),
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
    edition: OnlyOption = None,
) -> None:
    """The rulebook: all rules, or one with its reading, its encoding and its rulings.

    Example: [bold]pyengine rules 509.3[/bold]
    """
    with answering(lang, as_json, edition) as language:
        from pyengine.rulebook import rulebook

        book = rulebook()
        if rule is not None and rule not in book:
            raise StateError(
                [say("no_such_rule", language, rule=rule) + _near(rule, book, language)]
            )
        chosen = [
            entry
            for entry in (book.values() if rule is None else [book[rule]])
            if edition is None or entry.judges(edition)
        ]
        if rule is not None and not chosen:
            known = ", ".join(book[rule].editions)
            raise StateError([say("not_in_edition", language, rule=rule, known=known)])
        if as_json:
            traces = explain.Traces.load()
            entries = [explain.entry(item, traces) for item in chosen]
            print_json({"rules": entries} if rule is None else entries[0])
            return
        from pyengine import show

        if rule is None:
            print_picture(show.entries(chosen, language))
        else:
            print_picture(show.entry(chosen[0], explain.Traces.load(), language))


@app.command("show")
def show_command(
    state: Annotated[
        str | None,
        typer.Argument(
            metavar="[STATE]",
            help="A state file, YAML or JSON; - is standard input. A card of the sets needs none.",
            show_default=False,
        ),
    ] = None,
    card: Annotated[
        str | None,
        typer.Option(
            "--card",
            metavar="NAME",
            help="One card, by its id or name, and what its abilities mean.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
    lang: LangOption = None,
    limit: LimitOption = None,
) -> None:
    """The table as a picture; with --json the whole state, no default left out.

    On the picture strike, life and cost are what they are now, with all that changes them.

    Example: [bold]pyengine show table.yaml[/bold]
    """
    with answering(lang, as_json, None, limit) as language:
        if state is None:
            if card is None:
                raise StateError([at("STATE", "required_or", other="--card NAME")])
            _show_kind(card, as_json, language)
            return
        position = read_state(state, None, language)
        chosen = None if card is None else _card(position, card, language)
        values = None if chosen is None else default_engine().values(position, chosen.id)
        if as_json:
            whole = explain.whole(position)
            if chosen is not None and values is not None:
                card_ = whole["cards"][chosen.id] | {"in_force": explain.plain_record(values)}
                whole = {chosen.id: card_}
            print_json(whole)
        else:
            from pyengine import show

            print_picture(
                show.table(show.as_now(position, default_engine().all_values(position)), language)
                if chosen is None
                else show.card_whole(position, chosen, language, values)
            )


def _show_kind(name: str, as_json: bool, lang: Lang) -> None:
    """A card as it is printed. StateError with a near kind if there is none of that id or name."""
    from pyengine import show
    from pyengine.kinds import catalogue, unknown_kind

    kinds = catalogue()
    cards = (kind.card(id, "p1") for id, kind in kinds.items())
    found = next((card for card in cards if explain.called(card, name)), None)
    if found is None:
        raise StateError([Message("at", place="--card", text=unknown_kind(name, kinds))])
    kind = kinds[found.id]
    if kind.waits_for:
        tell(say("incomplete", lang, kind=kind.id))
    players = (("p1", Player()), ("p2", Player()))
    alone = State("p1", players, (found,), kind.edition)
    if as_json:
        print_json({found.id: explain.whole(alone)["cards"][found.id]})
    else:
        print_picture(show.card_whole(alone, found, lang))


def _card(state: State, name: str, lang: Lang) -> Card:
    """The first card of that id or name; StateError with a near id if there is none."""
    found = [card for card in state.cards if explain.called(card, name)]
    if not found:
        from pyengine.kinds import near_card

        near = told(near_card(name, state.cards), lang)
        raise StateError([say("no_such_card_here", lang, name=name) + near])
    return found[0]


def _rule_ids() -> list[str]:
    from pyengine.rulebook import rulebook

    return list(rulebook())


def _near(word: str, book: Mapping[str, Rule], lang: Lang) -> str:
    """The rules that begin with a word or that speak of it, else the one that is like it."""
    low = word.lower()
    found = [id for id in book if id.lower().startswith(low)]
    found += [
        id
        for id, rule in book.items()
        if low and id not in found
        if low in id.lower() or any(low in title.lower() for title in rule.title)
    ]
    if not found:
        return nearest(word, book, lang)
    more = ", …" if len(found) > _NEAR else ""
    return say("near_rules", lang, rules=", ".join(found[:_NEAR]) + more)
