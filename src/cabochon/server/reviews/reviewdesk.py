"""Where reviews are asked for: limits, what was reviewed before, and who is told when one comes
further."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Protocol

import orjson

from cabochon.limit import DEEP_VISITS, QUICK_VISITS
from cabochon.notation.recordfiles import fingerprint
from cabochon.notation.records import format_record
from cabochon.play.clock import DAY_MS
from cabochon.play.messages import VERSION, ReviewNews
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.record import Record
from cabochon.server import metrics
from cabochon.server.access.quotas import is_bots_only
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.reviews.reviewworker import ReviewWorker, engine_text
from cabochon.server.storage.database import log_failure
from cabochon.server.storage.evals import ASKED_MS, Evals
from cabochon.server.storage.holdings import pseudonym
from cabochon.server.storage.reviewqueue import (
    DONE,
    FAILED,
    ReviewAsker,
    ReviewQueue,
    ReviewRow,
    ReviewWish,
    unpacked,
)
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sitters import Sitters
from cabochon.server.tables.commanding import StoredTables
from cabochon.server.tables.live import Live
from cabochon.server.tasks import KEEP_ALIVE_S, ended

log = logging.getLogger("cabochon.reviews")

VISITS = {"quick": QUICK_VISITS, "deep": DEEP_VISITS}
SEED = 0
MOST_EVENTS = 1200
"""Moves and deals of a game; the longest that random players make have half as many."""
QUICK_APART_S = 0.05
"""Between two games that are put in the queue by themselves: those who play come first."""
BY_ITSELF_PARTS = 5
"""A game is reviewed by itself only while no more than this part of the queue is taken."""
FULL_S = 2.0
"""How long it isn't asked again whether there is room for automatic reviews."""
CROWD_WAIT_S = 60.0
MOST_HELD_BACK = 100
"""While moves come thick and fast, an automatic review waits this long, and no more games than that
wait: the process that would judge them shares a core with the moves, or half of one."""
POLL_S = 0.5
COUNT_S = 5.0
TIDY_S = 600.0
LOOK_AGAIN_S = 2.0
"""How often a stream looks how many wishes are still ahead."""


def wish_for(record: Record, depth: str, knowledge: str) -> ReviewWish:
    """What is to be computed. Raises ServerRefused for a game that is too long, or has no turn,
    and RecordError at a ply that cannot be played."""
    _check_length(record)
    return _wish(record, record.final().turn - record.first().turn, depth, knowledge)


def wish_of(table: Table, depth: str, knowledge: str) -> ReviewWish:
    """The same for a game that was played here, under the eyes of the law: nothing of it has to be
    played once more. Raises ServerRefused."""
    record, start = record_of(table), table.opened.position
    _check_length(record)
    turns = 0 if table.position is None else table.position.turn
    return _wish(record, turns - (0 if start is None else start.turn), depth, knowledge)


def _check_length(record: Record) -> None:
    if len(record.events) > MOST_EVENTS:
        raise ServerRefused(ServerFault.LONG_GAME, most=MOST_EVENTS)


def _wish(record: Record, turns: int, depth: str, knowledge: str) -> ReviewWish:
    """With this many finished turns."""
    if not turns:
        raise ServerRefused(ServerFault.NOTHING_TO_REVIEW)
    bare = Record(
        ruleset=record.ruleset,
        players=record.players,
        opening=record.opening,
        events=record.events,
    )
    return ReviewWish(
        fingerprint=fingerprint(record),
        record=format_record(bare),
        players=record.players,
        turns=turns,
        engine=engine_text(record.ruleset.seats),
        visits=VISITS[depth],
        seed=SEED,
        knowledge=knowledge,
    )


class ReviewedTables(StoredTables, Protocol):
    """The games that are reviewed when they are over."""

    @property
    def on_finish(self) -> list[Callable[[Live], None]]: ...

    @property
    def sitters(self) -> Sitters: ...

    def in_memory(self, table_id: str) -> Live | None: ...

    def job(self, work: Coroutine[Any, Any, object]) -> None: ...


