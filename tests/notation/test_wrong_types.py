"""Readers and writers that are handed something else: refused by name, in a short sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from cabochon.notation import (
    NotationError,
    NotationFault,
    describe_turn,
    dumps,
    format_event,
    format_gems,
    format_move,
    format_position,
    format_record,
    format_records,
    format_turn,
    format_view,
    loads,
    noble_name,
    parse_card,
    parse_event,
    parse_gems,
    parse_move,
    parse_noble,
    parse_position,
    parse_readings,
    parse_record,
    parse_records,
    parse_ruleset,
    parse_seen_event,
    parse_seen_record,
    parse_setup,
    parse_turn,
    parse_view,
    position_from_json,
    position_to_json,
    record_from_json,
    record_to_json,
    seen_record_from_json,
    seen_record_to_json,
    turn_label,
    view_from_json,
    view_to_json,
)
from cabochon.notation.positionjson import view_fields_to_json
from cabochon.rules import NOBLES, CabochonError, Gems, Ruleset, Take, WrongArgument
from tests.notation.test_positions import START
from tests.notation.written import sample


def turn_label_of(turn: Any) -> str:
    """Either of its arguments is wrong in turn."""
    try:
        return turn_label(turn, 2) if turn != 5 else turn_label(0, turn)
    except TypeError:
        assert type(turn) is not int or turn == 5
        raise


READERS = (
    parse_move, parse_event, parse_seen_event, parse_gems, parse_card, parse_noble, parse_turn,
    parse_position, parse_setup, parse_view, parse_ruleset, parse_record, parse_records,
    parse_seen_record, parse_readings, loads,
)  # fmt: skip


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__)
@pytest.mark.parametrize("thing", [None, 5, True, 1.5, ["take wug"], {}, object])
def test_what_is_no_text_is_not_read(read: Callable[[Any], object], thing: object) -> None:
    with pytest.raises(NotationError) as caught:
        read(thing)
    assert caught.value.code == NotationFault.TEXT_EXPECTED


@pytest.mark.parametrize("read", READERS[:11], ids=lambda read: read.__name__)
def test_bytes_are_no_text_where_no_file_is_read(read: Callable[[Any], object]) -> None:
    with pytest.raises(NotationError) as caught:
        read(b"take wug")
    assert caught.value.code == "text-expected"


@pytest.mark.parametrize("levels", [990, 991, 1000, 100_000])
def test_json_as_deep_as_a_well_is_refused(levels: int) -> None:
    """Reading 991 levels worked, but saying what was wrong with them did not."""
    text = "[" * levels + "]" * levels
    for field in ("v", "ruleset", "bank", "rows", "hands", "seat", "decks", "viewer"):
        for read in (position_from_json, view_from_json, record_from_json, seen_record_from_json):
            with pytest.raises(CabochonError) as caught:
                read(loads(f'{{"{field}":{text}}}'))
            assert len(caught.value.en) <= 300


POSITION = position_to_json(parse_position(START))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("seat", False), ("seat", 0.0), ("seat", "0"), ("turn", False), ("turn", 0.0),
        ("passes", False), ("last_round", 0), ("v", True), ("v", 1.0), ("v", "1"),
        ("decks", [36.0, 26, 16]), ("decks", [True, 26, 16]), ("decks", 36), ("pending", False),
        ("bank", [4, 4, 4, 4, 4, 5.0]), ("bank", [True, 4, 4, 4, 4, 5]), ("phase", None),
    ],
)  # fmt: skip
def test_a_bool_or_a_float_is_no_number_in_json(field: str, value: object) -> None:
    assert position_from_json(POSITION) == parse_position(START)
    with pytest.raises(NotationError) as caught:
        position_from_json({**POSITION, field: value})
    assert caught.value.code == "bad-field"
    assert caught.value.params["field"] == field


def test_a_version_of_another_type_is_none() -> None:
    value = record_to_json(sample())
    for version in (True, 1.0, "1", None, [1]):
        with pytest.raises(NotationError) as caught:
            record_from_json({**value, "cabochon": version})
        assert caught.value.code == "newer-version"


def test_a_key_twice_in_json_is_refused() -> None:
    with pytest.raises(NotationError) as caught:
        loads('{"a":{"seed":1,"b":2,"seed":1}}')
    assert caught.value.code == NotationFault.KEY_TWICE
    assert "seed" in caught.value.en
    assert "seed" in caught.value.zh


BAD: Any = 5
BAD_TAKE = Take(BAD)
WRITERS = (
    format_move, format_event, format_gems, format_turn, describe_turn, noble_name,
    format_position, format_view, format_record, format_records, position_to_json, view_to_json,
    record_to_json, seen_record_to_json, turn_label_of,
)  # fmt: skip


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
@pytest.mark.parametrize("thing", [None, 5, "take wug", [None], BAD_TAKE, Ruleset()])
def test_what_is_nothing_of_ours_is_not_written(
    write: Callable[[Any], object], thing: object
) -> None:
    with pytest.raises(WrongArgument) as caught:
        write(thing)
    assert caught.value.code == "wrong-type"


@pytest.mark.parametrize("language", ["fr", "", None, 5])
def test_there_are_two_languages(language: Any) -> None:
    with pytest.raises(WrongArgument):
        noble_name(NOBLES[0], language)
    with pytest.raises(WrongArgument):
        describe_turn(parse_turn("1a wug"), language)


def test_what_json_cannot_hold_is_not_written() -> None:
    loop: list[object] = []
    loop.append(loop)
    for value in (object(), {1j: 2}, float("nan"), loop):
        with pytest.raises(WrongArgument):
            dumps(value)


@pytest.mark.parametrize("count", [-1, True, 1.0, "1", 10**9])
def test_a_count_that_nobody_can_hold_is_not_written(count: Any) -> None:
    assert format_gems(Gems(white=2)) == "ww"
    with pytest.raises(WrongArgument):
        format_gems(Gems(white=count))


def test_a_value_whose_parts_are_of_other_types_is_not_written() -> None:
    broken = dataclasses.replace(parse_position(START).view(0), hands=5)  # type: ignore[arg-type]
    with pytest.raises(WrongArgument):
        format_view(broken)
    with pytest.raises(WrongArgument):
        view_fields_to_json(broken, ["hands"])
