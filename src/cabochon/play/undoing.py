"""What taking a turn back would undo, and who must be there for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import TakenBack
from cabochon.play.table import Table


@dataclass(frozen=True, slots=True)
class Undoing:
    """The last turn of `seat`, and whatever came after it: only the first `kept` submissions
    would stay. `free` means that nobody need be asked; `reveals`, that a card was turned up or
    drawn which somebody has now seen."""

    seat: int
    kept: int
    free: bool
    reveals: bool

    def event(self, now: int) -> TakenBack:
        return TakenBack(now, self.seat, self.kept, self.reveals)

    def check_all_there(self, table: Table, away: Collection[int]) -> None:
        """Raises TableRefused when a card was revealed and somebody who should agree is away:
        a bot that stands in can't agree for them."""
        if not self.reveals:
            return
        for seat in _people(table, self.seat):
            if table.chairs[seat].stands_in or (seat in away and seat != self.seat):
                raise TableRefused(TableFault.TAKEBACK_AWAY, seat=seat)


def undoing_of(table: Table, seat: int) -> Undoing:
    """Raises TableRefused when the seat has no turn to take back."""
    kept = _first_of_last_turn(table, seat)
    undone = table.history.moved.since(kept)
    reveals = any(moved.deals for moved in undone)
    free = not reveals and all(moved.seat == seat for moved in undone)
    return Undoing(seat, kept, free, reveals)


def _first_of_last_turn(table: Table, seat: int) -> int:
    """Where the seat's last turn began, among the submissions that stand."""
    kept, turn = None, None
    for index in range(len(table.history) - 1, -1, -1):
        event = table.history.moved[index]
        if turn is not None and event.turn < turn:
            break
        if event.seat == seat:
            kept, turn = index, event.turn
    if kept is None:
        raise TableRefused(TableFault.NOTHING_TO_TAKE_BACK)
    return kept


def _people(table: Table, asker: int) -> list[int]:
    """The asker, and everybody still in the game who is somebody else."""
    holder = table.chairs[asker].holder
    return [
        seat
        for seat, chair in enumerate(table.chairs)
        if seat == asker or (chair.has_say and chair.out is None and not chair.is_held_by(holder))
    ]
