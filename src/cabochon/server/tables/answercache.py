"""Answers that took a while and may be asked for again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Protocol

from cabochon.server.storage.sqlstore import SqlStore

MOST_BYTES = 8 * 1024 * 1024


class AnswerCache:
    """Bytes by what they answer; those not asked for longest go first. A key says everything that
    its answer depends on, so nothing is ever out of date."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._size = 0

    def get(self, key: Hashable) -> bytes | None:
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: Hashable, answer: bytes) -> None:
        """Nothing larger than a quarter of the room is kept: it would push out everything."""
        if len(answer) > self._most // 4 or key in self._kept:
            return
        self._kept[key] = answer
        self._size += len(answer)
        while self._size > self._most:
            self._size -= len(self._kept.popitem(last=False)[1])


class AnsweringTables(Protocol):
    """Where answers are made and kept."""

    @property
    def answers(self) -> AnswerCache: ...

    @property
    def store(self) -> SqlStore: ...
