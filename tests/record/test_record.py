"""Records: replaying, writing on, what a viewer may know."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from dataclasses import replace
from types import FrameType, GeneratorType, ModuleType
from typing import Any

import pytest

from cabochon.notation import format_event, parse_event, parse_position, parse_record
from cabochon.record import HiddenDeal, Reason, Record, RecordError, Result, SeenRecord
from cabochon.rules import (
    Buy,
    Card,
    Deal,
    Event,
    IllegalMove,
    Opening,
    Phase,
    Position,
    Reserved,
    Ruleset,
    ShuffledDealer,
    View,
    card,
)
from tests.notation.test_positions import DRAWN
from tests.notation.test_records import SHORT
from tests.notation.written import SAMPLE, sample, studied

TWO = Ruleset.parse("standard/2")
OPENING = ShuffledDealer("cabochon").opening(TWO)


def written(*texts: str) -> Record:
    record = Record.start(TWO, OPENING)
    for text in texts:
        record = record.append(parse_event(text))
    return record


def test_a_record_replays_alone() -> None:
    positions = [SAMPLE.start(), *(step.after for step in SAMPLE.steps())]
    assert list(sample().replay()) == positions
    assert sample().final() == positions[-1]
    assert sample().first() == positions[0]


def test_the_views_of_a_seat() -> None:
    views = list(sample().views(1))
    assert views == [position.view(1) for position in sample().replay()]


def test_writing_a_game_move_by_move_gives_the_same_record() -> None:
    record = Record.start(SAMPLE.ruleset, sample().opening, sample().players)
    for event in sample().events:
        record = record.append(event)
    assert record.events == sample().events
    assert record.result == sample().result
    assert record.final() == sample().final()


def test_a_purchase_is_written_with_its_payment() -> None:
    before = replace(sample(), result=None)
    ply, event = next((n, e) for n, e in enumerate(sample().events) if isinstance(e, Buy))
    shorter = replace(before, events=before.events[:ply])
    assert shorter.append(Buy(event.card)).events[-1] == event


def test_what_cannot_follow_is_refused_with_its_ply() -> None:
    record = written("take wug")
    with pytest.raises(RecordError) as caught:
        record.append(parse_event("take rrr"))
    assert (caught.value.ply, caught.value.code) == (2, "take-too-many")
    assert isinstance(caught.value.__cause__, IllegalMove)
    assert len(record.events) == 1


def test_nothing_follows_a_result() -> None:
    ended = written("take wug").ended(Reason.RESIGNED, (2, 1))
    with pytest.raises(RecordError) as caught:
        ended.append(parse_event("take wug"))
    assert (caught.value.ply, caught.value.code) == (2, "already-ended")
    with pytest.raises(RecordError):
        sample().append(parse_event("pass"))


@pytest.mark.parametrize(
    ("events", "ply", "code"),
    [
        (["take www"], 1, "take-too-many"),
        (["take wug", "take wug", "deal 2w6"], 3, "deal-not-pending"),
        (["reserve 2u6", "take wug"], 2, "wrong-phase"),
        (["reserve 2u6", "deal 1w1"], 2, "deal-wrong-level"),
        (["reserve 2u6", "deal 2u5"], 2, "deal-not-in-deck"),
        (["take wug", "buy 1r3"], 2, "buy-too-dear"),
        (["take wug", "noble rk4"], 2, "noble-not-pending"),
        (["pass"], 1, "pass-not-forced"),
    ],
)
def test_a_damaged_record_says_at_which_ply_and_why(events: list[str], ply: int, code: str) -> None:
    record = replace(written(), events=tuple(map(parse_event, events)))
    for use in (record.final, record.turns, lambda: record.seen_by(0), lambda: [*record.views(0)]):
        with pytest.raises(RecordError) as caught:
            use()
        assert (caught.value.ply, caught.value.code) == (ply, code)
        assert caught.value.en.startswith(f"At ply {ply}: ")
        assert caught.value.zh.startswith(f"第 {ply} 步：")


def test_the_positions_before_the_damage_are_still_given() -> None:
    events = tuple(map(parse_event, ["take wug", "take wug", "deal 1w1"]))
    walk = replace(written(), events=events).replay()
    assert [next(walk).turn for _ in range(3)] == [0, 1, 2]
    with pytest.raises(RecordError):
        next(walk)


def test_an_opening_that_cannot_be() -> None:
    broken = Opening(OPENING.nobles[:2], OPENING.rows)
    with pytest.raises(RecordError) as caught:
        Record.start(TWO, broken)
    assert (caught.value.ply, caught.value.code) == (0, "bad-opening")
    assert caught.value.en.startswith("The opening needs 3")


def test_a_record_may_start_from_any_position() -> None:
    position = parse_position(DRAWN)
    record = Record.start(position.ruleset, position, ("Ada", "Bo"))
    assert record.first() is position
    assert record.append(parse_event("take wug")).final().turn == 2
    half = studied(sample(), 40)
    assert half.final() == sample().final()
    assert isinstance(half.opening, Position)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"players": ("Ada",)}, "players-count"),
        ({"version": 2}, "record-version"),
        ({"headers": {"two words": "x"}}, "header-name"),
        ({"headers": {"SEED": "x"}}, "header-name"),
        ({"headers": {"\ud800" * 50: "x"}}, "header-name"),
        ({"headers": {"Site": "\ud800"}}, "not-text"),
        ({"players": ("\udfff", "Bo")}, "not-text"),
        ({"commitment": "\ud800"}, "not-text"),
        ({"seed": "\ud800"}, "not-text"),
        ({"comments": {0: "\ud800"}}, "not-text"),
        ({"comments": {-1: "x"}}, "comment-ply"),
        ({"comments": {1: "x"}}, "comment-ply"),
        ({"result": Result((1, 3), Reason.TARGET)}, "result-shape"),
        ({"result": Result((1, 2, 3), Reason.TARGET)}, "result-shape"),
        ({"result": Result((), Reason.TARGET)}, "result-shape"),
        (
            {"ruleset": Ruleset.parse("quick/2"), "opening": parse_position(DRAWN)},
            "ruleset-mismatch",
        ),
    ],
)
def test_parts_that_do_not_fit_together(change: dict[str, object], code: str) -> None:
    with pytest.raises(RecordError) as caught:
        replace(written(), **change)  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.ply) == (code, 0)
    assert caught.value.en.isprintable()
    caught.value.en.encode()


def test_a_record_is_a_value() -> None:
    headers = {"Site": "here"}
    record = Record.start(TWO, OPENING, headers=headers)
    headers["Site"] = "there"
    assert record.headers == {"Site": "here"}
    assert hash(record) == hash(Record.start(TWO, OPENING, headers={"Site": "here"}))
    assert pickle.loads(pickle.dumps(sample())) == sample()
    assert sample().commented(2, "b").commented(1, "a").comments == {1: "a", 2: "b"}
    assert list(sample().commented(2, "b").commented(1, "a").comments) == [1, 2]


def test_results_as_text() -> None:
    assert str(Result((1, 2), Reason.TARGET)) == "1-2 target"
    assert str(Result((), Reason.ABANDONED)) == "- abandoned"
    assert Result((1, 1, 3), Reason.STALLED).fits(3)
    assert not Result((1, 2, 2), Reason.STALLED).fits(2)


# What a viewer may know


def test_a_card_that_another_drew_is_hidden_and_named_when_it_is_bought() -> None:
    record = sample()
    seen = record.seen_by(0)
    hidden = [n for n, event in enumerate(seen.events) if isinstance(event, HiddenDeal)]
    assert hidden
    drawn = [record.events[n] for n in hidden]
    bought = {event.card for event in seen.events if isinstance(event, Buy)}
    assert any(isinstance(event, Deal) and event.card in bought for event in drawn)
    own = record.seen_by(1).events
    assert all(own[n] == record.events[n] for n in hidden)


def test_a_watcher_sees_no_drawn_card() -> None:
    record = written("reserve deck2", "deal 2w6", "reserve 1r3", "deal 1w1")
    expected = ["reserve deck2", "deal ?", "reserve 1r3", "deal 1w1"]
    assert [format_event(event) for event in record.seen_by(None).events] == expected
    assert [format_event(event) for event in record.seen_by(1).events] == expected
    assert record.seen_by(0).events == record.events


def test_a_study_is_seen_as_a_view() -> None:
    position = parse_position(DRAWN)
    seen = Record.start(position.ruleset, position).seen_by(1)
    assert isinstance(seen.opening, View)
    assert seen.opening == position.view(1)


def test_a_viewer_who_is_not_there() -> None:
    with pytest.raises(ValueError, match="no seat 5"):
        sample().seen_by(5)
    with pytest.raises(RecordError) as caught:
        SeenRecord(viewer=2, ruleset=TWO, players=("a", "b"), opening=OPENING)
    assert caught.value.code == "viewer-mismatch"
    view = parse_position(DRAWN).view(1)
    with pytest.raises(RecordError) as caught:
        SeenRecord(viewer=None, ruleset=TWO, players=("a", "b"), opening=view)
    assert caught.value.params["viewer"] == "-"


def test_a_record_in_the_middle_of_a_turn() -> None:
    record = written("reserve deck2")
    assert record.final().phase is Phase.DEAL
    (turn,) = record.turns()
    assert turn.dealt is None
    event: Event = Deal(card("2w6"))
    assert record.append(event).final().phase is Phase.ACT


def reachable(thing: object) -> list[object]:
    """Everything that can be reached from the object's own contents; types lead nowhere."""
    seen: dict[int, object] = {}
    todo = [thing]
    while todo:
        each = todo.pop()
        if id(each) in seen or isinstance(each, type | ModuleType):
            continue
        seen[id(each)] = each
        todo += gc.get_referents(each)
    return list(seen.values())


