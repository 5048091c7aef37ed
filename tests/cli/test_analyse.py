"""`cabochon analyse`: a position's moves, a game's decisions, in two languages and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cabochon.game import Game, play_on
from cabochon.notation import format_position, format_record, format_view, parse_record
from cabochon.render.width import width
from cabochon.rules import Phase, Position, Ruleset, ShuffledDealer
from cabochon.words import languages
from tests.cli.driver import play_bots, run

FEW = ("--visits", "60")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return play_bots(tmp_path_factory.mktemp("games") / "game.cabochon", "analyse")


def decisions(told: dict[str, Any]) -> list[Any]:
    return [decision for turn in told["turns"] for decision in turn["decisions"]]


def _opening() -> Position:
    ruleset = Ruleset(2)
    return Position.start(ruleset, ShuffledDealer("analyse").opening(ruleset))


@pytest.mark.parametrize("lang", languages())
def test_a_game_has_a_line_for_every_decision_and_a_summary(game: Path, lang: str) -> None:
    done = run("analyse", game, *FEW, "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert all(width(line) <= 80 for line in done.out.splitlines())
    told = json.loads(run("analyse", game, *FEW, "--json").out)
    lines = done.out.splitlines()
    told_lines = [line for line in lines[1 : lines.index("")] if not line.startswith(" ")]
    assert len(told_lines) == len(decisions(told))
    assert len(told_lines) < len(lines[1 : lines.index("")]), "grave losses have their reasons"
    assert "??" in done.out.split("\n\n")[-1]
    assert "uniform" in done.out.lower()


def test_a_long_chinese_name_keeps_the_columns(game: Path) -> None:
    text = game.read_text("utf-8").replace("Uniform", "一个名字非常非常长的玩家")
    done = run("analyse", "-", *FEW, stdin=text)
    assert (done.code, done.err) == (0, "")
    assert all(width(line) <= 80 for line in done.out.splitlines())


def test_the_random_player_loses_more_than_the_greedy_one(game: Path) -> None:
    told = json.loads(run("analyse", game, "--visits", "300", "--json").out)
    summary = dict(zip(told["players"], told["summary"], strict=True))
    assert summary["Uniform"]["mean_loss"] > summary["Greedy"]["mean_loss"]
    assert summary["Uniform"]["accuracy"] < summary["Greedy"]["accuracy"]
    assert {"?", "??"} & {decision["mark"] for decision in decisions(told)}


def test_the_same_visits_give_the_same_answer(game: Path) -> None:
    assert run("analyse", game, *FEW).out == run("analyse", game, *FEW).out


def test_a_position_lists_its_moves_best_first(game: Path) -> None:
    text = format_position(_opening())
    done = run("analyse", text, *FEW, "--top", "3")
    assert (done.code, done.err) == (0, "")
    assert "Chances to win: seat 1 " in done.out
    told = json.loads(run("analyse", text, *FEW, "--top", "3", "--json").out)
    assert len(told["moves"]) == 3
    assert told["moves"][0]["move"] in done.out
    assert told["moves"][0]["move"] == told["variation"][0]
    assert sum(told["chances"]) == pytest.approx(1, abs=1e-3)
    view = run("analyse", format_view(_opening().view(0)), *FEW, "--top", "3", "--json")
    assert json.loads(view.out) == told
    at = run("analyse", game, "--ply", "0", *FEW)
    assert "Chances to win: " in at.out
    assert "Greedy" in at.out


def test_a_card_that_is_due_is_dealt_first(game: Path) -> None:
    record = parse_record(game.read_text("utf-8"))
    due = next(p for p, position in enumerate(record.replay()) if position.phase is Phase.DEAL)
    one, other = (run("analyse", game, "--ply", str(p), *FEW, "--json") for p in (due, due + 1))
    assert one.out == other.out
    assert one.code == 0


def test_with_all_cards_known_another_review() -> None:
    """In a game with a blind reservation, what the others drew changes the judgement."""
    game = Game(seed="blind", bots=["greedy", "greedy"])
    game.play("reserve deck2")
    for _ in zip(range(6), play_on(game, game._asks()), strict=False):
        pass
    text = format_record(game.record)
    own, everything = (
        run("analyse", "-", "--visits", "40", "--json", *flag, stdin=text)
        for flag in ((), ("--all-cards",))
    )
    assert json.loads(own.out)["engine"]["knowledge"] == "own"
    assert json.loads(everything.out)["engine"]["knowledge"] == "all-cards"
    assert json.loads(own.out)["turns"][1] != json.loads(everything.out)["turns"][1]


def test_time_can_limit_it(game: Path) -> None:
    assert "--visits" in run("analyse", game, "--ms", "30").err
    told = json.loads(run("analyse", format_position(_opening()), "--ms", "30", "--json").out)
    assert told["visits"] > 1


def test_what_cannot_be_analysed_is_said(game: Path) -> None:
    record = parse_record(game.read_text("utf-8"))
    last = len(record.events)
    assert "nothing to decide" in run("analyse", game, "--ply", str(last)).err
    assert "没有需要做的决定" in run("analyse", game, "--ply", str(last), "--lang", "zh").err
    other = format_view(_opening().view(1))
    assert "isn't that of the player to decide" in run("analyse", other).err
    watcher = format_view(_opening().view(None))
    assert "isn't that of the player to decide" in run("analyse", watcher).err
    assert "there is no ply 9999" in run("analyse", game, "--ply", "9999").err
    assert "--ply is for records" in run("analyse", format_position(_opening()), "--ply", "1").err
    assert run("analyse", "nowhere").code == 2
    assert run("analyse", game, "--visits", "0").code == 2
