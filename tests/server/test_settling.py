"""Finished games find their way into the book, whoever dies on the way, and so to people."""

from __future__ import annotations

import contextlib
import io
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as parquet
import pytest

from cabochon.cli import main
from cabochon.notation.records import parse_records
from cabochon.server.access.cookies import PLAIN
from cabochon.server.people import settling
from tests.server.browsers import Browser
from tests.server.cluster import Cluster
from tests.server.serving import Here, Process, serving

CALCITE = {"kind": "bot", "bot": "calcite"}
CLOCK = {"kind": "increment", "base_s": 600, "increment_s": 5}


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def here(db: Path) -> Iterator[Here]:
    with serving(db) as found:
        yield found


def until(found: Callable[[], Any], seconds: float = 20.0) -> Any:
    """The first answer that is something."""
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)
    return answer


def alone(browser: Browser, **options: Any) -> str:
    """A game against a bot."""
    chairs = [{"kind": "me", "name": browser.me["name"]}, options.pop("bot", CALCITE)]
    asked = {"chairs": chairs, "seat_order": "fixed", "rated": True, **options}
    return str(browser.do("POST", "/tables", asked)["table"]["id"])


def settled(browser: Browser, table: str) -> Any:
    def look() -> Any:
        answer = browser.ask("GET", f"/tables/{table}/game")
        return answer.json() if answer.is_success else None

    return until(look)


def give_up(browser: Browser, **options: Any) -> str:
    table = alone(browser, **options)
    browser.do("POST", f"/tables/{table}/resign", {})
    settled(browser, table)
    return table


def keep_names(db: Path) -> None:
    """As if everybody had kept their name."""
    with sqlite3.connect(db) as connection:
        connection.execute("UPDATE people SET kept = 1")


def code_of(browser: Browser, path: str, body: Any = None) -> str:
    answer = browser.ask("GET" if body is None else "POST", path, body)
    assert not answer.is_success
    return str(answer.json()["code"])


def test_a_guest_alone_has_a_profile_after_the_first_game(here: Here) -> None:
    with Browser(here) as ada, Browser(here) as stranger:
        me = ada.be("Ada")
        table = give_up(ada, listed=True)
        (game,) = ada.do("GET", "/me/games")["games"]
        assert (game["table"], game["result"], game["you"]) == (table, "lost", 0)
        assert game["rated"]
        assert (game["kind"], game["reason"]) == ("two", "resign")
        you, bot = game["seats"]
        assert you["rating"] == 1200
        assert you["change"] < -100
        assert (bot["bot"], bot["change"], bot["person"]) == ("calcite", None, None)
        profile = ada.do("GET", f"/people/{me['id']}")
        assert profile["you"]
        assert profile["games"] == 1
        assert profile["ratings"]["two"]["value"] == 1200 + you["change"]
        assert profile["ratings"]["two"]["provisional"]
        assert profile["stats"]["two"]["lost"] == 1
        assert profile["stats"]["two"]["streak"] == -1
        assert [met["bot"] for met in profile["head_to_head"]] == ["calcite"]
        assert profile["ladder"]["fair"] == "gypsum"
        assert ada.me["ratings"] == profile["ratings"]
        assert ada.me["games"] == 1
        seen = stranger.do("GET", f"/people/{me['id']}")
        assert not seen["you"]
        assert seen["ladder"] is None
        assert seen["ratings"] == profile["ratings"]
        (point,) = stranger.do("GET", f"/people/{me['id']}/ratings/two")["points"]
        assert point["value"] == profile["ratings"]["two"]["value"]
        shown = stranger.do("GET", f"/people/{me['id']}/games")["games"]
        assert [game["table"] for game in shown] == [table]


def test_games_that_are_not_listed_show_in_nobody_elses_lists(here: Here) -> None:
    with Browser(here) as ada, Browser(here) as stranger:
        me = ada.be("Ada")
        hidden = [
            give_up(ada, listed=False),
            give_up(ada, watch="nobody"),
            give_up(ada, watch="link"),
        ]
        path = f"/people/{me['id']}"
        assert stranger.do("GET", f"{path}/games") == {"games": [], "next": None}
        assert ada.do("GET", f"{path}/games") == {"games": [], "next": None}
        assert stranger.do("GET", path)["head_to_head"] == []
        assert [game["table"] for game in ada.do("GET", "/me/games")["games"]] == hidden[::-1]
        assert ada.do("GET", path)["head_to_head"][0]["lost"] == 3
        assert code_of(stranger, f"/tables/{hidden[1]}/game") == "not-for-watchers"


