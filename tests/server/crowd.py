"""A crowd of players who do not give up: they reconnect, resume, repeat what was not answered,
and remember every answer they were given. Used by the tests and by `make soak-server`."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import httpx
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, WebSocketException

from cabochon.play.events import Moved
from cabochon.play.recording import record_of
from cabochon.play.table import Table
from cabochon.record import verify
from cabochon.server.storage.database import open_database
from cabochon.server.storage.sqlstore import SqlStore

PATIENCE_S = 100.0
SILENCE_S = 30.0


class Wrong(AssertionError):
    """Something was lost, doubled or stuck."""


@dataclass
class Promise:
    """A move that the server said it had kept."""

    table: str
    seat: int
    seq: int
    id: str
    moves: list[str]


@dataclass
class Crowd:
    """Players at many tables; `ports` are the nodes they may connect to."""

    ports: list[int]
    pause_s: float = 0.02
    sources: list[str] = field(default_factory=list)
    """Addresses of this machine that tables come from, in turn; one for all if there are none."""
    patient: bool = False
    """Note what is refused instead of failing, and sit down again when a game is over."""
    waits: list[tuple[float, float]] = field(default_factory=list)
    """When each move was answered, and how long that took."""
    refused: list[str] = field(default_factory=list)
    """Codes of moves that were refused to the patient, at tables of their own ..."""
    refused_beside: list[str] = field(default_factory=list)
    """... and at tables that they share with an attacker."""
    no_table: list[str] = field(default_factory=list)
    """Why the patient could not make a table."""
    returns: list[float] = field(default_factory=list)
    """How long everybody who was cut off took to be back at the table."""
    promises: list[Promise] = field(default_factory=list)
    finished: set[str] = field(default_factory=set)
    tables: list[str] = field(default_factory=list)
    stopping: bool = False
    _players: list[_Player] = field(default_factory=list)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def start(self, tables: int, with_bots: int) -> None:
        """Sit down: every table has two people; `with_bots` of them have two bots as well."""
        for number in range(tables):
            bots = [{"kind": "bot", "bot": "greedy"}] * 2 if number < with_bots else []
            if self.patient:
                self._tasks.append(asyncio.create_task(self._play_on(number, bots)))
            else:
                for player in await self._sit_down(bots, None):
                    self._tasks.append(asyncio.create_task(player.play()))

    async def _play_on(self, number: int, bots: list[Any]) -> None:
        """One game after another at tables of one's own."""
        source = self.sources[number % len(self.sources)] if self.sources else None
        await asyncio.sleep(self.pause_s * random.random())
        while not self.stopping:
            try:
                players = await self._sit_down(bots, source)
            except httpx.HTTPError as error:
                self.no_table.append(type(error).__name__)
                await asyncio.sleep(1)
                continue
            await asyncio.gather(*(player.play() for player in players))

    async def _sit_down(self, bots: list[Any], source: str | None) -> list[_Player]:
        people = [{"kind": "me", "name": "Ada"}, {"kind": "local", "name": "Bo"}]
        chairs = [*people, *bots]
        made = await self.post("/tables", {"seats": len(chairs), "chairs": chairs}, source)
        table = made["table"]["id"]
        self.tables.append(table)
        keys = [(entry["seat"], entry["key"]) for entry in made["keys"]]
        players = [_Player(self, table, seat, key, source) for seat, key in keys]
        self._players += players
        return players

    async def share(self, source: str, told: Callable[[str, str], None]) -> None:
        """One game after another with somebody who means no good: `told` hears of each table and
        the key of the other seat."""
        while not self.stopping:
            chairs = [{"kind": "me", "name": "Vic"}, {"kind": "open"}]
            try:
                made = await self.post("/tables", {"chairs": chairs}, source)
                table, code = made["table"]["id"], made["invites"][0]["code"]
                joining = {"name": "Mal", "code": code}
                other = await self.post(f"/tables/{table}/join", joining, source)
            except httpx.HTTPError as error:
                self.no_table.append(type(error).__name__)
                await asyncio.sleep(1)
                continue
            self.tables.append(table)
            entry = made["keys"][0]
            player = _Player(self, table, entry["seat"], entry["key"], source, beside=True)
            self._players.append(player)
            told(table, other["key"])
            await player.play()

    def also(self, work: Coroutine[Any, Any, None]) -> None:
        """Something else that goes on until everybody stops."""
        self._tasks.append(asyncio.create_task(work))

    async def post(self, path: str, body: Any, source: str | None = None) -> Any:
        transport = httpx.AsyncHTTPTransport(local_address=source, verify=False)
        async with httpx.AsyncClient(timeout=60, transport=transport) as http:
            answer = await http.post(f"http://127.0.0.1:{self.ports[0]}/api{path}", json=body)
            answer.raise_for_status()
            return answer.json()

    async def stop(self) -> None:
        self.stopping = True
        for task in self._tasks:
            task.cancel()
        _, stuck = await asyncio.wait(self._tasks, timeout=PATIENCE_S)
        if stuck:
            raise Wrong(f"{len(stuck)} players do not stop")
        self.check_alive()

    def cut(self) -> int:
        """All connections break at once, without a word; how many. Everybody comes back."""
        now = time.perf_counter()
        return sum(player.cut(now) for player in self._players)

    def check_alive(self) -> None:
        """Raises what went wrong with a player, if anything did."""
        for task in self._tasks:
            if task.done() and not task.cancelled() and task.exception() is not None:
                raise task.exception()  # type: ignore[misc]

    async def moves_on(self, more: int) -> None:
        """Wait until so many more moves have been promised. Raises Wrong when they do not come."""
        goal = len(self.promises) + more
        until = asyncio.get_running_loop().time() + PATIENCE_S
        while len(self.promises) < goal:
            self.check_alive()
            if len(self.finished) >= len(self.tables):
                return
            if asyncio.get_running_loop().time() > until:
                stuck = "\n".join(str(player) for player in self._players if not player.over)
                raise Wrong(f"{len(self.promises)} promises, {goal} expected:\n{stuck}")
            await asyncio.sleep(0.02)


