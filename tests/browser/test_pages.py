"""From the first click to the replay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.scenes import SCENES, Stage, follow
from tests.browser.windows import LAPTOP, PHONE, Windows
from tests.server.serving import Here

CUT = "text => text.scrollHeight - text.clientHeight"
CLICKS = """
addEventListener('click', () => {
  sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true);
"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_from_an_empty_browser_to_the_first_move_is_one_click(
    windows: Windows, size: tuple[int, int]
) -> None:
    """The next click already belongs to the move."""
    windows.on_page = lambda page: page.add_init_script(CLICKS)
    page = windows.open("/", size=size)
    page.get_by_role("button", name="Play Calcite").click()
    page.wait_for_selector(".status.you")
    assert page.evaluate("sessionStorage.clicks") == "1"
    for letter in "wug":
        page.locator(f"[data-at=bank-{letter}]").click()
    expect(page.get_by_role("button", name="Confirm")).to_be_enabled()
    assert page.evaluate("sessionStorage.clicks") == "4"


def test_the_hardness_scale_is_a_range_that_keys_move(windows: Windows) -> None:
    page = windows.open("/")
    scale = page.get_by_role("slider", name="How hard your opponent is")
    expect(scale).to_have_attribute("aria-valuetext", "Calcite, hardness 3")
    scale.focus()
    page.keyboard.press("End")
    expect(scale).to_have_attribute("aria-valuetext", "Diamond, hardness 10")
    expect(page.get_by_role("button", name="Play Diamond")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(scale).to_have_attribute("aria-valuetext", "Corundum, hardness 9")
    page.keyboard.press("Home")
    expect(page.locator(".foe")).to_contain_text("Talc")


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_a_tap_on_any_stone_chooses_it(windows: Windows, size: tuple[int, int]) -> None:
    page = windows.open("/", size=size)
    stones = page.locator(".scale li")
    expect(stones).to_have_count(8)
    for i in (0, 5, 7, 3):
        box = stones.nth(i).bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 3)
        expect(page.get_by_role("slider")).to_have_value(str(i))


def test_a_character_instead_of_a_level(windows: Windows) -> None:
    page = windows.open("/")
    page.get_by_role("button", name="Rusher").click()
    expect(page.get_by_role("button", name="Play Rusher")).to_be_visible()
    page.get_by_role("slider").press("Home")
    expect(page.get_by_role("button", name="Play Talc")).to_be_visible()


def test_games_are_found_again(here: Here, windows: Windows) -> None:
    page = windows.open("/")
    expect(page.get_by_role("heading", name="Learn by playing")).to_be_visible()
    page.get_by_role("radio", name="Quick, to 10").check()
    page.get_by_role("button", name="Play Calcite").click()
    expect(page.locator("main.board")).to_be_visible()
    page.goto(here.base + "/")
    expect(page.get_by_role("heading", name="Continue")).to_be_visible()
    page.get_by_role("link", name=re.compile("Play|Look")).last.click()
    expect(page.locator("main.board")).to_be_visible()
    page.locator(".topbar .tools button").last.click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".verdict h1")).to_be_visible()
    page.goto(here.base + "/")
    last = page.locator("section", has=page.get_by_role("heading", name="Your last games"))
    expect(last).to_contain_text("Calcite")
    expect(last).to_contain_text("Lost")
    expect(page.get_by_role("heading", name="Learn by playing")).to_have_count(0)
    page.goto(here.base + "/games")
    page.get_by_role("link", name="Replay").click()
    expect(page.locator(".replayer, .replay, main")).to_be_visible()


@pytest.mark.parametrize("seats", [3, 4])
def test_more_bots(windows: Windows, seats: int) -> None:
    page = windows.open("/", size=PHONE)
    page.get_by_role("radio", name=str(seats), exact=True).first.check()
    page.get_by_role("button", name="Play Calcite").click()
    expect(page.locator(".opponents .player")).to_have_count(seats - 1)


