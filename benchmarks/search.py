"""Simulations a second on one core, with playouts and with the network.

    python benchmarks/search.py [--seconds 1.0]

Prints a table and, last, one JSON line.  Rates are the best of several runs by the thread's own
processor time, so that other work on the machine does not count; wall-clock rates stand beside.
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from cabochon.kernel.layout import new_states
from cabochon.kernel.packing import pack
from cabochon.rules import Position, Ruleset, ShuffledDealer
from cabochon.search.forward import new_scratch
from cabochon.search.net import BadWeights, Weights, random_weights
from cabochon.search.searcher import shipped
from cabochon.search.simulate import NETWORK, PLAYOUT, SearchBuffers, SearchSettings, clear, grow
from cabochon.search.tree import new_tree

RULESETS = ("standard/2", "standard/3", "standard/4", "teams/4")
VISITS = 2000


def network(seats: int) -> Weights:
    """The shipped one, or random numbers, which cost the same."""
    try:
        return shipped(seats)
    except BadWeights:
        return random_weights(1, 0.05)


def rates(ruleset: Ruleset, judge: int, seconds: float) -> tuple[float, float]:
    """Best simulations a second, by processor time and by the clock, from the start position."""
    dealer = ShuffledDealer("bench")
    buffers = SearchBuffers(new_states(1), new_states(1), new_scratch())
    pack(Position.start(ruleset, dealer.opening(ruleset)).view(0), buffers.root)
    tree, net, settings = new_tree(VISITS), network(ruleset.seats), SearchSettings(judge)
    clear(tree)
    grow(tree, buffers, net, settings, np.uint64(1), 10)
    own, wall, seed = 0.0, 0.0, 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or seed < 3:
        seed += 1
        began, clock = time.thread_time(), time.perf_counter()
        clear(tree)
        grow(tree, buffers, net, settings, np.uint64(seed), VISITS)
        own = max(own, VISITS / (time.thread_time() - began))
        wall = max(wall, VISITS / (time.perf_counter() - clock))
    return own, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each line of the table")
    seconds = parser.parse_args().seconds
    print(f"simulations a second, one core, start position, {VISITS} visits a search")
    print(f"{'ruleset':<12}{'playouts':>12}{'(clock)':>12}{'network':>12}{'(clock)':>12}")
    figures: dict[str, int] = {}
    for text in RULESETS:
        ruleset = Ruleset.parse(text)
        playout = rates(ruleset, PLAYOUT, seconds)
        net = rates(ruleset, NETWORK, seconds)
        print(f"{text:<12}" + "".join(f"{rate:>12,.0f}" for rate in (*playout, *net)))
        figures.setdefault("sims_per_s_playout", round(playout[0]))
        figures.setdefault("sims_per_s_net", round(net[0]))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
