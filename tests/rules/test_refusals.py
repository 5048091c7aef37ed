"""Every refusal: a code for programs, a sentence in two languages for people, nothing changed."""

from __future__ import annotations

import copy
import pickle
import re
import string
from typing import Any, cast

import pytest

from cabochon.rules import BadRuleset, IllegalDeal, IllegalMove, Move, Refusal, Ruleset
from cabochon.rules.errors import (
    ArgumentFault,
    BadSetup,
    CabochonError,
    DealFault,
    Fault,
    RulesetFault,
    SetupFault,
    quoted,
    sentence,
    shown,
)
from cabochon.words import languages, texts_of
from tests.arrange import HUGE, arrange, hand, refused, take
from tests.galleries import Illegal, illegal_moves

ILLEGAL = illegal_moves()
CODES = (*Refusal, *DealFault, *RulesetFault, *SetupFault, *ArgumentFault)


@pytest.mark.parametrize("case", ILLEGAL, ids=lambda case: case.name)
def test_an_illegal_move_is_refused_with_its_code_and_changes_nothing(case: Illegal) -> None:
    assert refused(case.position, case.move, case.seat) is case.code


def test_every_refusal_has_a_situation() -> None:
    assert {case.code for case in ILLEGAL} == set(Refusal)


@pytest.mark.parametrize("case", ILLEGAL, ids=lambda case: case.name)
def test_every_refusal_is_said_in_both_languages(case: Illegal) -> None:
    refusal = case.position.refusal(case.move, case.seat)
    assert refusal is not None
    assert refusal.en.endswith(".")
    assert refusal.zh.endswith("。")
    assert not set(refusal.en + refusal.zh) & set("{}")
    assert re.search("[\u4e00-\u9fff]", refusal.zh)
    assert refusal.en.isascii() or "…" in refusal.en


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_two_sentences_that_name_the_same_things(code: str) -> None:
    en, zh = (texts_of(lang)[f"errors.{code}"] for lang in ("en", "zh"))
    named = [{name for _, name, _, _ in string.Formatter().parse(text)} for text in (en, zh)]
    assert named[0] - {None} == named[1] - {None}


def test_one_code_a_rule_and_no_two_alike() -> None:
    assert len(set(CODES)) == len(CODES)
    assert all(re.fullmatch("[a-z]+(-[a-z]+)*", code) for code in CODES)


def test_colours_phases_and_counts_are_said_in_words() -> None:
    position = arrange(hands=[hand(), hand("rrrr")])
    empty = position.refusal(take("wur"))
    mixed = position.refusal(take("wwu"))
    assert empty is not None
    assert mixed is not None
    assert (empty.en, empty.zh) == ("The bank has no red tokens.", "银行里没有红色筹码。")
    assert mixed.en.endswith("not both: 2 white, 1 blue.")
    assert mixed.zh.endswith("不能混合：2 白色，1 蓝色。")
    assert sentence("errors.take-too-many", "en", {"gems": ""}).endswith(": -.")


def test_an_error_is_equal_to_another_with_the_same_code_and_params() -> None:
    error = IllegalMove(Refusal.TAKE_EMPTY, colour="r")
    assert error == IllegalMove(Refusal.TAKE_EMPTY, colour="r")
    assert error != IllegalMove(Refusal.TAKE_EMPTY, colour="w")
    assert error != IllegalMove(Refusal.TAKE_GOLD)
    assert error != "take-empty"
    assert hash(error) == hash(IllegalMove(Refusal.TAKE_EMPTY, colour="r"))
    assert str(error) == error.en


@pytest.mark.parametrize(
    "error",
    [
        IllegalMove(Refusal.TAKE_EMPTY, colour="r"),
        IllegalDeal(DealFault.DEAL_NOT_PENDING),
        BadRuleset(RulesetFault.SEATS, seats=5),
    ],
)
def test_an_error_survives_copying_and_pickling(error: CabochonError) -> None:
    assert isinstance(error, CabochonError)
    assert copy.copy(error) == pickle.loads(pickle.dumps(error)) == error


def test_an_error_speaks_every_language_and_english_where_it_has_no_words() -> None:
    error = IllegalMove(Refusal.GAME_OVER)
    assert error.text() == error.text("en") == error.en == str(error)
    assert error.text("zh") == error.zh != error.en
    assert error.text("xx") == error.en
    assert error.texts() == {"en": error.en, "zh": error.zh}


