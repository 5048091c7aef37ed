"""`cabochon show`: a position, from a record or a line of text, drawn."""

from __future__ import annotations

from argparse import Namespace
from itertools import islice

from cabochon.cli.failure import Failure
from cabochon.cli.files import read_text, records_in, the_one, write_text
from cabochon.cli.parser import Parser, number
from cabochon.cli.sight import add_sight, seat_index, sight_of
from cabochon.cli.terminal import Terminal
from cabochon.notation import (
    loads,
    parse_position,
    parse_view,
    position_from_json,
    view_from_json,
)
from cabochon.record import Record
from cabochon.render.text import board
from cabochon.rules import Position, View
from cabochon.words import Words


def describe(parser: Parser, words: Words) -> None:
    parser.arguments.add_argument("what", metavar="FILE|POSITION", help=words("show.what"))
    option = parser.options.add_argument
    option("--ply", type=number(0, 99999, words), metavar="N", help=words("show.ply"))
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
    text = args.what
    if not _is_position(text):
        text = read_text(args.what, terminal)
    words = terminal.words
    table = _position(text)
    if table is None:
        record = the_one(records_in(text, args.what, terminal), args.what, terminal)
        return sight_of(args, record, words).table(_at(record, args.ply, words)), record.players
    if args.ply is not None:
        raise Failure(words("show.no-ply"))
    if args.seat is not None:
        table = _for_seat(table, seat_index(args.seat, table.ruleset.seats, words), words)
    return table, None


def _for_seat(table: Position | View, seat: int, words: Words) -> View:
    if isinstance(table, Position):
        return table.view(seat)
    if table.viewer != seat:
        raise Failure(words("show.other-view"))
    return table


def _position(text: str) -> Position | View | None:
    """The position or view that the text is, in its one line or as JSON; None for a record."""
    text = text.strip()
    if text.startswith("{"):
        value = loads(text)
        if not isinstance(value, dict) or "rows" not in value:
            return None
        return view_from_json(value) if "viewer" in value else position_from_json(value)
    if not _is_position(text):
        return None
    return (parse_view if text.startswith(("seat", "watch")) else parse_position)(text)


def _is_position(text: str) -> bool:
    """Whether the text is one line of many fields, the ruleset and two hands among them."""
    return text.count(" ") > 8 and "/" in text and text.count("|") > 5 and "\n" not in text


def _at(record: Record, ply: int | None, words: Words) -> Position:
    """The position after that many plies; the last one when none is said."""
    if ply is None:
        return record.final()
    position = next(islice(record.replay(), ply, None), None)
    if position is None:
        raise Failure(words("show.short", ply=ply, plies=len(record.events)))
    return position
