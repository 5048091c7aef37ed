"""The course as a person goes through it: by mouse, by keyboard, on a phone; it remembers."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from cabochon.lessons.course import LessonStep, lesson
from cabochon.lessons.figures import figure_words
from cabochon.notation import format_move
from tests.browser.drills import DrillMouse
from tests.browser.people import Hands, Keyboard
from tests.browser.scenes import Stage
from tests.browser.windows import LAPTOP, PHONE


def open_lesson(stage: Stage, name: str, size: tuple[int, int] = LAPTOP) -> Page:
    page = stage.windows.open(f"/lessons/{name}", size=size)
    page.wait_for_selector(".ask .helps")
    return page


def said(step: LessonStep, name: str) -> str:
    return step.said(name, figure_words())["en"]


def answer(step: LessonStep, page: Page, hands: Hands) -> None:
    """Rightly: by a move, or by choosing."""
    if step.right:
        hands.do([format_move(step.right_moves()[0])])
    elif isinstance(hands, Keyboard):
        place = step.options.index(step.option) + 1
        hands.tab_to(f".options li:nth-child({place}) button")
        hands.press("Enter")
    else:
        page.get_by_role("button", name=said(step, f"option-{step.option}")).click()


def go_through(name: str, page: Page, hands: Hands) -> None:
    """The whole lesson; every answer is right, and every why is read."""
    steps = lesson(name).steps
    for number, step in enumerate(steps):
        expect(page.locator(".ask h1")).to_have_text(said(step, "ask"))
        answer(step, page, hands)
        expect(page.locator(".ask .verdict.good")).to_be_visible()
        expect(page.locator(".ask .why")).to_have_text(said(step, "why"))
        if number == len(steps) - 1:
            return
        follow = page.locator(".ask .helps .primary")
        expect(follow).to_be_focused()
        if isinstance(hands, Keyboard):
            hands.press("Enter")
        else:
            follow.click()


def progress(page: Page) -> dict[str, int]:
    told: dict[str, int] = page.evaluate(
        "JSON.parse(localStorage.getItem('cabochon.lessons') ?? '{}').steps ?? {}"
    )
    return told


def test_a_whole_lesson_by_mouse_and_on_to_the_next(stage: Stage) -> None:
    page = open_lesson(stage, "card")
    go_through("card", page, DrillMouse(page))
    assert progress(page) == {"card": 3}
    page.get_by_role("link", name="Next: Bonuses: cards pay for cards").click()
    expect(page.locator(".ask .kick b")).to_have_text("3. Bonuses: cards pay for cards")


def test_a_whole_lesson_by_keyboard(stage: Stage) -> None:
    page = open_lesson(stage, "tokens")
    go_through("tokens", page, Keyboard(page))
    assert progress(page) == {"tokens": 3}


def test_choices_moves_and_nobles_by_keyboard(stage: Stage) -> None:
    page = open_lesson(stage, "noble")
    go_through("noble", page, Keyboard(page))
    assert progress(page) == {"noble": 3}


def test_after_the_first_steps_comes_the_guided_game(stage: Stage) -> None:
    page = open_lesson(stage, "reserve")
    go_through("reserve", page, DrillMouse(page))
    expect(page.locator(".ask footer")).to_contain_text("Next: Engine or race?")
    page.get_by_role("link", name="Play the guided game").click()
    page.wait_for_selector(".coach h2")


def test_a_wrong_move_is_told_why_and_another_can_be_tried_at_once(stage: Stage) -> None:
    step = lesson("tokens").steps[1]
    page = open_lesson(stage, "tokens")
    answer(lesson("tokens").steps[0], page, DrillMouse(page))
    page.locator(".ask .helps .primary").click()
    hands = DrillMouse(page)
    hands.do(["take wug"])
    expect(page.locator(".ask .verdict.bad")).to_be_visible()
    expect(page.locator(".ask .why")).to_have_text(said(step, "wrong-one"))
    assert progress(page) == {"tokens": 1}
    hands.do(["take rkw"])
    expect(page.locator(".ask .why")).to_have_text(said(step, "wrong-none"))
    hands.do(["take uu"])
    expect(page.locator(".ask .why")).to_have_text(said(step, "why"))


def test_a_wrong_choice_is_told_why_and_cannot_be_chosen_again(stage: Stage) -> None:
    step = lesson("bonuses").steps[0]
    page = open_lesson(stage, "bonuses")
    page.get_by_role("button", name="Seven").click()
    expect(page.locator(".ask .why")).to_have_text(said(step, "told-seven"))
    expect(page.get_by_role("button", name="Seven")).to_be_disabled()
    page.get_by_role("button", name="Four").click()
    expect(page.locator(".ask .why")).to_have_text(said(step, "why"))


def test_what_is_said_is_announced(stage: Stage) -> None:
    page = open_lesson(stage, "bonuses")
    page.get_by_role("button", name="Two").click()
    told = said(lesson("bonuses").steps[0], "told-two")
    expect(page.locator("[aria-live]").filter(has_text=told).first).to_be_attached()


def test_whoever_is_stuck_is_shown(stage: Stage) -> None:
    step = lesson("denying").steps[0]
    page = open_lesson(stage, "denying")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".ask .verdict.good")).to_have_text("This is it")
    expect(page.locator(".ask .why")).to_have_text(said(step, "why"))
    expect(page.locator(".reserved [data-card='3w3']")).to_be_visible()


def test_progress_is_there_after_a_reload_and_in_the_list(stage: Stage) -> None:
    page = open_lesson(stage, "card")
    answer(lesson("card").steps[0], page, DrillMouse(page))
    page.wait_for_selector(".ask .verdict.good")
    page.reload()
    expect(page.locator(".ask h1")).to_have_text(said(lesson("card").steps[1], "ask"))
    page.get_by_role("link", name="All lessons").click()
    expect(page.locator(".ways li").nth(1)).to_contain_text("1 of 3")
    expect(page.get_by_role("link", name="Continue: Take tokens")).to_be_visible()


def test_the_home_page_begins_the_course(stage: Stage) -> None:
    page = stage.open("/")
    tile = page.locator("section.tile")
    expect(tile).to_contain_text("12 minutes in all")
    expect(tile.locator("li")).to_have_count(5)
    tile.get_by_role("link", name="Start the first lesson").click()
    expect(page.locator(".ask .kick b")).to_have_text("1. Take tokens")


def test_on_a_phone_the_question_comes_first_and_its_answer_into_sight(stage: Stage) -> None:
    page = open_lesson(stage, "tokens", PHONE)
    question, table = page.locator(".ask").bounding_box(), page.locator(".tray").bounding_box()
    assert question is not None
    assert table is not None
    assert question["y"] < table["y"]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    answer(lesson("tokens").steps[0], page, DrillMouse(page))
    expect(page.locator(".ask .verdict.good")).to_be_in_viewport()


def test_a_lesson_that_is_not_there_says_so(stage: Stage) -> None:
    page = stage.open("/lessons/flying")
    expect(page.locator("h1")).to_have_text("The lesson could not be loaded")
    expect(page.locator(".alone p")).to_have_text("There is no lesson flying.")


def test_the_lesson_changes_language_in_place(stage: Stage) -> None:
    page = open_lesson(stage, "endings")
    page.get_by_role("button", name="中文").click()
    asked = lesson("endings").steps[0].said("ask", figure_words())["zh"]
    expect(page.locator(".ask h1")).to_have_text(asked)
