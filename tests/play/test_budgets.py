"""Nobody fills a table's log, or makes somebody else's moves stale, by anything but moving."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import parse_move
from cabochon.play.budgets import (
    LEAVE_AGAIN_MS,
    MOST_LEAVES,
    MOST_REMATCHES,
    MOST_SAID,
    MOST_TAKEBACKS,
    most_moves,
)
from cabochon.play.chairs import Chair, Kind
from cabochon.play.commands import (
    agree_takeback,
    ask_takeback,
    come_back,
    decline_rematch,
    decline_takeback,
    join,
    leave,
    offer_rematch,
    resign,
    stand_in,
)
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import BotTookOver, CameBack, TableEvent
from cabochon.play.table import Decision, Table
from cabochon.play.talking import say
from cabochon.rules import Deck, Move, Position, Reserve, Return, Take
from tests.play.sittings import driven, duel, engine, opening, people, person, table_of

TAKE = (parse_move("take wug"),)


def round_and_round(position: Position) -> Move:
    """A move of somebody who never buys: the tokens go round, and the game nowhere."""

    def dullness(move: Move) -> tuple[bool, ...]:
        blind = isinstance(move, Reserve) and isinstance(move.target, Deck)
        keeps_gold = isinstance(move, Return) and "o" not in move.gems.letters
        return (blind, isinstance(move, Take), keeps_gold, isinstance(move, Return))

    return max(position.legal_moves(), key=dullness)


def submit(table: Table, version: int | None = None, now: int = 0) -> Decision:
    seen = table.version if version is None else version
    return table.submit(table.running.seat, seen, (round_and_round(table.running),), now)


def refusal(command: Callable[[], object]) -> TableFault:
    with pytest.raises(TableRefused) as refused:
        command()
    assert isinstance(refused.value.code, TableFault)
    return refused.value.code


# Budgets


def test_whoever_says_too_much_falls_silent_alone() -> None:
    table = duel()
    for _ in range(MOST_SAID):
        table = say(table, 0, "hello", 1).table
    assert refusal(lambda: say(table, 0, "hello", 1)) is TableFault.CHAT_FULL
    assert say(table, 1, "hello", 1).events
    assert submit(table).events


def test_take_backs_run_out_for_whoever_takes_them() -> None:
    table = duel()
    for _ in range(MOST_TAKEBACKS):
        table = ask_takeback(submit(table).table, 0, 1).table
    table = submit(table).table
    assert refusal(lambda: ask_takeback(table, 0, 1)) is TableFault.TAKEBACKS_USED_UP
    table = ask_takeback(submit(table).table, 1, 1).table
    assert table.to_act == 1 or table.takeback is not None


def test_asking_for_take_backs_runs_out_and_answering_does_not() -> None:
    table = duel().submit(0, 1, (parse_move("reserve deck1"),), 0).table
    for _ in range(MOST_TAKEBACKS):
        table = decline_takeback(ask_takeback(table, 0, 1).table, 1, 1).table
    assert refusal(lambda: ask_takeback(table, 0, 1)) is TableFault.TAKEBACKS_USED_UP
    assert submit(table).events


def test_leaving_and_returning_runs_out_for_whoever_leaves() -> None:
    table, now = duel(), 0
    for _ in range(MOST_LEAVES):
        now += LEAVE_AGAIN_MS
        table = come_back(leave(table, 0, now).table, 0, now).table
    later = now + LEAVE_AGAIN_MS
    assert refusal(lambda: leave(table, 0, later)) is TableFault.LEAVES_SPENT
    assert leave(table, 1, later).events
    assert submit(table).events


def test_whoever_has_just_come_back_stays_a_little() -> None:
    table = come_back(leave(duel(), 0, 5000).table, 0, 5001).table
    with pytest.raises(TableRefused) as refused:
        leave(table, 0, 5002)
    assert refused.value.code is TableFault.LEAVE_TOO_SOON
    assert refused.value.params == {"seconds": 10}
    assert leave(table, 0, 5001 + LEAVE_AGAIN_MS).events


def test_after_being_away_too_often_a_bot_keeps_the_seat() -> None:
    """A bot takes over however often somebody is away, but does not for ever hand back."""
    table = duel()
    for _ in range(MOST_LEAVES):
        table = come_back(stand_in(table, 0, 5).table, 0, 6).table
        assert not table.chairs[0].stands_in
    table = stand_in(table, 0, 7).table
    assert not table.may_come_back(0)
    assert not come_back(table, 0, 8).events
    assert refusal(lambda: submit(table)) is TableFault.LEAVES_SPENT
    assert resign(table, 0, 9).events


def test_a_chair_is_not_given_up_for_ever_before_the_start() -> None:
    table = table_of(opening(person(0), person(1), Chair(Kind.OPEN)))
    for _ in range(MOST_LEAVES):
        table = join(leave(table, 1, 1).table, 1, "Bo", "k", 1).table
    assert refusal(lambda: leave(table, 1, 1)) is TableFault.LEAVES_SPENT
    table = join(table, 2, "Chen", "k2", 1).table
    assert table.state == "running"
    assert leave(table, 1, 2).table.may_come_back(1)


def test_rematches_are_offered_only_so_often() -> None:
    table = resign(duel(), 0, 5).table
    for _ in range(MOST_REMATCHES):
        table = offer_rematch(table, 0, "next", "s", 6).decision.table
        table = decline_rematch(table, 1, 7).table
    refused = refusal(lambda: offer_rematch(table, 0, "next", "s", 8))
    assert refused is TableFault.REMATCHES_SPENT
    assert offer_rematch(table, 1, "next", "s", 8).decision.events


def test_all_that_one_seat_can_do_does_not_cost_the_other_a_move() -> None:
    """One seat puts everything it may into the log; the other's moves are all taken."""
    table, now = duel(), 0
    jams: list[Callable[[Table, int], Decision]] = [
        lambda t, n: say(t, 0, "hello", n),
        lambda t, n: leave(t, 0, n),
        lambda t, n: come_back(t, 0, n),
        lambda t, n: ask_takeback(t, 0, n),
        lambda t, n: decline_takeback(t, 0, n),
    ]
    while table.seq <= 2100:
        now += LEAVE_AGAIN_MS
        for jam in jams:
            with contextlib.suppress(TableRefused):
                table = jam(table, now).table
        table = submit(table, now=now).table
    while table.to_act != 1:
        table = submit(table, now=now).table
    assert submit(table, now=now).events
    assert refusal(lambda: say(table, 0, "hello", now)) is TableFault.CHAT_FULL


