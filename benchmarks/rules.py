"""How fast the law is: random games through the public checked API, and what a position weighs.

    python benchmarks/rules.py [--seconds 4]

A decision is one round of `legal_moves()`, a uniform pick, `play()` and, when a card is due,
`deal()`. Time is the processor time of this one process, so other work on the machine does not
count; the wall clock stands beside it. The last line is JSON.
"""

from __future__ import annotations

import argparse
import enum
import gc
import json
import random
import sys
import time
from dataclasses import dataclass
from types import ModuleType

from cabochon.rules import Phase, Position, Ruleset, ShuffledDealer

REQUIRED_PER_S = 8_000
REQUIRED_BYTES = 4_096
# Public pure-Python engines as measured for the brief: full copies, and much reduced rules.
PEERS = {"peer with full copies": 2_800, "peer with reduced rules": 13_000}
RULESETS = ("standard/2", "standard/3", "standard/4", "quick/2", "teams/4")


@dataclass(frozen=True)
class Run:
    """What a while of random games took."""

    games: int
    decisions: int
    cpu_seconds: float
    wall_seconds: float

    @property
    def per_s(self) -> float:
        return self.decisions / self.cpu_seconds


def play_games(ruleset: Ruleset, seconds: float, seed: int = 1) -> Run:
    """Whole games, one after the other, until that much processor time is spent."""
    rng = random.Random(seed)
    cpu, wall = time.process_time(), time.perf_counter()
    games = decisions = 0
    while time.process_time() - cpu < seconds:
        decisions += play_game(ruleset, f"{seed} {games}", rng)
        games += 1
    return Run(games, decisions, time.process_time() - cpu, time.perf_counter() - wall)


def play_game(ruleset: Ruleset, seed: str, rng: random.Random) -> int:
    """One random game; how many decisions it took."""
    dealer = ShuffledDealer(seed)
    position = Position.start(ruleset, dealer.opening(ruleset))
    decisions = 0
    while position.phase is not Phase.OVER:
        position = position.play(rng.choice(position.legal_moves()))
        if position.phase is Phase.DEAL:
            position = position.deal(dealer.deal(position))
        decisions += 1
    return decisions


def shared_constants() -> set[int]:
    """The ids of everything that the package's modules hold, and so no single position."""
    modules = [m for name, m in sys.modules.items() if name.startswith("cabochon.")]
    seen: set[int] = set()
    todo: list[object] = [value for module in modules for value in vars(module).values()]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or isinstance(thing, ModuleType):
            continue
        seen.add(id(thing))
        if not isinstance(thing, type) or issubclass(thing, enum.Enum):
            todo += gc.get_referents(thing)
    return seen


def weight(position: Position, shared: set[int]) -> int:
    """The bytes of all objects that belong to this position alone: nothing is left out because
    another position has it too. Numbers up to 256, None and the like are the interpreter's."""
    total = 0
    seen: set[int] = set()
    todo: list[object] = [position]
    while todo:
        thing = todo.pop()
        if id(thing) in seen or id(thing) in shared or isinstance(thing, type):
            continue
        if thing is None or isinstance(thing, bool) or (type(thing) is int and thing <= 256):
            continue
        seen.add(id(thing))
        total += sys.getsizeof(thing)
        todo += gc.get_referents(thing)
    return total


def heaviest(ruleset: Ruleset, games: int = 20) -> int:
    """The weight of the heaviest position in some random games."""
    shared = shared_constants()
    rng = random.Random(2)
    most = 0
    for game in range(games):
        dealer = ShuffledDealer(f"weight {game}")
        position = Position.start(ruleset, dealer.opening(ruleset))
        while position.phase is not Phase.OVER:
            most = max(most, weight(position, shared))
            position = position.play(rng.choice(position.legal_moves()))
            if position.phase is Phase.DEAL:
                position = position.deal(dealer.deal(position))
    return most


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=4.0, help="processor time a ruleset")
    seconds = parser.parse_args().seconds
    play_games(Ruleset(), seconds / 10)  # warm up
    print("ruleset       games decisions decisions/s  wall /s  bytes")
    runs = {}
    weights = {}
    for text in RULESETS:
        ruleset = Ruleset.parse(text)
        run, most = play_games(ruleset, seconds), heaviest(ruleset)
        runs[text], weights[text] = run, most
        print(
            f"{text:12} {run.games:6} {run.decisions:9} {run.per_s:11.0f}"
            f" {run.decisions / run.wall_seconds:8.0f} {most:6}"
        )
    rate, most = runs["standard/2"].per_s, weights["standard/2"]
    print(f"\n{'standard/2 against':34} {'theirs':>7} {'ours':>7} {'ratio':>6}")
    for name, theirs in {"required decisions/s": REQUIRED_PER_S, **PEERS}.items():
        print(f"{name:34} {theirs:7} {rate:7.0f} {rate / theirs:6.2f}")
    share = most / REQUIRED_BYTES
    print(f"{'most bytes a position may weigh':34} {REQUIRED_BYTES:7} {most:7} {share:6.2f}")
    print(json.dumps({"decisions_per_s": round(rate), "position_bytes": most}))


if __name__ == "__main__":
    main()
