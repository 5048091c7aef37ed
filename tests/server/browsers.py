"""Browsers for tests: each with a jar for its cookies, and somebody who uses it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import httpx

from cabochon.server.access.cookies import PLAIN
from tests.server.authenticator import Authenticator
from tests.server.serving import NO_TLS, Here, Talk

PASSWORD = "correct horse battery"


class Browser:
    def __init__(self, here: Here, **headers: str) -> None:
        self.here = here
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.http = httpx.Client(base_url=here.base, timeout=30, headers=named, verify=NO_TLS)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.http.request(method, f"/api{path}", json=body, headers=named)

    def do(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The answer, which must be a success."""
        answer = self.ask(method, path, body, **headers)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def code(self, method: str, path: str, body: Any = None, **headers: str) -> str:
        """The code of the answer, which must be a refusal."""
        answer = self.ask(method, path, body, **headers)
        assert not answer.is_success, answer.text
        return str(answer.json()["code"])

    def be(self, name: str) -> Any:
        """Become a guest of that name."""
        return self.do("POST", "/me", {"name": name})

    def keep(self, name: str, password: str = PASSWORD) -> list[str]:
        """Become somebody who keeps that name; gives the recovery codes."""
        self.be(name)
        codes: list[str] = self.do("POST", "/me/password", {"password": password})["codes"]
        return codes

    def add_passkey(self, label: str = "") -> Authenticator:
        device = Authenticator(self.here.base)
        options = self.do("POST", "/me/passkeys/options", {})
        made = {"credential": device.create(options), "label": label}
        self.do("POST", "/me/passkeys", made)
        return device

    def sign_in(self, name: str, password: str = PASSWORD) -> Any:
        return self.do("POST", "/signin/password", {"name": name, "password": password})

    @property
    def me(self) -> Any:
        return self.do("GET", "/me")["person"]

    @property
    def cookie(self) -> str:
        return self.http.cookies[PLAIN]

    def socket(self, table: str, **hello: Any) -> Talk:
        talk = Talk(self.here.port, table, Cookie=f"{PLAIN}={self.cookie}")
        talk.say(type="hello", keys=[], **hello)
        return talk


@contextlib.contextmanager
def browsers(here: Here, *names: str) -> Iterator[list[Browser]]:
    """A browser for each, who is a guest there."""
    with contextlib.ExitStack() as stack:
        found = [stack.enter_context(Browser(here)) for _ in names]
        for browser, name in zip(found, names, strict=True):
            browser.be(name)
        yield found
