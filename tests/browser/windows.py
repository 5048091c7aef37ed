"""Browser windows for tests: with given settings, watched for errors and for foreign requests."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Request, WebSocket

CHROMIUM = os.environ.get("CABOCHON_CHROMIUM") or shutil.which("chromium-headless-shell")
"""The same engine without a browser around it, whose own buttons cost a second a window."""
SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
UNHURRIED = "--js-flags=--no-opt --no-maglev"
"""A page that is open for a few seconds does not pay back what it takes to compile it well."""
LAPTOP = (1366, 768)
PHONE = (390, 844)
STILL = {"motion": False, "pace": "once", "lang": "en", "theme": "light"}


def change_settings(page: Page, **changes: Any) -> None:
    """As if they were changed in another window of the same person; the page follows at once."""
    page.evaluate(
        """changes => {
          const key = 'cabochon.settings', old = JSON.parse(localStorage.getItem(key) ?? '{}');
          const newValue = JSON.stringify({ ...old, ...changes });
          localStorage.setItem(key, newValue);
          dispatchEvent(new StorageEvent('storage', { key, newValue }));
        }""",
        changes,
    )
    if "lang" in changes:
        lang = {"en": "en", "zh": "zh-CN"}[changes["lang"]]
        page.wait_for_selector(f"html[lang={lang}]")
    if "theme" in changes:
        page.wait_for_selector(f"html[data-theme={changes['theme']}]")


def wait_until(page: Page, holds: str) -> None:
    """As `wait_for_function`, which the page's own content policy does not let poll."""
    for _ in range(400):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never came: {holds}")


def hold(page: Page, table: str, *keys: str) -> None:
    """As if this browser had sat down there before; the page must be one of ours."""
    page.evaluate(
        """([table, keys]) => {
          const ring = JSON.parse(localStorage.getItem('cabochon.keys') ?? '{}');
          ring[table] = { keys, invites: [], watch: null, at: Date.now() };
          localStorage.setItem('cabochon.keys', JSON.stringify(ring));
        }""",
        [table, list(keys)],
    )


def _expected(text: str) -> bool:
    """A cut line, an attempt to connect that was given up, and a refusal over HTTP are part of what
    is tested; the browser notes each."""
    noted = ("net::ERR", "closed before the connection is established", "status of 4")
    return any(part in text for part in noted)


class Windows:
    """Opens pages and gathers what went wrong in any of them."""

    def __init__(self, browser: Browser, base: str) -> None:
        self.base = base
        self.troubles: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.on_page: Callable[[Page], object] = lambda _: None
        """Is shown every new page before it goes anywhere."""

    def open(
        self,
        path: str = "/",
        *,
        size: tuple[int, int] = LAPTOP,
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> Page:
        """A new person's browser, at that address."""
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale="en-US",
            permissions=["clipboard-read", "clipboard-write"],
            **options,
        )
        self._contexts.append(context)
        remembered = json.dumps(json.dumps({**STILL, **(settings or {})}))
        context.add_init_script(
            "if (!localStorage.getItem('cabochon.settings'))"
            f" localStorage.setItem('cabochon.settings', {remembered})"
        )
        context.set_default_timeout(60_000)
        page = context.new_page()
        self._watch(page)
        self.on_page(page)
        page.goto(self.base + path)
        return page

    @property
    def named(self) -> str:
        """The same server under a name, which passkeys need."""
        return self.base.replace("//127.0.0.1:", "//localhost:")

    def sit(self, table: str, key: str, **options: Any) -> Page:
        """At the table, where this browser holds the seat."""
        page = self.seated(table, key, **options)
        page.wait_for_selector(".board")
        return page

    def seated(self, table: str, *keys: str, **options: Any) -> Page:
        """At the table, with these keys, whatever it shows."""
        page = self.open("/favicon.svg", **options)
        hold(page, table, *keys)
        page.goto(f"{self.base}/t/{table}")
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.troubles.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda message: (
                self.troubles.append(f"{page.url}: {message.text}")
                if message.type in ("error", "warning") and not _expected(message.text)
                else None
            ),
        )
        page.on("request", self._check_host)
        page.on("websocket", self._check_host)

    def _check_host(self, asked: Request | WebSocket) -> None:
        ours = (self.base, self.base.replace("http:", "ws:"), "data:", "blob:")
        if not asked.url.replace("//localhost:", "//127.0.0.1:").startswith(ours):
            self.troubles.append(f"asked somebody else: {asked.url}")
