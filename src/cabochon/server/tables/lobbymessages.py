"""What the lobby's socket and a bot's event stream say."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from cabochon.play.messages import TableInfo


class LobbyFull(TypedDict):
    """The listed tables that are open or running: the first message of the lobby."""

    v: int
    type: Literal["lobbyFull"]
    seq: int
    tables: list[TableInfo]


class LobbyChange(TypedDict):
    """A table is new or has changed (`table`), or is no more (`removed`: its id)."""

    v: int
    type: Literal["lobbyChange"]
    seq: int
    table: TableInfo | None
    removed: str | None


class GameEvent(TypedDict):
    """In a bot's event stream: a game of its token has started, or is over."""

    v: int
    type: Literal["gameStart", "gameFinish"]
    table: TableInfo
    seats: list[int]


LobbyMessage = LobbyFull | LobbyChange | GameEvent
