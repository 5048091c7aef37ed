"""All tests, on both cores: Python's in passes (those of the law, with its coverage; the others,
which coverage would only slow down; the browser's; those that need the machine to themselves),
then the web's own. Ends with one count."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LAW = ("cabochon.rules", "cabochon.notation", "cabochon.record")
LAW_TESTS = tuple(
    f"tests/{part}"
    for part in ("rules", "properties", "notation", "record", "conformance", "render", "cli")
)
BOTH_CORES = ("-n", "2", "--dist", "loadgroup")
PLAIN = "not alone and not browser"
COUNTS = re.compile(r"(\d+) (passed|failed|skipped|errors?)\b")


def main() -> int:
    totals = {"passed": 0, "failed": 0, "skipped": 0}
    codes = [
        _run(_pytest(*BOTH_CORES, "-m", PLAIN, *_coverage(), *LAW_TESTS), totals),
        _run(_pytest(*BOTH_CORES, "-m", PLAIN, *_ignored(LAW_TESTS)), totals),
        _run(_pytest(*BOTH_CORES, "-m", "browser and not alone"), totals),
        _run(_pytest("-m", "alone and not browser"), totals),
        _run(_pytest("-m", "alone and browser"), totals),
    ]
    if (ROOT / "web" / "node_modules").exists():
        codes.append(_run(["npm", "--prefix", "web", "test", "--silent"], {}))
    print(", ".join(f"{count} {kind}" for kind, count in totals.items()))
    return int(any(codes))


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


def _run(command: list[str], totals: dict[str, int]) -> int:
    """Run it with its output shown, and add up what it counted."""
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, errors="replace"
    )
    assert process.stdout is not None
    last = ""
    for line in process.stdout:
        print(line, end="", flush=True)
        if " in " in line and COUNTS.search(line):
            last = line
    for count, kind in COUNTS.findall(last):
        key = "failed" if kind.startswith("error") else kind
        if totals:
            totals[key] += int(count)
    return process.wait()


if __name__ == "__main__":
    sys.exit(main())
