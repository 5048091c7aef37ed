"""Processes that a server or a worker has started, for tests that end them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """The processes that this one has started, by any of its threads."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread that has just ended
            found += map(int, (task / "children").read_text().split())
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def until_gone(pids: list[int]) -> None:
    until(lambda: not any(map(is_alive, pids)))
