"""Which Python `.venv` is made of: the `python3` that is found first, unless another of the same
version on this machine is clearly faster. A Python that was built on the spot often lacks the
optimizations of the distribution's own and takes a quarter longer for everything.

    python3 scripts/quickest_python.py [CANDIDATE ...]

prints one path. The candidates are `python3` and `/usr/bin/python3`, or those named.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import NamedTuple

CANDIDATES = ("python3", "/usr/bin/python3")
CLEARLY = 0.9
"""The first one is taken unless another needs less than this share of its time."""
PROBE = """
import ensurepip, sys, time, venv
def work():
    began, kept = time.process_time(), {}
    for number in range(50_000):
        kept[number % 97] = (number * number % 7, str(number))
    return time.process_time() - began
print("%d.%d" % sys.version_info[:2], min(work() for _ in range(5)))
"""
"""Fails where no virtual environment could be made."""


class Probed(NamedTuple):
    path: str
    version: str
    seconds: float


def main(names: list[str]) -> int:
    found = [probed for name in names or CANDIDATES if (probed := probe(name)) is not None]
    if not found:
        print("Python with venv is missing: install python3 and python3-venv", file=sys.stderr)
        return 1
    print(choose(found).path)
    return 0


def probe(name: str) -> Probed | None:
    """How fast it is, or None if there is no such Python or it can't make an environment."""
    path = shutil.which(name)
    if path is None:
        return None
    ran = subprocess.run([path, "-c", PROBE], capture_output=True, text=True, check=False)
    if ran.returncode:
        return None
    version, seconds = ran.stdout.split()
    return Probed(path, version, float(seconds))


def choose(found: list[Probed]) -> Probed:
    first, *others = found
    faster = (p for p in others if p.version == first.version)
    best = min(faster, key=lambda p: p.seconds, default=first)
    return best if best.seconds < CLEARLY * first.seconds else first


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
