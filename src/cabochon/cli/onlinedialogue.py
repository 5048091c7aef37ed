"""Playing at a server's table from the terminal: the same words and moves as in a local game, over
a socket.

Everything that happens, typed or received, comes through one queue, so news can be shown while
somebody thinks. A script's lines wait until the table asks for one.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cabochon.cli.answers import answer, question, standings
from cabochon.cli.entry import TypedCommand, read_command, spellings, understood
from cabochon.cli.files import SeatFile
from cabochon.cli.rules import show_rules
from cabochon.cli.terminal import INDENT, Failure, Terminal, Typist
from cabochon.notation import format_move
from cabochon.online.seentable import SeenTable, chat_text, clock_line, phrase_lines, phrase_of
from cabochon.online.tablesocket import Happening, Lost, Shut, TableSocket
from cabochon.play.chairs import REASON_OF
from cabochon.render.text import board
from cabochon.rules import Ruleset, View


class WentAway(Exception):
    """The user leaves; the seat stays theirs."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A line from the user; None when no more will come."""

    line: str | None


Save = Callable[[str], None]


class OnlineDialogue:
    """One table of a server at a terminal: a seat is played, or (with no seat) watched.

    `run` gives the table of the rematch if one was agreed on, else None."""

    def __init__(
        self,
        open_socket: Callable[[Callable[[Happening], None]], TableSocket],
        terminal: Terminal,
        save: Save,
        *,
        seat_file: SeatFile | None = None,
        draws: bool = True,
    ) -> None:
        self._heard: queue.SimpleQueue[Happening | Typed] = queue.SimpleQueue()
        self._socket = open_socket(self._heard.put)
        self._terminal = terminal
        self._words = terminal.words
        self._save = save
        self._seat_file = seat_file
        self._draws = draws
        self._state = SeenTable()
        self._lines: deque[str | None] = deque()
        self._pending: str | None = None
        self._confirming = False
        self._asked_at = -1
        self._at_keyboard: int | None = None
        self._drawn_turn = -1
        self._lost = False
        self._finished = False
        self._answered_share = ""

    # The course of it

    def run(self, typist: Callable[[Callable[[str | None], None]], Typist] | None) -> str | None:
        """Until the game is over or the user leaves. Raises WentAway and Failure."""
        self._socket.open()
        if typist is not None:
            typist(lambda line: self._heard.put(Typed(line))).start()
        try:
            while not self._is_done:
                self._ask_if_due()
                self._take_in(self._next())
        finally:
            self._socket.close()
        rematch = self._state.rematch
        return rematch["table"] if rematch else None

    @property
    def _is_done(self) -> bool:
        if not self._finished:
            return False
        goes_on = self._state.rematch is not None and self._state.rematch["table"] is not None
        stays = self._terminal.is_interactive and bool(self._state.held)
        return goes_on or not stays

    def _next(self) -> Happening | Typed:
        """What has happened; a script's line only where one is expected."""
        if self._lines and self._expects_line:
            return Typed(self._lines.popleft())
        while True:
            try:
                return self._heard.get(timeout=1.0)
            except queue.Empty:
                continue

    def _take_in(self, what: Happening | Typed) -> None:
        match what:
            case Typed(line):
                self._typed(line)
            case Lost():
                self._note_break()
            case Shut(why):
                raise Failure(f"cabochon: {why}")
            case _:
                self._hear(what)

    @property
    def _expects_line(self) -> bool:
        return (
            self._terminal.is_interactive
            or self._confirming
            or (self._state.is_my_turn and self._pending is None)
        )

    def _ask_if_due(self) -> None:
        """The question, once for each position; the board before it."""
        state = self._state
        if self._confirming or self._pending is not None or not state.is_my_turn:
            return
        if state.version == self._asked_at:
            return
        self._asked_at = state.version
        if len(state.held) > 1 and state.you != self._at_keyboard:
            self._hand_over()
            return
        self._show_turn()
        self._terminal.prompt(question(self._seen, self._names, self._words))

    def _hand_over(self) -> None:
        """Several people at one keyboard: nobody sees another's cards."""
        assert self._state.you is not None
        self._terminal.hide()
        who = self._names[self._state.you]
        self._terminal.prompt(self._words("play.pass-on", who=who))

    def _show_turn(self) -> None:
        view = self._seen
        if view.turn != self._drawn_turn:
            self._drawn_turn = view.turn
            self._terminal.say()
            if self._state.clocks is not None:
                self._terminal.say(clock_line(self._state, self._words))
            if self._draws:
                self._draw(view)

    # What is shown

    def _hear(self, message: dict[str, Any]) -> None:
        if self._lost:
            self._lost = False
            self._interrupt(self._words("online.back"))
        before = self._state.status, bool(self._state.table)
        self._state.hear(message)
        self._give_shares()
        match message["type"]:
            case "gameFull":
                self._welcome(*before)
            case "accepted" | "refused":
                self._answered(message)
            case "chatLine":
                self._tell(chat_text(message, self._names, self._words))
            case "presence":
                self._tell_presence(message)
            case "takeback":
                self._tell_asked("takeback", self._state.takeback)
            case "rematch":
                self._tell_asked("rematch", self._state.rematch)
        self._tell_news()
        if self._state.is_over and self._state.result is not None and not self._finished:
            self._finish()

    def _welcome(self, status: str, known: bool) -> None:
        """At the first message, and again when the game starts."""
        state, words, tell = self._state, self._words, self._terminal.tell
        if known and status == state.status:
            return
        if not known:
            ruleset = Ruleset.parse(state.table["ruleset"])
            variant = words(f"variant.{ruleset.variant}")
            tell(words("play.welcome", variant=variant, seats=ruleset.seats, target=ruleset.target))
        if state.status == "open":
            tell(words("online.waiting", count=state.free_seats))
            return
        tell(words("play.order", names=words("play.then").join(self._names)))
        tell(words("play.commitment", hash=state.table["commitment"][:16]))
        if state.status == "running":
            tell(words("play.begin" if state.held else "online.watching"))
            if not state.held and self._draws:
                self._draw(self._seen)

    def _tell_news(self) -> None:
        """What was decided since, by the others and by us."""
        state, words = self._state, self._words
        fresh = state.news()
        for line in fresh:
            text = line["text"].get(words.lang) or line["text"]["en"]
            if line["seat"] is not None and line["kind"] != "no_share":
                text = words("play.did", who=self._names[line["seat"]], what=text)
            if line.get("dealt") and line.get("source") != "deck":
                text += words("play.dealt", card=line["dealt"])
            self._tell(text)
        if fresh and not state.held and self._draws and not state.is_over:
            self._draw(self._seen)

    def _tell_presence(self, message: dict[str, Any]) -> None:
        seat = message["seat"]
        if seat in self._state.held:
            return
        key = "online.here" if message["here"] else "online.away"
        self._tell(self._words(key, who=self._names[seat]))

    def _tell_asked(self, what: str, asked: dict[str, Any] | None) -> None:
        """Somebody wants something of us."""
        if asked is not None and set(asked["waiting"]) & set(self._state.held):
            self._tell(self._words(f"online.asks-{what}", who=self._names[asked["by"]]))

    def _answered(self, message: dict[str, Any]) -> None:
        if message["id"] == self._pending:
            self._pending = None
        if message["type"] == "refused":
            mark = self._terminal.paint.alarm("!")
            self._tell(f"{mark} {message['problem']['detail']}")
            self._asked_at = -1

    def _tell(self, text: str) -> None:
        self._interrupt(text, INDENT)

    def _interrupt(self, text: str, indent: str = "") -> None:
        """Print something while a question may be open; the question is asked again afterwards."""
        if self._asked_at == self._state.version and self._state.is_my_turn:
            self._terminal.say()
            self._asked_at = -1
        self._terminal.tell(text, indent)
        self._terminal.flush()

    def _note_break(self) -> None:
        if not self._lost:
            self._lost = True
            self._interrupt(self._words("online.lost"))

    def _finish(self) -> None:
        state, words, terminal = self._state, self._words, self._terminal
        assert state.result is not None
        self._finished = True
        reason = str(state.result["reason"])
        view = state.view
        if view is not None:
            self._draw(view)
        terminal.say()
        terminal.tell(terminal.paint.strong(words(f"over.{REASON_OF.get(reason, reason)}")))
        if view is not None:
            for line in standings(view, self._names, state.result["ranking"], words):
                terminal.say(line)
        if state.seed is not None:
            terminal.tell(words("over.seed", seed=state.seed), INDENT)
        if not self._is_done:
            terminal.tell(words("online.after"))
        terminal.flush()

    def _draw(self, view: View) -> None:
        terminal = self._terminal
        terminal.say(board(view, self._words, terminal.paint, self._names))
        terminal.flush()

    # What is typed

    def _typed(self, line: str | None) -> None:
        if not self._expects_line:
            self._lines.append(line)
        elif line is None:
            raise WentAway
        elif self._confirming:
            self._confirm(line)
        elif len(self._state.held) > 1 and self._state.you != self._at_keyboard:
            self._at_keyboard = self._state.you
            self._terminal.hide()
            self._asked_at = -1
        else:
            self._answer(line)

    def _answer(self, line: str) -> None:
        view = self._state.view
        self._asked_at = -1
        if view is None or not self._state.is_my_turn:
            self._elsewhen(line)
            return
        entry = understood(line, view, self._terminal, online=True)
        if entry is None:
            return
        if isinstance(entry, TypedCommand):
            self._obey(entry)
            return
        refusal = view.refusal(entry)
        if refusal is not None:
            mark = self._terminal.paint.alarm("!")
            self._terminal.tell(f"{mark} {refusal.text(self._words.lang)}", INDENT)
            return
        moves = [format_move(entry)]
        self._send("move", version=self._state.version, moves=moves)

    def _send(self, kind: str, **fields: Any) -> None:
        """A command to the table; a script's next line waits for the answer."""
        self._pending = self._socket.say(kind, **fields)

    def _elsewhen(self, line: str) -> None:
        """While others move, before the start and after the end."""
        command = read_command(line, online=True)
        if command is None:
            self._terminal.tell(self._words("online.not-your-turn"))
        else:
            self._obey(command)

    def _obey(self, command: TypedCommand) -> None:
        view, words = self._state.view, self._words
        match command.name:
            case "quit":
                raise WentAway
            case "rules":
                show_rules(self._terminal)
            case "save":
                self._save(command.argument)
            case "resign":
                self._confirming = True
                self._terminal.prompt(words("play.resign-sure"))
            case "hint" if not self._may_hint:
                self._terminal.tell(words("online.no-hint"))
            case "help":
                self._terminal.say(words("play.help"))
                self._terminal.say(words("online.help"))
            case "say" | "takeback" | "agree" | "decline" | "rematch" | "claim":
                self._ask_of_table(command)
            case "last":
                self._tell_last()
            case _ if view is None:
                self._terminal.tell(words("online.waiting", count=self._state.free_seats))
            case "board":
                self._draw(view)
            case name:
                answer(name, command.argument, view, self._names, self._terminal)

    def _ask_of_table(self, command: TypedCommand) -> None:
        say = self._send
        if not self._state.held:
            self._terminal.tell(self._words("online.watching"))
            return
        match command.name:
            case "say":
                phrase = phrase_of(command.argument)
                if phrase is None:
                    self._terminal.tell(self._words("online.phrases"))
                    for text in phrase_lines(self._words.lang):
                        self._terminal.say(INDENT + text)
                else:
                    say("chat", phrase=phrase)
            case "takeback":
                say("takeback", action="ask")
            case "rematch":
                say("rematch", action="offer", **self._new_share())
            case "claim":
                self._claim()
            case name:
                self._agree(name == "agree")

    def _agree(self, yes: bool) -> None:
        """To whatever is being asked."""
        if self._state.takeback is not None:
            self._send("takeback", action="agree" if yes else "decline")
        elif self._state.rematch is not None:
            share = self._new_share() if yes else {}
            self._send("rematch", action="accept" if yes else "decline", **share)
        else:
            self._terminal.tell(self._words("online.nothing-asked"))

    def _claim(self) -> None:
        """Against everybody who has been away for too long."""
        for chair in self._state.table["chairs"]:
            gone = chair["kind"] == "human" and not chair["here"] and not chair["out"]
            if gone and chair["seat"] not in self._state.held:
                self._send("claim", gone=chair["seat"])

    def _confirm(self, line: str) -> None:
        self._confirming = False
        self._asked_at = -1
        if line.strip().lower() in spellings("yes"):
            self._send("resign")

    def _tell_last(self) -> None:
        """The last three rounds."""
        state = self._state
        for line in state.log[-3 * len(self._names) :]:
            text = line["text"].get(self._words.lang) or line["text"]["en"]
            if line["seat"] is not None:
                text = self._words("play.did", who=self._names[line["seat"]], what=text)
            self._terminal.tell(text, INDENT)

    # The deal

    def _new_share(self) -> dict[str, str]:
        return {} if self._seat_file is None else {"share_hash": self._seat_file.pledge()}

    def _give_shares(self) -> None:
        """Promise or reveal our part of the deal when the table asks for it: nobody types that."""
        shares = self._state.table.get("shares")
        if shares is None or self._seat_file is None:
            return
        for seat in self._state.held:
            promised = shares["hashes"][seat]
            asked = f"{shares['round']} {seat} {promised}"
            if asked == self._answered_share:
                continue
            if seat in shares["pledge"]:
                self._answered_share = asked
                self._socket.say("share", action="pledge", value=self._seat_file.pledge())
            elif seat in shares["reveal"] and promised in self._seat_file.held.shares:
                self._answered_share = asked
                value = self._seat_file.held.shares[promised]
                self._socket.say("share", action="reveal", value=value)

    # Shorthands

    @property
    def _names(self) -> tuple[str, ...]:
        return self._state.names(self._words.lang)

    @property
    def _seen(self) -> View:
        view = self._state.view
        assert view is not None
        return view

    @property
    def _may_hint(self) -> bool:
        """Only alone against bots, and only where nothing counts."""
        table = self._state.table
        people = [chair for chair in table["chairs"] if chair["kind"] == "human"]
        return len(people) <= len(self._state.held) and not table.get("rated", False)
