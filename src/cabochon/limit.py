"""How long something may think."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limit:
    """How long a bot or a search may think, whichever comes first; None is no limit of that kind.

    `seed` fixes what is random: the same view, limit and bot (or searcher on one thread) give the
    same move. Without one, every search of a searcher has another.
    """

    seconds: float | None = None
    visits: int | None = None
    seed: int | None = None


NO_LIMIT = Limit()
