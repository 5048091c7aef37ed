"""How slow is this machine just now? A bar in seconds is stated for one machine, and a shared or
virtual one may be several times slower for a while; so the same run measures a yardstick too."""

from __future__ import annotations

import time
from statistics import median

QUIET_S = 0.024
"""What `_work` takes on the machine that the bars are stated for, when nothing disturbs it."""


def slowness() -> float:
    """How many times as long as on that machine everything takes now; at least 1."""
    return max(1.0, median(_work() for _ in range(5)) / QUIET_S)


def _work() -> float:
    began = time.perf_counter()
    total = 0
    kept: dict[int, tuple[int, int]] = {}
    for number in range(150_000):
        total += number * number % 7
        kept[number % 997] = (total, number)
    return time.perf_counter() - began
