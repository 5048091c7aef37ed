"""Playing again: seats rotate, the score is kept, everybody must want it."""

from __future__ import annotations

import pytest

from cabochon.play.chairs import Chair, Kind
from cabochon.play.commands import (
    accept_rematch,
    decline_rematch,
    offer_rematch,
    resign,
    stand_in,
)
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.table import Table
from tests.play.sittings import duel, engine, opening, people, person, table_of


def finished(*chairs: Chair) -> Table:
    return resign(table_of(opening(*chairs)), 0, 5).table


def test_all_agree_and_the_second_begins() -> None:
    table = offer_rematch(finished(*people(2)), 0, "next", "seed2", 6).decision.table
    assert table.rematch is not None
    made = accept_rematch(table, 1, "next", "seed2", 7)
    assert made.opened is not None
    assert [chair.name for chair in made.opened.chairs] == ["Bo", "Ada"]
    assert made.opened.series.game == 2
    assert made.opened.series.score == (1, 0)
    assert made.opened.seed == "seed2"
    assert made.decision.table.rematch is not None
    assert made.decision.table.rematch.table == "next"
    again = Table.open("next", made.opened)
    assert again.state == "running"
    assert all(chair.out is None and not chair.by_engine for chair in again.chairs)


def test_against_bots_one_click_is_enough() -> None:
    made = offer_rematch(finished(person(0), engine()), 0, "next", "s", 6)
    assert made.opened is not None
    assert made.opened.chairs[0].bot == "greedy"
    assert made.opened.chairs[1].name == "Ada"


def test_partners_stay_partners() -> None:
    table = resign(table_of(opening(*people(4))), 0, 5).table
    for seat in (1, 2):
        table = resign(table, seat, 6).table
    table = offer_rematch(table, 0, "n", "s", 7).decision.table
    for seat in (1, 2):
        table = accept_rematch(table, seat, "n", "s", 8).decision.table
    made = accept_rematch(table, 3, "n", "s", 9)
    assert made.opened is not None
    assert [chair.name for chair in made.opened.chairs] == ["Bo", "Chen", "Dora", "Ada"]


def test_two_offers_are_an_agreement() -> None:
    table = offer_rematch(finished(*people(2)), 0, "a", "s", 6).decision.table
    assert offer_rematch(table, 1, "b", "s", 7).opened is not None


def test_accepting_twice_is_one_thing() -> None:
    table = finished(*people(3))
    table = resign(table, 1, 6).table
    table = offer_rematch(table, 0, "a", "s", 6).decision.table
    table = accept_rematch(table, 1, "a", "s", 7).decision.table
    assert not accept_rematch(table, 1, "a", "s", 8).decision.events
    assert not offer_rematch(table, 0, "a", "s", 8).decision.events


def test_who_was_replaced_by_a_bot_is_asked_too() -> None:
    table = stand_in(duel(), 1, 3).table
    table = resign(table, 0, 5).table
    assert offer_rematch(table, 0, "a", "s", 6).opened is None


def test_declining_and_what_is_too_early_or_too_late() -> None:
    with pytest.raises(TableRefused) as refused:
        offer_rematch(duel(), 0, "a", "s", 1)
    assert refused.value.code is TableFault.NOT_FINISHED
    over = finished(*people(2))
    for answer in (
        lambda: accept_rematch(over, 1, "a", "s", 6),
        lambda: decline_rematch(over, 1, 6),
    ):
        with pytest.raises(TableRefused) as refused:
            answer()
        assert refused.value.code is TableFault.NO_REMATCH_OFFERED
    offered = offer_rematch(over, 0, "a", "s", 6).decision.table
    assert decline_rematch(offered, 1, 7).table.rematch is None
    made = accept_rematch(offered, 1, "a", "s", 7).decision.table
    with pytest.raises(TableRefused) as refused:
        offer_rematch(made, 0, "b", "s", 8)
    assert refused.value.code is TableFault.REMATCH_MADE


def test_an_outside_bot_keeps_its_seat() -> None:
    bot = Chair(Kind.BOT, "Robo", holder="token:t1")
    table = resign(table_of(opening(person(0), bot)), 0, 5).table
    made = offer_rematch(table, 0, "a", "s", 6)
    assert made.opened is None
    made = accept_rematch(made.decision.table, 1, "a", "s", 7)
    assert made.opened is not None
    assert made.opened.chairs[0].token == "t1"
    assert made.opened.chairs[0].bot is None
