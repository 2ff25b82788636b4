"""Playing at the terminal: two people, people and bots, at one table.

A person sees the table as that player does (``State.observed_by``), what happened since that
player's last look, and the legal actions; what happened names no card that the player cannot see.
Nothing here knows a rule: `Game` is asked for everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from pyengine import explain, show
from pyengine.engine import Engine
from pyengine.game import Bot, Game
from pyengine.gamelog import LogFile
from pyengine.i18n import COMMANDS, Lang, many, say
from pyengine.model import VERBS, Action, Fork, PyengineError, State, StateError, Step


class Terminal(Protocol):
    """Where the people sit."""

    def tell(self, picture: RenderableType) -> None:
        """Prints something."""

    def ask(self, prompt: str) -> str | None:
        """A line that a person types; None: there will be no more."""

    def clear(self) -> None:
        """Takes away what was printed, where that can be done."""


class Stop(Exception):
    """A person stops playing, or nobody is there any more."""


class _TakeBack(Exception):
    """A person takes back a declaration that is being carried out."""


class Table:
    """The people and bots who play a game.

    Args:
        terminal: where the people sit.
        lang: the language to speak.
        bots: the players that are bots; the others are people.
        aloud: whether actions and tables are told though no person plays.
    """

    def __init__(
        self, terminal: Terminal, lang: Lang, bots: Mapping[str, Bot], aloud: bool = False
    ) -> None:
        self.terminal = terminal
        self.lang = lang
        self.bots = bots
        self.aloud = aloud
        self._at: str | None = None  # the person who looks
        self._told: dict[str, int] = {}  # how many actions each person has been told

    # -- the game

    def redeal(self, state: State, player: str) -> Sequence[str]:
        """Which cards of the first hand that player puts under the deck."""
        hand = [card for card in state.cards if card.zone == "hand" and card.owner == player]
        if player in self.bots:
            return self.bots[player].redeal([card.id for card in hand])
        self._seat(state, player)
        self._say(say("redeal_head", self.lang, player=player))
        leader = [card for card in state.cards if card.zone == "play" and card.owner == player]
        self.terminal.tell(show.side_by_side(state, [*leader, *hand], self.lang))
        lines = [f"  {n}  {explain.label(card, self.lang)}" for n, card in enumerate(hand, 1)]
        self._say("\n".join([say("redeal_ask", self.lang, player=player), *lines]))
        while True:
            line = self._line(player)
            numbers = line.replace(",", " ").split()
            command = _command(line)
            wrong = [n for n in numbers if not (n.isdecimal() and 1 <= int(n) <= len(hand))]
            if command == "help":
                self._say(say("redeal_ask", self.lang, player=player))
            elif wrong:
                self._wrong(say("no_such_number", self.lang, n=wrong[0]))
            else:
                return list(dict.fromkeys(hand[int(n) - 1].id for n in numbers))

    def play(
        self,
        game: Game,
        log: LogFile | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> None:
        """Plays a game to its end. Stop: a person has had enough."""
        turn = 0
        while (player := game.to_move) is not None:
            if player in self.bots:
                if self.aloud and game.state.turn != turn:
                    turn = game.state.turn
                    self.terminal.tell(Group(Text(""), show.table(game.state, self.lang)))
                game.apply(
                    self.bots[player].declare(game.legal_actions()),
                    self.chosen(game.engine, back=True),
                )
                if self.aloud:
                    self.terminal.tell(self._event(game, len(game.history) - 1, None))
            else:
                self._person(game, player)
            if log is not None:
                log.follow()
            progress(len(game.history))
        if self._at is not None:
            self._news(game, self._at)

    def chosen(self, engine: Engine, back: bool = False) -> Callable[[Fork], int]:
        """What is asked at a fork; ``back``: there is an action that can be taken back."""

        def choose(fork: Fork) -> int:
            player = str(fork.player)
            bot = self.bots.get(player)
            return bot.choose(fork) if bot is not None else self._ask_fork(engine, fork, back)

        return choose

    # -- a person decides

    def _person(self, game: Game, player: str) -> None:
        """One action of a person, or one taken back."""
        self._seat(game.state, player)
        self._news(game, player)
        seen = game.state.observed_by(player, game.engine)
        self._look(seen, player)
        legal = game.legal_actions()
        numbers = self._list(seen, legal, player)
        while True:
            line = self._line(player)
            command, rest = _command(line), line.partition(" ")[2].strip()
            try:
                if command == "undo":
                    if self._undo(game, player):
                        return
                elif command == "table":
                    self._look(seen, player)
                    self._list(seen, legal, player)
                elif command == "why":
                    action = self._action(rest, numbers)
                    told = game.engine.why(seen, action)
                    self.terminal.tell(show.explanation(seen, told, self.lang))
                elif command is not None:
                    self._common(command, rest, seen, game.engine)
                elif line:
                    action = self._action(line, numbers)
                    if action in legal:
                        game.apply(action, self.chosen(game.engine, back=True))
                        return
                    verdict = game.engine.verdict(seen, action)
                    self.terminal.tell(show.refusal(seen, verdict, self.lang))
            except _TakeBack:
                self._seat(game.state, player)
                self._list(seen, legal, player)
            except StateError as error:
                self._wrong("\n".join(error.faults))
            except PyengineError as error:
                self._wrong(str(error))

    def _action(self, typed: str, numbers: Sequence[Action]) -> Action:
        """The action that was typed; StateError says what is wrong with it."""
        if typed.isdecimal():
            if not 1 <= int(typed) <= len(numbers):
                raise StateError([say("no_such_number", self.lang, n=typed)])
            return numbers[int(typed) - 1]
        if "(" not in typed and typed not in VERBS:
            raise StateError([say("not_understood", self.lang, text=typed)])
        return Action.parse(typed)

    def _undo(self, game: Game, player: str) -> bool:
        """Takes back what was played since this player's last action, and that; or says no."""
        people = [played.player for played in game.history if played.player not in self.bots]
        if not people or (len(self.bots) and player not in people):
            self._wrong(say("nothing_to_undo", self.lang))
            return False
        while game.undo().player in self.bots:
            pass
        for person, told in self._told.items():
            self._told[person] = min(told, len(game.history))
        return True

    def _ask_fork(self, engine: Engine, fork: Fork, back: bool) -> int:
        """The option that a person chooses at a fork."""
        player = str(fork.player)
        self._seat(fork.state, player)
        seen = fork.state.observed_by(player, engine)
        title = explain.title(fork.rule, self.lang)
        head = say("fork_ask", self.lang, player=player, rule=fork.rule, title=title)
        options = [
            f"  {n}  {explain.term(fork.state, option, self.lang)}"
            for n, option in enumerate(fork.options, 1)
        ]
        self._say("\n".join([head, *options]))
        while True:
            line = self._line(player)
            command, rest = _command(line), line.partition(" ")[2].strip()
            if command == "undo" and back:
                raise _TakeBack
            if command == "undo":
                self._wrong(say("nothing_to_undo", self.lang))
            elif command == "table":
                self._look(seen, player)
                self._say("\n".join([head, *options]))
            elif command is not None:
                self._common(command, rest, seen, engine)
            elif line.isdecimal() and 1 <= int(line) <= len(options):
                return int(line) - 1
            elif line.isdecimal():
                self._wrong(say("no_such_number", self.lang, n=line))
            elif line:
                self._wrong(say("not_understood", self.lang, text=line))

    def _common(self, command: str, rest: str, seen: State, engine: Engine) -> None:
        """What can be asked for at any prompt."""
        if command == "card":
            open_ = (card for card in seen.cards if not card.hidden)
            card = next((card for card in open_ if explain.called(card, rest)), None)
            if card is None:
                self._wrong(say("no_such_card", self.lang, name=rest))
            else:
                values = engine.values(seen, card.id)
                self.terminal.tell(show.card_whole(seen, card, self.lang, values))
        elif command == "help":
            self._say(say("play_help", self.lang, action="attack(ork,gabriel)"))
        else:
            self._wrong(say("not_understood", self.lang, text=command))

    # -- talking

    def _line(self, player: str) -> str:
        """What a person types, without the blanks around it. Stop: `quit`, or no more comes."""
        line = self.terminal.ask(f"{player}> ")
        if line is None or _command(line) == "quit":
            raise Stop
        return line.strip()

    def _seat(self, state: State, player: str) -> None:
        """Lets that person look; another who did may not any more."""
        people = [id for id, _ in state.players if id not in self.bots]
        if len(people) > 1 and self._at != player:
            self.terminal.clear()
            self._say(say("hand_over", self.lang, player=player))
            self._line(player)
        self._at = player

    def _look(self, seen: State, player: str) -> None:
        self.terminal.tell(Group(Text(""), show.table(seen, self.lang, player)))

    def _list(self, seen: State, legal: Sequence[Action], player: str) -> list[Action]:
        """The legal actions, card by card, numbered; gives them in that order."""
        told = many("legal_actions", len(legal), self.lang)
        lines: list[RenderableType] = [
            Text(say("may_declare", self.lang, player=player, actions=told), style="bold")
        ]
        groups: dict[str, list[Action]] = {}
        for action in legal:
            groups.setdefault(str(action.args[0]) if action.args else "", []).append(action)
        numbers: list[Action] = []
        width = len(str(len(legal)))
        for card in sorted(groups, key=lambda id: (id == "", id)):
            if card:
                name = explain.named(seen, card, self.lang)
                lines.append(Padding(Text(show.plain(name), style="cyan"), (0, 0, 0, 2)))
            for action in groups[card]:
                numbers.append(action)
                line = f"{len(numbers):>{width}}  {action_words(seen, action, self.lang)}"
                lines.append(Padding(Text(show.plain(line)), (0, 0, 0, 4 if card else 2)))
                term = _ability(seen, action)
                if term is not None:
                    used = Text(show.folded(term, 60), style="dim")
                    lines.append(Padding(used, (0, 0, 0, 6 + width)))
        lines.append(Text(say("ask_help", self.lang), style="dim"))
        self.terminal.tell(Group(*lines))
        return numbers

    def _news(self, game: Game, player: str) -> None:
        """What happened since that player was told last."""
        since = self._told.get(player, 0)
        for number in range(since, len(game.history)):
            self.terminal.tell(self._event(game, number, player))
        self._told[player] = len(game.history)

    def _event(self, game: Game, number: int, viewer: str | None) -> RenderableType:
        """An action and its steps, as that player saw them; None: as they were."""
        played = game.history[number]
        before = game.history[number - 1].outcome.state if number else game.start
        after = played.outcome.state
        known = {card.id for card in after.cards}
        if viewer is not None:
            both = (state.observed_by(viewer, game.engine) for state in (before, after))
            known = {card.id for state in both for card in state.cards}
            known |= {step.what for step in played.outcome.trace if step.step == "show"}
        lines: list[RenderableType] = [Text(show.plain(f"{played.player}: {played.action}"))]
        for step in played.outcome.trace:
            told = explain.step(after, self._seen(step, after, known), self.lang)
            lines.append(Padding(Text(show.plain(told), style="dim"), (0, 0, 0, 4)))
        return Group(*lines)

    def _seen(self, step: Step, state: State, known: set[str]) -> Step:
        """The step without the cards that are not to be seen."""
        cards = {card.id for card in state.cards}
        hidden = say("hidden_card", self.lang)

        def name(id: str) -> str:
            return hidden if id in cards and id not in known else id

        by = None if step.by is None else name(step.by)
        what = re.sub(r"[a-z][a-z0-9_]*", lambda found: name(found.group()), step.what)
        return replace(step, by=by, what=what)

    def _say(self, text: str) -> None:
        self.terminal.tell(Text("\n".join(show.plain(line) for line in text.split("\n"))))

    def _wrong(self, text: str) -> None:
        lines = (f"✗ {show.plain(line)}" for line in text.split("\n"))
        self.terminal.tell(Text("\n".join(lines), style="red"))


