"""What must be in sight without scrolling, where the room is scarce."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pagescenes import ALL
from tests.browser.scenes import Stage
from tests.browser.walk import ON_ITS_SIDE, SIZES, SMALL_PHONE, resize
from tests.browser.windows import LAPTOP, PHONE, Windows, change_settings
from tests.server.serving import Here

Box = tuple[float, float, float, float]
SMALL_ON_ITS_SIDE = (667, 375)
AREAS = ".notice, .opponents > .player, .bottom > .me, .tray > .market"


def box(what: Locator) -> Box:
    """Left, top, right, bottom."""
    found = what.bounding_box()
    assert found is not None
    x, y = found["x"], found["y"]
    return x, y, x + found["width"], y + found["height"]


def outside(page: Page, inner: str, outer: str | None = None) -> list[str]:
    """Which of `inner` reach out of `outer`, or out of the window."""
    told: list[str] = page.evaluate(
        """([inner, outer]) => {
          const frame = outer ? document.querySelector(outer).getBoundingClientRect()
            : { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
          return [...document.querySelectorAll(inner)].filter((e) => {
            const { left, top, right, bottom } = e.getBoundingClientRect();
            return left < frame.left - 1 || top < frame.top - 1
              || right > frame.right + 1 || bottom > frame.bottom + 1;
          }).map((e) => `${e.className}: ${e.textContent}`);
        }""",
        [inner, outer],
    )
    return told


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("size", [ON_ITS_SIDE, SMALL_ON_ITS_SIDE, PHONE, SMALL_PHONE])
def test_the_big_button_of_the_home_page_is_above_the_fold(
    windows: Windows, size: tuple[int, int], lang: str
) -> None:
    page = windows.open("/", size=size, settings={"lang": lang})
    expect(page.locator(".scale li")).to_have_count(8)
    assert box(page.locator(".hero .btn.primary"))[3] <= box(page.locator(".tabbar"))[1]


@pytest.mark.parametrize("name", ["replay", "analysis-two"])
def test_a_studied_table_is_seen_whole_on_its_side(stage: Stage, name: str) -> None:
    """Nobles, market and bank, and beside them what one steps with."""
    page = ALL[name](stage)
    resize(page, ON_ITS_SIDE)
    page.evaluate("scrollTo(0, 0)")
    assert outside(page, ".tray .cell, .tray .bank button, .nobles > li, .controls button") == []
    assert box(page.locator(".tray"))[2] <= box(page.locator("section.strip"))[0]


def test_both_nobles_and_the_buttons_are_seen_on_its_side(stage: Stage) -> None:
    page = ALL["noble-choice"](stage)
    resize(page, ON_ITS_SIDE)
    assert outside(page, "dialog .choice, dialog .btn") == []


def test_giving_back_keeps_three_reserved_cards_in_sight(stage: Stage) -> None:
    page = ALL["return-holding"](stage)
    for size in (LAPTOP, PHONE, SMALL_PHONE, ON_ITS_SIDE):
        resize(page, size)
        assert page.locator(".return .held").count() == 3
        assert outside(page, ".return .held", ".return") == []


@pytest.mark.parametrize("size", [SMALL_PHONE, ON_ITS_SIDE])
def test_what_a_noble_asks_for_stays_on_its_plate(stage: Stage, size: tuple[int, int]) -> None:
    page = ALL["replay"](stage)
    resize(page, size)
    for plate in page.locator(".noble").all():
        left, top, right, bottom = box(plate)
        for need in plate.locator(".need li").all():
            x0, y0, x1, y1 = box(need)
            assert max(left - x0, top - y0, x1 - right, y1 - bottom) <= 1


def test_on_a_phone_the_games_come_before_their_filters(stage: Stage) -> None:
    page = ALL["all-games"](stage)
    filters = page.get_by_role("form", name="Filters")
    expect(filters).to_be_visible()
    resize(page, PHONE)
    expect(filters).to_be_hidden()
    page.get_by_role("button", name="Filters").click()
    expect(filters).to_be_visible()


def test_the_first_deed_moves_nothing(here: Here, windows: Windows) -> None:
    """The other's panel is as high before anything was done as after it."""
    table, keys = here.strangers()
    page = windows.sit(table, keys[1])
    before = box(page.locator(".player")), box(page.locator(".trackers"))
    sent = {"moves": ["reserve deck1"], "version": here.full(table)["version"]}
    here.post(f"/tables/{table}/move", sent, keys[0])
    expect(page.locator(".player .line2")).to_contain_text("reserved")
    assert (box(page.locator(".player")), box(page.locator(".trackers"))) == before


def test_the_log_stays_in_its_place_from_turn_to_turn(here: Here, windows: Windows) -> None:
    """Whether or not there is a round to be shown again above it."""
    table, keys = here.strangers()
    page = windows.sit(table, keys[0])
    again = page.get_by_role("button", name="Show the last round again")
    tops = []
    for seat, gems in ((0, "wug"), (1, "urk")):
        sent = {"moves": [f"take {gems}"], "version": here.full(table)["version"]}
        here.post(f"/tables/{table}/move", sent, keys[seat])
        expect(page.locator(".log button.line")).to_have_count(seat + 1)
        expect(again).to_have_count(seat)
        tops.append(box(page.locator(".log"))[1])
    assert tops[0] == tops[1]


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE])
def test_the_first_reserved_card_moves_nothing_on_a_phone(
    here: Here, windows: Windows, size: tuple[int, int]
) -> None:
    table, keys = here.strangers()
    page = windows.sit(table, keys[0], size=size)
    before = [*box(page.locator(".me")), *box(page.locator(".tray > .market"))]
    sent = {"moves": ["reserve deck1"], "version": here.full(table)["version"]}
    here.post(f"/tables/{table}/move", sent, keys[0])
    expect(page.locator(".me .reserved .card")).to_be_visible()
    after = [*box(page.locator(".me")), *box(page.locator(".tray > .market"))]
    # A pile that is one token lower gives its room to the market.
    assert after == pytest.approx(before, abs=3)


