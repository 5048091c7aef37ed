"""What finished games cost as they become many: bytes, reads, vacuum. On a private PostgreSQL.

    python benchmarks/growth.py [--games 50000,200000,800000] [--day 1000] [--reads 400]

Some games are played, then copied under other names inside the database until there are as many as
asked for: their summaries and packed values, as the server leaves them. At each size it's measured
how much room everything takes, how long it takes to read a game back, and what it costs to pack
one day's games (`--day` of them) and to vacuum after that, together with the bytes of the log.
What is measured at the sizes is carried on to ten million games: room and the vacuum of a table
whose indexes have to be read whole grow linearly (the last two sizes give the line), a read grows
with the depth of the index. Last comes one line of JSON.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.samplegames import finished_game
from tests.server.cluster import Cluster

from cabochon.play.events import TableEvent, event_to_json
from cabochon.play.store import Append
from cabochon.play.table import Table
from cabochon.server.settings import Settings
from cabochon.server.storage.database import open_database
from cabochon.server.storage.gamelogs import SETTLES_MS, bodies_of
from cabochon.server.storage.packedgames import pack
from cabochon.server.storage.schema import PARTITIONS
from cabochon.server.storage.sidewriter import SideWriter
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.packer import Packer

TEN_MILLION = 10_000_000
SAMPLES = 24
BEGAN_MS = 1_790_000_000_000
DAY_MS = 86_400_000
KEPT = ("tables", "packed_games", "person_tables")

Measured = dict[str, float]


class Growing:
    """A database that becomes larger and larger."""

    def __init__(self, engine: AsyncEngine, samples: list[list[TableEvent]]) -> None:
        self._engine = engine
        self._store = SqlStore(engine, "growth")
        self._samples = samples
        self._count = 0
        self.now = BEGAN_MS
        self._hub = Hub(self._store, Settings(db=str(engine.url)), lambda: self.now)

    async def begin(self) -> None:
        """The samples, kept and packed by the server's own code, and copied aside as the pattern
        of all others."""
        self._store.start()
        await self._keep("sample", self._samples)
        await self._pack()
        async with self._engine.begin() as connection:
            for name in KEPT:
                await connection.execute(text(f"CREATE TABLE like_{name} AS SELECT * FROM {name}"))

    async def _keep(self, prefix: str, games: list[list[TableEvent]]) -> None:
        for number, log in enumerate(games):
            table = Table.of(f"{prefix}{number:06}"[-16:], log)
            await self._store.append([Append(1, tuple(log), table)])
        async with self._engine.begin() as connection:
            await connection.execute(text("UPDATE tables SET settled = true WHERE NOT settled"))

    async def _pack(self) -> float:
        """Pack all that can be, and remove their rows: the seconds of our own processor time."""
        aside = SideWriter(self._engine)
        packer = Packer(self._hub, aside)
        self.now += 2 * DAY_MS
        began = time.process_time()
        while await packer.pack_some():
            pass
        self.now += SETTLES_MS + 1
        while await packer.remove_some():
            pass
        await aside.close()
        return time.process_time() - began

    async def grow_to(self, games: int) -> None:
        """Copies until there are so many. Ids are what md5 makes of a number, so that they come in
        no order, as the server's do."""
        per = games // len(self._samples)
        done = self._count // len(self._samples)
        for name in KEPT:
            column = "id" if name == "tables" else "table_id"
            others = await self._columns(name, column)
            await self._run(
                f"INSERT INTO {name} ({column}, {others}) "
                f"SELECT substr(md5({column} || n), 1, 12), {others} "
                f"FROM generate_series({done + 1}, {per}) AS n, like_{name}"
            )
        self._count = per * len(self._samples)
        for name in KEPT:
            await self._alone(f"VACUUM (ANALYZE, FREEZE) {name}")

    async def _columns(self, name: str, without: str) -> str:
        query = (
            "SELECT string_agg(column_name, ', ') FROM information_schema.columns "
            f"WHERE table_name = 'like_{name}' AND column_name <> '{without}'"
        )
        async with self._engine.connect() as connection:
            return str((await connection.execute(text(query))).scalar_one())

    async def measure(self, day: int, reads: int) -> Measured:
        found: Measured = {"games": self._count}
        for name in KEPT:
            sizes = f"SELECT pg_table_size('{name}'), pg_indexes_size('{name}')"
            heap, indexes = await self._row(sizes)
            found[f"{name}_bytes"] = round(heap / self._count, 1)
            found[f"{name}_index_bytes"] = round(indexes / self._count, 1)
        found |= await self._read_some(reads)
        games = [self._samples[n % len(self._samples)] for n in range(day)]
        log_before = await self._wal()
        await self._keep(f"d{self._count:x}", games)
        written = await self._wal()
        found["day_rows_bytes"] = round(await self._events_bytes() / day)
        took = await self._pack()
        found["pack_cpu_ms_per_game"] = round(1000 * took / day, 2)
        found["wal_kept_per_game"] = round((written - log_before) / day)
        found["wal_packed_per_game"] = round((await self._wal() - written) / day)
        for name in ("events", "tables", "packed_games"):
            found[f"vacuum_{name}_s"] = round(await self._alone(f"VACUUM {name}"), 3)
        return found

    async def _read_some(self, reads: int) -> Measured:
        per, took = self._count // len(self._samples), []
        names = (await self._row("SELECT array_agg(table_id) FROM like_packed_games"))[0]
        async with self._engine.connect() as connection:
            for _ in range(reads):
                key = f"{random.choice(names)}{random.randrange(1, per + 1)}"
                md5 = text("SELECT substr(md5(:key), 1, 12)")
                table_id = (await connection.execute(md5, {"key": key})).scalar_one()
                began = time.perf_counter()
                assert await bodies_of(connection, table_id)
                took.append(1000 * (time.perf_counter() - began))
        return {"read_p50_ms": round(median(took), 2), "read_p99_ms": round(_p99(took), 2)}

    async def _events_bytes(self) -> int:
        parts = " + ".join(f"pg_total_relation_size('{name}')" for name in PARTITIONS)
        return int((await self._row(f"SELECT {parts}"))[0])

    async def _wal(self) -> int:
        return int((await self._row("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))[0])

    async def _row(self, query: str) -> Any:
        async with self._engine.connect() as connection:
            return (await connection.execute(text(query))).one()

    async def _run(self, query: str) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(text(query))

    async def _alone(self, query: str) -> float:
        """The seconds of a statement that wants no transaction around it."""
        apart = create_async_engine(self._engine.url, isolation_level="AUTOCOMMIT")
        began = time.perf_counter()
        async with apart.connect() as connection:
            await connection.execute(text(query))
        took = time.perf_counter() - began
        await apart.dispose()
        return took

    async def close(self) -> None:
        await self._store.close()


def _p99(times: list[float]) -> float:
    return quantiles(times, n=100)[98]


def bytes_in_sqlite(samples: list[list[TableEvent]]) -> Measured:
    """Of a game as rows and packed, without what a database adds."""
    bodies = [[json.dumps(event_to_json(e), separators=(",", ":")) for e in log] for log in samples]
    count = len(bodies)
    return {
        "events_per_game": round(sum(map(len, bodies)) / count, 1),
        "raw_bytes": round(sum(len(body) for log in bodies for body in log) / count),
        "packed_bytes": round(sum(len(pack(log)) for log in bodies) / count),
    }


def carried_on(steps: list[Measured]) -> Measured:
    """What the stated law makes of the last two sizes at ten million games."""
    before, last = steps[-2:] if len(steps) > 1 else (steps[0] | {"games": 0}, steps[0])
    kept = ("_bytes", "_index_bytes")
    room = sum(
        value for name, value in last.items() if name.endswith(kept) and not name.startswith("day_")
    )
    apart, further = last["games"] - before["games"], TEN_MILLION - last["games"]
    slope = max(0.0, (last["vacuum_tables_s"] - before["vacuum_tables_s"]) / apart)
    return {
        "games": TEN_MILLION,
        "gigabytes": round(room * TEN_MILLION / 1e9, 1),
        "gigabytes_as_rows": round(
            (room - last["packed_games_bytes"] - last["packed_games_index_bytes"]
             + last["day_rows_bytes"]) * TEN_MILLION / 1e9, 1),
        "vacuum_tables_s": round(last["vacuum_tables_s"] + slope * further, 1),
        "vacuum_events_s": last["vacuum_events_s"],
    }  # fmt: skip


async def run(db: str, sizes: list[int], day: int, reads: int) -> list[Measured]:
    samples = [finished_game(number, BEGAN_MS) for number in range(SAMPLES)]
    print(json.dumps(bytes_in_sqlite(samples)), flush=True)
    engine = await open_database(db)
    growing = Growing(engine, samples)
    await growing.begin()
    found = []
    for size in sizes:
        began = time.perf_counter()
        await growing.grow_to(size)
        made = time.perf_counter() - began
        found.append(await growing.measure(day, reads))
        print(f"grown in {made:.0f} s: {json.dumps(found[-1])}", flush=True)
    await growing.close()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--games", default="50000,200000,800000")
    parser.add_argument("--day", type=int, default=1000)
    parser.add_argument("--reads", type=int, default=400)
    args = parser.parse_args()
    cluster = Cluster("max_wal_size=4GB", "autovacuum=off")
    try:
        sizes = [int(size) for size in args.games.split(",")]
        steps = asyncio.run(run(cluster.database("growth"), sizes, args.day, args.reads))
    finally:
        cluster.close()
    print(json.dumps({"measured": steps[-1], "at_ten_million": carried_on(steps)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
