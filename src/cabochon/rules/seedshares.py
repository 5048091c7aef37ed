"""What people add to a seed, so that nobody can choose a deal: not a player, and not the host.

Everybody picks a random share and shows its hash; once all hashes are there the shares are
revealed, and the deal comes from the host's seed and all shares together. Defined by bytes, like
the shuffle (docs/notation.md, "Shares").
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterable

SHARE = r"[0-9a-f]{32}"
"""128 bits, as lower-case hexadecimal text."""
SHARE_HASH = r"[0-9a-f]{64}"


def new_share() -> str:
    """A share nobody can guess."""
    return secrets.token_hex(16)


def is_share(text: str) -> bool:
    return re.fullmatch(SHARE, text) is not None


def is_share_hash(text: str) -> bool:
    return re.fullmatch(SHARE_HASH, text) is not None


def share_hash(share: str) -> str:
    """What may be shown of a share before the others are known: it fixes the share."""
    return hashlib.sha256(f"cabochon share 1\n{share}".encode()).hexdigest()


def mixed_seed(seed: str, table: str, shares: Iterable[tuple[int, str]]) -> str:
    """The seed that deals: from the host's own, the table's name, and each seat with its share.
    The order of `shares` doesn't matter. Raises ValueError for what is no share, a seat named
    twice, or a table whose name is no single line: two different mixes never read the same."""
    given = sorted(shares)
    if "\n" in table:
        raise ValueError("a table's name is one line")
    if len({seat for seat, _ in given}) < len(given):
        raise ValueError("a seat has one share")
    if not all(seat in range(4) and is_share(share) for seat, share in given):
        raise ValueError("a share is 32 hexadecimal digits, for a seat from 0 to 3")
    lines = "".join(f"{seat} {share}\n" for seat, share in given)
    text = f"cabochon shares 1\n{table}\n{len(given)}\n{lines}{seed}"
    return hashlib.sha256(text.encode()).hexdigest()
