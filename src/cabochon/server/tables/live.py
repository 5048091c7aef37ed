"""A table in memory on this node: who is connected, and what they are sent."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

import orjson

from cabochon.play.events import Closed, Left, Moved, Removed, TableEvent
from cabochon.play.messages import VERSION, Presence
from cabochon.play.messaging import Audience, Change, messages_for, written
from cabochon.play.table import Table
from cabochon.rules import CabochonError
from cabochon.server import metrics
from cabochon.server.limits import Pace
from cabochon.server.problems import ServerFault, ServerRefused, problem
from cabochon.server.tables.absence import Absence

log = logging.getLogger("cabochon.live")

MOST_QUEUED = 256
"""A client that leaves this many messages unread is cut off; it can resume."""
REFUSALS_KEPT = 64

TOO_SLOW = "too slow"
SEAT_GIVEN_UP = "the seat was given up"


class Outlet(Protocol):
    """Takes messages at once, as long as it is free; calls `when_free` when it is again."""

    when_free: Callable[[], None] | None

    @property
    def is_free(self) -> bool: ...

    def write_texts(self, messages: Iterable[bytes]) -> None: ...


class _Round:
    """Who has something to send in this round of the event loop: all of them do so at its end, by
    one call for everybody."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._due: list[Subscriber] = []

    def note(self, subscriber: Subscriber) -> None:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._loop, self._due = loop, []
        if not self._due:
            loop.call_soon(self._end)
        self._due.append(subscriber)

    def _end(self) -> None:
        due, self._due = self._due, []
        for subscriber in due:
            try:
                subscriber.flush()
            except Exception:
                log.exception("messages could not be sent")


_ROUND = _Round()


class Subscriber:
    """One connection. Messages wait here, already as bytes, until it can take them: they are
    asked for (`take`), or go to an outlet by themselves, all those of one moment together."""

    __slots__ = ("_due", "_outlet", "_ready", "_waiting", "audience", "closed", "why")

    def __init__(self, audience: Audience) -> None:
        self.audience = audience
        self._waiting: list[bytes] = []
        self._ready = asyncio.Event()
        self._outlet: Outlet | None = None
        self._due = False
        self.closed = False
        self.why = ""

    def push(self, message: bytes) -> None:
        if self.closed:
            return
        if len(self._waiting) >= MOST_QUEUED:
            metrics.SLOW_CLIENTS.inc()
            self._waiting.clear()
            self.close(TOO_SLOW)
            return
        self._waiting.append(message)
        self._wake()

    def close(self, why: str) -> None:
        """No more messages: the connection is to end once the waiting ones are taken."""
        if not self.closed:
            self.closed = True
            self.why = why
            self._wake()

    def _wake(self) -> None:
        if self._outlet is None:
            self._ready.set()
        elif not self._due:
            self._due = True
            _ROUND.note(self)

    async def take(self) -> list[bytes]:
        """All that waits, as soon as anything does; empty when closed."""
        await self._ready.wait()
        taken, self._waiting = self._waiting, []
        if not self.closed:
            self._ready.clear()
        return taken

    async def pour_into(self, outlet: Outlet) -> None:
        """Everything goes there from now on. Ends when the subscriber was closed and the last
        message is written."""
        self._outlet, outlet.when_free = outlet, self.flush
        self._ready.clear()
        self.flush()
        try:
            await self._ready.wait()
        finally:
            self._outlet = outlet.when_free = None

    def flush(self) -> None:
        """What waits goes out, if it can."""
        self._due = False
        if self._outlet is None:
            self._ready.set()
        elif self._outlet.is_free or not self._waiting:
            taken, self._waiting = self._waiting, []
            if taken:
                self._outlet.write_texts(taken)
            if self.closed:
                self._ready.set()


class TableLock:
    """One command at a time, in the order in which they came. As a lock of asyncio's, which takes
    four times the room, and that can be had without a task that waits."""

    __slots__ = ("_held", "_waiting")

    def __init__(self) -> None:
        self._held = False
        self._waiting: deque[asyncio.Future[None]] | None = None

    def locked(self) -> bool:
        return self._held

    def take(self) -> bool:
        """Whether it was free; if so, the caller has it now."""
        if self._held:
            return False
        self._held = True
        return True

    def release(self) -> None:
        """The next who waits has it at once."""
        while self._waiting:
            following = self._waiting.popleft()
            if not following.done():
                following.set_result(None)
                return
        self._held, self._waiting = False, None

    async def __aenter__(self) -> None:
        if self.take():
            return
        mine = asyncio.get_running_loop().create_future()
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if not mine.cancelled():
                self.release()  # it had come already
            raise

    async def __aexit__(self, *_: object) -> None:
        self.release()


