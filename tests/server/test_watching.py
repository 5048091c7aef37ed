"""Looking on: mini boards, a featured game, bots at play, chances; rated games a little late."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from cabochon.game import Game
from cabochon.rules.facts import Reserved
from cabochon.server.access.cookies import PLAIN
from cabochon.server.people.chances import public_view
from cabochon.server.tables.hub import now_ms
from tests.cli.driver import run
from tests.server.company import Somebody, people
from tests.server.serving import Here, Talk, serving

DELAY_S = 30
CLOCK = {"kind": "increment", "base_s": 600, "increment_s": 5}


class Ahead:
    """A server's clock that a test can put forward."""

    ms = 0

    def __call__(self) -> int:
        return now_ms() + self.ms


@pytest.fixture
def clock() -> Ahead:
    return Ahead()


@pytest.fixture
def here(tmp_path: Path, clock: Ahead) -> Iterator[Here]:
    with serving(tmp_path / "t.db", clock=clock, watch_delay_s=DELAY_S, engines=0) as server:
        yield server


def soon(found: Callable[[], Any], what: str = "it does not come") -> Any:
    until = time.monotonic() + 90
    while not (got := found()):
        assert time.monotonic() < until, what
        time.sleep(0.1)
    return got


def alone(one: Somebody, rated: bool, bot: str = "gypsum") -> str:
    """A game of that person's against a bot; the person moves first."""
    chairs = [{"kind": "me", "name": one.name}, {"kind": "bot", "bot": bot}]
    body = {"chairs": chairs, "seat_order": "fixed", "rated": rated}
    return str(one.post("/tables", body)["table"]["id"])


def play(one: Somebody, here: Here, table: str, move: str = "take wug") -> None:
    version = one.get(f"/tables/{table}/replay?facts=false")
    assert version["table"] == table
    answer = one.try_post(f"/tables/{table}/move", {"moves": [move], "version": 1})
    if not answer.is_success:
        since = answer.json().get("since", {}).get("version", 1)
        one.post(f"/tables/{table}/move", {"moves": [move], "version": since})


def watched(here: Here, table: str) -> Any:
    page = here.get("/watch")
    games = [page["featured"], *page["games"]]
    return next((game for game in games if game and game["table"] == table), None)


def test_bots_play_only_while_somebody_watches(here: Here) -> None:
    show = here.get("/watch")["featured"]
    assert show["show"]
    assert all(seat["bot"] and seat["rating"] for seat in show["seats"])
    assert [len(row) for row in show["board"]["rows"]] == [4, 4, 4]
    assert len(show["board"]["bank"]) == 6
    table = show["table"]
    soon(lambda: here.get("/watch") and len(here.full(table)["log"]) >= 2)
    assert here.get("/tables")["tables"] == []
    hub: Any = here.app.state.hub  # type: ignore[attr-defined]
    desk: Any = here.app.state.watching  # type: ignore[attr-defined]
    desk._asked = -1000.0
    time.sleep(2.0)
    before = hub.in_memory(table).table.seq
    time.sleep(2.0)
    assert hub.in_memory(table).table.seq == before


def test_people_come_before_bots_and_the_higher_rated_first(here: Here) -> None:
    with people(here, "Ann", "Ben") as (ann, ben):
        table = alone(ann, rated=False)
        game = soon(lambda: watched(here, table))
        assert game["seats"][0]["person"] == ann.id
        assert game["to_act"] == 0
        assert game["round"] == 1
        assert game["delay_s"] == 0
        assert not game["show"]
        page = here.get("/watch")
        assert page["featured"]["table"] == table
        with here.socket(table) as talk:
            talk.hear("gameFull")
            soon(lambda: watched(here, table)["watching"] == 1)
            assert here.get("/online")["here"] >= 1
        assert ben.id not in json.dumps(page)


def test_private_tables_are_not_shown(here: Here) -> None:
    with people(here, "Ann") as (ann,):
        for options in ({"listed": False}, {"watch": "nobody"}, {"watch": "link"}):
            chairs = [{"kind": "me", "name": "Ann"}, {"kind": "bot", "bot": "greedy"}]
            ann.post("/tables", {"chairs": chairs, **options})
        here.get("/watch")
        time.sleep(1.2)
        page = here.get("/watch")
        assert [game["show"] for game in [page["featured"], *page["games"]]] == [True]


def log_of(here: Here, table: str) -> int:
    return len(here.full(table)["log"])


def test_watchers_see_a_rated_game_late_by_every_way_in(here: Here, clock: Ahead) -> None:
    """Socket, stream, record, replay, study and the page of games: all of them late."""
    with people(here, "Ann", "Eve") as (ann, eve):
        table = alone(ann, rated=True)
        with here.socket(table) as watcher:
            assert watcher.hear("gameFull")["log"] == []
            play(ann, here, table)
            soon(lambda: len(ann.get(f"/tables/{table}/replay?facts=false")["views"]) > 2)
            assert log_of(here, table) == 0
            assert len(here.get(f"/tables/{table}/replay?facts=false")["views"]) == 1
            assert len(eve.get(f"/tables/{table}/replay?facts=false")["views"]) == 1
            record = here.http.get(f"/api/tables/{table}/record").text
            assert "take" not in record.split("]")[-1]
            study = here.post("/studies/open", {"table": table})
            assert study["lines"] == []
            assert first_line(here, table)["log"] == []
            game = soon(lambda: watched(here, table))
            assert (game["delay_s"], game["round"], game["to_act"]) == (DELAY_S, 1, 0)
            assert watcher.ask(type="ping")["seq"] == 1
            clock.ms += 1000 * DELAY_S + 1000
            assert watcher.hear("gameState")["by"] == 0
            assert len(here.get(f"/tables/{table}/replay?facts=false")["views"]) > 1


