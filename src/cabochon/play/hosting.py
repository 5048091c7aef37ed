"""What a host may do at a table. Each returns a `Decision` or raises TableRefused.

A table's maker gives open chairs to bots before the start, and takes them back. The host may close
a game, remove a player and change a name without asking the players; even a full log doesn't stop
that."""

from __future__ import annotations

from cabochon.bots import BOT_NAMES, BotFault, UnknownBot
from cabochon.play.chairs import Kind
from cabochon.play.commands import check_seat, decided, first_open, given_up
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import BotSeated, Closed, Left, Removed, Renamed
from cabochon.play.table import Decision, Table

# The table's maker


def fill(table: Table, by: int, seat: int | None, bot: str, now: int) -> Decision:
    """That chair, or the first open one; its invitation is good for nothing then. Raises
    TableRefused, and UnknownBot."""
    _check_host(table, by)
    check_bot(bot)
    if seat is None:
        seat = first_open(table)
    check_seat(table, seat)
    if table.chairs[seat].kind is not Kind.OPEN:
        raise TableRefused(TableFault.SEAT_TAKEN, seat=seat)
    return decided(table, BotSeated(now, seat, bot, by))


def empty(table: Table, by: int, seat: int | None, now: int) -> Decision:
    """Send the bot that was seated there away; the chair's invitation is good again. Raises
    TableRefused, also for a bot that the table was made with, and after too many changes of
    mind."""
    _check_host(table, by)
    if seat is None:
        raise TableRefused(TableFault.NO_BOT_THERE)
    check_seat(table, seat)
    if table.chairs[seat].bot is None or table.opened.chairs[seat].kind is not Kind.OPEN:
        raise TableRefused(TableFault.NO_BOT_THERE)
    table.spent[seat].check_given_up()
    return given_up(table, Left(now, seat))


def _check_host(table: Table, by: int) -> None:
    if table.ended is not None:
        raise TableRefused(TableFault.FINISHED)
    if table.position is not None:
        raise TableRefused(TableFault.STARTED)
    if not is_host(table, by):
        raise TableRefused(TableFault.NOT_HOST)


def is_host(table: Table, seat: int) -> bool:
    """Whether the table's maker sits there."""
    holder = table.chairs[seat].holder
    return any(chair.is_held_by(holder) for chair in table.opened.chairs)


def check_bot(name: str) -> None:
    """Raises UnknownBot for a name that no bot of the house has."""
    if name not in BOT_NAMES:
        known = ", ".join(BOT_NAMES)
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=name, known=known)


# The host


def close(table: Table, now: int) -> Decision:
    """End a game as it stands, or the waiting for one."""
    if table.ended is not None:
        raise TableRefused(TableFault.FINISHED)
    return decided(table, Closed(now))


def remove(table: Table, seat: int, now: int) -> Decision:
    """Take a person, or a program from outside, out of the game; a bot makes the moves that are
    still due. Before the start the chair is simply free again."""
    _check_somebody(table, seat)
    if table.state == "open":
        return decided(table, Left(now, seat))
    assert table.running
    if table.chairs[seat].out is not None:
        raise TableRefused(TableFault.SEAT_OUT, seat=seat)
    return decided(table, Removed(now, seat))


def rename(table: Table, seat: int, name: str, now: int) -> Decision:
    """Nothing happens when that is the name already."""
    _check_somebody(table, seat)
    if table.chairs[seat].name == name:
        return Decision((), table)
    return decided(table, Renamed(now, seat, name))


def _check_somebody(table: Table, seat: int) -> None:
    if seat not in range(len(table.chairs)):
        raise TableRefused(TableFault.NO_SUCH_SEAT, seat=seat)
    chair = table.chairs[seat]
    if not chair.has_say and chair.kind is not Kind.HUMAN:
        raise TableRefused(TableFault.NOBODY_THERE, seat=seat)
