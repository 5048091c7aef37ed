"""Who may play a rated game, and with whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cabochon.play.chairs import Chair, Kind
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.options import Options
from cabochon.play.table import Table
from cabochon.ratings import fixed_point, is_ratable
from cabochon.rules import Position
from cabochon.server.storage.people import Person


def check_rated_table(
    options: Options, chairs: Sequence[Chair], start: Position | None, maker: Person | None
) -> None:
    """Whether a table with these chairs can be rated, made by that person. Raises TableRefused."""
    if not options.rated:
        return
    if not is_ratable(options.ruleset):
        raise TableRefused(TableFault.RATED_RULES, ruleset=str(options.ruleset))
    if start is not None:
        raise TableRefused(TableFault.RATED_POSITION)
    _check_bots(options, chairs)
    humans = [chair for chair in chairs if chair.kind is not Kind.BOT or chair.has_say]
    if any(chair.kind is Kind.BOT or not _is_persons(chair) for chair in humans):
        raise TableRefused(TableFault.RATED_PERSON)
    if not humans or _sits_twice(chairs):
        raise TableRefused(TableFault.RATED_ALONE)
    if len(humans) > 1:
        _check_among_people(options, maker)


def check_rated_seat(table: Table, person: Person | None) -> None:
    """Whether that person may sit down at the table. Raises TableRefused."""
    if not table.options.rated:
        return
    if person is None:
        raise TableRefused(TableFault.RATED_PERSON)
    if not person.kept:
        raise TableRefused(TableFault.RATED_NAME)
    if any(chair.person == person.id for chair in table.chairs):
        raise TableRefused(TableFault.RATED_ALONE)


def _check_bots(options: Options, chairs: Iterable[Chair]) -> None:
    for chair in chairs:
        if chair.kind is Kind.BOT and not chair.has_say:
            assert chair.bot is not None
            if fixed_point(chair.bot, options.ruleset) is None:
                raise TableRefused(TableFault.RATED_BOT, bot=chair.bot)


def _check_among_people(options: Options, maker: Person | None) -> None:
    if options.clock is None:
        raise TableRefused(TableFault.RATED_CLOCK)
    if maker is None or not maker.kept:
        raise TableRefused(TableFault.RATED_NAME)


def _is_persons(chair: Chair) -> bool:
    """A person's, or still open for one."""
    return chair.kind is Kind.OPEN or chair.person is not None


def _sits_twice(chairs: Iterable[Chair]) -> bool:
    """Somebody who passes the device round."""
    found = [chair.person for chair in chairs if chair.person is not None]
    return len(set(found)) < len(found)
