"""Lessons over HTTP: listed, read, answered; no answer is told before it is asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from cabochon.lessons.course import course
from cabochon.lessons.figures import figure_words
from cabochon.notation import format_move
from tests.server.serving import Here, serving


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    with serving(tmp_path_factory.mktemp("lessons") / "t.db") as server:
        yield server


def test_the_course_is_listed_in_order(here: Here) -> None:
    told = here.get("/lessons")
    assert [one["id"] for one in told["lessons"]] == [one.id for one in course()]
    assert told["lessons"][0]["title"] == {"en": "Take tokens", "zh": "拿筹码"}
    assert told["figures"].startswith("cabochon lessons figures")


def test_a_lesson_is_read_without_its_answers(here: Here) -> None:
    for number, one in enumerate(course(), start=1):
        told = here.get(f"/lessons/{one.id}")
        assert told["number"] == number
        assert len(told["steps"]) == len(one.steps)
        for asked, step in zip(told["steps"], one.steps, strict=True):
            assert set(asked) == {
                "text", "ask", "options", "start", "seat", "bots", "ruleset", "target", "spots"
            }  # fmt: skip
            text = json.dumps(asked, ensure_ascii=False)
            assert step.said("why", figure_words())["en"] not in text
            assert asked["start"]["legal"]
    assert told["next"] is None
    assert here.get("/lessons/tokens")["next"]["id"] == "card"


def test_every_right_answer_is_right_and_says_why(here: Here) -> None:
    for one in course():
        for number, step in enumerate(one.steps):
            moves = [format_move(move) for move in step.right_moves()[:1]]
            asked = {"step": number, "moves": moves, "option": step.option or None}
            tried = here.post(f"/lessons/{one.id}/try", asked)
            assert tried["right"] is True
            assert tried["says"] == step.said("why", figure_words())
            assert tried == here.get(f"/lessons/{one.id}/answer?step={number}")


def test_a_wrong_answer_is_told_why(here: Here) -> None:
    tried = here.post("/lessons/tokens/try", {"step": 1, "moves": ["take wug"]})
    assert tried["right"] is False
    assert "the other would still be missing" in tried["says"]["en"]
    assert tried["steps"][0]["event"] == "take wug"
    tried = here.post("/lessons/card/try", {"step": 1, "option": "gone"})
    assert tried["right"] is False
    assert tried["steps"] == []


def test_what_makes_no_sense_is_refused(here: Here) -> None:
    assert here.try_get("/lessons/flying").json()["code"] == "no-such-lesson"
    assert here.try_get("/lessons/tokens/answer?step=7").status_code == 422
    for asked, code in (
        ({"step": 0, "moves": ["take ooo"]}, 422),
        ({"step": 0, "moves": []}, 422),
        ({"step": 0, "option": "bank"}, 422),
        ({"step": 9, "moves": ["take wug"]}, 422),
        ({"step": 0, "moves": ["fly"]}, 422),
    ):
        assert here.try_post("/lessons/tokens/try", asked).status_code == code
