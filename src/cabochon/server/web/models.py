"""What clients send, and what REST answers: checked here, documented by OpenAPI."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from cabochon.notation.positions import MOST, parse_position
from cabochon.play.clock import Clock, Days, Increment
from cabochon.play.messages import (
    Effect,
    FactsChange,
    HowEnded,
    LogLine,
    Problem,
    TableInfo,
    Translations,
    ViewChange,
)
from cabochon.play.options import AtZero, Options, SeatOrder, Watching, WhenGone
from cabochon.play.talking import LONGEST_TEXT
from cabochon.rules import Position, Ruleset
from cabochon.rules.dealer import SHARE, SHARE_HASH
from cabochon.server.access.playernames import LONGEST_NAME
from cabochon.server.reviews.reviewmessages import ReasonJson
from cabochon.words import ENGLISH, languages

Name = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True,
        min_length=1,
        max_length=LONGEST_NAME,
        pattern=r"^[^\x00-\x1f\x7f-\x9f]+$",
    ),
]
"""No control characters; what else cannot be seen is up to `cabochon.server.access.playernames`."""
OwnKey = Annotated[str, StringConstraints(pattern=r"^cab_s_[A-Za-z0-9_-]{43,100}$")]
Key = Annotated[str, StringConstraints(min_length=1, max_length=128)]
MoveText = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
SeatNumber = Annotated[int, Field(ge=0, le=3)]
ShareHash = Annotated[str, StringConstraints(pattern=rf"^{SHARE_HASH}$")]
ShareText = Annotated[str, StringConstraints(pattern=rf"^({SHARE}|{SHARE_HASH})$")]
CommandId = Annotated[str, StringConstraints(min_length=1, max_length=64)]


def _spoken(lang: str) -> str:
    if lang not in languages():
        raise PydanticCustomError("language", "we speak {known}", {"known": ", ".join(languages())})
    return lang


SpokenLanguage = Annotated[
    str, AfterValidator(_spoken), Field(json_schema_extra={"enum": list(languages())})
]


class StrictModel(BaseModel):
    """No unknown fields: a misspelt one is reported, not ignored."""

    model_config = ConfigDict(extra="forbid", str_max_length=4096)


class IncrementClock(StrictModel):
    kind: Literal["increment"]
    base_s: int = Field(ge=10, le=86_400)
    increment_s: int = Field(ge=0, le=3_600)


class DaysClock(StrictModel):
    kind: Literal["days"]
    days: int = Field(ge=1, le=14)


class Gone(StrictModel):
    grace_s: int = Field(default=120, ge=5, le=86_400)
    policy: WhenGone = WhenGone.CLAIM


class MeChair(StrictModel):
    """The one who makes the table. `share_hash` is the hash of a share that they add to the deal,
    if at least two people play."""

    kind: Literal["me"]
    name: Name
    share_hash: ShareHash | None = None


class LocalChair(StrictModel):
    """Somebody at the same device."""

    kind: Literal["local"]
    name: Name


class OpenChair(StrictModel):
    kind: Literal["open"]


class BotChair(StrictModel):
    kind: Literal["bot"]
    bot: str = Field(min_length=1, max_length=40)


AnyChair = Annotated[MeChair | LocalChair | OpenChair | BotChair, Field(discriminator="kind")]


class NewTable(StrictModel):
    """A table to be made, with one chair for each seat. With a `position` the game begins there,
    under its rules: then `variant`, `seats`, `scarce_take` and `target` may be left out. A `rated`
    game has no take-backs, and a player who leaves or runs out of time loses it, no matter what the
    other options say; between people it needs a clock."""

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
    takeback_asks: bool = False
    rated: bool = False
    chairs: list[AnyChair] = Field(min_length=2, max_length=4)
    position: Annotated[str, StringConstraints(min_length=1, max_length=MOST)] | None = None

    def start(self) -> Position | None:
        """Where the game begins, if not with a fresh deal. Raises NotationError, BadRuleset, and
        BadSetup with all faults."""
        return None if self.position is None else parse_position(self.position)

    def options(self, start: Position | None = None) -> Options:
        """Under the rules of the position that it starts from, as far as nothing else is said.
        Raises BadRuleset."""
        options = Options(
            ruleset=self._ruleset() if start is None else self._ruleset_of(start.ruleset),
            clock=self._clock(),
            at_zero=self.at_zero,
            grace_s=self.gone.grace_s,
            when_gone=self.gone.policy,
            watching=self.watch,
            listed=self.listed,
            seat_order=self.seat_order,
            takeback=self.takeback,
            takeback_asks=self.takeback_asks,
        )
        return options.as_rated() if self.rated else options

    def _ruleset(self) -> Ruleset:
        preset = Ruleset.preset(self.variant, self.seats)
        target = preset.target if self.target is None else self.target
        return Ruleset(preset.seats, target, preset.row_width, preset.teams, self.scarce_take)

    def _ruleset_of(self, given: Ruleset) -> Ruleset:
        """Those rules; what was said beside them is not passed over, so that the table can refuse
        it if it differs."""
        said = self.model_fields_set & {"seats", "target", "scarce_take"}
        changed = {name: getattr(self, name) for name in said if getattr(self, name) is not None}
        other = "variant" in self.model_fields_set and self.variant != given.variant
        return self._ruleset() if other else replace(given, **changed)

    def _clock(self) -> Clock | None:
        if self.clock is None:
            return None
        if isinstance(self.clock, DaysClock):
            return Days(self.clock.days)
        return Increment(self.clock.base_s * 1000, self.clock.increment_s * 1000)


class SeatKey(StrictModel):
    """The secret that plays the seat: shown once, kept by the server only as a hash."""

    seat: int
    key: str


class Invite(StrictModel):
    seat: int
    code: str
    url: str


class TableMade(StrictModel):
    table: TableInfo
    keys: list[SeatKey]
    invites: list[Invite]
    watch_code: str | None


class NewTutorial(StrictModel):
    lang: SpokenLanguage = ENGLISH


class TablePage(StrictModel):
    tables: list[TableInfo]
    cursor: str | None


class InviteInfo(StrictModel):
    table: TableInfo
    seat: int


class Join(StrictModel):
    """By invitation (`code`), or to a listed table's open seat; who had to give a seat up may use
    its former key as the code. A client that makes its own `key` may repeat the call when the
    answer was lost, and gets the same one. `share_hash` is the hash of a share for the deal."""

    name: Name
    key: OwnKey | None = None
    code: Annotated[str, StringConstraints(max_length=64)] | None = None
    seat: SeatNumber | None = None
    share_hash: ShareHash | None = None


class AskedKeys(StrictModel):
    """Keys that came from somewhere, for instance a link."""

    keys: list[Key] = Field(min_length=1, max_length=8)


class GameGlance(StrictModel):
    """How a game stands, in one line: for a list of one's games."""

    points: list[int]
    """Per seat; teams add theirs up."""
    round: int
    to_move: int | None
    winners: list[int] | None
    """Null while it is played."""
    reason: HowEnded | None
    decided_ms: int
    """When something last happened."""


