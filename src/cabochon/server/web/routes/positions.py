"""Positions from the editor: what is wrong with them and how to put it right, and pictures."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import orjson
from fastapi import APIRouter, Query, Request, Response
from starlette.requests import HTTPConnection

from cabochon.notation import format_position, position_to_json
from cabochon.notation.jsontext import bad
from cabochon.notation.positionjson import setup_from_json
from cabochon.notation.positions import MOST, parse_position, parse_setup, parse_view
from cabochon.render.svg import svg
from cabochon.rules import CabochonError, Facts, Setup
from cabochon.server.access import prices
from cabochon.server.access.accesslimits import AccessLimits
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.tables.hub import Hub
from cabochon.server.web.models import SpokenLanguage
from cabochon.server.web.painting import Painter
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, HubHere
from cabochon.server.web.studymodels import PositionCheck, PositionChecked
from cabochon.study.repairs import Flaw, flaws_of
from cabochon.study.steps import StudySight, study_step
from cabochon.words import ENGLISH, languages

router = APIRouter(prefix="/api", tags=["studies"], responses=PROBLEMS)

MOST_FAULTS = 60
"""At most this many at once, each with its repair; the rest once these are mended."""
LARGEST = 999_999
"""No number in a position is larger."""
LONG = 50
"""As `LongWork` counts: everything but the smallest work is long."""
PICTURE_KEPT = "public, max-age=3600"
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

ShownPosition = Annotated[str, Query(min_length=1, max_length=MOST)]
PictureLanguage = Annotated[SpokenLanguage, Query()]
_SVG: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture", "content": {"image/svg+xml": {}}}
}
_PNG: dict[int | str, dict[str, Any]] = {
    200: {"description": "The picture", "content": {"image/png": {}}},
    501: {
        "description": "This server has no painter",
        "content": {
            "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
        },
    },
}


@router.post("/positions/check", operation_id="checkPosition", response_model=PositionChecked)
async def check_position(asked: PositionCheck, request: Request, access: AccessHere) -> Response:
    """Everything that is wrong with an arrangement, each with what would put it right."""
    if (asked.text is None) == (asked.setup is None):
        raise ServerRefused(ServerFault.BAD_REQUEST, where="body", what="text | setup")
    access.check_request(request, prices.CHECK)
    return Response(orjson.dumps(_checked(asked)), media_type="application/json")


def _checked(asked: PositionCheck) -> dict[str, Any]:
    try:
        setup = _setup(asked)
    except CabochonError as error:
        return _told(faults=[_unreadable(error)])
    flaws = flaws_of(setup)
    if flaws:
        return _told(setup=setup, faults=[_fault(flaw) for flaw in flaws[:MOST_FAULTS]])
    position = setup.position()
    step = study_step(position, None, StudySight(everything=True), 0)
    return _told(setup=setup, position=format_position(position), step=step)


def _setup(asked: PositionCheck) -> Setup:
    if asked.text is not None:
        return parse_setup(asked.text)
    assert asked.setup is not None
    _check_numbers(asked.setup)
    given = {name: part for name, part in asked.setup.items() if name not in ("seat", "decks")}
    return setup_from_json(given)


def _check_numbers(value: object) -> None:
    """Raises NotationError for a number that no position has and no answer could hold."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
        elif isinstance(part, int) and abs(part) > LARGEST:
            raise bad("setup", f"-{LARGEST}-{LARGEST}", str(part)[:20])


def _told(
    position: str | None = None,
    step: dict[str, Any] | None = None,
    setup: Setup | None = None,
    faults: list[dict[str, Any]] | None = None,
) -> dict[str, Any]:
    return {
        "position": position,
        "step": step,
        "setup": None if setup is None else position_to_json(setup),
        "faults": faults or [],
    }


def _unreadable(error: CabochonError) -> dict[str, Any]:
    where = error.params.get("field", "")
    text = error.texts()
    return {"code": error.code.value, "where": str(where), "text": text, "repair": None}


def _fault(flaw: Flaw) -> dict[str, Any]:
    fault, repair = flaw.fault, flaw.repair
    return {
        "code": fault.code.value,
        "where": flaw.where,
        "text": {lang: fault.text(lang) for lang in languages()},
        "repair": None
        if repair is None
        else {
            "text": repair.texts(),
            "setup": position_to_json(repair.setup),
        },
    }


@router.get("/picture.svg", operation_id="getPictureSvg", response_class=Response, responses=_SVG)
async def get_picture_svg(
    position: ShownPosition,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    lang: PictureLanguage = ENGLISH,
) -> Response:
    """A position, or a seat's view of one, as a picture."""
    data = await _drawn(hub, access, request, facts_from(position), lang)
    headers = {"Cache-Control": PICTURE_KEPT, "Content-Security-Policy": SVG_POLICY}
    return Response(data, media_type="image/svg+xml", headers=headers)


async def _drawn(
    hub: Hub, access: AccessLimits, request: HTTPConnection, facts: Facts, lang: str
) -> str:
    access.check_request(request, prices.SVG)
    work = partial(svg, facts, lang=lang)
    return await hub.store.longwork.tell(prices.SVG * LONG, work)


@router.get("/picture.png", operation_id="getPicturePng", response_class=Response, responses=_PNG)
async def get_picture_png(
    position: ShownPosition,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    lang: PictureLanguage = ENGLISH,
) -> Response:
    """The same in pixels, where the server can paint."""
    facts = facts_from(position)
    key = ("png", position, lang)
    data = hub.answers.get(key)
    if data is None:
        access.check_request(request, prices.PNG)
        drawing = await _drawn(hub, access, request, facts, lang)
        painter: Painter = request.app.state.painter
        data = await painter.paint(drawing, lang)
        hub.answers.keep(key, data)
    return Response(data, media_type="image/png", headers={"Cache-Control": PICTURE_KEPT})


def facts_from(text: str) -> Facts:
    """The position, or the view, that the text says. Raises NotationError, BadRuleset, and
    BadSetup with all faults."""
    is_view = text.lstrip().lower().startswith(("seat", "watch"))
    return parse_view(text) if is_view else parse_position(text)
