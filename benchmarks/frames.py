"""What an environment's picture costs: seconds of processor time for the first frame of a process,
and for a frame of a random game when others have been painted before it. The last line is JSON.

python benchmarks/frames.py [--games N]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from statistics import mean

from cabochon.envs.rendering import picture
from cabochon.rules import Phase, Position, Ruleset, ShuffledDealer


def game(seed: int) -> Iterator[Position]:
    """Every position of a random game between two."""
    ruleset, dealer, draw = Ruleset(2), ShuffledDealer(f"frames {seed}"), random.Random(seed)
    position = Position.start(ruleset, dealer.opening(ruleset))
    while position.phase is not Phase.OVER:
        if position.phase is Phase.DEAL:
            position = position.deal(dealer.deal(position))
        else:
            yield position
            position = position.play(draw.choice(position.legal_moves()))


def seconds(position: Position) -> float:
    began = time.process_time()
    picture(position)
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=4)
    games = parser.parse_args().games
    costs = [[seconds(position) for position in game(seed)] for seed in range(games)]
    first, warm = costs[0][0], mean(costs[-1])
    print(f"the first frame: {first:.3f} s; a frame of game {games}: {warm:.3f} s")
    print(json.dumps({"first_frame_s": round(first, 3), "warm_frame_s": round(warm, 3)}))


if __name__ == "__main__":
    main()
