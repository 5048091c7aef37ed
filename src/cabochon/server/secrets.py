"""Secrets: random, shown once, kept only as hashes, compared in constant time.

A secret has at least 128 bits, so a plain SHA-256 of it cannot be searched for; no salt is needed.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets

SEAT_KEY = "cab_s_"
TOKEN = "cab_b_"
STUDY_KEY = "cab_k_"
_ID_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def new_seat_key() -> str:
    """Plays a seat."""
    return SEAT_KEY + secrets.token_urlsafe(32)


def new_token() -> str:
    """A personal token, for a bot from outside."""
    return TOKEN + secrets.token_urlsafe(32)


def new_study_key() -> str:
    """Replaces a kept study."""
    return STUDY_KEY + secrets.token_urlsafe(32)


def new_session_secret() -> str:
    """Says who somebody is; kept by their browser, in a cookie."""
    return secrets.token_urlsafe(32)


def new_person_id() -> str:
    """Twelve letters, for everybody to see."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(12))


def new_table_id() -> str:
    """Ten letters that are easily told apart: it names a table in its address, no more."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(10))


TABLE_ID = r"^[a-z0-9]{4,16}$"


def is_table_id(text: str) -> bool:
    """Whether a table may be called that; nothing else is looked for in a database."""
    return re.fullmatch(TABLE_ID, text) is not None


def new_code(table_id: str) -> str:
    """An invitation, or a watcher's pass: it says which table, and has 128 bits besides."""
    return f"{table_id}-{secrets.token_urlsafe(16)}"


def table_of_code(code: str) -> str:
    """The table that a code belongs to, if it is one."""
    return code.partition("-")[0]


def hashed(secret: str) -> str:
    """What may be kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def matches(secret_hash: str, kept: str | None) -> bool:
    """Whether the hash is the kept one, in a time that tells nothing."""
    return kept is not None and hmac.compare_digest(secret_hash, kept)
