"""Asking somebody for a game: told where they are, accepted or declined."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from cabochon.server.access.cookies import PLAIN
from cabochon.server.people.fairness import household, same_household
from cabochon.server.people.invitedesk import MOST_OPEN, SAME_AN_HOUR, WAITS_MS
from tests.server.browsers import Browser, browsers
from tests.server.serving import Here, serving
from tests.server.test_accounts import LongTime
from tests.server.test_settling import settled


@pytest.fixture(scope="module")
def clock() -> LongTime:
    return LongTime()


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, clock: LongTime) -> Iterator[Here]:
    folder = tmp_path_factory.mktemp("invitations")
    with serving(folder / "tables.db", clock, trust_proxy=True) as here:
        yield here


class Lobby:
    """The lobby's socket of somebody."""

    def __init__(self, browser: Browser, query: str = "") -> None:
        cookie = {"Cookie": f"{PLAIN}={browser.cookie}"}
        address = f"ws://127.0.0.1:{browser.here.port}/api/lobby{query}"
        self._stack = contextlib.ExitStack()
        self.ws = self._stack.enter_context(
            connect(address, additional_headers=cookie, max_size=None, close_timeout=0.2)
        )

    def hear(self, kind: str) -> Any:
        while True:
            said = json.loads(self.ws.recv(10))
            if said["type"] == kind:
                return said

    def __enter__(self) -> Lobby:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def ask(one: Browser, other: Browser, **more: Any) -> Any:
    return one.do("POST", "/invitations", {"person": other.me["id"], "pool": "two-5-3", **more})


def waiting(browser: Browser) -> list[Any]:
    found: list[Any] = browser.do("GET", "/me/invitations")["invitations"]
    return found


def test_an_invitation_is_told_at_once_and_both_sit_down(house: Here) -> None:
    with browsers(house, "Ada", "Bo") as (ada, bo), Lobby(bo) as lobby, Lobby(ada) as hers:
        made = ask(ada, bo)
        assert (made["mine"], made["state"], made["rated"]) == (True, "open", False)
        (told,) = lobby.hear("invitations")["invitations"]
        assert (told["name"], told["mine"], told["pool"]) == ("Ada", False, "two-5-3")
        answer = bo.do("POST", f"/invitations/{told['id']}/accept", {})
        chairs = ada.do("GET", f"/tables/{answer['table']}")["chairs"]
        assert {chair["name"] for chair in chairs} == {"Ada", "Bo"}
        heard = hers.hear("invitations")["invitations"]
        while heard[0]["state"] != "accepted":
            heard = hers.hear("invitations")["invitations"]
        assert heard[0]["table"] == answer["table"]
        assert bo.code("POST", f"/invitations/{told['id']}/accept", {}) == "no-such-invitation"
        again = {"person": bo.me["id"], "pool": "two-5-3"}
        assert ada.code("POST", "/invitations", again) == "pool-playing"
        ada.do("POST", f"/tables/{answer['table']}/resign", {})


def test_who_declines_is_not_asked_on_and_the_other_is_told(house: Here) -> None:
    with browsers(house, "Ada", "Bo") as (ada, bo):
        made = ask(ada, bo)
        bo.do("DELETE", f"/invitations/{made['id']}")
        assert waiting(bo) == []
        assert [one["state"] for one in waiting(ada)] == ["declined"]
        ada.do("DELETE", f"/invitations/{made['id']}")
        assert waiting(ada) == []


def test_what_was_taken_back_or_is_too_old_cannot_be_accepted(house: Here, clock: LongTime) -> None:
    with browsers(house, "Ada", "Bo") as (ada, bo):
        made = ask(ada, bo)
        ada.do("DELETE", f"/invitations/{made['id']}")
        assert bo.code("POST", f"/invitations/{made['id']}/accept", {}) == "no-such-invitation"
        late = ask(ada, bo)
        clock.now += WAITS_MS + 1
        assert bo.code("POST", f"/invitations/{late['id']}/accept", {}) == "no-such-invitation"


def test_nobody_else_can_accept_or_decline(house: Here) -> None:
    with browsers(house, "Ada", "Bo", "Cy") as (ada, bo, cy):
        made = ask(ada, bo)
        for method, path in (("POST", "/accept"), ("DELETE", "")):
            code = cy.code(method, f"/invitations/{made['id']}{path}", {})
            assert code == "no-such-invitation"
        assert ada.code("POST", f"/invitations/{made['id']}/accept", {}) == "no-such-invitation"


def test_whoever_is_blocked_gets_no_answer_and_no_reason(house: Here) -> None:
    with browsers(house, "Ada", "Bo") as (ada, bo):
        bo.do("POST", f"/me/blocks/{ada.me['id']}")
        made = ask(ada, bo)
        assert made["state"] == "open"
        assert waiting(bo) == []
        assert bo.code("POST", f"/invitations/{made['id']}/accept", {}) == "no-such-invitation"
        assert bo.code("POST", "/invitations", {"person": ada.me["id"]}) == "you-blocked"


def test_there_is_an_end_to_asking(house: Here) -> None:
    with browsers(house, "Ada", "Bo") as (ada, bo):
        assert ada.code("POST", "/invitations", {"person": ada.me["id"]}) == "not-yourself"
        assert ada.code("POST", "/invitations", {"person": "nobody"}) == "no-such-person"
        three = {"person": bo.me["id"], "pool": "three-15-5"}
        assert ada.code("POST", "/invitations", three) == "no-such-pool"
        with browsers(house, *(f"P{n}" for n in range(MOST_OPEN))) as others:
            for other in others:
                ask(ada, other)
            asked = {"person": bo.me["id"]}
            assert ada.code("POST", "/invitations", asked) == "too-many-invitations"


