"""The table's socket: greetings, changes, answers, and who may open one."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.play.clients import Client
from tests.server.serving import Here, Talk, serving, table_news


def test_first_everything_then_only_what_changed(here: Here) -> None:
    table, keys = here.strangers()
    with here.socket(table, keys[0]) as ada, here.socket(table, keys[1]) as bo:
        full = ada.hear("gameFull")
        assert full["you"] == 0
        assert "take wug" in full["legal"]
        assert bo.hear("gameFull")["legal"] == []
        answer = ada.ask(type="move", version=full["version"], moves=["take wug"])
        assert answer["type"] == "accepted"
        state = bo.hear("gameState")
        assert state["by"] == 0
        assert state["events"] == ["take wug"]
        assert set(state["view"]) == {"turn", "seat", "bank", "hands"}
        assert "take urk" in state["legal"]
        assert state["version"] == answer["version"] == answer["event"]


def test_answers_come_in_the_order_of_what_was_said(here: Here) -> None:
    table, keys = here.duel()
    with here.socket(table, *keys) as talk:
        talk.hear("gameFull")
        talk.say(type="move", id="a", version=1, moves=["take wug"], seat=0)
        talk.say(type="move", id="a", version=1, moves=["take wug"], seat=0)
        talk.say(type="ping", id="b")
        talk.say(type="move", id="c", version=1, moves=["take wug"])
        answers = [talk.hear("accepted", "refused", "pong") for _ in range(4)]
    assert [answer["id"] for answer in answers] == ["a", "a", "b", "c"]
    assert [answer["type"] for answer in answers] == ["accepted", "accepted", "pong", "refused"]
    assert answers[0]["event"] == answers[1]["event"] == 2


def test_facts_are_for_those_who_ask(here: Here) -> None:
    table, keys = here.duel()
    assert "facts" not in here.full(table, keys[0])
    full = here.full(table, keys[0], facts=True)
    assert full["facts"]["round"] == 1
    assert full["legal"][0]["after"]["total"] == 3


def test_pass_and_play_with_two_keys(here: Here) -> None:
    table, keys = here.duel()
    with here.socket(table, *keys) as talk:
        full = talk.hear("gameFull")
        assert full["you"] == 0
        assert full["seats_held"] == [0, 1]
        talk.say(type="move", id="1", version=1, moves=["take wug"])
        state = talk.hear("gameState")
        assert state["you"] == 1
        assert state["legal"]


def test_watchers_see_the_public_side(here: Here) -> None:
    table, keys = here.duel()
    here.post(f"/tables/{table}/move", {"moves": ["reserve deck3"], "version": 1}, keys[0])
    full = here.full(table)
    assert full["you"] is None
    assert full["view"]["hands"][0]["reserved"] == [{"level": 3}]


@pytest.mark.parametrize("watch", ["link", "nobody"])
def test_who_may_watch_is_the_table_s_choice(here: Here, watch: str) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
    made = here.post("/tables", {"chairs": chairs, "watch": watch})
    table, code = made["table"]["id"], made["watch_code"]
    with here.socket(table) as talk:
        assert talk.hear("refused")["problem"]["code"] == "not-for-watchers"
    assert here.try_get(f"/tables/{table}/record").status_code == 403
    assert here.try_get(f"/tables/{table}/replay").status_code == 403
    assert here.try_get(f"/tables/{table}/stream").status_code == 403
    if watch == "link":
        assert here.full(table, watch=code)["you"] is None
        with here.socket(table, watch=f"{table}-guess") as talk:
            assert talk.hear("refused")["problem"]["status"] == 403
    else:
        assert code is None


def test_an_unknown_key_watches(here: Here) -> None:
    """A planted or forgotten key costs nobody the table."""
    table, _ = here.duel()
    full = here.full(table, "cab_s_wrong")
    assert full["you"] is None
    assert full["seats_held"] == []


def test_unknown_keys_do_not_cost_the_seats_that_are_held(here: Here) -> None:
    table, keys = here.strangers()
    other, _ = here.strangers()
    with here.socket(table, "cab_s_planted", keys[1], "cab_s_more") as talk:
        full = talk.hear("gameFull")
        assert (full["you"], full["seats_held"]) == (1, [1])
        assert talk.ask(type="chat", phrase="hello")["type"] == "accepted"
    with here.socket(other, keys[1]) as talk:
        assert talk.hear("gameFull")["you"] is None
        assert talk.ask(type="chat", phrase="hello")["problem"]["code"] == "bad-key"


def test_who_holds_less_than_it_thinks_is_told_what_it_holds(here: Here) -> None:
    table, keys = here.strangers()
    seq = here.full(table, keys[0])["seq"]
    with here.socket(table, keys[0], since=seq) as talk:
        assert talk.next()["type"] == "presence"
    with here.socket(table, keys[0], "cab_s_old", since=seq) as talk:
        assert talk.hear("gameFull")["seats_held"] == [0]


def test_a_wrong_key_is_told_and_shown_the_door_where_nobody_may_watch(here: Here) -> None:
    table, _ = here.duel(watch="nobody")
    with here.socket(table, "cab_s_wrong") as talk:
        assert talk.hear("refused")["problem"]["code"] == "bad-key"
        with pytest.raises(ConnectionClosed) as closed:
            talk.next()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def test_a_token_that_does_not_exist_is_still_an_error(here: Here) -> None:
    table, keys = here.duel()
    with here.socket(table, keys[0], "cab_b_revoked") as talk:
        assert talk.hear("refused")["problem"]["code"] == "bad-key"


def test_an_unknown_table_is_told(here: Here) -> None:
    with here.socket("nosuchtable") as talk:
        assert talk.hear("refused")["problem"]["code"] == "no-such-table"


def test_commands_are_answered_by_their_id(here: Here) -> None:
    table, keys = here.strangers()
    with here.socket(table, keys[0], lang="zh") as talk:
        talk.hear("gameFull")
        assert talk.ask(type="ping")["type"] == "pong"
        assert talk.ask(type="chat", phrase="hello")["type"] == "accepted"
        refused = talk.ask(type="move", version=2, moves=["take www"])
        assert refused["id"] == "q"
        assert refused["problem"]["detail"] == refused["problem"]["sentence"]["zh"]
        checked = talk.ask(type="check", moves=["take wug"])
        assert checked["ok"]
        assert checked["after"]["total"] == 3
        checked = talk.ask(type="check", moves=["take wwu"])
        assert checked["problem"]["code"] == "take-mixed"
        assert talk.ask(type="takeback", action="ask")["problem"]["code"] == "nothing-to-take-back"
        assert talk.ask(type="claim")["problem"]["code"] == "not-gone"
        assert talk.ask(type="rematch", action="offer")["problem"]["code"] == "not-finished"
        assert talk.ask(type="leave")["type"] == "accepted"
        assert talk.ask(type="resign")["type"] == "accepted"
        (finish,) = [said for said in talk.heard if said["type"] == "gameFinish"]
        assert finish["result"]["reason"] == "resign"
        assert talk.ask(type="rematch", action="offer")["type"] == "accepted"


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", "{}", '{"type":"fly","id":"x"}', '{"type":"move","id":"x"}', "1" * 4000],
)
def test_what_cannot_be_read_is_answered(here: Here, text: str) -> None:
    table, keys = here.duel()
    with here.socket(table, keys[0]) as talk:
        talk.hear("gameFull")
        talk.ws.send(text)
        refused = talk.hear("refused")
        assert refused["problem"]["code"] == "bad-message"
        assert talk.ask(type="ping")["type"] == "pong"


@pytest.mark.parametrize("text", ["x" * 5000, b"binary"])
def test_what_is_too_long_or_no_text_ends_the_talk(here: Here, text: str | bytes) -> None:
    table, keys = here.duel()
    with here.socket(table, keys[0]) as talk:
        talk.hear("gameFull")
        talk.ws.send(text)
        with pytest.raises(ConnectionClosed):
            talk.hear_out()


def test_a_flood_ends_the_talk_and_nobody_else_s(tmp_path: Any) -> None:
    with serving(tmp_path / "t.db", requests_per_s=20.0) as here:
        table, keys = here.duel()
        with here.socket(table, keys[0]) as flood, here.socket(table, keys[1]) as calm:
            calm.hear("gameFull")
            with contextlib.suppress(ConnectionClosed):
                for _ in range(5000):
                    flood.say(type="ping", id="x")
            with pytest.raises(ConnectionClosed):
                flood.hear_out()
            assert calm.ask(type="ping")["type"] == "pong"


def from_origin(origin: str, address: str) -> Any:
    return connect(address, additional_headers={"Origin": origin})


def test_a_foreign_page_may_not_open_a_socket(here: Here) -> None:
    table, _ = here.duel()
    for path in (f"tables/{table}/socket", "lobby"):
        address = f"ws://127.0.0.1:{here.port}/api/{path}"
        with pytest.raises(InvalidStatus) as refused, from_origin("https://evil.example", address):
            pass
        assert refused.value.response.status_code == 403
        own = f"http://127.0.0.1:{here.port}"
        with from_origin(own, address):
            pass


def test_silence_instead_of_hello_is_not_waited_for_forever(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cabochon.server.web.sockets.HELLO_SECONDS", 0.2)
    table, _ = here.duel()
    with Talk(here.port, table) as talk:
        assert talk.hear("refused")["problem"]["code"] == "bad-message"


def test_presence_is_told(here: Here) -> None:
    table, keys = here.strangers()
    with here.socket(table, keys[0]) as ada:
        ada.hear("gameFull")
        with here.socket(table, keys[1]) as bo:
            bo.hear("gameFull")
            said = ada.hear("presence")
            while not (said["seat"] == 1 and said["here"]):
                said = ada.hear("presence")
        said = ada.hear("presence")
        assert (said["seat"], said["here"]) == (1, False)
        assert 100 < said["claim_in_s"] <= 120


def test_cut_at_every_ply_the_client_ends_up_the_same(here: Here) -> None:
    table, keys = here.strangers(variant="quick")
    uncut: dict[str, Client] = {}
    cut: dict[str, Client] = {name: Client() for name in ("seat0", "seat1", "watcher")}
    held: dict[str, list[str]] = {"seat0": [keys[0]], "seat1": [keys[1]], "watcher": []}
    for name, own in held.items():
        with here.socket(table, *own, facts=True) as talk:
            cut[name].hear(talk.hear("gameFull"))
    lasting = {name: here.socket(table, *own, facts=True) for name, own in held.items()}
    for name in held:
        uncut[name] = Client()
        uncut[name].hear(lasting[name].hear("gameFull"))
    ply = 0
    while uncut["watcher"].state["result"] is None:
        seat = uncut["watcher"].state["view"]["seat"]
        legal = [entry["move"] for entry in uncut[f"seat{seat}"].state["legal"]]
        buys = [text for text in legal if text.startswith("buy")]
        text = buys[-1] if buys else legal[ply % len(legal)]
        version = uncut["watcher"].state["version"]
        here.post(f"/tables/{table}/move", {"moves": [text], "version": version}, keys[seat])
        for name, talk in lasting.items():
            message = talk.hear("gameState")
            uncut[name].hear(message)
            if message["status"] == "finished":
                uncut[name].hear(talk.hear("gameFinish"))
        for name, own in held.items():
            with here.socket(table, *own, facts=True, since=cut[name].seq) as again:
                while cut[name].seq < uncut[name].seq:
                    cut[name].hear(again.next())
            assert still(cut[name]) == still(uncut[name]), (name, ply)
        ply += 1
    assert ply > 20
    for talk in lasting.values():
        talk.close()


def still(client: Client) -> Any:
    """The state without who happens to be connected."""
    state = json.loads(json.dumps(client.state))
    for chair in state["table"]["chairs"]:
        del chair["here"]
    return state


def test_a_client_that_is_ahead_or_far_behind_gets_everything(here: Here) -> None:
    table, keys = here.duel()
    assert here.full(table, keys[0], since=99)["type"] == "gameFull"
    assert here.full(table, keys[0], since=0)["type"] == "gameFull"


def test_who_gave_a_seat_up_is_told_no_more(here: Here) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}, {"kind": "open"}]
    made = here.post("/tables", {"seats": 3, "chairs": chairs, "seat_order": "fixed"})
    table, codes = made["table"]["id"], [invite["code"] for invite in made["invites"]]
    former = here.post(f"/tables/{table}/join", {"name": "Bo", "code": codes[0]})["key"]
    with here.socket(table, former) as talk:
        talk.hear("gameFull")
        here.post(f"/tables/{table}/leave", {}, former)
        for name, code in zip(("Cy", "Di"), codes, strict=True):
            here.post(f"/tables/{table}/join", {"name": name, "code": code})
        with pytest.raises(ConnectionClosed):
            talk.hear_out()
        assert "gameFull" not in [said["type"] for said in talk.heard[1:]]
    full = here.full(table, former)
    assert (full["you"], full["seats_held"]) == (None, [])


def test_the_lobby_hears_of_tables(here: Here) -> None:
    with connect(f"ws://127.0.0.1:{here.port}/api/lobby") as lobby:
        first = table_news(lobby)
        assert first["type"] == "lobbyFull"
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        made = here.post("/tables", {"chairs": chairs})
        change = table_news(lobby)
        assert change["type"] == "lobbyChange"
        assert change["table"]["id"] == made["table"]["id"]
        table, code = made["table"]["id"], made["invites"][0]["code"]
        with here.socket(table, made["keys"][0]["key"]) as talk:
            talk.hear("gameFull")
            (seat,) = [entry["seat"] for entry in made["keys"]]
            assert table_news(lobby)["table"]["chairs"][seat]["here"]
            listed = {info["id"]: info for info in here.get("/tables?state=open")["tables"]}
            assert listed[table]["chairs"][seat]["here"]
        assert not table_news(lobby)["table"]["chairs"][seat]["here"]
        here.post(f"/tables/{table}/join", {"name": "Bo", "code": code})
        assert table_news(lobby)["table"]["state"] == "running"
