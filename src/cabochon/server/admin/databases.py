"""The database as the host opens it: as it is, never made and never upgraded."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from cabochon.server.admin.faults import AdminFault, AdminRefused
from cabochon.server.storage.database import BadDatabase, database_url, is_sqlite, prepare_sqlite
from cabochon.server.storage.migrate import HEAD
from cabochon.server.storage.sqlstore import SqlStore

NODE = "admin"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


@contextlib.asynccontextmanager
async def open_existing(address: str) -> AsyncIterator[SqlStore]:
    """The store on a database that is there and has this version's schema. Raises AdminRefused,
    also for whatever the database says on the way."""
    with refusing_database_errors():
        engine = engine_for(url_of(address))
        async with engine.connect() as connection:
            found = await connection.run_sync(revision)
        if found != HEAD:
            await engine.dispose()
            raise AdminRefused(AdminFault.OTHER_SCHEMA, found=found or "-", needed=HEAD)
        store = SqlStore(engine, NODE)
        store.start()
        try:
            yield store
        finally:
            await store.close()


def url_of(address: str) -> URL:
    """Raises AdminRefused for anything but an address, or a file that is not there."""
    try:
        url = database_url(address)
    except BadDatabase as error:
        raise AdminRefused(AdminFault.BAD_DATABASE, what=str(error)) from None
    if is_sqlite(url) and not Path(url.database or "").is_file():
        raise AdminRefused(AdminFault.NO_DATABASE, where=url.database or "-")
    return url


def engine_for(url: URL) -> AsyncEngine:
    engine = create_async_engine(url, poolclass=NullPool, hide_parameters=True)
    if is_sqlite(url):
        prepare_sqlite(engine.sync_engine)
    return engine


def revision(connection: Connection) -> str | None:
    """Which schema the database has; None for an empty one, or somebody else's."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


@contextlib.contextmanager
def refusing_database_errors() -> Iterator[None]:
    """What a database raises, as one of our refusals."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise AdminRefused(AdminFault.NO_DRIVER, what=str(error.name)) from None
    except (SQLAlchemyError, OSError) as error:
        what = str(error).splitlines()[0][:200]
        raise AdminRefused(AdminFault.BAD_DATABASE, what=what) from None
