"""Rule mistakes that other implementations made, each as the situation where it shows."""

from __future__ import annotations

import pickle

from cabochon.rules import (
    Deal,
    Ending,
    Gems,
    Pass,
    Phase,
    Position,
    Refusal,
    Ruleset,
    ShuffledDealer,
    Take,
    card,
)
from tests.arrange import (
    arrange,
    bonus_cards,
    buy,
    choose,
    give_back,
    hand,
    letters,
    of_kind,
    play,
    refused,
    reserve,
    stuck,
    take,
)

BOTH = bonus_cards("wwwwrrrrkkkk")


def test_nobles_are_not_looked_at_only_after_a_purchase() -> None:
    position = arrange(hands=[hand(bought=bonus_cards("rrrrkkkk"))], nobles="rk4 wu4 ug4")
    for move in (take("wug"), reserve("1w1"), reserve("deck1")):
        assert len(play(position, move).hands[0].nobles) == 1


def test_two_nobles_do_not_come_at_once() -> None:
    position = arrange(hands=[hand(bought=BOTH)], nobles="rk4 wk4 ug4")
    assert len(play(position, take("wug"), choose("rk4")).hands[0].nobles) == 1


def test_the_first_of_two_nobles_does_not_come_without_a_choice() -> None:
    position = arrange(hands=[hand(bought=BOTH)], nobles="rk4 wk4 ug4")
    waiting = play(position, take("wug"))
    assert (waiting.phase, waiting.hands[0].nobles) == (Phase.NOBLE, ())


def test_a_short_take_is_not_free() -> None:
    assert refused(arrange(), take("wu")) is Refusal.TAKE_TOO_FEW
    assert refused(arrange(), take("w")) is Refusal.TAKE_TOO_FEW


def test_a_short_take_is_not_missing_when_only_one_colour_is_left() -> None:
    assert of_kind(arrange("standard/3", bank="k").legal_moves(), Take) == [take("k")]


def test_gold_can_be_chosen_as_payment() -> None:
    assert arrange(hands=[hand("rrko")]).is_legal(buy("1w1", "rro"))


def test_gold_can_be_given_back() -> None:
    position = play(arrange(hands=[hand("wwuuggrrko")]), take("wuk"))
    assert position.is_legal(give_back("wuo"))


def test_tokens_just_taken_can_be_given_back() -> None:
    position = play(arrange(hands=[hand("wwwwuuuugo")]), take("grk"))
    assert letters(play(position, give_back("grk")), 0) == "wwwwuuuugo"


def test_reserving_at_ten_tokens_is_not_refused() -> None:
    assert arrange(hands=[hand("wwuuggrrkk")]).is_legal(reserve("1w1"))


def test_reserving_at_ten_tokens_does_not_withhold_the_gold() -> None:
    position = play(arrange(hands=[hand("wwuuggrrkk")]), reserve("1w1"))
    assert position.hands[0].tokens.gold == 1
    assert letters(play(position, give_back("k")), 0) == "wwuuggrrko"


def test_a_pass_is_not_always_legal() -> None:
    assert not arrange().is_legal(Pass())


def test_a_stuck_player_does_not_hang_the_game() -> None:
    after = play(stuck(), Pass())
    assert (after.seat, after.phase) == (1, Phase.ACT)


def test_a_stuck_table_does_not_hang_the_game() -> None:
    outcome = play(stuck("standard/4"), Pass(), Pass(), Pass(), Pass()).outcome()
    assert outcome is not None
    assert outcome.ending is Ending.STALLED


def test_the_game_does_not_stop_at_the_target_before_the_round_is_finished() -> None:
    position = arrange("standard/3", hands=[hand("wwww", bought="3w4 3u4 3u3")], rows={1: "1r8"})
    after = play(position, buy("1r8"))
    assert (after.points(0), after.phase) == (15, Phase.ACT)
    assert play(after, take("wug"), take("wug")).phase is Phase.OVER


def test_the_end_of_the_round_is_not_computed_for_the_first_seat_only() -> None:
    """Seat 1 of 3 triggers: seat 2 has a turn, seat 0 has none."""
    position = arrange(
        "standard/3", hands=[hand(), hand("wwww", bought="3w4 3u4 3u3")], rows={1: "1r8"}, turn=1
    )
    after = play(position, buy("1r8"), take("wug"))
    assert (after.phase, after.turn) == (Phase.OVER, 3)


def test_fewest_cards_do_not_beat_more_points() -> None:
    assert winners("3w4 3u4 3g4", "3r4 3k4 3u3 1r8 1k8") == (1,)


def test_the_tie_break_is_not_compared_with_players_who_are_not_tied() -> None:
    assert winners("3w4 3u4 3u3 1r8", "3r4 3k4 3k3 1k8", "3g4") == (0, 1)


def test_a_shared_victory_is_not_dropped() -> None:
    assert winners("3w4 3u4 3u3 1r8", "3r4 3k4 3k3 1k8") == (0, 1)


def winners(*bought: str) -> tuple[int, ...]:
    position = arrange(
        f"standard/{len(bought)}",
        hands=[hand(bought=codes) for codes in bought],
        phase=Phase.OVER,
        last_round=True,
        turn=len(bought),
    )
    outcome = position.outcome()
    assert outcome is not None
    return outcome.winners


def test_a_noble_choice_is_not_accepted_when_none_is_pending() -> None:
    position = arrange(hands=[hand(bought=bonus_cards("rrrrkkkk"))], nobles="rk4 wu4 ug4")
    assert refused(position, choose("rk4")) is Refusal.NOBLE_NOT_PENDING


def test_the_cost_is_not_moved_before_the_card_is_checked() -> None:
    position = arrange(hands=[hand("rrkwkk"), hand(reserved="1u4")])
    before = pickle.dumps(position)
    assert refused(position, buy("1u4", "wkk")) is Refusal.BUY_NOT_THERE
    assert refused(position, buy("1k8", "")) is Refusal.BUY_NOT_THERE
    assert pickle.dumps(position) == before


def test_a_blind_card_is_not_in_a_bots_input() -> None:
    views = [
        repr(arrange().play(reserve("deck3")).deal(Deal(card(code))).view(1))
        for code in ("3k1", "3k2", "3u3")
    ]
    assert len(set(views)) == 1


def test_the_order_of_a_deck_and_the_seed_are_no_part_of_a_position() -> None:
    """Two dealers that agree on what lies on the table lead to the very same position."""
    dealer = ShuffledDealer("a seed")
    opening = dealer.opening(Ruleset(2))
    by_hand = Position.start(Ruleset(2), opening)
    assert pickle.dumps(by_hand) == pickle.dumps(
        Position.start(Ruleset(2), ShuffledDealer("a seed").opening(Ruleset(2)))
    )
    assert b"a seed" not in pickle.dumps(by_hand)
    assert set(Position.__slots__) == set()
    assert by_hand.decks == (36, 26, 16)


def test_bonuses_are_not_wrong_while_every_count_is_right() -> None:
    """The rarest facts of the deck, one a colour: prices that a shift of colours would break."""
    prices = {
        "1w7": "wwwuk",
        "1u3": "ugggr",
        "1g6": "wuuug",
        "1r2": "wrkkk",
        "1k1": "grrrk",
    }
    assert {code: card(code).cost.letters for code in prices} == prices


def test_no_two_of_a_colour_are_taken_when_fewer_than_four_are_left() -> None:
    position = arrange("standard/2", hands=[hand(), hand("w")])
    assert position.bank == Gems(3, 4, 4, 4, 4, 5)
    assert not position.is_legal(take("ww"))
