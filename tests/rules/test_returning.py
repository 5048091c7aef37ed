"""The limit of ten tokens."""

from __future__ import annotations

from typing import Any, cast

import pytest

from cabochon.rules import Gems, Pass, Phase, Position, Refusal, Return
from tests.arrange import (
    HUGE,
    arrange,
    bonus_cards,
    buy,
    choose,
    give_back,
    hand,
    letters,
    play,
    refused,
    reserve,
    take,
)


def over_limit() -> Position:
    """Twelve tokens: www uu gg rr o and the just taken kk."""
    return play(arrange("standard/3", hands=[hand("wwwuuggrro")]), take("kk"))


def listed(position: Position) -> list[str]:
    return [move.gems.letters for move in position.legal_moves() if isinstance(move, Return)]


def test_ten_tokens_are_no_excess() -> None:
    after = play(arrange(hands=[hand("wwuuggr")]), take("wuk"))
    assert after.hands[0].tokens.total == 10
    assert (after.phase, after.seat) == (Phase.ACT, 1)


@pytest.mark.parametrize(("held", "excess"), [("wwuuggrr", 1), ("wwuuggrro", 2), ("wwuuggrroo", 3)])
def test_exactly_the_excess_goes_back(held: str, excess: int) -> None:
    position = play(arrange("standard/3", hands=[hand(held)]), take("wuk"))
    assert position.phase is Phase.RETURN
    assert {len(mix) for mix in listed(position)} == {excess}
    after = play(position, position.legal_moves()[0])
    assert after.hands[0].tokens.total == 10
    assert after.seat == 1


def test_what_goes_back_lies_in_the_bank_again() -> None:
    position = over_limit()
    after = play(position, give_back("wo"))
    assert after.bank == position.bank.plus(Gems.parse("wo"))
    assert letters(after, 0) == "wwuuggrrkk"


def test_every_mix_that_is_held_is_offered_in_alphabet_order() -> None:
    assert " ".join(listed(over_limit())) == (
        "ww wu wg wr wk wo uu ug ur uk uo gg gr gk go rr rk ro kk ko"
    )


def test_gold_can_be_returned() -> None:
    assert "o" not in letters(play(over_limit(), give_back("ko")), 0)


def test_the_tokens_just_taken_can_be_returned() -> None:
    assert letters(play(over_limit(), give_back("kk")), 0) == "wwwuuggrro"


def test_returning_too_few_is_refused() -> None:
    assert refused(over_limit(), give_back("w")) is Refusal.RETURN_TOO_FEW
    assert refused(over_limit(), give_back("")) is Refusal.RETURN_TOO_FEW


def test_returning_too_many_is_refused() -> None:
    assert refused(over_limit(), give_back("wwu")) is Refusal.RETURN_TOO_MANY


def test_returning_what_is_not_held_is_refused() -> None:
    assert refused(over_limit(), give_back("oo")) is Refusal.RETURN_NOT_HELD
    assert "oo" not in listed(over_limit())


@pytest.mark.parametrize("amount", [-1, 8, HUGE, 1.0, True, "1"])
def test_returning_odd_amounts_is_refused(amount: Any) -> None:
    assert refused(over_limit(), Return(Gems(white=amount))) is Refusal.BAD_AMOUNT


def test_returning_what_is_no_six_counts_is_refused() -> None:
    assert refused(over_limit(), Return(cast(Gems, "ww"))) is Refusal.UNKNOWN_MOVE


def test_returning_when_nothing_is_above_ten_is_refused() -> None:
    assert refused(arrange(hands=[hand("w")]), give_back("w")) is Refusal.RETURN_NOT_PENDING


@pytest.mark.parametrize("move", [take("wug"), reserve("1w1"), buy("1w1"), Pass()])
def test_the_game_does_not_go_on_before_the_return(move: Any) -> None:
    assert refused(over_limit(), move) is Refusal.WRONG_PHASE
    assert over_limit().seat == 0


def test_the_others_wait_for_the_return() -> None:
    assert refused(over_limit(), take("wug"), seat=1) is Refusal.WRONG_SEAT


def test_a_noble_comes_before_the_return() -> None:
    position = arrange(
        hands=[hand("wwuuggrr", bought=bonus_cards("rrrrkkkk"))], nobles="rk4 gr4 ug4"
    )
    after = play(position, take("wuk"))
    assert after.phase is Phase.RETURN
    assert [noble.code for noble in after.hands[0].nobles] == ["rk4"]


def test_a_noble_is_chosen_before_the_return() -> None:
    position = arrange(
        hands=[hand("wwuuggrr", bought=bonus_cards("wwwwrrrrkkkk"))], nobles="rk4 wk4 ug4"
    )
    choosing = play(position, take("wuk"))
    assert choosing.phase is Phase.NOBLE
    assert refused(choosing, give_back("w")) is Refusal.RETURN_NOT_PENDING
    returning = play(choosing, choose("wk4"))
    assert returning.phase is Phase.RETURN
    assert play(returning, give_back("w")).seat == 1
