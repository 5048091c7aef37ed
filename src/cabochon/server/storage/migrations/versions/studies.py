"""Studies that people keep."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("network", sa.String(64)),
        sa.Column("person", sa.String(64)),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
    )
    for column in ("address", "network", "person", "seen_ms"):
        op.create_index(f"studies_{column}", "studies", [column])


def downgrade() -> None:
    op.drop_table("studies")
