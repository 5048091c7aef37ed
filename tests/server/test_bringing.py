"""A guest who signs in to a kept name brings along what was played on that device, exactly once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from cabochon.server.people import bringing, housekeeping
from cabochon.server.web.routes import personal
from tests.server.browsers import PASSWORD, Browser
from tests.server.cluster import Cluster
from tests.server.serving import Here, Process, serving
from tests.server.test_settling import alone, db, give_up, here, recomputed, until

__all__ = ["db", "here"]


def sign_in(browser: Browser, name: str, **more: Any) -> Any:
    asked = {"name": name, "password": PASSWORD, **more}
    return browser.do("POST", "/signin/password", asked)


def test_the_guests_games_come_along(here: Here, db: Path) -> None:
    with Browser(here) as home, Browser(here) as phone, Browser(here) as friend:
        home.keep("Ada")
        own = give_up(home)
        guest = phone.be("Visitor")
        brought = [give_up(phone), give_up(phone, listed=True)]
        friendly = _between(phone, friend)
        running = alone(phone)
        me = sign_in(phone, "Ada", bring=True)
        assert me["id"] == home.me["id"]
        assert me["games"] == 4
        assert me["ratings"]["two"]["games"] == 3
        found = phone.do("GET", "/me/games")["games"]
        assert {game["table"] for game in found} == {own, *brought, friendly}
        assert all(game["seats"][game["you"]]["name"] == "Ada" for game in found)
        (still,) = phone.do("GET", "/me/tables")["tables"]
        assert (still["table"]["id"], still["seats"]) == (running, [0])
        phone.do("POST", f"/tables/{running}/resign", {})
        until(lambda: phone.me["games"] == 5)
        points = phone.do("GET", f"/people/{me['id']}/ratings/two")["points"]
        assert [point["at_ms"] for point in points] == sorted(p["at_ms"] for p in points)
        met = friend.do("GET", f"/people/{friend.me['id']}")["head_to_head"]
        assert [(one["person"], one["won"]) for one in met] == [(me["id"], 1)]
        assert friend.ask("GET", f"/people/{guest['id']}").status_code == 404
        until(lambda: _holder(friend, friendly) == me["id"])
    assert recomputed(db)["changed"] == 0


def test_nothing_comes_along_unasked_or_from_somebody_who_keeps_a_name(here: Here) -> None:
    with Browser(here) as home, Browser(here) as phone, Browser(here) as other:
        home.keep("Ada")
        phone.be("Visitor")
        give_up(phone)
        assert sign_in(phone, "Ada")["games"] == 0
        other.keep("Bo")
        give_up(other)
        assert sign_in(other, "Ada", bring=True)["games"] == 0
        assert sign_in(other, "Bo")["games"] == 1


def test_the_guests_name_goes_with_the_account(here: Here) -> None:
    with Browser(here) as home, Browser(here) as phone, Browser(here) as friend:
        home.keep("Ada")
        phone.be("Visitor")
        table = _between(phone, friend)
        me = sign_in(phone, "Ada", bring=True)
        until(lambda: _holder(friend, table) == me["id"])
        assert "Visitor" in friend.ask("GET", f"/tables/{table}/record").text
        phone.do("DELETE", "/me", {"password": PASSWORD})
        until(lambda: "Visitor" not in friend.ask("GET", f"/tables/{table}/record").text)


@pytest.mark.parametrize("step", ["bring_book", "bring_tables"])
def test_what_was_broken_off_is_finished_when_the_server_is_back(
    db: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: object) -> None:
        raise RuntimeError("the server dies here")

    with serving(db) as first, Browser(first) as home, Browser(first) as phone:
        codes = home.keep("Ada")
        phone.be("Visitor")
        table = give_up(phone)
        with monkeypatch.context() as broken:
            for module in (bringing, personal):
                broken.setattr(module, step, die)
            broken.setattr(housekeeping, "EVERY_S", 3600.0)
            phone.ask("POST", "/signin/code", {"name": "Ada", "code": codes[0], "bring": True})
    with serving(db) as second, Browser(second) as back:
        me = sign_in(back, "Ada")
        until(lambda: back.me["games"] == 1)
        until(lambda: _holder(back, table) == me["id"])
    assert recomputed(db)["changed"] == 0


@pytest.mark.servers
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_killed_in_the_middle_of_what_accounts_do(
    database: str, db: Path, request: pytest.FixtureRequest
) -> None:
    """Keeping a name, coming back by a code, bringing games along: each is done or not, whoever
    dies, and ratings and games agree."""
    address = str(db)
    if database == "postgres":
        found: Cluster = request.getfixturevalue("cluster")
        address = found.database("accounts")
    with Process(address) as process, Browser(process.here) as home:
        home.be("Ada")
        give_up(home)
        _kill_during(process, lambda: home.do("POST", "/me/password", {"password": PASSWORD}))
        codes = _kept_after_all(home)
        used = {"name": "Ada", "code": codes[0]}
        with Browser(process.here) as phone:
            _kill_during(process, lambda: phone.do("POST", "/signin/code", used))
        with Browser(process.here) as phone:
            left = sign_in(phone, "Ada")["ways"]["codes_left"]
            assert left in (7, 8)
            assert phone.ask("POST", "/signin/code", used).is_success == (left == 8)
        with Browser(process.here) as phone:
            phone.be("Visitor")
            give_up(phone)
            _kill_during(process, lambda: sign_in(phone, "Ada", bring=True))
        with Browser(process.here) as back:
            sign_in(back, "Ada")
            assert back.me["games"] in (1, 2)
            until(lambda: len(back.do("GET", "/me/games")["games"]) == back.me["games"])
        process.stop()
    assert recomputed(address)["changed"] == 0


def _kept_after_all(browser: Browser) -> list[str]:
    """Recovery codes, whether or not the name was kept before the server died: its cookie may be
    the one that was never told."""
    if browser.me is None or browser.me["kept"]:
        sign_in(browser, "Ada")
        found: list[str] = browser.do("POST", "/me/codes")["codes"]
    else:
        found = browser.do("POST", "/me/password", {"password": PASSWORD})["codes"]
    return found


def _kill_during(process: Process, ask: Callable[[], object]) -> None:
    """The request is sent, and the server killed shortly after."""

    def asked() -> None:
        with contextlib.suppress(httpx.HTTPError, AssertionError):
            ask()

    asking = threading.Thread(target=asked)
    asking.start()
    asking.join(0.02)
    process.kill()
    asking.join()
    process.start()


def _between(one: Browser, other: Browser) -> str:
    """A friendly game that the first gives up."""
    if other.me is None:
        other.be("Friend")
    chairs = [{"kind": "me", "name": one.me["name"]}, {"kind": "open"}]
    asked = {"chairs": chairs, "seat_order": "fixed", "listed": True}
    made = one.do("POST", "/tables", asked)
    table = str(made["table"]["id"])
    body = {"name": "Friend", "code": made["invites"][0]["code"]}
    other.do("POST", f"/tables/{table}/join", body)
    one.do("POST", f"/tables/{table}/resign", {})
    until(lambda: other.ask("GET", f"/tables/{table}/game").is_success)
    return table


def _holder(browser: Browser, table: str) -> str | None:
    found: str | None = browser.do("GET", f"/tables/{table}")["chairs"][0].get("person")
    return found
