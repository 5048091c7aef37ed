"""What a viewer cannot know makes no difference to anything that viewer is given."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random

import pytest

from cabochon.notation import (
    dumps,
    format_record,
    format_view,
    parse_view,
    seen_record_to_json,
    view_from_json,
    view_to_json,
)
from cabochon.record import Record, verify
from cabochon.rules import Card, Deal, Event, Hand, Opening, Position, Reserved, Ruleset, Setup
from cabochon.rules.facts import HeldCard
from tests.games import RandomGame, over_games
from tests.properties.test_listed_is_legal import UNIVERSE

# Properties prove the rules, not the coverage: that comes from the named situations, and tracing
# would treble the time.
pytestmark = pytest.mark.no_cover


def test_the_permuted_positions_are_positions_too() -> None:
    game = RandomGame(Ruleset(4), 1, "gambler")
    rng = Random(1)
    for position in list(game.positions())[::5]:
        for viewer in viewers(position):
            assert Setup.of(reshuffled(position, viewer, rng)).faults() == ()


def viewers(position: Position) -> list[int | None]:
    return [*range(position.ruleset.seats), None]


def reshuffled(position: Position, viewer: int | None, rng: Random) -> Position:
    """The same for the viewer: each card it cannot place becomes any other of its level. The order
    of a deck is no part of a position, so all that can differ is who holds which hidden card."""
    unseen = list(position.view(viewer).unseen())
    rng.shuffle(unseen)
    hands = [
        hand if seat == viewer else replace(hand, reserved=_redrawn(hand, unseen))
        for seat, hand in enumerate(position.hands)
    ]
    return replace(position, hands=tuple(hands))


def _redrawn(hand: Hand, unseen: list[Card]) -> tuple[HeldCard, ...]:
    return tuple(
        Reserved(_drawn(unseen, reserve.level), blind=True)
        if isinstance(reserve, Reserved) and reserve.blind
        else reserve
        for reserve in hand.reserved
    )


def _drawn(unseen: list[Card], level: int) -> Card:
    card = next(card for card in unseen if card.level == level)
    unseen.remove(card)
    return card


@over_games(250, share=0.25)
def test_permuting_what_a_viewer_cannot_know_leaves_its_view_the_same(game: RandomGame) -> None:
    rng = Random(game.seed)
    for position in game.positions():
        for viewer in viewers(position):
            other = reshuffled(position, viewer, rng)
            if other == position:
                continue
            view, twin = position.view(viewer), other.view(viewer)
            assert view == twin
            assert hash(view) == hash(twin)
            assert repr(view) == repr(twin)
            assert format_view(view).encode() == format_view(twin).encode()
            assert dumps(view_to_json(view)).encode() == dumps(view_to_json(twin)).encode()


@over_games(250)
def test_what_a_view_answers_does_not_depend_on_what_it_hides(game: RandomGame) -> None:
    rng = Random(game.seed)
    for position in game.positions():
        viewer = rng.choice(viewers(position))
        view, twin = position.view(viewer), reshuffled(position, viewer, rng).view(viewer)
        assert view.legal_moves() == twin.legal_moves()
        assert view.unseen() == twin.unseen()
        for move in rng.sample(UNIVERSE, 5):
            refusal, twins = view.refusal(move), twin.refusal(move)
            assert refusal == twins
            if refusal is not None and twins is not None:
                assert (refusal.en, refusal.zh) == (twins.en, twins.zh)


@over_games(250)
def test_a_view_names_no_card_that_its_viewer_cannot_know(game: RandomGame) -> None:
    for position in list(game.positions())[::3]:
        for viewer in viewers(position):
            view = position.view(viewer)
            texts = repr(view), format_view(view), dumps(view_to_json(view))
            for seat, hand in enumerate(position.hands):
                for reserve in hand.reserved:
                    if seat != viewer and isinstance(reserve, Reserved) and reserve.blind:
                        name = re.compile(rf"\b{reserve.card.code}\b")
                        assert not any(name.search(text) for text in texts)


@over_games(150)
def test_a_view_reads_back_from_its_text_and_its_json(game: RandomGame) -> None:
    for position in list(game.positions())[::7]:
        for viewer in viewers(position):
            view = position.view(viewer)
            assert parse_view(format_view(view)) == view
            assert view_from_json(view_to_json(view)) == view


def another_world(record: Record, viewer: int | None, rng: Random) -> Record:
    """A record that deals other cards wherever the viewer cannot tell: those that others drew
    unseen and still hold. (A forced pass tells everybody that they could not be bought, so a draw
    that makes one illegal is no world the viewer can think of.)"""
    for _ in range(5):
        other = _redealt(record, viewer, rng)
        if not verify(other).problems:
            return other
    return record


def _redealt(record: Record, viewer: int | None, rng: Random) -> Record:
    last = record.final()
    unseen = list(last.view(viewer).unseen())
    rng.shuffle(unseen)
    exchanged: dict[Card, Card] = {}
    for seat, hand in enumerate(last.hands):
        for reserve in hand.reserved:
            if seat != viewer and isinstance(reserve, Reserved) and reserve.blind:
                exchanged[reserve.card] = _drawn(unseen, reserve.level)
    return replace(record, events=tuple(_exchanged(event, exchanged) for event in record.events))


def _exchanged(event: Event, exchanged: dict[Card, Card]) -> Event:
    if isinstance(event, Deal):
        return Deal(exchanged.get(event.card, event.card))
    return event


@over_games(120, share=0.25)
def test_the_record_of_a_running_game_is_the_same_in_every_world_a_viewer_can_think_of(
    game: RandomGame,
) -> None:
    rng = Random(game.seed)
    start = game.start()
    opening = Opening(start.nobles, tuple(tuple(c for c in row if c) for row in start.rows))
    record = Record.start(game.ruleset, opening)
    events = [step.event for step in game.steps()]
    record = replace(record, events=tuple(events[: rng.randint(0, len(events))]))
    for viewer in viewers(start):
        other = another_world(record, viewer, rng)
        seen, twin = record.seen_by(viewer), other.seen_by(viewer)
        assert seen == twin
        assert format_record(seen).encode() == format_record(twin).encode()
        assert dumps(seen_record_to_json(seen)) == dumps(seen_record_to_json(twin))
