"""NDJSON streams: the same messages as lines."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from cabochon.server.tasks import KEEP_ALIVE_S
from tests.server.serving import Here


@contextmanager
def lines(here: Here, path: str, key: str | None = None) -> Iterator[Iterator[str]]:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    with here.http.stream("GET", f"/api{path}", headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/x-ndjson"
        yield _in_time(response.iter_lines())


def _in_time(stream: Iterator[str], seconds: float = 30) -> Iterator[str]:
    """The lines, the empty ones too; a stream that goes on for longer than a test may fails it."""
    until = time.monotonic() + seconds
    for line in stream:
        assert time.monotonic() < until, "the stream has neither said what it should nor ended"
        yield line


def next_of(stream: Iterator[str], kind: str) -> Any:
    for line in stream:
        if line and json.loads(line)["type"] == kind:
            return json.loads(line)
    raise AssertionError(f"the stream ended without {kind}")


def test_a_stream_begins_with_everything_and_ends_with_the_game(here: Here) -> None:
    table, keys = here.strangers()
    with lines(here, f"/tables/{table}/stream?facts=1", keys[0]) as stream:
        full = next_of(stream, "gameFull")
        assert full["you"] == 0
        assert full["facts"]
        here.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 2}, keys[0])
        assert next_of(stream, "gameState")["events"] == ["take wug"]
        here.post(f"/tables/{table}/resign", {}, keys[1])
        assert next_of(stream, "gameFinish")["result"]["winners"] == [0]
        assert not [line for line in stream if line]


def test_a_stream_resumes(here: Here) -> None:
    table, keys = here.duel()
    for version, seat in ((1, 0), (2, 1), (3, 0)):
        body = {"moves": ["reserve deck1"], "version": version}
        here.post(f"/tables/{table}/move", body, keys[seat])
    with lines(here, f"/tables/{table}/stream?since=2", keys[1]) as stream:
        first, second = next_of(stream, "gameState"), next_of(stream, "gameState")
    assert (first["seq"], second["seq"]) == (3, 4)
    assert first["events"][1] != "deal ?"
    assert second["events"] == ["reserve deck1", "deal ?"]


def test_a_finished_game_is_told_once(here: Here) -> None:
    table, keys = here.duel()
    here.post(f"/tables/{table}/resign", {}, keys[0])
    with lines(here, f"/tables/{table}/stream") as stream:
        said = [json.loads(line) for line in stream if line]
    assert said[0]["type"] == "gameFull"
    assert said[0]["result"]["winners"] == [1]


def test_silence_is_broken_by_an_empty_line(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    assert KEEP_ALIVE_S == 7.0
    monkeypatch.setattr("cabochon.server.web.routes.streams.KEEP_ALIVE_S", 0.05)
    table, keys = here.duel()
    with lines(here, f"/tables/{table}/stream", keys[0]) as stream:
        next_of(stream, "gameFull")
        silent = 0
        for line in stream:
            silent += not line
            if silent == 3:
                break


def test_a_wrong_key_streams_as_a_watcher_where_anybody_may(here: Here) -> None:
    table, _ = here.duel()
    with lines(here, f"/tables/{table}/stream", "cab_s_wrong") as stream:
        assert next_of(stream, "gameFull")["seats_held"] == []
    table, _ = here.duel(watch="nobody")
    response = here.try_get(f"/tables/{table}/stream", "cab_s_wrong")
    assert (response.status_code, response.json()["code"]) == (403, "bad-key")
    response = here.try_get(f"/tables/{table}/stream", "cab_b_wrong")
    assert (response.status_code, response.json()["code"]) == (403, "bad-key")


def test_a_bot_with_a_token_hears_of_its_games(here: Here) -> None:
    token = here.post("/tokens", {"name": "Robo"})["token"]
    assert token.startswith("cab_b_")
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    with lines(here, "/stream/event", token) as events:
        made = here.post("/tables", {"chairs": chairs, "seat_order": "fixed"})
        table, code = made["table"]["id"], made["invites"][0]["code"]
        joined = here.post(f"/tables/{table}/join", {"name": "x", "code": code}, token)
        assert joined["key"] is None
        assert joined["table"]["chairs"][1]["kind"] == "bot"
        assert joined["table"]["chairs"][1]["name"] == "Robo"
        start = next_of(events, "gameStart")
        assert start["table"]["id"] == table
        assert start["seats"] == [1]
        here.post(
            f"/tables/{table}/move", {"moves": ["take wug"], "version": 2}, made["keys"][0]["key"]
        )
        here.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 3}, token)
        here.post(f"/tables/{table}/resign", {}, token)
        assert next_of(events, "gameFinish")["table"]["id"] == table
        here.post(f"/tables/{table}/rematch", {"action": "offer"}, made["keys"][0]["key"])
        again = here.post(f"/tables/{table}/rematch", {"action": "accept"}, token)["table"]
        assert next_of(events, "gameStart")["table"]["id"] == again
    with lines(here, "/stream/event", token) as events:
        assert next_of(events, "gameStart")["table"]["id"] == again


def test_a_new_event_stream_closes_the_older_and_tells_running_games(here: Here) -> None:
    token = here.post("/tokens", {"name": "Robo"})["token"]
    chairs = [{"kind": "me", "name": "x"}, {"kind": "bot", "bot": "greedy"}]
    made = here.post("/tables", {"chairs": chairs}, token)
    assert made["keys"] == []
    with lines(here, "/stream/event", token) as older:
        assert next_of(older, "gameStart")["table"]["id"] == made["table"]["id"]
        with lines(here, "/stream/event", token) as newer:
            assert next_of(newer, "gameStart")["table"]["id"] == made["table"]["id"]
            assert not [line for line in older if line]


def test_scopes_are_kept_to(here: Here) -> None:
    token = here.post("/tokens", {"name": "Watcher", "scopes": ["table:join"]})["token"]
    chairs = [{"kind": "me", "name": "x"}, {"kind": "bot", "bot": "greedy"}]
    response = here.try_post("/tables", {"chairs": chairs}, token)
    assert (response.status_code, response.json()["code"]) == (403, "scope-needed")
    made = here.post("/tables", {"chairs": [chairs[0], {"kind": "open"}]})
    table = made["table"]["id"]
    here.post(f"/tables/{table}/join", {"name": "x"}, token)
    response = here.try_post(f"/tables/{table}/chat", {"phrase": "hello"}, token)
    assert response.json()["params"] == {"scope": "table:play"}


def test_a_token_that_was_never_given_is_refused(here: Here) -> None:
    assert here.try_get("/stream/event", "cab_b_nothing").status_code == 403
    assert here.try_get("/stream/event").status_code == 401
    assert httpx.get(f"{here.base}/api/stream/event", auth=("a", "b")).status_code == 403
