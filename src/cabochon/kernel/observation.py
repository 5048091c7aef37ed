"""What a network sees: 400 numbers, named slice by slice.

Seat-relative: the viewer first, then the others in turn order; chairs that are empty are zeroes.
Only what the viewer may know: a card that another seat drew from a deck is its level, nothing
more; one that it reserved face up is known.  A value is a count divided by the slice's scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

OBSERVATION_VERSION = 1
CARD_WIDTH, OWN_WIDTH, OTHER_WIDTH, SEAT_WIDTH = 11, 12, 14, 13


@dataclass(frozen=True, slots=True)
class Part:
    """One named slice: ``shape`` is how its numbers are to be read, row by row.

    ``columns`` names the last axis: (name, size, scale, highest count) from left to right.
    """

    name: str
    shape: tuple[int, ...]
    columns: tuple[tuple[str, int, int, int], ...]
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    @property
    def stop(self) -> int:
        return self.start + self.size

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)


_CARD = (("cost", 5, 7, 7), ("bonus", 5, 1, 1), ("points", 1, 5, 5))
_SEAT = (("tokens", 6, 7, 7), ("bonuses", 5, 7, 18), ("points", 1, 15, 155), ("cards", 1, 15, 90))

_PARTS = (
    Part("bank", (6,), (("tokens", 6, 7, 7),), "tokens in the bank: w u g r k gold"),
    Part("decks", (3,), (("cards", 3, 40, 40),), "cards left face down, level 1 first"),
    Part("board", (3, 4, 11), _CARD, "face-up cards by level and place; zeroes for a hole"),
    Part("nobles", (5, 5), (("bonuses asked", 5, 4, 4),), "unclaimed nobles in their places"),
    Part("seats", (4, 13), _SEAT, "viewer first; bonuses, points and cards of its side"),
    Part("own reserve", (3, 12), (*_CARD, ("blind", 1, 1, 1)), "the viewer's reserved cards"),
    Part(
        "other reserves",
        (3, 3, 14),
        (("level", 3, 1, 1), *_CARD),
        "next seat first; of a blind card the level alone",
    ),
    Part("phase", (3,), (("act noble return", 3, 1, 1),), "what is to be decided; 0 when over"),
    Part("to move", (4,), (("seat", 4, 1, 1),), "who decides, viewer first"),
    Part("own seat", (4,), (("seat", 4, 1, 1),), "the viewer's place in the round"),
    Part("players", (3,), (("2 3 4", 3, 1, 1),), "how many play"),
    Part("last round", (1,), (("flag", 1, 1, 1),), "somebody has reached the target"),
    Part("passes", (1,), (("turns", 1, 4, 4),), "forced passes in a row"),
    Part("target", (1,), (("points", 1, 15, 50),), "points that end the game"),
    Part("width", (1,), (("cards", 1, 4, 4),), "face-up cards a level"),
    Part("teams", (1,), (("flag", 1, 1, 1),), "partners opposite share bonuses and points"),
    Part("scarce take", (1,), (("flag", 1, 1, 1),), "fewer than three colours may be taken"),
)


def _placed(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    placed, start = [], 0
    for part in parts:
        placed.append(Part(part.name, part.shape, part.columns, part.meaning, start))
        start += part.size
    return tuple(placed)


OBSERVATION = _placed(_PARTS)
OBSERVATION_SIZE = OBSERVATION[-1].stop
SLICES = {part.name: part.slice for part in OBSERVATION}


def _per_value() -> npt.NDArray[np.float32]:
    """(scale, highest count) of each of the numbers."""
    values: list[tuple[int, int]] = []
    for part in OBSERVATION:
        row = [(scale, most) for _, size, scale, most in part.columns for _ in range(size)]
        values += row * (part.size // len(row))
    return np.array(values, np.float32)


SCALE: npt.NDArray[np.float32] = _per_value()[:, 0].copy()
"""What each count is divided by."""
HIGHEST: npt.NDArray[np.float32] = _per_value()[:, 1] / SCALE
"""The greatest value that can stand in each place."""
