"""The shape of reviews and analyses as the server tells them, and the lines of their streams
(docs/analysis.md)."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from cabochon.play.messages import Translations

MarkText = Literal["!", "?!", "?", "??"]
KnowledgeText = Literal["own", "all-cards"]
WorkState = Literal["waiting", "working", "done", "failed"]


class ReasonJson(TypedDict):
    """Why a move is good: its kind, what it is about, and the sentence."""

    kind: str
    card: NotRequired[str]
    noble: NotRequired[str]
    colour: NotRequired[str]
    seat: NotRequired[int]
    count: NotRequired[int]
    text: Translations


class CandidateJson(TypedDict):
    """A move that was looked at. `value` is the mover's chance after it, null if never tried.
    `why` is told by the live engine."""

    move: str
    value: float | None
    visits: int
    prior: float
    why: NotRequired[list[ReasonJson]]


class AnalysisJson(TypedDict):
    """What a search found, the best move first."""

    chances: list[float]
    best: str
    moves: list[CandidateJson]
    variation: list[str]
    visits: int


class DecisionJson(TypedDict):
    """One decision, judged; `analysis` is null where there was no choice."""

    ply: int
    move: str
    best: str
    skill: float
    loss: float
    mark: MarkText | None
    why: list[ReasonJson]
    why_played: list[ReasonJson]
    analysis: AnalysisJson | None


class TurnJson(TypedDict):
    """One turn of a seat: after - before = skill + luck."""

    turn: int
    seat: int
    before: float
    after: float
    skill: float
    luck: float
    mark: MarkText | None
    dealt: str | None
    chances: list[float]
    decisions: list[DecisionJson]


class SummaryJson(TypedDict):
    """One seat's game. `accuracy` is in per cent, null for a seat that never had a choice."""

    seat: int
    accuracy: float | None
    mean_loss: float
    skill: float
    luck: float
    marks: dict[MarkText, int]


class EngineJson(TypedDict):
    """Who judged."""

    name: str
    network: str
    visits: int
    seed: int
    knowledge: KnowledgeText


class ReviewHeadJson(TypedDict):
    """What is known before the first turn is judged."""

    v: int
    type: Literal["review"]
    record: str
    ruleset: str
    players: list[str]
    engine: EngineJson
    start: list[float]


class ReviewJson(ReviewHeadJson):
    """A review so far; `summary` and `turning_points` come when it is done."""

    turns: list[TurnJson]
    summary: NotRequired[list[SummaryJson]]
    turning_points: NotRequired[list[int]]


# Lines of a review's stream


class ReviewHeadLine(TypedDict):
    type: Literal["reviewHead"]
    head: ReviewHeadJson


class ReviewTurnLine(TypedDict):
    type: Literal["reviewTurn"]
    turn: TurnJson


class ReviewStateLine(TypedDict):
    """How far it is: `ahead` wishes come first, `done` of `of` turns are judged."""

    type: Literal["reviewState"]
    state: WorkState
    ahead: int
    done: int
    of: int


class ReviewDoneLine(TypedDict):
    """The last line."""

    type: Literal["reviewDone"]
    review: ReviewJson


# Lines of the live engine


class AnalysisLine(TypedDict):
    """What has been found so far, after `visits` of `of`."""

    type: Literal["analysis"]
    analysis: AnalysisJson
    visits: int
    of: int


class AnalysisDoneLine(TypedDict):
    """The last line: the budget is used up, or there is nothing left to find."""

    type: Literal["analysisDone"]
    analysis: AnalysisJson
    visits: int
    of: int


StudioLine = (
    ReviewHeadLine
    | ReviewTurnLine
    | ReviewStateLine
    | ReviewDoneLine
    | AnalysisLine
    | AnalysisDoneLine
)
