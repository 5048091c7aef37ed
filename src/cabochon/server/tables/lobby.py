"""Who wants to hear of tables: every change of a listed table goes to all lobby sockets, and
starts and ends to the bots that sit there."""

from __future__ import annotations

from collections.abc import Collection

import orjson

from cabochon.play.messages import VERSION, TableInfo
from cabochon.play.messaging import Audience
from cabochon.play.table import Table
from cabochon.play.tableinfo import table_info
from cabochon.server.tables.live import Subscriber
from cabochon.server.tables.lobbymessages import GameEvent, LobbyChange


class Lobby:
    """Subscribers of the lobby, and of single tokens."""

    def __init__(self) -> None:
        self._all: set[Subscriber] = set()
        self._tokens: dict[str, Subscriber] = {}
        self._told: dict[str, set[tuple[str, bool]]] = {}
        self._number = 0

    @property
    def has_listeners(self) -> bool:
        return bool(self._all or self._tokens)

    def subscribe(self) -> Subscriber:
        subscriber = Subscriber(Audience())
        self._all.add(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        self._all.discard(subscriber)

    def subscribe_token(self, token_id: str) -> Subscriber:
        """One stream a token: the newest closes the older."""
        older = self._tokens.get(token_id)
        if older is not None:
            older.close("a newer stream was opened")
        subscriber = Subscriber(Audience())
        self._tokens[token_id] = subscriber
        self._told[token_id] = set()
        return subscriber

    def unsubscribe_token(self, token_id: str, subscriber: Subscriber) -> None:
        if self._tokens.get(token_id) is subscriber:
            del self._tokens[token_id], self._told[token_id]

    def changed(self, table: Table, here: Collection[int] = ()) -> None:
        """Something that the lobby shows; `here` are the seats whose player is connected."""
        if table.options.listed and self._all:
            self._tell(table_info(table, here), None)
        if table.state == "open":
            return
        for token_id in {chair.token for chair in table.chairs if chair.token is not None}:
            self.tell_token(token_id, table)

    def tell_token(self, token_id: str, table: Table) -> None:
        """That its game has started, or is over: each once a stream."""
        subscriber, event = self._tokens.get(token_id), (table.id, table.ended is not None)
        if subscriber is not None and event not in self._told[token_id]:
            self._told[token_id].add(event)
            subscriber.push(orjson.dumps(_game_event(table, token_id)))

    def removed(self, table_id: str) -> None:
        if self._all:
            self._tell(None, table_id)

    def close(self) -> None:
        for subscriber in (*self._all, *self._tokens.values()):
            subscriber.close("the server is stopping")

    def _tell(self, table: TableInfo | None, removed: str | None) -> None:
        self._number += 1
        message: LobbyChange = {
            "v": VERSION,
            "type": "lobbyChange",
            "seq": self._number,
            "table": table,
            "removed": removed,
        }
        data = orjson.dumps(message)
        for subscriber in self._all:
            subscriber.push(data)


def _game_event(table: Table, token_id: str) -> GameEvent:
    """A game of the token's has started, or is over."""
    seats = [seat for seat, chair in enumerate(table.chairs) if chair.token == token_id]
    return {
        "v": VERSION,
        "type": "gameStart" if table.ended is None else "gameFinish",
        "table": table_info(table),
        "seats": seats,
    }
