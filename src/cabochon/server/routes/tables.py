"""Making tables, finding them, sitting down."""

from __future__ import annotations

import base64
from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request

from cabochon.play import commands
from cabochon.play.chairs import Kind
from cabochon.play.errors import TableFault, TableRefused
from cabochon.play.messages import TableInfo
from cabochon.play.table import Decision, Table
from cabochon.play.tableinfo import table_info
from cabochon.server.holdings import Holder
from cabochon.server.hub import Hub
from cabochon.server.identity import Asker
from cabochon.server.loading import check_load
from cabochon.server.making import Plan, plan_table
from cabochon.server.models import (
    AskedKeys,
    InviteInfo,
    Join,
    Joined,
    KeySeats,
    NewTable,
    TableMade,
    TablePage,
)
from cabochon.server.names import check_apart, free_name, tidy
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.routes.common import (
    PROBLEMS,
    AskerHere,
    DoorkeeperHere,
    HubHere,
    LiveHere,
)
from cabochon.server.secrets import (
    hashed,
    is_table_id,
    matches,
    new_seat_key,
    new_table_id,
    table_of_code,
)

router = APIRouter(prefix="/api", tags=["tables"], responses=PROBLEMS)


@router.post("/tables", status_code=201, operation_id="makeTable")
async def make_table(
    asked: NewTable, request: Request, hub: HubHere, who: AskerHere, doorkeeper: DoorkeeperHere
) -> TableMade:
    """Make a table. The keys that play its seats are told here, once."""
    doorkeeper.check_quota(request)
    who.need("table:create")
    plan = plan_table(asked, who, hub.clock())
    return await open_plan(hub, plan, doorkeeper.holder(request, who))


async def open_plan(hub: Hub, plan: Plan, holder: Holder) -> TableMade:
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
    found = [Asker((hashed(key),)).seats(live.table) for key in asked.keys]
    seats = [held[0] if held else None for held in found]
    return KeySeats(seats=seats, table=table_info(live.table, live.here))


@router.get("/invites/{code}", operation_id="getInvite")
async def get_invite(
    code: Annotated[str, Path(min_length=8, max_length=64)],
    request: Request,
    hub: HubHere,
    doorkeeper: DoorkeeperHere,
) -> InviteInfo:
    """What an invitation is for."""
    table_id = table_of_code(code)
    await check_load(hub, doorkeeper, request, table_id)
    live = await hub.live(table_id)
    return InviteInfo(table=table_info(live.table, live.here), seat=_invited_seat(live.table, code))


@router.post("/tables/{table_id}/join", operation_id="joinTable")
async def join_table(
    asked: Join,
    request: Request,
    live: LiveHere,
    hub: HubHere,
    who: AskerHere,
    doorkeeper: DoorkeeperHere,
) -> Joined:
    """Take an open seat. The key that plays it is told here, once; a token needs none."""
    doorkeeper.check_quota(request)
    who.need("table:join")
    table = live.table
    seat = asked.seat
    if asked.key is not None:
        hub.store.bans.check_secrets((hashed(asked.key),))
    if asked.key is not None and (known := Asker((hashed(asked.key),)).seats(table)):
        return Joined(seat=known[0], key=asked.key, table=table_info(table, live.here))
    if asked.code is not None:
        seat = _invited_seat(table, asked.code)
    elif not table.options.listed:
        raise ServerRefused(ServerFault.CODE_NEEDED)
    key = None if who.token is not None else asked.key or new_seat_key()
    name, token = (tidy(asked.name), None) if who.token is None else (who.token.name, who.token.id)
    owner = new_table_id()

    def command(table: Table, now: int) -> Decision:
        secret = None if key is None else hashed(key)
        called = name if token is None else free_name(name, names_at(table))
        decision = commands.join(table, seat, called, secret, now, owner, token, asked.share_hash)
        check_apart(called, names_at(table))
        return decision

    if token is not None:
        await hub.store.seat_token(token, table.id)
    decision = await hub.decide(live, command)
    taken = next(s for s, chair in enumerate(decision.table.chairs) if chair.owner == owner)
    return Joined(seat=taken, key=key, table=table_info(live.table, live.here))


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
