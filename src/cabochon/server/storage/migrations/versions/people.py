"""People: guests and kept names, their sessions, and the ways in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_TABLES = (
    "person_tables",
    "guesses",
    "challenges",
    "recovery_codes",
    "passkeys",
    "sessions",
    "kept_names",
    "people",
)


def upgrade() -> None:
    op.add_column("tokens", sa.Column("person_id", sa.String(16)))
    op.create_index("tokens_person", "tokens", ["person_id"])
    _create_people()
    _create_sessions()
    _create_ways_in()
    op.create_table(
        "person_tables",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("table_id", sa.String(16), primary_key=True),
    )
    op.create_index("person_tables_table", "person_tables", ["table_id"])


def _create_people() -> None:
    op.create_table(
        "people",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(40)),
        sa.Column("skeleton", sa.String(200)),
        sa.Column("kept", sa.Boolean, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.Column("password", sa.String(200)),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("renamed_ms", sa.BigInteger),
        sa.Column("deleted_ms", sa.BigInteger),
    )
    op.create_index("people_skeleton", "people", ["skeleton"])
    op.create_index("people_seen", "people", ["seen_ms"])
    op.create_table(
        "kept_names",
        sa.Column("look", sa.String(200), primary_key=True),
        sa.Column("person_id", sa.String(16), nullable=False),
    )
    op.create_index("kept_names_person", "kept_names", ["person_id"])


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("next_hash", sa.String(64)),
        sa.Column("former_hash", sa.String(64)),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
        sa.Column("offered_ms", sa.BigInteger),
        sa.Column("proved_ms", sa.BigInteger),
        sa.Column("revoked_ms", sa.BigInteger),
    )
    op.create_index("sessions_person", "sessions", ["person_id"])
    op.create_index("sessions_seen", "sessions", ["seen_ms"])


def _create_ways_in() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person_id", sa.String(16), nullable=False),
        sa.Column("credential", sa.Text, nullable=False),
        sa.Column("credential_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("counter", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger),
    )
    op.create_index("passkeys_person", "passkeys", ["person_id"])
    op.create_table(
        "recovery_codes",
        sa.Column("person_id", sa.String(16), primary_key=True),
        sa.Column("hash", sa.String(64), primary_key=True),
    )
    op.create_table(
        "challenges",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("purpose", sa.String(40), nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "guesses",
        sa.Column("subject", sa.String(64), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("guesses_last", "guesses", ["last_ms"])


def downgrade() -> None:
    for table in _TABLES:
        op.drop_table(table)
    op.drop_index("tokens_person", "tokens")
    op.drop_column("tokens", "person_id")
