"""The database: events are the truth; everything else can be found again from them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Append-only. The key makes two nodes, or two clients, unable to both follow event n."""

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("state", String(8), nullable=False),
    Column("variant", String(16), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("due_ms", BigInteger),
    Column("created_ms", BigInteger, nullable=False),
    Column("node", String(32)),
    Column("info", Text, nullable=False),
    Index("tables_listed", "listed", "state", "created_ms"),
    Index("tables_due", "due_ms"),
)
"""One row a table, for the lobby and for whoever looks after its bots and clocks:
`node` does so now; at `due_ms` somebody must."""

tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("name", String(40), nullable=False),
    Column("scopes", String(120), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("last_used_ms", BigInteger),
    Column("revoked_ms", BigInteger),
)
"""Personal tokens of bots from outside. A revoked one stays, so that it can be told apart from one
that never was."""

seatings = Table(
    "seatings",
    metadata,
    Column("token_id", String(16), primary_key=True),
    Column("table_id", String(16), primary_key=True),
)
"""At which tables a token sits."""

nodes = Table(
    "nodes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("beat_ms", BigInteger, nullable=False),
)
"""The server processes that share this database, and when each was last heard of."""

bans = Table(
    "bans",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("reason", String(200), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger),
)
"""Who may not come in: a network (`address`), a token's id (`token`), the hash of a seat key
(`person`)."""

admin_orders = Table(
    "admin_orders",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("subject", String(64), nullable=False),
)
"""What running servers are to look at again: see `cabochon.server.orders`. Kept for an hour."""

admin_log = Table(
    "admin_log",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("who", String(64), nullable=False),
    Column("act", String(16), nullable=False),
    Column("subject", String(200), nullable=False),
    Column("detail", Text, nullable=False),
)
"""What was done with `cabochon admin`, by which user of the machine."""

holdings = Table(
    "holdings",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("address", String(64), nullable=False),
    Column("network", String(64)),
    Column("person", String(64)),
    Column("bots_only", Boolean, nullable=False),
    Column("unplayed", Boolean, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Index("holdings_address", "address"),
    Index("holdings_network", "network"),
    Index("holdings_person", "person"),
    Index("holdings_seen_ms", "seen_ms"),
)
"""Who has made an unfinished table (hashes), and when somebody was last seen there."""

counts = Table(
    "counts",
    metadata,
    Column("bucket", String(32), primary_key=True),
    Column("level", Double, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""How full each bucket of the limits was, for processes that share them."""
