"""The table decides: who may move, what a version means, and that events alone bring it back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import parse_move
from cabochon.play.chairs import Chair, Kind
from cabochon.play.commands import join, leave
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import event_from_json, event_to_json
from cabochon.play.table import Table
from cabochon.play.talking import PHRASES, say
from cabochon.rules import IllegalMove, Refusal, Ruleset
from cabochon.words import in_all_languages
from tests.play.sittings import Sitting, duel, engine, opening, people, person, table_of

TAKE = (parse_move("take wug"),)


def test_a_full_table_starts_at_once() -> None:
    table = duel()
    assert table.state == "running"
    assert (table.seq, table.version, table.to_act) == (1, 1, 0)


def test_the_last_join_starts_the_game() -> None:
    table = table_of(opening(person(0), Chair(Kind.OPEN), Chair(Kind.OPEN)))
    assert table.state == "open"
    assert table.version == 0
    table = join(table, 2, "Chen", "k2", 5).table
    assert table.state == "open"
    table = join(table, None, "Bo", "k1", 6).table
    assert table.state == "running"
    assert table.version == table.seq == 3
    assert [chair.name for chair in table.chairs] == ["Ada", "Bo", "Chen"]


def test_two_want_one_seat_and_one_gets_it() -> None:
    table = table_of(opening(person(0), Chair(Kind.OPEN), Chair(Kind.OPEN)))
    table = join(table, 1, "Bo", "k1", 5).table
    with pytest.raises(TableRefused) as refused:
        join(table, 1, "Chen", "k2", 5)
    assert refused.value.code is TableFault.SEAT_TAKEN


def test_joining_a_full_table_is_refused() -> None:
    with pytest.raises(TableRefused) as refused:
        join(duel(), None, "Chen", "k", 5)
    assert refused.value.code is TableFault.TABLE_FULL


def test_leaving_before_the_start_frees_the_seat() -> None:
    table = table_of(opening(person(0), person(1), Chair(Kind.OPEN, invite="code")))
    table = leave(table, 1, 6).table
    assert table.chairs[1].kind is Kind.OPEN
    assert table.chairs[1].key is None


def test_a_move_is_one_event_with_the_cards_it_turned_up() -> None:
    table = duel()
    decision = table.submit(0, 1, (parse_move("reserve deck2"),), 2000)
    (event,) = decision.events
    assert len(event.deals) == 1  # type: ignore[union-attr]
    assert decision.table.version == decision.table.seq == 2
    assert decision.table.position is not None
    assert decision.table.position.decks == (36, 25, 16)


def test_nothing_happens_before_all_are_seated() -> None:
    table = table_of(opening(person(0), Chair(Kind.OPEN)))
    with pytest.raises(TableRefused) as refused:
        table.submit(0, 0, TAKE, 2000)
    assert refused.value.code is TableFault.NOT_STARTED


@pytest.mark.parametrize("seen", [0, 2, 99])
def test_a_move_that_saw_another_version_is_stale(seen: int) -> None:
    with pytest.raises(TableRefused) as refused:
        duel().submit(0, seen, TAKE, 2000)
    assert refused.value.code is TableFault.STALE
    assert refused.value.params == {"seen": seen, "version": 1}


def test_chat_does_not_make_a_move_stale() -> None:
    table = say(duel(), 1, "hello", 1500).table
    assert (table.seq, table.version) == (2, 1)
    assert table.submit(0, 1, TAKE, 2000).table.version == 3


def test_out_of_turn_is_the_rules_refusal() -> None:
    with pytest.raises(IllegalMove) as refused:
        duel().submit(1, 1, TAKE, 2000)
    assert refused.value.code is Refusal.WRONG_SEAT


def test_a_list_of_moves_is_all_or_nothing() -> None:
    table = duel()
    with pytest.raises(IllegalMove) as refused:
        table.submit(0, 1, (*TAKE, parse_move("return w")), 2000)
    assert refused.value.code is Refusal.WRONG_SEAT
    assert table.running.bank == Ruleset(2).bank


@pytest.mark.parametrize(
    ("count", "code"), [(0, TableFault.NO_MOVES), (4, TableFault.TOO_MANY_MOVES)]
)
def test_a_turn_has_one_to_three_moves(count: int, code: TableFault) -> None:
    with pytest.raises(TableRefused) as refused:
        duel().submit(0, 1, TAKE * count, 2000)
    assert refused.value.code is code


def test_a_whole_turn_with_a_return_in_one_submission() -> None:
    sitting = Sitting(opening(*people(2)), 1)
    script = ["take wug", "reserve deck1", "take rkw", "reserve deck1", "take ugr", "reserve deck1"]
    for text in script:
        table = sitting.table
        moves = (parse_move(text),)
        sitting.table = table.submit(table.running.seat, table.version, moves, 0).table
    table = sitting.table
    assert sum(table.running.hands[0].tokens) == 9
    turn = (parse_move("take wur"), parse_move("return k"))
    with pytest.raises(IllegalMove) as refused:
        table.submit(0, table.version, turn, 0)
    assert refused.value.code is Refusal.RETURN_TOO_FEW
    turn = (parse_move("take wur"), parse_move("return wk"))
    after = table.submit(0, table.version, turn, 0).table
    assert after.to_act == 1
    assert after.seq == table.seq + 1
    assert sum(after.running.hands[0].tokens) == 10


def test_the_same_key_is_answered_and_another_body_is_refused() -> None:
    table = duel().submit(0, 1, TAKE, 2000, "key", "print").table
    assert table.answered(0, "key", "print") == 2
    assert table.answered(1, "key", "print") is None
    assert table.answered(0, "other", "print") is None
    with pytest.raises(TableRefused) as refused:
        table.answered(0, "key", "another print")
    assert refused.value.code is TableFault.KEY_REUSED


def test_phrases_are_preset() -> None:
    with pytest.raises(TableRefused) as refused:
        say(duel(), 0, "buy my coins", 5)
    assert refused.value.code is TableFault.UNKNOWN_PHRASE
    assert all(in_all_languages(f"chat.{phrase}") for phrase in PHRASES)


def test_a_log_must_begin_with_its_opening() -> None:
    with pytest.raises(ValueError, match="opening"):
        Table.of("table", duel().moved[:0] or [say(duel(), 0, "hello", 1).events[0]])


def test_chairs_must_fit_the_ruleset() -> None:
    with pytest.raises(TableRefused) as refused:
        table_of(opening(*people(2), ruleset=Ruleset(3)))
    assert refused.value.code is TableFault.CHAIRS_COUNT


def test_engines_are_waited_for_by_name() -> None:
    table = table_of(opening(engine("uniform"), person(1)))
    assert table.bot_to_act == "uniform"
    assert table_of(opening(person(0), engine())).bot_to_act is None


@given(st.integers(0, 10**6), st.sampled_from(["standard/2", "quick/3", "standard/4", "teams/4"]))
def test_events_alone_bring_the_table_back(seed: int, ruleset: str) -> None:
    rules = Ruleset.parse(ruleset)
    sitting = Sitting(opening(*people(rules.seats), ruleset=rules), seed).play(60)
    stored = [event_to_json(event) for event in sitting.events]
    again = Table.of("table", [event_from_json(data) for data in stored])
    assert again.position == sitting.table.position
    assert again.lines == sitting.table.lines
    assert again.ended == sitting.table.ended
    assert (again.seq, again.version) == (sitting.table.seq, sitting.table.version)
