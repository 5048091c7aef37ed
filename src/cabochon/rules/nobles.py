"""Nobles visit by themselves, one a turn, whoever has the bonuses they ask for."""

from __future__ import annotations

from cabochon.rules.cards import FEWEST_FOR_NOBLE, NOBLES, Noble
from cabochon.rules.errors import IllegalMove, Refusal, quoted
from cabochon.rules.facts import Facts
from cabochon.rules.moves import ChooseNoble


def visiting(facts: Facts, seat: int) -> tuple[Noble, ...]:
    """The nobles still on the table that the seat's bonuses satisfy, in table order."""
    if not facts.ruleset.teams and len(facts.hands[seat].bought) < FEWEST_FOR_NOBLE:
        return ()
    bonuses = facts.bonuses(seat)
    if sum(bonuses) < FEWEST_FOR_NOBLE:
        return ()
    return tuple(noble for noble in facts.open_nobles if bonuses.covers(noble.cost))


def choose_refusal(facts: Facts, seat: int, move: ChooseNoble) -> IllegalMove | None:
    noble = move.noble
    if not isinstance(noble, Noble) or noble not in NOBLES:
        return IllegalMove(Refusal.UNKNOWN_NOBLE, noble=quoted(getattr(noble, "code", noble)))
    if noble not in visiting(facts, seat):
        return IllegalMove(Refusal.NOBLE_NOT_OFFERED, noble=noble.code)
    return None
