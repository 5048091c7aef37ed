"""The levels and styles: measured as promised, quick to load, never silly."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise

import pytest

from cabochon.arena.calibration import PROMISE, chance_of
from cabochon.bots import BOT_NAMES, Limit, UnknownBot, make_bot
from cabochon.bots.greedy import worth_of_moves
from cabochon.bots.levels import FAR_WORSE, Judgement, LookAhead, judgements_of, level
from cabochon.bots.roster import (
    LEVEL_NAMES,
    LEVELS,
    RATED_PLAYERS,
    STYLE_NAMES,
    STYLES,
    is_current,
    is_measured,
    level_data,
    network_fingerprint,
    ratings,
    steps,
)
from cabochon.rules import Buy, Position, Ruleset, ShuffledDealer, View, card
from cabochon.search import Candidate
from tests.arrange import arrange, bonus_cards, hand
from tests.bars import keeps

LOWER = LEVEL_NAMES[:-1]


def start(players: int = 2) -> View:
    ruleset = Ruleset(players)
    return Position.start(ruleset, ShuffledDealer("levels").opening(ruleset)).view(0)


# What was measured: where nothing was, `cabochon bots` says so (tests/cli/test_arena.py)

MEASURED = [players for players in RATED_PLAYERS if is_measured(players)]


@pytest.mark.parametrize("players", RATED_PLAYERS)
def test_the_file_is_whole_or_says_that_nothing_was_measured(players: int) -> None:
    """Ratings, steps and the network they belong to come together."""
    assert bool(steps(players)) == is_measured(players)
    assert (str(players) in level_data()["networks"]) == is_measured(players)
    assert is_current(players) <= is_measured(players)
    for name in (*LEVEL_NAMES, *STYLE_NAMES):
        assert players in judgements_of(name)


@pytest.mark.parametrize("players", MEASURED)
def test_neighbouring_levels_differ_as_promised(players: int) -> None:
    measured = steps(players)
    pairs = [(step.stronger, step.weaker) for step in measured]
    assert pairs == list(pairwise(reversed(LEVEL_NAMES)))
    for step in measured:
        assert PROMISE[0] <= step.chance <= PROMISE[1], step
        assert step.low < step.chance < step.high
        sure = PROMISE[0] <= step.low and step.high <= PROMISE[1]
        assert step.games >= (200 if sure else 400)


@pytest.mark.parametrize("players", MEASURED)
def test_everybody_is_rated_with_an_error(players: int) -> None:
    rated = ratings(players)
    assert {*LEVEL_NAMES, *STYLE_NAMES, "greedy"} <= set(rated)
    elo = [rated[name].elo for name in LEVEL_NAMES]
    assert elo == sorted(elo)
    assert rated["greedy"].elo == 1000
    assert all(rating.error > 0 for name, rating in rated.items() if name != "greedy")
    for style in STYLE_NAMES:
        assert elo[1] < rated[style].elo < elo[-1], "styles are of medium strength"


@pytest.mark.parametrize("players", MEASURED)
def test_steps_and_ratings_tell_the_same(players: int) -> None:
    """The table of ratings is one fit over all games, a step is of two levels alone: they must
    agree within what both leave open."""
    rated = ratings(players)
    for step in steps(players):
        difference = rated[step.stronger].elo - rated[step.weaker].elo
        assert step.low - 0.03 < chance_of(difference) < step.high + 0.03, step


def test_a_report_names_the_network() -> None:
    for players in RATED_PLAYERS:
        assert network_fingerprint(players) in level("diamond").engine(players)


def test_styles_have_engines_of_their_own() -> None:
    engines = {make_bot(name).engine(2) for name in STYLE_NAMES}  # type: ignore[attr-defined]
    assert len(engines) == len(STYLE_NAMES)


def test_every_level_and_style_has_words_in_both_languages() -> None:
    assert len(LEVELS) == 8
    for entry in (*LEVELS, *STYLES):
        assert entry.name in BOT_NAMES
        assert set(entry.title) == set(entry.about) == {"en", "zh"}
        assert all(entry.title.values())
        assert all(entry.about.values())
    assert [entry.title["zh"] for entry in LEVELS] == [
        "滑石", "石膏", "方解石", "萤石", "石英", "黄玉", "刚玉", "金刚石",
    ]  # fmt: skip


# How they play


@pytest.mark.parametrize("name", [*LEVEL_NAMES, *STYLE_NAMES])
def test_nobody_misses_a_won_game(name: str) -> None:
    """The last turn of the game, one point behind, and one card for nothing that turns it."""
    mine = hand("", bought=f"{bonus_cards('rrrrrkkk')} 3w4 3u4 3w3")
    position = arrange(
        "standard/2",
        hands=[hand("", bought="3k4 3r4 3g4"), mine],
        rows={2: "2w4 2u1 2g1"},
        nobles="wu4 ug4 wug3",
        turn=41,
        last_round=True,
    )
    assert (position.points(0), position.points(1)) == (15, 14)
    for seed in range(4):
        move = make_bot(name, seed).choose(position.view(1), Limit(visits=64))
        assert isinstance(move, Buy)
        assert move.card is card("2w4")


def test_a_blurred_judgement_takes_only_what_it_finds_serious() -> None:
    from cabochon.bots.levels import _blurred

    moves = start().legal_moves()[:3]
    lines = tuple(
        Candidate(move, visits, 0.5, prior)
        for move, visits, prior in zip(moves, (50, 40, 0), (0.5, 0.4, 0.1), strict=True)
    )
    seen = {_blurred(lines, 3.0, seed) for seed in range(60)}
    assert seen == set(moves[:2])
    assert FAR_WORSE > 0.1 / 50


def test_one_move_without_blur_is_the_greedy_bot() -> None:
    bot = make_bot("level:sight=one-move,blur=0")
    assert bot.choose(start()) == make_bot("greedy").choose(start())


def test_a_limit_shortens_a_level_and_lengthens_only_the_top() -> None:
    lower, top = level("topaz"), level("diamond")
    judgement = judgements_of("topaz")[2]
    assert lower._budget(judgement, Limit(visits=10**6), 1).visits == judgement.visits
    assert lower._budget(judgement, Limit(seconds=9.0), 1).visits == judgement.visits
    assert top._budget(judgement, Limit(visits=10**6), 1).visits == 10**6
    assert top._budget(judgement, Limit(seconds=9.0), 1).visits is None


@pytest.mark.parametrize("text", ["level:sight=far", "level:depth=3", "level:visits=0", "level:x"])
def test_a_spelled_bot_must_make_sense(text: str) -> None:
    with pytest.raises(UnknownBot):
        make_bot(text)


def test_judgements_are_read_and_written() -> None:
    for judgement in (Judgement(LookAhead.SEARCH, 8, 0.5), Judgement(LookAhead.ONE_MOVE, 1, 1.2)):
        assert Judgement.parse(str(judgement)) == judgement


# Time


def test_a_name_costs_nothing() -> None:
    """Neither listing the bots nor making one loads the compiler."""
    script = (
        "import sys; from cabochon.bots import BOT_NAMES, make_bot;"
        "from cabochon.bots.roster import ratings; ratings(2);"
        "[make_bot(name) for name in BOT_NAMES];"
        "print([name for name in ('numba', 'numpy', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.alone
@pytest.mark.parametrize("name", ["talc", "diamond"])
def test_a_level_is_loaded_in_a_moment(name: str) -> None:
    """From a new process to the first move, compiled code being there: 1.5 s of its time."""
    script = (
        "from resource import RUSAGE_SELF, getrusage\n"
        "from cabochon.bots import Limit, make_bot\n"
        "from cabochon.rules import Position, Ruleset, ShuffledDealer\n"
        "rules = Ruleset(2)\n"
        "view = Position.start(rules, ShuffledDealer('x').opening(rules)).view(0)\n"
        f"make_bot({name!r}).choose(view, Limit(visits=10))\n"
        "used = getrusage(RUSAGE_SELF)\n"
        "print(used.ru_utime + used.ru_stime)\n"
    )
    make_bot(name).choose(start(), Limit(visits=10))

    def measure() -> float:
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        return float(done.stdout)

    keeps(1.5, measure)


@pytest.mark.alone
@pytest.mark.parametrize("players", RATED_PLAYERS)
@pytest.mark.parametrize("name", LOWER)
def test_a_move_below_the_top_takes_less_than_300_ms(name: str, players: int) -> None:
    bot, view = make_bot(name), start(players)
    bot.choose(view)

    def measure() -> float:
        began = time.process_time()
        bot.choose(view)
        return time.process_time() - began

    keeps(0.3, measure)


def test_worth_is_told_for_every_move() -> None:
    view = start()
    assert [move for move, _ in worth_of_moves(view)] == view.legal_moves()
