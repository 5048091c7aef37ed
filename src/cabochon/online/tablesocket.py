"""A table's socket that comes back by itself: messages and breaks go into a queue, and commands
that were not answered are said again. Each has an id, so nothing is done twice."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, TypeAlias

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI
from websockets.sync.client import ClientConnection, connect

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 8.0
_TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}
_WAIT_FOR = {"database-away", "too-fast", "busy", "stopping"}

Message: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection is gone; it is being tried again."""


@dataclass(frozen=True, slots=True)
class Shut:
    """The server doesn't let us in, and trying again won't help; `why` is a sentence."""

    why: str


Happening: TypeAlias = Message | Lost | Shut


class TableSocket:
    """One table, followed in a thread. `tell` is called there with everything that happens."""

    def __init__(
        self,
        address: str,
        hello: Message,
        tell: Callable[[Happening], None],
        token: str | None = None,
    ) -> None:
        self._address = address
        self._hello = hello
        self._tell = tell
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self._numbers = count(1)
        self._unanswered: dict[str, Message] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._ws: ClientConnection | None = None
        self._seq: int | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def open(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        with self._lock:
            ws = self._ws
        if ws is not None:
            ws.close()
        self._thread.join(2.0)

    def say(self, kind: str, **fields: Any) -> str:
        """Say it now, or as soon as there is a connection. Gives the id that the answer has."""
        with self._lock:
            name = f"t{next(self._numbers)}"
            message = {"type": kind, "id": name, **fields}
            self._unanswered[name] = message
            _send(self._ws, message)
        return name

    # In the thread

    def _run(self) -> None:
        pause = FIRST_PAUSE_S
        while not self._ended.is_set():
            try:
                heard = self._talk()
            except _Refused as refusal:
                self._tell(Shut(str(refusal)))
                return
            if self._ended.is_set():
                return
            self._tell(Lost())
            pause = FIRST_PAUSE_S if heard else min(2 * pause, LONGEST_PAUSE_S)
            self._ended.wait(pause)

    def _talk(self) -> bool:
        """One connection, until it breaks; whether anything came. Raises _Refused."""
        heard = False
        try:
            with connect(
                self._address,
                additional_headers=self._headers,
                max_size=None,
                close_timeout=0.5,
                user_agent_header=None,
            ) as ws:
                self._greet(ws)
                for text in ws:
                    self._hear(json.loads(text))
                    heard = True
        except InvalidStatus as error:
            if error.response.status_code not in _TRY_AGAIN:
                raise _Refused(_detail(error)) from None
        except InvalidURI as error:
            raise _Refused(str(error)) from None
        except (OSError, ConnectionClosed, InvalidHandshake, TimeoutError, ValueError):
            pass
        finally:
            with self._lock:
                self._ws = None
        return heard

    def _greet(self, ws: ClientConnection) -> None:
        with self._lock:
            self._ws = ws
            _send(ws, {"type": "hello", **self._hello, "since": self._seq})
            for message in self._unanswered.values():
                _send(ws, message)

    def _hear(self, message: Message) -> None:
        if message.get("type") == "refused" and message.get("id") == "hello":
            problem = message["problem"]
            if problem["code"] in _WAIT_FOR:
                raise OSError(problem["code"])
            raise _Refused(problem["detail"])
        if message.get("type") in ("accepted", "refused", "checked", "pong"):
            with self._lock:
                self._unanswered.pop(message["id"], None)
        else:
            self._seq = message.get("seq", self._seq)
        self._tell(message)


class _Refused(Exception):
    """The door is shut for good."""


def _send(ws: ClientConnection | None, message: Message) -> None:
    """A break is noticed where we listen, and what is unanswered is said again."""
    if ws is not None:
        with contextlib.suppress(OSError, ConnectionClosed):
            ws.send(json.dumps(message))


def _detail(error: InvalidStatus) -> str:
    try:
        return str(json.loads(error.response.body or b"")["detail"])
    except (ValueError, KeyError, TypeError):
        return f"HTTP {error.response.status_code}"
