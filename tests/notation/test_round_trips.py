"""What is written reads back as the same value, over random games of every ruleset."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cabochon.notation import (
    dumps,
    format_event,
    format_position,
    format_record,
    format_records,
    format_turn,
    format_view,
    loads,
    parse_event,
    parse_position,
    parse_record,
    parse_records,
    parse_seen_event,
    parse_seen_record,
    parse_turn,
    parse_view,
    position_from_json,
    position_to_json,
    record_from_json,
    record_to_json,
    seen_record_from_json,
    seen_record_to_json,
    view_fields_to_json,
    view_from_json,
    view_to_json,
)
from cabochon.record import Record
from tests.games import RandomGame, random_games
from tests.notation.written import recorded, studied

texts = st.text(st.characters(codec="utf-8"), max_size=20)
names = st.from_regex(r"X[A-Za-z0-9_]{0,10}", fullmatch=True)


def viewers(record: Record) -> list[int | None]:
    return [None, *range(record.ruleset.seats)]


@given(random_games())
def test_moves_positions_and_views(game: RandomGame) -> None:
    for number, step in enumerate(game.steps()):
        assert parse_event(format_event(step.event)) == step.event
        if number % 17:
            continue
        position = step.after
        line = format_position(position)
        assert parse_position(line) == position
        assert format_position(parse_position(line)) == line
        assert position_from_json(loads(dumps(position_to_json(position)))) == position
        for viewer in (None, *range(game.ruleset.seats)):
            view = position.view(viewer)
            assert parse_view(format_view(view)) == view
            whole = view_to_json(view)
            assert view_from_json(loads(dumps(whole))) == view
            fields = [name for name in whole if name != "v"]
            for part in (fields, fields[::2]):
                assert view_fields_to_json(view, part) == {name: whole[name] for name in part}


@given(
    random_games(120),
    st.dictionaries(names, texts, max_size=4),
    st.dictionaries(st.integers(0, 40), texts, max_size=4),
    st.lists(texts, min_size=4, max_size=4),
)
def test_records(
    game: RandomGame, headers: dict[str, str], comments: dict[int, str], players: list[str]
) -> None:
    record = recorded(game)
    plies = len(record.events)
    record = Record(
        ruleset=record.ruleset,
        opening=record.opening,
        events=record.events,
        players=tuple(players[: record.ruleset.seats]),
        headers=_without_twins(headers),
        comments={min(ply, plies): text for ply, text in comments.items()},
        commitment=record.commitment,
        seed=record.seed,
        result=record.result,
    )
    text = format_record(record)
    assert parse_record(text) == record
    assert format_record(parse_record(text)) == text
    assert list(parse_record(text).headers) == list(record.headers)
    assert parse_records(format_records([record, record])) == (record, record)
    assert parse_record(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == record
    assert record_from_json(loads(dumps(record_to_json(record)))) == record


def _without_twins(headers: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in headers.items() if name == name.upper()}


@settings(max_examples=25)
@given(random_games(120))
def test_seen_records(game: RandomGame) -> None:
    record = recorded(game)
    for whole in (record, studied(record, len(record.events) // 2)):
        assert parse_record(format_record(whole)) == whole
        assert record_from_json(loads(dumps(record_to_json(whole)))) == whole
        for viewer in viewers(whole):
            seen = whole.seen_by(viewer)
            text = format_record(seen)
            assert parse_seen_record(text) == seen
            assert format_record(parse_seen_record(text)) == text
            assert seen_record_from_json(loads(dumps(seen_record_to_json(seen)))) == seen
            assert all(parse_seen_event(format_event(e)) == e for e in seen.events)


@given(random_games())
def test_turns(game: RandomGame) -> None:
    record = recorded(game)
    turns = record.turns()
    assert tuple(event for turn in turns for event in turn.events()) == record.events
    for number, turn in enumerate(turns):
        assert parse_turn(format_turn(turn)) == turn
        assert (turn.round - 1) * game.ruleset.seats + turn.seat == number
        for viewer in viewers(record):
            seen = turn.seen_by(viewer)
            assert parse_turn(format_turn(seen)) == seen


@settings(max_examples=20)
@given(random_games(150))
def test_turns_of_a_viewer_are_those_of_the_seen_record(game: RandomGame) -> None:
    record = recorded(game)
    for viewer in viewers(record):
        turns = [turn.seen_by(viewer) for turn in record.turns()]
        events = tuple(event for turn in turns for event in turn.events())
        assert events == record.seen_by(viewer).events
