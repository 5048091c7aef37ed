"""Whoever writes keeps nobody waiting who moves: SQLite has one writer at a time."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

import cabochon.server
from cabochon.play.store import Append
from cabochon.play.table import Table
from cabochon.play.talking import say
from cabochon.server.people.guests import make_guest
from cabochon.server.storage import checkpoints, ledger
from cabochon.server.storage.database import open_database
from cabochon.server.storage.holdings import Holding
from cabochon.server.storage.ledger import AT_ONCE, Writer
from cabochon.server.storage.schema import nodes
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.storage.transactions import change_rows, in_transaction, turn_of
from cabochon.server.tables.hub import now_ms
from tests.play.sittings import opening, people
from tests.server.test_hub import hub_on, run

ONLY_POSTGRES = {"tables/relay.py", "access/sharedlimits.py"}
AT_THE_START = {"storage/database.py"}
THE_WRITERS = {"storage/ledger.py", "storage/sidewriter.py", "storage/transactions.py"}


async def a_busy_loop() -> None:
    """What a loaded machine does to the event loop: everything takes its turn, slowly."""
    while True:
        time.sleep(0.05)
        await asyncio.sleep(0)


def test_a_move_does_not_wait_while_it_is_noted_who_was_there(tmp_path: Path) -> None:
    """Two statements for each of them, and once round the loop for each statement, took so long
    that a join was answered "The table is busy" after ten seconds."""

    async def play() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            store, now = hub.store, now_ms()
            for number in range(150):
                _, cookie = await make_guest(store, f"Guest {number}", "here", now)
                assert await store.sessions.recognised(cookie, now) is not None
            live = await hub.open("table00001", opening(*people(2)))
            busy = asyncio.create_task(a_busy_loop())
            noted = asyncio.create_task(store.sessions.note_seen())
            await asyncio.sleep(0.3)
            began = time.monotonic()
            await hub.decide(live, lambda table, at: say(table, 0, "hello", at))
            assert time.monotonic() - began < 3
            await noted
            busy.cancel()

    run(play())


class Counting:
    """A ledger that only notes how much was written at a time, and takes as long as a disk."""

    def __init__(self) -> None:
        self.written: list[int] = []

    async def write(self, appends: Sequence[Append], made: Sequence[Holding] = ()) -> None:
        self.written.append(len(appends))
        await asyncio.sleep(0.001)

    async def close(self) -> None: ...


def an_append() -> Append:
    table = Table.open("table00001", opening(*people(2)))
    return Append(1, (table.opened,), table)


def test_bots_among_themselves_do_not_commit_by_themselves() -> None:
    """Their moves wait for somebody's, and not for long."""

    async def play() -> None:
        kept, append = Counting(), an_append()
        written = kept.written
        writer = Writer(kept)
        writer.start()
        patient = [asyncio.create_task(writer.append([append], patient=True)) for _ in range(3)]
        await asyncio.sleep(0.02)
        assert written == []
        await writer.append([append])
        assert written == [4]
        await asyncio.gather(*patient)
        await asyncio.wait_for(writer.append([append], patient=True), 5)
        assert written == [4, 1]
        last = asyncio.create_task(writer.append([append], patient=True))
        await asyncio.sleep(0)
        await writer.close()
        await last
        assert written == [4, 1, 1]

    run(play())


def test_patience_begins_anew_with_each_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever came just before has not been patient for long because somebody else was."""
    monkeypatch.setattr(ledger, "PATIENT_S", 0.4)

    async def play() -> None:
        kept, append = Counting(), an_append()
        writer = Writer(kept)
        writer.start()
        first = asyncio.create_task(writer.append([append], patient=True))
        await asyncio.sleep(0.2)
        await writer.append([append])
        await first
        second = asyncio.create_task(writer.append([append], patient=True))
        await asyncio.sleep(0.3)  # the first one's patience would be at an end now
        assert kept.written == [2]
        await second
        assert kept.written == [2, 1]
        await writer.close()

    run(play())


def test_bots_that_share_a_commit_do_not_keep_people_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ledger, "LONG_GATHER_S", 5.0)

    async def play() -> None:
        kept, append = Counting(), an_append()
        writer = Writer(kept)
        writer.start()
        bots = [asyncio.create_task(writer.append([append], patient=True)) for _ in range(20)]
        await asyncio.sleep(0)
        await writer.append([append])
        assert kept.written == [21]
        await asyncio.wait_for(writer.append([append]), 2)
        await asyncio.gather(*bots)
        await asyncio.wait_for(writer.close(), 2)

    run(play())


async def one_after_the_other(moves: int) -> float:
    """How long so many moves took, of which each was sent when the last was kept."""
    writer, append = Writer(Counting()), an_append()
    writer.start()
    began = time.monotonic()
    for _ in range(moves):
        await writer.append([append])
    took = time.monotonic() - began
    await writer.close()
    return took


def test_a_move_does_not_wait_because_another_has_just_been_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With four hundred bots' moves between them, people's would nearly all have to."""
    monkeypatch.setattr(ledger, "GATHER_S", 2.0)
    assert asyncio.run(one_after_the_other(AT_ONCE)) < 2.0


