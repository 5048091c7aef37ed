"""Shares over the wire: nobody can choose a deal, and nobody has to click for it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from cabochon.notation import parse_record, record_from_json
from cabochon.record import verify
from cabochon.rules import new_share, share_hash
from cabochon.server.tables import sharedeadlines
from tests.server.cluster import Cluster
from tests.server.serving import Here, Process, Talk, serving


class Sitter:
    """Somebody whose page makes shares and reveals them when it is asked."""

    def __init__(self) -> None:
        self.made: dict[str, str] = {}
        self.last = ""

    def pledge(self) -> str:
        share = new_share()
        self.last = share_hash(share)
        self.made[self.last] = share
        return self.last

    def answer(self, table: Any, seat: int) -> dict[str, Any] | None:
        """What the page says to what it is told."""
        shares = table.get("shares") or {"pledge": [], "reveal": []}
        if seat in shares["reveal"]:
            value = self.made[shares["hashes"][seat]]
            return {"action": "reveal", "value": value, "seat": seat}
        if seat in shares["pledge"]:
            return {"action": "pledge", "value": self.pledge(), "seat": seat}
        return None


class Pair:
    """Ada has made a table for two, and Bo has joined."""

    def __init__(self, here: Here, **options: Any) -> None:
        self.here = here
        self.ada, self.bo = Sitter(), Sitter()
        me = {"kind": "me", "name": "Ada", "share_hash": self.ada.pledge()}
        made = here.post(
            "/tables", {"chairs": [me, {"kind": "open"}], "seat_order": "fixed", **options}
        )
        self.id, self.invite = made["table"]["id"], made["invites"][0]["code"]
        self.keys = [made["keys"][0]["key"], ""]
        self.commitment = made["table"]["commitment"]

    def join(self) -> Any:
        asked = {"name": "Bo", "code": self.invite, "share_hash": self.bo.pledge()}
        joined = self.here.post(f"/tables/{self.id}/join", asked)
        self.keys[1] = joined["key"]
        return joined

    def reveal(self, seat: int, sitter: Sitter) -> Any:
        said = sitter.answer(self.here.get(f"/tables/{self.id}"), seat)
        assert said is not None
        return self.here.post(f"/tables/{self.id}/share", said, self.keys[seat])


def finished_record(here: Here, table: str, key: str) -> Any:
    here.post(f"/tables/{table}/resign", {}, key)
    return here.get(f"/tables/{table}/record", accept="application/json")


def test_two_who_share_start_together_and_the_record_proves_it(here: Here) -> None:
    pair = Pair(here)
    with here.socket(pair.id, pair.keys[0]) as ada:
        assert ada.hear("gameFull")["status"] == "open"
        joined = pair.join()
        assert joined["table"]["state"] == "open"
        asked = ada.hear("seats")["table"]["shares"]
        assert (asked["reveal"], asked["round"], asked["shares"]) == ([0, 1], 1, None)
        assert asked["hashes"] == [pair.ada.last, pair.bo.last]
        said = pair.ada.answer(ada.heard[-1]["table"], 0)
        assert said is not None
        assert ada.ask(type="share", **said)["type"] == "accepted"
        pair.reveal(1, pair.bo)
        full = ada.hear("gameFull")
        assert full["status"] == "running"
        assert full["table"]["shares"]["shares"] is None
        assert ada.ask(type="resign")["type"] == "accepted"
        finish = next(said for said in ada.heard if said["type"] == "gameFinish")
        told = finish["table"]["shares"]["shares"]
        assert [share_hash(share) for share in told] == [pair.ada.last, pair.bo.last]
    text = here.try_get(f"/tables/{pair.id}/record").text
    record = parse_record(text)
    assert record.commitment == pair.commitment
    for sitter in (pair.ada, pair.bo):
        assert verify(record, share_hash=sitter.last).ok
    data = here.get(f"/tables/{pair.id}/record", accept="application/json")
    assert record_from_json(data) == record


def test_no_share_is_told_while_the_game_runs(here: Here) -> None:
    pair = Pair(here)
    pair.join()
    with here.socket(pair.id, pair.keys[0], facts=True) as ada, here.socket(pair.id) as watcher:
        pair.reveal(1, pair.bo)
        pair.reveal(0, pair.ada)
        for talk in (ada, watcher):
            while talk.hear("gameFull")["status"] != "running":
                pass
        heard = repr(ada.heard) + repr(watcher.heard)
    heard += here.try_get(f"/tables/{pair.id}/record", pair.keys[1]).text
    heard += here.try_get(f"/tables/{pair.id}").text + here.try_get("/tables").text
    assert pair.bo.last in heard
    for share in [*pair.ada.made.values(), *pair.bo.made.values()]:
        assert share not in heard


def test_what_is_no_share_is_refused(here: Here) -> None:
    pair = Pair(here)
    path = f"/tables/{pair.id}/share"
    early = {"action": "reveal", "value": pair.ada.made[pair.ada.last]}
    assert here.try_post(path, early, pair.keys[0]).json()["code"] == "no-share-asked"
    pair.join()
    for value in ("", "0" * 31, "G" * 32, "0" * 33, "0" * 64 + "0"):
        assert here.try_post(path, {**early, "value": value}, pair.keys[0]).status_code == 422
    wrong = here.try_post(path, {**early, "value": "0" * 32}, pair.keys[0])
    assert (wrong.status_code, wrong.json()["code"]) == (409, "share-wrong")
    assert here.try_post(path, early).status_code == 401
    assert here.try_post(path, early, pair.keys[1]).json()["code"] == "share-wrong"
    asked = {"name": "Cy", "share_hash": "0" * 63}
    assert here.try_post(f"/tables/{pair.id}/join", asked).status_code == 422


def test_a_bot_by_token_shares_as_well(here: Here) -> None:
    token = here.post("/tokens", {"name": "Sharer"})["token"]
    pair = Pair(here)
    robo = Sitter()
    asked = {"name": "Robo", "code": pair.invite, "share_hash": robo.pledge()}
    here.post(f"/tables/{pair.id}/join", asked, token)
    pair.keys[1] = token
    pair.reveal(1, robo)
    pair.reveal(0, pair.ada)
    record = record_from_json(finished_record(here, pair.id, token))
    assert verify(record, share_hash=robo.last).ok


@pytest.mark.parametrize(
    "chairs",
    [
        [{"kind": "bot", "bot": "greedy"}],
        [{"kind": "local", "name": "Bo"}],
    ],
)
def test_one_person_s_table_starts_at_once(here: Here, chairs: list[Any]) -> None:
    me = {"kind": "me", "name": "Ada", "share_hash": "0" * 64}
    made = here.post("/tables", {"chairs": [me, *chairs]})
    assert made["table"]["state"] == "running"
    assert "shares" not in made["table"]


def test_a_rematch_brings_shares_of_its_own(here: Here) -> None:
    pair = Pair(here)
    pair.join()
    pair.reveal(1, pair.bo)
    pair.reveal(0, pair.ada)
    here.post(f"/tables/{pair.id}/resign", {}, pair.keys[0])
    path = f"/tables/{pair.id}/rematch"
    offer = {"action": "offer", "share_hash": pair.ada.pledge()}
    here.post(path, offer, pair.keys[0])
    accept = {"action": "accept", "share_hash": pair.bo.pledge()}
    with here.socket(pair.id, pair.keys[1]) as bo:
        bo.hear("gameFull")
        answer = bo.ask(type="rematch", **accept)
        assert answer["type"] == "accepted"
        offers = [said["rematch"] for said in bo.heard if said["type"] == "rematch"]
        table = offers[-1]["table"]
    assert here.get(f"/tables/{table}")["state"] == "open"
    pair.id, pair.keys = table, pair.keys[::-1]
    pair.reveal(1, pair.ada)
    pair.reveal(0, pair.bo)
    record = record_from_json(finished_record(here, table, pair.keys[0]))
    assert verify(record, share_hash=pair.ada.last).ok
    assert verify(record, share_hash=pair.bo.last).ok


# Holding back


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server that waits for a third of a second instead of fifteen."""
    monkeypatch.setattr(sharedeadlines, "REVEAL_MS", 300)
    with serving(tmp_path / "t.db") as here:
        yield here


