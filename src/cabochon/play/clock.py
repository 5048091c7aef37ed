"""Time, always handed in: no clock here ever looks at the wall.

Milliseconds since 1970 throughout, so that a deadline survives a restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Increment:
    """So much for the whole game, and so much more after every own turn."""

    base_ms: int
    increment_ms: int


@dataclass(frozen=True, slots=True)
class Days:
    """So many days for each turn."""

    days: int


Clock: TypeAlias = Increment | Days


@dataclass(frozen=True, slots=True)
class Times:
    """What each seat has left; `running` loses what has passed since `since`."""

    remaining: tuple[int, ...]
    running: int | None
    since: int

    @property
    def deadline(self) -> int | None:
        """When the running seat's time is over; None when no time runs."""
        return None if self.running is None else self.since + self.remaining[self.running]

    def is_over(self, now: int) -> bool:
        deadline = self.deadline
        return deadline is not None and now >= deadline

    def charged(self, now: int) -> Times:
        """The same clock read now: what has passed is taken off the running seat."""
        if self.running is None:
            return Times(self.remaining, None, now)
        left = max(0, self.remaining[self.running] - max(0, now - self.since))
        return Times(_with(self.remaining, self.running, left), self.running, now)


def started(clock: Clock, seats: int, running: int | None, now: int) -> Times:
    """Everybody's time at the start of the game."""
    return Times((_budget(clock),) * seats, running, now)


def moved_on(clock: Clock, times: Times, done: int | None, running: int | None, now: int) -> Times:
    """After a decision at `now`. `done` is the seat whose turn ended with it, if one did;
    `running` is whose time runs from here on."""
    remaining = times.charged(now).remaining
    if done is not None and isinstance(clock, Increment):
        remaining = _with(remaining, done, remaining[done] + clock.increment_ms)
    if isinstance(clock, Days) and done is not None:
        remaining = _with(remaining, done, _budget(clock))
    return Times(remaining, running, now)


def _budget(clock: Clock) -> int:
    return clock.base_ms if isinstance(clock, Increment) else clock.days * DAY_MS


def _with(remaining: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*remaining[:seat], value, *remaining[seat + 1 :])
