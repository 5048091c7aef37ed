"""Keeping one's name: passkeys, a password, recovery codes, several devices, tokens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from cabochon.server.access.cookies import PLAIN
from cabochon.server.people import naming
from cabochon.server.people.accounts import FRESH_MS
from cabochon.server.people.naming import RENAME_MS
from tests.server.authenticator import PRESENT, Authenticator
from tests.server.browsers import PASSWORD, Browser, browsers
from tests.server.serving import Here, serving

BOT = {"kind": "bot", "bot": "greedy"}


class LongTime:
    """A clock that is set forward."""

    def __init__(self) -> None:
        self.now = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def clock() -> LongTime:
    return LongTime()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, clock: LongTime) -> Iterator[Here]:
    with serving(tmp_path_factory.mktemp("accounts") / "tables.db", clock) as here:
        yield here


# Passwords


def test_a_password_keeps_the_name_and_lets_one_back_in(house: Here) -> None:
    with Browser(house) as one, Browser(house) as other:
        codes = one.keep("Pearl")
        me = one.me
        assert me["kept"]
        assert me["ways"] == {"passkeys": 0, "password": True, "codes_left": 8}
        assert len(set(codes)) == 8
        assert other.sign_in("pearl")["id"] == me["id"]
        assert other.me == me


def test_keeping_a_name_replaces_the_cookie(house: Here) -> None:
    """Somebody may have planted the one that a guest has."""
    with browsers(house, "Fixed") as (one,):
        planted = one.cookie
        one.do("POST", "/me/password", {"password": PASSWORD})
        assert one.cookie != planted
        assert one.me["kept"]
        assert house.get("/me", cookie=f"{PLAIN}={planted}")["person"] is None


def test_signing_in_makes_another_session_than_the_browser_had(house: Here) -> None:
    with Browser(house) as one, browsers(house, "Passer-by") as (other,):
        one.keep("Garnet")
        guest = other.cookie
        other.sign_in("Garnet")
        assert other.cookie.partition(".")[0] != guest.partition(".")[0]
        assert house.get("/me", cookie=f"{PLAIN}={guest}")["person"] is None


def test_the_password_is_changed_by_whoever_knows_it(house: Here, clock: LongTime) -> None:
    with Browser(house) as one, Browser(house) as other:
        one.keep("Jasper")
        clock.now += FRESH_MS + 1
        new = {"password": "another horse entirely"}
        assert one.code("POST", "/me/password", new) == "proof-needed"
        wrong = {**new, "current": "wrong horse battery"}
        assert one.code("POST", "/me/password", wrong) == "not-signed-in"
        assert one.do("POST", "/me/password", {**new, "current": PASSWORD})["codes"] is None
        credentials = {"name": "Jasper", "password": PASSWORD}
        assert other.code("POST", "/signin/password", credentials) == "not-signed-in"
        assert other.sign_in("Jasper", new["password"])["name"] == "Jasper"


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaa", "Obvious Name", "x" * 129])
def test_a_password_that_is_guessed_first_is_none(house: Here, password: str) -> None:
    with browsers(house, "Obvious Name") as (one,):
        assert one.ask("POST", "/me/password", {"password": password}).status_code == 422
        assert not one.me["kept"]


def test_a_name_can_be_chosen_when_it_is_kept(house: Here) -> None:
    with browsers(house, "Nobody") as (one,):
        body = {"name": "Zircon", "password": PASSWORD}
        assert one.do("POST", "/me/password", body)["me"]["name"] == "Zircon"


# Recovery codes


def test_a_code_lets_one_back_in_once(house: Here) -> None:
    with Browser(house) as one, Browser(house) as other:
        codes = one.keep("Amber")
        said = codes[3].upper().replace("-", " ")
        assert other.do("POST", "/signin/code", {"name": "AMBER", "code": said})["kept"]
        assert other.me["ways"]["codes_left"] == 7
        again = {"name": "Amber", "code": codes[3]}
        assert other.code("POST", "/signin/code", again) == "not-signed-in"
        assert other.do("POST", "/signin/code", {"name": "Amber", "code": codes[0]})["kept"]


def test_new_codes_replace_the_old(house: Here) -> None:
    with Browser(house) as one, Browser(house) as other:
        old = one.keep("Agate")
        new = one.do("POST", "/me/codes")["codes"]
        assert not set(old) & set(new)
        assert other.code("POST", "/signin/code", {"name": "Agate", "code": old[0]})
        assert other.do("POST", "/signin/code", {"name": "Agate", "code": new[0]})["kept"]


def test_somebody_else_s_code_is_good_for_nothing(house: Here) -> None:
    with Browser(house) as one, Browser(house) as other:
        codes = one.keep("Spinel")
        other.keep("Peridot")
        stolen = {"name": "Peridot", "code": codes[0]}
        assert other.code("POST", "/signin/code", stolen) == "not-signed-in"
        assert one.me["ways"]["codes_left"] == 8


# Passkeys


def test_whoever_does_not_say_a_name_is_given_one_that_nobody_keeps(
    house: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests' names are drawn, and some guests keep theirs: the next was refused for it."""
    drawn = iter((17, 17, 18))
    monkeypatch.setattr(naming, "secrets", SimpleNamespace(randbelow=lambda _: next(drawn)))
    with Browser(house) as one, Browser(house) as other:
        one.do("POST", "/me", {})
        one.do("POST", "/me/password", {"password": PASSWORD})
        assert other.do("POST", "/me", {})["name"] == "Guest 1018"


