"""Where a bot's decision is thought out: one at a time in each place."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from cabochon.server.thinking.engineprocess import EngineDied, EngineProcess, JobRefused

PATIENCE_S = 120.0
"""What a bot needs may have to be compiled first; a process that takes longer is thought dead."""


@dataclass(frozen=True, slots=True)
class BotQuestion:
    """All that a thinking process gets: a seat's view as text, which bot sits there, and how many
    seconds it has."""

    table: str
    seat: int
    bot: str
    view: str
    seconds: float

    def of(self, bot: str) -> BotQuestion:
        """The same question to another bot."""
        return replace(self, bot=bot)

    def told(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """A move as text; `wrong` says why it is not the bot's own, if it isn't."""

    move: str
    wrong: str | None


class BotPlace(Protocol):
    """Somewhere to think."""

    @property
    def is_remote(self) -> bool:
        """Whether it takes none of this machine's time."""
        ...

    async def choose(self, question: BotQuestion) -> BotAnswer:
        """Raises EngineDied, after which the same may be asked elsewhere, and JobRefused."""
        ...

    def dismiss(self, table_id: str) -> None:
        """That table needs its bots no more."""
        ...


class NearPlace:
    """A process of this machine."""

    is_remote = False

    def __init__(self, nice: int) -> None:
        self.engine = EngineProcess(nice, "cabochon.server.thinking.botprocess")
        self.is_fresh = True
        """Nobody has been asked there yet, so that it is still small."""

    async def choose(self, question: BotQuestion) -> BotAnswer:
        self.is_fresh = False
        found: dict[str, Any] | None = None
        try:
            async with asyncio.timeout(PATIENCE_S):
                lines = self.engine.ask(job="choose", **question.told())
                async with contextlib.aclosing(lines):
                    async for line in lines:
                        found = line
        except TimeoutError:
            await self.engine.close()
        if found is None:
            raise EngineDied
        return BotAnswer(found["move"], found["wrong"])

    def dismiss(self, table_id: str) -> None:
        self.engine.note(table_id)

    async def renew(self) -> None:
        """A new process in place of the old one."""
        await self.engine.close()
        await self.engine.start()
        self.is_fresh = True


__all__ = ["BotAnswer", "BotPlace", "BotQuestion", "EngineDied", "JobRefused", "NearPlace"]
