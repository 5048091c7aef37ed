"""A log that somebody has made long on purpose is read back in time, beside the event loop, and at
the expense of whoever asks for it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from cabochon.play import messaging
from cabochon.play.clock import Increment
from cabochon.play.events import TableEvent
from cabochon.play.messaging import Audience
from cabochon.play.store import Append
from cabochon.play.table import Table
from cabochon.server.tables import replies
from cabochon.server.tables.live import Live, Subscriber
from cabochon.server.tables.maintenance import Maintenance
from cabochon.server.web.routes import records
from tests.bars import keeps
from tests.play.longlogs import long_log
from tests.server.planted import KEYS, farmed, one_person, plant
from tests.server.serving import serving
from tests.server.test_hub import hub_on, run, until

LONG = "longlong01"


@pytest.fixture(scope="module")
def log() -> list[TableEvent]:
    return farmed()


@pytest.fixture
def db(tmp_path: Path, log: list[TableEvent]) -> Path:
    plant(tmp_path / "t.db", LONG, events=log)
    return tmp_path / "t.db"


class Watch:
    """Counts what each thread does of something long."""

    def __init__(self) -> None:
        self.done: Counter[tuple[str, int]] = Counter()

    def watched(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **named: Any) -> Any:
            self.done[name, threading.get_ident()] += 1
            return work(*args, **named)

        return counted

    def here(self, name: str) -> int:
        return self.done[name, threading.get_ident()]

    def elsewhere(self, name: str) -> int:
        return sum(n for (what, _), n in self.done.items() if what == name) - self.here(name)


@pytest.fixture
def watch() -> Iterator[Watch]:
    watch = Watch()
    with pytest.MonkeyPatch.context() as patch:
        for home, name in ((Table, "after"), (replies, "messages_for"), (replies, "snapshot")):
            patch.setattr(home, name, watch.watched(name, getattr(home, name)))
        yield watch


def test_a_long_table_is_loaded_beside_the_event_loop(db: Path, watch: Watch) -> None:
    async def test() -> None:
        async with hub_on(db) as hub:
            live = await hub.live(LONG)
            assert live.table.seq == 2000
            assert watch.here("after") == 0
            assert watch.elsewhere("after") == 1999

    run(test())


def test_who_missed_much_at_a_long_table_is_told_beside_the_event_loop(
    db: Path, watch: Watch
) -> None:
    async def test() -> None:
        async with hub_on(db) as hub:
            live = await hub.live(LONG)
            listener = Subscriber(Audience((0,), facts=True))
            await hub.presence.connect(live, listener, since=1800)
            said = [orjson.loads(message) for message in await listener.take()]
            states = [m["seq"] for m in said if m["type"] == "gameState"]
            assert states == list(range(1801, 2001))
            assert watch.here("messages_for") + watch.here("after") == 0
            assert watch.elsewhere("messages_for") == 200
            newcomer = Subscriber(Audience(()))
            await hub.presence.connect(live, newcomer, None)
            full = orjson.loads((await newcomer.take())[0])
            assert len(full["log"]) == len(live.table.lines) > 1000
            assert (watch.here("snapshot"), watch.elsewhere("snapshot")) == (0, 1)

    run(test())


def test_what_happens_while_somebody_is_told_is_told_too(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whoever moves meanwhile does not wait until the story is over."""

    async def test() -> None:
        async with hub_on(db) as hub:
            live = await hub.live(LONG)
            begun, go_on = threading.Event(), threading.Event()
            full = messaging.snapshot

            def slow(*args: Any) -> Any:
                begun.set()
                assert go_on.wait(20)
                return full(*args)

            monkeypatch.setattr(replies, "snapshot", slow)
            listener = Subscriber(Audience(()))
            coming = asyncio.create_task(hub.presence.connect(live, listener, None))
            await asyncio.to_thread(begun.wait, 20)
            await _move(hub, live)
            go_on.set()
            await coming
            said = [orjson.loads(message) for message in await listener.take()]
            assert [m["seq"] for m in said if m["type"] in ("gameFull", "gameState")] == [
                2000,
                2001,
            ]

    run(test())


async def _move(hub: Any, live: Live) -> None:
    move = live.table.running.legal_moves()[0]
    seat = live.table.running.seat
    await hub.decide(live, lambda t, now: t.submit(seat, t.version, (move,), now, engine=True))


