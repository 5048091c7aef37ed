"""Intervals, ratings and the sequential test, against known values and against simulation."""

from __future__ import annotations

from math import log10
from random import Random

import pytest

from cabochon.arena.elo import (
    Contest,
    DealScore,
    SprtAnswer,
    elo_of_share,
    expected_share,
    fit,
    judge,
)
from cabochon.arena.match import Hypotheses
from cabochon.arena.statistics import Tally, design_effect, share_interval, wilson


def test_wilson_against_published_values() -> None:
    # Newcombe 1998, table I: 81/263, 15/148, 0/20, 1/29 (method 3, no continuity correction)
    for seen, games, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        interval = wilson(seen / games, games)
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)


def test_deals_that_go_alike_say_less_than_independent_games() -> None:
    split = [Tally(1.0, 2, 1.0)] * 50
    whole = [Tally(2.0, 2, 1.0), Tally(0.0, 2, 1.0)] * 25
    assert design_effect(split) < 0.1
    assert design_effect(whole) == pytest.approx(2.0, abs=0.05)
    narrow, wide = share_interval(split), share_interval(whole)
    assert narrow.high - narrow.low < wide.high - wide.low


def test_a_clean_sweep_is_not_certainty() -> None:
    assert share_interval([Tally(2.0, 2, 1.0)] * 10).low < 0.9
    assert share_interval([]).high == 1.0


def test_two_players_fit_is_bradley_terry() -> None:
    contests = [
        Contest(deal, {0: 1, 1: 1}, {0: float(deal % 4 != 0), 1: float(deal % 4 == 0)})
        for deal in range(4000)
    ]
    difference, error = fit(contests, 2).difference(0, 1)
    assert difference == pytest.approx(400 * log10(3), abs=1)
    # the error of a binomial of 3/4: 1.96 * 400/ln 10 / sqrt(n p q)
    assert error == pytest.approx(12.43, rel=0.02)


def test_ratings_of_three_are_found_again() -> None:
    """Simulated games of known strengths: each true difference lies within its error (95 %)."""
    truth = (150.0, 0.0, -150.0)
    inside = 0
    for seed in range(40):
        random = Random(seed)
        contests = [_simulated(truth, deal, random) for deal in range(600)]
        ratings = fit(contests, 3)
        difference, error = ratings.difference(0, 2)
        inside += abs(difference - 300) <= error
        assert sum(ratings.elo) == pytest.approx(0, abs=1e-6)
    assert 34 <= inside <= 40


def _simulated(truth: tuple[float, ...], deal: int, random: Random) -> Contest:
    weights = [10 ** (elo / 400) for elo in truth]
    winner = random.choices(range(3), weights)[0]
    return Contest(deal, {0: 1, 1: 1, 2: 1}, {i: float(i == winner) for i in range(3)})


def test_copies_count_as_so_many_chances() -> None:
    contests = [
        Contest(deal, {0: 1, 1: 3}, {0: float(deal % 4 == 0), 1: float(deal % 4 != 0)})
        for deal in range(4000)
    ]
    assert fit(contests, 2).difference(0, 1)[0] == pytest.approx(0, abs=0.5)
    assert expected_share(0, 1, 3) == 0.25
    assert elo_of_share(expected_share(123, 1, 3), 1, 3) == pytest.approx(123)


def test_one_sided_results_stay_finite() -> None:
    contests = [Contest(deal, {0: 1, 1: 1}, {0: 1.0, 1: 0.0}) for deal in range(100)]
    difference, error = fit(contests, 2).difference(0, 1)
    assert 400 < difference < 2000
    assert error > 100


@pytest.mark.parametrize(("truth", "verdict"), [(0.0, SprtAnswer.LOW), (60.0, SprtAnswer.HIGH)])
@pytest.mark.parametrize("others", [1, 3])
def test_the_sequential_test_is_rarely_wrong(
    truth: float, verdict: SprtAnswer, others: int
) -> None:
    """Deals of simulated games: the right answer in at least nine of ten runs (95 % promised),
    and sooner than a fixed number of deals would need."""
    right = deals = 0
    for seed in range(30):
        answer, length = _tested(truth, others, Random(seed))
        right += answer is verdict
        deals += length
    assert right >= 27
    assert deals / 30 < 900


def _tested(truth: float, others: int, random: Random) -> tuple[SprtAnswer, int]:
    hypotheses = Hypotheses(0.0, 60.0)
    games = others + 1
    low, high = (games * expected_share(elo, 1, others) for elo in (0.0, 60.0))
    chance = expected_share(truth, 1, others)
    scores: list[DealScore] = []
    while len(scores) < 4000:
        won = sum(random.random() < chance for _ in range(games))
        scores.append(DealScore(float(won), low, high, games))
        if len(scores) % 20 == 0:
            verdict = judge(scores, hypotheses).verdict
            if verdict is not SprtAnswer.OPEN:
                return verdict, len(scores)
    return SprtAnswer.OPEN, len(scores)


def test_nothing_is_decided_by_a_few_deals() -> None:
    scores = [DealScore(2.0, 1.0, 1.2, 2)] * 5
    assert judge(scores, Hypotheses(0, 50)).verdict is SprtAnswer.OPEN
