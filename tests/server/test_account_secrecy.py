"""Whatever anybody asks, nothing that belongs to somebody else's account is told: no password, key,
code, session, token or device, whether they are signed in or not."""

from __future__ import annotations

import itertools
import logging
import random
from pathlib import Path
from typing import Any

import pytest

from cabochon.server.secrets import hashed
from tests.server.browsers import Browser, browsers
from tests.server.serving import Here, serving
from tests.server.test_erasing import play_against

PASSWORD = "a very private password"
STREAMS = ("stream", "/engine", "/metrics")


def operations(here: Here) -> list[tuple[str, str]]:
    """Everything that can be asked, except what never ends."""
    paths = here.http.get("/api/openapi.json").json()["paths"]
    found = [(verb.upper(), path) for path, verbs in paths.items() for verb in verbs]
    return [entry for entry in found if not any(part in entry[1] for part in STREAMS)]


def private_of(one: Browser, codes: list[str], token: Any, device: Any) -> list[str]:
    """What must never be told to others."""
    sessions = one.do("GET", "/me/sessions")["sessions"]
    passkeys = one.do("GET", "/me/passkeys")["passkeys"]
    secret = one.cookie.partition(".")[2]
    return [
        PASSWORD,
        *codes,
        token["token"],
        hashed(token["token"]),
        secret,
        hashed(secret),
        *(each["id"] for each in sessions),
        *(each["id"] for each in passkeys),
        "Very private laptop",
        device.get({"challenge": "AAAA"})["id"],
        "Private Bot",
        "argon2",
    ]


@pytest.mark.parametrize("signed_in", [False, True])
def test_nothing_of_somebody_else_s_account_is_told(
    tmp_path: Path, signed_in: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "cabochon")
    with serving(tmp_path / "t.db") as here, Browser(here) as one, Browser(here) as eve:
        codes = one.keep("Private Person", PASSWORD)
        device = one.add_passkey("Very private laptop")
        token = one.do("POST", "/me/tokens", {"name": "Private Bot"})
        with browsers(here, "Opal") as (opal,):
            table = play_against(one, opal)
            asked = one.do("POST", "/invitations", {"person": opal.me["id"], "pool": "two-day"})
            one.do("POST", f"/me/blocks/{opal.me['id']}")
            accused = {"person": opal.me["id"], "kind": "abuse", "text": "A private complaint"}
            report = one.do("POST", "/reports", accused)
        private = private_of(one, codes, token, device)
        private += [asked["id"], report["id"], "A private complaint"]
        if signed_in:
            eve.keep("Eve Elsewhere")
        told = _everything(here, eve, one.me["id"], table)
        assert len(told) > 60
        for secret, text in itertools.product(private, told):
            assert secret not in text
        assert one.me["ways"] == {"passkeys": 1, "password": True, "codes_left": 8}
    for secret in private:
        assert not any(secret in line for line in caplog.messages)


def _everything(here: Here, eve: Browser, person: str, table: str) -> list[str]:
    """The answers to all that can be asked about the person and the table, by chance."""
    chance, told = random.Random(7), []
    asked = operations(here)
    chance.shuffle(asked)
    ending = ("/api/me", "/api/me/sessions", "/api/signout")
    for verb, path in sorted(asked, key=lambda entry: entry[1] in ending and entry[0] != "GET"):
        filled = path.replace("{table_id}", table).replace("{person_id}", person)
        for name in ("{session_id}", "{passkey_id}", "{token_id}", "{name}", "{code}", "{text}"):
            filled = filled.replace(name, "Private%20Person")
        bodies: list[Any] = [None, {"name": "Private Person", "password": "wrong password"}]
        for body in bodies if verb in ("POST", "PATCH", "PUT") else bodies[:1]:
            answer = eve.http.request(verb, filled, json=body)
            assert answer.status_code < 500
            told.append(f"{answer.headers}{answer.text}")
    return told
