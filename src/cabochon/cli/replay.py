"""`cabochon replay`: a game once more, turn by turn."""

from __future__ import annotations

from argparse import Namespace
from collections import deque
from itertools import groupby

from cabochon.cli.entry import spellings
from cabochon.cli.files import (
    Sight,
    add_sight,
    at_ply,
    read_record,
    records_in,
    seat_index,
    sight_of,
    table_in,
    text_of,
    the_one,
    write_text,
)
from cabochon.cli.parser import Parser, number
from cabochon.cli.terminal import INDENT, Failure, Terminal
from cabochon.notation import describe_turn, format_turn, parse_path
from cabochon.record import LinePath, Record, Turn
from cabochon.render.text import board
from cabochon.render.width import left, width
from cabochon.rules import Position, View
from cabochon.variation import MAIN_LINE, branches, line_at
from cabochon.words import Words

_FORM = 24


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("record", metavar="FILE", help=words("replay.file"))
    add_sight(parser, words)
    parser.options.add_argument("--list", action="store_true", help=words("replay.list"))


def run(args: Namespace, terminal: Terminal) -> int:
    record = read_record(args.record, terminal)
    film = Film(record, sight_of(args, record, terminal.words), terminal)
    if terminal.is_interactive and not args.list:
        film.step_through()
    else:
        film.list_turns()
    return 0


class Film:
    """A record cut into turns: frame 0 is the opening, frame n the table after turn n."""

    def __init__(self, record: Record, sight: Sight, terminal: Terminal) -> None:
        self._record = record
        self._sight = sight
        self._terminal = terminal
        self._turns = [sight.turn(turn) for turn in record.turns()]
        self._frames = _frames(record, self._turns)

    def list_turns(self) -> None:
        """Every turn on a line, in the table form and in words, what hangs there indented below
        it, and the result. Variations are only for those who may see everything. Raises
        RecordError for one that can't be played, before the first line."""
        if self._sight.everything:
            deque(self._record.walk(), maxlen=0)
            self._list_line(MAIN_LINE, self._record.first().turn)
        else:
            for turn in self._turns:
                self._tell(turn)
        if self._record.result is not None:
            self._terminal.say(str(self._record.result))

    def _list_line(self, path: LinePath, since: int) -> None:
        """The turns of that line from the turn on in which it leaves its parent."""
        positions = list(self._record.replay(path))
        hanging: dict[int, list[LinePath]] = {}
        for branch, variation in branches(line_at(self._record.trunk, path), path):
            hanging.setdefault(positions[variation.ply - 1].turn, []).append(branch)
        turns = dict(enumerate(self._record.turns(path), start=positions[0].turn))
        for turn in sorted(turns.keys() | hanging.keys()):
            if turn in turns and turn >= since:
                self._tell(turns[turn], len(path))
            for branch in hanging.get(turn, ()):
                self._list_line(branch, turn)

    def step_through(self) -> None:
        """Enter goes on, b back, g N to turn N, l lists, q leaves."""
        words, at = self._terminal.words, 0
        while True:
            self._show(at)
            last = len(self._turns)
            try:
                line = self._terminal.ask(words("replay.ask", turn=at, last=last)).strip().lower()
            except EOFError:
                self._terminal.say()
                return
            if line in spellings("quit"):
                return
            if line == "l":
                self.list_turns()
            at = self._moved(line, at)

    def _moved(self, line: str, at: int) -> int:
        last = len(self._turns)
        word, _, rest = line.partition(" ")
        if word in ("", "n", "f"):
            return min(last, at + 1)
        if word in ("b", "p"):
            return max(0, at - 1)
        asked = rest.strip() if word in ("g", "goto") else word
        if asked.isascii() and asked.isdigit() and len(asked) < 6:
            return min(last, int(asked))
        if word != "l":
            self._terminal.say(self._terminal.words("replay.keys"))
        return at

    def _show(self, at: int) -> None:
        terminal, position = self._terminal, self._frames[at]
        terminal.say()
        if at:
            self._tell(self._turns[at - 1])
        table = self._sight.table(position)
        terminal.say(board(table, terminal.words, terminal.paint, self._record.players))

    def _tell(self, turn: Turn, depth: int = 0) -> None:
        form = INDENT * depth + format_turn(turn)
        form = left(form, _FORM) if width(form) < _FORM else f"{form}  "
        words = self._terminal.words
        told = describe_turn(turn, words.lang)
        line = words("play.did", who=self._record.players[turn.seat], what=told)
        self._terminal.tell(form + line, " " * (_FORM + 2))


def _frames(record: Record, turns: list[Turn]) -> list[Position]:
    """The opening and the position after each turn."""
    starts = [next(run) for _, run in groupby(record.replay(), key=lambda p: p.turn)]
    return starts if len(starts) > len(turns) else [*starts, record.final()]


# `cabochon show`: a position, from a record or a line of text, drawn.


def describe_show(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("what", metavar="FILE|POSITION", help=words("show.what"))
    option = parser.options.add_argument
    option("--ply", type=number(0, 99999, words), metavar="N", help=words("show.ply"))
    option("--line", default="", metavar="PATH", help=words("show.line"))
    add_sight(parser, words)
    option("--svg", metavar="OUT", help=words("show.svg"))


def run_show(args: Namespace, terminal: Terminal) -> int:
    table, names = _table(args, terminal)
    words = terminal.words
    if args.svg is None:
        terminal.say(board(table, words, terminal.paint, names))
        return 0
    from cabochon.render.svg import svg

    write_text(args.svg, svg(table, lang=words.lang), terminal)
    return 0


def _table(args: Namespace, terminal: Terminal) -> tuple[Position | View, tuple[str, ...] | None]:
    """What to draw, and the players' names where they are known."""
    words = terminal.words
    text = text_of(args.what, terminal)
    table = table_in(text)
    if table is None:
        record = the_one(records_in(text, args.what, terminal), args.what, terminal)
        position = at_ply(record, args.ply, words, parse_path(args.line))
        return sight_of(args, record, words).table(position), record.players
    if args.ply is not None or args.line:
        raise Failure(words("show.no-ply" if args.ply is not None else "show.no-line"))
    if args.seat is not None:
        table = _for_seat(table, seat_index(args.seat, table.ruleset.seats, words), words)
    return table, None


def _for_seat(table: Position | View, seat: int, words: Words) -> View:
    if isinstance(table, Position):
        return table.view(seat)
    if table.viewer != seat:
        raise Failure(words("show.other-view"))
    return table
