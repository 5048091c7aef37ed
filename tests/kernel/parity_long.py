"""The conformance files and a million random decisions, kernel against law:
``python -m tests.kernel.parity_long``.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path

from cabochon.kernel import ACTIONS, warm_up
from tests.kernel.parity import ALL_RULESETS, Seen, games, play_twice

CONFORMANCE = Path(__file__).with_name("test_conformance.py")


def one_round(first_seed: int) -> Seen:
    """Every ruleset and temperament once."""
    seen = Seen()
    for ruleset, seed, temperament in games(first_seed):
        try:
            seen.add(play_twice(ruleset, seed, temperament))
        except Exception as error:
            error.add_note(f"{ruleset}, seed {seed}, {temperament}")
            raise
    return seen


def run(decisions: int, jobs: int, first_seed: int) -> Seen:
    """Rounds of games in ``jobs`` processes until there were that many decisions."""
    total = Seen()
    start = time.perf_counter()
    seeds = count(first_seed, 1000)
    with ProcessPoolExecutor(jobs) as pool:
        while total.decisions < decisions:
            for seen in pool.map(one_round, [next(seeds) for _ in range(jobs)]):
                total.add(seen)
            seconds = time.perf_counter() - start
            print(f"{total.decisions:>9,} decisions, {total.games:,} games, {seconds:.0f} s")
            sys.stdout.flush()
    return total


def report(total: Seen) -> None:
    never = [action.text for action in ACTIONS if not total.actions[action.index]]
    print(f"rulesets   {len(ALL_RULESETS)}: {', '.join(map(str, ALL_RULESETS))}")
    print(f"phases     {dict(total.phases)}")
    print(f"endings    {dict(total.endings)}, shared victories {total.shared}")
    print(f"actions    {72 - len(never)} of 72 played; never: {', '.join(never) or 'none'}")
    print(f"no difference in {total.decisions:,} decisions of {total.games:,} games")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1_000_000)
    told = parser.parse_args()
    warm_up()
    subprocess.run([sys.executable, "-m", "pytest", "-q", str(CONFORMANCE)], check=True)
    report(run(told.decisions, told.jobs, told.seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
