"""Which tests may be tried a second time, which are slow, and what a run came to.

A browser, a server that is killed and a bar in seconds depend on what else the machine is doing, so
a test marked `timing`, `servers`, `browser` or `alone` gets one more attempt. Every other test that
fails has failed: its examples are the same in each run, and a second attempt could only hide a
race.

The slow ones, which `make quick` leaves out, are listed in `tests/slow.txt` as measured by
`python scripts/run_tests.py --note-slow`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

DEPENDS_ON_TIMING = ("timing", "servers", "browser", "alone")
SLOW = Path(__file__).with_name("slow.txt")
KINDS = {"passed": ("passed",), "failed": ("failed", "error"), "skipped": ("skipped",)}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tally", metavar="FILE", help="write the counts and the reruns as JSON")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """After the folders that mark all their tests, and before `-m` chooses."""
    slow = frozenset(SLOW.read_text("utf-8").split())
    for item in items:
        if plain_name(item.nodeid) in slow:
            item.add_marker("slow")
        if any(item.get_closest_marker(name) for name in DEPENDS_ON_TIMING):
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=1))


def plain_name(nodeid: str) -> str:
    """The test's function, without its parameters and its group of workers."""
    return nodeid.partition("[")[0].partition("@")[0]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Called once in a run, in the process that gathers the reports of all workers."""
    path: str | None = config.getoption("--tally")
    if path is None:
        return
    stats: dict[str, list[Any]] = terminalreporter.stats
    tally: dict[str, Any] = {
        kind: sum(len(stats.get(name, ())) for name in names) for kind, names in KINDS.items()
    }
    tally["reruns"] = [
        {"test": report.nodeid, "why": _last_line(report.longreprtext)}
        for report in stats.get("rerun", ())
    ]
    tally["seconds"] = _seconds(stats)
    Path(path).write_text(json.dumps(tally), "utf-8")


def _seconds(stats: dict[str, list[Any]]) -> dict[str, float]:
    """How long each function took, with all its parameters."""
    taken: defaultdict[str, float] = defaultdict(float)
    for report in (report for reports in stats.values() for report in reports):
        if isinstance(report, pytest.TestReport):
            taken[plain_name(report.nodeid)] += report.duration
    return {name: round(seconds, 3) for name, seconds in taken.items()}


def _last_line(text: str) -> str:
    """Of a traceback: the sentence of the error."""
    errors = [line for line in text.splitlines() if line.startswith("E ")]
    return errors[0][1:].strip() if errors else text.strip().rpartition("\n")[2]
