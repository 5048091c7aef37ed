"""Who counts as away, since when, and what others may do about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from cabochon.notation import parse_move
from cabochon.play.chairs import Chair, Kind, Out
from cabochon.play.commands import claim, join
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Opened
from cabochon.play.messaging import Audience
from cabochon.play.options import WhenGone
from cabochon.play.talking import say
from cabochon.server.tables import hub as hub_module
from cabochon.server.tables.hub import Hub, now_ms
from cabochon.server.tables.live import Live, Subscriber
from tests.play.sittings import opening, people, person
from tests.server.serving import Here, serving
from tests.server.test_hub import Time, hub_on, run, until

TAKE = (parse_move("take wug"),)
GRACE_S = 120


@contextmanager
def server(folder: Path) -> Iterator[tuple[Here, Time]]:
    time = Time()
    with serving(folder / "t.db", clock=time) as here:
        yield here, time


def opened(here: Here, **options: Any) -> tuple[str, str, str]:
    """A table with one open seat: its id, the key of seat 0, and the invitation to seat 1."""
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    made = here.post("/tables", {"chairs": chairs, "seat_order": "fixed", **options})
    return made["table"]["id"], made["keys"][0]["key"], made["invites"][0]["code"]


def joined(here: Here, table: str, code: str) -> str:
    key: str = here.post(f"/tables/{table}/join", {"name": "Bo", "code": code})["key"]
    return key


def claimed(here: Here, table: str, key: str, **body: Any) -> str:
    """`claimed`, or the code of the refusal."""
    response = here.try_post(f"/tables/{table}/claim", body, key)
    return "claimed" if response.is_success else response.json()["code"]


# When grace begins


def test_who_waited_an_hour_for_an_opponent_is_not_claimable_at_once(tmp_path: Path) -> None:
    with server(tmp_path) as (here, time):
        table, _, code = opened(here)
        time.ahead = 3_600_000
        bo = joined(here, table, code)
        assert claimed(here, table, bo) == "not-gone"
        time.ahead += 119_000
        assert claimed(here, table, bo) == "not-gone"
        time.ahead += 2_000
        assert claimed(here, table, bo) == "claimed"


def test_a_joiner_who_never_connects_is_away_from_the_start(tmp_path: Path) -> None:
    with server(tmp_path) as (here, time):
        table, ada, code = opened(here)
        with here.socket(table, ada) as talk:
            talk.hear("gameFull")
            joined(here, table, code)
            while (said := talk.hear("presence"))["seat"] != 1 or said["claim_in_s"] is None:
                pass
            assert not said["here"]
            assert said["claim_in_s"] == GRACE_S
            time.ahead = 119_000
            assert talk.ask(type="claim")["problem"]["code"] == "not-gone"
            time.ahead = 121_000
            assert talk.ask(type="claim", gone=1)["type"] == "accepted"
            (end,) = (message for message in talk.heard if message["type"] == "gameFinish")
            assert end["result"]["reason"] == "abandon"


# Signs of life without a connection


def test_a_move_over_rest_is_presence_for_the_grace_time(tmp_path: Path) -> None:
    with server(tmp_path) as (here, time):
        table, ada, code = opened(here)
        bo = joined(here, table, code)
        with here.socket(table, ada) as talk:
            assert not talk.hear("gameFull")["table"]["chairs"][1]["here"]
            talk.ask(type="move", version=2, moves=["take wug"])
            time.ahead = 100_000
            here.post(f"/tables/{table}/move", {"version": 3, "moves": ["take wug"]}, bo)
            while (said := talk.hear("presence"))["seat"] != 1 or not said["here"]:
                pass
            assert said["claim_in_s"] is None
            assert here.get(f"/tables/{table}")["chairs"][1]["here"]
            time.ahead = 219_000
            assert talk.ask(type="claim")["problem"]["code"] == "not-gone"
            time.ahead = 221_000
            assert talk.ask(type="claim")["type"] == "accepted"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("chat", {"phrase": "hello"}),
        ("check", {"moves": ["take wug"]}),
        ("move", {"version": 77, "moves": ["take wug"]}),
        ("takeback", {"action": "ask"}),
        ("claim", {}),
    ],
)
def test_every_command_is_presence_also_a_refused_one(
    tmp_path: Path, path: str, body: dict[str, Any]
) -> None:
    with server(tmp_path) as (here, time):
        table, ada, code = opened(here)
        bo = joined(here, table, code)
        time.ahead = 60_000
        here.try_post(f"/tables/{table}/{path}", body, bo)
        time.ahead = 150_000
        assert claimed(here, table, ada) == "not-gone"
        time.ahead = 181_000
        assert claimed(here, table, ada) == "claimed"


def test_leaving_over_rest_is_not_presence(tmp_path: Path) -> None:
    with server(tmp_path) as (here, time):
        table, _, code = opened(here)
        bo = joined(here, table, code)
        here.post(f"/tables/{table}/chat", {"phrase": "hello"}, bo)
        assert here.get(f"/tables/{table}")["chairs"][1]["here"]
        time.ahead = 1_000
        here.post(f"/tables/{table}/leave", {}, bo)
        assert not here.get(f"/tables/{table}")["chairs"][1]["here"]


def test_who_closes_a_connection_is_away_whatever_they_sent_before(tmp_path: Path) -> None:
    with server(tmp_path) as (here, _):
        table, ada, code = opened(here)
        bo = joined(here, table, code)
        with here.socket(table, ada) as talk:
            with here.socket(table, bo) as other:
                other.hear("gameFull")
                assert other.ask(type="chat", phrase="hello")["type"] == "accepted"
            while (said := talk.hear("presence"))["seat"] != 1 or said["here"] or talk_is_new(talk):
                pass
            assert said["claim_in_s"] == GRACE_S


def talk_is_new(talk: Any) -> bool:
    """Whether the other's chat has not been heard yet."""
    return not any(message["type"] == "chatLine" for message in talk.heard)


