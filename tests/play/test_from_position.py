"""Games that begin from a position somebody gave: dealt on by the seed, secret where they should
be, and written down as what they are."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cabochon.play.commands import offer_rematch
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Opened, event_from_json, event_to_json
from cabochon.play.messaging import Audience, snapshot
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.record import Verdict, verify
from cabochon.rules import (
    CARDS,
    LEVELS,
    Card,
    Dealer,
    Opening,
    Phase,
    Place,
    Position,
    Reserved,
    Ruleset,
    ScriptedDealer,
    Setup,
    ShuffledDealer,
)
from cabochon.rules.dealer import shuffled
from tests.games import RandomGame, random_games
from tests.play.sittings import SEED, Sitting, opening, people
from tests.play.test_secrecy import everything_told

PLAYABLE = (Phase.ACT, Phase.NOBLE, Phase.RETURN)


def some_position(game: RandomGame, seed: int) -> Position:
    """Where a seat has to decide."""
    found = [position for position in game.positions() if position.phase in PLAYABLE]
    return Random(seed).choice(found)


def opened_at(position: Position) -> Opened:
    ruleset = position.ruleset
    return replace(opening(*people(ruleset.seats), ruleset=ruleset), position=position)


@given(random_games(120), st.integers(0, 2**32))
def test_it_plays_to_the_end_and_its_record_says_what_is_proved(
    game: RandomGame, seed: int
) -> None:
    start = some_position(game, seed)
    sitting = Sitting(opened_at(start), seed)
    assert sitting.table.position == start
    sitting.play_out()
    record = record_of(sitting.table)
    assert record.opening == start
    assert record.headers["Start"] == "given"
    found = verify(record)
    assert found.ok
    assert Verdict.GIVEN_POSITION in [finding.code for finding in found.unproved]
    read_back = Table.of("table", sitting.events)
    assert replace(read_back, dealer=sitting.table.dealer) == sitting.table


@given(random_games(60), st.integers(0, 2**32))
def test_the_decks_are_what_is_unseen_in_the_order_of_the_seed(game: RandomGame, seed: int) -> None:
    start = some_position(game, seed)
    table = Table.open("table", opened_at(start))
    dealer = ShuffledDealer(SEED).onwards(start)
    for level in LEVELS:
        left = start.decks[level - 1]
        waiting = [
            replace(start, phase=Phase.DEAL, pending=None, decks=_fewer(start, level, gone))
            for gone in range(left)
        ]
        dealt = [_deal(table.dealer, position, level) for position in waiting]
        assert sorted(card.id for card in dealt) == [
            card.id for card in CARDS if card.level == level and start.in_deck(card)
        ]
        assert dealt == [_deal(dealer, position, level) for position in waiting]


def _fewer(position: Position, level: int, gone: int) -> tuple[int, int, int]:
    decks = list(position.decks)
    decks[level - 1] -= gone
    return decks[0], decks[1], decks[2]


def _deal(dealer: Dealer, position: Position, level: int) -> Card:
    return dealer.deal(replace(position, pending=Place(level, 0))).card


@given(random_games(60), st.integers(0, 2**32))
def test_the_event_is_read_back_with_its_position(game: RandomGame, seed: int) -> None:
    opened = opened_at(some_position(game, seed))
    assert event_from_json(event_to_json(opened)) == opened


def test_the_event_of_a_dealt_game_says_nothing_of_positions() -> None:
    opened = opening(*people(2))
    assert "position" not in event_to_json(opened)
    assert event_from_json(event_to_json(opened)) == opened
    assert "from_position" not in table_info(Table.open("table", opened))


@given(
    random_games(100),
    st.integers(0, 2**32),
    st.integers(1, 20),
    st.integers(0, 4),
)
def test_what_a_viewer_cannot_know_of_the_position_is_never_told(
    game: RandomGame, seed: int, moves: int, who: int
) -> None:
    start = some_position(game, seed)
    seats = start.ruleset.seats
    viewer = None if who >= seats else who
    sitting = Sitting(opened_at(start), seed).play(moves)
    table = sitting.table
    assume(table.ended is None)
    other_start, dealer = _other_world(table, viewer, seed)
    one = Table.open("table", opened_at(start))
    other = replace(Table.open("table", opened_at(other_start)), dealer=dealer)
    history = list(table.moved)
    assert everything_told(one, history, viewer) == everything_told(other, history, viewer)


def test_the_worlds_of_positions_do_differ() -> None:
    """The test above would notice: cards drawn before the start have changed places."""
    differing = 0
    for seed in range(40):
        game = RandomGame(Ruleset(2), seed, "gambler", 60)
        start = some_position(game, seed)
        table = Sitting(opened_at(start), seed).play(1).table
        if table.ended is None:
            differing += _other_world(table, None, seed)[0] != start
    assert differing > 10


def _other_world(table: Table, viewer: int | None, seed: int) -> tuple[Position, ScriptedDealer]:
    """A start and a dealer under which the game so far looks the same to the viewer: what still
    lies in the decks and what others drew unseen and still hide have changed places."""
    start, random = table.first, Random(seed)
    still = _blind(table.running, viewer)
    kept = _blind(start, viewer) & still
    place_of: dict[Card, Card] = {}
    decks = []
    for level in LEVELS:
        deck = [card for card in _seeded(level) if start.in_deck(card)]
        drawn = len(deck) - table.running.decks[level - 1]
        free = [card for at, card in enumerate(deck) if at >= drawn or card in still]
        free += sorted((card for card in kept if card.level == level), key=lambda card: card.id)
        mixed = free[:]
        random.shuffle(mixed)
        place_of |= dict(zip(free, mixed, strict=True))
        decks.append([place_of.get(card, card) for card in deck])
    hands = tuple(
        replace(
            hand,
            reserved=tuple(
                Reserved(place_of[r.card], r.blind)
                if isinstance(r, Reserved) and r.card in kept and seat != viewer
                else r
                for r in hand.reserved
            ),
        )
        for seat, hand in enumerate(start.hands)
    )
    one, two, three = decks
    other = replace(Setup.of(start), hands=hands).position()
    return other, ScriptedDealer(Opening((), ()), (one, two, three))


def _blind(position: Position, viewer: int | None) -> set[Card]:
    return {
        reserve.card
        for seat, hand in enumerate(position.hands)
        if seat != viewer
        for reserve in hand.reserved
        if isinstance(reserve, Reserved) and reserve.blind
    }


def _seeded(level: int) -> tuple[Card, ...]:
    return shuffled([card for card in CARDS if card.level == level], SEED, f"deck{level}")


def test_a_hidden_card_of_the_position_is_its_owner_s_alone() -> None:
    start = next(
        position
        for seed in range(100)
        for position in RandomGame(Ruleset(2), seed, "gambler", 60).positions()
        if position.phase is Phase.ACT and _blind(position, 1) and not _blind(position, 0)
    )
    table = Table.open("table", opened_at(start))
    (drawn,) = sorted(_blind(start, 1), key=lambda card: card.id)[:1]
    own, others, watcher = (
        str(snapshot(table, Audience(seats, True), (), 0)["view"]) for seats in ((0,), (1,), ())
    )
    assert drawn.code in own
    assert drawn.code not in others
    assert drawn.code not in watcher


def test_no_game_begins_where_a_card_is_due_or_nothing_is_left_to_do() -> None:
    game = RandomGame(Ruleset(2), 5, "builder")
    for phase in (Phase.DEAL, Phase.OVER):
        position = next(p for p in game.positions() if p.phase is phase)
        with pytest.raises(TableRefused) as refused:
            Table.open("table", opened_at(position))
        assert refused.value.code is TableFault.NOT_PLAYABLE


def test_a_position_of_another_game_is_refused() -> None:
    position = RandomGame(Ruleset(2, target=21), 5, "builder").start()
    opened = replace(opening(*people(2)), position=position)
    with pytest.raises(TableRefused) as refused:
        Table.open("table", opened)
    assert refused.value.code is TableFault.RULES_DIFFER


def test_a_rematch_begins_from_the_same_position_with_the_seats_passed_on() -> None:
    start = some_position(RandomGame(Ruleset(2), 8, "builder", 40), 8)
    sitting = Sitting(opened_at(start), 8).play_out()
    both = offer_rematch(sitting.table, 0, "next", "seed", 9_000_000)
    made = offer_rematch(both.decision.table, 1, "next", "seed", 9_000_001)
    assert made.opened is not None
    assert made.opened.position == start
    assert [chair.name for chair in made.opened.chairs] == ["Bo", "Ada"]
