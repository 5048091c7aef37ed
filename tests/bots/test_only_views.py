"""Only a View is thought about: every bot and every search refuses a Position, which would let it
peek, with an error of its own; and wrong limits, names and seeds by name."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from cabochon import kernel
from cabochon.bots import BOT_NAMES, Limit, UnknownBot, make_bot
from cabochon.bots.bot import Bot
from cabochon.bots.command import CommandBot
from cabochon.bots.engine import answer
from cabochon.bots.greedy import worth_of, worth_of_moves
from cabochon.bots.levels import level
from cabochon.notation import NotationError, position_to_json
from cabochon.play.driver import Driver, TutorBot
from cabochon.rules import (
    IllegalMove,
    NotAView,
    Phase,
    Position,
    Refusal,
    Ruleset,
    Setup,
    ShuffledDealer,
    View,
    WrongArgument,
)
from cabochon.search import Limit as SearchLimit
from cabochon.search import Searcher
from cabochon.search.reference import imagined, reference_search
from tests.arrange import arrange, hand
from tests.wrongs import ODD, POSITION, VIEW, Door, anything, of, refuses, speaks

QUICK = Limit(visits=2, seed=1)
NAMES = (*BOT_NAMES, "playouts", "level:visits=1,blur=0.5", "level:sight=one-move,blur=1")
Thinking = Callable[[Any], object]


def _entries() -> dict[str, Thinking]:
    """Everything that can be asked to think, by name."""
    greedy, top, driver = make_bot("greedy"), level("diamond"), Driver(QUICK)
    started = CommandBot([sys.executable, "-c", "raise SystemExit(3)"])
    return {
        **{name: _choose(name) for name in NAMES},
        "tutor": TutorBot().choose,
        "a command": started.choose,
        "a level's lines": lambda view: top.lines(view, QUICK),
        "greedy without a limit": greedy.choose,
        "worth_of_moves": worth_of_moves,
        "worth_of": lambda view: worth_of(view, VIEW.legal_moves()),
        "the driver": lambda view: driver.choose("greedy", view),
        "the driver of nobody": lambda view: driver.choose("nobody", view),
        "analyse": lambda view: Searcher().analyse(view, SearchLimit(visits=2)),
        "analyse without a limit": Searcher().analyse,
        "the reference search": lambda view: reference_search(view, 2, 1),
        "the reference's imagined": lambda view: imagined(view, Random(1)),
        "the kernel's imagined": lambda view: kernel.imagined(view, 1),
    }


def _choose(name: str) -> Thinking:
    return lambda view: make_bot(name).choose(view, QUICK)


ENTRIES = _entries()
SECRET = arrange(hands=[hand(), hand(reserved="?3k1")])


@pytest.mark.parametrize("name", sorted(ENTRIES))
@pytest.mark.parametrize(
    "thing",
    [SECRET, Setup.of(SECRET), None, "seat0", 5, Position, View],
    ids=lambda thing: type(thing).__name__,
)
def test_a_position_is_not_thought_about(name: str, thing: object) -> None:
    with pytest.raises(NotAView) as caught:
        ENTRIES[name](thing)
    assert isinstance(caught.value, WrongArgument)
    assert caught.value.code == "view-needed"
    assert caught.value.params == {"given": type(thing).__name__}
    speaks(caught.value)
    assert "3k1" not in caught.value.en + caught.value.zh


def test_the_command_of_a_bot_is_not_even_started_for_a_position() -> None:
    bot = CommandBot([sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(NotAView):
        bot.choose(SECRET)  # type: ignore[arg-type]
    assert (bot.faults, bot.name) == (0, None)


def test_an_engine_is_not_told_a_position() -> None:
    said = json.dumps({"type": "position", "view": position_to_json(SECRET)})
    with pytest.raises(NotationError):
        answer(make_bot("greedy"), "greedy", io.StringIO(said), io.StringIO())


CHOOSERS = sorted(name for name in ENTRIES if "imagined" not in name and "reference" not in name)


@pytest.mark.parametrize("name", CHOOSERS)
@pytest.mark.parametrize("viewer", [1, None])
def test_who_has_nothing_to_decide_is_told_so(name: str, viewer: int | None) -> None:
    with pytest.raises(IllegalMove) as caught:
        ENTRIES[name](POSITION.view(viewer))
    assert caught.value.code is Refusal.WRONG_SEAT


def test_nobody_chooses_while_a_card_is_due_or_after_the_end() -> None:
    waiting = POSITION.play(next(m for m in POSITION.legal_moves() if "Reserve" in repr(m)))
    over = arrange(hands=[hand(bought="3w4 3u4 3g4")], phase=Phase.OVER, last_round=True, turn=2)
    for position, code in ((waiting, Refusal.WRONG_PHASE), (over, Refusal.GAME_OVER)):
        with pytest.raises(IllegalMove) as caught:
            make_bot("uniform").choose(position.view(0))
        assert caught.value.code is code


def test_what_a_view_allows_is_still_chosen() -> None:
    for name in ("uniform", "greedy", "talc", "builder"):
        assert VIEW.is_legal(make_bot(name).choose(VIEW, QUICK))
    assert VIEW.is_legal(Searcher().analyse(VIEW, QUICK).best)


def _is_seconds(value: object) -> bool:
    kind = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (kind and 0 <= value <= 10**9)  # type: ignore[operator]


def _is_visits(value: object) -> bool:
    return value is None or (type(value) is int and value >= 0)


def _is_seed(value: object) -> bool:
    return value is None or type(value) is int


def _is_limit(value: object) -> bool:
    return isinstance(value, Limit | SearchLimit)


DOORS = [
    *(
        door
        for kind in (Limit, SearchLimit)
        for door in (
            Door(f"{kind.__module__} seconds", lambda v, kind=kind: kind(seconds=v), _is_seconds),  # type: ignore[misc]
            Door(f"{kind.__module__} visits", lambda v, kind=kind: kind(visits=v), _is_visits),  # type: ignore[misc]
            Door(f"{kind.__module__} seed", lambda v, kind=kind: kind(seed=v), _is_seed),  # type: ignore[misc]
        )
    ),
    Door("make_bot", make_bot, of(str)),
    Door("make_bot's seed", lambda v: make_bot("uniform", v), lambda v: type(v) is int),
    Door("uniform's limit", lambda v: make_bot("uniform").choose(VIEW, v), _is_limit),
    Door("greedy's limit", lambda v: make_bot("greedy").choose(VIEW, v), _is_limit),
    Door("talc's limit", lambda v: make_bot("talc").choose(VIEW, v), _is_limit),
    Door("CommandBot", CommandBot),
    Door("CommandBot's options", lambda v: CommandBot("true", v), lambda v: not v or of(dict)(v)),
]


@pytest.mark.parametrize("door", DOORS, ids=str)
def test_wrong_limits_names_and_seeds_are_refused(door: Door) -> None:
    for value in ODD:
        refuses(door, value)


@settings(max_examples=100)
@given(anything)
def test_any_value_as_a_limit_a_name_or_a_seed(value: Any) -> None:
    for door in DOORS:
        refuses(door, value)


def test_a_searcher_is_told_what_is_no_limit() -> None:
    with pytest.raises(WrongArgument):
        Searcher().analyse(VIEW, 5)  # type: ignore[arg-type]


def test_a_long_or_unseen_name_of_a_bot_makes_a_short_sentence() -> None:
    for name in ("x" * 10_000, "\x1b[2J", "level:" + "9" * 9_000):
        with pytest.raises(UnknownBot) as caught:
            make_bot(name)
        speaks(caught.value)


def test_a_bot_is_something_that_chooses() -> None:
    bot: Bot = make_bot("uniform")
    ruleset = Ruleset(4)
    view = Position.start(ruleset, ShuffledDealer("four").opening(ruleset)).view(0)
    assert view.is_legal(bot.choose(view))