def test_the_ticket_covers_your_panel_whole(stage: Stage) -> None:
    page = ALL["board-four"](stage)
    resize(page, PHONE)
    assert box(page.locator(".ticket"))[1] <= box(page.locator(".me"))[1]


def test_cards_are_told_apart_while_four_give_tokens_back(stage: Stage) -> None:
    page = ALL["return-four"](stage)
    for size in (PHONE, SMALL_PHONE):
        resize(page, size)
        for card in page.locator(".market .card").all():
            _, top, _, bottom = box(card)
            assert bottom - top >= 50
    resize(page, ON_ITS_SIDE)
    assert box(page.locator(".return"))[3] <= box(page.locator(".player").first)[1] + 1


def test_what_is_said_and_the_phrases_are_seen_on_its_side(stage: Stage) -> None:
    page = ALL["writing"](stage)
    chat = page.locator("dialog[open] .chat")
    assert box(chat.locator(".say"))[3] - box(chat.locator(".say"))[1] >= 44
    assert outside(page, "dialog[open] .lines li", "dialog[open] .lines") == []


def test_nothing_is_left_empty_beside_the_result(stage: Stage) -> None:
    """The chart is as high as its panel; no bar where nobody has points; the next opponent is big
    enough to be seen."""
    page = stage.open("/")
    page.locator(".go label", has_text="Friendly").click()
    page.locator(".hero .go .primary").click()
    expect(page.locator("main.board")).to_be_visible()
    page.locator(".topbar .tools button").last.click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator(".ranks li")).to_have_count(2)
    expect(page.locator(".ranks .bar")).to_have_count(0)
    crystal = box(page.locator(".up svg").first)
    assert crystal[2] - crystal[0] >= 60
    page.wait_for_timeout(300)
    assert box(page.locator(".chart"))[3] - box(page.locator(".plotbox"))[3] <= 40


def test_the_puzzle_stands_beside_its_board_on_its_side(windows: Windows) -> None:
    page = windows.open("/", size=ON_ITS_SIDE)
    board = page.locator(".tile", has=page.locator("#daily-tile")).locator(".mini").first
    expect(board).to_be_visible()
    assert box(page.locator(".act"))[0] >= box(board)[2]


@pytest.mark.parametrize("name", ["talking", "tutorial", "rules", "board-two"])
def test_the_stones_of_a_deck_leave_its_number_alone(stage: Stage, name: str) -> None:
    page = ALL[name](stage)
    for size in (LAPTOP, PHONE, SMALL_PHONE):
        resize(page, size)
        for back in page.locator(".back:has(.left)").all():
            for stone in back.locator("ellipse").all():
                if stone.is_visible():
                    assert box(stone)[3] <= box(back.locator(".left"))[1] + 1


def test_an_invitation_says_whose_it_is(here: Here, windows: Windows) -> None:
    chairs = [{"kind": "me", "name": "Ada"}, {"kind": "open"}]
    made = here.post("/tables", {"chairs": chairs, "listed": False})
    page = windows.open(f"/join/{made['invites'][0]['code']}")
    expect(page.get_by_role("heading", name="Ada invites you to a game")).to_be_visible()


@pytest.mark.parametrize("name", ["taking-back", "somebody-gone", "talking"])
def test_what_needs_an_answer_takes_nothing_from_the_board(stage: Stage, name: str) -> None:
    """On a small phone the page grows by it; nothing is squeezed, nothing lies over anything."""
    page = ALL[name](stage)
    for size in (SMALL_PHONE, PHONE, ON_ITS_SIDE):
        resize(page, size)
        for card in page.locator(".market .card").all():
            left, top, right, bottom = box(card)
            assert bottom - top >= 55
            assert right - left >= 55
        parts = [box(part) for part in page.locator(AREAS).all()]
        for i, (x0, y0, x1, y1) in enumerate(parts):
            for left, top, right, bottom in parts[:i]:
                assert x1 <= left + 1 or right <= x0 + 1 or y1 <= top + 1 or bottom <= y0 + 1


