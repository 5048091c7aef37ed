"""Before the start: open chairs that whoever made the table gives to bots, and takes from them."""

from __future__ import annotations

from cabochon.bots import BOT_NAMES, BotFault, UnknownBot
from cabochon.play.chairs import Kind
from cabochon.play.commands import check_seat, decided, first_open, given_up
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import BotSeated, Left
from cabochon.play.table import Decision, Table


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
    TableRefused, also for a bot that the table was made with, and after so many changes of mind
    as a person has there."""
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
    """Whether whoever made the table sits there."""
    holder = table.chairs[seat].holder
    return any(chair.is_held_by(holder) for chair in table.opened.chairs)


def check_bot(name: str) -> None:
    """Raises UnknownBot for a name that no bot of the house has."""
    if name not in BOT_NAMES:
        known = ", ".join(BOT_NAMES)
        raise UnknownBot(BotFault.UNKNOWN_BOT, name=name, known=known)
