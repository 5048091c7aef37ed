"""What the tools answer: each model is a tool's output schema."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field


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
    """The game so far, one line a turn."""

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
