"""Asking somebody for a game across nodes on one PostgreSQL, and a node that dies in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.server.browsers import Browser
from tests.server.cluster import Cluster
from tests.server.serving import Process
from tests.server.test_invitations import Lobby, ask, waiting

pytestmark = pytest.mark.servers


@pytest.fixture
def nodes(cluster: Cluster) -> Iterator[tuple[Process, Process, str]]:
    db = cluster.database(f"invitations{time.monotonic_ns()}")
    with Process(db) as a, Process(db) as b:
        yield a, b, db


def heard(lobby: Lobby, state: str) -> Any:
    """The first invitation, once it is in that state."""
    while True:
        found = lobby.hear("invitations")["invitations"]
        if found and found[0]["state"] == state:
            return found[0]


def test_an_invitation_reaches_the_other_node_and_so_does_the_answer(
    nodes: tuple[Process, Process, str],
) -> None:
    a, b, _ = nodes
    with Browser(a.here) as ada, Browser(b.here) as bo:
        ada.be("Ada")
        bo.be("Bo")
        with Lobby(ada) as hers, Lobby(bo) as his:
            made = ask(ada, bo)
            told = heard(his, "open")
            assert (told["id"], told["name"], told["mine"]) == (made["id"], "Ada", False)
            table = bo.do("POST", f"/invitations/{told['id']}/accept", {})["table"]
            assert heard(hers, "accepted")["table"] == table
            version = b.here.full(table)["version"]
            seat = next(
                chair["seat"]
                for chair in ada.do("GET", f"/tables/{table}")["chairs"]
                if chair["person"] == ada.me["id"]
            )
            mover = ada if seat == 0 else bo
            move = {"moves": ["take wug"], "version": version}
            mover.do("POST", f"/tables/{table}/move", move)
            mover.do("POST", f"/tables/{table}/resign", {})
            no = ask(bo, ada)
            assert heard(hers, "open")["id"] == no["id"]
            ada.do("DELETE", f"/invitations/{no['id']}")
            assert heard(his, "declined")["id"] == no["id"]


def test_whoever_accepts_at_both_nodes_at_once_has_one_game(
    nodes: tuple[Process, Process, str],
) -> None:
    a, b, db = nodes
    with Browser(a.here) as ada, Browser(a.here) as bo, Browser(b.here) as elsewhere:
        ada.be("Ada")
        bo.be("Bo")
        elsewhere.http.cookies = bo.http.cookies
        made = ask(ada, bo)
        with ThreadPoolExecutor(2) as both:
            way = f"/invitations/{made['id']}/accept"
            answers = list(both.map(lambda one: one.ask("POST", way, {}), (bo, elsewhere)))
        assert sorted(answer.is_success for answer in answers) == [False, True]
        refused = next(answer for answer in answers if not answer.is_success)
        assert refused.json()["code"] in ("no-such-invitation", "pool-playing")
        (count,) = asyncio.run(_asked(db, "SELECT count(*) FROM tables"))
        assert count == 1


def test_two_people_who_ask_one_another_do_not_play_two_games_at_once(
    nodes: tuple[Process, Process, str],
) -> None:
    a, b, db = nodes
    with Browser(a.here) as ada, Browser(b.here) as bo:
        ada.be("Ada")
        bo.be("Bo")
        hers, his = ask(ada, bo), ask(bo, ada)
        with ThreadPoolExecutor(2) as both:
            ways = ((bo, hers["id"]), (ada, his["id"]))
            answers = list(
                both.map(lambda w: w[0].ask("POST", f"/invitations/{w[1]}/accept", {}), ways)
            )
        assert sorted(answer.is_success for answer in answers) == [False, True], answers
        (count,) = asyncio.run(_asked(db, "SELECT count(*) FROM tables WHERE state = 'running'"))
        assert count == 1


def test_a_node_dies_while_it_makes_the_table_and_the_other_opens_the_invitation_again(
    nodes: tuple[Process, Process, str],
) -> None:
    a, b, db = nodes
    with Browser(a.here) as ada, Browser(b.here) as bo:
        ada.be("Ada")
        bo.be("Bo")
        made = ask(ada, bo)
        a.kill()
        dead = "UPDATE invitations SET state = 'taken', table_id = 'k7m2p4x9qa', at_ms = 0"
        asyncio.run(_asked(db, f"{dead} RETURNING id"))
        with Lobby(bo) as his:
            assert heard(his, "open")["id"] == made["id"]
            until = time.monotonic() + 20
            while not (
                answer := bo.ask("POST", f"/invitations/{made['id']}/accept", {})
            ).is_success:
                assert time.monotonic() < until, answer.text
                time.sleep(0.2)
            assert answer.json()["table"] != "k7m2p4x9qa"
        assert [one["state"] for one in waiting(bo)] == ["accepted"]


async def _asked(db: str, query: str) -> Any:
    engine = create_async_engine(db.replace("postgresql://", "postgresql+asyncpg://"))
    async with engine.begin() as connection:
        row = (await connection.execute(text(query))).first()
    await engine.dispose()
    return row