class KeySeats(StrictModel):
    """The seat that each key plays here, in the order asked; null for a key that plays none. With a
    seat you also get how the game stands."""

    seats: list[int | None]
    table: TableInfo
    game: GameGlance | None = None


class SeatTaken(StrictModel):
    seat: int
    key: str | None
    table: TableInfo


class Moves(StrictModel):
    """One submission: a whole turn or a part of it, played all or not at all."""

    moves: list[MoveText] = Field(min_length=1, max_length=3)
    version: Version
    seat: SeatNumber | None = None


class Check(StrictModel):
    moves: list[MoveText] = Field(min_length=1, max_length=3)
    version: Version | None = None
    seat: SeatNumber | None = None


class CheckResult(StrictModel):
    ok: bool
    after: Effect | None
    problem: Problem | None


class OfSeat(StrictModel):
    """Which seat, for somebody who holds several."""

    seat: SeatNumber | None = None


class TakebackAction(StrictModel):
    action: Literal["ask", "agree", "decline"]
    seat: SeatNumber | None = None


class RematchAction(StrictModel):
    action: Literal["offer", "accept", "decline"]
    seat: SeatNumber | None = None
    share_hash: ShareHash | None = None


class ShareAction(StrictModel):
    """Add to the deal: `pledge` the hash of a share (64 hexadecimal digits), `reveal` the share
    (32 of them) when it is asked for."""

    action: Literal["pledge", "reveal"]
    value: ShareText
    seat: SeatNumber | None = None