def test_a_passkey_keeps_the_name_and_lets_one_back_in(house: Here) -> None:
    with browsers(house, "Beryl") as (one,), Browser(house) as other:
        device = Authenticator(house.base)
        options = one.do("POST", "/me/passkeys/options", {})
        assert options["user"]["name"] == "Beryl"
        made = {"credential": device.create(options), "label": "Laptop"}
        kept = one.do("POST", "/me/passkeys", made)
        assert len(kept["codes"]) == 8
        assert kept["me"]["ways"] == {"passkeys": 1, "password": False, "codes_left": 8}
        asked = other.do("POST", "/signin/options")
        signed = other.do("POST", "/signin/passkey", {"credential": device.get(asked)})
        assert signed["id"] == kept["me"]["id"]
        (listed,) = other.do("GET", "/me/passkeys")["passkeys"]
        assert (listed["label"], listed["used_ms"] is not None) == ("Laptop", True)


def test_several_passkeys_are_listed_and_revoked_and_the_last_way_in_stays(house: Here) -> None:
    with browsers(house, "Topazia") as (one,), Browser(house) as other:
        first, second = one.add_passkey("One"), one.add_passkey("Two")
        listed = one.do("GET", "/me/passkeys")["passkeys"]
        assert [each["label"] for each in listed] == ["One", "Two"]
        one.do("DELETE", f"/me/passkeys/{listed[0]['id']}")
        gone = {"credential": first.get(other.do("POST", "/signin/options"))}
        assert other.code("POST", "/signin/passkey", gone) == "bad-passkey"
        good = {"credential": second.get(other.do("POST", "/signin/options"))}
        assert other.do("POST", "/signin/passkey", good)["name"] == "Topazia"
        assert one.code("DELETE", f"/me/passkeys/{listed[1]['id']}") == "last-way-in"


def test_what_was_signed_once_is_not_taken_twice(house: Here) -> None:
    with browsers(house, "Kyanite") as (one,), Browser(house) as other:
        device = one.add_passkey()
        signed = {"credential": device.get(other.do("POST", "/signin/options"))}
        other.do("POST", "/signin/passkey", signed)
        assert other.code("POST", "/signin/passkey", signed) == "bad-passkey"


def test_a_passkey_of_another_site_is_not_taken(house: Here) -> None:
    with browsers(house, "Larimar") as (one,), Browser(house) as other:
        device = one.add_passkey()
        device.origin = "https://evil.example"
        signed = {"credential": device.get(other.do("POST", "/signin/options"))}
        assert other.code("POST", "/signin/passkey", signed) == "bad-passkey"


def test_whoever_holds_the_device_must_unlock_it(house: Here) -> None:
    with browsers(house, "Unakite") as (one,), Browser(house) as other:
        device = one.add_passkey()
        signed = {"credential": device.get(other.do("POST", "/signin/options"), PRESENT)}
        assert other.code("POST", "/signin/passkey", signed) == "bad-passkey"


