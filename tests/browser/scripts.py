"""Games thought out beforehand: the deal is named, every seat plays alike each time.

The rules themselves play them, so a table is brought to any of their positions by sending moves,
without a bot and without looking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from cabochon.bots.greedy import GreedyBot
from cabochon.notation import format_move
from cabochon.rules import Move, Phase, Position, Ruleset, ShuffledDealer, Take

Policy = Callable[[Position], Move]
Until = Callable[[Position, Move | None], bool]


def greedy(position: Position) -> Move:
    return GreedyBot().choose(position.view(position.seat))


def hoarding(position: Position) -> Move:
    """The first seat takes tokens as long as it may."""
    takes = (move for move in position.legal_moves() if isinstance(move, Take))
    return next(takes, greedy(position)) if position.seat == 0 else greedy(position)


@dataclass(frozen=True, slots=True)
class Script:
    """The moves that lead to a position, each with the seat that makes it, and that position."""

    seed: str
    moves: tuple[tuple[int, str], ...]
    end: Position

    @property
    def seat(self) -> int:
        return self.end.seat


def positions(
    seed: str, ruleset: Ruleset, policy: Policy
) -> Iterator[tuple[Position, Move | None]]:
    """Every position in which a seat must act, with what it does there; the last has no move."""
    dealer = ShuffledDealer(seed)
    position = Position.start(ruleset, dealer.opening(ruleset))
    while position.phase is not Phase.OVER:
        if position.pending is not None:
            position = position.deal(dealer.deal(position))
            continue
        move = policy(position)
        yield position, move
        position = position.play(move)
    yield position, None


@cache
def script(
    seed: str,
    ruleset: Ruleset,
    until: Until,
    policy: Policy = greedy,
) -> Script:
    """Play until the position is as it should be. Raises AssertionError if it never is."""
    moves: list[tuple[int, str]] = []
    for position, move in positions(seed, ruleset, policy):
        if until(position, move):
            return Script(seed, tuple(moves), position)
        assert move is not None, f"the game {seed!r} never comes there"
        moves.append((position.seat, format_move(move)))
    raise AssertionError
