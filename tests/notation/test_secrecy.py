"""Whatever a viewer cannot know may be exchanged: its texts stay the same to the byte."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from cabochon.notation import (
    describe_turn,
    dumps,
    format_record,
    format_turn,
    format_view,
    seen_record_to_json,
    view_to_json,
)
from cabochon.record import Record, verify
from cabochon.rules import Card, Refusal, Reserved
from tests.games import RandomGame, random_games
from tests.notation.written import SAMPLE, exchange, exchanged, recorded, sample, studied


def told(record: Record, viewer: int | None) -> list[str]:
    """Everything that the viewer is given of a running game."""
    view, seen = record.final().view(viewer), record.seen_by(viewer)
    turns = [turn.seen_by(viewer) for turn in record.turns()]
    return [
        format_view(view),
        dumps(view_to_json(view)),
        format_record(seen),
        dumps(seen_record_to_json(seen)),
        repr(seen),
        *(format_turn(turn) for turn in turns),
        *(describe_turn(turn, language) for turn in turns for language in ("en", "zh")),
    ]


@settings(max_examples=25)
@given(random_games(), st.integers(0, 100), st.integers(0, 2**16))
def test_nothing_hidden_is_told(game: RandomGame, most: int, seed: int) -> None:
    record = recorded(game, most)
    middle = studied(record, len(record.events) // 2)
    for viewer in (None, *range(game.ruleset.seats)):
        swaps = exchange(record.final().view(viewer).unseen(), seed)
        for whole in (record, middle):
            other = exchanged(whole, swaps)
            if possible(other):
                assert told(other, viewer) == told(whole, viewer)


def possible(record: Record) -> bool:
    """A forced pass tells everybody that no reserved card can be bought, so not every exchange
    gives a game that could have been played."""
    return not any(problem.code is Refusal.PASS_NOT_FORCED for problem in verify(record).problems)


def hidden_cards(record: Record, viewer: int | None) -> list[Card]:
    return [
        reserve.card
        for seat, hand in enumerate(record.final().hands)
        for reserve in hand.reserved
        if isinstance(reserve, Reserved) and reserve.blind and seat != viewer
    ]


def test_the_exchange_really_changes_hidden_cards() -> None:
    """Else the property above would prove nothing."""
    changed = 0
    for most in range(0, len(sample().events), 4):
        record = recorded(SAMPLE, most)
        other = exchanged(record, exchange(record.final().view(None).unseen(), most))
        changed += hidden_cards(record, None) != hidden_cards(other, None)
        assert told(record, None) == told(other, None)
    assert changed > 5


def test_the_seed_and_comments_are_not_seen() -> None:
    record = sample().revealed("a secret seed").commented(1, "a secret remark")
    seen = record.seen_by(0)
    for text in (format_record(seen), dumps(seen_record_to_json(seen)), repr(seen)):
        assert "secret" not in text
