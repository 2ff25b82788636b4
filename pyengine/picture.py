"""Explanations as pictures: the tree of norms of a verdict, and the tree of outcomes.

Graphviz lays them out; here is what stands in them. What colour says is said by words and by the
shape or the line too. Needs the extra `pyengine[picture]` and the program `dot`.
"""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import graphviz

from pyengine import explain
from pyengine.files import write_whole
from pyengine.i18n import Lang, many, say
from pyengine.model import Action, Choice, Explanation, Node, Outcome, State, StateError
from pyengine.rulebook import text

FORMATS = ("svg", "png", "pdf")
MOST_OUTCOMES = 150  # in one picture; more cannot be read
MOST_STEPS = 14  # of one outcome; the rest is counted
WIDTH = 38  # columns of a line in a box

_FONT = "sans-serif"
_MARGIN = "0.14,0.09"
_INDENT = "&#160;" * 4  # of what goes on from the line before
_INK, _DIM = "#1c1b1f", "#5f5b66"
_GREEN, _RED = "#1b6e34", "#a3231d"
_STYLES = {
    "": "{}",
    "title": '<FONT POINT-SIZE="16"><B>{}</B></FONT>',
    "bold": "<B>{}</B>",
    "dim": f'<FONT COLOR="{_DIM}">{{}}</FONT>',
}
# what a norm does: its colours, and the shape and the line that say the same
_LOOKS: dict[str, dict[str, str]] = {
    "permits": {"color": _GREEN, "fillcolor": "#e8f5ea", "style": "rounded,filled"},
    "forbids": {
        "color": _RED,
        "fillcolor": "#fdeceb",
        "shape": "octagon",
        "penwidth": "2",
        "margin": "0,0.02",
    },
    "yields": {"color": _DIM, "fillcolor": "#f4f3f6", "style": "rounded,filled,dashed"},
    "fact": {"color": "#9a96a3", "fillcolor": "#ffffff", "shape": "note", "penwidth": "0.8"},
}


def norms(state: State, item: Explanation, lang: Lang) -> graphviz.Digraph:
    """What permits a declaration, what forbids it, which principle decided, on which facts."""
    verdict = item.verdict
    key = "is_legal" if verdict.legal else "is_illegal"
    graph = _graph(say(key, lang, action=verdict.action), state, lang)
    graph.attr(rankdir="LR")
    look = _LOOKS["permits" if verdict.legal else "forbids"]
    sign = "✓" if verdict.legal else "✗"
    head = say("declared", lang)
    root = _label([(head, "dim"), (f"{sign} {verdict.action}", "bold")])
    graph.node("root", root, **{**look, "shape": "box", "peripheries": "2", "margin": _MARGIN})
    for place, node in enumerate(item.tree):
        name = f"n{place}"
        kind = "permits" if verdict.legal else "forbids"
        told = explain.told(state, verdict, node, lang)
        title = text(node.rule, "title", lang, edition=state.edition)
        said = [(f"{sign} {say(kind, lang)}", "dim"), (f"{node.rule} {title}", "bold"), (told, "")]
        graph.node(name, _label(said), **_LOOKS[kind])
        graph.edge("root", name, color=look["color"], penwidth="1.6", dir="back")
        for number, child in enumerate(node.children):
            _ground(graph, f"{name}_{number}", name, child, (state, item), lang)
    return graph


