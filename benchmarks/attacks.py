"""What hostile clients do to a server: each attack as fast as one client can, from addresses of its
own, in a process of its own. Only ever against a server on this machine.

    python -m benchmarks.attacks --port 8000 --seconds 30 [--shared FILE] [--only churn]

FILE is a JSON object of tables that attackers share with honest people, with the keys of their
seats; it is read again and again. Prints one JSON line: what each attack got done, and what
stopped it.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import json
import os
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

HOST = "127.0.0.1"
TROUBLE = (OSError, WebSocketException, httpx.HTTPError, TimeoutError, EOFError, KeyError)
"""What an attacker puts up with: it tries again."""
CONTROL_BYTES_S = 1_500_000
SLOW_READERS = 60
MAKERS = 6


@dataclass
class Siege:
    """One server under attack until a moment."""

    port: int
    until: float
    shared: Path | None = None
    done: Counter[str] = field(default_factory=Counter)

    @property
    def on(self) -> bool:
        return time.monotonic() < self.until

    def http(self, source: str) -> httpx.AsyncClient:
        transport = httpx.AsyncHTTPTransport(local_address=source)
        base = f"http://{HOST}:{self.port}/api"
        return httpx.AsyncClient(base_url=base, timeout=10, transport=transport)

    @contextlib.asynccontextmanager
    async def talk(
        self, table: str, source: str, keys: list[str], **hello: Any
    ) -> AsyncIterator[ClientConnection]:
        address = f"ws://{HOST}:{self.port}/api/tables/{table}/socket"
        async with connect(
            address,
            ping_interval=None,
            open_timeout=5,
            close_timeout=0.2,
            proxy=None,
            max_size=None,
            local_addr=(source, 0),
        ) as opened:
            await _say(opened, type="hello", keys=keys, **hello)
            yield opened

    def count(self, what: str, answer: httpx.Response | None = None) -> None:
        refused = answer is not None and not answer.is_success
        self.done[f"{what}_refused" if refused else what] += 1

    async def own_table(self, source: str, http: httpx.AsyncClient) -> tuple[str, list[str]]:
        """Two seats for one attacker. Raises httpx.HTTPStatusError."""
        chairs = [{"kind": "me", "name": "Mal"}, {"kind": "local", "name": "Lam"}]
        asked = {"chairs": chairs, "seat_order": "fixed"}
        answer = await http.post("/tables", json=asked)
        answer.raise_for_status()
        made = answer.json()
        return made["table"]["id"], [entry["key"] for entry in made["keys"]]


async def _say(opened: ClientConnection, **message: Any) -> None:
    await opened.send(orjson.dumps(message).decode())


# The attacks: each runs until the siege is over


async def fill_the_log(siege: Siege) -> None:
    """Move and take back for ever with two seats, and have it all told again."""
    source = "127.0.0.10"
    async with siege.http(source) as http:
        table, keys = await siege.own_table(source, http)
        async with siege.talk(table, source, keys) as opened:
            reading = asyncio.create_task(_reread(siege, http, table, keys))
            try:
                await _move_and_take_back(siege, opened)
            finally:
                reading.cancel()


async def _move_and_take_back(siege: Siege, opened: ClientConnection) -> None:
    legal: list[str] = []
    version = number = refused = 0
    while siege.on and refused < 200:
        message = orjson.loads(await asyncio.wait_for(opened.recv(), 10))
        if message["type"] in ("gameFull", "gameState"):
            legal, version = message["legal"], message["version"]
            siege.count("log_events")
            number += 1
            if not legal:
                return
            move = {"version": version, "moves": [random.choice(legal)]}
            wish: dict[str, Any] = {"type": "takeback", "action": "ask", "seat": number // 2 % 2}
            await _say(opened, id=str(number), **(move | {"type": "move"} if number % 3 else wish))
        elif message["type"] == "refused":
            refused += 1
            await asyncio.sleep(0.05)
            number += 1
            move = {"version": version, "moves": [random.choice(legal)]}
            await _say(opened, id=str(number), type="move", **move)


async def _reread(siege: Siege, http: httpx.AsyncClient, table: str, keys: list[str]) -> None:
    headers = {"Authorization": f"Bearer {keys[0]}"}
    while siege.on:
        with contextlib.suppress(*TROUBLE):
            async with http.stream(
                "GET", f"/tables/{table}/stream?since=1", headers=headers
            ) as answer:
                siege.count("rereads", answer)
                async for _ in answer.aiter_bytes():
                    break
        await asyncio.sleep(0.05)


async def send_control_frames(siege: Siege) -> None:
    """Pings, pongs and empty continuations, megabytes of them."""
    source = "127.0.0.11"
    async with siege.http(source) as http:
        table, _ = await siege.own_table(source, http)
    reader, writer = await asyncio.open_connection(HOST, siege.port, local_addr=(source, 0))
    try:
        key = base64.b64encode(os.urandom(16)).decode()
        head = (
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {HOST}:{siege.port}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n"
        )
        writer.write(head.encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(_frame(0x81, b'{"type":"hello"}'))
        drain = asyncio.create_task(_swallow(reader))
        kinds = (_frame(0x89, b"x" * 8), _frame(0x8A, b""), _frame(0x01, b"") + _frame(0x80, b""))
        flood = b"".join(kinds) * 200
        while siege.on and not drain.done():
            writer.write(flood)
            await asyncio.wait_for(writer.drain(), 10)
            siege.done["control_bytes"] += len(flood)
            await asyncio.sleep(len(flood) / CONTROL_BYTES_S)
        drain.cancel()
    finally:
        writer.close()


async def _swallow(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reader.read(65_536):
            pass


def _frame(first: int, data: bytes) -> bytes:
    """A masked frame, as clients send them; the mask is zero."""
    return bytes((first, 0x80 | len(data))) + bytes(4) + data


async def pester(siege: Siege) -> None:
    """At a table shared with honest people: chat, leave, come back, drop the line."""
    if siege.shared is None or not siege.shared.exists():
        return
    tables = json.loads(siege.shared.read_text("utf-8"))
    await asyncio.gather(*(_pester(siege, *pair) for pair in tables.values()))


async def _pester(siege: Siege, table: str, key: str) -> None:
    with contextlib.suppress(*TROUBLE):
        async with siege.talk(table, "127.0.0.12", [key]) as opened:
            for number in range(12):
                await _say(opened, id=f"c{number}", type="chat", phrase="hello")
            await _say(opened, id="l", type="leave")
            siege.count("leaves")
            async with asyncio.timeout(0.5):
                while True:
                    await opened.recv()
    await asyncio.sleep(0.1)


async def make_tables(siege: Siege) -> None:
    """From several addresses, to fill the house."""
    await asyncio.gather(*(_make_tables(siege, f"127.0.1.{n}") for n in range(2, 2 + MAKERS)))


async def _make_tables(siege: Siege, source: str) -> None:
    bot = {"kind": "bot", "bot": "greedy"}
    kinds = ([{"kind": "me", "name": "Mal"}, {"kind": "open"}], [bot, bot])
    async with siege.http(source) as http:
        while siege.on:
            for chairs in kinds:
                answer = await http.post("/tables", json={"chairs": chairs})
                siege.count("tables", answer)
                pause = 0.1 if answer.is_success else 0.5
                await asyncio.sleep(pause)


async def read_slowly(siege: Siege) -> None:
    """Sockets and streams of a table where much happens, which are never read."""
    source = "127.0.0.13"
    async with siege.http(source) as http:
        table, keys = await siege.own_table(source, http)
        kept: list[socket.socket] = []
        try:
            for number in range(SLOW_READERS):
                kept.append(await _unread(siege, table, f"127.0.2.{number % 4 + 2}"))
                siege.count("slow_readers")
            async with siege.talk(table, source, keys, facts=True) as opened:
                await _chatter(siege, opened)
        finally:
            for each in kept:
                each.close()


async def _unread(siege: Siege, table: str, source: str) -> socket.socket:
    loop = asyncio.get_running_loop()
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.setblocking(False)
    slow.bind((source, 0))
    await loop.sock_connect(slow, (HOST, siege.port))
    head = (
        f"GET /api/tables/{table}/stream?facts=true HTTP/1.1\r\nHost: {HOST}:{siege.port}\r\n\r\n"
    )
    await loop.sock_sendall(slow, head.encode())
    return slow


async def _chatter(siege: Siege, opened: ClientConnection) -> None:
    """Twenty seconds of it, then everything anew."""
    for number in range(100):
        if not siege.on:
            return
        await _say(opened, id=str(number), type="chat", phrase="hello", seat=number % 2)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.2):
                while True:
                    await opened.recv()


async def read_what_is_costly(siege: Siege) -> None:
    """Records, replays, numbers, and moves that are stale on purpose."""
    source = "127.0.0.14"
    async with siege.http(source) as http:
        table, keys = await siege.own_table(source, http)
        headers = {"Authorization": f"Bearer {keys[0]}"}
        stale = {"moves": ["take wug"], "version": 0}
        while siege.on:
            for path in ("record", "replay"):
                answer = await http.get(f"/tables/{table}/{path}", headers=headers)
                siege.count(path, answer)
            answer = await http.post(f"/tables/{table}/move", json=stale, headers=headers)
            siege.done["stale_moves"] += 1
            answer = await http.get(f"http://{HOST}:{siege.port}/metrics")
            siege.count("metrics", answer)
            await asyncio.sleep(0.01)


async def say_bad_hellos(siege: Siege) -> None:
    """With keys that nobody knows."""
    source = "127.0.0.15"
    async with siege.http(source) as http:
        table, _ = await siege.own_table(source, http)
    while siege.on:
        keys = ["cab_s_" + base64.urlsafe_b64encode(os.urandom(32)).decode()[:43]] * 8
        with contextlib.suppress(*TROUBLE):
            async with siege.talk(table, source, keys) as opened:
                await asyncio.wait_for(opened.recv(), 5)
        siege.count("bad_hellos")
        await asyncio.sleep(0.02)


async def churn(siege: Siege) -> None:
    """Connections that come and go, some with a reset."""
    while siege.on:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(5):
                local = ("127.0.0.16", 0)
                _, dropped = await asyncio.open_connection(HOST, siege.port, local_addr=local)
            dropped.write(b"GET /api/lobby HTTP/1.1\r\nHost: x\r\n")
            if siege.done["churn"] % 2:
                dropped.transport.abort()
            dropped.close()
        siege.count("churn")
        await asyncio.sleep(0.01)


ATTACKS: dict[str, Callable[[Siege], Awaitable[None]]] = {
    "log": fill_the_log,
    "frames": send_control_frames,
    "pester": pester,
    "tables": make_tables,
    "slow": read_slowly,
    "costly": read_what_is_costly,
    "hellos": say_bad_hellos,
    "churn": churn,
}


async def besiege(siege: Siege, names: list[str]) -> Counter[str]:
    """All these attacks at once; one that is cut off begins again a moment later."""

    async def again(attack: Callable[[Siege], Awaitable[None]], name: str) -> None:
        while siege.on:
            try:
                await attack(siege)
            except TROUBLE as error:
                siege.done[f"{name}_cut_off"] += 1
                if isinstance(error, httpx.HTTPStatusError):
                    siege.done[f"{name}_{error.response.status_code}"] += 1
                await asyncio.sleep(0.5)
            await asyncio.sleep(0.05)

    tasks = [asyncio.create_task(again(ATTACKS[name], name)) for name in names]
    await asyncio.wait(tasks, timeout=max(0.0, siege.until - time.monotonic()) + 1)
    for task in tasks:
        if task.done() and task.exception() is not None:
            raise task.exception()  # type: ignore[misc]
        task.cancel()
    await asyncio.wait(tasks)
    return siege.done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--only", choices=tuple(ATTACKS), action="append")
    args = parser.parse_args()
    os.nice(5)  # on a machine of two cores attackers would else take the honest clients' time
    siege = Siege(args.port, time.monotonic() + args.seconds, args.shared)
    done = asyncio.run(besiege(siege, args.only or list(ATTACKS)))
    print(json.dumps(dict(sorted(done.items()))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