def test_a_server_with_long_clocks_to_watch_starts_beside_the_event_loop(
    tmp_path: Path, watch: Watch
) -> None:
    plant(tmp_path / "t.db", "clocked001", events=farmed(Increment(10**14, 1000)))
    watch.done.clear()

    async def test() -> None:
        async with hub_on(tmp_path / "t.db", node="next") as hub:
            maintenance = Maintenance(hub)
            await maintenance.start()
            await until(lambda: hub.in_memory("clocked001") is not None)
            await until(lambda: (hub.in_memory("clocked001") or _never()).leased)
            await maintenance.close()
            assert watch.here("after") == 0
            assert watch.elsewhere("after") == 1999

    run(test())


def _never() -> Live:
    raise AssertionError


def test_a_node_that_was_cut_off_catches_up_in_small_steps(tmp_path: Path) -> None:
    """Others get their turn between them."""
    events = long_log(600, 0, one_person())

    async def test() -> None:
        db = tmp_path / "t.db"
        await asyncio.to_thread(plant, db, LONG, events=events[:300])
        async with hub_on(db, node="a") as hub:
            live = await hub.live(LONG)
            table = live.table
            for event in events[300:]:
                table = table.after(event)
            await hub.store.append([Append(301, tuple(events[300:]), table)])
            turns = 0

            async def others() -> None:
                nonlocal turns
                while live.table.seq < 601:
                    turns += live.table.seq > 300
                    await asyncio.sleep(0)

            waiting = asyncio.create_task(others())
            await hub.caught_up(live)
            await waiting
            assert live.table.seq == 601
            assert turns > 20
            assert live.table.position == table.position

    run(test())


def test_records_and_replays_of_long_tables_are_written_beside_the_event_loop(
    db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, str] = {}
    for name in ("record_of", "_steps"):
        work = getattr(records, name)

        def noted(*args: Any, _name: str = name, _work: Any = work) -> Any:
            threads[_name] = threading.current_thread().name
            return _work(*args)

        monkeypatch.setattr(records, name, noted)
    with serving(db) as here:
        assert here.try_get(f"/tables/{LONG}/record", KEYS[0]).status_code == 200
        replay = here.get(f"/tables/{LONG}/replay?facts=0", KEYS[0])
        assert len(replay["views"]) > 500
    assert {name.partition("_")[0] for name in threads.values()} == {"tell"}


# What it costs


def test_whoever_has_long_tables_read_back_pays_by_their_length(
    tmp_path: Path, log: list[TableEvent]
) -> None:
    short = [f"short{number:05d}" for number in range(6)]
    long = [f"long{number:06d}" for number in range(6)]
    plant(tmp_path / "t.db", *long, events=log)
    plant(tmp_path / "t.db", *short, events=log[:20])
    with serving(tmp_path / "t.db", requests_per_s=6.0) as here:
        assert [here.try_get(f"/tables/{table}").status_code for table in short] == [200] * 6
        codes = [here.try_get(f"/tables/{table}").status_code for table in long]
        assert codes[0] == 200
        assert 429 in codes


def test_nothing_costs_more_than_anybody_can_pay(db: Path) -> None:
    with serving(db, requests_per_s=1.0) as here:
        assert here.try_get(f"/tables/{LONG}").status_code == 200
        until_paid = time.monotonic() + 30
        while here.try_get(f"/tables/{LONG}/replay", KEYS[0]).status_code == 429:
            assert time.monotonic() < until_paid
            time.sleep(1.5)


def test_joining_costs_by_what_is_told(db: Path) -> None:
    with serving(db, requests_per_s=40.0) as here:
        assert here.try_get(f"/tables/{LONG}").status_code == 200
        said = []
        for _ in range(8):
            with here.socket(LONG, KEYS[0], since=1750) as talk:
                said.append(talk.hear("gameState", "refused")["type"])
        assert said[0] == "gameState"
        assert "refused" in said


# How long it takes


@pytest.mark.alone
def test_a_long_table_is_loaded_within_fifty_milliseconds(db: Path) -> None:
    async def load() -> float:
        async with hub_on(db) as hub:
            await hub.store.length(LONG)  # the connection is open
            began = time.perf_counter()
            await hub.live(LONG)
            return time.perf_counter() - began

    keeps(0.050, lambda: asyncio.run(load()))
