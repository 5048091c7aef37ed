"""What was played: records and replays, as far as the asker may know them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query, Request, Response
from starlette.requests import HTTPConnection

from cabochon.notation import view_to_json
from cabochon.notation.recordjson import record_to_json, seen_record_to_json
from cabochon.notation.records import format_record
from cabochon.play.facts import facts_of
from cabochon.play.lines import Line, line_for
from cabochon.play.recording import record_of
from cabochon.play.staging import steps
from cabochon.play.table import Table
from cabochon.rules import Position
from cabochon.server import prices
from cabochon.server.doorkeeper import Doorkeeper
from cabochon.server.hub import Hub
from cabochon.server.identity import Asker, check_may_watch
from cabochon.server.models import Replay
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.routes.common import (
    PROBLEMS,
    AskerHere,
    DoorkeeperHere,
    HubHere,
    LiveHere,
    WatchCode,
)

router = APIRouter(prefix="/api/tables/{table_id}", tags=["records"], responses=PROBLEMS)

TEXT = "text/x-cabochon"
LINES_A_REQUEST = 50
"""What costs two requests or more is made in the backroom."""
_RECORD: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The record; JSON when the Accept header prefers it",
        "content": {TEXT: {"schema": {"type": "string"}}, "application/json": {}},
    }
}


@router.get("/record", operation_id="getRecord", response_class=Response, responses=_RECORD)
async def get_record(
    request: Request,
    live: LiveHere,
    who: AskerHere,
    hub: HubHere,
    doorkeeper: DoorkeeperHere,
    accept: Annotated[str, Header()] = TEXT,
    watch: WatchCode = None,
) -> Response:
    """The whole game with its seed once it is over; before that what the asker may know."""
    table, reader = live.table, _reader(live.table, who, watch)
    if table.position is None:
        raise ServerRefused(ServerFault.NOT_YET)
    over, json = table.ended is not None, "application/json" in accept
    told = _Told(hub, doorkeeper, request, table)
    seat = None if over else reader
    data = await told.once(
        ("record", json, seat),
        prices.of_record(table),
        lambda: _recorded(table, seat, json),
    )
    headers = {"ETag": f'"{table.id}-{table.seq}"'} if over else {"Cache-Control": "no-store"}
    return Response(data, media_type="application/json" if json else TEXT, headers=headers)


def _recorded(table: Table, reader: int | None, json: bool) -> bytes:
    record = record_of(table)
    if table.ended is None:
        seen = record.seen_by(reader)
        return orjson.dumps(seen_record_to_json(seen)) if json else format_record(seen).encode()
    return orjson.dumps(record_to_json(record)) if json else format_record(record).encode()


@router.get("/replay", operation_id="getReplay", response_model=Replay)
async def get_replay(
    request: Request,
    live: LiveHere,
    who: AskerHere,
    hub: HubHere,
    doorkeeper: DoorkeeperHere,
    viewer: Annotated[str, Query(pattern="^(me|all|[0-3])$")] = "me",
    facts: bool = True,
    watch: WatchCode = None,
) -> Response:
    """Every position so far. Other seats' views, and `all`, only after the end."""
    table, reader = live.table, _reader(live.table, who, watch)
    if table.position is None:
        raise ServerRefused(ServerFault.NOT_YET)
    if viewer != "me" and table.ended is None:
        raise ServerRefused(ServerFault.NOT_YET)
    seat = reader
    if viewer.isdigit():
        seat = int(viewer)
        if seat >= len(table.chairs):
            raise ServerRefused(ServerFault.BAD_REQUEST, where="viewer", what=viewer)
    everything = viewer == "all"
    told = _Told(hub, doorkeeper, request, table)
    data = await told.once(
        ("replay", seat, everything, facts),
        prices.of_replay(table, facts),
        lambda: _replayed(table, seat, everything, facts),
    )
    return Response(data, media_type="application/json")


class _Told:
    """What is told of a table at one moment: made, and paid for, once for all who ask the same."""

    def __init__(
        self, hub: Hub, doorkeeper: Doorkeeper, connection: HTTPConnection, table: Table
    ) -> None:
        self._hub = hub
        self._doorkeeper = doorkeeper
        self._connection = connection
        self._table = table

    async def once(
        self, what: tuple[Hashable, ...], price: float, make: Callable[[], bytes]
    ) -> bytes:
        """`what` must name everything that the answer depends on beside the table. Raises
        ServerRefused when the asker cannot pay."""
        key = (self._table.id, self._table.seq, *what)
        kept = self._hub.keepsakes.get(key)
        if kept is not None:
            return kept
        self._doorkeeper.check_request(self._connection, price)
        made = await self._hub.store.backroom.tell(price * LINES_A_REQUEST, make)
        self._hub.keepsakes.keep(key, made)
        return made


def _replayed(table: Table, seat: int | None, everything: bool, facts: bool) -> bytes:
    views = [_step(step, seat, everything, facts) for step in _steps(table)]
    return orjson.dumps({"table": table.id, "viewer": seat, "views": views})


def _reader(table: Table, who: Asker, watch: str | None) -> int | None:
    """For whom it is: a seat, or a watcher; somebody with several seats is shown the public
    side."""
    seats = who.seats(table)
    check_may_watch(table, seats, watch)
    return seats[0] if len(seats) == 1 else None


def _steps(table: Table) -> list[tuple[Position, Line | None]]:
    """The first position, then the one after each decision with its line."""
    ruleset = table.options.ruleset
    position = Position.start(ruleset, table.dealer.opening(ruleset))
    found: list[tuple[Position, Line | None]] = [(position, None)]
    for moved in table.moved:
        found += steps(found[-1][0], moved, len(found) - 1)
    return found


def _step(
    step: tuple[Position, Line | None], seat: int | None, everything: bool, facts: bool
) -> dict[str, Any]:
    position, line = step
    view = position.view(seat)
    shown = view_to_json(view)
    if everything:
        shown["hands"] = [
            view_to_json(position.view(s))["hands"][s]  # type: ignore[index]
            for s in range(position.ruleset.seats)
        ]
    reader = line.seat if everything and line is not None else seat
    return {
        "ply": 0 if line is None else line.ply,
        "turn": position.turn,
        "view": shown,
        "facts": facts_of(view) if facts else None,
        "log": None if line is None else line_for(line, reader),
    }
