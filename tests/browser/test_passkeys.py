"""Passkeys from end to end: a real browser, with an authenticator that DevTools plays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.server.serving import Here

CREATE = """async ({name, label}) => {
  const send = (path, body) => fetch('/api' + path, {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body),
  }).then((answer) => answer.json());
  await send('/me', { name });
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(
    await send('/me/passkeys/options', {}));
  const made = await navigator.credentials.create({ publicKey: options });
  return send('/me/passkeys', { credential: made.toJSON(), label });
}"""
SIGN_IN = """async () => {
  const send = (path, body) => fetch('/api' + path, {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body),
  }).then((answer) => answer.json());
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(
    await send('/signin/options', {}));
  const signed = await navigator.credentials.get({ publicKey: options });
  return send('/signin/passkey', { credential: signed.toJSON() });
}"""
WHO = "() => fetch('/api/me').then((answer) => answer.json())"


@pytest.fixture
def page(here: Here, chromium: Browser) -> Iterator[Page]:
    """Passkeys are for names, not for numbers: the same server as localhost."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"http://localhost:{here.port}/")
    yield page
    context.close()


def authenticator(page: Page, verified: bool = True) -> Any:
    """A platform authenticator whose owner always says yes, or can't unlock it."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": verified,
        "automaticPresenceSimulation": True,
    }
    found = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return devtools, found["authenticatorId"]


def test_a_name_is_kept_with_a_passkey_and_found_again(page: Page) -> None:
    devtools, device = authenticator(page)
    kept = page.evaluate(CREATE, {"name": "Lapis", "label": "This laptop"})
    assert kept["me"]["kept"], kept
    assert len(kept["codes"]) == 8
    (credential,) = devtools.send("WebAuthn.getCredentials", {"authenticatorId": device})[
        "credentials"
    ]
    assert credential["isResidentCredential"]
    assert credential["rpId"] == "localhost"
    page.context.clear_cookies()
    page.reload()
    assert page.evaluate(WHO)["person"] is None
    assert page.evaluate(SIGN_IN)["id"] == kept["me"]["id"]
    page.reload()
    assert page.evaluate(WHO)["person"]["name"] == "Lapis"


def test_the_page_cannot_read_the_cookie(page: Page) -> None:
    authenticator(page)
    page.evaluate(CREATE, {"name": "Azurite", "label": ""})
    assert "session" not in page.evaluate("document.cookie")
    (cookie,) = (c for c in page.context.cookies() if "session" in str(c.get("name")))
    assert (cookie.get("httpOnly"), cookie.get("sameSite")) == (True, "Lax")


def test_a_device_that_is_not_unlocked_keeps_no_name(page: Page) -> None:
    authenticator(page, verified=False)
    with pytest.raises(Exception, match="NotAllowedError"):
        page.evaluate(CREATE, {"name": "Locked Out", "label": ""})
    assert not page.evaluate(WHO)["person"]["kept"]
