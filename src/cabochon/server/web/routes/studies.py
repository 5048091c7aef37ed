"""Games and positions for the analysis page: opened as trees, played on, written down, kept."""

from __future__ import annotations

import random
from dataclasses import replace
from hashlib import sha256
from typing import Annotated

import orjson
from fastapi import APIRouter, Header, Path, Request, Response

from cabochon.notation.moves import parse_card, parse_move
from cabochon.notation.positions import parse_position
from cabochon.play.table import Table
from cabochon.rules import Card, Position, Ruleset, ShuffledDealer, new_seed
from cabochon.server.access import prices
from cabochon.server.access.identity import Caller, check_may_watch
from cabochon.server.access.studyquotas import check_room_for_study
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import TABLE_ID, hashed, matches, new_study_key, new_table_id
from cabochon.server.storage.studies import Study
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.loading import check_load
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere
from cabochon.server.web.studying import (
    StudyWriter,
    node_step,
    subject_of_position,
    subject_of_record,
    subject_of_table,
)
from cabochon.server.web.studymodels import (
    KeptStudy,
    NewStudy,
    StudyChanged,
    StudyFormat,
    StudyMade,
    StudyOpen,
    StudyPlay,
    StudyPlayed,
    StudyText,
    StudyTree,
)
from cabochon.study.steps import StudySight, Wanted, play_turn

router = APIRouter(prefix="/api/studies", tags=["studies"], responses=PROBLEMS)

StudyId = Annotated[str, Path(pattern=TABLE_ID, examples=["k7m2p4x9qa"])]
AcceptEncoding = Annotated[str, Header(include_in_schema=False)]


@router.post("/open", operation_id="openStudy", response_model=StudyTree)
async def open_study(
    asked: StudyOpen,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    who: CallerHere,
    accept_encoding: AcceptEncoding = "",
) -> Response:
    """A table's game, a record or a position as a tree to be looked at and played on. Of a game
    that is still being played, only what the caller may know."""
    given = [name for name in ("table", "record", "position") if getattr(asked, name) is not None]
    if len(given) > 1:
        raise ServerRefused(ServerFault.BAD_REQUEST, where="body", what=" + ".join(given))
    writer = StudyWriter(hub, access, request)
    if asked.table is not None:
        await check_load(hub, access, request, asked.table)
        live = await hub.live(asked.table)
        table = await hub.late.table(live, who.seats(live.table))
        data = await _of_table(writer, table, asked, who)
    elif asked.record is not None:
        data = await _of_record(writer, asked.record, asked.viewer)
    else:
        position = _dealt() if asked.position is None else parse_position(asked.position)
        sight = sight_of(asked.viewer, position.ruleset.seats)
        data = await writer.write(subject_of_position(position, sight))
    return await _answer(writer, data, accept_encoding)


async def _of_table(writer: StudyWriter, table: Table, asked: StudyOpen, who: Caller) -> bytes:
    seats = who.seats(table)
    check_may_watch(table, seats, asked.watch)
    reader = seats[0] if len(seats) == 1 else None
    if table.position is None:
        raise ServerRefused(ServerFault.NOT_YET)
    running = table.ended is None
    if running and asked.viewer not in ("all", str(reader)):
        raise ServerRefused(ServerFault.NOT_YET)
    sight = sight_of(asked.viewer, len(table.chairs))
    key = ("study", table.id, table.seq, reader if running else asked.viewer)
    kept = writer.kept(key)
    if kept is not None:
        return kept
    return await writer.write(subject_of_table(table, reader, sight), key)


async def _of_record(writer: StudyWriter, text: str, viewer: str) -> bytes:
    key = ("study", sha256(text.encode()).digest(), viewer)
    kept = writer.kept(key)
    if kept is not None:
        return kept
    record = await writer.read(text)
    sight = sight_of(viewer, record.ruleset.seats)
    return await writer.write(subject_of_record(record, sight), key)


def _dealt() -> Position:
    ruleset = Ruleset.preset("standard", 2)
    return Position.start(ruleset, ShuffledDealer(new_seed()).opening(ruleset))


