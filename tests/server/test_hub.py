"""The hub from inside: clocks that run out, absent players, leases, failures of the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from cabochon.notation import parse_move
from cabochon.play.chairs import Chair, Kind, Out
from cabochon.play.clock import Increment
from cabochon.play.errors import TableRefused
from cabochon.play.events import Opened, Wrote
from cabochon.play.messaging import Audience
from cabochon.play.options import AtZero, WhenGone
from cabochon.play.store import Append, Conflict
from cabochon.play.table import Decision, Table
from cabochon.play.talking import say
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.settings import Settings
from cabochon.server.storage.database import open_database
from cabochon.server.storage.ledger import OnKept
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables import hub as hub_module
from cabochon.server.tables.hub import Hub, now_ms
from cabochon.server.tables.live import Live, Subscriber, TableLock
from cabochon.server.tables.maintenance import Maintenance
from tests.play.sittings import engine, opening, people, person

TAKE = (parse_move("take wug"),)


class Time:
    """A clock that tests can push on."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> int:
        return now_ms() + self.ahead


@asynccontextmanager
async def hub_on(
    db: Path, clock: Callable[[], int] | None = now_ms, node: str = "node", **settings: Any
) -> AsyncIterator[Hub]:
    store = SqlStore(await open_database(str(db)), node)
    store.start()
    own = () if clock is None else (clock,)
    hub = Hub(store, Settings(db=str(db), **settings), *own)
    await store.beat()
    try:
        yield hub
    finally:
        await hub.close()
        await store.close()


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 30))


async def until(done: Callable[[], bool], seconds: float = 10) -> None:
    for _ in range(int(seconds * 100)):
        if done():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def with_clock(base_ms: int, at_zero: AtZero) -> Opened:
    return opening(*people(2), clock=Increment(base_ms, 0), at_zero=at_zero, at=now_ms())