@pytest.mark.parametrize("seat", [0, 1])
def test_each_of_two_who_play_over_rest_can_claim_against_the_other(
    tmp_path: Path, seat: int
) -> None:
    with server(tmp_path) as (here, time):
        table, ada, code = opened(here)
        keys = [ada, joined(here, table, code)]
        time.ahead = 60_000
        here.post(f"/tables/{table}/chat", {"phrase": "hello"}, keys[1 - seat])
        time.ahead = 179_000
        assert claimed(here, table, keys[seat]) == "not-gone"
        time.ahead = 181_000
        assert claimed(here, table, keys[seat]) == "claimed"
        assert here.get(f"/tables/{table}")["chairs"][1 - seat]["out"]


# Bots that stand in


def with_grace(opened: Opened, seconds: int, policy: WhenGone = WhenGone.CLAIM) -> Opened:
    return replace(opened, options=replace(opened.options, grace_s=seconds, when_gone=policy))


async def sat(hub: Hub, policy: WhenGone, waiting_ms: int, time: Time) -> Live:
    """A table whose second player has come `waiting_ms` after the first, and no connections."""
    made = opening(person(0), Chair(Kind.OPEN), at=now_ms())
    live = await hub.open("table1", with_grace(made, 1, policy))
    time.ahead += waiting_ms
    await hub.decide(live, lambda t, now: join(t, 1, "Bo", "hash1", now, "key:hash1"))
    return live


