"""Rough puzzles in progress: a file that grows game by game, so that an interrupted run can go
on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cabochon.puzzles.puzzle import Hunt, PuzzleTheme

SEATS = {Hunt.ALL: (2, 3, 2, 4), Hunt.FORCED: (2, 3, 2, 4), Hunt.NOBLES: (3, 4)}
"""Of game after game. With two players it is over before a second noble could matter."""
ROUGH_FORMAT = "cabochon-rough-puzzles 1"
SIEVE = 3
"""Raised whenever the same games would give other puzzles. What another sieve has left in a folder
is not gone on with: a command and a seed make the same file only with the same sieve. The first one
asked for one search at the gate, the second for two, this one for a third without the answer."""

ToldOpinions = tuple[tuple[int, float, float, tuple[int, ...]], ...]
"""Of each action: its value, its prior, and the actions that follow, beginning with itself."""


@dataclass(frozen=True, slots=True)
class RoughPuzzle:
    """What the sieve keeps: the whole truth of the position, the theme, the answer as an action of
    the kernel, in how many turns, and what the engine thought of every action."""

    position: str
    seats: int
    theme: PuzzleTheme
    action: int
    turns: int
    opinions: ToldOpinions = ()


@dataclass(frozen=True, slots=True)
class QuarryShare:
    """Which games are played here: every `parts`-th, from `part` on."""

    seed: int
    games: int
    part: int = 0
    parts: int = 1
    hunt: Hunt = Hunt.ALL

    def numbers(self) -> range:
        return range(self.part, self.games, self.parts)

    def file(self, folder: Path) -> Path:
        name = f"{self.hunt}-{self.seed}-sieve-{SIEVE}-part-{self.part}-of-{self.parts}.jsonl"
        return folder / name


@dataclass(frozen=True, slots=True)
class Quarried:
    """What one command has played: so many of its games, with which sieve."""

    hunt: Hunt
    seed: int
    games: int
    played: int
    sieve: int = SIEVE
    """0 if it was changed midway."""

    @property
    def command(self) -> str:
        """With how many games were played when it was stopped, if it was."""
        option = "" if self.hunt is Hunt.ALL else f" --{self.hunt}"
        stopped = f" (stopped after {self.played} games)" if self.played < self.games else ""
        return f"cabochon puzzles make --games {self.games} --seed {self.seed}{option}{stopped}"


def game_seed(seed: int, game: int) -> int:
    """Of the game with that number."""
    return (seed << 32) + game


def quarry(share: QuarryShare, folder: Path) -> None:
    """Play the games that are still to be played; every game is one line of the file."""
    from cabochon.puzzles.sieve import Sieve

    folder.mkdir(parents=True, exist_ok=True)
    path = share.file(folder)
    done, _ = _so_far(path)
    sieves: dict[int, Sieve] = {}
    with path.open("a", encoding="utf-8") as file:
        for number in share.numbers():
            if number in done:
                continue
            cycle = SEATS[share.hunt]
            seats = cycle[number % len(cycle)]
            if seats not in sieves:
                sieves[seats] = Sieve(seats, share.hunt)
            puzzles = list(sieves[seats].game(game_seed(share.seed, number)))
            line = {"format": ROUGH_FORMAT, "game": number, "puzzles": [asdict(p) for p in puzzles]}
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()


def progress_of(shares: Iterable[QuarryShare], folder: Path) -> tuple[int, int]:
    """Games played and puzzles found so far."""
    each = [_so_far(share.file(folder)) for share in shares]
    return sum(len(done) for done, _ in each), sum(found for _, found in each)


def _so_far(path: Path) -> tuple[set[int], int]:
    lines = list(_lines(path))
    return {line["game"] for line in lines}, sum(len(line["puzzles"]) for line in lines)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The whole lines of the file; one that was cut off in the middle is as if it were not."""
    if not path.exists():
        return
    for line in path.read_text("utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue


def read_rough(folder: Path) -> list[tuple[str, RoughPuzzle]]:
    """All that lie in the folder, each with where it came from (seed and game), in the order of
    games."""
    found: list[tuple[tuple[int, int], RoughPuzzle]] = []
    for path in _files(folder):
        seed = int(path.name.split("-")[1])
        for line in _lines(path):
            found += [((seed, line["game"]), _rough(row)) for row in line["puzzles"]]
    found.sort(key=lambda pair: pair[0])
    return [(f"{seed}/{game}", puzzle) for (seed, game), puzzle in found]


def _files(folder: Path) -> list[Path]:
    """Those of this sieve."""
    return sorted(path for hunt in Hunt for path in folder.glob(f"{hunt}-*-sieve-{SIEVE}-*.jsonl"))


def quarried_in(folder: Path) -> list[Quarried]:
    """What makes the same rough puzzles once more, one for each seed and kind."""
    played: dict[tuple[str, int], set[int]] = {}
    for path in _files(folder):
        hunt, seed = path.name.split("-")[:2]
        played.setdefault((hunt, int(seed)), set()).update(line["game"] for line in _lines(path))
    return [
        Quarried(Hunt(hunt), seed, max(games, default=-1) + 1, len(games))
        for (hunt, seed), games in sorted(played.items())
    ]


def _rough(row: dict[str, Any]) -> RoughPuzzle:
    opinions = tuple((a, value, prior, tuple(line)) for a, value, prior, line in row["opinions"])
    return RoughPuzzle(
        row["position"],
        row["seats"],
        PuzzleTheme(row["theme"]),
        row["action"],
        row["turns"],
        opinions,
    )
