"""The tree of a record: walking it, changing it, verifying it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabochon.notation import (
    dumps,
    format_path,
    format_record,
    parse_event,
    parse_path,
    parse_position,
    parse_readings,
    seen_record_to_json,
)
from cabochon.record import (
    LineBranch,
    Reason,
    Record,
    RecordError,
    Standing,
    Variation,
    Verdict,
    verify,
)
from cabochon.rules import CARDS, Buy, Deal, Pass, ShuffledDealer, WrongArgument, commitment
from cabochon.variation import MAIN_LINE, MOST_DEPTH, MOST_VARIATIONS, line_at
from tests.games import RandomGame, random_games
from tests.notation.test_positions import DRAWN
from tests.notation.test_variations import TREE, tree
from tests.notation.written import SAMPLE, branched, recorded, sample, studied
from tests.wrongs import speaks


def texts_of(record: Record) -> list[str]:
    """Every variation as its path and the number of its plies."""
    return [f"{format_path(path)}:{len(each.events)}" for path, each in record.lines()]


def refused(attempt: Callable[[], object]) -> RecordError:
    with pytest.raises(RecordError) as caught:
        attempt()
    speaks(caught.value)
    return caught.value


# The values


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"ply": True}, "record-part"),
        ({"ply": "1"}, "record-part"),
        ({"events": [Pass()]}, "record-part"),
        ({"events": ("pass",)}, "record-part"),
        ({"comments": {"1": "x"}}, "record-part"),
        ({"comments": {3: "x"}}, "comment-outside"),
        ({"comments": {-1: "x"}}, "comment-outside"),
        ({"comments": {1: "\ud800"}}, "not-text"),
        ({"variations": [1]}, "record-part"),
        ({"variations": (1,)}, "record-part"),
        ({"variations": (Variation(ply=1, events=()),)}, "variation-empty"),
        ({"variations": (Variation(ply=0, events=(Pass(),)),)}, "variation-ply"),
        ({"variations": (Variation(ply=4, events=(Pass(),)),)}, "variation-ply"),
    ],
)
def test_parts_of_a_variation_that_cannot_be(change: dict[str, Any], code: str) -> None:
    good = Variation(ply=1, events=(Pass(), Pass()))
    assert refused(lambda: replace(good, **change)).code.value == code


def test_variations_are_kept_in_the_order_of_their_plies() -> None:
    record, twin = tree(), tree()
    shuffled = (*record.variations[3:], *record.variations[:2], record.variations[2])
    again = replace(record, variations=shuffled)
    assert [each.ply for each in again.variations] == [1, 2, 3, 3, 5]
    assert (record, hash(record)) == (twin, hash(twin))
    assert record != record.without_variations()
    assert (record.variations[1].height, record.variations[1].size) == (2, 3)


def test_no_tree_is_deeper_or_larger_than_can_be_written() -> None:
    line = Variation(ply=1, events=(Pass(),))
    for _ in range(MOST_DEPTH - 1):
        line = replace(line, variations=(line,))
    record = replace(sample(), variations=(line,))
    assert texts_of(record)[-1].count("/") == MOST_DEPTH - 1
    deeper = replace(line, variations=(line,))
    code = refused(lambda: replace(sample(), variations=(deeper,))).code.value
    assert code == "variations-deep"
    assert refused(lambda: replace(line, variations=(deeper,))).code.value == "variations-deep"
    one = Variation(ply=1, events=(Pass(),))
    many = (one,) * (MOST_VARIATIONS + 1)
    assert refused(lambda: replace(sample(), variations=many)).code.value == "variations-many"


# Walking


@settings(max_examples=30)
@given(random_games(50), st.integers(0, 2**16), st.integers(0, 10))
def test_the_walk_visits_every_ply_once_with_its_positions(
    game: RandomGame, seed: int, count: int
) -> None:
    record = branched(recorded(game), seed, count)
    steps = list(record.walk())
    assert [step for step in steps if not step.path] == [
        (MAIN_LINE, ply, event, before, after, record.comments.get(ply))
        for ply, (event, (before, after)) in enumerate(
            zip(record.events, pairwise(record.replay()), strict=True), start=1
        )
    ]
    for path, variation in record.lines():
        assert record.variation(path) == variation
        plies = range(variation.ply, variation.end)
        there = [step for step in steps if step.path == path]
        assert [step.ply for step in there] == list(plies)
        assert [step.event for step in there] == list(variation.events)
        positions = list(record.replay(path))
        assert [step.before for step in there] == positions[variation.ply - 1 : -1]
        assert there[-1].after == positions[-1]
        assert [step.comment for step in there] == [variation.comments.get(ply) for ply in plies]
        events = tuple(event for turn in record.turns(path) for event in turn.events())
        assert events == record.line_events(path)
    assert len({(step.path, step.ply) for step in steps}) == len(steps)


def test_what_hangs_at_a_ply_comes_right_after_it() -> None:
    assert [f"{format_path(step.path)}@{step.ply}" for step in tree().walk()] == [
        "@1", "1.1@1", "1.1@2", "@2", "2.1@2", "2.1@3", "2.1/3.1@3", "2.1/4.1@4", "@3", "3.1@3",
        "3.2@3", "3.2@4", "@4", "5.1@5",
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["", "1.2", "4.1", "2.1/2.1", "3.1/3.1/3.1"])
def test_a_path_that_leads_nowhere(path: str) -> None:
    record, way = tree(), parse_path(path)
    attempts: list[Callable[[], object]] = [
        lambda: record.variation(way),
        lambda: record.without_variation(way),
        lambda: record.promoted(way),
    ]
    if path:
        attempts += [
            lambda: list(record.replay(way)),
            lambda: record.line_events(way),
            lambda: record.turns(way),
            lambda: record.commented(2, "x", way),
            lambda: record.with_variation(2, [Pass()], way),
        ]
    for attempt in attempts:
        error = refused(attempt)
        assert (error.code.value, error.ply) == ("no-variation", 0)


def test_a_variation_that_cannot_be_played_is_named_where_it_is_reached() -> None:
    bad = Variation(ply=2, events=(parse_event("take grk"), parse_event("take www")))
    record = replace(tree(), variations=(bad,))
    for attempt in (
        lambda: list(record.walk()),
        lambda: list(record.replay((LineBranch(2, 1),))),
    ):
        error = refused(attempt)
        assert (error.ply, error.params["variation"]) == (3, "2.1")
        assert error.en.startswith("Variation 2.1, ply 3: Take at most three")
        assert error.zh.startswith("变化 2.1，第 3 步：")
    assert record.final() == tree().final()


# Changing


def test_a_new_variation_is_the_last_one_at_its_ply_and_pays() -> None:
    record = tree().with_variation(3, [parse_event("deal 2g1")], comments={3: "new"})
    assert record.variation(parse_path("3.3")).comments == {3: "new"}
    deep = record.with_variation(4, [parse_event("take wug")], parse_path("3.3"))
    assert texts_of(deep)[-2:] == ["3.3/4.1:1", "5.1:1"]
    steps = enumerate(sample().events, start=1)
    ply, bought = next((at, event) for at, event in steps if isinstance(event, Buy))
    (added,) = sample().with_variation(ply, [Buy(bought.card)]).variations
    assert isinstance(added.events[0], Buy)
    assert added.events[0].payment is not None


def test_what_cannot_be_played_there_is_refused_with_the_path_it_would_have() -> None:
    error = refused(lambda: tree().with_variation(3, [parse_event("deal 2w3")]))
    assert (error.ply, error.params["variation"]) == (3, "3.3")
    for ply in (0, 6, -1):
        error = refused(lambda ply=ply: tree().with_variation(ply, [Pass()]))  # type: ignore[misc]
        assert error.code.value == "variation-ply"
    early = refused(lambda: tree().with_variation(1, [parse_event("take wug")], parse_path("2.1")))
    assert early.code.value == "variation-ply"
    assert refused(lambda: tree().with_variation(1, [])).code.value == "variation-empty"
    odd: Any = "1"
    assert refused(lambda: tree().with_variation(odd, [])).code.value == "record-part"


def test_deleting_takes_what_hangs_on_it_along() -> None:
    assert texts_of(tree().without_variation(parse_path("2.1"))) == [
        "1.1:2", "3.1:1", "3.2:2", "5.1:1",
    ]  # fmt: skip
    assert texts_of(tree().without_variation(parse_path("2.1/3.1")))[1:3] == ["2.1:2", "2.1/4.1:1"]
    assert texts_of(tree().without_variation(parse_path("3.1")))[4:] == ["3.1:2", "5.1:1"]
    assert tree().without_variations().variations == ()


def test_comments_in_a_variation() -> None:
    record = tree().commented(2, "here", parse_path("2.1"))
    assert record.variation(parse_path("2.1")).comments == {1: "hm", 2: "here", 3: "so (it) goes"}
    assert record.comments == {}
    assert refused(lambda: tree().commented(4, "x", parse_path("2.1"))).ply == 0


def test_promoting_inside_a_variation_leaves_the_game_alone() -> None:
    record = branched(sample().commented(1, "kept"), 5, 12)
    path = next(path for path, _ in record.lines() if len(path) > 1)
    new = record.promoted(path)
    assert (new.events, new.comments, new.seed) == (record.events, record.comments, record.seed)
    assert new.line_events(path[:-1]) == record.line_events(path)
    assert new.line_events(path) == record.line_events(path[:-1])


def test_promoting_to_the_main_line_makes_another_game() -> None:
    headers = {"Table": "k7m2p4x9qa", "Share0": "x", "sharehash0": "y", "Site": "here"}
    record = branched(replace(sample(), headers=headers), 1, 0)
    record = record.with_variation(1, [parse_event("take wug")])
    new = record.promoted((LineBranch(1, 1),))
    assert new.events == (parse_event("take wug"),)
    assert new.variations[0].events == record.events
    assert (new.seed, new.commitment, new.result) == (None, None, None)
    assert new.headers == {"Site": "here"}
    back = new.promoted((LineBranch(1, 1),))
    assert (back.events, back.result) == (record.events, record.result)
    assert back.variations == record.variations


def test_promoting_what_goes_on_after_the_end_makes_the_game_longer() -> None:
    record = replace(tree(), result=None).ended(Reason.RESIGNED, (1, 2))
    new = record.promoted(parse_path("5.1"))
    assert new.events == (*record.events, parse_event("take wuk"))
    assert new.result is None
    assert texts_of(new) == texts_of(record)[:-1]


def test_promoting_keeps_every_comment() -> None:
    record = tree().commented(1, "first").commented(4, "last")
    new = record.promoted(parse_path("2.1"))
    assert new.comments == {1: "first hm", 3: "so (it) goes"}
    assert new.variation(parse_path("2.1")).comments == {4: "last"}


@settings(max_examples=30)
@given(random_games(40), st.integers(0, 2**16), st.data())
def test_promoting_twice_gives_the_lines_back(
    game: RandomGame, seed: int, data: st.DataObject
) -> None:
    record = branched(recorded(game), seed, 8)
    paths = [path for path, _ in record.lines()]
    if not paths:
        return
    path = data.draw(st.sampled_from(paths))
    new = record.promoted(path)
    lines = sorted(map(repr, (record.line_events(each) for each in (MAIN_LINE, *paths))))
    there = [MAIN_LINE, *(each for each, _ in new.lines())]
    if record.variation(path).ply < line_at(record.trunk, path[:-1]).end:
        assert sorted(map(repr, (new.line_events(each) for each in there))) == lines
        assert new.promoted(path).line_events(path) == record.line_events(path)
    assert len(list(new.walk())) == len(list(record.walk()))


def test_a_record_goes_on_under_its_variations() -> None:
    """What could have followed becomes what could have been played instead."""
    record = tree().append(parse_event("take wgr"))
    assert record.variation(parse_path("5.1")).events == (parse_event("take wuk"),)
    assert verify(record).ok


# What others make of them


def test_a_seat_is_told_nothing_of_variations() -> None:
    """They can name a card that somebody drew unseen."""
    record = tree().with_variation(3, [parse_event("deal 2w6")], comments={3: "the secret card"})
    for viewer in (None, 0):
        seen = record.seen_by(viewer)
        assert seen == record.without_variations().seen_by(viewer)
        for text in (format_record(seen), dumps(seen_record_to_json(seen)), repr(seen)):
            assert "2w6" not in text
            assert "2k1" not in text
            assert "secret" not in text


# Verifying


def verdicts(record: Record) -> dict[Verdict, dict[str, object]]:
    return {finding.code: dict(finding.params) for finding in verify(record).verdicts}


@settings(max_examples=30)
@given(random_games(60), st.integers(0, 2**16), st.integers(1, 10))
def test_honest_variations_change_nothing_that_is_proved(
    game: RandomGame, seed: int, count: int
) -> None:
    plain = recorded(game)
    record = branched(plain, seed, count)
    found = verdicts(record)
    size = sum(each.size for each in record.variations)
    assert found.pop(Verdict.VARIATIONS_LEGAL, {"count": 0}) == {"count": size}
    assert found == verdicts(plain)
    assert verify(record).standing is verify(plain).standing


def test_every_broken_variation_is_named_and_the_others_are_still_checked() -> None:
    text = TREE.replace("take wrk", "take www").replace("deal 2k1", "deal 2w3")
    (reading,) = parse_readings(text)
    check = verify(reading.record)
    assert check.standing is Standing.BROKEN
    assert {(each.params["variation"], each.ply, each.code.value) for each in check.problems} == {
        ("2.1/3.1", 3, "take-too-many"),
        ("3.1", 3, "deal-not-in-deck"),
    }
    assert dict(check.verdicts)[Verdict.VARIATIONS_LEGAL] == {"count": 5}
    assert "Legal variations: 5." in " ".join(check.lines())
    assert "合法的变化：5 个" in " ".join(check.lines("zh"))


def test_what_hangs_behind_a_break_is_not_looked_at() -> None:
    (reading,) = parse_readings(TREE.replace("take ugr", "take www"))
    found = verdicts(reading.record)
    assert found[Verdict.VARIATIONS_UNCHECKED] == {"count": 2}
    assert found[Verdict.VARIATIONS_LEGAL] == {"count": 4}
    (reading,) = parse_readings(TREE.replace("1a. take wug\n  (", "1a. take www\n  ("))
    found = verdicts(reading.record)
    assert found[Verdict.VARIATIONS_LEGAL] == {"count": 1}
    assert found[Verdict.VARIATIONS_UNCHECKED] == {"count": 6}


def test_a_wrong_label_in_a_variation_is_found() -> None:
    (reading,) = parse_readings(TREE.replace("(2b. take wgr", "(2a. take wgr"))
    check = verify(reading.record, reading.labels, branch_labels=reading.branch_labels)
    (problem,) = check.problems
    assert (problem.code.value, problem.ply) == ("label-wrong", 4)
    assert problem.params["variation"] == "2.1/4.1"
    (reading,) = parse_readings(TREE)
    assert verify(reading.record, reading.labels, branch_labels=reading.branch_labels).ok


def test_the_cards_of_a_variation_need_not_be_the_seed_s() -> None:
    record = sample()
    ply = next(at for at, event in enumerate(record.events, 1) if isinstance(event, Deal))
    before = list(record.replay())[ply - 1]
    dealt = record.events[ply - 1]
    assert isinstance(dealt, Deal)
    level = dealt.card.level
    other = next(c for c in CARDS if c.level == level and c != dealt.card and before.in_deck(c))
    check = verify(record.with_variation(ply, [Deal(other)]))
    assert check.standing is Standing.PROVED


# From a given position


def played_on(seed: str, other: str | None = None) -> Record:
    """A game from a position whose cards come from the seed, or from another one."""
    position = parse_position(DRAWN)
    dealer = ShuffledDealer(other or seed).onwards(position)
    record = Record.start(position.ruleset, position, commitment=commitment(seed))
    for move in ("reserve deck1", "reserve deck3", "reserve deck1"):
        record = record.append(parse_event(move))
        record = record.append(dealer.deal(record.final()))
    return record.revealed(seed)


def test_the_cards_after_a_given_position_can_be_proved_the_position_can_not() -> None:
    check = verify(played_on("seed"))
    assert check.standing is Standing.NOT_PROVED
    codes = {finding.code for finding in check.proved}
    assert codes >= {Verdict.MOVES_LEGAL, Verdict.SEED_COMMITTED, Verdict.DEAL_AFTER_POSITION}
    assert [finding.code for finding in check.unproved] == [Verdict.GIVEN_POSITION]


def test_other_cards_after_a_given_position_are_not_proved_and_no_fault() -> None:
    """Old records from a position have a seed that dealt nothing."""
    check = verify(played_on("seed", "another"))
    assert check.ok
    assert Verdict.DEAL_AFTER_POSITION not in {finding.code for finding in check.verdicts}
    nothing_dealt = replace(played_on("seed"), events=())
    assert Verdict.DEAL_AFTER_POSITION not in verdicts(nothing_dealt)
    whole = played_on("seed")
    broken = replace(whole, events=(*whole.events, whole.events[-1]))
    assert not verify(broken).ok
    assert Verdict.DEAL_AFTER_POSITION not in verdicts(broken)


@settings(max_examples=15)
@given(random_games(60), st.integers(0, 100))
def test_cards_dealt_onwards_are_those_of_the_seed(game: RandomGame, at: int) -> None:
    """From any position of a game, the same seed deals on as if nothing had happened."""
    record = recorded(game)
    ply = at % (len(record.events) + 1)
    rest = replace(studied(record, ply), seed=record.seed, commitment=record.commitment)
    dealt = any(isinstance(event, Deal) for event in rest.events)
    assert (Verdict.DEAL_AFTER_POSITION in verdicts(rest)) == (dealt and ply > 0)


def test_only_a_position_is_dealt_on_from() -> None:
    wrong: Any = SAMPLE
    with pytest.raises(WrongArgument):
        ShuffledDealer("seed").onwards(wrong)
