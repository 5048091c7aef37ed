"""Ten thousand people look for a game: how long they wait, and how far apart the ratings are.

    python benchmarks/pairing.py [--people 10000]

Each kind of pool is simulated with two, three and four seats:

    rush      all of them wait at once
    evening   one comes every half second
    quiet     one comes every twenty seconds

Ratings are spread like people's (about 1400, give or take 300); everybody avoids three others.
Groups are made once a second, as the server does. It prints the median and the 95th percentile of
the waiting times (seconds) and of the gaps between the highest and the lowest rating at a table,
how many people were still waiting at the end, and what the pairing cost: milliseconds of processor
time for each person, over all the seconds they waited. The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import median, quantiles

from cabochon.pairing import Group, Waiting, paired, spread

SEATS = (2, 3, 4)
EVERY_MS = {"rush": 0, "evening": 500, "quiet": 20_000}
TICK_MS = 1000
LAST_S = 600
"""How long those who are left at the end are given."""


@dataclass
class Tally:
    """What one simulated pool has seen."""

    waited_s: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    left: int = 0
    cost_ms: float = 0.0

    def add(self, group: Group, now_ms: int) -> None:
        for one in group:
            assert all(one is other or one.gets_along_with(other) for other in group)
            self.waited_s.append((now_ms - one.since_ms) / 1000)
        self.gaps.append(spread(group))

    def figures(self) -> dict[str, float]:
        people = len(self.waited_s) + self.left
        return {
            "wait_s": round(median(self.waited_s), 1),
            "wait_s_p95": round(quantiles(self.waited_s, n=20)[-1], 1),
            "gap": round(median(self.gaps)),
            "gap_p95": round(quantiles(self.gaps, n=20)[-1]),
            "left": self.left,
            "ms_a_person": round(self.cost_ms / people, 4),
        }


def arrivals(people: int, every_ms: int, chance: random.Random) -> list[Waiting]:
    """Who comes, and when."""
    names = [f"p{number:06}" for number in range(people)]
    found, now = [], 0.0
    for name in names:
        now += chance.expovariate(1 / every_ms) if every_ms else 0.0
        avoids = frozenset(chance.sample(names, 3))
        found.append(Waiting(name, round(chance.gauss(1400, 300)), int(now), avoids))
    return found


def ticks(comers: list[Waiting]) -> Iterator[int]:
    yield from range(TICK_MS, comers[-1].since_ms + 1000 * LAST_S, TICK_MS)


def simulate(comers: list[Waiting], seats: int) -> Tally:
    tally, waiting, come = Tally(), dict[str, Waiting](), 0
    for now_ms in ticks(comers):
        while come < len(comers) and comers[come].since_ms <= now_ms:
            waiting[comers[come].who] = comers[come]
            come += 1
        began = time.process_time()
        groups = paired(waiting.values(), seats, now_ms) if len(waiting) >= seats else []
        tally.cost_ms += 1000 * (time.process_time() - began)
        for group in groups:
            tally.add(group, now_ms)
            for one in group:
                del waiting[one.who]
        if come == len(comers) and len(waiting) < seats:
            break
    tally.left = len(waiting)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=10_000)
    args = parser.parse_args()
    report: dict[str, dict[str, float]] = {}
    print(f"{'pool':<12}{'wait s':>8}{'p95':>8}{'gap':>6}{'p95':>6}{'left':>6}{'ms each':>9}")
    for kind, every_ms in EVERY_MS.items():
        for seats in SEATS:
            comers = arrivals(args.people, every_ms, random.Random(seats))
            figures = report[f"{kind}/{seats}"] = simulate(comers, seats).figures()
            wait, wait95, gap, gap95, left, cost = figures.values()
            name = f"{kind}/{seats}"
            print(f"{name:<12}{wait:>8}{wait95:>8}{gap:>6}{gap95:>6}{left:>6}{cost:>9}", flush=True)
    worst = max(figures["ms_a_person"] for figures in report.values())
    print(json.dumps({"people": args.people, "ms_a_person": worst, "pools": report}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
