"""Who plays the seats that are not the learner's.

    "self"                          the learner itself: every seat is its own
    "topaz"                         this bot in every other seat
    ("greedy", "uniform")           in turn order after the learner
    {"topaz": 3, "greedy": 1}       a league: for each game and seat one is drawn, by these weights

All are compiled (`cabochon.bots.minds` lists them), so a thousand games are one loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from cabochon.bots.level_twin import Minds
from cabochon.bots.minds import minds_for
from cabochon.envs.refusals import BadArgument, EnvFault, as_bad_argument, shown, within
from cabochon.envs.vector_loops import DRAWN, NOBODY
from cabochon.kernel.layout import Ints
from cabochon.rules import Ruleset

SELF = "self"
HEAVIEST = 1e9
"""No weight in a league is greater."""
CHANCE = ("uniform", "biased")
"""Those who need no minds, by their number in the loops."""

WantedOpponents: TypeAlias = str | Sequence[str] | Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Opponents:
    """`names` are all there are; `lineup` has a place in it for each seat after the learner, DRAWN
    (by the running sums of `chances`) or NOBODY. Without `minds` they play by chance."""

    names: tuple[str, ...]
    lineup: Ints
    chances: npt.NDArray[np.float64]
    minds: Minds | None

    @cached_property
    def kinds(self) -> frozenset[int]:
        """The kinds of all minds."""
        return frozenset() if self.minds is None else frozenset(self.minds.rows["kind"].tolist())

    @cached_property
    def are_uniform(self) -> bool:
        """Whether nobody but `uniform` plays, for whom little has to be compiled."""
        seated = [CHANCE.index("uniform"), NOBODY]
        return bool(self.names) and self.minds is None and bool(np.isin(self.lineup, seated).all())

    @property
    def are_drawn(self) -> bool:
        return bool(self.lineup[0] == DRAWN)


def asked_opponents(wanted: object, ruleset: Ruleset, visits: int | None) -> Opponents:
    """The opponents that the argument describes. Raises BadArgument."""
    if isinstance(wanted, str) and wanted == SELF:
        return Opponents((), np.full(3, NOBODY), np.zeros(0), None)
    if isinstance(wanted, Mapping):
        names, weights = tuple(wanted), list(wanted.values())
        return _seated(names, np.full(3, DRAWN), _chances(weights, wanted), ruleset, visits)
    seats = _names(wanted, ruleset.seats - 1)
    names = tuple(dict.fromkeys(seats))
    lineup = np.full(3, NOBODY)
    lineup[: len(seats)] = [names.index(name) for name in seats]
    return _seated(names, lineup, np.ones(1), ruleset, visits)


def _seated(
    names: tuple[str, ...],
    lineup: Ints,
    chances: npt.NDArray[np.float64],
    ruleset: Ruleset,
    visits: int | None,
) -> Opponents:
    if any(not isinstance(name, str) for name in names):
        raise _no_names(next(name for name in names if not isinstance(name, str)))
    if set(names) <= set(CHANCE):
        # The loops know them by their numbers: a league of both keeps its order.
        ordered = {name: CHANCE.index(name) for name in names}
        if lineup[0] != DRAWN:
            numbers = [ordered[names[entry]] if entry >= 0 else NOBODY for entry in lineup.tolist()]
            return Opponents(CHANCE, np.array(numbers), chances, None)
        if names == CHANCE:
            return Opponents(CHANCE, lineup, chances, None)
    with as_bad_argument():
        return Opponents(names, lineup, chances, minds_for(ruleset, names, visits))


def _chances(weights: Sequence[object], wanted: object) -> npt.NDArray[np.float64]:
    """Running sums up to 1. Raises BadArgument for weights that are none."""
    is_weight = [isinstance(weight, (int, float)) and 0 <= weight <= HEAVIEST for weight in weights]
    if not weights or not all(is_weight) or not any(weights):
        raise BadArgument(EnvFault.BAD_WEIGHTS, given=shown(wanted))
    sums = np.cumsum(np.array(weights, np.float64))
    chances: npt.NDArray[np.float64] = sums / sums[-1]
    return chances


def _names(wanted: object, count: int) -> tuple[str, ...]:
    """A bot for every other seat. Raises BadArgument for an unknown number."""
    if isinstance(wanted, str):
        return (wanted,) * count
    if not isinstance(wanted, (list, tuple)):
        raise _no_names(wanted)
    within("len(opponents)", len(wanted), count, count)
    for name in wanted:
        if not isinstance(name, str):
            raise _no_names(name)
    return tuple(wanted)


def _no_names(given: object) -> BadArgument:
    return BadArgument(EnvFault.BAD_OPPONENTS, given=shown(given))
