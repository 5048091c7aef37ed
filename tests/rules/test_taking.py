"""Taking tokens."""

from __future__ import annotations

from typing import Any, cast

import pytest

from cabochon.rules import Gems, Phase, Refusal, Take
from tests.arrange import HUGE, arrange, give_back, hand, letters, of_kind, play, refused, take

DIFFERENT = ("wug", "wur", "wuk", "wgr", "wgk", "wrk", "ugr", "ugk", "urk", "grk")
TWO = ("ww", "uu", "gg", "rr", "kk")


def listed(position: Any) -> list[str]:
    return [move.gems.letters for move in of_kind(position.legal_moves(), Take)]


def test_one_each_of_three_different_colours() -> None:
    after = play(arrange(), take("wgk"))
    assert letters(after, 0) == "wgk"
    assert after.bank == Gems(3, 4, 3, 4, 3, 5)
    assert after.seat == 1


def test_a_full_bank_offers_every_three_and_every_two_in_the_fixed_order() -> None:
    assert listed(arrange()) == [*DIFFERENT, *TWO]


def test_two_of_a_colour_when_the_bank_held_four_before() -> None:
    after = play(arrange(), take("rr"))
    assert letters(after, 0) == "rr"
    assert after.bank.red == 2


def test_two_of_a_colour_with_three_in_the_bank_is_refused() -> None:
    position = arrange(hands=[hand(), hand("r")])
    assert refused(position, take("rr")) is Refusal.TAKE_TWO_NEEDS_FOUR
    assert "rr" not in listed(position)


def test_two_of_a_colour_that_is_gone_is_refused() -> None:
    position = arrange(hands=[hand(), hand("rrrr")])
    assert refused(position, take("rr")) is Refusal.TAKE_TWO_NEEDS_FOUR


@pytest.mark.parametrize(("seats", "count"), [(2, 4), (3, 5), (4, 7)])
def test_two_of_a_colour_may_be_taken_until_fewer_than_four_are_left(
    seats: int, count: int
) -> None:
    position = arrange(f"standard/{seats}")
    while position.bank.white >= 4:
        position = play(position, take("ww"))
    assert position.bank.white in (2, 3)
    assert refused(position, take("ww")) is Refusal.TAKE_TWO_NEEDS_FOUR


def test_with_two_colours_left_one_of_each_is_taken() -> None:
    position = arrange("standard/3", bank="wwk")
    assert listed(position) == ["wk"]
    assert play(position, take("wk")).bank == Gems(white=1, gold=5)


def test_with_two_colours_left_taking_only_one_is_refused() -> None:
    position = arrange("standard/3", bank="wwk")
    assert refused(position, take("w")) is Refusal.TAKE_TOO_FEW
    assert refused(position, take("ww")) is Refusal.TAKE_TWO_NEEDS_FOUR


def test_with_one_colour_left_one_token_is_taken() -> None:
    position = arrange("standard/3", bank="g")
    assert listed(position) == ["g"]
    assert play(position, take("g")).bank.green == 0


def test_with_one_plentiful_colour_left_one_or_two_may_be_taken() -> None:
    assert listed(arrange("standard/3", bank="gggg")) == ["g", "gg"]


def test_without_colours_in_the_bank_nothing_can_be_taken() -> None:
    position = arrange("standard/3", bank="")
    assert position.bank == Gems(gold=5)
    assert listed(position) == []
    assert refused(position, take("w")) is Refusal.TAKE_EMPTY


@pytest.mark.parametrize("few", ["w", "wu", "gk"])
def test_a_short_take_is_refused_while_three_colours_are_there(few: str) -> None:
    position = arrange(hands=[hand(), hand("rrrr")])
    assert refused(position, take(few)) is Refusal.TAKE_TOO_FEW
    assert few not in listed(position)


def test_with_exactly_three_colours_left_all_three_are_taken() -> None:
    assert listed(arrange("standard/3", bank="wrk")) == ["wrk"]


def test_a_colour_that_the_bank_has_not_cannot_be_taken() -> None:
    position = arrange(hands=[hand(), hand("rrrr")])
    assert refused(position, take("wur")) is Refusal.TAKE_EMPTY


def test_gold_is_never_taken() -> None:
    for some in ("o", "oo", "wuo", "woo"):
        assert refused(arrange(), take(some)) is Refusal.TAKE_GOLD


def test_taking_nothing_is_refused() -> None:
    assert refused(arrange(), Take(Gems())) is Refusal.TAKE_NOTHING


def test_four_different_colours_are_too_many() -> None:
    assert refused(arrange(), take("wugr")) is Refusal.TAKE_TOO_MANY
    assert refused(arrange(), take("wugrk")) is Refusal.TAKE_TOO_MANY


def test_three_of_one_colour_are_too_many() -> None:
    assert refused(arrange("standard/4"), take("www")) is Refusal.TAKE_TOO_MANY


def test_two_of_one_colour_and_another_cannot_be_mixed() -> None:
    assert refused(arrange(), take("wwu")) is Refusal.TAKE_MIXED
    assert refused(arrange(), take("wwuu")) is Refusal.TAKE_MIXED


def test_taking_at_ten_tokens_is_allowed_and_the_excess_goes_back() -> None:
    position = play(arrange(hands=[hand("wwuuggrrkk")]), take("wug"))
    assert position.phase is Phase.RETURN
    assert letters(play(position, give_back("wug")), 0) == "wwuuggrrkk"


def test_the_option_forbids_a_scarce_take() -> None:
    position = arrange("standard/3:scarce=no", bank="wwk")
    assert listed(position) == []
    assert refused(position, take("wk")) is Refusal.TAKE_SCARCE
    assert refused(position, take("w")) is Refusal.TAKE_SCARCE


def test_the_option_leaves_two_of_a_plentiful_colour() -> None:
    position = arrange("standard/3:scarce=no", bank="gggg")
    assert listed(position) == ["gg"]
    assert refused(position, take("g")) is Refusal.TAKE_SCARCE


@pytest.mark.parametrize("amount", [-1, 8, 10**6, HUGE, 1.0, 0.5, True, "1", None, [1]])
def test_amounts_that_are_no_counts_are_refused(amount: Any) -> None:
    assert refused(arrange(), Take(Gems(1, amount, 1))) is Refusal.BAD_AMOUNT


@pytest.mark.parametrize("gems", [None, "wug", (1, 1, 1), [1, 1, 1, 0, 0, 0], HUGE, {}])
def test_what_is_no_six_counts_is_refused(gems: Any) -> None:
    assert refused(arrange(), Take(cast(Gems, gems))) is Refusal.UNKNOWN_MOVE


def test_six_plain_counts_are_as_good_as_gems() -> None:
    plain = Take(cast(Gems, (1, 1, 1, 0, 0, 0)))
    assert play(arrange(), plain) == play(arrange(), take("wug"))
