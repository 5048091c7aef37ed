"""The bots at a table: asking one for its move, and keeping it seated until the next.

A bot stays in its seat from one decision to the next, so that it can go on from what it has already
thought out. How many may stay is bounded: one that had to go is made again when its seat is next
asked. If a bot fails, the house bot moves for it. The newcomers' opponent is here as well."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock
from typing import TypeAlias

from cabochon.bots import NO_LIMIT, Bot, Limit, make_bot
from cabochon.bots.roster import HOUSE_BOT
from cabochon.play.options import Options, SeatOrder, Watching
from cabochon.rules import Buy, Move, Ruleset, Take, View
from cabochon.rules.view import choices

# The first game: a fixed deal, and an opponent who lets a newcomer win


TUTOR = "tutor"
TUTORIAL_SEED = "cabochon tutorial 53"
"""Not secret: everybody's first game has the same cards."""


def tutorial_options() -> Options:
    """The whole table, but to seven points, so that the first game is short."""
    return Options(
        Ruleset(seats=2, target=7),
        watching=Watching.NOBODY,
        listed=False,
        seat_order=SeatOrder.FIXED,
        tutorial=True,
    )


class TutorBot:
    """Shows every kind of everyday move and hurries nowhere: it buys the cheapest card it can,
    else takes tokens, and never reserves. The same view always gives the same move."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        moves = choices(view)
        buys = [move for move in moves if isinstance(move, Buy)]
        if buys:
            return min(buys, key=lambda buy: (buy.card.points, buy.card.level, buy.card.id))
        takes = [move for move in moves if isinstance(move, Take)]
        return takes[view.turn % len(takes)] if takes else moves[0]


# Bots that stay seated


MakeBot: TypeAlias = Callable[[str, int], Bot]
SeatPlace: TypeAlias = tuple[str, int]
"""A table's id, and a seat of it."""

MOST_SEATED = 256
MOST_REMEMBERING = 4
"""In one process. Bots that keep a tree of thoughts may have a hundred megabytes each."""
IDLE_S = 300.0


@dataclass(slots=True)
class _Seated:
    name: str
    bot: Bot
    used: float

    @property
    def remembers(self) -> bool:
        return bool(getattr(self.bot, "remembers", False))


class SeatedBots:
    """The one asked longest ago is dropped first. Safe to use from several threads, as long as a
    seat is asked by one at a time."""

    def __init__(
        self,
        make: MakeBot,
        most: int = MOST_SEATED,
        most_remembering: int = MOST_REMEMBERING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make = make
        self._most = most
        self._most_remembering = most_remembering
        self._clock = clock
        self._seeds = random.SystemRandom()
        self._seated: OrderedDict[SeatPlace, _Seated] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._seated)

    def at(self, place: SeatPlace, name: str) -> Bot:
        """The bot of that name in that seat. Raises UnknownBot."""
        with self._lock:
            seated = self._seated.pop(place, None)
            if seated is None or seated.name != name:
                bot = self._make(name, self._seeds.getrandbits(32))
                seated = _Seated(name, bot, 0.0)
            seated.used = self._clock()
            self._seated[place] = seated
            self._make_room(seated.used)
            return seated.bot

    def dismiss(self, table_id: str) -> None:
        """The table needs its bots no more."""
        with self._lock:
            for place in [place for place in self._seated if place[0] == table_id]:
                del self._seated[place]

    def _make_room(self, now: float) -> None:
        remembering = sum(seated.remembers for seated in self._seated.values())
        for place, seated in list(self._seated.items()):
            crowded = len(self._seated) > self._most
            heavy = seated.remembers and remembering > self._most_remembering
            if now - seated.used > IDLE_S or crowded or heavy:
                remembering -= seated.remembers
                del self._seated[place]


# Asking


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
