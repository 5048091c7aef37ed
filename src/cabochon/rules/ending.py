"""The end: the round is finished, most points win, then fewest bought cards, else shared."""

from __future__ import annotations

from cabochon.rules.facts import Facts
from cabochon.rules.outcome import Ending, Outcome


def target_reached(facts: Facts) -> bool:
    """Whether any seat, or team, has the points that bring the last round."""
    return any(facts.points(seat) >= facts.ruleset.target for seat in range(facts.ruleset.seats))


def outcome_of(facts: Facts) -> Outcome:
    """The ranking as things stand; only a finished game's is final."""
    seats = range(facts.ruleset.seats)
    points = tuple(facts.points(seat) for seat in seats)
    cards = tuple(
        sum(len(facts.hands[mate].bought) for mate in facts.ruleset.side(seat)) for seat in seats
    )
    merits = [(points[seat], -cards[seat]) for seat in seats]
    ranking = tuple(1 + sum(other > mine for other in merits) for mine in merits)
    complete = facts.last_round and facts.turn % facts.ruleset.seats == 0
    return Outcome(ranking, Ending.TARGET if complete else Ending.STALLED, points, cards)
