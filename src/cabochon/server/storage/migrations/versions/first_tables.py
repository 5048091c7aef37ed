"""The first tables: events, tables, tokens, seatings, nodes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("variant", sa.String(16), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("due_ms", sa.BigInteger),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("node", sa.String(32)),
        sa.Column("info", sa.Text, nullable=False),
    )
    op.create_index("tables_listed", "tables", ["listed", "state", "created_ms"])
    op.create_index("tables_due", "tables", ["due_ms"])
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("scopes", sa.String(120), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "seatings",
        sa.Column("token_id", sa.String(16), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
    )
    op.create_table(
        "nodes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("beat_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    for table in ("nodes", "seatings", "tokens", "tables", "events"):
        op.drop_table(table)
