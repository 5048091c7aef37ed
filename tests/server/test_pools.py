"""Waiting for somebody to play with."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from cabochon.rules.dealer import share_hash
from cabochon.server.people import pooldesk
from cabochon.server.people.pooldesk import PoolDesk
from tests.server.browsers import Browser
from tests.server.company import PoolNews, Somebody, people
from tests.server.serving import Here, serving

LONG_S = 60
"""By then it has happened, however busy the machine is."""

ONE_SHARE, OTHER_SHARE = "a" * 32, "b" * 32


def waiting_in(here: Here, pool: str) -> int:
    found = next(one for one in here.get("/pools") if one["id"] == pool)
    return int(found["waiting_friendly"] + found["waiting_rated"])


def test_the_pools_are_those_on_the_home_page(here: Here) -> None:
    pools = {pool["id"]: pool for pool in here.get("/pools")}
    assert list(pools) == ["two-5-3", "two-10-5", "three-15-5", "four-15-5", "two-day"]
    assert pools["two-5-3"]["clock"] == {"kind": "increment", "base_s": 300, "increment_s": 3}
    assert pools["two-day"]["clock"] == {"kind": "days", "days": 1}
    assert [pool["seats"] for pool in pools.values()] == [2, 2, 3, 4, 2]
    assert {pool["needs"] for pool in pools.values()} == {None}


def test_two_who_wait_sit_down_together_and_play_by_their_cookie(here: Here) -> None:
    with people(here, "Ann", "Ben") as (ann, ben), ann.listening() as a, ben.listening() as b:
        assert ann.join()["table"] is None
        assert ann.join()["since_ms"] <= ben.join()["since_ms"]
        table = a.hear("paired")["table"]
        assert b.hear("paired")["table"] == table
        info = here.get(f"/tables/{table}")
        assert {chair["person"] for chair in info["chairs"]} == {ann.id, ben.id}
        assert info["state"] == "running"
        assert info["clock"]["base_s"] == 300
        mover = ann if info["chairs"][0]["person"] == ann.id else ben
        version = here.full(table)["version"]
        mover.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": version})
        refused = ann.try_post("/pools/two-5-3/join")
        assert (refused.status_code, refused.json()["code"]) == (409, "pool-playing")


def test_a_table_for_four_waits_for_the_fourth(here: Here) -> None:
    with people(here, "A", "B", "C", "D") as four:
        news = [one.listening() for one in four]
        listeners = [each.__enter__() for each in news]
        for one in four[:3]:
            one.join("four-15-5")
        last = next(p for p in four[3].get("/pools") if p["id"] == "four-15-5")
        assert (last["waiting"], last["needs"]) == (3, 1)
        four[3].join("four-15-5")
        tables = {listener.hear("paired")["table"] for listener in listeners}
        assert len(tables) == 1
        chairs = here.get(f"/tables/{tables.pop()}")["chairs"]
        assert sorted(chair["name"] for chair in chairs) == ["A", "B", "C", "D"]
        for each in news:
            each.__exit__(None, None, None)


def test_nobody_is_paired_with_whom_they_blocked_nor_told_of_it(here: Here) -> None:
    with people(here, "Cas", "Dot", "Eve") as (cas, dot, eve):
        assert cas.http.post(f"/api/me/blocks/{dot.id}").status_code == 204
        with cas.listening() as c, dot.listening() as d, eve.listening() as e:
            cas.join("two-10-5")
            dot.join("two-10-5")
            time.sleep(1.5)
            assert waiting_in(here, "two-10-5") == 2
            eve.join("two-10-5")
            assert c.hear("paired")["table"] == e.hear("paired")["table"]
            assert not [m for m in d.heard if m["type"] == "paired"]
            assert cas.id not in str(d.heard)
            dot.delete("/pools/two-10-5/join")


@pytest.mark.timing
def test_whoever_leaves_or_goes_away_waits_no_longer(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pooldesk, "GONE_MS", 2 * pooldesk.BEAT_MS)
    with people(here, "Fay", "Gus") as (fay, gus):
        with fay.listening():
            fay.join("three-15-5")
            assert waiting_in(here, "three-15-5") == 1
            assert fay.delete("/pools/three-15-5/join").status_code == 204
            assert waiting_in(here, "three-15-5") == 0
            fay.join("three-15-5")
        until = time.monotonic() + LONG_S
        with gus.listening():
            while waiting_in(here, "three-15-5"):
                assert time.monotonic() < until
                time.sleep(0.2)


def test_waiting_in_one_pool_ends_waiting_in_another_but_not_by_the_day(here: Here) -> None:
    with people(here, "Hal") as (hal,), hal.listening() as news:
        hal.join("two-day")
        hal.join("two-5-3")
        hal.join("three-15-5")
        wanted = ["three-15-5", "two-day"]
        news.wait(lambda: True if news.heard and news.heard[-1].get("waiting") == wanted else None)
        hal.delete("/pools/two-day/join")
        hal.delete("/pools/three-15-5/join")


def test_rated_games_need_a_kept_name_and_pools_a_person(here: Here) -> None:
    assert here.try_post("/pools/two-5-3/join").status_code == 401
    assert here.try_get("/pools/stream").status_code == 401
    with people(here, "Ida") as (ida,):
        refused = ida.try_post("/pools/two-5-3/join", {"rated": True})
        assert (refused.status_code, refused.json()["code"]) == (403, "pool-name")
        assert ida.try_post("/pools/chess/join").json()["code"] == "no-such-pool"


def test_a_bot_of_the_level_is_offered_after_a_while(tmp_path: Path) -> None:
    from cabochon.server.tables.hub import now_ms

    ahead = [0]
    with (
        serving(tmp_path / "t.db", clock=lambda: now_ms() + ahead[0]) as here,
        people(here, "Jo") as (jo,),
        jo.listening() as news,
    ):
        jo.join()
        news.wait(lambda: True if any(m.get("waiting") for m in news.heard) else None)
        assert not [m for m in news.heard if m["type"] == "offer"]
        ahead[0] = 21_000
        assert news.hear("offer")["bot"] in ("calcite", "gypsum", "talc", "fluorite")


def test_one_address_cannot_flood_a_pool(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", most_waiting_per_address=3) as here:
        names = [f"P{n}" for n in range(5)]
        with people(here, *names) as crowd:
            answers = [one.try_post("/pools/four-15-5/join") for one in crowd]
            assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
            assert answers[-1].json()["code"] == "pool-crowded"


def test_joining_and_leaving_over_and_over_is_slowed_down(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db") as here, people(here, "Kit") as (kit,):
        codes = [kit.try_post("/pools/two-5-3/join").status_code for _ in range(40)]
        assert codes[0] == 200
        assert codes[-1] == 429


@pytest.mark.parametrize("pool", ["two-5-3", "two-day"])
def test_leaving_ends_the_waiting_at_once(here: Here, pool: str) -> None:
    with people(here, "Lou") as (lou,):
        lou.join(pool)
        lou.delete(f"/pools/{pool}/join")
        assert waiting_in(here, pool) == 0


def test_two_who_keep_their_names_play_a_rated_game(here: Here) -> None:
    """From the pool to the rating: no take-backs, and losing counts."""
    with people(here, "Mia", "Nils", "Olga") as (mia, nils, olga):
        for one in (mia, nils):
            one.post("/me/password", {"password": "correct horse battery"})
        pools = {pool["id"]: pool for pool in mia.get("/pools")}
        assert pools["two-5-3"]["rated"]
        with mia.listening() as m, nils.listening() as n, olga.listening() as o:
            olga.join()
            mia.join()
            assert nils.join()["rated"]
            table = m.hear("paired")["table"]
            assert n.hear("paired")["table"] == table
            assert not [one for one in o.heard if one["type"] == "paired"]
            info = here.get(f"/tables/{table}")
            assert info["rated"]
            assert not info["takeback"]
            olga.delete("/pools/two-5-3/join")
        mia.post(f"/tables/{table}/resign")
        until = time.monotonic() + LONG_S
        while not mia.get("/me")["person"]["ratings"]:
            assert time.monotonic() < until, "the game was not settled"
            time.sleep(0.1)
        loser, winner = (one.get("/me")["person"]["ratings"]["two"] for one in (mia, nils))
        assert loser["value"] < winner["value"]


def test_whoever_deletes_the_account_waits_no_longer_and_is_not_blocked(here: Here) -> None:
    with people(here, "Pia", "Quin") as (pia, quin):
        quin.http.post(f"/api/me/blocks/{pia.id}")
        pia.join("two-day")
        gone = pia.http.request("DELETE", "/api/me", json={})
        assert gone.is_success, gone.text
        assert waiting_in(here, "two-day") == 0
        assert quin.get("/me/blocks") == {"people": []}


def test_whoever_leaves_the_other_at_the_table_waits_a_little(here: Here) -> None:
    """Withholding one's share, or leaving at once, costs the dodger and not the other."""
    with people(here, "Uma", "Vic") as (uma, vic), uma.listening() as u, vic.listening():
        for one, share in ((uma, "u"), (vic, "v")):
            one.post("/pools/two-5-3/join", {"share_hash": share_hash(share * 32)})
        table = u.hear("paired")["table"]
        assert here.get(f"/tables/{table}")["state"] == "open"
        uma.post(f"/tables/{table}/leave", {})
        until = time.monotonic() + LONG_S
        while (refused := uma.try_post("/pools/two-5-3/join")).is_success:
            uma.delete("/pools/two-5-3/join")
            assert time.monotonic() < until
        assert (refused.status_code, refused.json()["code"]) == (429, "pool-paused")
        assert vic.try_post("/pools/two-5-3/join").is_success
        vic.delete("/pools/two-5-3/join")


