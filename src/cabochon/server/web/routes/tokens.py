"""Personal tokens: how a program becomes a bot at somebody else's table."""

from __future__ import annotations

from functools import partial

from fastapi import APIRouter, Request

from cabochon.server.access.identity import Caller
from cabochon.server.access.playernames import tidy
from cabochon.server.people.naming import check_own
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.secrets import hashed, new_table_id, new_token
from cabochon.server.storage.sqlstore import Token
from cabochon.server.storage.tokens import revoke, token_facts
from cabochon.server.storage.transactions import in_transaction
from cabochon.server.web.models import NewToken, TokenInfo, TokenMade
from cabochon.server.web.routes.common import PROBLEMS, AccessHere, CallerHere, HubHere

router = APIRouter(prefix="/api", tags=["bots"], responses=PROBLEMS)


@router.post("/tokens", status_code=201, operation_id="makeToken")
async def make_token(
    asked: NewToken, request: Request, hub: HubHere, who: CallerHere, access: AccessHere
) -> TokenMade:
    """A token for a bot, shown once. Everything done with it is marked as a bot's. It belongs to
    your account, if you have one."""
    await access.check_quota(request)
    name, person = tidy(asked.name), who.person
    await check_own(hub.store.people, (name,), person)
    owner = person.id if person is not None and person.kept else None
    secret = new_token()
    token = Token(new_table_id(), name, frozenset(asked.scopes), owner)
    await hub.store.add_token(token, hashed(secret), hub.clock())
    return TokenMade(id=token.id, name=token.name, scopes=sorted(token.scopes), token=secret)


@router.get("/tokens/me", operation_id="getToken")
async def get_token(hub: HubHere, who: CallerHere) -> TokenInfo:
    """What the server knows of the token you send: its name, its scopes, when it was made and last
    used."""
    token = _token_of(who)
    async with hub.store.engine.connect() as connection:
        facts = await token_facts(connection, token.id)
    if facts is None:
        raise ServerRefused(ServerFault.BAD_KEY)
    return TokenInfo(
        id=facts.id,
        name=facts.name,
        scopes=list(facts.scopes),
        created_ms=facts.created_ms,
        last_used_ms=hub.store.token_last_used(token.id) or facts.last_used_ms,
    )


@router.delete("/tokens/me", status_code=204, operation_id="revokeToken")
async def revoke_token(hub: HubHere, who: CallerHere) -> None:
    """Revoke the token you send. It stops working at once, and its open sockets and streams end;
    a bot of the house stands in at its tables, or it may be claimed against."""
    token = _token_of(who)
    gone = partial(revoke, token_id=token.id, now=hub.clock())
    await in_transaction(hub.store.engine, gone)
    hub.visitors.revoked(token.id)


def _token_of(who: Caller) -> Token:
    if who.token is None:
        raise ServerRefused(ServerFault.TOKEN_NEEDED)
    return who.token
