"""What lies on the table at the start, and who begins."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cabochon.rules import (
    NOBLES,
    BadRuleset,
    Card,
    Gem,
    Gems,
    Hand,
    IllegalDeal,
    Noble,
    Opening,
    Phase,
    Position,
    Ruleset,
    ShuffledDealer,
    WrongArgument,
    card,
    seating,
)
from cabochon.rules.errors import DealFault, RulesetFault
from tests.arrange import HUGE, cards, play, reserve

OPENING = Opening(
    NOBLES[:3], (cards("1w1 1u1 1g1 1r1"), cards("2w1 2u1 2g1 2r1"), cards("3w1 3u1 3g1 3r1"))
)


def start(seats: int, seed: str = "any") -> Position:
    return Position.start(Ruleset(seats), ShuffledDealer(seed).opening(Ruleset(seats)))


@pytest.mark.parametrize("seats", [0, 1, 5, 6, -2, "2", 2.0, True, None, HUGE])
def test_only_two_to_four_can_play(seats: Any) -> None:
    with pytest.raises(BadRuleset) as caught:
        Ruleset(seats)
    assert caught.value.code is RulesetFault.SEATS
    assert caught.value.en
    assert caught.value.zh


@pytest.mark.parametrize(("seats", "tokens"), [(2, 4), (3, 5), (4, 7)])
def test_the_bank_has_four_five_or_seven_of_a_colour_and_always_five_gold(
    seats: int, tokens: int
) -> None:
    assert start(seats).bank == Gems(tokens, tokens, tokens, tokens, tokens, 5)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_one_noble_more_than_players_lies_face_up(seats: int) -> None:
    assert len(set(start(seats).nobles)) == seats + 1


def test_four_cards_a_level_lie_face_up_beside_the_deck() -> None:
    position = start(2)
    for level, row, left, size in zip(
        (1, 2, 3), position.rows, position.decks, (40, 30, 20), strict=True
    ):
        assert len(set(row)) == 4
        assert {shown.level for shown in row if shown} == {level}
        assert left == size - 4


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_starts_with_nothing_and_seat_0_begins(seats: int) -> None:
    position = start(seats)
    assert position.hands == (Hand(),) * seats
    assert (position.turn, position.seat, position.phase) == (0, 0, Phase.ACT)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_seats_take_turns_in_a_circle(seats: int) -> None:
    position = start(seats)
    order = []
    for _ in range(2 * seats):
        order.append(position.seat)
        position = play(position, reserve("deck1"))
    assert order == [*range(seats)] * 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_order_of_play_is_drawn_from_the_seed(seats: int) -> None:
    drawn = [seating(str(seed), seats) for seed in range(400)]
    assert drawn == [seating(str(seed), seats) for seed in range(400)]
    assert {tuple(sorted(order)) for order in drawn} == {tuple(range(seats))}
    first = Counter(order[0] for order in drawn)
    assert all(count > 400 / seats / 2 for count in first.values())
    assert len(first) == seats


def test_the_order_of_play_can_be_fixed() -> None:
    """Seat 0 begins whatever the seed; a table that does not ask `seating` has fixed the order."""
    assert {start(3, str(seed)).seat for seed in range(9)} == {0}


def test_an_opening_of_the_right_shape_is_accepted() -> None:
    position = Position.start(Ruleset(2), OPENING)
    assert (position.rows, position.nobles) == (OPENING.rows, OPENING.nobles)


@pytest.mark.parametrize(
    "nobles",
    [
        NOBLES[:2],
        NOBLES[:4],
        (NOBLES[0], NOBLES[0], NOBLES[1]),
        (*NOBLES[:2], Noble(9, "wu4", "Nobody", 9, Gems())),
    ],
)
def test_an_opening_with_the_wrong_nobles_is_refused(nobles: tuple[Noble, ...]) -> None:
    """Too few, too many, one twice, one made by hand."""
    with pytest.raises(IllegalDeal) as caught:
        Position.start(Ruleset(2), Opening(nobles, OPENING.rows))
    assert caught.value.code is DealFault.BAD_OPENING


@pytest.mark.parametrize(
    "rows",
    [
        OPENING.rows[:2],
        (*OPENING.rows, OPENING.rows[0]),
        (cards("1w1 1u1 1g1"), *OPENING.rows[1:]),
        (cards("1w1 1w1 1g1 1r1"), *OPENING.rows[1:]),
        (cards("1w1 1u1 1g1 2r2"), *OPENING.rows[1:]),
        ((*cards("1w1 1u1 1g1"), Card(24, "1r1", 1, Gem.RED, 5, Gems())), *OPENING.rows[1:]),
    ],
)
def test_an_opening_with_the_wrong_cards_is_refused(rows: tuple[tuple[Card, ...], ...]) -> None:
    """A row missing, a row too many, a short row, a card twice, a wrong level, a forged card."""
    with pytest.raises(IllegalDeal) as caught:
        Position.start(Ruleset(2), Opening(OPENING.nobles, rows))
    assert caught.value.code is DealFault.BAD_OPENING
    assert "12" in caught.value.en
    assert "发展牌" in caught.value.zh


@pytest.mark.parametrize("thing", [None, 5, "standard/2", (), []])
def test_what_is_no_ruleset_or_no_opening_starts_nothing(thing: Any) -> None:
    with pytest.raises(WrongArgument):
        Position.start(thing, OPENING)
    with pytest.raises(WrongArgument):
        Position.start(Ruleset(2), thing)
    for opening in (Opening(thing, OPENING.rows), Opening(OPENING.nobles, thing)):
        with pytest.raises(IllegalDeal) as caught:
            Position.start(Ruleset(2), opening)
        assert caught.value.code is DealFault.BAD_OPENING


def test_the_face_up_cards_have_left_their_decks() -> None:
    position = Position.start(Ruleset(2), OPENING)
    assert not position.in_deck(card("1w1"))
    assert position.in_deck(card("1w2"))
