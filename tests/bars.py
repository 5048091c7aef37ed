"""Bars in seconds, as ratios to what the machine can do in the same minute.

A bar is stated for a machine that does nothing else. So a measurement is made again, a few times;
each may take longer by as much as a yardstick before or after it did; and nothing is said of us by
a machine that stood still in every one of them, as a virtual one does when its host is busy.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from benchmarks.witness import Witness
from benchmarks.yardstick import slowness

ATTEMPTS = 8


def keeps(bar: float, measure: Callable[[], float]) -> None:
    """At least one of the measurements, of whatever unit of time, is at most `bar`."""
    seen: list[str] = []
    disturbed = 0
    before = slowness()
    for _ in range(ATTEMPTS):
        with Witness() as witness:
            if seen:
                time.sleep(0.3)  # until it watches
            took = measure()
            disturbed += bool(witness.stalls())
        after = slowness()
        allowed = bar * max(before, after)
        if took <= allowed:
            return
        seen.append(f"{took:.4g} of {allowed:.4g}")
        before = after
    if disturbed == ATTEMPTS:
        pytest.skip(f"{seen}, but the machine stood still in each attempt")
    raise AssertionError(f"{bar:g} allowed on a quiet machine; here {seen}")
