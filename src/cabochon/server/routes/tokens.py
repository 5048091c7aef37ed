"""Personal tokens: how a program becomes a bot at somebody else's table."""

from __future__ import annotations

from fastapi import APIRouter, Request

from cabochon.server.models import NewToken, TokenMade
from cabochon.server.names import tidy
from cabochon.server.routes.common import PROBLEMS, DoorkeeperHere, HubHere
from cabochon.server.secrets import hashed, new_table_id, new_token
from cabochon.server.sqlstore import Token

router = APIRouter(prefix="/api", tags=["bots"], responses=PROBLEMS)


@router.post("/tokens", status_code=201, operation_id="makeToken")
async def make_token(
    asked: NewToken, request: Request, hub: HubHere, doorkeeper: DoorkeeperHere
) -> TokenMade:
    """A token for a bot, told once. Everything done with it is marked as a bot's."""
    doorkeeper.check_quota(request)
    secret = new_token()
    token = Token(new_table_id(), tidy(asked.name), frozenset(asked.scopes))
    await hub.store.add_token(token, hashed(secret), hub.clock())
    return TokenMade(id=token.id, name=token.name, scopes=sorted(token.scopes), token=secret)