@pytest.mark.parametrize(
    ("thing", "text"),
    [("x" * 60, "x" * 60), ("x" * 61, "x" * 59 + "…"), (None, "None"), (-3, "-3")],
)
def test_what_came_is_quoted_on_one_short_line(thing: object, text: str) -> None:
    assert quoted(thing) == text


@pytest.mark.parametrize("number", [HUGE])
def test_a_number_too_long_to_print_is_named_by_its_type(number: int) -> None:
    assert quoted(number) == "int"


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("one\ntwo", "one\\ntwo"),
        ("left\u202eright", "left\\u202eright"),
        ("in\u200bvisible", "in\\u200bvisible"),
        ("\ud800", "\\ud800"),
        ("\0" * 99, "\\x00" * 14 + "\\x0…"),
    ],
)
def test_what_cannot_be_seen_is_escaped(thing: str, text: str) -> None:
    assert quoted(thing) == text
    assert len(quoted(thing)) <= 60
    assert quoted(thing).isprintable()


def test_a_text_is_shown_as_a_program_writes_it() -> None:
    assert (shown("2"), shown(2), shown(None)) == ("'2'", "2", "None")


def test_a_value_that_cannot_be_printed_is_named_by_its_type() -> None:
    class Shy:
        def __repr__(self) -> str:
            raise RuntimeError("not me")

    nested: list[object] = []
    for _ in range(2000):
        nested = [nested]
    assert quoted(Shy()) == shown(Shy()) == "Shy"
    assert shown(nested) == "list"


def test_a_sentence_has_at_most_three_hundred_characters_all_of_which_can_be_seen() -> None:
    long = sentence("errors.unknown-variant", "en", {"variant": "x\x07" * 500, "known": "y" * 500})
    assert len(long) == 300
    assert long.isprintable()
    assert (
        sentence("errors.turn-range", "en", {"turn": 10**5000})
        == "The number of turns can't be int."
    )


def test_of_very_many_faults_those_are_told_that_fit() -> None:
    faults = [Fault(SetupFault.CARD_TWICE, {"card": f"1w{number}"}) for number in range(1, 90)]
    error = BadSetup(faults)
    assert len(error.faults) == 89
    assert re.fullmatch(r"Card 1w1 is.*And \d\d more\.", error.en)
    assert re.fullmatch(r".*另有 \d\d 处。", error.zh)
    assert max(len(error.en), len(error.zh)) <= 300
    endless = BadSetup([Fault(SetupFault.CARD_TWICE, {"card": "x" * 400})] * 2)
    assert len(endless.en) == 300


@pytest.mark.parametrize("thing", [None, "take wug", 7, HUGE, object, take, Ruleset()])
def test_what_is_no_move_is_refused(thing: Any) -> None:
    assert refused(arrange(), cast(Move, thing)) is Refusal.UNKNOWN_MOVE


def test_the_seat_is_asked_before_anything_else() -> None:
    assert refused(arrange(), cast(Move, None), seat=1) is Refusal.WRONG_SEAT
    assert refused(arrange(), take("wu"), seat=1) is Refusal.WRONG_SEAT
    assert arrange().play(take("wug"), seat=0) == arrange().play(take("wug"))


@pytest.mark.parametrize("seat", [False, 0.0, "0", [], HUGE])
def test_a_seat_that_is_no_whole_number_is_never_to_act(seat: Any) -> None:
    assert refused(arrange(), take("wug"), seat=seat) is Refusal.WRONG_SEAT


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_does_not_exist_is_never_to_act(seat: int) -> None:
    assert refused(arrange(), take("wug"), seat=seat) is Refusal.WRONG_SEAT


def test_every_fault_of_a_deal_or_a_ruleset_can_be_said() -> None:
    """Their situations stand in test_refilling, test_setup_of_game, test_dealer, test_ruleset."""
    named: dict[str, Any] = {
        "card": "1w1", "level": 1, "expected": 2, "kind": "nobles", "seats": 5,
        "variant": "x", "known": "y", "target": 99, "width": 9, "text": "z",
        "what": "None", "option": "teams", "given": "'no'",
    }  # fmt: skip
    for code in (*DealFault, *RulesetFault):
        for language in languages():
            assert not set(sentence(f"errors.{code}", language, named)) & set("{}")
