"""Waiting for somebody to play with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, cast

from fastapi import APIRouter, Body, Depends, Path, Request
from fastapi.responses import StreamingResponse

from cabochon.server.people.fairness import household
from cabochon.server.people.pooldesk import PoolDesk, PoolWish, pools_told
from cabochon.server.people.pools import POOLS, Pool
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.poolplaces import PoolPlace
from cabochon.server.web.poolmodels import PoolInfo, PoolJoin, PoolTicket
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere
from cabochon.server.web.routes.personal import person_of
from cabochon.server.web.routes.streams import NDJSON, LineStream, lines_of

router = APIRouter(prefix="/api/pools", tags=["pools"], responses=PROBLEMS)

ANY_GAME = PoolJoin()
_LINES: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "Messages"}
}


async def desk_of(request: Request) -> PoolDesk:
    return cast(PoolDesk, request.app.state.pools)


async def pool_named(
    pool_id: Annotated[str, Path(pattern=r"^[a-z0-9-]{1,16}$", examples=["two-5-3"])],
) -> Pool:
    """Raises ServerRefused."""
    pool = POOLS.get(pool_id)
    if pool is None:
        raise ServerRefused(ServerFault.NO_SUCH_POOL, pool=pool_id)
    return pool


DeskHere = Annotated[PoolDesk, Depends(desk_of)]
PoolHere = Annotated[Pool, Depends(pool_named)]


@router.get("", operation_id="listPools")
async def list_pools(who: CallerHere, desk: DeskHere) -> list[PoolInfo]:
    """The pools, and how many wait in each."""
    counts = await desk.overview()
    return [PoolInfo.model_validate(told) for told in pools_told(counts, who.person)]


@router.post("/{pool_id}/join", operation_id="joinPool")
async def join_pool(
    request: Request,
    pool: PoolHere,
    who: CallerHere,
    desk: DeskHere,
    access: AccessHere,
    asked: Annotated[PoolJoin, Body()] = ANY_GAME,
) -> PoolTicket:
    """Wait for a game, and no longer in another pool with a clock. Keep `GET /api/pools/stream`
    open: without an open one for a few seconds you have left, except where a turn may take days."""
    person = person_of(who).person
    rated = person.kept if asked.rated is None else asked.rated
    wish = PoolWish(pool, rated, household(access.address(request)), asked.share_hash)
    return _ticket(await desk.join(person, wish))


@router.delete("/{pool_id}/join", status_code=204, operation_id="leavePool")
async def leave_pool(pool: PoolHere, who: CallerHere, desk: DeskHere) -> None:
    """Wait no longer."""
    await desk.leave(person_of(who).person.id, pool)


@router.get(
    "/stream", operation_id="streamPools", response_class=StreamingResponse, responses=_LINES
)
async def stream_pools(
    request: Request, hub: HubHere, who: CallerHere, desk: DeskHere, access: AccessHere
) -> StreamingResponse:
    """`pools` whenever something about them has changed, `offer` when a bot would be there sooner,
    and `paired` with the table where you sit; an empty line every seven seconds."""
    person = person_of(who).person
    address = access.enter(request)
    listener = desk.subscribe(person)
    hub.visitors.enter(listener.subscriber, access.address(request), who)

    async def begin() -> Callable[[], None]:
        return lambda: None

    def leave() -> None:
        hub.visitors.leave(listener.subscriber)
        desk.unsubscribe(listener)
        access.leave(address)

    return LineStream(lines_of(listener.subscriber, lambda _: False), begin, leave)


def _ticket(place: PoolPlace) -> PoolTicket:
    return PoolTicket(
        pool=place.pool, rated=place.rated, since_ms=place.since_ms, table=place.table
    )
