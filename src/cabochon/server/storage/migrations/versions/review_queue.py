"""Reviews and their queue, kept analyses, and who plays where."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_reviews()
    op.create_table(
        "review_turns",
        sa.Column("review_id", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("figures", sa.Text, nullable=False),
    )
    op.create_table(
        "evals",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("visits", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("evals_asked", "evals", ["asked_ms"])
    op.create_table(
        "sitters",
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
    )
    op.create_index("sitters_table", "sitters", ["table_id"])


def _add_reviews() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("engine", sa.String(120), nullable=False),
        sa.Column("visits", sa.Integer, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("knowledge", sa.String(12), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("address", sa.String(64)),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("head", sa.Text),
        sa.Column("body", sa.LargeBinary),
        sa.Column("worker", sa.String(32)),
        sa.Column("lease_ms", sa.BigInteger),
        sa.Column("attempts", sa.Integer, nullable=False),
    )
    op.create_index("reviews_order", "reviews", ["state", "rank", "created_ms"])
    op.create_index("reviews_person", "reviews", ["person", "created_ms"])
    op.create_index("reviews_address", "reviews", ["address", "created_ms"])
    op.create_index("reviews_asked", "reviews", ["asked_ms"])


def downgrade() -> None:
    for table in ("sitters", "evals", "review_turns", "reviews"):
        op.drop_table(table)
