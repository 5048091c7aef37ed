"""Which course is trained when: the one that has had the least of its part of the time."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from cabochon.search.net import load_weights, save_weights
from cabochon.train.course import COURSES, Course
from cabochon.train.loop import Loop
from cabochon.train.transfer import for_more_players

STRETCH_MINUTES = 20.0
PARTS = {2: 2.0, 3: 1.0, 4: 1.0}

Tell = Callable[[str, dict[str, object]], None]


class Driver:
    """Trains the courses in turn, from wherever they stopped, until told to stop."""

    def __init__(self, home: Path, tell: Tell) -> None:
        self.home, self.tell = home, tell
        self.stopped = threading.Event()
        self._loop: Loop | None = None

    def stop(self) -> None:
        """Finish the piece of work at hand, save, and return."""
        self.stopped.set()
        if self._loop is not None:
            self._loop.stop.set()

    def run(self, players: Iterable[int], minutes: float | None) -> None:
        """Train these numbers of players so long, or until ``stop``."""
        chosen = tuple(players)
        end = None if minutes is None else time.monotonic() + 60 * minutes
        while not self.stopped.is_set():
            left = STRETCH_MINUTES if end is None else (end - time.monotonic()) / 60
            if left <= 0:
                return
            course = COURSES[min(chosen, key=lambda n: spent(self.home, COURSES[n]) / PARTS[n])]
            self._train(course, min(left, STRETCH_MINUTES) if len(chosen) > 1 else left)

    def _train(self, course: Course, minutes: float) -> None:
        prepare(self.home, course)
        self._loop = Loop(course, self.home, tell=self.tell)
        about = self._loop.about()
        self.tell("course", about)
        if not self.stopped.is_set():
            self._loop.run(minutes)


def spent(home: Path, course: Course) -> float:
    """Minutes of training in its log."""
    lines = read_log(home, course)
    return float(str(lines[-1]["minutes"])) if lines else 0.0


def read_log(home: Path, course: Course) -> list[dict[str, object]]:
    """The lines of a course's log, oldest first."""
    path = course.folder(home) / "log.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def prepare(home: Path, course: Course) -> None:
    """Give a course of more players the best network for two to start from, if there is one."""
    folder = course.folder(home)
    best = COURSES[2].folder(home) / "best.npz"
    has_begun = (folder / "checkpoint.npz").exists() or (folder / "start.npz").exists()
    if course.players > 2 and best.exists() and not has_begun:
        folder.mkdir(parents=True, exist_ok=True)
        start = for_more_players(load_weights(best), course.players)
        save_weights(folder / "start.npz", start, {"from": "players-2"})
