"""Bots that stay seated: one for each seat, bounded, gone when idle, reproducible when asked."""

from __future__ import annotations

from cabochon.bots import Limit, make_bot
from cabochon.game import Game
from cabochon.play.driver import IDLE_S, Driver, SeatedBots
from cabochon.rules import Move, View


class Rememberer:
    """Counts its decisions; heavy, as one with a tree of thoughts is."""

    remembers = True

    def __init__(self) -> None:
        self.limits: list[Limit] = []

    def choose(self, view: View, limit: Limit = Limit()) -> Move:  # noqa: B008
        self.limits.append(limit)
        return view.legal_moves()[0]


def made(name: str, _seed: int) -> Rememberer:
    if name == "broken":
        raise RuntimeError("out of order")
    return Rememberer()


def test_a_bot_is_asked_again_in_the_same_seat() -> None:
    driver = Driver(make=made)
    view = Game(seed="s").view(0)
    for _ in range(3):
        assert driver.choose("odd", view, Limit(seconds=1), ("table", 0)).fault is None
    bot = driver.seated.at(("table", 0), "odd")
    assert isinstance(bot, Rememberer)
    assert bot.limits == [Limit(seconds=1)] * 3, "without a seed, so that it may go on from before"
    assert driver.seated.at(("table", 1), "odd") is not bot
    assert driver.seated.at(("other", 0), "odd") is not bot


def test_where_a_seed_is_asked_for_it_is_given() -> None:
    view = Game(seed="s").view(0)
    limit = Limit(visits=30, seed=7)
    moves = {Driver().choose("diamond", view, limit, ("table", 0)).move for _ in range(2)}
    assert len(moves) == 1


def test_another_bot_in_the_seat_is_another_bot() -> None:
    bots = SeatedBots(made)
    first = bots.at(("table", 0), "one")
    assert bots.at(("table", 0), "two") is not first
    assert len(bots) == 1


def test_there_are_only_so_many_and_fewer_heavy_ones() -> None:
    bots = SeatedBots(made, most=10, most_remembering=3)
    seated = [bots.at((f"table{n}", 0), "odd") for n in range(5)]
    assert len(bots) == 3
    assert bots.at(("table4", 0), "odd") is seated[4]
    assert bots.at(("table0", 0), "odd") is not seated[0], "it was asked longest ago"
    light = SeatedBots(make_bot, most=4)
    for n in range(9):
        light.at((f"table{n}", 0), "greedy")
    assert len(light) == 4


def test_who_is_not_asked_for_a_while_leaves() -> None:
    now = [0.0]
    bots = SeatedBots(made, clock=lambda: now[0])
    bots.at(("old", 0), "odd")
    now[0] = IDLE_S + 1
    bots.at(("new", 0), "odd")
    assert len(bots) == 1


def test_the_bots_of_a_finished_table_leave() -> None:
    bots = SeatedBots(made)
    for place in (("over", 0), ("over", 1), ("on", 0)):
        bots.at(place, "odd")
    bots.dismiss("over")
    assert len(bots) == 1


def test_a_bot_that_cannot_be_made_is_replaced_for_that_decision() -> None:
    driver = Driver(make=made)
    chosen = driver.choose("broken", Game(seed="s").view(0), Limit(), ("table", 0))
    assert chosen.fault is not None
    assert "out of order" in chosen.fault
    assert len(driver.seated) == 0


def test_the_top_level_goes_on_from_what_it_thought_before() -> None:
    """Played on as a server does: from its second decision on, visits are there from the start."""
    game = Game(seed="reuse", bots={1: "greedy"})
    driver = Driver()
    limit = Limit(seconds=0.1)
    kept = []
    for _ in range(4):
        game.play(driver.choose("diamond", game.view(0), limit, ("table", 0)).move)
        game.play_bots()
        bot = driver.seated.at(("table", 0), "diamond")
        kept.append(bot._searchers[2].kept_visits)  # type: ignore[attr-defined]
    assert kept[0] == 0
    assert max(kept[1:]) > 10
