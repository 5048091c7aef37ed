"""Long games with many take-backs: what they lead to, what they cost, and where they end."""

from __future__ import annotations

import time
from dataclasses import replace
from random import Random

import pytest

from cabochon.notation import parse_move
from cabochon.play import budgets, commands
from cabochon.play.chairs import Chair
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import TableEvent, TakenBack
from cabochon.play.history import BLOCK, EVERY, RECENT, Stack
from cabochon.play.table import Table
from cabochon.rules import Deal, Position
from tests.bars import keeps
from tests.play.longlogs import long_log
from tests.play.sittings import Sitting, duel, engine, opening, people, person, table_of


def test_a_stack_is_a_tuple_that_shares() -> None:
    random = Random(3)
    empty: Stack[int] = Stack()
    stack = empty
    plain: tuple[int, ...] = ()
    older: list[tuple[Stack[int], tuple[int, ...]]] = []
    for number in range(600):
        if random.random() < 0.1:
            count = random.randrange(len(plain) + 2)
            stack, plain = stack.cut(count), plain[:count]
        items = tuple(range(number, number + random.choice((0, 1, 3, BLOCK + 1))))
        stack, plain = stack.plus(*items), plain + items
        older.append((stack, plain))
    for made, known in older:
        assert tuple(made) == known
        assert len(made) == len(known)
        assert tuple(reversed(made)) == known[::-1]
        middle = len(known) // 2
        assert made.since(middle) == known[middle:]
        assert not known or (made[0], made[-1]) == (known[0], known[-1])
        anew = empty.plus(*known)
        assert (made, hash(made)) == (anew, hash(anew))
        for index in (len(known), -len(known) - 1):
            with pytest.raises(IndexError):
                made[index]
    assert older[5][0].common(older[6][0]) <= len(older[5][1])
    assert repr(stack) == f"Stack of {len(plain)}"


def replayed_from_the_start(table: Table) -> Position:
    ruleset = table.options.ruleset
    position = Position.start(ruleset, table.dealer.opening(ruleset))
    for moved in table.moved:
        coming = iter(moved.deals)
        for move in moved.moves:
            position = position.play(move, moved.seat)
            if position.pending is not None:
                position = position.deal(Deal(next(coming)))
    return position


@pytest.mark.parametrize("seats", [2, 4])
def test_taking_back_turn_after_turn_leads_to_where_the_game_was(seats: int) -> None:
    """Further than the positions at hand, to the very start, and up again on the way."""
    chairs = tuple(person(seat, "me") for seat in range(seats))
    sitting = Sitting(opening(*chairs), 5).play(3 * (EVERY + RECENT))
    random = Random(1)
    seen = 0
    while sitting.table.moved:
        if random.random() < 0.2:
            sitting.move()
        seat = sitting.table.history.moved[-1].seat
        decision = commands.ask_takeback(sitting.table, seat, sitting.now)
        sitting.events += decision.events
        sitting.table = decision.table
        assert sitting.table.position == replayed_from_the_start(sitting.table)
        assert len(sitting.table.history.recent) <= RECENT + EVERY
        seen += 1
    assert seen > EVERY + RECENT
    again = Table.of("table", sitting.events)
    assert again == replace(sitting.table, dealer=again.dealer)


def test_a_log_with_five_hundred_takebacks_is_read_in_time_with_its_length() -> None:
    """A thousand moves, then five hundred times one back and one forth, against as many moves."""
    farmed, plain = long_log(moves=999, takebacks=500), long_log(moves=1999, takebacks=0)
    assert len(farmed) == len(plain) == 2000
    assert sum(isinstance(event, TakenBack) for event in farmed) == 500
    ratio = min(_cost(farmed) for _ in range(3)) / min(_cost(plain) for _ in range(3))
    assert ratio < 2


@pytest.mark.alone
@pytest.mark.parametrize(("moves", "takebacks"), [(999, 500), (1999, 0)])
def test_two_thousand_events_are_read_within_fifty_milliseconds(moves: int, takebacks: int) -> None:
    events = long_log(moves, takebacks)
    keeps(0.050, lambda: _cost(events))


def _cost(events: list[TableEvent]) -> float:
    began = time.process_time()
    Table.of("table", events)
    return time.process_time() - began


def one_back(table: Table, seat: int) -> Table:
    table = table.submit(seat, table.version, (parse_move("take wug"),), 0).table
    return commands.ask_takeback(table, seat, 0).table


def test_takebacks_run_out_for_the_seat_that_uses_them() -> None:
    table = duel()
    for _ in range(budgets.MOST_TAKEBACKS):
        table = one_back(table, 0)
    with pytest.raises(TableRefused) as refused:
        one_back(table, 0)
    assert refused.value.code is TableFault.TAKEBACKS_USED_UP
    assert refused.value.params == {"most": budgets.MOST_TAKEBACKS}
    table = table.submit(0, table.version, (parse_move("take wug"),), 0).table
    spent = [seat.takebacks for seat in one_back(table, 1).spent]
    assert spent == [budgets.MOST_TAKEBACKS, 1]


def test_takebacks_that_are_declined_count_and_those_agreed_to_count_once() -> None:
    table = duel().submit(0, 1, (parse_move("reserve deck1"),), 0).table
    asked = commands.ask_takeback(table, 0, 0).table
    for answer in (commands.decline_takeback, commands.agree_takeback):
        assert [seat.takebacks for seat in answer(asked, 1, 0).table.spent] == [1, 0]


@pytest.mark.parametrize("other", [engine(), person(1, "key:hash0")])
def test_who_plays_alone_may_take_back_often_but_not_for_ever(other: Chair) -> None:
    table = table_of(opening(person(0), other))
    for _ in range(budgets.MOST_TAKEBACKS_ALONE):
        table = one_back(table, 0)
    with pytest.raises(TableRefused) as refused:
        one_back(table, 0)
    assert refused.value.code is TableFault.TAKEBACKS_USED_UP


def test_a_seat_whose_rival_is_stood_in_is_not_alone() -> None:
    table = commands.leave(table_of(opening(*people(2))), 1, 0).table
    for _ in range(budgets.MOST_TAKEBACKS):
        table = one_back(table, 0)
    with pytest.raises(TableRefused):
        one_back(table, 0)


def test_a_long_table_is_small_in_memory() -> None:
    """Positions are kept here and there only: what is at hand does not grow with the game."""
    table = Table.of("table", long_log(moves=400, takebacks=0))
    history = table.history
    assert len(history.recent) == RECENT
    assert len(history.marks) == len(history) // EVERY
