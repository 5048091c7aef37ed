"""Nobody gets time by taking back, nor by letting a bot play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from cabochon.notation import parse_move
from cabochon.play import budgets, commands
from cabochon.play.chairs import Chair
from cabochon.play.clock import DAY_MS, Clock, Days, Increment
from cabochon.play.errors import TableRefused
from cabochon.play.events import TableEvent
from cabochon.play.table import Decision, Table
from tests.play.sittings import engine, opening, people, person, table_of

TAKE = (parse_move("take wug"),)
FAST = Increment(60_000, 30_000)


def left(table: Table) -> tuple[int, ...]:
    assert table.times is not None
    return table.times.remaining


@pytest.mark.parametrize("holder", ["person:me", None])
def test_playing_and_taking_back_over_and_over_earns_no_time(holder: str | None) -> None:
    table = table_of(opening(person(0, holder), person(1, holder), clock=FAST, at=0))
    for tried in range(budgets.MOST_TAKEBACKS):
        now = 10 * tried
        table = table.submit(0, table.version, TAKE, now).table
        table = commands.ask_takeback(table, 0, now).table
    assert left(table) == (60_000 - 10 * (budgets.MOST_TAKEBACKS - 1), 60_000)


def test_the_increment_of_a_turn_goes_with_it_and_the_time_it_took_does_not_come_back() -> None:
    table = table_of(opening(*people(2), clock=FAST, at=0))
    table = table.submit(0, 1, TAKE, 20_000).table
    assert left(table) == (70_000, 60_000)
    table = commands.ask_takeback(table, 0, 21_000).table
    assert left(table) == (40_000, 59_000)
    assert table.times is not None
    assert table.times.deadline == 61_000


def test_who_agrees_to_a_takeback_has_no_more_time_than_before_or_now() -> None:
    table = table_of(opening(*people(2), clock=FAST, at=0))
    table = table.submit(0, 1, TAKE, 1000).table
    table = table.submit(1, 2, TAKE, 2000).table  # seat 1 has earned 29 seconds
    table = commands.ask_takeback(table, 0, 3000).table
    table = commands.agree_takeback(table, 1, 4000).table
    assert left(table) == (57_000, 60_000)


def test_nobody_loses_on_time_by_taking_back() -> None:
    table = table_of(opening(person(0), engine(), clock=Increment(10_000, 60_000), at=0))
    table = table.submit(0, 1, TAKE, 9000).table
    table = table.submit(1, 2, TAKE, 9000, engine=True).table
    table = commands.ask_takeback(table, 0, 50_000).table
    assert left(table)[0] == 1000
    assert not commands.flag(table, 50_000).events


def test_a_turn_s_days_do_not_begin_anew_by_taking_it_back() -> None:
    table = table_of(opening(*people(2), clock=Days(2), at=0))
    table = table.submit(0, 1, TAKE, DAY_MS).table
    table = commands.ask_takeback(table, 0, DAY_MS).table
    assert left(table) == (DAY_MS, 2 * DAY_MS)


def test_a_stand_in_earns_no_increment_for_the_seat() -> None:
    table = table_of(opening(*people(2), clock=FAST, at=0))
    table = commands.leave(table, 0, 5000).table
    table = table.submit(0, table.version, TAKE, 6000, engine=True).table
    assert left(table) == (55_000, 60_000)
    table = table.submit(1, table.version, TAKE, 7000).table
    table = commands.come_back(table, 0, 8000).table
    table = table.submit(0, table.version, (parse_move("take ugr"),), 9000).table
    assert left(table) == (84_000, 89_000)


@dataclass
class Game:
    """A game by chance with take-backs, absences and time that passes, and what came of it."""

    table: Table
    random: Random
    now: int = 0
    events: list[TableEvent] = field(default_factory=list)

    def step(self) -> None:
        self.now += self.random.choice((0, 500, 4000, 20_000))
        seat = self.random.randrange(len(self.table.chairs))
        others = [
            commands.ask_takeback,
            commands.agree_takeback,
            commands.leave,
            commands.come_back,
        ]
        self._try(lambda table: commands.flag(table, self.now))
        if self.table.to_act is None or self.random.random() < 0.55:
            self._try(self._move)
        else:
            command = self.random.choice(others)
            self._try(lambda table: command(table, seat, self.now))

    def _move(self, table: Table) -> Decision:
        moves = table.running.legal_moves()
        engine = table.bot_to_act is not None
        seat = table.running.seat
        move = self.random.choice(moves)
        return table.submit(seat, table.version, (move,), self.now, engine=engine)

    def _try(self, command: Callable[[Table], Decision]) -> None:
        try:
            decision = command(self.table)
        except TableRefused:
            return
        self.events += decision.events
        self.table = decision.table


def turns_kept(table: Table, seat: int) -> int:
    turns = {event.turn for event in table.moved if event.seat == seat}
    assert table.position is not None
    return len({turn for turn in turns if turn < table.position.turn})


@pytest.mark.parametrize("clock", [FAST, Increment(60_000, 5_000), Increment(30_000, 0), Days(1)])
@pytest.mark.parametrize("seed", range(6))
def test_no_clock_ever_shows_more_than_its_kept_turns_have_earned(clock: Clock, seed: int) -> None:
    random = Random(seed)
    chairs: tuple[Chair, ...] = people(2 + seed % 3)
    if seed % 2:
        chairs = (*chairs[:-1], engine())
    game = Game(table_of(opening(*chairs, clock=clock, at=0)), random)
    for _ in range(250):
        before = game.table
        game.step()
        after = game.table
        for seat in range(len(chairs)):
            had, has = left(before)[seat], left(after)[seat]
            if isinstance(clock, Increment):
                kept = turns_kept(after, seat)
                assert has <= clock.base_ms + clock.increment_ms * kept
            else:
                assert has <= clock.days * DAY_MS
            if len(after.history) <= len(before.history):  # taken back, or nothing was played
                assert has <= had
    assert any(type(event).__name__ == "TakenBack" for event in game.events)


@pytest.mark.parametrize("seed", range(4))
def test_the_log_read_back_shows_the_same_clocks(seed: int) -> None:
    opened = opening(*people(3), clock=FAST, at=0)
    game = Game(table_of(opened), Random(seed))
    for _ in range(200):
        game.step()
    again = Table.of("table", [opened, *game.events])
    assert again == replace(game.table, dealer=again.dealer)
