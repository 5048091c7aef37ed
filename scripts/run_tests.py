"""All tests, on both cores: Python's in passes (those of the law, with its coverage; the others,
which coverage would only slow down; the browser's; those that need the machine to themselves),
then the web's own. Tests that depend on the machine's timing may be tried twice (tests/reruns.py);
each that was is named at the end. Ends with one count.

    python scripts/run_tests.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAW = ("cabochon.rules", "cabochon.notation", "cabochon.record")
LAW_TESTS = tuple(
    f"tests/{part}"
    for part in ("rules", "properties", "notation", "record", "conformance", "render", "cli")
)
BOTH_CORES = ("-n", "2", "--dist", "loadgroup")
PLAIN = "not alone and not browser"
COVERAGE = (
    *(f"--cov={part}" for part in LAW),
    "--cov-branch",
    "--cov-fail-under=100",
    "--cov-report=term:skip-covered",
)
MOST_RERUNS = 5
"""In one pass: more failures than that are not the machine's."""

PASSES = {
    "the law": (*BOTH_CORES, "-m", PLAIN, *COVERAGE, *LAW_TESTS),
    "the rest": (*BOTH_CORES, "-m", PLAIN, *(f"--ignore={folder}" for folder in LAW_TESTS)),
    "the browser": (*BOTH_CORES, "-m", "browser and not alone"),
    "alone": ("-m", "alone and not browser"),
    "alone in the browser": ("-m", "alone and browser"),
}


def main() -> int:
    totals = Counter(passed=0, failed=0, skipped=0)
    reruns: list[str] = []
    broken: list[str] = []
    for name, arguments in PASSES.items():
        if run(arguments, totals, reruns):
            broken.append(name)
    if (ROOT / "web" / "node_modules").exists():
        web = subprocess.run(["npm", "--prefix", "web", "test", "--silent"], cwd=ROOT, check=False)
        if web.returncode:
            broken.append("the web's own")
    for line in [*reruns, *(f"not passed: {name}" for name in broken)]:
        print(line)
    print(", ".join(f"{count} {kind}" for kind, count in totals.items()))
    return int(bool(broken))


def run(arguments: tuple[str, ...], totals: Counter[str], reruns: list[str]) -> int:
    """pytest's exit code; what it counted is added to the totals."""
    with tempfile.TemporaryDirectory() as folder:
        tally = Path(folder) / "tally.json"
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--durations=15"]
        options = (f"--max-suite-reruns={MOST_RERUNS}", f"--tally={tally}")
        code = subprocess.run([*command, *options, *arguments], cwd=ROOT, check=False).returncode
        counted = json.loads(tally.read_text("utf-8")) if tally.exists() else {}
    again = counted.pop("reruns", [])
    reruns += [f"rerun: {each['test']}: {each['why']}" for each in again]
    totals.update(counted)
    return code


if __name__ == "__main__":
    sys.exit(main())