class ReviewDesk:
    """Of one node."""

    def __init__(self, hub: ReviewedTables, aside: SideWriter) -> None:
        self._hub = hub
        self._settings = hub.settings
        self.queue = ReviewQueue(hub.store.engine, aside)
        self._evals = Evals(hub.store.engine, aside)
        self._watched: dict[str, _Watched] = {}
        self._over: asyncio.Queue[Table] = asyncio.Queue()
        self._full_until = 0.0
        self._quick: asyncio.Task[None] | None = None
        self._task: asyncio.Task[None] | None = None
        self.workers = [
            ReviewWorker(
                self.queue,
                secrets.token_hex(8),
                hub.settings.review_nice,
                hub.settings.node_dead_s,
                self._moved,
            )
            for _ in range(hub.settings.review_workers)
        ]

    def start(self) -> None:
        self._hub.on_finish.append(self.finished)
        for worker in self.workers:
            worker.start()
        self._task = asyncio.create_task(self._run(), name="reviews")
        self._quick = asyncio.create_task(self._review_those_over(), name="quick reviews")

    async def close(self) -> None:
        await ended(self._task)
        await ended(self._quick)
        for worker in self.workers:
            await worker.close()

    # Asking

    async def ask(self, wish: ReviewWish, asker: ReviewAsker) -> ReviewRow:
        """The review, or its place in the queue. Raises ServerRefused when somebody waits for too
        many."""
        row = await self.find(wish.id)
        if row is None or row.state == FAILED:
            await self._check_room(asker)
            row = await self.queue.add(wish, asker, self._hub.clock())
            self._wake()
        return row

    async def find(self, review_id: str) -> ReviewRow | None:
        """The review, which is kept for longer now that somebody has asked for it."""
        row = await self.queue.find(review_id)
        now = self._hub.clock()
        if row is not None and now - row.asked_ms > ASKED_MS:
            await self.queue.asked(review_id, now)
        return row

    async def _check_room(self, asker: ReviewAsker) -> None:
        queued, settings = await self.queue.queued(asker), self._settings
        for count, most in (
            (queued.person, settings.most_reviews_per_person),
            (queued.address, settings.most_reviews_per_address),
        ):
            if count >= most:
                metrics.LIMITED.inc()
                raise ServerRefused(ServerFault.TOO_MANY_REVIEWS, count=count)
        if queued.everybody >= settings.most_reviews_waiting:
            metrics.LIMITED.inc()
            raise ServerRefused(ServerFault.REVIEWS_FULL)

    def _wake(self) -> None:
        for worker in self.workers:
            worker.wake()

    # Games that are over

    def finished(self, live: Live) -> None:
        """A game has just ended: if a person has played, it is reviewed quickly."""
        table = live.table
        held_back = self._over.qsize() >= MOST_HELD_BACK and self._hub.store.is_crowded
        wanted = self._settings.quick_reviews and table.ply and not is_bots_only(table.chairs)
        if wanted and not held_back:
            self._over.put_nowait(table)

    async def _review_those_over(self) -> None:
        """One game after the other, however many end together."""
        while True:
            table = await self._over.get()
            await self._calm()
            try:
                await self._review_quickly(table)
            except Exception as error:
                log_failure(log, "a game that is over was not put in the queue", error)
            await asyncio.sleep(QUICK_APART_S)

    async def _calm(self) -> None:
        """Wait for a crowd to pass, where reviews are made on this machine."""
        patient_until = time.monotonic() + CROWD_WAIT_S
        while self.workers and self._hub.store.is_crowded and time.monotonic() < patient_until:
            await asyncio.sleep(POLL_S)

    async def _review_quickly(self, table: Table) -> None:
        if time.monotonic() < self._full_until:
            return
        asker = ReviewAsker(pseudonym(f"table {table.id}"))
        queued = await self.queue.queued(asker)
        if queued.everybody * BY_ITSELF_PARTS >= self._settings.most_reviews_waiting:
            self._full_until = time.monotonic() + FULL_S
            return
        wish = await self._hub.store.longwork.tell(
            table.ply * 2, lambda: wish_of(table, "quick", "own")
        )
        row = await self.queue.add(wish, asker, self._hub.clock())
        watched = self._watched.setdefault(row.id, _Watched())
        watched.tables.add(table.id)
        self._tell_table(table.id, row.id, row.state, row.done, row.turns)
        self._wake()

    def _tell_table(self, table_id: str, review_id: str, state: str, done: int, of: int) -> None:
        live = self._hub.in_memory(table_id)
        if live is None:
            return
        news: ReviewNews = {
            "v": VERSION,
            "type": "review",
            "seq": live.table.seq,
            "id": review_id,
            "state": state,  # type: ignore[typeddict-item]
            "done": done,
            "of": of,
        }
        live.tell_all(orjson.dumps(news))

    # Telling

    async def state(self, row: ReviewRow) -> bytes:
        """A `ReviewState` as JSON."""
        if row.state == DONE:
            review = await self._whole(row)
        else:
            turns = await self.queue.turns(row.id, 0)
            review = b"null" if row.head is None else _so_far(row.head, turns)
        told = {
            "id": row.id,
            "state": row.state,
            "ahead": await self.queue.ahead(row),
            "done": row.done,
            "of": row.turns,
        }
        return orjson.dumps(told)[:-1] + b',"review":' + review + b"}"

    async def _whole(self, row: ReviewRow) -> bytes:
        assert row.body is not None
        return await asyncio.to_thread(unpacked, row.body)

    async def lines(self, review_id: str, since: int) -> AsyncIterator[bytes]:
        """The stream of a review: see `streamReview`."""
        story = _Story(since)
        with self._watching(review_id) as changed:
            quiet_since = time.monotonic()
            while True:
                changed.clear()
                row = await self.queue.find(review_id)
                if row is None:
                    return
                if row.state == DONE:
                    yield b'{"type":"reviewDone","review":' + await self._whole(row) + b"}\n"
                    return
                turns = await self.queue.turns(review_id, story.told)
                lines = story.lines(row, turns, await self.queue.ahead(row))
                if lines or time.monotonic() - quiet_since > KEEP_ALIVE_S:
                    quiet_since = time.monotonic()
                    yield lines or b"\n"
                if row.state == FAILED:
                    return
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_AGAIN_S):
                        await changed.wait()

    @contextlib.contextmanager
    def _watching(self, review_id: str) -> Iterator[asyncio.Event]:
        watched = self._watched.setdefault(review_id, _Watched())
        changed = asyncio.Event()
        watched.streams.add(changed)
        try:
            yield changed
        finally:
            watched.streams.discard(changed)

    # Watching

    def _moved(self, review_id: str) -> None:
        """A worker of this node has come further."""
        if review_id in self._watched:
            self._hub.job(self._look([review_id]))

    async def _run(self) -> None:
        counted = tidied = 0.0
        while True:
            try:
                await self._look(list(self._watched))
                now = time.monotonic()
                if now - counted > COUNT_S:
                    counted = now
                    for state, count in (await self.queue.counts()).items():
                        metrics.REVIEWS.labels(state).set(count)
                if now - tidied > TIDY_S:
                    tidied = now
                    await self._tidy()
            except Exception as error:
                log_failure(log, "looking after reviews failed; it goes on", error)
            await asyncio.sleep(POLL_S)

    async def _look(self, ids: list[str]) -> None:
        """Tell the watchers what has changed."""
        if not ids:
            return
        progress = await self.queue.progress(ids)
        for review_id in ids:
            watched = self._watched.get(review_id)
            if watched is None:
                continue
            now = progress.get(review_id)
            if now != watched.last:
                watched.last = now
                for changed in watched.streams:
                    changed.set()
                if now is not None:
                    for table_id in watched.tables:
                        self._tell_table(table_id, review_id, *now)
            if now is None or now[0] in (DONE, FAILED):
                watched.tables.clear()
            if not watched.tables and not watched.streams:
                del self._watched[review_id]

    async def _tidy(self) -> None:
        now = self._hub.clock()
        days = self._settings.keep_reviews_days
        kept_since = now - days * DAY_MS if days else 0
        await self.queue.forget(kept_since, now - DAY_MS)
        if days:
            await self._evals.forget(kept_since)
        await self._hub.sitters.tidy()


