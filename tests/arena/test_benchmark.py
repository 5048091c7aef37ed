"""The frozen benchmark: the schedule stands still, a rating follows from the games."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cabochon import Game
from cabochon.arena.benchmark import (
    PLAYERS,
    LadderMeeting,
    LadderRung,
    fingerprint,
    is_frozen,
    opponent_of,
    rated,
    row_of,
    run_benchmark,
    rungs,
    schedule,
)
from cabochon.arena.botgame import GameResult
from cabochon.arena.entrants import Entrant, parse_entrant
from cabochon.arena.seating import agent_of, engine_of
from cabochon.bots import Limit, UnknownBot, make_bot
from cabochon.bots.levels import JudgingBot
from cabochon.bots.roster import network_fingerprint
from cabochon.cli import main
from cabochon.search import Searcher, shipped
from cabochon.search.net import BadWeights
from cabochon.search.searcher import WEIGHTS, once_shipped
from cabochon.workers import Inline

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_schedule_is_frozen() -> None:
    """Whoever changes it makes a new version: this hash is part of what has been cited."""
    assert schedule()["name"] == "v1"
    assert fingerprint([]) == "61e6f0e57cea"
    for players in PLAYERS:
        elos = {rung.name: rung.elo for rung in rungs(players)}
        assert list(elos) == ["greedy", "talc", "calcite", "quartz", "corundum", "diamond"]
        assert elos["greedy"] == 1000
        assert elos["talc"] < elos["calcite"] < elos["quartz"] < elos["corundum"] < elos["diamond"]


def test_the_opponents_keep_the_networks_they_were_frozen_with() -> None:
    """A better network may be shipped for today's levels; the benchmark goes on with the old."""
    assert is_frozen()
    for players in PLAYERS:
        network = schedule()["players"][str(players)]["network"]
        for rung in rungs(players):
            entrant = Entrant(rung.name, opponent_of(rung, players))
            assert rung.name == "greedy" or f":{rung.text}" in entrant.name
            if "sight=search" in rung.text:
                assert engine_of(entrant, players).endswith(f" net {network}")
    view = Game(players=4, seed="1").view(0)
    quartz = next(rung for rung in rungs(4) if rung.name == "quartz")
    frozen = make_bot(opponent_of(quartz, 4), seed=3)
    assert isinstance(frozen, JudgingBot)
    weights = once_shipped(schedule()["players"]["4"]["network"])
    expected = Searcher(weights).analyse(view, Limit(visits=1, seed=5)).lines
    assert frozen.lines(view, Limit(seed=5)) == expected


def test_a_network_that_is_not_kept_is_refused() -> None:
    with pytest.raises(BadWeights, match="0123456789ab"):
        make_bot("frozen:0123456789ab:diamond")
    with pytest.raises(UnknownBot, match="frozen:"):
        make_bot(f"frozen:{network_fingerprint(2)}:topaz")


def test_a_stopped_benchmark_goes_on(tmp_path: Path) -> None:
    """What is in the folder is not played again, and the row is the same."""
    whole = run_benchmark("greedy", 2, Inline(), deals=1)
    first = run_benchmark("greedy", 2, Inline(), deals=1, keep=tmp_path)
    assert fingerprint([first]) == fingerprint([whole])
    again = run_benchmark("greedy", 2, Unwilling(), deals=1, keep=tmp_path)
    assert fingerprint([again]) == fingerprint([whole])


class Unwilling(Inline):
    """Plays nothing."""

    def map(self, function: Any, tasks: Any) -> Any:
        assert not list(tasks)
        return iter(())


def meeting(elo: float, won: int, lost: int) -> LadderMeeting:
    games = [
        GameResult(
            deal=deal,
            seats=(0, 1),
            ranking=(1, 2) if deal < won else (2, 1),
            points=(15, 9),
            cards=(9, 9),
            turns=50,
            ending="target",
        )
        for deal in range(won + lost)
    ]
    return LadderMeeting(LadderRung("x", "greedy", elo), tuple(games))


