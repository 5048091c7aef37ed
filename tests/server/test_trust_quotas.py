"""Quotas that protect newcomers: nobody fills the house, and what came to nothing goes away."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection

from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.addresses import Addresses, BadNetwork, client_network, tiers
from cabochon.server.limits import Buckets
from cabochon.server.problems import ServerRefused
from cabochon.server.settings import Settings
from cabochon.server.tables.maintenance import Maintenance
from cabochon.server.thinking.botpool import BotQueue
from tests.server.browsers import Browser
from tests.server.serving import Here, serving

ME: Any = {"kind": "me", "name": "Ada"}
BOT: Any = {"kind": "bot", "bot": "uniform"}
OPEN: Any = {"kind": "open"}
MINUTE = 60_000


def at(address: str) -> dict[str, str]:
    return {"X_Forwarded_For": address}


def make(here: Here, address: str, *chairs: Any, key: str | None = None) -> tuple[int, Any]:
    """The status and the document."""
    answer = here.try_post("/tables", {"chairs": list(chairs or (ME, OPEN))}, key, **at(address))
    return answer.status_code, answer.json()


def until_refused(here: Here, address: str, *chairs: Any) -> tuple[int, str]:
    """How many tables the address got, and why no more."""
    for count in range(500):
        status, said = make(here, address, *chairs)
        if status != 201:
            assert status == 429
            return count, said["code"]
    raise AssertionError("nobody says no")


# Room


def test_five_addresses_cannot_fill_the_house(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", trust_proxy=True, most_tables=60) as here:
        got = [until_refused(here, f"10.0.0.{n}") for n in range(5)]
        assert sum(count for count, _ in got) < 30
        assert {why for _, why in got} == {"too-many-unfinished"}
        for n in range(10):
            assert make(here, f"10.1.0.{n}")[0] == 201


def test_a_full_house_has_room_for_a_tutorial_and_a_first_game_against_a_bot(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "t.db", trust_proxy=True, most_tables=30) as here:
        crowd = [until_refused(here, f"10.0.0.{n}") for n in range(40)]
        assert crowd[-1][1] == "too-many-tables"
        assert sum(count for count, _ in crowd) <= 30
        full = sum(count for count, _ in crowd[:12])
        assert full >= 27
    with serving(tmp_path / "u.db", trust_proxy=True, most_tables=30) as here:
        for n in range(9):
            until_refused(here, f"10.0.0.{n}")
        assert make(here, "10.0.0.0")[1]["code"] in ("too-many-tables", "too-many-unfinished")
        assert here.try_post("/tutorial", {}, **at("10.2.0.1")).status_code == 201
        assert make(here, "10.2.0.2", ME, BOT)[0] == 201


def test_somebody_s_unfinished_tables_are_counted_and_finished_ones_are_not(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "t.db", most_unfinished_per_address=3) as here:
        made = [here.duel() for _ in range(3)]
        refused = here.try_post("/tables", {"chairs": [ME, OPEN]})
        problem = refused.json()
        assert (refused.status_code, problem["code"]) == (429, "too-many-unfinished")
        assert problem["params"] == {"count": 3}
        assert refused.headers["retry-after"]
        table, keys = made[0]
        here.post(f"/tables/{table}/resign", {"seat": 0}, keys[0])
        assert here.try_post("/tables", {"chairs": [ME, OPEN]}).status_code == 201
        again = here.try_post(f"/tables/{table}/rematch", {"action": "offer", "seat": 0}, keys[0])
        assert (again.status_code, again.json()["code"]) == (429, "too-many-unfinished")


def test_the_count_outlives_the_server(tmp_path: Path) -> None:
    for status in (201, 201, 429):
        with serving(tmp_path / "t.db", most_unfinished_per_address=2) as here:
            assert make(here, "-")[0] == status


def test_a_rematch_belongs_to_whoever_had_the_table(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", most_unfinished_per_address=2) as here:
        table, keys = here.duel()
        for _ in range(4):
            here.post(f"/tables/{table}/resign", {"seat": 0}, keys[0])
            said = here.post(f"/tables/{table}/rematch", {"action": "offer", "seat": 0}, keys[0])
            table, keys = said["table"], keys[::-1]
        assert make(here, "-")[0] == 201
        assert make(here, "-")[0] == 429


def test_a_token_has_a_quota_wherever_it_is_used(tmp_path: Path) -> None:
    options: Any = {"trust_proxy": True, "most_unfinished_per_person": 2}
    with serving(tmp_path / "t.db", **options) as here:
        token = here.post("/tokens", {"name": "helper"})["token"]
        seen = [make(here, f"10.0.0.{n}", ME, OPEN, key=token)[0] for n in range(3)]
        assert seen == [201, 201, 429]


def test_many_at_once_get_no_more_than_one_after_the_other(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", most_unfinished_per_address=5) as here:

        async def rush() -> list[int]:
            import httpx

            async with httpx.AsyncClient(base_url=here.base, timeout=30) as http:
                asks = [http.post("/api/tables", json={"chairs": [ME, OPEN]}) for _ in range(30)]
                return [answer.status_code for answer in await asyncio.gather(*asks)]

        seen = asyncio.run(rush())
        assert set(seen) <= {201, 429}
        assert seen.count(201) <= 5


def test_bots_among_themselves_have_few_tables(tmp_path: Path) -> None:
    slow: Any = {"kind": "bot", "bot": "diamond"}
    with serving(tmp_path / "t.db", trust_proxy=True, most_bot_tables=8) as here:
        got = [until_refused(here, f"10.0.0.{n}", slow, slow) for n in range(5)]
        assert [count for count, _ in got] == [2, 2, 2, 2, 0]
        assert {why for _, why in got} == {"too-many-bot-tables"}
        assert make(here, "10.0.0.1", ME, slow)[0] == 201


# Bots wait their turn


def test_bots_among_themselves_think_when_nobody_waits() -> None:
    done: list[str] = []

    async def run() -> None:
        turns = BotQueue(2)
        busy = asyncio.Event()

        async def think(name: str, last: bool) -> None:
            async with turns.turn(last):
                done.append(name)
                await busy.wait()

        async with asyncio.TaskGroup() as group:
            for n in range(3):
                group.create_task(think(f"bots {n}", last=True))
            await asyncio.sleep(0)
            for n in range(2):
                group.create_task(think(f"people {n}", last=False))
            await asyncio.sleep(0.01)
            assert done == ["bots 0", "people 0"]  # one place is never theirs
            busy.set()

    asyncio.run(run())
    assert done[:3] == ["bots 0", "people 0", "people 1"]
    assert sorted(done[3:]) == ["bots 1", "bots 2"]


def test_who_gives_up_waiting_takes_no_place() -> None:
    async def run() -> None:
        turns = BotQueue(1)
        async with turns.turn():
            waiting = asyncio.create_task(_enter(turns))
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.sleep(0)
        async with asyncio.timeout(1):
            await _enter(turns)

    asyncio.run(run())


async def _enter(turns: BotQueue) -> None:
    async with turns.turn():
        pass


# What came to nothing


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


def sweep(here: Here) -> None:
    """What a server does every half minute."""
    hub = here.app.state.hub  # type: ignore[attr-defined]
    loop = hub.scheduler.loop_of_tests
    asyncio.run_coroutine_threadsafe(Maintenance(hub)._sweep(), loop).result(20)


def remember_loop(here: Here) -> None:
    here.http.get("/readyz")
    hub = here.app.state.hub  # type: ignore[attr-defined]
    hub.scheduler.loop_of_tests = hub.readiness._probe.get_loop()


def test_a_table_that_came_to_nothing_is_gone_in_minutes(tmp_path: Path) -> None:
    clock = Clock()
    with serving(tmp_path / "t.db", clock, unplayed_minutes=10) as here:
        remember_loop(here)
        nobody_came = here.post("/tables", {"chairs": [ME, OPEN]})["table"]["id"]
        nobody_moved, _ = here.strangers()
        only_the_bot_moved = here.post("/tables", {"chairs": [BOT, ME], "seat_order": "fixed"})[
            "table"
        ]["id"]
        waiting = here.post("/tables", {"chairs": [ME, OPEN]})
        by_the_day = here.duel(clock={"kind": "days", "days": 3})[0]
        joined = here.post("/tables", {"seats": 3, "chairs": [ME, OPEN, OPEN]})["table"]["id"]
        here.post(f"/tables/{joined}/join", {"name": "Bo"})
        played, keys = here.duel()
        here.post(f"/tables/{played}/move", {"moves": ["take wug"], "version": 1}, keys[0])
        with here.socket(waiting["table"]["id"], waiting["keys"][0]["key"]) as talk:
            talk.hear("gameFull")
            for _ in range(3):
                clock.now += 6 * MINUTE
                sweep(here)
            gone = (nobody_came, nobody_moved, only_the_bot_moved)
            assert [here.try_get(f"/tables/{t}").status_code for t in gone] == [404] * 3
            kept = (waiting["table"]["id"], by_the_day, joined, played)
            assert [here.try_get(f"/tables/{t}").status_code for t in kept] == [200] * 4
        clock.now += 6 * MINUTE
        sweep(here)
        assert here.try_get(f"/tables/{kept[0]}").status_code == 200
        clock.now += 6 * MINUTE
        sweep(here)
        assert here.try_get(f"/tables/{kept[0]}").status_code == 404


def test_a_rated_game_does_not_come_to_nothing_because_the_deal_is_bad(tmp_path: Path) -> None:
    """Whoever does not like the first cards would else wait until the table is gone, and be dealt
    others."""
    clock = Clock()
    with serving(tmp_path / "t.db", clock, unplayed_minutes=10) as here, Browser(here) as ada:
        remember_loop(here)
        ada.be("Ada")
        chairs = [ME, {"kind": "bot", "bot": "calcite"}]
        asked = {"chairs": chairs, "seat_order": "fixed", "rated": True}
        table = ada.do("POST", "/tables", asked)["table"]["id"]
        for _ in range(3):
            clock.now += 20 * MINUTE
            sweep(here)
        assert here.get(f"/tables/{table}")["state"] == "running"


# Addresses


def _connection(peer: str, *forwarded: str) -> HTTPConnection:
    raw = [(b"x-forwarded-for", text.encode()) for text in forwarded]
    return cast(
        HTTPConnection, SimpleNamespace(client=SimpleNamespace(host=peer), headers=Headers(raw=raw))
    )


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("203.0.113.9", ("198.51.100.1",), "203.0.113.9"),  # not a proxy of ours
        ("10.0.0.1", (), "10.0.0.1"),
        ("10.0.0.1", ("198.51.100.1",), "198.51.100.1"),
        ("10.0.0.1", ("1.1.1.1, 198.51.100.1",), "198.51.100.1"),
        ("10.0.0.1", ("1.1.1.1, 198.51.100.1, 10.0.0.7",), "198.51.100.1"),
        ("10.0.0.1", ("1.1.1.1", "198.51.100.1, 10.0.0.7"), "198.51.100.1"),
        ("10.0.0.1", ("10.0.0.9, 10.0.0.7",), "10.0.0.9"),
        ("10.0.0.1", ("1.1.1.1, 198.51.100.1:4711, [fd00::7]:80",), "198.51.100.1"),
        ("10.0.0.1", ("1.1.1.1, unknown, 10.0.0.7",), "unknown"),
        ("::ffff:10.0.0.1", ("2001:db8:0:12ab::5",), "2001:db8:0:1200::/56"),
        ("fd00::1", (" , ,",), "fd00::/56"),
    ],
)
def test_behind_proxies_the_right_most_untrusted_address_counts(
    peer: str, forwarded: tuple[str, ...], counted: str
) -> None:
    addresses = Addresses(Settings(trusted_proxies="10.0.0.0/8, fd00::/8"))
    assert addresses.of(_connection(peer, *forwarded)) == counted


def test_without_a_list_a_private_peer_is_believed_and_a_public_one_is_not() -> None:
    addresses = Addresses(Settings(trust_proxy=True))
    assert addresses.of(_connection("127.0.0.1", "1.1.1.1, 9.9.9.9")) == "9.9.9.9"
    assert addresses.of(_connection("8.8.8.8", "9.9.9.9")) == "8.8.8.8"
    assert Addresses(Settings()).of(_connection("127.0.0.1", "9.9.9.9")) == "127.0.0.1"


def test_a_list_of_proxies_that_is_nonsense_is_told() -> None:
    with pytest.raises(BadNetwork, match="CABOCHON_TRUSTED_PROXIES"):
        Addresses(Settings(trusted_proxies="10.0.0.0/8, proxy.example"))


def test_ipv6_is_counted_by_the_customer_and_costs_more_in_wider_networks() -> None:
    assert client_network("2001:db8:1:2345::1") == "2001:db8:1:2300::/56"
    assert tiers("10.0.0.1") == ((1, "10.0.0.1"),)
    assert tiers("2001:db8:1:2300::/56") == (
        (1, "2001:db8:1:2300::/56"),
        (4, "2001:db8:1::/48"),
        (16, "2001:db8::/40"),
        (64, "2001:db8::/32"),
    )


def _asks(access: AccessLimits, addresses: list[str]) -> int:
    """How many of these requests, all at once, are allowed."""
    allowed = 0
    for address in addresses:
        try:
            access.check_request(_connection(address))
        except ServerRefused:
            continue
        allowed += 1
    return allowed


def test_many_networks_of_one_provider_get_less_than_as_many_households() -> None:
    settings = Settings(requests_per_s=1.0)
    apart = [f"2001:{n:x}::1" for n in range(1, 101)] * 10
    close = [f"2001:db8:0:{n:x}00::1" for n in range(1, 101)] * 10
    assert _asks(AccessLimits(settings), apart) == 1000
    assert 40 <= _asks(AccessLimits(settings), close) < 60


def test_what_several_processes_have_allowed_is_added_up() -> None:
    now = 0.0
    here, there = (Buckets(1.0, 10.0, lambda: now, shared=True) for _ in range(2))
    for _ in range(6):
        assert not here.take("a")
        assert not there.take("a")
    told = here.spent(10)["a"] + there.spent(10)["a"]
    assert told == 12
    for process in (here, there):
        process.heard("a", told)
        assert process.take("a") > 0
    assert here.spent(10) == {}
    for n in range(20):
        for _ in range(1 + n // 19):
            here.take(str(n))
    assert list(here.spent(1)) == ["19"]
    assert len(here.spent(100)) == 19
