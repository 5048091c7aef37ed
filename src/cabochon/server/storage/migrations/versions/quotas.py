"""Who holds which unfinished tables, and limits that several processes share."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "holdings",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("network", sa.String(64)),
        sa.Column("person", sa.String(64)),
        sa.Column("bots_only", sa.Boolean, nullable=False),
        sa.Column("unplayed", sa.Boolean, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
    )
    for column in ("address", "network", "person", "seen_ms"):
        op.create_index(f"holdings_{column}", "holdings", [column])
    op.create_table(
        "counts",
        sa.Column("bucket", sa.String(32), primary_key=True),
        sa.Column("level", sa.Double, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("counts")
    op.drop_table("holdings")
