"""How long something may think."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.rules.errors import check_seconds, check_whole, wrong

QUICK_VISITS = 400
DEEP_VISITS = 4000
"""What a decision gets in a quick review of a game, and in a thorough one."""


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a bot or a search may think, whichever comes first; None is no limit of that kind.

    `seed` fixes what is random: the same view, limit and bot (or searcher on one thread) give the
    same move. Without one, each search of a searcher draws another. Raises WrongArgument for what
    isn't a number, or is negative where it can't be.
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


def checked_limit(limit: object) -> Limit:
    """The limit that somebody was given. Raises WrongArgument for anything else."""
    if not isinstance(limit, Limit):
        raise wrong("limit", "limit", limit)
    return limit
