"""What whoever runs the server may do at a table, whatever its players think of it. Each returns a
`Decision` or raises TableRefused. A full log stops none of them."""

from __future__ import annotations

from cabochon.play.chairs import Kind
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Closed, Left, Removed, Renamed, TableEvent
from cabochon.play.table import Decision, Table


def close(table: Table, now: int) -> Decision:
    """End a game as it stands, or the waiting for one."""
    if table.ended is not None:
        raise TableRefused(TableFault.FINISHED)
    return _decided(table, Closed(now))


def remove(table: Table, seat: int, now: int) -> Decision:
    """Take a person, or a program from outside, out of the game; a bot makes the moves that are
    still due. Before the start the chair is simply free again."""
    _check_somebody(table, seat)
    if table.state == "open":
        return _decided(table, Left(now, seat))
    assert table.running
    if table.chairs[seat].out is not None:
        raise TableRefused(TableFault.SEAT_OUT, seat=seat)
    return _decided(table, Removed(now, seat))


def rename(table: Table, seat: int, name: str, now: int) -> Decision:
    """Nothing happens when that is the name already."""
    _check_somebody(table, seat)
    if table.chairs[seat].name == name:
        return Decision((), table)
    return _decided(table, Renamed(now, seat, name))


def _check_somebody(table: Table, seat: int) -> None:
    if seat not in range(len(table.chairs)):
        raise TableRefused(TableFault.NO_SUCH_SEAT, seat=seat)
    chair = table.chairs[seat]
    if not chair.has_say and chair.kind is not Kind.HUMAN:
        raise TableRefused(TableFault.NOBODY_THERE, seat=seat)


def _decided(table: Table, event: TableEvent) -> Decision:
    return Decision((event,), table.after(event))
