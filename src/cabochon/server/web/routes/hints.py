"""What the engine would do, for somebody who plays against bots."""

from __future__ import annotations

from fastapi import APIRouter, Request

from cabochon.rules import CabochonError
from cabochon.server.problems import retry_after
from cabochon.server.reviews.hintdesk import HINT_VISITS, suggest
from cabochon.server.reviews.questions import AskedFace
from cabochon.server.web.models import HintGiven, HintWish
from cabochon.server.web.routes.common import (
    PROBLEMS,
    AccessHere,
    CallerHere,
    Language,
    LiveHere,
    SeatCommandsHere,
)
from cabochon.server.web.routes.playing import ProblemRaised
from cabochon.server.web.routes.reviews import DeskOfLooks, asker_of

router = APIRouter(prefix="/api/tables/{table_id}", tags=["playing"], responses=PROBLEMS)


@router.post("/hint", operation_id="hint")
async def hint(
    asked: HintWish,
    request: Request,
    at: SeatCommandsHere,
    live: LiveHere,
    who: CallerHere,
    access: AccessHere,
    looks: DeskOfLooks,
    lang: Language,
) -> HintGiven:
    """What the engine would do in your place, and why. Only where you play against bots alone; the
    table's log and the record note that you asked."""
    try:
        view = await at.hint_view(asked.version, asked.seat)
        await looks.check_not_playing(
            [AskedFace.of(view)], access.sitter(request, who), hinted=True
        )
        access.check_visits(request, HINT_VISITS)
        chairs = live.table.chairs
        found = await suggest(looks, view, chairs, asker_of(request, who, access))
        table = await at.hinted(asked.version, asked.seat)
    except CabochonError as error:
        document = await at.problem(error, lang, asked.version)
        raise ProblemRaised(document, retry_after(error)) from error
    return HintGiven(
        version=table.version,
        moves=found.moves,
        why=found.why,
        chance=found.chance,
        hints=table.spent[view.seat].hints,
    )
