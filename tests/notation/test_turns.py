"""A whole turn on one line, and in one sentence."""

from __future__ import annotations

import pytest

from cabochon.notation import (
    NotationError,
    describe_turn,
    format_turn,
    noble_name,
    parse_turn,
    turn_label,
)
from cabochon.notation.turns import WhyGood
from cabochon.rules import NOBLES, Buy, Gem, Gems, Reserve, card, noble
from cabochon.turn import HiddenDeal, Turn
from tests.notation.written import sample, studied


@pytest.mark.parametrize(
    ("line", "en", "zh"),
    [
        ("1a wug", "takes white, blue, green", "拿取 白色、蓝色、绿色"),
        ("1a rr", "takes 2 red", "拿取 2 枚红色"),
        ("1a -", "takes nothing", "拿取 零"),
        ("2b @2u5 >2k1", "reserves 2u5 (blue, 2 points)", "保留 2u5（蓝色，2 分）"),
        (
            "2b @1w1 +o >1k1",
            "reserves 1w1 (white) and takes a gold",
            "保留 1w1（白色），并得一枚黄金",
        ),
        (
            "3c @deck2 +o >?",
            "reserves an unseen card from deck 2 and takes a gold",
            "从牌堆 2 暗中保留一张牌，并得一枚黄金",
        ),
        (
            "3c @deck2 >2k1",
            "reserves 2k1 (black, 1 point), unseen, from deck 2",
            "从牌堆 2 暗中保留 2k1（黑色，1 分）",
        ),
        (
            "4d 2u5=uuo >2k1 !gr4",
            "buys 2u5 (blue, 2 points) for 2 blue and a gold; Mary Stuart visits",
            "买下 2u5（蓝色，2 分），支付 2 枚蓝色和 1 枚黄金；玛丽·斯图亚特 来访",
        ),
        (
            "4d 2u5=- !!rk4",
            "buys 2u5 (blue, 2 points) for nothing; Henry VIII visits",
            "买下 2u5（蓝色，2 分），无需付款；亨利八世 来访",
        ),
        ("4d 2u5", "buys 2u5 (blue, 2 points)", "买下 2u5（蓝色，2 分）"),
        (
            "5a wug -wuo",
            "takes white, blue, green; gives back a white, a blue and a gold",
            "拿取 白色、蓝色、绿色；归还 1 枚白色、1 枚蓝色和 1 枚黄金",
        ),
        ("12a pass", "passes", "跳过"),
        ("1b ... -w", "goes on; gives back a white", "继续；归还 1 枚白色"),
    ],
)
def test_the_table_form_and_the_sentence(line: str, en: str, zh: str) -> None:
    turn = parse_turn(line)
    assert format_turn(turn) == line
    assert describe_turn(turn) == en
    assert describe_turn(turn, "zh") == zh


def test_generous_reading() -> None:
    assert format_turn(parse_turn(" 3B. 2U5=OUU  -W !KR4 >2K1 ")) == "3b 2u5=uuo >2k1 !rk4 -w"
    assert format_turn(parse_turn("3b @TOP2 +* >?")) == "3b @deck2 +o >?"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("", "not-a-turn"),
        ("3b", "not-a-turn"),
        ("b3 wug", "not-a-turn"),
        ("3e wug", "not-a-turn"),
        ("3b wug what", "not-a-turn"),
        ("3b @2u5 +o +o", "not-a-turn"),
        ("3b @2u5 >2k1 >2k2", "not-a-turn"),
        ("3b wug !rk4 !gr4", "not-a-turn"),
        ("3b wug -w -u", "not-a-turn"),
        ("3b wxg", "unknown-gem"),
        ("3b @9u9", "unknown-card"),
        ("3b 2x9", "unknown-card"),
        ("3b wug >", "unknown-card"),
        ("3b wug !", "unknown-noble"),
        ("3b wug -", "gems-missing"),
        ("3b " + "w" * 300, "too-long"),
    ],
)
def test_what_is_no_turn(line: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_turn(line)
    assert caught.value.code == code


def test_labels() -> None:
    assert [turn_label(turn, 3) for turn in (0, 1, 2, 3, 7)] == ["1a", "1b", "1c", "2a", "3b"]


def test_a_viewer_sees_the_refill_and_not_the_card_that_another_drew() -> None:
    drawn = parse_turn("3b @deck2 +o >2k1")
    assert drawn.seen_by(1) == drawn
    assert drawn.seen_by(0).dealt == drawn.seen_by(None).dealt == HiddenDeal()
    refilled = parse_turn("3b @2u5 +o >2k1")
    assert refilled.seen_by(0) == refilled
    unknown = parse_turn("3b ... >2k1")
    assert unknown.seen_by(0).dealt == HiddenDeal()


def test_a_turn_as_events_and_by_hand() -> None:
    turn = Turn(3, 1, Buy(card("2u5"), Gems.parse("uuo")), dealt=card("2k1"), noble=noble("rk4"))
    assert format_turn(turn) == "3b 2u5=uuo >2k1 !rk4"
    assert len(turn.events()) == 2
    assert format_turn(Turn(1, 0, Reserve(card("2u5")), gold=True)) == "1a @2u5 +o"


def test_a_study_may_begin_in_the_middle_of_a_turn() -> None:
    record = sample()
    ply = next(n for n, position in enumerate(record.replay()) if position.phase == "deal")
    turns = studied(record, ply).turns()
    assert turns[0].action is None
    assert tuple(event for turn in turns for event in turn.events()) == record.events[ply:]
    assert turns[1:] == record.turns()[-len(turns) + 1 :]


def test_every_noble_has_a_name_in_both_languages() -> None:
    assert len({noble_name(visitor, "zh") for visitor in NOBLES}) == len(NOBLES)
    assert noble_name(NOBLES[0]) == "Henry VIII"


def test_a_reason_names_the_colour_the_card_and_who() -> None:
    why = WhyGood("reason-last-of-colour", card=card("1k4"), colour=Gem.RED, seat=1)
    assert why.text() == "Takes the last red, which seat 2 needs for 1k4 (black)."
    assert "Bo 买 1k4（黑色）" in why.text("zh", ["Ada", "Bo"])
