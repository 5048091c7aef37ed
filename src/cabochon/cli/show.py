"""`cabochon show`: a position, from a record or a line of text, drawn."""

from __future__ import annotations

from argparse import Namespace

from cabochon.cli.failure import Failure
from cabochon.cli.files import records_in, the_one, write_text
from cabochon.cli.parser import Parser, number
from cabochon.cli.positionargs import at_ply, table_in, text_of
from cabochon.cli.sight import add_sight, seat_index, sight_of
from cabochon.cli.terminal import Terminal
from cabochon.notation import parse_path
from cabochon.render.text import board
from cabochon.rules import Position, View
from cabochon.words import Words


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("what", metavar="FILE|POSITION", help=words("show.what"))
    option = parser.options.add_argument
    option("--ply", type=number(0, 99999, words), metavar="N", help=words("show.ply"))
    option("--line", default="", metavar="PATH", help=words("show.line"))
    add_sight(parser, words)
    option("--svg", metavar="OUT", help=words("show.svg"))


def run(args: Namespace, terminal: Terminal) -> int:
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
