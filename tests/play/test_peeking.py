"""What was revealed is only taken back with everybody there, and every log says so."""

from __future__ import annotations

import pytest

from cabochon.notation import parse_move
from cabochon.notation.records import format_record, parse_record
from cabochon.play.commands import agree_takeback, ask_takeback, leave, resign, stand_in
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import TakenBack, event_from_json, event_to_json
from cabochon.play.messaging import Audience, messages_for, snapshot
from cabochon.play.recording import record_of
from cabochon.play.staging import line_for
from cabochon.play.table import Table
from cabochon.record import verify
from tests.play.sittings import duel, engine, opening, people, person, table_of


def moved(table: Table, *texts: str) -> Table:
    for text in texts:
        seat = table.running.seat
        engine = table.chairs[seat].by_engine
        moves = (parse_move(text),)
        table = table.submit(seat, table.version, moves, 0, engine=engine).table
    return table


def refused_for(seat: int, table: Table, caller: int, away: frozenset[int] = frozenset()) -> None:
    with pytest.raises(TableRefused) as refused:
        ask_takeback(table, caller, 9, away)
    assert refused.value.code is TableFault.TAKEBACK_AWAY
    assert refused.value.params == {"seat": seat}


def peeked() -> Table:
    """A blind reserve that both have agreed to take back."""
    table = ask_takeback(moved(duel(), "reserve deck1"), 0, 5).table
    return agree_takeback(table, 1, 6).table


# Who must be there


def test_a_bot_that_stands_in_does_not_agree_for_its_player() -> None:
    table = stand_in(moved(duel(), "reserve deck1"), 1, 5).table
    refused_for(1, table, 0)


def test_nor_when_the_stand_in_itself_has_revealed_something() -> None:
    table = stand_in(moved(duel(), "take wug"), 1, 5).table
    refused_for(1, moved(table, "reserve deck3"), 0)


def test_somebody_away_without_a_stand_in_blocks_it_too() -> None:
    table = moved(duel(), "reserve deck1")
    refused_for(1, table, 0, frozenset({1}))
    assert ask_takeback(table, 0, 5).table.takeback is not None


def test_a_third_player_who_is_away_blocks_what_the_second_agrees_to() -> None:
    table = moved(table_of(opening(*people(3))), "reserve deck1")
    table = ask_takeback(table, 0, 5).table
    table = agree_takeback(table, 2, 6).table
    with pytest.raises(TableRefused) as refused:
        agree_takeback(table, 1, 7, frozenset({2}))
    assert refused.value.code is TableFault.TAKEBACK_AWAY
    assert agree_takeback(table, 1, 8).table.moved == ()


def test_leaving_while_asked_is_no_consent() -> None:
    table = ask_takeback(moved(duel(), "reserve deck1"), 0, 5).table
    table = leave(table, 1, 6).table
    assert table.takeback is None
    refused_for(1, table, 0)


def test_an_asker_for_whom_a_bot_plays_comes_back_first() -> None:
    table = stand_in(moved(duel(), "reserve deck1"), 0, 5).table
    refused_for(0, table, 0)


def test_what_revealed_nothing_is_taken_back_as_ever() -> None:
    table = stand_in(moved(duel(), "take wug"), 1, 5).table
    assert ask_takeback(table, 0, 6, {1}).table.moved == ()
    table = ask_takeback(moved(table, "take wug"), 0, 6, {1}).table
    assert table.moved == ()
    assert not table.lines[-1].revealed


def test_who_is_out_is_not_waited_for() -> None:
    table = moved(table_of(opening(*people(3))), "reserve deck1")
    table = resign(table, 2, 5).table
    assert ask_takeback(table, 0, 6, {2}).table.takeback is not None


def test_alone_against_bots_one_may_look_but_it_is_noted() -> None:
    table = moved(table_of(opening(person(0), engine())), "reserve deck1")
    table = ask_takeback(table, 0, 5).table
    assert table.moved == ()
    assert table.lines[-1].revealed


# What the logs say


def test_the_line_says_that_a_card_was_revealed() -> None:
    table = peeked()
    said = line_for(table.lines[-1], None)
    assert said["revealed"] is True
    assert said["text"]["en"] == "took a turn back after a card was revealed: everybody agreed"
    assert said["text"]["zh"] == "在已有牌翻开之后悔棋：大家都同意"
    plain = line_for(ask_takeback(moved(duel(), "take wug"), 0, 5).table.lines[-1], None)
    assert "revealed" not in plain
    told = "took a turn back: nobody had moved since, and no card was revealed"
    assert plain["text"]["en"] == told


def test_whoever_is_asked_is_told_that_a_card_was_revealed() -> None:
    before = moved(duel(), "reserve deck1")
    decision = ask_takeback(before, 0, 5)
    (message,) = messages_for(before, decision.events[0], decision.table, Audience((1,)), (), 5)
    assert message["type"] == "takeback"
    assert message["takeback"] == {"by": 0, "agreed": [], "waiting": [1], "revealed": True}
    before = moved(duel(), "take wug", "take wug")
    asked = snapshot(ask_takeback(before, 0, 5).table, Audience((1,)), (), 5)["takeback"]
    assert asked == {"by": 0, "agreed": [], "waiting": [1]}


def test_taking_back_more_does_not_take_back_the_notice() -> None:
    table = moved(duel(), "take wug", "take wug", "reserve deck1")
    table = agree_takeback(ask_takeback(table, 0, 5).table, 1, 6).table
    assert [line.revealed for line in table.lines] == [False, False, True]
    table = agree_takeback(ask_takeback(table, 0, 7).table, 1, 8).table
    assert table.moved == ()
    assert [line.revealed for line in table.lines] == [True, False]
    assert table.ply == 0


def test_the_record_says_which_turns_were_played_anew() -> None:
    table = moved(duel(), "take wug", "take wug", "reserve deck1")
    table = agree_takeback(ask_takeback(table, 0, 5).table, 1, 6).table
    table = moved(table, "take rkw", "reserve deck1")
    table = agree_takeback(ask_takeback(table, 1, 7).table, 0, 8).table
    record = record_of(resign(table, 1, 9).table)
    assert record.headers["TakenBack"] == "2a 2b"
    again = parse_record(format_record(record))
    assert again == record
    assert verify(again).ok
    assert record_of(table).seen_by(None).headers["TakenBack"] == "2a 2b"
    assert "TakenBack" not in record_of(moved(duel(), "take wug")).headers


# Rows of before, and for servers of before


def test_a_row_without_the_flag_is_read_and_written_as_before() -> None:
    old = {"type": "TakenBack", "at": 5, "seat": 0, "kept": 3}
    event = event_from_json(old)
    assert event == TakenBack(5, 0, 3, revealed=False)
    assert event_to_json(event) == old
    flagged = TakenBack(5, 0, 3, revealed=True)
    assert event_from_json(event_to_json(flagged)) == flagged
