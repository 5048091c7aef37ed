"""Making tables, finding them, sitting down."""

from __future__ import annotations

import base64
from typing import Annotated, Literal, Protocol

from fastapi import APIRouter, Path, Query, Request

from cabochon.play import commands
from cabochon.play.chairs import Kind
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.events import Joined, Opened
from cabochon.play.messages import TableInfo
from cabochon.play.messaging import result
from cabochon.play.table import Decision, Table
from cabochon.play.tableinfo import table_info
from cabochon.server.access.identity import Caller
from cabochon.server.access.playernames import check_apart, free_name
from cabochon.server.people.fairness import check_apart_from, check_met
from cabochon.server.people.naming import check_own, name_at_table
from cabochon.server.people.ratedtables import check_rated_seat
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.reviews.questions import AskedFace
from cabochon.server.secrets import (
    hashed,
    is_table_id,
    matches,
    new_seat_key,
    table_of_code,
)
from cabochon.server.storage.holdings import Holder
from cabochon.server.storage.people import People
from cabochon.server.tables.hub import Hub
from cabochon.server.tables.live import Live
from cabochon.server.tables.loading import check_load
from cabochon.server.web.models import (
    AskedKeys,
    GameGlance,
    InviteInfo,
    Join,
    KeySeats,
    LocalChair,
    MeChair,
    NewTable,
    SeatTaken,
    TableMade,
    TablePage,
)
from cabochon.server.web.routes.common import (
    PROBLEMS,
    AccessHere,
    CallerHere,
    HubHere,
    LiveHere,
)
from cabochon.server.web.routes.reviews import DeskOfLooks
from cabochon.server.web.tablemaking import Plan, plan_table

router = APIRouter(prefix="/api", tags=["tables"], responses=PROBLEMS)


@router.post("/tables", status_code=201, operation_id="makeTable")
async def make_table(
    asked: NewTable,
    request: Request,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    looks: DeskOfLooks,
) -> TableMade:
    """Make a table. The keys that play its seats are shown here, once."""
    await access.check_quota(request)
    who.require_scope("table:create")
    await _check_names(hub.store.people, asked, who, hub.clock())
    plan = plan_table(asked, who, hub.clock())
    start = plan.opened.position
    if start is not None and plan.opened.chairs[start.seat].by_engine:
        # The bot's move would be what to play there.
        who_asks = access.sitter(request, who)
        await looks.check_not_playing([AskedFace.of(start)], who_asks, hinted=True)
    if any(isinstance(chair, MeChair | LocalChair) for chair in asked.chairs):
        hub.sitters.note(plan.table_id, access.sitter(request, who))
    return await open_plan(hub, plan, access.holder(request, who))


async def _check_names(people: People, asked: NewTable, who: Caller, now: int) -> None:
    """Nobody at the table is called like somebody who keeps that name. Raises ServerRefused."""
    others = [chair.name for chair in asked.chairs if isinstance(chair, LocalChair)]
    for chair in asked.chairs:
        if isinstance(chair, MeChair) and who.token is None:
            await name_at_table(people, who.person, chair.name, now, others)
            others = []
    await check_own(people, others, who.person)


class OpensTables(Protocol):
    """Makes tables."""

    async def open(self, table_id: str, opened: Opened, holder: Holder | None = None) -> Live: ...


async def open_plan(hub: OpensTables, plan: Plan, holder: Holder) -> TableMade:
    live = await hub.open(plan.table_id, plan.opened, holder)
    return TableMade(
        table=table_info(live.table, live.here),
        keys=plan.keys,
        invites=plan.invites,
        watch_code=plan.watch_code,
    )


@router.get("/tables", operation_id="listTables")
async def list_tables(
    hub: HubHere,
    state: Literal["open", "running", "finished"] | None = None,
    variant: Annotated[str | None, Query(max_length=20, pattern="^[a-z-]*$")] = None,
    seats: Annotated[int | None, Query(ge=2, le=4)] = None,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Annotated[str | None, Query(max_length=80)] = None,
) -> TablePage:
    """Listed tables, the newest first."""
    before = None if cursor is None else _read_cursor(cursor)
    found = await hub.listing(state, variant, seats, limit, before)
    more = _cursor(found[-1]) if len(found) == limit else None
    return TablePage(tables=found, cursor=more)


@router.get("/tables/{table_id}", operation_id="getTable")
async def get_table(live: LiveHere) -> TableInfo:
    """Who sits there and what is played; the game itself is in the stream."""
    return table_info(live.table, live.here)


