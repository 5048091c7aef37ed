"""PNG pictures, painted in a process of their own: the painter never lets the interpreter go while
it works, which may take a second, and nobody's move is to wait for that."""

from __future__ import annotations

import asyncio
import sys
from importlib.util import find_spec

from cabochon.server.problems import ServerFault, ServerRefused

MOST_WAITING = 8
SECONDS = 30.0


class Painter:
    """Paints one picture after the other."""

    def __init__(self) -> None:
        self._free = asyncio.Lock()
        self._waiting = 0

    async def paint(self, drawing: str, lang: str) -> bytes:
        """The SVG as PNG. Raises ServerRefused without a painter, or with too many waiting."""
        if find_spec("resvg_py") is None or find_spec("PIL") is None:
            raise ServerRefused(ServerFault.NO_PAINTER)
        if self._waiting >= MOST_WAITING:
            raise ServerRefused(ServerFault.PAINTER_BUSY)
        self._waiting += 1
        try:
            async with self._free:
                return await _painted(drawing, lang)
        finally:
            self._waiting -= 1


async def _painted(drawing: str, lang: str) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "cabochon.render.pixels",
        lang,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        told, _ = await asyncio.wait_for(process.communicate(drawing.encode()), SECONDS)
    except BaseException as error:
        process.kill()
        await process.wait()
        if isinstance(error, TimeoutError):
            raise ServerRefused(ServerFault.PAINTER_BUSY) from None
        raise
    if process.returncode or not told:
        raise ServerRefused(ServerFault.NO_PAINTER)
    return told
