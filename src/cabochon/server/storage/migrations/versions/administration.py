"""Administration: bans, orders to running servers, the log of what was done; when a token was last
used, and revoked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tokens", sa.Column("last_used_ms", sa.BigInteger))
    op.add_column("tokens", sa.Column("revoked_ms", sa.BigInteger))
    op.create_table(
        "bans",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
    )
    op.create_table(
        "admin_orders",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("subject", sa.String(64), nullable=False),
    )
    op.create_table(
        "admin_log",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("act", sa.String(16), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for table in ("admin_log", "admin_orders", "bans"):
        op.drop_table(table)
    for column in ("revoked_ms", "last_used_ms"):
        op.drop_column("tokens", column)
