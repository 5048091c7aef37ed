"""Everything of mine: to take with me, and to delete."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import StreamingResponse
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.notation.recordjson import record_to_json, seen_record_to_json
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.server.access import prices
from cabochon.server.access.cookies import drop_session
from cabochon.server.access.identity import Caller
from cabochon.server.people.accounts import is_fresh
from cabochon.server.people.erasing import erase, forget_names
from cabochon.server.people.puzzledesk import PuzzleDesk
from cabochon.server.storage.civility import Blocks, Complaint, Reports
from cabochon.server.storage.tokens import TokenFacts, tokens_of
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.tables.hub import Hub
from cabochon.server.web.memodels import Proof
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere
from cabochon.server.web.routes.mylearning import PuzzleDeskHere, my_practice
from cabochon.server.web.routes.personal import about, person_of
from cabochon.server.web.routes.signin import check_proof

router = APIRouter(prefix="/api/me", tags=["people"], responses=PROBLEMS)

UNPROVED = Proof()
_EXPORT: dict[int | str, dict[str, Any]] = {
    200: {"description": "Everything, as one JSON document", "content": {"application/json": {}}}
}


@router.get("/export", operation_id="exportMe", response_class=StreamingResponse, responses=_EXPORT)
async def export_me(
    request: Request, hub: HubHere, desk: PuzzleDeskHere, who: CallerHere, access: AccessHere
) -> StreamingResponse:
    """Everything that the server keeps about you, with the record of every game you sat at: of one
    that is still played, only what you may know."""
    person = person_of(who).person
    access.check_request(request, prices.EXPORT)
    known = await _known_of(hub, desk, who)
    games = await hub.store.people.tables_of(person.id)
    headers = {
        "Content-Disposition": f'attachment; filename="cabochon-{person.id}.json"',
        "Cache-Control": "no-store",
    }
    body = _written(hub, who, known, games)
    return StreamingResponse(body, media_type="application/json", headers=headers)


async def _known_of(hub: Hub, desk: PuzzleDesk, who: Caller) -> dict[str, Any]:
    person = person_of(who).person
    sessions = await hub.store.sessions.of_person(person.id)
    passkeys = await hub.store.ways.passkeys(person.id)
    async with hub.store.engine.connect() as connection:
        tokens = await tokens_of(connection, person.id)
    times = ("id", "label", "created_ms")
    return {
        "me": (await about(hub, person)).model_dump(),
        "sessions": [
            {name: getattr(each, name) for name in (*times, "seen_ms")} for each in sessions
        ],
        "passkeys": [
            {name: getattr(each, name) for name in (*times, "used_ms")} for each in passkeys
        ],
        "tokens": [
            {"id": each.id, "name": each.name, "created_ms": each.created_ms} for each in tokens
        ],
        "studies": await hub.studies.of_person(person.id),
        "blocks": [blocked for blocked, _ in await Blocks(hub.store.engine).of(person.id)],
        "reports": [_reported(one) for one in await Reports(hub.store.engine).by(person.id)],
        "puzzles": await desk.tries(person.id),
        "lessons": await desk.marks(person.id),
        "practice": my_practice(await desk.practice(person.id)).model_dump(),
    }


def _reported(report: Complaint) -> dict[str, Any]:
    """What somebody reported to the host; not what became of it."""
    told = ("id", "at_ms", "person", "table", "kind", "text")
    return {name: getattr(report, name) for name in told}


async def _written(
    hub: Hub, who: Caller, known: dict[str, Any], games: Any
) -> AsyncIterator[bytes]:
    yield orjson.dumps(known)[:-1] + b',"games":['
    comma = b""
    for table_id in games:
        table = await hub.store.table(table_id)
        if table is None or table.position is None or not (seats := who.seats(table)):
            continue
        yield comma + await hub.store.longwork.tell(table.ply * 2, partial(_told, table, seats))
        comma = b","
    yield b"]}"


def _told(table: Table, seats: tuple[int, ...]) -> bytes:
    return orjson.dumps({"table": table.id, "record": _record(table, seats)})


def _record(table: Table, seats: tuple[int, ...]) -> Any:
    record = record_of(table)
    if table.ended is not None:
        return record_to_json(record)
    return seen_record_to_json(record.seen_by(seats[0] if len(seats) == 1 else None))


@router.delete("", status_code=204, operation_id="deleteMe")
async def delete_me(
    request: Request,
    response: Response,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    proof: Annotated[Proof, Body()] = UNPROVED,
) -> None:
    """Delete the account. The games stay, played by somebody; the name disappears everywhere. If
    you keep your name, you must prove once more that it is yours, unless you just did."""
    known = person_of(who)
    if known.person.kept and not is_fresh(known.session, hub.clock()):
        await check_proof(hub, request, known.person, proof, access.address(request))
    person_id, now = known.person.id, hub.clock()
    sessions = await hub.store.sessions.of_person(person_id)

    async def written(connection: AsyncConnection) -> list[TokenFacts]:
        tokens = await tokens_of(connection, person_id)
        await erase(connection, person_id, now)
        return tokens

    tokens = await in_transaction(hub.store.engine, written)
    for gone in (*(each.id for each in sessions), *(each.id for each in tokens)):
        hub.visitors.revoked(gone)
    hub.job(forget_names(hub.store, now, person_id))
    drop_session(response)
