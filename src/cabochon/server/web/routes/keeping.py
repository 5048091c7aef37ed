"""Keep my name: passkeys, a password, recovery codes, tokens."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.access import prices
from cabochon.server.access.playernames import looks, tidy
from cabochon.server.people.accounts import (
    MOST_PASSKEYS,
    NewWay,
    add_way,
    as_kept,
    check_fresh,
    check_password,
    drop_passkey,
    is_fresh,
    renew_codes,
    with_password,
)
from cabochon.server.people.naming import check_own, rename
from cabochon.server.people.passkeys import creation_options, new_passkey
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import hashed, new_table_id, new_token
from cabochon.server.storage.people import Person
from cabochon.server.storage.sqlstore import Token
from cabochon.server.storage.tokens import revoke, tokens_of
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.web.memodels import (
    Kept,
    NewPasskey,
    NewPassword,
    OwnToken,
    OwnTokens,
    PasskeyInfo,
    PasskeyList,
    RecoveryCodes,
)
from cabochon.server.web.models import NewToken, TokenMade
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere
from cabochon.server.web.routes.personal import DoorHere, person_of, site_of

router = APIRouter(prefix="/api/me", tags=["people"], responses=PROBLEMS)

TOKENS_AT_ONCE = 20


@router.post("/passkeys/options", operation_id="getPasskeyOptions")
async def get_passkey_options(request: Request, hub: HubHere, who: CallerHere) -> dict[str, Any]:
    """What to hand to `navigator.credentials.create`, as JSON."""
    known = person_of(who)
    check_fresh(known.person, known.session, hub.clock())
    if (await hub.store.ways.ways(known.person.id)).passkeys >= MOST_PASSKEYS:
        raise ServerRefused(ServerFault.TOO_MANY_OF_YOURS, count=MOST_PASSKEYS)
    options = await creation_options(hub.store.ways, site_of(request), known.person, hub.clock())
    assert isinstance(options, dict)
    return options


@router.post("/passkeys", operation_id="addPasskey")
async def add_passkey(
    asked: NewPasskey, request: Request, hub: HubHere, who: CallerHere, door: DoorHere
) -> Kept:
    """Keep your name with the passkey that was just made, or add one."""
    known = person_of(who)
    check_fresh(known.person, known.session, hub.clock())
    ways, site, now = hub.store.ways, site_of(request), hub.clock()
    made = await new_passkey(ways, site, known.person, asked.credential, asked.label, now)
    codes = await add_way(hub.store, known.person, NewWay(passkey=made))
    me = await door.let_in(as_kept(known.person))
    return Kept(me=me, codes=codes)


@router.get("/passkeys", operation_id="getPasskeys")
async def get_passkeys(hub: HubHere, who: CallerHere) -> PasskeyList:
    """Your passkeys, by the names you gave them."""
    found = await hub.store.ways.passkeys(person_of(who).person.id)
    return PasskeyList(
        passkeys=[
            PasskeyInfo(
                id=each.id, label=each.label, created_ms=each.created_ms, used_ms=each.used_ms
            )
            for each in found
        ]
    )


@router.delete("/passkeys/{passkey_id}", status_code=204, operation_id="removePasskey")
async def remove_passkey(
    passkey_id: Annotated[str, Path(max_length=16)], hub: HubHere, who: CallerHere
) -> None:
    """It signs nobody in any more. The last way in stays."""
    known = person_of(who)
    check_fresh(known.person, known.session, hub.clock())
    await drop_passkey(hub.store, known.person, passkey_id)


@router.post("/password", operation_id="setPassword")
async def set_password(
    asked: NewPassword,
    request: Request,
    hub: HubHere,
    who: CallerHere,
    access: AccessHere,
    door: DoorHere,
) -> Kept:
    """Keep your name with a password, or change the password."""
    known = person_of(who)
    person, now = known.person, hub.clock()
    access.check_request(request, prices.PASSWORD)
    if person.kept and not is_fresh(known.session, now):
        if asked.current is None:
            raise ServerRefused(ServerFault.PROOF_NEEDED)
        await check_password(hub.store, person, access.address(request), now, asked.current)
    _check_strength(asked.password, asked.name or person.name)
    person = await _called(hub, person, asked.name)
    codes = await add_way(hub.store, person, await with_password(asked.password))
    me = await door.let_in(as_kept(person))
    return Kept(me=me, codes=codes)


async def _called(hub: HubHere, person: Person, name: str | None) -> Person:
    """With the name that they would like to keep."""
    if name is None or tidy(name) == person.name:
        return person
    await rename(hub.store.people, person, name, hub.clock())
    return await hub.store.people.person(person.id) or person


def _check_strength(password: str, name: str) -> None:
    """Raises ServerRefused for what is guessed first."""
    if len(set(password)) < 4 or looks(password) & looks(name):
        raise ServerRefused(ServerFault.WEAK_PASSWORD)


@router.post("/codes", operation_id="renewCodes")
async def renew_my_codes(
    request: Request, hub: HubHere, who: CallerHere, access: AccessHere
) -> RecoveryCodes:
    """Eight new recovery codes, shown once; the old ones no longer work."""
    known = person_of(who)
    check_fresh(known.person, known.session, hub.clock())
    access.check_request(request, prices.CODES)
    return RecoveryCodes(codes=await renew_codes(hub.store, known.person))


# Tokens


@router.get("/tokens", operation_id="getMyTokens")
async def get_my_tokens(hub: HubHere, who: CallerHere) -> OwnTokens:
    """The tokens of your programs."""
    async with hub.store.engine.connect() as connection:
        found = await tokens_of(connection, person_of(who).person.id)
    return OwnTokens(
        tokens=[
            OwnToken(
                id=each.id,
                name=each.name,
                scopes=list(each.scopes),
                created_ms=each.created_ms,
                used_ms=hub.store.token_last_used(each.id) or each.last_used_ms,
            )
            for each in found
        ]
    )


@router.post("/tokens", status_code=201, operation_id="makeMyToken")
async def make_my_token(
    asked: NewToken, request: Request, hub: HubHere, who: CallerHere, access: AccessHere
) -> TokenMade:
    """A token for a program of yours, shown once."""
    person = person_of(who).person
    if not person.kept:
        raise ServerRefused(ServerFault.NOT_KEPT)
    await access.check_quota(request)
    async with hub.store.engine.connect() as connection:
        count = len(await tokens_of(connection, person.id))
    if count >= TOKENS_AT_ONCE:
        raise ServerRefused(ServerFault.TOO_MANY_OF_YOURS, count=count)
    name = tidy(asked.name)
    await check_own(hub.store.people, (name,), person)
    secret = new_token()
    token = Token(new_table_id(), name, frozenset(asked.scopes), person.id)
    await hub.store.add_token(token, hashed(secret), hub.clock())
    return TokenMade(id=token.id, name=name, scopes=sorted(token.scopes), token=secret)


@router.delete("/tokens/{token_id}", status_code=204, operation_id="revokeMyToken")
async def revoke_my_token(
    token_id: Annotated[str, Path(max_length=16)], hub: HubHere, who: CallerHere
) -> None:
    """It stops working at once, and its open connections end."""
    person, now = person_of(who).person, hub.clock()

    async def written(connection: AsyncConnection) -> None:
        mine = {token.id for token in await tokens_of(connection, person.id)}
        if token_id not in mine:
            raise ServerRefused(ServerFault.NO_SUCH_TOKEN)
        await revoke(connection, token_id, now)

    await in_transaction(hub.store.engine, written)
    hub.visitors.revoked(token_id)
