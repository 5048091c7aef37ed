"""Pools, who is here, blocks and reports."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_TABLES = ("reports", "blocks", "node_notes", "matchmakers", "pool_places")


def upgrade() -> None:
    _create_pools()
    op.create_table(
        "blocks",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("blocked_id", sa.String(16), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("blocks_blocked", "blocks", ["blocked_id"])
    op.create_table(
        "reports",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.String(16), nullable=False),
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("text", sa.String(500), nullable=False),
        sa.Column("closed_ms", sa.BigInteger),
        sa.Column("note", sa.String(200)),
    )
    op.create_index("reports_open", "reports", ["closed_ms", "at_ms"])
    op.create_index("reports_reporter", "reports", ["reporter", "at_ms"])
    op.create_index("reports_person", "reports", ["person_id"])


def _create_pools() -> None:
    op.create_table(
        "pool_places",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("pool", sa.String(16), primary_key=True),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("share_hash", sa.String(64)),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("pool_places_pool", "pool_places", ["pool", "state"])
    op.create_index("pool_places_address", "pool_places", ["address"])
    op.create_table(
        "matchmakers",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("node", sa.String(32), nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "node_notes",
        sa.Column("node", sa.String(32), primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("here", sa.Integer, nullable=False),
        sa.Column("watching", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)
