"""What a program reads before it plays: titles, descriptions and arguments of the tools, from the
catalogue. Each description stands by itself, for a reader who has nothing else."""

from __future__ import annotations

from cabochon.mcp.games import KEPT_HOURS
from cabochon.words import ENGLISH, Words, texts_of


class Manual:
    """The manual in one language. Raises ValueError for a language that nobody wrote."""

    def __init__(self, lang: str = ENGLISH) -> None:
        self._say = Words(lang, "mcp")
        self.lifetime = self._say("lifetime", hours=KEPT_HOURS)

    def __call__(self, key: str, **params: object) -> str:
        return self._say(key, lifetime=self.lifetime, **params)

    def title(self, tool: str) -> str:
        return self(f"tools.{tool}.title")

    def description(self, tool: str) -> str:
        return self(f"tools.{tool}.text")

    def argument(self, tool: str, name: str) -> str:
        """What the tool says of its argument, or else what all tools say of it."""
        own = f"tools.{tool}.arguments.{name}"
        return self(own if f"mcp.{own}" in texts_of(ENGLISH) else f"arguments.{name}")
