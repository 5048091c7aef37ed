"""What the tools answer, and the resources: the rules by topic, and the cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field

from cabochon.bots.roster import LEVEL_NAMES
from cabochon.mcp.opengames import KEPT_HOURS
from cabochon.rules import CARDS, NOBLES, VARIANTS
from cabochon.words import ENGLISH, Words, rules_text, template, texts_of

# What the tools answer: each model is a tool's output schema.


class GameReport(BaseModel):
    """A game as its client may know it."""

    game_id: str = Field(description="the handle that every other tool takes")
    version: int = Field(description="how many moves and card deals there have been")
    ruleset: str = Field(description="for example standard/2")
    seat: int | None = Field(description="your seat, counted from 0; null if you play every seat")
    players: list[str] = Field(
        description="names by seat: who, and the seat's number; `you` is you"
    )
    to_move: int | None = Field(description="the seat that decides now; null when the game is over")
    your_turn: bool
    phase: str = Field(description="act, return (give back tokens), noble (choose one) or over")
    points: list[int] = Field(description="by seat")
    result: str | None = Field(description="ranks by seat and why the game ended; null before")
    news: list[str] = Field(description="turns since you last moved, one line each")
    board: str | None = Field(description="the table as text, with your legal moves (format=text)")
    view: dict[str, Any] | None = Field(description="the table as JSON (format=json)")
    expires: str = Field(description="how long the handle lives")
    is_new: bool = Field(False, description="whether this call has begun the game")


class LegalMoves(BaseModel):
    """Every legal move as text; a purchase stands once, with its least gold."""

    game_id: str
    version: int
    phase: str
    moves: list[str]


class Explanation(BaseModel):
    """A rule, or why a move is refused."""

    topic: str
    text: str
    code: str | None = Field(description="the refusal's code, when a move was asked about")
    topics: list[str] = Field(description="everything that can be asked for")


class MoveJudgement(BaseModel):
    """One move in an analysis."""

    move: str
    visits: int
    value: float | None = Field(description="your expected part of the victory after it")
    prior: float = Field(description="how likely it looked before any search")


class AnalysisReport(BaseModel):
    """What a search finds; it knows no more than the seat to move."""

    game_id: str
    version: int
    best: str
    chances: list[float] = Field(description="each seat's expected part of the victory")
    moves: list[MoveJudgement] = Field(description="the best first")
    variation: list[str]
    visits: int


class ReplayReport(BaseModel):
    """The game so far, one line per turn."""

    game_id: str
    version: int
    turns: list[str] = Field(description="a sentence each")
    lines: list[str] = Field(description="the same in table notation")


class Export(BaseModel):
    """The game as a record: with every card and the seed once it is over, before that what you
    may know."""

    game_id: str
    format: str
    complete: bool
    record: str


class ToolFailure(BaseModel):
    """What stands in structuredContent of a tool error."""

    code: str
    reason: str
    legal: list[str] = Field(description="some legal moves, the nearest first")


# The resources: the rules by topic, and the cards.
#
# What a program reads before it plays: titles, descriptions and arguments of the tools, from the
# catalogue. Each description stands by itself, for a reader who has nothing else.


class Manual:
    """The manual in one language. Raises ValueError for a language that nobody wrote."""

    def __init__(self, lang: str = ENGLISH) -> None:
        self._say = Words(lang, "mcp")
        self.lifetime = self._say("lifetime", hours=KEPT_HOURS)
        self._known = {
            "lifetime": self.lifetime,
            "levels": ", ".join(LEVEL_NAMES),
            "variants": ", ".join(VARIANTS),
        }

    def __call__(self, key: str, **params: object) -> str:
        return self._say(key, **self._known, **params)

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
