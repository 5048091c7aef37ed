"""Passing, and the end by a round of passes."""

from __future__ import annotations

import pytest

from cabochon.rules import Ending, Pass, Phase, Refusal, Reserve, Setup, Take
from tests.arrange import (
    STUCK_ROWS,
    arrange,
    bonus_cards,
    buy,
    choose,
    hand,
    play,
    refused,
    stuck,
    take,
)


def test_passing_is_refused_while_anything_else_is_legal() -> None:
    assert refused(arrange(), Pass()) is Refusal.PASS_NOT_FORCED
    assert Pass() not in arrange().legal_moves()


def test_passing_is_refused_when_only_a_purchase_is_legal() -> None:
    position = stuck(bought={0: "1k1"})
    assert position.legal_moves() == [buy("1r6", "wwug")]
    assert refused(position, Pass()) is Refusal.PASS_NOT_FORCED


def test_passing_is_refused_when_only_a_reservation_is_legal() -> None:
    position = stuck(reserved={0: "3r1 3r3"})
    assert {type(move) for move in position.legal_moves()} == {Reserve}
    assert refused(position, Pass()) is Refusal.PASS_NOT_FORCED


def test_passing_is_refused_when_only_a_scarce_take_is_legal() -> None:
    position = arrange(
        hands=[hand("wwwwuuuugg", reserved="3r1 3r3 3g3"), hand("ggrrrrkkk")], rows=STUCK_ROWS
    )
    assert position.legal_moves() == [take("k")]
    assert refused(position, Pass()) is Refusal.PASS_NOT_FORCED


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_player_without_any_legal_action_passes(seats: int) -> None:
    position = stuck(f"standard/{seats}")
    assert position.legal_moves() == [Pass()]
    after = play(position, Pass())
    assert after.hands == position.hands
    assert after.bank == position.bank
    assert (after.seat, after.passes) == (1, 1)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_round_of_forced_passes_ends_the_game(seats: int) -> None:
    position = stuck(f"standard/{seats}")
    for number in range(seats):
        assert position.phase is Phase.ACT
        assert position.passes == number
        position = play(position, Pass())
    assert position.phase is Phase.OVER
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.ending is Ending.STALLED


def test_a_stalled_game_is_scored_like_any_other() -> None:
    position = play(stuck(bought={1: "1k8"}), Pass(), Pass())
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.points == (0, 1)
    assert outcome.ranking == (2, 1)


def test_a_round_of_passes_may_begin_at_any_seat() -> None:
    position = play(stuck("standard/3", turn=4), Pass(), Pass(), Pass())
    assert (position.phase, position.turn) == (Phase.OVER, 7)


def test_any_other_action_breaks_the_run_of_passes() -> None:
    position = arrange("standard/3", passes=2, turn=2)
    assert play(position, take("wug")).passes == 0


def test_a_noble_that_comes_on_a_pass_breaks_the_run_of_passes() -> None:
    """The noble changes something, so the round was not one in which nothing could change."""
    position = stuck(bought={1: bonus_cards("rrrrkkkk")}, nobles="rk4 wu4 ug4")
    after = play(position, Pass(), Pass())
    assert [noble.code for noble in after.hands[1].nobles] == ["rk4"]
    assert (after.phase, after.passes) == (Phase.ACT, 0)


def test_a_noble_chosen_on_the_last_pass_of_a_round_breaks_the_run_of_passes() -> None:
    position = stuck(
        bought={0: "1w1 1w3 1w4 1w5 1u1 1u2 1u3 1u4 1g1 1g2 1g3"},
        reserved={0: "3r1 3r3 3w4"},
        nobles="wu4 wug3 rk4",
        turn=1,
    )
    choosing = play(position, Pass(), Pass())
    assert (choosing.phase, choosing.passes) == (Phase.NOBLE, 2)
    assert Setup.of(choosing).faults() == ()
    after = play(choosing, choose("wug3"))
    assert (after.phase, after.passes) == (Phase.ACT, 0)
    again = play(after, Pass(), Pass())
    assert (len(again.hands[0].nobles), again.passes) == (2, 0)
    assert play(again, Pass(), Pass()).phase is Phase.OVER


def test_a_pass_in_the_last_round_lets_the_round_finish() -> None:
    position = stuck("quick/2:width=4", bought={0: "3w4 3u4"}, turn=1, last_round=True)
    after = play(position, Pass())
    outcome = after.outcome()
    assert outcome is not None
    assert outcome.ending is Ending.TARGET


def test_the_listed_moves_are_never_empty_before_the_end() -> None:
    for position in (stuck(), arrange(), arrange("standard/3", bank="")):
        assert position.legal_moves()
    assert Take not in {type(move) for move in stuck().legal_moves()}
