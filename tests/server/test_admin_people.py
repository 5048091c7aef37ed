"""`cabochon admin` and people: listed, renamed, banned, signed out, deleted, while servers run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.browsers import Browser, browsers
from tests.server.serving import Here, serving
from tests.server.test_admin import Host, soon
from tests.server.test_erasing import NAME, play_against


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("people") / "tables.db"


@pytest.fixture(scope="module")
def house(db: Path) -> Iterator[Here]:
    with serving(db) as here:
        yield here


@pytest.fixture
def host(db: Path, house: Here) -> Host:
    return Host(db)


def test_the_list_tells_who_there_is_and_nothing_that_lets_anybody_in(
    house: Here, host: Host
) -> None:
    with Browser(house) as one, browsers(house, "A Passer-by") as (guest,):
        codes = one.keep("Listed Person")
        one.add_passkey("Laptop")
        (found,) = host.do("people", "--name", "listed")
        assert (found["id"], found["kept"], found["tables"]) == (one.me["id"], True, 0)
        assert host.do("people", "--name", "passer") == []
        (seen,) = host.do("people", "--name", "passer", "--guests")
        assert seen["id"] == guest.me["id"]
        shown = host("people", "--guests", "--lang", "en").out
        assert "Listed Person" in shown
        for secret in (*codes, "argon2", one.cookie.partition(".")[2], "Laptop"):
            assert secret not in shown + str(host.do("people"))
        assert "已保留" in host("people", "--lang", "zh").out


def test_the_host_renames_and_signs_out(house: Here, host: Host) -> None:
    with Browser(house) as one, Browser(house) as other:
        one.keep("Rude Name")
        other.keep("Somebody Decent")
        who = f"person:{one.me['id']}"
        host.do("rename", who, "Polite Name")
        assert one.me["name"] == "Polite Name"
        assert "kept the name" in host.refused("rename", who, "somebody decent")
        assert host.do("signout", who)["count"] == 1
        assert one.me is None
        assert one.sign_in("Polite Name")["name"] == "Polite Name"
        assert "Nobody is known" in host.refused("signout", "person:nobody")


def test_a_banned_person_is_out_wherever_they_are(house: Here, host: Host) -> None:
    with Browser(house) as one, Browser(house) as other, browsers(house, "Opal") as (opal,):
        one.keep("Troublemaker")
        token = one.do("POST", "/me/tokens", {"name": "Trouble Bot"})["token"]
        table = play_against(one, opal)
        with one.socket(table) as talk:
            talk.hear("gameFull")
            made = host.do("ban", f"person:{one.me['id']}", "--reason", "rude")
            assert talk.hear("refused", timeout=20)["problem"]["code"] == "banned"
        assert one.ask("GET", "/me").json()["code"] == "banned"
        credentials = {"name": "Troublemaker", "password": "correct horse battery"}
        assert other.code("POST", "/signin/password", credentials) == "banned"
        assert house.try_get("/tokens/me", token).json()["code"] == "banned"
        host.do("lift", made["ban"])
        soon(lambda: one.ask("GET", "/me").is_success, "still banned")


def test_who_sits_there_is_banned_as_a_person(house: Here, host: Host) -> None:
    with browsers(house, "Seated", "Opal") as (one, opal):
        table = play_against(one, opal)
        (seat, _) = host.do("seats", "--table", table)
        assert seat["person"] == one.me["id"]
        made = host.do("ban", f"{table}:0")
        soon(lambda: one.ask("GET", "/me").status_code == 403, "not banned")
        assert opal.me is not None
        host.do("lift", made["ban"])


def test_the_host_deletes_an_account_and_the_name_goes(house: Here, host: Host) -> None:
    with Browser(house) as one, browsers(house, "Opal") as (opal,):
        one.keep(NAME)
        table = play_against(one, opal)
        host.do("delete", f"person:{one.me['id']}")
        soon(lambda: one.me is None, "still there")
        soon(lambda: NAME not in opal.ask("GET", f"/tables/{table}/record").text, "still named")
        assert host.do("people", "--name", NAME, "--guests") == []
        assert "Nobody is known" in host.refused("delete", "person:nobody")
