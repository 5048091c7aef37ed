"""What a bot is: something that is handed a view and chooses a move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from cabochon.rules import CabochonError, Move, View
from cabochon.rules.arguments import check_seconds, check_whole
from cabochon.rules.errors import wrong
from cabochon.rules.sentences import register
from cabochon.rules.view import choices


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a bot may think, whichever comes first; None is no limit of that kind.

    `seed` fixes what is random in the choice: the same view, limit and bot give the same move.
    Raises WrongArgument for what is no number, or a negative time.
    """

    seconds: float | None = None
    visits: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.seconds is not None:
            check_seconds("seconds", self.seconds)
        if self.visits is not None:
            check_whole("visits", self.visits, 0)
        if self.seed is not None:
            check_whole("seed", self.seed)


NO_LIMIT = Limit()


class Bot(Protocol):
    """Chooses for the seat that looks at the view. It never sees a Position, so it cannot know
    more than that seat."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        """A legal move for the viewer, whose turn it is. The bots of this package raise NotAView
        for a Position or anything else, and IllegalMove when the viewer has nothing to decide."""
        ...


def choices_within(view: View, limit: Limit) -> list[Move]:
    """The moves that a bot may choose from. Raises NotAView for anything but a view, IllegalMove
    when its viewer has nothing to decide, WrongArgument for what is no limit."""
    moves = choices(view)
    if not all(hasattr(limit, name) for name in ("seconds", "visits", "seed")):
        raise wrong("limit", "limit", limit)
    return moves


class BotFault(StrEnum):
    """Why there is no such bot."""

    UNKNOWN_BOT = "unknown-bot"


class UnknownBot(CabochonError):
    """No bot has that name; `code` is a `BotFault`."""


register(
    {
        "unknown-bot": (
            "There is no bot {name}; there are {known}.",
            "没有名为 {name} 的机器人；可选 {known}。",
        )
    }
)
