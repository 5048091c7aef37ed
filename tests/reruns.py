"""Which tests may be tried a second time, and what a run came to.

A browser, a server that is killed and a bar in seconds depend on what else the machine is doing, so
a test marked `timing`, `browser` or `alone` gets one more attempt. Every other test that fails has
failed: its examples are the same in each run, and a second attempt could only hide a race.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DEPENDS_ON_TIMING = ("timing", "browser", "alone")
KINDS = {"passed": ("passed",), "failed": ("failed", "error"), "skipped": ("skipped",)}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tally", metavar="FILE", help="write the counts and the reruns as JSON")


@pytest.hookimpl(trylast=True)  # after the folders that mark all their tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.get_closest_marker(name) for name in DEPENDS_ON_TIMING):
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=1))


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
    Path(path).write_text(json.dumps(tally), "utf-8")


def _last_line(text: str) -> str:
    """Of a traceback: the sentence of the error."""
    errors = [line for line in text.splitlines() if line.startswith("E ")]
    return errors[0][1:].strip() if errors else text.strip().rpartition("\n")[2]
