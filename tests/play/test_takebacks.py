"""Taking back: free until something is revealed or somebody acts, else by consent."""

from __future__ import annotations

import pytest

from cabochon.notation import parse_move
from cabochon.play.commands import (
    agree_takeback,
    ask_takeback,
    decline_takeback,
    resign,
)
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Closed, event_from_json, event_to_json
from cabochon.play.staging import TakebackRule, line_for
from cabochon.play.table import Table
from cabochon.rules import Buy
from tests.play.sittings import Sitting, duel, engine, opening, people, person, table_of


def moved(table: Table, text: str) -> Table:
    return table.submit(table.running.seat, table.version, (parse_move(text),), 0).table


def test_free_while_nothing_was_revealed_and_nobody_acted() -> None:
    table = ask_takeback(moved(duel(), "take wug"), 0, 5).table
    assert table.position == duel().position
    assert table.moved == ()
    assert table.version == 3
    assert [line.kind.value for line in table.lines] == ["takeback"]


def test_free_also_where_takebacks_are_off() -> None:
    table = table_of(opening(*people(2), takeback=False))
    assert ask_takeback(moved(table, "take wug"), 0, 5).table.moved == ()


def test_a_revealed_card_needs_consent() -> None:
    table = moved(duel(), "reserve deck1")
    table = ask_takeback(table, 0, 5).table
    assert table.takeback is not None
    assert table.takeback.by == 0
    assert len(table.moved) == 1
    table = agree_takeback(table, 1, 6).table
    assert table.moved == ()
    assert table.takeback is None


def test_somebody_who_acted_must_agree_and_loses_that_turn_too() -> None:
    table = moved(moved(duel(), "take wug"), "take wug")
    table = ask_takeback(table, 0, 5).table
    table = agree_takeback(table, 1, 6).table
    assert table.moved == ()
    assert table.to_act == 0


def test_who_is_out_has_no_say() -> None:
    table = table_of(opening(*people(3)))
    table = resign(moved(table, "reserve deck1"), 2, 5).table
    table = ask_takeback(table, 0, 6).table
    for answer in (agree_takeback, decline_takeback):
        with pytest.raises(TableRefused) as refused:
            answer(table, 2, 7)
        assert refused.value.code is TableFault.SEAT_OUT
    assert agree_takeback(table, 1, 8).table.moved == ()


def test_all_others_must_agree() -> None:
    table = table_of(opening(*people(3)))
    table = ask_takeback(moved(table, "reserve deck1"), 0, 5).table
    table = agree_takeback(table, 2, 6).table
    assert table.takeback is not None
    assert not agree_takeback(table, 2, 7).events
    assert agree_takeback(table, 1, 8).table.moved == ()


def test_one_no_is_enough_and_the_asker_may_withdraw() -> None:
    table = ask_takeback(moved(duel(), "reserve deck1"), 0, 5).table
    for seat in (0, 1):
        assert decline_takeback(table, seat, 6).table.takeback is None


def test_a_move_settles_the_question() -> None:
    table = ask_takeback(moved(duel(), "reserve deck1"), 0, 5).table
    assert moved(table, "take wug").takeback is None


def test_not_where_the_table_allows_none() -> None:
    table = moved(table_of(opening(*people(2), takeback=False)), "reserve deck1")
    with pytest.raises(TableRefused) as refused:
        ask_takeback(table, 0, 5)
    assert refused.value.code is TableFault.TAKEBACK_OFF


def test_engines_and_one_s_own_other_seats_are_not_asked() -> None:
    for chairs in ((person(0), engine()), (person(0, "me"), person(1, "me"))):
        table = moved(table_of(opening(*chairs)), "reserve deck1")
        assert ask_takeback(table, 0, 5).table.moved == ()


def test_the_whole_turn_goes_back_not_its_last_step() -> None:
    sitting = Sitting(opening(*people(2)), 0)
    while sitting.table.running.phase.value != "return":
        sitting.move()
        assert sitting.table.to_act is not None
    turn, seat = sitting.table.running.turn, sitting.table.running.seat
    sitting.move()
    before = [event for event in sitting.table.moved if event.turn < turn]
    table = ask_takeback(sitting.table, seat, 5).table
    if table.takeback is not None:
        table = agree_takeback(table, 1 - seat, 6).table
    assert list(table.moved) == before
    assert table.running.turn == turn