class Claim(StrictModel):
    """`gone` is the seat that has been away too long; not needed with two players."""

    gone: SeatNumber | None = None
    seat: SeatNumber | None = None


class Chat(StrictModel):
    """One of `phrase` and `text`."""

    phrase: Annotated[str, StringConstraints(min_length=1, max_length=40)] | None = None
    text: Annotated[str, StringConstraints(min_length=1, max_length=2 * LONGEST_TEXT)] | None = None
    seat: SeatNumber | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if (self.phrase is None) == (self.text is None):
            raise PydanticCustomError("chat", "one of phrase and text is needed")
        return self


class TextingSwitch(StrictModel):
    """Whether you want to read and write free text at this table."""

    on: bool
    seat: SeatNumber | None = None


class Fill(StrictModel):
    """Give an open chair, or the first of them, to a bot; null takes the chair from the bot that
    was seated there."""

    bot: Annotated[str, StringConstraints(min_length=1, max_length=40)] | None
    chair: SeatNumber | None = None
    seat: SeatNumber | None = None


class HintWish(StrictModel):
    """`version` is the one that you see."""

    version: Version
    seat: SeatNumber | None = None


class HintGiven(StrictModel):
    """What the engine would do: the moves of the turn in order, and why the first of them. `chance`
    is yours to win after it. `hints` counts the turns of this game in which you had a hint."""

    version: int
    moves: list[str]
    why: list[ReasonJson]
    chance: float
    hints: int


class Done(StrictModel):
    """It is durable: event `seq`, after which the game is at `version`."""

    ok: bool = True
    version: int
    seq: int


class RematchDone(Done):
    table: str | None = None


Scope = Literal["table:create", "table:join", "table:play"]
SCOPES: tuple[Scope, ...] = ("table:create", "table:join", "table:play")


class NewToken(StrictModel):
    name: Name
    scopes: list[Scope] = Field(default_factory=lambda: list(SCOPES), min_length=1, max_length=3)


class TokenMade(StrictModel):
    id: str
    name: str
    scopes: list[str]
    token: str


class TokenInfo(StrictModel):
    """A token without its secret. Times are in milliseconds since 1970."""

    id: str
    name: str
    scopes: list[str]
    created_ms: int
    last_used_ms: int | None


class BotInfo(StrictModel):
    """`elo` is measured, by number of players; greedy is 1000. `error` is half its 95 % interval,
    `deviation` one standard deviation, as with people's ratings. Levels have a hardness on Mohs'
    scale; styles are characters; plain ones are for programs."""

    name: str
    title: Translations
    about: Translations
    elo: dict[str, int]
    error: dict[str, int]
    deviation: dict[str, int]
    kind: Literal["level", "style", "plain"]
    hardness: int | None


class Phrase(StrictModel):
    """One thing that can be said at a table, in every language the server knows."""

    model_config = ConfigDict(extra="allow")

    id: str
    en: str
    zh: str


class VariantInfo(StrictModel):
    name: str
    seats: list[int]
    target: int
    row_width: int
    teams: bool
    title: Translations


class Limits(StrictModel):
    name_length: int
    move_length: int
    moves_per_turn: int
    message_bytes: int
    requests_per_s: float


class Meta(StrictModel):
    version: str
    protocol: int
    variants: list[VariantInfo]
    bots: list[BotInfo]
    phrases: list[Phrase]
    limits: Limits


class CardInfo(StrictModel):
    code: str
    level: int
    bonus: str
    points: int
    cost: list[int]


class NobleInfo(StrictModel):
    code: str
    name: Translations
    points: int
    cost: list[int]


class Cards(StrictModel):
    cards: list[CardInfo]
    nobles: list[NobleInfo]


class ReplayStep(StrictModel):
    """The position after decision `ply` (0: the start), and what that decision was."""

    ply: int
    turn: int
    view: ViewChange
    facts: FactsChange | None
    log: LogLine | None


class Replay(StrictModel):
    table: str
    viewer: int | None
    views: list[ReplayStep]
