"""Hints: for one person against bots, once a turn, and the record says so."""

from __future__ import annotations

import pytest

from cabochon.notation import parse_move
from cabochon.notation.records import format_record, parse_record
from cabochon.play.budgets import MOST_HINTS
from cabochon.play.chairs import Chair, Kind
from cabochon.play.commands import ask_takeback, resign
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Hinted, event_from_json, event_to_json
from cabochon.play.messaging import Audience, messages_for
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.play.talking import hint_view, hinted
from cabochon.record import verify
from cabochon.recordfaults import Verdict
from tests.play.sittings import driven, duel, engine, opening, people, person, table_of


def alone() -> Table:
    return table_of(opening(person(0), engine()))


def played(table: Table, text: str) -> Table:
    """The person's turn, and the bot's."""
    table = table.submit(0, table.version, (parse_move(text),), 5).table
    for decision in driven(table):
        table = decision.table
    return table


def refused(table: Table, seat: int = 0, version: int | None = None) -> TableFault:
    with pytest.raises(TableRefused) as caught:
        hinted(table, seat, table.version if version is None else version, 5)
    fault = caught.value.code
    assert isinstance(fault, TableFault)
    return fault


def test_a_hint_counts_once_a_turn() -> None:
    table = hinted(alone(), 0, 1, 5).table
    assert table.hints == (0,)
    assert hinted(table, 0, table.version, 6).events == ()
    table = played(table, "take wug")
    table = hinted(table, 0, table.version, 7).table
    assert table.hints == (0, 2)
    assert table.spent[0].hints == 2
    assert table_info(table).get("hints") == [2, 0]


def test_a_hint_makes_no_move_stale() -> None:
    before = alone()
    table = hinted(before, 0, before.version, 5).table
    assert table.version == before.version
    assert table.submit(0, before.version, (parse_move("take wug"),), 6).events


def test_what_is_looked_at_is_what_the_seat_knows() -> None:
    assert hint_view(alone(), 0, 1).viewer == 0


@pytest.mark.parametrize(
    "chairs",
    [
        people(2),
        (person(0), person(1, "key:hash0")),
        (person(0), Chair(Kind.BOT, "Robo", holder="token:t")),
        (Chair(Kind.BOT, "Robo", holder="token:t"), engine()),
    ],
    ids=["two people", "two at one device", "a program from outside", "a program asks"],
)
def test_nobody_else_may_sit_there(chairs: tuple[Chair, ...]) -> None:
    assert refused(table_of(opening(*chairs))) is TableFault.HINT_OFF


def test_in_the_lesson_the_coach_speaks() -> None:
    lesson = table_of(opening(person(0), engine("tutor"), tutorial=True))
    assert refused(lesson) is TableFault.HINT_LESSON


def test_nobody_is_helped_where_the_result_counts() -> None:
    counting = table_of(opening(person(0), engine(), rated=True))
    assert refused(counting) is TableFault.RATED_HINT


def test_only_on_one_s_own_turn_and_of_what_one_sees() -> None:
    table = alone()
    waiting = table.submit(0, 1, (parse_move("take wug"),), 5).table
    assert refused(waiting) is TableFault.HINT_NOT_NOW
    assert refused(table, version=0) is TableFault.STALE
    assert refused(resign(table, 0, 5).table) is TableFault.FINISHED


def test_there_is_an_end_of_hints() -> None:
    table = alone()
    for turn in range(2, 2 * MOST_HINTS + 2, 2):
        table = table.after(Hinted(5, 0, turn))
    assert refused(table) is TableFault.HINTS_SPENT
    assert table.after(Hinted(5, 0, 0)).hints[-1] == 0


def test_the_record_tells_and_still_verifies() -> None:
    table = played(hinted(alone(), 0, 1, 5).table, "take wug")
    table = played(hinted(table, 0, table.version, 6).table, "take wug")
    record = record_of(resign(table, 0, 9).table)
    assert record.headers["Hints"] == "1a 2a"
    again = parse_record(format_record(record))
    assert again == record
    found = verify(again)
    assert found.ok
    (told,) = [verdict for verdict in found.verdicts if verdict.code is Verdict.HINTS_GIVEN]
    assert told.text("en") == "The server gave hints in these turns: 1a 2a."
    assert "Hints" not in record_of(duel()).headers


def test_a_header_of_somebody_else_s_is_left_alone() -> None:
    record = record_of(resign(alone(), 0, 9).table)
    text = format_record(record).replace("[Table ", '[Hints "ask Bo"]\n[Table ')
    found = verify(parse_record(text))
    assert found.ok
    assert Verdict.HINTS_GIVEN not in {verdict.code for verdict in found.verdicts}


def test_a_hint_stays_noted_when_the_turn_is_taken_back() -> None:
    table = played(hinted(alone(), 0, 1, 5).table, "take wug")
    table = ask_takeback(table, 0, 6).table
    assert table.hints == (0,)


def test_everybody_is_told_that_one_was_given_and_not_which() -> None:
    before = alone()
    decision = hinted(before, 0, 1, 5)
    for audience in (Audience(), Audience((0,))):
        (message,) = messages_for(before, decision.events[0], decision.table, audience, (), 5)
        assert message["type"] == "seats"
        assert message["table"].get("hints") == [1, 0]


def test_the_event_is_read_back() -> None:
    event = Hinted(5, 0, 7)
    assert event_from_json(event_to_json(event)) == event
