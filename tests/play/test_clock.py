"""Clocks with handed-in time: what is charged to whom, and what happens at zero."""

from __future__ import annotations

import pytest

from cabochon.notation import parse_move
from cabochon.play.chairs import Out
from cabochon.play.clock import DAY_MS, Days, Increment
from cabochon.play.commands import ask_takeback, come_back, flag
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.options import AtZero
from cabochon.play.table import Table
from tests.play.sittings import engine, opening, people, person, table_of

FAST = Increment(60_000, 5_000)
TAKE = (parse_move("take wug"),)


def times(table: Table) -> tuple[int, ...]:
    assert table.times is not None
    return table.times.remaining


def test_no_clock_no_times() -> None:
    table = table_of(opening(*people(2)))
    assert table.times is None
    assert not flag(table, 10**15).events


def test_a_turn_costs_its_time_and_earns_the_increment() -> None:
    table = table_of(opening(*people(2), clock=FAST, at=1000))
    table = table.submit(0, 1, TAKE, 11_000).table
    assert times(table) == (55_000, 60_000)
    assert table.times is not None
    assert table.times.running == 1
    table = table.submit(1, 2, TAKE, 12_000).table
    assert times(table) == (55_000, 64_000)


def test_the_clock_is_over_exactly_at_its_end() -> None:
    table = table_of(opening(*people(2), clock=FAST, at=1000))
    assert not flag(table, 60_999).events
    assert flag(table, 61_000).events


def test_days_begin_anew_each_turn() -> None:
    table = table_of(opening(*people(2), clock=Days(2), at=0))
    table = table.submit(0, 1, TAKE, DAY_MS).table
    assert times(table) == (2 * DAY_MS, 2 * DAY_MS)
    assert table.times is not None
    assert table.times.deadline == 3 * DAY_MS


def test_time_over_may_lose() -> None:
    table = table_of(opening(*people(2), clock=FAST, at_zero=AtZero.LOSE, at=0))
    table = flag(table, 60_000).table
    assert table.chairs[0].out is Out.TIME
    assert table.ended is not None
    assert table.ended.reason == "time"
    assert table.ended.winners == (1,)


def test_time_over_may_bring_a_bot_for_good() -> None:
    table = table_of(opening(*people(2), clock=FAST, at_zero=AtZero.BOT, at=0))
    table = flag(table, 60_000).table
    assert table.ended is None
    assert table.bot_to_act == "greedy"
    assert not table.may_come_back(0)
    assert not come_back(table, 0, 61_000).events


def test_who_ran_out_of_time_cannot_move_before_the_bot_does() -> None:
    table = table_of(opening(*people(2), clock=FAST, at_zero=AtZero.BOT, at=0))
    table = flag(table, 60_000).table
    with pytest.raises(TableRefused) as caught:
        table.submit(0, table.version, TAKE, 60_001)
    assert caught.value.code is TableFault.TIME_OVER
    after = table.submit(0, table.version, TAKE, 60_001, engine=True).table
    assert after.submit(1, after.version, TAKE, 60_002).events


def test_a_move_of_somebody_whose_time_was_over_is_still_read_from_an_old_log() -> None:
    """The first releases let such a player race the bot."""
    table = table_of(opening(*people(2), clock=FAST, at_zero=AtZero.BOT, at=0))
    flagged = flag(table, 60_000)
    moved = flagged.table.submit(0, flagged.table.version, TAKE, 60_001, engine=True)
    again = Table.of(table.id, [table.opened, *flagged.events, *moved.events])
    assert again.position == moved.table.position


def test_with_days_a_player_may_come_back_after_the_bots_turn() -> None:
    table = table_of(opening(*people(2), clock=Days(1), at_zero=AtZero.BOT, at=0))
    table = flag(table, DAY_MS).table
    assert not table.may_come_back(0)
    table = table.submit(0, table.version, TAKE, DAY_MS + 1, engine=True).table
    assert table.may_come_back(0)
    back = come_back(table, 0, DAY_MS + 2).table
    assert not back.chairs[0].by_engine


def test_no_time_runs_for_engines() -> None:
    table = table_of(opening(engine(), person(1), clock=FAST, at=0))
    assert table.times is not None
    assert table.times.deadline is None
    table = table.submit(0, 1, TAKE, 50_000).table
    assert times(table) == (65_000, 60_000)
    assert table.times is not None
    assert table.times.running == 1


def test_a_takeback_gives_no_time_back() -> None:
    table = table_of(opening(*people(2), clock=FAST, at=0))
    table = table.submit(0, 1, TAKE, 10_000).table
    table = ask_takeback(table, 0, 12_000).table
    assert times(table) == (50_000, 58_000)  # nor does the increment of that turn stay
    assert table.times is not None
    assert table.times.running == 0


@pytest.mark.parametrize("now", [999, 0])
def test_a_clock_that_is_read_too_early_charges_nothing(now: int) -> None:
    table = table_of(opening(*people(2), clock=FAST, at=1000))
    assert table.times is not None
    assert table.times.charged(now).remaining == (60_000, 60_000)
