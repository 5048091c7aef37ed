"""What strong bots do, in figures: the lessons quote them from `data/figures.json`.

`cabochon lessons figures` plays the games and writes the file; the same command makes the same
file, whatever machine it runs on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from cabochon.lessons.gamefigures import SeatStory, StudiedGame, WatchedTask, watch_game
from cabochon.workers import Executor

FIGURES = "figures.json"
FIGURES_FORMAT = "cabochon-lesson-figures 1"
GAMES = {2: 300, 3: 100, 4: 100}
VISITS = 400
SEED = 1
BANDS = ((1, 5), (6, 10), (11, 15), (16, 20), (21, 25))
"""Rounds that are counted together."""
MARKS = (5, 10, 15, 20)
"""Rounds after which the points are looked at."""

Teller = Callable[[int, int], None]


def make_figures(
    games: Mapping[int, int], visits: int, seed: int, executor: Executor, tell: Teller
) -> dict[str, Any]:
    """Play so many games for each number of players, and count."""
    total, done, players = sum(games.values()), 0, {}
    for seats, count in games.items():
        tasks = [WatchedTask(seats, number, visits, seed) for number in range(count)]
        watched = []
        for game in executor.map(watch_game, tasks):
            watched.append(game)
            done += 1
            tell(done, total)
        players[str(seats)] = count_games(watched)
    return {
        "format": FIGURES_FORMAT,
        "command": f"cabochon lessons figures --visits {visits} --seed {seed}",
        "visits": visits,
        "seed": seed,
        "players": players,
    }


def count_games(games: Sequence[StudiedGame]) -> dict[str, Any]:
    """The figures of games with one number of players; shares are per cent of 100."""
    rounds = sorted(game.rounds for game in games)
    winners = [game.seats[seat] for game in games for seat in game.winners]
    everybody = [story for game in games for story in game.seats]
    turns = sum(story.turns for story in everybody)
    reserves = [one for story in everybody for one in story.reserves]
    return {
        "games": len(games),
        "rounds": {
            "mean": _mean(rounds),
            "short": rounds[len(rounds) // 10],
            "long": rounds[len(rounds) * 9 // 10],
        },
        "first_seat_wins": _share([0 in game.winners for game in games]),
        "level_on_points": _share([game.is_level for game in games]),
        "turns": {
            "takes": _per_cent(sum(story.takes for story in everybody), turns),
            "pairs": _per_cent(sum(story.pairs for story in everybody), turns),
            "reserves": _per_cent(len(reserves), turns),
            "buys": _per_cent(sum(len(story.buys) for story in everybody), turns),
        },
        "reserves": {
            "a_seat": _mean([len(story.reserves) for story in everybody]),
            "denying": _share([denies for _, denies in reserves]),
            "by_round": [_band(everybody, *band) for band in BANDS],
        },
        "winner": _winner(winners),
    }


def _winner(winners: Sequence[SeatStory]) -> dict[str, Any]:
    """What those had who won."""
    levels = {
        f"level_{level}": _mean([sum(buy[1] == level for buy in s.buys) for s in winners])
        for level in (1, 2, 3)
    }
    points = sum(story.points[-1] for story in winners)
    return {
        "cards": _mean([len(story.buys) for story in winners]),
        **levels,
        "nobles": _mean([story.nobles for story in winners]),
        "without_noble": _share([story.nobles == 0 for story in winners]),
        "points_from_nobles": _per_cent(3 * sum(story.nobles for story in winners), points),
        "first_points_round": _mean([_first_points(story) for story in winners]),
        "points_after": {
            str(mark): _mean([s.points[min(mark, len(s.points)) - 1] for s in winners])
            for mark in MARKS
        },
        "last_five_turns": _per_cent(
            sum(story.points[-1] - story.points[-6] for story in winners), points
        ),
    }


def _first_points(story: SeatStory) -> int:
    """The round after which there was a first point."""
    return next(number for number, points in enumerate(story.points, start=1) if points)


def _band(stories: Iterable[SeatStory], first: int, last: int) -> dict[str, Any]:
    """How many turns of those rounds went into reserving."""
    turns = reserves = 0
    for story in stories:
        turns += max(0, min(last, len(story.points)) - first + 1)
        reserves += sum(first <= number <= last for number, _ in story.reserves)
    return {"from": first, "to": last, "reserves": _per_cent(reserves, turns)}


def _mean(numbers: Sequence[int]) -> float:
    return round(sum(numbers) / len(numbers), 1)


def _share(flags: Sequence[bool]) -> int:
    return _per_cent(sum(flags), len(flags))


def _per_cent(part: int, whole: int) -> int:
    return round(100 * part / whole) if whole else 0


@cache
def shipped_figures() -> dict[str, Any]:
    """The figures in the package."""
    text = resources.files("cabochon.lessons").joinpath("data", FIGURES).read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    if found["format"] != FIGURES_FORMAT:
        raise ValueError(found["format"])
    return found


def format_figures(figures: Mapping[str, Any]) -> str:
    """The file."""
    return json.dumps(figures, indent=2) + "\n"


@cache
def figure_words() -> Mapping[str, str]:
    """The figures of games for two as sentences quote them: `{rounds}`, `{after_10}` …"""
    two = shipped_figures()["players"]["2"]
    winner = two["winner"]
    found: dict[str, object] = {
        "games": two["games"],
        "rounds": round(two["rounds"]["mean"]),
        "level": two["level_on_points"],
        "reserves": two["turns"]["reserves"],
        "reserves_a_seat": round(two["reserves"]["a_seat"]),
        "denying": two["reserves"]["denying"],
        "winner_cards": round(winner["cards"]),
        "winner_level_1": round(winner["level_1"]),
        "without_noble": winner["without_noble"],
        "from_nobles": winner["points_from_nobles"],
        "first_points": round(winner["first_points_round"]),
        "after_10": winner["points_after"]["10"],
        "after_20": winner["points_after"]["20"],
        "last_five": winner["last_five_turns"],
    }
    return {name: str(value) for name, value in found.items()}
