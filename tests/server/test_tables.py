"""Making, finding and joining tables over HTTP."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from cabochon.rules import seating
from tests.server.serving import Here

ME: Any = {"kind": "me", "name": "Ada"}
OPEN: Any = {"kind": "open"}
BOT: Any = {"kind": "bot", "bot": "greedy"}


def test_a_game_against_a_bot_in_one_call(here: Here) -> None:
    made = here.post("/tables", {"chairs": [ME, BOT]})
    table = made["table"]
    assert table["state"] == "running"
    assert sorted(chair["kind"] for chair in table["chairs"]) == ["bot", "human"]
    assert made["keys"][0]["key"].startswith("cab_s_")
    assert len(made["keys"][0]["key"]) > 6 + 40
    assert made["invites"] == []
    assert len(table["commitment"]) == 64


def test_one_link_for_each_open_seat(here: Here) -> None:
    made = here.post("/tables", {"seats": 4, "chairs": [ME, OPEN, OPEN, BOT]})
    assert made["table"]["state"] == "open"
    codes = {invite["code"] for invite in made["invites"]}
    assert len(codes) == 2
    for invite in made["invites"]:
        assert invite["url"] == f"/join/{invite['code']}"
        assert here.get(f"/invites/{invite['code']}")["seat"] == invite["seat"]


def test_joining_by_link_starts_the_game_when_all_are_there(here: Here) -> None:
    made = here.post("/tables", {"seats": 3, "chairs": [ME, OPEN, OPEN], "listed": False})
    table = made["table"]["id"]
    for index, invite in enumerate(made["invites"]):
        joined = here.post(f"/tables/{table}/join", {"name": f"P{index}", "code": invite["code"]})
        assert joined["seat"] == invite["seat"]
        assert joined["key"].startswith("cab_s_")
    assert here.get(f"/tables/{table}")["state"] == "running"


def test_a_join_whose_answer_was_lost_can_be_repeated(here: Here) -> None:
    made = here.post("/tables", {"seats": 3, "chairs": [ME, OPEN, OPEN]})
    path, code = f"/tables/{made['table']['id']}/join", made["invites"][0]["code"]
    asked = {"name": "Bo", "code": code, "key": "cab_s_" + "x" * 43}
    first = here.post(path, asked)
    assert here.post(path, asked) == first
    assert first["key"] == asked["key"]
    assert here.try_post(path, {**asked, "key": "cab_s_guess"}).status_code == 422
    assert here.try_post(path, {**asked, "key": "cab_s_" + "y" * 43}).status_code == 409


def test_a_used_link_says_that_the_seat_is_taken(here: Here) -> None:
    made = here.post("/tables", {"seats": 3, "chairs": [ME, OPEN, OPEN]})
    table, code = made["table"]["id"], made["invites"][0]["code"]
    here.post(f"/tables/{table}/join", {"name": "Bo", "code": code})
    for response in (
        here.try_post(f"/tables/{table}/join", {"name": "Cy", "code": code}),
        here.try_get(f"/invites/{code}"),
    ):
        assert response.status_code == 409
        assert response.json()["code"] == "seat-taken"


def test_an_unlisted_table_is_joined_by_link_only(here: Here) -> None:
    made = here.post("/tables", {"chairs": [ME, OPEN], "listed": False})
    table = made["table"]["id"]
    response = here.try_post(f"/tables/{table}/join", {"name": "Bo"})
    assert (response.status_code, response.json()["code"]) == (403, "code-needed")
    response = here.try_post(f"/tables/{table}/join", {"name": "Bo", "code": f"{table}-wrong"})
    assert (response.status_code, response.json()["code"]) == (403, "bad-code")
    listed = {entry["id"] for entry in here.get("/tables?limit=100")["tables"]}
    assert table not in listed


def test_two_race_for_a_seat_and_exactly_one_gets_it(here: Here) -> None:
    for _ in range(5):
        made = here.post("/tables", {"seats": 3, "chairs": [ME, OPEN, OPEN]})
        path = f"/tables/{made['table']['id']}/join"
        answers: list[int] = []
        barrier = threading.Barrier(8)

        def run(name: str, path: str = path, barrier: Any = barrier, to: Any = answers) -> None:
            barrier.wait()
            to.append(here.try_post(path, {"name": name, "seat": 1}).status_code)

        threads = [threading.Thread(target=run, args=(f"P{n}",)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seat_one = made["table"]["chairs"][1]["kind"]
        winners = 0 if seat_one == "human" else 1
        assert sorted(answers) == [200] * winners + [409] * (8 - winners)


def test_the_lobby_filters_and_pages(here: Here) -> None:
    ids = [
        here.post("/tables", {"variant": "quick", "seats": 3, "chairs": [ME, OPEN, OPEN]})["table"][
            "id"
        ]
        for _ in range(5)
    ]
    page = here.get("/tables?state=open&variant=quick&seats=3&limit=3")
    assert [entry["id"] for entry in page["tables"]] == ids[:1:-1]
    rest = here.get(f"/tables?state=open&variant=quick&seats=3&limit=3&cursor={page['cursor']}")
    assert [entry["id"] for entry in rest["tables"]] == ids[1::-1]
    assert rest["cursor"] is None
    assert here.get("/tables?state=finished&variant=quick")["tables"] == []


def test_seats_are_drawn_from_the_committed_seed(here: Here) -> None:
    made = here.post("/tables", {"chairs": [ME, {"kind": "local", "name": "Bo"}]})
    table, keys = made["table"]["id"], [entry["key"] for entry in made["keys"]]
    here.post(f"/tables/{table}/resign", {"seat": 0}, keys[0])
    record = here.get(f"/tables/{table}/record", accept="application/json")
    order = seating(record["seed"], 2)
    names = [["Ada", "Bo"][index] for index in order]
    assert [chair["name"] for chair in made["table"]["chairs"]] == names


def test_fixed_order_is_kept(here: Here) -> None:
    for _ in range(4):
        made = here.post("/tables", {"chairs": [BOT, ME], "seat_order": "fixed"})
        assert [chair["kind"] for chair in made["table"]["chairs"]] == ["bot", "human"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"chairs": [ME]}, "bad-request"),
        ({"chairs": [ME, BOT], "seats": 3}, "chairs-count"),
        ({"chairs": [ME, OPEN], "variant": "cities"}, "cities-not-supported"),
        ({"chairs": [ME, OPEN], "variant": "chess"}, "unknown-variant"),
        ({"chairs": [ME, OPEN], "variant": "teams"}, "teams-need-four"),
        ({"chairs": [ME, {"kind": "bot", "bot": "../../etc/passwd"}]}, "unknown-bot"),
        ({"chairs": [ME, OPEN], "seats": 5}, "bad-request"),
        ({"chairs": [ME, OPEN], "surprise": 1}, "bad-request"),
        ({"chairs": [{"kind": "me", "name": ""}, OPEN]}, "bad-request"),
        ({"chairs": [{"kind": "me", "name": "a\x00b"}, OPEN]}, "bad-request"),
        ({"chairs": [ME, OPEN], "clock": {"kind": "days", "days": 99}}, "bad-request"),
    ],
)
def test_what_cannot_be_made_is_refused_by_code(here: Here, asked: Any, code: str) -> None:
    response = here.try_post("/tables", asked)
    assert response.status_code == 422
    problem = response.json()
    assert problem["code"] == code
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["sentence"]["en"]
    assert problem["sentence"]["zh"]


def test_an_unknown_table_is_not_found(here: Here) -> None:
    response = here.try_get("/tables/nosuchtable", accept_language="zh-CN,zh;q=0.9")
    assert response.status_code == 404
    assert response.json()["detail"] == response.json()["sentence"]["zh"]


def test_a_join_of_a_full_table_is_told(here: Here) -> None:
    table, _ = here.duel()
    response = here.try_post(f"/tables/{table}/join", {"name": "Cy"})
    assert (response.status_code, response.json()["code"]) == (409, "table-full")


def test_leaving_before_the_start_frees_the_seat(here: Here) -> None:
    made = here.post("/tables", {"seats": 3, "chairs": [ME, OPEN, OPEN]})
    table, code = made["table"]["id"], made["invites"][0]["code"]
    joined = here.post(f"/tables/{table}/join", {"name": "Bo", "code": code})
    here.post(f"/tables/{table}/leave", {}, joined["key"])
    again = here.post(f"/tables/{table}/join", {"name": "Cy", "code": code})
    assert again["seat"] == joined["seat"]
    response = here.try_post(f"/tables/{table}/chat", {"phrase": "hello"}, joined["key"])
    assert response.status_code == 403


def test_a_page_can_ask_which_seats_keys_play(here: Here) -> None:
    table, keys = here.strangers()
    _, foreign = here.strangers()
    token = here.post("/tokens", {"name": "Nosy"})["token"]
    asked = [keys[1], "cab_s_planted", foreign[0], token, keys[0]]
    answer = here.post(f"/tables/{table}/keys", {"keys": asked})
    assert answer["seats"] == [1, None, None, None, 0]
    assert answer["table"]["chairs"][1]["name"] == "Bo"
    assert here.try_post(f"/tables/{table}/keys", {"keys": ["x"] * 9}).status_code == 422
    assert here.try_post("/tables/nosuchtable/keys", {"keys": ["x"]}).status_code == 404
