"""A client in miniature: it keeps what it was told, as the protocol says to."""

from __future__ import annotations

from typing import Any


class Client:
    """The state that the messages make; two that were told the same are equal."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}
        self.seq = 0

    def hear(self, message: Any) -> None:
        kind = message["type"]
        if kind == "gameFull":
            self.state = {k: v for k, v in message.items() if k not in ("now_ms", "type", "seq")}
        elif kind == "gameState":
            self._hear_state(message)
        elif kind == "seats":
            self.state["table"] = message["table"]
        elif kind == "chatLine":
            said = {key: message[key] for key in ("seq", "seat", "phrase", "at_ms")}
            self.state["chat"] = [*self.state["chat"][-49:], said]
        elif kind in ("takeback", "rematch"):
            self.state[kind] = message[kind]
        elif kind == "gameFinish":
            for key in ("result", "seed", "table"):
                self.state[key] = message[key]
        if kind != "presence":
            self.seq = message["seq"]

    def _hear_state(self, message: Any) -> None:
        state = self.state
        state["log"] = state["log"][: message["log_from"]] + message["log"]
        state["view"] = {**state["view"], **message["view"]}
        if "facts" in message:
            state["facts"] = {**state["facts"], **message["facts"]}
        for key in ("version", "you", "legal", "clocks", "status", "last_round"):
            state[key] = message[key]
        state["table"] = {**state["table"], "state": message["status"]}
        state["takeback"] = None
