"""Several nodes on one PostgreSQL: any client at any node, and a dead node's tables go on."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from benchmarks.yardstick import slowness
from websockets.sync.client import connect

from tests.server.cluster import QUICK, Cluster
from tests.server.serving import Here, Process, table_news

pytestmark = [pytest.mark.servers, pytest.mark.xdist_group("two nodes")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster(*QUICK)
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def nodes(cluster: Cluster) -> Iterator[tuple[Here, Here]]:
    db = cluster.database("two_nodes")
    with Process(db) as a, Process(db) as b:
        yield a.here, b.here


def test_a_move_at_one_node_is_told_at_the_other(nodes: tuple[Here, Here]) -> None:
    a, b = nodes
    table, keys = a.strangers()
    with a.socket(table, keys[0]) as ada, b.socket(table, keys[1]) as bo:
        assert ada.hear("gameFull")["you"] == 0
        full = bo.hear("gameFull")
        assert full["you"] == 1
        assert (
            ada.ask(type="move", version=full["version"], moves=["take wug"])["type"] == "accepted"
        )
        state = bo.hear("gameState")
        assert state["events"] == ["take wug"]
        answer = bo.ask(type="move", version=state["version"], moves=["reserve deck1"])
        assert answer["type"] == "accepted"
        state = ada.hear("gameState")
        while state["by"] != 1:
            state = ada.hear("gameState")
        assert state["events"] == ["reserve deck1", "deal ?"]
        bo.say(type="chat", id="c", phrase="hello")
        assert ada.hear("chatLine")["phrase"] == "hello"


def test_presence_is_known_at_every_node(nodes: tuple[Here, Here]) -> None:
    a, b = nodes
    table, keys = a.strangers()
    with a.socket(table, keys[0]) as ada:
        ada.hear("gameFull")
        with b.socket(table, keys[1]) as bo:
            bo.hear("gameFull")
            while not (said := ada.hear("presence"))["here"] or said["seat"] != 1:
                pass
            until = time.monotonic() + 20
            while not b.get(f"/tables/{table}")["chairs"][0]["here"]:
                assert time.monotonic() < until
                time.sleep(0.02)
        while (said := ada.hear("presence"))["here"] or said["seat"] != 1:
            pass


def test_a_move_over_rest_at_one_node_is_presence_at_the_other(nodes: tuple[Here, Here]) -> None:
    a, b = nodes
    table, keys = a.strangers()
    with b.socket(table, keys[0]) as ada:
        assert not ada.hear("gameFull")["table"]["chairs"][1]["here"]
        played = ada.ask(type="move", version=2, moves=["take wug"])["version"]
        until = time.monotonic() + 20
        while a.full(table)["version"] != played:
            assert time.monotonic() < until
        a.post(f"/tables/{table}/move", {"version": played, "moves": ["take wug"]}, keys[1])
        while not (said := ada.hear("presence"))["here"] or said["seat"] != 1:
            pass
        assert b.get(f"/tables/{table}")["chairs"][1]["here"]


def test_two_nodes_never_both_accept_a_move(nodes: tuple[Here, Here]) -> None:
    for _ in range(10):
        table, keys = nodes[0].strangers()
        version = nodes[1].full(table)["version"]
        codes: list[int] = []
        barrier = threading.Barrier(4)

        def send(node: Here, text: str, *fixed: Any) -> None:
            table, key, version, barrier, codes = fixed
            barrier.wait()
            body = {"moves": [text], "version": version}
            codes.append(node.try_post(f"/tables/{table}/move", body, key).status_code)

        fixed = (table, keys[0], version, barrier, codes)
        texts = ("take wug", "take urk")
        threads = [
            threading.Thread(target=send, args=(node, text, *fixed))
            for node in nodes
            for text in texts
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(codes) == [200, 409, 409, 409]


def test_two_nodes_never_both_give_a_seat_away(nodes: tuple[Here, Here]) -> None:
    for _ in range(5):
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
        made = nodes[0].post("/tables", {"seats": 3, "chairs": chairs, "seat_order": "fixed"})
        path = f"/tables/{made['table']['id']}/join"
        codes: list[int] = []

        def send(node: Here, path: str = path, codes: list[int] = codes) -> None:
            codes.append(node.try_post(path, {"name": "Bo", "seat": 1}).status_code)

        threads = [threading.Thread(target=send, args=(node,)) for node in nodes * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(codes) == [200, 409, 409, 409]


def test_the_lobby_and_a_bot_s_events_cross_nodes(nodes: tuple[Here, Here]) -> None:
    a, b = nodes
    with connect(f"ws://127.0.0.1:{b.port}/api/lobby") as lobby:
        assert table_news(lobby)["type"] == "lobbyFull"
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        made = a.post("/tables", {"chairs": chairs})
        assert table_news(lobby)["table"]["id"] == made["table"]["id"]


def test_a_dead_node_s_bots_are_taken_up_by_another(cluster: Cluster) -> None:
    db = cluster.database("dead_node")
    hasty = {"CABOCHON_NODE_DEAD_S": "2"}
    with Process(db, hasty) as a, Process(db, hasty) as b:
        chairs = [
            {"kind": "bot", "bot": "greedy"},
            {"kind": "bot", "bot": "greedy"},
            {"kind": "me", "name": "Ada"},
        ]
        made = a.here.post("/tables", {"seats": 3, "chairs": chairs, "seat_order": "fixed"})
        table, key = made["table"]["id"], made["keys"][0]["key"]
        with a.here.socket(table, key) as talk:
            state = talk.hear("gameFull")
            while not state["legal"]:
                state = talk.hear("gameState")
        with b.here.socket(table, key) as talk:
            full = talk.hear("gameFull")
            talk.say(type="move", id="1", version=full["version"], moves=[full["legal"][0]])
            a.kill()
            state = talk.hear("gameState")
            while state["by"] != 1 or not state["legal"]:
                state = talk.hear("gameState", timeout=25)


def test_a_node_that_stops_hands_over_at_once(cluster: Cluster) -> None:
    db = cluster.database("stopping")
    with Process(db) as a, Process(db) as b:
        chairs = [{"kind": "bot", "bot": "greedy"}, {"kind": "me", "name": "Ada"}]
        made = a.here.post("/tables", {"chairs": chairs, "seat_order": "fixed"})
        table, key = made["table"]["id"], made["keys"][0]["key"]
        assert a.stop() in (0, -15)
        with b.here.socket(table, key) as talk:
            state = talk.hear("gameFull")
            while not state["legal"]:
                state = talk.hear("gameState")
            began = time.monotonic()
            answer = talk.ask(type="move", version=state["version"], moves=[state["legal"][0]])
            assert answer["type"] == "accepted"
            while state.get("by") != 0:
                state = talk.hear("gameState")
            assert time.monotonic() - began < 6 * slowness()


def test_a_database_that_is_away_is_not_ready_and_comes_back(cluster: Cluster) -> None:
    db = cluster.database("away")
    with Process(db) as node:
        table, keys = node.here.strangers()
        version = node.here.full(table)["version"]
        cluster.stop()
        try:
            assert node.here.http.get("/readyz").status_code == 503
            body = {"moves": ["take wug"], "version": version}
            response = node.here.try_post(
                f"/tables/{table}/move", body, keys[0], idempotency_key="k"
            )
            assert response.status_code == 503
        finally:
            cluster.start()
        until = time.monotonic() + 20
        while node.here.http.get("/readyz").status_code != 200:
            assert time.monotonic() < until
            time.sleep(0.1)
        done = node.here.post(f"/tables/{table}/move", body, keys[0], idempotency_key="k")
        assert done["version"] == version + 1


def test_a_database_that_restarts_is_told_as_503_and_never_as_500(cluster: Cluster) -> None:
    db = cluster.database("restarting")
    with Process(db, {"CABOCHON_NODE_DEAD_S": "60"}) as node:
        here = node.here
        table, keys = here.strangers()
        other = here.strangers()[0]
        token = here.post("/tokens", {"name": "helper"})["token"]
        cluster.stop()
        try:
            chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
            answers = [
                here.try_get("/tables"),
                here.try_get("/tables/abcdefghij"),
                here.try_get("/bot/stream", token),
                here.try_post("/tokens", {"name": "other"}),
                here.try_post("/tables", {"chairs": chairs}),
                here.try_post(f"/tables/{table}/join", {"name": "Cy"}, token),
                here.try_post(f"/tables/{table}/resign", {}, keys[0]),
                here.try_get(f"/tables/{other}/record"),
            ]
            seen = [answer.status_code for answer in answers]
            assert 500 not in seen
            assert seen[:2] + seen[3:6] == [503] * 5
            for answer in answers:
                if answer.status_code == 503:
                    assert int(answer.headers["retry-after"]) >= 1
                    assert answer.json()["sentence"]["zh"]
            with here.socket("abcdefghij") as talk:
                assert talk.hear("refused")["problem"]["code"] == "database-away"
        finally:
            cluster.start()
        until = time.monotonic() + 20
        while here.try_get("/tables").status_code != 200:
            assert time.monotonic() < until
            time.sleep(0.1)


def test_limits_hold_for_the_sum_of_all_nodes(cluster: Cluster) -> None:
    db = cluster.database("limits")
    strict = {"CABOCHON_MOST_TABLES_PER_ADDRESS": "12"}
    with Process(db, strict) as a, Process(db, strict) as b:
        for _ in range(8):
            a.here.post("/tokens", {"name": "helper"})
        b.here.post("/tokens", {"name": "helper"})  # so far it has heard of nobody
        time.sleep(2)
        codes = [b.here.try_post("/tokens", {"name": "helper"}).status_code for _ in range(12)]
        assert codes.count(201) <= 4
        assert 429 in codes
        time.sleep(2)
        a.here.try_post("/tokens", {"name": "helper"})
        time.sleep(2)
        assert a.here.try_post("/tokens", {"name": "helper"}).status_code == 429


def test_unfinished_tables_are_counted_at_every_node(cluster: Cluster) -> None:
    db = cluster.database("holdings")
    strict = {"CABOCHON_MOST_UNFINISHED_PER_ADDRESS": "4"}
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    with Process(db, strict) as a, Process(db, strict) as b:
        nodes = (a.here, b.here) * 3
        codes = [node.try_post("/tables", {"chairs": chairs}).status_code for node in nodes]
        assert codes == [201] * 4 + [429] * 2


def test_several_workers_of_one_server(cluster: Cluster) -> None:
    db = cluster.database("workers")
    with Process(db, {"CABOCHON_WORKERS": "2"}) as process:
        here = process.here
        until = time.monotonic() + 60
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if here.http.get("/readyz").status_code == 200:
                    break
            assert time.monotonic() < until
            time.sleep(0.1)
        table, keys = here.strangers()
        talks = [here.socket(table, key) for key in keys * 3]
        for talk in talks:
            version = talk.hear("gameFull")["version"]
        assert talks[0].ask(type="move", version=version, moves=["take wug"])["type"] == "accepted"
        for talk in talks[1:]:
            assert talk.hear("gameState")["events"] == ["take wug"]
        for talk in talks:
            talk.close()
        assert process.stop() in (0, -15)


def test_a_study_kept_at_one_node_is_read_and_replaced_at_the_other(
    nodes: tuple[Here, Here],
) -> None:
    a, b = nodes
    start = a.post("/studies/open", {})["start"]["position"]
    tree = [{"event": "take wug", "variations": [[{"event": "take urk"}]]}]
    record = a.post("/studies/format", {"start": start, "tree": tree})["text"]
    made = a.post("/studies", {"record": record, "title": "Mine"})
    found = b.get(f"/studies/{made['id']}")
    assert (found["title"], found["record"]) == ("Mine", record)
    headers = {"Authorization": f"Bearer {made['key']}"}
    body = {"record": record, "title": "Changed"}
    b.http.put(f"/api/studies/{made['id']}", json=body, headers=headers).raise_for_status()
    assert a.get(f"/studies/{made['id']}")["title"] == "Changed"


def test_a_table_from_a_position_is_the_same_at_every_node(nodes: tuple[Here, Here]) -> None:
    a, b = nodes
    position = a.post("/studies/open", {})["start"]["position"]
    table, keys = a.strangers(position=position)
    assert b.full(table, keys[1])["view"]["rows"] == a.full(table, keys[0])["view"]["rows"]
    assert b.get(f"/tables/{table}")["from_position"] is True
