"""Which moves an answer means: one move, or a kind of move, as the course writes it.

take wug          that move; `buy 2u5` however it is paid
take              any take; `take three`, `take two`
take with rk      a take that has a red and a black among its tokens
buy, buy level 1  any purchase, or of a card of that level
reserve           any; `reserve row` of a card that can be seen, `reserve deck`
return, noble, pass
"""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.notation.moves import parse_gems, parse_move
from cabochon.rules import (
    Buy,
    Card,
    ChooseNoble,
    Deck,
    Gems,
    Move,
    Pass,
    Position,
    Reserve,
    Return,
    Take,
)

_KINDS: dict[str, type[Move]] = {
    "take": Take,
    "buy": Buy,
    "reserve": Reserve,
    "return": Return,
    "noble": ChooseNoble,
    "pass": Pass,
}


@dataclass(frozen=True, slots=True)
class MovePattern:
    """As it is written. Raises NotationError for what means nothing, when it is first used."""

    text: str

    def matches(self, move: Move) -> bool:
        """Whether the move is one of those that are meant."""
        kind, _, rest = self.text.partition(" ")
        if rest and not self._is_described(rest):
            return _same(move, parse_move(self.text))
        if not isinstance(move, _KINDS[kind]):
            return False
        return not rest or _fits(move, rest)

    @staticmethod
    def _is_described(rest: str) -> bool:
        return rest in ("two", "three", "row", "deck") or rest.startswith(("with ", "level "))

    def moves(self, position: Position) -> list[Move]:
        """The legal moves that are meant."""
        return [move for move in position.legal_moves() if self.matches(move)]


def _fits(move: Move, rest: str) -> bool:
    """Whether a move of the right kind is as the rest of the pattern says."""
    if isinstance(move, Take):
        if rest in ("two", "three"):
            return (2 in move.gems) == (rest == "two")
        return _has(move.gems, parse_gems(rest.removeprefix("with ")))
    if isinstance(move, Reserve):
        return isinstance(move.target, Deck if rest == "deck" else Card)
    if isinstance(move, Buy):
        return rest == f"level {move.card.level}"
    return False


def _has(gems: Gems, wanted: Gems) -> bool:
    return all(held >= asked for held, asked in zip(gems, wanted, strict=True))


def _same(move: Move, other: Move) -> bool:
    """Purchases are the same however they are paid, unless the pattern says how."""
    if isinstance(move, Buy) and isinstance(other, Buy) and other.payment is None:
        return move.card == other.card
    return move == other