def _ground(
    graph: graphviz.Digraph,
    name: str,
    above: str,
    node: Node,
    about: tuple[State, Explanation],
    lang: Lang,
) -> None:
    """What stands below a norm: a fact that it rests on, or a norm that it overcomes."""
    state, item = about
    if not node.rule:
        told = explain.told(state, item.verdict, node, lang)
        graph.node(name, _label([(say("fact", lang), "dim"), (told, "")]), **_LOOKS["fact"])
        graph.edge(above, name, arrowhead="none", style="dotted")
        return
    would = say("would_forbid" if item.verdict.legal else "would_permit", lang)
    title = text(node.rule, "title", lang, edition=state.edition)
    said = [(f"↓ {would}", "dim"), (f"{node.rule} {title}", "bold")]
    if node.by is not None:
        said.append((explain.named(state, node.by, lang), ""))
    graph.node(name, _label(said), **_LOOKS["yields"])
    principle = text(node.fact, "title", lang, edition=state.edition)
    decided = [(say("decides_by", lang), "dim"), (f"{node.fact} {principle}", "bold")]
    graph.edge(above, name, _label(decided, 22), style="dashed", arrowhead="tee")


def outcomes(
    state: State, action: Action, found: Sequence[Outcome], lang: Lang
) -> graphviz.Digraph:
    """The choices of a declaration as a tree, with an outcome at the end of each branch.

    Raises:
        StateError: there are more outcomes than can be read.
    """
    if len(found) > MOST_OUTCOMES:
        told = many("outcomes", len(found), lang)
        raise StateError([say("picture_too_large", lang, told=told, most=MOST_OUTCOMES)])
    graph = _graph(f"{action}: {many('outcomes', len(found), lang)}", state, lang)
    graph.attr(rankdir="LR")
    root = _label([(say("declared", lang), "dim"), (f"✓ {action}", "bold")])
    graph.node("root", root, **{**_LOOKS["permits"], "peripheries": "2"})
    numbers = {id(outcome): number for number, outcome in enumerate(found, 1)}
    _branch(graph, "root", "", state, [(outcome, 0) for outcome in found], numbers, lang)
    return graph


def _branch(
    graph: graphviz.Digraph,
    above: str,
    edge: str,
    state: State,
    found: Sequence[tuple[Outcome, int]],
    numbers: dict[int, int],
    lang: Lang,
) -> None:
    """Draws what comes after so many choices that these outcomes have in common."""
    ended = [outcome for outcome, depth in found if depth == len(outcome.choices)]
    for outcome in ended:
        name = f"o{numbers[id(outcome)]}"
        graph.node(
            name, _end(state, outcome, numbers[id(outcome)], len(numbers), lang), shape="box"
        )
        graph.edge(above, name, edge)
    asked: dict[tuple[object, ...], list[tuple[Outcome, int]]] = {}
    for outcome, depth in found:
        if depth < len(outcome.choices):
            choice = outcome.choices[depth]
            key = (choice.player, choice.rule, choice.options)
            asked.setdefault(key, []).append((outcome, depth))
    for place, group in enumerate(asked.values()):
        outcome, depth = group[0]
        choice = outcome.choices[depth]
        name = f"c{numbers[id(outcome)]}_{depth}_{place}"
        chance = choice.player is None
        graph.node(
            name,
            _question(choice, state, lang),
            shape="diamond" if chance else "hexagon",
            color="#7a4b00" if chance else "#26418f",
            fillcolor="#fff4de" if chance else "#e9eefc",
        )
        graph.edge(above, name, edge)
        chosen: dict[str, list[tuple[Outcome, int]]] = {}
        for outcome, depth in group:
            chosen.setdefault(outcome.choices[depth].chosen, []).append((outcome, depth + 1))
        for option, below in chosen.items():
            table = explain.meanwhile(state, below[0][0])
            label = _label([(explain.term(table, option, lang), "")], 24)
            _branch(graph, name, label, state, below, numbers, lang)
        for number, option in enumerate(dict.fromkeys(choice.options)):
            if option not in chosen:
                same = f"{name}_s{number}"
                graph.node(
                    same, _label([(say("same_outcome", lang), "dim")], 20), **_LOOKS["yields"]
                )
                label = _label([(explain.term(state, option, lang), "dim")], 24)
                graph.edge(name, same, label, style="dashed", color=_DIM)


