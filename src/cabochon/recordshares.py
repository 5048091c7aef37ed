"""Whether the shares of a record prove that its deal was nobody's choice.

A table where people added to the deal writes these headers: `Table`, `ShareRound`, and for each
seat that took part `ShareHash0` … `ShareHash3` and, once the game is over, `Share0` … `Share3`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cabochon.recordfaults import RecordError, RecordFault
from cabochon.rules.dealer import is_share, is_share_hash, mixed_seed, share_hash

SEATS = range(4)
FIRST_ROUND = 1


@dataclass(frozen=True, slots=True)
class ShareProof:
    """What the share headers of a record show. `seed` is the one that must have dealt the cards,
    or None when that cannot be said: the host's seed or a share is missing, or something is wrong.
    `round` is more than 1 when somebody withheld a share before."""

    hashes: Mapping[int, str]
    seed: str | None
    round: int
    problems: tuple[RecordError, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every share is there and is the one that its hash promised."""
        return self.seed is not None and not self.problems

    @property
    def seats(self) -> str:
        """The seats that took part, as people read them: `0, 2`."""
        return ", ".join(map(str, sorted(self.hashes)))

    def has(self, remembered: str) -> bool:
        """Whether a share with that hash is in the deal."""
        return self.holds and remembered.lower() in self.hashes.values()


def share_headers(
    table: str, round_number: int, hashes: Mapping[int, str], shares: Mapping[int, str]
) -> dict[str, str]:
    """The headers that `share_proof` reads; without hashes there are none."""
    if not hashes:
        return {}
    headers = {"Table": table, "ShareRound": str(round_number)}
    headers |= {f"ShareHash{seat}": hashes[seat] for seat in sorted(hashes)}
    return headers | {f"Share{seat}": shares[seat] for seat in sorted(shares)}


def without_shares(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers without those that say how and where the cards were dealt."""
    dealt = {"table", "shareround", "takenback", "hints"}
    dealt |= {f"{name}{seat}" for name in ("sharehash", "share") for seat in SEATS}
    return {name: text for name, text in headers.items() if name.lower() not in dealt}


def share_proof(headers: Mapping[str, str], seed: str | None) -> ShareProof | None:
    """What the headers show about the deal; None when nobody added to it."""
    said = {name.lower(): value for name, value in headers.items()}
    hashes = _by_seat(said, "sharehash")
    shares = _by_seat(said, "share")
    if not hashes and not shares:
        return None
    problems = _problems(hashes, shares)
    table = said.get("table")
    round_number = _round(said.get("shareround"))
    if table is None or "\n" in table:
        problems.append(RecordError(RecordFault.SHARE_TABLE, ply=0))
    if round_number is None:
        problems.append(RecordError(RecordFault.SHARE_ROUND, ply=0))
    mixed = None
    if not problems and table is not None and seed is not None and hashes.keys() == shares.keys():
        mixed = mixed_seed(seed, table, shares.items())
    return ShareProof(hashes, mixed, round_number or FIRST_ROUND, tuple(problems))


def _by_seat(said: Mapping[str, str], name: str) -> dict[int, str]:
    found = ((seat, said.get(f"{name}{seat}")) for seat in SEATS)
    return {seat: value for seat, value in found if value is not None}


def _round(text: str | None) -> int | None:
    """The first round where nothing is said."""
    if text is None:
        return FIRST_ROUND
    fits = text.isascii() and text.isdigit() and len(text) < 6 and int(text) >= FIRST_ROUND
    return int(text) if fits else None


def _problems(hashes: Mapping[int, str], shares: Mapping[int, str]) -> list[RecordError]:
    """One for each seat at most: a hash that is none, or a share that is not the promised one."""
    problems = []
    for seat in sorted(hashes.keys() | shares.keys()):
        kept, share = hashes.get(seat), shares.get(seat)
        if kept is None or not is_share_hash(kept):
            problems.append(RecordError(RecordFault.SHARE_HASH, ply=0, seat=seat))
        elif share is not None and (not is_share(share) or share_hash(share) != kept):
            problems.append(RecordError(RecordFault.SHARE_NOT_PROMISED, ply=0, seat=seat))
    return problems
