"""Random and mutated text: only the readers' own errors come out, and what is read is writable.

Which errors a reader may raise is the table "What can be raised" in docs/notation.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabochon.notation import (
    NotationError,
    dumps,
    format_event,
    format_position,
    format_record,
    format_turn,
    format_view,
    loads,
    parse_event,
    parse_move,
    parse_position,
    parse_readings,
    parse_record,
    parse_records,
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
    view_from_json,
    view_to_json,
)
from cabochon.record import Record, RecordError, SeenRecord, Standing, Verdict, verify
from cabochon.rules import BadRuleset, BadSetup, CabochonError
from tests.notation.test_moves import CANONICAL
from tests.notation.test_positions import DRAWN, START
from tests.notation.test_records import SEEN, SHORT, STUDY
from tests.notation.written import branched, sample
from tests.wrongs import deep, speaks

Mutation = tuple[int, int, str]

MOVES = [text for text, _ in CANONICAL]
LINES = [START, DRAWN, "seat1 " + DRAWN.replace("(2w6)", "2?"), format_position(sample().final())]
BRANCHED = [
    format_record(branched(parse_record(SHORT), 3)),
    format_record(branched(parse_record(STUDY), 4)),
]
FILES = [SHORT, STUDY, SEEN, format_record(sample()), *BRANCHED]
TURNS = ["3b 2u5=uuo >2k1 !rk4 -w", "4a @deck2 +o >?", "1a wug", "9d ... !!gr4"]
SPICE = [
    *'{}[]"\\;|()?-=,/*\n\r\0\ud80009wKﬀ深',
    *("99999999", "deal ?", "result ", '[Seat3 "x"]', "seat0 ", "1a. take wug\n"),
    *("null", "true", "-1", "1e9", "NaN", "{}", "[]", '""'),
    *("(", ")", " (1a. pass)", "...", "1b. ... (", "7.1", '"variations":[', '"ply":2,'),
    *("false", "1.0", "\x1b[2J", "\u202e", "\u200b", "城市", '"seed":"x",', "1b. ", "2a. ", "*\n"),
]

mutations: st.SearchStrategy[list[Mutation]] = st.lists(
    st.tuples(
        st.integers(0, 4000), st.integers(0, 6), st.sampled_from(SPICE) | st.text(max_size=3)
    ),
    min_size=1,
    max_size=4,
)
anything = st.text(max_size=80) | st.text('wugrko123 =-?;{}[]"|,/.@>!', max_size=80)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


def mutated(text: str, changes: list[Mutation]) -> str:
    for at, gone, new in changes:
        at %= len(text) + 1
        text = text[:at] + new + text[at + gone :]
    return text


def survives(
    read: Callable[[str], Any],
    write: Callable[[Any], str],
    text: str,
    *allowed: type[CabochonError],
) -> None:
    """The reader gives a value that writes and reads back, or one of its own errors, whose
    sentences can be made."""
    try:
        value = read(text)
    except allowed as error:
        speaks(error)
    else:
        written = write(value)
        assert write(read(written)) == written


def read_moves(text: str) -> None:
    for read in (parse_move, parse_event, parse_seen_event):
        survives(read, format_event, text, NotationError)
    survives(parse_turn, format_turn, text, NotationError)


def read_positions(text: str) -> None:
    survives(parse_setup, format_position, text, NotationError, BadRuleset)
    survives(parse_position, format_position, text, NotationError, BadRuleset, BadSetup)
    survives(parse_view, format_view, text, NotationError, BadRuleset, BadSetup)


def read_files(text: str) -> None:
    own = (NotationError, BadSetup, RecordError)
    survives(parse_record, format_record, text, *own)
    survives(parse_seen_record, format_record, text, *own)
    survives(lambda t: parse_records(t)[:1], lambda records: "".join(map(format_record, records)),
             text, *own)  # fmt: skip


@settings(max_examples=250)
@given(anything)
def test_random_text(text: str) -> None:
    read_moves(text)
    read_positions(text)
    read_files(text)


@settings(max_examples=250)
@given(st.sampled_from(MOVES + TURNS), mutations)
def test_mutated_moves_and_turns(text: str, changes: list[Mutation]) -> None:
    read_moves(mutated(text, changes))


@settings(max_examples=250)
@given(st.sampled_from(LINES), mutations)
def test_mutated_positions(text: str, changes: list[Mutation]) -> None:
    read_positions(mutated(text, changes))


@settings(max_examples=200)
@given(st.sampled_from(FILES), mutations)
def test_mutated_files(text: str, changes: list[Mutation]) -> None:
    read_files(mutated(text, changes))


@settings(max_examples=150)
@given(st.sampled_from([*FILES[:2], *FILES[3:]]), mutations)
def test_whatever_is_read_verifies_or_says_why(text: str, changes: list[Mutation]) -> None:
    try:
        (reading,) = parse_readings(mutated(text, changes))
    except (CabochonError, ValueError):
        return
    record = reading.record
    labels = reading.branch_labels
    check = verify(record, reading.labels, reading.is_ended, branch_labels=labels)
    for language in ("en", "zh"):
        lines = check.lines(language)
        assert lines
        assert all(line.isprintable() and len(line) <= 300 for line in lines)
    codes = {finding.code for finding in check.verdicts}
    if any(problem.ply for problem in check.problems) and Verdict.MOVES_LEGAL not in codes:
        assert not codes & {Verdict.DEAL_AGREES, Verdict.RESULT_AGREES}
    if check.standing is Standing.PROVED:
        assert record.seed is not None
        assert record.commitment is not None
    try:
        record.turns()
        record.seen_by(0)
        assert len(list(record.walk())) == len(record.events) + sum(
            len(variation.events) for _, variation in record.lines()
        )
    except RecordError as error:
        speaks(error)


def json_readers() -> list[tuple[Callable[[Any], Any], Callable[[Any], Any]]]:
    return [
        (position_from_json, position_to_json),
        (view_from_json, view_to_json),
        (record_from_json, record_to_json),
        (seen_record_from_json, seen_record_to_json),
    ]


def read_json(text: str) -> None:
    own = (NotationError, BadRuleset, BadSetup, RecordError)
    for read, write in json_readers():
        survives(through(loads, read), through(write, dumps), text, *own)


def through(first: Callable[[Any], Any], then: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: then(first(value))


JSONS = [
    dumps(position_to_json(parse_position(DRAWN))),
    dumps(view_to_json(parse_position(DRAWN).view(1))),
    dumps(record_to_json(parse_record(SHORT))),
    dumps(record_to_json(parse_record(STUDY))),
    dumps(seen_record_to_json(parse_record(SHORT).seen_by(0))),
    *(dumps(record_to_json(parse_record(text))) for text in BRANCHED),
]


@settings(max_examples=250)
@given(st.sampled_from(JSONS), mutations)
def test_mutated_json(text: str, changes: list[Mutation]) -> None:
    read_json(mutated(text, changes))


@settings(max_examples=200)
@given(st.binary(max_size=6), st.integers(0, 4000), st.sampled_from(FILES))
def test_bytes_in_the_middle_of_a_file_are_text_or_refused(data: bytes, at: int, text: str) -> None:
    whole = text.encode()
    at %= len(whole)
    damaged = whole[:at] + data + whole[at:]
    if is_text(damaged):
        with suppress(CabochonError):
            parse_readings(damaged)
        return
    with pytest.raises(NotationError) as caught:
        parse_readings(damaged)
    assert caught.value.code == "not-utf8"
    assert is_text(damaged[: int(caught.value.params["offset"])])


@settings(max_examples=200)
@given(junk)
def test_any_json_value(value: object) -> None:
    for read, _ in json_readers():
        try:
            read(value)
        except (NotationError, BadRuleset, BadSetup, RecordError) as error:
            speaks(error)


@settings(max_examples=250)
@given(st.sampled_from(JSONS), st.data())
def test_json_with_one_value_replaced(text: str, data: st.DataObject) -> None:
    value: Any = loads(text)
    inner = value
    while True:
        key = data.draw(
            st.sampled_from(list(inner) if isinstance(inner, dict) else range(len(inner)))
        )
        if not isinstance(inner[key], dict | list) or not inner[key] or data.draw(st.booleans()):
            break
        inner = inner[key]
    was, odd = inner[key], [-1, 10**5000, "", "?", [], {}, False, True, 0.0, 1.0, deep()]
    inner[key] = data.draw(junk | st.sampled_from(odd) | st.just(float(was) if _is_int(was) else 0))
    for read, write in json_readers():
        try:
            made = read(value)
        except (NotationError, BadRuleset, BadSetup, RecordError) as error:
            speaks(error)
        else:
            assert read(write(made)) == made


def _is_int(value: object) -> bool:
    return type(value) is int


def is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_long_input_of_every_kind_is_refused_quickly() -> None:
    for piece in SPICE:
        long = piece * (100_000 // len(piece))
        began = time.process_time()
        read_moves(long)
        read_positions(long)
        read_files(long)
        read_json(long)
        assert time.process_time() - began < 10, piece


def test_the_samples_are_of_both_kinds() -> None:
    assert isinstance(parse_record(FILES[0]), Record)
    assert isinstance(parse_seen_record(FILES[2]), SeenRecord)