def test_of_who_hides_others_see_the_name_only(here: Here, db: Path) -> None:
    with Browser(here) as ada, Browser(here) as stranger:
        me = ada.be("Ada")
        give_up(ada, listed=True)
        keep_names(db)
        board = stranger.do("GET", "/leaderboards/two")
        if not board["people"]:  # entered before the name was kept
            ada.do("PATCH", "/me", {"hidden": False})
            board = stranger.do("GET", "/leaderboards/two")
        assert [row["id"] for row in board["people"]] == [me["id"]]
        assert ada.do("GET", "/leaderboards/two")["listed"]
        assert ada.do("GET", "/leaderboards/two")["count"] == 1  # at once, not after some seconds
        assert [found["id"] for found in stranger.do("GET", "/people?search=ad")["people"]] == [
            me["id"]
        ]
        ada.do("PATCH", "/me", {"hidden": True})
        seen = stranger.do("GET", f"/people/{me['id']}")
        assert (seen["name"], seen["hidden"], seen["games"]) == ("Ada", True, 0)
        assert (seen["ratings"], seen["stats"], seen["head_to_head"]) == ({}, None, [])
        assert stranger.do("GET", f"/people/{me['id']}/games")["games"] == []
        assert stranger.do("GET", f"/people/{me['id']}/ratings/two")["points"] == []
        assert stranger.do("GET", "/leaderboards/two")["people"] == []
        assert stranger.do("GET", "/people?search=ad")["people"] == []
        assert ada.do("GET", f"/people/{me['id']}")["games"] == 1
        mine = ada.do("GET", "/leaderboards/two")
        assert (mine["you"]["rank"], mine["listed"]) == (1, False)


def test_leaderboards_have_the_bots_among_them(here: Here) -> None:
    with Browser(here) as ada:
        ada.be("Ada")
        for _ in range(2):
            give_up(ada)
        board = ada.do("GET", "/leaderboards/two?around=me")
        assert board["bots"][0]["bot"] == "diamond"
        assert board["bots"][0]["rating"]["value"] > 2000
        assert board["people"] == []  # a guest whose rating has not settled
        assert board["you"]["games"] == 2
        assert (board["listed"], board["count"], board["you"]["rank"]) == (False, 0, 1)
        assert len(board["you"]["recent"]) == 2
        assert ada.do("GET", "/leaderboards/puzzles")["bots"] == []


def test_what_cannot_be_rated_is_refused_by_name(here: Here, db: Path) -> None:
    with Browser(here) as ada, Browser(here) as nobody:
        ada.be("Ada")
        me = {"kind": "me", "name": "Ada"}
        asked = {"rated": True, "chairs": [me, CALCITE]}

        def refused(browser: Browser = ada, **changes: Any) -> str:
            return code_of(browser, "/tables", asked | changes)

        assert refused(target=21) == "rated-rules"
        assert refused(scarce_take=False) == "rated-rules"
        assert refused(chairs=[me, {"kind": "bot", "bot": "uniform"}]) == "rated-bot"
        assert refused(chairs=[me, {"kind": "local", "name": "Bo"}]) == "rated-alone"
        assert refused(chairs=[CALCITE, CALCITE]) == "rated-alone"
        assert refused(nobody) == "rated-person"
        assert refused(chairs=[me, {"kind": "open"}]) == "rated-clock"
        assert refused(chairs=[me, {"kind": "open"}], clock=CLOCK) == "rated-name"
        keep_names(db)
        made = ada.do("POST", "/tables", asked | {"chairs": [me, {"kind": "open"}], "clock": CLOCK})
        table, code = made["table"]["id"], made["invites"][0]["code"]
        assert made["table"]["rated"]
        join = {"name": "Bo", "code": code}
        assert code_of(nobody, f"/tables/{table}/join", join) == "rated-person"
        with Browser(here) as bo:
            bo.be("Bo")
            assert code_of(bo, f"/tables/{table}/join", join) == "rated-name"
            keep_names(db)
            assert code_of(ada, f"/tables/{table}/join", join) == "rated-alone"
            bo.do("POST", f"/tables/{table}/join", join)
            assert code_of(bo, f"/tables/{table}/takeback", {"action": "ask"}) == "rated-takeback"
            bo.do("POST", f"/tables/{table}/leave", {})
            won, lost = settled(ada, table)["seats"][:: 1 if _sits_first(ada, table) else -1]
            assert won["change"] > 0 > lost["change"]
            assert won["change"] == -lost["change"]


