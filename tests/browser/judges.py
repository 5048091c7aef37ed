"""Reviews and engine for pages under test: real verdicts with few visits, told as fast or as slowly
as a scene wants them, without a worker."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Literal

from playwright.sync_api import Page, Route

from cabochon.notation import format_move, parse_position, parse_record
from cabochon.review import Review, review
from cabochon.review.judge import TurnStep, turns_in
from cabochon.review.reasons import MoveReason
from cabochon.review.reviewjson import analysis_to_json, review_to_json
from cabochon.rules import Deal
from cabochon.search import Limit, Searcher, shipped_for
from tests.server.serving import Here

VISITS = 240
Pace = Literal["done", "half", "begun", "waiting", "failed"]


def judge(page: Page, here: Here, table: str, key: str, pace: Pace = "done") -> None:
    """The page hears of that table's review, as far as it has come, and of an engine."""
    told = reviewed(here.try_get(f"/tables/{table}/record", key).text)
    page.route("**/api/reviews", lambda route: _answer(route, _state(told, pace)))
    page.route("**/api/reviews/*", lambda route: _answer(route, _state(told, pace)))
    page.route("**/api/reviews/*/stream*", lambda route: _stream(route, _lines(told, pace)))
    page.route("**/api/engine", _look)


def tell(page: Page, told: dict[str, Any]) -> None:
    """The page hears that review, whatever it asks for."""
    page.route("**/api/reviews", lambda route: _answer(route, _state(told, "done")))


def scripted(record: str) -> dict[str, Any]:
    """Verdicts that no engine has a say in, so that what is heard of them never changes."""
    game = parse_record(record)
    seats = game.ruleset.seats
    start = [round(1 / seats, 4)] * seats
    turns = [_scripted_turn(number, played.steps) for number, played in enumerate(turns_in(game))]
    return {
        "v": 1,
        "type": "review",
        "record": "0" * 64,
        "ruleset": str(game.ruleset),
        "players": list(game.players),
        "engine": {"name": "script", "network": "", "visits": 1, "seed": 0, "knowledge": "own"},
        "start": start,
        "turns": turns,
        "summary": [_scripted_summary(seat) for seat in range(seats)],
        "turning_points": [],
    }


def _scripted_turn(number: int, steps: tuple[TurnStep, ...]) -> dict[str, Any]:
    skill, mark = ((-0.12, "?"), (0.0, None), (-0.06, "?!"), (0.0, "!"), (-0.31, "??"))[number % 5]
    luck = (0.0, 0.08, -0.03)[number % 3]
    moves = [(step.ply, step.event) for step in steps if not isinstance(step.event, Deal)]
    best = {"kind": "scores", "text": {"en": "Scores 2 points.", "zh": "得 2 分。"}}
    analysis = {
        "chances": [0.5, 0.5],
        "best": "take wug",
        "moves": [{"move": "take wug", "value": 0.5, "visits": 1, "prior": 0.5}],
        "variation": [],
        "visits": 1,
    }
    decisions = [
        {
            "ply": ply,
            "move": format_move(move),
            "best": "take wug" if mark and mark != "!" and not i else format_move(move),
            "skill": 0.0 if i else skill,
            "loss": 0.0 if i else -skill,
            "mark": None if i else mark,
            "why": [best],
            "why_played": [],
            "analysis": None if i else analysis,
        }
        for i, (ply, move) in enumerate(moves)
    ]
    return {
        "turn": number,
        "seat": steps[0].position.seat,
        "before": 0.5,
        "after": round(0.5 + skill + luck, 4),
        "skill": skill,
        "luck": luck,
        "mark": mark,
        "dealt": None,
        "chances": [0.5, 0.5],
        "decisions": decisions,
    }


def _scripted_summary(seat: int) -> dict[str, Any]:
    return {
        "seat": seat,
        "accuracy": 80.0,
        "mean_loss": 0.05,
        "skill": -1.0,
        "luck": 0.1,
        "marks": {"?!": 2, "?": 1, "??": 0},
    }


@cache
def reviewed(record: str) -> dict[str, Any]:
    """The review as the server tells it: with a sentence for every reason."""
    found = review(parse_record(record), visits=VISITS)
    return with_sentences(found)


def with_sentences(found: Review) -> dict[str, Any]:
    told: dict[str, Any] = review_to_json(found)
    names = found.record.players
    for turn, judged in zip(told["turns"], found.turns, strict=True):
        for decision, verdict in zip(turn["decisions"], judged.decisions, strict=True):
            for field in ("why", "why_played"):
                for reason, said in zip(decision[field], getattr(verdict, field), strict=True):
                    reason["text"] = _words(said, names)
    return told


def _words(reason: MoveReason, names: tuple[str, ...]) -> dict[str, str]:
    return {lang: reason.text(lang, names) for lang in ("en", "zh")}


def _cut(told: dict[str, Any], turns: int) -> dict[str, Any]:
    whole = turns >= len(told["turns"])
    kept = {key: value for key, value in told.items() if key not in ("summary", "turning_points")}
    return told if whole else kept | {"turns": told["turns"][:turns]}


def _state(told: dict[str, Any], pace: Pace) -> dict[str, Any]:
    of = len(told["turns"])
    done = {"done": of, "half": of * 47 // 100, "begun": 1, "waiting": 0, "failed": 0}[pace]
    told_as = {"done": "done", "waiting": "waiting", "failed": "failed"}
    state = told_as.get(pace, "working")
    part = _cut(told, done) if done else None
    ahead = 2 if pace == "waiting" else 0
    return {
        "id": "made-for-tests",
        "state": state,
        "ahead": ahead,
        "done": done,
        "of": of,
        "review": part,
    }


def _lines(told: dict[str, Any], pace: Pace) -> list[dict[str, Any]]:
    if pace == "done":
        return [{"type": "reviewDone", "review": told}]
    return []


def _look(route: Route) -> None:
    asked: Any = route.request.post_data_json
    position = parse_position(asked["position"])
    searcher = Searcher(shipped_for(position.ruleset))
    found = searcher.analyse(position.view(position.seat), Limit(visits=VISITS))
    analysis = analysis_to_json(found, asked["lines"])
    _stream(route, [{"type": "analysisDone", "analysis": analysis, "visits": VISITS, "of": VISITS}])


def _answer(route: Route, body: dict[str, Any]) -> None:
    route.fulfill(status=200, content_type="application/json", body=json.dumps(body))


def _stream(route: Route, lines: list[dict[str, Any]]) -> None:
    body = "".join(f"{json.dumps(line)}\n" for line in lines)
    route.fulfill(status=200, content_type="application/x-ndjson", body=body)