class Live:
    """The current table, and its connections by audience. `lock` guards every change.

    `here` are the seats whose player is there: connected to any node (`local` counts the
    connections to this one, `elsewhere` is what other nodes have said), or sending commands
    (`absence` knows; `glance` means that it will be looked at again). `paces` are those of seats
    that have commanded. `leased` means that this
    node looks after the table's bots and clocks.
    """

    __slots__ = (
        "_refusals",
        "_subscribers",
        "absence",
        "deadline",
        "driver",
        "elsewhere",
        "glance",
        "here",
        "leased",
        "local",
        "lock",
        "paces",
        "table",
        "used",
    )

    def __init__(self, table: Table, now: int, away: Mapping[int, int] | None = None) -> None:
        self.table = table
        self.lock = TableLock()
        self.local: dict[int, int] = {}
        self.elsewhere: dict[str, frozenset[int]] = {}
        self.here: frozenset[int] = frozenset()
        self.absence = Absence(now, away)
        self.glance = False
        self.paces: dict[int, Pace] = {}
        self.used = now
        self.leased = False
        self.driver: asyncio.Task[None] | None = None
        self.deadline: asyncio.TimerHandle | None = None
        self._refusals: dict[tuple[int, str], tuple[str, CabochonError]] | None = None
        self._subscribers: dict[Audience, set[Subscriber]] = {}

    @property
    def is_idle(self) -> bool:
        return not self._subscribers and self.driver is None and not self.lock.locked()

    @property
    def is_among_bots(self) -> bool:
        """Whether only bots of the house play here: nobody waits for their moves."""
        return all(chair.by_engine for chair in self.table.chairs)

    @property
    def watchers(self) -> int:
        """Connections of those who play no seat here."""
        return sum(len(group) for who, group in self._subscribers.items() if not who.seats)

    # Repeats of refused commands

    def remember_refusal(self, seat: int, key: str, ask: str, error: CabochonError) -> None:
        """So that a repeat gets the same answer; only the latest few are remembered."""
        if self._refusals is None:
            self._refusals = {}
        elif len(self._refusals) >= REFUSALS_KEPT:
            del self._refusals[next(iter(self._refusals))]
        self._refusals[seat, key] = (ask, error)

    def refusal(self, seat: int, key: str) -> tuple[str, CabochonError] | None:
        return None if self._refusals is None else self._refusals.get((seat, key))

    # Connections

    def add(self, subscriber: Subscriber) -> None:
        self._subscribers.setdefault(subscriber.audience, set()).add(subscriber)

    def remove(self, subscriber: Subscriber) -> None:
        group = self._subscribers.get(subscriber.audience)
        if group is not None:
            group.discard(subscriber)
            if not group:
                del self._subscribers[subscriber.audience]

    def close_all(self, why: str) -> None:
        for group in self._subscribers.values():
            for subscriber in group:
                subscriber.close(why)

    # Telling

    def advance(self, events: Sequence[TableEvent], now: int, after: Table | None = None) -> None:
        """Take the events in and tell everybody. `after` is the table after them if known; each
        message is made and written once for all who may read the same."""
        for event in events:
            before = self.table
            self.absence.note(before, event)
            last = after is not None and event is events[-1]
            self.table = after if last and after is not None else before.after(event)
            self._tell(before, event, now)
            if isinstance(event, Left | Removed):
                self._send_off(event)
            elif isinstance(event, Closed) and self.table.position is None:
                self.tell_all(closing_message(not_begun(self.table)))
                self.close_all("the table was closed")

    def _tell(self, before: Table, event: TableEvent, now: int) -> None:
        if not self._subscribers:
            return  # as at most tables where bots play among themselves
        after = self.table
        change = Change(before, event, after, written) if isinstance(event, Moved) else None
        for audience, group in self._subscribers.items():
            for message in messages_for(before, event, after, audience, self.here, now, change):
                data = orjson.dumps(message)
                for subscriber in group:
                    subscriber.push(data)

    def _send_off(self, event: Left | Removed) -> None:
        """Somebody who gave a seat up, or lost it, doesn't get what the next player there may
        know."""
        for audience, group in self._subscribers.items():
            if event.seat in audience.seats:
                for subscriber in group:
                    if isinstance(event, Removed):
                        subscriber.push(closing_message(ServerRefused(ServerFault.REMOVED)))
                    subscriber.close(SEAT_GIVEN_UP)

    def presence(self, seat: int, claim_in_s: int | None) -> bytes:
        message: Presence = {
            "v": VERSION,
            "type": "presence",
            "seq": self.table.seq,
            "seat": seat,
            "here": seat in self.here,
            "claim_in_s": claim_in_s,
        }
        return orjson.dumps(message)

    def tell_all(self, message: bytes) -> None:
        for group in self._subscribers.values():
            for subscriber in group:
                subscriber.push(message)


def not_begun(table: Table) -> ServerRefused:
    """What is said of a table that was closed before the start."""
    paired = table.opened.is_paired
    return ServerRefused(ServerFault.GIVEN_UP if paired else ServerFault.CLOSED)


def closing_message(refusal: CabochonError) -> bytes:
    """The last message of a connection that the server ends, so that people read a sentence and
    not a number. The same as for a hello that is refused: who gets it need not come back."""
    document = problem(refusal, "en")
    message = {"v": VERSION, "type": "refused", "seq": 0, "id": "hello", "problem": document}
    return orjson.dumps(message)
