"""What a bot is: something that is handed a view and chooses a move. The simplest one is here."""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Protocol

from cabochon.limit import NO_LIMIT, Limit, checked_limit
from cabochon.rules import CabochonError, Move, View
from cabochon.rules.view import choices


class Bot(Protocol):
    """Chooses for the seat that looks at the view. It never sees a Position, so it cannot know
    more than that seat."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        """A legal move for the viewer, whose turn it is. The bots of this package raise NotAView
        for a Position or anything else, and IllegalMove when the viewer has nothing to decide."""
        ...


def choices_within(view: View, limit: Limit) -> list[Move]:
    """The moves that a bot may choose from. Raises NotAView for anything but a view, IllegalMove
    when its viewer has nothing to decide, WrongArgument for anything but a limit."""
    moves = choices(view)
    checked_limit(limit)
    return moves


class BotFault(StrEnum):
    """Why there is no such bot."""

    UNKNOWN_BOT = "unknown-bot"
    NOT_MADE = "bot-not-made"


class UnknownBot(CabochonError):
    """No bot has that name; `code` is a `BotFault`."""


class UniformBot:
    """Every legal move is equally likely; a purchase pays with the least gold."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        moves = choices_within(view, limit)
        random = self._random if limit.seed is None else Random(limit.seed)
        return random.choice(moves)


__all__ = ["NO_LIMIT", "Bot", "BotFault", "Limit", "UniformBot", "UnknownBot"]
