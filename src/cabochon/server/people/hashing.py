"""Passwords and recovery codes, hashed slowly (Argon2id): a copy of the database helps nobody to
guess them. In threads of its own, and never many at once: each takes memory."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from argon2 import PasswordHasher

T = TypeVar("T")

MEMORY_KIB, PASSES = 19_456, 2
"""What OWASP advises for Argon2id."""
CODES = 8
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_GROUPS, _GROUP = 3, 4
_THREADS = ThreadPoolExecutor(2, "hashing")


async def hash_password(password: str) -> str:
    return await _aside(lambda: _hasher().hash(_usual(password)))


async def is_password(kept: str | None, password: str) -> bool:
    """It takes as long when there is none."""
    return await _aside(lambda: _verified(kept or _nobody_s(), password) and kept is not None)


def new_codes() -> list[str]:
    """Eight, such as `k7mq-2xvd-9hpt`: 59 bits each."""
    return [_new_code() for _ in range(CODES)]


async def hash_code(person_id: str | None, code: str) -> str:
    """For nobody it takes as long."""
    bare = re.sub(r"[\s-]", "", code.casefold())
    return await _aside(lambda: _slow_hash(bare, person_id or "nobody"))


async def hash_codes(person_id: str, codes: list[str]) -> list[str]:
    return [await hash_code(person_id, code) for code in codes]


def _new_code() -> str:
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_GROUPS * _GROUP))
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def _usual(password: str) -> str:
    """However a keyboard composes its letters."""
    return unicodedata.normalize("NFKC", password)


def _verified(kept: str, password: str) -> bool:
    from argon2.exceptions import VerificationError

    try:
        return _hasher().verify(kept, _usual(password))
    except VerificationError:
        return False


def _slow_hash(text: str, person_id: str) -> str:
    """The same for the same: what somebody says is looked for among what is kept."""
    from argon2.low_level import Type, hash_secret_raw

    salt = hashlib.sha256(f"cabochon code {person_id}".encode()).digest()[:16]
    secret = text.encode("utf-8", "surrogatepass")
    raw = hash_secret_raw(secret, salt, PASSES, MEMORY_KIB, 1, 32, Type.ID)
    return base64.urlsafe_b64encode(raw).decode()


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=1)


@cache
def _nobody_s() -> str:
    return _hasher().hash(secrets.token_urlsafe(16))


async def _aside(work: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(_THREADS, work)
