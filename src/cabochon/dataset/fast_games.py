"""Whole games by the kernel's policies, with everything that a record needs written down."""

from __future__ import annotations

from typing import Any

import numpy as np

from cabochon.kernel.actions import BUY, BUY_RESERVED, CHOOSE_NOBLE, PASS, RESERVE, RESERVE_DECK
from cabochon.kernel.bits import stream_seed
from cabochon.kernel.cache import compiled
from cabochon.kernel.entrypoints import redeal
from cabochon.kernel.layout import (
    CARD_BITS,
    DEAL,
    NO_CARD,
    NOBLE,
    OVER,
    Floats,
    Number,
    StateRow,
    States,
)
from cabochon.kernel.legal import legal_mask
from cabochon.kernel.observation import observe
from cabochon.kernel.playout import TURN_LIMIT, biased_action, random_action
from cabochon.kernel.step import (
    act_unchecked,
    cards_of,
    deal_unchecked,
    draw,
    pending_level,
    points_of,
    write_shares,
)

u64 = np.uint64
UNIFORM, BIASED = range(2)

ROW = np.dtype(
    [
        ("legal", np.uint64),
        ("paid", np.uint64),
        ("turn", np.uint32),
        ("seat", np.uint8),
        ("phase", np.uint8),
        ("action", np.uint8),
        ("thing", np.uint8),
        ("dealt", np.uint8),
    ],
    align=True,
)
"""One decision. `thing` is the card bought or reserved, or the noble chosen; `dealt` the card that
came after it; NO_CARD if there is none. `legal` counts from the first action of the phase."""

GAME = np.dtype(
    [
        ("start", np.int64),
        ("stop", np.int64),
        ("nobles", np.uint8, 5),
        ("board", np.uint8, 12),
        ("turns", np.uint32),
        ("phase", np.uint8),
        ("passes", np.uint8),
        ("points", np.int16, 4),
        ("cards", np.int16, 4),
        ("shares", np.float32, 4),
    ],
    align=True,
)
"""One game: its rows, the opening, and how it ended."""


@compiled
def play_games(
    states: States,
    policies: np.ndarray,
    seed: np.uint64,
    first: Number,
    games: np.ndarray,
    rows: np.ndarray,
    observations: Floats,
) -> Number:
    """Play games ``first``, ``first + 1``, ... in ``states[0]`` as long as there is room for one
    more; returns how many were played."""
    filled = 0
    s = states[0]
    for number in range(len(games)):
        game = games[number]
        begin_logged(s, game, stream_seed(seed, u64(first + number)), filled)
        while s.phase != OVER and s.turn < TURN_LIMIT:
            if filled == len(rows):
                return number
            action = biased_action(s) if policies[s.seat] == BIASED else random_action(s)
            play_logged(s, action, rows[filled], observations, filled)
            filled += 1
        game.stop = filled
        write_result(s, game)
    return len(games)


@compiled
def begin_logged(s: StateRow, game: Any, seed: np.uint64, row: Number) -> None:
    """Deal a game from its own seed; its decisions are written from that row on."""
    game.start = row
    s.rng = seed
    redeal(s)
    game.nobles[:] = s.nobles
    game.board[:] = s.board


@compiled
def play_logged(
    s: StateRow, action: Number, row: Any, observations: Floats, number: Number
) -> None:
    """The action and the card that comes after it, written down; and what the seat saw, if there
    is room for observations."""
    if len(observations) > 0:
        observe(s, np.int64(s.seat), observations[number])
    seat, before = np.int64(s.seat), s.tokens[s.seat]
    row.legal, row.turn, row.seat, row.phase = legal_mask(s), s.turn, s.seat, s.phase
    row.action = action
    row.thing = _thing(s, action)
    row.dealt = NO_CARD
    act_unchecked(s, action)
    row.paid = before - s.tokens[seat] if BUY <= action < PASS else u64(0)
    if s.phase == DEAL:
        card = draw(s, pending_level(s))
        row.dealt = card
        deal_unchecked(s, card)


@compiled
def _thing(s: StateRow, action: Number) -> Number:
    """The card or noble that the action names by its place."""
    if s.phase == NOBLE:
        return np.int64(s.nobles[action - CHOOSE_NOBLE])
    if RESERVE <= action < RESERVE_DECK:
        return np.int64(s.board[action - RESERVE])
    if BUY <= action < BUY_RESERVED:
        return np.int64(s.board[action - BUY])
    if BUY_RESERVED <= action < PASS:
        return np.int64(s.reserved[4 * np.int64(s.seat) + action - BUY_RESERVED]) & CARD_BITS
    return NO_CARD


@compiled
def write_result(s: StateRow, game: Any) -> None:
    """How the game stands, now that it is over."""
    game.turns, game.phase, game.passes = s.turn, s.phase, s.passes
    write_shares(s, game.shares)
    for seat in range(s.seats):
        game.points[seat] = points_of(s, seat)
        game.cards[seat] = cards_of(s, seat)
