"""Pools across nodes on one PostgreSQL, and a node that dies while it brings people together."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from cabochon.rules.dealer import share_hash
from cabochon.server.storage.poolplaces import PAIRED, TAKEN, WAITING, PoolPlace, PoolPlaces
from tests.server.cluster import Cluster
from tests.server.company import Somebody
from tests.server.serving import Here, Process

pytestmark = pytest.mark.servers
QUICK = {"CABOCHON_NODE_DEAD_S": "2"}


def at(here: Here, name: str) -> contextlib.closing[Somebody]:
    return contextlib.closing(Somebody(here.base, name))


def test_people_at_two_nodes_sit_down_together(cluster: Cluster) -> None:
    db = cluster.database("pools")
    with (
        Process(db) as a,
        Process(db) as b,
        at(a.here, "Ann") as ann,
        at(b.here, "Ben") as ben,
        ann.listening() as hears,
        ben.listening() as listens,
    ):
        ann.join()
        ben.join()
        table = hears.hear("paired")["table"]
        assert listens.hear("paired")["table"] == table
        chairs = b.here.get(f"/tables/{table}")["chairs"]
        assert {chair["person"] for chair in chairs} == {ann.id, ben.id}
        until = time.monotonic() + 20
        while ben.get("/online")["here"] < 2:
            assert time.monotonic() < until, "the nodes don't count one another's people"
            time.sleep(0.2)


def test_whoever_is_left_alone_waits_again_at_whichever_node(cluster: Cluster) -> None:
    """Cy comes to a table and Di does not; each is at a node of their own."""
    db = cluster.database("deserted")
    with (
        Process(db) as a,
        Process(db) as b,
        at(a.here, "Cy") as cy,
        at(b.here, "Di") as di,
        cy.listening() as hears,
        di.listening() as listens,
    ):
        cy.join(share_hash=share_hash("c" * 32))
        di.join(share_hash=share_hash("d" * 32))
        table = hears.hear("paired")["table"]
        assert listens.hear("paired")["table"] == table
        di.post(f"/tables/{table}/leave", {})
        hears.wait(lambda: hears.heard[-1].get("waiting") == ["two-5-3"] or None)
        for node in (a, b):
            assert node.here.try_get(f"/tables/{table}").json()["code"] == "table-given-up"
            refused = di.http.post(f"{node.here.base}/api/pools/two-5-3/join", json={})
            assert refused.json()["code"] == "pool-paused"
        with at(b.here, "Ed") as ed, ed.listening() as eds:
            ed.join()
            again = eds.hear("paired")["table"]
            chairs = a.here.get(f"/tables/{again}")["chairs"]
            assert {chair["person"] for chair in chairs} == {cy.id, ed.id}


def test_a_node_dies_before_it_gives_a_deserted_table_up(cluster: Cluster) -> None:
    """Who left is gone from the chair, and nothing more was done: another node does it."""
    db = cluster.database("swept")
    with Process(db, QUICK) as a, at(a.here, "Fi") as fi, at(a.here, "Gil") as gil:
        with fi.listening() as hears, gil.listening():
            fi.join(share_hash=share_hash("f" * 32))
            gil.join(share_hash=share_hash("0" * 32))
            table = hears.hear("paired")["table"]
        a.kill()
        asyncio.run(_long_ago(db.replace("postgresql://", "postgresql+asyncpg://")))
        with Process(db, QUICK) as b, at(b.here, "Hal") as hal, hal.listening():
            until = time.monotonic() + 30
            while b.here.try_get(f"/tables/{table}").status_code != 404:
                assert time.monotonic() < until, "the table was not given up"
                time.sleep(0.2)


async def _long_ago(db: str) -> None:
    engine = create_async_engine(db)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE pool_places SET changed_ms = changed_ms - 60000"))
    await engine.dispose()


def test_when_the_matchmaker_dies_another_node_goes_on(cluster: Cluster) -> None:
    db = cluster.database("matchmaker")
    with Process(db, QUICK) as a, Process(db, QUICK) as b:
        with at(a.here, "Zoe") as zoe:
            zoe.join("two-10-5")  # from here on node a is, or was, the matchmaker
        a.kill()
        with (
            at(b.here, "Ann") as ann,
            at(b.here, "Ben") as ben,
            ann.listening() as hears,
            ben.listening(),
        ):
            ann.join()
            ben.join()
            assert hears.hear("paired", timeout=30)["table"]


def place(person: str, now: int) -> PoolPlace:
    return PoolPlace(
        person=person,
        pool="two-5-3",
        rated=False,
        rating=1200.0,
        address="x",
        share_hash=None,
        since_ms=now,
        seen_ms=now,
        changed_ms=now,
    )


def test_places_are_taken_all_or_none_and_settled_after_a_crash(cluster: Cluster) -> None:
    db = cluster.database("places")
    with Process(db):
        pass  # makes the schema
    asyncio.run(_crash(db.replace("postgresql://", "postgresql+asyncpg://")))


async def _crash(db: str) -> None:
    engine = create_async_engine(db)
    a, b = PoolPlaces(engine, "a"), PoolPlaces(engine, "b")
    for person in ("p1", "p2", "p3"):
        await a.enter(place(person, 1000), ())
    took = await asyncio.gather(
        a.take("two-5-3", ["p1", "p2"], "tablea", 2000),
        b.take("two-5-3", ["p2", "p3"], "tableb", 2000),
    )
    assert sorted(took) == [False, True]
    states = {one.person: one.state for one in await a.of(["p1", "p2", "p3"])}
    assert sorted(states.values()) == [TAKEN, TAKEN, WAITING]
    await b.settle(1500, 3000)
    assert sum(one.state == TAKEN for one in await a.of(["p1", "p2", "p3"])) == 2
    await b.settle(2500, 3000)  # nobody made the table: they wait on
    assert {one.state for one in await a.of(["p1", "p2", "p3"])} == {WAITING}
    assert await a.take("two-5-3", ["p1", "p2"], "tablec", 4000)
    async with engine.begin() as connection:
        row = "('tablec','running','standard',2,true,null,4000,null,'{}')"
        await connection.execute(text(f"INSERT INTO tables VALUES {row}"))
    await b.settle(4500, 5000)  # somebody made it, and died before saying so
    found = {one.person: one for one in await a.of(["p1", "p2"])}
    assert {one.state for one in found.values()} == {PAIRED}
    assert {one.table for one in found.values()} == {"tablec"}
    assert await a.is_matchmaker(10_000, 15_000)
    assert not await b.is_matchmaker(12_000, 17_000)
    assert await b.is_matchmaker(15_001, 20_000)
    await engine.dispose()