def paired_with_shares(one: Somebody, other: Somebody, listener: PoolNews) -> str:
    """Both have said what they add to the deal, and neither has come to the table."""
    for person, share in ((one, ONE_SHARE), (other, OTHER_SHARE)):
        person.post("/pools/two-5-3/join", {"share_hash": share_hash(share)})
    table: str = listener.hear("paired")["table"]
    return table


def seat_of(here: Here, table: str, person: Somebody) -> int:
    chairs = here.get(f"/tables/{table}")["chairs"]
    return [chair["person"] for chair in chairs].index(person.id)


def waits_again(listener: PoolNews) -> Any:
    """The last word on the pools is that its owner waits."""

    def found() -> bool | None:
        told = [said for said in listener.heard if said["type"] == "pools"]
        return told[-1]["waiting"] == ["two-5-3"] or None

    return listener.wait(found)


def test_whoever_is_left_alone_at_a_table_waits_again_where_they_did(here: Here) -> None:
    with people(here, "Uli", "Vik") as (uli, vik), uli.listening() as u, vik.listening() as v:
        table = paired_with_shares(uli, vik, u)
        v.hear("paired")
        since = time.time() * 1000
        vik.post(f"/tables/{table}/leave", {})
        waits_again(u)
        gone = here.try_get(f"/tables/{table}")
        assert (gone.status_code, gone.json()["code"]) == (404, "table-given-up")
        place = (
            uli.join()
        )  # it is the same place, further to the front than anybody's who comes now
        assert place["since_ms"] < since
        assert vik.try_post("/pools/two-5-3/join").json()["code"] == "pool-paused"
        uli.delete("/pools/two-5-3/join")