@router.post("/tables/{table_id}/keys", operation_id="getKeySeats")
async def get_key_seats(asked: AskedKeys, live: LiveHere) -> KeySeats:
    """Which seats these keys play, so that a page can ask before it keeps what a link brought."""
    found = [Caller((hashed(key),)).seats(live.table) for key in asked.keys]
    seats = [held[0] if held else None for held in found]
    game = glance_at(live.table) if any(found) else None
    return KeySeats(seats=seats, table=table_info(live.table, live.here), game=game)


def glance_at(table: Table) -> GameGlance | None:
    """How the game stands, if it has begun."""
    position, ended = table.position, table.ended
    if position is None:
        return None
    seats = position.ruleset.seats
    return GameGlance(
        points=[position.points(seat) for seat in range(seats)],
        round=position.round,
        to_move=position.seat if ended is None else None,
        winners=None if ended is None else list(ended.winners),
        reason=None if ended is None else result(ended)["reason"],
        decided_ms=table.log[-1].at if table.log else table.opened.at,
    )


@router.get("/invites/{code}", operation_id="getInvite")
async def get_invite(
    code: Annotated[str, Path(min_length=8, max_length=64)],
    request: Request,
    hub: HubHere,
    access: AccessHere,
) -> InviteInfo:
    """What an invitation is for."""
    table_id = table_of_code(code)
    await check_load(hub, access, request, table_id)
    live = await hub.live(table_id)
    return InviteInfo(table=table_info(live.table, live.here), seat=_invited_seat(live.table, code))


@router.post("/tables/{table_id}/join", operation_id="joinTable")
async def join_table(
    asked: Join,
    request: Request,
    live: LiveHere,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
) -> SeatTaken:
    """Take an open seat. The key that plays it is shown here, once; a token needs none."""
    await access.check_quota(request)
    who.require_scope("table:join")
    table = live.table
    seat = asked.seat
    if asked.key is not None:
        hub.store.bans.check_secrets((hashed(asked.key),))
    if asked.key is not None and (known := Caller((hashed(asked.key),)).seats(table)):
        return SeatTaken(seat=known[0], key=asked.key, table=table_info(table, live.here))
    if asked.code is not None:
        seat = _invited_seat(table, asked.code)
    elif not table.options.listed:
        raise ServerRefused(ServerFault.CODE_NEEDED)
    token = who.token
    key = None if token is not None else asked.key or new_seat_key()
    name = await _name_of(who, asked, hub)
    if table.options.rated and who.person is not None:
        await hub.sitters.write()
        await check_apart_from(hub.store.engine, table.id, access.address(request))
        sitting = (who.person.id, *people_at(table))
        await check_met(hub.store.engine, sitting, hub.clock())

    def command(table: Table, now: int) -> Decision:
        secret = None if key is None else hashed(key)
        called = name if token is None else free_name(name, names_at(table))
        check_rated_seat(table, None if token is not None else who.person)
        decision = commands.join(table, seat, called, secret, now, who.holder, asked.share_hash)
        check_apart(called, names_at(table))
        return decision

    if token is not None:
        await hub.store.seat_token(token.id, table.id)
    decision = await hub.decide(live, command)
    hub.sitters.note(table.id, access.sitter(request, who))
    (joined,) = (event for event in decision.events if isinstance(event, Joined))
    return SeatTaken(seat=joined.seat, key=key, table=table_info(live.table, live.here))


async def _name_of(who: Caller, asked: Join, hub: Hub) -> str:
    if who.token is not None:
        return who.token.name
    return await name_at_table(hub.store.people, who.person, asked.name, hub.clock())


def people_at(table: Table) -> list[str]:
    return [chair.person for chair in table.chairs if chair.person is not None]


def names_at(table: Table) -> list[str | None]:
    return [chair.name for chair in table.chairs]


def _invited_seat(table: Table, code: str) -> int:
    code_hash = hashed(code)
    for seat, chair in enumerate(table.chairs):
        if matches(code_hash, chair.invite) or matches(code_hash, chair.former):
            if chair.kind is not Kind.OPEN:
                raise TableRefused(TableFault.SEAT_TAKEN, seat=seat)
            return seat
    raise ServerRefused(ServerFault.BAD_CODE)


def _cursor(info: TableInfo) -> str:
    return base64.urlsafe_b64encode(f"{info['created_ms']} {info['id']}".encode()).decode()


def _read_cursor(cursor: str) -> tuple[int, str]:
    try:
        created, table_id = base64.urlsafe_b64decode(cursor.encode()).decode().split(" ")
        if not is_table_id(table_id):
            raise ValueError(table_id)
        return int(created) % 2**62, table_id
    except ValueError:
        raise ServerRefused(ServerFault.BAD_REQUEST, where="cursor", what=cursor[:80]) from None
