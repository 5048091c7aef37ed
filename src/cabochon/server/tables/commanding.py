"""What others may ask of the tables: which are in memory, to carry out a command, to do something
in the background. The hub answers; nobody needs to know the whole hub."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeAlias

from cabochon.play.events import Opened
from cabochon.play.table import Decision, Table
from cabochon.server.settings import Settings
from cabochon.server.storage.holdings import Holder
from cabochon.server.storage.sitters import Sitters
from cabochon.server.storage.sqlstore import SqlStore
from cabochon.server.tables.live import Live

TableCommand: TypeAlias = Callable[[Table, int], Decision]
"""What is decided at a table, at that time. Raises CabochonError where it is refused."""


class StoredTables(Protocol):
    """Where the games are kept."""

    @property
    def clock(self) -> Callable[[], int]: ...

    @property
    def settings(self) -> Settings: ...

    @property
    def store(self) -> SqlStore: ...


class OpenedTables(Protocol):
    """Where tables are made, and who sits there is noted."""

    @property
    def clock(self) -> Callable[[], int]: ...

    @property
    def store(self) -> SqlStore: ...

    @property
    def sitters(self) -> Sitters: ...

    async def open(self, table_id: str, opened: Opened, holder: Holder | None = None) -> Live: ...


class LiveTables(Protocol):
    """The tables in memory."""

    @property
    def clock(self) -> Callable[[], int]: ...

    def in_memory(self, table_id: str) -> Live | None: ...

    async def decide(self, live: Live, command: TableCommand) -> Decision: ...

    def job(self, work: Coroutine[Any, Any, object]) -> None: ...


class EveryTable(Protocol):
    """Any table, by its id, read back if it must be; and word of games that end and players who
    leave before the start."""

    @property
    def clock(self) -> Callable[[], int]: ...

    @property
    def store(self) -> SqlStore: ...

    @property
    def on_finish(self) -> list[Callable[[Live], None]]: ...

    @property
    def on_left(self) -> list[Callable[[Table, int], None]]: ...

    async def live(self, table_id: str) -> Live: ...

    async def decide(self, live: Live, command: TableCommand) -> Decision: ...

    def job(self, work: Coroutine[Any, Any, object]) -> None: ...


class CatchingUp(Protocol):
    """Tables that may have changed without this node: elsewhere, or by an administrator."""

    def in_memory(self, table_id: str) -> Live | None: ...

    async def caught_up(self, live: Live) -> None: ...

    async def tell_lobby(self, table_id: str) -> None: ...