def until_freed(talk: Talk) -> Any:
    full = talk.hear("gameFull")
    while not full["log"]:
        full = talk.hear("gameFull")
    return full


@pytest.mark.timing
def test_who_is_there_and_holds_back_loses_the_seat_and_may_come_again(hasty: Here) -> None:
    pair = Pair(hasty, listed=False)
    with hasty.socket(pair.id, pair.keys[0]) as ada:
        ada.hear("gameFull")
        pair.join()
        with hasty.socket(pair.id, pair.keys[1]) as bo:
            bo.hear("gameFull")
            pair.reveal(0, pair.ada)
            full = until_freed(ada)
            assert [chair["kind"] for chair in full["table"]["chairs"]] == ["human", "open"]
            assert full["table"]["shares"]["pledge"] == [0]
            assert full["log"][0]["text"]["en"].startswith("Bo loses the seat")
            assert until_freed(bo)["table"]["shares"]["round"] == 2
        assert hasty.full(pair.id, pair.keys[1])["seats_held"] == []
        said = pair.ada.answer(full["table"], 0)
        assert said is not None
        ada.ask(type="share", **said)
        former = {"name": "Bo", "code": pair.keys[1], "key": pair.keys[1]}
        rejoined = hasty.post(f"/tables/{pair.id}/join", {**former, "share_hash": pair.bo.pledge()})
        assert rejoined["key"] == pair.keys[1]
        pair.reveal(1, pair.bo)
        pair.reveal(0, pair.ada)
        while ada.hear("gameFull")["status"] != "running":
            pass
    record = record_from_json(finished_record(hasty, pair.id, pair.keys[1]))
    assert record.headers["ShareRound"] == "2"
    assert verify(record, share_hash=pair.ada.last).ok


