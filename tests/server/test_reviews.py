"""Reviews over HTTP: asked for, streamed, kept, limited, and made by themselves."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import orjson
import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import TypeAdapter

from cabochon.notation import parse_record
from cabochon.notation.recordjson import record_to_json
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.review import review
from cabochon.review.reviewjson import review_to_json
from cabochon.server.reviews import reviewdesk
from cabochon.server.reviews.reviewdesk import ReviewDesk, wish_for, wish_of
from cabochon.server.reviews.reviewmessages import ReviewJson, StudioLine
from cabochon.server.storage.reviewqueue import Queued, ReviewAsker, ReviewQueue
from cabochon.server.storage.sqlstore import SqlStore
from tests.play.sittings import opening, people
from tests.server.reviewing import (
    game_text,
    look,
    play_something,
    position_text,
    resigned,
    until_done,
    until_turns,
)
from tests.server.serving import Here, serving

GAME = game_text()


@pytest.fixture(scope="module")
def reviewing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder: Path = tmp_path_factory.mktemp("reviews")
    with serving(folder / "tables.db", review_workers=1, quick_reviews=True) as here:
        yield here


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    """Nobody works on the reviews here."""
    folder: Path = tmp_path_factory.mktemp("idle")
    with serving(
        folder / "tables.db", most_reviews_per_person=2, most_reviews_per_address=6
    ) as here:
        yield here


def played(table: Table, decisions: int) -> Table:
    """Further by so many decisions at most, chosen at random."""
    chance = Random(decisions)
    for _ in range(decisions):
        if table.to_act is not None and table.position is not None:
            move = chance.choice(table.position.legal_moves())
            table = table.submit(table.to_act, table.version, (move,), 1).table
    return table


@pytest.mark.parametrize("decisions", [3, 4, 31, 400])
def test_a_game_played_here_is_reviewed_as_its_record_would_be(decisions: int) -> None:
    """Though it isn't played once more: whole, broken off in a turn, or begun in the middle."""
    table = played(Table.open("table00001", opening(*people(2))), decisions)
    assert wish_of(table, "quick", "own") == wish_for(record_of(table), "quick", "own")
    start = played(Table.open("table00001", opening(*people(2))), 17).position
    later = played(Table.open("table2", replace(opening(*people(2)), position=start)), decisions)
    assert wish_of(later, "quick", "own") == wish_for(record_of(later), "quick", "own")


def test_when_the_queue_is_full_not_every_game_that_ends_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[ReviewAsker] = []
    queued = ReviewQueue.queued

    async def noted(queue: ReviewQueue, asker: ReviewAsker) -> Queued:
        asked.append(asker)
        return await queued(queue, asker)

    monkeypatch.setattr(ReviewQueue, "queued", noted)
    monkeypatch.setattr(reviewdesk, "FULL_S", 600.0)
    with serving(tmp_path / "t.db", quick_reviews=True, most_reviews_waiting=0) as here:
        resigned(here)
        until(lambda: len(asked) == 1)
        resigned(here)
        time.sleep(0.5)
    assert len(asked) == 1


def test_a_game_that_ends_in_a_crowd_of_moves_is_reviewed_once_it_is_calm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crowd = [True]
    asked: list[ReviewAsker] = []
    queued = ReviewQueue.queued

    async def noted(queue: ReviewQueue, asker: ReviewAsker) -> Queued:
        asked.append(asker)
        return await queued(queue, asker)

    monkeypatch.setattr(ReviewQueue, "queued", noted)
    monkeypatch.setattr(SqlStore, "is_crowded", property(lambda _: crowd[0]))
    monkeypatch.setattr(reviewdesk, "MOST_HELD_BACK", 2)
    with serving(tmp_path / "t.db", quick_reviews=True, review_workers=1) as here:
        for _ in range(5):  # the first is waited with, two are held back, two are too many
            resigned(here)
        time.sleep(1.0)
        assert asked == []
        crowd[0] = False
        until(lambda: len(asked) == 3)
        time.sleep(0.5)
        assert len(asked) == 3


def test_nobody_waits_for_ever_because_of_a_crowd(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SqlStore, "is_crowded", property(lambda _: True))
    monkeypatch.setattr(reviewdesk, "CROWD_WAIT_S", 0.5)
    news: list[str] = []
    monkeypatch.setattr(ReviewDesk, "_tell_table", lambda desk, table, *_: news.append(table))
    with serving(tmp_path / "t.db", quick_reviews=True, review_workers=1) as here:
        resigned(here)
        until(lambda: bool(news))


def until(true: Callable[[], bool]) -> None:
    for _ in range(200):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("not in ten seconds")


def without_texts(told: Any) -> Any:
    """A review as the library writes it: the server adds a sentence to each reason."""
    if isinstance(told, dict):
        return {key: without_texts(value) for key, value in told.items() if key != "text"}
    return [without_texts(value) for value in told] if isinstance(told, list) else told


