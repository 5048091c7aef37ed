"""A table as a record: it verifies, and while the game runs it hides what must be hidden."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation.records import format_record, parse_record
from cabochon.play.commands import resign
from cabochon.play.recording import record_of
from cabochon.record import verify
from cabochon.rules import Ruleset
from tests.play.sittings import Sitting, opening, people


@given(st.integers(0, 10**6), st.sampled_from(["quick/2", "quick/3", "quick-teams/4"]))
def test_finished_tables_are_records_that_verify(seed: int, ruleset: str) -> None:
    rules = Ruleset.parse(ruleset)
    sitting = Sitting(opening(*people(rules.seats), ruleset=rules), seed).play_out()
    record = record_of(sitting.table)
    found = verify(parse_record(format_record(record)))
    assert found.ok, found.lines()
    assert record.seed == sitting.table.opened.seed


@given(st.integers(0, 10**6))
def test_a_resigned_game_verifies_too(seed: int) -> None:
    sitting = Sitting(opening(*people(2)), seed).play(9)
    record = record_of(resign(sitting.table, 1, 5).table)
    assert verify(record).ok
    assert str(record.result) == "1-2 resigned"
    assert record.headers["Out1"] == "resign"


def test_a_game_played_out_by_a_bot_for_a_seat_that_is_out_verifies() -> None:
    sitting = Sitting(opening(*people(3)), 4).play(6)
    sitting.table = resign(sitting.table, 0, 5).table
    while sitting.table.to_act is not None:
        table = sitting.table
        seat = table.running.seat
        move = table.running.legal_moves()[-1]
        if table.chairs[seat].out is None:
            sitting.move()
        else:
            moves = (move,)
            sitting.table = table.submit(seat, table.version, moves, 6, engine=True).table
    assert verify(record_of(sitting.table)).ok


def test_a_running_game_has_no_seed_in_its_record() -> None:
    sitting = Sitting(opening(*people(2)), 2).play(10)
    record = record_of(sitting.table)
    assert record.seed is None
    assert record.result is None
