"""How a table is to be played: everything that is fixed when it is made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from cabochon.play.clock import Clock, Days, Increment
from cabochon.rules import Ruleset


class AtZero(StrEnum):
    """What happens to a seat whose time is over."""

    BOT = "bot"
    LOSE = "lose"


class WhenGone(StrEnum):
    """What happens to a seat whose player has been away for the grace time."""

    BOT = "bot"
    CLAIM = "claim"
    """The others may claim: the seat is out."""


class Watching(StrEnum):
    """Who may look on without a seat."""

    ANYONE = "anyone"
    LINK = "link"
    NOBODY = "nobody"


class SeatOrder(StrEnum):
    RANDOM = "random"
    FIXED = "fixed"


RATED_GRACE_S = 60
"""A line that fails for a moment is nobody's victory where the result counts."""


@dataclass(frozen=True, slots=True)
class Options:
    """The rules of the sitting, as opposed to those of the game (`ruleset`)."""

    ruleset: Ruleset
    clock: Clock | None = None
    at_zero: AtZero = AtZero.BOT
    grace_s: int = 120
    when_gone: WhenGone = WhenGone.CLAIM
    watching: Watching = Watching.ANYONE
    listed: bool = True
    seat_order: SeatOrder = SeatOrder.RANDOM
    takeback: bool = True
    tutorial: bool = False
    takeback_asks: bool = False
    """Every take-back is asked for, also one that would be free."""
    rated: bool = False

    @property
    def allows_help(self) -> bool:
        """Whether there may be take-backs, hints and the live engine: not where the result counts
        for somebody's rating."""
        return not self.rated

    def as_rated(self) -> Options:
        """The same, for a game that counts: no bot stands in for a player who is away."""
        return replace(
            self,
            rated=True,
            takeback=False,
            grace_s=max(self.grace_s, RATED_GRACE_S),
            at_zero=AtZero.LOSE,
            when_gone=WhenGone.CLAIM,
        )


def options_to_json(options: Options) -> dict[str, Any]:
    """Plain data that `options_from_json` reads back."""
    data = {
        "ruleset": str(options.ruleset),
        "clock": clock_to_json(options.clock),
        "at_zero": options.at_zero.value,
        "grace_s": options.grace_s,
        "when_gone": options.when_gone.value,
        "watching": options.watching.value,
        "listed": options.listed,
        "seat_order": options.seat_order.value,
        "takeback": options.takeback,
        "tutorial": options.tutorial,
    }
    # Written only where they say something: a log without them may be of the releases before.
    if options.takeback_asks:
        data["takeback_asks"] = True
    if options.rated:
        data["rated"] = True
    return data


def options_from_json(data: Mapping[str, Any]) -> Options:
    return Options(
        ruleset=Ruleset.parse(data["ruleset"]),
        clock=_clock_from_json(data["clock"]),
        at_zero=AtZero(data["at_zero"]),
        grace_s=data["grace_s"],
        when_gone=WhenGone(data["when_gone"]),
        watching=Watching(data["watching"]),
        listed=data["listed"],
        seat_order=SeatOrder(data["seat_order"]),
        takeback=data["takeback"],
        tutorial=data["tutorial"],
        takeback_asks=data.get("takeback_asks", False),
        rated=data.get("rated", False),
    )


def clock_to_json(clock: Clock | None) -> dict[str, Any] | None:
    """As the protocol writes it: seconds, and the kind by name."""
    if clock is None:
        return None
    if isinstance(clock, Days):
        return {"kind": "days", "days": clock.days}
    return {
        "kind": "increment",
        "base_s": clock.base_ms // 1000,
        "increment_s": clock.increment_ms // 1000,
    }


def _clock_from_json(data: Mapping[str, Any] | None) -> Clock | None:
    if data is None:
        return None
    if data["kind"] == "days":
        return Days(data["days"])
    return Increment(data["base_s"] * 1000, data["increment_s"] * 1000)
