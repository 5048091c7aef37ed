"""Wrong types never pass and never surprise: at every door of the rules, the notation and the
records, whatever does not belong there is refused by one of our own errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from cabochon import notation
from cabochon.record import Reason, Record, SeenRecord, verify
from cabochon.rules import (
    CARDS,
    LEVELS,
    NOBLES,
    VARIANTS,
    Buy,
    ChooseNoble,
    Deal,
    Facts,
    Gem,
    Gems,
    Noble,
    Opening,
    Pass,
    Phase,
    Position,
    Reserve,
    Return,
    Ruleset,
    ScriptedDealer,
    Setup,
    ShuffledDealer,
    Take,
    View,
    card,
    commitment,
    noble,
    perft,
    seating,
)
from cabochon.rules.perft import divide
from cabochon.turn import HiddenDeal, Turn
from tests.wrongs import (
    DEALER,
    DRAWING,
    ODD,
    OPENING,
    POSITION,
    RECORD,
    RULES,
    VIEW,
    Door,
    anything,
    is_writable,
    of,
    or_none,
    raised,
    refuses,
    within,
)

DECKS = tuple([c for c in CARDS if c.level == level] for level in LEVELS)
MOVES = (*POSITION.legal_moves(),)
MOVE_TYPES = (Take, Reserve, Buy, Return, ChooseNoble, Pass)
TURN = notation.parse_turn("3b 2u5=uuo >2k1 !rk4 -w")
SETUP = Setup.of(POSITION)
SEEN = RECORD.seen_by(0)
SETUP_FIELDS = tuple(SETUP.__dataclass_fields__)
RECORD_FIELDS = tuple(RECORD.__dataclass_fields__)
SEEN_FIELDS = tuple(SEEN.__dataclass_fields__)


def _is_one_of(*things: object) -> Any:
    return lambda value: any(value is thing for thing in things)


def _is_bool(value: object) -> bool:
    return type(value) is bool


def _small(value: object) -> object:
    """A count that can be counted to in a test."""
    return 1 if type(value) is int and value > 1 else value


def setup_with(field: str, value: Any) -> None:
    changed: Setup = replace(SETUP, **{field: value})
    for use in (changed.faults, changed.decks, changed.position):
        try:
            use()
        finally:
            for fault in changed.faults():
                assert fault.en.isprintable()
                assert fault.zh.isprintable()


def record_with(field: str, value: Any) -> None:
    """Made, and if that works also used."""
    made: Record = replace(RECORD, **{field: value})
    for use in (verify, notation.format_record, notation.record_to_json, Record.final):
        use(made)


RULES_DOORS = [
    Door("Ruleset.seats", lambda v: Ruleset(seats=v), within(2, 4)),
    Door("Ruleset.target", lambda v: Ruleset(target=v), within(1, 50)),
    Door("Ruleset.row_width", lambda v: Ruleset(row_width=v), within(1, 4)),
    Door("Ruleset.teams", lambda v: Ruleset(seats=4, teams=v), _is_bool),
    Door("Ruleset.scarce_take", lambda v: Ruleset(scarce_take=v), _is_bool),
    Door("Ruleset.preset", Ruleset.preset, lambda v: isinstance(v, str) and v in VARIANTS),
    Door("preset's seats", lambda v: Ruleset.preset("quick", v), or_none(within(2, 4))),
    Door("Ruleset.parse", Ruleset.parse, of(str)),
    Door("Ruleset.side", RULES.side, within(0, 1)),
    Door("card", card, of(str)),
    Door("noble", noble, of(str)),
    Door("Gems.of", Gems.of),
    Door("Gems.of one", lambda v: Gems.of([v]), of(Gem)),
    Door("Gems.parse", Gems.parse, of(str)),
    Door("ShuffledDealer", ShuffledDealer, is_writable),
    Door("commitment", commitment, is_writable),
    Door("seating's seed", lambda v: seating(v, 2), is_writable),
    Door("seating's seats", lambda v: seating("s", v), within(2, 4)),
    Door("shuffled opening", DEALER.opening, of(Ruleset)),
    Door("shuffled deal", DEALER.deal, of(Facts)),
    Door("ScriptedDealer's opening", lambda v: ScriptedDealer(v, DECKS), of(Opening)),  # type: ignore[arg-type]
    Door("ScriptedDealer's decks", lambda v: ScriptedDealer(OPENING, v), of(tuple, list)),
    Door("scripted deal", ScriptedDealer(OPENING, DECKS).deal, of(Facts)),  # type: ignore[arg-type]
    Door("Position.start's ruleset", lambda v: Position.start(v, OPENING), of(Ruleset)),
    Door("Position.start's opening", lambda v: Position.start(RULES, v), of(Opening)),
    Door("view", POSITION.view, or_none(within(0, 1))),
    Door("bonuses", POSITION.bonuses, within(0, 1)),
    Door("bonuses in teams", Position.start(
        Ruleset.preset("teams"), DEALER.opening(Ruleset.preset("teams"))).bonuses, within(0, 3)),
    Door("points", POSITION.points, within(0, 1)),
    Door("place_of", POSITION.place_of, _is_one_of(*CARDS)),
    Door("in_deck", POSITION.in_deck, _is_one_of(*CARDS)),
    Door("legal_payments", POSITION.legal_payments, _is_one_of(*CARDS)),
    Door("a view's legal_payments", POSITION.view(1).legal_payments, _is_one_of(*CARDS)),
    Door("refusal", lambda v: raised(POSITION.refusal(v)), lambda v: v in MOVES),
    Door("a view's refusal", lambda v: raised(VIEW.refusal(v)), lambda v: v in MOVES),
    Door("refusal's seat", lambda v: raised(POSITION.refusal(MOVES[0], v)), or_none(within(0, 0))),
    Door("is_legal", lambda v: POSITION.is_legal(v) or POSITION.play(v), lambda v: v in MOVES),
    Door("play", POSITION.play, lambda v: v in MOVES),
    Door("play's seat", lambda v: POSITION.play(MOVES[0], v), or_none(within(0, 0))),
    Door("deal", DRAWING.deal, lambda v: False),
    Door("deal when none is due", POSITION.deal, lambda v: False),
    Door("apply", DRAWING.apply, lambda v: False),
    Door("completed", POSITION.completed, of(*MOVE_TYPES)),
    Door("a view's completed", VIEW.completed),
    Door("Setup.of", Setup.of, of(Facts)),
    *(Door(f"Setup.{field}", lambda v, field=field: setup_with(field, v))  # type: ignore[misc]
      for field in SETUP_FIELDS),
    Door("perft's position", lambda v: perft(v, DEALER, 1), of(Position)),
    Door("perft's dealer", lambda v: perft(POSITION, v, 1), of(ShuffledDealer)),
    Door("perft's depth", lambda v: perft(POSITION, DEALER, _small(v)), within(0, 10**6000)),  # type: ignore[arg-type]
    Door("divide's depth", lambda v: divide(POSITION, DEALER, _small(v)), within(1, 10**6000)),  # type: ignore[arg-type]
]  # fmt: skip

READERS = (
    notation.parse_move, notation.parse_event, notation.parse_seen_event, notation.parse_gems,
    notation.parse_card, notation.parse_noble, notation.parse_turn, notation.parse_position,
    notation.parse_setup, notation.parse_view, notation.parse_ruleset,
)  # fmt: skip
FILE_READERS = (
    notation.parse_record, notation.parse_records, notation.parse_seen_record,
    notation.parse_readings, notation.decoded, notation.loads,
)  # fmt: skip
JSON_READERS = (
    notation.position_from_json, notation.setup_from_json, notation.view_from_json,
    notation.record_from_json, notation.seen_record_from_json, notation.reading_from_json,
)  # fmt: skip
NOTATION_DOORS = [
    *(Door(read.__name__, read, of(str)) for read in READERS),
    *(Door(read.__name__, read, of(str, bytes, bytearray)) for read in FILE_READERS),
    *(Door(read.__name__, read, of(dict)) for read in JSON_READERS),
    Door("format_move", notation.format_move, of(*MOVE_TYPES, Deal, HiddenDeal)),
    Door("format_event", notation.format_event, of(*MOVE_TYPES, Deal, HiddenDeal)),
    Door("format_gems", notation.format_gems, of(tuple)),
    Door("format_turn", notation.format_turn, of(Turn)),
    Door("describe_turn", notation.describe_turn, of(Turn)),
    Door("describe_turn's language", lambda v: notation.describe_turn(TURN, v), of(str)),
    Door("turn_label's turn", lambda v: notation.turn_label(v, 2), within(0, 4 * 10**6)),
    Door("turn_label's seats", lambda v: notation.turn_label(5, v), within(1, 4)),
    Door("noble_name", notation.noble_name, of(Noble)),
    Door("noble_name's language", lambda v: notation.noble_name(NOBLES[0], v), of(str)),
    Door("format_position", notation.format_position, of(Position, Setup)),
    Door("position_to_json", notation.position_to_json, of(Position, Setup)),
    Door("format_view", notation.format_view, of(View)),
    Door("view_to_json", notation.view_to_json, of(View)),
    Door("view_fields_to_json", lambda v: notation.view_fields_to_json(v, ["turn"]), of(View)),
    Door("the fields' names", lambda v: notation.view_fields_to_json(VIEW, v)),
    Door("format_record", notation.format_record, of(Record, SeenRecord)),
    Door("format_records", notation.format_records),
    Door("record_to_json", notation.record_to_json, of(Record)),
    Door("seen_record_to_json", notation.seen_record_to_json, of(SeenRecord)),
    Door("dumps", notation.dumps),
]

RECORD_DOORS = [
    *(Door(f"Record.{field}", lambda v, field=field: record_with(field, v))  # type: ignore[misc]
      for field in RECORD_FIELDS),
    *(Door(f"SeenRecord.{field}",
           lambda v, field=field: notation.format_record(replace(SEEN, **{field: v})))  # type: ignore[misc]
      for field in SEEN_FIELDS),
    Door("Record.start's ruleset", lambda v: Record.start(v, OPENING), of(Ruleset)),
    Door("Record.start's opening", lambda v: Record.start(RULES, v), of(Opening, Position)),
    Door("Record.start's players", lambda v: Record.start(RULES, OPENING, v)),
    Door("Record.start's headers", lambda v: Record.start(RULES, OPENING, headers=v)),
    Door("Record.start's commitment", lambda v: Record.start(RULES, OPENING, commitment=v),
         or_none(is_writable)),
    Door("append", RECORD.append),
    Door("ended's reason", lambda v: RECORD.ended(v, (1, 2)), of(Reason)),
    Door("ended's ranking", lambda v: RECORD.ended(Reason.RESIGNED, v), of(tuple)),
    Door("revealed", RECORD.revealed, or_none(is_writable)),
    Door("commented's ply", lambda v: RECORD.commented(v, "well"), within(0, 1)),
    Door("commented's text", lambda v: RECORD.commented(0, v), is_writable),
    Door("views", RECORD.views, or_none(within(0, 1))),
    Door("seen_by", RECORD.seen_by, or_none(within(0, 1))),
    Door("verify", verify, of(Record)),
]  # fmt: skip
DOORS = [*RULES_DOORS, *NOTATION_DOORS, *RECORD_DOORS]


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_what_does_not_belong_there_is_refused_at_every_door(door: Door) -> None:
    for value in ODD:
        refuses(door, value)


@settings(max_examples=900, suppress_health_check=[HealthCheck.too_slow])
@given(anything, anything)
def test_nine_hundred_wrong_values_meet_only_our_own_errors(one: Any, other: Any) -> None:
    for number, door in enumerate(DOORS):
        refuses(door, other if number % 2 else one)


@pytest.mark.parametrize("field", SETUP_FIELDS)
def test_a_set_up_names_the_part_of_another_type(field: str) -> None:
    other: dict[str, Any] = {field: 1.5}
    (fault,) = replace(SETUP, **other).faults()
    assert (fault.code, fault.params["part"]) == ("part-type", field)
    assert field in fault.en
    assert field in fault.zh


def test_a_phase_given_as_text_is_none() -> None:
    """It compares like one, so it slipped through and no phase was ever recognised."""
    changed: Any = replace(SETUP, phase="act")  # type: ignore[arg-type]
    assert changed.phase == Phase.ACT
    assert [fault.code for fault in changed.faults()] == ["part-type"]


def test_a_payment_of_plain_counts_is_written_as_it_is() -> None:
    """It was written as a pass."""
    plain: Any = (2, 0, 0, 0, 0, 1)
    assert notation.format_event(Take(plain)) == "take wwo"
    assert notation.format_event(Buy(card("1w1"), plain)) == "buy 1w1 =wwo"