@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("start", ["opening", "position"])
def test_nothing_that_views_hands_out_leads_back_to_the_record(
    viewer: int | None, start: str
) -> None:
    """Neither the views nor what walks over them: a generator's frame would hold the record."""
    ruleset, dealer = Ruleset(2), ShuffledDealer("secret seed")
    record = Record.start(ruleset, dealer.opening(ruleset), ("Ada", "Bo"))
    for _ in range(3):
        for event in ("reserve deck3", "reserve deck2"):
            record = record.append(parse_event(event))
            record = record.append(dealer.deal(record.final()))
    if start == "position":
        record = Record.start(ruleset, record.final()).append(parse_event("take wug"))
    record = record.revealed("secret seed")
    final = record.final()
    others = [held for seat, held in enumerate(final.hands) if seat != viewer]
    hidden = {r.card for held in others for r in held.reserved if isinstance(r, Reserved)}
    assert len(hidden) >= 3
    walk = record.views(viewer)
    first = next(walk)
    for handed in (walk, first, *record.views(viewer)):
        held = reachable(handed)
        assert not [thing for thing in held if isinstance(thing, Record | Position)]
        assert not hidden & {thing for thing in held if isinstance(thing, Card)}
        assert "secret seed" not in [thing for thing in held if isinstance(thing, str)]
        assert not [thing for thing in held if isinstance(thing, GeneratorType | FrameType)]


