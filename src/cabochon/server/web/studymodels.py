"""What the analysis page and the server say to each other about studies, positions and pictures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from cabochon.notation.positions import MOST
from cabochon.play.messages import LegalMove, Translations
from cabochon.server.problems import ServerFault, ServerRefused
from cabochon.server.web.models import MoveText, ReplayStep, StrictModel

LONGEST_STUDY = 200_000
"""Characters of a record with all its variations; a long game without any has about 5,000."""
LONGEST_COMMENT = 4_000
MOST_NODES = 1_000
"""Decisions in one study, those of its variations included."""

PositionText = Annotated[str, StringConstraints(min_length=1, max_length=MOST)]
RecordText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_STUDY)]
StudyTitle = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=80, pattern=r"^[^\x00-\x1f\x7f-\x9f]*$"),
]
CommentText = Annotated[str, StringConstraints(max_length=LONGEST_COMMENT)]
CardCode = Annotated[str, StringConstraints(pattern="^[1-3][a-z0-9]{1,3}$")]
Viewer = Annotated[str, StringConstraints(pattern="^(all|[0-3])$")]


class StudyStep(ReplayStep):
    """One point of a study. `position` has all cards, so that it can be played on; in a game that
    is still being played it is the caller's view, and `legal` is empty. `event` is the decision
    that led here, `dealt` the card that came with it."""

    position: str
    legal: list[LegalMove]
    event: str | None
    dealt: str | None


class StudyNode(StrictModel):
    """A decision. `variations` are other ways to play instead of it, each a line of its own."""

    step: StudyStep
    comment: str
    variations: list[list[StudyNode]]


class StudyEnd(StrictModel):
    """How the game ended; nobody has won one that was broken off."""

    reason: str
    winners: list[int]


class StudyTree(StrictModel):
    """A game as a tree: the main line, and what else could have been played. `comment` stands
    before the first decision. The first `played` of the `lines` are the game; what comes after
    them was only thought of. `live` means that the game is still being played: then there is
    only what the caller may know of it."""

    record: str
    fingerprint: str | None
    table: str | None
    ruleset: str
    players: list[str]
    start: StudyStep
    comment: str
    lines: list[StudyNode]
    played: int
    ended: StudyEnd | None
    live: bool


class StudyOpen(StrictModel):
    """At most one of `table`, `record` and `position`; with none of them a game for two is dealt.
    `viewer` is whose cards are shown, `all` for everybody's. `watch` is the code of a table that
    only those with the link may watch."""

    table: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{4,16}$")] | None = None
    record: RecordText | None = None
    position: PositionText | None = None
    viewer: Viewer = "all"
    watch: Annotated[str, StringConstraints(max_length=64)] | None = None


class StudyPlay(StrictModel):
    """Play on from a position: the decisions of one turn, or the first of them. `deal` is the
    card that comes when one is due, or `chance`. `ply` is that of the node played from, so that
    the new steps count on. Without moves, only the card that the position waits for is dealt."""

    position: PositionText
    moves: list[MoveText] = Field(max_length=3)
    deal: Literal["chance"] | CardCode | None = None
    ply: int = Field(default=0, ge=0, le=100_000)
    viewer: Viewer = "all"


class StudyWants(StrictModel):
    """A card must come before it goes on: for that place of the row (from 1), or, with null,
    into the hand of the seat to act. `cards` are all that can come."""

    level: int
    place: int | None
    cards: list[str]


class StudyPlayed(StrictModel):
    steps: list[StudyStep]
    wants: StudyWants | None


class DraftNode(StrictModel):
    """A decision of a tree that was edited: no more than what a record says of it. `event` is
    null only where the start waits for a card: then this is that card, `dealt`."""

    event: MoveText | None = None
    dealt: CardCode | None = None
    comment: CommentText = ""
    variations: list[list[DraftNode]] = Field(default_factory=list, max_length=50)


def count_drafts(lines: object) -> int:
    """The nodes of a draft, also of one that nobody has looked at yet."""
    waiting, count = [lines], 0
    while waiting:
        line = waiting.pop()
        for node in line if isinstance(line, list) else ():
            count += 1
            further = (
                node.get("variations")
                if isinstance(node, dict)
                else getattr(node, "variations", None)
            )
            waiting += further if isinstance(further, list) else ()
    return count


def check_size(count: int) -> None:
    """Raises ServerRefused for a tree that nobody could read."""
    if count > MOST_NODES:
        raise ServerRefused(ServerFault.STUDY_TOO_LONG, count=count, most=MOST_NODES)


def _not_too_long(tree: object) -> object:
    """Seventy thousand nodes that stand for nothing would take long to be told apart."""
    check_size(count_drafts(tree))
    return tree


class StudyFormat(StrictModel):
    """A tree to be written down. The names, the headers and the opening come from `record`, or
    the opening from `start`, a position; the moves come from `tree` alone."""

    record: Annotated[str, StringConstraints(max_length=LONGEST_STUDY)] = ""
    start: PositionText | None = None
    comment: CommentText = ""
    tree: Annotated[list[DraftNode], BeforeValidator(_not_too_long), Field(max_length=MOST_NODES)]


class StudyText(StrictModel):
    """The canonical record with its variations, in both forms."""

    text: str
    json_: dict[str, Any] = Field(alias="json")


class NewStudy(StrictModel):
    record: RecordText
    title: StudyTitle = ""


class StudyMade(StrictModel):
    """`key` replaces the study later; it is shown once, and kept by the server only as a hash."""

    id: str
    key: str


class StudyChanged(StrictModel):
    id: str
    changed_ms: int


class KeptStudy(StrictModel):
    id: str
    title: str
    record: str
    tree: StudyTree


class PositionCheck(StrictModel):
    """A position's text, or the JSON of one that may be wrong in any number of ways. `seat` and
    `decks` follow from the rest and are not looked at."""

    text: PositionText | None = None
    setup: dict[str, Any] | None = None


class PositionRepair(StrictModel):
    """What would put the fault right, and the whole arrangement afterwards."""

    text: Translations
    setup: dict[str, Any]


class PositionFault(StrictModel):
    """What is wrong, and where: `bank.w`, `rows.2.3` (level and place, from 1), `nobles`,
    `hands.0.tokens.w`, `hands.0.bought`, `turn`, `phase`, ..."""

    code: str
    where: str
    text: Translations
    repair: PositionRepair | None


class PositionChecked(StrictModel):
    """`position` and `step` are there when nothing is wrong. `setup` is what was read, in the
    canonical form, if it could be read."""

    position: str | None
    step: StudyStep | None
    setup: dict[str, Any] | None
    faults: list[PositionFault]