def test_a_table_is_given_up_when_somebody_does_not_come(tmp_path: Path) -> None:
    from cabochon.server.people.noshows import COME_MS
    from cabochon.server.tables.hub import now_ms

    ahead = [0]
    with (
        serving(tmp_path / "t.db", clock=lambda: now_ms() + ahead[0]) as here,
        people(here, "Ula", "Vio") as (ula, vio),
        ula.listening() as u,
        vio.listening(),
    ):
        table = paired_with_shares(ula, vio, u)
        share = {"action": "reveal", "value": ONE_SHARE, "seat": seat_of(here, table, ula)}
        ula.post(f"/tables/{table}/share", share)
        assert here.get(f"/tables/{table}")["state"] == "open"
        ahead[0] = COME_MS + 1000
        waits_again(u)
        assert here.try_get(f"/tables/{table}").json()["code"] == "table-given-up"
        assert vio.try_post("/pools/two-5-3/join").json()["code"] == "pool-paused"
        assert u.hear("offer")["bot"]


def test_whoever_loses_without_a_move_waits_a_little(here: Here) -> None:
    with people(here, "Una", "Val") as (una, val), una.listening() as u, val.listening():
        una.join()
        val.join()
        table = u.hear("paired")["table"]
        first, other = sorted((una, val), key=lambda one: seat_of(here, table, one))
        first.post(f"/tables/{table}/resign", {})
        until = time.monotonic() + LONG_S
        while (refused := first.try_post("/pools/two-5-3/join")).is_success:
            first.delete("/pools/two-5-3/join")
            assert time.monotonic() < until
        assert refused.json()["code"] == "pool-paused"
        assert other.try_post("/pools/two-5-3/join").is_success
        other.delete("/pools/two-5-3/join")


