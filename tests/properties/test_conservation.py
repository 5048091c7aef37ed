"""Every token, card and noble is somewhere, once, at every point of every game."""

from __future__ import annotations

from collections import Counter

import pytest

from cabochon.rules import LEVELS, NOBLES, Deal, Gems, Phase, Position, Return, Setup
from cabochon.rules.cards import DECK_SIZES
from tests.arrange import everything
from tests.games import RandomGame, Step, over_games

# Properties prove the rules, not the coverage: that comes from the named situations, and tracing
# would treble the time.
pytestmark = pytest.mark.no_cover


def check_tokens(position: Position) -> None:
    total = position.bank
    for hand in position.hands:
        total = total.plus(hand.tokens)
    assert total == position.ruleset.bank
    for pile in (position.bank, *(hand.tokens for hand in position.hands)):
        assert type(pile) is Gems
        assert all(type(count) is int and count >= 0 for count in pile)
    for seat, hand in enumerate(position.hands):
        deciding = seat == position.seat and position.phase not in (Phase.ACT, Phase.OVER)
        assert hand.tokens.total <= (13 if deciding else 10)


def check_cards(position: Position) -> None:
    placed = list(everything(position))
    assert not position.in_deck(placed[0])
    assert len(placed) == len(set(placed))
    by_level = Counter(card.level for card in placed)
    for level, left in zip(LEVELS, position.decks, strict=True):
        assert left == DECK_SIZES[level - 1] - by_level[level]
    for level, row in zip(LEVELS, position.rows, strict=True):
        assert len(row) == position.ruleset.row_width
        assert all(card is None or card.level == level for card in row)
        holes = row.count(None)
        waiting = position.pending is not None and position.pending.level == level
        assert holes == 0 or position.decks[level - 1] == 0 or (waiting and holes == 1)
    for hand in position.hands:
        assert len(hand.reserved) <= 3
        assert list(hand.bought) == sorted(hand.bought, key=lambda card: card.id)


def check_nobles(position: Position) -> None:
    assert len(set(position.nobles)) == len(position.nobles) == position.ruleset.seats + 1
    assert set(position.nobles) <= set(NOBLES)
    claimed = [noble for hand in position.hands for noble in hand.nobles]
    assert len(set(claimed)) == len(claimed)
    assert {*claimed, *position.open_nobles} == set(position.nobles)
    for seat, hand in enumerate(position.hands):
        for noble in hand.nobles:
            assert position.bonuses(seat).covers(noble.cost)


def check_step(step: Step) -> None:
    """What a single event may change: one hand at most, one card at most, one turn at most."""
    before, event, after = step
    assert after.ruleset is before.ruleset
    assert after.nobles == before.nobles
    assert after.turn - before.turn in (0, 1)
    for seat in range(before.ruleset.seats):
        if seat != before.seat:
            assert after.hands[seat] == before.hands[seat]
    assert sum(before.decks) - sum(after.decks) == isinstance(event, Deal)
    if not isinstance(event, Return):
        assert after.hands[before.seat].tokens.total <= before.hands[before.seat].tokens.total + 3
    assert after.last_round or not before.last_round
    assert len(after.hands[before.seat].nobles) - len(before.hands[before.seat].nobles) in (0, 1)


@over_games()
def test_every_token_card_and_noble_is_somewhere_once(game: RandomGame) -> None:
    for position in game.positions():
        check_tokens(position)
        check_cards(position)
        check_nobles(position)


@over_games()
def test_a_single_event_changes_only_what_it_may(game: RandomGame) -> None:
    for step in game.steps():
        check_step(step)


@over_games(250)
def test_every_position_of_a_game_is_a_faultless_set_up(game: RandomGame) -> None:
    for position in game.positions():
        setup = Setup.of(position)
        assert setup.faults() == ()
        assert setup.position() == position