def test_a_record_from_outside_is_reviewed_as_by_the_library_and_kept(reviewing: Here) -> None:
    asked = reviewing.try_post("/reviews", {"record": GAME})
    assert asked.status_code == 202
    state = asked.json()
    assert state["state"] in ("waiting", "working")
    done = until_done(reviewing, state["id"])
    record = parse_record(GAME)
    assert without_texts(done["review"]) == json.loads(
        json.dumps(review_to_json(review(record, 400)))
    )
    adapter: TypeAdapter[Any] = TypeAdapter(ReviewJson)
    adapter.validate_python(done["review"])
    again = reviewing.try_post("/reviews", {"record": GAME})
    assert again.status_code == 200
    assert again.json() == done
    assert done["done"] == done["of"] == len(done["review"]["turns"])


def test_json_of_a_record_is_the_same_wish_as_its_text(reviewing: Here) -> None:
    value = json.loads(json.dumps(record_to_json(parse_record(GAME))))
    ids = {
        reviewing.post("/reviews", {"record": said})["id"]
        for said in (GAME, value, json.dumps(value))
    }
    assert len(ids) == 1


def test_the_stream_tells_every_turn_as_it_is_judged_and_then_the_whole(reviewing: Here) -> None:
    text = game_text("streamed")
    asked = reviewing.post("/reviews", {"record": text})
    lines = []
    with reviewing.http.stream("GET", f"/api/reviews/{asked['id']}/stream", timeout=60) as response:
        assert response.headers["content-type"].startswith("application/x-ndjson")
        lines = [json.loads(line) for line in response.iter_lines() if line]
    adapter: TypeAdapter[Any] = TypeAdapter(StudioLine)
    for line in lines:
        adapter.validate_python(line)
    kinds = [line["type"] for line in lines]
    assert kinds[-1] == "reviewDone"
    assert kinds.count("reviewDone") == 1
    whole = lines[-1]["review"]
    told = [line["turn"] for line in lines if line["type"] == "reviewTurn"]
    assert told == whole["turns"][: len(told)]
    heads = [line["head"] for line in lines if line["type"] == "reviewHead"]
    for head in heads:
        assert head.items() <= whole.items()
    seen = [line["done"] for line in lines if line["type"] == "reviewState"]
    assert seen == sorted(seen)


def test_a_stream_of_what_is_done_is_one_line(reviewing: Here) -> None:
    asked = reviewing.post("/reviews", {"record": GAME})
    until_done(reviewing, asked["id"])
    with reviewing.http.stream("GET", f"/api/reviews/{asked['id']}/stream?since=3") as response:
        lines = [json.loads(line) for line in response.iter_lines() if line]
    assert [line["type"] for line in lines] == ["reviewDone"]


def test_a_game_of_people_is_reviewed_by_itself_and_the_table_is_told(reviewing: Here) -> None:
    table, keys = reviewing.duel()
    with reviewing.socket(table, keys[0]) as ada:
        ada.hear("gameFull")
        resigned_at = ada.heard[-1]["seq"]
        for _ in range(3):
            play_something(reviewing, table, keys)
        reviewing.post(f"/tables/{table}/resign", {"seat": 1}, keys[1])
        news = ada.hear("review", timeout=60)
        assert news["seq"] > resigned_at
        while news["state"] not in ("done", "failed"):
            news = ada.hear("review", timeout=60)
    assert news["state"] == "done"
    assert news["done"] == news["of"] > 0
    state = reviewing.get(f"/reviews/{news['id']}")
    assert state["review"]["players"] == ["Ada", "Bo"]
    assert state["review"]["engine"]["visits"] == 400
    asked = reviewing.try_post("/reviews", {"table": table})
    assert asked.status_code == 200
    assert asked.json()["id"] == news["id"]


def test_bots_among_themselves_are_not_reviewed(reviewing: Here) -> None:
    before = reviewing.http.get("/metrics").text
    chairs = [{"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "greedy"}]
    table = reviewing.post("/tables", {"chairs": chairs, "target": 1})["table"]["id"]
    with reviewing.socket(table) as watcher:
        full = watcher.hear("gameFull")
        if full["table"]["state"] != "finished":
            watcher.hear("gameFinish", timeout=60)
        watcher.say(type="ping", id="p")
        watcher.hear("pong", "refused")
    assert not [message for message in watcher.heard if message["type"] == "review"]
    assert "cabochon_reviews" in before


def test_a_running_table_is_not_reviewed(idle: Here) -> None:
    table, _ = idle.duel()
    refused = idle.try_post("/reviews", {"table": table})
    assert refused.status_code == 403
    assert refused.json()["code"] == "not-yet"


def test_a_private_table_s_review_is_only_for_those_who_may_look(idle: Here) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "local", "name": "Bo"}]
    made = idle.post("/tables", {"chairs": chairs, "watch": "nobody", "seat_order": "fixed"})
    table, keys = made["table"]["id"], [entry["key"] for entry in made["keys"]]
    for _ in range(2):
        play_something(idle, table, keys)
    idle.post(f"/tables/{table}/resign", {"seat": 1}, keys[1])
    assert idle.try_post("/reviews", {"table": table}).json()["code"] == "not-for-watchers"
    assert idle.try_post("/reviews", {"table": table}, keys[0]).status_code == 202


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "bad-request"),
        ({"table": "nowhere2", "record": "x"}, 422, "bad-request"),
        ({"table": "nowhere2"}, 404, "no-such-table"),
        ({"record": "no record at all"}, 422, None),
        ({"record": {"v": 1}}, 422, None),
        ({"record": GAME + "\n" + GAME}, 422, None),
        ({"record": GAME, "depth": "bottomless"}, 422, "bad-request"),
        ({"record": "x" * 200_000}, 422, "bad-request"),
        ({"record": "x" * 300_000}, 413, "too-large"),
    ],
)
def test_what_cannot_be_reviewed_is_a_clear_problem(
    body: Any, status: int, code: str | None, idle: Here
) -> None:
    answer = idle.try_post("/reviews", body)
    assert answer.status_code == status, answer.text
    problem = answer.json()
    assert code is None or problem["code"] == code
    assert problem["sentence"]["en"]
    assert problem["sentence"]["zh"]


