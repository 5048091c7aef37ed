"""The observation once more, slowly and from a View: what the compiled one is compared with."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from cabochon.kernel import SCALE
from cabochon.rules import Card, Facts, Phase, Reserved, View
from cabochon.rules.facts import HeldCard

NOTHING = [0] * 11


def card_numbers(card: Card | None) -> list[int]:
    if card is None:
        return NOTHING
    return [*card.cost[:5], *(int(card.bonus == colour) for colour in range(5)), card.points]


def own_numbers(reserve: HeldCard | None) -> list[int]:
    if not isinstance(reserve, Reserved):
        return [*NOTHING, 0]
    return [*card_numbers(reserve.card), int(reserve.blind)]


def other_numbers(reserve: HeldCard | None) -> list[int]:
    if reserve is None:
        return [0, 0, 0, *NOTHING]
    level = [int(reserve.level == level) for level in (1, 2, 3)]
    return [*level, *card_numbers(reserve.card if isinstance(reserve, Reserved) else None)]


def seat_numbers(facts: Facts, seat: int) -> list[int]:
    cards = sum(len(facts.hands[mate].bought) for mate in facts.ruleset.side(seat))
    return [*facts.hands[seat].tokens, *facts.bonuses(seat)[:5], facts.points(seat), cards]


def one_hot(index: int | None, size: int) -> list[int]:
    return [int(place == index) for place in range(size)]


def _reserves(view: View, seat: int) -> Iterable[HeldCard | None]:
    reserved = view.hands[seat].reserved
    return [*reserved, *[None] * (3 - len(reserved))]


def seen_by(view: View) -> npt.NDArray[np.float32]:
    """The 400 numbers of the viewer, in the order of ``OBSERVATION``."""
    viewer, rules = view.viewer, view.ruleset
    assert viewer is not None
    seats = [(viewer + ahead) % rules.seats for ahead in range(rules.seats)]
    chairs = 4 - rules.seats
    numbers: list[int] = [*view.bank, *view.decks]
    for row in view.rows:
        for card in (*row, *[None] * (4 - rules.row_width)):
            numbers += card_numbers(card)
    nobles = [noble.cost[:5] if noble in view.open_nobles else [0] * 5 for noble in view.nobles]
    for asked in (*nobles, *[[0] * 5] * (5 - len(nobles))):
        numbers += asked
    for seat in seats:
        numbers += seat_numbers(view, seat)
    numbers += [0] * 13 * chairs
    for reserve in _reserves(view, viewer):
        numbers += own_numbers(reserve)
    for seat in seats[1:]:
        for reserve in _reserves(view, seat):
            numbers += other_numbers(reserve)
    numbers += [0] * 42 * chairs
    phases = (Phase.ACT, Phase.NOBLE, Phase.RETURN)
    numbers += [int(view.phase is phase) for phase in phases]
    to_move = None if view.phase is Phase.OVER else seats.index(view.seat)
    numbers += [*one_hot(to_move, 4), *one_hot(viewer, 4), *one_hot(rules.seats - 2, 3)]
    numbers += [view.last_round, view.passes, rules.target, rules.row_width]
    numbers += [rules.teams, rules.scarce_take]
    return np.array(numbers, np.float32) / SCALE