PARTS: dict[str, object] = {
    "ruleset": "standard/2", "players": ["Ada", "Bo"], "headers": [("Site", "x")],
    "commitment": b"x", "result": (1, 2), "version": True, "opening": None, "events": [],
    "comments": {True: "x"}, "seed": 7, "variations": [],
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_another_type_is_named(part: str) -> None:
    other: dict[str, Any] = {part: PARTS[part]}
    with pytest.raises(RecordError) as caught:
        replace(sample(), **other)
    assert caught.value.code == "record-part"
    assert caught.value.params["part"] == part
    assert part in caught.value.en
    assert part in caught.value.zh


def test_what_is_written_on_is_looked_at_too() -> None:
    record = parse_record(SHORT)
    bad: list[Callable[[], object]] = [
        lambda: Record.start(None, record.opening),  # type: ignore[arg-type]
        lambda: Record.start(record.ruleset, record.opening, 5),  # type: ignore[arg-type]
        lambda: record.ended("boredom", (1, 2)),  # type: ignore[arg-type]
        lambda: record.ended(Reason.RESIGNED, (True, 2)),
        lambda: record.ended(Reason.RESIGNED, [1, 2]),  # type: ignore[arg-type]
        lambda: record.revealed(7),  # type: ignore[arg-type]
        lambda: record.commented([], "x"),  # type: ignore[arg-type]
        lambda: record.commented(True, "x"),
        lambda: record.commented(1, None),  # type: ignore[arg-type]
        lambda: replace(record.seen_by(0), viewer=True),
        lambda: replace(record.seen_by(0), opening=record.first()),  # type: ignore[arg-type]
    ]
    for attempt in bad:
        with pytest.raises(RecordError) as caught:
            attempt()
        assert caught.value.code == "record-part"
