"""Open chairs that the host gives to bots."""

from __future__ import annotations

import pytest

from cabochon.bots import UnknownBot
from cabochon.play.chairs import Chair, Kind
from cabochon.play.commands import join, leave, pledge
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import event_from_json, event_to_json
from cabochon.play.hosting import fill
from cabochon.play.messaging import Audience, messages_for
from cabochon.play.table import Table
from cabochon.rules import share_hash
from tests.play.sittings import duel, opening, person, table_of

OPEN = Chair(Kind.OPEN, invite="hash")


def waiting(seats: int = 3) -> Table:
    return table_of(opening(person(0), *[OPEN] * (seats - 1)))


def fault(table: Table, by: int = 0, seat: int | None = None) -> TableFault:
    with pytest.raises(TableRefused) as caught:
        fill(table, by, seat, "quartz", 5)
    code = caught.value.code
    assert isinstance(code, TableFault)
    return code


def test_the_last_bot_starts_the_game() -> None:
    table = fill(waiting(), 0, 2, "quartz", 5).table
    assert [chair.kind for chair in table.chairs] == [Kind.HUMAN, Kind.OPEN, Kind.BOT]
    assert table.state == "open"
    table = fill(table, 0, None, "talc", 6).table
    assert [chair.bot for chair in table.chairs] == [None, "talc", "quartz"]
    assert table.state == "running"
    assert table.started_at == 6


def test_the_chair_is_nobody_else_s_any_more() -> None:
    table = fill(waiting(), 0, 1, "quartz", 5).table
    assert table.chairs[1].invite is None
    with pytest.raises(TableRefused) as caught:
        join(table, 1, "Eve", "key", 6)
    assert caught.value.code is TableFault.SEAT_TAKEN


def test_only_whoever_made_the_table() -> None:
    table = join(waiting(), 1, "Bo", "hash1", 5).table
    assert fault(table, by=1) is TableFault.NOT_HOST
    table = join(leave(table, 0, 6).table, 0, "Eve", "other", 7).table
    assert fault(table, by=0) is TableFault.NOT_HOST


def test_only_open_chairs_before_the_start() -> None:
    assert fault(duel()) is TableFault.STARTED
    table = join(waiting(), 1, "Bo", "hash1", 5).table
    assert fault(table, seat=1) is TableFault.SEAT_TAKEN
    assert fault(table, seat=3) is TableFault.NO_SUCH_SEAT
    with pytest.raises(UnknownBot):
        fill(table, 0, 2, "hal", 5)


def test_with_bots_alone_nobody_waits_for_a_share() -> None:
    hashed = share_hash("00112233445566778899aabbccddeeff")
    table = pledge(waiting(2), 0, hashed, 4).table
    table = fill(table, 0, 1, "quartz", 5).table
    assert table.state == "running"
    assert not table.shares.parts


def test_two_people_and_a_bot_reveal_their_shares_first() -> None:
    hashed = share_hash("00112233445566778899aabbccddeeff")
    table = pledge(join(waiting(), 1, "Bo", "hash1", 3).table, 0, hashed, 4).table
    table = fill(table, 0, 2, "quartz", 5).table
    assert table.is_starting


def test_everybody_is_told_and_the_event_is_read_back() -> None:
    before = waiting()
    decision = fill(before, 0, 1, "quartz", 5)
    (event,) = decision.events
    assert event_from_json(event_to_json(event)) == event
    (told,) = messages_for(before, event, decision.table, Audience(), (), 5)
    assert told["type"] == "seats"
    last = fill(decision.table, 0, 2, "quartz", 6)
    (told,) = messages_for(decision.table, last.events[0], last.table, Audience((0,)), (), 6)
    assert told["type"] == "gameFull"
