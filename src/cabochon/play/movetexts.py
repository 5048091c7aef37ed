"""The texts of moves, written once: the same few hundred moves come again and again."""

from __future__ import annotations

from functools import lru_cache

from cabochon.notation.moves import format_move
from cabochon.rules import CARDS, Buy, Gems, Move
from cabochon.rules.legal import STANDING

_STANDING = {id(move): format_move(move) for move in STANDING}
"""By the very object, which is quicker to find than by what the move says."""


@lru_cache(maxsize=8192)
def _buy_text(card: int, payment: Gems | None) -> str:
    """By numbers, which are quicker to find than the move."""
    return format_move(Buy(CARDS[card], payment))


_rare_text = lru_cache(maxsize=1024)(format_move)


def _other_text(move: Move) -> str:
    return _buy_text(move.card.id, move.payment) if isinstance(move, Buy) else _rare_text(move)


def move_text(move: Move) -> str:
    """What `format_move` gives."""
    return _STANDING.get(id(move)) or _other_text(move)


def move_texts(moves: list[Move]) -> list[str]:
    """Of a list of legal moves, one by one."""
    standing, other = _STANDING.get, _other_text
    return [standing(id(move)) or other(move) for move in moves]
