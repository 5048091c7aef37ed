"""The figures of the lessons: counted right, made again alike, and told with their command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cabochon.cli import main
from cabochon.lessons.course import course
from cabochon.lessons.figures import (
    GAMES,
    SEED,
    VISITS,
    SeatStory,
    StudiedGame,
    WatchedTask,
    count_games,
    figure_words,
    shipped_figures,
    watch_game,
)
from cabochon.words import ENGLISH, template


def story(points: list[int], **what: object) -> SeatStory:
    made = SeatStory(points=points)
    for name, value in what.items():
        setattr(made, name, value)
    return made


def test_what_is_counted() -> None:
    winner = story(
        [0, 1, 1, 3, 6, 9, 15],
        takes=3,
        pairs=1,
        reserves=[(1, True)],
        buys=[(2, 1, 1), (4, 2, 2), (7, 3, 3)],
        nobles=2,
    )
    loser = story([0, 0, 0, 0, 2, 2, 2], takes=5, reserves=[(6, False)], buys=[(5, 2, 2)])
    figures = count_games([StudiedGame((winner, loser), 7, (0,), False)])
    assert figures["rounds"]["mean"] == 7
    assert figures["first_seat_wins"] == 100
    assert figures["turns"] == {"takes": 57, "pairs": 7, "reserves": 14, "buys": 29}
    assert figures["reserves"]["denying"] == 50
    assert figures["reserves"]["by_round"][:2] == [
        {"from": 1, "to": 5, "reserves": 10},
        {"from": 6, "to": 10, "reserves": 25},
    ]
    told = figures["winner"]
    assert (told["cards"], told["level_1"], told["level_2"], told["level_3"]) == (3, 1, 1, 1)
    assert (told["nobles"], told["without_noble"], told["points_from_nobles"]) == (2, 0, 40)
    assert told["first_points_round"] == 2
    assert told["points_after"] == {"5": 6, "10": 15, "15": 15, "20": 15}
    assert told["last_five_turns"] == 93


def test_the_same_game_is_played_again() -> None:
    task = WatchedTask(2, 0, 8, 1)
    game = watch_game(task)
    assert game == watch_game(task)
    assert all(len(story.points) == game.rounds for story in game.seats)
    assert all(story.turns == game.rounds for story in game.seats)
    winner = game.seats[game.winners[0]]
    scored = sum(points for _, _, points in winner.buys) + 3 * winner.nobles
    assert winner.points[-1] == scored >= 15


def test_the_command_makes_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cabochon.lessons.figures.GAMES", {2: 1})
    out = tmp_path / "figures.json"
    asked = ["lessons", "figures", "--visits", "8", "--jobs", "1", "--out", str(out)]
    assert main(asked) == 0
    made = json.loads(out.read_text("utf-8"))
    assert made["command"] == "cabochon lessons figures --visits 8 --seed 1"
    assert made["players"]["2"]["games"] == 1
    assert "1 games" in capsys.readouterr().out
    assert main([*asked[:-1], str(tmp_path / "no" / "where")]) == 2


def test_the_shipped_figures_say_how_they_were_made() -> None:
    figures = shipped_figures()
    assert figures["command"] == f"cabochon lessons figures --visits {VISITS} --seed {SEED}"
    games = {int(seats): told["games"] for seats, told in figures["players"].items()}
    assert games == GAMES


def test_every_figure_is_quoted_somewhere() -> None:
    said = " ".join(
        template(key, ENGLISH) for one in course() for step in one.steps for key in step.sentences()
    )
    assert [name for name in figure_words() if f"{{{name}}}" not in said] == []
