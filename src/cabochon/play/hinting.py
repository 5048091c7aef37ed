"""Hints: what the engine would do, for somebody who plays against bots alone. That one was given is
kept in the table's log, and told in its record."""

from __future__ import annotations

from cabochon.play.chairs import Kind
from cabochon.play.commands import check_in_game, decided
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Hinted
from cabochon.play.table import Decision, Table
from cabochon.rules import View


def hint_view(table: Table, seat: int, version: int) -> View:
    """What the seat knows where it wants a hint. Raises TableRefused where none is given."""
    check_in_game(table, seat)
    _check_alone(table, seat)
    if table.to_act != seat:
        raise TableRefused(TableFault.HINT_NOT_NOW)
    if not table.is_fresh(seat, version):
        raise TableRefused(TableFault.STALE, seen=version, version=table.version)
    if table.running.turn not in table.hints:
        table.spent[seat].check_hints()
    return table.running.view(seat)


def gives_hints(table: Table) -> bool:
    """Whether whoever plays there is given hints."""
    people = [seat for seat, chair in enumerate(table.chairs) if chair.has_say]
    if len(people) != 1:
        return False
    try:
        _check_alone(table, people[0])
    except TableRefused:
        return False
    return True


def hinted(table: Table, seat: int, version: int, now: int) -> Decision:
    """A hint is given; it counts once a turn. Raises as `hint_view` does."""
    turn = hint_view(table, seat, version).turn
    if turn in table.hints:
        return Decision((), table)
    return decided(table, Hinted(now, seat, turn))


def _check_alone(table: Table, seat: int) -> None:
    """One person, and bots of the house: nobody else, at this device or another, and no lesson."""
    if table.options.tutorial:
        raise TableRefused(TableFault.HINT_LESSON)
    if not table.options.allows_help:
        raise TableRefused(TableFault.RATED_HINT)
    for other, chair in enumerate(table.chairs):
        by_person = chair.kind is Kind.HUMAN and chair.token is None
        if by_person is not (other == seat) or chair.token is not None:
            raise TableRefused(TableFault.HINT_OFF)
