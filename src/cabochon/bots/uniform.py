"""The bot that knows the rules and nothing else."""

from __future__ import annotations

from random import Random

from cabochon.bots.bot import NO_LIMIT, Limit, choices_within
from cabochon.rules import Move, View


class UniformBot:
    """Every legal move is equally likely; a purchase pays with the least gold."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        moves = choices_within(view, limit)
        random = self._random if limit.seed is None else Random(limit.seed)
        return random.choice(moves)
