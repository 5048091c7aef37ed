"""Killed without warning, in the middle of things: what was promised is there, and all goes on.

A few kills here; `make soak-server` does fifty on each database.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from tests.server.cluster import Cluster
from tests.server.crowd import Crowd, check_promises
from tests.server.serving import Process

pytestmark = pytest.mark.servers


async def killed(db: str, times: int, tables: int = 8, seed: int = 1) -> Crowd:
    """Kill and restart the server that often under load, and check after each time."""
    chance = random.Random(seed)
    with Process(db) as process:
        crowd = Crowd([process.port])
        await crowd.start(tables, with_bots=tables // 3)
        for _ in range(times):
            await crowd.moves_on(10)
            await asyncio.sleep(chance.random() * 0.5)
            process.kill()
            await check_promises(db, crowd)
            process.start()
        await crowd.moves_on(60)
        await crowd.stop()
        process.stop()
    for table in (await check_promises(db, crowd)).values():
        moved = {event.seat for event in table.moved}
        assert moved == set(range(len(table.chairs))), "somebody never moved, a bot perhaps"
    return crowd


def test_sqlite_survives_kills(tmp_path: Path) -> None:
    crowd = asyncio.run(killed(str(tmp_path / "tables.db"), 3))
    assert len(crowd.promises) >= 90


def test_postgres_survives_kills(cluster: Cluster) -> None:
    crowd = asyncio.run(killed(cluster.database("kills"), 2))
    assert len(crowd.promises) >= 80


def test_a_polite_stop_loses_nothing_and_is_quick(tmp_path: Path) -> None:
    db = str(tmp_path / "tables.db")

    async def run() -> None:
        with Process(db) as process:
            crowd = Crowd([process.port], pause_s=0)
            await crowd.start(8, with_bots=2)
            await crowd.moves_on(60)
            loop = asyncio.get_running_loop()
            began = loop.time()
            code = await loop.run_in_executor(None, process.stop)
            assert loop.time() - began < 8
            assert code in (0, -15)
            await check_promises(db, crowd)
            process.start()
            await crowd.moves_on(20)
            await crowd.stop()
        await check_promises(db, crowd)

    asyncio.run(run())
