"""Every finished game is entered in the book, once: when it ends, or whenever a node finds it.

A process killed in between has entered the whole game or nothing of it, and the next one goes on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from functools import partial

import orjson
from sqlalchemy import func, or_, select, update

from cabochon.play.chairs import Chair, Kind
from cabochon.play.clock import DAY_MS, HOUR_MS
from cabochon.play.commands import resign
from cabochon.play.history import CLOSED, Ended
from cabochon.play.options import Watching, clock_to_json
from cabochon.play.recording import record_of
from cabochon.play.table import Decision, Table
from cabochon.ratings import FixedPoint, Strength, fixed_point, kind_of
from cabochon.ratings.bookkeeping import (
    DRAWN,
    LOST,
    WON,
    SeatResult,
    SeatStats,
    SettledResult,
    rounds_of,
    seat_reviews,
    seat_stats,
)
from cabochon.rules import Ruleset
from cabochon.server.limits import Pace
from cabochon.server.problems import ServerRefused
from cabochon.server.reviews.reviewdesk import wish_of
from cabochon.server.storage.database import is_away, log_failure
from cabochon.server.storage.gamebook import (
    AWAITED,
    NO_REVIEW,
    WHOLE,
    SettledGame,
    add_review,
    enter,
    mark_settled,
)
from cabochon.server.storage.reviewqueue import DONE, unpacked
from cabochon.server.storage.schema import events, games, person_tables, reviews, tables
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.tables.commanding import EveryTable
from cabochon.server.tables.live import Live
from cabochon.server.tasks import ended

log = logging.getLogger("cabochon.settling")

TOGETHER = 20
POLL_S = 1.0
"""How often a node looks for games that ended elsewhere, and for reviews that are done."""
APART_S = 0.25
AT_ONCE = 4
"""Games that end thick and fast are entered together, so far apart; a few may come at once."""
TIDY_S = 600.0
AGAIN_MS = HOUR_MS
"""A game that couldn't be entered is tried again after this time."""
ABANDONED_MS = 3 * DAY_MS
"""A rated game without a clock is lost by a player who hasn't moved for this long."""
FORGO_MS = 30 * DAY_MS
"""A review that has not come by then is not waited for any more."""


def settled_game(table: Table) -> SettledGame | None:
    """What is entered of a table; None for a game that counts for nobody: a lesson, one that the
    host has closed, or one in which no person is known."""
    ended = table.ended
    if ended is None or ended.reason == CLOSED or table.options.tutorial:
        return None
    if all(chair.person is None for chair in table.chairs):
        return None
    record = record_of(table)
    stats = seat_stats(record)
    clock = clock_to_json(table.options.clock)
    return SettledGame(
        table_id=table.id,
        ended_ms=table.log[-1].at if table.log else table.opened.at,
        ruleset=str(table.options.ruleset),
        clock=None if clock is None else orjson.dumps(clock).decode(),
        reason=ended.reason,
        review_id=_review_id(table),
        result=_result(table, ended, stats),
        names=tuple(None if chair.person else _name(chair) for chair in table.chairs),
    )


def lost_by_leaving(table: Table, now: int) -> Decision:
    """The player to move loses the rated game; nothing happens where there is a clock, or a bot is
    to move."""
    seat = table.to_act
    if not table.options.rated or table.times is not None or seat is None:
        return Decision((), table)
    return Decision((), table) if table.chairs[seat].by_engine else resign(table, seat, now)


def _result(table: Table, ended: Ended, stats: tuple[SeatStats, ...]) -> SettledResult:
    options = table.options
    ruleset = options.ruleset
    seats = tuple(
        SeatResult(
            person=chair.person,
            bot=_bot(chair),
            side=ruleset.side(seat)[0],
            place=ended.ranking[seat],
            result=_letter(ended, ruleset, seat),
            stats=stats[seat],
            fixed=_fixed(_bot(chair), ruleset),
        )
        for seat, chair in enumerate(table.chairs)
    )
    return SettledResult(
        kind_of(ruleset),
        options.rated,
        options.listed and options.watching is Watching.ANYONE,
        ended.reason == WHOLE,
        rounds_of(stats),
        seats,
    )


def _letter(ended: Ended, ruleset: Ruleset, seat: int) -> str:
    """A victory that several sides share is a draw."""
    if seat not in ended.winners:
        return LOST
    sides = {ruleset.side(winner) for winner in ended.winners}
    return WON if len(sides) == 1 else DRAWN


def _bot(chair: Chair) -> str | None:
    """One of the house's own bots; a stand-in doesn't count."""
    return chair.bot if chair.kind is Kind.BOT and not chair.has_say else None


def _name(chair: Chair) -> str | None:
    return None if _bot(chair) is not None else chair.name


def _fixed(bot: str | None, ruleset: Ruleset) -> Strength | None:
    point: FixedPoint | None = None if bot is None else fixed_point(bot, ruleset)
    return None if point is None else Strength(point.value, point.deviation, point.games)