def _command(line: str) -> str | None:
    """The command that a line begins with, if it does with one."""
    first = line.strip().lower().partition(" ")[0]
    return next((name for name, words in COMMANDS.items() if first in words), None)


# --- words ---------------------------------------------------------------------------------------


# verb: message, and with targets
_ACTS = {
    "attack": ("act_attack", "act_attack"),
    "defend": ("act_defend", "act_defend"),
    "pass": ("act_pass", "act_pass"),
    "play": ("act_play", "act_play_at"),
    "use": ("act_use", "act_use_at"),
    "end_turn": ("act_end_turn", "act_end_turn"),
}


def action_words(state: State, action: Action, lang: Lang) -> str:
    """What an action is, said under the name of its card."""
    aims = explain.targets(state, action)
    targets = ", ".join(explain.named(state, id, lang) for id in aims)
    key, aimed = _ACTS.get(action.verb, ("", ""))
    if not key:
        return str(action)
    key = aimed if targets else key
    number = action.args[1] if action.verb == "use" else ""
    return say(key, lang, targets=targets, n=number)


def _ability(state: State, action: Action) -> str | None:
    """The text of the printed ability that is used."""
    if action.verb != "use":
        return None
    found = [term for term in state.card(str(action.args[0])).abilities if term.startswith("use(")]
    number = int(action.args[1])
    return found[number - 1] if number <= len(found) else None
