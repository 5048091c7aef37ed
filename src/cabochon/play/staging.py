"""Playing the moves of one submission, one after the other, whole or not at all."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.lines import Line, kind_of
from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Deal,
    Dealer,
    Facts,
    Move,
    Opening,
    Phase,
    Position,
    Reserve,
    Ruleset,
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
            position = position.deal(Deal(dealt))
            deals.append(dealt)
        done.append(move)
        lines.append(_line(before, move, position, dealt, ply + len(done), now))
    return Staged(position, tuple(done), tuple(deals), tuple(lines))


class KnownCards:
    """Deals again, in order, what was dealt before: to stage moves out of a log."""

    def __init__(self, deals: tuple[Card, ...]) -> None:
        self._deals = iter(deals)

    def opening(self, ruleset: Ruleset) -> Opening:
        raise NotImplementedError("a log's opening is dealt from the seed")

    def deal(self, facts: Facts) -> Deal:
        return Deal(next(self._deals))


def _line(
    before: Position, move: Move, after: Position, dealt: Card | None, ply: int, now: int
) -> Line:
    seat = before.seat
    had, has = before.hands[seat].nobles, after.hands[seat].nobles
    came = has[-1] if len(has) > len(had) and not isinstance(move, ChooseNoble) else None
    gold = isinstance(move, Reserve) and before.bank[Gem.GOLD] > 0
    held = isinstance(move, Buy) and before.place_of(move.card) is None
    return Line(ply, before.turn, seat, kind_of(move), now, move, came, dealt, gold, held)
