"""Which tests may be tried a second time, which are slow, who comes first, and what a run came to.

A browser, a server that is killed and a bar in seconds depend on what else the machine is doing, so
a test marked `timing`, `servers`, `browser` or `alone` gets one more attempt. Every other test that
fails has failed: its examples are the same in each run, and a second attempt could only hide a
race.

The slow ones, which `make quick` leaves out, are listed in `tests/slow.txt` with their seconds, as
measured by `python scripts/run_tests.py --note-slow`. Where several workers share the tests, those
that take longest begin, and the quick ones of a file stay together: what they share is then set up
once.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

DEPENDS_ON_TIMING = ("timing", "servers", "browser", "alone")
SLOW = Path(__file__).with_name("slow.txt")
KINDS = {"passed": ("passed",), "failed": ("failed", "error"), "skipped": ("skipped",)}


def read_slow() -> dict[str, float]:
    """Seconds by test function, and by file for its quick tests together."""
    lines = (line.split() for line in SLOW.read_text("utf-8").splitlines())
    return {name: float(seconds) for seconds, name in lines}


SECONDS = read_slow()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--tally", metavar="FILE", help="write the counts and the reruns as JSON")


def pytest_itemcollected(item: pytest.Item) -> None:
    """The browser's tests share nothing but what a worker has anyway."""
    in_browser = item.path.parent.name == "browser"
    if not (in_browser or plain_name(item.nodeid) in SECONDS or _group(item)):
        item.add_marker(pytest.mark.xdist_group(_file(item).partition("/")[2]))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """After the folders that mark all their tests, and before `-m` chooses."""
    for item in items:
        if plain_name(item.nodeid) in SECONDS:
            item.add_marker("slow")
        if any(item.get_closest_marker(name) for name in DEPENDS_ON_TIMING):
            item.add_marker(pytest.mark.flaky(reruns=1, reruns_delay=1))
    if hasattr(config, "workerinput"):
        put_long_ones_first(items)


def put_long_ones_first(items: list[pytest.Item]) -> None:
    """By what each group of tests, or each test in no group, will take."""
    parts = Counter(plain_name(item.nodeid) for item in items)
    taken: defaultdict[str, float] = defaultdict(float)
    quick: set[tuple[str, str]] = set()
    for item in items:
        unit, name = _group(item) or item.nodeid, plain_name(item.nodeid)
        if name in SECONDS:
            taken[unit] += SECONDS[name] / parts[name]
        elif (unit, _file(item)) not in quick:
            quick.add((unit, _file(item)))
            taken[unit] += SECONDS.get(_file(item), 0)
    items.sort(key=lambda item: -taken[_group(item) or item.nodeid])


def _group(item: pytest.Item) -> str:
    mark = item.get_closest_marker("xdist_group")
    return str(mark.args[0]) if mark else ""


def _file(item: pytest.Item) -> str:
    return item.nodeid.partition("::")[0]


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
