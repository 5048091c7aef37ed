"""What the kernel itself can refuse, beside the law's IllegalMove and IllegalDeal.

CabochonError
└── KernelError     a record, a buffer or an index that cannot be used (code: KernelFault)
"""

from __future__ import annotations

from enum import StrEnum

from cabochon.rules.errors import CabochonError
from cabochon.rules.sentences import register


class KernelFault(StrEnum):
    """Why the kernel will not touch this."""

    NOT_STATES = "not-states"
    BAD_INDEX = "bad-index"
    CORRUPT_RECORD = "corrupt-record"
    HIDDEN_CARDS = "hidden-cards"
    BAD_BUFFER = "bad-buffer"
    BAD_COUNT = "bad-count"


register(
    {
        KernelFault.NOT_STATES: (
            "Records come in a writable, contiguous, one-dimensional array of dtype STATE, "
            "not {what}.",
            "记录须放在可写、连续、一维、类型为 STATE 的数组中，而不是 {what}。",
        ),
        KernelFault.BAD_INDEX: (
            "There is no record {index} among {count}.",
            "共有 {count} 个记录，没有第 {index} 个。",
        ),
        KernelFault.CORRUPT_RECORD: (
            "Record {index} shows no possible game: {what}.",
            "第 {index} 个记录不是可能的局面：{what}。",
        ),
        KernelFault.HIDDEN_CARDS: (
            "Record {index} has cards the viewer cannot know; imagine them before playing on.",
            "第 {index} 个记录含有观察者未知的牌；须先补全再继续。",
        ),
        KernelFault.BAD_BUFFER: (
            "The buffer for {what} must be {expected}; it is {given}.",
            "{what} 的缓冲区应为 {expected}，实际为 {given}。",
        ),
        KernelFault.BAD_COUNT: (
            "The number of {what} must be from {least} to {most}; it is {given}.",
            "{what} 的数量须在 {least} 到 {most} 之间，实际为 {given}。",
        ),
    }
)


class KernelError(CabochonError):
    """A record, buffer or number that the kernel refuses to work on; nothing has changed."""
