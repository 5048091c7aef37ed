"""Records, replays, and what everybody may read."""

from __future__ import annotations

import json

import pytest

from cabochon.notation import parse_move
from cabochon.notation.records import parse_record, parse_seen_record
from cabochon.record import verify
from cabochon.rules import CARDS, VARIANTS
from tests.server.serving import Here


def played(here: Here, moves: int) -> tuple[str, list[str]]:
    table, keys = here.strangers()
    for turn in range(moves):
        body = {"moves": ["reserve deck1" if turn < 4 else "take wug"], "version": 2 + turn}
        here.post(f"/tables/{table}/move", body, keys[turn % 2])
    return table, keys


def test_a_running_game_s_record_is_what_the_asker_may_know(here: Here) -> None:
    table, keys = played(here, 4)
    for key, own in ((keys[0], 0), (keys[1], 1), (None, None)):
        seen = parse_seen_record(here.try_get(f"/tables/{table}/record", key).text)
        assert seen.viewer == own
        text = here.try_get(f"/tables/{table}/record", key, accept="application/json").text
        assert "seed" not in json.loads(text)
        assert text.count("deal ?") == (4 if own is None else 2)


def test_a_finished_game_s_record_is_whole_and_verifies(here: Here) -> None:
    table, keys = played(here, 6)
    here.post(f"/tables/{table}/resign", {}, keys[0])
    response = here.try_get(f"/tables/{table}/record")
    record = parse_record(response.text)
    assert verify(record).ok
    assert record.players == ("Ada", "Bo")
    assert response.headers["etag"]


def test_a_game_that_has_not_begun_has_no_record(here: Here) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    table = here.post("/tables", {"chairs": chairs})["table"]["id"]
    for what in ("record", "replay"):
        response = here.try_get(f"/tables/{table}/{what}")
        assert (response.status_code, response.json()["code"]) == (403, "not-yet")


def test_a_replay_has_every_position_so_far(here: Here) -> None:
    table, keys = played(here, 5)
    replay = here.get(f"/tables/{table}/replay", keys[0])
    assert [step["ply"] for step in replay["views"]] == list(range(6))
    assert replay["views"][0]["log"] is None
    assert replay["views"][-1]["view"]["turn"] == 5
    assert "card" in replay["views"][-1]["view"]["hands"][0]["reserved"][0]
    assert "card" not in replay["views"][-1]["view"]["hands"][1]["reserved"][0]


@pytest.mark.parametrize("viewer", ["all", "0", "1"])
def test_other_views_are_for_after_the_game(here: Here, viewer: str) -> None:
    table, keys = played(here, 4)
    response = here.try_get(f"/tables/{table}/replay?viewer={viewer}", keys[0])
    assert (response.status_code, response.json()["code"]) == (403, "not-yet")
    here.post(f"/tables/{table}/resign", {}, keys[0])
    last = here.get(f"/tables/{table}/replay?viewer={viewer}")["views"][-1]["view"]
    shown = [seat for seat in (0, 1) if "card" in last["hands"][seat]["reserved"][0]]
    assert shown == ([0, 1] if viewer == "all" else [int(viewer)])


def test_meta_tells_what_there_is(here: Here) -> None:
    meta = here.get("/meta")
    assert [variant["name"] for variant in meta["variants"]] == list(VARIANTS)
    assert {"uniform", "greedy"} <= {bot["name"] for bot in meta["bots"]}
    for entry in (*meta["bots"], *meta["variants"]):
        assert entry["title"]["en"]
        assert entry["title"]["zh"]
    cards = here.get("/cards")
    assert [entry["code"] for entry in cards["cards"]] == [card.code for card in CARDS]
    assert [entry["cost"] for entry in cards["cards"]] == [list(card.cost[:5]) for card in CARDS]
    assert len(cards["nobles"]) == 10


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_rules_to_read(here: Here, lang: str) -> None:
    response = here.try_get(f"/rules?lang={lang}")
    assert response.headers["content-type"].startswith("text/markdown")
    assert len(response.text) > 1000


def test_the_first_game_is_always_the_same(here: Here) -> None:
    made = [here.post("/tutorial", {"lang": "zh"}) for _ in range(2)]
    views = [here.full(m["table"]["id"], m["keys"][0]["key"])["view"] for m in made]
    assert views[0] == views[1]
    assert made[0]["table"]["tutorial"]
    table, key = made[0]["table"]["id"], made[0]["keys"][0]["key"]
    with here.socket(table, key) as talk:
        full = talk.hear("gameFull")
        talk.say(type="move", id="1", version=full["version"], moves=[full["legal"][0]])
        states = [talk.hear("gameState"), talk.hear("gameState")]
        assert [state["by"] for state in states] == [0, 1]
        parse_move(states[1]["events"][0])
