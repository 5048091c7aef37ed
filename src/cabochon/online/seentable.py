"""A server's table as its messages tell it, and the small things it says as a person reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cabochon.bots import BOT_NAMES
from cabochon.notation import view_from_json
from cabochon.play.talking import PHRASES
from cabochon.rules import View
from cabochon.words import Words, in_all_languages, text

# A table as its messages tell it: one plain state object.


@dataclass
class SeenTable:
    """What has come so far. `told` is how many lines of the log `news` has handed out."""

    table: dict[str, Any] = field(default_factory=dict)
    status: str = "open"
    you: int | None = None
    held: list[int] = field(default_factory=list)
    version: int = 0
    log: list[dict[str, Any]] = field(default_factory=list)
    clocks: dict[str, Any] | None = None
    takeback: dict[str, Any] | None = None
    rematch: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    seed: str | None = None
    _view: dict[str, Any] = field(default_factory=dict)
    _told: int = 0

    def hear(self, message: dict[str, Any]) -> None:
        """Take in one message of the table."""
        match message["type"]:
            case "gameFull":
                self._full(message)
            case "gameState":
                self._changed(message)
            case "seats":
                self._seated(message["table"])
            case "takeback":
                self.takeback = message["takeback"]
            case "rematch":
                self.rematch = message["rematch"]
            case "gameFinish":
                self.result, self.seed = message["result"], message["seed"]
                self.status = "finished"
                self._seated(message["table"])

    def _full(self, message: dict[str, Any]) -> None:
        first = not self.table
        self._seated(message["table"])
        self.status, self.version = message["status"], message["version"]
        self.you, self.held = message["you"], message["seats_held"]
        self.log, self.clocks = message["log"], message["clocks"]
        self.takeback, self.rematch = message["takeback"], message["rematch"]
        self.result, self.seed = message["result"], message["seed"]
        self._view = message["view"] or {}
        self._told = len(self.log) if first else min(self._told, len(self.log))

    def _changed(self, message: dict[str, Any]) -> None:
        self.version, self.status = message["version"], message["status"]
        self.you, self.clocks = message["you"], message["clocks"]
        self.log = self.log[: message["log_from"]] + message["log"]
        self._told = min(self._told, message["log_from"])
        self._view = {**self._view, **message["view"]}
        self.takeback = None

    def _seated(self, table: dict[str, Any]) -> None:
        self.table, self.status = table, table["state"]

    def news(self) -> list[dict[str, Any]]:
        """The lines of the log that were not handed out yet."""
        fresh, self._told = self.log[self._told :], len(self.log)
        return fresh

    @property
    def is_over(self) -> bool:
        return self.status == "finished"

    @property
    def view(self) -> View | None:
        """What the viewer may know; None before the start."""
        return view_from_json(self._view) if self._view else None

    @property
    def is_my_turn(self) -> bool:
        mine = self.you is not None and self._view.get("seat") == self.you
        return self.status == "running" and mine and self._view["phase"] != "over"

    @property
    def free_seats(self) -> int:
        return sum(chair["kind"] == "open" for chair in self.table.get("chairs", ()))

    def names(self, lang: str) -> tuple[str, ...]:
        """Who sits where; a bot is called by its title."""
        return tuple(_name(chair, lang) for chair in self.table.get("chairs", ()))


def _name(chair: dict[str, Any], lang: str) -> str:
    if chair["name"] is None and chair["bot"] is not None:
        titles = in_all_languages(f"bots.{chair['bot']}.title") if chair["bot"] in BOT_NAMES else {}
        return titles.get(lang, str(chair["bot"]).capitalize())
    return chair["name"] or "?"


# Small things a server's table says, as a person reads them.


_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def clock_line(state: SeenTable, words: Words) -> str:
    """How much time everybody has left."""
    assert state.clocks is not None
    left = (
        f"{name} {time_left(ms)}"
        for name, ms in zip(state.names(words.lang), state.clocks["remaining_ms"], strict=True)
    )
    return words("online.clocks", clocks=" · ".join(left))


def time_left(ms: int) -> str:
    """`4:07`, `2:00:00`, `3d 4h`."""
    seconds = max(0, ms) // 1000
    if seconds >= _DAY:
        return f"{seconds // _DAY}d {seconds % _DAY // _HOUR}h"
    minutes, rest = divmod(seconds, _MINUTE)
    if minutes < 60:
        return f"{minutes}:{rest:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def chat_text(message: dict[str, Any], names: tuple[str, ...], words: Words) -> str:
    """A line of the chat."""
    phrase = str(message.get("phrase"))
    said = text(f"chat.{phrase}", words.lang) if phrase in PHRASES else phrase
    return words("online.said", who=names[message["seat"]], what=said)


def phrase_of(typed: str) -> str | None:
    """The phrase that is meant: its number, its name, or its text in any language."""
    typed = typed.strip().lower()
    if typed.isascii() and typed.isdigit() and 1 <= int(typed[:4]) <= len(PHRASES):
        return PHRASES[int(typed) - 1]
    for phrase in PHRASES:
        texts = in_all_languages(f"chat.{phrase}").values()
        if typed == phrase or typed in (text.lower() for text in texts):
            return phrase
    return None


def phrase_lines(lang: str) -> list[str]:
    return [f"{n:>2} {text(f'chat.{phrase}', lang)}" for n, phrase in enumerate(PHRASES, start=1)]
