"""Worker processes end with the one that has them, however that ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cabochon.workers import Processes

SOON = 20.0

PARENT = """
import os, time
from cabochon.workers import Processes

def work(seconds):
    print(os.getpid(), flush=True)
    time.sleep(seconds)

if __name__ == "__main__":
    workers = Processes(2)
    try:
        list(workers.map(work, [600, 600]))
    finally:
        workers.close()
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pid: int) -> bool:
    until = time.monotonic() + SOON
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_running(pid)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_do_not_outlive_their_parent(how: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        workers = [int(parent.stdout.readline()) for _ in range(2)]
        assert all(map(is_running, workers))
        os.kill(parent.pid, how)
        assert [pid for pid in workers if not wait_until_gone(pid)] == []


def test_closing_does_not_wait_for_what_is_being_done() -> None:
    workers = Processes(1)
    results = workers.map(time.sleep, [0.0, 600.0, 600.0, 600.0])
    next(results)
    began = time.monotonic()
    results.close()  # type: ignore[attr-defined]
    workers.close()
    assert time.monotonic() - began < SOON