def sight_of(viewer: str, seats: int) -> StudySight:
    """Raises ServerRefused for a seat that is not there."""
    if viewer == "all":
        return StudySight(everything=True)
    if int(viewer) >= seats:
        raise ServerRefused(ServerFault.BAD_REQUEST, where="viewer", what=viewer)
    return StudySight(int(viewer))


async def _answer(writer: StudyWriter, data: bytes, accepted: str) -> Response:
    content, headers = await writer.packed(data, accepted)
    return Response(content, media_type="application/json", headers=headers)


@router.post("/play", operation_id="playStudy", response_model=StudyPlayed)
async def play_study(asked: StudyPlay, request: Request, access: AccessHere) -> Response:
    """Play on from any position. When a card must come and none is said, `wants` lists those
    that can."""
    access.check_request(request, prices.of_study(len(asked.moves)))
    position = parse_position(asked.position)
    sight = sight_of(asked.viewer, position.ruleset.seats)
    moves = [parse_move(text) for text in asked.moves]
    onward = play_turn(position, moves, _source(asked.deal), asked.ply)
    steps = [node_step(node, sight) for node in onward.nodes]
    data = orjson.dumps({"steps": steps, "wants": _wants(onward.wanted)})
    return Response(data, media_type="application/json")


def _source(deal: str | None) -> Card | random.Random | None:
    if deal is None:
        return None
    return random.SystemRandom() if deal == "chance" else parse_card(deal)


def _wants(wanted: Wanted | None) -> dict[str, object] | None:
    if wanted is None:
        return None
    place = wanted.place
    return {
        "level": place.level,
        "place": None if place.column is None else place.column + 1,
        "cards": [card.code for card in wanted.cards],
    }


@router.post("/format", operation_id="formatStudy", response_model=StudyText)
async def format_study(
    asked: StudyFormat, request: Request, hub: HubHere, access: AccessHere
) -> Response:
    """An edited tree as a record with variations. Where the tree goes further than a game that
    has ended, it stays that game, and the rest is a variation after its end."""
    data = await StudyWriter(hub, access, request).drafted(asked)
    return Response(data, media_type="application/json")


@router.post("", status_code=201, operation_id="keepStudy")
async def keep_study(
    asked: NewStudy, request: Request, hub: HubHere, access: AccessHere, who: CallerHere
) -> StudyMade:
    """Keep a study under an address of its own. With its key, shown once, you can replace it
    later."""
    await access.check_quota(request)
    holder = access.holder(request, who)
    check_room_for_study(await hub.studies.counts(holder), hub.settings)
    record = await StudyWriter(hub, access, request).checked(asked.record)
    study_id, key = new_table_id(), new_study_key()
    await hub.studies.add(Study(study_id, hashed(key), asked.title, record), holder, hub.clock())
    return StudyMade(id=study_id, key=key)


@router.get("/{study_id}", operation_id="getStudy", response_model=KeptStudy)
async def get_study(
    study_id: StudyId,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    accept_encoding: AcceptEncoding = "",
) -> Response:
    """A kept study, for anybody who knows its address."""
    study = await _study(hub, study_id)
    writer = StudyWriter(hub, access, request)
    tree = orjson.Fragment(await _of_record(writer, study.record, "all"))
    data = {"id": study.id, "title": study.title, "record": study.record, "tree": tree}
    return await _answer(writer, orjson.dumps(data), accept_encoding)


@router.put("/{study_id}", operation_id="replaceStudy")
async def replace_study(
    study_id: StudyId,
    asked: NewStudy,
    request: Request,
    hub: HubHere,
    access: AccessHere,
    who: CallerHere,
) -> StudyChanged:
    """Put another record and title in its place, with the key shown when it was made."""
    study = await _study(hub, study_id)
    if not any(matches(key, study.key) for key in who.keys):
        raise ServerRefused(ServerFault.STUDY_KEY_WRONG)
    record = await StudyWriter(hub, access, request).checked(asked.record)
    now = hub.clock()
    await hub.studies.replace(replace(study, title=asked.title, record=record), now)
    return StudyChanged(id=study.id, changed_ms=now)


async def _study(hub: Hub, study_id: str) -> Study:
    study = await hub.studies.get(study_id, hub.clock())
    if study is None:
        raise ServerRefused(ServerFault.NO_SUCH_STUDY, study=study_id)
    return study
