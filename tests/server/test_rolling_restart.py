"""Three nodes on one PostgreSQL are restarted one after the other while people play: no move is
lost, and none waits for longer than somebody takes to find another node."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest
from benchmarks.yardstick import slowness

from tests.server.cluster import Cluster
from tests.server.crowd import Crowd, check_promises
from tests.server.serving import Process

pytestmark = pytest.mark.servers

RECONNECT_S = 4.0
"""Three tries at nodes of which one is away, of half a second each, and the table read back."""


async def beside(work: Callable[[], object]) -> None:
    """While everybody plays on."""
    await asyncio.get_running_loop().run_in_executor(None, work)


async def rolled(db: str) -> Crowd:
    nodes = [await asyncio.to_thread(partial(Process, db)) for _ in range(3)]
    try:
        crowd = Crowd([node.port for node in nodes], pause_s=0.1)
        await crowd.start(9, with_bots=3)
        await crowd.moves_on(30)
        for node in nodes:
            await beside(node.stop)
            await crowd.moves_on(20)
            await beside(node.start)
            await crowd.moves_on(20)
        await crowd.stop()
        for node in nodes:
            await beside(node.stop)
    finally:
        for node in nodes:
            node.__exit__()
    return crowd


def test_a_rolling_restart_is_not_noticed(cluster: Cluster) -> None:
    db = cluster.database("rolling")
    crowd = asyncio.run(rolled(db))
    found = asyncio.run(check_promises(db, crowd))
    assert len(crowd.promises) >= 150
    assert max(took for _, took in crowd.waits) < RECONNECT_S * slowness()
    for table in found.values():
        assert {event.seat for event in table.moved} == set(range(len(table.chairs)))
