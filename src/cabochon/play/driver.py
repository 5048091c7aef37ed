"""Asking a bot for its move. If it fails, the house bot moves for it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from cabochon.bots import NO_LIMIT, Bot, Limit, make_bot
from cabochon.play.chairs import HOUSE_BOT
from cabochon.play.seatedbots import MakeBot, SeatedBots, SeatPlace
from cabochon.play.tutor import TUTOR, TutorBot
from cabochon.rules import Move, View


@dataclass(frozen=True, slots=True)
class Chosen:
    """A legal move; `fault` says what was wrong with the bot if it is not the bot's own."""

    move: Move
    fault: str | None = None


def bot_named(name: str, seed: int = 0) -> Bot:
    """One of the bots, or the newcomers' opponent. Raises UnknownBot."""
    return TutorBot() if name == TUTOR else make_bot(name, seed)


class Driver:
    """Makes bots by name and asks them. What they are handed is a view of their seat."""

    def __init__(self, limit: Limit = NO_LIMIT, make: MakeBot | None = None) -> None:
        self._limit = limit
        self._make: MakeBot = bot_named if make is None else make
        self._seeds = random.SystemRandom()
        self.seated = SeatedBots(self._make)

    def choose(
        self, name: str, view: View, limit: Limit | None = None, place: SeatPlace | None = None
    ) -> Chosen:
        """That bot's move, or the house bot's when it raises or answers nonsense. With a place
        the bot stays seated there, and goes on from what it thought before."""
        limit = self._limit if limit is None else limit
        try:
            if place is None:
                seed = self._seeds.getrandbits(32)
                move = self._make(name, seed).choose(view, replace(limit, seed=seed))
            else:
                move = self.seated.at(place, name).choose(view, limit)
        except Exception as error:
            return Chosen(self._house(view), f"{type(error).__name__}: {error}")
        if view.is_legal(move):
            return Chosen(move)
        return Chosen(self._house(view), f"an illegal move, {move!r}")

    def _house(self, view: View) -> Move:
        return make_bot(HOUSE_BOT).choose(view)
