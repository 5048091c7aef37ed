"""Matches that are played: the same bytes again, whoever helps; forfeits; early stops."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cabochon.arena import (
    ArenaError,
    GameResult,
    Hypotheses,
    Match,
    Report,
    Seating,
    format_report,
    parse_entrant,
    parse_report,
    play_game,
    play_games,
    play_match,
)
from cabochon.arena.botgame import FORFEIT, written
from cabochon.arena.calibration import Ladder
from cabochon.arena.scoreboard import MatchProgress, scoreboard
from cabochon.arena.tournament import GameCache
from cabochon.bots import NO_LIMIT, Limit, UnknownBot, make_bot
from cabochon.bots import Bot as BotProtocol
from cabochon.bots.command import EngineFailed
from cabochon.rules import Move, Pass, Ruleset, ShuffledDealer, View, WrongArgument
from cabochon.words import text
from cabochon.workers import Executor, Inline, Processes
from cabochon.workers.executors import ResultT, TaskT

GREEDY_AND_UNIFORM = (parse_entrant("greedy"), parse_entrant("uniform"))
RULES = ("standard/2", "quick/3", "standard/4", "teams/4", "quick-teams/4")


def quick_match(rules: str = "quick/2", games: int = 2, stop: Hypotheses | None = None) -> Match:
    ruleset = Ruleset.parse(rules)
    seating = Seating.MIXED if ruleset.seats == 2 or ruleset.teams else Seating.LONE
    return Match(GREEDY_AND_UNIFORM, ruleset, games, "7", seating, stop)


@pytest.fixture(scope="module")
def report() -> Report:
    return play_match(quick_match(games=8), Inline())


@pytest.mark.parametrize("rules", RULES)
def test_every_ruleset_is_played(rules: str) -> None:
    report = play_match(quick_match(rules, games=1), Inline())
    summary = report.summary
    assert summary.games == report.match.games_a_round
    assert sum(s.won for s in summary.standings) == pytest.approx(summary.games)
    assert summary.standings[0].entrant == 0, "greedy beats uniform"
    assert sum(summary.seats) == pytest.approx(1)


def test_the_same_match_gives_the_same_bytes(report: Report) -> None:
    assert format_report(play_match(report.match, Inline())) == format_report(report)


def test_helpers_change_nothing(report: Report) -> None:
    workers = Processes(2)
    try:
        assert format_report(play_match(report.match, workers)) == format_report(report)
    finally:
        workers.close()


def test_a_report_is_read_back(report: Report) -> None:
    text = format_report(report)
    assert parse_report(text) == report
    assert format_report(parse_report(text)) == text


def test_an_altered_report_is_refused(report: Report) -> None:
    text = format_report(report)
    for old, new in (('"share": 1.0', '"share": 0.9'), ("[1, 2]", "[2, 1]"), ('"7"', '"8" ')):
        assert old in text
        with pytest.raises(ArenaError):
            parse_report(text.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "else"}', "null"])
def test_what_is_no_report_is_refused(text: str) -> None:
    with pytest.raises(ArenaError) as caught:
        parse_report(text, "some.json")
    assert "some.json" in caught.value.en
    assert "some.json" in caught.value.zh


def test_a_decided_test_stops_the_match() -> None:
    report = play_match(quick_match(games=200, stop=Hypotheses(0, 100)), Inline())
    assert len(report.games) < 40
    test = report.summary.test
    assert test is not None
    assert test.verdict == "high"
    assert parse_report(format_report(report)) == report


def test_an_interrupt_keeps_the_whole_rounds() -> None:
    report = play_match(quick_match(games=20), _Interrupted(3))
    assert len(report.games) == 6
    assert report.match.deals == 3
    with pytest.raises(KeyboardInterrupt):
        play_match(quick_match(), _Interrupted(0))


def test_kept_games_are_not_played_again(tmp_path: Path) -> None:
    match = quick_match(games=8)
    kept = GameCache(tmp_path, match)
    play_match(match, _Interrupted(2), cache=kept)
    (file,) = tmp_path.iterdir()
    file.write_text(file.read_text() + '[2, [0, 1], [["half a li')
    report = play_match(match, _Interrupted(2), cache=GameCache(tmp_path, match))
    assert format_report(report) == format_report(play_match(match, Inline()))
    longer = quick_match(games=10)
    again = play_match(longer, _Interrupted(1), cache=GameCache(tmp_path, longer))
    assert again.games[:8] == report.games
    assert len(again.games) == 10, "only the fifth deal was missing"


def test_other_engines_have_another_shelf(tmp_path: Path) -> None:
    play_match(quick_match(), Inline(), cache=GameCache(tmp_path, quick_match()))
    other = Match(GREEDY_AND_UNIFORM, Ruleset.parse("quick/2"), 2, "8")
    assert GameCache(tmp_path, other).find(next(other.blocks())) is None


def test_half_a_measurement_is_none(tmp_path: Path) -> None:
    ladder = Ladder(Ruleset.parse("quick/2"), "7", _Interrupted(2), lambda _: None, tmp_path)
    with pytest.raises(KeyboardInterrupt):
        ladder.play("greedy", "uniform", 8)
    ladder.executor = Inline()
    assert ladder.play("greedy", "uniform", 8).games == 8


class _Interrupted(Inline):
    def __init__(self, after: int) -> None:
        self._after = after

    def map(self, work: Callable[[TaskT], ResultT], tasks: Iterable[TaskT]) -> Iterator[ResultT]:
        for index, task in enumerate(tasks):
            if index == self._after:
                raise KeyboardInterrupt
            yield work(task)


class _Cheat:
    """Passes whenever it likes."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        return Pass()


