"""Play a quiet game to the middle, then draw what seat 1 sees into docs/img/board.svg.

python examples/draw_the_table.py [FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

from cabochon.render.svg import svg
from cabochon.rules import (
    Buy,
    Card,
    Dealer,
    Deck,
    Gems,
    Move,
    Position,
    Reserve,
    Ruleset,
    ShuffledDealer,
    Take,
)
from cabochon.rules.buying import missing
from cabochon.rules.perft import dealt

BOARD = Path(__file__).parents[1] / "docs" / "img" / "board.svg"
SEED = "board-37"
TURNS = 44


def chosen(position: Position) -> Move:
    return max(position.legal_moves(), key=lambda move: merit(position, move))


def merit(position: Position, move: Move) -> float:
    """Buy points for few tokens, at times reserve, else come nearer to the best cards."""
    match move:
        case Buy(card, Gems() as payment):
            return 40 + 9 * card.points - payment.total
        case Reserve(Card(points=points)) if position.turn % 9 == 4:
            return 60 + points
        case Reserve(Deck(level)) if position.turn % 17 == 10:
            return 90 - level
        case Take():
            return 20 + nearness(position.play_unchecked(move), position.seat)
        case _:
            return 0


def nearness(position: Position, seat: int) -> float:
    bonuses, tokens = position.bonuses(seat), position.hands[seat].tokens
    cards = [card for row in position.rows for card in row if card is not None]
    lacks = [missing(card, bonuses, tokens) for card in cards]
    return max((1 + card.points) / (1 + lack) for card, lack in zip(cards, lacks, strict=True))


def middle_game(ruleset: Ruleset, dealer: Dealer, turns: int) -> Position:
    position = Position.start(ruleset, dealer.opening(ruleset))
    while position.turn < turns and position.outcome() is None:
        position = dealt(position.play(chosen(position)), dealer)
    return position


def main(file: Path = BOARD) -> None:
    ruleset = Ruleset.preset("standard", seats=2)
    position = middle_game(ruleset, ShuffledDealer(SEED), TURNS)
    file.write_text(svg(position, seat=0) + "\n", "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
