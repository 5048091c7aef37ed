"""What clients send, and what REST answers: checked here, documented by OpenAPI."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from cabochon.play.clock import Clock, Days, Increment
from cabochon.play.messages import (
    Effect,
    FactsChange,
    LogLine,
    Problem,
    TableInfo,
    ViewChange,
    Words,
)
from cabochon.play.options import AtZero, Options, SeatOrder, Watching, WhenGone
from cabochon.rules import Ruleset
from cabochon.rules.shares import SHARE, SHARE_HASH

Name = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=30, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$"
    ),
]
"""No control characters; what else cannot be seen is up to `cabochon.server.names`."""
OwnKey = Annotated[str, StringConstraints(pattern=r"^cab_s_[A-Za-z0-9_-]{43,100}$")]
Key = Annotated[str, StringConstraints(min_length=1, max_length=128)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
ShareHash = Annotated[str, StringConstraints(pattern=rf"^{SHARE_HASH}$")]
ShareText = Annotated[str, StringConstraints(pattern=rf"^({SHARE}|{SHARE_HASH})$")]
CommandId = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class Closed(BaseModel):
    """No unknown fields: a misspelt one is told, not ignored."""

    model_config = ConfigDict(extra="forbid", str_max_length=4096)


class IncrementClock(Closed):
    kind: Literal["increment"]
    base_s: int = Field(ge=10, le=86_400)
    increment_s: int = Field(ge=0, le=3_600)


class DaysClock(Closed):
    kind: Literal["days"]
    days: int = Field(ge=1, le=14)


class Gone(Closed):
    grace_s: int = Field(default=120, ge=5, le=86_400)
    policy: WhenGone = WhenGone.CLAIM


class MeChair(Closed):
    """The one who makes the table. `share_hash` is the hash of a share that they add to the deal,
    if at least two people play."""

    kind: Literal["me"]
    name: Name
    share_hash: ShareHash | None = None


class LocalChair(Closed):
    """Somebody at the same device."""

    kind: Literal["local"]
    name: Name


class OpenChair(Closed):
    kind: Literal["open"]


class BotChair(Closed):
    kind: Literal["bot"]
    bot: str = Field(min_length=1, max_length=40)


AnyChair = Annotated[MeChair | LocalChair | OpenChair | BotChair, Field(discriminator="kind")]


class NewTable(Closed):
    """A table to be made, with one chair for each seat."""

    variant: str = Field(default="standard", max_length=20)
    seats: int = Field(default=2, ge=2, le=4)
    scarce_take: bool = True
    target: int | None = Field(default=None, ge=1, le=50)
    clock: Annotated[IncrementClock | DaysClock, Field(discriminator="kind")] | None = None
    at_zero: AtZero = AtZero.BOT
    gone: Gone = Gone()
    watch: Watching = Watching.ANYONE
    listed: bool = True
    seat_order: SeatOrder = SeatOrder.RANDOM
    takeback: bool = True
    chairs: list[AnyChair] = Field(min_length=2, max_length=4)

    def options(self) -> Options:
        """Raises BadRuleset."""
        preset = Ruleset.preset(self.variant, self.seats)
        target = preset.target if self.target is None else self.target
        ruleset = Ruleset(preset.seats, target, preset.row_width, preset.teams, self.scarce_take)
        return Options(
            ruleset,
            self._clock(),
            self.at_zero,
            self.gone.grace_s,
            self.gone.policy,
            self.watch,
            self.listed,
            self.seat_order,
            self.takeback,
        )

    def _clock(self) -> Clock | None:
        if self.clock is None:
            return None
        if isinstance(self.clock, DaysClock):
            return Days(self.clock.days)
        return Increment(self.clock.base_s * 1000, self.clock.increment_s * 1000)


class SeatKey(Closed):
    """The secret that plays the seat: shown once, kept by the server only as a hash."""

    seat: int
    key: str


class Invite(Closed):
    seat: int
    code: str
    url: str


class TableMade(Closed):
    table: TableInfo
    keys: list[SeatKey]
    invites: list[Invite]
    watch_code: str | None


class NewTutorial(Closed):
    lang: Literal["en", "zh"] = "en"


class TablePage(Closed):
    tables: list[TableInfo]
    cursor: str | None


class InviteInfo(Closed):
    table: TableInfo
    seat: int


class Join(Closed):
    """By invitation (`code`), or to a listed table's open seat; who had to give a seat up may use
    its former key as the code. A client that makes its own `key` may repeat the call when the
    answer was lost, and gets the same one. `share_hash` is the hash of a share for the deal."""

    name: Name
    key: OwnKey | None = None
    code: Annotated[str, StringConstraints(max_length=64)] | None = None
    seat: SeatNumber | None = None
    share_hash: ShareHash | None = None


class AskedKeys(Closed):
    """Keys that came from somewhere, for instance a link."""

    keys: list[Key] = Field(min_length=1, max_length=8)


class KeySeats(Closed):
    """The seat that each key plays here, in the order asked; null for one that plays none."""

    seats: list[int | None]
    table: TableInfo


class Joined(Closed):
    seat: int
    key: str | None
    table: TableInfo


class Moves(Closed):
    """One submission: a whole turn or a part of it, played all or not at all."""

    moves: list[MoveText] = Field(min_length=1, max_length=3)
    version: Version
    seat: SeatNumber | None = None


class Check(Closed):
    moves: list[MoveText] = Field(min_length=1, max_length=3)
    version: Version | None = None
    seat: SeatNumber | None = None


class Checked(Closed):
    ok: bool
    after: Effect | None
    problem: Problem | None


class OfSeat(Closed):
    """Which seat, for somebody who holds several."""

    seat: SeatNumber | None = None


class TakebackAction(Closed):
    action: Literal["ask", "agree", "decline"]
    seat: SeatNumber | None = None


class RematchAction(Closed):
    action: Literal["offer", "accept", "decline"]
    seat: SeatNumber | None = None
    share_hash: ShareHash | None = None


class ShareAction(Closed):
    """Add to the deal: `pledge` the hash of a share (64 hexadecimal digits), `reveal` the share
    (32 of them) when it is asked for."""

    action: Literal["pledge", "reveal"]
    value: ShareText
    seat: SeatNumber | None = None


class Claim(Closed):
    """`gone` is the seat that has been away too long; not needed with two players."""

    gone: SeatNumber | None = None
    seat: SeatNumber | None = None


class Chat(Closed):
    phrase: Annotated[str, StringConstraints(min_length=1, max_length=40)]
    seat: SeatNumber | None = None


class Done(Closed):
    """It is durable: event `seq`, after which the game is at `version`."""

    ok: bool = True
    version: int
    seq: int


class RematchDone(Done):
    table: str | None = None


Scope = Literal["table:create", "table:join", "table:play"]
SCOPES: tuple[Scope, ...] = ("table:create", "table:join", "table:play")


class NewToken(Closed):
    name: Name
    scopes: list[Scope] = Field(default_factory=lambda: list(SCOPES), min_length=1, max_length=3)


class TokenMade(Closed):
    id: str
    name: str
    scopes: list[str]
    token: str


class TokenInfo(Closed):
    """A token without its secret. Times are in milliseconds since 1970."""

    id: str
    name: str
    scopes: list[str]
    created_ms: int
    last_used_ms: int | None


class BotInfo(Closed):
    """`elo` is measured, by number of players; greedy is 1000."""

    name: str
    title: Words
    about: Words
    elo: dict[str, int]


class Phrase(Closed):
    id: str
    en: str
    zh: str


class VariantInfo(Closed):
    name: str
    seats: list[int]
    target: int
    row_width: int
    teams: bool
    title: Words


class Limits(Closed):
    name_length: int
    move_length: int
    moves_per_turn: int
    message_bytes: int
    requests_per_s: float


class Meta(Closed):
    version: str
    protocol: int
    variants: list[VariantInfo]
    bots: list[BotInfo]
    phrases: list[Phrase]
    limits: Limits


class CardInfo(Closed):
    code: str
    level: int
    bonus: str
    points: int
    cost: list[int]


class NobleInfo(Closed):
    code: str
    name: Words
    points: int
    cost: list[int]


class Cards(Closed):
    cards: list[CardInfo]
    nobles: list[NobleInfo]


class ReplayStep(Closed):
    """The position after decision `ply` (0: the start), and what that decision was."""

    ply: int
    turn: int
    view: ViewChange
    facts: FactsChange | None
    log: LogLine | None


class Replay(Closed):
    table: str
    viewer: int | None
    views: list[ReplayStep]
