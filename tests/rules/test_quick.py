"""The quick game: ten points, three face-up cards a level."""

from __future__ import annotations

import pytest

from cabochon.rules import Phase, Ruleset, ShuffledDealer
from cabochon.rules.position import Position
from tests.arrange import arrange, buy, hand, play, take


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_three_cards_a_level_lie_face_up(seats: int) -> None:
    quick = Ruleset.preset("quick", seats)
    position = Position.start(quick, ShuffledDealer("seed").opening(quick))
    assert [len(row) for row in position.rows] == [3, 3, 3]
    assert position.decks == (37, 27, 17)
    assert len(position.nobles) == seats + 1
    assert position.bank == Ruleset(seats).bank


def test_ten_points_bring_the_last_round() -> None:
    position = arrange("quick/2", hands=[hand("rrrr", bought="3w4 3u3")], rows={1: "1u8"})
    assert position.points(0) == 9
    after = play(position, buy("1u8"))
    assert after.last_round
    assert play(after, take("wug")).phase is Phase.OVER


def test_nine_points_do_not() -> None:
    after = play(arrange("quick/2", hands=[hand(bought="3w4 3u3")]), take("wug"))
    assert not after.last_round


def test_quick_and_teams_combine() -> None:
    rules = Ruleset.preset("quick-teams")
    assert (rules.seats, rules.target, rules.row_width, rules.teams) == (4, 10, 3, True)
    position = arrange(
        rules, hands=[hand("rrrr", bought="3w4"), hand(), hand(bought="3u3")], rows={1: "1u8"}
    )
    assert play(position, buy("1u8")).last_round
