"""Games gone through once more, and a look at any position."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, cast

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from cabochon.notation.recordfiles import records_in
from cabochon.notation.recordjson import record_from_json
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.access.identity import Caller, check_may_watch
from cabochon.server.problems import ServerFault, ServerRefused, check_can_be_kept
from cabochon.server.reviews.lookdesk import LookDesk
from cabochon.server.reviews.questions import AskedFace, decider
from cabochon.server.reviews.reviewdesk import ReviewDesk, wish_for, wish_of
from cabochon.server.reviews.reviewmessages import KnowledgeText
from cabochon.server.storage.reviewqueue import DONE, ReviewAsker, ReviewRow, ReviewWish
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.loading import check_load
from cabochon.server.web.reviewmodels import (
    EngineQuestion,
    KeptAnalysis,
    NewReview,
    ReviewState,
    SearchedPosition,
)
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere, WatchCode
from cabochon.server.web.routes.streams import NDJSON, LineStream

router = APIRouter(prefix="/api", tags=["analysis"], responses=PROBLEMS)

RECORD_PRICE = 10.0
REVIEW_PRICE = 3.0
"""In plain requests: a game read and replayed, a whole review sent."""
ReviewId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$", examples=["0" * 32])]
_LINES: dict[int | str, dict[str, Any]] = {
    200: {"content": {NDJSON: {"schema": {"type": "string"}}}, "description": "Lines of JSON"}
}
_WAITS: dict[int | str, dict[str, Any]] = {
    202: {"model": ReviewState, "description": "Not done yet: ask again, or read the stream"}
}


async def reviews_of(request: Request) -> ReviewDesk:
    return cast(ReviewDesk, request.app.state.reviews)


async def looks_of(request: Request) -> LookDesk:
    return cast(LookDesk, request.app.state.looks)


DeskOfReviews = Annotated[ReviewDesk, Depends(reviews_of)]
DeskOfLooks = Annotated[LookDesk, Depends(looks_of)]


@router.post("/reviews", operation_id="askForReview", response_model=ReviewState, responses=_WAITS)
async def ask_for_review(
    request: Request,
    asked: NewReview,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    desk: DeskOfReviews,
    looks: DeskOfLooks,
    watch: WatchCode = None,
) -> Response:
    """A review of a finished table here, or of any record. What was reviewed before is there at
    once (200); anything else is queued (202)."""
    if (asked.table is None) == (asked.record is None):
        what = "one of table and record is needed"
        raise ServerRefused(ServerFault.BAD_REQUEST, where="body", what=what)
    wishes = _Wishes(request, hub, who, access)
    if asked.table is not None:
        wish = await wishes.of_table(asked.table, asked, watch)
    else:
        wish = await wishes.of_record(asked, looks)
    row = await desk.ask(wish, asker_of(request, who, access))
    return await _told(desk, row, 200 if row.state == DONE else 202)


class _Wishes:
    """What one request asks for, once it is clear that it may."""

    def __init__(self, request: Request, hub: Hub, who: Caller, access: AccessLimits) -> None:
        self._request = request
        self._hub = hub
        self._who = who
        self._access = access

    async def of_table(self, table_id: str, asked: NewReview, watch: str | None) -> ReviewWish:
        await check_load(self._hub, self._access, self._request, table_id)
        table = (await self._hub.live(table_id)).table
        check_may_watch(table, self._who.seats(table), watch)
        if table.ended is None:
            raise ServerRefused(ServerFault.NOT_YET)
        self._access.check_request(self._request, RECORD_PRICE)
        return await self._hub.store.longwork.tell(
            table.ply * 2, lambda: wish_of(table, asked.depth, asked.knowledge)
        )

    async def of_record(self, asked: NewReview, looks: LookDesk) -> ReviewWish:
        self._access.check_request(self._request, RECORD_PRICE)
        read = await self._hub.store.longwork.tell(math.inf, lambda: _read(asked))
        who = self._access.sitter(self._request, self._who)
        await looks.check_not_playing(read.faces, who)
        return read.wish


class _Read(NamedTuple):
    """A record from outside: what is to be done, and every position that it goes through: one that
    is being played may stand anywhere in it."""

    wish: ReviewWish
    faces: frozenset[AskedFace]


def _read(asked: NewReview) -> _Read:
    """Raises NotationError and the like, RecordError, ServerRefused."""
    if isinstance(asked.record, str):
        records = records_in(asked.record)
        if len(records) != 1:
            what = f"one record is needed, not {len(records)}"
            raise ServerRefused(ServerFault.BAD_REQUEST, where="record", what=what)
        record = records[0]
    else:
        record = record_from_json(asked.record)
    wish = wish_for(record, asked.depth, asked.knowledge)
    check_can_be_kept(wish.record, "record")
    return _Read(wish, frozenset(map(AskedFace.of, record.replay())))


def asker_of(request: Request, who: Caller, access: AccessLimits) -> ReviewAsker:
    """Whom a wish counts for."""
    holder = access.holder(request, who)
    return ReviewAsker(holder.person or holder.address, holder.address)


async def _told(desk: ReviewDesk, row: ReviewRow, status: int = 200) -> Response:
    return Response(await desk.state(row), status, media_type="application/json")


@router.get("/reviews/{review_id}", operation_id="getReview", response_model=ReviewState)
async def get_review(
    request: Request, review_id: ReviewId, access: AccessHere, desk: DeskOfReviews
) -> Response:
    """Where the review stands, and as much of it as there is."""
    access.check_request(request, REVIEW_PRICE)
    return await _told(desk, await _existing(desk, review_id))


async def _existing(desk: ReviewDesk, review_id: str) -> ReviewRow:
    row = await desk.find(review_id)
    if row is None:
        raise ServerRefused(ServerFault.NO_SUCH_REVIEW)
    return row


@router.get(
    "/reviews/{review_id}/stream",
    operation_id="streamReview",
    response_class=StreamingResponse,
    responses=_LINES,
)
async def stream_review(
    request: Request,
    review_id: ReviewId,
    access: AccessHere,
    desk: DeskOfReviews,
    since: Annotated[int, Query(ge=0, le=100_000)] = 0,
) -> StreamingResponse:
    """`reviewHead`, a `reviewTurn` for each turn from number `since` on as soon as it is judged,
    `reviewState` whenever something moves, and last `reviewDone`; an empty line every seven
    seconds."""
    access.check_request(request, REVIEW_PRICE)
    await _existing(desk, review_id)
    address = access.enter(request)
    return LineStream(desk.lines(review_id, since), _nothing, lambda: access.leave(address))


async def _nothing() -> Callable[[], None]:
    return lambda: None


@router.post(
    "/engine", operation_id="askEngine", response_class=StreamingResponse, responses=_LINES
)
async def ask_engine(
    request: Request,
    asked: EngineQuestion,
    who: CallerHere,
    access: AccessHere,
    looks: DeskOfLooks,
) -> StreamingResponse:
    """The best moves of a position, as `analysis` lines that grow, and last `analysisDone`. Closing
    the connection stops it. Positions of a game that is being played are refused to those who
    sit there."""
    view = decider(asked.position, asked.knowledge)
    await looks.check_not_playing([AskedFace.of(view)], access.sitter(request, who))
    access.check_visits(request, asked.visits)
    asker = asker_of(request, who, access)
    address = access.enter(request)
    try:
        look = await looks.begin(view, asked.model_dump(), asker)
    except BaseException:
        access.leave(address)
        raise

    def leave() -> None:
        look.stop()
        access.leave(address)

    return LineStream(look.lines(), _nothing, leave)


@router.get("/eval", operation_id="getEval", response_model=KeptAnalysis)
async def get_eval(
    request: Request,
    who: CallerHere,
    access: AccessHere,
    looks: DeskOfLooks,
    position: Annotated[SearchedPosition, Query()],
    knowledge: KnowledgeText = "own",
) -> Response:
    """What the engine found about this position when it looked longest."""
    view = decider(position, knowledge)
    await looks.check_not_playing([AskedFace.of(view)], access.sitter(request, who))
    kept = await looks.kept(view)
    if kept is None:
        raise ServerRefused(ServerFault.NO_EVAL)
    return Response(kept, media_type="application/json")
