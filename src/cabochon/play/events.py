"""What happens at a table, as an append-only list: it alone replays the sitting.

Each event is one durable row. A submission of moves is one event together with the cards that it
turned up, so there is never half a turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias

from cabochon.notation.moves import move_text, parse_move
from cabochon.notation.positions import format_position, parse_position
from cabochon.play.chairs import Chair, chair_to_json, chairs_from_json, holder_by
from cabochon.play.options import Options, options_from_json, options_to_json
from cabochon.rules import Card, Move, Position, card


@dataclass(frozen=True, slots=True)
class Series:
    """Several games in a row by the same people: which one this is, and the games each seat's
    player has won (a shared victory counts for each)."""

    id: str
    game: int
    score: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """The table is made. With no open chair the game starts at once, unless people add to the
    deal: `share_hashes` has the seats of those who gave theirs already. With a `position` it
    begins there, and the seed only shuffles what is left in the decks. `texting` are the seats
    that wanted free text at the game before."""

    at: int
    options: Options
    chairs: tuple[Chair, ...]
    seed: str
    series: Series
    watch_code: str | None = None
    share_hashes: tuple[tuple[int, str], ...] = ()
    position: Position | None = None
    texting: tuple[int, ...] = ()

    @property
    def is_paired(self) -> bool:
        """Whether a pool or an invitation has made it: nobody there was given a key, or a link."""
        keyless = (c.person is not None and c.key is None and c.invite is None for c in self.chairs)
        return all(keyless)


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody takes an open chair; the last one starts the game, or the asking for shares."""

    at: int
    seat: int
    name: str | None
    key: str | None
    holder: str | None = None
    share_hash: str | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """A chair is given up before the start; `withheld` means that it was taken away, because no
    share came in time."""

    at: int
    seat: int
    withheld: bool = False


@dataclass(frozen=True, slots=True)
class Pledged:
    """Somebody at the table gives the hash of a share."""

    at: int
    seat: int
    share_hash: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """Somebody reveals the share that was promised; the last one starts the game."""

    at: int
    seat: int
    share: str


@dataclass(frozen=True, slots=True)
class Moved:
    """One submission: the moves, payments written out, and the cards dealt between them. `sent` is
    what `sent_with` makes; as one text it takes half the room of two, and tables are many."""

    at: int
    seat: int
    turn: int
    moves: tuple[Move, ...]
    deals: tuple[Card, ...] = ()
    sent: str | None = None

    @property
    def key(self) -> str | None:
        """The sender's idempotency key."""
        return None if self.sent is None else self.sent.partition(" ")[2]

    @property
    def ask(self) -> str | None:
        """A fingerprint of what was asked with the key."""
        return None if self.sent is None else self.sent.partition(" ")[0] or None


def sent_with(key: str | None, ask: str | None) -> str | None:
    """A key, which may be any text, behind a fingerprint, which has no spaces."""
    return None if key is None else f"{ask or ''} {key}"


@dataclass(frozen=True, slots=True)
class TakebackAsked:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class TakebackAgreed:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class TakebackDeclined:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The game goes on from where only the first `kept` submissions had been made. `revealed`
    says that a card had been turned up or drawn in what was undone."""

    at: int
    seat: int
    kept: int
    revealed: bool = False


@dataclass(frozen=True, slots=True)
class Resigned:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class Flagged:
    """A seat's time is over."""

    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class Claimed:
    """`by` claims against a seat that has been away too long."""

    at: int
    seat: int
    by: int


@dataclass(frozen=True, slots=True)
class BotTookOver:
    """A bot plays for a seat whose player is away."""

    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class CameBack:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class Said:
    at: int
    seat: int
    phrase: str


@dataclass(frozen=True, slots=True)
class Wrote:
    """Somebody says something in words of their own, for the people at the table alone."""

    at: int
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class TextingSwitched:
    """Somebody wants to read and write free text at this table, or no longer does."""

    at: int
    seat: int
    on: bool


@dataclass(frozen=True, slots=True)
class Hinted:
    """Somebody was given the engine's advice in that turn."""

    at: int
    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class BotSeated:
    """Before the start, the table's maker gives an open chair to a bot; the last one starts the
    game."""

    at: int
    seat: int
    bot: str
    by: int


@dataclass(frozen=True, slots=True)
class RematchOffered:
    at: int
    seat: int
    share_hash: str | None = None


@dataclass(frozen=True, slots=True)
class RematchAccepted:
    at: int
    seat: int
    share_hash: str | None = None


