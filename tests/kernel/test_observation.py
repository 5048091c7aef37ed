"""The observation says what the View says, and nothing else."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from cabochon.kernel import (
    HIGHEST,
    OBSERVATION,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    SCALE,
    SLICES,
    observation,
    packed,
)
from tests.arrange import arrange, hand
from tests.games import RandomGame, random_games
from tests.kernel.seen import seen_by


def test_the_index_is_pinned() -> None:
    """A change of meaning is a new version."""
    starts = {part.name: part.start for part in OBSERVATION}
    assert (OBSERVATION_VERSION, OBSERVATION_SIZE) == (1, 400)
    assert starts == {
        "bank": 0,
        "decks": 6,
        "board": 9,
        "nobles": 141,
        "seats": 166,
        "own reserve": 218,
        "other reserves": 254,
        "phase": 380,
        "to move": 383,
        "own seat": 387,
        "players": 391,
        "last round": 394,
        "passes": 395,
        "target": 396,
        "width": 397,
        "teams": 398,
        "scarce take": 399,
    }


def test_slices_cover_everything_once() -> None:
    stops = [0, *(part.stop for part in OBSERVATION)]
    assert [part.start for part in OBSERVATION] == stops[:-1]
    assert len(SCALE) == len(HIGHEST) == stops[-1] == OBSERVATION_SIZE
    for part in OBSERVATION:
        assert sum(size for _, size, _, _ in part.columns) == part.shape[-1]


@given(random_games(260))
def test_it_is_what_the_view_shows(game: RandomGame) -> None:
    """From a full record and from the view's own record: the same numbers."""
    for position in list(game.positions())[::13]:
        for viewer in range(position.ruleset.seats):
            view = position.view(viewer)
            expected = seen_by(view)
            full = observation(packed(position), 0, viewer)
            np.testing.assert_allclose(full, expected, rtol=1e-6)
            assert np.array_equal(observation(packed(view), 0, viewer), full)
            assert (full >= 0).all()
            assert (full <= HIGHEST + 1e-6).all()


def test_a_blind_card_of_another_seat_is_its_level_alone() -> None:
    one = packed(arrange(hands=[hand(), hand("o", reserved="?2u5")]))
    other = packed(arrange(hands=[hand(), hand("o", reserved="?2k5")]))
    assert np.array_equal(observation(one, 0, 0), observation(other, 0, 0))
    assert not np.array_equal(observation(one, 0, 1), observation(other, 0, 1))
    reserve = observation(one, 0, 0)[SLICES["other reserves"]].reshape(3, 3, 14)
    assert reserve[0, 0].tolist() == [0, 1, 0, *[0] * 11]


def test_a_card_reserved_face_up_is_known() -> None:
    one = packed(arrange(hands=[hand(), hand("o", reserved="2u5")]))
    other = packed(arrange(hands=[hand(), hand("o", reserved="2k5")]))
    assert not np.array_equal(observation(one, 0, 0), observation(other, 0, 0))


def test_teams_show_what_the_side_has() -> None:
    position = arrange("teams/4", hands=[hand(bought="1w1"), hand(), hand(bought="1w2 3u1")])
    seats = observation(packed(position), 0, 0)[SLICES["seats"]].reshape(4, 13) * SCALE[166:179]
    np.testing.assert_allclose(seats[0, 6:], [2, 1, 0, 0, 0, 3, 3], atol=1e-5)
    np.testing.assert_allclose(seats[2, 6:], seats[0, 6:])
