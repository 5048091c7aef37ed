"""What was played: records and replays, as far as the caller may know them."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query, Request, Response
from starlette.requests import HTTPConnection

from cabochon.notation.recordjson import record_to_json, seen_record_to_json
from cabochon.notation.records import format_record
from cabochon.play.recording import record_of
from cabochon.play.staging import Line, steps
from cabochon.play.table import Table
from cabochon.rules import Position
from cabochon.server.access import prices
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.identity import Caller, check_may_watch
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.tables.answercache import AnsweringTables
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.live import Live
from cabochon.server.web.models import Replay
from cabochon.server.web.routes.common import (
    PROBLEMS,
    AccessHere,
    CallerHere,
    HubHere,
    LiveHere,
    WatchCode,
)
from cabochon.study.steps import StudySight, replay_step

router = APIRouter(prefix="/api/tables/{table_id}", tags=["records"], responses=PROBLEMS)

TEXT = "text/x-cabochon"
LINES_A_REQUEST = 50
"""What costs two requests or more is made in the longwork."""
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
    who: CallerHere,
    hub: HubHere,
    access: AccessHere,
    accept: Annotated[str, Header()] = TEXT,
    watch: WatchCode = None,
) -> Response:
    """The whole game with its seed once it is over; before that what the caller may know."""
    table, reader = await _shown(live, who, hub, watch)
    over, json = table.ended is not None, "application/json" in accept
    answers = _SharedAnswers(hub, access, request, table)
    seat = None if over else reader
    data = await answers.once(
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
    who: CallerHere,
    hub: HubHere,
    access: AccessHere,
    viewer: Annotated[str, Query(pattern="^(me|all|[0-3])$")] = "me",
    facts: bool = True,
    watch: WatchCode = None,
) -> Response:
    """Every position so far. Other seats' views, and `all`, only after the end."""
    table, reader = await _shown(live, who, hub, watch)
    if viewer != "me" and table.ended is None:
        raise ServerRefused(ServerFault.NOT_YET)
    seat = reader
    if viewer.isdigit():
        seat = int(viewer)
        if seat >= len(table.chairs):
            raise ServerRefused(ServerFault.BAD_REQUEST, where="viewer", what=viewer)
    everything = viewer == "all"
    answers = _SharedAnswers(hub, access, request, table)
    data = await answers.once(
        ("replay", seat, everything, facts),
        prices.of_replay(table, facts),
        lambda: _replayed(table, seat, everything, facts),
    )
    return Response(data, media_type="application/json")


class _SharedAnswers:
    """Answers about a table at one moment: made, and paid for, once for all who ask the same."""

    def __init__(
        self, hub: AnsweringTables, access: AccessLimits, connection: HTTPConnection, table: Table
    ) -> None:
        self._answers = hub.answers
        self._longwork = hub.store.longwork
        self._access = access
        self._connection = connection
        self._table = table

    async def once(
        self, what: tuple[Hashable, ...], price: float, make: Callable[[], bytes]
    ) -> bytes:
        """`what` must name everything that the answer depends on beside the table. Raises
        ServerRefused when the caller cannot pay."""
        key = (self._table.id, self._table.seq, *what)
        kept = self._answers.get(key)
        if kept is not None:
            return kept
        self._access.check_request(self._connection, price)
        made = await self._longwork.tell(price * LINES_A_REQUEST, make)
        self._answers.keep(key, made)
        return made


def _replayed(table: Table, seat: int | None, everything: bool, facts: bool) -> bytes:
    sight = StudySight(seat, everything)
    views = [replay_step(position, line, sight, facts) for position, line in _steps(table)]
    return orjson.dumps({"table": table.id, "viewer": seat, "views": views})


async def _shown(live: Live, who: Caller, hub: Hub, watch: str | None) -> tuple[Table, int | None]:
    """The table as the caller may see it now, and for whom it is: a seat, or a watcher; somebody
    with several seats is shown the public side."""
    seats = who.seats(live.table)
    check_may_watch(live.table, seats, watch)
    table = await hub.late.table(live, seats)
    if table.position is None:
        raise ServerRefused(ServerFault.NOT_YET)
    return table, seats[0] if len(seats) == 1 else None


def _steps(table: Table) -> list[tuple[Position, Line | None]]:
    """The first position, then the one after each decision with its line."""
    found: list[tuple[Position, Line | None]] = [(table.first, None)]
    for moved in table.moved:
        found += steps(found[-1][0], moved, len(found) - 1)
    return found
