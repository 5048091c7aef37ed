"""How a sitting ended: the rules' outcome, with seats that went out ranked after all others."""

from __future__ import annotations

from dataclasses import dataclass

from cabochon.play.chairs import Chair, Kind, Out
from cabochon.rules import Position, Ruleset
from cabochon.rules.ending import outcome_of, ranking_without

CLOSED = "closed"
"""The reason of a game that was neither played out nor given up: nobody has won it."""


@dataclass(frozen=True, slots=True)
class Ended:
    """Per seat: rank (1 is best), points and cards. `reason` is the rules' ending, or why the
    last rival went out, or that whoever runs the server closed the table."""

    ranking: tuple[int, ...]
    points: tuple[int, ...]
    cards: tuple[int, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        if self.reason == CLOSED:
            return ()
        return tuple(seat for seat, rank in enumerate(self.ranking) if rank == 1)


def ended_by_rules(position: Position, chairs: tuple[Chair, ...]) -> Ended:
    """The result of a game that was played to its end."""
    return _ended(position, chairs, outcome_of(position).ending.value)


def ended_by_leaving(position: Position, chairs: tuple[Chair, ...], why: Out) -> Ended | None:
    """The result if the seats that are out leave nothing to play for, else None."""
    sides = _sides(position.ruleset)
    playing = [side for side in sides if not _is_out(side, chairs)]
    someone = any(
        chairs[seat].out is None and (chairs[seat].kind is Kind.HUMAN or chairs[seat].has_say)
        for side in playing
        for seat in side
    )
    if len(playing) > 1 and someone:
        return None
    return _ended(position, chairs, why.value)


def ended_by_closing(position: Position | None, chairs: tuple[Chair, ...]) -> Ended:
    """The standing when the table was closed, which may have been before the start."""
    if position is None:
        nothing = (0,) * len(chairs)
        return Ended((1,) * len(chairs), nothing, nothing, CLOSED)
    return _ended(position, chairs, CLOSED)


def _ended(position: Position, chairs: tuple[Chair, ...], reason: str) -> Ended:
    outcome = outcome_of(position)
    out = [seat for seat, chair in enumerate(chairs) if chair.out is not None]
    return Ended(ranking_without(position, out), outcome.points, outcome.cards, reason)


def _sides(ruleset: Ruleset) -> list[tuple[int, ...]]:
    return list(dict.fromkeys(ruleset.side(seat) for seat in range(ruleset.seats)))


def _is_out(side: tuple[int, ...], chairs: tuple[Chair, ...]) -> bool:
    return any(chairs[seat].out is not None for seat in side)
