"""The events alone lead through the same positions again, and the end is scored by the rules."""

from __future__ import annotations

import copy
import pickle

import pytest

import cabochon.rules as law
from cabochon.rules import (
    CARDS,
    LEVELS,
    Deal,
    Ending,
    Opening,
    Pass,
    Phase,
    Position,
    ScriptedDealer,
)
from tests.games import RandomGame, over_games

# Properties prove the rules, not the coverage: that comes from the named situations, and tracing
# would treble the time.
pytestmark = pytest.mark.no_cover


@over_games()
def test_the_events_replay_to_the_same_positions(game: RandomGame) -> None:
    steps = list(game.steps())
    position = game.start()
    for step in steps:
        assert position == step.before
        assert hash(position) == hash(step.before)
        position = position.apply(step.event)
        assert position == step.after


@over_games(120)
def test_a_position_survives_pickling_and_copying_and_its_parts_paste_back(
    game: RandomGame,
) -> None:
    names = {name: getattr(law, name) for name in law.__all__}
    for position in list(game.positions())[::10]:
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.deepcopy(position) == position
        assert eval(repr(position.hands), names) == position.hands
        assert eval(repr(position.legal_moves()), names) == position.legal_moves()


@over_games()
def test_a_script_of_the_dealt_cards_deals_the_same_game(game: RandomGame) -> None:
    """What a record needs: the order in which each deck was drawn, without the seed."""
    steps = list(game.steps())
    start = game.start()
    shown = tuple(tuple(card for card in row if card) for row in start.rows)
    known = {card for row in shown for card in row}
    drawn = [step.event.card for step in steps if isinstance(step.event, Deal)]
    order = [*drawn, *(card for card in CARDS if card not in known and card not in drawn)]
    one, two, three = ([card for card in order if card.level == level] for level in LEVELS)
    dealer = ScriptedDealer(Opening(start.nobles, shown), (one, two, three))
    assert Position.start(game.ruleset, dealer.opening(game.ruleset)) == start
    for step in steps:
        if isinstance(step.event, Deal):
            assert dealer.deal(step.before) == step.event


def side(position: Position, seat: int) -> tuple[int, ...]:
    return (seat, (seat + 2) % 4) if position.ruleset.teams else (seat,)


def points(position: Position, seat: int) -> int:
    return sum(
        sum(card.points for card in position.hands[mate].bought)
        + 3 * len(position.hands[mate].nobles)
        for mate in side(position, seat)
    )


@over_games(1500)
def test_a_finished_game_is_ended_and_ranked_as_the_rules_say(game: RandomGame) -> None:
    steps = list(game.steps())
    last = steps[-1].after
    outcome = last.outcome()
    if outcome is None:
        assert len(steps) == 1500
        return
    seats = range(last.ruleset.seats)
    assert outcome.points == tuple(points(last, seat) for seat in seats)
    cards = tuple(sum(len(last.hands[mate].bought) for mate in side(last, s)) for s in seats)
    assert outcome.cards == cards
    for one in seats:
        better = [
            other
            for other in seats
            if outcome.points[other] > outcome.points[one]
            or (outcome.points[other] == outcome.points[one] and cards[other] < cards[one])
        ]
        assert outcome.ranking[one] == 1 + len(better)
    assert outcome.winners
    reached = max(outcome.points) >= last.ruleset.target
    assert (outcome.ending is Ending.TARGET) == reached
    if reached:
        assert last.turn % last.ruleset.seats == 0
    else:
        passes = [step.event for step in steps[-last.ruleset.seats :]]
        assert passes == [Pass()] * last.ruleset.seats
    for step in steps[:-1]:
        assert step.after.outcome() is None
        assert step.after.phase is not Phase.OVER


@over_games()
def test_the_target_brings_the_last_round_and_nothing_else_does(game: RandomGame) -> None:
    for step in game.steps():
        ended_turn = step.after.turn > step.before.turn
        target = step.after.ruleset.target
        reached = any(points(step.after, seat) >= target for seat in range(len(step.after.hands)))
        if ended_turn:
            assert step.after.last_round == reached
        else:
            assert step.after.last_round == step.before.last_round
