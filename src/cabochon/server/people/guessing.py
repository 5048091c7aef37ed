"""Against guessing: each failure makes the next attempt wait longer, for a name from one address,
for an address and, not so long, for a name from anywhere. It is the same for names that nobody
has."""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator

from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.storage.guesses import Guesses, GuessRule
from cabochon.server.storage.holdings import pseudonym

QUARTER_HOUR_MS = 900_000
HERE = GuessRule(3, QUARTER_HOUR_MS)
"""One name, from one address."""
ADDRESS = GuessRule(20, QUARTER_HOUR_MS)
"""Any names, from one address: a school may sit behind it."""
NAME = GuessRule(10, 30_000)
"""One name, from anywhere: nobody should be able to keep its owner out for long."""


@contextlib.asynccontextmanager
async def one_guess(guesses: Guesses, look: str, address: str, now: int) -> AsyncIterator[None]:
    """What is done inside is an attempt, and has failed if it raises. Raises ServerRefused when it
    comes too soon."""
    here = pseudonym(f"guess {look} {address}")
    others = {
        pseudonym(f"guess from {address}"): ADDRESS,
        pseudonym(f"guess name {look}"): NAME,
    }
    wait = await guesses.attempt({here: HERE, **others}, now)
    if wait:
        raise ServerRefused(ServerFault.TOO_FAST, seconds=math.ceil(wait / 1000))
    yield
    await guesses.succeeded(here, list(others))
