"""How much of a game is shown: a game that is over, everything; one that goes on, only what a
watcher or a seat may know, unless everything is asked for."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import dataclass

from cabochon.cli.failure import Failure
from cabochon.cli.parser import Parser, number
from cabochon.record import Record, Turn
from cabochon.rules import Position, View
from cabochon.words import Words


def add_sight(parser: Parser, words: Words) -> None:
    """The options that choose it."""
    option = parser.options.add_argument
    option("--seat", type=number(1, 4, words), metavar="1..4", help=words("show.seat"))
    option("--all", action="store_true", help=words("show.all"))


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything, or what the viewer (None is a watcher) may know."""

    viewer: int | None
    everything: bool

    def table(self, position: Position) -> Position | View:
        return position if self.everything else position.view(self.viewer)

    def turn(self, turn: Turn) -> Turn:
        return turn if self.everything else turn.seen_by(self.viewer)


def sight_of(args: Namespace, record: Record, words: Words) -> Sight:
    """What the options say. Raises Failure for a seat that is not there."""
    if args.seat is None:
        return Sight(None, args.all or record.result is not None)
    return Sight(seat_index(args.seat, record.ruleset.seats, words), everything=False)


def seat_index(seat: int, seats: int, words: Words) -> int:
    """Seats are 1 to 4 for people, from 0 for programs. Raises Failure."""
    if seat > seats:
        raise Failure(words("show.no-seat", seat=seat, seats=seats))
    return seat - 1
