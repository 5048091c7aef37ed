"""Hypothesis profiles: `ci` repeats the same examples in every run, `explore` looks for new ones.

HYPOTHESIS_PROFILE=explore pytest tests/properties
"""

from __future__ import annotations

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.reruns import (
    pytest_addoption,
    pytest_collection_modifyitems,
    pytest_itemcollected,
    pytest_terminal_summary,
)

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_itemcollected",
    "pytest_terminal_summary",
]

SLOW_IS_FINE = (HealthCheck.too_slow, HealthCheck.data_too_large)

settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    max_examples=40,
    print_blob=True,
    suppress_health_check=SLOW_IS_FINE,
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, suppress_health_check=SLOW_IS_FINE
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
gc.disable()
"""While tests are read nothing becomes garbage, and to look for it would be a fifth of the time."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    """What was read stays, so nobody need look through it again and again."""
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def signals_that_reach_a_child() -> None:
    """A run in the background ignores Ctrl-C and hang-ups, and its children would inherit that."""
    for number in (signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
