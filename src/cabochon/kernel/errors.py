"""What the kernel itself can refuse, beside the law's IllegalMove and IllegalDeal.

CabochonError
└── KernelError     a record, a buffer or an index that cannot be used (code: KernelFault)
"""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules.errors import CabochonError


class KernelFault(StrEnum):
    """Why the kernel will not touch this."""

    NOT_STATES = "not-states"
    BAD_INDEX = "bad-index"
    CORRUPT_RECORD = "corrupt-record"
    HIDDEN_CARDS = "hidden-cards"
    BAD_BUFFER = "bad-buffer"
    BAD_COUNT = "bad-count"


class KernelError(CabochonError):
    """A record, buffer or number that the kernel refuses to work on; nothing has changed."""
