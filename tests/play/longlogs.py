"""Games that go on and on: nobody buys, tokens go round, and turns are taken back."""

from __future__ import annotations

from random import Random

from cabochon.play.events import Opened, TableEvent, TakenBack
from cabochon.play.table import Table
from cabochon.rules import Move, Position, Reserve, Return, Take
from tests.play.sittings import opening, person


def long_log(
    moves: int, takebacks: int, opened: Opened | None = None, seed: int = 1
) -> list[TableEvent]:
    """So many submissions of two seats that one person holds, then so often one taken back and
    made again: as the events of the table, which need no command, so that there is no bound."""
    random = Random(seed)
    opened = opened or opening(person(0, "me"), person(1, "me"), at=0)
    table = Table.open("table", opened)
    events: list[TableEvent] = [opened]
    for _ in range(moves):
        table = _moved(table, random, events)
    for _ in range(takebacks):
        back = _back(table)
        events.append(back)
        table = _moved(table.after(back), random, events)
    return events


def _back(table: Table) -> TakenBack:
    """Of the turn that was played last."""
    turn = table.history.moved[-1].turn
    kept = len(table.history) - 1
    while kept and table.history.moved[kept - 1].turn == turn:
        kept -= 1
    return TakenBack(1000 * table.seq, turn % len(table.chairs), kept)


def _moved(table: Table, random: Random, events: list[TableEvent]) -> Table:
    position = table.running
    decision = table.submit(
        position.seat,
        table.version,
        (_goes_round(position, random),),
        1000 * table.seq,
        f"key-{table.seq}",
        "01234567",
        engine=True,
    )
    events += decision.events
    return decision.table


def _goes_round(position: Position, random: Random) -> Move:
    """Gold is taken and held, so that the other tokens never run out."""
    legal = position.legal_moves()
    for kind in (Reserve, Take, Return):
        some = [move for move in legal if isinstance(move, kind)]
        if kind is Return:
            some = [move for move in some if not move.gems.gold]  # type: ignore[union-attr]
        if some:
            return random.choice(some)
    raise AssertionError("nothing is left that could be done for ever")
