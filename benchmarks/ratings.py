"""How good ratings are: people whose strength is known play as many games as it takes.

Each person is as strong as some place between the weakest bot and the strongest. Games are decided
by chance, as the measured ratings say: at a table a side wins with its strength over the sum of
strengths. It prints how far the rating is from the truth after 10, 20 and 50 games (root mean
square), the deviation that the rating itself claims, and the share of people whose true strength is
within two deviations, which should be 95 %.

    fitting     the bots that the ladder proposes, two players
    three, four, teams    the same at larger tables
    people      half against other people near in rating, half against bots
    same bot    always the same bot, however far away: the hardest case
    bots off    as fitting, but every bot is as far off as its own deviation allows

The last line is JSON.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp, sqrt
from random import Random

from cabochon.bots.roster import LEVEL_NAMES
from cabochon.ratings import (
    Contestant,
    FixedPoint,
    Strength,
    first_strength,
    fixed_point,
    kind_of,
    rated,
)
from cabochon.ratings.strength import ELO_SCALE
from cabochon.rules import Ruleset

LOOKS = (10, 20, 50)
WHIM = 100.0
"""People don't always take the bot that fits best."""
CROWD = 60
"""People who play among one another."""


@dataclass(slots=True)
class Person:
    """Somebody whose strength we know."""

    strength: float
    rating: Strength
    seen: dict[int, tuple[float, float]] = field(default_factory=dict)

    def note(self) -> None:
        if self.rating.games in LOOKS:
            error = self.rating.value - self.strength
            self.seen[self.rating.games] = (error, self.rating.deviation)


@dataclass(frozen=True, slots=True)
class Scene:
    """One way to play: the rules, which bot somebody takes, and how far off bots really are."""

    ruleset: Ruleset
    same: bool = False
    off: bool = False
    crowd: bool = False


SCENES = {
    "fitting": Scene(Ruleset.preset("standard", 2)),
    "three": Scene(Ruleset.preset("standard", 3)),
    "four": Scene(Ruleset.preset("standard", 4)),
    "teams": Scene(Ruleset.preset("teams", 4)),
    "people": Scene(Ruleset.preset("standard", 2), crowd=True),
    "same bot": Scene(Ruleset.preset("standard", 2), same=True),
    "bots off": Scene(Ruleset.preset("standard", 2), off=True),
}


class World:
    """Bots as they are said to be, and as they are."""

    def __init__(self, scene: Scene, random: Random) -> None:
        self.scene, self.random = scene, random
        found = (fixed_point(name, scene.ruleset) for name in LEVEL_NAMES)
        self.bots = [point for point in found if point is not None]

    def person(self) -> Person:
        low, high = self.bots[0].value, self.bots[-1].value
        start = first_strength(kind_of(self.scene.ruleset))
        return Person(self.random.uniform(low, high), start)

    def truths(self) -> dict[str, float]:
        spread = self.random.gauss if self.scene.off else lambda value, _: value
        return {bot.bot: spread(bot.value, bot.deviation) for bot in self.bots}

    def fitting(self, person: Person) -> FixedPoint:
        wish = person.rating.value + self.random.gauss(0, WHIM)
        return min(self.bots, key=lambda bot: abs(bot.value - wish))

    def play_bots(self, person: Person, truths: dict[str, float], same: FixedPoint) -> None:
        """One game against bots; with teams the partner is one as well."""
        seats = self.scene.ruleset.seats
        bots = [same if self.scene.same else self.fitting(person) for _ in range(seats - 1)]
        contestants = [Contestant(0, person.rating)] + [
            Contestant(self.scene.ruleset.side(seat)[0], Strength(bot.value, bot.deviation), True)
            for seat, bot in enumerate(bots, 1)
        ]
        strengths = [person.strength] + [truths[bot.bot] for bot in bots]
        person.rating = rated(contestants, [self.winner(contestants, strengths)])[0]
        person.note()

    def play_people(self, one: Person, other: Person) -> None:
        contestants = [Contestant(0, one.rating), Contestant(1, other.rating)]
        winner = self.winner(contestants, [one.strength, other.strength])
        one.rating, other.rating = rated(contestants, [winner])
        one.note()
        other.note()

    def winner(self, contestants: Sequence[Contestant], strengths: Sequence[float]) -> int:
        sides: dict[int, list[float]] = {}
        for one, strength in zip(contestants, strengths, strict=True):
            sides.setdefault(one.side, []).append(strength)
        weights = [exp(sum(each) / len(each) / ELO_SCALE) for each in sides.values()]
        return self.random.choices(list(sides), weights)[0]


def alone(world: World, count: int) -> list[Person]:
    people = []
    for _ in range(count):
        person, truths = world.person(), world.truths()
        same = world.random.choice(world.bots)
        while person.rating.games < LOOKS[-1]:
            world.play_bots(person, truths, same)
        people.append(person)
    return people


def crowds(world: World, count: int) -> list[Person]:
    people: list[Person] = []
    while len(people) < count:
        crowd, truths = [world.person() for _ in range(CROWD)], world.truths()
        while min(person.rating.games for person in crowd) < LOOKS[-1]:
            for person in crowd:
                if world.random.random() < 0.5:
                    world.play_bots(person, truths, world.bots[0])
                    continue
                world.play_people(person, world.random.choice(_near(crowd, person)))
        people += crowd
    return people


def _near(crowd: Sequence[Person], person: Person) -> list[Person]:
    """The eight whose rating is nearest."""
    others = [each for each in crowd if each is not person]
    others.sort(key=lambda each: abs(each.rating.value - person.rating.value))
    return others[:8]


def figures(people: Sequence[Person]) -> list[dict[str, float]]:
    rows = []
    for games in LOOKS:
        found = [person.seen[games] for person in people]
        rows.append(
            {
                "games": games,
                "error": round(sqrt(sum(error**2 for error, _ in found) / len(found)), 1),
                "deviation": round(sum(deviation for _, deviation in found) / len(found), 1),
                "inside": round(
                    sum(abs(error) <= 2 * deviation for error, deviation in found) / len(found), 4
                ),
            }
        )
    return rows


def measured(count: int, seed: str) -> dict[str, list[dict[str, float]]]:
    """By scene, after each number of games."""
    found = {}
    for name, scene in SCENES.items():
        world = World(scene, Random(f"{seed} {name}"))
        way: Callable[[World, int], list[Person]] = crowds if scene.crowd else alone
        found[name] = figures(way(world, count))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=2000)
    parser.add_argument("--seed", default="ratings")
    options = parser.parse_args()
    found = measured(options.people, options.seed)
    print(f"{'':10}" + "".join(f"{f'after {games} games':>28}" for games in LOOKS))
    print(f"{'':10}" + f"{'error':>10}{'claimed':>9}{'inside':>9}" * len(LOOKS))
    for name, rows in found.items():
        cells = (f"{r['error']:10.0f}{r['deviation']:9.0f}{r['inside']:9.1%}" for r in rows)
        print(f"{name:10}" + "".join(cells))
    print(json.dumps({"benchmark": "ratings", "people": options.people, "scenes": found}))


if __name__ == "__main__":
    main()