def test_a_private_table_gives_one_link_per_seat(here: Here, windows: Windows) -> None:
    page = windows.open("/", settings={"name": "Ada"})
    page.get_by_role("button", name="Choose players, rules and clock").click()
    form = page.get_by_role("dialog")
    form.get_by_role("group", name="Seats").get_by_role("radio", name="3").check()
    form.get_by_role("button", name="Make table, copy links").click()
    expect(page.locator(".room .link")).to_have_count(2)
    copied: str = page.evaluate("navigator.clipboard.readText()")
    links = copied.split("\n")
    assert len(links) == 2
    for name, link in zip(("Bo", "Cy"), links, strict=True):
        guest = windows.open(link.removeprefix(here.base), settings={"name": name})
        guest.get_by_role("button", name="Sit down").click()
    expect(page.locator("main.board")).to_be_visible()
    expect(page.locator(".opponents")).to_contain_text("Bo")
    late = windows.open(links[0].removeprefix(here.base))
    expect(late.locator("[role=alert]")).to_be_visible()


def test_a_public_table_is_found_and_joined(here: Here, windows: Windows) -> None:
    host = windows.open("/", settings={"name": "Hilda"})
    guest = windows.open("/", settings={"name": "Gil"})
    host.get_by_role("button", name="Choose players, rules and clock").click()
    host.get_by_role("radio", name="Everyone").check()
    host.get_by_role("dialog").get_by_role("button", name="Make table, copy links").click()
    guest.get_by_role("link", name="Join Hilda").click()
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("main.board")).to_be_visible()
    expect(host.locator("main.board")).to_be_visible()
    watcher = windows.open("/")
    watcher.get_by_role("link", name=re.compile("Watch .*Hilda")).click()
    expect(watcher.locator(".ticket")).to_contain_text("watching")


def test_resigning_is_asked_about_first(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    page.locator(".topbar .tools button").last.click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".verdict h1")).to_contain_text("Bo wins")


