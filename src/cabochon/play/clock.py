"""Time, always handed in: no clock here ever looks at the wall.

Milliseconds since 1970 throughout, so that a deadline survives a restart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

HOUR_S = 3600
HOUR_MS = 1000 * HOUR_S
DAY_MS = 24 * HOUR_MS
WEEK_MS = 7 * DAY_MS
LEAST_AFTER_TAKEBACK_MS = 1000
"""Nobody loses on time by taking a turn back."""


@dataclass(frozen=True, slots=True)
class Increment:
    """A time for the whole game, and an increment after each of your turns."""

    base_ms: int
    increment_ms: int


@dataclass(frozen=True, slots=True)
class Days:
    """A number of days for each turn."""

    days: int


Clock: TypeAlias = Increment | Days


@dataclass(frozen=True, slots=True)
class Times:
    """What each seat has left; `running` loses what has passed since `since`. `spent` is how long
    each has thought in all, turns that were taken back included."""

    remaining: tuple[int, ...]
    running: int | None
    since: int
    spent: tuple[int, ...]

    @property
    def deadline(self) -> int | None:
        """When the running seat's time is over; None when no time runs."""
        return None if self.running is None else self.since + self.remaining[self.running]

    def is_over(self, now: int) -> bool:
        deadline = self.deadline
        return deadline is not None and now >= deadline

    def charged(self, now: int) -> Times:
        """The same clock read now: what has passed is taken off the running seat."""
        seat = self.running
        if seat is None:
            return Times(self.remaining, None, now, self.spent)
        passed = max(0, now - self.since)
        left = max(0, self.remaining[seat] - passed)
        spent = _with(self.spent, seat, self.spent[seat] + passed)
        return Times(_with(self.remaining, seat, left), seat, now, spent)

    def handed(self, running: int | None, now: int) -> Times:
        """Read now; from here on the time of `running` runs."""
        charged = self.charged(now)
        return Times(charged.remaining, running, now, charged.spent)


def started(clock: Clock, seats: int, running: int | None, now: int) -> Times:
    """Everybody's time at the start of the game."""
    return Times((_budget(clock),) * seats, running, now, (0,) * seats)


def moved_on(
    clock: Clock,
    times: Times,
    done: int | None,
    running: int | None,
    now: int,
    earned: bool = True,
) -> Times:
    """After a decision at `now`. `done` is the seat whose turn ended with it, if one did;
    `running` is whose time runs from here on. An increment is only given where it was `earned`;
    the days of a turn always begin anew."""
    charged = times.charged(now)
    remaining = charged.remaining
    if done is not None and isinstance(clock, Increment) and earned:
        remaining = _with(remaining, done, remaining[done] + clock.increment_ms)
    if isinstance(clock, Days) and done is not None:
        remaining = _with(remaining, done, _budget(clock))
    return Times(remaining, running, now, charged.spent)


def taken_back(before: Times, times: Times, by: int, running: int | None, now: int) -> Times:
    """After a take-back to where the clock showed `before`: what was earned since is gone, and
    nobody has more than then or than now. Who asked also pays for having thought."""
    charged = times.charged(now)
    remaining = tuple(map(min, before.remaining, charged.remaining))
    had = before.remaining[by]
    left = had - (charged.spent[by] - before.spent[by])
    remaining = _with(remaining, by, min(remaining[by], max(left, LEAST_AFTER_TAKEBACK_MS)))
    return Times(remaining, running, now, charged.spent)


def _budget(clock: Clock) -> int:
    return clock.base_ms if isinstance(clock, Increment) else clock.days * DAY_MS


def _with(remaining: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*remaining[:seat], value, *remaining[seat + 1 :])
