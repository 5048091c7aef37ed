"""Everything a seat can do over HTTP."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.server.serving import Here


def move(here: Here, table: str, key: str, version: int, *moves: str, **headers: str) -> Any:
    return here.post(f"/tables/{table}/move", {"moves": moves, "version": version}, key, **headers)


def test_moves_are_durable_and_numbered(here: Here) -> None:
    table, keys = here.duel()
    assert move(here, table, keys[0], 1, "take wug") == {"ok": True, "version": 2, "seq": 2}
    assert move(here, table, keys[1], 2, "reserve deck1") == {"ok": True, "version": 3, "seq": 3}
    view = here.full(table, keys[0])["view"]
    assert view["turn"] == 2
    assert view["hands"][0]["tokens"] == [1, 1, 1, 0, 0, 0]
    assert view["hands"][1]["reserved"] == [{"level": 1}]


def test_the_path_form_of_a_move(here: Here) -> None:
    table, keys = here.duel()
    done = here.post(f"/tables/{table}/move/take%20wug?version=1", None, keys[0])
    assert done["version"] == 2


def test_a_stale_move_is_told_what_happened(here: Here) -> None:
    table, keys = here.duel()
    move(here, table, keys[0], 1, "reserve deck2")
    body = {"moves": ["take wug"], "version": 1}
    response = here.try_post(f"/tables/{table}/move", body, keys[1])
    problem = response.json()
    assert response.status_code == 409
    assert problem["code"] == "stale-version"
    assert problem["params"] == {"seen": 1, "version": 2}
    assert problem["since"]["version"] == 2
    assert problem["since"]["events"] == [{"seat": 0, "events": ["reserve deck2", "deal ?"]}]


def test_an_illegal_move_says_which_rule_in_the_asker_s_language(here: Here) -> None:
    table, keys = here.duel()
    body = {"moves": ["take www"], "version": 1}
    response = here.try_post(f"/tables/{table}/move?lang=zh", body, keys[0])
    problem = response.json()
    assert response.status_code == 422
    assert problem["code"] == "take-too-many"
    assert problem["detail"] == problem["sentence"]["zh"]
    assert problem["type"] == "/problems/take-too-many"
    assert here.full(table)["seq"] == 1


@pytest.mark.parametrize(
    ("text", "code"),
    [("fly away", "not-a-move"), ("buy 9z9", "unknown-card"), ("pass", "pass-not-forced")],
)
def test_every_refusal_has_its_code(here: Here, text: str, code: str) -> None:
    table, keys = here.duel()
    response = here.try_post(f"/tables/{table}/move", {"moves": [text], "version": 1}, keys[0])
    assert response.status_code == 422
    assert response.json()["code"] == code


def test_a_repeat_gets_the_same_answer(here: Here) -> None:
    table, keys = here.duel()
    first = move(here, table, keys[0], 1, "take wug", idempotency_key="k1")
    assert move(here, table, keys[0], 1, "take wug", idempotency_key="k1") == first
    move(here, table, keys[1], 2, "take wug", idempotency_key="k1")
    assert move(here, table, keys[0], 1, "take wug", idempotency_key="k1") == first
    assert here.full(table)["seq"] == 3


def test_a_repeat_of_a_refused_move_gets_the_same_refusal(here: Here) -> None:
    table, keys = here.duel()
    body = {"moves": ["take www"], "version": 1}
    first = here.try_post(f"/tables/{table}/move", body, keys[0], idempotency_key="k")
    move(here, table, keys[0], 1, "take wug")
    again = here.try_post(f"/tables/{table}/move", body, keys[0], idempotency_key="k")
    assert (again.status_code, again.json()) == (first.status_code, first.json())


def test_a_key_stands_for_one_thing(here: Here) -> None:
    table, keys = here.duel()
    move(here, table, keys[0], 1, "take wug", idempotency_key="k")
    body = {"moves": ["take urk"], "version": 2}
    response = here.try_post(f"/tables/{table}/move", body, keys[0], idempotency_key="k")
    assert (response.status_code, response.json()["code"]) == (422, "idempotency-key-reused")


def test_the_same_key_sent_ten_times_at_once_moves_once(here: Here) -> None:
    table, keys = here.duel()
    answers: list[Any] = []

    def send() -> None:
        answers.append(move(here, table, keys[0], 1, "take wug", idempotency_key="once"))

    threads = [threading.Thread(target=send) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [{"ok": True, "version": 2, "seq": 2}] * 10
    assert here.full(table)["seq"] == 2


def test_two_race_for_one_move_and_exactly_one_wins(here: Here) -> None:
    table, keys = here.duel()
    codes: list[int] = []

    def send(text: str) -> None:
        body = {"moves": [text], "version": 1}
        codes.append(here.try_post(f"/tables/{table}/move", body, keys[0]).status_code)

    threads = [threading.Thread(target=send, args=(t,)) for t in ("take wug", "take urk") * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [200] + [409] * 7


def test_without_a_key_nothing_moves(here: Here) -> None:
    table, keys = here.duel()
    other, others = here.duel()
    body = {"moves": ["take wug"], "version": 1}
    path = f"/tables/{table}/move"
    assert here.try_post(path, body).status_code == 401
    assert here.try_post(path, body, "cab_s_made-up").status_code == 403
    assert here.try_post(path, body, others[0]).status_code == 403
    assert here.try_post(path, {**body, "seat": 0}, keys[1]).status_code == 403
    assert here.try_post(path, body, keys[1]).json()["code"] == "wrong-seat"
    assert here.full(table)["seq"] == 1
    assert here.full(other)["seq"] == 1


def test_checking_changes_nothing(here: Here) -> None:
    table, keys = here.duel()
    said = here.post(f"/tables/{table}/check", {"moves": ["reserve deck1"]}, keys[0])
    assert said["ok"]
    assert said["after"]["tokens"] == [0, 0, 0, 0, 0, 1]
    said = here.post(f"/tables/{table}/check", {"moves": ["take ww", "return w"]}, keys[0])
    assert not said["ok"]
    assert said["problem"]["code"] == "wrong-seat"
    assert here.full(table)["seq"] == 1


def test_resigning_ends_a_duel(here: Here) -> None:
    table, keys = here.duel()
    here.post(f"/tables/{table}/resign", {}, keys[1])
    full = here.full(table)
    assert full["status"] == "finished"
    assert full["result"]["winners"] == [0]
    assert full["seed"]
    response = here.try_post(
        f"/tables/{table}/move", {"moves": ["take wug"], "version": full["version"]}, keys[0]
    )
    assert (response.status_code, response.json()["code"]) == (409, "table-finished")


def test_a_takeback_by_consent(here: Here) -> None:
    table, keys = here.strangers()
    move(here, table, keys[0], 2, "reserve deck1")
    here.post(f"/tables/{table}/chat", {"phrase": "hello"}, keys[1])
    here.post(f"/tables/{table}/takeback", {"action": "ask"}, keys[0])
    asked = {"by": 0, "agreed": [], "waiting": [1], "revealed": True}
    assert here.full(table)["takeback"] == asked
    here.post(f"/tables/{table}/takeback", {"action": "agree"}, keys[1])
    assert here.full(table)["view"]["turn"] == 0


def test_a_rematch_rotates_the_seats_and_keeps_the_keys(here: Here) -> None:
    table, keys = here.strangers()
    here.post(f"/tables/{table}/resign", {}, keys[0])
    offered = here.post(f"/tables/{table}/rematch", {"action": "offer"}, keys[1])
    assert offered["table"] is None
    made = here.post(f"/tables/{table}/rematch", {"action": "accept"}, keys[0])
    new = made["table"]
    info = here.get(f"/tables/{new}")
    assert [chair["name"] for chair in info["chairs"]] == ["Bo", "Ada"]
    assert info["series"]["game"] == 2
    assert info["series"]["score"] == [1, 0]
    assert here.full(new, keys[1])["you"] == 0
    move(here, new, keys[1], 1, "take wug")


def test_chat_is_by_phrase(here: Here) -> None:
    table, keys = here.duel()
    here.post(f"/tables/{table}/chat", {"phrase": "good-luck"}, keys[0])
    (said,) = here.full(table)["chat"]
    assert (said["seat"], said["phrase"]) == (0, "good-luck")
    response = here.try_post(f"/tables/{table}/chat", {"phrase": "<b>hi</b>"}, keys[0])
    assert response.json()["code"] == "unknown-phrase"


def test_a_claim_needs_patience(here: Here) -> None:
    table, keys = here.strangers()
    response = here.try_post(f"/tables/{table}/claim", {}, keys[0])
    assert (response.status_code, response.json()["code"]) == (409, "not-gone")


def test_leaving_lets_a_bot_play_until_one_is_back(here: Here) -> None:
    table, keys = here.strangers()
    here.post(f"/tables/{table}/leave", {}, keys[0])
    chairs = here.get(f"/tables/{table}")["chairs"]
    assert chairs[0]["stand_in"]
    with here.socket(table, keys[1]) as talk:
        state = talk.hear("gameFull", "gameState")
        while state["view"].get("turn", 0) < 1:
            state = talk.hear("gameState")
    with here.socket(table, keys[0]) as talk:
        back = talk.hear("seats")
        assert not back["table"]["chairs"][0]["stand_in"]
