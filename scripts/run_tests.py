"""All tests, on both cores: Python's in passes (those of the law, with its coverage; the others,
which coverage would only slow down; the browser's; those that need the machine to themselves),
then the web's own. A test that fails is run once more by itself: what fails again has failed, what
then passes is named as unsteady at the end, to be mended. Ends with one count."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LAW = ("cabochon.rules", "cabochon.notation", "cabochon.record", "cabochon.recordshares")
LAW_TESTS = tuple(
    f"tests/{part}"
    for part in ("rules", "properties", "notation", "record", "conformance", "render", "cli")
)
BOTH_CORES = ("-n", "2", "--dist", "loadgroup")
PLAIN = "not alone and not browser"
COUNTS = re.compile(r"(\d+) (passed|failed|skipped|errors?)\b")
FAILED = re.compile(r"(?:FAILED|ERROR) (tests/\S+?\.py::[^\s\[@]+(?:\[.*?\](?=@| - |$))?)")
TESTS_FAILED = 1
FEW = 5
"""More than so many failures are not chance."""


def main() -> int:
    totals = {"passed": 0, "failed": 0, "skipped": 0}
    unsteady: list[str] = []
    passes = [
        [*BOTH_CORES, "-m", PLAIN, *_coverage(), *LAW_TESTS],
        [*BOTH_CORES, "-m", PLAIN, *_ignored(LAW_TESTS)],
        [*BOTH_CORES, "-m", "browser and not alone"],
        ["-m", "alone and not browser"],
        ["-m", "alone and browser"],
    ]
    sound = True
    for arguments in passes:
        sound &= _passes(arguments, totals, unsteady)
    if (ROOT / "web" / "node_modules").exists():
        sound &= _run(["npm", "--prefix", "web", "test", "--silent"]).code == 0
    print(", ".join(f"{count} {kind}" for kind, count in totals.items()))
    for test in unsteady:
        print(f"unsteady: {test} failed, then passed when run by itself")
    return int(not sound)


def _passes(arguments: list[str], totals: dict[str, int], unsteady: list[str]) -> bool:
    """Do these tests pass? Those that fail are run a second time."""
    first = _run(_pytest(*arguments))
    for kind, count in first.counts.items():
        totals[kind] += count
    only_tests = first.code == TESTS_FAILED and not first.fell_short
    if not only_tests or not 0 < len(first.failed) <= FEW:
        return first.code == 0
    print(f"once more, by themselves: {' '.join(first.failed)}", flush=True)
    again = _run(_pytest(*first.failed))
    if again.code == 0:
        unsteady += first.failed
        totals["failed"] -= first.counts["failed"]
        totals["passed"] += again.counts["passed"]
        totals["skipped"] += again.counts["skipped"]
    return again.code == 0


def _pytest(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--durations=15", *arguments]


def _ignored(folders: tuple[str, ...]) -> list[str]:
    return [f"--ignore={folder}" for folder in folders]


def _coverage() -> list[str]:
    return [f"--cov={part}" for part in LAW] + [
        "--cov-branch",
        "--cov-fail-under=100",
        "--cov-report=term:skip-covered",
    ]


class Ran(NamedTuple):
    """What a command did."""

    code: int
    counts: Counter[str]
    failed: list[str]
    fell_short: bool
    """Of the coverage that is required."""


def _run(command: list[str]) -> Ran:
    """Run it with its output shown, and read what it says."""
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, errors="replace"
    )
    assert process.stdout is not None
    last, failed, fell_short = "", [], False
    for line in process.stdout:
        print(line, end="", flush=True)
        if " in " in line and COUNTS.search(line):
            last = line
        if found := FAILED.match(line):
            failed.append(found[1])
        fell_short |= "Required test coverage" in line and "not reached" in line
    counts: Counter[str] = Counter()
    for count, kind in COUNTS.findall(last):
        counts["failed" if kind.startswith("error") else kind] += int(count)
    return Ran(process.wait(), counts, list(dict.fromkeys(failed)), fell_short)


if __name__ == "__main__":
    sys.exit(main())
