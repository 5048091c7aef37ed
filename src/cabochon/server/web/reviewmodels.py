"""What is asked and answered about reviews and the live engine."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from cabochon.server.access.accesslimits import MOST_VISITS
from cabochon.server.reviews.reviewmessages import (
    AnalysisJson,
    KnowledgeText,
    ReviewJson,
    WorkState,
)
from cabochon.server.secrets import TABLE_ID
from cabochon.server.web.models import StrictModel

MOST_RECORD = 100_000
"""Letters of a record; a long game of four has a twentieth of that."""

SearchedPosition = Annotated[str, StringConstraints(min_length=1, max_length=2000)]


class NewReview(BaseModel):
    """The game is a finished table here, or a record: its text, or its JSON as an object or as a
    string."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"table": "k7m2p4x9qa", "depth": "deep"}]},
    )

    table: Annotated[str, StringConstraints(pattern=TABLE_ID)] | None = None
    record: (
        Annotated[str, StringConstraints(min_length=1, max_length=MOST_RECORD)]
        | dict[str, Any]
        | None
    ) = None
    depth: Literal["quick", "deep"] = "quick"
    knowledge: KnowledgeText = "own"


class ReviewState(StrictModel):
    """Where a review stands. `ahead` wishes come first, `done` of `of` turns are judged."""

    id: str
    state: WorkState
    ahead: int
    done: int
    of: int
    review: ReviewJson | None


class EngineQuestion(StrictModel):
    """A position, or what one seat knows of it (a view); the answer is what the seat to decide
    should play. With `all-cards` the reserved cards in a position's text are known to the
    engine."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "position": "standard/2 0 act 0 - w4u4g4r4k4o5 "
                    "1r3,1g4,1w3,1u5/2w5,2w4,2u2,2k2/3k4,3k1,3u1,3g1 wu4,wug3,rk4 -|-|-|- -|-|-|-",
                    "lines": 3,
                    "visits": 20000,
                }
            ]
        }
    )

    position: SearchedPosition
    lines: int = Field(default=3, ge=1, le=5)
    visits: int = Field(default=20_000, ge=1, le=MOST_VISITS)
    knowledge: KnowledgeText = "own"


class KeptAnalysis(StrictModel):
    """What the live engine found about this position when it looked longest."""

    position: str
    knowledge: KnowledgeText
    engine: str
    visits: int
    analysis: AnalysisJson
