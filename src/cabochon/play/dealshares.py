"""What the people at a table add to its deal: first everybody's hash, then everybody's share.

The shares are asked for once every chair is taken and every hash is there, so nobody can pick a
share to fit another. A player who then holds theirs back gives up the chair, and all shares are
void: a second try never mixes what anybody already knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from cabochon.rules import mixed_seed

MOST_ROUNDS = 10
"""Tries at a start. Somebody who knows the host's seed and reveals last can look at a deal in each
of them and hold back, so there is a limit."""
REVEAL_MS = 15_000
"""How long somebody who is there may take: a page answers at once, without a click."""


@dataclass(frozen=True, slots=True)
class Share:
    """One seat's part. `hash` is None while a new one is awaited, `share` until it is revealed."""

    seat: int
    hash: str | None
    share: str | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """Everybody's parts, by seat. `round` counts how often shares were asked for; `asked` is when
    the table began to wait for what is missing now, None while chairs are open."""

    parts: tuple[Share, ...] = ()
    round: int = 1
    asked: int | None = None

    @classmethod
    def of(cls, hashes: Iterable[tuple[int, str]]) -> Shares:
        return cls(tuple(Share(seat, pledged) for seat, pledged in sorted(hashes)))

    # What can be read off

    @property
    def hashless(self) -> tuple[int, ...]:
        """The seats whose hash is awaited."""
        return tuple(part.seat for part in self.parts if part.hash is None)

    @property
    def hidden(self) -> tuple[int, ...]:
        """The seats whose share has not been revealed."""
        return tuple(part.seat for part in self.parts if part.share is None)

    @property
    def is_revealing(self) -> bool:
        """Whether shares are being revealed: from then on nobody may change or leave unnoticed."""
        return self.asked is not None and bool(self.parts) and not self.hashless

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that the table waits for: for their hash first, then for their share."""
        if self.asked is None:
            return ()
        return self.hashless or self.hidden

    @property
    def hashes(self) -> dict[int, str]:
        return {part.seat: part.hash for part in self.parts if part.hash is not None}

    @property
    def revealed(self) -> dict[int, str]:
        return {part.seat: part.share for part in self.parts if part.share is not None}

    def part(self, seat: int) -> Share | None:
        return next((part for part in self.parts if part.seat == seat), None)

    def seed(self, seed: str, table: str) -> str:
        """The seed that deals, once every share is there."""
        return mixed_seed(seed, table, self.revealed.items())

    # What may happen to them

    def pledged(self, seat: int, share_hash: str) -> Shares:
        """With that seat's hash; when it was the last one awaited, a new wait begins."""
        shares = self._with(Share(seat, share_hash))
        return shares if shares.hashless else replace(shares, asked=None)

    def opened(self, seat: int, share: str) -> Shares:
        part = self.part(seat)
        assert part is not None
        return self._with(replace(part, share=share))

    def without(self, seat: int) -> Shares:
        """Somebody has left, so nothing is asked for now. If shares were being revealed, all are
        void: the others pick new ones."""
        left = tuple(part for part in self.parts if part.seat != seat)
        if not self.is_revealing:
            return replace(self, parts=left, asked=None)
        return Shares(tuple(Share(part.seat, None) for part in left), self.round + 1)

    def asked_at(self, now: int) -> Shares:
        """Every chair is taken: from now on the table waits, if it didn't already."""
        return self if self.asked is not None else replace(self, asked=now)

    def _with(self, part: Share) -> Shares:
        others = [other for other in self.parts if other.seat != part.seat]
        return replace(self, parts=tuple(sorted([*others, part], key=lambda one: one.seat)))


NO_SHARES = Shares()
