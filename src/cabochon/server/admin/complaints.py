"""What people report about others, for the host to read: with the game, and what else is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import orjson
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.notation import format_record
from cabochon.play.chairs import PERSON
from cabochon.play.events import HandedOver, Joined, Opened, TableEvent, event_from_json
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.server.admin.databases import now_ms
from cabochon.server.admin.faults import AdminFault, AdminRefused
from cabochon.server.admin.journal import note
from cabochon.server.storage.civility import Complaint, close_report, find_report, list_reports
from cabochon.server.storage.gamelogs import bodies_of
from cabochon.server.storage.schema import people, reports
from cabochon.server.storage.sqlstore import SqlStore

LONGEST_NOTE = 200
ComplaintRow = dict[str, Any]


async def list_all(connection: AsyncConnection, all_of_them: bool) -> list[ComplaintRow]:
    """The newest first; closed ones only if they are asked for."""
    found = await list_reports(connection, all_of_them)
    names = await _names(connection, {who for one in found for who in (one.person, one.reporter)})
    return [_told(one, names) for one in found]


async def whole(connection: AsyncConnection, report_id: str) -> ComplaintRow:
    """One report, with the record of its game, whether that person ever sat there, and how often
    they were reported. Raises AdminRefused."""
    found = await _existing(connection, report_id)
    names = await _names(connection, {found.person, found.reporter})
    others = select(func.count()).select_from(reports).where(reports.c.person_id == found.person)
    count = (await connection.execute(others)).scalar_one()
    told = {**_told(found, names), "reports": count, "record": None}
    events = [] if found.table is None else await _events(connection, found.table)
    if not events:
        return told
    record = _record(Table.of(found.table or "", events))
    return told | {"record": record, "at_table": has_sat(events, found.person)}


async def close(store: SqlStore, report_id: str, text: str) -> None:
    """It has been dealt with. Raises AdminRefused."""
    async with store.engine.begin() as connection:
        found = await _existing(connection, report_id)
        await close_report(connection, found.id, text[:LONGEST_NOTE], now_ms())
        await note(connection, "close-report", found.id, person=found.person, note=text or None)


async def _existing(connection: AsyncConnection, report_id: str) -> Complaint:
    found = await find_report(connection, report_id)
    if found is None:
        raise AdminRefused(AdminFault.NO_SUCH_REPORT, report=report_id[:16])
    return found


async def _names(connection: AsyncConnection, ids: Collection[str]) -> dict[str, str | None]:
    query = select(people.c.id, people.c.name).where(people.c.id.in_(sorted(ids)))
    return {row.id: row.name for row in await connection.execute(query)}


async def _events(connection: AsyncConnection, table_id: str) -> list[TableEvent]:
    bodies = await bodies_of(connection, table_id)
    return [event_from_json(orjson.loads(body)) for body in bodies]


def has_sat(events: Iterable[TableEvent], person: str) -> bool:
    """Whether that person had a chair there at any time; they may have left before the start."""
    holders: list[str | None] = []
    for event in events:
        if isinstance(event, Opened):
            holders += [chair.holder for chair in event.chairs]
        elif isinstance(event, Joined | HandedOver):
            holders.append(event.holder)
    return f"{PERSON}{person}" in holders


def _record(table: Table) -> str | None:
    """The game as everybody at the table could see it; whole, with its seed, once it is over."""
    if table.position is None:
        return None
    record = record_of(table)
    return format_record(record if table.ended is not None else record.seen_by(None))


def _told(report: Complaint, names: dict[str, str | None]) -> ComplaintRow:
    return {
        "id": report.id,
        "at_ms": report.at_ms,
        "kind": report.kind,
        "person": report.person,
        "name": names.get(report.person),
        "reporter": report.reporter,
        "reporter_name": names.get(report.reporter),
        "table": report.table,
        "text": report.text,
        "closed_ms": report.closed_ms,
        "note": report.note,
    }
