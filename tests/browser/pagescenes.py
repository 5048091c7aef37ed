"""The pages around the table, each in a state worth looking at: analysis, people, lessons, puzzles;
and all scenes there are."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.drills import STATES, DrillMouse
from tests.browser.judges import Pace, judge
from tests.browser.puzzling import answer, first_of, posed
from tests.browser.puzzling import wrong as wrong_move
from tests.browser.scenes import SCENES, Stage, scene
from tests.browser.society import Society
from tests.browser.tables import Seat
from tests.browser.windows import hold


def _studied(stage: Stage, seat: Seat, pace: Pace, at: int, sits: bool = True) -> Page:
    """The analysis of a table whose review has come so far."""
    page = stage.open("/favicon.svg")
    judge(page, stage.here, seat.table, seat.key, pace)
    if sits:
        hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}?at={at}")
    page.wait_for_selector(".tree [aria-current]")
    return page


@scene
def analysis(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_four, "done", 40)
    page.wait_for_selector(".legend table")
    page.get_by_role("switch").click()
    page.wait_for_selector(".engine li .pct")
    return page


@scene
def analysis_two(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_two, "done", 20)
    page.wait_for_selector(".legend table")
    return page


@scene
def analysis_busy(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_four, "half", 20)
    page.wait_for_selector(".busy")
    return page


@scene
def analysis_waiting(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_two, "waiting", 20)
    page.wait_for_selector(".asking")
    return page


@scene
def analysis_failed(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_two, "failed", 20)
    page.wait_for_selector(".asking .primary")
    return page


@scene
def analysis_ask(stage: Stage) -> Page:
    """A record from elsewhere, which nobody has asked about."""
    seat = stage.tables.finished_four
    record = stage.here.try_get(f"/tables/{seat.table}/record", seat.key).text
    page = stage.open("/analysis")
    page.locator("textarea").fill(record)
    page.locator("form .primary").click()
    page.wait_for_selector(".asking .primary")
    return page


@scene
def analysis_live(stage: Stage) -> Page:
    seat = stage.tables.four
    page = stage.open("/favicon.svg")
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/analysis/{seat.table}")
    page.wait_for_selector(".engine .lock")
    return page


@scene
def analysis_variation(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_two, "done", 8)
    page.wait_for_selector(".legend table")
    vary(page)
    return page


def vary(page: Page) -> None:
    """Take tokens that the game did not."""
    before = page.locator(".run").count()
    for letter in legal_take(page):
        page.locator(f"[data-at=bank-{letter}]").click()
    page.locator(".ticket .confirm").click()
    expect(page.locator(".run")).to_have_count(before + 1)


def legal_take(page: Page) -> str:
    """Three colours that the bank has, other than those that were taken here."""
    had = page.locator(".bank button").evaluate_all(
        "piles => piles.map((pile) => Number(/\\d+/.exec(pile.textContent)[0]))"
    )
    letters = [letter for letter, n in zip("wugrk", had, strict=False) if n]
    return "".join(letters[-3:])


@scene
def analysis_deal(stage: Stage) -> Page:
    """A card must come in a variation: by chance, or picked."""
    page = _studied(stage, stage.tables.finished_two, "done", 8)
    page.wait_for_selector(".legend table")
    page.locator(".market [data-at=deck-2]").click()
    page.locator(".ticket .confirm").click()
    page.wait_for_selector("dialog[open] .pick")
    return page


@scene
def analysis_share(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_two, "done", 8)
    page.locator(".tools").last.get_by_role("button", name="Share").click()
    page.wait_for_selector("dialog[open] input")
    return page


@scene
def analysis_play(stage: Stage) -> Page:
    page = _studied(stage, stage.tables.finished_two, "done", 8)
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_selector("dialog[open] option", state="attached")
    return page


@scene
def analysis_entrance(stage: Stage) -> Page:
    seat = stage.tables.finished_two
    page = stage.open("/favicon.svg")
    hold(page, seat.table, seat.key)
    page.goto(f"{stage.windows.base}/analysis")
    page.wait_for_selector(".games li")
    return page


def _among(stage: Stage, path: str, *, kept: bool = True, **told: Any) -> Page:
    """A page of a server where many people are."""
    page = stage.open("/favicon.svg")
    Society(kept=kept, **told).meet(page)
    page.goto(stage.windows.named + path)
    return page


@scene
def home_busy(stage: Stage) -> Page:
    _ = stage.tables.lobby
    page = _among(stage, "/")
    for there in (".scale li", ".pool", ".duel", ".tables li .btn"):
        page.wait_for_selector(there)
    return page


@scene
def profile(stage: Stage) -> Page:
    page = _among(stage, "/profile")
    page.wait_for_selector(".line svg")
    page.wait_for_selector(".list li")
    return page


@scene
def profile_of_another(stage: Stage) -> Page:
    page = _among(stage, "/people/mira000000")
    page.wait_for_selector(".line svg")
    page.wait_for_selector(".list li")
    return page


@scene
def challenge(stage: Stage) -> Page:
    """Somebody is about to be asked for a game."""
    page = _among(stage, "/people/mira000000")
    page.locator(".btn.soft").first.click()
    page.wait_for_selector("dialog[open] .pace")
    return page


@scene
def challenged(stage: Stage) -> Page:
    """Asked for a game, waiting for an answer, and declined."""
    page = _among(stage, "/players", asked=True)
    page.wait_for_selector(".table li.you")
    expect(page.locator(".invitations .one")).to_have_count(3)
    return page


@scene
def profile_new(stage: Stage) -> Page:
    page = stage.open("/profile")
    page.wait_for_selector(".first .primary")
    return page


@scene
def players(stage: Stage) -> Page:
    page = _among(stage, "/players")
    page.wait_for_selector(".table li.you")
    return page


@scene
def watch(stage: Stage) -> Page:
    page = _among(stage, "/watch", featured=stage.tables.two.table)
    page.wait_for_selector(".tv .market")
    page.wait_for_selector(".grid .duel")
    return page


@scene
def all_games(stage: Stage) -> Page:
    page = _among(stage, "/games")
    page.wait_for_selector(".filters")
    return page


@scene
def account(stage: Stage) -> Page:
    page = _among(stage, "/account")
    page.wait_for_selector("#account-devices + ul li")
    page.wait_for_selector("#account-blocked")
    return page


@scene
def lessons(stage: Stage) -> Page:
    """The course, begun."""
    page = stage.open("/favicon.svg")
    page.evaluate(
        "steps => localStorage.setItem('cabochon.lessons', JSON.stringify({ steps }))",
        {"tokens": 3, "card": 1},
    )
    page.goto(f"{stage.windows.base}/lessons")
    page.wait_for_selector(".ways li .done")
    return page


@scene
def lesson(stage: Stage) -> Page:
    page = stage.open("/lessons/tokens")
    page.wait_for_selector(".ask .helps")
    return page


@scene
def lesson_wrong(stage: Stage) -> Page:
    """A wrong move, and what is said to it."""
    page = stage.open("/lessons/denying")
    page.wait_for_selector(".ask .helps")
    page.locator(".drill button[data-card='3g3']").click()
    page.locator(".ticket .confirm").click()
    page.wait_for_selector(".ask .verdict.bad")
    return page


@scene
def lesson_choice(stage: Stage) -> Page:
    """A question with choices, one of them tried and wrong."""
    page = lesson_right(stage)
    page.locator(".ask .helps .primary").click()
    page.locator(".ask .option").nth(1).click()
    page.wait_for_selector(".ask .verdict.bad")
    return page


@scene
def lesson_right(stage: Stage) -> Page:
    page = stage.open("/lessons/race")
    page.wait_for_selector(".ask .helps")
    page.locator(".drill .reserved button[data-card='1u5']").click()
    page.locator(".ticket .confirm").click()
    page.wait_for_selector(".ask .verdict.good")
    return page


@scene
def lesson_over(stage: Stage) -> Page:
    """The last question of a lesson, answered."""
    page = stage.open("/lessons/card")
    following = page.locator(".ask .helps button.primary")
    while True:
        page.locator(".ask .helps .quiet").click()
        page.wait_for_selector(".ask .verdict")
        if not following.count():
            return page
        following.click()


@scene
def puzzle(stage: Stage) -> Page:
    return posed(stage, first_of("win2"))


@scene
def puzzle_four(stage: Stage) -> Page:
    return posed(stage, first_of("only", 4))


@scene
def puzzle_return(stage: Stage) -> Page:
    """What to give back, among several."""
    return posed(stage, first_of("return", 4))


@scene
def puzzle_daily(stage: Stage) -> Page:
    """That of a certain day, by somebody who came on the days before."""
    page = stage.open("/favicon.svg")
    page.clock.set_fixed_time("2026-11-12T12:00:00")
    page.evaluate(
        "kept => localStorage.setItem('cabochon.puzzles', JSON.stringify(kept))",
        {"days": ["2026-11-09", "2026-11-10", "2026-11-11"], "rating": 1640, "rated": 30},
    )
    page.goto(f"{stage.windows.base}/puzzles")
    page.wait_for_selector(".ask .helps")
    return page


@scene
def puzzle_hint(stage: Stage) -> Page:
    page = puzzle_four(stage)
    for _ in range(2):
        page.locator(".ask .helps .btn").first.click()
    page.wait_for_selector(".ask .helps .btn[disabled]")
    return page


@scene
def puzzle_wrong(stage: Stage) -> Page:
    asked = first_of("only")
    return _tried(posed(stage, asked), wrong_move(asked))


@scene
def puzzle_solved(stage: Stage) -> Page:
    asked = first_of("win2")
    page = posed(stage, asked)
    DrillMouse(page).do([answer(asked)])
    page.wait_for_selector(".ask .note.good")
    return _tried(page, answer(asked, 1))


def _tried(page: Page, move: str) -> Page:
    DrillMouse(page).do([move])
    page.wait_for_selector(".ask .verdict")
    return page


@scene
def puzzle_unknown(stage: Stage) -> Page:
    page = stage.open("/puzzles/zzzzzz")
    page.wait_for_selector(".alone h1")
    return page


@scene
def storm(stage: Stage) -> Page:
    page = stage.open("/puzzles/storm")
    page.wait_for_selector(".ask .primary")
    return page


@scene
def storm_blowing(stage: Stage) -> Page:
    """One was skipped."""
    page = storm(stage)
    page.locator(".ask .primary").click()
    page.locator(".ask .helps .btn").first.click()
    page.wait_for_selector(".ask .note.bad")
    return page


@scene
def storm_over(stage: Stage) -> Page:
    page = storm_blowing(stage)
    page.locator(".ask .helps .quiet").click()
    page.wait_for_selector(".ask .primary")
    return page


@scene
def mistakes_none(stage: Stage) -> Page:
    """Somebody who has not played yet."""
    page = stage.open("/mistakes")
    page.wait_for_selector(".alone .primary")
    return page


@scene
def keep_name(stage: Stage) -> Page:
    page = _among(stage, "/", kept=False)
    page.wait_for_selector(".scale li")
    page.locator(".chip button").click()
    page.locator("dialog[open] input[name=username]").fill("Lapis")
    page.wait_for_selector("dialog[open] .ok")
    return page


@scene
def sign_in(stage: Stage) -> Page:
    page = _among(stage, "/signin", kept=False)
    page.wait_for_selector("dialog[open] input[type=password]")
    page.locator("dialog[open] input[name=username]").fill("Lapis")
    return page


@scene
def recovery_codes(stage: Stage) -> Page:
    page = keep_name(stage)
    page.locator("dialog[open] .way").last.click()
    page.locator("dialog[open] input[type=password]").fill("a stone that is not cut")
    page.locator("dialog[open] .primary").click()
    page.wait_for_selector("dialog[open] .codes")
    return page


ALL = SCENES | STATES