class _Watched:
    """Who wants to know how a review comes along."""

    __slots__ = ("last", "streams", "tables")

    def __init__(self) -> None:
        self.last: tuple[str, int, int] | None = None
        self.streams: set[asyncio.Event] = set()
        self.tables: set[str] = set()


class _Story:
    """What one stream has been told."""

    def __init__(self, since: int) -> None:
        self.told = since
        self._head = False
        self._state: dict[str, object] = {}

    def lines(self, row: ReviewRow, turns: list[str], ahead: int) -> bytes:
        """What is new, a line each."""
        found: list[bytes] = []
        if row.head is not None and not self._head:
            self._head = True
            found.append(b'{"type":"reviewHead","head":' + row.head.encode() + b"}\n")
        found += [b'{"type":"reviewTurn","turn":' + turn.encode() + b"}\n" for turn in turns]
        self.told += len(turns)
        state: dict[str, object] = {
            "type": "reviewState",
            "state": row.state,
            "ahead": ahead,
            "done": row.done,
            "of": row.turns,
        }
        if state != self._state:
            self._state = state
            found.append(orjson.dumps(state) + b"\n")
        return b"".join(found)


def _so_far(head: str, turns: list[str]) -> bytes:
    return head.encode()[:-1] + b',"turns":[' + ",".join(turns).encode() + b"]}"