def test_a_challenge_is_good_for_what_it_was_made_for_and_for_whom(house: Here) -> None:
    with browsers(house, "Ammolite", "Eve") as (one, eve):
        device = Authenticator(house.base)
        options = one.do("POST", "/me/passkeys/options", {})
        made = {"credential": device.create(options)}
        assert eve.code("POST", "/me/passkeys", made) == "bad-passkey"
        assert not eve.me["kept"]
        options["challenge"] = one.do("POST", "/signin/options")["challenge"]
        made = {"credential": device.create(options)}
        assert one.code("POST", "/me/passkeys", made) == "bad-passkey"


@pytest.mark.parametrize(
    "credential", [{}, {"id": 1}, {"response": 3}, {"response": {"clientDataJSON": "e30"}}]
)
def test_nonsense_is_no_passkey(house: Here, credential: dict[str, object]) -> None:
    with browsers(house, "Nonsense") as (one,):
        body = {"credential": credential}
        assert one.code("POST", "/signin/passkey", body) == "bad-passkey"
        assert one.code("POST", "/me/passkeys", body) == "bad-passkey"


# Names


@pytest.mark.parametrize("name", ["Sapphira", "SAPPHIRA", "S\u0430pphira", "Sap phira"])
def test_nobody_else_is_called_like_a_kept_name(house: Here, name: str) -> None:
    with Browser(house) as one, browsers(house, "Other One") as (other,), Browser(house) as third:
        if house.get("/names/Sapphira")["free"]:
            one.keep("Sapphira")
        told = house.get(f"/names/{name}")
        assert (told["free"], told["why"]["code"]) == (False, "name-kept")
        chairs = [{"kind": "me", "name": name}, BOT]
        assert other.code("PATCH", "/me", {"name": name}) == "name-kept"
        assert other.code("POST", "/tables", {"chairs": chairs}) == "name-kept"
        assert third.code("POST", "/me", {"name": name}) == "name-kept"
        assert house.try_post("/tables", {"chairs": chairs}).json()["code"] == "name-kept"
        assert house.try_post("/tokens", {"name": name}).json()["code"] == "name-kept"
        local = [{"kind": "me", "name": "Me"}, {"kind": "local", "name": name}]
        assert house.try_post("/tables", {"chairs": local}).json()["code"] == "name-kept"


def test_who_keeps_a_name_sits_down_by_it_whatever_they_say(house: Here) -> None:
    with Browser(house) as one:
        one.keep("Iolite")
        made = one.do("POST", "/tables", {"chairs": [{"kind": "me", "name": "Somebody"}, BOT]})
        assert "Iolite" in [chair["name"] for chair in made["table"]["chairs"]]


def test_a_kept_name_changes_once_a_month_and_the_old_one_is_free(
    house: Here, clock: LongTime
) -> None:
    with Browser(house) as one, Browser(house) as other:
        one.keep("Citrine")
        assert one.do("PATCH", "/me", {"name": "Citrina"})["name"] == "Citrina"
        assert one.code("PATCH", "/me", {"name": "Citrine"}) == "renamed-lately"
        assert one.me["rename_after_ms"] == clock.now + RENAME_MS
        other.be("Citrine")
        clock.now += RENAME_MS
        assert one.do("PATCH", "/me", {"name": "Citrinella"})["name"] == "Citrinella"


def test_of_two_guests_of_one_name_the_first_keeps_it(house: Here) -> None:
    with browsers(house, "Howlite", "Howlite") as (one, other):
        one.do("POST", "/me/password", {"password": PASSWORD})
        assert other.code("POST", "/me/password", {"password": PASSWORD}) == "name-kept"
        assert other.me["ways"] == {"passkeys": 0, "password": False, "codes_left": 0}


# Devices


def test_devices_are_listed_and_signed_out_one_by_one_or_all(house: Here) -> None:
    with Browser(house) as one, Browser(house, user_agent="Firefox on Windows") as other:
        one.keep("Rhodonite")
        other.sign_in("Rhodonite")
        sessions = one.do("GET", "/me/sessions")["sessions"]
        assert sorted(each["here"] for each in sessions) == [False, True]
        (elsewhere,) = (each for each in sessions if not each["here"])
        assert elsewhere["label"] == "Firefox · Windows"
        one.do("DELETE", f"/me/sessions/{elsewhere['id']}")
        assert other.me is None
        other.sign_in("Rhodonite")
        other.do("DELETE", "/me/sessions")
        assert one.me is None
        assert other.me is None