def test_a_clock_runs_out_by_itself(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", with_clock(150, AtZero.LOSE))
            await until(lambda: live.table.ended is not None)
            assert live.table.chairs[0].out is Out.TIME
            at = live.table.lines[-1].at
            assert 150 <= at - live.table.opened.at < 1000

    run(test())


def test_a_bot_takes_over_when_time_is_over_and_plays_on(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", with_clock(150, AtZero.BOT))
            await until(lambda: live.table.ended is not None, 25)
            assert live.table.ended is not None
            assert live.table.ended.reason == "target"

    run(test())


def test_a_move_that_comes_after_the_end_of_time_is_too_late(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            live = await hub.open("table1", with_clock(60_000, AtZero.LOSE))
            time.ahead = 60_001
            with pytest.raises(Exception, match="finished") as refused:
                await hub.decide(live, lambda t, now: t.submit(0, 1, TAKE, now))
            assert refused.value
            assert live.table.chairs[0].out is Out.TIME

    run(test())


def test_a_clock_survives_a_restart(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            await hub.open("table1", with_clock(1500, AtZero.LOSE))
            await hub.store.retire()
        async with hub_on(tmp_path / "t.db", node="other") as hub:
            maintenance = Maintenance(hub)
            await maintenance.start()
            await until(lambda: hub.in_memory("table1") is not None)
            live = await hub.live("table1")
            await until(lambda: live.leased)
            await until(lambda: live.table.ended is not None)
            assert live.table.lines[-1].at - live.table.opened.at < 3500
            await maintenance.close()

    run(test())


def gone_by_bot() -> Opened:
    opened = opening(*people(2), when_gone=WhenGone.BOT, at=now_ms())
    return replace(opened, options=replace(opened.options, grace_s=1))


def test_a_bot_stands_in_after_the_grace_time_and_hands_back(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", gone_by_bot())
            here = Subscriber(Audience((1,)))
            await hub.presence.connect(live, here, None)
            await until(lambda: live.table.chairs[0].stands_in)
            assert not live.table.chairs[1].stands_in
            await until(lambda: live.table.to_act == 1)
            back = Subscriber(Audience((0,)))
            await hub.presence.connect(live, back, None)
            await until(lambda: not live.table.chairs[0].stands_in)
            hub.presence.disconnect(live, back)
            hub.presence.disconnect(live, here)

    run(test())


def test_who_comes_back_in_time_is_not_replaced(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", gone_by_bot())
            await asyncio.sleep(0.5)
            here = Subscriber(Audience((0, 1)))
            await hub.presence.connect(live, here, None)
            await asyncio.sleep(0.9)
            assert not any(chair.stands_in for chair in live.table.chairs)
            hub.presence.disconnect(live, here)

    run(test())


def test_idle_tables_leave_memory_and_come_back_with_their_bots(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            live = await hub.open("table1", opening(person(0), engine(), at=now_ms()))
            time.ahead = hub_module.IDLE_MS + 1
            await hub.evict_idle()
            assert hub.in_memory("table1") is None
            again = await hub.live("table1")
            assert again is not live
            assert again.leased
            await hub.decide(again, lambda t, now: t.submit(0, t.version, TAKE, now))
            await until(lambda: again.table.to_act == 0)

    run(test())


def test_a_table_that_is_removed_while_it_is_read_does_not_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever went on asking for it went on getting it."""

    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            await hub.open("table1", opening(*people(2), at=now_ms()))
            hub.forget("table1")
            read, was_read, go_on = hub.store.table, asyncio.Event(), asyncio.Event()

            async def slowly(table_id: str) -> Table | None:
                found = await read(table_id)
                was_read.set()
                await go_on.wait()
                return found

            monkeypatch.setattr(hub.store, "table", slowly)
            asking = asyncio.create_task(hub.live("table1"))
            await was_read.wait()
            hub.forget("table1")
            go_on.set()
            with pytest.raises(ServerRefused):
                await asking
            assert hub.in_memory("table1") is None

    run(test())


def test_a_table_with_a_clock_that_ends_soon_stays(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            soon = opening(*people(2), clock=Increment(150_000, 0), at=now_ms())
            late = opening(*people(2), clock=Increment(86_000_000, 0), at=now_ms())
            await hub.open("table1", soon)
            await hub.open("table2", late)
            time.ahead = hub_module.IDLE_MS + 1
            await hub.evict_idle()
            assert hub.in_memory("table1") is not None
            assert hub.in_memory("table2") is None
            assert await hub.store.abandoned(8000, time()) == []
            assert await hub.store.abandoned(8000, time() + 86_000_000) == ["table2"]

    run(test())


def test_dead_tables_are_removed(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            waiting = opening(person(0), Chair(Kind.OPEN), at=now_ms())
            await hub.open("waiting", waiting)
            await hub.open("playing", opening(*people(2), at=now_ms()))
            maintenance = Maintenance(hub)
            time.ahead = 23 * 3_600_000
            await maintenance._sweep()
            assert await hub.store.unfinished() == 2
            time.ahead = 25 * 3_600_000
            await maintenance._sweep()
            assert await hub.store.unfinished() == 1
            with pytest.raises(ServerRefused):
                await hub.live("waiting")
            live = await hub.live("playing")
            time.ahead = 20 * 86_400_000
            await hub.decide(live, lambda t, now: t.submit(0, t.version, TAKE, now))
            time.ahead = 40 * 86_400_000
            await maintenance._sweep()
            assert await hub.store.unfinished() == 1
            time.ahead = 51 * 86_400_000
            await maintenance._sweep()
            assert await hub.store.unfinished() == 0

    run(test())


def test_two_hubs_on_one_file_find_out_about_each_other(tmp_path: Path) -> None:
    async def test() -> None:
        db = tmp_path / "t.db"
        async with hub_on(db, node="a") as a, hub_on(db, node="b") as b:
            mine = await a.open("table1", opening(*people(2), at=now_ms()))
            theirs = await b.live("table1")
            await a.decide(mine, lambda t, now: t.submit(0, 1, TAKE, now))
            with pytest.raises(Exception, match="moved on"):
                await b.decide(theirs, lambda t, now: t.submit(0, 1, TAKE, now))
            await b.decide(theirs, lambda t, now: say(t, 1, "hello", now))
            assert theirs.table.seq == 3
            await a.decide(mine, lambda t, now: say(t, 0, "hello", now))
            assert mine.table.seq == 4

    run(test())


def test_one_lease_a_table(tmp_path: Path) -> None:
    async def test() -> None:
        db = tmp_path / "t.db"
        async with hub_on(db, node="a") as a, hub_on(db, node="b") as b:
            mine = await a.open("table1", opening(person(0), engine(), at=now_ms()))
            assert mine.leased
            assert not (await b.live("table1")).leased
            assert await b.store.abandoned(8000, now_ms()) == []
            await a.store.retire()
            assert await b.store.abandoned(8000, now_ms()) == ["table1"]
            maintenance = Maintenance(b)
            await maintenance._take_over()
            assert (await b.live("table1")).leased

    run(test())


class Broken:
    """A store whose next append fails, before or after it was kept."""

    def __init__(self, append: Callable[..., Awaitable[None]], kept: bool) -> None:
        self._append = append
        self._kept = kept
        self.broken = True

    async def __call__(self, appends: Any, made: Any = (), patient: bool = False) -> None:
        if self.broken:
            self.broken = False
            if self._kept:
                await self._append(appends, made, patient)
            raise OSError("the disk is away")
        await self._append(appends, made, patient)


@pytest.mark.parametrize("kept", [False, True])
def test_when_keeping_fails_nobody_is_told_what_is_not_so(tmp_path: Path, kept: bool) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            watcher = Subscriber(Audience())
            await hub.presence.connect(live, watcher, None)
            await watcher.take()
            hub.store.append = Broken(hub.store.append, kept)  # type: ignore[method-assign]
            with pytest.raises(ServerRefused) as refused:
                await hub.decide(live, lambda t, now: t.submit(0, 1, TAKE, now))
            assert refused.value.code is ServerFault.BUSY
            if kept:
                assert b"gameState" in (await watcher.take())[0]
                assert live.table.seq == 2
            else:
                await hub.decide(live, lambda t, now: t.submit(0, 1, TAKE, now))
                assert live.table.seq == 2

    run(test())


@pytest.mark.parametrize("fails", [False, True])
def test_a_move_without_a_task_is_told_when_it_is_kept(tmp_path: Path, fails: bool) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            watcher = Subscriber(Audience())
            await hub.presence.connect(live, watcher, None)
            await watcher.take()
            heard: list[Decision | None] = []

            def move(table: Table, now: int) -> Decision:
                return table.submit(0, 1, TAKE, now)

            def broken(append: Append, done: OnKept) -> None:
                asyncio.get_running_loop().call_soon(done, OSError("the disk is away"))

            if fails:
                hub.store.append_soon = broken  # type: ignore[method-assign]
            assert hub.decide_soon(live, lambda: move, heard.append)
            assert not hub.decide_soon(live, lambda: move, heard.append)  # one at a time
            assert (live.table.seq, heard) == (1, [])
            await until(lambda: bool(heard) and not live.lock.locked())
            if fails:
                assert (live.table.seq, heard) == (1, [None])
                await hub.decide(live, move)
            assert live.table.seq == 2
            assert b"gameState" in (await watcher.take())[0]
            heard.clear()
            assert hub.decide_soon(live, lambda: move, heard.append)
            await until(lambda: heard == [None])  # refused: it is stale
            assert live.table.seq == 2
            assert not live.lock.locked()

    run(test())


def test_a_move_that_is_decided_later_counts_from_when_it_came(tmp_path: Path) -> None:
    """Nobody's time goes on while the server gathers moves, nobody else gets in between, and who
    has left since then has left."""

    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            coming: list[Callable[[], None]] = []
            hub.store.before_next = coming.append  # type: ignore[method-assign, assignment]
            heard: list[Decision | None] = []

            def move(table: Table, now: int) -> Decision:
                hub.presence.commanded(live, 0, now)
                return table.submit(0, 1, TAKE, now)

            came = time()
            assert hub.decide_soon(live, lambda: move, heard.append)
            time.ahead = 60_000
            assert live.lock.locked()
            live.absence.left(0, time())
            (decide,) = coming
            decide()
            await until(lambda: bool(heard))
            (event,) = heard[0].events if heard[0] else ()
            assert 0 <= event.at - came < 5_000
            assert live.absence.there_until(0, 120_000) == 0

    run(test())


def test_what_cannot_be_read_after_all_frees_the_table(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            heard: list[Decision | None] = []

            def broken() -> None:
                raise RuntimeError

            assert hub.decide_soon(live, lambda: None, heard.append)
            with pytest.raises(RuntimeError):
                hub.decide_soon(live, broken, heard.append)
            assert heard == [None, None]
            assert not live.lock.locked()

    run(test())


def test_one_who_cannot_be_written_to_takes_nobody_s_messages_along() -> None:
    class Line:
        is_free = True
        when_free: Callable[[], None] | None = None

        def __init__(self, broken: bool) -> None:
            self.broken = broken
            self.written: list[bytes] = []

        def write_texts(self, messages: Iterable[bytes]) -> None:
            if self.broken:
                raise OSError
            self.written += messages

    async def test() -> None:
        lines = [Line(True), Line(False)]
        subscribers = [Subscriber(Audience()) for _ in lines]
        pouring = [
            asyncio.create_task(subscriber.pour_into(line))
            for subscriber, line in zip(subscribers, lines, strict=True)
        ]
        await asyncio.sleep(0)
        for message in (b"1", b"2"):
            for subscriber in subscribers:
                subscriber.push(message)
        assert lines[1].written == []
        await asyncio.sleep(0)
        assert lines[1].written == [b"1", b"2"]
        for task in pouring:
            task.cancel()

    for _ in range(2):  # a new event loop begins anew
        run(test())


def test_whatever_is_written_comes_back_from_the_store(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            odd = 'a "quote", a \\ and a \x00 \n and \u2028, 你好 🙂, 12, null, []'
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            wrote = Wrote(now_ms(), 0, odd), Wrote(now_ms(), 1, "17")
            table = live.table.after(wrote[0]).after(wrote[1])
            await hub.store.append([Append(2, wrote, table)])
            assert await hub.store.events("table1", 1) == [*wrote]
            with pytest.raises(Conflict):
                await hub.store.append([Append(3, wrote[1:], table)])

    run(test())


def test_a_table_s_lock_goes_to_who_came_first() -> None:
    async def test() -> None:
        lock, order = TableLock(), list[int]()

        async def hold(number: int) -> None:
            async with lock:
                order.append(number)
                await asyncio.sleep(0)

        assert lock.take()
        assert not lock.take()
        waiting = [asyncio.create_task(hold(number)) for number in range(4)]
        await asyncio.sleep(0)
        waiting[1].cancel()  # while it waits
        lock.release()
        waiting[0].cancel()  # it has the lock already, and has not heard
        await asyncio.wait(waiting)
        assert order == [2, 3]
        assert lock.take()

    run(test())


def test_a_client_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            asleep, awake = Subscriber(Audience((0,))), Subscriber(Audience((1,)))
            for subscriber in (asleep, awake):
                await hub.presence.connect(live, subscriber, None)
            for _ in range(300):
                await hub.decide(live, lambda t, now: say(t, 0, "hello", now))
                await awake.take()
            assert asleep.closed
            assert not awake.closed
            assert await asleep.take() == []

    run(test())


def test_a_hub_that_stops_takes_no_commands(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live: Live = await hub.open("table1", opening(*people(2), at=now_ms()))
            hub.depart()
            for refused in (
                hub.decide(live, lambda t, now: say(t, 0, "hello", now)),
                hub.open("table2", opening(*people(2))),
            ):
                with pytest.raises(ServerRefused) as error:
                    await refused
                assert error.value.code is ServerFault.STOPPING

    run(test())


def test_who_was_told_elsewhere_first_is_not_sent_back_in_time(tmp_path: Path) -> None:
    """Two nodes of which one has not yet heard what the other has decided."""

    async def test() -> None:
        db = tmp_path / "t.db"
        async with hub_on(db, node="a") as quick, hub_on(db, node="b") as late:
            ahead = await quick.open("table", opening(*people(2)))
            behind = await late.live("table")
            await quick.decide(ahead, lambda t, now: t.submit(0, 1, TAKE, now))
            await late.decide(behind, lambda t, now: t.submit(1, 2, TAKE, now))
            assert behind.table.seq == 3
            listener = Subscriber(Audience((0,)))
            await quick.presence.connect(ahead, listener, since=3)
            said = [orjson.loads(message) for message in await listener.take()]
            assert [m["seq"] for m in said if m["type"] == "gameFull"] == []
            assert ahead.table.seq == 3
            with pytest.raises(TableRefused):
                await quick.decide(ahead, lambda t, now: t.submit(0, 9, TAKE, now))

    run(test())
