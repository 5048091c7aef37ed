"""Bots are asked until a person must act; one that fails loses its decision, never the game."""

from __future__ import annotations

from itertools import count

import pytest

from cabochon.bots import NO_LIMIT, Bot, Limit, make_bot
from cabochon.play.driver import TUTOR, TUTORIAL_SEED, Driver, TutorBot, bot_named, tutorial_options
from cabochon.play.table import Table
from cabochon.rules import Move, Pass, View
from tests.play.sittings import driven, engine, opening, person, table_of


def test_engines_play_until_a_person_must_act() -> None:
    table = table_of(opening(engine(), engine("uniform"), person(2)))
    ticks = count(2000)
    decisions = list(driven(table, lambda: next(ticks)))
    table = decisions[-1].table
    assert table.to_act == 2
    assert {event.seat for event in table.moved} == {0, 1}


def test_engines_alone_finish_the_game() -> None:
    table = table_of(opening(engine(), engine()))
    for decision in driven(table):
        table = decision.table
    assert table.ended is not None


class Crashing:
    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        raise RuntimeError("out of ideas")


class Nonsense:
    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        return Pass()


@pytest.mark.parametrize(("kind", "word"), [(Crashing, "out of ideas"), (Nonsense, "illegal")])
def test_a_failing_bot_loses_the_decision_to_the_house(kind: type[Bot], word: str) -> None:
    table = table_of(opening(engine("odd"), person(1)))
    view = table.running.view(0)
    chosen = Driver(make=lambda name, seed: kind()).choose("odd", view)
    assert chosen.fault is not None
    assert word in chosen.fault
    assert chosen.move == make_bot("greedy").choose(view)


def test_the_tutor_is_deterministic_and_loses_to_a_plain_plan() -> None:
    table = Table.open("t", opening(person(0), engine(TUTOR), seed=TUTORIAL_SEED))
    assert isinstance(bot_named(TUTOR), TutorBot)
    greedy, tutor = make_bot("greedy"), bot_named(TUTOR)
    while table.to_act is not None:
        seat = table.to_act
        bot = tutor if seat else greedy
        move = bot.choose(table.running.view(seat))
        table = table.submit(seat, table.version, (move,), 0).table
    assert table.ended is not None
    assert table.ended.winners == (0,)
    assert tutorial_options().tutorial
