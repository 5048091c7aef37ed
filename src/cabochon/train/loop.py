"""The loop: self-play on every core, learning in between, an exam now and then.

One thread plays all the time.  The main thread learns until every new position has been used
``reuse`` times, and plays too when there is nothing to learn.  Weights are handed over every few
steps.  A stop at any moment loses at most the minutes since the last checkpoint.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cabochon.rules import Ruleset
from cabochon.search.net import Weights, load_weights, save_weights
from cabochon.search.searcher import has_shipped, shipped_for
from cabochon.search.simulate import NETWORK, PLAYOUT, Settings
from cabochon.train.course import Course
from cabochon.train.exam import Contender, Score, play
from cabochon.train.glimpse import glimpse
from cabochon.train.learner import BATCH, Learner
from cabochon.train.match import Rules
from cabochon.train.replay import Replay
from cabochon.train.sample import Samples, new_samples
from cabochon.train.selfplay import Bench, new_bench, play_games
from cabochon.train.worker import age, take_files

FIRST_POSITIONS = 30_000
"""Played with playouts before there is anything to learn from."""
CHUNK_GAMES = 24
STEPS_BETWEEN_WEIGHTS = 40
CHECKPOINT_SECONDS = 120
REPLAY_SECONDS = 600
PUBLISH_SECONDS = 45
MOST_DEBT = 120_000
EXAM_VISITS, LADDER_VISITS = 64, 1000
EXAM_GAMES, LADDER_GAMES = 400, 48
"""Fewer games in the gate let luck through: four of 160 each, all won with 56 %, added up to 160
Elo, of which a direct match found a tenth."""


class Loop:
    """Trains one course until ``stop`` is set or the minutes are over."""

    def __init__(
        self,
        course: Course,
        home: Path,
        tell: Callable[[str, dict[str, object]], None] = lambda kind, facts: None,
        seed: int = 1,
    ) -> None:
        self.course, self.tell = course, tell
        self.folder = course.folder(home)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.stop = threading.Event()
        self.learner = Learner(seed)
        self.replay = Replay(course.window_most)
        self.generator = np.random.default_rng()
        self.minutes, self.games, self.generation = 0.0, 0, 0
        self.core_minutes = 0.0  # of processor time, all cores; counted since November 2026
        self._lock = threading.Lock()
        self._fresh: list[tuple[Samples, np.ndarray]] = []
        self._resume()
        self.published: Weights = self.learner.weights()
        self._clear_tally()
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
            "players": self.course.players,
            "minutes": round(self.minutes, 2),
            "core_minutes": round(self.core_minutes, 2),
            "games": self.games,
            "generation": self.generation,
        }

    def save(self) -> None:
        """The checkpoint; small enough to be committed."""
        self.learner.save(self.folder / "checkpoint.npz", self.about())

    def _log(self, kind: str, **facts: object) -> None:
        worked = {name: self.about()[name] for name in ("minutes", "core_minutes", "games")}
        line = {"kind": kind, **worked, **facts}
        with (self.folder / "log.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")
        self.tell(kind, line)

    # --- the work -------------------------------------------------------------------------

    def run(self, minutes: float) -> None:
        """Train so long, or until ``stop``; ends with a checkpoint."""
        player = threading.Thread(target=self._keep_playing, daemon=True)
        player.start()
        begin = last = saved = kept = time.monotonic()
        busy = time.process_time()
        bench, samples = new_bench(1100), new_samples(40_000)
        while not self.stop.is_set() and time.monotonic() - begin < 60 * minutes:
            self._take_in()
            if self._debt >= BATCH and len(self.replay) >= FIRST_POSITIONS:
                self._learn()
            else:
                self._play_chunk(bench, samples)
            now = time.monotonic()
            self.minutes += (now - last) / 60
            last = now
            self.core_minutes += (time.process_time() - busy) / 60
            busy = time.process_time()
            if self._new >= self.course.generation:
                self._close_generation()
            if now - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = now
            if now - kept > REPLAY_SECONDS:
                self.replay.save(self.folder / "replay.npz")
                kept = now
        self.stop.set()
        player.join()
        self.save()
        self.replay.save(self.folder / "replay.npz")

    def _keep_playing(self) -> None:
        bench, samples = new_bench(1100), new_samples(40_000)
        while not self.stop.is_set():
            self._play_chunk(bench, samples)

    def _play_chunk(self, bench: Bench, samples: Samples) -> None:
        judge = NETWORK if self.learner.steps > 0 else PLAYOUT
        with self._lock:
            seed = np.uint64(self.generator.integers(1, 2**63))
            weights = self.published
        count = play_games(
            bench,
            weights,
            Settings(judge, self.course.exploration, uniform=self.course.uniform),
            self.course.recipe,
            self.course.mix,
            seed,
            CHUNK_GAMES,
            samples,
        )
        fresh = Samples._make(column[:count].copy() for column in samples)
        with self._lock:
            self._fresh.append((fresh, bench.tally.copy()))

    def _take_in(self) -> None:
        """New positions into the replay, after a test on what was never learnt."""
        with self._lock:
            fresh, self._fresh = self._fresh, []
        fresh += take_files(self.folder)
        for samples, tally in fresh:
            if self.learner.steps > 0 and len(samples.full) > 0:
                self._tests.append(self.learner.test(samples))
            self.replay.add(samples)
            self._new += len(samples.full)
            self._tally += tally
            self.games += int(tally[0])
            self._debt = min(self._debt + self.course.reuse * len(samples.full), MOST_DEBT)
        if fresh:
            self.tell("progress", {"done": self._new, "all": self.course.generation})

    def _learn(self) -> None:
        rate = self.course.rate(self.games)
        window = self.course.window(self.learner.steps * BATCH)
        for _ in range(STEPS_BETWEEN_WEIGHTS):
            which = self.replay.draw(self.generator, BATCH, window)
            self._losses.append(
                self.learner.step(self.replay.samples, which, rate, self.course.root_share)
            )
            self._debt -= BATCH
        self.published = self.learner.weights()
        current = self.folder / "current.npz"
        if age(current) > PUBLISH_SECONDS:
            save_weights(current, self.published, self.about())

    # --- generations ----------------------------------------------------------------------

    def _clear_tally(self) -> None:
        self._new = 0
        self._tally = np.zeros(16)
        self._tests: list[list[float]] = []
        self._losses: list[list[float]] = []
        self._begun = time.monotonic()

    def _close_generation(self) -> None:
        self.generation += 1
        games = max(self._tally[0], 1)
        seconds = time.monotonic() - self._begun
        self._log(
            "generation",
            generation=self.generation,
            steps=self.learner.steps,
            learnt=_means(self._losses),
            unseen=_means(self._tests),
            first_seat=round(float(self._tally[2] / games), 3),
            rounds=round(float(self._tally[3] / games), 1),
            reserved=round(float(self._tally[7] / games), 1),
            shy_share=round(float(self._tally[11] / max(self._tally[12], 1)), 3),
            games_per_second=round(float(games / seconds), 1),
            rate=round(self.course.rate(self.games), 6),
        )
        if self.generation % self.course.exam_every == 0 and self.learner.steps > 0:
            self.examine()
        self._clear_tally()

    def examine(self) -> None:
        """The gate against the best so far, and two yardsticks that stay as they are: the shipped
        network and playouts."""
        ruleset = Ruleset(self.course.players)
        best = self.folder / "best.npz"
        now = self.learner.weights()
        gate = self._meet(now, load_weights(best), EXAM_GAMES) if best.exists() else None
        shipped = shipped_for(ruleset) if has_shipped(ruleset) else None
        known = self._meet(now, shipped, EXAM_GAMES) if shipped is not None else None
        glimpsed = glimpse(now, ruleset, f"generation {self.generation}")
        (self.folder / "game.txt").write_text(glimpsed)
        passed = gate is None or gate.share >= 1 / self.course.players
        if passed:
            save_weights(best, now, self.about())
        ladder = self._meet(now, None, LADDER_GAMES)
        self._log(
            "exam",
            generation=self.generation,
            against_best=None if gate is None else round(gate.share, 3),
            passed=passed,
            against_shipped=None if known is None else round(known.share, 3),
            against_playouts=round(ladder.share, 3),
            playout_error=round(ladder.error, 3),
        )

    def _meet(self, now: Weights, other: Weights | None, games: int) -> Score:
        """The network as it is now against copies of another, or of playouts."""
        ruleset = Ruleset(self.course.players)
        visits = LADDER_VISITS if other is None else EXAM_VISITS
        challenger = Contender.as_in_play(now, EXAM_VISITS, ruleset)
        champion = Contender.as_in_play(other, visits, ruleset)
        return play(challenger, champion, games, self.generation, Rules(self.course.players))


def _means(values: list[list[float]]) -> list[float]:
    return [round(float(mean), 4) for mean in np.mean(values, 0)] if values else []