@pytest.mark.parametrize("seat", [0, 1])
def test_nothing_to_take_back(seat: int) -> None:
    with pytest.raises(TableRefused) as refused:
        ask_takeback(duel(), seat, 5)
    assert refused.value.code is TableFault.NOTHING_TO_TAKE_BACK


def test_who_may_ask_and_answer() -> None:
    table = moved(duel(), "reserve deck1")
    for answer in (agree_takeback, decline_takeback):
        with pytest.raises(TableRefused) as refused:
            answer(table, 1, 5)
        assert refused.value.code is TableFault.NO_TAKEBACK_ASKED
    table = ask_takeback(table, 0, 5).table
    with pytest.raises(TableRefused) as refused:
        ask_takeback(table, 0, 6)
    assert refused.value.code is TableFault.TAKEBACK_PENDING
    with pytest.raises(TableRefused) as refused:
        agree_takeback(table, 0, 6)
    assert refused.value.code is TableFault.NO_TAKEBACK_ASKED
    with pytest.raises(TableRefused) as refused:
        ask_takeback(resign(table, 1, 7).table, 0, 8)
    assert refused.value.code is TableFault.FINISHED


def test_the_same_cards_come_again() -> None:
    table = moved(duel(), "reserve deck1")
    dealt = table.moved[0].deals
    table = agree_takeback(ask_takeback(table, 0, 5).table, 1, 6).table
    assert moved(table, "reserve deck1").moved[0].deals == dealt


# Where everything is asked


def test_a_table_that_asks_asks_also_for_the_free_one() -> None:
    table = moved(table_of(opening(*people(2), takeback_asks=True)), "take wug")
    table = ask_takeback(table, 0, 5).table
    assert table.takeback is not None
    assert len(table.moved) == 1
    assert agree_takeback(table, 1, 6).table.moved == ()


def test_a_table_that_asks_does_not_ask_bots() -> None:
    table = moved(table_of(opening(person(0), engine(), takeback_asks=True)), "take wug")
    assert ask_takeback(table, 0, 5).table.moved == ()


def test_the_line_says_by_which_rule_it_happened() -> None:
    free = ask_takeback(moved(duel(), "take wug"), 0, 5).table
    drawn = moved(duel(), "reserve deck1")
    agreed = agree_takeback(ask_takeback(drawn, 0, 5).table, 1, 6).table
    against_bot = moved(table_of(opening(person(0), engine())), "reserve deck1")
    alone = ask_takeback(against_bot, 0, 5).table
    asked = moved(table_of(opening(*people(2), takeback_asks=True)), "take wug")
    asked = agree_takeback(ask_takeback(asked, 0, 5).table, 1, 6).table
    rules = [table.lines[-1].rule for table in (free, agreed, alone, asked)]
    wanted = ["free", "agreed", "alone", "agreed"]
    assert rules == [TakebackRule(rule) for rule in wanted]
    told = [line_for(table.lines[-1], None).get("rule") for table in (free, agreed, alone)]
    assert told == wanted[:3]


def test_the_choice_is_kept_and_read_back() -> None:
    opened = opening(*people(2), takeback_asks=True)
    assert event_from_json(event_to_json(opened)) == opened
    plain = event_to_json(opening(*people(2)))
    assert "takeback_asks" not in plain["options"]


def test_a_game_that_is_over_keeps_nothing_that_only_takebacks_need() -> None:
    """Whether it was played out, given up or closed: finished tables lie in memory for a while."""
    begun = moved(moved(duel(), "take wug"), "take wug")
    assert begun.history.marks
    assert begun.history.recent
    for over in (resign(begun, 0, 5).table, begun.after(Closed(5)), played_out(begun)):
        assert over.ended is not None
        assert not over.history.marks
        assert not over.history.recent
        assert over.moved[:2] == begun.moved
        with pytest.raises(TableRefused) as refused:
            ask_takeback(over, 0, 6)
        assert refused.value.code is TableFault.FINISHED


def played_out(table: Table) -> Table:
    while table.ended is None:
        moves = table.running.legal_moves()
        chosen = next((m for m in moves if isinstance(m, Buy)), moves[0])
        table = table.submit(table.running.seat, table.version, (chosen,), 0).table
    return table
