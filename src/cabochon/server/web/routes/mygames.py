"""Your own games: all of them, even those that nobody else may know of."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from starlette.responses import StreamingResponse

from cabochon.ratings import RatingKind
from cabochon.server.access import prices
from cabochon.server.access.identity import Caller
from cabochon.server.people.exporting import (
    check_parquet,
    exported_lines,
    exported_records,
    exported_table,
)
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import TABLE_ID
from cabochon.server.storage.gamereads import BookedGame, standing
from cabochon.server.storage.people import Person
from cabochon.server.web.playermodels import (
    FinishedGames,
    LadderInfo,
    LearnableGame,
    LearnableGames,
    Learnt,
)
from cabochon.server.web.playerwords import finished_game, ladder_info
from cabochon.server.web.routes.common import (
    PROBLEMS,
    AccessHere,
    CallerHere,
    HubHere,
    Language,
    TableId,
)
from cabochon.server.web.routes.players import GamesPageHere, ReadsHere

router = APIRouter(prefix="/api/me", tags=["me"], responses=PROBLEMS)

MOST_LEARNABLE = 50
_MEDIA = {
    "records": ("text/x-cabochon", "cabochon"),
    "ndjson": ("application/x-ndjson", "ndjson"),
    "parquet": ("application/vnd.apache.parquet", "parquet"),
}
_FILES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The games, the newest first",
        "content": {media: {} for media, _ in _MEDIA.values()},
    },
    501: {"description": "This server can't write Parquet files"},
}


def me(who: Caller) -> Person:
    """Raises ServerRefused for somebody who is no person here."""
    if who.person is None:
        raise ServerRefused(ServerFault.NO_PERSON)
    return who.person


@router.get("/games", operation_id="getMyGames")
async def get_my_games(who: CallerHere, page: GamesPageHere) -> FinishedGames:
    """All of your finished games, the newest first."""
    return await page.of(me(who).id, private=True)


@router.get(
    "/games/export", operation_id="exportMyGames", response_class=Response, responses=_FILES
)
async def export_my_games(
    request: Request,
    hub: HubHere,
    reads: ReadsHere,
    access: AccessHere,
    who: CallerHere,
    lang: Language,
    format: Literal["records", "ndjson", "parquet"] = "records",
    table: Annotated[str | None, Query(pattern=TABLE_ID)] = None,
) -> Response:
    """All of your games, or the one of a `table`: as records, as lines of JSON, or as a Parquet
    file."""
    person = me(who)
    if format == "parquet":
        check_parquet()
    access.check_request(request, prices.EXPORT)

    def told(game: BookedGame) -> dict[str, Any]:
        return finished_game(game, person.id, lang).model_dump(mode="json")

    if format == "records":
        data = exported_records(hub.store, reads, person.id, table)
    elif format == "ndjson":
        data = exported_lines(hub.store, reads, person.id, told, table)
    else:
        data = exported_table(hub.store, reads, person.id, told, table)
    media, ending = _MEDIA[format]
    headers = {"Content-Disposition": f'attachment; filename="games.{ending}"'}
    return StreamingResponse(data, media_type=media, headers=headers)


@router.get("/mistakes", operation_id="getMyMistakes")
async def get_my_mistakes(reads: ReadsHere, who: CallerHere) -> LearnableGames:
    """Your last games with mistakes that you haven't gone through yet."""
    rows = await reads.mistakes(me(who).id, MOST_LEARNABLE)
    return LearnableGames(
        tables=[
            LearnableGame(
                table=row.table_id, seat=row.seat, mistakes=row.mistakes, ended_ms=row.ended_ms
            )
            for row in rows
        ]
    )


@router.put("/mistakes/{table_id}", operation_id="setLearnt")
async def set_learnt(table_id: TableId, asked: Learnt, reads: ReadsHere, who: CallerHere) -> Learnt:
    """Say that you have gone through the mistakes of a game, or would like to again."""
    if not await reads.set_learnt(me(who).id, table_id, asked.learnt):
        raise ServerRefused(ServerFault.NO_SUCH_TABLE, table=table_id)
    return asked


@router.get("/ladder", operation_id="getMyLadder")
async def get_my_ladder(
    hub: HubHere, reads: ReadsHere, who: CallerHere, kind: RatingKind = RatingKind.TWO
) -> LadderInfo:
    """How you do against the levels, and which would be a fair match now."""
    if kind is RatingKind.PUZZLES:
        raise ServerRefused(ServerFault.BAD_REQUEST, where="kind", what=kind.value)
    if who.person is None:
        return ladder_info(kind, None, {})
    strengths, _ = await standing(hub.store.engine, who.person.id)
    played = await reads.against_bots(who.person.id, kind.value)
    return ladder_info(kind, strengths.get(kind.value), played)
