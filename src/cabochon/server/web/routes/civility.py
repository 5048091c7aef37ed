"""People one would rather not meet: blocks, and reports to the host."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from cabochon.play.clock import DAY_MS
from cabochon.server.people.newcomers import limits_of
from cabochon.server.problems import ServerFault, ServerRefused, check_can_be_kept
from cabochon.server.secrets import new_table_id
from cabochon.server.storage.civility import Blocks, Complaint, Reports
from cabochon.server.storage.people import Person
from cabochon.server.tables.hub import Hub
from cabochon.server.web.poolmodels import (
    BlockedPeople,
    NewReport,
    PersonId,
    ReportMade,
    SomebodyBlocked,
)
from cabochon.server.web.routes.common import PROBLEMS, CallerHere, HubHere
from cabochon.server.web.routes.personal import person_of

router = APIRouter(prefix="/api", tags=["civility"], responses=PROBLEMS)

SomebodyElse = Annotated[PersonId, Path(examples=["aBcD1234_-xY"])]


@router.get("/me/blocks", operation_id="listBlocks")
async def list_blocks(hub: HubHere, who: CallerHere) -> BlockedPeople:
    """Whom you don't want to be paired with. Nobody else can see it."""
    found = await Blocks(hub.store.engine).of(person_of(who).person.id)
    return BlockedPeople(people=[SomebodyBlocked(id=one, name=name) for one, name in found])


@router.post("/me/blocks/{person_id}", status_code=204, operation_id="block")
async def block(person_id: SomebodyElse, hub: HubHere, who: CallerHere) -> None:
    """No pool brings you two together any more. They aren't told."""
    me, now = person_of(who).person, hub.clock()
    await _check_other(hub, me, person_id)
    blocks, most = Blocks(hub.store.engine), limits_of(me, now).blocks
    if await blocks.count(me.id) >= most:
        raise ServerRefused(ServerFault.TOO_MANY_BLOCKS, count=most)
    await blocks.add(me.id, person_id, now)


@router.delete("/me/blocks/{person_id}", status_code=204, operation_id="unblock")
async def unblock(person_id: SomebodyElse, hub: HubHere, who: CallerHere) -> None:
    """They may be your opponents again."""
    await Blocks(hub.store.engine).remove(person_of(who).person.id, person_id)


@router.post("/reports", status_code=201, operation_id="report")
async def report(asked: NewReport, hub: HubHere, who: CallerHere) -> ReportMade:
    """Tell the host about somebody; with `table`, a game in which they played. Only the host reads
    it, and only the host is told whether they did."""
    me, now = person_of(who).person, hub.clock()
    await _check_other(hub, me, asked.person)
    said = check_can_be_kept(asked.text.strip(), "text")
    reports, most = Reports(hub.store.engine), limits_of(me, now).reports_a_day
    if await reports.count_since(me.id, now - DAY_MS) >= most:
        raise ServerRefused(ServerFault.TOO_MANY_REPORTS, count=most, seconds=3600)
    if asked.table is not None and not await hub.store.length(asked.table):
        raise ServerRefused(ServerFault.NO_SUCH_TABLE, table=asked.table)
    made = Complaint(
        id=new_table_id(),
        at_ms=now,
        reporter=me.id,
        person=asked.person,
        table=asked.table,
        kind=asked.kind,
        text=said,
    )
    await reports.add(made)
    return ReportMade(id=made.id)


async def _check_other(hub: Hub, me: Person, person_id: str) -> None:
    """Raises ServerRefused for oneself, and for somebody who isn't there."""
    if person_id == me.id:
        raise ServerRefused(ServerFault.NOT_YOURSELF)
    if await hub.store.people.person(person_id) is None:
        raise ServerRefused(ServerFault.NO_SUCH_PERSON)
