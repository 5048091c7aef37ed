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

DATA = "levels.json"
RATED_PLAYERS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Entry:
    """One bot for people: its title and a sentence about it, each in English and Chinese."""

    name: str
    title: Mapping[str, str]
    about: Mapping[str, str]


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


def _entry(name: str, title: tuple[str, str], about: tuple[str, str]) -> Entry:
    en, zh = title
    return Entry(name, {"en": en, "zh": zh}, {"en": about[0], "zh": about[1]})


LEVELS = (
    _entry(
        "talc",
        ("Talc", "滑石"),
        ("Softest: goes for what it can see and often misjudges it.", "最软：只看眼前，常常看错。"),
    ),
    _entry(
        "gypsum",
        ("Gypsum", "石膏"),
        ("Still errs often, though not at every turn.", "仍常出错，但并非步步都错。"),
    ),
    _entry(
        "calcite",
        ("Calcite", "方解石"),
        ("Has a hunch, and often mistrusts it.", "有些直觉，却常常不信。"),
    ),
    _entry(
        "fluorite",
        ("Fluorite", "萤石"),
        ("Has a feeling for good moves, a vague one.", "对好棋有感觉，只是有些模糊。"),
    ),
    _entry(
        "quartz",
        ("Quartz", "石英"),
        ("Plays by feeling, without looking ahead.", "凭感觉下，不作推算。"),
    ),
    _entry(
        "topaz",
        ("Topaz", "黄玉"),
        ("Good feeling, and hardly a glance ahead.", "感觉敏锐，很少推算。"),
    ),
    _entry(
        "corundum",
        ("Corundum", "刚玉"),
        ("Looks ahead and blocks; hard to beat.", "会推算也会阻截，很难战胜。"),
    ),
    _entry(
        "diamond",
        ("Diamond", "金刚石"),
        ("The hardest: all it knows, all the time it has.", "最硬：用尽所知，用尽所给的时间。"),
    ),
)
STYLES = (
    _entry(
        "builder",
        ("Engine builder", "引擎流"),
        ("Buys many cheap cards first; points come late.", "先买许多便宜的牌，后期才得分。"),
    ),
    _entry(
        "rusher",
        ("Rusher", "速攻流"),
        ("Few cards, dear ones, straight to the target.", "少而贵的牌，直奔目标分。"),
    ),
    _entry(
        "hunter",
        ("Noble hunter", "贵族流"),
        ("Gathers the bonuses that nobles want.", "专攒贵族想要的加成。"),
    ),
)
LEVEL_NAMES = tuple(entry.name for entry in LEVELS)
STYLE_NAMES = tuple(entry.name for entry in STYLES)


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
