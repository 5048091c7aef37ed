"""A turn is staged, seen, and only then sent; a misclick costs nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.scenes import Stage, board_two, gold_choice, return_step
from tests.browser.windows import Windows
from tests.server.serving import Here


@pytest.fixture
def duel(here: Here, windows: Windows) -> tuple[str, Page]:
    """The first turn of a game between two people, seen by the one who begins."""
    table, keys = here.strangers()
    return table, windows.sit(table, keys[0])


def bank(page: Page, letter: str) -> None:
    page.locator(f"[data-at=bank-{letter}]").click()


def test_nothing_is_sent_before_confirm(here: Here, duel: tuple[str, Page]) -> None:
    table, page = duel
    before = here.full(table)["version"]
    for letter in "wug":
        bank(page, letter)
    expect(page.locator(".ticket h2")).to_contain_text("Take")
    expect(page.locator(".ticket .effects")).to_contain_text("Tokens 0 → 3")
    expect(page.locator(".me em")).to_have_text(["+1", "+1", "+1"])
    page.get_by_role("button", name="Reset").click()
    expect(page.locator(".me em")).to_have_count(0)
    page.locator(".market button.card").first.click()
    expect(page.locator(".ticket h2")).to_contain_text("Reserve")
    page.keyboard.press("Escape")
    expect(page.locator(".ticket h2")).to_have_text("Your turn")
    assert here.full(table)["version"] == before


def test_enter_confirms_what_the_mouse_has_chosen(here: Here, duel: tuple[str, Page]) -> None:
    """The last token clicked has the focus; Enter must not press it once more."""
    table, page = duel
    for letter in "wug":
        bank(page, letter)
    page.keyboard.press("Enter")
    expect(page.locator(".status.you")).to_have_count(0)
    assert here.full(table)["log"][0]["gems"] == "wug"


def test_a_second_tap_puts_back(duel: tuple[str, Page]) -> None:
    _, page = duel
    bank(page, "w")
    bank(page, "u")
    bank(page, "w")
    expect(page.locator(".bank [aria-pressed=true]")).to_have_count(1)


@pytest.mark.parametrize(
    ("taps", "why"),
    [("o", "You can't take gold"), ("wwu", "different colours"), ("wugr", "different colours")],
)
def test_a_refusal_says_why(duel: tuple[str, Page], taps: str, why: str) -> None:
    _, page = duel
    for letter in taps:
        bank(page, letter)
    expect(page.locator(".refusal")).to_contain_text(why)
    expect(page.locator("#announcer")).to_contain_text(why)


def test_an_incomplete_take_is_explained(duel: tuple[str, Page]) -> None:
    _, page = duel
    bank(page, "w")
    page.get_by_role("button", name="Confirm").click(force=True)
    expect(page.locator(".refusal")).to_be_visible()


def test_refusals_speak_chinese(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0], settings={"lang": "zh"})
    bank(page, "o")
    expect(page.locator(".refusal")).to_contain_text("不能直接拿黄金")


def test_confirm_can_be_switched_off(here: Here, windows: Windows) -> None:
    table, keys = here.strangers()
    before = here.full(table)["version"]
    page = windows.sit(table, keys[0], settings={"confirm": False})
    for letter in "wug":
        bank(page, letter)
    expect(page.locator(".status.you")).to_have_count(0)
    assert here.full(table)["version"] == before + 1


def test_the_whole_turn_with_a_return_is_one_submission(stage: Stage) -> None:
    page = return_step(stage)
    table = page.url.rsplit("/", 1)[1]
    before = stage.here.full(table)["log"]
    expect(page.locator(".return .n")).to_contain_text("/10")
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".return")).to_have_count(0)
    log = stage.here.full(table)["log"][len(before) :]
    assert [line["kind"] for line in log[:2]] == ["take", "return"]


def test_gold_may_be_chosen(stage: Stage) -> None:
    """Somebody with gold buys with more of it than is needed."""
    page = gold_choice(stage)
    more = page.get_by_role("button", name="One more gold instead of").first
    before = page.locator(".ticket h2").inner_text()
    more.click()
    expect(page.locator(".ticket h2")).not_to_have_text(before)
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".refusal")).to_have_count(0)
    expect(page.locator(".ticket h2")).not_to_contain_text("Buy")


def test_reserve_instead_of_buying(stage: Stage) -> None:
    page = board_two(stage)
    expect(page.locator(".ticket h2")).to_contain_text("Buy")
    page.get_by_role("button", name="Reserve instead").click()
    expect(page.locator(".ticket h2")).to_contain_text("Reserve")
    page.get_by_role("button", name="Buy instead").click()
    expect(page.locator(".ticket h2")).to_contain_text("Buy")


def test_typed_moves(duel: tuple[str, Page]) -> None:
    _, page = duel
    page.keyboard.press("/")
    page.get_by_label("Type a move").fill("take rrr")
    page.keyboard.press("Enter")
    expect(page.locator("dialog [role=alert]")).to_be_visible()
    page.get_by_label("Type a move").fill("take w u g")
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".ticket code")).to_be_visible()
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator(".log .line").nth(1)).to_contain_text("took")


def test_missing_instead_of_price(duel: tuple[str, Page]) -> None:
    _, page = duel
    card = page.locator(".market button.card").first
    chips = card.locator(".chip")
    priced = chips.all_inner_texts()
    page.get_by_role("radio", name="Missing only").check()
    expect(chips).to_have_text(priced)  # nothing is held yet: all is missing
    page.reload()
    expect(page.get_by_role("radio", name="Missing only")).to_be_checked()
