"""Finding the levels: from the strongest down, each where the one above beats it as it should.

Candidates lie on a path from strong to weak; a place on it is a number, 2.5 halfway from the third
to the fourth. The next level is looked for by matches with the level above it, and with nobody
else: a search and a look at one move beat one another by other margins than their ratings through
others say. Each match moves the place until the step is right; a right step is played on to be
sure of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log

from cabochon.arena.ladder import Ladder, Rung
from cabochon.bots.levels import PREFIX, Judgement

PROMISE = (0.64, 0.80)
"""What a step between neighbouring levels must be."""
_SAFE = (0.705, 0.775)
_GAP = 190.0
"""Elo between levels: 75 %. Wide, so that few levels reach far down."""
_PROBES = 7
_LEAST, _FARTHEST = 0.05, 2.0
"""How far a place moves at once, on the path."""

Path = tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is tried: a path from strong to weak; how many levels; the games of a pair while
    looking, and to be sure of a step."""

    path: Path
    levels: int = 7
    looking: int = 120
    measuring: int = 400


@dataclass(frozen=True, slots=True)
class Probe:
    """A place, and how far below the level above it was found."""

    place: float
    below: float


def spelling(judgement: Judgement) -> str:
    """The name under which a candidate enters the arena."""
    return f"{PREFIX}{judgement}"


def calibrate(ladder: Ladder, plan: Plan) -> tuple[list[Judgement], list[Rung]]:
    """The levels, the strongest first, and the steps between them. Games that are on the ladder
    already count, so that doing it again with more of them corrects what they have shown."""
    chosen, rungs, place = [plan.path[0]], [], 0.0
    for _ in range(plan.levels - 1):
        place, rung = _below(ladder, plan, place, chosen[-1])
        chosen.append(candidate(plan.path, place))
        rungs.append(rung)
    return chosen, rungs


def _below(ladder: Ladder, plan: Plan, top: float, above: Judgement) -> tuple[float, Rung]:
    """The place of the next level, and the step to it: the first that is right, or the nearest."""
    probes = [Probe(top, 0.0)]
    found: dict[float, Rung] = {}
    place = top + 1.0
    for _ in range(_PROBES):
        while candidate(plan.path, place) == above:
            place += _LEAST
        pair = spelling(above), spelling(candidate(plan.path, place))
        rung = ladder.play(*pair, plan.looking)
        if _is_safe(rung):
            rung = ladder.play(*pair, plan.measuring)
        found[place] = rung
        if _is_safe(rung):
            break
        probes.append(Probe(place, rung.difference))
        place = next_place(probes)
    best = min(found, key=lambda p: abs(found[p].difference - _GAP))
    return best, found[best]


def _is_safe(rung: Rung) -> bool:
    return _SAFE[0] <= rung.chance <= _SAFE[1]


def next_place(probes: Sequence[Probe]) -> float:
    """Where the gap is right, as far as the probes tell; the first is the level above itself."""
    upper = max((p for p in probes if p.below < _GAP), key=lambda p: p.place)
    lower = [p for p in probes if p.below >= _GAP and p.place > upper.place]
    if lower:
        nearest = min(lower, key=lambda p: p.place)
        part = (_GAP - upper.below) / (nearest.below - upper.below)
        return upper.place + min(max(part, 0.1), 0.9) * (nearest.place - upper.place)
    slope = max(upper.below, 20.0) / (upper.place - probes[0].place)
    return upper.place + min(max((_GAP - upper.below) / slope, _LEAST), _FARTHEST)


def candidate(path: Path, place: float) -> Judgement:
    """Between neighbours of one sight a mixture: visits on a logarithmic scale, blur on a plain
    one; between sights the nearer; past the end ever more blurred."""
    last = len(path) - 1
    if place >= last:
        blur = path[-1].blur + (place - last) * (path[-1].blur - path[-2].blur)
        return replace(path[-1], blur=round(min(blur, 99.0), 2))
    index = int(place)
    part = place - index
    upper, lower = path[index], path[index + 1]
    if upper.sight is not lower.sight:
        return upper if part < 0.5 else lower
    visits = round(exp((1 - part) * log(upper.visits) + part * log(lower.visits)))
    blur = round((1 - part) * upper.blur + part * lower.blur, 2)
    return replace(upper, visits=visits, blur=blur)
