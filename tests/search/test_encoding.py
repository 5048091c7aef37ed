"""The network's input: in range, and nothing that the mover may not know."""

from __future__ import annotations

import numpy as np
import pytest

from cabochon.kernel.cache import compiled
from cabochon.kernel.layout import States
from cabochon.kernel.playout import forget, imagine
from cabochon.rules import Ruleset
from cabochon.search import rows
from cabochon.search.encoding import Lists, encode, new_lists
from tests.search.games import RULESETS, random_records


@compiled
def _encode(states: States, lists: Lists) -> None:
    encode(states[0], lists)


@compiled
def _imagine_anew(states: States, seed: np.uint64) -> None:
    forget(states[0], np.int64(states[0].seat))
    imagine(states[0], seed)


def _encoded(states: States) -> list[list[int]]:
    lists = new_lists()
    _encode(states, lists)
    each = [*lists.cards, *lists.others, *lists.nobles, lists.facts]
    return [
        [int(row) for row in which[:count]] for which, count in zip(each, lists.counts, strict=True)
    ]


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_rows_are_in_range(ruleset: Ruleset) -> None:
    sizes = (
        [(rows.CARD_ROWS, rows.CARD_LIST)] * rows.CARD_PLACES
        + [(rows.OTHER_ROWS, rows.OTHER_LIST)] * rows.OTHER_PLACES
        + [(rows.NOBLE_ROWS, rows.NOBLE_LIST)] * rows.NOBLE_PLACES
        + [(rows.FACT_ROWS, rows.FACT_LIST)]
    )
    for seed in range(6):
        for states in random_records(ruleset, seed):
            for which, (table, room) in zip(_encoded(states), sizes, strict=True):
                assert len(which) + 3 <= room or not which or len(which) <= 2
                assert all(0 < row < table for row in which)
                assert len(set(which)) == len(which)


@pytest.mark.parametrize("ruleset", RULESETS, ids=str)
def test_hidden_cards_and_decks_change_nothing(ruleset: Ruleset) -> None:
    for seed in range(4):
        for states in random_records(ruleset, seed):
            other = states.copy()
            _imagine_anew(other, np.uint64(seed + 77))
            assert _encoded(other) == _encoded(states)


def test_order_of_places_is_no_fact() -> None:
    for states in random_records(RULESETS[0], 3):
        turned = states.copy()
        for level in range(3):
            row = slice(4 * level, 4 * level + 4)
            turned[0]["board"][row] = np.roll(states[0]["board"][row], 1)
        assert sorted(_encoded(turned)) == sorted(_encoded(states))
