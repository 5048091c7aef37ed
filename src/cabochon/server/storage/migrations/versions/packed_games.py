"""Finished games packed into one value each; in PostgreSQL, events in partitions by table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_PARTITIONS = 16
_WAITING = sa.text("state = 'finished' AND NOT packed")


def upgrade() -> None:
    op.create_table(
        "packed_games",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("last_seq", sa.Integer, nullable=False),
        sa.Column("last_ms", sa.BigInteger, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    packed = sa.Column("packed", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("tables", packed)
    op.create_index(
        "tables_unpacked",
        "tables",
        ["created_ms"],
        sqlite_where=_WAITING,
        postgresql_where=_WAITING,
    )
    if op.get_bind().dialect.name == "postgresql":
        _replace_events(partition_by="HASH (table_id)")


def _replace_events(partition_by: str | None) -> None:
    """The same rows in a table that is, or is not, in partitions."""
    op.execute("ALTER TABLE events RENAME TO events_before")
    op.execute("ALTER INDEX events_pkey RENAME TO events_before_pkey")
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        postgresql_partition_by=partition_by,
    )
    if partition_by is not None:
        for number in range(_PARTITIONS):
            share = f"WITH (MODULUS {_PARTITIONS}, REMAINDER {number})"
            op.execute(f"CREATE TABLE events_{number:02} PARTITION OF events FOR VALUES {share}")
    op.execute("INSERT INTO events SELECT * FROM events_before")
    op.execute("DROP TABLE events_before")


def downgrade() -> None:
    """What was packed has no rows any more: its events are put back first."""
    _unpack_all()
    if op.get_bind().dialect.name == "postgresql":
        _replace_events(partition_by=None)
    op.drop_index("tables_unpacked", "tables")
    op.drop_column("tables", "packed")
    op.drop_table("packed_games")


def _unpack_all() -> None:
    from cabochon.server.storage.gamelogs import unpack_games

    unpack_games(op.get_bind())
