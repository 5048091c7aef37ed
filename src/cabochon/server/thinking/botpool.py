"""The bots of a server: every decision is asked of a process here or on another machine.

People's bots come before bots that play among themselves, which leave one place free. A table's
bots stay where they were last asked, as long as nobody has to wait for that: what they thought out
is there. A process that dies of a decision is replaced, and the decision is asked again at once.

Whose turn it is to think: places for a few at a time, and some wait until nobody else does.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

from cabochon.bots.roster import HOUSE_BOT
from cabochon.notation import parse_move
from cabochon.notation.positions import format_view
from cabochon.play.driver import Chosen
from cabochon.rules import View
from cabochon.server import metrics
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.tasks import ended
from cabochon.server.thinking.botplaces import BotPlace, BotQuestion, NearPlace
from cabochon.server.thinking.engineprocess import IDLE_S, EngineDied, JobRefused


class BotQueue:
    """`places` at a time. Those who come last use all but one of them, and only while nobody else
    is waiting."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._taken = 0
        self._taken_last = 0
        self._first: deque[asyncio.Future[None]] = deque()
        self._last: deque[asyncio.Future[None]] = deque()

    @property
    def places(self) -> int:
        return self._places

    @places.setter
    def places(self, places: int) -> None:
        """Who has a place keeps it."""
        self._places = places
        self._call_up()

    @contextlib.asynccontextmanager
    async def turn(self, last: bool = False, again: bool = False) -> AsyncIterator[None]:
        """`again`: before all others of the same kind, for those who have waited already."""
        await self._come(last, again)
        try:
            yield
        finally:
            self._go(last)

    async def _come(self, last: bool, again: bool) -> None:
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._last if last else self._first
        if again:
            queue.appendleft(waiting)
        else:
            queue.append(waiting)
        self._call_up()
        try:
            await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():
                self._go(last)
            raise

    def _go(self, last: bool) -> None:
        self._taken -= 1
        self._taken_last -= last
        self._call_up()

    def _call_up(self) -> None:
        for queue, last in ((self._first, False), (self._last, True)):
            while queue and self._has_place(last):
                waiting = queue.popleft()
                if not waiting.done():
                    self._taken += 1
                    self._taken_last += last
                    waiting.set_result(None)

    def _has_place(self, last: bool) -> bool:
        if last and self._taken_last >= max(1, self._places - 1):
            return False
        return self._taken < self._places


log = logging.getLogger("cabochon.bots")

ATTEMPTS = 3
"""After this many processes have died of a decision, the house bot makes it."""
LEAST_BOT_S = 0.02
MOST_HOMES = 4096


@dataclass(frozen=True, slots=True)
class BotTask:
    """One decision of a bot. `alone`: bots play among themselves there."""

    table: str
    seat: int
    bot: str
    view: View
    alone: bool