class _Player:
    """One seat. A move that was sent and not answered is sent again with the same id."""

    def __init__(
        self,
        crowd: Crowd,
        table: str,
        seat: int,
        key: str,
        source: str | None = None,
        beside: bool = False,
    ) -> None:
        self._local = None if source is None else (source, 0)
        self._beside = beside
        self._sent = 0.0
        self._crowd = crowd
        self._table = table
        self._seat = seat
        self._key = key
        self._random = random.Random(key)
        self._seq = 0
        self._version = 0
        self._legal: list[str] = []
        self._waiting: dict[str, Any] | None = None
        self._number = 0
        self._socket: ClientConnection | None = None
        self._cut_at: float | None = None
        self.over = False

    def __str__(self) -> str:
        where = f"{self._table} seat {self._seat} at {self._seq}, version {self._version}"
        return f"{where}, {len(self._legal)} legal, waiting for {self._waiting}"

    async def play(self) -> None:
        while not (self.over or self._crowd.stopping):
            with contextlib.suppress(OSError, WebSocketException, InvalidHandshake, TimeoutError):
                await self._sit()
            await asyncio.sleep(self._random.uniform(0.1, 0.4))
        if self.over:
            self._crowd.finished.add(self._table)

    async def _sit(self) -> None:
        port = self._random.choice(self._crowd.ports)
        address = f"ws://127.0.0.1:{port}/api/tables/{self._table}/socket"
        async with connect(
            address,
            ping_interval=None,
            open_timeout=5,
            close_timeout=0.5,
            proxy=None,
            local_addr=self._local,
        ) as socket:
            self._socket = socket
            # Whoever was cut off wants to hear something, so as to know that they are back.
            since = self._seq if self._cut_at is None else 0
            hello = {"type": "hello", "keys": [self._key], "since": since}
            await socket.send(orjson.dumps(hello).decode())
            if self._waiting is not None:
                await socket.send(orjson.dumps(self._waiting).decode())
            while not self.over:
                if self._legal and self._waiting is None:
                    await self._think(socket)
                    if not (self._legal and self._waiting is None):
                        continue
                    self._sent = time.perf_counter()
                    await socket.send(orjson.dumps(self._choose()).decode())
                async with asyncio.timeout(SILENCE_S):
                    heard = await socket.recv()
                self._hear(orjson.loads(heard))

    def cut(self, now: float) -> bool:
        if self.over or self._socket is None:
            return False
        self._socket.transport.abort()
        self._socket, self._cut_at = None, now
        return True

    async def _think(self, socket: ClientConnection) -> None:
        """Whoever thinks still hears what happens at the table."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._pause()):
                while not self.over:
                    self._hear(orjson.loads(await socket.recv()))

    def _pause(self) -> float:
        pause = self._crowd.pause_s
        return pause * self._random.uniform(0.5, 1.5) if self._crowd.patient else pause

    def _choose(self) -> dict[str, Any]:
        self._number += 1
        buys = [text for text in self._legal if text.startswith("buy")]
        self._waiting = {
            "type": "move",
            "id": f"{self._seat}.{self._number}",
            "version": self._version,
            "moves": [self._random.choice(buys or self._legal)],
        }
        return self._waiting

    def _hear(self, message: Any) -> None:
        kind = message["type"]
        if kind in ("gameFull", "gameState"):
            if message["seq"] < self._seq:
                raise Wrong("a message came twice")
            self._seq, self._version = message["seq"], message["version"]
            self._legal = message["legal"]
            if self._cut_at is not None:
                self._crowd.returns.append(time.perf_counter() - self._cut_at)
                self._cut_at = None
            self.over = message["status"] == "finished"
        elif kind == "accepted":
            self._promised(message)
        elif kind == "refused":
            self._refused(message)

    def _promised(self, message: Any) -> None:
        waiting = self._waiting
        if waiting is None or message["id"] != waiting["id"]:
            raise Wrong(f"an answer to nothing: {message}")
        promise = Promise(
            self._table, self._seat, message["event"], waiting["id"], waiting["moves"]
        )
        self._crowd.promises.append(promise)
        now = time.perf_counter()
        self._crowd.waits.append((now, now - self._sent))
        self._waiting = None
        if message["event"] > self._seq:
            self._legal = []

    def _refused(self, message: Any) -> None:
        code = message["problem"]["code"]
        if not self._crowd.patient:
            if code in ("busy", "stopping"):
                return
            raise Wrong(f"refused: {message['problem']}")
        (self._crowd.refused_beside if self._beside else self._crowd.refused).append(code)
        self._waiting = None


async def check_promises(db: str, crowd: Crowd) -> dict[str, Table]:
    """Read the database itself: every promise is kept, every table replays, no half turns."""
    engine = await open_database(db)
    store = SqlStore(engine, "check")
    tables: dict[str, Table] = {}
    promised: dict[str, list[Promise]] = {}
    for promise in crowd.promises:
        promised.setdefault(promise.table, []).append(promise)
    try:
        for table_id in crowd.tables:
            events = await store.events(table_id)
            tables[table_id] = Table.of(table_id, events)
            kept = dict(enumerate(events, 1))
            for promise in promised.get(table_id, ()):
                _check(promise, kept.get(promise.seq))
            keys = [(e.seat, e.key) for e in events if isinstance(e, Moved) and e.key]
            if len(keys) != len(set(keys)):
                raise Wrong(f"a move was made twice at {table_id}")
            found = verify(record_of(tables[table_id]))
            if not found.ok:
                raise Wrong(f"{table_id}: {found.lines()}")
    finally:
        await engine.dispose()
    return tables


def _check(promise: Promise, event: object) -> None:
    if not isinstance(event, Moved) or (event.seat, event.key) != (promise.seat, promise.id):
        raise Wrong(f"promised and not kept: {promise}, there is {event}")
