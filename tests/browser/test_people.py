"""People: somebody from the first game on, with a name to keep, a rating and others to meet."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from cabochon.rules.dealer import share_hash
from tests.browser.people import Mouse, Person
from tests.browser.windows import PHONE, Windows
from tests.server.company import people
from tests.server.serving import Here

SECRET = "a stone that is not cut"


def keys_of(page: Page, table: str) -> list[str]:
    ring: dict[str, Any] = page.evaluate(
        "JSON.parse(localStorage.getItem('cabochon.keys') ?? '{}')"
    )
    keys: list[str] = ring[table]["keys"]
    return keys


def play_a_bot(page: Page) -> str:
    """From the home to the table; its id."""
    page.get_by_role("button", name=re.compile("^Play ")).first.click()
    expect(page.locator("main.board")).to_be_visible()
    return page.url.rsplit("/", 1)[-1]


def resign(page: Page) -> None:
    page.locator(".topbar .tools button").last.click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".verdict h1")).to_be_visible()


def test_a_fresh_install_alone(here: Here, windows: Windows) -> None:
    """Three games against bots, one of them to its end; then profile, history and ladder."""
    page = windows.open("/")
    expect(page.get_by_role("heading", name="Learn by playing")).to_be_visible()
    expect(page.locator(".chip")).to_contain_text("Guest")
    page.get_by_role("radio", name="Quick, to 10").check()
    table = play_a_bot(page)
    Person(here, table, keys_of(page, table)[0], Mouse(page)).play_out()
    expect(page.locator(".verdict .chip")).to_contain_text("Quick")
    for _ in range(2):
        page.goto(here.base + "/")
        expect(page.get_by_role("radio", name="Rated")).to_be_checked()
        play_a_bot(page)
        resign(page)
        expect(page.locator(".verdict .chip")).to_contain_text("2 players")
    page.goto(here.base + "/")
    expect(page.locator(".foe .odds")).to_contain_text(re.compile("fair match|good start"))
    page.locator(".topbar .chip a").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Guest")
    expect(page.get_by_role("group", name="Ratings").get_by_role("button")).to_have_count(2)
    expect(page.locator(".list li")).to_have_count(3)
    expect(page.get_by_role("heading", name="How you play")).to_be_visible()
    expect(page.get_by_role("heading", name="Head to head")).to_be_visible()
    page.get_by_role("radio", name="Lost").check()
    expect(page.locator(".list .result.won")).to_have_count(0)
    page.goto(here.base + "/games")
    expect(page.locator("main ol > li")).to_have_count(3)
    page.get_by_label("Rules").select_option("quick")
    expect(page.locator("main ol > li")).to_have_count(1)
    expect(page.locator("main ol > li .told")).to_contain_text("quick, 2 players")
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".graph h2")).to_contain_text("Step 0 of")
    page.goto(here.base + "/players")
    expect(page.locator(".table li.bot").first).to_be_visible()
    expect(page.locator(".table li.you")).to_have_count(1)
    expect(page.locator(".standing")).to_contain_text("Only you see yourself here for now")
    expect(page.locator(".standing")).not_to_contain_text("of 0 people")


def test_games_are_taken_away(here: Here, windows: Windows) -> None:
    page = windows.open("/")
    play_a_bot(page)
    resign(page)
    expect(page.locator(".verdict .chip")).to_be_visible()
    page.goto(here.base + "/profile")
    page.get_by_role("button", name="Export my games").click()
    for name in ("Records", "JSON lines"):
        with page.expect_download() as taken:
            page.get_by_role("link", name=re.compile(name)).click()
        assert taken.value.path().stat().st_size > 100


def test_friendly_is_one_switch_away_and_remembered(here: Here, windows: Windows) -> None:
    page = windows.open("/")
    page.get_by_role("radio", name="Friendly").check()
    expect(page.locator(".hero")).to_contain_text("take-backs and hints")
    play_a_bot(page)
    resign(page)
    expect(page.locator(".verdict .chip")).to_have_count(0)
    page.goto(here.base + "/")
    expect(page.get_by_role("radio", name="Friendly")).to_be_checked()


def test_the_tabs_of_a_phone(here: Here, windows: Windows) -> None:
    page = windows.open("/", size=PHONE)
    tabs = page.locator("nav.tabbar")
    expect(tabs.get_by_role("link", name="Play")).to_have_attribute("aria-current", "page")
    tabs.get_by_role("link", name="Watch").click()
    assert page.url == here.base + "/watch"
    tabs.get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="The guided game")).to_be_visible()
    tabs.get_by_role("button", name="More").click()
    page.get_by_role("dialog").get_by_role("link", name="Players").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Players")
    page.goto(here.base + "/learn")
    expect(page.locator(".coach h2")).to_be_visible()
    expect(page.locator("nav.tabbar")).to_have_count(0)


def with_authenticator(page: Page) -> CDPSession:
    """A device that keeps passkeys and always recognises its owner, for as long as it is held."""
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    line.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return line


def forget(context: BrowserContext) -> None:
    """As a browser that was never here."""
    context.clear_cookies()


def test_a_name_kept_with_a_passkey(windows: Windows) -> None:
    page = windows.open("/favicon.svg")
    page.goto(windows.named + "/")
    device = with_authenticator(page)
    page.locator(".topbar .chip button").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("Guests keep everything on this device")
    sheet.locator("[name=username]").fill("Opal")
    expect(sheet.locator(".ok")).to_contain_text("Free")
    sheet.get_by_role("button", name=re.compile("With a passkey")).click()
    expect(sheet.locator("code")).to_have_count(8)
    with page.expect_download() as saved:
        sheet.get_by_role("button", name="Save as a file").click()
    assert saved.value.path().read_text("utf-8").count("-") >= 16
    sheet.get_by_role("button", name="I’ve saved them").click()
    expect(page.locator(".topbar .chip")).to_contain_text("Opal")
    forget(page.context)
    page.goto(windows.named + "/signin")
    page.get_by_role("button", name=re.compile("Use my passkey")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".topbar .chip")).to_contain_text("Opal")
    page.goto(windows.named + "/account")
    expect(page.locator("#account-ways ~ ul li")).to_have_count(1)
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_role("dialog").get_by_role("button", name="With my passkey").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".topbar .chip")).to_contain_text("Guest")
    device.detach()


def keep_by_password(page: Page, name: str) -> list[str]:
    """Recovery codes of a name that was just kept."""
    page.locator(".topbar .chip button").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("[name=username]").fill(name)
    expect(sheet.locator(".ok")).to_be_visible()
    sheet.get_by_role("button", name=re.compile("With a password")).click()
    sheet.get_by_label("Password").fill(SECRET)
    sheet.get_by_role("button", name="Keep my name").click()
    expect(sheet.locator("code")).to_have_count(8)
    codes = sheet.locator("code").all_inner_texts()
    sheet.get_by_role("button", name="I’ve saved them").click()
    expect(page.locator(".topbar .chip")).to_contain_text(name)
    return codes


def test_a_name_kept_with_a_password_and_found_again(here: Here, windows: Windows) -> None:
    """With what was played as a guest; by a code; on a second device; and gone."""
    page = windows.open("/")
    play_a_bot(page)
    resign(page)
    page.goto(here.base + "/")
    codes = keep_by_password(page, "Beryl")
    other = windows.open("/signin")
    sheet = other.get_by_role("dialog")
    sheet.locator("[name=username]").fill("Beryl")
    sheet.get_by_role("button", name="I only have a recovery code").click()
    sheet.get_by_label("Recovery code").fill(codes[0])
    sheet.get_by_role("button", name="Sign in", exact=True).click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Account")
    expect(other.locator("#account-devices + ul li")).to_have_count(2)
    expect(other.locator("main")).to_contain_text("7 recovery codes left")
    other.goto(here.base + "/games")
    expect(other.locator("main ol > li")).to_have_count(1)
    other.goto(here.base + "/account")
    other.locator("#account-devices + ul li .btn").click()
    expect(other.locator("#account-devices + ul li")).to_have_count(1)
    page.goto(here.base + "/")
    expect(page.locator(".topbar .chip")).to_contain_text("Guest")
    page.goto(here.base + "/signin")
    sheet = page.get_by_role("dialog")
    sheet.locator("[name=username]").fill("Beryl")
    sheet.get_by_label("Password").fill("not the one it was")
    sheet.get_by_role("button", name="Sign in", exact=True).click()
    expect(sheet.get_by_role("alert")).to_be_visible()
    sheet.get_by_label("Password").fill(SECRET)
    sheet.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator(".topbar .chip")).to_contain_text("Beryl")
    profile = other.evaluate("fetch('/api/me').then((r) => r.json())")["person"]["id"]
    other.get_by_role("button", name="Delete my account").click()
    other.get_by_role("dialog").get_by_label(re.compile("Password")).fill(SECRET)
    other.get_by_role("dialog").get_by_role("button", name="Delete my account").click()
    expect(other.locator(".topbar .chip")).to_contain_text("Guest")
    other.goto(f"{here.base}/people/{profile}")
    expect(other.locator("main")).not_to_contain_text("Beryl")


def test_a_rated_game_from_the_pool_to_the_rating(here: Here, windows: Windows) -> None:
    pages = [windows.open("/"), windows.open("/")]
    for page, name in zip(pages, ("Jade", "Agate"), strict=True):
        keep_by_password(page, name)
        if page.locator(".pool").count() == 0:
            page.get_by_role("button", name="Find an opponent").click()
        page.locator(".pool", has_text="5 + 3").click()
    for page in pages:
        expect(page.locator("main.board")).to_be_visible()
    expect(pages[0].locator(".opponents")).to_contain_text("Agate")
    resign(pages[0])
    for page, sign in zip(pages, ("−", "+"), strict=True):
        expect(page.locator(".verdict .chip")).to_contain_text(sign)
    pages[1].goto(here.base + "/profile")
    expect(pages[1].locator(".list li")).to_contain_text("Jade")
    pages[1].get_by_role("link", name="Jade").first.click()
    expect(pages[1].get_by_role("heading", level=1)).to_have_text("Jade")
    pages[1].get_by_role("button", name="Block").click()
    expect(pages[1].get_by_role("button", name="Unblock")).to_be_visible()
    pages[1].get_by_role("button", name="Report").click()
    pages[1].get_by_role("button", name="Send the report").click()
    expect(pages[1].get_by_role("dialog")).to_contain_text("Thank you")


def test_whoever_is_left_alone_at_a_table_is_in_the_queue_again(
    here: Here, windows: Windows
) -> None:
    page = windows.open("/")
    if page.locator(".pool").count() == 0:
        page.get_by_role("button", name="Find an opponent").click()
    page.locator(".pool", has_text="15 + 5").first.click()
    expect(page.locator(".pools .wait")).to_be_visible()
    with people(here, "Dodger", "Patient") as (dodger, patient), dodger.listening() as news:
        dodger.join("three-15-5", share_hash=share_hash("d" * 32))
        with patient.listening():
            patient.join("three-15-5")
            table = news.hear("paired")["table"]
        expect(page).to_have_url(f"{here.base}/t/{table}")
        expect(page.locator("main.room")).to_be_visible()
        dodger.post(f"/tables/{table}/leave", {})
        expect(page).to_have_url(f"{here.base}/")
        expect(page.locator(".pools .wait")).to_contain_text("Not everybody came")
        page.get_by_role("button", name="Stop waiting").click()
        expect(page.locator(".pool")).to_have_count(5)
        patient.delete("/pools/three-15-5/join")


def test_bots_at_play_where_nobody_is(windows: Windows) -> None:
    page = windows.open("/watch")
    expect(page.locator(".tv .market")).to_be_visible()
    page.get_by_role("link", name="Open the table").click()
    expect(page.locator("main.board")).to_be_visible()


def test_a_guests_games_come_along(here: Here, windows: Windows) -> None:
    home, phone = windows.open("/"), windows.open("/")
    keep_by_password(home, "Spinel")
    play_a_bot(phone)
    resign(phone)
    expect(phone.locator(".verdict .chip")).to_be_visible()
    phone.goto(here.base + "/signin")
    sheet = phone.get_by_role("dialog")
    expect(
        sheet.get_by_label(re.compile("Bring along your 1 game from this device"))
    ).to_be_checked()
    sheet.locator("[name=username]").fill("Spinel")
    sheet.get_by_label("Password").fill(SECRET)
    sheet.get_by_role("button", name="Sign in", exact=True).click()
    expect(phone.locator(".topbar .chip")).to_contain_text("Spinel")
    phone.goto(here.base + "/games")
    expect(phone.locator("main ol > li")).to_have_count(1)


def test_a_challenge_from_a_page_to_the_table(here: Here, windows: Windows) -> None:
    pages = [windows.open("/"), windows.open("/")]
    for page, name in zip(pages, ("Zircon", "Kunzite"), strict=True):
        keep_by_password(page, name)
    zircon, kunzite = pages
    other = kunzite.evaluate("fetch('/api/me').then((r) => r.json())")["person"]["id"]
    kunzite.goto(here.base + "/players")
    zircon.goto(f"{here.base}/people/{other}")
    for answer in ("Not now", "Play"):
        zircon.get_by_role("button", name="Challenge Kunzite").click()
        zircon.get_by_role("button", name="Send the challenge").click()
        asked = kunzite.get_by_role("region", name="Invitations")
        expect(asked).to_contain_text("Zircon would like to play you")
        expect(asked).to_contain_text("rated")
        asked.get_by_role("button", name=answer, exact=True).click()
        if answer == "Not now":
            told = zircon.get_by_role("region", name="Invitations")
            expect(told).to_contain_text("Kunzite can’t play just now")
            told.get_by_role("button", name="All right").click()
            expect(told).to_have_count(0)
    for page in pages:
        expect(page.locator("main.board")).to_be_visible()
    resign(zircon)
    kunzite.goto(here.base + "/players")
    mine = zircon.evaluate("fetch('/api/me').then((r) => r.json())")["person"]["id"]
    kunzite.goto(f"{here.base}/people/{mine}")
    kunzite.get_by_role("button", name="Report").click()
    kunzite.get_by_label("In which of your games?").select_option(index=1)
    kunzite.get_by_role("button", name="Send the report").click()
    expect(kunzite.get_by_role("dialog")).to_contain_text("Thank you")
