"""Among friends: free text that all agreed to, and open chairs that the host gives to bots."""

from __future__ import annotations

from typing import Any

import pytest

from tests.server.serving import Here


def friends(here: Here) -> tuple[str, list[str]]:
    return here.strangers(listed=False)


def agree(here: Here, table: str, *keys: str) -> None:
    for key in keys:
        here.post(f"/tables/{table}/texting", {"on": True}, key)


def code_of(here: Here, path: str, body: dict[str, Any], key: str) -> str:
    response = here.try_post(path, body, key)
    assert response.is_error, response.text
    code: str = response.json()["code"]
    return code


def test_texts_reach_the_people_and_nobody_else(here: Here) -> None:
    table, keys = friends(here)
    agree(here, table, *keys)
    with here.socket(table, keys[1]) as bo, here.socket(table) as watcher:
        bo.hear("gameFull")
        assert watcher.hear("gameFull")["table"]["texting"] == [0, 1]
        here.post(f"/tables/{table}/chat", {"text": " Nice  one "}, keys[0])
        line = bo.hear("chatLine")
        assert (line["seat"], line["phrase"], line["text"]) == (0, "", "Nice one")
        here.post(f"/tables/{table}/chat", {"phrase": "hello"}, keys[0])
        assert watcher.hear("chatLine")["phrase"] == "hello"
    assert [entry["phrase"] for entry in here.full(table)["chat"]] == ["hello"]
    assert here.full(table, keys[1])["chat"][0]["text"] == "Nice one"
    assert "Nice one" not in here.try_get(f"/tables/{table}/record", keys[0]).text


def test_who_comes_back_hears_the_texts_that_were_missed(here: Here) -> None:
    table, keys = friends(here)
    agree(here, table, *keys)
    since = here.full(table, keys[1])["seq"]
    here.post(f"/tables/{table}/chat", {"text": "are you there?"}, keys[0])
    with here.socket(table, keys[1], since=since) as bo:
        assert bo.hear("chatLine")["text"] == "are you there?"
    with here.socket(table, since=since) as watcher:
        watcher.say(type="ping", id="p")
        watcher.hear("pong")
        assert not any("text" in message for message in watcher.heard)


def test_one_alone_does_not_make_it_so(here: Here) -> None:
    table, keys = friends(here)
    agree(here, table, keys[0])
    chat = f"/tables/{table}/chat"
    assert code_of(here, chat, {"text": "hi"}, keys[0]) == "text-not-agreed"
    agree(here, table, keys[1])
    here.post(chat, {"text": "hi"}, keys[0])
    here.post(f"/tables/{table}/texting", {"on": False}, keys[1])
    assert code_of(here, chat, {"text": "hi"}, keys[0]) == "text-not-agreed"


def test_never_at_a_listed_table(here: Here) -> None:
    table, keys = here.strangers()
    assert "texting" not in here.get(f"/tables/{table}")
    assert code_of(here, f"/tables/{table}/texting", {"on": True}, keys[0]) == "text-off"
    assert code_of(here, f"/tables/{table}/chat", {"text": "hi"}, keys[0]) == "text-off"


@pytest.mark.parametrize("body", [{}, {"phrase": "hello", "text": "hi"}, {"text": ""}])
def test_one_thing_is_said_at_a_time(here: Here, body: dict[str, str]) -> None:
    table, keys = friends(here)
    assert code_of(here, f"/tables/{table}/chat", body, keys[0]) == "bad-request"


def test_texts_with_control_characters_are_refused(here: Here) -> None:
    table, keys = friends(here)
    agree(here, table, *keys)
    chat = f"/tables/{table}/chat"
    assert code_of(here, chat, {"text": "\x1b[2J"}, keys[0]) == "text-unseen"
    assert code_of(here, chat, {"text": "x" * 201}, keys[0]) == "text-unseen"


def made(here: Here, seats: int = 3) -> Any:
    chairs = [{"kind": "me", "name": "Ada"}, *[{"kind": "open"}] * (seats - 1)]
    return here.post(
        "/tables", {"chairs": chairs, "seats": seats, "listed": False, "seat_order": "fixed"}
    )


def test_the_host_fills_up_and_the_bots_begin_to_play(here: Here) -> None:
    table = made(here)
    name, key = table["table"]["id"], table["keys"][0]["key"]
    with here.socket(name, key) as ada:
        ada.hear("gameFull")
        assert ada.ask(type="fill", bot="uniform", chair=2)["type"] == "accepted"
        kinds = [chair["kind"] for chair in here.get(f"/tables/{name}")["chairs"]]
        assert kinds == ["human", "open", "bot"]
        assert ada.ask(type="fill", bot="uniform")["type"] == "accepted"
        started = here.full(name, key)
        assert started["status"] == "running"
        moved = ada.ask(type="move", version=started["version"], moves=["take wug"])
        assert moved["type"] == "accepted"
        while not ada.hear("gameState")["legal"]:
            pass
    code = table["invites"][0]["code"]
    joining = here.try_post(f"/tables/{name}/join", {"name": "Bo", "code": code})
    assert joining.json()["code"] == "bad-code"


def test_a_bot_is_sent_away_and_somebody_comes_by_the_old_invitation(here: Here) -> None:
    table = made(here)
    name, key = table["table"]["id"], table["keys"][0]["key"]
    fill, code = f"/tables/{name}/fill", table["invites"][0]["code"]
    here.post(fill, {"bot": "quartz", "chair": 1}, key)
    here.post(fill, {"bot": None, "chair": 1}, key)
    chairs = here.get(f"/tables/{name}")["chairs"]
    assert [(chair["kind"], chair["bot"]) for chair in chairs[1:]] == [("open", None)] * 2
    guest = here.post(f"/tables/{name}/join", {"name": "Bo", "code": code})["key"]
    assert code_of(here, fill, {"bot": None, "chair": 1}, key) == "no-bot-there"
    assert code_of(here, fill, {"bot": None, "chair": 2}, key) == "no-bot-there"
    assert code_of(here, fill, {"bot": None}, key) == "no-bot-there"
    assert code_of(here, fill, {"bot": None, "chair": 2}, guest) == "not-host"


def test_a_guest_may_not_fill_and_nobody_an_unknown_bot(here: Here) -> None:
    table = made(here)
    name, host = table["table"]["id"], table["keys"][0]["key"]
    code = table["invites"][0]["code"]
    guest = here.post(f"/tables/{name}/join", {"name": "Bo", "code": code})["key"]
    fill = f"/tables/{name}/fill"
    assert code_of(here, fill, {"bot": "quartz"}, guest) == "not-host"
    assert code_of(here, fill, {"bot": "hal"}, host) == "unknown-bot"
    assert code_of(here, fill, {"bot": "quartz", "chair": 1}, host) == "seat-taken"


def test_a_table_that_asks_for_every_takeback(here: Here) -> None:
    table, keys = here.strangers(takeback_asks=True)
    assert here.get(f"/tables/{table}")["takeback_asks"] is True
    here.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 2}, keys[0])
    with here.socket(table, keys[1]) as bo:
        bo.hear("gameFull")
        here.post(f"/tables/{table}/takeback", {"action": "ask"}, keys[0])
        assert bo.hear("takeback")["takeback"]["waiting"] == [1]
        here.post(f"/tables/{table}/takeback", {"action": "agree"}, keys[1])
        (line,) = bo.hear("gameState")["log"]
    assert (line["kind"], line["rule"]) == ("takeback", "agreed")
