"""The first game: a fixed deal, and an opponent who lets a newcomer win."""

from __future__ import annotations

from cabochon.bots import NO_LIMIT, Limit
from cabochon.play.options import Options, SeatOrder, Watching
from cabochon.rules import Buy, Move, Ruleset, Take, View
from cabochon.rules.view import choices

TUTOR = "tutor"
SEED = "cabochon tutorial 53"
"""Not secret: everybody's first game has the same cards."""


def tutorial_options() -> Options:
    """The whole table, but to seven points, so that the first game is short."""
    return Options(
        Ruleset(seats=2, target=7),
        watching=Watching.NOBODY,
        listed=False,
        seat_order=SeatOrder.FIXED,
        tutorial=True,
    )


class TutorBot:
    """Shows every kind of everyday move and hurries nowhere: it buys the cheapest card it can,
    else takes tokens, and never reserves. The same view always gives the same move."""

    def choose(self, view: View, limit: Limit = NO_LIMIT) -> Move:
        moves = choices(view)
        buys = [move for move in moves if isinstance(move, Buy)]
        if buys:
            return min(buys, key=lambda buy: (buy.card.points, buy.card.level, buy.card.id))
        takes = [move for move in moves if isinstance(move, Take)]
        return takes[view.turn % len(takes)] if takes else moves[0]
