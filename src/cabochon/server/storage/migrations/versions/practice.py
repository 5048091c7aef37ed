"""Days whose puzzle was solved, the best storm, and when mistakes are asked again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "solved_days",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("day", sa.String(10), primary_key=True),
    )
    op.create_table(
        "best_storms",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("solved", sa.Integer, nullable=False),
    )
    op.create_table(
        "mistake_boxes",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("ply", sa.Integer, primary_key=True),
        sa.Column("box", sa.Integer, nullable=False),
        sa.Column("due", sa.String(10), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    for table in ("mistake_boxes", "best_storms", "solved_days"):
        op.drop_table(table)
