"""Finished games, ratings, and sums over them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_SUMS = (
    *("games", "won", "lost", "drawn", "streak", "best_streak"),
    *("seat0", "seat0_won", "seat1", "seat1_won", "seat2", "seat2_won", "seat3", "seat3_won"),
    *("whole", "rounds", "points", "cards", "nobles", "noble_points"),
    *("reserved", "reserved_bought"),
    *("white", "blue", "green", "red", "black"),
    *("reviewed", "accuracy", "luck", "mistakes"),
)
_MEETINGS = (
    *("won", "lost", "drawn", "open_won", "open_lost", "open_drawn"),
    *("played", "open_played", "last"),
)
_TABLES = ("encounters", "tallies", "rating_points", "ratings", "game_players", "games")


def upgrade() -> None:
    settled = sa.Column("settled", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("tables", settled)
    op.create_index("tables_settled", "tables", ["state", "settled"])
    op.create_index(
        "people_search",
        "people",
        ["kept", "skeleton"],
        postgresql_ops={"skeleton": "text_pattern_ops"},
    )
    _create_games()
    _create_players()
    _create_ratings()
    op.create_table(
        "tallies",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in _SUMS),
    )
    op.create_table(
        "encounters",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("opponent", sa.String(48), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        *(sa.Column(name, sa.Integer, nullable=False) for name in _MEETINGS),
    )
    for name, column in (("played", "played"), ("open", "open_played")):
        columns = ["person_id", "kind", column, "last"]
        op.create_index(f"encounters_{name}", "encounters", columns)


def _create_games() -> None:
    op.create_table(
        "games",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.String(16), nullable=False, unique=True),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("ruleset", sa.String(60), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("clock", sa.String(60)),
        sa.Column("reason", sa.String(8), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("review_id", sa.String(32)),
        sa.Column("review_state", sa.String(8), nullable=False),
    )
    op.create_index("games_review", "games", ["review_state", "number"])


def _create_players() -> None:
    counts = ("points", "cards", "nobles")
    op.create_table(
        "game_players",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person_id", sa.String(16)),
        sa.Column("bot", sa.String(40)),
        sa.Column("name", sa.String(40)),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("result", sa.String(1), nullable=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in counts),
        sa.Column("sources", sa.String(60), nullable=False),
        sa.Column("colours", sa.String(60), nullable=False),
        sa.Column("reserved", sa.Integer, nullable=False),
        sa.Column("reserved_bought", sa.Integer, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Integer) for name in ("accuracy", "luck", "mistakes")),
        sa.Column("learnt", sa.Boolean, nullable=False, server_default=sa.false()),
        *(
            sa.Column(f"{when}{name}", sa.Double)
            for when in ("fixed_", "before_", "")
            for name in ("value", "deviation")
        ),
    )
    op.create_index("game_players_person", "game_players", ["person_id", "number"])


def _create_ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
    )
    op.create_index("ratings_board", "ratings", ["kind", "listed", "value", "person_id"])
    op.create_table(
        "rating_points",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("ordinal", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("value", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)
    op.drop_index("people_search", "people")
    op.drop_index("tables_settled", "tables")
    op.drop_column("tables", "settled")
