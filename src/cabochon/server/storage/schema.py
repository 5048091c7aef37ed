"""The database: events are the truth; everything else can be found again from them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    and_,
    event,
    false,
    not_,
    text,
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
    postgresql_partition_by="HASH (table_id)",
)
"""Append-only. The key makes two nodes, or two clients, unable to both follow event n. PostgreSQL
keeps them in partitions by table, so that each has a small index and is cleaned by itself."""

PARTITIONS = tuple(f"events_{number:02}" for number in range(16))


def create_partitions(connection: Connection) -> None:
    """Of `events`, in PostgreSQL."""
    for number, name in enumerate(PARTITIONS):
        share = f"WITH (MODULUS {len(PARTITIONS)}, REMAINDER {number})"
        connection.exec_driver_sql(f"CREATE TABLE {name} PARTITION OF events FOR VALUES {share}")


@event.listens_for(events, "after_create")
def _after_create(_target: Table, connection: Connection, **_more: Any) -> None:
    if connection.dialect.name == "postgresql":
        create_partitions(connection)


packed_games = Table(
    "packed_games",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("last_seq", Integer, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    Column("made_ms", BigInteger, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""The events of games that are over, up to number `last_seq`, which happened at `last_ms`: see
`cabochon.server.storage.packedgames`."""

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
    Column("settled", Boolean, nullable=False, server_default=false()),
    Column("settle_ms", BigInteger),
    Column("packed", Boolean, nullable=False, server_default=false()),
    Index("tables_settled", "state", "settled"),
    Index("tables_listed", "listed", "state", "created_ms"),
    Index("tables_due", "due_ms"),
)
"""One row per table, for the lobby and for the node that looks after its bots and clocks: `node`
does so now; at `due_ms` somebody must. `settled`: a finished game is among `games`, or belongs to
nobody; one that could not be settled is tried again at `settle_ms`. `packed`: it is in
`packed_games`, and has no event that isn't; whatever happens there later sets it back."""

_waits_for_packing = and_(tables.c.state == "finished", not_(tables.c.packed))
Index(
    "tables_unpacked",
    tables.c.created_ms,
    sqlite_where=_waits_for_packing,
    postgresql_where=_waits_for_packing,
)

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
    Column("person_id", String(16)),
    Index("tokens_person", "person_id"),
)
"""Personal tokens of bots from outside, and whose they are, if they belong to an account. A revoked
one stays, so that it can be told apart from one that never was."""

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
"""Who may not come in: a network (`address`), a token's id (`token`), the id of a person or the
hash of a seat key (`person`)."""

admin_orders = Table(
    "admin_orders",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("subject", String(64), nullable=False),
)
"""What running servers are to look at again, kept for an hour: see
`cabochon.server.tables.orders`."""

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

studies = Table(
    "studies",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("key", String(64), nullable=False),
    Column("title", String(80), nullable=False),
    Column("record", Text, nullable=False),
    Column("address", String(64), nullable=False),
    Column("network", String(64)),
    Column("person", String(64)),
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Index("studies_address", "address"),
    Index("studies_network", "network"),
    Index("studies_person", "person"),
    Index("studies_seen_ms", "seen_ms"),
)
"""Records with variations that somebody keeps, with the hash of the key that replaces them, who
made them (hashes), and when they were last looked at."""

