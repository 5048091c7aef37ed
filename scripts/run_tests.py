"""All tests, on both cores. Python's run in passes: those of the law, with its coverage; the
others, which coverage would only slow down, and beside them the fuzzer of the API, whose cases take
long to think of; the browser's; then those that need the machine to themselves. The web's own types
and tests go on beside the first. What a pass says is told when it ends. Tests that depend on the
machine's timing may be tried twice (tests/reruns.py); each that was is named at the end, and what
each pass took. Ends with one count.

    python scripts/run_tests.py [--note-slow]

With --note-slow, what takes long is written to tests/slow.txt as measured: `make quick` leaves it
out, and everybody else begins with it.
"""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
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
        "variation",
    )
)
LAW_TESTS = tuple(
    f"tests/{part}"
    for part in ("rules", "properties", "notation", "record", "conformance", "render", "cli")
)
BROWSER = "tests/browser"
"""All of the browser's tests: reading the thousands of others to leave them out takes a minute."""
FUZZER = "tests/server/test_fuzz.py"
"""To read it is to think of its cases, which is done once and not by every worker."""
KINDS = ("passed", "failed", "skipped")


def workers(count: int) -> tuple[str, ...]:
    """In the order that tests/reruns.py puts the tests into: what takes long comes first."""
    return ("-n", str(count), "--dist", "loadgroup", "--no-loadscope-reorder")


PLAIN = "not alone and not browser"
COVERAGE = (
    *(f"--cov={part}" for part in LAW),
    "--cov-branch",
    "--cov-fail-under=100",
    "--cov-report=term:skip-covered",
)
SLOW = ROOT / "tests" / "slow.txt"
SLOW_SECONDS = 0.5
"""Of a test function with all its parameters; the others take two minutes on two cores."""

MOST_RERUNS = 5
"""In one pass: more failures than that are not the machine's."""


def files_marked(mark: str) -> tuple[str, ...]:
    """To read only these is a matter of seconds, to read all others too is not."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    marked = (path for path in files if f"mark.{mark}" in path.read_text("utf-8"))
    return tuple(str(path.relative_to(ROOT)) for path in marked)


PASSES = {
    "the rest": (
        *workers(3),
        *("-m", PLAIN, f"--ignore={BROWSER}", f"--ignore={FUZZER}"),
        *(f"--ignore={folder}" for folder in LAW_TESTS),
    ),
    "the browser": (*workers(4), "-m", "browser and not alone", BROWSER),
    "the fuzzer": ("-m", PLAIN, FUZZER),
    "the law": (*workers(2), "-m", PLAIN, *COVERAGE, *LAW_TESTS),
    "alone": (
        *("-m", "alone and not browser"),
        *(file for file in files_marked("alone") if not file.startswith(BROWSER)),
    ),
    "alone in the browser": (
        *("-m", "alone"),
        *(file for file in files_marked("alone") if file.startswith(BROWSER)),
    ),
}
TURNS = (("the law",), ("the rest", "the fuzzer"), ("the browser",))
"""What runs at the same time. All at once was tried: what bars in seconds and browsers wait for
came late then, and the law's longest test ran into its time limit."""
ALONE = ("alone", "alone in the browser")
WEB = ("check", "test")
NICER = 3
"""The web's own stands back a bit behind the pass beside it."""
NEWS_SECONDS = 60


def main() -> int:
    began, noting = time.monotonic(), "--note-slow" in sys.argv
    beside = [name for turn in TURNS for name in turn]
    turns = [(name,) for name in beside] if noting else TURNS
    with tempfile.TemporaryDirectory() as folder:
        web = WEB if (ROOT / "web" / "node_modules").exists() else ()
        jobs = [Job(f"the web's own {script}", web_command(script), Path(folder)) for script in web]
        ran: dict[str, Ran] = {}
        for turn in (*turns, *((name,) for name in ALONE)):
            jobs += [Job(name, pytest_command(name), Path(folder)) for name in turn]
            ran |= run_together(jobs)
            jobs = []
    if noting:
        note_slow(*(ran[name] for name in beside))
    tell(ran, time.monotonic() - began)
    return int(any(result.code for result in ran.values()))


