"""How much a seat may put into its table's log. Every seat has its own budget for each kind of
thing, so a player who runs out doesn't get anybody else's moves refused.

Together the budgets bound the log. What they don't count is bounded by what they do: an answer
needs a question, a return needs a leave, and the house's own bots finish their games.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import (
    BotTookOver,
    CameBack,
    Hinted,
    Left,
    Moved,
    RematchOffered,
    Said,
    TableEvent,
    TakebackAsked,
    TakenBack,
    TextingSwitched,
    Wrote,
)

MOVES_OF_ALL = 2000
"""Submissions, shared equally among the seats: ten times what the longest games have. After a
seat's last one a bot plays its game to the end, so tokens can't go round for ever."""
MOST_TAKEBACKS = 20
"""Wishes of one seat in one game with other people ..."""
MOST_TAKEBACKS_ALONE = 200
"""... and of somebody who plays with bots, or all the seats."""
MOST_SAID = 400
"""Phrases, texts, and switching texts on or off."""
MOST_HINTS = 100
"""Turns in which one seat may have a hint."""
MOST_LEAVES = 50
"""Also counts being away for longer than the grace time. After one more a bot keeps the seat."""
MOST_REMATCHES = 20
LEAVE_AGAIN_MS = 10_000
"""A player who has come back stays at least this long before leaving again."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one seat has put into the log; `back_at` is when its player last came back. `given_up`
    counts those who left before the start: the next player in the chair doesn't pay for them."""

    moves: int = 0
    takebacks: int = 0
    said: int = 0
    leaves: int = 0
    given_up: int = 0
    rematches: int = 0
    back_at: int | None = None
    hints: int = 0

    def has_moves(self, seats: int) -> bool:
        return self.moves < most_moves(seats)

    @property
    def may_return(self) -> bool:
        """Whether a bot that stands in may hand the seat back, as far as leaving goes."""
        return self.leaves <= MOST_LEAVES

    def moved(self, at: int) -> Spent:
        # As `replace` would, in a third of the time: a long log is read back through here.
        return Spent(
            moves=self.moves + 1,
            takebacks=self.takebacks,
            said=self.said,
            leaves=self.leaves,
            given_up=self.given_up,
            rematches=self.rematches,
            back_at=self.back_at,
            hints=self.hints,
        )

    # Each raises TableRefused when that kind is used up

    def check_moves(self, seats: int) -> None:
        _check(self.moves, most_moves(seats), TableFault.MOVES_SPENT)

    def check_takebacks(self, alone: bool) -> None:
        most = MOST_TAKEBACKS_ALONE if alone else MOST_TAKEBACKS
        _check(self.takebacks, most, TableFault.TAKEBACKS_USED_UP)

    def check_said(self) -> None:
        _check(self.said, MOST_SAID, TableFault.CHAT_FULL)

    def check_hints(self) -> None:
        _check(self.hints, MOST_HINTS, TableFault.HINTS_SPENT)

    def check_rematches(self) -> None:
        _check(self.rematches, MOST_REMATCHES, TableFault.REMATCHES_SPENT)

    def check_given_up(self) -> None:
        _check(self.given_up, MOST_LEAVES, TableFault.LEAVES_SPENT)

    def check_leaves(self, now: int) -> None:
        """Also refuses to leave again right after coming back."""
        _check(self.leaves, MOST_LEAVES, TableFault.LEAVES_SPENT)
        wait = 0 if self.back_at is None else self.back_at + LEAVE_AGAIN_MS - now
        if wait > 0:
            raise TableRefused(TableFault.LEAVE_TOO_SOON, seconds=-(-wait // 1000))


def most_moves(seats: int) -> int:
    """A seat's share of the submissions."""
    return MOVES_OF_ALL // seats


def _check(spent: int, most: int, fault: TableFault) -> None:
    if spent >= most:
        raise TableRefused(fault, most=most)


_CHARGE: dict[type[TableEvent], Callable[[Spent, int], Spent]] = {
    Moved: Spent.moved,
    TakebackAsked: lambda spent, at: replace(spent, takebacks=spent.takebacks + 1),
    TakenBack: lambda spent, at: replace(spent, takebacks=spent.takebacks + 1),
    Said: lambda spent, at: replace(spent, said=spent.said + 1),
    Wrote: lambda spent, at: replace(spent, said=spent.said + 1),
    TextingSwitched: lambda spent, at: replace(spent, said=spent.said + 1),
    Hinted: lambda spent, at: replace(spent, hints=spent.hints + 1),
    Left: lambda spent, at: replace(spent, given_up=spent.given_up + 1),
    BotTookOver: lambda spent, at: replace(spent, leaves=spent.leaves + 1),
    CameBack: lambda spent, at: replace(spent, back_at=at),
    RematchOffered: lambda spent, at: replace(spent, rematches=spent.rematches + 1),
}


def charged(spent: tuple[Spent, ...], event: TableEvent) -> tuple[Spent, ...]:
    """What every seat has spent after the event; the same object when it costs nothing."""
    charge = _CHARGE.get(type(event))
    if charge is None:
        return spent
    seat: int = event.seat  # type: ignore[union-attr]  # whatever costs something has a seat
    each = list(spent)
    each[seat] = charge(spent[seat], event.at)
    return tuple(each)