def first_line(here: Here, table: str) -> Any:
    with here.http.stream("GET", f"/api/tables/{table}/stream") as stream:
        return json.loads(next(line for line in stream.iter_lines() if line.strip()))


def test_who_sat_down_after_looking_on_does_not_hurry_the_watchers(
    here: Here, clock: Ahead, tmp_path: Path
) -> None:
    """Their first connection is a watcher's: what they command there goes to the table as it is
    now, and what watchers see stays late."""
    with people(here, "Ann", "Ben") as (ann, ben):
        with sqlite3.connect(tmp_path / "t.db") as connection:
            connection.execute("UPDATE people SET kept = 1")
        chairs = [{"kind": "me", "name": "Ann"}, {"kind": "open"}]
        asked = {"chairs": chairs, "seat_order": "fixed", "rated": True, "clock": CLOCK}
        table = ann.post("/tables", asked)["table"]["id"]
        cookie = f"{PLAIN}={ben.http.cookies[PLAIN]}"
        with Talk(here.port, table, Cookie=cookie) as early, here.socket(table) as watcher:
            early.say(type="hello", keys=[])
            early.hear("gameFull")
            watcher.hear("gameFull")
            ben.post(f"/tables/{table}/join", {"name": "Ben"})
            clock.ms += 1000 * DELAY_S + 1000
            assert watcher.hear("gameFull")["status"] == "running"
            ann.post(f"/tables/{table}/move", {"moves": ["take wug"], "version": 2})
            with Talk(here.port, table, Cookie=cookie) as there:
                there.say(type="hello", keys=[])
                there.hear("gameFull")
                assert early.ask(type="chat", phrase="hello")["type"] == "accepted"
                assert there.hear("chatLine")["phrase"] == "hello"
            assert watcher.ask(type="ping")["seq"] == 2
            clock.ms += 1000 * DELAY_S + 1000
            assert watcher.hear("gameState")["by"] == 0
            assert watcher.hear("chatLine")["phrase"] == "hello"


def test_the_end_of_a_rated_game_is_told_at_once(here: Here) -> None:
    with people(here, "Ann") as (ann,):
        table = alone(ann, rated=True)
        with here.socket(table) as watcher:
            watcher.hear("gameFull")
            ann.post(f"/tables/{table}/resign")
            assert watcher.hear("gameFinish")["result"]["reason"] == "resign"


def test_those_who_play_see_their_rated_game_as_it_is(here: Here) -> None:
    with people(here, "Ann") as (ann,):
        table = alone(ann, rated=True)
        play(ann, here, table)
        soon(lambda: len(ann.get(f"/tables/{table}/replay?facts=false")["views"]) > 2)


def test_chances_are_for_watchers_and_never_for_those_who_play(tmp_path: Path) -> None:
    """Neither by cookie, key nor token, nor from the same address."""
    with (
        serving(tmp_path / "t.db", engines=1, trust_proxy=True, hosts="*") as here,
        people(here, "Ann") as (ann,),
    ):
        table = alone(ann, rated=False)
        with here.socket(table):
            far = {"X-Forwarded-For": "203.0.113.9"}
            chances = soon(lambda: seen_from(here, table, far))
            assert sum(chances) == pytest.approx(1, abs=0.02)
            made = ann.get(f"/tables/{table}/replay?facts=false")
            assert made["viewer"] == 0
            soon(lambda: seen_from(here, table, far))
            cookie = {"X-Forwarded-For": "203.0.113.10", "Cookie": cookies_of(ann)}
            assert seen_from(here, table, cookie) is None
            assert seen_from(here, table, {}) is None


def cookies_of(one: Somebody) -> str:
    return "; ".join(f"{name}={value}" for name, value in one.http.cookies.items())


def seen_from(here: Here, table: str, headers: dict[str, str]) -> Any:
    page = httpx.get(f"{here.base}/api/watch", headers=headers, timeout=20).json()
    games = [page["featured"], *page["games"]]
    found = [game for game in games if game and game["table"] == table]
    return found[0]["chances"] if found else None


def test_chances_tell_nothing_about_a_card_that_nobody_has_seen() -> None:
    game = Game(players=2, seed="hidden")
    game.play("reserve deck2")
    game.play("take wug")
    position = game.position
    (real,) = position.hands[0].reserved
    seen = public_view(position, "table")
    (shown,) = seen.hands[0].reserved
    assert isinstance(shown, Reserved)
    assert isinstance(real, Reserved)
    assert shown.level == real.level
    assert shown == public_view(position, "table").hands[0].reserved[0]
    others = {public_view(position, f"table {n}").hands[0].reserved[0] for n in range(20)}
    assert len(others) > 5
    assert seen.legal_moves()


def test_the_terminal_watches_the_featured_game(here: Here, tmp_path: Path) -> None:
    with people(here, "Ann") as (ann,):
        table = alone(ann, rated=False)
        soon(lambda: watched(here, table))
        ann.post(f"/tables/{table}/resign")
        done = run("watch", f"{here.base}/t/{table}", home=tmp_path)
        assert "somebody resigned" in done.out
