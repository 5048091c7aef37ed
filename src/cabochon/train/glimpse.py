"""One game of the network against itself, written out: a collapse shows here before it shows
in any loss."""

from __future__ import annotations

from cabochon.notation import format_move
from cabochon.rules import Position, Ruleset, ShuffledDealer
from cabochon.rules.perft import dealt
from cabochon.search.net import Weights
from cabochon.search.searcher import Limit, Searcher

_SHOWN = 3


def glimpse(weights: Weights, ruleset: Ruleset, seed: str, visits: int = 64) -> str:
    """A line a decision: turn, seat, its chance, and the best moves as visits / prior."""
    searcher, dealer = Searcher(weights), ShuffledDealer(seed)
    position = Position.start(ruleset, dealer.opening(ruleset))
    lines = [f"{ruleset}, seed {seed}, {visits} visits"]
    while position.outcome() is None and position.turn < 400:
        analysis = searcher.analyse(position.view(position.seat), Limit(visits=visits))
        share = analysis.shares[position.seat]
        best = "   ".join(
            f"{format_move(line.move)} {line.visits}/{line.prior:.2f}"
            for line in analysis.lines[:_SHOWN]
        )
        lines.append(f"{position.turn:>3} {position.seat} {100 * share:>3.0f} %  {best}")
        position = dealt(position.play(analysis.best), dealer)
    outcome = position.outcome()
    ending = "unfinished" if outcome is None else f"points {outcome.points}, cards {outcome.cards}"
    return "\n".join([*lines, ending, ""])
