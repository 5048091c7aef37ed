"""An environment's picture: the SVG's, the same on every machine, blind to what is hidden."""

from __future__ import annotations

import numpy as np

from cabochon.envs import rendering as painter
from cabochon.envs.rendering import picture, pixels
from cabochon.rules import Deal, Deck, Gems, Position, Reserve, Ruleset, ShuffledDealer, Take, card


def start(seats: int = 2) -> Position:
    ruleset = Ruleset(seats=seats)
    return Position.start(ruleset, ShuffledDealer("picture").opening(ruleset))


def test_it_has_the_shape_that_environments_promise() -> None:
    for seats in (2, 3, 4):
        drawn = pixels(start(seats))
        assert drawn.shape == (600, 880, 3)
        assert drawn.dtype == np.uint8
        assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 1000


def test_the_same_table_gives_the_same_picture_and_a_move_changes_it() -> None:
    before = pixels(start())
    assert np.array_equal(before, pixels(start()))
    assert not np.array_equal(before, pixels(start().play(Take(Gems(1, 1, 1)))))


def test_a_card_drawn_unseen_is_drawn_for_its_owner_alone() -> None:
    drawing = start().play(Reserve(Deck(2)))
    hidden = [code for code in ("2k1", "2k2", "2k3", "2k4") if card(code) not in drawing.rows[1]]
    one, other = (drawing.deal(Deal(card(code))) for code in hidden[:2])
    assert np.array_equal(pixels(one.view(1)), pixels(other.view(1)))
    assert not np.array_equal(pixels(one.view(0)), pixels(other.view(0)))


def test_it_carries_its_letters_with_it() -> None:
    """Points and counts are there without any font of the system: the title's ink is dark."""
    title = np.asarray(picture(start()).crop((33, 85, 105, 110)).convert("L"))
    assert (title < 100).sum() > 100


def test_what_stays_as_it_is_is_not_painted_again() -> None:
    """Cards are what costs time: a take repaints tokens, feet and the bar, not one card."""
    before = start()
    picture(before)
    painted = painter._stamp.cache_info().misses
    picture(before)
    assert painter._stamp.cache_info().misses == painted
    picture(before.play(Take(Gems(1, 1, 1))))
    assert painter._stamp.cache_info().misses - painted <= 12
