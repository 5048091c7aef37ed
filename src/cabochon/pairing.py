"""Who plays with whom, of those who wait for a game.

    paired(waiting, seats=2, now_ms=now)    the groups that can sit down now

Those who have waited longest choose first, and get the nearest ratings that are free. A group sits
down when its ratings lie no further apart than its people, on average, put up with; and that grows
while they wait. Nobody sits with somebody they avoid, or who avoids them. The same people and the
same time always give the same groups, in whatever order they are handed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from cabochon.rules.errors import check_whole

FURTHEST = 64
"""Neighbours looked at on either side: somebody whom many avoid costs no more than that."""
_SECOND = 1000


@dataclass(frozen=True, slots=True)
class Waiting:
    """Somebody who waits, since when, and for whom they don't wait."""

    who: str
    rating: float
    since_ms: int
    avoids: frozenset[str] = frozenset()

    def gets_along_with(self, other: Waiting) -> bool:
        return other.who not in self.avoids and self.who not in other.avoids


@dataclass(frozen=True, slots=True)
class Patience:
    """How far apart ratings may be: `first` at once, `growth` more with each second, `most` in the
    end. Somebody who would wait longer than `bot_after_s` may like a bot better."""

    first: float = 100.0
    growth: float = 10.0
    most: float = 1200.0
    bot_after_s: float = 20.0

    def width(self, waited_ms: int) -> float:
        return min(self.most, self.first + self.growth * max(0, waited_ms) / _SECOND)


PATIENCE = Patience()
UNHURRIED = Patience(first=100.0, growth=100.0 / 600, most=1200.0, bot_after_s=60.0)
"""For games with a day per turn: a hundred points more for every ten minutes."""

Group: TypeAlias = tuple[Waiting, ...]
"""Those who sit down together, longest wait first."""


def paired(
    waiting: Iterable[Waiting], seats: int, now_ms: int, patience: Patience = PATIENCE
) -> list[Group]:
    """The groups of `seats` that can sit down now, those who waited longest first; nobody is in
    two.

    Raises WrongArgument for fewer than two seats.
    """
    check_whole("seats", seats, 2)
    line = _Line(waiting)
    groups = []
    for place in line.by_arrival():
        if line.is_free(place):
            best = _nearest(line, place, seats)
            if best is not None and _are_near_enough(line.at(best), now_ms, patience):
                line.remove(best)
                groups.append(_in_order(line.at(best)))
    return groups


def spread(group: Sequence[Waiting]) -> float:
    """How far apart the ratings are."""
    ratings = [person.rating for person in group]
    return max(ratings) - min(ratings)


class _Line:
    """Everybody in the order of ratings; the gap closes behind those who leave."""

    def __init__(self, waiting: Iterable[Waiting]) -> None:
        self.people = sorted(waiting, key=lambda one: (one.rating, one.since_ms, one.who))
        count = len(self.people)
        self._free = [True] * count
        self._lower = list(range(-1, count - 1))
        self._higher = list(range(1, count + 1))

    def by_arrival(self) -> list[int]:
        people = self.people
        return sorted(range(len(people)), key=lambda at: (people[at].since_ms, people[at].who))

    def is_free(self, place: int) -> bool:
        return self._free[place]

    def at(self, places: Iterable[int]) -> list[Waiting]:
        return [self.people[place] for place in places]

    def below(self, place: int) -> Iterator[int]:
        """The free places under this one, the nearest first."""
        for _ in range(FURTHEST):
            place = self._lower[place]
            if place < 0:
                return
            yield place

    def above(self, place: int) -> Iterator[int]:
        for _ in range(FURTHEST):
            place = self._higher[place]
            if place >= len(self.people):
                return
            yield place

    def remove(self, places: Iterable[int]) -> None:
        for place in places:
            lower, higher = self._lower[place], self._higher[place]
            self._free[place] = False
            if lower >= 0:
                self._higher[lower] = higher
            if higher < len(self.people):
                self._lower[higher] = lower


def _nearest(line: _Line, place: int, seats: int) -> list[int] | None:
    """The group around this place whose ratings lie closest together: some from below, the others
    from above. None if there are too few who get along."""
    best, best_spread = None, float("inf")
    for below in range(seats):
        group = _gathered(line, place, below, seats - 1 - below)
        if group is not None:
            apart = spread(line.at(group))
            if apart < best_spread:
                best, best_spread = group, apart
    return best


def _gathered(line: _Line, place: int, below: int, above: int) -> list[int] | None:
    """So many of the nearest below and above who get along with everybody gathered so far."""
    group = [place]
    for count, neighbours in ((below, line.below(place)), (above, line.above(place))):
        wanted = len(group) + count
        for other in neighbours:
            if len(group) == wanted:
                break
            if all(line.people[other].gets_along_with(one) for one in line.at(group)):
                group.append(other)
        if len(group) < wanted:
            return None
    return group


def _are_near_enough(group: Sequence[Waiting], now_ms: int, patience: Patience) -> bool:
    widths = [patience.width(now_ms - person.since_ms) for person in group]
    return spread(group) <= sum(widths) / len(widths)


def _in_order(group: Iterable[Waiting]) -> Group:
    return tuple(sorted(group, key=lambda one: (one.since_ms, one.who)))
