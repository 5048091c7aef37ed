"""What is to be played: entrants, tables, deals. A match is a value; it fixes every card and every
seed, so that the same match gives the same games wherever and in whatever order they are played.

    match ─▶ rounds (one per deal) ─▶ blocks (one per table) ─▶ games (one per rotation of seats)
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, permutations
from typing import TypeAlias

from cabochon.arena.entrants import ArenaError, ArenaFault, Entrant
from cabochon.rules import Ruleset

Lineup: TypeAlias = tuple[int, ...]
"""Which entrant sits on each chair, before the rotation."""

MOST_GAMES = 10_000_000


class Seating(StrEnum):
    """Which tables the entrants sit down at."""

    MIXED = "mixed"
    """Every choice of as many different entrants as there are chairs."""
    LONE = "lone"
    """Of every two entrants, each once alone against copies of the other."""
    GAUNTLET = "gauntlet"
    """The first entrant alone against copies of every other one."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What a sequential test decides between: the first entrant is `low` Elo better than the
    others, or `high`; each wrong answer has at most the chance `error`."""

    low: float
    high: float
    error: float = 0.05


@dataclass(frozen=True, slots=True)
class Block:
    """One table playing one deal in every rotation: the smallest piece of work."""

    deal: int
    table: Lineup


@dataclass(frozen=True, slots=True)
class Match:
    """Raises ArenaError for a match that cannot be played."""

    entrants: tuple[Entrant, ...]
    ruleset: Ruleset
    games: int
    seed: str = "0"
    seating: Seating = Seating.MIXED
    stop: Hypotheses | None = None

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise ArenaError(ArenaFault.TOO_FEW_ENTRANTS, count=len(self.entrants))
        texts = [entrant.text for entrant in self.entrants]
        for text in texts:
            if texts.count(text) > 1:
                raise ArenaError(ArenaFault.ENTRANT_TWICE, name=text)
        if not 1 <= self.games <= MOST_GAMES:
            raise ArenaError(ArenaFault.BAD_GAMES, games=self.games, most=MOST_GAMES)
        if self.seating is Seating.MIXED and len(self.entrants) < self.sides:
            raise ArenaError(
                ArenaFault.NOT_ENOUGH_FOR_MIXED, count=len(self.entrants), sides=self.sides
            )

    @property
    def sides(self) -> int:
        """How many parties there are at a table; partners of a team are one entrant."""
        return 2 if self.ruleset.teams else self.ruleset.seats

    @property
    def is_reproducible(self) -> bool:
        """Whether playing it again must give the same games: no clock, no other program."""
        return all(entrant.is_reproducible for entrant in self.entrants)

    @property
    def tables(self) -> tuple[Lineup, ...]:
        """The tables of the first deal; in later deals the neighbours change."""
        return self._tables(0)

    @property
    def games_a_round(self) -> int:
        return sum(len(rotations(table)) for table in self.tables)

    @property
    def deals(self) -> int:
        """Enough for `games` games at every table, all rotations of each deal counted."""
        return -(-self.games // self._games_a_deal)

    def shortened(self, deals: int) -> Match:
        """The same match with only its first deals."""
        return replace(self, games=deals * self._games_a_deal)

    @property
    def _games_a_deal(self) -> int:
        """At one table: all have as many different chairs."""
        return len(rotations(self.tables[0]))

    def blocks(self) -> Iterator[Block]:
        """All the work, the deals in order, so that any beginning of it is balanced."""
        for deal in range(self.deals):
            for table in self._tables(deal):
                yield Block(deal, table)

    def deal_seed(self, deal: int) -> str:
        """What the cards of a deal are shuffled from: the same at all tables."""
        return f"arena 1 {self.seed} deal {deal}"

    def bot_seed(self, deal: int, rotation: int, seat: int) -> int:
        text = f"arena 1 {self.seed} bot {deal} {rotation} {seat}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1

    def _tables(self, deal: int) -> tuple[Lineup, ...]:
        return tuple(self._chairs(around(parties, deal)) for parties in self._parties())

    def _parties(self) -> list[Lineup]:
        """One entrant per side."""
        everybody = range(len(self.entrants))
        if self.seating is Seating.MIXED:
            return list(combinations(everybody, self.sides))
        pairs = [(a, b) for a in everybody for b in everybody if a != b]
        if self.seating is Seating.GAUNTLET:
            pairs = [pair for pair in pairs if pair[0] == 0]
        elif self.sides == 2:
            pairs = [(a, b) for a, b in pairs if a < b]
        return [(a, *(b,) * (self.sides - 1)) for a, b in pairs]

    def _chairs(self, parties: Lineup) -> Lineup:
        return parties * (self.ruleset.seats // self.sides)


def around(parties: Lineup, deal: int) -> Lineup:
    """The order round the table for a deal: with three or more, who follows whom changes from
    deal to deal through all the circles there are."""
    circles = sorted({(parties[0], *rest) for rest in permutations(parties[1:])})
    return circles[deal % len(circles)]


def rotations(table: Lineup) -> tuple[Lineup, ...]:
    """The table turned so that every entrant has every chair; equal ones count once."""
    turned = [table[-shift:] + table[:-shift] for shift in range(len(table))]
    return tuple(dict.fromkeys(turned))
