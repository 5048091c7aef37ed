"""Small things a server's table says, as a person reads them."""

from __future__ import annotations

from typing import Any

from cabochon.online.seentable import SeenTable
from cabochon.play.talking import PHRASES
from cabochon.words import Words, in_all_languages, text

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
