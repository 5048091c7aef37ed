"""Resigning, being away, claims, and bots that stand in."""

from __future__ import annotations

import pytest

from cabochon.notation import parse_move
from cabochon.play.chairs import Out
from cabochon.play.commands import claim, come_back, leave, resign, stand_in
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.options import WhenGone
from cabochon.rules import Ruleset
from tests.play.sittings import Sitting, duel, engine, opening, people, person, table_of

TAKE = (parse_move("take wug"),)


def test_resigning_a_duel_ends_it() -> None:
    table = resign(duel(), 0, 5).table
    assert table.ended is not None
    assert table.ended.ranking == (2, 1)
    assert table.ended.reason == "resign"
    assert table.to_act is None


def test_with_three_the_others_play_on_and_the_one_is_last() -> None:
    sitting = Sitting(opening(*people(3)), 3).play(9)
    sitting.table = resign(sitting.table, 0, 5).table
    assert sitting.table.ended is None
    assert sitting.table.chairs[0].by_engine
    with pytest.raises(TableRefused) as refused:
        sitting.table.submit(0, sitting.table.version, TAKE, 6)
    assert refused.value.code is TableFault.SEAT_OUT
    table = resign(sitting.table, 1, 7).table
    assert table.ended is not None
    assert table.ended.winners == (2,)


def test_a_seat_that_is_out_is_ranked_last_whatever_its_bot_wins() -> None:
    sitting = Sitting(opening(*people(3)), 8).play(30)
    position = sitting.table.running
    best = max(range(3), key=position.points)
    table = resign(sitting.table, best, 5).table
    table = resign(table, (best + 1) % 3, 6).table
    assert table.ended is not None
    assert table.ended.winners == ((best + 2) % 3,)


def test_in_teams_one_resigns_for_both() -> None:
    table = table_of(opening(*people(4), ruleset=Ruleset.preset("teams")))
    table = resign(table, 2, 5).table
    assert table.ended is not None
    assert table.ended.ranking == (3, 1, 3, 1)


def test_a_table_of_bots_ends_when_the_last_person_resigns() -> None:
    table = table_of(opening(person(0), engine(), engine()))
    table = resign(table, 0, 5).table
    assert table.ended is not None
    assert table.ended.ranking[0] == 3


def test_nobody_resigns_twice_or_after_the_end() -> None:
    table = resign(table_of(opening(*people(3))), 0, 5).table
    with pytest.raises(TableRefused) as refused:
        resign(table, 0, 6)
    assert refused.value.code is TableFault.SEAT_OUT
    table = resign(table, 1, 7).table
    with pytest.raises(TableRefused) as refused:
        resign(table, 2, 8)
    assert refused.value.code is TableFault.FINISHED


def test_a_bot_stands_in_and_hands_back() -> None:
    table = stand_in(duel(), 0, 5).table
    assert table.chairs[0].stands_in
    assert table.bot_to_act == "greedy"
    assert table.version == 2
    table = come_back(table, 0, 6).table
    assert not table.chairs[0].stands_in
    assert table.bot_to_act is None
    assert table.version == 3


def test_standing_in_twice_is_one_thing() -> None:
    table = stand_in(duel(), 0, 5).table
    assert not stand_in(table, 0, 6).events
    assert not come_back(duel(), 0, 6).events


def test_leaving_a_running_game_lets_a_bot_play_on() -> None:
    assert leave(duel(), 1, 5).table.chairs[1].stands_in


def test_a_claim_needs_absence_beyond_the_grace_time() -> None:
    with pytest.raises(TableRefused) as refused:
        claim(duel(), 0, None, {1: 59.9}, 5)
    assert refused.value.code is TableFault.NOT_GONE
    table = claim(duel(), 0, None, {1: 60.0}, 5).table
    assert table.chairs[1].out is Out.ABANDON
    assert table.ended is not None
    assert table.ended.reason == "abandon"
    assert table.ended.winners == (0,)


def test_nobody_claims_against_oneself_or_where_bots_take_over() -> None:
    with pytest.raises(TableRefused) as refused:
        claim(duel(), 0, 0, {0: 99.0}, 5)
    assert refused.value.code is TableFault.NOT_GONE
    table = table_of(opening(*people(2), when_gone=WhenGone.BOT))
    with pytest.raises(TableRefused) as refused:
        claim(table, 0, 1, {1: 99.0}, 5)
    assert refused.value.code is TableFault.CLAIM_OFF


def test_a_claim_names_a_seat_that_is_there() -> None:
    with pytest.raises(TableRefused) as refused:
        claim(duel(), 0, 3, {}, 5)
    assert refused.value.code is TableFault.NO_SUCH_SEAT