def test_a_take_back_by_consent(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada, bo = windows.sit(table, keys[0]), windows.sit(table, keys[1])
    for letter in "wug":
        ada.locator(f"[data-at=bank-{letter}]").click()
    ada.get_by_role("button", name="Confirm").click()
    expect(bo.locator(".status.you")).to_be_visible()
    for letter in "wug":
        bo.locator(f"[data-at=bank-{letter}]").click()
    bo.get_by_role("button", name="Confirm").click()
    expect(ada.locator(".status.you")).to_be_visible()
    bo.locator(".topbar .tools button").last.click()
    bo.get_by_role("button", name="Take back my turn").click()
    expect(bo.locator("[data-at=bank-w]")).to_contain_text("3")
    expect(bo.locator(".status.you")).to_be_visible()


def test_phrases_are_heard_in_ones_own_language(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    ada = windows.sit(table, keys[0])
    bo = windows.sit(table, keys[1], settings={"lang": "zh"})
    ada.get_by_role("radio", name="Chat").check()
    ada.locator(".say button").first.click()
    bo.get_by_role("radio", name="聊天").check()
    said = bo.locator(".lines li").first
    expect(said).to_contain_text("Ada")
    assert any("一" <= char <= "鿿" for char in said.inner_text())


def test_replay_steps_jumps_and_has_addresses(stage: Stage) -> None:
    table = stage.tables.finished_two.table
    page = stage.windows.open(f"/replay/{table}")
    heading = page.locator(".graph h2")
    expect(heading).to_contain_text("Step 0 of")
    page.keyboard.press("ArrowRight")
    expect(heading).to_contain_text("Step 1 of")
    page.keyboard.press("Shift+ArrowRight")
    expect(heading).to_contain_text("Step 2 of")
    page.keyboard.press("End")
    last = int(heading.inner_text().split(" ")[-1])
    expect(heading).to_contain_text(f"Step {last} of {last}")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(heading).to_contain_text("Step 0 of")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(heading).to_contain_text("Step 1 of")
    page.get_by_role("button", name="Pause").click()
    page.locator(".moves ol button").nth(5).click()
    expect(heading).to_contain_text("Step 5 of")
    assert page.url.endswith(f"/replay/{table}?ply=5")
    other = stage.windows.open(f"/replay/{table}?ply=5")
    expect(other.locator(".graph h2")).to_contain_text("Step 5 of")
    bank = page.locator(".bank").inner_text()
    assert other.locator(".bank").inner_text() == bank


def test_replay_shows_each_seat_s_side_and_all_cards(stage: Stage) -> None:
    table, seat = stage.tables.finished_blind.table, 0
    page = stage.windows.open(f"/replay/{table}?ply=2")
    reserved = page.locator(f".strip .player[data-seat='{seat}'] .hand")
    expect(reserved.locator("span.back")).to_have_count(1)
    page.locator("select").select_option("all")
    expect(reserved.locator("button.back")).to_have_count(1)
    reserved.locator("button.back").click()
    expect(reserved.locator(".peek .card")).to_be_visible()
    page.locator("select").select_option(str(1 - seat))
    expect(reserved.locator("span.back")).to_have_count(1)


def test_settings_are_remembered_and_apply_at_once(windows: Windows) -> None:
    page = windows.open("/settings")
    page.get_by_role("radio", name="Dark").check()
    page.get_by_role("radio", name="Blue-yellow safe").check()
    page.get_by_role("radio", name="中文").check()
    expect(page.get_by_role("heading", level=1)).to_have_text("设置")
    page.reload()
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-gems", "tritan")
    expect(root).to_have_attribute("lang", "zh-CN")


def test_the_language_switches_at_home(windows: Windows) -> None:
    """With every part of it in sight: a word that never came would hold up all of them."""
    page = windows.open("/")
    page.wait_for_selector(".tiles .panel, .tiles section")
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("坐下，开局。")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")


def test_the_language_switches_in_the_middle_of_a_game(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    page.locator("[data-at=bank-w]").click()
    page.get_by_role("button", name="中文").click()
    expect(page.locator(".status")).to_contain_text("轮到你了")
    expect(page.locator(".bank [aria-pressed=true]")).to_have_count(1)


@pytest.mark.parametrize(("lang", "word"), [("en", "Your turn"), ("zh", "你的回合")])
def test_the_rules_in_both_languages(windows: Windows, lang: str, word: str) -> None:
    page = windows.open("/rules", settings={"lang": lang})
    expect(page.locator("article")).to_contain_text(word)
    assert page.locator("article figure").count() >= 6
    entry = page.get_by_role("navigation").last.get_by_role("link", name=word)
    entry.click()
    expect(page.get_by_role("heading", name=word, exact=True)).to_be_in_viewport()


def test_a_newcomer_is_led_to_a_win(windows: Windows) -> None:
    """The end praises, says what was learnt, and offers the next opponent."""
    page = windows.open("/learn")
    told = follow(page)
    assert len(set(told)) >= 9
    coach = page.locator(".coach")
    expect(coach).to_contain_text("and you won")
    assert coach.locator("li").count() >= 8
    coach.get_by_role("button", name="See the result").click()
    expect(page.locator(".verdict h1")).to_contain_text("You win")


def test_after_the_lessons_the_next_opponent_is_a_click_away(stage: Stage) -> None:
    page = SCENES["tutorial-end"](stage)
    page.locator(".coach").get_by_role("button", name="Play Calcite").click()
    expect(page.locator(".opponents")).to_contain_text("Calcite")


def test_what_the_coach_says_belongs_to_the_move(windows: Windows) -> None:
    """The button fits the words, and the words are all to be seen."""
    page = windows.open("/learn")
    fitting = {
        "Start with three different tokens": "Take them",
        "Your first card": "Buy it",
        "Why buy a card worth nothing?": "Buy it",
        "Keep a card for yourself": "Reserve it",
        "Two of one colour": "Take them",
        "Time for points": "Buy it",
    }
    met = set()
    for _ in range(60):
        page.wait_for_selector(".coach .do")
        if page.locator(".coach .foe").count():
            break
        title = page.locator(".coach h2").inner_text()
        button = page.locator(".coach .do button")
        if title in fitting:
            met.add(title)
            assert button.inner_text() == fitting[title], title
        text, do = page.locator(".coach .text").bounding_box(), button.bounding_box()
        assert text is not None
        assert do is not None
        assert text["y"] + text["height"] <= do["y"] + 1
        assert page.locator(".coach .text").evaluate(CUT) <= 1, f"{title}: its end is cut"
        version = page.locator(".board-page").get_attribute("data-version")
        button.click()
        if button.count() and title != "Become the richest jeweller":
            page.wait_for_selector(f".board-page:not([data-version='{version}']) .coach .do")
    assert len(met) >= 4


def test_the_lessons_force_nothing(windows: Windows) -> None:
    page = windows.open("/learn")
    page.locator(".coach .do button").click()
    for letter in "ugr":
        page.locator(f"[data-at=bank-{letter}]").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".log, .coach h2").first).to_be_visible()
    expect(page.locator(".me .tok").nth(1)).to_contain_text("1")
    page.get_by_role("link", name="Skip the lessons").click()
    expect(page.locator(".hero")).to_be_visible()
