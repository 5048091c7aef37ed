"""What the stream of the pools says."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from cabochon.play.messages import ClockInfo


class PoolState(TypedDict):
    """As in `GET /api/pools`."""

    id: str
    kind: str
    seats: int
    target: int
    clock: ClockInfo
    rated: bool
    waiting: int
    needs: int | None
    waiting_rated: int
    waiting_friendly: int


class PoolsNews(TypedDict):
    """All pools, how many people are here, and the pools that you wait in."""

    type: Literal["pools"]
    pools: list[PoolState]
    here: int
    waiting: list[str]


class PoolOffer(TypedDict):
    """You have waited for a while; this bot plays about as well as you."""

    type: Literal["offer"]
    pool: str
    bot: str


class PoolPairing(TypedDict):
    """You sit at that table."""

    type: Literal["paired"]
    pool: str
    table: str


PoolMessage = PoolsNews | PoolOffer | PoolPairing
