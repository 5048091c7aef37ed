"""What somebody would try who wants to be somebody else: guessing, planting, stealing, asking from
another site, taking a name that looks the same, finding out who has an account."""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from cabochon.play.clock import DAY_MS
from cabochon.server.access.cookies import PLAIN
from cabochon.server.access.playernames import looks
from cabochon.server.people.accounts import ADDRESS, HERE, NAME, QUARTER_HOUR_MS
from cabochon.server.storage.database import open_database
from cabochon.server.storage.guesses import Guesses, GuessRule
from cabochon.server.storage.sessions import GRACE_MS
from tests.server.browsers import PASSWORD, Browser, browsers
from tests.server.cluster import Cluster
from tests.server.serving import Here, Talk, serving
from tests.server.test_accounts import LongTime

WRONG = "not the right horse"


def attempt(here: Here, name: str, address: str = "198.51.100.1") -> httpx.Response:
    body = {"name": name, "password": WRONG}
    return here.try_post("/signin/password", body, x_forwarded_for=address)


# Guessing


def test_guessing_gets_slower_and_slower_until_a_quarter_of_an_hour(tmp_path: Path) -> None:
    clock = LongTime()
    with serving(tmp_path / "t.db", clock, trust_proxy=True) as here, Browser(here) as owner:
        owner.keep("Target")
        waits = []
        for _ in range(16):
            refused = attempt(here, "Target")
            assert refused.json()["code"] == "not-signed-in"
            again = attempt(here, "Target")
            if again.status_code == 429:
                waits.append(int(again.headers["retry-after"]))
                clock.now += waits[-1] * 1000
            else:
                assert again.json()["code"] == "not-signed-in"
        growing = [wait for wait in waits if wait < QUARTER_HOUR_MS // 1000]
        assert growing == [2**n for n in range(len(growing))]
        assert waits[-1] == QUARTER_HOUR_MS // 1000


def test_many_at_once_are_no_way_round(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", LongTime(), trust_proxy=True) as here, Browser(here) as owner:
        owner.keep("Target")
        with ThreadPoolExecutor(12) as crowd:
            answers = list(crowd.map(lambda _: attempt(here, "Target").status_code, range(36)))
    assert answers.count(403) == HERE.free
    assert answers.count(429) == 36 - HERE.free


def test_from_many_addresses_a_name_is_tried_only_now_and_then(tmp_path: Path) -> None:
    """And its owner waits for half a minute at most."""
    clock = LongTime()
    with serving(tmp_path / "t.db", clock, trust_proxy=True) as here, Browser(here) as owner:
        owner.keep("Target")
        answers = [attempt(here, "Target", f"203.0.113.{n}").status_code for n in range(1, 60)]
        assert answers.count(403) == NAME.free
        with Browser(here, x_forwarded_for="192.0.2.44") as home:
            late = home.ask("POST", "/signin/password", {"name": "Target", "password": PASSWORD})
            assert int(late.headers["retry-after"]) <= NAME.most_ms // 1000
            clock.now += NAME.most_ms
            assert home.sign_in("Target")["name"] == "Target"


@pytest.mark.parametrize(
    ("path", "body"), [("/me/password", {"password": PASSWORD}), ("/me/codes", {})]
)
def test_one_alone_does_not_keep_the_hashing_busy(
    tmp_path: Path, path: str, body: dict[str, str]
) -> None:
    """Everybody who signs in waits for it."""
    with serving(tmp_path / "t.db", requests_per_s=4) as here, Browser(here) as owner:
        owner.keep("Mallory")
        with ThreadPoolExecutor(20) as crowd:
            asked = crowd.map(lambda _: owner.ask("POST", path, body).status_code, range(20))
            answers = list(asked)
    assert 200 in answers
    assert 429 in answers


def test_another_spelling_is_no_further_guess(tmp_path: Path) -> None:
    """A capital I looks like a small L: each spelling looks a little different, and all of them
    ask for the same account."""
    with serving(tmp_path / "t.db", LongTime(), trust_proxy=True) as here, Browser(here) as owner:
        owner.keep("mimi miki")
        spellings = [f"m{a}m{b} m{c}k{d}" for a, b, c, d in itertools.product("iI", repeat=4)]
        assert len({max(looks(each)) for each in spellings}) > 10
        answers = [
            attempt(here, each, f"203.0.113.{n}").status_code for n, each in enumerate(spellings)
        ]
        assert answers.count(403) == NAME.free


def test_one_address_tries_only_so_many_names(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", LongTime(), trust_proxy=True) as here:
        answers = [attempt(here, f"Somebody {n}").status_code for n in range(40)]
        assert answers.count(403) == ADDRESS.free
        assert attempt(here, "Elsewhere", "203.0.113.9").status_code == 403


def test_codes_and_proofs_are_guessed_no_faster_than_passwords(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", LongTime()) as here, Browser(here) as owner:
        owner.keep("Target")
        code = {"name": "Target", "code": "aaaa-bbbb-cccc"}
        answers = [here.try_post("/signin/code", code).status_code for _ in range(6)]
        assert answers.count(403) == HERE.free
        refused = owner.ask("POST", "/me/proof", {"password": WRONG})
        assert refused.status_code == 429


def test_an_own_account_does_not_open_the_way_for_guessing(tmp_path: Path) -> None:
    """Signing in to one's own account in between forgives nothing but itself."""
    with serving(tmp_path / "t.db", LongTime(), trust_proxy=True) as here, Browser(here) as own:
        own.keep("Mallory")
        answers = []
        for n in range(40):
            answers.append(attempt(here, f"Victim {n}").status_code)
            own.http.headers["x-forwarded-for"] = "198.51.100.1"
            own.ask("POST", "/signin/password", {"name": "Mallory", "password": PASSWORD})
        assert answers.count(403) <= ADDRESS.free


# Asking who has an account


def test_a_name_that_nobody_has_gets_the_same_answer(tmp_path: Path) -> None:
    with serving(tmp_path / "t.db", LongTime(), trust_proxy=True) as here:
        with Browser(here) as one, browsers(here, "Keyless") as (keyless,):
            one.keep("Real")
            keyless.add_passkey()
        told = {}
        for name in ("Real", "Keyless", "Nobody at All"):
            answers = []
            for _ in range(6):
                got = attempt(here, name, f"203.0.113.{len(name)}")
                wait = got.headers.get("retry-after")
                answers.append((got.status_code, got.json()["code"], wait))
            code = {"name": name, "code": "aaaa-bbbb-cccc"}
            got = here.try_post("/signin/code", code, x_forwarded_for=f"192.0.2.{len(name)}")
            answers.append((got.status_code, got.json()["code"], None))
            options = here.post("/signin/options", {"name": name})
            del options["challenge"]
            told[name] = answers, options
        assert told["Real"] == told["Nobody at All"]
        assert told["Keyless"] == told["Nobody at All"]


@pytest.mark.timing
def test_a_name_that_nobody_has_takes_as_long(tmp_path: Path) -> None:
    """The two are asked by turns, so that the machine's moods are the same for both."""
    with serving(tmp_path / "t.db", trust_proxy=True) as here, Browser(here) as one:
        one.keep("Real")
        times: dict[str, list[float]] = {"Real": [], "Nobody": []}
        for n in range(24):
            for name, taken in times.items():
                began = time.perf_counter()
                answer = attempt(here, name, f"10.{n}.{len(name)}.1")
                taken.append(time.perf_counter() - began)
                if answer.status_code == 429:
                    taken.pop()
        real, nobody = (statistics.median(taken) for taken in times.values())
        assert 0.6 < real / nobody < 1.6


# Another site


WRITES: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/me", {}),
    ("PATCH", "/me", {"name": "Hacked"}),
    ("DELETE", "/me", None),
    ("POST", "/me/password", {"password": "hacked by another site"}),
    ("POST", "/me/passkeys/options", {}),
    ("POST", "/me/passkeys", {"credential": {}}),
    ("POST", "/me/codes", None),
    ("POST", "/me/tokens", {"name": "Evil Bot"}),
    ("DELETE", "/me/sessions", None),
    ("POST", "/signin/password", {"name": "Mallory", "password": PASSWORD}),
    ("POST", "/signin/options", {}),
    ("POST", "/signout", None),
    ("POST", "/tables", {"chairs": [{"kind": "me", "name": "x"}, {"kind": "open"}]}),
    ("POST", "/tokens", {"name": "Evil Bot"}),
)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example"]
)
def test_another_site_cannot_do_anything_in_one_s_name(here: Here, origin: str) -> None:
    with Browser(here) as one:
        one.keep(f"Careful {abs(hash(origin)) % 1000}")
        before, cookie = one.me, one.cookie
        for method, path, body in WRITES:
            answer = one.ask(method, path, body, origin=origin, sec_fetch_site="cross-site")
            assert (answer.status_code, answer.json()["code"]) == (403, "bad-origin"), path
            assert "set-cookie" not in answer.headers
        assert (one.me, one.cookie) == (before, cookie)


def test_another_site_opens_no_socket_with_one_s_cookie(here: Here) -> None:
    with browsers(here, "Ada") as (ada,):
        chairs = [{"kind": "me", "name": "Ada"}, {"kind": "bot", "bot": "greedy"}]
        table = ada.do("POST", "/tables", {"chairs": chairs})["table"]["id"]
        cookie = f"{PLAIN}={ada.cookie}"
        with pytest.raises(InvalidStatus) as refused:
            Talk(here.port, table, Cookie=cookie, Origin="https://evil.example")
        assert refused.value.response.status_code == 403
        with Talk(here.port, table, Cookie=cookie, Origin=here.base) as talk:
            talk.say(type="hello", keys=[])
            assert talk.hear("gameFull")["you"] is not None


# Stolen and planted cookies


def test_an_old_cookie_that_turns_up_again_ends_the_session_of_a_kept_name(tmp_path: Path) -> None:
    """Either of the two who have had it may be the thief: the right one signs in again."""
    clock = LongTime()
    with serving(tmp_path / "t.db", clock) as here, Browser(here) as one:
        one.keep("Careless")
        stolen = one.cookie
        clock.now += DAY_MS + 1
        one.http.get("/api/me")
        assert one.me is not None
        assert one.cookie != stolen
        clock.now += GRACE_MS + 1
        assert here.get("/me", cookie=f"{PLAIN}={stolen}")["person"] is None
        assert one.me is None
        assert one.sign_in("Careless")["name"] == "Careless"


def test_a_session_s_id_alone_is_worth_nothing(here: Here) -> None:
    """It is listed, so it must not open anything."""
    with Browser(here) as one:
        one.keep("Listed")
        (mine,) = one.do("GET", "/me/sessions")["sessions"]
        for secret in ("", "x", "0" * 43, mine["id"]):
            forged = f"{PLAIN}={mine['id']}.{secret}"
            assert here.get("/me", cookie=forged)["person"] is None


def test_a_planted_cookie_is_replaced_by_signing_in(here: Here) -> None:
    with Browser(here) as victim, browsers(here, "Planter") as (planter,):
        victim.keep("Victim")
        victim.do("POST", "/signout")
        victim.http.cookies.set(PLAIN, planter.cookie, domain="127.0.0.1")
        victim.sign_in("Victim")
        assert planter.me is None
        assert victim.me["name"] == "Victim"


# Names that look the same


@pytest.mark.parametrize(
    "name",
    [
        "adamant",
        "ADAMANT",
        "Ad\u0430mant",
        "\u0410damant",
        "A.d.a.m.a.n.t",
        "Adamant\u2060",
        "Ａdamant",
    ],
)
def test_a_kept_name_cannot_be_kept_again_by_a_look_alike(here: Here, name: str) -> None:
    with Browser(here) as one, browsers(here, "Squatter") as (other,):
        if here.get("/names/Adamant")["free"]:
            one.keep("Adamant")
        assert not here.get(f"/names/{name}")["free"]
        refused = other.ask("POST", "/me/password", {"name": name, "password": PASSWORD})
        assert refused.status_code in (409, 422)
        assert not other.me["kept"]


def test_two_who_keep_look_alikes_at_once_do_not_both_get_them(here: Here) -> None:
    with browsers(here, "Simultan", "Simult\u0430n") as pair:
        with ThreadPoolExecutor(2) as both:
            answers = list(both.map(_keeps, pair))
        assert sorted(answer.status_code for answer in answers) == [200, 409]


def _keeps(browser: Browser) -> httpx.Response:
    return browser.ask("POST", "/me/password", {"password": PASSWORD})


# What is kept


def test_nothing_that_lets_anybody_in_is_kept_as_it_is(tmp_path: Path) -> None:
    db = tmp_path / "t.db"
    with serving(db) as here, Browser(here) as one:
        codes = one.keep("Secretive")
        token = one.do("POST", "/me/tokens", {"name": "Secret Bot"})["token"]
        cookie = one.cookie
    raw = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in (PASSWORD, *codes, *(code.replace("-", "") for code in codes), token):
        assert secret.encode() not in raw
    assert cookie.partition(".")[2].encode() not in raw
    assert b"$argon2id$" in raw


# The delays themselves


def test_delays_double_from_a_second_and_end_somewhere() -> None:
    rule = GuessRule(2, 10_000)
    assert [rule.delay_ms(n) for n in range(8)] == [0, 0, 1000, 2000, 4000, 8000, 10_000, 10_000]
    assert rule.delay_ms(10**9) == 10_000


def test_what_was_long_ago_is_forgotten(tmp_path: Path) -> None:
    async def test() -> None:
        engine = await open_database(str(tmp_path / "t.db"))
        guesses, rules = Guesses(engine), {"me": GuessRule(0, 900_000)}
        assert await guesses.attempt(rules, 1_000) == 0
        assert await guesses.attempt(rules, 1_500) > 0
        assert await guesses.attempt(rules, DAY_MS + 2_000) == 0
        await guesses.tidy(3 * DAY_MS)
        assert await guesses.attempt(rules, 3 * DAY_MS) == 0
        await engine.dispose()

    asyncio.run(test())


@pytest.mark.servers
def test_two_nodes_are_one_house(cluster: Cluster) -> None:
    """Delays, sessions, challenges and names hold at both, and signing out at one ends what is
    open at the other."""
    db = cluster.database("accounts")
    with serving(db) as a, serving(db) as b, Browser(a) as one, Browser(b) as other:
        codes = one.keep("Everywhere")
        device = one.add_passkey()
        signed = {"credential": device.get(other.do("POST", "/signin/options"))}
        device.origin = b.base
        assert other.code("POST", "/signin/passkey", signed) == "bad-passkey"  # of the other port
        signed = {"credential": device.get(one.do("POST", "/signin/options"))}
        assert other.do("POST", "/signin/passkey", signed)["name"] == "Everywhere"
        chairs = [{"kind": "me", "name": "x"}, {"kind": "bot", "bot": "greedy"}]
        table = one.do("POST", "/tables", {"chairs": chairs})["table"]["id"]
        with other.socket(table) as talk:
            assert talk.hear("gameFull")["you"] is not None
            one.do("DELETE", "/me/sessions")
            assert talk.hear("refused", timeout=20)["problem"]["code"] == "signed-out"
        assert other.me is None
        code = {"name": "Everywhere", "code": codes[0]}
        assert other.do("POST", "/signin/code", code)["kept"]
        assert one.code("POST", "/signin/code", code) == "not-signed-in"
        answers = [
            node.try_post("/signin/password", {"name": "Everywhere", "password": WRONG}).status_code
            for node in (a, b, a, b, a, b)
        ]
        assert answers.count(429) >= 1
        assert b.try_post("/me", {"name": "everywhere"}).json()["code"] == "name-kept"
