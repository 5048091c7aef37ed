"""Everything a seat can do."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Header, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from cabochon.play.table import Table
from cabochon.rules import CabochonError
from cabochon.server.people.fairness import check_rematch
from cabochon.server.problems import CONTENT_TYPE, retry_after
from cabochon.server.tables.seatcommands import SeatCommands
from cabochon.server.web.models import (
    Chat,
    Check,
    CheckResult,
    Claim,
    Done,
    Fill,
    Moves,
    OfSeat,
    RematchAction,
    RematchDone,
    ShareAction,
    TakebackAction,
    TextingSwitch,
)
from cabochon.server.web.routes.common import (
    PROBLEMS,
    AccessHere,
    CallerHere,
    HubHere,
    Language,
    LiveHere,
    SeatCommandsHere,
)

router = APIRouter(prefix="/api/tables/{table_id}", tags=["playing"], responses=PROBLEMS)

IdempotencyKey = Annotated[str | None, Header(min_length=1, max_length=64)]
NOBODY_NAMED = OfSeat()


@router.post("/move", operation_id="move")
async def move(
    asked: Moves, at: SeatCommandsHere, lang: Language, idempotency_key: IdempotencyKey = None
) -> Done:
    """Play a turn, or a part of one. With an Idempotency-Key a repeat gets the same answer."""
    return await _moved(at, asked.moves, asked.version, idempotency_key, asked.seat, lang)


@router.post("/move/{text}", operation_id="moveByText")
async def move_by_text(
    text: Annotated[str, Path(min_length=1, max_length=200)],
    version: Annotated[int, Query(ge=0, le=2**31 - 1)],
    at: SeatCommandsHere,
    lang: Language,
    idempotency_key: IdempotencyKey = None,
) -> Done:
    """The same for a single move: `/move/take wug?version=12`."""
    return await _moved(at, [text], version, idempotency_key, None, lang)


async def _moved(
    at: SeatCommands, moves: list[str], version: int, key: str | None, seat: int | None, lang: str
) -> Done:
    try:
        seq = await at.move(moves, version, key, seat)
    except CabochonError as error:
        raise ProblemRaised(await at.problem(error, lang, version), retry_after(error)) from error
    return Done(version=seq, seq=seq)


@router.post("/check", operation_id="check")
async def check(asked: Check, at: SeatCommandsHere, lang: Language) -> CheckResult:
    """What the moves would do, or why they may not. Nothing changes."""
    try:
        after = await at.check(asked.moves, asked.version, asked.seat)
    except CabochonError as error:
        document = await at.problem(error, lang, asked.version)
        return CheckResult(ok=False, after=None, problem=document)
    return CheckResult(ok=True, after=after, problem=None)


@router.post("/resign", operation_id="resign")
async def resign(at: SeatCommandsHere, asked: Annotated[OfSeat, Body()] = NOBODY_NAMED) -> Done:
    """Give the game up."""
    return _done(await at.resign(asked.seat))


@router.post("/leave", operation_id="leave")
async def leave(at: SeatCommandsHere, asked: Annotated[OfSeat, Body()] = NOBODY_NAMED) -> Done:
    """Before the start: the seat is free again. Later: a bot plays on until you are back."""
    return _done(await at.leave(asked.seat))


@router.post("/takeback", operation_id="takeback")
async def takeback(asked: TakebackAction, at: SeatCommandsHere) -> Done:
    """Ask to take the last own turn back, or answer such a wish."""
    return _done(await at.takeback(asked.action, asked.seat))


@router.post("/rematch", operation_id="rematch")
async def rematch(
    asked: RematchAction,
    at: SeatCommandsHere,
    live: LiveHere,
    request: Request,
    access: AccessHere,
    hub: HubHere,
    who: CallerHere,
) -> RematchDone:
    """Play again, seats rotated. The same keys play the new table."""
    await access.check_quota(request)
    await hub.quotas.check(access.holder(request, who))
    if asked.action != "decline":
        await check_rematch(hub.store.engine, live.table, hub.clock())
    table = await at.rematch(asked.action, asked.seat, asked.share_hash)
    made = None if table.rematch is None else table.rematch.table
    return RematchDone(version=table.version, seq=table.seq, table=made)


@router.post("/share", operation_id="share")
async def share(asked: ShareAction, at: SeatCommandsHere) -> Done:
    """Add to the deal, so that nobody can choose it: pledge a hash, reveal the share when every
    seat is taken. With the last share the game starts."""
    return _done(await at.share(asked.action, asked.value, asked.seat))


@router.post("/claim", operation_id="claim")
async def claim(at: SeatCommandsHere, asked: Annotated[Claim, Body()] = Claim()) -> Done:  # noqa: B008
    """Claim against a seat whose player has been away for longer than the grace time."""
    return _done(await at.claim(asked.gone, asked.seat))


@router.post("/chat", operation_id="chat")
async def chat(asked: Chat, at: SeatCommandsHere) -> Done:
    """Say one of the phrases that `/api/meta` lists; or, where everybody has agreed to that, a text
    for the people at the table."""
    return _done(await at.say(asked.phrase, asked.text, asked.seat))


@router.post("/texting", operation_id="switchTexting")
async def switch_texting(asked: TextingSwitch, at: SeatCommandsHere) -> Done:
    """Agree to free text at this table, or no longer. Only where people came by private links."""
    return _done(await at.switch_texting(asked.on, asked.seat))


@router.post("/fill", operation_id="fillSeat")
async def fill_seat(asked: Fill, at: SeatCommandsHere) -> Done:
    """Before the start: give an open chair to a bot, or take it back. For the table's maker."""
    return _done(await at.fill(asked.bot, asked.chair, asked.seat))


class ProblemRaised(Exception):
    """Carries a finished problem document to the error handler."""

    def __init__(self, document: object, headers: dict[str, str]) -> None:
        super().__init__()
        self.document = document
        self.headers = headers

    def response(self) -> Response:
        assert isinstance(self.document, dict)
        status = self.document["status"]
        return JSONResponse(self.document, status, self.headers, media_type=CONTENT_TYPE)


def _done(table: Table) -> Done:
    return Done(version=table.version, seq=table.seq)