def _question(choice: Choice, state: State, lang: Lang) -> str:
    asked = (
        say("chance_decides", lang)
        if choice.player is None
        else say("chooses", lang, player=choice.player)
    )
    title = text(choice.rule, "title", lang, edition=state.edition)
    return _label([(asked, "bold"), (f"{choice.rule} {title}", "dim")], 22)


def _end(state: State, outcome: Outcome, number: int, count: int, lang: Lang) -> str:
    """An outcome: its steps in words, and what has changed."""
    table = explain.meanwhile(state, outcome)
    title = say("outcome", lang, n=number, all=count) if count > 1 else say("only_outcome", lang)
    if outcome.ways != 1:
        title += f" ({many('ways', outcome.ways, lang)})"
    lines = [(title, "bold")]
    for place, step in enumerate(outcome.trace[:MOST_STEPS], 1):
        lines.append((f"{place}. {explain.step(table, step, lang)} ({step.rule})", "dim"))
    if len(outcome.trace) > MOST_STEPS:
        rest = len(outcome.trace) - MOST_STEPS
        lines.append((f"… {many('more_steps', rest, lang)}", "dim"))
    lines.append((say("changes", lang), "bold"))
    told = explain.grouped(state, outcome.state, lang)
    lines += [(f"• {about}: {'; '.join(said)}", "") for about, said in told]
    if outcome.state.pending is not None and outcome.state.pending.defender is None:
        lines.append((f"» {say('waits_defender', lang)}", "bold"))
    elif not told:
        lines.append((f"• {say('no_changes', lang)}", ""))
    return _label(lines, 46)


# --- drawing -------------------------------------------------------------------------------------


def _graph(title: str, state: State, lang: Lang) -> graphviz.Digraph:
    below = explain.heading(state, lang)
    return graphviz.Digraph(
        graph_attr={
            "label": _label([(title, "title"), (below, "dim")], 90),
            "labelloc": "t",
            "fontname": _FONT,
            "fontcolor": _INK,
            "bgcolor": "white",
            "pad": "0.3",
            "nodesep": "0.25",
            "ranksep": "0.7",
        },
        node_attr={
            "fontname": _FONT,
            "fontsize": "11",
            "fontcolor": _INK,
            "shape": "box",
            "style": "filled",
            "fillcolor": "white",
            "color": _DIM,
            "margin": _MARGIN,
        },
        edge_attr={
            "fontname": _FONT, "fontsize": "10", "fontcolor": _INK, "color": _DIM,
            "arrowsize": "0.7",
        },
    )  # fmt: skip


def _label(lines: Iterable[tuple[str, str]], width: int = WIDTH) -> str:
    """A label of several lines, wrapped; each is plain or `title`, `bold` or `dim`."""
    out = ""
    for line, look in lines:
        indent = _INDENT if line[:1].isdigit() or line.startswith("•") else ""
        for place, part in enumerate(textwrap.wrap(line, width) or [""]):
            shown = html.escape("".join(sign if sign.isprintable() else "�" for sign in part))
            shown = _STYLES[look].format((indent if place else "") + shown)
            out += f'{shown}<BR ALIGN="LEFT"/>'
    return f"<{out}>"


def save(graph: graphviz.Digraph, path: str, lang: Lang) -> None:
    """Writes the picture to a file, whose ending says what it is; `.dot`: the source of it.

    Raises:
        StateError: it cannot be drawn or written.
    """
    file = Path(path)
    ending = file.suffix.removeprefix(".").lower()
    if ending not in (*FORMATS, "dot"):
        known = ", ".join(f".{each}" for each in (*FORMATS, "dot"))
        raise StateError([say("picture_ending", lang, path=path, known=known)])
    try:
        drawn = graph.source.encode() if ending == "dot" else graph.pipe(format=ending)
    except graphviz.ExecutableNotFound:
        raise StateError([say("no_dot", lang)]) from None
    except graphviz.CalledProcessError as error:
        raise StateError([say("dot_failed", lang, why=str(error.stderr or error)[:200])]) from None
    write_whole(file, drawn)
