"""Who there is to play against: names, words and measured ratings. Nothing heavy is imported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from cabochon.version import __version__
from cabochon.words import in_all_languages

DATA = "levels.json"
RATED_PLAYERS = (2, 3, 4)
SEARCH_EDITION = 3
"""To be raised when the same visits and seed make other moves: games kept of bots before are not
theirs then."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One bot for people: its title and a sentence about it, each by language."""

    name: str

    @property
    def title(self) -> dict[str, str]:
        return in_all_languages(f"bots.{self.name}.title")

    @property
    def about(self) -> dict[str, str]:
        return in_all_languages(f"bots.{self.name}.about")


@dataclass(frozen=True, slots=True)
class Rating:
    """Elo among these bots, greedy being 1000, and half the 95 % interval against it."""

    elo: float
    error: float
    games: int


@dataclass(frozen=True, slots=True)
class Step:
    """From one level to the next weaker: the chance that the stronger, not the weaker, is ahead
    when either of the two seats wins, with its 95 % interval."""

    stronger: str
    weaker: str
    chance: float
    low: float
    high: float
    games: int


LEVEL_NAMES = ("talc", "gypsum", "calcite", "fluorite", "quartz", "topaz", "corundum", "diamond")
STYLE_NAMES = ("builder", "rusher", "hunter")
HARDNESS = dict(zip(LEVEL_NAMES, (1, 2, 3, 4, 7, 8, 9, 10), strict=True))
"""Mohs' scale of the minerals that give the levels their names."""
LEVELS = tuple(Entry(name) for name in LEVEL_NAMES)
STYLES = tuple(Entry(name) for name in STYLE_NAMES)
HOUSE_BOT = "greedy"
"""Who plays on for a seat that is away or out, or for a bot that a record cannot name."""
PLAIN = (Entry("uniform"), Entry("greedy"))
"""Bots without a measured rating that matters to people."""


@cache
def level_data() -> Mapping[str, Any]:
    """The measured file: parameters, ratings, and the commands that made them."""
    text = resources.files("cabochon.bots").joinpath("data", DATA).read_text("utf-8")
    data: Mapping[str, Any] = json.loads(text)
    return data


@cache
def network_fingerprint(players: int) -> str:
    """The first digits of the hash of the shipped network."""
    path = Path(__file__).parents[1] / "search" / "weights" / f"players-{players}.npz"
    return sha256(path.read_bytes()).hexdigest()[:12]


def engine_name() -> str:
    """The engine behind reviews. With equal names, networks, visits and seeds they are equal."""
    return f"cabochon {__version__} search {SEARCH_EDITION}"


def is_measured(players: int) -> bool:
    """Whether there are ratings; without, the levels are set by guess."""
    return bool(level_data()["ratings"][str(players)])


def is_current(players: int) -> bool:
    """Whether the ratings were measured with the network that is shipped now."""
    return bool(level_data()["networks"].get(str(players)) == network_fingerprint(players))


def ratings(players: int) -> dict[str, Rating]:
    """The measured ratings at tables of that many players, by name."""
    rows = level_data()["ratings"][str(players)]
    return {name: Rating(row["elo"], row["error"], row["games"]) for name, row in rows.items()}


def steps(players: int) -> list[Step]:
    """How far neighbouring levels are apart, the strongest first."""
    found = []
    for row in level_data()["steps"][str(players)]:
        (stronger, weaker), (low, high) = row["pair"], row["interval"]
        found.append(Step(stronger, weaker, row["chance"], low, high, row["games"]))
    return found


def titles() -> tuple[str, ...]:
    """What the bots are called, in every language."""
    return tuple(title for entry in (*PLAIN, *LEVELS, *STYLES) for title in entry.title.values())