def test_moves_that_come_thick_and_fast_share_a_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "GATHER_S", 0.2)

    async def play() -> None:
        kept = Counting()
        writer, append = Writer(kept), an_append()
        writer.start()
        sent = []
        for _ in range(60):
            sent.append(asyncio.create_task(writer.append([append])))
            await asyncio.sleep(0.005)
        await asyncio.gather(*sent)
        assert writer.is_crowded
        await writer.close()
        assert len(kept.written) < 2 * AT_ONCE + 5
        assert sum(kept.written) == 60

    run(play())


def test_what_comes_in_the_pause_is_done_together_before_the_next_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And what comes when nothing is under way, at once. One that fails takes nobody with it."""
    monkeypatch.setattr(ledger, "GATHER_S", 0.2)
    monkeypatch.setattr(ledger, "AT_ONCE", 0)

    async def play() -> None:
        kept, append = Counting(), an_append()
        writer, done = Writer(kept), list[str]()
        writer.start()

        def work(name: str) -> None:
            done.append(name)
            if name == "b":
                raise ValueError(name)
            writer.append_soon(append, lambda _: None)

        writer.before_next(lambda: work("a"))
        assert done == ["a"]
        await asyncio.sleep(0.05)
        assert kept.written == [1]  # and now it rests
        assert not writer.is_crowded
        for name in "bcd":
            writer.before_next(lambda name=name: work(name))  # type: ignore[misc]
        await asyncio.sleep(0.05)
        assert done == ["a"]
        await asyncio.sleep(0.3)
        assert done == ["a", "b", "c", "d"]
        assert kept.written == [1, 2]
        writer.before_next(lambda: work("e"))
        await writer.close()
        assert sum(kept.written) == 4

    run(play())


def test_a_program_that_reads_the_file_for_long_keeps_no_move_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "MOST_PAGES", 0)
    monkeypatch.setattr(checkpoints, "EVERY_S", 0.0)

    async def play() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table00001", opening(*people(2)))
            reader = sqlite3.connect(tmp_path / "t.db", isolation_level=None)
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM events").fetchone()
            began = time.monotonic()
            for _ in range(6):
                await hub.decide(live, lambda table, at: say(table, 0, "hello", at))
                await asyncio.sleep(0.05)
            assert time.monotonic() - began < 5
            reader.close()

    run(play())


def test_nobody_writes_but_in_a_transaction_of_one_go() -> None:
    """On SQLite no transaction is to be begun on the event loop."""
    root = Path(cabochon.server.__file__).parent
    begun = {
        str(file.relative_to(root))
        for file in root.rglob("*.py")
        if re.search(r"async with [^\n]*\.begin\(", file.read_text())
    }
    of_the_server = {name for name in begun if not name.startswith("admin/")}
    assert of_the_server == ONLY_POSTGRES | AT_THE_START | THE_WRITERS


def test_a_transaction_that_waits_for_something_else_is_not_kept(tmp_path: Path) -> None:
    async def waits(connection: AsyncConnection) -> None:
        await connection.execute(update(nodes).values(beat_ms=1))
        await asyncio.sleep(0)

    async def play() -> None:
        store = SqlStore(await open_database(str(tmp_path / "t.db")), "node")
        await store.beat()
        with pytest.raises(RuntimeError, match="besides its connection"):
            await in_transaction(store.engine, waits)
        async with store.engine.connect() as connection:
            assert (await connection.execute(select(nodes.c.beat_ms))).scalar_one() > 1
        assert not turn_of(store.engine).locked()
        assert await change_rows(store.engine, update(nodes).values(beat_ms=2)) == 1
        await store.engine.dispose()

    run(play())


def test_whoever_writes_takes_turns(tmp_path: Path) -> None:
    """Nobody asks the file again and again, and nobody is told that it is locked."""

    async def play() -> None:
        store = SqlStore(await open_database(str(tmp_path / "t.db")), "node")
        aside = SideWriter(store.engine)
        turn_of(store.engine).acquire()
        waiting = [
            asyncio.create_task(store.beat()),
            asyncio.create_task(aside.write(lambda connection: None)),
        ]
        done, _ = await asyncio.wait(waiting, timeout=0.2)
        assert not done
        turn_of(store.engine).release()
        await asyncio.wait_for(asyncio.gather(*waiting), 5)
        await aside.close()
        await store.engine.dispose()

    run(play())
