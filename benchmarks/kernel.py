"""The kernel's figures: ``make bench-kernel``.

Rates are per second of one core's time (the clock of the measuring thread, so that waiting for a
busy machine does not count; two threads are measured by the wall), the medians of rounds that
interleave everything that is compared; ratios come from this one run.  Start-up is the processor
time of a new process, the wall beside it.  Last line: JSON.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

from cabochon.kernel import Autoreset, Batch, new_states, warm_up
from cabochon.kernel.cache import has_bmi2
from cabochon.kernel.checked import clear_for, seed_word
from cabochon.kernel.playout import sum_playouts
from cabochon.rules import Phase, Position, Ruleset, ShuffledDealer

ROUNDS = 9
GAMES = 6000
BATCH, BATCH_STEPS = 1024, 150

READY = """
import time
start = time.perf_counter()
from cabochon import kernel
kernel.warm_up()
print(time.process_time(), time.perf_counter() - start)
"""


def random_games(ruleset: Ruleset, biased: bool = False) -> Callable[[], tuple[float, float]]:
    """A measurement of whole random games, dealt and played on one core: games/s, decisions/s."""
    table, work, shares = new_states(1), new_states(1), np.zeros(4)
    clear_for(ruleset, table, 0)
    rounds = iter(range(10**9))

    def measure() -> tuple[float, float]:
        seed = seed_word(next(rounds))
        start = time.thread_time()
        decisions = sum_playouts(table, 0, work, seed, GAMES, biased, shares)
        seconds = time.thread_time() - start
        return GAMES / seconds, float(decisions) / seconds

    return measure


def reference_games() -> tuple[float, float]:
    """The same by the law in plain Python, through its public, checked moves."""
    rng, games, decisions = random.Random(1), 12, 0
    start = time.thread_time()
    for game in range(games):
        dealer = ShuffledDealer(str(game))
        ruleset = Ruleset()
        position = Position.start(ruleset, dealer.opening(ruleset))
        while position.phase is not Phase.OVER:
            if position.phase is Phase.DEAL:
                position = position.deal(dealer.deal(position))
            else:
                position = position.play(rng.choice(position.legal_moves()))
                decisions += 1
    seconds = time.thread_time() - start
    return games / seconds, decisions / seconds


def batch_steps(
    count: int, threads: int, checked: bool = True
) -> Callable[[], tuple[float, float]]:
    """Steps/s with float32 observation and mask: stepping alone, and with choosing at random."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    batch = Batch(Ruleset(), count, seed=1, autoreset=Autoreset.NEXT_STEP, threads=threads)
    rounds = iter(range(10**9))

    def measure() -> tuple[float, float]:
        stepping = 0.0
        begin = clock()
        for _ in range(BATCH_STEPS):
            actions = batch.sample_actions(next(rounds))
            start = clock()
            if checked:
                batch.step(actions)
            else:
                batch.step_unchecked(actions)
            stepping += clock() - start
        whole = clock() - begin
        return count * BATCH_STEPS / stepping, count * BATCH_STEPS / whole

    return measure


def seconds_until_ready(cache: str) -> tuple[float, float]:
    """A new process until every compiled function has answered once: its own time, and the wall."""
    environment = {**os.environ, "CABOCHON_CACHE_DIR": cache}
    run = subprocess.run(
        [sys.executable, "-c", READY], env=environment, capture_output=True, text=True, check=True
    )
    own, wall = map(float, run.stdout.split())
    return own, wall


def start_up() -> tuple[tuple[float, float], tuple[float, float]]:
    """(cold, warm): with an empty cache, and the best of three with a full one."""
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds_until_ready(cache)
        return cold, min(seconds_until_ready(cache) for _ in range(3))


def main() -> int:
    warm_up()
    measures = {
        "2 players": random_games(Ruleset(seats=2)),
        "3 players": random_games(Ruleset(seats=3)),
        "4 players": random_games(Ruleset(seats=4)),
        "teams": random_games(Ruleset.preset("teams")),
        "quick, 2": random_games(Ruleset.preset("quick")),
        "2 players, biased": random_games(Ruleset(seats=2), biased=True),
        "reference, 2": reference_games,
        "batch": batch_steps(BATCH, 1),
        "batch, unchecked": batch_steps(BATCH, 1, checked=False),
        "batch, two threads": batch_steps(BATCH, 2),
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in measures}
    for _ in range(ROUNDS):
        for name, measure in measures.items():
            taken[name].append(measure())
    cold, warm = start_up()
    report(taken, cold, warm)
    return 0


def report(
    taken: dict[str, list[tuple[float, float]]],
    cold: tuple[float, float],
    warm: tuple[float, float],
) -> None:
    middle = {
        name: tuple(statistics.median(values) for values in zip(*pairs, strict=True))
        for name, pairs in taken.items()
    }
    best = {name: max(pair[0] for pair in pairs) for name, pairs in taken.items()}
    print(f"one core unless said otherwise, BMI2 {'yes' if has_bmi2() else 'no'}, {ROUNDS} rounds")
    print(f"{'random games':<22}{'games/s':>12}{'best':>12}{'decisions/s':>14}")
    for name, (games, decisions) in middle.items():
        if not name.startswith("batch"):
            print(f"{name:<22}{games:>12,.0f}{best[name]:>12,.0f}{decisions:>14,.0f}")
    print(f"{f'{BATCH} games at once':<22}{'steps/s':>12}{'best':>12}{'with choosing':>14}")
    for name, (steps, whole) in middle.items():
        if name.startswith("batch"):
            print(f"{name:<22}{steps:>12,.0f}{best[name]:>12,.0f}{whole:>14,.0f}")
    ratio = statistics.median(
        fast[0] / slow[0]
        for fast, slow in zip(taken["2 players"], taken["reference, 2"], strict=True)
    )
    print(f"kernel to reference, 2 players, games: {ratio:,.0f} to 1")
    print(f"start-up, compiling all: {cold[0]:.1f} s ({cold[1]:.1f} s by the wall)")
    print(f"start-up, cache filled:  {warm[0]:.2f} s ({warm[1]:.2f} s by the wall)")
    figures = {
        "games_per_s_2p": round(middle["2 players"][0]),
        "games_per_s_3p": round(middle["3 players"][0]),
        "games_per_s_4p": round(middle["4 players"][0]),
        "decisions_per_s": round(middle["2 players"][1]),
        "batch_steps_per_s": round(middle["batch"][0]),
        "reference_games_per_s": round(middle["reference, 2"][0], 1),
        "cold_s": round(cold[0], 1),
        "warm_s": round(warm[0], 2),
        "ratio_to_reference": round(ratio),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    sys.exit(main())
