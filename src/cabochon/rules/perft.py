"""Counting what can happen: how many sequences of decisions of a given length there are when the
order of the cards is fixed. Two implementations of the rules agree when these numbers do."""

from __future__ import annotations

from cabochon.rules.dealer import Dealer
from cabochon.rules.errors import wrong
from cabochon.rules.facts import Phase
from cabochon.rules.moves import Move
from cabochon.rules.position import Position


def dealt(position: Position, dealer: Dealer) -> Position:
    """The position after the card that is due, if one is."""
    return position.deal(dealer.deal(position)) if position.phase is Phase.DEAL else position


def perft(position: Position, dealer: Dealer, depth: int) -> int:
    """How many sequences of `depth` decisions start here; a game that ends early counts as one.
    Raises WrongArgument."""
    _check(position, dealer, depth, 0)
    return _count(position, dealer, depth)


def _count(position: Position, dealer: Dealer, depth: int) -> int:
    position = dealt(position, dealer)
    if depth == 0 or position.phase is Phase.OVER:
        return 1
    if depth == 1:
        return len(position.legal_moves())
    return sum(
        _count(position.play_unchecked(move), dealer, depth - 1) for move in position.legal_moves()
    )


def divide(position: Position, dealer: Dealer, depth: int) -> dict[Move, int]:
    """The same count split by the first move, in the order of `legal_moves()`. Raises
    WrongArgument, also for a depth of 0, which has no first move."""
    _check(position, dealer, depth, 1)
    position = dealt(position, dealer)
    return {
        move: _count(position.play_unchecked(move), dealer, depth - 1)
        for move in position.legal_moves()
    }


def _check(position: object, dealer: object, depth: object, least: int) -> None:
    if not isinstance(position, Position):
        raise wrong("position", "position", position)
    if not all(callable(getattr(dealer, name, None)) for name in ("opening", "deal")):
        raise wrong("dealer", "dealer", dealer)
    if type(depth) is not int or depth < least:
        raise wrong("depth", "count", depth)
