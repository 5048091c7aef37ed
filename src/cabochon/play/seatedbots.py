"""Bots that stay in their seats from one decision to the next, so that what they thought out is not
thought out again. Bounded: a bot that must go is made anew when its seat is next asked."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TypeAlias

from cabochon.bots import Bot

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
    """Whoever was asked longest ago goes first. Safe to use from several threads, as long as a
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
