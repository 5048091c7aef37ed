"""`cabochon play --json`: a script plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cabochon.notation import parse_record, parse_seen_event, view_from_json
from cabochon.record import verify
from cabochon.rules import Ruleset
from tests.cli.driver import run
from tests.cli.test_play import kept_file, winning_lines


def spoken(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def of_kind(kind: str, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["type"] == kind]


def test_the_first_line_says_what_is_played() -> None:
    done = run("play", "--json", "--seed", "a", "--no-save", "--keep-order", "--name", "Ada")
    start, turn, left = spoken(done.out)
    assert start["type"] == "start"
    assert start["v"] == 1
    assert start["ruleset"] == "standard/2"
    assert start["players"] == ["Ada", "Greedy"]
    assert start["humans"] == [0]
    assert len(start["commitment"]) == 64
    assert turn["type"] == "turn"
    assert turn["legal"][0] == "take wug"
    assert view_from_json(turn["view"]).viewer == 0
    assert left == {"type": "left", "file": None}


def test_moves_as_text_and_as_objects() -> None:
    lines = 'take wug\n{"move": "take wug"}\n{"command": "quit"}\n'
    done = run("play", "--json", "--seed", "a", "--no-save", "--keep-order", stdin=lines)
    events = of_kind("event", spoken(done.out))
    assert [event["event"] for event in events if event["seat"] == 0] == ["take wug"] * 2
    assert [event["ply"] for event in events] == list(range(1, len(events) + 1))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("take www", "take-too-many"),
        ("buy 3k1", "buy-not-there"),
        ("pass", "pass-not-forced"),
        ("return w", "return-not-pending"),
        ("zork", "not-a-move"),
        ("{", "not-json"),
        ('{"move": 3}', "not-a-move"),
        ("{}", "not-a-move"),
        ("", "not-a-move"),
    ],
)
def test_a_refusal_is_answered_and_the_turn_goes_on(line: str, code: str) -> None:
    done = run(
        "play", "--json", "--seed", "a", "--no-save", "--keep-order", stdin=f"{line}\ntake wug\n"
    )
    (refused,) = of_kind("refused", spoken(done.out))
    assert refused["code"] == code
    assert refused["en"] != refused["zh"]
    assert any(event["event"] == "take wug" for event in of_kind("event", spoken(done.out)))


def test_a_hint_and_a_resignation(tmp_path: Path) -> None:
    done = run("play", "--json", "--seed", "a", "--keep-order", home=tmp_path,
               stdin='hint\n{"command":"resign"}\n')  # fmt: skip
    lines = spoken(done.out)
    (turn,), (hint,), (result,) = (of_kind(kind, lines) for kind in ("turn", "hint", "result"))
    assert hint["move"] in turn["legal"]
    assert result["ranking"] == [2, 1]
    assert result["reason"] == "resigned"
    assert result["seed"] == "a"


def test_a_whole_game_ends_with_its_result_and_seed(tmp_path: Path) -> None:
    lines = winning_lines(Ruleset.preset("quick"), "json")
    done = run("play", "--json", "--variant", "quick", "--seed", "json", stdin=lines, home=tmp_path)
    assert done.code == 0
    said = spoken(done.out)
    result = said[-1]
    assert result["type"] == "result"
    assert result["reason"] == "target"
    assert max(result["points"]) >= 10
    record = parse_record(kept_file(tmp_path).read_text("utf-8"))
    assert verify(record).ok
    events = [parse_seen_event(event["event"]) for event in of_kind("event", said)]
    assert len(events) == len(record.events)


def test_cards_that_others_draw_are_not_named(tmp_path: Path) -> None:
    """A uniform opponent draws often; its cards stay unnamed in every line of the game."""
    lines = "\n".join(["take wug", "take grk", "take wur"] * 8)
    done = run("play", "--json", "--seed", "draw4", "--bots", "uniform", stdin=lines, home=tmp_path)
    record = parse_record(kept_file(tmp_path).read_text("utf-8"))
    seat = record.players.index("You")
    drawn = [event for event in of_kind("event", spoken(done.out)) if event["event"] == "deal ?"]
    assert drawn
    assert all(event["seat"] != seat for event in drawn)
    unseen = {card.code for card in record.final().view(seat).unseen()}
    assert unseen
    assert not [code for code in unseen if f'"{code}"' in done.out or f" {code}" in done.out]
    assert "seed" not in done.out


def test_a_resumed_game_tells_what_has_happened(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    first = run("play", "--json", "--seed", "a", "--record", path, stdin="take wug\n")
    again = run("play", "--json", "--resume", path)
    assert of_kind("event", spoken(again.out)) == of_kind("event", spoken(first.out))


@given(st.lists(st.text(max_size=20), max_size=5))
def test_no_line_makes_it_stumble(lines: list[str]) -> None:
    stdin = "\n".join(line.replace("\n", " ") for line in lines)
    done = run("play", "--json", "--seed", "a", "--no-save", stdin=stdin)
    assert done.code == 0
    assert spoken(done.out)
