"""Moves and deals as text."""

from __future__ import annotations

import time

import pytest

from cabochon.notation import (
    NotationError,
    NotationFault,
    format_event,
    format_move,
    parse_event,
    parse_gems,
    parse_move,
    parse_noble,
    parse_seen_event,
)
from cabochon.notation.moves import move_text, move_texts
from cabochon.rules import (
    CARDS,
    DECKS,
    NOBLES,
    Buy,
    ChooseNoble,
    Deal,
    Event,
    Gems,
    Move,
    Pass,
    Reserve,
    Return,
    Take,
    card,
    noble,
)
from cabochon.rules.legal import STANDING
from cabochon.turn import HiddenDeal

CANONICAL: list[tuple[str, Event]] = [
    ("take wug", Take(Gems.parse("wug"))),
    ("take rr", Take(Gems.parse("rr"))),
    ("take -", Take(Gems())),
    ("reserve 2u5", Reserve(card("2u5"))),
    ("reserve deck2", Reserve(DECKS[1])),
    ("buy 2u5", Buy(card("2u5"))),
    ("buy 2u5 =uuo", Buy(card("2u5"), Gems.parse("uuo"))),
    ("buy 2u5 =-", Buy(card("2u5"), Gems())),
    ("return wo", Return(Gems.parse("wo"))),
    ("noble rk4", ChooseNoble(noble("rk4"))),
    ("pass", Pass()),
    ("deal 2k1", Deal(card("2k1"))),
]


@pytest.mark.parametrize(("text", "event"), CANONICAL)
def test_the_canonical_texts(text: str, event: Event) -> None:
    assert format_event(event) == text
    assert parse_event(text) == event


def test_texts_that_are_kept_are_the_same() -> None:
    """Of moves that stand from the start, of purchases and of rare ones; each asked for twice."""
    moves: list[Move] = [event for _, event in CANONICAL if not isinstance(event, Deal)]
    moves += [*STANDING, *moves]
    assert move_texts(moves) == [format_move(move) for move in moves]
    assert [move_text(move) for move in moves] == move_texts(moves)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  TAKE   W u G ", "take wug"),
        ("take g,u,w", "take wug"),
        ("take white blue green", "take wug"),
        ("take white, blue and green", "take wug"),
        ("take sapphire + ruby + onyx", "take urk"),
        ("take 2r", "take rr"),
        ("take 2 red", "take rr"),
        ("take 2x red", "take rr"),
        ("拿白蓝绿", "take wug"),
        ("拿取 2 枚红色", "take rr"),
        ("ｔａｋｅ　ｗｕｇ", "take wug"),
        ("get wug", "take wug"),
        ("Reserve 2U5", "reserve 2u5"),
        ("reserve Deck 2", "reserve deck2"),
        ("hold top3", "reserve deck3"),
        ("预留牌堆1", "reserve deck1"),
        ("BUY 2u5=UUO", "buy 2u5 =uuo"),
        ("buy 2u5 = u u *", "buy 2u5 =uuo"),
        ("buy 2u5 uuo", "buy 2u5 =uuo"),
        ("buy 2u5 with ouu", "buy 2u5 =uuo"),
        ("purchase 2u5 for 2 blue and a gold", "buy 2u5 =uuo"),
        ("buy 2u5 for nothing", "buy 2u5 =-"),
        ("buy2u5", "buy 2u5"),
        ("买 2u5 用 2蓝、黄金", "buy 2u5 =uuo"),
        ("return *w", "return wo"),
        ("give back joker", "return o"),
        ("noble KR4", "noble rk4"),
        ("choose Mary  Stuart", "noble gr4"),
        ("贵族 玛丽·斯图亚特", "noble gr4"),
        ("Skip", "pass"),
        ("DEAL 2K1", "deal 2k1"),
        ("发牌 2k1", "deal 2k1"),
    ],
)
def test_generous_reading(text: str, canonical: str) -> None:
    assert format_event(parse_event(text)) == canonical


def test_every_card_and_noble_in_every_case() -> None:
    for each in CARDS:
        assert parse_move(f"buy {each.code.upper()}") == Buy(each)
    for visitor in NOBLES:
        assert parse_noble(visitor.code.upper()) is visitor
        assert parse_noble(visitor.code[-2::-1] + visitor.code[-1]) is visitor
        assert parse_noble(visitor.name.upper()) is visitor


def test_a_hidden_deal_is_an_event_of_a_seen_record_only() -> None:
    assert parse_seen_event("deal ?") == HiddenDeal()
    assert format_event(HiddenDeal()) == "deal ?"
    with pytest.raises(NotationError) as caught:
        parse_event("deal ?")
    assert caught.value.code is NotationFault.HIDDEN_DEAL


@pytest.mark.parametrize("text", ["deal 2k1", "deal ?"])
def test_a_deal_is_no_move(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert caught.value.code is NotationFault.NOT_A_MOVE


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not-a-move"),
        ("fly", "not-a-move"),
        ("takewug", "not-a-move"),
        ("take", "gems-missing"),
        ("take b", "unknown-gem"),
        ("take w-1", "unknown-gem"),
        ("take 1000w", "unknown-gem"),
        ("return", "gems-missing"),
        ("buy", "card-missing"),
        ("buy 9x9", "unknown-card"),
        ("buy =uu", "unknown-card"),
        ("buy 2u5 =", "gems-missing"),
        ("buy 2u5 =xyz", "unknown-gem"),
        ("reserve", "card-missing"),
        ("reserve 1w9", "unknown-card"),
        ("reserve deck4", "unknown-deck"),
        ("reserve deck2 now", "extra-text"),
        ("reserve 2u5 2u6", "extra-text"),
        ("noble", "noble-missing"),
        ("noble rr4", "unknown-noble"),
        ("noble nobody", "unknown-noble"),
        ("pass now", "extra-text"),
        ("take " + "w" * 300, "too-long"),
    ],
)
def test_what_cannot_be_read(text: str, code: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert caught.value.code == code


def test_gems_alone() -> None:
    assert parse_gems("2w o") == Gems.parse("wwo")
    assert parse_gems("-") == Gems()
    with pytest.raises(NotationError) as caught:
        parse_gems("  ")
    assert caught.value.code is NotationFault.GEMS_MISSING


def test_a_huge_amount_is_read_so_that_the_rules_can_refuse_it() -> None:
    assert parse_move("take 99w") == Take(Gems(99))


@pytest.mark.parametrize("text", ["x" * 10_000_000, "take " + "2 " * 5_000_000, "\x1b[31m" * 9])
def test_huge_or_hostile_input_is_refused_at_once_and_cut(text: str) -> None:
    began = time.process_time()
    with pytest.raises(NotationError) as caught:
        parse_move(text)
    assert time.process_time() - began < 5
    shown = str(caught.value.params["text"])
    assert len(shown) <= 60
    assert shown.isprintable()


def test_format_move_is_format_event() -> None:
    assert format_move(Take(Gems.parse("wug"))) == "take wug"
