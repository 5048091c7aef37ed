"""The vocabulary of the table: every message to a client, typed once.

The same objects go over WebSocket and NDJSON, and the schema in `docs/messages.schema.json` and the
browser's types are generated from these classes. Plain dictionaries at run time: nothing is built
or checked for the types' sake when a move goes to a thousand clients.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, cast

from typing_extensions import TypedDict

from cabochon.words import in_all_languages

VERSION = 1
"""Of the messages: each says it as `v`."""

State = Literal["open", "running", "finished"]


class Translations(TypedDict):
    """The same sentence in every language; a server may know more of them than these two."""

    __pydantic_config__ = {"extra": "allow"}  # type: ignore[misc]  # noqa: RUF012

    en: str
    zh: str


def words_of(key: str) -> Translations:
    """What a key of the catalogue says, in every language."""
    return cast(Translations, in_all_languages(key))


class ChairInfo(TypedDict):
    """`person` is the public id of the player, if it is a person known to the server."""

    seat: int
    kind: Literal["open", "human", "bot"]
    name: str | None
    person: NotRequired[str]
    bot: str | None
    here: bool
    stand_in: bool
    out: bool


class ClockInfo(TypedDict):
    """How time is given: `increment` has base_s and increment_s, `days` has days."""

    kind: Literal["increment", "days"]
    base_s: NotRequired[int]
    increment_s: NotRequired[int]
    days: NotRequired[int]


class GoneInfo(TypedDict):
    grace_s: int
    policy: Literal["bot", "claim"]


class SeriesInfo(TypedDict):
    id: str
    game: int
    score: list[int]


class SharesInfo(TypedDict):
    """What people add to the deal. `hashes` and, once the game is over, `shares` are by seat.
    Seats in `pledge` are asked for a new hash, then those in `reveal` for their share, until
    `by_ms`. `round` is more than 1 when somebody held a share back."""

    round: int
    hashes: list[str | None]
    pledge: list[int]
    reveal: list[int]
    by_ms: int | None
    shares: list[str | None] | None


class TableInfo(TypedDict):
    """What anybody may know of a table without looking at the cards. `from_position` means that
    the game began from a position that somebody gave, and not from a fresh deal; `rated`, that it
    counts for ratings, so nobody is helped; `takeback_asks`, that every take-back is asked for.
    `hints` counts, by seat, the turns in which a hint was given. `texting` is there where people
    may agree to write to one another: the seats that have."""

    id: str
    ruleset: str
    variant: str
    seats: int
    target: int
    scarce_take: bool
    state: State
    chairs: list[ChairInfo]
    clock: ClockInfo | None
    at_zero: Literal["bot", "lose"]
    gone: GoneInfo
    watch: Literal["anyone", "link", "nobody"]
    listed: bool
    seat_order: Literal["random", "fixed"]
    takeback: bool
    commitment: str
    created_ms: int
    series: SeriesInfo
    tutorial: bool
    rated: NotRequired[bool]
    shares: NotRequired[SharesInfo]
    from_position: NotRequired[bool]
    takeback_asks: NotRequired[bool]
    hints: NotRequired[list[int]]
    texting: NotRequired[list[int]]


class ReservedInfo(TypedDict):
    """A known card (`card`, `blind`), or only the `level` of one that is not known."""

    card: NotRequired[str]
    blind: NotRequired[bool]
    level: NotRequired[int]


class HandInfo(TypedDict):
    tokens: list[int]
    bought: list[str]
    reserved: list[ReservedInfo]
    nobles: list[str]


class PlaceInfo(TypedDict):
    level: int
    place: int | None


class ViewChange(TypedDict, total=False):
    """The fields of a view that changed; the first view has all of them."""

    v: int
    ruleset: str
    viewer: int | None
    turn: int
    seat: int
    phase: Literal["act", "deal", "noble", "return", "over"]
    last_round: bool
    passes: int
    bank: list[int]
    rows: list[list[str | None]]
    decks: list[int]
    nobles: list[str]
    hands: list[HandInfo]
    pending: PlaceInfo | None


class HandFacts(TypedDict):
    """`points` are the seat's own, `side_points` and `bonuses` count the partner's as well."""

    bonuses: list[int]
    points: int
    side_points: int
    tokens: int
    cards: int


class CardFacts(TypedDict):
    """For the viewer: what is due after bonuses, what is short before gold, how many tokens are
    missing after gold, the least-gold payment, and all payments when there are several."""

    due: list[int]
    short: list[int]
    missing: int
    pay: list[int] | None
    payments: NotRequired[list[list[int]]]


class NobleFacts(TypedDict):
    code: str
    owner: int | None
    have: list[list[int]]


class Expected(TypedDict):
    seat: int | None
    phase: str
    excess: int
    offered: list[str]


class FactsChange(TypedDict, total=False):
    """Everything a screen would otherwise have to compute from the rules; only what changed."""

    hands: list[HandFacts]
    cards: dict[str, CardFacts]
    nobles: list[NobleFacts]
    unseen: list[list[int]]
    could_buy: list[list[str]]
    expected: Expected
    last_round: bool
    round: int


class Effect(TypedDict):
    """What the viewer would have after a move."""

    tokens: list[int]
    total: int
    excess: int
    points: int
    bonuses: list[int]
    nobles: list[str]
    gold_needed: int
    reach: list[str]
    """Cards in sight that could be bought then and cannot be now."""


class LegalMove(TypedDict):
    move: str
    after: Effect


class LogLine(TypedDict):
    """One decision. `source` says where a card came from; `revealed`, that a turn was taken back
    in which a card had been turned up or drawn; `rule`, why it could be taken back."""

    ply: int
    turn: int
    seat: int | None
    kind: str
    text: Translations
    at_ms: int
    gems: NotRequired[str]
    card: NotRequired[str]
    source: NotRequired[Literal["row", "deck", "hand"]]
    level: NotRequired[int]
    payment: NotRequired[str]
    gold: NotRequired[bool]
    noble: NotRequired[str]
    dealt: NotRequired[str]
    revealed: NotRequired[bool]
    rule: NotRequired[Literal["free", "agreed", "alone"]]


class ChatEntry(TypedDict):
    """A phrase by its name; or an empty one with a text in somebody's own words, which goes only to
    the people at the table."""

    seq: int
    seat: int
    phrase: str
    at_ms: int
    text: NotRequired[str]


class ClockTimes(TypedDict):
    kind: Literal["increment", "days"]
    remaining_ms: list[int]
    running: int | None
    at_ms: int
    increment_ms: int


class TakebackInfo(TypedDict):
    """`revealed`: a card was turned up or drawn in what would be undone."""

    by: int
    agreed: list[int]
    waiting: list[int]
    revealed: NotRequired[bool]


class RematchInfo(TypedDict):
    by: int
    agreed: list[int]
    waiting: list[int]
    table: str | None


HowEnded: TypeAlias = Literal["target", "stalled", "resign", "time", "abandon", "closed"]
"""By the rules, because the last rival went out, or because the host closed the table."""


class FinalResult(TypedDict):
    ranking: list[int]
    points: list[int]
    cards: list[int]
    reason: HowEnded
    winners: list[int]


class GameFull(TypedDict):
    """Everything: the first message of a stream, and again when the game starts."""

    v: int
    type: Literal["gameFull"]
    seq: int
    version: int
    now_ms: int
    table: TableInfo
    you: int | None
    seats_held: list[int]
    status: State
    view: ViewChange | None
    facts: NotRequired[FactsChange | None]
    legal: list[str] | list[LegalMove]
    log: list[LogLine]
    chat: list[ChatEntry]
    clocks: ClockTimes | None
    takeback: TakebackInfo | None
    rematch: RematchInfo | None
    result: FinalResult | None
    seed: str | None
    last_round: bool


class GameState(TypedDict):
    """The game went on: only what changed."""

    v: int
    type: Literal["gameState"]
    seq: int
    version: int
    by: int | None
    events: list[str]
    log: list[LogLine]
    log_from: int
    you: int | None
    view: ViewChange
    facts: NotRequired[FactsChange]
    legal: list[str] | list[LegalMove]
    clocks: ClockTimes | None
    status: State
    last_round: bool


class Seats(TypedDict):
    """Who sits where has changed."""

    v: int
    type: Literal["seats"]
    seq: int
    table: TableInfo


class ChatLine(TypedDict):
    v: int
    type: Literal["chatLine"]
    seq: int
    seat: int
    phrase: str
    at_ms: int
    text: NotRequired[str]


class Presence(TypedDict):
    """Somebody came or went; ephemeral. `claim_in_s`: until a claim or a take-over is possible."""

    v: int
    type: Literal["presence"]
    seq: int
    seat: int
    here: bool
    claim_in_s: int | None


class Takeback(TypedDict):
    """A take-back is asked for, agreed to, or (null) off the table."""

    v: int
    type: Literal["takeback"]
    seq: int
    takeback: TakebackInfo | None


class Rematch(TypedDict):
    v: int
    type: Literal["rematch"]
    seq: int
    rematch: RematchInfo | None


class GameFinish(TypedDict):
    """The game is over and its seed is revealed: anybody can check it against the commitment."""

    v: int
    type: Literal["gameFinish"]
    seq: int
    result: FinalResult
    seed: str
    table: TableInfo


class ReviewNews(TypedDict):
    """The review of this table's game has come further: `done` of `of` turns are judged. It is at
    `/api/reviews/{id}`."""

    v: int
    type: Literal["review"]
    seq: int
    id: str
    state: Literal["waiting", "working", "done", "failed"]
    done: int
    of: int


class Problem(TypedDict):
    """RFC 9457, with the refusal's code, its parameters and its sentence."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    params: dict[str, Any]
    sentence: Translations
    since: NotRequired[dict[str, Any]]


class Accepted(TypedDict):
    """The answer to a command: it is durable, as event number `event`."""

    v: int
    type: Literal["accepted"]
    seq: int
    id: str
    version: int
    event: int


class Refused(TypedDict):
    v: int
    type: Literal["refused"]
    seq: int
    id: str
    problem: Problem


class Checked(TypedDict):
    """What the moves would do, or why they may not; nothing has changed."""

    v: int
    type: Literal["checked"]
    seq: int
    id: str
    ok: bool
    after: Effect | None
    problem: Problem | None


class Pong(TypedDict):
    v: int
    type: Literal["pong"]
    seq: int
    id: str


TableMessage = (
    GameFull
    | GameState
    | Seats
    | ChatLine
    | Presence
    | Takeback
    | Rematch
    | GameFinish
    | ReviewNews
)
Answer = Accepted | Refused | Checked | Pong
