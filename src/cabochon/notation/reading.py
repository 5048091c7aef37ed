"""A record as it was read: with what its text says beside it, which only `verify` asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cabochon.record import LinePath, Record


@dataclass(frozen=True, slots=True)
class Reading:
    """A record, and what its text says beside it: the label before a ply (`3b`), and whether the
    text came to an end of its own, a result or `*`. `branch_labels` are those in variations."""

    record: Record
    labels: Mapping[int, str] = field(default_factory=dict, hash=False)
    is_ended: bool = True
    branch_labels: Mapping[LinePath, Mapping[int, str]] = field(default_factory=dict, hash=False)
