"""Hints over HTTP: the engine's advice in words, kept before it is told, and only against bots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cabochon.notation import format_position, parse_move
from cabochon.server.reviews import hintdesk
from cabochon.server.reviews.hintdesk import _suggestion
from cabochon.server.reviews.questions import decider
from tests.server.reviewing import position_text
from tests.server.serving import Here, serving


@pytest.fixture(scope="module")
def advising(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    folder: Path = tmp_path_factory.mktemp("hints")
    with (
        pytest.MonkeyPatch.context() as patch,
        serving(folder / "tables.db", engine_visits_per_s=10**9, bot_seconds=0.05) as here,
    ):
        patch.setattr(hintdesk, "HINT_VISITS", 40)
        patch.setattr(hintdesk, "HINT_SECONDS", 60.0)
        yield here


def against_a_bot(here: Here, **options: Any) -> tuple[str, str]:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
    made = here.post("/tables", {"chairs": chairs, "seat_order": "fixed", **options})
    return made["table"]["id"], made["keys"][0]["key"]


def refused(here: Here, table: str, key: str, version: int = 1) -> Any:
    response = here.try_post(f"/tables/{table}/hint", {"version": version}, key)
    assert response.is_error
    return response.json()


def test_a_hint_is_a_legal_turn_with_its_reason(advising: Here) -> None:
    table, key = against_a_bot(advising)
    version = advising.full(table, key)["version"]
    hint = advising.post(f"/tables/{table}/hint", {"version": version}, key)
    checked = advising.post(f"/tables/{table}/check", {"moves": hint["moves"]}, key)
    assert checked["ok"], checked
    assert hint["version"] == version
    assert hint["hints"] == 1
    assert 0 <= hint["chance"] <= 1
    for reason in hint["why"]:
        assert reason["text"]["en"]
        assert reason["text"]["zh"]


def test_everybody_is_told_that_there_was_one(advising: Here) -> None:
    table, key = against_a_bot(advising)
    with advising.socket(table) as watcher:
        version = watcher.hear("gameFull")["version"]
        advising.post(f"/tables/{table}/hint", {"version": version}, key)
        told = watcher.hear("seats")
    assert told["table"]["hints"] == [1, 0]
    advising.post(f"/tables/{table}/hint", {"version": version}, key)
    assert advising.full(table)["table"]["hints"] == [1, 0]
    moved = {"moves": ["take wug"], "version": version}
    advising.post(f"/tables/{table}/move", moved, key)
    advising.post(f"/tables/{table}/resign", {}, key)
    text = advising.try_get(f"/tables/{table}/record").text
    assert '[Hints "1a"]' in text


def test_never_with_people(advising: Here) -> None:
    table, keys = advising.strangers()
    assert refused(advising, table, keys[0], 2)["code"] == "hint-off"
    table, keys = advising.duel()
    assert refused(advising, table, keys[0])["code"] == "hint-off"


def test_a_game_with_people_set_up_once_more_against_a_bot_gets_none(advising: Here) -> None:
    """Else a copy of the position, at a table with a bot, would be a way round."""
    table, keys = advising.strangers()
    hub: Any = advising.app.state.hub  # type: ignore[attr-defined]
    copied = format_position(hub.in_memory(table).table.position)
    copy, key = against_a_bot(advising, position=copied)
    answer = refused(advising, copy, key, advising.full(copy, key)["version"])
    assert answer["code"] == "still-playing"
    assert "hints" not in advising.full(copy)["table"]
    advising.post(f"/tables/{table}/resign", {}, keys[0])
    version = advising.full(copy, key)["version"]
    assert advising.post(f"/tables/{copy}/hint", {"version": version}, key)["moves"]


def test_the_same_position_at_two_tables_with_bots_is_no_reason_to_refuse(advising: Here) -> None:
    position = position_text("played twice")
    against_a_bot(advising, position=position)
    table, key = against_a_bot(advising, position=position)
    version = advising.full(table, key)["version"]
    assert advising.post(f"/tables/{table}/hint", {"version": version}, key)["moves"]


def test_never_in_the_lesson(advising: Here) -> None:
    made = advising.post("/tutorial", {})
    key = made["keys"][0]["key"]
    assert refused(advising, made["table"]["id"], key)["code"] == "hint-lesson"


def test_nobody_but_the_player_may_ask(advising: Here) -> None:
    table, _ = against_a_bot(advising)
    _, other = against_a_bot(advising)
    assert refused(advising, table, other)["code"] == "bad-key"


def test_a_stale_wish_is_told_what_happened(advising: Here) -> None:
    table, key = against_a_bot(advising)
    answer = refused(advising, table, key, 0)
    assert answer["code"] == "stale-version"
    assert answer["since"]["after"] == 0


def test_without_an_engine_it_says_so_and_notes_nothing(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db", engines=0) as here:
        table, key = against_a_bot(here)
        assert refused(here, table, key)["code"] == "no-engine"
        assert "hints" not in here.full(table)["table"]


def test_what_the_turn_still_needs_comes_with_it() -> None:
    view = decider(position_text(), "own")
    best: dict[str, Any] = {"move": "take wug", "value": None, "why": []}
    analysis = {
        "moves": [best],
        "variation": ["take wug", "noble rk4", "return w", "take rkw"],
        "chances": [0.6, 0.4],
    }
    found = _suggestion(view, analysis)
    assert found.moves == ["take wug", "noble rk4", "return w"]
    assert found.chance == 0.6
    assert all(parse_move(move) for move in found.moves)