def test_a_guest_plays_no_rated_game_by_invitation(house: Here) -> None:
    with browsers(house, "Ada", "Bo") as (ada, bo):
        asked = {"person": bo.me["id"], "rated": True}
        assert ada.code("POST", "/invitations", asked) == "rated-name"


def test_the_lobby_tells_of_pools_and_games_to_watch(house: Here) -> None:
    with browsers(house, "Ada") as (ada,), Lobby(ada, "?watch=1") as lobby:
        heard: dict[str, Any] = {}  # in whatever order they come
        while not {"pools", "watch"} <= heard.keys():
            said = json.loads(lobby.ws.recv(30))
            heard[said["type"]] = said
        assert "two-5-3" in {pool["id"] for pool in heard["pools"]["pools"]}
        assert heard["watch"]["here"] >= 1


# One household, and the same two again and again


def test_addresses_that_say_nothing_are_no_household() -> None:
    assert same_household(household("8.8.8.8"), household("8.8.8.8"))
    assert not same_household(household("8.8.8.8"), household("8.8.4.4"))
    for local in ("127.0.0.1", "192.168.1.7", "10.0.0.1", "fd00::1", "-"):
        assert not same_household(household(local), household(local))


def test_nobody_plays_a_rated_game_with_their_own_household(house: Here) -> None:
    near = {"X_Forwarded_For": "8.8.8.8"}
    with (
        Browser(house, **near) as one,
        Browser(house, **near) as two,
        Browser(house, X_Forwarded_For="9.9.9.9") as far,
    ):
        for browser, name in ((one, "Opal"), (two, "Opal too"), (far, "Far Opal")):
            browser.keep(name)
        made = ask(one, two)
        assert made["rated"]
        assert two.code("POST", f"/invitations/{made['id']}/accept", {}) == "rated-household"
        clock = {"kind": "increment", "base_s": 300, "increment_s": 3}
        chairs = [{"kind": "me", "name": "Opal"}, {"kind": "open"}]
        asked = {"chairs": chairs, "rated": True, "listed": True, "clock": clock}
        table = one.do("POST", "/tables", asked)["table"]["id"]
        path = f"/tables/{table}/join"
        assert two.code("POST", path, {"name": "Opal too"}) == "rated-household"
        far.do("POST", path, {"name": "Far Opal"})


def test_two_people_have_enough_of_one_another_for_a_day(house: Here, clock: LongTime) -> None:
    with Browser(house) as one, Browser(house) as two:
        one.keep("Agate one")
        two.keep("Agate two")
        for _ in range(6):
            made = ask(one, two)
            assert made["rated"]
            table = two.do("POST", f"/invitations/{made['id']}/accept", {})["table"]
            one.do("POST", f"/tables/{table}/resign", {})
            settled(one, table)
        assert not ask(one, two)["rated"]
        assert one.code("POST", "/invitations", {"person": two.me["id"], "rated": True}) == (
            "rated-enough"
        )
        rematch = {"action": "offer"}
        assert one.code("POST", f"/tables/{table}/rematch", rematch) == "rated-enough"
        clock.now += 86_400_001
        for _ in range(6):
            made = ask(one, two)
            assert made["rated"]
            table = two.do("POST", f"/invitations/{made['id']}/accept", {})["table"]
            one.do("POST", f"/tables/{table}/resign", {})
            settled(one, table)
        clock.now += 86_400_001
        assert not ask(one, two)["rated"]
        clock.now += 5 * 86_400_000
        assert ask(one, two)["rated"]


def test_nobody_is_asked_over_and_over(house: Here) -> None:
    with browsers(house, "Pest", "Rest") as (pest, rest):
        codes = []
        for _ in range(SAME_AN_HOUR + 1):
            made = pest.ask("POST", "/invitations", {"person": rest.me["id"]})
            codes.append(made.status_code)
            if made.is_success:
                rest.do("DELETE", f"/invitations/{made.json()['id']}")
        assert codes == [201] * SAME_AN_HOUR + [429]


def test_many_guests_of_one_address_do_not_fill_somebodys_page(house: Here) -> None:
    with browsers(house, "Q1", "Q2", "Q3", "Q4", "Rae") as (*crowd, rae):
        asked = {"person": rae.me["id"]}
        codes = [one.ask("POST", "/invitations", asked).status_code for one in crowd]
        assert codes == [201, 201, 201, 429]
        assert len(waiting(rae)) == 3
        with Browser(house, x_forwarded_for="1.2.3.9") as friend:
            friend.be("Friend")
            assert friend.ask("POST", "/invitations", asked).status_code == 201


def test_games_by_invitation_count_as_tables(tmp_path: Path) -> None:
    """Two guests could make as many as they like, and nobody else would find room."""
    with (
        serving(tmp_path / "t.db", most_unfinished_per_person=3) as here,
        browsers(here, "Sal", "Tom") as (sal, tom),
    ):
        codes = []
        for _ in range(4):
            made = ask(sal, tom, pool="two-day")
            answer = tom.ask("POST", f"/invitations/{made['id']}/accept", {})
            codes.append(answer.status_code)
        assert codes == [200, 200, 200, 429]
        assert answer.json()["code"] == "too-many-unfinished"
        assert [one["state"] for one in waiting(tom)][:1] == ["open"]