def _sits_first(browser: Browser, table: str) -> bool:
    return bool(settled(browser, table)["you"] == 0)


def test_exports_hold_every_game(here: Here) -> None:
    with Browser(here) as ada, Browser(here) as stranger:
        ada.be("Ada")
        stranger.be("Stranger")
        tables = [give_up(ada, listed=False), give_up(ada)]
        records = ada.ask("GET", "/me/games/export").content
        assert [record.headers["Table"] for record in parse_records(records)] == tables[::-1]
        lines = ada.ask("GET", "/me/games/export?format=ndjson").content.splitlines()
        assert [json.loads(line)["table"] for line in lines] == tables[::-1]
        assert json.loads(lines[0])["record"]["ruleset"] == "standard/2"
        file = ada.ask("GET", "/me/games/export?format=parquet").content
        rows = parquet.read_table(io.BytesIO(file)).to_pylist()
        assert [row["table"] for row in rows] == tables[::-1]
        assert rows[0]["seat_bot"] == [None, "calcite"]
        one = ada.ask("GET", f"/me/games/export?table={tables[0]}").content
        assert [record.headers["Table"] for record in parse_records(one)] == tables[:1]
        assert stranger.ask("GET", f"/me/games/export?table={tables[0]}").content == b""
        assert stranger.ask("GET", "/me/games/export?format=ndjson").content == b""
    with Browser(here) as nobody:
        assert code_of(nobody, "/me/games/export") == "no-person"
        assert code_of(nobody, "/me/games") == "no-person"
        assert nobody.do("GET", "/me/ladder")["fair"] == "calcite"


def test_lessons_and_closed_tables_count_for_nobody(here: Here, db: Path) -> None:
    with Browser(here) as ada:
        ada.be("Ada")
        lesson = ada.do("POST", "/tutorial", {})["table"]["id"]
        ada.do("POST", f"/tables/{lesson}/resign", {})
        closed = alone(ada)
        assert main(["admin", "close", closed, "--yes", "--db", str(db)]) == 0
        last = give_up(ada)

        def all_settled() -> bool:
            with sqlite3.connect(db) as connection:
                found = connection.execute(
                    "SELECT count(*) FROM tables WHERE state = 'finished' AND NOT settled"
                )
                return bool(found.fetchone() == (0,))

        until(all_settled)
        assert [game["table"] for game in ada.do("GET", "/me/games")["games"]] == [last]


def test_mistakes_wait_until_one_has_gone_through_them(here: Here, db: Path) -> None:
    with Browser(here) as ada:
        ada.be("Ada")
        table = give_up(ada)
        assert ada.do("GET", "/me/mistakes") == {"tables": []}
        with sqlite3.connect(db) as connection:
            connection.execute("UPDATE game_players SET mistakes = 2 WHERE seat = 0")
        (found,) = ada.do("GET", "/me/mistakes")["tables"]
        assert (found["table"], found["seat"], found["mistakes"]) == (table, 0, 2)
        ada.do("PUT", f"/me/mistakes/{table}", {"learnt": True})
        assert ada.do("GET", "/me/mistakes") == {"tables": []}
        ada.do("PUT", f"/me/mistakes/{table}", {"learnt": False})
        assert len(ada.do("GET", "/me/mistakes")["tables"]) == 1
        assert ada.ask("PUT", "/me/mistakes/aaaaaaaaaa", {"learnt": True}).status_code == 404


def test_a_rated_table_is_filled_only_with_a_bot_that_can_be_rated(here: Here, db: Path) -> None:
    """Else whoever made it would choose, last of all, that the game counts for nobody."""
    with Browser(here) as ada:
        ada.be("Ada")
        keep_names(db)
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        made = ada.do("POST", "/tables", {"chairs": chairs, "rated": True, "clock": CLOCK})
        fill = f"/tables/{made['table']['id']}/fill"
        assert code_of(ada, fill, {"bot": "uniform"}) == "rated-bot"
        ada.do("POST", fill, {"bot": "calcite"})