def test_a_game_goes_on_from_another_device(house: Here) -> None:
    with Browser(house) as one, Browser(house) as other:
        one.keep("Sodalite")
        made = one.do("POST", "/tables", {"chairs": [{"kind": "me", "name": "x"}, BOT]})
        other.sign_in("Sodalite")
        (found,) = other.do("GET", "/me/tables")["tables"]
        assert found["table"]["id"] == made["table"]["id"]
        with other.socket(found["table"]["id"]) as talk:
            assert talk.hear("gameFull")["you"] == found["seats"][0]


def test_nobody_ends_the_sessions_or_takes_the_tokens_of_others(house: Here) -> None:
    with Browser(house) as one, browsers(house, "Mallory") as (other,):
        one.keep("Lepidolite")
        (mine,) = one.do("GET", "/me/sessions")["sessions"]
        token = one.do("POST", "/me/tokens", {"name": "Lepi Bot"})
        passkey = one.add_passkey()
        (kept,) = one.do("GET", "/me/passkeys")["passkeys"]
        assert passkey.user
        assert other.code("DELETE", f"/me/sessions/{mine['id']}") == "no-such-session"
        assert other.code("DELETE", f"/me/tokens/{token['id']}") == "no-such-token"
        assert other.code("DELETE", f"/me/passkeys/{kept['id']}") == "no-such-passkey"
        assert one.me["ways"]["passkeys"] == 1


# Tokens


def test_tokens_belong_to_an_account_and_older_ones_to_nobody(house: Here) -> None:
    with Browser(house) as one, browsers(house, "A Guest") as (guest,):
        one.keep("Moonstone")
        made = one.do("POST", "/me/tokens", {"name": "Moon Bot", "scopes": ["table:play"]})
        (listed,) = one.do("GET", "/me/tokens")["tokens"]
        assert (listed["id"], listed["scopes"]) == (made["id"], ["table:play"])
        assert house.get("/tokens/me", made["token"])["name"] == "Moon Bot"
        old = house.post("/tokens", {"name": "Robo"})["token"]
        assert house.get("/tokens/me", old)["name"] == "Robo"
        assert guest.code("POST", "/me/tokens", {"name": "X"}) == "not-kept"
        one.do("DELETE", f"/me/tokens/{made['id']}")
        assert house.try_get("/tokens/me", made["token"]).status_code == 403
        assert one.do("GET", "/me/tokens")["tokens"] == []


def test_a_token_made_in_one_s_browser_is_one_s_own(house: Here) -> None:
    with Browser(house) as one:
        one.keep("Sunstone")
        one.do("POST", "/tokens", {"name": "Sun Bot"})
        assert [each["name"] for each in one.do("GET", "/me/tokens")["tokens"]] == ["Sun Bot"]


# Proof


def test_ways_in_change_only_shortly_after_one_has_shown_who_one_is(
    house: Here, clock: LongTime
) -> None:
    with Browser(house) as one:
        codes = one.keep("Obsidian")
        clock.now += FRESH_MS + 1
        for method, path in (
            ("POST", "/me/passkeys/options"),
            ("POST", "/me/codes"),
            ("DELETE", "/me/passkeys/x"),
        ):
            assert one.code(method, path) == "proof-needed"
        assert one.code("POST", "/me/proof", {"password": "wrong"}) == "not-signed-in"
        before = one.cookie
        one.do("POST", "/me/proof", {"code": codes[0]})
        assert one.cookie != before
        assert len(one.do("POST", "/me/codes")["codes"]) == 8


def test_a_stranger_s_proof_is_none(house: Here, clock: LongTime, tmp_path: Path) -> None:
    with Browser(house) as one, Browser(house) as other:
        one.keep("Turquoise")
        other.keep("Malachite")
        device = other.add_passkey()
        clock.now += FRESH_MS + 1
        proof = {"credential": device.get(one.do("POST", "/signin/options"))}
        assert one.code("POST", "/me/proof", proof) == "not-signed-in"
