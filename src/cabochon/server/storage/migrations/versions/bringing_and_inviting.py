"""Guests' games brought along to a kept name, invitations, and pauses for whoever dodges."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_INDICES = ("maker", "guest", "until")


def upgrade() -> None:
    op.add_column("people", sa.Column("became", sa.String(16)))
    op.create_index("people_became", "people", ["became"])
    counted = sa.Column("counted", sa.Integer, nullable=False, server_default=sa.text("0"))
    op.add_column("games", counted)
    op.execute("UPDATE games SET counted = number")
    op.create_index("games_counted", "games", ["counted"])
    op.add_column("tables", sa.Column("settle_ms", sa.BigInteger))
    op.create_table(
        "pool_pauses",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("pool_pauses_until", "pool_pauses", ["until_ms"])
    _create_invitations()


def _create_invitations() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("maker", sa.String(16), nullable=False),
        sa.Column("guest", sa.String(16), nullable=False),
        sa.Column("pool", sa.String(16), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("share_hash", sa.String(64)),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    for name in _INDICES:
        column = "until_ms" if name == "until" else name
        op.create_index(f"invitations_{name}", "invitations", [column])


def downgrade() -> None:
    op.drop_table("invitations")
    op.drop_table("pool_pauses")
    op.drop_column("tables", "settle_ms")
    op.drop_index("games_counted", "games")
    op.drop_column("games", "counted")
    op.drop_index("people_became", "people")
    op.drop_column("people", "became")
