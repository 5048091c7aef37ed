"""The training loop: self-play on every core, learning in between, an evaluation now and then.

One thread plays all the time.  The main thread learns until every new position has been used
``reuse`` times, and plays as well when there is nothing to learn.  Weights are handed over every
few steps.  A stop at any moment loses at most the minutes since the last checkpoint.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cabochon.rules import Ruleset
from cabochon.search.net import Weights, load_weights, save_weights
from cabochon.search.searcher import has_shipped, shipped_for
from cabochon.search.simulate import NETWORK, PLAYOUT, SearchSettings
from cabochon.train.config import CONFIGS, EVALUATION, GENERATION, PROGRESS, STARTED, TrainingConfig
from cabochon.train.evaluation import Contender, MatchRules, Score, play, sample_game
from cabochon.train.learner import BATCH, Learner
from cabochon.train.model import for_more_players
from cabochon.train.samples import ReplayBuffer, Samples, new_samples
from cabochon.train.selfplay import (
    ROOM_SAMPLES,
    SelfPlayBuffers,
    Statistics,
    add_statistics,
    new_buffers,
    new_statistics,
    play_games,
)
from cabochon.train.selfplayworker import take_files

FIRST_POSITIONS = 30_000
"""Played with playouts before there is anything to learn from."""
CHUNK_GAMES = 24
STEPS_BETWEEN_WEIGHTS = 40
CHECKPOINT_SECONDS = 120
REPLAY_SECONDS = 600
PUBLISH_SECONDS = 45
MOST_DEBT = 120_000
"""Positions still to be learnt from; what workers deliver beyond this is kept but not owed."""
GATE_VISITS, PLAYOUT_VISITS = 64, 1000
GATE_GAMES, PLAYOUT_GAMES = 400, 48
"""Fewer games in the gate let luck through: four matches of 160, all won with 56 %, added up to
160 Elo, of which a direct match found a tenth."""

Notify = Callable[[str, dict[str, object]], None]


@dataclass
class _Generation:
    """What has happened since the last generation was closed."""

    positions: int = 0
    statistics: Statistics = field(default_factory=new_statistics)
    unseen: list[list[float]] = field(default_factory=list)
    learnt: list[list[float]] = field(default_factory=list)
    begun: float = field(default_factory=time.monotonic)

    def facts(self) -> dict[str, object]:
        """For the log."""
        totals = self.statistics[0]
        games = max(totals["games"], 1)
        return {
            "learnt": _means(self.learnt),
            "unseen": _means(self.unseen),
            "first_seat": round(float(totals["first_seat_share"] / games), 3),
            "rounds": round(float(totals["rounds"] / games), 1),
            "reserved": round(float(totals["reservations"] / games), 1),
            "shy_share": round(float(totals["shy_share"] / max(totals["shy_seats"], 1)), 3),
            "games_per_second": round(float(games / (time.monotonic() - self.begun)), 1),
        }


class TrainingLoop:
    """Trains one configuration until ``stop`` is set or the minutes are over."""

    def __init__(
        self,
        config: TrainingConfig,
        home: Path,
        notify: Notify = lambda kind, facts: None,
        seed: int = 1,
    ) -> None:
        self.config, self.notify = config, notify
        self.ruleset = Ruleset(config.players)
        self.folder = config.folder(home)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.stop = threading.Event()
        self.learner = Learner(seed)
        self.replay = ReplayBuffer(config.window_most)
        self.generator = np.random.default_rng()
        self.minutes, self.games, self.generation = 0.0, 0, 0
        self.core_minutes = 0.0  # of processor time, all cores; counted since November 2026
        self._lock = threading.Lock()
        self._fresh: list[tuple[Samples, Statistics]] = []
        self._resume()
        self.published: Weights = self.learner.weights()
        self._current = _Generation()
        self._debt = 0.0

    # --- what is kept ---------------------------------------------------------------------

    def _resume(self) -> None:
        if (self.folder / "checkpoint.npz").exists():
            about = self.learner.load(self.folder / "checkpoint.npz")
            self.minutes = float(str(about["minutes"]))
            self.core_minutes = float(str(about.get("core_minutes", 0.0)))
            self.games, self.generation = int(str(about["games"])), int(str(about["generation"]))
            self.replay.load(self.folder / "replay.npz")
        elif (self.folder / "start.npz").exists():
            self.learner.start_from(load_weights(self.folder / "start.npz"))
            self.learner.steps = 1

    def about(self) -> dict[str, object]:
        """How much it has been trained."""
        return {
            "players": self.config.players,
            "minutes": round(self.minutes, 2),
            "core_minutes": round(self.core_minutes, 2),
            "games": self.games,
            "generation": self.generation,
        }

    def save(self) -> None:
        """The checkpoint; small enough to be committed."""
        self.learner.save(self.folder / "checkpoint.npz", self.about())

    def _save_replay(self) -> None:
        self.replay.save(self.folder / "replay.npz")

    def _log(self, kind: str, **facts: object) -> None:
        worked = {name: self.about()[name] for name in ("minutes", "core_minutes", "games")}
        line = {"kind": kind, **worked, **facts}
        with (self.folder / "log.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        self.notify(kind, line)

    # --- the work -------------------------------------------------------------------------

    def run(self, minutes: float) -> None:
        """Train for that long, or until ``stop``; ends with a checkpoint."""
        player = threading.Thread(target=self._keep_playing, daemon=True)
        player.start()
        begin = last = saved = kept = time.monotonic()
        busy = time.process_time()
        buffers, samples = new_buffers(), new_samples(ROOM_SAMPLES)
        while not self.stop.is_set() and time.monotonic() - begin < 60 * minutes:
            self._take_in()
            if self._debt >= BATCH and len(self.replay) >= FIRST_POSITIONS:
                self._learn()
            else:
                self._play_chunk(buffers, samples)
            now = time.monotonic()
            self.minutes += (now - last) / 60
            last = now
            self.core_minutes += (time.process_time() - busy) / 60
            busy = time.process_time()
            if self._current.positions >= self.config.generation:
                self._close_generation()
            if now - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = now
            if now - kept > REPLAY_SECONDS:
                self._save_replay()
                kept = now
        self.stop.set()
        player.join()
        self.save()
        self._save_replay()

    def _keep_playing(self) -> None:
        buffers, samples = new_buffers(), new_samples(ROOM_SAMPLES)
        while not self.stop.is_set():
            self._play_chunk(buffers, samples)

    def _play_chunk(self, buffers: SelfPlayBuffers, samples: Samples) -> None:
        judge = NETWORK if self.learner.steps > 0 else PLAYOUT
        with self._lock:
            seed = np.uint64(self.generator.integers(1, 2**63))
            weights = self.published
        count = play_games(
            buffers,
            weights,
            SearchSettings(judge, self.config.exploration, uniform=self.config.uniform),
            self.config.selfplay,
            self.config.mix,
            seed,
            CHUNK_GAMES,
            samples,
        )
        fresh = samples.copied(int(count))
        with self._lock:
            self._fresh.append((fresh, buffers.statistics.copy()))

    def _take_in(self) -> None:
        """Move new positions into the replay buffer, after a test on them while still unseen."""
        with self._lock:
            fresh, self._fresh = self._fresh, []
        fresh += take_files(self.folder)
        for samples, statistics in fresh:
            count = len(samples.full)
            if self.learner.steps > 0 and count > 0:
                self._current.unseen.append(self.learner.test(samples))
            self.replay.add(samples)
            self._current.positions += count
            add_statistics(self._current.statistics, statistics)
            self.games += int(statistics["games"][0])
            self._debt = min(self._debt + self.config.reuse * count, MOST_DEBT)
        if fresh:
            self.notify(PROGRESS, {"done": self._current.positions, "all": self.config.generation})

    def _learn(self) -> None:
        rate = self.config.rate(self.games)
        window = self.config.window(self.learner.steps * BATCH)
        for _ in range(STEPS_BETWEEN_WEIGHTS):
            which = self.replay.draw(self.generator, BATCH, window)
            self._current.learnt.append(
                self.learner.step(self.replay.samples, which, rate, self.config.root_share)
            )
            self._debt -= BATCH
        self.published = self.learner.weights()
        current = self.folder / "current.npz"
        if _seconds_since_written(current) > PUBLISH_SECONDS:
            save_weights(current, self.published, self.about())

    # --- generations ----------------------------------------------------------------------

    def _close_generation(self) -> None:
        self.generation += 1
        self._log(
            GENERATION,
            generation=self.generation,
            steps=self.learner.steps,
            **self._current.facts(),
            rate=round(self.config.rate(self.games), 6),
        )
        if self.generation % self.config.evaluate_every == 0 and self.learner.steps > 0:
            self.evaluate()
        self._current = _Generation()

    def evaluate(self) -> None:
        """The gate, a match against the best so far, and two yardsticks that stay as they are: the
        shipped network and playouts."""
        best = self.folder / "best.npz"
        now = self.learner.weights()
        gate = self._meet(now, load_weights(best), GATE_GAMES) if best.exists() else None
        shipped = shipped_for(self.ruleset) if has_shipped(self.ruleset) else None
        known = self._meet(now, shipped, GATE_GAMES) if shipped is not None else None
        game = sample_game(now, self.ruleset, f"generation {self.generation}")
        (self.folder / "game.txt").write_text(game)
        passed = gate is None or gate.share >= 1 / self.config.players
        if passed:
            save_weights(best, now, self.about())
        playouts = self._meet(now, None, PLAYOUT_GAMES)
        self._log(
            EVALUATION,
            generation=self.generation,
            against_best=None if gate is None else round(gate.share, 3),
            passed=passed,
            against_shipped=None if known is None else round(known.share, 3),
            against_playouts=round(playouts.share, 3),
            playout_error=round(playouts.error, 3),
        )

    def _meet(self, now: Weights, other: Weights | None, games: int) -> Score:
        """The network as it is now against copies of another, or of playouts."""
        visits = PLAYOUT_VISITS if other is None else GATE_VISITS
        challenger = Contender.as_in_play(now, GATE_VISITS, self.ruleset)
        champion = Contender.as_in_play(other, visits, self.ruleset)
        return play(challenger, champion, games, self.generation, MatchRules(self.config.players))


def _means(values: list[list[float]]) -> list[float]:
    return [round(float(mean), 4) for mean in np.mean(values, 0)] if values else []


def _seconds_since_written(path: Path) -> float:
    """Infinite if there is no such file."""
    return time.time() - path.stat().st_mtime if path.exists() else float("inf")


# Whose turn it is to be trained: the number of players that has had least of its share of time.


STRETCH_MINUTES = 20.0
TIME_SHARES = {2: 2.0, 3: 1.0, 4: 1.0}
"""How the time is divided among the numbers of players."""


class Trainer:
    """Trains the configurations in turn, each from where it stopped, until told to stop."""

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
        """Train for these numbers of players for that long, or until ``stop``."""
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
