"""Which game a review is of, also of a record with variations or from a given position."""

from __future__ import annotations

import pytest

from cabochon.notation import dumps, parse_path
from cabochon.notation.recordfiles import fingerprint
from cabochon.review.judge import review
from cabochon.review.reviewjson import review_to_json
from cabochon.rules import Deal, Ruleset
from tests.games import RandomGame
from tests.notation.test_variations import tree
from tests.notation.written import branched, recorded, studied


def test_the_fingerprint_of_a_game_is_that_of_its_main_line() -> None:
    record = tree().without_variations()
    assert fingerprint(tree()) == fingerprint(record)
    assert fingerprint(tree().commented(1, "so")) == fingerprint(record)
    assert fingerprint(tree().commented(2, "so", parse_path("2.1"))) == fingerprint(record)
    assert fingerprint(tree().promoted(parse_path("2.1"))) != fingerprint(record)


def test_a_game_is_reviewed_the_same_with_variations() -> None:
    record = tree().without_variations()
    with_them, without = (
        dumps(review_to_json(review(each, 16, 3))) for each in (branched(record, 5), record)
    )
    assert with_them == without


@pytest.mark.parametrize("ply", [7, 8, 17])
def test_a_game_from_a_position_is_reviewed(ply: int) -> None:
    """Whether it begins with a card that is due, a turn, or tokens to give back."""
    game = RandomGame(Ruleset.parse("standard/2"), 7, "gambler", 24)
    record = studied(recorded(game), ply)
    found = review(record, 16, 3)
    told = review_to_json(found)
    assert told["record"] == fingerprint(record)
    decisions = sum(len(turn.decisions) for turn in found.turns)
    finished = {turn.turn for turn in found.turns}
    positions = list(record.replay())
    assert decisions == sum(
        not isinstance(event, Deal) and before.turn in finished
        for event, before in zip(record.events, positions, strict=False)
    )
    for turn in found.turns:
        assert turn.after - turn.before == pytest.approx(turn.skill + turn.luck, abs=1e-12)
