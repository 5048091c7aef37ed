"""A person from the first visit on: guests, their cookie, and the seats that are theirs."""

from __future__ import annotations

from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from cabochon.play.clock import DAY_MS
from cabochon.server.access.cookies import PLAIN, SECURE, device_label
from cabochon.server.storage.sessions import GRACE_MS
from tests.server.browsers import Browser, browsers
from tests.server.serving import Here, serving

BOT = {"kind": "bot", "bot": "greedy"}


def test_a_guest_is_somebody_from_the_first_visit_on(here: Here) -> None:
    with Browser(here) as one:
        assert one.me is None
        made = one.be("Ada Guest")
        assert one.me == made
        assert (made["name"], made["kept"], made["hidden"]) == ("Ada Guest", False, False)
        assert made["ways"] == {"passkeys": 0, "password": False, "codes_left": 0}
        assert one.do("POST", "/me", {"name": "Other"})["id"] == made["id"]


def test_who_says_no_name_gets_one_in_their_language(here: Here) -> None:
    with Browser(here) as one, Browser(here, accept_language="zh") as other:
        assert one.do("POST", "/me")["name"].startswith("Guest ")
        assert other.do("POST", "/me")["name"].startswith("访客 ")


def test_the_cookie_is_for_our_pages_alone(here: Here) -> None:
    with Browser(here) as one:
        said = one.ask("POST", "/me", {"name": "Ada"}).headers["set-cookie"]
    assert said.startswith(f"{PLAIN}=")
    for word in ("HttpOnly", "SameSite=lax", "Path=/", "Max-Age=34560000"):
        assert word in said
    assert "Secure" not in said
    assert "Domain" not in said


def test_over_https_the_cookie_is_secure_and_no_other_is_read(tmp_path: Path) -> None:
    with serving(tmp_path / "tables.db", trust_proxy=True) as here, Browser(here) as one:
        proxied = {"x_forwarded_proto": "https", "x_forwarded_for": "198.51.100.7"}
        answer = one.ask("POST", "/me", {"name": "Ada"}, **proxied)
        said = answer.headers["set-cookie"]
        assert said.startswith(f"{SECURE}=")
        assert "Secure" in said
        value = said.partition("=")[2].partition(";")[0]
        for name, known in ((SECURE, True), (PLAIN, False)):
            found = here.get("/me", cookie=f"{name}={value}", **proxied)["person"]
            assert (found is not None) is known


def test_a_page_that_came_over_https_gets_a_secure_cookie(here: Here) -> None:
    with Browser(here) as one:
        origin = here.base.replace("http:", "https:")
        said = one.ask("POST", "/me", {}, origin=origin).headers["set-cookie"]
    assert said.startswith(f"{SECURE}=")


def test_a_guest_plays_by_cookie_alone_and_others_do_not(here: Here) -> None:
    with browsers(here, "Ada", "Eve") as (ada, eve):
        chairs = [{"kind": "me", "name": "Ada"}, BOT]
        made = ada.do("POST", "/tables", {"chairs": chairs, "seat_order": "fixed"})
        table = made["table"]["id"]
        assert made["table"]["chairs"][0]["person"] == ada.me["id"]
        assert "person" not in made["table"]["chairs"][1]
        with ada.socket(table) as talk:
            full = talk.hear("gameFull")
            assert full["you"] == 0
            move = {"moves": full["legal"][:1], "version": full["version"]}
        refused = eve.ask("POST", f"/tables/{table}/move", move)
        assert (refused.status_code, refused.json()["code"]) == (403, "bad-key")
        assert ada.do("POST", f"/tables/{table}/move", move)["ok"]


def test_a_hot_seat_is_one_person_on_two_chairs(here: Here) -> None:
    with browsers(here, "Ada") as (ada,):
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "local", "name": "Bo"}]
        made = ada.do("POST", "/tables", {"chairs": chairs, "seat_order": "fixed"})
        table, mine = made["table"]["id"], ada.me["id"]
        assert [chair["person"] for chair in made["table"]["chairs"]] == [mine, mine]
        for seat in (0, 1):
            state = ada.here.full(table, made["keys"][seat]["key"])
            assert state["you"] == seat
        with ada.socket(table) as talk:
            assert sorted(talk.hear("gameFull")["seats_held"]) == [0, 1]


