"""Bots know what their seat knows, and no more: when everything hidden is permuted, they choose
the same. And they keep the rules and their time, in a small soak (`make soak-bots` is the large
one)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from benchmarks import soak_bots

from cabochon.bots import BOT_NAMES, Bot, Limit, make_bot
from cabochon.rules import (
    CARDS,
    DECKS,
    LEVELS,
    Buy,
    Card,
    Move,
    Phase,
    Position,
    Reserve,
    Ruleset,
    ScriptedDealer,
    ShuffledDealer,
    View,
)
from cabochon.workers import Inline
from tests.bars import keeps

QUICK = Limit(visits=24)
PLIES = 10
SEARCHERS = tuple(name for name in BOT_NAMES if name not in ("uniform",))


@dataclass
class World:
    """One order of the cards, and how many of each deck have come to light."""

    dealer: ScriptedDealer
    decks: tuple[Sequence[Card], Sequence[Card], Sequence[Card]]


def world(ruleset: Ruleset, seed: str) -> World:
    opening = ShuffledDealer(seed).opening(ruleset)
    random = Random(seed)
    decks = [
        random.sample(rest, len(rest))
        for level, row in zip(LEVELS, opening.rows, strict=True)
        for rest in [[c for c in CARDS if c.level == level and c not in row]]
    ]
    found = (decks[0], decks[1], decks[2])
    return World(ScriptedDealer(opening, found), found)


class Gambler:
    """Draws a hidden card from each deck, then takes what comes first; it never looks at what
    it drew, so it plays alike in all worlds."""

    def __init__(self) -> None:
        self._left = list(DECKS)

    def choose(self, view: View, limit: Limit = QUICK) -> Move:
        while view.phase is Phase.ACT and self._left:
            move = Reserve(self._left.pop())
            if view.is_legal(move):
                return move
        shown = {card for row in view.rows for card in row}
        moves = view.legal_moves()
        return next(m for m in moves if not isinstance(m, Buy) or m.card in shown)


def run(bot: Bot, here: World, ruleset: Ruleset, seat: int) -> tuple[list[Move], Position]:
    """The bot's own decisions in the first plies of a game among gamblers."""
    others = [Gambler() for _ in range(ruleset.seats)]
    position = Position.start(ruleset, here.dealer.opening(ruleset))
    chosen: list[Move] = []
    while len(chosen) < PLIES and position.outcome() is None:
        if position.phase is Phase.DEAL:
            position = position.deal(here.dealer.deal(position))
        elif position.seat == seat:
            chosen.append(bot.choose(position.view(seat), QUICK))
            position = position.play(chosen[-1])
        else:
            mover = position.seat
            position = position.play(others[mover].choose(position.view(mover)))
    return chosen, position


def permuted(here: World, ruleset: Ruleset, end: Position, seat: int, random: Random) -> World:
    """Another order of all the cards that the seat has not seen by then: those still face down
    and those in others' hands."""
    seen = set(CARDS) - set(end.view(seat).unseen())
    decks = []
    for deck in here.decks:
        unseen = [card for card in deck if card not in seen]
        random.shuffle(unseen)
        decks.append([card if card in seen else unseen.pop() for card in deck])
    opening = here.dealer.opening(ruleset)
    found = (decks[0], decks[1], decks[2])
    return World(ScriptedDealer(opening, found), found)


@pytest.mark.parametrize("name", SEARCHERS)
@pytest.mark.parametrize("rules", ["standard/2", "standard/3", "teams/4"])
def test_what_a_bot_cannot_know_does_not_change_its_moves(name: str, rules: str) -> None:
    ruleset, seat = Ruleset.parse(rules), 1
    here = world(ruleset, f"honest {name}")
    chosen, end = run(make_bot(name, 5), here, ruleset, seat)
    hidden = {c for hand in end.hands for c in hand.reserved} - set(end.hands[seat].reserved)
    assert hidden, "somebody must hold a card that the bot does not know"
    random = Random(name)
    for _ in range(2):
        other = permuted(here, ruleset, end, seat, random)
        assert other.decks != here.decks
        assert run(make_bot(name, 5), other, ruleset, seat)[0] == chosen


@pytest.mark.parametrize("name", BOT_NAMES)
def test_the_same_seed_gives_the_same_move(name: str) -> None:
    ruleset = Ruleset(3)
    position = Position.start(ruleset, ShuffledDealer("same").opening(ruleset))
    limit = Limit(visits=40, seed=11)
    first = make_bot(name, 1).choose(position.view(0), limit)
    assert make_bot(name, 2).choose(position.view(0), limit) == first
    again = make_bot(name, 9)
    assert again.choose(position.view(0), limit) == again.choose(position.view(0), limit) == first


def test_a_small_soak() -> None:
    found = soak_bots.soak(range(len(soak_bots.RULESETS)), "small", Inline())
    assert [fault for fault in found.faults if not fault.startswith(soak_bots.LATE)] == []
    assert found.games == len(soak_bots.RULESETS)


@pytest.mark.alone
def test_time_is_kept() -> None:
    def late() -> int:
        found = soak_bots.soak(range(len(soak_bots.RULESETS)), "timed", Inline())
        times = [fault for fault in found.faults if fault.startswith(soak_bots.LATE)]
        assert times == found.faults
        return len(times)

    keeps(0, late)


def test_only_what_the_machine_lost_is_forgiven() -> None:
    late = soak_bots.Overrun("diamond", 0.120, began=10.0, ended=10.2)
    for stalls, faults in (
        ([], 1),
        ([(9.0, 9.9)], 1),
        ([(10.05, 10.06)], 1),
        ([(10.05, 10.13)], 0),
        ([(9.9, 10.04), (10.1, 10.15)], 0),
    ):
        found = soak_bots.Findings(overruns=[late])
        found.judge(stalls)
        assert len(found.faults) == faults
        assert found.stood_still == 1 - faults


def test_a_soak_goes_on_where_it_was_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(soak_bots, "KEPT", tmp_path)
    monkeypatch.setattr(soak_bots, "PIECE", 1)
    monkeypatch.setattr(soak_bots, "BOT_NAMES", ("uniform",))
    first = soak_bots.soak_in_pieces(2, "s", Inline(), fresh=False)
    monkeypatch.setattr(soak_bots, "soak", lambda *_: pytest.fail("played again"))
    assert soak_bots.soak_in_pieces(2, "s", Inline(), fresh=False) == first


def test_a_soak_reports_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def choose(self, view: View, limit: Limit = QUICK) -> Move:
            raise RuntimeError("out of order")

    monkeypatch.setattr(soak_bots, "make_bot", lambda *_: Broken())
    found = soak_bots.soak([3], "s", Inline())
    assert len(found.faults) == 1
    assert "out of order" in found.faults[0]
    assert "--only 3" in found.faults[0]
