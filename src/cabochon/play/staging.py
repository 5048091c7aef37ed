"""Playing the moves of one submission, one after the other, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Moved
from cabochon.play.lines import Line, kind_of
from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Dealer,
    Move,
    Phase,
    Position,
    Reserve,
)
from cabochon.rules.gems import Gem

MOST_MOVES = 3
"""No turn has more decisions: an action, a noble, a return."""


@dataclass(frozen=True, slots=True)
class Staged:
    """What the moves lead to, with payments written out, and what chance added."""

    position: Position
    moves: tuple[Move, ...]
    deals: tuple[Card, ...]
    lines: tuple[Line, ...]


def stage(
    position: Position, dealer: Dealer, seat: int, moves: tuple[Move, ...], ply: int, now: int
) -> Staged:
    """Raises IllegalMove for the first move that is not legal, TableRefused for none or too
    many; whatever is raised, nothing has happened."""
    if not moves:
        raise TableRefused(TableFault.NO_MOVES)
    if len(moves) > MOST_MOVES:
        raise TableRefused(TableFault.TOO_MANY_MOVES, count=len(moves), most=MOST_MOVES)
    done: list[Move] = []
    deals: list[Card] = []
    lines: list[Line] = []
    for move in moves:
        refusal = position.refusal(move, seat)
        if refusal is not None:
            raise refusal
        move = position.completed(move)
        before, position = position, position.play_unchecked(move)
        dealt = None
        if position.phase is Phase.DEAL:
            dealt = dealer.deal(position).card
            position = position.deal_unchecked(dealt)
            deals.append(dealt)
        done.append(move)
        lines.append(line_of(before, move, position, dealt, ply + len(done), now))
    return Staged(position, tuple(done), tuple(deals), tuple(lines))


def restaged(position: Position, event: Moved, ply: int) -> Staged:
    """A submission that was accepted before, with the cards that came then. The law, which it was
    held against when it came, is not asked again; with any other the result is meaningless."""
    done = list(steps(position, event, ply))
    lines = tuple(line for _, line in done)
    return Staged(done[-1][0], event.moves, event.deals, lines)


def steps(position: Position, event: Moved, ply: int) -> Iterator[tuple[Position, Line]]:
    """The same, decision by decision: the position after each, and its line."""
    coming = iter(event.deals)
    for move in event.moves:
        before, position = position, position.play_unchecked(move)
        dealt = None
        if position.phase is Phase.DEAL:
            dealt = next(coming)
            position = position.deal_unchecked(dealt)
        ply += 1
        yield position, line_of(before, move, position, dealt, ply, event.at)


def replayed(position: Position, event: Moved) -> Position:
    """Only the position that `restaged` leads to."""
    coming = iter(event.deals)
    for move in event.moves:
        position = position.play_unchecked(move)
        if position.phase is Phase.DEAL:
            position = position.deal_unchecked(next(coming))
    return position


def line_of(
    before: Position, move: Move, after: Position, dealt: Card | None, ply: int, now: int
) -> Line:
    """The line of the log that a decision makes, with the card that came."""
    seat = before.seat
    had, has = before.hands[seat].nobles, after.hands[seat].nobles
    came = has[-1] if len(has) > len(had) and not isinstance(move, ChooseNoble) else None
    gold = isinstance(move, Reserve) and before.bank[Gem.GOLD] > 0
    held = isinstance(move, Buy) and before.place_of(move.card) is None
    return Line(ply, before.turn, seat, kind_of(move), now, move, came, dealt, gold, held)