def test_a_rating_follows_from_what_was_won() -> None:
    even, error = rated([meeting(1400, 200, 200)], 2)
    assert even == pytest.approx(1400, abs=3)
    assert 25 < error < 45
    better, _ = rated([meeting(1400, 300, 100)], 2)
    assert better - even == pytest.approx(190, abs=5)
    _, wider = rated([meeting(1400, 20, 20)], 2)
    assert wider > 2 * error
    swept, unsure = rated([meeting(800, 40, 0)], 2)
    assert 1200 < swept < 2200
    assert unsure > error


def test_a_program_is_measured_and_the_row_is_the_same_again() -> None:
    agent = f"cmd:{sys.executable} {EXAMPLES / 'starter_bot.py'}"
    results = [run_benchmark(agent, 2, Inline(), deals=1) for _ in range(2)]
    assert results[0].games == 2 * 6
    assert results[0].forfeits == 0
    row = row_of(agent, results[:1], 1)
    assert row == row_of(agent, results[1:], 1)
    assert "v1, 1 deal only" in row


def test_the_command_prints_one_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "games.json"
    said = ["benchmark", "uniform", "--players", "3", "--deals", "1", "--jobs", "1"]
    assert main([*said, "--json", str(kept), "--lang", "en"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("| uniform | – | ")
    assert "3 players:" in told.err
    data = json.loads(kept.read_text("utf-8"))
    assert data["hash"] in told.out
    assert main(["benchmark", "python:nowhere:Bot", "--lang", "en"]) == 2
    assert main(["benchmark", "network:/nowhere.npz", "--lang", "en"]) == 2


AGENTS = """
class Broken:
    def choose(self, view, limit):
        return 1 / 0

class Deaf:
    def choose(self, view):
        return view.legal_moves()[0]

class Choiceless: pass
"""


def test_what_an_agent_raises_loses_it_the_game_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It ended the whole benchmark, with our traceback."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents.py").write_text(AGENTS)
    said = ["--lang", "en", "benchmark", "--players", "2", "--deals", "1", "--jobs", "1"]
    assert main([*said, "python:agents:Broken"]) == 0
    told = capsys.readouterr()
    assert told.out.startswith("| python:agents:Broken | ")
    assert told.err.count("2 ×: The bot raised ZeroDivisionError: division by zero") == 6
    assert told.err.count("return 1 / 0") == 1, "where it happened is shown once"
    assert main([*said, "python:agents:Deaf"]) == 0
    assert "The bot raised TypeError: Deaf.choose() takes" in capsys.readouterr().err
    for agent, why in (
        ("python:agents:Choiceless", "python:agents:Choiceless can't be made. AttributeError: "),
        ("python:agents:Nobody", "can't be made. AttributeError: module 'agents' has no"),
        ("python:nowhere:Bot", "can't be made. ModuleNotFoundError: No module named 'nowhere'"),
        ("llm:/nowhere/model", "program /nowhere/model couldn't be started"),
    ):
        assert main([*said, agent]) == 2
        assert why in capsys.readouterr().err


def test_one_name_stands_for_a_network_of_each_number_of_players() -> None:
    name = f"network:{WEIGHTS}/players-{{players}}.npz"
    agent = parse_entrant(f"{name}@4v")
    assert engine_of(agent, 2) == f"network {network_fingerprint(2)}"
    assert engine_of(agent, 3) == f"network {network_fingerprint(3)}"
    bot = agent_of(agent.name)
    assert bot is not None
    for players in (2, 3):
        view = Game(players=players, seed="1").view(0)
        limit = Limit(visits=4, seed=1)
        assert bot.choose(view, limit) == Searcher(shipped(players)).analyse(view, limit).best


def test_the_command_says_why_games_were_forfeited(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A broken agent loses everything: whoever wrote it must hear of that."""
    (tmp_path / "passer.py").write_text(
        "from cabochon.rules import Pass\n"
        "class Passer:\n"
        "    def choose(self, view, limit):\n"
        "        return Pass()\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    said = ["--lang", "en", "benchmark", "python:passer:Passer", "--players", "2", "--deals", "1"]
    assert main([*said, "--jobs", "1"]) == 0
    told = capsys.readouterr()
    assert told.err.count("    lost by forfeit: 2\n    2 ×: You can pass only when") == 6
    assert "| v1, 1 deal only |" in told.out
