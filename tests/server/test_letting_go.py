"""A connection that is over leaves nothing behind: memory stays flat however many come and go."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from cabochon.server.web.wire import Http, Socket
from tests.server.processes import until
from tests.server.serving import Here

ROUNDS = 20


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Only what nobody refers to any more is freed."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def kept() -> int:
    return sum(type(each) in (Socket, Http) for each in gc.get_objects())


@pytest.mark.usefixtures("no_collector")
def test_sockets_that_ended_are_freed_without_the_collector(here: Here) -> None:
    table, keys = here.duel()
    here.full(table, keys[0])
    before = kept()
    for _ in range(ROUNDS):
        here.full(table, keys[0])
    until(lambda: kept() <= before)
