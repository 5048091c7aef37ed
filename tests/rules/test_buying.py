"""Buying cards and paying for them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from cabochon.rules import Buy, Card, Deal, Gem, Gems, Phase, Place, Refusal, card
from tests.arrange import (
    HUGE,
    arrange,
    bonus_cards,
    buy,
    codes,
    hand,
    letters,
    of_kind,
    play,
    refused,
    reserved_codes,
    take,
)


def test_a_face_up_card_is_paid_to_the_bank_and_laid_before_the_buyer() -> None:
    after = play(arrange(hands=[hand("rrkww")]), buy("1w1"))
    assert letters(after, 0) == "ww"
    assert codes(after.hands[0].bought) == "1w1"
    assert after.bank == Gems(2, 4, 4, 4, 4, 5)


def test_the_place_of_a_bought_card_is_refilled_in_the_same_place() -> None:
    waiting = arrange(hands=[hand("uukk")]).play(buy("1w4"))
    assert waiting.pending == Place(1, 3)
    assert codes(waiting.rows[0]) == "1w1 1w2 1w3 ."
    assert codes(waiting.deal(Deal(card("1k8"))).rows[0]) == "1w1 1w2 1w3 1k8"


def test_over_an_empty_deck_the_place_of_a_bought_card_stays_empty() -> None:
    position = arrange(
        "standard/2:target=50", hands=[hand("uukk")], used_up={1: 1}, nobles="rk4 gr4 ug4"
    )
    after = position.play(buy("1w4"))
    assert after.phase is Phase.ACT
    assert codes(after.rows[0]) == "1w1 1w2 1w3 ."


def test_a_reserved_card_is_bought_without_touching_the_rows() -> None:
    position = arrange(hands=[hand("uuu", reserved="2u5 1w6 ?3k1")])
    after = position.play(buy("1w6"))
    assert after.phase is Phase.ACT
    assert after.rows == position.rows
    assert after.decks == position.decks
    assert reserved_codes(after, 0) == "2u5 ?3k1"
    assert codes(after.hands[0].bought) == "1w6"


def test_a_card_drawn_unseen_can_be_bought_by_its_owner() -> None:
    after = play(arrange(hands=[hand("uuu", reserved="?1w6")]), buy("1w6"))
    assert codes(after.hands[0].bought) == "1w6"
    assert after.hands[0].reserved == ()


def test_bonuses_lower_the_price() -> None:
    position = arrange(hands=[hand("rk", bought="1r1")])
    after = play(position, buy("1w1"))
    assert letters(after, 0) == ""
    assert position.legal_payments(card("1w1")) == (Gems.parse("rk"),)


def test_more_bonuses_than_the_cost_give_no_change() -> None:
    position = arrange(hands=[hand("wu", bought=bonus_cards("rrrrrkk"))])
    after = play(position, buy("1w1"))
    assert letters(after, 0) == "wu"
    assert after.bank == position.bank


def test_a_price_of_nothing_is_paid_with_nothing() -> None:
    position = arrange(hands=[hand("ro", bought=bonus_cards("rrk"))])
    assert position.legal_payments(card("1w1")) == (Gems(),)
    assert refused(position, buy("1w1", "r")) is Refusal.PAYMENT_TOO_MUCH
    assert refused(position, buy("1w1", "o")) is Refusal.PAYMENT_TOO_MUCH


def test_gold_stands_for_a_missing_colour() -> None:
    after = play(arrange(hands=[hand("rko")]), buy("1w1"))
    assert letters(after, 0) == ""
    assert after.bank == arrange().bank


def test_gold_alone_can_pay_a_whole_card() -> None:
    after = play(arrange(hands=[hand("ooo")]), buy("1w1"))
    assert letters(after, 0) == ""
    assert codes(after.hands[0].bought) == "1w1"


def test_a_purchase_without_a_payment_uses_the_least_gold() -> None:
    position = arrange(hands=[hand("rrkoo")])
    assert position.completed(buy("1w1")) == buy("1w1", "rrk")
    assert play(position, buy("1w1")) == play(position, buy("1w1", "rrk"))
    assert letters(play(position, buy("1w1")), 0) == "oo"


def test_gold_may_be_paid_where_the_colour_is_at_hand() -> None:
    position = arrange(hands=[hand("rrkoo")])
    assert letters(play(position, buy("1w1", "roo")), 0) == "rk"
    assert letters(play(position, buy("1w1", "koo")), 0) == "rr"


def test_all_mixes_of_gold_and_colour_are_offered_the_least_gold_first() -> None:
    position = arrange(hands=[hand("rrkoo")])
    mixes = [mix.letters for mix in position.legal_payments(card("1w1"))]
    assert mixes == ["rrk", "rro", "rko", "roo", "koo"]
    assert all(position.is_legal(buy("1w1", mix)) for mix in mixes)


def test_each_purchase_is_listed_once_with_the_least_gold() -> None:
    position = arrange(hands=[hand("rrkoo", reserved="1u4")])
    buys: list[Buy] = of_kind(position.legal_moves(), Buy)
    assert [(b.card.code, b.payment) for b in buys] == [
        ("1w1", Gems.parse("rrk")),
        ("1w2", Gems.parse("rkoo")),
        ("1u4", Gems.parse("koo")),
    ]


def test_too_few_tokens_are_refused_and_nothing_moves() -> None:
    position = arrange(hands=[hand("rwwuu")])
    assert refused(position, buy("1w1")) is Refusal.BUY_TOO_DEAR
    refusal = position.refusal(buy("1w1"))
    assert refusal is not None
    assert refusal.params == {"card": "1w1", "missing": 2}
    assert position.legal_payments(card("1w1")) == ()


def test_gold_is_counted_before_a_card_is_called_too_dear() -> None:
    assert refused(arrange(hands=[hand("ko")]), buy("1w1")) is Refusal.BUY_TOO_DEAR
    assert play(arrange(hands=[hand("koo")]), buy("1w1")).hands[0].bought


def test_tokens_that_are_not_held_cannot_be_paid() -> None:
    position = arrange(hands=[hand("rrk")])
    assert refused(position, buy("1w1", "rro")) is Refusal.PAYMENT_NOT_HELD


def test_paying_more_of_a_colour_than_asked_is_refused() -> None:
    position = arrange(hands=[hand("rrrkk")])
    assert refused(position, buy("1w1", "rrkk")) is Refusal.PAYMENT_TOO_MUCH
    assert refused(position, buy("1w1", "rrr")) is Refusal.PAYMENT_TOO_MUCH


def test_paying_a_colour_the_card_does_not_cost_is_refused() -> None:
    position = arrange(hands=[hand("rrkw")])
    assert refused(position, buy("1w1", "rrw")) is Refusal.PAYMENT_TOO_MUCH


def test_gold_on_top_of_the_whole_price_is_refused() -> None:
    position = arrange(hands=[hand("rrko")])
    assert refused(position, buy("1w1", "rrko")) is Refusal.PAYMENT_TOO_MUCH


def test_paying_too_little_is_refused() -> None:
    position = arrange(hands=[hand("rrko")])
    assert refused(position, buy("1w1", "rr")) is Refusal.PAYMENT_TOO_LITTLE
    assert refused(position, buy("1w1", "")) is Refusal.PAYMENT_TOO_LITTLE


@pytest.mark.parametrize("amount", [-1, 8, HUGE, 1.0, True, "1"])
def test_a_payment_of_odd_amounts_is_refused(amount: Any) -> None:
    position = arrange(hands=[hand("rrko")])
    assert refused(position, Buy(card("1w1"), Gems(red=amount))) is Refusal.BAD_AMOUNT


@pytest.mark.parametrize("payment", ["rrk", (2, 1), HUGE])
def test_a_payment_that_is_no_six_counts_is_refused(payment: Any) -> None:
    position = arrange(hands=[hand("rrko")])
    assert refused(position, Buy(card("1w1"), cast(Gems, payment))) is Refusal.UNKNOWN_MOVE


@pytest.mark.parametrize("code", ["1k8", "1u4", "1u1"])
def test_a_card_in_a_deck_or_bought_cannot_be_bought(code: str) -> None:
    position = arrange(hands=[hand("wkkuoooo", bought="1u1"), hand(bought="1u4")])
    assert refused(position, buy(code)) is Refusal.BUY_NOT_THERE
    assert position.legal_payments(card(code)) == ()


@pytest.mark.parametrize("reserved", ["1u4", "?1u4"])
def test_a_card_reserved_by_another_cannot_be_bought(reserved: str) -> None:
    position = arrange(hands=[hand("wkk"), hand(reserved=reserved)])
    assert refused(position, buy("1u4")) is Refusal.BUY_NOT_THERE


def test_buying_a_card_made_by_hand_is_refused() -> None:
    forged = Card(0, "1w1", 1, Gem.WHITE, 5, Gems())
    assert refused(arrange(hands=[hand("rrk")]), Buy(forged)) is Refusal.UNKNOWN_CARD
    assert refused(arrange(), Buy(cast(Card, "1w1"))) is Refusal.UNKNOWN_CARD


def test_reserved_cards_give_neither_bonus_nor_points() -> None:
    position = arrange(hands=[hand("rk", reserved="3r4 ?1r1")])
    assert position.bonuses(0) == Gems()
    assert position.points(0) == 0
    assert refused(position, buy("1w1")) is Refusal.BUY_TOO_DEAR


def test_a_bought_card_counts_from_the_next_purchase_on() -> None:
    position = arrange(hands=[hand("rrrk")], rows={1: "1r8 1r7"})
    assert refused(position, buy("1r8")) is Refusal.BUY_TOO_DEAR
    after = play(arrange(hands=[hand("wwww")], rows={1: "1r8 1w1"}), buy("1r8"))
    assert after.bonuses(0) == Gems(red=1)
    assert after.points(0) == 1


def test_the_order_of_buying_is_no_fact_of_a_position() -> None:
    start = arrange(hands=[hand("rrkuukk"), hand()])
    one = play(start, buy("1w1"), take("wug"), buy("1w4"))
    other = play(start, buy("1w4"), take("wug"), buy("1w1"))
    assert codes(one.hands[0].bought) == codes(other.hands[0].bought) == "1w1 1w4"


def test_no_payment_is_possible_outside_the_act_phase() -> None:
    waiting = arrange(hands=[hand("rrkuukk")]).play(buy("1w1"))
    assert waiting.legal_payments(card("1w4")) == ()