reviews = Table(
    "reviews",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("state", String(8), nullable=False),
    Column("record", Text, nullable=False),
    Column("engine", String(120), nullable=False),
    Column("visits", Integer, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("knowledge", String(12), nullable=False),
    Column("person", String(64), nullable=False),
    Column("address", String(64)),
    Column("rank", Integer, nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("asked_ms", BigInteger, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("head", Text),
    Column("body", LargeBinary),
    Column("worker", String(32)),
    Column("lease_ms", BigInteger),
    Column("attempts", Integer, nullable=False),
    Index("reviews_order", "state", "rank", "created_ms"),
    Index("reviews_person", "person", "created_ms"),
    Index("reviews_address", "address", "created_ms"),
    Index("reviews_asked", "asked_ms"),
)
"""Wishes for reviews, and the reviews. The id follows from the game, the players' names (they are
in the sentences) and the engine; `person` and `address` are hashes of who asked. `worker` has it
until `lease_ms`. A finished one is `body`, compressed; one under way has its turns in
`review_turns`."""

review_turns = Table(
    "review_turns",
    metadata,
    Column("review_id", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),
    Column("figures", Text, nullable=False),
)
"""The turns judged so far: as they are shown, and to the last digit, so that the review can be
continued."""

evals = Table(
    "evals",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("visits", Integer, nullable=False),
    Column("body", Text, nullable=False),
    Column("asked_ms", BigInteger, nullable=False),
    Index("evals_asked", "asked_ms"),
)
"""What the live engine found about a position when it looked longest."""

sitters = Table(
    "sitters",
    metadata,
    Column("who", String(64), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Index("sitters_table", "table_id"),
)
"""Who has played at a table that is not finished: hashes of seat keys and addresses, ids of tokens
and people. The live engine asks."""

people = Table(
    "people",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("name", String(40)),
    Column("skeleton", String(200)),
    Column("kept", Boolean, nullable=False),
    Column("hidden", Boolean, nullable=False),
    Column("password", String(200)),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Column("renamed_ms", BigInteger),
    Column("deleted_ms", BigInteger),
    Column("became", String(16)),
    Index("people_became", "became"),
    Index("people_skeleton", "skeleton"),
    Index("people_search", "kept", "skeleton", postgresql_ops={"skeleton": "text_pattern_ops"}),
    Index("people_seen", "seen_ms"),
)
"""Guests, and those who keep their name (`kept`). `skeleton` is what the name looks like, for
searches. `password` is an Argon2 hash. Of a deleted one only the id is left, and the times; of a
guest who signed in to a kept name and brought their games along, also who they `became`."""

kept_names = Table(
    "kept_names",
    metadata,
    Column("look", String(200), primary_key=True),
    Column("person_id", String(16), nullable=False),
    Index("kept_names_person", "person_id"),
)
"""What kept names look like: nobody else may be called anything that looks the same."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person_id", String(16), nullable=False),
    Column("hash", String(64), nullable=False),
    Column("next_hash", String(64)),
    Column("former_hash", String(64)),
    Column("label", String(80), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("offered_ms", BigInteger),
    Column("proved_ms", BigInteger),
    Column("revoked_ms", BigInteger),
    Index("sessions_person", "person_id"),
    Index("sessions_seen", "seen_ms"),
)
"""One row for each browser that somebody uses. Its secret changes now and then: `next_hash` is of
the new one, offered at `offered_ms`, until it is used for the first time, at `changed_ms`;
`former_hash` of the one before. At `proved_ms` it was last shown, by passkey, password or code,
that it is really them."""

passkeys = Table(
    "passkeys",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person_id", String(16), nullable=False),
    Column("credential", Text, nullable=False),
    Column("credential_hash", String(64), nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("counter", BigInteger, nullable=False),
    Column("label", String(60), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
    Index("passkeys_person", "person_id"),
)
"""Public keys that sign their owner in."""

recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("hash", String(64), primary_key=True),
)
"""Those that are left."""

challenges = Table(
    "challenges",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("purpose", String(40), nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
"""What passkeys were asked to sign: each is good once, for what it was made for."""

guesses = Table(
    "guesses",
    metadata,
    Column("subject", String(64), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last_ms", BigInteger, nullable=False),
    Index("guesses_last", "last_ms"),
)
"""How often somebody tried to sign in, by name and by address (hashes), since it last worked."""

person_tables = Table(
    "person_tables",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Index("person_tables_table", "table_id"),
)
"""At which tables a person sits or has sat."""

games = Table(
    "games",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("table_id", String(16), nullable=False, unique=True),
    Column("ended_ms", BigInteger, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("ruleset", String(60), nullable=False),
    Column("seats", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("clock", String(60)),
    Column("reason", String(8), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("review_id", String(32)),
    Column("review_state", String(8), nullable=False),
    Column("counted", Integer, nullable=False, server_default=text("0")),
    Index("games_counted", "counted"),
    Index("games_review", "review_state", "number"),
)
"""Finished games in which a person has played, in the order they were settled. `counted` is the
order in which they count: the same, except that a guest's rated games count once more, after all
others, when they are brought along to a kept name. `open`: anybody may know of it. `review_state`:
the quick review is awaited, or its figures are here (`done`), or none will come."""

game_players = Table(
    "game_players",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("person_id", String(16)),
    Column("bot", String(40)),
    Column("name", String(40)),
    Column("place", Integer, nullable=False),
    Column("result", String(1), nullable=False),
    Column("points", Integer, nullable=False),
    Column("cards", Integer, nullable=False),
    Column("nobles", Integer, nullable=False),
    Column("sources", String(60), nullable=False),
    Column("colours", String(60), nullable=False),
    Column("reserved", Integer, nullable=False),
    Column("reserved_bought", Integer, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("accuracy", Integer),
    Column("luck", Integer),
    Column("mistakes", Integer),
    Column("learnt", Boolean, nullable=False, server_default=false()),
    Column("fixed_value", Double),
    Column("fixed_deviation", Double),
    Column("before_value", Double),
    Column("before_deviation", Double),
    Column("value", Double),
    Column("deviation", Double),
    Index("game_players_person", "person_id", "number"),
)
"""Who sat where, and what they made of it. A person's name is not here, so that it is told as it is
now; `name` is of somebody of whom no more is known. `result` is w, l or d. `sources` (points) and
`colours` (cards) are counts by colour, the last one points of nobles. `accuracy` is in tenths of a
per cent, `luck` in hundredths of a point of win chance. `fixed_…` is a bot's rating, the others a
person's before and after the game, if it was rated."""

ratings = Table(
    "ratings",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("games", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    Index("ratings_board", "kind", "listed", "value", "person_id"),
)
"""Where people stand. `listed`: on the leaderboard."""

rating_points = Table(
    "rating_points",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    sqlite_with_rowid=False,
)
"""What a rating was after each of somebody's games."""

_SUMS = (
    *("games", "won", "lost", "drawn", "streak", "best_streak"),
    *("seat0", "seat0_won", "seat1", "seat1_won", "seat2", "seat2_won", "seat3", "seat3_won"),
    *("whole", "rounds", "points", "cards", "nobles", "noble_points"),
    *("reserved", "reserved_bought"),
    *("white", "blue", "green", "red", "black"),
    *("reviewed", "accuracy", "luck", "mistakes"),
)

tallies = Table(
    "tallies",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("kind", String(8), primary_key=True),
    *(Column(name, Integer, nullable=False) for name in _SUMS),
)
"""Sums over somebody's games of one kind; whole numbers, so that no order of adding matters.
`whole` games were played to the end, in so many `rounds`. `streak` counts victories in a row, or
below zero defeats."""

encounters = Table(
    "encounters",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("opponent", String(48), primary_key=True),
    Column("kind", String(8), primary_key=True),
    Column("won", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("open_won", Integer, nullable=False),
    Column("open_lost", Integer, nullable=False),
    Column("open_drawn", Integer, nullable=False),
    Column("played", Integer, nullable=False),
    Column("open_played", Integer, nullable=False),
    Column("last", Integer, nullable=False),
    Index("encounters_played", "person_id", "kind", "played", "last"),
    Index("encounters_open", "person_id", "kind", "open_played", "last"),
)
"""How somebody has fared against a person (`person:ID`) or a bot (`bot:NAME`), in one kind of game
and (`all`) in all of them, and in those that anybody may know of; `last` is the number of the last
game."""

pool_places = Table(
    "pool_places",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("pool", String(16), primary_key=True),
    Column("rated", Boolean, nullable=False),
    Column("rating", Double, nullable=False),
    Column("address", String(64), nullable=False),
    Column("share_hash", String(64)),
    Column("since_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("table_id", String(16)),
    Column("changed_ms", BigInteger, nullable=False),
    Index("pool_places_pool", "pool", "state"),
    Index("pool_places_address", "address"),
)
"""Who waits for a game in which pool, and when they were last seen. `state` is `waiting`, `taken`
(a table is being made for them) or `paired` (they sit there); `changed_ms` is since when. `address`
is a hash."""

pool_pauses = Table(
    "pool_pauses",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("count", Integer, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Index("pool_pauses_until", "until_ms"),
)
"""People who let others down: how often lately, and until when they are not paired."""

invitations = Table(
    "invitations",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("maker", String(16), nullable=False),
    Column("guest", String(16), nullable=False),
    Column("pool", String(16), nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("address", String(64), nullable=False),
    Column("share_hash", String(64)),
    Column("state", String(8), nullable=False),
    Column("table_id", String(16)),
    Column("at_ms", BigInteger, nullable=False),
    Column("until_ms", BigInteger, nullable=False),
    Index("invitations_maker", "maker"),
    Index("invitations_guest", "guest"),
    Index("invitations_until", "until_ms"),
)
"""Who has asked whom for a game, of the kind that a pool has. `state` is `open`, `taken` (the table
is being made), `accepted` (they sit there) or `declined`; nothing is left of it after `until_ms`.
`address` is a hash."""

matchmakers = Table(
    "matchmakers",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("node", String(32), nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
"""Which node brings people together now: one row."""

node_notes = Table(
    "node_notes",
    metadata,
    Column("node", String(32), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("here", Integer, nullable=False),
    Column("watching", Text, nullable=False),
)
"""How many people are connected to each node, and how many of them watch which table."""

blocks = Table(
    "blocks",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("blocked_id", String(16), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Index("blocks_blocked", "blocked_id"),
)
"""Who does not want to play with whom. Only the first of the two ever learns of it."""

reports = Table(
    "reports",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("at_ms", BigInteger, nullable=False),
    Column("reporter", String(16), nullable=False),
    Column("person_id", String(16), nullable=False),
    Column("table_id", String(16)),
    Column("kind", String(16), nullable=False),
    Column("text", String(500), nullable=False),
    Column("closed_ms", BigInteger),
    Column("note", String(200)),
    Index("reports_open", "closed_ms", "at_ms"),
    Index("reports_reporter", "reporter", "at_ms"),
    Index("reports_person", "person_id"),
)
"""What people told the host about others, with the game it happened in."""

puzzle_tries = Table(
    "puzzle_tries",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("puzzle_id", String(8), primary_key=True),
    Column("state", String(8), nullable=False),
    Column("step", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
    Column("ordinal", Integer),
    Column("puzzle_value", Double),
    Column("puzzle_deviation", Double),
    Column("before_value", Double),
    Column("value", Double),
    Column("deviation", Double),
    Index("puzzle_tries_order", "person_id", "ordinal"),
)
"""Each puzzle that somebody has met, once. `state` is `open` (right so far: `step` is to be
answered now), `solved`, `failed`, or `seen` (it will never count). What counted has its place in
their order, the puzzle's rating then, and their own before and after."""

puzzle_starts = Table(
    "puzzle_starts",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("value", Double, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""With which puzzle rating somebody began who had one in their browser."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle_id", String(8), primary_key=True),
    Column("value", Double, nullable=False),
    Column("deviation", Double, nullable=False),
    Column("tries", Integer, nullable=False),
)
"""Puzzles that people have moved from where the bots measured them."""

lesson_marks = Table(
    "lesson_marks",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("lesson_id", String(16), primary_key=True),
    Column("steps", Integer, nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""How many questions of a lesson somebody has answered; the guided game is a lesson of one."""

solved_days = Table(
    "solved_days",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("day", String(10), primary_key=True),
)
"""The days, by the person's own calendar, whose puzzle they have solved."""

best_storms = Table(
    "best_storms",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("solved", Integer, nullable=False),
)
"""How many puzzles somebody has solved in their best storm."""

mistake_boxes = Table(
    "mistake_boxes",
    metadata,
    Column("person_id", String(16), primary_key=True),
    Column("table_id", String(16), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("box", Integer, nullable=False),
    Column("due", String(10), nullable=False),
    Column("at_ms", BigInteger, nullable=False),
)
"""A mistake that was asked again: in which box it lies since then, and when it is due."""