class BotPool:
    """Of one node. `seconds` is how long a bot may think when there is no crowd."""

    def __init__(self, workers: int, nice: int, seconds: float) -> None:
        self.near = [NearPlace(nice) for _ in range(workers)]
        self._seconds = seconds
        self._places: set[BotPlace] = set(self.near)
        self._free: list[BotPlace] = list(self.near)
        self._turns = BotQueue(workers)
        self._homes: OrderedDict[str, BotPlace] = OrderedDict()
        self._waiting = 0
        self._closing = False
        self._task: asyncio.Task[None] | None = None
        self._count_places()

    def start(self) -> None:
        """Have the processes there before they are asked."""
        self._task = asyncio.create_task(self._keep(), name="bots")

    async def close(self) -> None:
        """Nobody thinks any more: what is under way is dropped, and no process is left."""
        self._closing = True
        await ended(self._task)
        for place in self.near:
            await place.engine.close()

    # Decisions

    async def choose(self, wanted: BotTask) -> Chosen:
        """A legal move. Raises ServerRefused when nobody can think, or the server stops."""
        self._waiting += not wanted.alone
        deaths = 0
        try:
            while True:
                async with self._turns.turn(last=wanted.alone, again=deaths > 0):
                    has_place = True
                    while has_place:
                        chosen, has_place = await self._asked(wanted, deaths)
                        if chosen is not None:
                            return chosen
                        deaths += 1
        finally:
            self._waiting -= not wanted.alone

    async def _asked(self, wanted: BotTask, deaths: int) -> tuple[Chosen | None, bool]:
        """The move, or None if the process that was asked died of it; and whether there is still a
        place to ask again at once."""
        if self._closing:
            raise ServerRefused(ServerFault.STOPPING)
        if deaths > ATTEMPTS:
            raise ServerRefused(ServerFault.BUSY)
        bot = wanted.bot if deaths < ATTEMPTS else HOUSE_BOT
        place, answer = self._place_for(wanted.table), None
        try:
            answer = await place.choose(self._question(wanted, bot))
        except (EngineDied, JobRefused) as error:
            if not self._closing:
                metrics.BOT_DEATHS.inc()
                log.warning("a bot's process gave no answer: %s", type(error).__name__)
        finally:
            is_here = self._give_back(place, answer is not None)
        if answer is None:
            return None, is_here
        wrong = answer.wrong if bot == wanted.bot else "its process died"
        return Chosen(parse_move(answer.move), wrong), is_here

    def _give_back(self, place: BotPlace, is_well: bool) -> bool:
        """Whether it is still one of the places. One whose process has died comes last."""
        if place not in self._places:
            return False
        self._free.insert(len(self._free) if is_well else 0, place)
        if not is_well:
            self._homes = OrderedDict(h for h in self._homes.items() if h[1] is not place)
        return True

    def _place_for(self, table_id: str) -> BotPlace:
        """Where its bots were, if that is free; else remote before local, and the last used first,
        which has everything loaded."""
        home = self._homes.pop(table_id, None)
        if home is None or home not in self._free:
            remote = (place for place in reversed(self._free) if place.is_remote)
            home = next(remote, self._free[-1])
        self._free.remove(home)
        self._homes[table_id] = home
        if len(self._homes) > MOST_HOMES:
            self._homes.popitem(last=False)
        return home

    def _question(self, wanted: BotTask, bot: str) -> BotQuestion:
        view = format_view(wanted.view)
        seconds = self.seconds_now()
        if wanted.alone and self._turns.places == 1:
            seconds /= 2  # a person's bot may have to wait for it
        return BotQuestion(wanted.table, wanted.seat, bot, view, seconds)

    def seconds_now(self) -> float:
        """The more bots wait, the less time each has: nobody's is kept waiting by a crowd of
        others."""
        crowd = max(1.0, self._waiting / max(1, self._turns.places))
        return min(self._seconds, max(LEAST_BOT_S, self._seconds / crowd))

    def dismiss(self, table_id: str) -> None:
        """The table needs its bots no more."""
        home = self._homes.pop(table_id, None)
        if home is not None and home in self._places:
            home.dismiss(table_id)

    # Places

    def join(self, place: BotPlace) -> None:
        """Somebody can think there from now on."""
        self._places.add(place)
        self._free.append(place)
        self._count_places()

    def leave(self, place: BotPlace) -> None:
        """Nobody is asked there any more."""
        self._places.discard(place)
        if place in self._free:
            self._free.remove(place)
        self._count_places()

    def _count_places(self) -> None:
        self._turns.places = len(self._places)
        remote = sum(place.is_remote for place in self._places)
        metrics.BOT_PLACES.labels("here").set(len(self._places) - remote)
        metrics.BOT_PLACES.labels("elsewhere").set(remote)

    async def _keep(self) -> None:
        """Start the processes, and give memory back that nobody has needed for long."""
        for place in self.near:
            await place.engine.start()
        while True:
            await asyncio.sleep(IDLE_S / 4)
            for place in self.near:
                idle = time.monotonic() - place.engine.used > IDLE_S
                if idle and not place.is_fresh and place in self._free:
                    self.leave(place)
                    try:
                        await place.renew()
                    finally:
                        self.join(place)