@dataclass(frozen=True, slots=True)
class RematchDeclined:
    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class RematchMade:
    at: int
    table: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The host ends the game here; nobody has won."""

    at: int


@dataclass(frozen=True, slots=True)
class Removed:
    """The host takes a seat out of a running game; its key no longer works."""

    at: int
    seat: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """The host renames a seat's player, or the player is not to be named any more."""

    at: int
    seat: int
    name: str | None


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The chair is somebody else's from now on: a guest has turned out to be a person who keeps
    their name, and brings their tables along."""

    at: int
    seat: int
    holder: str


TableEvent: TypeAlias = (
    Opened
    | Joined
    | Left
    | Pledged
    | Revealed
    | Moved
    | TakebackAsked
    | TakebackAgreed
    | TakebackDeclined
    | TakenBack
    | Resigned
    | Flagged
    | Claimed
    | BotTookOver
    | CameBack
    | Said
    | Wrote
    | TextingSwitched
    | Hinted
    | BotSeated
    | RematchOffered
    | RematchAccepted
    | RematchDeclined
    | RematchMade
    | Closed
    | Removed
    | Renamed
    | HandedOver
)

_PLAIN: tuple[type[Any], ...] = (
    Joined,
    Left,
    Pledged,
    Revealed,
    TakebackAsked,
    TakebackAgreed,
    TakebackDeclined,
    TakenBack,
    Resigned,
    Flagged,
    Claimed,
    BotTookOver,
    CameBack,
    Said,
    Wrote,
    TextingSwitched,
    Hinted,
    BotSeated,
    RematchOffered,
    RematchAccepted,
    RematchDeclined,
    RematchMade,
    Closed,
    Removed,
    Renamed,
    HandedOver,
)
_LATER = frozenset({"revealed", "share_hash", "withheld"})
"""Fields that the first release did not know: written only where they say something, so that it
can read the log of a table that needs none of them."""
_STORED_NAMES: dict[type[Any], str] = {kind: kind.__name__ for kind in _PLAIN} | {
    BotTookOver: "StoodIn"
}
"""What logs call each event. A class may get a better name; what is written stays readable."""
_PLAIN_NAMED = {name: kind for kind, name in _STORED_NAMES.items()}


def event_to_json(event: TableEvent) -> dict[str, Any]:
    """Plain data with the kind under `type`; `event_from_json` reads it back."""
    if isinstance(event, Moved):
        return _moved_to_json(event)
    if isinstance(event, Opened):
        data = {
            "type": "Opened",
            "at": event.at,
            "options": options_to_json(event.options),
            "chairs": [chair_to_json(chair) for chair in event.chairs],
            "seed": event.seed,
            "series": [event.series.id, event.series.game, list(event.series.score)],
            "watch_code": event.watch_code,
        }
        if event.share_hashes:
            data["share_hashes"] = [list(entry) for entry in event.share_hashes]
        if event.position is not None:
            data["position"] = format_position(event.position)
        if event.texting:
            data["texting"] = list(event.texting)
        return data
    fields = {name: getattr(event, name) for name in event.__slots__}
    for name in _LATER & fields.keys():
        if not fields[name]:
            del fields[name]
    return {"type": _STORED_NAMES[type(event)]} | fields


def _moved_to_json(event: Moved) -> dict[str, Any]:
    data = {
        "type": "Moved",
        "at": event.at,
        "seat": event.seat,
        "turn": event.turn,
        "moves": [move_text(move) for move in event.moves],
    }
    if event.deals:
        data["deals"] = [dealt.code for dealt in event.deals]
    if event.sent is not None:
        data |= {"key": event.key, "ask": event.ask}
    return data


def event_from_json(data: Mapping[str, Any]) -> TableEvent:
    """Raises KeyError or ValueError for data that this version did not write."""
    kind = data["type"]
    if kind == "Moved":
        return _moved_from_json(data)
    fields = {key: value for key, value in data.items() if key != "type"}
    if kind == "Opened":
        series_id, game, score = fields["series"]
        given = fields.get("position")
        return Opened(
            at=fields["at"],
            options=options_from_json(fields["options"]),
            chairs=chairs_from_json(fields["chairs"]),
            seed=fields["seed"],
            series=Series(series_id, game, tuple(score)),
            watch_code=fields["watch_code"],
            share_hashes=tuple((seat, kept) for seat, kept in fields.get("share_hashes", ())),
            position=None if given is None else parse_position(given),
            texting=tuple(fields.get("texting", ())),
        )
    if kind == "Joined" and "holder" not in fields:
        fields.pop("owner", None)
        fields["holder"] = holder_by(fields.pop("token", None), fields["key"])
    event: TableEvent = _PLAIN_NAMED[kind](**fields)
    return event


def _moved_from_json(data: Mapping[str, Any]) -> Moved:
    """Nearly all events are these, so nothing is done twice for them."""
    deals = data.get("deals")
    return Moved(
        data["at"],
        data["seat"],
        data["turn"],
        _moves_read(*data["moves"]),
        _cards_read(*deals) if deals else (),
        sent_with(data.get("key"), data.get("ask")),
    )


@lru_cache(maxsize=8192)
def _cards_read(*codes: str) -> tuple[Card, ...]:
    """Nearly always one card, of ninety: in memory once."""
    return tuple(card(code) for code in codes)


@lru_cache(maxsize=8192)
def _moves_read(*texts: str) -> tuple[Move, ...]:
    """Most turns are like some other: they are read once, and in memory once."""
    return tuple(parse_move(text) for text in texts)
