"""Games to the end by chance."""

from __future__ import annotations

import numpy as np
import pytest

from cabochon.kernel import new_game, new_states, packed, playouts
from cabochon.kernel.bits import stream_seed
from cabochon.kernel.cache import compiled
from cabochon.kernel.checked import clear_for, seed_word
from cabochon.kernel.layout import OVER, States
from cabochon.kernel.opening import deal_opening
from cabochon.kernel.playout import biased_action, random_action, sum_playouts
from cabochon.kernel.step import step_unchecked, write_shares
from cabochon.rules import IllegalMove, Phase, Refusal, Ruleset
from tests.arrange import arrange, hand, reserve
from tests.games import RULESETS, RandomGame


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
@pytest.mark.parametrize("biased", [False, True])
def test_parts_of_the_victory_add_up(ruleset: Ruleset, biased: bool) -> None:
    shares = playouts(new_game(ruleset, 1), 0, 60, 2, biased=biased)
    assert len(shares) == ruleset.seats
    assert sum(shares) == pytest.approx(2 if ruleset.teams else 1)
    if ruleset.teams:
        assert shares[:2] == pytest.approx(shares[2:])


def test_same_seed_same_result_and_the_record_is_not_touched() -> None:
    states = new_game(Ruleset(), 1)
    before = states.tobytes()
    first = playouts(states, 0, 50, 3)
    assert states.tobytes() == before
    assert playouts(states, 0, 50, 3) == first
    assert playouts(states, 0, 50, 4) != first


def test_the_true_generator_tells_nothing() -> None:
    """Two records that differ in their generators alone have the same playouts."""
    one, other = new_game(Ruleset(), 1), new_game(Ruleset(), 1)
    other["rng"] += np.uint64(99)
    assert playouts(one, 0, 40, 3) == playouts(other, 0, 40, 3)


def test_hidden_cards_are_imagined() -> None:
    """What a viewer cannot know changes nothing about its playouts."""
    one = arrange(hands=[hand(), hand("o", reserved="?2u5")]).view(0)
    other = arrange(hands=[hand(), hand("o", reserved="?2k5")]).view(0)
    assert playouts(packed(one), 0, 40, 3) == playouts(packed(other), 0, 40, 3)


def test_a_finished_game_has_its_result() -> None:
    *_, last = RandomGame(RULESETS[4], 1, "builder", 1000).positions()
    result = last.outcome()
    assert result is not None
    shares = playouts(packed(last), 0, 3, 1)
    assert tuple(seat for seat, share in enumerate(shares) if share) == result.winners


def test_a_card_that_is_due_must_be_dealt_first() -> None:
    states = packed(arrange().play(reserve("1w1")))
    with pytest.raises(IllegalMove) as caught:
        playouts(states, 0, 1, 1)
    assert caught.value.code is Refusal.WRONG_PHASE
    assert caught.value.params["phase"] == Phase.DEAL


def test_a_target_out_of_reach_ends_by_the_turn_limit() -> None:
    shares = playouts(new_game(Ruleset.parse("standard/4:target=50,width=1"), 1), 0, 3, 1)
    assert sum(shares) == pytest.approx(1)


@compiled
def _biased_against_uniform(
    work: States, empty: States, seed: np.uint64, games: int, seat: int
) -> float:
    """The part of the victories of a seat that plays biased among uniform ones."""
    won = 0.0
    shares = np.zeros(4, np.float32)
    s = work[0]
    for game in range(games):
        work[0] = empty[0]
        s.rng = stream_seed(seed, np.uint64(game))
        deal_opening(s)
        while s.phase != OVER and s.turn < 1000:
            step_unchecked(s, biased_action(s) if s.seat == seat else random_action(s))
        write_shares(s, shares)
        won += shares[seat]
    return won / games


@pytest.mark.parametrize("seat", [0, 1])
def test_the_biased_policy_is_better_than_none(seat: int) -> None:
    empty = new_states(1)
    clear_for(Ruleset(), empty, 0)
    assert _biased_against_uniform(new_states(1), empty, seed_word(1), 1000, seat) > 0.9


def test_whole_games_from_a_cleared_table() -> None:
    """Seat 0 moves first and wins somewhat more often; lengths are those of random games."""
    empty, shares = new_states(1), np.zeros(4)
    clear_for(Ruleset(), empty, 0)
    decisions = sum_playouts(empty, 0, new_states(1), seed_word(1), 4000, False, shares)
    assert 85 < decisions / 4000 < 105
    assert shares.sum() == pytest.approx(4000)
    assert 0.45 < shares[0] / 4000 < 0.58
