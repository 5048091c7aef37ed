"""Alembic's entry: it is handed an open connection by `cabochon.server.storage.migrate`."""

from __future__ import annotations

from alembic import context

from cabochon.server.storage.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
