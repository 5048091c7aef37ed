"""What was played: records and replays, as far as the asker may know them."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Header, Query, Request, Response

from cabochon.notation import view_to_json
from cabochon.notation.recordjson import record_to_json, seen_record_to_json
from cabochon.notation.records import format_record
from cabochon.play.facts import facts_of
from cabochon.play.lines import Line, line_for
from cabochon.play.recording import record_of
from cabochon.play.staging import steps
from cabochon.play.table import Table
from cabochon.rules import Position
from cabochon.server.doorkeeper import HEAVY
from cabochon.server.identity import Asker, check_may_watch
from cabochon.server.models import Replay
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.routes.common import PROBLEMS, AskerHere, DoorkeeperHere, LiveHere, WatchCode

router = APIRouter(prefix="/api/tables/{table_id}", tags=["records"], responses=PROBLEMS)

TEXT = "text/x-cabochon"
_RECORD: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The record; JSON when the Accept header prefers it",
        "content": {TEXT: {"schema": {"type": "string"}}, "application/json": {}},
    }
}


@router.get("/record", operation_id="getRecord", response_class=Response, responses=_RECORD)
async def get_record(
    live: LiveHere,
    who: AskerHere,
    accept: Annotated[str, Header()] = TEXT,
    watch: WatchCode = None,
) -> Response:
    """The whole game with its seed once it is over; before that what the asker may know."""
    table, reader = live.table, _reader(live.table, who, watch)
    if table.position is None:
        raise ServerRefused(ServerFault.NOT_YET)
    record = record_of(table)
    over = table.ended is not None
    headers = {"ETag": f'"{table.id}-{table.seq}"'} if over else {"Cache-Control": "no-store"}
    if "application/json" in accept:
        data = record_to_json(record) if over else seen_record_to_json(record.seen_by(reader))
        return Response(orjson.dumps(data), media_type="application/json", headers=headers)
    text = format_record(record if over else record.seen_by(reader))
    return Response(text, media_type=TEXT, headers=headers)


@router.get("/replay", operation_id="getReplay", response_model=Replay)
async def get_replay(
    request: Request,
    live: LiveHere,
    who: AskerHere,
    doorkeeper: DoorkeeperHere,
    viewer: Annotated[str, Query(pattern="^(me|all|[0-3])$")] = "me",
    facts: bool = True,
    watch: WatchCode = None,
) -> Response:
    """Every position so far. Other seats' views, and `all`, only after the end."""
    doorkeeper.check_request(request, HEAVY)
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
    data = await asyncio.to_thread(_replayed, table, seat, viewer == "all", facts)
    return Response(data, media_type="application/json")


def _replayed(table: Table, seat: int | None, everything: bool, facts: bool) -> bytes:
    """In a thread of its own: a whole game takes a while, and others are to be told meanwhile."""
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
