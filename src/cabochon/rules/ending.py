"""The end: the round is finished, most points win, then fewest bought cards, else shared."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cabochon.rules.facts import Facts

# How a game ended.


class Ending(StrEnum):
    """Why a game is over by the rules."""

    TARGET = "target"
    """Somebody reached the points, and the round was finished."""
    STALLED = "stalled"
    """A whole round of forced passes: nothing could change any more."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Per seat: rank (1 is best, equal ranks are shared), points and bought cards, pooled in
    teams."""

    ranking: tuple[int, ...]
    ending: Ending
    points: tuple[int, ...]
    cards: tuple[int, ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the victory; usually one, or the two partners of a team."""
        return tuple(seat for seat, rank in enumerate(self.ranking) if rank == 1)


def target_reached(facts: Facts) -> bool:
    """Whether any seat, or team, has the points that bring the last round."""
    return any(facts.points(seat) >= facts.ruleset.target for seat in range(facts.ruleset.seats))


def outcome_of(facts: Facts) -> Outcome:
    """The ranking as things stand; only a finished game's is final."""
    seats = range(facts.ruleset.seats)
    points = tuple(facts.points(seat) for seat in seats)
    cards = tuple(
        sum(len(facts.hands[mate].bought) for mate in facts.ruleset.side(seat)) for seat in seats
    )
    ranking = ranks([(points[seat], -cards[seat]) for seat in seats])
    complete = facts.last_round and facts.turn % facts.ruleset.seats == 0
    return Outcome(ranking, Ending.TARGET if complete else Ending.STALLED, points, cards)


def ranking_without(facts: Facts, out: Collection[int]) -> tuple[int, ...]:
    """The ranking as things stand when the seats in `out` have left the game: they, and in teams
    their partners, come last."""
    outcome = outcome_of(facts)
    sides = [facts.ruleset.side(seat) for seat in range(facts.ruleset.seats)]
    return ranks(
        [
            (not any(mate in out for mate in side), points, -cards)
            for side, points, cards in zip(sides, outcome.points, outcome.cards, strict=True)
        ]
    )


def ranks(merits: Sequence[tuple[Any, ...]]) -> tuple[int, ...]:
    """Competition ranks, 1 for the highest merit; equal merits share the better rank."""
    return tuple(1 + sum(other > mine for other in merits) for mine in merits)
