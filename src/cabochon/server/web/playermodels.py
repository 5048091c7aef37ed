"""Answers about people and their finished games."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cabochon.play.messages import ClockInfo, Translations
from cabochon.ratings import RatingKind
from cabochon.server.web.memodels import RatingInfo
from cabochon.server.web.models import StrictModel

GameEnd = Literal["won", "lost", "drawn"]
Percent = Annotated[float, Field(ge=0, le=100)]


class SeatScore(StrictModel):
    games: int
    won: int


class PlayerStats(StrictModel):
    """Means a game over somebody's games of one kind. `won`, `drawn` and `lost` are shares of the
    games. `rounds` counts games that were played to the end. `first` and `later` are the seats.
    `luck` is in points of win chance, `accuracy` the last reviewed games: when, and how accurate
    in per cent. `streak` counts victories in a row, or below zero defeats. `colours` are shares of
    the cards, in the order white, blue, green, red, black."""

    games: int
    won: float
    drawn: float
    lost: float
    played_out: int
    rounds: float | None
    first: SeatScore
    later: SeatScore
    points: float
    card_points: float
    noble_points: float
    cards: float
    nobles: float
    reserved: float
    reserved_bought: float
    colours: list[float]
    reviewed: int
    mistakes: int
    luck: float | None
    mean_accuracy: float | None
    accuracy: list[tuple[int, Percent]]
    streak: int
    best_streak: int


class Meeting(StrictModel):
    """Games against somebody: a person, or a bot."""

    person: str | None
    bot: str | None
    name: str
    won: int
    lost: int
    drawn: int


class LadderLevel(StrictModel):
    bot: str
    played: int
    won: int


class LadderInfo(StrictModel):
    """How somebody fares against the levels, and which would be a fair match."""

    kind: RatingKind
    levels: list[LadderLevel]
    fair: str | None
    why: Translations | None


class Profile(StrictModel):
    """A person as others may know them; of one who is `hidden`, others know no more than the
    name."""

    id: str
    name: str
    kept: bool
    since_ms: int
    seen_ms: int
    here: bool
    hidden: bool
    games: int
    ratings: dict[RatingKind, RatingInfo]
    stats: dict[RatingKind, PlayerStats] | None
    head_to_head: list[Meeting]
    ladder: LadderInfo | None
    you: bool


class RatingPoint(StrictModel):
    at_ms: int
    value: int
    deviation: int


class RatingHistory(StrictModel):
    """At most 200 points, the last one among them."""

    points: list[RatingPoint]


class FinishedSeat(StrictModel):
    """`person` is null for a bot, and for somebody of whom no more is known than a name. `rating`
    is what it was before the game, `change` what the game did to it. `sources` are points by the
    colour of the card they stand on, and of `nobles`."""

    person: str | None
    bot: str | None
    name: str
    rating: int | None
    change: int | None
    points: int
    place: int
    sources: dict[Literal["w", "u", "g", "r", "k", "nobles"], int]
    accuracy: Percent | None
    luck: float | None


class FinishedGame(StrictModel):
    """`you` and `result` are those of the person whose list it is in. `review` is the quick review,
    once it is done. `public`: others find the game in the list of those who played it."""

    table: str
    ended_ms: int
    kind: RatingKind
    ruleset: str
    seats: list[FinishedSeat]
    you: int | None
    result: GameEnd | None
    reason: str
    rounds: int
    clock: ClockInfo | None
    rated: bool
    review: str | None
    mistakes: int | None
    public: bool


class FinishedGames(StrictModel):
    games: list[FinishedGame]
    next: str | None


class LearnableGame(StrictModel):
    table: str
    seat: int
    mistakes: int
    ended_ms: int


class LearnableGames(StrictModel):
    """Games with `?` and `??` that one has not gone through yet."""

    tables: list[LearnableGame]


class Learnt(StrictModel):
    learnt: bool = True


class BoardRow(StrictModel):
    """`recent` are the last ratings, the oldest first."""

    rank: int
    id: str
    name: str
    rating: RatingInfo
    games: int
    recent: list[int]


class BoardBot(StrictModel):
    bot: str
    rating: RatingInfo


class Leaderboard(StrictModel):
    """`you` is where you stand or would stand, and `listed` whether others see you there: guests
    are listed once their rating is settled. `week` is how many places you have come up within seven
    days, below zero for down."""

    people: list[BoardRow]
    bots: list[BoardBot]
    count: int
    you: BoardRow | None
    listed: bool
    week: int | None
    next: str | None


class FoundPerson(StrictModel):
    id: str
    name: str
    kept: bool
    rating: RatingInfo | None


class FoundPeople(StrictModel):
    people: list[FoundPerson]
