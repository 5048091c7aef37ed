"""How strength grew: every network that was once the best of its kind, against the others.

    python benchmarks/generations.py [--players 2 3 4] [--games 240] [--visits 64]
                                     [--plot docs/img/generations.svg]

The networks are all versions of training/players-N/best.npz in git's history and the one that lies
there now. Each meets the three before it: one seat with the one against copies of the other, then
the other way round, every deal in all seats; one fit over all these games gives the Elo. Against
random playouts all of them win nearly always, so that curve says little about the later ones.
Visits alone limit the search: the same processor gives the same figures on any day. Prints a
table and, last, one JSON line.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cabochon.arena.elo import Contest, Ratings, fit
from cabochon.rules import Ruleset
from cabochon.search.net import BadWeights, Weights, about_weights, load_weights
from cabochon.train.evaluation import Contender, MatchRules, play_deals
from cabochon.train.plot import draw, elo_axis

HOME = Path(__file__).parent.parent
ELDERS = 3
"""How many networks before it each one meets."""


@dataclass(frozen=True)
class Generation:
    """A network and after how many games of training it was the best."""

    games: int
    weights: Weights


def generations(players: int) -> list[Generation]:
    """All there are, the oldest first; one that this search cannot read is left out."""
    found: dict[int, Generation] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(_versions(f"training/players-{players}/best.npz")):
            path = Path(folder) / f"{number}.npz"
            path.write_bytes(content)
            try:
                games = int(str(about_weights(path)["games"]))
                found[games] = Generation(games, load_weights(path))
            except BadWeights as fault:
                print(f"left out: {fault.en}", file=sys.stderr)
    return [found[games] for games in sorted(found)]


def _versions(name: str) -> Iterator[bytes]:
    yield (HOME / name).read_bytes()
    for commit in _git("log", "--format=%H", "--diff-filter=AM", "--", name).decode().split():
        yield _git("show", f"{commit}:{name}")


def _git(*words: str) -> bytes:
    return subprocess.run(("git", *words), cwd=HOME, check=True, capture_output=True).stdout


def rate(players: int, found: list[Generation], games: int, visits: int) -> Ratings:
    """One fit over the games of all pairs."""
    ruleset, contests = Ruleset(players), []
    contenders = [Contender.as_in_play(g.weights, visits, ruleset) for g in found]
    pairs = [(i, j) for i in range(len(found)) for j in range(max(0, i - ELDERS), i)]
    for number, (i, j) in enumerate(pairs):
        for one, other in ((i, j), (j, i)) if players > 2 else ((i, j),):
            deals = play_deals(
                contenders[one], contenders[other], games, number, MatchRules(players), 2
            )
            for row, shares in enumerate(deals):
                contests += [
                    Contest(
                        1_000_000 * number + row,
                        {one: 1, other: players - 1},
                        {one: float(share), other: 1 - float(share)},
                    )
                    for share in shares
                ]
        print(f"\r{players} players: {number + 1} of {len(pairs)} pairs", end="", file=sys.stderr)
    print(file=sys.stderr)
    return fit(contests, len(found))


def show(players: int, found: list[Generation], ratings: Ratings) -> list[dict[str, float]]:
    """Lines of the table, and their figures."""
    rows = []
    for index, generation in enumerate(found):
        elo, error = ratings.difference(index, 0)
        print(f"{players:7} {generation.games:10,} {elo:+7.0f} ± {error:.0f}", flush=True)
        row = {"games": generation.games, "elo": round(elo, 1), "error": round(error, 1)}
        rows.append(row)
    return rows


def plot(file: Path, figures: dict[int, list[dict[str, float]]]) -> None:
    curves = {
        f"{players} players": [(row["games"] / 1000, row["elo"]) for row in rows]
        for players, rows in figures.items()
    }
    values = [value for points in curves.values() for _, value in points]
    title = "Elo above the first network that was kept, equal visits"
    axis = elo_axis(min(values), max(values))
    file.write_text(draw(curves, title, "thousands of games of self-play", axis))


def main() -> None:
    parser = argparse.ArgumentParser(description="strength over training, against old selves")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], choices=(2, 3, 4))
    parser.add_argument("--games", type=int, default=240, help="of a pair, one against the other")
    parser.add_argument("--visits", type=int, default=64)
    parser.add_argument("--plot", type=Path, metavar="FILE")
    args = parser.parse_args()
    figures = {}
    print(f"{'players':>7} {'games':>10}     Elo (95 %)")
    for players in args.players:
        found = generations(players)
        ratings = rate(players, found, args.games, args.visits)
        figures[players] = show(players, found, ratings)
    if args.plot:
        plot(args.plot, figures)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