def test_who_is_out_is_told_who_plays_on_a_phone_too(stage: Stage) -> None:
    page = ALL["given-up"](stage)
    resize(page, PHONE)
    expect(page.locator(".me")).to_contain_text("out · a bot plays on")
    told = page.locator(".me .mate")
    assert told.evaluate("e => e.scrollWidth <= e.clientWidth")
    for size in SIZES.values():
        resize(page, size)
        for part in (".me .name", ".me .mate"):
            assert page.locator(part).evaluate("e => e.scrollWidth <= e.clientWidth"), (size, part)


def test_the_sample_cards_of_the_settings_are_cards_on_a_phone_on_its_side(stage: Stage) -> None:
    page = ALL["settings"](stage)
    resize(page, ON_ITS_SIDE)
    for card in page.locator(".sample .card").all():
        left, top, right, bottom = box(card)
        assert right - left <= bottom - top


@pytest.mark.parametrize("name", ["taking-back", "talking"])
def test_faces_are_seen_beside_a_notice_on_a_phone(stage: Stage, name: str) -> None:
    page = ALL[name](stage)
    resize(page, PHONE)
    for face in page.locator(".market .face").all():
        _, top, _, bottom = box(face)
        assert bottom - top >= 28


def test_all_that_was_learnt_is_in_sight(stage: Stage) -> None:
    page = ALL["tutorial-end"](stage)
    assert outside(page, ".coach .text li", ".coach .text") == []
    resize(page, ON_ITS_SIDE)
    assert outside(page, ".coach :is(h2, li, .foe, .btn)", ".coach") == []
    assert outside(page, ".coach .text li", ".coach .text") == []


@pytest.mark.parametrize("name", ["return-step", "return-holding"])
def test_the_trackers_are_whole_beside_the_tokens_given_back(stage: Stage, name: str) -> None:
    page = ALL[name](stage)
    assert outside(page, ".tracker > *", ".tracker") == []


def test_what_somebody_is_stands_clear_of_what_they_did_on_its_side(stage: Stage) -> None:
    page = ALL["tutorial"](stage)
    change_settings(page, lang="zh")
    resize(page, ON_ITS_SIDE)
    kind, did = page.locator(".player .kind"), page.locator(".player .did").first
    assert kind.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
    assert box(kind)[2] <= box(did)[0]


def test_the_trackers_name_every_noble_whole(stage: Stage) -> None:
    page = stage.sit(stage.tables.over_ten_holding)
    assert outside(page, ".tracker > *", ".tracker") == []
    for name in page.locator(".tracker .short").all():
        assert name.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_what_one_owns_stays_in_sight_beside_reserved_cards_on_its_side(stage: Stage) -> None:
    """Six columns, the last ones under no card; and nobody's name gives way to what they did."""
    page = ALL["puzzle-wrong"](stage)
    resize(page, ON_ITS_SIDE)
    columns = page.locator(".me .purse .col")
    assert columns.count() == 6
    assert page.locator(".me .reserved .card").count() >= 2
    lowest = max(box(one)[3] for one in columns.all())
    beside = max(box(one)[2] for one in columns.all())
    for card in page.locator(".me .reserved .card").all():
        left, top, _, _ = box(card)
        assert left >= beside or top >= lowest


def test_a_partner_is_named_whole_on_a_phone_on_its_side(stage: Stage) -> None:
    page = ALL["board-teams"](stage)
    resize(page, ON_ITS_SIDE)
    for name in page.locator(".player .name").all():
        assert name.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_days_in_a_row_are_told_on_one_line(stage: Stage) -> None:
    page = ALL["puzzle-four"](stage)
    for lang in ("en", "zh"):
        change_settings(page, lang=lang)
        _, top, _, bottom = box(page.locator(".streak .count"))
        assert bottom - top < 30


def test_the_table_of_the_editor_is_whole_beside_the_rest_on_its_side(stage: Stage) -> None:
    page = ALL["editor"](stage)
    resize(page, ON_ITS_SIDE)
    page.evaluate("scrollTo(0, 0)")
    assert outside(page, ".tray .cell, .tray .pile, .nobles > li") == []
    assert box(page.locator(".tray"))[2] <= box(page.locator(".picker"))[0]
    nobles = [box(one) for one in page.locator(".nobles > li").all()]
    for above, below in pairwise(nobles):
        assert above[3] <= below[1] + 1


def test_looking_back_steps_on_the_smallest_phone(stage: Stage) -> None:
    page = ALL["looking-back"](stage)
    resize(page, SMALL_PHONE)
    page.get_by_role("button", name="Back one step").click()
    page.get_by_role("button", name="Forward one step").click()
    assert outside(page, ".topbar button") == []


def test_a_pasted_game_has_no_tabs_under_its_steps(stage: Stage) -> None:
    page = ALL["analysis-ask"](stage)
    resize(page, ON_ITS_SIDE)
    expect(page.locator(".tabbar")).to_have_count(0)