def test_a_bot_stands_in_for_a_joiner_who_never_connects(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            live = await sat(hub, WhenGone.BOT, 0, time)
            here = Subscriber(Audience((0,)))
            await hub.presence.connect(live, here, None)
            await until(lambda: live.table.chairs[1].stands_in)
            assert not live.table.chairs[0].stands_in
            hub.presence.disconnect(live, here)

    run(test())


def test_no_bot_stands_in_at_the_start_for_who_waited_long(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            began = hub.clock() + 3_600_000
            live = await sat(hub, WhenGone.BOT, 3_600_000, time)
            await until(lambda: live.table.chairs[0].stands_in)
            assert 1000 <= hub.clock() - began < 5000

    run(test())


def test_who_stops_commanding_over_rest_is_told_to_be_away(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", with_grace(opening(*people(2), at=now_ms()), 1))
            watcher = Subscriber(Audience())
            await hub.presence.connect(live, watcher, None)
            await hub.decide(live, lambda t, now: t.submit(0, 1, TAKE, now))
            assert live.here == {0}
            await until(lambda: not live.here)
            said = [orjson.loads(message) for message in await watcher.take()]
            last = [message for message in said if message["type"] == "presence"][-1]
            assert (last["seat"], last["here"], last["claim_in_s"]) == (0, False, 0)
            hub.presence.disconnect(live, watcher)

    run(test())


def test_the_moves_of_a_stand_in_are_no_sign_of_life(tmp_path: Path) -> None:
    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            made = with_grace(opening(*people(2), at=now_ms()), 1, WhenGone.BOT)
            live = await hub.open("table1", made)
            await until(lambda: live.table.moved != ())
            assert live.table.chairs[0].stands_in
            assert live.here == frozenset()

    run(test())


# Tables that leave memory


def test_being_away_goes_on_counting_while_a_table_is_out_of_memory(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            await hub.open("table1", with_grace(opening(*people(2), at=now_ms()), 600))
            time.ahead = hub_module.IDLE_MS + 1
            await hub.evict_idle()
            assert hub.in_memory("table1") is None
            time.ahead = 599_000
            assert await code_of_claim(hub) is TableFault.NOT_GONE
            time.ahead = 601_000
            live = await hub.live("table1")
            assert await code_of_claim(hub) is None
            assert live.table.chairs[1].out is Out.ABANDON

    run(test())


async def code_of_claim(hub: Hub) -> object:
    live = await hub.live("table1")
    gone = hub.presence.gone_s
    try:
        await hub.decide(live, lambda t, now: claim(t, 0, 1, gone(live, now), now))
    except TableRefused as refused:
        return refused.code
    return None


def test_a_bot_stands_in_after_a_grace_longer_than_tables_stay_in_memory(tmp_path: Path) -> None:
    async def test() -> None:
        time = Time()
        async with hub_on(tmp_path / "t.db", time) as hub:
            made = with_grace(opening(*people(2), at=now_ms()), 600, WhenGone.BOT)
            await hub.open("table1", made)
            time.ahead = hub_module.IDLE_MS + 1
            await hub.evict_idle()
            assert hub.in_memory("table1") is None
            time.ahead = 601_000
            assert await hub.store.abandoned(8000, time()) == ["table1"]
            live = await hub.live("table1")
            await until(lambda: live.table.chairs[0].stands_in)

    run(test())


# Several nodes that share a database


def test_a_command_at_one_node_is_presence_at_the_other(tmp_path: Path) -> None:
    async def test() -> None:
        db = tmp_path / "t.db"
        async with hub_on(db, node="a") as one, hub_on(db, node="b") as other:
            await one.open("table1", opening(*people(2), at=now_ms()))
            there = await other.live("table1")
            await one.decide(await one.live("table1"), lambda t, now: say(t, 1, "hello", now))
            assert there.here == frozenset()
            await other.caught_up(there)
            assert there.here == {1}

    run(test())


def test_a_connection_closed_at_one_node_is_known_at_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the player is still connected elsewhere, and closes that later."""

    async def test() -> None:
        async with hub_on(tmp_path / "t.db") as hub:
            live = await hub.open("table1", opening(*people(2), at=now_ms()))
            said: list[frozenset[int]] = []
            monkeypatch.setattr(hub.relay, "say_presence", lambda _, seats: said.append(seats))
            hub.presence.heard(live, "other", frozenset({0}))
            tab = Subscriber(Audience((0,)))
            await hub.presence.connect(live, tab, None)
            hub.presence.disconnect(live, tab)
            assert said == [frozenset({0}), frozenset()]
            assert live.here == {0}
            hub.presence.heard(live, "other", frozenset())
            assert live.here == frozenset()
            assert hub.presence.claim_in(live, 0) == 60

    run(test())
