"""A move is listed if and only if it is legal, in every position and for every thinkable move."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from random import Random

import pytest

from cabochon.rules import (
    CARDS,
    COLOURS,
    DECKS,
    NOBLES,
    Buy,
    Card,
    ChooseNoble,
    Deck,
    Gem,
    Gems,
    IllegalMove,
    Move,
    Pass,
    Phase,
    Position,
    Reserve,
    Return,
    Take,
)
from tests.games import RandomGame, over_games

# Properties prove the rules, not the coverage: that comes from the named situations, and tracing
# would treble the time.
pytestmark = pytest.mark.no_cover

SOME_GEMS = tuple(
    Gems.of(gems) for size in range(5) for gems in combinations_with_replacement(Gem, size)
)
UNIVERSE: tuple[Move, ...] = (
    *map(Take, SOME_GEMS),
    *map(Return, SOME_GEMS),
    *map(Reserve, CARDS),
    *map(Reserve, DECKS),
    *map(Buy, CARDS),
    *map(ChooseNoble, NOBLES),
    Pass(),
)


def without_payment(move: Move) -> Move:
    return Buy(move.card) if isinstance(move, Buy) else move


def sampled(game: RandomGame, share: float) -> list[Position]:
    rng = Random(game.seed)
    return [position for position in game.positions() if rng.random() < share]


@over_games(share=0.25)
def test_every_thinkable_move_is_legal_exactly_when_it_is_listed(game: RandomGame) -> None:
    for position in sampled(game, 0.2):
        listed = position.legal_moves()
        assert len(set(listed)) == len(listed)
        legal = {move for move in UNIVERSE if position.is_legal(move)}
        assert legal == {without_payment(move) for move in listed}


@over_games(150)
def test_a_listed_move_can_be_played_and_any_other_changes_nothing(game: RandomGame) -> None:
    rng = Random(game.seed)
    for position in game.positions():
        listed = position.legal_moves()
        for move in rng.sample(listed, min(3, len(listed))):
            assert position.play(move) == position.play_unchecked(move)
        other = rng.choice(UNIVERSE)
        before = repr(position)
        refusal = position.refusal(other)
        assert (refusal is None) == position.is_legal(other)
        if refusal is not None:
            assert isinstance(refusal, IllegalMove)
            assert refusal.en
            assert refusal.zh
        assert repr(position) == before


@over_games(250)
def test_somebody_can_always_decide_until_the_game_is_over(game: RandomGame) -> None:
    for position in game.positions():
        waits = position.phase in (Phase.DEAL, Phase.OVER)
        assert bool(position.legal_moves()) != waits
        assert (position.phase is Phase.DEAL) == (position.pending is not None)


def key(position: Position, move: Move) -> tuple[int, ...]:
    """Where the move stands in the frozen order, computed once more from the rules of the order."""
    if isinstance(move, Take):
        kinds = [gem for gem in COLOURS if move.gems[gem]]
        return (0, 1 if max(move.gems) == 2 else 0, *kinds)
    if isinstance(move, Reserve):
        if isinstance(move.target, Deck):
            return (2, move.target.level)
        return (1, *_place(position, move.target))
    if isinstance(move, Buy):
        held = [getattr(r, "card", None) for r in position.hands[position.seat].reserved]
        if move.card in held:
            return (4, held.index(move.card))
        return (3, *_place(position, move.card))
    if isinstance(move, Return):
        return (5, *(gem for gem in Gem for _ in range(move.gems[gem])))
    if isinstance(move, ChooseNoble):
        return (6, position.nobles.index(move.noble))
    return (7,)


def _place(position: Position, card: Card) -> tuple[int, int]:
    place = position.place_of(card)
    assert place is not None
    assert place.column is not None
    return place.level, place.column


@over_games(250)
def test_the_moves_are_listed_in_the_frozen_order(game: RandomGame) -> None:
    for position in game.positions():
        keys = [key(position, move) for move in position.legal_moves()]
        assert keys == sorted(keys)


def payments_by_brute_force(position: Position, card: Card) -> set[Gems]:
    """Every way to hand over held tokens that pays the card exactly, from the words of the rule."""
    hand, bonuses = position.hands[position.seat], position.bonuses(position.seat)
    due = [max(0, card.cost[gem] - bonuses[gem]) for gem in COLOURS]
    found = set()
    for handed in product(*(range(count + 1) for count in hand.tokens)):
        *colours, gold = handed
        fits = all(paid <= asked for paid, asked in zip(colours, due, strict=True))
        if fits and sum(colours) + gold == sum(due):
            found.add(Gems(*handed))
    return found


@over_games(share=0.2)
def test_the_payments_are_all_that_pay_the_card_exactly(game: RandomGame) -> None:
    rng = Random(game.seed)
    for position in sampled(game, 0.15):
        hand = position.hands[position.seat]
        there = [card for row in position.rows for card in row if card is not None]
        there += [r.card for r in hand.reserved]  # type: ignore[union-attr]
        for card in [*there, rng.choice(CARDS)]:
            payments = position.legal_payments(card)
            assert len(set(payments)) == len(payments)
            assert [mix.gold for mix in payments] == sorted(mix.gold for mix in payments)
            can_be_bought = card in there and position.phase is Phase.ACT
            brute = payments_by_brute_force(position, card) if can_be_bought else set()
            assert set(payments) == brute
            if payments:
                assert position.completed(Buy(card)) == Buy(card, payments[0])
                assert sum(mix.gold == payments[0].gold for mix in payments) == 1


@over_games(200, share=0.15)
def test_a_purchase_is_legal_with_exactly_those_payments(game: RandomGame) -> None:
    rng = Random(game.seed)
    for position in sampled(game, 0.2):
        there = [card for row in position.rows for card in row if card is not None]
        if not there:
            continue
        card = rng.choice(there)
        payments = set(position.legal_payments(card))
        for mix in SOME_GEMS:
            assert position.is_legal(Buy(card, mix)) == (mix in payments)
