"""A first network for more players, from one that was trained for two."""

from __future__ import annotations

from cabochon.search import rows
from cabochon.search.net import PLAIN_VALUE, Floats, Weights

_BLOCKS = {
    "card": ((rows.CARD_OTHER, 20),),
    "other": ((rows.OTHER_SHORT, 20), (rows.OTHER_HIDDEN, 3)),
    "noble": ((rows.NOBLE_OTHER, 10),),
    "fact": ((rows.FACT_HAND + rows.HAND_ROWS, rows.HAND_ROWS),),
}
"""Where the roles' rows begin in each table, and how many each role has."""


def for_more_players(two: Weights, seats: int) -> Weights:
    """Every opponent is seen as the only one was; what is added up is divided among them."""
    arrays = {name: array.copy() for name, array in two._asdict().items()}
    others = seats - 1
    tables = (seats - 2,) if seats == 3 else (2, 3)
    for table in tables:
        for role in range(rows.FIRST_ROLE[table], rows.FIRST_ROLE[table] + others):
            for name, blocks in _BLOCKS.items():
                for first, size in blocks:
                    _copy_role(arrays[name], first, size, role, 1 if name == "other" else others)
        _copy_table(arrays["fact"], table)
    for name in ("plain", "plain_bias"):
        for column in (2, 3):
            arrays[name][..., PLAIN_VALUE + column] = arrays[name][..., PLAIN_VALUE + 1]
    return Weights(**arrays)


def _copy_role(array: Floats, first: int, size: int, role: int, parts: int) -> None:
    array[first + role * size : first + (role + 1) * size] = array[first : first + size] / parts


def _copy_table(facts: Floats, table: int) -> None:
    """Seats beyond the second are like the second; the rules' rows are taken over."""
    for seat in range(4):
        for last in range(2):
            source = rows.FACT_SEAT + 2 * min(seat, 1) + last
            facts[rows.FACT_SEAT + 8 * table + 2 * seat + last] = facts[source]
    source = rows.FACT_RULES
    facts[source + 9 * table : source + 9 * table + 9] = facts[source : source + 9]
