"""Positions over HTTP: checked for the editor, and drawn."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import pytest

from cabochon.notation import format_position, parse_position, position_to_json
from cabochon.render.svg import svg
from cabochon.rules import Phase, Ruleset
from tests.games import RandomGame
from tests.server.serving import Here
from tests.server.test_studies import START, open_study, problem_of


def check(here: Here, **body: Any) -> Any:
    return here.post("/positions/check", body)


def test_a_right_position_comes_back_ready_to_be_played(here: Here) -> None:
    found = check(here, text=START)
    assert found["faults"] == []
    assert found["position"] == START
    assert found["step"] == open_study(here, position=START)["start"]
    assert check(here, setup=found["setup"]) == found


def test_the_editor_s_faults_are_mended_one_by_one(here: Here) -> None:
    setup: Any = position_to_json(parse_position(START))
    setup["bank"][0] = 9
    setup["rows"][1][2] = None
    setup["rows"][0][0] = "1u2"
    setup["hands"][1]["tokens"] = [0, 0, 0, 0, 0, 14]
    setup["nobles"] = ["rk4"]
    setup["phase"] = "return"
    found = check(here, setup=setup)
    assert {fault["where"] for fault in found["faults"]} == {
        "bank.w", "bank.o", "rows.1.2", "rows.2.3", "hands.1.tokens", "nobles", "phase",
    }  # fmt: skip
    assert found["position"] is None
    assert found["step"] is None
    for _ in range(20):
        if not found["faults"]:
            break
        found = check(here, setup=found["faults"][0]["repair"]["setup"])
    assert found["position"] is not None


def test_seat_and_decks_follow_from_the_rest_and_may_be_out_of_date(here: Here) -> None:
    setup: Any = position_to_json(parse_position(START))
    setup |= {"turn": 3, "seat": 0, "decks": [0, 0, 0]}
    found = check(here, setup=setup)
    assert found["faults"] == []
    assert found["setup"]["seat"] == 1


@pytest.mark.parametrize(
    "body",
    [
        {"text": "nonsense"},
        {"text": START.replace("1w1", "9x9")},
        {"setup": {}},
        {"setup": {"ruleset": "standard/9"}},
        {"setup": {"ruleset": "standard/2", "bank": [10**40]}},
        {"setup": {**position_to_json(parse_position(START)), "turn": 10**12}},
        {"setup": {**position_to_json(parse_position(START)), "rows": "many"}},
        {"text": "seat0 " + START},
    ],
)
def test_what_cannot_be_read_is_a_fault_without_a_repair(here: Here, body: Any) -> None:
    found = check(here, **body)
    (fault,) = found["faults"]
    assert fault["repair"] is None
    assert fault["text"]["en"]
    assert fault["text"]["zh"]
    assert found["setup"] is None


def test_text_or_set_up_but_not_both(here: Here) -> None:
    for body in ({}, {"text": START, "setup": {}}):
        assert problem_of(here.try_post("/positions/check", body)) == (422, "bad-request")


def test_every_position_of_a_game_is_right(here: Here) -> None:
    for position in list(RandomGame(Ruleset(3), 4, "gambler", 60).positions())[::7]:
        text = format_position(position)
        found = check(here, text=text)
        assert (found["position"], found["faults"]) == (text, [])
        waits = position.phase in (Phase.DEAL, Phase.OVER)
        assert (found["step"]["legal"] == []) is waits


def picture(here: Here, kind: str, **params: str) -> Any:
    return here.http.get(f"/api/picture.{kind}", params=params)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_position_is_drawn_as_the_library_draws_it(here: Here, lang: str) -> None:
    response = picture(here, "svg", position=START, lang=lang)
    assert response.headers["content-type"] == "image/svg+xml"
    assert response.text == svg(parse_position(START), lang=lang)
    assert response.headers["content-security-policy"].startswith("default-src 'none'")


def test_a_view_is_drawn_without_what_it_hides(here: Here) -> None:
    text = START.replace("-|-|-|- -|-|-|-", "o1|-|(2r1)|- -|-|-|-").replace("o5", "o4")
    view = f"seat1 {text.replace('(2r1)', '2?')}"
    response = picture(here, "svg", position=view)
    assert response.text == svg(parse_position(text).view(1))


def test_pixels_are_painted_where_there_is_a_painter(here: Here) -> None:
    if find_spec("resvg_py") is None:
        pytest.skip("no painter")
    response = picture(here, "png", position=START)
    assert response.status_code == 200
    assert response.headers["content-type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")
    assert picture(here, "png", position=START).content == response.content


def test_without_a_painter_the_answer_says_so(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cabochon.server.web.painting.find_spec", lambda name: None)
    other = START.replace("1w1", "1w3")
    assert problem_of(picture(here, "png", position=other)) == (501, "no-painter")


def test_what_is_no_position_is_not_drawn(here: Here) -> None:
    for kind in ("svg", "png"):
        assert picture(here, kind, position="nonsense").status_code == 422
        assert picture(here, kind).status_code == 422
