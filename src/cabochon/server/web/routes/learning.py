"""For newcomers: the first game, and the rules to read."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse

from cabochon.server.web.models import NewTutorial, TableMade
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere, Language
from cabochon.server.web.routes.tables import open_plan
from cabochon.server.web.tablemaking import plan_tutorial
from cabochon.words import rules_text

router = APIRouter(prefix="/api", tags=["learning"], responses=PROBLEMS)


@router.post("/tutorial", status_code=201, operation_id="makeTutorial")
async def make_tutorial(
    asked: NewTutorial, request: Request, hub: HubHere, who: CallerHere, access: AccessHere
) -> TableMade:
    """A first game with a fixed deal, against an opponent who lets you win."""
    await access.check_quota(request)
    plan = plan_tutorial(who, asked.lang, hub.clock())
    return await open_plan(hub, plan, access.holder(request, who))


class Markdown(PlainTextResponse):
    media_type = "text/markdown"


@router.get("/rules", operation_id="getRules", response_class=Markdown)
async def get_rules(lang: Language) -> Response:
    """The rules of the game, complete, as Markdown."""
    return Markdown(rules_text(lang))