def test_somebody_away_is_waited_for_and_starts_the_game_by_coming_back(hasty: Here) -> None:
    pair = Pair(hasty)
    pair.join()
    with hasty.socket(pair.id, pair.keys[1]) as bo:
        bo.hear("gameFull")
        pair.reveal(1, pair.bo)
        time.sleep(1)
        assert hasty.get(f"/tables/{pair.id}")["chairs"][0]["kind"] == "human"
        pair.reveal(0, pair.ada)
        assert bo.hear("gameFull")["status"] == "running"


def test_somebody_away_for_longer_than_the_grace_time_loses_the_seat(hasty: Here) -> None:
    pair = Pair(hasty, gone={"grace_s": 5, "policy": "claim"})
    pair.join()
    with hasty.socket(pair.id, pair.keys[1]) as bo:
        bo.hear("gameFull")
        pair.reveal(1, pair.bo)
        began = time.monotonic()
        full = until_freed(bo)
        assert time.monotonic() - began > 4
        assert full["table"]["chairs"][0]["kind"] == "open"


# Crashes and several nodes


def test_killed_between_hash_and_share_the_round_goes_on(tmp_path: Path) -> None:
    db = tmp_path / "tables.db"
    with Process(str(db)) as process:
        pair = Pair(process.here)
        pair.join()
        pair.reveal(1, pair.bo)
        process.kill()
        process.start()
        pair.here = process.here
        info = pair.here.get(f"/tables/{pair.id}")
        assert info["shares"]["reveal"] == [0]
        assert info["commitment"] == pair.commitment
        with pair.here.socket(pair.id, pair.keys[1]) as bo:
            assert bo.hear("gameFull")["status"] == "open"
            process.kill()
            process.start()
            pair.here = process.here
        pair.reveal(0, pair.ada)
        record = record_from_json(finished_record(pair.here, pair.id, pair.keys[0]))
        process.stop()
    assert verify(record, share_hash=pair.ada.last).ok
    assert verify(record, share_hash=pair.bo.last).ok
    with sqlite3.connect(db) as database:
        rows = database.execute("SELECT seq FROM events ORDER BY seq").fetchall()
    assert [seq for (seq,) in rows] == list(range(1, len(rows) + 1))


def test_a_table_left_waiting_is_watched_again_after_a_restart(tmp_path: Path) -> None:
    """Nobody looks at it: the house itself takes it up and frees the chairs."""
    db = tmp_path / "tables.db"
    with serving(db) as here:
        pair = Pair(here, gone={"grace_s": 5, "policy": "claim"})
        pair.join()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sharedeadlines, "REVEAL_MS", 300)
        with serving(db, node_dead_s=1.0) as here:
            until = time.monotonic() + 20
            while here.app.state.hub.in_memory(pair.id) is None:  # type: ignore[attr-defined]
                assert time.monotonic() < until
                time.sleep(0.05)
            while here.get(f"/tables/{pair.id}")["chairs"][0]["kind"] != "open":
                assert time.monotonic() < until
                time.sleep(0.1)


@pytest.mark.servers
def test_two_nodes_share_a_round(cluster: Cluster) -> None:
    db = cluster.database("shares")
    with Process(db) as a, Process(db) as b:
        pair = Pair(a.here)
        with b.here.socket(pair.id, pair.keys[0]) as ada:
            ada.hear("gameFull")
            pair.join()
            asked = ada.hear("seats")
            while not asked["table"]["shares"]["reveal"]:
                asked = ada.hear("seats")
            said = pair.ada.answer(asked["table"], 0)
            assert said is not None
            assert ada.ask(type="share", **said)["type"] == "accepted"
            asyncio.run(_reveal_everywhere((a.here, b.here), pair))
            while ada.hear("gameFull")["status"] != "running":
                pass
        record = record_from_json(finished_record(b.here, pair.id, pair.keys[1]))
        assert verify(record, share_hash=pair.ada.last).ok
        assert verify(record, share_hash=pair.bo.last).ok


async def _reveal_everywhere(nodes: tuple[Here, Here], pair: Pair) -> None:
    """The same share, at both nodes at once: it counts once."""
    body = {"action": "reveal", "value": pair.bo.made[pair.bo.last]}
    headers = {"Authorization": f"Bearer {pair.keys[1]}"}
    async with httpx.AsyncClient(timeout=20) as http:
        answers = await asyncio.gather(
            *(
                http.post(f"{node.base}/api/tables/{pair.id}/share", json=body, headers=headers)
                for node in nodes
            )
        )
    assert [answer.status_code for answer in answers] == [200, 200]