def test_an_illegal_move_loses_the_game() -> None:
    ruleset = Ruleset(seats=3)
    bots: list[BotProtocol] = [make_bot("uniform", 1), _Cheat(), make_bot("uniform", 2)]
    played = play_game(ruleset, ShuffledDealer("x"), [(bot, NO_LIMIT) for bot in bots])
    assert played.failure is not None
    assert played.failure.seat == 1
    game = written(played, 0, (0, 1, 2))
    assert game.ending == FORFEIT
    assert game.ranking == (1, 2, 1)
    assert game.shares(3) == [0.5, 0.0, 0.5]


class _Hoarder:
    """Never buys: takes what it can and gives it back."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        return view.legal_moves()[0]


def test_a_game_that_nobody_finishes_is_ended() -> None:
    played = play_game(Ruleset(), ShuffledDealer("x"), [(_Hoarder(), NO_LIMIT)] * 2)
    game = written(played, 0, (0, 1))
    assert game.ending == "endless"
    assert game.ranking == (1, 1)


def test_shares_of_a_shared_victory() -> None:
    game = GameResult(
        deal=0,
        seats=(0, 1, 1),
        ranking=(1, 1, 3),
        points=(15, 15, 3),
        cards=(9, 9, 5),
        turns=60,
        ending="target",
    )
    assert game.shares(3) == [0.5, 0.5, 0.0]
    team = GameResult(
        deal=0,
        seats=(0, 1, 0, 1),
        ranking=(1, 2, 1, 2),
        points=(15, 9, 15, 9),
        cards=(9, 9, 9, 9),
        turns=60,
        ending="target",
    )
    assert team.shares(2) == [1.0, 0.0]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_table_says_it_all(report: Report, lang: str) -> None:
    text = scoreboard(report, lang)
    for part in ("greedy", "uniform", "8", "quick/2", "95 %", "100.0 %"):
        assert part in text
    assert text == scoreboard(parse_report(format_report(report)), lang)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_match_with_a_clock_has_its_table(lang: str) -> None:
    entrants = (parse_entrant("greedy@50ms"), parse_entrant("uniform"))
    report = play_match(Match(entrants, Ruleset.parse("quick/2"), 2), Inline())
    assert "50ms" in scoreboard(report, lang)
    assert text("arena.not-reproducible", lang) in scoreboard(report, lang)


def test_three_entrants_show_their_encounters() -> None:
    entrants = (*GREEDY_AND_UNIFORM, parse_entrant("uniform@5v"))
    report = play_match(Match(entrants, Ruleset.parse("quick/2"), 2), Inline())
    assert "greedy : uniform@5v" in scoreboard(report, "en")
    assert len(report.summary.encounters) == 3


class _Stream(io.StringIO):
    def __init__(self, live: bool) -> None:
        super().__init__()
        self._is_live = live

    def isatty(self) -> bool:
        return self._is_live


@pytest.mark.parametrize("live", [True, False])
def test_progress_is_told(live: bool) -> None:
    stream = _Stream(live)
    play_match(quick_match(games=4), Inline(), MatchProgress(stream, "en"))
    text = stream.getvalue()
    assert "4/4 games" in text
    assert "greedy 100.0 %" in text
    assert ("\r" in text) is live
    assert text.endswith("\x1b[K" if live else "\n")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_forfeit_is_told_in_both_languages(lang: str) -> None:
    stream = _Stream(False)
    entrants = (parse_entrant("uniform"), parse_entrant(f"cmd:{sys.executable} -c pass"))
    play_match(Match(entrants, Ruleset.parse("quick/2"), 2), Inline(), MatchProgress(stream, lang))
    assert {"en": "has exited", "zh": "已经退出"}[lang] in stream.getvalue()


def test_a_program_that_always_fails_is_told_of_three_times() -> None:
    stream = _Stream(False)
    entrants = (parse_entrant("uniform"), parse_entrant(f"cmd:{sys.executable} -c pass"))
    play_match(Match(entrants, Ruleset.parse("quick/2"), 6), Inline(), MatchProgress(stream, "en"))
    assert stream.getvalue().count("forfeits a game") == 3


@pytest.mark.parametrize("command", ["/nowhere/engine", "", "engine 'unclosed"])
def test_a_program_that_is_not_there_is_no_entrant(command: str) -> None:
    entrants = (parse_entrant("uniform"), parse_entrant(f"cmd:{command}"))
    with pytest.raises(EngineFailed) as caught:
        play_match(Match(entrants, Ruleset.parse("quick/2"), 2), Inline())
    assert caught.value.code == "engine-not-started"


def test_executors_are_interchangeable() -> None:
    executors: list[Executor] = [Inline(), Processes(2)]
    for executor in executors:
        assert list(executor.map(abs, range(-20, 0))) == list(range(20, 0, -1))
        executor.close()


def test_other_programs_enter() -> None:
    """One that answers, one that does not know how: the latter forfeits its games."""
    good = f"cmd:{sys.executable} examples/engine_bot.py"
    bad = f"cmd:{sys.executable} -c pass"
    entrants = tuple(parse_entrant(text) for text in (good, "uniform", bad))
    report = play_match(Match(entrants, Ruleset.parse("quick/2"), 2), Inline())
    forfeits = {s.entrant: s.forfeits for s in report.summary.standings}
    assert forfeits == {0: 0, 1: 0, 2: 4}
    assert not report.match.is_reproducible
    assert parse_report(format_report(report)) == report
    assert report.engines[0] == "external"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"games": "x"}, "games should be a whole number, not 'x'."),
        ({"games": 1.5}, "games should be a whole number, not 1.5."),
        ({"jobs": "x"}, "jobs should be a whole number of 0 or more, not 'x'."),
        ({"seed": 5}, "seed should be text, not 5."),
    ],
)
def test_figures_that_are_none_are_told_before_a_game(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(WrongArgument) as caught:
        play_games("greedy", "uniform", **asked)
    assert str(caught.value) == said
    with pytest.raises(UnknownBot, match="There is no bot 5"):
        play_games(5, "greedy", games=2)  # type: ignore[arg-type]
