"""Requests and answers about pools, watching, and people you would rather not meet."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from cabochon.play.messages import ClockInfo
from cabochon.server.secrets import TABLE_ID
from cabochon.server.web.models import ShareHash, StrictModel

LONGEST_REPORT = 500
PersonId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{4,16}$")]


class PoolInfo(StrictModel):
    """People who wait for the same kind of game. `rated` says which side you would join: rated
    games need a kept name. `waiting` are those on that side, `needs` how many more make a table."""

    id: str
    kind: str
    seats: int
    target: int
    clock: ClockInfo
    rated: bool
    waiting: int
    needs: int | None
    waiting_rated: int
    waiting_friendly: int


class PoolJoin(StrictModel):
    """Without `rated`, rated if you keep your name. `share_hash` is the hash of a share for the
    deal, which the table will then ask for."""

    rated: bool | None = None
    share_hash: ShareHash | None = None


class PoolTicket(StrictModel):
    """Your place in a pool; with a `table`, you sit there."""

    pool: str
    rated: bool
    since_ms: int
    table: str | None


class NewInvitation(StrictModel):
    """Without `rated`, rated if both of you keep your names. `share_hash` as in a pool."""

    person: PersonId
    pool: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,16}$")] = "two-10-5"
    rated: bool | None = None
    share_hash: ShareHash | None = None


class InvitationAnswer(StrictModel):
    share_hash: ShareHash | None = None


class InvitationTold(StrictModel):
    """Somebody asks you for a game, or (`mine`) you have asked them: `person` and `name` are the
    other's. `table` is where both of you sit, once it is accepted."""

    id: str
    mine: bool
    person: str
    name: str
    pool: str
    rated: bool
    state: Literal["open", "accepted", "declined"]
    table: str | None
    until_ms: int


class OwnInvitations(StrictModel):
    invitations: list[InvitationTold]


class SomebodyBlocked(StrictModel):
    """`name` is null for somebody who is gone."""

    id: str
    name: str | None


class BlockedPeople(StrictModel):
    people: list[SomebodyBlocked]


class NewReport(StrictModel):
    """Something that the host should know about a person, with the game it happened in."""

    person: PersonId
    kind: Literal["abuse", "cheating", "stalling", "name", "other"]
    table: Annotated[str, StringConstraints(pattern=TABLE_ID)] | None = None
    text: Annotated[str, StringConstraints(max_length=LONGEST_REPORT)] = ""


class ReportMade(StrictModel):
    id: str


class PeopleHere(StrictModel):
    """How many are connected to this server."""

    here: int


class WatchedSeat(StrictModel):
    """`left_ms` is the time left on the clock, if there is one."""

    name: str | None
    person: str | None
    bot: str | None
    rating: int | None
    points: int
    left_ms: int | None


class MiniBoard(StrictModel):
    """What lies on the table. Rows are from level 1 on; `last` is the card that was bought,
    reserved or turned up last."""

    rows: list[list[str | None]]
    nobles: list[str]
    bank: list[int]
    decks: list[int]
    last: str | None


class LiveGame(StrictModel):
    """A game being played. `chances` are the engine's, by seat: null where there are none yet, and
    always for the players themselves. `delay_s` is how far behind the game all of this is. `show`:
    bots at play, for as long as somebody watches."""

    table: str
    seats: list[WatchedSeat]
    round: int
    to_act: int | None
    watching: int
    rated: bool
    clock: ClockInfo | None
    board: MiniBoard
    chances: list[float] | None
    delay_s: int
    show: bool


class WatchPage(StrictModel):
    featured: LiveGame | None
    games: list[LiveGame] = Field(default_factory=list)
    here: int


class WatchNews(WatchPage):
    """The same, in the lobby's socket."""

    type: Literal["watch"] = "watch"
