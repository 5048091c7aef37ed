"""What strong bots do, in figures: the lessons quote them from `data/figures.json`.

`cabochon lessons figures` plays the games and writes the file; the same command makes the same
file, whatever machine it runs on.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from cabochon.limit import Limit
from cabochon.rules import (
    Buy,
    Card,
    Move,
    Phase,
    Position,
    Reserve,
    Ruleset,
    ShuffledDealer,
    Take,
)
from cabochon.rules.buying import missing
from cabochon.rules.cards import NOBLE_POINTS
from cabochon.workers import Executor

# Games between strong bots, watched: what the lessons say about good play is counted here.


@dataclass(frozen=True, slots=True)
class WatchedTask:
    """Which game: the same task is always the same game."""

    seats: int
    number: int
    visits: int
    seed: int


@dataclass(slots=True)
class SeatStory:
    """What one seat did, each entry with the round it happened in."""

    takes: int = 0
    pairs: int = 0
    reserves: list[tuple[int, bool]] = field(default_factory=list)
    """The round, and whether an opponent could have bought that card at once."""
    buys: list[tuple[int, int, int]] = field(default_factory=list)
    """The round, the level and the points of the card."""
    nobles: int = 0
    points: list[int] = field(default_factory=list)
    """After each round."""

    @property
    def turns(self) -> int:
        return self.takes + len(self.reserves) + len(self.buys)


@dataclass(frozen=True, slots=True)
class StudiedGame:
    """One finished game."""

    seats: tuple[SeatStory, ...]
    rounds: int
    winners: tuple[int, ...]
    is_level: bool
    """Whether somebody else had as many points as the winner, and more cards."""


def watch_game(task: WatchedTask) -> StudiedGame:
    """Play it: every seat is the shipped network with that many visits per decision."""
    # Not above: a server reads the figures that this made, and must not load the search.
    from cabochon.search import Searcher, shipped_for

    ruleset = Ruleset(seats=task.seats)
    dealer = ShuffledDealer(f"lessons {task.seed} {task.seats} {task.number}")
    position = Position.start(ruleset, dealer.opening(ruleset))
    searcher = Searcher(shipped_for(ruleset))
    stories = tuple(SeatStory() for _ in range(task.seats))
    decisions = 0
    while position.phase is not Phase.OVER:
        before = position
        if position.phase is Phase.DEAL:
            position = position.deal(dealer.deal(position))
        else:
            limit = Limit(visits=task.visits, seed=decisions)
            move = searcher.analyse(position.view(position.seat), limit).best
            _note(stories[position.seat], position, move)
            position = position.play(move)
            decisions += 1
        if position.turn != before.turn:
            stories[before.seat].points.append(position.hands[before.seat].points)
    return _finished(position, stories)


def _note(story: SeatStory, position: Position, move: Move) -> None:
    if isinstance(move, Take):
        story.takes += 1
        story.pairs += 2 in move.gems
    elif isinstance(move, Buy):
        story.buys.append((position.round, move.card.level, move.card.points))
    elif isinstance(move, Reserve):
        target = move.target
        denies = isinstance(target, Card) and _is_in_reach(position, target)
        story.reserves.append((position.round, denies))


def _is_in_reach(position: Position, card: Card) -> bool:
    """Whether an opponent could buy the card now."""
    return any(
        missing(card, position.bonuses(seat), position.hands[seat].tokens) == 0
        for seat in range(position.ruleset.seats)
        if seat != position.seat
    )


def _finished(position: Position, stories: tuple[SeatStory, ...]) -> StudiedGame:
    outcome = position.outcome()
    assert outcome is not None
    for story, hand in zip(stories, position.hands, strict=True):
        story.nobles = len(hand.nobles)
    best = max(outcome.points)
    is_level = sum(points == best for points in outcome.points) > 1
    return StudiedGame(stories, position.round, outcome.winners, is_level)


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
    """Play that many games for each number of players, and count."""
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
        "points_from_nobles": _per_cent(
            NOBLE_POINTS * sum(story.nobles for story in winners), points
        ),
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