def test_who_joins_by_cookie_sits_as_that_person(here: Here) -> None:
    with browsers(here, "Ada", "Bo") as (ada, bo):
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
        made = ada.do("POST", "/tables", {"chairs": chairs, "seat_order": "fixed"})
        table, code = made["table"]["id"], made["invites"][0]["code"]
        joined = bo.do("POST", f"/tables/{table}/join", {"name": "Bo", "code": code})
        assert joined["table"]["chairs"][1]["person"] == bo.me["id"]
        with bo.socket(table) as talk:
            assert talk.hear("gameFull")["you"] == 1


def test_a_guest_is_called_what_they_last_called_themselves(here: Here) -> None:
    with browsers(here, "Ada") as (ada,):
        ada.do("POST", "/tables", {"chairs": [{"kind": "me", "name": "Countess"}, BOT]})
        assert ada.me["name"] == "Countess"
        assert ada.do("PATCH", "/me", {"name": "Lovelace", "hidden": True})["hidden"]
        assert ada.me["name"] == "Lovelace"
        assert ada.me["rename_after_ms"] is None


@pytest.mark.parametrize("name", ["\u200b", "Diamond", "D\u0456amond"])
def test_a_guest_cannot_be_called_just_anything(here: Here, name: str) -> None:
    with Browser(here) as one:
        assert one.ask("POST", "/me", {"name": name}).status_code == 422
        assert one.me is None


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"sec_fetch_site": "cross-site"}, False),
        ({"sec_fetch_site": "same-site"}, False),
        ({"sec_fetch_site": "same-origin"}, True),
    ],
)
def test_another_site_writes_nothing_in_anybody_s_name(
    here: Here, headers: dict[str, str], allowed: bool
) -> None:
    with browsers(here, "Ada") as (ada,):
        table = {"chairs": [{"kind": "me", "name": "Ada"}, BOT]}
        for method, path, body in (
            ("PATCH", "/me", {"hidden": True}),
            ("POST", "/tables", table),
            ("POST", "/signout", None),
        ):
            answer = ada.ask(method, path, body, **headers)
            assert answer.is_success is allowed
            if not allowed:
                assert (answer.status_code, answer.json()["code"]) == (403, "bad-origin")


def test_nobody_can_be_made_a_guest_from_another_site(here: Here) -> None:
    with Browser(here) as one:
        answer = one.ask("POST", "/me", {}, origin="https://evil.example")
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_signing_out_ends_the_session_and_what_is_open(here: Here) -> None:
    with browsers(here, "Ada") as (ada,):
        made = ada.do("POST", "/tables", {"chairs": [{"kind": "me", "name": "Ada"}, BOT]})
        stolen = ada.cookie
        with ada.socket(made["table"]["id"]) as talk:
            talk.hear("gameFull")
            ada.do("POST", "/signout")
            assert talk.hear("refused")["problem"]["code"] == "signed-out"
            with pytest.raises(ConnectionClosed):
                talk.hear_out()
        assert PLAIN not in ada.http.cookies
        assert here.get("/me", cookie=f"{PLAIN}={stolen}")["person"] is None


@pytest.mark.parametrize("cookie", ["", ".", "x", "x.y", "a" * 400, "..", "é.é"])
def test_a_cookie_that_says_nothing_is_nobody(here: Here, cookie: str) -> None:
    raw = f"{PLAIN}={cookie}".encode()
    answer = here.http.get("/api/me", headers=[(b"cookie", raw)])
    assert answer.status_code in (200, 400)
    if answer.status_code == 200:
        assert answer.json() == {"person": None}


class LongTime:
    """A clock that is set forward."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


def test_the_secret_changes_and_the_old_one_dies_when_the_new_one_is_used(tmp_path: Path) -> None:
    clock = LongTime()
    with serving(tmp_path / "tables.db", clock) as here, browsers(here, "Ada") as (ada,):
        first = ada.cookie

        def known(cookie: str) -> bool:
            return here.get("/me", cookie=f"{PLAIN}={cookie}")["person"] is not None

        clock.now += DAY_MS + 1
        assert known(first)  # a new one is offered, and lost on the way
        clock.now += GRACE_MS + 1
        ada.http.get("/api/me")
        second = ada.cookie
        assert second != first
        assert known(first)
        assert ada.me["name"] == "Ada"  # the new one comes back
        clock.now += GRACE_MS
        assert known(first)
        clock.now += 1
        assert not known(first)
        assert known(second)


def test_devices_are_told_apart() -> None:
    windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"
    phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1"
    assert device_label(windows) == "Firefox · Windows"
    assert device_label(phone) == "Safari · iPhone"
    assert device_label(None) == ""