def test_a_long_body_that_arrives_in_one_piece_is_answered(idle: Here) -> None:
    """Its head has an end, however much comes with it."""
    body = json.dumps({"record": "x" * 60_000}).encode()
    head = (
        f"POST /api/reviews HTTP/1.1\r\nHost: 127.0.0.1:{idle.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", idle.port), timeout=10) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**20)
            connection.sendall(head + body)
            assert connection.recv(12) == b"HTTP/1.1 422"


def test_a_game_without_a_finished_turn_has_nothing_to_review(idle: Here) -> None:
    head, _, _ = GAME.partition("\n1")
    assert idle.try_post("/reviews", {"record": head + "\n"}).json()["code"] == "nothing-to-review"


def test_somebody_may_wait_for_so_many_and_no_more(idle: Here) -> None:
    codes = [
        idle.try_post("/reviews", {"record": game_text(f"limit {n}")}, key=f"person {p}")
        for p in range(3)
        for n in range(3 * p, 3 * p + 3)
    ]
    said = [answer.json().get("code", "taken") for answer in codes]
    person, address = ["taken"] * 2 + ["too-many-reviews"], "too-many-reviews"
    assert said[:3] == person
    assert said[3:6] == person
    assert said[-1] == address
    refused = codes[2]
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    again = idle.try_post("/reviews", {"record": game_text("limit 0")}, key="person 0")
    assert again.status_code == 202, "what is waited for already is no further wish"


def test_no_review_of_that_name(idle: Here) -> None:
    for path in ("/reviews/" + "0" * 32, "/reviews/" + "0" * 32 + "/stream"):
        answer = idle.try_get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "no-such-review")


def test_the_numbers_say_how_many_wait_and_are_done(reviewing: Here) -> None:
    """Both servers of this module write into the same numbers, every five seconds."""
    until_done(reviewing, reviewing.post("/reviews", {"record": GAME})["id"])
    until = time.monotonic() + 20
    while (found := _numbers(reviewing))["done"] < 1:
        assert time.monotonic() < until
        time.sleep(0.2)
    assert set(found) == {"waiting", "working", "done", "failed"}


def _numbers(here: Here) -> dict[str, float]:
    families = text_string_to_metric_families(here.http.get("/metrics").text)
    return {
        sample.labels["state"]: sample.value
        for family in families
        if family.name == "cabochon_reviews"
        for sample in family.samples
    }


def test_a_judge_that_is_killed_is_replaced_and_nothing_shows(reviewing: Here) -> None:
    text = game_text("killed", variant="standard")
    asked = reviewing.post("/reviews", {"record": text, "depth": "deep"})
    state = until_turns(reviewing, asked["id"], 2)
    assert state["done"] < state["of"]
    worker = reviewing.app.state.reviews.workers[0]  # type: ignore[attr-defined]
    os.kill(worker.engine.pid, 9)
    done = until_done(reviewing, asked["id"])
    whole = json.loads(orjson.dumps(review_to_json(review(parse_record(text), 4000))))
    assert without_texts(done["review"]) == whole


def test_a_review_never_blocks_a_look(reviewing: Here) -> None:
    list(look(reviewing, position=position_text(), visits=10))
    asked = [
        reviewing.post("/reviews", {"record": game_text(seed, variant="standard"), "depth": "deep"})
        for seed in ("beside", "besides")
    ]
    until_turns(reviewing, asked[0]["id"], 1)
    lines = list(look(reviewing, position=position_text(), visits=300))
    assert lines[-1]["type"] == "analysisDone"
    assert reviewing.get(f"/reviews/{asked[1]['id']}")["state"] != "done"


def test_a_table_s_deep_review_is_another_one(reviewing: Here) -> None:
    table, keys = resigned(reviewing)
    quick = reviewing.post("/reviews", {"table": table}, keys[0])
    other = reviewing.post("/reviews", {"table": table, "knowledge": "all-cards"}, keys[0])
    assert quick["id"] != other["id"]
    done = until_done(reviewing, other["id"])
    assert done["review"]["engine"]["knowledge"] == "all-cards"
