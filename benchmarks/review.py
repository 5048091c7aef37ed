"""How long a review of a whole game takes on one core, and whether luck is nothing in the mean.

    python benchmarks/review.py [--visits 4000] [--luck-games 40]

The games are of equal bots; the last line is one JSON object. Times count the processor. `luck_2p`
is the mean luck of a turn in points of win chance over many games, with its standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cabochon.game import Game
from cabochon.record import Record
from cabochon.review import DEEP_VISITS, QUICK_VISITS, review

LEVEL = "topaz"


def played(players: int, seed: str) -> Record:
    game = Game(players=players, seed=seed, bots=[LEVEL] * players)
    game.play_out()
    return game.record


def timed(record: Record, visits: int) -> tuple[float, int]:
    """Seconds of the processor, and the decisions that were judged."""
    began = time.process_time()
    found = review(record, visits)
    seconds = time.process_time() - began
    return seconds, sum(len(turn.decisions) for turn in found.turns)


def lucks(games: int, visits: int) -> list[float]:
    """The luck of every turn, in points of win chance."""
    return [
        100 * turn.luck
        for number in range(games)
        for turn in review(played(2, f"luck {number}"), visits, number).turns
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visits", type=int, default=DEEP_VISITS)
    parser.add_argument("--luck-games", type=int, default=40)
    args = parser.parse_args()
    review(played(2, "warm"), 16)
    review(played(4, "warm"), 16)
    figures: dict[str, object] = {"visits": args.visits}
    print(f"{'players':>8} {'visits':>7} {'decisions':>10} {'seconds':>8}")
    for players, visits, name in (
        (2, QUICK_VISITS, "quick_s_2p"),
        (2, args.visits, "s_2p"),
        (4, args.visits, "s_4p"),
    ):
        record = played(players, "bench")
        seconds, decisions = timed(record, visits)
        figures[name] = round(seconds, 2)
        figures[f"decisions_{players}p"] = decisions
        print(f"{players:>8} {visits:>7} {decisions:>10} {seconds:>8.2f}")
    if args.luck_games:
        found = lucks(args.luck_games, QUICK_VISITS)
        figures["luck_2p"] = round(fmean(found), 3)
        figures["luck_error"] = round(stdev(found) / sqrt(len(found)), 3)
        figures["luck_turns"] = len(found)
        print(f"mean luck {fmean(found):+.3f} ± {stdev(found) / sqrt(len(found)):.3f} points"
              f" of {len(found)} turns")  # fmt: skip
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
