"""The analysis page: a review appears, variations are made with mouse and keys, kept and shared.

`UPDATE_GOLDEN=1 pytest tests/browser/test_studio.py` writes the transcripts anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cabochon.notation import parse_record, record_from_json
from cabochon.record import verify
from cabochon.recordfaults import Standing
from tests.browser.judges import judge, scripted, tell
from tests.browser.scenes import SCENES, Stage, legal_take, vary
from tests.browser.tables import Deals, Seat, Tables
from tests.browser.test_announcing import LISTEN, heard
from tests.browser.windows import PHONE, Windows, hold
from tests.server.serving import serving

GOLDEN = Path(__file__).parent / "golden"


def study(stage: Stage, seat: Seat, at: str = "0", listen: bool = False) -> Page:
    """The analysis of a finished table, with what the server itself finds."""
    page = stage.open("/favicon.svg")
    if listen:
        page.add_init_script(LISTEN)
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}?at={at}")
    page.wait_for_selector(".tree [aria-current]")
    return page


@pytest.fixture(scope="module")
def workshop(deals: Deals, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    """Tables of a server that reviews games by itself, in a process of its own."""
    folder: Path = tmp_path_factory.mktemp("workshop")
    with (
        serving(folder / "tables.db", review_workers=1, quick_reviews=True) as here,
        Tables(here, deals) as tables,
    ):
        yield tables


@pytest.fixture
def reviewing(workshop: Tables, chromium: Browser) -> Iterator[Stage]:
    opened = Windows(chromium, workshop.here.base)
    yield Stage(workshop, opened)
    opened.close()
    assert opened.troubles == []


def runs(page: Page) -> Locator:
    return page.locator(".tree .run")


def test_a_game_is_played_and_its_review_appears(reviewing: Stage) -> None:
    """Nobody asks for it: the quick one begins when the game is over."""
    page = study(reviewing, reviewing.tables.finished_two)
    expect(page.locator(".legend thead")).to_contain_text("accuracy", timeout=60_000)
    expect(page.locator(".legend tbody tr")).to_have_count(2)
    expect(page.locator(".plot polygon")).to_have_count(2)
    expect(page.get_by_role("table", name="Win chance turn by turn")).to_be_attached()


def test_the_graph_goes_to_the_turn_that_is_clicked(stage: Stage) -> None:
    page = SCENES["analysis-two"](stage)
    plot = page.locator(".plot")
    box = plot.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)
    expect(page.locator(".where")).to_contain_text("turn 29 of 56")
    page.get_by_role("slider").press("ArrowRight")
    expect(page.locator(".where")).to_contain_text("turn 30 of 56")
    flag = page.locator(".flag").first
    turn = (flag.get_attribute("aria-label") or "").split(":")[0].removeprefix("Turn ")
    flag.click()
    expect(page.locator(".where")).to_contain_text(f"turn {turn} of 56")


def test_a_variation_with_the_mouse_is_kept_and_its_link_opens_it_elsewhere(stage: Stage) -> None:
    page = study(stage, stage.tables.finished_two, "8")
    vary(page)
    expect(runs(page)).to_have_count(1)
    played = runs(page).inner_text()
    page.wait_for_function("() => localStorage.getItem('cabochon.studies')?.includes('(')")
    page.reload()
    page.wait_for_selector(".tree .run")
    assert runs(page).inner_text() == played
    expect(page.locator(".tree .run [aria-current]")).to_have_count(1)
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Make the link").click()
    link = page.get_by_label("A link to this variation").input_value()
    other = stage.open(link.removeprefix(stage.windows.base))
    other.wait_for_selector(".tree .run [aria-current]")
    assert runs(other).inner_text() == played


def test_a_game_with_a_variation_is_saved_as_text_json_and_pictures(stage: Stage) -> None:
    page = study(stage, stage.tables.finished_two, "8")
    vary(page)
    expect(runs(page)).to_have_count(1)
    page.get_by_role("button", name="Export").click()
    saved = {}
    for kind in ("text", "JSON", "SVG", "PNG"):
        with page.expect_download() as download:
            page.get_by_role("dialog").locator("li", has=page.locator("b", has_text=kind)).locator(
                "button, a"
            ).click()
        saved[kind] = download.value.path().read_bytes()
    record = parse_record(saved["text"].decode())
    assert len(record.variations) == 1
    assert record_from_json(json.loads(saved["JSON"])) == record
    assert verify(record).standing is Standing.PROVED
    assert saved["SVG"].startswith(b"<svg")
    assert saved["PNG"].startswith(b"\x89PNG")


def test_a_variation_with_keys_only(stage: Stage) -> None:
    page = study(stage, stage.tables.finished_two)
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(
        f"{stage.windows.base}/analysis/{stage.tables.finished_two.table}?at=8"
    )
    for letter in legal_take(page):
        page.keyboard.press(letter)
    page.keyboard.press("Enter")
    expect(runs(page)).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".tree .run [aria-current]")).to_have_count(1)
    page.keyboard.press("ArrowUp")
    expect(page.locator(".tree .row[aria-current]")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".tree .run [aria-current]")).to_have_count(1)
    page.get_by_role("button", name="Delete").press("Enter")
    expect(runs(page)).to_have_count(0)


def test_space_plays_the_best_move(stage: Stage) -> None:
    seat = stage.tables.finished_two
    page = stage.open("/favicon.svg")
    judge(page, stage.here, seat.table, seat.key)
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}?at=8")
    page.wait_for_selector(".legend table")
    best = page.locator(".engine li .mv").first.inner_text().split()
    page.keyboard.press(" ")
    expect(runs(page)).to_have_count(1)
    assert best[0].lower() in runs(page).inner_text()


def test_a_card_that_comes_is_picked_or_left_to_chance(stage: Stage) -> None:
    page = SCENES["analysis-deal"](stage)
    card = page.locator("dialog .pick").nth(3)
    card.click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(runs(page)).to_have_count(1)
    page.get_by_role("button", name="Another card").click()
    page.get_by_role("button", name="At random").click()
    expect(runs(page)).to_have_count(2)


def test_a_refusal_says_why(stage: Stage) -> None:
    page = study(stage, stage.tables.finished_two)
    page.locator(".market [data-cell='0-1'] button").click()
    page.get_by_role("button", name="Reset").click()
    for _ in range(2):
        page.keyboard.press("o")
    expect(page.locator(".ticket .refusal")).to_be_visible()


def test_comments_stay_with_their_move(stage: Stage) -> None:
    page = study(stage, stage.tables.finished_two, "4")
    page.get_by_role("button", name="Comment").click()
    page.get_by_role("textbox").fill("Here it turned.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".remark")).to_have_text("Here it turned.")
    page.wait_for_function("() => localStorage.getItem('cabochon.studies')?.includes('it turned')")
    page.reload()
    expect(page.locator(".remark")).to_have_text("Here it turned.")


def test_a_pasted_record_is_kept_over_a_reload_and_analysed(reviewing: Stage) -> None:
    page = SCENES["analysis-ask"](reviewing)
    page.reload()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator(".plot polygon")).to_have_count(4, timeout=120_000)


def test_a_position_is_opened_and_moves_in_it_are_its_line(stage: Stage) -> None:
    page = stage.open("/analysis")
    page.get_by_role("button", name="A freshly dealt table").click()
    page.wait_for_selector(".tree ol")
    for letter in "wug":
        page.keyboard.press(letter)
    page.keyboard.press("Enter")
    expect(page.locator(".tree .row")).to_have_count(2)
    page.wait_for_function("() => localStorage.getItem('cabochon.studies')?.includes('take')")
    page.reload()
    expect(page.locator(".tree .row")).to_have_count(2)


def test_nonsense_is_refused_in_words(stage: Stage) -> None:
    page = stage.open("/analysis")
    page.locator("textarea").fill("no such thing")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_a_running_game_locks_what_would_help_its_players(stage: Stage) -> None:
    page = SCENES["analysis-live"](stage)
    expect(page.get_by_role("switch")).to_have_count(0)
    for name in ("Edit", "Play from here"):
        button = page.get_by_role("button", name=name)
        expect(button).to_have_attribute("aria-disabled", "true")
        button.click(force=True)
    expect(page.locator("dialog")).to_have_count(0)
    assert "/analysis/" in page.url
    expect(page.locator(".bank button")).to_have_count(0)


def test_play_from_here_begins_a_table(stage: Stage) -> None:
    page = SCENES["analysis-play"](stage)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector("main.board")
    assert "/t/" in page.url


def test_on_a_phone_the_steps_stick_to_the_lower_edge(stage: Stage) -> None:
    page = SCENES["analysis"](stage.set(PHONE))
    controls = page.locator(".controls")
    box = controls.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == pytest.approx(PHONE[1], abs=1)
    before = page.url
    controls.get_by_role("button", name="Forward one move").click()
    page.wait_for_function("before => location.href !== before", arg=before)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_transcript_of_reviewed_turns(stage: Stage, lang: str) -> None:
    """What is heard when one steps through five turns, one of each kind."""
    seat = stage.tables.finished_two
    record = stage.here.try_get(f"/tables/{seat.table}/record", seat.key).text
    page = stage.set(lang=lang).open("/favicon.svg")
    page.add_init_script(LISTEN)
    tell(page, scripted(record))
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}")
    page.wait_for_selector(".legend table")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => window.heard.length >= 5")
    rows = page.locator(".tree .row .visually-hidden").all_inner_texts()[:5]
    row = page.locator(".graph .visually-hidden tbody tr").first.inner_text()
    transcript = "\n".join([*heard(page), "", *rows, "", row]) + "\n"
    golden = GOLDEN / f"reviewed.{lang}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(transcript, "utf-8")
    assert transcript == golden.read_text("utf-8")
