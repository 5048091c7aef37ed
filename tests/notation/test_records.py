"""The record file and the same as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from cabochon.notation import (
    NotationError,
    dumps,
    format_record,
    loads,
    parse_record,
    parse_records,
    parse_seen_record,
    record_from_json,
    record_to_json,
    seen_record_from_json,
    seen_record_to_json,
)
from cabochon.record import Reason, Record, RecordError, Result
from cabochon.rules import BadRuleset, BadSetup, Buy
from tests.notation.test_positions import DRAWN, START
from tests.notation.written import sample, studied

SHORT = """\
[Cabochon "1"]
[Ruleset "standard/2"]
[Seat0 "Ada"]
[Seat1 "Bo"]

nobles rk4 ugr3 wug3
row1 1r3 1k7 1g2 1k6
row2 2u6 2u5 2r6 2w3
row3 3w3 3r3 3w2 3g4

1a. take wug
1b. reserve deck2; deal 2w6
*
"""
STUDY = f'[Cabochon "1"]\n[Ruleset "standard/2"]\n[Position "{DRAWN}"]\n\n1b. take wug\n*\n'


def test_a_short_record() -> None:
    record = parse_record(SHORT)
    assert record.players == ("Ada", "Bo")
    assert len(record.events) == 3
    assert record.result is None
    assert format_record(record) == SHORT


def test_generous_reading() -> None:
    record = parse_record(SHORT)
    untidy = (
        '\ufeff# a note\r\n[ cabochon  "1" ]\r\n[ruleset "STANDARD/2"] [SEAT0 "Ada"]\r\n'
        '[Seat1 "Bo"]\r\n\r\nNobles RK4, UGR3, WUG3\r\nrow3 3w3 3r3 3w2 3g4\r\n'
        "row1 1r3,1k7,1g2,1k6 # first\r\nrow2 2u6 2u5 2r6 2w3\r\n"
        "1. TAKE w u g;; 1b reserve deck 2 ;\r\n\r\n  deal 2W6   # no result\r\n12."
    )
    assert parse_record(untidy) == record
    assert parse_record(untidy.replace("\r\n", "\r")) == record
    assert format_record(parse_record(untidy)) == SHORT


def test_unknown_headers_are_kept_in_order() -> None:
    text = SHORT.replace("[Seat0", '[Site "Łódź"]\n[Round "\\"3\\" \\\\"]\n[Seat0')
    record = parse_record(text)
    assert list(record.headers.items()) == [("Site", "Łódź"), ("Round", '"3" \\')]
    assert parse_record(format_record(record)) == record


def test_players_that_are_not_named() -> None:
    text = SHORT.replace('[Seat0 "Ada"]\n', "")
    assert parse_record(text).players == ("?", "Bo")


def test_comments_stand_where_they_were_written() -> None:
    text = SHORT.replace("1a. take wug", "{before} 1a. take wug {one}{two}").replace(
        "reserve deck2;", "reserve deck2 {over\ntwo \\} lines};"
    )
    record = parse_record(text)
    assert record.comments == {0: "before", 1: "one two", 2: "over\ntwo } lines"}
    assert "\n{before}\n1a. take wug {one two}\n" in format_record(record)
    assert parse_record(format_record(record)) == record
    assert parse_record(text.replace("\n*", "\nresult 1-2 resigned {the end}")).comments[3]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("*", None),
        ("", None),
        ("RESULT 1-2 Target", Result((1, 2), Reason.TARGET)),
        ("result 1-1 stalled", Result((1, 1), Reason.STALLED)),
        ("result 2-1 resigned", Result((2, 1), Reason.RESIGNED)),
        ("result 2-1 timeout", Result((2, 1), Reason.TIMEOUT)),
        ("result - abandoned", Result((), Reason.ABANDONED)),
    ],
)
def test_results(text: str, result: Result | None) -> None:
    record = parse_record(SHORT.replace("*", text))
    assert record.result == result
    assert parse_record(format_record(record)) == record


def test_a_study_starts_from_its_position() -> None:
    record = parse_record(STUDY)
    assert record.first().hands[0].reserved
    assert format_record(record) == STUDY.replace(
        "[Position", '[Seat0 "?"]\n[Seat1 "?"]\n[Position'
    )
    assert parse_record(STUDY.replace('[Ruleset "standard/2"]\n', "")) == record


def test_several_records_in_one_file() -> None:
    assert parse_records("") == ()
    assert parse_records("# nothing\n\n") == ()
    first, second = parse_records(SHORT + STUDY)
    assert (first, second) == (parse_record(SHORT), parse_record(STUDY))
    assert parse_records(SHORT.replace("*\n", "") + SHORT) == (first, first)
    assert parse_records(SHORT + '[Ruleset "standard/2"]' + f'[Position "{START}"]')[1].events == ()


def test_a_purchase_without_payment_stays_as_it_was_written() -> None:
    text = SHORT.replace("take wug", "buy 1r3")
    assert parse_record(text).events[0] == Buy(parse_record(text).events[0].card)  # type: ignore[union-attr]
    assert "buy 1r3\n" in format_record(parse_record(text))


@pytest.mark.parametrize(
    ("old", "new", "code", "line", "ply"),
    [
        ("take wug", "take wxg", "unknown-gem", 11, 1),
        ("deal 2w6", "deal 9w6", "unknown-card", 12, 3),
        ("deal 2w6", "deal ?", "hidden-deal", 12, 3),
        ("reserve deck2", "fly away", "not-an-event", 12, 2),
        ("take wug", "take wug {never closed", "open-comment", 11, None),
        ("take wug", "take wug }", "not-an-event", 11, None),
        ("1b. reserve", "[1b. reserve", "bad-header", 12, None),
        ('[Seat0 "Ada"]', "[Seat0 Ada]", "bad-header", 3, None),
        ('[Seat0 "Ada"]', '[Seat0 "Ada\n"]', "bad-header", 3, None),
        ('[Seat0 "Ada"]', '[Ruleset "quick/2"]', "header-twice", 3, None),
        ('[Cabochon "1"]', '[Cabochon "2"]', "newer-version", 1, None),
        ('[Ruleset "standard/2"]\n', "", "header-missing", 1, None),
        ("standard/2", "standard/7", "seats-out-of-range", 2, None),
        ("standard/2", "cities/2", "cities-not-supported", 2, None),
        ("standard/2", "x" * 99, "bad-field", 2, None),
        ('[Seat0 "Ada"]', '[Position "nowhere"]', "not-a-position", 3, None),
        ('[Seat0 "Ada"]', f'[Position "{START}"]', "opening-twice", 6, None),
        ('[Seat0 "Ada"]', '[Viewer "0"]', "seen-record", 1, None),
        ("row2 2u6 2u5 2r6 2w3\n", "", "opening-missing", 1, None),
        ("row2", "row1", "opening-twice", 8, None),
        ("2u6", "2x6", "unknown-card", 8, None),
        ("rk4", "rr4", "unknown-noble", 6, None),
        ("*", "result 1-2", "bad-result", 13, None),
        ("*", "result 1-2 boredom", "bad-result", 13, None),
        ("*", "* again", "bad-result", 13, None),
        ("*", "*\ntake wug", "after-result", 14, None),
    ],
)
def test_damage_is_told_with_line_and_ply(
    old: str, new: str, code: str, line: int, ply: int | None
) -> None:
    assert old in SHORT
    with pytest.raises(NotationError) as caught:
        parse_record(SHORT.replace(old, new, 1))
    error = caught.value
    assert (error.code, error.params["line"], error.params.get("ply")) == (code, line, ply)
    assert error.en.startswith(f"Line {line}")
    assert error.zh.startswith(f"第 {line} 行")


def test_the_number_of_records_and_the_bytes() -> None:
    for text in ("", SHORT + SHORT):
        with pytest.raises(NotationError) as caught:
            parse_record(text)
        assert caught.value.code == "record-count"
    with pytest.raises(NotationError) as caught:
        parse_record(SHORT.encode().replace(b"Ada", b"\xff"))
    assert (caught.value.code, caught.value.params["offset"]) == ("not-utf8", SHORT.index("Ada"))


def test_parts_that_do_not_fit_together() -> None:
    for old, new, code in [
        ("standard/2", "quick/2", None),
        ('[Seat1 "Bo"]', '[Seat3 "Bo"]', "players-count"),
        ("*", "result 1-2-3 resigned", "result-shape"),
    ]:
        text = SHORT.replace(old, new)
        if code is None:
            with pytest.raises(RecordError, match="opening"):
                parse_record(text).final()
        else:
            with pytest.raises(RecordError) as caught:
                parse_record(text)
            assert caught.value.code == code
    with pytest.raises(RecordError) as caught:
        parse_record(STUDY.replace('"standard/2"', '"standard/3"'))
    assert caught.value.code == "ruleset-mismatch"


def test_an_impossible_position_tells_all_its_faults() -> None:
    with pytest.raises(BadSetup) as caught:
        parse_record(STUDY.replace("w4u4", "w1u1"))
    assert len(caught.value.faults) == 2


def test_long_files_are_read_in_linear_time() -> None:
    many = parse_records(SHORT * 500)
    assert len(many) == 500
    for text in ("{" * 100_000, "[" * 100_000, ";" * 100_000, '[A "' + "\\" * 100_001, "\\" * 9):
        with pytest.raises(NotationError):
            parse_record(text)


# as a viewer knows it

SEEN = SHORT.replace("[Seat0", '[Viewer "0"]\n[Seat0').replace("deal 2w6", "deal ?")


def test_a_seen_record() -> None:
    seen = parse_seen_record(SEEN)
    assert seen == parse_record(SHORT).seen_by(0)
    assert format_record(seen) == SEEN
    assert parse_seen_record(SEEN.replace('"0"', '"Watch"')).viewer is None


def test_a_seen_study_holds_a_view() -> None:
    seen = parse_record(STUDY).seen_by(1)
    assert '[Position "seat1 standard/2 1 act' in format_record(seen)
    assert parse_seen_record(format_record(seen)) == seen


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('[Viewer "0"]\n', "", "header-missing"),
        ('[Viewer "0"]', '[Viewer "five"]', "bad-field"),
        ('[Viewer "0"]', '[Viewer "0"]\n[Seed "x"]', "knows-too-much"),
        ('[Viewer "0"]', f'[Viewer "0"]\n[Position "{START}"]', "not-a-view"),
        ('[Viewer "0"]', '[Viewer "3"]', "viewer-mismatch"),
    ],
)
def test_what_is_no_seen_record(old: str, new: str, code: str) -> None:
    with pytest.raises((NotationError, RecordError)) as caught:
        parse_seen_record(SEEN.replace(old, new))
    assert caught.value.code == code


# JSON


def as_json() -> dict[str, Any]:
    return record_to_json(parse_record(SHORT).commented(1, "well"))


def test_the_shape_of_a_record() -> None:
    value = as_json()
    keys = "cabochon ruleset players headers commitment result seed opening events comments"
    assert " ".join(value) == keys
    assert value["events"] == ["take wug", "reserve deck2", "deal 2w6"]
    assert value["comments"] == {"1": "well"}
    study = record_to_json(parse_record(STUDY))
    assert "opening" not in study
    assert record_from_json(loads(dumps(study))) == parse_record(STUDY)


def test_what_may_be_left_out() -> None:
    value = as_json()
    for key in ("cabochon", "headers", "commitment", "seed", "comments", "result"):
        del value[key]
    assert record_from_json(value) == parse_record(SHORT)
    del value["events"]
    assert record_from_json(value).events == ()


@pytest.mark.parametrize(
    ("key", "wrong", "code"),
    [
        ("cabochon", 2, "newer-version"),
        ("viewer", 0, "seen-record"),
        ("ruleset", None, "bad-field"),
        ("ruleset", "standard/5", "seats-out-of-range"),
        ("players", None, "bad-field"),
        ("players", ["Ada"], "players-count"),
        ("headers", [], "bad-field"),
        ("headers", {"Site": 1}, "bad-field"),
        ("headers", {"Seed": "1"}, "header-name"),
        ("commitment", 1, "bad-field"),
        ("seed", 1, "bad-field"),
        ("result", 1, "bad-field"),
        ("result", {"ranking": [1, 2], "reason": "boredom"}, "bad-field"),
        ("result", {"ranking": "1-2", "reason": "target"}, "bad-field"),
        ("result", {"ranking": [2, 2], "reason": "target"}, "result-shape"),
        ("opening", None, "bad-field"),
        ("opening", {"nobles": [], "rows": [[]]}, "bad-field"),
        ("opening", {"nobles": ["rr4"], "rows": [[], [], []]}, "unknown-noble"),
        ("opening", {"nobles": [], "rows": [["9x9"], [], []]}, "unknown-card"),
        ("events", ["take wug", "fly"], "not-an-event"),
        ("events", ["deal ?"], "hidden-deal"),
        ("events", [1], "bad-field"),
        ("comments", {"one": "well"}, "bad-field"),
        ("comments", {"1": 1}, "bad-field"),
        ("comments", {"9": "late"}, "comment-ply"),
        ("comments", {"1": "\ud800"}, "not-text"),
        ("seed", "\ud800", "not-text"),
    ],
)
def test_what_is_no_record(key: str, wrong: object, code: str) -> None:
    with pytest.raises((NotationError, RecordError, BadRuleset)) as caught:
        record_from_json({**as_json(), key: wrong})
    assert caught.value.code == code


def test_a_bad_event_is_told_with_its_ply() -> None:
    with pytest.raises(NotationError) as caught:
        record_from_json({**as_json(), "events": ["take wug", "fly"]})
    assert caught.value.params["ply"] == 2
    assert caught.value.en.startswith("Ply 2: Can't read")
    assert caught.value.zh.startswith("第 2 步：")


def test_seen_records() -> None:
    for record in (parse_record(SHORT), parse_record(STUDY), studied(sample(), 30)):
        for viewer in (None, 0, 1):
            seen = record.seen_by(viewer)
            value = seen_record_to_json(seen)
            assert "seed" not in value
            assert "comments" not in value
            assert seen_record_from_json(loads(dumps(value))) == seen
    value = seen_record_to_json(parse_record(SHORT).seen_by(0))
    with pytest.raises(NotationError):
        seen_record_from_json({**value, "seed": "x"})
    with pytest.raises(NotationError):
        seen_record_from_json({**value, "viewer": "0"})
    del value["viewer"]
    with pytest.raises(NotationError):
        seen_record_from_json(value)


def test_records_are_values() -> None:
    assert hash(parse_record(SHORT)) == hash(parse_record(SHORT))
    assert isinstance(parse_record(SHORT), Record)
