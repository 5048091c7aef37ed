"""Variations in the record file and in its JSON."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabochon.notation import (
    NotationError,
    drafts,
    dumps,
    format_path,
    format_record,
    format_records,
    loads,
    parse_event,
    parse_path,
    parse_readings,
    parse_record,
    parse_records,
    parse_seen_record,
    record_from_json,
    record_to_json,
    seen_record_from_json,
)
from cabochon.record import LineBranch, Record, RecordError, Variation
from cabochon.rules import CabochonError, WrongArgument
from cabochon.variation import MOST_DEPTH, MOST_VARIATIONS
from tests.games import RandomGame, random_games
from tests.notation.test_records import SHORT, STUDY
from tests.notation.written import branched, recorded, sample, studied
from tests.wrongs import speaks

HEAD, _, MOVES = SHORT.partition("1a. ")

TREE = (
    HEAD
    + """\
1a. take wug
  (1a. take grk
   1b. take wug)
1b. reserve deck2
  ({hm}
   1b. take ugr
   2a. take wgr {so (it) goes}
     (2a. take wrk)
   ...
     (2b. take wgr))
1b. deal 2w6
  (1b. deal 2k1)
  (1b. deal 2k2
   2a. take wug)
2a. take grk
...
  (2b. take wuk)
*
"""
)


def record_with(moves: str) -> Record:
    return parse_record(HEAD + moves)


def tree() -> Record:
    return parse_record(TREE)


def test_a_tree_is_read_as_it_is_drawn_and_written_as_it_was() -> None:
    record = tree()
    assert format_record(record) == TREE
    assert list(record.events) == [
        parse_event(text) for text in ("take wug", "reserve deck2", "deal 2w6", "take grk")
    ]
    assert [format_path(path) for path, _ in record.lines()] == [
        "1.1", "2.1", "2.1/3.1", "2.1/4.1", "3.1", "3.2", "5.1",
    ]  # fmt: skip
    second = record.variation(parse_path("2.1"))
    assert second.comments == {1: "hm", 3: "so (it) goes"}
    assert [each.ply for each in second.variations] == [3, 4]


def test_the_labels_in_variations_are_kept_for_verify_by_their_path() -> None:
    (reading,) = parse_readings(TREE)
    assert reading.labels == {1: "1a", 2: "1b", 3: "1b", 4: "2a"}
    assert reading.branch_labels[parse_path("3.2")] == {3: "1b", 4: "2a"}
    assert reading.branch_labels[parse_path("2.1/4.1")] == {4: "2b"}
    assert len(reading.branch_labels) == 7


def test_a_record_without_variations_is_written_as_before() -> None:
    assert format_record(tree().without_variations()).endswith(
        "\n1a. take wug\n1b. reserve deck2; deal 2w6\n2a. take grk\n*\n"
    )
    assert "variations" not in record_to_json(sample())
    assert list(record_to_json(tree()))[-1] == "variations"


@pytest.mark.parametrize(
    "untidy",
    [
        "take wug (take grk) take ugr; *",
        "1a) take wug ( 1a. take grk ; ) 1b) take ugr",
        "1a. take wug # a note (\n(1a: take grk # another )\n)\n1b. take ugr",
        "1a. take wug(1a. take grk)1b. take ugr\n...",
        "1a. take wug (1a. take grk; 1b.) take ugr",
    ],
)
def test_generous_reading(untidy: str) -> None:
    wanted = record_with("1a. take wug (1a. take grk)\n1b. take ugr\n*\n")
    assert record_with(untidy) == wanted
    assert wanted.variations == (Variation(ply=1, events=(parse_event("take grk"),)),)


def test_a_bracket_after_a_label_still_belongs_to_the_label() -> None:
    """As it always did on the main line, where no variation is open."""
    assert record_with("1a) take wug; 1b.) take grk; 2)\ntake wug") == record_with(
        "take wug; take grk; take wug"
    )


def test_a_comment_after_a_variation_still_belongs_to_the_move_before_it() -> None:
    record = record_with("1a. take wug {one} (1a. take grk {inside}) {two}\n*\n")
    assert record.comments == {1: "one two"}
    assert record.variations[0].comments == {1: "inside"}


def test_a_bare_position_goes_on_in_variations_alone() -> None:
    start = STUDY.partition("1b. ")[0]
    text = start + "...\n(1b. take wug)\n(1b. take grk)\n*\n"
    record = parse_record(text)
    assert record.events == ()
    assert [each.ply for each in record.variations] == [1, 1]
    assert parse_record(format_record(record)) == record
    assert record_from_json(record_to_json(record)) == record
    assert parse_records(format_records([record, record])) == (record, record)


@pytest.mark.parametrize(
    ("moves", "code", "line", "extra"),
    [
        ("1a. take wug\n (1a. take grk", "open-variation", 12, {"column": 2}),
        ("1a. take wug\n (1a. take grk (1a. pass)\n*", "open-variation", 12, {"column": 2}),
        ("1a. take wug (1a. take grk\nresult 1-2 target", "open-variation", 11, {"column": 14}),
        ("1a. take wug (1a. take grk\nrow1 1r3", "open-variation", 11, {"column": 14}),
        ('1a. take wug (1a. pass\n[Seat0 "x"]', "open-variation", 11, {"column": 14}),
        ("(1a. take grk) 1a. take wug", "variation-nowhere", 11, {"column": 1}),
        ("1a. take wug ((1a. pass))", "variation-nowhere", 11, {"column": 15}),
        ("1a. take wug\n)", "variation-not-open", 12, {"column": 1}),
        ("1a. take wug (1a. pass))", "variation-not-open", 11, {"column": 24}),
        ("1a. take wug\n()", "variation-empty", 12, {"at": 1}),
        ("1a. take wug ({only words})", "variation-empty", 11, {"at": 1}),
        ("1a. take wug (1a. take wxg)", "unknown-gem", 11, {"ply": 1}),
        ("1a. take wug (1a. pass\n1b. fly)", "not-an-event", 12, {"ply": 2}),
        ("1a. take wug (1a. pass; deal ?)", "hidden-deal", 11, {"ply": 2}),
        ("...\n1a. take wug", "after-pause", 12, {"text": "take wug"}),
        ("* (1a. take wug)", "after-result", 11, {"text": "("}),
    ],
)
def test_damage_is_told_with_its_place(
    moves: str, code: str, line: int, extra: dict[str, object]
) -> None:
    with pytest.raises(NotationError) as caught:
        record_with(moves)
    error = caught.value
    assert (error.code.value, error.params["line"]) == (code, line)
    assert {key: error.params[key] for key in extra} == extra
    assert error.en.startswith(f"Line {line}")
    assert error.zh.startswith(f"第 {line} 行")
    speaks(error)


def nested(depth: int) -> str:
    return "1a. take wug " + "(take grk " * depth + ")" * depth


def test_one_variation_too_many_is_refused_where_it_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "MOST_VARIATIONS", 2)
    assert len(record_with("1a. take wug (pass) (pass)").variations) == 2
    with pytest.raises(NotationError) as caught:
        record_with("1a. take wug (pass) (pass)\n(pass)")
    assert caught.value.code == "variations-many"


def test_how_deep_and_how_many() -> None:
    assert next(iter(record_with(nested(MOST_DEPTH)).variations)).height == MOST_DEPTH
    assert len(list(record_with(nested(MOST_DEPTH)).walk())) == MOST_DEPTH + 1
    many = "1a. take wug" + "\n(pass)" * MOST_VARIATIONS
    assert len(record_with(many).variations) == MOST_VARIATIONS
    for text, code in (
        (nested(MOST_DEPTH + 1), "variations-deep"),
        (nested(10_000), "variations-deep"),
        ("1a. take wug " + "(take grk " * 100_000, "variations-deep"),
        (many + "(pass)", "variations-many"),
        (many * 20, "variations-many"),
        ("1a. take wug" + "(" * 1_000_000, "variation-nowhere"),
        ("1a. take wug" + ")" * 1_000_000, "variation-not-open"),
    ):
        with pytest.raises(NotationError) as caught:
            record_with(text)
        assert caught.value.code.value == code
        assert "line" in caught.value.params
        speaks(caught.value)


def json_nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"ply": 1, "events": ["take grk"]}
    for _ in range(depth - 1):
        value = {"ply": 1, "events": ["take grk"], "variations": [value]}
    return value


def test_json_that_is_too_deep_or_too_much() -> None:
    whole = record_to_json(record_with("1a. take wug\n*\n"))
    record = record_from_json({**whole, "variations": [json_nested(MOST_DEPTH)]})
    assert record == record_with(nested(MOST_DEPTH))
    for depth in (MOST_DEPTH + 1, 10_000):
        with pytest.raises(NotationError) as caught:
            record_from_json({**whole, "variations": [json_nested(depth)]})
        assert caught.value.code.value == "variations-deep"
    with pytest.raises(RecordError) as many:
        record_from_json({**whole, "variations": [json_nested(1)] * (MOST_VARIATIONS + 1)})
    assert many.value.code.value == "variations-many"
    text = dumps(whole)[:-1] + ',"variations":' + '[{"variations":' * 10_000 + "[]"
    with pytest.raises(NotationError):
        record_from_json(loads(text + "}]" * 10_000 + "}"))


@pytest.mark.parametrize(
    ("variation", "code", "place"),
    [
        ({"ply": 2, "events": ["take grk", "fly"]}, "not-an-event", "Variation 2.1, ply 3: "),
        ({"ply": 2, "events": ["deal ?"]}, "hidden-deal", "Variation 2.1, ply 2: "),
        ({"events": ["take grk"]}, "bad-field", ""),
        ({"ply": "2", "events": ["take grk"]}, "bad-field", ""),
        ({"ply": 2, "events": "take grk"}, "bad-field", ""),
        ({"ply": 2, "events": ["pass"], "comments": {"x": "y"}}, "bad-field", ""),
        ({"ply": 2, "events": ["pass"], "comments": {"5": "y"}}, "comment-outside", ""),
        ({"ply": 2, "events": ["pass"], "variations": None}, "bad-field", ""),
        ({"ply": 2, "events": []}, "variation-empty", ""),
        ({"ply": 0, "events": ["pass"]}, "variation-ply", ""),
        ({"ply": 6, "events": ["pass"]}, "variation-ply", ""),
        ("take grk", "bad-field", ""),
    ],
)
def test_json_that_is_no_variation(variation: object, code: str, place: str) -> None:
    whole = record_to_json(tree().without_variations())
    with pytest.raises(CabochonError) as caught:
        record_from_json({**whole, "variations": [variation]})
    assert caught.value.code.value == code
    assert caught.value.en.startswith(place)
    speaks(caught.value)


def test_the_shape_of_the_json() -> None:
    assert record_to_json(tree())["variations"] == [
        {"ply": 1, "events": ["take grk", "take wug"]},
        {
            "ply": 2,
            "events": ["take ugr", "take wgr"],
            "comments": {"1": "hm", "3": "so (it) goes"},
            "variations": [
                {"ply": 3, "events": ["take wrk"]},
                {"ply": 4, "events": ["take wgr"]},
            ],
        },
        {"ply": 3, "events": ["deal 2k1"]},
        {"ply": 3, "events": ["deal 2k2", "take wug"]},
        {"ply": 5, "events": ["take wuk"]},
    ]


def test_a_seen_record_reads_past_variations() -> None:
    """As past comments: what somebody may know has none."""
    seen = tree().seen_by(0)
    text = TREE.replace('[Seat0 "Ada"]', '[Viewer "0"]\n[Seat0 "Ada"]')
    text = text.replace("1b. deal 2w6", "1b. deal ?")
    assert parse_seen_record(text) == seen
    assert not hasattr(seen, "variations")
    whole = {**record_to_json(tree()), "viewer": 0, "events": ["take wug"]}
    whole.pop("seed")
    assert not hasattr(seen_record_from_json(whole), "variations")


@settings(max_examples=40)
@given(random_games(60), st.integers(0, 2**16), st.integers(0, 12))
def test_what_is_written_reads_back(game: RandomGame, seed: int, count: int) -> None:
    whole = recorded(game)
    for plain in (whole, studied(whole, len(whole.events) // 2)):
        record = branched(plain, seed, count)
        text = format_record(record)
        assert parse_record(text) == record
        assert format_record(parse_record(text)) == text
        assert parse_records(format_records([record, plain])) == (record, plain)
        assert parse_record(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()) == record
        assert record_from_json(loads(dumps(record_to_json(record)))) == record
        assert format_record(record.without_variations()) == format_record(plain)


@pytest.mark.parametrize("text", ["", "7.1", "7.1/9.2", "1.1/1.1/999999.1"])
def test_paths(text: str) -> None:
    assert format_path(parse_path(text)) == text
    assert parse_path(f"  {text.replace('/', ' / ')} ") == parse_path(text)


@pytest.mark.parametrize("text", ["7", "7.", "7.1/", "/", "7.1.1", "x", "-7.1", "1.1/" * 40, None])
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_path(text)
    assert caught.value.code.value in ("not-a-path", "text-expected")
    speaks(caught.value)


def test_only_a_path_is_written_as_one() -> None:
    assert format_path((LineBranch(7, 1),)) == "7.1"
    with pytest.raises(WrongArgument):
        format_path("7.1")  # type: ignore[arg-type]
