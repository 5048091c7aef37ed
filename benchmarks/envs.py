"""How fast the environments are stepped, through their public doors, on one core.

vector   gymnasium.make_vec, 1,024 games, observations and masks made by every step: every seat the
         learner's, and against opponents; with the actions drawn from the masks (sample)
records  observations_of: positions of records, observation and mask
sync     Gymnasium's own SyncVectorEnv over single environments, for comparison
aec      PettingZoo's loop: last() with the observation, then step()

A second is one of processor time, of one core: what else the machine does hardly counts then. A
figure is the mean over the whole run: everything in the loop is counted, the choice of a uniform
legal action and the games that end and begin among it. Beside it stands the best of the run's
windows, which shows how much other work on the machine took away. The last line is JSON.

python benchmarks/envs.py [--seconds S]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import gymnasium
import numpy as np
import pettingzoo

import cabochon.envs
from cabochon.dataset import Job, observations_of
from cabochon.dataset.gameblocks import play_block
from cabochon.envs.sampling import sample
from cabochon.notation import parse_record
from cabochon.rules import Ruleset

GAMES = 1024
GOAL = 2_000_000
GREEDY_GOAL, NETWORK_GOAL, RECORDS_GOAL = 500_000, 150_000, 200_000


class Speed(NamedTuple):
    """Steps of single games a second."""

    mean: float
    best: float


def vector_speed(seconds: float, **said: Any) -> Speed:
    """The whole loop: a legal action in each of 1,024 games, and the step."""
    envs: Any = gymnasium.make_vec(cabochon.envs.GYMNASIUM_ID, num_envs=GAMES, **said)
    envs.reset(seed=1)
    draw = envs.unwrapped.sample_actions

    def window() -> int:
        for _ in range(5):
            envs.step(draw())
        return 5 * GAMES

    return _measured(window, seconds)


def masked_speed(seconds: float) -> Speed:
    """Against uniform, the actions drawn from the masks as a learner has them."""
    envs: Any = gymnasium.make_vec(cabochon.envs.GYMNASIUM_ID, num_envs=GAMES, opponents="uniform")
    _, infos = envs.reset(seed=1)
    random = np.random.default_rng(1)

    def window() -> int:
        nonlocal infos
        for _ in range(5):
            *_, infos = envs.step(sample(infos["action_mask"], random))
        return 5 * GAMES

    return _measured(window, seconds)


def records_speed(seconds: float) -> Speed:
    """Positions of records that are in memory: observation, mask and action of each."""
    job = Job(Ruleset(2), ("biased",), 1, 40)
    records = [parse_record(text) for text in play_block((job, 0, 40)).games["record"]]

    def window() -> int:
        return sum(len(observations_of(record)) for record in records)

    return _measured(window, seconds)


def sync_speed(seconds: float) -> Speed:
    """The same game in Gymnasium's Python loop over single environments."""
    envs = gymnasium.make_vec(
        cabochon.envs.GYMNASIUM_ID, num_envs=16, vectorization_mode="sync", opponents="uniform"
    )
    _, infos = envs.reset(seed=1)
    random = np.random.default_rng(1)

    def window() -> int:
        nonlocal infos
        for _ in range(5):
            actions = (infos["action_mask"] * random.random((16, 72))).argmax(axis=1)
            *_, infos = envs.step(actions)
        return 5 * 16

    return _measured(window, seconds)


def aec_speed(seconds: float) -> Speed:
    """Decisions in the usual loop of one PettingZoo environment."""
    env = pettingzoo.make("aec", cabochon.envs.AEC_ID)
    env.reset(seed=1)
    draws = np.random.default_rng(1).random(4096)

    def window() -> int:
        steps = 0
        while steps < 200:
            if not env.agents:
                env.reset()
            _, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = info["action_mask"].nonzero()[0]
            env.step(int(legal[int(draws[steps] * len(legal))]))
            steps += 1
        return steps

    return _measured(window, seconds)


def _measured(window: Callable[[], int], seconds: float) -> Speed:
    """Windows one after another for that long, after one that does not count."""
    window()
    began = before = time.process_time()
    done, best = 0, 0.0
    while before - began < seconds:
        steps = window()
        now = max(time.process_time(), before + 1e-9)
        done, best, before = done + steps, max(best, steps / (now - before)), now
    return Speed(done / (before - began), best)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=4.0)
    seconds = parser.parse_args().seconds
    vector = vector_speed(seconds, opponents="self")
    uniform = vector_speed(seconds, opponents="uniform")
    masked = masked_speed(seconds)
    greedy = vector_speed(seconds, opponents="greedy")
    network = vector_speed(seconds, opponents="network")
    topaz = vector_speed(seconds, opponents="topaz")
    records = records_speed(seconds)
    sync, aec = sync_speed(seconds), aec_speed(seconds)
    rows = [
        ("vector, every seat the learner's", vector, vector.mean / GOAL, "of the goal, 2,000,000"),
        ("vector, against uniform", uniform, uniform.mean / sync.mean, "of SyncVectorEnv"),
        ("the same, sample(mask)", masked, masked.mean / uniform.mean, "of the row above"),
        ("vector, against greedy", greedy, greedy.mean / GREEDY_GOAL, "of the goal, 500,000"),
        ("vector, against network", network, network.mean / NETWORK_GOAL, "of the goal, 150,000"),
        ("vector, against topaz (17 visits)", topaz, topaz.mean / network.mean, "of network"),
        ("observations_of, positions", records, records.mean / RECORDS_GOAL, "of 200,000"),
        ("SyncVectorEnv, against uniform", sync, 1.0, "of itself"),
        ("PettingZoo AEC", aec, aec.mean / sync.mean, "of SyncVectorEnv"),
    ]
    print(f"{'steps/s':<34}{'mean':>12}{'best window':>14}   ratio of means")
    for name, speed, ratio, what in rows:
        print(f"{name:<34}{speed.mean:>12,.0f}{speed.best:>14,.0f}   {ratio:,.2f} {what}")
    print(
        json.dumps(
            {
                "vector_steps_per_s": round(vector.mean),
                "vector_sample_mask_steps_per_s": round(masked.mean),
                "vector_greedy_steps_per_s": round(greedy.mean),
                "vector_topaz_steps_per_s": round(network.mean),
                "vector_topaz_search_steps_per_s": round(topaz.mean),
                "observations_per_s": round(records.mean),
                "aec_steps_per_s": round(aec.mean),
                "vector_best_window": round(vector.best),
                "aec_best_window": round(aec.best),
                "vector_greedy_best_window": round(greedy.best),
                "vector_topaz_best_window": round(network.best),
                "observations_best_window": round(records.best),
            }
        )
    )


if __name__ == "__main__":
    main()
