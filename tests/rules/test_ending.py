"""The end of the game and its ranking."""

from __future__ import annotations

import pytest

from cabochon.rules import Ending, Outcome, Pass, Phase, Position, Refusal
from tests.arrange import (
    arrange,
    bonus_cards,
    buy,
    choose,
    give_back,
    hand,
    play,
    refused,
    reserve,
    take,
)

FIFTEEN = "3w4 3u4 3g4"
FOURTEEN = "3w4 3u4 3u3"


def outcome(position: Position) -> Outcome:
    found = position.outcome()
    assert found is not None
    return found


def finished(*bought: str, ruleset: str | None = None) -> Outcome:
    """How a game ends when the seats have bought these cards."""
    seats = len(bought)
    position = arrange(
        ruleset or f"standard/{seats}",
        hands=[hand(bought=codes) for codes in bought],
        phase=Phase.OVER,
        last_round=True,
        turn=seats,
    )
    return outcome(position)


def about_to_reach(seats: int, seat: int) -> Position:
    """The seat to act has eleven points, and the bonuses to buy 3u3 for four more."""
    hands = [hand() for _ in range(seats)]
    hands[seat] = hand(bought="3w4 3g4 1r8 " + bonus_cards("wwwwwww"))
    return arrange(f"standard/{seats}", hands=hands, rows={3: "3u3"}, turn=seat)


@pytest.mark.parametrize(("seats", "seat"), [(s, i) for s in (2, 3, 4) for i in range(s)])
def test_the_round_is_finished_so_that_all_have_had_as_many_turns(seats: int, seat: int) -> None:
    position = play(about_to_reach(seats, seat), buy("3u3"))
    assert position.last_round
    while position.phase is not Phase.OVER:
        assert position.seat > seat
        position = play(position, reserve("deck1"))
    assert position.turn == seats
    assert outcome(position).ending is Ending.TARGET


def test_fourteen_points_do_not_end_the_game() -> None:
    position = arrange(hands=[hand(), hand(bought=FOURTEEN)], turn=1)
    after = play(position, take("wug"))
    assert (after.phase, after.last_round) == (Phase.ACT, False)


def test_the_last_seat_reaching_the_target_ends_the_game_at_once() -> None:
    assert play(about_to_reach(3, 2), buy("3u3")).phase is Phase.OVER


def test_in_the_last_round_others_may_still_overtake() -> None:
    position = arrange(
        hands=[
            hand(bought="3w4 3g4 1r8 " + bonus_cards("wwwwwww")),
            hand("kkkk", bought="3r4 3k4 2k6 1k8"),
        ],
        rows={3: "3u3 3w2"},
    )
    after = play(position, buy("3u3"), buy("3w2"))
    assert outcome(after).points == (15, 18)
    assert outcome(after).winners == (1,)


def test_the_trigger_is_noted_at_the_end_of_the_turn() -> None:
    """Fifteen points are there while tokens are still to be returned; the mark comes after."""
    position = arrange(
        hands=[hand("wwuuggrrkk", bought="3w4 3u4 2w3 " + bonus_cards("rrrrkkkk"))],
        nobles="rk4 gr4 ug4",
    )
    returning = play(position, take("wug"))
    assert (returning.points(0), returning.phase) == (15, Phase.RETURN)
    assert not returning.last_round
    assert play(returning, give_back("wug")).last_round


def test_the_points_of_a_chosen_noble_count_for_the_end() -> None:
    position = arrange(
        hands=[hand(), hand(bought="3w4 3u4 2w3 " + bonus_cards("wwwrrrrkkkk"))],
        nobles="rk4 wk4 ug4",
        turn=1,
    )
    choosing = play(position, take("wug"))
    assert (choosing.phase, choosing.last_round) == (Phase.NOBLE, False)
    assert play(choosing, choose("wk4")).phase is Phase.OVER


def test_after_the_end_nothing_is_legal() -> None:
    over = play(about_to_reach(2, 1), buy("3u3"))
    assert over.legal_moves() == []
    for move in (take("wug"), reserve("1w1"), buy("1w1"), choose("rk4"), give_back("w"), Pass()):
        assert refused(over, move) is Refusal.GAME_OVER
        assert refused(over, move, seat=1) is Refusal.GAME_OVER


def test_a_running_game_has_no_outcome() -> None:
    assert arrange().outcome() is None


def test_most_points_win() -> None:
    result = finished(FIFTEEN, "3r4 3k4 3u3 2u3")
    assert result.points == (15, 16)
    assert (result.ranking, result.winners) == ((2, 1), (1,))


def test_with_equal_points_fewest_bought_cards_win() -> None:
    result = finished("3w4 3u4 3u3 1r8", FIFTEEN.replace("3w4 3u4", "3r4 3k4"))
    assert result.points == (15, 15)
    assert result.cards == (4, 3)
    assert result.ranking == (2, 1)


def test_fewest_cards_never_beat_more_points() -> None:
    result = finished("3w4 3u4 3g4", "3r4 3k4 3u3 1r8 1k8")
    assert result.points == (15, 16)
    assert result.ranking == (2, 1)


def test_reserved_cards_do_not_count_for_the_tie_break() -> None:
    position = arrange(
        hands=[hand(bought=FIFTEEN, reserved="1w1 1w2 1w3"), hand(bought="3r4 3k4 3u3 1r8")],
        phase=Phase.OVER,
        last_round=True,
        turn=2,
    )
    assert outcome(position).ranking == (1, 2)


def test_equal_points_and_cards_share_the_victory() -> None:
    result = finished("3w4 3u4 3u3 1r8", "3r4 3k4 3k3 1k8")
    assert (result.points, result.cards) == ((15, 15), (4, 4))
    assert (result.ranking, result.winners) == ((1, 1), (0, 1))


def test_the_tie_break_is_among_the_tied_only() -> None:
    """Seat 2 has the fewest cards of all, but fewer points: it is last."""
    result = finished("3w4 3u4 3u3 1r8", "3r4 3k4 3k3 1k8", "3g4 3g3")
    assert result.points == (15, 15, 9)
    assert result.ranking == (1, 1, 3)


def test_a_shared_victory_of_three_leaves_the_fourth_rank_to_the_last() -> None:
    result = finished("3w4 3u4 3u3 1r8", "3r4 3k4 3k3 1k8", "3g4 3w3 3u2 2w3", "1w1")
    assert result.ranking == (1, 1, 1, 4)
    assert result.winners == (0, 1, 2)


def test_below_the_winner_ranks_are_shared_too() -> None:
    result = finished(FIFTEEN, "1w1", "1u1", "1g1 1g2")
    assert result.ranking == (1, 2, 2, 4)


def test_points_of_nobles_count_for_the_ranking() -> None:
    position = arrange(
        hands=[
            hand(bought="3w4 3u4 3u3 1r8"),
            hand(bought="3r4 3k4 2k3 " + bonus_cards("rrrrkkkk"), nobles="rk4"),
        ],
        nobles="rk4 wu4 ug4",
        phase=Phase.OVER,
        last_round=True,
        turn=2,
    )
    assert outcome(position).points == (15, 15)
    assert outcome(position).ranking == (1, 2)
