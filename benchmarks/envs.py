"""How fast the environments are stepped, through their public doors, on one core.

vector   gymnasium.make_vec, 1,024 games, observations and masks made by every step
sync     Gymnasium's own SyncVectorEnv over single environments, for comparison
aec      PettingZoo's loop: last() with the observation, then step()

A figure is the mean over the whole run: everything in the loop is counted, the choice of a uniform
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

GAMES = 1024
GOAL = 2_000_000


class Speed(NamedTuple):
    """Steps of single games a second."""

    mean: float
    best: float


def vector_speed(seconds: float, **said: Any) -> Speed:
    """The whole loop: a legal action in each of 1,024 games, and the step."""
    envs: Any = gymnasium.make_vec(cabochon.envs.GYMNASIUM_ID, num_envs=GAMES, **said)
    envs.reset(seed=1)
    sample = envs.unwrapped.sample_actions

    def window() -> int:
        for _ in range(25):
            envs.step(sample())
        return 25 * GAMES

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
    began = before = time.perf_counter()
    done, best = 0, 0.0
    while before - began < seconds:
        steps = window()
        now = time.perf_counter()
        done, best, before = done + steps, max(best, steps / (now - before)), now
    return Speed(done / (before - began), best)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=4.0)
    seconds = parser.parse_args().seconds
    vector, uniform = vector_speed(seconds), vector_speed(seconds, opponents="uniform")
    sync, aec = sync_speed(seconds), aec_speed(seconds)
    rows = [
        ("vector, every seat the learner's", vector, vector.mean / GOAL, "of the goal, 2,000,000"),
        ("vector, against uniform", uniform, uniform.mean / sync.mean, "of SyncVectorEnv"),
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
                "aec_steps_per_s": round(aec.mean),
                "vector_best_window": round(vector.best),
                "aec_best_window": round(aec.best),
            }
        )
    )


if __name__ == "__main__":
    main()
