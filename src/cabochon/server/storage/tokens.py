"""Personal tokens as their owners and the host see them: never with their secret."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cabochon.server.storage.givenorders import give_order
from cabochon.server.storage.schema import tokens


@dataclass(frozen=True, slots=True)
class TokenFacts:
    """What is known of a token."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created_ms: int
    last_used_ms: int | None
    revoked_ms: int | None


async def token_facts(connection: AsyncConnection, token_id: str) -> TokenFacts | None:
    row = (await connection.execute(select(tokens).where(tokens.c.id == token_id))).first()
    return None if row is None else facts_of_row(row)


async def tokens_of(connection: AsyncConnection, person_id: str) -> list[TokenFacts]:
    """The good ones of one account, the newest first."""
    query = (
        select(tokens)
        .where(tokens.c.person_id == person_id, tokens.c.revoked_ms.is_(None))
        .order_by(tokens.c.created_ms.desc(), tokens.c.id)
    )
    return [facts_of_row(row) for row in await connection.execute(query)]


async def revoke(connection: AsyncConnection, token_id: str, now: int) -> bool:
    """It stops working with the commit, and running servers are told to close what it has open.
    False when there is no such token, or it is revoked already."""
    alive = update(tokens).where(tokens.c.id == token_id, tokens.c.revoked_ms.is_(None))
    changed = await connection.execute(alive.values(revoked_ms=now))
    if changed.rowcount == 0:
        return False
    await give_order(connection, "token", token_id)
    return True


def facts_of_row(row: Row[tuple[object, ...]]) -> TokenFacts:
    return TokenFacts(
        row.id,
        row.name,
        tuple(row.scopes.split()),
        row.created_ms,
        row.last_used_ms,
        row.revoked_ms,
    )