def pytest_command(name: str) -> list[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--durations=15"]
    if name != "the fuzzer":
        command += ["-p", "no:schemathesis"]  # half a second of every worker
    return [*command, f"--max-suite-reruns={MOST_RERUNS}", *PASSES[name]]


def web_command(script: str) -> list[str]:
    return ["npm", "--prefix", "web", "run", script, "--silent"]


class Ran(NamedTuple):
    """What one pass came to, and the seconds that it and each test took."""

    code: int
    took: float
    counts: dict[str, int]
    reruns: list[dict[str, str]]
    seconds: dict[str, float]


class Job:
    """A process whose words are kept until it ends; if it is a pass, it leaves a tally."""

    def __init__(self, name: str, command: list[str], folder: Path) -> None:
        self.name = name
        self._said, self._tally = folder / name, folder / f"{name}.json"
        options = [f"--tally={self._tally}"] if name in PASSES else []
        nice = [] if name in PASSES else ["nice", "-n", str(NICER)]
        self._began = time.monotonic()
        with self._said.open("wb") as file:
            self._process = subprocess.Popen(
                [*nice, *command, *options], cwd=ROOT, stdout=file, stderr=subprocess.STDOUT
            )

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    @property
    def words(self) -> str:
        return self._said.read_text("utf-8", "replace")

    @property
    def news(self) -> str:
        """How far it is, by pytest's own account."""
        percents: list[str] = re.findall(r"\[ *(\d+)%\]", self.words)
        return f"{self.name} {percents[-1]} %" if percents else self.name

    def result(self) -> Ran:
        """Nothing is counted where pytest died before it could."""
        code, took = self._process.wait(), time.monotonic() - self._began
        told = json.loads(self._tally.read_text("utf-8")) if self._tally.exists() else {}
        counts = {kind: told.get(kind, 0) for kind in KINDS}
        return Ran(code, took, counts, told.get("reruns", []), told.get("seconds", {}))

    def stop(self) -> None:
        if not self.has_ended:
            self._process.terminate()


def run_together(jobs: list[Job]) -> dict[str, Ran]:
    """What each came to; its words are said when it ends, and now and then how far the others
    are."""
    ran: dict[str, Ran] = {}
    began = said = time.monotonic()
    try:
        while running := [job for job in jobs if job.name not in ran]:
            for job in (job for job in running if job.has_ended):
                ran[job.name] = job.result()
                print(f"--- {job.name}\n{job.words}", end="", flush=True)
            if time.monotonic() - said >= NEWS_SECONDS:
                said = time.monotonic()
                news = ", ".join(job.news for job in running if job.name not in ran)
                print(f"after {(said - began) / 60:.0f} min: {news}", flush=True)
            time.sleep(0.1)
    finally:
        for job in jobs:
            job.stop()
    return ran


def tell(ran: dict[str, Ran], took: float) -> None:
    for again in (again for result in ran.values() for again in result.reruns):
        print(f"rerun: {again['test']}: {again['why']}")
    for name in (name for name, result in ran.items() if result.code):
        print(f"not passed: {name}")
    print("minutes: " + ", ".join(f"{name} {r.took / 60:.1f}" for name, r in ran.items()))
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = spent.ru_utime + spent.ru_stime
    cores = os.cpu_count() or 1
    busy = f"{used / took / cores:.0%} of {cores} cores"
    print(f"all together {took / 60:.1f}; of processor time {used / 60:.1f}, {busy}")
    print(", ".join(f"{sum(r.counts[kind] for r in ran.values())} {kind}" for kind in KINDS))


def note_slow(*passes: Ran) -> None:
    """Test functions, and the quick ones of a file together, with their seconds."""
    taken: dict[str, float] = defaultdict(float)
    for test, seconds in (pair for result in passes for pair in result.seconds.items()):
        taken[test if seconds >= SLOW_SECONDS else test.partition("::")[0]] += seconds
    slow = sorted((name, seconds) for name, seconds in taken.items() if seconds >= SLOW_SECONDS)
    SLOW.write_text("".join(f"{seconds:.1f} {name}\n" for name, seconds in slow), "utf-8")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    sys.exit(main())
