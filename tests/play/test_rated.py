"""Rated games: nobody is helped, and leaving counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cabochon.notation import parse_move
from cabochon.play.commands import ask_takeback, leave
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Resigned, event_from_json, event_to_json
from cabochon.play.options import AtZero, Options, WhenGone
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.rules import Ruleset
from tests.play.sittings import engine, opening, people, person, table_of


def rated_table(*chairs: object) -> Table:
    opened = opening(*(chairs or people(2)), when_gone=WhenGone.BOT)  # type: ignore[arg-type]
    return table_of(replace(opened, options=opened.options.as_rated()))


def test_nothing_is_taken_back_also_where_it_would_be_free() -> None:
    table = rated_table()
    table = table.submit(0, table.version, (parse_move("take wug"),), 5).table
    with pytest.raises(TableRefused) as refused:
        ask_takeback(table, 0, 6)
    assert refused.value.code is TableFault.RATED_TAKEBACK


def test_leaving_is_giving_up() -> None:
    table = rated_table(person(0), engine("calcite"))
    decision = leave(table, 0, 7)
    assert decision.events == (Resigned(7, 0),)
    assert decision.table.ended is not None
    assert decision.table.ended.winners == (1,)


def test_no_bot_plays_for_whoever_is_away() -> None:
    options = rated_table().options
    assert (options.at_zero, options.when_gone) == (AtZero.LOSE, WhenGone.CLAIM)
    assert not options.allows_help


def test_the_log_keeps_it_and_older_logs_are_not_rated() -> None:
    opened = rated_table().opened
    data = event_to_json(opened)
    assert event_from_json(data) == opened
    assert data["options"].pop("rated") is True
    before = event_from_json(data)
    assert before == replace(opened, options=replace(opened.options, rated=False))
    assert "rated" not in event_to_json(before)["options"]


def test_a_line_that_fails_for_a_moment_is_nobody_s_victory() -> None:
    hasty = Options(Ruleset(2), grace_s=5)
    assert hasty.as_rated().grace_s == 60
    assert replace(hasty, grace_s=300).as_rated().grace_s == 300


def test_the_table_says_so() -> None:
    assert table_info(rated_table())["rated"] is True
    assert "rated" not in table_info(table_of(opening(*people(2))))
