"""A table as a record: whole once it is over, else as far as one seat or a watcher may know."""

from __future__ import annotations

from cabochon.notation import turn_label
from cabochon.play.chairs import REASON_OF, Chair
from cabochon.play.history import CLOSED, Ended
from cabochon.play.table import Table
from cabochon.record import GIVEN, HINTS, NOBODY, START, Reason, Record, Result
from cabochon.record.sheet import share_headers
from cabochon.rules import Deal, Event, commitment
from cabochon.rules.ending import outcome_of

_REASONS = {**REASON_OF, CLOSED: Reason.ABANDONED}


def record_of(table: Table) -> Record:
    """Everything that was played, hidden cards included: not for anybody at a running game.

    Its result is that of the rules when the game was played out; a seat that went out on the way
    is named in a header, and so is every turn that was played anew after a card was revealed, or
    with a hint.
    """
    ruleset = table.options.ruleset
    return Record(
        ruleset=ruleset,
        players=tuple(_player(chair) for chair in table.chairs),
        headers=_headers(table),
        commitment=commitment(table.opened.seed),
        result=None if table.ended is None else _result(table, table.ended),
        opening=table.opened.position or table.dealer.opening(ruleset),
        events=tuple(_events(table)),
        seed=None if table.ended is None else table.opened.seed,
    )


def _events(table: Table) -> list[Event]:
    events: list[Event] = []
    for moved in table.moved:
        coming = iter(moved.deals)
        for index, move in enumerate(moved.moves):
            events.append(move)
            if index == 0:
                events += [Deal(card) for card in coming]
    return events


def _result(table: Table, ended: Ended) -> Result:
    reason = _REASONS.get(ended.reason)
    if reason is None:
        assert table.position is not None
        return Result.of(outcome_of(table.position))
    return Result(ended.ranking, reason)


def _player(chair: Chair) -> str:
    return chair.name or chair.bot or NOBODY


def _headers(table: Table) -> dict[str, str]:
    shares = table.shares
    told = {} if table.ended is None else shares.revealed
    headers = {"Table": table.id} | share_headers(table.id, shares.round, shares.hashes, told)
    if table.opened.position is not None:
        headers[START] = GIVEN
    for seat, chair in enumerate(table.chairs):
        if chair.out is not None:
            headers[f"Out{seat}"] = chair.out.value
    anew = [line.turn for line in table.lines if line.revealed]
    if anew:
        seats = len(table.chairs)
        headers["TakenBack"] = " ".join(turn_label(turn, seats) for turn in anew)
    if table.hints:
        headers[HINTS] = " ".join(
            turn_label(turn, len(table.chairs)) for turn in sorted(table.hints)
        )
    return headers