def test_whoever_does_not_wait_for_a_first_move_that_never_comes_is_not_paused(here: Here) -> None:
    with people(here, "Ugo", "Vin") as (ugo, vin), ugo.listening() as u, vin.listening():
        ugo.join()
        vin.join()
        table = u.hear("paired")["table"]
        _, second = sorted((ugo, vin), key=lambda one: seat_of(here, table, one))
        second.post(f"/tables/{table}/resign", {})
        time.sleep(1)
        assert second.try_post("/pools/two-5-3/join").is_success
        second.delete("/pools/two-5-3/join")


def test_a_guest_who_lets_others_down_does_not_come_back_as_another(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "t.db", trust_proxy=True) as here,
        Browser(here, x_forwarded_for="1.2.3.4") as dodger,
        Browser(here, x_forwarded_for="1.2.3.4") as again,
        people(here, "Wes") as (wes,),
        wes.listening() as news,
    ):
        dodger.be("Dodger")
        again.be("Somebody new")
        wes.join(share_hash=share_hash(ONE_SHARE))
        dodger.do("POST", "/pools/two-5-3/join", {"share_hash": share_hash(OTHER_SHARE)})
        table = news.hear("paired")["table"]
        dodger.do("POST", f"/tables/{table}/leave", {})
        waits_again(news)
        assert again.code("POST", "/pools/two-5-3/join", {}) == "pool-paused"
        wes.join()


def test_games_of_a_pool_count_as_tables_and_nobody_else_waits_for_it(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "t.db", most_unfinished_per_person=1) as here,
        people(here, "Xan", "Yan", "Zan") as (xan, yan, zan),
        xan.listening() as x,
    ):
        xan.join("two-day")
        yan.join("two-day")
        x.hear("paired")
        assert xan.try_post("/pools/two-day/join").json()["code"] == "too-many-unfinished"
        with zan.listening() as z:
            zan.join("two-day")
            yan.join("two-day")
            assert z.hear("paired")["table"]


def test_a_page_that_was_loaded_again_adds_its_new_share(here: Here) -> None:
    with people(here, "Umi", "Van") as (umi, van), umi.listening() as u, van.listening():
        first = umi.join(share_hash=share_hash("0" * 32))
        again = umi.join(share_hash=share_hash(ONE_SHARE))
        assert again["since_ms"] == first["since_ms"]
        van.join()
        table = u.hear("paired")["table"]
        share = {"action": "reveal", "value": ONE_SHARE, "seat": seat_of(here, table, umi)}
        umi.post(f"/tables/{table}/share", share)
        assert here.get(f"/tables/{table}")["state"] == "running"
        umi.post(f"/tables/{table}/resign", {})


def test_nobody_is_sent_to_the_table_before_when_they_wait_in_another_pool(here: Here) -> None:
    with people(here, "Uta", "Vip") as (uta, vip):
        with uta.listening() as u, vip.listening():
            uta.join()
            vip.join()
            table = u.hear("paired")["table"]
        mover = next(p for p in (uta, vip) if seat_of(here, table, p) == 0)
        version = here.full(table)["version"]
        mover.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": version})
        mover.post(f"/tables/{table}/resign", {})
        with mover.listening() as news:
            mover.join("three-15-5")
            news.wait(lambda: (news.heard[-1:] and news.heard[-1].get("waiting")) or None)
            assert not [said for said in news.heard if said["type"] == "paired"]
            mover.delete("/pools/three-15-5/join")


def test_a_table_that_cannot_be_given_up_holds_up_nobody(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> list[str]:
        return ["nosuchtab1"]

    desk: PoolDesk = here.app.state.pools  # type: ignore[attr-defined]
    monkeypatch.setattr(desk.places, "unstarted", broken)
    with people(here, "Wim", "Xia") as (wim, xia), wim.listening() as news, xia.listening():
        wim.join()
        xia.join()
        table = news.hear("paired")["table"]
        wim.post(f"/tables/{table}/resign", {})
