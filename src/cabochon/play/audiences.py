"""Who is told what happens at a table."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.play.table import Table


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is told: the seats that are held (none for a watcher), and whether derived facts are
    wanted. All with an equal audience get the same bytes."""

    seats: tuple[int, ...] = ()
    facts: bool = False

    def shown(self, table: Table) -> int | None:
        """Whose view it is: the seat to act if it is held, else the held one that acted last."""
        if not self.seats:
            return None
        position = table.position
        if position is None or len(self.seats) == 1:
            return self.seats[0]
        seats = len(table.chairs)
        return min(self.seats, key=lambda seat: (position.seat - seat) % seats)

    @property
    def reader(self) -> int | None:
        """For whom log lines are written: several seats at one device share the public log."""
        return self.seats[0] if len(self.seats) == 1 else None
