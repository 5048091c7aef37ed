"""All tests, on both cores: Python's in passes (those of the law, with its coverage; the others,
which coverage would only slow down; the browser's; those that need the machine to themselves), and
the web's own types and tests beside the first of them. Tests that depend on the machine's timing
may be tried twice (tests/reruns.py); each that was is named at the end, and what each pass took.
Ends with one count.

    python scripts/run_tests.py [--note-slow]

With --note-slow, the tests that `make quick` leaves out are written to tests/slow.txt as measured.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
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
OFTEN_WAITING = ("-n", "4", "--dist", "loadgroup")
"""Where tests wait for servers, browsers and clocks, two workers more use what is left."""
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


def files_marked(mark: str) -> tuple[str, ...]:
    """To read only these is a matter of seconds, to read all others too is not."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    marked = (path for path in files if f"mark.{mark}" in path.read_text("utf-8"))
    return tuple(str(path.relative_to(ROOT)) for path in marked)


PASSES = {
    "the law": (*BOTH_CORES, "-m", PLAIN, *COVERAGE, *LAW_TESTS),
    "the rest": (
        *OFTEN_WAITING,
        *("-m", PLAIN, f"--ignore={BROWSER}"),
        *(f"--ignore={folder}" for folder in LAW_TESTS),
    ),
    "the browser": (*OFTEN_WAITING, "-m", "browser and not alone", BROWSER),
    "alone": (
        *("-m", "alone and not browser"),
        *(file for file in files_marked("alone") if not file.startswith(BROWSER)),
    ),
    "alone in the browser": (
        *("-m", "alone"),
        *(file for file in files_marked("alone") if file.startswith(BROWSER)),
    ),
}
ALONE = ("alone", "alone in the browser")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        web = start_web(Path(folder))
        ran = {name: run(PASSES[name]) for name in PASSES if name not in ALONE}
        broken = [f"the web's own {script}" for script in finish_web(web, Path(folder))]
    ran |= {name: run(PASSES[name]) for name in ALONE}
    broken = [name for name, result in ran.items() if result.code] + broken
    if "--note-slow" in sys.argv:
        note_slow(ran["the law"], ran["the rest"])
    for again in (again for result in ran.values() for again in result.reruns):
        print(f"rerun: {again['test']}: {again['why']}")
    for name in broken:
        print(f"not passed: {name}")
    print("minutes: " + ", ".join(f"{name} {r.took / 60:.1f}" for name, r in ran.items()))
    print(", ".join(f"{sum(r.counts[kind] for r in ran.values())} {kind}" for kind in KINDS))
    return int(bool(broken))


def start_web(folder: Path) -> dict[str, subprocess.Popen[bytes]]:
    """Beside the first passes; what it says is kept until they are over."""
    if not (ROOT / "web" / "node_modules").exists():
        return {}
    return {script: _start(script, folder / script) for script in ("check", "test")}


def _start(script: str, said: Path) -> subprocess.Popen[bytes]:
    command = ["npm", "--prefix", "web", "run", script, "--silent"]
    with said.open("wb") as file:
        return subprocess.Popen(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)


def finish_web(web: dict[str, subprocess.Popen[bytes]], folder: Path) -> list[str]:
    """Says what was said; gives those that failed."""
    failed = [script for script, process in web.items() if process.wait()]
    for script in web:
        print((folder / script).read_text("utf-8", "replace"), end="", flush=True)
    return failed


class Ran(NamedTuple):
    """What one pass came to, and the seconds that it and each test took."""

    code: int
    took: float
    counts: dict[str, int]
    reruns: list[dict[str, str]]
    seconds: dict[str, float]


def run(arguments: tuple[str, ...]) -> Ran:
    """Nothing is counted where pytest died before it could."""
    with tempfile.TemporaryDirectory() as folder:
        tally = Path(folder) / "tally.json"
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--durations=15"]
        options = (f"--max-suite-reruns={MOST_RERUNS}", f"--tally={tally}")
        began = time.monotonic()
        code = subprocess.run([*command, *options, *arguments], cwd=ROOT, check=False).returncode
        took = time.monotonic() - began
        told = json.loads(tally.read_text("utf-8")) if tally.exists() else {}
    counts = {kind: told.get(kind, 0) for kind in KINDS}
    return Ran(code, took, counts, told.get("reruns", []), told.get("seconds", {}))


def note_slow(*passes: Ran) -> None:
    taken = {test: seconds for result in passes for test, seconds in result.seconds.items()}
    slow = sorted(test for test, seconds in taken.items() if seconds >= SLOW_SECONDS)
    SLOW.write_text("".join(f"{test}\n" for test in slow), "utf-8")


if __name__ == "__main__":
    sys.exit(main())
