"""The game as a talk: what happened, the board, a question, an answer.

Whatever is shown to a person is drawn from that person's View.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cabochon.bots import Bot
from cabochon.bots.roster import HOUSE_BOT
from cabochon.cli.answers import answer, question, standings
from cabochon.cli.entry import TypedCommand, spellings, understood
from cabochon.cli.files import reason, user_path
from cabochon.cli.rules import show_rules
from cabochon.cli.terminal import INDENT, Terminal
from cabochon.game import KINDS_HEADER, Bots, Game
from cabochon.notation import describe_turn
from cabochon.notation.recordfiles import write_record
from cabochon.record import Record, Turn
from cabochon.render.text import board
from cabochon.rules import CabochonError, Card, Move, Ruleset, View

# A game at this terminal, kept in a file.
#
# Every decision is on the disk before anybody is shown it, so nothing that was played is ever
# lost.


class KeptGame(Game):
    """A game that writes itself down after every change. `trouble` says why the last save failed,
    if it did: the game goes on without."""

    path: Path | None = None
    trouble: OSError | None = None

    def keep_in(self, path: Path | None) -> None:
        """Keep the game there from now on; None keeps it nowhere."""
        self.path = path
        self.keep()

    def keep(self) -> None:
        if self.path is None:
            return
        try:
            self.save(self.path)
            self.trouble = None
        except OSError as error:
            self.trouble = error

    def play_bot(self) -> None:
        """Let the bot whose turn it is move."""
        self.play(self.ask())

    def _changed(self) -> None:
        self.keep()


def new_game(
    ruleset: Ruleset,
    seed: str,
    names: Sequence[str],
    bots: Sequence[str | Bot | None],
    headers: dict[str, str],
    path: Path | None,
) -> KeptGame:
    """A game before its first move. `bots` is by seat, None where a person sits."""
    game = KeptGame(
        ruleset=ruleset,
        seed=seed,
        names=names,
        bots=bots,
        headers={**headers, KINDS_HEADER: ""},  # filled in by the game, also when nobody is a bot
    )
    game.keep_in(path)
    return game


def resumed_game(record: Record, path: Path | None) -> KeptGame:
    """The game of an unfinished record. Without its seed the cards to come are shuffled anew; a
    record that does not say who plays gives seat 0 to a person."""
    seats = record.ruleset.seats
    said = [kind for kind in record.headers.get(KINDS_HEADER, "").split(",") if kind.strip()]
    bots: Bots | None = None if len(said) == seats else (None, *(HOUSE_BOT,) * (seats - 1))
    game = KeptGame.from_record(record, bots=bots)
    game.path = path
    return game


class Stopped(Exception):
    """The user has left; the game is kept."""


class Dialogue:
    """One game at a terminal, for one person, several who share the keyboard, or none."""

    def __init__(self, game: KeptGame, terminal: Terminal, *, draws: bool = True) -> None:
        """Without `draws` the board is drawn only when it is asked for: for listening."""
        self._game = game
        self._terminal = terminal
        self._words = terminal.words
        self._draws = draws
        self._told = game.position.turn
        self._at_keyboard: int | None = None
        self._warned = False

    def run(self) -> int:
        """Play to the end, or until the user leaves."""
        try:
            self._welcome()
            while not self._game.is_over:
                self._step()
            self._finish()
        except (Stopped, EOFError):
            self._farewell()
        except KeyboardInterrupt:
            self._terminal.say()
            self._farewell()
            return 130
        return 0

    # The course of the game

    def _step(self) -> None:
        game = self._game
        if game.seat not in game.bots:
            self._human_turn()
            return
        game.play_bot()
        self._warn_once()
        if not game.people and game.position.turn > self._told:
            self._tell_news(None)

    def _human_turn(self) -> None:
        """Ask until the turn is over; a turn may take several answers."""
        seat, turn = self._game.position.seat, self._game.position.turn
        self._hand_over(seat)
        self._terminal.say()
        self._tell_news(seat)
        if self._draws:
            self._draw()
        while not self._game.is_over and self._game.position.turn == turn:
            self._answer(self._terminal.ask(question(self._view, self._names, self._words)))

    def _hand_over(self, seat: int) -> None:
        """Several people: nobody sees another's cards."""
        if len(self._game.people) > 1 and seat != self._at_keyboard:
            self._terminal.hide()
            self._terminal.ask(self._words("play.pass-on", who=self._names[seat]))
            self._terminal.hide()
        self._at_keyboard = seat

    def _answer(self, line: str) -> None:
        view = self._view
        entry = understood(line, view, self._terminal)
        if isinstance(entry, TypedCommand):
            self._obey(entry)
        elif entry is not None:
            self._play(entry, view)

    def _play(self, move: Move, view: View) -> None:
        refusal = view.refusal(move)
        if refusal is not None:
            self._refuse(refusal)
            return
        self._game.play(move)
        self._warn_once()
        turn = self._game.record.turns()[-1].seen_by(view.viewer)
        goes_on = self._game.position.turn == view.turn
        if goes_on or turn.noble is not None or isinstance(turn.dealt, Card):
            self._tell_turn(turn)

    def _refuse(self, refusal: CabochonError) -> None:
        mark = self._terminal.paint.alarm("!")
        self._terminal.tell(f"{mark} {refusal.text(self._words.lang)}", INDENT)

    # What is said

    def _welcome(self) -> None:
        game, words, say = self._game, self._words, self._terminal.tell
        ruleset = game.record.ruleset
        variant = words(f"variant.{ruleset.variant}")
        say(words("play.welcome", variant=variant, seats=ruleset.seats, target=ruleset.target))
        order = words("play.then").join(self._names)
        say(words("play.order", names=order))
        if game.record.commitment:
            say(words("play.commitment", hash=game.record.commitment[:16]))
        if game.path is not None:
            say(words("play.kept", path=game.path), INDENT)
        if game.people:
            say(words("play.begin"))
        self._warn_once()

    def _tell_news(self, viewer: int | None) -> None:
        """The others' turns since this person's last; for a watcher, those not shown yet."""
        position, first = self._game.position, self._game.record.first().turn
        since = self._told if viewer is None else max(first, position.turn - self._seats + 1)
        for turn in self._game.record.turns()[since - first : position.turn - first]:
            self._tell_turn(turn.seen_by(viewer))
        self._told = position.turn

    def _tell_turn(self, turn: Turn) -> None:
        told = describe_turn(turn, self._words.lang)
        line = self._words("play.did", who=self._names[turn.seat], what=told)
        if isinstance(turn.dealt, Card) and turn.dealt in self._shown:
            line += self._words("play.dealt", card=turn.dealt.code)
        self._terminal.tell(line, INDENT)

    def _draw(self) -> None:
        terminal = self._terminal
        terminal.say(board(self._view, self._words, terminal.paint, self._names))

    def _finish(self) -> None:
        """The last turns, the board as everybody sees it, and who has won."""
        game, words, terminal = self._game, self._words, self._terminal
        result = game.record.result
        assert result is not None
        if game.people:
            self._tell_news(None)
        terminal.say(board(game.position.view(None), words, terminal.paint, self._names))
        terminal.say()
        terminal.tell(terminal.paint.strong(words(f"over.{result.reason}")))
        for line in standings(game.position, self._names, result.ranking, words):
            terminal.say(line)
        if game.seed is not None:
            terminal.tell(words("over.seed", seed=game.seed), INDENT)
        if game.path is not None and game.trouble is None:
            terminal.tell(words("over.kept", path=game.path), INDENT)

    def _farewell(self) -> None:
        """Where the game is, and how to go on."""
        game, words = self._game, self._words
        game.keep()
        if game.is_over or game.path is None or game.trouble is not None:
            return
        self._terminal.say()
        self._terminal.tell(words("play.left", path=game.path), INDENT)

    def _warn_once(self) -> None:
        """A game that cannot be kept goes on, but its players know."""
        game = self._game
        if game.trouble is not None and not self._warned:
            self._warned = True
            why = reason(game.trouble, self._words)
            self._terminal.complain(self._words("play.not-kept", path=game.path, reason=why))

    # Commands

    def _obey(self, command: TypedCommand) -> None:
        match command.name:
            case "board":
                self._draw()
            case "last":
                self._tell_last()
            case "rules":
                show_rules(self._terminal)
            case "save":
                self._save(command.argument)
            case "resign":
                self._resign()
            case "quit":
                raise Stopped
            case name:
                answer(name, command.argument, self._view, self._names, self._terminal)

    def _tell_last(self) -> None:
        """The last three rounds."""
        for turn in self._game.record.turns()[-3 * self._seats :]:
            self._tell_turn(turn.seen_by(self._view.viewer))

    def _save(self, name: str) -> None:
        words = self._words
        if not name:
            self._terminal.say(words("play.save-where"))
            return
        path = user_path(name)
        try:
            write_record(path, self._game.record_with_seed())
        except (OSError, ValueError) as error:
            why = reason(error, words) if isinstance(error, OSError) else str(error)
            self._terminal.tell(words("file.unwritable", path=name, reason=why))
            return
        self._terminal.tell(words("play.saved", path=path), INDENT)

    def _resign(self) -> None:
        sure = self._terminal.ask(self._words("play.resign-sure"))
        if sure.strip().lower() in spellings("yes"):
            self._game.resign()

    # Shorthands

    @property
    def _view(self) -> View:
        position = self._game.position
        return position.view(position.seat)

    @property
    def _names(self) -> tuple[str, ...]:
        return self._game.record.players

    @property
    def _seats(self) -> int:
        return self._game.record.ruleset.seats

    @property
    def _shown(self) -> set[Card]:
        return {card for row in self._game.position.rows for card in row if card is not None}
