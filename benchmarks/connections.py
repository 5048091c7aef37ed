"""What an open connection costs a server in memory: sockets that watch a table, some hundreds of
them and then many more. A hundred thousand are worked out from that, by a straight line.

    python benchmarks/connections.py [--few 200] [--many 1200]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

import httpx
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.mix import resident_mib
from benchmarks.server import Server

EACH = 20
"""Connections at one table."""
SIMULATED = 100_000


async def open_some(base: str, count: int) -> list[ClientConnection]:
    """Who watches: connected, and told everything once."""
    sockets = []
    async with httpx.AsyncClient(base_url=base, timeout=60) as http:
        for _ in range(count // EACH):
            chairs = [{"kind": "me", "name": "Ada"}, {"kind": "local", "name": "Bo"}]
            made = (await http.post("/api/tables", json={"chairs": chairs})).json()
            where = (
                f"{base.rstrip('/').replace('http', 'ws')}/api/tables/{made['table']['id']}/socket"
            )
            for _ in range(EACH):
                socket = await connect(where, ping_interval=None, proxy=None, compression=None)
                await socket.send('{"type": "hello"}')
                await socket.recv()
                sockets.append(socket)
    return sockets


async def measure(server: Server, few: int, many: int) -> dict[str, float]:
    pid = server.process.pid
    sockets = await open_some(server.base, few)
    before = resident_mib(pid)
    sockets += await open_some(server.base, many - few)
    after = resident_mib(pid)
    await asyncio.gather(*(socket.close() for socket in sockets), return_exceptions=True)
    kib = 1024 * (after - before) / (many - few)
    return {
        "connections": many,
        "kib_per_connection": round(kib, 1),
        "mib_at_few": round(before, 1),
        "gib_at_100000": round((before + kib * (SIMULATED - few) / 1024) / 1024, 2),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--few", type=int, default=200)
    parser.add_argument("--many", type=int, default=1200)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "tables.db", CABOCHON_REVIEW_WORKERS="0")
        try:
            print(json.dumps(asyncio.run(measure(server, args.few, args.many))))
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
