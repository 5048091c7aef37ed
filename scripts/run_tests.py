"""All tests, on both cores. They run in passes, and the passes in lanes that go on side by side. In
the first lane are the server's tests and the browser's, which spend half of their time waiting for
other processes. The other lanes stand back behind it and fill the gaps: the law's tests, with their
coverage; those of the library, which coverage would only slow down; the page's own types and tests;
and the fuzzer of the API, whose cases take long to think of. Tests that need the machine to
themselves come last. What a pass says is told when it ends. Tests that depend on the machine's
timing may be tried twice (tests/reruns.py); each that was is named at the end, and what each pass
took. Ends with one count.

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
from collections.abc import Sequence
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
BROWSER, SERVER = "tests/browser", "tests/server"
"""Where a pass has its own folder, the thousands of other tests need not be read to leave them
out."""
FUZZER = "tests/server/test_fuzz.py"
"""To read it is to think of its cases, which is done once and not by every worker."""
KINDS = ("passed", "failed", "skipped")


def workers(count: int) -> tuple[str, ...]:
    """In the order that tests/reruns.py puts the tests into: what takes long comes first."""
    return ("-n", str(count), "--dist", "loadgroup", "--no-loadscope-reorder")


PATIENT = ("--timeout=900",)
"""For those who stand back."""
PLAIN = "not alone and not browser"
COVERAGE = (
    *(f"--cov={part}" for part in LAW),
    "--cov-branch",
    "--cov-fail-under=100",
    "--cov-report=term:skip-covered",
)
SLOW = ROOT / "tests" / "slow.txt"
SLOW_SECONDS = 0.5
"""Of a test function with all its parameters; the others take a minute and a half on two cores."""

MOST_RERUNS = 5
"""In one pass: more failures than that are not the machine's."""


def files_marked(mark: str) -> tuple[str, ...]:
    """To read only these is a matter of seconds, to read all others too is not."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    marked = (path for path in files if f"mark.{mark}" in path.read_text("utf-8"))
    return tuple(str(path.relative_to(ROOT)) for path in marked)


PASSES = {
    "the server": (*workers(3), "-m", PLAIN, f"--ignore={FUZZER}", SERVER),
    "the browser": (*workers(4), "-m", "browser and not alone", BROWSER),
    "the law": (*workers(2), *PATIENT, "-m", PLAIN, *COVERAGE, *LAW_TESTS),
    "the library": (
        *(*workers(2), *PATIENT, "-m", PLAIN),
        *(f"--ignore={folder}" for folder in (BROWSER, SERVER, *LAW_TESTS)),
    ),
    "the fuzzer": (*PATIENT, "-m", PLAIN, FUZZER),
    "alone": (
        *("-m", "alone and not browser"),
        *(file for file in files_marked("alone") if not file.startswith(BROWSER)),
    ),
    "alone in the browser": (
        *("-m", "alone"),
        *(file for file in files_marked("alone") if file.startswith(BROWSER)),
    ),
}
FRONT = ("the server", "the browser")
BEHIND = (("the law", "the library"), ("the page's types", "the page's tests", "the fuzzer"))
"""What depends on no clock stands back: what waits for a server or a browser is not late then."""
NICER = 10
ALONE = ("alone", "alone in the browser")
PAGE = {"the page's types": "check", "the page's tests": "test"}
NEWS_SECONDS = 60


def main() -> int:
    began, noting = time.monotonic(), "--note-slow" in sys.argv
    lanes = [FRONT, *(tuple(filter(can_run, lane)) for lane in BEHIND)]
    if noting:
        lanes = [tuple(name for lane in lanes for name in lane)]
    with tempfile.TemporaryDirectory() as folder:
        ran = run_lanes(lanes, Path(folder)) | run_lanes([ALONE], Path(folder))
    if noting:
        note_slow(*(ran[name] for name in lanes[0]))
    tell(ran, time.monotonic() - began)
    return int(any(result.code for result in ran.values()))


def can_run(name: str) -> bool:
    """The page's own tests need what `make web` brings."""
    return name not in PAGE or (ROOT / "web" / "node_modules").exists()


def command(name: str) -> list[str]:
    nice = [] if name in FRONT or name in ALONE else ["nice", "-n", str(NICER)]
    if name in PAGE:
        return [*nice, "npm", "--prefix", "web", "run", PAGE[name], "--silent"]
    pytest = [*nice, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--durations=15"]
    if name != "the fuzzer":
        pytest += ["-p", "no:schemathesis"]  # half a second of every worker
    return [*pytest, f"--max-suite-reruns={MOST_RERUNS}", *PASSES[name]]


class Ran(NamedTuple):
    """What one pass came to, and the seconds that it and each test took."""

    code: int
    took: float
    counts: dict[str, int]
    reruns: list[dict[str, str]]
    seconds: dict[str, float]


class Job:
    """A process whose words are kept until it ends; if it is a pass, it leaves a tally."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._said, self._tally = folder / name, folder / f"{name}.json"
        options = [f"--tally={self._tally}"] if name in PASSES else []
        self._began = time.monotonic()
        with self._said.open("wb") as file:
            self._process = subprocess.Popen(
                [*command(name), *options], cwd=ROOT, stdout=file, stderr=subprocess.STDOUT
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


def run_lanes(lanes: Sequence[tuple[str, ...]], folder: Path) -> dict[str, Ran]:
    """What each pass came to; its words are said when it ends, and now and then how far the others
    are."""
    ran: dict[str, Ran] = {}
    waiting, running = [list(lane) for lane in lanes], dict[int, Job]()
    began = said = time.monotonic()
    try:
        while running or any(waiting):
            for number in [number for number, job in running.items() if job.has_ended]:
                job = running.pop(number)
                ran[job.name] = job.result()
                print(f"--- {job.name}\n{job.words}", end="", flush=True)
            for number, lane in enumerate(waiting):
                if lane and number not in running:
                    running[number] = Job(lane.pop(0), folder)
            if time.monotonic() - said >= NEWS_SECONDS:
                said = time.monotonic()
                news = ", ".join(job.news for job in running.values())
                print(f"after {(said - began) / 60:.0f} min: {news}", flush=True)
            time.sleep(0.1)
    finally:
        for job in running.values():
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
