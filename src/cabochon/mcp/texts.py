"""The resources: the rules by topic, and the cards.

What a program reads before it plays: titles, descriptions and arguments of the tools, from the
catalogue. Each description stands by itself, for a reader who has nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator

from cabochon.mcp.opengames import KEPT_HOURS
from cabochon.rules import CARDS, NOBLES
from cabochon.words import ENGLISH, Words, rules_text, template, texts_of


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


def cards_text() -> str:
    """All cards and nobles, one a line: code, level, bonus, points, price."""
    return "\n".join(_card_lines()) + "\n"


def _card_lines() -> Iterator[str]:
    yield "code,level,bonus,points,cost"
    for card in CARDS:
        cost = "".join(f"{n}{letter}" for n, letter in zip(card.cost, "wugrk", strict=False) if n)
        yield f"{card.code},{card.level},{card.bonus.letter},{card.points},{cost}"
    yield ""
    yield "noble,name,points,bonuses asked"
    for noble in NOBLES:
        cost = "".join(f"{n}{letter}" for n, letter in zip(noble.cost, "wugrk", strict=False) if n)
        yield f"{noble.code},{noble.name},{noble.points},{cost}"


def rule_sections(lang: str) -> dict[str, str]:
    """The rules by heading, in lower case; `everything` is all of them."""
    text = rules_text(lang)
    sections = {"everything": text}
    for block in text.split("\n## ")[1:]:
        heading, _, body = block.partition("\n")
        sections[heading.strip().lower()] = body.strip()
    return sections


def rule_about(topic: str, lang: str) -> tuple[str, str] | None:
    """The heading and text of what is asked for: a section, a refusal's code, or every paragraph
    of the rules that has the words; None when there is nothing."""
    asked = " ".join(topic.lower().split())
    sections = rule_sections(lang)
    if asked in sections:
        return asked, sections[asked]
    if f"errors.{asked}" in texts_of(ENGLISH):
        return asked, template(f"errors.{asked}", lang)
    words = [word.rstrip("s") for word in asked.split()]
    found = [
        line
        for line in sections["everything"].splitlines()
        if words and all(word in line.lower() for word in words)
    ]
    return (asked, "\n".join(found)) if found else None
