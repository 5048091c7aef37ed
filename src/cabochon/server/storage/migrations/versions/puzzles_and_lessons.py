"""Tries at puzzles, what they make of a puzzle's rating, and how far somebody is in the course."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzle_tries",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("puzzle_id", sa.String(8), primary_key=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("ordinal", sa.Integer),
        sa.Column("puzzle_value", sa.Double),
        sa.Column("puzzle_deviation", sa.Double),
        sa.Column("before_value", sa.Double),
        sa.Column("value", sa.Double),
        sa.Column("deviation", sa.Double),
    )
    op.create_index("puzzle_tries_order", "puzzle_tries", ["person_id", "ordinal"])
    op.create_table(
        "puzzle_starts",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle_id", sa.String(8), primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_table(
        "lesson_marks",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("lesson_id", sa.String(16), primary_key=True),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    for table in ("lesson_marks", "puzzle_ratings", "puzzle_starts", "puzzle_tries"):
        op.drop_table(table)
    op.execute("DELETE FROM ratings WHERE kind = 'puzzles'")
    op.execute("DELETE FROM rating_points WHERE kind = 'puzzles'")