def test_games_by_the_day_do_not_hide_an_abandoned_one(db: Path, patient: None) -> None:
    """A rated game with days to think is not over after three; one without a clock is."""
    days = [0]
    began = time.time_ns() // 1_000_000

    def clock() -> int:
        return began + days[0] * 86_400_000

    with serving(db, clock) as here, Browser(here) as ada:
        ada.be("Ada")
        for _ in range(2):
            alone(ada, clock={"kind": "days", "days": 14})
        left = alone(ada)
        for _ in range(2):
            alone(ada, clock={"kind": "days", "days": 14})
    days[0] = 4
    with serving(db, clock) as here, Browser(here, Cookie=f"{PLAIN}={ada.cookie}") as back:
        assert settled(back, left)["result"] == "lost"


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are looked at at once."""
    monkeypatch.setattr(settling, "TOGETHER", 2)


def test_who_does_not_go_on_with_a_rated_game_has_lost_it(db: Path) -> None:
    days = [0]
    began = time.time_ns() // 1_000_000

    def clock() -> int:
        return began + days[0] * 86_400_000

    with serving(db, clock) as here, Browser(here) as ada:
        ada.be("Ada")
        left, friendly = alone(ada), alone(ada, rated=False)
        play_on(ada, left)
        play_on(ada, friendly)
    days[0] = 4
    with serving(db, clock) as here, Browser(here, Cookie=f"{PLAIN}={ada.cookie}") as back:
        game = settled(back, left)
        assert (game["result"], game["reason"]) == ("lost", "resign")
        assert back.do("GET", f"/tables/{friendly}")["state"] == "running"


def test_saying_hello_now_and_then_does_not_put_off_a_loss(db: Path) -> None:
    days = [0]
    began = time.time_ns() // 1_000_000

    def clock() -> int:
        return began + days[0] * 86_400_000

    with serving(db, clock) as here, Browser(here) as ada:
        ada.be("Ada")
        moved, unmoved = alone(ada), alone(ada)
        play_on(ada, moved, 1)
        replay = f"/tables/{moved}/replay?facts=false"
        until(lambda: len(ada.do("GET", replay)["views"]) > 2)  # the bot has moved as well
        days[0] = 2
        for table in (moved, unmoved):
            ada.do("POST", f"/tables/{table}/chat", {"phrase": "hello"})
    days[0] = 4
    with serving(db, clock) as here, Browser(here, Cookie=f"{PLAIN}={ada.cookie}") as back:
        assert [settled(back, table)["result"] for table in (moved, unmoved)] == ["lost"] * 2


def play_on(browser: Browser, table: str, moves: int = 2) -> None:
    """Make some moves, as one comes to move."""

    def to_move() -> Any:
        with browser.socket(table) as talk:
            full = talk.hear("gameFull")
        return full if full["legal"] else None

    for _ in range(moves):
        full = until(to_move, 60)
        asked = {"moves": [full["legal"][0]], "version": full["version"]}
        browser.do("POST", f"/tables/{table}/move", asked)


@pytest.mark.timing
def test_the_review_adds_its_figures_once(db: Path) -> None:
    with serving(db, review_workers=1, quick_reviews=True) as here, Browser(here) as ada:
        me = ada.be("Ada")
        table = alone(ada, listed=True)
        play_on(ada, table, 4)
        ada.do("POST", f"/tables/{table}/resign", {})

        def reviewed() -> Any:
            game = settled(ada, table)
            return game if game["review"] else None

        game = until(reviewed, 120)
        assert 0 <= game["seats"][0]["accuracy"] <= 100
        review = here.get(f"/reviews/{game['review']}")["review"]
        assert game["seats"][0]["accuracy"] == review["summary"][0]["accuracy"]
        stats = ada.do("GET", f"/people/{me['id']}")["stats"]["two"]
        assert stats["reviewed"] == 1
        assert stats["mean_accuracy"] == game["seats"][0]["accuracy"]
        assert stats["accuracy"] == [[game["ended_ms"], game["seats"][0]["accuracy"]]]
        assert stats["mistakes"] == game["mistakes"]
        assert recomputed(db)["changed"] == 0


@pytest.mark.servers
def test_two_nodes_enter_every_game_once_also_when_one_is_killed(cluster: Cluster) -> None:
    db = cluster.database("settling")
    with Process(db) as one, Process(db) as other:
        with Browser(one.here) as ada:
            me = ada.be("Ada")
            tables = []
            for _ in range(5):
                tables.append(alone(ada))
                ada.do("POST", f"/tables/{tables[-1]}/resign", {})
            one.kill()
        with Browser(other.here, Cookie=f"{PLAIN}={ada.cookie}") as back:
            for table in tables:
                settled(back, table)
            rating = back.do("GET", f"/people/{me['id']}")["ratings"]["two"]
            assert rating["games"] == len(tables)
            assert len(back.do("GET", "/me/games")["games"]) == len(tables)
            numbers = [settled(back, table)["seats"][0]["change"] for table in tables]
            assert sum(numbers) == rating["value"] - 1200
    assert recomputed(db)["changed"] == 0


@pytest.mark.servers
def test_whoever_is_killed_has_entered_a_game_or_not(db: Path) -> None:
    """Servers die right after games have ended; in the end every game counts once."""
    tables: list[str] = []
    with Process(str(db)) as process, Browser(process.here) as ada:
        me = ada.be("Ada")
        for round_ in range(6):
            tables.append(alone(ada))
            ada.do("POST", f"/tables/{tables[-1]}/resign", {})
            time.sleep(0.004 * round_)
            process.kill()
            process.start()
        for table in tables:
            settled(ada, table)
        found = ada.do("GET", "/me/games")["games"]
        assert sorted(game["table"] for game in found) == sorted(tables)
        rating = ada.do("GET", f"/people/{me['id']}")["ratings"]["two"]
        assert rating["games"] == len(tables)
        assert sum(game["seats"][0]["change"] for game in found) == rating["value"] - 1200
        assert len(ada.do("GET", f"/people/{me['id']}/ratings/two")["points"]) == len(tables)
        process.stop()
    assert recomputed(db)["changed"] == 0


def test_the_host_can_begin_again_from_the_games_alone(here: Here, db: Path) -> None:
    with Browser(here) as ada:
        ada.be("Ada")
        for _ in range(3):
            give_up(ada)
        before = ada.me["ratings"]
        assert recomputed(db) == {"games": 3, "people": 1, "changed": 0}
        with sqlite3.connect(db) as connection:
            connection.execute("UPDATE ratings SET value = 3000")
        assert recomputed(db) == {"games": 3, "people": 1, "changed": 1}
        assert ada.me["ratings"] == before


def recomputed(db: Path | str) -> Any:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        assert main(["admin", "recompute-ratings", "--db", str(db), "--json"]) == 0
    return json.loads(said.getvalue())


def test_a_game_that_cannot_be_entered_holds_up_nobody(
    here: Here, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = settling.settled_game
    broken: list[str] = []

    def fails(table: Any) -> Any:
        if table.id in broken:
            raise ValueError("cannot be read")
        return real(table)

    monkeypatch.setattr(settling, "settled_game", fails)
    with Browser(here) as ada:
        ada.be("Ada")
        broken.append(alone(ada))
        ada.do("POST", f"/tables/{broken[0]}/resign", {})
        give_up(ada)
        assert ada.me["games"] == 1
        until(lambda: _put_off(db) == broken)


def _put_off(db: Path) -> list[str]:
    with sqlite3.connect(db) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM tables WHERE settle_ms > 0")]


def test_practice_is_in_the_list_and_in_no_sum(here: Here) -> None:
    """A friendly game against bots, with take-backs and hints, makes no streak."""
    with Browser(here) as ada:
        me = ada.be("Ada")
        table = give_up(ada, rated=False)
        assert [game["table"] for game in ada.do("GET", "/me/games")["games"]] == [table]
        profile = ada.do("GET", f"/people/{me['id']}")
        assert (profile["games"], profile["stats"], profile["head_to_head"]) == (1, {}, [])


def test_the_rating_of_who_hides_is_in_nobody_elses_list(here: Here, db: Path) -> None:
    with Browser(here) as ada, Browser(here) as bo:
        ada.be("Ada")
        bo.be("Bo")
        keep_names(db)
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        asked = {"chairs": chairs, "seat_order": "fixed", "rated": True, "listed": True}
        table = ada.do("POST", "/tables", {**asked, "clock": CLOCK})["table"]["id"]
        bo.do("POST", f"/tables/{table}/join", {"name": "Bo"})
        ada.do("POST", f"/tables/{table}/resign", {})
        settled(ada, table)
        ada.do("PATCH", "/me", {"hidden": True})
        (seen,) = bo.do("GET", "/me/games")["games"]
        assert [seat["rating"] for seat in seen["seats"]] == [None, 1200]
        assert seen["seats"][0]["change"] is None
        (own,) = ada.do("GET", "/me/games")["games"]
        assert own["seats"][0]["rating"] == 1200


def test_a_parquet_file_is_written_group_by_group(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cabochon.server.people.exporting.ROW_GROUP", 2)
    with Browser(here) as ada:
        ada.be("Ada")
        tables = [give_up(ada) for _ in range(5)]
        answer = ada.ask("GET", "/me/games/export?format=parquet")
        found = parquet.ParquetFile(io.BytesIO(answer.content))
        assert found.num_row_groups == 3
        assert found.read()["table"].to_pylist() == tables[::-1]