# A game has an end


def test_two_who_pass_the_tokens_round_for_ever_are_finished_by_bots() -> None:
    table = duel()
    counts = [0, 0]
    while table.bot_to_act is None:
        counts[table.running.seat] += 1
        decision = submit(table)
        table = decision.table
        assert sum(counts) <= 2 * most_moves(2)
    assert isinstance(decision.events[-1], BotTookOver)
    assert max(counts) == most_moves(2) == 1000
    first = counts.index(max(counts))
    assert not table.may_come_back(first)
    while not all(chair.by_engine for chair in table.chairs):
        bot = table.bot_to_act is not None
        table = (next(driven(table)) if bot else submit(table)).table
        assert table.ended is None
    for decision in driven(table):
        table = decision.table
    assert table.ended is not None


def test_who_has_no_moves_left_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cabochon.play.budgets.MOVES_OF_ALL", 4)
    table = duel()
    for _ in range(3):
        table = submit(table).table
    assert table.chairs[0].stands_in
    assert submit(table).table.chairs[1].stands_in
    table = submit(table).table
    assert refusal(lambda: submit(table)) is TableFault.MOVES_SPENT


def test_the_moves_of_a_stand_in_are_not_the_player_s() -> None:
    table = stand_in(duel(), 0, 1).table
    table = next(driven(table, lambda: 2)).table
    assert table.spent[0].moves == 0
    assert submit(table).table.spent[1].moves == 1


# Staleness


def test_leaving_and_returning_87_times_makes_no_move_of_the_victim_stale() -> None:
    """The very attack: 86 of 87 moves were stale."""
    table, stale = submit(duel()).table, 0
    for _ in range(87):
        seen = table.version
        table = table.after(BotTookOver(1, 0)).after(CameBack(2, 0))
        stale += not table.is_fresh(1, seen)
        table = submit(table, seen if table.is_fresh(1, seen) else None).table
        while table.to_act == 1:
            table = submit(table).table
        while table.to_act == 0:
            table = submit(table).table
    assert stale == 0


def test_a_third_seat_that_goes_out_makes_nobody_s_move_stale() -> None:
    table = table_of(opening(*people(3)))
    seen = table.version
    table = resign(table, 2, 5).table
    assert table.version > seen
    assert table.submit(0, seen, TAKE, 6).events


def test_a_move_from_before_one_s_own_leaving_is_stale() -> None:
    table = stand_in(duel(), 0, 5).table
    back = come_back(table, 0, 6).table
    for now, seen in ((table, 1), (back, 1), (back, 2)):
        with pytest.raises(TableRefused) as refused:
            now.submit(0, seen, TAKE, 7)
        assert refused.value.code is TableFault.STALE
    assert back.submit(0, back.version, TAKE, 7).events


def test_a_move_from_before_a_move_or_a_take_back_is_stale() -> None:
    table = duel().submit(0, 1, TAKE, 5).table
    taken = ask_takeback(table, 0, 6).table
    for now, seen in ((table, 1), (taken, 1), (taken, 2), (taken, 4)):
        with pytest.raises(TableRefused) as refused:
            now.submit(now.running.seat, seen, TAKE, 7)
        assert refused.value.code is TableFault.STALE


NOT_MOVING: list[Callable[[Table, int], Decision]] = [
    lambda table, now: say(table, 0, "hello", now),
    lambda table, now: leave(table, 0, now),
    lambda table, now: stand_in(table, 0, now),
    lambda table, now: come_back(table, 0, now),
    lambda table, now: decline_takeback(table, 0, now),
]


@given(st.lists(st.sampled_from(NOT_MOVING), max_size=30))
def test_nothing_beside_moving_makes_another_s_move_stale(
    doings: list[Callable[[Table, int], Decision]],
) -> None:
    table = duel().submit(0, 1, TAKE, 0).table
    seen, events = table.version, list[TableEvent]([table.opened, *table.moved])
    for now, do in enumerate(doings):
        try:
            decision = do(table, now * 4000)
        except TableRefused:
            continue
        events += decision.events
        table = decision.table
    assert table.submit(1, seen, TAKE, 10**9).table.moved[-1].seat == 1
    again = Table.of("table", events)
    assert (again.spent, again.fresh) == (table.spent, table.fresh)


def test_a_take_back_that_had_to_be_asked_for_costs_one() -> None:
    table = duel().submit(0, 1, (parse_move("reserve deck1"),), 0).table
    table = agree_takeback(ask_takeback(table, 0, 5).table, 1, 6).table
    assert table.moved == ()
    assert [spent.takebacks for spent in table.spent] == [1, 0]


def test_alone_against_bots_there_are_many_more_take_backs() -> None:
    table = table_of(opening(person(0), engine()))
    for _ in range(MOST_TAKEBACKS + 1):
        table = ask_takeback(table.submit(0, table.version, TAKE, 0).table, 0, 1).table
    assert table.spent[0].takebacks == MOST_TAKEBACKS + 1
