"""Whose turn it is to be trained: the number of players that has had least of its share of time."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from cabochon.search.net import load_weights, save_weights
from cabochon.train.config import CONFIGS, STARTED, TrainingConfig
from cabochon.train.loop import Notify, TrainingLoop
from cabochon.train.model import for_more_players

STRETCH_MINUTES = 20.0
TIME_SHARES = {2: 2.0, 3: 1.0, 4: 1.0}
"""How the time is divided among the numbers of players."""


class Trainer:
    """Trains the configurations in turn, from wherever they stopped, until told to stop."""

    def __init__(self, home: Path, notify: Notify) -> None:
        self.home, self.notify = home, notify
        self.stopped = threading.Event()
        self._loop: TrainingLoop | None = None

    def stop(self) -> None:
        """Finish the piece of work at hand, save, and return."""
        self.stopped.set()
        if self._loop is not None:
            self._loop.stop.set()

    def run(self, players: Iterable[int], minutes: float | None) -> None:
        """Train these numbers of players for so long, or until ``stop``."""
        chosen = tuple(players)
        end = None if minutes is None else time.monotonic() + 60 * minutes
        while not self.stopped.is_set():
            left = STRETCH_MINUTES if end is None else (end - time.monotonic()) / 60
            if left <= 0:
                return
            config = CONFIGS[min(chosen, key=self._time_used)]
            self._train(config, min(left, STRETCH_MINUTES) if len(chosen) > 1 else left)

    def _time_used(self, players: int) -> float:
        return minutes_trained(self.home, CONFIGS[players]) / TIME_SHARES[players]

    def _train(self, config: TrainingConfig, minutes: float) -> None:
        prepare(self.home, config)
        self._loop = TrainingLoop(config, self.home, self.notify)
        self.notify(STARTED, self._loop.about())
        if not self.stopped.is_set():
            self._loop.run(minutes)


def minutes_trained(home: Path, config: TrainingConfig) -> float:
    """The minutes of training in its log."""
    lines = read_log(home, config)
    return float(str(lines[-1]["minutes"])) if lines else 0.0


def read_log(home: Path, config: TrainingConfig) -> list[dict[str, object]]:
    """The lines of its log, oldest first; none if it was never trained."""
    path = config.folder(home) / "log.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def prepare(home: Path, config: TrainingConfig) -> None:
    """Let more players start from the best network for two, if there is one."""
    folder = config.folder(home)
    best = CONFIGS[2].folder(home) / "best.npz"
    has_begun = (folder / "checkpoint.npz").exists() or (folder / "start.npz").exists()
    if config.players > 2 and best.exists() and not has_begun:
        folder.mkdir(parents=True, exist_ok=True)
        start = for_more_players(load_weights(best), config.players)
        save_weights(folder / "start.npz", start, {"from": "players-2"})