def _review_id(table: Table) -> str | None:
    """Of the quick review, whether or not it has been asked for."""
    try:
        return wish_of(table, "quick", "own").id
    except ServerRefused:
        return None


class SettleDesk:
    """Of one node."""

    def __init__(self, tables: EveryTable, aside: SideWriter) -> None:
        self._tables = tables
        self._aside = aside
        self._wake = asyncio.Event()
        self._pace = Pace(1 / APART_S, AT_ONCE)
        self._tidy_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._tables.on_finish.append(self._finished)
        self._task = asyncio.create_task(self._run(), name="settling")

    async def close(self) -> None:
        await ended(self._task)

    def _finished(self, _: Live) -> None:
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._pace.reserve(APART_S))
            self._wake.clear()
            try:
                await self.tidy()
                done = await self.settle_some() + await self.review_some()
            except Exception as error:
                log_failure(log, "finished games wait to be entered", error)
                done = 0
            if not done:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(POLL_S):
                        await self._wake.wait()

    async def settle_some(self) -> int:
        """Enter some of the games that are not; how many tables were looked at."""
        query = (
            select(tables.c.id, person_tables.c.table_id.label("of_people"))
            .outerjoin(person_tables, person_tables.c.table_id == tables.c.id)
            .where(tables.c.state == "finished", tables.c.settled.is_(False))
            .where(or_(tables.c.settle_ms.is_(None), tables.c.settle_ms < self._tables.clock()))
            .order_by(tables.c.created_ms, tables.c.id)
            .limit(TOGETHER)
        )
        async with self._tables.store.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        found = {row.id: row.of_people is not None for row in rows}
        nobodys = [table_id for table_id, of_people in found.items() if not of_people]
        if nobodys:
            gone = update(tables).where(tables.c.id.in_(nobodys)).values(settled=True)
            await self._aside.write(lambda connection: connection.execute(gone))
        for table_id, of_people in found.items():
            if of_people:
                await self._settle_or_put_off(table_id)
        return len(found)

    async def _settle_or_put_off(self, table_id: str) -> None:
        """One that cannot be settled is left for later, so that those behind it are not held up."""
        try:
            await self.settle(table_id)
        except Exception as error:
            if is_away(error):
                raise
            log.error("the game of table %s could not be entered", table_id, exc_info=error)
            later = update(tables).where(tables.c.id == table_id)
            put_off = later.values(settle_ms=self._tables.clock() + AGAIN_MS)
            await self._aside.write(lambda connection: connection.execute(put_off))

    async def settle(self, table_id: str) -> None:
        """Enter the game of a finished table, if it has not been."""
        store = self._tables.store
        table = await store.table(table_id)
        game = None
        if table is not None:
            game = await store.longwork.tell(table.ply * 2, partial(settled_game, table))
        if game is None:
            await self._aside.write(lambda connection: mark_settled(connection, table_id))
        else:
            await self._aside.write(partial(enter, game=game))

    async def review_some(self) -> int:
        """Enter the figures of some reviews that are done; how many."""
        query = (
            select(games.c.number, reviews.c.body)
            .join(reviews, reviews.c.id == games.c.review_id)
            .where(games.c.review_state == AWAITED, reviews.c.state == DONE)
            .limit(TOGETHER)
        )
        async with self._tables.store.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
        for row in rows:
            review = await asyncio.to_thread(lambda body: orjson.loads(unpacked(body)), row.body)
            await self._aside.write(
                partial(add_review, number=row.number, found=seat_reviews(review))
            )
        return len(rows)

    async def tidy(self) -> None:
        """Rated games that nobody goes on with are lost, and late reviews not waited for."""
        if time.monotonic() < self._tidy_at:
            return
        self._tidy_at = time.monotonic() + TIDY_S
        await self._forgo()
        for table_id in await self._abandoned():
            await self._tables.decide(await self._tables.live(table_id), lost_by_leaving)

    async def _abandoned(self) -> list[str]:
        """Rated games without a clock in which nobody has moved for long, whatever was said."""
        before = self._tables.clock() - ABANDONED_MS
        moves = events.c.table_id == tables.c.id, events.c.body.like('{"type":"Moved"%')
        last = select(func.max(events.c.at_ms)).where(*moves)
        query = select(tables.c.id).where(
            tables.c.state == "running",
            tables.c.created_ms < before,
            tables.c.info.contains('"rated":true'),
            tables.c.info.contains('"clock":null'),
            func.coalesce(last.scalar_subquery(), tables.c.created_ms) < before,
        )
        async with self._tables.store.engine.connect() as connection:
            return [row.id for row in await connection.execute(query.limit(TOGETHER))]

    async def _forgo(self) -> None:
        before = self._tables.clock() - FORGO_MS
        late = update(games).where(games.c.review_state == AWAITED, games.c.ended_ms < before)
        change = late.values(review_state=NO_REVIEW)
        await self._aside.write(lambda connection: connection.execute(change))
