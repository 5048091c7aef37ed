"""What anybody may know of a table without looking at the cards."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import cast

from cabochon.play.chairs import Chair
from cabochon.play.dealshares import REVEAL_MS
from cabochon.play.messages import ChairInfo, ClockInfo, SharesInfo, TableInfo
from cabochon.play.options import clock_to_json
from cabochon.play.table import Table
from cabochon.play.talking import may_text
from cabochon.rules import commitment


def table_info(table: Table, here: Collection[int] = ()) -> TableInfo:
    """`here` are the seats whose player is connected."""
    options, series = table.options, table.opened.series
    ruleset = options.ruleset
    info: TableInfo = {
        "id": table.id,
        "ruleset": str(ruleset),
        "variant": ruleset.variant,
        "seats": ruleset.seats,
        "target": ruleset.target,
        "scarce_take": ruleset.scarce_take,
        "state": table.state,
        "chairs": [_chair_info(seat, chair, here) for seat, chair in enumerate(table.chairs)],
        "clock": cast(ClockInfo | None, clock_to_json(options.clock)),
        "at_zero": options.at_zero.value,
        "gone": {"grace_s": options.grace_s, "policy": options.when_gone.value},
        "watch": options.watching.value,
        "listed": options.listed,
        "seat_order": options.seat_order.value,
        "takeback": options.takeback,
        "commitment": _commitment(table.opened.seed),
        "created_ms": table.opened.at,
        "series": {"id": series.id, "game": series.game, "score": list(series.score)},
        "tutorial": options.tutorial,
    }
    if options.rated:
        info["rated"] = True
    if table.opened.position is not None:
        info["from_position"] = True
    if options.takeback_asks:
        info["takeback_asks"] = True
    if table.hints:
        seats = ruleset.seats
        info["hints"] = [sum(t % seats == seat for t in table.hints) for seat in range(seats)]
    if may_text(table):
        info["texting"] = list(table.texting)
    if table.shares.parts:
        info["shares"] = _shares_info(table)
    return info


def _shares_info(table: Table) -> SharesInfo:
    """Shares are revealed when the game is over, together with the seed."""
    shares, seats = table.shares, range(len(table.chairs))
    asked = shares.asked if table.is_starting else None
    awaited = [] if asked is None else list(shares.awaited)
    told = None if table.ended is None else [shares.revealed.get(seat) for seat in seats]
    return {
        "round": shares.round,
        "hashes": [shares.hashes.get(seat) for seat in seats],
        "pledge": list(shares.hashless),
        "reveal": [] if shares.hashless else awaited,
        "by_ms": None if asked is None else asked + REVEAL_MS,
        "shares": told,
    }


def _chair_info(seat: int, chair: Chair, here: Collection[int]) -> ChairInfo:
    info: ChairInfo = {
        "seat": seat,
        "kind": chair.kind.value,
        "name": chair.name,
        "bot": None if chair.stands_in else chair.bot,
        "here": seat in here or (chair.by_engine and not chair.stands_in),
        "stand_in": chair.stands_in,
        "out": chair.out is not None,
    }
    if chair.person is not None:
        info["person"] = chair.person
    return info


@lru_cache(maxsize=4096)
def _commitment(seed: str) -> str:
    return commitment(seed)
