"""Players with a character: medium strength, and a taste that pulls their judgement.

They search as the levels do; then every move that the search takes seriously is valued by its win
chance and, beside it, by a taste in cards. So a style leans, but never throws a game away for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from cabochon.bots.bot import NO_LIMIT, Limit, choices_within
from cabochon.bots.greedy import Taste, worth_of
from cabochon.bots.levels import JudgingBot, judgements_of
from cabochon.bots.roster import STYLE_NAMES
from cabochon.rules import Move, View

if TYPE_CHECKING:
    from cabochon.search import Candidate


DOUBT = 2.0
"""Visits' worth of belief that a move is as bad as a style may play."""


@dataclass(frozen=True, slots=True)
class Style:
    """A taste, what a point of it is worth in win chance, and how much it may cost."""

    taste: Taste
    pull: float = 0.10
    most: float = 0.30


STYLES = dict(
    zip(
        STYLE_NAMES,
        (
            Style(Taste(bonus=3.0, engine=0.25, engine_point=0.0, noble=0.3), pull=0.05, most=0.20),
            Style(Taste(bonus=0.0, engine=0.0, engine_point=0.03, noble=0.0, patience=0.85)),
            Style(
                Taste(
                    points=0.0,
                    bonus=0.0,
                    engine=0.0,
                    engine_point=0.0,
                    noble=20.0,
                    fading=0.3,
                    patience=0.85,
                ),
                pull=0.08,
                most=0.28,
            ),
        ),
        strict=True,
    )
)


class StyleBot(JudgingBot):
    """Searches like a level, then follows its taste among what is left."""

    def __init__(self, name: str, seed: int = 0) -> None:
        super().__init__(judgements_of(name), seed)
        self._style = STYLES[name]

    def engine(self, players: int) -> str:
        taste = sha256(repr(self._style).encode()).hexdigest()[:8]
        return f"{super().engine(players)} taste {taste}"

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        moves = choices_within(view, limit)
        if len(moves) == 1:
            return moves[0]
        lines = [line for line in self.lines(view, limit) if line.visits]
        worth = worth_of(view, [line.move for line in lines], self._style.taste)
        dearest = max(worth)
        floor = max(_value(line) for line in lines) - self._style.most

        def appeal(index: int) -> float:
            """The value, doubted while few visits speak for it, and the longing for the move."""
            line = lines[index]
            value = (line.visits * _value(line) + DOUBT * floor) / (line.visits + DOUBT)
            longing = self._style.pull * (worth[index] - dearest)
            return value + max(longing, -self._style.most)

        return lines[max(range(len(lines)), key=appeal)].move


def _value(line: Candidate) -> float:
    assert line.value is not None
    return line.value


builder, rusher, hunter = (partial(StyleBot, name) for name in STYLE_NAMES)
