"""All tests, on both cores: Python's in passes (those of the law, with its coverage; the others,
which coverage would only slow down; the browser's; those that need the machine to themselves),
then the web's own types and tests. Tests that depend on the machine's timing may be tried twice
(tests/reruns.py); each that was is named at the end. Ends with one count.

    python scripts/run_tests.py [--note-slow]

With --note-slow, the tests that `make quick` leaves out are written to tests/slow.txt as measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LAW = tuple(
    f"cabochon.{part}"
    for part in (
        "rules",
        "notation",
        "record",
        "recordfaults",
        "recordparts",
        "recordshares",
        "variation",
    )
)
LAW_TESTS = tuple(
    f"tests/{part}"
    for part in ("rules", "properties", "notation", "record", "conformance", "render", "cli")
)
BROWSER = "tests/browser"
"""All of the browser's tests: reading the thousands of others to leave them out takes a minute."""
KINDS = ("passed", "failed", "skipped")
BOTH_CORES = ("-n", "2", "--dist", "loadgroup")
PLAIN = "not alone and not browser"
COVERAGE = (
    *(f"--cov={part}" for part in LAW),
    "--cov-branch",
    "--cov-fail-under=100",
    "--cov-report=term:skip-covered",
)
SLOW = ROOT / "tests" / "slow.txt"
SLOW_SECONDS = 1.0
"""Of a test function with all its parameters; the others take a minute on two cores."""

MOST_RERUNS = 5
"""In one pass: more failures than that are not the machine's."""

PASSES = {
    "the law": (*BOTH_CORES, "-m", PLAIN, *COVERAGE, *LAW_TESTS),
    "the rest": (*BOTH_CORES, "-m", PLAIN, *(f"--ignore={folder}" for folder in LAW_TESTS)),
    "the browser": (*BOTH_CORES, "-m", "browser and not alone", BROWSER),
    "alone": ("-m", "alone and not browser", f"--ignore={BROWSER}"),
    "alone in the browser": ("-m", "alone and browser", BROWSER),
}


def main() -> int:
    ran = {name: run(arguments) for name, arguments in PASSES.items()}
    broken = [name for name, result in ran.items() if result.code]
    if (ROOT / "web" / "node_modules").exists():
        for script in ("check", "test"):
            command = ["npm", "--prefix", "web", "run", script, "--silent"]
            if subprocess.run(command, cwd=ROOT, check=False).returncode:
                broken.append(f"the web's own {script}")
    if "--note-slow" in sys.argv:
        note_slow(ran["the law"], ran["the rest"])
    for again in (again for result in ran.values() for again in result.reruns):
        print(f"rerun: {again['test']}: {again['why']}")
    for name in broken:
        print(f"not passed: {name}")
    print(", ".join(f"{sum(r.counts[kind] for r in ran.values())} {kind}" for kind in KINDS))
    return int(bool(broken))


class Ran(NamedTuple):
    """What one pass came to."""

    code: int
    counts: dict[str, int]
    reruns: list[dict[str, str]]
    seconds: dict[str, float]


def run(arguments: tuple[str, ...]) -> Ran:
    """Nothing is counted where pytest died before it could."""
    with tempfile.TemporaryDirectory() as folder:
        tally = Path(folder) / "tally.json"
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--durations=15"]
        options = (f"--max-suite-reruns={MOST_RERUNS}", f"--tally={tally}")
        code = subprocess.run([*command, *options, *arguments], cwd=ROOT, check=False).returncode
        told = json.loads(tally.read_text("utf-8")) if tally.exists() else {}
    counts = {kind: told.get(kind, 0) for kind in KINDS}
    return Ran(code, counts, told.get("reruns", []), told.get("seconds", {}))


def note_slow(*passes: Ran) -> None:
    taken = {test: seconds for result in passes for test, seconds in result.seconds.items()}
    slow = sorted(test for test, seconds in taken.items() if seconds >= SLOW_SECONDS)
    SLOW.write_text("".join(f"{test}\n" for test in slow), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
