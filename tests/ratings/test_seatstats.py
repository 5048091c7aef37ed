"""A game in figures."""

from __future__ import annotations

from cabochon.game import Game
from cabochon.ratings.bookkeeping import rounds_of, seat_reviews, seat_stats
from cabochon.rules import Buy, Reserve


def test_points_have_a_source_and_cards_a_colour() -> None:
    for players in (2, 3, 4):
        game = Game(players=players, seed=f"stats {players}", bots=["greedy"] * players)
        outcome = game.play_out()
        assert outcome is not None
        stats = seat_stats(game.record)
        assert tuple(seat.points for seat in stats) == outcome.points
        assert tuple(seat.cards for seat in stats) == outcome.cards
        for seat in stats:
            assert sum(seat.sources.values()) == seat.points
            assert sum(seat.colours.values()) == seat.cards
            assert seat.sources["nobles"] == 3 * seat.nobles
            assert 0 <= seat.reserved_bought <= seat.reserved
        moves = game.record.events
        assert sum(seat.reserved for seat in stats) == sum(isinstance(m, Reserve) for m in moves)
        assert sum(seat.cards for seat in stats) == sum(isinstance(m, Buy) for m in moves)
        assert sum(seat.turns for seat in stats) == game.turn
        assert rounds_of(stats) == -(-game.turn // players)


def test_a_review_in_figures() -> None:
    review = {
        "summary": [
            {"seat": 1, "accuracy": None, "luck": -0.031, "marks": {"?!": 3}},
            {"seat": 0, "accuracy": 88.1, "luck": 0.0123, "marks": {"?": 1, "??": 2, "!": 1}},
        ]
    }
    first, second = seat_reviews(review)
    assert (first.accuracy, first.luck, first.mistakes) == (88.1, 1.23, 3)
    assert (second.accuracy, second.luck, second.mistakes) == (None, -3.1, 0)
