"""Levels are found where neighbours are equally far apart: against simulated players of known
strength, and a real pair of bots."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import log2
from random import Random

import pytest

from cabochon.arena.botgame import GameResult
from cabochon.arena.calibration import (
    PROMISE,
    CalibrationPlan,
    Ladder,
    Probe,
    Rung,
    calibrate,
    candidate,
    chance_of,
    next_place,
    spelling,
)
from cabochon.bots.levels import PREFIX, Judgement, LookAhead
from cabochon.rules import Ruleset
from cabochon.workers import Inline

PLAN = CalibrationPlan(
    (
        *(Judgement(LookAhead.SEARCH, visits) for visits in (2048, 128, 8, 1)),
        Judgement(LookAhead.SEARCH, 1, 2.0),
        *(Judgement(LookAhead.ONE_MOVE, 1, blur) for blur in (0.5, 1.0, 2.0)),
    ),
    looking=400,
    measuring=1200,
)


def strength(judgement: Judgement) -> float:
    """A world in which doubling the visits is worth 40 Elo."""
    if judgement.sight is LookAhead.ONE_MOVE:
        return 50 - 300 * judgement.blur
    return 40 * log2(judgement.visits) - 100 * judgement.blur


class Simulated(Ladder):
    """Games by lot, after the true strengths."""

    def play(self, one: str, other: str, games: int) -> Rung:
        pair = [Judgement.parse(name.removeprefix(PREFIX)) for name in (one, other)]
        chance = chance_of(strength(pair[0]) - strength(pair[1]))
        random = Random(f"{one} {other}")
        self.games[one, other] = [self._game(g, chance, random) for g in range(games)]
        return self.rung(one, other)

    def _game(self, number: int, chance: float, random: Random) -> GameResult:
        ranking = (1, 2) if random.random() < chance else (2, 1)
        return GameResult(
            deal=number // 2,
            seats=(0, 1),
            ranking=ranking,
            points=(15, 9),
            cards=(9, 9),
            turns=60,
            ending="target",
        )


def test_levels_are_equally_far_apart() -> None:
    told: list[str] = []
    ladder = Simulated(Ruleset(2), "x", Inline(), told.append)
    places = calibrate(ladder, PLAN)
    chosen = [candidate(PLAN.path, place) for place in places]
    assert len(chosen) == 7
    assert chosen[0] == PLAN.path[0]
    for pair in pairwise(map(spelling, chosen)):
        assert PROMISE[0] <= ladder.rung(*pair).chance <= PROMISE[1]
    again = calibrate(ladder, PLAN, places=places[:3])
    assert again[:3] == places[:3]
    true_steps = [strength(one) - strength(other) for one, other in pairwise(chosen)]
    assert min(true_steps) > 100
    assert max(true_steps) < 240
    assert {judgement.sight for judgement in chosen} == {LookAhead.SEARCH, LookAhead.ONE_MOVE}


@pytest.mark.parametrize("seed", range(6))
def test_a_few_games_never_make_two_levels_one(seed: int) -> None:
    """With next to no games the curves are noise; the levels are different all the same."""

    class Noisy(Simulated):
        def _game(self, number: int, chance: float, random: Random) -> GameResult:
            return super()._game(number, Random(f"{seed} {random.random()}").random(), random)

    ladder = Noisy(Ruleset(2), "x", Inline(), lambda _: None)
    places = calibrate(ladder, replace(PLAN, looking=4, measuring=6))
    assert len({candidate(PLAN.path, place) for place in places}) == 7


@pytest.mark.parametrize(
    ("below", "least", "most"),
    [
        ([], 1, 1),
        ([(1, 40, 80)], 2, 3.1),  # far too little: on, but not out of sight
        ([(1, 170, 80)], 1.05, 1.3),
        ([(1, 300, 80)], 0.5, 0.8),  # between the level above and the probe
        ([(1, -10, 80)], 1.05, 3.1),
        ([(1, 190, 800), (0.95, 120, 80), (1.05, 110, 80)], 0.95, 1.2),  # many games outweigh few
        ([(1, 250, 800), (0.95, 190, 80)], 0.65, 0.9),  # what looks right among them is not
    ],
)
def test_the_next_place(below: list[tuple[float, float, int]], least: float, most: float) -> None:
    assert least <= next_place(0.0, [Probe(*probe) for probe in below], 190.0) <= most


def test_candidates_between_and_past_the_path() -> None:
    assert candidate(PLAN.path, 0.5) == Judgement(LookAhead.SEARCH, 512)
    assert candidate(PLAN.path, 3.5) == Judgement(LookAhead.SEARCH, 1, 1.0)
    assert candidate(PLAN.path, 4.4) == PLAN.path[4]
    assert candidate(PLAN.path, 4.6) == PLAN.path[5]
    assert candidate(PLAN.path, 8.0) == Judgement(LookAhead.ONE_MOVE, 1, 3.0)


@pytest.mark.parametrize("rules", ["quick/2", "quick/3"])
def test_a_real_pair(rules: str) -> None:
    told: list[str] = []
    ladder = Ladder(Ruleset.parse(rules), "pair", Inline(), told.append)
    better, worse = (spelling(Judgement(LookAhead.ONE_MOVE, 1, blur)) for blur in (0.0, 4.0))
    rung = ladder.play(better, worse, 12)
    assert rung.games == 12
    assert rung.chance > 0.5
    assert rung.interval[0] < rung.chance < rung.interval[1]
    assert ladder.play(better, worse, 12) == rung, "what was played is not played again"
    assert ladder.played(worse) == 12
    index, ratings = ladder.rate()
    assert ratings.elo[index[better]] > ratings.elo[index[worse]]
    assert "12 games" in told[0]
